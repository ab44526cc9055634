/* SPDX-License-Identifier: Apache-2.0 */
/* parts.h: the two blocks that branch_stack consists of, and how its parameters become theirs. */
#ifndef BRANCH_STACK_PARTS_H
#define BRANCH_STACK_PARTS_H

#include "core/image.h"

enum bs_part { BS_UNIT, BS_STACK, BS_PARTS };
enum { BS_REG_UNIT = 0x400, BS_REG_ADDR_W = 11 }; /* the unit's registers lie above the stack's */

/* Both configurations, resolved; they are freed with simt_config_free, on failure too. */
bool bs_resolve_parts(const uint64_t *value, struct simt_config part[BS_PARTS], struct simt_diag *diag);
/* The port of the other part that this one is connected with inside, or NULL. */
const struct simt_port *bs_partner(const struct simt_config part[BS_PARTS], enum bs_part of, const struct simt_port *p);
/* Of both parts: what shapes a context, and its longest. */
uint32_t bs_context_hash(const struct simt_config part[BS_PARTS]);
uint64_t bs_context_max(const struct simt_config part[BS_PARTS]);
/* Whether the port is one of the whole under the same name. */
bool bs_outside(const struct simt_config part[BS_PARTS], enum bs_part of, const struct simt_port *p);

void *bs_create(const struct simt_config *cfg, struct simt_diag *diag);
void bs_destroy(void *model);
void bs_reset(void *model);
void bs_outputs(const void *model, uint32_t *out);
void bs_step(void *model, const uint32_t *in);
void bs_parts(void *model, struct simt_image *image);
void bs_stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx);
bool bs_live(const void *model, unsigned group); /* bu_live and bu_synced of its unit */
bool bs_synced(const void *model, unsigned group);

#endif
