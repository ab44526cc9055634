/* SPDX-License-Identifier: Apache-2.0 */
/* registers.c: what the register port must answer. A value that operations or accesses move is exact when nothing has
 * happened for some cycles, and lies between two bounds else. */
#include "stack_cache/env.h"

#include <string.h>

enum { CLEARED = 2, SLACK = 8, AGE = 8 };
enum { ID = 0x53430002, HALT_FLUSH_RESET = 0 };

static const struct simt_reg *find_register(const struct stk_env *e, uint32_t addr) {
  const struct simt_desc *d = &e->cfg->desc;
  for (size_t i = 0; i < d->n_regs; i++)
    if (d->regs[i].addr == addr) return &d->regs[i];
  return NULL;
}

void stk_event(struct stk_env *e, enum stk_counter i, uint64_t least, uint64_t most) {
  e->regs.lo[i] += least;
  e->regs.hi[i] += most;
}

/* Near a clear it may have been counted before or behind it. */
void stk_registers_deepest(struct stk_env *e, struct stk_thread *t) {
  struct stk_registers *r = &e->regs;
  struct stk_deepest *d = &t->deepest;
  const bool sure = !r->cleared || e->cycle > r->cleared + 2 * SLACK;
  r->hi[STK_N_DEEPEST] = stk_most(r->hi[STK_N_DEEPEST], t->count);
  if (sure) r->lo[STK_N_DEEPEST] = stk_most(r->lo[STK_N_DEEPEST], t->count);
  if (e->cycle > d->moved + e->s.calm) d->before = d->lo;
  d->moved = e->cycle;
  d->hi = stk_most(d->hi, t->count);
  if (sure) d->lo = stk_most(d->lo, t->count);
}

bool stk_quiet(const struct stk_env *e, unsigned cycles) {
  const uint64_t last = e->ops ? e->op_cycle[(e->ops - 1) % 256] : e->reset_end;
  return !e->under_way && e->last_refused + cycles < e->cycle && !e->offered && last + cycles < e->cycle && e->quiet_from + cycles < e->cycle &&
         e->last_answer + cycles < e->cycle && e->reset_end + cycles < e->cycle;
}

static uint64_t effective(const struct stk_env *e) {
  const struct stk_registers *r = &e->regs;
  return stk_least(stk_least(r->limit, e->s.max_depth), ((uint64_t)1 << r->stride_lg) >> e->s.entry_bytes_lg);
}

void stk_registers_limit(struct stk_env *e) { /* no operation is under way */
  struct stk_registers *r = &e->regs;
  r->effective = r->least_limit = r->most_limit = effective(e);
  r->limit_acts = e->cycle + e->s.stride_within + 1; /* no operation goes before */
}

static void change_limit(struct stk_env *e, unsigned within) {
  struct stk_registers *r = &e->regs;
  const uint64_t old = r->effective, now = effective(e);
  const bool open = e->cycle <= r->limit_acts + e->s.latency; /* an operation from before it may still be judged */
  r->least_limit = stk_least(stk_least(old, now), open ? r->least_limit : old);
  r->most_limit = stk_most(stk_most(old, now), open ? r->most_limit : old);
  r->effective = now;
  r->limit_acts = e->cycle + within;
  stk_cover_if(e, SC_COVER_LIMIT_WRITE, e->not_empty > 0);
  for (unsigned t = 0; t < e->s.threads; t++) {
    stk_cover_if(e, SC_COVER_LIMIT_BELOW, e->thread[t].count > now);
    for (unsigned k = 0; k < 2; k++)
      if (e->thread[t].wait[k].on) e->thread[t].wait[k].cycle = stk_most(e->thread[t].wait[k].cycle, r->limit_acts);
  }
}

/* ---- writes --------------------------------------------------------------------------------------------- */

/* Whether a write must be refused: 1 yes, 0 no, -1 not laid down in this cycle. */
static int must_refuse(const struct stk_env *e, uint32_t addr, uint32_t data) {
  const struct simt_reg *reg = find_register(e, addr);
  if (!reg) return 1;
  if (!strcmp(reg->access, "ro")) return 1;
  if (addr == STK_REG_ERROR || addr == STK_REG_COUNTER_CLEAR || addr == STK_REG_LIMIT) return 0;
  if (reg->width < 32 && data >> reg->width) return 1;
  const uint64_t narrow = e->s.addr_w < 32 ? (uint64_t)data >> e->s.addr_w : 0;
  switch (addr) {
    case STK_REG_BASE_LO: if (data % e->s.set_bytes || narrow) return 1; break;
    case STK_REG_BASE_HI: break;
    case STK_REG_STRIDE_LG: if (data < e->s.set_bytes_lg || data > e->s.stride_max) return 1; break;
    case STK_REG_SPILL_OVER:
    case STK_REG_RESTORE_FREE: return data > e->s.nsets;
    case STK_REG_SPILL_BURST: return !data || data >= e->s.nsets;
    case STK_REG_THREAD: return data >= e->s.threads;
    case STK_REG_HALT_FLUSH: return data > 1;
    case STK_REG_CONTROL: return data && e->regs.closed; /* SC-13: no flush is ordered while halted */
    default: return -1;
  }
  if (e->s.status && e->regs.halted) return 0; /* SC-2 */
  if (stk_shut(e) && e->not_empty) return -1; /* a reset may have emptied them */
  if (e->empty_last + e->s.calm < e->cycle) return 1;
  return stk_quiet(e, e->s.calm) && !e->not_empty ? 0 : -1;
}

static void clear_counters(struct stk_env *e) {
  struct stk_registers *r = &e->regs;
  const bool quiet = stk_quiet(e, e->s.calm);
  for (int i = 0; i < STK_COUNTERS; i++) {
    r->base_hi[i] = r->seen_lo[i];
    r->base_lo[i] = r->hi[i] + (quiet ? 0 : SLACK);
  }
  r->lo[STK_N_DEEPEST] = r->hi[STK_N_DEEPEST] = r->base_lo[STK_N_DEEPEST] = r->base_hi[STK_N_DEEPEST] = 0;
  r->recent[0][STK_N_DEEPEST] = r->recent[1][STK_N_DEEPEST] = 0;
  for (unsigned t = 0; t < e->s.threads; t++) e->thread[t].deepest = (struct stk_deepest){0};
  r->cleared = e->cycle;
  e->cover[SC_COVER_COUNTER_CLEAR]++;
}

/* What a decision under way may still go by: of two writes one behind the other, the value before the first, too. */
static void keep_thresholds(struct stk_env *e) {
  struct stk_registers *r = &e->regs;
  const bool settled = e->quiet_last > r->settled + e->s.decides_within;
  if (settled || r->now.over < r->old.over) r->old.over = r->now.over;
  if (settled || r->now.burst > r->old.burst) r->old.burst = r->now.burst;
  if (settled || r->now.free < r->old.free) r->old.free = r->now.free;
  r->settled = e->cycle;
}

static void write_register(struct stk_env *e) {
  struct stk_registers *r = &e->regs;
  const uint64_t low = 0xffffffff;
  switch (r->addr) {
    case STK_REG_BASE_LO:
      r->base = (r->base & ~low) | r->data;
      e->cover[SC_COVER_BASE_WRITE]++;
      break;
    case STK_REG_BASE_HI: r->base = (r->base & low) | (uint64_t)r->data << 32; break;
    case STK_REG_STRIDE_LG:
      r->stride_lg = r->data;
      e->cover[SC_COVER_STRIDE_WRITE]++;
      change_limit(e, e->s.stride_within);
      break;
    case STK_REG_LIMIT:
      r->limit = r->data;
      change_limit(e, e->s.limit_within);
      break;
    case STK_REG_SPILL_OVER: keep_thresholds(e); r->now.over = r->data; break;
    case STK_REG_SPILL_BURST: keep_thresholds(e); r->now.burst = r->data; break;
    case STK_REG_RESTORE_FREE: keep_thresholds(e); r->now.free = r->data; break;
    case STK_REG_THREAD: r->thread = r->data; break;
    case STK_REG_HALT_FLUSH: r->halt_flush = r->data; break;
    case STK_REG_COUNTER_CLEAR: clear_counters(e); break;
    default: break;
  }
  if (r->addr < STK_REG_BASE_LO || r->addr > STK_REG_STRIDE_LG || !e->not_empty || !e->s.status) return;
  stk_context_moved(e); /* while halted: who moves a region moves what is in it */
  e->cover[SC_COVER_MOVED]++;
}

static const char *answer_write(struct stk_env *e, bool refused) {
  struct stk_registers *r = &e->regs;
  const struct simt_reg *reg = find_register(e, r->addr);
  const int must = must_refuse(e, r->addr, r->data);
  if (must >= 0 && refused != must)
    return stk_wrong(e, "a write of 0x%x to register 0x%03x is %s", r->data, r->addr, refused ? "refused" : "done");
  if (refused) {
    stk_cover_if(e, SC_COVER_REFUSED_BASE, r->addr == STK_REG_BASE_LO && e->not_empty);
    stk_cover_if(e, SC_COVER_REFUSED_STRIDE, r->addr == STK_REG_STRIDE_LG && e->not_empty);
    stk_cover_if(e, SC_COVER_REFUSED_ADDRESS, !reg);
    stk_cover_if(e, SC_COVER_REFUSED_VALUE, reg && (r->addr < STK_REG_BASE_LO || r->addr > STK_REG_STRIDE_LG));
    return NULL;
  }
  write_register(e);
  return NULL;
}

/* ---- reads ---------------------------------------------------------------------------------------------- */

static const char *check_counter(struct stk_env *e, const struct simt_reg *reg, uint32_t got) {
  struct stk_registers *r = &e->regs;
  const unsigned i = (r->addr - STK_REG_COUNTER) / 8;
  const uint64_t slack = stk_quiet(e, e->s.calm) ? 0 : SLACK + (i == STK_N_SPILL || i == STK_N_DROP ? e->s.inflight : 0);
  uint64_t hi = r->hi[i] + slack - r->base_hi[i], lo = slack ? r->seen_lo[i] : r->lo[i];
  lo = lo > r->base_lo[i] ? lo - r->base_lo[i] : 0;
  if (r->addr & 4) lo = hi = 0; /* no run is that long */
  stk_cover_if(e, SC_COVER_COUNTER_READ, got > 0);
  if (got >= lo && got <= hi) return NULL;
  return stk_wrong(e, "%s reads %u, expected %llu to %llu", reg->name, got, (unsigned long long)lo, (unsigned long long)hi);
}

static bool calm(const struct stk_env *e, const struct stk_thread *t) { return !t->in_pipe && (!t->ever || t->last + e->s.calm < e->cycle); }

static const char *check_depth(struct stk_env *e, uint32_t got) {
  const struct stk_thread *t = &e->thread[e->regs.thread];
  const bool still = calm(e, t), emptied = t->init + 2 * e->s.calm > e->cycle && t->emptied;
  const bool open = t->maybe && !t->sure, fault = got >> 31;
  const bool fault_known = !open && e->regs.last_fault + e->s.calm < e->regs.accepted && still;
  if (fault_known && fault != (t->fault || (t->maybe && t->sure)))
    return stk_wrong(e, "DEPTH of thread %u shows fault %u", e->regs.thread, fault);
  stk_cover_if(e, SC_COVER_FAULTED_READ, fault);
  got &= 0x7fffffff;
  const uint64_t away = got > t->count ? got - t->count : t->count - got;
  stk_cover_if(e, SC_COVER_DEPTH_READ, got > 0);
  stk_cover_if(e, SC_COVER_DEPTH_BUSY, !still);
  if (still ? !away : emptied || away <= e->s.calm / e->s.gap + 2) return NULL;
  return stk_wrong(e, "DEPTH of thread %u reads %u, expected %llu", e->regs.thread, got, (unsigned long long)t->count);
}

/* SC-14: exact when its thread has done nothing of late; else a push may or may not be counted yet. */
static const char *check_deepest_of(struct stk_env *e, uint32_t got) {
  const struct stk_thread *t = &e->thread[e->regs.thread];
  const struct stk_deepest *d = &t->deepest;
  const bool exact = calm(e, t);
  const uint64_t lo = exact ? d->lo : d->before, hi = exact ? d->hi : stk_most(d->hi, t->count + e->s.calm / e->s.gap + 2);
  stk_cover_if(e, SC_COVER_DEEPEST_READ, got > 0);
  if (got >= lo && got <= hi) return NULL;
  return stk_wrong(e, "DEEPEST_OF of thread %u reads %u, expected %llu to %llu", e->regs.thread, got, (unsigned long long)lo,
                   (unsigned long long)hi);
}

/* What a register must read; false when it is not laid down in this cycle. */
static bool expected_value(const struct stk_env *e, uint32_t *to) {
  const struct stk_registers *r = &e->regs;
  const bool error_known = r->last_error + e->s.calm < r->accepted && !r->vague;
  switch (r->addr) {
    case STK_REG_ID: *to = ID; return true;
    case STK_REG_STATUS:
      *to = (uint32_t)!e->not_empty | r->error >> 31 << 2 | (uint32_t)(e->under_way > 0) << 3;
      return error_known && stk_quiet(e, e->s.calm);
    case STK_REG_BASE_LO: *to = (uint32_t)r->base; return true;
    case STK_REG_BASE_HI: *to = (uint32_t)(r->base >> 32); return true;
    case STK_REG_STRIDE_LG: *to = r->stride_lg; return true;
    case STK_REG_LIMIT: *to = (uint32_t)r->effective; return r->accepted >= r->limit_acts;
    case STK_REG_SPILL_OVER: *to = r->now.over; return true;
    case STK_REG_SPILL_BURST: *to = r->now.burst; return true;
    case STK_REG_RESTORE_FREE: *to = r->now.free; return true;
    case STK_REG_THREAD: *to = r->thread; return true;
    case STK_REG_HALT_FLUSH: *to = r->halt_flush; return true;
    case STK_REG_ERROR: *to = r->error; return error_known;
    case STK_REG_CONTROL: *to = 0; return !stk_shut(e);
    case STK_REG_ERROR_SET: *to = r->error_set; return error_known && r->error;
    case STK_REG_ERROR_COUNT: *to = r->error_count; return error_known;
    default: return false;
  }
}

static const char *answer_read(struct stk_env *e, uint32_t got, bool refused) {
  struct stk_registers *r = &e->regs;
  const struct simt_reg *reg = find_register(e, r->addr);
  uint32_t expected = 0;
  stk_cover_if(e, SC_COVER_REFUSED_ADDRESS, !reg);
  if (!reg || !strchr(reg->access, 'r'))
    return refused ? NULL : stk_wrong(e, "a read of address 0x%03x is not refused", r->addr);
  if (refused) return stk_wrong(e, "a read of %s is refused", reg->name);
  if (r->addr >= STK_REG_COUNTER) return check_counter(e, reg, got);
  if (r->addr == STK_REG_DEEPEST_OF) return check_deepest_of(e, got);
  if (r->addr == STK_REG_DEPTH) return r->clears ? NULL : check_depth(e, got);
  stk_cover_if(e, SC_COVER_ERROR_REGISTER, r->addr == STK_REG_ERROR && got);
  if (!expected_value(e, &expected) || got == expected) return NULL;
  return stk_wrong(e, "%s reads 0x%x, expected 0x%x", reg->name, got, expected);
}

/* ---- cycles --------------------------------------------------------------------------------------------- */

void stk_registers_error(struct stk_env *e, unsigned thread, bool write, uint32_t code, uint64_t set) {
  struct stk_registers *r = &e->regs;
  stk_cover_if(e, SC_COVER_NACK, e->s.status > 0);
  if (!(r->error >> 31)) {
    r->error = 1u << 31 | (uint32_t)write << 30 | code << 28 | thread;
    r->error_set = (uint32_t)set;
  }
  if (r->error_count < 0xffff) r->error_count++;
  r->last_error = e->cycle;
}

const char *stk_registers(struct stk_env *e, const uint32_t *in, const uint32_t *out) {
  struct stk_registers *r = &e->regs;
  const char *wrong = NULL;
  if (e->cycle % AGE == 0) {
    memcpy(r->recent[0], r->recent[1], sizeof r->recent[0]);
    memcpy(r->recent[1], r->lo, sizeof r->lo);
  }
  if (!e->not_empty) e->empty_last = e->cycle;
  if (r->busy && r->write && r->addr == STK_REG_ERROR && e->cycle == r->accepted + CLEARED) {
    stk_cover_if(e, SC_COVER_NACK_CLEARED, r->error && e->s.status);
    r->error = r->error_set = r->error_count = 0; /* an error of the next cycle is the first one again */
    r->vague = e->s.beats > 1 && r->last_error + e->s.calm > e->cycle; /* in beats it is recorded later than it comes */
  }
  if (out[e->reg_at.rsp]) {
    const bool refused = out[e->reg_at.rsp_error];
    if (!r->busy) return stk_wrong(e, "an answer without a register access");
    r->busy = false;
    wrong = r->write ? answer_write(e, refused) : answer_read(e, out[e->reg_at.rsp_data], refused);
  } else if (r->busy && e->cycle > r->accepted + e->s.reg_within) {
    if (r->addr != STK_REG_DEPTH || e->cycle > r->accepted + 64 + 8 * e->s.steal + e->s.wait)
      return stk_wrong(e, "the access to register 0x%03x is not answered", r->addr);
  }
  r->clears |= e->front.clears;
  if (r->busy && e->cycle == r->accepted + 1) r->halted = e->s.status && e->front.shell.state == SIMT_HALTED;
  if (r->busy && e->cycle == r->accepted + 2) r->closed = e->s.status && (e->front.shell.halt_req || e->front.shell.state == SIMT_HALTED);
  if (!in[e->reg_at.valid] || !out[e->reg_at.ready]) return wrong;
  if (r->busy && !wrong) wrong = stk_wrong(e, "a register access is taken while another one is not answered");
  r->busy = true;
  r->write = in[e->reg_at.write];
  r->addr = in[e->reg_at.addr];
  r->data = in[e->reg_at.data];
  r->accepted = e->cycle;
  r->clears = e->front.clears;
  memcpy(r->seen_lo, r->recent[0], sizeof r->seen_lo);
  return wrong;
}

void stk_registers_reset(struct stk_env *e) {
  struct stk_registers *r = &e->regs;
  *r = (struct stk_registers){
    .limit = e->s.max_depth, .stride_lg = e->s.stride_max, .halt_flush = HALT_FLUSH_RESET,
    .last_error = e->cycle, .last_fault = e->cycle,
  };
  r->effective = r->least_limit = r->most_limit = effective(e);
  r->now = r->old = (struct stk_thresholds){e->s.nsets / 2, 1, e->s.nsets / 2};
  e->empty_last = e->cycle;
}
