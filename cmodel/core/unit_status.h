/* SPDX-License-Identifier: Apache-2.0 */
/* unit_status.h: the five-state status of a unit (cell unit_status_fsm), for the model of any block.
 *
 * A block's description calls simt_add_status_ports; its model keeps a struct simt_unit_status, shows it with
 * simt_status_outputs and, at each clock edge, says what the unit does in that cycle with simt_status_step.
 * docs/unit_status_cells.md is the contract. */
#ifndef SIMT_UNIT_STATUS_H
#define SIMT_UNIT_STATUS_H

#include "simt.h"

#ifdef __cplusplus
extern "C" {
#endif

enum simt_unit_state { SIMT_EMPTY, SIMT_ACTIVE, SIMT_STALLED, SIMT_QUIESCENT, SIMT_HALTED };
enum simt_status_encoding { SIMT_ONE_HOT, SIMT_TWO_OF_FOUR, SIMT_BINARY };

/* The names of the encodings, for the table of parameters. */
extern const char *const simt_status_encodings[];
extern const char *const simt_status_choices[]; /* of the parameter STATUS: none, then the encodings */

/* Appends cmd_halt_i, cmd_reset_i, cmd_resume_i, state_o, progress_o, waiting_o, gather_o, nack_o. */
void simt_add_status_ports(struct simt_desc *d, enum simt_status_encoding encoding);

struct simt_status_ports { unsigned halt, reset, resume, state, progress, waiting, gather, nack; };
struct simt_status_ports simt_find_status_ports(const struct simt_config *cfg);

/* What the unit says about this cycle (the port contract of the cell, st_* and can_halt). */
struct simt_unit_signals {
  bool in, out, proc, work, mem, mem_done, nack, blocked, cannot, progress, gather, can_halt;
  bool nack_write, nack_value; /* a register write or a load sets the sticky bit */
};

/* The registers of the cell. The unit reads halt_req, ctx_reset, resume, and state == SIMT_HALTED. */
struct simt_unit_status {
  enum simt_unit_state state;
  bool halt_req, ctx_reset, resume;
  bool progress, waiting, gather, nack;
};

/* One clock edge without rst_i; after one with it, all is 0 and SIMT_EMPTY. */
void simt_status_step(struct simt_unit_status *s, const struct simt_unit_signals *unit,
                      const struct simt_status_ports *at, const uint32_t *in);
/* The state as state_o carries it. */
uint32_t simt_status_code(enum simt_unit_state state, enum simt_status_encoding encoding);
void simt_status_outputs(const struct simt_unit_status *s, enum simt_status_encoding encoding,
                         const struct simt_status_ports *at, uint32_t *out);

#ifdef __cplusplus
}
#endif
#endif
