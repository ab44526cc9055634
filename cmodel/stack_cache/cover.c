/* SPDX-License-Identifier: Apache-2.0 */
/* cover.c: names and meaning of the functional coverage points, and where each can be reached. */
#include "stack_cache/cover.h"

/* What a configuration needs for a point to be reachable within a run of ordinary length. */
enum { THREADS_2 = 1, ODD_THREAD = 2, BARREL = 4, COUNTERS = 8, SMALL = 16, CLASSES = 32, FEW_THREADS = 64,
       REMOTE = 128, DEEPER = 256, THRESHOLD = 512, UNIT = 1024, SETS = 2048, DEEPEST_OF = 4096 };

#define POINT(id) [SC_COVER_##id]
static const struct { const char *name, *req; unsigned needs; const char *doc; } points[SC_COVERS] = {
  POINT(PUSH_OK) = {"push_ok", "SC-5", 0, "a push is stored"},
  POINT(PUSH_OVERFLOW) = {"push_overflow", "SC-12", 0, "a push at the depth limit answers overflow"},
  POINT(PUSH_FAULT) = {"push_fault", "SC-12", 0, "a push of a faulted thread answers fault"},
  POINT(POP_OK) = {"pop_ok", "SC-5", 0, "a pop returns an entry"},
  POINT(POP_UNDERFLOW) = {"pop_underflow", "SC-12", 0, "a pop of an empty stack answers underflow"},
  POINT(POP_FAULT) = {"pop_fault", "SC-12", 0, "a pop of a faulted thread answers fault"},
  POINT(PEEK_OK) = {"peek_ok", "SC-3", 0, "a peek returns the top"},
  POINT(PEEK_UNDERFLOW) = {"peek_underflow", "SC-12", 0, "a peek of an empty stack answers underflow"},
  POINT(PEEK_FAULT) = {"peek_fault", "SC-12", 0, "a peek of a faulted thread answers fault"},
  POINT(REPLACE_OK) = {"replace_ok", "SC-3", 0, "the top is replaced"},
  POINT(REPLACE_UNDERFLOW) = {"replace_underflow", "SC-12", 0, "a replace on an empty stack answers underflow"},
  POINT(REPLACE_FAULT) = {"replace_fault", "SC-12", 0, "a replace of a faulted thread answers fault"},
  POINT(INIT_OK) = {"init_ok", "SC-3", 0, "a stack that held entries is emptied"},
  POINT(STREAM) = {"stream", "SC-3", BARREL, "an operation is taken in each of 64 cycles in a row"},
  POINT(AT_GAP) = {"at_gap", "SC-3", 0, "a thread goes again as soon as it may"},
  POINT(WAIT_OWN) = {"wait_own", "SC-11", 0, "an operation waits for the last one of its thread"},
  POINT(WAIT_PUSH) = {"wait_push", "SC-11", REMOTE, "a push waits for a dirty slot"},
  POINT(WAIT_TOP) = {"wait_top", "SC-11", REMOTE, "a pop, peek or replace waits for its set"},
  POINT(OTHER_GOES_ON) = {"other_goes_on", "SC-11", THREADS_2, "a thread waits and another one's operation is taken"},
  POINT(CHANGED) = {"changed", "SC-11", 0, "an operation that is not taken changes"},
  POINT(WITHDRAWN) = {"withdrawn", "SC-11", 0, "an operation that is not taken is withdrawn"},
  POINT(ODD_KIND) = {"odd_kind", "SC-3", 0, "a kind that does not exist is presented"},
  POINT(ODD_THREAD) = {"odd_thread", "SC-3", ODD_THREAD, "a thread that does not exist is presented"},
  POINT(STEAL) = {"steal", "SC-9", REMOTE, "the engine takes a cycle"},
  POINT(STEAL_OP) = {"steal_op", "SC-9", REMOTE, "an operation waits because the engine takes the cycle"},
  POINT(HELD) = {"held", "SC-9", REMOTE, "the engine holds a thread"},
  POINT(SPILL) = {"spill", "SC-6", 0, "a set is spilled"},
  POINT(DIRTY_AGAIN) = {"dirty_again", "SC-4", 0, "a spilled set is changed and dirty again"},
  POINT(DIRTY_UNDER_WAY) = {"dirty_under_way", "SC-4", 0, "a set is changed while the write of its old content is under way"},
  POINT(BURST) = {"burst", "SC-6", THRESHOLD, "a burst goes on below the threshold"},
  POINT(CLEAN_POP) = {"clean_pop", "SC-7", 0, "an entry is popped whose remote copy is current"},
  POINT(CLEAN_REPLACE) = {"clean_replace", "SC-4", 0, "the top is replaced in a clean set"},
  POINT(OVERWRITE_CLEAN) = {"overwrite_clean", "SC-4", REMOTE, "a push overwrites the slot of a clean set"},
  POINT(SLOTS_WRAP) = {"slots_wrap", "SC-4", SMALL, "a stack of more than twice the on-chip entries"},
  POINT(DEEP) = {"deep", "SC-4", SMALL, "a stack of more than four times the on-chip entries"},
  POINT(RESTORE) = {"restore", "SC-8", REMOTE, "a set is restored"},
  POINT(RESTORE_TWO) = {"restore_two", "SC-8", DEEPER, "two restores of a thread are under way"},
  POINT(RESTORE_HELD) = {"restore_held", "SC-4", DEEPER, "a set arrives before the set above it and is held"},
  POINT(DROP_PUSH) = {"drop_push", "SC-11", REMOTE, "a push drops the restore into its slot"},
  POINT(DROP_INIT) = {"drop_init", "SC-3", REMOTE, "an init drops restores"},
  POINT(DROP_LATE) = {"drop_late", "SC-11", REMOTE, "the answer of a dropped restore arrives"},
  POINT(DROP_AGAIN) = {"drop_again", "SC-11", REMOTE, "the answer of a dropped restore comes when its set is wanted again"},
  POINT(REQUEST_STALLED) = {"request_stalled", "SC-10", 0, "a memory request is not taken at once"},
  POINT(ANSWER_STALLED) = {"answer_stalled", "SC-9", REMOTE, "a memory answer waits"},
  POINT(OUT_OF_ORDER) = {"out_of_order", "SC-10", REMOTE, "an answer comes before that of an older request"},
  POINT(MANY_UNDER_WAY) = {"many_under_way", "SC-10", CLASSES, "eight accesses are under way"},
  POINT(ERROR_READ) = {"error_read", "SC-12", REMOTE, "a read answers an error"},
  POINT(ERROR_WRITE) = {"error_write", "SC-12", 0, "a write answers an error"},
  POINT(ERROR_DROPPED) = {"error_dropped", "SC-12", REMOTE, "a dropped restore answers an error"},
  POINT(ERROR_AFTER_INIT) = {"error_after_init", "SC-12", 0, "an access from before an init answers an error"},
  POINT(ERROR_WAITING) = {"error_waiting", "SC-12", REMOTE, "an operation that waits for memory answers fault"},
  POINT(INIT_FAULT) = {"init_fault", "SC-12", 0, "an init clears the mark of a faulted thread"},
  POINT(INIT_UNDER_WAY) = {"init_under_way", "SC-3", 0, "an init while accesses of its thread are under way"},
  POINT(RESET_UNDER_WAY) = {"reset_under_way", "SC-12", FEW_THREADS, "a reset while accesses are under way"},
  POINT(LIMIT_BELOW) = {"limit_below", "SC-12", 0, "the limit is lowered below the depth of a stack"},
  POINT(LIMIT_WRITE) = {"limit_write", "SC-12", 0, "the limit is written while stacks are in use"},
  POINT(REFUSED_BASE) = {"refused_base", "SC-2", 0, "BASE is refused while a stack is not empty"},
  POINT(REFUSED_STRIDE) = {"refused_stride", "SC-2", 0, "STRIDE_LG is refused while a stack is not empty"},
  POINT(BASE_WRITE) = {"base_write", "SC-2", FEW_THREADS, "BASE is written"},
  POINT(STRIDE_WRITE) = {"stride_write", "SC-2", FEW_THREADS, "STRIDE_LG is written"},
  POINT(REFUSED_VALUE) = {"refused_value", "SC-2", 0, "a value out of range is refused"},
  POINT(REFUSED_ADDRESS) = {"refused_address", "SC-2", 0, "an address without a register is refused"},
  POINT(DEPTH_READ) = {"depth_read", "SC-14", 0, "the depth of a stack that is not empty is read"},
  POINT(DEPTH_BUSY) = {"depth_busy", "SC-14", 0, "a depth is read while operations of the thread are in the pipeline"},
  POINT(ERROR_REGISTER) = {"error_register", "SC-12", 0, "a recorded error is read"},
  POINT(FAULTED_READ) = {"faulted_read", "SC-12", 0, "the mark of a faulted thread is read"},
  POINT(COUNTER_READ) = {"counter_read", "SC-14", COUNTERS, "a counter that is not 0 is read"},
  POINT(COUNTER_CLEAR) = {"counter_clear", "SC-14", COUNTERS, "the counters are cleared"},
  POINT(DEEPEST_READ) = {"deepest_read", "SC-14", DEEPEST_OF, "the deepest stack of a thread is read"},
  POINT(HALT_EMPTY) = {"halt_empty", "US-3", UNIT, "halted from empty"},
  POINT(HALT_ACTIVE) = {"halt_active", "US-3", UNIT, "halted from active"},
  POINT(HALT_QUIESCENT) = {"halt_quiescent", "US-3", UNIT, "halted from quiescent"},
  POINT(HALT_WITHDRAWN) = {"halt_withdrawn", "US-7", UNIT, "a halt request falls before the unit is halted"},
  POINT(SAVE) = {"save", "SC-13", UNIT, "a context is saved"},
  POINT(SAVED_AGAIN) = {"saved_again", "US-9", UNIT, "a context is saved right after it was loaded"},
  POINT(LOAD) = {"load", "SC-13", UNIT, "a context is loaded"},
  POINT(LOAD_PARTLY) = {"load_partly", "SC-11", UNIT | SETS, "a thread is loaded whose top's partly filled set is in memory alone"},
  POINT(LOAD_FAULT) = {"load_fault", "SC-12", UNIT, "a faulted thread is loaded"},
  POINT(REFUSED_HEADER) = {"refused_header", "US-9", UNIT, "a context is refused by its header"},
  POINT(REFUSED_PAYLOAD) = {"refused_payload", "US-9", UNIT, "a context is refused behind its header"},
  POINT(BROKEN) = {"broken", "US-7", UNIT, "a reset breaks a load"},
  POINT(LOADED_BEFORE_RESET) = {"loaded_before_reset", "US-7", UNIT, "a reset comes when the last word of a context is in"},
  POINT(FLUSH) = {"flush", "SC-13", UNIT, "a flush begins"},
  POINT(FLUSH_PARTLY) = {"flush_partly", "SC-13", UNIT | SETS, "a flush writes a partly filled set"},
  POINT(UNIT_RESET) = {"unit_reset", "US-7", UNIT, "the unit is reset"},
  POINT(UNIT_RESET_BUSY) = {"unit_reset_busy", "US-7", UNIT, "the unit is reset while accesses are under way"},
  POINT(NACK) = {"nack", "US-3", UNIT, "a memory error is reported"},
  POINT(NACK_CLEARED) = {"nack_cleared", "US-3", UNIT, "a write of ERROR takes the report of an error back"},
  POINT(MOVED) = {"moved", "SC-2", UNIT, "BASE or STRIDE_LG is written while halted and stacks hold entries"},
  POINT(HALT_KEPT) = {"halt_kept", "SC-13", UNIT, "a halt without a flush"},
  POINT(LOAD_DIRTY) = {"load_dirty", "SC-13", UNIT, "a thread is loaded that has a dirty set on chip"},
  POINT(LOAD_DRAIN) = {"load_drain", "SC-13", UNIT, "a thread is loaded whose accesses of before an init the engine has not looked at yet"},
};

bool sc_cover_possible(const struct sc_layout *l, enum sc_cover point) {
  unsigned have = 0;
  if (l->threads > 1) have |= THREADS_2;
  if (l->threads > 4) have |= BARREL;
  if (l->threads <= 64) have |= FEW_THREADS;
  if (l->threads & (l->threads - 1)) have |= ODD_THREAD;
  if (l->policy && l->nsets > 2) have |= THRESHOLD;
  if (l->counters) have |= COUNTERS;
  if (l->counters == 2) have |= DEEPEST_OF;
  if (l->status) have |= UNIT;
  if (l->set > 1) have |= SETS;
  if (l->entries <= 64 && l->max_depth > 4 * (uint64_t)l->entries) have |= SMALL;
  if (l->max_depth > l->entries) have |= REMOTE;
  if (l->max_depth > l->entries + 2 * l->set) have |= DEEPER;
  uint64_t sets = l->max_depth / l->set, most = sets < l->inflight ? sets : l->inflight;
  if (l->threads * most >= 16) have |= CLASSES;
  return (points[point].needs & ~have) == 0;
}

const char *sc_cover_name(enum sc_cover point) { return points[point].name; }

void sc_add_covers(struct simt_desc *d, const struct sc_layout *l) {
  for (int i = 0; i < SC_COVERS; i++)
    if (sc_cover_possible(l, (enum sc_cover)i)) simt_add_cover(d, points[i].req, points[i].doc, "%s", points[i].name);
}
