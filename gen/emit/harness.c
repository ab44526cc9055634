/* SPDX-License-Identifier: Apache-2.0 */
/* harness.c: the registered harness in which a block is synthesized, on two or three pins.
 *
 * In: one LFSR, a shift register with its end fed back; every input bit has a flip-flop of its own,
 * as in a real neighbour, and no LUT. Out: a MISR in which each stage takes in three outputs, so that one LUT
 * and one flip-flop hold three outputs: a path that ends in an output passes that LUT and then its only
 * register, so the harness never flatters a frequency. A flip-flop of an FPGA cell takes its data through the
 * cell's LUT anyway: outputs that are registers or RAM words lose nothing.
 *
 * A block of many inputs would fill a device with flip-flops of the harness. There, a wide port is divided among
 * shared flip-flops in order, so that equal places of ports share one, as signals of one neighbour do; a port of at
 * most MOST_OWN bits comes from somewhere else and has its own. There is nothing else: no LFSR, no pin but the clock and
 * one output. What a placement of a nearly full device needs:
 * - Registers of a group of cells share one reset: all have that of the block. Mixed, nextpnr found no place at 77 % of
 *   an HX8K.
 * - No net of the harness pulls parts of the block together or apart: each register that drives it, that of the reset
 *   too, toggles by itself. In chains from an LFSR it stood where the LFSR was and not where the block wanted it, and its
 *   way to the block, or the reset's to the global net, was the slowest path.
 * - Outputs are taken four at a time, four apart: neighbours may be one net, which so drives as many registers as it
 *   has outputs.
 *
 * Cost: a flip-flop per input bit, a cell per three output bits and six cells; for many inputs a flip-flop per bit of
 * one port and of each small one, a cell per four output bits and one for the reset. It is subtracted exactly when the
 * block keeps its boundary until it is mapped (gen/synth/run.c does that). Synthesized flat, a tool would merge LFSR
 * stages with input registers of the block, whose data are the same, and the block would look smaller than it is. */
#include <string.h>

#include "gen.h"

/* Feedback from the last stage, so that all stages live with and without the block, and from one more: a
 * single LUT, the seed included. The shortest one, x^31 + x^28 + 1, is primitive. */
enum { SHORTEST = 31, TAP = 28, MOST_INPUTS = 512, MOST_SHARED = 1024, MOST_OWN = 32 };

struct bits { unsigned in, out; }; /* of the block, clock and reset not counted */

static bool is_special(const struct simt_port *p) { return p->role != SIMT_DATA; }

static struct bits count_bits(const struct simt_desc *d) {
  struct bits n = {0, 0};
  for (size_t i = 0; i < d->n_ports; i++) {
    const struct simt_port *p = &d->ports[i];
    if (is_special(p)) continue;
    if (p->dir == SIMT_IN) n.in += p->width;
    else n.out += p->width;
  }
  return n;
}

/* [hi:lo] of a port in its vector, or [lo] for one bit. */
static void slice(struct text *t, const char *vector, unsigned lo, unsigned width) {
  if (width > 1) text_add(t, "%s[%u:%u]", vector, lo + width - 1, lo);
  else text_add(t, "%s[%u]", vector, lo);
}

static void instance(struct text *t, const struct simt_config *cfg) {
  const struct simt_desc *d = &cfg->desc;
  struct bits at = {0, 0};
  text_add(t, "  %s u_block (\n", cfg->name);
  for (size_t i = 0; i < d->n_ports; i++) {
    const struct simt_port *p = &d->ports[i];
    text_add(t, "    .%s(", p->name);
    if (p->role == SIMT_CLOCK) text_add(t, "clk_i");
    else if (p->role == SIMT_RESET) text_add(t, "block_rst_q");
    else if (p->dir == SIMT_IN) slice(t, "in", at.in, p->width);
    else slice(t, "out", at.out, p->width);
    if (!is_special(p)) *(p->dir == SIMT_IN ? &at.in : &at.out) += p->width;
    text_add(t, ")%s\n", i + 1 == d->n_ports ? "" : ",");
  }
  text_add(t, "  );\n");
}

/* The widest input that may have a register for each of its bits: that many serve all inputs. */
static unsigned count_shared(const struct simt_desc *d) {
  unsigned most = SHORTEST;
  for (size_t i = 0; i < d->n_ports; i++) {
    const struct simt_port *p = &d->ports[i];
    if (!is_special(p) && p->dir == SIMT_IN && p->width <= MOST_SHARED && p->width > most) most = p->width;
  }
  return most;
}

static bool has_own(const struct simt_port *p) { return p->width <= MOST_OWN; }

/* Bits of ports that share no register. */
static unsigned count_own(const struct simt_desc *d) {
  unsigned n = 0;
  for (size_t i = 0; i < d->n_ports; i++) {
    const struct simt_port *p = &d->ports[i];
    if (!is_special(p) && p->dir == SIMT_IN && has_own(p)) n += p->width;
  }
  return n;
}

/* The vector of the block's inputs, from shared registers; behind them those of single ports. */
static void shared_inputs(struct text *t, const struct simt_desc *d, unsigned length, unsigned n) {
  unsigned own = length;
  text_add(t, "  wire [%u:0] in;\n  generate\n", n - 1);
  for (size_t i = 0, at = 0; i < d->n_ports; i++) {
    const struct simt_port *p = &d->ports[i];
    if (is_special(p) || p->dir != SIMT_IN) continue;
    if (has_own(p)) {
      text_add(t, "    assign in[%zu:%zu] = launch_q[%u:%u];\n", at + p->width - 1, at, own + p->width - 1, own);
      own += p->width;
      at += p->width;
      continue;
    }
    unsigned w = p->width, loops = w < length ? w : length; /* tools unroll 1,024 at most */
    text_add(t, "    for (g = 0; g < %u; g = g + 1) begin : g_%s\n", loops, p->name);
    if (w <= length) text_add(t, "      assign in[%zu + g] = launch_q[g * %u / %u];\n", at, length, w);
    else text_add(t, "      assign in[%zu + (g+1)*%u/%u-1 : %zu + g*%u/%u] = {((g+1)*%u/%u - g*%u/%u){launch_q[g]}};\n", at, w, length,
                  at, w, length, w, length, w, length);
    text_add(t, "    end\n");
    at += p->width;
  }
  text_add(t, "  endgenerate\n");
}

/* In place of the block: each output straight from a register of the harness, the block's reset included. */
static void stand_in(struct text *t, unsigned length, unsigned out) {
  unsigned times = out / (length + 1) + 1;
  text_add(t, "  wire [%u:0] again = {%u{lfsr_q, block_rst_q}};\n", (length + 1) * times - 1, times);
  text_add(t, "  assign out[%u:0] = again[%u:0];\n", out - 1, out - 1);
}

/* The same for launch registers: each take has three others, so that no two share a LUT. */
static void shared_stand_in(struct text *t, unsigned length, unsigned takes) {
  text_add(t,
    "  generate\n"
    "    for (g = 0; g < %u; g = g + 1) begin : g_out\n"
    "      assign out[g / 4 * 16 + g %% 4] = launch_q[g %% %u];\n"
    "      assign out[g / 4 * 16 + g %% 4 + 4] = launch_q[(g + 1 + g / %u) %% %u];\n"
    "      assign out[g / 4 * 16 + g %% 4 + 8] = launch_q[(g + 15) %% %u];\n"
    "      assign out[g / 4 * 16 + g %% 4 + 12] = 1'b0;\n"
    "    end\n"
    "  endgenerate\n", takes, length, length, length, length);
}

static void registers(struct text *t, unsigned length, unsigned stages) {
  text_add(t,
    "  integer i;\n"
    "  always @(posedge clk_i) begin\n"
    "    seed_q <= seed_i;\n"
    "    rst_q <= seed_i & seed_q;\n"
    "    block_rst_q <= rst_q;\n"
    "    if (rst_q) begin\n"
    "      lfsr_q <= {%u{1'b0}};\n"
    "      misr_q <= {%u{1'b0}};\n"
    "    end else begin\n"
    "      lfsr_q <= {lfsr_q[%u:0], lfsr_q[%u] ^ lfsr_q[%d] ^ seed_q};\n"
    "      misr_q[0] <= ^out[1:0] ^ misr_q[%u] ^ misr_q[%u];\n"
    "      for (i = 1; i < %u; i = i + 1)\n"
    "        misr_q[i] <= ^out[3*i-1 +: 3] ^ misr_q[i-1];\n"
    "    end\n"
    "  end\n", length, stages, length - 2, length - 1, TAP - 1, stages - 1, stages / 2, stages);
}

/* For few inputs. */
static void narrow(struct text *t, const struct simt_config *cfg, bool with_block, struct bits n) {
  unsigned length = n.in > SHORTEST ? n.in : SHORTEST;
  unsigned stages = n.out > 5 ? (n.out + 3) / 3 : 3; /* the first takes two outputs, the others three */
  unsigned places = 3 * stages - 1;
  text_add(t,
    "// seed_i held at 1 for three cycles resets; later its bits stir the LFSR that drives every input.\n"
    "// out_o is the end of a MISR that takes in every output.\n"
    "`default_nettype none\n\n"
    "module %s_harness (\n"
    "  input  wire clk_i,\n"
    "  input  wire seed_i,\n"
    "  output wire out_o\n"
    ");\n"
    "  reg seed_q, rst_q, block_rst_q;\n"
    "  reg [%u:0] lfsr_q;\n"
    "  reg [%u:0] misr_q;\n"
    "  wire [%u:0] out;\n"
    "  assign out_o = misr_q[%u];\n",
    cfg->name, length - 1, stages - 1, places - 1, stages - 1);
  if (n.out < places)
    text_add(t, "  assign out[%u:%u] = %u'd0;\n", places - 1, n.out, places - n.out);
  if (with_block && n.in) text_add(t, "  wire [%u:0] in;\n  assign in = lfsr_q[%u:0];\n", n.in - 1, n.in - 1);
  text_add(t, "\n");
  registers(t, length, stages);
  text_add(t, "\n");
  if (with_block) instance(t, cfg);
  else if (n.out) stand_in(t, length, n.out);
}

/* For many inputs. Registers are kept, with equal data too, and whether anything looks at them or not. */
static void wide(struct text *t, const struct simt_config *cfg, bool with_block, struct bits n) {
  unsigned length = count_shared(&cfg->desc), takes = (n.out + 15) / 16 * 4;
  unsigned own = count_own(&cfg->desc);
  text_add(t,
    "// Every input toggles, and so does the reset. Every output ends in a register that is kept.\n"
    "`default_nettype none\n\n"
    "module %s_harness (\n"
    "  input  wire clk_i,\n"
    "  output wire out_o\n"
    ");\n"
    "  (* keep = \"true\" *) reg block_rst_q;\n"
    "  wire [%u:0] launch_q;\n"
    "  wire [%u:0] taken_q;\n"
    "  wire [%u:0] out;\n"
    "  assign out_o = taken_q[0];\n",
    cfg->name, length + own - 1, takes - 1, 4 * takes - 1);
  if (with_block && n.out < 4 * takes) text_add(t, "  assign out[%u:%u] = %u'd0;\n", 4 * takes - 1, n.out, 4 * takes - n.out);
  text_add(t,
    "  (* keep *) always @(posedge clk_i) block_rst_q <= block_rst_q ? 1'b0 : 1'b1;\n"
    "  genvar g;\n"
    "  generate\n"
    "    for (g = 0; g < %u; g = g + 1) begin : g_launch\n"
    "      (* keep = \"true\" *) reg one_q;\n"
    "      (* keep *) always @(posedge clk_i) one_q <= block_rst_q ? 1'b0 : ~one_q;\n"
    "      assign launch_q[g] = one_q;\n"
    "    end\n"
    "    for (g = 0; g < %u; g = g + 1) begin : g_take\n"
    "      (* keep = \"true\" *) reg one_q;\n"
    "      wire [12:0] from = out[g / 4 * 16 + g %% 4 +: 13];\n"
    "      (* keep *) always @(posedge clk_i) one_q <= block_rst_q ? 1'b0 : from[0] | from[4] | from[8] | from[12];\n"
    "      assign taken_q[g] = one_q;\n"
    "    end\n"
    "  endgenerate\n",
    length + own, takes);
  if (with_block) shared_inputs(t, &cfg->desc, length, n.in);
  if (with_block) instance(t, cfg);
  else shared_stand_in(t, length + own, takes);
}

void emit_harness(struct text *t, const struct simt_config *cfg, bool with_block) {
  struct bits n = count_bits(&cfg->desc);
  char what[200];
  snprintf(what, sizeof what, "%s_harness.v: %s for synthesis on three pins", cfg->name,
           with_block ? "the block between registers" : "the registers alone, to measure them,");
  emit_header_comment(t, cfg, "//", what);
  (n.in > MOST_INPUTS ? wide : narrow)(t, cfg, with_block, n);
  text_add(t, "endmodule\n\n`default_nettype wire\n");
}
