/* SPDX-License-Identifier: Apache-2.0 */
/* directed_times.c: the directed tests of every bit of the registers and of the times; where a time has few bits, counts
 * and times up to the end. What comes of an access the golden model says. */
#include "front_end_monitor/script.h"

enum { FEW = 8 }; /* bits of a time that a test can run through */

static bool few(const struct fem_script *s) { return s->e->l.time_w <= FEW; }

void fem_test_every_address(struct fem_script *s) {
  enum { ALL = 1 << FEM_REG_ADDR_W, ALIGNED = 4 };
  mode(s, FEM_ALL, FEM_BUSY, 0);
  put(s, FEM_REG_WINDOW, 0);
  for (uint32_t a = 0; a < ALL; a++) reads_any(s, a);
  for (uint32_t a = 0; a < ALL; a++) writes_any(s, a, a % ALIGNED); /* 0 to words: taken where there is one that takes it */
  for (uint32_t a = 0; a < ALL; a += ALIGNED) reads_any(s, a);
}

/* Each bit alone, and each bit missing; read behind each. A bit of COMMAND would begin something: not these three. */
static void every_bit(struct fem_script *s, unsigned half) {
  const struct fem_layout *l = &s->e->l;
  const uint32_t domain = half % l->domains, dead = half % l->deads;
  mode(s, FEM_ALL, FEM_BUSY, 0);
  for (uint32_t a = FEM_REG_IRQ_ENABLE; a < FEM_REG_LOST; a += 4) {
    if (a >= FEM_REG_LATE && a < FEM_REG_MASK) continue; /* only read */
    put(s, FEM_REG_DOMAIN, domain);
    put(s, FEM_REG_DEAD, dead);
    for (unsigned bit = a == FEM_REG_COMMAND ? 3 : 0; bit < 32; bit++) {
      const uint32_t one = UINT32_C(1) << bit;
      writes_any(s, a, one);
      reads_any(s, a);
      if (a == FEM_REG_COMMAND) continue;
      writes_any(s, a, ~one);
      writes_any(s, a, l->most_time & ~one);
      reads_any(s, a);
    }
    writes_any(s, a, 0);
  }
  put(s, FEM_REG_TIMEOUT, l->usual_time);
  put(s, FEM_REG_DOMAIN, domain);
  for (uint64_t i = 1; i < 200; i++) { /* bits of neighbours, in all pairs */
    const uint64_t mixed = i * UINT64_C(0x9e3779b97f4a7c15), bits = l->addr_w < 32 ? (UINT64_C(1) << l->addr_w) - 1 : UINT32_MAX;
    writes_any(s, FEM_REG_SAVE_BASE, (uint32_t)(mixed & bits));
    writes_any(s, FEM_REG_LOAD_BASE, (uint32_t)(mixed >> 24 & bits));
    reads_any(s, FEM_REG_SAVE_BASE);
    reads_any(s, FEM_REG_LOAD_BASE);
  }
}
void fem_test_every_bit(struct fem_script *s) {
  every_bit(s, 0); /* the first of the domains, */
  every_bit(s, 1); /* and another, where there is one */
}

static void long_windows(struct fem_script *s, unsigned dead) {
  const struct fem_layout *l = &s->e->l;
  put(s, FEM_REG_DEAD, dead);
  mode(s, FEM_ALL, FEM_STUCK, 0);
  put(s, FEM_REG_DEAD_POLICY, FEM_REPORT);
  for (unsigned bit = 5; bit < l->time_w; bit++)
    for (unsigned more = 0; more < 4; more++) {
      put(s, FEM_REG_WINDOW, (UINT32_C(1) << bit) + more);
      quiet(s, 12);
    }
  for (unsigned bit = 0; bit < l->time_w && few(s); bit++)
    for (unsigned more = 0; more < 2; more++) {
      put(s, FEM_REG_WINDOW, 0);
      mode(s, FEM_ALL, FEM_PULSE, 3);
      idle(s, 40);
      put(s, FEM_REG_WINDOW, (UINT32_C(1) << bit) + 4 * more);
      mode(s, FEM_ALL, FEM_STUCK, 0);
      idle(s, 2 * l->most_time);
      put(s, FEM_REG_IRQ_STATUS, 127);
    }
  put(s, FEM_REG_WINDOW, 0);
}
/* Windows of each length begin: none ends at once. */
void fem_test_long_windows(struct fem_script *s) {
  for (unsigned k = 0; k < s->e->l.deads; k++) {
    put(s, FEM_REG_DEAD, k);
    put(s, FEM_REG_WINDOW, 0);
  }
  for (unsigned k = 0; k < s->e->l.deads && k < 2; k++) long_windows(s, k);
}

static void begin_save(struct fem_script *s, uint32_t timeout) {
  put(s, FEM_REG_TIMEOUT, timeout);
  command(s, FEM_SAVE);
  halted(s, true);
}

/* The same of the timeout. */
void fem_test_long_timeouts(struct fem_script *s) {
  const struct fem_layout *l = &s->e->l;
  put(s, FEM_REG_WINDOW, 0);
  put(s, FEM_REG_TIMEOUT_POLICY, FEM_WAIT);
  mode(s, FEM_ALL, FEM_EVER, 0);
  idle(s, 40);
  for (unsigned bit = 6; bit < l->time_w; bit++)
    for (unsigned more = 0; more < 4; more++) {
      begin_save(s, (UINT32_C(1) << bit) + more);
      quiet(s, l->settle + 8);
      command(s, FEM_ABORT);
      halted(s, false);
    }
  for (unsigned bit = 0; bit < l->time_w && few(s); bit++) {
    begin_save(s, l->most_time & ~(bit < 6 ? UINT32_C(1) << bit : 0));
    irq(s, FEM_IRQ_TIMEOUT);
    irq(s, FEM_IRQ_TIMEOUT); /* once more */
    command(s, FEM_ABORT);
    halted(s, false);
  }
}

/* Deadlocks seen and resolved stay at the highest number. */
void fem_test_counts_full(struct fem_script *s) {
  const uint32_t most = s->e->l.most_time;
  if (!few(s)) return;
  for (unsigned k = 0; k < s->e->l.deads; k++) {
    put(s, FEM_REG_DEAD, k);
    put(s, FEM_REG_DEAD_POLICY, FEM_REPORT);
    put(s, FEM_REG_WINDOW, 12);
  }
  for (uint32_t i = 0; i < most + 3; i++) {
    mode(s, FEM_ALL, FEM_STUCK, 0);
    idle(s, 30);
    mode(s, FEM_ALL, FEM_PULSE, 1);
    idle(s, 20 + i % 2);
    put(s, FEM_REG_DEAD, i % s->e->l.deads);
    reads_any(s, FEM_REG_DEAD_SEEN);
    reads_any(s, FEM_REG_DEAD_RESOLVED);
    put(s, FEM_REG_IRQ_STATUS, 127);
  }
  for (unsigned k = 0; k < s->e->l.deads; k++) {
    put(s, FEM_REG_DEAD, k);
    gives(s, FEM_REG_DEAD_SEEN, most, UINT32_MAX);
    gives(s, FEM_REG_DEAD_RESOLVED, most, UINT32_MAX);
  }
}

/* The cycle counter, and the cycle of the last report, until it begins anew. */
void fem_test_cycles(struct fem_script *s) {
  enum { PARTS = 40 };
  if (!few(s)) return;
  put(s, FEM_REG_DEAD_POLICY, FEM_REPORT);
  for (unsigned i = 0; i < PARTS; i++) {
    idle(s, (unsigned)(s->e->l.most_cycle / (PARTS - 5)));
    reads_any(s, FEM_REG_CYCLE);
    reads_any(s, FEM_REG_CYCLE + 4);
    put(s, FEM_REG_WINDOW, 2);
    mode(s, FEM_ALL, FEM_STUCK, 0);
    idle(s, 20);
    put(s, FEM_REG_WINDOW, 0);
    mode(s, FEM_ALL, FEM_PULSE, 1);
    reads_any(s, FEM_REG_DEAD_CYCLE);
    reads_any(s, FEM_REG_DEAD_CYCLE + 4);
    put(s, FEM_REG_IRQ_STATUS, 127);
  }
}

/* The hub fails with each code, at the last domain's first unit; the registers show that domain. */
void fem_test_error_codes(struct fem_script *s) {
  mode(s, FEM_ALL, FEM_BUSY, 0);
  for (unsigned code = 1; code < 8; code++)
    for (unsigned turn = 0; turn < 2; turn++) {
      put(s, FEM_REG_DOMAIN, s->e->l.domains - 1);
      hub(s, 3, 1, code);
      command(s, turn ? FEM_SWITCH : FEM_DO_RESTORE);
      irq(s, FEM_IRQ_ERROR);
      reads_any(s, FEM_REG_STATUS);
      reads_any(s, FEM_REG_ERROR_UNIT);
      put(s, FEM_REG_DOMAIN, 0);
      reads_any(s, FEM_REG_STATUS);
      put(s, FEM_REG_DOMAIN, s->e->l.domains - 1);
      command(s, FEM_RETRY);
      irq(s, FEM_IRQ_DONE);
      reads_any(s, FEM_REG_STATUS);
      idle(s, 5 * turn);
    }
}

static void read_all(struct fem_script *s) {
  for (unsigned k = 0; k < 2; k++) {
    put(s, FEM_REG_DOMAIN, k % s->e->l.domains);
    put(s, FEM_REG_DEAD, k % s->e->l.deads);
    for (uint32_t a = 0; a < 1 << FEM_REG_ADDR_W; a += 4)
      if (a != FEM_REG_DOMAIN) reads_any(s, a);
  }
}

/* Everything is set, has counted and is under way, then comes rst_i. */
void fem_test_after_reset(struct fem_script *s) {
  const struct fem_layout *l = &s->e->l;
  const uint32_t bases = l->addr_w < 32 ? (UINT32_C(1) << l->addr_w) - 1 : UINT32_MAX;
  for (unsigned turn = 0; turn < 4; turn++) {
    put(s, FEM_REG_IRQ_ENABLE, 0); /* read again behind: a reset leaves none enabled */
    for (unsigned k = 0; k < l->domains && k < 2; k++) {
      put(s, FEM_REG_DOMAIN, k);
      put(s, FEM_REG_SAVE_BASE, bases);
      put(s, FEM_REG_LOAD_BASE, bases);
      put(s, FEM_REG_SLOTS, l->slots * 0x101);
    }
    for (unsigned k = 0; k < l->deads && k < 2; k++) {
      put(s, FEM_REG_DEAD, k);
      put(s, FEM_REG_DEAD_POLICY, turn & 1 ? 0x73 : 0);
      put(s, FEM_REG_WINDOW, 12 + turn);
    }
    writes_any(s, FEM_REG_MASK, 1);
    put(s, FEM_REG_TIMEOUT, 60 + turn);
    put(s, FEM_REG_TIMEOUT_POLICY, turn % 3);
    put(s, FEM_REG_CONN, l->conns - 1);
    mode(s, FEM_ALL, FEM_STUCK, 0);
    idle(s, 60);
    mode(s, FEM_ALL, FEM_PULSE, 1);
    idle(s, 40);
    mode(s, FEM_ALL, turn & 1 ? FEM_EVER : FEM_BUSY, 0);
    hub(s, 30, turn & 1 ? 0 : 1, 7);
    for (unsigned k = 0; k < l->domains; k++) {
      put(s, FEM_REG_DOMAIN, k);
      command(s, turn & 2 ? FEM_SWITCH : FEM_SAVE);
    }
    idle(s, 90 + 7 * turn);
    if (turn == 2) read_all(s);
    put(s, FEM_REG_IRQ_ENABLE, 127);
    fem_add_step(s, FEM_S_RESET, 0, 0, 0);
    read_all(s);
  }
}
