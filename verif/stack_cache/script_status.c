/* SPDX-License-Identifier: Apache-2.0 */
/* script_status.c: the directed tests of halt, flush, reset and context. Without STATUS they are empty. */
#include "stack_cache/script.h"

#define L const struct stk_shape *l = s->l

static bool fits(const struct stk_script *s, uint64_t entries) { return s->l->status && entries <= s->l->max_depth; }

/* Entries that fill a part of the last set, or one set where a set is one entry. */
static uint64_t some(const struct stk_shape *l) { return l->set > 1 ? l->set + 1 : 1; }
static uint64_t until_spill(const struct stk_shape *l) { return l->entries - l->set + 1; }
/* More than are on chip. */
static uint64_t many(const struct stk_shape *l) { return stk_least(2 * (uint64_t)l->entries + 1, l->max_depth); }
/* Of a context: without entries; with them. */
static unsigned words(const struct stk_shape *l) { return 2 * l->threads + 13; }
static unsigned full_words(const struct stk_shape *l) { return words(l) + l->threads * l->entries * ((l->entry_w + 31) / 32); }

static void halt_now(struct stk_script *s) { stk_order(s, SIMT_HALT, true); }
static void release(struct stk_script *s) { stk_order(s, SIMT_RELEASE, true); }
static void clear(struct stk_script *s) { stk_order(s, SIMT_UNIT_RESET, true); }
static void halts_flush(struct stk_script *s, bool flush) { stk_write_register(s, STK_REG_HALT_FLUSH, flush, false); }

void stk_test_halt(struct stk_script *s) {
  L;
  const uint64_t n = until_spill(l);
  if (!fits(s, n)) return;
  stk_by_hand(s, true);
  stk_pushes(s, 0, 0, n);
  stk_request(s, 1);
  stk_order(s, SIMT_HALT, false);
  stk_idle(s, 1);
  stk_try(s, 0, STK_PUSH);
  stk_try(s, 0, STK_INIT);
  stk_idle(s, 20);
  stk_latency(s, 4);
  halt_now(s);
  stk_try(s, 0, STK_POP);
  stk_read_register(s, STK_REG_DEPTH, (uint32_t)n);
  release(s);
  stk_pops(s, STK_ANY_WAIT, 0, 0, n);
}

void stk_test_halt_withdrawn(struct stk_script *s) {
  L;
  const uint64_t n = until_spill(l);
  if (!fits(s, n)) return;
  for (unsigned gap = 1; gap < 40; gap += 3) {
    stk_pushes(s, 0, 0, n);
    stk_order(s, SIMT_HALT, false);
    stk_idle(s, gap);
    release(s);
    stk_pops(s, STK_ANY_WAIT, 0, 0, n);
  }
  stk_covered(s, SC_COVER_HALT_WITHDRAWN);
}

void stk_test_flush(struct stk_script *s) {
  L;
  const uint64_t n = some(l);
  if (!fits(s, n)) return;
  stk_pushes(s, 0, 0, n);
  if (l->threads > 1) stk_pushes(s, 1, 0, 1);
  stk_until_quiet(s);
  stk_write_register(s, STK_REG_CONTROL, 1, false);
  stk_order(s, SIMT_NO_ORDER, true);
  stk_covered(s, SC_COVER_FLUSH);
  if (l->set > 1) stk_covered(s, SC_COVER_FLUSH_PARTLY);
  if (!l->policy && l->nsets > 2) stk_accesses(s, 0, (unsigned)((n + l->set - 1) / l->set) + (l->threads > 1));
  stk_read_register(s, STK_REG_CONTROL, 0);
  stk_write_register(s, STK_REG_CONTROL, 1, false); /* nothing is left to write */
  stk_order(s, SIMT_NO_ORDER, true);
  if (!l->policy && l->nsets > 2) stk_accesses(s, 0, (unsigned)((n + l->set - 1) / l->set) + (l->threads > 1));
  stk_pops(s, STK_NO_WAIT, 0, 0, n);
  if (l->threads > 1) stk_pops(s, STK_NO_WAIT, 1, 0, 1);
}

/* A partly filled set that memory holds: pushes go on in it, and it is written again, whole. */
void stk_test_flush_and_on(struct stk_script *s) {
  L;
  const uint64_t n = some(l), all = stk_least(3 * (uint64_t)l->entries, l->max_depth);
  if (!fits(s, n)) return;
  stk_pushes(s, 0, 0, n);
  stk_write_register(s, STK_REG_CONTROL, 1, false);
  stk_order(s, SIMT_NO_ORDER, true);
  stk_pushes(s, 0, n, all - n);
  stk_pops(s, STK_ANY_WAIT, 0, 0, all);
  stk_pushes(s, 0, 0, n);
  stk_write_register(s, STK_REG_CONTROL, 1, false);
  stk_order(s, SIMT_NO_ORDER, true);
  stk_op(s, STK_ANY_WAIT, 0, STK_REPLACE, 0x5a, STK_OK);
  halts_flush(s, true);
  halt_now(s);
  stk_save_context(s, 0);
  clear(s);
  stk_load_context(s, 0, SIMT_WHOLE, 0);
  release(s);
  stk_op(s, STK_SOME_WAIT, 0, STK_POP, 0x5a, STK_OK);
  stk_pops(s, STK_ANY_WAIT, 0, 0, n - 1);
}

/* Errors of a flush, one behind the other, of threads whose init the engine may not have seen yet. */
void stk_test_flush_errors(struct stk_script *s) {
  L;
  const unsigned n = l->threads < 6 ? l->threads : 6;
  if (!fits(s, 1)) return;
  stk_by_hand(s, true);
  for (unsigned t = 0; t < n; t++) {
    stk_op(s, STK_ANY_WAIT, t, STK_INIT, 0, STK_OK);
    stk_pushes(s, t, 0, 1);
  }
  stk_write_register(s, STK_REG_CONTROL, 1, false);
  stk_request(s, n);
  for (unsigned t = 0; t < n; t++) stk_answer(s, 0, 1 + t % 3);
  stk_order(s, SIMT_NO_ORDER, true);
  stk_read_register(s, STK_REG_ERROR_COUNT, n);
  for (unsigned t = 0; t < n; t++) stk_op(s, STK_NO_WAIT, t, STK_POP, 0, STK_FAULT);
}

void stk_test_flush_refused(struct stk_script *s) {
  if (!fits(s, 1)) return;
  halt_now(s);
  stk_write_register(s, STK_REG_CONTROL, 1, true);
  stk_write_register(s, STK_REG_CONTROL, 0, false);
  stk_read_register(s, STK_REG_CONTROL, 0);
  release(s);
  stk_write_register(s, STK_REG_CONTROL, 2, true);
  stk_write_register(s, STK_REG_CONTROL, 3, true);
  stk_read_register(s, STK_REG_CONTROL, 0);
}

void stk_test_switch_contexts(struct stk_script *s) {
  L;
  const uint64_t n = many(l);
  if (!fits(s, 2)) return;
  halts_flush(s, true);
  stk_pushes(s, 0, 0, n);
  halt_now(s);
  stk_save_context(s, 0);
  clear(s);
  release(s);
  stk_op(s, STK_NO_WAIT, 0, STK_POP, 0, STK_UNDERFLOW);
  stk_op(s, STK_ANY_WAIT, 0, STK_PUSH, 0x77, STK_OK);
  stk_op(s, STK_ANY_WAIT, 0, STK_PUSH, 0x78, STK_OK);
  halt_now(s);
  stk_save_context(s, 1);
  clear(s);
  stk_load_context(s, 0, SIMT_WHOLE, 0);
  stk_save_context(s, 0); /* the same again */
  stk_covered(s, SC_COVER_SAVED_AGAIN);
  stk_latency(s, 50);
  release(s);
  stk_op(s, STK_SOME_WAIT, 0, STK_PEEK, stk_value(0, n - 1), STK_OK); /* nothing of it is on chip */
  stk_latency(s, 4);
  stk_pops(s, STK_ANY_WAIT, 0, 0, n);
  halt_now(s);
  clear(s);
  stk_load_context(s, 1, SIMT_WHOLE, 0);
  release(s);
  stk_op(s, STK_ANY_WAIT, 0, STK_POP, 0x78, STK_OK);
  stk_op(s, STK_ANY_WAIT, 0, STK_POP, 0x77, STK_OK);
  stk_op(s, STK_NO_WAIT, 0, STK_POP, 0, STK_UNDERFLOW);
}

void stk_test_unit_reset(struct stk_script *s) {
  L;
  const uint64_t n = until_spill(l);
  if (!fits(s, n)) return;
  stk_write_register(s, STK_REG_LIMIT, (uint32_t)n, false);
  stk_by_hand(s, true);
  stk_pushes(s, 0, 0, n);
  stk_request(s, 1);
  stk_order(s, SIMT_UNIT_RESET, false);
  stk_idle(s, 2 * l->threads + 8);
  stk_covered(s, SC_COVER_UNIT_RESET_BUSY);
  stk_try(s, 0, STK_PUSH); /* not before the old answers are in */
  stk_answer(s, 0, 2);
  stk_latency(s, 4);
  stk_order(s, SIMT_NO_ORDER, true);
  stk_read_register(s, STK_REG_ERROR, 0); /* an error of what was dropped is none */
  stk_op(s, STK_ANY_WAIT, 0, STK_POP, 0, STK_UNDERFLOW);
  stk_read_register(s, STK_REG_LIMIT, (uint32_t)n); /* run-time registers stay */
  stk_pushes(s, 0, 3, n);
  stk_op(s, STK_ANY_WAIT, 0, STK_PUSH, 0, STK_OVERFLOW);
  stk_pops(s, STK_ANY_WAIT, 0, 3, n);
}

/* A reset in each of the first cycles of a flush, memory being ready or not. */
void stk_test_reset_cuts_flush(struct stk_script *s) {
  L;
  const uint64_t n = l->set + 1;
  if (!fits(s, n)) return;
  for (unsigned gap = 0; gap < 48; gap++) {
    stk_latency(s, 4);
    for (unsigned t = 0; t < 3 && t < l->threads; t++) stk_pushes(s, t, 3, n);
    stk_idle(s, 60);
    stk_by_hand(s, gap & 1);
    stk_write_register(s, STK_REG_CONTROL, 1, false);
    stk_idle(s, gap / 2 + 1);
    stk_order(s, SIMT_UNIT_RESET, false);
    stk_idle(s, 20);
    stk_by_hand(s, true);
    stk_latency(s, 4);
    stk_order(s, SIMT_NO_ORDER, true);
  }
  stk_pushes(s, 0, 3, n);
  stk_pops(s, STK_ANY_WAIT, 0, 3, n);
}

/* Memory refuses a write while the unit runs. */
static void refused_write(struct stk_script *s, uint64_t n) {
  stk_by_hand(s, true);
  stk_pushes(s, 0, 0, n);
  stk_request(s, 1);
  stk_answer(s, 0, 1);
  stk_latency(s, 4);
  stk_until_quiet(s);
}

void stk_test_nack(struct stk_script *s) {
  L;
  const uint64_t n = until_spill(l);
  if (!fits(s, n)) return;
  refused_write(s, n);
  stk_covered(s, SC_COVER_NACK);
  stk_read_register(s, STK_REG_ERROR_COUNT, 1);
  stk_write_register(s, STK_REG_ERROR, 0, false); /* any write clears the bit */
  stk_covered(s, SC_COVER_NACK_CLEARED);
  stk_op(s, STK_NO_WAIT, 0, STK_INIT, 0, STK_OK);
  refused_write(s, n);
  halt_now(s);
  stk_save_context(s, 0);
  clear(s);
  stk_read_register(s, STK_REG_ERROR, 0);
  stk_load_context(s, 0, SIMT_NONSENSE, 0); /* refused: nothing is reported */
  stk_read_register(s, STK_REG_ERROR, 0);
  stk_load_context(s, 0, SIMT_WHOLE, 0);
  stk_covered(s, SC_COVER_LOAD_FAULT);
  stk_idle(s, l->calm + 8);
  stk_read_register(s, STK_REG_ERROR_COUNT, 1);
  stk_write_register(s, STK_REG_ERROR, 0, false);
  stk_save_context(s, 1);
  stk_load_context(s, 1, SIMT_WHOLE, 0);
  release(s);
  stk_read_register(s, STK_REG_ERROR, 0);
  stk_op(s, STK_NO_WAIT, 0, STK_POP, 0, STK_FAULT);
  stk_op(s, STK_NO_WAIT, 0, STK_INIT, 0, STK_OK);
  stk_op(s, STK_NO_WAIT, 0, STK_POP, 0, STK_UNDERFLOW);
}

void stk_test_context_refused(struct stk_script *s) {
  L;
  const uint64_t n = some(l);
  const unsigned places = l->threads > 32 ? 1 : 7;
  if (!fits(s, n)) return;
  stk_pushes(s, 0, 0, n);
  halt_now(s);
  stk_save_context(s, 0);
  for (unsigned spoil = SIMT_FLIP; spoil < SIMT_SPOILS; spoil++)
    for (unsigned i = 0; i < (spoil == SIMT_NONSENSE && places > 1 ? 96 : places); i++) {
      const uint32_t place = spoil == SIMT_NONSENSE ? i * 17 : i * 0x10203 + i;
      stk_load_context(s, 0, (enum simt_spoil)spoil, place);
      if (i == 3) stk_load_context(s, 0, SIMT_WHOLE, 0);
    }
  stk_covered(s, SC_COVER_REFUSED_HEADER);
  stk_covered(s, SC_COVER_REFUSED_PAYLOAD);
  stk_save_context(s, 1); /* the unit is clear */
  stk_load_context(s, 0, SIMT_WHOLE, 0);
  stk_load_context(s, 0, SIMT_OTHER_TYPE, 0); /* and as it was behind a header that does not fit */
  stk_load_context(s, 0, SIMT_OTHER_SHAPE, 5);
  release(s);
  stk_pops(s, STK_ANY_WAIT, 0, 0, n);
}

/* Run-time registers with other values than the context's, before and behind loads that are refused. [US-9] */
void stk_test_registers_kept(struct stk_script *s) {
  L;
  static const enum simt_spoil payload[] = {SIMT_FLIP, SIMT_CUT, SIMT_LONGER, SIMT_UNREADABLE, SIMT_NONSENSE, SIMT_SHORTER};
  const uint64_t n = some(l);
  const uint32_t stride = l->set_bytes_lg + 4 < l->stride_max ? l->set_bytes_lg + 4 : l->stride_max;
  if (!fits(s, n) || l->threads > 64) return;
  stk_pushes(s, 0, 0, n);
  halt_now(s);
  stk_save_context(s, 0);
  stk_write_register(s, STK_REG_BASE_LO, l->set_bytes, false);
  stk_write_register(s, STK_REG_STRIDE_LG, stride, false);
  stk_write_register(s, STK_REG_LIMIT, 0, false);
  stk_write_register(s, STK_REG_THREAD, l->threads - 1, false);
  for (unsigned i = 0; i < sizeof payload / sizeof *payload; i++)
    for (uint32_t place = 0; place < 4; place++) {
      stk_load_context(s, 0, payload[i], place * 0x10203 + place);
      stk_read_register(s, STK_REG_BASE_LO, l->set_bytes);
      stk_read_register(s, STK_REG_STRIDE_LG, stride);
      stk_read_register(s, STK_REG_LIMIT, 0);
      stk_read_register(s, STK_REG_THREAD, l->threads - 1);
    }
  stk_covered(s, SC_COVER_REFUSED_PAYLOAD);
  stk_load_context(s, 0, SIMT_WHOLE, 0);
  stk_read_register(s, STK_REG_BASE_LO, 0);
  stk_read_register(s, STK_REG_STRIDE_LG, l->stride_max);
  stk_read_register(s, STK_REG_THREAD, 0);
  release(s);
  stk_pops(s, STK_ANY_WAIT, 0, 0, n);
}

/* A reset of the unit in each cycle of a save and of a load: what comes out or in is worth nothing, and the next one is whole. */
void stk_test_context_broken(struct stk_script *s) {
  L;
  const uint64_t n = some(l);
  if (!fits(s, n) || l->threads > 32) return;
  stk_pushes(s, 0, 0, n);
  halt_now(s);
  stk_save_context(s, 0);
  for (unsigned load = 0; load < 2; load++)
    for (unsigned gap = 1; gap < 8 + 4 * words(l); gap += gap < 24 || gap > 4 * words(l) - 8 ? 1 : 7) {
      if (load) stk_order_context(s, SIMT_LOAD, 0, SIMT_WHOLE, 0, false);
      else stk_order_context(s, SIMT_SAVE, 2, SIMT_WHOLE, 0, false);
      stk_idle(s, gap);
      stk_order(s, SIMT_UNIT_RESET, false);
      stk_order(s, SIMT_NO_ORDER, true);
      stk_order(s, SIMT_HALT, true);
      stk_save_context(s, 1); /* the unit is clear */
      stk_load_context(s, 0, SIMT_WHOLE, 0);
      stk_save_context(s, 0);
    }
  stk_covered(s, SC_COVER_BROKEN);
  release(s);
  stk_pops(s, STK_ANY_WAIT, 0, 0, n);
}

void stk_test_moved_while_halted(struct stk_script *s) {
  L;
  const uint64_t n = many(l);
  if (!fits(s, 2)) return;
  stk_pushes(s, 0, 0, n);
  stk_write_register(s, STK_REG_BASE_LO, l->set_bytes, true);
  halt_now(s);
  stk_write_register(s, STK_REG_BASE_LO, l->set_bytes, false);
  stk_write_register(s, STK_REG_STRIDE_LG, l->stride_max, false);
  stk_write_register(s, STK_REG_LIMIT, 1, false);
  stk_covered(s, SC_COVER_MOVED);
  release(s);
  stk_op(s, STK_ANY_WAIT, 0, STK_PUSH, 0, STK_OVERFLOW);
  stk_pops(s, STK_ANY_WAIT, 0, 0, n);
}

/* Without a flush: what is dirty stays on chip, is saved with the context and is there again behind the load. */
void stk_test_halt_keeps(struct stk_script *s) {
  L;
  const uint64_t n = many(l), on_chip = stk_least(n, l->set);
  if (!fits(s, 2)) return;
  halts_flush(s, false);
  stk_pushes(s, 0, 0, n);
  if (l->threads > 1) stk_pushes(s, 1, 0, 1);
  stk_until_quiet(s);
  stk_by_hand(s, false); /* memory takes nothing, and need not */
  halt_now(s);
  stk_covered(s, SC_COVER_HALT_KEPT);
  stk_save_context(s, 0);
  stk_read_register(s, STK_REG_HALT_FLUSH, 0);
  clear(s);
  stk_save_context(s, 1); /* nothing */
  stk_load_context(s, 0, SIMT_WHOLE, 0);
  stk_save_context(s, 2); /* the same again */
  stk_covered(s, SC_COVER_LOAD_DIRTY);
  stk_load_context(s, 1, SIMT_WHOLE, 0);
  release(s);
  stk_op(s, STK_ANY_WAIT, 0, STK_POP, 0, STK_UNDERFLOW);
  stk_op(s, STK_ANY_WAIT, 0, STK_PUSH, 0x99, STK_OK);
  halt_now(s);
  stk_load_context(s, 2, SIMT_WHOLE, 0);
  release(s);
  if (l->threads > 1) stk_pops(s, STK_NO_WAIT, 1, 0, 1);
  stk_op(s, STK_NO_WAIT, 0, STK_PEEK, stk_value(0, n - 1), STK_OK);
  stk_pops(s, STK_NO_WAIT, 0, n - on_chip, on_chip);
  stk_latency(s, 4);
  stk_pops(s, STK_ANY_WAIT, 0, 0, n - on_chip);
}

/* Contexts with and without entries are loaded whatever HALT_FLUSH says, and it comes with them. */
void stk_test_halt_both(struct stk_script *s) {
  L;
  const uint64_t n = some(l);
  if (!fits(s, n)) return;
  stk_write_register(s, STK_REG_HALT_FLUSH, 2, true);
  halts_flush(s, true);
  stk_pushes(s, 0, 0, n);
  halt_now(s);
  stk_save_context(s, 0);
  halts_flush(s, false); /* of the next halt */
  stk_save_context(s, 0);
  release(s);
  stk_op(s, STK_ANY_WAIT, 0, STK_REPLACE, 0x5a, STK_OK);
  halt_now(s);
  stk_save_context(s, 1);
  halts_flush(s, true);
  stk_load_context(s, 0, SIMT_WHOLE, 0);
  stk_read_register(s, STK_REG_HALT_FLUSH, 0);
  stk_save_context(s, 2);
  release(s);
  stk_pops(s, STK_ANY_WAIT, 0, 0, n);
  halt_now(s);
  stk_load_context(s, 1, SIMT_WHOLE, 0);
  release(s);
  stk_op(s, STK_NO_WAIT, 0, STK_POP, 0x5a, STK_OK);
  stk_pops(s, STK_NO_WAIT, 0, 0, n - 1);
}

/* A flush that was ordered before a halt without one ends first. */
void stk_test_flush_then_halt(struct stk_script *s) {
  L;
  const uint64_t n = some(l);
  if (!fits(s, n)) return;
  halts_flush(s, false);
  for (unsigned gap = 0; gap < 24; gap += 3) {
    stk_pushes(s, 0, 0, n);
    stk_write_register(s, STK_REG_CONTROL, 1, false);
    stk_idle(s, gap);
    halt_now(s);
    stk_save_context(s, 0);
    clear(s);
    stk_load_context(s, 0, SIMT_WHOLE, 0);
    release(s);
    stk_pops(s, STK_NO_WAIT, 0, 0, n);
  }
}

/* Spoiled contexts with entries; resets in the middle of one. */
void stk_test_entries_refused(struct stk_script *s) {
  L;
  const uint64_t n = many(l);
  if (!fits(s, n) || full_words(l) > 128) return;
  halts_flush(s, false);
  stk_pushes(s, 0, 0, n);
  halt_now(s);
  stk_save_context(s, 0);
  for (unsigned spoil = SIMT_FLIP; spoil < SIMT_SPOILS; spoil++)
    for (uint32_t i = 0; i < (spoil == SIMT_NONSENSE ? 200u : 5u); i++) {
      stk_load_context(s, 0, (enum simt_spoil)spoil, spoil == SIMT_NONSENSE ? 12 + 16 * (i % l->threads) + 256 * i + 4096 * (i / 9) : i * 0x10203 + i);
      if (i == 3) stk_load_context(s, 0, SIMT_WHOLE, 0);
    }
  stk_covered(s, SC_COVER_REFUSED_PAYLOAD);
  for (unsigned load = 0; load < 2; load++)
    for (unsigned gap = 1; gap < 8 + 4 * full_words(l); gap += 5) {
      stk_order_context(s, load ? SIMT_LOAD : SIMT_SAVE, load ? 0 : 2, SIMT_WHOLE, 0, false);
      stk_idle(s, gap);
      stk_order(s, SIMT_UNIT_RESET, false);
      stk_order(s, SIMT_NO_ORDER, true);
      stk_order(s, SIMT_HALT, true);
      stk_load_context(s, 0, SIMT_WHOLE, 0);
    }
  release(s);
  stk_pops(s, STK_ANY_WAIT, 0, 0, n);
}

/* What a refused context was leaves no trace: how many words the next one has is as the halt was. [SC-13 US-9] */
void stk_test_refused_form(struct stk_script *s) {
  L;
  const uint64_t n = many(l);
  if (!fits(s, n) || full_words(l) > 128) return;
  for (unsigned flush = 0; flush < 2; flush++) { /* slot 0 has entries, slot 1 has none */
    halts_flush(s, flush);
    if (!flush) stk_pushes(s, 0, 0, n);
    halt_now(s);
    stk_save_context(s, flush);
    for (unsigned load = 0; load < 2 && flush; load++) {
      stk_load_context(s, load, SIMT_FLIP, 0x1000);
      stk_save_context(s, 2);
    }
    release(s);
  }
  halts_flush(s, false);
  halt_now(s);
  for (unsigned load = 0; load < 2; load++) {
    stk_load_context(s, load, SIMT_CUT, 0x1000);
    stk_save_context(s, 2);
  }
  stk_covered(s, SC_COVER_REFUSED_PAYLOAD);
  stk_load_context(s, 0, SIMT_WHOLE, 0);
  release(s);
  stk_pops(s, STK_ANY_WAIT, 0, 0, n);
}

/* A drain that is not over, a burst, restores on their way when the halt comes: in each cycle behind a deep swing. */
void stk_test_halt_in_hand(struct stk_script *s) {
  L;
  const uint64_t n = many(l);
  if (!fits(s, 2)) return;
  halts_flush(s, false);
  for (unsigned gap = 0; gap < 40; gap++) {
    stk_pushes(s, 0, 0, n);
    stk_pops(s, STK_ANY_WAIT, 0, n - n / 2, n / 2);
    if (gap & 1) stk_op(s, STK_ANY_WAIT, 0, STK_INIT, 0, STK_OK);
    if (gap & 1) stk_pushes(s, 0, 0, 1);
    stk_idle(s, gap / 2);
    halt_now(s);
    stk_save_context(s, 0);
    clear(s);
    stk_load_context(s, 0, SIMT_WHOLE, 0);
    release(s);
    stk_pops(s, STK_ANY_WAIT, 0, 0, gap & 1 ? 1 : n - n / 2);
  }
}
