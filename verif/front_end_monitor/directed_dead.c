/* SPDX-License-Identifier: Apache-2.0 */
/* directed_dead.c: the directed tests of deadlocks (US-10). */
#include "front_end_monitor/script.h"

enum { WINDOW = 40 };

/* The connections of unit 0's deadlock domain that hold units of `mode` when all do. */
static uint32_t dead_conns(const struct fem_script *s, unsigned k) {
  uint32_t v = 0;
  for (unsigned c = 0; c < s->e->l.conns && c < 32; c++) v |= (uint32_t)(s->e->l.dead[c] == k) << c;
  return v;
}

static void windows(struct fem_script *s, uint32_t window, uint32_t policy) {
  for (unsigned k = 0; k < s->e->l.deads; k++) {
    put(s, FEM_REG_DEAD, k);
    put(s, FEM_REG_WINDOW, k ? 0 : window);
    put(s, FEM_REG_DEAD_POLICY, policy);
  }
  put(s, FEM_REG_DEAD, 0);
}

void fem_test_dead_bound(struct fem_script *s) {
  windows(s, WINDOW, FEM_REPORT);
  mode(s, FEM_ALL, FEM_PULSE, 7);
  quiet(s, 200);
  mode(s, FEM_ALL, FEM_STUCK, 0);
  fem_add_step(s, FEM_S_DEAD, 0, WINDOW, 0);
  irq(s, FEM_IRQ_DEAD);
  gives(s, FEM_REG_DEAD_CONNS, dead_conns(s, 0), UINT32_MAX);
  gives(s, FEM_REG_DEAD_LAST, UINT32_C(0xa0000000), UINT32_C(0xa000001f));
  gives(s, FEM_REG_DEAD_SEEN, 1, UINT32_MAX);
  gives(s, FEM_REG_DEAD_RESOLVED, 0, UINT32_MAX);
  irq(s, FEM_IRQ_DEAD | FEM_IRQ_UNRESOLVED);
  gives(s, FEM_REG_DEAD_SEEN, 1, UINT32_MAX);
  mode(s, FEM_ALL, FEM_PULSE, 3);
  idle(s, 40);
  gives(s, FEM_REG_DEAD_RESOLVED, 1, UINT32_MAX);
  covered(s, FEM_COVER_DEAD_REPORT);
  covered(s, FEM_COVER_DEAD_READ);
}

/* No report while there is one cycle of progress in each window, and one while there is none in a longer one. */
void fem_test_dead_progress(struct fem_script *s) {
  mode(s, FEM_ALL, FEM_PULSE, WINDOW - 1); /* before the window: its first pulse may be a whole period away */
  windows(s, WINDOW, FEM_REPORT);
  quiet(s, 1000);
  covered(s, FEM_COVER_DEAD_JUST_NOT);
  mode(s, FEM_ALL, FEM_PULSE, WINDOW);
  irq(s, FEM_IRQ_DEAD);
}

/* Connections that take turns in waiting are dead together; a cycle in which none waits begins a new window. */
void fem_test_dead_turns(struct fem_script *s) {
  const struct fem_layout *l = &s->e->l;
  unsigned n = 0;
  windows(s, WINDOW, FEM_REPORT);
  mode(s, FEM_ALL, FEM_BLINKS, 4);
  quiet(s, 300);
  mode(s, FEM_ALL, FEM_BLINKS, 4);
  for (unsigned c = 0; c < l->conns; c++)
    if (l->dead[c] == 0 && n++ == 0)
      for (unsigned u = l->first[c]; u < l->first[c + 1]; u++) mode(s, u, FEM_BLINKS, 4 | 256);
  if (n < 2) return;
  irq(s, FEM_IRQ_DEAD);
  put(s, FEM_REG_WINDOW, 0);
  gives(s, FEM_REG_DEAD_CONNS, dead_conns(s, 0), UINT32_MAX); /* all, whoever waited last */
}

static void resolved_by(struct fem_script *s, uint32_t policy, enum fem_mode m, unsigned arg, enum fem_cover point) {
  for (unsigned i = 0; i < (s->e->l.commands + 31) / 32; i++) {
    unsigned left = s->e->l.commands - 32 * i;
    put(s, FEM_REG_MASK + 4 * i, left >= 32 ? UINT32_MAX : (UINT32_C(1) << left) - 1);
  }
  mode(s, FEM_ALL, m, arg);
  windows(s, WINDOW, policy);
  irq(s, FEM_IRQ_DEAD);
  put(s, FEM_REG_WINDOW, within(s, 1000));
  quiet(s, within(s, 1000) / 2);
  covered(s, point);
}
void fem_test_dead_resume(struct fem_script *s) {
  resolved_by(s, FEM_RESUME, FEM_GATHERS, 1, FEM_COVER_DEAD_RESUME);
  gives(s, FEM_REG_DEAD_RESOLVED, 1, UINT32_MAX);
}
void fem_test_dead_mask(struct fem_script *s) { resolved_by(s, FEM_RESET_MASK, FEM_STUCK, 0, FEM_COVER_DEAD_MASK); }
void fem_test_dead_reset(struct fem_script *s) { resolved_by(s, FEM_RESET_ALL, FEM_STUCK, 0, FEM_COVER_DEAD_RESET); }

static void all_are(struct fem_script *s, unsigned conn, enum fem_mode m) {
  for (unsigned u = s->e->l.first[conn]; u < s->e->l.first[conn + 1]; u++) mode(s, u, m, 0);
}

/* A reset is none for those that only gather: they still do, told to resume. When that has not moved them by the end of the
 * next window, they are reset. Then one connection is stuck, the others gather. */
void fem_test_dead_spared(struct fem_script *s) {
  const struct fem_layout *l = &s->e->l;
  mode(s, FEM_ALL, FEM_GATHERS, 0);
  windows(s, WINDOW, FEM_RESET_ALL);
  irq(s, FEM_IRQ_DEAD);
  put(s, FEM_REG_WINDOW, within(s, 10000));
  idle(s, 50);
  put(s, FEM_REG_CONN, 0);
  gives(s, FEM_REG_CONN_STATE, 0x63, 0x6f); /* quiescent, waiting, gathering */
  put(s, FEM_REG_WINDOW, WINDOW);
  irq(s, FEM_IRQ_DEAD | FEM_IRQ_UNRESOLVED); /* now they are reset, and idle */
  put(s, FEM_REG_WINDOW, within(s, 10000));
  idle(s, 50);
  covered(s, FEM_COVER_DEAD_UNMOVED);
  covered(s, FEM_COVER_DEAD_SPARED);
  mode(s, FEM_ALL, FEM_PULSE, 3);
  idle(s, 40);
  mode(s, FEM_ALL, FEM_GATHERS, 0);
  all_are(s, 0, FEM_STUCK);
  put(s, FEM_REG_WINDOW, WINDOW);
  irq(s, FEM_IRQ_DEAD);
  put(s, FEM_REG_WINDOW, within(s, 10000));
  idle(s, 50);
  for (unsigned c = 1; c < l->conns && l->each && l->units == l->conns; c++) {
    if (l->dead[c] != 0) continue;
    put(s, FEM_REG_CONN, c);
    gives(s, FEM_REG_CONN_STATE, 0x63, 0x6f);
    break;
  }
}

/* A report is no action: those that gather are told to resume by the first reset behind it, and reset by the second. */
void fem_test_dead_reported(struct fem_script *s) {
  mode(s, FEM_ALL, FEM_GATHERS, 0);
  windows(s, WINDOW, FEM_REPORT | FEM_RESET_ALL << 4 | 64);
  irq(s, FEM_IRQ_DEAD);
  irq(s, FEM_IRQ_DEAD | FEM_IRQ_UNRESOLVED);
  irq(s, FEM_IRQ_DEAD | FEM_IRQ_UNRESOLVED);
  put(s, FEM_REG_WINDOW, within(s, 10000));
  idle(s, 50);
  covered(s, FEM_COVER_DEAD_SPARED);
  covered(s, FEM_COVER_DEAD_UNMOVED);
}

/* A resume does not help those that are stuck; the next policy does. */
void fem_test_dead_next(struct fem_script *s) {
  mode(s, FEM_ALL, FEM_GATHERS, 0);
  windows(s, WINDOW, FEM_RESUME | FEM_RESET_ALL << 4 | 64);
  irq(s, FEM_IRQ_DEAD);
  irq(s, FEM_IRQ_DEAD | FEM_IRQ_UNRESOLVED);
  put(s, FEM_REG_WINDOW, within(s, 1000));
  quiet(s, within(s, 1000) / 2);
  covered(s, FEM_COVER_DEAD_NEXT);
}

void fem_test_dead_held(struct fem_script *s) {
  windows(s, 200, FEM_REPORT);
  mode(s, FEM_ALL, FEM_STUCK, 0);
  put(s, FEM_REG_WINDOW, 200);
  idle(s, 150);
  hub(s, 300, 0, 0);
  command(s, FEM_SAVE);
  irq(s, FEM_IRQ_DONE); /* and no deadlock, long as it took */
  covered(s, FEM_COVER_DEAD_HELD);
  irq(s, FEM_IRQ_DEAD);
  put(s, FEM_REG_WINDOW, 20);
  idle(s, 10);
  put(s, FEM_REG_IRQ_ENABLE, 0);
  for (unsigned i = 0; i < 12; i++) {
    idle(s, 10 + i);
    put(s, FEM_REG_WINDOW, 20);
  }
  covered(s, FEM_COVER_DEAD_WRITTEN);
  put(s, FEM_REG_WINDOW, 0);
  put(s, FEM_REG_IRQ_STATUS, 127);
  put(s, FEM_REG_IRQ_ENABLE, 127);
  quiet(s, 1200);
  covered(s, FEM_COVER_DEAD_OFF);
}

/* The first switch domain is released, another one of its deadlock domain waits for it: short windows end while the reports
 * at hand are those of halted units, and no deadlock is in them. */
void fem_test_dead_released(struct fem_script *s) {
  const struct fem_layout *l = &s->e->l;
  uint32_t longest = 2 * l->stages + l->levels + 1; /* as old as a report of a halted unit can be */
  if (l->domains < 2) return;
  put(s, FEM_REG_IRQ_ENABLE, FEM_IRQ_DONE | FEM_IRQ_DEAD);
  for (uint32_t window = 2; window <= longest; window++) {
    mode(s, FEM_ALL, FEM_STUCK, 0);
    for (unsigned c = 0; c < l->conns; c++)
      for (unsigned u = l->first[c]; u < l->first[c + 1] && l->domain[c] == 0; u++) mode(s, u, FEM_PULSE, 0);
    windows(s, 0, FEM_REPORT);
    idle(s, 40);
    put(s, FEM_REG_WINDOW, window);
    command(s, FEM_SAVE);
    irq(s, FEM_IRQ_DONE);
    quiet(s, 3 * longest);
  }
}

void fem_test_dead_domains(struct fem_script *s) {
  const struct fem_layout *l = &s->e->l;
  if (l->deads < 2) return;
  for (unsigned k = 0; k < l->deads; k++) {
    put(s, FEM_REG_DEAD, k);
    put(s, FEM_REG_WINDOW, WINDOW);
  }
  mode(s, FEM_ALL, FEM_PULSE, 3);
  quiet(s, 200);
  for (unsigned c = 0; c < l->conns; c++)
    for (unsigned u = l->first[c]; u < l->first[c + 1]; u++)
      if (l->dead[c] == 1) mode(s, u, FEM_STUCK, 0);
  irq(s, FEM_IRQ_DEAD);
  gives(s, FEM_REG_DEAD_LAST, UINT32_C(0x80000001), UINT32_C(0x8000001f));
  gives(s, FEM_REG_DEAD_CONNS, dead_conns(s, 1), UINT32_MAX);
  covered(s, FEM_COVER_DEAD_ONE);
}

/* Deadlocks are reported every few cycles and cleared all the time: sooner or later both happen in one cycle, and the
 * new interrupt stays. The golden model says when. */
void fem_test_irq_race(struct fem_script *s) {
  mode(s, FEM_ALL, FEM_STUCK, 0);
  windows(s, 7, FEM_REPORT);
  for (unsigned i = 0; i < 60; i++) put(s, FEM_REG_IRQ_STATUS, FEM_IRQ_DEAD | FEM_IRQ_UNRESOLVED);
  covered(s, FEM_COVER_DEAD_REPORT);
}
