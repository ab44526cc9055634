/* SPDX-License-Identifier: Apache-2.0 */
/* decide.c: what happens in a cycle of the tracker, stage by stage (docs/tracker_design.md). */
#include "tracker/cycle.h"

typedef struct trk_model model;

/* ---- input: what I2 decides -------------------------------------------------------------------------------- */

static bool any_token(const model *m, const struct trk_packet *p) {
  for (uint32_t bits = p->used; bits; bits &= bits - 1)
    if (m->slot[trk_lowest(bits)].token[p->dslot[trk_lowest(bits)]]) return true;
  return false;
}

static bool any_bad_dslot(const model *m, const struct trk_packet *p) {
  for (uint32_t bits = p->used; bits; bits &= bits - 1)
    if (p->dslot[trk_lowest(bits)] >= m->l.dslots) return true;
  return false;
}

static bool any_without_sector(const struct trk_packet *p) {
  for (uint32_t bits = p->used; bits; bits &= bits - 1)
    if (!p->sectors[trk_lowest(bits)]) return true;
  return false;
}

static enum trk_refusal refusal_of(const model *m, const struct trk_packet *p) {
  const struct trk_run *r = &m->r;
  if (p->class >= TRK_CLASSES) return TRK_BAD_CLASS;
  if (p->warp >= m->l.warps) return TRK_BAD_WARP;
  if (r->open && !m->shell.port.r.load && (p->class != r->open_class || p->warp != r->open_warp)) return TRK_TORN;
  if (any_bad_dslot(m, p)) return TRK_BAD_DSLOT;
  if (any_without_sector(p)) return TRK_NO_SECTOR;
  return any_token(m, p) ? TRK_TOKEN_WAITS : TRK_FINE;
}

static enum trk_alloc_refusal alloc_refusal_of(const model *m, const struct trk_lane *a) {
  unsigned b = a->bank, d = a->dslot;
  if (b >= m->l.banks || d >= m->l.dslots) return TRK_ALLOC_BAD_DSLOT;
  if (m->slot[b].token[d]) return TRK_ALLOC_TOKEN;
  uint16_t mask = (uint16_t)((1u << m->l.ref_w) - 1);
  return m->slot[b].stuck[d] || (m->slot[b].inserted[d] & mask) != (a->left & mask) ? TRK_ALLOC_REFERENCES : TRK_ALLOC_FINE;
}

static void decide_input(const model *m, struct trk_cycle *c) {
  const struct trk_packet *p = trk_pipe(m, 2);
  const struct trk_run *r = &m->r;
  c->p = p;
  if (p->valid) switch (p->op) {
  case TRK_WAVE:
    c->refusal = refusal_of(m, p);
    c->kept = c->refusal >= TRK_BAD_DSLOT && r->open && p->end;
    c->wave = !c->refusal || c->kept;
    c->raised = c->refusal ? 0 : p->used;
    break;
  case TRK_STATE: c->state = true; break;
  case TRK_TOKEN:
    c->token_refused = !p->used || any_bad_dslot(m, p) || any_token(m, p);
    if (c->token_refused) c->refusal = !p->used || any_bad_dslot(m, p) ? TRK_BAD_DSLOT : TRK_TOKEN_WAITS;
    c->token = !c->token_refused;
    break;
  case TRK_OP_APPLY:
    c->apply_done = true;
    c->apply_free = m->slot[p->bank].stuck[p->dslot[p->bank]];
    break;
  default: break;
  }
  if (r->lane[2].valid) {
    c->alloc_refusal = alloc_refusal_of(m, &r->lane[2]);
    c->alloc = !c->alloc_refusal;
  }
  c->marks = p->valid && (c->state || c->token || p->op == TRK_CLOSE);
  c->inserts = r->insert && !c->committed;
  if (r->insert) c->insert_queue = trk_entry_of(m, r->insert_entry)->queue;
}

/* ---- check: what C4 decides ---------------------------------------------------------------------------------- */

static bool inserts_into(const struct trk_cycle *c, unsigned q) { return c->inserts && c->insert_queue == q; }

static void push(struct trk_cycle *c, unsigned ring, unsigned q) {
  c->push[ring] = true;
  c->push_queue[ring] = q;
}

/* What enters a checked queue, from a slot or from C4, and whether its queue has more to check. */
static void decide_pop(const model *m, struct trk_cycle *c, unsigned i) {
  const struct trk_run *r = &m->r;
  const struct trk_check *c4 = &r->c[3];
  bool picked = r->pops[i].valid, straight = c->straight && (c4->queue & (m->l.pops - 1)) == i;
  unsigned q = picked ? r->pops[i].queue : c4->queue;
  c->pop[i] = (struct trk_pop){picked || straight, picked, q, picked ? r->queue[q].slot : c4->entry};
  if (picked ? r->queue[q].waiting || inserts_into(c, q) : straight && c->last && !c->ends) push(c, 1 + i, q);
}

static bool check_sleeps(const model *m) {
  const struct trk_run *r = &m->r;
  bool some = (r->queued != 0) | r->insert | r->c[0].valid | r->c[1].valid | r->c[2].valid | r->c[3].valid | !trk_is_empty(&r->ready);
  for (unsigned i = 0; i < m->l.pops; i++) some |= r->pops[i].valid | (r->pops[i].any != 0);
  return !some;
}

static void decide_check(const model *m, struct trk_cycle *c) {
  const struct trk_run *r = &m->r;
  c->check_sleeps = check_sleeps(m);
  if (c->check_sleeps) {
    c->take = trk_rings(m);
    for (unsigned i = 0; i < m->l.pops; i++) c->pop[i].pops = c->pop[i].picked = false;
    return;
  }
  const struct trk_check *c4 = &r->c[3];
  const struct trk_queue *q = &r->queue[c4->queue];
  bool here = c4->valid && !c4->bad;
  c->straight = here && trk_complete(c4->missing) && !r->pops[c4->queue & (m->l.pops - 1)].valid;
  c->load = here && !c->straight;
  c->ended = c4->valid && c4->bad;
  c->last = !(r->c[2].valid && r->c[2].run);
  c->ends = here && q->waiting == 1 && !inserts_into(c, c4->queue);
  bool stop = c->load || c->ended;
  for (unsigned i = 0; i < 3; i++) { /* C3, C2, C1 */
    c->drop[i] = stop && r->c[2 - i].valid && r->c[2 - i].run;
    stop = c->drop[i];
    c->wasted += c->drop[i];
  }
  unsigned rings = trk_rings(m);
  c->take = rings;
  if (r->queued && !c->closed)
    for (c->take = r->turn; !r->ring[c->take].count;) c->take = c->take + 1 == rings ? 0 : c->take + 1;
  c->goes_on = !m->l.free_list && !c->closed && r->c[0].valid && !c->drop[2] && c->take == rings && r->c[0].entry != r->newest;
  for (unsigned i = 0; i < m->l.pops; i++) decide_pop(m, c, i);
  if (c->ended && (q->waiting || inserts_into(c, c4->queue))) push(c, rings - 1, c4->queue);
  if (c->inserts) {
    const struct trk_queue *to = &r->queue[c->insert_queue];
    if (!to->waiting && !to->due && !to->busy) push(c, 0, c->insert_queue);
  }
}

/* ---- commit: what I and D decide ------------------------------------------------------------------------------- */

static bool fifo_room(const model *m, unsigned path) {
  const struct trk_d *d = &m->r.d[trk_lane_of(m, path)];
  return m->r.fifo[path].count + (d->valid && d->path == path) < m->l.commit_fifo;
}

/* What a path would do in I if it had its turn. */
static void decide_source(const model *m, struct trk_cycle *c, unsigned path) {
  const struct trk_run *r = &m->r;
  const struct trk_drain *d = &r->drain[path];
  const struct trk_candidate *look = &r->candidate[path];
  struct trk_path_cycle *i = &c->path[path];
  unsigned lane = trk_lane_of(m, path);
  bool room = fifo_room(m, path);
  /* By links a drain waits until D has read. */
  bool may_run = !(m->l.free_list && r->d[lane].valid && !r->d[lane].state && r->d[lane].path == path);
  bool ready = d->active ? (d->waits ? d->resumes : may_run) : look->valid || d->judged;
  i->state = path && r->state_next && room;
  bool state_may = !c->closed || (c->committed && m->ctx.head % 8 == TRK_A_STATE);
  i->state &= state_may;
  i->on = i->state || (!c->closed && room && ready);
  i->run = d->active && !d->waits;
  i->resume = d->active && d->waits;
  i->pick = !d->active && look->valid;
  i->try = !d->active && !look->valid;
  i->queue = d->active ? d->queue : look->queue;
  i->entry = i->run ? d->next : look->entry;
}

/* One path a cycle, or both. A path without its turn does nothing, one that sends a state packet nothing else. */
static void take_turns(const model *m, struct trk_cycle *c) {
  if (m->l.commits == 1 && c->path[0].on && c->path[1].on) c->path[!m->r.drain_turn].on = false;
  for (unsigned p = 0; p < 2; p++) {
    struct trk_path_cycle *i = &c->path[p];
    i->state &= i->on;
    if (i->on && !i->state) continue;
    i->run = i->resume = i->pick = i->try = false;
  }
}

static void decide_tests(const model *m, struct trk_cycle *c, unsigned path) {
  const struct trk_run *r = &m->r;
  struct trk_path_cycle *i = &c->path[path];
  if (!i->on || i->state) return;
  const struct trk_d *d = &r->d[trk_lane_of(m, path)];
  const struct trk_drain *drain = &r->drain[path];
  if (i->run) {
    bool enters_next = d->valid && !d->state && !d->load && d->path == path && d->end;
    i->fails_fast = drain->late_fast;
    i->fails_state = path && (enters_next ? drain->late_open : drain->late_state);
  } else {
    i->fails_fast = trk_late_fast(r, i->entry);
    i->fails_state = path && trk_late_state(r, i->entry, i->pick ? r->first_waits.state_open : r->first_waits.state_tail);
  }
  bool fails_oldest = i->try && !drain->is_oldest;
  i->passes = !i->fails_fast && !i->fails_state && !fails_oldest;
}

static void decide_lane(const model *m, struct trk_cycle *c, unsigned lane) {
  const struct trk_run *r = &m->r;
  const struct trk_d *d = &r->d[lane];
  struct trk_lane_cycle *to = &c->d[lane];
  struct trk_path_cycle *i = &c->path[d->path];
  to->wave = d->valid && !d->state && !d->load;
  if (!to->wave) return;
  const struct trk_queue *q = &r->queue[d->queue];
  const struct trk_pop *pop = trk_pop_of(m, c, d->queue);
  bool pops_here = pop->pops && pop->queue == d->queue;
  to->dries = q->done == 1 && !pops_here;
  if (d->end && !to->dries && d->run && i->run && !trk_others_ask(&r->commits[d->path])) {
    uint64_t next = pops_here && q->done == 1 ? pop->entry : trk_entry_of(m, d->entry)->next;
    bool more = q->ends > 1 || (pops_here && trk_entry_of(m, pop->entry)->internal_end);
    to->follows = more && ((next ^ (d->entry + 1)) & (m->l.ages - 1)) == 0 && trk_entry_of(m, next)->tex == d->path;
  }
  to->finishes = d->end && !(to->follows && i->passes);
  to->stalls = !d->end && to->dries;
  if (i->run && (to->dries || to->finishes)) i->issues = false;
}

/* By path: something drains, is tried or picked, was in the cycle before, or may be in this one. */
static unsigned paths_awake(const struct trk_run *r) {
  unsigned awake = (unsigned)r->try_ok << r->try_tex | (unsigned)r->state_next << 1;
  for (unsigned l = 0; l < 2; l++) awake |= (unsigned)r->d[l].valid << r->d[l].path;
  for (unsigned p = 0; p < 2; p++) {
    const struct trk_drain *d = &r->drain[p];
    const struct trk_select *s = &r->commits[p];
    awake |= (unsigned)(d->active | d->tries | d->judged | r->candidate[p].valid | s->valid | (s->any != 0)) << p;
  }
  return awake;
}

static void decide_commit(const model *m, struct trk_cycle *c) {
  const struct trk_run *r = &m->r;
  const unsigned awake = paths_awake(r);
  c->sleeps[0] = !(awake & 1);
  c->sleeps[1] = !(awake & 2);
  if (!awake) return;
  for (unsigned p = 0; p < 2; p++)
    if (!c->sleeps[p]) decide_source(m, c, p);
  take_turns(m, c);
  for (unsigned p = 0; p < 2; p++) {
    decide_tests(m, c, p);
    c->path[p].issues = c->path[p].passes;
  }
  for (unsigned l = 0; l < m->l.commits; l++) {
    decide_lane(m, c, l);
    c->state_pop |= r->d[l].valid && r->d[l].state;
  }
  for (unsigned p = 0; p < 2; p++) {
    const struct trk_drain *d = &r->drain[p];
    const struct trk_candidate *look = &r->candidate[p];
    const struct trk_select *s = &r->commits[p];
    struct trk_path_cycle *i = &c->path[p];
    if (c->sleeps[p]) continue;
    bool may_try = r->try_ok && r->try_tex == p;
    i->keeps = !(i->pick && !look->keeps);
    i->end = i->issues && trk_entry_of(m, i->entry)->internal_end;
    i->uses_pick = i->pick;
    i->loads = s->valid && (look->valid ? i->uses_pick : !d->tries);
    const bool others = trk_others_ask(s), long_pause = d->pause == 7, idle = !(d->active | d->tries);
    i->begins_try = may_try & idle & !(s->valid | look->valid) & (!others | long_pause);
    bool urgent = may_try & long_pause, frees = i->loads & s->one & others;
    i->enable = idle & !(i->begins_try | urgent | (look->valid & look->keeps)) & (!s->valid | frees);
  }
}

/* ---- leave: what happens at the head ----------------------------------------------------------------------------- */

static void decide_leave(const model *m, struct trk_cycle *c) {
  const struct trk_run *r = &m->r;
  c->leave_take = 2;
  c->left = trk_leave(m, 0)->valid;
  const unsigned some = (r->leaving[0].count != 0) | (unsigned)(r->leaving[1].count != 0) << 1;
  if (!r->report && some) c->leave_take = some == 3 ? r->leave_turn : some - 1;
  bool meets_state = r->later && r->state_tail[r->later_at] == r->head;
  c->falls_due = meets_state && !c->save;
  bool token_due = r->tokens.count && r->tokens.item[r->tokens.from].tail == r->head;
  c->apply_valid = r->applies;
  c->token_pop = token_due && !r->applies && !r->applied && !r->report && !c->closed;
  c->moves = r->looked & !r->met & r->seen & trk_entry_of(m, r->head)->gone & !meets_state & !token_due & !c->save;
  const struct trk_leave *l2 = trk_leave(m, 2);
  const uint32_t counted = l2->valid ? l2->used : 0;
  for (uint32_t bits = counted | l2->report; bits; bits &= bits - 1) {
    unsigned b = trk_lowest(bits), d = l2->dslot[b];
    bool raised = l2->raised >> b & 1 || (c->raised >> b & 1 && c->p->dslot[b] == d);
    if (l2->report >> b & 1 && !raised) c->free |= 1u << b;
    if (!(counted >> b & 1)) continue;
    uint16_t mask = (uint16_t)((1u << m->l.ref_w) - 1), left = (uint16_t)(m->slot[b].left[d] + 1) & mask;
    if (!raised && !m->slot[b].stuck[d] && left == (m->slot[b].inserted[d] & mask)) c->free |= 1u << b;
  }
}

/* ---- ports ----------------------------------------------------------------------------------------------------- */

static bool out_valid(const model *m, unsigned p) { return (m->r.fifo[p].count != 0) & (m->r.leaving[p].count < TRK_LEAVE_ROOM); }

static void decide_ports(const model *m, const uint32_t *in, struct trk_cycle *c) {
  const struct trk_run *r = &m->r;
  const bool open = !c->closed;
  c->in_fire = (in[m->at.in] & r->in_ready & open) | c->puts;
  c->kind = c->puts ? m->ctx.head % 8 - TRK_A_WAVE : in[m->at.kind];
  c->fast_fire = (in[m->at.fast] & r->fast_ready & open) | c->put_fast;
  c->alloc_fire = in[m->at.alloc] & r->alloc_ready & open;
  c->apply_turn = r->apply_turn;
  c->fast_left = r->fasts.count && in[m->at.fast_out_ready] && open;
  for (unsigned p = 0; p < 2; p++) c->leaves[p] = out_valid(m, p) && in[m->at.out[p].ready] && open;
  c->f1 = r->f1.valid & !r->f1.early & (r->f1.bank < m->l.banks) & (r->f1.dslot < m->l.dslots) & (r->f1.sector < m->l.sectors);
  c->f1_bad = r->f1.valid && !c->f1;
  c->change_take = c->commit || (r->change && trk_pipe_empty(m, c) && !r->open && !r->in_ready && open && !r->held.valid && !r->insert &&
                   !r->pool && !r->states_in && !r->tokens_in && !r->filling && !r->clearing);
}

/* What a save or load does. */
static void decide_context(const model *m, struct trk_cycle *c) {
  c->save = m->shell.port.r.save;
  c->loads = m->shell.port.r.load;
  c->commit = m->shell.port.r.commit && !simt_shell_clears(&m->shell) && !m->shell.clearing;
  const unsigned put_kind = m->ctx.head % 8;
  const bool rooms[] = {false, m->r.pool != m->l.entries, m->r.states_in != m->l.state_q, m->r.tokens_in != m->l.flush_q, m->r.fasts_in != m->l.fast_q};
  bool put = m->ctx.put && rooms[put_kind];
  c->overflows = m->ctx.put && !put;
  c->put_fast = put && put_kind == TRK_A_FAST;
  c->puts = put && !c->put_fast;
  c->committed = c->loads && (m->ctx.head >> 3 & 1);
  c->issues = m->ctx.pace == TRK_ISSUE && m->ctx.head % 8 == TRK_A_WAVE && (m->ctx.head >> 3 & 1) && !m->ctx.bad;
}

void trk_decide(const struct trk_model *m, const uint32_t *in, struct trk_cycle *c) {
  const size_t half = offsetof(struct trk_cycle, f1_bad), all = offsetof(struct trk_cycle, p);
  memset(c, 0, half); /* in two parts of which each is a few moves */
  memset((char *)c + half, 0, all - half);
  c->path[0] = c->path[1] = (struct trk_path_cycle){0};
  c->closed = trk_closed(m);
  if (m->l.status) decide_context(m, c);
  decide_ports(m, in, c);
  decide_input(m, c);
  decide_check(m, c);
  decide_commit(m, c);
  decide_leave(m, c);
}
