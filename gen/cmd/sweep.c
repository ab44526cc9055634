/* SPDX-License-Identifier: Apache-2.0 */
/* sweep.c: `simtgen sweep`: synthesis and workloads over many configurations of a block. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sweep/sweep.h"

enum { SHOWN_ROWS = 40, MOST_CORES = 256 };
#define SYNTH_SECONDS 60.0 /* a guess before anything was measured */
#define SIM_SECONDS 0.2
#define FIRST_SHARE 0.02   /* done before a time is said: what is quick comes to an end first */

static unsigned workers(const struct gen_options *o) {
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  return o->workers ? o->workers : cores > 0 && cores < MOST_CORES ? (unsigned)cores : 1;
}

/* ---- before it begins --------------------------------------------------------------------------------------- */

static void time_text(double seconds, char to[40]) {
  if (seconds >= 2 * 86400) snprintf(to, 40, "%.0f days", seconds / 86400);
  else if (seconds >= 2 * 3600) snprintf(to, 40, "%.0f hours", seconds / 3600);
  else snprintf(to, 40, "%.0f minutes", seconds / 60 < 1 ? 1 : seconds / 60);
}

/* Many points: a yes from the terminal, or --yes. */
static bool ask(void *ctx, const struct sweep *s, double points, char shown[120]) {
  const struct gen_options *o = ctx;
  char time[40], answer[16] = "";
  double each = (double)s->n_targets * s->seeds * SYNTH_SECONDS + (double)s->n_workloads * SIM_SECONDS;
  time_text(points * each / workers(o), time);
  snprintf(shown, 120, "%.0f points, %.0f tasks, about %s with %u at a time", points, points * (double)sweep_tasks_per_point(s), time,
           workers(o));
  if (o->yes) return true;
  if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO)) return false;
  message_note("%s (at %g s for a synthesis, %g s for a trace)", shown, SYNTH_SECONDS, SIM_SECONDS);
  fprintf(stderr, "simtgen: run them? [y/N] ");
  fflush(stderr);
  return fgets(answer, sizeof answer, stdin) && (answer[0] == 'y' || answer[0] == 'Y');
}

/* FILE without its folder and its ending, with .sweep. */
static void default_folder(const struct gen_options *o, char folder[PATH_MAX]) {
  const char *slash = strrchr(o->operand, '/'), *base = slash ? slash + 1 : o->operand;
  snprintf(folder, PATH_MAX, "%.*s.sweep", (int)strcspn(base, "."), base);
  if (o->out) snprintf(folder, PATH_MAX, "%s", o->out);
}

/* The list of keys says which sweep a folder holds; tells whether it is this one. */
static void plan(const struct sweep_run *r, struct text *t) {
  char hex[65];
  struct text all = {0};
  for (size_t i = 0; i < r->n_tasks; i++) text_add(&all, "%s\n", r->task[i].key);
  sha256_hex(all.s ? all.s : "", all.len, hex);
  text_add(t, "%s, %zu points, tasks %s\n", r->sweep->base.block->name, r->sweep->n_points, hex);
  text_free(&all);
}

static void plan_path(const struct sweep_run *r, char path[PATH_MAX + 16]) { snprintf(path, PATH_MAX + 16, "%s/plan", r->folder); }

/* Before the folder is touched. */
static bool has_begun(const struct gen_options *o, const struct sweep_run *r, struct simt_diag *diag) {
  char path[PATH_MAX + 16];
  plan_path(r, path);
  if (!o->resume || !access(path, F_OK)) return true;
  simt_fail(diag, "--resume", r->folder, "a folder in which a sweep has begun");
  snprintf(diag->hint, sizeof diag->hint, "without --resume it begins");
  return false;
}

static bool same_sweep(const struct gen_options *o, const struct sweep_run *r, struct simt_diag *diag) {
  char path[PATH_MAX + 16], *old;
  struct text own = {0};
  bool good = true;
  plan_path(r, path);
  plan(r, &own);
  if (o->resume) {
    old = file_read(path, NULL, diag);
    good = old && (!strcmp(old, own.s) || simt_fail(diag, "--resume", r->folder, "the same sweep: its file, traces, templates or tools are others by now"));
    if (old && !good) snprintf(diag->hint, sizeof diag->hint, "without --resume what is the same is kept, and the rest run");
    free(old);
  }
  good = good && store_write(r->folder, "plan", &own, diag);
  text_free(&own);
  return good;
}

/* Which results are there. */
static bool look_up(const struct gen_options *o, struct sweep_run *r, struct simt_diag *diag) {
  for (size_t i = 0; i < r->n_tasks && !interrupted; i++) {
    struct sweep_task *t = &r->task[i];
    int there = store_get(r->folder, t->key, NULL, &t->failed, diag);
    if (there < 0) return false;
    if (there && t->failed && o->retry) {
      store_remove(r->folder, t->key);
      there = 0;
      t->failed = false;
    }
    t->done = t->kept = there;
    r->n_open += !there;
    if (there) r->n_failed += t->failed;
  }
  return !interrupted;
}

/* ---- while it runs ------------------------------------------------------------------------------------------ */

/* By weight: a synthesis takes as long as many traces. */
void sweep_progress(const struct sweep_run *r, const char *more) {
  double all = 0, done = 0;
  for (size_t i = 0; i < r->n_tasks; i++) {
    double weight = r->task[i].sim ? SIM_SECONDS : SYNTH_SECONDS * r->sweep->seeds;
    if (r->task[i].kept) continue;
    all += weight;
    if (r->task[i].done) done += weight;
  }
  double share = all > 0 ? done / all : 1;
  progress(share < FIRST_SHARE ? NOT_KNOWN : share, "sweep: %zu of %zu tasks, %zu failed%s", r->n_done, r->n_open, r->n_failed, more);
}

/* ---- the command -------------------------------------------------------------------------------------------- */

static void print_json(const struct sweep_run *r, json_t *rows) {
  json_t *whole = sweep_header(r);
  json_object_set(whole, "rows", rows);
  json_dumpf(whole, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
  putchar('\n');
  json_decref(whole);
}

static void print(const struct gen_options *o, const struct sweep_run *r, json_t *rows) {
  struct sweep_table t;
  struct text text = {0};
  if (o->json) {
    print_json(r, rows);
    return;
  }
  sweep_table_make(&t, rows);
  sweep_text(&t, SHOWN_ROWS, &text);
  printf("%s: %zu points of %s", r->sweep->name, r->sweep->n_points, r->sweep->base.block->name);
  if (r->sweep->n_refused) printf(" (%zu more are refused by the block)", r->sweep->n_refused);
  printf("\n\n%s", text.s);
  if (!o->quiet)
    printf("\n%zu tasks run, %zu kept from before, %zu failed; results: %s/results.jsonl and .csv\nas a page: simtgen report %s -o DIR\n",
           r->n_done, r->n_tasks - r->n_open, r->n_failed, r->folder, r->folder);
  text_free(&text);
  sweep_table_free(&t);
}

static int run_all(const struct gen_options *o, struct sweep_run *r, struct simt_diag *diag) {
  json_t *rows = NULL;
  if (!same_sweep(o, r, diag)) return EXIT_USAGE;
  if (!look_up(o, r, diag)) return EXIT_USAGE;
  bool good = !r->n_open || (!strcmp(o->executor, "slurm") ? sweep_slurm(r, diag) : sweep_local(r, diag));
  progress_end();
  good = good && sweep_write_results(r, &rows, diag);
  if (good) print(o, r, rows);
  json_decref(rows);
  return !good || r->n_failed == r->n_tasks ? EXIT_TOOL : EXIT_DONE;
}

int cmd_sweep(const struct gen_options *o) {
  struct simt_diag diag = {0};
  char folder[PATH_MAX];
  if (o->task) return run_job(o->out ? o->out : ".", o->task);
  struct sweep *s = calloc(1, sizeof *s);
  if (!s) abort();
  default_folder(o, folder);
  struct sweep_run r = {.sweep = s, .folder = folder, .workers = workers(o), .jobs = o->jobs};
  struct store st = {.lock = -1};
  int status = EXIT_USAGE;
  if (sweep_read(s, o->operand, ask, (void *)(uintptr_t)o, &diag)) {
    r.n_tasks = s->n_points * sweep_tasks_per_point(s);
    if (!sweep_identify(s, &diag)) status = EXIT_TOOL;
    else if ((r.task = sweep_tasks(s, &diag)) && has_begun(o, &r, &diag) && store_open(&st, folder, &diag)) status = run_all(o, &r, &diag);
  }
  store_close(&st);
  free(r.task);
  sweep_free(s);
  free(s);
  if (diag.failed) message_error(&diag);
  return status;
}
