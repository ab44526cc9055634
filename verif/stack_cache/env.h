/* SPDX-License-Identifier: Apache-2.0 */
/* env.h: the environment of stack_cache, shared by its parts: requester and memory (env.c), who fills the
 * choices (stimulus.c, directed.c), what must hold (golden.c, rules.c, registers.c). */
#ifndef STACK_CACHE_ENV_H
#define STACK_CACHE_ENV_H

#include <stdio.h>

#include "core/context_port.h"
#include "core/ports.h"
#include "stack_cache/cover.h"
#include "stack_cache/layout.h"
#include "core/memory.h"
#include "stack_cache/trace.h"
#include "core/unit_status.h"
#include "core/verif.h"

enum { SC_MAX_WORDS = 16, SC_HOT = 4, SC_SLOTS = 3, SC_UNIT_NUMBER = 0x2a17, SC_CTX_HEAD = 3 };

/* One cycle of decisions; each means something in any state, all zero is an idle cycle. */
enum sc_flag {
  SC_DO_OP = 1,      /* present an operation */
  SC_SEEK = 2,       /* if it would wait, the one of the next thread that does not */
  SC_HOLD = 4,       /* if it waits, present it again until it is taken */
  SC_ODD = 8,        /* the thread may be one that does not exist */
  SC_AIM = 16,       /* push or pop, whichever brings the depth to `aim` */
  SC_LET_GO = 32,    /* withdraw what is held */
  SC_DO_REG = 64,    /* a register access, unless one is under way */
  SC_REG_WRITE = 128,
  SC_RESET = 256,
  SC_TRACE = 512,    /* the operation that the replay of a trace is at */
  SC_CTX_OUT = 1024, /* a word of a saved context is taken */
  SC_CTX_IN = 2048   /* a word of a context to load is offered */
};
/* What the front end is told; ignored where it makes no sense. */
enum sc_order { SC_NO_ORDER, SC_HALT, SC_RELEASE, SC_UNIT_RESET, SC_RESUME, SC_SAVE, SC_LOAD };
enum sc_spoil { SC_GOOD, SC_FLIP, SC_CUT, SC_LONGER, SC_UNREADABLE, SC_OTHER_UNIT, SC_OTHER_TYPE, SC_OTHER_SHAPE,
                SC_OTHER_LENGTH, SC_NONSENSE, SC_SPOILS };
struct sc_choice {
  uint64_t data;     /* entry; words above the second derive from it */
  uint64_t mem;      /* for simt_memory_drive */
  uint32_t thread, aim, reg_data;
  uint32_t place;    /* where a context is spoiled */
  uint16_t reg_addr, latency, flags; /* latency of the memory; 0: as `mem` says */
  uint8_t kind, order, slot, spoil;
};

#define SC_ENV_PORTS(PORT) \
  PORT(rst, rst_i) PORT(op_valid, op_valid_i) PORT(op_kind, op_kind_i) PORT(op_thread, op_thread_i) \
  PORT(op_data, op_data_i) PORT(can_push, can_push_o) PORT(can_top, can_top_o) PORT(can_init, can_init_o) \
  PORT(ans_valid, ans_valid_o) PORT(ans_thread, ans_thread_o) PORT(ans_kind, ans_kind_o) \
  PORT(ans_status, ans_status_o) PORT(ans_data_valid, ans_data_valid_o) PORT(ans_data, ans_data_o) \
  PORT(req_valid, mem_req_valid_o) PORT(req_ready, mem_req_ready_i) PORT(req_write, mem_req_write_o) \
  PORT(req_tag, mem_req_tag_o) PORT(req_addr, mem_req_addr_o) PORT(req_data, mem_req_data_o) \
  PORT(req_strb, mem_req_strb_o) PORT(rsp_valid, mem_rsp_valid_i) PORT(rsp_ready, mem_rsp_ready_o) \
  PORT(rsp_tag, mem_rsp_tag_i) PORT(rsp_error, mem_rsp_error_i) PORT(reg_valid, reg_req_valid_i) \
  PORT(reg_ready, reg_req_ready_o) PORT(reg_write, reg_req_write_i) PORT(reg_addr, reg_req_addr_i) \
  PORT(reg_data, reg_req_data_i) PORT(reg_rsp, reg_rsp_valid_o) PORT(reg_rsp_data, reg_rsp_data_o) \
  PORT(reg_rsp_error, reg_rsp_error_o)
struct sc_env_ports {
  SC_ENV_PORTS(SIMT_PORT_FIELD)
  unsigned addr_words, strb_words, data_words; /* data_words: of an entry */
};

struct sc_operation {
  bool valid;
  uint8_t kind, status;
  unsigned thread;
  uint32_t data[SC_MAX_WORDS];
};

/* Golden: a stack without limits. */
struct sc_env_stack { uint64_t count; uint32_t *value; size_t room; };

/* SC-4, of one thread: depth, sets below `spilled` have a current remote copy, sets from `lowest` are on
 * chip, `wanted` restores are under way for the sets below it; `held`: the lower one has arrived.
 * `clean` is `spilled` in entries, for FLAGS per_entry. */
struct sc_pointers { uint64_t count, spilled, lowest, clean; uint8_t wanted; bool held, fault; };

/* A can-go bit is 0: since when, by the block's own time and by memory's with the thread's accesses. */
struct sc_waiting { bool on; uint64_t since, busy; };

struct sc_env_thread {
  struct sc_pointers at;   /* two cycles ago */
  uint64_t depth, deepest; /* depth: after every operation taken */
  uint64_t init_end;       /* accesses first seen before this cycle are older than the last init */
  unsigned burst;          /* at most so many sets left of a burst */
  unsigned under_way;      /* accesses */
  bool perhaps;            /* the set below may have been restored from the kept one (FORWARD), unseen */
  uint64_t perhaps_set, perhaps_since;
  bool fault;              /* as an operation taken now sees it */
  uint8_t last;            /* 1 + kind of the operation taken last, 128: since then a set was read out */
  bool may_drain;          /* an init, and no access begun since */
  unsigned begun;          /* requests of a flush that were begun before a fault was seen, at most */
  struct sc_waiting wait[2];  /* for a push; for a pop, peek or replace-top */
  uint64_t busy, busy_from; /* memory's time with accesses of this thread; since when, if any are under way */
};

struct sc_env_access { bool under_way, write, dropped, flush; uint64_t set, seen; }; /* flush: begun by one */
/* An error of a flush, which is recorded three cycles after its answer. */
struct sc_late_error { bool valid, write; unsigned thread; uint32_t error; uint64_t set, due; };
struct sc_env_answer { bool valid, write, error, old; unsigned thread, tag; uint64_t set; };

/* What the registers hold, and the access under way. */
struct sc_registers {
  uint64_t base, limit, effective;
  unsigned stride_lg, thread, spill_over, spill_burst, restore_free;
  unsigned old_over, old_burst, old_free; /* thresholds before the last change */
  uint64_t settled, limit_settled;        /* until this cycle the old ones, the old limit may still be seen */
  unsigned walks;                        /* cycles of the walk behind a new limit; an init takes its own */
  uint32_t error, error_set, error_count;
  uint64_t last_error, last_fault;        /* cycles */
  uint64_t flushed;                       /* cycle in which a set of a flush was offered: it is counted in the next */
  uint64_t counter[SC_COUNTERS], least[SC_COUNTERS]; /* where not exact: between the two */
  uint64_t restored; /* when a restore from the kept set was last known of: a bit may show it before the counter does */
  bool busy, write;
  uint32_t addr, data;
  unsigned under_way;                     /* accesses that memory had taken and not answered when this one was accepted */
  bool shown, loading;                    /* a request was offered, a context came in, at some time since */
  uint64_t accepted, free, cleared;       /* free: cycles since then that left the engine a write port */
  uint64_t lo[SC_COUNTERS], hi[SC_COUNTERS];
};

/* A saved context, and what the golden model had then. */
struct sc_process {
  bool valid;
  uint32_t *words;
  unsigned n;
  struct sc_env_stack *stack;
};

/* The front end: halts, moves contexts. */
struct sc_front {
  bool level, offered;     /* cmd_halt_i; a save or load is offered and not taken */
  enum { SC_FRONT_IDLE, SC_FRONT_SAVING, SC_FRONT_LOADING } doing;
  unsigned slot, fresh;    /* fresh: 1 + the slot that was just loaded, while nothing has changed since */
  uint32_t *stream;        /* of the save or load under way; room for the longest and a little more */
  unsigned at, n, found;
  uint64_t moved;          /* words */
  unsigned expected;       /* how the load must end */
  bool in_payload;
  struct sc_process process[SC_SLOTS];
};

/* What the ports say about the unit's status. */
struct sc_env_unit {
  enum simt_unit_state state, last;
  bool halt_req, ctx_reset, resume;      /* of this cycle: what came in the one before */
  bool was_halt, was_reset, was_resume;  /* of the last cycle; was_resume: one that acts */
  bool was_halt_before;                  /* the same, still the last one after status_before */
  bool flush_on_halt, halt_flushes;      /* as CONTROL has it; since the request */
  bool nack, nacked;                     /* an error is recorded; in this cycle */
  uint64_t halt_from, last_answer;       /* cycles: of the halt request; of the last memory answer */
  bool flush, clearing;                  /* may be under way */
  uint64_t flush_from, flush_asked, clear_from, settled, clean_from; /* flush_asked: for the last time */
  bool quiet[4], may_flush[4];           /* by cycle: no access may begin; but those of a flush may */
  struct { bool taken, refused, worked, answer, done, nack, blocked, pending, offered, moved; } before; /* in the last cycle */
};

struct sc_script;

struct sc_env {
  const struct simt_config *cfg;
  struct sc_layout l;
  struct sc_env_ports at;
  struct simt_stimulus stim;
  struct simt_memory *memory;
  struct simt_status_ports status_at;
  struct simt_context_ports ctx_at;
  char message[240];
  uint64_t cycle, reset_end; /* cycle: since restart; reset_end: the first cycle out of reset */
  unsigned set_mask;

  /* requester */
  struct sc_operation held, next; /* next: presented in this cycle */
  struct { bool valid, write; uint32_t addr, data; } reg;
  uint64_t answered;
  struct { bool valid; uint8_t kind; unsigned thread; } waited; /* presented last, and not taken */
  unsigned streak;           /* cycles in a row with an operation taken */

  /* golden */
  struct sc_env_stack *stack;
  struct sc_env_thread *thread;
  struct sc_operation ring[4];
  struct sc_env_answer answer[4];
  struct sc_late_error late;
  struct sc_env_access *access;  /* by tag */
  struct sc_registers regs;
  struct sc_env_unit unit;
  struct sc_front front;
  struct { bool live; unsigned thread; uint64_t set; } kept; /* FORWARD: the set that can be restored from on chip */
  unsigned perhaps;          /* threads with `perhaps` */
  uint64_t not_empty;        /* stacks */
  bool offered;              /* a request was offered and not taken in the last cycle */
  unsigned under_way;
  uint64_t newest;           /* when the newest request answered so far was first seen */
  unsigned answer_waits;     /* cycles that the answer now offered has waited */

  /* can-go bits as they must be, and what is known about those that are not */
  unsigned words;
  uint32_t *push, *top, *stale, *seen_push, *seen_top;
  unsigned push_zeros, top_zeros;
  uint64_t last_steal, last_zero, window_end;
  uint64_t own_time, mem_time; /* cycles without those of a halt or a stalled request; of these, with no answer held */
  uint64_t longest_wait;
  unsigned longest_waiter;   /* thread */
  struct { bool push, top; unsigned thread; } early; /* bits that the last cycle showed before their reason could be seen */
  bool all_bits;             /* the limit has changed: every bit is to be computed again */
  bool some_zero;            /* some can-go bit is 0 (steals apart) */
  enum { SC_CLEAR, SC_STOLEN, SC_UNSURE, SC_SHUT } gate; /* why the bits of this cycle differ */

  /* who fills the choices */
  struct simt_rng rng;
  uint64_t chosen, phase_end, segment_end; /* cycles */
  unsigned profile, quiesce, turn;         /* quiesce: cycles left of emptying all stacks */
  struct {
    unsigned hot[SC_HOT], n_hot, push, slow;
    bool aims;
    uint32_t aim[2];                       /* depths, one after the other for `swing` cycles each */
    uint64_t swing, swing_left;
    unsigned aimed;                        /* which of the two */
    uint8_t hog;                           /* 1 + the only kind of the phase */
    uint8_t often;                         /* what is rare in the profile and is not in the phase: enum often */
  } phase;
  struct sc_script *script;
  struct sc_trace *trace;
  struct sc_replay *replay;

  uint64_t cover[SC_COVERS], coverage[SC_COVERS];
};

static inline void sc_cover_if(struct sc_env *e, enum sc_cover point, bool hit) { e->cover[point] += hit; }
static inline uint32_t sc_bit(const uint32_t *w, unsigned i) { return w[i / 32] >> (i % 32) & 1; }
static inline uint64_t sc_sets(const struct sc_env *e, uint64_t entries) { /* that hold so many */
  return (entries + e->set_mask) >> e->l.set_lg;
}
static inline uint64_t sc_least(uint64_t a, uint64_t b) { return a < b ? a : b; }
const char *sc_wrong(struct sc_env *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

extern const struct simt_block simt_block_stack_cache;

/* golden.c: what an operation means; the operation taken three cycles ago is done, and is answered now. */
const char *sc_golden_answer(struct sc_env *e, const uint32_t *out);
/* The status of an operation taken now; keeps the depth. */
enum sc_status sc_golden_take(struct sc_env *e, unsigned thread, enum sc_kind kind);
void sc_golden_reset(struct sc_env *e);
uint32_t *sc_golden_entry(struct sc_env *e, struct sc_env_stack *s, uint64_t i); /* makes room for it */

/* rules.c: what must hold at the ports, per cycle in this order. */
void sc_advance(const struct sc_env *e, struct sc_pointers *p, enum sc_kind kind);
const char *sc_rules_before(struct sc_env *e, const uint32_t *out); /* requests, answers, can-go bits */
void sc_rules_operation(struct sc_env *e, struct sc_operation *op, bool valid, bool taken);
void sc_rules_reset(struct sc_env *e);
void sc_rules_clear(struct sc_env *e); /* the unit was reset: no stack holds anything */
void sc_rules_load(struct sc_env *e, unsigned thread, const struct sc_pointers *at, unsigned burst);
bool sc_it_was_kept(struct sc_env *e, unsigned thread);
bool sc_restore_due(const struct sc_env *e, const struct sc_pointers *p);
void sc_compute_bits(struct sc_env *e, unsigned thread); /* the can-go bits of a thread as they must be */

/* requests.c: its memory side. A request that is offered for the first time; an answer, two cycles after it was
 * taken; what the memory port shows, after sc_rules_before. */
const char *sc_check_request(struct sc_env *e, const uint32_t *out);
void sc_finish_answer(struct sc_env *e, const struct sc_env_answer *a);
const char *sc_rules_memory(struct sc_env *e, const uint32_t *in, const uint32_t *out);
/* The bytes of a set as memory must hold them; how many of them belong to entries. */
unsigned sc_golden_set(const struct sc_env *e, unsigned thread, uint64_t set, uint8_t *to);

/* status.c: halt, flush and reset at the ports; `before` the rules, which ask whether the unit is closed. */
const char *sc_status_before(struct sc_env *e, const uint32_t *out);
bool sc_status_closed(struct sc_env *e, const uint32_t *out, const char **wrong);
const char *sc_status_request(struct sc_env *e, bool write); /* of an access that begins */
bool sc_status_flushes(const struct sc_env *e); /* an access that begins may be that of a flush */
bool sc_status_drops(struct sc_env *e); /* an answer that is an error: whether it is from before a reset of the unit */
void sc_status_nack(struct sc_env *e);  /* a memory error is recorded */
void sc_status_no_nack(struct sc_env *e); /* it is cleared by a write */
void sc_status_after(struct sc_env *e, const uint32_t *in, const uint32_t *out, bool taken);
void sc_status_reset(struct sc_env *e);
void sc_status_clear(struct sc_env *e); /* a reset or a load that was refused begins to clear */

/* front.c: the front end; context.c: contexts, read and judged without the model. */
bool sc_front_create(struct sc_env *e);
void sc_front_destroy(struct sc_env *e);
void sc_front_reset(struct sc_env *e, bool forget); /* forget: the saved contexts too */
void sc_front_drive(struct sc_env *e, const struct sc_choice *c, uint32_t *in);
const char *sc_front_observe(struct sc_env *e, const uint32_t *in, const uint32_t *out);
const char *sc_context_saved(struct sc_env *e);  /* front.stream against the golden model */
void sc_context_loaded(struct sc_env *e, const struct sc_process *p); /* the golden model follows */
void sc_context_keep(struct sc_env *e, struct sc_process *p);         /* front.stream and the golden model */
void sc_context_move(struct sc_env *e); /* memory holds again what it must, after a change of base or stride */
unsigned sc_context_judge(const struct sc_env *e, const uint32_t *w, unsigned n, unsigned found, bool *payload);

/* registers.c: what the register port must answer; `before` the operation of three cycles ago is done, and
 * after the operation and the memory of this cycle. */
const char *sc_registers_before(struct sc_env *e, const uint32_t *in, const uint32_t *out);
const char *sc_registers_after(struct sc_env *e, const uint32_t *in, const uint32_t *out);
void sc_registers_reset(struct sc_env *e);
void sc_registers_limit(struct sc_env *e); /* the effective limit is what it must be */

/* stimulus.c, directed.c: fill the choice of a cycle; false when the stimulus has ended. */
extern const struct simt_named sc_profiles[], sc_directed[];
void sc_random_restart(struct sc_env *e);
bool sc_random_choose(struct sc_env *e, struct sc_choice *c);
bool sc_directed_create(struct sc_env *e);
void sc_directed_destroy(struct sc_env *e);
void sc_directed_restart(struct sc_env *e);
bool sc_directed_choose(struct sc_env *e, struct sc_choice *c);
/* The expectations of a script, after the golden model had its say; `taken`: the operation, or NULL. */
const char *sc_directed_observe(struct sc_env *e, const struct sc_operation *taken, const uint32_t *out);

#endif
