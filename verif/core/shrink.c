/* SPDX-License-Identifier: Apache-2.0 */
/* shrink.c: from the choices of a failing run to the shortest list that still fails. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/lockstep.h"

struct shrink {
  struct lockstep *l;
  struct lockstep_tape *best, trial;
  enum lockstep_end end;
  struct timespec until;
  const volatile int *stop;
};

static bool time_is_up(const struct shrink *s) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (s->stop && *s->stop) || t.tv_sec > s->until.tv_sec ||
         (t.tv_sec == s->until.tv_sec && t.tv_nsec > s->until.tv_nsec);
}

/* Runs the trial; what fails in the same way, cut behind the failure, becomes the best. */
static bool attempt(struct shrink *s) {
  struct lockstep_result r = lockstep_run(
      s->l, &(struct lockstep_plan){.cycles = UINT64_MAX, .replay = &s->trial, .stop = s->stop});
  if (r.end != s->end) return false;
  s->best->n = (size_t)r.cycles;
  memcpy(s->best->records, s->trial.records, s->best->n * s->best->size);
  return true;
}

static void copy_records(struct shrink *s, size_t from, size_t n) {
  size_t size = s->best->size;
  memcpy(s->trial.records + s->trial.n * size, s->best->records + from * size, n * size);
  s->trial.n += n;
}

/* The trial is the best without records first..first+n-1. */
static bool attempt_without(struct shrink *s, size_t first, size_t n) {
  s->trial.n = 0;
  copy_records(s, 0, first);
  copy_records(s, first + n, s->best->n - first - n);
  return attempt(s);
}

/* The failure often needs only what came just before it. */
static void keep_end(struct shrink *s) {
  for (size_t n = 16; n < s->best->n && !time_is_up(s); n *= 4)
    if (attempt_without(s, 0, s->best->n - n)) return;
}

/* Delta debugging: drops ever smaller pieces, from the end, until no single record can go. */
static void drop_pieces(struct shrink *s) {
  for (size_t piece = s->best->n / 2 + 1; piece; ) {
    bool dropped = false;
    for (size_t end = s->best->n; end && !time_is_up(s);) {
      size_t n = piece < end ? piece : end;
      if (n < s->best->n && attempt_without(s, end - n, n)) dropped = true;
      end -= n;
      if (end > s->best->n) end = s->best->n;
    }
    if (time_is_up(s)) return;
    if (!dropped || piece > 1) piece /= 2;
  }
}

/* A record of zeros is the simplest; then single bytes of zero. */
static void clear_bytes(struct shrink *s, size_t piece) {
  size_t size = s->best->size;
  for (size_t at = 0; at < s->best->n * size && !time_is_up(s); at += piece) {
    bool zero = true;
    for (size_t i = 0; i < piece; i++) zero &= !s->best->records[at + i];
    if (zero) continue;
    s->trial.n = 0;
    copy_records(s, 0, s->best->n);
    memset(s->trial.records + at, 0, piece);
    attempt(s);
  }
}

bool lockstep_shrink(struct lockstep *l, struct lockstep_tape *t, enum lockstep_end end,
                     double seconds, const volatile int *stop) {
  struct shrink s = {.l = l, .best = t, .end = end, .stop = stop};
  clock_gettime(CLOCK_MONOTONIC, &s.until);
  s.until.tv_sec += (time_t)seconds;
  s.trial = *t;
  s.trial.records = t->n ? malloc(t->n * t->size) : NULL;
  if (!s.trial.records) return false;
  bool fails = attempt_without(&s, 0, 0);
  if (fails) {
    keep_end(&s);
    drop_pieces(&s);
    clear_bytes(&s, t->size);
    clear_bytes(&s, 1);
    drop_pieces(&s);
  }
  lockstep_tape_free(&s.trial);
  return fails;
}
