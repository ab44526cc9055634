/* SPDX-License-Identifier: Apache-2.0 */
/* table.c: `simtgen sim` and `simtgen synth` at several values of parameters, for a quick look: a grid as a sweep has it,
 * run in a folder of the cache that is removed at the end. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sweep/sweep.h"
#include "synth/synth.h"
#include "work.h"

enum { MOST_ROWS = 1000 };

static bool add_workload(const struct gen_options *o, struct sweep *s, struct simt_diag *diag) {
  struct sweep_workload *w = &s->workload[s->n_workloads++];
  uint64_t value[SIMT_MAX_REPLAY];
  const struct simt_verif *v = simt_find_verif(s->base.block);
  if (!v || !v->sim || !v->pickers) return simt_fail(diag, s->base.block->name, "a block without traces", "a block whose model runs on recorded traces");
  snprintf(w->name, sizeof w->name, "sim");
  snprintf(w->trace, sizeof w->trace, "%s", o->trace);
  snprintf(w->path, sizeof w->path, "%s", o->trace);
  snprintf(w->picker, sizeof w->picker, "%s", o->picker ? o->picker : "");
  w->latency = o->latency;
  if (!replay_values(o, v, value, diag)) return false;
  for (unsigned i = 0; i < o->n_replay; i++)
    if (!(w->replay[w->n_replay++] = strdup(o->replay[i]))) abort();
  char *bytes = file_read(o->trace, NULL, diag);
  free(bytes);
  return bytes;
}

static bool add_points(struct sweep *s, struct simt_diag *diag) {
  char got[40];
  double n = sweep_combinations(s);
  snprintf(got, sizeof got, "%.6g combinations", n);
  if (n > MOST_ROWS) {
    simt_fail(diag, "-p", got, "at most %d", MOST_ROWS);
    snprintf(diag->hint, sizeof diag->hint, "write them into a file for simtgen sweep");
    return false;
  }
  sweep_grid(s);
  return sweep_check(s, diag);
}

static bool add_target(const struct gen_options *o, struct sweep *s, struct simt_diag *diag) {
  struct sweep_target *t = &s->target[s->n_targets++];
  snprintf(t->name, sizeof t->name, "%s", o->target);
  snprintf(t->target, sizeof t->target, "%s", o->target);
  snprintf(t->device, sizeof t->device, "%s", o->device ? o->device : "");
  snprintf(t->liberty, sizeof t->liberty, "%s", o->liberty ? o->liberty : "");
  snprintf(t->path, sizeof t->path, "%s", o->liberty ? o->liberty : "");
  struct synth_result r = {0};
  return synth_check(o, &r, diag) && sweep_check_target(t, diag);
}

/* The name of the one target or workload says nothing in a table of its own. */
static void shorten(struct sweep_table *t) {
  for (size_t i = 0; i < t->n; i++) {
    char *dot = t->column[i].path[2] ? strchr(t->column[i].name, '.') : NULL;
    if (dot) memmove(t->column[i].name, dot + 1, strlen(dot));
  }
}

static void print(const struct gen_options *o, const struct sweep_run *r, json_t *rows, const char *command) {
  struct sweep_table t;
  struct text text = {0};
  if (o->json) {
    json_t *whole = sweep_header(r);
    json_object_set(whole, "rows", rows);
    json_dumpf(whole, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    putchar('\n');
    json_decref(whole);
    return;
  }
  sweep_table_make(&t, rows);
  shorten(&t);
  if (o->csv) {
    sweep_csv(&t, &text);
  } else {
    text_add(&text, "%s %s %s\n\n", r->sweep->base.block->name, strcmp(command, "sim") ? "on" : "with", strcmp(command, "sim") ? o->target : o->trace);
    sweep_text(&t, MOST_ROWS, &text);
  }
  printf("%s", text.s);
  text_free(&text);
  sweep_table_free(&t);
}

static int run_all(const struct gen_options *o, struct sweep_run *r, const char *command, struct simt_diag *diag) {
  json_t *rows = NULL;
  const char *cache = cache_dir(diag);
  struct work w = {.diag = diag};
  if (!cache || !work_begin(&w, cache)) return EXIT_TOOL;
  struct store st = {.lock = -1};
  char folder[PATH_MAX];
  snprintf(folder, sizeof folder, "%.4000s/sweep", w.folder);
  r->folder = folder;
  bool good = store_open(&st, folder, diag) && sweep_local(r, diag) && sweep_write_results(r, &rows, diag);
  progress_end();
  if (good) print(o, r, rows, command);
  if (good && r->n_failed) message_note("%zu of %zu failed", r->n_failed, r->n_tasks);
  json_decref(rows);
  store_close(&st);
  work_end(&w);
  return !good || r->n_failed == r->n_tasks ? EXIT_TOOL : EXIT_DONE;
}

int sweep_print_table(const struct gen_options *o, const char *command) {
  struct sweep *s = o->values;
  struct simt_diag diag = {0};
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  unsigned most = o->workers ? o->workers : cores > 0 ? (unsigned)cores : 1;
  int status = EXIT_USAGE;
  struct sweep_run r = {.sweep = s, .workers = most};
  bool sim = !strcmp(command, "sim"), good;
  good = sim ? add_workload(o, s, &diag) : add_target(o, s, &diag);
  s->seeds = o->seeds ? o->seeds : 1;
  if (good && add_points(s, &diag)) {
    r.n_tasks = r.n_open = s->n_points;
    if (!sweep_identify(s, &diag)) status = EXIT_TOOL;
    else if ((r.task = sweep_tasks(s, &diag))) status = run_all(o, &r, command, &diag);
  }
  free(r.task);
  if (diag.failed) message_error(&diag);
  return status;
}
