/* SPDX-License-Identifier: Apache-2.0 */
/* front.c: where a request finds its place: at a line that is present, in a temporary line, or waiting. */
#include "atomic_merge/state.h"

struct am_view { /* what the request in the last stage of the front sees */
  struct am_model *m;
  const struct am_now *now;
  const struct am_request *r;
  uint64_t line;
  bool *kill; /* what stands behind it in the front is looked up anew */
};

static bool lacks(const struct am_view *v, enum am_counter what) {
  v->m->s.c.turned = what;
  return false;
}

static bool answer_fits(const struct am_view *v) { return v->m->s.fast.promised < AM_FIFO || lacks(v, AM_N_WAIT_ANSWER); }

/* Into the pipeline; with an answer unless its time comes later. */
static void issue(const struct am_view *v, bool answers, unsigned status, uint64_t data) {
  struct am_state *s = &v->m->s;
  s->stage[0] = (struct am_stage){.valid = true, .answers = answers, .answer = {v->r->tid, status, data}};
  s->fast.promised += answers;
  am_count_later(v->m, status == AM_REFUSED || status == AM_LIVE ? AM_N_REFUSED : (enum am_counter)v->r->op);
}

static bool answer_now(const struct am_view *v, unsigned status, uint64_t data) {
  if (!answer_fits(v)) return false;
  issue(v, true, status, data);
  return true;
}

static struct am_line *present(const struct am_view *v) {
  const struct am_layout *l = &v->m->l;
  struct am_line *set = &v->m->s.line[v->line % l->sets * l->ways];
  for (unsigned i = 0; i < l->ways; i++)
    if (set[i].valid && set[i].line == v->line) return &set[i];
  return NULL;
}

static bool perform(const struct am_view *v, struct am_line *line) {
  if (!answer_fits(v)) return false;
  uint64_t data = am_perform(&v->m->l, line->data, v->r);
  line->dirty |= v->r->op != AM_LOAD;
  issue(v, true, AM_OK, data);
  am_witness_later(v->m, AM_PERFORMED, v->r->tid, 0);
  if (am_is_atomic(v->r->op)) am_count_later(v->m, AM_N_IN_PLACE);
  v->m->s.n_hits++;
  return true;
}

static unsigned free_slot(const struct am_view *v) {
  unsigned i = 0;
  while (i < v->m->l.old_lines && v->m->s.slots_seen >> i & 1) i++;
  return i;
}

/* There is an entry and, unless the list has one already, a slot for its answers. */
static bool may_hold(const struct am_view *v, bool has_slot) {
  if (!v->now->n_entries) return lacks(v, AM_N_WAIT_ENTRY);
  return has_slot || free_slot(v) < v->m->l.old_lines || lacks(v, AM_N_WAIT_SLOT);
}

/* The request takes an entry at the end of a list, and the slot of that list with the first one. */
static struct am_entry *hold(const struct am_view *v, struct am_list *list, bool *has_slot, unsigned *slot) {
  struct am_state *s = &v->m->s;
  if (!*has_slot) {
    *slot = free_slot(v);
    s->slot_used |= 1u << *slot;
    *has_slot = *v->kill = true;
  }
  unsigned e = s->free_entry[--s->n_free];
  s->n_entries--;
  s->entry[e].req = *v->r;
  am_append(s, list, e);
  return &s->entry[e];
}

static struct am_temp *temp_of(const struct am_view *v, unsigned miss, unsigned i) {
  return &v->m->s.temp[i * v->m->l.misses + miss];
}

static void block_words(const struct am_view *v, unsigned miss, const struct am_temp *except) {
  for (unsigned i = 0; i < v->m->l.max_temps; i++)
    if (temp_of(v, miss, i) != except) temp_of(v, miss, i)->blocked |= am_words(&v->m->l, v->r);
}

static bool wait_for_line(const struct am_view *v, unsigned miss, enum am_counter why) {
  struct am_miss *w = &v->m->s.miss[miss];
  if (!may_hold(v, w->has_slot)) return false;
  hold(v, &w->events, &w->has_slot, &w->slot);
  block_words(v, miss, NULL);
  issue(v, false, 0, 0);
  am_count_later(v->m, why);
  v->m->s.n_waits++;
  return true;
}

static bool relaxed(const struct am_view *v) { return v->r->mode == AM_RELAXED; }

static bool parks(const struct am_view *v) { return !relaxed(v) || am_keeps(&v->m->l, v->r->op); }

static bool may_join(const struct am_view *v, bool has_slot) {
  return (!parks(v) || may_hold(v, has_slot)) && (!relaxed(v) || answer_fits(v));
}

static bool join(const struct am_view *v, unsigned miss, struct am_temp *t) {
  struct am_state *s = &v->m->s;
  if (!may_join(v, t->has_slot)) return false;
  unsigned fresh;
  uint64_t value = am_accumulate(&v->m->l, t, v->r, &fresh);
  if (parks(v)) {
    struct am_entry *e = hold(v, &t->parked, &t->has_slot, &t->slot);
    e->value = value;
    e->fresh = fresh;
  }
  if (relaxed(v) && t->relaxed < (1u << AM_LOST_W) - 1) t->relaxed++;
  block_words(v, miss, t);
  issue(v, relaxed(v), AM_OK, 0);
  am_witness_later(v->m, AM_JOINED, v->r->tid, (unsigned)(t - s->temp));
  am_count_later(v->m, AM_N_ACCUMULATED);
  s->n_joins++;
  return true;
}

static bool same_tag(const struct am_temp *t, const struct am_request *r) {
  uint64_t mask = r->size == 3 ? ~(uint64_t)0 : UINT32_MAX;
  return t->valid && t->op == r->op && (am_is_bitwise(r->op) || t->size == r->size) &&
         (!am_compares(r->op) || !((t->compare ^ r->compare) & mask));
}

/* A temporary line is opened, and the request joins it in the same cycle. */
static bool open_temp(const struct am_view *v, unsigned miss, struct am_temp *t) {
  struct am_state *s = &v->m->s;
  unsigned number = (unsigned)(t - s->temp);
  if (!may_join(v, false)) return false;
  t->valid = true;
  t->has_slot = false;
  t->op = v->r->op;
  t->size = v->r->size;
  t->compare = v->r->compare;
  t->relaxed = t->set = t->blocked = 0;
  t->parked.any = false;
  am_append(s, &s->miss[miss].events, v->m->l.stall_buf + number);
  *v->kill = true;
  return join(v, miss, t);
}

static bool at_missing(const struct am_view *v, unsigned miss) {
  struct am_temp *room = NULL;
  unsigned open = 0;
  for (unsigned i = 0; i < v->m->l.max_temps && am_merges(&v->m->l, v->r->op); i++) {
    struct am_temp *t = temp_of(v, miss, i);
    if (same_tag(t, v->r)) return t->blocked & am_words(&v->m->l, v->r) ? wait_for_line(v, miss, AM_N_WAITED_TURN) : join(v, miss, t);
    open += t->valid;
    if (!t->valid && !room) room = t;
  }
  bool opens = room && am_merges(&v->m->l, v->r->op) && (!open || am_opens_extra(&v->m->l, v->r->op));
  if (!opens) return wait_for_line(v, miss, am_merges(&v->m->l, v->r->op) ? AM_N_WAITED_TAG : AM_N_WAITED_PLAIN);
  bool opened = open_temp(v, miss, room);
  if (opened && open) am_count_later(v->m, AM_N_EXTRA);
  return opened;
}

static unsigned victim(const struct am_model *m, const struct am_line *set) {
  for (unsigned i = 0; i < m->l.ways; i++) {
    unsigned way = (m->s.turn + i) % m->l.ways;
    if (!set[way].reserved) return way;
  }
  return m->l.ways;
}

static bool fetch(const struct am_view *v) {
  struct am_state *s = &v->m->s;
  const struct am_layout *l = &v->m->l;
  unsigned miss = 0, way = 0, first = (unsigned)(v->line % l->sets) * l->ways;
  while (miss < l->misses && s->miss[miss].valid) miss++;
  if (miss == l->misses) return lacks(v, AM_N_WAIT_MISS);
  while (way < l->ways && (s->line[first + way].valid || s->line[first + way].reserved)) way++;
  if (way < l->ways) {
    bool atomic = am_merges(l, v->r->op);
    if (!(atomic ? may_join(v, false) : may_hold(v, false))) return false;
    s->line[first + way].reserved = true;
    s->miss[miss] = (struct am_miss){.valid = true, .line = v->line, .place = first + way};
    for (unsigned i = 0; i < l->max_temps; i++) temp_of(v, miss, i)->valid = false;
    s->opened = miss;
    s->opens = *v->kill = true;
    return atomic ? open_temp(v, miss, temp_of(v, miss, 0)) : wait_for_line(v, miss, AM_N_WAITED_PLAIN);
  }
  lacks(v, AM_N_WAIT_WAY);
  way = victim(v->m, &s->line[first]);
  if (way == l->ways || v->now->rel_busy) return false;
  s->start = AM_START_EVICTION;
  s->start_at = first + way;
  return false;
}

static bool fence(const struct am_view *v) {
  struct am_state *s = &v->m->s;
  for (unsigned i = 0; i < v->m->l.misses; i++)
    if (s->miss[i].valid) return lacks(v, AM_N_WAIT_FENCE);
  if (v->r->op == AM_FLUSH && !s->flush_done) {
    s->start = AM_START_FLUSH;
    return lacks(v, AM_N_WAIT_FENCE);
  }
  if (v->r->op == AM_FLUSH && v->now->rel_busy) return lacks(v, AM_N_WAIT_FENCE);
  if (!answer_now(v, AM_OK, 0)) return false;
  if (v->r->op == AM_FLUSH) *v->kill = true, s->flush_done = false;
  return true;
}

bool am_decide(struct am_model *m, const struct am_now *now, bool *kill) {
  struct am_state *s = &m->s;
  const struct am_request *r = &s->queue[s->front[AM_DECIDES].at % m->l.queue];
  struct am_view v = {m, now, r, r->addr >> m->l.line_lg, kill};
  if (r->live) return answer_now(&v, AM_LIVE, 0);
  if (am_bad(&m->l, r)) return answer_now(&v, AM_REFUSED, 0);
  if (r->op == AM_FENCE || r->op == AM_FLUSH) return fence(&v);
  struct am_line *line = present(&v);
  if (line) return perform(&v, line);
  for (unsigned i = 0; i < m->l.misses; i++)
    if (s->miss[i].valid && s->miss[i].line == v.line) return at_missing(&v, i);
  return fetch(&v);
}
