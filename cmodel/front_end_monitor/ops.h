/* SPDX-License-Identifier: Apache-2.0 */
/* ops.h: the operations of the cycle model, as in simt_model_ops. */
#ifndef FEM_OPS_H
#define FEM_OPS_H

#include "core/image.h"
#include "front_end_monitor/model.h"

void *fem_create(const struct simt_config *cfg, struct simt_diag *diag);
void fem_destroy(void *model);
void fem_reset(void *model);
void fem_outputs(const void *model, uint32_t *out);
void fem_step(void *model, const uint32_t *in);
void fem_parts(void *model, struct simt_image *image);
void fem_stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx);

#endif
