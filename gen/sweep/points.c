/* SPDX-License-Identifier: Apache-2.0 */
/* points.c: the configurations of a sweep. A point is a choice of one value of each axis. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sweep/sweep.h"

static void *grown(void *p, size_t n, size_t size) {
  if (n & (n - 1)) return p;
  p = realloc(p, (n ? 2 * n : 1) * size);
  if (!p) abort();
  return p;
}

struct sweep_axis *sweep_axis(struct sweep *s, const char *name, struct simt_diag *diag) {
  int param = simt_param_index(&s->base, name);
  if (param < 0) { /* the message, with the nearest name, is that of a configuration */
    config_set(&s->base, name, "", diag);
    return NULL;
  }
  for (size_t i = 0; i < s->n_axes; i++)
    if (s->axis[i].param == param) {
      simt_fail(diag, name, "a second list of values", "each parameter once");
      return NULL;
    }
  struct sweep_axis *a = &s->axis[s->n_axes++];
  *a = (struct sweep_axis){.param = param};
  return a;
}

/* ---- values ------------------------------------------------------------------------------------------------- */

static bool add_value(struct sweep *s, struct sweep_axis *a, const char *text, struct simt_diag *diag) {
  const struct simt_param *p = s->base.param[a->param];
  struct simt_config trial = s->base;
  char buffer[24];
  if (!config_set(&trial, p->name, text, diag)) return false;
  const char *value = simt_value_text(p, trial.value[a->param], buffer);
  for (size_t i = 0; i < a->n; i++)
    if (!strcmp(a->value[i], value)) return simt_fail(diag, p->name, text, "each value once (%s comes twice)", value);
  a->value = grown(a->value, a->n, sizeof *a->value);
  a->value[a->n] = strdup(value);
  if (!a->value[a->n++]) abort();
  return true;
}

/* A number in text[0..n). */
static bool number(const char *text, size_t n, uint64_t *to) {
  char digits[24];
  while (n && text[0] == ' ') text++, n--;
  while (n && text[n - 1] == ' ') n--;
  if (!n || n >= sizeof digits) return false;
  snprintf(digits, sizeof digits, "%.*s", (int)n, text);
  errno = 0;
  *to = strtoull(digits, NULL, 10);
  return strspn(digits, "0123456789") == n && !errno;
}

struct range { uint64_t from, to, step; bool times; };

/* A..B, A..B step S, A..B times F. */
static bool read_range(const char *text, struct range *r) {
  const char *dots = strstr(text, ".."), *by = strstr(text, " step ");
  r->times = !by && (by = strstr(text, " times "));
  r->step = 1;
  size_t end = by ? (size_t)(by - text) : strlen(text);
  if (!number(text, (size_t)(dots - text), &r->from) || dots + 2 > text + end ||
      !number(dots + 2, (size_t)(text + end - dots - 2), &r->to))
    return false;
  if (by) by += r->times ? 7 : 6;
  return (!by || number(by, strlen(by), &r->step)) && r->from <= r->to && r->step >= (r->times ? 2 : 1) &&
         (!r->times || r->from);
}

bool sweep_values(struct sweep *s, struct sweep_axis *a, const char *text, struct simt_diag *diag) {
  enum { MOST = 4096 };
  const char *name = s->base.param[a->param]->name;
  struct range r;
  if (!strstr(text, "..")) return add_value(s, a, text, diag);
  if (!read_range(text, &r)) {
    simt_fail(diag, name, text, "values A..B, A..B step S or A..B times F");
    snprintf(diag->hint, sizeof diag->hint, "for example 8..64 times 2, which is 8, 16, 32, 64");
    return false;
  }
  for (uint64_t v = r.from, n = 0;; n++) {
    char value[24];
    snprintf(value, sizeof value, "%" PRIu64, v);
    if (n == MOST) return simt_fail(diag, name, text, "a range of at most %d values", MOST);
    if (!add_value(s, a, value, diag)) return false;
    if (r.times ? v > r.to / r.step : r.to - v < r.step) return true;
    v = r.times ? v * r.step : v + r.step;
  }
}

/* ---- points ------------------------------------------------------------------------------------------------- */

void sweep_add_point(struct sweep *s) {
  size_t size = SIMT_MAX_PARAMS * sizeof *s->choice;
  s->choice = grown(s->choice, s->n_points, size);
  for (size_t i = 0; i < SIMT_MAX_PARAMS; i++) s->choice[s->n_points * SIMT_MAX_PARAMS + i] = SWEEP_NOT_SET;
  s->n_points++;
}

double sweep_combinations(const struct sweep *s) {
  double n = 1;
  for (size_t i = 0; i < s->n_axes; i++) n *= (double)s->axis[i].n;
  return n;
}

/* The first axis is the slowest. */
static void add_combination(struct sweep *s, uint64_t number_of_it) {
  sweep_add_point(s);
  uint16_t *choice = &s->choice[(s->n_points - 1) * SIMT_MAX_PARAMS];
  for (size_t i = s->n_axes; i--;) {
    choice[i] = (uint16_t)(number_of_it % s->axis[i].n);
    number_of_it /= s->axis[i].n;
  }
}

void sweep_grid(struct sweep *s) {
  uint64_t n = (uint64_t)sweep_combinations(s);
  for (uint64_t i = 0; i < n; i++) add_combination(s, i);
}

/* splitmix64: the same numbers on every machine. */
static uint64_t random64(uint64_t *state) {
  uint64_t z = *state += 0x9e3779b97f4a7c15u;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9u;
  z = (z ^ z >> 27) * 0x94d049bb133111ebu;
  return z ^ z >> 31;
}

static uint64_t below(uint64_t *state, uint64_t n) {
  uint64_t limit = UINT64_MAX - UINT64_MAX % n, v;
  while ((v = random64(state)) >= limit) continue;
  return v % n;
}

static int compare(const void *a, const void *b) {
  uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
  return x < y ? -1 : x > y;
}

/* Draws until there are enough different ones; the last few of a sample of nearly all would take long, so that one
 * draws what to leave out instead. */
void sweep_sample(struct sweep *s, size_t n, uint64_t seed) {
  uint64_t all = (uint64_t)sweep_combinations(s);
  bool leaves_out = n > all / 2;
  size_t wanted = leaves_out ? (size_t)(all - n) : n, have = 0;
  uint64_t *drawn = malloc((wanted + 1) * sizeof *drawn);
  if (!drawn) abort();
  while (have < wanted) {
    for (size_t i = have; i < wanted; i++) drawn[i] = below(&seed, all);
    qsort(drawn, wanted, sizeof *drawn, compare);
    have = 0;
    for (size_t i = 0; i < wanted; i++)
      if (!have || drawn[i] != drawn[have - 1]) drawn[have++] = drawn[i];
  }
  if (leaves_out) {
    for (uint64_t i = 0, k = 0; i < all; i++) {
      if (k < wanted && drawn[k] == i) k++;
      else add_combination(s, i);
    }
  } else {
    for (size_t i = 0; i < wanted; i++) add_combination(s, drawn[i]);
  }
  free(drawn);
}

void sweep_point_text(const struct sweep *s, size_t point, struct text *t) {
  const uint16_t *choice = &s->choice[point * SIMT_MAX_PARAMS];
  const char *space = "";
  for (size_t i = 0; i < s->n_axes; i++) {
    if (choice[i] == SWEEP_NOT_SET) continue;
    text_add(t, "%s%s=%s", space, s->base.param[s->axis[i].param]->name, s->axis[i].value[choice[i]]);
    space = " ";
  }
  if (!*space) text_add(t, "the common values");
}

bool sweep_config(const struct sweep *s, size_t point, struct simt_config *cfg, struct simt_diag *diag) {
  const uint16_t *choice = &s->choice[point * SIMT_MAX_PARAMS];
  *cfg = s->base;
  memset(&cfg->records, 0, sizeof cfg->records);
  if (s->base.records.given && !simt_copy_records(cfg, &s->base)) abort();
  for (size_t i = 0; i < s->n_axes; i++)
    if (choice[i] != SWEEP_NOT_SET &&
        !config_set(cfg, cfg->param[s->axis[i].param]->name, s->axis[i].value[choice[i]], diag))
      return false;
  return simt_resolve(cfg, diag);
}

/* ---- check -------------------------------------------------------------------------------------------------- */

struct hashed { char hash[17]; size_t point; };

static int compare_hash(const void *a, const void *b) {
  const struct hashed *x = a, *y = b;
  int order = strcmp(x->hash, y->hash);
  return order ? order : x->point < y->point ? -1 : x->point > y->point;
}

/* Two points of a list may be one configuration, written differently. */
static bool all_differ(const struct sweep *s, struct hashed *h, struct simt_diag *diag) {
  qsort(h, s->n_points, sizeof *h, compare_hash);
  for (size_t i = 1; i < s->n_points; i++) {
    if (strcmp(h[i].hash, h[i - 1].hash)) continue;
    struct text t = {0};
    sweep_point_text(s, h[i].point, &t);
    simt_fail(diag, "points", t.s, "each configuration once (points %zu and %zu are the same)", h[i - 1].point + 1, h[i].point + 1);
    snprintf(diag->hint, sizeof diag->hint, "remove one of them");
    snprintf(diag->file, sizeof diag->file, "%.255s", s->file);
    text_free(&t);
    return false;
  }
  return true;
}

static bool refused(const struct sweep *s, size_t first, size_t n, size_t all, const struct simt_diag *why, struct simt_diag *diag) {
  struct text t = {0};
  sweep_point_text(s, first, &t);
  simt_fail(diag, "points", t.s, "configurations of %s, but it refuses %zu of %zu, this one first: %s: got %s, expected %s",
            s->base.block->name, n, all, why->name, why->got, why->expected);
  snprintf(diag->hint, sizeof diag->hint, n == all ? "the conditions contradict each other: no point is left"
                                          : !s->file[0] ? "correct the values" : "correct the values, or leave such points out: refused: skip");
  snprintf(diag->file, sizeof diag->file, "%.255s", s->file);
  text_free(&t);
  return false;
}

bool sweep_check(struct sweep *s, struct simt_diag *diag) {
  size_t kept = 0, first = 0, n = s->n_points;
  struct simt_diag why = {0};
  struct hashed *h = malloc((n + 1) * sizeof *h);
  if (!h) abort();
  for (size_t i = 0; i < n && !interrupted; i++) {
    struct simt_config cfg;
    struct simt_diag own = {0};
    bool good = sweep_config(s, i, &cfg, &own);
    if (good) config_hash(&cfg, h[kept].hash);
    simt_config_free(&cfg);
    if (n > 10000) progress((double)i / (double)n, "checking %zu points", n);
    if (!good) {
      if (!s->n_refused++) why = own, first = i;
      continue;
    }
    if (kept != i && s->skip_refused)
      memcpy(&s->choice[kept * SIMT_MAX_PARAMS], &s->choice[i * SIMT_MAX_PARAMS], SIMT_MAX_PARAMS * sizeof *s->choice);
    h[kept].point = s->skip_refused ? kept : i;
    kept++;
  }
  progress_end();
  bool good = !interrupted;
  if (good && s->n_refused && (!s->skip_refused || !kept)) {
    good = refused(s, first, s->n_refused, n, &why, diag);
  }
  s->n_points = kept;
  good = good && all_differ(s, h, diag);
  free(h);
  return good;
}
