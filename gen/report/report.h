/* SPDX-License-Identifier: Apache-2.0 */
/* report.h: the parts of `simtgen report`: results.c (what a sweep has left), age.c (are they of today's Verilog), metric.c (numbers of a
 * row), plot.c (pictures), page.c (the page), against.c (two result sets side by side). */
#ifndef SIMTGEN_REPORT_H
#define SIMTGEN_REPORT_H

#include "sweep/sweep.h"

/* ---- results.c ---- */
struct results { json_t *header, *rows; };
/* A folder of a sweep, or its results.jsonl. False and diag, with file and line, when it is not what a sweep writes. */
bool results_read(struct results *r, const char *path, struct simt_diag *diag);
void results_free(struct results *r);

/* ---- age.c: is what was synthesized what this program generates? ---- */
struct age { size_t asked, other, unknown; }; /* results of synthesis; of at most AGE_POINTS points, spread over all */
enum { AGE_POINTS = 100 };
/* other: the Verilog is another one now; unknown: they do not say of which Verilog they are, or
 * were made with lists of records, which do not stand in them. */
struct age results_age(const struct results *r);
/* Says so, in a sentence; nothing when there is nothing to say. */
void age_text(const struct age *a, struct text *t);

/* ---- metric.c: area and frequency of a target, cycles of a workload ---- */
enum metric_kind { METRIC_AREA, METRIC_FMAX, METRIC_CYCLES };
struct metric { enum metric_kind kind; const char *of; const char *key; }; /* key: of area, the resource that stands for it */
enum { REPORT_METRICS = 2 * SWEEP_TARGETS + SWEEP_WORKLOADS };
/* All that some row has; returns how many. */
size_t metrics_find(const struct results *r, struct metric list[REPORT_METRICS]);
/* Of a frequency the median over the seeds; NAN when the row has none. */
double metric_value(const struct metric *m, const json_t *row);
/* Smallest and largest over the seeds; both the value where there is one only. */
void metric_range(const struct metric *m, const json_t *row, double *least, double *most);
/* Of a frequency by place and route; none of a delay by timing analysis, which is exact. */
size_t metric_seeds(const struct metric *m, const json_t *row);
void metric_name(const struct metric *m, char to[120]); /* "ice40: LUT4" */
void metric_text(const struct metric *m, double value, char to[40]);
bool metric_more_is_better(const struct metric *m);
/* "NAME=VALUE NAME=VALUE" */
void row_text(const json_t *row, struct text *t);
/* "trace FILE, memory latency 200 cycles, picker PICKER": how a workload was run, as far as the results say it. */
void workload_text(const struct results *r, const char *name, bool with_folder, struct text *t);
/* Text of HTML and of SVG. */
void html(struct text *t, const char *s);

/* ---- plot.c: SVG ---- */
void plot_parameter(struct text *t, const struct results *r, const char *parameter, const struct metric *m);
/* Rows that no other row beats in both, by rising x; the caller frees. */
size_t *front_of(const struct results *r, const struct metric *x, const struct metric *y, size_t *n);
void plot_front(struct text *t, const struct results *r, const struct metric *x, const struct metric *y, const size_t *front, size_t n);

/* ---- page.c, against.c ---- */
void page_write(struct text *t, const struct results *r, const struct results *old, const struct age *age);
/* A section of the page and, as CSV, all that differs. */
void against_write(struct text *t, struct text *csv, const struct results *r, const struct results *old);

#endif
