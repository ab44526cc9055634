/* SPDX-License-Identifier: Apache-2.0 */
/* bu_model.h: the cycle model of branch_unit (docs/branch_unit_design.md); operations as in simt_model_ops. */
#ifndef BU_MODEL_H
#define BU_MODEL_H

#include "bu_layout.h"

void *bu_create(const struct simt_config *cfg, struct simt_diag *diag);
void bu_destroy(void *model);
void bu_reset(void *model);
void bu_outputs(const void *model, uint32_t *out);
void bu_step(void *model, const uint32_t *in);
size_t bu_save(const void *model, void *to, size_t room);
bool bu_load(void *model, const void *from, size_t size);
void bu_stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx);

#endif
