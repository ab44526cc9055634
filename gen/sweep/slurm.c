/* SPDX-License-Identifier: Apache-2.0 */
/* slurm.c: the tasks of a sweep as an array job of Slurm, on a folder that all nodes share. A job runs one line of a file
 * of tasks with this program and leaves a result for each; one that is queued again, because its node went down, does what
 * is still to be done. What a sweep finds in the queue from before it was killed it waits for, and submits nothing twice. */
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sweep/sweep.h"
#include "work.h"

/* An array has at most 1,000 jobs (MaxArraySize as Slurm ships it); a job at least so much work that starting it is little
 * beside. Jobs that end without result are submitted again so often. */
enum { MOST_LINES = 1000, LINE_WEIGHT = 100, SYNTH_WEIGHT = 100, ROUNDS = 3, LATE_SECONDS = 5, SILENT_SECONDS = 300 };

struct slurm {
  struct sweep_run *r;
  const char *sbatch, *squeue, *scancel;
  char folder[PATH_MAX + 8]; /* absolute: slurm/ of the results */
  char job[64];              /* "" when none is under way */
  double heard;              /* when squeue last answered */
};

static bool find_tools(struct slurm *s, struct simt_diag *diag) {
  return (s->sbatch = tool_find("sbatch", diag)) && (s->squeue = tool_find("squeue", diag)) &&
         (s->scancel = tool_find("scancel", diag));
}

/* ---- submitting --------------------------------------------------------------------------------------------- */

static void add_task(const struct slurm *s, size_t i, json_t *line, struct simt_diag *diag) {
  char **a = sweep_arguments(s->r->sweep, i, diag);
  json_t *words = json_array();
  for (size_t k = 0; a && a[k]; k++) json_array_append_new(words, json_string(a[k]));
  sweep_free_arguments(a);
  json_array_append_new(line, json_pack("{ss so}", "key", s->r->task[i].key, "arguments", words));
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
static size_t make_lines(const struct slurm *s, struct text *t, struct simt_diag *diag) {
  const struct sweep_run *r = s->r;
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
    add_task(s, i, line, diag);
    weight += own;
  }
  if (weight) end_line(t, line), n++;
  json_decref(line);
  return n;
}

/* A word of a shell command. */
static void quote(struct text *t, const char *s) {
  text_add(t, "'");
  for (; *s; s++) text_add(t, *s == '\'' ? "'\\''" : "%c", *s);
  text_add(t, "'");
}

/* Every node must find this program at the same place. */
static bool own_path(char *to, size_t room) {
  ssize_t n = readlink("/proc/self/exe", to, room - 1);
  to[n > 0 ? n : 0] = 0;
  return n > 0;
}

static bool submit(struct slurm *s, unsigned jobs, struct simt_diag *diag) {
  struct text tasks = {0}, wrap = {0}, log = {0}, job = {0};
  char array[64], name[SIMT_NAME_MAX + 32], output[PATH_MAX + 32], program[PATH_MAX + 16], file[PATH_MAX + 32];
  size_t n = make_lines(s, &tasks, diag);
  bool good = !diag->failed && own_path(program, sizeof program) && store_write(s->folder, "tasks.jsonl", &tasks, diag);
  snprintf(file, sizeof file, "%s/tasks.jsonl", s->folder);
  snprintf(array, sizeof array, "--array=0-%zu%%%u", n - 1, jobs);
  snprintf(name, sizeof name, "--job-name=simtgen-%s", s->r->sweep->name);
  snprintf(output, sizeof output, "--output=%s/%%A_%%a.out", s->folder);
  text_add(&wrap, "--wrap=exec ");
  quote(&wrap, program);
  text_add(&wrap, " sweep --task ");
  quote(&wrap, file);
  text_add(&wrap, ":$SLURM_ARRAY_TASK_ID -o ");
  quote(&wrap, s->r->folder);
  const char *argv[] = {s->sbatch, "--parsable", "--requeue", "--ntasks=1", "--cpus-per-task=1", "--open-mode=append", array,
                        name, output, wrap.s, NULL};
  int status = good ? tool_run(argv, NULL, &log) : -1;
  if (good && (status || !log.s)) {
    good = simt_fail(diag, s->sbatch, log.s && *log.s ? log.s : "no answer", "a job number of Slurm");
    snprintf(diag->hint, sizeof diag->hint, "check that sinfo shows nodes, or use --executor local");
  }
  if (good) {
    snprintf(s->job, sizeof s->job, "%.*s", (int)strspn(log.s, "0123456789"), log.s);
    text_add(&job, "%s\n", s->job);
    good = store_write(s->folder, "job", &job, diag);
  }
  text_free(&tasks);
  text_free(&wrap);
  text_free(&log);
  text_free(&job);
  return good;
}

/* ---- waiting ------------------------------------------------------------------------------------------------ */

/* Jobs of ours in the queue; a controller that does not answer is not taken for an empty queue for some minutes. */
static bool in_queue(struct slurm *s, unsigned *running) {
  const char *argv[] = {s->squeue, "--noheader", "--array", "--states=all", "--format=%T", "--jobs", s->job, NULL};
  struct text log = {0};
  int status = tool_run(argv, NULL, &log);
  bool there = false, unknown = log.s && strstr(log.s, "Invalid job id");
  *running = 0;
  if (!status || unknown) s->heard = run_clock();
  for (char *save, *line = !status && log.s ? strtok_r(log.s, "\n", &save) : NULL; line; line = strtok_r(NULL, "\n", &save)) {
    static const char *const ends[] = {"BOOT_FAIL", "CANCELLED", "COMPLETED", "DEADLINE", "FAILED", "NODE_FAIL", "OUT_OF_MEMORY", "TIMEOUT", NULL};
    size_t k = 0;
    while (ends[k] && strcmp(ends[k], line)) k++;
    there = there || !ends[k];
    *running += !strcmp(line, "RUNNING");
  }
  text_free(&log);
  return status && !unknown ? run_clock() - s->heard < SILENT_SECONDS : there;
}

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

static bool wait_for_job(struct slurm *s, struct simt_diag *diag) {
  unsigned running = 0;
  bool there = true, good = true;
  s->heard = run_clock();
  while (there && good && !interrupted && s->r->n_done < s->r->n_open) {
    char more[100];
    there = in_queue(s, &running);
    good = look(s->r, diag);
    snprintf(more, sizeof more, ", job %s: %u running", s->job, running);
    sweep_progress(s->r, more);
    if (there && s->r->n_done < s->r->n_open) poll(NULL, 0, 500);
  }
  for (int i = 0; good && !interrupted && s->r->n_done < s->r->n_open && i < LATE_SECONDS; i++) { /* a shared folder shows files late */
    poll(NULL, 0, 1000);
    good = look(s->r, diag);
  }
  return good && !interrupted;
}

/* The user stops the sweep, or it cannot go on: its jobs end, too. */
static void cancel(const struct slurm *s) {
  const char *argv[] = {s->scancel, s->job, NULL};
  int was = interrupted;
  if (!s->job[0]) return;
  interrupted = 0;
  tool_run(argv, NULL, NULL);
  interrupted = was;
}

/* The job of a sweep that was killed, when it is still in the queue. */
static void adopt(struct slurm *s) {
  char path[PATH_MAX + 32];
  struct simt_diag unused = {0};
  unsigned running;
  snprintf(path, sizeof path, "%s/job", s->folder);
  char *text = access(path, R_OK) ? NULL : file_read(path, NULL, &unused);
  snprintf(s->job, sizeof s->job, "%.*s", text ? (int)strspn(text, "0123456789") : 0, text ? text : "");
  free(text);
  s->heard = run_clock() - SILENT_SECONDS;
  if (s->job[0] && !in_queue(s, &running)) s->job[0] = 0;
  if (s->job[0]) message_note("job %s is still in the queue: waiting for it", s->job);
}

/* Tasks that no job of several has brought to an end. */
static bool give_up(const struct slurm *s, struct simt_diag *diag) {
  struct sweep_run *r = s->r;
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

static bool run_rounds(struct slurm *s, unsigned jobs, struct simt_diag *diag) {
  struct sweep_run *r = s->r;
  adopt(s);
  for (int round = 0; round < ROUNDS && r->n_done < r->n_open; round++) {
    size_t before = r->n_done;
    if (!s->job[0] && !submit(s, jobs, diag)) return false;
    if (!wait_for_job(s, diag)) return false;
    if (r->n_done == before && round == ROUNDS - 1 && !before) {
      char got[100];
      snprintf(got, sizeof got, "job %s without any result", s->job);
      simt_fail(diag, "slurm", got, "results of its tasks in this folder, which every node must see");
      snprintf(diag->hint, sizeof diag->hint, "read %.150s/%s_0.out", s->folder, s->job);
      return false;
    }
    s->job[0] = 0;
  }
  return give_up(s, diag);
}

bool sweep_slurm(struct sweep_run *r, struct simt_diag *diag) {
  struct slurm s = {.r = r};
  const char *given = r->folder;
  char folder[PATH_MAX];
  if (!find_tools(&s, diag)) return false;
  if (!realpath(r->folder, folder)) return simt_fail(diag, r->folder, "no such folder", "the folder of the results");
  r->folder = folder; /* the jobs may stand elsewhere */
  snprintf(s.folder, sizeof s.folder, "%s/slurm", folder);
  mkdir(s.folder, 0777); /* a failure shows when something is written there */
  bool good = run_rounds(&s, r->jobs, diag);
  if (!good) cancel(&s);
  r->folder = given;
  return good;
}
