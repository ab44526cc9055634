/* SPDX-License-Identifier: Apache-2.0 */
/* datasheet.c: the datasheet of an instance, Markdown and HTML, with its block symbol and the timing diagrams
 * of the directed tests, drawn from runs of the cycle model. */
#include <dirent.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "emit/document.h"
#include "emit/svg.h"
#include "core/topology.h"

enum { DIAGRAM_CYCLES = 2000 };

/* A picture: in the documents, and as a file of its own. */
static void picture(struct doc *d, struct fileset *fs, const struct simt_config *cfg, const char *name,
                    const struct text *svg, const char *caption) {
  char file[160];
  snprintf(file, sizeof file, "%s_%s.svg", cfg->name, name);
  doc_figure(d, file, svg, caption);
  struct text *t = fileset_add(fs, "doc/%s", file);
  text_add(t, "<!--\n");
  emit_header_comment(t, cfg, " ", file);
  text_add(t, "-->\n");
  text_add_bytes(t, svg->s, svg->len);
}

static void overview(struct doc *d, struct fileset *fs, const struct simt_config *cfg) {
  char hex[17];
  struct text svg = {0};
  config_hash(cfg, hex);
  doc_heading(d, 1, "%s: %s", cfg->name, cfg->block->title);
  doc_para(d, "%s", cfg->block->summary);
  doc_para(d, "Block `%s`, configuration `%s`, simtgen %s. All of it is generated from "
              "[config.yaml](../config.yaml).", cfg->block->name, hex, SIMT_VERSION);
  svg_symbol(&svg, cfg);
  picture(d, fs, cfg, "symbol", &svg, "Ports by group, inputs left, outputs right, with their widths.");
  text_free(&svg);
}

static void files(struct doc *d, const struct simt_config *cfg) {
  const char *n = cfg->name;
  doc_heading(d, 2, "Files");
  doc_item(d, "[rtl/%s.v](../rtl/%s.v): the module to instantiate; its ports have plain widths. All files: "
              "[rtl/%s.f](../rtl/%s.f).", n, n, n, n);
  if (simt_param(cfg, "reset"))
    doc_item(d, "[rtl/%s_async_reset.v](../rtl/%s_async_reset.v): the same with `rst_ni`, active low, at any time, in place of "
                "`rst_i`: the reset acts at the first edge of the clock and ends two edges behind `rst_ni`.", n, n);
  doc_item(d, "[model/%s_ports.h](../model/%s_ports.h): constants and typed access to the ports of the C model.", n, n);
  if (cfg->desc.n_regs) {
    doc_item(d, "[regs.h](../regs.h): the register map for software, in C.");
    doc_item(d, "[rdl/%s.rdl](../rdl/%s.rdl): the register map in SystemRDL; `peakrdl ip-xact rdl/%s.rdl -o %s.xml` and "
                "`peakrdl html rdl/%s.rdl -o html` make IP-XACT and pages of it.", n, n, n, n, n);
  }
  doc_item(d, "[tb/%s_tb.v](../tb/%s_tb.v): a bench that checks itself against recorded vectors, in any simulator.",
           n, n);
  if (cfg->n_wraps)
    doc_item(d, "[tb/%s_checked.v](../tb/%s_checked.v): the module with the rules of its buses watched, for simulation.", n, n);
  char port[SIMT_MAX_MEM_PORTS][SIMT_NAME_MAX];
  const unsigned ports = emit_memory_ports(cfg, port);
  for (unsigned i = 0; i < ports; i++)
    doc_item(d, "[tb/%s_%smemory.v](../tb/%s_%smemory.v): a memory of fixed latency to put behind it in simulation.", n, port[i], n, port[i]);
  doc_item(d, "[synth/%s_harness.v](../synth/%s_harness.v): the block on three pins, to place and route it alone.", n,
           n);
  doc_item(d, "[%s.core](../%s.core): FuseSoC, targets `lint`, `sim`, `ice40`.", n, n);
  doc_item(d, "[constraints/%s.sdc](../constraints/%s.sdc): the clock.", n, n);
  doc_items_end(d);
}

static void instance(struct doc *d, const struct simt_config *cfg) {
  struct text t = {0};
  text_add(&t, "%s u_%s (\n", cfg->name, cfg->name);
  for (size_t i = 0; i < cfg->desc.n_ports; i++) {
    const struct simt_port *p = &cfg->desc.ports[i];
    text_add(&t, "  .%s(", p->name);
    if (p->role != SIMT_DATA) text_add(&t, "%s", p->role == SIMT_CLOCK ? "clk" : "rst");
    else if (p->dir == SIMT_IN) text_add(&t, "%u'd0", p->width);
    text_add(&t, ")%s\n", i + 1 < cfg->desc.n_ports ? "," : "");
  }
  text_add(&t, ");\n");
  doc_heading(d, 2, "To instantiate it");
  doc_para(d, "Inputs are tied to 0, which is right for those that are not used; put your signals in place of the others.");
  doc_code(d, t.s);
  text_free(&t);
}

static void parameters(struct doc *d, const struct simt_config *cfg) {
  static const char *const heads[] = {"Parameter", "Value", "Default", "Range", "Meaning", "Rule", NULL};
  char value[24], def[24];
  doc_heading(d, 2, "Parameters");
  doc_table(d, heads);
  for (size_t i = 0; i < cfg->n_params; i++) {
    const struct simt_param *p = cfg->param[i];
    if (simt_replaced(cfg, i)) continue;
    doc_cell(d, "`%s`", p->name);
    doc_cell(d, "%s%s%s", simt_value_text(p, cfg->value[i], value), p->choices || !p->unit[0] ? "" : " ",
             p->choices ? "" : p->unit);
    doc_cell(d, "%s", simt_value_text(p, p->def, def));
    if (p->choices) {
      struct text all = {0};
      for (size_t k = 0; p->choices[k]; k++) text_add(&all, "%s%s", k ? ", " : "", p->choices[k]);
      doc_cell(d, "%s", all.s);
      text_free(&all);
    } else {
      doc_cell(d, "%" PRIu64 " to %" PRIu64 "%s", p->min, p->max, p->flags & SIMT_POW2 ? ", power of two" : "");
    }
    doc_cell(d, "%s", p->doc);
    doc_cell(d, "%s", p->req ? p->req : "");
  }
  doc_table_end(d);
}

static void derived(struct doc *d, const struct simt_config *cfg) {
  static const char *const heads[] = {"Value", "", "Meaning", NULL};
  if (!cfg->desc.n_derived) return;
  doc_heading(d, 2, "What follows from the parameters");
  doc_table(d, heads);
  for (size_t i = 0; i < cfg->desc.n_derived; i++) {
    const struct simt_derived *v = &cfg->desc.derived[i];
    doc_cell(d, "`%s`", v->name);
    if (v->bits) doc_cell(d, "%" PRIu64 " x %u bits", v->value, v->bits);
    else doc_cell(d, "%" PRIu64 " %s", v->value, v->unit);
    doc_cell(d, "%s", v->doc);
  }
  doc_table_end(d);
}

static void ports(struct doc *d, const struct simt_config *cfg) {
  static const char *const heads[] = {"Port", "", "Bits", "Valid", "Meaning", NULL};
  const struct simt_desc *s = &cfg->desc;
  doc_heading(d, 2, "Ports");
  doc_para(d, "Everything is synchronous to the rising edge of the clock, and no path leads from an input to an "
              "output within a cycle. A port that names a valid means nothing while that is 0. Reset is "
              "synchronous and active high; one cycle is enough.");
  for (size_t i = 0; i < s->n_ports;) {
    const char *group = s->ports[i].group;
    doc_heading(d, 3, "%c%s", group[0] >= 'a' && group[0] <= 'z' ? group[0] - 32 : group[0], group + 1);
    doc_table(d, heads);
    for (; i < s->n_ports && !strcmp(s->ports[i].group, group); i++) {
      const struct simt_port *p = &s->ports[i];
      doc_cell(d, "`%s`", p->name);
      doc_cell(d, "%s", p->dir == SIMT_IN ? "in" : "out");
      doc_cell(d, "%u", p->width);
      doc_cell(d, p->valid[0] ? "`%s`" : "%s", p->valid);
      doc_cell(d, "%s", p->doc);
    }
    doc_table_end(d);
  }
}

static void field(struct doc *d, const struct simt_field *f) {
  doc_cell(d, "%s", "");
  doc_cell(d, "bits `%s`", f->name);
  if (f->width > 1) doc_cell(d, "%u to %u", f->low, f->low + f->width - 1);
  else doc_cell(d, "%u", f->low);
  doc_cell(d, "%s", "");
  doc_cell(d, "%s", "");
  doc_cell(d, "%s", f->doc);
}

static void registers(struct doc *d, const struct simt_config *cfg) {
  static const char *const heads[] = {"Address", "Register", "Bits", "Access", "Reset", "Meaning", NULL};
  if (!cfg->desc.n_regs) return;
  doc_heading(d, 2, "Registers");
  doc_para(d, "32-bit words at byte addresses.");
  doc_table(d, heads);
  for (size_t i = 0; i < cfg->desc.n_regs; i++) {
    const struct simt_reg *r = &cfg->desc.regs[i];
    doc_cell(d, "`0x%03" PRIx32 "`", r->addr);
    doc_cell(d, "`%s`", r->name);
    doc_cell(d, "%u", r->width);
    doc_cell(d, "%s", r->access);
    doc_cell(d, "`0x%" PRIx32 "`", r->reset);
    doc_cell(d, "%s", r->doc);
    for (size_t k = 0; k < cfg->desc.n_fields; k++)
      if (cfg->desc.fields[k].reg == i) field(d, &cfg->desc.fields[k]);
  }
  doc_table_end(d);
}

static void notes_of(struct doc *d, const struct simt_note *n, const char *part) {
  for (const char *title = ""; n && n->title; title = n++->title) {
    if (strcmp(title, n->title)) doc_heading(d, 2, part ? "%s (%s)" : "%s", n->title, part);
    doc_para(d, "%s", n->text);
  }
}

/* What the block says of its use, and what the blocks that it contains say: what no table of ports can tell. */
static void notes(struct doc *d, const struct simt_config *cfg) {
  const char *const *part = cfg->block->uses;
  if (cfg->block->notes && cfg->n_wraps)
    doc_para(d, "Of the ports that the next sections name, those that are not in the tables above are the block's own, "
                "behind the buses of this configuration.");
  notes_of(d, cfg->block->notes, NULL);
  if (part)
    doc_para(d, "The sections whose titles name a block are of that part of this one. Ports that the tables above do not have lie "
                "between the parts, and are connected.");
  for (; part && *part; part++) notes_of(d, simt_find_block(*part)->notes, *part);
}

static void status(struct doc *d, struct fileset *fs, const struct simt_config *cfg) {
  if (!has_status(cfg)) return;
  struct text svg = {0};
  doc_heading(d, 2, "Unit status");
  doc_para(d, "`state_o` reports one of five states in every cycle. The first arrow that applies is taken; the halt "
              "request is `cmd_halt_i` of the cycle before, so are reset and resume. Reset wins over all.");
  svg_status(&svg, cfg);
  picture(d, fs, cfg, "status", &svg, "States with their codes on `state_o`; the arrows are numbered as in the table.");
  status_table(d);
  text_free(&svg);
}

/* What the lists of the configuration file may hold. */
static void lists(struct doc *d, const struct simt_config *cfg) {
  static const char *const heads[] = {"Key", "Kind", "Range", "Default", "Meaning", "Rule", NULL};
  const struct simt_lists *ls = cfg->block->lists;
  if (ls) doc_heading(d, 2, "Lists of the configuration file");
  for (size_t i = 0; ls && i < ls->n; i++) {
    const struct simt_list *l = &ls->list[i];
    doc_para(d, "`%s: %s:` of the configuration file, %zu to %zu records: %s", ls->key, l->name, l->min, l->max, l->doc);
    doc_table(d, heads);
    for (size_t k = 0; k < l->n_columns; k++) {
      const struct simt_column *c = &l->column[k];
      doc_cell(d, "`%s`", c->name);
      doc_cell(d, "%s", c->kind == SIMT_NUMBER ? "number" : c->kind == SIMT_REFERENCE ? "reference" : "identifier");
      if (c->kind == SIMT_NUMBER) doc_cell(d, "%" PRIu64 " to %" PRIu64 " %s", c->min, c->max, c->unit);
      else doc_cell(d, "%s%s", c->to ? "of " : "", c->to ? c->to : c->flags & SIMT_UNIQUE ? "unique" : "");
      if (c->flags & SIMT_REQUIRED) doc_cell(d, "required");
      else if (c->kind == SIMT_NUMBER) doc_cell(d, "%" PRIu64, c->def);
      else doc_cell(d, "%s", "");
      doc_cell(d, "%s", c->doc);
      doc_cell(d, "%s", c->req ? c->req : "");
    }
    doc_table_end(d);
  }
}

/* The numbers that ports, registers and the model's header use. */
static void units(struct doc *d, const struct simt_config *cfg) {
  static const char *const heads[] = {"Unit", "Name", "Connection", "Group", "Switch domain", "Deadlock domain", NULL};
  struct simt_topology t;
  struct simt_diag none = {0};
  if (cfg->records.given && simt_topology_make(cfg, &t, &none)) {
    doc_table(d, heads);
    for (unsigned u = 0; u < t.units; u++) {
      const struct simt_topology_conn *k = &t.conn[t.unit[u].conn];
      doc_cell(d, "%u", u);
      doc_cell(d, "`%s`", t.unit[u].name);
      doc_cell(d, "%u", t.unit[u].conn);
      doc_cell(d, "%s", k->group ? k->name : "");
      doc_cell(d, "%u (%s)", t.unit[u].domain, t.domain_name[t.unit[u].domain]);
      doc_cell(d, "%u (%s)", t.unit[u].dead, t.dead_name[t.unit[u].dead]);
    }
    doc_table_end(d);
    simt_topology_free(&t);
  }
}

static void topology(struct doc *d, struct fileset *fs, const struct simt_config *cfg) {
  lists(d, cfg);
  if (!has_topology(cfg)) return;
  struct text svg = {0};
  doc_heading(d, 2, "Topology");
  svg_topology(&svg, cfg);
  picture(d, fs, cfg, "topology", &svg, "Units by connection, in the order of their numbers; colours are switch domains, dashed "
          "frames groups that report as one, arrows on the left streams; on the right the connection's number and its command "
          "connection.");
  text_free(&svg);
  units(d, cfg);
}

/* The diagram of one directed test. A test that its own golden model stops gives none, and a note: the output
 * is right without it. */
static void diagram(struct doc *d, struct fileset *fs, const struct simt_config *cfg, const struct simt_named *test) {
  struct simt_stimulus stim = {.kind = "directed", .profile = test->name, .seed = 1, .cycles = DIAGRAM_CYCLES};
  struct simt_diag diag = {0};
  struct record r;
  struct text svg = {0};
  bool ran = record_run(&r, cfg, &stim, &diag), drawn = ran && svg_wave(&svg, &r, test->name);
  if (!ran) message_note("no timing diagram of %s: %s", test->name, diag.got);
  if (drawn) {
    char caption[600];
    snprintf(caption, sizeof caption, "`%s`: %s", test->name, test->doc);
    picture(d, fs, cfg, test->name, &svg, caption);
  }
  text_free(&svg);
  record_free(&r);
}

/* A test of unit status (its requirements name US-n) shows nothing where the configuration has none. */
static bool is_drawn(const struct simt_verif *v, const struct simt_config *cfg, const struct simt_named *test) {
  for (const char *const *no = v->undrawn; no && *no; no++)
    if (!strcmp(*no, test->name)) return false;
  return simt_param_index(cfg, "STATUS") < 0 || simt_param(cfg, "STATUS") || !strstr(test->req, "US-");
}

static void diagrams(struct doc *d, struct fileset *fs, const struct simt_config *cfg) {
  const struct simt_verif *v = simt_find_verif(cfg->block);
  if (!v || !v->directed || !v->directed->name) return;
  doc_heading(d, 2, "Timing");
  doc_para(d, "Drawn from runs of the cycle model, which equals the Verilog in every cycle. A cycle reaches from one "
              "rising edge of the clock to the next; `simtgen check -c config.yaml --stimulus directed:NAME --wave "
              "FILE` shows all of it.");
  for (const struct simt_named *test = v->directed; test->name; test++)
    if (is_drawn(v, cfg, test)) diagram(d, fs, cfg, test);
}

/* ---- figures ---- */

static double number(const json_t *from, const char *key) { return json_number_value(json_object_get(from, key)); }

static const char *word(const json_t *from, const char *key) {
  const char *s = json_string_value(json_object_get(from, key));
  return s ? s : "";
}

/* The hash of the Verilog that is generated now; empty when it cannot be. */
static void verilog_now(const struct simt_config *cfg, char hex[17]) {
  struct fileset fs = {0};
  struct simt_diag unused = {0};
  hex[0] = '\0';
  if (emit_rtl(&fs, ".", cfg, &unused)) rtl_hash(&fs, hex);
  fileset_free(&fs);
}

static void figure_row(struct doc *d, const json_t *result, const struct simt_config *cfg) {
  char now[17];
  const json_t *n = json_object_get(result, "resources"), *f = json_object_get(result, "fmax_mhz");
  doc_cell(d, "%s %s", word(result, "target"), word(result, "device"));
  doc_cell(d, "%.0f", number(n, "lut4"));
  doc_cell(d, "%.0f", number(n, "ff"));
  doc_cell(d, "%.0f", number(n, "carry"));
  doc_cell(d, "%.0f blocks, %.0f bits", number(n, "ram_blocks"), number(n, "ram_bits"));
  doc_cell(d, "%.0f bits", number(n, "lutram_bits"));
  size_t seeds = json_array_size(json_object_get(result, "seeds"));
  if (json_is_object(f))
    doc_cell(d, "%.1f (%.1f to %.1f, %zu seed%s)", number(f, "median"), number(f, "min"), number(f, "max"), seeds,
             seeds == 1 ? "" : "s");
  else doc_cell(d, "not routed");
  verilog_now(cfg, now);
  bool earlier = *word(result, "verilog") && strcmp(word(result, "verilog"), now);
  doc_cell(d, "%s; %s%s", word(json_object_get(result, "tools"), "yosys"), word(json_object_get(result, "tools"), "nextpnr"),
           earlier ? "; measured of an earlier Verilog of this block" : "");
}

/* A committed result of `simtgen synth --json`, if it is of the configuration with this hash. */
static bool add_result(struct doc *d, const char *path, const struct simt_config *cfg, const char *hash, bool first) {
  static const char *const heads[] = {"Target", "LUT4", "FF", "Carry", "RAM", "LUT RAM", "Median fmax in MHz", "Tools",
                                      NULL};
  json_t *result = json_load_file(path, 0, NULL);
  bool found = !strcmp(word(result, "configuration"), hash);
  if (found && first) doc_table(d, heads);
  if (found) figure_row(d, result, cfg);
  json_decref(result);
  return found;
}

static int is_json(const struct dirent *e) {
  size_t n = strlen(e->d_name);
  return n > 5 && !strcmp(e->d_name + n - 5, ".json");
}

static void figures(struct doc *d, const struct simt_config *cfg) {
  static const char folder[] = "synth_reports/reference";
  char hash[17], path[1024];
  const char *at = data_path(folder);
  struct dirent **list = NULL;
  int n = at ? scandir(at, &list, is_json, alphasort) : 0;
  bool any = false;
  config_hash(cfg, hash);
  doc_heading(d, 2, "Area and frequency");
  for (int i = 0; i < n; i++) {
    snprintf(path, sizeof path, "%s/%s", folder, list[i]->d_name);
    const char *full = data_path(path);
    any |= full && add_result(d, full, cfg, hash, !any);
    free(list[i]);
  }
  free(list);
  if (any) {
    doc_table_end(d);
    doc_para(d, "In a registered harness, whose own cost is subtracted. To measure it again:");
  } else {
    doc_para(d, "Not measured for this configuration: run simtgen synth.");
  }
  doc_code(d, "simtgen synth -c config.yaml --target ice40 --seeds 5\n");
}

bool emit_doc(struct fileset *fs, const struct simt_config *cfg, struct simt_diag *diag) {
  (void)diag; /* nothing here can fail on a resolved configuration */
  struct doc d;
  char title[160];
  snprintf(title, sizeof title, "%s: %s", cfg->name, cfg->block->title);
  doc_begin(&d, cfg, title);
  overview(&d, fs, cfg);
  files(&d, cfg);
  instance(&d, cfg);
  parameters(&d, cfg);
  topology(&d, fs, cfg);
  derived(&d, cfg);
  ports(&d, cfg);
  notes(&d, cfg);
  registers(&d, cfg);
  status(&d, fs, cfg);
  diagrams(&d, fs, cfg);
  figures(&d, cfg);
  doc_end(&d);
  text_add_bytes(fileset_add(fs, "doc/%s.md", cfg->name), d.md.s, d.md.len);
  text_add_bytes(fileset_add(fs, "doc/%s.html", cfg->name), d.html.s, d.html.len);
  text_free(&d.md);
  text_free(&d.html);
  return true;
}
