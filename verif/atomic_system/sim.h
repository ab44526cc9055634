/* SPDX-License-Identifier: Apache-2.0 */
/* sim.h: the C model of a system on recorded atomics. */
#ifndef ATOMIC_SYSTEM_SIM_H
#define ATOMIC_SYSTEM_SIM_H

#include "core/verif.h"

extern const struct simt_replay_option as_replay[];
extern const struct simt_named as_pickers[];
bool as_sim(const struct simt_config *cfg, const struct simt_stimulus *stim,
            void (*put)(void *ctx, const char *name, double value, const char *unit, const char *doc), void *ctx, struct simt_diag *diag);

#endif
