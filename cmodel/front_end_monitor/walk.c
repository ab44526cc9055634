/* SPDX-License-Identifier: Apache-2.0 */
/* walk.c: the walker (US-8), after the page docs/front_end_monitor.md, "The walker": which connection is stored, reset or
 * restored next, and the hub's commands for its units. */
#include "front_end_monitor/model.h"

static unsigned behind(const struct fem_layout *l, unsigned conn) { return conn + 1 == l->conns ? 0 : conn + 1; }

/* One by one: what a look at a connection tells. */
static struct fem_sight look_at(const struct fem_model *m, unsigned c) {
  const struct fem_domain *d = &m->s.domain[m->l.domain[c]];
  struct fem_sight sight = {.conn = c, .second = m->s.stored[c], .lost = m->s.lost[c]};
  const bool moves = d->stage == FEM_MOVE && !d->ending && m->now.halted[c] && !m->s.restored[c];
  sight.due = moves && (sight.second ? m->s.now >= d->settles : !d->forced);
  return sight;
}

/* The connection that the search finds in this cycle. One by one the answer to a look comes `levels` cycles behind it, and
 * looks of an earlier search do not count. */
static struct fem_sight search(const struct fem_model *m, struct fem_walk *n) {
  const struct fem_domain *only = &m->s.domain[0];
  const uint64_t now = m->s.now;
  const unsigned levels = m->l.levels;
  if (!m->l.each)
    return (struct fem_sight){.conn = n->next, .due = !only->ending && (only->stage == FEM_STORE || only->stage == FEM_RESTORE)};
  n->sights[now % FEM_PIPE] = look_at(m, n->next);
  n->next = behind(&m->l, n->next);
  if (now < n->seeks_from + levels) return (struct fem_sight){.due = false};
  return n->sights[(now - levels) % FEM_PIPE];
}

/* The domain begins nothing more: it is to be released, or an error has stopped it. */
static bool stands(const struct fem_domain *d) { return d->ending || d->stage == FEM_STOP; }

/* Whether the hub has anything to do for the connection. */
static bool moves_context(const struct fem_model *m, const struct fem_walk *w, const struct fem_domain *d) {
  if (!m->l.each) return true;
  if (w->second) return d->what == FEM_SWITCH || d->what == FEM_DO_RESTORE;
  return (d->what == FEM_SWITCH || d->what == FEM_SAVE) && !w->lost; /* what the timeout has cleared is not stored */
}

/* The step behind the last context of a connection. */
static enum fem_walk_state behind_contexts(const struct fem_model *m, const struct fem_walk *w, const struct fem_domain *d) {
  return m->l.each && !w->second && d->what != FEM_SAVE ? FEM_RESETS : FEM_END;
}

static void look_up(const struct fem_model *m, const struct fem_domain *d, struct fem_walk *n) {
  const unsigned i = m->e.walk_domain;
  const bool works = m->l.each ? d->stage == FEM_MOVE : d->stage == FEM_STORE || d->stage == FEM_RESTORE;
  n->unit = m->l.first[n->conn];
  n->load = m->l.each ? n->second : d->stage == FEM_RESTORE;
  n->slot = n->load ? m->s.regs.of[i].load_slot : m->s.regs.of[i].save_slot;
  n->base = n->load ? m->s.regs.of[i].load : m->s.regs.of[i].save;
  if (!works || d->ending) n->state = FEM_SEEK;
  else n->state = moves_context(m, n, d) ? FEM_OFFER : behind_contexts(m, n, d);
}

static void answered(struct fem_model *m, const struct fem_domain *d, unsigned error, struct fem_walk *n) {
  const bool last = n->unit + 1 == m->l.first[n->conn + 1];
  m->e.error = error && !n->stale; /* of a command that was given up, it counts no more */
  m->e.error_code = error;
  if (error || n->stale || stands(d)) n->state = FEM_SEEK;
  else n->state = last ? behind_contexts(m, n, d) : FEM_OFFER;
  if (last) n->unit = m->l.first[n->conn];
  else if (!error) n->unit++;
}

/* Whether software gives up, in this cycle, the command that the walk is at work for. */
static bool is_given_up(const struct fem_model *m) {
  const struct fem_regs *r = &m->s.regs;
  const bool command = r->busy && r->waits == FEM_WAITS_NOT && r->write && r->addr == FEM_REG_COMMAND;
  return command && r->domain == m->e.walk_domain && (r->data == FEM_DO_RESTORE || r->data == FEM_EMPTY) &&
         fem_stopped(&m->s.domain[r->domain]);
}

/* A reset in each cycle. Once one unit of a connection is reset, all are: a retry would store the cleared one again. */
static void reset_next(struct fem_model *m, const struct fem_domain *d, struct fem_walk *n) {
  const bool group = m->l.kind == SIMT_PER_GROUP, begun = n->unit != m->l.first[n->conn];
  const bool last = group || n->unit + 1 == m->l.first[n->conn + 1];
  m->e.reset_one = (begun || !stands(d)) && !is_given_up(m);
  m->e.reset_which = group ? n->conn : n->unit;
  n->unit++;
  if (!m->e.reset_one) n->state = FEM_SEEK;
  else if (last) n->state = FEM_END;
}

static void end(struct fem_model *m, const struct fem_domain *d, struct fem_walk *n) {
  const bool skipped = d->what == FEM_SAVE && n->lost; /* nothing was done with it */
  m->e.first = m->l.each && !n->second && !skipped;
  m->e.done = !m->l.each || n->second || d->what == FEM_SAVE;
  if (!m->l.each) n->next = behind(&m->l, n->next);
  n->state = FEM_SEEK;
}

void fem_walk_look(struct fem_model *m, const uint32_t *in) {
  const enum fem_walk_state state = m->s.walk.state;
  struct fem_walk *n = &m->e.walk_next;
  *n = m->s.walk;
  m->e.walk_domain = m->l.domain[n->conn];
  const struct fem_domain *d = &m->s.domain[m->e.walk_domain];
  m->e.works[m->e.walk_domain] = state != FEM_SEEK;
  if (m->l.each && state != FEM_SEEK) n->next = behind(&m->l, n->conn);
  switch (state) {
  case FEM_SEEK: {
    const struct fem_sight found = search(m, n);
    if (!found.due) break;
    n->state = FEM_LOOK;
    n->conn = found.conn;
    n->second = found.second;
    n->lost = found.lost;
    break;
  }
  case FEM_LOOK: look_up(m, d, n); break;
  case FEM_OFFER:
    if (in[m->p.hub_ready]) n->state = FEM_AWAIT;
    break;
  case FEM_AWAIT:
    if (in[m->p.hub_done]) answered(m, d, in[m->p.hub_error], n);
    break;
  case FEM_RESETS: reset_next(m, d, n); break;
  case FEM_END: end(m, d, n); break;
  }
  if (state != FEM_SEEK && n->state == FEM_SEEK) n->seeks_from = m->s.now + 1;
  n->stale = state != FEM_SEEK && n->state != FEM_SEEK && (n->stale || is_given_up(m));
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
