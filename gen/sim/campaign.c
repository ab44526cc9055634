/* SPDX-License-Identifier: Apache-2.0 */
/* campaign.c: `simtgen check --budget`: walks the grid of a block with fresh seeds. Each run is a process of
 * its own, this program again, so that all cores work and a run that crashes is only a failed run. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "sim/campaign.h"

enum { MAX_WORKERS = 256, FIRST_CYCLES = 20000, MOST_CYCLES = 100000000, SAVE_SECONDS = 5 };
#define RUN_SECONDS 20.0 /* what a run is made to take, once the speed of its configuration is known */

struct campaign_worker {
  pid_t pid; /* 0: free */
  FILE *out; /* its standard output */
  struct campaign_row *row;
  const char *profile;
  uint64_t seed;
  double began;
};

struct campaign {
  const struct gen_options *o;
  const struct simt_verif *verif;
  struct campaign_record record;
  struct campaign_worker worker[MAX_WORKERS];
  unsigned n_workers, n_profiles;
  double end;            /* of the budget, on the monotonic clock */
  uint64_t *length;      /* cycles of the next run of each configuration */
  double *spent;         /* seconds of its runs in this campaign */
  bool failed;           /* a mismatch, or a run that could not be made */
  int status;
};

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- the grid -------------------------------------------------------------------------------- */

/* The configurations of verif/BLOCK/grid.txt without those that must be refused, or the one of the command
 * line when it sets a parameter. */
static size_t read_grid(const struct gen_options *o, char ***list, struct simt_diag *diag) {
  struct text own = {0};
  char relative[128], *s = NULL, *save;
  size_t n = 0;
  *list = NULL;
  config_changes(&own, " ", &o->cfg);
  snprintf(relative, sizeof relative, "verif/%s/grid.txt", o->cfg.block->name);
  const char *path = own.len ? NULL : data_path(relative);
  if (path) s = file_read(path, NULL, diag);
  if (path && !s) return 0;
  for (char *line = s ? strtok_r(s, "\n", &save) : NULL; line; line = strtok_r(NULL, "\n", &save)) {
    line[strcspn(line, "#")] = 0;
    for (size_t len = strlen(line); len && line[len - 1] == ' ';) line[--len] = 0;
    if (!line[0] || line[0] == '!') continue;
    *list = realloc(*list, (n + 1) * sizeof **list);
    if (!*list || !((*list)[n++] = strdup(line))) abort();
  }
  free(s);
  if (!n) {
    *list = malloc(sizeof **list);
    if (!*list || !((*list)[n++] = strdup(own.len ? own.s + 1 : ""))) abort();
  }
  text_free(&own);
  return n;
}

/* ---- workers --------------------------------------------------------------------------------- */

/* The configuration that had the least time goes next, runs under way counted; of those that had none, the one with the
 * fewest cycles. By cycles alone the slowest would have nearly all the time. */
static struct campaign_row *next_row(struct campaign *c) {
  struct campaign_row *best = NULL;
  double least = 0;
  for (size_t i = 0; i < c->record.n_rows; i++) {
    struct campaign_row *row = &c->record.row[i];
    double spent = c->spent[i] + row->busy * RUN_SECONDS;
    if (!best || spent < least || (spent == least && row->cycles < best->cycles)) best = row, least = spent;
  }
  return best;
}

/* The child's side. */
static void child(const struct campaign *c, const struct campaign_worker *w, uint64_t cycles) {
  struct args { const char *v[2 * SIMT_MAX_PARAMS + 24]; size_t n; } a = {.n = 0};
  char seed[24], length[24], stimulus[80], *save, *parameters = strdup(w->row->parameters);
  const char *fixed[] = {"/proc/self/exe", "check", c->o->cfg.block->name, "--json", "-q", "--seed", seed, "--cycles",
                         length, "--stimulus", stimulus};
  snprintf(seed, sizeof seed, "%" PRIu64, w->seed);
  snprintf(length, sizeof length, "%" PRIu64, cycles);
  snprintf(stimulus, sizeof stimulus, "random%s%s", *w->profile ? ":" : "", w->profile);
  for (size_t i = 0; i < sizeof fixed / sizeof *fixed; i++) a.v[a.n++] = fixed[i];
  for (char *p = parameters ? strtok_r(parameters, " ", &save) : NULL;
       p && a.n < sizeof a.v / sizeof *a.v - 3; p = strtok_r(NULL, " ", &save)) {
    a.v[a.n++] = "-p";
    a.v[a.n++] = p;
  }
  a.v[a.n] = NULL;
  setpgid(0, 0); /* Ctrl-C goes to the parent, which ends the runs */
  if (dup2(fileno(w->out), 1) < 0 || dup2(fileno(w->out), 2) < 0) _exit(127);
  execv(a.v[0], (char *const *)a.v);
  _exit(127);
}

/* Whether a row's configuration takes a profile. One with lists of records from a file is not made here: the run says. */
static bool fits(const struct campaign *c, const struct campaign_row *row, const char *profile) {
  struct simt_config cfg;
  struct simt_diag unused = {0};
  char *save, *value, *parameters = strdup(row->parameters);
  bool good = parameters;
  simt_config_init(&cfg, c->verif->block);
  for (char *p = good ? strtok_r(parameters, " ", &save) : NULL; good && p; p = strtok_r(NULL, " ", &save)) {
    value = strchr(p, '=');
    if (value) *value++ = 0;
    good = value && config_set(&cfg, p, value, &unused);
  }
  bool takes = !good || !simt_resolve(&cfg, &unused) || simt_has_profile(&cfg, profile);
  simt_config_free(&cfg);
  free(parameters);
  return takes;
}

/* All in turn, then each alone. */
static const char *next_profile(const struct campaign *c, struct campaign_row *row) {
  for (;;) {
    unsigned p = row->next_profile++ % (c->n_profiles + 1);
    const char *profile = p ? c->verif->profiles[p - 1].name : "";
    if (!p || fits(c, row, profile)) return profile;
  }
}

static bool start(struct campaign *c, struct campaign_worker *w, struct simt_diag *diag) {
  struct campaign_record *r = &c->record;
  w->row = next_row(c);
  w->profile = next_profile(c, w->row);
  w->seed = r->next_seed++;
  w->out = tmpfile();
  if (!w->out || !campaign_record_save(r, diag)) /* before it is used */
    return simt_fail(diag, "a temporary file", strerror(errno), "room for the output of a run");
  fflush(NULL);
  w->pid = fork();
  if (w->pid < 0) return simt_fail(diag, "fork", strerror(errno), "a process for a run");
  if (!w->pid) child(c, w, c->length[w->row - r->row]);
  w->row->busy++;
  w->began = now();
  return true;
}

static char *read_all(FILE *f) {
  long size = fseek(f, 0, SEEK_END) ? -1 : ftell(f);
  char *s = size < 0 ? NULL : calloc(1, (size_t)size + 1);
  rewind(f);
  if (s && fread(s, 1, (size_t)size, f) != (size_t)size) *s = 0;
  fclose(f);
  return s;
}

/* Makes the next run of this configuration as long as it should be. */
static void set_length(struct campaign *c, const struct campaign_row *row, double speed) {
  double left = c->end - now(), seconds = left < RUN_SECONDS ? left : RUN_SECONDS;
  double cycles = speed * (seconds < 1 ? 1 : seconds);
  if (cycles < FIRST_CYCLES) cycles = FIRST_CYCLES;
  c->length[row - c->record.row] = cycles < MOST_CYCLES ? (uint64_t)cycles : MOST_CYCLES;
}

/* Reads what a run says. Cycles of one that was stopped were compared too. */
static void finish(struct campaign *c, struct campaign_worker *w, int status) {
  char *s = read_all(w->out);
  json_t *all = s ? json_loads(s, JSON_DISABLE_EOF_CHECK, NULL) : NULL;
  const char *result = json_string_value(json_object_get(all, "result"));
  bool passed = result && !strcmp(result, "pass"), stopped = result && !strcmp(result, "interrupted");
  bool short_of = result && !strcmp(result, "nothing"); /* initialisation takes longer than the run */
  w->pid = 0;
  w->row->busy--;
  c->spent[w->row - c->record.row] += now() - w->began;
  if (short_of) {
    uint64_t *length = &c->length[w->row - c->record.row];
    *length = *length < MOST_CYCLES / 4 ? 4 * *length : MOST_CYCLES;
  } else if (passed || stopped) {
    json_int_t cycles = json_integer_value(json_object_get(all, "cycles"));
    campaign_record_add(w->row, *w->profile ? w->profile : "all", (uint64_t)cycles);
    if (passed) set_length(c, w->row, json_real_value(json_object_get(all, "lockstep_cycles_per_s")));
  } else if (!c->failed && !(WIFEXITED(status) && WEXITSTATUS(status) == EXIT_INTERRUPTED)) {
    json_t *failure = json_object_get(all, "failure");
    const char *command = json_string_value(json_object_get(failure, "reproduce"));
    const char *message = json_string_value(json_object_get(failure, "message"));
    struct text said = {0};
    c->failed = true;
    c->status = command ? EXIT_CHECK_FAILED : EXIT_TOOL;
    if (command) c->record.failure = strdup(command);
    if (command) text_add(&said, "%s", message ? message : "");
    else text_add(&said, "a run ended with status %d (%s, seed %" PRIu64 "): %s\n",
                  WIFEXITED(status) ? WEXITSTATUS(status) : -1, w->row->parameters, w->seed, s ? s : "");
    c->record.message = strdup(said.s ? said.s : "");
    text_free(&said);
  }
  json_decref(all);
  free(s);
}

static unsigned collect(struct campaign *c, int options) {
  unsigned running = 0;
  for (unsigned i = 0; i < c->n_workers; i++) {
    struct campaign_worker *w = &c->worker[i];
    int status;
    if (!w->pid) continue;
    if (waitpid(w->pid, &status, options) == w->pid) finish(c, w, status);
    else running++;
  }
  return running;
}

/* Asks the runs to end; they say how far they came. A build under way is given up. */
static void stop_all(struct campaign *c) {
  int was = interrupted;
  for (unsigned i = 0; i < c->n_workers; i++)
    if (c->worker[i].pid) kill(c->worker[i].pid, SIGINT);
  for (int tries = 0; collect(c, WNOHANG) && tries < 100; tries++) poll(NULL, 0, 50);
  for (unsigned i = 0; i < c->n_workers; i++)
    if (c->worker[i].pid) kill(-c->worker[i].pid, SIGKILL);
  while (collect(c, 0)) continue;
  interrupted = was;
}

/* ---- the command ----------------------------------------------------------------------------- */

static bool work(struct campaign *c, struct simt_diag *diag) {
  double next_save = now() + SAVE_SECONDS;
  bool ok = true;
  while (ok && !interrupted && !c->failed && now() < c->end) {
    for (unsigned i = 0; ok && i < c->n_workers; i++)
      if (!c->worker[i].pid) ok = start(c, &c->worker[i], diag);
    poll(NULL, 0, 50);
    collect(c, WNOHANG);
    double left = c->end - now();
    progress(NOT_KNOWN, "campaign: %" PRIu64 " cycles in %zu configurations, %.0f:%02.0f left", campaign_record_cycles(&c->record),
             c->record.n_rows, left < 0 ? 0 : (double)(int)(left / 60), left < 0 ? 0 : (double)((int)left % 60));
    if (now() < next_save) continue;
    ok = ok && campaign_record_save(&c->record, diag);
    next_save = now() + SAVE_SECONDS;
  }
  stop_all(c);
  progress_end();
  return campaign_record_save(&c->record, diag) && ok;
}

/* Only the rows of a part of a campaign on a cluster. */
static size_t keep_part(const struct campaign_part *p, char **list, size_t n) {
  size_t kept = 0;
  for (size_t i = 0; i < n; i++) {
    if (i % p->n == p->i) list[kept++] = list[i];
    else free(list[i]);
  }
  return kept;
}

/* Its seeds are its own; one that was queued again goes on with them. */
static void begin_part(struct campaign *c, const struct campaign_part *p, bool fresh) {
  c->record.is_part = true;
  c->record.ended = -1;
  if (fresh) c->record.first_seed = c->record.next_seed = p->seed;
}

/* On a cluster: what failed there is the record's. */
static bool work_on_cluster(struct campaign *c, struct simt_diag *diag) {
  bool ok = campaign_slurm(c->o, &c->record, diag);
  progress_end();
  c->failed = c->record.failure || c->record.message;
  c->status = c->record.failure ? EXIT_CHECK_FAILED : EXIT_TOOL;
  return ok;
}

/* Beside the program: build/campaign/BLOCK.json. */
static void record_path(const struct gen_options *o, char path[PATH_MAX]) {
  char folder[PATH_MAX - 128];
  program_folder(folder, sizeof folder);
  snprintf(path, PATH_MAX, "%s/campaign", folder);
  mkdir(path, 0777); /* a failure shows when the record is written */
  snprintf(path, PATH_MAX, "%s/campaign/%s.json", folder, o->cfg.block->name);
  if (o->record) snprintf(path, PATH_MAX, "%s", o->record);
}

static void print(const struct campaign *c, uint64_t before) {
  struct text t = {0};
  campaign_record_table(&c->record, &t);
  printf("%s", t.s);
  uint64_t all = campaign_record_cycles(&c->record);
  if (!c->o->quiet) printf("\n%" PRIu64 " cycles of them in this run; the record is %s\n", all - before, c->record.path);
  if (c->record.message) printf("\n%s\n", c->record.message);
  if (c->record.failure) printf("reproduce: %s\n", c->record.failure);
  printf("%s\n", c->failed ? "FAIL" : interrupted ? "INTERRUPTED" : "PASS");
  text_free(&t);
}

static int run(struct campaign *c, const struct campaign_part *part, size_t n, bool fresh, struct simt_diag *diag) {
  uint64_t before = campaign_record_cycles(&c->record);
  c->length = malloc(n * sizeof *c->length);
  c->spent = calloc(n, sizeof *c->spent);
  if (!c->length || !c->spent) abort();
  for (size_t i = 0; i < n; i++) c->length[i] = FIRST_CYCLES;
  if (part->n) begin_part(c, part, fresh);
  bool ok = !strcmp(c->o->executor, "slurm") ? work_on_cluster(c, diag) : work(c, diag);
  int status = !ok ? EXIT_TOOL : c->failed ? c->status : interrupted ? EXIT_INTERRUPTED : EXIT_DONE;
  c->record.ended = status;
  if (part->n && !campaign_record_save(&c->record, diag)) status = EXIT_TOOL;
  if (ok || campaign_record_cycles(&c->record) > before) print(c, before);
  return status;
}

int campaign(const struct gen_options *o, const struct simt_verif *verif, struct simt_diag *diag) {
  struct campaign *c = calloc(1, sizeof *c);
  struct campaign_part part = {.n = 0};
  char path[PATH_MAX], **list;
  if (!c) abort();
  if (o->part && !campaign_part_read(o->part, &part)) {
    free(c);
    return simt_fail(diag, "--part", o->part, "I:N:SEED, as a campaign on a cluster has it"), EXIT_USAGE;
  }
  *c = (struct campaign){.o = o, .verif = verif, .end = now() + (double)o->budget};
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  c->n_workers = o->workers ? o->workers : cores > 0 && cores < MAX_WORKERS ? (unsigned)cores : 1;
  while (verif->profiles[c->n_profiles].name) c->n_profiles++;
  record_path(o, path);
  bool fresh = access(path, F_OK);
  size_t n = read_grid(o, &list, diag);
  if (part.n) n = keep_part(&part, list, n);
  bool ok = n && campaign_record_open(&c->record, &o->cfg, path, list, n, diag);
  int status = ok ? run(c, &part, n, fresh, diag) : EXIT_USAGE;
  for (size_t i = 0; i < n; i++) free(list[i]);
  free(list);
  campaign_record_free(&c->record);
  free(c->length);
  free(c->spent);
  free(c);
  return status;
}
