/* SPDX-License-Identifier: Apache-2.0 */
/* synth.h: the parts of `simtgen synth`: run.c (tools, cache), mapped.c (counts, names),
 * print.c (text, JSON). */
#ifndef SIMTGEN_SYNTH_H
#define SIMTGEN_SYNTH_H

#include <jansson.h>

#include "gen.h"

struct synth_device { const char *name, *size, *package; };

struct synth_target {
  const char *name;         /* ice40, ecp5 */
  const char *pass;         /* Yosys: the one flow whose figures are shown */
  const char *unconstrained;/* option of place and route: pins anywhere */
  const char *frequency;    /* asked of place and route, MHz */
  const char *counted[4];   /* its names of what may run short; the first is the logic cell */
  const struct synth_device *devices; /* rising, ended by a NULL name */
};

struct synth_count {
  unsigned lut4, ff, carry; /* lut4: those inside carry cells included; carry: bits of carry chains */
  unsigned ram_blocks, ram_bits;    /* block RAM, whole blocks */
  unsigned lutram_bits;             /* RAM made of LUTs (not in lut4) */
  unsigned other;
  unsigned cells;           /* logic cells after packing; of whole designs only */
};

struct synth_scope { char *path; unsigned instances; struct synth_count n; };

struct synth_seed {
  unsigned seed;
  double fmax;              /* MHz; 0: no result, see why */
  char why[160];
  json_t *report;           /* of nextpnr */
};

struct synth_result {
  const struct synth_target *target;
  const struct synth_device *device; /* the one placed in, or the last one tried */
  bool fits;
  double fill, harness_fill;         /* share of the device: all, the harness alone */
  struct synth_count block, harness, alone; /* alone: the harness without the block, to compare */
  struct synth_scope *scope;         /* block by hierarchy, each with all below it; [0] is the block */
  size_t n_scopes;
  struct synth_seed *seed;
  unsigned n_seeds, n_done;          /* n_done: with a frequency */
  json_t *netlist;
  char yosys[160], pnr[160];         /* versions */
  char folder[4096];                 /* where logs and netlists are */
};

/* Counts the cells of r->netlist: of the block (its cells carry the instance's name) by scope, and of the rest.
 * `modules` is the design before it was flattened, `top` the name of the block's module in it. */
void synth_count_cells(struct synth_result *r, json_t *modules, const char *top);
struct synth_count synth_count_module(json_t *module);
/* A name of the netlist or of place and route without what tools added: hierarchy inside the block ("(harness)"
 * before one outside) and the register or net that the cell was made for. */
void synth_source_name(const char *name, char *to, size_t room);
/* The same for a net, with its bit, by the name that the source has for it (a net has several); `place`
 * becomes "file.v:line" of its declaration, or "". */
void synth_source_net(const struct synth_result *r, const char *net, char *to, size_t room, char place[120]);

/* Runs the tools (or takes what the cache has). Exit status; on failure diag is set. */
int synth_run(const struct gen_options *o, struct synth_result *r, struct simt_diag *diag);
const struct synth_target *synth_find_target(const char *name);
/* What tells the tools of a target from others, without running them; false and diag when one is missing. */
bool synth_tools(const struct synth_target *target, struct text *to, struct simt_diag *diag);
void synth_free(struct synth_result *r);

/* Smallest, middle and largest frequency over the seeds; needs n_done > 0. Returns the seed in the middle. */
const struct synth_seed *synth_spread(const struct synth_result *r, double *least, double *middle, double *most);
void synth_print_text(const struct gen_options *o, const struct synth_result *r);
void synth_print_json(const struct gen_options *o, const struct synth_result *r);

#endif
