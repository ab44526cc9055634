/* SPDX-License-Identifier: Apache-2.0 */
/* describe.c: `simtgen describe`: what a block is, at one configuration. */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "emit/svg.h"
#include "gen.h"

/* ---- as text --------------------------------------------------------------------------------- */

enum { LINE = 100, COLUMNS = 5, CELL = 64, DOC_COLUMN_MAX = 74 };

/* A table whose last column is wrapped text. Cells are collected first, because widths depend on
 * all. */
struct describe_table {
  const char *head[COLUMNS];
  size_t columns, rows;
  struct { char cell[COLUMNS][CELL], doc[512]; } *row;
};

static void table_row(struct describe_table *t, const char *doc) {
  void *bigger = realloc(t->row, (t->rows + 1) * sizeof *t->row);
  if (!bigger) abort();
  t->row = bigger;
  memset(&t->row[t->rows], 0, sizeof *t->row);
  snprintf(t->row[t->rows++].doc, sizeof t->row->doc, "%s", doc);
}

static char *table_cell(struct describe_table *t, size_t column) {
  return t->row[t->rows - 1].cell[column];
}

/* Text from column `indent` on, wrapped between words. */
static void wrap(const char *s, int indent) {
  int col = indent;
  while (*s) {
    int n = (int)strcspn(s, " ");
    if (col > indent && col + 1 + n > LINE) {
      printf("\n%*s", indent, "");
      col = indent;
    }
    if (col > indent) putchar(' ');
    printf("%.*s", n, s);
    col += n + (col > indent);
    s += n;
    s += strspn(s, " ");
  }
  putchar('\n');
}

static void table_print(struct describe_table *t, const char *title) {
  if (!t->rows) return;
  printf("\n%s\n", title);
  int width[COLUMNS] = {0}, indent = 2;
  for (size_t c = 0; c < t->columns; c++) {
    width[c] = (int)strlen(t->head[c]);
    for (size_t r = 0; r < t->rows; r++) {
      int n = (int)strlen(t->row[r].cell[c]);
      if (n > width[c]) width[c] = n;
    }
    indent += width[c] + 2;
  }
  if (indent > DOC_COLUMN_MAX) indent = DOC_COLUMN_MAX;
  printf("  ");
  for (size_t c = 0; c < t->columns; c++) printf("%-*s  ", width[c], t->head[c]);
  printf("MEANING\n");
  for (size_t r = 0; r < t->rows; r++) {
    int col = 2;
    printf("  ");
    for (size_t c = 0; c < t->columns; c++) col += printf("%-*s  ", width[c], t->row[r].cell[c]);
    if (col > indent) printf("\n%*s", indent, "");
    wrap(t->row[r].doc, indent);
  }
  free(t->row);
}

/* The meaning of a parameter; a choice begins with its names. */
static void param_row(struct describe_table *t, const struct simt_param *p) {
  struct text doc = {0};
  for (size_t i = 0; p->choices && p->choices[i]; i++)
    text_add(&doc, "%s%s", i ? " | " : "", p->choices[i]);
  text_add(&doc, "%s%s", p->choices ? ": " : "", p->doc);
  table_row(t, doc.s);
  text_free(&doc);
}

/* The column of defaults stands beside the values only when they differ. */
static void show_parameters(const struct simt_config *cfg) {
  bool differs = false;
  for (size_t i = 0; i < cfg->n_params; i++)
    differs |= cfg->value[i] != cfg->param[i]->def;
  struct describe_table t = {
      .head = {"PARAMETER", differs ? "VALUE" : "DEFAULT", "RANGE", "UNIT", "DEFAULT"},
      .columns = differs ? 5 : 4};
  for (size_t i = 0; i < cfg->n_params; i++) {
    const struct simt_param *p = cfg->param[i];
    char buffer[24];
    if (simt_replaced(cfg, i)) continue;
    param_row(&t, p);
    snprintf(table_cell(&t, 0), CELL, "%s", p->name);
    snprintf(table_cell(&t, 1), CELL, "%s", simt_value_text(p, cfg->value[i], buffer));
    if (p->choices) snprintf(table_cell(&t, 2), CELL, "a choice");
    else snprintf(table_cell(&t, 2), CELL, "%" PRIu64 "..%" PRIu64 "%s", p->min, p->max,
                  p->flags & SIMT_POW2 ? ", power of 2" : "");
    snprintf(table_cell(&t, 3), CELL, "%s", p->unit);
    snprintf(table_cell(&t, 4), CELL, "%s", simt_value_text(p, p->def, buffer));
  }
  table_print(&t, "Parameters");
}

static const char *const kinds[] = {
    [SIMT_IDENTIFIER] = "identifier", [SIMT_NUMBER] = "number", [SIMT_REFERENCE] = "reference"};

static void show_lists(const struct simt_config *cfg) {
  const struct simt_lists *ls = cfg->block->lists;
  if (!ls) return;
  printf("\nLists of records, below %s: of the configuration file, or by -p %s=FILE\n", ls->key, ls->key);
  wrap(ls->doc, 0);
  for (size_t i = 0; i < ls->n; i++) {
    const struct simt_list *l = &ls->list[i];
    struct describe_table t = {.head = {"KEY", "KIND", "RANGE", "UNIT", "DEFAULT"}, .columns = 5};
    for (size_t k = 0; k < l->n_columns; k++) {
      const struct simt_column *c = &l->column[k];
      table_row(&t, c->doc);
      snprintf(table_cell(&t, 0), CELL, "%s", c->name);
      snprintf(table_cell(&t, 1), CELL, "%s%s", kinds[c->kind], c->flags & SIMT_UNIQUE ? ", unique" : "");
      if (c->kind == SIMT_NUMBER) snprintf(table_cell(&t, 2), CELL, "%" PRIu64 "..%" PRIu64, c->min, c->max);
      if (c->kind == SIMT_REFERENCE) snprintf(table_cell(&t, 2), CELL, "of %s", c->to);
      snprintf(table_cell(&t, 3), CELL, "%s", c->unit);
      if (c->flags & SIMT_REQUIRED) snprintf(table_cell(&t, 4), CELL, "required");
      else if (c->kind == SIMT_NUMBER) snprintf(table_cell(&t, 4), CELL, "%" PRIu64, c->def);
    }
    char title[256];
    snprintf(title, sizeof title, "%s: %zu..%zu records, %zu given: %s", l->name, l->min, l->max, cfg->records.list[i].n, l->doc);
    table_print(&t, title);
  }
}

static void show_ports(const struct simt_config *cfg) {
  struct describe_table t = {.head = {"PORT", "DIR", "BITS", "GROUP", "VALID WITH"}, .columns = 5};
  for (size_t i = 0; i < cfg->desc.n_ports; i++) {
    const struct simt_port *p = &cfg->desc.ports[i];
    table_row(&t, p->doc);
    snprintf(table_cell(&t, 0), CELL, "%s", p->name);
    snprintf(table_cell(&t, 1), CELL, "%s", p->dir == SIMT_IN ? "in" : "out");
    snprintf(table_cell(&t, 2), CELL, "%u", p->width);
    snprintf(table_cell(&t, 3), CELL, "%s", p->group);
    snprintf(table_cell(&t, 4), CELL, "%s", p->valid);
  }
  table_print(&t, "Ports");
}

static void show_derived(const struct simt_config *cfg) {
  struct describe_table t = {.head = {"DERIVED VALUE", "VALUE", "UNIT"}, .columns = 3};
  for (size_t i = 0; i < cfg->desc.n_derived; i++) {
    const struct simt_derived *d = &cfg->desc.derived[i];
    table_row(&t, d->doc);
    snprintf(table_cell(&t, 0), CELL, "%s", d->name);
    if (d->bits) snprintf(table_cell(&t, 1), CELL, "%" PRIu64 " x %u bits", d->value, d->bits);
    else snprintf(table_cell(&t, 1), CELL, "%" PRIu64, d->value);
    snprintf(table_cell(&t, 2), CELL, "%s", d->unit);
  }
  table_print(&t, "Derived values");
}

static void show_registers(const struct simt_config *cfg) {
  struct describe_table t = {.head = {"REGISTER", "ADDRESS", "BITS", "ACCESS", "RESET"}, .columns = 5};
  for (size_t i = 0; i < cfg->desc.n_regs; i++) {
    const struct simt_reg *r = &cfg->desc.regs[i];
    table_row(&t, r->doc);
    snprintf(table_cell(&t, 0), CELL, "%s", r->name);
    snprintf(table_cell(&t, 1), CELL, "0x%03x", r->addr);
    snprintf(table_cell(&t, 2), CELL, "%u", r->width);
    snprintf(table_cell(&t, 3), CELL, "%s", r->access);
    snprintf(table_cell(&t, 4), CELL, "0x%x", r->reset);
  }
  table_print(&t, "Registers");
}

static void show_covers(const struct simt_config *cfg) {
  struct describe_table t = {.head = {"COVERAGE POINT", "REQUIREMENT"}, .columns = 2};
  for (size_t i = 0; i < cfg->desc.n_covers; i++) {
    const struct simt_cover *c = &cfg->desc.covers[i];
    table_row(&t, c->doc);
    snprintf(table_cell(&t, 0), CELL, "%s", c->name);
    snprintf(table_cell(&t, 1), CELL, "%s", c->req);
  }
  table_print(&t, "Coverage points");
}

static int show_text(const struct simt_config *cfg) {
  printf("%s: %s\n\n", cfg->block->name, cfg->block->title);
  wrap(cfg->block->summary, 0);
  show_parameters(cfg);
  show_lists(cfg);
  show_ports(cfg);
  show_derived(cfg);
  show_registers(cfg);
  show_covers(cfg);
  return EXIT_DONE;
}

/* ---- as JSON --------------------------------------------------------------------------------- */

static json_t *value_json(const struct simt_param *p, uint64_t value) {
  return p->choices ? json_string(p->choices[value]) : json_integer((json_int_t)value);
}

static json_t *parameters_json(const struct simt_config *cfg) {
  json_t *list = json_array();
  for (size_t i = 0; i < cfg->n_params; i++) {
    const struct simt_param *p = cfg->param[i];
    if (simt_replaced(cfg, i)) continue;
    json_t *o = json_pack("{s:s, s:o, s:o}", "name", p->name, "value", value_json(p, cfg->value[i]),
                          "default", value_json(p, p->def));
    if (p->choices) {
      json_t *choices = json_array();
      for (size_t c = 0; p->choices[c]; c++)
        json_array_append_new(choices, json_string(p->choices[c]));
      json_object_set_new(o, "choices", choices);
    } else {
      json_object_set_new(o, "min", json_integer((json_int_t)p->min));
      json_object_set_new(o, "max", json_integer((json_int_t)p->max));
      json_object_set_new(o, "power_of_two", json_boolean(p->flags & SIMT_POW2));
    }
    json_object_set_new(o, "in_core", json_boolean(!(p->flags & SIMT_GEN_ONLY)));
    json_object_set_new(o, "wrapper", json_boolean(i >= cfg->block->n_params));
    json_object_set_new(o, "unit", json_string(p->unit));
    json_object_set_new(o, "meaning", json_string(p->doc));
    json_object_set_new(o, "requirement", json_string(p->req ? p->req : ""));
    json_array_append_new(list, o);
  }
  return list;
}

static json_t *ports_json(const struct simt_desc *d) {
  static const char *const roles[] = {
      [SIMT_DATA] = "data", [SIMT_CLOCK] = "clock", [SIMT_RESET] = "reset"};
  json_t *list = json_array();
  for (size_t i = 0; i < d->n_ports; i++) {
    const struct simt_port *p = &d->ports[i];
    json_t *o = json_pack("{s:s, s:s, s:s, s:I, s:s, s:s, s:s}", "name", p->name, "direction",
                          p->dir == SIMT_IN ? "in" : "out", "role", roles[p->role], "width", (json_int_t)p->width,
                          "valid", p->valid, "group", p->group, "meaning", p->doc);
    if (p->idle_bits) json_object_set_new(o, "idle", json_pack("{s:I, s:I}", "bits", (json_int_t)p->idle_bits, "value", (json_int_t)p->idle));
    json_array_append_new(list, o);
  }
  return list;
}

static json_t *derived_json(const struct simt_desc *d) {
  json_t *list = json_array();
  for (size_t i = 0; i < d->n_derived; i++) {
    const struct simt_derived *v = &d->derived[i];
    json_t *value = v->bits ? json_array() : json_integer((json_int_t)v->value);
    for (size_t k = 0; v->bits && k < v->value; k++)
      json_array_append_new(value, json_integer((json_int_t)v->element[k]));
    json_t *o = json_pack("{s:s, s:o, s:b, s:b, s:s, s:s}", "name", v->name, "value", value, "in_core",
                          v->in_core, "core_parameter", v->core_param, "unit", v->unit, "meaning", v->doc);
    if (v->bits) json_object_set_new(o, "element_bits", json_integer((json_int_t)v->bits));
    json_array_append_new(list, o);
  }
  return list;
}

static json_t *core_inputs_json(const struct simt_desc *d) {
  json_t *list = json_array();
  for (size_t i = 0; i < d->n_core_inputs; i++) {
    const struct simt_core_input *p = &d->core_inputs[i];
    json_array_append_new(list, json_pack("{s:s, s:I, s:s}", "name", p->name, "width", (json_int_t)p->width, "meaning", p->doc));
  }
  return list;
}

static json_t *columns_json(const struct simt_list *l) {
  json_t *list = json_array();
  for (size_t i = 0; i < l->n_columns; i++) {
    const struct simt_column *c = &l->column[i];
    json_t *o = json_pack("{s:s, s:s, s:b, s:b, s:s, s:s, s:s}", "name", c->name, "kind", kinds[c->kind], "required",
                          !!(c->flags & SIMT_REQUIRED), "unique", !!(c->flags & SIMT_UNIQUE), "unit", c->unit, "meaning",
                          c->doc, "requirement", c->req ? c->req : "");
    if (c->kind == SIMT_REFERENCE) json_object_set_new(o, "to", json_string(c->to));
    if (c->kind == SIMT_NUMBER) {
      json_object_set_new(o, "default", json_integer((json_int_t)c->def));
      json_object_set_new(o, "min", json_integer((json_int_t)c->min));
      json_object_set_new(o, "max", json_integer((json_int_t)c->max));
    }
    json_array_append_new(list, o);
  }
  return list;
}

static json_t *records_json(const struct simt_config *cfg, size_t i) {
  const struct simt_list *l = &cfg->block->lists->list[i];
  json_t *list = json_array();
  for (size_t k = 0; k < cfg->records.list[i].n; k++) {
    json_t *o = json_object();
    for (size_t c = 0; c < l->n_columns; c++) {
      const struct simt_cell *cell = &cfg->records.list[i].record[k].cell[c];
      if (!cell->given) continue;
      json_object_set_new(o, l->column[c].name, l->column[c].kind == SIMT_NUMBER ? json_integer((json_int_t)cell->number)
                                                                                : json_string(cell->text));
    }
    json_array_append_new(list, o);
  }
  return list;
}

static json_t *lists_json(const struct simt_config *cfg) {
  const struct simt_lists *ls = cfg->block->lists;
  if (!ls) return json_null();
  json_t *all = json_array();
  for (size_t i = 0; i < ls->n; i++) {
    const struct simt_list *l = &ls->list[i];
    json_array_append_new(all, json_pack("{s:s, s:I, s:I, s:s, s:s, s:o, s:o}", "name", l->name, "min", (json_int_t)l->min,
                                         "max", (json_int_t)l->max, "meaning", l->doc, "requirement", l->req ? l->req : "",
                                         "columns", columns_json(l), "records", records_json(cfg, i)));
  }
  return json_pack("{s:s, s:s, s:o}", "key", ls->key, "meaning", ls->doc, "lists", all);
}

static json_t *fields_json(const struct simt_desc *d, size_t reg) {
  json_t *list = json_array();
  for (size_t i = 0; i < d->n_fields; i++) {
    const struct simt_field *f = &d->fields[i];
    if (f->reg != reg) continue;
    json_array_append_new(list, json_pack("{s:s, s:I, s:I, s:s}", "name", f->name, "low",
                                          (json_int_t)f->low, "width", (json_int_t)f->width,
                                          "meaning", f->doc));
  }
  return list;
}

/* What a write does (cmodel/core/simt.h). */
static json_t *write_json(const struct simt_reg *r) {
  static const char *const rule[] = {"values", "clips", "clears"};
  if (!strcmp(r->access, "ro")) return json_null();
  return json_pack("{s:s, s:I, s:I, s:I, s:I}", "rule", rule[r->rule], "least", (json_int_t)r->least, "most",
                   (json_int_t)r->most, "zero_bits", (json_int_t)r->zero_bits, "acting_bits", (json_int_t)r->acting_bits);
}

static json_t *registers_json(const struct simt_desc *d) {
  json_t *list = json_array();
  for (size_t i = 0; i < d->n_regs; i++) {
    const struct simt_reg *r = &d->regs[i];
    json_array_append_new(
        list, json_pack("{s:s, s:I, s:I, s:s, s:I, s:s, s:s, s:I, s:o, s:b, s:o}", "name", r->name, "address",
                        (json_int_t)r->addr, "width", (json_int_t)r->width, "access", r->access,
                        "reset", (json_int_t)r->reset, "meaning", r->doc, "requirement",
                        r->req ? r->req : "", "most", (json_int_t)r->most, "write", write_json(r), "changes_by_itself", r->moves,
                        "fields", fields_json(d, i)));
  }
  return list;
}

static json_t *covers_json(const struct simt_desc *d) {
  json_t *list = json_array();
  for (size_t i = 0; i < d->n_covers; i++) {
    const struct simt_cover *c = &d->covers[i];
    json_array_append_new(list, json_pack("{s:s, s:s, s:s}", "name", c->name, "meaning", c->doc,
                                          "requirement", c->req ? c->req : ""));
  }
  return list;
}

/* What `check --stimulus KIND:NAME` takes; no requirement: one that stands for all, or for none alone. */
static void stimuli_of(json_t *list, const char *kind, const struct simt_named *n) {
  for (; n && n->name; n++)
    json_array_append_new(list, json_pack("{s:s, s:s, s:s, s:s}", "kind", kind, "name", n->name, "meaning", n->doc ? n->doc : "",
                                          "requirement", n->req ? n->req : ""));
}

static json_t *stimuli_json(const struct simt_config *cfg) {
  const struct simt_verif *v = simt_find_verif(cfg->block);
  json_t *list = json_array();
  if (v) stimuli_of(list, "random", v->profiles);
  if (v) stimuli_of(list, "directed", v->directed);
  return list;
}

static json_t *uses_json(const struct simt_block *b) {
  json_t *list = json_array();
  for (const char *const *u = b->uses; u && *u; u++) json_array_append_new(list, json_string(*u));
  return list;
}

static int show_json(const struct simt_config *cfg) {
  const struct simt_block *b = cfg->block;
  char hash[17];
  config_hash(cfg, hash);
  json_t *all = json_pack("{s:i, s:s, s:s, s:s, s:s, s:s, s:s}", "schema", 1, "version",
                          SIMT_VERSION, "block", b->name, "title", b->title, "summary", b->summary,
                          "name", cfg->name, "config_hash", hash);
  json_object_set_new(all, "warning", json_string(cfg->desc.warning));
  json_object_set_new(all, "uses", uses_json(b));
  json_object_set_new(all, "parameters", parameters_json(cfg));
  json_object_set_new(all, "records", lists_json(cfg));
  json_object_set_new(all, "ports", ports_json(&cfg->desc));
  json_object_set_new(all, "core_inputs", core_inputs_json(&simt_plain(cfg)->desc));
  json_object_set_new(all, "derived", derived_json(&cfg->desc));
  json_object_set_new(all, "registers", registers_json(&cfg->desc));
  json_object_set_new(all, "coverage", covers_json(&cfg->desc));
  json_object_set_new(all, "stimuli", stimuli_json(cfg));
  json_dumpf(all, stdout, JSON_INDENT(2));
  putchar('\n');
  json_decref(all);
  return EXIT_DONE;
}

/* The drawing, into a file. */
static bool draw(const struct gen_options *o) {
  struct text svg = {0};
  struct simt_diag diag = {0};
  if (has_topology(&o->cfg)) svg_topology(&svg, &o->cfg);
  else svg_symbol(&svg, &o->cfg);
  FILE *f = fopen(o->svg, "w");
  bool good = f && fwrite(svg.s, 1, svg.len, f) == svg.len;
  if (f && fclose(f)) good = false;
  if (!good) {
    simt_fail(&diag, o->svg, strerror(errno), "a file that can be written");
    message_error(&diag);
  }
  text_free(&svg);
  return good;
}

int cmd_describe(const struct gen_options *o) {
  if (o->svg && !draw(o)) return EXIT_USAGE;
  return o->json ? show_json(&o->cfg) : show_text(&o->cfg);
}
