/* SPDX-License-Identifier: Apache-2.0 */
/* api_test.c: the transaction level of atomic_merge: requests one after the other against an array of bytes, a counter of
 * four caches at once, tickets, errors of memory, refusals. One argument: `plant` lets the memory lose a bit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atomic_merge/atomic_merge.h"

#define CHECK(what) do { if (!(what)) { printf("line %d: %s\n", __LINE__, #what); return false; } } while (0)

enum { CACHES = 4, LINE = 32, BYTES = 4096 };
struct memory { uint8_t bytes[BYTES]; unsigned reads; bool plant; };
static struct memory memory;

static unsigned read_line(void *ctx, uint64_t addr, void *data, size_t size) {
  struct memory *m = ctx;
  if (size != LINE || addr % LINE) abort();
  if (addr >= BYTES) return 1;
  memcpy(data, m->bytes + addr, size);
  if (m->plant && m->reads++ == 20) memset(data, 0x55, size);
  return 0;
}

static unsigned write_line(void *ctx, uint64_t addr, const void *data, size_t size) {
  struct memory *m = ctx;
  if (size != LINE || addr % LINE || addr >= BYTES) abort();
  memcpy(m->bytes + addr, data, size);
  return 0;
}

static const char *const params[] = {"LINE_BYTES=32", "LINES=8", "WAYS=2", "MERGE_LANES=4", "MISSES=2", "OLD_LINES=2",
                                     "STALL_BUF=8", "TID_W=4", "ATOMIC_SAT=wait",
                                     "ATOMIC_WRAP=extra", "ATOMIC_MOD=wait", "ATOMIC_MUL=wait", "OP_STAGES=5", NULL};

static struct atomic_merge *make(void) {
  struct simt_diag diag = {0};
  struct simt_remote remote = {.read = read_line, .write = write_line, .cycles = 60, .ctx = &memory};
  struct atomic_merge_setup setup = {.params = params, .caches = CACHES, .transport = 15, .memory = &remote};
  memset(memory.bytes, 0, sizeof memory.bytes);
  memory.reads = 0;
  struct atomic_merge *m = atomic_merge_create(&setup, &diag);
  if (!m) printf("create: %s: %s, expected %s\n", diag.name, diag.got, diag.expected);
  return m;
}

static uint32_t seed = 1;
static uint32_t draw(uint32_t n) { return ((seed = seed * 1664525 + 1013904223) >> 8) % n; }
static uint64_t draw64(void) { return (uint64_t)draw(1 << 22) << 44 ^ (uint64_t)draw(1 << 22) << 22 ^ draw(1 << 22); }

static int64_t extend(uint64_t v, unsigned bytes) { return bytes == 8 ? (int64_t)v : (int32_t)(uint32_t)v; }

static uint64_t after(const struct atomic_merge_request *r, uint64_t x) {
  uint64_t a = r->data;
  switch (r->op) {
    case ATOMIC_MERGE_STORE: case ATOMIC_MERGE_SWAP: return a;
    case ATOMIC_MERGE_ADD: return x + a;
    case ATOMIC_MERGE_AND: return x & a;
    case ATOMIC_MERGE_OR: return x | a;
    case ATOMIC_MERGE_XOR: return x ^ a;
    case ATOMIC_MERGE_SIGNED_MIN: return extend(x, r->bytes) < extend(a, r->bytes) ? x : a;
    case ATOMIC_MERGE_SIGNED_MAX: return extend(x, r->bytes) > extend(a, r->bytes) ? x : a;
    case ATOMIC_MERGE_UNSIGNED_MIN: return x < a ? x : a;
    case ATOMIC_MERGE_UNSIGNED_MAX: return x > a ? x : a;
    case ATOMIC_MERGE_SATURATING_ADD: return r->bytes == 4 ? (x + a > UINT32_MAX ? UINT32_MAX : x + a) : x + a < x ? UINT64_MAX : x + a;
    case ATOMIC_MERGE_WRAPPING_INCREMENT: return x >= r->compare ? 0 : x + 1;
    case ATOMIC_MERGE_WRAPPING_DECREMENT: return x == 0 || x > r->compare ? r->compare : x - 1;
    case ATOMIC_MERGE_ADD_MODULO:
      if (x > r->compare) x = r->compare;
      return x + a > r->compare ? x + a - r->compare - 1 : x + a;
    case ATOMIC_MERGE_MULTIPLY: return x * a;
    case ATOMIC_MERGE_COMPARE_AND_SWAP: return x == r->compare ? a : x;
    default: return x;
  }
}

/* Each request is answered before the next one is presented: memory is an array of bytes. */
static bool sequential(struct atomic_merge *m) {
  static uint8_t bytes[BYTES];
  memset(bytes, 0, sizeof bytes);
  for (unsigned n = 0; n < 4000; n++) {
    struct atomic_merge_request r = {.op = (enum atomic_merge_op)draw(19), .mode = (enum atomic_merge_mode)draw(2)};
    unsigned cache = draw(CACHES), lg = r.op < ATOMIC_MERGE_FENCE ? draw(4) : 2 + draw(2);
    if (r.op == ATOMIC_MERGE_FLUSH && draw(10)) continue;
    r.bytes = 1u << lg;
    r.addr = (uint64_t)draw(draw(2) ? 64 : BYTES) >> lg << lg;
    const uint64_t mask = lg == 3 ? ~UINT64_C(0) : (UINT64_C(1) << (8 << lg)) - 1;
    uint64_t x = 0;
    memcpy(&x, bytes + r.addr, r.bytes);
    r.data = draw64() & mask;
    r.compare = draw(2) ? x : draw64() & mask;
    if (r.op >= ATOMIC_MERGE_WRAPPING_INCREMENT && r.op <= ATOMIC_MERGE_ADD_MODULO) {
      r.compare = draw(2) ? draw(8) : mask >> 1; /* K - 1: no sum is beyond 64 bits */
      r.data %= r.compare + 1;
    }
    struct atomic_merge_result result = atomic_merge_execute(m, cache, &r);
    CHECK(result.status == ATOMIC_MERGE_DONE && result.cycles > 0);
    if (r.op == ATOMIC_MERGE_FENCE || r.op == ATOMIC_MERGE_FLUSH) continue;
    bool returns = r.op == ATOMIC_MERGE_LOAD || (r.op >= ATOMIC_MERGE_ADD && r.mode == ATOMIC_MERGE_RETURN);
    CHECK(result.value == (returns ? x : 0));
    x = after(&r, x);
    memcpy(bytes + r.addr, &x, r.bytes);
  }
  struct atomic_merge_request flush = {.op = ATOMIC_MERGE_FLUSH};
  for (unsigned i = 0; i < CACHES; i++) CHECK(atomic_merge_execute(m, i, &flush).status == ATOMIC_MERGE_DONE);
  CHECK(!memcmp(bytes, memory.bytes, BYTES) && !atomic_merge_write_errors(m));
  return true;
}

/* Every cache increments one counter; each value before an increment comes up once. */
static bool counter(struct atomic_merge *m) {
  enum { EACH = 300 };
  static bool seen[CACHES * EACH];
  unsigned issued[CACHES] = {0}, answered = 0;
  struct atomic_merge_result r;
  uint64_t ticket;
  const struct atomic_merge_request add = {.op = ATOMIC_MERGE_ADD, .bytes = 4, .addr = 0x40, .data = 1};
  memset(seen, 0, sizeof seen);
  while (answered < CACHES * EACH) {
    for (unsigned i = 0; i < CACHES; i++) {
      if (issued[i] < EACH) issued[i] += atomic_merge_issue(m, i, &add, &ticket);
      for (; atomic_merge_answer(m, i, &ticket, &r); answered++) {
        CHECK(r.status == ATOMIC_MERGE_DONE && r.value < CACHES * EACH && !seen[r.value]);
        seen[r.value] = true;
      }
    }
    atomic_merge_advance(m, 1);
    CHECK(atomic_merge_cycle(m) < 100000);
  }
  CHECK(atomic_merge_atomic(m, 3, ATOMIC_MERGE_ADD, 0x40, 0).value == CACHES * EACH);
  CHECK(atomic_merge_transfers(m) < CACHES * EACH / 4); /* one visit of the line serves many */
  return true;
}

static bool tickets(struct atomic_merge *m) {
  uint64_t miss, hit, ticket, begin;
  struct atomic_merge_result r;
  struct atomic_merge_request load = {.op = ATOMIC_MERGE_LOAD, .bytes = 4, .addr = 0x80}, far = load;
  far.addr = 0x200;
  CHECK(atomic_merge_execute(m, 0, &load).status == ATOMIC_MERGE_DONE);
  begin = atomic_merge_cycle(m);
  CHECK(atomic_merge_issue(m, 0, &far, &miss) && !atomic_merge_issue(m, 0, &load, &hit));
  atomic_merge_advance(m, 4);
  CHECK(atomic_merge_issue(m, 0, &load, &hit) && hit != miss && atomic_merge_under_way(m, 0) == 2);
  r = atomic_merge_execute(m, 0, &load); /* its own answer, not one of those before it */
  CHECK(r.status == ATOMIC_MERGE_DONE && r.cycles < 30);
  atomic_merge_advance(m, 200);
  CHECK(atomic_merge_answer(m, 0, &ticket, &r) && ticket == hit && r.cycles < 20);
  CHECK(atomic_merge_answer(m, 0, &ticket, &r) && ticket == miss && r.cycles >= 60 && r.cycles < 120);
  CHECK(!atomic_merge_answer(m, 0, &ticket, &r) && !atomic_merge_under_way(m, 0) && atomic_merge_cycle(m) > begin);
  unsigned n = 0;
  for (; n < 100 && atomic_merge_issue(m, 1, &load, &ticket); n++) atomic_merge_advance(m, 100);
  CHECK(n == 16); /* thread ids */
  return true;
}

static bool refusals(struct atomic_merge *m) {
  struct atomic_merge_request r = {.op = ATOMIC_MERGE_ADD, .bytes = 4, .addr = 2, .data = 1};
  uint64_t begin = atomic_merge_cycle(m), ticket;
  CHECK(atomic_merge_execute(m, CACHES, &r).status == ATOMIC_MERGE_NO_CACHE && !atomic_merge_issue(m, CACHES, &r, &ticket));
  r.bytes = 3;
  CHECK(atomic_merge_execute(m, 0, &r).status == ATOMIC_MERGE_RANGE && atomic_merge_cycle(m) == begin);
  r.bytes = 4; /* misaligned */
  CHECK(atomic_merge_execute(m, 0, &r).status == ATOMIC_MERGE_REFUSED);
  r.addr = 4;
  r.bytes = 2; /* an atomic of two bytes */
  CHECK(atomic_merge_execute(m, 0, &r).status == ATOMIC_MERGE_REFUSED);
  r.bytes = 4;
  r.addr = BYTES + 8;
  CHECK(atomic_merge_execute(m, 0, &r).status == ATOMIC_MERGE_MEMORY_ERROR);
  CHECK(atomic_merge_execute(m, 1, &r).status == ATOMIC_MERGE_MEMORY_ERROR); /* nobody owns it */
  r.addr = 4;
  CHECK(atomic_merge_execute(m, 1, &r).status == ATOMIC_MERGE_DONE && atomic_merge_atomic(m, 0, ATOMIC_MERGE_OR, 4, 0).value == 1);
  return true;
}

/* Every argument one past its range: refused with its own status; no time passes, and nothing is done. */
static bool past(struct atomic_merge *m) {
  const struct atomic_merge_request good = {.op = ATOMIC_MERGE_COMPARE_AND_SWAP, .bytes = 4, .addr = 0x20, .data = UINT32_MAX};
  static const enum atomic_merge_op unary[] = {ATOMIC_MERGE_LOAD, ATOMIC_MERGE_STORE, ATOMIC_MERGE_ADD, ATOMIC_MERGE_FLOAT_MAX};
  const uint64_t begin = atomic_merge_cycle(m);
  struct atomic_merge_request bad[7];
  uint64_t ticket;
  for (unsigned n = 0; n < 7; n++) bad[n] = good;
  bad[0].addr = UINT64_C(1) << 32; /* ADDR_W 32 */
  bad[1].addr = UINT64_C(0x700000000) + 0x20;
  bad[2].data = UINT64_C(1) << 32;
  bad[3].compare = UINT64_C(1) << 32;
  bad[4].bytes = 16;
  bad[5].mode = (enum atomic_merge_mode)4;
  bad[6].op = (enum atomic_merge_op)32;
  for (unsigned n = 0; n < 7; n++) {
    struct atomic_merge_result r = atomic_merge_execute(m, 1, &bad[n]);
    CHECK(r.status == ATOMIC_MERGE_RANGE && !r.cycles && atomic_merge_check(m, 1, &bad[n]) == ATOMIC_MERGE_RANGE);
    CHECK(!atomic_merge_issue(m, 1, &bad[n], &ticket));
    CHECK(atomic_merge_execute(m, CACHES, &bad[n]).status == ATOMIC_MERGE_NO_CACHE && !atomic_merge_issue(m, CACHES, &good, &ticket));
  }
  for (unsigned n = 0; n < sizeof unary / sizeof *unary; n++) {
    struct atomic_merge_request r = {.op = unary[n], .bytes = 4, .addr = UINT64_C(1) << 32};
    CHECK(atomic_merge_check(m, 0, &r) == ATOMIC_MERGE_RANGE);
    r.addr = 0;
    r.data = UINT64_C(1) << 32;
    CHECK(atomic_merge_check(m, 0, &r) == (unary[n] == ATOMIC_MERGE_LOAD ? ATOMIC_MERGE_DONE : ATOMIC_MERGE_RANGE));
  }
  for (unsigned bytes = 1; bytes < 8; bytes *= 2) {
    struct atomic_merge_request store = {.op = ATOMIC_MERGE_STORE, .bytes = bytes, .addr = 0x20, .data = UINT64_C(1) << 8 * bytes};
    CHECK(atomic_merge_execute(m, 0, &store).status == ATOMIC_MERGE_RANGE);
  }
  CHECK(atomic_merge_atomic(m, 0, ATOMIC_MERGE_ADD, UINT64_C(0x800000000), 1).status == ATOMIC_MERGE_RANGE);
  CHECK(atomic_merge_atomic(m, 0, (enum atomic_merge_op)32, 0, 1).status == ATOMIC_MERGE_RANGE);
  CHECK(atomic_merge_atomic(m, CACHES, ATOMIC_MERGE_ADD, 0, 1).status == ATOMIC_MERGE_NO_CACHE);
  CHECK(!atomic_merge_under_way(m, 0) && !atomic_merge_under_way(m, 1) && !atomic_merge_under_way(m, CACHES) && atomic_merge_cycle(m) == begin);
  struct atomic_merge_result r = atomic_merge_execute(m, 1, &good); /* the widest that fits; nothing stood there */
  CHECK(r.status == ATOMIC_MERGE_DONE && r.value == 0 && atomic_merge_atomic(m, 0, ATOMIC_MERGE_OR, 0x20, 0).value == UINT32_MAX);
  return true;
}

static bool wrong(struct atomic_merge *m) {
  (void)m;
  struct simt_remote remote = {.read = read_line, .write = write_line, .cycles = 1, .ctx = &memory};
  struct atomic_merge_setup good = {.caches = 1, .memory = &remote}, setup = good;
  struct simt_diag diag[3] = {{0}};
  setup.caches = 65;
  CHECK(!atomic_merge_create(&setup, &diag[0]) && !strcmp(diag[0].name, "caches"));
  setup = good;
  setup.params = (const char *const[]){"LINES=7", NULL};
  CHECK(!atomic_merge_create(&setup, &diag[1]) && !strcmp(diag[1].name, "LINES"));
  setup = good;
  setup.memory = NULL;
  CHECK(!atomic_merge_create(&setup, &diag[2]) && !strcmp(diag[2].name, "memory"));
  struct atomic_merge *all = atomic_merge_create(&good, &diag[2]); /* all defaults */
  CHECK(all);
  atomic_merge_destroy(all);
  return true;
}

int main(int argc, char **argv) {
  static const struct { bool (*run)(struct atomic_merge *); const char *name; } tests[] = {
    {sequential, "requests one after the other, as on an array [AM-1 AM-2 AM-3]"},
    {counter, "a counter of four caches: values are a permutation [AM-7 AM-8 AM-10 AM-15]"},
    {tickets, "answers out of order have their tickets and cycles"}, {refusals, "refusals and errors of memory [AM-16]"},
    {past, "every argument one past its range is refused, without effect"}, {wrong, "wrong parameters, number of caches, no memory"}};
  int failed = 0;
  memory.plant = argc > 1 && !strcmp(argv[1], "plant");
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
    struct atomic_merge *m = make();
    bool good = m && tests[i].run(m);
    printf("%s atomic_merge API: %s\n", good ? "ok" : "not ok", tests[i].name);
    atomic_merge_destroy(m);
    failed |= !good;
  }
  return failed;
}
