/* SPDX-License-Identifier: Apache-2.0 */
/* model.c: cycle model of stack_cache, written from docs/stack_cache_design.md; stage and signal names are
 * those of that page; its engine is in engine.c. Set pointers are kept as whole numbers here. */
#include "stack_cache/model.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stack_cache/thread.h"

/* ---- state ---------------------------------------------------------------------------------------- */

void sc_reset(void *model) {
  struct sc_model *m = model;
  const struct sc_layout *l = &m->l;
  memset(m->thread, 0, l->threads * sizeof *m->thread);
  memset(&m->r, 0, sizeof m->r);
  for (unsigned w = 0; w < m->words; w++) {
    uint32_t all = w + 1 == m->words && l->threads % 32 ? (1u << l->threads % 32) - 1 : ~0u;
    m->all[w] = m->push_ok[w] = m->top_ok[w] = all;
    m->faulted[w] = 0;
  }
  sc_unit_reset(m);
  m->r.in_walk = true;
  m->r.walk_b = m->r.walk_c = -1;
  m->r.stride_lg = l->stride_max;
  m->r.limit_reg = l->max_depth;
  m->r.lim = m->r.lim_b = sc_effective_limit(m);
  m->r.spill_over = m->r.restore_free = l->nsets / 2;
  m->r.spill_burst = 1;
}

/* One block of memory: the structure, then its arrays; an image of it is a save. */
static size_t model_size(const struct sc_layout *l) {
  unsigned words = (l->threads + 31) / 32;
  return sizeof(struct sc_model) + l->threads * sizeof(struct sc_thread) + 4 * words * sizeof(uint32_t) +
         ((size_t)l->threads << l->class_w) * sizeof(struct sc_access) +
         (size_t)l->threads * l->nsets * l->set_bytes;
}

static void place_arrays(struct sc_model *m) {
  const struct sc_layout *l = &m->l;
  char *at = (char *)(m + 1);
  m->thread = (struct sc_thread *)(void *)at;
  at += l->threads * sizeof *m->thread;
  m->access = (struct sc_access *)(void *)at;
  at += ((size_t)l->threads << l->class_w) * sizeof *m->access;
  uint32_t **map[] = {&m->all, &m->push_ok, &m->top_ok, &m->faulted};
  for (size_t i = 0; i < 4; i++, at += m->words * sizeof(uint32_t)) *map[i] = (uint32_t *)(void *)at;
  m->storage = (uint8_t *)at;
}

void *sc_create(const struct simt_config *cfg, struct simt_diag *diag) {
  if (!simt_check_plain(cfg, diag)) return NULL;
  struct sc_layout l;
  sc_layout(cfg->value, &l);
  size_t size = model_size(&l);
  struct sc_model *m = calloc(1, size);
  if (!m) {
    simt_fail(diag, "THREADS", "too little memory", "%zu bytes for the model; choose fewer threads or entries", size);
    return NULL;
  }
  m->l = l;
  m->desc = &cfg->desc;
  m->size = size;
  m->words = (l.threads + 31) / 32;
  m->entry_words = (l.entry_w + 31) / 32;
  m->stored_bytes = l.entry_bytes < 4 * m->entry_words ? l.entry_bytes : 4 * m->entry_words;
  place_arrays(m);
  sc_ports_bind(&m->p, cfg);
  if (l.status) {
    m->u.status_at = simt_find_status_ports(cfg);
    m->u.ctx_at = simt_find_context_ports(cfg);
    m->u.port.unit_type = SC_UNIT_TYPE;
    m->u.port.cfg_hash = l.cfg_hash;
    m->u.port.ctx_max = (uint32_t)l.ctx_max;
  }
  sc_reset(m);
  return m;
}

void sc_destroy(void *model) { free(model); }

size_t sc_save(const void *model, void *to, size_t room) {
  const struct sc_model *m = model;
  if (room >= m->size) memcpy(to, m, m->size);
  return m->size;
}

bool sc_load(void *model, const void *from, size_t size) {
  struct sc_model *m = model;
  const struct sc_model *image = from;
  if (size != m->size || memcmp(&image->l, &m->l, sizeof m->l)) return false;
  const struct simt_desc *desc = m->desc;
  memcpy(m, from, size);
  m->desc = desc;
  place_arrays(m);
  return true;
}

/* ---- one thread ------------------------------------------------------------------------------------ */

static inline void clean_below(struct sc_stack *s, int32_t set, uint32_t off) {
  if (s->S > set) s->S = set, s->off = off;
  else if (s->S == set && off < s->off) s->off = off;
}

/* The status of an operation on a stack and its effect; nothing but the stack changes. */
static enum sc_status apply(const struct sc_model *m, struct sc_stack *s, enum sc_kind kind, uint64_t lim) {
  if (kind == SC_INIT) {
    *s = (struct sc_stack){0};
    return SC_OK;
  }
  if (s->fault) return SC_FAULT;
  if (kind == SC_PUSH) {
    if (s->count >= lim) return SC_OVERFLOW;
    int32_t set = set_of(m, s->count), nsets = (int32_t)m->l.nsets;
    uint32_t pos = pos_of(m, s->count);
    if (pos == 0) {
      if (set - s->L == nsets) s->L++;
      else if (set - s->L + s->nr == nsets) s->nr--, s->held = false;
    }
    clean_below(s, set, pos);
    s->count++;
    return SC_OK;
  }
  if (!s->count) return SC_UNDERFLOW;
  uint32_t entry = s->count - 1;
  if (kind == SC_POP) {
    s->count--;
    if (pos_of(m, entry) == 0) clean_below(s, set_of(m, entry), 0);
  } else if (kind == SC_REPLACE) {
    clean_below(s, set_of(m, entry), pos_of(m, entry));
  }
  return SC_OK;
}

static bool push_goes(const struct sc_model *m, const struct sc_stack *s) {
  if (s->fault || s->count >= m->r.lim) return true;
  int32_t set = set_of(m, s->count);
  return pos_of(m, s->count) ? s->L <= set : set < s->S + (int32_t)m->l.nsets;
}

static bool top_goes(const struct sc_model *m, const struct sc_stack *s) {
  return s->fault || !s->count || s->L <= top_set(m, s);
}

/* Whether an operation just taken leaves its thread within a set that is on chip: both bits are then 1. */
static inline bool stays_in_set(const struct sc_model *m, const struct sc_op *a) {
  const struct sc_stack *s = &m->thread[a->thread].s;
  if (s->fault) return false;
  if (a->kind == SC_PUSH) return s->count < m->r.lim && pos_of(m, s->count + 1);
  return a->kind == SC_POP && s->count && pos_of(m, s->count - 1);
}

/* The can-go bits of a thread after the operations now in B and A. */
static void refresh_bits(struct sc_model *m, unsigned t, const struct sc_op *a) {
  struct sc_stack s = m->thread[t].s;
  if (m->r.b.valid && m->r.b.thread == t) apply(m, &s, m->r.b.kind, m->r.lim_b);
  if (a->valid && a->thread == t) apply(m, &s, a->kind, m->r.lim);
  put_bit(m->push_ok, t, push_goes(m, &s));
  put_bit(m->top_ok, t, top_goes(m, &s));
}

/* The bits of the thread of `a` after it: B sees all that fired or was done before. */
static inline void move_bits(struct sc_model *m, const struct sc_op *a) {
  bool both = stays_in_set(m, a);
  struct sc_stack s = m->thread[a->thread].s;
  if (!both) apply(m, &s, a->kind, m->r.lim);
  put_bit(m->push_ok, a->thread, both || push_goes(m, &s));
  put_bit(m->top_ok, a->thread, both || top_goes(m, &s));
}

/* The operation before it, in B, made the thread of this one wait: it is not taken, but keeps its port busy. */
static enum sc_port claimed(const struct sc_model *m, const struct sc_op *a, bool presented) {
  const struct sc_op *b = &m->r.b;
  if (!presented || a->valid || a->kind == SC_INIT || !m->r.gate || m->u.closed) return SC_NO_PORT;
  if (!b->valid || b->thread != a->thread || (b->kind != SC_PUSH && b->kind != SC_POP)) return SC_NO_PORT;
  return a->kind == SC_PUSH || a->kind == SC_REPLACE ? SC_WRITE_PORT : SC_READ_PORT;
}

/* What C tells the engine of the thread that is in B now, which does not see EF's event of this cycle. */
static bool worth_a_visit(const struct sc_model *m, unsigned t) {
  const struct sc_stack *s = &m->thread[t].s;
  if (s->fault) return false;
  bool deep = s->count >= m->l.set;
  if (m->l.policy == SC_THRESHOLD) return deep;
  int32_t end = top_set(m, s) + 1, dirty = end - s->S, held = end - s->L + s->nr;
  if (m->r.ef[m->r.ef_now].thread == t) dirty += (int32_t)m->r.ef_spilled, held -= (int32_t)m->r.ef_wanted;
  return dirty == (int32_t)m->l.nsets || (deep && held < 2);
}

/* ---- operations ---------------------------------------------------------------------------------------- */

static inline __attribute__((always_inline)) bool take(const struct sc_model *m, const uint32_t *in, struct sc_op *a) {
  const struct sc_ports *p = &m->p;
  a->valid = a->silent = false;
  if (!in[p->op_valid_i]) return false;
  unsigned kind = in[p->op_kind_i], t = in[p->op_thread_i];
  if (kind >= SC_KINDS || t >= m->l.threads || m->r.in_walk) return false;
  a->kind = (enum sc_kind)kind;
  a->thread = t;
  a->valid = kind == SC_INIT ? m->r.can_init : m->r.gate && bit(kind == SC_PUSH ? m->push_ok : m->top_ok, t);
  return true; /* a lawful operation, taken or not */
}

/* B: the state, the storage, and the answer that will be in the output register two cycles on. */
static inline __attribute__((always_inline)) void stage_b(struct sc_model *m) {
  struct sc_regs_state *r = &m->r;
  const struct sc_op *b = &r->b;
  struct sc_answer *ans = &r->ans_c;
  ans->valid = b->valid && !b->silent;
  r->c.thread = b->thread;
  r->c.init = b->valid && b->kind == SC_INIT;
  r->c.cuts = b->valid && (b->kind == SC_POP || b->kind == SC_INIT);
  r->c.replaces = b->valid && b->kind == SC_REPLACE;
  r->c.begins = false;
  if (!b->valid) {
    r->c_hint = r->walk_b >= 0 && worth_a_visit(m, (unsigned)r->walk_b);
    return;
  }

  struct sc_thread *th = &m->thread[b->thread];
  struct sc_stack before = th->s;
  enum sc_status status = apply(m, &th->s, b->kind, r->lim_b);
  *ans = (struct sc_answer){.valid = !b->silent, .thread = b->thread, .kind = b->kind, .status = status};
  r->c_hint = worth_a_visit(m, b->thread);
  if (b->kind == SC_INIT) {
    th->drain = true;
    r->nonempty -= before.count != 0;
    event(m, SC_N_DROP, before.nr);
    return;
  }
  if (status != SC_OK) return;

  uint32_t entry = b->kind == SC_PUSH ? before.count : before.count - 1;
  uint8_t *at = slot(m, b->thread, set_of(m, entry)) + (pos_of(m, entry) << m->l.entry_bytes_lg);
  if (b->kind == SC_PUSH || b->kind == SC_REPLACE) {
    copy_entry(at, m->b_data, m->stored_bytes);
  } else {
    ans->has_data = true;
    copy_entry(m->c_data, at, m->stored_bytes);
  }
  if (b->kind == SC_PUSH) {
    r->c.begins = pos_of(m, before.count) == 0;
    r->nonempty += before.count == 0;
    event(m, SC_N_PUSH, 1);
    event(m, SC_N_DROP, (uint32_t)(before.nr - th->s.nr));
    if (th->s.count > th->deepest) th->deepest = th->s.count;
    if (th->s.count > r->counter[SC_N_DEEPEST]) r->counter[SC_N_DEEPEST] = th->s.count;
  } else if (b->kind == SC_POP) {
    r->nonempty -= before.count == 1;
    event(m, SC_N_POP, 1);
    uint32_t clean = ((uint32_t)before.S << m->l.set_lg) + (m->l.flags ? before.off : 0);
    event(m, SC_N_CLEAN_POP, entry < clean);
  }
}

/* ---- counters -------------------------------------------------------------------------------------------- */

static inline bool any_waits(const struct sc_model *m, unsigned words) {
  uint32_t waits = 0;
  for (unsigned w = 0; w < words; w++) waits |= m->all[w] & ~(m->push_ok[w] & m->top_ok[w]);
  return waits && m->r.gate && !m->u.closed;
}

static inline void count_waits(struct sc_model *m, const struct sc_op *a, bool presented, unsigned words) {
  struct sc_regs_state *r = &m->r;
  if (r->in_walk || !r->can_init) return;
  if (m->u.closed) {
    event(m, SC_N_WAIT_HALT, presented);
    event(m, SC_N_THREADS_HALT, m->l.threads);
    return;
  }
  if (r->settle) return;
  if (presented && !a->valid)
    event(m, r->steal ? SC_N_WAIT_ENGINE : a->kind == SC_PUSH ? SC_N_WAIT_DIRTY : SC_N_WAIT_RESTORE, 1);
  if (r->steal) {
    event(m, SC_N_THREADS_ENGINE, m->l.threads);
    return;
  }
  for (unsigned w = 0; w < words; w++) {
    if ((m->push_ok[w] & m->top_ok[w]) == m->all[w]) continue;
    uint32_t no_push = m->all[w] & ~m->push_ok[w], no_top = m->all[w] & ~m->top_ok[w];
    if (no_push) event(m, SC_N_THREADS_DIRTY, (uint32_t)__builtin_popcount(no_push));
    if (no_top) event(m, SC_N_THREADS_RESTORE, (uint32_t)__builtin_popcount(no_top));
  }
}

void sc_stats(const void *model, void (*visit_stat)(void *ctx, const char *name, uint64_t value), void *ctx) {
  static const char *const name[SC_COUNTERS] = {
    "pushes", "pops", "spills", "restores", "drops", "clean_pops", "deepest", "wait_restore", "wait_dirty",
    "wait_engine", "threads_restore", "threads_dirty", "threads_engine", "wait_halt", "threads_halt"};
  const struct sc_model *m = model;
  for (unsigned i = 0; i < SC_COUNTERS; i++) visit_stat(ctx, name[i], m->r.counter[i]);
}

/* ---- cycle -------------------------------------------------------------------------------------------------- */

void sc_outputs(const void *model, uint32_t *out) {
  const struct sc_model *m = model;
  const struct sc_ports *p = &m->p;
  const struct sc_regs_state *r = &m->r;
  uint32_t gate = r->gate && !m->u.closed ? ~0u : 0;
  for (unsigned w = 0; w < m->words; w++) {
    out[p->can_push_o + w] = m->push_ok[w] & gate;
    out[p->can_top_o + w] = m->top_ok[w] & gate;
  }
  out[p->can_init_o] = r->can_init && !m->u.closed;
  out[p->ans_valid_o] = r->ans.valid;
  out[p->ans_thread_o] = r->ans.thread;
  out[p->ans_kind_o] = r->ans.kind;
  out[p->ans_status_o] = r->ans.status;
  out[p->ans_data_valid_o] = r->ans.valid && r->ans.has_data;
  copy_entry(out + p->ans_data_o, m->ans_data, 4 * m->entry_words);
  out[p->mem_req_valid_o] = r->req_valid;
  out[p->mem_req_write_o] = r->req_valid && r->req_write;
  out[p->mem_req_tag_o] = r->req_tag;
  out[p->mem_req_addr_o] = (uint32_t)r->req_addr;
  if (m->l.addr_w > 32) out[p->mem_req_addr_o + 1] = (uint32_t)(r->req_addr >> 32);
  if (r->req_valid & r->req_write) {
    memcpy(out + p->mem_req_data_o, m->req_data, m->l.set_bytes);
    unsigned bytes = r->req_entries << m->l.entry_bytes_lg;
    for (unsigned i = 0; i < m->l.set_bytes; i += 32)
      out[p->mem_req_strb_o + i / 32] = bytes <= i ? 0 : bytes - i < 32 ? (1u << (bytes - i)) - 1 : ~0u;
  }
  const struct sc_ef *ef = &r->ef[r->ef_now];
  out[p->mem_rsp_ready_o] = (ef->what == SC_EF_ANSWER && ef->fires && !ef->taken) || takes_ack(m);
  out[p->reg_req_ready_o] = r->reg_ready;
  out[p->reg_rsp_valid_o] = r->rsp_valid;
  out[p->reg_rsp_data_o] = r->rsp_data;
  out[p->reg_rsp_error_o] = r->rsp_error;
  if (m->l.status) sc_unit_outputs(m, out);
}

/* The walk after a change of the limit: all threads pass through the pipeline where no init does. That of a
 * reset inits them. */
static struct sc_op walk(struct sc_model *m, const uint32_t *in) {
  struct sc_regs_state *r = &m->r;
  bool init = in[m->p.op_valid_i] && in[m->p.op_kind_i] & 4 && !m->u.closed;
  bool walks = r->walking && !init && m->u.load_a < 0;
  bool last = walks && r->walk + 1 == m->l.threads;
  if (r->walk_ends[1]) r->settle = false;
  r->walk_ends[1] = r->walk_ends[0];
  r->walk_ends[0] = last;
  r->walk_c = r->walk_b;
  r->walk_b = walks ? (int)r->walk++ : -1;
  if (last) r->walking = false;
  return (struct sc_op){.valid = walks && m->u.clearing, .silent = true, .kind = SC_INIT, .thread = walks ? (unsigned)r->walk_b : 0};
}

/* One cycle; `words` of the thread maps, a constant in the most common case. */
static inline __attribute__((always_inline)) void step(struct sc_model *m, const uint32_t *in, unsigned words) {
  struct sc_regs_state *r = &m->r;
  if (in[m->p.rst_i]) {
    sc_reset(m);
    return;
  }
  struct sc_op a;
  struct sc_reg_effect effect = {0};
  r->rsp_valid = false;
  if (r->reg_busy) effect = sc_register_execute(m);
  if (in[m->p.reg_req_valid_i]) memcpy(r->counter_seen, r->counter, sizeof r->counter);
  bool presented = take(m, in, &a);
  if (m->l.status) {
    sc_unit_begin(m, in, presented ? &a : NULL, effect.clear_error);
    if (m->u.closed) a.valid = false;
  }
  count_waits(m, &a, presented, words);
  bool waits = any_waits(m, words);

  /* C and EC, from the state that the last cycle left. */
  bool c_hint = r->c_hint, ec_hint = r->ec.again;
  unsigned c_thread = r->walk_c >= 0 ? (unsigned)r->walk_c : r->ans_c.thread, ec_thread = r->ec.thread;
  if (r->ec.changed) {
    put_bit(m->faulted, ec_thread, m->thread[ec_thread].s.fault);
    refresh_bits(m, ec_thread, &a);
  }
  if (r->c.init) put_bit(m->faulted, c_thread, m->thread[c_thread].s.fault);
  if (r->walk_c >= 0) {
    put_bit(m->faulted, c_thread, m->thread[c_thread].s.fault);
    refresh_bits(m, c_thread, &a);
  }
  if (m->l.status && m->u.load_c >= 0) {
    put_bit(m->faulted, (unsigned)m->u.load_c, m->thread[m->u.load_c].s.fault);
    refresh_bits(m, (unsigned)m->u.load_c, &a);
  }

  /* EB and EF decide on the state of the last cycle, B on the same; their changes do not meet. */
  r->ans = r->ans_c;
  copy_entry_if(r->ans.has_data, m->ans_data, m->c_data, 4 * m->entry_words);
  r->steal_next = false;
  m->fault_next = -1;
  if (effect.clear_error || m->u.clears) r->error_valid = false, r->error = r->error_set = r->error_count = 0;
  struct sc_turn turn;
  sc_engine_acts(m, in, &turn);
  r->waits = waits;
  stage_b(m);
  if (m->l.status && m->u.passes.b.valid && sc_flush_b(m)) refresh_bits(m, m->u.passes.b.thread, &a);
  if (m->l.status && m->u.load_b >= 0) sc_unit_load_thread(m, (unsigned)m->u.load_b);
  if (m->fault_next >= 0) m->thread[m->fault_next].s.fault = true;
  if (a.valid && a.kind != SC_PEEK && a.kind != SC_REPLACE) move_bits(m, &a);
  sc_engine_moves(m, in, &turn);
  if (ec_hint || c_hint) {
    r->hint_valid = true;
    r->hint = ec_hint ? ec_thread : c_thread;
  }

  struct sc_op cleared = {0};
  if (r->settle || r->walk_b >= 0 || r->walk_c >= 0) cleared = walk(m, in);
  r->lim_b = r->lim;
  if (r->limit_change || effect.write || in[m->p.reg_req_valid_i]) sc_register_commit(m, &effect, in);
  r->claim = claimed(m, &a, presented);
  r->b = cleared.valid ? cleared : a;
  if (a.valid && (a.kind == SC_PUSH || a.kind == SC_REPLACE)) copy_entry(m->b_data, in + m->p.op_data_i, 4 * m->entry_words);
  r->steal = r->steal_next;
  r->can_init = !r->in_walk;
  r->gate = !r->in_walk && !r->steal_next && !r->settle;
  if (r->in_walk && ++r->walk == m->l.threads) r->in_walk = false;
  r->reg_ready = !r->in_walk && !r->reg_busy;
  sc_engine_judges(m);
  if (m->l.status) sc_unit_end(m, in);
}

void sc_step(void *model, const uint32_t *in) {
  struct sc_model *m = model;
  if (m->words == 1) step(m, in, 1);
  else step(m, in, m->words);
}
