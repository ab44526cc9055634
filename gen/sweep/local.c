/* SPDX-License-Identifier: Apache-2.0 */
/* local.c: the tasks of a sweep on this machine, so many at a time. */
#define _GNU_SOURCE
#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "sweep/sweep.h"

static struct sweep_process *find(struct sweep_process *list, unsigned n, pid_t pid) {
  for (unsigned i = 0; i < n; i++)
    if (list[i].pid == pid) return &list[i];
  return NULL;
}

/* A child has ended: its result is kept. */
static bool ended(struct sweep_run *r, struct sweep_process *w, int status, struct simt_diag *diag) {
  struct sweep_task *t = &r->task[w->task];
  if (!run_end(w, status, r->folder, t->key, t->sim, &t->failed, diag)) return false;
  t->done = true;
  r->n_done++;
  r->n_failed += t->failed;
  return true;
}

static void stop_all(struct sweep_process *list, unsigned n) {
  for (unsigned i = 0; i < n; i++) run_stop(&list[i]);
  for (unsigned i = 0; i < n; i++) {
    if (!list[i].pid) continue;
    while (waitpid(list[i].pid, NULL, 0) < 0 && errno == EINTR) continue;
    close(list[i].out);
    close(list[i].err);
  }
}

/* Starts tasks until all workers are at work. */
static bool start(struct sweep_run *r, struct sweep_process *list, unsigned n, size_t *next, unsigned *running, struct simt_diag *diag) {
  while (*running < n && *next < r->n_tasks) {
    size_t i = (*next)++;
    if (r->task[i].done) continue;
    struct sweep_process *w = find(list, n, 0);
    char **a = sweep_arguments(r->sweep, i, diag);
    bool good = a && run_begin(w, a, diag);
    sweep_free_arguments(a);
    if (!good) return false;
    w->task = i;
    ++*running;
  }
  return true;
}

/* Waits for the end of a child; the progress line meanwhile. SIGCHLD is blocked, so that none is missed. */
static pid_t wait_one(struct sweep_run *r, int *status) {
  sigset_t child;
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  for (;;) {
    pid_t pid = waitpid(-1, status, WNOHANG);
    if (pid || interrupted) return pid;
    sweep_progress(r, "");
    sigtimedwait(&child, NULL, &(struct timespec){.tv_nsec = 200000000});
  }
}

bool sweep_local(struct sweep_run *r, struct simt_diag *diag) {
  struct sweep_process *list = calloc(r->workers, sizeof *list);
  size_t next = 0;
  unsigned running = 0;
  bool good = true;
  sigset_t child, before;
  if (!list) abort();
  sigemptyset(&child);
  sigaddset(&child, SIGCHLD);
  sigprocmask(SIG_BLOCK, &child, &before);
  while (good && !interrupted) {
    int status;
    good = start(r, list, r->workers, &next, &running, diag);
    if (!good || !running) break;
    pid_t pid = wait_one(r, &status);
    struct sweep_process *w = pid > 0 ? find(list, r->workers, pid) : NULL;
    if (!w) continue;
    running--;
    good = ended(r, w, status, diag);
  }
  stop_all(list, r->workers);
  sigprocmask(SIG_SETMASK, &before, NULL);
  free(list);
  return good && !interrupted;
}
