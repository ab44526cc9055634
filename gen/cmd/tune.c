/* SPDX-License-Identifier: Apache-2.0 */
/* tune.c: `simtgen tune`: of a sweep's configurations the cheapest that is fast enough. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "synth/synth.h"
#include "tune/tune.h"

static bool wrong(struct simt_diag *diag, const struct sweep *s, const char *name, const char *got, const char *expected, const char *hint) {
  simt_fail(diag, name, got, "%s", expected);
  snprintf(diag->file, sizeof diag->file, "%.255s", s->file);
  snprintf(diag->hint, sizeof diag->hint, "%s", hint);
  return false;
}

/* The one target of the file, or the one that --target names. */
static bool find_target(struct tune *t, struct simt_diag *diag) {
  const struct sweep *s = t->run->sweep;
  const char *asked = t->o->target_given ? t->o->target : NULL;
  while (t->target < s->n_targets && asked && strcmp(asked, s->target[t->target].name)) t->target++;
  if (!s->n_targets) return wrong(diag, s, "targets", "no such key", "a target, whose area is the cost", "for example, targets: [ice40]");
  if (t->target == s->n_targets) return wrong(diag, s, "--target", asked, "a target of the file", "add it to targets:");
  if (s->n_targets > 1 && !asked) return wrong(diag, s, "targets", "several targets", "--target NAME, one of them", "its area is the cost");
  t->target_name = s->target[t->target].name;
  const struct synth_target *target = synth_find_target(s->target[t->target].target);
  t->lut_name = !target->lut ? "gate equivalents" : target->kind == SYNTH_PLACED ? "LUT4" : "LUT";
  if (!isnan(t->limit[TUNE_FMAX]) && target->kind == SYNTH_MAPPED) {
    simt_fail(diag, "--min-fmax", t->o->min_fmax, "no such limit: target %s has no frequency", t->target_name);
    return false;
  }
  return s->n_workloads || wrong(diag, s, "workloads", "no such key", "a workload, whose cycles count", "- {name: NAME, trace: FILE}");
}

static bool prepare(struct tune *t, struct simt_diag *diag) {
  const struct gen_options *o = t->o;
  const char *const text[TUNE_FIGURES] = {o->max_lut, o->max_ram, o->min_fmax};
  for (int f = 0; f < TUNE_FIGURES; f++) t->limit[f] = text[f] ? strtod(text[f], NULL) : NAN; /* options.c has checked them */
  t->percent = o->within ? strtod(o->within, NULL) : 5;
  t->cost = o->cost && !strcmp(o->cost, "ram") ? TUNE_RAM : TUNE_LUT;
  if (!find_target(t, diag)) return false;
  t->n_points = t->run->sweep->n_points;
  t->point = calloc(t->n_points + 1, sizeof *t->point);
  if (!t->point) abort();
  t->n_workloads = t->run->sweep->n_workloads;
  t->cycles = calloc(t->n_points * t->n_workloads + 1, sizeof *t->cycles);
  if (!t->cycles) abort();
  t->features = surrogate_features(t->run->sweep, &t->dim);
  return true;
}

static int tune(struct tune *t, struct simt_diag *diag) {
  json_t *rows = NULL;
  bool good = tune_search(t, diag) && sweep_write_results(t->run, &rows, diag);
  json_decref(rows);
  if (!good) return EXIT_TOOL;
  if (t->chosen == t->n_points) {
    struct simt_diag none = {0};
    tune_refuse(t, &none);
    message_error(&none);
    tune_print_nearest(t);
    return EXIT_CHECK_FAILED;
  }
  if (t->o->json) tune_print_json(t);
  else tune_print_text(t);
  return EXIT_DONE;
}

int cmd_tune(const struct gen_options *o) {
  struct simt_diag diag = {0};
  struct sweep_session x = {.sweep = NULL};
  struct tune t = {.o = o, .run = &x.run};
  x.run.tune = true;
  int status = EXIT_USAGE;
  if (session_read(&x, o, &diag) && prepare(&t, &diag)) status = session_open(&x, o, &diag);
  if (status == EXIT_DONE) status = tune(&t, &diag);
  for (int f = 0; f < TUNE_FIGURES; f++) surrogate_free(&t.model[f]);
  free(t.point);
  free(t.cycles);
  free(t.features);
  session_end(&x);
  if (diag.failed) message_error(&diag);
  return status;
}
