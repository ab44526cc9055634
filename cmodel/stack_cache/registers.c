/* SPDX-License-Identifier: Apache-2.0 */
/* registers.c: the register port of the stack_cache model: an access is accepted in w, executes in w+2, writes with the
 * end of w+3 and is answered in w+4. */
#include "core/registers.h"
#include "stack_cache/state.h"

enum { CHECKS = 1, EXECUTES = 2, WRITES = 3, LIMIT_FOLLOWS = 6 };

void sc_registers_reset(struct sc_model *m) {
  struct sc_registers *r = &m->r_;
  *r = (struct sc_registers){0};
  r->stride_lg = r->stride_was[0] = r->stride_was[1] = r->stride_was[2] = m->l.stride_max;
  r->limit = r->limit_was = r->limit_q = m->l.max_depth;
  r->spill_over = r->restore_free = m->l.nsets / 2;
  r->spill_burst = 1;
  r->halt_flush = SC_HALT_FLUSH_RESET;
}

static bool read_counter(struct sc_model *m, uint32_t addr, uint32_t *data) {
  unsigned i = (addr - SC_REG_COUNTER) / 8;
  if (!m->l.counters || addr < SC_REG_COUNTER || i >= sc_counters(&m->l)) return false;
  if (addr & 4) {
    *data = m->r_.counter_hi;
  } else {
    static const uint64_t most = ((uint64_t)1 << 48) - 1;
    uint64_t v = m->counter_seen[i] < most ? m->counter_seen[i] : most;
    *data = (uint32_t)v;
    m->r_.counter_hi = (uint32_t)(v >> 32);
  }
  return true;
}

/* A read other than of a depth. False: no such register. */
static bool read_register(struct sc_model *m, uint32_t addr, uint32_t *data) {
  const struct sc_registers *r = &m->r_;
  const bool threshold = m->l.policy == SC_THRESHOLD;
  switch (addr) {
  case SC_REG_ID: *data = SC_ID; return true;
  case SC_REG_STATUS:
    *data = (uint32_t)(m->nonempty_1 == 0) | (uint32_t)r->error_valid << 2 | (uint32_t)(m->under_way != 0) << 3;
    return true;
  case SC_REG_BASE_LO: *data = (uint32_t)r->base; return true;
  case SC_REG_BASE_HI: *data = (uint32_t)(r->base >> 32); return m->l.addr_w > 32;
  case SC_REG_STRIDE_LG: *data = r->stride_lg; return true;
  case SC_REG_LIMIT: *data = (uint32_t)r->limit_q; return true;
  case SC_REG_SPILL_OVER: *data = r->spill_over; return threshold;
  case SC_REG_SPILL_BURST: *data = r->spill_burst; return threshold;
  case SC_REG_RESTORE_FREE: *data = r->restore_free; return threshold;
  case SC_REG_THREAD: *data = r->thread; return true;
  case SC_REG_ERROR: *data = r->error | (uint32_t)r->error_valid << 31; return true;
  case SC_REG_ERROR_SET: *data = r->error_set; return true;
  case SC_REG_ERROR_COUNT: *data = r->error_count; return true;
  case SC_REG_CONTROL: *data = m->u.flush; return m->l.status;
  case SC_REG_HALT_FLUSH: *data = r->halt_flush; return m->l.status;
  case SC_REG_DEEPEST_OF: *data = m->deepest_of_seen; return m->deepest_of;
  default: return read_counter(m, addr, data);
  }
}

/* Whether a write is lawful: what the description refuses, and what depends on the state. */
static bool may_write(const struct sc_model *m) {
  const struct sc_registers *r = &m->r_;
  if (!simt_reg_takes(simt_reg_at(m->desc, r->addr), r->data)) return false;
  if (r->addr == SC_REG_CONTROL && r->data) return !m->u.shell.fsm.halt_req && !simt_shell_halted(&m->u.shell);
  bool moves = r->addr == SC_REG_BASE_LO || r->addr == SC_REG_BASE_HI || r->addr == SC_REG_STRIDE_LG;
  return !moves || r->may_move;
}

/* f+2: a word of a context is read, or judged. */
static void fetch(struct sc_model *m) {
  struct sc_registers *r = &m->r_;
  const enum sc_word word = sc_unit_word(m);
  if (word == SC_WORD_ENTRY) {
    r->result = sc_unit_reads(m);
  } else if (word != SC_WORD_REGISTER) {
    r->waits = r->asked = true;
    if (sc_loads(m)) sc_unit_thread(m);
  } else if (sc_loads(m)) {
    r->good = sc_register_comes(m);
  } else {
    r->result = 0;
    if (!read_register(m, r->addr, &r->result)) r->result = 0;
    if (r->addr == SC_REG_LIMIT) r->result = (uint32_t)r->limit;
  }
}

static void execute(struct sc_model *m) {
  struct sc_registers *r = &m->r_;
  if (m->u.fetch) {
    fetch(m);
    return;
  }
  if (!r->write && r->addr == SC_REG_DEPTH) {
    r->waits = r->asked = true;
    return;
  }
  r->result = 0;
  if (r->addr & 3) r->good = false;
  else if (r->write) r->good = may_write(m);
  else r->good = read_register(m, r->addr, &r->result);
  if (!r->good) r->result = 0;
}

void sc_depth_done(struct sc_model *m, uint32_t depth) {
  m->r_.asked = false;
  m->r_.good = true;
  m->r_.result = m->u.fetch ? sc_unit_reads(m) : depth;
}

void sc_registers_begin(struct sc_model *m) {
  struct sc_registers *r = &m->r_;
  r->rsp_valid = false;
  switch (r->phase) {
  case 0:
    sc_count(m, m->counter_seen);
    if (m->deepest_of) m->deepest_of_seen = m->deepest_of[r->thread];
    break;
  case CHECKS:
    r->may_move = (m->nonempty_1 == 0 && m->under_way == 0) || simt_shell_halted(&m->u.shell);
    break;
  case EXECUTES:
    if (!r->asked) execute(m);
    break;
  case WRITES:
    if (!r->write || !r->good) break;
    if (r->addr == SC_REG_COUNTER_CLEAR) {
      memset(m->counter, 0, sizeof m->counter);
      memset(m->tally, 0, sizeof m->tally);
      m->waited = SC_N_PUSH;
      if (m->deepest_of) memset(m->deepest_of, 0, m->l.threads * sizeof *m->deepest_of);
    }
    m->u.forgets = r->addr == SC_REG_ERROR;
    if (m->u.forgets) sc_errors_clear(m);
    m->u.commanded = r->addr == SC_REG_CONTROL && r->data;
    break;
  default: break;
  }
}

void sc_errors_clear(struct sc_model *m) {
  struct sc_registers *r = &m->r_;
  r->error_valid = r->error_came = false;
  r->error = r->error_set = r->error_count = 0;
}

/* ---- a context's words -------------------------------------------------------------------------------------- */

bool sc_register_comes(struct sc_model *m) {
  const struct sc_registers *r = &m->r_;
  const struct simt_reg *reg = simt_reg_at(m->desc, r->addr);
  const uint32_t v = m->u.shell.port.r.word;
  if (!reg || r->addr == SC_REG_DEPTH) return v == 0;
  switch (r->addr) {
  case SC_REG_LIMIT: return v <= m->l.max_depth;
  case SC_REG_ERROR: return !(v & 0x0ffffc00) && (v & 0x3ff) < m->l.threads && (v >> 31 || !v);
  case SC_REG_ERROR_SET: return v <= simt_ones(m->l.set_idx_w);
  case SC_REG_ERROR_COUNT: return v <= 0xffff;
  default: return simt_reg_takes(reg, v);
  }
}

/* It is good, and is taken. */
void sc_register_loaded(struct sc_model *m) {
  struct sc_registers *r = &m->r_;
  struct sc_coming *to = &m->u.coming;
  const uint32_t v = m->u.shell.to.ld_data;
  switch (r->addr) {
  case SC_REG_BASE_LO: to->base = v; break;
  case SC_REG_BASE_HI: to->base |= (uint64_t)v << 32; break;
  case SC_REG_STRIDE_LG: to->stride_lg = v; break;
  case SC_REG_LIMIT: to->limit = v; break;
  case SC_REG_SPILL_OVER: to->spill_over = v; break;
  case SC_REG_SPILL_BURST: to->spill_burst = v; break;
  case SC_REG_RESTORE_FREE: to->restore_free = v; break;
  case SC_REG_THREAD: to->thread = v; break;
  case SC_REG_HALT_FLUSH: to->halt_flush = v; break;
  case SC_REG_ERROR:
    r->error_valid = v >> 31;
    r->error = v & 0x7fffffff;
    break;
  case SC_REG_ERROR_SET: r->error_set = v; break;
  case SC_REG_ERROR_COUNT: r->error_count = v; break;
  default: break;
  }
}

void sc_registers_commit(struct sc_model *m) {
  struct sc_registers *r = &m->r_;
  const struct sc_coming *from = &m->u.coming;
  r->base = from->base;
  r->stride_lg = from->stride_lg;
  r->limit = from->limit;
  r->thread = from->thread;
  r->halt_flush = from->halt_flush;
  r->limit_moves = LIMIT_FOLLOWS;
  if (m->l.policy != SC_THRESHOLD) return;
  r->spill_over = from->spill_over;
  r->spill_burst = from->spill_burst;
  r->restore_free = from->restore_free;
}

/* ---- the end of a cycle --------------------------------------------------------------------------------------- */

static void write_register(struct sc_model *m) {
  struct sc_registers *r = &m->r_;
  const uint32_t v = r->data;
  switch (r->addr) {
  case SC_REG_BASE_LO: r->base = (r->base & ~(uint64_t)0xffffffff) | v; break;
  case SC_REG_BASE_HI: r->base = (r->base & 0xffffffff) | (uint64_t)v << 32; break;
  case SC_REG_STRIDE_LG:
    r->stride_lg = v;
    r->limit_moves = LIMIT_FOLLOWS;
    break;
  case SC_REG_LIMIT:
    r->limit = simt_reg_holds(simt_reg_at(m->desc, r->addr), v);
    r->limit_moves = LIMIT_FOLLOWS;
    break;
  case SC_REG_SPILL_OVER: r->spill_over = v; break;
  case SC_REG_SPILL_BURST: r->spill_burst = v; break;
  case SC_REG_RESTORE_FREE: r->restore_free = v; break;
  case SC_REG_THREAD: r->thread = v; break;
  case SC_REG_HALT_FLUSH: r->halt_flush = v; break;
  default: break;
  }
}

static void limit_follows(struct sc_model *m) {
  struct sc_registers *r = &m->r_;
  const uint64_t region = (uint64_t)1 << (r->stride_was[2] - m->l.entry_bytes_lg);
  r->limit_moves--;
  r->limit_q = r->limit_was < region ? r->limit_was : region;
  r->limit_was = r->limit;
  r->stride_was[2] = r->stride_was[1];
  r->stride_was[1] = r->stride_was[0];
  r->stride_was[0] = r->stride_lg;
}

void sc_registers_end(struct sc_model *m, const uint32_t *in) {
  struct sc_registers *r = &m->r_;
  if (r->limit_moves) limit_follows(m);
  if (r->phase == WRITES && m->u.fetch) { /* unit.c has the word */
    r->phase = 0;
  } else if (r->phase == WRITES) {
    if (r->write && r->good) write_register(m);
    r->phase = 0;
    r->rsp_valid = true;
    r->rsp_error = !r->good;
  } else if (r->phase) {
    if (!r->asked) r->phase++;
  } else if (in[m->reg_at.valid] && !sc_moves_context(m) && !m->u.walks) {
    r->phase = CHECKS;
    r->write = in[m->reg_at.write];
    r->addr = in[m->reg_at.addr] & (((uint32_t)1 << SC_REG_ADDR_W) - 1);
    r->data = in[m->reg_at.data];
  }
}
