/* SPDX-License-Identifier: Apache-2.0 */
/* model.c: the cycle model of tracker, written from docs/tracker_design.md: how each stage moves on, but for the input (input.c). */
#include "tracker/cycle.h"

#include <stdlib.h>

typedef struct trk_model model;

/* ---- selectors ---------------------------------------------------------------------------------------------- */

static void select_one(const model *m, struct trk_select *s, const struct trk_set *asks, const struct trk_set *one, bool enable, bool hold) {
  unsigned groups = m->l.groups;
  uint32_t fresh = s->fresh & ~s->last, can = fresh ? fresh : s->any & ~s->last;
  bool round = !fresh, takes = enable && !hold && can;
  unsigned g = takes ? trk_lowest(can) : 0, place = s->first[g];
  bool picked_one = takes && (s->first_one >> g & 1);
  uint32_t any_d = 0, fresh_d = 0, one_d = 0;
  const uint64_t begins = s->round && s->valid ? UINT64_MAX : 0;
  for (unsigned w = 0; w < TRK_SET_WORDS; w++) {
    uint64_t left = asks->word[w] & ~s->picked.word[w], f = left & s->lap.word[w];
    s->lap.word[w] = (s->lap.word[w] | begins) & ~s->picked.word[w];
    while (left) { /* a group that asks */
      unsigned at = trk_lowest64(left) & 48, i = 4 * w + at / 16;
      uint32_t asking = left >> at & TRK_GROUP, new = f >> at & TRK_GROUP;
      unsigned to = trk_lowest(new ? new : asking);
      any_d |= 1u << i;
      fresh_d |= (uint32_t)(new != 0) << i;
      s->first[i] = (uint8_t)to;
      one_d |= (uint32_t)(one->word[w] >> (at + to) & 1) << i;
      left &= ~((uint64_t)TRK_GROUP << at);
    }
  }
  s->any = any_d;
  s->fresh = fresh_d;
  s->first_one = one_d;
  if (hold) return;
  memset(&s->picked, 0, sizeof s->picked);
  s->valid = takes;
  s->last = takes ? 1u << g : 0;
  s->round = round;
  if (!takes) return;
  s->picked.word[g / 4] = UINT64_C(1) << (g % 4 * 16 + place);
  s->queue = place * groups + g;
  s->one = picked_one;
}

static inline void step_select(const model *m, struct trk_select *s, const struct trk_set *asks, const struct trk_set *one, bool enable,
                               bool hold) {
  if (s->valid | (s->any != 0) | !trk_is_empty(asks)) {
    select_one(m, s, asks, one, enable, hold);
    return;
  }
  s->last = s->first_one = 0; /* nothing is asked, nothing was */
  s->round = true;
}

/* ---- stages move on ---------------------------------------------------------------------------------------------- */

static struct trk_item *out_item(const model *m, unsigned p) {
  return (struct trk_item *)&m->r.fifo[p].item[m->r.fifo[p].from];
}

static void link_inserted(model *m, const struct trk_cycle *c, uint64_t e) {
  struct trk_run *r = &m->r;
  struct trk_queue *q = &r->queue[c->insert_queue];
  if (q->waiting || q->busy || q->done) trk_entry_of(m, q->newest)->next = e; /* else its place may have another entry */
  if (!q->waiting++) q->check = e;
  q->newest = r->newest = e;
}

static void take_ring(struct trk_run *r, unsigned i) {
  r->ring[i].from = (r->ring[i].from + 1) % TRK_MAX_QUEUES;
  r->ring[i].count--;
  r->queued--;
}

/* The fill of F2 meets the slots that want its data slot. */
static void fill_slots(model *m) {
  struct trk_run *r = &m->r;
  struct trk_set *wanted = &m->slot[r->f2.bank].wanted[r->f2.dslot];
  for (unsigned w = 0; w < TRK_SET_WORDS; w++)
    for (uint64_t left = wanted->word[w]; left; left &= left - 1) {
      unsigned at = trk_lowest64(left), i = at % 16 * m->l.groups + 4 * w + at / 16;
      struct trk_queue *q = &r->queue[i];
      q->missing[r->f2.bank] &= (uint8_t)~(1u << r->f2.sector);
      if (q->missing[r->f2.bank]) continue;
      wanted->word[w] &= ~(UINT64_C(1) << at);
      if (trk_complete(q->missing)) trk_put_set(m, &r->ready, i, true);
    }
}

/* C4, and the slots. The queue's next entry to check is behind the one that is here. */
static void step_slots(model *m, const struct trk_cycle *c) {
  struct trk_run *r = &m->r;
  struct trk_check *c4 = &r->c[3];
  if (r->f2.valid) fill_slots(m);
  for (unsigned i = 0; i < m->l.pops; i++)
    if (r->pops[i].valid) {
      r->queue[r->pops[i].queue].busy = false;
      trk_put_set(m, &r->ready, r->pops[i].queue, false);
    }
  if (!c->straight && !c->load) return;
  struct trk_queue *q = &r->queue[c4->queue];
  q->waiting--;
  if (q->waiting) q->check = trk_entry_of(m, c4->entry)->next;
  if (!c->load) return;
  q->busy = true;
  q->slot = c4->entry;
  memcpy(q->missing, c4->missing, sizeof q->missing);
  const struct trk_entry *e = trk_entry_of(m, q->slot);
  for (uint32_t bits = e->used; bits; bits &= bits - 1) {
    unsigned b = trk_lowest(bits);
    if (q->missing[b]) trk_put_set(m, &m->slot[b].wanted[e->dslot[b]], c4->queue, true);
  }
  trk_put_set(m, &r->ready, c4->queue, trk_complete(q->missing));
}

static void step_check(model *m, const struct trk_cycle *c) {
  struct trk_run *r = &m->r;
  struct trk_set none = {{0}}, ready = r->ready;
  r->turn = r->turn + 1 == trk_rings(m) ? 0 : r->turn + 1;
  if (c->check_sleeps) {
    if (r->f2.valid) fill_slots(m);
    return;
  }
  if (c->load || (c->straight && c->last && c->ends) || (c->ended && !c->push[trk_rings(m) - 1]))
    r->queue[r->c[3].queue].due = false;
  for (unsigned i = 0; i < trk_rings(m); i++)
    if (c->push[i]) {
      r->queue[c->push_queue[i]].due = true;
      struct trk_ring *g = &r->ring[i];
      r->queued++;
      g->queue[(g->from + g->count++) % TRK_MAX_QUEUES] = (uint8_t)c->push_queue[i];
    }
  if (c->inserts) link_inserted(m, c, r->insert_entry);
  step_slots(m, c);
  for (unsigned i = 0; i < m->l.pops; i++) {
    struct trk_set mine;
    for (unsigned w = 0; w < TRK_SET_WORDS; w++) mine.word[w] = ready.word[w] & m->of_pop[i].word[w];
    step_select(m, &r->pops[i], &mine, &none, !c->closed, false);
  }

  struct trk_check *c1 = &r->c[0], *c2 = &r->c[1], *c3 = &r->c[2], *c4 = &r->c[3];
  *c4 = *c3;
  c4->valid &= !c->drop[0];
  if (c4->valid) {
    const struct trk_entry *e = trk_entry_of(m, c4->entry);
    memset(c4->missing, 0, sizeof c4->missing);
    for (uint32_t bits = e->used; bits; bits &= bits - 1) {
      unsigned b = trk_lowest(bits);
      c4->missing[b] = (uint8_t)(e->sectors[b] & ~m->slot[b].valid[e->dslot[b]]);
    }
  }
  *c3 = *c2;
  c3->valid &= !c->drop[1];
  const struct trk_entry *e3 = trk_entry_of(m, c3->entry);
  c3->bad = c3->run && (e3->queue != c3->queue || e3->alone);
  *c2 = *c1;
  c2->valid &= !c->drop[2];
  bool taken = c->take < trk_rings(m);
  c1->valid = c->goes_on || taken;
  c1->run = c->goes_on;
  if (c->goes_on) {
    c1->entry++;
  } else if (taken) {
    c1->queue = r->ring[c->take].queue[r->ring[c->take].from];
    take_ring(r, c->take);
    c1->entry = r->queue[c1->queue].check;
  }
}

static void enter_checked(model *m, const struct trk_pop *pop) {
  struct trk_run *r = &m->r;
  struct trk_queue *q = &r->queue[pop->queue];
  const struct trk_entry *e = trk_entry_of(m, pop->entry);
  if (!q->done++) {
    q->checked = pop->entry;
    trk_put_set(m, &r->tex, pop->queue, e->tex);
    trk_put_set(m, &r->one, pop->queue, e->internal_end);
  }
  q->ends += e->internal_end;
  q->groups += e->group_end;
  trk_put_set(m, &r->has_end, pop->queue, q->ends != 0);
}

static void leave_checked(model *m, const struct trk_d *d) {
  struct trk_run *r = &m->r;
  struct trk_queue *q = &r->queue[d->queue];
  const struct trk_entry *e = trk_entry_of(m, d->entry);
  q->done--;
  q->ends -= e->internal_end;
  q->groups -= e->group_end;
  trk_put_set(m, &r->has_end, d->queue, q->ends != 0);
  if (!q->done) return;
  q->checked = e->next;
  trk_put_set(m, &r->tex, d->queue, trk_entry_of(m, q->checked)->tex);
  trk_put_set(m, &r->one, d->queue, trk_entry_of(m, q->checked)->internal_end);
}

static void step_queues(model *m, const struct trk_cycle *c) {
  for (unsigned i = 0; i < m->l.pops; i++)
    if (c->pop[i].pops) enter_checked(m, &c->pop[i]);
  for (unsigned l = 0; l < m->l.commits; l++)
    if (c->d[l].wave) leave_checked(m, &m->r.d[l]);
}

static void step_drain(model *m, const struct trk_cycle *c, unsigned p) {
  struct trk_run *r = &m->r;
  const struct trk_path_cycle *i = &c->path[p];
  struct trk_drain *d = &r->drain[p];
  d->pause = d->active | d->tries ? 0 : d->pause + (d->pause < 7);
  if (c->sleeps[p]) return;
  unsigned lane = trk_lane_of(m, p);
  const struct trk_lane_cycle none = {0}, *done = r->d[lane].path == p ? &c->d[lane] : &none;
  bool was_active = d->active, was_wait = d->waits, was_try = d->tries;
  if (!d->judged) d->is_oldest = d->tries && r->candidate[p].entry == r->tried;
  d->judged = was_try && !i->try;
  d->tries = i->begins_try || (was_try && !i->try);
  d->resumes = was_active && was_wait && r->queue[d->queue].done && !i->resume;
  if (i->passes && (i->try || (i->pick && i->keeps))) d->active = true;
  else if (done->finishes) d->active = false;
  if (done->stalls) d->waits = true;
  else if (i->passes && i->resume) d->waits = false;
  if ((i->pick || i->try) && !was_active) d->queue = i->queue;
  if (m->l.free_list) {
    if (done->wave) d->next = trk_entry_of(m, r->d[lane].entry)->next;
  } else if (i->issues) d->next = i->entry + 1;
  if (!d->active) return; /* else the next cycle looks at none of these */
  d->late_fast = trk_late_fast(r, d->next);
  d->late_open = trk_late_state(r, d->next, r->first_waits.state_open);
  d->late_state = trk_late_state(r, d->next, r->first_waits.state_tail);
}

/* Queues that ask each path's selector, and those whose head ends an instruction. What leaves its slot in this cycle asks
 * already. */
static void find_asks(const model *m, const struct trk_cycle *c, struct trk_set asks[2], struct trk_set *one) {
  const struct trk_run *r = &m->r;
  struct trk_set has_end = r->has_end, tex = r->tex;
  *one = r->one;
  for (unsigned i = 0; i < m->l.pops; i++) {
    if (!c->pop[i].picked) continue;
    unsigned q = c->pop[i].queue;
    const struct trk_entry *e = trk_entry_of(m, c->pop[i].entry);
    if (e->internal_end) trk_put_set(m, &has_end, q, true);
    if (r->queue[q].done) continue;
    trk_put_set(m, &tex, q, e->tex);
    trk_put_set(m, one, q, e->internal_end);
  }
  for (unsigned w = 0; w < TRK_SET_WORDS; w++) {
    uint64_t all = has_end.word[w] & ~(r->taken.word[w] | r->late.word[w]);
    asks[0].word[w] = all & ~tex.word[w];
    asks[1].word[w] = all & tex.word[w];
  }
}

/* The entry of what may go next on a path. */
static void step_look(model *m, const struct trk_cycle *c, unsigned p) {
  struct trk_run *r = &m->r;
  const struct trk_select *s = &r->commits[p];
  struct trk_candidate *look = &r->candidate[p];
  if (look->valid ? !c->path[p].uses_pick : r->drain[p].tries) return;
  look->queue = r->drain[p].active ? r->drain[p].queue : s->valid ? s->queue : r->try_queue;
  look->entry = r->queue[look->queue].checked;
  look->keeps = !(s->one && trk_others_ask(s));
  look->valid = s->valid;
}

static void step_taken(model *m, const struct trk_cycle *c) {
  struct trk_run *r = &m->r;
  bool release = r->release || r->released;
  if (release && !m->l.per_queue) memset(&r->late, 0, sizeof r->late);
  for (unsigned p = 0; p < 2; p++) {
    const struct trk_path_cycle *i = &c->path[p];
    const struct trk_drain *d = &r->drain[p];
    if (!(!c->sleeps[p] | c->d[p].finishes | r->verdict[p].ends | r->verdict[p].fails)) continue;
    if (r->verdict[p].ends) trk_put_set(m, &r->taken, r->verdict[p].end_queue, false);
    if (r->verdict[p].fails) trk_put_set(m, &r->taken, r->verdict[p].fail_queue, false);
    if (r->verdict[p].parks && !release && !m->l.per_queue) trk_put_set(m, &r->late, r->verdict[p].fail_queue, true);
    bool fails = (i->pick || (i->try && d->is_oldest)) && !i->passes;
    r->verdict[p].fails = fails;
    r->verdict[p].parks = fails && i->pick;
    r->verdict[p].fail_queue = i->queue;
    r->verdict[p].ends = c->d[p].finishes && c->d[p].follows;
    if (c->d[p].finishes && !c->d[p].follows) trk_put_set(m, &r->taken, r->d[p].queue, false);
    r->verdict[p].end_queue = r->d[p].queue;
  }
  for (unsigned p = 0; p < 2; p++) {
    if (c->sleeps[p]) continue;
    if (r->commits[p].valid) trk_put_set(m, &r->taken, r->commits[p].queue, true);
    if (r->drain[p].judged && r->drain[p].is_oldest) trk_put_set(m, &r->taken, r->candidate[p].queue, true);
  }
}

/* INTERLOCK per_queue: queues whose checked head must wait for a fast packet, or starts behind a state packet. */
static void find_late(const model *m, struct trk_set *late) {
  const struct trk_run *r = &m->r;
  const struct trk_waits *state = &r->states.item[r->states.from];
  memset(late, 0, sizeof *late);
  uint64_t fast = r->fasts.count ? r->fasts.item[r->fasts.from].tail : UINT64_MAX;
  uint64_t open = !r->states.count ? UINT64_MAX : r->due ? 0 : state->open;
  for (unsigned q = 0; q < m->l.queues; q++) {
    uint64_t head = r->queue[q].checked;
    if (r->queue[q].done && (head >= fast || (trk_in_set(m, &r->tex, q) && head >= open))) trk_put_set(m, late, q, true);
  }
}

static void read_outputs(model *m, const struct trk_cycle *c) {
  struct trk_run *r = &m->r;
  for (unsigned p = 0; p < 2; p++)
    if (c->leaves[p]) {
      const struct trk_item *i = out_item(m, p);
      if (!i->state) r->leaving[p].item[(r->leaving[p].from + r->leaving[p].count++) % TRK_LEAVE_ROOM] = i->entry;
      r->fifo[p].from = (r->fifo[p].from + 1) % TRK_ROOM;
      r->fifo[p].count--;
    }
  if (!c->fast_left) return;
  r->fasts.from = (r->fasts.from + 1) % TRK_ROOM;
  r->fasts.count--;
}

static void fill_output(model *m, const struct trk_cycle *c, const struct trk_d *d) {
  struct trk_run *r = &m->r;
  if (!d->valid) return;
  const unsigned place = c->loads ? trk_coming_item(m).place : r->fifo[d->path].count; /* the load says which */
  struct trk_item *i = &r->fifo[d->path].item[(r->fifo[d->path].from + place) % TRK_ROOM];
  r->fifo[d->path].count++;
  i->state = d->state;
  i->entry = d->entry;
  if (!d->state) return;
  trk_copy_payload(m, i->payload, r->states.item[r->states.from].payload);
  r->states.from = (r->states.from + 1) % TRK_ROOM;
  r->states.count--;
  r->due--;
}

static void step_commit(model *m, const struct trk_cycle *c) {
  struct trk_run *r = &m->r;
  struct trk_set asks[2], one, late;
  if (m->l.per_queue) find_late(m, &late);
  find_asks(m, c, asks, &one);
  r->state_next = r->due && r->states.count && !c->state_pop && !c->path[1].state;
  bool try_ok = r->oldest_valid && r->queue[r->oldest_queue].groups && !trk_in_set(m, &r->taken, r->oldest_queue);
  for (unsigned p = 0; p < 2; p++)
    if (!c->sleeps[p]) step_look(m, c, p);
  step_taken(m, c);
  if (m->l.per_queue) r->late = late;
  for (unsigned p = 0; p < 2; p++) {
    struct trk_select *s = &r->commits[p];
    step_select(m, s, &asks[p], &one, c->path[p].enable, s->valid && !c->path[p].loads);
    step_drain(m, c, p);
  }
  step_queues(m, c);
  r->try_ok = try_ok;
  r->tried = r->try_entry;
  r->try_queue = r->oldest_queue;
  r->try_entry = r->oldest;
  r->try_tex = r->oldest_tex;

  r->first_waits.fast = r->first_waits.state = false;
  if (r->fasts.count) {
    r->first_waits.fast_tail = r->fasts.item[r->fasts.from].tail;
    r->first_waits.fast = r->first_waits.fast_tail != UINT64_MAX;
  }
  if (r->states.count) {
    const struct trk_waits *state = &r->states.item[r->states.from];
    r->first_waits.state = true;
    r->first_waits.due = r->due;
    r->first_waits.state_tail = state->tail;
    r->first_waits.state_open = state->open;
  }
  read_outputs(m, c);
  r->released = r->release;
  r->release = c->fast_left || c->state_pop;
  for (unsigned l = 0; l < m->l.commits; l++) {
    fill_output(m, c, &r->d[l]);
    unsigned p = m->l.commits == 2 ? l : c->path[1].on;
    const struct trk_path_cycle *i = &c->path[p];
    r->d[l] = (struct trk_d){i->issues | i->state, i->state, p, i->end, i->keeps, false, i->queue, i->entry};
    if (!c->issues) continue;
    bool path = trk_coming_item(m).class == TRK_TEX;
    if (l == trk_lane_of(m, path)) r->d[l] = (struct trk_d){.valid = true, .load = true, .path = path, .entry = m->ctx.put_entry};
  }
  r->drain_turn = c->path[0].on | (r->drain_turn & !c->path[1].on); /* the last one that was on */
}

static void step_leave(model *m, const struct trk_cycle *c) {
  struct trk_run *r = &m->r;
  struct trk_leave *l0 = trk_leave(m, 0), *l1 = trk_leave(m, 1), *l2 = trk_leave(m, 2);
  if (c->free) memset(r->free_dslot, 0, sizeof r->free_dslot);
  for (uint32_t bits = c->free; bits; bits &= bits - 1) r->free_dslot[trk_lowest(bits)] = l2->dslot[trk_lowest(bits)];
  for (uint32_t bits = l2->valid ? l2->used : 0; bits; bits &= bits - 1) m->slot[trk_lowest(bits)].left[l2->dslot[trk_lowest(bits)]]++;
  for (uint32_t bits = c->raised; bits; bits &= bits - 1) {
    unsigned b = trk_lowest(bits);
    l0->raised |= (uint32_t)(c->p->dslot[b] == l0->dslot[b]) << b;
    l1->raised |= (uint32_t)(c->p->dslot[b] == l1->dslot[b]) << b;
  }
  r->free = c->free;
  r->met = c->left && ((l0->entry ^ r->look) & (m->l.ages - 1)) == 0;
  r->early = r->early + c->left - r->reclaimed;
  r->reclaimed = c->moves;
  /* The oldest entry: what is read now is used in the next cycle. */
  bool stays = r->looked & !c->moves, takes = stays & !c->save;
  uint64_t look = r->look;
  const struct trk_entry *head = trk_entry_of(m, r->head);
  r->oldest = takes ? r->head : r->oldest;
  r->oldest_queue = takes ? head->queue : r->oldest_queue;
  r->oldest_tex = takes ? head->tex : r->oldest_tex;
  r->oldest_valid = (takes ? r->seen : r->oldest_valid) & !c->moves;
  r->seen = look != r->upto;
  if (r->insert) r->upto = r->insert_entry + 1;
  r->look = stays || c->save ? r->head : look + 1;
  if (c->moves) r->head++;
  r->looked = !stays && !c->save;
  if (c->left) trk_entry_of(m, l0->entry)->gone = true;

  r->l0 = (r->l0 - 1) % 4;
  l0 = trk_leave(m, 0);
  bool named = c->raised >> r->apply.bank & 1 && c->p->dslot[r->apply.bank] == r->apply.dslot;
  l0->valid = c->leave_take < 2;
  l0->report = r->report && !named ? 1u << r->apply.bank : 0;
  l0->raised = 0;
  if (r->report)
    for (unsigned b = 0; b < m->l.banks; b++) l0->dslot[b] = (uint16_t)r->apply.dslot;
  if (l0->valid) {
    unsigned p = c->leave_take;
    l0->entry = r->leaving[p].item[r->leaving[p].from];
    l0->used = trk_entry_of(m, l0->entry)->used;
    memcpy(l0->dslot, trk_entry_of(m, l0->entry)->dslot, sizeof l0->dslot);
    r->leaving[p].from = (r->leaving[p].from + 1) % TRK_LEAVE_ROOM;
    r->leaving[p].count--;
    r->leave_turn = !p;
  }
  if (c->falls_due) {
    r->later_at = (r->later_at + 1) % TRK_ROOM;
    r->later--;
    r->due++;
  }
  r->applied = (r->applies && r->apply_turn) || (r->applied && !c->apply_done);
  r->applies = c->token_pop || (r->applies && !r->apply_turn);
  if (c->token_pop) {
    r->apply = r->tokens.item[r->tokens.from];
    r->tokens.from = (r->tokens.from + 1) % TRK_ROOM;
    r->tokens.count--;
  }
  r->report = c->apply_done && c->apply_free;
}

static void step_sectors(model *m, const uint32_t *in, const struct trk_cycle *c) {
  struct trk_run *r = &m->r;
  r->f2 = r->f1;
  r->f2.valid = c->f1;
  const unsigned bank = in[m->at.fill_bank], dslot = in[m->at.fill_dslot];
  r->started |= (r->in_ready | r->fast_ready | r->alloc_ready) & !c->closed;
  bool early = !r->started || (c->alloc_fire && in[m->at.alloc_bank] == bank && in[m->at.alloc_dslot] == dslot);
  for (unsigned i = 0; i < 3; i++) early |= r->lane[i].valid && r->lane[i].bank == bank && r->lane[i].dslot == dslot;
  r->f1 = (struct trk_fill){in[m->at.fill] && !m->shell.clearing, early, in[m->at.fill_bank], in[m->at.fill_dslot], in[m->at.fill_sector]};
}

/* A data slot of a context. */
static void put_slot(model *m) {
  const unsigned d = m->ctx.dslot, valid = m->l.banks * m->l.sectors;
  for (unsigned b = 0; b < m->l.banks; b++) {
    m->slot[b].valid[d] = (uint8_t)trk_body_bits(m, b * m->l.sectors, m->l.sectors);
    m->slot[b].stuck[d] = (uint8_t)trk_body_bits(m, valid + b, 1);
    m->slot[b].token[d] = false;
    m->slot[b].inserted[d] = m->slot[b].left[d] = 0;
  }
}

/* ---- a cycle ------------------------------------------------------------------------------------------------------- */

void trk_step(void *p, const uint32_t *in) {
  model *m = p;
  struct trk_run *r = &m->r;
  if (in[m->at.rst]) {
    trk_reset(m);
    return;
  }
  struct trk_cycle c;
  trk_decide(m, in, &c);
  trk_unit_begin(m, in);

  struct trk_shown shown = trk_show_registers(m);
  trk_count_events(m, &c);
  bool was_refused = r->refused;
  unsigned was_clearing = r->clearing;
  if (c.f1 && !r->clearing) m->slot[r->f1.bank].valid[r->f1.dslot] |= (uint8_t)(1u << r->f1.sector);
  step_check(m, &c);   /* sees the fill of F1, and not yet the allocation of I2 */
  step_commit(m, &c);
  /* Counts that I0 looks at have been counted down in this cycle; I2 counts up after those of this cycle were judged. */
  struct trk_packet *i0 = trk_pipe(m, 0);
  step_leave(m, &c);
  if (i0->valid)
    for (unsigned b = 0; b < m->l.banks; b++) i0->left[b] = i0->dslot[b] < m->l.dslots ? m->slot[b].left[i0->dslot[b]] : 0;
  struct trk_lane *a0 = &r->lane[0];
  if (a0->valid && a0->bank < m->l.banks && a0->dslot < m->l.dslots) a0->left = m->slot[a0->bank].left[a0->dslot];
  step_sectors(m, in, &c);
  trk_step_input(m, in, &c);
  trk_step_registers(m, in, &c, &shown);
  r->err_in = c.loads ? 0 : c.refusal;
  r->err_alloc = c.alloc_refusal;
  r->err_reg = was_refused;
  r->err_fill = c.f1_bad;
  if (was_clearing) {
    r->clearing--;
    r->head = r->look = r->tail;
    r->looked = false;
  }
  r->first &= was_clearing != 0;
  if (!m->l.status) return;
  if (m->ctx.put_slot && !was_clearing) put_slot(m);
  if (m->shell.port.r.commit) trk_context_commit(m, c.commit);
  bool reset = simt_shell_clears(&m->shell), clears = reset || (c.loads && !m->ctx.was_load), wants = r->wants_change;
  bool wrong = trk_context_step(m, &c);
  if (clears) trk_clear(m);
  if (clears && !reset) r->wants_change = wants;
  if (reset) r->now[0] = 4, r->now[1] = m->l.queues / 2, r->now[2] = m->l.group_reset;
  r->quiet = c.closed && !m->moves && !clears;
  r->fills = in[m->at.fill_pending];
  trk_unit_end(m, in, wrong);
}
