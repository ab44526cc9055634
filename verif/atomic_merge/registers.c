/* SPDX-License-Identifier: Apache-2.0 */
/* registers.c: drives the register port of an atomic_merge, and what its counters may say: between what had happened for
 * sure when the read was taken, and what may have happened when it is answered. */
#include "atomic_merge/env.h"

#include <stdio.h>
#include <string.h>

enum { ID = 0x000, CLEAR = 0x004, NACK_CLEAR = 0x008, COUNTERS = 0x200, IN_PLACE = 32, ACCUMULATED = 33, WAITED_PLAIN = 34, MERGES = 37, DROPS = 38, EXTRA = 39,
       REFUSED = 40, FILLS = 41, RELEASES = 42, EVICTIONS = 43, RESIDENCY = 44 };

struct am_bounds { uint64_t low, high; };

/* A place is taken two cycles before it is witnessed and counted three cycles behind that. */
static struct am_bounds near(const struct am_env *e, const struct am_tally *t) {
  uint64_t recent = e->cycles - t->last < 4 ? 4 : 0;
  return (struct am_bounds){t->n > recent ? t->n - recent : 0, t->n};
}

static struct am_bounds running_bounds(const struct am_env *e, unsigned place) {
  const struct am_golden_counts *g = &e->golden;
  if (place < 32) return (struct am_bounds){g->done[place], g->done[place] + g->live[place] + g->lost[place]};
  uint64_t atomics = 0, all = e->n_live;
  for (unsigned op = 0; op < 32; op++) {
    all += g->done[op] + g->lost[op];
    if (op >= AM_ADD) atomics += g->done[op] + g->live[op] + g->lost[op];
  }
  switch (place) {
  case IN_PLACE: return (struct am_bounds){0, e->l.witness ? g->performed.n : atomics};
  case ACCUMULATED: return e->l.witness ? near(e, &g->joined) : (struct am_bounds){0, atomics};
  case MERGES: return e->l.witness ? near(e, &g->merged) : (struct am_bounds){0, atomics};
  case DROPS: return e->l.witness ? near(e, &g->dropped) : (struct am_bounds){0, atomics};
  case EXTRA: return (struct am_bounds){0, e->l.witness ? g->joined.n : atomics};
  case REFUSED: return (struct am_bounds){g->refused, g->refused + e->n_live};
  case FILLS: return (struct am_bounds){g->fills > 2 ? g->fills - 2 : 0, g->fills}; /* one is merged, another one waits at its port */
  case RELEASES: return (struct am_bounds){g->releases, g->releases + 1};
  case EVICTIONS: return (struct am_bounds){0, g->releases + 1};
  default: return (struct am_bounds){0, place < MERGES ? all : e->cycles};
  }
}

/* What a reset of the unit cleared may have been counted or not. */
static struct am_bounds bounds(const struct am_env *e, unsigned place) {
  struct am_bounds b = running_bounds(e, place);
  if (place < 32) return b;
  b.high += e->golden.vague;
  if (place == FILLS) b.low -= b.low < e->golden.vague ? b.low : e->golden.vague;
  return b;
}

void am_lose_counts(struct am_env *e) {
  struct am_golden_counts *g = &e->golden;
  for (unsigned op = 0; op < 32; op++) {
    g->lost[op] += g->live[op];
    g->live[op] = 0;
  }
  g->vague += e->n_live + 2;
}

void am_drive_registers(struct am_env *e, const struct am_choice *c, uint32_t *in) {
  if (c->reg && !e->reg.offered && !e->reg.taken && (!e->l.status || e->unit.shell.doing == SIMT_FRONT_IDLE)) {
    e->reg.offered = true;
    e->reg.write = c->reg_write;
    e->reg.addr = c->reg_addr;
  }
  in[e->reg_at.valid] = e->reg.offered;
  in[e->reg_at.write] = e->reg.write;
  in[e->reg_at.addr] = e->reg.addr;
  in[e->reg_at.data] = c->pick;
}

static const char *wrong(struct am_env *e, const char *what, uint32_t value) {
  snprintf(e->message, sizeof e->message, "register 0x%03x reads %u: %s", e->reg.addr, value, what);
  return e->message;
}

static const char *see_read(struct am_env *e, bool error, uint32_t value) {
  if (e->reg.addr == ID) return !error && value == 0x414d0001 ? NULL : wrong(e, "it is the identification", value);
  unsigned place = (e->reg.addr - COUNTERS) / 8;
  bool counted = e->l.counters && e->reg.addr >= COUNTERS && e->reg.addr % 4 == 0 && am_is_counted(&e->l, place);
  if (error == counted) return wrong(e, counted ? "it is refused and is a counter" : "there is none", value);
  if (!counted) return NULL;
  if (e->reg.addr & 4) return value ? wrong(e, "no counter can be so high", value) : NULL;
  struct am_bounds now = bounds(e, place);
  uint64_t low = e->reg.low[place] > e->base_high[place] ? e->reg.low[place] - e->base_high[place] : 0;
  e->cover[am_cover_counted(&e->l)] += place == ACCUMULATED && low == now.high - e->base_low[place] && value;
  if (value < low) return wrong(e, "more has happened before", value);
  if (value > now.high - e->base_low[place]) return wrong(e, "less has happened", value);
  if (e->expects && value != e->expected) return wrong(e, "the script expects another value", value);
  return NULL;
}

static void note_clear(struct am_env *e) {
  for (unsigned i = 0; i < AM_COUNTERS; i++) {
    e->base_low[i] = e->reg.low[i];
    e->base_high[i] = bounds(e, i).high;
  }
}

const char *am_see_registers(struct am_env *e, const uint32_t *in, const uint32_t *out) {
  const char *bad = NULL;
  if (out[e->reg_at.rsp]) {
    if (!e->reg.taken) return wrong(e, "nobody asked", out[e->reg_at.rsp_data]);
    bool error = out[e->reg_at.rsp_error], clears = e->reg.addr == CLEAR && e->l.counters, nack = e->reg.addr == NACK_CLEAR && e->l.status;
    if (!e->reg.write) bad = see_read(e, error, out[e->reg_at.rsp_data]);
    else if (error == (clears || nack)) bad = wrong(e, error ? "a write of it is refused" : "a write of it is taken", 0);
    else if (clears) note_clear(e);
    e->unit.nack_written = nack && e->reg.write;
    e->reg.taken = e->expects = false;
  }
  if (in[e->reg_at.valid] && out[e->reg_at.ready]) { /* behind a bus it comes later than it was driven */
    e->reg.offered = false;
    e->reg.taken = true;
    e->reg.write = in[e->reg_at.write];
    e->reg.addr = in[e->reg_at.addr];
    for (unsigned i = 0; i < AM_COUNTERS; i++) e->reg.low[i] = bounds(e, i).low;
  }
  e->cycles++;
  return bad;
}

void am_forget_registers(struct am_env *e) {
  memset(&e->golden, 0, sizeof e->golden);
  memset(&e->reg, 0, sizeof e->reg);
  memset(e->base_low, 0, sizeof e->base_low);
  memset(e->base_high, 0, sizeof e->base_high);
  e->expects = false;
  e->cycles = 0;
}
