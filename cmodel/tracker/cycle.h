/* SPDX-License-Identifier: Apache-2.0 */
/* cycle.h: what happens in a cycle of the tracker model: found from the state and the inputs alone (decide.c), then acted
 * on by each stage (model.c, input.c). */
#ifndef TRACKER_CYCLE_H
#define TRACKER_CYCLE_H

#include "tracker/state.h"

#include <assert.h>
#include <string.h>

struct trk_cycle {
  bool closed; /* of a unit: nothing is taken, nothing begins */
  bool check_sleeps, sleeps[2]; /* the check, and a path, have nothing to decide and, but for fills and what asks, nothing to do */
  bool save, loads, commit, puts, put_fast, committed, issues, overflows; /* of a context: puts: an item comes in */
  /* ports */
  bool in_fire, fast_fire, alloc_fire, apply_turn, leaves[2], fast_left;
  /* input */
  unsigned refusal, alloc_refusal;
  bool wave, kept, state, token, token_refused, marks, alloc, apply_done, apply_free, inserts;
  uint32_t raised;             /* banks of I2 whose counts go up */
  bool change_take;
  /* sectors */
  bool f1_bad, f1;
  /* check */
  bool straight, load, ended, last, ends, drop[3], goes_on, push[TRK_MAX_POPS + 2];
  unsigned wasted;
  /* commit */
  bool state_pop;
  struct trk_lane_cycle { bool wave, dries, follows, finishes, stalls; } d[2]; /* D, by lane */
  /* leave */
  bool left, moves, falls_due, token_pop, apply_valid;
  uint32_t free;
  /* What stands above is cleared in each cycle, what follows is set, or has a meaning only where something above says so. */
  const struct trk_packet *p; /* I2 */
  unsigned kind;              /* of what is taken in */
  unsigned insert_queue;
  unsigned take;              /* the ring, or one more than there are */
  unsigned leave_take;        /* 0, 1, or 2: none */
  struct trk_path_cycle {
    bool on, state, run, resume, pick, try, passes, fails_fast, fails_state, issues, end, keeps; /* I; on: it has its turn */
    unsigned queue;
    uint64_t entry;
    bool begins_try, uses_pick, loads, enable;
  } path[2];
  unsigned push_queue[TRK_MAX_POPS + 2];
  struct trk_pop { bool pops, picked; unsigned queue; uint64_t entry; } pop[TRK_MAX_POPS]; /* picked: from a slot */
};

/* registers.c. What a read of this cycle finds; count: the word of the counter at `scan`. */
struct trk_shown { bool known; uint32_t value, count; unsigned scan; };
struct trk_shown trk_show_registers(const struct trk_model *m);
void trk_count_events(struct trk_model *m, const struct trk_cycle *c);
void trk_step_registers(struct trk_model *m, const uint32_t *in, const struct trk_cycle *c, const struct trk_shown *shown);

/* context.c. The kinds of items, as a load has them; then a state packet that stands in a commit FIFO. */
enum trk_source { TRK_NO_ITEM, TRK_A_WAVE, TRK_A_STATE, TRK_A_TOKEN, TRK_A_FAST, TRK_IN_FIFO };
enum { TRK_PACE = 13, TRK_ISSUE = 7 };
void trk_context_find(struct trk_model *m);
void trk_context_reset(struct trk_model *m);
void trk_context_offers(const struct trk_model *m, struct simt_context_unit *u);
bool trk_context_step(struct trk_model *m, const struct trk_cycle *c); /* whether the word that came in is wrong */
void trk_context_commit(struct trk_model *m, bool whole); /* whole: else the registers alone */
struct trk_coming { unsigned kind, class, warp, queue, place, bank; bool committed, inserted, group_end, end, opens; };
struct trk_coming trk_coming_item(const struct trk_model *m);
uint64_t trk_body_bits(const struct trk_model *m, unsigned at, unsigned width);

/* status.c */
/* Nothing is taken and nothing begins; so it is for a cycle behind a save. */
static inline bool trk_closed(const struct trk_model *m) { return m->shell.closed || m->shell.port.r.save || m->ctx.was_save; }
bool trk_moves(const struct trk_model *m);
struct simt_context_unit trk_context_unit(const struct trk_model *m);
void trk_unit_begin(struct trk_model *m, const uint32_t *in);
void trk_unit_end(struct trk_model *m, const uint32_t *in, bool wrong);

/* input.c */
void trk_put_dslots(const struct trk_model *m, uint32_t *to, const uint16_t *dslot); /* as at the ports */
void trk_step_input(struct trk_model *m, const uint32_t *in, const struct trk_cycle *c);

/* decide.c */
void trk_decide(const struct trk_model *m, const uint32_t *in, struct trk_cycle *c);

/* Sets of queues. */
static inline bool trk_in_set(const struct trk_model *m, const struct trk_set *s, unsigned q) { return s->word[m->bit_of[q] / 64] >> m->bit_of[q] % 64 & 1; }
static inline void trk_put_set(const struct trk_model *m, struct trk_set *s, unsigned q, bool v) {
  unsigned at = m->bit_of[q] % 64;
  uint64_t *w = &s->word[m->bit_of[q] / 64];
  *w = (*w & ~(UINT64_C(1) << at)) | (uint64_t)v << at;
}
static inline bool trk_is_empty(const struct trk_set *s) {
  static_assert(TRK_SET_WORDS == 2, "words of a set");
  return !(s->word[0] | s->word[1]);
}
/* Rings of queue numbers: 0 inserted, 1 to POPS popped, then those whose run ended. */
static inline unsigned trk_rings(const struct trk_model *m) { return m->l.pops + 2; }
static inline const struct trk_pop *trk_pop_of(const struct trk_model *m, const struct trk_cycle *c, unsigned queue) { return &c->pop[queue & (m->l.pops - 1)]; }
/* The lane of a path. */
static inline unsigned trk_lane_of(const struct trk_model *m, unsigned path) { return m->l.commits == 2 ? path : 0; }
static inline unsigned trk_lowest(uint32_t bits) { return (unsigned)__builtin_ctz(bits); }
static inline unsigned trk_lowest64(uint64_t bits) { return (unsigned)__builtin_ctzll(bits); }
static inline bool trk_others_ask(const struct trk_select *s) { return (s->any & ~s->last) != 0; }

/* An entry is not older than the first fast packet; or than a snapshot that the first state packet has: of the cycle before. */
static inline bool trk_late_fast(const struct trk_run *r, uint64_t e) { return r->first_waits.fast && e >= r->first_waits.fast_tail; }
static inline bool trk_late_state(const struct trk_run *r, uint64_t e, uint64_t limit) { return r->first_waits.state && (r->first_waits.due || e >= limit); }

static inline struct trk_entry *trk_entry_of(const struct trk_model *m, uint64_t e) { return &m->entry[e & (m->l.ages - 1)]; }

static inline void trk_copy_payload(const struct trk_model *m, uint32_t *to, const uint32_t *from) {
  if (m->l.payload_words == 2) memcpy(to, from, 8); /* no call */
  else memcpy(to, from, 4 * m->l.payload_words);
}

/* Stages that go on by their place alone. */
static inline struct trk_packet *trk_pipe(const struct trk_model *m, unsigned stage) { return (struct trk_packet *)&m->r.pipe[(m->r.i0 + stage) % 4]; }
static inline struct trk_leave *trk_leave(const struct trk_model *m, unsigned stage) { return (struct trk_leave *)&m->r.leave[(m->r.l0 + stage) % 4]; }

/* No packet is on its way to where it is decided. */
static inline bool trk_pipe_empty(const struct trk_model *m, const struct trk_cycle *c) {
  return !(trk_pipe(m, 0)->valid | trk_pipe(m, 1)->valid | trk_pipe(m, 2)->valid | c->in_fire | m->r.apply_turn);
}

/* No sector is missing in any bank. */
static inline bool trk_complete(const uint8_t missing[TRK_MAX_BANKS]) {
  uint64_t all;
  static_assert(sizeof all == TRK_MAX_BANKS, "a byte for each bank");
  memcpy(&all, missing, sizeof all);
  return !all;
}

#endif
