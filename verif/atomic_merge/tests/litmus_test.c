/* SPDX-License-Identifier: Apache-2.0 */
/* litmus_test.c: small programs of two to four threads, each on a cache of its own, at random timings: which outcomes come, and
 * that none comes which the order of atomic_merge forbids. Arguments: how many timings of each program; `plant` lets each
 * program forget its fences and waits, so that forbidden outcomes come. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atomic_merge/atomic_merge.h"

enum { THREADS = 4, STEPS = 6, X = 0, Y = 0x400 };
struct step { enum atomic_merge_op op; enum atomic_merge_mode mode; uint64_t addr, data; bool waits; /* for the answers before */ };
struct program {
  const char *name, *forbids, *shows;
  unsigned threads;
  struct step step[THREADS][STEPS];
  unsigned n[THREADS];
  bool (*forbidden)(uint64_t v[THREADS][STEPS]), (*weak)(uint64_t v[THREADS][STEPS]);
};

static uint64_t seed = 1;
static unsigned draw(unsigned n) { return (unsigned)((seed = seed * 6364136223846793005u + 1442695040888963407u) >> 33) % n; }

static uint8_t memory[0x1000];
static unsigned read_line(void *ctx, uint64_t addr, void *data, size_t size) {
  (void)ctx;
  memcpy(data, memory + addr % sizeof memory, size);
  return 0;
}
static unsigned write_line(void *ctx, uint64_t addr, const void *data, size_t size) {
  (void)ctx;
  memcpy(memory + addr % sizeof memory, data, size);
  return 0;
}

#define STORE(a, v, w) {ATOMIC_MERGE_STORE, 0, a, v, w}
#define LOAD(a, w) {ATOMIC_MERGE_LOAD, 0, a, 0, w}
#define FENCE() {ATOMIC_MERGE_FENCE, 0, 0, 0, false}
#define ADD(a, m, w) {ATOMIC_MERGE_ADD, ATOMIC_MERGE_##m, a, 1, w}

static bool both_zero(uint64_t v[THREADS][STEPS]) { return !v[0][1] && !v[1][1]; }
static bool both_zero_fenced(uint64_t v[THREADS][STEPS]) { return !v[0][2] && !v[1][2]; }
static bool flag_without_data(uint64_t v[THREADS][STEPS]) { return v[1][0] && !v[1][1]; }
static bool goes_back(uint64_t v[THREADS][STEPS]) { return v[1][0] > v[1][1] || v[1][1] > v[1][2]; }
static bool same_ticket(uint64_t v[THREADS][STEPS]) {
  bool seen[THREADS * 2] = {false};
  for (unsigned t = 0; t < THREADS; t++)
    for (unsigned i = 0; i < 2; i++) {
      if (v[t][i] >= THREADS * 2 || seen[v[t][i]]) return true;
      seen[v[t][i]] = true;
    }
  return false;
}
static bool never(uint64_t v[THREADS][STEPS]) { return v[0][0] == UINT64_MAX; }

static const struct program programs[] = {
  {"store buffering, each store answered first", "both load 0", NULL, 2, {{STORE(X, 1, 0), LOAD(Y, 1)}, {STORE(Y, 1, 0), LOAD(X, 1)}}, {2, 2}, both_zero, never},
  {"store buffering with fences", "both load 0", NULL, 2, {{STORE(X, 1, 0), FENCE(), LOAD(Y, 0)}, {STORE(Y, 1, 0), FENCE(), LOAD(X, 0)}}, {3, 3}, both_zero_fenced, never},
  {"store buffering, nothing waits", NULL, "both load 0", 2, {{STORE(X, 1, 0), LOAD(Y, 0)}, {STORE(Y, 1, 0), LOAD(X, 0)}}, {2, 2}, never, both_zero},
  {"message passing, answers awaited", "flag without data", NULL, 2, {{STORE(X, 1, 0), STORE(Y, 1, 1)}, {LOAD(Y, 0), LOAD(X, 1)}}, {2, 2}, flag_without_data, never},
  {"message passing with a fence", "flag without data", NULL, 2, {{STORE(X, 1, 0), FENCE(), STORE(Y, 1, 0)}, {LOAD(Y, 0), LOAD(X, 1)}}, {3, 2}, flag_without_data, never},
  {"message passing, nothing waits", NULL, "flag without data", 2, {{STORE(X, 1, 0), STORE(Y, 1, 0)}, {LOAD(Y, 0), LOAD(X, 0)}}, {2, 2}, never, flag_without_data},
  {"message passing by relaxed adds and a fence", "flag without data", NULL, 2, {{ADD(X, RELAXED, 0), FENCE(), ADD(Y, RELAXED, 0)}, {LOAD(Y, 0), LOAD(X, 1)}}, {3, 2}, flag_without_data, never},
  {"one place never goes back", "an older value after a newer one", NULL, 2, {{STORE(X, 1, 0), STORE(X, 2, 0), STORE(X, 3, 0)}, {LOAD(X, 0), LOAD(X, 0), LOAD(X, 0)}}, {3, 3}, goes_back, never},
  {"tickets of a lock", "a ticket given twice", NULL, 4, {{ADD(X, RETURN, 0), ADD(X, RETURN, 0)}, {ADD(X, RETURN, 0), ADD(X, RETURN, 0)}, {ADD(X, RETURN, 0), ADD(X, RETURN, 0)}, {ADD(X, RETURN, 0), ADD(X, RETURN, 0)}}, {2, 2, 2, 2}, same_ticket, never},
};

static void execute(struct atomic_merge *m, unsigned cache, enum atomic_merge_op op, uint64_t addr, uint64_t data) {
  struct atomic_merge_request r = {.op = op, .bytes = 4, .addr = addr, .data = data};
  if (atomic_merge_execute(m, cache, &r).status != ATOMIC_MERGE_DONE) abort();
}

/* Each thread issues its steps after random times; gives what they returned. */
static void run(struct atomic_merge *m, const struct program *p, bool plant, uint64_t value[THREADS][STEPS]) {
  unsigned next[THREADS] = {0}, answered[THREADS] = {0}, pause[THREADS];
  uint64_t ticket[THREADS][STEPS];
  bool busy = true;
  for (unsigned t = 0; t < p->threads; t++) pause[t] = draw(80);
  while (busy) {
    busy = false;
    for (unsigned t = 0; t < p->threads; t++) {
      struct atomic_merge_result r;
      uint64_t got;
      while (atomic_merge_answer(m, t, &got, &r)) {
        for (unsigned i = 0; i < next[t]; i++)
          if (ticket[t][i] == got) value[t][i] = r.value;
        if (r.status != ATOMIC_MERGE_DONE) abort();
        answered[t]++;
      }
      busy |= answered[t] < p->n[t];
      if (pause[t]) {
        pause[t]--;
        continue;
      }
      if (next[t] == p->n[t]) continue;
      const struct step *s = &p->step[t][next[t]];
      if (s->waits && !plant && answered[t] < next[t]) continue;
      struct atomic_merge_request q = {.op = s->op, .mode = s->mode, .bytes = 4, .addr = s->addr, .data = s->data};
      if (plant && s->op == ATOMIC_MERGE_FENCE) q = (struct atomic_merge_request){.op = ATOMIC_MERGE_LOAD, .bytes = 4, .addr = 0x800};
      if (!atomic_merge_issue(m, t, &q, &ticket[t][next[t]])) continue;
      next[t]++;
      pause[t] = draw(4) ? 0 : draw(40);
    }
    atomic_merge_advance(m, 1);
  }
}

static bool check(const struct program *p, unsigned timings, bool plant) {
  struct simt_diag diag = {0};
  struct simt_remote remote = {.read = read_line, .write = write_line, .cycles = 40, .ctx = NULL};
  struct atomic_merge_setup setup = {.params = NULL, .caches = THREADS, .transport = 10, .memory = &remote};
  struct atomic_merge *m = atomic_merge_create(&setup, &diag);
  if (!m) {
    printf("not ok litmus: create: %s\n", diag.expected);
    return false;
  }
  unsigned bad = 0, weak = 0;
  for (unsigned i = 0; i < timings; i++) {
    uint64_t value[THREADS][STEPS] = {{0}};
    execute(m, draw(2) ? draw(THREADS) : 1, ATOMIC_MERGE_STORE, X, 0); /* lines lie with any of the caches, more often with those that use them */
    execute(m, draw(2) ? draw(THREADS) : 0, ATOMIC_MERGE_STORE, Y, 0);
    run(m, p, plant, value);
    bad += p->forbidden(value);
    weak += p->weak(value);
  }
  atomic_merge_destroy(m);
  bool good = !bad && (!p->shows || weak);
  printf("%sok litmus: %s: %u timings", good ? "" : "not ", p->name, timings);
  if (p->forbids) printf(", %s %u times", p->forbids, bad);
  if (p->shows) printf(", %s %u times, as it may", p->shows, weak);
  printf(" [AM-2 AM-13 AM-15]%s\n", good ? "" : bad ? ": forbidden" : ": never seen");
  return good;
}

int main(int argc, char **argv) {
  unsigned timings = argc > 1 ? (unsigned)strtoul(argv[1], NULL, 10) : 0;
  bool good = timings != 0, plant = argc > 2 && !strcmp(argv[2], "plant");
  if (!timings) fprintf(stderr, "litmus_test TIMINGS [plant]\n");
  for (size_t i = 0; i < sizeof programs / sizeof *programs && timings; i++) good &= check(&programs[i], timings, plant);
  return !good;
}
