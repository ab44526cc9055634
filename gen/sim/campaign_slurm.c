/* SPDX-License-Identifier: Apache-2.0 */
/* campaign_slurm.c: a campaign on a cluster: an array job, each element of which is a campaign over its part of the grid, with
 * a record of its own in a folder beside the campaign's record. One that is queued again, because its node went down, goes on
 * with its record. The parts are added to the campaign's record at the end; those of a campaign that was killed, by the next. */
#include <errno.h>
#include <inttypes.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/campaign.h"
#include "slurm.h"

enum { SEED_BITS = 20, /* seeds of a part */
       ROUNDS = 3,
       LATE_TRIES = 50 /* tenths of a second until cancelled parts have saved */ };

bool campaign_part_read(const char *text, struct campaign_part *p) {
  uint64_t seed;
  if (sscanf(text, "%u:%u:%" SCNu64, &p->i, &p->n, &seed) != 3 || p->i >= p->n) return false;
  p->seed = seed + ((uint64_t)p->i << SEED_BITS);
  return true;
}

static void part_path(const struct slurm *s, size_t i, char path[PATH_MAX + 64]) {
  snprintf(path, PATH_MAX + 64, "%s/part_%zu.json", s->folder, i);
}

/* RECORD without .json, with .slurm. */
static bool open_folder(struct slurm *s, const struct campaign_record *r, struct simt_diag *diag) {
  char path[PATH_MAX + 16];
  size_t n = strlen(r->path), cut = n > 5 && !strcmp(r->path + n - 5, ".json") ? 5 : 0;
  snprintf(path, sizeof path, "%.*s.slurm", (int)(n - cut), r->path);
  char *whole = mkdir(path, 0777) && errno != EEXIST ? NULL : realpath(path, NULL);
  if (!whole) return simt_fail(diag, path, strerror(errno), "a folder that can be made, and that all nodes see");
  snprintf(s->folder, sizeof s->folder, "%.4096s", whole);
  free(whole);
  return true;
}

/* Adds the parts to the record, once: the record says which job is in it. Then the parts go. */
static bool merge(const struct slurm *s, struct campaign_record *r, size_t *n_ended, struct simt_diag *diag) {
  char path[PATH_MAX + 64];
  bool again = !strcmp(r->merged, s->job);
  int ended;
  *n_ended = 0;
  for (size_t i = 0; i < r->n_rows && !again; i++) {
    part_path(s, i, path);
    if (!access(path, R_OK) && campaign_record_merge(r, path, &ended)) *n_ended += ended >= 0;
  }
  snprintf(r->merged, sizeof r->merged, "%s", s->job);
  if (!campaign_record_save(r, diag)) return false;
  for (size_t i = 0; i < r->n_rows; i++) {
    part_path(s, i, path);
    unlink(path);
  }
  return true;
}

static bool submit(struct slurm *s, const struct gen_options *o, struct campaign_record *r, size_t n, const char *parts, struct simt_diag *diag) {
  struct text command = {0}, parameters = {0};
  uint64_t seed = r->next_seed;
  r->next_seed += (uint64_t)n << SEED_BITS;
  if (!campaign_record_save(r, diag)) return false; /* before they are used */
  slurm_program(&command);
  text_add(&command, " check %s -q --workers 1", o->cfg.block->name);
  config_changes(&parameters, "\n", &o->cfg);
  for (char *save, *p = parameters.s ? strtok_r(parameters.s, "\n", &save) : NULL; p; p = strtok_r(NULL, "\n", &save)) {
    text_add(&command, " -p ");
    slurm_quote(&command, p);
  }
  text_add(&command, " --budget %" PRIu64 "%s --part $SLURM_ARRAY_TASK_ID:%zu:%" PRIu64 " --record ",
           o->budget % 60 ? o->budget : o->budget / 60, o->budget % 60 ? "s" : "", n, seed);
  slurm_quote(&command, s->folder);
  text_add(&command, "/part_$SLURM_ARRAY_TASK_ID.json");
  bool good = slurm_submit(s, o->cfg.block->name, parts, o->jobs, command.s, diag);
  text_free(&command);
  text_free(&parameters);
  return good;
}

/* Cycles of all parts so far; `bad` becomes whether one has failed. */
static uint64_t look(const struct slurm *s, size_t n, bool *bad) {
  uint64_t sum = 0;
  for (size_t i = 0; i < n; i++) {
    char path[PATH_MAX + 64];
    part_path(s, i, path);
    json_t *all = access(path, R_OK) ? NULL : json_load_file(path, 0, NULL);
    sum += (uint64_t)json_integer_value(json_object_get(all, "cycles"));
    *bad = *bad || json_object_get(all, "message");
    json_decref(all);
  }
  return sum;
}

/* False: there is nothing more to do, since one has failed or the user stops it. */
static bool wait_for_jobs(struct slurm *s, size_t n) {
  unsigned running = 0;
  bool bad = false, there = true;
  for (unsigned i = 0; there && !bad && !interrupted; i++) {
    there = slurm_in_queue(s, &running);
    uint64_t cycles = i % 5 ? 0 : look(s, n, &bad);
    if (!(i % 5)) progress(NOT_KNOWN, "campaign: %" PRIu64 " cycles, job %s: %u running", cycles, s->job, running);
    if (there && !bad) poll(NULL, 0, 1000);
  }
  if (!there) return !interrupted && (look(s, n, &bad), !bad);
  slurm_cancel(s); /* the other parts say how far they came */
  int was = interrupted;
  interrupted = 0;
  for (int i = 0; i < LATE_TRIES && slurm_in_queue(s, &running); i++) poll(NULL, 0, 100);
  interrupted = was;
  return false;
}

/* Parts that were told to end before their time, because their node went down, or that left no record. */
static void find_cut(const struct slurm *s, size_t n, struct text *list) {
  for (size_t i = 0; i < n; i++) {
    char path[PATH_MAX + 64];
    part_path(s, i, path);
    json_t *all = access(path, R_OK) ? NULL : json_load_file(path, 0, NULL), *ended = json_object_get(all, "ended");
    if (!ended || json_integer_value(ended) < 0 || json_integer_value(ended) == EXIT_INTERRUPTED) text_add(list, "%s%zu", list->len ? "," : "", i);
    json_decref(all);
  }
}

static bool run_rounds(struct slurm *s, const struct gen_options *o, struct campaign_record *r, struct simt_diag *diag) {
  struct text parts = {0};
  size_t n = r->n_rows < o->jobs ? r->n_rows : o->jobs;
  bool good = true;
  text_add(&parts, "0-%zu", n - 1);
  for (int round = 0; good && parts.len && round < ROUNDS; round++) {
    good = submit(s, o, r, n, parts.s, diag);
    text_free(&parts);
    if (good && wait_for_jobs(s, n)) find_cut(s, n, &parts);
  }
  text_free(&parts);
  return good;
}

bool campaign_slurm(const struct gen_options *o, struct campaign_record *r, struct simt_diag *diag) {
  struct slurm s = {.heard = 0};
  size_t n_ended;
  if (!slurm_find(&s, diag) || !open_folder(&s, r, diag)) return false;
  if (slurm_adopt(&s)) {
    wait_for_jobs(&s, r->n_rows);
  } else {
    if (s.job[0] && strcmp(s.job, r->merged) && !merge(&s, r, &n_ended, diag)) return false; /* of one that was killed */
    if (!run_rounds(&s, o, r, diag)) return false;
  }
  if (!merge(&s, r, &n_ended, diag)) return false;
  if (n_ended || interrupted || r->message) return true;
  char got[100];
  snprintf(got, sizeof got, "job %s without any result", s.job);
  simt_fail(diag, "slurm", got, "records of its parts in this folder, which every node must see");
  snprintf(diag->hint, sizeof diag->hint, "read %.150s/%s_0.out", s.folder, s.job);
  return false;
}
