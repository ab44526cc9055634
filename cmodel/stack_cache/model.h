/* SPDX-License-Identifier: Apache-2.0 */
/* model.h: the cycle model of stack_cache (docs/stack_cache_design.md); operations as in simt_model_ops. */
#ifndef STACK_CACHE_MODEL_H
#define STACK_CACHE_MODEL_H

#include "core/image.h"
#include "stack_cache/layout.h"

void *sc_create(const struct simt_config *cfg, struct simt_diag *diag);
void sc_destroy(void *model);
void sc_reset(void *model);
void sc_outputs(const void *model, uint32_t *out);
void sc_step(void *model, const uint32_t *in);
void sc_parts(void *model, struct simt_image *image);
void sc_stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx);

/* For a simulation: what an operation presented in this cycle would wait for, by the parameter that it depends on. */
enum sc_cause {
  SC_BY_GAP,      /* the last operation of its thread is in the pipeline */
  SC_BY_ENGINE,   /* the engine holds the thread or took the cycle, or has not come to it yet */
  SC_BY_LATENCY,  /* an access to the set that is needed is under way */
  SC_BY_INFLIGHT, /* an access to another set of its class is under way */
  SC_CAUSES
};
enum sc_cause sc_waits_for(const void *model, unsigned thread, enum sc_kind kind);

/* Coverage points, in the order of enum sc_cover. */
void sc_add_covers(struct simt_desc *d, const struct sc_layout *l);

#endif
