/* SPDX-License-Identifier: Apache-2.0 */
/* flush.c: the passes of a flush through the operation pipeline (docs/stack_cache_status.md, Flush). */
#include "thread.h"

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
  if (f->ends && !s->fault && dirty > 1) f->left = true;
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

static void next_threads(struct sc_model *m) {
  struct sc_flush *f = &m->u.passes;
  if (!f->ends) return;
  const int lane = f->b.lane;
  f->lane[lane].spilled = 0;
  f->lane[lane].active = f->more;
  if (!f->more) return;
  f->lane[lane].thread = f->next;
  f->more = ++f->next < m->l.threads;
}

void sc_flush_end(struct sc_model *m) {
  struct sc_unit *u = &m->u;
  struct sc_flush *f = &u->passes;
  const bool active = f->lane[0].active || f->lane[1].active, starts = u->flush_starts && !f->on && !f->done;
  const bool empty = !active && !f->b.valid && !f->read.valid && !m->r.ec_busy;
  const bool lane = f->lane[f->slot].active ? f->slot : !f->slot;
  const bool a = u->flushing && f->on && active && !u->walks;
  const unsigned thread = f->lane[lane].thread;
  flush_reads(m);
  if (u->clears && u->acks) f->read.valid = m->r.ec.request = false; /* what is not offered is dropped */
  if (!u->flushing) {
    f->on = f->done = f->acks = f->left = f->lane[0].active = f->lane[1].active = false;
  } else if (starts) {
    f->on = f->acks = f->lane[0].active = true;
    f->left = false;
    f->lane[1].active = m->l.threads > 1;
    f->lane[0].thread = f->lane[0].spilled = f->lane[1].spilled = 0;
    f->lane[1].thread = 1;
    f->next = 2;
    f->more = m->l.threads > 2;
  } else {
    next_threads(m);
    if (f->on && empty) f->on = false, f->done = !f->left;
  }
  f->slot = !starts && !f->slot;
  f->b.valid = a;
  f->b.lane = lane;
  f->b.thread = thread;
  f->spills = f->ends = false;
}
