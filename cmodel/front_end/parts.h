/* SPDX-License-Identifier: Apache-2.0 */
/* parts.h: the three blocks that front_end consists of. Not installed: a program finds the block in simt_blocks. */
#ifndef FE_PARTS_H
#define FE_PARTS_H

#include "core/image.h"

struct simt_topology;

enum fe_part { FE_TREE, FE_MONITOR, FE_HUB, FE_PARTS };

/* Their configurations, resolved, with the parameters and the topology of the whole; they are freed with
 * simt_config_free, on failure too. */
bool fe_resolve_parts(const struct simt_config *whole, struct simt_config part[FE_PARTS], struct simt_diag *diag);

/* Functional coverage points; those behind FE_COVER_ALWAYS need an option. */
enum fe_cover {
  FE_COVER_COMMAND, /* switch, save, restore, start empty, drain end well */
  FE_COVER_ABORTED = FE_COVER_COMMAND + 5, FE_COVER_STORE_ERROR, FE_COVER_RESTORE_ERROR, FE_COVER_RETRIED, FE_COVER_REFUSED,
  FE_COVER_RESUMED, FE_COVER_CLEARED, FE_COVER_NACK, FE_COVER_IRQ, FE_COVER_RESET, FE_COVER_FROM, /* halted from each state */
  FE_COVER_ALWAYS = FE_COVER_FROM + 4, FE_COVER_LOCAL = FE_COVER_ALWAYS, FE_COVER_TWO_DOMAINS, FE_COVER_MIXED, FE_COVERS
};
/* The places in the description's list, -1: not there; appends them when `d` is given. */
void fe_covers(const struct simt_config *cfg, const struct simt_topology *t, struct simt_desc *d, int place[FE_COVERS]);

void *fe_create(const struct simt_config *cfg, struct simt_diag *diag);
void fe_destroy(void *model);
void fe_reset(void *model);
void fe_outputs(const void *model, uint32_t *out);
void fe_step(void *model, const uint32_t *in);
void fe_parts(void *model, struct simt_image *image);
void fe_stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx);

#endif
