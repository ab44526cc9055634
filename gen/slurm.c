/* SPDX-License-Identifier: Apache-2.0 */
/* slurm.c: array jobs of Slurm: submitting, looking into the queue, cancelling. What the jobs leave in the shared folder is
 * the caller's. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "slurm.h"
#include "sweep/sweep.h"

enum { SILENT_SECONDS = 300 };

bool slurm_find(struct slurm *s, struct simt_diag *diag) {
  return (s->sbatch = tool_find("sbatch", diag)) && (s->squeue = tool_find("squeue", diag)) &&
         (s->scancel = tool_find("scancel", diag));
}

void slurm_quote(struct text *t, const char *s) {
  text_add(t, "'");
  for (; *s; s++) text_add(t, *s == '\'' ? "'\\''" : "%c", *s);
  text_add(t, "'");
}

void slurm_program(struct text *t) {
  char path[PATH_MAX];
  ssize_t n = readlink("/proc/self/exe", path, sizeof path - 1);
  path[n > 0 ? n : 0] = 0;
  slurm_quote(t, path);
}

bool slurm_submit(struct slurm *s, const char *what, const char *elements, unsigned at_once, const char *command, struct simt_diag *diag) {
  struct text wrap = {0}, log = {0}, job = {0}, array = {0};
  char name[SIMT_NAME_MAX + 32], output[PATH_MAX + 32];
  text_add(&array, "--array=%s%%%u", elements, at_once);
  snprintf(name, sizeof name, "--job-name=simtgen-%s", what);
  snprintf(output, sizeof output, "--output=%s/%%A_%%a.out", s->folder);
  text_add(&wrap, "--wrap=exec %s", command);
  const char *argv[] = {s->sbatch, "--parsable", "--requeue", "--ntasks=1", "--cpus-per-task=1", "--open-mode=append", array.s,
                        name, output, wrap.s, NULL};
  int status = tool_run(argv, NULL, &log);
  bool good = !status && log.s;
  if (good) {
    snprintf(s->job, sizeof s->job, "%.*s", (int)strspn(log.s, "0123456789"), log.s);
    text_add(&job, "%s\n", s->job);
    good = store_write(s->folder, "job", &job, diag);
  } else {
    simt_fail(diag, s->sbatch, log.s && *log.s ? log.s : "no answer", "a job number of Slurm");
    snprintf(diag->hint, sizeof diag->hint, "check that sinfo shows nodes, or use --executor local");
  }
  text_free(&wrap);
  text_free(&log);
  text_free(&job);
  text_free(&array);
  return good;
}

bool slurm_in_queue(struct slurm *s, unsigned *running) {
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

void slurm_cancel(const struct slurm *s) {
  const char *argv[] = {s->scancel, s->job, NULL};
  int was = interrupted;
  if (!s->job[0]) return;
  interrupted = 0;
  tool_run(argv, NULL, NULL);
  interrupted = was;
}

void slurm_last_job(struct slurm *s) {
  char path[PATH_MAX + 32];
  struct simt_diag unused = {0};
  snprintf(path, sizeof path, "%s/job", s->folder);
  char *text = access(path, R_OK) ? NULL : file_read(path, NULL, &unused);
  snprintf(s->job, sizeof s->job, "%.*s", text ? (int)strspn(text, "0123456789") : 0, text ? text : "");
  free(text);
}

bool slurm_adopt(struct slurm *s) {
  unsigned running;
  slurm_last_job(s);
  s->heard = run_clock() - SILENT_SECONDS;
  if (!s->job[0] || !slurm_in_queue(s, &running)) return false;
  message_note("job %s is still in the queue: waiting for it", s->job);
  return true;
}
