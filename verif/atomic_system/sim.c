/* SPDX-License-Identifier: Apache-2.0 */
/* sim.c: `simtgen sim atomic_system`: recorded atomics on the caches of a system, with and without merging; the
 * serial-order checker watches, and memory is compared in the end. */
#include "atomic_system/sim.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atomic_merge/trace.h"
#include "atomic_system/env.h"

enum { REPEAT, STRICT, REPLAYS };
const struct simt_replay_option as_replay[] = {
  [REPEAT] = {"repeat", 1, 1, 1000000, "", "how often each cache runs its part of the trace"},
  [STRICT] = {"strict", 0, 0, 1, "", "1: atomics whose result is not used are strict, 0: relaxed"},
  [REPLAYS] = {NULL, 0, 0, 0, NULL, NULL}};
const struct simt_named as_pickers[] = {
  {"recorded", "Work-group g runs on cache g modulo CACHES, in the order of the file.", ""}, {NULL, NULL, NULL}};

enum { PATIENCE = 200000, DEFAULT_LATENCY = 20, ROUNDS = 1 << 16, CALM = 1000 };

struct as_runner {
  struct amc_request *request;
  size_t n, at;
  uint64_t rounds;
  unsigned tid, n_live;
  bool offers, flushing, flushed, *live;
  struct amc_request now;
};
struct as_run {
  struct simt_config cfg; /* with WITNESS */
  struct am_layout l;
  struct as_ports at;
  unsigned caches;
  uint64_t repeat, cycle, moved, placed, operations, last, idle, merges, n_round, round_limit, hot, stats[16];
  bool any_merge;
  struct { uint64_t cycle, placed; } *round; /* at each merge of the first line that was merged */
  struct as_runner *runner;
  void *model;
  uint32_t *in, *out;
  struct simt_memory *memory;
  struct am_checker *checker;
  struct simt_diag *diag;
};

static bool wrong(struct as_run *s, const char *what) { return simt_fail(s->diag, "C model", what, "one serial order (a fault of the model)"); }
static bool has_bit(const uint32_t *w, unsigned i) { return w[i / 32] >> i % 32 & 1; }

static bool all_done(const struct as_run *s) {
  for (unsigned i = 0; i < s->caches; i++)
    if (s->runner[i].n && s->runner[i].rounds < s->repeat) return false;
  return true;
}

static void offer(struct as_run *s, unsigned i, bool done) {
  struct as_runner *r = &s->runner[i];
  if (r->offers) return;
  const bool ended = !r->n || r->rounds == s->repeat;
  if (ended && (!done || r->n_live || r->flushing)) return;
  const unsigned tids = 1u << s->l.tid_w;
  for (unsigned k = 0; r->live[r->tid]; k++, r->tid = (r->tid + 1) % tids)
    if (k == tids) return;
  r->now = ended ? (struct amc_request){.op = AM_FLUSH} : r->request[r->at];
  r->flushing = ended;
  r->now.tid = r->tid;
  r->offers = true;
}

static void drive(struct as_run *s) {
  const bool done = all_done(s);
  for (unsigned i = 0; i < s->caches; i++) {
    offer(s, i, done);
    const struct as_runner *r = &s->runner[i];
    simt_put_bits(&s->in[s->at.req_valid], i, 1, r->offers);
    simt_put_bits(&s->in[s->at.ans_ready], i, 1, 1);
    if (!r->offers) continue;
    simt_put_bits(&s->in[s->at.req_op], 5 * i, 5, r->now.op);
    simt_put_bits(&s->in[s->at.req_size], 2 * i, 2, r->now.size);
    simt_put_bits(&s->in[s->at.req_mode], 2 * i, 2, r->now.mode);
    simt_put_bits(&s->in[s->at.req_addr], s->l.addr_w * i, s->l.addr_w, r->now.addr);
    simt_put64(&s->in[s->at.req_data + 2 * i], r->now.data);
    simt_put64(&s->in[s->at.req_compare + 2 * i], r->now.compare);
    simt_put_bits(&s->in[s->at.req_tid], s->l.tid_w * i, s->l.tid_w, r->now.tid);
  }
  simt_memory_drive(s->memory, 0, s->in);
}

static bool see_witness(struct as_run *s, unsigned i) {
  const unsigned tid = (unsigned)simt_get_bits(&s->out[s->at.wit_tid], s->l.tid_w * i, s->l.tid_w);
  const unsigned temp = (unsigned)simt_get_bits(&s->out[s->at.wit_temp], s->l.temp_w * i, s->l.temp_w);
  unsigned requests = 1;
  uint64_t line = 0;
  const char *bad;
  switch (simt_get_bits(&s->out[s->at.wit_kind], 2 * i, 2)) {
  case AM_PERFORMED: bad = amc_perform(s->checker, i, tid, NULL); break;
  case AM_JOINED:
    bad = amc_join(s->checker, i, tid, temp, NULL);
    requests = 0;
    break;
  default:
    bad = amc_merge(s->checker, i, temp, &line, &requests);
    s->merges++;
    if (!s->any_merge && requests) s->any_merge = true, s->hot = line;
    if (requests && line == s->hot && s->n_round < ROUNDS) s->round[s->n_round].cycle = s->cycle, s->round[s->n_round++].placed = s->placed + requests;
  }
  s->placed += requests;
  if (requests) s->last = s->cycle + 1;
  return !bad || wrong(s, bad);
}

static bool see_answer(struct as_run *s, unsigned i) {
  struct as_runner *r = &s->runner[i];
  const unsigned tid = (unsigned)simt_get_bits(&s->out[s->at.ans_tid], s->l.tid_w * i, s->l.tid_w);
  const unsigned status = (unsigned)simt_get_bits(&s->out[s->at.ans_status], 2 * i, 2);
  const char *bad = amc_answer(s->checker, i, tid, status, simt_get64(&s->out[s->at.ans_data + 2 * i]), NULL);
  if (!bad && status) bad = "a good request gets an error";
  r->live[tid] = false;
  r->n_live--;
  r->flushed = r->flushing && !r->n_live && !r->offers;
  s->moved = s->cycle;
  return !bad || wrong(s, bad);
}

static bool see_request(struct as_run *s, unsigned i) {
  struct as_runner *r = &s->runner[i];
  if (!r->offers) return true;
  if (!has_bit(&s->out[s->at.req_ready], i)) {
    s->idle += !r->flushing;
    return true;
  }
  r->offers = false;
  r->live[r->now.tid] = true;
  r->n_live++;
  if (!r->flushing) {
    s->operations++;
    if (++r->at == r->n) r->at = 0, r->rounds++;
    if (r->rounds == s->repeat && !s->round_limit) s->round_limit = s->n_round;
  }
  const char *bad = amc_accept(s->checker, i, &r->now);
  return !bad || wrong(s, bad);
}

static bool cycle(struct as_run *s) {
  const struct simt_model_ops *ops = &s->cfg.block->model;
  ops->outputs(s->model, s->out);
  drive(s);
  const char *bad = simt_memory_observe(s->memory, s->in, s->out);
  if (bad) return wrong(s, bad);
  for (unsigned i = 0; i < s->caches; i++)
    if (has_bit(&s->out[s->at.wit_valid], i) && !see_witness(s, i)) return false;
  for (unsigned i = 0; i < s->caches; i++)
    if (has_bit(&s->out[s->at.ans_valid], i) && !see_answer(s, i)) return false;
  for (unsigned i = 0; i < s->caches; i++)
    if (!see_request(s, i)) return false;
  if (simt_memory_answered(s->memory)) s->moved = s->cycle;
  ops->step(s->model, s->in);
  s->cycle++;
  return true;
}

static bool all_flushed(const struct as_run *s) {
  for (unsigned i = 0; i < s->caches; i++)
    if (!s->runner[i].flushed) return false;
  return true;
}

static bool run(struct as_run *s, const struct am_trace *t, const volatile int *stop) {
  while (!all_flushed(s) || simt_memory_counts(s->memory).under_way || s->cycle < s->moved + CALM) {
    if (s->cycle % 4096 == 0 && stop && *stop) return false;
    if (s->cycle > s->moved + PATIENCE) return simt_fail(s->diag, "C model", "no answer for a long time", "progress (a fault of the model)");
    if (!cycle(s)) return false;
  }
  const char *bad = amc_end(s->checker);
  if (bad) return wrong(s, bad);
  for (size_t i = 0; i < t->n; i++) {
    const uint64_t line = t->op[i].r.addr / s->l.line_bytes;
    uint8_t there[128];
    simt_memory_peek(s->memory, line * s->l.line_bytes, there, s->l.line_bytes);
    if (memcmp(there, amc_line(s->checker, line), s->l.line_bytes)) return wrong(s, "memory differs from what the serial order gives");
  }
  return true;
}

/* ---- setting up --------------------------------------------------------------------------------------------------- */

static bool share_out(struct as_run *s, const struct am_trace *t, const uint64_t *option, bool merging) {
  for (unsigned c = 0; c < s->caches; c++) {
    struct as_runner *r = &s->runner[c];
    r->live = calloc((size_t)1 << s->l.tid_w, sizeof *r->live);
    r->request = calloc(t->n + 1, sizeof *r->request);
    if (!r->live || !r->request) return false;
    for (size_t i = 0; i < t->n; i++) {
      if (t->op[i].group % s->caches != c) continue;
      struct amc_request *q = &r->request[r->n++];
      *q = t->op[i].r;
      if (q->mode == AM_RELAXED && option[STRICT]) q->mode = AM_STRICT;
      if (!merging) q->op = AM_STORE; /* waits for the line and is performed there, as an atomic would be */
    }
  }
  const uint8_t zero[128] = {0};
  for (size_t i = 0; i < t->n; i++) simt_memory_poke(s->memory, t->op[i].r.addr / s->l.line_bytes * s->l.line_bytes, zero, s->l.line_bytes);
  return true;
}

static bool create(struct as_run *s, const struct simt_config *cfg, unsigned latency) {
  simt_config_init(&s->cfg, cfg->block);
  memcpy(s->cfg.value, cfg->value, sizeof s->cfg.value);
  s->cfg.value[simt_param_index(&s->cfg, "WITNESS")] = 1; /* for the checker; nothing else depends on it */
  struct simt_config cache;
  memset(&cache, 0, sizeof cache);
  bool good = simt_resolve(&s->cfg, s->diag) && as_resolve_cache(s->cfg.value, &cache, s->diag);
  if (good) am_layout(cache.value, &s->l);
  simt_config_free(&cache);
  if (!good) return false;
  s->caches = as_caches(&s->cfg);
  as_ports_bind(&s->at, &s->cfg);
  struct amc_rules rules = {s->caches, s->l.line_bytes, s->l.tid_w, s->l.temps, s->l.wide, 0, s->l.big_endian, 0};
  for (unsigned op = AM_ADD; op < AM_OPS; op++) rules.built |= (uint32_t)(s->l.policy[op] != AM_NOT_BUILT) << op;
  for (unsigned op = AM_ADD; op < AM_OPS; op++) rules.keep |= (uint32_t)am_keeps(&s->l, op) << op;
  s->runner = calloc(s->caches, sizeof *s->runner);
  s->round = calloc(ROUNDS, sizeof *s->round);
  s->in = calloc(s->cfg.desc.in_words, sizeof *s->in);
  s->out = calloc(s->cfg.desc.out_words, sizeof *s->out);
  s->model = s->cfg.block->model.create(&s->cfg, s->diag);
  s->memory = simt_memory_create(&s->cfg, s->diag);
  s->checker = amc_create(&rules);
  if (s->memory) simt_memory_fixed(s->memory, latency ? latency : DEFAULT_LATENCY);
  return s->runner && s->round && s->in && s->out && s->model && s->memory && s->checker;
}

static void destroy(struct as_run *s) {
  for (unsigned i = 0; s->runner && i < s->caches; i++) {
    free(s->runner[i].request);
    free(s->runner[i].live);
  }
  free(s->runner);
  free(s->round);
  free(s->in);
  free(s->out);
  if (s->model) s->cfg.block->model.destroy(s->model);
  simt_memory_destroy(s->memory);
  amc_free(s->checker);
  simt_config_free(&s->cfg);
}

/* ---- results ------------------------------------------------------------------------------------------------------- */

enum { IN_PLACE, ACCUMULATED, WAITED, GRANTS, SNOOPS, RECALLS, READ, WRITTEN, SHOWN };
static const char *const shown[SHOWN] = {"performed_in_place", "accumulated", "waited", "grants", "snoops", "recalls", "lines_read", "lines_written"};

static void visit(void *ctx, const char *name, uint64_t value) {
  struct as_run *s = ctx;
  for (unsigned i = 0; i < SHOWN; i++)
    if (!strcmp(name, shown[i])) s->stats[i] = value;
}

static void put_result(struct as_run *s, const char *system, void (*put)(void *, const char *, double, const char *, const char *), void *ctx) {
  const uint64_t first = 2 * (uint64_t)s->caches, limit = s->round_limit - s->round_limit % s->caches;
  double rate = 0, visit_cycles = 0;
  if (limit > first) {
    const double cycles = (double)(s->round[limit - 1].cycle - s->round[first - 1].cycle);
    rate = (double)(s->round[limit - 1].placed - s->round[first - 1].placed) / cycles;
    visit_cycles = cycles / (double)(limit - first);
  }
  s->cfg.block->model.stats(s->model, visit, s);
  const struct { const char *name; double value; const char *unit, *doc; } row[] = {
    {"operations", (double)s->operations, "operations", "atomics of the trace"},
    {"cycles", (double)s->last, "cycles", "until the last one has its place in the serial order"},
    {"idle_cycles", (double)s->idle, "cycles", "of all caches, without an operation while work remained"},
    {"rate", (double)s->operations / (double)s->last, "per cycle", "operations, all caches together"},
    {"steady_rate", rate, "per cycle", "operations in whole rounds of the first line after two; 0: fewer rounds"},
    {"visit", visit_cycles, "cycles", "from a merge of that line to the next, in these rounds"},
    {"transfers", (double)s->stats[GRANTS], "lines", "fills"},
    {"snoops", (double)s->stats[SNOOPS], "snoops", "of the home"},
    {"recalls", (double)s->stats[RECALLS], "lines", "asked back for want of room in the directory"},
    {"lines_read", (double)s->stats[READ], "lines", "from memory"},
    {"lines_written", (double)s->stats[WRITTEN], "lines", "to memory"},
    {"merges", (double)s->merges, "merges", "temporary lines merged"},
    {"accumulated", (double)s->stats[ACCUMULATED], "operations", "in temporary lines"},
    {"in_place", (double)s->stats[IN_PLACE], "operations", "performed at lines that were present"},
    {"waited", (double)s->stats[WAITED], "operations", "that waited for their line"}};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    char name[64];
    snprintf(name, sizeof name, "%s%s", system, row[i].name);
    put(ctx, name, row[i].value, row[i].unit, row[i].doc);
  }
}

bool as_sim(const struct simt_config *cfg, const struct simt_stimulus *stim,
            void (*put)(void *ctx, const char *name, double value, const char *unit, const char *doc), void *ctx, struct simt_diag *diag) {
  uint64_t option[REPLAYS];
  for (unsigned i = 0; i < REPLAYS; i++) option[i] = stim->replay ? stim->replay[i] : as_replay[i].def;
  struct am_trace *t = am_trace_read(stim->trace, (unsigned)simt_param(cfg, "ADDR_W"), diag);
  bool good = t != NULL;
  for (int merging = 1; good && merging >= 0; merging--) {
    struct as_run s = {.diag = diag, .repeat = option[REPEAT]};
    good = (create(&s, cfg, stim->latency) && share_out(&s, t, option, merging != 0)) || simt_fail(diag, stim->trace, "no memory", "memory for the trace");
    good = good && run(&s, t, stim->stop);
    if (good) put_result(&s, merging ? "" : "no_merging.", put, ctx);
    destroy(&s);
  }
  am_trace_free(t);
  return good;
}
