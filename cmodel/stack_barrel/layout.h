/* SPDX-License-Identifier: Apache-2.0 */
/* layout.h: the numbers that the description, the model and the environment of stack_barrel share. */
#ifndef STACK_BARREL_LAYOUT_H
#define STACK_BARREL_LAYOUT_H

#include "core/simt.h"

enum sb_kind { SB_PUSH, SB_POP, SB_PEEK, SB_REPLACE, SB_INIT, SB_KINDS };
enum sb_status { SB_OK, SB_OVERFLOW, SB_UNDERFLOW, SB_FAULT };
enum sb_flags { SB_PER_SET, SB_PER_ENTRY };
enum sb_mem_w { SB_MEM_SET, SB_MEM_ENTRY };
enum { SB_NO_STATUS, SB_ONE_HOT, SB_TWO_OF_FOUR, SB_BINARY };
enum sb_policy { SB_SET_BOUNDARY, SB_THRESHOLD };
enum { SB_LATENCY = 4, SB_GAP = 4, SB_HOLD = 6 }; /* OUT_REG: latency 5 */

extern const struct simt_note sb_notes[];

enum sb_reg {
  SB_REG_ID = 0x000,
  SB_REG_STATUS = 0x004,
  SB_REG_BASE_LO = 0x008,
  SB_REG_BASE_HI = 0x00c,
  SB_REG_STRIDE_LG = 0x010,
  SB_REG_LIMIT = 0x014,
  SB_REG_SPILL_OVER = 0x018,
  SB_REG_SPILL_BURST = 0x01c,
  SB_REG_RESTORE_FREE = 0x020,
  SB_REG_THREAD = 0x024,
  SB_REG_DEPTH = 0x028,
  SB_REG_ERROR = 0x030,
  SB_REG_ERROR_SET = 0x034,
  SB_REG_ERROR_COUNT = 0x038,
  SB_REG_COUNTER_CLEAR = 0x03c,
  SB_REG_CONTROL = 0x040,
  SB_REG_COUNTER = 0x100, /* _LO, _HI per counter, in the order of enum sb_counter */
  SB_REG_ADDR_W = 10
};
enum { SB_ID = 0x53430002, SB_UNIT_TYPE = 0x5342 };
/* A context: a word for each thread, then the registers from BASE_LO to ERROR_COUNT. */
enum { SB_CTX_REGS = (SB_REG_ERROR_COUNT - SB_REG_BASE_LO) / 4 + 1 };

enum sb_counter {
  SB_N_PUSH, SB_N_POP, SB_N_SPILL, SB_N_RESTORE, SB_N_DROP, SB_N_CLEAN_POP, SB_N_DEEPEST,
  SB_N_WAIT_OWN, SB_N_WAIT_RESTORE, SB_N_WAIT_DIRTY, SB_N_WAIT_ENGINE,
  SB_N_WAIT_HALT, /* with STATUS only */
  SB_COUNTERS
};

/* Parameters and derived values of one configuration, by field. */
struct sb_layout {
  unsigned threads, entry_w, entries, set, policy, flags, out_reg, mem_w, counters, inflight, steal, addr_w, status;
  uint64_t max_depth;
  unsigned nsets, thread_w, count_w, set_lg, nsets_lg, class_w, set_idx_w;
  unsigned entry_bytes, entry_bytes_lg, set_bytes, set_bytes_lg, mem_data_w, tag_w, stride_max;
  unsigned beats;    /* of a set on the memory port */
  uint64_t wait_bound, halt_own, ctx_max;
  uint32_t cfg_hash;
};

static inline unsigned sb_counters(const struct sb_layout *l) { return l->status ? SB_COUNTERS : SB_N_WAIT_HALT; }

/* From the parameter values in the order of the description's table. */
void sb_layout(const uint64_t *value, struct sb_layout *l);

#endif
