/* SPDX-License-Identifier: Apache-2.0 */
/* registers.c: what the register port must answer. An access accepted in cycle w is answered in w+2, a read
 * of a depth when the engine has seen the thread. */
#include "stack_cache/env.h"

#include <string.h>

static bool is_depth(uint32_t addr) { return addr == SC_REG_DEPTH || addr == SC_REG_DEEPEST_OF; }

static const struct simt_reg *find_register(const struct sc_env *e, uint32_t addr) {
  const struct simt_desc *d = &e->cfg->desc;
  for (size_t i = 0; i < d->n_regs; i++)
    if (d->regs[i].addr == addr) return &d->regs[i];
  return NULL;
}

static void set_effective(struct sc_env *e) {
  struct sc_registers *r = &e->regs;
  uint64_t region = ((uint64_t)1 << r->stride_lg) >> e->l.entry_bytes_lg, limit = r->limit;
  if (limit > e->l.max_depth) limit = e->l.max_depth;
  if (limit > region) limit = region;
  r->effective = limit;
}

void sc_registers_limit(struct sc_env *e) { set_effective(e); }

/* The can-go bits are 0 until every thread was looked at under the new limit. */
static void change_limit(struct sc_env *e) {
  set_effective(e);
  sc_cover_if(e, SC_COVER_LIMIT_WRITE, e->not_empty > 0);
  e->all_bits = true;
  e->regs.walks = e->l.threads + 8;
  e->regs.limit_settled = e->cycle + 2 * e->l.threads + 16;
  memset(e->stale, 0xff, e->words * sizeof *e->stale);
}

/* Whether accesses were under way when the register's was executed: a request is offered two cycles after it began. */
static bool accesses(const struct sc_env *e) { return e->regs.under_way || e->regs.shown; }

/* ---- writes --------------------------------------------------------------------------------------------- */

/* Whether a write must be refused: 1 yes, 0 no, -1 not laid down. */
static int must_refuse(const struct sc_env *e, uint32_t addr, uint32_t data) {
  const struct simt_reg *reg = find_register(e, addr);
  bool halted = e->unit.last == SIMT_HALTED, in_use = (e->not_empty && !halted) || accesses(e);
  if (!reg) return 1;
  if (strcmp(reg->access, "rw")) return strcmp(reg->access, "wo") ? -1 : 0;
  if (addr == SC_REG_ERROR) return 0;
  if (e->unit.settled && e->regs.accepted < e->unit.settled + 8 && addr >= SC_REG_BASE_LO && addr <= SC_REG_STRIDE_LG)
    return -1; /* a reset of the unit: the stacks become empty in these cycles */
  if (addr == SC_REG_LIMIT && reg->width < 32 && data >> reg->width) return -1;
  if (reg->width < 32 && data >> reg->width) return 1;
  switch (addr) {
    case SC_REG_BASE_LO:
      return in_use || data % e->l.set_bytes || (e->l.addr_w < 32 && data >> e->l.addr_w);
    case SC_REG_BASE_HI: return in_use;
    case SC_REG_STRIDE_LG: return in_use || data < e->l.set_bytes_lg || data > e->l.stride_max;
    case SC_REG_SPILL_OVER:
    case SC_REG_RESTORE_FREE: return data > e->l.nsets;
    case SC_REG_SPILL_BURST: return !data || data >= e->l.nsets;
    case SC_REG_THREAD: return data >= e->l.threads;
    case SC_REG_CONTROL: return (data & 1) && (halted || e->unit.was_halt_before);
    default: return 0;
  }
}

/* What a visit under way may still go by: of two writes one behind the other, the value before the first, too. */
static void keep_thresholds(struct sc_env *e) {
  struct sc_registers *r = &e->regs;
  bool settled = e->cycle > r->settled + e->l.steal;
  if (settled || r->spill_over < r->old_over) r->old_over = r->spill_over;
  if (settled || r->spill_burst > r->old_burst) r->old_burst = r->spill_burst;
  if (settled || r->restore_free < r->old_free) r->old_free = r->restore_free;
  r->settled = e->cycle + 3;
}

static void write_register(struct sc_env *e) {
  struct sc_registers *r = &e->regs;
  uint64_t low = 0xffffffff;
  switch (r->addr) {
    case SC_REG_BASE_LO:
      r->base = (r->base & ~low) | r->data;
      e->cover[SC_COVER_BASE_WRITE]++;
      break;
    case SC_REG_BASE_HI: r->base = (r->base & low) | (uint64_t)r->data << 32; break;
    case SC_REG_STRIDE_LG:
      r->stride_lg = r->data;
      e->cover[SC_COVER_STRIDE_WRITE]++;
      change_limit(e);
      break;
    case SC_REG_LIMIT:
      r->limit = r->data;
      change_limit(e);
      break;
    case SC_REG_SPILL_OVER: keep_thresholds(e); r->spill_over = r->data; break;
    case SC_REG_SPILL_BURST: keep_thresholds(e); r->spill_burst = r->data; break;
    case SC_REG_RESTORE_FREE: keep_thresholds(e); r->restore_free = r->data; break;
    case SC_REG_THREAD: r->thread = r->data; break;
    case SC_REG_COUNTER_CLEAR: /* the wait counters were cleared when the access was accepted */
      for (int i = 0; i <= SC_N_DEEPEST; i++) r->counter[i] = r->least[i] = 0;
      r->counter[SC_N_SPILL] = r->flushed == e->cycle;
      for (unsigned t = 0; t < e->l.threads; t++) e->thread[t].deepest = 0;
      r->counter[SC_N_RESTORE] = r->counter[SC_N_DROP] = e->perhaps; /* may still happen */
      r->counter[SC_N_RESTORE] += r->restored == e->cycle; /* its counter may come a cycle later */
      if (e->unit.clear_from && e->cycle <= e->unit.clear_from + e->l.threads + 3) { /* threads are still being cleared in turn */
        r->counter[SC_N_DROP] += 2 * (uint64_t)e->l.threads;
        r->counter[SC_N_RESTORE] += 2 * (uint64_t)e->l.threads;
      }
      r->cleared = e->cycle;
      e->cover[SC_COVER_COUNTER_CLEAR]++;
      break;
    default: break;
  }
}

/* Stacks that hold entries while the base or stride changes: the driver has moved them. */
static void moved(struct sc_env *e) {
  if (e->not_empty) sc_context_move(e);
  sc_cover_if(e, SC_COVER_MOVED, e->not_empty > 0);
}

static const char *answer_write(struct sc_env *e, bool refused) {
  struct sc_registers *r = &e->regs;
  int must = must_refuse(e, r->addr, r->data);
  if (must >= 0 && refused != must)
    return sc_wrong(e, "a write of 0x%x to register 0x%03x is %s", r->data, r->addr, refused ? "refused" : "done");
  if (!refused) {
    write_register(e);
    e->front.fresh = 0;
    if (r->addr == SC_REG_BASE_LO || r->addr == SC_REG_BASE_HI || r->addr == SC_REG_STRIDE_LG) moved(e);
  } else {
    sc_cover_if(e, SC_COVER_REFUSED_FLUSH, r->addr == SC_REG_CONTROL && (r->data & 1));
    sc_cover_if(e, SC_COVER_REFUSED_BASE, r->addr == SC_REG_BASE_LO && e->not_empty);
    sc_cover_if(e, SC_COVER_REFUSED_STRIDE, r->addr == SC_REG_STRIDE_LG && e->not_empty);
    sc_cover_if(e, SC_COVER_REFUSED_UNDER_WAY, r->addr == SC_REG_BASE_LO && !e->not_empty && accesses(e));
    sc_cover_if(e, SC_COVER_REFUSED_ADDRESS, !find_register(e, r->addr));
    sc_cover_if(e, SC_COVER_REFUSED_VALUE, find_register(e, r->addr) && (r->addr < SC_REG_BASE_LO ||
                                                                         r->addr > SC_REG_STRIDE_LG));
  }
  return NULL;
}

/* ---- reads ---------------------------------------------------------------------------------------------- */

static uint32_t faulted_word(const struct sc_env *e, unsigned i) {
  uint32_t word = 0;
  for (unsigned t = 32 * i; t < e->l.threads && t < 32 * i + 32; t++)
    word |= (uint32_t)e->thread[t].fault << (t % 32);
  return word;
}

static bool any_faulted(const struct sc_env *e) {
  for (unsigned t = 0; t < e->l.threads; t++)
    if (e->thread[t].fault) return true;
  return false;
}

static const char *counter_name(const struct sc_env *e, uint32_t addr) {
  const struct simt_reg *reg = find_register(e, addr);
  return reg ? reg->name : "";
}

static const char *check_counter(struct sc_env *e, uint32_t got) {
  struct sc_registers *r = &e->regs;
  unsigned i = (r->addr - SC_REG_COUNTER) / 8;
  bool wait = i > SC_N_DEEPEST, unseen = i == SC_N_RESTORE || i == SC_N_DROP;
  uint64_t hi = wait ? r->hi[i] : r->counter[i], lo = wait ? r->lo[i] : unseen ? r->least[i] : hi;
  lo -= (i == SC_N_SPILL && r->flushed + 1 == e->cycle) || (i == SC_N_RESTORE && lo && r->restored + 1 == e->cycle);
  if (r->addr & 4) lo = hi = 0; /* no run is that long */
  sc_cover_if(e, SC_COVER_COUNTER_READ, got > 0);
  if (got >= lo && got <= hi) return NULL;
  return sc_wrong(e, "%s reads %u, expected %llu to %llu", counter_name(e, r->addr), got, (unsigned long long)lo,
                  (unsigned long long)hi);
}

/* Faults and errors are known to the cycle only when none came near the access. */
static bool expected_value(const struct sc_env *e, uint32_t *to) {
  const struct sc_registers *r = &e->regs;
  bool error_known = r->last_error + 4 < r->accepted, fault_known = r->last_fault + 6 < r->accepted;
  if (r->loading || (e->unit.settled && r->accepted < e->unit.settled + 8)) return false;
  switch (r->addr) {
    case SC_REG_ID: *to = SC_ID; return true;
    case SC_REG_STATUS:
      *to = (uint32_t)!e->not_empty | (uint32_t)any_faulted(e) << 1 | r->error >> 31 << 2 | (uint32_t)accesses(e) << 3;
      return error_known && fault_known;
    case SC_REG_BASE_LO: *to = (uint32_t)r->base; return true;
    case SC_REG_BASE_HI: *to = (uint32_t)(r->base >> 32); return true;
    case SC_REG_STRIDE_LG: *to = r->stride_lg; return true;
    case SC_REG_LIMIT: *to = (uint32_t)r->effective; return true;
    case SC_REG_SPILL_OVER: *to = r->spill_over; return true;
    case SC_REG_SPILL_BURST: *to = r->spill_burst; return true;
    case SC_REG_RESTORE_FREE: *to = r->restore_free; return true;
    case SC_REG_THREAD: *to = r->thread; return true;
    case SC_REG_DEPTH: *to = (uint32_t)e->thread[r->thread].at.count; return true;
    case SC_REG_DEEPEST_OF: *to = (uint32_t)e->thread[r->thread].deepest; return true;
    case SC_REG_ERROR: *to = r->error; return error_known;
    case SC_REG_ERROR_SET: *to = r->error_set; return error_known && r->error;
    case SC_REG_ERROR_COUNT: *to = r->error_count; return error_known;
    case SC_REG_CONTROL:
      *to = (uint32_t)e->unit.flush_on_halt << 1;
      return !e->unit.flush && !e->unit.may_flush[(e->cycle + 3) & 3] && !e->unit.may_flush[(e->cycle + 2) & 3];
    default: break;
  }
  if (r->addr < SC_REG_FAULTED || r->addr >= SC_REG_COUNTER) return false;
  *to = faulted_word(e, (r->addr - SC_REG_FAULTED) / 4);
  return fault_known;
}

static const char *answer_read(struct sc_env *e, uint32_t got, bool refused) {
  struct sc_registers *r = &e->regs;
  const struct simt_reg *reg = find_register(e, r->addr);
  uint32_t expected = 0;
  sc_cover_if(e, SC_COVER_REFUSED_ADDRESS, !reg);
  if (!reg || reg->access[0] != 'r')
    return refused || reg ? NULL : sc_wrong(e, "a read of address 0x%03x is not refused", r->addr);
  if (refused) return sc_wrong(e, "a read of %s is refused", reg->name);
  if (r->addr >= SC_REG_COUNTER) return NULL; /* sc_registers_before has looked */
  sc_cover_if(e, SC_COVER_DEPTH_READ, r->addr == SC_REG_DEPTH && got);
  sc_cover_if(e, SC_COVER_DEPTH_BUSY, r->addr == SC_REG_DEPTH && e->thread[r->thread].depth != got);
  sc_cover_if(e, SC_COVER_DEEPEST_READ, r->addr == SC_REG_DEEPEST_OF && got);
  sc_cover_if(e, SC_COVER_ERROR_REGISTER, r->addr == SC_REG_ERROR && got);
  sc_cover_if(e, SC_COVER_FAULTED_READ, r->addr >= SC_REG_FAULTED && got);
  if (!expected_value(e, &expected) || got == expected) return NULL;
  return sc_wrong(e, "%s reads 0x%x, expected 0x%x", reg->name, got, expected);
}

/* ---- cycles --------------------------------------------------------------------------------------------- */

const char *sc_registers_before(struct sc_env *e, const uint32_t *in, const uint32_t *out) {
  struct sc_registers *r = &e->regs;
  const char *wrong = NULL;
  if (r->busy) {
    if (r->write && r->addr == SC_REG_ERROR && e->cycle == r->accepted + 1) {
      r->error = r->error_set = r->error_count = 0;
      sc_status_no_nack(e);
    }
    bool counter = !r->write && r->addr >= SC_REG_COUNTER && find_register(e, r->addr);
    if (counter && out[e->at.reg_rsp]) wrong = check_counter(e, out[e->at.reg_rsp_data]);
  }
  if (in[e->at.reg_valid] && out[e->at.reg_ready]) { /* an access accepted now reads the wait counters as they are now */
    memcpy(r->hi, r->counter, sizeof r->hi);
    memcpy(r->lo, r->least, sizeof r->lo);
  }
  return wrong;
}

static const char *check_answer(struct sc_env *e, const uint32_t *out) {
  struct sc_registers *r = &e->regs;
  uint64_t waited = e->cycle - r->accepted;
  bool depth = !r->write && is_depth(r->addr) && find_register(e, r->addr);
  if (!out[e->at.reg_rsp]) {
    const struct sc_operation *op = &e->ring[(e->cycle + 3) & 3];
    r->free += !op->valid || (op->kind != SC_PUSH && op->kind != SC_REPLACE);
    if (waited < 2 || (depth && r->free < 64 + 4 * e->l.steal)) return NULL;
    r->busy = false;
    return sc_wrong(e, "the access to register 0x%03x is not answered", r->addr);
  }
  r->busy = false;
  if (waited < 2 || (waited > 2 && !depth))
    return sc_wrong(e, "the access to register 0x%03x is answered after %llu cycles", r->addr,
                    (unsigned long long)waited);
  bool refused = out[e->at.reg_rsp_error];
  return r->write ? answer_write(e, refused) : answer_read(e, out[e->at.reg_rsp_data], refused);
}

const char *sc_registers_after(struct sc_env *e, const uint32_t *in, const uint32_t *out) {
  struct sc_registers *r = &e->regs;
  const char *wrong = NULL;
  bool walk = e->cycle - e->reset_end < e->l.threads;
  bool by_flush = r->flushed == e->cycle; /* begun a cycle later */
  r->shown |= e->cycle < r->accepted + 2 + !by_flush && out[e->at.req_valid];
  if (r->walks && !(in[e->at.op_valid] && in[e->at.op_kind] & 4 && out[e->at.can_init])) r->walks--;
  r->loading |= e->front.doing == SC_FRONT_LOADING;
  if (r->busy) wrong = check_answer(e, out);
  else if (out[e->at.reg_rsp]) wrong = sc_wrong(e, "an answer without a register access");
  if (walk || r->busy) {
    if (!wrong && out[e->at.reg_ready]) wrong = sc_wrong(e, "a register access is taken while none may be");
    return wrong;
  }
  if (!out[e->at.reg_ready]) return wrong ? wrong : sc_wrong(e, "the register port does not take an access");
  if (!in[e->at.reg_valid]) return wrong;
  r->busy = true;
  r->write = in[e->at.reg_write];
  r->addr = in[e->at.reg_addr];
  r->data = in[e->at.reg_data];
  r->accepted = e->cycle;
  r->under_way = e->under_way;
  r->shown = false;
  r->loading = e->front.doing == SC_FRONT_LOADING;
  r->free = 0;
  if (r->write && r->addr == SC_REG_COUNTER_CLEAR && e->l.counters)
    for (int i = SC_N_DEEPEST + 1; i < SC_COUNTERS; i++) r->counter[i] = r->least[i] = 0;
  return wrong;
}

void sc_registers_reset(struct sc_env *e) {
  struct sc_registers *r = &e->regs;
  *r = (struct sc_registers){
    .limit = e->l.max_depth, .stride_lg = e->l.stride_max,
    .spill_over = e->l.nsets / 2, .spill_burst = 1, .restore_free = e->l.nsets / 2,
    .old_over = e->l.nsets / 2, .old_burst = 1, .old_free = e->l.nsets / 2,
    .last_error = e->cycle, .last_fault = e->cycle,
  };
  keep_thresholds(e);
  set_effective(e);
}
