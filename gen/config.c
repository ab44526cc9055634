/* SPDX-License-Identifier: Apache-2.0 */
/* config.c: configuration files. The file is read into a short list of entries (yaml.c), then each
 * entry is applied to the configuration; every error names its line and column. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "gen.h"
#include "core/records.h"
#include "yaml.h"

/* Words that a name of a Verilog module must not be: the keywords of IEEE 1800-2017, sorted. */
static const char *const keywords[] = {
  "accept_on", "alias", "always", "always_comb", "always_ff", "always_latch", "and", "assert",
  "assign", "assume", "automatic", "before", "begin", "bind", "bins", "binsof", "bit", "break",
  "buf", "bufif0", "bufif1", "byte", "case", "casex", "casez", "cell", "chandle", "checker",
  "class", "clocking", "cmos", "config", "const", "constraint", "context", "continue", "cover",
  "covergroup", "coverpoint", "cross", "deassign", "default", "defparam", "design", "disable",
  "dist", "do", "edge", "else", "end", "endcase", "endchecker", "endclass", "endclocking",
  "endconfig", "endfunction", "endgenerate", "endgroup", "endinterface", "endmodule", "endpackage",
  "endprimitive", "endprogram", "endproperty", "endsequence", "endspecify", "endtable", "endtask",
  "enum", "event", "eventually", "expect", "export", "extends", "extern", "final", "first_match",
  "for", "force", "foreach", "forever", "fork", "forkjoin", "function", "generate", "genvar",
  "global", "highz0", "highz1", "if", "iff", "ifnone", "ignore_bins", "illegal_bins", "implements",
  "implies", "import", "incdir", "include", "initial", "inout", "input", "inside", "instance",
  "int", "integer", "interconnect", "interface", "intersect", "join", "join_any", "join_none",
  "large", "let", "liblist", "library", "local", "localparam", "logic", "longint", "macromodule",
  "matches", "medium", "modport", "module", "nand", "negedge", "nettype", "new", "nexttime",
  "nmos", "nor", "noshowcancelled", "not", "notif0", "notif1", "null", "or", "output", "package",
  "packed", "parameter", "pmos", "posedge", "primitive", "priority", "program", "property",
  "protected", "pull0", "pull1", "pulldown", "pullup", "pulsestyle_ondetect", "pulsestyle_onevent",
  "pure", "rand", "randc", "randcase", "randsequence", "rcmos", "real", "realtime", "ref", "reg",
  "reject_on", "release", "repeat", "restrict", "return", "rnmos", "rpmos", "rtran", "rtranif0",
  "rtranif1", "s_always", "s_eventually", "s_nexttime", "s_until", "s_until_with", "scalared",
  "sequence", "shortint", "shortreal", "showcancelled", "signed", "small", "soft", "solve",
  "specify", "specparam", "static", "string", "strong", "strong0", "strong1", "struct", "super",
  "supply0", "supply1", "sync_accept_on", "sync_reject_on", "table", "tagged", "task", "this",
  "throughout", "time", "timeprecision", "timeunit", "tran", "tranif0", "tranif1", "tri", "tri0",
  "tri1", "triand", "trior", "trireg", "type", "typedef", "union", "unique", "unique0", "unsigned",
  "until", "until_with", "untyped", "use", "uwire", "var", "vectored", "virtual", "void", "wait",
  "wait_order", "wand", "weak", "weak0", "weak1", "while", "wildcard", "wire", "with", "within",
  "wor", "xnor", "xor",
};

/* Those of IEEE 1076-2019 (VHDL) that are not there already, sorted: from there a module of this name could not be
 * instantiated. */
static const char *const vhdl_keywords[] = {
  "abs", "access", "after", "all", "architecture", "array", "assume_guarantee", "attribute", "block",
  "body", "buffer", "bus", "component", "configuration", "constant", "disconnect", "downto", "elsif",
  "entity", "exit", "fairness", "file", "generic", "group", "guarded", "impure", "in", "inertial", "is",
  "label", "linkage", "literal", "loop", "map", "mod", "next", "of", "on", "open", "others", "out",
  "port", "postponed", "private", "procedure", "process", "range", "record", "register", "reject", "rem",
  "report", "restrict_guarantee", "rol", "ror", "select", "severity", "shared", "signal", "sla", "sll",
  "sra", "srl", "subtype", "then", "to", "transport", "unaffected", "units", "variable", "view", "vmode",
  "vprop", "vunit", "when",
};

static int compare_word(const void *a, const void *b) {
  return strcmp(a, *(const char *const *)b);
}

bool config_set_name(struct simt_config *cfg, const char *name, struct simt_diag *diag) {
  enum { NAME_MAX_LENGTH = 31 };
  static const char letters[] = "abcdefghijklmnopqrstuvwxyz0123456789_";
  size_t n = strspn(name, letters);
  if (name[n] || !n || n > NAME_MAX_LENGTH || name[0] < 'a' || name[0] > 'z')
    return simt_fail(
        diag, "name", name[0] ? name : "an empty name",
        "a lower-case letter, then at most %d of a-z, 0-9, _ (prefix of all that is generated)",
        NAME_MAX_LENGTH - 1);
  if (bsearch(name, keywords, sizeof keywords / sizeof *keywords, sizeof *keywords, compare_word))
    return simt_fail(diag, "name", name, "a name that is no keyword of Verilog or SystemVerilog");
  if (bsearch(name, vhdl_keywords, sizeof vhdl_keywords / sizeof *vhdl_keywords, sizeof *vhdl_keywords, compare_word))
    return simt_fail(diag, "name", name, "a name that is no keyword of VHDL, from where the module could not be instantiated");
  if (name[n - 1] == '_' || strstr(name, "__"))
    return simt_fail(diag, "name", name, "a name without two _ in a row or one at its end, which VHDL does not take");
  if (!strcmp(name, "simt"))
    return simt_fail(diag, "name", name, "another name (macros of libsimt begin with SIMT_)");
  snprintf(cfg->name, sizeof cfg->name, "%s", name);
  return true;
}

static bool no_value(const char *value, struct simt_diag *diag) {
  if (!value[0] && !diag->got[0]) snprintf(diag->got, sizeof diag->got, "no value");
  return false;
}

bool config_set(struct simt_config *cfg, const char *name, const char *value,
                struct simt_diag *diag) {
  int index = simt_param_index(cfg, name);
  if (index >= 0 && !cfg->param[index]->choices && value[0] == '0' && value[1] >= '0' &&
      value[1] <= '9')
    return simt_fail(diag, name, value,
                     "a number without leading zeros (octal or decimal is not clear)");
  return simt_set_param(cfg, name, value, diag) || no_value(value, diag);
}

/* ---- entries of a file into a configuration -------------------------------------------------- */

static bool placed(struct simt_diag *diag, const char *file, unsigned line, unsigned col) {
  snprintf(diag->file, sizeof diag->file, "%s", file);
  diag->line = line;
  diag->col = col;
  return false;
}

bool config_find_block(const char *name, const struct simt_block **block, struct simt_diag *diag) {
  *block = simt_find_block(name);
  if (*block) return true;
  size_t n = 0;
  while (simt_blocks[n]) n++;
  const char **names = calloc(n + 1, sizeof *names);
  if (!names) abort();
  for (size_t i = 0; i < n; i++) names[i] = simt_blocks[i]->name;
  const char *near = simt_nearest(name, names);
  free(names);
  simt_fail(diag, "block", name[0] ? name : "nothing", "the name of a block");
  if (near) snprintf(diag->hint, sizeof diag->hint, "did you mean %s?", near);
  else snprintf(diag->hint, sizeof diag->hint, "see: simtgen list");
  return false;
}

/* The entry of a top-level key, or NULL. */
static const struct yaml_entry *find(const struct yaml_entries *e, const char *key) {
  for (size_t i = 0; i < e->n; i++)
    if (!e->entry[i].in_params && !strcmp(e->entry[i].key.text, key)) return &e->entry[i];
  return NULL;
}

static bool apply_block(const struct yaml_entries *e, const char *file, struct simt_config *cfg,
                        struct simt_diag *diag) {
  const struct simt_block *block;
  const struct yaml_entry *b = find(e, "block");
  if (!b) {
    simt_fail(diag, "block", "no such key", "block: the name of a block");
    snprintf(diag->hint, sizeof diag->hint, "see: simtgen list");
    return placed(diag, file, 1, 1);
  }
  if (!config_find_block(b->value.text, &block, diag))
    return placed(diag, file, b->value.line, b->value.col);
  simt_config_init(cfg, block);
  return true;
}

static bool apply_param(const struct yaml_entry *p, const char *file, struct simt_config *cfg,
                        struct config_places *where, struct simt_diag *diag) {
  const struct yaml_word *v = &p->value;
  int index = simt_param_index(cfg, p->key.text);
  const struct simt_param *param = index < 0 ? NULL : cfg->param[index];
  bool text = v->quoted && param && !param->choices;
  char shown[sizeof v->text + 32];
  snprintf(shown, sizeof shown, "%s\"%s\"", text ? "the text " : "", v->text);
  if (!config_set(cfg, p->key.text, text ? shown : v->text, diag)) {
    return placed(diag, file, param ? v->line : p->key.line, param ? v->col : p->key.col);
  }
  where->at[index].line = p->key.line;
  where->at[index].col = p->key.col;
  return true;
}

/* ---- lists of records ------------------------------------------------------------------------ */

static bool list_twice(const struct yaml_entries *e, const struct yaml_item *list, struct simt_diag *diag) {
  for (const struct yaml_item *i = e->item; i < list; i++)
    if (i->kind == YAML_LIST && !strcmp(i->key.text, list->key.text)) {
      simt_fail(diag, list->key.text, "a second list", "each list once (first at line %u)", i->key.line);
      snprintf(diag->hint, sizeof diag->hint, "remove one of them");
      return true;
    }
  return false;
}

/* No identifier begins with a digit: what is in quotes is text, and no number. */
static bool apply_cell(const struct yaml_item *i, const struct simt_list *l, struct simt_config *cfg, struct simt_diag *diag) {
  const struct yaml_word *v = &i->value;
  char shown[sizeof v->text + 32];
  snprintf(shown, sizeof shown, "%s%s%s", v->quoted ? "the text \"" : "", v->text, v->quoted ? "\"" : "");
  bool number = v->quoted && v->text[0] >= '0' && v->text[0] <= '9';
  struct simt_cell *cell = simt_set_cell(cfg, l->name, i->key.text, number ? shown : v->text, diag);
  if (!cell) return false;
  cell->line = v->line;
  cell->col = v->col;
  return true;
}

/* One item of the list `*l`, or the beginning of another. */
static bool apply_item(const struct yaml_entries *e, const struct yaml_item *i, const struct simt_list **l, const char *file,
                       struct simt_config *cfg, struct simt_diag *diag) {
  const struct yaml_word *at = &i->key;
  bool good;
  if (i->kind == YAML_LIST) {
    *l = list_twice(e, i, diag) ? NULL : simt_find_list(cfg, at->text, diag);
    good = *l;
  } else if (i->kind == YAML_RECORD) {
    struct simt_record *r = simt_add_record(cfg, (*l)->name, diag);
    if (r) r->line = at->line, r->col = at->col;
    good = r;
  } else {
    if (simt_find_column(*l, at->text, diag)) at = &i->value;
    good = apply_cell(i, *l, cfg, diag);
  }
  return good || placed(diag, file, at->line, at->col);
}

static bool apply_records(const struct yaml_entries *e, const struct yaml_entry *key, const char *file, struct simt_config *cfg,
                          struct simt_diag *diag) {
  struct simt_records *rs = &cfg->records;
  const struct simt_list *list = NULL;
  if (!cfg->block->lists || strcmp(cfg->block->lists->key, key->key.text)) {
    simt_fail(diag, key->key.text, "an unknown key", "block, name or params (%s has no such lists)", cfg->block->name);
    return placed(diag, file, key->key.line, key->key.col);
  }
  rs->given = true;
  rs->line = key->key.line;
  rs->col = key->key.col;
  snprintf(rs->file, sizeof rs->file, "%s", file);
  for (size_t i = 0; i < e->n_items; i++)
    if (!apply_item(e, &e->item[i], &list, file, cfg, diag)) return false;
  return true;
}

/* All but block:. */
static bool apply_entries(const struct yaml_entries *e, const char *file, struct simt_config *cfg, struct config_places *where,
                          struct simt_diag *diag) {
  bool ok = true;
  for (size_t i = 0; ok && i < e->n; i++) {
    const struct yaml_entry *p = &e->entry[i];
    if (p->in_params) ok = apply_param(p, file, cfg, where, diag);
    else if (p->is_lists) ok = apply_records(e, p, file, cfg, diag);
    else if (!strcmp(p->key.text, "name") && !config_set_name(cfg, p->value.text, diag))
      ok = placed(diag, file, p->value.line, p->value.col);
  }
  return ok;
}

bool config_parse(const char *text, size_t size, const char *file, struct simt_config *cfg,
                  struct config_places *where, struct simt_diag *diag) {
  memset(cfg, 0, sizeof *cfg);
  memset(where, 0, sizeof *where);
  snprintf(where->file, sizeof where->file, "%s", file);
  struct yaml_entries *e = yaml_read(text, size, file, diag);
  bool ok = e && apply_block(e, file, cfg, diag) && apply_entries(e, file, cfg, where, diag);
  yaml_free(e);
  return ok;
}

/* A file of lists may be a whole configuration, then of this block. */
static bool check_same_block(const struct yaml_entries *e, const char *file, const struct simt_config *cfg, struct simt_diag *diag) {
  const struct yaml_entry *b = find(e, "block");
  if (!b || !strcmp(b->value.text, cfg->block->name)) return true;
  simt_fail(diag, "block", b->value.text, "%s, the block that the lists are for", cfg->block->name);
  snprintf(diag->hint, sizeof diag->hint, "correct it, or leave it out of a file that is for several blocks");
  return placed(diag, file, b->value.line, b->value.col);
}

bool config_set_lists(struct simt_config *cfg, const char *path, struct config_places *where, struct simt_diag *diag) {
  struct config_places own;
  memset(&own, 0, sizeof own);
  snprintf(own.file, sizeof own.file, "%s", path);
  size_t size;
  char *text = file_read(path, &size, diag);
  struct yaml_entries *e = text ? yaml_read(text, size, path, diag) : NULL;
  const struct yaml_entry *key = e ? find(e, cfg->block->lists->key) : NULL;
  struct simt_config empty = {.block = NULL};
  bool ok = e && (key || (simt_fail(diag, cfg->block->lists->key, "no such key", "%s: in this file", cfg->block->lists->key),
                          placed(diag, path, 1, 1)));
  ok = ok && simt_copy_records(cfg, &empty) && check_same_block(e, path, cfg, diag) && apply_entries(e, path, cfg, &own, diag);
  if (!where->file[0]) *where = own;
  yaml_free(e);
  free(text);
  return ok;
}

/* Does `text` contain the name as a whole word? */
static bool mentions(const char *text, const char *name) {
  static const char word[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_";
  size_t n = strlen(name);
  for (const char *s = text; (s = strstr(s, name)); s++)
    if ((s == text || !strchr(word, s[-1])) && (!s[n] || !strchr(word, s[n]))) return true;
  return false;
}

bool config_resolve(struct simt_config *cfg, const struct config_places *where,
                    struct simt_diag *diag) {
  if (simt_resolve(cfg, diag)) return true;
  if (!where->file[0] || diag->file[0]) return false;
  int blamed = simt_param_index(cfg, diag->name);
  for (int i = 0; i < (int)cfg->n_params && (blamed < 0 || !where->at[blamed].line); i++)
    if (where->at[i].line && mentions(diag->expected, cfg->param[i]->name)) blamed = i;
  if (blamed >= 0 && where->at[blamed].line)
    return placed(diag, where->file, where->at[blamed].line, where->at[blamed].col);
  return placed(diag, where->file, 0, 0);
}

bool config_from_yaml(const char *text, size_t size, const char *file, struct simt_config *cfg,
                      struct simt_diag *diag) {
  struct config_places where;
  return config_parse(text, size, file, cfg, &where, diag) && config_resolve(cfg, &where, diag);
}

bool config_from_file(const char *path, struct simt_config *cfg, struct simt_diag *diag) {
  size_t size;
  char *text = file_read(path, &size, diag);
  bool ok = text && config_from_yaml(text, size, path, cfg, diag);
  free(text);
  return ok;
}

/* ---- a configuration as text ----------------------------------------------------------------- */

/* The records that are given, a line each; names in quotes, because other readers take a bare `no` for false. */
static void records_to_yaml(struct text *t, const struct simt_config *cfg) {
  const struct simt_lists *ls = cfg->block->lists;
  if (!cfg->records.given) return;
  text_add(t, "%s:  # %s\n", ls->key, ls->doc);
  for (size_t i = 0; i < ls->n; i++) {
    if (!cfg->records.list[i].n) continue;
    text_add(t, "  %s:  # %s\n", ls->list[i].name, ls->list[i].doc);
    for (size_t k = 0; k < cfg->records.list[i].n; k++) {
      const char *before = "    - {";
      for (size_t c = 0; c < ls->list[i].n_columns; c++) {
        const struct simt_cell *cell = &cfg->records.list[i].record[k].cell[c];
        const char *quote = ls->list[i].column[c].kind == SIMT_NUMBER ? "" : "\"";
        if (!cell->given) continue;
        text_add(t, "%s%s: %s%s%s", before, ls->list[i].column[c].name, quote, cell->text, quote);
        before = ", ";
      }
      text_add(t, "}\n");
    }
  }
}

const char *config_yaml_quote(const char *name) {
  static const char *const words[] = {"false", "n", "no", "off", "on", "true", "y", "yes"};
  return bsearch(name, words, sizeof words / sizeof *words, sizeof *words, compare_word) ? "\"" : "";
}

char *config_to_yaml(const struct simt_config *cfg) {
  struct text t = {0};
  const char *mark = config_yaml_quote(cfg->name);
  text_add(&t, "block: %s\nname: %s%s%s\nparams:%s\n", cfg->block->name, mark, cfg->name, mark, cfg->n_params ? "" : " {}");
  for (size_t i = 0; i < cfg->n_params; i++) {
    const struct simt_param *p = cfg->param[i];
    char buffer[24];
    const char *quote = p->choices ? "\"" : ""; /* other readers take a bare `no` for false */
    if (simt_replaced(cfg, i)) continue;
    text_add(&t, "  %s: %s%s%s  # %s\n", p->name, quote, simt_value_text(p, cfg->value[i], buffer),
             quote, p->doc);
  }
  records_to_yaml(&t, cfg);
  return t.s;
}

void config_hash(const struct simt_config *cfg, char hex[17]) {
  struct text t = {0};
  char buffer[24], whole[65];
  text_add(&t, "simtgen %s\nblock %s\n", SIMT_VERSION, cfg->block->name);
  for (size_t i = 0; i < cfg->n_params; i++)
    text_add(&t, "%s=%s\n", cfg->param[i]->name,
             simt_value_text(cfg->param[i], cfg->value[i], buffer));
  for (size_t i = 0; cfg->records.given && i < cfg->block->lists->n; i++)
    for (size_t k = 0; k < cfg->records.list[i].n; k++)
      for (size_t c = 0; c < cfg->block->lists->list[i].n_columns; c++) {
        const struct simt_cell *cell = &cfg->records.list[i].record[k].cell[c];
        text_add(&t, "%s%zu.%s=%s,%" PRIu64 "\n", cfg->block->lists->list[i].name, k, cfg->block->lists->list[i].column[c].name,
                 cell->text, cell->number);
      }
  sha256_hex(t.s, t.len, whole);
  snprintf(hex, 17, "%.16s", whole);
  text_free(&t);
}

void config_changes(struct text *t, const char *before, const struct simt_config *cfg) {
  if (cfg->records.given) text_add(t, "%s%s=%s", before, cfg->block->lists->key, cfg->records.file);
  for (size_t i = 0; i < cfg->n_params; i++) {
    char buffer[24];
    const struct simt_param *p = cfg->param[i];
    /* the file of the lists may say it, too, or another parameter moves the default */
    if (cfg->value[i] != p->def || ((cfg->records.given || cfg->block->defaults) && cfg->given[i]))
      text_add(t, "%s%s=%s", before, p->name, simt_value_text(p, cfg->value[i], buffer));
  }
}

void config_command(struct text *t, const char *command, const struct simt_config *cfg) {
  text_add(t, "simtgen %s %s", command, cfg->block->name);
  if (strcmp(cfg->name, cfg->block->name)) text_add(t, " -n %s", cfg->name);
  config_changes(t, " -p ", cfg);
}
