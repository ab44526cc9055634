/* SPDX-License-Identifier: Apache-2.0 */
/* replay_test.c: every picker on a trace, against a slow reading of its rule. Arguments: TRACE THREADS. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stack_cache/trace.h"

enum { MAX_THREADS = 1024, MAX_OPS = 1 << 17 };

struct op { unsigned thread; char kind; uint64_t value; bool done; };

static struct op file[MAX_OPS];
static unsigned n_ops, n_threads;

/* The text of an uncompressed trace, read in the simplest way. */
static bool read_plain(const char *path) {
  char line[256];
  FILE *f = fopen(path, "r");
  if (!f) return false;
  while (n_ops < MAX_OPS && fgets(line, sizeof line, f)) {
    struct op *o = &file[n_ops];
    n_ops += sscanf(line, "%u %c %" SCNx64, &o->thread, &o->kind, &o->value) == 3;
  }
  fclose(f);
  return n_ops > 0;
}

static struct op *first_of(unsigned thread) {
  for (unsigned i = 0; i < n_ops; i++)
    if (!file[i].done && file[i].thread == thread) return &file[i];
  return NULL;
}

static unsigned left_of(unsigned thread) {
  unsigned n = 0;
  for (unsigned i = 0; i < n_ops; i++) n += !file[i].done && file[i].thread == thread;
  return n;
}

static bool can(const struct op *o, const uint32_t *push, const uint32_t *top) {
  return o && (o->kind == '+' ? push : top)[o->thread / 32] >> o->thread % 32 & 1;
}

/* The operation that the picker has to choose, or NULL when none can go. */
static struct op *expected(enum sc_picker p, unsigned last, const uint32_t *push, const uint32_t *top) {
  struct op *best = NULL;
  if (p == SC_GLOBAL_ORDER) {
    for (unsigned i = 0; i < n_ops; i++)
      if (!file[i].done) return can(&file[i], push, top) ? &file[i] : NULL;
    return NULL;
  }
  for (unsigned i = 0; i < n_threads; i++) {
    unsigned t = p == SC_ROUND_ROBIN ? (last + 1 + i) % n_threads : i;
    struct op *o = first_of(t);
    if (!can(o, push, top)) continue;
    if (p != SC_LONGEST_REMAINING) return o;
    if (!best || left_of(t) > left_of(best->thread)) best = o;
  }
  return best;
}

static bool run(struct sc_replay *r, enum sc_picker p, uint64_t seed) {
  uint32_t push[MAX_THREADS / 32], top[MAX_THREADS / 32];
  unsigned last = n_threads - 1, done = 0, words = (n_threads + 31) / 32;
  struct simt_rng rng;
  simt_rng_seed(&rng, seed);
  for (unsigned i = 0; i < n_ops; i++) file[i].done = false;
  for (unsigned cycle = 0; cycle < 100 * n_ops; cycle++) {
    for (unsigned w = 0; w < words; w++) {
      push[w] = (uint32_t)simt_rng_next(&rng);
      top[w] = (uint32_t)simt_rng_next(&rng);
    }
    struct sc_trace_op op = {0};
    enum sc_next next = sc_replay_next(r, push, top, &op);
    struct op *want = expected(p, last, push, top);
    if (next == SC_END) return done == n_ops && sc_replay_at_end(r);
    if ((next == SC_GO) != (want != NULL) || sc_replay_at_end(r)) return false;
    bool waits = sc_replay_waiting(r)[op.thread / 32] >> op.thread % 32 & 1;
    if (waits != (next == SC_WAIT)) return false;
    if (!want || simt_rng_below(&rng, 4) == 0) continue; /* offered, not taken */
    if (op.thread != want->thread || op.value != want->value || (op.kind == SC_PUSH) != (want->kind == '+')) return false;
    want->done = true;
    done++;
    last = op.thread;
    sc_replay_taken(r);
  }
  return false;
}

int main(int argc, char **argv) {
  if (argc != 3 || !read_plain(argv[1])) return 2;
  n_threads = (unsigned)atoi(argv[2]);
  struct simt_diag diag = {0};
  struct sc_trace_limits limits = {.threads = n_threads, .entry_w = 64, .max_depth = 64};
  struct sc_trace *t = sc_trace_read(argv[1], &limits, &diag);
  bool all = t && sc_trace_operations(t) == n_ops;
  for (unsigned p = SC_ROUND_ROBIN; all && p <= SC_GLOBAL_ORDER; p++) {
    struct sc_replay *r = sc_replay_create(t, (enum sc_picker)p, &diag);
    bool good = r && run(r, (enum sc_picker)p, 1);
    if (r) sc_replay_restart(r);
    good = good && run(r, (enum sc_picker)p, 2);
    if (!good) printf("picker %s: another operation than its rule says\n", sc_pickers[p].name);
    all = all && good;
    sc_replay_free(r);
  }
  sc_trace_free(t);
  return !all;
}
