/* SPDX-License-Identifier: Apache-2.0 */
/* session.c: what `simtgen sweep` and `simtgen tune` do alike: the file is read, the points are counted and asked for, the
 * folder is opened, what it has is looked up, and tasks are run. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "sweep/sweep.h"

enum { MOST_CORES = 256 };
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

/* Nobody knows how many syntheses `tune` needs: those that may be needed become fewer with each result. */
static void tune_progress(const struct sweep_run *r, const char *more) {
  size_t done = r->before + r->n_done;
  if (r->at_most)
    progress((double)done / (double)r->at_most, "tune: %zu of at most %zu syntheses, %zu failed%s", done, r->at_most, r->n_failed, more);
  else
    progress((double)r->n_done / (double)r->n_open, "tune: %zu of %zu runs of the model, %zu failed%s", r->n_done, r->n_open, r->n_failed, more);
}

/* By weight: a synthesis takes as long as many traces. */
void sweep_progress(const struct sweep_run *r, const char *more) {
  double all = 0, done = 0;
  if (r->tune) {
    tune_progress(r, more);
    return;
  }
  for (size_t i = 0; i < r->n_tasks; i++) {
    double weight = r->task[i].sim ? SIM_SECONDS : SYNTH_SECONDS * r->sweep->seeds;
    if (r->task[i].kept) continue;
    all += weight;
    if (r->task[i].done) done += weight;
  }
  double share = all > 0 ? done / all : 1;
  progress(share < FIRST_SHARE ? NOT_KNOWN : share, "sweep: %zu of %zu tasks, %zu failed%s", r->n_done, r->n_open, r->n_failed, more);
}

/* ---- the whole ---------------------------------------------------------------------------------------------- */

bool session_read(struct sweep_session *x, const struct gen_options *o, struct simt_diag *diag) {
  x->store.lock = -1;
  x->sweep = calloc(1, sizeof *x->sweep);
  if (!x->sweep) abort();
  default_folder(o, x->folder);
  x->run = (struct sweep_run){.tune = x->run.tune, .sweep = x->sweep, .folder = x->folder, .workers = workers(o), .jobs = o->jobs};
  if (!sweep_read(x->sweep, o->operand, ask, (void *)(uintptr_t)o, diag)) return false;
  x->run.n_tasks = x->sweep->n_points * sweep_tasks_per_point(x->sweep);
  return true;
}

int session_open(struct sweep_session *x, const struct gen_options *o, struct simt_diag *diag) {
  struct sweep_run *r = &x->run;
  if (!sweep_identify(x->sweep, diag)) return EXIT_TOOL;
  if (!(r->task = sweep_tasks(x->sweep, diag)) || !has_begun(o, r, diag) || !store_open(&x->store, x->folder, diag) ||
      !same_sweep(o, r, diag) || !look_up(o, r, diag))
    return EXIT_USAGE;
  return EXIT_DONE;
}

void session_end(struct sweep_session *x) {
  store_close(&x->store);
  free(x->run.task);
  if (x->sweep) sweep_free(x->sweep);
  free(x->sweep);
}

bool session_run(const struct gen_options *o, struct sweep_run *r, struct simt_diag *diag) {
  bool good = !r->n_open || (!strcmp(o->executor, "slurm") ? sweep_slurm(r, diag) : sweep_local(r, diag));
  progress_end();
  return good;
}
