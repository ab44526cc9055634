/* SPDX-License-Identifier: Apache-2.0 */
/* engine.c: what stops the front: a line arrives and is merged, a line leaves. */
#include <string.h>

#include "atomic_merge/state.h"

static bool is_fill(const struct am_home_word *w) { return w->valid && !w->snoop; }

/* Beats of a line that arrives may not come in while another line uses the room. */
static bool arriving(enum am_engine e) { return (e >= AM_ARRIVE && e <= AM_LAST) || e == AM_SETTLE || e == AM_READY || e == AM_ITEMS || e == AM_MERGED_ITEMS; }

bool am_asked(const struct am_model *m) {
  return m->s.beats || m->s.home_asked;
}

bool am_event_due(const struct am_model *m) {
  const struct am_home_word *h = &m->s.home;
  if (m->l.beats > 1 && m->s.beats == m->l.beats - 1) return true;
  if (is_fill(h) && (h->error || m->l.beats == 1) && am_asked(m)) return true;
  return h->valid && h->snoop && !m->s.rel_busy && !am_stops(m);
}

/* Beats but the last one, and what nobody asked for. */
static void take_home(struct am_model *m, const struct am_now *now) {
  struct am_state *s = &m->s;
  const struct am_home_word *h = &now->home;
  if (!is_fill(h) || arriving(now->engine)) return;
  if (!now->asked) {
    s->home.valid = false;
    s->unasked = true;
    return;
  }
  if (!now->beats) s->fill_tag = h->tag;
  if (h->error || now->beats == m->l.beats - 1) return;
  memcpy(&s->fill[now->beats * 4 * m->l.lanes], h->data, 4 * m->l.lanes);
  s->beats++;
  s->home.valid = false;
}

static bool is_merge(const struct am_model *m, unsigned event) { return event >= m->l.stall_buf; }

static void spool_later(struct am_state *s, unsigned slot, struct am_job job) {
  s->job[slot] = job;
  s->job_queue[s->n_jobs++] = slot;
}

/* The requests that are parked in a temporary line. */
static struct am_job parked(const struct am_model *m, const struct am_temp *t, bool failed) {
  return (struct am_job){.list = t->parked, .failed = failed, .keep = am_keeps(&m->l, t->op), .slow = am_is_unit(t->op)};
}

/* A snoop that came meanwhile is served at once. */
static void end_arrival(struct am_model *m, const struct am_now *now) {
  struct am_state *s = &m->s;
  struct am_miss *w = &s->miss[s->fill_tag];
  struct am_line *line = &s->line[w->place];
  line->reserved = false;
  if (w->has_slot) spool_later(s, w->slot, (struct am_job){.list = s->done, .done = true, .failed = s->error});
  if (!s->error) {
    line->valid = true;
    s->c.here++;
    am_count(m, AM_N_FILLS);
    line->line = w->line;
  }
  w->valid = false;
  s->engine = AM_RUN;
  if (!now->home.valid || !now->home.snoop || now->rel_busy || now->stops) return;
  s->engine = AM_LOOK;
  s->for_snoop = true;
}

/* Behind an event: the next one, or the end. */
static void after_event(struct am_model *m, const struct am_now *now) {
  struct am_state *s = &m->s;
  if (s->event == s->miss[s->fill_tag].events.tail) {
    if (s->done.any) s->engine = AM_LAST;
    else end_arrival(m, now);
    return;
  }
  s->event = s->next;
  s->engine = AM_EVENT;
}

static void await_last_beat(struct am_model *m, const struct am_now *now) {
  struct am_state *s = &m->s;
  struct am_line *line = &s->line[s->miss[s->fill_tag].place];
  if (!now->drained || !is_fill(&now->home)) return;
  s->home.valid = s->miss[s->fill_tag].fetched = false;
  s->beats = 0;
  s->error = now->home.error;
  s->count = 0;
  s->first = true;
  s->use = is_merge(m, s->event);
  if (s->error) {
    s->engine = AM_EVENT;
    return;
  }
  memcpy(&s->fill[(m->l.beats - 1) * 4 * m->l.lanes], now->home.data, 4 * m->l.lanes);
  memcpy(line->data, s->fill, m->l.line_bytes);
  line->dirty = false;
  s->engine = AM_PASS;
}

static void finish_merge(struct am_model *m, const struct am_now *now);

static void merge_pass(struct am_model *m, const struct am_now *now) {
  struct am_state *s = &m->s;
  if (s->count == 0) s->next = s->entry[s->event].next;
  unsigned cycles = m->l.beats > 2 ? m->l.beats : 2; /* the first beat is written before another pass reads it */
  if (s->use && am_is_modulo(s->temp[s->event - m->l.stall_buf].op)) cycles++;
  if (s->count++ < cycles) return;
  if (!s->use) {
    s->engine = AM_EVENT;
    return;
  }
  if (!am_is_by_items(s->temp[s->event - m->l.stall_buf].op)) {
    finish_merge(m, now);
    return;
  }
  s->engine = AM_ITEMS; /* the line is copied; its items follow one by one */
  s->count = 0;
  s->halves = s->temp[s->event - m->l.stall_buf].size == 3 ? 1 : 2;
}

/* The lower words of all pairs, then the upper ones; pairs of 64 bits at once. */
static void merge_item(struct am_model *m) {
  struct am_state *s = &m->s;
  s->stage[0] = (struct am_stage){.valid = true};
  const unsigned pairs = m->l.line_bytes / 8;
  if (++s->count < pairs) return;
  s->count = 0;
  if (!--s->halves || pairs < m->l.apart) s->engine = AM_MERGED_ITEMS;
}

static void finish_merge(struct am_model *m, const struct am_now *now) {
  struct am_state *s = &m->s;
  struct am_line *line = &s->line[s->miss[s->fill_tag].place];
  unsigned number = s->event - m->l.stall_buf;
  struct am_temp *t = &s->temp[number];
  if (t->has_slot) {
    memcpy(s->old[t->slot], line->data, m->l.line_bytes);
    spool_later(s, t->slot, parked(m, t, false));
  }
  am_merge(&m->l, t, line->data);
  line->dirty = true;
  t->valid = false;
  am_witness(m, AM_MERGED, 0, number);
  am_count(m, AM_N_MERGES);
  s->n_merges++;
  after_event(m, now);
}

static void next_event(struct am_model *m, const struct am_now *now) {
  struct am_state *s = &m->s;
  if (now->stops) return;
  if (!is_merge(m, s->event)) {
    if (m->l.apart <= 3 || now->drained) s->engine = AM_READ; /* else the one before might take longer */
  } else if (s->error) {
    s->engine = AM_DROP;
  } else if (now->drained) {
    s->engine = AM_PASS;
    s->count = 0;
    s->first = false;
    s->use = true;
  }
}

static void drop_temp(struct am_model *m, const struct am_now *now) {
  struct am_state *s = &m->s;
  unsigned number = s->event - m->l.stall_buf;
  struct am_temp *t = &s->temp[number];
  if (t->has_slot) spool_later(s, t->slot, parked(m, t, true));
  if (t->relaxed && !s->lost) s->lost_line = s->miss[s->fill_tag].line;
  s->lost += t->relaxed;
  if (s->lost >= 1u << AM_LOST_W) s->lost = (1u << AM_LOST_W) - 1;
  t->valid = false;
  am_witness(m, AM_DROPPED, 0, number);
  am_count(m, AM_N_DROPS);
  s->next = s->entry[s->event].next;
  after_event(m, now);
}

static void inject(struct am_model *m) {
  struct am_state *s = &m->s;
  struct am_entry *e = &s->entry[s->event];
  struct am_line *line = &s->line[s->miss[s->fill_tag].place];
  if (!s->error) {
    e->value = am_perform(&m->l, line->data, &e->req);
    line->dirty |= e->req.op != AM_LOAD;
    s->stage[0] = (struct am_stage){.valid = true};
    am_witness_later(m, AM_PERFORMED, e->req.tid, 0);
  }
  unsigned event = s->event;
  bool last = event == s->miss[s->fill_tag].events.tail;
  am_append(s, &s->done, event);
  s->event = s->next;
  s->engine = last ? AM_LAST : AM_EVENT;
}

static void match(struct am_model *m) {
  struct am_state *s = &m->s;
  const struct am_layout *l = &m->l;
  s->found = true;
  s->engine = AM_FOUND;
  if (!s->for_snoop) {
    s->rel_line = s->line[s->where].line;
    return;
  }
  unsigned first = (unsigned)(s->home.line % l->sets) * l->ways;
  s->found = false;
  s->rel_line = s->home.line;
  for (unsigned i = 0; i < l->ways; i++)
    if (s->line[first + i].valid && s->line[first + i].line == s->home.line) {
      s->found = true;
      s->where = first + i;
    }
}

static void line_gone(struct am_model *m) {
  struct am_state *s = &m->s;
  struct am_line *line = &s->line[s->where];
  if (s->found) {
    s->rel_busy = true;
    s->rel_beat = 0;
    s->rel_dirty = line->dirty;
    line->valid = false;
    s->c.here--;
    am_count(m, AM_N_RELEASES);
  }
  if (s->for_snoop) s->home.valid = false;
  s->engine = s->walking ? AM_WALK : AM_RUN;
}

/* A flush asks every line in turn to leave. */
static void walk(struct am_model *m, const struct am_now *now) {
  struct am_state *s = &m->s;
  if (now->stops) return;
  if (s->flushed == m->l.lines) {
    s->flush_done = true;
    s->walking = false;
    s->engine = AM_RUN;
  } else if (!s->line[s->flushed].valid) {
    s->flushed++;
    s->engine = AM_WALK;
  } else if (!now->rel_busy) {
    s->where = s->flushed;
    s->engine = AM_LOOK;
  }
}

static void begin(struct am_model *m, const struct am_now *now) {
  struct am_state *s = &m->s;
  s->for_snoop = false;
  if (now->start == AM_START_EVICTION) {
    s->where = now->start_at;
    s->turn = (s->turn + 1) % m->l.ways;
    s->n_evictions++;
    am_count(m, AM_N_EVICTIONS);
    s->engine = AM_LOOK;
  } else if (now->start == AM_START_FLUSH || now->asks) {
    s->walking = true;
    s->flushed = 0;
    s->engine = AM_WALK;
  } else if (now->due) {
    s->for_snoop = now->home.valid && now->home.snoop;
    s->engine = s->for_snoop ? AM_LOOK : AM_ARRIVE;
  }
}

static void take(struct am_model *m, const struct am_now *now) {
  struct am_state *s = &m->s;
  if (!s->found) {
    line_gone(m);
  } else if (now->drained) {
    s->count = 0;
    if (s->line[s->where].dirty) s->engine = AM_COPY;
    else line_gone(m);
  }
}

void am_engine(struct am_model *m, const struct am_now *now) {
  struct am_state *s = &m->s;
  const struct am_list *events = &s->miss[s->fill_tag].events;
  switch (now->engine) {
  case AM_RUN: begin(m, now); break;
  case AM_ARRIVE: s->engine = AM_SETTLE; break;
  case AM_SETTLE: s->engine = AM_READY; break;
  case AM_READY:
    s->event = events->head;
    s->done.any = false;
    s->engine = AM_AWAIT;
    break;
  case AM_AWAIT: await_last_beat(m, now); break;
  case AM_PASS: merge_pass(m, now); break;
  case AM_ITEMS: merge_item(m); break;
  case AM_MERGED_ITEMS:
    if (now->drained && s->halves) s->engine = AM_ITEMS;
    else if (now->drained) finish_merge(m, now);
    break;
  case AM_EVENT: next_event(m, now); break;
  case AM_DROP: drop_temp(m, now); break;
  case AM_READ:
    s->next = s->entry[s->event].next;
    s->engine = AM_INJECT;
    break;
  case AM_INJECT: inject(m); break;
  case AM_LAST:
    if (now->drained) end_arrival(m, now);
    break;
  case AM_WALK: s->engine = AM_STEP; break;
  case AM_STEP: walk(m, now); break;
  case AM_LOOK: s->engine = AM_MATCH; break;
  case AM_MATCH: match(m); break;
  case AM_FOUND: s->engine = AM_TAKE; break;
  case AM_TAKE: take(m, now); break;
  case AM_COPY:
    if (++s->count < m->l.beats) break; /* the first row was addressed in AM_TAKE */
    memcpy(s->rel, s->line[s->where].data, m->l.line_bytes);
    line_gone(m);
    break;
  }
  take_home(m, now);
}
