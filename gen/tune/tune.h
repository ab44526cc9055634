/* SPDX-License-Identifier: Apache-2.0 */
/* tune.h: the parts of `simtgen tune`: search.c (which points are synthesized), surrogate.c (what is expected of the
 * others), explain.c (text, JSON). */
#ifndef SIMTGEN_TUNE_H
#define SIMTGEN_TUNE_H

#include "report/report.h"

/* ---- surrogate.c: a Gaussian process over the points of a grid ---- */
enum { SURROGATE_MOST = 128 };   /* points that it is made from; later ones replace the first */
struct surrogate {
  const double *features;        /* of all points, `dim` each */
  size_t dim, n, *known;         /* points with a value */
  double *weight, *factor;       /* of the kernels at the known points; Cholesky factor, n by n */
  double mean, scale;            /* of the values */
  double linear, rough, reach, noise; /* of the kernel */
};
/* Features of the points of a sweep: a number's place on its axis, 0..1; a choice has one feature per value. The caller frees. */
double *surrogate_features(const struct sweep *s, size_t *dim);
/* From the values of `n` points, which are logarithms. */
void surrogate_fit(struct surrogate *g, const double *features, size_t dim, const size_t *points, const double *value, size_t n);
/* What is expected of a point, and the standard deviation of that. */
void surrogate_at(const struct surrogate *g, size_t point, double *mean, double *deviation);
void surrogate_free(struct surrogate *g);

/* ---- search.c ---- */
enum tune_figure { TUNE_LUT, TUNE_RAM, TUNE_FMAX, TUNE_FIGURES };
struct tune_point {
  bool simulated, measured, placed, meets; /* it has cycles; figures of the target; it fits there; they meet the limits */
  double score;                         /* cycles as a multiple of the fewest of the workload where that is the most */
  double figure[TUNE_FIGURES];          /* NAN: none */
  double low[TUNE_FIGURES], high[TUNE_FIGURES]; /* of one that is not measured: what is expected */
  double guess;                         /* of its cost before it was measured; NAN: none */
};
struct tune {
  const struct gen_options *o;
  struct sweep_run *run;
  size_t target, n_points, n_workloads; /* target: place in the sweep */
  const char *target_name;
  const char *lut_name;                 /* LUT4, LUT, gate equivalents */
  double percent, limit[TUNE_FIGURES];  /* NAN: no limit */
  enum tune_figure cost;
  struct tune_point *point;
  double *features;
  size_t dim;
  struct surrogate model[TUNE_FIGURES];
  double care;                          /* standard deviations that the expected values keep away */
  double *cycles;                       /* of each point, of each workload */
  double fewest[SWEEP_WORKLOADS];       /* no configuration that meets the limits takes fewer on the workload */
  double known[SWEEP_WORKLOADS];        /* the fewest of those that are known to meet the limits */
  size_t chosen, nearest;               /* n_points: none; nearest: what to name when none is chosen */
  size_t n_simulated, n_measured;
  double worst_guess;                   /* of the measured points, share by which the cost was expected wrongly */
};
/* Runs what it needs. False and diag when it cannot go on; without a configuration that meets the limits t->chosen is n_points. */
bool tune_search(struct tune *t, struct simt_diag *diag);
bool tune_has_limits(const struct tune *t);
/* Within the percentage of the fewest cycles of each workload? */
bool tune_is_fast(const struct tune *t, const struct tune_point *p);
/* May it be one that meets the limits, as far as is known or expected? */
bool tune_possible(const struct tune *t, const struct tune_point *p);

/* ---- explain.c ---- */
void tune_print_text(const struct tune *t);
void tune_print_json(const struct tune *t);
/* Of a search that has found none: what stands in the way; the nearest point and what moves its figures, as notes. */
void tune_refuse(const struct tune *t, struct simt_diag *diag);
void tune_print_nearest(const struct tune *t);

#endif
