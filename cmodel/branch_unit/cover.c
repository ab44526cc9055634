/* SPDX-License-Identifier: Apache-2.0 */
/* cover.c: the table of the functional coverage points. */
#include "branch_unit/cover.h"

enum { LANES_2 = 1, GROUPS_2 = 2, ODD_GROUPS = 4, GROUPS_8 = 8, STATUS = 16, GROUPS_3 = 32, ALONE = 64,
       MEMORY = 128 };

static const struct { const char *name, *req; unsigned needs; const char *doc; } points[BU_COVERS] = {
#define POINT(name) [BU_COVER_##name]
  POINT(ALL_TAKEN) = {"all_taken", "BU-3", 0, "every active lane takes a branch"},
  POINT(NONE_TAKEN) = {"none_taken", "BU-3", 0, "no active lane takes a branch"},
  POINT(DIVERGES) = {"diverges", "BU-3", LANES_2, "a branch without set-sync diverges"},
  POINT(SYNC_ONLY) = {"sync_only", "BU-3", 0, "a branch with set-sync does not diverge"},
  POINT(TWO_PUSHES) = {"two_pushes", "BU-3 BU-5", LANES_2, "a branch with set-sync diverges"},
  POINT(CALL) = {"call", "BU-3", 0, "a call"},
  POINT(PREBREAK) = {"prebreak", "BU-3", 0, "a pre-break"},
  POINT(CALL_SYNC) = {"call_sync", "BU-3", 0, "a call or pre-break with set-sync"},
  POINT(RETURN_CALL) = {"return_call", "BU-3", 0, "a return pops a call token"},
  POINT(RETURN_DIV) = {"return_div", "BU-3", LANES_2, "a return pops a div token"},
  POINT(BREAK_BRK) = {"break_brk", "BU-3", 0, "a break pops a brk token"},
  POINT(BREAK_DIV) = {"break_div", "BU-3", LANES_2, "a break pops a div token"},
  POINT(POP_DIV) = {"pop_div", "BU-3", LANES_2, "a pop-sync pops a div token"},
  POINT(POP_SYNC) = {"pop_sync", "BU-3", 0, "a pop-sync pops a sync token"},
  POINT(NO_SECOND_POP) = {"no_second_pop", "BU-3", 0, "the instruction behind a popped sync token does not pop again"},
  POINT(POP_SYNC_BRANCH) = {"pop_sync_branch", "BU-2 BU-3", 0, "a branch with pop-sync executes"},
  POINT(POP_SYNC_RETURN) = {"pop_sync_return", "BU-2 BU-3", 0, "a return or break with pop-sync executes"},
  POINT(POP_SYNC_OTHER) = {"pop_sync_other", "BU-2 BU-3", 0, "an instruction that does nothing else executes when it is issued again behind its pop-sync"},

  POINT(OVERFLOW_ONE) = {"overflow_one", "BU-4", 0, "an instruction with one push answers overflow"},
  POINT(OVERFLOW_TWO) = {"overflow_two", "BU-5", 0, "an instruction with two pushes answers overflow where one would fit"},
  POINT(UNDERFLOW) = {"underflow", "BU-4", 0, "a return or break answers underflow"},
  POINT(UNDERFLOW_SYNC) = {"underflow_sync", "BU-4", 0, "a pop-sync answers underflow"},
  POINT(FAULT_PUSH) = {"fault_push", "BU-5", 0, "an instruction that pushes answers fault"},
  POINT(FAULT_BETWEEN) = {"fault_between", "BU-5", ALONE, "the stack faults between the two pushes of an instruction"},
  POINT(FAULT_POP) = {"fault_pop", "BU-4", 0, "an instruction that pops answers fault"},
  POINT(NOT_EMPTY) = {"not_empty", "BU-6", 0, "a finish with tokens on the stack"},
  POINT(WRONG_RETURN_BRK) = {"wrong_return_brk", "BU-4", 0, "a return pops a brk token"},
  POINT(WRONG_RETURN_SYNC) = {"wrong_return_sync", "BU-4", 0, "a return pops a sync token"},
  POINT(WRONG_BREAK_CALL) = {"wrong_break_call", "BU-4", 0, "a break pops a call token"},
  POINT(WRONG_BREAK_SYNC) = {"wrong_break_sync", "BU-4", 0, "a break pops a sync token"},
  POINT(WRONG_SYNC_CALL) = {"wrong_sync_call", "BU-4", 0, "a pop-sync pops a call token"},
  POINT(WRONG_SYNC_BRK) = {"wrong_sync_brk", "BU-4", 0, "a pop-sync pops a brk token"},
  POINT(RETURN_OWN_SYNC) = {"return_own_sync", "BU-2 BU-4", 0, "a return or break with set-sync pops its own token"},
  POINT(LAUNCH_STOPPED) = {"launch_stopped", "BU-6", 0, "a group stopped by an error is launched again"},
  POINT(LAUNCH_LIVE) = {"launch_live", "BU-6", 0, "a live group is launched again"},
  POINT(FINISH) = {"finish", "BU-6", 0, "a group finishes"},

  POINT(STREAM) = {"stream", "BU-5", GROUPS_8, "results in eight consecutive cycles"},
  POINT(WAIT_PUSH) = {"wait_push", "BU-5", 0, "a group that is not busy waits to push"},
  POINT(WAIT_POP) = {"wait_pop", "BU-5", 0, "a group that is not busy waits to pop"},
  POINT(OTHER_GOES_ON) = {"other_goes_on", "BU-5", GROUPS_2, "another group goes on while one waits for its stack"},
  POINT(ODD_GROUP) = {"odd_group", "BU-6", ODD_GROUPS, "an instruction of a group that does not exist is not taken"},
  POINT(NOT_LIVE) = {"not_live", "BU-6", 0, "an instruction of a group that was not launched is not taken"},
  POINT(FULL_LIMIT) = {"full_limit", "BU-5", 0, "a stack is filled up to the limit exactly"},
  POINT(RESET_UNDER_WAY) = {"reset_under_way", "BU-6", 0, "a reset while instructions are under way"},

  POINT(MASK_READ) = {"mask_read", "BU-6", 0, "the mask or pc of a live group is read"},
  POINT(MASK_BUSY) = {"mask_busy", "BU-6", 0, "mask or pc are read while an instruction of the group is under way"},
  POINT(ERROR_TOKEN) = {"error_token", "BU-4", 0, "a token of the wrong kind is read from the error register"},
  POINT(STOPPED_READ) = {"stopped_read", "BU-4", 0, "the groups stopped by an error are read"},
  POINT(LIMIT_WRITE) = {"limit_write", "BU-5", 0, "the limit is written"},
  POINT(LIMIT_PUSHING) = {"limit_pushing", "BU-5", 0, "the limit is written while an instruction that pushes is under way"},
  POINT(LIMIT_DECIDES) = {"limit_decides", "BU-5", 0, "a limit that is written decides an instruction under way"},
  POINT(REFUSED) = {"refused", "BU-6", 0, "a register access is refused"},

  POINT(HALT_EMPTY) = {"halt_empty", "US-3", STATUS, "halted from empty"},
  POINT(HALT_ACTIVE) = {"halt_active", "US-3", STATUS, "halted from active"},
  POINT(HALT_WAITING) = {"halt_waiting", "US-3", STATUS, "halted from stalled or quiescent"},
  POINT(HALT_UNDER_WAY) = {"halt_under_way", "US-4", STATUS, "halted with an instruction that waits for its stack"},
  POINT(HALT_WITHDRAWN) = {"halt_withdrawn", "US-7", STATUS, "a halt is withdrawn before the unit is halted"},
  POINT(UNIT_RESET) = {"unit_reset", "US-7", STATUS, "a reset of the unit while instructions are under way"},
  POINT(SAVE) = {"save", "US-9", STATUS, "a context is saved"},
  POINT(SAVE_ALL) = {"save_all", "US-9", STATUS | GROUPS_3, "with three instructions under way or more"},
  POINT(SAVE_HALF) = {"save_half", "US-9", STATUS, "between the two operations of an instruction"},
  POINT(LOAD) = {"load", "US-9", STATUS, "a context is loaded"},
  POINT(LOAD_STOPPED) = {"load_stopped", "US-9", STATUS, "with a group that an error has stopped"},
  POINT(SAVED_AGAIN) = {"saved_again", "US-9", STATUS, "a save right after a load gives the same stream"},
  POINT(REFUSED_HEADER) = {"refused_header", "US-9", STATUS, "a context is refused for its header"},
  POINT(REFUSED_PAYLOAD) = {"refused_payload", "US-9", STATUS, "a context is refused for its payload or checksum"},
  POINT(BROKEN) = {"broken", "US-7 US-9", STATUS, "a reset or a release of the unit in the middle of a load, which is refused"},
  POINT(LOADED_BEFORE_RESET) = {"loaded_before_reset", "US-7 US-9", STATUS, "a reset of the unit in the last cycles of a load, which is not refused"},
  POINT(NACK) = {"nack", "US-3", STATUS | MEMORY, "a memory error of the stack is reported"},
  POINT(NACK_CLEARED) = {"nack_cleared", "US-3", STATUS | MEMORY, "a write of the stack's ERROR clears nack_o"},
};

bool bu_cover_possible(const struct bu_layout *l, enum bu_cover point) {
  unsigned have = 0;
  if (l->lanes > 1) have |= LANES_2;
  if (l->threads > 1) have |= GROUPS_2;
  if (l->threads >= 8) have |= GROUPS_8;
  if (l->threads & (l->threads - 1)) have |= ODD_GROUPS;
  if (l->threads >= 3) have |= GROUPS_3;
  if (l->status) have |= STATUS;
  have |= l->alone ? ALONE : MEMORY;
  return (points[point].needs & ~have) == 0;
}

void bu_add_covers(struct simt_desc *d, const struct bu_layout *l) {
  for (int i = 0; i < BU_COVERS; i++)
    if (bu_cover_possible(l, (enum bu_cover)i)) simt_add_cover(d, points[i].req, points[i].doc, "%s", points[i].name);
}
