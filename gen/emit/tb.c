/* SPDX-License-Identifier: Apache-2.0 */
/* tb.c: a self-checking bench in plain Verilog-2005 that replays vectors recorded from the C model, and
 * a memory to put behind the block. They need nothing but a simulator. */
#include <stdlib.h>
#include <string.h>

#include "emit/svg.h"
#include "gen.h"
#include "sim/record.h"
#include "core/wrap.h"

enum { VECTORS = 2000, MORE_VECTORS = 8000, BEHIND = 100, MAX_PARTS = 8, PERIOD = 10 };

struct tb_place { const struct simt_port *p, *valid; unsigned bit; }; /* a port, its valid or NULL, its first bit in a vector */
struct layout { struct tb_place *at; size_t n; unsigned in_bits, bits, widest; };

/* A vector is {outputs, inputs}, each in the order of the ports, the first port lowest. */
static struct layout lay_out(const struct simt_config *cfg) {
  struct layout l = {.at = calloc(cfg->desc.n_ports + 1, sizeof(struct tb_place)), .widest = 1};
  if (!l.at) abort();
  for (int dir = SIMT_IN; dir <= SIMT_OUT; dir++) {
    for (size_t i = 0; i < cfg->desc.n_ports; i++) {
      const struct simt_port *p = &cfg->desc.ports[i];
      if ((int)p->dir != dir || p->role == SIMT_CLOCK) continue;
      l.at[l.n++] = (struct tb_place){p, p->valid[0] ? simt_find_port(cfg, p->valid) : NULL, l.bits};
      l.bits += p->width;
      if (p->width > l.widest) l.widest = p->width;
    }
    if (dir == SIMT_IN) l.in_bits = l.bits;
  }
  return l;
}

static const struct tb_place *place_of(const struct layout *l, const char *name) {
  for (size_t i = 0; i < l->n; i++)
    if (!strcmp(l->at[i].p->name, name)) return &l->at[i];
  return NULL;
}

/* ---- vectors ------------------------------------------------------------------------------------- */

/* Puts the low `width` bits of words w at bit `at` of a vector that is 0 there. */
static void put_bits(uint32_t *to, unsigned at, const uint32_t *w, unsigned width) {
  for (unsigned done = 0; done < width; done += 32) {
    unsigned left = width - done, bit = at + done;
    uint64_t v = left < 32 ? w[done / 32] & (((uint32_t)1 << left) - 1) : w[done / 32];
    v <<= bit % 32;
    to[bit / 32] |= (uint32_t)v;
    if (v >> 32) to[bit / 32 + 1] |= (uint32_t)(v >> 32);
  }
}

/* The payload of a port means something: its valid is not 0, or it has none. */
static bool means(const struct simt_port *valid, const uint32_t *in, const uint32_t *out) {
  if (!valid) return true;
  const uint32_t *w = (valid->dir == SIMT_IN ? in : out) + valid->word;
  for (unsigned i = 0; i < valid->words; i++)
    if (w[i]) return true;
  return false;
}

/* One line of hexadecimal digits. Payloads that mean nothing stay 0. */
static void add_vector(struct text *t, const struct layout *l, const uint32_t *in, const uint32_t *out) {
  size_t digits = (l->bits + 3) / 4;
  uint32_t *vector = calloc(digits / 8 + 2, sizeof *vector);
  char *line = malloc(digits + 1);
  if (!vector || !line) abort();
  for (size_t i = 0; i < l->n; i++) {
    const struct simt_port *p = l->at[i].p;
    if (means(l->at[i].valid, in, out))
      put_bits(vector, l->at[i].bit, (p->dir == SIMT_IN ? in : out) + p->word, p->width);
  }
  for (size_t i = 0; i < digits; i++)
    line[digits - 1 - i] = "0123456789abcdef"[vector[i / 8] >> i % 8 * 4 & 15];
  line[digits] = '\n';
  text_add_bytes(t, line, digits + 1);
  free(vector);
  free(line);
}

static void vectors_header(struct text *t, const struct simt_config *cfg) {
  char what[200];
  snprintf(what, sizeof what, "%s_vectors.hex: {outputs, inputs} of each cycle, as %s_tb.v reads them", cfg->name,
           cfg->name);
  emit_header_comment(t, cfg, "//", what);
}

/* The vectors are of several runs, each from reset; where one ends. */
struct parts { unsigned end[MAX_PARTS]; size_t n; };

/* Notes the outputs whose payload meant something; behind which cycle nothing new is noted, 0: nothing is. */
static unsigned note_shown(const struct record *r, const struct simt_config *cfg, bool *shown) {
  unsigned end = 0;
  for (unsigned c = 0; c < r->cycles; c++)
    for (size_t i = 0; i < cfg->desc.n_ports; i++)
      if (!shown[i] && record_means(r, &cfg->desc.ports[i], c)) shown[i] = true, end = c + 1;
  return end;
}

/* Without unit status there is no context, only its ports. */
static bool all_shown(const struct simt_config *cfg, const bool *shown) {
  for (size_t i = 0; i < cfg->desc.n_ports; i++) {
    const struct simt_port *p = &cfg->desc.ports[i];
    if (p->dir == SIMT_OUT && !shown[i] && (has_status(cfg) || strcmp(p->group, "context"))) return false;
  }
  return true;
}

static void add_part(struct text *t, const struct layout *l, const struct record *r, unsigned cycles, struct parts *parts) {
  const struct simt_desc *d = &r->cfg->desc;
  for (unsigned c = 0; c < cycles; c++)
    add_vector(t, l, r->in + (size_t)c * d->in_words, r->out + (size_t)c * d->out_words);
  parts->end[parts->n] = cycles + (parts->n ? parts->end[parts->n - 1] : 0);
  parts->n++;
}

struct vectors { struct text *t; const struct simt_config *cfg; const struct layout *l; struct parts *parts; bool *shown; };

/* Adds what a stimulus shows beyond what is there, until a while after it does. */
static bool try_part(struct vectors *v, const char *kind, const char *profile, struct simt_diag *diag) {
  struct simt_stimulus stim = {.kind = kind, .profile = profile, .cycles = profile ? MORE_VECTORS : VECTORS, .seed = 1};
  struct record r;
  bool good = record_run(&r, v->cfg, &stim, diag);
  unsigned end = good ? note_shown(&r, v->cfg, v->shown) : 0;
  if (good && (end || !profile))
    add_part(v->t, v->l, &r, !profile || end + BEHIND > r.cycles ? r.cycles : end + BEHIND, v->parts);
  record_free(&r);
  return good;
}

/* All profiles of random stimulus in turn. While they leave an output whose payload never means anything, also each profile alone,
 * for longer, and each directed test, if it shows more. */
static bool emit_vectors(struct text *t, const struct simt_config *cfg, const struct layout *l, struct parts *parts,
                         struct simt_diag *diag) {
  const struct simt_verif *verif = simt_find_verif(cfg->block);
  struct vectors v = {t, cfg, l, parts, calloc(cfg->desc.n_ports + 1, sizeof(bool))};
  if (!v.shown) abort();
  vectors_header(t, cfg);
  bool good = try_part(&v, "random", NULL, diag);
  for (int directed = 0; good && directed < 2; directed++)
    for (const struct simt_named *s = directed ? verif->directed : verif->profiles; good && s && s->name; s++) {
      struct simt_diag unfit = {0}; /* a directed test that this configuration does not take */
      if (parts->n == MAX_PARTS || all_shown(cfg, v.shown)) break;
      if (directed) try_part(&v, "directed", s->name, &unfit);
      else if (simt_has_profile(cfg, s->name)) good = try_part(&v, "random", s->name, diag);
    }
  free(v.shown);
  return good;
}

/* ---- bench --------------------------------------------------------------------------------------- */

static void slice(struct text *t, const struct tb_place *at) {
  if (at->p->width == 1) text_add(t, "row[%u]", at->bit);
  else text_add(t, "row[%u:%u]", at->bit + at->p->width - 1, at->bit);
}

static void dut(struct text *t, const struct simt_config *cfg, const struct layout *l) {
  const struct simt_desc *d = &cfg->desc;
  for (size_t i = 0; i < l->n; i++) {
    const struct simt_port *p = l->at[i].p;
    if (p->dir == SIMT_IN) continue;
    if (p->width == 1) text_add(t, "  wire %s;\n", p->name);
    else text_add(t, "  wire [%u:0] %s;\n", p->width - 1, p->name);
  }
  if (cfg->n_wraps) text_add(t, "  wire bus_failed;\n  wire [%d:0] bus_rule;\n", 8 * BUS_RULE_CHARS - 1);
  text_add(t, "\n  %s%s u_dut (\n", cfg->name, cfg->n_wraps ? "_checked" : "");
  for (size_t i = 0; i < d->n_ports; i++) {
    const struct simt_port *p = &d->ports[i];
    text_add(t, "    .%s(", p->name);
    if (p->role == SIMT_CLOCK) text_add(t, "clk");
    else if (p->dir == SIMT_OUT) text_add(t, "%s", p->name);
    else slice(t, place_of(l, p->name));
    text_add(t, ")%s\n", i + 1 == d->n_ports && !cfg->n_wraps ? "" : ",");
  }
  if (cfg->n_wraps) text_add(t, "    .bus_failed_o(bus_failed),\n    .bus_rule_o(bus_rule)\n");
  text_add(t, "  );\n\n");
}

static void comparisons(struct text *t, const struct layout *l) {
  for (size_t i = 0; i < l->n; i++) {
    const struct simt_port *p = l->at[i].p;
    if (p->dir == SIMT_IN) continue;
    const struct tb_place *valid = place_of(l, p->valid);
    text_add(t, "      ");
    if (valid) {
      text_add(t, "if (%s", valid->p->width > 1 ? "|" : "");
      slice(t, valid);
      text_add(t, ") ");
    }
    text_add(t, "check(\"%s\", ", p->name);
    if (p->width < l->widest) text_add(t, "{%u'd0, %s}, {%u'd0, ", l->widest - p->width, p->name,
                                       l->widest - p->width);
    else text_add(t, "%s, ", p->name);
    slice(t, &l->at[i]);
    text_add(t, p->width < l->widest ? "});\n" : ");\n");
  }
}

static void bench(struct text *t, const struct simt_config *cfg, const struct layout *l, const struct parts *parts) {
  const char *n = cfg->name;
  unsigned reset = 0, cycles = parts->end[parts->n - 1];
  char what[200];
  for (size_t i = 0; i < l->n; i++)
    if (l->at[i].p->role == SIMT_RESET) reset = l->at[i].bit;
  snprintf(what, sizeof what, "%s_tb.v: self-checking bench of %s", n, n);
  emit_header_comment(t, cfg, "//", what);
  text_add(t, "//\n// Replays inputs recorded from the C model and compares every output in every cycle, payloads only\n"
              "// where their valid is 1. Prints one line, PASS or FAIL; a failure ends with $stop. In Icarus Verilog,\n"
              "// from this folder:\n"
              "//   (cd ../rtl && iverilog -g2005 -f %s.f %s../tb/%s_tb.v -o ../tb/%s_tb)\n"
              "//   vvp -N %s_tb\n",
           n, cfg->n_wraps ? "-y ../tb " : "", n, n, n);
  text_add(t, "`default_nettype none\n\nmodule %s_tb;\n\n"
              "  parameter VECTORS = \"%s_vectors.hex\"; // found from where the simulator runs\n"
              "  localparam CYCLES = %u;\n\n"
              "  reg [%u:0] vectors [0:CYCLES-1];\n"
              "  reg [%u:0] row; // {expected outputs, inputs} of this cycle\n"
              "  reg clk, failed;\n  integer cycle;\n\n", n, n, cycles, l->bits - 1, l->bits - 1);
  dut(t, cfg, l);
  text_add(t, "  task check(input [8*%d-1:0] port, input [%u:0] got, input [%u:0] expected);\n"
              "    if (!failed && got !== expected) begin\n"
              "      failed = 1'b1;\n"
              "      $display(\"FAIL %s cycle %%0d port %%0s got %%0h expected %%0h\", cycle, port, got, expected);\n"
              "    end\n  endtask\n\n", SIMT_NAME_MAX, l->widest - 1, l->widest - 1, n);
  text_add(t, "  task tick;\n    begin\n      #%d clk = 1'b1;\n      #%d clk = 1'b0;\n    end\n  endtask\n\n",
           PERIOD / 2, PERIOD / 2);
  text_add(t, "  initial begin\n    $readmemh(VECTORS, vectors);\n    clk = 1'b0;\n    failed = 1'b0;\n"
              "    row = %u'd0;\n    row[%u] = 1'b1; // reset, one cycle\n    tick;\n"
              "    for (cycle = 0; cycle < CYCLES && !failed; cycle = cycle + 1) begin\n", l->bits, reset);
  for (size_t i = 0; i + 1 < parts->n; i++)
    text_add(t, "      if (cycle == %u) begin\n        row[%u] = 1'b1; // another run, from reset\n        tick;\n      end\n",
             parts->end[i], reset);
  text_add(t, "      row = vectors[cycle];\n      #%d;\n", PERIOD / 2);
  text_add(t, "      if (^row === 1'bx) begin\n        failed = 1'b1;\n"
              "        $display(\"FAIL %s cycle %%0d has no vector: is %%0s here?\", cycle, VECTORS);\n      end\n", n);
  comparisons(t, l);
  if (cfg->n_wraps)
    text_add(t, "      if (!failed && bus_failed) begin\n        failed = 1'b1;\n"
                "        $display(\"FAIL %s cycle %%0d bus rule: %%0s\", cycle, bus_rule);\n      end\n", n);
  text_add(t, "      tick;\n    end\n    if (failed) $stop;\n    else begin\n"
              "      $display(\"PASS %s %%0d cycles\", CYCLES);\n      $finish;\n    end\n  end\n\nendmodule\n\n"
              "`default_nettype wire\n", n);
}

/* ---- memory -------------------------------------------------------------------------------------- */

/* What follows the header comment; filled in with the module's name and the widths of the ports. */
static const char memory_module[] =
    "//\n"
    "// For simulation. Takes a request whenever it can and answers it LATENCY cycles later, in order; when an\n"
    "// answer is not taken, everything behind it waits. Holds 2 to the power of SIZE_LOG2 words of BYTES bytes,\n"
    "// word i at byte address i * BYTES; an address beyond them is answered with error 1. It begins with\n"
    "// zeros. Reset drops the answers under way and keeps the contents.\n"
    "`default_nettype none\n\n"
    "module %s #(\n"
    "  parameter LATENCY   = 20, // cycles from request to answer, at least 1\n"
    "  parameter SIZE_LOG2 = 16  // words, as a logarithm\n"
    ") (\n"
    "  input  wire clk_i,\n"
    "  input  wire rst_i,\n\n"
    "  input  wire mem_req_valid_i,\n"
    "  output wire mem_req_ready_o,\n"
    "  input  wire mem_req_write_i,\n"
    "  input  wire [%u:0] mem_req_tag_i,\n"
    "  input  wire [%u:0] mem_req_addr_i,\n"
    "  input  wire [%u:0] mem_req_data_i,\n"
    "  input  wire [%u:0] mem_req_strb_i,\n\n"
    "  output wire mem_rsp_valid_o,\n"
    "  input  wire mem_rsp_ready_i,\n"
    "  output wire [%u:0] mem_rsp_tag_o,\n"
    "  output wire [%u:0] mem_rsp_data_o,\n"
    "  output wire [1:0] mem_rsp_error_o\n"
    ");\n\n"
    "  localparam [64:0] BYTES = 65'd%u;\n"
    "  localparam TAG_W = %u;\n"
    "  localparam DATA_W = %u;\n"
    "  localparam AT_W = (LATENCY > 1) ? $clog2(LATENCY) : 1;\n"
    "  localparam [31:0] LAST = LATENCY - 1;\n\n"
    "  reg [DATA_W-1:0] mem [0:(1<<SIZE_LOG2)-1];\n"
    "  integer at;\n"
    "  initial for (at = 0; at < (1 << SIZE_LOG2); at = at + 1) mem[at] = {DATA_W{1'b0}};\n\n"
    "  // Answers under way: a ring that turns by one place a cycle; the place at hand holds the oldest answer\n"
    "  // and takes the newest request.\n"
    "  reg [AT_W-1:0] at_q;\n"
    "  reg [LATENCY-1:0] valid_q, error_q;\n"
    "  reg [TAG_W-1:0] tag_q [0:LATENCY-1];\n"
    "  reg [DATA_W-1:0] data_q [0:LATENCY-1];\n\n"
    "  wire step = !valid_q[at_q] || mem_rsp_ready_i;\n"
    "  wire take = mem_req_valid_i && step;\n"
    "  wire [64:0] index = {%u'd0, mem_req_addr_i} / BYTES;\n"
    "  wire in_range = ~|index[64:SIZE_LOG2];\n"
    "  wire [SIZE_LOG2-1:0] word = index[SIZE_LOG2-1:0];\n\n"
    "  wire [DATA_W-1:0] mask;\n"
    "  genvar i;\n"
    "  generate\n"
    "    for (i = 0; i < DATA_W; i = i + 1) begin : g_mask\n"
    "      assign mask[i] = mem_req_strb_i[i / 8];\n"
    "    end\n"
    "  endgenerate\n\n"
    "  assign mem_req_ready_o = step;\n"
    "  assign mem_rsp_valid_o = valid_q[at_q];\n"
    "  assign mem_rsp_tag_o = tag_q[at_q];\n"
    "  assign mem_rsp_data_o = data_q[at_q];\n"
    "  assign mem_rsp_error_o = {1'b0, error_q[at_q]};\n\n"
    "  always @(posedge clk_i) begin\n"
    "    if (rst_i) begin\n"
    "      at_q <= {AT_W{1'b0}};\n"
    "      valid_q <= {LATENCY{1'b0}};\n"
    "    end else if (step) begin\n"
    "      at_q <= (at_q == LAST[AT_W-1:0]) ? {AT_W{1'b0}} : at_q + 1'b1;\n"
    "      valid_q[at_q] <= take;\n"
    "      error_q[at_q] <= !in_range;\n"
    "      tag_q[at_q] <= mem_req_tag_i;\n"
    "      data_q[at_q] <= mem[word];\n"
    "      if (take && mem_req_write_i && in_range)\n"
    "        mem[word] <= (mem[word] & ~mask) | (mem_req_data_i & mask);\n"
    "    end\n"
    "  end\n\n"
    "endmodule\n\n"
    "`default_nettype wire\n";

/* The same behind AXI4, filled in likewise. */
static const char axi_memory_module[] =
    "//\n"
    "// For simulation. Takes bursts of any length while it has room, and answers reads in order, and writes in\n"
    "// theirs: a read LATENCY cycles after its address was taken, or behind the read before; a write LATENCY cycles\n"
    "// after its last beat was taken. Write data are taken behind their address. Holds 2 to the power of SIZE_LOG2\n"
    "// words of the bus, word i at byte address i * BYTES; beyond them the answer is a decode error. Bursts must\n"
    "// increment, by whole words. It begins with zeros. Reset drops what is under way and keeps the contents.\n"
    "`default_nettype none\n"
    "\n"
    "module %s #(\n"
    "  parameter LATENCY    = 20, // cycles from an access to its answer, at least 2\n"
    "  parameter SIZE_LOG2  = 16, // words, as a logarithm\n"
    "  parameter DEPTH_LOG2 = 6   // accesses under way in each direction, as a logarithm, at least 1\n"
    ") (\n"
    "  input  wire clk_i,\n"
    "  input  wire rst_i,\n"
    "\n"
    "  input  wire m_axi_awvalid,\n"
    "  output wire m_axi_awready,\n"
    "  input  wire [%u:0] m_axi_awid,\n"
    "  input  wire [%u:0] m_axi_awaddr,\n"
    "  input  wire [7:0] m_axi_awlen,\n"
    "  input  wire [2:0] m_axi_awsize,\n"
    "  input  wire [1:0] m_axi_awburst,\n"
    "  input  wire [3:0] m_axi_awcache,\n"
    "  input  wire [2:0] m_axi_awprot,\n"
    "  input  wire m_axi_wvalid,\n"
    "  output wire m_axi_wready,\n"
    "  input  wire [%u:0] m_axi_wdata,\n"
    "  input  wire [%u:0] m_axi_wstrb,\n"
    "  input  wire m_axi_wlast,\n"
    "  output wire m_axi_bvalid,\n"
    "  input  wire m_axi_bready,\n"
    "  output wire [%u:0] m_axi_bid,\n"
    "  output wire [1:0] m_axi_bresp,\n"
    "  input  wire m_axi_arvalid,\n"
    "  output wire m_axi_arready,\n"
    "  input  wire [%u:0] m_axi_arid,\n"
    "  input  wire [%u:0] m_axi_araddr,\n"
    "  input  wire [7:0] m_axi_arlen,\n"
    "  input  wire [2:0] m_axi_arsize,\n"
    "  input  wire [1:0] m_axi_arburst,\n"
    "  input  wire [3:0] m_axi_arcache,\n"
    "  input  wire [2:0] m_axi_arprot,\n"
    "  output wire m_axi_rvalid,\n"
    "  input  wire m_axi_rready,\n"
    "  output wire [%u:0] m_axi_rid,\n"
    "  output wire [%u:0] m_axi_rdata,\n"
    "  output wire [1:0] m_axi_rresp,\n"
    "  output wire m_axi_rlast\n"
    ");\n"
    "\n"
    "  localparam [64:0] BYTES = 65'd%u;\n"
    "  localparam TAG_W = %u;\n"
    "  localparam DATA_W = %u;\n"
    "  localparam DEPTH = 1 << DEPTH_LOG2;\n"
    "  localparam [31:0] WAIT = LATENCY;\n"
    "\n"
    "  reg [DATA_W-1:0] mem [0:(1<<SIZE_LOG2)-1];\n"
    "  integer at;\n"
    "  initial for (at = 0; at < (1 << SIZE_LOG2); at = at + 1) mem[at] = {DATA_W{1'b0}};\n"
    "\n"
    "  reg [31:0] now_q; // cycles since reset\n"
    "\n"
    "  // ---- writes: an address at a time, then its beats; then the response waits in a queue\n"
    "  reg aw_held_q, aw_error_q; // a beat before was out of range\n"
    "  reg [TAG_W-1:0] aw_id_q;\n"
    "  reg [64:0] aw_word_q; // of the next beat\n"
    "  reg [TAG_W-1:0] b_id_q [0:DEPTH-1];\n"
    "  reg [31:0] b_due_q [0:DEPTH-1];\n"
    "  reg [DEPTH-1:0] b_error_q;\n"
    "  reg [DEPTH_LOG2:0] b_in_q, b_out_q;\n"
    "  wire [DEPTH_LOG2-1:0] b_in = b_in_q[DEPTH_LOG2-1:0], b_out = b_out_q[DEPTH_LOG2-1:0];\n"
    "  wire [DEPTH_LOG2:0] b_held = b_in_q - b_out_q;\n"
    "  wire b_due = $signed(now_q - b_due_q[b_out]) >= 32'sd0;\n"
    "  wire w_error = aw_error_q || |aw_word_q[64:SIZE_LOG2];\n"
    "  wire [SIZE_LOG2-1:0] w_word = aw_word_q[SIZE_LOG2-1:0];\n"
    "\n"
    "  wire [DATA_W-1:0] mask;\n"
    "  genvar i;\n"
    "  generate\n"
    "    for (i = 0; i < DATA_W; i = i + 1) begin : g_mask\n"
    "      assign mask[i] = m_axi_wstrb[i / 8];\n"
    "    end\n"
    "  endgenerate\n"
    "\n"
    "  assign m_axi_awready = !aw_held_q && !b_held[DEPTH_LOG2];\n"
    "  assign m_axi_wready = aw_held_q;\n"
    "  assign m_axi_bvalid = |b_held && b_due;\n"
    "  assign m_axi_bid = b_id_q[b_out];\n"
    "  assign m_axi_bresp = {2{b_error_q[b_out]}};\n"
    "\n"
    "  always @(posedge clk_i) begin\n"
    "    now_q <= now_q + 32'd1;\n"
    "    if (rst_i) begin\n"
    "      now_q <= 32'd0;\n"
    "      aw_held_q <= 1'b0;\n"
    "      b_in_q <= {DEPTH_LOG2+1{1'b0}};\n"
    "      b_out_q <= {DEPTH_LOG2+1{1'b0}};\n"
    "    end else begin\n"
    "      if (m_axi_awvalid && m_axi_awready) begin\n"
    "        aw_held_q <= 1'b1;\n"
    "        aw_error_q <= 1'b0;\n"
    "        aw_id_q <= m_axi_awid;\n"
    "        aw_word_q <= {%u'd0, m_axi_awaddr} / BYTES;\n"
    "      end\n"
    "      if (m_axi_wvalid && m_axi_wready) begin\n"
    "        if (~|aw_word_q[64:SIZE_LOG2]) mem[w_word] <= (mem[w_word] & ~mask) | (m_axi_wdata & mask);\n"
    "        aw_word_q <= aw_word_q + 65'd1;\n"
    "        aw_error_q <= w_error;\n"
    "        if (m_axi_wlast) begin\n"
    "          aw_held_q <= 1'b0;\n"
    "          b_id_q[b_in] <= aw_id_q;\n"
    "          b_due_q[b_in] <= now_q + WAIT;\n"
    "          b_error_q[b_in] <= w_error;\n"
    "          b_in_q <= b_in_q + 1'b1;\n"
    "        end\n"
    "      end\n"
    "      if (m_axi_bvalid && m_axi_bready) b_out_q <= b_out_q + 1'b1;\n"
    "    end\n"
    "  end\n"
    "\n"
    "  // ---- reads: a queue of addresses; a beat is read when it is offered, and then holds still\n"
    "  reg [TAG_W-1:0] ar_id_q [0:DEPTH-1];\n"
    "  reg [64:0] ar_word_q [0:DEPTH-1];\n"
    "  reg [7:0] ar_len_q [0:DEPTH-1];\n"
    "  reg [31:0] ar_due_q [0:DEPTH-1];\n"
    "  reg [DEPTH_LOG2:0] ar_in_q, ar_out_q;\n"
    "  wire [DEPTH_LOG2-1:0] ar_in = ar_in_q[DEPTH_LOG2-1:0], ar_out = ar_out_q[DEPTH_LOG2-1:0];\n"
    "  wire [DEPTH_LOG2:0] ar_held = ar_in_q - ar_out_q;\n"
    "  wire ar_due = $signed(now_q + 32'd1 - ar_due_q[ar_out]) >= 32'sd0;\n"
    "  reg [7:0] beat_q;\n"
    "  wire [64:0] r_word = ar_word_q[ar_out] + {57'd0, beat_q};\n"
    "  wire last = beat_q == ar_len_q[ar_out];\n"
    "  reg r_valid_q, r_last_q, r_error_q;\n"
    "  reg [TAG_W-1:0] r_id_q;\n"
    "  reg [DATA_W-1:0] r_data_q;\n"
    "\n"
    "  assign m_axi_arready = !ar_held[DEPTH_LOG2];\n"
    "  assign m_axi_rvalid = r_valid_q;\n"
    "  assign m_axi_rid = r_id_q;\n"
    "  assign m_axi_rdata = r_data_q;\n"
    "  assign m_axi_rresp = {2{r_error_q}};\n"
    "  assign m_axi_rlast = r_last_q;\n"
    "\n"
    "  always @(posedge clk_i) begin\n"
    "    if (rst_i) begin\n"
    "      ar_in_q <= {DEPTH_LOG2+1{1'b0}};\n"
    "      ar_out_q <= {DEPTH_LOG2+1{1'b0}};\n"
    "      beat_q <= 8'd0;\n"
    "      r_valid_q <= 1'b0;\n"
    "    end else begin\n"
    "      if (m_axi_arvalid && m_axi_arready) begin\n"
    "        ar_id_q[ar_in] <= m_axi_arid;\n"
    "        ar_word_q[ar_in] <= {%u'd0, m_axi_araddr} / BYTES;\n"
    "        ar_len_q[ar_in] <= m_axi_arlen;\n"
    "        ar_due_q[ar_in] <= now_q + WAIT;\n"
    "        ar_in_q <= ar_in_q + 1'b1;\n"
    "      end\n"
    "      if (!r_valid_q || m_axi_rready) begin\n"
    "        r_valid_q <= 1'b0;\n"
    "        if (|ar_held && ar_due) begin\n"
    "          r_valid_q <= 1'b1;\n"
    "          r_id_q <= ar_id_q[ar_out];\n"
    "          r_error_q <= |r_word[64:SIZE_LOG2];\n"
    "          r_data_q <= mem[r_word[SIZE_LOG2-1:0]];\n"
    "          r_last_q <= last;\n"
    "          beat_q <= last ? 8'd0 : beat_q + 8'd1;\n"
    "          if (last) ar_out_q <= ar_out_q + 1'b1;\n"
    "        end\n"
    "      end\n"
    "    end\n"
    "  end\n"
    "\n"
    "  wire unused = &{1'b0, m_axi_awlen, m_axi_awsize, m_axi_awburst, m_axi_awcache, m_axi_awprot,\n"
    "                  m_axi_arsize, m_axi_arburst, m_axi_arcache, m_axi_arprot};\n"
    "\n"
    "endmodule\n"
    "\n"
    "`default_nettype wire\n";

static const struct simt_port *port_of(const struct simt_config *cfg, const char *memory, const char *name) {
  return simt_find_mem_port(&cfg->desc, memory, name);
}

/* Writes the memory of one port; that of a port with a name has it in its own. */
static void emit_memory(struct fileset *fs, const struct simt_config *cfg, const char *port) {
  const bool axi = !port_of(cfg, port, "mem_req_tag_o");
  const struct simt_port *tag = port_of(cfg, port, axi ? "m_axi_awid" : "mem_req_tag_o"),
                         *addr = port_of(cfg, port, axi ? "m_axi_awaddr" : "mem_req_addr_o"),
                         *data = port_of(cfg, port, axi ? "m_axi_wdata" : "mem_req_data_o"),
                         *strb = port_of(cfg, port, axi ? "m_axi_wstrb" : "mem_req_strb_o");
  if (!tag || !addr || !data || !strb) return;
  char what[300], name[3 * SIMT_NAME_MAX];
  snprintf(name, sizeof name, "%s_%.47smemory", cfg->name, port);
  struct text *t = fileset_add(fs, "tb/%s.v", name);
  snprintf(what, sizeof what, "%s.v: %s memory of fixed latency to put behind %s%s%.47s", name, axi ? "an AXI4" : "a", cfg->name,
           port[0] ? ", port " : "", port);
  emit_header_comment(t, cfg, "//", what);
  const unsigned top[] = {tag->width - 1, addr->width - 1, data->width - 1, strb->width - 1}, zeros = 65 - addr->width;
  if (axi)
    text_add(t, axi_memory_module, name, top[0], top[1], top[2], top[3], top[0], top[0], top[1], top[0], top[2],
             strb->width, tag->width, data->width, zeros, zeros);
  else
    text_add(t, memory_module, name, top[0], top[1], top[2], top[3], top[0], top[2], strb->width, tag->width, data->width, zeros);
}

unsigned emit_memory_ports(const struct simt_config *cfg, char name[SIMT_MAX_MEM_PORTS][SIMT_NAME_MAX]) {
  unsigned n = simt_mem_port_names(&cfg->desc, name);
  for (size_t i = 0; i < cfg->n_wraps && n < SIMT_MAX_MEM_PORTS; i++)
    if (cfg->wrap[i].kind == &simt_axi4_master) snprintf(name[n++], SIMT_NAME_MAX, "%s", cfg->wrap[i].port);
  return n;
}

static void emit_memories(struct fileset *fs, const struct simt_config *cfg) {
  char name[SIMT_MAX_MEM_PORTS][SIMT_NAME_MAX];
  const unsigned ports = emit_memory_ports(cfg, name);
  for (unsigned i = 0; i < ports; i++) emit_memory(fs, cfg, name[i]);
}

bool emit_tb(struct fileset *fs, const struct simt_config *cfg, struct simt_diag *diag) {
  struct layout l = lay_out(cfg);
  struct parts parts = {0};
  bool good = emit_vectors(fileset_add(fs, "tb/%s_vectors.hex", cfg->name), cfg, &l, &parts, diag);
  if (good) {
    bench(fileset_add(fs, "tb/%s_tb.v", cfg->name), cfg, &l, &parts);
    emit_memories(fs, cfg);
    good = emit_checked(fs, cfg, diag);
  }
  free(l.at);
  return good;
}

struct tb { const struct simt_config *cfg; struct layout l; struct text vectors; unsigned cycles; };

struct tb *tb_open(const struct simt_config *cfg) {
  struct tb *tb = calloc(1, sizeof *tb);
  if (!tb) abort();
  tb->cfg = cfg;
  tb->l = lay_out(cfg);
  return tb;
}

void tb_cycle(struct tb *tb, const uint32_t *in, const uint32_t *out) {
  add_vector(&tb->vectors, &tb->l, in, out);
  tb->cycles++;
}

void tb_close(struct tb *tb, struct fileset *fs) {
  text_add_bytes(fileset_add(fs, "tb/%s_vectors.hex", tb->cfg->name), tb->vectors.s, tb->vectors.len);
  struct parts whole = {.end = {tb->cycles}, .n = 1};
  bench(fileset_add(fs, "tb/%s_tb.v", tb->cfg->name), tb->cfg, &tb->l, &whole);
  text_free(&tb->vectors);
  free(tb->l.at);
  free(tb);
}
