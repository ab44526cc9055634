/* SPDX-License-Identifier: Apache-2.0 */
/* model.h: the cycle model of tracker (docs/tracker_design.md); operations as in simt_model_ops. */
#ifndef TRACKER_MODEL_H
#define TRACKER_MODEL_H

#include "core/image.h"
#include "tracker/layout.h"

void *trk_create(const struct simt_config *cfg, struct simt_diag *diag);
void trk_destroy(void *model);
void trk_reset(void *model);
void trk_clear(void *model); /* as the reset of a unit: registers and counters stay */
void trk_outputs(const void *model, uint32_t *out);
void trk_step(void *model, const uint32_t *in);
void trk_parts(void *model, struct simt_image *image);
void trk_stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx);
/* A flush token of the data slot waits for what is older; for the transaction level. */
bool trk_token_waits(const void *model, unsigned bank, unsigned dslot);

#endif
