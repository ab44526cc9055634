/* SPDX-License-Identifier: Apache-2.0 */
/* arbiter.h: what the description and the model of the example block share. */
#ifndef ARBITER_H
#define ARBITER_H

#include "simt.h"

enum { ARBITER_CLIENTS, ARBITER_COUNT_W }; /* places in the table of parameters */

extern const struct simt_block simt_block_arbiter;

void *arbiter_create(const struct simt_config *cfg, struct simt_diag *diag);
void arbiter_destroy(void *model);
void arbiter_reset(void *model);
void arbiter_outputs(const void *model, uint32_t *out);
void arbiter_step(void *model, const uint32_t *in);
void arbiter_parts(void *model, struct simt_image *image);
void arbiter_stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value),
                   void *ctx);

#endif
