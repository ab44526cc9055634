/* SPDX-License-Identifier: Apache-2.0 */
/* icarus.h: the four-state engine: Icarus Verilog replays what the model did. */
#ifndef SIMTGEN_ICARUS_H
#define SIMTGEN_ICARUS_H

#include "core/lockstep.h"
#include "sim/rtl_sim.h"

enum { ICARUS_CYCLES = 20000, ICARUS_MOST_CYCLES = 200000 }; /* by default; the vectors are kept in memory */

struct icarus_result {
  bool differs;
  uint64_t cycle;
  char port[SIMT_NAME_MAX], rtl[1100], model[1100]; /* values as Icarus prints them, X included */
  char rule[1100]; /* of a bus, broken; then port is "" */
};

/* Runs `model`, a lockstep object without RTL, and replays its cycles in Icarus, from registers that are all X:
 * an X on an output that is compared is a difference. `run` is what the model's run gave; nothing is replayed
 * unless it passed. False and diag when a tool is missing or fails. */
bool icarus_run(struct lockstep *model, const struct lockstep_plan *plan, const struct simt_config *cfg,
                const struct rtl_variant *variant, struct lockstep_result *run, struct icarus_result *result,
                struct simt_diag *diag);

#endif
