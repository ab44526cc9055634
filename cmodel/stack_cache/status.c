/* SPDX-License-Identifier: Apache-2.0 */
/* status.c: halt, flush, reset and context of the stack_cache model, written from docs/stack_cache_status.md. */
#include <string.h>

#include "stack_cache/state.h"

enum { SETTLED = 3, LOADING = 3 }; /* cycles from a thread's number to its words, and to write them */
enum part { REGISTERS, THREADS, ENTRIES_ };

void sc_unit_reset(struct sc_model *m) {
  struct sc_unit *u = &m->u;
  struct sc_unit clean = {.port = u->port, .status_at = u->status_at, .ctx_at = u->ctx_at,
                          .load_a = -1, .load_b = -1, .load_c = -1};
  *u = clean;
  simt_context_reset(&u->port);
}

static bool halted(const struct sc_model *m) { return m->u.fsm.state == SIMT_HALTED; }

/* What a cycle's registers say, before anything moves. */
static void look(struct sc_model *m) {
  struct sc_unit *u = &m->u;
  bool halt = u->fsm.halt_req || halted(m);
  u->flushing = u->flush;
  u->flush_starts = u->flush && !m->r.b.valid && !m->r.ans_c.valid && !u->under_way;
  u->acks = u->flush && u->passes.acks;
  u->quiet = halt || u->clearing || u->flush;
  u->busy_self = u->flush || u->clearing || u->fsm.ctx_reset;
  u->closed = halt || u->busy_self;
  u->clears = m->r.can_init && (u->fsm.ctx_reset || u->port.r.abort);
  u->on_halt = u->flush_on_halt;
  u->flush_ends = u->flush && u->passes.done && !u->under_way;
}

static bool can_halt(const struct sc_model *m) {
  const struct sc_regs_state *r = &m->r;
  const struct sc_unit *u = &m->u;
  const struct sc_ef *ef = &r->ef[r->ef_now];
  if (!r->can_init || u->clearing || u->flush || (u->flush_on_halt && !u->flush_done)) return false;
  return !r->b.valid && !r->ans_c.valid && !r->ans.valid && r->eb.what != SC_EB_ANSWER &&
         ef->what != SC_EF_ANSWER && ef->what != SC_EF_KEPT && !r->ec.request &&
         !r->req_valid && !u->under_way;
}

/* ---- the words of a context -------------------------------------------------------------------------- */

static uint32_t register_word(const struct sc_model *m, unsigned k) {
  const struct sc_regs_state *r = &m->r;
  bool threshold = m->l.policy == SC_THRESHOLD;
  switch (k) {
    case 0: return (uint32_t)r->base;
    case 1: return (uint32_t)(r->base >> 32);
    case 2: return (uint32_t)r->limit_reg;
    case 3:
      return r->stride_lg | r->reg_thread << 16 | (uint32_t)m->u.flushed << 30 | (uint32_t)m->u.flush_on_halt << 31;
    case 4: return threshold ? r->spill_over | r->spill_burst << 16 : 0;
    case 5: return threshold ? r->restore_free : 0;
    case 6: return r->error;
    case 7: return r->error_set;
    default: return r->error_count;
  }
}

static uint32_t sets_in_use(const struct sc_model *m, uint32_t count) { return (count + m->l.set - 1) >> m->l.set_lg; }

static uint32_t thread_word(const struct sc_model *m, unsigned t, unsigned k) {
  const struct sc_thread *th = &m->thread[t];
  uint32_t used = sets_in_use(m, th->s.count);
  if (k == 0) {
    uint32_t off = m->l.flags && m->l.set > 1 ? th->s.off : 0;
    return th->s.count | off << 24 | (uint32_t)th->drain << 30 | (uint32_t)th->s.fault << 31;
  }
  if (k == 2) return m->l.policy == SC_THRESHOLD ? th->burst : 0;
  return m->u.flushed ? 0 : (used - (uint32_t)th->s.S) | (used - (uint32_t)th->s.L) << 16;
}

/* An entry of the storage by slot; the words of one that is not valid are 0. */
static uint32_t entry_word(const struct sc_model *m, const struct sc_ctx_at *at) {
  const struct sc_stack *s = &m->thread[at->thread].s;
  uint32_t used = sets_in_use(m, s->count), mask = m->l.nsets - 1, value = 0;
  uint32_t below = (used - 1 - at->slot) & mask; /* sets from the top's to this one's */
  if (!s->count || below >= used - (uint32_t)s->L) return 0;
  uint32_t set = used - 1 - below;
  if (set * m->l.set + at->entry >= s->count) return 0;
  const uint8_t *from = m->storage + (((size_t)at->thread * m->l.nsets + at->slot) << m->l.set_bytes_lg) +
                        at->entry * m->l.entry_bytes + 4 * at->word;
  uint32_t left = m->l.entry_bytes - 4 * at->word;
  memcpy(&value, from, left < 4 ? left : 4);
  return value;
}

static uint32_t save_word(const struct sc_model *m) {
  const struct sc_ctx_at *at = &m->u.at;
  if (at->part == REGISTERS) return register_word(m, at->k);
  return at->part == THREADS ? thread_word(m, at->thread, at->k) : entry_word(m, at);
}

static bool last_word(const struct sc_model *m) {
  const struct sc_layout *l = &m->l;
  const struct sc_ctx_at *at = &m->u.at;
  if (at->part == REGISTERS || at->thread + 1 != l->threads) return false;
  if (at->part == THREADS) return m->u.flushed && at->k + 1 == SC_CTX_THREAD;
  return at->slot + 1 == l->nsets && at->entry + 1 == l->set && at->word + 1 == l->word_w;
}

/* Moves on by a word; whether it is one of another thread or slot. */
static bool advance(struct sc_model *m) {
  const struct sc_layout *l = &m->l;
  struct sc_ctx_at *at = &m->u.at;
  if (at->part == REGISTERS) {
    if (++at->k < SC_CTX_REGS) return false;
    *at = (struct sc_ctx_at){.part = THREADS};
    return true;
  }
  if (at->part == THREADS) {
    if (++at->k < SC_CTX_THREAD) return false;
    at->k = 0;
    if (++at->thread == l->threads) *at = (struct sc_ctx_at){.part = ENTRIES_};
    return true;
  }
  if (++at->word < l->word_w) return false;
  at->word = 0;
  if (++at->entry < l->set) return false;
  at->entry = 0;
  if (++at->slot < l->nsets) return true;
  at->slot = 0;
  if (++at->thread == l->threads) at->thread = 0;
  return true;
}

/* ---- load ---------------------------------------------------------------------------------------------- */

/* A register of a context, checked; a run-time register waits for the commit. */
static bool load_register(struct sc_model *m, unsigned k, uint32_t v) {
  const struct sc_layout *l = &m->l;
  struct sc_regs_state *r = &m->r;
  struct sc_unit *u = &m->u;
  uint32_t low = v & 0x7ff, high = v >> 16 & 0x7ff;
  bool threshold = l->policy == SC_THRESHOLD;
  switch (k) {
    case 0: u->coming.base = v; return (v & (l->set_bytes - 1)) == 0 && (l->addr_w >= 32 || v >> l->addr_w == 0);
    case 1:
      u->coming.base |= (uint64_t)v << 32;
      return l->addr_w <= 32 ? v == 0 : l->addr_w == 64 || v >> (l->addr_w - 32) == 0;
    case 2: u->coming.limit = v; return v <= l->max_depth;
    case 3:
      u->flushed = v >> 30 & 1;
      u->coming.flush_on_halt = v >> 31;
      u->coming.stride_lg = v & 63;
      u->coming.thread = v >> 16 & 0x3ff;
      return u->coming.stride_lg >= l->set_bytes_lg && u->coming.stride_lg <= l->stride_max && u->coming.thread < l->threads;
    case 4:
      u->coming.over = low;
      u->coming.burst = high;
      return !threshold || (low <= l->nsets && high && high < l->nsets);
    case 5: u->coming.free = low; return !threshold || low <= l->nsets;
    case 6:
      r->error_valid = v >> 31;
      r->error = v & (0xf0000000u | ((1u << l->thread_w) - 1));
      return true;
    case 7: r->error_set = v & (uint32_t)(((uint64_t)1 << l->set_idx_w) - 1); return true;
    default: r->error_count = v & 0xffff; return true;
  }
}

/* The run-time registers become those of the context. */
static void commit(struct sc_model *m) {
  struct sc_regs_state *r = &m->r;
  const struct sc_unit *u = &m->u;
  r->base = u->coming.base;
  r->limit_reg = u->coming.limit;
  r->stride_lg = u->coming.stride_lg;
  r->reg_thread = u->coming.thread;
  if (m->l.policy == SC_THRESHOLD) {
    r->spill_over = u->coming.over;
    r->spill_burst = u->coming.burst;
    r->restore_free = u->coming.free;
  }
  m->u.flush_on_halt = u->coming.flush_on_halt;
}

/* While a context comes in its limit holds, for its threads. */
static void loading_step(struct sc_model *m) {
  struct sc_unit *u = &m->u;
  if (!u->port.r.load) {
    u->coming.limit = m->r.limit_reg;
    u->coming.stride_lg = m->r.stride_lg;
  } else if (u->port.r.abort) {
    m->r.lim = sc_effective_limit(m);
  } else {
    m->r.lim = sc_limit_of(m, u->coming.limit, u->coming.stride_lg);
    if (u->port.r.commit) commit(m);
  }
}

static bool thread_good(const struct sc_model *m, uint32_t burst) {
  const struct sc_layout *l = &m->l;
  uint32_t count = m->u.word[0] & 0x1fffff, off = m->u.word[0] >> 24 & 0xf;
  uint32_t dirty = m->u.word[1] & 0x7ff, valid = m->u.word[1] >> 16 & 0x7ff;
  return count <= l->max_depth && off < l->set && dirty <= valid && valid <= l->nsets &&
         valid <= sets_in_use(m, count) && (burst & 0x7ff) < l->nsets;
}

static void load_entry_word(struct sc_model *m, uint32_t v) {
  const struct sc_ctx_at *at = &m->u.at;
  uint8_t *to = m->storage + (((size_t)at->thread * m->l.nsets + at->slot) << m->l.set_bytes_lg) +
                at->entry * m->l.entry_bytes + 4 * at->word;
  uint32_t left = m->l.entry_bytes - 4 * at->word, bits = m->l.entry_w - 32 * at->word;
  if (bits < 32) v &= (1u << bits) - 1;
  memcpy(to, &v, left < 4 ? left : 4);
}

/* A word of a context comes in. */
static void load_word(struct sc_model *m, uint32_t v, bool last) {
  struct sc_unit *u = &m->u;
  const struct sc_ctx_at at = u->at;
  bool good = true;
  if (at.part == REGISTERS) {
    good = load_register(m, at.k, v);
  } else if (at.part == THREADS && at.k < 2) {
    u->word[at.k] = v;
  } else if (at.part == THREADS) {
    good = thread_good(m, v);
    u->burst = v & 0x7ff;
    u->load_a = (int)at.thread;
    u->busy = LOADING;
  } else {
    load_entry_word(m, v);
    if (at.word + 1 == m->l.word_w) u->busy = LOADING;
  }
  u->bad |= !good || last != last_word(m);
}

void sc_unit_load_thread(struct sc_model *m, unsigned t) {
  struct sc_thread *th = &m->thread[t];
  uint32_t count = m->u.word[0] & (uint32_t)(((uint64_t)1 << m->l.count_w) - 1), used = sets_in_use(m, count);
  uint32_t mask = 2 * m->l.nsets - 1;
  m->r.nonempty -= th->s.count != 0;
  m->r.nonempty += count != 0;
  th->s = (struct sc_stack){.count = count, .fault = m->u.word[0] >> 31};
  th->s.S = (int32_t)(used - (m->u.word[1] & mask));
  th->s.L = (int32_t)(used - (m->u.word[1] >> 16 & mask));
  th->s.off = m->l.flags && m->l.set > 1 ? m->u.word[0] >> 24 & (m->l.set - 1) : 0;
  th->drain = m->u.word[0] >> 30 & 1;
  th->burst = m->l.policy == SC_THRESHOLD ? m->u.burst & (m->l.nsets - 1) : 0; /* in range though it is refused */
  th->pend = 0;
}

/* ---- a cycle ------------------------------------------------------------------------------------------- */

static struct simt_context_unit context_unit(const struct sc_model *m) {
  const struct sc_unit *u = &m->u;
  bool saves = u->port.r.save && (u->at.part == REGISTERS || u->wait == SETTLED);
  return (struct simt_context_unit){
    .halted = halted(m), .can_halt = can_halt(m), .len = (uint32_t)(u->flushed ? m->l.ctx_short : m->l.ctx_max),
    .sav_valid = saves, .sav_last = last_word(m), .sav_data = saves ? save_word(m) : 0, .ld_ready = u->busy == 0};
}

static void context_step(struct sc_model *m, const uint32_t *in) {
  struct sc_unit *u = &m->u;
  const struct simt_context_to_unit to = u->to;
  bool active = u->port.r.save || u->port.r.load, moves = to.sav_taken || to.ld_taken, bad = false;
  u->load_c = u->load_b;
  u->load_b = u->load_a;
  u->load_a = -1;
  if (u->busy) u->busy--;
  if (to.ld_taken) {
    load_word(m, to.ld_data, to.ld_last);
    bad = u->bad;
  }
  if (u->wait < SETTLED) u->wait++;
  if ((moves && advance(m)) || u->settles) u->wait = 0;
  if (!active) {
    u->at = (struct sc_ctx_at){0};
    u->wait = 0;
    u->bad = false;
  }
  simt_context_step(&u->port, &u->unit, bad, &u->ctx_at, in);
}

static void flush_step(struct sc_model *m) {
  struct sc_unit *u = &m->u;
  bool halt = u->fsm.halt_req;
  if (u->flush_ends) {
    u->flush = false;
    for (unsigned t = 0; t < m->l.threads; t++) m->thread[t].burst = 0;
    if (halt) u->flushed = true;
  }
  if (!halt) {
    u->flush_done = u->flushed = false;
  } else if (!u->flush_done && (u->on_halt || halted(m))) {
    u->flush |= !halted(m);
    u->flush_done = true;
  }
}

/* A reset, or a load that failed: a walk of inits. */
static void clear_step(struct sc_model *m) {
  struct sc_regs_state *r = &m->r;
  struct sc_unit *u = &m->u;
  if (u->cleared) u->clearing = false;
  if (!u->clears) return;
  u->clearing = true;
  u->flush = false;
  r->settle = r->walking = true;
  r->walk = 0;
  r->walk_ends[0] = r->walk_ends[1] = false;
}

void sc_unit_begin(struct sc_model *m, const uint32_t *in, const struct sc_op *presented, bool clears_error) {
  const struct sc_regs_state *r = &m->r;
  const struct sc_ports *p = &m->p;
  struct sc_unit *u = &m->u;
  bool lawful = presented != NULL, requested = r->req_valid && in[p->mem_req_ready_i];
  const struct sc_ef *ef = &r->ef[r->ef_now];
  bool fires = ef->what == SC_EF_ANSWER && ef->fires, ack = takes_ack(m);
  bool answered = in[p->mem_rsp_valid_i] && ((fires && !ef->taken) || ack);
  bool takes = lawful && presented->valid && !u->busy_self, works = r->b.valid || r->ans_c.valid;
  u->settles = r->settle;
  u->walks = r->walking;
  u->unit = context_unit(m);
  u->to = simt_context_to_unit(&u->port, &u->unit, &u->ctx_at, in);
  u->says = (struct simt_unit_signals){
    .in = takes, .out = r->ans.valid, .proc = works, .work = r->ec.request || r->req_valid,
    .mem = u->under_way != 0, .mem_done = answered, .blocked = r->req_valid && !requested, .cannot = lawful && !takes && !works,
    .nack = fires && ef->error && !u->clearing && !u->clears,
    .nack_write = clears_error || u->port.r.commit || u->port.r.abort,
    .nack_value = u->port.r.commit && r->error_valid && !clears_error, .can_halt = u->unit.can_halt};
  u->cleared = !u->says.mem && (!r->settle || r->walk_ends[1]);
  u->says.progress = (takes && !u->closed) || requested || answered || u->says.out || u->says.proc;
}

void sc_unit_end(struct sc_model *m, const uint32_t *in) {
  struct sc_regs_state *r = &m->r;
  struct sc_unit *u = &m->u;
  if (halted(m)) {
    r->hint_valid = r->scan_turn = false;
    r->scan = r->lost = 0;
  }
  sc_flush_end(m);
  flush_step(m);
  clear_step(m);
  loading_step(m);
  context_step(m, in);
  simt_status_step(&u->fsm, &u->says, &u->status_at, in);
  look(m);
}

void sc_unit_outputs(const struct sc_model *m, uint32_t *out) {
  const struct sc_unit *u = &m->u;
  if (!m->l.status) return;
  struct simt_context_unit unit = context_unit(m);
  simt_status_outputs(&u->fsm, (enum simt_status_encoding)(m->l.status - 1), &u->status_at, out);
  simt_context_outputs(&u->port, &unit, &u->ctx_at, out);
}
