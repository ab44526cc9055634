/* SPDX-License-Identifier: Apache-2.0 */
/* slurm.c: the tasks of a sweep as an array job of Slurm, on a folder that all nodes share. A job runs one line of a file
 * of tasks with this program and leaves a result for each; one that is queued again, because its node went down, does what
 * is still to be done. What a sweep finds in the queue from before it was killed it waits for, and submits nothing twice. */
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "slurm.h"
#include "sweep/sweep.h"

/* An array has at most 1,000 jobs (MaxArraySize as Slurm ships it); a job at least so much work that starting it is little
 * beside. Jobs that end without result are submitted again so often. */
enum { MOST_LINES = 1000, LINE_WEIGHT = 100, SYNTH_WEIGHT = 100, ROUNDS = 3, LATE_SECONDS = 5 };

struct cluster { struct slurm slurm; struct sweep_run *r; };

/* ---- submitting --------------------------------------------------------------------------------------------- */

static void add_task(const struct cluster *c, size_t i, json_t *line, struct simt_diag *diag) {
  char **a = sweep_arguments(c->r->sweep, i, diag);
  json_t *words = json_array();
  for (size_t k = 0; a && a[k]; k++) json_array_append_new(words, json_string(a[k]));
  sweep_free_arguments(a);
  json_array_append_new(line, json_pack("{ss so}", "key", c->r->task[i].key, "arguments", words));
}

static void end_line(struct text *t, json_t *line) {
  char *text = json_dumps(line, JSON_COMPACT);
  if (!text) abort();
  text_add_bytes(t, text, strlen(text));
  text_add_bytes(t, "\n", 1);
  free(text);
  json_array_clear(line);
}

/* What is open, a job a line; returns the number of lines. */
static size_t make_lines(const struct cluster *c, struct text *t, struct simt_diag *diag) {
  const struct sweep_run *r = c->r;
  size_t all = 0, n = 0, weight = 0, most;
  json_t *line = json_array();
  for (size_t i = 0; i < r->n_tasks; i++)
    if (!r->task[i].done) all += r->task[i].sim ? 1 : SYNTH_WEIGHT;
  most = (all + MOST_LINES - 1) / MOST_LINES;
  most = most > LINE_WEIGHT ? most + SYNTH_WEIGHT : LINE_WEIGHT; /* a synthesis is not divided */
  for (size_t i = 0; i < r->n_tasks && !diag->failed; i++) {
    size_t own = r->task[i].sim ? 1 : SYNTH_WEIGHT;
    if (r->task[i].done) continue;
    if (weight && weight + own > most) end_line(t, line), weight = 0, n++;
    add_task(c, i, line, diag);
    weight += own;
  }
  if (weight) end_line(t, line), n++;
  json_decref(line);
  return n;
}

static bool submit(struct cluster *c, unsigned jobs, struct simt_diag *diag) {
  struct text tasks = {0}, command = {0};
  char file[PATH_MAX + 32], elements[32];
  size_t n = make_lines(c, &tasks, diag);
  snprintf(elements, sizeof elements, "0-%zu", n - 1);
  snprintf(file, sizeof file, "%s/tasks.jsonl", c->slurm.folder);
  slurm_program(&command);
  text_add(&command, " sweep --task ");
  slurm_quote(&command, file);
  text_add(&command, ":$SLURM_ARRAY_TASK_ID -o ");
  slurm_quote(&command, c->r->folder);
  bool good = !diag->failed && store_write(c->slurm.folder, "tasks.jsonl", &tasks, diag) &&
              slurm_submit(&c->slurm, c->r->sweep->name, elements, jobs, command.s, diag);
  text_free(&tasks);
  text_free(&command);
  return good;
}

/* ---- waiting ------------------------------------------------------------------------------------------------ */

/* Takes in the results that have come; false and diag when one is not whole. */
static bool look(struct sweep_run *r, struct simt_diag *diag) {
  for (size_t i = 0; i < r->n_tasks; i++) {
    struct sweep_task *t = &r->task[i];
    int there = t->done ? 0 : store_get(r->folder, t->key, NULL, &t->failed, diag);
    if (there < 0) return false;
    if (!there) continue;
    t->done = true;
    r->n_done++;
    r->n_failed += t->failed;
  }
  return true;
}

static bool wait_for_job(struct cluster *c, struct simt_diag *diag) {
  unsigned running = 0;
  bool there = true, good = true;
  c->slurm.heard = run_clock();
  while (there && good && !interrupted && c->r->n_done < c->r->n_open) {
    char more[100];
    there = slurm_in_queue(&c->slurm, &running);
    good = look(c->r, diag);
    snprintf(more, sizeof more, ", job %s: %u running", c->slurm.job, running);
    sweep_progress(c->r, more);
    if (there && c->r->n_done < c->r->n_open) poll(NULL, 0, 500);
  }
  for (int i = 0; good && !interrupted && c->r->n_done < c->r->n_open && i < LATE_SECONDS; i++) { /* a shared folder shows files late */
    poll(NULL, 0, 1000);
    good = look(c->r, diag);
  }
  return good && !interrupted;
}

/* Tasks that no job of several has brought to an end. */
static bool give_up(const struct cluster *c, struct simt_diag *diag) {
  struct sweep_run *r = c->r;
  for (size_t i = 0; i < r->n_tasks; i++) {
    if (r->task[i].done) continue;
    json_t *record = json_pack("{ss s{sf}}", "failed", "no result from a job of Slurm that was started three times", "run", "seconds", 0.0);
    bool good = store_put(r->folder, r->task[i].key, record, diag);
    json_decref(record);
    if (!good) return false;
    r->task[i].done = r->task[i].failed = true;
    r->n_done++;
    r->n_failed++;
  }
  return true;
}

static bool run_rounds(struct cluster *c, unsigned jobs, struct simt_diag *diag) {
  struct sweep_run *r = c->r;
  if (!slurm_adopt(&c->slurm)) c->slurm.job[0] = 0;
  for (int round = 0; round < ROUNDS && r->n_done < r->n_open; round++) {
    size_t before = r->n_done;
    if (!c->slurm.job[0] && !submit(c, jobs, diag)) return false;
    if (!wait_for_job(c, diag)) return false;
    if (r->n_done == before && round == ROUNDS - 1 && !before) {
      char got[100];
      snprintf(got, sizeof got, "job %s without any result", c->slurm.job);
      simt_fail(diag, "slurm", got, "results of its tasks in this folder, which every node must see");
      snprintf(diag->hint, sizeof diag->hint, "read %.150s/%s_0.out", c->slurm.folder, c->slurm.job);
      return false;
    }
    c->slurm.job[0] = 0;
  }
  return give_up(c, diag);
}

bool sweep_slurm(struct sweep_run *r, struct simt_diag *diag) {
  struct cluster c = {.r = r};
  const char *given = r->folder;
  char folder[PATH_MAX];
  if (!slurm_find(&c.slurm, diag)) return false;
  if (!realpath(r->folder, folder)) return simt_fail(diag, r->folder, "no such folder", "the folder of the results");
  r->folder = folder; /* the jobs may stand elsewhere */
  snprintf(c.slurm.folder, sizeof c.slurm.folder, "%s/slurm", folder);
  mkdir(c.slurm.folder, 0777); /* a failure shows when something is written there */
  bool good = run_rounds(&c, r->jobs, diag);
  if (!good) slurm_cancel(&c.slurm);
  r->folder = given;
  return good;
}
