/* SPDX-License-Identifier: Apache-2.0 */
/* plot.c: pictures of results as SVG, which take their colours from the page. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

/* Above so many rows a value of a parameter is drawn as the spread of its rows, not row by row. */
enum { WIDE = 440, HIGH = 278, LEFT = 62, RIGHT = 412, TOP = 14, BOTTOM = 222, MOST_DOTS = 400, MOST_VALUES = 64, COLOURS = 6 };

struct scale { double from, to, step; };

#define LEAST_SPAN 0.25 /* of the largest value: an axis shows at least so much, or 2 % would look like half */

/* Round steps over a range, from zero when it is near. */
static struct scale scale_of(double least, double most) {
  struct scale s = {0};
  if (least > 0 && least < 0.6 * most) least = 0;
  double more = LEAST_SPAN * most - (most - least);
  if (more > 0) least -= more / 2, most += more / 2;
  if (most <= least) most = least + 1;
  double raw = (most - least) / 5, power = pow(10, floor(log10(raw)));
  double unit = raw / power;
  s.step = power * (unit <= 1 ? 1 : unit <= 2 ? 2 : unit <= 5 ? 5 : 10);
  s.from = floor(least / s.step) * s.step;
  s.to = ceil(most / s.step) * s.step;
  return s;
}

static double at_y(const struct scale *s, double v) { return BOTTOM - (v - s->from) / (s->to - s->from) * (BOTTOM - TOP); }
static double at_x(const struct scale *s, double v) { return LEFT + (v - s->from) / (s->to - s->from) * (RIGHT - LEFT); }

/* 12000 as 12,000; fractions only where the steps have them. */
static void tick_text(double v, double step, char to[40]) {
  char digits[40];
  int n = snprintf(digits, sizeof digits, "%.*f", step < 1 ? (int)ceil(-log10(step)) : 0, v), whole = (int)strcspn(digits, "."), k = 0;
  for (int i = 0; i < n && k < 38; i++) {
    if (i && i < whole && (whole - i) % 3 == 0 && digits[i - 1] != '-') to[k++] = ',';
    to[k++] = digits[i];
  }
  to[k] = 0;
}

static void begin(struct text *t, const char *title) {
  text_add(t, "<figure><svg viewBox=\"0 0 %d %d\" role=\"img\" aria-label=\"", WIDE, HIGH);
  html(t, title);
  text_add(t, "\">\n");
}

/* The caption says where an axis of values begins, if not at zero, and how a workload was run. */
static void end(struct text *t, const struct results *r, const char *title, const struct metric *y, const struct scale *s) {
  char from[40];
  struct text workload = {0};
  text_add(t, "</svg><figcaption>");
  html(t, title);
  if (y->kind == METRIC_CYCLES) workload_text(r, y->of, false, &workload);
  if (workload.len) text_add(t, "; "), html(t, workload.s);
  tick_text(s->from, s->step, from);
  if (s->from > 0) text_add(t, "; the axis begins at %s", from);
  text_free(&workload);
  text_add(t, "</figcaption></figure>\n");
}

static void y_axis(struct text *t, const struct scale *s) {
  char tick[40];
  for (double v = s->from; v <= s->to + s->step / 2; v += s->step) {
    tick_text(v, s->step, tick);
    text_add(t, "<path class=\"grid\" d=\"M%d %.1fH%d\"/><text x=\"%d\" y=\"%.1f\" class=\"r\">%s</text>\n", LEFT, at_y(s, v), RIGHT,
             LEFT - 6, at_y(s, v) + 4, tick);
  }
}

static void x_name(struct text *t, const char *name) {
  text_add(t, "<text x=\"%d\" y=\"%d\" class=\"m\">", (LEFT + RIGHT) / 2, BOTTOM + 36);
  html(t, name);
  text_add(t, "</text>\n");
}

/* ---- against a parameter ------------------------------------------------------------------------------------- */

struct plot_values { char text[MOST_VALUES][SIMT_NAME_MAX]; double number[MOST_VALUES]; size_t n; };

static void value_text(const json_t *v, char to[SIMT_NAME_MAX]) {
  if (json_is_string(v)) snprintf(to, SIMT_NAME_MAX, "%s", json_string_value(v));
  else snprintf(to, SIMT_NAME_MAX, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
}

static size_t find_value(const struct plot_values *vs, const json_t *v) {
  char text[SIMT_NAME_MAX];
  size_t i = 0;
  value_text(v, text);
  while (i < vs->n && strcmp(vs->text[i], text)) i++;
  return i;
}

/* Numbers rise; choices stand as they come. */
static void find_values(const struct results *r, const char *parameter, struct plot_values *vs) {
  size_t i;
  json_t *row;
  vs->n = 0;
  json_array_foreach(r->rows, i, row) {
    const json_t *v = json_object_get(json_object_get(row, "params"), parameter);
    if (!v || vs->n == MOST_VALUES || find_value(vs, v) < vs->n) continue;
    size_t at = vs->n++;
    double number = json_is_integer(v) ? (double)json_integer_value(v) : (double)at;
    for (; at && vs->number[at - 1] > number; at--) {
      vs->number[at] = vs->number[at - 1];
      memcpy(vs->text[at], vs->text[at - 1], SIMT_NAME_MAX);
    }
    vs->number[at] = number;
    value_text(v, vs->text[at]);
  }
}

/* What the colours stand for: another parameter with few values; NULL: nothing. */
static const char *find_colours(const struct results *r, const char *parameter, struct plot_values *vs) {
  size_t i;
  json_t *v;
  json_array_foreach(json_object_get(r->header, "swept"), i, v) {
    const char *name = json_string_value(v);
    if (!name || !strcmp(name, parameter)) continue;
    find_values(r, name, vs);
    if (vs->n > 1 && vs->n <= COLOURS) return name;
  }
  vs->n = 0;
  return NULL;
}

static void legend(struct text *t, const char *name, const struct plot_values *vs) {
  double x = LEFT;
  text_add(t, "<text x=\"%d\" y=\"%d\" class=\"s\">", LEFT, BOTTOM + 52);
  html(t, name);
  text_add(t, "</text>\n");
  x += 8 + 8.6 * (double)strlen(name); /* in capitals */
  for (size_t i = 0; i < vs->n; i++) {
    text_add(t, "<circle cx=\"%.0f\" cy=\"%d\" r=\"3.5\" class=\"c%zu\"/><text x=\"%.0f\" y=\"%d\" class=\"s\">", x + 4, BOTTOM + 48, i,
             x + 11, BOTTOM + 52);
    html(t, vs->text[i]);
    text_add(t, "</text>\n");
    x += 22 + 6.6 * (double)strlen(vs->text[i]);
  }
}

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return x < y ? -1 : x > y;
}

/* A row that has the figure: which value of the parameter it has, and which colour. */
struct mark { double v, least, most; size_t value, colour; const json_t *row; };

static struct mark *find_marks(const struct results *r, const char *parameter, const struct metric *m, const struct plot_values *vs,
                               const char *colour, const struct plot_values *cs, size_t *n) {
  struct mark *list = malloc((json_array_size(r->rows) + 1) * sizeof *list);
  size_t i;
  json_t *row;
  if (!list) abort();
  *n = 0;
  json_array_foreach(r->rows, i, row) {
    const json_t *params = json_object_get(row, "params");
    struct mark *d = &list[*n];
    *d = (struct mark){.v = metric_value(m, row), .value = find_value(vs, json_object_get(params, parameter)), .row = row};
    if (isnan(d->v) || d->value == vs->n) continue;
    metric_range(m, row, &d->least, &d->most);
    if (colour) d->colour = find_value(cs, json_object_get(params, colour));
    ++*n;
  }
  return list;
}

/* Its median with the bar of its seeds. */
static void draw_dot(struct text *t, const struct mark *d, const struct metric *m, const struct scale *s, double x) {
  char number[40];
  struct text name = {0};
  if (d->most > d->least) text_add(t, "<path class=\"bar c%zu\" d=\"M%.1f %.1fV%.1f\"/>", d->colour, x, at_y(s, d->least), at_y(s, d->most));
  metric_text(m, d->v, number);
  row_text(d->row, &name);
  text_add(t, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"3\" class=\"c%zu\"><title>", x, at_y(s, d->v), d->colour);
  html(t, name.s ? name.s : "");
  text_add(t, ": %s</title></circle>\n", number);
  text_free(&name);
}

/* Many rows: from the least to the most, the middle half, the median. */
static void draw_spread(struct text *t, double *list, size_t n, const struct scale *s, double x, double room) {
  double w = room * 0.25 < 12 ? room * 0.25 : 12;
  qsort(list, n, sizeof *list, compare);
  text_add(t, "<path class=\"bar c0\" d=\"M%.1f %.1fV%.1f\"/>", x, at_y(s, list[0]), at_y(s, list[n - 1]));
  text_add(t, "<rect class=\"box\" x=\"%.1f\" y=\"%.1f\" width=\"%.1f\" height=\"%.1f\"/>", x - w, at_y(s, list[3 * n / 4]), 2 * w,
           at_y(s, list[n / 4]) - at_y(s, list[3 * n / 4]) + 1);
  text_add(t, "<path class=\"mid\" d=\"M%.1f %.1fh%.1f\"/>\n", x - w, at_y(s, list[n / 2]), 2 * w);
}

/* The rows of one value: side by side, or as their spread. */
static void draw_value(struct text *t, const struct mark *list, size_t n, const struct metric *m, const struct scale *s,
                       const struct plot_values *vs, size_t which) {
  double *v = malloc((n + 1) * sizeof *v), room = (double)(RIGHT - LEFT) / (double)vs->n, left = LEFT + room * (double)which;
  size_t own = 0, place = 0;
  if (!v) abort();
  for (size_t i = 0; i < n; i++)
    if (list[i].value == which) v[own++] = list[i].v;
  if (own && n > MOST_DOTS) draw_spread(t, v, own, s, left + room / 2, room);
  for (size_t i = 0; i < n && n <= MOST_DOTS; i++)
    if (list[i].value == which) draw_dot(t, &list[i], m, s, left + room * (0.2 + 0.6 * ((double)place++ + 0.5) / (double)own));
  if (vs->n <= 12 || which % (vs->n / 10) == 0) {
    text_add(t, "<text x=\"%.1f\" y=\"%d\" class=\"m\">", left + room / 2, BOTTOM + 18);
    html(t, vs->text[which]);
    text_add(t, "</text>\n");
  }
  free(v);
}

void plot_parameter(struct text *t, const struct results *r, const char *parameter, const struct metric *m) {
  char name[120], title[240];
  struct plot_values vs, cs;
  double low = INFINITY, high = -INFINITY;
  size_t n;
  find_values(r, parameter, &vs);
  const char *colour = json_array_size(r->rows) > MOST_DOTS ? NULL : find_colours(r, parameter, &cs);
  struct mark *list = find_marks(r, parameter, m, &vs, colour, &cs, &n);
  for (size_t i = 0; i < n; i++) low = fmin(low, list[i].least), high = fmax(high, list[i].most);
  if (n) {
    struct scale s = scale_of(low, high);
    metric_name(m, name);
    snprintf(title, sizeof title, "%s against %s", name, parameter);
    begin(t, title);
    y_axis(t, &s);
    for (size_t k = 0; k < vs.n; k++) draw_value(t, list, n, m, &s, &vs, k);
    x_name(t, parameter);
    if (colour) legend(t, colour, &cs);
    end(t, r, title, m, &s);
  }
  free(list);
}

/* ---- fronts -------------------------------------------------------------------------------------------------- */

struct spot { double x, y; size_t row; };

static int compare_spot(const void *a, const void *b) {
  const struct spot *p = a, *q = b;
  if (p->x < q->x || p->x > q->x) return p->x < q->x ? -1 : 1;
  if (p->y < q->y || p->y > q->y) return p->y < q->y ? -1 : 1;
  return p->row < q->row ? -1 : p->row > q->row;
}

static struct spot *spots(const struct results *r, const struct metric *x, const struct metric *y, size_t *n) {
  struct spot *list = malloc((json_array_size(r->rows) + 1) * sizeof *list);
  size_t i;
  json_t *row;
  if (!list) abort();
  *n = 0;
  json_array_foreach(r->rows, i, row) {
    struct spot s = {metric_value(x, row), metric_value(y, row), i};
    if (!isnan(s.x) && !isnan(s.y)) list[(*n)++] = s;
  }
  qsort(list, *n, sizeof *list, compare_spot);
  return list;
}

size_t *front_of(const struct results *r, const struct metric *x, const struct metric *y, size_t *n) {
  size_t all;
  struct spot *list = spots(r, x, y, &all);
  size_t *front = malloc((all + 1) * sizeof *front);
  double best = INFINITY;
  if (!front) abort();
  *n = 0;
  for (size_t i = 0; i < all; i++)
    if (list[i].y < best) best = list[i].y, front[(*n)++] = list[i].row;
  free(list);
  return front;
}

static void x_axis(struct text *t, const struct scale *s, const char *name) {
  char tick[40];
  for (double v = s->from; v <= s->to + s->step / 2; v += s->step) {
    tick_text(v, s->step, tick);
    text_add(t, "<text x=\"%.1f\" y=\"%d\" class=\"m\">%s</text>\n", at_x(s, v), BOTTOM + 18, tick);
  }
  x_name(t, name);
}

void plot_front(struct text *t, const struct results *r, const struct metric *x, const struct metric *y, const size_t *front, size_t n) {
  char x_text[120], y_text[120], title[300];
  size_t all;
  struct spot *list = spots(r, x, y, &all);
  metric_name(x, x_text);
  metric_name(y, y_text);
  snprintf(title, sizeof title, "%s against %s", y_text, x_text);
  double low = INFINITY, high = -INFINITY;
  for (size_t i = 0; i < all; i++) low = fmin(low, list[i].y), high = fmax(high, list[i].y);
  struct scale sx = scale_of(list[0].x, list[all - 1].x), sy = scale_of(low, high);
  begin(t, title);
  y_axis(t, &sy);
  x_axis(t, &sx, x_text);
  for (size_t i = 0; i < all; i++) text_add(t, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"2.5\" class=\"dot\"/>\n", at_x(&sx, list[i].x), at_y(&sy, list[i].y));
  text_add(t, "<path class=\"front\" d=\"");
  for (size_t i = 0; i < n; i++) {
    const json_t *row = json_array_get(r->rows, front[i]);
    double px = at_x(&sx, metric_value(x, row)), py = at_y(&sy, metric_value(y, row));
    if (i) text_add(t, "H%.1fV%.1f", px, py); /* steps: between two points there is none */
    else text_add(t, "M%.1f %.1f", px, py);
  }
  text_add(t, "\"/>\n");
  for (size_t i = 0; i < n; i++) {
    const json_t *row = json_array_get(r->rows, front[i]);
    struct text name = {0};
    row_text(row, &name);
    text_add(t, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" class=\"c0\"><title>", at_x(&sx, metric_value(x, row)), at_y(&sy, metric_value(y, row)));
    html(t, name.s ? name.s : "");
    text_add(t, "</title></circle>\n");
    text_free(&name);
  }
  end(t, r, title, y, &sy);
  free(list);
}
