/* SPDX-License-Identifier: Apache-2.0 */
/* flush.c: the passes of a flush through the operation pipeline (docs/stack_cache_status.md, Flush). */
#include "stack_cache/thread.h"

/* What B finds of the thread of a pass. */
bool sc_flush_b(struct sc_model *m) {
  struct sc_flush *f = &m->u.passes;
  struct sc_stack *s = &m->thread[f->b.thread].s;
  const bool hold = f->read.valid && m->r.stall;
  const int lane = f->b.lane;
  if (hold || !m->u.flushing || !f->lane[lane].active || f->lane[lane].thread != f->b.thread) return false;
  const int32_t dirty = top_set(m, s) + 1 - s->S;
  const bool full = f->lane[lane].spilled + 1 == m->l.inflight;
  if (!s->fault && dirty > 0) {
    const uint32_t entries = s->count - ((uint32_t)s->S << m->l.set_lg);
    f->spills = true;
    f->found.thread = f->b.thread;
    f->found.set = s->S++;
    f->found.entries = entries < m->l.set ? entries : m->l.set;
    s->off = 0;
    f->lane[lane].spilled++;
  }
  f->ends = s->fault || dirty <= 1 || full;
  if (f->ends && !s->fault && dirty > 1) put_bit(f->again, f->b.thread, true);
  return f->spills;
}

/* The next set is read out, the one before it goes on to EC. */
static void flush_reads(struct sc_model *m) {
  struct sc_flush *f = &m->u.passes;
  struct sc_ec *ec = &m->r.ec;
  if (f->read.valid && !m->r.stall) {
    sc_engine_request(m, f->read.thread, f->read.set, true);
    ec->entries = f->read.entries;
  }
  if (f->read.valid && m->r.stall) return;
  f->read = f->found;
  f->read.valid = f->spills;
}

static void find_dirty(struct sc_model *m) {
  for (unsigned t = 0; t < m->l.threads; t++) {
    const struct sc_stack *s = &m->thread[t].s;
    put_bit(m->u.passes.todo, t, !s->fault && top_set(m, s) >= s->S);
  }
}

/* The lowest thread that waits, or -1. */
static int first_of(const struct sc_model *m) {
  for (unsigned i = 0; i < m->words; i++)
    if (m->u.passes.todo[i]) return (int)(32 * i + (unsigned)__builtin_ctz(m->u.passes.todo[i]));
  return -1;
}

/* A lane whose thread has no other set is free; one that is takes the next thread. */
static void next_threads(struct sc_model *m, int next) {
  struct sc_flush *f = &m->u.passes;
  if (f->ends) {
    f->lane[f->b.lane].active = false;
    f->lane[f->b.lane].spilled = 0;
  }
  const int lane = f->lane[0].active;
  if (next < 0 || f->lane[lane].active) return;
  f->lane[lane].active = true;
  f->lane[lane].thread = (unsigned)next;
  put_bit(f->todo, (unsigned)next, false);
}

static void round_ends(struct sc_model *m) {
  struct sc_flush *f = &m->u.passes;
  memcpy(f->todo, f->again, sizeof f->todo);
  memset(f->again, 0, sizeof f->again);
  f->left = first_of(m) >= 0;
  f->on = false;
  f->done = !f->left;
}

void sc_flush_end(struct sc_model *m) {
  struct sc_unit *u = &m->u;
  struct sc_flush *f = &u->passes;
  const bool active = f->lane[0].active || f->lane[1].active, starts = u->flush_starts && !f->on && !f->done;
  const int next = first_of(m);
  const bool empty = !active && next < 0 && !f->b.valid && !f->read.valid && !m->r.ec_busy;
  const bool lane = f->lane[f->slot].active ? f->slot : !f->slot;
  const bool a = u->flushing && f->on && active && !u->walks;
  const unsigned thread = f->lane[lane].thread;
  flush_reads(m);
  if (u->clears && u->acks) f->read.valid = m->r.ec.request = false; /* what is not offered is dropped */
  if (!u->flushing) {
    f->on = f->done = f->acks = f->left = f->lane[0].active = f->lane[1].active = false;
    memset(f->again, 0, sizeof f->again);
  } else if (starts) {
    f->on = f->acks = true;
    f->lane[0].active = f->lane[1].active = false;
    f->lane[0].spilled = f->lane[1].spilled = 0;
    if (!f->left) find_dirty(m);
  } else if (f->on && empty) {
    round_ends(m);
  } else if (f->on) {
    next_threads(m, next);
  }
  for (unsigned i = 0; u->flushing && i < m->words; i++) { /* one that an error marks is left out */
    f->todo[i] &= ~m->faulted[i];
    f->again[i] &= ~m->faulted[i];
  }
  f->slot = !starts && !f->slot;
  f->b.valid = a;
  f->b.lane = lane;
  f->b.thread = thread;
  f->spills = f->ends = false;
}
