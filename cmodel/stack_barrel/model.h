/* SPDX-License-Identifier: Apache-2.0 */
/* model.h: the cycle model of stack_barrel (docs/stack_barrel_design.md); operations as in simt_model_ops. */
#ifndef STACK_BARREL_MODEL_H
#define STACK_BARREL_MODEL_H

#include "stack_barrel/layout.h"

void *sb_create(const struct simt_config *cfg, struct simt_diag *diag);
void sb_destroy(void *model);
void sb_reset(void *model);
void sb_outputs(const void *model, uint32_t *out);
void sb_step(void *model, const uint32_t *in);
size_t sb_save(const void *model, void *to, size_t room);
bool sb_load(void *model, const void *from, size_t size);
void sb_stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx);

/* For a simulation: what an operation presented in this cycle would wait for, by the parameter that it depends on. */
enum sb_cause {
  SB_BY_GAP,      /* the last operation of its thread is in the pipeline */
  SB_BY_ENGINE,   /* the engine holds the thread or took the cycle, or has not come to it yet */
  SB_BY_LATENCY,  /* an access to the set that is needed is under way */
  SB_BY_INFLIGHT, /* an access to another set of its class is under way */
  SB_CAUSES
};
enum sb_cause sb_waits_for(const void *model, unsigned thread, enum sb_kind kind);

/* Coverage points, in the order of enum sb_cover. */
void sb_add_covers(struct simt_desc *d, const struct sb_layout *l);

#endif
