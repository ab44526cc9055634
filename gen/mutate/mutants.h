/* SPDX-License-Identifier: Apache-2.0 */
/* mutants.h: the parts of `simtgen check --mutants` and `--upsets`: list.c (Yosys), runs.c (the
 * runs that they are compared with), mutants.c and upsets.c (the commands). */
#ifndef SIMTGEN_MUTANTS_H
#define SIMTGEN_MUTANTS_H

#include "mutate/net.h"
#include "core/lockstep.h"

/* ---- list.c --------------------------------------------------------------------------- */

struct mutant { unsigned number; char *change; struct mutation mutation; }; /* place in the list of all; Yosys's options */
struct mutant_list {
  struct mutant_net net;
  struct mutant *m;
  size_t n, all, same;   /* chosen; of the design; left out because they change nothing */
};

/* Every mutation of a configuration, or `most` of them that `seed` chooses (0: all); with `mode` only those of
 * one mode of Yosys's mutate (NULL: all). */
bool mutant_list_make(struct mutant_list *l, const struct simt_config *cfg, size_t most, uint64_t seed,
                      const char *mode, struct simt_diag *diag);
void mutant_list_free(struct mutant_list *l);

/* ---- runs.c --------------------------------------------------------------------------- */

/* What the model did: the environment never looks at the RTL, so one recording serves every mutant. */
struct mutant_run {
  char name[64];        /* of the stimulus */
  const struct simt_config *cfg;
  int reset_word;       /* of the inputs, or -1 */
  uint64_t cycles, room;
  uint32_t *in, *out, *mask; /* mask: what of out is compared */
};

bool mutant_run_record(struct mutant_run *r, const struct simt_config *cfg, const struct simt_verif *verif,
                       const struct simt_stimulus *stim, const char *name, struct simt_diag *diag);
struct net_run mutant_run_of(const struct mutant_run *r);
/* The output port of a word of the outputs. */
const struct simt_port *mutant_run_port(const struct mutant_run *r, unsigned word);
/* Places mutations first..n-1 of `f` side by side, as many as there is room for; those that would close a loop of gates
 * with the others move behind the ones placed. Their number in *placed, at least 1. NULL and diag when one alone does. */
struct mutant_sim *mutant_run_place(const struct mutant_list *l, const struct simt_config *cfg, struct mutation *f,
                                   size_t *order, size_t n, size_t *placed, struct simt_diag *diag);
void mutant_run_free(struct mutant_run *r);

/* ---- the commands ---------------------------------------------------------------------------- */

int check_mutants(const struct gen_options *o, const struct simt_verif *verif, struct simt_diag *diag);
/* The inversions of the list, each for one cycle. */
int check_upsets(const struct gen_options *o, const struct simt_verif *verif, struct simt_diag *diag);

#endif
