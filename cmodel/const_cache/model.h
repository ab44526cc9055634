/* SPDX-License-Identifier: Apache-2.0 */
/* model.h: the cycle model of const_cache. */
#ifndef CONST_CACHE_MODEL_H
#define CONST_CACHE_MODEL_H

#include "core/image.h"
#include "const_cache/layout.h"

void *cc_create(const struct simt_config *cfg, struct simt_diag *diag);
void cc_destroy(void *model);
void cc_reset(void *model);
void cc_outputs(const void *model, uint32_t *out);
void cc_step(void *model, const uint32_t *in);
void cc_parts(void *model, struct simt_image *image);
void cc_stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx);

#endif
