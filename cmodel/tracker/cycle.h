/* SPDX-License-Identifier: Apache-2.0 */
/* cycle.h: what happens in a cycle of the tracker model: found from the state and the inputs alone (decide.c), then acted
 * on by each stage (model.c, input.c). */
#ifndef TRACKER_CYCLE_H
#define TRACKER_CYCLE_H

#include "tracker/state.h"

#include <string.h>

struct trk_cycle {
  bool closed; /* of a unit: nothing is taken, nothing begins */
  bool save, loads, commit, puts, put_fast, committed, issues, overflows; /* of a context: puts: an item comes in */
  unsigned kind; /* of what is taken in */
  /* ports */
  bool in_fire, fast_fire, alloc_fire, apply_turn, leaves[2], fast_left;
  /* input */
  const struct trk_packet *p;  /* I2 */
  unsigned refusal, alloc_refusal;
  bool wave, kept, state, token, token_refused, marks, alloc, apply_done, apply_free, inserts;
  uint32_t raised;             /* banks of I2 whose counts go up */
  unsigned insert_queue;
  bool change_take;
  /* sectors */
  bool f1_bad, f1;
  /* check */
  bool straight, load, ended, last, ends, drop[3], goes_on, push[TRK_MAX_POPS + 2];
  unsigned push_queue[TRK_MAX_POPS + 2], take, wasted; /* take: the ring, or one more than there are */
  struct trk_pop { bool pops, picked; unsigned queue; uint64_t entry; } pop[TRK_MAX_POPS]; /* picked: from a slot */
  /* commit */
  bool state_pop;
  struct trk_path_cycle {
    bool on, state, run, resume, pick, try, passes, fails_fast, fails_state, issues, end, keeps; /* I; on: it has its turn */
    unsigned queue;
    uint64_t entry;
    bool begins_try, uses_pick, loads, enable;
  } path[2];
  struct trk_lane_cycle { bool wave, dries, follows, finishes, stalls; } d[2]; /* D, by lane */
  /* leave */
  unsigned leave_take;         /* 0, 1, or 2: none */
  bool left, moves, falls_due, token_pop, apply_valid;
  uint32_t free;
};

/* registers.c. What a read of this cycle finds; count: the word of the counter at `scan`. */
struct trk_shown { bool known; uint32_t value, count; unsigned scan; };
struct trk_shown trk_show_registers(const struct trk_model *m);
void trk_count_events(struct trk_model *m, const struct trk_cycle *c);
void trk_step_registers(struct trk_model *m, const uint32_t *in, const struct trk_cycle *c, const struct trk_shown *shown);

/* context.c. The kinds of items, as a load has them; then where a save finds them. */
enum trk_source { TRK_NO_ITEM, TRK_A_WAVE, TRK_A_STATE, TRK_A_TOKEN, TRK_A_FAST, TRK_IN_LG, TRK_IN_TEX };
enum { TRK_PACE = 13, TRK_ISSUE = 7 };
void trk_context_find(struct trk_model *m);
void trk_context_reset(struct trk_model *m);
void trk_context_offers(const struct trk_model *m, struct simt_context_unit *u);
bool trk_context_step(struct trk_model *m, const struct trk_cycle *c); /* whether the word that came in is wrong */
void trk_context_commit(struct trk_model *m, bool whole); /* whole: else the registers alone */
struct trk_coming { unsigned kind, class, warp, queue, bank; bool committed, inserted, group_end, end, opens; };
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
void trk_step_input(struct trk_model *m, const uint32_t *in, const struct trk_cycle *c);

/* decide.c */
void trk_decide(const struct trk_model *m, const uint32_t *in, struct trk_cycle *c);

/* Sets of queues. */
static inline bool trk_in_set(const struct trk_model *m, const struct trk_set *s, unsigned q) { return s->group[m->group_of[q]] >> m->place_of[q] & 1; }
static inline void trk_put_set(const struct trk_model *m, struct trk_set *s, unsigned q, bool v) {
  uint16_t bit = (uint16_t)(1u << m->place_of[q]), *g = &s->group[m->group_of[q]];
  *g = (uint16_t)(v ? *g | bit : *g & ~bit);
}
static inline bool trk_is_empty(const struct trk_set *s) {
  uint32_t all = 0;
  for (unsigned g = 0; g < TRK_MAX_GROUPS; g++) all |= s->group[g];
  return !all;
}
/* Rings of queue numbers: 0 inserted, 1 to POPS popped, then those whose run ended. */
static inline unsigned trk_rings(const struct trk_model *m) { return m->l.pops + 2; }
static inline const struct trk_pop *trk_pop_of(const struct trk_model *m, const struct trk_cycle *c, unsigned queue) { return &c->pop[queue & (m->l.pops - 1)]; }
/* The lane of a path. */
static inline unsigned trk_lane_of(const struct trk_model *m, unsigned path) { return m->l.commits == 2 ? path : 0; }
static inline unsigned trk_lowest(uint32_t bits) { return (unsigned)__builtin_ctz(bits); }
static inline bool trk_others_ask(const struct trk_select *s) { return (s->any & ~s->last) != 0; }

/* An entry is not older than the first fast packet; or than a snapshot that the first state packet has: of the cycle before. */
static inline bool trk_late_fast(const struct trk_run *r, uint64_t e) { return r->first_waits.fast && e >= r->first_waits.fast_tail; }
static inline bool trk_late_state(const struct trk_run *r, uint64_t e, uint64_t limit) { return r->first_waits.state && (r->first_waits.due || e >= limit); }

static inline struct trk_entry *trk_entry_of(const struct trk_model *m, uint64_t e) { return &m->entry[e & (m->l.ages - 1)]; }

static inline void trk_copy_payload(const struct trk_model *m, uint32_t *to, const uint32_t *from) { memcpy(to, from, 4 * m->l.payload_words); }

static inline bool trk_names(const struct trk_packet *p, unsigned b) { return p->used >> b & 1; }

#endif
