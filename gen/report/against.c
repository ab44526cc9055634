/* SPDX-License-Identifier: Apache-2.0 */
/* against.c: two result sets, point by point: what got worse, by how much, and whether the seeds of place and route alone
 * may have made it. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

enum { MOST_SHOWN = 200, MOST_TEXT = 200 };

struct change {
  const struct metric *metric;
  const json_t *row;
  double before, now, worse; /* worse: share of the value before, positive when it is */
  double spread;             /* of the seeds, as a share of the value before; 0: exact */
  bool single;               /* a frequency of one seed, now or before: it says nothing of the spread */
  bool beyond;               /* the seeds do not overlap */
};

struct comparison { struct change *list; size_t n, same, only_new, only_old, fails_now, fails_no_more; };

/* ---- pairs of rows ------------------------------------------------------------------------------------------- */

/* A configuration by what is said of it: swept values and those in common, each once, in the order of names. */
static char *name_of(const struct results *r, const json_t *row) {
  json_t *all = json_object();
  json_object_update(all, json_object_get(r->header, "common"));
  json_object_update(all, json_object_get(row, "params"));
  json_object_set(all, "", json_object_get(r->header, "block"));
  char *s = json_dumps(all, JSON_COMPACT | JSON_SORT_KEYS);
  json_decref(all);
  if (!s) abort();
  return s;
}

static json_t *index_of(const struct results *r) {
  size_t i;
  json_t *row, *index = json_object();
  json_array_foreach(r->rows, i, row) {
    char *name = name_of(r, row);
    json_object_set(index, name, row);
    free(name);
  }
  return index;
}

/* ---- changes ------------------------------------------------------------------------------------------------- */

static void add(struct comparison *c, const struct metric *m, const json_t *now, const json_t *before) {
  double least_now, most_now, least_before, most_before;
  struct change d = {.metric = m, .row = now, .before = metric_value(m, before), .now = metric_value(m, now)};
  if (isnan(d.before) && isnan(d.now)) return;
  if (isnan(d.before) || isnan(d.now)) {
    if (isnan(d.now)) c->fails_now++;
    else c->fails_no_more++;
    return;
  }
  metric_range(m, now, &least_now, &most_now);
  metric_range(m, before, &least_before, &most_before);
  if (fabs(d.now - d.before) < 1e-9) {
    c->same++;
    return;
  }
  double share = d.before > 0 ? (d.now - d.before) / d.before : 1;
  d.worse = metric_more_is_better(m) ? -share : share;
  d.spread = d.before > 0 ? fmax(most_now - least_now, most_before - least_before) / d.before : 0;
  d.single = m->kind == METRIC_FMAX && (metric_seeds(m, now) == 1 || metric_seeds(m, before) == 1);
  d.beyond = !d.single && (most_now < least_before || least_now > most_before);
  if (!(c->n & (c->n - 1))) {
    c->list = realloc(c->list, (c->n ? 2 * c->n : 1) * sizeof *c->list);
    if (!c->list) abort();
  }
  c->list[c->n++] = d;
}

/* The worst first; of those within the seeds after all beyond them. */
static int compare(const void *a, const void *b) {
  const struct change *x = a, *y = b;
  if (x->beyond != y->beyond) return x->beyond ? -1 : 1;
  return x->worse > y->worse ? -1 : x->worse < y->worse;
}

static void find(struct comparison *c, const struct results *r, const struct results *old, const struct metric *list, size_t n) {
  json_t *index = index_of(old), *row;
  size_t i, found = 0;
  json_array_foreach(r->rows, i, row) {
    char *name = name_of(r, row);
    const json_t *before = json_object_get(index, name);
    free(name);
    if (!before) {
      c->only_new++;
      continue;
    }
    found++;
    for (size_t m = 0; m < n; m++) add(c, &list[m], row, before);
  }
  c->only_old = json_array_size(old->rows) - found;
  if (c->n) qsort(c->list, c->n, sizeof *c->list, compare);
  json_decref(index);
}

/* ---- output -------------------------------------------------------------------------------------------------- */

static const char *verdict(const struct change *d) {
  if (d->single) return "one seed";
  if (!d->beyond) return "within the seeds";
  return d->worse > 0 ? "worse" : "better";
}

static void add_csv(struct text *csv, const struct comparison *c) {
  text_add(csv, "point,figure,before,now,worse_percent,seed_spread_percent,verdict\n");
  for (size_t i = 0; i < c->n; i++) {
    const struct change *d = &c->list[i];
    char name[120];
    metric_name(d->metric, name);
    row_text(d->row, csv);
    text_add(csv, ",\"%s\",%.6g,%.6g,%.2f,%.2f,%s\n", name, d->before, d->now, 100 * d->worse, 100 * d->spread, verdict(d));
  }
}

static void add_row(struct text *t, const struct change *d) {
  char name[120], before[40], now[40], spread[40] = "exact";
  struct text point = {0};
  metric_name(d->metric, name);
  metric_text(d->metric, d->before, before);
  metric_text(d->metric, d->now, now);
  if (d->single) snprintf(spread, sizeof spread, "not known");
  else if (d->metric->kind == METRIC_FMAX && d->spread > 0) snprintf(spread, sizeof spread, "%.1f %%", 100 * d->spread);
  row_text(d->row, &point);
  text_add(t, "<tr><td class=\"t\">");
  html(t, point.s ? point.s : "");
  text_add(t, "</td><td>");
  html(t, name);
  text_add(t, "</td><td>%s</td><td>%s</td><td>%+.1f %%</td><td>%s</td><td class=\"%s\">%s</td></tr>\n", before, now,
           100 * (d->now - d->before) / (d->before > 0 ? d->before : 1), spread, !d->beyond ? "soft" : d->worse > 0 ? "bad" : "good", verdict(d));
  text_free(&point);
}

static void add_section(struct text *t, const struct comparison *c, const struct results *old) {
  size_t worse = 0, better = 0, single = 0;
  for (size_t i = 0; i < c->n; i++) {
    worse += c->list[i].beyond && c->list[i].worse > 0;
    better += c->list[i].beyond && c->list[i].worse < 0;
    single += c->list[i].single;
  }
  text_add(t, "<h2 id=\"against\">Comparison with an earlier result set</h2>\n<p>Against simtgen %s: <span class=\"%s\">%zu figures are worse</span>, "
           "<span class=\"%s\">%zu better</span>, %zu differ by no more than the seeds of place and route, %zu are the same.",
           json_string_value(json_object_get(old->header, "version")) ? json_string_value(json_object_get(old->header, "version")) : "",
           worse ? "bad" : "soft", worse, better ? "good" : "soft", better, c->n - worse - better - single, c->same);
  if (single) text_add(t, " %zu frequenc%s of a single seed %s not judged.", single, single == 1 ? "y" : "ies", single == 1 ? "is" : "are");
  if (c->fails_now) text_add(t, " <span class=\"bad\">%zu figures were there and are missing.</span>", c->fails_now);
  if (c->fails_no_more) text_add(t, " %zu figures were missing and are there.", c->fails_no_more);
  if (c->only_new || c->only_old) text_add(t, " %zu points are in this set alone, %zu in the earlier one.", c->only_new, c->only_old);
  text_add(t, "</p>\n");
  if (!c->n) return;
  text_add(t, "<div class=\"wide\"><table><tr><th>Point</th><th>Figure</th><th>Before</th><th>Now</th><th>Change</th><th>Seed spread</th><th></th></tr>\n");
  for (size_t i = 0; i < c->n && i < MOST_SHOWN; i++) add_row(t, &c->list[i]);
  text_add(t, "</table></div>\n");
  if (c->n > MOST_SHOWN) text_add(t, "<p>%zu more are in <a href=\"against.csv\">against.csv</a>.</p>\n", c->n - MOST_SHOWN);
}

void against_write(struct text *t, struct text *csv, const struct results *r, const struct results *old) {
  struct metric list[REPORT_METRICS];
  struct comparison c = {0};
  size_t n = metrics_find(r, list);
  find(&c, r, old, list, n);
  if (t) add_section(t, &c, old);
  if (csv) add_csv(csv, &c);
  free(c.list);
}
