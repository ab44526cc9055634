/* SPDX-License-Identifier: Apache-2.0 */
/* lockstep_checker.h: the cycle model beside a simulation of the Verilog that somebody else runs: a simulator by DPI-C
 * (dpi/ of a generated instance), a bench in Python. It is told what the instance's ports are at each rising edge of the
 * clock, and says whether the outputs are those of the model (docs/in_your_flow.md). */
#ifndef SIMT_LOCKSTEP_CHECKER_H
#define SIMT_LOCKSTEP_CHECKER_H

#include "simt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The version of the library that is linked, SIMT_VERSION of its headers. */
const char *simt_version(void);
/* Of a resolved configuration: over version, block, parameters, lists and ports; not over the instance's name. */
uint64_t simt_config_hash(const struct simt_config *cfg);

/* Where text goes, piece by piece; no piece ends with a NUL. */
struct simt_sink {
  void (*put)(void *ctx, const char *text, size_t size);
  void *ctx;
};

enum simt_checked {
  SIMT_CHECKED_WAITS,   /* for a reset: the first one, or the one behind a difference */
  SIMT_CHECKED_SAME,
  SIMT_CHECKED_DIFFERS, /* an output */
  SIMT_CHECKED_UNKNOWN  /* an input without a valid has unknown bits */
};

struct simt_checker;

/* cfg is resolved and outlives the checker, which keeps the last `keep` cycles for simt_checker_wave. NULL and diag on
 * lack of memory. */
struct simt_checker *simt_checker_create(const struct simt_config *cfg, unsigned keep, struct simt_diag *diag);
void simt_checker_destroy(struct simt_checker *c);

/* A rising edge of the clock: inputs and outputs of the instance just before it, each port at its place (`word`, `words`)
 * with 0 above its width. Bit i of `unknown` is 1 when port i of cfg->desc has a bit that is neither 0 nor 1; NULL: there is
 * none. An edge with the reset starts the model. From then on every output is compared at every edge, a payload while its valid
 * is 1. An input without a valid must be known in every cycle but those of a reset. A payload that is unknown while its valid is 1
 * counts as 0, and simt_checker_say names it when an output differs later. Behind a fault the next reset starts anew. */
enum simt_checked simt_checker_cycle(struct simt_checker *c, const uint32_t *in, const uint32_t *out, const uint32_t *unknown);

/* Of the last fault: "MISMATCH: WHAT cycle N: PORT: RTL 0x..., model 0x...", as `simtgen check` says it; cycle 0 is that
 * of the edge behind the first one with the reset. No newline at its end. */
void simt_checker_say(const struct simt_checker *c, const char *what, struct simt_sink to);
/* The cycles that are kept, as a waveform (VCD) with the inputs, the model's outputs and those of the instance. False on lack
 * of memory. */
bool simt_checker_wave(const struct simt_checker *c, struct simt_sink to);
/* Cycles compared so far, those with a fault included. */
uint64_t simt_checker_compared(const struct simt_checker *c);

#ifdef __cplusplus
}
#endif
#endif
