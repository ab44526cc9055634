/* SPDX-License-Identifier: Apache-2.0 */
/* net.h: a configuration as AND gates, registers and memories, in which any bit of any port of any cell can be
 * given a mutation (net.c), and its simulation with a mutation in each bit of a word (net_sim.c). */
#ifndef SIMTGEN_MUTATE_NET_H
#define SIMTGEN_MUTATE_NET_H

#include "gen.h"

enum { MUTANT_LANES = 256 }; /* simulated at once; lane 0 has no mutation */

/* A literal is 2 * variable, + 1 inverted; variable 0 is false. Every bit of a port of a cell is a site: an input of
 * the netlist (what the others see) and an output (what drives it), equal without a mutation. */
enum net_variable { VAR_FREE, VAR_AND, VAR_LATCH, VAR_SITE };
struct net_memory { /* one write port, one read port without a register; each range of sites lowest bit first */
  char name[200];
  unsigned size, width, abits;
  unsigned rd_addr, rd_data, wr_addr, wr_data, wr_en; /* first sites */
};
struct mutant_net {
  struct fileset design;       /* flattened, as RTLIL */
  struct fileset aiger;        /* as Yosys wrote it: `aag`, symbols NAME[BIT], site_a (driver), site_y (what is seen) */
  size_t n_vars, n_latches, n_sites, n_memories;
  struct { unsigned char kind; unsigned index, a, b; } *var; /* AND: literals; LATCH, SITE: which */
  struct { unsigned var, next; } *latch;
  unsigned *driver;            /* of a site: literal; of rd_data: unused */
  unsigned *read_by;           /* of a site: 1 + memory when it is a bit of rd_data, else 0 */
  unsigned *in, *out;          /* per bit of the word buffers: variable, literal; 0: none */
  struct net_memory *memory;
  void *places;                /* json: cell -> port -> first site */
};

/* RTL -> flat design -> netlist; all steps from the cache when the content is known. */
bool mutant_net_make(struct mutant_net *n, const struct simt_config *cfg, struct simt_diag *diag);
/* The site of a bit; -1: the netlist has no such cell or port. */
long mutant_net_site(const struct mutant_net *n, const char *cell, const char *port, unsigned bit);
void mutant_net_free(struct mutant_net *n);

/* ---- net_sim.c ----------------------------------------------------------------------------- */

enum mutation_mode { MUTATION_INV, MUTATION_CONST0, MUTATION_CONST1, MUTATION_CNOT0, MUTATION_CNOT1, MUTATION_MODES };
struct mutation { /* there in cycles from..to-1; from 0: in the reset before them, too */
  enum mutation_mode mode;
  unsigned site, control;      /* CNOT: inverted where the driver of `control` is 0 or 1 */
  uint64_t from, to;
};

struct mutant_sim;
/* n < MUTANT_LANES mutations, mutation i in lane i + 1. NULL and `*loop`, a mutation that closes a loop of gates together with the
 * ones before it (or alone). */
struct mutant_sim *mutant_sim_create(const struct mutant_net *n, const struct simt_config *cfg, const struct mutation *f,
                                   size_t count, size_t *loop);
/* From start values that depend on `seed` alone: one cycle of reset, then the cycles of a run (words of the buffers per
 * cycle; outputs are compared where mask has 1), until every lane but 0 has differed or *stop. */
struct net_run { const uint32_t *in, *out, *mask; uint64_t cycles; int reset_word; };
void mutant_sim_run(struct mutant_sim *s, const struct net_run *r, uint64_t seed, const volatile int *stop);
/* What the run showed of a lane: the cycle of the first difference (or the number of cycles) and the output word; and
 * whether its state at the end is that of lane 0. */
uint64_t mutant_sim_cycle(const struct mutant_sim *s, unsigned lane);
unsigned mutant_sim_word(const struct mutant_sim *s, unsigned lane);
bool mutant_sim_same_state(const struct mutant_sim *s, unsigned lane);
void mutant_sim_free(struct mutant_sim *s);

#endif
