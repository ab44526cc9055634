/* SPDX-License-Identifier: Apache-2.0 */
/* columns.c: rows of results as a table, for people and for spreadsheets. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "sweep/sweep.h"

enum { TEXT_WIDTH = 110, MOST_REASONS = 8 };

/* ---- which columns there are --------------------------------------------------------------------------------- */

static void add_column(struct sweep_table *t, const char *name, const char *a, const char *b, const char *c, const char *d) {
  for (size_t i = 0; i < t->n; i++)
    if (!strcmp(t->column[i].name, name)) return;
  if (!(t->n & (t->n - 1))) {
    t->column = realloc(t->column, (t->n ? 2 * t->n : 1) * sizeof *t->column);
    if (!t->column) abort();
  }
  struct sweep_column *to = &t->column[t->n++];
  *to = (struct sweep_column){.path = {a, b, c, d}};
  snprintf(to->name, sizeof to->name, "%s", name);
}

/* Numbers and texts of a task; of synthesis the resources and frequencies stand a level deeper. */
static void add_task(struct sweep_table *t, const char *kind, const char *task, json_t *entry) {
  char name[sizeof t->column->name];
  const char *key, *inner;
  json_t *v, *w;
  json_object_foreach(entry, key, v) {
    if (json_is_array(v) || !strcmp(key, "tools") || !strcmp(key, "flow") || !strcmp(key, "command") ||
        !strcmp(key, "configuration") || !strcmp(key, "verilog") || !strcmp(key, "library_sha256") || json_is_null(v))
      continue;
    snprintf(name, sizeof name, "%.60s.%.90s", task, key);
    if (!json_is_object(v)) {
      add_column(t, name, kind, task, key, NULL);
      continue;
    }
    json_object_foreach(v, inner, w) {
      snprintf(name, sizeof name, "%.60s.%s%.80s", task, strcmp(key, "fmax_mhz") ? "" : "fmax_", inner);
      if (!json_is_object(w) && !json_is_array(w)) add_column(t, name, kind, task, key, inner);
    }
  }
}

void sweep_table_make(struct sweep_table *t, const json_t *rows) {
  static const char *const kinds[] = {"targets", "workloads"};
  size_t i;
  json_t *row, *v;
  const char *name;
  *t = (struct sweep_table){.rows = rows};
  json_array_foreach((json_t *)(uintptr_t)rows, i, row)
    json_object_foreach(json_object_get(row, "params"), name, v) add_column(t, name, "params", name, NULL, NULL);
  for (size_t k = 0; k < 2; k++)
    json_array_foreach((json_t *)(uintptr_t)rows, i, row)
      json_object_foreach(json_object_get(row, kinds[k]), name, v) add_task(t, kinds[k], name, v);
}

void sweep_table_free(struct sweep_table *t) {
  free(t->column);
  *t = (struct sweep_table){.n = 0};
}

json_t *sweep_cell(const json_t *row, const struct sweep_column *c) {
  json_t *v = (json_t *)(uintptr_t)row;
  for (size_t i = 0; i < 4 && c->path[i]; i++) v = json_object_get(v, c->path[i]);
  return v;
}

void sweep_cell_text(const json_t *row, const struct sweep_column *c, struct text *t) {
  const json_t *v = sweep_cell(row, c);
  double d = json_number_value(v);
  if (!v || json_is_null(v)) return;
  if (json_is_string(v)) text_add(t, "%s", json_string_value(v));
  else if (json_is_boolean(v)) text_add(t, "%s", json_is_true(v) ? "yes" : "no");
  else if (json_is_integer(v)) text_add(t, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
  else text_add(t, "%.*f", fabs(d) >= 100 ? 1 : fabs(d) >= 1 ? 2 : 4, d);
}

/* ---- CSV ---------------------------------------------------------------------------------------------------- */

/* RFC 4180: in quotes where it has to be. */
static void csv_text(const char *s, struct text *t) {
  if (!s[strcspn(s, ",\"\r\n")]) {
    text_add_bytes(t, s, strlen(s));
    return;
  }
  text_add(t, "\"");
  for (; *s; s++) text_add(t, *s == '"' ? "\"\"" : "%c", *s);
  text_add(t, "\"");
}

void sweep_csv(const struct sweep_table *t, struct text *to) {
  size_t i;
  json_t *row;
  for (size_t c = 0; c < t->n; c++) {
    text_add(to, "%s", c ? "," : "");
    csv_text(t->column[c].name, to);
  }
  text_add(to, "\n");
  json_array_foreach((json_t *)(uintptr_t)t->rows, i, row) {
    for (size_t c = 0; c < t->n; c++) {
      struct text cell = {0};
      sweep_cell_text(row, &t->column[c], &cell);
      text_add(to, "%s", c ? "," : "");
      csv_text(cell.s ? cell.s : "", to);
      text_free(&cell);
    }
    text_add(to, "\n");
  }
}

/* ---- text --------------------------------------------------------------------------------------------------- */

/* Of a name, the longest piece between its breaks. */
static int longest_piece(const char *name) {
  size_t most = 0;
  for (size_t n; *name; name += n) {
    n = strcspn(name, "._");
    n += name[n] != 0;
    if (n > most) most = n;
  }
  return (int)most;
}

/* Widths, and which columns say the same in every row. */
static void measure(struct sweep_table *t, bool names_break) {
  size_t i;
  json_t *row, *first = json_array_get(t->rows, 0);
  for (size_t c = 0; c < t->n; c++) {
    struct sweep_column *column = &t->column[c];
    column->width = names_break ? longest_piece(column->name) : (int)strlen(column->name);
    column->differs = false;
    json_array_foreach((json_t *)(uintptr_t)t->rows, i, row) {
      struct text cell = {0};
      json_t *v = sweep_cell(row, column), *v0 = sweep_cell(first, column);
      sweep_cell_text(row, column, &cell);
      if ((int)cell.len > column->width) column->width = (int)cell.len;
      if (!v != !v0 || (v && !json_equal(v, v0))) column->differs = true;
      text_free(&cell);
    }
  }
}

static bool is_failure(const struct sweep_column *c) { return c->path[2] && !c->path[3] && !strcmp(c->path[2], "failed"); }

/* A reason is a sentence: it stands below the table. */
static bool is_shown(const struct sweep_column *c) { return !is_failure(c) && (c->differs || c->path[2] == NULL); }

void sweep_same(const struct sweep_table *t, struct text *to) {
  const json_t *row = json_array_get(t->rows, 0);
  size_t used = 0;
  for (size_t c = 0; c < t->n; c++) {
    struct text cell = {0};
    if (is_failure(&t->column[c]) || is_shown(&t->column[c])) continue;
    sweep_cell_text(row, &t->column[c], &cell);
    size_t wide = strlen(t->column[c].name) + cell.len + 3;
    bool breaks = used && used + wide > TEXT_WIDTH - 12;
    text_add(to, "%s%s %s", !used ? "  in every row: " : breaks ? ",\n    " : ", ", t->column[c].name, cell.s ? cell.s : "-");
    used = breaks ? wide : used + wide;
    text_free(&cell);
  }
  if (used) text_add(to, "\n");
}

static void add_reasons(const struct sweep_table *t, struct text *to) {
  size_t i, said = 0, most = MOST_REASONS;
  json_t *row;
  json_array_foreach((json_t *)(uintptr_t)t->rows, i, row)
    for (size_t c = 0; c < t->n; c++) {
      const char *why = is_failure(&t->column[c]) ? json_string_value(sweep_cell(row, &t->column[c])) : NULL;
      if (why && said++ < most) text_add(to, "  row %zu, %s: %s\n", i + 1, t->column[c].name, why);
    }
  if (said > most) text_add(to, "  ... and %zu more failed\n", said - most);
}

/* Parameters go first, then the figures that a sweep is made for, then all others. */
static int rank(const struct sweep_column *c) {
  if (!c->path[2]) return 0;
  const char *last = c->path[3] ? c->path[3] : c->path[2];
  return !strcmp(last, "cycles") || !strcmp(last, "median") || !strcmp(last, "lut4") || !strcmp(last, "area") ? 1 : 2;
}

/* The columns that fit, in their order. */
static size_t fitting(const struct sweep_table *t, int width, size_t *list) {
  bool *fits = calloc(t->n + 1, sizeof *fits);
  size_t n = 0;
  int used = 2;
  if (!fits) abort();
  for (int r = 0; r < 3; r++)
    for (size_t c = 0; c < t->n; c++) {
      if (!is_shown(&t->column[c]) || rank(&t->column[c]) != r || (used > 2 && used + t->column[c].width > width)) continue;
      used += t->column[c].width + 2;
      fits[c] = true;
    }
  for (size_t c = 0; c < t->n; c++)
    if (fits[c]) list[n++] = c;
  free(fits);
  return n;
}

size_t sweep_fitting(struct sweep_table *t, int width, bool names_break, size_t *list, size_t *all) {
  measure(t, names_break);
  *all = 0;
  for (size_t c = 0; c < t->n; c++) *all += is_shown(&t->column[c]);
  return fitting(t, width, list);
}

void sweep_text(struct sweep_table *t, size_t most, struct text *to) {
  size_t *list = malloc((t->n + 1) * sizeof *list), rows = json_array_size(t->rows), all;
  if (!list) abort();
  size_t n = sweep_fitting(t, TEXT_WIDTH, false, list, &all);
  for (size_t k = 0; k < n; k++) text_add(to, "  %*s", t->column[list[k]].width, t->column[list[k]].name);
  text_add(to, "\n");
  for (size_t i = 0; i < rows && i < most; i++) {
    for (size_t k = 0; k < n; k++) {
      struct text cell = {0};
      sweep_cell_text(json_array_get(t->rows, i), &t->column[list[k]], &cell);
      text_add(to, "  %*s", t->column[list[k]].width, cell.s ? cell.s : "-");
      text_free(&cell);
    }
    text_add(to, "\n");
  }
  if (rows > most) text_add(to, "  ... %zu more rows\n", rows - most);
  sweep_same(t, to);
  if (n < all) text_add(to, "  %zu more columns do not fit here\n", all - n);
  add_reasons(t, to);
  free(list);
}
