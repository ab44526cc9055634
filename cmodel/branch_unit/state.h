/* SPDX-License-Identifier: Apache-2.0 */
/* state.h: the state of the branch_unit model, for its two parts: the pipeline (model.c), and status and context
 * (status.c). Stage and signal names are those of docs/branch_unit_design.md. Masks and program counters are kept as
 * 128 and 64 bits here. */
#ifndef BU_STATE_H
#define BU_STATE_H

#include "branch_unit/model.h"
#include "core/unit_shell.h"

typedef unsigned __int128 bits128;

#define BU_PORTS(PORT) \
  PORT(rst_i, rst_i) PORT(ins_valid_i, ins_valid_i) PORT(ins_kind_i, ins_kind_i) \
  PORT(ins_set_sync_i, ins_set_sync_i) PORT(ins_pop_sync_i, ins_pop_sync_i) PORT(ins_group_i, ins_group_i) \
  PORT(ins_mask_i, ins_mask_i) PORT(ins_target_i, ins_target_i) PORT(ins_next_i, ins_next_i) \
  PORT(ins_step_o, ins_step_o) PORT(ins_push_o, ins_push_o) PORT(ins_pop_o, ins_pop_o) \
  PORT(ins_launch_o, ins_launch_o) PORT(res_valid_o, res_valid_o) PORT(res_group_o, res_group_o) \
  PORT(res_kind_o, res_kind_o) PORT(res_status_o, res_status_o) PORT(res_synced_o, res_synced_o) PORT(res_go_o, res_go_o) \
  PORT(res_mask_o, res_mask_o) PORT(res_pc_o, res_pc_o) PORT(op_valid_o, op_valid_o) \
  PORT(op_kind_o, op_kind_o) PORT(op_thread_o, op_thread_o) PORT(op_data_o, op_data_o) \
  PORT(can_push_i, can_push_i) PORT(can_top_i, can_top_i) PORT(can_go_i, can_go_i) \
  PORT(ans_status_i, ans_status_i) PORT(ans_data_i, ans_data_i)
SIMT_PORTS(bu_port_words, BU_PORTS)

struct flow { bits128 mask; uint64_t pc; };

struct group {
  bool busy, live, stopped, synced;
  struct flow now;
  uint32_t depth;
  enum bu_status error;        /* the error word: what stopped the group */
  enum bu_kind error_kind;
  enum bu_token token_kind;
  struct flow token;
};

struct instruction { /* A to B; judged: it waits there, and is an overflow or not */
  bool valid, set, pop, judged, over;
  unsigned group;
  enum bu_kind kind;
  bits128 mask;
  uint64_t target, next;
};

struct result { /* B to C */
  bool valid, pop, first;
  unsigned group;
  enum bu_kind kind;
  enum bu_status error;
  enum bu_op op;
  struct flow then;            /* where the group goes on when no token says it */
  enum bu_token token_kind;
  struct flow token;
  bool own, diverges;         /* pushes a token of its own; that of a branch */
  bool half;                  /* the first of its two operations is taken */
  struct instruction of;      /* as it was in B; next: the pc where it goes on without a target */
};

struct operation { /* C to D: what waits for the answer of the stack; last: of its instruction; place: in the ring */
  bool valid, pop, last;
  unsigned group, place;
  enum bu_kind kind;
  enum bu_status error;
  enum bu_op op;
  struct flow then;
};

enum bu_ctx_part { BU_CTX_REGISTERS, BU_CTX_GROUPS, BU_CTX_SLOTS, BU_CTX_TAIL };

struct bu_unit { /* status and context: docs/branch_unit_status.md */
  struct simt_unit_shell shell;
  struct simt_walk_shape shape;
  struct simt_walk at;            /* the place of a word of a context; sections: enum bu_ctx_part */
  struct instruction slot;        /* of a context that comes in: the instruction of its place */
  enum bu_status slot_error;
  bool slot_half;
  /* of this cycle */
  bool answers;
  struct simt_unit_signals says;
};

enum { STATS = 8 };
enum bu_stat { N_INSTRUCTIONS, N_RESULTS, N_PUSHES, N_POPS, N_DIVERGED, N_SYNCED, N_ERRORS, N_WAITS };

struct bu_model {
  const struct simt_config *cfg;
  struct bu_layout l;
  struct bu_port_words p;
  size_t size;
  unsigned words;
  bool has_tail;              /* words of another unit follow in a context */
  /* registers */
  struct instruction b;
  struct result ring[BU_RING_MAX]; /* what is not done; at: that of C */
  unsigned at;
  struct operation d[8];
  unsigned oldest, waiting;   /* D is a ring: the one that reaches R, the number of all */
  enum bu_status bad[BU_RING_MAX]; /* of the first of two operations, by place */
  bool kg, res_valid, res_go, depth_writes; /* depth_writes: B of the last cycle has changed a depth */
  struct { unsigned group; enum bu_kind kind; enum bu_status status; bool synced; struct flow to; } res;
  struct simt_runtime limit, reg_group;
  uint32_t error_register, error_count;
  bool reg_waits, reg_read;   /* for the RAM; it is read for one */
  uint64_t stat[STATS];
  uint32_t kp[32], kt[32];
  uint32_t live[32], busy[32]; /* maps of the groups that are */
  struct bu_unit u;
  struct group group[];
};

/* status.c; bu_unit_begin and bu_unit_end with STATUS only. bu_unit_begin before anything moves; `would`: an instruction is
 * presented that would be taken without a halt. bu_unit_end at the clock edge, behind everything else. */
void bu_unit_find(struct bu_model *m, const struct simt_config *cfg);
void bu_unit_reset(struct bu_model *m);
void bu_unit_begin(struct bu_model *m, const uint32_t *in, bool would, const struct bu_tail *tail);
void bu_unit_end(struct bu_model *m, const uint32_t *in, const struct bu_tail *tail);
struct simt_context_unit bu_context_unit(const struct bu_model *m, const struct bu_tail *tail); /* what the context offers */
static inline bool bu_halted(const struct bu_model *m) { return simt_shell_halted(&m->u.shell); }
/* What is under way is dropped in this cycle. */
static inline bool bu_clears(const struct bu_model *m) { return simt_shell_clears(&m->u.shell); }

/* model.c: what stage B makes of an instruction, errors and depth apart. */
void bu_decide(const struct bu_model *m, const struct instruction *b, struct result *n);
bool bu_operation_taken(const struct bu_model *m, const uint32_t *in); /* that of C */
bool bu_may_read(const struct bu_model *m);                               /* a register, in the RAM */
static inline unsigned bu_next_place(const struct bu_model *m) { return m->at + 1 < m->l.ring ? m->at + 1 : 0; }
/* What is not done comes to C in the next cycle, before what is in B. */
static inline bool bu_comes_round(const struct bu_model *m) { return m->ring[bu_next_place(m)].valid; }
static inline void bu_map(struct bu_model *m, unsigned group) { /* the maps follow the group */
  uint32_t bit = UINT32_C(1) << group % 32, *live = &m->live[group / 32], *busy = &m->busy[group / 32];
  *live = m->group[group].live ? *live | bit : *live & ~bit;
  *busy = m->group[group].busy ? *busy | bit : *busy & ~bit;
}

#endif
