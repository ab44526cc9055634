/* SPDX-License-Identifier: Apache-2.0 */
/* scripts.c: the directed tests. They hold at every configuration; a test that does not fit one (too few
 * threads, MAX_DEPTH too small) ends at once there. The first four are drawn in the datasheet. */
#include "stack_cache/script.h"

#define L const struct stk_shape *l = s->l

static bool fits(const struct stk_script *s, uint64_t entries) { return entries <= s->l->max_depth; }

/* ---- operations ---------------------------------------------------------------------------------------- */

static void push_pop(struct stk_script *s) {
  stk_op(s, STK_NO_WAIT, 0, STK_PUSH, 0xa1, STK_OK);
  stk_op(s, STK_NO_WAIT, 0, STK_POP, 0xa1, STK_OK);
  stk_op(s, STK_NO_WAIT, 0, STK_PUSH, 0xb1, STK_OK);
  stk_op(s, STK_NO_WAIT, 0, STK_PUSH, 0xb2, STK_OK);
  stk_op(s, STK_NO_WAIT, 0, STK_POP, 0xb2, STK_OK);
  stk_op(s, STK_NO_WAIT, 0, STK_POP, 0xb1, STK_OK);
  stk_idle(s, 4);
  stk_covered(s, SC_COVER_AT_GAP);
}

static void many_threads(struct stk_script *s) {
  L;
  unsigned n = l->threads < 5 ? l->threads : 5;
  for (unsigned t = 0; t < n; t++) stk_op(s, STK_NO_WAIT, t, STK_PUSH, stk_value(t, 0), STK_OK);
  for (unsigned t = 0; t < n; t++) stk_op(s, STK_NO_WAIT, t, STK_PEEK, stk_value(t, 0), STK_OK);
  for (unsigned t = 0; t < n; t++) stk_op(s, STK_NO_WAIT, t, STK_POP, stk_value(t, 0), STK_OK);
}

static void kinds(struct stk_script *s) {
  L;
  stk_op(s, STK_NO_WAIT, 0, STK_PUSH, 0x21, STK_OK);
  stk_op(s, STK_NO_WAIT, 0, STK_PEEK, 0x21, STK_OK);
  stk_op(s, STK_NO_WAIT, 0, STK_REPLACE, 0x22, STK_OK);
  stk_op(s, STK_NO_WAIT, 0, STK_PEEK, 0x22, STK_OK);
  for (unsigned k = STK_KINDS; k < 8; k++) stk_try(s, 0, k);
  if (l->threads & (l->threads - 1)) stk_try(s, l->threads, STK_PUSH);
  stk_op(s, STK_NO_WAIT, 0, STK_POP, 0x22, STK_OK);
  stk_op(s, STK_NO_WAIT, 0, STK_PUSH, 0x23, STK_OK);
  stk_op(s, STK_NO_WAIT, 0, STK_INIT, 0, STK_OK);
  stk_op(s, STK_NO_WAIT, 0, STK_POP, 0, STK_UNDERFLOW);
}

/* ---- spills and restores --------------------------------------------------------------------------------- */

/* Entries that make the set boundary policy spill for the first time. */
static uint64_t first_spill(const struct stk_shape *l) { return l->entries - l->set + 1; }

static void spill(struct stk_script *s) {
  L;
  uint64_t n = first_spill(l);
  if (!fits(s, n)) return;
  stk_pushes(s, 0, 0, n - 1);
  if (!l->policy) stk_accesses(s, 0, 0);
  stk_pushes(s, 0, n - 1, 1);
  if (!l->policy && l->set < l->entries / 2) stk_request(s, 1);
  stk_until_quiet(s);
  if (!l->policy) stk_accesses(s, 0, 1);
  stk_pops(s, STK_NO_WAIT, 0, 0, n); /* what is spilled is still on chip */
  stk_until_quiet(s);
  if (!l->policy) stk_accesses(s, 0, 1);
}

/* A set is taken out of storage while other threads read in every cycle: the longest hold there is. */
static void longest_hold(struct stk_script *s) {
  L;
  const unsigned readers = 5;
  const uint64_t n = l->policy ? l->entries : first_spill(l);
  if (l->threads <= readers || !fits(s, n + 1)) return;
  for (unsigned t = 1; t <= readers; t++) stk_pushes(s, t, 0, 1);
  stk_pushes(s, 0, 0, n);
  for (unsigned i = 0; i < 64 + l->beats * (l->steal + 8); i++)
    stk_op(s, STK_ANY_WAIT, 1 + i % readers, STK_PEEK, stk_value(1 + i % readers, 0), STK_OK);
  stk_covered(s, SC_COVER_HELD);
  stk_covered(s, SC_COVER_STEAL);
}

static void restore(struct stk_script *s) {
  L;
  uint64_t n = l->entries + 1;
  if (!fits(s, n)) return;
  stk_pushes(s, 0, 0, n);
  stk_until_quiet(s);
  for (uint64_t i = n; i > 0; i--) { /* at ease: memory has the time of a set's pops */
    stk_pops(s, i > l->set || l->nsets == 2 ? STK_ANY_WAIT : STK_NO_WAIT, 0, i - 1, 1);
    stk_idle(s, 96 / l->set + 8);
  }
  stk_covered(s, SC_COVER_RESTORE);
}

/* The classic bug: the old content's write must not make the new one clean. */
static void lost_dirty(struct stk_script *s) {
  L;
  uint64_t n = first_spill(l), top = l->entries + l->set + 1;
  if (!fits(s, top)) return;
  stk_by_hand(s, false);
  stk_pushes(s, 0, 0, n);
  if (!l->policy) stk_request(s, 0); /* set 0 is read out, its write offered */
  stk_pops(s, STK_NO_WAIT, 0, l->set - 1, n - l->set + 1);
  stk_pushes(s, 0, 1000, 1);                           /* its last entry is another one now */
  stk_pushes(s, 0, l->set, l->entries - l->set);
  stk_latency(s, 30);
  stk_pushes(s, 0, l->entries, top - l->entries);
  stk_until_quiet(s);
  if (!l->policy && l->beats == 1) stk_covered(s, SC_COVER_DIRTY_UNDER_WAY);
  stk_pops(s, STK_ANY_WAIT, 0, l->set, top - l->set);
  stk_pops(s, STK_ANY_WAIT, 0, 1000, 1);
  stk_pops(s, STK_ANY_WAIT, 0, 0, l->set - 1);
}

/* Stack with `sets` full sets and one entry, all that can be in memory there, nothing under way. */
static bool grow(struct stk_script *s, uint64_t sets) {
  uint64_t n = sets * s->l->set + 1;
  if (!fits(s, n) || s->l->policy) return false; /* by threshold more may be in memory, and be fetched */
  stk_pushes(s, 0, 0, n);
  stk_until_quiet(s);
  return true;
}

static void dropped_restore(struct stk_script *s) {
  L;
  uint64_t sets = l->nsets + 1, low = 2 * l->set; /* set 0 and 1 remote; the top is the last of set 1 or 2 */
  if (l->nsets < 4 || !grow(s, sets)) return;
  stk_by_hand(s, true);
  stk_pops(s, STK_ANY_WAIT, 0, low + l->set, sets * l->set + 1 - low - l->set);
  stk_request(s, 1); /* one set is left on chip: set 1 is on its way */
  stk_pushes(s, 0, low + l->set, (l->nsets - 1) * l->set);
  stk_op(s, STK_NO_WAIT, 0, STK_PEEK, stk_value(0, low + l->nsets * l->set - 1), STK_OK);
  stk_idle(s, 4);
  stk_covered(s, SC_COVER_DROP_PUSH);
  stk_pops(s, STK_NO_WAIT, 0, low, l->nsets * l->set);
  stk_answer(s, 0, 0); /* the dropped one */
  stk_covered(s, SC_COVER_DROP_LATE);
  stk_latency(s, 4);
  stk_pops(s, STK_ANY_WAIT, 0, 0, low);
}

static void dropped_error(struct stk_script *s) {
  L;
  uint64_t sets = l->nsets + 1, kept = 3 * l->set;
  if (l->nsets < 4 || !grow(s, sets)) return;
  stk_by_hand(s, true);
  stk_pops(s, STK_ANY_WAIT, 0, kept, sets * l->set + 1 - kept);
  stk_request(s, 1);
  stk_pushes(s, 0, kept, (l->nsets - 1) * l->set);
  stk_idle(s, 4);
  stk_answer(s, 0, 1);
  stk_covered(s, SC_COVER_ERROR_DROPPED);
  stk_idle(s, l->calm);
  stk_op(s, STK_NO_WAIT, 0, STK_PEEK, 0, STK_FAULT);
  stk_op(s, STK_NO_WAIT, 0, STK_INIT, 0, STK_OK);
}

static void out_of_order(struct stk_script *s) {
  L;
  uint64_t sets = l->nsets + 1;
  if (!grow(s, sets)) return;
  stk_by_hand(s, true);
  stk_pops(s, STK_ANY_WAIT, 0, 2 * l->set, sets * l->set + 1 - 2 * l->set);
  stk_request(s, 2);
  stk_answer(s, STK_NEWEST, 0); /* set 0 before set 1 */
  stk_idle(s, 2 * l->hold);
  stk_covered(s, SC_COVER_RESTORE_HELD);
  stk_try(s, 0, STK_POP);
  stk_answer(s, 0, 0);
  stk_latency(s, 4);
  stk_op(s, STK_ANY_WAIT, 0, STK_POP, stk_value(0, 2 * l->set - 1), STK_OK);
  stk_pops(s, STK_NO_WAIT, 0, 0, 2 * l->set - 1);
}

static void clean_sets(struct stk_script *s) {
  L;
  if (!grow(s, l->nsets)) return;
  uint64_t n = l->nsets * l->set + 1;
  stk_op(s, STK_NO_WAIT, 0, STK_POP, stk_value(0, n - 1), STK_OK);
  for (uint64_t i = n - 1; i > 2 * l->set; i--) stk_pops(s, STK_NO_WAIT, 0, i - 1, 1);
  stk_op(s, STK_ANY_WAIT, 0, STK_REPLACE, 0x77, STK_OK); /* the top of set 1, clean or not */
  stk_pushes(s, 0, 2 * l->set, n - 2 * l->set);
  stk_until_quiet(s);
  stk_pops(s, STK_ANY_WAIT, 0, 2 * l->set, n - 2 * l->set);
  stk_op(s, STK_ANY_WAIT, 0, STK_POP, 0x77, STK_OK);
  stk_pops(s, STK_ANY_WAIT, 0, 0, 2 * l->set - 1);
  stk_covered(s, SC_COVER_CLEAN_POP);
}

/* Back into a set whose write is not acknowledged yet. */
static void quick_return(struct stk_script *s) {
  L;
  uint64_t n = l->entries + 1;
  if (!fits(s, n)) return;
  stk_latency(s, (unsigned)(3 * l->entries + 100));
  stk_pushes(s, 0, 0, n);
  stk_pops(s, STK_ANY_WAIT, 0, 0, n);
}

/* ---- limits, errors, registers ------------------------------------------------------------------------------ */

/* Threads that go in turn keep the storage's read port busy in every cycle; thread 0 needs a slot. */
static void steal(struct stk_script *s) {
  L;
  const uint64_t n = l->entries + l->set;
  const unsigned others = l->gap;
  if (!fits(s, n + 1) || l->threads < others + 1 || l->threads > 64 || l->policy) return;
  for (unsigned t = 1; t <= others; t++) stk_op(s, STK_ANY_WAIT, t, STK_PUSH, stk_value(t, 0), STK_OK);
  stk_by_hand(s, false);
  stk_until_quiet(s);                      /* so that the engine looks at thread 0 next */
  stk_pushes(s, 0, 0, n - 1);
  stk_latency(s, 4);
  for (unsigned i = 0; i < 4 * (l->steal + 16) * (l->set + 1); i++)
    stk_op(s, STK_ANY_WAIT, 1 + i % others, STK_PEEK, stk_value(1 + i % others, 0), STK_OK);
  stk_covered(s, SC_COVER_STEAL_OP);
  stk_pushes(s, 0, n - 1, 2);
  stk_pops(s, STK_ANY_WAIT, 0, 0, n + 1);
}

/* A restored set arrives while pushes use its slot and pops free it again, in each of the cycles round its coming. */
static void answer_among_pushes(struct stk_script *s) {
  L;
  const uint64_t sets = l->nsets + 3, n = sets * l->set + 1, left = 3 * l->set + 1, again = (l->nsets - 1) * l->set;
  if (!fits(s, n + again) || l->entries > 32) return;
  for (unsigned gap = 0; gap < 64; gap++) {
    const uint64_t most = left + again + gap % 3;
    stk_latency(s, 4);
    stk_pushes(s, 0, 0, n);
    stk_until_quiet(s);
    stk_latency(s, 8 + gap);
    stk_pops(s, STK_ANY_WAIT, 0, left, n - left);
    stk_pushes(s, 0, left, most - left);
    if (gap & 1) stk_pops(s, STK_ANY_WAIT, 0, left + 1, most - left - 1);
    else stk_pops(s, STK_ANY_WAIT, 0, most - 1, 1);
    stk_pushes(s, 0, gap & 1 ? left + 1 : most - 1, l->set);
    stk_pops(s, STK_ANY_WAIT, 0, 0, (gap & 1 ? left + 1 : most - 1) + l->set);
  }
}

/* A lone thread that only pushes: its sets go out behind it. */
static void lone_pusher(struct stk_script *s) {
  L;
  const uint64_t n = 8 * (uint64_t)l->entries < l->max_depth ? 8 * l->entries : l->max_depth;
  stk_latency(s, 20);
  stk_pushes(s, 0, 0, n);
  stk_pops(s, STK_ANY_WAIT, 0, 0, n);
  stk_op(s, STK_ANY_WAIT, 0, STK_POP, 0, STK_UNDERFLOW);
}

/* SC-14: how many entries were popped whose remote copy was current. */
static void clean_pops(struct stk_script *s) {
  L;
  const uint64_t n = first_spill(l);
  if (!fits(s, n) || l->policy || !l->counters) return;
  stk_pushes(s, 0, 0, n);
  stk_until_quiet(s); /* set 0 is in memory */
  stk_write_register(s, STK_REG_COUNTER_CLEAR, 0, false);
  stk_pops(s, STK_NO_WAIT, 0, 1, n - 1);
  stk_pushes(s, 0, 1, 1); /* one entry of the set is another one now, or a set of one entry */
  stk_pops(s, STK_ANY_WAIT, 0, 0, 2);
  stk_until_quiet(s);
  stk_read_register(s, STK_REG_COUNTER + 8 * STK_N_CLEAN_POP, l->set == 1 || l->flags ? l->set : l->set - 1);
}

/* Init in the middle of everything: writes and reads of what was there are still under way. */
static void init_and_again(struct stk_script *s) {
  L;
  const uint64_t n = 3 * (uint64_t)l->entries;
  if (!fits(s, n)) return;
  for (unsigned gap = 0; gap < 24; gap++) {
    stk_latency(s, 10 + gap);
    stk_pushes(s, 0, 100 * gap, n - gap % l->set);
    if (gap) stk_idle(s, gap);
    stk_op(s, STK_ANY_WAIT, 0, STK_INIT, 0, STK_OK);
    stk_pushes(s, 0, 100 * gap + 50, n);
    stk_pops(s, STK_ANY_WAIT, 0, 100 * gap + 50 + l->entries, n - l->entries);
    if (gap % 3) stk_idle(s, gap);
    stk_op(s, STK_ANY_WAIT, 0, STK_INIT, 0, STK_OK);
    stk_op(s, STK_ANY_WAIT, 0, STK_POP, 0, STK_UNDERFLOW);
  }
}

/* Taking an operation clears the bits of its thread for GAP cycles, in which others go. */
static void gap(struct stk_script *s) {
  L;
  if (!fits(s, 4) || l->entries < 4) return;
  for (unsigned i = 0; i < 4; i++) {
    stk_op(s, STK_NO_WAIT, 0, STK_PUSH, stk_value(0, i), STK_OK);
    stk_try(s, 0, STK_POP);
    if (l->threads > 1) stk_op(s, STK_NO_WAIT, 1, STK_PUSH, stk_value(1, i), STK_OK);
  }
  stk_covered(s, SC_COVER_WAIT_OWN);
  stk_pops(s, STK_NO_WAIT, 0, 0, 4);
  if (l->threads > 1) stk_pops(s, STK_NO_WAIT, 1, 0, 4);
}

static void overflow_underflow(struct stk_script *s) {
  L;
  stk_write_register(s, STK_REG_LIMIT, 2, false);
  stk_op(s, STK_ANY_WAIT, 0, STK_PUSH, 0x51, STK_OK);
  stk_op(s, STK_NO_WAIT, 0, STK_PUSH, 0x52, STK_OK);
  stk_op(s, STK_NO_WAIT, 0, STK_PUSH, 0x53, STK_OVERFLOW);
  stk_op(s, STK_NO_WAIT, 0, STK_PEEK, 0x52, STK_OK);
  stk_op(s, STK_NO_WAIT, 0, STK_POP, 0x52, STK_OK);
  stk_op(s, STK_NO_WAIT, 0, STK_PUSH, 0x54, STK_OK);
  stk_op(s, STK_NO_WAIT, 0, STK_PUSH, 0x55, STK_OVERFLOW);
  stk_op(s, STK_NO_WAIT, 0, STK_POP, 0x54, STK_OK);
  stk_op(s, STK_NO_WAIT, 0, STK_POP, 0x51, STK_OK);
  stk_op(s, STK_NO_WAIT, 0, STK_POP, 0, STK_UNDERFLOW);
  stk_op(s, STK_NO_WAIT, 0, STK_PEEK, 0, STK_UNDERFLOW);
  stk_op(s, STK_NO_WAIT, 0, STK_REPLACE, 0x56, STK_UNDERFLOW);
  if (fits(s, l->entries)) { /* an overflow does not wait for its slot */
    stk_write_register(s, STK_REG_LIMIT, l->entries, false);
    stk_by_hand(s, false);
    stk_idle(s, l->threads + 8);
    stk_pushes(s, 0, 0, l->entries);
    stk_op(s, STK_NO_WAIT, 0, STK_PUSH, 0x58, STK_OVERFLOW);
    stk_latency(s, 4);
    stk_pops(s, STK_ANY_WAIT, 0, 0, l->entries);
  }
}

static void limit_lowered(struct stk_script *s) {
  L;
  if (!fits(s, 6)) return;
  stk_pushes(s, 0, 0, 5);
  stk_write_register(s, STK_REG_LIMIT, 3, false);
  stk_read_register(s, STK_REG_LIMIT, 3);
  stk_idle(s, l->limit_within);
  stk_covered(s, SC_COVER_LIMIT_BELOW);
  stk_op(s, STK_ANY_WAIT, 0, STK_PUSH, 0x61, STK_OVERFLOW);
  stk_pops(s, STK_ANY_WAIT, 0, 2, 3); /* what is above the limit is still there */
  stk_pushes(s, 0, 2, 1);
  stk_op(s, STK_ANY_WAIT, 0, STK_PUSH, 0x62, STK_OVERFLOW);
  stk_write_register(s, STK_REG_LIMIT, 0, false);
  stk_idle(s, l->limit_within);
  stk_op(s, STK_ANY_WAIT, 0, STK_PUSH, 0x63, STK_OVERFLOW);
  stk_write_register(s, STK_REG_LIMIT, (uint32_t)l->max_depth, false);
  stk_pops(s, STK_ANY_WAIT, 0, 0, 3);
}

static void memory_error(struct stk_script *s) {
  L;
  uint64_t n = first_spill(l);
  if (l->policy) return;
  if (!fits(s, n)) return;
  stk_by_hand(s, true);
  stk_pushes(s, 0, 0, n);
  stk_request(s, 1);
  stk_answer(s, 0, 2);
  stk_idle(s, l->calm);
  stk_op(s, STK_NO_WAIT, 0, STK_PUSH, 0x71, STK_FAULT);
  stk_op(s, STK_NO_WAIT, 0, STK_POP, 0, STK_FAULT);
  stk_op(s, STK_NO_WAIT, 0, STK_PEEK, 0, STK_FAULT);
  stk_op(s, STK_NO_WAIT, 0, STK_REPLACE, 0x72, STK_FAULT);
  if (l->threads > 1) stk_op(s, STK_NO_WAIT, 1, STK_PUSH, 0x73, STK_OK);
  stk_read_register(s, STK_REG_ERROR, 1u << 31 | 1u << 30 | 2u << 28);
  stk_read_register(s, STK_REG_ERROR_SET, 0);
  stk_read_register(s, STK_REG_ERROR_COUNT, 1);
  stk_read_register(s, STK_REG_DEPTH, 1u << 31 | (uint32_t)n);
  stk_access(s, STK_REG_STATUS, false, 0);
  stk_op(s, STK_NO_WAIT, 0, STK_INIT, 0, STK_OK);
  stk_op(s, STK_NO_WAIT, 0, STK_PUSH, 0x74, STK_OK);
  stk_op(s, STK_NO_WAIT, 0, STK_POP, 0x74, STK_OK);
  stk_write_register(s, STK_REG_ERROR, 0, false);
  stk_read_register(s, STK_REG_ERROR, 0);
  if (l->threads > 1) stk_op(s, STK_NO_WAIT, 1, STK_POP, 0x73, STK_OK);
  stk_access(s, STK_REG_STATUS, false, 0);
}

/* An error at the spill of each set that is ever spilled, by every thread in turn; SC-9: the error says which set. */
static void error_of_each_set(struct stk_script *s) {
  L;
  const uint64_t first = first_spill(l);
  const unsigned most = 12; /* each takes as many spills as its number */
  if (l->policy) return; /* a spill with each set more */
  stk_by_hand(s, true);
  for (unsigned set = 0; set < most && fits(s, first + set * l->set); set++) {
    const unsigned thread = set % l->threads;
    for (unsigned i = 0; i <= set; i++) {
      stk_pushes(s, thread, i ? 0 : 50, i ? l->set : first);
      stk_request(s, 1);
      stk_answer(s, 0, i == set ? 2 + set % 2 : 0);
    }
    stk_idle(s, l->calm);
    stk_read_register(s, STK_REG_ERROR, 1u << 31 | 1u << 30 | (2u + set % 2) << 28 | thread);
    stk_read_register(s, STK_REG_ERROR_SET, set);
    stk_op(s, STK_NO_WAIT, thread, STK_INIT, 0, STK_OK);
    stk_write_register(s, STK_REG_ERROR, 0, false);
  }
}

static void error_after_init(struct stk_script *s) {
  L;
  uint64_t n = first_spill(l);
  if (l->policy) return;
  if (!fits(s, n)) return;
  stk_by_hand(s, true);
  stk_pushes(s, 0, 0, n);
  stk_request(s, 1);
  stk_op(s, STK_NO_WAIT, 0, STK_INIT, 0, STK_OK);
  stk_pushes(s, 0, 50, 1);
  stk_answer(s, 0, 3);
  stk_covered(s, SC_COVER_ERROR_AFTER_INIT);
  stk_idle(s, l->calm);
  stk_pops(s, STK_NO_WAIT, 0, 50, 1);
  stk_read_register(s, STK_REG_ERROR_COUNT, 1);
}

static void init_drops(struct stk_script *s) {
  L;
  uint64_t sets = l->nsets + 1;
  if (!grow(s, sets)) return;
  stk_by_hand(s, true);
  stk_pops(s, STK_ANY_WAIT, 0, 2 * l->set, sets * l->set + 1 - 2 * l->set);
  stk_request(s, 2); /* both lower sets are on their way */
  stk_op(s, STK_NO_WAIT, 0, STK_INIT, 0, STK_OK);
  stk_pushes(s, 0, 100, 2);
  stk_idle(s, 4);
  stk_covered(s, SC_COVER_DROP_INIT);
  stk_answer(s, STK_NEWEST, 0);
  stk_answer(s, 0, 0);
  stk_latency(s, 4);
  stk_pops(s, STK_NO_WAIT, 0, 100, 2);
  stk_op(s, STK_NO_WAIT, 0, STK_POP, 0, STK_UNDERFLOW);
}

static void reset_under_way(struct stk_script *s) {
  L;
  uint64_t n = first_spill(l);
  if (l->policy) return;
  if (!fits(s, n)) return;
  stk_by_hand(s, true);
  stk_pushes(s, 0, 0, n);
  stk_request(s, 1);
  stk_reset_now(s);
  stk_latency(s, 4);
  stk_op(s, STK_ANY_WAIT, 0, STK_POP, 0, STK_UNDERFLOW);
  stk_covered(s, SC_COVER_RESET_UNDER_WAY);
  stk_pushes(s, 0, 60, n);
  stk_pops(s, STK_ANY_WAIT, 0, 60, n);
}

static void registers(struct stk_script *s) {
  L;
  stk_read_register(s, STK_REG_ID, 0x53430002);
  stk_read_register(s, STK_REG_STATUS, 1);
  stk_read_register(s, STK_REG_LIMIT, (uint32_t)l->max_depth);
  stk_read_register(s, STK_REG_STRIDE_LG, l->stride_max);
  stk_write_register(s, STK_REG_BASE_LO, 4 * l->set_bytes, false);
  stk_write_register(s, STK_REG_BASE_LO, 4 * l->set_bytes + (l->set_bytes > 1), l->set_bytes > 1);
  stk_write_register(s, STK_REG_STRIDE_LG, l->stride_max + 1, true);
  stk_op(s, STK_ANY_WAIT, 0, STK_PUSH, 0x81, STK_OK);
  stk_op(s, STK_ANY_WAIT, 0, STK_PUSH, 0x82, STK_OK);
  stk_idle(s, 4);
  stk_write_register(s, STK_REG_BASE_LO, 0, true);
  stk_write_register(s, STK_REG_STRIDE_LG, l->stride_max, true);
  stk_read_register(s, STK_REG_BASE_LO, l->set_bytes > 1 ? 4 * l->set_bytes : 4);
  stk_until_quiet(s);
  stk_read_register(s, STK_REG_STATUS, 0);
  stk_read_register(s, STK_REG_DEPTH, 2);
  if (l->counters) {
    stk_op(s, STK_ANY_WAIT, 0, STK_POP, 0x82, STK_OK);
    stk_idle(s, 4);
    stk_read_register(s, STK_REG_COUNTER + 8 * STK_N_PUSH, 2);
    stk_read_register(s, STK_REG_COUNTER + 8 * STK_N_POP, 1);
    stk_read_register(s, STK_REG_COUNTER + 8 * STK_N_DEEPEST, 2);
    if (l->counters == 2) stk_read_register(s, STK_REG_DEEPEST_OF, 2);
    stk_write_register(s, STK_REG_COUNTER_CLEAR, 0, false);
    stk_read_register(s, STK_REG_COUNTER + 8 * STK_N_PUSH, 0);
    if (l->counters == 2) stk_read_register(s, STK_REG_DEEPEST_OF, 0);
    stk_op(s, STK_ANY_WAIT, 0, STK_PUSH, 0x82, STK_OK);
  }
  uint64_t n = l->entries + 1; /* spills go to the base that was written */
  if (fits(s, n)) stk_pushes(s, 0, 2, n - 2);
  stk_until_quiet(s);
  stk_op(s, STK_ANY_WAIT, 0, STK_INIT, 0, STK_OK);
  stk_idle(s, 4);
  stk_write_register(s, STK_REG_STRIDE_LG, l->set_bytes_lg, false); /* a region of one set */
  stk_idle(s, l->stride_within);
  uint32_t limit = l->set < l->max_depth ? l->set : (uint32_t)l->max_depth;
  stk_read_register(s, STK_REG_LIMIT, limit);
  stk_pushes(s, 0, 0, limit);
  stk_op(s, STK_ANY_WAIT, 0, STK_PUSH, 0x83, STK_OVERFLOW);
}

/* ---- bit by bit --------------------------------------------------------------------------------------------------- */

static const struct simt_reg *register_at(const struct stk_script *s, uint32_t addr) {
  for (size_t i = 0; i < s->desc->n_regs; i++)
    if (s->desc->regs[i].addr == addr) return &s->desc->regs[i];
  return NULL;
}

static void every_address(struct stk_script *s) {
  for (uint32_t addr = 0; addr < 1u << STK_REG_ADDR_W; addr++) {
    const struct simt_reg *r = register_at(s, addr);
    stk_access(s, addr, false, 0);
    if (!r || r->access[0] == 'r') stk_access(s, addr, true, 0); /* a register that is written only clears something */
  }
}

static void every_bit(struct stk_script *s) {
  static const uint16_t of[] = {STK_REG_BASE_LO, STK_REG_BASE_HI, STK_REG_STRIDE_LG, STK_REG_LIMIT, STK_REG_THREAD};
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    const uint32_t lawful = of[i] == STK_REG_STRIDE_LG ? s->l->stride_max : of[i] == STK_REG_LIMIT ? (uint32_t)s->l->max_depth : 0;
    for (unsigned bit = 0; bit < 64; bit++) {
      stk_access(s, of[i], true, (bit < 32 ? 0 : lawful) ^ 1u << bit % 32);
      stk_access(s, of[i], false, 0);
    }
    stk_access(s, of[i], true, lawful);
  }
  for (uint32_t lg = s->l->set_bytes_lg; lg <= s->l->stride_max; lg++) { /* what a region holds limits the depth */
    stk_access(s, STK_REG_STRIDE_LG, true, lg);
    for (uint64_t one = 1; one <= s->l->max_depth; one *= 2) {
      stk_access(s, STK_REG_LIMIT, true, (uint32_t)one);
      stk_access(s, STK_REG_LIMIT, false, 0);
    }
  }
}

/* The last thread's sets go out, are changed, and come back. */
static void through_memory(struct stk_script *s) {
  const uint64_t n = s->l->entries + 2 * s->l->set + 1;
  const unsigned last = s->l->threads - 1;
  stk_pushes(s, last, 0, n < s->l->max_depth ? n : s->l->max_depth);
  stk_pops(s, STK_ANY_WAIT, last, 0, n < s->l->max_depth ? n : s->l->max_depth);
  stk_until_quiet(s);
}

static void bits_of_addresses(struct stk_script *s) {
  if (s->l->entries > 64 || s->l->threads > 64) return; /* long, and the addresses are those of smaller ones */
  for (unsigned bit = s->l->set_bytes_lg; bit < s->l->addr_w; bit++)
    for (unsigned others = 0; others < 2; others++) {
      const uint64_t all = ~(uint64_t)0 >> (64 - s->l->addr_w) & ~(uint64_t)(s->l->set_bytes - 1);
      const uint64_t base = (others ? all : 0) ^ (uint64_t)1 << bit;
      if (s->l->addr_w > 32) stk_write_register(s, STK_REG_BASE_HI, (uint32_t)(base >> 32), false);
      stk_write_register(s, STK_REG_BASE_LO, (uint32_t)base, false);
      through_memory(s);
    }
}

/* An error for every spill of thread 0; each belongs to a stack that an init has ended, so no thread is faulted. */
static void many_errors(struct stk_script *s) {
  enum { MOST = 0xffff, ONE_BY_ONE = 300 };
  const uint64_t n = first_spill(s->l);
  if (s->l->policy || s->l->threads > 2 || s->l->entries > 4 || !fits(s, n)) return;
  stk_by_hand(s, true);
  for (uint32_t i = 1; i <= MOST + 2; i++) {
    stk_pushes(s, 0, 0, n);
    stk_request(s, 1);
    stk_op(s, STK_NO_WAIT, 0, STK_INIT, 0, STK_OK);
    stk_answer(s, 0, 1 + i % 3);
    if (i >= ONE_BY_ONE && i <= MOST - ONE_BY_ONE && i % 64 != 63) continue;
    stk_idle(s, 4);
    stk_read_register(s, STK_REG_ERROR_COUNT, i < MOST ? i : MOST);
  }
}

/* ---- list ----------------------------------------------------------------------------------------------------- */

/* Name, what it shows, requirements. */
#define TESTS(TEST) \
  TEST(push_pop, "Push and pop of one thread: each answer comes LATENCY cycles after its operation.", "SC-3 SC-5") \
  TEST(many_threads, "One operation per cycle on several threads: five stacks, none sees another's entries.", "SC-1 SC-3") \
  TEST(spill, "The set boundary policy: the first entry of the last free set makes the oldest set go out; what went " \
              "out is still on chip, so the pops wait for nothing and read nothing.", "SC-6 SC-7") \
  TEST(restore, "A set is fetched while the set above it is popped, before a pop needs it.", "SC-8") \
  TEST(gap, "A thread waits for its own last operation; others go meanwhile.", "SC-3 SC-11") \
  TEST(kinds, "Every kind; kinds and threads that do not exist are never taken.", "SC-3") \
  TEST(lost_dirty, "A spill is on its way, the thread pops into the set and pushes again: the old write must not make " \
                   "the set clean.", "SC-6 SC-4") \
  TEST(dropped_restore, "A push drops a restore; the set is wanted again, then the late answer comes.", "SC-11 SC-4") \
  TEST(dropped_error, "A restore that a push dropped answers an error: the thread is faulted all the same.", "SC-12") \
  TEST(out_of_order, "A set arrives before the one above it, and is held.", "SC-4 SC-10") \
  TEST(clean_sets, "Pops of clean sets, and a replace in one.", "SC-7 SC-4") \
  TEST(answer_among_pushes, "A restored set comes while its slot is used and freed again.", "SC-11 SC-4") \
  TEST(quick_return, "Pops into a set whose write is not acknowledged.", "SC-10 SC-8") \
  TEST(steal, "The engine takes a cycle from threads that keep the storage busy.", "SC-9") \
  TEST(longest_hold, "A set is taken out of storage while other threads read in every cycle.", "SC-9") \
  TEST(lone_pusher, "One thread pushes far beyond its on-chip entries, and pops all of it.", "SC-6 SC-8 SC-9") \
  TEST(overflow_underflow, "Push at the limit, pop of an empty stack: no change and no wait.", "SC-12 SC-11") \
  TEST(limit_lowered, "The limit is lowered below the depth: entries stay.", "SC-12") \
  TEST(memory_error, "A spill fails: the thread is faulted until init; the others go on.", "SC-12") \
  TEST(error_of_each_set, "A spill of each set fails, in every thread: the error says which.", "SC-12") \
  TEST(error_after_init, "An access from before an init fails: counted, no mark.", "SC-12 SC-3") \
  TEST(init_drops, "An init while two restores are under way.", "SC-3") \
  TEST(clean_pops, "Pops of entries that memory holds, by set or by entry, are counted.", "SC-14 SC-4") \
  TEST(init_and_again, "Inits in the midst of spills and restores; the same sets go out and come in again.", "SC-3 SC-10") \
  TEST(reset_under_way, "Reset while a write is under way.", "SC-3") \
  TEST(registers, "Base, stride, limit, depth, status and counters; refusals.", "SC-2 SC-12 SC-14") \
  TEST(every_address, "Reads and writes at all addresses: those without a register are refused.", "SC-12 SC-14") \
  TEST(every_bit, "Each bit of each register alone, and each bit of a lawful value changed.", "SC-2 SC-12") \
  TEST(bits_of_addresses, "Sets go out to and come from regions that differ in one bit of base or stride.", "SC-2 SC-4") \
  TEST(many_errors, "The count of memory errors goes up to its most and stays there.", "SC-12")

#define NAMED(name, doc, req) {#name, doc, req},
#define WRITTEN(name, doc, req) name,
#define WRITTEN_STATUS(name, doc, req) stk_test_##name,

const struct simt_named stk_directed[] = {TESTS(NAMED) STK_STATUS_TESTS(NAMED) {NULL, NULL, NULL}};

void stk_write_script(struct stk_script *s, unsigned i) {
  static void (*const script[])(struct stk_script *) = {TESTS(WRITTEN) STK_STATUS_TESTS(WRITTEN_STATUS)};
  script[i](s);
}
