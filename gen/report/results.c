/* SPDX-License-Identifier: Apache-2.0 */
/* results.c: reading what a sweep has left. */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "report/report.h"

enum { SCHEMA = 1 };

static bool wrong(struct simt_diag *diag, const char *path, unsigned line, const char *got, const char *expected) {
  simt_fail(diag, "", got, "%s", expected);
  snprintf(diag->file, sizeof diag->file, "%.255s", path);
  diag->line = line;
  diag->col = 1;
  snprintf(diag->hint, sizeof diag->hint, "make it again: simtgen sweep FILE, which keeps what was measured");
  return false;
}

static bool is_row(const json_t *v) {
  return json_is_object(json_object_get(v, "params")) && json_is_object(json_object_get(v, "targets")) &&
         json_is_object(json_object_get(v, "workloads"));
}

static bool is_header(const json_t *v) {
  return json_integer_value(json_object_get(v, "schema")) == SCHEMA && json_is_array(json_object_get(v, "swept")) &&
         json_is_string(json_object_get(v, "block")) && json_is_integer(json_object_get(v, "points"));
}

static bool read_lines(struct results *r, char *text, const char *path, struct simt_diag *diag) {
  unsigned line = 1;
  for (char *at = text, *end; *at; at = end + 1, line++) {
    end = strchr(at, '\n');
    if (!end) return wrong(diag, path, line, "a line that was cut", "a whole line of JSON for each point");
    *end = 0;
    json_t *v = json_loads(at, 0, NULL);
    bool good = line == 1 ? is_header(v) : is_row(v);
    if (!good) json_decref(v);
    else if (line == 1) r->header = v;
    else json_array_append_new(r->rows, v);
    if (!good) return wrong(diag, path, line, v ? "other JSON" : "no JSON", line == 1 ? "the header of a sweep's results (schema 1)" : "the results of a point");
  }
  size_t points = (size_t)json_integer_value(json_object_get(r->header, "points")), n = json_array_size(r->rows);
  char got[60];
  snprintf(got, sizeof got, "%zu points of %zu", n, points);
  return (r->header && n == points) || wrong(diag, path, line, r->header ? got : "an empty file", "all results of a sweep");
}

bool results_read(struct results *r, const char *path, struct simt_diag *diag) {
  char file[PATH_MAX];
  struct stat st;
  bool folder = !stat(path, &st) && S_ISDIR(st.st_mode);
  snprintf(file, sizeof file, "%.4000s%s", path, folder ? "/results.jsonl" : "");
  *r = (struct results){.rows = json_array()};
  char *text = file_read(file, NULL, diag);
  if (!text && folder) snprintf(diag->hint, sizeof diag->hint, "the sweep has not ended: simtgen sweep FILE --resume");
  bool good = text && read_lines(r, text, file, diag);
  free(text);
  if (!good) results_free(r);
  return good;
}

void results_free(struct results *r) {
  json_decref(r->header);
  json_decref(r->rows);
  *r = (struct results){0};
}
