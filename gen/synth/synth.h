/* SPDX-License-Identifier: Apache-2.0 */
/* synth.h: the parts of `simtgen synth`: targets.c (what there is, tools), run.c (tools, cache), asic.c and liberty.c
 * (standard cells), mapped.c (counts, names), paths.c (late registers), print.c (text, JSON). */
#ifndef SIMTGEN_SYNTH_H
#define SIMTGEN_SYNTH_H

#include <jansson.h>

#include "gen.h"

struct synth_device {
  const char *name, *size, *package;
  const char *nick;         /* of --device */
  const char *pass_option;  /* more for Yosys, or "" */
  bool when_asked;          /* not taken by itself */
};

enum synth_kind {
  SYNTH_PLACED,             /* mapped, then placed and routed: cells and frequency */
  SYNTH_MAPPED,             /* mapped: cells alone */
  SYNTH_CELLS               /* mapped to the cells of a liberty file: area, and delay with OpenSTA */
};

struct synth_target {
  const char *name;         /* of --target */
  enum synth_kind kind;
  const char *pass;         /* Yosys: the one flow whose figures are shown */
  const char *lut;          /* what a look-up table is called in the results */
  const char *pnr;          /* the program that places and routes */
  const char *unconstrained;/* option of place and route: pins anywhere */
  const char *frequency;    /* asked of place and route, MHz */
  const char *counted[4];   /* its names of what may run short; the first is the logic cell */
  const struct synth_device *devices; /* rising, ended by a NULL name; or NULL */
};

struct synth_count {
  unsigned lut, ff, carry;  /* lut: those inside carry cells included; carry: bits of carry chains */
  unsigned ram_blocks, ram_bits;    /* block RAM, whole blocks; with standard cells: RAM macros and their bits */
  unsigned lutram_bits;             /* RAM made of LUTs (not in lut) */
  unsigned other;
  unsigned cells;           /* logic cells after packing, of whole designs only; with standard cells: all */
  double area;              /* of standard cells, in the unit of their library; RAM macros have none */
};

struct synth_scope { char *path; unsigned instances; struct synth_count n; };

struct synth_seed {
  unsigned seed;
  double fmax;              /* MHz; 0: no result, see why */
  char why[160];
  json_t *report;           /* of nextpnr */
};

/* Inputs of one register, or module, that are ready too late, and the way to the latest of them. pin: "", "enable", "reset", or of a
 * RAM. */
enum { SYNTH_HOPS = 64 };
struct synth_late {
  char name[256], module[256], pin[16], from[256];
  double ns;
  unsigned ends, luts, carries;
  size_t n_hops, hop[SYNTH_HOPS];       /* hop: bits of the netlist */
  double hop_ns[SYNTH_HOPS];
  char *hop_name[SYNTH_HOPS];
};
struct synth_paths {
  double period, worst;                 /* ns */
  size_t ends, late;                    /* all, and those later than the period */
  struct synth_late *group, *module;
  size_t n, n_modules;
};

struct synth_cell { char *name; double area; bool register_; }; /* of a liberty file */
struct synth_library { struct synth_cell *cell; size_t n; char sha256[65]; };

struct synth_result {
  const struct synth_target *target;
  const struct synth_device *device; /* the one placed in, or the last one tried; NULL with standard cells */
  struct synth_library library;
  double gate_area;                  /* of the smallest NAND of two inputs that the library has */
  bool fits;
  double fill, harness_fill;         /* share of the device: all, the harness alone */
  struct synth_count block, harness, alone; /* alone: the harness without the block, to compare */
  struct synth_scope *scope;         /* block by hierarchy, each with all below it; [0] is the block */
  size_t n_scopes;
  struct synth_seed *seed;
  unsigned n_seeds, n_done;          /* n_done: with a frequency */
  json_t *netlist;
  struct synth_paths paths;          /* of --paths */
  char yosys[160], pnr[160], sta[160]; /* versions; "" where the tool has no part in it */
  struct text script;                /* of Yosys */
  char no_delay[200];                /* why there is none, with standard cells; or "" */
  char verilog[17];                  /* hash of the block's, as rtl_hash makes it */
  char folder[4096];                 /* where logs and netlists are */
};

/* Counts the cells of r->netlist: of the block (its cells carry the instance's name) by scope, and of the rest.
 * `modules` is the design before it was flattened, `top` the name of the block's module in it. */
void synth_count_cells(struct synth_result *r, json_t *modules, const char *top);
struct synth_count synth_count_module(const struct synth_result *r, json_t *module);
/* A name of the netlist or of place and route without what tools added: hierarchy inside the block ("(harness)"
 * before one outside) and the register or net that the cell was made for. */
void synth_source_name(const char *name, char *to, size_t room);
/* The same for a net, with its bit, by the name that the source has for it (a net has several); `place`
 * becomes "file.v:line" of its declaration, or "". */
void synth_source_net(const struct synth_result *r, const char *net, char *to, size_t room, char place[120]);

/* For each bit of the netlist its best name, as synth_source_net chooses it, or NULL; caller frees. */
struct synth_net { const char *name; size_t index; unsigned rank; bool vector; };
struct synth_net *synth_name_nets(const struct synth_result *r, size_t *n);
/* g_bank[0].u_ram, g_bank[1].u_ram, ... become one, g_bank[*].u_ram. */
void synth_collapse(const char *path, char *to, size_t room);

/* paths.c: what is later than a period, or without one than nine tenths of the latest; fills r->paths. */
void synth_find_paths(struct synth_result *r, unsigned mhz);
void synth_print_paths(const struct synth_paths *p);
json_t *synth_paths_json(const struct synth_paths *p);
void synth_free_paths(struct synth_paths *p);

const struct synth_target *synth_find_target(const char *name);
/* What tells the tools of a target from others, without running them; false and diag when one is missing. */
bool synth_tools(const struct synth_target *target, struct text *to, struct simt_diag *diag);
/* "ice40, ecp5, xilinx or asic". */
const char *synth_target_names(void);
/* Whether target, device, seeds and liberty file of the options fit together; sets r->target and r->device (NULL:
 * to be chosen). Runs no tool. */
bool synth_check(const struct gen_options *o, struct synth_result *r, struct simt_diag *diag);
/* The program that places and routes for a target; NULL and diag. */
const char *synth_find_pnr(const struct synth_target *t, struct simt_diag *diag);

/* Runs the tools (or takes what the cache has). `r` is all zero but for n_seeds. Exit status; on failure diag is set. */
int synth_run(const struct gen_options *o, struct synth_result *r, struct simt_diag *diag);
void synth_free(struct synth_result *r);

/* Smallest, middle and largest frequency over the seeds; needs n_done > 0. Returns the seed in the middle. */
const struct synth_seed *synth_spread(const struct synth_result *r, double *least, double *middle, double *most);
void synth_print_text(const struct gen_options *o, const struct synth_result *r);
/* All of a result, with what is needed to repeat it; caller releases. */
json_t *synth_json(const struct gen_options *o, const struct synth_result *r);

/* ---- standard cells (asic.c, liberty.c) ---- */

/* Name, area and kind of each cell of a liberty file. False and diag: no such text. */
bool synth_read_library(struct synth_library *lib, const char *text, const char *path, struct simt_diag *diag);
const struct synth_cell *synth_find_cell(const struct synth_library *lib, const char *name);
void synth_free_library(struct synth_library *lib);
/* What maps a module and all below it to cells.lib, with memories of at least SYNTH_MACRO_BITS as macros. */
enum { SYNTH_MACRO_BITS = 1024 };
void synth_asic_lines(struct text *t, const char *top);
void synth_asic_files(struct fileset *fs);
/* The script of OpenSTA for mapped.v. */
void synth_sta_script(struct text *t, const char *top);
/* Its answer as a report of the form of nextpnr's, or NULL: there is no path from register to register. */
json_t *synth_sta_report(const char *text);

#endif
