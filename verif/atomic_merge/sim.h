/* SPDX-License-Identifier: Apache-2.0 */
/* sim.h: the C model on recorded atomics. */
#ifndef ATOMIC_MERGE_SIM_H
#define ATOMIC_MERGE_SIM_H

#include "verif.h"

extern const struct simt_replay_option am_replay[];
extern const struct simt_named am_pickers[];
bool am_sim(const struct simt_config *cfg, const struct simt_stimulus *stim,
            void (*put)(void *ctx, const char *name, double value, const char *unit, const char *doc), void *ctx, struct simt_diag *diag);

#endif
