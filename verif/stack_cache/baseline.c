/* SPDX-License-Identifier: Apache-2.0 */
/* baseline.c: the demand cache of baseline.h. Behaviour by sets; no data, which the trace has checked. */
#include "stack_cache/baseline.h"

#include <stdlib.h>
#include <string.h>

enum { MOVE = 8, READ = 4 }; /* cycles of an event */

struct stk_demand_stack {
  uint32_t count, clean, low; /* entries; sets with a current remote copy; lowest set on chip */
  uint64_t pend;              /* classes with an access under way */
  bool reading;
};

enum stk_demand_event { NOTHING, WRITES, READS, STORES };

struct stk_demand_access { uint64_t due; uint32_t thread, set; bool write; };

struct stk_demand_cache {
  const struct sc_layout *l;
  unsigned words, latency;
  uint64_t cycle, ends;                   /* ends: of the event in hand */
  enum stk_demand_event event;
  unsigned thread;                        /* of the event */
  struct stk_demand_stack *stack;
  uint32_t *can_push, *can_top;           /* masks: by what is on chip */
  uint32_t *may_push, *may_top, *miss;    /* and by GAP; the next operation needs a transfer */
  unsigned turn;                          /* the thread that used the port last */
  int last[SC_GAP - 1];                   /* the threads of the last cycles' operations, or -1 */
  struct stk_demand_access *access;                  /* ring of those under way: the latency is fixed, so in order */
  size_t head, tail, ring;                /* ring: a power of two */
  uint32_t *came;                         /* ring of threads whose set is there and not stored: `mask` + 1 places */
  size_t first, next, mask;
  struct stk_demand *result;
};

static uint32_t sets_used(const struct stk_demand_cache *d, const struct stk_demand_stack *s) { return (s->count + d->l->set - 1) >> d->l->set_lg; }

static void set_bit(uint32_t *mask, unsigned i, bool to) {
  mask[i / 32] = (mask[i / 32] & ~((uint32_t)1 << i % 32)) | (uint32_t)to << i % 32;
}

static uint64_t class_bit(const struct stk_demand_cache *d, uint32_t set) { return (uint64_t)1 << (set & (d->l->inflight - 1)); }

static void refresh(struct stk_demand_cache *d, unsigned thread) {
  const struct stk_demand_stack *s = &d->stack[thread];
  bool new_set = s->count % d->l->set == 0;
  bool push = new_set ? s->count / d->l->set < s->clean + d->l->nsets : s->low < sets_used(d, s);
  set_bit(d->can_push, thread, push);
  set_bit(d->can_top, thread, s->count && s->low < sets_used(d, s));
}

static void operate(struct stk_demand_cache *d, const struct sc_trace_op *op) {
  struct stk_demand_stack *s = &d->stack[op->thread];
  uint32_t used = sets_used(d, s);
  if (op->kind == SC_PUSH) {
    uint32_t set = s->count++ / d->l->set;
    if (set >= used && set - s->low == d->l->nsets) s->low++;
    if (s->clean > set) s->clean = set;
  } else {
    s->count--;
    if (s->clean > sets_used(d, s)) s->clean = sets_used(d, s);
  }
  refresh(d, op->thread);
}

static void send(struct stk_demand_cache *d, bool write, uint32_t set) {
  d->access[d->tail++ & (d->ring - 1)] =
      (struct stk_demand_access){.due = d->cycle + d->latency, .thread = d->thread, .set = set, .write = write};
}

static void answers(struct stk_demand_cache *d) {
  for (; d->head != d->tail; d->head++) {
    const struct stk_demand_access *a = &d->access[d->head & (d->ring - 1)];
    if (a->due > d->cycle) break;
    if (a->write) d->stack[a->thread].pend &= ~class_bit(d, a->set);
    else d->came[d->next++ & d->mask] = a->thread;
  }
}

/* What the event in hand has done when it ends. */
static void finish(struct stk_demand_cache *d) {
  struct stk_demand_stack *s = &d->stack[d->thread];
  if (d->event == NOTHING || d->ends > d->cycle) return;
  switch (d->event) {
  case WRITES:
    send(d, true, s->clean++);
    d->result->spills++;
    break;
  case READS: send(d, false, sets_used(d, s) - 1); break;
  default:
    s->reading = false;
    s->low = sets_used(d, s) - 1; /* it has waited for it, so it is its top's */
    s->pend &= ~class_bit(d, s->low);
    d->result->restores++;
    break;
  }
  d->event = NOTHING;
  refresh(d, d->thread);
}

static void begin(struct stk_demand_cache *d, enum stk_demand_event event, unsigned thread) {
  d->event = event;
  d->thread = thread;
  d->ends = d->cycle + (event == READS ? READ : MOVE);
}

/* Begins the access that the next operation of a thread needs; false when it has to wait. */
static bool visit(struct stk_demand_cache *d, unsigned thread) {
  struct stk_demand_stack *s = &d->stack[thread];
  bool push = d->can_top[thread / 32] >> thread % 32 & 1; /* its top is here, so it is a push that waits */
  uint32_t set = push ? s->clean : sets_used(d, s) - 1;
  if (s->reading || s->pend & class_bit(d, set)) return false;
  s->pend |= class_bit(d, set);
  s->reading = !push;
  begin(d, push ? WRITES : READS, thread);
  d->turn = thread;
  return true;
}

static void serve(struct stk_demand_cache *d) {
  uint32_t any = 0;
  if (d->event != NOTHING) return;
  if (d->first != d->next) {
    begin(d, STORES, d->came[d->first++ & d->mask]);
    return;
  }
  for (unsigned i = 0; i < d->words; i++) any |= d->miss[i];
  for (unsigned i = 1; any && i <= d->l->threads; i++) {
    unsigned t = (d->turn + i) % d->l->threads;
    if (d->miss[t / 32] >> t % 32 & 1 && visit(d, t)) return;
  }
}

/* The next operation of the picker; what misses: what GAP lets go and its set does not. */
static enum sc_next next_op(struct stk_demand_cache *d, struct sc_replay *r, struct sc_trace_op *op) {
  const size_t size = d->words * sizeof(uint32_t);
  if (sc_replay_next(r, d->can_push, d->can_top, op) == SC_END) return SC_END;
  memcpy(d->miss, sc_replay_waiting(r), size);
  memcpy(d->may_push, d->can_push, size);
  memcpy(d->may_top, d->can_top, size);
  for (unsigned i = 0; i < SC_GAP - 1; i++) {
    if (d->last[i] < 0) continue;
    set_bit(d->may_push, (unsigned)d->last[i], false);
    set_bit(d->may_top, (unsigned)d->last[i], false);
    set_bit(d->miss, (unsigned)d->last[i], false);
  }
  return sc_replay_next(r, d->may_push, d->may_top, op);
}

static bool run(struct stk_demand_cache *d, struct sc_replay *r, const struct stk_demand_run *how) {
  struct sc_trace_op op;
  enum sc_next next;
  for (;; d->cycle++) {
    if (d->cycle % 65536 == 0 && how->stop && *how->stop) return false;
    finish(d);
    answers(d);
    next = next_op(d, r, &op);
    if (next == SC_END) break;
    serve(d);
    memmove(d->last + 1, d->last, sizeof d->last - sizeof *d->last);
    d->last[0] = next == SC_GO ? (int)op.thread : -1;
    if (next == SC_GO) {
      operate(d, &op);
      sc_replay_taken(r);
    } else {
      d->result->idle_cycles++;
      d->result->idle_few += sc_replay_threads_left(r) < how->few;
    }
  }
  d->result->cycles = d->cycle;
  return true;
}

bool stk_run_demand(const struct sc_layout *l, struct sc_replay *r, const struct stk_demand_run *how,
                    struct stk_demand *result, struct simt_diag *diag) {
  struct stk_demand_cache d = {.l = l, .words = (l->threads + 31) / 32, .latency = how->latency, .result = result,
                     .ring = (size_t)2 << simt_clog2(how->latency), .turn = l->threads - 1};
  d.mask = ((size_t)1 << simt_clog2(l->threads)) - 1;
  d.stack = calloc(l->threads, sizeof *d.stack);
  d.access = calloc(d.ring, sizeof *d.access);
  d.came = calloc(d.mask + 1, sizeof *d.came);
  d.can_push = calloc(5 * (size_t)d.words, sizeof *d.can_push);
  bool good = d.stack && d.access && d.came && d.can_push;
  *result = (struct stk_demand){0};
  if (good) {
    d.can_top = d.can_push + d.words;
    d.may_push = d.can_top + d.words;
    d.may_top = d.may_push + d.words;
    d.miss = d.may_top + d.words;
    for (unsigned i = 0; i < SC_GAP - 1; i++) d.last[i] = -1;
    for (unsigned t = 0; t < l->threads; t++) refresh(&d, t);
    good = run(&d, r, how);
  } else {
    simt_fail(diag, "trace", "no memory", "memory for the demand cache");
  }
  free(d.stack);
  free(d.access);
  free(d.came);
  free(d.can_push);
  return good;
}
