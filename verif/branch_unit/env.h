/* SPDX-License-Identifier: Apache-2.0 */
/* env.h: the environment of branch_unit and of blocks that contain it, shared by its parts: who presents
 * instructions and register accesses (env.c), what stands for the stack (fake.c) or the memory behind it, who
 * fills the choices (stimulus.c, directed.c), and what must hold: tokens (golden.c), registers
 * (registers.c), lanes alone (lanes.c over programs of program.c). */
#ifndef BRANCH_UNIT_ENV_H
#define BRANCH_UNIT_ENV_H

#include "branch_unit/cover.h"
#include "core/memory.h"
#include "core/ports.h"
#include "core/unit_front.h"
#include "core/verif.h"
#include "stack_cache/beats.h"

extern const struct simt_block simt_block_branch_unit;

typedef unsigned __int128 bu_lanes;

/* One cycle of decisions; each means something in any state, all zero is an idle cycle. */
enum bu_flag {
  BU_DO_INS = 1,       /* present an instruction */
  BU_PROGRAM = 2,      /* the next one of a group that runs a program, or the launch of one */
  BU_SEEK = 4,         /* if it would wait, the one of the next group that does not */
  BU_SET_SYNC = 8, BU_POP_SYNC = 16,
  BU_ODD = 32,         /* the group may be one that does not exist */
  BU_RIGHT = 64,       /* a pop that would meet a token of the wrong kind becomes one that does not */
  BU_DO_REG = 128, BU_REG_WRITE = 256,
  BU_RESET = 512,
  BU_STEAL = 1024,     /* the fake stack takes no operation in this cycle */
  BU_FAULT_AFTER = 2048, /* the stack of the operation taken in this cycle, or if `wait` is odd that of `group`, is
                            faulted from now on */
  BU_SLOW = 4096,      /* the stack of the operation taken in this cycle waits before its next one; if none is, that of
                          `group` is held */
  BU_CTX_OUT = 8192,   /* a word of a saved context is taken */
  BU_CTX_IN = 16384    /* a word of a context to load is offered */
};
struct bu_choice {
  uint64_t mem, target, next;
  uint64_t mask[2];
  uint32_t group, reg_data, stack_limit; /* limit of the fake stack; 0: as it is */
  uint16_t flags, reg_addr;
  uint8_t kind, wait;                    /* cycles, with BU_SLOW */
  uint8_t order, slot, spoil;            /* enum simt_order, of a load: enum simt_spoil */
  uint32_t place;                        /* where a context is spoiled */
};

struct bu_kept { uint32_t group; uint16_t flags; uint8_t wait; }; /* of a choice, for the end of its cycle */

#define BU_ENV_PORTS(PORT) \
  PORT(rst, rst_i) PORT(valid, ins_valid_i) PORT(kind, ins_kind_i) PORT(set, ins_set_sync_i) \
  PORT(pop, ins_pop_sync_i) PORT(group, ins_group_i) PORT(mask, ins_mask_i) PORT(target, ins_target_i) \
  PORT(next, ins_next_i) PORT(step, ins_step_o) PORT(push, ins_push_o) PORT(top, ins_pop_o) \
  PORT(launch, ins_launch_o) PORT(res, res_valid_o) PORT(res_group, res_group_o) PORT(res_kind, res_kind_o) \
  PORT(res_status, res_status_o) PORT(res_synced, res_synced_o) PORT(res_go, res_go_o) PORT(res_mask, res_mask_o) PORT(res_pc, res_pc_o) \
  PORT(reg, reg_req_valid_i) PORT(reg_ready, reg_req_ready_o) PORT(reg_write, reg_req_write_i) \
  PORT(reg_addr, reg_req_addr_i) PORT(reg_data, reg_req_data_i) PORT(reg_rsp, reg_rsp_valid_o) \
  PORT(reg_rsp_data, reg_rsp_data_o) PORT(reg_rsp_error, reg_rsp_error_o)
#define BU_STACK_PORTS(PORT) \
  PORT(op, op_valid_o) PORT(op_kind, op_kind_o) PORT(op_thread, op_thread_o) PORT(op_data, op_data_o) \
  PORT(can_push, can_push_i) PORT(can_top, can_top_i) PORT(can_go, can_go_i) PORT(ans, ans_valid_i) \
  PORT(ans_thread, ans_thread_i) PORT(ans_kind, ans_kind_i) PORT(ans_status, ans_status_i) \
  PORT(ans_data_valid, ans_data_valid_i) PORT(ans_data, ans_data_i)
struct bu_ports { BU_ENV_PORTS(SIMT_PORT_FIELD) BU_STACK_PORTS(SIMT_PORT_FIELD) };

struct bu_instruction {
  enum bu_kind kind;
  bool set, pop;
  unsigned group;
  bu_lanes mask;
  uint64_t target, next;
};

/* ---- golden model: a stack of tokens per group --------------------------------------------------------- */

struct bu_flow { bu_lanes mask; uint64_t pc; };
struct bu_mark { enum bu_token kind; struct bu_flow flow; };
struct bu_operation { enum bu_op kind; struct bu_mark mark; }; /* mark: of a push */

struct bu_group {
  bool busy, live, stopped, synced;
  bool may_fault;               /* its stack may answer fault */
  struct bu_flow now;
  struct bu_mark *token;        /* bottom first */
  unsigned depth, room;
  enum bu_status error;
  enum bu_kind error_kind;
  struct bu_mark wrong;         /* the token of the wrong kind, with that error */
  uint64_t changes;             /* results and launches */
};

struct bu_expected { /* of the instruction under way of a group */
  struct bu_instruction ins;
  bool judged;
  uint64_t cycle, from;     /* taken; the first cycle in which it can be judged, once that is known */
  uint32_t limit;           /* when it was taken */
  /* What follows is known when it is judged. */
  enum bu_status status;
  bool synced, fault_before; /* fault_before: the group's stack could fault when the first push was made */
  struct bu_flow then;
  struct bu_mark wrong;     /* with BU_WRONG_KIND */
  struct bu_operation op[2];
  unsigned n_ops, asked;    /* asked: those seen at the stack's port */
};

/* ---- programs and lanes alone ------------------------------------------------------------------------------ */

enum bu_condition { BU_ALWAYS, BU_CHANCE, BU_DEEPER }; /* of a branch: per lane */
struct bu_code {
  uint8_t kind, condition, chance;  /* chance in 1/256 */
  bool set, pop, exits;             /* exits: the lane leaves a loop or a recursion by it; forced when it is late */
  uint16_t target;
};
enum { BU_CODE_MAX = 640, BU_LANE_STACK = 96 };
struct bu_program {
  uint64_t seed;
  unsigned n;
  unsigned steps;                   /* after which a lane leaves */
  unsigned deepest;                 /* calls under way that BU_DEEPER allows */
  struct bu_code code[BU_CODE_MAX];
};

struct bu_lane { /* a lane that runs its program alone; its stack lies apart */
  uint32_t steps;
  uint16_t pc, depth, calls;
};
struct bu_place { uint16_t at, kind; }; /* where a call returns to or a loop ends */
struct bu_runner { /* a group that runs a program */
  bool runs;
  bool looked;                      /* there: the active lanes at now.pc, a branch; takes: those that take it */
  bu_lanes there, takes, running;   /* running: lanes that have not finished */
  struct bu_flow now;               /* from the results only */
  struct bu_program program;
  struct bu_lane *lane;
  struct bu_place *stack;           /* of all lanes: the lowest place of each, then the next one of each */
};
bool bu_runners_create(struct bu_runner *r, unsigned threads, unsigned lanes);
void bu_runners_destroy(struct bu_runner *r); /* NULL too */
void bu_runners_copy(struct bu_runner *to, const struct bu_runner *from, unsigned threads, unsigned lanes);

/* A random structured program: nested branches, loops with breaks, calls, recursion; or one that recurses to exactly
 * `limit` calls when that is not 0. At most `most` instructions, 250 or more. */
void bu_write_program(struct bu_program *p, uint64_t seed, unsigned limit, unsigned most);
/* The instruction at the runner's pc: what it is; then the rest, with the conditions of its lanes; lanes that are not
 * active say anything. */
void bu_next_kind(const struct bu_runner *r, struct bu_instruction *i);
void bu_next_flow(struct bu_runner *r, unsigned lanes, uint64_t noise, struct bu_instruction *i);

struct bu_access { bool write; uint16_t addr; uint32_t data; };

/* ---- the front end (STATUS) ------------------------------------------------------------------------------- */

enum { BU_PROCESSES = 3, BU_STACK_STRIDE_LG = 0x010, BU_STACK_LIMIT = 0x014, BU_STACK_HALT_FLUSH = 0x02c,
       BU_STACK_ERROR = 0x030, BU_STACK_CONTROL = 0x040 };

/* A saved context, and what the golden model, the programs and the fake stack were then. */
struct bu_process {
  bool error_recorded, nack;
  unsigned region, under_way, unjudged, unjudged_group[2];
  uint32_t limit, stack_limit, reg_group, error_count;
  struct bu_expected first_error, *expected; /* by group */
  struct bu_group *group;
  struct bu_runner *runner;
  struct bu_fake *fake;
};

struct bu_front {
  struct simt_front_unit unit;
  struct simt_front shell;
  unsigned region, regions, region_lg; /* of memory: of the run under way; how many; bytes of one */
  bool rebase;             /* the next run gets another region */
  bool offers;             /* the stack asks memory */
  bool nack, refused, stale; /* as nack_o must be; an answer of this cycle is an error; answers are from before a reset */
  bool late;                 /* an error came as the write acted */
  uint64_t forgets;          /* cycle in which a write clears it, or 0 */
  unsigned under_way;      /* instructions, at the beginning of the cycle */
  uint64_t halt_from, last_answer, clear_from;
  uint64_t refused_at, unsure_end; /* of memory; until then an error of a beat may be recorded before a write of ERROR or behind it */
  unsigned walk;               /* cycles of that of a reset */
  uint64_t walk_end;           /* of that of the stack behind a reset of the unit, when nothing waits for memory */
  struct bu_process process[BU_PROCESSES];
};

/* ---- the environment ------------------------------------------------------------------------------------------ */

struct bu_fake;
struct bu_script;

enum { BU_PAST = 16 }; /* cycles */

struct bu_phase { uint64_t left; uint32_t hot[4]; uint8_t kinds, programs, slow, fault, steal, lost; bool resets; };

struct bu_env {
  const struct simt_config *cfg;
  struct simt_stimulus stim;
  struct bu_layout l;
  struct bu_ports at;
  unsigned words;                   /* of a map of groups */
  enum bu_gate { BU_STEP, BU_PUSHES, BU_TOP, BU_LAUNCHES, BU_GATES } gate[2][32]; /* which ready bits take an instruction:
                                       by whether its group has popped its sync token; by kind, pop-sync, set-sync */
  unsigned gate_at[BU_GATES];       /* their maps */
  uint32_t reg_base;                /* address of the unit's registers in the block's map */
  struct simt_rng rng;
  uint64_t cycle, results, chosen, covered[BU_COVERS], coverage[BU_COVERS];
  char message[240];

  struct bu_group *group;
  uint32_t live[32], busy[32];      /* maps of the groups that are */
  struct bu_expected *expected;     /* by group */
  unsigned under_way;
  unsigned unjudged, unjudged_group[2]; /* the youngest ones: how many, oldest first */
  uint32_t limit, stack_limit;
  bool closed;                      /* nothing moves in this cycle: a halt or a reset; the front end says so */
  struct { uint32_t limit; bool closed; } past[BU_PAST]; /* by cycle */
  unsigned in_row;                  /* cycles with a result */

  struct bu_runner *runner;
  struct bu_fake *fake;             /* NULL when the block has a stack of its own */
  struct simt_memory *memory;       /* or this is NULL: that of the port */
  struct stk_port port;

  struct { /* the register access under way */
    bool valid, waits;              /* one is wanted; one is taken and not answered */
    bool shown;                     /* the one wanted is presented */
    bool alone, now_alone;          /* no instruction may be under way with the one wanted, the one under way */
    struct bu_access want, now;     /* the one wanted; the one under way, which may be a bus's own */
    uint64_t changes, group_changes;
    bool was_busy, loaded;          /* when it was taken: the group; a context comes in */
  } reg;
  struct bu_kept choice;            /* of this cycle */
  const char *result_wrong;         /* what is wrong with its result, or NULL */
  bool program_launch;              /* the launch presented in this cycle is of a program */
  uint64_t program_seed;
  bool recursion, beyond;           /* of it: to the limit; to one beyond */
  uint32_t reg_group;
  uint64_t changes;                 /* of all groups */
  struct bu_expected first_error;
  bool error_recorded, errors_unsure; /* unsure: cleared while results came */
  uint32_t error_count;

  struct bu_front front;

  unsigned profile;
  uint64_t segment_end, restored, turn; /* restored: until then limits are, for a profile */
  struct bu_phase phase;
  struct bu_script *script;
};

static inline bool bu_bit(const uint32_t *map, unsigned i) { return map[i / 32] >> (i % 32) & 1; }
static inline void bu_hit(struct bu_env *e, enum bu_cover point) { e->covered[point]++; }
/* `width` bits from bit `at` of the words; those within 64 bits are the most. */
static inline bu_lanes bu_get(const uint32_t *from, unsigned at, unsigned width) {
  const uint32_t *w = from + at / 32;
  unsigned low = at % 32;
  if (low + width <= 64)
    return (w[0] | (low + width > 32 ? (uint64_t)w[1] << 32 : 0)) >> low & ~(uint64_t)0 >> (64 - width);
  bu_lanes v = *w++ >> low;
  for (unsigned have = 32 - low; have < width; have += 32) v |= (bu_lanes)*w++ << have;
  return width < 128 ? v & (((bu_lanes)1 << width) - 1) : v;
}
static inline unsigned bu_lowest(bu_lanes mask) { /* lane of a mask that is not 0 */
  uint64_t low = (uint64_t)mask;
  return (unsigned)(low ? __builtin_ctzll(low) : 64 + __builtin_ctzll((uint64_t)(mask >> 64)));
}
/* The value of a port of `width` bits. */
static inline bu_lanes bu_get_port(const uint32_t *from, unsigned width) {
  if (width <= 32) return from[0];
  uint64_t low = from[0] | (uint64_t)from[1] << 32;
  if (width <= 64) return low;
  return low | (bu_lanes)(from[2] | (width > 96 ? (uint64_t)from[3] << 32 : 0)) << 64;
}
/* All words of a port of `width` bits, from its first one. */
static inline void bu_put_port(uint32_t *to, unsigned width, bu_lanes v) {
  uint64_t low = (uint64_t)v, high = (uint64_t)(v >> 64);
  if (width <= 64) low &= ~UINT64_C(0) >> (64 - width);
  else high &= ~UINT64_C(0) >> (128 - width);
  to[0] = (uint32_t)low;
  if (width > 32) to[1] = (uint32_t)(low >> 32);
  if (width > 64) to[2] = (uint32_t)high;
  if (width > 96) to[3] = (uint32_t)(high >> 32);
}
const char *bu_wrong(struct bu_env *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

static inline enum bu_gate bu_gate_of(const struct bu_env *e, unsigned group, const struct bu_instruction *i) {
  return e->gate[e->group[group].synced][i->kind << 2 | i->pop << 1 | i->set];
}
/* Whether the ready bits of this cycle take it. */
static inline bool bu_ready(const struct bu_env *e, const uint32_t *out, const struct bu_instruction *i) {
  if (i->group >= e->l.threads) return false;
  return bu_bit(&out[e->gate_at[bu_gate_of(e, i->group, i)]], i->group);
}

/* The maps follow the group. */
static inline void bu_map(struct bu_env *e, unsigned group) {
  const struct bu_group *g = &e->group[group];
  uint32_t bit = UINT32_C(1) << group % 32, *live = &e->live[group / 32], *busy = &e->busy[group / 32];
  *live = g->live ? *live | bit : *live & ~bit;
  *busy = g->busy ? *busy | bit : *busy & ~bit;
}

/* golden.c: an instruction taken, a result, an operation taken at the port to the stack, the end of a cycle. Each group has its
 * own order. */
void bu_golden_taken(struct bu_env *e, const struct bu_instruction *i); /* mask, target, next: in bu_golden_next */
const char *bu_golden_result(struct bu_env *e, const uint32_t *out);
const char *bu_golden_operation(struct bu_env *e, const uint32_t *out);
void bu_golden_step(struct bu_env *e);
void bu_golden_reset(struct bu_env *e);

/* lanes.c: what the result means for the lanes of a group that runs a program. */
void bu_lanes_launch(struct bu_env *e, unsigned group, uint64_t seed, unsigned limit);
const char *bu_lanes_result(struct bu_env *e, const struct bu_expected *x, const uint32_t *out);

/* registers.c */
const char *bu_registers_check(struct bu_env *e, const uint32_t *in, const uint32_t *out);
void bu_registers_reset(struct bu_env *e);

/* front.c: the front end. */
bool bu_front_create(struct bu_env *e);
void bu_front_destroy(struct bu_env *e);
void bu_front_reset(struct bu_env *e, bool forget); /* forget: the saved contexts too */
void bu_front_drive(struct bu_env *e, const struct bu_choice *c, uint32_t *in);
bool bu_front_rebase(struct bu_env *e, struct bu_access *write);
const char *bu_front_observe(struct bu_env *e, const uint32_t *in, const uint32_t *out);

/* Where mask, target and next of the instruction go that is about to be taken. */
static inline struct bu_instruction *bu_golden_next(const struct bu_env *e, unsigned group) { return &e->expected[group].ins; }

/* context.c: contexts, read by docs/branch_unit_status.md and judged by the golden model. */
const char *bu_context_saved(struct bu_env *e, const uint32_t *payload, unsigned words); /* against the golden model */
bool bu_process_create(const struct bu_env *e, struct bu_process *p);
void bu_process_destroy(const struct bu_env *e, struct bu_process *p);
void bu_process_keep(struct bu_env *e, struct bu_process *p);
void bu_process_load(struct bu_env *e, const struct bu_process *p);

/* fake.c */
static inline unsigned bu_fake_gap(const struct bu_layout *l) { return l->latency < 4 ? 1 : 4; } /* between operations of a group */
void bu_fake_copy(struct bu_fake *to, const struct bu_fake *from); /* the stacks */
struct bu_fake *bu_fake_create(const struct bu_layout *l);
void bu_fake_destroy(struct bu_fake *f);
void bu_fake_restart(struct bu_fake *f);
void bu_fake_drive(struct bu_env *e, const struct bu_choice *c, uint32_t *in);
/* The clock edge. Whether an operation was taken. */
bool bu_fake_step(struct bu_env *e, const struct bu_kept *c, const uint32_t *in, const uint32_t *out);

/* stimulus.c */
extern const struct simt_named bu_profiles[];
void bu_random_restart(struct bu_env *e);
bool bu_random_choose(struct bu_env *e, struct bu_choice *c);

/* directed.c */
extern const struct simt_named bu_directed[];
bool bu_directed_create(struct bu_env *e);
void bu_directed_destroy(struct bu_env *e);
void bu_directed_restart(struct bu_env *e);
bool bu_directed_choose(struct bu_env *e, struct bu_choice *c);
const char *bu_directed_observe(struct bu_env *e, const struct bu_instruction *taken, const uint32_t *out);

/* The functions of simt_verif, for every block that contains the unit. */
void *bu_env_create(const struct simt_config *cfg, const struct simt_stimulus *stim, struct simt_diag *diag);
void bu_env_destroy(void *env);
void bu_env_restart(void *env);
bool bu_env_choose(void *env, void *choice);
void bu_env_drive(void *env, const void *choice, const uint32_t *out, uint32_t *in);
const char *bu_env_observe(void *env, const uint32_t *in, const uint32_t *out);
uint64_t bu_env_progress(const void *env, bool *busy);
const uint64_t *bu_env_coverage(const void *env);
void bu_env_explain(const void *env, const uint32_t *in, char *to, size_t room);

#endif
