/* SPDX-License-Identifier: Apache-2.0 */
/* scripts.c: the directed tests. They hold at every configuration; a test that does not fit one (too few
 * threads, MAX_DEPTH too small) ends at once there. The first four are drawn in the datasheet. */
#include "stack_cache/script.h"

#define L const struct sc_layout *l = s->l

static bool fits(const struct sc_script *s, uint64_t entries) { return entries <= s->l->max_depth; }

/* ---- operations ---------------------------------------------------------------------------------------- */

static void push_pop(struct sc_script *s) {
  sc_op(s, SC_NO_WAIT, 0, SC_PUSH, 0xa1, SC_OK);
  sc_op(s, SC_NO_WAIT, 0, SC_POP, 0xa1, SC_OK);
  sc_op(s, SC_NO_WAIT, 0, SC_PUSH, 0xb1, SC_OK);
  sc_op(s, SC_NO_WAIT, 0, SC_PUSH, 0xb2, SC_OK);
  sc_op(s, SC_NO_WAIT, 0, SC_POP, 0xb2, SC_OK);
  sc_op(s, SC_NO_WAIT, 0, SC_POP, 0xb1, SC_OK);
  sc_idle(s, 4);
  sc_covered(s, SC_COVER_PUSH_POP);
}

static void many_threads(struct sc_script *s) {
  L;
  unsigned n = l->threads < 5 ? l->threads : 5;
  for (unsigned t = 0; t < n; t++) sc_op(s, SC_NO_WAIT, t, SC_PUSH, sc_value(t, 0), SC_OK);
  for (unsigned t = 0; t < n; t++) sc_op(s, SC_NO_WAIT, t, SC_PEEK, sc_value(t, 0), SC_OK);
  for (unsigned t = 0; t < n; t++) sc_op(s, SC_NO_WAIT, t, SC_POP, sc_value(t, 0), SC_OK);
  sc_covered(s, SC_COVER_OTHER_THREAD);
}

static void forwarding(struct sc_script *s) {
  sc_op(s, SC_NO_WAIT, 0, SC_PUSH, 0x11, SC_OK);
  sc_op(s, SC_NO_WAIT, 0, SC_REPLACE, 0x12, SC_OK);
  sc_op(s, SC_NO_WAIT, 0, SC_PEEK, 0x12, SC_OK);
  sc_op(s, SC_NO_WAIT, 0, SC_REPLACE, 0x13, SC_OK);
  sc_op(s, SC_NO_WAIT, 0, SC_POP, 0x13, SC_OK);
  sc_op(s, SC_NO_WAIT, 0, SC_POP, 0, SC_UNDERFLOW);
  sc_op(s, SC_NO_WAIT, 0, SC_PUSH, 0x14, SC_OK);
  sc_op(s, SC_NO_WAIT, 0, SC_INIT, 0, SC_OK);
  sc_op(s, SC_NO_WAIT, 0, SC_PUSH, 0x15, SC_OK);
  sc_op(s, SC_NO_WAIT, 0, SC_PEEK, 0x15, SC_OK);
}

static void kinds(struct sc_script *s) {
  L;
  sc_op(s, SC_NO_WAIT, 0, SC_PUSH, 0x21, SC_OK);
  sc_op(s, SC_NO_WAIT, 0, SC_PEEK, 0x21, SC_OK);
  sc_op(s, SC_NO_WAIT, 0, SC_REPLACE, 0x22, SC_OK);
  sc_op(s, SC_NO_WAIT, 0, SC_PEEK, 0x22, SC_OK);
  for (unsigned k = SC_KINDS; k < 8; k++) sc_try(s, 0, k);
  if (l->threads & (l->threads - 1)) sc_try(s, l->threads, SC_PUSH);
  sc_op(s, SC_NO_WAIT, 0, SC_POP, 0x22, SC_OK);
  sc_op(s, SC_NO_WAIT, 0, SC_PUSH, 0x23, SC_OK);
  sc_op(s, SC_NO_WAIT, 0, SC_INIT, 0, SC_OK);
  sc_op(s, SC_NO_WAIT, 0, SC_POP, 0, SC_UNDERFLOW);
}

/* ---- spills and restores --------------------------------------------------------------------------------- */

/* Entries that make the set boundary policy spill for the first time. */
static uint64_t first_spill(const struct sc_layout *l) { return l->entries - l->set + 1; }

static void spill(struct sc_script *s) {
  L;
  uint64_t n = first_spill(l);
  if (!fits(s, n)) return;
  sc_pushes(s, 0, 0, n - 1);
  if (l->policy == SC_SET_BOUNDARY) sc_accesses(s, 0, 0);
  sc_pushes(s, 0, n - 1, 1);
  if (l->policy == SC_SET_BOUNDARY && l->set < l->entries / 2) sc_request(s, 1);
  sc_quiet(s);
  if (l->policy == SC_SET_BOUNDARY) sc_accesses(s, 0, 1);
  sc_pops(s, SC_NO_WAIT, 0, 0, n); /* what is spilled is still on chip */
  sc_quiet(s);
  if (l->policy == SC_SET_BOUNDARY) sc_accesses(s, 0, 1);
}

static void restore(struct sc_script *s) {
  L;
  uint64_t n = l->entries + 1;
  if (!fits(s, n)) return;
  sc_pushes(s, 0, 0, n);
  sc_quiet(s);
  for (uint64_t i = n; i > 0; i--) { /* at ease: memory has the time of a set's pops */
    sc_pops(s, i > l->set || l->nsets == 2 ? SC_ANY_WAIT : SC_NO_WAIT, 0, i - 1, 1);
    sc_idle(s, 16 / l->set + s->beats);
  }
  sc_covered(s, SC_COVER_RESTORE);
}

/* The classic bug: the old content's write must not make the new one clean. */
static void lost_dirty(struct sc_script *s) {
  L;
  uint64_t n = first_spill(l), top = l->entries + l->set + 1;
  if (!fits(s, top)) return;
  sc_by_hand(s, false);
  sc_pushes(s, 0, 0, n);
  if (l->policy == SC_SET_BOUNDARY) sc_request(s, 0); /* set 0 is read out, its write offered */
  sc_pops(s, SC_NO_WAIT, 0, l->set - 1, n - l->set + 1);
  sc_pushes(s, 0, 1000, 1);                           /* its last entry is another one now */
  sc_pushes(s, 0, l->set, l->entries - l->set);
  sc_latency(s, 30);
  sc_pushes(s, 0, l->entries, top - l->entries);
  sc_quiet(s);
  if (l->policy == SC_SET_BOUNDARY) sc_covered(s, SC_COVER_DIRTY_UNDER_WAY);
  sc_pops(s, SC_ANY_WAIT, 0, l->set, top - l->set);
  sc_pops(s, SC_ANY_WAIT, 0, 1000, 1);
  sc_pops(s, SC_ANY_WAIT, 0, 0, l->set - 1);
}

/* The same with the change in the cycles round the reading of the set. */
static void change_near_spill(struct sc_script *s) {
  L;
  uint64_t n = first_spill(l), top = l->entries + l->set + 1;
  if (!fits(s, top) || l->nsets != 2) return; /* two sets: the top's set is next to the one that is spilled */
  for (unsigned gap = 0; gap < 8; gap++) {
    sc_pushes(s, 0, 0, n);
    if (gap) sc_idle(s, gap);
    sc_pops(s, SC_ANY_WAIT, 0, n - 1, 1);
    sc_op(s, SC_ANY_WAIT, 0, SC_REPLACE, sc_value(0, 2000 + gap), SC_OK);
    sc_pushes(s, 0, n - 1, top - n + 1);
    sc_quiet(s);
    sc_pops(s, SC_ANY_WAIT, 0, n - 1, top - n + 1);
    sc_pops(s, SC_ANY_WAIT, 0, 2000 + gap, 1);
    sc_pops(s, SC_ANY_WAIT, 0, 0, n - 2);
    sc_quiet(s);
  }
}

/* Stack with `sets` full sets and one entry, all that can be in memory there, nothing under way. */
static bool grow(struct sc_script *s, uint64_t sets) {
  uint64_t n = sets * s->l->set + 1;
  if (!fits(s, n) || s->l->policy != SC_SET_BOUNDARY) return false;
  sc_pushes(s, 0, 0, n);
  sc_quiet(s);
  return true;
}

static void dropped_restore(struct sc_script *s) {
  L;
  uint64_t sets = l->nsets + 1, low = 2 * l->set; /* set 0 and 1 remote; the top is the last of set 1 or 2 */
  if (l->nsets < 4 || !grow(s, sets)) return;
  sc_by_hand(s, true);
  sc_pops(s, SC_ANY_WAIT, 0, low + l->set, sets * l->set + 1 - low - l->set);
  sc_request(s, 1); /* one set is left on chip: set 1 is on its way */
  sc_pushes(s, 0, low + l->set, (l->nsets - 1) * l->set);
  sc_op(s, SC_NO_WAIT, 0, SC_PEEK, sc_value(0, low + l->nsets * l->set - 1), SC_OK);
  sc_idle(s, 4);
  sc_covered(s, SC_COVER_DROP_PUSH);
  sc_pops(s, SC_NO_WAIT, 0, low, l->nsets * l->set);
  sc_idle(s, 4);
  sc_covered(s, SC_COVER_DROP_AGAIN);
  sc_answer(s, 0, 0); /* the dropped one */
  sc_covered(s, SC_COVER_DROP_LATE);
  sc_latency(s, 4);
  sc_pops(s, SC_ANY_WAIT, 0, 0, low);
}

static void dropped_error(struct sc_script *s) {
  L;
  uint64_t sets = l->nsets + 1, kept = 3 * l->set;
  if (l->nsets < 4 || !grow(s, sets)) return;
  sc_by_hand(s, true);
  sc_pops(s, SC_ANY_WAIT, 0, kept, sets * l->set + 1 - kept);
  sc_request(s, 1);
  sc_pushes(s, 0, kept, (l->nsets - 1) * l->set);
  sc_idle(s, 4);
  sc_answer(s, 0, 1);
  sc_covered(s, SC_COVER_ERROR_DROPPED);
  sc_idle(s, 2);
  sc_op(s, SC_NO_WAIT, 0, SC_PEEK, 0, SC_FAULT);
  sc_op(s, SC_NO_WAIT, 0, SC_INIT, 0, SC_OK);
}

static void out_of_order(struct sc_script *s) {
  L;
  uint64_t sets = l->nsets + 1;
  if (!grow(s, sets)) return;
  sc_by_hand(s, true);
  sc_pops(s, SC_ANY_WAIT, 0, 2 * l->set, sets * l->set + 1 - 2 * l->set);
  sc_request(s, 2);
  sc_answer(s, SC_NEWEST, 0); /* set 0 before set 1 */
  sc_idle(s, 6);
  sc_covered(s, SC_COVER_RESTORE_HELD);
  sc_try(s, 0, SC_POP);
  sc_answer(s, 0, 0);
  sc_latency(s, 4);
  sc_op(s, SC_SOME_WAIT, 0, SC_POP, sc_value(0, 2 * l->set - 1), SC_OK);
  sc_pops(s, SC_NO_WAIT, 0, 0, 2 * l->set - 1);
}

static void clean_sets(struct sc_script *s) {
  L;
  if (!grow(s, l->nsets)) return;
  uint64_t n = l->nsets * l->set + 1;
  sc_op(s, SC_NO_WAIT, 0, SC_POP, sc_value(0, n - 1), SC_OK);
  for (uint64_t i = n - 1; i > 2 * l->set; i--) sc_pops(s, SC_NO_WAIT, 0, i - 1, 1);
  sc_op(s, SC_ANY_WAIT, 0, SC_REPLACE, 0x77, SC_OK); /* the top of set 1, clean or not */
  sc_pushes(s, 0, 2 * l->set, n - 2 * l->set);
  sc_quiet(s);
  sc_pops(s, SC_ANY_WAIT, 0, 2 * l->set, n - 2 * l->set);
  sc_op(s, SC_ANY_WAIT, 0, SC_POP, 0x77, SC_OK);
  sc_pops(s, SC_ANY_WAIT, 0, 0, 2 * l->set - 1);
  sc_covered(s, SC_COVER_CLEAN_POP);
}

/* Back into a set whose write is not acknowledged yet. */
static void quick_return(struct sc_script *s) {
  L;
  uint64_t n = l->entries + 1;
  if (!fits(s, n)) return;
  sc_latency(s, (unsigned)(3 * l->entries + 100));
  sc_pushes(s, 0, 0, n);
  sc_pops(s, SC_ANY_WAIT, 0, 0, n);
  if (l->policy == SC_SET_BOUNDARY) sc_covered(s, SC_COVER_FORWARD);
}

/* The lower of two sets comes from the kept one and is held; then its write is acknowledged, before the upper
 * set arrives. */
static void held_and_acknowledged(struct sc_script *s) {
  L;
  uint64_t n = (l->nsets + 1) * l->set + 1;
  if (!fits(s, n) || l->policy != SC_SET_BOUNDARY || l->inflight < 4 || !l->forward) return;
  sc_by_hand(s, true);
  sc_pushes(s, 0, 0, n - 1);
  sc_request(s, 2);
  sc_answer(s, 1, 0); /* set 1 is in memory, the write of set 0 is under way */
  sc_pushes(s, 0, n - 1, 1);
  sc_request(s, 2);
  sc_answer(s, 1, 0); /* and set 2 */
  sc_pops(s, SC_ANY_WAIT, 0, 2 * l->set, n - 2 * l->set);
  sc_request(s, 2);
  sc_idle(s, l->threads + 16);
  sc_answer(s, 0, 0);
  sc_answer(s, 0, 0);
  sc_latency(s, 4);
  sc_pops(s, SC_ANY_WAIT, 0, 0, 2 * l->set);
}

static void push_waits(struct sc_script *s) {
  L;
  uint64_t n = l->entries + l->set;
  if (!fits(s, n + 1) || l->policy != SC_SET_BOUNDARY) return;
  sc_by_hand(s, false);
  sc_pushes(s, 0, 0, n); /* set 0 is read out, set 1 cannot be: its slot is needed by the next push */
  sc_try(s, 0, SC_PUSH);
  sc_op(s, SC_NO_WAIT, 0, SC_PEEK, sc_value(0, n - 1), SC_OK);
  if (l->threads > 1) sc_op(s, SC_NO_WAIT, 1, SC_PUSH, 0x31, SC_OK);
  sc_try(s, 0, SC_PUSH);
  sc_latency(s, 4);
  sc_op(s, SC_SOME_WAIT, 0, SC_PUSH, sc_value(0, n), SC_OK);
  if (l->threads > 1) sc_op(s, SC_NO_WAIT, 1, SC_POP, 0x31, SC_OK);
  sc_covered(s, SC_COVER_SPILL_URGENT);
  sc_covered(s, SC_COVER_OTHER_GOES_ON);
  sc_pops(s, SC_ANY_WAIT, 0, 0, n + 1);
}

/* A thread needs a slot while another one keeps the storage's read port busy. */
static void steal(struct sc_script *s) {
  L;
  uint64_t n = l->entries + l->set;
  if (!fits(s, n + 1) || l->threads < 2 || l->policy != SC_SET_BOUNDARY) return;
  sc_by_hand(s, false);
  sc_op(s, SC_ANY_WAIT, 1, SC_PUSH, 0x41, SC_OK);
  sc_pushes(s, 0, 0, n);
  for (unsigned i = 0; i < 8; i++) sc_op(s, SC_ANY_WAIT, 1, SC_PEEK, 0x41, SC_OK);
  sc_latency(s, 4);
  for (unsigned i = 0; i < 2 * l->steal + 16 + (s->beats ? 6 * l->threads : 0); i++) sc_op(s, SC_ANY_WAIT, 1, SC_PEEK, 0x41, SC_OK);
  sc_covered(s, SC_COVER_STEAL_OP);
  sc_op(s, SC_NO_WAIT, 0, SC_PUSH, sc_value(0, n), SC_OK); /* room was made */
  sc_pops(s, SC_ANY_WAIT, 0, 0, n + 1);
}

enum { BEFORE_LOST = 3 }; /* the peeks taken until the read of the first spill after a reset loses its first cycle */

/* The same with the first spill after a reset: the count of lost cycles begins at 0. */
static void steal_after_reset(struct sc_script *s) {
  L;
  if (!fits(s, l->entries + 1) || l->threads < 2 || l->set > 2 || l->policy != SC_SET_BOUNDARY) return;
  sc_reset_now(s);
  sc_op(s, SC_ANY_WAIT, 1, SC_PUSH, 0x42, SC_OK);
  sc_pushes(s, 0, 0, l->entries);
  /* SC-9: after exactly STEAL lost cycles. With sets of two entries, four sets and three threads, or more of these, as many peeks
   * come before the first lost cycle in every configuration. */
  if (l->set == 2 && l->nsets >= 4 && l->threads > 2) {
    for (unsigned i = 0; i < l->steal + BEFORE_LOST; i++) sc_op(s, SC_NO_WAIT, 1, SC_PEEK, 0x42, SC_OK);
    sc_op(s, SC_SOME_WAIT, 1, SC_PEEK, 0x42, SC_OK);
  }
  for (unsigned i = 0; i < l->steal + 16; i++) sc_op(s, SC_ANY_WAIT, 1, SC_PEEK, 0x42, SC_OK);
  sc_covered(s, SC_COVER_STEAL_OP);
  sc_pops(s, SC_ANY_WAIT, 0, 0, l->entries);
}

/* Thread 2 keeps the write port busy; thread 1 waits for an answer that comes behind one for thread 0, which
 * does not wait. */
static void behind_a_held_answer(struct sc_script *s) {
  L;
  uint64_t n = (l->nsets + 1) * l->set + 1, one = 3 * l->set, none = 2 * l->set; /* sets left on chip */
  unsigned latency = 40 + 3 * l->set, late = latency + 8 * s->beats;
  if (l->threads < 3 || l->nsets < 4 || !grow(s, l->nsets + 1)) return;
  sc_pushes(s, 1, 0, n);
  sc_op(s, SC_ANY_WAIT, 2, SC_PUSH, 0x91, SC_OK);
  sc_quiet(s);
  sc_latency(s, latency);
  sc_pops(s, SC_ANY_WAIT, 1, one + 1, n - one - 1);
  sc_pops(s, SC_ANY_WAIT, 0, one, n - one);
  sc_pops(s, SC_ANY_WAIT, 1, none, one + 1 - none);
  for (unsigned i = 0; i < late + 4 * l->steal + 64; i++) sc_op(s, SC_ANY_WAIT, 2, SC_REPLACE, 0x92, SC_OK);
  sc_op(s, SC_NO_WAIT, 1, SC_POP, sc_value(1, none - 1), SC_OK);
  sc_pops(s, SC_ANY_WAIT, 0, 0, one);
}

/* An answer for thread 0 is dropped by its init; inits of thread 0 in every cycle hold neither that answer nor the
 * one behind it, for which thread 1 waits. */
static void init_in_every_cycle(struct sc_script *s) {
  L;
  uint64_t n = (l->nsets + 1) * l->set + 1, one = 3 * l->set, none = 2 * l->set; /* sets left on chip */
  unsigned latency = 40 + 3 * l->set, late = latency + 8 * s->beats;
  if (l->threads < 2 || l->nsets < 4 || !grow(s, l->nsets + 1)) return;
  sc_pushes(s, 1, 0, n);
  sc_quiet(s);
  sc_latency(s, latency);
  sc_pops(s, SC_ANY_WAIT, 1, one + 1, n - one - 1);
  sc_pops(s, SC_ANY_WAIT, 0, one, n - one);
  sc_pops(s, SC_ANY_WAIT, 1, none, one + 1 - none);
  for (unsigned i = 0; i < late + 32; i++) sc_op(s, SC_NO_WAIT, 0, SC_INIT, 0, SC_OK);
  sc_op(s, SC_NO_WAIT, 1, SC_POP, sc_value(1, none - 1), SC_OK);
}

/* ---- limits, errors, registers ------------------------------------------------------------------------------ */

static void overflow_underflow(struct sc_script *s) {
  L;
  sc_write_register(s, SC_REG_LIMIT, 2, false);
  sc_op(s, SC_ANY_WAIT, 0, SC_PUSH, 0x51, SC_OK);
  sc_op(s, SC_NO_WAIT, 0, SC_PUSH, 0x52, SC_OK);
  sc_op(s, SC_NO_WAIT, 0, SC_PUSH, 0x53, SC_OVERFLOW);
  sc_op(s, SC_NO_WAIT, 0, SC_PEEK, 0x52, SC_OK);
  sc_op(s, SC_NO_WAIT, 0, SC_POP, 0x52, SC_OK);
  sc_op(s, SC_NO_WAIT, 0, SC_PUSH, 0x54, SC_OK);
  sc_op(s, SC_NO_WAIT, 0, SC_PUSH, 0x55, SC_OVERFLOW);
  sc_op(s, SC_NO_WAIT, 0, SC_POP, 0x54, SC_OK);
  sc_op(s, SC_NO_WAIT, 0, SC_POP, 0x51, SC_OK);
  sc_op(s, SC_NO_WAIT, 0, SC_POP, 0, SC_UNDERFLOW);
  sc_op(s, SC_NO_WAIT, 0, SC_PEEK, 0, SC_UNDERFLOW);
  sc_op(s, SC_NO_WAIT, 0, SC_REPLACE, 0x56, SC_UNDERFLOW);
  if (fits(s, l->entries) && l->policy == SC_SET_BOUNDARY) { /* an overflow does not wait for its slot */
    sc_write_register(s, SC_REG_LIMIT, l->entries, false);
    sc_by_hand(s, false);
    sc_idle(s, l->threads + 8);
    sc_pushes(s, 0, 0, l->entries);
    sc_op(s, SC_NO_WAIT, 0, SC_PUSH, 0x58, SC_OVERFLOW);
    sc_latency(s, 4);
    sc_pops(s, SC_ANY_WAIT, 0, 0, l->entries);
  }
}

/* Where every set on chip is dirty and the next push would fill one, a limit of 0: pushes overflow, and none waits. */
static void limit_0(struct sc_script *s) {
  L;
  if (!fits(s, l->entries) || l->threads < 2 || l->policy != SC_SET_BOUNDARY) return;
  sc_by_hand(s, false);
  sc_pushes(s, 1, 0, l->entries);
  sc_request(s, 0); /* thread 1 has the request register: thread 0 spills nothing */
  sc_pushes(s, 0, 0, l->entries - 1);
  sc_write_register(s, SC_REG_LIMIT, 0, false);
  sc_idle(s, l->threads + 8);
  for (unsigned i = 0; i < 2; i++) sc_op(s, SC_NO_WAIT, 0, SC_PUSH, 0x64, SC_OVERFLOW);
  sc_idle(s, 4);
  sc_op(s, SC_NO_WAIT, 0, SC_PUSH, 0x65, SC_OVERFLOW);
  sc_write_register(s, SC_REG_LIMIT, (uint32_t)l->max_depth, false);
  sc_latency(s, 4);
  sc_pops(s, SC_ANY_WAIT, 0, 0, l->entries - 1);
}

static void limit_lowered(struct sc_script *s) {
  L;
  if (!fits(s, 6)) return;
  sc_pushes(s, 0, 0, 5);
  sc_write_register(s, SC_REG_LIMIT, 3, false);
  sc_read_register(s, SC_REG_LIMIT, 3);
  sc_covered(s, SC_COVER_LIMIT_BELOW);
  sc_op(s, SC_ANY_WAIT, 0, SC_PUSH, 0x61, SC_OVERFLOW);
  sc_pops(s, SC_ANY_WAIT, 0, 2, 3); /* what is above the limit is still there */
  sc_pushes(s, 0, 2, 1);
  sc_op(s, SC_ANY_WAIT, 0, SC_PUSH, 0x62, SC_OVERFLOW);
  sc_write_register(s, SC_REG_LIMIT, 0, false);
  sc_op(s, SC_ANY_WAIT, 0, SC_PUSH, 0x63, SC_OVERFLOW);
  sc_write_register(s, SC_REG_LIMIT, (uint32_t)l->max_depth, false);
  sc_pops(s, SC_ANY_WAIT, 0, 0, 3);
}

/* By the threshold policy other accesses may be under way then: the environment alone judges it. */
static void read_status(struct sc_script *s, uint32_t value) {
  if (s->l->policy == SC_SET_BOUNDARY) sc_read_register(s, SC_REG_STATUS, value);
  else sc_access(s, SC_REG_STATUS, false, 0);
}

static void memory_error(struct sc_script *s) {
  L;
  uint64_t n = first_spill(l) + (l->policy == SC_THRESHOLD ? l->set : 0);
  if (!fits(s, n)) return;
  sc_by_hand(s, true);
  sc_pushes(s, 0, 0, n);
  sc_request(s, 1);
  sc_answer(s, 0, 2);
  sc_idle(s, 2);
  sc_op(s, SC_NO_WAIT, 0, SC_PUSH, 0x71, SC_FAULT);
  sc_op(s, SC_NO_WAIT, 0, SC_POP, 0, SC_FAULT);
  sc_op(s, SC_NO_WAIT, 0, SC_PEEK, 0, SC_FAULT);
  sc_op(s, SC_NO_WAIT, 0, SC_REPLACE, 0x72, SC_FAULT);
  if (l->threads > 1) sc_op(s, SC_NO_WAIT, 1, SC_PUSH, 0x73, SC_OK);
  sc_read_register(s, SC_REG_ERROR, 1u << 31 | 1u << 30 | 2u << 28);
  sc_read_register(s, SC_REG_ERROR_SET, 0);
  sc_read_register(s, SC_REG_ERROR_COUNT, 1);
  sc_read_register(s, SC_REG_FAULTED, 1);
  read_status(s, 6);
  sc_op(s, SC_NO_WAIT, 0, SC_INIT, 0, SC_OK);
  sc_op(s, SC_NO_WAIT, 0, SC_PUSH, 0x74, SC_OK);
  sc_op(s, SC_NO_WAIT, 0, SC_POP, 0x74, SC_OK);
  sc_read_register(s, SC_REG_FAULTED, 0);
  sc_write_register(s, SC_REG_ERROR, 0, false);
  sc_read_register(s, SC_REG_ERROR, 0);
  if (l->threads > 1) sc_op(s, SC_NO_WAIT, 1, SC_POP, 0x73, SC_OK);
  read_status(s, 1);
}

/* An error at the spill of each set that is ever spilled, by every thread in turn; SC-9: the error says which set. */
static void error_of_each_set(struct sc_script *s) {
  L;
  const uint64_t first = first_spill(l);
  const unsigned most = 12; /* each takes as many spills as its number */
  if (l->policy != SC_SET_BOUNDARY) return; /* a spill with each set more */
  sc_by_hand(s, true);
  for (unsigned set = 0; set < most && fits(s, first + set * l->set); set++) {
    const unsigned thread = set % l->threads;
    for (unsigned i = 0; i <= set; i++) {
      sc_pushes(s, thread, i ? 0 : 50, i ? l->set : first);
      sc_request(s, 1);
      sc_answer(s, 0, i == set ? 2 + set % 2 : 0);
    }
    sc_idle(s, 2);
    sc_read_register(s, SC_REG_ERROR, 1u << 31 | 1u << 30 | (2u + set % 2) << 28 | thread);
    sc_read_register(s, SC_REG_ERROR_SET, set);
    sc_op(s, SC_NO_WAIT, thread, SC_INIT, 0, SC_OK);
    sc_write_register(s, SC_REG_ERROR, 0, false);
  }
}

static void error_after_init(struct sc_script *s) {
  L;
  uint64_t n = first_spill(l) + (l->policy == SC_THRESHOLD ? l->set : 0);
  if (!fits(s, n)) return;
  sc_by_hand(s, true);
  sc_pushes(s, 0, 0, n);
  sc_request(s, 1);
  sc_op(s, SC_NO_WAIT, 0, SC_INIT, 0, SC_OK);
  sc_pushes(s, 0, 50, 1);
  sc_answer(s, 0, 3);
  sc_covered(s, SC_COVER_ERROR_AFTER_INIT);
  sc_pops(s, SC_NO_WAIT, 0, 50, 1);
  sc_read_register(s, SC_REG_FAULTED, 0);
  sc_read_register(s, SC_REG_ERROR_COUNT, 1);
}

static void init_drops(struct sc_script *s) {
  L;
  uint64_t sets = l->nsets + 1;
  if (!grow(s, sets)) return;
  sc_by_hand(s, true);
  sc_pops(s, SC_ANY_WAIT, 0, 2 * l->set, sets * l->set + 1 - 2 * l->set);
  sc_request(s, 2); /* both lower sets are on their way */
  sc_op(s, SC_NO_WAIT, 0, SC_INIT, 0, SC_OK);
  sc_pushes(s, 0, 100, 2);
  sc_idle(s, 4);
  sc_covered(s, SC_COVER_DROP_INIT);
  sc_answer(s, SC_NEWEST, 0);
  sc_answer(s, 0, 0);
  sc_latency(s, 4);
  sc_no_steal(s);
  sc_pops(s, SC_NO_WAIT, 0, 100, 2);
  sc_op(s, SC_NO_WAIT, 0, SC_POP, 0, SC_UNDERFLOW);
}

static void reset_under_way(struct sc_script *s) {
  L;
  uint64_t n = first_spill(l) + (l->policy == SC_THRESHOLD ? l->set : 0);
  if (!fits(s, n)) return;
  sc_by_hand(s, true);
  sc_pushes(s, 0, 0, n);
  sc_request(s, 1);
  sc_reset_now(s);
  sc_latency(s, 4);
  sc_op(s, SC_SOME_WAIT, 0, SC_POP, 0, SC_UNDERFLOW);
  sc_covered(s, SC_COVER_RESET_UNDER_WAY);
  sc_pushes(s, 0, 60, n);
  sc_pops(s, SC_ANY_WAIT, 0, 60, n);
}

static void registers(struct sc_script *s) {
  L;
  sc_read_register(s, SC_REG_ID, SC_ID);
  sc_read_register(s, SC_REG_STATUS, 1);
  sc_read_register(s, SC_REG_LIMIT, (uint32_t)l->max_depth);
  sc_read_register(s, SC_REG_STRIDE_LG, l->stride_max);
  sc_write_register(s, SC_REG_BASE_LO, 4 * l->set_bytes, false);
  sc_write_register(s, SC_REG_BASE_LO, 4 * l->set_bytes + (l->set_bytes > 1), l->set_bytes > 1);
  sc_write_register(s, SC_REG_STRIDE_LG, l->stride_max + 1, true);
  sc_op(s, SC_ANY_WAIT, 0, SC_PUSH, 0x81, SC_OK);
  sc_op(s, SC_ANY_WAIT, 0, SC_PUSH, 0x82, SC_OK);
  sc_idle(s, 4);
  sc_write_register(s, SC_REG_BASE_LO, 0, true);
  sc_write_register(s, SC_REG_STRIDE_LG, l->stride_max, true);
  sc_read_register(s, SC_REG_BASE_LO, l->set_bytes > 1 ? 4 * l->set_bytes : 4);
  sc_quiet(s);
  sc_read_register(s, SC_REG_STATUS, 0);
  sc_read_register(s, SC_REG_DEPTH, 2);
  if (l->counters) {
    sc_op(s, SC_ANY_WAIT, 0, SC_POP, 0x82, SC_OK);
    sc_idle(s, 4);
    sc_read_register(s, SC_REG_COUNTER + 8 * SC_N_PUSH, 2);
    sc_read_register(s, SC_REG_COUNTER + 8 * SC_N_POP, 1);
    sc_read_register(s, SC_REG_COUNTER + 8 * SC_N_DEEPEST, 2);
    sc_write_register(s, SC_REG_COUNTER_CLEAR, 0, false);
    sc_read_register(s, SC_REG_COUNTER + 8 * SC_N_PUSH, 0);
    sc_op(s, SC_ANY_WAIT, 0, SC_PUSH, 0x82, SC_OK);
  }
  uint64_t n = l->entries + 1; /* spills go to the base that was written */
  if (fits(s, n)) sc_pushes(s, 0, 2, n - 2);
  sc_quiet(s);
  sc_op(s, SC_ANY_WAIT, 0, SC_INIT, 0, SC_OK);
  sc_idle(s, 4);
  sc_write_register(s, SC_REG_STRIDE_LG, l->set_bytes_lg, false); /* a region of one set */
  uint32_t limit = l->set < l->max_depth ? l->set : (uint32_t)l->max_depth;
  sc_read_register(s, SC_REG_LIMIT, limit);
  sc_pushes(s, 0, 0, limit);
  sc_op(s, SC_ANY_WAIT, 0, SC_PUSH, 0x83, SC_OVERFLOW);
}

/* A write that memory has not answered yet would land in what may be another thread's region by then. */
static void regions_moved(struct sc_script *s) {
  L;
  uint64_t n = first_spill(l) + (l->policy == SC_THRESHOLD ? l->set : 0);
  if (!fits(s, n)) return;
  sc_by_hand(s, true);
  sc_pushes(s, 0, 0, n);
  sc_request(s, 1);
  sc_op(s, SC_ANY_WAIT, 0, SC_INIT, 0, SC_OK);
  sc_idle(s, 4);
  sc_read_register(s, SC_REG_STATUS, 9);
  sc_write_register(s, SC_REG_BASE_LO, l->set_bytes, true);
  sc_write_register(s, SC_REG_STRIDE_LG, l->set_bytes_lg, true);
  sc_latency(s, 4);
  sc_quiet(s);
  sc_read_register(s, SC_REG_STATUS, 1);
  sc_write_register(s, SC_REG_STRIDE_LG, l->stride_max, false);
  sc_write_register(s, SC_REG_BASE_LO, l->set_bytes, false);
  sc_covered(s, SC_COVER_REFUSED_UNDER_WAY);
  sc_pushes(s, 0, 0, n);
  sc_pops(s, SC_ANY_WAIT, 0, 0, n);
}

static void deepest(struct sc_script *s) {
  L;
  if (l->counters != 2 || !fits(s, 3)) return;
  sc_pushes(s, 0, 0, 3);
  sc_idle(s, 4);
  sc_read_register(s, SC_REG_DEEPEST_OF, 3);
  sc_write_register(s, SC_REG_COUNTER_CLEAR, 0, false);
  sc_read_register(s, SC_REG_DEEPEST_OF, 0);
  sc_pops(s, SC_NO_WAIT, 0, 1, 2); /* a pop raises nothing */
  sc_idle(s, 4);
  sc_read_register(s, SC_REG_DEEPEST_OF, 0);
  sc_pushes(s, 0, 1, 1);
  sc_idle(s, 4);
  sc_read_register(s, SC_REG_DEEPEST_OF, 2);
}

/* ---- list ----------------------------------------------------------------------------------------------------- */

const struct simt_named sc_directed[] = {
  {"push_pop", "Push and pop of one thread back to back: each answer 3 cycles after its operation, the second "
               "operation sees the first.", "SC-3 SC-5"},
  {"many_threads", "One operation per cycle on several threads: five stacks, none sees another's entries.",
   "SC-1 SC-3"},
  {"spill", "The set boundary policy: the first entry of the last free set makes the oldest set go out; what went "
            "out is still on chip, so the pops wait for nothing and read nothing.", "SC-6 SC-7"},
  {"restore", "A set is fetched while the set above it is popped, before a pop needs it.", "SC-8"},
  {"forwarding", "A replace, in the next cycle a peek or pop of the same entry.", "SC-3"},
  {"kinds", "Every kind; kinds and threads that do not exist are never taken.", "SC-3"},
  {"lost_dirty", "A spill is on its way, the thread pops into the set and pushes again: the old write must not make "
                 "the set clean.", "SC-6 SC-4"},
  {"change_near_spill", "A set is changed in the cycles round its reading.", "SC-6"},
  {"dropped_restore", "A push drops a restore; the set is wanted again, then the late answer comes.", "SC-11 SC-4"},
  {"dropped_error", "A restore that a push dropped answers an error: the thread is faulted all the same.", "SC-12"},
  {"out_of_order", "A set arrives before the one above it, and is held.", "SC-4 SC-10"},
  {"clean_sets", "Pops of clean sets, and a replace in one.", "SC-7 SC-4"},
  {"quick_return", "Pops into a set whose write is not acknowledged.", "SC-10 SC-8"},
  {"held_and_acknowledged", "A set comes from the one kept on chip and is held; then its write is acknowledged.",
   "SC-4 SC-10"},
  {"push_waits", "A push waits for its slot; peeks of the thread and other threads go on.", "SC-11 SC-8"},
  {"steal", "The engine takes a cycle from a thread that keeps the storage busy.", "SC-9"},
  {"steal_after_reset", "The first spill after a reset loses as many cycles as any other one.", "SC-9"},
  {"behind_a_held_answer", "A thread waits for an answer that comes behind one nobody waits for, while another "
                           "thread keeps the storage busy.", "SC-9 SC-11"},
  {"init_in_every_cycle", "An init in every cycle holds no answer: the thread behind it is served.", "SC-3 SC-11"},
  {"overflow_underflow", "Push at the limit, pop of an empty stack: no change and no wait.", "SC-12 SC-11"},
  {"limit_0", "The limit is 0 over a full stack: a push overflows at once.", "SC-12 SC-11"},
  {"limit_lowered", "The limit is lowered below the depth: entries stay.", "SC-12"},
  {"memory_error", "A spill fails: the thread is faulted until init; the others go on.", "SC-12"},
  {"error_of_each_set", "A spill of each set fails, in every thread: the error says which.", "SC-12"},
  {"error_after_init", "An access from before an init fails: counted, no mark.", "SC-12 SC-3"},
  {"init_drops", "An init while two restores are under way.", "SC-3"},
  {"reset_under_way", "Reset while a write is under way.", "SC-3"},
  {"registers", "Base, stride, limit, depth, status and counters; refusals.", "SC-2 SC-12 SC-14"},
  {"regions_moved", "Base and stride are refused while a write of a thread emptied meanwhile is not answered.", "SC-2 SC-10"},
  {"deepest", "The deepest stack of a thread: raised by pushes alone, cleared with the counters.", "SC-14"},
  {"every_address", "Reads and writes at all addresses: those without a register are refused.", "SC-12 SC-14"},
  {"every_bit", "Each bit of each register alone, and each bit of a lawful value changed.", "SC-2 SC-6 SC-8 SC-12"},
  {"bits_of_addresses", "Sets go out to and come from regions that differ in one bit of base or stride.", "SC-2 SC-4"},
  {"many_errors", "The count of memory errors goes up to its most and stays there.", "SC-12"},
  {"halt", "A halt with a write under way: halted when it is answered; nothing is taken until release.", "SC-13"},
  {"halt_withdrawn", "A halt request that ends before the block is halted.", "SC-13"},
  {"flush", "A flush writes every dirty set, the partly filled one by its entries; then all is clean.", "SC-13"},
  {"flush_errors", "Errors answer the writes of a flush, in cycles that follow each other; their threads are faulted.", "SC-13 SC-12"},
  {"flush_refused", "A flush is refused under a halt request; flush_on_halt may be written.", "SC-13"},
  {"switch_contexts", "Save, reset, other work, save, reset, load, go on; and back.", "SC-13"},
  {"switch_flushed", "A switch with flush_on_halt: no entries in the context, all come back from memory.", "SC-13"},
  {"unit_reset", "A reset of the unit with accesses under way: their answers, errors too, are dropped.", "SC-13"},
  {"reset_in_flush", "A reset of the unit in a flush: an error behind the first answer marks no thread.", "SC-13 SC-12"},
  {"reset_cuts_flush", "A reset in each of the first cycles of a flush: what is not offered yet is dropped.", "SC-13"},
  {"context_refused", "Every way to spoil a context, and then the good one.", "SC-13"},
  {"registers_kept", "A load that is refused leaves the run-time registers as they were.", "SC-13 US-9"},
  {"context_of_fault", "A faulted thread is left out of a flush, and is faulted again after save and load.", "SC-13"},
  {"moved_while_halted", "Base, stride and limit are written while halted and stacks hold entries.", "SC-13 SC-2"},
  {"halted_from_quiescent", "The last answer comes as the pipeline empties after a halt request.", "SC-13"},
  {"nack", "A memory error is reported until ERROR is written or the unit is reset, and comes back with its context.", "SC-13 US-3"},
  {NULL, NULL, NULL}};

void sc_write_script(struct sc_script *s, unsigned i) {
  static void (*const script[])(struct sc_script *) = {
    push_pop, many_threads, spill, restore, forwarding, kinds, lost_dirty, change_near_spill, dropped_restore,
    dropped_error, out_of_order, clean_sets, quick_return, held_and_acknowledged, push_waits, steal, steal_after_reset,
    behind_a_held_answer, init_in_every_cycle, overflow_underflow, limit_0, limit_lowered, memory_error, error_of_each_set, error_after_init,
    init_drops, reset_under_way, registers, regions_moved, deepest, sc_every_address,
    sc_every_bit, sc_bits_of_addresses, sc_many_errors,
  };
  enum { OWN = sizeof script / sizeof *script };
  if (i < OWN) script[i](s);
  else if (s->l->status) sc_write_status_script(s, i - OWN);
}
