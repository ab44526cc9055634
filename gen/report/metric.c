/* SPDX-License-Identifier: Apache-2.0 */
/* metric.c: the numbers of a row that pictures and comparisons are about. */
#include <math.h>
#include <string.h>

#include "report/report.h"

/* What stands for area, by target: the first that a result has. */
static const struct { const char *key, *name; } areas[] = {
  {"lut4", "LUT4"}, {"lut", "LUT"}, {"luts", "LUTs"}, {"lut6", "LUT6"}, {"gate_equivalents", "gate equivalents"},
  {"area", "area"}, {"cells", "cells"}};

static json_t *task_of(const struct metric *m, const json_t *row) {
  return json_object_get(json_object_get(row, m->kind == METRIC_CYCLES ? "workloads" : "targets"), m->of);
}

static const char *area_key(const json_t *rows, const char *target) {
  size_t i;
  json_t *row;
  for (size_t k = 0; k < sizeof areas / sizeof *areas; k++)
    json_array_foreach((json_t *)(uintptr_t)rows, i, row)
      if (json_object_get(json_object_get(json_object_get(json_object_get(row, "targets"), target), "resources"), areas[k].key))
        return areas[k].key;
  return NULL;
}

static bool some_row(const struct results *r, const struct metric *m) {
  size_t i;
  json_t *row;
  json_array_foreach(r->rows, i, row)
    if (!isnan(metric_value(m, row))) return true;
  return false;
}

size_t metrics_find(const struct results *r, struct metric list[REPORT_METRICS]) {
  size_t i, n = 0;
  json_t *v;
  json_array_foreach(json_object_get(r->header, "targets"), i, v) {
    const char *name = json_string_value(v), *key = name ? area_key(r->rows, name) : NULL;
    if (n + 2 > REPORT_METRICS || !name) break;
    if (key) list[n++] = (struct metric){METRIC_AREA, name, key};
    list[n] = (struct metric){METRIC_FMAX, name, NULL};
    n += some_row(r, &list[n]);
  }
  json_array_foreach(json_object_get(r->header, "workloads"), i, v) {
    const char *name = json_string_value(json_object_get(v, "name"));
    if (n == REPORT_METRICS || !name) break;
    list[n] = (struct metric){METRIC_CYCLES, name, NULL};
    n += some_row(r, &list[n]);
  }
  return n;
}

static double number(const json_t *v) { return json_is_number(v) ? json_number_value(v) : NAN; }

double metric_value(const struct metric *m, const json_t *row) {
  const json_t *task = task_of(m, row);
  if (m->kind == METRIC_AREA) return number(json_object_get(json_object_get(task, "resources"), m->key));
  if (m->kind == METRIC_FMAX) return number(json_object_get(json_object_get(task, "fmax_mhz"), "median"));
  return number(json_object_get(task, "cycles"));
}

void metric_range(const struct metric *m, const json_t *row, double *least, double *most) {
  const json_t *fmax = json_object_get(task_of(m, row), "fmax_mhz");
  *least = *most = metric_value(m, row);
  if (m->kind != METRIC_FMAX || isnan(*least)) return;
  *least = number(json_object_get(fmax, "min"));
  *most = number(json_object_get(fmax, "max"));
}

size_t metric_seeds(const struct metric *m, const json_t *row) { return json_array_size(json_object_get(task_of(m, row), "seeds")); }

void metric_name(const struct metric *m, char to[120]) {
  const char *what = m->kind == METRIC_FMAX ? "fmax, MHz" : "cycles";
  for (size_t k = 0; m->kind == METRIC_AREA && k < sizeof areas / sizeof *areas; k++)
    if (!strcmp(areas[k].key, m->key)) what = areas[k].name;
  snprintf(to, 120, "%s: %s", m->of, what);
}

void metric_text(const struct metric *m, double value, char to[40]) {
  snprintf(to, 40, "%.*f", m->kind == METRIC_FMAX || floor(value) < value ? 1 : 0, value);
}

bool metric_more_is_better(const struct metric *m) { return m->kind == METRIC_FMAX; }

void row_text(const json_t *row, struct text *t) {
  const char *name, *space = "";
  json_t *v;
  json_object_foreach(json_object_get(row, "params"), name, v) {
    if (json_is_string(v)) text_add(t, "%s%s=%s", space, name, json_string_value(v));
    else text_add(t, "%s%s=%" JSON_INTEGER_FORMAT, space, name, json_integer_value(v));
    space = " ";
  }
}

/* What the first row that has the workload says of its run. */
static const json_t *run_of(const struct results *r, const char *name) {
  size_t i;
  json_t *row;
  json_array_foreach(r->rows, i, row) {
    const json_t *entry = json_object_get(json_object_get(row, "workloads"), name);
    if (json_object_get(entry, "cycles")) return entry;
  }
  return NULL;
}

void workload_text(const struct results *r, const char *name, bool with_folder, struct text *t) {
  const json_t *run = run_of(r, name);
  const char *picker = json_string_value(json_object_get(run, "picker")), *key;
  size_t i;
  json_t *v;
  json_array_foreach(json_object_get(r->header, "workloads"), i, v) {
    const char *trace = json_string_value(json_object_get(v, "trace"));
    if (!trace || strcmp(name, json_string_value(json_object_get(v, "name")))) continue;
    text_add(t, "trace %s", with_folder || !strrchr(trace, '/') ? trace : strrchr(trace, '/') + 1);
  }
  v = json_object_get(run, "memory_latency");
  if (json_is_number(v)) text_add(t, "%smemory latency %g cycles", t->len ? ", " : "", json_number_value(v));
  if (picker) text_add(t, "%spicker %s", t->len ? ", " : "", picker);
  json_object_foreach(json_object_get(run, "replay"), key, v)
    text_add(t, "%s%s=%g", t->len ? ", " : "", key, json_number_value(v));
}

void html(struct text *t, const char *s) {
  for (; *s; s++) {
    if (*s == '<') text_add(t, "&lt;");
    else if (*s == '>') text_add(t, "&gt;");
    else if (*s == '&') text_add(t, "&amp;");
    else if (*s == '"') text_add(t, "&quot;");
    else text_add_bytes(t, s, 1);
  }
}
