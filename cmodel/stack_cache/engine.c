/* SPDX-License-Identifier: Apache-2.0 */
/* engine.c: the engine of stack_cache: spills, restores and memory answers, by the stages EA, EB, EF and EC of
 * docs/stack_cache_design.md. */
#include <stdlib.h>

#include "stack_cache/thread.h"

/* What a thread needs. Nearly always nothing, which is found first. Written in place: a copy of what was just
 * written in parts makes a processor wait. */
static void plan(const struct sc_model *m, const struct sc_thread *th, struct sc_plan *p) {
  const struct sc_stack *s = &th->s;
  int32_t nsets = (int32_t)m->l.nsets, used = top_set(m, s) + 1;
  int32_t nd = used - s->S, nv = used - s->L;
  bool boundary = m->l.policy == SC_SET_BOUNDARY;
  p->want = SC_WANT_NOTHING;
  p->set = 0;
  p->must = p->by_threshold = p->urgent = false;
  if (!s->count || (boundary && nd < nsets && nv + s->nr >= 2)) return;
  if (nv == 0 && s->nr == 0) {
    p->want = SC_WANT_RESTORE;
    p->set = s->L - 1;
    p->urgent = true;
    return;
  }

  bool must = nd == nsets && pos_of(m, s->count) == 0 && s->count < m->r.lim;
  bool by_threshold = !boundary && s->S < set_of(m, s->count) && (th->burst || (uint32_t)nd > m->r.spill_over);
  if (must || by_threshold || (boundary && nd == nsets)) {
    p->want = SC_WANT_SPILL;
    p->set = s->S;
    p->must = p->urgent = must;
    p->by_threshold = by_threshold;
    return;
  }
  bool room = s->L - s->nr > 0 && s->nr < 2 && nv + s->nr < nsets;
  bool near = boundary ? nv + s->nr < 2 : nsets - nv - s->nr > (int32_t)m->r.restore_free;
  if (room && near) {
    p->want = SC_WANT_RESTORE;
    p->set = s->L - 1 - s->nr;
  }
}

static inline uint64_t class_bit(const struct sc_model *m, int32_t set) {
  return (uint64_t)1 << ((unsigned)set & (m->l.inflight - 1));
}

static bool in_v(const struct sc_model *m, unsigned t, int32_t set) {
  return m->r.v.live && m->r.v.thread == t && m->r.v.set == set;
}

static inline bool write_port_busy(const struct sc_model *m) {
  return m->r.claim == SC_WRITE_PORT || (m->r.b.valid && (m->r.b.kind == SC_PUSH || m->r.b.kind == SC_REPLACE));
}
static inline bool read_port_busy(const struct sc_model *m) {
  return m->r.claim == SC_READ_PORT || (m->r.b.valid && (m->r.b.kind == SC_POP || m->r.b.kind == SC_PEEK));
}

/* Whether the storage takes an answer, as the thread is now. */
static bool wanted_answer(const struct sc_model *m, unsigned t, unsigned cls, uint32_t error) {
  const struct sc_thread *th = &m->thread[t];
  const struct sc_stack *s = &th->s;
  unsigned mask = m->l.inflight - 1;
  if (!s->nr || th->drain || s->fault || error) return false;
  return ((unsigned)(s->L - 1) & mask) == cls || (s->nr == 2 && !s->held && ((unsigned)(s->L - 2) & mask) == cls);
}

/* What the answer in EF does in the coming cycle; mem_rsp_ready_o is its `fires`. */
static void judge_answer(struct sc_model *m) {
  struct sc_ef *e = ef_of(m);
  const struct sc_thread *th = &m->thread[e->thread];
  const struct sc_stack *s = &th->s;
  unsigned mask = m->l.inflight - 1;
  bool drop = th->drain || s->fault;
  e->w1 = s->nr >= 1 && ((unsigned)(s->L - 1) & mask) == e->cls;
  e->w2 = s->nr == 2 && !s->held && ((unsigned)(s->L - 2) & mask) == e->cls;
  e->init = m->r.b.valid && m->r.b.kind == SC_INIT && m->r.b.thread == e->thread;
  e->store = (e->w1 || e->w2) && !drop && !e->error && !e->init;
  e->lost = e->store && write_port_busy(m);
  e->fires = !e->lost;
}

/* Set data from the memory port into the storage; upper bits of each entry are dropped. */
static void store_set(struct sc_model *m, unsigned t, int32_t set, const uint32_t *data) {
  uint8_t *to = slot(m, t, set);
  memcpy(to, data, m->l.set_bytes);
  unsigned whole = m->l.entry_w / 8, rest = m->l.entry_w % 8;
  if (8 * m->l.entry_bytes == m->l.entry_w) return;
  for (unsigned i = 0; i < m->l.set; i++, to += m->l.entry_bytes) {
    if (rest) to[whole] &= (uint8_t)((1u << rest) - 1);
    unsigned used = whole + (rest != 0);
    memset(to + used, 0, m->l.entry_bytes - used);
  }
}

static void record_error(struct sc_model *m, const struct sc_ef *e) {
  struct sc_regs_state *r = &m->r;
  const struct sc_access *a = &m->access[e->thread << m->l.class_w | e->cls];
  if (!r->error_valid) {
    r->error_valid = true;
    r->error = 1u << 31 | (uint32_t)a->write << 30 | e->error << 28 | e->thread;
    r->error_set = a->set;
  }
  if (r->error_count < 0xffff) r->error_count++;
}

/* A set is on chip, and with it the one below that is there already. */
static void restored(struct sc_model *m, struct sc_stack *s) {
  int32_t sets = s->held ? 2 : 1;
  s->L -= sets;
  s->nr = (uint8_t)(s->nr - sets);
  s->held = false;
  event(m, SC_N_RESTORE, (uint32_t)sets);
}

static void fire_answer(struct sc_model *m, const uint32_t *in) {
  struct sc_ef *e = ef_of(m);
  struct sc_thread *th = &m->thread[e->thread];
  struct sc_stack *s = &th->s;
  if (!e->taken) m->u.under_way--;
  th->pend &= ~((uint64_t)1 << e->cls);
  if (m->r.v.thread == e->thread && ((unsigned)m->r.v.set & (m->l.inflight - 1)) == e->cls) m->r.v.live = false;
  if (e->error) {
    if (!m->u.clearing && !m->u.clears) record_error(m, e); /* what a reset dropped is nobody's error */
    if ((!th->drain || e->taken) && !e->init && !m->u.clearing) m->fault_next = (int)e->thread;
  }
  if (e->store) {
    store_set(m, e->thread, e->w1 ? s->L - 1 : s->L - 2, in + m->p.mem_rsp_data_i);
    m->r.lost = 0;
    if (e->w2) s->held = true;
    else restored(m, s);
  }
  if (th->drain && !th->pend) th->drain = e->init, th->burst = 0;
  if (e->taken) th->burst = 0;
}

void sc_engine_request(struct sc_model *m, unsigned t, int32_t set, bool write) {
  struct sc_ec *ec = &m->r.ec;
  const struct sc_layout *l = &m->l;
  unsigned cls = (unsigned)set & (l->inflight - 1);
  ec->request = true;
  ec->write = write;
  ec->tag = t << l->class_w | cls;
  ec->addr = m->r.base + ((uint64_t)t << m->r.stride_lg) + ((uint64_t)(uint32_t)set << l->set_bytes_lg);
  if (l->addr_w < 64) ec->addr &= ((uint64_t)1 << l->addr_w) - 1;
  if (write) memcpy(m->read_data, slot(m, t, set), l->set_bytes);
  ec->entries = l->set;
  m->access[ec->tag] = (struct sc_access){.write = write, .set = (uint32_t)set};
}

static void begin_access(struct sc_model *m, unsigned t, int32_t set, bool write) {
  m->thread[t].pend |= class_bit(m, set);
  m->u.under_way++;
  sc_engine_request(m, t, set, write);
}

/* Whether an operation since EB saw the thread took the slot that a restore would fill, or the stack. */
static bool slot_taken(const struct sc_model *m, unsigned t) {
  return m->r.c.thread == t && (m->r.c.init || m->r.c.begins);
}

/* A restore from V in EF. It holds while it lost the write port. */
static bool fire_kept(struct sc_model *m) {
  struct sc_regs_state *r = &m->r;
  struct sc_ef *e = ef_of(m);
  struct sc_stack *s = &m->thread[e->thread].s;
  bool init = r->b.valid && r->b.thread == e->thread && r->b.kind == SC_INIT;
  bool store = !slot_taken(m, e->thread);
  e->lost = store && write_port_busy(m);
  r->ec.again = !e->lost;
  if (e->lost || !store || init) return e->lost;
  store_set(m, e->thread, e->plan.set, m->v_data);
  r->lost = 0;
  r->ef_wanted = 1;
  s->nr++;
  if (s->nr == 2) s->held = true;
  else restored(m, s);
  return false;
}

enum visit_end { VISIT_DONE, VISIT_HOLDS, VISIT_FORWARDS };

/* A visit in EF. It holds when a needed spill lost only the read port. `empty`: the request register will be. */
static enum visit_end visit(struct sc_model *m, bool empty) {
  struct sc_regs_state *r = &m->r;
  struct sc_ef *e = ef_of(m);
  const struct sc_plan *p = &e->plan;
  unsigned t = e->thread;
  struct sc_thread *th = &m->thread[t];
  struct sc_stack *s = &th->s;
  e->lost = e->lacks = false;
  if (e->fault || m->u.quiet) return VISIT_DONE;
  bool same = r->b.valid && r->b.thread == t;
  bool init = same && r->b.kind == SC_INIT;
  if (e->drain) {
    if (!e->idle) return VISIT_DONE;
    if (!init && !(r->c.init && r->c.thread == t)) th->drain = false;
    th->burst = 0;
    r->ec.again = true;
    return VISIT_DONE;
  }
  if (e->none_full) th->burst = 0;
  bool pending = th->pend & class_bit(m, p->set);
  r->ec.again = p->want != SC_WANT_NOTHING && !pending;
  bool request_free = empty && (!r->reserved || t == r->scan);
  e->lacks = p->urgent && !pending && !empty;
  if (p->want == SC_WANT_NOTHING || init) return VISIT_DONE;
  if (p->want == SC_WANT_RESTORE) {
    if (slot_taken(m, t) || (same && r->b.kind == SC_PUSH)) return VISIT_DONE;
    if (pending && in_v(m, t, p->set)) return VISIT_FORWARDS;
    if (pending || !request_free) return VISIT_DONE;
    s->nr++;
    s->held = false;
    r->ef_wanted = 1;
    begin_access(m, t, p->set, false);
    return VISIT_DONE;
  }
  bool replaced = (same && r->b.kind == SC_REPLACE) || (r->c.replaces && r->c.thread == t);
  bool cut = (replaced && !p->must) || (r->c.cuts && r->c.thread == t);
  if (pending || !request_free || cut) return VISIT_DONE;
  if (read_port_busy(m)) {
    e->lost = p->must;
    return p->must ? VISIT_HOLDS : VISIT_DONE;
  }
  begin_access(m, t, p->set, true);
  if (m->l.forward && !r->v.live) {
    r->v.live = true;
    r->v.thread = t;
    r->v.set = p->set;
    memcpy(m->v_data, m->read_data, m->l.set_bytes);
  }
  s->S++;
  s->off = 0;
  r->ef_spilled = 1;
  r->ec.changed = true;
  r->lost = 0;
  if (p->by_threshold) th->burst = (th->burst ? th->burst : r->spill_burst) - 1;
  event(m, SC_N_SPILL, 1);
  return VISIT_DONE;
}

static void visit_next(struct sc_model *m, struct sc_ef *next) {
  const struct sc_eb *e = &m->r.eb;
  const struct sc_thread *th = &m->thread[e->thread];
  next->what = SC_EF_VISIT;
  next->drain = th->drain;
  next->idle = !th->pend;
  next->fault = th->s.fault;
  next->none_full = m->l.policy == SC_THRESHOLD && th->s.S >= set_of(m, th->s.count);
  next->by_scan = e->by_scan;
  plan(m, th, &next->plan);
  next->dull = next->fault || (next->plan.want == SC_WANT_NOTHING && !next->drain && !next->none_full);
}

/* EB of this cycle: what EF does next. */
static void engine_eb(struct sc_model *m, struct sc_ef *next) {
  const struct sc_eb *e = &m->r.eb;
  next->what = SC_EF_NOTHING;
  next->thread = e->thread;
  next->lost = next->lacks = false;
  if (e->what == SC_EB_VISIT) {
    visit_next(m, next);
  } else if (e->what == SC_EB_ANSWER) {
    next->what = SC_EF_ANSWER;
    next->cls = e->cls;
    next->error = e->error;
    next->taken = e->taken;
    next->stores = wanted_answer(m, e->thread, e->cls, e->error);
  } else if (e->what == SC_EB_DEPTH) {
    sc_depth_answer(m);
  }
}

/* Whether EF may keep its content in this cycle: then EB keeps its own. Before EF acts. */
static bool may_hold(const struct sc_model *m) {
  const struct sc_ef *e = &m->r.ef[m->r.ef_now];
  if (e->what == SC_EF_KEPT) return write_port_busy(m);
  if (e->what == SC_EF_ANSWER) return e->stores && write_port_busy(m);
  if (e->what != SC_EF_VISIT || e->dull || e->drain) return false;
  if (e->plan.want == SC_WANT_RESTORE) return m->r.v.live && m->r.v.thread == e->thread;
  return e->plan.want == SC_WANT_SPILL && e->plan.must && read_port_busy(m);
}

/* EF of this cycle. Sets the next EC; whether EF keeps its content. `free`: the request register will be. */
static bool engine_ef(struct sc_model *m, const uint32_t *in, bool free) {
  struct sc_regs_state *r = &m->r;
  struct sc_ef *e = ef_of(m);
  struct sc_ec *ec = &r->ec;
  bool holds = false;
  ec->request = m->u.acks && r->stall;
  ec->again = ec->changed = false;
  r->ef_spilled = r->ef_wanted = 0;
  if (e->what == SC_EF_NOTHING || (e->what == SC_EF_VISIT && e->dull)) return false;
  ec->thread = e->thread;
  if (e->what == SC_EF_ANSWER) {
    holds = !e->fires;
    if (holds) e->stores = wanted_answer(m, e->thread, e->cls, e->error);
    else fire_answer(m, in);
    ec->again = ec->changed = !holds;
  } else if (e->what == SC_EF_KEPT) {
    holds = fire_kept(m);
    ec->changed = !holds;
  } else {
    enum visit_end end = visit(m, free);
    if (end == VISIT_FORWARDS) {
      e->what = SC_EF_KEPT;
      ec->again = false;
      return true;
    }
    holds = end == VISIT_HOLDS;
  }
  if (holds) ec->again = false;
  if (e->lost && !r->steal && r->waits && ++r->lost >= m->l.steal) {
    r->lost = 0;
    r->steal_next = true;
  }
  return holds;
}

static inline void move_scan(struct sc_model *m) { m->r.scan = m->r.scan + 1 < m->l.threads ? m->r.scan + 1 : 0; }

static unsigned answer_of(const struct sc_model *m, const uint32_t *in) {
  unsigned t = in[m->p.mem_rsp_tag_i] >> m->l.class_w;
  return t < m->l.threads ? t : 0; /* a tag that was never given */
}

static void take_answer(struct sc_model *m, const uint32_t *in, bool taken) {
  m->r.eb = (struct sc_eb){.what = SC_EB_ANSWER, .thread = answer_of(m, in), .taken = taken,
                           .cls = in[m->p.mem_rsp_tag_i] & (m->l.inflight - 1), .error = in[m->p.mem_rsp_error_i] & 3};
}

/* EA: what EB does next. No thread follows itself. */
static void engine_ea(struct sc_model *m, const uint32_t *in, bool had_answer, bool stay) {
  struct sc_regs_state *r = &m->r;
  struct sc_eb *eb = &r->eb;
  const bool ack = m->u.acks && in[m->p.mem_rsp_valid_i] && !had_answer;
  const enum sc_eb_what what = eb->what;
  const unsigned thread = eb->thread;
  bool busy = what == SC_EB_ANSWER || what == SC_EB_VISIT;
  if (stay && busy && !r->depth_waits) return;
  eb->what = SC_EB_NOTHING;
  if (r->in_walk) return;
  if (ack) {
    m->u.under_way--;
    if (in[m->p.mem_rsp_error_i] & 3) {
      take_answer(m, in, true);
      return;
    }
  }
  if (r->depth_waits) {
    if (stay && what == SC_EB_VISIT && eb->by_scan && !r->reserved) r->scan = thread; /* its turn comes again */
    r->depth_waits = false;
    eb->what = SC_EB_DEPTH;
    eb->thread = r->reg_thread;
    return;
  }
  if (stay) return;
  if (in[m->p.mem_rsp_valid_i] && !had_answer && !m->u.acks) {
    if (!busy || answer_of(m, in) != thread) take_answer(m, in, false);
    return;
  }
  if (m->u.quiet) return;
  bool by_hint = r->hint_valid && !r->scan_turn;
  unsigned t = by_hint ? r->hint : r->scan;
  if (busy && t == thread) return;
  eb->what = SC_EB_VISIT;
  eb->thread = t;
  eb->by_scan = !by_hint;
  r->scan_turn = by_hint;
  if (by_hint) r->hint_valid = false;
  else if (!r->reserved) move_scan(m);
}

/* After EA: the scan stays with a thread that waits and lacked only the request register. */
static void reserve(struct sc_model *m, const struct sc_ef *e, bool forwards, bool holds) {
  struct sc_regs_state *r = &m->r;
  if (r->reserved) {
    if (e->thread == r->scan && !e->lacks && (!holds || forwards)) {
      r->reserved = false;
      move_scan(m);
    }
  } else if (e->lacks && e->by_scan) {
    r->reserved = true;
    r->scan = e->thread;
  }
}

/* EC: the request register. */
static void engine_ec(struct sc_model *m, const uint32_t *in) {
  struct sc_regs_state *r = &m->r;
  if (r->req_valid && in[m->p.mem_req_ready_i]) r->req_valid = false;
  if (!r->ec.request || r->req_valid) return;
  if (m->u.acks) { /* of a flush: now it is certain to go out */
    m->u.under_way++;
    event(m, SC_N_SPILL, 1);
  }
  r->req_valid = true;
  r->req_write = r->ec.write;
  r->req_tag = r->ec.tag;
  r->req_addr = r->ec.addr;
  r->req_entries = r->ec.entries;
  if (!r->ec.write) return;
  unsigned bytes = r->ec.entries << m->l.entry_bytes_lg; /* of a partly filled set nothing else leaves */
  memcpy(m->req_data, m->read_data, m->l.set_bytes);
  if (bytes < m->l.set_bytes) memset((char *)m->req_data + bytes, 0, m->l.set_bytes - bytes);
}

/* ---- the cycle ------------------------------------------------------------------------------------------- */

/* EC goes first: it takes what EF then writes anew. */
void sc_engine_acts(struct sc_model *m, const uint32_t *in, struct sc_turn *turn) {
  const struct sc_regs_state *r = &m->r;
  const struct sc_ef *e = ef_of(m);
  turn->had_answer = r->eb.what == SC_EB_ANSWER || e->what == SC_EF_ANSWER;
  turn->visits = e->what == SC_EF_VISIT;
  engine_eb(m, &m->r.ef[!r->ef_now]);
  turn->stay = may_hold(m);
  bool free = !r->ec.request && (!r->req_valid || in[m->p.mem_req_ready_i]);
  m->r.ec_busy = r->ec.request;
  m->r.stall = m->u.acks && r->ec.request && r->req_valid && !in[m->p.mem_req_ready_i];
  engine_ec(m, in);
  turn->holds = engine_ef(m, in, free);
}

void sc_engine_moves(struct sc_model *m, const uint32_t *in, const struct sc_turn *turn) {
  struct sc_regs_state *r = &m->r;
  struct sc_ef *e = ef_of(m);
  engine_ea(m, in, turn->had_answer, turn->stay);
  if (turn->visits) reserve(m, e, e->what == SC_EF_KEPT, turn->holds);
  if (m->u.quiet) r->reserved = false;
  if (!turn->stay) r->ef_now = !r->ef_now;
  else if (!turn->holds) e->what = SC_EF_NOTHING;
}

void sc_engine_judges(struct sc_model *m) {
  if (ef_of(m)->what == SC_EF_ANSWER) judge_answer(m);
}
