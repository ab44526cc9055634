/* SPDX-License-Identifier: Apache-2.0 */
/* layout.h: the numbers that the description, the model and the environment of branch_unit share. */
#ifndef BU_LAYOUT_H
#define BU_LAYOUT_H

#include "core/simt.h"

enum bu_kind { BU_OTHER, BU_BRANCH, BU_CALL, BU_PREBREAK, BU_RETURN, BU_BREAK, BU_LAUNCH, BU_FINISH, BU_KINDS };
enum bu_status {
  BU_DONE, BU_NOT_EXECUTED, BU_OVERFLOW, BU_UNDERFLOW, BU_FAULT, BU_WRONG_KIND, BU_NOT_EMPTY, BU_STATUSES
};
enum bu_token { BU_TOKEN_CALL, BU_TOKEN_BRK, BU_TOKEN_DIV, BU_TOKEN_SYNC };
/* At the port to the stack, with its numbers. */
enum bu_op { BU_PUSH, BU_POP, BU_INIT = 4, BU_NO_OP = 7 };
enum bu_op_status { BU_OP_OK, BU_OP_OVERFLOW, BU_OP_UNDERFLOW, BU_OP_FAULT };

enum bu_reg {
  BU_REG_ID = 0x000,
  BU_REG_STATUS = 0x004,
  BU_REG_LIMIT = 0x008,
  BU_REG_GROUP = 0x00c,
  BU_REG_GROUP_STATE = 0x010,
  BU_REG_DEPTH = 0x014,
  BU_REG_ERROR = 0x018,
  BU_REG_ERROR_COUNT = 0x01c,
  BU_REG_PC = 0x020,         /* _LO, _HI */
  BU_REG_ERROR_STATUS = 0x028,
  BU_REG_ERROR_PC = 0x030,   /* _LO, _HI */
  BU_REG_MASK = 0x040,       /* a word per 32 lanes */
  BU_REG_ERROR_MASK = 0x050,
  BU_REG_LIVE = 0x080,       /* a word per 32 groups */
  BU_REG_STOPPED = 0x100,
  BU_REG_ADDR_W = 10
};
enum { BU_UNIT_TYPE = 0x4255, BU_CTX_REGS = 4 }; /* of a context */
enum { BU_RING_MAX = 4 };
enum { BU_ID = 0x42550001, BU_MAX_LANE_WORDS = 4, BU_MAX_ENTRY_WORDS = 7 };

/* Parameters and derived values of one configuration, by field. */
struct bu_layout {
  unsigned threads, lanes, entry_w, latency;
  unsigned ring;   /* places of operations that are not done: an operation comes round after as many cycles */
  uint64_t max_depth;
  unsigned status; /* 0 none, else the encoding + 1 */
  bool alone;      /* its stack is outside */
  unsigned thread_w, pc_w, count_w, lane_words, pc_words, entry_words;
  uint64_t ctx_max;
  uint32_t cfg_hash;
};

/* From the parameter values in the order of the description's table. */
void bu_layout(const uint64_t *value, struct bu_layout *l);

extern const struct simt_note bu_notes[];

#endif
