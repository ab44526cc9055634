/* SPDX-License-Identifier: Apache-2.0 */
/* mutants.h: the parts of `simtgen check --mutants` and `--upsets`: mutant_list.c (Yosys), mutant_runs.c (the
 * runs that they are compared with), mutants.c (the command). */
#ifndef SIMTGEN_MUTANTS_H
#define SIMTGEN_MUTANTS_H

#include "lockstep.h"
#include "rtl_sim.h"

enum { MUTANT_BATCH = 250 }; /* mutants of one build, chosen at run time */

/* ---- mutant_list.c --------------------------------------------------------------------------- */

struct mutant { unsigned number; char *change; }; /* place in the list of all; options of Yosys's mutate */
struct mutant_list {
  struct fileset design; /* flattened, as RTLIL */
  struct mutant *m;
  size_t n, all, same;   /* chosen; of the design; left out because they change nothing */
};

/* Every mutation of a configuration, or `most` of them that `seed` chooses (0: all); with `mode` only those of
 * one mode of Yosys's mutate (NULL: all). */
bool mutant_list_make(struct mutant_list *l, const struct simt_config *cfg, size_t most, uint64_t seed,
                      const char *mode, struct simt_diag *diag);
/* Builds mutants first..first+n-1 into one library; fault i of it is mutant first + i - 1. `keep`: in the cache. */
bool mutant_build(struct rtl_sim *s, const struct mutant_list *l, const struct simt_config *cfg, size_t first,
                  size_t n, bool keep, struct simt_diag *diag);
void mutant_list_free(struct mutant_list *l);

/* ---- mutant_runs.c --------------------------------------------------------------------------- */

/* What the model did: the environment never looks at the RTL, so one recording serves every mutant. */
struct mutant_run {
  char name[64];        /* of the stimulus */
  const struct simt_config *cfg;
  int reset_word;       /* of the inputs, or -1 */
  uint64_t cycles, room;
  uint32_t *in, *out, *mask; /* mask: what of out is compared */
};

bool mutant_run_record(struct mutant_run *r, const struct simt_config *cfg, const struct simt_verif *verif,
                       const char *kind, uint64_t cycles, uint64_t seed, struct simt_diag *diag);
struct mutant_pulse { unsigned fault; uint64_t from, to; }; /* the fault is there in cycles from..to-1 */
/* Replays it up to the first difference: its cycle, or r->cycles when there is none; *port is what differs.
 * `left` takes the instance at its end, to be destroyed by the caller; NULL: destroyed here. */
uint64_t mutant_replay(const struct mutant_run *r, const struct lockstep_rtl *rtl, struct mutant_pulse pulse,
                       const struct simt_port **port, void **left);
void mutant_run_free(struct mutant_run *r);

/* ---- mutants.c ------------------------------------------------------------------------------- */

int check_mutants(const struct gen_options *o, const struct simt_verif *verif, struct simt_diag *diag);
/* upsets.c: the inversions of the list, each for one cycle. */
int check_upsets(const struct gen_options *o, const struct simt_verif *verif, struct simt_diag *diag);

#endif
