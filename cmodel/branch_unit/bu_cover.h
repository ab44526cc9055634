/* SPDX-License-Identifier: Apache-2.0 */
/* bu_cover.h: functional coverage points of branch_unit, seen at the instruction and register ports or by the
 * golden model; the blocks that contain it count the same ones. */
#ifndef BU_COVER_H
#define BU_COVER_H

#include "bu_layout.h"

enum bu_cover {
  BU_COVER_ALL_TAKEN, BU_COVER_NONE_TAKEN, BU_COVER_DIVERGES, BU_COVER_SYNC_ONLY, BU_COVER_TWO_PUSHES,
  BU_COVER_CALL, BU_COVER_PREBREAK, BU_COVER_CALL_SYNC, BU_COVER_RETURN_CALL, BU_COVER_RETURN_DIV,
  BU_COVER_BREAK_BRK, BU_COVER_BREAK_DIV, BU_COVER_POP_DIV, BU_COVER_POP_SYNC, BU_COVER_NO_SECOND_POP,
  BU_COVER_POP_SYNC_BRANCH, BU_COVER_POP_SYNC_RETURN,
  /* errors */
  BU_COVER_OVERFLOW_ONE, BU_COVER_OVERFLOW_TWO, BU_COVER_UNDERFLOW, BU_COVER_UNDERFLOW_SYNC, BU_COVER_FAULT_PUSH,
  BU_COVER_FAULT_POP, BU_COVER_NOT_EMPTY, BU_COVER_WRONG_RETURN_BRK, BU_COVER_WRONG_RETURN_SYNC,
  BU_COVER_WRONG_BREAK_CALL, BU_COVER_WRONG_BREAK_SYNC, BU_COVER_WRONG_SYNC_CALL, BU_COVER_WRONG_SYNC_BRK,
  BU_COVER_RETURN_OWN_SYNC, BU_COVER_LAUNCH_STOPPED, BU_COVER_LAUNCH_LIVE, BU_COVER_FINISH,
  /* streams and waits */
  BU_COVER_STREAM, BU_COVER_WAIT_PUSH, BU_COVER_WAIT_POP, BU_COVER_OTHER_GOES_ON, BU_COVER_ODD_GROUP,
  BU_COVER_NOT_LIVE, BU_COVER_FULL_LIMIT, BU_COVER_RESET_UNDER_WAY,
  /* registers */
  BU_COVER_MASK_READ, BU_COVER_MASK_BUSY, BU_COVER_ERROR_TOKEN, BU_COVER_STOPPED_READ, BU_COVER_LIMIT_WRITE,
  BU_COVER_REFUSED,
  BU_COVERS
};

/* Whether a point can be reached at this configuration; the description lists those that can, in order. */
bool bu_cover_possible(const struct bu_layout *l, enum bu_cover point);
void bu_add_covers(struct simt_desc *d, const struct bu_layout *l);

#endif
