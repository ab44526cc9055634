/* SPDX-License-Identifier: Apache-2.0 */
/* sim.c: `simtgen sim atomic_merge`: recorded atomics on N caches, with and without merging. */
#include "atomic_merge/sim.h"

#include <stdlib.h>
#include <string.h>

#include "atomic_merge/layout.h"
#include "atomic_merge/system.h"
#include "atomic_merge/trace.h"

enum { CACHES, TRANSPORT, REPEAT, STRICT, REPLAYS };
const struct simt_replay_option am_replay[] = {
  [CACHES] = {"caches", 4, 1, 64, "caches", "work-group g runs on cache g modulo this"},
  [TRANSPORT] = {"transport", 20, 1, 10000, "cycles", "from the last beat of a release to the first beat of the next fill"},
  [REPEAT] = {"repeat", 1, 1, 1000000, "", "how often each cache runs its part of the trace"},
  [STRICT] = {"strict", 0, 0, 1, "", "1: atomics whose result is not used are strict, 0: relaxed"},
  [REPLAYS] = {NULL, 0, 0, 0, NULL, NULL}};
const struct simt_named am_pickers[] = {
  {"recorded", "Each cache runs its work-groups' atomics in the order of the file.", ""}, {NULL, NULL, NULL}};

struct am_replayed { struct amc_request *request; struct am_stream *stream; };

static bool split(const struct am_trace *t, const uint64_t *option, bool merging, struct am_replayed *r) {
  unsigned caches = (unsigned)option[CACHES];
  r->request = calloc(t->n, sizeof *r->request);
  r->stream = calloc(caches, sizeof *r->stream);
  if (!r->request || !r->stream) return false;
  size_t at = 0;
  for (unsigned c = 0; c < caches; c++) {
    r->stream[c] = (struct am_stream){&r->request[at], 0, option[REPEAT]};
    for (size_t i = 0; i < t->n; i++) {
      if (t->op[i].group % caches != c) continue;
      struct amc_request *q = &r->request[at++];
      *q = t->op[i].r;
      if (q->mode == AM_RELAXED && option[STRICT]) q->mode = AM_STRICT;
      if (!merging) q->op = AM_STORE; /* waits for the line and is performed there, as an atomic would be */
      r->stream[c].n++;
    }
  }
  return true;
}

/* Whether memory is what the atomics give one after the other in the order of the file. */
static int same_as_in_order(const struct simt_config *cfg, const struct am_trace *t, uint64_t repeat, struct am_checker *memory) {
  struct am_layout l;
  am_layout(cfg->value, &l);
  struct amc_rules rules = {1, l.line_bytes, 1, 1, true, UINT32_MAX, l.big_endian, 0};
  struct am_checker *serial = amc_create(&rules);
  if (!serial) return -1;
  int same = 1;
  for (uint64_t k = 0; k < repeat; k++)
    for (size_t i = 0; i < t->n; i++) {
      struct amc_request r = t->op[i].r;
      r.mode = AM_STRICT;
      if (amc_accept(serial, 0, &r) || amc_perform(serial, 0, 0, NULL) || amc_answer(serial, 0, 0, 0, 0, NULL)) same = -1;
    }
  for (size_t i = 0; i < t->n && same > 0; i++) {
    uint64_t line = t->op[i].r.addr / l.line_bytes;
    if (memcmp(amc_line(serial, line), amc_line(memory, line), l.line_bytes)) same = 0;
  }
  amc_free(serial);
  return same;
}

static void put_result(const struct am_system_result *r, const char *system, void (*put)(void *, const char *, double, const char *, const char *),
                       void *ctx) {
  char name[64];
  const struct { const char *name; double value; const char *unit, *doc; } row[] = {
    {"operations", (double)r->operations, "operations", "atomics of the trace"},
    {"cycles", (double)r->cycles, "cycles", "until the last one has its place in the serial order"},
    {"idle_cycles", (double)r->idle, "cycles", "of all caches, without an operation while work remained"},
    {"rate", (double)r->operations / (double)r->cycles, "per cycle", "operations, all caches together"},
    {"steady_rate", r->steady_rate, "per cycle", "operations in whole rounds of the first line after two; 0: fewer rounds"},
    {"hop", r->hop, "cycles", "from the end of a merge to the arrival of the first line at the next cache"},
    {"transfers", (double)r->transfers, "lines", "fills"},
    {"merges", (double)r->merges, "merges", "temporary lines merged"},
    {"accumulated", (double)r->accumulated, "operations", "in temporary lines"},
    {"in_place", (double)r->in_place, "operations", "performed at lines that were present"},
    {"waited", (double)r->waited, "operations", "that waited for their line"}};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
    size_t n = strlen(system);
    memcpy(name, system, n);
    memcpy(name + n, row[i].name, strlen(row[i].name) + 1);
    put(ctx, name, row[i].value, row[i].unit, row[i].doc);
  }
}

bool am_sim(const struct simt_config *cfg, const struct simt_stimulus *stim,
            void (*put)(void *ctx, const char *name, double value, const char *unit, const char *doc), void *ctx, struct simt_diag *diag) {
  uint64_t option[REPLAYS];
  for (unsigned i = 0; i < REPLAYS; i++) option[i] = stim->replay ? stim->replay[i] : am_replay[i].def;
  struct am_trace *t = am_trace_read(stim->trace, (unsigned)simt_param(cfg, "ADDR_W"), diag);
  bool good = t != NULL;
  for (int merging = 1; good && merging >= 0; merging--) {
    struct am_replayed r = {NULL, NULL};
    struct am_system_result result;
    good = split(t, option, merging != 0, &r) || simt_fail(diag, stim->trace, "no memory", "memory for the trace");
    struct am_system_setup setup = {cfg, (unsigned)option[CACHES], (unsigned)option[TRANSPORT], r.stream, stim->stop, diag};
    good = good && am_system_run(&setup, &result);
    if (good) {
      put_result(&result, merging ? "" : "no_merging.", put, ctx);
      if (merging)
        put(ctx, "same_as_in_order", same_as_in_order(cfg, t, option[REPEAT], result.memory), "",
            "1: memory is what the file's order gives; a serial order explains it in any case");
      amc_free(result.memory);
    }
    free(r.request);
    free(r.stream);
  }
  am_trace_free(t);
  return good;
}
