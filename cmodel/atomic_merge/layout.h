/* SPDX-License-Identifier: Apache-2.0 */
/* layout.h: sizes of an atomic_merge that follow from its parameters, codes of its ports, coverage points. */
#ifndef ATOMIC_MERGE_LAYOUT_H
#define ATOMIC_MERGE_LAYOUT_H

#include "core/simt.h"

enum am_op { AM_LOAD, AM_STORE, AM_FENCE, AM_FLUSH, AM_ADD, AM_AND, AM_OR, AM_XOR, AM_SMIN, AM_SMAX, AM_UMIN, AM_UMAX,
             AM_SWAP, AM_CAS, AM_SAT, AM_INC, AM_DEC, AM_MOD, AM_MUL, AM_FADD, AM_FMUL, AM_FMIN,
             AM_FMAX, AM_OPS };
enum am_mode { AM_RETURN, AM_STRICT, AM_RELAXED, AM_MODES };
enum am_status { AM_OK, AM_REFUSED, AM_MEMORY_ERROR, AM_LIVE };
/* What port wit_kind_o says of the request wit_tid_o or the temporary line wit_temp_o. */
enum am_witness { AM_PERFORMED, AM_JOINED, AM_MERGED, AM_DROPPED };
enum am_policy { AM_NOT_BUILT, AM_WAIT, AM_EXTRA, AM_KEEP_WAIT, AM_KEEP_EXTRA };
enum { AM_UNIT_TYPE = 0x414d, AM_FIFO = 16, AM_SPOOL_FIFO = 16, AM_MAX_APART = 8, AM_OP_W = 5, AM_LOST_W = 16 };

struct am_layout {
  unsigned line_bytes, lines, ways, sets, queue, stall_buf, lanes, beats, misses, max_temps, temps, old_lines;
  unsigned tid_w, addr_w, line_lg, set_lg, status, line_aw, beat_bits, miss_w, temp_w;
  bool wide, witness, counters, tid_check, float_merge, drains; /* drains: a halt releases all lines, and a context may be moved */
  unsigned apart; /* requests of the same 8 bytes of which the first is one of the unit's: cycles from one to the other; 0: it is not built */
  bool items;     /* lines of multiplies or floats are merged item by item */
  bool big_endian;
  unsigned extra; /* stages behind those of a cache without the unit */
  unsigned ctx_words; /* of a context */
  uint32_t cfg_hash;
  unsigned policy[AM_OPS]; /* enum am_policy; loads, stores, fence and flush are always built */
};
void am_layout(const uint64_t *value, struct am_layout *l);
/* Most cycles that the arrival of a line takes, with all its temporary lines; that each request adds which waited for it. */
unsigned am_arrival_own(const struct am_layout *l);
unsigned am_waits_own(const struct am_layout *l);
void am_warn_queue(struct simt_desc *d, const struct am_layout *l); /* one that is too short for a request in every cycle */
extern const struct simt_note am_notes[];
static inline bool am_is_atomic(unsigned op) { return op >= AM_ADD && op < AM_OPS; }
/* Operations whose result the same item has a cycle late: INT_GAP. */
static inline bool am_is_slow(unsigned op) { return (op >= AM_SMIN && op <= AM_UMAX) || op == AM_CAS || op == AM_SAT; }
/* It opens a temporary line beside those of other operations; all requests are parked with their operands. */
static inline bool am_opens_extra(const struct am_layout *l, unsigned op) { return l->policy[op] == AM_EXTRA || l->policy[op] == AM_KEEP_EXTRA; }
static inline bool am_keeps(const struct am_layout *l, unsigned op) { return l->policy[op] >= AM_KEEP_WAIT; }
/* What may be accumulated: order matters to float adds and multiplies. */
static inline bool am_merges(const struct am_layout *l, unsigned op) {
  return am_is_atomic(op) && (l->float_merge || (op != AM_FADD && op != AM_FMUL));
}
/* Operations of the unit that takes several cycles. */
static inline bool am_is_unit(unsigned op) { return op >= AM_INC && op < AM_OPS; }
/* Operations of which a line is merged item by item. */
static inline bool am_is_by_items(unsigned op) { return op >= AM_MUL && op < AM_OPS; }
static inline bool am_is_modulo(unsigned op) { return op >= AM_INC && op <= AM_MOD; }
/* Operations that use the value to compare with: of those on a temporary line all have the same. */
static inline bool am_compares(unsigned op) { return op == AM_CAS || am_is_modulo(op); }
static inline bool am_is_bitwise(unsigned op) { return op >= AM_AND && op <= AM_XOR; }

/* Counters by their places: an operation's code, then what else is counted. Each has two words of registers. */
enum { AM_REG_ID = 0, AM_REG_CLEAR = 4, AM_REG_NACK = 8, AM_REG_COUNTERS = 0x200, AM_REG_ADDR_W = 10, AM_ID = 0x414d0001, AM_COUNTERS = 64 };
enum am_counter {
  AM_N_IN_PLACE = 32, AM_N_ACCUMULATED, AM_N_WAITED_PLAIN, AM_N_WAITED_TAG, AM_N_WAITED_TURN, AM_N_MERGES, AM_N_DROPS, AM_N_EXTRA,
  AM_N_REFUSED, AM_N_FILLS, AM_N_RELEASES, AM_N_EVICTIONS, AM_N_RESIDENCY, AM_N_WAIT_ANSWER, AM_N_WAIT_ENTRY, AM_N_WAIT_SLOT,
  AM_N_WAIT_MISS, AM_N_WAIT_WAY, AM_N_WAIT_FENCE, AM_N_WAIT_ENGINE, AM_N_END };
static inline bool am_is_counted(const struct am_layout *l, unsigned place) {
  return place < 32 ? place < AM_OPS && l->policy[place] != AM_NOT_BUILT : place < AM_N_END;
}

/* The order in which block.c adds them. */
enum am_cover { AM_COVER_HIT, AM_COVER_JOIN, AM_COVER_BATCH, AM_COVER_PARKED, AM_COVER_WAITED, AM_COVER_BEHIND, AM_COVER_TWO_MERGES,
                AM_COVER_SNOOP, AM_COVER_CLEAN, AM_COVER_EVICT, AM_COVER_CROSSED, AM_COVER_LOST, AM_COVER_ERRORS, AM_COVER_REFUSED,
                AM_COVER_UNASKED, AM_COVER_FENCE, AM_COVER_FLUSH, AM_COVER_BLOCKED_ANSWER, AM_COVER_NARROW, AM_COVER_OPTION, AM_COVERS = AM_COVER_OPTION + 9 };
/* Of STATUS, with either HALT_MODE: a reset with a fetch open, then what follows. */
enum am_cover_unit { AM_COVER_RESET_FETCH, AM_COVER_HALTED, AM_COVER_IN_ARRIVAL, AM_COVER_ASKED_AGAIN, AM_COVER_HOLD_END,
                     AM_COVER_DRAINED = AM_COVER_HALTED, AM_COVER_LOADED, AM_COVER_SAVED_AGAIN, AM_COVER_REFUSED_HEADER, AM_COVER_REFUSED_PAYLOAD,
                     AM_COVER_BROKEN, AM_COVER_DRAIN_END };
/* Options have theirs behind: one of TID_CHECK, enum am_cover_unit of STATUS, one of COUNTERS. */
static inline unsigned am_cover_status(const struct am_layout *l) { return AM_COVER_OPTION + l->tid_check; }
static inline unsigned am_cover_counted(const struct am_layout *l) { return am_cover_status(l) + (!l->status ? 0 : l->drains ? AM_COVER_DRAIN_END : AM_COVER_HOLD_END); }

#endif
