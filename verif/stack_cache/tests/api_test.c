/* SPDX-License-Identifier: Apache-2.0 */
/* api_test.c: the transaction level against plain arrays. One argument: `plant` lets the memory lose a bit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stack_cache/stack_cache.h"

#define CHECK(what) do { if (!(what)) { printf("line %d: %s\n", __LINE__, #what); return false; } } while (0)

enum { DEPTH = 64, MOST_THREADS = 32, OPERATIONS = 20000 };

struct memory { uint8_t *bytes; uint64_t seed, reads; size_t room; bool plant; unsigned fail; };

static uint64_t next_random(uint64_t *s) {
  *s ^= *s << 13;
  *s ^= *s >> 7;
  return *s ^= *s << 17;
}

static unsigned read_set(void *ctx, uint64_t addr, void *data, size_t size) {
  struct memory *m = ctx;
  if (addr % size || addr + size > m->room) abort();
  memcpy(data, m->bytes + addr, size);
  if (m->plant && m->reads++ == 40) ((uint8_t *)data)[0] ^= 1;
  return m->fail;
}

static unsigned write_set(void *ctx, uint64_t addr, const void *data, size_t size) {
  struct memory *m = ctx;
  if (addr % size || addr + size > m->room) abort();
  memcpy(m->bytes + addr, data, size);
  return 0;
}

static unsigned any_latency(void *ctx, uint64_t cycle, uint64_t addr, bool write) {
  struct memory *m = ctx;
  (void)cycle, (void)addr, (void)write;
  return (unsigned)(next_random(&m->seed) % 60);
}

/* Any latency when `cycles` is 0. */
static struct stack_cache *make(const char *const *params, struct memory *m, unsigned cycles) {
  struct simt_diag diag = {0};
  m->seed = 88172645463325252u;
  m->room = (size_t)1 << 24;
  m->bytes = calloc(1, m->room);
  struct simt_remote callbacks = {.read = read_set, .write = write_set, .cycles = cycles, .ctx = m, .latency = cycles ? NULL : any_latency};
  struct stack_cache *s = m->bytes ? stack_cache_create(params, &callbacks, &diag) : NULL;
  if (!s) printf("create: %s: %s, expected %s\n", diag.name, diag.got, diag.expected);
  return s;
}

struct arrays { uint32_t value[MOST_THREADS][DEPTH][STACK_CACHE_MAX_WORDS]; unsigned count[MOST_THREADS], words, bits; };

static bool step(struct stack_cache *s, struct arrays *a, unsigned t, unsigned kind, uint64_t *seed) {
  uint32_t given[STACK_CACHE_MAX_WORDS] = {0}, got[STACK_CACHE_MAX_WORDS] = {0};
  unsigned *count = &a->count[t];
  struct stack_cache_result r;
  const uint64_t start = stack_cache_cycle(s);
  for (unsigned i = 0; i < a->words; i++) given[i] = (uint32_t)next_random(seed);
  if (a->bits % 32) given[a->words - 1] &= ((uint32_t)1 << a->bits % 32) - 1;
  switch (kind) {
    case STACK_CACHE_PUSH:
      r = stack_cache_push(s, t, given);
      CHECK(r.status == (*count == DEPTH ? STACK_CACHE_OVERFLOW : STACK_CACHE_OK));
      if (*count < DEPTH) memcpy(a->value[t][(*count)++], given, sizeof given);
      break;
    case STACK_CACHE_REPLACE:
      r = stack_cache_replace(s, t, given);
      CHECK(r.status == (*count ? STACK_CACHE_OK : STACK_CACHE_UNDERFLOW));
      if (*count) memcpy(a->value[t][*count - 1], given, sizeof given);
      break;
    case STACK_CACHE_INIT:
      r = stack_cache_init(s, t);
      CHECK(r.status == STACK_CACHE_OK);
      *count = 0;
      break;
    default:
      r = kind == STACK_CACHE_POP ? stack_cache_pop(s, t, got) : stack_cache_peek(s, t, got);
      CHECK(r.status == (*count ? STACK_CACHE_OK : STACK_CACHE_UNDERFLOW));
      CHECK(!*count || !memcmp(got, a->value[t][*count - 1], a->words * sizeof *got));
      if (*count && kind == STACK_CACHE_POP) --*count;
  }
  CHECK(r.cycles == r.wait + stack_cache_latency(s) && stack_cache_cycle(s) == start + r.cycles);
  return true;
}

static bool random_run(const char *const *params, unsigned threads, unsigned bits, unsigned latency, bool plant) {
  struct memory m = {.plant = plant};
  struct stack_cache *s = make(params, &m, 0);
  struct arrays *a = calloc(1, sizeof *a);
  uint64_t seed = 1234567;
  bool good = s && a && stack_cache_latency(s) == latency;
  if (good) a->words = (bits + 31) / 32, a->bits = bits;
  for (unsigned i = 0, up = 1; good && i < OPERATIONS; i++) {
    const uint64_t r = next_random(&seed);
    if (r % 97 == 0) up = !up;
    unsigned kind = r >> 8 & 1 ? (up ? STACK_CACHE_PUSH : STACK_CACHE_POP) : (unsigned)(r >> 16 & 3);
    if (r >> 32 < 1 << 21) kind = STACK_CACHE_INIT;
    if (r % 5 == 0) stack_cache_advance(s, r >> 20 & 31);
    good = step(s, a, (unsigned)(r >> 40) % threads, kind, &seed);
  }
  stack_cache_destroy(s);
  free(m.bytes);
  free(a);
  return good;
}

static bool test_random(bool plant) {
  static const char *const small[] = {"THREADS=3", "MAX_DEPTH=64", "ENTRIES=8", "SET=2", NULL};
  static const char *const wide[] = {"THREADS=2", "MAX_DEPTH=64", "ENTRY_W=70", "ENTRIES=4", "SET=2", "POLICY=threshold", NULL};
  static const char *const tiny[] = {"THREADS=1", "MAX_DEPTH=64", "ENTRY_W=8", "ENTRIES=2", "SET=1", "ADDR_W=40", "OUT_REG=1", NULL};
  static const char *const many[] = {"THREADS=32", "MAX_DEPTH=64", "ENTRY_W=512", "FLAGS=per_entry", NULL};
  return random_run(small, 3, 64, 4, plant) && random_run(wide, 2, 70, 4, plant) && random_run(tiny, 1, 8, 5, plant) &&
         random_run(many, 32, 512, 4, plant);
}

/* An operation in each cycle over four threads, each answered in order. */
static bool pipelined(struct stack_cache *s) {
  unsigned answers = 0;
  stack_cache_advance(s, 8);
  for (unsigned i = 0; i < 16 + stack_cache_latency(s); i++) {
    struct stack_cache_answer a;
    if (stack_cache_answer(s, &a)) {
      CHECK(a.thread == answers % 4 && a.status == STACK_CACHE_OK && a.has_value == (answers >= 8));
      if (a.has_value) CHECK(a.value[0] == (answers < 12 ? answers - 4 : answers - 12));
      answers++;
    }
    const uint32_t value[2] = {i, 0};
    const enum stack_cache_kind kind = i < 8 ? STACK_CACHE_PUSH : STACK_CACHE_POP;
    if (i >= 16) stack_cache_advance(s, 1);
    else CHECK(stack_cache_can_go(s, i % 4, kind) && stack_cache_issue(s, kind, i % 4, value));
  }
  CHECK(answers == 16 && !stack_cache_can_go(s, 4, STACK_CACHE_PUSH) && stack_cache_pop64(s, 4, &(uint64_t){0}).status == STACK_CACHE_NO_THREAD);
  return true;
}

static bool errors(struct stack_cache *s, struct memory *m) {
  uint64_t value = 0;
  enum stack_cache_status status = STACK_CACHE_OK;
  for (uint64_t i = 0; i < 40; i++) CHECK(stack_cache_push64(s, 1, i).status == STACK_CACHE_OK);
  m->fail = 2;
  for (unsigned i = 0; i < 40 && status == STACK_CACHE_OK; i++) status = stack_cache_pop64(s, 1, &value).status;
  m->fail = 0;
  CHECK(status == STACK_CACHE_FAULT && stack_cache_push64(s, 1, 1).status == STACK_CACHE_FAULT && stack_cache_push64(s, 2, 1).status == STACK_CACHE_OK);
  CHECK(stack_cache_init(s, 1).status == STACK_CACHE_OK && stack_cache_push64(s, 1, 7).status == STACK_CACHE_OK);
  CHECK(stack_cache_pop64(s, 1, &value).status == STACK_CACHE_OK && value == 7);
  return true;
}

/* A flush writes the entries that there are; what lies behind them in memory stays. */
static bool flush(struct stack_cache *s, struct memory *m) {
  uint32_t busy = 1;
  stack_cache_init(s, 0);
  memset(m->bytes, 0xa5, m->room);
  for (uint64_t i = 1; i <= 5; i++) CHECK(stack_cache_push64(s, 0, i).status == STACK_CACHE_OK);
  CHECK(stack_cache_write_register(s, 0x40, 1));
  for (unsigned i = 0; i < 400 && busy; i++) CHECK(stack_cache_read_register(s, 0x40, &busy));
  CHECK(!busy);
  for (unsigned i = 0; i < 64; i++) CHECK(m->bytes[i] == (i >= 40 ? 0xa5 : i % 8 ? 0 : i / 8 + 1));
  CHECK(stack_cache_push64(s, 0, 6).status == STACK_CACHE_OK && !stack_cache_read_register(s, 0x3fc, &busy));
  return true;
}

static void find_pushes(void *ctx, const char *name, uint64_t value) {
  if (!strcmp(name, "pushes")) *(uint64_t *)ctx = value;
}

static bool test_one(void) {
  static const char *const params[] = {"THREADS=4", "MAX_DEPTH=64", "ENTRIES=8", "SET=4", "STATUS=one_hot", NULL};
  struct memory m = {0};
  struct stack_cache *s = make(params, &m, 30);
  uint64_t pushes = 0;
  bool good = s && pipelined(s) && errors(s, &m) && flush(s, &m);
  if (good) {
    stack_cache_stats(s, find_pushes, &pushes);
    if (pushes < 50) printf("stats: %llu pushes\n", (unsigned long long)pushes), good = false;
  }
  stack_cache_destroy(s);
  free(m.bytes);
  return good;
}

/* Every argument one past its range: refused with its own status; no time passes, and the stack is as it was. */
static bool past(struct stack_cache *s, unsigned threads, unsigned bits) {
  const unsigned last = (bits - 1) / 32;
  uint32_t good[STACK_CACHE_MAX_WORDS] = {0}, bad[STACK_CACHE_MAX_WORDS] = {0}, got[STACK_CACHE_MAX_WORDS] = {0};
  uint64_t value = 77;
  good[last] = UINT32_C(1) << (bits - 1) % 32;
  if (bits % 32) bad[last] = UINT32_C(1) << bits % 32;
  CHECK(stack_cache_push(s, threads - 1, good).status == STACK_CACHE_OK);
  const uint64_t begin = stack_cache_cycle(s);
  for (unsigned i = 0; i < 3; i++) {
    struct stack_cache_result r = i == 0 ? stack_cache_push(s, threads, good) : i == 1 ? stack_cache_replace(s, threads, good) : stack_cache_init(s, threads);
    CHECK(r.status == STACK_CACHE_NO_THREAD && !r.wait && !r.cycles);
  }
  CHECK(stack_cache_pop(s, threads, got).status == STACK_CACHE_NO_THREAD && stack_cache_peek(s, threads, got).status == STACK_CACHE_NO_THREAD);
  CHECK(stack_cache_push64(s, threads, 0).status == STACK_CACHE_NO_THREAD && stack_cache_pop64(s, threads, &value).status == STACK_CACHE_NO_THREAD);
  CHECK(!stack_cache_can_go(s, threads, STACK_CACHE_PUSH) && !stack_cache_can_go(s, 0, (enum stack_cache_kind)5));
  CHECK(!stack_cache_issue(s, STACK_CACHE_POP, threads, NULL) && !stack_cache_issue(s, (enum stack_cache_kind)5, 0, good));
  CHECK(stack_cache_check(s, (enum stack_cache_kind)5, 0, good) == STACK_CACHE_RANGE && stack_cache_check(s, STACK_CACHE_PUSH, 0, good) == STACK_CACHE_OK);
  if (bits % 32) {
    CHECK(stack_cache_push(s, threads - 1, bad).status == STACK_CACHE_RANGE && stack_cache_replace(s, threads - 1, bad).status == STACK_CACHE_RANGE);
    CHECK(stack_cache_check(s, STACK_CACHE_REPLACE, 0, bad) == STACK_CACHE_RANGE && !stack_cache_issue(s, STACK_CACHE_PUSH, 0, bad));
    CHECK(stack_cache_check(s, STACK_CACHE_POP, 0, bad) == STACK_CACHE_OK);
  }
  if (bits < 64) CHECK(stack_cache_push64(s, threads - 1, UINT64_C(1) << bits).status == STACK_CACHE_RANGE);
  if (bits > 64) CHECK(stack_cache_pop64(s, threads - 1, &value).status == STACK_CACHE_RANGE && value == 77);
  CHECK(stack_cache_cycle(s) == begin);
  CHECK(stack_cache_pop(s, threads - 1, got).status == STACK_CACHE_OK && !memcmp(got, good, (last + 1) * sizeof *got));
  CHECK(stack_cache_pop(s, threads - 1, got).status == STACK_CACHE_UNDERFLOW);
  if (bits > 64) return true;
  const uint64_t top = UINT64_C(1) << (bits - 1);
  CHECK(stack_cache_push64(s, 0, top).status == STACK_CACHE_OK && stack_cache_pop64(s, 0, &value).status == STACK_CACHE_OK && value == top);
  return true;
}

static bool test_past(void) {
  static const struct { unsigned threads, bits; const char *params[4]; } of[] = {
    {4, 64, {"THREADS=4"}}, {3, 33, {"THREADS=3", "ENTRY_W=33"}}, {1, 32, {"THREADS=1", "ENTRY_W=32"}}, {33, 8, {"THREADS=33", "ENTRY_W=8"}},
    {2, 70, {"THREADS=2", "ENTRY_W=70"}}};
  bool good = true;
  for (unsigned i = 0; good && i < sizeof of / sizeof *of; i++) {
    struct memory m = {0};
    struct stack_cache *s = make(of[i].params, &m, 30);
    good = s && past(s, of[i].threads, of[i].bits);
    stack_cache_destroy(s);
    free(m.bytes);
  }
  return good;
}

static bool test_refused(void) {
  static const struct { const char *param, *name; } bad[] = {
    {"THREAD=3", "THREAD"}, {"THREADS=0", "THREADS"}, {"bus=axi4", "bus"}, {"regs=axi4-lite", "regs"}, {"MEM_W=entry", "MEM_W"}};
  struct simt_remote m = {.read = read_set, .write = write_set, .cycles = 1};
  for (unsigned i = 0; i < sizeof bad / sizeof *bad; i++) {
    struct simt_diag diag = {0};
    CHECK(!stack_cache_create((const char *const[]){bad[i].param, NULL}, &m, &diag) && !strcmp(diag.name, bad[i].name) && diag.expected[0]);
  }
  struct simt_diag none = {0}, at_once = {0};
  CHECK(!stack_cache_create(NULL, NULL, &none) && none.failed);
  m.cycles = 0;
  CHECK(!stack_cache_create(NULL, &m, &at_once) && !strcmp(at_once.name, "cycles"));
  return true;
}

int main(int argc, char **argv) {
  const bool plant = argc > 1 && !strcmp(argv[1], "plant");
  bool all = true;
  const struct { const char *name; bool good; } test[] = {
    {"random operations answer as plain arrays do, any latency [SC-3 SC-5 SC-10]", test_random(plant)},
    {"an operation in each cycle, memory errors, a flush [SC-3 SC-12 SC-13]", plant || test_one()},
    {"every argument one past its range is refused, without effect", plant || test_past()},
    {"wrong parameters, a bus and a memory without time are refused", plant || test_refused()}};
  for (size_t i = 0; i < sizeof test / sizeof *test; i++) {
    printf("%s stack_cache API: %s%s\n", test[i].good ? "ok" : "not ok", test[i].name, test[i].good ? "" : ": see above");
    all = all && test[i].good;
  }
  return !all;
}
