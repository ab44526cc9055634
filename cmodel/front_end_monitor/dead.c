/* SPDX-License-Identifier: Apache-2.0 */
/* dead.c: the windows of the deadlock domains, and what a dead one leads to (US-10). */
#include "front_end_monitor/model.h"

/* Reports of the cycle that the window is at: `levels` cycles old. */
static bool known(uint8_t history, bool now, unsigned levels) { return levels ? history >> (levels - 1) & 1 : now; }

static void step_dead(struct fem_model *m, unsigned k, bool progress, bool waiting) {
  struct fem_dead *d = &m->s.dead[k];
  uint32_t window = m->s.regs.of_dead[k].window;
  unsigned policy = m->s.regs.of_dead[k].policy; /* bits 1:0 policy, 3:2 next, 4 there is a next */
  bool held = false, write = m->e.window_write[k];
  for (unsigned i = 0; i < m->l.domains; i++) held |= fem_under_halt(&m->s.domain[i]) && m->l.touches[k][i];
  /* Behind a release the window waits for the first reports of the released units. */
  if (held) d->after = m->l.settle - 1;
  else if (d->after) d->after--, held = true;
  bool quiet = waiting && !progress && !held && !d->fresh;
  bool dead = quiet && !write && d->left == 1 && window;
  m->e.dead[k] = dead;
  m->e.restart[k] = !quiet || dead;
  m->e.any_dead |= dead;
  m->e.again |= dead && d->open;
  m->e.acted[k] = d->acted;
  m->e.action[k] = d->open && policy >> 4 ? policy >> 2 & 3 : policy & 3;
  if (dead && !d->open && d->seen != m->l.most_time) d->seen++;
  if (d->open && progress && !held && d->resolved != m->l.most_time) d->resolved++;
  bool stays = d->open && !progress && !held;
  d->acted = (dead && m->e.action[k] != FEM_REPORT) || (d->acted && stays);
  d->open = dead || stays;
  d->left = !quiet || dead ? window : d->left - 1;
  d->fresh = write;
}

void fem_deadlocks(struct fem_model *m) {
  bool progress[FEM_DOMAINS_MAX] = {false}, waiting[FEM_DOMAINS_MAX] = {false};
  struct fem_state *s = &m->s;
  for (unsigned c = 0; c < m->l.conns; c++) {
    progress[m->l.dead[c]] |= m->now.flag[c].progress;
    waiting[m->l.dead[c]] |= m->now.flag[c].waiting;
  }
  for (unsigned k = 0; k < m->l.deads; k++) {
    step_dead(m, k, known(s->progress[k], progress[k], m->l.levels), known(s->waiting[k], waiting[k], m->l.levels));
    s->progress[k] = (uint8_t)(s->progress[k] << 1 | progress[k]);
    s->waiting[k] = (uint8_t)(s->waiting[k] << 1 | waiting[k]);
  }
  for (unsigned c = 0; c < m->l.conns; c++) {
    unsigned k = m->l.dead[c];
    bool waits = m->now.flag[c].waiting, gathers = m->now.flag[c].gather;
    m->now.gathered[c] = s->gathered[c] || gathers;
    m->now.waited[c] = s->waited[c] || waits;
    if (m->e.any_dead) s->dead_conn[c] = m->e.dead[k] && m->now.waited[c];
    s->waited[c] = waits || (s->waited[c] && !m->e.restart[k]);
    s->gathered[c] = gathers || (s->gathered[c] && !m->e.restart[k]);
  }
}
