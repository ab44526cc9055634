/* SPDX-License-Identifier: Apache-2.0 */
/* gather_sum.h: what the description and the model of the example unit share. */
#ifndef GATHER_SUM_H
#define GATHER_SUM_H

#include "simt.h"

enum { GATHER_CHANNELS, GATHER_GROUP, GATHER_ENCODING }; /* places in the table of parameters */
enum { GATHER_UNIT_TYPE = 1 };                           /* in the header of its contexts */

extern const struct simt_block simt_block_gather_sum;

void *gather_create(const struct simt_config *cfg, struct simt_diag *diag);
void gather_destroy(void *model);
void gather_reset(void *model);
void gather_outputs(const void *model, uint32_t *out);
void gather_step(void *model, const uint32_t *in);
void gather_parts(void *model, struct simt_image *image);
void gather_stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx);

#endif
