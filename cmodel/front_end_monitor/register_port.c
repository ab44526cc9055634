/* SPDX-License-Identifier: Apache-2.0 */
/* register_port.c: the register port (US-12). An access is looked at in the cycle behind the one in which it is taken, and
 * executes in the next, or when what it waits for has come. */
#include <string.h>

#include "core/registers.h"
#include "front_end_monitor/model.h"

void fem_registers_reset(struct fem_regs *r, const struct fem_layout *l) {
  memset(r, 0, sizeof *r);
  r->timeout = l->usual_time;
  for (unsigned k = 0; k < FEM_DOMAINS_MAX; k++) r->of_dead[k].window = l->usual_time;
}

/* Of a word of bits, which of its bits exist; 0: the word does not. */
static uint32_t bits_there(uint32_t n, unsigned word) {
  if (32 * word >= n) return 0;
  return n - 32 * word >= 32 ? UINT32_MAX : (UINT32_C(1) << (n - 32 * word)) - 1;
}

static uint32_t pack(const bool *bit, unsigned n, unsigned word) {
  uint32_t v = 0;
  for (unsigned i = 32 * word; i < n && i < 32 * word + 32; i++) v |= (uint32_t)bit[i] << i % 32;
  return v;
}

static bool read_bits(const struct fem_model *m, uint32_t a, uint32_t *v) {
  unsigned word = a >> 2 & 31, kind = a >> 7;
  unsigned n = kind == FEM_REG_MASK >> 7 ? m->l.commands : m->l.conns;
  if ((a & 3) || kind < FEM_REG_LATE >> 7 || kind > FEM_REG_LOST >> 7 || !bits_there(n, word)) return false;
  if (kind == FEM_REG_LATE >> 7) *v = pack(m->s.late, n, word);
  else if (kind == FEM_REG_DEAD_CONNS >> 7) *v = pack(m->s.dead_conn, n, word);
  else if (kind == FEM_REG_LOST >> 7) *v = pack(m->s.lost, n, word);
  else *v = m->s.mask[word];
  return true;
}

static uint32_t status(const struct fem_domain *d) {
  return (uint32_t)d->stage | (uint32_t)d->what << 4 | (uint32_t)d->code << 8 | (uint32_t)d->lost << 12 |
         (uint32_t)d->did_reset << 13 | (uint32_t)d->ending << 14;
}

static bool read_domain(const struct fem_model *m, uint32_t a, uint32_t *v) {
  const struct fem_regs *r = &m->s.regs;
  const struct fem_domain *d = &m->s.domain[r->domain];
  bool wide = m->l.addr_w > 32;
  switch (a) {
  case FEM_REG_STATUS: *v = status(d); return true;
  case FEM_REG_ERROR_UNIT: *v = d->unit; return true;
  case FEM_REG_SAVE_BASE: *v = (uint32_t)r->of[r->domain].save; return true;
  case FEM_REG_SAVE_BASE + 4: *v = (uint32_t)(r->of[r->domain].save >> 32); return wide;
  case FEM_REG_LOAD_BASE: *v = (uint32_t)r->of[r->domain].load; return true;
  case FEM_REG_LOAD_BASE + 4: *v = (uint32_t)(r->of[r->domain].load >> 32); return wide;
  case FEM_REG_SLOTS: *v = r->of[r->domain].save_slot | (uint32_t)r->of[r->domain].load_slot << 8; return true;
  default: break;
  }
  if (a < FEM_REG_TIME || a >= FEM_REG_CONN || (a & 3)) return false;
  *v = d->time[(a - FEM_REG_TIME) / 4];
  return m->l.stats != FEM_STATS_NONE;
}

static bool read_dead(const struct fem_model *m, uint32_t a, uint32_t *v) {
  const struct fem_regs *r = &m->s.regs;
  const struct fem_dead *k = &m->s.dead[r->dead];
  unsigned policy = r->of_dead[r->dead].policy;
  switch (a) {
  case FEM_REG_DEAD: *v = r->dead; return true;
  case FEM_REG_WINDOW: *v = r->of_dead[r->dead].window; return true;
  case FEM_REG_DEAD_POLICY: *v = (policy & 3) | (policy >> 2) << 4; return true;
  case FEM_REG_DEAD_SEEN: *v = k->seen; return true;
  case FEM_REG_DEAD_RESOLVED: *v = k->resolved; return true;
  case FEM_REG_DEAD_LAST:
    *v = r->last_dead | (uint32_t)k->open << 29 | (uint32_t)r->last_again << 30 | (uint32_t)r->last_valid << 31;
    return true;
  case FEM_REG_DEAD_CYCLE: *v = (uint32_t)r->last_cycle; return true;
  case FEM_REG_DEAD_CYCLE + 4: *v = (uint32_t)(r->last_cycle >> 32); return true;
  default: return false;
  }
}

static bool read_stats(const struct fem_model *m, uint32_t a, uint32_t *v) {
  const struct fem_regs *r = &m->s.regs;
  bool have = m->l.stats != FEM_STATS_NONE;
  switch (a) {
  case FEM_REG_CONN: *v = r->conn; return true;
  case FEM_REG_CONN_STATE: *v = (r->looked & 7) | (r->looked >> 3) << 4; return true;
  case FEM_REG_NACK_CONN: *v = r->nack_conn; return true;
  case FEM_REG_ILLEGAL_CONN: *v = r->illegal_conn; return true;
  case FEM_REG_STATS_CONTROL: *v = r->hold; return have;
  case FEM_REG_COUNT_HI: *v = r->high_count; return have;
  case FEM_REG_HALT_LAST: *v = m->s.stats.read_last; return have;
  case FEM_REG_HALT_WORST: *v = m->s.stats.read_worst; return have;
  default: break;
  }
  if (a < FEM_REG_COUNT || a >= FEM_REG_COUNT + 24 || (a & 3)) return false;
  *v = (uint32_t)m->s.stats.read_count;
  return have;
}

static bool read_common(const struct fem_model *m, uint32_t a, uint32_t *v) {
  const struct fem_regs *r = &m->s.regs;
  const struct fem_layout *l = &m->l;
  switch (a) {
  case FEM_REG_ID: *v = FEM_ID; return true;
  case FEM_REG_SHAPE: *v = l->conns << 16 | l->units; return true;
  case FEM_REG_OPTIONS:
    *v = l->stages << 24 | l->slots << 22 | (unsigned)l->stats << 20 | l->encoding << 18 | (unsigned)l->kind << 16 | l->deads << 8 | l->domains;
    return true;
  case FEM_REG_LATENCY: *v = (l->conns + 4) << 16 | l->time_w << 8 | (l->levels + 1); return true;
  case FEM_REG_CYCLE: *v = (uint32_t)r->cycle; return true;
  case FEM_REG_CYCLE + 4: *v = r->high_kept; return true;
  case FEM_REG_IRQ_STATUS: *v = r->irq; return true;
  case FEM_REG_IRQ_ENABLE: *v = r->enable; return true;
  case FEM_REG_DOMAIN: *v = r->domain; return true;
  case FEM_REG_TIMEOUT: *v = r->timeout; return true;
  case FEM_REG_TIMEOUT_POLICY: *v = r->timeout_policy; return true;
  default: return read_domain(m, a, v) || read_dead(m, a, v) || read_stats(m, a, v) || read_bits(m, a, v);
  }
}

/* Whether a write is taken: what the description refuses, and what depends on the state. What it does at once goes into
 * the events. */
static bool may_write(struct fem_model *m, uint32_t a, uint32_t v) {
  const struct fem_regs *r = &m->s.regs;
  bool idle = m->s.domain[r->domain].stage == FEM_IDLE, stands = idle || fem_stopped(&m->s.domain[r->domain]);
  if (!simt_reg_takes(simt_reg_at(m->desc, a), v)) return false;
  switch (a) {
  case FEM_REG_TIMEOUT: return !v || v > m->l.settle; /* else no report could come in time */
  case FEM_REG_COMMAND: return m->e.command[r->domain] = fem_takes(m, r->domain, v);
  case FEM_REG_SAVE_BASE:
  case FEM_REG_SAVE_BASE + 4: return idle;
  case FEM_REG_LOAD_BASE:
  case FEM_REG_LOAD_BASE + 4: return stands;
  case FEM_REG_SLOTS: return stands && (v & 3) <= m->l.slots;
  case FEM_REG_WINDOW: return m->e.window_write[r->dead] = true;
  case FEM_REG_DEAD_POLICY: return v & 64 || !(v & 48);
  case FEM_REG_STATS_CONTROL: m->e.clear = v & 2; return true;
  default: return true;
  }
}

void fem_registers_look(struct fem_model *m) {
  const struct fem_regs *r = &m->s.regs;
  struct fem_events *e = &m->e;
  e->executes = r->busy && r->waits == FEM_WAITS_NOT;
  if (!e->executes) return;
  e->writes = r->write;
  if (r->write) {
    e->good = may_write(m, r->addr, r->data);
    return;
  }
  uint32_t v = 0;
  e->good = read_common(m, r->addr, &v);
  e->read = e->good ? v : 0;
}

static void put_half(uint64_t *base, uint32_t v, bool high) {
  if (high) *base = (*base & UINT32_MAX) | (uint64_t)v << 32;
  else *base = (*base & ~(uint64_t)UINT32_MAX) | v;
}

static void write_now(struct fem_model *m) {
  struct fem_regs *r = &m->s.regs;
  uint32_t a = r->addr, v = r->data;
  switch (a) {
  case FEM_REG_IRQ_STATUS: r->irq &= ~v; break;
  case FEM_REG_IRQ_ENABLE: r->enable = v; break;
  case FEM_REG_DOMAIN: r->domain = v; break;
  case FEM_REG_SAVE_BASE: case FEM_REG_SAVE_BASE + 4: put_half(&r->of[r->domain].save, v, a & 4); break;
  case FEM_REG_LOAD_BASE: case FEM_REG_LOAD_BASE + 4: put_half(&r->of[r->domain].load, v, a & 4); break;
  case FEM_REG_SLOTS: r->of[r->domain].save_slot = v & 3, r->of[r->domain].load_slot = (uint8_t)(v >> 8); break;
  case FEM_REG_TIMEOUT: r->timeout = v; break;
  case FEM_REG_TIMEOUT_POLICY: r->timeout_policy = v; break;
  case FEM_REG_DEAD: r->dead = v; break;
  case FEM_REG_WINDOW: r->of_dead[r->dead].window = v; break;
  case FEM_REG_DEAD_POLICY: r->of_dead[r->dead].policy = (uint8_t)((v & 3) | (v >> 4) << 2); break;
  case FEM_REG_CONN: r->conn = v; break;
  case FEM_REG_STATS_CONTROL: r->hold = v & 1; break;
  case FEM_REG_COMMAND: break;
  default: m->s.mask[a >> 2 & 31] = v; break;
  }
}

static void raise(struct fem_model *m, const struct fem_look *look) {
  struct fem_regs *r = &m->s.regs;
  const struct fem_events *e = &m->e;
  bool nack = look->valid && look->flags & FEM_NACK, illegal = look->valid && look->seen == FEM_ILLEGAL;
  r->timeout_written = e->writes && e->good && (r->addr == FEM_REG_TIMEOUT || r->addr == FEM_REG_TIMEOUT_POLICY);
  if (e->writes && e->good) write_now(m);
  if (nack && !(r->irq & FEM_IRQ_NACK)) r->nack_conn = look->conn;
  if (illegal && !(r->irq & FEM_IRQ_ILLEGAL)) r->illegal_conn = look->conn;
  r->irq |= (e->finish ? FEM_IRQ_DONE : 0u) | (e->fail ? FEM_IRQ_ERROR : 0u) | (e->any_expire ? FEM_IRQ_TIMEOUT : 0u) |
            (e->any_dead ? FEM_IRQ_DEAD : 0u) | (e->again ? FEM_IRQ_UNRESOLVED : 0u) | (nack ? FEM_IRQ_NACK : 0u) |
            (illegal ? FEM_IRQ_ILLEGAL : 0u);
  if (!e->any_dead) return;
  r->last_valid = true;
  r->last_again = e->again;
  for (r->last_dead = 0; !e->dead[r->last_dead];) r->last_dead++;
  r->last_cycle = r->cycle;
}

static enum fem_waits waits_for(const struct fem_model *m, bool write, uint32_t a) {
  if (write) return FEM_WAITS_DECODE;
  if (a == FEM_REG_CONN_STATE) return FEM_WAITS_LOOK;
  if (m->l.stats == FEM_STATS_NONE) return FEM_WAITS_DECODE;
  if (a == FEM_REG_HALT_LAST || a == FEM_REG_HALT_WORST) return FEM_WAITS_LATENCY;
  return a >= FEM_REG_COUNT && a < FEM_REG_COUNT + 24 && !(a & 3) ? FEM_WAITS_RAM : FEM_WAITS_DECODE;
}

static void access_step(struct fem_model *m, const struct fem_look *look, const uint32_t *in) {
  struct fem_regs *r = &m->s.regs;
  const struct fem_events *e = &m->e;
  r->rsp_valid = e->executes;
  r->rsp_error = !e->good;
  r->rsp_data = e->read;
  if (e->executes && !r->write && r->addr == FEM_REG_CYCLE) r->high_kept = (uint32_t)(r->cycle >> 32);
  if (e->executes && r->waited == FEM_WAITS_RAM) r->high_count = (uint32_t)(m->s.stats.read_count >> 32);
  bool comes = r->waits == FEM_WAITS_LOOK ? look->valid && look->conn == r->conn
             : r->waits == FEM_WAITS_RAM ? e->ram_free : r->waits == FEM_WAITS_LATENCY ? e->latency_free : true;
  if (r->waits == FEM_WAITS_LOOK) r->looked = look->flags << 3 | look->seen;
  if (!r->busy && in[m->p.reg_valid]) {
    r->busy = true;
    r->write = in[m->p.reg_write];
    r->addr = in[m->p.reg_addr];
    r->data = in[m->p.reg_data];
    r->waits = waits_for(m, r->write, r->addr);
    r->waited = FEM_WAITS_NOT;
  } else if (e->executes) {
    r->busy = false;
  } else if (r->waits != FEM_WAITS_NOT && comes) {
    r->waited = r->waits;
    r->waits = FEM_WAITS_NOT;
  }
}

/* `look`: the statistics as they were before this step. */
void fem_registers_step(struct fem_model *m, const struct fem_look *look, const uint32_t *in) {
  raise(m, look);
  access_step(m, look, in);
  m->s.regs.cycle = (m->s.regs.cycle + 1) & m->l.most_cycle;
}
