/* SPDX-License-Identifier: Apache-2.0 */
/* liberty.c: the cells of a liberty file, as far as areas need: a group is `name (arguments) { ... }`, an attribute
 * `name : value ;`. Only the groups of cells, their `area` and whether they hold a group `ff` or `latch` are read. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "synth/synth.h"

struct reader { const char *at; int depth; }; /* depth: open braces */

/* Skips blanks, comments and continued lines. */
static void skip(struct reader *r) {
  for (;;) {
    if (isspace((unsigned char)*r->at) || *r->at == '\\') r->at++;
    else if (!strncmp(r->at, "/*", 2)) r->at = strstr(r->at + 2, "*/") ? strstr(r->at + 2, "*/") + 2 : r->at + strlen(r->at);
    else if (!strncmp(r->at, "//", 2)) r->at += strcspn(r->at, "\n");
    else return;
  }
}

/* The next word, text or sign; false at the end. */
static bool next(struct reader *r, const char **s, size_t *n) {
  skip(r);
  *s = r->at;
  if (!*r->at) return false;
  if (*r->at == '"') {
    *n = strcspn(++*s, "\"");
    r->at = *s + *n + (*(*s + *n) == '"');
    return true;
  }
  *n = strcspn(r->at, " \t\r\n\\\"(){}:;,");
  if (!*n) *n = 1;
  r->depth += **s == '{' ? 1 : **s == '}' ? -1 : 0;
  r->at += *n;
  return true;
}

static bool is(const char *s, size_t n, const char *word) { return strlen(word) == n && !memcmp(s, word, n); }

/* From the name of a cell to the end of its group. False: it does not end, or has no area. */
static bool read_cell(struct reader *r, struct synth_cell *c) {
  const char *s, *value;
  size_t n, m;
  int outside = r->depth;
  bool measured = false;
  if (!next(r, &s, &n) || *s != '(' || !next(r, &s, &n)) return false;
  c->name = strndup(s, n);
  if (!c->name) abort();
  while (next(r, &s, &n) && *s != '{') {}
  while (r->depth > outside && next(r, &s, &n)) {
    bool own = r->depth == outside + 1;
    if (own && is(s, n, "area") && next(r, &value, &m) && *value == ':' && next(r, &value, &m)) {
      c->area = strtod(value, NULL);
      measured = c->area >= 0;
    }
    if (own && (is(s, n, "ff") || is(s, n, "ff_bank") || is(s, n, "latch"))) c->register_ = true;
  }
  return measured && r->depth == outside;
}

static int by_name(const void *a, const void *b) {
  return strcmp(((const struct synth_cell *)a)->name, ((const struct synth_cell *)b)->name);
}

static bool all_cells(struct synth_library *lib, struct reader *r, const char *path, struct simt_diag *diag) {
  const char *s;
  size_t n;
  while (next(r, &s, &n)) {
    if (r->depth != 1 || !is(s, n, "cell")) continue;
    lib->cell = realloc(lib->cell, (lib->n + 1) * sizeof *lib->cell);
    if (!lib->cell) abort();
    struct synth_cell *c = &lib->cell[lib->n++];
    *c = (struct synth_cell){0};
    if (read_cell(r, c)) continue;
    char got[100];
    snprintf(got, sizeof got, "cell %.60s", c->name ? c->name : "without a name");
    return simt_fail(diag, path, got, "a cell with an area and a closing brace (a liberty file)");
  }
  return true;
}

bool synth_read_library(struct synth_library *lib, const char *text, const char *path, struct simt_diag *diag) {
  struct reader r = {.at = text};
  const char *s;
  size_t n, registers = 0;
  if (!next(&r, &s, &n) || !is(s, n, "library"))
    return simt_fail(diag, path, "another text", "a liberty file, which begins with: library (NAME) {");
  if (!all_cells(lib, &r, path, diag)) return false;
  for (size_t i = 0; i < lib->n; i++) registers += lib->cell[i].register_;
  if (!registers || lib->n == registers)
    return simt_fail(diag, path, registers ? "no gate" : "no flip-flop", "a library of standard cells with both");
  qsort(lib->cell, lib->n, sizeof *lib->cell, by_name);
  sha256_hex(text, strlen(text), lib->sha256);
  return true;
}

const struct synth_cell *synth_find_cell(const struct synth_library *lib, const char *name) {
  struct synth_cell key = {.name = (char *)(uintptr_t)name};
  return lib->n ? bsearch(&key, lib->cell, lib->n, sizeof key, by_name) : NULL;
}

void synth_free_library(struct synth_library *lib) {
  for (size_t i = 0; i < lib->n; i++) free(lib->cell[i].name);
  free(lib->cell);
}
