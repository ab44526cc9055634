/* SPDX-License-Identifier: Apache-2.0 */
/* layout.h: the numbers that the description, the model and the environment of stack_cache share. */
#ifndef STACK_CACHE_LAYOUT_H
#define STACK_CACHE_LAYOUT_H

#include "core/simt.h"

enum sc_kind { SC_PUSH, SC_POP, SC_PEEK, SC_REPLACE, SC_INIT, SC_KINDS };
enum sc_status { SC_OK, SC_OVERFLOW, SC_UNDERFLOW, SC_FAULT };
enum sc_flags { SC_PER_SET, SC_PER_ENTRY };
enum sc_mem_w { SC_MEM_SET, SC_MEM_ENTRY };
enum { SC_NO_STATUS, SC_ONE_HOT, SC_TWO_OF_FOUR, SC_BINARY };
enum sc_policy { SC_SET_BOUNDARY, SC_THRESHOLD };
enum { SC_LATENCY = 4, SC_GAP = 4 }; /* OUT_REG: latency 5 */

extern const struct simt_note sc_notes[];

enum sc_reg {
  SC_REG_ID = 0x000,
  SC_REG_STATUS = 0x004,
  SC_REG_BASE_LO = 0x008,
  SC_REG_BASE_HI = 0x00c,
  SC_REG_STRIDE_LG = 0x010,
  SC_REG_LIMIT = 0x014,
  SC_REG_SPILL_OVER = 0x018,
  SC_REG_SPILL_BURST = 0x01c,
  SC_REG_RESTORE_FREE = 0x020,
  SC_REG_THREAD = 0x024,
  SC_REG_DEPTH = 0x028,
  SC_REG_HALT_FLUSH = 0x02c,
  SC_REG_ERROR = 0x030,
  SC_REG_ERROR_SET = 0x034,
  SC_REG_ERROR_COUNT = 0x038,
  SC_REG_COUNTER_CLEAR = 0x03c,
  SC_REG_CONTROL = 0x040,
  SC_REG_DEEPEST_OF = 0x044,
  SC_REG_COUNTER = 0x100, /* _LO, _HI per counter, in the order of enum sc_counter */
  SC_REG_ADDR_W = 10
};
enum { SC_ID = 0x53430002, SC_UNIT_TYPE = 0x5343 };
/* A context: of each thread two words and, unless a halt has flushed, those of its entries on chip, by slot; then the registers
 * from BASE_LO to ERROR_COUNT. */
enum { SC_CTX_HEAD = 2, SC_CTX_REGS = (SC_REG_ERROR_COUNT - SC_REG_BASE_LO) / 4 + 1 };
enum { SC_HEAD_FAULT = 31, SC_HEAD_BURST = 21 };                                       /* first word: where fields begin; count at 0 */
enum { SC_STATE_FULL = 31, SC_STATE_OFF = 24, SC_STATE_DRAIN = 23, SC_STATE_HELD = 22, SC_STATE_NV = 11 }; /* second; nd at 0 */
enum { SC_HALT_FLUSH_RESET = 0 };

enum sc_counter {
  SC_N_PUSH, SC_N_POP, SC_N_SPILL, SC_N_RESTORE, SC_N_DROP, SC_N_CLEAN_POP, SC_N_DEEPEST,
  SC_N_WAIT_OWN, SC_N_WAIT_RESTORE, SC_N_WAIT_DIRTY, SC_N_WAIT_ENGINE,
  SC_N_WAIT_HALT, /* with STATUS only */
  SC_COUNTERS
};

/* Parameters and derived values of one configuration, by field. */
struct sc_layout {
  unsigned threads, entry_w, entries, set, policy, flags, out_reg, mem_w, counters, inflight, steal, addr_w, status;
  uint64_t max_depth;
  unsigned nsets, thread_w, count_w, set_lg, nsets_lg, class_w, set_idx_w;
  unsigned entry_bytes, entry_bytes_lg, set_bytes, set_bytes_lg, mem_data_w, tag_w, stride_max;
  unsigned beats;    /* of a set on the memory port */
  unsigned hold, hold_lost, fault_within;
  uint64_t wait_bound, halt_own, flush_own, ctx_max, ctx_bare; /* ctx_bare: words without entries */
  unsigned entry_words;
  uint32_t cfg_hash;
};

static inline unsigned sc_counters(const struct sc_layout *l) { return l->status ? SC_COUNTERS : SC_N_WAIT_HALT; }

/* From the parameter values in the order of the description's table. */
void sc_layout(const uint64_t *value, struct sc_layout *l);

#endif
