/* SPDX-License-Identifier: Apache-2.0 */
/* wrapped.h: the environment of a block behind bus wrappers (docs/buses.md): the block's own environment, which
 * sees the block's own ports, and the buses around the whole. */
#ifndef SIMT_WRAPPED_H
#define SIMT_WRAPPED_H

#include "core/verif.h"

/* What the memory of a block's environment needs to play the bus instead: the buffers of the whole, of this
 * cycle. The configuration that the environment is created with points to it. */
struct simt_bus_link {
  const struct simt_config *whole;
  uint32_t *in;
  const uint32_t *out;
};

/* What verifies this configuration: the block's own, or, with wrappers, `room` filled in for the whole.
 * NULL when nothing does. */
const struct simt_verif *simt_verif_of(const struct simt_config *cfg, struct simt_verif *room);

/* axi4_lite.c: a master that does the accesses of the plain register port, and others. */
struct simt_lite;
struct simt_lite *simt_lite_create(const struct simt_config *cfg); /* NULL on lack of memory */
void simt_lite_restart(struct simt_lite *l);
/* Per cycle: the plain inputs that the block's environment wants, and 64 random bits (0: prompt, nothing added). */
void simt_lite_drive(struct simt_lite *l, uint64_t choice, const uint32_t *core_in, uint32_t *in);
/* NULL, or what is wrong between the bus and the block's own port. */
const char *simt_lite_observe(struct simt_lite *l, const uint32_t *in, const uint32_t *out, const uint32_t *core_in,
                              const uint32_t *core_out);

#endif
