/* SPDX-License-Identifier: Apache-2.0 */
/* status_fsm.h: what description, model and golden table of the lone status cell share. */
#ifndef STATUS_FSM_H
#define STATUS_FSM_H

#include "simt.h"

/* Bits of signals_i, in the order of the cell's port list. */
enum {
  SIG_IN, SIG_OUT, SIG_PROC, SIG_WORK, SIG_MEM, SIG_MEM_DONE, SIG_NACK, SIG_BLOCKED, SIG_CANNOT, SIG_PROGRESS,
  SIG_GATHER, SIG_CAN_HALT, SIG_NACK_WRITE, SIG_NACK_VALUE, SIG_HALT, SIG_RESUME, N_SIGNALS = SIG_HALT
};

/* The rows of the state table: from, name; the golden table (verif/) has the same order. */
#define STATUS_ROWS(ROW) \
  ROW(halted, halt) ROW(halted, in) ROW(halted, out) ROW(halted, work_can) ROW(halted, work) ROW(halted, else) \
  ROW(empty, halt) ROW(empty, in) ROW(empty, out) ROW(empty, proc) ROW(empty, work) ROW(empty, mem) ROW(empty, else) \
  ROW(active, halt) ROW(active, nack) ROW(active, blocked) ROW(active, idle_work) ROW(active, idle_mem) \
  ROW(active, idle) ROW(active, else) \
  ROW(stalled, halt) ROW(stalled, not_blocked) ROW(stalled, can) ROW(stalled, else) \
  ROW(quiescent, halt) ROW(quiescent, in) ROW(quiescent, proc) ROW(quiescent, out) ROW(quiescent, resume) \
  ROW(quiescent, mem_done) ROW(quiescent, nothing) ROW(quiescent, else)

#define STATUS_ROW_ENUM(from, name) ROW_##from##_##name,
enum { STATUS_ROWS(STATUS_ROW_ENUM) N_ROWS };

extern const struct simt_block simt_block_status_fsm;

#endif
