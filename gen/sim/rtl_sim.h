/* SPDX-License-Identifier: Apache-2.0 */
/* rtl_sim.h: the Verilated RTL of a configuration, built once per content and loaded into this
 * process. */
#ifndef SIMTGEN_RTL_SIM_H
#define SIMTGEN_RTL_SIM_H

#include "gen.h"
#include "core/lockstep.h"

struct rtl_sim {
  void *library;
  bool quick; /* compiled without optimisation: its speed is of no interest */
  struct lockstep_rtl rtl;
};

struct rtl_variant { /* what is built of a configuration; all 0: its RTL, optimised */
  bool coverage;       /* counts lines */
  bool unoptimized;    /* Verilator without optimisation: a second opinion on what it makes */
  bool quick;          /* for a short run: compiled quickly, unless it is there already */
  const struct fileset *files; /* NULL, or the Verilog to take in place of what is emitted */
  const char *netlist; /* NULL, or the target of synthesis whose netlist takes the place of the RTL */
};

/* Emits, Verilates, compiles (or takes from the cache) and loads. False and diag when a tool is missing or
 * fails. */
bool rtl_sim_open(struct rtl_sim *s, const struct simt_config *cfg,
                  const struct rtl_variant *variant, struct simt_diag *diag);
/* The same for the Verilog in `fs`, whose top has the configuration's name and ports. */
bool rtl_sim_build(struct rtl_sim *s, const struct simt_config *cfg, const struct fileset *fs,
                   const struct rtl_variant *variant, struct simt_diag *diag);
/* What is built of a configuration: the files of `variant`, or those that are emitted. */
bool rtl_sim_files(struct fileset *fs, const struct simt_config *cfg, const struct rtl_variant *variant, struct simt_diag *diag);
void rtl_sim_close(struct rtl_sim *s);

/* RTL line coverage of a run: a place of the emitted Verilog, all instances of its module
 * together. */
struct rtl_line { char file[120], kind[40]; unsigned line; bool reached; };
struct rtl_lines { struct rtl_line *line; size_t n; };
/* Reads what lockstep_plan.coverage_file brought; free(lines->line) when done. */
bool rtl_lines_read(struct rtl_lines *lines, const char *path, struct simt_diag *diag);

#endif
