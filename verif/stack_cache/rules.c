/* SPDX-License-Identifier: Apache-2.0 */
/* rules.c: what must hold at the ports: the pointers, and the can-go bits; requests.c: which sets move.
 *
 * The pointers of SC-4 follow from what is seen at the ports: operations taken, memory requests (a set is
 * read out two cycles before its request is first offered) and memory answers taken. `at` holds them as they
 * were two cycles ago; with the two operations since, they say exactly what may go now (SC-11). One thing is
 * not seen: a restore from the set kept on chip (FORWARD). From when it may happen to when the ports show that
 * it has, `perhaps` is set. */
#include "stack_cache/env.h"

#include <string.h>

/* ---- pointers --------------------------------------------------------------------------------------- */

static void push(const struct sc_env *e, struct sc_pointers *p) {
  if (!(p->count & e->set_mask)) {
    uint64_t valid = sc_sets(e, p->count) - p->lowest;
    if (valid == e->l.nsets) {
      p->lowest++;
    } else if (valid + p->wanted == e->l.nsets) {
      p->wanted--;
      p->held = false;
    }
  }
  p->spilled = sc_least(p->spilled, p->count >> e->l.set_lg);
  p->clean = sc_least(p->clean, p->count);
  p->count++;
}

/* An operation that answers ok. */
void sc_advance(const struct sc_env *e, struct sc_pointers *p, enum sc_kind kind) {
  switch (kind) {
    case SC_PUSH: push(e, p); break;
    case SC_POP:
      p->count--;
      if (p->count & e->set_mask) break;
      p->spilled = sc_least(p->spilled, p->count >> e->l.set_lg);
      p->clean = sc_least(p->clean, p->count);
      break;
    case SC_REPLACE:
      p->spilled = sc_least(p->spilled, (p->count - 1) >> e->l.set_lg);
      p->clean = sc_least(p->clean, p->count - 1);
      break;
    case SC_INIT: *p = (struct sc_pointers){0}; break;
    default: break;
  }
}

static bool push_goes(const struct sc_env *e, const struct sc_pointers *p) {
  uint64_t set = p->count >> e->l.set_lg;
  if (p->fault || p->count >= e->regs.effective) return true;
  return p->count & e->set_mask ? p->lowest <= set : set < p->spilled + e->l.nsets;
}

static bool top_goes(const struct sc_env *e, const struct sc_pointers *p) {
  return p->fault || !p->count || p->lowest < sc_sets(e, p->count);
}

static void set_bit(uint32_t *w, unsigned i, bool value, unsigned *zeros) {
  uint32_t bit = 1u << (i % 32), old = w[i / 32] & bit;
  *zeros += (unsigned)(old != 0) - (unsigned)value;
  w[i / 32] = value ? w[i / 32] | bit : w[i / 32] & ~bit;
}

/* Whether the bits move by an operation: by one that answers ok, and for the one cycle in which the bits do
 * not know of a fault yet, by one that would have. */
static bool counts(const struct sc_env *e, const struct sc_pointers *p, const struct sc_operation *op) {
  if (op->status != SC_FAULT) return op->status == SC_OK;
  return !p->fault && (op->kind == SC_PUSH ? p->count < e->regs.effective : p->count > 0);
}

/* Memory's time with accesses of a thread so far. */
static uint64_t busy_time(const struct sc_env *e, const struct sc_env_thread *t) {
  return t->busy + (t->under_way ? e->mem_time - t->busy_from : 0);
}

static void watch_wait(struct sc_env *e, unsigned thread, unsigned kind, bool goes) {
  struct sc_env_thread *t = &e->thread[thread];
  struct sc_waiting *w = &t->wait[kind];
  if (!w->on && !goes) *w = (struct sc_waiting){true, e->own_time, busy_time(e, t)};
  if (!w->on) return;
  w->on = !goes;
  uint64_t waited = e->own_time - w->since - (busy_time(e, t) - w->busy);
  if (waited <= e->longest_wait) return;
  e->longest_wait = waited;
  e->longest_waiter = thread;
}

void sc_compute_bits(struct sc_env *e, unsigned thread) {
  struct sc_pointers p = e->thread[thread].at;
  for (uint64_t c = e->cycle + 2; c < e->cycle + 4; c++) { /* taken two cycles and one cycle ago */
    const struct sc_operation *op = &e->ring[c & 3];
    if (op->valid && op->thread == thread && counts(e, &p, op)) sc_advance(e, &p, op->kind);
  }
  bool push_ok = push_goes(e, &p), top_ok = top_goes(e, &p);
  set_bit(e->push, thread, push_ok, &e->push_zeros);
  set_bit(e->top, thread, top_ok, &e->top_zeros);
  watch_wait(e, thread, 0, push_ok);
  watch_wait(e, thread, 1, top_ok);
}

/* ---- restores from the kept set ----------------------------------------------------------------------- */

bool sc_restore_due(const struct sc_env *e, const struct sc_pointers *p) {
  const struct sc_registers *r = &e->regs;
  uint64_t on_chip = sc_sets(e, p->count) - p->lowest + p->wanted, room = e->l.nsets - on_chip;
  unsigned over = e->cycle > r->settled || r->restore_free < r->old_free ? r->restore_free : r->old_free;
  if (!p->count || p->wanted == 2 || !room || p->lowest <= p->wanted) return false;
  return !on_chip || (e->l.policy == SC_SET_BOUNDARY ? on_chip < 2 : room > over);
}

static void look_at_kept(struct sc_env *e) {
  struct sc_env_thread *t = &e->thread[e->kept.thread];
  const struct sc_pointers *p = &t->at;
  if (t->perhaps || p->fault || e->kept.set + 1 + p->wanted != p->lowest || !sc_restore_due(e, p)) return;
  t->perhaps = true;
  t->perhaps_set = e->kept.set;
  t->perhaps_since = e->cycle;
  e->perhaps++;
  e->regs.counter[SC_N_RESTORE]++; /* at most; it may be dropped, too */
  e->regs.counter[SC_N_DROP]++;
}

static void forget_perhaps(struct sc_env *e, struct sc_env_thread *t) {
  e->perhaps -= t->perhaps;
  t->perhaps = false;
}

/* What is seen has no other explanation: the set is on chip. */
bool sc_it_was_kept(struct sc_env *e, unsigned thread) {
  struct sc_env_thread *t = &e->thread[thread];
  if (!t->perhaps || t->at.wanted || t->perhaps_set + 1 != t->at.lowest) return false;
  forget_perhaps(e, t);
  t->at.lowest--;
  e->regs.least[SC_N_RESTORE] += t->perhaps_since > e->regs.cleared;
  e->regs.restored = e->cycle;
  e->cover[SC_COVER_FORWARD]++;
  sc_compute_bits(e, thread);
  return true;
}

/* ---- operations, two cycles after they were decided --------------------------------------------------- */

static struct sc_env_access *access_of(struct sc_env *e, unsigned thread, uint64_t set) {
  return &e->access[thread * e->l.inflight + (set & (e->l.inflight - 1))];
}

static void watch_push(struct sc_env *e, unsigned thread, const struct sc_pointers *old, const struct sc_pointers *p) {
  if (p->wanted < old->wanted) {
    uint64_t set = old->lowest - old->wanted;
    struct sc_env_access *a = access_of(e, thread, set);
    a->dropped = a->under_way && a->set == set;
    e->cover[SC_COVER_DROP_PUSH]++;
    e->regs.counter[SC_N_DROP]++;
    e->regs.least[SC_N_DROP]++;
  }
  struct sc_env_thread *t = &e->thread[thread];
  if (sc_sets(e, p->count) - p->lowest + p->wanted == e->l.nsets && !(old->count & e->set_mask))
    forget_perhaps(e, t); /* its slot is the one that was pushed into */
  if (p->count > t->deepest) t->deepest = p->count;
  if (p->count > e->regs.counter[SC_N_DEEPEST]) e->regs.counter[SC_N_DEEPEST] = p->count;
  sc_cover_if(e, SC_COVER_OVERWRITE_CLEAN, p->lowest > old->lowest);
  sc_cover_if(e, SC_COVER_SLOTS_WRAP, p->count > 2 * e->l.entries);
  sc_cover_if(e, SC_COVER_DEEP, p->count > 4 * e->l.entries);
  bool full = sc_sets(e, p->count) - p->spilled == e->l.nsets && p->spilled < p->count >> e->l.set_lg;
  sc_cover_if(e, SC_COVER_SPILL_BLOCKED, full && access_of(e, thread, p->spilled)->under_way);
}

static void watch_pop(struct sc_env *e, unsigned thread, const struct sc_pointers *old, const struct sc_pointers *p) {
  bool clean = e->l.flags ? p->count < old->clean : p->count >> e->l.set_lg < old->spilled;
  sc_cover_if(e, SC_COVER_CLEAN_POP, clean);
  e->regs.counter[SC_N_CLEAN_POP] += clean;
  if (!p->count || p->lowest < sc_sets(e, p->count) || p->wanted) return;
  const struct sc_env_access *a = access_of(e, thread, p->lowest - 1);
  sc_cover_if(e, SC_COVER_RESTORE_BLOCKED, a->under_way);
  sc_cover_if(e, SC_COVER_DROP_AGAIN, a->under_way && a->dropped && a->set == p->lowest - 1);
}

static void watch_init(struct sc_env *e, unsigned thread, const struct sc_pointers *old) {
  struct sc_env_thread *t = &e->thread[thread];
  t->burst = 0;
  t->may_drain = true;
  forget_perhaps(e, t);
  e->regs.counter[SC_N_DROP] += old->wanted;
  e->regs.least[SC_N_DROP] += old->wanted;
  sc_cover_if(e, SC_COVER_DROP_INIT, old->wanted);
  sc_cover_if(e, SC_COVER_INIT_UNDER_WAY, t->under_way > 0);
  sc_cover_if(e, SC_COVER_INIT_OK, old->count > 0);
}

static void finish_operation(struct sc_env *e, const struct sc_operation *op) {
  static const uint8_t ok[] = {SC_COVER_PUSH_OK, SC_COVER_POP_OK, SC_COVER_PEEK_OK, SC_COVER_REPLACE_OK};
  struct sc_pointers *p = &e->thread[op->thread].at, old = *p;
  uint64_t slot = p->count >> e->l.set_lg;
  if (op->status != SC_OK) {
    sc_cover_if(e, SC_COVER_OVERFLOW_DIRTY, op->status == SC_OVERFLOW && !(p->count & e->set_mask) &&
                                                slot >= p->spilled + e->l.nsets);
    return;
  }
  sc_advance(e, p, op->kind);
  if (op->kind < SC_INIT) e->cover[ok[op->kind]]++;
  if (op->kind == SC_PUSH) watch_push(e, op->thread, &old, p);
  else if (op->kind == SC_POP) watch_pop(e, op->thread, &old, p);
  else if (op->kind == SC_INIT) watch_init(e, op->thread, &old);
  e->regs.counter[SC_N_PUSH] += op->kind == SC_PUSH;
  e->regs.counter[SC_N_POP] += op->kind == SC_POP;
  if (p->spilled < old.spilled && op->kind != SC_INIT) {
    const struct sc_env_access *a = access_of(e, op->thread, p->spilled);
    sc_cover_if(e, SC_COVER_DIRTY_AGAIN, op->kind != SC_POP);
    sc_cover_if(e, SC_COVER_CLEAN_REPLACE, op->kind == SC_REPLACE);
    sc_cover_if(e, SC_COVER_DIRTY_UNDER_WAY, a->under_way && a->write && a->set == p->spilled);
  }
}

/* ---- can-go bits ---------------------------------------------------------------------------------------- */

/* All bits at 0 that should not be: the engine has taken this cycle, which it may do now and then. */
static const char *check_steal(struct sc_env *e) {
  e->gate = SC_STOLEN;
  e->cover[SC_COVER_STEAL]++;
  if (e->cycle - e->last_zero > 4) return sc_wrong(e, "the engine takes a cycle while no thread waits");
  if (e->last_steal && e->cycle - e->last_steal < e->l.steal)
    return sc_wrong(e, "the engine takes two cycles within %llu", (unsigned long long)(e->cycle - e->last_steal));
  e->last_steal = e->cycle;
  return NULL;
}

/* The bits of the thread of the last operation may show a fault a cycle before `at` has it: then they say nothing of the
 * kept set. */
static bool may_be_fault(const struct sc_env *e, unsigned thread) {
  const struct sc_operation *last = &e->ring[(e->cycle + 3) & 3];
  const struct sc_env_answer *a = &e->answer[(e->cycle + 3) & 3];
  return last->valid && last->thread == thread && a->valid && a->thread == thread && a->error && !a->old;
}

static bool explain_kept(struct sc_env *e, const uint32_t *top_out) {
  bool any = false;
  for (unsigned i = 0; i < e->words; i++)
    for (uint32_t odd = top_out[i] & ~e->top[i]; odd; odd &= odd - 1) {
      unsigned thread = 32 * i + (unsigned)__builtin_ctz(odd);
      any |= !may_be_fault(e, thread) && sc_it_was_kept(e, thread);
    }
  return any;
}

static const char *explain_bits(struct sc_env *e, const uint32_t *push_out, const uint32_t *top_out, bool extra) {
  for (unsigned i = 0; i < e->l.threads; i++) {
    unsigned p = sc_bit(push_out, i), t = sc_bit(top_out, i);
    bool push_bad = extra ? p > sc_bit(e->push, i) : p < sc_bit(e->push, i) && !sc_bit(e->stale, i);
    bool top_bad = extra ? t > sc_bit(e->top, i) : t < sc_bit(e->top, i) && !sc_bit(e->stale, i);
    const struct sc_pointers *at = &e->thread[i].at;
    if (push_bad || top_bad)
      return sc_wrong(e, "can_%s_o[%u] is %u: depth %llu, spilled below set %llu, on chip from set %llu",
                      push_bad ? "push" : "top", i, push_bad ? p : t, (unsigned long long)e->thread[i].depth,
                      (unsigned long long)at->spilled, (unsigned long long)at->lowest);
  }
  return NULL;
}

/* The bits of the thread of the operation taken last know of events a cycle earlier than others. Looked at again in
 * the next cycle, when `at` has these events. */
static bool may_be_early(struct sc_env *e, const uint32_t *push_out, const uint32_t *top_out) {
  const struct sc_operation *last = &e->ring[(e->cycle + 3) & 3];
  if (!last->valid) return false;
  for (unsigned i = 0; i < e->words; i++) {
    uint32_t odd = (push_out[i] & ~e->push[i]) | (top_out[i] & ~e->top[i]);
    if (odd & ~(i == last->thread / 32 ? 1u << last->thread % 32 : 0)) return false;
  }
  e->early.thread = last->thread;
  e->early.push = sc_bit(push_out, last->thread) > sc_bit(e->push, last->thread);
  e->early.top = sc_bit(top_out, last->thread) > sc_bit(e->top, last->thread);
  return true;
}

static const char *check_early(struct sc_env *e) {
  struct sc_pointers p = e->thread[e->early.thread].at;
  const struct sc_operation *op = &e->ring[(e->cycle + 2) & 3]; /* taken in the cycle before that of the bits */
  if (op->valid && op->thread == e->early.thread && counts(e, &p, op)) sc_advance(e, &p, op->kind);
  bool wrong = (e->early.push && !push_goes(e, &p)) || (e->early.top && !top_goes(e, &p));
  e->early.push = e->early.top = false;
  return wrong ? sc_wrong(e, "a can-go bit of thread %u was 1 in the last cycle: depth %llu, spilled below set %llu, on chip from "
                             "set %llu", e->early.thread, (unsigned long long)p.count, (unsigned long long)p.spilled,
                          (unsigned long long)p.lowest) : NULL;
}

/* SC-11, both ways: a bit that is 1 means that the operation can be answered, one that is 0 that it must
 * wait. As the expected bits fall by operations only, this is also the rule that a bit stays 1. */
static const char *check_bits(struct sc_env *e, const uint32_t *out) {
  const uint32_t *push_out = &out[e->at.can_push], *top_out = &out[e->at.can_top];
  uint32_t extra = 0, missing = 0, any = 0, differs = 0;
  for (unsigned i = 0; i < e->words; i++) {
    uint32_t p = push_out[i], t = top_out[i], lack_p = e->push[i] & ~p, lack_t = e->top[i] & ~t;
    extra |= (p & ~e->push[i]) | (t & ~e->top[i]);
    differs |= lack_p | lack_t;
    missing |= (lack_p | lack_t) & ~e->stale[i];
    any |= p | t;
    e->seen_push[i] |= p;
    e->seen_top[i] |= t;
    e->stale[i] &= ~(p | t);
  }
  if (extra && explain_kept(e, top_out)) return check_bits(e, out);
  if (extra && may_be_early(e, push_out, top_out)) extra = 0, differs = 1;
  bool walks = e->l.status && e->cycle < e->regs.limit_settled; /* no bit may be expected after a load */
  e->gate = differs || walks ? SC_UNSURE : SC_CLEAR;
  if (extra || (missing && any)) return explain_bits(e, push_out, top_out, extra);
  const char *wrong = missing ? check_steal(e) : NULL;
  if (!missing) e->some_zero = e->push_zeros || e->top_zeros || differs;
  if (e->some_zero) e->last_zero = e->cycle; /* the engine decides by what was so up to 4 cycles ago */
  return wrong;
}

/* In reset and in the walk behind it no operation is taken. */
static const char *check_walk(struct sc_env *e, const uint32_t *out) {
  uint64_t since = e->cycle - e->reset_end;
  uint32_t any = out[e->at.can_init];
  for (unsigned i = 0; i < e->words; i++) any |= out[e->at.can_push + i] | out[e->at.can_top + i];
  e->gate = SC_UNSURE;
  if (any && since < e->l.threads) return sc_wrong(e, "a can-go bit is 1 %llu cycles after reset",
                                                   (unsigned long long)since);
  return NULL;
}

/* SC-11, bounded time: no bit stays 0 for longer than the bound (docs/stack_cache_design.md, Bounded waiting), and
 * every bit is 1 at some time in a window, as long as memory answers. */
static const char *check_window(struct sc_env *e) {
  const char *wrong = NULL;
  for (unsigned i = 0; i < e->l.threads && !wrong; i++) {
    for (unsigned kind = 0; kind < 2; kind++)
      if (e->thread[i].wait[kind].on) watch_wait(e, i, kind, false);
    bool push_waits = !sc_bit(e->seen_push, i), top_waits = !sc_bit(e->seen_top, i);
    if (push_waits || top_waits)
      wrong = sc_wrong(e, "can_%s_o[%u] stays 0: the thread is not served", push_waits ? "push" : "top", i);
  }
  memset(e->seen_push, 0, e->words * sizeof *e->seen_push);
  memset(e->seen_top, 0, e->words * sizeof *e->seen_top);
  e->window_end = e->cycle + 16384 + 512 * (uint64_t)e->l.threads;
  return wrong;
}

static void compute_all_bits(struct sc_env *e) {
  for (unsigned i = 0; i < e->l.threads; i++) {
    sc_compute_bits(e, i);
    sc_cover_if(e, SC_COVER_LIMIT_BELOW, e->thread[i].depth > e->regs.effective);
  }
  e->all_bits = false;
}

static void count_waits(struct sc_env *e) {
  struct sc_registers *r = &e->regs;
  static const enum sc_counter all[] = {SC_N_THREADS_RESTORE, SC_N_THREADS_DIRTY, SC_N_THREADS_ENGINE};
  if (e->gate == SC_SHUT) {
    r->counter[SC_N_THREADS_HALT] += e->l.threads;
    r->least[SC_N_THREADS_HALT] += e->l.threads;
    return;
  }
  if (e->gate == SC_CLEAR) {
    r->counter[SC_N_THREADS_RESTORE] += e->top_zeros;
    r->counter[SC_N_THREADS_DIRTY] += e->push_zeros;
    r->least[SC_N_THREADS_RESTORE] += e->top_zeros;
    r->least[SC_N_THREADS_DIRTY] += e->push_zeros;
  } else {
    for (unsigned i = 0; i < 3; i++) r->counter[all[i]] += e->l.threads;
  }
}

const char *sc_rules_before(struct sc_env *e, const uint32_t *out) {
  const struct sc_operation *op = &e->ring[(e->cycle + 1) & 3], *last = &e->ring[(e->cycle + 3) & 3];
  struct sc_env_answer *a = &e->answer[(e->cycle + 2) & 3];
  const char *wrong = NULL;
  if (op->valid) finish_operation(e, op);
  if (a->valid) {
    sc_finish_answer(e, a);
    sc_compute_bits(e, a->thread);
    a->valid = false;
  }
  if (last->valid) sc_compute_bits(e, last->thread);
  if (out[e->at.req_valid] && !e->offered) wrong = sc_check_request(e, out);
  if (e->kept.live) look_at_kept(e);
  if (e->all_bits) compute_all_bits(e);
  if (e->cycle - e->reset_end <= e->l.threads) return wrong ? wrong : check_walk(e, out);
  const char *bits = e->early.push || e->early.top ? check_early(e) : NULL; /* of the last cycle: a halt may begin now */
  if (sc_status_closed(e, out, &wrong)) return wrong ? wrong : bits;
  if (!bits) bits = check_bits(e, out);
  if (!wrong) wrong = bits;
  if (!wrong && !out[e->at.can_init]) wrong = sc_wrong(e, "can_init_o is 0");
  if (!wrong && e->cycle >= e->window_end) wrong = check_window(e);
  if (!wrong && e->longest_wait > 2 * e->l.threads * (4 * e->l.steal + 26) + 2 * e->l.steal + 64)
    wrong = sc_wrong(e, "thread %u: a can-go bit was 0 for %llu cycles, those of memory apart", e->longest_waiter,
                     (unsigned long long)e->longest_wait);
  return wrong;
}

/* ---- the operation of this cycle ---------------------------------------------------------------------------- */

static void watch_pair(struct sc_env *e, const struct sc_operation *op) {
  static const uint8_t pair[SC_KINDS][SC_KINDS] = {
    [SC_PUSH] = {SC_COVER_PUSH_PUSH, SC_COVER_PUSH_POP, SC_COVER_PUSH_PEEK, 0, SC_COVER_PUSH_INIT},
    [SC_POP] = {SC_COVER_POP_PUSH, SC_COVER_POP_POP},
    [SC_REPLACE] = {[SC_POP] = SC_COVER_REPLACE_POP},
    [SC_INIT] = {[SC_PUSH] = SC_COVER_INIT_PUSH},
  };
  const struct sc_operation *last = &e->ring[(e->cycle + 3) & 3];
  if (last->valid && last->thread != op->thread) e->cover[SC_COVER_OTHER_THREAD]++;
  else if (last->valid && pair[last->kind][op->kind]) e->cover[pair[last->kind][op->kind]]++;
}

static void watch_taken(struct sc_env *e, const struct sc_operation *op, bool was_faulted) {
  static const uint8_t fault[] = {SC_COVER_PUSH_FAULT, SC_COVER_POP_FAULT, SC_COVER_PEEK_FAULT,
                                  SC_COVER_REPLACE_FAULT};
  static const uint8_t under[] = {0, SC_COVER_POP_UNDERFLOW, SC_COVER_PEEK_UNDERFLOW, SC_COVER_REPLACE_UNDERFLOW};
  struct sc_env_thread *t = &e->thread[op->thread];
  watch_pair(e, op);
  if (op->status == SC_FAULT) {
    e->cover[fault[op->kind]]++;
    sc_cover_if(e, SC_COVER_ERROR_WAITING, e->waited.valid && e->waited.thread == op->thread &&
                                               e->waited.kind == op->kind);
  }
  if (op->status == SC_UNDERFLOW) e->cover[under[op->kind]]++;
  if (op->status == SC_OVERFLOW) e->cover[SC_COVER_PUSH_OVERFLOW]++;
  sc_cover_if(e, SC_COVER_INIT_FAULT, op->kind == SC_INIT && was_faulted);
  sc_cover_if(e, SC_COVER_SPILL_AND_POP, (t->last & 128) && op->kind == SC_POP);
  t->last = 0;
  sc_cover_if(e, SC_COVER_OTHER_GOES_ON, e->some_zero);
  if (op->kind == SC_INIT) {
    t->init_end = e->cycle + 3;
    if (was_faulted) e->regs.last_fault = e->cycle;
  }
}

/* Counts a cycle with an operation that is not taken, where its cause is certain. */
static void count_wait(struct sc_env *e, const struct sc_operation *op, bool odd) {
  struct sc_registers *r = &e->regs;
  if (e->gate == SC_SHUT) {
    r->counter[SC_N_WAIT_HALT] += !odd;
    r->least[SC_N_WAIT_HALT] += !odd;
    return;
  }
  enum sc_counter cause = op->kind == SC_PUSH ? SC_N_WAIT_DIRTY : SC_N_WAIT_RESTORE;
  if (e->gate == SC_CLEAR && !odd) {
    r->counter[cause]++;
    r->least[cause]++;
    e->cover[op->kind == SC_PUSH ? SC_COVER_WAIT_PUSH : SC_COVER_WAIT_TOP]++;
  } else {
    r->counter[SC_N_WAIT_DIRTY]++;
    r->counter[SC_N_WAIT_RESTORE]++;
    r->counter[SC_N_WAIT_ENGINE]++;
  }
  sc_cover_if(e, SC_COVER_STEAL_OP, e->gate == SC_STOLEN && !odd);
}

void sc_rules_operation(struct sc_env *e, struct sc_operation *op, bool valid, bool taken) {
  bool odd_kind = op->kind >= SC_KINDS, odd_thread = op->thread >= e->l.threads;
  if (e->waited.valid) {
    sc_cover_if(e, SC_COVER_WITHDRAWN, !valid);
    sc_cover_if(e, SC_COVER_CHANGED, valid && (e->waited.kind != op->kind || e->waited.thread != op->thread));
  }
  count_waits(e);
  e->streak = taken ? e->streak + 1 : 0;
  sc_cover_if(e, SC_COVER_STREAM, e->streak == 64);
  if (taken) {
    bool was_faulted = e->thread[op->thread].fault;
    op->valid = true;
    op->status = (uint8_t)sc_golden_take(e, op->thread, op->kind);
    watch_taken(e, op, was_faulted);
  } else if (valid) {
    sc_cover_if(e, SC_COVER_ODD_KIND, odd_kind);
    sc_cover_if(e, SC_COVER_ODD_THREAD, odd_thread);
    count_wait(e, op, odd_kind || odd_thread);
  }
  e->waited.valid = valid && !taken && !odd_kind && !odd_thread;
  e->waited.kind = op->kind;
  e->waited.thread = op->thread;
}

void sc_rules_reset(struct sc_env *e) {
  sc_cover_if(e, SC_COVER_RESET_UNDER_WAY, e->under_way > 0);
  memset(e->thread, 0, e->l.threads * sizeof *e->thread);
  memset(e->access, 0, ((size_t)e->l.inflight << e->l.thread_w) * sizeof *e->access);
  memset(e->answer, 0, sizeof e->answer);
  e->late.valid = false;
  for (unsigned i = 0; i < e->l.threads; i++) {
    set_bit(e->push, i, true, &e->push_zeros);
    set_bit(e->top, i, true, &e->top_zeros);
  }
  memset(e->stale, 0, e->words * sizeof *e->stale);
  memset(e->seen_push, 0xff, e->words * sizeof *e->seen_push);
  memset(e->seen_top, 0xff, e->words * sizeof *e->seen_top);
  e->push_zeros = e->top_zeros = e->under_way = e->streak = e->perhaps = 0;
  e->last_steal = e->last_zero = e->newest = 0;
  e->kept.live = e->early.push = e->early.top = false;
  e->offered = e->some_zero = e->all_bits = e->waited.valid = false;
  e->window_end = e->cycle + 16384 + 512 * (uint64_t)e->l.threads;
}

/* What is under way is older than the reset; its answers are dropped. */
void sc_rules_clear(struct sc_env *e) {
  for (unsigned i = 0; i < e->l.threads; i++) {
    struct sc_env_thread *t = &e->thread[i];
    forget_perhaps(e, t);
    *t = (struct sc_env_thread){.deepest = t->deepest, .under_way = t->under_way, .init_end = e->cycle + 1, .may_drain = true,
                          .busy_from = e->mem_time};
  }
  for (unsigned i = 0; i < 4; i++) e->answer[i].old = true;
  e->all_bits = true;
}

void sc_rules_load(struct sc_env *e, unsigned thread, const struct sc_pointers *at, unsigned burst) {
  struct sc_env_thread *t = &e->thread[thread];
  *t = (struct sc_env_thread){.at = *at, .depth = at->count, .deepest = t->deepest, .burst = burst, .fault = at->fault};
  e->all_bits = true;
}
