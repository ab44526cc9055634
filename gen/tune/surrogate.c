/* SPDX-License-Identifier: Apache-2.0 */
/* surrogate.c: what is expected of a configuration that was not synthesized, and how sure that is: a Gaussian process. Its
 * kernel has a part that is linear in the features, since area grows with each parameter, and a rough one for all else; how
 * much of either, the values themselves say (marginal likelihood over a few settings). */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tune/tune.h"

/* ---- features ------------------------------------------------------------------------------------------------ */

static bool is_choice(const struct sweep *s, size_t axis) { return s->base.param[s->axis[axis].param]->choices != NULL; }

static double value_of(const struct sweep_axis *a, size_t i) { return (double)strtoull(a->value[i], NULL, 10); }

/* Place of a number between the least and the most of its axis; by ratios where the axis spans more than a factor of four. */
static double place_of(const struct sweep_axis *a, double v) {
  double low = v, high = v;
  for (size_t i = 0; i < a->n; i++) low = fmin(low, value_of(a, i)), high = fmax(high, value_of(a, i));
  if (high <= low) return 0;
  if (low > 0 && high >= 4 * low) return log(v / low) / log(high / low);
  return (v - low) / (high - low);
}

double *surrogate_features(const struct sweep *s, size_t *dim) {
  size_t n = 0;
  for (size_t a = 0; a < s->n_axes; a++) n += is_choice(s, a) ? s->axis[a].n + 1 : 1; /* one more: the default, in a list of points */
  double *features = calloc(s->n_points * n + 1, sizeof *features);
  if (!features) abort();
  for (size_t p = 0; p < s->n_points; p++) {
    double *to = &features[p * n];
    for (size_t a = 0; a < s->n_axes; a++) {
      const struct sweep_axis *axis = &s->axis[a];
      uint16_t choice = s->choice[p * SIMT_MAX_PARAMS + a];
      double other = (double)s->base.value[axis->param];
      if (is_choice(s, a)) to[choice == SWEEP_NOT_SET ? axis->n : choice] = sqrt(0.5), to += axis->n + 1;
      else *to++ = place_of(axis, choice == SWEEP_NOT_SET ? other : value_of(axis, choice));
    }
  }
  *dim = n;
  return features;
}

/* ---- kernel -------------------------------------------------------------------------------------------------- */

enum { LEVEL = 4 }; /* variance of the level as a whole; values have variance 1 */

static double kernel(const struct surrogate *g, size_t a, size_t b) {
  const double *x = &g->features[a * g->dim], *y = &g->features[b * g->dim];
  double product = 0, distance = 0;
  for (size_t i = 0; i < g->dim; i++) {
    product += x[i] * y[i];
    distance += (x[i] - y[i]) * (x[i] - y[i]);
  }
  return LEVEL + g->linear * product + g->rough * exp(-distance / (2 * g->reach * g->reach));
}

/* The lower triangle of the kernels at the known points, factored. */
static bool factor(struct surrogate *g) {
  size_t n = g->n;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j <= i; j++) {
      double sum = kernel(g, g->known[i], g->known[j]) + (i == j ? g->noise : 0);
      for (size_t k = 0; k < j; k++) sum -= g->factor[i * n + k] * g->factor[j * n + k];
      if (i == j && sum <= 0) return false;
      g->factor[i * n + j] = i == j ? sqrt(sum) : sum / g->factor[j * n + j];
    }
  return true;
}

static void forward(const struct surrogate *g, double *v) {
  for (size_t i = 0; i < g->n; i++) {
    for (size_t k = 0; k < i; k++) v[i] -= g->factor[i * g->n + k] * v[k];
    v[i] /= g->factor[i * g->n + i];
  }
}

static void backward(const struct surrogate *g, double *v) {
  for (size_t i = g->n; i--;) {
    for (size_t k = i + 1; k < g->n; k++) v[i] -= g->factor[k * g->n + i] * v[k];
    v[i] /= g->factor[i * g->n + i];
  }
}

/* Logarithm of how likely the values are, up to a constant; leaves the weights. */
static double likelihood(struct surrogate *g, const double *value) {
  double sum = 0;
  if (!factor(g)) return -INFINITY;
  memcpy(g->weight, value, g->n * sizeof *value);
  forward(g, g->weight);
  for (size_t i = 0; i < g->n; i++) sum -= 0.5 * g->weight[i] * g->weight[i] + log(g->factor[i * g->n + i]);
  backward(g, g->weight);
  return sum;
}

/* ---- fit ----------------------------------------------------------------------------------------------------- */

static void normalize(struct surrogate *g, double *value) {
  double sum = 0;
  for (size_t i = 0; i < g->n; i++) sum += value[i];
  g->mean = g->n ? sum / (double)g->n : 0;
  sum = 0;
  for (size_t i = 0; i < g->n; i++) sum += (value[i] - g->mean) * (value[i] - g->mean);
  g->scale = g->n ? sqrt(sum / (double)g->n) : 0;
  if (g->scale < 0.01) g->scale = 0.01; /* all alike so far; others may differ by a hundredth */
  for (size_t i = 0; i < g->n; i++) value[i] = (value[i] - g->mean) / g->scale;
}

void surrogate_fit(struct surrogate *g, const double *features, size_t dim, const size_t *points, const double *value, size_t n) {
  static const double linear[] = {0.3, 1, 3, 10}, rough[] = {0.01, 0.03, 0.1, 0.3, 1}, reach[] = {0.4, 0.8}, noise[] = {1e-6, 1e-4, 1e-2};
  size_t from = n > SURROGATE_MOST ? n - SURROGATE_MOST : 0;
  double best = -INFINITY, most[4] = {3, 0.3, 0.8, 1e-4};
  surrogate_free(g);
  *g = (struct surrogate){.features = features, .dim = dim, .n = n - from};
  g->known = malloc((g->n + 1) * sizeof *g->known);
  g->weight = malloc((g->n + 1) * sizeof *g->weight);
  g->factor = calloc(g->n * g->n + 1, sizeof *g->factor);
  double *v = malloc((g->n + 1) * sizeof *v);
  if (!g->known || !g->weight || !g->factor || !v) abort();
  memcpy(g->known, points + from, g->n * sizeof *points);
  memcpy(v, value + from, g->n * sizeof *v);
  normalize(g, v);
  for (size_t i = 0; i < 4 * 5 * 2 * 3; i++) {
    g->linear = linear[i % 4], g->rough = rough[i / 4 % 5], g->reach = reach[i / 20 % 2], g->noise = noise[i / 40];
    double own = likelihood(g, v);
    if (own <= best) continue;
    best = own;
    most[0] = g->linear, most[1] = g->rough, most[2] = g->reach, most[3] = g->noise;
  }
  g->linear = most[0], g->rough = most[1], g->reach = most[2], g->noise = most[3];
  likelihood(g, v);
  free(v);
}

void surrogate_at(const struct surrogate *g, size_t point, double *mean, double *deviation) {
  double *k = malloc((g->n + 1) * sizeof *k), sum = 0, left = kernel(g, point, point) + g->noise;
  if (!k) abort();
  for (size_t i = 0; i < g->n; i++) {
    k[i] = kernel(g, point, g->known[i]);
    sum += k[i] * g->weight[i];
  }
  forward(g, k);
  for (size_t i = 0; i < g->n; i++) left -= k[i] * k[i];
  free(k);
  *mean = g->mean + g->scale * sum;
  *deviation = g->scale * sqrt(left > 0 ? left : 0);
}

void surrogate_free(struct surrogate *g) {
  free(g->known);
  free(g->weight);
  free(g->factor);
  *g = (struct surrogate){.n = 0};
}
