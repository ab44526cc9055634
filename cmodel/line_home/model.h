/* SPDX-License-Identifier: Apache-2.0 */
/* model.h: cycle model of the home of lines that travel between caches (docs/line_home.md). */
#ifndef LINE_HOME_MODEL_H
#define LINE_HOME_MODEL_H

#include "core/image.h"

void *lh_create(const struct simt_config *cfg, struct simt_diag *diag);
void lh_destroy(void *model);
void lh_reset(void *model);
void lh_outputs(const void *model, uint32_t *out);
void lh_step(void *model, const uint32_t *in);
/* For a block that contains this one, behind a step: what its core's inputs of these names do at that edge. */
void lh_settle(void *model);
void lh_put_bad(void *model, unsigned count, uint64_t line);
void lh_put_lost(void *model, unsigned count, uint64_t line);
void lh_parts(void *model, struct simt_image *image);
void lh_stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx);

#endif
