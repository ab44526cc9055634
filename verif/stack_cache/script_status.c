/* SPDX-License-Identifier: Apache-2.0 */
/* script_status.c: the directed tests of halt, flush, reset and context. */
#include "stack_cache/script.h"

#define L const struct sc_layout *l = s->l

static bool fits(const struct sc_script *s, uint64_t entries) { return entries <= s->l->max_depth; }

/* Entries that fill a part of the last set, or one set where a set is one entry. */
static uint64_t some(const struct sc_layout *l) { return l->set > 1 ? l->set + 1 : 1; }

static void halt(struct sc_script *s) {
  L;
  uint64_t n = l->entries - l->set + 1;
  if (!fits(s, n)) return;
  sc_by_hand(s, true);
  sc_pushes(s, 0, 0, n);
  sc_request(s, 1);
  sc_order(s, SC_HALT, false);
  sc_idle(s, 1);
  sc_try(s, 0, SC_PUSH);
  sc_try(s, 0, SC_INIT);
  sc_idle(s, 20);
  sc_latency(s, 4);
  sc_order(s, SC_HALT, true);
  sc_try(s, 0, SC_POP);
  sc_read_register(s, SC_REG_DEPTH, (uint32_t)n);
  sc_order(s, SC_RELEASE, true);
  sc_pops(s, SC_ANY_WAIT, 0, 0, n);
}

static void halt_withdrawn(struct sc_script *s) {
  L;
  uint64_t n = l->entries - l->set + 1;
  if (!fits(s, n)) return;
  sc_by_hand(s, true);
  sc_pushes(s, 0, 0, n);
  sc_request(s, 1);
  sc_order(s, SC_HALT, false);
  sc_idle(s, 5);
  sc_order(s, SC_RELEASE, true);
  sc_covered(s, SC_COVER_HALT_WITHDRAWN);
  sc_pops(s, SC_ANY_WAIT, 0, 0, n);
}

static void flush(struct sc_script *s) {
  L;
  uint64_t n = some(l);
  if (!fits(s, n)) return;
  sc_pushes(s, 0, 0, n);
  if (l->threads > 1) sc_pushes(s, 1, 0, 1);
  sc_quiet(s);
  sc_write_register(s, SC_REG_CONTROL, 1, false);
  sc_order(s, SC_RELEASE, true); /* until the bits are back */
  sc_covered(s, SC_COVER_FLUSH_PARTLY);
  if (l->policy == SC_SET_BOUNDARY && l->nsets > 2)
    sc_accesses(s, 0, (unsigned)((n + l->set - 1) / l->set) + (l->threads > 1));
  sc_read_register(s, SC_REG_CONTROL, 0);
  sc_pops(s, SC_NO_WAIT, 0, 0, n);
  if (l->threads > 1) sc_pops(s, SC_NO_WAIT, 1, 0, 1);
}

/* Errors of a flush, one behind the other, of threads whose init the engine may not have seen yet. */
static void flush_errors(struct sc_script *s) {
  L;
  const unsigned n = l->threads < 6 ? (unsigned)l->threads : 6;
  sc_by_hand(s, true);
  for (unsigned t = 0; t < n; t++) {
    sc_op(s, SC_ANY_WAIT, t, SC_INIT, 0, SC_OK);
    sc_pushes(s, t, 0, 1);
  }
  sc_write_register(s, SC_REG_CONTROL, 1, false);
  sc_request(s, n);
  for (unsigned t = 0; t < n; t++) sc_answer(s, 0, 1 + t % 3);
  sc_order(s, SC_RELEASE, true);
  sc_read_register(s, SC_REG_ERROR_COUNT, n);
  sc_read_register(s, SC_REG_FAULTED, (1u << n) - 1);
  for (unsigned t = 0; t < n; t++) sc_op(s, SC_NO_WAIT, t, SC_POP, 0, SC_FAULT);
}

static void flush_refused(struct sc_script *s) {
  sc_order(s, SC_HALT, true);
  sc_write_register(s, SC_REG_CONTROL, 1, true);
  sc_write_register(s, SC_REG_CONTROL, 3, true);
  sc_read_register(s, SC_REG_CONTROL, 0);
  sc_write_register(s, SC_REG_CONTROL, 2, false);
  sc_read_register(s, SC_REG_CONTROL, 2);
  sc_order(s, SC_RELEASE, true);
  sc_write_register(s, SC_REG_CONTROL, 4, true);
  sc_read_register(s, SC_REG_CONTROL, 2);
  sc_covered(s, SC_COVER_REFUSED_FLUSH);
}

/* Entries of thread 0 that the first context has, most of them in memory only. */
static uint64_t many(const struct sc_layout *l) {
  return 2 * (uint64_t)l->entries + 1 < l->max_depth ? 2 * (uint64_t)l->entries + 1 : l->max_depth;
}

static void switch_contexts(struct sc_script *s) {
  L;
  uint64_t n = many(l);
  sc_pushes(s, 0, 0, n);
  sc_order(s, SC_HALT, true);
  sc_save_context(s, 0);
  sc_order(s, SC_UNIT_RESET, true);
  sc_order(s, SC_RELEASE, true);
  sc_op(s, SC_NO_WAIT, 0, SC_POP, 0, SC_UNDERFLOW);
  sc_op(s, SC_ANY_WAIT, 0, SC_PUSH, 0x77, SC_OK);
  sc_op(s, SC_ANY_WAIT, 0, SC_PUSH, 0x78, SC_OK);
  sc_order(s, SC_HALT, true);
  sc_save_context(s, 1);
  sc_order(s, SC_UNIT_RESET, true);
  sc_load_context(s, 0, SC_GOOD, 0);
  sc_save_context(s, 0); /* the same again */
  sc_covered(s, SC_COVER_SAVED_AGAIN);
  sc_order(s, SC_RELEASE, true);
  sc_pops(s, SC_ANY_WAIT, 0, 0, n);
  sc_order(s, SC_HALT, true);
  sc_order(s, SC_UNIT_RESET, true);
  sc_load_context(s, 1, SC_GOOD, 0);
  if (l->counters == 2) sc_write_register(s, SC_REG_COUNTER_CLEAR, 0, false);
  sc_order(s, SC_RELEASE, true);
  sc_no_steal(s);
  sc_op(s, SC_NO_WAIT, 0, SC_POP, 0x78, SC_OK);
  if (l->counters == 2) { /* what came with the context was not pushed here */
    sc_idle(s, 4);
    sc_read_register(s, SC_REG_DEEPEST_OF, 0);
  }
  sc_op(s, SC_NO_WAIT, 0, SC_POP, 0x77, SC_OK);
  sc_op(s, SC_NO_WAIT, 0, SC_POP, 0, SC_UNDERFLOW);
}

static void switch_flushed(struct sc_script *s) {
  L;
  uint64_t n = some(l);
  if (!fits(s, n + 1)) return;
  sc_write_register(s, SC_REG_CONTROL, 2, false);
  sc_pushes(s, 0, 0, n);
  sc_order(s, SC_HALT, true);
  sc_save_context(s, 0);
  sc_covered(s, SC_COVER_SAVE_FLUSHED);
  sc_order(s, SC_UNIT_RESET, true);
  sc_load_context(s, 0, SC_GOOD, 0);
  sc_latency(s, 50);
  sc_order(s, SC_RELEASE, true);
  if (l->set > 1) sc_op(s, SC_SOME_WAIT, 0, SC_PUSH, sc_value(0, n), SC_OK); /* into a set that is not on chip */
  if (l->set > 1) sc_pops(s, SC_ANY_WAIT, 0, 0, n + 1);
  else sc_pops(s, SC_SOME_WAIT, 0, 0, n);
}

static void unit_reset(struct sc_script *s) {
  L;
  uint64_t n = l->entries - l->set + 1;
  if (!fits(s, n)) return;
  sc_write_register(s, SC_REG_LIMIT, (uint32_t)n, false);
  sc_by_hand(s, true);
  sc_pushes(s, 0, 0, n);
  sc_request(s, 1);
  sc_order(s, SC_UNIT_RESET, false);
  sc_idle(s, 2 * l->threads + 8);
  sc_covered(s, SC_COVER_UNIT_RESET_BUSY);
  sc_try(s, 0, SC_PUSH); /* not before the old answers are in */
  sc_answer(s, 0, 2);
  sc_latency(s, 4);
  sc_covered(s, SC_COVER_NACK_DROPPED);
  sc_order(s, SC_RELEASE, true);
  sc_read_register(s, SC_REG_ERROR, 0); /* an error of what was dropped is none */
  sc_op(s, SC_ANY_WAIT, 0, SC_POP, 0, SC_UNDERFLOW);
  sc_read_register(s, SC_REG_LIMIT, (uint32_t)n); /* run-time registers stay */
  sc_pushes(s, 0, 3, n);
  sc_op(s, SC_ANY_WAIT, 0, SC_PUSH, 0, SC_OVERFLOW);
  sc_pops(s, SC_ANY_WAIT, 0, 3, n);
  sc_order(s, SC_HALT, true); /* nothing can be pending */
  sc_order(s, SC_UNIT_RESET, true);
  sc_read_register(s, SC_REG_ERROR, 0);
  sc_read_register(s, SC_REG_ERROR_COUNT, 0);
}

/* A reset while two writes of one thread's flush are under way: both are from before it. */
static void reset_in_flush(struct sc_script *s) {
  L;
  const uint64_t n = l->set + 1;
  if (l->nsets < 4 || !fits(s, n)) return;
  sc_by_hand(s, true);
  sc_pushes(s, 0, 0, n);
  sc_write_register(s, SC_REG_CONTROL, 1, false);
  sc_request(s, 2);
  sc_order(s, SC_UNIT_RESET, false);
  sc_idle(s, 2 * l->threads + 8);
  sc_answer(s, 0, 0);
  sc_answer(s, 0, 1);
  sc_latency(s, 4);
  sc_order(s, SC_RELEASE, true);
  sc_read_register(s, SC_REG_FAULTED, 0);
  sc_pushes(s, 0, 3, n);
  sc_pops(s, SC_ANY_WAIT, 0, 3, n);
}

/* A reset in each of the first cycles of a flush, memory being ready or not: what is not offered yet is dropped. */
static void reset_cuts_flush(struct sc_script *s) {
  L;
  const uint64_t n = l->set + 1;
  if (!fits(s, n)) return;
  for (unsigned gap = 0; gap < 24; gap++) {
    const bool ready = gap & 1;
    sc_latency(s, 4);
    for (unsigned t = 0; t < 3 && t < l->threads; t++) sc_pushes(s, t, 3, n);
    sc_idle(s, 100);
    sc_by_hand(s, ready);
    sc_write_register(s, SC_REG_CONTROL, 1, false);
    sc_idle(s, gap / 2 + 1);
    sc_order(s, SC_UNIT_RESET, false);
    sc_idle(s, 2 * l->threads + 8);
    sc_by_hand(s, true);
    sc_latency(s, 4);
    sc_order(s, SC_RELEASE, true);
  }
  sc_pushes(s, 0, 3, n);
  sc_pops(s, SC_ANY_WAIT, 0, 3, n);
}

/* Memory refuses a write while the unit is active. */
static void refused_write(struct sc_script *s, uint64_t n) {
  sc_by_hand(s, true);
  sc_pushes(s, 0, 0, n);
  sc_request(s, 1);
  sc_op(s, SC_NO_WAIT, 0, SC_PEEK, sc_value(0, n - 1), SC_OK);
  sc_answer(s, 0, 1);
  sc_latency(s, 4);
}

static void nack(struct sc_script *s) {
  L;
  uint64_t n = l->entries - l->set + 1;
  if (!fits(s, n)) return;
  refused_write(s, n);
  sc_covered(s, SC_COVER_NACK);
  sc_read_register(s, SC_REG_ERROR_COUNT, 1);
  sc_write_register(s, SC_REG_ERROR, 0, false); /* any write clears the bit */
  sc_covered(s, SC_COVER_NACK_CLEARED);
  sc_op(s, SC_NO_WAIT, 0, SC_INIT, 0, SC_OK);
  refused_write(s, n);
  sc_order(s, SC_HALT, true);
  sc_save_context(s, 0);
  sc_order(s, SC_UNIT_RESET, true);
  sc_read_register(s, SC_REG_ERROR, 0);
  sc_load_context(s, 0, SC_NONSENSE, 0); /* refused: nothing is reported */
  sc_load_context(s, 0, SC_GOOD, 0);
  sc_covered(s, SC_COVER_LOAD_NACK);
  sc_read_register(s, SC_REG_ERROR_COUNT, 1);
  sc_write_register(s, SC_REG_ERROR, 0, false);
  sc_save_context(s, 1);
  sc_load_context(s, 1, SC_GOOD, 0);
  sc_order(s, SC_RELEASE, true);
  sc_read_register(s, SC_REG_ERROR, 0);
}

static void context_refused(struct sc_script *s) {
  L;
  uint64_t n = some(l);
  if (!fits(s, n)) return;
  sc_pushes(s, 0, 0, n);
  sc_order(s, SC_HALT, true);
  sc_save_context(s, 0);
  for (unsigned spoil = SC_FLIP; spoil < SC_SPOILS; spoil++)
    for (uint32_t place = 0; place < 7; place++) {
      sc_load_context(s, 0, (enum sc_spoil)spoil, place * 0x10203 + place);
      if (place == 3) sc_load_context(s, 0, SC_GOOD, 0);
    }
  sc_covered(s, SC_COVER_REFUSED_HEADER);
  sc_covered(s, SC_COVER_REFUSED_PAYLOAD);
  sc_save_context(s, 1); /* the unit is clear */
  sc_load_context(s, 0, SC_GOOD, 0);
  sc_order(s, SC_RELEASE, true);
  sc_pops(s, SC_ANY_WAIT, 0, 0, n);
}

/* Run-time registers with other values than the context's, before and behind loads that are refused. [US-9] */
static void registers_kept(struct sc_script *s) {
  L;
  static const enum sc_spoil payload[] = {SC_FLIP, SC_CUT, SC_LONGER, SC_UNREADABLE, SC_NONSENSE};
  uint64_t n = some(l);
  const uint32_t stride = l->set_bytes_lg + 4 < l->stride_max ? l->set_bytes_lg + 4 : l->stride_max;
  if (!fits(s, n)) return;
  sc_pushes(s, 0, 0, n);
  sc_order(s, SC_HALT, true);
  sc_save_context(s, 0);
  sc_write_register(s, SC_REG_BASE_LO, l->set_bytes, false);
  sc_write_register(s, SC_REG_STRIDE_LG, stride, false);
  sc_write_register(s, SC_REG_LIMIT, 0, false);
  sc_write_register(s, SC_REG_THREAD, l->threads - 1, false);
  sc_write_register(s, SC_REG_CONTROL, 2, false);
  for (unsigned i = 0; i < sizeof payload / sizeof *payload; i++)
    for (uint32_t place = 0; place < 7; place++) {
      sc_load_context(s, 0, payload[i], place * 0x10203 + place);
      sc_read_register(s, SC_REG_BASE_LO, l->set_bytes);
      sc_read_register(s, SC_REG_STRIDE_LG, stride);
      sc_read_register(s, SC_REG_LIMIT, 0);
      sc_read_register(s, SC_REG_THREAD, l->threads - 1);
      sc_read_register(s, SC_REG_CONTROL, 2);
    }
  sc_covered(s, SC_COVER_REFUSED_PAYLOAD);
  sc_load_context(s, 0, SC_GOOD, 0);
  sc_read_register(s, SC_REG_BASE_LO, 0);
  sc_read_register(s, SC_REG_STRIDE_LG, l->stride_max);
  sc_read_register(s, SC_REG_THREAD, 0);
  sc_read_register(s, SC_REG_CONTROL, 0);
  sc_order(s, SC_RELEASE, true);
  sc_pops(s, SC_ANY_WAIT, 0, 0, n);
}

static void context_of_fault(struct sc_script *s) {
  L;
  uint64_t n = l->entries - l->set + 1;
  if (!fits(s, n)) return;
  sc_write_register(s, SC_REG_CONTROL, 2, false);
  sc_by_hand(s, true);
  sc_pushes(s, 0, 0, n);
  sc_request(s, 1);
  sc_answer(s, 0, 1);
  sc_latency(s, 4);
  sc_quiet(s);
  if (l->threads > 1) sc_pushes(s, 1, 0, 1);
  sc_order(s, SC_HALT, true);
  sc_save_context(s, 2);
  sc_order(s, SC_UNIT_RESET, true);
  sc_load_context(s, 2, SC_GOOD, 0);
  sc_covered(s, SC_COVER_LOAD_FAULT);
  sc_read_register(s, SC_REG_FAULTED, 1);
  sc_read_register(s, SC_REG_ERROR_COUNT, 1);
  sc_order(s, SC_RELEASE, true);
  sc_op(s, SC_NO_WAIT, 0, SC_POP, 0, SC_FAULT);
  sc_op(s, SC_NO_WAIT, 0, SC_INIT, 0, SC_OK);
  sc_op(s, SC_NO_WAIT, 0, SC_POP, 0, SC_UNDERFLOW);
  if (l->threads > 1) sc_pops(s, SC_ANY_WAIT, 1, 0, 1);
}

static void moved_while_halted(struct sc_script *s) {
  L;
  uint64_t n = many(l);
  sc_pushes(s, 0, 0, n);
  sc_write_register(s, SC_REG_BASE_LO, l->set_bytes, true);
  sc_order(s, SC_HALT, true);
  sc_write_register(s, SC_REG_BASE_LO, l->set_bytes, false);
  sc_write_register(s, SC_REG_STRIDE_LG, l->stride_max, false);
  sc_write_register(s, SC_REG_LIMIT, 1, false);
  sc_covered(s, SC_COVER_MOVED);
  sc_order(s, SC_RELEASE, true);
  sc_op(s, SC_ANY_WAIT, 0, SC_PUSH, 0, SC_OVERFLOW);
  sc_pops(s, SC_ANY_WAIT, 0, 0, n);
}

static void halted_from_quiescent(struct sc_script *s) {
  L;
  uint64_t n = l->entries - l->set + 1;
  if (!fits(s, n)) return;
  for (unsigned gap = 0; gap < 6; gap++) {
    sc_by_hand(s, true);
    sc_pushes(s, 0, 0, n);
    sc_request(s, 1);
    sc_idle(s, 20);
    sc_op(s, SC_ANY_WAIT, 0, SC_PEEK, sc_value(0, n - 1), SC_OK);
    sc_order(s, SC_HALT, false);
    if (gap) sc_idle(s, gap);
    sc_answer(s, 0, 0);
    sc_latency(s, 4);
    sc_order(s, SC_HALT, true);
    sc_order(s, SC_UNIT_RESET, true);
    sc_order(s, SC_RELEASE, true);
  }
  for (unsigned i = 0; i < 8 * 28; i++) { /* through a bus an answer by hand is late; when a set is requested depends on the cycle */
    sc_latency(s, 4 + i % 28);
    sc_pushes(s, 0, 0, n);
    sc_idle(s, 16 + i / 28);
    sc_op(s, SC_ANY_WAIT, 0, SC_PEEK, sc_value(0, n - 1), SC_OK);
    sc_order(s, SC_HALT, true);
    sc_order(s, SC_UNIT_RESET, true);
    sc_order(s, SC_RELEASE, true);
  }
  if (l->policy == SC_SET_BOUNDARY && l->entries > 4) sc_covered(s, SC_COVER_HALT_QUIESCENT);
}

void sc_write_status_script(struct sc_script *s, unsigned i) {
  static void (*const script[])(struct sc_script *) = {
    halt, halt_withdrawn, flush, flush_errors, flush_refused, switch_contexts, switch_flushed, unit_reset, reset_in_flush,
    reset_cuts_flush, context_refused, registers_kept, context_of_fault, moved_while_halted, halted_from_quiescent, nack,
  };
  script[i](s);
}
