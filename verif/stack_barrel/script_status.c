/* SPDX-License-Identifier: Apache-2.0 */
/* script_status.c: the directed tests of halt, flush, reset and context. Without STATUS they are empty. */
#include "stack_barrel/script.h"

#define L const struct bar_shape *l = s->l

static bool fits(const struct bar_script *s, uint64_t entries) { return s->l->status && entries <= s->l->max_depth; }

/* Entries that fill a part of the last set, or one set where a set is one entry. */
static uint64_t some(const struct bar_shape *l) { return l->set > 1 ? l->set + 1 : 1; }
static uint64_t until_spill(const struct bar_shape *l) { return l->entries - l->set + 1; }
/* More than are on chip. */
static uint64_t many(const struct bar_shape *l) { return bar_least(2 * (uint64_t)l->entries + 1, l->max_depth); }
static unsigned words(const struct bar_shape *l) { return l->threads + 13; }

static void halt_now(struct bar_script *s) { bar_order(s, SIMT_HALT, true); }
static void release(struct bar_script *s) { bar_order(s, SIMT_RELEASE, true); }
static void clear(struct bar_script *s) { bar_order(s, SIMT_UNIT_RESET, true); }

void bar_test_halt(struct bar_script *s) {
  L;
  const uint64_t n = until_spill(l);
  if (!fits(s, n)) return;
  bar_by_hand(s, true);
  bar_pushes(s, 0, 0, n);
  bar_request(s, 1);
  bar_order(s, SIMT_HALT, false);
  bar_idle(s, 1);
  bar_try(s, 0, BAR_PUSH);
  bar_try(s, 0, BAR_INIT);
  bar_idle(s, 20);
  bar_latency(s, 4);
  halt_now(s);
  bar_try(s, 0, BAR_POP);
  bar_read_register(s, BAR_REG_DEPTH, (uint32_t)n);
  release(s);
  bar_pops(s, BAR_ANY_WAIT, 0, 0, n);
}

void bar_test_halt_withdrawn(struct bar_script *s) {
  L;
  const uint64_t n = until_spill(l);
  if (!fits(s, n)) return;
  for (unsigned gap = 1; gap < 40; gap += 3) {
    bar_pushes(s, 0, 0, n);
    bar_order(s, SIMT_HALT, false);
    bar_idle(s, gap);
    release(s);
    bar_pops(s, BAR_ANY_WAIT, 0, 0, n);
  }
  bar_covered(s, SB_COVER_HALT_WITHDRAWN);
}

void bar_test_flush(struct bar_script *s) {
  L;
  const uint64_t n = some(l);
  if (!fits(s, n)) return;
  bar_pushes(s, 0, 0, n);
  if (l->threads > 1) bar_pushes(s, 1, 0, 1);
  bar_until_quiet(s);
  bar_write_register(s, BAR_REG_CONTROL, 1, false);
  bar_order(s, SIMT_NO_ORDER, true);
  bar_covered(s, SB_COVER_FLUSH);
  if (l->set > 1) bar_covered(s, SB_COVER_FLUSH_PARTLY);
  if (!l->policy && l->nsets > 2) bar_accesses(s, 0, (unsigned)((n + l->set - 1) / l->set) + (l->threads > 1));
  bar_read_register(s, BAR_REG_CONTROL, 0);
  bar_write_register(s, BAR_REG_CONTROL, 1, false); /* nothing is left to write */
  bar_order(s, SIMT_NO_ORDER, true);
  if (!l->policy && l->nsets > 2) bar_accesses(s, 0, (unsigned)((n + l->set - 1) / l->set) + (l->threads > 1));
  bar_pops(s, BAR_NO_WAIT, 0, 0, n);
  if (l->threads > 1) bar_pops(s, BAR_NO_WAIT, 1, 0, 1);
}

/* A partly filled set that memory holds: pushes go on in it, and it is written again, whole. */
void bar_test_flush_and_on(struct bar_script *s) {
  L;
  const uint64_t n = some(l), all = bar_least(3 * (uint64_t)l->entries, l->max_depth);
  if (!fits(s, n)) return;
  bar_pushes(s, 0, 0, n);
  bar_write_register(s, BAR_REG_CONTROL, 1, false);
  bar_order(s, SIMT_NO_ORDER, true);
  bar_pushes(s, 0, n, all - n);
  bar_pops(s, BAR_ANY_WAIT, 0, 0, all);
  bar_pushes(s, 0, 0, n);
  bar_write_register(s, BAR_REG_CONTROL, 1, false);
  bar_order(s, SIMT_NO_ORDER, true);
  bar_op(s, BAR_ANY_WAIT, 0, BAR_REPLACE, 0x5a, BAR_OK);
  halt_now(s);
  bar_save_context(s, 0);
  clear(s);
  bar_load_context(s, 0, SIMT_WHOLE, 0);
  release(s);
  bar_op(s, BAR_SOME_WAIT, 0, BAR_POP, 0x5a, BAR_OK);
  bar_pops(s, BAR_ANY_WAIT, 0, 0, n - 1);
}

/* Errors of a flush, one behind the other, of threads whose init the engine may not have seen yet. */
void bar_test_flush_errors(struct bar_script *s) {
  L;
  const unsigned n = l->threads < 6 ? l->threads : 6;
  if (!fits(s, 1)) return;
  bar_by_hand(s, true);
  for (unsigned t = 0; t < n; t++) {
    bar_op(s, BAR_ANY_WAIT, t, BAR_INIT, 0, BAR_OK);
    bar_pushes(s, t, 0, 1);
  }
  bar_write_register(s, BAR_REG_CONTROL, 1, false);
  bar_request(s, n);
  for (unsigned t = 0; t < n; t++) bar_answer(s, 0, 1 + t % 3);
  bar_order(s, SIMT_NO_ORDER, true);
  bar_read_register(s, BAR_REG_ERROR_COUNT, n);
  for (unsigned t = 0; t < n; t++) bar_op(s, BAR_NO_WAIT, t, BAR_POP, 0, BAR_FAULT);
}

void bar_test_flush_refused(struct bar_script *s) {
  if (!fits(s, 1)) return;
  halt_now(s);
  bar_write_register(s, BAR_REG_CONTROL, 1, true);
  bar_write_register(s, BAR_REG_CONTROL, 0, false);
  bar_read_register(s, BAR_REG_CONTROL, 0);
  release(s);
  bar_write_register(s, BAR_REG_CONTROL, 2, true);
  bar_write_register(s, BAR_REG_CONTROL, 3, true);
  bar_read_register(s, BAR_REG_CONTROL, 0);
}

void bar_test_switch_contexts(struct bar_script *s) {
  L;
  const uint64_t n = many(l);
  if (!fits(s, 2)) return;
  bar_pushes(s, 0, 0, n);
  halt_now(s);
  bar_save_context(s, 0);
  clear(s);
  release(s);
  bar_op(s, BAR_NO_WAIT, 0, BAR_POP, 0, BAR_UNDERFLOW);
  bar_op(s, BAR_ANY_WAIT, 0, BAR_PUSH, 0x77, BAR_OK);
  bar_op(s, BAR_ANY_WAIT, 0, BAR_PUSH, 0x78, BAR_OK);
  halt_now(s);
  bar_save_context(s, 1);
  clear(s);
  bar_load_context(s, 0, SIMT_WHOLE, 0);
  bar_save_context(s, 0); /* the same again */
  bar_covered(s, SB_COVER_SAVED_AGAIN);
  bar_latency(s, 50);
  release(s);
  bar_op(s, BAR_SOME_WAIT, 0, BAR_PEEK, bar_value(0, n - 1), BAR_OK); /* nothing of it is on chip */
  bar_latency(s, 4);
  bar_pops(s, BAR_ANY_WAIT, 0, 0, n);
  halt_now(s);
  clear(s);
  bar_load_context(s, 1, SIMT_WHOLE, 0);
  release(s);
  bar_op(s, BAR_ANY_WAIT, 0, BAR_POP, 0x78, BAR_OK);
  bar_op(s, BAR_ANY_WAIT, 0, BAR_POP, 0x77, BAR_OK);
  bar_op(s, BAR_NO_WAIT, 0, BAR_POP, 0, BAR_UNDERFLOW);
}

void bar_test_unit_reset(struct bar_script *s) {
  L;
  const uint64_t n = until_spill(l);
  if (!fits(s, n)) return;
  bar_write_register(s, BAR_REG_LIMIT, (uint32_t)n, false);
  bar_by_hand(s, true);
  bar_pushes(s, 0, 0, n);
  bar_request(s, 1);
  bar_order(s, SIMT_UNIT_RESET, false);
  bar_idle(s, 2 * l->threads + 8);
  bar_covered(s, SB_COVER_UNIT_RESET_BUSY);
  bar_try(s, 0, BAR_PUSH); /* not before the old answers are in */
  bar_answer(s, 0, 2);
  bar_latency(s, 4);
  bar_order(s, SIMT_NO_ORDER, true);
  bar_read_register(s, BAR_REG_ERROR, 0); /* an error of what was dropped is none */
  bar_op(s, BAR_ANY_WAIT, 0, BAR_POP, 0, BAR_UNDERFLOW);
  bar_read_register(s, BAR_REG_LIMIT, (uint32_t)n); /* run-time registers stay */
  bar_pushes(s, 0, 3, n);
  bar_op(s, BAR_ANY_WAIT, 0, BAR_PUSH, 0, BAR_OVERFLOW);
  bar_pops(s, BAR_ANY_WAIT, 0, 3, n);
}

/* A reset in each of the first cycles of a flush, memory being ready or not. */
void bar_test_reset_cuts_flush(struct bar_script *s) {
  L;
  const uint64_t n = l->set + 1;
  if (!fits(s, n)) return;
  for (unsigned gap = 0; gap < 48; gap++) {
    bar_latency(s, 4);
    for (unsigned t = 0; t < 3 && t < l->threads; t++) bar_pushes(s, t, 3, n);
    bar_idle(s, 60);
    bar_by_hand(s, gap & 1);
    bar_write_register(s, BAR_REG_CONTROL, 1, false);
    bar_idle(s, gap / 2 + 1);
    bar_order(s, SIMT_UNIT_RESET, false);
    bar_idle(s, 20);
    bar_by_hand(s, true);
    bar_latency(s, 4);
    bar_order(s, SIMT_NO_ORDER, true);
  }
  bar_pushes(s, 0, 3, n);
  bar_pops(s, BAR_ANY_WAIT, 0, 3, n);
}

/* Memory refuses a write while the unit runs. */
static void refused_write(struct bar_script *s, uint64_t n) {
  bar_by_hand(s, true);
  bar_pushes(s, 0, 0, n);
  bar_request(s, 1);
  bar_answer(s, 0, 1);
  bar_latency(s, 4);
  bar_until_quiet(s);
}

void bar_test_nack(struct bar_script *s) {
  L;
  const uint64_t n = until_spill(l);
  if (!fits(s, n)) return;
  refused_write(s, n);
  bar_covered(s, SB_COVER_NACK);
  bar_read_register(s, BAR_REG_ERROR_COUNT, 1);
  bar_write_register(s, BAR_REG_ERROR, 0, false); /* any write clears the bit */
  bar_covered(s, SB_COVER_NACK_CLEARED);
  bar_op(s, BAR_NO_WAIT, 0, BAR_INIT, 0, BAR_OK);
  refused_write(s, n);
  halt_now(s);
  bar_save_context(s, 0);
  clear(s);
  bar_read_register(s, BAR_REG_ERROR, 0);
  bar_load_context(s, 0, SIMT_NONSENSE, 0); /* refused: nothing is reported */
  bar_read_register(s, BAR_REG_ERROR, 0);
  bar_load_context(s, 0, SIMT_WHOLE, 0);
  bar_covered(s, SB_COVER_LOAD_FAULT);
  bar_idle(s, l->calm + 8);
  bar_read_register(s, BAR_REG_ERROR_COUNT, 1);
  bar_write_register(s, BAR_REG_ERROR, 0, false);
  bar_save_context(s, 1);
  bar_load_context(s, 1, SIMT_WHOLE, 0);
  release(s);
  bar_read_register(s, BAR_REG_ERROR, 0);
  bar_op(s, BAR_NO_WAIT, 0, BAR_POP, 0, BAR_FAULT);
  bar_op(s, BAR_NO_WAIT, 0, BAR_INIT, 0, BAR_OK);
  bar_op(s, BAR_NO_WAIT, 0, BAR_POP, 0, BAR_UNDERFLOW);
}

void bar_test_context_refused(struct bar_script *s) {
  L;
  const uint64_t n = some(l);
  const unsigned places = l->threads > 32 ? 1 : 7;
  if (!fits(s, n)) return;
  bar_pushes(s, 0, 0, n);
  halt_now(s);
  bar_save_context(s, 0);
  for (unsigned spoil = SIMT_FLIP; spoil < SIMT_SPOILS; spoil++)
    for (unsigned i = 0; i < (spoil == SIMT_NONSENSE && places > 1 ? 96 : places); i++) {
      const uint32_t place = spoil == SIMT_NONSENSE ? i * 17 : i * 0x10203 + i;
      bar_load_context(s, 0, (enum simt_spoil)spoil, place);
      if (i == 3) bar_load_context(s, 0, SIMT_WHOLE, 0);
    }
  bar_covered(s, SB_COVER_REFUSED_HEADER);
  bar_covered(s, SB_COVER_REFUSED_PAYLOAD);
  bar_save_context(s, 1); /* the unit is clear */
  bar_load_context(s, 0, SIMT_WHOLE, 0);
  bar_load_context(s, 0, SIMT_OTHER_TYPE, 0); /* and as it was behind a header that does not fit */
  bar_load_context(s, 0, SIMT_OTHER_SHAPE, 5);
  release(s);
  bar_pops(s, BAR_ANY_WAIT, 0, 0, n);
}

/* Run-time registers with other values than the context's, before and behind loads that are refused. [US-9] */
void bar_test_registers_kept(struct bar_script *s) {
  L;
  static const enum simt_spoil payload[] = {SIMT_FLIP, SIMT_CUT, SIMT_LONGER, SIMT_UNREADABLE, SIMT_NONSENSE, SIMT_SHORTER};
  const uint64_t n = some(l);
  const uint32_t stride = l->set_bytes_lg + 4 < l->stride_max ? l->set_bytes_lg + 4 : l->stride_max;
  if (!fits(s, n) || l->threads > 64) return;
  bar_pushes(s, 0, 0, n);
  halt_now(s);
  bar_save_context(s, 0);
  bar_write_register(s, BAR_REG_BASE_LO, l->set_bytes, false);
  bar_write_register(s, BAR_REG_STRIDE_LG, stride, false);
  bar_write_register(s, BAR_REG_LIMIT, 0, false);
  bar_write_register(s, BAR_REG_THREAD, l->threads - 1, false);
  for (unsigned i = 0; i < sizeof payload / sizeof *payload; i++)
    for (uint32_t place = 0; place < 4; place++) {
      bar_load_context(s, 0, payload[i], place * 0x10203 + place);
      bar_read_register(s, BAR_REG_BASE_LO, l->set_bytes);
      bar_read_register(s, BAR_REG_STRIDE_LG, stride);
      bar_read_register(s, BAR_REG_LIMIT, 0);
      bar_read_register(s, BAR_REG_THREAD, l->threads - 1);
    }
  bar_covered(s, SB_COVER_REFUSED_PAYLOAD);
  bar_load_context(s, 0, SIMT_WHOLE, 0);
  bar_read_register(s, BAR_REG_BASE_LO, 0);
  bar_read_register(s, BAR_REG_STRIDE_LG, l->stride_max);
  bar_read_register(s, BAR_REG_THREAD, 0);
  release(s);
  bar_pops(s, BAR_ANY_WAIT, 0, 0, n);
}

/* A reset of the unit in each cycle of a save and of a load: what comes out or in is worth nothing, and the next one is whole. */
void bar_test_context_broken(struct bar_script *s) {
  L;
  const uint64_t n = some(l);
  if (!fits(s, n) || l->threads > 32) return;
  bar_pushes(s, 0, 0, n);
  halt_now(s);
  bar_save_context(s, 0);
  for (unsigned load = 0; load < 2; load++)
    for (unsigned gap = 1; gap < 8 + 4 * words(l); gap += gap < 24 || gap > 4 * words(l) - 8 ? 1 : 7) {
      if (load) bar_order_context(s, SIMT_LOAD, 0, SIMT_WHOLE, 0, false);
      else bar_order_context(s, SIMT_SAVE, 2, SIMT_WHOLE, 0, false);
      bar_idle(s, gap);
      bar_order(s, SIMT_UNIT_RESET, false);
      bar_order(s, SIMT_NO_ORDER, true);
      bar_order(s, SIMT_HALT, true);
      bar_save_context(s, 1); /* the unit is clear */
      bar_load_context(s, 0, SIMT_WHOLE, 0);
      bar_save_context(s, 0);
    }
  bar_covered(s, SB_COVER_BROKEN);
  release(s);
  bar_pops(s, BAR_ANY_WAIT, 0, 0, n);
}

void bar_test_moved_while_halted(struct bar_script *s) {
  L;
  const uint64_t n = many(l);
  if (!fits(s, 2)) return;
  bar_pushes(s, 0, 0, n);
  bar_write_register(s, BAR_REG_BASE_LO, l->set_bytes, true);
  halt_now(s);
  bar_write_register(s, BAR_REG_BASE_LO, l->set_bytes, false);
  bar_write_register(s, BAR_REG_STRIDE_LG, l->stride_max, false);
  bar_write_register(s, BAR_REG_LIMIT, 1, false);
  bar_covered(s, SB_COVER_MOVED);
  release(s);
  bar_op(s, BAR_ANY_WAIT, 0, BAR_PUSH, 0, BAR_OVERFLOW);
  bar_pops(s, BAR_ANY_WAIT, 0, 0, n);
}
