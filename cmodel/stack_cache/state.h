/* SPDX-License-Identifier: Apache-2.0 */
/* state.h: the registers of the stack_cache model; names are those of docs/stack_cache_design.md. */
#ifndef STACK_CACHE_STATE_H
#define STACK_CACHE_STATE_H

#include "core/ports.h"
#include "core/unit_shell.h"
#include "stack_cache/model.h"

#include <string.h>

#define SC_PORTS(PORT) \
  PORT(rst_i, rst_i) PORT(op_valid_i, op_valid_i) PORT(op_kind_i, op_kind_i) PORT(op_thread_i, op_thread_i) \
  PORT(op_data_i, op_data_i) PORT(can_push_o, can_push_o) PORT(can_top_o, can_top_o) PORT(can_go_o, can_go_o) \
  PORT(ans_valid_o, ans_valid_o) PORT(ans_thread_o, ans_thread_o) PORT(ans_kind_o, ans_kind_o) \
  PORT(ans_status_o, ans_status_o) PORT(ans_data_valid_o, ans_data_valid_o) PORT(ans_data_o, ans_data_o)
SIMT_PORTS(sc_ports, SC_PORTS)

struct sc_thread { /* the XOR of O and E, and what LOG and ACK say of its accesses */
  uint32_t count;
  uint16_t nd, nv; /* dirty sets, valid sets */
  uint8_t off;     /* FLAGS per_entry: clean entries of set S */
  bool held;       /* set L-2 has come before L-1 */
  bool drain;      /* accesses from before an init may be under way */
  bool fault;
  uint64_t pend;   /* classes with an access under way */
  uint32_t burst;  /* BURST: sets left of a burst of spills */
};

struct sc_access { bool write; uint32_t set; }; /* LOG, by tag */

struct sc_op { bool valid; bool flip; /* a drain ended behind its A */ uint8_t kind; unsigned thread; };
enum { SC_MOVES_S = 1, SC_MOVES_L = 2, SC_BEGINS = 4 }; /* begins: an init, or a push that began a set */
struct sc_done { /* in C, and at the answer port */
  bool valid, has_data;
  bool push, top, hint;      /* what its thread may do; it names its thread to the looker */
  uint8_t moves;             /* what it moved: S, L */
  uint8_t kind, status;
  unsigned thread;
};

enum sc_look_state { SC_P, SC_A, SC_L, SC_E, SC_V, SC_M, SC_N };
enum sc_look_kind { SC_DEPTH, SC_ANSWER, SC_HINT, SC_SCAN };
struct sc_look {
  enum sc_look_state state;
  enum sc_look_kind kind;
  bool second, spill, rest, due2, full, by, free, bad; /* by: the threshold asks for the spill; bad: y_bad in M */
  bool dirty, one;                                     /* of a flush's look */
  bool last_ans, reserved;
  uint8_t moved;
  unsigned thread, scan, cls;
  unsigned kept, h[2], hints; /* hints kept, the older first; picked in a row */
  struct sc_thread at; /* the thread as read in A; of pend nothing is used */
  int32_t y;
};

enum sc_move_state { SC_IDLE, SC_K, SC_K1, SC_K2, SC_MA, SC_ML, SC_F, SC_X, SC_Z };
enum sc_move_kind { SC_SPILL, SC_RESTORE, SC_NOTHING, SC_STORE1, SC_STORE2, SC_FAULTS }; /* nothing: a load holds its thread */
struct sc_move {
  enum sc_move_state state;
  enum sc_move_kind kind;
  bool does; /* from F on: what it came for is done */
  bool flushes;     /* of a spill from F on: it is one of a flush */
  unsigned entries; /* behind F of a spill: of the set, those that the stack has */
  bool by;
  uint32_t burst; /* by, burst: as in the look */
  unsigned beat;  /* in F of a spill: entries read */
  uint8_t moved;
  unsigned thread;
  int32_t set;
};

enum sc_answer_state { SC_Y0, SC_Y1, SC_Y2, SC_Y3, SC_YF };
struct sc_answer {
  enum sc_answer_state state;
  bool taken, write, error;
  bool first, bad, begun; /* of a read in beats: its first look; y_bad; an operation in C makes it so in this cycle */
  unsigned beat, tag, code;
  int32_t set;
};

struct sc_registers {
  unsigned phase;                /* of the access under way: cycles since it was accepted; 0: none */
  bool write, waits, asked;      /* of a depth read: it waits for the looker; it has it */
  bool may_move, good;           /* BASE and STRIDE_LG may be written; the access is not refused */
  uint32_t addr, data, result, counter_hi;
  bool rsp_valid, rsp_error;
  uint64_t base;
  unsigned stride_lg, stride_was[3]; /* of this cycle, one to three cycles ago */
  uint64_t limit, limit_was, limit_q; /* LIMIT of this cycle, one cycle ago; the effective one */
  unsigned limit_moves;          /* cycles until limit_q follows what was written */
  uint32_t thread, spill_over, spill_burst, restore_free, halt_flush;
  bool error_valid, error_came;  /* came: with the last cycle, not counted yet */
  uint32_t error, error_set, error_count;
};

/* What a context brings for the run-time registers, until the commit. */
struct sc_coming { uint64_t base; uint32_t limit, stride_lg, spill_over, spill_burst, restore_free, thread, halt_flush; };

struct sc_unit { /* STATUS */
  struct simt_unit_shell shell;
  bool flush, scan, fin, ready, flushed, bare, shut, closed_1, load1, load2; /* _1, 1: one cycle ago */
  bool resets, walk_b;      /* the walk is one of a reset of the unit; its write is in B */
  bool fetch, have, late;   /* the register access under way is a word of a context; it is there; it will be in the next cycle */
  unsigned place, word_of, regs; /* thread; word of the thread; registers behind all threads */
  uint32_t word;
  struct sc_coming coming;
  /* Of this cycle. */
  bool hold, was_closed, keeps, idle, clear, walks, answered, nacked, taken, commanded, forgets; /* CONTROL is written with 1; ERROR is written */
  unsigned phase;           /* of the register access */
  struct simt_unit_signals signals;
};

struct sc_model {
  const struct simt_config *cfg;
  struct sc_layout l;
  const struct simt_desc *desc;
  struct sc_ports p;
  struct simt_mem_ports mem;
  struct simt_reg_ports reg_at;
  size_t size;
  unsigned words, entry_words, stored_bytes; /* of the thread maps; of an entry at a port and in the storage */
  /* What changes, from here to `thread`. */
  bool go, started;         /* can_go_o; it was 1 once since reset */
  unsigned walk;            /* cycles left of the walk of a reset */
  unsigned cycle;           /* counts, to find the places in what follows: nothing is copied from stage to stage */
  struct sc_op op[4];       /* in A, in R, in B */
  struct sc_done done[4];   /* in C, at the answer port, behind it with OUT_REG */
  uint32_t op_data[4][16], done_data[4][16];
  uint64_t lim_b;           /* limit_q when the operation in B was in R */
  unsigned nonempty, nonempty_1; /* threads with entries, by B; one cycle ago */
  /* engine */
  struct sc_look look;
  struct sc_move move;
  struct sc_answer y;
  unsigned lost, under_way, req_beat, req_bytes; /* req_bytes: of the set, with strobes */
  bool req_valid, req_write;
  uint32_t req_tag;
  uint64_t req_addr;
  struct sc_registers r_;   /* of the register port */
  struct sc_unit u;
  uint64_t tally[2 * SC_KINDS]; /* operations that were ok: 2 * kind + (nd was 0) */
  unsigned hint_below;
  uint64_t counter[SC_COUNTERS], counter_seen[SC_COUNTERS]; /* now; as the access under way sees them */
  enum sc_counter waited;   /* why an operation waited in the last cycle; SC_N_PUSH, which `tally` has: none did */
  uint32_t req_data[256];
  struct sc_thread *thread;
  struct sc_access *access;
  uint32_t *push_ok, *top_ok;
  uint32_t *deepest_of, deepest_of_seen; /* COUNTERS 2, else NULL: by thread; as the access under way sees it */
  uint8_t *storage;         /* sets in their memory form, by thread and slot */
};

static inline struct sc_op *sc_r(struct sc_model *m) { return &m->op[m->cycle & 3]; }
static inline unsigned sc_b_at(const struct sc_model *m) { return (m->cycle - 1) & 3; }
static inline const struct sc_op *sc_b(const struct sc_model *m) { return &m->op[sc_b_at(m)]; }
static inline unsigned sc_done_at(const struct sc_model *m, unsigned ago) { return (m->cycle - ago) & 3; } /* 0: in C */
static inline const struct sc_done *sc_c(const struct sc_model *m) { return &m->done[sc_done_at(m, 0)]; }
static inline bool sc_bit(const uint32_t *map, unsigned i) { return map[i >> 5] >> (i & 31) & 1; }
static inline void sc_put_bit(uint32_t *map, unsigned i, bool v) {
  map[i >> 5] = (map[i >> 5] & ~(1u << (i & 31))) | (uint32_t)v << (i & 31);
}
static inline bool sc_begins(const struct sc_model *m, uint32_t count) { return (count & (m->l.set - 1)) == 0; }
/* Sets in use. */
static inline int32_t sc_end(const struct sc_model *m, uint32_t count) {
  return (int32_t)((count + m->l.set - 1) >> m->l.set_lg);
}
static inline uint8_t *sc_slot(const struct sc_model *m, unsigned t, int32_t set) {
  return m->storage + (((size_t)t * m->l.nsets + ((unsigned)set & (m->l.nsets - 1))) << m->l.set_bytes_lg);
}
static inline bool sc_narrow(const struct sc_model *m) { return m->l.beats > 1; } /* a set in beats */
static inline bool sc_push_goes(const struct sc_model *m, const struct sc_thread *t) {
  return t->fault | (sc_begins(m, t->count) ? t->nd != m->l.nsets : t->nv != 0);
}
static inline bool sc_top_goes(const struct sc_thread *t) { return t->fault | !t->count | (t->nv != 0); }
/* An entry, most often of 8 bytes; a call of memcpy would cost more than the copy. */
static inline void sc_copy_entry(void *to, const void *from, unsigned bytes) {
  if (bytes == 8) memcpy(to, from, 8);
  else memcpy(to, from, bytes);
}
/* The same, done or not without a branch that no processor can predict. */
static inline void sc_copy_entry_if(bool does, void *to, const void *from, unsigned bytes) {
  if (bytes == 8) {
    uint64_t old, new;
    memcpy(&old, to, 8);
    memcpy(&new, from, 8);
    new = does ? new : old;
    memcpy(to, &new, 8);
  } else if (does) {
    memcpy(to, from, bytes);
  }
}
void sc_all_bits(struct sc_model *m); /* every thread may go */
/* The counters now: some are kept in `tally`. */
void sc_count(const struct sc_model *m, uint64_t counter[SC_COUNTERS]);
/* Counts at once; a register read sees the counters as they were in an earlier cycle. */
static inline void sc_event(struct sc_model *m, enum sc_counter i, uint32_t n) { m->counter[i] += n; }

static inline bool sc_write_port_busy(const struct sc_model *m) {
  const struct sc_op *b = sc_b(m);
  return b->valid && (b->kind == SC_PUSH || b->kind == SC_REPLACE);
}
static inline bool sc_read_port_busy(const struct sc_model *m) {
  const struct sc_op *b = sc_b(m);
  return b->valid && (b->kind == SC_POP || b->kind == SC_PEEK);
}
static inline bool sc_loads(const struct sc_model *m) { return m->u.shell.port.r.load; }
static inline bool sc_moves_context(const struct sc_model *m) { return simt_shell_moves(&m->u.shell); }

/* engine.c: looker, mover, answer port and request register of a cycle, before the stages of operations move on; whether
 * can_go_o is 0 in the next cycle. `hint`: the thread that C names, or -1. */
bool sc_engine_step(struct sc_model *m, const uint32_t *in, int hint);
bool sc_answer_ready(const struct sc_model *m); /* mem_rsp_ready_o */
void sc_engine_reset(struct sc_model *m);

/* registers.c: at the beginning of a cycle with an access under way, offered or answered; at its end. */
void sc_registers_begin(struct sc_model *m);
void sc_registers_end(struct sc_model *m, const uint32_t *in);
void sc_registers_reset(struct sc_model *m);
void sc_depth_done(struct sc_model *m, uint32_t depth); /* a look for DEPTH is in E */
static inline bool sc_depth_waits(const struct sc_model *m) { return m->r_.waits; }
/* A register of a context: its value is the data of the access; whether a save may have written it. */
bool sc_register_comes(struct sc_model *m);
void sc_register_loaded(struct sc_model *m);
void sc_registers_commit(struct sc_model *m);
void sc_errors_clear(struct sc_model *m);

/* unit.c: the model as a unit of a front end (STATUS): before anything moves in a cycle; behind it; what it shows. */
void sc_unit_reset(struct sc_model *m);
void sc_unit_begin(struct sc_model *m, const uint32_t *in);
void sc_unit_end(struct sc_model *m, const uint32_t *in);
void sc_unit_outputs(const struct sc_model *m, uint32_t *out);
/* The words of a context that are of a thread: f+2 of the first two of them that come in; what is read of each; whether a save may
 * have written the one that is taken; an entry's is. */
enum sc_word { SC_WORD_FIRST, SC_WORD_STATE, SC_WORD_ENTRY, SC_WORD_REGISTER };
enum sc_word sc_unit_word(const struct sc_model *m);
void sc_unit_thread(struct sc_model *m);
uint32_t sc_unit_reads(const struct sc_model *m);

#endif
