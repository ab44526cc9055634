/* SPDX-License-Identifier: Apache-2.0 */
/* model.c: cycle model of stack_cache, written from docs/stack_cache_design.md; stage and signal names are those of that
 * page. A thread is kept as one record, not as the two halves of it that O and E are: only an init sees the difference. */
#include "stack_cache/model.h"

#include <stdlib.h>

#include "stack_cache/state.h"

/* ---- state ------------------------------------------------------------------------------------------------- */

void sc_all_bits(struct sc_model *m) {
  for (unsigned w = 0; w < m->words; w++)
    m->push_ok[w] = m->top_ok[w] = w + 1 == m->words && m->l.threads % 32 ? (1u << m->l.threads % 32) - 1 : ~0u;
}

void sc_reset(void *model) {
  struct sc_model *m = model;
  const struct sc_layout *l = &m->l;
  memset(m->thread, 0, l->threads * sizeof *m->thread);
  sc_all_bits(m);
  m->go = m->started = false;
  m->walk = l->threads * l->inflight;
  memset(m->op, 0, sizeof m->op);
  memset(m->done, 0, sizeof m->done);
  m->nonempty = m->nonempty_1 = 0;
  m->lim_b = l->max_depth;
  memset(m->counter, 0, sizeof m->counter);
  memset(m->tally, 0, sizeof m->tally);
  m->waited = SC_N_PUSH;
  if (m->deepest_of) memset(m->deepest_of, 0, l->threads * sizeof *m->deepest_of);
  m->hint_below = l->policy == SC_THRESHOLD ? l->nsets + 1 : 2;
  sc_engine_reset(m);
  sc_registers_reset(m);
  sc_unit_reset(m);
}

/* One block of memory: the structure, then its arrays. */
static size_t model_size(const struct sc_layout *l) {
  return sizeof(struct sc_model) + l->threads * sizeof(struct sc_thread) +
         ((size_t)l->threads << l->class_w) * sizeof(struct sc_access) + 2 * ((l->threads + 31) / 32) * sizeof(uint32_t) +
         (l->counters == 2 ? l->threads * sizeof(uint32_t) : 0) +
         (size_t)l->threads * l->nsets * l->set_bytes;
}

static void place_arrays(struct sc_model *m) {
  const struct sc_layout *l = &m->l;
  m->thread = (struct sc_thread *)(void *)(m + 1);
  m->access = (struct sc_access *)(void *)(m->thread + l->threads);
  m->push_ok = (uint32_t *)(void *)(m->access + ((size_t)l->threads << l->class_w));
  m->top_ok = m->push_ok + m->words;
  uint32_t *next = m->top_ok + m->words;
  m->deepest_of = l->counters == 2 ? next : NULL;
  if (m->deepest_of) next += l->threads;
  m->storage = (uint8_t *)next;
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
  m->cfg = cfg;
  m->l = l;
  m->desc = &cfg->desc;
  m->size = size;
  m->words = (l.threads + 31) / 32;
  m->entry_words = (l.entry_w + 31) / 32;
  m->stored_bytes = l.entry_bytes < 4 * m->entry_words ? l.entry_bytes : 4 * m->entry_words;
  place_arrays(m);
  sc_ports_bind(&m->p, cfg);
  simt_mem_ports_bind(&m->mem, cfg);
  simt_reg_ports_bind(&m->reg_at, cfg);
  simt_shell_find(&m->u.shell, cfg, l.status, SC_UNIT_TYPE, l.cfg_hash, (uint32_t)l.ctx_max);
  sc_reset(m);
  return m;
}

void sc_destroy(void *model) { free(model); }

void sc_parts(void *model, struct simt_image *image) {
  struct sc_model *m = model;
  simt_image_part_with_shell(image, &m->go, offsetof(struct sc_model, thread) - offsetof(struct sc_model, go), &m->u.shell);
  simt_image_part(image, m + 1, m->size - sizeof *m);
}

void sc_count(const struct sc_model *m, uint64_t counter[SC_COUNTERS]) {
  memcpy(counter, m->counter, sizeof m->counter);
  counter[SC_N_PUSH] = m->tally[2 * SC_PUSH] + m->tally[2 * SC_PUSH + 1];
  counter[SC_N_POP] = m->tally[2 * SC_POP] + m->tally[2 * SC_POP + 1];
  counter[SC_N_CLEAN_POP] += m->tally[2 * SC_POP + 1];
}

void sc_stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx) {
  static const char *const name[SC_COUNTERS] = {
    "pushes", "pops", "spills", "restores", "drops", "clean_pops", "deepest", "wait_own", "wait_restore", "wait_dirty",
    "wait_engine", "wait_halt"};
  const struct sc_model *m = model;
  uint64_t counter[SC_COUNTERS];
  sc_count(m, counter);
  if (m->waited != SC_N_PUSH) counter[m->waited]++;
  for (unsigned i = 0; i < sc_counters(&m->l); i++) visit(ctx, name[i], counter[i]);
}

/* ---- operations -------------------------------------------------------------------------------------------- */

static inline __attribute__((always_inline)) bool take(const struct sc_model *m, const uint32_t *in, struct sc_op *a) {
  const struct sc_ports *p = &m->p;
  a->valid = false;
  if (!in[p->op_valid_i]) return false;
  unsigned kind = in[p->op_kind_i], t = in[p->op_thread_i];
  if (kind >= SC_KINDS || t >= m->l.threads) return false;
  unsigned can = (unsigned)sc_bit(m->push_ok, t) | (unsigned)sc_bit(m->top_ok, t) << 1;
  unsigned wanted = kind == SC_INIT ? 3 : kind == SC_PUSH ? 1 : 2;
  a->flip = false;
  a->kind = (uint8_t)kind;
  a->thread = t;
  a->valid = m->go && (can & wanted);
  return true; /* a lawful operation, taken or not */
}

static enum sc_counter wait_cause(const struct sc_model *m, unsigned t, unsigned kind) {
  const struct sc_move *v = &m->move;
  if (m->u.shut) return SC_N_WAIT_HALT;
  if (!m->go) return SC_N_WAIT_ENGINE;
  const struct sc_op *r = &m->op[m->cycle & 3], *b = sc_b(m);
  const struct sc_done *c = sc_c(m);
  if ((r->valid && r->thread == t) || (b->valid && b->thread == t) || (c->valid && c->thread == t)) return SC_N_WAIT_OWN;
  if (v->state >= SC_K1 && v->state <= SC_X && v->kind != SC_RESTORE && v->thread == t) return SC_N_WAIT_ENGINE;
  return kind == SC_PUSH ? SC_N_WAIT_DIRTY : SC_N_WAIT_RESTORE;
}

enum sc_cause sc_waits_for(const void *model, unsigned thread, enum sc_kind kind) {
  const struct sc_model *m = model;
  const struct sc_thread *t = &m->thread[thread];
  const enum sc_counter cause = wait_cause(m, thread, kind);
  if (cause == SC_N_WAIT_OWN) return SC_BY_GAP;
  if (cause == SC_N_WAIT_ENGINE) return SC_BY_ENGINE;
  const int32_t set = sc_end(m, t->count) - (cause == SC_N_WAIT_DIRTY && t->nv ? t->nd : t->nv + 1);
  const unsigned cls = (unsigned)set & (m->l.inflight - 1);
  if (!(t->pend >> cls & 1)) return SC_BY_ENGINE;
  return m->access[thread << m->l.class_w | cls].set == (uint32_t)set ? SC_BY_LATENCY : SC_BY_INFLIGHT;
}

static inline uint8_t *entry_at(const struct sc_model *m, unsigned t, uint32_t entry) {
  return sc_slot(m, t, (int32_t)(entry >> m->l.set_lg)) + ((entry & (m->l.set - 1)) << m->l.entry_bytes_lg);
}

/* Whether an operation names its thread to the looker; hint_below: 2, or all valid counts (POLICY threshold). */
static inline bool hints(const struct sc_model *m, const struct sc_thread *t) {
  return (t->nd == m->l.nsets) | ((t->nv < m->hint_below) & (t->count >= m->l.set));
}

static void init(struct sc_model *m, const struct sc_op *b, struct sc_thread *t, struct sc_done *c) {
  m->nonempty -= t->count != 0;
  *t = (struct sc_thread){.drain = !b->flip, .pend = t->pend, .burst = t->burst};
  c->status = SC_OK;
  c->has_data = c->hint = false;
  c->moves = SC_MOVES_S | SC_MOVES_L | SC_BEGINS;
  c->push = c->top = true;
}

static __attribute__((noinline)) void refused(const struct sc_model *m, const struct sc_op *b, const struct sc_thread *t,
                                              struct sc_done *c) {
  c->status = t->fault ? SC_FAULT : b->kind == SC_PUSH ? SC_OVERFLOW : SC_UNDERFLOW;
  c->has_data = false;
  c->moves = 0;
  c->hint = !t->fault && hints(m, t);
  c->push = sc_push_goes(m, t);
  c->top = sc_top_goes(t);
}

/* The counts of clean entries of FLAGS per_entry; nd: before the operation. */
static void flags(struct sc_model *m, struct sc_thread *t, uint32_t entry, unsigned nd, bool writes, bool begins, bool pop) {
  const uint8_t place = (uint8_t)(entry & (m->l.set - 1)), off = t->off;
  if (m->l.set == 1) return;
  if (writes && (nd == 0 || (nd == 1 && !begins && place < off))) t->off = place;
  if (pop && place == 0 && nd <= 1) t->off = 0;
  sc_event(m, SC_N_CLEAN_POP, pop && nd == 1 && place < off);
}

/* Push, pop, peek, replace. No branch on what no processor can predict: the kind, the place in the set. */
static inline __attribute__((always_inline)) void operate(struct sc_model *m, const struct sc_op *b, struct sc_thread *t,
                                                          struct sc_done *c, uint32_t *data, unsigned bytes) {
  const uint32_t all = m->l.nsets, mask = m->l.set - 1, count = t->count, nd = t->nd, nv = t->nv;
  const uint32_t push = b->kind == SC_PUSH, pop = b->kind == SC_POP, writes = push | (b->kind == SC_REPLACE);
  const uint32_t entry = count + push - 1, room = push ? m->lim_b > count : count;
  if (__builtin_expect(t->fault | !room, false)) {
    refused(m, b, t, c);
    return;
  }
  const uint32_t edge = (entry & mask) == 0; /* a push begins a set; a pop empties one */
  const uint32_t begins = push & edge, empties = pop & edge, clean = nd == 0, dirties = begins | (writes & clean);
  const uint32_t now = count + push - pop, nv_now = nv + (begins & (nv != all)) - empties, nd_now = nd + dirties - (empties & !clean);
  uint8_t *at = entry_at(m, b->thread, entry);

  sc_copy_entry_if(writes, at, m->op_data[sc_b_at(m)], bytes);
  sc_copy_entry(data, at, bytes);
  if (m->l.flags) flags(m, t, entry, nd, writes, begins, pop);
  if (t->held) t->held = !(begins && nv + 2 == all);
  t->nv = (uint16_t)nv_now;
  t->nd = (uint16_t)nd_now;
  t->count = now;
  m->nonempty += (push & (count == 0)) - (pop & (now == 0));
  c->status = SC_OK;
  c->has_data = !writes;
  c->moves = (uint8_t)(((writes | empties) & clean) * SC_MOVES_S + (begins & (nv == all)) * SC_MOVES_L + begins * SC_BEGINS);
  c->hint = hints(m, t);
  c->push = now & mask ? nv_now != 0 : nd_now != all;
  c->top = !now | (nv_now != 0);
  m->tally[2 * b->kind + clean]++;
  if (now > m->counter[SC_N_DEEPEST] && push) m->counter[SC_N_DEEPEST] = now;
  if (m->deepest_of && push && now > m->deepest_of[b->thread]) m->deepest_of[b->thread] = now;
}

/* B: the state, the storage, and what will be in C. */
static inline __attribute__((always_inline)) void stage_b(struct sc_model *m, unsigned bytes) {
  const struct sc_op *b = sc_b(m);
  const unsigned next = (m->cycle + 1) & 3;
  struct sc_done *c = &m->done[next];
  c->valid = b->valid;
  if (!b->valid) return;
  struct sc_thread *t = &m->thread[b->thread];
  if (b->kind == SC_INIT) init(m, b, t, c);
  else operate(m, b, t, c, m->done_data[next], bytes);
  c->thread = b->thread;
  c->kind = b->kind;
}

/* C: the bits of its thread rise; the engine is told what it moved. Returns the thread that it names, or -1. */
static inline int stage_c(struct sc_model *m) {
  const struct sc_done *c = sc_c(m);
  struct sc_look *l = &m->look;
  struct sc_move *v = &m->move;
  if (!c->valid) return -1;
  m->push_ok[c->thread >> 5] |= (uint32_t)c->push << (c->thread & 31); /* they are 0 */
  m->top_ok[c->thread >> 5] |= (uint32_t)c->top << (c->thread & 31);
  if (l->state >= SC_E && l->thread == c->thread) l->moved |= c->moves;
  if (v->state >= SC_K && v->state <= SC_MA && v->thread == c->thread) v->moved |= c->moves;
  if (sc_narrow(m) && m->y.state != SC_Y0 && m->y.tag >> m->l.class_w == c->thread) m->y.begun = c->moves & SC_BEGINS;
  return c->hint ? (int)c->thread : -1;
}

/* ---- cycle ------------------------------------------------------------------------------------------------- */

void sc_outputs(const void *model, uint32_t *out) {
  const struct sc_model *m = model;
  const struct sc_ports *p = &m->p;
  out[p->can_push_o] = m->push_ok[0];
  out[p->can_top_o] = m->top_ok[0];
  for (unsigned w = 1; w < m->words; w++) {
    out[p->can_push_o + w] = m->push_ok[w];
    out[p->can_top_o + w] = m->top_ok[w];
  }
  out[p->can_go_o] = m->go;
  const unsigned shown = sc_done_at(m, 1 + m->l.out_reg);
  const struct sc_done *ans = &m->done[shown];
  out[p->ans_valid_o] = ans->valid;
  out[p->ans_thread_o] = ans->thread;
  out[p->ans_kind_o] = ans->kind;
  out[p->ans_status_o] = ans->status;
  out[p->ans_data_valid_o] = ans->valid & ans->has_data;
  sc_copy_entry(out + p->ans_data_o, m->done_data[shown], 4 * m->entry_words);
  out[m->mem.req_valid] = m->req_valid;
  out[m->mem.req_write] = m->req_valid & m->req_write;
  out[m->mem.req_tag] = m->req_tag;
  out[m->mem.req_addr] = (uint32_t)m->req_addr;
  if (m->l.addr_w > 32) out[m->mem.req_addr + 1] = (uint32_t)(m->req_addr >> 32);
  if (m->req_valid && m->req_write) {
    const unsigned bytes = m->l.set_bytes / m->l.beats;
    memcpy(out + m->mem.req_data, (const char *)m->req_data + m->req_beat * bytes, bytes);
    const unsigned from = m->req_beat * bytes, left = m->req_bytes > from ? m->req_bytes - from : 0, some = left < bytes ? left : bytes;
    for (unsigned i = 0; i < bytes; i += 32) out[m->mem.req_strb + i / 32] = simt_ones(some <= i ? 0 : some - i < 32 ? some - i : 32);
  }
  out[m->mem.rsp_ready] = sc_answer_ready(m);
  if (m->l.status) sc_unit_outputs(m, out);
  out[m->reg_at.ready] = !(m->walk | m->r_.phase | sc_moves_context(m));
  out[m->reg_at.rsp] = m->r_.rsp_valid;
  out[m->reg_at.rsp_data] = m->r_.result;
  out[m->reg_at.rsp_error] = m->r_.rsp_error;
}

/* One cycle; `bytes` of an entry in the storage and `port_bytes` at a port, constants in the most common case; `unit`: with STATUS. */
static inline __attribute__((always_inline)) void step(struct sc_model *m, const uint32_t *in, unsigned bytes,
                                                       unsigned port_bytes, bool unit) {
  struct sc_op *a = &m->op[(m->cycle + 1) & 3];
  if (in[m->p.rst_i]) {
    sc_reset(m);
    return;
  }
  const bool walks = m->walk;
  if (unit) sc_unit_begin(m, in);
  if (walks) {
    m->walk--;
    if (!unit) return;
  }
  if (m->r_.phase | m->r_.rsp_valid | in[m->reg_at.valid]) sc_registers_begin(m);
  m->counter[m->waited]++;
  m->waited = take(m, in, a) && !a->valid && m->started ? wait_cause(m, a->thread, a->kind) : SC_N_PUSH;
  m->nonempty_1 = m->nonempty;
  const bool error_came = m->r_.error_came;
  m->r_.error_came = false;

  const int hint = stage_c(m);
  /* The storage of B and of F, and the state of their threads, do not meet; a drain that ends is behind an init in B. */
  stage_b(m, bytes);
  const bool steal = !walks && sc_engine_step(m, in, hint);
  m->cycle++;
  if (a->valid) {
    const uint32_t stay = ~(1u << (a->thread & 31));
    m->push_ok[a->thread >> 5] &= stay;
    m->top_ok[a->thread >> 5] &= stay;
    sc_copy_entry(m->op_data[m->cycle & 3], in + m->p.op_data_i, port_bytes);
  }
  m->lim_b = m->r_.limit_q;
  if (error_came && m->r_.error_count < 0xffff) m->r_.error_count++;
  if (m->r_.phase | m->r_.limit_moves | in[m->reg_at.valid]) sc_registers_end(m, in);
  if (unit) sc_unit_end(m, in);
  m->go = !steal && (!unit || !(walks || m->u.shut));
  m->started |= !walks;
}

void sc_step(void *model, const uint32_t *in) {
  struct sc_model *m = model;
  if (m->l.status) step(m, in, m->stored_bytes, 4 * m->entry_words, true);
  else if (m->stored_bytes == 8 && m->entry_words == 2) step(m, in, 8, 8, false);
  else step(m, in, m->stored_bytes, 4 * m->entry_words, false);
}
