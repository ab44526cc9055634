/* SPDX-License-Identifier: Apache-2.0 */
/* baseline.c: the demand cache of baseline.h. Behaviour by sets; no data, which the trace has checked. */
#include "stack_cache/baseline.h"

#include <stdlib.h>

struct sc_demand_stack {
  uint32_t count, clean, low; /* entries; sets with a current remote copy; lowest set on chip */
  bool reading;
};

struct access { uint64_t due; uint32_t thread, set; bool write; };

struct demand {
  unsigned threads, words, set, slots, latency;
  uint64_t cycle;
  struct sc_demand_stack *stack;
  uint32_t *can_push, *can_top, *miss; /* masks; miss: the next operation needs a transfer */
  unsigned turn;                       /* the thread that used the port last */
  struct access *access;               /* ring of those under way: the latency is fixed, so in order */
  size_t head, tail, ring;             /* ring: a power of two */
  struct sc_demand *result;
};

static uint32_t sets_used(const struct demand *d, const struct sc_demand_stack *s) { return (s->count + d->set - 1) / d->set; }

static void set_bit(uint32_t *mask, unsigned i, bool to) {
  mask[i / 32] = (mask[i / 32] & ~((uint32_t)1 << i % 32)) | (uint32_t)to << i % 32;
}

static void refresh(struct demand *d, unsigned thread) {
  const struct sc_demand_stack *s = &d->stack[thread];
  bool new_set = s->count % d->set == 0;
  bool push = new_set ? s->count / d->set < s->clean + d->slots : s->low < sets_used(d, s);
  set_bit(d->can_push, thread, push);
  set_bit(d->can_top, thread, s->count && s->low < sets_used(d, s));
}

static void operate(struct demand *d, const struct sc_trace_op *op) {
  struct sc_demand_stack *s = &d->stack[op->thread];
  uint32_t used = sets_used(d, s);
  if (op->kind == SC_PUSH) {
    uint32_t set = s->count++ / d->set;
    if (set >= used && set - s->low == d->slots) s->low++;
    if (s->clean > set) s->clean = set;
  } else {
    s->count--;
    if (s->clean > sets_used(d, s)) s->clean = sets_used(d, s);
  }
  refresh(d, op->thread);
}

static void answers(struct demand *d) {
  for (; d->head != d->tail; d->head++) {
    const struct access *a = &d->access[d->head & (d->ring - 1)];
    if (a->due > d->cycle) return;
    if (a->write) continue;
    struct sc_demand_stack *s = &d->stack[a->thread];
    s->reading = false;
    s->low = a->set;
    d->result->restores++;
    refresh(d, a->thread);
  }
}

static bool being_written(const struct demand *d, unsigned thread, uint32_t set) {
  for (size_t i = d->head; i != d->tail; i++) {
    const struct access *a = &d->access[i & (d->ring - 1)];
    if (a->write && a->due > d->cycle && a->thread == thread && a->set == set) return true;
  }
  return false;
}

/* Begins the access that the next operation of a thread needs; false when it has to wait. */
static bool begin(struct demand *d, unsigned thread, bool push) {
  struct sc_demand_stack *s = &d->stack[thread];
  if (s->reading) return false;
  uint32_t set = push ? s->clean : sets_used(d, s) - 1;
  if (!push && being_written(d, thread, set)) return false;
  d->access[d->tail++ & (d->ring - 1)] =
      (struct access){.due = d->cycle + d->latency, .thread = thread, .set = set, .write = push};
  if (push) s->clean++, d->result->spills++;
  else s->reading = true;
  return true;
}

/* The memory port: one request, of the threads in turn. Before this cycle's answers change what waits. */
static void serve(struct demand *d, const uint32_t *waiting) {
  uint32_t any = 0;
  for (unsigned i = 0; i < d->words; i++) any |= waiting[i];
  for (unsigned i = 1; any && i <= d->threads; i++) {
    unsigned t = (d->turn + i) % d->threads;
    if (!(waiting[t / 32] >> t % 32 & 1)) continue;
    bool push = d->can_top[t / 32] >> t % 32 & 1; /* its top is here, so it is a push that waits */
    if (!begin(d, t, push)) continue;
    d->turn = t;
    if (push) refresh(d, t);
    return;
  }
}

static bool run(struct demand *d, struct sc_replay *r, const volatile int *stop) {
  struct sc_trace_op op;
  enum sc_next next;
  for (; (next = sc_replay_next(r, d->can_push, d->can_top, &op)) != SC_END; d->cycle++) {
    if (d->cycle % 65536 == 0 && stop && *stop) return false;
    serve(d, sc_replay_waiting(r));
    answers(d);
    if (next == SC_GO) {
      operate(d, &op);
      sc_replay_taken(r);
    } else {
      d->result->idle_cycles++;
    }
  }
  d->result->cycles = d->cycle;
  return true;
}

bool sc_run_demand(const struct sc_layout *l, struct sc_replay *r, unsigned latency, const volatile int *stop,
                   struct sc_demand *result, struct simt_diag *diag) {
  struct demand d = {.threads = l->threads, .words = (l->threads + 31) / 32, .set = l->set, .slots = l->nsets,
                     .latency = latency, .result = result, .ring = (size_t)2 << simt_clog2(latency)};
  d.stack = calloc(d.threads, sizeof *d.stack);
  d.access = calloc(d.ring, sizeof *d.access);
  d.can_push = calloc(2 * (size_t)d.words, sizeof *d.can_push);
  bool good = d.stack && d.access && d.can_push;
  *result = (struct sc_demand){0};
  if (good) {
    d.can_top = d.can_push + d.words;
    d.turn = d.threads - 1;
    for (unsigned t = 0; t < d.threads; t++) refresh(&d, t);
    good = run(&d, r, stop);
  } else {
    simt_fail(diag, "trace", "no memory", "memory for the demand cache");
  }
  free(d.stack);
  free(d.access);
  free(d.can_push);
  return good;
}
