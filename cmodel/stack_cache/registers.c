/* SPDX-License-Identifier: Apache-2.0 */
/* registers.c: the register port of the stack_cache model. */
#include "core/registers.h"
#include "stack_cache/state.h"

#include <string.h>

uint64_t sc_limit_of(const struct sc_model *m, uint64_t limit, uint32_t stride_lg) {
  uint64_t region = (uint64_t)1 << ((stride_lg - m->l.entry_bytes_lg) & 63);
  return limit < region ? limit : region;
}

uint64_t sc_effective_limit(const struct sc_model *m) { return sc_limit_of(m, m->r.limit_reg, m->r.stride_lg); }

static bool any_fault(const struct sc_model *m) {
  uint32_t any = 0;
  for (unsigned w = 0; w < m->words; w++) any |= m->faulted[w];
  return any != 0;
}

static bool read_counter(struct sc_model *m, uint32_t addr, uint32_t *data) {
  unsigned i = (addr - SC_REG_COUNTER) / 8;
  if (!m->l.counters || addr < SC_REG_COUNTER || i >= SC_COUNTERS) return false;
  if (addr & 4) {
    *data = m->r.counter_hi;
  } else {
    static const uint64_t most = ((uint64_t)1 << 48) - 1;
    uint64_t v = m->r.counter_seen[i] < most ? m->r.counter_seen[i] : most;
    *data = (uint32_t)v;
    m->r.counter_hi = (uint32_t)(v >> 32);
  }
  return true;
}

/* A read other than of a depth. False: no such register. */
static bool read_register(struct sc_model *m, uint32_t addr, uint32_t *data) {
  const struct sc_regs_state *r = &m->r;
  bool threshold = m->l.policy == SC_THRESHOLD;
  switch (addr) {
  case SC_REG_ID: *data = SC_ID; return true;
  case SC_REG_STATUS: *data = (uint32_t)(r->nonempty == 0) | (uint32_t)any_fault(m) << 1 | (uint32_t)r->error_valid << 2 |
                                (uint32_t)(m->u.under_way != 0) << 3; return true;
  case SC_REG_BASE_LO: *data = (uint32_t)r->base; return true;
  case SC_REG_BASE_HI: *data = (uint32_t)(r->base >> 32); return m->l.addr_w > 32;
  case SC_REG_STRIDE_LG: *data = r->stride_lg; return true;
  case SC_REG_LIMIT: *data = (uint32_t)r->lim; return true;
  case SC_REG_SPILL_OVER: *data = r->spill_over; return threshold;
  case SC_REG_SPILL_BURST: *data = r->spill_burst; return threshold;
  case SC_REG_RESTORE_FREE: *data = r->restore_free; return threshold;
  case SC_REG_THREAD: *data = r->reg_thread; return true;
  case SC_REG_ERROR: *data = r->error; return true;
  case SC_REG_ERROR_SET: *data = r->error_set; return true;
  case SC_REG_ERROR_COUNT: *data = r->error_count; return true;
  case SC_REG_CONTROL:
    *data = (uint32_t)m->u.flush | (uint32_t)m->u.flush_on_halt << 1;
    return m->l.status != SC_NO_STATUS;
  default: break;
  }
  if (addr >= SC_REG_FAULTED && addr < SC_REG_FAULTED + 4 * m->words) {
    *data = m->faulted[(addr - SC_REG_FAULTED) / 4];
    return true;
  }
  return read_counter(m, addr, data);
}

/* Whether a write is lawful now: what the description refuses, and what depends on the state. */
static bool may_write(const struct sc_model *m, uint32_t addr, uint32_t v) {
  if (!simt_reg_takes(simt_reg_at(m->desc, addr), v)) return false;
  bool halted = m->l.status && m->u.fsm.state == SIMT_HALTED;
  switch (addr) {
  case SC_REG_BASE_LO:
  case SC_REG_BASE_HI:
  case SC_REG_STRIDE_LG: /* an old write that lands after its region has moved would change another thread's data */
    return !m->u.under_way && (m->r.nonempty == 0 || halted);
  case SC_REG_CONTROL: return !(v & 1 && (m->u.fsm.halt_req || halted));
  default: return true;
  }
}

struct sc_reg_effect sc_register_execute(struct sc_model *m) {
  struct sc_regs_state *r = &m->r;
  struct sc_reg_effect e = {0};
  bool depth = !r->reg_write && (r->reg_addr == SC_REG_DEPTH || (r->reg_addr == SC_REG_DEEPEST_OF && m->l.counters == 2));
  if (depth) {
    r->depth_waits |= !r->depth_asked;
    r->depth_asked = true;
    return e; /* sc_depth_answer ends the access */
  }
  uint32_t data = 0;
  bool ok = false;
  if (r->reg_addr & 3) {
    e.write = false;
  } else if (r->reg_write) {
    ok = may_write(m, r->reg_addr, r->reg_data);
    e.write = ok;
    e.addr = r->reg_addr;
    e.data = r->reg_data;
    if (ok && r->reg_addr == SC_REG_COUNTER_CLEAR) {
      memset(r->counter, 0, sizeof r->counter);
      for (unsigned t = 0; t < m->l.threads; t++) m->thread[t].deepest = 0;
    }
    e.clear_error = ok && r->reg_addr == SC_REG_ERROR;
  } else {
    ok = read_register(m, r->reg_addr, &data);
  }
  r->reg_busy = false;
  r->rsp_valid = true;
  r->rsp_error = !ok;
  r->rsp_data = ok ? data : 0;
  return e;
}

void sc_depth_answer(struct sc_model *m) {
  struct sc_regs_state *r = &m->r;
  const struct sc_thread *th = &m->thread[r->eb.thread];
  r->reg_busy = r->depth_asked = false;
  r->rsp_valid = true;
  r->rsp_error = false;
  r->rsp_data = r->reg_addr == SC_REG_DEPTH ? th->s.count : th->deepest;
}

static void write_register(struct sc_model *m, uint32_t addr, uint32_t v) {
  struct sc_regs_state *r = &m->r;
  switch (addr) {
  case SC_REG_BASE_LO: r->base = (r->base & ~(uint64_t)0xffffffff) | v; break;
  case SC_REG_BASE_HI: r->base = (r->base & 0xffffffff) | (uint64_t)v << 32; break;
  case SC_REG_STRIDE_LG: r->stride_lg = v; r->limit_change = true; break;
  case SC_REG_LIMIT: r->limit_reg = simt_reg_holds(simt_reg_at(m->desc, addr), v); r->limit_change = true; break;
  case SC_REG_SPILL_OVER: r->spill_over = v; break;
  case SC_REG_SPILL_BURST: r->spill_burst = v; break;
  case SC_REG_RESTORE_FREE: r->restore_free = v; break;
  case SC_REG_THREAD: r->reg_thread = v; break;
  case SC_REG_CONTROL:
    m->u.flush_on_halt = v >> 1;
    if (v & 1) m->u.flush = true;
    break;
  default: break;
  }
}

void sc_register_commit(struct sc_model *m, const struct sc_reg_effect *e, const uint32_t *in) {
  struct sc_regs_state *r = &m->r;
  const struct sc_ports *p = &m->p;
  if (r->limit_change) {
    r->limit_change = false;
    r->lim = sc_effective_limit(m);
    r->settle = r->walking = true;
    r->walk = 0;
    r->walk_ends[0] = r->walk_ends[1] = false;
  }
  if (e->write) write_register(m, e->addr, e->data);
  if (in[p->reg_req_valid_i] && r->reg_ready) {
    r->reg_busy = true;
    r->reg_write = in[p->reg_req_write_i];
    r->reg_addr = in[p->reg_req_addr_i] & (((uint32_t)1 << SC_REG_ADDR_W) - 1);
    r->reg_data = in[p->reg_req_data_i];
  }
}
