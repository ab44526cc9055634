/* SPDX-License-Identifier: Apache-2.0 */
/* net.h: a configuration as AND gates, registers and memories, in which any bit of any port of any cell can be
 * given a fault (net.c), and its simulation with a fault in each bit of a word (net_sim.c). */
#ifndef SIMTGEN_FAULT_NET_H
#define SIMTGEN_FAULT_NET_H

#include "gen.h"

enum { FAULT_LANES = 256 }; /* simulated at once; lane 0 has no fault */

/* A literal is 2 * variable, + 1 inverted; variable 0 is false. Every bit of a port of a cell is a site: an input of
 * the netlist (what the others see) and an output (what drives it), equal without a fault. */
enum fault_kind { VAR_FREE, VAR_AND, VAR_LATCH, VAR_SITE };
struct fault_memory { /* one write port, one read port without a register; each range of sites lowest bit first */
  char name[200];
  unsigned size, width, abits;
  unsigned rd_addr, rd_data, wr_addr, wr_data, wr_en; /* first sites */
};
struct fault_net {
  struct fileset design;       /* flattened, as RTLIL */
  struct fileset aiger;        /* as Yosys wrote it: `aag`, symbols NAME[BIT], site_a (driver), site_y (what is seen) */
  size_t n_vars, n_latches, n_sites, n_memories;
  struct { unsigned char kind; unsigned index, a, b; } *var; /* AND: literals; LATCH, SITE: which */
  struct { unsigned var, next; } *latch;
  unsigned *driver;            /* of a site: literal; of rd_data: unused */
  unsigned *read_by;           /* of a site: 1 + memory when it is a bit of rd_data, else 0 */
  unsigned *in, *out;          /* per bit of the word buffers: variable, literal; 0: none */
  struct fault_memory *memory;
  void *places;                /* json: cell -> port -> first site */
};

/* RTL -> flat design -> netlist; all steps from the cache when the content is known. */
bool fault_net_make(struct fault_net *n, const struct simt_config *cfg, struct simt_diag *diag);
/* The site of a bit; -1: the netlist has no such cell or port. */
long fault_net_site(const struct fault_net *n, const char *cell, const char *port, unsigned bit);
void fault_net_free(struct fault_net *n);

/* ---- net_sim.c ----------------------------------------------------------------------------- */

enum fault_mode { FAULT_INV, FAULT_CONST0, FAULT_CONST1, FAULT_CNOT0, FAULT_CNOT1, FAULT_MODES };
struct fault { /* there in cycles from..to-1; from 0: in the reset before them, too */
  enum fault_mode mode;
  unsigned site, control;      /* CNOT: inverted where the driver of `control` is 0 or 1 */
  uint64_t from, to;
};

struct fault_sim;
/* n < FAULT_LANES faults, fault i in lane i + 1. NULL and `*loop`, a fault that closes a loop of gates together with the
 * ones before it (or alone). */
struct fault_sim *fault_sim_create(const struct fault_net *n, const struct simt_config *cfg, const struct fault *f,
                                   size_t count, size_t *loop);
/* From start values that depend on `seed` alone: one cycle of reset, then the cycles of a run (words of the buffers per
 * cycle; outputs are compared where mask has 1), until every lane but 0 has differed or *stop. */
struct fault_run { const uint32_t *in, *out, *mask; uint64_t cycles; int reset_word; };
void fault_sim_run(struct fault_sim *s, const struct fault_run *r, uint64_t seed, const volatile int *stop);
/* What the run showed of a lane: the cycle of the first difference (or the number of cycles) and the output word; and
 * whether its state at the end is that of lane 0. */
uint64_t fault_sim_cycle(const struct fault_sim *s, unsigned lane);
unsigned fault_sim_word(const struct fault_sim *s, unsigned lane);
bool fault_sim_same_state(const struct fault_sim *s, unsigned lane);
void fault_sim_free(struct fault_sim *s);

#endif
