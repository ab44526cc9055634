/* SPDX-License-Identifier: Apache-2.0 */
/* env.h: the environment of stack_cache, shared by its parts: requester and memory (env.c), who fills the choices
 * (stimulus.c, directed.c), what operations mean (golden.c), what must hold at the ports (rules.c, requests.c,
 * registers.c, context.c), the front end (front.c). Nothing here knows in which cycle the engine does something: the rules are those of the
 * specification, and bounds that the design page states. */
#ifndef STACK_CACHE_ENV_H
#define STACK_CACHE_ENV_H

#include <stdio.h>

#include "core/memory.h"
#include "core/ports.h"
#include "core/unit_front.h"
#include "core/verif.h"
#include "stack_cache/beats.h"
#include "stack_cache/cover.h"

enum stk_kind { STK_PUSH, STK_POP, STK_PEEK, STK_REPLACE, STK_INIT, STK_KINDS };
enum stk_status { STK_OK, STK_OVERFLOW, STK_UNDERFLOW, STK_FAULT };
enum stk_reg {
  STK_REG_ID = 0x000, STK_REG_STATUS = 0x004, STK_REG_BASE_LO = 0x008, STK_REG_BASE_HI = 0x00c, STK_REG_STRIDE_LG = 0x010,
  STK_REG_LIMIT = 0x014, STK_REG_SPILL_OVER = 0x018, STK_REG_SPILL_BURST = 0x01c, STK_REG_RESTORE_FREE = 0x020, STK_REG_THREAD = 0x024,
  STK_REG_DEPTH = 0x028, STK_REG_HALT_FLUSH = 0x02c, STK_REG_ERROR = 0x030,
  STK_REG_ERROR_SET = 0x034, STK_REG_ERROR_COUNT = 0x038, STK_REG_COUNTER_CLEAR = 0x03c, STK_REG_CONTROL = 0x040, STK_REG_DEEPEST_OF = 0x044,
  STK_REG_COUNTER = 0x100, STK_REG_ADDR_W = 10
};
enum stk_counter {
  STK_N_PUSH, STK_N_POP, STK_N_SPILL, STK_N_RESTORE, STK_N_DROP, STK_N_CLEAN_POP, STK_N_DEEPEST,
  STK_N_WAIT_OWN, STK_N_WAIT_RESTORE, STK_N_WAIT_DIRTY, STK_N_WAIT_ENGINE, STK_N_WAIT_HALT, STK_COUNTERS
};
enum { STK_MAX_WORDS = 16, STK_HOT = 4, STK_RING = 8, STK_LOG = 128, STK_MAX_SET_BYTES = 1024, STK_SLOTS = 3, STK_MAX_THREADS = 1024 };

/* One cycle of decisions; each means something in any state, all zero is an idle cycle. */
enum stk_flag {
  STK_DO_OP = 1,      /* present an operation */
  STK_SEEK = 2,       /* if it would wait, the one of the next thread that does not */
  STK_HOLD = 4,       /* if it waits, present it again until it is taken */
  STK_ODD = 8,        /* the thread may be one that does not exist */
  STK_AIM = 16,       /* push or pop, whichever brings the depth to `aim` */
  STK_LET_GO = 32,    /* withdraw what is held */
  STK_DO_REG = 64,    /* a register access, unless one is under way */
  STK_REG_WRITE = 128,
  STK_RESET = 256,
  STK_CTX_OUT = 512,  /* a word of a saved context is taken */
  STK_CTX_IN = 1024,  /* a word of a context to load is offered */
  STK_TRACE = 2048    /* the operation that the replay of a trace is at */
};
struct stk_choice {
  uint64_t data;     /* entry; words above the second derive from it */
  uint64_t mem;      /* for simt_memory_drive */
  uint32_t thread, aim, reg_data;
  uint32_t place;    /* where a context is spoiled */
  uint16_t reg_addr, latency, flags; /* latency of the memory; 0: as `mem` says */
  uint8_t kind;
  uint8_t order, slot, spoil; /* for the front end: enum simt_order, enum simt_spoil */
};

#define STK_PORTS(PORT) \
  PORT(rst, rst_i) PORT(op_valid, op_valid_i) PORT(op_kind, op_kind_i) PORT(op_thread, op_thread_i) \
  PORT(op_data, op_data_i) PORT(can_push, can_push_o) PORT(can_top, can_top_o) PORT(can_go, can_go_o) \
  PORT(ans_valid, ans_valid_o) PORT(ans_thread, ans_thread_o) PORT(ans_kind, ans_kind_o) \
  PORT(ans_status, ans_status_o) PORT(ans_data_valid, ans_data_valid_o) PORT(ans_data, ans_data_o)
SIMT_PORTS(stk_ports, STK_PORTS)

/* The configuration as the specification has it: widths and limits are computed here once more. */
struct stk_shape {
  unsigned threads, entry_w, entries, set, policy, flags, counters, inflight, steal, addr_w, out_reg, status;
  uint64_t max_depth;
  unsigned nsets, thread_w, set_lg, set_mask, entry_bytes, entry_bytes_lg, set_bytes, set_bytes_lg, beats, stride_max;
  unsigned latency, gap;        /* as the datasheet states them */
  unsigned hold, hold_lost;     /* and these, of which SC-9 says how much they may be */
  unsigned wait;                /* bounds that the design page states, in cycles: bounds in env.c */
  unsigned fault_within, limit_within, stride_within, clear_within, reg_within, decides_within;
  unsigned calm;                /* cycles after which nothing is on its way inside */
};

struct stk_operation {
  bool valid;
  uint8_t kind;
  unsigned thread;
  uint64_t taken;                    /* cycle */
  bool fault_must, fault_may;        /* as was known when it was taken */
  bool waited;                       /* it was presented before and not taken */
  uint32_t data[STK_MAX_WORDS];
};

/* What an operation changed, so that what was before it can be seen again: a set that memory gets was taken out of
 * storage some time before its write is offered. */
struct stk_change {
  uint64_t cycle, count, index;  /* count: entries before; index: entry changed, or UINT64_MAX */
  uint64_t clean, clean_most;    /* before */
  uint8_t kind;
  unsigned burst;
  uint32_t old[STK_MAX_WORDS];
};

/* A can-go bit is 0: since when, by the block's own time and by memory's with the thread's accesses. */
struct stk_wait { bool on; uint64_t since, busy, cycle, ops; };

struct stk_thread {
  uint64_t count;               /* golden: entries, of the operations that were answered */
  uint32_t *value;
  size_t room;                  /* of `value`, in entries */
  uint64_t depth;               /* after every operation taken */
  uint64_t last;                /* cycle in which its last operation was taken */
  bool ever;
  unsigned in_pipe;             /* operations taken and not answered */

  uint64_t clean, clean_most;   /* SC-4: sets below are clean, as far as writes and operations have shown: at least, at most */
  uint64_t clean_entries;       /* entries below are clean, at least (FLAGS per_entry) */
  uint64_t sure_clean;          /* the same, with what a push into a slot says of the set that was there */
  uint64_t lowest;              /* sets from here on are on chip, as far as operations and answers have shown */
  uint64_t sure_lowest;         /* as far as operations alone have shown */
  unsigned burst;               /* at most so many sets left of a burst */
  struct stk_change log[STK_LOG];
  unsigned n_log;               /* ever, modulo 2^32 */

  bool fault;                   /* certain */
  bool maybe, sure;             /* an error's answer was taken: faulted by `due` at the latest; sure: it must be */
  uint64_t due;
  uint64_t init;                /* cycle of its last init, of a reset, or 0 */
  bool emptied;                 /* by that init: what was issued before may still come */

  struct stk_deepest {          /* since a clear: at least, at most; the former before a push moved it, and when one did last */
    uint64_t lo, hi, before, moved;
  } deepest;

  unsigned under_way;           /* accesses at memory */
  int first;                    /* of them, a list by tag; -1: none */
  uint64_t busy, busy_from;     /* memory's time with accesses of this thread; since when, if any are under way */
  struct stk_wait wait[2];      /* for a push; for a pop, peek or replace-top */
  bool was_push, was_top;       /* its bits in the last cycle */
  uint64_t held;                /* the engine holds it: since this cycle, or 0 */
};

struct stk_access { bool under_way, write, dropped, perhaps, old, unsure, before; unsigned thread; uint64_t set, seen; int next; };

struct stk_registers {
  uint64_t base, limit, effective, least_limit, most_limit, limit_acts; /* until limit_acts an old limit may hold */
  unsigned stride_lg, thread, halt_flush;
  struct stk_thresholds { unsigned over, burst, free; } now, old; /* old: what a spill or restore may still go by, for a while */
  uint64_t settled;                                       /* cycle of their last change */
  uint32_t error, error_set, error_count;
  uint64_t last_error, last_fault;                        /* cycles */
  bool vague;                                             /* an error came so near a clear that either may be first */
  bool busy, write, halted, closed, clears;               /* of an access; halted, under a halt when it executes; a reset of the unit meanwhile */
  uint32_t addr, data;
  uint64_t accepted;
  uint64_t lo[STK_COUNTERS], hi[STK_COUNTERS];            /* events so far: at least, at most */
  uint64_t recent[2][STK_COUNTERS];                       /* `lo` of some cycles ago, older one first */
  uint64_t base_lo[STK_COUNTERS], base_hi[STK_COUNTERS];  /* what a clear takes off: at least, at most */
  uint64_t cleared;
  uint64_t seen_lo[STK_COUNTERS];                         /* of the access under way */
};

/* The unit and its front end (STATUS), as the ports have shown them. */
struct stk_front {
  struct simt_front shell;
  struct simt_front_unit unit;
  bool clears;             /* a reset of the unit, or a load that was refused, is perhaps not over */
  bool refused;            /* the latter */
  bool flush;              /* a flush may be under way */
  bool ordered;            /* it was ordered by a write of CONTROL */
  unsigned modes;          /* of the halt under way: bit 0: it may be one without a flush, bit 1: one with it */
  unsigned last_modes;     /* of the last halt, under way or not */
  enum { STK_EITHER, STK_FULL, STK_BARE } form; /* of the context: with entries, or without */
  bool nacked;             /* nack_o of the last cycle */
  unsigned own;            /* cycles of this halt in which the unit waits for nobody */
  unsigned still;          /* cycles without a word of the save or load under way */
  uint64_t moved;          /* words, when it was looked at last */
  uint64_t cleared;        /* cycle of the last reset of the unit, or later with accesses under way */
  uint64_t flush_from, flush_spent, flush_most; /* cycle in which the flush began; cycles counted, and their bound (context.c) */
};

/* A flush, for its bound (SC-13): accesses from before it, or in hand when it began; cycles since the last of them is answered;
 * longest time that an access took; errors. */
struct stk_flush { uint64_t begin, last, spent, idle, most, latency, errors; unsigned before, in_hand; };
struct stk_kept; /* context.c: what a stack held when it was saved */
struct stk_script;

struct stk_env {
  const struct simt_config *cfg;
  struct stk_shape s;
  struct stk_ports at;
  struct simt_mem_ports mem;
  struct simt_reg_ports reg_at;
  unsigned addr_words, data_words, entry_words;
  struct simt_stimulus stim;
  struct stk_port port;
  struct simt_memory *memory;   /* behind the port */
  char message[280];
  uint64_t cycle, reset_end; /* cycle: since restart; reset_end: the first cycle out of reset */

  /* requester */
  struct stk_operation pending, next; /* next: presented in this cycle */
  struct { bool valid, write; uint32_t addr, data; } reg;
  uint64_t answered, ops;             /* ops: taken */
  struct { bool valid; uint8_t kind; unsigned thread; } waited; /* presented last, and not taken */
  unsigned streak;

  struct stk_front front;
  struct stk_flush flushing;
  struct stk_kept *kept;                 /* by slot and thread */
  uint32_t *slot;                        /* saved words of registers */
  bool full[STK_SLOTS];                  /* saved with entries */
  bool shut;                             /* operations may be shut out: a halt, a flush, a reset, a context */
  uint64_t shut_from, shut_last;         /* cycles */
  unsigned shut_reads;                   /* begun since then */

  /* golden model and rules */
  struct stk_thread *thread;
  struct stk_operation ring[STK_RING];   /* by the cycle in which it was taken */
  struct stk_access *access;             /* by tag */
  unsigned n_tags;
  struct stk_registers regs;
  uint64_t not_empty, empty_last;        /* stacks; the last cycle in which there was none */
  unsigned under_way;
  uint64_t newest;
  bool offered;                          /* a request was offered and not taken in the last cycle */
  uint64_t quiet_from;                   /* first cycle of those, up to now, without a request */
  uint64_t last_refused;                 /* cycle in which an operation was presented and not taken */
  uint64_t last_answer;                  /* of memory */
  uint64_t quiet_last;                   /* all that was taken out of storage before was offered: the queue was empty */
  uint64_t own_time, mem_time;           /* cycles of the block alone; of these, with no answer waiting */
  uint32_t seen_push[32], seen_top[32];    /* the bits of the last cycle */
  bool opened;                           /* can_go_o was 1 since the reset */
  uint64_t last_steal, steals;
  uint64_t op_cycle[256];                /* cycles in which the last operations were taken, by e->ops modulo 256 */

  /* who fills the choices */
  struct simt_rng rng;
  uint64_t chosen, phase_end, segment_end; /* cycles */
  unsigned profile, quiesce, turn;         /* quiesce: cycles left of emptying all stacks */
  struct {
    unsigned hot[STK_HOT], n_hot, push, slow;
    bool aims;
    uint32_t aim[2];                       /* depths, one after the other for `swing` cycles each */
    uint64_t swing, swing_left;
    unsigned aimed;                        /* which of the two */
    uint8_t hog;                           /* 1 + the only kind of the phase */
    uint8_t often;                         /* what is rare in the profile and is not in the phase */
  } phase;
  struct stk_script *script;
  struct sc_trace *trace;
  struct sc_replay *replay;

  uint64_t cover[SC_COVERS], coverage[SC_COVERS];
};

static inline void stk_cover_if(struct stk_env *e, enum sc_cover point, bool hit) { e->cover[point] += hit; }
static inline bool stk_bit(const uint32_t *w, unsigned i) { return w[i / 32] >> (i % 32) & 1; }
static inline uint64_t stk_sets(const struct stk_env *e, uint64_t entries) { /* that hold so many */
  return (entries + e->s.set_mask) >> e->s.set_lg;
}
static inline uint64_t stk_least(uint64_t a, uint64_t b) { return a < b ? a : b; }
static inline uint64_t stk_most(uint64_t a, uint64_t b) { return a > b ? a : b; }
/* Of the halt under way, or one that would begin now: it does not flush, for certain. */
static inline bool stk_keeps(const struct stk_env *e) { return e->front.modes == 1; }
/* Whether the operation would be taken in this cycle. */
static inline bool stk_goes(const struct stk_env *e, const uint32_t *out, unsigned kind, unsigned thread) {
  if (kind >= STK_KINDS || thread >= e->s.threads || !out[e->at.can_go]) return false;
  bool push = stk_bit(&out[e->at.can_push], thread), top = stk_bit(&out[e->at.can_top], thread);
  return kind == STK_INIT ? push || top : kind == STK_PUSH ? push : top;
}
const char *stk_wrong(struct stk_env *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* golden.c: what an operation means. `answer`: that of this cycle; `take`: one is taken. */
const char *stk_golden_answer(struct stk_env *e, const uint32_t *out);
void stk_golden_take(struct stk_env *e, struct stk_operation *op);
void stk_golden_reset(struct stk_env *e);
uint32_t *stk_golden_entry(struct stk_env *e, struct stk_thread *t, uint64_t i); /* makes room for it */
/* The bytes of a set as memory must hold them; how many of them belong to entries. */
unsigned stk_golden_set(const struct stk_env *e, const struct stk_thread *t, uint64_t set, uint8_t *to);
/* The sets that an operation leaves clean at most, of those clean before. */
uint64_t stk_clean_after(const struct stk_env *e, const struct stk_change *c, uint64_t clean);

uint64_t stk_clean_entries_after(const struct stk_env *e, const struct stk_change *c, uint64_t entries);

/* rules.c: can-go bits, waits, holds, cycles that the engine takes. */
const char *stk_rules_bits(struct stk_env *e, const uint32_t *out);
const char *stk_rules_operation(struct stk_env *e, const struct stk_operation *op, bool valid, bool taken, const uint32_t *out);
void stk_rules_reset(struct stk_env *e);

/* requests.c: its memory side: which sets move, when, and with what content. */
const char *stk_requests(struct stk_env *e, const uint32_t *in, const uint32_t *out);
void stk_requests_reset(struct stk_env *e);
void stk_requests_init(struct stk_env *e, unsigned thread); /* what is under way is older than an init */
uint64_t stk_address(const struct stk_env *e, unsigned thread, uint64_t set);

/* registers.c: what the register port must answer. */
const char *stk_registers(struct stk_env *e, const uint32_t *in, const uint32_t *out);
void stk_registers_reset(struct stk_env *e);
void stk_registers_error(struct stk_env *e, unsigned thread, bool write, uint32_t code, uint64_t set);
void stk_event(struct stk_env *e, enum stk_counter i, uint64_t least, uint64_t most);
void stk_registers_limit(struct stk_env *e); /* base, stride and limit came with a context */
void stk_registers_deepest(struct stk_env *e, struct stk_thread *t); /* a push was ok */
bool stk_quiet(const struct stk_env *e, unsigned cycles); /* nothing is in the pipeline, the queue or at memory, for so long */

/* front.c: the front end, and the unit at its ports; with STATUS none nothing of it. */
bool stk_front_create(struct stk_env *e);
void stk_front_destroy(struct stk_env *e);
void stk_front_restart(struct stk_env *e); /* behind a reset too, the saved contexts are there */
void stk_front_forget(struct stk_env *e);  /* a new run */
void stk_front_drive(struct stk_env *e, const struct stk_choice *c, uint32_t *in);
bool stk_front_keeps_registers(const struct stk_env *e); /* none is written in this cycle */
const char *stk_front_observe(struct stk_env *e, const uint32_t *in, const uint32_t *out); /* before the other rules */
void stk_front_step(struct stk_env *e, const uint32_t *in);
/* No operation is taken in this cycle: halt, reset; or perhaps: a flush, the end of a reset that the ports do not show. */
static inline bool stk_front_shut(const struct stk_env *e) { return e->s.status && simt_front_closed(&e->front.shell); }
static inline bool stk_front_may_be_shut(const struct stk_env *e) { return stk_front_shut(e) || e->front.clears || e->front.flush; }

static inline bool stk_shut(const struct stk_env *e) { return e->s.status && stk_front_may_be_shut(e); }
static inline bool stk_flushes(const struct stk_env *e) { return e->s.status && e->front.flush; }

/* context.c: contexts judged by the golden model, which is kept by slots; what a reset or a flush leaves. */
bool stk_context_create(struct stk_env *e);
void stk_context_destroy(struct stk_env *e);
const char *stk_context_saved(struct stk_env *e, unsigned slot, const uint32_t *payload, unsigned words); /* kept for the slot if good */
unsigned stk_context_words(const struct stk_env *e, bool full); /* with the entries, or without */
void stk_context_loaded(struct stk_env *e, unsigned slot);
void stk_context_nonsense(const void *env, uint32_t *payload, uint32_t place);
void stk_context_clear(struct stk_env *e);   /* a reset of the unit begins (also behind a refused load): answers due are dropped */
void stk_context_cleared(struct stk_env *e); /* it is over: all stacks are empty, nothing is under way */
void stk_context_flush(struct stk_env *e);   /* a flush begins, or will */
const char *stk_context_flushes(struct stk_env *e, bool stalled); /* goes on; stalled: a request waits for memory */
const char *stk_context_flushed(struct stk_env *e); /* a flush is over: what is wrong, or NULL */
void stk_context_moved(struct stk_env *e);   /* BASE or STRIDE_LG is another one while halted: so is the memory behind it */

/* stimulus.c, directed.c: fill the choice of a cycle; false when the stimulus has ended. */
extern const struct simt_named stk_profiles[], stk_directed[];
void stk_random_restart(struct stk_env *e);
bool stk_random_choose(struct stk_env *e, struct stk_choice *c);
bool stk_directed_create(struct stk_env *e);
void stk_directed_destroy(struct stk_env *e);
void stk_directed_restart(struct stk_env *e);
bool stk_directed_choose(struct stk_env *e, struct stk_choice *c);
/* The expectations of a script, after the golden model had its say; `taken`: the operation, or NULL. */
const char *stk_directed_observe(struct stk_env *e, const struct stk_operation *taken, const uint32_t *out);

#endif
