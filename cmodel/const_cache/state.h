/* SPDX-License-Identifier: Apache-2.0 */
/* state.h: the state of the cycle model, part by part as in docs/const_cache_design.md, and what the parts say to each
 * other within a cycle. One bit per SM: bit 0 is SM 0. */
#ifndef CONST_CACHE_STATE_H
#define CONST_CACHE_STATE_H

#include "const_cache/layout.h"
#include "core/ports.h"
#include "core/unit_shell.h"

enum { CC_MOST_READS = 16, CC_MOST_MISSES = 64, CC_MOST_SMS = 64, CC_MOST_CODES = 520 };

struct cc_mask { uint64_t w[CC_MASK_WORDS]; }; /* one bit per code */
struct cc_line { uint64_t word[CC_MOST_WORDS]; }; /* those beyond WRITE_WORDS mean nothing */

/* ---- an L1 ------------------------------------------------------------------------------------------- */

struct cc_l1_row { uint32_t tag; uint16_t gen; uint8_t epoch; bool valid; }; /* its words lie in l1_word */
struct cc_l1_stage { bool read, sweep, walk, collide, bad_sm, bad_addr; uint32_t addr; struct cc_l1_row row; uint64_t word; };
struct cc_slot { uint64_t data; uint32_t addr; bool done, error, locked; };
struct cc_l1 {
  struct cc_l1_stage p1, p2;
  struct cc_slot slot[CC_MOST_READS];
  unsigned head, tail, held, reads, wants; /* wants: a bit for each slot that has to ask L2 */
  struct { bool valid; unsigned slot; uint32_t addr; } req;
  struct { bool valid; uint32_t addr; struct cc_line data; } fill;
  struct { bool valid, error; uint64_t data; } rsp;
  struct { bool valid; uint32_t addr; struct cc_line data; } word; /* for a walk */
  struct cc_line walked1, walked2;     /* the line of a walk in p1, in p2 */
  unsigned lost;
  bool clear, sweeping, sweep_all, pass_launders, laundered;
  uint32_t sweep;
  unsigned gen, base, sweep_gen;
};

/* ---- L2 and backup ------------------------------------------------------------------------------------- */

enum cc_op_kind { CC_OP_READ, CC_OP_WRITE, CC_OP_WORK, CC_OP_WALK, CC_OP_FILL, CC_OP_FETCHED, CC_OP_SCAN };
struct cc_op {
  bool valid, error, epoch; /* error: of a fill; of a walk: it empties the row */
  enum cc_op_kind kind;
  unsigned sm, slot, tag;
  uint32_t addr;
  struct cc_line data;
};
enum cc_miss_kind { CC_FOR_READ, CC_FOR_WRITE, CC_WRITE_BACK };
struct cc_miss { enum cc_miss_kind kind; uint32_t addr; unsigned sm, slot; };
struct cc_l2_row { uint32_t tag; bool valid, dirty; }; /* its words lie in l2_word */
struct cc_entry { struct cc_mask mask; struct cc_line data; uint32_t tag; bool error; };
struct cc_answer { bool valid, retry, error; unsigned sm, slot; struct cc_line data; };
struct cc_l2 {
  struct { bool valid; unsigned sm; } chosen;
  uint64_t after; /* SMs behind the last one chosen */
  struct { bool valid; unsigned sm, slot; uint32_t addr; } r;
  struct cc_miss miss[CC_MOST_MISSES];
  uint64_t missing;                    /* a bit for each place of the table that is used */
  struct { bool valid, error; unsigned tag; struct cc_line data; } got;
  struct { bool valid, error, fetch; unsigned tag, sm, slot; uint32_t addr; struct cc_line data; } f;
  struct cc_op entry[2];               /* chosen, and not in stage 1; in order */
  struct cc_op stage[8];               /* stage i is stage[(first + i) % 8]; 1 to 5 are used */
  unsigned first;
  bool busy;                           /* an access of the row in stage 5 was under way one cycle ago */
  struct cc_mask used;                 /* codes that count for the operation in stage 5 */
  bool read_turn, can_start, idle;
  unsigned scan_lost, place;
  struct { bool valid, error; struct cc_line data; } fetched;
  struct { bool valid; unsigned place; struct cc_miss is; struct cc_line data; } start; /* decided one cycle ago */
  struct { bool valid, write; unsigned tag; uint32_t addr; struct cc_line data; } q;
  struct cc_answer ans;
  bool read_failed, fetch_failed, write_failed, unasked, answered;
  uint32_t failed_addr;
  unsigned entries, retired; /* in use in the backup, one cycle late */
  bool saved;
};

/* ---- controller -------------------------------------------------------------------------------------- */

struct cc_command { enum cc_kind kind; uint32_t addr; struct cc_line data; }; /* addr: of a line, as everywhere but in L1s */
struct cc_controller {
  unsigned init;
  struct cc_command fifo[CC_FIFO];
  unsigned in, next, oldest, count; /* places run on; modulo CC_FIFO */
  bool ready, done;
  struct { bool valid; struct cc_command is; } c;
  bool epoch, walk, walk_offer, drain, empty, base_free;
  uint32_t walk_row;
  uint64_t active, hold, inval, running, told, stale, wr1, wr;
  bool active_any, work1, work, bad_addr, bad_kind, bad_done;
  unsigned work1_sm, work_sm, cause, wait;
  uint32_t bc1_addr, bc_addr;
  struct cc_line bc1_data, bc_data;
  /* versions */
  unsigned version[CC_MOST_SMS], current, upcoming, look;
  struct cc_mask free, used, dead, leaving, found, counted;
  bool upcoming_valid, dispatched;
  unsigned round, number;
  struct { bool valid, last; unsigned code; } seen;
  bool scan, urgent, can_work, can_version;
  unsigned drain_scan;
  uint32_t scan_set, urgent_set;
};

/* ---- controller of protocol copy; what it has in common with the other one is there ----------------------- */

enum { CC_WORDS = 32 }; /* for L2 */
struct cc_look { unsigned valid; struct cc_command is; }; /* without padding: it is copied from the stack, and an image has all bytes */
struct cc_locked { uint32_t tag; uint8_t gen; };
struct cc_copy {
  struct cc_look d, e;             /* c: of the controller */
  struct cc_locked c_row, d_row;   /* what the table held when the command was loaded */
  bool e_other, e_known;
  uint64_t current, leaving, source, receivers;
  bool copying, walking, run, room, launder, clear, exact;
  unsigned n;                      /* steps between versions from L2's to the current one */
  uint64_t first;                  /* per SM: its version is not that of the SM before it in the list */
  bool ahead, some, out_valid;
  unsigned next[CC_MOST_SMS], prev[CC_MOST_SMS], head, tail, out, versions;
  unsigned gen, locked;
  uint32_t low, high, clear_row, walk_row;
  unsigned settle, drain;
  struct { bool valid; uint32_t addr; struct cc_line data; } word;
  struct { uint32_t addr; struct cc_line data; } words[CC_WORDS];
  unsigned u_in, u_next, u_oldest; /* run on; modulo CC_WORDS */
  struct { bool valid; uint32_t addr; struct cc_line data; } u;
  bool wr1_copied, wr_copied;
};

/* ---- registers ----------------------------------------------------------------------------------------- */

struct cc_registers {
  bool looked, refused, from_counter;
  uint32_t value, errors, failed, high;
  uint64_t base;
  unsigned versions, versions_most, entries_most;
  uint64_t count[CC_COUNTERS], read_count;
  uint32_t added[CC_COUNTERS], events[CC_COUNTERS];
  unsigned turn, to_clear;
  struct { bool valid, clear; unsigned place; uint32_t count; } moved;
};

/* As a unit of a front end (STATUS). */
enum { CC_REST = 4 };
struct cc_unit {
  struct simt_unit_shell shell;
  bool was_load, quiet, drop, wipe; /* quiet: what was under way has ended; a reset waits for it; it acts */
  unsigned rest;                    /* cycles that it was closed, up to CC_REST (protocol copy) */
};

/* The words of a context. */
enum cc_section { CC_S_REGS, CC_S_SMS, CC_S_ROWS, CC_S_ENTRIES, CC_S_LOCKS, CC_S_WORDS, CC_S_COMMANDS, CC_S_BEYOND };
enum { CC_MOST_BODY = 2 * CC_MOST_WORDS + (CC_MOST_CODES + 31) / 32 };
struct cc_context {
  struct simt_walk at;
  unsigned age, list;              /* cycles that the record was shown; SM of the list that is shown */
  bool listed, ended;              /* there is one; of a list that came in: it is over */
  uint32_t head, body[CC_MOST_BODY], base_low, base_high;
  uint32_t record;                 /* of these that are put to their place in this cycle */
  bool put_regs, put_sm, put_row, put_entry, put_lock, put_word, put_command;
};

struct cc_state {
  struct cc_unit u;
  struct cc_context x;
  struct cc_l2 l2;
  struct cc_controller k;
  struct cc_copy y;
  struct cc_registers r;
  uint64_t awake, sweeps; /* L1s that a cycle changes though nothing comes from outside; of these, where nothing but the sweep goes on */
  uint64_t answers, asks; /* L1s with an answer, a request */
  uint64_t quiet, rd_ready, room, hit, miss, bad_sm, bad_addr, words, laundered; /* of the L1s: quiet_o and so on */
};

#define CC_PORTS(PORT) \
  PORT(rst, rst_i) PORT(cmd_valid, cmd_valid_i) PORT(cmd_ready, cmd_ready_o) PORT(cmd_kind, cmd_kind_i) \
  PORT(cmd_addr, cmd_addr_i) PORT(cmd_data, cmd_data_i) PORT(cmd_done, cmd_done_o) \
  PORT(work_valid, work_valid_o) PORT(work_sm, work_sm_o) PORT(work_item, work_item_o) \
  PORT(done_valid, done_valid_i) PORT(done_ready, done_ready_o) PORT(rd_valid, rd_valid_i) \
  PORT(rd_ready, rd_ready_o) PORT(rd_addr, rd_addr_i) PORT(rsp_valid, rsp_valid_o) \
  PORT(rsp_error, rsp_error_o) PORT(rsp_data, rsp_data_o) PORT(req_valid, mem_req_valid_o) \
  PORT(req_ready, mem_req_ready_i) PORT(req_write, mem_req_write_o) PORT(req_tag, mem_req_tag_o) \
  PORT(req_addr, mem_req_addr_o) PORT(req_data, mem_req_data_o) PORT(req_strb, mem_req_strb_o) \
  PORT(rsp_m_valid, mem_rsp_valid_i) PORT(rsp_m_ready, mem_rsp_ready_o) PORT(rsp_m_tag, mem_rsp_tag_i) \
  PORT(rsp_m_data, mem_rsp_data_i) PORT(rsp_m_error, mem_rsp_error_i) PORT(error, error_o)
SIMT_PORTS(cc_places, CC_PORTS)

struct cc_model {
  const struct simt_config *cfg;
  struct cc_layout l;
  struct cc_places at;
  struct simt_walk_shape shape; /* of a context */
  unsigned rsp_words, mask_words, l1_shift, line_words; /* line_words: of 32 bits */
  unsigned l2_shift, set_shift; /* bits of an address that choose a row of L2, a set of the backup */
  uint32_t hazard_rows; /* address bits that tell rows of L2 and sets of the backup apart */
  struct cc_state *s; /* everything below lies in the same piece of memory */
  struct cc_l1 *l1;
  struct cc_l1_row *l1_row;
  struct cc_l2_row *l2_row;
  uint64_t *l1_word, *l2_word;
  struct cc_entry *entry;
  struct cc_locked *locked;
  size_t size;
};

/* What follows from the state and the inputs of a cycle, before anything changes. */
struct cc_wires {
  /* stage 5 of L2: what is there; only if it counts: */
  bool counts;
  bool match, hit, dirty, known, needed, room, evicts, starts, starts_back, writes, drops, works, walked, walk_again,
      again, save;
  /* choice of an operation */
  bool scan_valid;
  bool launder;
  unsigned cause, way;
  uint32_t scan_set;
  unsigned epoch_gen;
  uint64_t walks;                  /* protocol copy; per SM: a row is asked for */
  uint32_t walk_row;
  /* Up to here all is 0 at the beginning of a cycle; what follows is given where it is known. */
  uint64_t takes, completes, done; /* per SM: a read, a completion, a completion or an error of one */
  uint64_t room_of;                /* per SM: its L1 can be invalidated */
  uint64_t walk_takes;             /* per SM: the row that is asked for is read */
  uint64_t laundered;              /* per SM */
  bool stops;                      /* closed, or a halt request comes: nothing begins to leave that has no ready */
  bool l2_idle;                    /* seen by a flush that may end */
  int asked;                       /* SM whose request is fetched, or -1 */
  const struct cc_op *op;          /* in stage 5 of L2 */
  bool f_taken, r_taken, op_taken, scan_taken, op_valid;
  uint32_t op_addr;
  bool op_clears;
  enum cc_op_kind op_kind;
  bool commit, sync_done;
  bool done_write, done_work;      /* a command takes effect */
  struct { bool valid; uint32_t addr; struct cc_line data; } word; /* that an L1 found */
  struct cc_line op_data;
  struct cc_answer ans;            /* of L2 to an L1 */
  struct cc_mask covered;          /* codes that the backup has an entry of; set where it is looked into */
};

/* unit.c: before and behind everything else of a cycle; whether nothing leaves in it. */
struct simt_unit_signals cc_unit_signals(const struct cc_model *m, const uint32_t *in);
struct cc_before { /* that a cycle began with: commands are taken, no read is unanswered; the list; a word of a load is wrong */
  bool ready, quiet, some, wrong;
  unsigned head;
  struct simt_unit_signals signals;
};
void cc_unit_step(struct cc_model *m, struct cc_before *before, const uint32_t *in);
static inline bool cc_closed(const struct cc_model *m) { return m->s->u.shell.closed; } /* nothing is taken, nothing begins */
static inline bool cc_drops(const struct cc_model *m) { return m->s->u.shell.clearing || simt_shell_clears(&m->s->u.shell); }

/* An answer of memory is taken: under a halt request or in a reset only where an access is under way. */
static inline bool cc_hears(const struct cc_model *m) { return !m->s->l2.got.valid && !(cc_closed(m) && m->s->l2.idle); }

/* context.c */
void cc_context_find(struct cc_model *m);
struct simt_context_unit cc_context_unit(const struct cc_model *m);
bool cc_context_wrong(const struct cc_model *m); /* before a cycle: no save writes the word */
void cc_context_step(struct cc_model *m, const struct cc_before *before);
bool cc_context_command(struct cc_model *m, struct cc_command *to); /* one comes in in this cycle */
uint64_t cc_context_walks(const struct cc_model *m, uint32_t *row); /* the L1 whose row is saved */
void cc_copy_append(struct cc_copy *y, unsigned sm, bool first);

static inline struct cc_op *cc_stage(struct cc_l2 *t, unsigned i) { return &t->stage[(t->first + i) & 7]; }
void cc_l2_decide(const struct cc_model *m, struct cc_wires *w);
void cc_controller_offers(const struct cc_model *m, struct cc_wires *w);
void cc_copy_offers(const struct cc_model *m, struct cc_wires *w);
void cc_l2_choose(const struct cc_model *m, struct cc_wires *w);
/* A clock edge of each part, in this order; what a part needs of one that has gone on is in the wires. */
void cc_registers_step(struct cc_model *m, const struct cc_wires *w);
void cc_l2_step(struct cc_model *m, const struct cc_wires *w, const uint32_t *in);
void cc_l1_step(struct cc_model *m, const struct cc_wires *w, const uint32_t *in); /* of all SMs */
void cc_controller_step(struct cc_model *m, const struct cc_wires *w, const uint32_t *in);
void cc_copy_step(struct cc_model *m, const struct cc_wires *w, const uint32_t *in);
bool cc_idle(const struct cc_model *m);       /* no command waits, no SM is active */
bool cc_copy_moves(const struct cc_model *m); /* something of protocol copy is under way */
bool cc_take_command(struct cc_model *m, const uint32_t *in); /* of a controller: into its queue */
void cc_get_line(const struct cc_model *m, const uint32_t *in, struct cc_line *to); /* from a port */

static inline bool cc_bit(const struct cc_mask *m, unsigned i) { return m->w[i / 64] >> i % 64 & 1; }
static inline void cc_set(struct cc_mask *m, unsigned i) { m->w[i / 64] |= UINT64_C(1) << i % 64; }
static inline void cc_unset(struct cc_mask *m, unsigned i) { m->w[i / 64] &= ~(UINT64_C(1) << i % 64); }
static inline uint64_t cc_get(const uint32_t *w, unsigned words) { return words > 1 ? simt_get64(w) : w[0]; }
static inline void cc_put_words(uint64_t *to, const struct cc_line *from, unsigned words) {
  for (unsigned i = 0; i < words; i++) to[i] = from->word[i];
}
static inline void cc_get_words(struct cc_line *to, const uint64_t *from, unsigned words) {
  for (unsigned i = 0; i < words; i++) to->word[i] = from[i];
}
static inline uint64_t cc_ones(unsigned n) { return n >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1; }

#endif
