/* SPDX-License-Identifier: Apache-2.0 */
/* mutants.c: `simtgen check --mutants`: is every fault of the RTL found by lockstep? */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mutants.h"

enum { FEW = 100, LONG_CYCLES = 100000 }; /* so few are kept built */

struct found { unsigned run; uint64_t cycle; const struct simt_port *port; bool survived; };

struct session {
  const struct gen_options *o;
  const struct simt_verif *verif;
  struct mutant_list list;
  struct mutant_run run[4]; /* rising in length: most mutants fall within a few cycles */
  size_t n_runs;
  struct found *found;
  size_t done, survivors;
  double seconds;          /* of the runs alone */
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static bool record_runs(struct session *s, struct simt_diag *diag) {
  const struct simt_config *cfg = &s->o->cfg;
  uint64_t most = s->o->cycles ? s->o->cycles : LONG_CYCLES;
  const struct { const char *kind; uint64_t cycles, seed; } plan[] = {
    {"random", 2000, 1}, {"directed", 20000, 1}, {"random", most / 5, 2}, {"random", most, 3}};
  progress("recording the model");
  for (; s->n_runs < sizeof plan / sizeof *plan; s->n_runs++)
    if (!mutant_run_record(&s->run[s->n_runs], cfg, s->verif, plan[s->n_runs].kind, plan[s->n_runs].cycles,
                           plan[s->n_runs].seed, diag))
      return false;
  return true;
}

/* Stops at the first difference. */
static struct found try_fault(const struct session *s, const struct lockstep_rtl *rtl, unsigned fault) {
  struct found f = {.survived = true};
  for (f.run = 0; f.run < s->n_runs && f.survived && !interrupted; f.run++) {
    const struct mutant_run *r = &s->run[f.run];
    struct mutant_pulse always = {.fault = fault, .to = UINT64_MAX};
    f.cycle = mutant_replay(r, rtl, always, &f.port, NULL);
    f.survived = f.cycle == r->cycles;
  }
  f.run--;
  return f;
}

/* The netlist without a fault must pass: the negative control of every batch. */
static bool control(const struct session *s, const struct lockstep_rtl *rtl, struct simt_diag *diag) {
  struct found f = try_fault(s, rtl, 0);
  return f.survived || simt_fail(diag, s->o->cfg.name, NULL, "no mutation fails in cycle %" PRIu64 " of %s at %s: the "
                                 "netlist is wrong, not the mutants", f.cycle, s->run[f.run].name,
                                 f.port ? f.port->name : "a bus");
}

static bool run_batch(struct session *s, size_t first, size_t n, struct simt_diag *diag) {
  struct rtl_sim sim = {0};
  progress("mutants: %zu of %zu, %zu not found; building", first, s->list.n, s->survivors);
  bool ok = mutant_build(&sim, &s->list, &s->o->cfg, first, n, s->list.n <= FEW, diag) &&
            control(s, &sim.rtl, diag);
  double begin = now();
  for (size_t i = 0; ok && i < n && !interrupted; i++) {
    struct found f = try_fault(s, &sim.rtl, (unsigned)i + 1);
    if (interrupted) break;
    s->found[s->done++] = f;
    s->survivors += f.survived;
    progress("mutants: %zu of %zu, %zu not found", s->done, s->list.n, s->survivors);
  }
  s->seconds += now() - begin;
  rtl_sim_close(&sim);
  return ok;
}

/* ---- what is printed ------------------------------------------------------------------------- */

static int by_cycle(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* Cycles of the run that found each, sorted; the caller frees. */
static uint64_t *kill_cycles(const struct session *s, size_t *n) {
  uint64_t *cycles = calloc(s->done + 1, sizeof *cycles);
  if (!cycles) abort();
  *n = 0;
  for (size_t i = 0; i < s->done; i++)
    if (!s->found[i].survived) cycles[(*n)++] = s->found[i].cycle + 1;
  qsort(cycles, *n, sizeof *cycles, by_cycle);
  return cycles;
}

static void print_text(const struct session *s, double seconds) {
  size_t n;
  uint64_t *cycles = kill_cycles(s, &n);
  printf("%zu mutants of %zu (%zu more change nothing): %zu found by lockstep, %zu not\n", s->done,
         s->list.all - s->list.same, s->list.same, n, s->survivors);
  if (n) printf("  cycles to find one: median %" PRIu64 ", 99 %% within %" PRIu64 ", most %" PRIu64 "\n", cycles[n / 2],
                cycles[n * 99 / 100], cycles[n - 1]);
  for (size_t r = 0; r < s->n_runs; r++) {
    size_t here = 0;
    for (size_t i = 0; i < s->done; i++) here += !s->found[i].survived && s->found[i].run == r;
    printf("  %zu by %s, %" PRIu64 " cycles\n", here, s->run[r].name, s->run[r].cycles);
  }
  printf("  %.1f s with building, %.1f s without: %.0f mutants/s\n", seconds, s->seconds,
         s->seconds > 0 ? (double)s->done / s->seconds : 0);
  if (!s->o->quiet)
    for (size_t i = 0; i < s->done; i++)
      if (s->found[i].survived) printf("  not found: %u %s\n", s->list.m[i].number, s->list.m[i].change);
  free(cycles);
}

static void print_json(const struct session *s, double seconds) {
  json_t *mutants = json_array(), *all;
  for (size_t i = 0; i < s->done; i++) {
    const struct found *f = &s->found[i];
    const char *port = f->port ? f->port->name : "bus";
    json_array_append_new(mutants, json_pack("{s:i, s:s, s:b, s:s?, s:I, s:s?}", "number", (int)s->list.m[i].number,
                                             "change", s->list.m[i].change, "found", !f->survived, "stimulus",
                                             f->survived ? NULL : s->run[f->run].name, "cycle",
                                             (json_int_t)f->cycle, "port", f->survived ? NULL : port));
  }
  all = json_pack("{s:i, s:s, s:I, s:I, s:I, s:f, s:f, s:b, s:s, s:o}", "schema", 1, "block", s->o->cfg.block->name,
                  "all", (json_int_t)s->list.all, "change_nothing", (json_int_t)s->list.same, "not_found",
                  (json_int_t)s->survivors, "seconds", seconds, "run_seconds", s->seconds, "complete",
                  s->done == s->list.n, "design", s->list.design.file[0].text.s, "mutants", mutants);
  json_dumpf(all, stdout, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
  putchar('\n');
  json_decref(all);
}

int check_mutants(const struct gen_options *o, const struct simt_verif *verif, struct simt_diag *diag) {
  struct session s = {.o = o, .verif = verif};
  double begin = now();
  bool ok = mutant_list_make(&s.list, &o->cfg, o->mutants == UINT64_MAX ? 0 : o->mutants, o->seed_given ? o->seed : 1,
                             NULL, diag) &&
            record_runs(&s, diag);
  s.found = calloc(s.list.n + 1, sizeof *s.found);
  if (!s.found) abort();
  for (size_t at = 0; ok && at < s.list.n && !interrupted; at += MUTANT_BATCH)
    ok = run_batch(&s, at, s.list.n - at < MUTANT_BATCH ? s.list.n - at : MUTANT_BATCH, diag);
  progress_end();
  if (s.done) (o->json ? print_json : print_text)(&s, now() - begin);
  for (size_t i = 0; i < s.n_runs; i++) mutant_run_free(&s.run[i]);
  free(s.found);
  bool survivors = s.survivors;
  mutant_list_free(&s.list);
  if (!ok) return EXIT_TOOL;
  return interrupted ? EXIT_INTERRUPTED : survivors ? EXIT_CHECK_FAILED : EXIT_DONE;
}
