/* SPDX-License-Identifier: Apache-2.0 */
/* rules.c: what must hold of the can-go bits (SC-3, SC-9, SC-11): who may go when, how long a thread may be held, how long it
 * may wait. Which cycle the engine does something in is not judged, only what it may not exceed. */
#include "stack_cache/env.h"

#include <string.h>

enum { SCAN = 16, PIPE = 8 }; /* cycles between two looks at the threads that wait; most stages between an operation and its port */
enum { REOPENS = 8 };         /* cycles from the end of a halt, flush or reset to the first one in which operations go */

static uint64_t busy_time(const struct stk_env *e, const struct stk_thread *t) {
  return t->busy + (t->under_way ? e->mem_time - t->busy_from : 0);
}

/* Whether what operations have shown is enough to say that nothing need be moved first. */
static bool is_certain(const struct stk_env *e, const struct stk_thread *t, unsigned kind) {
  const uint64_t set = t->count >> e->s.set_lg;
  if (t->fault) return true;
  if (kind) return !t->count || (t->count - 1) >> e->s.set_lg >= t->sure_lowest;
  if (t->count & e->s.set_mask) return set >= t->sure_lowest;
  return set < e->s.nsets || set - e->s.nsets < t->sure_clean;
}

static const char *name(unsigned kind) { return kind ? "can_top_o" : "can_push_o"; }

/* What is shut for a halt, a flush, a reset or a context, or was so until some cycles ago. */
static bool shut_lately(const struct stk_env *e) { return e->s.status && e->cycle <= e->shut_last + REOPENS; }

/* A bit is 0, or was until now. */
static const char *check_wait(struct stk_env *e, unsigned thread, unsigned kind) {
  const struct stk_thread *t = &e->thread[thread];
  const struct stk_wait *w = &t->wait[kind];
  const uint64_t asked = stk_most(w->cycle, e->s.status ? e->shut_last + REOPENS : 0), most = e->s.gap + e->s.hold;
  const uint64_t from = stk_most(asked, t->maybe ? stk_most(t->due, asked) : 0);
  const uint64_t lost = e->ops - w->ops + PIPE;
  if (!t->in_pipe && e->cycle > from + most + lost && is_certain(e, t, kind))
    return stk_wrong(e, "%s[%u] is 0 for %llu cycles in which nothing need be moved: %llu entries", name(kind), thread,
                     (unsigned long long)(e->cycle - w->cycle), (unsigned long long)t->count);
  const uint64_t waited = e->own_time - w->since - (busy_time(e, t) - w->busy);
  if (waited > e->s.wait)
    return stk_wrong(e, "%s[%u] is 0 for %llu cycles, those of memory apart, more than %u", name(kind), thread,
                     (unsigned long long)waited, e->s.wait);
  return NULL;
}

static void begin_wait(struct stk_env *e, struct stk_thread *t, unsigned kind) {
  t->wait[kind] = (struct stk_wait){true, e->own_time, busy_time(e, t), e->cycle, e->ops};
}

/* A bit that is 1 says that what it needs is there, unless another status needs nothing. */
static void believe(struct stk_env *e, struct stk_thread *t, bool push, bool top) {
  const uint64_t set = t->count >> e->s.set_lg;
  if (t->in_pipe || t->fault || t->maybe || stk_shut(e)) return;
  if (top && t->count) t->sure_lowest = stk_least(t->sure_lowest, (t->count - 1) >> e->s.set_lg);
  if (!push || t->count >= stk_least(e->regs.effective, e->regs.least_limit)) return;
  if (t->count & e->s.set_mask) t->sure_lowest = stk_least(t->sure_lowest, set);
  else if (set >= e->s.nsets) t->sure_clean = stk_most(t->sure_clean, set - e->s.nsets + 1);
}

/* A bit of the thread has changed. */
static const char *changed(struct stk_env *e, unsigned thread, bool push, bool top) {
  struct stk_thread *t = &e->thread[thread];
  const bool now[2] = {push, top}, was[2] = {t->was_push, t->was_top}, by_operation = t->ever && t->last + 1 == e->cycle;
  const char *wrong = NULL;
  t->was_push = push;
  t->was_top = top;
  for (unsigned kind = 0; kind < 2; kind++) {
    struct stk_wait *w = &t->wait[kind];
    if ((was[kind] || e->cycle == e->reset_end) && !now[kind]) {
      begin_wait(e, t, kind);
      if (was[kind] && !by_operation && now[!kind] && !wrong)
        wrong = stk_wrong(e, "%s[%u] falls without an operation of the thread, which is not held", name(kind), thread);
    } else if (!was[kind] && now[kind]) {
      if (t->ever && e->cycle < t->last + e->s.gap && !wrong)
        wrong = stk_wrong(e, "%s[%u] is 1 %llu cycles after an operation of the thread", name(kind), thread,
                          (unsigned long long)(e->cycle - t->last));
      if (!wrong && w->on && e->opened && !shut_lately(e)) wrong = check_wait(e, thread, kind);
      w->on = false;
    }
  }
  const bool held = !push && !top && (was[0] || was[1]) && !by_operation && e->opened;
  stk_cover_if(e, SC_COVER_HELD, held);
  if (t->held && (push || top) && !wrong && e->cycle - t->held > e->s.hold + e->s.hold_lost)
    wrong = stk_wrong(e, "thread %u was held for %llu cycles, expected at most %u and %u lost ones", thread,
                      (unsigned long long)(e->cycle - t->held), e->s.hold, e->s.hold_lost);
  t->held = held && !shut_lately(e) ? e->cycle : 0; /* behind the load of a context it need not be able to go */
  believe(e, t, push, top);
  return wrong;
}

static const char *scan(struct stk_env *e) {
  const char *wrong = NULL;
  for (unsigned i = 0; i < e->s.threads && !wrong; i++)
    for (unsigned kind = 0; kind < 2 && !wrong; kind++)
      if (e->thread[i].wait[kind].on) wrong = check_wait(e, i, kind);
  return wrong;
}

/* The engine takes a cycle: only after STEAL cycles in a row that operations took from it. */
static const char *check_steal(struct stk_env *e) {
  const uint64_t last = e->last_steal;
  e->cover[SC_COVER_STEAL]++;
  e->steals++;
  e->last_steal = e->cycle;
  if (last && e->cycle - last < e->s.steal)
    return stk_wrong(e, "the engine takes two cycles within %llu", (unsigned long long)(e->cycle - last));
  if (e->ops < e->s.steal || e->op_cycle[(e->ops - e->s.steal) % 256] + e->s.steal + 2 * PIPE < e->cycle)
    return stk_wrong(e, "the engine takes a cycle though it has not lost %u in a row", e->s.steal);
  return NULL;
}

/* The block takes no operation until it is through with all threads after a reset. */
static const char *check_start(struct stk_env *e, bool go) {
  if (go) e->opened = true;
  else if (e->cycle > stk_most(e->reset_end, e->s.status ? e->shut_last + REOPENS : 0) + e->s.clear_within)
    return stk_wrong(e, "no operation is taken %llu cycles after reset", (unsigned long long)(e->cycle - e->reset_end));
  return NULL;
}

static void follow_shut(struct stk_env *e) {
  const bool shut = e->s.status && stk_front_may_be_shut(e);
  if (shut && !e->shut) e->shut_from = e->cycle;
  if (!shut) e->shut_reads = 0;
  if (shut) e->shut_last = e->cycle;
  e->shut = shut;
}

const char *stk_rules_bits(struct stk_env *e, const uint32_t *out) {
  const uint32_t *push = &out[e->at.can_push], *top = &out[e->at.can_top];
  const bool go = out[e->at.can_go];
  const char *wrong = NULL;
  follow_shut(e);
  if (e->shut) e->opened |= go;
  else if (!e->opened) wrong = check_start(e, go);
  if (e->opened && !go && !shut_lately(e)) wrong = check_steal(e);
  const bool first = e->cycle == e->reset_end;
  for (unsigned w = 0; w * 32 < e->s.threads; w++) {
    uint32_t odd = (push[w] ^ e->seen_push[w]) | (top[w] ^ e->seen_top[w]);
    if (first) odd = ~0u >> (w * 32 + 32 > e->s.threads ? 31 - (e->s.threads - 1) % 32 : 0);
    e->seen_push[w] = push[w];
    e->seen_top[w] = top[w];
    for (; odd; odd &= odd - 1) {
      const unsigned i = 32 * w + (unsigned)__builtin_ctz(odd);
      const char *said = changed(e, i, stk_bit(push, i), stk_bit(top, i));
      if (!wrong) wrong = said;
    }
  }
  if (!wrong && e->cycle % SCAN == 0 && e->opened && !shut_lately(e)) wrong = scan(e);
  return wrong;
}

/* ---- the operation of this cycle ---------------------------------------------------------------------------- */

/* A cycle with an operation that is not taken, and what is certain of its cause. */
static void count_wait(struct stk_env *e, const struct stk_operation *op, const uint32_t *out) {
  const struct stk_thread *t = &e->thread[op->thread];
  const bool own = t->ever && e->cycle < t->last + e->s.gap, go = out[e->at.can_go];
  const bool bits = stk_bit(&out[e->at.can_push], op->thread) || stk_bit(&out[e->at.can_top], op->thread);
  const bool bit = op->kind == STK_INIT ? bits : stk_bit(&out[op->kind == STK_PUSH ? e->at.can_push : e->at.can_top], op->thread);
  if (!e->opened) { /* it is not counted before the first operation can go, or could but for a halt */
    stk_event(e, STK_N_WAIT_HALT, 0, stk_shut(e));
    return;
  }
  if (shut_lately(e)) { /* some cycles at the ends may count as either */
    for (int i = STK_N_WAIT_OWN; i <= STK_N_WAIT_ENGINE; i++) stk_event(e, (enum stk_counter)i, 0, !stk_front_shut(e));
    stk_event(e, STK_N_WAIT_HALT, stk_front_shut(e), 1);
    return;
  }
  stk_event(e, STK_N_WAIT_OWN, own && go, own);
  stk_event(e, STK_N_WAIT_ENGINE, !go && bit, 1);
  stk_event(e, STK_N_WAIT_RESTORE, 0, !bit && op->kind != STK_INIT);
  stk_event(e, STK_N_WAIT_DIRTY, go && bits && !bit && op->kind == STK_PUSH && !(t->count & e->s.set_mask), op->kind == STK_PUSH && !bit);
  stk_cover_if(e, SC_COVER_STEAL_OP, !go && bit);
  stk_cover_if(e, SC_COVER_WAIT_OWN, own);
  stk_cover_if(e, SC_COVER_WAIT_PUSH, bits && !bit && op->kind == STK_PUSH && !own);
  stk_cover_if(e, SC_COVER_WAIT_TOP, bits && !bit && op->kind != STK_PUSH && !own);
}

static bool anyone_waits(const struct stk_env *e) {
  for (unsigned i = 0; i < e->s.threads && i < 64; i++)
    if (e->thread[i].wait[0].on != e->thread[i].wait[1].on) return true;
  return false;
}

const char *stk_rules_operation(struct stk_env *e, const struct stk_operation *op, bool valid, bool taken, const uint32_t *out) {
  const bool odd_kind = op->kind >= STK_KINDS, odd_thread = op->thread >= e->s.threads;
  const char *wrong = NULL;
  if (e->waited.valid) {
    stk_cover_if(e, SC_COVER_WITHDRAWN, !valid);
    stk_cover_if(e, SC_COVER_CHANGED, valid && (e->waited.kind != op->kind || e->waited.thread != op->thread));
  }
  e->streak = taken ? e->streak + 1 : 0;
  stk_cover_if(e, SC_COVER_STREAM, e->streak == 64);
  if (valid && !taken) e->last_refused = e->cycle;
  if (taken) {
    struct stk_thread *t = &e->thread[op->thread];
    if (t->ever && e->cycle < t->last + e->s.gap)
      wrong = stk_wrong(e, "thread %u goes %llu cycles after its last operation", op->thread, (unsigned long long)(e->cycle - t->last));
    stk_cover_if(e, SC_COVER_AT_GAP, t->ever && e->cycle == t->last + e->s.gap);
    stk_cover_if(e, SC_COVER_OTHER_GOES_ON, e->s.threads > 1 && !(e->cycle & 7) && anyone_waits(e));
    t->last = e->cycle;
    t->ever = true;
    e->op_cycle[e->ops++ % 256] = e->cycle;
    for (unsigned kind = 0; kind < 2; kind++) /* what was waited for is another thing now */
      if (t->wait[kind].on) t->wait[kind].cycle = e->cycle, t->wait[kind].ops = e->ops;
  } else if (valid && !odd_kind && !odd_thread) {
    count_wait(e, op, out);
  } else if (valid) {
    for (int i = STK_N_WAIT_OWN; i <= STK_N_WAIT_ENGINE; i++) stk_event(e, (enum stk_counter)i, 0, 1);
    stk_cover_if(e, SC_COVER_ODD_KIND, odd_kind);
    stk_cover_if(e, SC_COVER_ODD_THREAD, odd_thread);
  }
  e->waited.valid = valid && !taken && !odd_kind && !odd_thread;
  e->waited.kind = op->kind;
  e->waited.thread = op->thread;
  return wrong;
}

void stk_rules_reset(struct stk_env *e) {
  memset(e->seen_push, 0, sizeof e->seen_push);
  memset(e->seen_top, 0, sizeof e->seen_top);
  e->last_steal = 0;
  e->shut = false;
  e->shut_from = e->shut_last = 0;
  e->last_refused = e->cycle;
  e->opened = e->waited.valid = false;
  e->streak = 0;
  e->ops = 0;
}
