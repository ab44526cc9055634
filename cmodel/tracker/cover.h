/* SPDX-License-Identifier: Apache-2.0 */
/* cover.h: the functional coverage points of tracker, in the order of the description. */
#ifndef TRACKER_COVER_H
#define TRACKER_COVER_H

#include "tracker/layout.h"

enum trk_cover {
  TRK_C_FULL, TRK_C_LONG, TRK_C_OVERTAKES, TRK_C_STATE_INSIDE, TRK_C_STATE, TRK_C_CLOSE_INSIDE, TRK_C_TOKEN_STUCK,
  TRK_C_TOKEN_PLAIN, TRK_C_FREE, TRK_C_FREE_TWO, TRK_C_ALLOC, TRK_C_ALLOC_WAITS, TRK_C_FAST_HOLDS, TRK_C_FAST_FULL,
  TRK_C_FILL_WINDOW, TRK_C_MANY_READY, TRK_C_MODE_1, TRK_C_MODE_2, TRK_C_MODE_3, TRK_C_MODE_4, TRK_C_CHANGE_OPEN,
  TRK_C_GROUP, TRK_C_BOTH_OUT, TRK_C_RUN, TRK_C_NO_BANK, TRK_C_KEPT_END, TRK_C_REFUSED_1, TRK_C_REFUSED_2, TRK_C_REFUSED_3,
  TRK_C_REFUSED_4, TRK_C_REFUSED_5, TRK_C_REFUSED_6, TRK_C_ALLOC_REFUSED_1, TRK_C_ALLOC_REFUSED_2, TRK_C_ALLOC_REFUSED_3,
  TRK_C_REG_REFUSED, TRK_C_FILL_REFUSED, TRK_C_BACK_PRESSURE, TRK_C_AGES_FULL,
  TRK_C_HALT_EMPTY, TRK_C_HALT_ACTIVE, TRK_C_HALT_STALLED, TRK_C_HALT_QUIESCENT, TRK_C_HALT_INSIDE, TRK_C_HALT_FILLS,
  TRK_C_HALT_WITHDRAWN, TRK_C_UNIT_RESET, TRK_C_RESET_FILLS, TRK_C_ALL
};

/* Appends those that a configuration can reach; the others have no place. `at`, when not NULL, gets the place of each or -1. */
void trk_covers(struct simt_desc *d, const struct trk_layout *l, int *at);

#endif
