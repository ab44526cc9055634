/* SPDX-License-Identifier: Apache-2.0 */
/* selftest.c: the design that tests a block on a board: plan, Verilog and constraints.
 *
 * An LFSR drives the inputs, a MISR takes in the outputs (payloads where their valid is 1), and the signature is
 * compared with that of the model, which is driven alike (selftest_run.c). Streams hold still until they are taken, a
 * memory port has a memory behind it that answers each request; what else a block asks of its inputs stands in
 * verif/BLOCK/selftest.txt, lines of `input PORT RULE`. */
#include <stdlib.h>
#include <string.h>

#include "emit/selftest.h"

const struct selftest_board selftest_boards[] = {
  {"hx8k", "the iCE40-HX8K breakout board", "hx8k.pcf", "PCF", "icestorm", "--hx8k, --package, ct256", 104},
  {"icebreaker", "iCEBreaker", "icebreaker.pcf", "PCF", "icestorm", "--up5k, --package, sg48", 104},
  {"ulx3s", "ULX3S with an 85F", "ulx3s.lpf", "LPF", "trellis", "--85k, --package, CABGA381", 217},
  {0}};

/* ---- plan --------------------------------------------------------------------------------------------- */

static bool ends(const char *s, const char *with) {
  size_t n = strlen(s), m = strlen(with);
  return n >= m && !strcmp(s + n - m, with);
}

/* The output port that is the other side of an input: NAME_valid_i and NAME_ready_o; or NULL. */
static const struct simt_port *ready_of(const struct simt_config *cfg, const struct simt_port *valid) {
  char name[SIMT_NAME_MAX];
  if (!ends(valid->name, "_valid_i") || valid->width != 1) return NULL;
  snprintf(name, sizeof name, "%.*s_ready_o", (int)(strlen(valid->name) - 8), valid->name);
  return simt_find_port(cfg, name);
}

static enum selftest_kind kind_of(const struct selftest_plan *plan, const struct simt_config *cfg, const struct simt_port *p) {
  static const struct { const char *name; enum selftest_kind kind; } memory[] = {
    {"mem_req_ready_i", DRIVE_ACCEPT}, {"mem_rsp_valid_i", DRIVE_ANSWER}, {"mem_rsp_tag_i", DRIVE_TAG},
    {"mem_rsp_data_i", DRIVE_DATA}, {"mem_rsp_error_i", DRIVE_IDLE}};
  for (size_t i = 0; plan->memory && i < sizeof memory / sizeof *memory; i++)
    if (!strcmp(p->name, memory[i].name)) return memory[i].kind;
  if (!strcmp(p->group, "status") || !strcmp(p->group, "context")) return DRIVE_IDLE;
  if (ready_of(cfg, p)) return DRIVE_STREAM;
  if (ends(p->name, "_valid_i") || ends(p->name, "_ready_i")) return DRIVE_OFTEN;
  const struct simt_port *valid = p->valid[0] ? simt_find_port(cfg, p->valid) : NULL;
  return valid && valid->dir == SIMT_IN && ready_of(cfg, valid) ? DRIVE_FIELD : DRIVE_BITS;
}

/* A number, or the name of a parameter. */
static bool number_of(const struct simt_config *cfg, const char *text, unsigned *to) {
  char *end;
  unsigned long v = strtoul(text, &end, 10);
  int index = simt_param_index(cfg, text);
  if (index >= 0) v = (unsigned long)cfg->value[index];
  *to = (unsigned)v;
  return index >= 0 || (*text && !*end && v);
}

/* One line of the block's file. A port that this configuration does not have is passed over. */
static bool one_rule(struct selftest_plan *plan, const struct simt_config *cfg, const char *line, const char *path, unsigned number,
                     struct simt_diag *diag) {
  static const struct { const char *name; enum selftest_kind kind; } rules[] = {
    {"idle", DRIVE_IDLE}, {"bits", DRIVE_BITS}, {"often", DRIVE_OFTEN}, {"rarely", DRIVE_RARELY}};
  char name[64], rule[64], value[64];
  int n = sscanf(line, "input %63s %63s %63s", name, rule, value);
  if (n < 1) return true; /* a comment, or for others */
  bool known = n == 3 && !strcmp(rule, "below") && number_of(cfg, value, &(unsigned){0});
  for (size_t i = 0; n == 2 && i < 4; i++) known = known || !strcmp(rule, rules[i].name);
  if (!known) {
    simt_fail(diag, path, line, "input PORT idle, bits, often, rarely or below NUMBER (line %u)", number);
    return false;
  }
  for (size_t k = 0; k < plan->n; k++) {
    struct selftest_input *i = &plan->input[k];
    if (strcmp(i->port->name, name)) continue;
    if (n == 3) number_of(cfg, value, &i->below);
    for (size_t j = 0; n == 2 && j < 4; j++)
      if (!strcmp(rule, rules[j].name)) i->kind = rules[j].kind;
  }
  return true;
}

static bool read_rules(struct selftest_plan *plan, const struct simt_config *cfg, struct simt_diag *diag) {
  char relative[128];
  snprintf(relative, sizeof relative, "verif/%s/selftest.txt", cfg->block->name);
  const char *path = data_path(relative);
  if (!path) {
    simt_fail(diag, "--board", cfg->block->name, "a block with a self-test (%s says how its inputs may be driven)", relative);
    return false;
  }
  char *text = file_read(path, NULL, diag), *rest = text, *line;
  bool good = text;
  for (unsigned n = 1; good && (line = strsep(&rest, "\n")); n++) good = one_rule(plan, cfg, line, relative, n, diag);
  free(text);
  return good;
}

/* Bits of the LFSR in the order of the ports. */
static void number_bits(struct selftest_plan *plan) {
  unsigned at = 0, phase = 7;
  for (size_t i = 0; i < plan->n; i++) {
    struct selftest_input *in = &plan->input[i];
    unsigned w = in->port->width;
    in->bit = at;
    in->phase = phase;
    switch (in->kind) {
      case DRIVE_STREAM:
      case DRIVE_OFTEN: at += 2 * w; phase = phase == 11 ? 7 : phase + 1; break;
      case DRIVE_RARELY: at += 4 * w; break;
      case DRIVE_BITS:
      case DRIVE_FIELD:
      case DRIVE_DATA: at += w; break;
      default: break;
    }
  }
  plan->memory_bit = at;
}

bool selftest_make(struct selftest_plan *plan, const struct simt_config *cfg, struct simt_diag *diag) {
  *plan = (struct selftest_plan){.memory = simt_find_port(cfg, "mem_req_valid_o") && simt_find_port(cfg, "mem_rsp_valid_i")};
  if (cfg->n_wraps) return simt_fail(diag, "--board", "a bus", "a configuration with plain ports, without bus and regs");
  plan->input = calloc(cfg->desc.n_ports + 1, sizeof *plan->input);
  if (!plan->input) abort();
  for (size_t i = 0; i < cfg->desc.n_ports; i++) {
    const struct simt_port *p = &cfg->desc.ports[i];
    if (p->dir != SIMT_IN || p->role != SIMT_DATA) continue;
    plan->input[plan->n++] = (struct selftest_input){.port = p, .kind = kind_of(plan, cfg, p), .ready = ready_of(cfg, p)};
  }
  if (!read_rules(plan, cfg, diag)) return false;
  for (size_t i = 0; i < plan->n; i++) {
    struct selftest_input *f = &plan->input[i];
    for (size_t k = 0; f->kind == DRIVE_FIELD && k < plan->n; k++)
      if (!strcmp(plan->input[k].port->name, f->port->valid)) f->stream = k;
    /* the stream itself may have another rule */
    if (f->kind == DRIVE_FIELD && plan->input[f->stream].kind != DRIVE_STREAM)
      f->kind = plan->input[f->stream].kind == DRIVE_IDLE ? DRIVE_IDLE : DRIVE_BITS;
  }
  number_bits(plan);
  return true;
}

void selftest_free(struct selftest_plan *plan) { free(plan->input); }

/* ---- Verilog ------------------------------------------------------------------------------------------ */

/* {bits[..], ...} of `width` bits, each `step` behind the one before. */
static void bits(struct text *t, unsigned first, unsigned step, unsigned width) {
  text_add(t, "{");
  for (unsigned k = width; k--;) text_add(t, "bits[%u]%s", selftest_bit(first + k * step), k ? ", " : "}");
}

static void often(struct text *t, unsigned first, unsigned phase, unsigned width) {
  text_add(t, "cycle[%u] ? ", phase);
  bits(t, first, 2, width);
  text_add(t, " & ");
  bits(t, first + 1, 2, width);
  text_add(t, " : ");
  bits(t, first, 2, width);
  text_add(t, " | ");
  bits(t, first + 1, 2, width);
}

static void wire(struct text *t, const char *name, unsigned width) {
  if (width > 1) text_add(t, "  wire [%u:0] %s", width - 1, name);
  else text_add(t, "  wire %s", name);
}

/* NAME_any: bits below the port's limit. */
static void any_value(struct text *t, const struct selftest_input *i) {
  char name[SIMT_NAME_MAX + 8];
  unsigned w = i->port->width;
  snprintf(name, sizeof name, "%s_%s", i->port->name, i->below ? "raw" : "any");
  wire(t, name, w);
  text_add(t, " = ");
  bits(t, i->bit, 1, w);
  text_add(t, ";\n");
  if (!i->below) return;
  snprintf(name, sizeof name, "%s_any", i->port->name);
  wire(t, name, w);
  text_add(t, " = %s_raw >= %u'd%u ? %s_raw ^ %u'd%u : %s_raw;\n", i->port->name, w, i->below, i->port->name, w, 1u << (w - 1),
           i->port->name);
}

static void idle(struct text *t, const struct simt_port *p) {
  text_add(t, " = %u'b", p->width);
  for (unsigned k = p->width; k--;) text_add(t, "%u", p->idle_bits ? p->idle >> k % p->idle_bits & 1 : 0);
  text_add(t, ";\n");
}

/* The input's wire, as far as it needs no instance. */
static void simple_input(struct text *t, const struct selftest_input *i) {
  const struct simt_port *p = i->port;
  if (i->kind == DRIVE_BITS || i->kind == DRIVE_FIELD || i->kind == DRIVE_DATA) any_value(t, i);
  wire(t, p->name, p->width);
  switch (i->kind) {
    case DRIVE_IDLE: idle(t, p); return;
    case DRIVE_BITS: text_add(t, " = %s_any;\n", p->name); return;
    case DRIVE_OFTEN:
      text_add(t, " = ");
      often(t, i->bit, i->phase, p->width);
      text_add(t, ";\n");
      return;
    case DRIVE_RARELY:
      text_add(t, " = ");
      for (unsigned j = 0; j < 4; j++) {
        bits(t, i->bit + j, 4, p->width);
        text_add(t, j < 3 ? " & " : ";\n");
      }
      return;
    default: text_add(t, ";\n"); return;
  }
}

static void outputs(struct text *t, const struct simt_config *cfg) {
  for (size_t i = 0; i < cfg->desc.n_ports; i++)
    if (cfg->desc.ports[i].dir == SIMT_OUT) {
      wire(t, cfg->desc.ports[i].name, cfg->desc.ports[i].width);
      text_add(t, ";\n");
    }
}

static void stream(struct text *t, const struct selftest_plan *plan, const struct simt_config *cfg, size_t at) {
  const struct selftest_input *s = &plan->input[at];
  unsigned width = 0;
  const char *between = "";
  for (size_t k = 0; k < plan->n; k++)
    if (plan->input[k].kind == DRIVE_FIELD && plan->input[k].stream == at) width += plan->input[k].port->width;
  text_add(t, "\n  %s_selftest_stream #(.WIDTH(%u)) u_%s (\n    .clk_i(clk_i), .rst_i(rst),\n    .want_i(", cfg->name, width ? width : 1,
           s->port->name);
  often(t, s->bit, s->phase, 1);
  text_add(t, "),\n    .bits_i({");
  for (size_t k = 0; k < plan->n; k++) {
    const struct selftest_input *f = &plan->input[k];
    if (f->kind != DRIVE_FIELD || f->stream != at) continue;
    text_add(t, "%s%s_any", between, f->port->name);
    between = ", ";
  }
  text_add(t, "%s}),\n    .valid_o(%s), .ready_i(%s),\n    .bits_o(", width ? "" : "1'b0", s->port->name, s->ready->name);
  between = "{";
  for (size_t k = 0; k < plan->n; k++) {
    const struct selftest_input *f = &plan->input[k];
    if (f->kind != DRIVE_FIELD || f->stream != at) continue;
    text_add(t, "%s%s", between, f->port->name);
    between = ", ";
  }
  text_add(t, "%s)\n  );\n", width ? "}" : "");
}

static void memory(struct text *t, const struct selftest_plan *plan, const struct simt_config *cfg) {
  const struct simt_port *tag = simt_find_port(cfg, "mem_rsp_tag_i"), *data = simt_find_port(cfg, "mem_rsp_data_i");
  text_add(t, "\n  %s_selftest_memory #(.TAG_W(%u), .DATA_W(%u)) u_memory (\n    .clk_i(clk_i), .rst_i(rst),\n    .accept_i(", cfg->name,
           tag->width, data->width);
  often(t, plan->memory_bit, 10, 1);
  text_add(t, "),\n    .answer_i(");
  often(t, plan->memory_bit + 2, 11, 1);
  text_add(t, "),\n    .bits_i(mem_rsp_data_i_any),\n    .ask_valid_i(mem_req_valid_o), .ask_ready_o(mem_req_ready_i), "
              ".ask_tag_i(mem_req_tag_o),\n    .give_valid_o(mem_rsp_valid_i), .give_ready_i(mem_rsp_ready_o), "
              ".give_tag_o(mem_rsp_tag_i), .give_data_o(mem_rsp_data_i)\n  );\n");
}

static void block(struct text *t, const struct simt_config *cfg) {
  const struct simt_desc *d = &cfg->desc;
  text_add(t, "\n  %s u_block (\n", cfg->name);
  for (size_t i = 0; i < d->n_ports; i++)
    text_add(t, "    .%s(%s)%s\n", d->ports[i].name, d->ports[i].role == SIMT_RESET ? "rst" : d->ports[i].name,
             i + 1 == d->n_ports ? "" : ",");
  text_add(t, "  );\n");
}

/* All outputs, the first one lowest; a payload counts where its valid is not 0. */
static void signature(struct text *t, const struct simt_config *cfg) {
  const struct simt_desc *d = &cfg->desc;
  unsigned n = 0;
  for (size_t i = 0; i < d->n_ports; i++) n += d->ports[i].dir == SIMT_OUT ? d->ports[i].width : 0;
  unsigned words = (n + 31) / 32;
  text_add(t, "\n  wire [%u:0] taken = {", 32 * words - 1);
  if (n % 32) text_add(t, "%u'd0, ", 32 - n % 32);
  const char *between = "";
  for (size_t i = d->n_ports; i--;) {
    const struct simt_port *p = &d->ports[i], *v = p->valid[0] ? simt_find_port(cfg, p->valid) : NULL;
    if (p->dir != SIMT_OUT) continue;
    text_add(t, "%s", between);
    if (v && p->width > 1) text_add(t, "{%u{%s%s}} & ", p->width, v->width > 1 ? "|" : "", v->name);
    else if (v) text_add(t, "%s%s%s & ", v->width > 1 ? "(|" : "", v->name, v->width > 1 ? ")" : "");
    text_add(t, "%s", p->name);
    between = ", ";
  }
  text_add(t, "};\n\n  %s_selftest_misr #(.WORDS(%u)) u_misr (\n    .clk_i(clk_i), .rst_i(booting), .run_i(run), .data_i(taken), "
              ".signature_o(signature_o)\n  );\nendmodule\n\n`default_nettype wire\n", cfg->name, words);
}

static void emit_driver(struct text *t, const struct selftest_plan *plan, const struct simt_config *cfg,
                        const struct selftest_result *result) {
  char what[200];
  const char *n = cfg->name, *clock = "clk_i";
  snprintf(what, sizeof what, "%s_selftest.v: the block between what drives it and what signs its outputs", n);
  emit_header_comment(t, cfg, "//", what);
  text_add(t, "// In the model %u of the %u bits of the block's outputs take both values in the run, of %u cycles.\n", result->moved,
           result->bits, 1u << SELFTEST_CYCLES_LOG2);
  text_add(t, "`default_nettype none\n\nmodule %s_selftest (\n  input  wire clk_i,\n  output wire done_o,\n"
              "  output wire [31:0] signature_o\n);\n"
              "  wire booting, rst, run;\n  wire [%u:0] cycle;\n  wire [127:0] bits;\n"
              "  %s_selftest_control #(.CYCLES_LOG2(%d)) u_control (\n    .clk_i(%s), .booting_o(booting), .rst_o(rst), .run_o(run), "
              ".done_o(done_o), .cycle_o(cycle)\n  );\n"
              "  %s_selftest_lfsr u_lfsr (.clk_i(clk_i), .rst_i(booting), .bits_o(bits));\n"
              "  wire unused = ^{cycle, bits}; // not every bit of them drives something\n\n",
           n, SELFTEST_CYCLES_LOG2 - 1, n, SELFTEST_CYCLES_LOG2, clock, n);
  outputs(t, cfg);
  for (size_t i = 0; i < plan->n; i++) simple_input(t, &plan->input[i]);
  for (size_t i = 0; i < plan->n; i++)
    if (plan->input[i].kind == DRIVE_STREAM) stream(t, plan, cfg, i);
  if (plan->memory) memory(t, plan, cfg);
  block(t, cfg);
  signature(t, cfg);
}

static void emit_board(struct text *t, const struct simt_config *cfg, const struct selftest_board *b, uint32_t expected) {
  char what[200];
  const char *n = cfg->name;
  bool icebreaker = !strcmp(b->name, "icebreaker"), ulx3s = !strcmp(b->name, "ulx3s");
  snprintf(what, sizeof what, "%s_%s.v: self-test of the block on a board", n, b->name);
  emit_header_comment(t, cfg, "//", what);
  text_add(t, "`default_nettype none\n\nmodule %s_%s (\n  input  wire clk_i,\n%s  output wire [%u:0] led_o,\n%s  output wire tx_o\n);\n",
           n, b->name, icebreaker ? "  output wire [1:0] led_no, // passed, failed; 0 lights them\n" : "", icebreaker ? 4 : 7,
           ulx3s ? "  output wire wifi_gpio0_o,\n" : "");
  text_add(t, "  wire done;\n  wire [31:0] signature;\n%s  %s_selftest u_selftest (.clk_i(clk_i), .done_o(done), .signature_o(signature));\n",
           icebreaker ? "  wire [7:0] led;\n" : "", n);
  text_add(t, "  %s_selftest_report #(\n    .EXPECTED(32'h%08x), // by the model\n    .CLOCKS_PER_BIT(%u),\n    .CHARS(%zu),\n    .NAME(\"%s\")\n"
              "  ) u_report (\n    .clk_i(clk_i), .done_i(done), .signature_i(signature), .led_o(%s), .tx_o(tx_o)\n  );\n",
           n, expected, b->clocks_per_bit, strlen(n), n, icebreaker ? "led" : "led_o");
  if (icebreaker) text_add(t, "  assign led_no = {~led[6], ~led[7]};\n  assign led_o = led[4:0];\n  wire unused = led[5]; // no LED is left for the end of the run\n");
  if (ulx3s) text_add(t, "  assign wifi_gpio0_o = 1'b1;\n");
  text_add(t, "endmodule\n\n`default_nettype wire\n");
}

/* ---- files -------------------------------------------------------------------------------------------- */

/* A module of fpga/rtl under the instance's name. */
static bool copy_module(struct fileset *fs, const struct simt_config *cfg, const char *module, struct simt_diag *diag) {
  char relative[128];
  snprintf(relative, sizeof relative, "fpga/rtl/selftest_%s.v", module);
  const char *path = data_path(relative), *at;
  char *text = path ? file_read(path, NULL, diag) : NULL, *from = text;
  if (!text) return simt_fail(diag, relative, "no such file", "a part of the self-test beside this program's templates");
  struct text *t = fileset_add(fs, "fpga/%s_selftest_%s.v", cfg->name, module);
  for (; (at = strstr(from, "selftest_")); from = (char *)(uintptr_t)at + 9) {
    text_add_bytes(t, from, (size_t)(at - from));
    text_add(t, "%s_selftest_", cfg->name);
  }
  text_add(t, "%s", from);
  free(text);
  return true;
}

static bool copy_constraints(struct fileset *fs, const struct simt_config *cfg, const struct selftest_board *b, struct simt_diag *diag) {
  char relative[128];
  snprintf(relative, sizeof relative, "fpga/boards/%s", b->constraints);
  const char *path = data_path(relative);
  size_t size;
  char *text = path ? file_read(path, &size, diag) : NULL;
  if (!text) return simt_fail(diag, relative, "no such file", "the pins of a board beside this program's templates");
  struct text *t = fileset_add(fs, "constraints/%s_%s", cfg->name, b->constraints);
  emit_header_comment(t, cfg, "#", "Pins of the self-test's board.");
  text_add_bytes(t, text, size);
  free(text);
  return true;
}

bool emit_selftest(struct fileset *fs, const struct simt_config *cfg, const char *board, struct simt_diag *diag) {
  static const char *const modules[] = {"control", "lfsr", "stream", "memory", "misr", "report", NULL};
  struct selftest_plan plan;
  struct selftest_result result = {0};
  bool good = selftest_make(&plan, cfg, diag) && selftest_play(&plan, cfg, &result, diag);
  for (size_t i = 0; good && modules[i]; i++) good = copy_module(fs, cfg, modules[i], diag);
  if (good) emit_driver(fileset_add(fs, "fpga/%s_selftest.v", cfg->name), &plan, cfg, &result);
  for (const struct selftest_board *b = selftest_boards; good && b->name; b++) {
    if (strcmp(board, "all") && strcmp(board, b->name)) continue;
    emit_board(fileset_add(fs, "fpga/%s_%s.v", cfg->name, b->name), cfg, b, result.signature);
    good = copy_constraints(fs, cfg, b, diag);
  }
  selftest_free(&plan);
  return good;
}
