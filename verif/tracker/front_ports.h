/* SPDX-License-Identifier: Apache-2.0 */
/* front_ports.h: the front end at the ports of a block `tracker`: its model in `sim`, model and RTL in lockstep. */
#ifndef TRACKER_FRONT_PORTS_H
#define TRACKER_FRONT_PORTS_H

#include "core/verif.h"
#include "tracker/front.h"

extern const struct simt_named tkf_pickers[];              /* for simt_verif.pickers */
extern const struct simt_replay_option tkf_replay_options[]; /* for simt_verif.replay */

/* Sizes of a resolved configuration; what the stimulus says of the front end. False and diag when the configuration
 * cannot be driven with traces, or the stimulus is out of range. */
struct tkf_sizes tkf_sizes_of(const struct simt_config *cfg);
bool tkf_options_of(const struct simt_config *cfg, const struct simt_stimulus *stim, struct tkf_options *o,
                    struct simt_diag *diag);

struct tkf_ports;
struct tkf_ports *tkf_ports_create(const struct simt_config *cfg, struct simt_diag *diag);
void tkf_ports_destroy(struct tkf_ports *p);
/* Words of the output buffer to what the front end sees; what it does to words of the input buffer, where inputs that it
 * does not know are 0. Outputs are always read. */
void tkf_get_outputs(const struct tkf_ports *p, const uint32_t *words, struct tkf_out *out);
void tkf_put_inputs(const struct tkf_ports *p, const struct tkf_in *in, uint32_t *words);

/* A trace as the stimulus of an environment. Per cycle: drive with this cycle's outputs; at_end: everything is answered. */
struct tkf_replay;
struct tkf_replay *tkf_replay_create(const struct simt_config *cfg, const struct simt_stimulus *stim,
                                     struct simt_diag *diag);
void tkf_replay_destroy(struct tkf_replay *r);
bool tkf_replay_restart(struct tkf_replay *r); /* false: no memory */
void tkf_replay_drive(struct tkf_replay *r, const uint32_t *out, uint32_t *in);
bool tkf_replay_at_end(const struct tkf_replay *r);
const char *tkf_replay_wrong(const struct tkf_replay *r); /* see tkf_wrong */

/* sim.c: simt_verif.sim. */
bool tkf_sim(const struct simt_config *cfg, const struct simt_stimulus *stim,
             void (*put)(void *ctx, const char *name, double value, const char *unit, const char *doc), void *ctx,
             struct simt_diag *diag);

#endif
