/* SPDX-License-Identifier: Apache-2.0 */
/* asic.c: standard cells: the flow of Yosys, memories as macros, the delay by OpenSTA.
 *
 * A memory of SYNTH_MACRO_BITS or more is what a RAM compiler is for: it stays a macro, whose bits are shown and whose area
 * and times are not known here. A smaller one becomes flip-flops and gates. */
#include <stdlib.h>
#include <string.h>

#include "synth/synth.h"

/* Drives long nets by trees of buffers and chooses sizes of gates; without, one net of thousands of gates is the delay. */
#define ABC_STEPS "+strash;ifraig;scorr;dc2;dretime;strash;&get,-n;&dch,-f;&nf;&put;buffer,-c;topo;upsize;dnsize;stime,-p"

static const char ram_ports[] = "RD_CLK, RD_EN, RD_SRST, RD_ADDR, RD_DATA, WR_CLK, WR_EN, WR_ADDR, WR_DATA";

void synth_asic_lines(struct text *t, const char *top) {
  text_add(t, "synth -top %s -flatten -run begin:fine\ntechmap -map ram_macro.map\nsynth -top %s -run fine:check\n"
              "dfflibmap -liberty cells.lib\nabc -liberty cells.lib -script \"%s\"\nopt_clean -purge\nautoname\n"
              "stat -liberty cells.lib\n", top, top, ABC_STEPS);
}

/* A memory of Yosys as a macro; the parameters of the template are those that $mem_v2 has. */
void synth_asic_files(struct fileset *fs) {
  text_add(fileset_add(fs, "./ram_macro.map"),
    "(* techmap_celltype = \"$mem_v2\" *)\n"
    "module ram_macro_map (RD_ARST, %s);\n"
    "  parameter MEMID = \"\", SIZE = 1, OFFSET = 0, ABITS = 1, WIDTH = 1, INIT = 1'bx;\n"
    "  parameter RD_PORTS = 1, RD_CLK_ENABLE = 1, RD_CLK_POLARITY = 1, RD_TRANSPARENCY_MASK = 0, RD_COLLISION_X_MASK = 0,\n"
    "            RD_WIDE_CONTINUATION = 0, RD_CE_OVER_SRST = 0, RD_ARST_VALUE = 0, RD_SRST_VALUE = 0, RD_INIT_VALUE = 0;\n"
    "  parameter WR_PORTS = 1, WR_CLK_ENABLE = 1, WR_CLK_POLARITY = 1, WR_PRIORITY_MASK = 0, WR_WIDE_CONTINUATION = 0;\n"
    "  input [RD_PORTS-1:0] RD_CLK, RD_EN, RD_ARST, RD_SRST;\n"
    "  input [RD_PORTS*ABITS-1:0] RD_ADDR;\n"
    "  output [RD_PORTS*WIDTH-1:0] RD_DATA;\n"
    "  input [WR_PORTS-1:0] WR_CLK;\n"
    "  input [WR_PORTS*WIDTH-1:0] WR_EN, WR_DATA;\n"
    "  input [WR_PORTS*ABITS-1:0] WR_ADDR;\n"
    "  wire _TECHMAP_FAIL_ = SIZE * WIDTH < %d || WR_PORTS == 0;\n"
    "  RAM_MACRO #(.WORDS(SIZE), .BITS(WIDTH), .READS(RD_PORTS), .WRITES(WR_PORTS), .ABITS(ABITS)) _TECHMAP_REPLACE_ (\n"
    "    .RD_CLK(RD_CLK), .RD_EN(RD_EN), .RD_SRST(RD_SRST), .RD_ADDR(RD_ADDR), .RD_DATA(RD_DATA),\n"
    "    .WR_CLK(WR_CLK), .WR_EN(WR_EN), .WR_ADDR(WR_ADDR), .WR_DATA(WR_DATA));\n"
    "endmodule\n", ram_ports, SYNTH_MACRO_BITS);
  text_add(fileset_add(fs, "./ram_macro.bb"),
    "(* blackbox *)\n"
    "module RAM_MACRO #(parameter WORDS = 1, parameter BITS = 1, parameter READS = 1, parameter WRITES = 1,\n"
    "                   parameter ABITS = 1) (\n"
    "  input [READS-1:0] RD_CLK, input [READS-1:0] RD_EN, input [READS-1:0] RD_SRST, input [READS*ABITS-1:0] RD_ADDR,\n"
    "  output [READS*BITS-1:0] RD_DATA, input [WRITES-1:0] WR_CLK, input [WRITES*BITS-1:0] WR_EN,\n"
    "  input [WRITES*ABITS-1:0] WR_ADDR, input [WRITES*BITS-1:0] WR_DATA);\n"
    "endmodule\n");
  /* What abc makes of it is the gate in gate equivalents. */
  text_add(fileset_add(fs, "./gate.bb"), "module one_gate (input a, input b, output y);\n  assign y = ~(a & b);\nendmodule\n");
}

/* ---- OpenSTA ---------------------------------------------------------------------------------------- */

#define STA_PERIOD "1000"

void synth_sta_script(struct text *t, const char *top) {
  text_add(t, "read_liberty cells.lib\nread_verilog mapped.v\nlink_design %s\nset_cmd_units -time ns\n"
              "create_clock -name clk -period " STA_PERIOD " [get_ports clk_i]\n"
              "report_checks -path_delay max -from [all_registers -clock_pins] -to [all_registers -data_pins] "
              "-format full -digits 4\nexit\n", top);
}

/* "DELAY TIME ^ CELL/PIN (TYPE)": the cell's own name without the pin. */
static bool read_hop(const char *line, double *delay, char cell[512]) {
  char edge;
  int at = 0;
  if (sscanf(line, " %lf %*f %c %n", delay, &edge, &at) != 2 || (edge != '^' && edge != 'v') || !at) return false;
  size_t n = strcspn(line + at, " \n");
  while (n && line[at + (int)n - 1] != '/') n--;
  if (n < 2) return false;
  snprintf(cell, 512, "%.*s", (int)n - 1, line + at);
  return true;
}

json_t *synth_sta_report(const char *text) {
  const char *slack_at = strstr(text, " slack ("), *line = text;
  if (!slack_at) return NULL;
  while (slack_at > text && slack_at[-1] != '\n') slack_at--;
  double slack = strtod(slack_at, NULL), delay, sum = 0, period = strtod(STA_PERIOD, NULL) - slack;
  char cell[512], last[512] = "";
  json_t *path = json_array();
  for (; line && line < strstr(text, "data arrival time"); line = strchr(line, '\n'), line += line != NULL) {
    if (!read_hop(line, &delay, cell)) continue;
    sum += delay;
    json_array_append_new(path, json_pack("{ss sf ss}", "type", "cell", "delay", delay, "cell", cell));
    snprintf(last, sizeof last, "%s", cell);
  }
  json_array_append_new(path, json_pack("{ss sf s{ss}}", "type", "setup", "delay", period - sum, "to", "cell", last));
  return json_pack("{s{s{sf}} s[{ss ss so}]}", "fmax", "clk", "achieved", period > 0 ? 1000 / period : 0.0,
                   "critical_paths", "from", "clk", "to", "clk", "path", path);
}
