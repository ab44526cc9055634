/* SPDX-License-Identifier: Apache-2.0 */
/* registers.c: the register port and the counters in one cycle. */
#include "const_cache/state.h"

static unsigned count_bits(uint64_t v) { /* without a loop, whose end nobody can foresee */
  v -= v >> 1 & UINT64_C(0x5555555555555555);
  v = (v & UINT64_C(0x3333333333333333)) + (v >> 2 & UINT64_C(0x3333333333333333));
  v = (v + (v >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
  return (unsigned)(v * UINT64_C(0x0101010101010101) >> 56);
}

/* In turn each short register is moved into its count. A register read stops the turn for its cycle. */
static void count(struct cc_registers *r, bool reads, unsigned place, bool clear) {
  const unsigned turn = r->turn;
  const bool clears = r->to_clear;
  r->read_count = r->count[reads ? place : turn];
  if (r->moved.valid) r->count[r->moved.place] = r->moved.clear ? 0 : (r->count[r->moved.place] + r->moved.count) & cc_ones(48);
  r->moved.valid = !reads;
  r->moved.place = turn;
  r->moved.count = r->added[turn];
  r->moved.clear = clears;
  for (unsigned i = 0; i < CC_COUNTERS; i++) r->added[i] += r->events[i];
  if (!reads) r->added[turn] = clears ? 0 : r->events[turn]; /* behind the sum: a store before it would hold up its wide loads */
  if (!reads) r->turn = (turn + 1) % CC_COUNTERS;
  if (clear) r->to_clear = CC_COUNTERS;
  else if (!reads && clears) r->to_clear--;
}

static void gather_events(struct cc_model *m, const struct cc_wires *w) {
  struct cc_state *s = m->s;
  uint32_t *e = s->r.events;
  e[CC_HITS] = count_bits(s->hit);
  e[CC_MISSES] = count_bits(s->miss);
  const bool copied = s->y.wr_copied;
  const bool load = s->u.shell.port.r.load; /* what comes in is not counted */
  e[CC_TO_L1] = copied || load ? 0 : count_bits(s->k.wr);
  e[CC_INVALIDATED] = count_bits(s->k.inval);
  e[CC_WRITES] = w->done_write;
  e[CC_WORKS] = w->done_work;
  if (m->l.protocol == CC_COPY) {
    e[CC_COPIED] = copied && !load ? count_bits(s->k.wr) : 0;
    e[CC_UPDATED] = w->writes;
  } else {
    e[CC_REPEATS] = w->drops;
    e[CC_SAVED] = w->save;
  }
  e[CC_FILLED] = s->l2.ans.valid && !s->l2.ans.retry;
  e[CC_MEM_READS] = w->starts && !w->starts_back;
  e[CC_MEM_WRITES] = w->starts_back;
  for (unsigned i = 0; i < 6; i++) e[CC_WAIT_SM + i] = s->k.wait == i + 1;
}

bool cc_idle(const struct cc_model *m) {
  const struct cc_state *s = m->s;
  return !s->k.count && !s->k.active_any && !(m->l.protocol == CC_COPY && (s->k.c.valid || s->y.d.valid || s->y.e.valid));
}

static bool write_base(struct cc_model *m, bool high, uint32_t data) {
  struct cc_registers *r = &m->s->r;
  const unsigned w = m->l.addr_w;
  if (!m->s->k.base_free) return false;
  if (high) {
    if (w <= 32 || (w < 64 && data >> (w - 32))) return false;
    r->base = (r->base & 0xffffffff) | (uint64_t)data << 32;
    return true;
  }
  if ((data & cc_ones(m->l.const_w + m->l.lg)) || (w < 32 && data >> w)) return false;
  r->base = (r->base & ~UINT64_C(0xffffffff)) | data;
  return true;
}

static unsigned entries(const struct cc_model *m) { return m->l.protocol == CC_COPY ? m->s->y.locked : m->s->l2.entries; }

/* The value of a register that is read; *known: there is one that can be. */
static uint32_t look(const struct cc_model *m, uint32_t addr, bool *known) {
  const struct cc_state *s = m->s;
  const struct cc_registers *r = &s->r;
  *known = true;
  switch (addr) {
    case CC_REG_ID: return CC_ID;
    case CC_REG_STATUS:
      return cc_idle(m) | (uint32_t)(r->errors != 0) << 1 | (uint32_t)s->k.base_free << 2 | (uint32_t)s->l2.idle << 3;
    case CC_REG_BASE_LO: return (uint32_t)r->base;
    case CC_REG_BASE_HI: *known = m->l.addr_w > 32; return (uint32_t)(r->base >> 32);
    case CC_REG_ERROR: return r->errors;
    case CC_REG_FAILED: return r->failed;
    case CC_REG_VERSIONS: return r->versions;
    case CC_REG_VERSIONS_MOST: return r->versions_most;
    case CC_REG_ENTRIES: *known = m->l.protocol != CC_SHARED; return entries(m);
    case CC_REG_ENTRIES_MOST: *known = m->l.protocol != CC_SHARED; return r->entries_most;
    default: *known = false; return 0;
  }
}

/* The access executes: what it reads, whether it is refused, what it writes. */
static void execute(struct cc_model *m, const struct simt_reg_access *a, bool is_counter, bool *clear, uint32_t *cleared) {
  struct cc_registers *r = &m->s->r;
  const bool aligned = a->addr % 4 == 0, writes = a->write && aligned;
  bool readable;
  const uint32_t value = look(m, a->addr, &readable);
  bool accepted = is_counter || readable;
  *clear = writes && a->addr == CC_REG_CLEAR && m->l.counters;
  if (a->write) {
    accepted = a->addr == CC_REG_ERROR || *clear;
    if (aligned && (a->addr == CC_REG_BASE_LO || a->addr == CC_REG_BASE_HI)) accepted = write_base(m, a->addr == CC_REG_BASE_HI, a->data);
    if (writes && a->addr == CC_REG_ERROR) *cleared = a->data;
  }
  r->refused = !aligned || !accepted;
  r->value = value;
  r->from_counter = is_counter;
}

/* The access that has executed is answered; the low half of a counter keeps the high one. */
static void answer(struct cc_registers *r, struct simt_reg_access *a) {
  const bool high = a->addr & 4;
  simt_reg_answer(a, !r->refused, !r->from_counter ? r->value : high ? r->high : (uint32_t)r->read_count);
  if (r->from_counter && !a->write && !r->refused && !high) r->high = (uint32_t)(r->read_count >> 32);
}

static void note_errors(struct cc_model *m, uint32_t cleared) {
  const struct cc_state *s = m->s;
  struct cc_registers *r = &m->s->r;
  const uint32_t errors = (uint32_t)s->k.bad_addr << CC_ERROR_ADDR | (uint32_t)s->k.bad_kind << CC_ERROR_KIND | (uint32_t)(s->k.bad_done != 0) << CC_ERROR_DONE |
                          (uint32_t)(s->bad_sm != 0) << CC_ERROR_READ_SM | (uint32_t)(s->bad_addr != 0) << CC_ERROR_READ_ADDR |
                          (uint32_t)s->l2.read_failed << CC_ERROR_READ | (uint32_t)s->l2.fetch_failed << CC_ERROR_OLD |
                          (uint32_t)s->l2.write_failed << CC_ERROR_WRITE | (uint32_t)s->l2.unasked << CC_ERROR_UNASKED;
  if (!(r->errors >> CC_ERROR_OLD & 3) && (s->l2.fetch_failed || s->l2.write_failed)) r->failed = s->l2.failed_addr << m->l.off_w;
  r->errors = (r->errors & ~cleared) | errors;
}

void cc_registers_step(struct cc_model *m, const struct cc_wires *w) {
  const struct cc_state *s = m->s;
  struct cc_registers *r = &m->s->r;
  struct simt_reg_access *a = &m->s->u.shell.reg;
  const bool is_counter = m->l.counters && a->addr >= CC_REG_COUNTER && a->addr < CC_REG_COUNTER + 8 * CC_COUNTERS;
  const unsigned place = is_counter ? (a->addr - CC_REG_COUNTER) >> 3 : 0;
  const bool waits = is_counter && (r->to_clear || (r->moved.valid && r->moved.place == place));
  const bool executes = a->busy && !r->looked && !waits;
  bool clear = false;
  uint32_t cleared = 0;
  if (r->looked) answer(r, a);
  if (executes) execute(m, a, is_counter, &clear, &cleared);
  note_errors(m, cleared);
  const unsigned versions = r->versions;
  if (m->l.protocol == CC_COPY) r->versions = s->y.versions;
  else if (m->l.protocol == CC_SHARED) r->versions = s->k.active_any;
  else if (s->k.seen.last) r->versions = s->k.number + (s->k.seen.valid && !cc_bit(&s->k.counted, s->k.seen.code));
  if (clear || versions > r->versions_most) r->versions_most = versions;
  if (clear || entries(m) > r->entries_most) r->entries_most = entries(m);

  if (m->l.counters) {
    count(r, executes && is_counter, place, clear);
    gather_events(m, w);
  }
  r->looked = executes;
}
