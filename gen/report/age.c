/* SPDX-License-Identifier: Apache-2.0 */
/* age.c: is the Verilog that was synthesized the one that this program generates for the same configuration? Results are often
 * kept for longer than the Verilog stays as it is. */
#include <inttypes.h>
#include <string.h>

#include "report/report.h"

static bool set_all(struct simt_config *cfg, json_t *values, struct simt_diag *diag) {
  const char *name;
  json_t *v;
  json_object_foreach(values, name, v) {
    char number[24];
    snprintf(number, sizeof number, "%" JSON_INTEGER_FORMAT, json_integer_value(v));
    if (!config_set(cfg, name, json_is_string(v) ? json_string_value(v) : number, diag)) return false;
  }
  return true;
}

enum verdict { SAME, OTHER, UNKNOWN };
struct today { bool made, known; char verilog[17]; };

/* Lists of records do not stand in the results; that there were none is seen from the hash. */
static bool has_no_lists(const struct simt_config *cfg, const json_t *row) {
  char hash[17];
  const char *own = json_string_value(json_object_get(row, "configuration"));
  config_hash(cfg, hash);
  return !cfg->block->lists || (own && !strcmp(own, hash));
}

/* The hash stays empty when the block has no such configuration any more. */
static void make(struct today *now, const struct results *r, const json_t *row, const struct simt_block *block) {
  struct simt_config cfg;
  struct simt_diag diag = {0};
  struct fileset fs = {0};
  simt_config_init(&cfg, block);
  bool good = set_all(&cfg, json_object_get(r->header, "common"), &diag) && set_all(&cfg, json_object_get(row, "params"), &diag) &&
              simt_resolve(&cfg, &diag);
  *now = (struct today){.made = true, .known = !good || has_no_lists(&cfg, row)};
  if (good && now->known && emit_rtl(&fs, ".", &cfg, &diag)) rtl_hash(&fs, now->verilog);
  fileset_free(&fs);
  simt_config_free(&cfg);
}

static enum verdict judge(struct today *now, const struct results *r, const json_t *row, const json_t *result, const struct simt_block *block) {
  const char *verilog = json_string_value(json_object_get(result, "verilog"));
  if (!verilog || !block) return UNKNOWN;
  if (!now->made) make(now, r, row, block);
  return !now->known ? UNKNOWN : strcmp(now->verilog, verilog) ? OTHER : SAME;
}

static void add_row(struct age *a, const struct results *r, const json_t *row, const struct simt_block *block) {
  struct today now = {.made = false};
  const char *target;
  json_t *result;
  json_object_foreach(json_object_get(row, "targets"), target, result) {
    if (!json_object_get(result, "resources")) continue;
    enum verdict v = judge(&now, r, row, result, block);
    a->asked++;
    a->other += v == OTHER;
    a->unknown += v == UNKNOWN;
  }
}

struct age results_age(const struct results *r) {
  struct age a = {0};
  struct simt_diag unused = {0};
  const struct simt_block *block = NULL;
  size_t n = json_array_size(r->rows), step = (n + AGE_POINTS - 1) / AGE_POINTS;
  if (!config_find_block(json_string_value(json_object_get(r->header, "block")), &block, &unused)) block = NULL;
  for (size_t i = 0; i < n; i += step) add_row(&a, r, json_array_get(r->rows, i), block);
  return a;
}

void age_text(const struct age *a, struct text *t) {
  if (a->other)
    text_add(t, "%zu of %zu results of synthesis that were looked at are of other Verilog than simtgen generates now: run the sweep again",
             a->other, a->asked);
  else if (a->unknown)
    text_add(t, "%zu of %zu results of synthesis that were looked at do not say whether their Verilog is the one that simtgen generates now",
             a->unknown, a->asked);
}
