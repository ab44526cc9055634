/* SPDX-License-Identifier: Apache-2.0 */
/* search.c: which configurations are synthesized. A run of the model is cheap, a synthesis is not: so every point runs on the
 * workloads, and of those that are fast enough the ones are synthesized that may be the cheapest, as far as the results so far
 * let one expect. It ends when no other one can be expected to be cheaper. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "synth/synth.h"
#include "tune/tune.h"

enum { CARE = 2,        /* standard deviations, at first */
       FEWEST = 4,      /* points of the first round, at least */
       MOST_AT_ONCE = 8 /* of a round: what is learnt of one makes others needless */ };
#define BEST_SHARE 0.25         /* the best must be known to this share of the percentage */

bool tune_has_limits(const struct tune *t) {
  for (int f = 0; f < TUNE_FIGURES; f++)
    if (!isnan(t->limit[f])) return true;
  return false;
}

/* ---- running ------------------------------------------------------------------------------------------------- */

/* Runs the tasks that are wanted and not done; the others look done meanwhile. */
static bool run_wanted(struct tune *t, const bool *wanted, struct simt_diag *diag) {
  struct sweep_run *r = t->run;
  bool *was = malloc(r->n_tasks + 1);
  if (!was) abort();
  r->n_open = r->n_done = 0;
  for (size_t i = 0; i < r->n_tasks; i++) {
    struct sweep_task *k = &r->task[i];
    was[i] = k->done;
    k->kept = k->done || !wanted[i];
    if (k->kept) k->done = true;
    else r->n_open++;
  }
  bool good = session_run(t->o, r, diag);
  for (size_t i = 0; i < r->n_tasks; i++)
    if (!wanted[i]) r->task[i].done = was[i];
  r->before += r->n_done;
  free(was);
  return good;
}

/* ---- results ------------------------------------------------------------------------------------------------- */

static bool meets(const struct tune *t, const double *figure) {
  if (!isnan(t->limit[TUNE_LUT]) && !(figure[TUNE_LUT] <= t->limit[TUNE_LUT])) return false;
  if (!isnan(t->limit[TUNE_RAM]) && !(figure[TUNE_RAM] <= t->limit[TUNE_RAM])) return false;
  return isnan(t->limit[TUNE_FMAX]) || figure[TUNE_FMAX] >= t->limit[TUNE_FMAX];
}

static double number(const json_t *object, const char *key) {
  const json_t *v = json_object_get(object, key);
  return json_is_number(v) ? json_number_value(v) : NAN;
}

static void read_target(struct tune *t, struct tune_point *p, const json_t *entry) {
  const struct synth_target *target = synth_find_target(t->run->sweep->target[t->target].target);
  const json_t *resources = json_object_get(entry, "resources");
  p->figure[TUNE_LUT] = number(resources, target->lut ? target->lut : "gate_equivalents");
  p->figure[TUNE_RAM] = number(resources, "ram_bits");
  p->figure[TUNE_FMAX] = number(json_object_get(entry, "fmax_mhz"), "median");
  p->measured = true;
  p->placed = target->kind != SYNTH_PLACED || !isnan(p->figure[TUNE_FMAX]); /* it fits and was routed */
  p->placed = p->placed && !isnan(p->figure[TUNE_LUT]);
  p->meets = p->placed && meets(t, p->figure);
  t->n_measured++;
  if (isnan(p->guess) || !(p->figure[t->cost] > 0)) return;
  t->worst_guess = fmax(t->worst_guess, fabs(exp(p->guess) / (p->figure[t->cost] + 1) - 1));
}

/* Cycles of each workload go to `cycles`; false when one has none. */
static bool read_cycles(const struct tune *t, const json_t *row, double *cycles) {
  const struct sweep *s = t->run->sweep;
  for (size_t w = 0; w < t->n_workloads; w++) {
    cycles[w] = number(json_object_get(json_object_get(row, "workloads"), s->workload[w].name), "cycles");
    if (!(cycles[w] > 0)) return false;
  }
  return true;
}

/* Every point on every workload, and what earlier runs have left of the target. */
static bool read_all(struct tune *t, struct simt_diag *diag) {
  for (size_t i = 0; i < t->n_points && !diag->failed; i++) {
    struct tune_point *p = &t->point[i];
    json_t *row = sweep_row(t->run, i, NULL, diag);
    const json_t *entry = json_object_get(json_object_get(row, "targets"), t->target_name);
    p->guess = NAN;
    p->simulated = row && read_cycles(t, row, &t->cycles[i * t->n_workloads]);
    t->n_simulated += p->simulated;
    if (p->simulated && entry) read_target(t, p, entry);
    json_decref(row);
  }
  return !diag->failed;
}

/* The synthesis of these points. */
static bool measure(struct tune *t, const size_t *list, size_t n, struct simt_diag *diag) {
  struct sweep_run *r = t->run;
  size_t per_point = sweep_tasks_per_point(r->sweep);
  bool *wanted = calloc(r->n_tasks + 1, sizeof *wanted);
  if (!wanted) abort();
  for (size_t i = 0; i < n; i++) wanted[list[i] * per_point + t->target] = true;
  bool good = run_wanted(t, wanted, diag);
  free(wanted);
  for (size_t i = 0; i < n && good; i++) {
    json_t *row = sweep_row(r, list[i], NULL, diag);
    const json_t *entry = json_object_get(json_object_get(row, "targets"), t->target_name);
    if (entry) read_target(t, &t->point[list[i]], entry);
    good = entry && !diag->failed;
    json_decref(row);
  }
  return good;
}

/* ---- what is expected ---------------------------------------------------------------------------------------- */

/* Logarithms, so that errors are shares. */
static void fit(struct tune *t) {
  size_t *list = malloc((t->n_points + 1) * sizeof *list);
  double *value = malloc((t->n_points + 1) * sizeof *value);
  if (!list || !value) abort();
  for (int f = 0; f < TUNE_FIGURES; f++) {
    size_t n = 0;
    for (size_t i = 0; i < t->n_points; i++)
      if (t->point[i].measured && !isnan(t->point[i].figure[f])) list[n] = i, value[n++] = log(t->point[i].figure[f] + 1);
    surrogate_fit(&t->model[f], t->features, t->dim, list, value, n);
  }
  free(list);
  free(value);
}

static void expect(struct tune *t) {
  fit(t);
  for (size_t i = 0; i < t->n_points; i++) {
    struct tune_point *p = &t->point[i];
    for (int f = 0; f < TUNE_FIGURES && p->simulated && !p->measured; f++) {
      double mean, deviation;
      p->low[f] = 0, p->high[f] = INFINITY;
      if (t->model[f].n < FEWEST) continue;
      surrogate_at(&t->model[f], i, &mean, &deviation);
      p->low[f] = exp(mean - t->care * deviation) - 1;
      p->high[f] = exp(mean + t->care * deviation) - 1;
      if (f == (int)t->cost) p->guess = mean;
    }
  }
}

/* A value outside of what was expected makes all that is expected wider. */
static void learn(struct tune *t, const size_t *list, size_t n) {
  for (size_t i = 0; i < n; i++) {
    const struct tune_point *p = &t->point[list[i]];
    double mean, deviation, value = p->figure[t->cost];
    if (isnan(p->guess) || isnan(value)) continue;
    surrogate_at(&t->model[t->cost], list[i], &mean, &deviation);
    if (deviation > 0) t->care = fmin(fmax(t->care, 1.2 * fabs(log(value + 1) - mean) / deviation), 2 * CARE);
  }
}

bool tune_possible(const struct tune *t, const struct tune_point *p) {
  if (!p->simulated || p->measured) return p->meets;
  const double best[TUNE_FIGURES] = {p->low[TUNE_LUT], p->low[TUNE_RAM], p->high[TUNE_FMAX]};
  return meets(t, best);
}

/* ---- choosing ------------------------------------------------------------------------------------------------ */

struct batch { size_t *list, n, most, open; }; /* open: those that it was chosen from */

/* The lowest first; `key` NAN: not wanted. */
static void lowest(struct batch *b, const double *key, size_t n) {
  bool *taken = calloc(n + 1, sizeof *taken);
  if (!taken) abort();
  while (b->n < b->most) {
    size_t best = n;
    for (size_t i = 0; i < n; i++)
      if (!taken[i] && !isnan(key[i]) && (best == n || key[i] < key[best])) best = i;
    if (best == n) break;
    taken[best] = true;
    b->list[b->n++] = best;
  }
  free(taken);
}

static double distance(const struct tune *t, size_t a, size_t b) {
  double sum = 0;
  for (size_t i = 0; i < t->dim; i++) {
    double d = t->features[a * t->dim + i] - t->features[b * t->dim + i];
    sum += d * d;
  }
  return sum;
}

/* The fewest cycles of each workload that a point takes which may meet the limits, measured or not. A point's score is its
 * cycles as a multiple of these, where that is the most. */
static void find_fewest(struct tune *t) {
  for (size_t w = 0; w < t->n_workloads; w++) t->fewest[w] = t->known[w] = INFINITY;
  for (size_t i = 0; i < t->n_points; i++) {
    const struct tune_point *p = &t->point[i];
    if (!p->simulated || !tune_possible(t, p)) continue;
    for (size_t w = 0; w < t->n_workloads; w++) {
      double cycles = t->cycles[i * t->n_workloads + w];
      t->fewest[w] = fmin(t->fewest[w], cycles);
      if (p->measured) t->known[w] = fmin(t->known[w], cycles);
    }
  }
  for (size_t i = 0; i < t->n_points; i++) {
    t->point[i].score = t->fewest[0] < INFINITY ? 0 : INFINITY; /* infinite: nothing may meet the limits */
    for (size_t w = 0; w < t->n_workloads; w++)
      t->point[i].score = fmax(t->point[i].score, t->cycles[i * t->n_workloads + w] / t->fewest[w]);
  }
}

bool tune_is_fast(const struct tune *t, const struct tune_point *p) {
  return p->simulated && p->score <= (1 + t->percent / 100) * (1 + 1e-12);
}

/* The first round: points far from each other among those that may be chosen, the fastest among them. */
static void spread(const struct tune *t, struct batch *b) {
  double *nearest = malloc((t->n_points + 1) * sizeof *nearest);
  size_t next = t->n_points, want = t->run->sweep->n_axes + 2;
  if (!nearest) abort();
  if (want < FEWEST) want = FEWEST;
  for (size_t i = 0; i < t->n_points; i++) {
    const struct tune_point *p = &t->point[i];
    bool fast = p->simulated && (tune_has_limits(t) || tune_is_fast(t, p));
    nearest[i] = fast ? INFINITY : NAN;
    if (fast && !p->measured) b->open++;
    if (fast && (next == t->n_points || p->score < t->point[next].score)) next = i;
  }
  while (next < t->n_points && b->n < want) {
    b->list[b->n++] = next;
    for (size_t i = 0; i < t->n_points; i++)
      if (!isnan(nearest[i])) nearest[i] = fmin(nearest[i], distance(t, i, next));
    next = t->n_points;
    for (size_t i = 0; i < t->n_points; i++)
      if (nearest[i] > 0 && (next == t->n_points || nearest[i] > nearest[next])) next = i;
  }
  free(nearest);
}

static bool is_cheaper(const struct tune *t, const struct tune_point *a, const struct tune_point *b) {
  double x = a->figure[t->cost], y = b->figure[t->cost];
  return x < y || (x <= y && a->score < b->score);
}

static void find_cheapest(struct tune *t) {
  t->chosen = t->n_points;
  for (size_t i = 0; i < t->n_points; i++) {
    const struct tune_point *p = &t->point[i];
    if (p->measured && p->meets && tune_is_fast(t, p) && (t->chosen == t->n_points || is_cheaper(t, p, &t->point[t->chosen]))) t->chosen = i;
  }
}

/* How far figures are from the limits: the largest ratio to one, 1 at most when all are met. */
static double excess(const struct tune *t, const double *figure) {
  double most = 0;
  for (int f = 0; f < TUNE_FIGURES; f++)
    if (!isnan(t->limit[f])) most = fmax(most, f == TUNE_FMAX ? t->limit[f] / figure[f] : figure[f] / fmax(t->limit[f], 1));
  return most;
}

/* Of the measured points the one that comes nearest: to the percentage when it meets the limits, else to the limits. */
static void find_nearest(struct tune *t) {
  t->nearest = t->n_points;
  for (size_t i = 0; i < t->n_points; i++) {
    const struct tune_point *p = &t->point[i], *q = t->nearest < t->n_points ? &t->point[t->nearest] : NULL;
    if (!p->measured || !p->placed) continue;
    if (!q || p->meets > q->meets || (p->meets == q->meets && (p->meets ? p->score < q->score : excess(t, p->figure) < excess(t, q->figure))))
      t->nearest = i;
  }
}

/* With limits it must be known how fast one can be that meets them: to a share of the percentage, and exactly before it is said
 * that no point is fast enough. NAN: known; else what is to be looked at first has the lowest. */
static double fewest_key(const struct tune *t, size_t point) {
  double share = t->chosen < t->n_points ? BEST_SHARE * t->percent / 100 : 0, key = NAN;
  if (!tune_has_limits(t) && t->chosen < t->n_points) return NAN;
  for (size_t w = 0; w < t->n_workloads; w++)
    if (t->fewest[w] * (1 + share) < t->known[w]) key = fmin(key, t->cycles[point * t->n_workloads + w] / t->fewest[w]);
  return key;
}

/* Without a point that fits: may this one come nearer than those that are measured? */
static double nearer_key(const struct tune *t, const struct tune_point *p) {
  const struct tune_point *q = t->nearest < t->n_points ? &t->point[t->nearest] : NULL;
  const double best[TUNE_FIGURES] = {p->low[TUNE_LUT], p->low[TUNE_RAM], p->high[TUNE_FMAX]};
  if (tune_possible(t, p)) return !q || !q->meets || p->score < q->score ? p->score : NAN;
  return !q || (!q->meets && excess(t, best) < excess(t, q->figure)) ? excess(t, best) : NAN;
}

static void choose(struct tune *t, struct batch *b) {
  double *key = malloc((t->n_points + 1) * sizeof *key);
  if (!key) abort();
  find_cheapest(t);
  find_nearest(t);
  bool none = t->chosen == t->n_points, open = !isnan(fewest_key(t, 0));
  double cheapest = none ? INFINITY : t->point[t->chosen].figure[t->cost];
  for (size_t i = 0; i < t->n_points; i++) {
    const struct tune_point *p = &t->point[i];
    bool fast = tune_possible(t, p) && tune_is_fast(t, p) && p->low[t->cost] < cheapest;
    key[i] = NAN;
    if (!p->simulated || p->measured) continue;
    if (open && tune_possible(t, p)) key[i] = fewest_key(t, i);
    else if (!open) key[i] = fast ? p->low[t->cost] : none ? nearer_key(t, p) : NAN;
  }
  for (size_t i = 0; i < t->n_points; i++)
    if (!isnan(key[i])) b->open++;
  lowest(b, key, t->n_points);
  free(key);
}

/* ---- the whole ----------------------------------------------------------------------------------------------- */

static bool simulate(struct tune *t, struct simt_diag *diag) {
  struct sweep_run *r = t->run;
  bool *wanted = malloc(r->n_tasks + 1);
  if (!wanted) abort();
  for (size_t i = 0; i < r->n_tasks; i++) wanted[i] = r->task[i].sim;
  bool good = run_wanted(t, wanted, diag) && read_all(t, diag);
  r->before = 0;
  free(wanted);
  return good;
}

bool tune_search(struct tune *t, struct simt_diag *diag) {
  size_t *list = malloc((t->n_points + 1) * sizeof *list);
  if (!list) abort();
  t->care = CARE;
  bool good = simulate(t, diag);
  for (bool first = t->n_measured < FEWEST; good && !interrupted; first = false) {
    struct batch b = {.list = list, .most = t->run->workers};
    if (!strcmp(t->o->executor, "slurm")) b.most = t->o->jobs;
    if (b.most > MOST_AT_ONCE) b.most = MOST_AT_ONCE;
    expect(t);
    find_fewest(t);
    if (first) spread(t, &b);
    else choose(t, &b);
    size_t n = 0;
    for (size_t i = 0; i < b.n; i++)
      if (!t->point[list[i]].measured) list[n++] = list[i];
    if (!n && !first) break;
    t->run->at_most = t->run->before + (b.open > n ? b.open : n);
    good = !n || measure(t, list, n, diag);
    if (good) learn(t, list, n);
  }
  free(list);
  return good && !interrupted;
}
