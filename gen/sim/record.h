/* SPDX-License-Identifier: Apache-2.0 */
/* record.h: a run of the cycle model alone under the block's own environment, kept cycle by cycle: what the
 * test vectors and the timing diagrams are made of. */
#ifndef SIMTGEN_RECORD_H
#define SIMTGEN_RECORD_H

#include "core/simt.h"
#include "core/verif.h"

struct record {
  const struct simt_config *cfg;
  unsigned cycles;
  uint32_t *in, *out; /* cycles x desc.in_words, cycles x desc.out_words */
  const struct simt_port **valid; /* of each port, NULL where it has none */
};

/* Runs the stimulus from reset for at most stim->cycles cycles. False and diag when the environment cannot
 * be made or finds the model wrong. Free with record_free in either case. */
bool record_run(struct record *r, const struct simt_config *cfg, const struct simt_stimulus *stim,
                struct simt_diag *diag);
void record_free(struct record *r);

/* The words of a port in a cycle; the clock has none. */
const uint32_t *record_words(const struct record *r, const struct simt_port *p, unsigned cycle);
/* The payload means something in this cycle (its valid is not 0, or it has none). */
bool record_means(const struct record *r, const struct simt_port *p, unsigned cycle);

#endif
