/* SPDX-License-Identifier: Apache-2.0 */
/* golden_registers.c: the registers as software may rely on them: what they read, which accesses are refused, and interrupts. */
#include "front_end_monitor/env.h"

static uint32_t bits_there(unsigned n, unsigned word) {
  if (32 * word >= n) return 0;
  return n - 32 * word >= 32 ? UINT32_MAX : (UINT32_C(1) << (n - 32 * word)) - 1;
}

static uint64_t base_bits(const struct fem_env *e) { return e->l.addr_w == 64 ? UINT64_MAX : (UINT64_C(1) << e->l.addr_w) - 1; }

/* ---- what an access will give ---------------------------------------------------------------------------------- */

static bool write_is_good(const struct fem_env *e, uint32_t a, uint32_t v) {
  const struct fem_plan *p = &e->plan[e->sw.domain];
  bool idle = !p->runs, may_load = idle || p->stopped, counts = e->l.stats != FEM_STATS_NONE, high = a & 4;
  unsigned word = a >> 2 & 31;
  if (a & 3) return false;
  switch (a) {
  case FEM_REG_IRQ_STATUS: return true;
  case FEM_REG_WINDOW: return v <= e->l.most_time;
  case FEM_REG_TIMEOUT: return v <= e->l.most_time && (!v || v > e->l.settle);
  case FEM_REG_IRQ_ENABLE: return v < 128;
  case FEM_REG_DOMAIN: return v < e->l.domains;
  case FEM_REG_COMMAND: return fem_golden_takes(e, e->sw.domain, v);
  case FEM_REG_SAVE_BASE + 4: case FEM_REG_LOAD_BASE + 4:
    if (e->l.addr_w <= 32) return false;
    /* fall through */
  case FEM_REG_SAVE_BASE: case FEM_REG_LOAD_BASE:
    return (a < FEM_REG_LOAD_BASE ? idle : may_load) && !(v & ~(uint32_t)(base_bits(e) >> (high ? 32 : 0)));
  case FEM_REG_SLOTS: return may_load && !(v & ~0x303u) && (v & 3) <= e->l.slots && v >> 8 <= e->l.slots;
  case FEM_REG_TIMEOUT_POLICY: return v < 3;
  case FEM_REG_DEAD: return v < e->l.deads;
  case FEM_REG_DEAD_POLICY: return !(v & ~0x73u) && (v & 64 || !(v & 48));
  case FEM_REG_CONN: return v < e->l.conns;
  case FEM_REG_STATS_CONTROL: return counts && v < 4;
  default: break;
  }
  return a >= FEM_REG_MASK && a < FEM_REG_MASK + 128 && bits_there(e->l.commands, word) && !(v & ~bits_there(e->l.commands, word));
}

enum known { NO_SUCH, CERTAIN, LATE }; /* late: known when it is answered */

static enum known words(const struct fem_env *e, uint32_t a, uint32_t *v) {
  unsigned word = a >> 2 & 31;
  bool mask = a >= FEM_REG_MASK && a < FEM_REG_LOST;
  if (a >= FEM_REG_LOST + 128 || !bits_there(mask ? e->l.commands : e->l.conns, word)) return NO_SUCH;
  *v = 0;
  if (mask) *v = e->sw.mask[word];
  for (unsigned i = 0; i < 32 && 32 * word + i < e->l.conns && !mask; i++) {
    unsigned c = 32 * word + i;
    bool is = a >= FEM_REG_LOST ? e->fate[e->l.first[c]].lost : a >= FEM_REG_DEAD_CONNS ? e->dead_conn[c] : e->was_late[c];
    *v |= (uint32_t)is << i;
  }
  return CERTAIN;
}

/* Stages of a domain that runs are its own affair; the rest of its status is known. */
static uint32_t status(const struct fem_env *e, uint32_t *may) {
  const struct fem_plan *p = &e->plan[e->sw.domain];
  *may = (p->runs && !p->stopped ? 7u : 0u) | 1u << 14;
  return (p->runs && p->stopped ? 7u : 0u) | (uint32_t)p->what << 4 | p->code << 8 | (uint32_t)p->lost << 12 | (uint32_t)p->was_reset << 13;
}

static enum known of_domain(struct fem_env *e, uint32_t a, uint32_t *v) {
  unsigned d = e->sw.domain;
  bool wide = e->l.addr_w > 32;
  switch (a) {
  case FEM_REG_STATUS: *v = status(e, &e->reg.may); return CERTAIN;
  case FEM_REG_ERROR_UNIT: *v = e->plan[d].unit; return CERTAIN;
  case FEM_REG_SAVE_BASE: *v = (uint32_t)e->sw.save[d]; return CERTAIN;
  case FEM_REG_LOAD_BASE: *v = (uint32_t)e->sw.load[d]; return CERTAIN;
  case FEM_REG_SAVE_BASE + 4: *v = (uint32_t)(e->sw.save[d] >> 32); return wide ? CERTAIN : NO_SUCH;
  case FEM_REG_LOAD_BASE + 4: *v = (uint32_t)(e->sw.load[d] >> 32); return wide ? CERTAIN : NO_SUCH;
  case FEM_REG_SLOTS: *v = e->sw.save_slot[d] | (uint32_t)e->sw.load_slot[d] << 8; return CERTAIN;
  case FEM_REG_TIMEOUT: *v = e->sw.timeout; return CERTAIN;
  case FEM_REG_TIMEOUT_POLICY: *v = e->sw.timeout_policy; return CERTAIN;
  default: return NO_SUCH;
  }
}

static enum known of_dead(const struct fem_env *e, uint32_t a, uint32_t *v) {
  const struct fem_window *w = &e->window[e->sw.dead];
  switch (a) {
  case FEM_REG_DEAD: *v = e->sw.dead; return CERTAIN;
  case FEM_REG_WINDOW: *v = w->window; return CERTAIN;
  case FEM_REG_DEAD_POLICY: *v = w->policy | w->next << 4 | (uint32_t)w->has_next << 6; return CERTAIN;
  case FEM_REG_DEAD_SEEN: *v = w->seen; return CERTAIN;
  case FEM_REG_DEAD_RESOLVED: *v = w->resolved; return CERTAIN;
  case FEM_REG_DEAD_LAST:
    *v = e->sw.last_dead | (uint32_t)w->open << 29 | (uint32_t)e->sw.last_again << 30 | (uint32_t)e->sw.any_dead << 31;
    return CERTAIN;
  case FEM_REG_DEAD_CYCLE: *v = (uint32_t)(e->sw.last_dead_cycle & e->l.most_cycle); return CERTAIN;
  case FEM_REG_DEAD_CYCLE + 4: *v = (uint32_t)((e->sw.last_dead_cycle & e->l.most_cycle) >> 32); return CERTAIN;
  default: return NO_SUCH;
  }
}

static enum known of_stats(const struct fem_env *e, uint32_t a, uint32_t *v) {
  bool counts = e->l.stats != FEM_STATS_NONE;
  switch (a) {
  case FEM_REG_CONN: *v = e->sw.conn; return CERTAIN;
  case FEM_REG_CONN_STATE: return LATE;
  case FEM_REG_NACK_CONN: *v = e->sw.nack_conn; return CERTAIN;
  case FEM_REG_ILLEGAL_CONN: *v = e->sw.illegal_conn; return CERTAIN;
  case FEM_REG_STATS_CONTROL: *v = e->sw.hold; return counts ? CERTAIN : NO_SUCH;
  case FEM_REG_COUNT_HI: *v = e->stats.high; return counts ? CERTAIN : NO_SUCH;
  default: break;
  }
  if (!counts || a < FEM_REG_TIME || a >= FEM_REG_COUNT + 24) return NO_SUCH;
  if (a >= FEM_REG_CONN) return LATE;
  *v = e->plan[e->sw.domain].time[(a - FEM_REG_TIME) / 4];
  return CERTAIN;
}

static enum known read_value(struct fem_env *e, uint32_t a, uint32_t *v) {
  const struct fem_layout *l = &e->l;
  if (a & 3) return NO_SUCH;
  switch (a) {
  case FEM_REG_ID: *v = FEM_ID; return CERTAIN;
  case FEM_REG_SHAPE: *v = l->conns << 16 | l->units; return CERTAIN;
  case FEM_REG_OPTIONS:
    *v = l->stages << 24 | l->slots << 22 | (unsigned)l->stats << 20 | l->encoding << 18 | (unsigned)l->kind << 16 | l->deads << 8 | l->domains;
    return CERTAIN;
  case FEM_REG_LATENCY: *v = (l->conns + 4) << 16 | l->time_w << 8 | (l->levels + 1); return CERTAIN;
  case FEM_REG_CYCLE: *v = (uint32_t)(e->sw.clock & e->l.most_cycle); return CERTAIN;
  case FEM_REG_CYCLE + 4: *v = e->sw.high; return CERTAIN;
  case FEM_REG_IRQ_STATUS: *v = e->sw.irq_set, e->reg.may = e->sw.irq_may; return CERTAIN;
  case FEM_REG_IRQ_ENABLE: *v = e->sw.enable; return CERTAIN;
  case FEM_REG_DOMAIN: *v = e->sw.domain; return CERTAIN;
  default: break;
  }
  if (a < FEM_REG_DEAD) return of_domain(e, a, v);
  if (a < FEM_REG_TIME) return of_dead(e, a, v);
  return a < FEM_REG_LATE ? of_stats(e, a, v) : words(e, a, v);
}

/* The access that was taken two cycles before executes now, or begins to wait: what will it give? */
void fem_golden_execute(struct fem_env *e) {
  if (!fem_executes(e)) return;
  uint32_t a = e->reg.now.addr;
  e->reg.value = e->reg.may = 0;
  if (e->reg.now.write) {
    e->reg.late = false;
    e->reg.refused = !write_is_good(e, a, e->reg.now.data);
    return;
  }
  enum known k = read_value(e, a, &e->reg.value);
  e->reg.late = k == LATE;
  e->reg.refused = k == NO_SUCH;
  if (a == FEM_REG_CYCLE) e->sw.high = (uint32_t)((e->sw.clock & e->l.most_cycle) >> 32);
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

static void put_half(uint64_t *base, uint32_t v, bool high) {
  *base = high ? (*base & UINT32_MAX) | (uint64_t)v << 32 : (*base >> 32 << 32) | v;
}

static void apply(struct fem_env *e, uint32_t a, uint32_t v) {
  struct fem_window *w = &e->window[e->sw.dead];
  unsigned d = e->sw.domain;
  switch (a) {
  case FEM_REG_IRQ_STATUS: e->sw.irq_set &= ~v, e->sw.irq_may &= ~v; break;
  case FEM_REG_IRQ_ENABLE: e->sw.enable = v; break;
  case FEM_REG_DOMAIN: e->sw.domain = v; break;
  case FEM_REG_COMMAND: fem_golden_command(e, d, v); break;
  case FEM_REG_SAVE_BASE: case FEM_REG_SAVE_BASE + 4: put_half(&e->sw.save[d], v, a & 4); break;
  case FEM_REG_LOAD_BASE: case FEM_REG_LOAD_BASE + 4: put_half(&e->sw.load[d], v, a & 4); break;
  case FEM_REG_SLOTS: e->sw.save_slot[d] = v & 3, e->sw.load_slot[d] = (uint8_t)(v >> 8); break;
  case FEM_REG_TIMEOUT: e->sw.timeout = v, e->sw.timeout_written = true; break;
  case FEM_REG_TIMEOUT_POLICY: e->sw.timeout_policy = v, e->sw.timeout_written = true; break;
  case FEM_REG_DEAD: e->sw.dead = v; break;
  case FEM_REG_WINDOW: w->window = v; break;
  case FEM_REG_DEAD_POLICY: w->policy = v & 3, w->next = v >> 4 & 3, w->has_next = v >> 6; break;
  case FEM_REG_CONN: e->sw.conn = v; break;
  case FEM_REG_STATS_CONTROL:
    e->sw.hold = v & 1;
    if (v & 2) fem_golden_stats_clear(e), fem_hit(e, FEM_COVER_STATS_CLEAR);
    break;
  default: e->sw.mask[a >> 2 & 31] = v; break;
  }
}

static void cover_answer(struct fem_env *e, bool refused, uint32_t value) {
  uint32_t a = e->reg.now.addr, v = e->reg.now.data;
  const struct fem_plan *p = &e->plan[e->sw.domain];
  if (refused) {
    if (a == FEM_REG_COMMAND && v >= FEM_SWITCH && v <= FEM_DO_DRAIN) fem_hit(e, FEM_COVER_REFUSED_BUSY);
    if (a == FEM_REG_COMMAND && v > FEM_DO_DRAIN && v < 8 && !p->runs) fem_hit(e, FEM_COVER_REFUSED_IDLE);
    if (a == FEM_REG_COMMAND && v == FEM_ABORT && p->runs && p->was_reset) fem_hit(e, FEM_COVER_ABORT_REFUSED);
    if (a == FEM_REG_SAVE_BASE && p->runs) fem_hit(e, FEM_COVER_BASE_REFUSED);
    if (a >= FEM_REG_LOST + 128 || a & 3) fem_hit(e, FEM_COVER_REFUSED);
    return;
  }
  if (e->reg.now.write) {
    if (a == FEM_REG_IRQ_STATUS && e->sw.irq_set & e->sw.enable & v && !(e->sw.irq_set & ~v)) fem_hit(e, FEM_COVER_IRQ_CLEARED);
    return;
  }
  if (a >= FEM_REG_LATE && a < FEM_REG_DEAD_CONNS && value) fem_hit(e, FEM_COVER_LATE_READ);
  if (a >= FEM_REG_DEAD_CONNS && a < FEM_REG_MASK && value) fem_hit(e, FEM_COVER_DEAD_READ);
  if (a == FEM_REG_CONN_STATE) fem_hit(e, (value & 7) == FEM_MIXED ? FEM_COVER_MIXED_READ : FEM_COVER_STATE_READ);
  if (a >= FEM_REG_COUNT && value) fem_hit(e, FEM_COVER_COUNT_READ);
  if (a == FEM_REG_HALT_LAST && value) fem_hit(e, FEM_COVER_LATENCY_READ);
}

/* A reset in the cycle in which an abort executes wins, and nobody outside can know of it then. */
static bool refused_by_reset(const struct fem_env *e, const uint32_t *out) {
  if (e->reg.now.addr != FEM_REG_COMMAND || e->reg.now.data != FEM_ABORT) return false;
  for (unsigned u = 0; u < e->l.units; u++)
    if (e->l.domain[e->conn_of[u]] == e->sw.domain && fem_is(&out[e->at.reset], fem_line(e, u))) return true;
  return false;
}

const char *fem_golden_answer(struct fem_env *e, const uint32_t *out) {
  const char *wrong = NULL;
  if (out[e->at.rsp_valid]) {
    bool refused = out[e->at.rsp_error];
    uint32_t v = out[e->at.rsp_data], a = e->reg.now.addr;
    if (!e->reg.waits) return fem_wrong(e, "an answer of the register port without an access");
    if (e->reg.late) e->reg.value = fem_golden_waited(e, a);
    if (refused != e->reg.refused && !(refused && refused_by_reset(e, out)))
      wrong = fem_wrong(e, "a %s register 0x%03x (0x%x) is %s", e->reg.now.write ? "write to" : "read of", a, e->reg.now.data, refused ? "refused" : "taken");
    else if (!refused && !e->reg.now.write && (v ^ e->reg.value) & ~e->reg.may)
      wrong = fem_wrong(e, "register 0x%03x reads 0x%x, expected 0x%x", a, v, e->reg.value);
    cover_answer(e, refused, v);
    if (!refused && e->reg.now.write) apply(e, a, e->reg.now.data);
    e->done++;
  }
  if (e->sw.irq_next & ~e->sw.irq_set & FEM_IRQ_NACK) e->sw.nack_conn = e->sw.nack_next;
  if (e->sw.irq_next & ~e->sw.irq_set & FEM_IRQ_ILLEGAL) e->sw.illegal_conn = e->sw.illegal_next;
  e->sw.irq_set |= e->sw.irq_next;
  e->sw.irq_next = 0;
  return wrong;
}

/* ---- interrupts ---------------------------------------------------------------------------------------------------- */

const char *fem_golden_irq(struct fem_env *e, const uint32_t *out) {
  uint32_t sure = e->sw.irq_set & e->sw.enable, may = sure | (e->sw.irq_may & e->sw.enable);
  if (out[e->at.irq] && sure == FEM_IRQ_NACK) fem_hit(e, FEM_COVER_IRQ_NACK);
  if (out[e->at.irq] && sure == FEM_IRQ_ILLEGAL) fem_hit(e, FEM_COVER_IRQ_ILLEGAL);
  if (out[e->at.irq] && !may) return fem_wrong(e, "irq_o is 1, and no enabled interrupt is pending");
  if (!out[e->at.irq] && sure) return fem_wrong(e, "irq_o is 0, and enabled interrupts 0x%x are pending", sure);
  return NULL;
}
