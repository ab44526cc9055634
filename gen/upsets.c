/* SPDX-License-Identifier: Apache-2.0 */
/* upsets.c: `simtgen check --upsets`: what becomes of a bit that is wrong for one cycle. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "mutants.h"

enum { SITES = 1000, RUN_CYCLES = 4000 };
enum fate { SEEN, LATENT, MASKED, FATES };
static const char *const fate_name[] = {"seen", "latent", "masked"};
static const char *const fate_doc[] = {
  "an output differs within the run", "no output differs, but a register or memory does at the end",
  "the state is the right one again"};

struct session {
  const struct gen_options *o;
  struct mutant_list list;
  struct mutant_run run;
  struct simt_rng rng;
  unsigned char *differs; /* bytes of the simulated state that differ between two runs without a fault */
  uint64_t count[FATES], latency, latest;
};

/* Compares the state of two instances, but for pointers and the like. */
static bool same_state(const struct session *s, const struct lockstep_rtl *rtl, void *a, void *b) {
  size_t size;
  const unsigned char *x = rtl->state(a, &size), *y = rtl->state(b, &size);
  for (size_t i = 0; i < size; i++)
    if (x[i] != y[i] && !s->differs[i]) return false;
  return true;
}

static void learn_differences(struct session *s, const struct lockstep_rtl *rtl, void *a, void *b) {
  size_t size;
  const unsigned char *x = rtl->state(a, &size), *y = rtl->state(b, &size);
  free(s->differs);
  s->differs = malloc(size);
  if (!s->differs) abort();
  for (size_t i = 0; i < size; i++) { /* pointers: all eight bytes of one */
    size_t from = i & ~(size_t)7, n = size - from < 8 ? size - from : 8;
    s->differs[i] = memcmp(x + from, y + from, n) != 0;
  }
}

static void upset(struct session *s, const struct lockstep_rtl *rtl, unsigned fault, void *right) {
  uint64_t from = 1 + simt_rng_below(&s->rng, s->run.cycles - 1);
  struct mutant_pulse pulse = {.fault = fault, .from = from, .to = from + 1};
  const struct simt_port *port;
  void *left;
  uint64_t cycle = mutant_replay(&s->run, rtl, pulse, &port, &left);
  enum fate fate = cycle < s->run.cycles ? SEEN : same_state(s, rtl, right, left) ? MASKED : LATENT;
  s->count[fate]++;
  if (fate == SEEN) {
    s->latency += cycle - from;
    if (cycle - from > s->latest) s->latest = cycle - from;
  }
  rtl->destroy(left);
}

static bool run_batch(struct session *s, size_t first, size_t n, uint64_t each, struct simt_diag *diag) {
  struct rtl_sim sim = {0};
  const struct simt_port *port;
  void *right, *again;
  if (!mutant_build(&sim, &s->list, &s->o->cfg, first, n, s->o->upsets <= 200, diag)) return false;
  mutant_replay(&s->run, &sim.rtl, (struct mutant_pulse){.fault = 0}, &port, &right);
  bool ok = mutant_replay(&s->run, &sim.rtl, (struct mutant_pulse){.fault = 0}, &port, &again) == s->run.cycles ||
            simt_fail(diag, s->o->cfg.name, NULL, "a run without an upset fails: the netlist is wrong");
  learn_differences(s, &sim.rtl, right, again);
  sim.rtl.destroy(again);
  for (size_t i = 0; ok && i < n; i++)
    for (uint64_t k = 0; k < each && !interrupted; k++) upset(s, &sim.rtl, (unsigned)i + 1, right);
  sim.rtl.destroy(right);
  rtl_sim_close(&sim);
  return ok;
}

static void print(const struct session *s) {
  uint64_t all = 0;
  for (int i = 0; i < FATES; i++) all += s->count[i];
  if (s->o->json) {
    json_t *j = json_pack("{s:i, s:s, s:I, s:I, s:I}", "schema", 1, "block", s->o->cfg.block->name, "upsets",
                          (json_int_t)all, "sites", (json_int_t)s->list.n, "cycles", (json_int_t)s->run.cycles);
    for (int i = 0; i < FATES; i++) json_object_set_new(j, fate_name[i], json_integer((json_int_t)s->count[i]));
    json_dumpf(j, stdout, JSON_INDENT(1) | JSON_PRESERVE_ORDER);
    putchar('\n');
    json_decref(j);
    return;
  }
  printf("%" PRIu64 " single upsets at %zu places, in runs of %" PRIu64 " cycles\n", all, s->list.n, s->run.cycles);
  for (int i = 0; i < FATES; i++)
    printf("  %-7s %8" PRIu64 "  %5.1f %%  %s\n", fate_name[i], s->count[i],
           all ? 100.0 * (double)s->count[i] / (double)all : 0, fate_doc[i]);
  if (s->count[SEEN])
    printf("  cycles from an upset to the output: mean %.1f, most %" PRIu64 "\n",
           (double)s->latency / (double)s->count[SEEN], s->latest);
}

int check_upsets(const struct gen_options *o, const struct simt_verif *verif, struct simt_diag *diag) {
  struct session s = {.o = o};
  size_t sites = o->upsets < SITES ? (size_t)o->upsets : SITES;
  simt_rng_seed(&s.rng, o->seed_given ? o->seed : 1);
  bool ok = mutant_list_make(&s.list, &o->cfg, sites, o->seed_given ? o->seed : 1, "inv", diag) &&
            mutant_run_record(&s.run, &o->cfg, verif, "random", o->cycles ? o->cycles : RUN_CYCLES, 1, diag);
  uint64_t each = s.list.n ? (o->upsets + s.list.n - 1) / s.list.n : 0;
  for (size_t at = 0; ok && at < s.list.n && !interrupted; at += MUTANT_BATCH) {
    progress("upsets: %zu of %zu places", at, s.list.n);
    ok = run_batch(&s, at, s.list.n - at < MUTANT_BATCH ? s.list.n - at : MUTANT_BATCH, each, diag);
  }
  progress_end();
  if (ok) print(&s);
  free(s.differs);
  mutant_run_free(&s.run);
  mutant_list_free(&s.list);
  return !ok ? EXIT_TOOL : interrupted ? EXIT_INTERRUPTED : EXIT_DONE;
}
