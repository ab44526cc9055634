/* SPDX-License-Identifier: Apache-2.0 */
/* report.c: `simtgen report`: a page, CSV and JSON of the results of a sweep. */
#include <stdlib.h>
#include <string.h>

#include "report/report.h"

static void add_json(struct text *t, const struct results *r) {
  json_t *whole = json_copy(r->header);
  json_object_set(whole, "rows", r->rows);
  char *s = json_dumps(whole, JSON_INDENT(1) | JSON_REAL_PRECISION(6));
  json_decref(whole);
  if (!s) abort();
  text_add(t, "%s\n", s);
  free(s);
}

static bool write_all(const struct gen_options *o, const struct results *r, const struct results *old, struct simt_diag *diag) {
  struct fileset fs = {0};
  struct sweep_table table;
  struct age age = results_age(r);
  page_write(fileset_add(&fs, "index.html"), r, old, &age);
  sweep_table_make(&table, r->rows);
  sweep_csv(&table, fileset_add(&fs, "results.csv"));
  sweep_table_free(&table);
  add_json(fileset_add(&fs, "results.json"), r);
  if (old) against_write(NULL, fileset_add(&fs, "against.csv"), r, old);
  bool good = fileset_write(&fs, o->out, diag);
  fileset_free(&fs);
  if (good && !o->quiet) printf("%zu points in %s/index.html\n", json_array_size(r->rows), o->out);
  if (good && age.other) {
    struct text t = {0};
    age_text(&age, &t);
    message_note("%s", t.s);
    text_free(&t);
  }
  return good;
}

/* Two result sets are compared configuration by configuration. */
static bool same_block(const struct gen_options *o, const struct results *r, const struct results *old, struct simt_diag *diag) {
  const char *block = json_string_value(json_object_get(r->header, "block")), *other = json_string_value(json_object_get(old->header, "block"));
  char got[SIMT_NAME_MAX + 16];
  if (!strcmp(block, other)) return true;
  snprintf(got, sizeof got, "results of %.*s", SIMT_NAME_MAX - 1, other);
  simt_fail(diag, "--against", got, "those of %.80s, as in %.100s", block, o->operand);
  return false;
}

int cmd_report(const struct gen_options *o) {
  struct simt_diag diag = {0};
  struct results r = {0}, old = {0};
  bool good = results_read(&r, o->operand, &diag) && (!o->against || (results_read(&old, o->against, &diag) && same_block(o, &r, &old, &diag))) &&
              write_all(o, &r, o->against ? &old : NULL, &diag);
  results_free(&r);
  results_free(&old);
  if (diag.failed) message_error(&diag);
  return good ? EXIT_DONE : EXIT_USAGE;
}
