/* SPDX-License-Identifier: Apache-2.0 */
/* rates_test.c: the rates and latencies of the datasheet, measured on the model. Arguments: NAME=VALUE of the configuration. A line
 * for each value: what the datasheet says and what was measured; status 1 if one of them differs. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atomic_merge/layout.h"
#include "core/ports.h"

extern const struct simt_block simt_block_atomic_merge, simt_block_atomic_system;

#define RATE_PORTS(PORT) PORT(req_valid, req_valid_i) PORT(req_ready, req_ready_o) PORT(req_op, req_op_i) PORT(req_size, req_size_i) \
  PORT(req_mode, req_mode_i) PORT(req_addr, req_addr_i) PORT(req_data, req_data_i) PORT(req_compare, req_compare_i) PORT(req_tid, req_tid_i) \
  PORT(ans_valid, ans_valid_o) PORT(ans_ready, ans_ready_i) PORT(ans_status, ans_status_o) PORT(fetch_valid, fetch_valid_o) \
  PORT(fetch_ready, fetch_ready_i) PORT(fetch_line, fetch_line_o) PORT(fetch_tag, fetch_tag_o) PORT(home_valid, home_valid_i) \
  PORT(home_ready, home_ready_o) PORT(home_snoop, home_snoop_i) PORT(home_tag, home_tag_i) PORT(home_line, home_line_i) \
  PORT(rel_valid, rel_valid_o) PORT(rel_ready, rel_ready_i)
SIMT_PORTS(rate_ports, RATE_PORTS)

enum { HELD = 8, CYCLES = 7000 };
struct bench {
  struct simt_config cfg;
  struct am_layout l;
  const struct simt_model_ops *ops;
  void *model;
  struct rate_ports at;
  uint32_t *in, *out;
  uint64_t cycle, taken, last_taken, answered, last_answer, refused, last_beat, first_release;
  struct { unsigned line, tag; } fetch[HELD];
  unsigned fetches, beat, tid;
  bool withholds, snoops; /* fills are not sent; a snoop for line 0 stands behind the fill */
  bool failed;
};

static void tick(struct bench *b) {
  const struct rate_ports *at = &b->at;
  uint32_t *in = b->in;
  b->ops->outputs(b->model, b->out);
  const uint32_t *out = b->out;
  in[at->ans_ready] = in[at->fetch_ready] = in[at->rel_ready] = 1;
  const bool fills = b->fetches && !b->withholds, snoops = !fills && b->snoops;
  in[at->home_valid] = fills || snoops;
  in[at->home_snoop] = snoops;
  in[at->home_tag] = fills ? b->fetch[0].tag : 0;
  in[at->home_line] = 0;
  if (in[at->home_valid] && out[at->home_ready]) {
    if (snoops) b->snoops = false;
    else if (++b->beat == b->l.beats) {
      b->beat = 0;
      b->last_beat = b->cycle;
      memmove(b->fetch, b->fetch + 1, --b->fetches * sizeof *b->fetch);
    }
  }
  if (in[at->req_valid] && out[at->req_ready]) b->taken++, b->last_taken = b->cycle, b->tid++;
  if (out[at->ans_valid]) b->answered++, b->last_answer = b->cycle, b->refused += out[at->ans_status] != AM_OK;
  if (out[at->rel_valid] && !b->first_release) b->first_release = b->cycle;
  if (out[at->fetch_valid]) {
    if (b->fetches == HELD) abort();
    b->fetch[b->fetches].line = out[at->fetch_line];
    b->fetch[b->fetches++].tag = out[at->fetch_tag];
  }
  b->ops->step(b->model, in);
  b->cycle++;
}

static void ask(struct bench *b, unsigned op, unsigned mode, unsigned addr) {
  uint32_t *in = b->in;
  in[b->at.req_valid] = 1;
  in[b->at.req_op] = op;
  in[b->at.req_size] = 2;
  in[b->at.req_mode] = op == AM_LOAD || op == AM_STORE ? AM_RETURN : mode;
  simt_put_bits(&in[b->at.req_addr], 0, b->l.addr_w, addr);
  simt_put64(&in[b->at.req_data], 0);
  simt_put64(&in[b->at.req_compare], am_is_modulo(op) ? 9 : 0);
  in[b->at.req_tid] = b->tid % (1u << b->l.tid_w);
}

static void idle(struct bench *b, unsigned cycles) {
  b->in[b->at.req_valid] = 0;
  while (cycles--) tick(b);
}

static void one(struct bench *b, unsigned op, unsigned mode, unsigned addr) {
  const uint64_t before = b->taken;
  ask(b, op, mode, addr);
  while (b->taken == before) tick(b);
  b->in[b->at.req_valid] = 0;
}

/* A reset, and lines 0 and 1 are here. */
static void begin(struct bench *b, bool here) {
  b->ops->reset(b->model);
  b->fetches = b->beat = 0;
  b->withholds = b->snoops = false;
  b->taken = b->answered = b->refused = 0;
  idle(b, (1u << b->l.tid_w) + 4);
  if (!here) return;
  one(b, AM_LOAD, AM_RETURN, 0);
  one(b, AM_LOAD, AM_RETURN, b->l.line_bytes);
  idle(b, 200);
}

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
  struct bench b = {.cfg = {0}};
  struct simt_diag diag = {0}, ignored = {0};
  struct simt_config system = {0};
  simt_config_init(&b.cfg, &simt_block_atomic_merge);
  simt_config_init(&system, &simt_block_atomic_system);
  for (int i = 1; i < argc; i++) {
    char *value = strchr(argv[i], '=');
    if (!value) return 2;
    *value++ = 0;
    if (!simt_set_param(&b.cfg, argv[i], value, &diag)) return 2;
    simt_set_param(&system, argv[i], value, &ignored); /* COUNTERS and HALT_MODE are the cache's alone */
  }
  if (!simt_resolve(&b.cfg, &diag) || !simt_resolve(&system, &diag)) {
    printf("%s %s: %s\n", diag.name, diag.got, diag.expected);
    return 2;
  }
  am_layout(b.cfg.value, &b.l);
  b.ops = simt_model(&b.cfg);
  b.model = b.ops->create(&b.cfg, &diag);
  b.in = calloc(b.cfg.desc.in_words + 1, sizeof *b.in);
  b.out = calloc(b.cfg.desc.out_words + 1, sizeof *b.out);
  if (!b.model || !b.in || !b.out) return 2;
  rate_ports_bind(&b.at, &b.cfg);
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
  b.ops->destroy(b.model);
  simt_config_free(&b.cfg);
  simt_config_free(&system);
  free(b.in);
  free(b.out);
  return b.failed;
}
