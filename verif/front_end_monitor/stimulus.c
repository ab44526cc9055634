/* SPDX-License-Identifier: Apache-2.0 */
/* stimulus.c: random choices: moods that change the units now and then, and software that uses the registers. */
#include <string.h>

#include "front_end_monitor/env.h"

/* Chances in 4096 per cycle: a register access, a new mode of a unit, a reset; of 256: the hub takes, ends, fails. */
struct fem_env_profile { uint16_t reg, mode, all, reset; uint8_t ready, done, fails, command, window, slow; bool wild; };

const struct simt_named fem_profiles[] = {
  {"switching", "Units halt fast; switches of every kind, one behind the other.", "US-7 US-8"},
  {"troubled", "The hub fails, units are slow, commands are cut short.", "US-8 US-15"},
  {"timeouts", "Units that do not halt, short timeouts, every policy.", "US-15"},
  {"deadlocks", "Units that wait, gather and blink; short windows, every policy.", "US-10"},
  {"registers", "Register traffic of every kind.", "US-11 US-12"},
  {"busy", "Every domain shows progress in each window, and switches now and then: no deadlock may be reported.", "US-10"},
  {"mixed", "All of it, and resets.", "US-7 US-8 US-10 US-12 US-15"},
  {"wild", "Reports that no unit gives, a hub that ends what nobody asked for: model and RTL are alike.", "US-8 US-10"},
  {NULL, NULL, NULL}};
static const struct fem_env_profile plan[] = {
  {1200, 40, 4, 0, 128, 64, 0, 200, 0, 8, false},
  {900, 120, 10, 0, 64, 24, 40, 160, 20, 60, false},
  {900, 120, 30, 0, 128, 64, 8, 140, 10, 120, false},
  {500, 60, 60, 0, 128, 64, 0, 30, 90, 8, false},
  {3000, 80, 10, 0, 128, 64, 4, 20, 10, 20, false},
  {60, 60, 2, 0, 128, 64, 0, 100, 0, 0, false},
  {1200, 120, 20, 2, 100, 48, 16, 100, 40, 60, false},
  {1200, 80, 10, 2, 128, 32, 16, 140, 40, 60, true},
};
enum { PROFILES = sizeof plan / sizeof *plan, BUSY = PROFILES - 3, BUSY_WINDOW = 64 };

static uint64_t below(struct fem_env *e, uint64_t n) { return simt_rng_below(&e->rng, n); }

void fem_random_restart(struct fem_env *e) {
  e->chosen = e->segment_end = 0;
  e->profile = PROFILES - 1;
}

static void next_segment(struct fem_env *e) {
  uint64_t share = e->stim.cycles / PROFILES + 1;
  e->segment_end = e->chosen + share;
  if (!e->stim.profile) {
    e->profile = (e->profile + 1) % PROFILES;
    return;
  }
  for (e->profile = 0; strcmp(fem_profiles[e->profile].name, e->stim.profile);) e->profile++;
}

static void write_to(struct fem_choice *c, uint32_t addr, uint32_t data) {
  c->flags |= FEM_DO_REG | FEM_DO_WRITE;
  c->reg_addr = (uint16_t)addr;
  c->reg_data = data;
}

/* A number below `n`, now and then with another bit set, of which most are refused. */
static uint32_t mostly_below(struct fem_env *e, unsigned n) {
  const uint64_t draw = below(e, UINT64_C(16) * 32 * n);
  return (uint32_t)(draw % n | (draw / n < 32 ? UINT64_C(1) << draw / n : 0));
}

static void give_command(struct fem_env *e, struct fem_choice *c) {
  static const uint8_t what[] = {1, 1, 1, 2, 3, 3, 4, 4, 5, 6, 6, 7, 7, 7, 0};
  if (e->l.domains > 1 && below(e, 3) == 0) write_to(c, FEM_REG_DOMAIN, mostly_below(e, e->l.domains));
  else write_to(c, FEM_REG_COMMAND, what[below(e, sizeof what)] | (below(e, 16) ? 0 : UINT32_C(8) << below(e, 29))); /* or a bit too many */
}

static void set_timeout(struct fem_env *e, struct fem_choice *c, unsigned slow) {
  if (below(e, 3) == 0) write_to(c, FEM_REG_TIMEOUT_POLICY, mostly_below(e, 3));
  else write_to(c, FEM_REG_TIMEOUT, (uint32_t)(below(e, 256) >= slow ? e->l.usual_time : below(e, 8) == 0 ? 0 : below(e, 10) == 0 ? 1 + below(e, 20) : 20 + below(e, 200)));
}

static void set_window(struct fem_env *e, struct fem_choice *c) {
  switch (below(e, 4)) {
  case 0: write_to(c, FEM_REG_WINDOW, (uint32_t)(below(e, 6) == 0 ? below(e, 3) : 8 + below(e, 100))); break;
  case 1: write_to(c, FEM_REG_DEAD_POLICY, (uint32_t)(below(e, 4) | (below(e, 2) ? 64 | below(e, 4) << 4 : 0))); break;
  case 2: write_to(c, FEM_REG_DEAD, mostly_below(e, e->l.deads)); break;
  default: {
    unsigned word = (unsigned)below(e, (e->l.commands + 31) / 32), left = e->l.commands - 32 * word;
    uint32_t all = left >= 32 ? UINT32_MAX : (UINT32_C(1) << left) - 1;
    write_to(c, FEM_REG_MASK + 4 * word, (uint32_t)simt_rng_next(&e->rng) & all);
  }
  }
}

static void any_access(struct fem_env *e, struct fem_choice *c) {
  static const uint16_t good[] = {
    FEM_REG_IRQ_STATUS, FEM_REG_IRQ_STATUS, FEM_REG_IRQ_ENABLE, FEM_REG_SAVE_BASE, FEM_REG_LOAD_BASE, FEM_REG_SLOTS, FEM_REG_CONN,
    FEM_REG_STATS_CONTROL, FEM_REG_STATUS, FEM_REG_CONN_STATE, FEM_REG_HALT_LAST, FEM_REG_COUNT, FEM_REG_COUNT_HI, FEM_REG_LATE,
    FEM_REG_DEAD_CONNS, FEM_REG_LOST, FEM_REG_CYCLE, FEM_REG_DEAD_LAST, FEM_REG_DEAD_CYCLE, FEM_REG_TIME, FEM_REG_DEAD_SEEN,
    FEM_REG_NACK_CONN, FEM_REG_ERROR_UNIT, FEM_REG_COUNT + 16, FEM_REG_TIMEOUT, FEM_REG_WINDOW, FEM_REG_DEAD_POLICY, FEM_REG_DEAD,
    FEM_REG_DEAD_RESOLVED, FEM_REG_ILLEGAL_CONN, FEM_REG_MASK};
  uint64_t r = simt_rng_next(&e->rng);
  c->flags |= FEM_DO_REG;
  c->reg_addr = (uint16_t)(r & 3 ? good[below(e, sizeof good / sizeof *good)] + 4 * (r >> 2 & 7 ? 0 : r >> 5 & 3) : r >> 8 & 0x3ff);
  c->reg_data = (uint32_t)(r >> 32);
  if (r >> 18 & 1) c->reg_data &= 127;
  if (c->reg_addr >= FEM_REG_SAVE_BASE && c->reg_addr < FEM_REG_SLOTS && r >> 20 & 3) {
    unsigned bits = e->l.addr_w - (c->reg_addr & 4 && e->l.addr_w > 32 ? 32 : 0);
    if (bits < 32) c->reg_data = (uint32_t)(r >> 32) & ((UINT32_C(1) << bits) - 1);
  }
  if (c->reg_addr == FEM_REG_STATS_CONTROL && below(e, 4)) c->reg_data = 0;
  if (c->reg_addr == FEM_REG_CONN) c->reg_data = mostly_below(e, e->l.conns);
  if ((c->reg_addr & ~4) == FEM_REG_SLOTS) c->reg_data &= 0x303;
  bool dangerous = c->reg_addr == FEM_REG_COMMAND || (c->reg_addr >= FEM_REG_TIMEOUT && c->reg_addr <= FEM_REG_DEAD_POLICY);
  if (r >> 19 & 1 && !dangerous) c->flags |= FEM_DO_WRITE;
}

/* Progress in every window; pulses of one unit alone keep its domain alive. */
static void keep_busy(struct fem_env *e, struct fem_choice *c) {
  c->mode = (uint8_t)(below(e, 3) ? FEM_PULSE : FEM_BUSY);
  c->arg = (uint16_t)below(e, c->mode == FEM_PULSE ? BUSY_WINDOW - 8 : 20);
  c->flags &= (uint16_t)~(FEM_DO_REG | FEM_DO_WRITE);
  if (e->sw.dead) write_to(c, FEM_REG_DEAD, 0);
  else if (e->window[0].window != BUSY_WINDOW) write_to(c, FEM_REG_WINDOW, BUSY_WINDOW);
  else if (below(e, 16) == 0) write_to(c, FEM_REG_COMMAND, FEM_SAVE);
  if (e->window[0].window != BUSY_WINDOW) c->flags |= FEM_SET_ALL;
}

static void set_mode(struct fem_env *e, struct fem_choice *c, unsigned slow, bool all) {
  static const uint8_t quiet[] = {FEM_GATHERS, FEM_GATHERS, FEM_STUCK, FEM_BLINKS, FEM_PULSE, FEM_NO_WORK};
  uint64_t r = simt_rng_next(&e->rng);
  c->flags |= all ? FEM_SET_ALL : FEM_SET_MODE;
  c->unit = (uint16_t)(r >> 32);
  c->arg = (uint16_t)(r >> 48 & 7);
  c->mode = FEM_BUSY;
  if ((r & 255) < slow) c->mode = (uint8_t)(r >> 8 & 3 ? FEM_NEVER : r >> 10 & 3 ? FEM_BUSY : FEM_EVER), c->arg = (uint16_t)(r >> 48 & 255);
  else if ((r >> 16 & 7) > 3) c->mode = quiet[below(e, sizeof quiet)], c->arg = (uint16_t)(r >> 48 & 63);
  else if ((r >> 16 & 7) == 3) c->mode = (uint8_t)(r >> 20 & 1 ? FEM_WRONG : FEM_NACKED);
}

bool fem_random_choose(struct fem_env *e, struct fem_choice *c) {
  if (e->chosen >= e->segment_end) next_segment(e);
  const struct fem_env_profile *p = &plan[e->profile];
  e->chosen++;
  c->noise = simt_rng_next(&e->rng);
  uint64_t r = simt_rng_next(&e->rng);
  if ((r & 4095) < p->reg) {
    uint64_t what = below(e, 256);
    if (what < p->command) give_command(e, c);
    else if (what < p->command + p->window) set_window(e, c);
    else if (what < 240 && p->slow > 50 && what & 1) set_timeout(e, c, p->slow);
    else any_access(e, c);
  }
  if (!(c->flags & FEM_DO_REG) && below(e, 24) == 0) write_to(c, FEM_REG_IRQ_STATUS, (uint32_t)simt_rng_next(&e->rng));
  if ((r >> 12 & 4095) < p->mode) set_mode(e, c, p->slow, false);
  else if ((r >> 24 & 4095) < p->all) set_mode(e, c, p->slow, true);
  if (p == &plan[BUSY]) {
    c->flags &= (uint16_t)~(FEM_SET_ALL | FEM_SET_MODE);
    if ((r >> 12 & 4095) < p->mode || e->window[0].window != BUSY_WINDOW) c->flags |= FEM_SET_MODE;
    c->unit = (uint16_t)below(e, e->l.units);
    keep_busy(e, c);
  }
  if ((r >> 36 & 255) < p->ready) c->flags |= FEM_HUB_READY;
  if ((r >> 44 & 255) < p->done) c->flags |= FEM_HUB_DONE;
  if ((r >> 52 & 255) < p->fails) c->flags |= FEM_HUB_FAILS;
  c->code = (uint8_t)(r >> 60);
  if (p->wild) c->flags |= FEM_WILD;
  if (below(e, 4096) < p->reset && below(e, 4) == 0) c->flags |= FEM_DO_RESET;
  return true;
}
