/* SPDX-License-Identifier: Apache-2.0 */
/* mutants.c: `simtgen check --mutants`: is every mutation of the RTL found by lockstep? */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "mutate/mutants.h"

enum { LONG_CYCLES = 400000, CHUNK = 200000, MOST_DIRECTED = 20, MOST_RUNS = 256 };

struct run { struct simt_stimulus stim; char name[64]; uint64_t cycles; };

struct found { unsigned run; uint64_t cycle; const struct simt_port *port; bool survived; };

struct mutant_session {
  const struct gen_options *o;
  const struct simt_verif *verif;
  struct mutant_list list;
  struct run run[MOST_RUNS]; /* rising in length: most mutants fall within a few cycles */
  size_t n_runs;
  struct mutant_run now;     /* the run that is looked at */
  struct found *found;
  struct mutation *mutation;     /* of those not found yet, and which they are */
  size_t *order, left;
  double seconds;          /* of the runs alone */
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void add_run(struct mutant_session *s, const char *kind, const char *profile, uint64_t cycles, uint64_t seed) {
  if (s->n_runs == MOST_RUNS || !cycles) return;
  struct run *r = &s->run[s->n_runs++];
  r->stim = (struct simt_stimulus){.kind = kind, .profile = profile, .cycles = cycles, .seed = seed};
  snprintf(r->name, sizeof r->name, "%s%s%s, seed %u", kind, profile ? ":" : "", profile ? profile : "", (unsigned)seed);
}

/* Each profile alone has a tenth of the cycles of the mixed runs, directed tests MOST_DIRECTED times as many at most. */
static void plan_runs(struct mutant_session *s) {
  uint64_t most = s->o->cycles ? s->o->cycles : LONG_CYCLES, seed = 3;
  add_run(s, "random", NULL, 200, 1);
  add_run(s, "random", NULL, 2000, 1);
  add_run(s, "random", NULL, most / 5 < CHUNK ? most / 5 : CHUNK, 2);
  for (const struct simt_named *p = s->verif->profiles; p->name; p++)
    if (simt_has_profile(&s->o->cfg, p->name)) add_run(s, "random", p->name, most / 10, seed);
  add_run(s, "directed", NULL, MOST_DIRECTED * most, 1);
  for (uint64_t done = 0; done < most; done += CHUNK)
    add_run(s, "random", NULL, most - done < CHUNK ? most - done : CHUNK, seed++);
}

/* The netlist without a mutation, in lane 0, must pass: the negative control of every run. */
static bool control(const struct mutant_session *s, const struct mutant_sim *sim, const struct mutant_run *r,
                    struct simt_diag *diag) {
  if (mutant_sim_cycle(sim, 0) == r->cycles) return true;
  const struct simt_port *port = mutant_run_port(r, mutant_sim_word(sim, 0));
  return simt_fail(diag, s->o->cfg.name, NULL, "no mutation fails in cycle %" PRIu64 " of %s at %s: the netlist is wrong, "
                   "not the mutants", mutant_sim_cycle(sim, 0), r->name, port ? port->name : "a bus");
}

/* A run with those that are left from `first` on, as many as fit; the ones found leave the list, the others move to
 * `*kept`. */
static bool run_some(struct mutant_session *s, unsigned run, size_t *first, size_t *kept, struct simt_diag *diag) {
  const struct mutant_run *r = &s->now;
  const struct net_run cycles = mutant_run_of(r);
  size_t placed;
  struct mutant_sim *sim = mutant_run_place(&s->list, &s->o->cfg, s->mutation + *first, s->order + *first, s->left - *first,
                                           &placed, diag);
  if (!sim) return false;
  mutant_sim_run(sim, &cycles, run + 1, &interrupted);
  bool ok = interrupted || control(s, sim, r, diag);
  for (size_t i = 0; ok && i < placed; i++) {
    size_t at = *first + i;
    uint64_t cycle = mutant_sim_cycle(sim, (unsigned)i + 1);
    struct found *f = &s->found[s->order[at]];
    *f = (struct found){run, cycle, NULL, cycle == r->cycles};
    if (f->survived) s->mutation[*kept] = s->mutation[at], s->order[(*kept)++] = s->order[at];
    else f->port = mutant_run_port(r, mutant_sim_word(sim, (unsigned)i + 1));
  }
  *first += placed;
  mutant_sim_free(sim);
  return ok;
}

static bool run_all(struct mutant_session *s, struct simt_diag *diag) {
  bool ok = true;
  double begin = now();
  s->left = s->list.n;
  for (size_t i = 0; i < s->left; i++) {
    s->mutation[i] = s->list.m[i].mutation;
    s->order[i] = i;
    s->found[i].survived = true;
  }
  for (unsigned run = 0; ok && run < s->n_runs && s->left && !interrupted; run++) {
    size_t first = 0, kept = 0;
    progress(NOT_KNOWN, "mutants: recording %s, %zu not found", s->run[run].name, s->left);
    ok = mutant_run_record(&s->now, &s->o->cfg, s->verif, &s->run[run].stim, s->run[run].name, diag);
    s->run[run].cycles = s->now.cycles;
    while (ok && first < s->left && !interrupted) {
      progress((double)first / (double)(s->left + 1), "mutants: %s, %" PRIu64 " cycles: %zu of %zu, %zu not found", s->run[run].name, s->now.cycles, first,
               s->left, kept);
      ok = run_some(s, run, &first, &kept, diag);
    }
    if (ok && !interrupted) s->left = kept;
    mutant_run_free(&s->now);
  }
  s->seconds = now() - begin;
  return ok;
}

/* ---- what is printed ------------------------------------------------------------------------- */

static int by_cycle(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return (x > y) - (x < y);
}

/* Cycles of the run that found each, sorted; the caller frees. */
static uint64_t *kill_cycles(const struct mutant_session *s, size_t *n) {
  uint64_t *cycles = calloc(s->list.n + 1, sizeof *cycles);
  if (!cycles) abort();
  *n = 0;
  for (size_t i = 0; i < s->list.n; i++)
    if (!s->found[i].survived) cycles[(*n)++] = s->found[i].cycle + 1;
  qsort(cycles, *n, sizeof *cycles, by_cycle);
  return cycles;
}

static void print_text(const struct mutant_session *s, double seconds) {
  size_t n;
  uint64_t *cycles = kill_cycles(s, &n);
  printf("%zu mutants of %zu (%zu more change nothing): %zu found by lockstep, %zu not\n", s->list.n,
         s->list.all - s->list.same, s->list.same, n, s->left);
  if (n) printf("  cycles to find one: median %" PRIu64 ", 99 %% within %" PRIu64 ", most %" PRIu64 "\n", cycles[n / 2],
                cycles[n * 99 / 100], cycles[n - 1]);
  for (size_t r = 0; r < s->n_runs; r++) {
    size_t here = 0;
    for (size_t i = 0; i < s->list.n; i++) here += !s->found[i].survived && s->found[i].run == r;
    if (here) printf("  %zu by %s, %" PRIu64 " cycles\n", here, s->run[r].name, s->run[r].cycles);
  }
  printf("  %.1f s in all, %.1f s of runs: %.0f mutants/s\n", seconds, s->seconds,
         s->seconds > 0 ? (double)s->list.n / s->seconds : 0);
  if (!s->o->quiet)
    for (size_t i = 0; i < s->list.n; i++)
      if (s->found[i].survived) printf("  not found: %u %s\n", s->list.m[i].number, s->list.m[i].change);
  free(cycles);
}

static json_t *mutant_json(const struct mutant_session *s, size_t i) {
  const struct found *f = &s->found[i];
  const struct mutant *m = &s->list.m[i];
  json_t *j = json_pack("{s:i, s:s, s:i, s:i, s:b}", "number", (int)m->number, "change", m->change, "site",
                        (int)m->mutation.site, "control", (int)m->mutation.control, "found", !f->survived);
  if (f->survived) return j;
  json_object_set_new(j, "stimulus", json_string(s->run[f->run].name));
  json_object_set_new(j, "cycle", json_integer((json_int_t)f->cycle));
  json_object_set_new(j, "port", json_string(f->port ? f->port->name : ""));
  return j;
}

static json_t *memories_json(const struct mutant_net *n) {
  json_t *all = json_array();
  for (size_t i = 0; i < n->n_memories; i++) {
    const struct net_memory *m = &n->memory[i];
    json_array_append_new(all, json_pack("{s:s, s:i, s:i, s:i, s:i, s:i, s:i, s:i, s:i}", "name", m->name, "size",
                                         (int)m->size, "width", (int)m->width, "abits", (int)m->abits, "rd_addr",
                                         (int)m->rd_addr, "rd_data", (int)m->rd_data, "wr_addr", (int)m->wr_addr,
                                         "wr_data", (int)m->wr_data, "wr_en", (int)m->wr_en));
  }
  return all;
}

static void print_json(const struct mutant_session *s, double seconds) {
  json_t *mutants = json_array(), *all;
  for (size_t i = 0; i < s->list.n; i++) json_array_append_new(mutants, mutant_json(s, i));
  all = json_pack("{s:i, s:s, s:I, s:I, s:I, s:f, s:f, s:s, s:o, s:o}", "schema", 2, "block", s->o->cfg.block->name,
                  "all", (json_int_t)s->list.all, "change_nothing", (json_int_t)s->list.same, "not_found",
                  (json_int_t)s->left, "seconds", seconds, "run_seconds", s->seconds, "aiger",
                  s->list.net.aiger.file[0].text.s, "memories", memories_json(&s->list.net), "mutants", mutants);
  json_dumpf(all, stdout, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
  putchar('\n');
  json_decref(all);
}

int check_mutants(const struct gen_options *o, const struct simt_verif *verif, struct simt_diag *diag) {
  struct mutant_session s = {.o = o, .verif = verif};
  double begin = now();
  bool ok = mutant_list_make(&s.list, &o->cfg, o->mutants == UINT64_MAX ? 0 : o->mutants, o->seed_given ? o->seed : 1,
                             NULL, diag);
  s.found = calloc(s.list.n + 1, sizeof *s.found);
  s.mutation = calloc(s.list.n + 1, sizeof *s.mutation);
  s.order = calloc(s.list.n + 1, sizeof *s.order);
  if (!s.found || !s.mutation || !s.order) abort();
  plan_runs(&s);
  ok = ok && run_all(&s, diag);
  progress_end();
  if (ok && !interrupted) (o->json ? print_json : print_text)(&s, now() - begin);
  free(s.found);
  free(s.mutation);
  free(s.order);
  mutant_list_free(&s.list);
  return !ok ? EXIT_TOOL : interrupted ? EXIT_INTERRUPTED : s.left ? EXIT_CHECK_FAILED : EXIT_DONE;
}
