/* SPDX-License-Identifier: Apache-2.0 */
/* model.h: cycle model of an L1 cache that merges atomics into temporary lines (docs/atomic_merge.md). */
#ifndef ATOMIC_MERGE_H
#define ATOMIC_MERGE_H

#include "core/image.h"

#ifdef __cplusplus
extern "C" {
#endif

void *am_create(const struct simt_config *cfg, struct simt_diag *diag);
void am_destroy(void *model);
void am_reset(void *model);
void am_outputs(const void *model, uint32_t *out);
void am_step(void *model, const uint32_t *in);
/* For a block that contains this one, behind a step: what its core's inputs put_* do at that edge. */
void am_put_errors(void *model, unsigned count, uint64_t line, bool unasked);
void am_parts(void *model, struct simt_image *image);
void am_stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx);

#ifdef __cplusplus
}
#endif
#endif
