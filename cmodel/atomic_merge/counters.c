/* SPDX-License-Identifier: Apache-2.0 */
/* counters.c: the register port, and what is counted (AM-18). */
#include "atomic_merge/state.h"

void am_count(struct am_model *m, enum am_counter what) { m->s.c.events |= (uint64_t)1 << what; }

void am_count_later(struct am_model *m, enum am_counter what) { m->s.c.soon |= (uint64_t)1 << what; }

/* A cycle of waiting belongs to the engine, or to what the oldest request lacked when it was turned back. */
void am_count_cycle(struct am_model *m, const struct am_now *now) {
  struct am_counting *c = &m->s.c;
  c->due = c->events;
  c->events = c->soon;
  c->soon = 0;
  c->part += c->here;
  if (c->part >= m->l.lines) {
    c->part -= m->l.lines;
    am_count(m, AM_N_RESIDENCY);
  }
  const bool held = m->s.written != m->s.committed;
  if (held && now->engine != AM_RUN) am_count(m, AM_N_WAIT_ENGINE);
  else if (held && c->cause) am_count(m, c->cause);
  if (c->turned) c->cause = c->turned;
  else if (c->went) c->cause = 0;
  c->turned = 0;
  c->went = false;
}

static bool is_count(const struct simt_reg *r) { return r && r->addr >= AM_REG_COUNTERS; }

bool am_clears_nack(const struct am_model *m) {
  const struct simt_reg_access *a = &m->s.unit.shell.reg;
  const struct simt_reg *r = simt_reg_now(a, m->desc);
  return a->busy && a->write && r && r->addr == AM_REG_NACK;
}

/* The word of a count comes by once in 64 cycles; the upper one is kept with it. */
void am_registers_step(struct am_model *m) {
  struct am_counting *c = &m->s.c;
  struct simt_reg_access *a = &m->s.unit.shell.reg;
  const struct simt_reg *r = simt_reg_now(a, m->desc);
  const unsigned place = is_count(r) ? (r->addr - AM_REG_COUNTERS) / 8 : 0;
  const bool low = is_count(r) && !(r->addr & 4);
  uint32_t value = AM_ID;
  bool clears = false;
  if (a->busy && !(low && place != c->scan)) {
    if (is_count(r)) value = low ? (uint32_t)c->count[place] : c->high;
    if (low) c->high = (uint32_t)(c->count[place] >> 32);
    clears = r && a->write && r->addr == AM_REG_CLEAR;
    simt_reg_answer(a, r != NULL, value);
  }
  for (uint64_t due = c->due; due; due &= due - 1) {
    uint64_t *count = &c->count[__builtin_ctzll(due)];
    *count = (*count + 1) & (((uint64_t)1 << 48) - 1);
  }
  for (unsigned i = 0; clears && i < AM_COUNTERS; i++) c->count[i] = 0;
  c->scan = (c->scan + 1) % AM_COUNTERS;
}
