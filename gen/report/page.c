/* SPDX-License-Identifier: Apache-2.0 */
/* page.c: the results of a sweep as one page that needs nothing beside it: no script, no font, no picture, no network. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

enum { MOST_ROWS = 1000, MOST_REASONS = 100, MOST_POINTS_SHOWN = 12,
       POINT_WIDTH = 84 /* characters of a row, of 110 that a wide window has */ };

static const char style[] =
  ":root{--ink:#1c2026;--soft:#5b6470;--line:#d9dde3;--page:#fff;--card:#f6f7f9;--bad:#b3261e;--good:#1b7f4b;"
  "--c0:#2563c9;--c1:#d9730d;--c2:#168a5b;--c3:#a3358f;--c4:#8a6d00;--c5:#5b6470}\n"
  "@media(prefers-color-scheme:dark){:root{--ink:#e7eaee;--soft:#a2abb8;--line:#3a414b;--page:#15181c;--card:#1f242a;--bad:#ff8a80;"
  "--good:#6fd3a0;--c0:#78a9ff;--c1:#ffab5c;--c2:#5fd39c;--c3:#e58ad4;--c4:#d9c04a;--c5:#a2abb8}}\n"
  "body{margin:0 auto;max-width:80rem;padding:1rem;font:1rem/1.5 system-ui,sans-serif;color:var(--ink);background:var(--page)}\n"
  "h1{font-size:1.6rem;line-height:1.2;margin:.5rem 0}h2{font-size:1.2rem;margin:2rem 0 .5rem}p{max-width:46rem}\n"
  "nav a{display:inline-block;margin-right:1rem}a{color:var(--c0)}.soft{color:var(--soft)}.bad{color:var(--bad)}.good{color:var(--good)}\n"
  ".figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,24rem),1fr));gap:1rem;align-items:start}\n"
  "figure{margin:0;background:var(--card);border:1px solid var(--line);border-radius:.4rem;padding:.5rem}\n"
  ".pair{display:grid;grid-template-columns:minmax(min(100%,22rem),1fr) minmax(0,2fr);gap:1rem;align-items:start;margin-bottom:1rem}\n"
  "@media(max-width:60rem){.pair{grid-template-columns:minmax(0,1fr)}}\n"
  "@media(max-width:40rem){.pair td.t,.pair th.t:first-child{display:none}}\n" /* the command has the parameters, too */
  "code{font-size:.8rem;overflow-wrap:anywhere}code span{display:inline-block}td.g{text-align:left;white-space:normal;min-width:14rem}\n"
  "figcaption{font-size:.85rem;color:var(--soft)}svg{display:block;width:100%;height:auto}\n"
  "svg text{font:12px system-ui,sans-serif;fill:var(--ink)}.r{text-anchor:end}.m{text-anchor:middle}\n"
  ".grid{stroke:var(--line);fill:none}.bar{stroke-width:2;fill:none;opacity:.6}.box{fill:var(--c0);opacity:.35}.mid{stroke:var(--c0);stroke-width:2}\n"
  ".dot{fill:var(--soft);opacity:.45}.front{stroke:var(--c0);stroke-width:1.5;fill:none}\n"
  ".c0{fill:var(--c0);stroke:var(--c0)}.c1{fill:var(--c1);stroke:var(--c1)}.c2{fill:var(--c2);stroke:var(--c2)}"
  ".c3{fill:var(--c3);stroke:var(--c3)}.c4{fill:var(--c4);stroke:var(--c4)}.c5{fill:var(--c5);stroke:var(--c5)}\n"
  ".wide{overflow-x:auto;border:1px solid var(--line);border-radius:.4rem;max-height:40rem;overflow-y:auto}\n"
  "table{width:100%;border-collapse:collapse;font-size:.85rem;font-variant-numeric:tabular-nums}th,td{padding:.2rem .6rem;text-align:right;white-space:nowrap}\n"
  "th{position:sticky;top:0;white-space:normal;background:var(--card)}tr+tr td{border-top:1px solid var(--line)}td.t{text-align:left;white-space:normal;min-width:9rem}th.t{text-align:left}.same::first-letter{text-transform:uppercase}\n";

/* ---- parts --------------------------------------------------------------------------------------------------- */

static const char *header_text(const struct results *r, const char *key) {
  const char *s = json_string_value(json_object_get(r->header, key));
  return s ? s : "";
}

/* The name of a target or workload in the header. */
static const char *task_name(const json_t *v) { return json_string_value(json_is_object(v) ? json_object_get(v, "name") : v); }

/* Why a result that the sweep is about is not there; NULL when it is. */
static const char *why_missing(const json_t *entry) {
  const char *failed = json_string_value(json_object_get(entry, "failed")), *note;
  size_t i;
  json_t *seed;
  if (!entry) return "not run";
  if (failed || !json_object_get(entry, "fill") || json_is_number(json_object_get(json_object_get(entry, "fmax_mhz"), "median"))) return failed;
  json_array_foreach(json_object_get(entry, "seeds"), i, seed) {
    note = json_string_value(json_object_get(seed, "note"));
    if (note && *note) return note;
  }
  return json_is_false(json_object_get(entry, "fits")) ? "synthesized, but not placed: it does not fit the device" : "synthesized, but not placed";
}

/* Calls `missing` for each result that is not there. */
typedef void missing_result(void *ctx, const char *task, const char *why, const json_t *row);
static void each_missing(const struct results *r, missing_result *missing, void *ctx) {
  static const char *const kinds[] = {"targets", "workloads"};
  size_t i, j;
  json_t *row, *v;
  for (size_t k = 0; k < 2; k++)
    json_array_foreach(json_object_get(r->header, kinds[k]), j, v)
      json_array_foreach(r->rows, i, row) {
        const char *name = task_name(v), *why = why_missing(json_object_get(json_object_get(row, kinds[k]), name));
        if (why) missing(ctx, name, why, row);
      }
}

static void count_missing(void *ctx, const char *task, const char *why, const json_t *row) {
  (void)task, (void)why, (void)row;
  ++*(size_t *)ctx;
}

/* What every result of a target says alike: tools and flow of the first. */
static void add_tools(struct text *t, const struct results *r) {
  size_t i, k;
  json_t *target, *row;
  json_array_foreach(json_object_get(r->header, "targets"), i, target) {
    const char *name = json_string_value(target), *tool;
    json_array_foreach(r->rows, k, row) {
      json_t *entry = json_object_get(json_object_get(row, "targets"), name), *tools = json_object_get(entry, "tools"), *v;
      if (!tools) continue;
      text_add(t, "<br>");
      html(t, name);
      json_object_foreach(tools, tool, v) {
        if (!json_is_string(v) || !strcmp(tool, "simtgen")) continue; /* that stands before */
        text_add(t, ", ");
        html(t, json_string_value(v));
      }
      if (!json_object_get(entry, "fill") && !json_is_object(json_object_get(entry, "fmax_mhz")))
        text_add(t, ": synthesized, not placed, so that there is no frequency");
      break;
    }
  }
}

/* How each workload was run. */
static void add_workloads(struct text *t, const struct results *r) {
  size_t i;
  json_t *v;
  json_array_foreach(json_object_get(r->header, "workloads"), i, v) {
    struct text how = {0};
    workload_text(r, task_name(v), true, &how);
    text_add(t, "<br>");
    html(t, task_name(v));
    if (how.len) text_add(t, ": "), html(t, how.s);
    text_free(&how);
  }
}

static void add_head(struct text *t, const struct results *r, bool compared, const struct age *age) {
  size_t missing = 0, refused = (size_t)json_integer_value(json_object_get(r->header, "refused"));
  each_missing(r, count_missing, &missing);
  text_add(t, "<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n<meta name=\"viewport\" content=\"width=device-width,initial-scale=1\">\n"
           "<link rel=\"icon\" href=\"data:,\">\n<title>");
  html(t, header_text(r, "sweep"));
  text_add(t, ": sweep of %s</title>\n<style>\n%s</style></head><body>\n<h1>", header_text(r, "block"), style);
  html(t, header_text(r, "sweep"));
  text_add(t, "</h1>\n<p>%zu configurations of %s", json_array_size(r->rows), header_text(r, "block"));
  if (refused) text_add(t, " (%zu more are refused by the block)", refused);
  if (missing) text_add(t, ", <a class=\"bad\" href=\"#missing\">%zu result%s not measured</a>", missing, missing == 1 ? " is" : "s are");
  text_add(t, ".</p>\n<p class=\"soft\">simtgen %s", header_text(r, "version"));
  add_tools(t, r);
  add_workloads(t, r);
  text_add(t, "</p>\n");
  if (age->other || age->unknown) text_add(t, "<p class=\"%s\">", age->other ? "bad" : "soft"), age_text(age, t), text_add(t, ".</p>\n");
  text_add(t, "<nav>%s<a href=\"#fronts\">Fronts</a><a href=\"#parameters\">Parameters</a><a href=\"#points\">Points</a>"
           "<a href=\"results.csv\">CSV</a><a href=\"results.json\">JSON</a></nav>\n", compared ? "<a href=\"#against\">Comparison</a>" : "");
}

/* ---- fronts -------------------------------------------------------------------------------------------------- */

static void add_values(struct text *t, json_t *params) {
  const char *name;
  json_t *v;
  json_object_foreach(params, name, v) {
    if (json_is_string(v)) text_add(t, " -p %s=%s", name, json_string_value(v));
    else text_add(t, " -p %s=%" JSON_INTEGER_FORMAT, name, json_integer_value(v));
  }
}

/* A command breaks between its options only. */
static void add_code(struct text *t, const char *command) {
  text_add(t, "<code>");
  for (const char *next; command; command = next) {
    struct text piece = {0};
    next = strstr(command, " -");
    text_add_bytes(&piece, command, next ? (size_t)(next - command) : strlen(command));
    text_add(t, "<span>");
    html(t, piece.s);
    text_add(t, "</span>%s", next ? " " : "");
    text_free(&piece);
    if (next) next++;
  }
  text_add(t, "</code>");
}

/* Results of before 0.3.0 have no command, but all values that the sweep has set; of lists of records they say nothing. */
static void add_command(struct text *t, const struct results *r, const json_t *row) {
  const char *command = json_string_value(json_object_get(row, "generate")), *name = header_text(r, "block");
  const struct simt_block *block = NULL;
  struct simt_diag unused = {0};
  struct text made = {0};
  if (command) text_add(&made, "%s", command);
  else if (config_find_block(name, &block, &unused) && !block->lists) {
    text_add(&made, "simtgen gen %s", name);
    add_values(&made, json_object_get(r->header, "common"));
    add_values(&made, json_object_get(row, "params"));
  }
  text_add(t, "<td class=\"g\">");
  if (made.len) text_add(&made, " -o DIR"), add_code(t, made.s);
  else text_add(t, "<span class=\"soft\">not in these results, which are of an earlier version</span>");
  text_add(t, "</td>");
  text_free(&made);
}

static void add_front_table(struct text *t, const struct results *r, const struct metric *x, const struct metric *y,
                            const size_t *front, size_t n) {
  char name[120], number[40];
  text_add(t, "<div class=\"wide\"><table><tr><th class=\"t\">On the front</th>");
  metric_name(x, name);
  text_add(t, "<th>");
  html(t, name);
  metric_name(y, name);
  text_add(t, "</th><th>");
  html(t, name);
  text_add(t, "</th><th class=\"t\">To generate it</th></tr>\n");
  for (size_t i = 0; i < n && i < MOST_ROWS; i++) {
    const json_t *row = json_array_get(r->rows, front[i]);
    struct text point = {0};
    row_text(row, &point);
    text_add(t, "<tr><td class=\"t\">");
    html(t, point.s ? point.s : "");
    metric_text(x, metric_value(x, row), number);
    text_add(t, "</td><td>%s</td>", number);
    metric_text(y, metric_value(y, row), number);
    text_add(t, "<td>%s</td>", number);
    add_command(t, r, row);
    text_add(t, "</tr>\n");
    text_free(&point);
  }
  text_add(t, "</table></div>\n");
}

static void add_fronts(struct text *t, const struct results *r, const struct metric *list, size_t n) {
  bool any = false;
  text_add(t, "<h2 id=\"fronts\">Area against cycles</h2>\n");
  for (size_t y = 0; y < n; y++)
    for (size_t x = 0; x < n; x++) {
      size_t on = 0;
      if (list[y].kind != METRIC_CYCLES || list[x].kind != METRIC_AREA) continue;
      size_t *front = front_of(r, &list[x], &list[y], &on);
      if (on) {
        if (!any) text_add(t, "<p>A point on the front takes fewer cycles than every smaller one; the others are grey.</p>\n");
        any = true;
        text_add(t, "<div class=\"pair\">");
        plot_front(t, r, &list[x], &list[y], front, on);
        add_front_table(t, r, &list[x], &list[y], front, on);
        text_add(t, "</div>\n");
      }
      free(front);
    }
  if (!any) text_add(t, "<p>There is no front: no point has both an area and the cycles of a workload.</p>\n");
}

static void add_parameters(struct text *t, const struct results *r, const struct metric *list, size_t n) {
  size_t i;
  json_t *v;
  text_add(t, "<h2 id=\"parameters\">Against each parameter</h2>\n");
  if (!n) {
    text_add(t, "<p>Nothing was measured.</p>\n");
    return;
  }
  text_add(t, "<p>A bar beside a frequency goes from the slowest to the fastest seed of place and "
           "route, its dot is the median. In a large sweep a bar goes over all points with this value, the box is their middle half.</p>\n");
  json_array_foreach(json_object_get(r->header, "swept"), i, v) {
    text_add(t, "<h3>");
    html(t, json_string_value(v));
    text_add(t, "</h3>\n<div class=\"figures\">\n");
    for (size_t m = 0; m < n; m++) plot_parameter(t, r, json_string_value(v), &list[m]);
    text_add(t, "</div>\n");
  }
}

/* ---- what is missing ------------------------------------------------------------------------------------------- */

struct failure { const char *task, *why; struct text points; size_t n; };

struct failures { struct failure list[MOST_REASONS]; size_t n; };

static void add_failure(void *ctx, const char *task, const char *why, const json_t *row) {
  struct failures *all = ctx;
  struct failure *list = all->list;
  size_t i = 0;
  while (i < all->n && (strcmp(list[i].why, why) || strcmp(list[i].task, task))) i++;
  if (i == MOST_REASONS) i--; /* the rest is in results.csv */
  else if (i == all->n) list[all->n++] = (struct failure){.task = task, .why = why};
  if (list[i].n++ >= MOST_POINTS_SHOWN) return;
  if (list[i].n > 1) text_add(&list[i].points, "; ");
  row_text(row, &list[i].points);
}

static void add_failures(struct text *t, const struct results *r) {
  struct failures *all = calloc(1, sizeof *all);
  if (!all) abort();
  each_missing(r, add_failure, all);
  if (all->n) text_add(t, "<h2 id=\"missing\">Not measured</h2>\n<div class=\"wide\"><table><tr><th>Results</th><th>Of</th><th class=\"t\">Reason</th><th class=\"t\">Points</th></tr>\n");
  for (size_t i = 0; i < all->n; i++) {
    struct failure *f = &all->list[i];
    text_add(t, "<tr><td>%zu</td><td>", f->n);
    html(t, f->task);
    text_add(t, "</td><td class=\"t bad\">");
    html(t, f->why);
    text_add(t, "</td><td class=\"t\">");
    html(t, f->points.s ? f->points.s : "");
    text_add(t, "%s</td></tr>\n", f->n > MOST_POINTS_SHOWN ? "; ..." : "");
    text_free(&f->points);
  }
  if (all->n) text_add(t, "</table></div>\n");
  free(all);
}

/* ---- all points ---------------------------------------------------------------------------------------------- */

/* A name of a column, which may break where its words meet. */
static void add_name(struct text *t, const char *name) {
  for (size_t n; *name; name += n) {
    char piece[200];
    n = strcspn(name, "._");
    n += name[n] != 0;
    snprintf(piece, sizeof piece, "%.*s", (int)n, name);
    html(t, piece);
    if (name[n]) text_add(t, "<wbr>");
  }
}

static void add_row(struct text *t, const struct results *r, const struct sweep_table *table, const json_t *row, size_t number, const size_t *shown, size_t n) {
  text_add(t, "<tr><td>%zu</td>", number);
  for (size_t c = 0; c < n; c++) {
    struct text cell = {0};
    sweep_cell_text(row, &table->column[shown[c]], &cell);
    text_add(t, "<td>");
    html(t, cell.len ? cell.s : "-");
    text_add(t, "</td>");
    text_free(&cell);
  }
  add_command(t, r, row);
  text_add(t, "</tr>\n");
}

/* As many columns as a wide window shows beside the command. */
static void add_points(struct text *t, const struct results *r) {
  struct sweep_table table;
  struct text same = {0};
  size_t i, all, n = json_array_size(r->rows);
  json_t *row;
  sweep_table_make(&table, r->rows);
  size_t *shown = malloc((table.n + 1) * sizeof *shown);
  if (!shown) abort();
  size_t columns = sweep_fitting(&table, POINT_WIDTH, true, shown, &all);
  sweep_same(&table, &same);
  text_add(t, "<h2 id=\"points\">All points</h2>\n");
  if (n > MOST_ROWS) text_add(t, "<p>The first %d of %zu; all are in <a href=\"results.csv\">results.csv</a>.</p>\n", MOST_ROWS, n);
  if (same.len) text_add(t, "<p class=\"soft same\">"), html(t, same.s), text_add(t, "</p>\n");
  if (columns < all) text_add(t, "<p class=\"soft\">%zu more columns are in <a href=\"results.csv\">results.csv</a>.</p>\n", all - columns);
  text_add(t, "<div class=\"wide\"><table><tr><th>Point</th>");
  for (size_t c = 0; c < columns; c++) text_add(t, "<th>"), add_name(t, table.column[shown[c]].name), text_add(t, "</th>");
  text_add(t, "<th class=\"t\">To generate it</th></tr>\n");
  json_array_foreach(r->rows, i, row) {
    if (i == MOST_ROWS) break;
    add_row(t, r, &table, row, i + 1, shown, columns);
  }
  text_add(t, "</table></div>\n");
  text_free(&same);
  free(shown);
  sweep_table_free(&table);
}

void page_write(struct text *t, const struct results *r, const struct results *old, const struct age *age) {
  struct metric list[REPORT_METRICS];
  size_t n = metrics_find(r, list);
  add_head(t, r, old, age);
  if (old) against_write(t, NULL, r, old);
  add_fronts(t, r, list, n);
  add_parameters(t, r, list, n);
  add_failures(t, r);
  add_points(t, r);
  text_add(t, "</body></html>\n");
}
