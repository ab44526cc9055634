/* SPDX-License-Identifier: Apache-2.0 */
/* rates_test.c: the rates and latencies of the datasheet, measured on the model. Arguments: NAME=VALUE of the configuration. A line
 * for each value: what the datasheet says and what was measured; status 1 if one of them differs. */
#include "bench.h"

extern const struct simt_block simt_block_atomic_system;

enum { CYCLES = 7000 };

/* Requests that are accepted in so many cycles, on these words in turn. */
static unsigned accepted(struct bench *b, unsigned op, unsigned mode, unsigned words, unsigned cycles) {
  unsigned warm = 300;
  uint64_t before = 0;
  for (unsigned i = 0; i < warm + cycles; i++) {
    if (i == warm) before = b->taken;
    ask(b, op, mode, 8 * (unsigned)(b->tid % words));
    tick(b);
  }
  if (b->refused) printf("%u requests of operation %u are refused\n", (unsigned)b->refused, op), b->failed = true;
  return (unsigned)(b->taken - before);
}

static void same(struct bench *b, const char *name, const char *of, unsigned measured) {
  const struct simt_derived *d = simt_find_derived(&b->cfg, name);
  const bool good = d && d->value == measured;
  if (d) printf("%s %s%s: stated %llu, measured %u\n", good ? "same" : "DIFFERS", name, of, (unsigned long long)d->value, measured);
  else printf("NOT STATED %s%s: measured %u\n", name, of, measured);
  b->failed |= !good;
}

static unsigned hundredths(unsigned n, unsigned of) { return 100 * n / of; }

static void rates(struct bench *b, unsigned op) {
  const unsigned words = b->l.line_bytes / 4; /* pairs of two lines */
  begin(b, true);
  same(b, "RATE", " (lines that are here)", hundredths(accepted(b, op, AM_STRICT, words, CYCLES), CYCLES));
  if (op == AM_LOAD || am_keeps(&b->l, op) || !am_merges(&b->l, op)) return;
  begin(b, false);
  b->withholds = true;
  same(b, "RATE", " (temporary lines)", hundredths(accepted(b, op, AM_RELAXED, words, CYCLES), CYCLES));
}

/* Cycles from one request to the next that the same item takes, where the queue is long enough. */
static void gaps(struct bench *b) {
  static const struct { unsigned op; const char *name; } of[] = {
    {AM_LOAD, "GAP"}, {AM_STORE, "GAP"}, {AM_ADD, "GAP"}, {AM_AND, "GAP"}, {AM_SWAP, "GAP"}, {AM_SMIN, "GAP_CHOICE"}, {AM_UMAX, "GAP_CHOICE"},
    {AM_CAS, "GAP_CHOICE"}, {AM_SAT, "GAP_CHOICE"}, {AM_INC, "GAP_UNIT"}, {AM_MOD, "GAP_UNIT"}, {AM_MUL, "GAP_UNIT"}, {AM_FADD, "GAP_UNIT"},
    {AM_FMUL, "GAP_UNIT"}, {AM_FMIN, "GAP_UNIT"}};
  for (unsigned i = 0; i < sizeof of / sizeof *of; i++) {
    if (am_is_atomic(of[i].op) && b->l.policy[of[i].op] == AM_NOT_BUILT) continue;
    char text[40];
    snprintf(text, sizeof text, " (operation %u)", of[i].op);
    begin(b, true);
    const unsigned n = accepted(b, of[i].op, AM_RETURN, 1, CYCLES);
    same(b, of[i].name, text, (CYCLES + n / 2) / n);
  }
}

static void latency(struct bench *b) {
  begin(b, true);
  one(b, AM_LOAD, AM_RETURN, 0);
  const uint64_t taken = b->last_taken;
  idle(b, 100);
  same(b, "LATENCY", "", (unsigned)(b->last_answer - taken));
}

/* One temporary line, nothing waits, a snoop right behind the fill: to the first beat of the release. */
static void release(struct bench *b, unsigned op, const char *name) {
  char text[40];
  snprintf(text, sizeof text, " (operation %u)", op);
  begin(b, false);
  b->withholds = true;
  one(b, op, AM_RELAXED, 0);
  idle(b, 100);
  b->withholds = false;
  b->snoops = true;
  b->first_release = 0;
  idle(b, 400);
  same(b, name, text, b->first_release ? (unsigned)(b->first_release - b->last_beat) : 0);
}

/* A system of such caches says of each what the cache says. */
static void says_the_same(struct bench *b, struct simt_config *system) {
  static const char *const name[] = {"LATENCY", "RATE", "GAP", "GAP_CHOICE", "GAP_UNIT", "MERGE_CYCLES", "MERGE_MODULO", "MERGE_ITEMS", "RELEASE_CYCLES",
                                     "RELEASE_MODULO", "RELEASE_ITEMS"};
  for (unsigned i = 0; i < sizeof name / sizeof *name; i++) {
    const struct simt_derived *a = simt_find_derived(&b->cfg, name[i]), *c = simt_find_derived(system, name[i]);
    if (!a == !c && (!a || a->value == c->value)) continue;
    printf("DIFFERS %s of atomic_system\n", name[i]);
    b->failed = true;
  }
}

int main(int argc, char **argv) {
  struct bench b = {.cycle = 0};
  struct simt_config system = {0};
  struct simt_diag diag = {0};
  const int wrong = bench_open(&b, argc - 1, argv + 1);
  if (wrong) return wrong;
  simt_config_init(&system, &simt_block_atomic_system);
  for (int i = 1; i < argc; i++) {
    char *value = strchr(argv[i], '=');
    *value++ = 0;
    simt_set_param(&system, argv[i], value, &diag); /* COUNTERS and HALT_MODE are the cache's alone */
  }
  if (!simt_resolve(&system, &diag)) return 2;
  unsigned op = AM_LOAD;
  for (unsigned i = AM_ADD; i <= AM_SWAP && op == AM_LOAD; i++)
    if (b.l.policy[i] != AM_NOT_BUILT && !am_is_slow(i)) op = i;
  says_the_same(&b, &system);
  latency(&b);
  rates(&b, op);
  if (b.l.queue >= 8) gaps(&b);
  if (op != AM_LOAD) release(&b, op, "RELEASE_CYCLES");
  if (b.l.policy[AM_INC] != AM_NOT_BUILT) release(&b, AM_INC, "RELEASE_MODULO");
  if (b.l.policy[AM_MUL] != AM_NOT_BUILT) release(&b, AM_MUL, "RELEASE_ITEMS");
  if (b.l.policy[AM_FMIN] != AM_NOT_BUILT) release(&b, AM_FMIN, "RELEASE_ITEMS");
  bench_close(&b);
  simt_config_free(&system);
  return b.failed;
}
