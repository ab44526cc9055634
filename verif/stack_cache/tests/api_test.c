/* SPDX-License-Identifier: Apache-2.0 */
/* api_test.c: the transaction level against plain arrays. One argument: `plant` lets the memory lose a bit. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stack_cache/stack_cache.h"

#define CHECK(what) do { if (!(what)) { printf("line %d: %s\n", __LINE__, #what); return false; } } while (0)

enum { DEPTH = 64, MAX_THREADS = 32, OPERATIONS = 20000 };

struct memory { uint8_t *bytes; uint64_t seed, accesses; size_t room; bool plant; unsigned fail; };

static uint64_t next_random(uint64_t *s) {
  *s ^= *s << 13;
  *s ^= *s >> 7;
  return *s ^= *s << 17;
}

static unsigned read_set(void *ctx, uint64_t addr, void *data, size_t size) {
  struct memory *m = ctx;
  if (addr % size || addr + size > m->room) abort();
  memcpy(data, m->bytes + addr, size);
  if (m->plant && m->accesses++ == 40) ((uint8_t *)data)[0] ^= 1;
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

/* Fixed latency when `cycles` is not 0. */
static struct stack_cache *make(const char *const *params, struct memory *m, unsigned cycles) {
  struct simt_diag diag = {0};
  m->seed = 88172645463325252u;
  m->room = (size_t)1 << 24;
  m->bytes = calloc(1, m->room);
  struct simt_remote callbacks = {.read = read_set, .write = write_set, .cycles = cycles, .ctx = m,
                                         .latency = cycles ? NULL : any_latency};
  struct stack_cache *s = m->bytes ? stack_cache_create(params, &callbacks, &diag) : NULL;
  if (!s) printf("create: %s: %s, expected %s\n", diag.name, diag.got, diag.expected);
  return s;
}

struct reference { uint32_t value[MAX_THREADS][DEPTH][STACK_CACHE_MAX_WORDS]; unsigned count[MAX_THREADS], words, bits; };

static void random_entry(struct reference *ref, uint64_t *seed, uint32_t *value) {
  for (unsigned i = 0; i < ref->words; i++) value[i] = (uint32_t)next_random(seed);
  if (ref->bits % 32) value[ref->words - 1] &= ((uint32_t)1 << ref->bits % 32) - 1;
}

static bool step(struct stack_cache *s, struct reference *ref, unsigned t, unsigned kind, uint64_t *seed) {
  uint32_t value[STACK_CACHE_MAX_WORDS] = {0}, got[STACK_CACHE_MAX_WORDS] = {0};
  unsigned *count = &ref->count[t];
  struct stack_cache_result r;
  uint64_t start = stack_cache_cycle(s);
  random_entry(ref, seed, value);
  switch (kind) {
    case STACK_CACHE_PUSH:
      r = stack_cache_push(s, t, value);
      CHECK(r.status == (*count == DEPTH ? STACK_CACHE_OVERFLOW : STACK_CACHE_OK));
      if (*count < DEPTH) memcpy(ref->value[t][(*count)++], value, sizeof value);
      break;
    case STACK_CACHE_REPLACE:
      r = stack_cache_replace(s, t, value);
      CHECK(r.status == (*count ? STACK_CACHE_OK : STACK_CACHE_UNDERFLOW));
      if (*count) memcpy(ref->value[t][*count - 1], value, sizeof value);
      break;
    case STACK_CACHE_INIT:
      r = stack_cache_init(s, t);
      CHECK(r.status == STACK_CACHE_OK && r.wait == 0);
      *count = 0;
      break;
    default:
      r = kind == STACK_CACHE_POP ? stack_cache_pop(s, t, got) : stack_cache_peek(s, t, got);
      CHECK(r.status == (*count ? STACK_CACHE_OK : STACK_CACHE_UNDERFLOW));
      CHECK(!*count || !memcmp(got, ref->value[t][*count - 1], ref->words * sizeof *got));
      if (*count && kind == STACK_CACHE_POP) --*count;
  }
  CHECK(r.cycles == r.wait + STACK_CACHE_LATENCY && stack_cache_cycle(s) == start + r.cycles);
  return true;
}

static bool random_run(const char *const *params, unsigned threads, unsigned bits, bool plant, uint64_t *cycles) {
  struct memory m = {.plant = plant};
  struct stack_cache *s = make(params, &m, 0);
  struct reference *ref = calloc(1, sizeof *ref);
  uint64_t seed = 1234567;
  bool good = s && ref;
  if (good) ref->words = (bits + 31) / 32, ref->bits = bits;
  for (unsigned i = 0, up = 1; good && i < OPERATIONS; i++) {
    uint64_t r = next_random(&seed);
    if (r % 97 == 0) up = !up;
    unsigned kind = r >> 8 & 1 ? (up ? STACK_CACHE_PUSH : STACK_CACHE_POP) : (unsigned)(r >> 16 & 3);
    if (r >> 32 < 1 << 21) kind = STACK_CACHE_INIT;
    if (r % 5 == 0) stack_cache_advance(s, r >> 20 & 31);
    good = step(s, ref, (unsigned)(r >> 40) % threads, kind, &seed);
  }
  if (s && cycles) *cycles = stack_cache_cycle(s);
  stack_cache_destroy(s);
  free(m.bytes);
  free(ref);
  return good;
}

static const char *const small[] = {"THREADS=3", "MAX_DEPTH=64", "ENTRIES=8", "SET=2", NULL};

static bool test_random(bool plant) {
  static const char *const wide[] = {"THREADS=2", "MAX_DEPTH=64", "ENTRY_W=70", "ENTRIES=4", "SET=2",
                                     "POLICY=threshold", NULL};
  static const char *const tiny[] = {"THREADS=1", "MAX_DEPTH=64", "ENTRY_W=8", "ENTRIES=2", "SET=1", "ADDR_W=40", NULL};
  static const char *const many[] = {"THREADS=32", "MAX_DEPTH=64", "ENTRY_W=512", "FORWARD=0", NULL};
  return random_run(small, 3, 64, plant, NULL) && random_run(wide, 2, 70, plant, NULL) &&
         random_run(tiny, 1, 8, plant, NULL) && random_run(many, 32, 512, plant, NULL);
}

static bool test_timing(struct stack_cache *s) {
  uint64_t value = 0;
  struct stack_cache_result r = stack_cache_push64(s, 0, 42);
  CHECK(r.status == STACK_CACHE_OK && r.wait == 0 && r.cycles == STACK_CACHE_LATENCY);
  r = stack_cache_pop64(s, 0, &value);
  CHECK(r.status == STACK_CACHE_OK && r.wait == 0 && value == 42);
  for (uint64_t i = 0; i < 64; i++) stack_cache_push64(s, 0, i);
  stack_cache_advance(s, 300);
  uint64_t wait = 0;
  for (uint64_t i = 64; i--;) {
    r = stack_cache_pop64(s, 0, &value);
    CHECK(r.status == STACK_CACHE_OK && value == i);
    wait += r.wait;
  }
  CHECK(wait > 100); /* a single thread cannot hide a memory of 100 cycles */
  return true;
}

static bool test_pipeline(struct stack_cache *s) {
  unsigned answers = 0;
  stack_cache_advance(s, 1); /* past the answer of the last call */
  for (unsigned i = 0; i < 12 + STACK_CACHE_LATENCY; i++) {
    struct stack_cache_answer a;
    if (stack_cache_answer(s, &a)) {
      CHECK(a.thread == answers % 3 && a.status == STACK_CACHE_OK);
      CHECK(a.kind == (answers < 6 ? STACK_CACHE_PUSH : STACK_CACHE_POP) && a.has_value == (answers >= 6));
      if (a.has_value) CHECK(a.value[0] == (answers < 9 ? answers - 3 : answers - 9));
      answers++;
    }
    uint32_t value[2] = {i, 0};
    enum stack_cache_kind kind = i < 6 ? STACK_CACHE_PUSH : STACK_CACHE_POP;
    if (i >= 12) stack_cache_advance(s, 1);
    else CHECK(stack_cache_can_go(s, i % 3, kind) && stack_cache_issue(s, kind, i % 3, value));
  }
  CHECK(answers == 12);
  CHECK(!stack_cache_issue(s, STACK_CACHE_PUSH, 3, (uint32_t[2]){0}));
  CHECK(stack_cache_pop64(s, 3, &(uint64_t){0}).status == STACK_CACHE_NO_THREAD);
  return true;
}

static bool test_errors(struct stack_cache *s, struct memory *m) {
  static const unsigned code[] = {2, 4, 12, ~0u}; /* what is no code of the block is still an error */
  for (unsigned k = 0; k < sizeof code / sizeof *code; k++) {
    uint64_t value;
    enum stack_cache_status status = STACK_CACHE_OK;
    for (uint64_t i = 0; i < 40; i++) CHECK(stack_cache_push64(s, 1, i).status == STACK_CACHE_OK);
    m->fail = code[k];
    for (unsigned i = 0; i < 40 && status == STACK_CACHE_OK; i++) status = stack_cache_pop64(s, 1, &value).status;
    CHECK(status == STACK_CACHE_FAULT && stack_cache_push64(s, 1, 1).status == STACK_CACHE_FAULT);
    CHECK(stack_cache_push64(s, 2, 1).status == STACK_CACHE_OK);
    m->fail = 0;
    CHECK(stack_cache_init(s, 1).status == STACK_CACHE_OK && stack_cache_push64(s, 1, 1).status == STACK_CACHE_OK);
    CHECK(stack_cache_pop64(s, 1, &value).status == STACK_CACHE_OK && value == 1);
  }
  return true;
}

/* A flush writes the entries that there are; what lies behind them in memory stays. */
static bool flush_leaves(struct stack_cache *s, struct memory *m) {
  uint32_t busy = 1;
  memset(m->bytes, 0xa5, m->room);
  for (uint64_t i = 1; i <= 5; i++) CHECK(stack_cache_push64(s, 0, i).status == STACK_CACHE_OK);
  CHECK(stack_cache_write_register(s, 0x40, 1));
  for (unsigned i = 0; i < 200 && busy; i++) CHECK(stack_cache_read_register(s, 0x40, &busy));
  CHECK(!busy);
  for (unsigned i = 0; i < 64; i++) CHECK(m->bytes[i] == (i >= 40 ? 0xa5 : i % 8 ? 0 : i / 8 + 1));
  return true;
}

static bool test_flush(void) {
  static const char *const params[] = {"THREADS=3", "MAX_DEPTH=64", "ENTRIES=8", "SET=4", "STATUS=one_hot", NULL};
  struct memory m = {0};
  struct stack_cache *s = make(params, &m, 7);
  bool good = s && flush_leaves(s, &m);
  stack_cache_destroy(s);
  free(m.bytes);
  return good;
}

static bool test_registers(struct stack_cache *s) {
  uint32_t data = 0;
  stack_cache_init(s, 0);
  CHECK(stack_cache_write_register(s, 0x14, 2) && stack_cache_read_register(s, 0x14, &data) && data == 2);
  stack_cache_push64(s, 0, 1);
  stack_cache_push64(s, 0, 2);
  CHECK(stack_cache_push64(s, 0, 3).status == STACK_CACHE_OVERFLOW);
  CHECK(!stack_cache_read_register(s, 0x3fc, &data) && !stack_cache_read_register(s, 0x10000, &data));
  return true;
}

static void count_stat(void *ctx, const char *name, uint64_t value) {
  if (!strcmp(name, "pushes")) *(uint64_t *)ctx = value;
}

static bool test_one(void) {
  struct memory m = {0};
  struct stack_cache *s = make(small, &m, 100);
  uint64_t pushes = 0;
  bool good = s && test_timing(s) && test_pipeline(s) && test_errors(s, &m) && test_registers(s);
  if (good) {
    stack_cache_advance(s, 2);
    stack_cache_stats(s, count_stat, &pushes);
    if (pushes < 100) printf("stats: %llu pushes\n", (unsigned long long)pushes), good = false;
  }
  stack_cache_destroy(s);
  free(m.bytes);
  return good;
}

static bool test_refused(void) {
  static const char *const bad[][2] = {{"THREAD=3", NULL}, {"THREADS=0", NULL}, {"ENTRIES", NULL}, {"SET=8", NULL},
                                       {"=1", NULL}, {"bus=axi4", NULL}, {"regs=axi4-lite", NULL}};
  static const char *const bad_pair[] = {"ENTRIES=4", "SET=4", NULL};
  struct simt_remote m = {.read = read_set, .write = write_set, .cycles = 1};
  for (unsigned i = 0; i < 7; i++) {
    struct simt_diag diag = {0};
    struct stack_cache *s = stack_cache_create(bad[i], &m, &diag);
    CHECK(i == 3 ? s != NULL : !s && diag.failed && diag.expected[0]);
    stack_cache_destroy(s);
  }
  struct simt_diag diag = {0}, none = {0};
  CHECK(!stack_cache_create(bad_pair, &m, &diag) && diag.failed);
  CHECK(!stack_cache_create(NULL, NULL, &none) && none.failed);
  static const char *const twice[] = {"SET=4", "THREADS=3", "SET=4", NULL};
  struct simt_diag second = {0}, at_once = {0};
  CHECK(!stack_cache_create(twice, &m, &second) && !strcmp(second.name, "SET"));
  m.cycles = 0;
  CHECK(!stack_cache_create(NULL, &m, &at_once) && !strcmp(at_once.name, "cycles"));
  return true;
}

static void *run_in_thread(void *cycles) {
  return random_run(small, 3, 64, false, cycles) ? cycles : NULL;
}

static bool test_threads(void) {
  pthread_t thread[3];
  uint64_t cycles[3] = {0};
  void *result = NULL;
  for (int i = 0; i < 3; i++) CHECK(!pthread_create(&thread[i], NULL, run_in_thread, &cycles[i]));
  for (int i = 0; i < 3; i++) CHECK(!pthread_join(thread[i], &result) && result);
  CHECK(cycles[0] == cycles[1] && cycles[1] == cycles[2] && cycles[0]);
  return true;
}

int main(int argc, char **argv) {
  bool plant = argc > 1 && !strcmp(argv[1], "plant"), all = true;
  const struct { const char *name; bool good; } test[] = {
    {"random operations answer as plain arrays do, any latency [SC-3 SC-5 SC-10]", test_random(plant)},
    {"waits, pipelined use, memory errors, registers [SC-3 SC-11 SC-12]", plant || test_one()},
    {"wrong parameters, a bus and a memory without time are refused", plant || test_refused()},
    {"a flush leaves what it does not write", plant || test_flush()},
    {"three objects in three threads do the same", plant || test_threads()}};
  for (size_t i = 0; i < sizeof test / sizeof *test; i++) {
    printf("%s stack_cache API: %s%s\n", test[i].good ? "ok" : "not ok", test[i].name, test[i].good ? "" : ": see above");
    all = all && test[i].good;
  }
  return !all;
}
