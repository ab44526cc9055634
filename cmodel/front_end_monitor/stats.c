/* SPDX-License-Identifier: Apache-2.0 */
/* stats.c: the look at one connection per cycle, and the counts (US-11). */
#include <string.h>

#include "front_end_monitor/model.h"
#include "core/unit_status.h"

enum { SPARE = 4, COUNT_W = 48 }; /* cycles of a turn without a connection; bits of a count */
static const uint64_t COUNT_MAX = (UINT64_C(1) << COUNT_W) - 1;

void fem_stats_look(struct fem_model *m) {
  const struct fem_stat_state *s = &m->s.stats;
  bool counting = !s->clearing && !m->e.clear;
  bool exact = m->l.stats == FEM_STATS_EXACT;
  m->e.latency_free = s->spare && counting;
  m->e.ram_free = counting && (exact ? s->slot_way[m->l.levels + 1].read : s->spare);
}

static struct fem_sum sampled(const struct fem_model *m) {
  const struct fem_stat_state *s = &m->s.stats;
  unsigned state = s->look.seen == FEM_ILLEGAL ? FEM_MIXED : s->look.seen;
  return (struct fem_sum){.add = s->look.valid && !m->s.regs.hold, .conn = s->look.conn, .state = state, .value = 1};
}

/* Counts narrowly what each connection shows, and takes one narrow count out. */
static struct fem_sum exact(struct fem_model *m, bool counting) {
  struct fem_stat_state *s = &m->s.stats;
  unsigned slots = 8 * m->l.conns, levels = m->l.levels + 2, at = s->slot;
  s->held = m->s.regs.hold && (s->held || !at); /* through the whole turn: a read under hold waits for it */
  struct fem_sum out = s->slot_way[levels - 1], now = {.add = counting && at < slots, .read = counting && at == slots + 3 && s->held == m->s.regs.hold};
  if (at < slots) {
    now.conn = at / 8;
    now.state = at % 8;
    now.value = s->narrow[now.conn][now.state];
    s->narrow[now.conn][now.state] = 0;
  }
  for (unsigned c = 0; c < m->l.conns; c++) {
    unsigned seen = fem_seen(&m->l, c, m->now.code[c]);
    if (seen == FEM_ILLEGAL) seen = FEM_MIXED;
    if (counting && !m->s.regs.hold) s->narrow[c][seen]++;
  }
  if (!counting) memset(s->narrow, 0, sizeof s->narrow);
  memmove(s->slot_way + 1, s->slot_way, (levels - 1) * sizeof now);
  s->slot_way[0] = now;
  for (unsigned i = 0; i < levels && !counting; i++) s->slot_way[i].add = s->slot_way[i].read = false;
  s->slot = at == slots + 3 ? 0 : at + 1;
  s->held = s->held && s->slot;
  return out;
}

/* A sum is read in this cycle, and written three cycles later. */
static void add_up(struct fem_model *m, const struct fem_sum *now, bool counting) {
  struct fem_stat_state *s = &m->s.stats;
  const struct fem_sum *w = &s->sum[2];
  if (w->add && !s->clearing) {
    uint64_t sum = w->old + w->value;
    s->count[w->conn][w->state] = sum > COUNT_MAX ? COUNT_MAX : sum;
  }
  s->sum[2] = s->sum[1];
  s->sum[1] = s->sum[0];
  s->sum[0] = *now;
  s->sum[0].old = s->count[now->conn][now->state];
  for (int i = 0; i < 3 && !counting; i++) s->sum[i].add = false;
}

static void halt_latency(struct fem_model *m, bool counting) {
  struct fem_stat_state *s = &m->s.stats;
  if (s->found[2].valid && !s->clearing) {
    unsigned c = s->found[2].conn;
    bool first = s->found[2].halted && !s->found[2].seen;
    uint32_t age = s->found[2].age;
    if (first) {
      s->latency[c].seen = true;
      s->latency[c].last = age;
      if (age > s->found[2].worst) s->latency[c].worst = age;
    } else if (!s->found[2].under_halt) {
      s->latency[c].seen = false;
    }
  }
  s->found[2] = s->found[1];
  s->found[1] = s->found[0];
  unsigned c = s->look.conn < m->l.conns ? s->look.conn : 0;
  const struct fem_domain *d = &m->s.domain[m->l.domain[c]];
  s->found[0].valid = s->look.valid;
  s->found[0].conn = c;
  const uint64_t age = m->s.now - d->halt_from;
  s->found[0].halted = d->watched && s->look.seen == SIMT_HALTED;
  s->found[0].under_halt = fem_under_halt(d);
  s->found[0].age = age < m->l.most_time ? (uint32_t)age : m->l.most_time;
  s->found[0].seen = s->latency[c].seen;
  s->found[0].last = s->latency[c].last;
  s->found[0].worst = s->latency[c].worst;
  for (int i = 0; i < 3 && !counting; i++) s->found[i].valid = false;
}

static void clear(struct fem_model *m) {
  struct fem_stat_state *s = &m->s.stats;
  if (s->clearing) {
    s->count[s->clear_at / 8][s->clear_at % 8] = 0;
    s->latency[s->clear_at / 8].last = s->latency[s->clear_at / 8].worst = 0; /* seen halted: stays so */
  }
  if (m->e.clear) {
    s->clearing = true;
    s->clear_at = 0;
  } else if (s->clearing) {
    s->clearing = s->clear_at + 1 < 8 * m->l.conns;
    s->clear_at++;
  }
}

static void turn(struct fem_model *m) {
  struct fem_stat_state *s = &m->s.stats;
  unsigned levels = m->l.levels, c = s->turn < m->l.conns ? s->turn : 0;
  uint32_t flags = m->now.flag[c].progress * FEM_PROGRESS | m->now.flag[c].waiting * FEM_WAITING | m->now.flag[c].gather * FEM_GATHER |
                   m->now.flag[c].nack * FEM_NACK;
  struct fem_visit now = {c, s->turn < m->l.conns, s->turn == m->l.conns + SPARE - 1,
                          flags << 8 | fem_seen(&m->l, c, m->now.code[c])};
  struct fem_visit out = levels ? s->way[levels - 1] : now;
  if (levels) {
    memmove(s->way + 1, s->way, (levels - 1) * sizeof now);
    s->way[0] = now;
  }
  s->look.valid = out.valid;
  s->look.conn = out.conn;
  s->look.seen = out.word & 255;
  s->look.flags = out.word >> 8;
  s->spare = out.last;
  s->turn = s->turn == m->l.conns + SPARE - 1 ? 0 : s->turn + 1;
}

void fem_stats_step(struct fem_model *m) {
  struct fem_stat_state *s = &m->s.stats;
  if (m->l.stats != FEM_STATS_NONE) {
    bool counting = !s->clearing && !m->e.clear;
    unsigned c = m->s.regs.conn, which = m->s.regs.addr >> 2 & 7;
    if (m->e.ram_free) s->read_count = s->count[c][which];
    if (m->e.latency_free) s->read_last = s->latency[c].last, s->read_worst = s->latency[c].worst;
    struct fem_sum now = m->l.stats == FEM_STATS_EXACT ? exact(m, counting) : sampled(m);
    add_up(m, &now, counting);
    halt_latency(m, counting);
    clear(m);
  }
  turn(m);
}
