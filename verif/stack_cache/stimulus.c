/* SPDX-License-Identifier: Apache-2.0 */
/* stimulus.c: random stimulus. A run is divided among profiles (what the traffic is like), a profile into
 * phases (which threads, how deep, how slow memory is). */
#include "stack_cache/env.h"

#include <string.h>

enum stk_threads { ALL, FEW, ONE, TURNS };
enum stk_depths { DRIFT, BOUNDARY, DEEP };
enum stk_often { REGISTERS = 1, RESETS = 2, ERRORS = 4 };

/* Chances in 1/256 where nothing else is said. */
struct stk_profile {
  unsigned op, init, other;        /* an operation; of these init; of these peek or replace */
  unsigned seek, hold, odd;        /* only what goes; present until taken; kinds and threads that do not exist */
  enum stk_threads threads;
  enum stk_depths depths;
  unsigned ready, answer, error;   /* memory; error in 1/65536 */
  unsigned reg, reset;             /* in 1/4096 */
  bool quiesce;                    /* begin phases with all stacks empty */
  unsigned halt;                   /* STATUS: in 1/16384; 0: 4 */
};

enum { BUSY, IDLE, BACK_PRESSURE, ONE_HOT, ALL_THREADS, DEEP_STACKS, AT_BOUNDARY, MEMORY_ERRORS, REGISTER_TRAFFIC,
       RESET_IN_MID_RUN, INIT_STORM, HALTS, HALT_OFTEN, PROFILES }; /* the last two with STATUS alone */

const struct simt_named stk_profiles[] = {
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
  [HALTS] = {"halts", "halts, flushes, contexts saved, loaded and refused, resets of the unit, in the middle of one too", "SC-13"},
  [HALT_OFTEN] = {"halt_often", "halts and releases at any time", "SC-13"},
  [PROFILES] = {NULL, NULL, NULL}};

static const struct stk_profile plan[PROFILES] = {
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
  [HALTS] = {240, 2, 24, 128, 128, 2, FEW, DEEP, 180, 90, 200, 100, 0, false, 160},
  [HALT_OFTEN] = {250, 1, 24, 64, 128, 1, FEW, DEEP, 160, 64, 60, 16, 0, false, 800},
};

static uint64_t below(struct stk_env *e, uint64_t n) { return simt_rng_below(&e->rng, n); }

/* ---- segments and phases -------------------------------------------------------------------------------- */

static unsigned n_profiles(const struct stk_env *e) { return e->s.status ? PROFILES : HALTS; }

static unsigned find_profile(const char *name) {
  unsigned i = 0;
  while (i < PROFILES && strcmp(stk_profiles[i].name, name)) i++;
  return i % PROFILES;
}

void stk_random_restart(struct stk_env *e) {
  e->chosen = e->phase_end = 0;
  memset(&e->phase, 0, sizeof e->phase); /* a phase keeps some of the last one's threads */
  e->segment_end = e->stim.profile ? UINT64_MAX : 0;
  e->profile = e->stim.profile ? find_profile(e->stim.profile) : n_profiles(e) - 1;
  e->quiesce = e->turn = 0;
}

/* All profiles several times in a long run, each once in a short one. */
static void next_segment(struct stk_env *e) {
  uint64_t length = e->stim.cycles / n_profiles(e), most = 8192 + 16 * (uint64_t)e->s.threads;
  if (length > most) length = most;
  e->segment_end = e->chosen + (length < 256 ? 256 : length);
  e->profile = (e->profile + 1) % n_profiles(e);
  if (e->chosen && e->s.threads * 32 < length && below(e, 2)) e->quiesce = 8 * e->s.threads + 120;
}

/* DEEP: to a depth, or between two that are a little more than the on-chip entries apart: what was fetched
 * is pushed over again. */
static void choose_depth(struct stk_env *e, enum stk_depths style) {
  uint64_t on_chip = e->s.entries, set = e->s.set, most = below(e, 8) ? 3 * on_chip : 6 * on_chip;
  uint64_t low = below(e, 2) ? 0 : below(e, most + 4), high = low;
  e->phase.aims = style != DRIFT || !below(e, 4);
  if (style == BOUNDARY) {
    low = (below(e, 2 * e->s.nsets) + 1) * set + below(e, 3) - 1;
    high = low + below(e, 2 * set);
  } else if (below(e, 2)) {
    low = (below(e, 3) + 1) * set - below(e, 2);
    high = low + on_chip + below(e, 2 * set);
  } else if (!below(e, 16)) {
    low = high = UINT32_MAX; /* as deep as it goes */
  }
  e->phase.aim[0] = (uint32_t)low;
  e->phase.aim[1] = (uint32_t)high;
  e->phase.swing = e->s.gap * e->phase.n_hot * (on_chip / 2 + below(e, 2 * on_chip)) + 1;
  e->phase.push = (unsigned)(64 + below(e, 128));
}

static void next_phase(struct stk_env *e, const struct stk_profile *p) {
  uint64_t threads = e->s.threads, length;
  e->phase.n_hot = p->threads == ONE ? 1 : 1 + (unsigned)below(e, STK_HOT);
  for (unsigned i = 0; i < STK_HOT; i++)
    if (below(e, 2)) e->phase.hot[i] = (unsigned)below(e, threads); /* the others go on with theirs */
  choose_depth(e, p->depths);
  e->phase.slow = (unsigned)below(e, 5);
  e->phase.often = (uint8_t)(below(e, 4) ? 0 : below(e, 8));
  length = (p->threads == ALL || p->threads == TURNS ? threads : e->phase.n_hot) * e->s.gap * (1 + below(e, 2 * e->s.entries));
  e->phase.hog = 0;
  if (p->threads == FEW && !below(e, 8)) { /* one thread keeps a port of the storage or its own answers busy */
    static const uint8_t kind[] = {STK_REPLACE, STK_PEEK, STK_REPLACE, STK_INIT};
    e->phase.hog = 1 + kind[below(e, 4)];
    length = 4 * e->s.steal;
  }
  e->phase_end = e->chosen + 16 + (length < 4096 ? length : 4096) + below(e, 256);
  if (p->quiesce && e->s.threads <= 64 && !below(e, 4)) e->quiesce = 8 * e->s.threads + 120;
}

/* ---- one cycle -------------------------------------------------------------------------------------------- */

static uint32_t register_data(struct stk_env *e, uint32_t addr) {
  uint64_t on_chip = e->s.entries;
  switch (addr) {
    case STK_REG_BASE_LO:
      if (below(e, 2)) return (uint32_t)(below(e, 4 * e->s.nsets) * e->s.set_bytes); /* regions that overlap the ones before */
      return (uint32_t)(below(e, UINT32_MAX) * (below(e, 8) ? e->s.set_bytes : 1));
    case STK_REG_STRIDE_LG:
      return below(e, 2) ? e->s.stride_max : e->s.set_bytes_lg + (uint32_t)below(e, e->s.stride_max + 2) - 1;
    case STK_REG_LIMIT:
      if (below(e, 2)) return (uint32_t)e->s.max_depth;
      return below(e, 4) ? (uint32_t)below(e, 4 * on_chip) : (uint32_t)simt_rng_next(&e->rng);
    case STK_REG_SPILL_OVER:
    case STK_REG_SPILL_BURST:
    case STK_REG_RESTORE_FREE: return (uint32_t)below(e, e->s.nsets + 2);
    case STK_REG_THREAD:
      return below(e, 8) ? e->phase.hot[below(e, STK_HOT)] : (uint32_t)below(e, (uint64_t)1 << e->s.thread_w);
    case STK_REG_HALT_FLUSH: return (uint32_t)(below(e, 16) ? below(e, 2) : below(e, 4));
    default: return (uint32_t)simt_rng_next(&e->rng);
  }
}

static void choose_register(struct stk_env *e, struct stk_choice *c, bool busy) {
  const struct simt_desc *d = &e->cfg->desc;
  uint32_t addr = d->regs[below(e, d->n_regs)].addr;
  static const uint16_t often[] = {STK_REG_LIMIT, STK_REG_THREAD, STK_REG_DEPTH, STK_REG_ERROR, STK_REG_DEPTH,
                                   STK_REG_SPILL_OVER, STK_REG_SPILL_BURST, STK_REG_RESTORE_FREE};
  if (below(e, 2)) addr = often[below(e, sizeof often / sizeof *often)];
  if (addr == STK_REG_DEPTH && e->s.counters == 2 && below(e, 2)) addr = STK_REG_DEEPEST_OF;
  if (!below(e, 32)) addr = (uint32_t)below(e, 1u << STK_REG_ADDR_W);
  bool write = below(e, 2) && (busy || (addr != STK_REG_LIMIT && addr != STK_REG_STRIDE_LG) || below(e, 2));
  c->flags |= (uint16_t)(STK_DO_REG | (write ? STK_REG_WRITE : 0));
  c->reg_addr = (uint16_t)addr;
  c->reg_data = write ? register_data(e, addr) : 0;
  if (write && !busy && addr == STK_REG_LIMIT) c->reg_data = (uint32_t)e->s.max_depth;
  if (write && !busy && addr == STK_REG_STRIDE_LG) c->reg_data = e->s.stride_max;
}

static void choose_thread(struct stk_env *e, const struct stk_profile *p, struct stk_choice *c, uint32_t r) { /* r: random */
  if (p->threads == TURNS) c->thread = e->turn++;
  else if (p->threads == ALL || (r & 31) == 0) c->thread = (uint32_t)((uint64_t)r * e->s.threads >> 32);
  else c->thread = e->phase.hot[(r >> 5 & 0xff) * e->phase.n_hot >> 8];
}

static void choose_odd(struct stk_env *e, struct stk_choice *c) {
  if (below(e, 2)) c->kind = (uint8_t)(STK_KINDS + below(e, 3));
  c->flags = (uint16_t)((c->flags & ~(STK_SEEK | STK_HOLD | STK_AIM)) | STK_ODD);
  c->thread = (uint32_t)simt_rng_next(&e->rng);
}

static void choose_operation(struct stk_env *e, const struct stk_profile *p, struct stk_choice *c) {
  uint64_t r = simt_rng_next(&e->rng); /* one byte for each chance */
  c->flags |= STK_DO_OP;
  c->data = simt_rng_next(&e->rng);
  if (e->phase.hog) {
    c->kind = e->phase.hog - 1;
    c->thread = e->phase.hot[0];
    c->flags |= STK_SEEK;
    return;
  }
  choose_thread(e, p, c, (uint32_t)(c->data >> 32));
  if ((r & 255) < p->seek) c->flags |= STK_SEEK;
  if ((r >> 8 & 255) < p->hold) c->flags |= STK_HOLD;
  c->kind = (r >> 16 & 255) < e->phase.push ? STK_PUSH : STK_POP;
  if ((r >> 24 & 255) < p->init) c->kind = STK_INIT;
  else if ((r >> 40 & 255) < p->other) c->kind = r >> 48 & 1 ? STK_PEEK : STK_REPLACE;
  else if (e->phase.aims && (r >> 49 & 15)) c->flags |= STK_AIM, c->aim = e->phase.aim[e->phase.aimed];
  if ((r >> 56) < p->odd) choose_odd(e, c);
}

/* All stacks are emptied, one by one, then the registers that need that are written. */
static void choose_quiesce(struct stk_env *e, struct stk_choice *c) {
  static const uint16_t order[] = {STK_REG_BASE_LO, STK_REG_STRIDE_LG, STK_REG_BASE_HI, STK_REG_LIMIT};
  unsigned left = --e->quiesce;
  c->flags = STK_LET_GO;
  if (left >= 120) {
    c->flags |= STK_DO_OP;
    c->kind = STK_INIT;
    c->thread = e->turn++;
  } else if (left < 60) {
    c->flags |= STK_DO_REG | STK_REG_WRITE;
    c->reg_addr = order[left / 15];
    c->reg_data = register_data(e, c->reg_addr);
  }
}

static uint64_t choose_memory(struct stk_env *e, const struct stk_profile *p) {
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

/* A reset in the middle of a save or load: anywhere in it, and more often at its ends. */
static bool breaks(struct stk_env *e) {
  const struct simt_front *f = &e->front.shell;
  const unsigned left = f->n ? f->n - f->at : 8;
  return !below(e, left < 4 ? 32 : f->at < 6 ? 128 : 12 * f->room);
}

/* Halted: what the front end does next; now and then a register is written. */
static void choose_halted(struct stk_env *e, struct stk_choice *c) {
  static const uint16_t often[] = {STK_REG_BASE_LO, STK_REG_STRIDE_LG, STK_REG_LIMIT, STK_REG_CONTROL, STK_REG_BASE_HI, STK_REG_ERROR, STK_REG_HALT_FLUSH, STK_REG_HALT_FLUSH};
  const uint64_t r = below(e, 16);
  c->order = r < 4 ? SIMT_RELEASE : r < 7 ? SIMT_SAVE : r < 9 ? SIMT_UNIT_RESET : r < 15 ? SIMT_LOAD : SIMT_NO_ORDER;
  const bool moves = c->order == SIMT_SAVE || c->order == SIMT_LOAD;
  if (moves && below(e, e->front.unit.ctx_max / 256 + 1)) c->order = SIMT_RELEASE; /* long contexts more rarely */
  c->slot = (uint8_t)below(e, STK_SLOTS);
  c->place = (uint32_t)simt_rng_next(&e->rng);
  if (!below(e, 4)) c->spoil = (uint8_t)below(e, SIMT_SPOILS);
  if (below(e, 3)) return;
  c->order = SIMT_NO_ORDER;
  c->flags |= STK_DO_REG | STK_REG_WRITE;
  c->reg_addr = often[below(e, sizeof often / sizeof *often)];
  c->reg_data = register_data(e, c->reg_addr);
}

static void choose_order(struct stk_env *e, const struct stk_profile *p, struct stk_choice *c) {
  const uint64_t r = simt_rng_next(&e->rng);
  const unsigned halt = p->halt ? p->halt : 4;
  const struct simt_front *f = &e->front.shell;
  const bool only = p == &plan[HALT_OFTEN];
  if ((r & 255) < (e->phase.slow & 1 ? 64 : 250)) c->flags |= STK_CTX_OUT | STK_CTX_IN;
  if (!f->level) {
    if ((r >> 8 & 16383) < halt) c->order = SIMT_HALT;
    else if (!only && (r >> 22 & 0x7ffff) < halt) c->order = SIMT_UNIT_RESET;
    else if ((r >> 41 & 127) == 0) c->order = SIMT_RESUME;
  } else if (f->doing != SIMT_FRONT_IDLE) {
    if (breaks(e)) c->order = SIMT_UNIT_RESET;
  } else if (f->state != SIMT_HALTED) {
    if ((r >> 8 & (e->phase.slow == 3 ? 1 : 511)) == 0) c->order = SIMT_RELEASE; /* some at once */
    else if (!only && (r >> 22 & 2047) == 0) c->order = SIMT_UNIT_RESET;
  } else if ((r >> 8 & 15) == 0) {
    if (only) c->order = SIMT_RELEASE;
    else choose_halted(e, c);
  }
}

bool stk_random_choose(struct stk_env *e, struct stk_choice *c) {
  if (e->chosen >= e->segment_end) {
    next_segment(e);
    e->phase_end = e->chosen;
  }
  const struct stk_profile *p = &plan[e->profile];
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
    if ((r >> 20 & 255) == 0) c->flags |= STK_LET_GO;
    if ((r >> 28) % (4096 + 64 * (uint64_t)e->s.threads) < p->reset) c->flags |= STK_RESET;
    if (p->reset && e->phase.often & RESETS && !(r >> 60)) c->flags |= STK_RESET; /* one shortly behind another */
  }
  if (e->s.status) choose_order(e, p, c);
  c->mem = choose_memory(e, p);
  e->chosen++;
  return true;
}
