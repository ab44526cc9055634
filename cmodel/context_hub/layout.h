/* SPDX-License-Identifier: Apache-2.0 */
/* layout.h: places of the parameters, and the numbers that the description, the model and the environment of
 * context_hub share. Not installed: a program finds the block in simt_blocks. */
#ifndef HUB_LAYOUT_H
#define HUB_LAYOUT_H

#include "core/image.h"

enum { HUB_TOPOLOGY, HUB_LOCAL_CONTEXTS = HUB_TOPOLOGY + 3, HUB_LOCAL_WORDS, HUB_CTX_STRIDE_LG, HUB_INFLIGHT, HUB_ADDR_W };

struct hub_layout {
  unsigned units, slots, local_words, stride_lg, inflight, addr_w;
  unsigned stages, ring; /* registers between the units and the ring, words of the ring */
};
struct hub_layout hub_layout(const uint64_t *value, unsigned units);

/* Functional coverage points, in the order of the description; not every configuration has the last ones. */
enum hub_cover {
  HUB_COVER_SAVED, HUB_COVER_RESTORED, HUB_COVER_ERROR /* 1..7 */, HUB_COVER_NO_UNIT = HUB_COVER_ERROR + 7,
  HUB_COVER_STORE_ERROR, HUB_COVER_HEADER_ERROR, HUB_COVER_PAYLOAD_ERROR, HUB_COVER_OLD_IMAGE, HUB_COVER_TOO_LONG,
  HUB_COVER_CUT_MAGIC, HUB_COVER_CUT_LENGTH, HUB_COVER_FILLED, HUB_COVER_ALL_INFLIGHT, HUB_COVER_UNIT_STALLS,
  HUB_COVER_MEMORY_STALLS, HUB_COVER_OUT_OF_ORDER, HUB_COVER_LONGEST, HUB_COVER_RELEASED_SAVE, HUB_COVER_RELEASED_LOAD,
  HUB_COVER_RESET, HUB_COVER_BACK_TO_BACK, HUB_COVER_ALWAYS,
  /* with local slots */
  HUB_COVER_LOCAL_SAVED = HUB_COVER_ALWAYS, HUB_COVER_LOCAL_RESTORED, HUB_COVER_EMPTY_SLOT, HUB_COVER_FAILED_SLOT,
  HUB_COVER_RESET_SLOT, HUB_COVER_LOCAL_TOO_LONG, HUB_COVERS
};

extern const struct simt_block simt_block_context_hub;

void *hub_create(const struct simt_config *cfg, struct simt_diag *diag);
void hub_destroy(void *model);
void hub_reset(void *model);
void hub_outputs(const void *model, uint32_t *out);
void hub_step(void *model, const uint32_t *in);
void hub_parts(void *model, struct simt_image *image);
void hub_stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx);

#endif
