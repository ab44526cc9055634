/* SPDX-License-Identifier: Apache-2.0 */
/* stimulus.c: random stimulus. A run is divided among profiles (what the traffic is like), a profile into
 * phases (which threads, how deep, how slow memory is). */
#include "stack_cache/env.h"

#include <string.h>

enum threads { ALL, FEW, ONE, TURNS };
enum depths { DRIFT, BOUNDARY, DEEP };
enum often { REGISTERS = 1, RESETS = 2, ERRORS = 4 };

/* Chances in 1/256 where nothing else is said. */
struct sc_env_profile {
  unsigned op, init, other;        /* an operation; of these init; of these peek or replace */
  unsigned seek, hold, odd;        /* only what goes; present until taken; kinds and threads that do not exist */
  enum threads threads;
  enum depths depths;
  unsigned ready, answer, error;   /* memory; error in 1/65536 */
  unsigned reg, reset;             /* in 1/4096 */
  bool quiesce;                    /* begin phases with all stacks empty */
  unsigned halt;                   /* STATUS: in 1/16384 */
};

enum { BUSY, IDLE, BACK_PRESSURE, ONE_HOT, ALL_THREADS, DEEP_STACKS, AT_BOUNDARY, MEMORY_ERRORS, REGISTER_TRAFFIC,
       RESET_IN_MID_RUN, INIT_STORM, STATUS, PROFILES };

const struct simt_named sc_profiles[] = {
  [BUSY] = {"busy", "an operation in nearly every cycle, on any thread that can go; fast memory", "SC-3"},
  [IDLE] = {"idle", "operations are rare and often withdrawn", "SC-11"},
  [BACK_PRESSURE] = {"back_pressure", "memory is rarely ready and answers late, in any order", "SC-10"},
  [ONE_HOT] = {"one_hot_thread", "nearly all operations on one thread", "SC-3 SC-9"},
  [ALL_THREADS] = {"all_threads", "the threads in turn", "SC-1 SC-11"},
  [DEEP_STACKS] = {"deep", "bursts of pushes far beyond the on-chip entries, then of pops", "SC-4 SC-6 SC-8"},
  [AT_BOUNDARY] = {"boundary", "pushes, pops, peeks and replaces around the boundaries of sets", "SC-4 SC-6"},
  [MEMORY_ERRORS] = {"memory_errors", "memory answers errors; inits clear the faults", "SC-12"},
  [REGISTER_TRAFFIC] = {"register_traffic", "limit, thresholds, base, stride, counters and depths while in use",
                        "SC-2 SC-12 SC-14"},
  [RESET_IN_MID_RUN] = {"reset_in_mid_run", "reset at any time, accesses under way or not", "SC-3 SC-10"},
  [INIT_STORM] = {"init_storm", "stacks are emptied all the time, whatever is in flight", "SC-3"},
  [STATUS] = {"status", "halts, flushes, contexts saved, loaded and refused, resets of the unit", "SC-13"},
  [PROFILES] = {NULL, NULL, NULL}};

static const struct sc_env_profile plan[PROFILES] = {
  [BUSY] = {250, 1, 16, 240, 8, 1, ALL, DRIFT, 240, 200, 0, 8, 0, false},
  [IDLE] = {40, 4, 64, 16, 64, 8, FEW, DRIFT, 160, 64, 0, 8, 0, false},
  [BACK_PRESSURE] = {220, 2, 24, 128, 128, 2, FEW, DEEP, 24, 12, 0, 8, 0, false},
  [ONE_HOT] = {250, 1, 24, 16, 128, 1, ONE, DEEP, 200, 100, 0, 8, 0, false},
  [ALL_THREADS] = {256, 0, 4, 0, 0, 0, TURNS, DEEP, 256, 256, 0, 0, 0, false},
  [DEEP_STACKS] = {252, 0, 8, 64, 128, 0, FEW, DEEP, 180, 100, 0, 4, 0, false},
  [AT_BOUNDARY] = {240, 1, 96, 32, 128, 1, FEW, BOUNDARY, 128, 48, 0, 8, 0, false},
  [MEMORY_ERRORS] = {240, 4, 48, 64, 128, 2, FEW, DEEP, 160, 32, 1000, 250, 0, false},
  [REGISTER_TRAFFIC] = {160, 4, 24, 64, 128, 2, FEW, DEEP, 160, 80, 100, 1600, 0, true},
  [RESET_IN_MID_RUN] = {240, 4, 24, 64, 128, 2, FEW, DEEP, 128, 64, 400, 60, 6, false},
  [INIT_STORM] = {248, 40, 24, 64, 128, 2, FEW, DEEP, 64, 40, 1000, 8, 0, false},
  [STATUS] = {240, 2, 24, 128, 128, 2, FEW, DEEP, 180, 90, 200, 100, 0, false, 160},
};

static uint64_t below(struct sc_env *e, uint64_t n) { return simt_rng_below(&e->rng, n); }

/* ---- segments and phases -------------------------------------------------------------------------------- */

static unsigned find_profile(const char *name) {
  unsigned i = 0;
  while (i < PROFILES && strcmp(sc_profiles[i].name, name)) i++;
  return i % PROFILES;
}

void sc_random_restart(struct sc_env *e) {
  e->chosen = e->phase_end = 0;
  memset(&e->phase, 0, sizeof e->phase); /* a phase keeps some of the last one's threads */
  e->segment_end = e->stim.profile ? UINT64_MAX : 0;
  e->profile = e->stim.profile ? find_profile(e->stim.profile) : PROFILES - 1;
  e->quiesce = e->turn = 0;
}

/* All profiles several times in a long run, each once in a short one. */
static void next_segment(struct sc_env *e) {
  const unsigned profiles = PROFILES - !e->l.status; /* the last one needs STATUS */
  uint64_t length = e->stim.cycles / profiles, most = 8192 + 16 * (uint64_t)e->l.threads;
  if (length > most) length = most;
  e->segment_end = e->chosen + (length < 256 ? 256 : length);
  e->profile = (e->profile + 1) % profiles;
  if (e->chosen && e->l.threads * 8 < length && below(e, 2)) e->quiesce = e->l.threads + 48;
}

/* DEEP: to a depth, or between two that are a little more than the on-chip entries apart: what was fetched
 * is pushed over again. */
static void choose_depth(struct sc_env *e, enum depths style) {
  uint64_t on_chip = e->l.entries, set = e->l.set, most = below(e, 8) ? 3 * on_chip : 6 * on_chip;
  uint64_t low = below(e, 2) ? 0 : below(e, most + 4), high = low;
  e->phase.aims = style != DRIFT || !below(e, 4);
  if (style == BOUNDARY) {
    low = (below(e, 2 * e->l.nsets) + 1) * set + below(e, 3) - 1;
    high = low + below(e, 2 * set);
  } else if (below(e, 2)) {
    low = (below(e, 3) + 1) * set - below(e, 2);
    high = low + on_chip + below(e, 2 * set);
  } else if (!below(e, 16)) {
    low = high = UINT32_MAX; /* as deep as it goes */
  }
  e->phase.aim[0] = (uint32_t)low;
  e->phase.aim[1] = (uint32_t)high;
  e->phase.swing = e->phase.n_hot * (on_chip / 2 + below(e, 2 * on_chip)) + 1;
  e->phase.push = (unsigned)(64 + below(e, 128));
}

static void next_phase(struct sc_env *e, const struct sc_env_profile *p) {
  uint64_t threads = e->l.threads, length;
  e->phase.n_hot = p->threads == ONE ? 1 : 1 + (unsigned)below(e, SC_HOT);
  for (unsigned i = 0; i < SC_HOT; i++)
    if (below(e, 2)) e->phase.hot[i] = (unsigned)below(e, threads); /* the others go on with theirs */
  choose_depth(e, p->depths);
  e->phase.slow = (unsigned)below(e, 5);
  e->phase.often = (uint8_t)(below(e, 4) ? 0 : below(e, 8));
  length = (p->threads == ALL || p->threads == TURNS ? threads : e->phase.n_hot) * (1 + below(e, e->l.entries));
  e->phase.hog = 0;
  if (p->threads == FEW && !below(e, 8)) { /* one thread keeps a port of the storage or its own answers busy */
    static const uint8_t kind[] = {SC_REPLACE, SC_PEEK, SC_REPLACE, SC_INIT};
    e->phase.hog = 1 + kind[below(e, 4)];
    length = 4 * e->l.steal;
  }
  e->phase_end = e->chosen + 16 + (length < 4096 ? length : 4096) + below(e, 256);
  if (p->quiesce && e->l.threads <= 64 && !below(e, 4)) e->quiesce = e->l.threads + 48;
}

/* ---- one cycle -------------------------------------------------------------------------------------------- */

static uint32_t register_data(struct sc_env *e, uint32_t addr) {
  uint64_t on_chip = e->l.entries;
  switch (addr) {
    case SC_REG_BASE_LO:
      if (below(e, 2)) return (uint32_t)(below(e, 4 * e->l.nsets) * e->l.set_bytes); /* regions that overlap the ones before */
      return (uint32_t)(below(e, UINT32_MAX) * (below(e, 8) ? e->l.set_bytes : 1));
    case SC_REG_STRIDE_LG:
      return below(e, 2) ? e->l.stride_max : e->l.set_bytes_lg + (uint32_t)below(e, e->l.stride_max + 2) - 1;
    case SC_REG_LIMIT:
      if (below(e, 2)) return (uint32_t)e->l.max_depth;
      return below(e, 4) ? (uint32_t)below(e, 4 * on_chip) : (uint32_t)simt_rng_next(&e->rng);
    case SC_REG_SPILL_OVER:
    case SC_REG_SPILL_BURST:
    case SC_REG_RESTORE_FREE: return (uint32_t)below(e, e->l.nsets + 2);
    case SC_REG_CONTROL: return (uint32_t)below(e, 4);
    case SC_REG_THREAD:
      return below(e, 8) ? e->phase.hot[below(e, SC_HOT)] : (uint32_t)below(e, (uint64_t)1 << e->l.thread_w);
    default: return (uint32_t)simt_rng_next(&e->rng);
  }
}

static void choose_register(struct sc_env *e, struct sc_choice *c, bool busy) {
  const struct simt_desc *d = &e->cfg->desc;
  uint32_t addr = d->regs[below(e, d->n_regs)].addr;
  static const uint16_t often[] = {SC_REG_LIMIT, SC_REG_THREAD, SC_REG_DEPTH, SC_REG_ERROR, SC_REG_DEPTH,
                                   SC_REG_SPILL_OVER, SC_REG_SPILL_BURST, SC_REG_RESTORE_FREE,
                                   SC_REG_FAULTED};
  if (below(e, 2)) addr = often[below(e, sizeof often / sizeof *often)];
  if (!below(e, 32)) addr = (uint32_t)below(e, 1u << SC_REG_ADDR_W);
  bool write = below(e, 2) && (busy || (addr != SC_REG_LIMIT && addr != SC_REG_STRIDE_LG) || below(e, 2));
  c->flags |= (uint16_t)(SC_DO_REG | (write ? SC_REG_WRITE : 0));
  c->reg_addr = (uint16_t)addr;
  c->reg_data = write ? register_data(e, addr) : 0;
  if (write && !busy && addr == SC_REG_LIMIT) c->reg_data = (uint32_t)e->l.max_depth;
  if (write && !busy && addr == SC_REG_STRIDE_LG) c->reg_data = e->l.stride_max;
}

static void choose_thread(struct sc_env *e, const struct sc_env_profile *p, struct sc_choice *c, uint32_t r) { /* r: random */
  if (p->threads == TURNS) c->thread = e->turn++;
  else if (p->threads == ALL || (r & 31) == 0) c->thread = (uint32_t)((uint64_t)r * e->l.threads >> 32);
  else c->thread = e->phase.hot[(r >> 5 & 0xff) * e->phase.n_hot >> 8];
}

static void choose_odd(struct sc_env *e, struct sc_choice *c) {
  if (below(e, 2)) c->kind = (uint8_t)(SC_KINDS + below(e, 3));
  c->flags = (uint16_t)((c->flags & ~(SC_SEEK | SC_HOLD | SC_AIM)) | SC_ODD);
  c->thread = (uint32_t)simt_rng_next(&e->rng);
}

static void choose_operation(struct sc_env *e, const struct sc_env_profile *p, struct sc_choice *c) {
  uint64_t r = simt_rng_next(&e->rng); /* one byte for each chance */
  c->flags |= SC_DO_OP;
  c->data = simt_rng_next(&e->rng);
  if (e->phase.hog) {
    c->kind = e->phase.hog - 1;
    c->thread = e->phase.hot[0];
    c->flags |= SC_SEEK;
    return;
  }
  choose_thread(e, p, c, (uint32_t)(c->data >> 32));
  if ((r & 255) < p->seek) c->flags |= SC_SEEK;
  if ((r >> 8 & 255) < p->hold) c->flags |= SC_HOLD;
  c->kind = (r >> 16 & 255) < e->phase.push ? SC_PUSH : SC_POP;
  if ((r >> 24 & 255) < p->init) c->kind = SC_INIT;
  else if ((r >> 40 & 255) < p->other) c->kind = r >> 48 & 1 ? SC_PEEK : SC_REPLACE;
  else if (e->phase.aims && (r >> 49 & 15)) c->flags |= SC_AIM, c->aim = e->phase.aim[e->phase.aimed];
  if ((r >> 56) < p->odd) choose_odd(e, c);
}

/* All stacks are emptied, one by one, then the registers that need that are written. */
static void choose_quiesce(struct sc_env *e, struct sc_choice *c) {
  static const uint16_t order[] = {SC_REG_BASE_LO, SC_REG_STRIDE_LG, SC_REG_BASE_HI, SC_REG_LIMIT};
  unsigned left = --e->quiesce;
  c->flags = SC_LET_GO;
  if (left >= 48) {
    c->flags |= SC_DO_OP;
    c->kind = SC_INIT;
    c->thread = e->turn++;
  } else if (left < 40) {
    c->flags |= SC_DO_REG | SC_REG_WRITE;
    c->reg_addr = order[left / 8 % 4];
    c->reg_data = register_data(e, c->reg_addr);
  }
}

static uint64_t choose_memory(struct sc_env *e, const struct sc_env_profile *p) {
  struct simt_memory_rates rates = {p->ready, p->answer, 64, p->error};
  if (e->phase.often & ERRORS && rates.error < 2000) rates.error = 2000;
  if (e->phase.slow == 0) rates.ready = rates.answer = 256;
  if (e->phase.slow == 1) rates.answer = rates.answer / 4 + 1;
  if (e->phase.slow == 2) rates.answer = 2;
  if (e->phase.slow & 1) rates.error /= 8;
  if (e->phase.slow == 2) rates.error *= 8; /* late answers are those of restores dropped meanwhile */
  if (e->phase.hog) rates.ready = rates.answer = 256;
  return simt_memory_choose(&e->rng, &rates);
}

/* Halted: what the front end does next; now and then a register is written. */
static void choose_halted(struct sc_env *e, struct sc_choice *c) {
  static const uint16_t often[] = {SC_REG_BASE_LO, SC_REG_STRIDE_LG, SC_REG_LIMIT, SC_REG_CONTROL, SC_REG_BASE_HI};
  uint64_t r = below(e, 16);
  c->order = r < 4 ? SC_RELEASE : r < 7 ? SC_SAVE : r < 9 ? SC_UNIT_RESET : r < 15 ? SC_LOAD : SC_NO_ORDER;
  bool moves = c->order == SC_SAVE || c->order == SC_LOAD;
  if (moves && below(e, e->l.ctx_max / 256 + 1)) c->order = SC_RELEASE; /* long contexts more rarely */
  c->slot = (uint8_t)below(e, SC_SLOTS);
  c->place = (uint32_t)simt_rng_next(&e->rng);
  if (!below(e, 4)) c->spoil = (uint8_t)below(e, SC_SPOILS);
  if (!below(e, 3)) {
    c->order = SC_NO_ORDER;
    c->flags |= SC_DO_REG | SC_REG_WRITE;
    c->reg_addr = often[below(e, sizeof often / sizeof *often)];
    c->reg_data = register_data(e, c->reg_addr);
  }
}

static void choose_order(struct sc_env *e, const struct sc_env_profile *p, struct sc_choice *c) {
  uint64_t r = simt_rng_next(&e->rng);
  unsigned halt = p->halt ? p->halt : 4;
  if ((r & 255) < (e->phase.slow & 1 ? 64 : 250)) c->flags |= SC_CTX_OUT | SC_CTX_IN;
  if (!e->front.level) {
    if ((r >> 8 & 16383) < halt) c->order = SC_HALT;
    else if ((r >> 22 & 0x7ffff) < halt) c->order = SC_UNIT_RESET;
    else if ((r >> 41 & 127) == 0) c->order = SC_RESUME;
  } else if (e->unit.state != SIMT_HALTED) {
    if ((r >> 8 & (e->phase.slow == 3 ? 1 : 511)) == 0) c->order = SC_RELEASE; /* some at once */
    else if ((r >> 22 & 2047) == 0) c->order = SC_UNIT_RESET;
  } else if (e->front.doing == SC_FRONT_IDLE && (r >> 8 & 15) == 0) {
    choose_halted(e, c);
  }
}

bool sc_random_choose(struct sc_env *e, struct sc_choice *c) {
  if (e->chosen >= e->segment_end) {
    next_segment(e);
    e->phase_end = e->chosen;
  }
  const struct sc_env_profile *p = &plan[e->profile];
  if (e->chosen >= e->phase_end) next_phase(e, p);
  if (!e->phase.swing_left--) {
    e->phase.swing_left = e->phase.swing;
    e->phase.aimed ^= 1;
  }
  memset(c, 0, sizeof *c);
  if (e->quiesce) {
    choose_quiesce(e, c);
  } else {
    uint64_t r = simt_rng_next(&e->rng);
    if ((r & 255) < p->op || e->phase.hog) choose_operation(e, p, c);
    if ((r >> 8 & 4095) < (e->phase.often & REGISTERS ? 2048 : p->reg)) choose_register(e, c, p->quiesce);
    if ((r >> 20 & 255) == 0) c->flags |= SC_LET_GO;
    if ((r >> 28) % (4096 + 64 * (uint64_t)e->l.threads) < p->reset) c->flags |= SC_RESET;
    if (p->reset && e->phase.often & RESETS && !(r >> 60)) c->flags |= SC_RESET; /* one shortly behind another */
  }
  if (e->l.status) choose_order(e, p, c);
  c->mem = choose_memory(e, p);
  e->chosen++;
  return true;
}
