/* SPDX-License-Identifier: Apache-2.0 */
/* golden_stats.c: statistics as US-11 and the block's page define them, from the reports at the ports: connection c is
 * looked at in cycle c of each turn of connections + 4 cycles, and known MONITOR_LATENCY cycles later; exact counts take every
 * cycle, and are shown as they were when their slot of the turn came, or, under hold, all as they were at the hold. */
#include <string.h>

#include "front_end_monitor/env.h"

enum { SPARE = 4, SLOTS = 8, COUNT_BITS = 48 };

/* US-11: saturating. */
static void count(uint64_t *total) {
  if (*total < (UINT64_C(1) << COUNT_BITS) - 1) ++*total;
}

void fem_golden_stats_restart(struct fem_env *e) {
  memset(&e->stats, 0, sizeof e->stats);
  e->stats.counts_from = (uint64_t)SLOTS * e->l.conns;
}

/* Nothing is counted while the RAM is cleared; what is on its way to it is lost. A halt that was seen stays seen. */
void fem_golden_stats_clear(struct fem_env *e) {
  struct fem_counts *s = &e->stats;
  memset(s->total, 0, sizeof s->total);
  memset(s->taken, 0, sizeof s->taken);
  memset(s->shown, 0, sizeof s->shown);
  for (unsigned c = 0; c < e->l.conns; c++) s->latency[c].last = s->latency[c].worst = 0;
  for (unsigned i = 0; i < sizeof s->look / sizeof *s->look; i++) s->look[i].counts = false;
  s->counts_from = e->sw.clock + (uint64_t)SLOTS * e->l.conns;
}

static unsigned shows(const struct fem_env *e, unsigned c, uint32_t code) {
  enum simt_status_encoding encoding = (enum simt_status_encoding)e->l.encoding;
  for (unsigned s = SIMT_EMPTY; s <= SIMT_HALTED; s++)
    if (code == simt_status_code((enum simt_unit_state)s, encoding)) return s;
  bool single = e->l.first[c + 1] == e->l.first[c] + 1;
  int ones = __builtin_popcount(code);
  return !single && (encoding == SIMT_ONE_HOT ? ones == 0 : encoding == SIMT_TWO_OF_FOUR && ones < 2) ? FEM_MIXED : FEM_ILLEGAL;
}

static unsigned counted_as(unsigned state) { return state == FEM_ILLEGAL ? FEM_MIXED : state; }

static void commit(struct fem_env *e, const struct fem_shown *look) {
  struct fem_counts *s = &e->stats;
  if (!look->valid || !look->counts) return;
  if (e->l.stats == FEM_STATS_SAMPLED && look->adds) count(&s->total[look->conn][counted_as(look->state)]);
  struct fem_latency *l = &s->latency[look->conn];
  if (!look->halt) l->seen = false;
  if (!look->halt || look->age <= e->l.settle || look->state != SIMT_HALTED || l->seen) return;
  l->seen = true;
  l->last = look->age;
  if (l->worst < look->age) l->worst = look->age;
}

static void count_all(struct fem_env *e, bool counting) {
  struct fem_counts *s = &e->stats;
  unsigned slot = (unsigned)(e->sw.clock % (SLOTS * e->l.conns + SPARE));
  if (slot < SLOTS * e->l.conns) s->taken[slot / SLOTS][slot % SLOTS] = s->total[slot / SLOTS][slot % SLOTS];
  if (slot + 1 == SLOTS * e->l.conns + SPARE) memcpy(s->shown, s->taken, e->l.conns * sizeof *s->shown);
  for (unsigned c = 0; c < e->l.conns && counting && !e->sw.hold; c++) count(&s->total[c][counted_as(shows(e, c, e->now.code[c]))]);
}

static void note_halts(struct fem_env *e, const uint32_t *out) {
  struct fem_counts *s = &e->stats;
  for (unsigned c = 0; c < e->l.conns; c++) {
    unsigned d = e->l.domain[c];
    bool halt = fem_is(&out[e->at.halt], fem_line(e, e->l.first[c]));
    if (halt && !s->under_halt[d]) s->halt_since[d] = e->sw.clock;
    s->under_halt[d] = halt;
  }
}

void fem_golden_stats(struct fem_env *e, const uint32_t *out) {
  struct fem_counts *s = &e->stats;
  unsigned c = (unsigned)(e->sw.clock % (e->l.conns + SPARE));
  bool counting = e->sw.clock >= s->counts_from;
  memmove(s->way + 1, s->way, sizeof s->way - sizeof *s->way);
  s->way[0] = (struct fem_shown){.valid = c < e->l.conns, .conn = c};
  if (s->way[0].valid) {
    s->way[0].state = shows(e, c, e->now.code[c]);
    s->way[0].flags = e->now.flags[c];
  }
  note_halts(e, out);
  struct fem_shown look = s->way[e->l.levels + 1];
  unsigned d = e->l.domain[look.conn];
  look.counts = counting;
  look.adds = !e->sw.hold;
  look.halt = s->under_halt[d];
  uint64_t age = e->sw.clock - s->halt_since[d];
  look.age = age < e->l.most_time ? (uint32_t)age : e->l.most_time;
  if (look.valid && look.flags & FEM_NACK) e->sw.irq_next |= FEM_IRQ_NACK, e->sw.nack_next = look.conn;
  if (look.valid && look.state == FEM_ILLEGAL) e->sw.irq_next |= FEM_IRQ_ILLEGAL, e->sw.illegal_next = look.conn;
  commit(e, &s->look[2]);
  memmove(s->look + 1, s->look, sizeof s->look - sizeof *s->look);
  s->look[0] = look;
  if (e->l.stats == FEM_STATS_EXACT) count_all(e, counting);
}

/* What a read of register `a` gives that waited for a connection's turn, or for the RAM, and is answered in this cycle. */
uint32_t fem_golden_waited(struct fem_env *e, uint32_t a) {
  struct fem_counts *s = &e->stats;
  unsigned c = e->sw.conn;
  const struct fem_shown *look = &s->look[1];
  if (a == FEM_REG_CONN_STATE) return look->valid && look->conn == c ? look->state | look->flags << 4 : UINT32_MAX;
  if (a == FEM_REG_HALT_LAST) return s->latency[c].last;
  if (a == FEM_REG_HALT_WORST) return s->latency[c].worst;
  unsigned state = (a - FEM_REG_COUNT) / 4;
  uint64_t count = e->l.stats == FEM_STATS_EXACT && !e->sw.hold ? s->shown[c][state] : s->total[c][state];
  s->high = (uint32_t)(count >> 32);
  return (uint32_t)count;
}
