/* SPDX-License-Identifier: Apache-2.0 */
/* registers.c: the register port: what the golden model knows of each register. */
#include <inttypes.h>

#include "const_cache/env.h"

/* Cycles until the last event has reached every register; exact counts, later. */
enum { SETTLED = 40, COUNTED = 160, CLEARED = 8 }; /* CLEARED: from a clearing until the golden model knows of it */
/* Cycles from an access taken to its answer: of a counter one more, where it is being written, and of one behind a write of CC_CLEAR or a
 * reset as many as it takes to clear all. */
enum { ANSWER = 3, ANSWER_CLEARING = CC_COUNTERS + 3 };

static const struct simt_reg *find(const struct cc_env *e, uint32_t addr) {
  const struct simt_desc *d = &e->cfg->desc;
  for (size_t i = 0; i < d->n_regs; i++)
    if (d->regs[i].addr == addr) return &d->regs[i];
  return NULL;
}

static bool of_base(uint32_t addr) { return addr == CC_REG_BASE_LO || addr == CC_REG_BASE_HI; }

bool cc_registers_move_base(const struct cc_env *e) {
  return (e->reg.busy && e->offered_access.write && of_base(e->offered_access.addr)) || (e->reg.sent && e->reg.write && of_base(e->reg.addr));
}

/* The next access may be offered while one is answered. */
static void offer(struct cc_env *e, const struct cc_choice *c) {
  const struct simt_desc *d = &e->cfg->desc;
  const uint32_t region = 1u << (e->l.const_w + e->l.lg);
  struct cc_access *a = &e->offered_access;
  e->reg.busy = true;
  a->addr = c->reg % 16 == 0 ? c->reg >> 8 & 0x1ff : d->regs[c->reg / 16 % d->n_regs].addr;
  if (c->reg % 16 == 1) a->addr ^= 1u << (c->reg >> 20) % CC_REG_ADDR_W; /* beside one */
  a->write = c->reg >> 16 & 1;
  a->data = c->reg * 0x9e3779b1u;
  if (cc_front_moves_base(e) && c->reg >> 28 & 3) {
    a->addr = CC_REG_BASE_LO;
    a->write = true;
  }
  const bool nearly = !(c->reg >> 17 & 3); /* a base that can be, but for a bit */
  if (a->addr == CC_REG_BASE_LO) a->data = (c->reg >> 19) * region;
  if (a->addr == CC_REG_BASE_LO && e->l.addr_w < 32) a->data &= (1u << e->l.addr_w) - 1;
  if (a->addr == CC_REG_BASE_HI && e->l.addr_w > 32 && e->l.addr_w < 64) a->data &= (1u << (e->l.addr_w - 32)) - 1;
  if (nearly && of_base(a->addr)) a->data ^= 1u << (c->reg >> 6 & 31);
  if (e->offered) a->write = a->write && !of_base(a->addr);
}

void cc_registers_drive(struct cc_env *e, const struct cc_choice *c, uint32_t *in) {
  if (!e->reg.busy && (c->flags & CC_F_REG) && !cc_front_keeps_registers(e)) offer(e, c);
  in[e->at.reg_valid] = e->reg.busy;
  in[e->at.reg_write] = e->reg.busy ? e->offered_access.write : c->reg & 1; /* the payload of no request is anything */
  in[e->at.reg_addr] = e->reg.busy ? e->offered_access.addr : c->reg >> 1 & 0x1ff;
  in[e->at.reg_data] = e->reg.busy ? e->offered_access.data : c->reg >> 10 ^ c->reg << 16;
}

static bool base_good(const struct cc_env *e, uint32_t addr, uint32_t data) {
  if (addr == CC_REG_BASE_HI) return e->l.addr_w == 64 || (e->l.addr_w > 32 && !(data >> (e->l.addr_w - 32)));
  return !(data & ((1u << (e->l.const_w + e->l.lg)) - 1)) && (e->l.addr_w >= 32 || !(data >> e->l.addr_w));
}

static const char *wrote(struct cc_env *e, bool refused) {
  const uint32_t addr = e->reg.addr, data = e->reg.data;
  const struct simt_reg *r = find(e, addr);
  const bool base = of_base(addr);
  const bool settled = e->event_cycle + SETTLED < e->reg.since;
  bool must = !r || (r->access[0] == 'r' && r->access[1] == 'o');
  if (base && r) {
    must = !base_good(e, addr, data);
    if (!must && !settled) return refused || e->fresh ? NULL : "CC_BASE was written while commands were under way";
    if (!must) must = !e->fresh;
  }
  if (refused) cc_hit(e, CC_COVER_REG_REFUSED);
  if (refused != must) return cc_wrong(e, "a write of 0x%x to register 0x%x is %s", data, addr, refused ? "refused" : "not refused");
  if (addr == CC_REG_ERROR && !refused && e->error_cycle + SETTLED < e->reg.since) {
    const uint32_t both = 1u << CC_ERROR_READ | 1u << CC_ERROR_OLD;
    const enum cc_known was = cc_golden_nack(e);
    e->errors &= ~data;
    if ((data & both) == both) e->memory_failed = CC_NO;
    else if (data & both && e->memory_failed) e->memory_failed = CC_PERHAPS;
    if (was == CC_YES && cc_golden_nack(e) == CC_NO) cc_hit(e, CC_COVER_NACK_CLEARED);
  } else if (addr == CC_REG_ERROR && !refused) {
    e->errors_unsure = true; /* which came first is not known */
  }
  if (addr == CC_REG_CLEAR) {
    e->reg.cleared = e->cycle;
    e->waited_least = 0;
    e->waited_most = CLEARED;
  }
  if (addr == CC_REG_CLEAR) e->writes = e->works = e->lawful_reads = UINT64_MAX / 2;
  return NULL;
}

/* The count that a pair of registers must show, where the golden model knows it. */
static bool known_count(const struct cc_env *e, uint32_t addr, uint64_t *count) {
  const unsigned place = (addr - CC_REG_COUNTER) / 8;
  if (e->event_cycle + COUNTED > e->reg.since || e->q_n) return false;
  if (place == CC_WORKS) *count = e->works;
  else if (place == CC_WRITES && !e->l.drop_repeats) *count = e->writes;
  else return false;
  return *count < UINT64_MAX / 4 && !e->active;
}

static const char *read(struct cc_env *e, bool refused, uint32_t value) {
  const uint32_t addr = e->reg.addr;
  const struct simt_reg *r = find(e, addr);
  const bool must = !r || r->access[0] == 'w';
  const bool w1c = r && r->access[0] == 'w' && r->access[1] == '1';
  const bool copy = e->l.protocol == CC_COPY;
  uint64_t count;
  if (refused) cc_hit(e, CC_COVER_REG_REFUSED);
  if (refused != (must && !w1c)) return cc_wrong(e, "a read of register 0x%x is %s", addr, refused ? "refused" : "not refused");
  if (refused || !r) return value ? cc_wrong(e, "a refused read returns 0x%x", value) : NULL;
  if (r->width < 32 && value >> r->width) return cc_wrong(e, "register 0x%x reads 0x%x, wider than %u bits", addr, value, r->width);
  switch (addr) {
    case CC_REG_ID: return value == CC_ID ? NULL : "the identification is wrong";
    case CC_REG_BASE_LO: return value == (uint32_t)e->base ? NULL : cc_wrong(e, "CC_BASE_LO reads 0x%x, not 0x%x", value, (uint32_t)e->base);
    case CC_REG_BASE_HI: return value == e->base >> 32 ? NULL : "CC_BASE_HI does not read what was written";
    case CC_REG_ERROR: {
      const uint32_t unsure = 1u << CC_ERROR_READ | 1u << CC_ERROR_OLD;
      if (value >> CC_ERROR_OLD & 1) cc_hit(e, CC_COVER_OLD_FAILS);
      if (e->error_cycle + SETTLED >= e->reg.since) return NULL;
      if (e->errors_unsure) e->errors = value & ~unsure;
      e->errors_unsure = false;
      e->memory_failed = value & unsure ? CC_YES : CC_NO;
      return (value & ~unsure) == e->errors ? NULL : cc_wrong(e, "CC_ERROR reads 0x%x, not 0x%x", value, e->errors);
    }
    case CC_REG_STATUS:
      if (e->event_cycle + SETTLED < e->reg.since && (value & 1) != (!e->active && !e->q_n && e->event_cycle + 2000 < e->reg.since) && (value & 1) && (e->active || e->q_n))
        return cc_wrong(e, "CC_STATUS reads 0x%x with %u SMs active, %u commands waiting", value, e->active, e->q_n);
      return NULL;
    case CC_REG_VERSIONS_MOST: return value <= e->l.sms ? NULL : "more versions than SMs";
    case CC_REG_ENTRIES_MOST: return value <= (e->l.protocol == CC_COPY ? e->l.l1_rows : e->l.sets * e->l.ways) ? NULL : "more words in the backup than it has";
    case CC_REG_COUNTER + 8 * CC_WAIT_ACTIVE: e->cover[CC_COVER_WAIT_ACTIVE] += value != 0; break;
    case CC_REG_COUNTER + 8 * CC_WAIT_FULL: e->cover[copy ? CC_COVER_WAIT_LOCK : CC_COVER_WAIT_FULL] += value != 0; break;
    case CC_REG_COUNTER + 8 * CC_WAIT_CODE: e->cover[copy ? CC_COVER_WAIT_COPY : CC_COVER_WAIT_CODE] += value != 0; break;
    case CC_REG_COUNTER + 8 * CC_COPIED: e->cover[CC_COVER_COPIED] += copy && value; break;
    case CC_REG_COUNTER + 8 * CC_UPDATED: e->cover[CC_COVER_UPDATED] += copy && value; break;
    default: break;
  }
  if (addr == CC_REG_COUNTER + 8 * CC_WAIT_SM && (value > e->waited_most || value + (uint64_t)COUNTED < e->waited_least))
    return cc_wrong(e, "a work item waited for an SM in %" PRIu64 " to %" PRIu64 " cycles, %u are counted", e->waited_least, e->waited_most, value);
  if (addr >= CC_REG_COUNTER && !(addr & 4) && known_count(e, addr, &count) && value != (uint32_t)count)
    return cc_wrong(e, "counter 0x%x reads %u, not %" PRIu64, addr, value, count);
  return NULL;
}

static unsigned most_wait(const struct cc_env *e) {
  const bool counter = e->l.counters && e->reg.addr >= CC_REG_COUNTER && e->reg.addr < CC_REG_COUNTER + 8 * CC_COUNTERS;
  if (!counter) return ANSWER;
  return e->reg.cleared + ANSWER_CLEARING < e->reg.since ? ANSWER + 1 : ANSWER_CLEARING;
}

const char *cc_registers_observe(struct cc_env *e, const uint32_t *in, const uint32_t *out) {
  if (in[e->at.rst]) return NULL;
  if (out[e->at.reg_rsp]) {
    if (!e->reg.sent) return "a register access is answered that was not made";
    e->reg.sent = false;
    const bool refused = out[e->at.reg_error];
    const char *wrong = e->reg.write ? wrote(e, refused) : read(e, refused, out[e->at.reg_rdata]);
    if (wrong) return wrong;
    if (e->reg.write && !refused && of_base(e->reg.addr)) {
      const unsigned shift = e->reg.addr == CC_REG_BASE_HI ? 32 : 0;
      e->base = (e->base & ~(UINT64_C(0xffffffff) << shift)) | (uint64_t)e->reg.data << shift;
      cc_hit(e, CC_COVER_BASE);
      cc_golden_moved(e);
    }
  } else if (e->reg.sent && e->cycle >= e->reg.since + most_wait(e)) {
    return cc_wrong(e, "a register access is not answered in %u cycles", most_wait(e));
  }
  if (in[e->at.reg_valid] && out[e->at.reg_ready]) {
    e->reg.busy = false;
    e->reg.sent = true;
    e->reg.write = in[e->at.reg_write]; /* behind a bus it comes later than it was driven */
    e->reg.addr = in[e->at.reg_addr];
    e->reg.data = in[e->at.reg_data];
    e->reg.since = e->cycle;
  }
  return NULL;
}
