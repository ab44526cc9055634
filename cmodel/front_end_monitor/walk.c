/* SPDX-License-Identifier: Apache-2.0 */
/* walk.c: which connection is stored, reset or restored next, and the hub's commands for its units (US-8). */
#include <string.h>

#include "front_end_monitor/model.h"

static unsigned after(const struct fem_model *m, unsigned conn) { return conn + 1 == m->l.conns ? 0 : conn + 1; }

/* Each: whether the connection is due now. */
static bool is_due(const struct fem_model *m, unsigned c) {
  const struct fem_domain *d = &m->s.domain[m->l.domain[c]];
  if (d->stage != FEM_MOVE || d->ending || !m->now.halted[c] || m->s.restored[c]) return false;
  return m->s.stored[c] ? !d->settle : !d->forced;
}

/* The choice of one connection a cycle; what it finds has been looked at `levels` cycles ago. */
static struct fem_visit choose(struct fem_model *m, struct fem_walk *n) {
  const struct fem_walk *w = &m->s.walk;
  unsigned levels = m->l.levels;
  struct fem_visit now = {w->next, w->state == FEM_SEEK, false, m->s.stored[w->next], m->s.lost[w->next], is_due(m, w->next)};
  struct fem_visit out = levels ? w->way[levels - 1] : now;
  out.valid = out.valid && out.word && w->state == FEM_SEEK;
  if (!levels) return out;
  memmove(n->way + 1, w->way, (levels - 1) * sizeof *n->way);
  n->way[0] = now;
  for (unsigned i = 0; i < levels && out.valid; i++) n->way[i].valid = false;
  return out;
}

/* Nothing new is begun: to be released, or stopped by an error. */
static bool stands(const struct fem_domain *d) { return d->ending || d->stage == FEM_STOP; }

static bool asks_hub(const struct fem_model *m, bool second, bool lost, const struct fem_domain *d) {
  if (!m->l.each) return true;
  if (lost && !second) return false; /* cleared by timeout: not stored over its image */
  return d->what == FEM_SWITCH || d->what == (second ? FEM_DO_RESTORE : FEM_SAVE);
}

static void look(struct fem_model *m, const struct fem_domain *d, bool resets, struct fem_walk *n) {
  const struct fem_walk *w = &m->s.walk;
  unsigned i = m->e.walk_domain;
  bool go = !d->ending && (d->stage == FEM_STORE || d->stage == FEM_RESTORE || d->stage == FEM_MOVE);
  n->unit = m->l.first[w->conn];
  n->load = m->l.each ? w->second : d->stage == FEM_RESTORE;
  n->slot = n->load ? m->s.regs.of[i].load_slot : m->s.regs.of[i].save_slot;
  n->base = n->load ? m->s.regs.of[i].load : m->s.regs.of[i].save;
  n->state = !go ? FEM_SEEK : asks_hub(m, w->second, w->lost, d) ? FEM_OFFER : resets ? FEM_RESETS : FEM_END;
}

static void answer(struct fem_model *m, const struct fem_domain *d, bool resets, bool last, unsigned error, struct fem_walk *n) {
  m->e.error = error;
  if (m->s.walk.stale) m->e.error = false;
  m->e.error_code = error;
  if (error || stands(d) || m->s.walk.stale) n->state = FEM_SEEK;
  else n->state = !last ? FEM_OFFER : resets ? FEM_RESETS : FEM_END;
  if (last) n->unit = m->l.first[m->s.walk.conn];
  else if (!error) n->unit++;
}

/* Whether software gives up the command that the walk is at work for. */
static bool restarts(const struct fem_model *m) {
  const struct fem_regs *r = &m->s.regs;
  return r->busy && r->waits == FEM_WAITS_NOT && r->write && r->addr == FEM_REG_COMMAND && r->domain == m->e.walk_domain &&
         (r->data == FEM_DO_RESTORE || r->data == FEM_EMPTY) && fem_stopped(&m->s.domain[r->domain]);
}

void fem_walk_look(struct fem_model *m, const uint32_t *in) {
  const struct fem_walk *w = &m->s.walk;
  struct fem_events *e = &m->e;
  struct fem_walk *n = &e->walk_next;
  e->walk_domain = m->l.domain[w->conn];
  const struct fem_domain *d = &m->s.domain[e->walk_domain], *only = &m->s.domain[0];
  bool last = w->unit + 1 == m->l.first[w->conn + 1], resets = m->l.each && !w->second && d->what != FEM_SAVE;
  *n = *w;
  e->works[e->walk_domain] = w->state != FEM_SEEK;
  struct fem_visit v = {w->next, w->state == FEM_SEEK && !only->ending && (only->stage == FEM_STORE || only->stage == FEM_RESTORE),
                        false, false, false, 0};
  if (m->l.each) {
    v = choose(m, n);
    n->next = after(m, w->state == FEM_SEEK ? w->next : w->conn);
  } else if (w->state == FEM_END) {
    n->next = after(m, w->next);
  }
  switch (w->state) {
  case FEM_SEEK:
    if (!v.valid) break;
    n->state = FEM_LOOK;
    n->conn = v.conn;
    n->second = v.second;
    n->lost = v.lost;
    break;
  case FEM_LOOK: look(m, d, resets, n); break;
  case FEM_OFFER:
    if (in[m->p.hub_ready]) n->state = FEM_AWAIT;
    break;
  case FEM_AWAIT:
    if (in[m->p.hub_done]) answer(m, d, resets, last, in[m->p.hub_error], n);
    break;
  case FEM_RESETS:
    /* Once one unit of a connection is reset, all are: a retry would store it again. */
    e->reset_one = (!stands(d) || w->unit != m->l.first[w->conn]) && !restarts(m);
    e->reset_which = m->l.kind == SIMT_PER_GROUP ? w->conn : w->unit;
    if (!e->reset_one) n->state = FEM_SEEK;
    else if (m->l.kind == SIMT_PER_GROUP || last) n->state = FEM_END;
    n->unit++;
    break;
  case FEM_END:
    e->first = m->l.each && !w->second && !(d->what == FEM_SAVE && w->lost); /* else nothing was done with it */
    e->done = !m->l.each || w->second || d->what == FEM_SAVE;
    n->state = FEM_SEEK;
    break;
  }
  n->stale = w->state != FEM_SEEK && n->state != FEM_SEEK && (w->stale || restarts(m));
}

void fem_walk_step(struct fem_model *m) {
  const struct fem_walk *w = &m->s.walk;
  if (m->l.each && w->state == FEM_END) {
    m->s.stored[w->conn] = true;
    m->s.restored[w->conn] = m->e.done;
  }
  for (unsigned c = 0; m->l.each && c < m->l.conns; c++)
    if (m->e.start[m->l.domain[c]]) m->s.stored[c] = m->s.restored[c] = false;
  m->s.walk = m->e.walk_next;
}
