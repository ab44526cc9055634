/* SPDX-License-Identifier: Apache-2.0 */
/* cover.c: which coverage points a configuration has. */
#include "tracker/cover.h"

static const struct { const char *name, *req, *doc; } points[TRK_C_ALL] = {
  [TRK_C_FULL] = {"pool_full", "TR-3 TR-15", "All entries of the pool are taken."},
  [TRK_C_LONG] = {"longer_than_pool", "TR-10", "An instruction of more wavefronts than the pool has entries leaves whole."},
  [TRK_C_OVERTAKES] = {"overtakes", "TR-3 TR-5", "A wavefront leaves before an older one of another queue."},
  [TRK_C_STATE_INSIDE] = {"state_inside", "TR-10 TR-11", "A state packet leaves between two texture wavefronts of one instruction."},
  [TRK_C_STATE] = {"state_leaves", "TR-11", "A state packet leaves."},
  [TRK_C_CLOSE_INSIDE] = {"close_inside", "TR-10", "A close packet comes inside an instruction."},
  [TRK_C_TOKEN_STUCK] = {"token_resets", "TR-13", "A flush token resets a saturated count, which is reported free."},
  [TRK_C_TOKEN_PLAIN] = {"token_only_waits", "TR-13", "A flush token for a data slot that is not saturated goes."},
  [TRK_C_FREE] = {"free", "TR-13", "A data slot is reported free."},
  [TRK_C_FREE_TWO] = {"free_two", "TR-13", "Two banks report in one cycle."},
  [TRK_C_ALLOC] = {"alloc", "TR-0", "An allocation is taken."},
  [TRK_C_ALLOC_WAITS] = {"alloc_waits_for_fast", "TR-12", "An allocation is not ready while a fast packet from before waits."},
  [TRK_C_FAST_HOLDS] = {"fast_holds", "TR-12", "A fast packet waits while younger wavefronts are in the pool."},
  [TRK_C_FAST_FULL] = {"fast_while_full", "TR-15", "A fast packet is taken while the pool is full."},
  [TRK_C_FILL_WINDOW] = {"fill_in_window", "TR-7", "The last missing sector of a wavefront is filled 5 to 11 cycles after it was taken."},
  [TRK_C_MANY_READY] = {"many_ready", "TR-7", "One fill completes the wavefronts of two warps or more."},
  [TRK_C_MODE_1] = {"mode_1", "TR-2", "Wavefronts are taken in mode 1."},
  [TRK_C_MODE_2] = {"mode_2", "TR-2", "Wavefronts are taken in mode 2."},
  [TRK_C_MODE_3] = {"mode_3", "TR-2", "Wavefronts are taken in mode 3."},
  [TRK_C_MODE_4] = {"mode_4", "TR-2", "Wavefronts are taken in mode 4."},
  [TRK_C_CHANGE_OPEN] = {"change_inside", "TR-2", "A mode, split or group size is written while an instruction is open."},
  [TRK_C_GROUP] = {"group", "TR-10", "A wavefront leaves before the end of its instruction was taken."},
  [TRK_C_BOTH_OUT] = {"both_out", "TR-14", "Both outputs are read in one cycle."},
  [TRK_C_RUN] = {"run", "TR-6 TR-14", "Eight wavefronts in a row leave in consecutive cycles."},
  [TRK_C_NO_BANK] = {"no_bank", "TR-1", "A wavefront without banks leaves."},
  [TRK_C_KEPT_END] = {"kept_end", "TR-17", "A refused wavefront that bears the end is kept without banks."},
  [TRK_C_REFUSED_1] = {"refused_class", "TR-17", "Refused: unknown class."},
  [TRK_C_REFUSED_2] = {"refused_warp", "TR-17", "Refused: warp out of range."},
  [TRK_C_REFUSED_3] = {"refused_torn", "TR-1 TR-17", "Refused: another class or warp inside an instruction."},
  [TRK_C_REFUSED_4] = {"refused_dslot", "TR-17", "Refused: data slot out of range."},
  [TRK_C_REFUSED_5] = {"refused_no_sector", "TR-17", "Refused: a bank with no sector."},
  [TRK_C_REFUSED_6] = {"refused_token", "TR-13 TR-17", "Refused: names a data slot with a waiting token."},
  [TRK_C_ALLOC_REFUSED_1] = {"alloc_refused_dslot", "TR-17", "Allocation refused: bank or data slot out of range."},
  [TRK_C_ALLOC_REFUSED_2] = {"alloc_refused_references", "TR-17", "Allocation refused: references."},
  [TRK_C_ALLOC_REFUSED_3] = {"alloc_refused_token", "TR-17", "Allocation refused: a waiting token."},
  [TRK_C_REG_REFUSED] = {"register_refused", "TR-17", "An unknown mode, split or group size is refused."},
  [TRK_C_FILL_REFUSED] = {"fill_out_of_range", "TR-17", "A fill out of range is reported."},
  [TRK_C_BACK_PRESSURE] = {"back_pressure", "TR-14", "An output waits for its reader for eight cycles."},
  [TRK_C_AGES_FULL] = {"ages_full", "TR-5", "All positions of ages are taken: one wavefront waits while 4 x ENTRIES younger ones were taken."},
  [TRK_C_HALT_EMPTY] = {"halt_empty", "TR-16", "Halted from empty."},
  [TRK_C_HALT_ACTIVE] = {"halt_active", "TR-16", "Halted from active."},
  [TRK_C_HALT_STALLED] = {"halt_stalled", "TR-16", "Halted from stalled: an output waits for its reader."},
  [TRK_C_HALT_QUIESCENT] = {"halt_quiescent", "TR-16", "Halted from quiescent."},
  [TRK_C_HALT_INSIDE] = {"halt_inside", "TR-16", "Halted with wavefronts inside while an instruction is open."},
  [TRK_C_HALT_FILLS] = {"halt_fills", "TR-16", "Fills are taken under a halt request."},
  [TRK_C_HALT_WITHDRAWN] = {"halt_withdrawn", "TR-16", "A halt request falls before the unit has halted."},
  [TRK_C_UNIT_RESET] = {"unit_reset", "TR-16", "The unit is reset with wavefronts inside."},
  [TRK_C_RESET_FILLS] = {"reset_fills", "TR-16", "Fills that were due before a reset of the unit come after it and are dropped."},
  [TRK_C_SAVED] = {"save", "TR-16", "A context is saved."},
  [TRK_C_SAVED_AGAIN] = {"save_again", "TR-16", "A save right behind a load gives the same words."},
  [TRK_C_LOADED] = {"load", "TR-16", "A context is loaded."},
  [TRK_C_REFUSED_HEADER] = {"refused_header", "TR-16", "A load is refused for its header."},
  [TRK_C_REFUSED_PAYLOAD] = {"refused_payload", "TR-16", "A load is refused behind its header."},
  [TRK_C_BROKEN] = {"broken", "TR-16 US-7", "A reset of the unit in the middle of a load, which is refused."},
  [TRK_C_LOADED_BEFORE_RESET] = {"loaded_before_reset", "TR-16 US-7", "A reset of the unit in the last cycles of a load, which is not refused."},
  [TRK_C_SAVE_FIFO] = {"save_fifo", "TR-16", "A context has wavefronts that stand in a commit FIFO."},
  [TRK_C_SAVE_MISSING] = {"save_missing", "TR-16", "A context has a wavefront whose data are not there."},
  [TRK_C_SAVE_STATE] = {"save_state", "TR-16", "A context has a state packet that waits for older wavefronts."},
  [TRK_C_SAVE_TOKEN] = {"save_token", "TR-16", "A context has a flush token that waits."},
  [TRK_C_SAVE_FAST] = {"save_fast", "TR-16", "A context has a fast packet behind wavefronts."},
  [TRK_C_SAVE_HELD] = {"save_held", "TR-16", "A context has a wavefront that waits for what follows it."},
  [TRK_C_SAVE_TORN] = {"save_torn", "TR-16", "A context has the rest of an instruction of which a part has left."},
};

static bool is_pow2(unsigned n) { return (n & (n - 1)) == 0; }

static bool reachable(const struct trk_layout *l, unsigned point) {
  bool banks_full = is_pow2(l->banks) && l->banks > 1, dslots_full = is_pow2(l->dslots), sectors_full = is_pow2(l->sectors) && l->sectors > 1;
  if (point >= TRK_C_HALT_EMPTY) return l->status != 0;
  switch (point) {
  case TRK_C_REFUSED_2: return !is_pow2(l->warps) || l->warps == 1;
  case TRK_C_REFUSED_4: return !banks_full || !dslots_full; /* a token names a bank */
  case TRK_C_ALLOC_REFUSED_1: return !banks_full || !dslots_full;
  case TRK_C_FILL_REFUSED: return !banks_full || !dslots_full || !sectors_full;
  case TRK_C_FREE_TWO: return l->banks > 1;
  case TRK_C_MANY_READY: return l->warps > 1;
  case TRK_C_ALLOC_WAITS: return l->fast_guard;
  case TRK_C_AGES_FULL: return l->free_list && l->entries <= 16;
  default: return true;
  }
}

void trk_covers(struct simt_desc *d, const struct trk_layout *l, int *at) {
  int place = 0;
  for (unsigned i = 0; i < TRK_C_ALL; i++) {
    bool has = reachable(l, i);
    if (at) at[i] = has ? place : -1;
    if (!has) continue;
    place++;
    if (d) simt_add_cover(d, points[i].req, points[i].doc, "%s", points[i].name);
  }
}
