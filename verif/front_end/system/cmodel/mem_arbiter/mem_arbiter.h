/* SPDX-License-Identifier: Apache-2.0 */
/* mem_arbiter.h: parameters and model of the arbiter in front of the memory of several units. */
#ifndef MEM_ARBITER_H
#define MEM_ARBITER_H

#include "simt.h"

enum { MEM_ARBITER_CLIENTS, MEM_ARBITER_TAG_W, MEM_ARBITER_ADDR_W, MEM_ARBITER_DATA_W, MEM_ARBITER_ENCODING };
enum { MEM_ARBITER_MOST = 16, MEM_ARBITER_UNIT_TYPE = 0x4d41, MEM_ARBITER_HALT_OWN = 4 };

extern const struct simt_block simt_block_mem_arbiter;

void *mem_arbiter_create(const struct simt_config *cfg, struct simt_diag *diag);
void mem_arbiter_destroy(void *model);
void mem_arbiter_reset(void *model);
void mem_arbiter_outputs(const void *model, uint32_t *out);
void mem_arbiter_step(void *model, const uint32_t *in);
void mem_arbiter_parts(void *model, struct simt_image *image);
void mem_arbiter_stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx);

#endif
