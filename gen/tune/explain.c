/* SPDX-License-Identifier: Apache-2.0 */
/* explain.c: why a configuration was chosen, in five lines; the same as JSON. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "tune/tune.h"

enum { SCHEMA = 2, SENTENCES = 5 };

/* ---- figures ------------------------------------------------------------------------------------------------- */

static const char *figure_name(const struct tune *t, int f) {
  return f == TUNE_LUT ? t->lut_name : f == TUNE_RAM ? "RAM bits" : "MHz";
}

static void add_figure(const struct tune *t, struct text *to, int f, double v) {
  text_add(to, "%.*f %s", f == TUNE_FMAX ? 1 : 0, v, figure_name(t, f));
}

/* "NAME=8 OTHER=2 (2300 LUT4, 165888 RAM bits, 94.3 MHz)" */
static void add_point(const struct tune *t, struct text *to, size_t point) {
  const struct tune_point *p = &t->point[point];
  const char *before = " (";
  sweep_point_text(t->run->sweep, point, to);
  for (int f = 0; f < TUNE_FIGURES && p->measured; f++) {
    if (isnan(p->figure[f])) continue;
    text_add(to, "%s", before);
    add_figure(t, to, f, p->figure[f]);
    before = ", ";
  }
  if (*before == ',') text_add(to, ")");
}

static void add_limits(const struct tune *t, struct text *to) {
  for (int f = 0; f < TUNE_FIGURES; f++) {
    if (isnan(t->limit[f])) continue;
    text_add(to, ", at %s ", f == TUNE_FMAX ? "least" : "most");
    add_figure(t, to, f, t->limit[f]);
  }
}

/* Cycles of a point by workload. */
static json_t *cycles_of(const struct tune *t, size_t point) {
  const struct sweep *s = t->run->sweep;
  struct simt_diag unused = {0};
  json_t *cycles = json_object(), *row = sweep_row(t->run, point, NULL, &unused);
  for (size_t w = 0; w < s->n_workloads; w++) {
    const char *name = s->workload[w].name;
    json_object_set(cycles, name, json_object_get(json_object_get(json_object_get(row, "workloads"), name), "cycles"));
  }
  json_decref(row);
  return cycles;
}

static double cycles_on(const struct tune *t, size_t point, size_t w) { return t->cycles[point * t->n_workloads + w]; }
static const char *workload(const struct tune *t, size_t w) { return t->run->sweep->workload[w].name; }
static const char *within_limits(const struct tune *t) { return tune_has_limits(t) ? " within the limits" : ""; }

/* Percent above the fewest of the workload. */
static double more_on(const struct tune *t, size_t point, size_t w) { return 100 * (cycles_on(t, point, w) / t->fewest[w] - 1); }

static void add_cycles(const struct tune *t, struct text *to, size_t point) {
  for (size_t w = 0; w < t->n_workloads; w++) text_add(to, "%s%.0f on %s", w ? ", " : "", cycles_on(t, point, w), workload(t, w));
}

/* "0.41 %", or for several workloads "0.41 % on a, 0.00 % on b" */
static void add_more(const struct tune *t, struct text *to, size_t point) {
  for (size_t w = 0; w < t->n_workloads; w++) {
    text_add(to, "%s%.2f %%", w ? ", " : "", more_on(t, point, w));
    if (t->n_workloads > 1) text_add(to, " on %s", workload(t, w));
  }
}

/* Of those that meet the limits, or may, the fastest on a workload: the one that the percentage is about. */
static size_t fastest(const struct tune *t, size_t w) {
  size_t found = t->chosen;
  for (size_t i = 0; i < t->n_points; i++) {
    const struct tune_point *p = &t->point[i];
    double cycles = cycles_on(t, i, w), best = cycles_on(t, found, w);
    if (!p->simulated || !tune_possible(t, p)) continue;
    if (cycles < best || (cycles <= best && p->measured && !t->point[found].measured)) found = i;
  }
  return found;
}

struct left_out { size_t slow, outside, dear, without_cycles; };

/* Why the points that were not synthesized were not. */
static struct left_out count_left_out(const struct tune *t) {
  struct left_out n = {0};
  for (size_t i = 0; i < t->n_points; i++) {
    const struct tune_point *p = &t->point[i];
    if (!p->simulated) n.without_cycles++;
    else if (p->measured) continue;
    else if (!tune_possible(t, p)) n.outside++;
    else if (!tune_is_fast(t, p)) n.slow++;
    else n.dear++;
  }
  return n;
}

/* ---- five lines ---------------------------------------------------------------------------------------------- */

static void explain_cycles(const struct tune *t, struct text *to) {
  text_add(to, "It takes ");
  for (size_t w = 0; w < t->n_workloads; w++) {
    double more = more_on(t, t->chosen, w);
    text_add(to, "%s%.0f on %s", w ? "; " : "", cycles_on(t, t->chosen, w), workload(t, w));
    if (more < 1e-9) text_add(to, ": none%s takes fewer", within_limits(t));
    else text_add(to, ": %.2f %% more than the fewest%s, %.0f", more, within_limits(t), t->fewest[w]);
  }
  text_add(to, ".");
}

static void add_price(const struct tune *t, struct text *to, size_t fast) {
  const struct tune_point *p = &t->point[fast];
  double own = t->point[t->chosen].figure[t->cost];
  add_point(t, to, fast);
  if (p->measured && own > 0) text_add(to, ": %+.1f %% %s", 100 * (p->figure[t->cost] / own - 1), figure_name(t, (int)t->cost));
  else if (!p->measured && !(p->low[t->cost] > 0)) text_add(to, ", not synthesized");
  else if (!p->measured) text_add(to, ", not synthesized: at least %.0f %s are expected", p->low[t->cost], figure_name(t, (int)t->cost));
}

/* Each fastest once, with the workloads on which it is. */
static void explain_price(const struct tune *t, struct text *to) {
  size_t fast[SWEEP_WORKLOADS] = {0};
  bool alone = true;
  for (size_t w = 0; w < t->n_workloads; w++) fast[w] = fastest(t, w), alone &= fast[w] == fast[0];
  if (alone && fast[0] == t->chosen) text_add(to, "It is the fastest itself");
  for (size_t w = 0; w < t->n_workloads; w++) {
    size_t k = 0;
    while (fast[k] != fast[w]) k++;
    if (k < w || (alone && fast[w] == t->chosen)) continue;
    text_add(to, w ? "; the fastest" : "The fastest");
    for (size_t i = w, n = 0; i < t->n_workloads && !alone; i++)
      if (fast[i] == fast[w]) text_add(to, "%s%s", n++ ? ", " : " on ", workload(t, i));
    text_add(to, " is ");
    if (fast[w] == t->chosen) text_add(to, "it itself");
    else add_price(t, to, fast[w]);
  }
  text_add(to, ".");
}

/* Of those that cost less the fastest, and what is wrong with it. */
static void explain_cheaper(const struct tune *t, struct text *to) {
  const struct tune_point *own = &t->point[t->chosen];
  size_t found = t->n_points;
  for (size_t i = 0; i < t->n_points; i++) {
    const struct tune_point *p = &t->point[i];
    if (!p->measured || !(p->figure[t->cost] < own->figure[t->cost])) continue;
    if (found == t->n_points || p->score < t->point[found].score) found = i;
  }
  if (found == t->n_points) {
    text_add(to, "None that was synthesized is cheaper.");
    return;
  }
  const struct tune_point *p = &t->point[found];
  text_add(to, "Cheaper, but ");
  if (p->meets) text_add(to, "slower than the fastest by "), add_more(t, to, found), text_add(to, ": ");
  else text_add(to, "outside the limits: ");
  add_point(t, to, found);
  text_add(to, ".");
}

static void explain_effort(const struct tune *t, struct text *to) {
  struct left_out n = count_left_out(t);
  text_add(to, "%zu of %zu points were synthesized", t->n_measured, t->n_points);
  const char *before = "; of the others ";
  const struct { size_t n; const char *why; } list[] = {
    {n.slow, "are too slow"}, {n.dear, "are expected to cost as much or more"}, {n.outside, "are expected outside the limits"},
    {n.without_cycles, "do not run the workload"}};
  for (size_t i = 0; i < sizeof list / sizeof *list; i++) {
    if (!list[i].n) continue;
    text_add(to, "%s%zu %s", before, list[i].n, list[i].why);
    before = ", ";
  }
  text_add(to, "; what was expected was wrong by at most %.1f %%.", 100 * t->worst_guess);
}

static void explain(const struct tune *t, struct text line[SENTENCES]) {
  text_add(&line[0], "Chosen: ");
  add_point(t, &line[0], t->chosen);
  text_add(&line[0], ".");
  explain_cycles(t, &line[1]);
  explain_price(t, &line[2]);
  explain_cheaper(t, &line[3]);
  explain_effort(t, &line[4]);
}

/* The command that generates it. */
static void add_command(const struct tune *t, struct text *to) {
  struct simt_config cfg;
  struct simt_diag unused = {0};
  if (sweep_config(t->run->sweep, t->chosen, &cfg, &unused)) config_command(to, "gen", &cfg);
  simt_config_free(&cfg);
  text_add(to, " -o DIR");
}

void tune_print_text(const struct tune *t) {
  struct text line[SENTENCES] = {{0}}, head = {0}, command = {0};
  explain(t, line);
  text_add(&head, "%s on %s: the fewest %s with cycles within %g %% of the best%s", t->run->sweep->base.block->name, t->target_name,
           figure_name(t, (int)t->cost), t->percent, t->n_workloads > 1 ? " on each workload" : "");
  add_limits(t, &head);
  add_command(t, &command);
  printf("%s\n\n", head.s);
  for (int i = 0; i < SENTENCES; i++) {
    printf("  %s\n", line[i].s);
    text_free(&line[i]);
  }
  if (!t->o->quiet) printf("\n%s\nresults: %s/results.jsonl and .csv; as a page: simtgen report %s -o DIR\n", command.s, t->run->folder, t->run->folder);
  text_free(&head);
  text_free(&command);
}

/* ---- JSON ---------------------------------------------------------------------------------------------------- */

static const char *const keys[TUNE_FIGURES] = {"lut", "ram_bits", "fmax_mhz"};

static json_t *figures_json(const double *figure) {
  json_t *v = json_object();
  for (int f = 0; f < TUNE_FIGURES; f++)
    if (!isnan(figure[f])) json_object_set_new(v, keys[f], f == TUNE_FMAX ? json_real(figure[f]) : json_integer(llround(figure[f])));
  return v;
}

static json_t *more_json(const struct tune *t, size_t point) {
  json_t *v = json_object();
  for (size_t w = 0; w < t->n_workloads; w++) json_object_set_new(v, workload(t, w), json_real(more_on(t, point, w)));
  return v;
}

static json_t *point_json(const struct tune *t, size_t point) {
  const struct tune_point *p = &t->point[point];
  struct simt_diag unused = {0};
  json_t *row = sweep_row(t->run, point, NULL, &unused);
  json_t *v = json_pack("{si sO sO so so sb}", "point", (int)point + 1, "params", json_object_get(row, "params"), "configuration",
                        json_object_get(row, "configuration"), "cycles", cycles_of(t, point), "slower_percent",
                        more_json(t, point), "synthesized", (int)p->measured);
  if (p->measured) json_object_set_new(v, "figures", figures_json(p->figure));
  if (p->measured) json_object_set_new(v, "meets_limits", json_boolean(p->meets));
  json_decref(row);
  return v;
}

void tune_print_json(const struct tune *t) {
  struct text line[SENTENCES] = {{0}}, command = {0};
  struct left_out n = count_left_out(t);
  json_t *lines = json_array(), *measured = json_array(), *fast = json_object();
  explain(t, line);
  add_command(t, &command);
  for (int i = 0; i < SENTENCES; i++) {
    json_array_append_new(lines, json_string(line[i].s));
    text_free(&line[i]);
  }
  for (size_t i = 0; i < t->n_points; i++)
    if (t->point[i].measured) json_array_append_new(measured, point_json(t, i));
  for (size_t w = 0; w < t->n_workloads; w++) json_object_set_new(fast, workload(t, w), point_json(t, fastest(t, w)));
  json_t *v = json_pack("{si ss ss ss sf so ss ss so so s{si si si si si si si} sf so so}", "schema", SCHEMA, "version", SIMT_VERSION,
    "block", t->run->sweep->base.block->name, "target", t->target_name, "within_percent", t->percent, "limits",
    figures_json(t->limit), "cost", keys[t->cost], "command", command.s, "chosen", point_json(t, t->chosen), "fastest",
    fast, "points", "all", (int)t->n_points, "simulated", (int)t->n_simulated, "synthesized",
    (int)t->n_measured, "too_slow", (int)n.slow, "expected_not_cheaper", (int)n.dear, "expected_outside_limits", (int)n.outside,
    "without_cycles", (int)n.without_cycles, "worst_guess_percent", 100 * t->worst_guess, "explanation", lines, "synthesized", measured);
  json_dumpf(v, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
  putchar('\n');
  json_decref(v);
  text_free(&command);
}

/* ---- none ---------------------------------------------------------------------------------------------------- */

/* The least (of a frequency the most) that was seen. */
static double extreme(const struct tune *t, int f) {
  double best = NAN;
  for (size_t i = 0; i < t->n_points; i++) {
    double v = t->point[i].measured ? t->point[i].figure[f] : NAN;
    best = f == TUNE_FMAX ? fmax(best, v) : fmin(best, v);
  }
  return best;
}

static void refuse_limits(const struct tune *t, struct simt_diag *diag) {
  struct text seen = {0}, limits = {0};
  add_limits(t, &limits);
  for (int f = 0; f < TUNE_FIGURES; f++) {
    if (isnan(extreme(t, f))) continue;
    text_add(&seen, "%s%s ", seen.len ? ", " : "", f == TUNE_FMAX ? "at most" : "at least");
    add_figure(t, &seen, f, extreme(t, f));
  }
  simt_fail(diag, "limits", limits.len ? limits.s + 2 : "none", "a configuration of the file that meets them; of %zu synthesized each has %s",
            t->n_measured, seen.len ? seen.s : "failed");
  snprintf(diag->hint, sizeof diag->hint, "%s", seen.len ? "raise the limits, or widen the grid" : "simtgen sweep of the same file shows the reasons");
  text_free(&seen);
  text_free(&limits);
}

/* Some meet the limits, and each is too slow on a workload. */
static void refuse_percent(const struct tune *t, struct simt_diag *diag) {
  char got[40];
  snprintf(got, sizeof got, "%g %%", t->percent);
  simt_fail(diag, "--within", got, "a configuration%s whose cycles are within it of the fewest on each of %zu workloads", within_limits(t), t->n_workloads);
  snprintf(diag->hint, sizeof diag->hint, "the nearest needs --within %.2f", ceil(1e4 * (t->point[t->nearest].score - 1)) / 100);
}

void tune_refuse(const struct tune *t, struct simt_diag *diag) {
  if (!t->n_simulated) {
    simt_fail(diag, "workloads", "no point that runs them", "cycles of at least one point");
    snprintf(diag->hint, sizeof diag->hint, "simtgen sweep of the same file shows the reason of each point");
  } else if (t->nearest < t->n_points && t->point[t->nearest].meets) {
    refuse_percent(t, diag);
  } else {
    refuse_limits(t, diag);
  }
}

/* The figure that stands in the way of a point: the one that is furthest from its limit, else the cost. */
static int obstacle(const struct tune *t, const struct tune_point *p) {
  int worst = (int)t->cost;
  double most = 1;
  for (int f = 0; f < TUNE_FIGURES; f++) {
    double ratio = f == TUNE_FMAX ? t->limit[f] / p->figure[f] : p->figure[f] / fmax(t->limit[f], 1);
    if (!isnan(t->limit[f]) && ratio > most) worst = f, most = ratio;
  }
  return worst;
}

/* Do two points differ in this parameter and in no other? */
static bool differ_in(const struct sweep *s, size_t a, size_t b, size_t axis) {
  const uint16_t *x = &s->choice[a * SIMT_MAX_PARAMS], *y = &s->choice[b * SIMT_MAX_PARAMS];
  for (size_t i = 0; i < s->n_axes; i++)
    if ((x[i] != y[i]) != (i == axis)) return false;
  return true;
}

/* Measured or, behind "about", expected; NAN: neither. */
static double figure_of(const struct tune *t, size_t point, int f, const char **about) {
  double mean, deviation;
  *about = t->point[point].measured ? "" : "about ";
  if (t->point[point].measured) return t->point[point].figure[f];
  if (!t->model[f].n || !t->point[point].simulated) return NAN;
  surrogate_at(&t->model[f], point, &mean, &deviation);
  return exp(mean) - 1;
}

/* What the figure is at the values of one parameter, the others as in `from`; returns its largest ratio. */
static double figures_along(const struct tune *t, size_t from, size_t axis, int f, struct text *to) {
  const struct sweep *s = t->run->sweep;
  double least = NAN, most = NAN;
  for (size_t i = 0; i < t->n_points; i++) {
    const char *about;
    double v = i == from || differ_in(s, i, from, axis) ? figure_of(t, i, f, &about) : NAN;
    if (isnan(v)) continue;
    uint16_t choice = s->choice[i * SIMT_MAX_PARAMS + axis];
    least = fmin(least, v), most = fmax(most, v);
    text_add(to, "%s%s%.*f at %s", to->len ? ", " : "", about, f == TUNE_FMAX ? 1 : 0, v,
             choice == SWEEP_NOT_SET ? "its default" : s->axis[axis].value[choice]);
  }
  return least > 0 ? most / least : 1;
}

static void print_mover(const struct tune *t, int f) {
  const struct sweep *s = t->run->sweep;
  struct text best = {0};
  double most = 1;
  size_t axis = s->n_axes;
  for (size_t a = 0; a < s->n_axes; a++) {
    struct text list = {0};
    double ratio = figures_along(t, t->nearest, a, f, &list);
    if (ratio > most) {
      text_free(&best);
      best = list, most = ratio, axis = a;
    } else {
      text_free(&list);
    }
  }
  if (axis < s->n_axes)
    message_note("%s moves its %s the most: %s", s->base.param[s->axis[axis].param]->name, figure_name(t, f), best.s);
  text_free(&best);
}

void tune_print_nearest(const struct tune *t) {
  struct text line = {0};
  if (t->nearest == t->n_points) return;
  const struct tune_point *p = &t->point[t->nearest];
  add_point(t, &line, t->nearest);
  text_add(&line, "; it takes ");
  add_cycles(t, &line, t->nearest);
  if (p->meets) text_add(&line, ", more than the fewest by "), add_more(t, &line, t->nearest);
  message_note("nearest: %s", line.s);
  print_mover(t, obstacle(t, p));
  text_free(&line);
}
