/* SPDX-License-Identifier: Apache-2.0 */
/* formal.c: formal/: the properties of a block, a top that binds them to the instance, and an SBY file.
 *
 * verif/BLOCK/formal/ holds the property module BLOCK_blackbox.v and tasks.txt. The module drives each input
 * NAME of the block from a free one, `free_NAME`, reads each output, and takes the block's parameters, its derived
 * values and the options of a task as parameters. Each of its outputs `bad_PROPERTY_o` is 1 when the property is
 * broken, each `cover_PROPERTY_o` when something worth reaching is reached; the comment behind it says what.
 * A module with an output `mark_o`, which says what part of the block it looks at, can be there twice: a task with the option
 * BOTH=1 takes as given what holds of another part, too. */
#include <ctype.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "gen.h"

enum { MAX_TASKS = 16, MAX_OPTIONS = 16, MAX_PROPERTIES = 64 };
enum source { BLACKBOX, INVARIANTS, N_SOURCES };
static const char *const sources[] = {"blackbox", "invariants"};
struct task { char name[32], mode[8]; unsigned depth; bool both; char options[400]; };
struct formal {
  struct task task[MAX_TASKS];
  char option[MAX_OPTIONS][32];
  struct { char name[48], doc[240]; bool cover; size_t prefix, length; enum source of; } property[MAX_PROPERTIES];
  size_t n_tasks, n_options, n_properties;
  char *source[N_SOURCES];
  bool both;                 /* a task has the option BOTH */
};

static bool add_option(struct formal *f, const char *name, size_t len, struct simt_diag *diag) {
  for (size_t i = 0; i < f->n_options; i++)
    if (strlen(f->option[i]) == len && !strncmp(f->option[i], name, len)) return true;
  if (f->n_options == MAX_OPTIONS || len >= sizeof f->option[0])
    return simt_fail(diag, "tasks.txt", name, "at most %d different options in all tasks, of at most %zu characters", MAX_OPTIONS,
                     sizeof f->option[0] - 1);
  memcpy(f->option[f->n_options++], name, len);
  return true;
}

static const char *next_word(const char *s) {
  s += strcspn(s, " ");
  return s + strspn(s, " ");
}

/* One line of tasks.txt: TASK MODE DEPTH [OPTION=VALUE]... [PROPERTY]... [+PROPERTY]... */
static bool read_task(struct formal *f, const char *line, struct simt_diag *diag) {
  struct task *t = &f->task[f->n_tasks];
  int used = 0;
  if (f->n_tasks == MAX_TASKS) return simt_fail(diag, "tasks.txt", line, "at most %d tasks", MAX_TASKS);
  bool good = sscanf(line, "%31s %7s %u %n", t->name, t->mode, &t->depth, &used) == 3 &&
              (!strcmp(t->mode, "bmc") || !strcmp(t->mode, "prove") || !strcmp(t->mode, "step") ||
               !strcmp(t->mode, "within") || !strcmp(t->mode, "cover"));
  if (!good) return simt_fail(diag, "tasks.txt", line, "TASK, one of bmc, prove, step, within and cover, DEPTH, options");
  snprintf(t->options, sizeof t->options, "%s", line + used);
  for (const char *o = t->options; *o; o = next_word(o))
    if (o[strcspn(o, "= ")] == '=' && !add_option(f, o, strcspn(o, "= "), diag)) return false;
  t->both = strstr(t->options, "BOTH=1");
  f->both = f->both || t->both;
  f->n_tasks++;
  return true;
}

/* The comment lines right above a line of a text, joined by spaces. */
static void comment_above(const char *text, const char *line, char *doc, size_t size) {
  const char *first = line;
  while (first > text) {
    const char *above = first - 1;
    while (above > text && above[-1] != '\n') above--;
    if (strncmp(above + strspn(above, " "), "//", 2)) break;
    first = above;
  }
  size_t at = 0;
  doc[0] = 0;
  for (; first < line && at < size; first += strcspn(first, "\n") + 1) {
    const char *words = first + strspn(first, " /");
    at += (size_t)snprintf(doc + at, size - at, "%s%.*s", at ? " " : "", (int)strcspn(words, "\n"), words);
  }
}

/* The properties: lines `output wire bad_NAME_o, // doc` of the module, or cover_NAME_o; a long doc stands in comment lines above.
 * None is left out: a line that is almost one of these is refused, and so is one more than there is room for. */
static bool read_property(struct formal *f, const char *line, enum source of, const char *path, struct simt_diag *diag) {
  static const char before[] = "  output wire ";
  char word[300], name[300];
  if (sscanf(line, " %299[a-z]", word) != 1 || strcmp(word, "output")) return true;
  snprintf(word, sizeof word, "%.*s", (int)strcspn(line, "/\n"), line);
  if (!strstr(word, " bad_") && !strstr(word, " cover_")) return true;
  const char *at = line + strlen(before), *doc = line + strcspn(line, "/\n");
  bool fits = !strncmp(line, before, strlen(before)) && sscanf(at, "%299[a-z0-9_]", name) == 1;
  bool covers = fits && !strncmp(name, "cover_", 6);
  size_t len = fits ? strlen(name) : 0, prefix = covers ? 6 : 4;
  fits = fits && (covers || !strncmp(name, "bad_", 4)) && len > prefix + 2 && len < sizeof f->property[0].name &&
         !strcmp(name + len - 2, "_o");
  if (!fits) return simt_fail(diag, path, word, "`  output wire bad_NAME_o` or cover_NAME_o of at most %zu characters, one in a line",
                              sizeof f->property[0].name - 1);
  if (f->n_properties == MAX_PROPERTIES) return simt_fail(diag, path, name, "at most %d properties of a block", MAX_PROPERTIES);
  strcpy(f->property[f->n_properties].name, name);
  f->property[f->n_properties].prefix = prefix; /* bad_ ... _o */
  f->property[f->n_properties].length = len - 2 - prefix;
  if (*doc == '/')
    snprintf(f->property[f->n_properties].doc, sizeof f->property[0].doc, "%.*s", (int)strcspn(doc + 3, "\n"), doc + 3);
  else
    comment_above(f->source[of], line, f->property[f->n_properties].doc, sizeof f->property[0].doc);
  f->property[f->n_properties].of = of;
  f->property[f->n_properties++].cover = covers;
  return true;
}

/* The properties of a module, if the block has it; the text is kept. */
static bool read_module(struct formal *f, const struct simt_config *cfg, enum source which, struct simt_diag *diag) {
  char path[300];
  snprintf(path, sizeof path, "verif/%s/formal/%s_%s.v", cfg->block->name, cfg->block->name, sources[which]);
  const char *at = data_path(path);
  if (!at) return true;
  f->source[which] = file_read(at, NULL, diag);
  for (const char *line = f->source[which]; line && *line; line += strcspn(line, "\n"), line += *line == '\n')
    if (!read_property(f, line, which, path, diag)) return false;
  return f->source[which] != NULL;
}

static bool read_tasks(struct formal *f, const struct simt_config *cfg, struct simt_diag *diag) {
  char path[300];
  snprintf(path, sizeof path, "verif/%s/formal/tasks.txt", cfg->block->name);
  const char *at = data_path(path);
  if (!at) return simt_fail(diag, path, "no such file", "the list of formal tasks beside the property module");
  char *text = file_read(at, NULL, diag), *rest = text;
  bool good = text != NULL;
  for (char *line; good && (line = strsep(&rest, "\n"));)
    if (*line && *line != '#') good = read_task(f, line, diag);
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

static bool in_word(char c) { return isalnum((unsigned char)c) || c == '_'; }

/* Whether Verilog text has the identifier, line comments apart: the module has such a port or parameter. */
static bool has_word(const char *text, const char *word) {
  size_t len = strlen(word);
  for (const char *at = text; (at = strstr(at, word)); at += len) {
    if ((at > text && in_word(at[-1])) || in_word(at[len])) continue;
    const char *line = at;
    while (line > text && line[-1] != '\n') line--;
    const char *comment = strstr(line, "//");
    if (!comment || comment > at) return true;
  }
  return false;
}

static bool is_input(const struct simt_port *p) { return p->dir == SIMT_IN && p->role == SIMT_DATA; }

static void top_ports(struct text *t, const struct simt_config *cfg, const struct formal *f, const char *clock) {
  text_add(t, "  input  wire %s,\n  input  wire free_reset_i,\n  input  wire [63:0] free_mark_i,\n", clock);
  for (size_t i = 0; i < cfg->desc.n_ports; i++) {
    const struct simt_port *p = &cfg->desc.ports[i];
    if (!is_input(p)) continue;
    text_add(t, "  input  wire ");
    width(t, p->width);
    text_add(t, "free_%s,\n", p->name);
  }
  for (size_t i = 0; i < f->n_properties; i++)
    text_add(t, "\n  // %s\n  output wire %s%s", f->property[i].doc, f->property[i].name,
             i + 1 < f->n_properties ? "," : "\n");
}

/* The parameters that the module has, of the block's, its derived values and the options. */
static void checker_parameters(struct text *t, const struct simt_config *cfg, const struct formal *f, const char *module) {
  const char *comma = "";
  for (size_t i = 0; i < cfg->block->n_params; i++)
    if (has_word(module, cfg->param[i]->name)) {
      text_add(t, "%s\n    .%s(%" PRIu64 ")", comma, cfg->param[i]->name, cfg->value[i]);
      comma = ",";
    }
  for (size_t i = 0; i < cfg->desc.n_derived; i++)
    if (has_word(module, cfg->desc.derived[i].name)) {
      text_add(t, "%s\n    .%s(", comma, cfg->desc.derived[i].name);
      emit_derived(t, &cfg->desc.derived[i]);
      text_add(t, ")");
      comma = ",";
    }
  for (size_t i = 0; i < f->n_options; i++)
    if (has_word(module, f->option[i])) {
      text_add(t, "%s\n    .%s(%s)", comma, f->option[i], f->option[i]);
      comma = ",";
    }
}

/* A property module. An input of the block that it does not drive is free. The `other` one drives `other_NAME`. */
static void checker(struct text *t, const struct simt_config *cfg, const struct formal *f, enum source which, bool other) {
  const char *module = f->source[which];
  text_add(t, "  %s_%s #(", cfg->name, sources[which]);
  checker_parameters(t, simt_plain(cfg), f, module);
  text_add(t, "\n  ) u_%s (", sources[which]);
  const char *comma = "";
  for (size_t i = 0; i < simt_plain(cfg)->desc.n_ports; i++) {
    const struct simt_port *p = &simt_plain(cfg)->desc.ports[i];
    if (!has_word(module, p->name)) continue;
    text_add(t, "%s\n    .%s(%s%s)", comma, p->name, other && is_input(p) && which == BLACKBOX ? "other_" : "", p->name);
    comma = ",";
    if (is_input(p) && which == BLACKBOX) text_add(t, ", .free_%s(free_%s)", p->name, p->name);
  }
  if (which == BLACKBOX) text_add(t, ",\n    .free_mark_i(free_mark_i)");
  if (which == BLACKBOX && f->both) text_add(t, ",\n    .mark_o(%smark)", other ? "other_" : "");
  for (size_t i = 0; i < f->n_properties; i++)
    if (f->property[i].of == which) text_add(t, ",\n    .%s(%sshown[%zu])", f->property[i].name, other ? "other_" : "", i);
  text_add(t, ");\n");
}

static void checkers(struct text *t, const struct simt_config *cfg, const struct formal *f, bool other) {
  checker(t, cfg, f, BLACKBOX, other);
  if (!f->source[INVARIANTS]) return;
  text_add(t, "\n`ifdef YOSYS  // its other inputs are connected inside the flattened design\n");
  checker(t, cfg, f, INVARIANTS, other);
  text_add(t, "`else\n");
  for (size_t i = 0; i < f->n_properties; i++)
    if (f->property[i].of == INVARIANTS) text_add(t, "  assign %sshown[%zu] = 1'b0;\n", other ? "other_" : "", i);
  text_add(t, "`endif\n");
}

/* The second modules: they look at another part, under the same inputs, and what is given holds of it, too. */
static void other_checkers(struct text *t, const struct simt_config *cfg, const struct formal *f) {
  const struct simt_desc *d = &simt_plain(cfg)->desc;
  text_add(t, "\n  generate\n  if (BOTH != 0) begin : g_other\n  wire [%zu:0] other_shown;\n  wire [31:0] other_mark;\n",
           f->n_properties - 1);
  for (size_t i = 0; i < d->n_ports; i++)
    if (is_input(&d->ports[i]) && has_word(f->source[BLACKBOX], d->ports[i].name)) {
      text_add(t, "  wire ");
      width(t, d->ports[i].width);
      text_add(t, "other_%s;\n", d->ports[i].name);
    }
  checkers(t, cfg, f, true);
  text_add(t, "  assign apart = mark == other_mark || (other_shown & given) != %zu'd0", f->n_properties);
  for (size_t i = 0; i < d->n_ports; i++)
    if (is_input(&d->ports[i]) && has_word(f->source[BLACKBOX], d->ports[i].name))
      text_add(t, "\n    || %s != other_%s", d->ports[i].name, d->ports[i].name);
  text_add(t, ";\n  end else begin : g_alone\n  assign apart = 1'b0;\n  wire unused_mark = &{1'b0, mark};\n  end\n  endgenerate\n");
}

static void block_instance(struct text *t, const struct simt_config *cfg, const struct formal *f) {
  const struct simt_desc *d = &simt_plain(cfg)->desc; /* without wrappers: the properties are about its own ports */
  for (size_t i = 0; i < d->n_ports; i++)
    if (d->ports[i].role == SIMT_DATA) {
      text_add(t, "  wire ");
      width(t, d->ports[i].width);
      text_add(t, "%s;\n", d->ports[i].name);
    }
  for (size_t i = 0; i < d->n_ports; i++) {
    const char *name = d->ports[i].name;
    if (d->ports[i].role != SIMT_DATA || has_word(f->source[BLACKBOX], name)) continue;
    if (is_input(&d->ports[i])) text_add(t, "  assign %s = free_%s;\n", name, name);
    else text_add(t, "  wire unused_%s = &{1'b0, %s};\n", name, name);
  }
  text_add(t, "  %s%s ", cfg->name, cfg->core ? "_core" : "");
  if (cfg->core) emit_parameter_map(t, cfg);
  text_add(t, "u_dut (");
  for (size_t i = 0; i < d->n_ports; i++)
    text_add(t, "%s\n    .%s(%s)", i ? "," : "", d->ports[i].name, d->ports[i].name);
  if (cfg->core) emit_core_inputs(t, d);
  text_add(t, ");\n\n");
}

static void assertions(struct text *t, const struct formal *f, const char *clock) {
  for (size_t i = 0; i < f->n_properties; i++)
    text_add(t, "  assign %s = PROPERTIES[%zu] && shown[%zu] && (STEP == 0 || held_q);\n", f->property[i].name, i, i);
  text_add(t, "\n`ifdef FORMAL\n  always @(posedge %s) begin\n", clock);
  for (size_t i = 0; i < f->n_properties; i++) {
    const char *name = f->property[i].name;
    if (f->property[i].cover) text_add(t, "    %.*s: cover (%s);\n", (int)strlen(name) - 2, name, name);
    else text_add(t, "    %.*s: assert (!%s);\n", (int)strlen(name) - 2, name, name);
  }
  text_add(t, "  end\n`endif\n");
}

static void emit_formal_top(struct text *t, const struct simt_config *cfg, const struct formal *f) {
  const char *clock = port_of(cfg, SIMT_CLOCK)->name, *reset = port_of(cfg, SIMT_RESET)->name;
  char what[200];
  snprintf(what, sizeof what, "%s_formal.v: the properties of %s; every input is free, reset in the first cycle",
           cfg->name, cfg->name);
  emit_header_comment(t, cfg, "//", what);
  text_add(t, "`default_nettype none\n\nmodule %s_formal #(\n  parameter [%zu:0] PROPERTIES = {%zu{1'b1}}", cfg->name,
           f->n_properties - 1, f->n_properties);
  text_add(t, ",\n  // 1: from any state in which all hold, reset or not, they hold a cycle later. 2: from any state and as long as those\n"
              "  // of GIVEN hold, they do.\n  parameter STEP = 0,\n  parameter [%zu:0] GIVEN = 0", f->n_properties - 1);
  for (size_t i = 0; i < f->n_options; i++) text_add(t, ",\n  parameter %s = 0", f->option[i]);
  text_add(t, "\n) (\n");
  top_ports(t, simt_plain(cfg), f, clock);
  text_add(t, ");\n  // From any state, reset: what holds then holds after every reset.\n  reg started_q, held_q;\n"
              "  initial started_q = 1'b0;\n  initial held_q = 1'b0;\n  always @(posedge %s) started_q <= 1'b1;\n"
              "  wire %s = !started_q && (STEP == 0 || free_reset_i);\n\n  wire [%zu:0] shown;\n", clock, reset,
           f->n_properties - 1);
  uint64_t covers = 0;
  for (size_t i = 0; i < f->n_properties; i++) covers |= (uint64_t)f->property[i].cover << i;
  if (f->both) text_add(t, "  wire apart;  // BOTH: the second modules look at the same, or what is given does not hold of what they look at\n"
                           "  wire [31:0] mark;\n");
  text_add(t, "  wire [%zu:0] given = STEP == 2 ? GIVEN : PROPERTIES;\n", f->n_properties - 1);
  text_add(t, "  always @(posedge %s)\n    held_q <= (!started_q || (STEP == 2 && held_q)) && (shown & given & ~%zu'h%" PRIx64 ") == %zu'd0%s;\n",
           clock, f->n_properties, covers, f->n_properties, f->both ? " && !apart" : "");
  block_instance(t, cfg, f);
  checkers(t, cfg, f, false);
  if (f->both) other_checkers(t, cfg, f);
  assertions(t, f, clock);
  text_add(t, "endmodule\n\n`default_nettype wire\n");
}

/* What a probe's path names, for the words of an array (`[*N]`, N a product of parameters and derived values) the
 * last one first. */
static void probe_path(struct text *t, const struct simt_config *cfg, const char *before, const char *path) {
  const char *star = strstr(path, "[*");
  char here[400];
  if (!star) {
    text_add(t, "%s%s%s", t->s[t->len - 1] == ' ' ? "" : ",", before, path);
    return;
  }
  uint64_t n = 1;
  for (const char *at = star + 1; *at == '*';) {
    char name[40];
    size_t len = strcspn(++at, "*]");
    snprintf(name, sizeof name, "%.*s", (int)len, at);
    n *= simt_param_index(cfg, name) >= 0 ? simt_param(cfg, name) : simt_derived(cfg, name);
    at += len;
  }
  for (uint64_t i = n; i-- > 0;) {
    snprintf(here, sizeof here, "%s%.*s[%" PRIu64 "]", before, (int)(star - path), path, i);
    probe_path(t, cfg, here, strchr(star, ']') + 1);
  }
}

/* Inputs of the invariants: lines `input wire ... NAME, // at core.PATH` or `// at blackbox.PATH`; those that end with
 * `if PARAMETER MIN..MAX` are there only then. With a task those of its second module, for it alone. */
static void sby_probes(struct text *t, const struct simt_config *cfg, const struct formal *f, const char *task) {
  for (const char *line = f->source[INVARIANTS]; line && *line; line += strcspn(line, "\n"), line += *line == '\n') {
    size_t len = strcspn(line, "\n");
    char copy[400], path[200], parameter[40];
    uint64_t min, max;
    snprintf(copy, sizeof copy, "%.*s", (int)len, line);
    char *at = strstr(copy, "// at "), *comma = strchr(copy, ',');
    if (!at || !comma || comma > at || sscanf(at + 6, "%199s", path) != 1) continue;
    if (sscanf(at + 6, "%*s if %39s %" SCNu64 "..%" SCNu64, parameter, &min, &max) == 3 &&
        (simt_param(cfg, parameter) < min || simt_param(cfg, parameter) > max))
      continue;
    *comma = 0;
    const char *space = strrchr(copy, ' ');
    bool core = !strncmp(path, "core.", 5);
    if (task) text_add(t, "%s: ", task);
    text_add(t, "connect -nomap -set %su_invariants.%s ", task ? "g_other." : "", space ? space + 1 : copy);
    probe_path(t, simt_plain(cfg), core ? (cfg->core ? "u_dut." : "u_dut.u_core.") : task ? "g_other.u_" : "u_",
               path + (core ? 5 : 0));
    text_add(t, "\n");
  }
}

/* Bit i: a word, a + before it apart, names property i; bad_NAME_o and cover_NAME_o have the same name. */
static uint64_t properties_of(const struct formal *f, const char *word) {
  uint64_t set = 0;
  size_t len = strcspn(word += *word == '+', " ");
  for (size_t i = 0; i < f->n_properties; i++)
    if (f->property[i].length == len && !strncmp(f->property[i].name + f->property[i].prefix, word, len))
      set |= (uint64_t)1 << i;
  return set;
}

/* Bit i: the task names property i, with a + before it or without. */
static uint64_t named(const struct formal *f, const struct task *task, bool given) {
  uint64_t set = 0;
  for (const char *o = task->options; *o; o = next_word(o))
    if ((*o == '+') == given) set |= properties_of(f, o);
  return set;
}

/* Every word of a task is an option or a property; what BOTH needs is there. */
static bool check_tasks(const struct formal *f, struct simt_diag *diag) {
  for (const struct task *t = f->task; t < f->task + f->n_tasks; t++) {
    if (t->both && !has_word(f->source[BLACKBOX], "mark_o"))
      return simt_fail(diag, "tasks.txt", t->name, "no BOTH=1: the property module has no output mark_o that says what it looks at");
    for (const char *o = t->options; *o; o = next_word(o)) {
      char word[64];
      snprintf(word, sizeof word, "%.*s", (int)strcspn(o, " "), o);
      if (!strchr(word, '=') && !properties_of(f, o))
        return simt_fail(diag, "tasks.txt", word, "OPTION=VALUE or a property of the property modules, in task %s", t->name);
    }
  }
  return true;
}

/* Bit i: the task asks for property i; all of them when it names none. */
static uint64_t task_properties(const struct formal *f, const struct task *task) {
  uint64_t set = named(f, task, false);
  return set ? set : ~(uint64_t)0 >> (64 - f->n_properties);
}

/* The task's options as parameters of the top. */
static void sby_options(struct text *t, const struct formal *f, const struct task *task) {
  text_add(t, " -chparam PROPERTIES %zu'h%" PRIx64, f->n_properties, task_properties(f, task));
  if (!strcmp(task->mode, "step")) text_add(t, " -chparam STEP 1");
  if (!strcmp(task->mode, "within"))
    text_add(t, " -chparam STEP 2 -chparam GIVEN %zu'h%" PRIx64, f->n_properties, named(f, task, true));
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
    bool step = !strcmp(k->mode, "step"), within = !strcmp(k->mode, "within");
    text_add(t, "%s: mode %s\n", k->name, step || within ? "bmc" : k->mode);
    if (strcmp(k->mode, "prove")) text_add(t, "%s: depth %u\n", k->name, step ? 2 : within ? k->depth + 1 : k->depth);
  }
  text_add(t, "\n[engines]\n");
  for (size_t i = 0; i < f->n_tasks; i++) {
    const char *mode = f->task[i].mode;
    text_add(t, "%s: %s\n", f->task[i].name, !strcmp(mode, "prove") ? "abc pdr"
             : !strcmp(mode, "cover") ? "smtbmc --unroll z3" : "abc bmc3");
  }
  text_add(t, "\n[script]\n");
  sby_files(t, fs, "read_verilog -formal %.0s%s\n");
  for (size_t i = 0; i < f->n_tasks; i++) {
    text_add(t, "%s: hierarchy -top %s_formal", f->task[i].name, cfg->name);
    sby_options(t, f, &f->task[i]);
    text_add(t, "\n");
  }
  text_add(t, "proc\nflatten\nmemory_dff\nmemory_map\n");
  if (f->source[INVARIANTS]) {
    sby_probes(t, cfg, f, NULL);
    for (size_t i = 0; i < f->n_tasks; i++)
      if (f->task[i].both) sby_probes(t, cfg, f, f->task[i].name);
  }
  /* A register that a reset sets and that never changes is constant, in "any state" too; what is undefined, a bit
   * selected behind the end of a vector for one, may be anything. */
  text_add(t, "opt -nodffe -nosdff\ntechmap t:$shiftx\nsetundef -anyseq\nprep\n\n[files]\n");
  sby_files(t, fs, "%s%s\n");
}

bool emit_formal(struct fileset *fs, const struct simt_config *cfg, struct simt_diag *diag) {
  struct formal f = {0};
  bool good = read_module(&f, cfg, BLACKBOX, diag) && read_module(&f, cfg, INVARIANTS, diag);
  if (good && f.source[BLACKBOX]) { /* else a block without properties */
    good = read_tasks(&f, cfg, diag) && check_tasks(&f, diag) && emit_formal_copies(fs, cfg, diag);
    if (good) emit_formal_top(fileset_add(fs, "formal/%s_formal.v", cfg->name), cfg, &f);
    if (good) emit_sby(fileset_add(fs, "formal/%s.sby", cfg->name), cfg, &f, fs);
  }
  for (size_t i = 0; i < N_SOURCES; i++) free(f.source[i]);
  return good;
}
