/* SPDX-License-Identifier: Apache-2.0 */
/* upsets.c: `simtgen check --upsets`: what becomes of a bit that is wrong for one cycle. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "mutate/mutants.h"

enum { RUN_CYCLES = 4000 };
enum fate { SEEN, LATENT, MASKED, FATES };
static const char *const fate_name[] = {"seen", "latent", "masked"};
static const char *const fate_doc[] = {
  "an output differs within the run", "no output differs, but a register or memory does at the end",
  "the state is the right one again"};

enum upset_place { REGISTER, MEMORY, LOGIC, PLACES };
static const char *const place_name[] = {"register", "memory", "logic"};
static const char *const place_doc[] = {"a register's bit", "a port of a memory", "any other bit"};

struct upset_session {
  const struct gen_options *o;
  struct mutant_list list;
  struct mutant_run run;
  struct mutation *mutation;
  uint64_t n, count[PLACES][FATES], latency, latest;
};

/* Every place in turn, at random cycles. */
static void choose(struct upset_session *s) {
  struct simt_rng rng;
  s->n = s->o->upsets;
  s->mutation = calloc(s->n + 1, sizeof *s->mutation);
  if (!s->mutation) abort();
  simt_rng_seed(&rng, s->o->seed_given ? s->o->seed : 1);
  for (uint64_t i = 0; i < s->n; i++) {
    s->mutation[i] = s->list.m[i % s->list.n].mutation;
    s->mutation[i].from = 1 + simt_rng_below(&rng, s->run.cycles - 1);
    s->mutation[i].to = s->mutation[i].from + 1;
  }
}

static enum upset_place place_of(const struct upset_session *s, uint64_t i) {
  const char *port = strstr(s->list.m[i % s->list.n].change, "-port ");
  port += strlen("-port ") + (port[6] == '\\');
  if (!strncmp(port, "Q ", 2) || !strncmp(port, "D ", 2)) return REGISTER;
  return strncmp(port, "RD_", 3) && strncmp(port, "WR_", 3) ? LOGIC : MEMORY;
}

/* Upsets first..first+n-1, side by side. */
static bool run_some(struct upset_session *s, uint64_t first, size_t n, struct simt_diag *diag) {
  const struct net_run run = mutant_run_of(&s->run);
  size_t loop;
  struct mutant_sim *sim = mutant_sim_create(&s->list.net, &s->o->cfg, s->mutation + first, n, &loop);
  mutant_sim_run(sim, &run, 1, &interrupted);
  bool ok = interrupted || mutant_sim_cycle(sim, 0) == run.cycles ||
            simt_fail(diag, s->o->cfg.name, NULL, "a run without an upset fails: the netlist is wrong");
  for (unsigned i = 0; ok && i < n; i++) {
    uint64_t cycle = mutant_sim_cycle(sim, i + 1), late = cycle - s->mutation[first + i].from;
    enum fate fate = cycle < run.cycles ? SEEN : mutant_sim_same_state(sim, i + 1) ? MASKED : LATENT;
    s->count[place_of(s, first + i)][fate]++;
    if (fate != SEEN) continue;
    s->latency += late;
    if (late > s->latest) s->latest = late;
  }
  mutant_sim_free(sim);
  return ok;
}

static uint64_t sum(const struct upset_session *s, enum fate fate) {
  return s->count[REGISTER][fate] + s->count[MEMORY][fate] + s->count[LOGIC][fate];
}

static void print_json(const struct upset_session *s) {
  json_t *j = json_pack("{s:i, s:s, s:I, s:I, s:I}", "schema", 1, "block", s->o->cfg.block->name, "upsets",
                        (json_int_t)s->n, "sites", (json_int_t)s->list.n, "cycles", (json_int_t)s->run.cycles);
  for (enum fate f = SEEN; f < FATES; f++) json_object_set_new(j, fate_name[f], json_integer((json_int_t)sum(s, f)));
  for (enum upset_place p = REGISTER; p < PLACES; p++) {
    json_t *here = json_object();
    for (enum fate f = SEEN; f < FATES; f++)
      json_object_set_new(here, fate_name[f], json_integer((json_int_t)s->count[p][f]));
    json_object_set_new(j, place_name[p], here);
  }
  json_dumpf(j, stdout, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
  putchar('\n');
  json_decref(j);
}

static void print(const struct upset_session *s) {
  printf("%" PRIu64 " single upsets at %zu places, in runs of %" PRIu64 " cycles\n", s->n, s->list.n, s->run.cycles);
  for (enum fate f = SEEN; f < FATES; f++)
    printf("  %-8s %8" PRIu64 "  %5.1f %%  %s\n", fate_name[f], sum(s, f), 100.0 * (double)sum(s, f) / (double)s->n,
           fate_doc[f]);
  for (enum upset_place p = REGISTER; p < PLACES; p++)
    printf("  %-8s %8" PRIu64 " seen %8" PRIu64 " latent %8" PRIu64 " masked  %s\n", place_name[p], s->count[p][SEEN],
           s->count[p][LATENT], s->count[p][MASKED], place_doc[p]);
  if (sum(s, SEEN))
    printf("  cycles from an upset to the output: mean %.1f, most %" PRIu64 "\n",
           (double)s->latency / (double)sum(s, SEEN), s->latest);
}

int check_upsets(const struct gen_options *o, const struct simt_verif *verif, struct simt_diag *diag) {
  struct upset_session s = {.o = o};
  struct simt_stimulus stim = {.kind = "random", .cycles = o->cycles ? o->cycles : RUN_CYCLES, .seed = 1};
  bool ok = mutant_list_make(&s.list, &o->cfg, (size_t)o->upsets, o->seed_given ? o->seed : 1, "inv", diag) &&
            mutant_run_record(&s.run, &o->cfg, verif, &stim, "random, seed 1", diag);
  if (ok) choose(&s);
  for (uint64_t at = 0; ok && at < s.n && !interrupted; at += MUTANT_LANES - 1) {
    progress((double)at / (double)s.n, "upsets: %" PRIu64 " of %" PRIu64, at, s.n);
    ok = run_some(&s, at, s.n - at < MUTANT_LANES - 1 ? (size_t)(s.n - at) : MUTANT_LANES - 1, diag);
  }
  progress_end();
  if (ok && !interrupted) (o->json ? print_json : print)(&s);
  free(s.mutation);
  mutant_run_free(&s.run);
  mutant_list_free(&s.list);
  return !ok ? EXIT_TOOL : interrupted ? EXIT_INTERRUPTED : EXIT_DONE;
}
