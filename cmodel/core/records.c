/* SPDX-License-Identifier: Apache-2.0 */
/* records.c: lists of records of a configuration: set cell by cell, then checked as a whole. */
#include "core/records.h"

#include <errno.h>
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { IDENTIFIER_MAX = 31 };

bool simt_fail_at(struct simt_diag *diag, const struct simt_records *in, unsigned line, unsigned col, const char *name,
                  const char *got, const char *expected, ...) {
  char text[sizeof diag->expected];
  va_list ap;
  va_start(ap, expected);
  vsnprintf(text, sizeof text, expected, ap);
  va_end(ap);
  if (diag->failed) return false;
  if (line) {
    snprintf(diag->file, sizeof diag->file, "%s", in->file);
    diag->line = line;
    diag->col = col;
  }
  return simt_fail(diag, name, got, "%s", text);
}

/* ---- one record ----------------------------------------------------------------------------------- */

const struct simt_list *simt_find_list(const struct simt_config *cfg, const char *name, struct simt_diag *diag) {
  const struct simt_lists *ls = cfg->block->lists;
  const char *names[SIMT_MAX_LISTS + 1] = {NULL};
  char all[200] = "";
  for (size_t i = 0; ls && i < ls->n; i++) {
    if (!strcmp(ls->list[i].name, name)) return &ls->list[i];
    names[i] = ls->list[i].name;
    snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? ", " : "", names[i]);
  }
  const char *near = simt_nearest(name, names);
  if (ls) simt_fail(diag, name, "an unknown list", "one of %s, below %s:", all, ls->key);
  else simt_fail(diag, name, "a list", "none: %s has no lists", cfg->block->name);
  if (near) snprintf(diag->hint, sizeof diag->hint, "did you mean %s?", near);
  return NULL;
}

struct simt_record *simt_add_record(struct simt_config *cfg, const char *list, struct simt_diag *diag) {
  const struct simt_list *l = simt_find_list(cfg, list, diag);
  if (!l) return NULL;
  size_t at = (size_t)(l - cfg->block->lists->list), n = cfg->records.list[at].n;
  if (n == l->max) {
    char got[40];
    snprintf(got, sizeof got, "%zu records or more", l->max + 1);
    simt_fail(diag, list, got, "%zu..%zu (%s)", l->min, l->max, l->doc);
    return NULL;
  }
  if (!(n & (n - 1))) {
    struct simt_record *more = realloc(cfg->records.list[at].record, (n ? 2 * n : 1) * sizeof *more);
    if (!more) {
      simt_fail(diag, list, "no memory", "memory for a record");
      return NULL;
    }
    cfg->records.list[at].record = more;
  }
  struct simt_record *r = &cfg->records.list[at].record[cfg->records.list[at].n++];
  memset(r, 0, sizeof *r);
  for (size_t c = 0; c < l->n_columns; c++) r->cell[c].number = l->column[c].def;
  cfg->records.given = true;
  return r;
}

const struct simt_column *simt_find_column(const struct simt_list *l, const char *name, struct simt_diag *diag) {
  const char *names[SIMT_MAX_COLUMNS + 1] = {NULL};
  char all[200] = "";
  for (size_t i = 0; i < l->n_columns; i++) {
    if (!strcmp(l->column[i].name, name)) return &l->column[i];
    names[i] = l->column[i].name;
    snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", i ? ", " : "", names[i]);
  }
  const char *near = simt_nearest(name, names);
  simt_fail(diag, name, "an unknown key", "one of %s (%s)", all, l->name);
  if (near) snprintf(diag->hint, sizeof diag->hint, "did you mean %s?", near);
  return NULL;
}

static bool set_number(const struct simt_column *c, struct simt_cell *to, const char *text, struct simt_diag *diag) {
  char *end;
  errno = 0;
  uint64_t v = strtoull(text, &end, 0);
  bool octal = text[0] == '0' && text[1] >= '0' && text[1] <= '9';
  if (text[0] < '0' || text[0] > '9' || octal || *end || errno || v < c->min || v > c->max)
    return simt_fail(diag, c->name, text[0] ? text : "no value", "a whole number %" PRIu64 "..%" PRIu64 "%s%s (%s)", c->min,
                     c->max, c->unit[0] ? " " : "", c->unit, c->doc);
  to->number = v;
  snprintf(to->text, sizeof to->text, "%" PRIu64, v);
  return true;
}

static bool set_identifier(const struct simt_column *c, struct simt_cell *to, const char *text, struct simt_diag *diag) {
  static const char letters[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_0123456789";
  size_t n = strspn(text, letters);
  if (!n || text[n] || n > IDENTIFIER_MAX || (text[0] >= '0' && text[0] <= '9'))
    return simt_fail(diag, c->name, text[0] ? text : "no value",
                     "a letter or _, then at most %d letters, digits and _ (%s)", IDENTIFIER_MAX - 1, c->doc);
  snprintf(to->text, sizeof to->text, "%s", text);
  return true;
}

struct simt_cell *simt_set_cell(struct simt_config *cfg, const char *list, const char *column, const char *text,
                                struct simt_diag *diag) {
  const struct simt_list *l = simt_find_list(cfg, list, diag);
  const struct simt_column *c = l ? simt_find_column(l, column, diag) : NULL;
  if (!c) return NULL;
  size_t at = (size_t)(l - cfg->block->lists->list), n = cfg->records.list[at].n;
  if (!n) {
    simt_fail(diag, list, "no record", "a record before its cells");
    return NULL;
  }
  struct simt_cell *to = &cfg->records.list[at].record[n - 1].cell[c - l->column];
  if (to->given) {
    simt_fail(diag, column, "a second value", "each key once in a record of %s", list);
    return NULL;
  }
  to->given = c->kind == SIMT_NUMBER ? set_number(c, to, text, diag) : set_identifier(c, to, text, diag);
  return to->given ? to : NULL;
}

/* ---- all records ---------------------------------------------------------------------------------- */

/* The place of the name in the first column of a list, or its length. */
static size_t look_up(const struct simt_config *cfg, size_t list, size_t column, const char *name) {
  size_t i = 0, n = cfg->records.list[list].n;
  while (i < n && strcmp(cfg->records.list[list].record[i].cell[column].text, name)) i++;
  return i;
}

static bool find_reference(const struct simt_config *cfg, const struct simt_column *c, struct simt_cell *cell, struct simt_diag *diag) {
  const struct simt_lists *ls = cfg->block->lists;
  size_t to = 0;
  while (strcmp(ls->list[to].name, c->to)) to++;
  size_t n = cfg->records.list[to].n;
  cell->number = look_up(cfg, to, 0, cell->text);
  if (cell->number < n) return true;
  const char **names = calloc(n + 1, sizeof *names);
  if (!names) return simt_fail(diag, c->name, "no memory", "memory for a list of names");
  for (size_t i = 0; i < n; i++) names[i] = cfg->records.list[to].record[i].cell[0].text;
  const char *near = simt_nearest(cell->text, names);
  simt_fail_at(diag, &cfg->records, cell->line, cell->col, c->name, cell->text, "the name of a record of %s (%s)", c->to, c->doc);
  if (near) snprintf(diag->hint, sizeof diag->hint, "did you mean %s?", near);
  else snprintf(diag->hint, sizeof diag->hint, "add it to %s: of %s:", c->to, ls->key);
  free(names);
  return false;
}

static bool check_record(const struct simt_config *cfg, size_t list, size_t row, struct simt_diag *diag) {
  const struct simt_list *l = &cfg->block->lists->list[list];
  struct simt_record *r = &cfg->records.list[list].record[row];
  for (size_t k = 0; k < l->n_columns; k++) {
    const struct simt_column *c = &l->column[k];
    struct simt_cell *cell = &r->cell[k];
    if (!cell->given && (c->flags & SIMT_REQUIRED))
      return simt_fail_at(diag, &cfg->records, r->line, r->col, c->name, "no such key", "%s: %s", c->name, c->doc);
    if (!cell->given || c->kind == SIMT_NUMBER) continue;
    size_t first = c->flags & SIMT_UNIQUE ? look_up(cfg, list, k, cell->text) : row;
    const struct simt_cell *other = &cfg->records.list[list].record[first].cell[k];
    if (first != row && other->line)
      return simt_fail_at(diag, &cfg->records, cell->line, cell->col, c->name, cell->text,
                          "a name that no other record of %s has (first at line %u); rename one of them", l->name, other->line);
    if (first != row) return simt_fail(diag, c->name, cell->text, "a name that no other record of %s has", l->name);
    if (c->kind == SIMT_REFERENCE && !find_reference(cfg, c, cell, diag)) return false;
  }
  return true;
}

bool simt_replaced(const struct simt_config *cfg, size_t param) {
  const char *const *name = cfg->records.given && cfg->block->lists ? cfg->block->lists->replaces : NULL;
  while (name && *name && strcmp(*name, cfg->param[param]->name)) name++;
  return name && *name;
}

/* What lists replace is not said twice, whether or not it says the same. */
static bool check_replaced(const struct simt_config *cfg, struct simt_diag *diag) {
  for (size_t i = 0; i < cfg->n_params; i++) {
    char buf[24];
    const char *name = cfg->param[i]->name;
    if (cfg->given[i] && simt_replaced(cfg, i))
      return simt_fail(diag, name, simt_value_text(cfg->param[i], cfg->value[i], buf),
                       "no value of %s beside %s:, whose lists say it; remove one of them", name, cfg->block->lists->key);
  }
  return true;
}

bool simt_check_records(struct simt_config *cfg, struct simt_diag *diag) {
  const struct simt_lists *ls = cfg->block->lists;
  const struct simt_records *rs = &cfg->records;
  if (!check_replaced(cfg, diag)) return false;
  for (size_t i = 0; rs->given && ls && i < ls->n; i++) {
    const struct simt_list *l = &ls->list[i];
    if (rs->list[i].n < l->min) {
      char got[40];
      snprintf(got, sizeof got, "%zu records", rs->list[i].n);
      return simt_fail_at(diag, rs, rs->line, rs->col, l->name, got, "%zu..%zu (%s)", l->min, l->max, l->doc);
    }
    for (size_t row = 0; row < rs->list[i].n; row++)
      if (!check_record(cfg, i, row, diag)) return false;
  }
  return true;
}

bool simt_copy_records(struct simt_config *to, const struct simt_config *from) {
  struct simt_records copy = from->records;
  for (size_t i = 0; i < SIMT_MAX_LISTS; i++) copy.list[i].record = NULL;
  for (size_t i = 0; i < SIMT_MAX_LISTS; i++) {
    size_t n = from->records.list[i].n, room = 1;
    while (room < n) room *= 2; /* as simt_add_record leaves it */
    copy.list[i].record = n ? malloc(room * sizeof *copy.list[i].record) : NULL;
    if (n && !copy.list[i].record) {
      simt_free_records(&copy);
      return false;
    }
    if (n) memcpy(copy.list[i].record, from->records.list[i].record, n * sizeof *copy.list[i].record);
  }
  simt_free_records(&to->records);
  to->records = copy;
  return true;
}

void simt_free_records(struct simt_records *records) {
  for (size_t i = 0; i < SIMT_MAX_LISTS; i++) free(records->list[i].record);
  memset(records, 0, sizeof *records);
}
