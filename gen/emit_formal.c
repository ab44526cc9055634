/* SPDX-License-Identifier: Apache-2.0 */
/* emit_formal.c: formal/: the properties of a block, a top that binds them to the instance, and an SBY file.
 *
 * verif/BLOCK/formal/ holds the property module BLOCK_blackbox.v and tasks.txt. The module drives each input
 * NAME of the block from a free one, `free_NAME`, reads each output, and takes the block's parameters, its derived
 * values and the options of a task as parameters. Each of its outputs `bad_PROPERTY_o` is 1 when the property is
 * broken, each `cover_PROPERTY_o` when something worth reaching is reached; the comment behind it says what. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "gen.h"

enum { MAX_TASKS = 16, MAX_OPTIONS = 16, MAX_PROPERTIES = 64 };
struct task { char name[32], mode[8]; unsigned depth; char options[120]; };
struct formal {
  struct task task[MAX_TASKS];
  char option[MAX_OPTIONS][32];
  struct { char name[48], doc[160]; bool cover; size_t prefix, length; } property[MAX_PROPERTIES];
  size_t n_tasks, n_options, n_properties;
};

static void add_option(struct formal *f, const char *name, size_t len) {
  for (size_t i = 0; i < f->n_options; i++)
    if (strlen(f->option[i]) == len && !strncmp(f->option[i], name, len)) return;
  if (f->n_options == MAX_OPTIONS || len >= sizeof f->option[0]) return;
  memcpy(f->option[f->n_options++], name, len);
}

static const char *next_word(const char *s) {
  s += strcspn(s, " ");
  return s + strspn(s, " ");
}

/* One line of tasks.txt: TASK MODE DEPTH [OPTION=VALUE]... [PROPERTY]... */
static bool read_task(struct formal *f, const char *line, struct simt_diag *diag) {
  struct task *t = &f->task[f->n_tasks];
  int used = 0;
  bool good = f->n_tasks < MAX_TASKS && sscanf(line, "%31s %7s %u %n", t->name, t->mode, &t->depth, &used) == 3 &&
              (!strcmp(t->mode, "bmc") || !strcmp(t->mode, "prove") || !strcmp(t->mode, "cover"));
  if (!good) return simt_fail(diag, "tasks.txt", line, "TASK, one of bmc, prove and cover, DEPTH, options");
  snprintf(t->options, sizeof t->options, "%s", line + used);
  for (const char *o = t->options; *o; o = next_word(o))
    if (o[strcspn(o, "= ")] == '=') add_option(f, o, strcspn(o, "= "));
  f->n_tasks++;
  return true;
}

/* The properties: lines `output wire bad_NAME_o, // doc` of the module. */
static void read_property(struct formal *f, const char *line) {
  static const char bad[] = "output wire bad_", cover[] = "output wire cover_";
  const char *at = strstr(line, bad), *doc = strstr(line, "// ");
  bool covers = !at && (at = strstr(line, cover));
  if (!at || f->n_properties == MAX_PROPERTIES) return;
  at += strlen("output wire ");
  size_t len = strspn(at, "abcdefghijklmnopqrstuvwxyz0123456789_");
  if (len < 9 || len >= sizeof f->property[0].name) return;
  snprintf(f->property[f->n_properties].name, sizeof f->property[0].name, "%.*s", (int)len, at);
  f->property[f->n_properties].prefix = covers ? 6 : 4; /* cover_ or bad_ ... _o */
  f->property[f->n_properties].length = len - 2 - f->property[f->n_properties].prefix;
  snprintf(f->property[f->n_properties].doc, sizeof f->property[0].doc, "%s", doc ? doc + 3 : "");
  f->property[f->n_properties++].cover = covers;
}

/* Calls `read` for each line of a file, without comments when they begin the line. */
static bool read_formal(struct formal *f, const char *path, bool tasks, struct simt_diag *diag) {
  char *text = file_read(path, NULL, diag), *rest = text;
  bool good = text != NULL;
  for (char *line; good && (line = strsep(&rest, "\n"));) {
    line += strspn(line, " ");
    if (!tasks) read_property(f, line);
    else if (*line && *line != '#') good = read_task(f, line, diag);
  }
  free(text);
  return good;
}

static const struct simt_port *port_of(const struct simt_config *cfg, enum simt_role role) {
  for (size_t i = 0; i < cfg->desc.n_ports; i++)
    if (cfg->desc.ports[i].role == role) return &cfg->desc.ports[i];
  return NULL;
}

static void width(struct text *t, unsigned bits) {
  if (bits > 1) text_add(t, "[%u:0] ", bits - 1);
}

static void top_ports(struct text *t, const struct simt_config *cfg, const struct formal *f, const char *clock) {
  text_add(t, "  input  wire %s,\n  input  wire [63:0] free_mark_i,\n", clock);
  for (size_t i = 0; i < cfg->desc.n_ports; i++) {
    const struct simt_port *p = &cfg->desc.ports[i];
    if (p->dir != SIMT_IN || p->role != SIMT_DATA) continue;
    text_add(t, "  input  wire ");
    width(t, p->width);
    text_add(t, "free_%s,\n", p->name);
  }
  for (size_t i = 0; i < f->n_properties; i++)
    text_add(t, "\n  // %s\n  output wire %s%s", f->property[i].doc, f->property[i].name,
             i + 1 < f->n_properties ? "," : "\n");
}

static void checker_parameters(struct text *t, const struct simt_config *cfg, const struct formal *f) {
  const char *comma = "";
  for (size_t i = 0; i < cfg->block->n_params; i++) {
    if (cfg->block->params[i].flags & SIMT_GEN_ONLY) continue;
    text_add(t, "%s\n    .%s(%" PRIu64 ")", comma, cfg->block->params[i].name, cfg->value[i]);
    comma = ",";
  }
  for (size_t i = 0; i < cfg->desc.n_derived; i++, comma = ",")
    text_add(t, "%s\n    .%s(%" PRIu64 ")", comma, cfg->desc.derived[i].name, cfg->desc.derived[i].value);
  for (size_t i = 0; i < f->n_options; i++, comma = ",")
    text_add(t, "%s\n    .%s(%s)", comma, f->option[i], f->option[i]);
}

/* The properties are about the block's own ports: behind wrappers, it stands here without them. */
static void emit_formal_top(struct text *t, const struct simt_config *cfg, const struct formal *f) {
  const struct simt_config *plain = simt_plain(cfg);
  const struct simt_desc *d = &plain->desc;
  const char *clock = port_of(cfg, SIMT_CLOCK)->name, *reset = port_of(cfg, SIMT_RESET)->name;
  char what[200];
  snprintf(what, sizeof what, "%s_formal.v: the properties of %s; every input is free, reset in the first cycle",
           cfg->name, cfg->name);
  emit_header_comment(t, cfg, "//", what);
  text_add(t, "`default_nettype none\n\nmodule %s_formal ", cfg->name);
  text_add(t, "#(\n  parameter [%zu:0] PROPERTIES = {%zu{1'b1}}", f->n_properties - 1, f->n_properties);
  for (size_t i = 0; i < f->n_options; i++) text_add(t, ",\n  parameter %s = 0", f->option[i]);
  text_add(t, "\n) (\n");
  top_ports(t, plain, f, clock);
  text_add(t, ");\n  // From any state, reset: what holds then holds after every reset.\n  reg started_q;\n"
              "  initial started_q = 1'b0;\n  always @(posedge %s) started_q <= 1'b1;\n  wire %s = !started_q;\n\n",
           clock, reset);
  for (size_t i = 0; i < d->n_ports; i++)
    if (d->ports[i].role == SIMT_DATA) {
      text_add(t, "  wire ");
      width(t, d->ports[i].width);
      text_add(t, "%s;\n", d->ports[i].name);
    }
  text_add(t, "  wire [%zu:0] shown;\n  %s%s ", f->n_properties - 1, cfg->name, cfg->core ? "_core" : "");
  if (cfg->core) emit_parameter_map(t, cfg);
  text_add(t, "u_dut (");
  for (size_t i = 0; i < d->n_ports; i++)
    text_add(t, "%s\n    .%s(%s)", i ? "," : "", d->ports[i].name, d->ports[i].name);
  text_add(t, ");\n\n  %s_blackbox #(", cfg->name);
  checker_parameters(t, plain, f);
  text_add(t, "\n  ) u_blackbox (\n    .free_mark_i(free_mark_i)");
  for (size_t i = 0; i < d->n_ports; i++) {
    const struct simt_port *p = &d->ports[i];
    text_add(t, ",\n    .%s(%s)", p->name, p->name);
    if (p->dir == SIMT_IN && p->role == SIMT_DATA) text_add(t, ", .free_%s(free_%s)", p->name, p->name);
  }
  for (size_t i = 0; i < f->n_properties; i++)
    text_add(t, ",\n    .%s(shown[%zu])", f->property[i].name, i);
  text_add(t, ");\n");
  for (size_t i = 0; i < f->n_properties; i++)
    text_add(t, "  assign %s = PROPERTIES[%zu] && shown[%zu];\n", f->property[i].name, i, i);
  text_add(t, "\n`ifdef FORMAL\n  always @(posedge %s) begin\n", clock);
  for (size_t i = 0; i < f->n_properties; i++) {
    const char *name = f->property[i].name;
    if (f->property[i].cover) text_add(t, "    %.*s: cover (%s);\n", (int)strlen(name) - 2, name, name);
    else text_add(t, "    %.*s: assert (!%s);\n", (int)strlen(name) - 2, name, name);
  }
  text_add(t, "  end\n`endif\nendmodule\n\n`default_nettype wire\n");
}

/* Bit i: the task asks for property i; all of them when it names none. */
static uint64_t task_properties(const struct formal *f, const struct task *task) {
  uint64_t set = 0;
  for (const char *o = task->options; *o; o = next_word(o))
    for (size_t i = 0, len = strcspn(o, " "); i < f->n_properties; i++)
      if (!strncmp(f->property[i].name + f->property[i].prefix, o, len) && f->property[i].length == len)
        set |= (uint64_t)1 << i;
  return set ? set : ~(uint64_t)0 >> (64 - f->n_properties);
}

/* The task's options as parameters of the top. */
static void sby_options(struct text *t, const struct formal *f, const struct task *task) {
  text_add(t, " -chparam PROPERTIES %zu'h%" PRIx64, f->n_properties, task_properties(f, task));
  for (const char *o = task->options; *o; o = next_word(o)) {
    size_t name = strcspn(o, "= "), len = strcspn(o, " ");
    if (o[name] == '=')
      text_add(t, " -chparam %.*s %.*s", (int)name, o, (int)(len - name - 1), o + name + 1);
  }
}

static void sby_files(struct text *t, const struct fileset *fs, const char *form) {
  for (size_t i = 0; i < fs->n; i++) {
    const char *path = fs->file[i].path, *slash = strrchr(path, '/');
    size_t len = strlen(path);
    if (!slash || len < 3 || strcmp(path + len - 2, ".v")) continue;
    if (!strncmp(path, "formal/", 7)) text_add(t, form, "", slash + 1);
    else if (!strncmp(path, "rtl/", 4)) text_add(t, form, "../rtl/", slash + 1);
  }
}

static void emit_sby(struct text *t, const struct simt_config *cfg, const struct formal *f, const struct fileset *fs) {
  char what[200];
  snprintf(what, sizeof what, "%s.sby: run in this folder: sby -f %s.sby [TASK]", cfg->name, cfg->name);
  emit_header_comment(t, cfg, "#", what);
  text_add(t, "[tasks]\n");
  for (size_t i = 0; i < f->n_tasks; i++) text_add(t, "%s\n", f->task[i].name);
  text_add(t, "\n[options]\n");
  for (size_t i = 0; i < f->n_tasks; i++) {
    const struct task *k = &f->task[i];
    text_add(t, "%s: mode %s\n", k->name, k->mode);
    if (strcmp(k->mode, "prove")) text_add(t, "%s: depth %u\n", k->name, k->depth);
  }
  text_add(t, "\n[engines]\n");
  for (size_t i = 0; i < f->n_tasks; i++) {
    const char *mode = f->task[i].mode;
    text_add(t, "%s: %s\n", f->task[i].name, !strcmp(mode, "bmc") ? "abc bmc3"
             : !strcmp(mode, "prove") ? "abc pdr" : "smtbmc --unroll z3");
  }
  text_add(t, "\n[script]\n");
  sby_files(t, fs, "read_verilog -formal %.0s%s\n");
  for (size_t i = 0; i < f->n_tasks; i++) {
    text_add(t, "%s: hierarchy -top %s_formal", f->task[i].name, cfg->name);
    sby_options(t, f, &f->task[i]);
    text_add(t, "\n");
  }
  text_add(t, "prep -flatten\n\n[files]\n");
  sby_files(t, fs, "%s%s\n");
}

bool emit_formal(struct fileset *fs, const struct simt_config *cfg, struct simt_diag *diag) {
  char folder[128], path[300], tasks[300];
  snprintf(folder, sizeof folder, "verif/%s/formal", cfg->block->name);
  snprintf(path, sizeof path, "%s/%s_blackbox.v", folder, cfg->block->name);
  const char *at = data_path(path);
  if (!at) return true; /* a block without properties */
  struct formal f = {0};
  if (!read_formal(&f, at, false, diag)) return false;
  snprintf(tasks, sizeof tasks, "%s/tasks.txt", folder);
  at = data_path(tasks);
  if (!at) return simt_fail(diag, tasks, "no such file", "the list of formal tasks beside %s", path);
  if (!read_formal(&f, at, true, diag) || !emit_copies(fs, "formal", folder, cfg, diag)) return false;
  emit_formal_top(fileset_add(fs, "formal/%s_formal.v", cfg->name), cfg, &f);
  struct text *t = fileset_add(fs, "formal/%s.sby", cfg->name);
  emit_sby(t, cfg, &f, fs);
  return true;
}
