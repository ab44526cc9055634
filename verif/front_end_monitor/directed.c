/* SPDX-License-Identifier: Apache-2.0 */
/* directed.c: the directed tests: what software does, and what must come of it, said here and not taken from the
 * golden model (which looks as well). */
#include "front_end_monitor/script.h"

enum { TIMEOUT = 60 };

static unsigned last_of_domain(const struct fem_script *s) { /* a unit of switch domain 0 */
  const struct fem_layout *l = &s->e->l;
  unsigned unit = 0;
  for (unsigned c = 0; c < l->conns; c++)
    if (l->domain[c] == 0) unit = l->first[c];
  return unit;
}
static unsigned units_of_domain(const struct fem_script *s) {
  const struct fem_layout *l = &s->e->l;
  unsigned n = 0;
  for (unsigned c = 0; c < l->conns; c++)
    if (l->domain[c] == 0) n += l->first[c + 1] - l->first[c];
  return n;
}
/* ---- sequences ------------------------------------------------------------------------------------------------- */

static void test_switch(struct fem_script *s) {
  mode(s, FEM_ALL, FEM_BUSY, 0);
  put(s, FEM_REG_SAVE_BASE, 0x1000);
  put(s, FEM_REG_LOAD_BASE, 0x8000);
  idle(s, 40);
  command(s, FEM_SWITCH);
  fem_add_step(s, FEM_S_REACTION, 0, 0, 0);
  irq(s, FEM_IRQ_DONE);
  status(s, FEM_IDLE, FEM_SWITCH, 0, false);
  covered(s, FEM_COVER_SWITCH);
  command(s, FEM_SWITCH); /* at once: halted reports are still under way */
  irq(s, FEM_IRQ_DONE);
}

static void ends(struct fem_script *s, enum fem_command what, enum fem_cover point) {
  mode(s, FEM_ALL, FEM_BUSY, 9);
  idle(s, 30);
  command(s, what);
  irq(s, FEM_IRQ_DONE);
  status(s, FEM_IDLE, what, 0, false);
  covered(s, point);
}
static void test_save(struct fem_script *s) { ends(s, FEM_SAVE, FEM_COVER_SAVE); }
static void test_restore(struct fem_script *s) { ends(s, FEM_DO_RESTORE, FEM_COVER_RESTORE); }
static void test_empty(struct fem_script *s) { ends(s, FEM_EMPTY, FEM_COVER_EMPTY); }

static void test_rehalt(struct fem_script *s) {
  put(s, FEM_REG_IRQ_ENABLE, 0);
  mode(s, FEM_ALL, FEM_BUSY, 0);
  for (int i = 0; i < 3; i++) {
    command(s, FEM_SAVE);
    halted(s, true);
    halted(s, false);
  }
  command(s, FEM_SAVE);
  halted(s, false);
  covered(s, FEM_COVER_SAVE);
  if (s->e->l.stages > 2) covered(s, FEM_COVER_REHALT);
}

static void test_drain(struct fem_script *s) {
  mode(s, FEM_ALL, FEM_STUCK, 0);
  idle(s, 30);
  command(s, FEM_DO_DRAIN);
  refused(s, FEM_REG_COMMAND, FEM_SWITCH);
  quiet(s, 100);
  mode(s, FEM_ALL, FEM_NO_WORK, 0);
  irq(s, FEM_IRQ_DONE);
  status(s, FEM_IDLE, FEM_DO_DRAIN, 0, false);
  mode(s, FEM_ALL, FEM_STUCK, 0);
  idle(s, 30);
  command(s, FEM_DO_DRAIN);
  idle(s, 30);
  command(s, FEM_ABORT);
  status(s, FEM_IDLE, FEM_DO_DRAIN, FEM_ABORTED, false);
}

static void test_abort(struct fem_script *s) {
  mode(s, FEM_ALL, FEM_NEVER, 0);
  idle(s, 20);
  command(s, FEM_SWITCH);
  halted(s, true);
  idle(s, 50);
  command(s, FEM_ABORT);
  halted(s, false);
  status(s, FEM_IDLE, FEM_SWITCH, FEM_ABORTED, false);
  refused(s, FEM_REG_COMMAND, FEM_ABORT);
  refused(s, FEM_REG_COMMAND, FEM_RETRY);
  covered(s, FEM_COVER_ABORT_HALT);
  mode(s, FEM_ALL, FEM_BUSY, 0);
  hub(s, 200 + 2 * s->e->l.conns, 0, 0);
  command(s, FEM_SAVE);
  idle(s, 100 + 2 * s->e->l.conns); /* the first connection is found, and not stored yet */
  command(s, FEM_ABORT);
  halted(s, false);
  covered(s, FEM_COVER_ABORT_HUB);
  status(s, FEM_IDLE, FEM_SAVE, FEM_ABORTED, false);
}

static void test_refused(struct fem_script *s) {
  mode(s, FEM_ALL, FEM_NEVER, 0);
  command(s, FEM_SWITCH);
  for (uint32_t c = FEM_SWITCH; c <= FEM_DO_DRAIN; c++) refused(s, FEM_REG_COMMAND, c);
  refused(s, FEM_REG_COMMAND, 0);
  refused(s, FEM_REG_COMMAND, 8);
  refused(s, FEM_REG_SAVE_BASE, 0);
  refused(s, FEM_REG_LOAD_BASE, 0);
  refused(s, FEM_REG_SLOTS, 0);
  refused(s, FEM_REG_TIMEOUT, 1);
  refused(s, FEM_REG_TIMEOUT, s->e->l.settle);
  refused(s, FEM_REG_STATUS, 0);
  refused(s, FEM_REG_MASK + 128, 0);
  refused(s, FEM_REG_IRQ_ENABLE, 128);
  refused(s, FEM_REG_DEAD_POLICY, 16);
  refused(s, FEM_REG_DOMAIN, s->e->l.domains);
  refused(s, FEM_REG_DEAD, s->e->l.deads);
  refused(s, FEM_REG_CONN, s->e->l.conns);
  mode(s, FEM_ALL, FEM_BUSY, 0);
  irq(s, FEM_IRQ_DONE);
  covered(s, FEM_COVER_REFUSED_BUSY);
  covered(s, FEM_COVER_BASE_REFUSED);
}

static void test_store_error(struct fem_script *s) {
  mode(s, FEM_ALL, FEM_BUSY, 0);
  hub(s, 3, units_of_domain(s), 6); /* the last store */
  command(s, FEM_SWITCH);
  irq(s, FEM_IRQ_ERROR);
  status(s, FEM_STOP, FEM_SWITCH, 6, false);
  refused(s, FEM_REG_COMMAND, FEM_SWITCH);
  quiet(s, 300);
  command(s, FEM_RETRY);
  irq(s, FEM_IRQ_DONE);
  status(s, FEM_IDLE, FEM_SWITCH, 0, false);
  covered(s, FEM_COVER_SWITCH);
  hub(s, 3, 1, 7);
  command(s, FEM_SAVE);
  irq(s, FEM_IRQ_ERROR);
  status(s, FEM_STOP, FEM_SAVE, 7, false);
  command(s, FEM_ABORT);
  halted(s, false);
  status(s, FEM_IDLE, FEM_SAVE, FEM_ABORTED, false);
  covered(s, FEM_COVER_ABORT_STOP);
  covered(s, FEM_COVER_RETRY_SAVE);
}

static void test_restore_error(struct fem_script *s) {
  mode(s, FEM_ALL, FEM_BUSY, 0);
  hub(s, 3, 1, 5);
  command(s, FEM_DO_RESTORE);
  irq(s, FEM_IRQ_ERROR);
  status(s, FEM_STOP, FEM_DO_RESTORE, 5, false);
  command(s, FEM_RETRY);
  irq(s, FEM_IRQ_DONE);
  status(s, FEM_IDLE, FEM_DO_RESTORE, 0, false);
  covered(s, FEM_COVER_RETRY_LOAD);
  hub(s, 3, 2 * units_of_domain(s), 2);
  command(s, FEM_SWITCH);
  irq(s, FEM_IRQ_ERROR);
  status(s, FEM_STOP, FEM_SWITCH, 2, false);
  command(s, FEM_ABORT);
  halted(s, false);
}

/* A refused restore: software points at another image, or starts empty. */
static void test_restart(struct fem_script *s) {
  mode(s, FEM_ALL, FEM_BUSY, 0);
  put(s, FEM_REG_LOAD_BASE, 0x1000);
  for (unsigned i = 0; i < 4; i++) {
    enum fem_command what = i & 1 ? FEM_EMPTY : FEM_DO_RESTORE, first = i & 2 ? FEM_SWITCH : FEM_DO_RESTORE;
    hub(s, 3, i & 2 ? units_of_domain(s) + 1 : units_of_domain(s), 5);
    command(s, first);
    irq(s, FEM_IRQ_ERROR);
    status(s, FEM_STOP, first, 5, false);
    refused(s, FEM_REG_SAVE_BASE, 0x4000);
    for (uint32_t c = FEM_SWITCH; c <= FEM_DO_DRAIN; c++)
      if (c != FEM_DO_RESTORE && c != FEM_EMPTY) refused(s, FEM_REG_COMMAND, c);
    put(s, FEM_REG_LOAD_BASE, 0x2000 + 0x1000 * i); /* the golden model looks where the hub is sent */
    put(s, FEM_REG_SLOTS, 0);
    command(s, what);
    irq(s, FEM_IRQ_DONE);
    status(s, FEM_IDLE, what, 0, false);
    halted(s, false);
  }
  covered(s, FEM_COVER_RESTART_LOAD);
  covered(s, FEM_COVER_RESTART_EMPTY);
}

/* One by one: stopped by the timeout while the hub stores another unit, then started empty: what the hub is at is awaited,
 * and its error is nobody's any more. */
static void test_restart_hub(struct fem_script *s) {
  unsigned last = last_of_domain(s);
  if (!s->e->l.each || s->e->l.conns_of[0] < 3) return;
  mode(s, FEM_ALL, FEM_BUSY, 0);
  mode(s, last, FEM_NEVER, 0);
  /* The first connection is stored and reset, and the hub is at work for the second, when the time is up. */
  unsigned units = s->e->l.first[1], delay = 100 + 2 * s->e->l.conns;
  put(s, FEM_REG_TIMEOUT, within(s, s->e->l.settle + s->e->l.conns + units * (delay + 3) + delay / 3));
  put(s, FEM_REG_TIMEOUT_POLICY, FEM_GIVE_UP);
  hub(s, delay, units + 1, 6);
  command(s, FEM_SWITCH);
  irq(s, FEM_IRQ_TIMEOUT | FEM_IRQ_ERROR);
  status(s, FEM_STOP, FEM_SWITCH, FEM_TIMED_OUT, false);
  mode(s, last, FEM_BUSY, 0);
  command(s, FEM_EMPTY);
  irq(s, FEM_IRQ_DONE);
  status(s, FEM_IDLE, FEM_EMPTY, 0, false);
  covered(s, FEM_COVER_RESTART_EMPTY);
}

static void test_reset(struct fem_script *s) {
  mode(s, FEM_ALL, FEM_BUSY, 0);
  hub(s, 300, 0, 0);
  command(s, FEM_SAVE);
  fem_add_step(s, FEM_S_REACTION, 0, 0, 0);
  idle(s, 20);
  fem_add_step(s, FEM_S_RESET, 0, 0, 0);
  covered(s, FEM_COVER_RESET_UNDER_WAY);
  status(s, FEM_IDLE, 0, 0, false);
  put(s, FEM_REG_IRQ_ENABLE, 127);
  hub(s, 3, 0, 0);
  command(s, FEM_SWITCH);
  irq(s, FEM_IRQ_DONE);
}

static void test_slots(struct fem_script *s) {
  unsigned most = s->e->l.slots;
  mode(s, FEM_ALL, FEM_BUSY, 0);
  refused(s, FEM_REG_SLOTS, most + 1);
  put(s, FEM_REG_SLOTS, most | most << 8);
  command(s, FEM_SWITCH);
  irq(s, FEM_IRQ_DONE);
  covered(s, FEM_COVER_LOCAL_SLOT);
}

/* ---- halt timeout ------------------------------------------------------------------------------------------------ */

static void late_one(struct fem_script *s, enum fem_mode m, enum fem_timeout_policy policy) {
  mode(s, FEM_ALL, FEM_BUSY, 0);
  mode(s, last_of_domain(s), m, 0);
  put(s, FEM_REG_TIMEOUT, TIMEOUT);
  put(s, FEM_REG_TIMEOUT_POLICY, policy);
}

static uint32_t late_bit(const struct fem_script *s, unsigned *word) {
  unsigned c = s->e->conn_of[last_of_domain(s)];
  *word = FEM_REG_LATE + 4 * (c / 32);
  return UINT32_C(1) << c % 32;
}

static void test_timeout_wait(struct fem_script *s) {
  unsigned word;
  uint32_t bit = late_bit(s, &word);
  late_one(s, FEM_NEVER, FEM_WAIT);
  command(s, FEM_EMPTY);
  irq(s, FEM_IRQ_TIMEOUT);
  gives(s, word, bit, bit);
  irq(s, FEM_IRQ_TIMEOUT); /* again, a timeout later */
  mode(s, FEM_ALL, FEM_BUSY, 0);
  irq(s, FEM_IRQ_DONE);
  status(s, FEM_IDLE, FEM_EMPTY, 0, false);
  covered(s, FEM_COVER_TIMEOUT_WAIT);
  covered(s, FEM_COVER_LATE_READ);
}

static void test_timeout_abort(struct fem_script *s) {
  late_one(s, FEM_NEVER, FEM_GIVE_UP);
  if (s->e->l.each) { /* one that halts is reset at once: no abort */
    for (unsigned c = 0; c < s->e->l.conns; c++) mode(s, s->e->l.first[c], FEM_NEVER, 0);
  }
  command(s, FEM_SWITCH);
  irq(s, FEM_IRQ_TIMEOUT | FEM_IRQ_ERROR);
  halted(s, false);
  status(s, FEM_IDLE, FEM_SWITCH, FEM_TIMED_OUT, false);
  covered(s, FEM_COVER_TIMEOUT_ABORT);
}

static void test_timeout_reset(struct fem_script *s) {
  unsigned word;
  uint32_t bit = late_bit(s, &word);
  late_one(s, FEM_NEVER, FEM_RESET_LATE);
  command(s, FEM_SWITCH);
  irq(s, FEM_IRQ_TIMEOUT);
  gives(s, word, bit, bit);
  refused(s, FEM_REG_COMMAND, FEM_ABORT);
  irq(s, FEM_IRQ_DONE);
  status(s, FEM_IDLE, FEM_SWITCH, 0, true);
  covered(s, FEM_COVER_TIMEOUT_RESET);
  covered(s, FEM_COVER_ABORT_REFUSED);
}

/* One by one: others are stored and reset all the while; the timeout counts from the halt request all the same. */
static void test_timeout_first(struct fem_script *s) {
  unsigned n = s->e->l.conns_of[0], word;
  uint32_t bit = late_bit(s, &word);
  if (!s->e->l.each || n < 3) return;
  late_one(s, FEM_NEVER, FEM_WAIT);
  put(s, FEM_REG_TIMEOUT, 2 * TIMEOUT);
  hub(s, 3 * TIMEOUT / (2 * (n - 1)), 0, 0);
  command(s, FEM_DO_RESTORE); /* resets those that halt at once, and restores them one behind the other */
  fem_add_step(s, FEM_S_IRQ, 0, 2 * TIMEOUT + 10, FEM_IRQ_TIMEOUT);
  gives(s, word, bit, bit);
  mode(s, FEM_ALL, FEM_BUSY, 0);
  irq(s, FEM_IRQ_DONE);
  covered(s, FEM_COVER_TIMEOUT_FIRST);
}

/* What the timeout has reset is not stored over its image (the golden model looks at the hub), and software is told. */
static void test_timeout_lost(struct fem_script *s) {
  unsigned word;
  uint32_t bit = late_bit(s, &word);
  for (unsigned i = 0; i < 2; i++) {
    enum fem_command what = i ? FEM_SAVE : FEM_SWITCH;
    late_one(s, FEM_NEVER, FEM_RESET_LATE);
    command(s, what);
    irq(s, FEM_IRQ_TIMEOUT);
    gives(s, word - FEM_REG_LATE + FEM_REG_LOST, bit, bit);
    irq(s, FEM_IRQ_DONE);
    status(s, FEM_IDLE, what, 0, true);
    gives(s, word - FEM_REG_LATE + FEM_REG_LOST, bit, s->e->l.each ? UINT32_MAX : bit);
  }
  covered(s, FEM_COVER_LOST_KEPT);
  mode(s, FEM_ALL, FEM_BUSY, 0);
  command(s, FEM_SAVE);
  irq(s, FEM_IRQ_DONE);
  gives(s, word - FEM_REG_LATE + FEM_REG_LOST, 0, UINT32_MAX);
}

/* Halts, and does not halt again behind the reset. */
static void test_timeout_after_reset(struct fem_script *s) {
  static const uint8_t policy[] = {FEM_WAIT, FEM_RESET_LATE, FEM_GIVE_UP};
  for (int i = 0; i < 3; i++) {
    late_one(s, FEM_BUSY, policy[i]);
    mode(s, FEM_ALL, FEM_BUSY, 0);
    hub(s, 40, 0, 0);
    idle(s, 20);
    command(s, FEM_DO_RESTORE);
    idle(s, 2);
    if (s->e->l.each) idle(s, 2 * s->e->l.stages + 3);
    else idle(s, s->e->l.settle + 1);
    mode(s, FEM_ALL, FEM_EVER, 0);
    irq(s, FEM_IRQ_TIMEOUT | (policy[i] == FEM_GIVE_UP ? FEM_IRQ_ERROR : 0u));
    mode(s, FEM_ALL, FEM_BUSY, 0);
    if (policy[i] == FEM_GIVE_UP) {
      status(s, FEM_STOP, FEM_DO_RESTORE, FEM_TIMED_OUT, false);
      command(s, FEM_RETRY);
    }
    irq(s, FEM_IRQ_DONE);
    status(s, FEM_IDLE, FEM_DO_RESTORE, 0, policy[i] == FEM_RESET_LATE);
  }
  covered(s, FEM_COVER_TIMEOUT_AGAIN);
  covered(s, FEM_COVER_TIMEOUT_STOP);
}

static void test_timeout_drain(struct fem_script *s) {
  unsigned word;
  uint32_t bit = late_bit(s, &word);
  mode(s, FEM_ALL, FEM_NO_WORK, 0);
  mode(s, last_of_domain(s), FEM_STUCK, 0);
  idle(s, 30);
  put(s, FEM_REG_TIMEOUT, TIMEOUT);
  put(s, FEM_REG_TIMEOUT_POLICY, FEM_RESET_LATE); /* a drain resets nothing: it waits */
  command(s, FEM_DO_DRAIN);
  irq(s, FEM_IRQ_TIMEOUT);
  gives(s, word, bit, bit);
  put(s, FEM_REG_TIMEOUT_POLICY, FEM_GIVE_UP);
  irq(s, FEM_IRQ_TIMEOUT | FEM_IRQ_ERROR);
  status(s, FEM_IDLE, FEM_DO_DRAIN, FEM_TIMED_OUT, false);
}

static void test_timeout_off(struct fem_script *s) {
  put(s, FEM_REG_TIMEOUT, 0);
  mode(s, FEM_ALL, FEM_BUSY, 0);
  mode(s, last_of_domain(s), FEM_NEVER, 0);
  command(s, FEM_SAVE);
  quiet(s, 1000);
  mode(s, FEM_ALL, FEM_BUSY, 0);
  irq(s, FEM_IRQ_DONE);
  covered(s, FEM_COVER_TIMEOUT_OFF);
}

/* Software gives a wait that has no end a timeout. */
static void test_timeout_late(struct fem_script *s) {
  put(s, FEM_REG_TIMEOUT, 0);
  mode(s, FEM_ALL, FEM_EVER, 0);
  put(s, FEM_REG_TIMEOUT_POLICY, FEM_RESET_LATE);
  command(s, FEM_EMPTY);
  quiet(s, 200);
  put(s, FEM_REG_TIMEOUT, TIMEOUT);
  irq(s, FEM_IRQ_TIMEOUT); /* reset, and they do not end it */
  put(s, FEM_REG_TIMEOUT, 0);
  quiet(s, 200);
  put(s, FEM_REG_IRQ_ENABLE, 127);
  put(s, FEM_REG_TIMEOUT, TIMEOUT);
  put(s, FEM_REG_TIMEOUT_POLICY, FEM_GIVE_UP);
  irq(s, FEM_IRQ_TIMEOUT | FEM_IRQ_ERROR);
  status(s, FEM_STOP, FEM_EMPTY, FEM_TIMED_OUT, true);
  command(s, FEM_ABORT);
  halted(s, false);
}

/* ---- domains, interrupts, statistics -------------------------------------------------------------------------------- */

static void test_domains(struct fem_script *s) {
  const struct fem_layout *l = &s->e->l;
  if (l->domains < 2) return;
  mode(s, FEM_ALL, FEM_BUSY, 0);
  mode(s, last_of_domain(s), FEM_NEVER, 0);
  command(s, FEM_SWITCH);
  put(s, FEM_REG_DOMAIN, 1);
  command(s, FEM_SWITCH);
  irq(s, FEM_IRQ_DONE); /* the second; the first waits */
  status(s, FEM_IDLE, FEM_SWITCH, 0, false);
  put(s, FEM_REG_DOMAIN, 0);
  gives(s, FEM_REG_STATUS, FEM_SWITCH << 4, 0xf70);
  refused(s, FEM_REG_COMMAND, FEM_SAVE);
  mode(s, FEM_ALL, FEM_BUSY, 0);
  irq(s, FEM_IRQ_DONE);
  covered(s, FEM_COVER_TWO_DOMAINS);
  covered(s, FEM_COVER_ONE_RELEASED);
}

static void test_interrupts(struct fem_script *s) {
  const struct fem_layout *l = &s->e->l;
  unsigned c = l->conns - 1, u = l->first[c];
  mode(s, FEM_ALL, FEM_BUSY, 0);
  quiet(s, 100);
  mode(s, u, FEM_NACKED, 0);
  irq(s, FEM_IRQ_NACK);
  gives(s, FEM_REG_NACK_CONN, c, UINT32_MAX);
  put(s, FEM_REG_CONN, c);
  gives(s, FEM_REG_CONN_STATE, 0x80, 0x80);
  irq(s, FEM_IRQ_NACK); /* the bit is set until the unit's is cleared */
  put(s, FEM_REG_IRQ_ENABLE, 127 & ~(uint32_t)FEM_IRQ_NACK);
  command(s, FEM_EMPTY); /* resets it */
  put(s, FEM_REG_IRQ_ENABLE, 127 & ~(uint32_t)FEM_IRQ_NACK);
  halted(s, l->domain[0] == 0 && c == 0);
  idle(s, 300);
  put(s, FEM_REG_IRQ_STATUS, 127);
  covered(s, FEM_COVER_IRQ_NACK);
  for (unsigned v = l->first[c]; v < l->first[c + 1]; v++) mode(s, v, FEM_WRONG, 2);
  idle(s, l->conns + 40);
  gives(s, FEM_REG_ILLEGAL_CONN, c, UINT32_MAX);
  covered(s, FEM_COVER_IRQ_ILLEGAL);
}

static void test_statistics(struct fem_script *s) {
  const struct fem_layout *l = &s->e->l;
  bool counts = l->stats != FEM_STATS_NONE;
  unsigned interval = l->stats == FEM_STATS_EXACT ? 1 : l->conns + 4;
  mode(s, FEM_ALL, FEM_NO_WORK, 0);
  put(s, FEM_REG_CONN, 0);
  if (!counts) {
    refused(s, FEM_REG_STATS_CONTROL, 2);
    return;
  }
  idle(s, 8 * l->conns + 40);
  put(s, FEM_REG_STATS_CONTROL, 2);
  idle(s, 8 * l->conns + 1000 * interval);
  put(s, FEM_REG_STATS_CONTROL, 1);
  idle(s, 8 * l->conns + 40); /* what is under way gets there */
  gives(s, FEM_REG_COUNT, 0x3e0, UINT32_MAX & ~(uint32_t)0x1f); /* 992 to 1023 of them, empty */
  gives(s, FEM_REG_COUNT_HI, 0, UINT32_MAX);
  gives(s, FEM_REG_COUNT + 4, 0, UINT32_MAX);
  gives(s, FEM_REG_COUNT + 16, 0, UINT32_MAX);
  put(s, FEM_REG_STATS_CONTROL, 0);
  mode(s, FEM_ALL, FEM_BUSY, 20);
  idle(s, 40);
  command(s, FEM_SAVE);
  irq(s, FEM_IRQ_DONE);
  gives(s, FEM_REG_HALT_LAST, 0, ~UINT32_C(0xfff)); /* less than 4,096 */
  covered(s, FEM_COVER_COUNT_READ);
  covered(s, FEM_COVER_STATS_CLEAR);
  if (l->conns <= 16) covered(s, FEM_COVER_LATENCY_READ);
}

/* Several connections are nacked and interrupts cleared in every cycle of the turn: the one that is named raised it. */
static void test_irq_owner(struct fem_script *s) {
  mode(s, FEM_ALL, FEM_NACKED, 0);
  idle(s, 40);
  for (unsigned i = 0; i < 40; i++) {
    put(s, FEM_REG_IRQ_STATUS, 127);
    gives(s, FEM_REG_NACK_CONN, 0, 0); /* the golden model knows which */
    idle(s, 1 + i % 7);
  }
  covered(s, FEM_COVER_IRQ_NACK);
}

/* Held counts stand still from the hold on, each with what came before it. */
static void test_hold(struct fem_script *s) {
  const struct fem_layout *l = &s->e->l;
  if (l->stats == FEM_STATS_NONE) return;
  mode(s, FEM_ALL, FEM_BUSY, 0);
  idle(s, 9 * l->conns + 200);
  for (unsigned i = 0; i < 3; i++) {
    put(s, FEM_REG_STATS_CONTROL, 1);
    for (unsigned n = 0; n < 12; n++) {
      put(s, FEM_REG_CONN, n < 6 ? 0 : l->conns - 1);
      gives(s, FEM_REG_COUNT + 4 * (n % 6), 0, 0); /* the golden model knows what */
      gives(s, FEM_REG_COUNT_HI, 0, UINT32_MAX);
    }
    put(s, FEM_REG_STATS_CONTROL, 0);
    idle(s, 50 + 7 * i);
  }
  covered(s, FEM_COVER_COUNT_READ);
}

/* What halted before the statistics are cleared is not taken for halted then; the next halt is. */
static void test_clear_halted(struct fem_script *s) {
  const struct fem_layout *l = &s->e->l;
  if (l->stats == FEM_STATS_NONE) return;
  mode(s, FEM_ALL, FEM_BUSY, 0);
  hub(s, 40 * l->conns + 400, 0, 0);
  idle(s, 9 * l->conns + 40);
  command(s, FEM_SAVE);
  halted(s, true);
  idle(s, 3 * l->conns + 100);
  put(s, FEM_REG_STATS_CONTROL, 2);
  gives(s, FEM_REG_HALT_LAST, 0, UINT32_MAX);
  idle(s, 12 * l->conns + 40);
  gives(s, FEM_REG_HALT_LAST, 0, UINT32_MAX);
  gives(s, FEM_REG_HALT_WORST, 0, UINT32_MAX);
  hub(s, 3, 0, 0);
  irq(s, FEM_IRQ_DONE);
  idle(s, 2 * l->conns + 40);
  hub(s, 2 * l->conns + 100, 0, 0);
  command(s, FEM_SAVE);
  irq(s, FEM_IRQ_DONE);
  covered(s, FEM_COVER_STATS_CLEAR);
  gives(s, FEM_REG_HALT_LAST, 0, 0);
  if (l->domain[0] == 0) covered(s, FEM_COVER_LATENCY_READ);
}

/* The latency of slow units is the worst, that of quick ones behind it the last. */
static void test_latency(struct fem_script *s) {
  const struct fem_layout *l = &s->e->l;
  static const uint8_t slow[] = {0, 200, 90, 3};
  if (l->stats == FEM_STATS_NONE) return;
  idle(s, 9 * l->conns + 40);
  for (unsigned i = 0; i < sizeof slow; i++) {
    mode(s, FEM_ALL, FEM_BUSY, slow[i]);
    hub(s, 2 * l->conns + 40, 0, 0);
    idle(s, 2 * l->conns + 40);
    command(s, FEM_SWITCH);
    irq(s, FEM_IRQ_DONE);
    for (unsigned c = 0; c < l->conns; c += l->conns > 8 ? 5 : 1) {
      put(s, FEM_REG_CONN, c);
      gives(s, FEM_REG_HALT_LAST, 0, 0); /* the golden model knows what */
      gives(s, FEM_REG_HALT_WORST, 0, 0);
    }
    for (unsigned t = 0; t < 4; t++) gives(s, FEM_REG_TIME + 4 * t, 0, 0);
    covered(s, FEM_COVER_LATENCY_READ);
  }
}

const struct simt_named fem_directed[] = {
  {"switch", "A whole switch of a domain: halt, store, reset, restore, release; and another at once.", "US-8 US-12"},
  {"save", "Save only: halt, store, release.", "US-8"},
  {"restore", "Restore only: halt, reset, restore, release.", "US-8"},
  {"empty", "Start empty: halt, reset, release.", "US-8"},
  {"rehalt", "Halted right behind a release, while reports of the former halt are under way.", "US-7 US-8"},
  {"drain", "Drain: waits until all are empty, commands nothing.", "US-8"},
  {"abort", "Abort while units halt, and while the hub stores.", "US-8"},
  {"refused", "What is refused while a command runs, and always.", "US-12 US-15"},
  {"store_error", "The hub fails in mid-store: stopped, then retried, or released.", "US-8"},
  {"restore_error", "The hub fails in mid-restore: stopped, then retried, or released.", "US-8"},
  {"restart", "The hub refuses a restore: another image, or started empty.", "US-8 US-9"},
  {"restart_hub", "Stopped by the timeout while the hub is at work, then started empty.", "US-8 US-15"},
  {"reset", "rst_i while the hub stores; everything begins anew.", "US-12"},
  {"slots", "Local slots, as far as there are any.", "US-9"},
  {"timeout_wait", "A unit does not halt; policy wait.", "US-15"},
  {"timeout_abort", "A unit does not halt; policy abort.", "US-15"},
  {"timeout_reset", "A unit does not halt; policy reset.", "US-15"},
  {"timeout_first", "A unit does not halt while others are stored and reset.", "US-15"},
  {"timeout_lost", "What the timeout has reset is not stored.", "US-9 US-15"},
  {"timeout_after_reset", "Units do not halt again behind the reset, under each policy.", "US-15"},
  {"timeout_drain", "A unit does not get empty in a drain.", "US-15"},
  {"timeout_off", "No timeout.", "US-15"},
  {"timeout_late", "A timeout is written while a wait without one runs.", "US-15"},
  {"dead_bound", "A deadlock is reported exactly at the end of its window.", "US-10 US-12"},
  {"dead_progress", "One cycle of progress in each window: no report.", "US-10"},
  {"dead_turns", "Connections that wait in turns; cycles in which none waits.", "US-10"},
  {"dead_resume", "Those that gather are resumed, and it helps.", "US-7 US-10"},
  {"dead_mask", "Reset by mask.", "US-7 US-10"},
  {"dead_reset", "Reset of all.", "US-7 US-10"},
  {"dead_spared", "Those that only gather are told to resume where others are reset.", "US-7 US-10"},
  {"dead_reported", "A report does not use up the resume of those that only gather.", "US-10"},
  {"dead_next", "The first policy does not help, the next one does.", "US-10"},
  {"dead_held", "A window is held under halt, restarted by a write, and may be off.", "US-10"},
  {"dead_released", "Windows that end right behind a release: reports of halted units are no deadlock.", "US-10"},
  {"dead_domains", "One deadlock domain is dead, others show progress.", "US-10"},
  {"domains", "Two switch domains at once; one is released while the other waits.", "US-8"},
  {"interrupts", "Nack and illegal reports.", "US-12"},
  {"irq_race", "Interrupts are cleared in the cycle in which they come.", "US-12"},
  {"irq_owner", "The connection that a nack interrupt names, with others nacked and interrupts cleared at any time.", "US-12"},
  {"statistics", "Counts are held, read and cleared; halt latency.", "US-11"},
  {"hold", "Held counts stand still from the hold on.", "US-11"},
  {"clear_halted", "Statistics are cleared under halt.", "US-11"},
  {"latency", "Halt latency, last and worst, and times by phase.", "US-11"},
  {"every_address", "Every address is read and written.", "US-12"},
  {"every_bit", "Every bit of every register that is written.", "US-12"},
  {"long_windows", "Windows of all lengths begin; where a time has few bits they end, too.", "US-10"},
  {"long_timeouts", "The same of the halt timeout.", "US-15"},
  {"counts_full", "Counts of deadlocks stay at the highest number, where a time has few bits.", "US-11"},
  {"cycles", "The cycle counter until it begins anew, where a time has few bits.", "US-12"},
  {"error_codes", "The hub fails with each code, in the last domain.", "US-8 US-12"},
  {"after_reset", "rst_i when everything is set, has counted and is under way.", "US-12"},
  {NULL, NULL, NULL}};

fem_test *const fem_tests[] = {
  test_switch, test_save, test_restore, test_empty, test_rehalt, test_drain, test_abort, test_refused, test_store_error,
  test_restore_error, test_restart, test_restart_hub, test_reset, test_slots, test_timeout_wait, test_timeout_abort, test_timeout_reset,
  test_timeout_first, test_timeout_lost, test_timeout_after_reset,
  test_timeout_drain, test_timeout_off, test_timeout_late, fem_test_dead_bound, fem_test_dead_progress, fem_test_dead_turns,
  fem_test_dead_resume, fem_test_dead_mask, fem_test_dead_reset, fem_test_dead_spared, fem_test_dead_reported, fem_test_dead_next, fem_test_dead_held,
  fem_test_dead_released, fem_test_dead_domains, test_domains, test_interrupts, fem_test_irq_race, test_irq_owner, test_statistics, test_hold,
  test_clear_halted, test_latency, fem_test_every_address, fem_test_every_bit, fem_test_long_windows, fem_test_long_timeouts,
  fem_test_counts_full, fem_test_cycles, fem_test_error_codes, fem_test_after_reset, NULL};
