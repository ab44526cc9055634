/* SPDX-License-Identifier: Apache-2.0 */
/* engine.c: the engine of stack_cache: looker, mover, answer port, request register (docs/stack_cache_design.md). */
#include "stack_cache/state.h"

void sc_engine_reset(struct sc_model *m) {
  m->look = (struct sc_look){0};
  m->move = (struct sc_move){0};
  m->y = (struct sc_answer){0};
  m->lost = m->under_way = m->req_beat = m->req_bytes = 0;
  m->req_valid = m->req_write = false;
}

static inline unsigned class_of(const struct sc_model *m, int32_t set) { return (unsigned)set & (m->l.inflight - 1); }
static inline unsigned answer_tag(const struct sc_model *m, const uint32_t *in) {
  unsigned tag = in[m->mem.rsp_tag];
  return tag >> m->l.class_w < m->l.threads ? tag : 0; /* a tag that was never given */
}
static inline unsigned answer_thread(const struct sc_model *m) { return m->y.tag >> m->l.class_w; }
static inline bool of_beats(const struct sc_model *m) { return sc_narrow(m) && !m->y.write; }
/* The request register is empty behind this cycle. */
static inline bool request_ends(const struct sc_model *m, const uint32_t *in) {
  return in[m->mem.req_ready] && (!m->req_write || m->req_beat + 1 == m->l.beats);
}

enum { HINTS_IN_A_ROW = 3 };

static inline bool in_pipeline(const struct sc_op *o, unsigned t) { return o->valid && o->thread == t; }

/* ---- looker ------------------------------------------------------------------------------------------------ */

static void pick(struct sc_model *m) {
  struct sc_look *l = &m->look;
  l->second = false;
  if (sc_depth_waits(m)) {
    m->r_.waits = false;
    l->kind = SC_DEPTH;
    l->thread = m->u.fetch ? m->u.place : m->r_.thread;
  } else if (m->y.state == SC_Y2 && !m->y.taken && (!l->last_ans || m->u.hold)) {
    l->kind = SC_ANSWER;
    l->thread = answer_thread(m);
    l->last_ans = m->y.taken = true;
  } else if (m->u.hold) {
    return;
  } else {
    bool by_hint = l->kept && l->hints < HINTS_IN_A_ROW && !l->reserved && !m->u.scan;
    l->kind = by_hint ? SC_HINT : SC_SCAN;
    l->thread = by_hint ? l->h[0] : l->scan;
    l->last_ans = false;
    l->hints = by_hint ? l->hints + 1 : 0;
    l->h[0] = by_hint ? l->h[1] : l->h[0];
    l->kept -= by_hint;
  }
  l->state = SC_A;
}

static void give(struct sc_model *m, enum sc_move_kind kind, int32_t set) {
  const struct sc_look *l = &m->look;
  m->move = (struct sc_move){.state = SC_K, .kind = kind, .thread = l->thread, .set = set, .moved = l->moved,
                             .by = l->by, .burst = l->at.burst};
}

/* `given`: to the mover. */
static void look_done(struct sc_model *m, bool failed, bool given) {
  struct sc_look *l = &m->look;
  l->state = SC_P;
  if (l->kind != SC_SCAN) return;
  l->reserved = failed;
  if (failed || (l->dirty && !(l->one && given))) return;
  if (++l->scan < m->l.threads) return;
  l->scan = 0;
  m->u.fin |= m->u.scan;
  m->u.scan = false;
}

/* E of a visit of a flush: any dirty set. */
static void judge_flush(struct sc_model *m, bool may) {
  struct sc_look *l = &m->look;
  const struct sc_thread *t = &l->at;
  l->spill = may && t->nd;
  l->rest = false;
  l->dirty = t->nd && !t->fault;
  l->one = l->spill && t->nd == 1;
  l->y = sc_end(m, t->count) - t->nd;
  l->cls = m->l.inflight - 1;
}

/* E: what the thread wants; whether it was a depth read, which is done. */
static void judge(struct sc_model *m) {
  struct sc_look *l = &m->look;
  const struct sc_thread *t = &l->at;
  if (l->kind == SC_DEPTH) {
    sc_depth_done(m, t->count | (uint32_t)t->fault << 31);
    l->state = SC_P;
    if (m->u.fetch && sc_loads(m)) give(m, SC_NOTHING, 0);
    return;
  }
  const bool threshold = m->l.policy == SC_THRESHOLD, begins = sc_begins(m, t->count);
  const bool may = !t->fault && !t->drain && l->kind != SC_ANSWER;
  const unsigned all = m->l.nsets, lacks = all - t->nv, enough = m->r_.restore_free;
  const int32_t end = sc_end(m, t->count), low = end - t->nv;
  l->full = t->nd > (begins ? 0 : 1);
  l->by = threshold && l->full && (t->burst || t->nd > m->r_.spill_over);
  l->spill = may && (threshold ? (begins && t->nd == all) || l->by : t->nd == all);
  l->due2 = (threshold ? lacks > 1 && (t->nv == 0 || lacks > enough + 1) : t->nv == 0) && low >= 2;
  const bool due1 = (t->nv == 0 || (threshold ? lacks > enough : t->nv < 2)) && low >= 1;
  l->rest = may && !l->spill && (l->second ? l->due2 : due1);
  l->y = l->spill ? end - t->nd : l->second ? low - 2 : low - 1;
  l->cls = 0;
  l->state = SC_V;
  if (l->kind == SC_ANSWER) return;
  l->dirty = l->one = false;
  if (!(m->u.scan | m->u.fin)) return;
  judge_flush(m, may);
  if (!threshold && l->kind == SC_SCAN && (t->fault || (!t->nd && !t->drain))) look_done(m, false, false);
}

static void answer_judged(struct sc_model *m, bool idle) {
  const struct sc_look *l = &m->look;
  const struct sc_thread *t = &l->at;
  int32_t d = l->y - m->y.set;
  bool hit1 = d == 0 && t->nv < m->l.nsets, hit2 = d == 1 && !t->held && t->nv + 1u < m->l.nsets;
  const bool gone = t->fault || t->drain;
  if (m->y.first) { /* its beats come now */
    m->y.bad |= gone || !(hit1 || hit2);
    m->y.state = SC_YF;
    look_done(m, false, false);
    return;
  }
  bool drop = gone || !(m->y.error || (!l->bad && (hit1 || hit2)));
  if (!drop && !idle) return;
  if (drop) m->y.state = SC_Y3;
  else give(m, m->y.error ? SC_FAULTS : hit1 ? SC_STORE1 : SC_STORE2, m->y.set);
  look_done(m, false, false);
}

static void end_drain(struct sc_model *m) {
  struct sc_look *l = &m->look;
  m->thread[l->thread].drain ^= true;
  m->thread[l->thread].burst = 0;
  struct sc_op *r = sc_r(m);
  if (r->valid && r->thread == l->thread) r->flip = true;
}

/* N of a visit. */
static void visit(struct sc_model *m, const uint32_t *in, enum sc_move_state mover) {
  struct sc_look *l = &m->look;
  const struct sc_thread *t = &l->at;
  bool gives = false;
  if (t->drain && !t->fault) {
    if (l->free && l->cls + 1 < m->l.inflight) {
      if (m->u.hold) {
        l->state = SC_P;
        return;
      }
      l->cls++;
      l->state = SC_V;
      return;
    }
    if (l->free && mover == SC_X) return;
    if (l->free) end_drain(m);
  } else if ((l->spill || l->rest) && l->free) {
    if (mover != SC_IDLE) return;
    if (m->req_valid && !request_ends(m, in)) {
      look_done(m, true, false);
      return;
    }
    give(m, l->spill ? SC_SPILL : SC_RESTORE, l->y);
    gives = true;
  }
  if (l->rest && !l->second && l->due2 && (!l->free || gives)) {
    l->second = true;
    l->state = SC_A;
    return;
  }
  look_done(m, false, gives);
}

static inline __attribute__((always_inline)) void look(struct sc_model *m, const uint32_t *in, enum sc_move_state mover) {
  struct sc_look *l = &m->look;
  switch (l->state) {
  case SC_P: pick(m); break;
  case SC_A:
    if ((mover >= SC_K1 && mover <= SC_MA && m->move.kind != SC_RESTORE) || (mover != SC_IDLE && m->move.thread == l->thread) || in_pipeline(sc_b(m), l->thread)) break;
    l->at = m->thread[l->thread];
    l->state = SC_L;
    break;
  case SC_L:
    l->moved = 0;
    l->state = SC_E;
    break;
  case SC_E: judge(m); break;
  case SC_V:
    l->free = !(m->thread[l->thread].pend >> (l->at.drain ? l->cls : class_of(m, l->y)) & 1);
    l->state = SC_M;
    break;
  case SC_M:
    if (m->l.policy == SC_THRESHOLD && l->kind != SC_ANSWER && !l->at.fault && !l->at.drain && !l->full &&
        !(mover == SC_X && m->move.kind == SC_SPILL && m->move.does))
      m->thread[l->thread].burst = 0;
    l->bad = m->y.bad;
    l->state = SC_N;
    break;
  case SC_N:
    if (l->kind == SC_ANSWER) answer_judged(m, mover == SC_IDLE);
    else visit(m, in, mover);
    break;
  }
}

/* ---- mover ------------------------------------------------------------------------------------------------- */

/* Entries from the memory port into the storage; upper bits of each are dropped. */
static void store(struct sc_model *m, uint8_t *to, const uint32_t *data, unsigned entries) {
  memcpy(to, data, entries << m->l.entry_bytes_lg);
  unsigned whole = m->l.entry_w / 8, rest = m->l.entry_w % 8;
  if (8 * m->l.entry_bytes == m->l.entry_w) return;
  for (unsigned i = 0; i < entries; i++, to += m->l.entry_bytes) {
    if (rest) to[whole] &= (uint8_t)((1u << rest) - 1);
    unsigned used = whole + (rest != 0);
    memset(to + used, 0, m->l.entry_bytes - used);
  }
}

static void store_set(struct sc_model *m, const uint32_t *in) {
  if (!sc_narrow(m)) store(m, sc_slot(m, m->move.thread, m->move.set), in + m->mem.rsp_data, m->l.set);
}

/* The request register and LOG are loaded. */
static void request(struct sc_model *m, bool write) {
  const struct sc_layout *l = &m->l;
  const struct sc_move *v = &m->move;
  unsigned cls = class_of(m, v->set);
  m->req_valid = true;
  m->req_write = write;
  m->req_beat = 0;
  m->req_tag = v->thread << l->class_w | cls;
  m->req_addr = m->r_.base + ((uint64_t)v->thread << m->r_.stride_lg) + ((uint64_t)(uint32_t)v->set << l->set_bytes_lg);
  if (l->addr_w < 64) m->req_addr &= ((uint64_t)1 << l->addr_w) - 1;
  m->req_bytes = v->entries << l->entry_bytes_lg;
  if (write) {
    memcpy(m->req_data, sc_slot(m, v->thread, v->set), l->set_bytes);
    memset((char *)m->req_data + m->req_bytes, 0, l->set_bytes - m->req_bytes);
  }
  m->access[m->req_tag] = (struct sc_access){.write = write, .set = (uint32_t)v->set};
  m->thread[v->thread].pend |= (uint64_t)1 << cls;
  m->under_way++;
}

/* What F does, as the thread is when it is loaded. */
static bool goes(const struct sc_model *m) {
  const struct sc_move *v = &m->move;
  const struct sc_thread *t = &m->thread[v->thread];
  const unsigned all = m->l.nsets;
  if (t->fault || t->drain || ((v->kind == SC_STORE1 || v->kind == SC_STORE2) && m->y.bad)) return false;
  switch (v->kind) {
  case SC_SPILL: return !(v->moved & SC_MOVES_S) && t->nd >= (sc_begins(m, t->count) || v->flushes ? 1 : 2);
  case SC_NOTHING: return false;
  case SC_STORE1: return !(v->moved & SC_MOVES_L) && t->nv < all;
  case SC_STORE2: return !(v->moved & SC_MOVES_L) && !t->held && t->nv + 1u < all;
  default: return true;
  }
}

static inline bool f_waits(const struct sc_model *m) {
  const struct sc_move *v = &m->move;
  if (!v->does || v->kind == SC_FAULTS) return false;
  return v->kind == SC_SPILL ? sc_read_port_busy(m) : !sc_narrow(m) && sc_write_port_busy(m);
}

static void record_error(struct sc_model *m) {
  struct sc_registers *r = &m->r_;
  const unsigned tag = m->y.tag;
  const struct sc_access *a = &m->access[tag];
  if (m->u.clear | m->u.shell.clearing) return; /* it is of before a reset */
  m->u.nacked = r->error_came = true;
  if (r->error_valid) return;
  r->error_valid = true;
  r->error = (uint32_t)a->write << 30 | m->y.code << 28 | tag >> m->l.class_w;
  r->error_set = a->set;
}

static void accept(struct sc_model *m, bool stored) {
  const unsigned tag = m->y.tag;
  m->thread[tag >> m->l.class_w].pend &= ~((uint64_t)1 << (tag & (m->l.inflight - 1)));
  m->under_way--;
  m->u.answered = true;
  if (m->y.error) record_error(m);
  else if (!m->y.write && !stored) sc_event(m, SC_N_DROP, 1);
  m->y.state = SC_Y0;
  m->y.taken = false;
}

static void f_acts(struct sc_model *m, const uint32_t *in) {
  struct sc_move *v = &m->move;
  struct sc_thread *t = &m->thread[v->thread];
  if (v->kind >= SC_STORE1) accept(m, v->does);
  if (!v->does) return;
  switch (v->kind) {
  case SC_SPILL:
    v->entries = t->nd == 1 && !sc_begins(m, t->count) ? t->count & (m->l.set - 1) : m->l.set;
    t->nd--;
    t->off = 0;
    sc_event(m, SC_N_SPILL, 1);
    break;
  case SC_STORE1:
    store_set(m, in);
    sc_event(m, SC_N_RESTORE, 1 + t->held);
    t->nv = (uint16_t)(t->nv + 1 + t->held);
    t->held = false;
    break;
  case SC_STORE2:
    store_set(m, in);
    t->held = true;
    break;
  default: t->fault = true; break;
  }
}

static inline void bits_fall(struct sc_model *m, unsigned t) {
  sc_put_bit(m->push_ok, t, false);
  sc_put_bit(m->top_ok, t, false);
}

/* K1, K2, MA: the state that acts as MA is the first with nothing of the thread in R or B. */
static void claim(struct sc_model *m) {
  struct sc_move *v = &m->move;
  const bool r = in_pipeline(sc_r(m), v->thread), b = in_pipeline(sc_b(m), v->thread);
  bits_fall(m, v->thread);
  v->state = r || b ? v->state + 1 : SC_ML;
}

static void x_writes(struct sc_model *m) {
  struct sc_move *v = &m->move;
  struct sc_thread *t = &m->thread[v->thread];
  const bool spilled = v->kind == SC_SPILL && v->does;
  sc_put_bit(m->push_ok, v->thread, sc_push_goes(m, t));
  sc_put_bit(m->top_ok, v->thread, sc_top_goes(t));
  if (spilled) t->burst = v->flushes ? 0 : v->by ? (v->burst ? v->burst : m->r_.spill_burst) - 1 : v->burst;
  if (spilled && !m->l.out_reg) request(m, true);
  v->state = spilled && m->l.out_reg ? SC_Z : SC_IDLE;
}

/* Whether the cycle is lost. */
static bool move(struct sc_model *m, const uint32_t *in) {
  struct sc_move *v = &m->move;
  if (v->kind == SC_RESTORE && v->state != SC_K2) {
    v->state++;
    return false;
  }
  switch (v->state) {
  case SC_K:
    bits_fall(m, v->thread);
    v->state = SC_K1;
    break;
  case SC_K2:
    if (v->kind == SC_RESTORE) {
      request(m, false);
      v->state = SC_IDLE;
      break;
    }
    claim(m);
    break;
  case SC_K1:
  case SC_MA: claim(m); break;
  case SC_ML:
    v->flushes = m->u.scan | m->u.fin;
    v->does = goes(m);
    v->state = SC_F;
    break;
  case SC_F:
    if (f_waits(m)) return true;
    if (v->kind == SC_SPILL && v->does && ++v->beat < m->l.beats) break;
    f_acts(m, in);
    v->state = SC_X;
    break;
  case SC_X: x_writes(m); break;
  default:
    request(m, true);
    v->state = SC_IDLE;
    break;
  }
  return false;
}

/* ---- answer port ------------------------------------------------------------------------------------------- */

bool sc_answer_ready(const struct sc_model *m) {
  const struct sc_move *v = &m->move;
  if (m->y.state == SC_YF) return m->y.bad || !sc_write_port_busy(m);
  if (of_beats(m)) return false;
  if (m->y.state == SC_Y3) return m->look.state != SC_V;
  return v->state == SC_F && v->kind >= SC_STORE1 && !f_waits(m);
}

/* Yf: a beat of a read. Whether the cycle is lost. */
static bool beat(struct sc_model *m, const uint32_t *in) {
  struct sc_answer *y = &m->y;
  const unsigned code = in[m->mem.rsp_error] & 3;
  if (!in[m->mem.rsp_valid]) return false;
  if (!y->bad && sc_write_port_busy(m)) return true;
  if (!y->bad && !y->begun)
    store(m, sc_slot(m, answer_thread(m), y->set) + (y->beat << m->l.entry_bytes_lg), in + m->mem.rsp_data, 1);
  if (!y->error) y->code = code;
  y->error |= code != 0;
  if (++y->beat < m->l.beats) return false;
  y->first = y->taken = false;
  y->state = SC_Y2;
  return false;
}

/* Whether the cycle is lost. */
static bool answer(struct sc_model *m, const uint32_t *in, bool in_v) {
  struct sc_answer *y = &m->y;
  switch (y->state) {
  case SC_Y0:
    if (!in[m->mem.rsp_valid] || in_v) break;
    y->tag = answer_tag(m, in);
    y->state = SC_Y1;
    break;
  case SC_Y1: {
    const struct sc_access *a = &m->access[y->tag];
    const unsigned code = in[m->mem.rsp_error] & 3;
    y->write = a->write;
    y->set = (int32_t)a->set;
    y->first = of_beats(m);
    y->bad = false;
    y->beat = 0;
    y->code = y->first ? 0 : code;
    y->error = y->code != 0;
    y->state = y->write && !y->error ? SC_Y3 : SC_Y2;
    break;
  }
  case SC_Y2: break;
  case SC_Y3:
    if (!in_v) accept(m, false);
    break;
  case SC_YF: return beat(m, in);
  }
  return false;
}

/* ---- the cycle --------------------------------------------------------------------------------------------- */

bool sc_engine_step(struct sc_model *m, const uint32_t *in, int hint) {
  struct sc_look *l = &m->look;
  const enum sc_move_state mover = m->move.state;
  const enum sc_answer_state y = m->y.state;
  const bool in_v = l->state == SC_V, in_a = l->state == SC_A;
  const bool accepts = (y == SC_Y3 && !in_v) || (mover == SC_F && m->move.kind >= SC_STORE1 && !f_waits(m));
  bool lost = false, steal = false;
  if (accepts && hint < 0) hint = (int)answer_thread(m);
  const bool keeps = hint >= 0 && l->kept < 2 && !(l->kept && l->h[l->kept - 1] == (unsigned)hint);
  look(m, in, mover);
  if (m->req_valid && in[m->mem.req_ready]) {
    m->req_valid = !request_ends(m, in);
    m->req_beat++;
  }
  if (y == SC_Y0 ? in[m->mem.rsp_valid] : y != SC_Y2) lost = answer(m, in, in_v);
  if (mover != SC_IDLE) lost |= move(m, in);
  if (sc_narrow(m)) {
    m->y.bad = (m->y.bad || m->y.begun) && !(m->y.first && in_a && l->kind == SC_ANSWER);
    m->y.begun = false;
  }
  if (keeps) l->h[l->kept++] = (unsigned)hint;
  m->lost = lost ? m->lost + 1 : 0;
  if (m->lost == m->l.steal) {
    m->lost = 0;
    steal = true;
  }
  return steal;
}
