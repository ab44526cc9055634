/* SPDX-License-Identifier: Apache-2.0 */
/* layout.h: sizes of a line_home that follow from its parameters, and its coverage points. */
#ifndef LINE_HOME_LAYOUT_H
#define LINE_HOME_LAYOUT_H

#include "core/simt.h"

enum { LH_WAYS = 8, LH_MAX_CACHES = 64, LH_COUNT_W = 16, LH_QUEUE = 4, LH_BEATS_AHEAD = 8 };

struct lh_layout {
  unsigned caches, line_bytes, lanes, misses, entries, slots, addr_w;
  unsigned line_aw, beats, sets, set_w, entry_w, miss_w, cache_w, data_w, beat_lg, mem_tag_w, fifo;
};
void lh_layout(const uint64_t *value, struct lh_layout *l);
extern const struct simt_note lh_notes[];

/* The order in which block.c adds them; those from LH_COVER_SHARED on need two caches. */
enum lh_cover {
  LH_COVER_FILL, LH_COVER_DIRTY, LH_COVER_CLEAN, LH_COVER_RECALL, LH_COVER_OWN, LH_COVER_READ_ERROR, LH_COVER_WRITE_ERROR,
  LH_COVER_BAD, LH_COVER_BLOCKED, LH_COVER_RESET, LH_COVER_SHARED, LH_COVER_CROSSED, LH_COVER_STALE, LH_COVER_AT_ONCE,
  LH_COVER_ALL_WAIT, LH_COVER_ERRORS, LH_COVERS };
/* Whether a configuration can reach it. */
bool lh_cover_possible(const struct lh_layout *l, enum lh_cover c);

#endif
