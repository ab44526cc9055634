/* SPDX-License-Identifier: Apache-2.0 */
/* rules_test.c: what docs/atomic_merge.md says of single requests, asked at the ports of the model. A line for each rule that is
 * broken, and status 1. */
#include "bench.h"

static void must(struct bench *b, const char *rule, uint64_t got, uint64_t wanted) {
  if (got == wanted) return;
  printf("BROKEN %s: got 0x%llx, wanted 0x%llx\n", rule, (unsigned long long)got, (unsigned long long)wanted);
  b->failed = true;
}

/* A request with all its fields, and its answer. */
static struct bench_answer full(struct bench *b, unsigned op, unsigned size, unsigned mode, unsigned addr, uint64_t data, uint64_t compare) {
  const uint64_t before = b->answered;
  const unsigned tid = b->tid % (1u << b->l.tid_w);
  ask(b, op, mode, addr);
  b->in[b->at.req_size] = size;
  b->in[b->at.req_mode] = mode;
  simt_put64(&b->in[b->at.req_data], data);
  simt_put64(&b->in[b->at.req_compare], compare);
  for (const uint64_t taken = b->taken; b->taken == taken;) tick(b);
  b->in[b->at.req_valid] = 0;
  for (unsigned i = 0; i < 400 && b->answered == before; i++) tick(b);
  for (uint64_t i = before; i < b->answered; i++)
    if (b->answer[i].tid == tid) return b->answer[i];
  return (struct bench_answer){.status = 99};
}

static void modes(struct bench *b) {
  begin(b, true);
  must(b, "a store is done", full(b, AM_STORE, 2, AM_RETURN, 0, 0x1234, 0).status, AM_OK);
  must(b, "a store of mode 0 answers 0", full(b, AM_STORE, 2, AM_RETURN, 0, 0x5678, 0).data, 0);
  must(b, "the store before it is there", full(b, AM_LOAD, 2, AM_RETURN, 0, 0, 0).data, 0x5678);
  must(b, "a load of mode 1 or 2 has its value, too", full(b, AM_LOAD, 2, AM_RELAXED, 0, 0, 0).data, 0x5678);
  static const unsigned op[] = {AM_LOAD, AM_STORE, AM_FENCE, AM_FLUSH, AM_ADD};
  for (unsigned i = 0; i < 5; i++) must(b, "mode 3 is refused, whatever the operation", full(b, op[i], 2, 3, 0, 1, 0).status, AM_REFUSED);
  must(b, "what is refused changes nothing", full(b, AM_LOAD, 2, AM_RETURN, 0, 0, 0).data, 0x5678);
}

static void ignored(struct bench *b) {
  begin(b, true);
  for (unsigned op = AM_FENCE; op <= AM_FLUSH; op++)
    for (unsigned mode = 0; mode < 3; mode++) {
      const struct bench_answer a = full(b, op, mode, mode, 7, ~(uint64_t)0, ~(uint64_t)0);
      must(b, "a fence or flush ignores address, size, operand and comparison value", a.status, AM_OK);
      must(b, "a fence or flush answers 0", a.data, 0);
    }
  begin(b, true);
  full(b, AM_STORE, 2, AM_RETURN, 0, 0xabcdef0000000007, 0);
  must(b, "bits of the operand above the size mean nothing", full(b, AM_LOAD, 3, AM_RETURN, 0, 0, 0).data, 7);
  must(b, "bits to compare above the size mean nothing", full(b, AM_CAS, 2, AM_RETURN, 0, 9, 0xffffffff00000007).data, 7);
  must(b, "so the exchange was made", full(b, AM_LOAD, 2, AM_RETURN, 0, 0, 0).data, 9);
  must(b, "K - 1 that does not fit the size is refused", full(b, AM_INC, 2, AM_RETURN, 0, 0, 0x100000009).status, AM_REFUSED);
  must(b, "an operand of K or more is refused", full(b, AM_MOD, 2, AM_RETURN, 0, 10, 9).status, AM_REFUSED);
  must(b, "its bits above the size mean nothing", full(b, AM_MOD, 2, AM_RETURN, 0, 0x1000000001, 9).status, AM_OK);
}

static unsigned status_of(const struct bench *b, unsigned tid) {
  for (unsigned i = 0; i < b->answered && i < BENCH_ANSWERS; i++)
    if (b->answer[i].tid == tid) return b->answer[i].status;
  return 99;
}

/* A relaxed atomic that joined is answered before, and counted when it is lost; one that waits gets the error. */
static void lost(struct bench *b) {
  begin(b, false);
  b->withholds = b->fails = true;
  one(b, AM_ADD, AM_RELAXED, 0);   /* thread 0 joins */
  one(b, AM_ADD, AM_RELAXED, 4);   /* 1 */
  one(b, AM_XOR, AM_RELAXED, 8);   /* 2 waits: the temporary line is one of adds */
  one(b, AM_ADD, AM_STRICT, 0);    /* 3 is parked */
  idle(b, 60);
  must(b, "a relaxed atomic that joined is answered at once", status_of(b, 0), AM_OK);
  must(b, "a relaxed atomic that waits is not", status_of(b, 2), 99);
  b->withholds = false;
  idle(b, 200);
  must(b, "a relaxed atomic that waits gets the error of its fetch", status_of(b, 2), AM_MEMORY_ERROR);
  must(b, "a strict one, too", status_of(b, 3), AM_MEMORY_ERROR);
  must(b, "the relaxed ones that were answered are counted", b->out[b->at.lost], 2);
}

/* The fence is answered when all before it have their place; their answers are told one by one. */
static void fences(struct bench *b) {
  enum { N = 12 };
  begin(b, false);
  b->withholds = b->fails = true;
  for (unsigned i = 0; i < N; i++) one(b, AM_ADD, AM_RETURN, 0);
  idle(b, 40);
  one(b, AM_FENCE, AM_RETURN, 0);
  idle(b, 40);
  must(b, "a fence waits for what has no place", status_of(b, N), 99);
  b->withholds = false;
  idle(b, 200);
  unsigned before = 0;
  for (unsigned i = 0; i < b->answered; i++) {
    if (b->answer[i].tid == N) break;
    before += b->answer[i].status == AM_MEMORY_ERROR;
  }
  must(b, "all are answered", b->answered, N + 1);
  if (before == N) must(b, "a fence may come before the error of an older request", before, N - 1);
}

static void numbers(struct bench *b) {
  static const uint64_t none = 0x7fc00000, quiet = 0xffc12345, signalling = 0x7f800001, one_point = 0x3f800000, minus_zero = 0x80000000;
  static const struct { uint64_t m, y, min, max; } of[] = {
    {none, one_point, one_point, one_point}, {one_point, quiet, one_point, one_point}, {signalling, one_point, one_point, one_point},
    {quiet, signalling, none, none}, {signalling, signalling, none, none}, {0, minus_zero, minus_zero, 0}, {minus_zero, 0, minus_zero, 0}};
  for (unsigned i = 0; i < sizeof of / sizeof *of; i++)
    for (unsigned max = 0; max < 2; max++) {
      begin(b, true);
      full(b, AM_STORE, 2, AM_RETURN, 0, of[i].m, 0);
      must(b, "what minimum and maximum return is memory's value", full(b, max ? AM_FMAX : AM_FMIN, 2, AM_RETURN, 0, of[i].y, 0).data, of[i].m);
      must(b, "a number goes before a NaN, two give the canonical quiet one", full(b, AM_LOAD, 2, AM_RETURN, 0, 0, 0).data, max ? of[i].max : of[i].min);
      begin(b, false); /* the same in a temporary line, and an item beside that nobody touches */
      b->withholds = true;
      b->fill = of[i].m | signalling << 32;
      one(b, AM_LOAD, AM_RETURN, b->l.line_bytes); /* another line, so that the operand may be set */
      full(b, max ? AM_FMAX : AM_FMIN, 2, AM_RELAXED, 0, of[i].y, 0);
      idle(b, 60);
      b->withholds = false;
      idle(b, 300);
      must(b, "so it is behind a merge", full(b, AM_LOAD, 2, AM_RETURN, 0, 0, 0).data, max ? of[i].max : of[i].min);
      must(b, "an item that nobody touched keeps its bits", full(b, AM_LOAD, 2, AM_RETURN, 4, 0, 0).data, signalling);
    }
}

static unsigned log2_of(unsigned n) { return n > 1 ? 1 + log2_of((n + 1) / 2) : 0; }

static void widths(struct bench *b) {
  must(b, "home_tag_i and fetch_tag_o number the misses", simt_find_port(&b->cfg, "home_tag_i")->width, log2_of(b->l.misses));
  must(b, "wit_temp_o numbers MISSES * MAX_TEMPS temporary lines", simt_find_port(&b->cfg, "wit_temp_o")->width, log2_of(b->l.misses * b->l.max_temps));
}

int main(int argc, char **argv) {
  struct bench b = {.cycle = 0};
  const int wrong = bench_open(&b, argc - 1, argv + 1);
  if (wrong) return wrong;
  modes(&b);
  ignored(&b);
  lost(&b);
  fences(&b);
  numbers(&b);
  widths(&b);
  bench_close(&b);
  if (!b.failed) printf("PASS\n");
  return b.failed;
}
