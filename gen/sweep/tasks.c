/* SPDX-License-Identifier: Apache-2.0 */
/* tasks.c: the commands of a sweep, and the keys of their results. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sweep/sweep.h"
#include "synth/synth.h"

static size_t point_of(const struct sweep *s, size_t task) { return task / sweep_tasks_per_point(s); }
static size_t part_of(const struct sweep *s, size_t task) { return task % sweep_tasks_per_point(s); }

bool sweep_identify(struct sweep *s, struct simt_diag *diag) {
  size_t size;
  char *program = file_read("/proc/self/exe", &size, diag);
  if (!program) return false;
  sha256_hex(program, size, s->program);
  free(program);
  if (s->n_targets && !data_hash(s->templates, diag)) return false;
  for (size_t i = 0; i < s->n_targets; i++) {
    struct text t = {0};
    bool good = synth_tools(synth_find_target(s->target[i].target), &t, diag);
    text_add(&t, "%s\n", s->target[i].hash);
    if (good) sha256_hex(t.s, t.len, s->target[i].identity);
    text_free(&t);
    if (good) continue;
    char name[sizeof diag->name];
    snprintf(name, sizeof name, "%s", diag->name);
    snprintf(diag->name, sizeof diag->name, "target %.20s: %.50s", s->target[i].name, name);
    return false;
  }
  return true;
}

/* ---- commands ----------------------------------------------------------------------------------------------- */

static void add(char ***a, size_t *n, const char *word) {
  *a = realloc(*a, (*n + 2) * sizeof **a);
  if (!*a || !((*a)[(*n)++] = strdup(word))) abort();
  (*a)[*n] = NULL;
}

static void add_parameters(char ***a, size_t *n, const struct simt_config *cfg) {
  struct text t = {0};
  char *save;
  config_changes(&t, "\n", cfg);
  for (char *p = t.s ? strtok_r(t.s, "\n", &save) : NULL; p; p = strtok_r(NULL, "\n", &save)) {
    add(a, n, "-p");
    add(a, n, p);
  }
  text_free(&t);
}

static void add_synth(char ***a, size_t *n, const struct sweep *s, const struct sweep_target *t, bool as_written) {
  char seeds[16];
  snprintf(seeds, sizeof seeds, "%u", s->seeds);
  add(a, n, "--target"), add(a, n, t->target);
  if (t->device[0]) add(a, n, "--device"), add(a, n, t->device);
  if (t->liberty[0]) add(a, n, "--liberty"), add(a, n, as_written ? t->liberty : t->path);
  if (synth_find_target(t->target)->kind == SYNTH_PLACED) add(a, n, "--seeds"), add(a, n, seeds);
}

static void add_sim(char ***a, size_t *n, const struct sweep_workload *w, const char *trace) {
  char latency[16];
  add(a, n, "--trace");
  add(a, n, trace);
  if (w->picker[0]) add(a, n, "--picker"), add(a, n, w->picker);
  snprintf(latency, sizeof latency, "%u", w->latency);
  if (w->latency) add(a, n, "--latency"), add(a, n, latency);
  for (unsigned i = 0; i < w->n_replay; i++) add(a, n, "--replay"), add(a, n, w->replay[i]);
}

/* `as_written`: trace and liberty file by the names that the sweep file has for them. */
static char **arguments(const struct sweep *s, size_t i, const struct simt_config *cfg, bool as_written) {
  char **a = NULL;
  size_t n = 0, part = part_of(s, i);
  const struct sweep_workload *w = part < s->n_targets ? NULL : &s->workload[part - s->n_targets];
  add(&a, &n, w ? "sim" : "synth");
  add(&a, &n, cfg->block->name);
  add_parameters(&a, &n, cfg);
  if (w) add_sim(&a, &n, w, as_written ? w->trace : w->path);
  else add_synth(&a, &n, s, &s->target[part], as_written);
  return a;
}

char **sweep_arguments(const struct sweep *s, size_t i, struct simt_diag *diag) {
  struct simt_config cfg;
  char **a = sweep_config(s, point_of(s, i), &cfg, diag) ? arguments(s, i, &cfg, false) : NULL;
  simt_config_free(&cfg);
  return a;
}

void sweep_free_arguments(char **a) {
  for (size_t i = 0; a && a[i]; i++) free(a[i]);
  free(a);
}

static void join(struct text *t, char *const *a) {
  for (size_t i = 0; a[i]; i++) text_add(t, " %s", a[i]);
}

void sweep_command_text(const struct sweep *s, size_t i, struct text *t) {
  struct simt_config cfg;
  struct simt_diag unused = {0};
  if (sweep_config(s, point_of(s, i), &cfg, &unused)) {
    char **a = arguments(s, i, &cfg, true);
    text_add(t, "simtgen");
    join(t, a);
    sweep_free_arguments(a);
  }
  simt_config_free(&cfg);
}

void sweep_task_text(const struct sweep *s, size_t i, struct text *t) {
  size_t part = part_of(s, i);
  sweep_point_text(s, point_of(s, i), t);
  text_add(t, " %s", part < s->n_targets ? s->target[part].name : s->workload[part - s->n_targets].name);
}

/* ---- keys --------------------------------------------------------------------------------------------------- */

static void make_key(const struct sweep *s, size_t i, const struct simt_config *cfg, char key[SWEEP_KEY]) {
  size_t part = part_of(s, i);
  char configuration[17], hex[65], **a = arguments(s, i, cfg, true);
  struct text t = {0};
  config_hash(cfg, configuration);
  text_add(&t, "%s\n%s\n%s\n", s->program, configuration,
           part < s->n_targets ? s->target[part].identity : s->workload[part - s->n_targets].hash);
  if (part < s->n_targets) text_add(&t, "%s\n", s->templates);
  join(&t, a);
  sha256_hex(t.s, t.len, hex);
  snprintf(key, SWEEP_KEY, "%.32s", hex);
  text_free(&t);
  sweep_free_arguments(a);
}

struct sweep_task *sweep_tasks(const struct sweep *s, struct simt_diag *diag) {
  size_t per_point = sweep_tasks_per_point(s);
  struct sweep_task *list = calloc(s->n_points * per_point + 1, sizeof *list);
  if (!list) abort();
  for (size_t p = 0; p < s->n_points && !diag->failed; p++) {
    struct simt_config cfg;
    bool good = sweep_config(s, p, &cfg, diag);
    for (size_t i = p * per_point; good && i < (p + 1) * per_point; i++) {
      list[i].sim = part_of(s, i) >= s->n_targets;
      make_key(s, i, &cfg, list[i].key);
    }
    simt_config_free(&cfg);
  }
  if (!diag->failed) return list;
  free(list);
  return NULL;
}
