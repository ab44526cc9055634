/* SPDX-License-Identifier: Apache-2.0 */
/* status_tree.h: the model of the report and command tree. */
#ifndef STATUS_TREE_H
#define STATUS_TREE_H

#include "simt.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const struct simt_block simt_block_status_tree;

void *status_tree_create(const struct simt_config *cfg, struct simt_diag *diag);
void status_tree_destroy(void *model);
void status_tree_reset(void *model);
void status_tree_outputs(const void *model, uint32_t *out);
void status_tree_step(void *model, const uint32_t *in);
void status_tree_parts(void *model, struct simt_image *image);
void status_tree_stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx);

#ifdef __cplusplus
}
#endif
#endif
