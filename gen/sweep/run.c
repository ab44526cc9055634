/* SPDX-License-Identifier: Apache-2.0 */
/* run.c: one task of a sweep: a command of this program in a process of its own, so that a crash is a failed point. Its
 * output stays in memory until the record is made: a full disk cannot cut it. */
#define _GNU_SOURCE /* memfd_create */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sweep/sweep.h"

double run_clock(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* The child's side. It ends with its parent, and Ctrl-C goes to the parent, which ends it. */
static void child(const struct sweep_process *r, const char *const argv[]) {
  setpgid(0, 0);
  prctl(PR_SET_PDEATHSIG, SIGTERM);
  signal(SIGINT, SIG_DFL);
  signal(SIGTERM, SIG_DFL);
  int in = open("/dev/null", O_RDONLY);
  if (in < 0 || dup2(in, 0) < 0 || dup2(r->out, 1) < 0 || dup2(r->err, 2) < 0) _exit(127);
  setenv("SIMTGEN_PROGRESS", "1000000", 1); /* its messages are the reason of a failure */
  execv("/proc/self/exe", (char *const *)(uintptr_t)argv);
  _exit(127);
}

bool run_begin(struct sweep_process *r, char *const *arguments, struct simt_diag *diag) {
  size_t n = 0, k = 0;
  while (arguments[n]) n++;
  const char **argv = calloc(n + 6, sizeof *argv);
  if (!argv) abort();
  argv[k++] = "simtgen";
  for (size_t i = 0; i < n; i++) argv[k++] = arguments[i];
  argv[k++] = "--json";
  if (!strcmp(arguments[0], "synth")) argv[k++] = "--workers", argv[k++] = "1"; /* tasks are what runs side by side */
  r->out = memfd_create("out", MFD_CLOEXEC);
  r->err = memfd_create("err", MFD_CLOEXEC);
  r->began = run_clock();
  fflush(NULL);
  r->pid = r->out < 0 || r->err < 0 ? -1 : fork();
  if (!r->pid) child(r, argv);
  free(argv);
  if (r->pid > 0) return true;
  int why = errno;
  close(r->out);
  close(r->err);
  r->pid = 0;
  simt_fail(diag, "a task", strerror(why), "memory and a process for it");
  snprintf(diag->hint, sizeof diag->hint, "use fewer at a time (-j)");
  return false;
}

void run_stop(const struct sweep_process *r) {
  if (r->pid) kill(r->pid, SIGTERM); /* it ends its tools */
}

static char *read_all(int fd) {
  off_t size = lseek(fd, 0, SEEK_END), done = 0;
  char *s = calloc(1, (size_t)(size > 0 ? size : 0) + 1);
  if (!s) abort();
  for (ssize_t n; done < size && (n = pread(fd, s + done, (size_t)(size - done), done)) > 0;) done += n;
  close(fd);
  return s;
}

/* ---- what is kept of a result ------------------------------------------------------------------------------- */

static void copy(json_t *to, const json_t *from, const char *const *names) {
  for (; *names; names++) {
    json_t *v = json_object_get(from, *names);
    if (v) json_object_set(to, *names, v);
  }
}

/* Of synthesis all but its hierarchy and the steps of the critical path, which fill pages. */
static json_t *synth_result(const json_t *all) {
  static const char *const names[] = {"configuration", "verilog", "fmax_mhz", "resources", "fill", "device", "fits", "seeds", "tools", "flow", NULL};
  json_t *to = json_object(), *library = json_object_get(json_object_get(all, "library"), "sha256");
  copy(to, all, names);
  if (library) json_object_set(to, "library_sha256", library);
  return to;
}

/* Of a model's run its numbers. */
static json_t *sim_result(json_t *all) {
  json_t *to = json_object(), *v;
  const char *name;
  copy(to, all, (const char *const[]){"picker", NULL});
  json_object_foreach(all, name, v)
    if (json_is_number(v) && strcmp(name, "schema")) json_object_set(to, name, v);
  return to;
}

/* The message of a run that failed, or how it ended. */
static json_t *reason(int status, char *err) {
  static const char prefix[] = "simtgen: ";
  size_t n = strlen(err);
  while (n && err[n - 1] == '\n') err[--n] = 0;
  char *line = strrchr(err, '\n'), text[64];
  line = line ? line + 1 : err;
  if (!strncmp(line, prefix, sizeof prefix - 1)) line += sizeof prefix - 1;
  snprintf(text, sizeof text, WIFSIGNALED(status) ? "ended by signal %d" : "exit status %d",
           WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
  json_t *v = WIFEXITED(status) && *line ? json_string(line) : NULL;
  return v ? v : json_string(text);
}

static json_t *make_record(int status, char *out, char *err, bool sim, double seconds, bool *failed) {
  json_t *all = WIFEXITED(status) && !WEXITSTATUS(status) ? json_loads(out, 0, NULL) : NULL;
  json_t *record = json_object();
  char host[64] = "";
  *failed = !all;
  gethostname(host, sizeof host - 1);
  if (all) json_object_set_new(record, "result", sim ? sim_result(all) : synth_result(all));
  else json_object_set_new(record, "failed", reason(status, err));
  json_object_set_new(record, "run", json_pack("{ss* sf}", "host", host, "seconds", seconds));
  json_decref(all);
  return record;
}

bool run_end(struct sweep_process *r, int status, const char *folder, const char *key, bool sim, bool *failed, struct simt_diag *diag) {
  char *out = read_all(r->out), *err = read_all(r->err);
  bool stopped = interrupted || (WIFEXITED(status) && WEXITSTATUS(status) == EXIT_INTERRUPTED), good = true;
  r->pid = 0;
  if (!stopped) {
    json_t *record = make_record(status, out, err, sim, run_clock() - r->began, failed);
    good = store_put(folder, key, record, diag);
    json_decref(record);
  }
  free(out);
  free(err);
  return good && !stopped;
}

/* ---- a job of a cluster ------------------------------------------------------------------------------------- */

static char **words(json_t *list) {
  size_t n = json_array_size(list);
  char **a = calloc(n + 1, sizeof *a);
  if (!a) abort();
  for (size_t i = 0; i < n; i++) {
    a[i] = strdup(json_string_value(json_array_get(list, i)) ? json_string_value(json_array_get(list, i)) : "");
    if (!a[i]) abort();
  }
  return a;
}

/* A task that has its result already, because the job was queued again, is not run twice. */
static bool job_task(const char *folder, json_t *task, struct simt_diag *diag) {
  const char *key = json_string_value(json_object_get(task, "key"));
  bool failed, good;
  struct sweep_process r = {.pid = 0};
  int status;
  if (!key) return simt_fail(diag, "--task", "a line without a key", "a line of a file that sweep wrote");
  if (store_get(folder, key, NULL, &failed, diag)) return !diag->failed;
  char **a = words(json_object_get(task, "arguments"));
  good = a[0] && run_begin(&r, a, diag);
  while (good && waitpid(r.pid, &status, 0) < 0)
    if (interrupted) run_stop(&r);
  good = good && run_end(&r, status, folder, key, !strcmp(a[0], "sim"), &failed, diag);
  sweep_free_arguments(a);
  return good;
}

/* FILE:LINE */
static json_t *job_line(const char *where, struct simt_diag *diag) {
  const char *colon = strrchr(where, ':');
  char path[PATH_MAX];
  unsigned long line = colon ? strtoul(colon + 1, NULL, 10) : 0;
  snprintf(path, sizeof path, "%.*s", colon ? (int)(colon - where) : 0, where);
  char *whole = file_read(path, NULL, diag), *at = whole;
  for (unsigned long i = 0; at && i < line; i++) at = strchr(at, '\n') ? strchr(at, '\n') + 1 : NULL;
  if (at) at[strcspn(at, "\n")] = 0;
  json_t *list = at ? json_loads(at, 0, NULL) : NULL;
  if (!list && !diag->failed) simt_fail(diag, "--task", where, "FILE:LINE of a file that sweep wrote");
  free(whole);
  return list;
}

int run_job(const char *folder, const char *where) {
  struct simt_diag diag = {0};
  json_t *list = job_line(where, &diag), *task;
  size_t i;
  bool good = list;
  json_array_foreach(list, i, task) {
    if (!good || interrupted) break;
    good = job_task(folder, task, &diag);
  }
  json_decref(list);
  if (diag.failed) message_error(&diag);
  return interrupted ? EXIT_INTERRUPTED : good ? EXIT_DONE : EXIT_TOOL;
}
