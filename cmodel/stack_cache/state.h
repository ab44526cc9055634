/* SPDX-License-Identifier: Apache-2.0 */
/* state.h: the state of the cycle model, shared by model.c and registers.c. */
#ifndef STACK_CACHE_STATE_H
#define STACK_CACHE_STATE_H

#include "core/context_port.h"
#include "core/ports.h"
#include "stack_cache/layout.h"
#include "core/unit_status.h"

#define SC_PORTS(PORT) \
  PORT(rst_i, rst_i) PORT(op_valid_i, op_valid_i) PORT(op_kind_i, op_kind_i) PORT(op_thread_i, op_thread_i) \
  PORT(op_data_i, op_data_i) PORT(can_push_o, can_push_o) PORT(can_top_o, can_top_o) \
  PORT(can_init_o, can_init_o) PORT(ans_valid_o, ans_valid_o) PORT(ans_thread_o, ans_thread_o) \
  PORT(ans_kind_o, ans_kind_o) PORT(ans_status_o, ans_status_o) PORT(ans_data_valid_o, ans_data_valid_o) \
  PORT(ans_data_o, ans_data_o) PORT(mem_req_valid_o, mem_req_valid_o) \
  PORT(mem_req_ready_i, mem_req_ready_i) PORT(mem_req_write_o, mem_req_write_o) \
  PORT(mem_req_tag_o, mem_req_tag_o) PORT(mem_req_addr_o, mem_req_addr_o) \
  PORT(mem_req_data_o, mem_req_data_o) PORT(mem_req_strb_o, mem_req_strb_o) \
  PORT(mem_rsp_valid_i, mem_rsp_valid_i) PORT(mem_rsp_ready_o, mem_rsp_ready_o) \
  PORT(mem_rsp_tag_i, mem_rsp_tag_i) PORT(mem_rsp_data_i, mem_rsp_data_i) \
  PORT(mem_rsp_error_i, mem_rsp_error_i) PORT(reg_req_valid_i, reg_req_valid_i) \
  PORT(reg_req_ready_o, reg_req_ready_o) PORT(reg_req_write_i, reg_req_write_i) \
  PORT(reg_req_addr_i, reg_req_addr_i) PORT(reg_req_data_i, reg_req_data_i) \
  PORT(reg_rsp_valid_o, reg_rsp_valid_o) PORT(reg_rsp_data_o, reg_rsp_data_o) \
  PORT(reg_rsp_error_o, reg_rsp_error_o)
SIMT_PORTS(sc_ports, SC_PORTS)

struct sc_stack { /* what operations read and change */
  uint32_t count;
  int32_t S, L;   /* sets with a current remote copy; lowest set on chip */
  uint32_t off;   /* clean entries of set S (FLAGS per_entry) */
  uint8_t nr;     /* wanted restores under way: of sets L-1, L-2 */
  bool held;      /* set L-2 arrived before L-1 */
  bool fault;
};

struct sc_thread {
  struct sc_stack s;
  bool drain;     /* accesses from before an init may be under way */
  uint32_t burst; /* sets left of a burst of spills */
  uint32_t deepest;
  uint64_t pend;  /* classes with an access under way */
};

struct sc_access { bool write; uint32_t set; };
struct sc_op { bool valid, silent; enum sc_kind kind; unsigned thread; }; /* silent: of a reset, without an answer */
enum sc_port { SC_NO_PORT, SC_READ_PORT, SC_WRITE_PORT };
struct sc_answer { bool valid, has_data; unsigned thread; enum sc_kind kind; enum sc_status status; };

enum sc_eb_what { SC_EB_NOTHING, SC_EB_ANSWER, SC_EB_VISIT, SC_EB_DEPTH };
struct sc_eb { enum sc_eb_what what; bool by_scan, taken; unsigned thread, cls; uint32_t error; };

enum sc_want { SC_WANT_NOTHING, SC_WANT_RESTORE, SC_WANT_SPILL };
struct sc_plan { enum sc_want want; int32_t set; bool must, by_threshold, urgent; }; /* urgent: the thread waits */

enum sc_ef_what { SC_EF_NOTHING, SC_EF_ANSWER, SC_EF_VISIT, SC_EF_KEPT }; /* KEPT: a restore from V */
struct sc_ef {
  enum sc_ef_what what;
  bool taken; /* of an answer: in EA already */
  unsigned thread, cls;
  uint32_t error;
  struct sc_plan plan; /* of a visit, with these, as EB saw the thread */
  bool drain, idle, fault, none_full, by_scan;
  bool dull;  /* nothing comes of the visit */
  bool lacks; /* of an urgent visit: only the request register */
  bool w1, w2, init, store, lost, fires; /* of an answer, judged one cycle ahead */
  bool stores;                           /* the storage takes it, as the thread was in the cycle before */
};
/* changed: the can-go bits of its thread may have. */
struct sc_ec { bool request, write, again, changed; unsigned thread, entries; uint32_t tag; uint64_t addr; };

struct sc_regs_state {
  /* operations */
  struct sc_op b;
  enum sc_port claim;                 /* of the storage, that an operation in B which was not taken keeps busy */
  struct sc_answer ans_c, ans;
  bool gate, can_init, in_walk;
  unsigned walk, nonempty;
  bool settle, walking, walk_ends[2]; /* after a limit change; walk_ends: the last thread is in B, in C */
  int walk_b, walk_c;                 /* thread of the walk in that stage, or -1 */
  bool c_hint;                        /* the operation or walk in C names its thread to the engine */
  struct { bool init, cuts, replaces, begins; unsigned thread; } c; /* what the operation in C did; cuts: pop or init */
  /* engine */
  struct sc_eb eb;
  struct sc_ef ef[2]; /* the one in EF, and the one that EB makes */
  bool ef_now;
  struct sc_ec ec;
  bool hint_valid, scan_turn, reserved; /* reserved: the request register is for the scan's thread */
  unsigned hint, scan;
  unsigned ef_spilled, ef_wanted; /* in this cycle, by EF: sets of its thread spilled, restores begun */
  unsigned lost;
  bool steal, steal_next, waits; /* waits: in the cycle before a thread waited */
  struct { bool live; unsigned thread; int32_t set; } v; /* the set kept for forwarding */
  bool req_valid, req_write;
  bool ec_busy, stall; /* in this cycle: EC has a request, which waits for the request register */
  uint32_t req_tag, req_entries;
  uint64_t req_addr;
  /* registers */
  uint64_t base, limit_reg, lim, lim_b;
  unsigned stride_lg;
  bool limit_change; /* in cycle X */
  uint32_t spill_over, spill_burst, restore_free, reg_thread;
  bool error_valid;
  uint32_t error, error_set, error_count;
  bool reg_ready; /* of this cycle */
  bool reg_busy, reg_write, depth_waits, depth_asked;
  uint32_t reg_addr, reg_data;
  bool rsp_valid, rsp_error;
  uint32_t rsp_data, counter_hi;
  uint64_t counter[SC_COUNTERS], counter_seen[SC_COUNTERS]; /* now; when the register access was accepted */
};

/* Place of a word in a context (docs/stack_cache_status.md). */
struct sc_ctx_at { unsigned part, k, thread, slot, entry, word; };

/* The passes of a flush: docs/stack_cache_status.md. */
struct sc_flush {
  bool on, done, acks, left, slot; /* left: some thread had more than INFLIGHT dirty sets; slot: of A */
  uint32_t todo[32], again[32]; /* threads with dirty sets that no lane has had; of the next round */
  struct { bool active; unsigned thread, spilled; } lane[2];
  struct { bool valid, lane; unsigned thread; } b;
  bool spills, ends; /* in this cycle, in B: a set is found; the lane's thread has no other */
  struct sc_flush_set { bool valid; unsigned thread; int32_t set; uint32_t entries; } found, read; /* read out */
};

/* Unit status (STATUS): docs/stack_cache_status.md. */
struct sc_unit {
  struct simt_unit_status fsm;
  struct simt_context_port port;
  struct simt_status_ports status_at;
  struct simt_context_ports ctx_at;
  unsigned under_way; /* accesses begun and not answered */
  bool flush_on_halt, flush_done, flush, flushed, clearing;
  struct sc_flush passes;
  struct sc_ctx_at at;
  unsigned wait, busy; /* cycles since the thread or slot changed; cycles until a word can be taken */
  bool bad;
  struct { uint64_t base, limit; uint32_t stride_lg, thread, over, burst, free; bool flush_on_halt; } coming; /* until the commit */
  uint32_t word[2];    /* of the thread being loaded */
  int load_a, load_b, load_c; /* thread being loaded in that stage, or -1 */
  uint32_t burst;
  /* of this cycle, by its registers */
  bool closed;    /* no operation is taken because of a halt, a flush or a reset */
  bool busy_self; /* because of a flush or a reset */
  bool quiet;     /* EA takes no visit and none acts */
  bool flushing, flush_starts, flush_ends, on_halt, acks; /* acks: answers are those of a flush */
  bool clears;    /* a reset begins */
  bool cleared;   /* it has ended: all is clear, and what was under way is answered */
  bool settles, walks; /* a walk after a change of the limit; it has threads left */
  struct simt_unit_signals says;
  struct simt_context_unit unit;
  struct simt_context_to_unit to;
};

struct sc_model {
  struct sc_layout l;
  const struct simt_desc *desc;
  struct sc_ports p;
  size_t size;
  unsigned words, entry_words, stored_bytes; /* of the thread maps; of an entry at a port and in the storage */
  int fault_next; /* thread that an error marks in this cycle, or -1 */
  struct sc_regs_state r;
  struct sc_unit u;
  uint32_t b_data[16], c_data[16], ans_data[16];
  uint32_t v_data[256];
  uint32_t read_data[256], req_data[256]; /* a set read out of the storage; the request register */
  struct sc_thread *thread;
  struct sc_access *access; /* by tag */
  uint32_t *all, *push_ok, *top_ok, *faulted;
  uint8_t *storage; /* sets in their memory form, by thread and slot */
};

/* What a register access that executes in this cycle changes at its end. */
struct sc_reg_effect { bool write, clear_error; uint32_t addr, data; };

/* ---- engine: engine.c ---- */
struct sc_turn { bool had_answer, visits, stay, holds; }; /* of the engine, in a cycle */
/* An answer of a flush is taken in the cycle in which it comes. */
static inline bool takes_ack(const struct sc_model *m) {
  return m->u.acks && m->r.eb.what != SC_EB_ANSWER && m->r.ef[m->r.ef_now].what != SC_EF_ANSWER;
}
static inline struct sc_ef *ef_of(struct sc_model *m) { return &m->r.ef[m->r.ef_now]; }
/* EB, EF and EC, on the state of the last cycle: before B. EA, and what is in EB goes on: after it. At the end of
 * the cycle: what the answer in EF does in the next. */
void sc_engine_acts(struct sc_model *m, const uint32_t *in, struct sc_turn *turn);
void sc_engine_moves(struct sc_model *m, const uint32_t *in, const struct sc_turn *turn);
void sc_engine_judges(struct sc_model *m);
/* A request goes into EC, with the set it writes; its access is counted elsewhere. */
void sc_engine_request(struct sc_model *m, unsigned t, int32_t set, bool write);

/* ---- unit status: status.c ---- */
void sc_unit_reset(struct sc_model *m);
void sc_unit_outputs(const struct sc_model *m, uint32_t *out);
/* Before anything moves; `presented`: the lawful operation or NULL, valid when its can-go bit is 1 (halts and
 * the like apart); whether ERROR is written. At the end of the cycle; and B of a load. */
void sc_unit_begin(struct sc_model *m, const uint32_t *in, const struct sc_op *presented, bool clears_error);
void sc_unit_end(struct sc_model *m, const uint32_t *in);
void sc_unit_load_thread(struct sc_model *m, unsigned t);

/* ---- a flush: flush.c ---- */
/* Its pass in B; whether it spills a set of the thread. At the end of the cycle: its pass in A, what is read out. */
bool sc_flush_b(struct sc_model *m);
void sc_flush_end(struct sc_model *m);

uint64_t sc_effective_limit(const struct sc_model *m);
uint64_t sc_limit_of(const struct sc_model *m, uint64_t limit, uint32_t stride_lg);
/* An access under way executes, from the state at the start of the cycle; commit applies it at the end,
 * moves the limit, and takes a new access. */
struct sc_reg_effect sc_register_execute(struct sc_model *m);
void sc_register_commit(struct sc_model *m, const struct sc_reg_effect *e, const uint32_t *in);
void sc_depth_answer(struct sc_model *m); /* the engine's EB returns depths */

#endif
