/* SPDX-License-Identifier: Apache-2.0 */
/* golden_dead.c: deadlocks as US-10 defines them: so many cycles in a row, as the window says, in each of which some
 * connection of the domain waits and none shows progress. The reports are those at the ports ceil(log4(connections))
 * cycles before; halt requests and writes count at once. */
#include <string.h>

#include "front_end_monitor/env.h"

enum { LATE_PART = 3 };

void fem_golden_dead_restart(struct fem_env *e) {
  memset(e->window, 0, sizeof e->window);
  memset(e->resume_due, 0, sizeof e->resume_due);
  memset(e->reset_due, 0, sizeof e->reset_due);
  memset(e->dead_conn, 0, sizeof e->dead_conn);
  memset(e->shown, 0, sizeof e->shown);
  memset(e->waits_all, 1, sizeof e->waits_all);
  for (unsigned k = 0; k < FEM_DOMAINS_MAX; k++) {
    e->window[k].window = e->l.usual_time;
    e->window[k].fresh = true;
    e->window[k].released = UINT32_MAX; /* long ago */
  }
}

/* Waits for nothing but input, as far as its report can tell. A resume is to help it; one that it did not help is as dead
 * as the others. */
static bool only_gathers(const struct fem_env *e, unsigned c, bool acted) { return e->named[c] & FEM_GATHER && !acted; }

/* With one line for all: those on it of this domain. */
static bool line_only_gathers(const struct fem_env *e, unsigned k, unsigned conn, bool acted) {
  if (e->l.kind != SIMT_BROADCAST) return only_gathers(e, conn, acted);
  bool some = false, others = false;
  for (unsigned c = 0; c < e->l.conns; c++) {
    if (e->l.dead[c] != k) continue;
    some |= only_gathers(e, c, acted);
    others |= e->named[c] & FEM_WAITING && !only_gathers(e, c, acted);
  }
  return some && !others;
}

static void act(struct fem_env *e, unsigned k, unsigned policy, bool acted) {
  for (unsigned u = 0; u < e->l.units; u++) {
    unsigned c = e->conn_of[u], line = fem_line(e, u);
    if (e->l.dead[c] != k) continue;
    bool resets = policy == FEM_RESET_ALL || (policy == FEM_RESET_MASK && fem_is(e->sw.mask, line));
    bool spared = resets && line_only_gathers(e, k, c, acted);
    if (spared) fem_hit(e, FEM_COVER_DEAD_SPARED);
    if (resets && !spared && e->named[c] & FEM_GATHER && acted) fem_hit(e, FEM_COVER_DEAD_UNMOVED);
    if (spared || (policy == FEM_RESUME && e->named[c] & FEM_GATHER)) e->resume_due[line] = true;
    if (resets && !spared) e->reset_due[line] = true;
  }
}

static void report(struct fem_env *e, unsigned k) {
  static const uint8_t point[] = {FEM_COVER_DEAD_REPORT, FEM_COVER_DEAD_RESUME, FEM_COVER_DEAD_MASK, FEM_COVER_DEAD_RESET};
  struct fem_window *w = &e->window[k];
  bool again = w->open, turns = true;
  unsigned policy = again && w->has_next ? w->next : w->policy;
  e->sw.irq_next |= FEM_IRQ_DEAD | (again ? FEM_IRQ_UNRESOLVED : 0u);
  if (!again && w->seen < e->l.most_time) w->seen++;
  w->open = true;
  fem_hit(e, (enum fem_cover)point[policy]);
  if (again && w->has_next) fem_hit(e, FEM_COVER_DEAD_NEXT);
  for (unsigned j = 0; j < e->l.deads; j++)
    if (j != k && e->window[j].progress) fem_hit(e, FEM_COVER_DEAD_ONE);
  for (unsigned c = 0; c < e->l.conns; c++) turns &= e->l.dead[c] != k || !e->waits_all[c];
  if (turns) fem_hit(e, FEM_COVER_DEAD_TURNS);
  act(e, k, policy, w->acted);
  w->acted |= policy != FEM_REPORT;
}

static void cover_cut(struct fem_env *e, const struct fem_window *w, bool waiting, bool progress, bool held) {
  if (!w->window || w->quiet + 1 != w->window) {
    if (held && w->window && w->quiet > w->window / 2) fem_hit(e, FEM_COVER_DEAD_HELD);
    return;
  }
  if (progress) fem_hit(e, FEM_COVER_DEAD_JUST_NOT);
  else if (!waiting) fem_hit(e, FEM_COVER_DEAD_GAP);
}

static void note_waits(struct fem_env *e, unsigned k, bool begins) {
  for (unsigned c = 0; c < e->l.conns; c++)
    if (e->l.dead[c] == k) e->waits_all[c] = (begins || e->waits_all[c]) && e->now.flags[c] & FEM_WAITING;
}

/* Which flags each connection has shown since the window began, and up to the cycle in which it is looked at. */
static void note_shown(struct fem_env *e, unsigned k, bool begins) {
  for (unsigned c = 0; c < e->l.conns; c++) {
    if (e->l.dead[c] != k) continue;
    e->named[c] = e->shown[c] | e->now.flags[c];
    e->shown[c] = begins ? e->now.flags[c] : e->named[c];
  }
}

/* Whether the domain is found dead in this cycle; `halted`: switch domains with a halt request. */
static bool follow(struct fem_env *e, unsigned k, const bool *halted) {
  struct fem_window *w = &e->window[k];
  bool progress = w->progress >> e->l.levels & 1, waiting = w->waiting >> e->l.levels & 1, held = false;
  bool write = fem_executes(e) && e->reg.now.write && e->reg.now.addr == FEM_REG_WINDOW && e->reg.now.data <= e->l.most_time && e->sw.dead == k;
  for (unsigned c = 0; c < e->l.conns; c++) held |= e->l.dead[c] == k && halted[e->l.domain[c]];
  /* What is seen now is of `levels` cycles ago; a release needs the stages down, a cycle in the unit, and the stages up. */
  if (held) w->released = 0;
  else if (w->released <= 2 * e->l.stages + e->l.levels) w->released++, held = true;
  if (w->open && progress && !held) {
    w->resolved += w->resolved < e->l.most_time;
    fem_hit(e, FEM_COVER_DEAD_RESOLVED);
  }
  if (progress || held) w->open = w->acted = false;
  if (!w->fresh && (progress || !waiting || held)) cover_cut(e, w, waiting, progress, held);
  if (progress || !waiting || held || w->fresh) w->quiet = 0;
  else w->quiet++;
  if (!w->window && w->quiet == 1000) fem_hit(e, FEM_COVER_DEAD_OFF);
  if (write && w->quiet && w->quiet + LATE_PART > w->window) fem_hit(e, FEM_COVER_DEAD_WRITTEN);
  w->fresh = write;
  bool dead = w->window && w->quiet == w->window && !write;
  note_waits(e, k, w->quiet <= 1 || dead);
  note_shown(e, k, !w->quiet || dead);
  if (dead) w->quiet = 0;
  return dead;
}

void fem_golden_deadlocks(struct fem_env *e, const uint32_t *out) {
  bool dead[FEM_DOMAINS_MAX] = {false}, halted[FEM_DOMAINS_MAX] = {false}, any = false;
  memset(e->resume_due, 0, e->l.units);
  memset(e->reset_due, 0, e->l.units);
  for (unsigned u = 0; u < e->l.units; u++)
    if (fem_is(&out[e->at.halt], fem_line(e, u))) halted[e->l.domain[e->conn_of[u]]] = true;
  for (unsigned k = 0; k < e->l.deads; k++) {
    bool progress = false, waiting = false;
    struct fem_window *w = &e->window[k];
    for (unsigned c = 0; c < e->l.conns; c++) {
      if (e->l.dead[c] != k) continue;
      progress |= e->now.flags[c] & FEM_PROGRESS;
      waiting |= e->now.flags[c] & FEM_WAITING;
    }
    w->progress = (uint8_t)(w->progress << 1 | progress);
    w->waiting = (uint8_t)(w->waiting << 1 | waiting);
    dead[k] = follow(e, k, halted);
  }
  for (unsigned k = e->l.deads; k--;) {
    if (!dead[k]) continue;
    e->sw.last_again = (any && e->sw.last_again) || e->window[k].open;
    any = true;
    e->sw.last_dead = k;
    e->sw.last_dead_cycle = e->sw.clock;
    e->sw.any_dead = true;
    report(e, k);
  }
  for (unsigned c = 0; c < e->l.conns && any; c++) e->dead_conn[c] = dead[e->l.dead[c]] && e->named[c] & FEM_WAITING;
}
