/* SPDX-License-Identifier: Apache-2.0 */
/* stimulus.c: random stimulus: named profiles, each a table of chances, in phases with a character of their own. */
#include "branch_unit/env.h"

#include <string.h>

enum { ALL = 0, HOT = 1 };

/* Chances in 1/256 unless said otherwise. */
struct bu_env_profile {
  uint8_t ins, program, seek, right, set, pop, odd;
  uint8_t slow, steal, groups;
  uint8_t fault;   /* in 1/4096 */
  uint8_t ready, answer;           /* of the memory */
  uint8_t error;   /* of the memory, in 1/65536 * 16 */
  uint8_t reg, limit, reset;       /* in 1/4096 */
  bool recursion, waits;
  uint8_t halt;                    /* STATUS: in 1/16384 */
};

/* The order of bu_profiles. */
static const struct bu_env_profile plan[] = {
  {.ins = 255, .program = 255, .seek = 250, .slow = 40, .steal = 8, .ready = 220, .answer = 120, .reg = 20},
  {.ins = 255, .program = 255, .seek = 255, .ready = 255, .answer = 255},
  {.ins = 240, .program = 255, .seek = 250, .slow = 20, .ready = 200, .answer = 60, .limit = 4, .recursion = true},
  {.ins = 240, .seek = 240, .right = 245, .set = 90, .pop = 60, .odd = 2, .slow = 60, .steal = 10, .ready = 200, .answer = 100, .reg = 30, .limit = 2},
  {.ins = 250, .seek = 200, .right = 80, .set = 90, .pop = 100, .odd = 8, .slow = 30, .steal = 10, .ready = 200, .answer = 100, .reg = 200, .limit = 6},
  {.ins = 255, .seek = 255, .right = 255, .set = 128, .pop = 40, .slow = 160, .steal = 60, .ready = 60, .answer = 10, .waits = true, .groups = HOT},
  {.ins = 250, .program = 128, .seek = 250, .right = 250, .set = 90, .pop = 60, .slow = 20, .fault = 60, .ready = 220, .answer = 100, .error = 255},
  {.ins = 128, .program = 128, .seek = 200, .right = 240, .set = 90, .pop = 60, .slow = 40, .ready = 200, .answer = 100, .reg = 255, .limit = 20},
  {.ins = 60, .program = 128, .seek = 128, .right = 200, .set = 90, .pop = 60, .ready = 200, .answer = 100, .reg = 200, .reset = 8},
  {.ins = 250, .program = 160, .seek = 250, .right = 250, .set = 90, .pop = 60, .slow = 60, .fault = 4, .steal = 60, .ready = 180, .answer = 60, .error = 20, .reg = 30, .limit = 1, .reset = 1, .halt = 160},
};

const struct simt_named bu_profiles[] = {
  {"programs", "Random structured programs on every group; stacks and memory wait at random.", "BU-1 BU-2 BU-3 BU-5 BU-6"},
  {"programs_fast", "Random structured programs; nothing waits.", "BU-3 BU-5"},
  {"recursion", "Recursion up to the depth limit and one beyond; the limit changes.", "BU-3 BU-4 BU-5"},
  {"mixed", "Random instructions that mostly fit the token on top.", "BU-2 BU-3"},
  {"errors", "Random instructions; tokens of the wrong kind, underflow, overflow, register reads.", "BU-4 BU-5"},
  {"back_pressure", "Few groups, stacks that wait long.", "BU-5"},
  {"faults", "Stacks answer fault, between two pushes too.", "BU-4 BU-5"},
  {"register_traffic", "Register accesses all the time; limits change.", "BU-4 BU-6"},
  {"reset_in_mid_run", "Idle cycles, resets while instructions are under way.", "BU-6"},
  {"status", "Halts, contexts saved, loaded and refused, resets of the unit (STATUS).", "US-3 US-4 US-7 US-9 US-13 US-14"},
  {NULL, NULL, NULL}};

enum { PROFILES = sizeof plan / sizeof *plan, RESTORING = 256 /* cycles at most */ };

/* 255 means always. */
static unsigned chance(uint8_t c) { return c == 255 ? 256 : c; }

static uint64_t below(struct bu_env *e, uint64_t n) { return simt_rng_below(&e->rng, n); }

static void next_segment(struct bu_env *e, bool first) {
  const unsigned profiles = PROFILES - !e->l.status; /* the last one needs STATUS */
  uint64_t length = e->stim.cycles / profiles + 1;
  if (e->stim.profile) {
    for (unsigned i = 0; i < profiles; i++)
      if (!strcmp(e->stim.profile, bu_profiles[i].name)) e->profile = i;
    length = UINT64_MAX / 2;
  } else {
    e->profile = first ? 0 : (e->profile + 1) % profiles;
  }
  e->segment_end = e->chosen + length;
  e->restored = e->chosen + (first || plan[e->profile].limit ? 0 : length / 16 < RESTORING ? length / 16 : RESTORING);
}

static void next_phase(struct bu_env *e, const struct bu_env_profile *p) {
  struct bu_phase *f = &e->phase;
  f->left = 100 + below(e, 3000);
  for (unsigned i = 0; i < 4; i++) f->hot[i] = (uint32_t)simt_rng_next(&e->rng);
  f->kinds = (uint8_t)below(e, 4);   /* which kinds come more often */
  f->slow = (uint8_t)below(e, 3);    /* 0: nothing waits in this phase */
  f->resets = p->reset && !below(e, 4);
  f->programs = p->program == 255 ? 255 : below(e, 2) ? p->program : 0;
}

void bu_random_restart(struct bu_env *e) {
  e->chosen = e->turn = 0;
  next_segment(e, true);
  e->phase.left = 0;
}

/* From six random bits. */
static uint8_t kind(const struct bu_env *e, unsigned r) {
  static const uint8_t more[4][8] = {
    {BU_BRANCH, BU_CALL, BU_PREBREAK, BU_RETURN, BU_BREAK, BU_OTHER, BU_BRANCH, BU_CALL}, /* even */
    {BU_BRANCH, BU_CALL, BU_PREBREAK, BU_BRANCH, BU_PREBREAK, BU_CALL, BU_BRANCH, BU_RETURN}, /* deeper */
    {BU_RETURN, BU_BREAK, BU_BREAK, BU_RETURN, BU_OTHER, BU_BRANCH, BU_OTHER, BU_BREAK}, /* emptier */
    {BU_BRANCH, BU_BRANCH, BU_BRANCH, BU_BRANCH, BU_CALL, BU_BREAK, BU_BRANCH, BU_RETURN}};
  static const uint8_t ends[] = {BU_LAUNCH, BU_FINISH};
  return *(r < 2 ? &ends[r] : &more[e->phase.kinds][r & 7]); /* an address: no branch that nobody can predict */
}

static uint64_t only(bool when) { return 0 - (uint64_t)when; }

/* The flag with a chance in 1/256, of eight random bits. */
static unsigned flag(uint64_t r, unsigned in_256, unsigned flag_if) { return (r & 255) < in_256 ? flag_if : 0; }

static void choose_instruction(struct bu_env *e, const struct bu_env_profile *p, struct bu_choice *c) {
  const uint64_t r = simt_rng_next(&e->rng), to = simt_rng_next(&e->rng), lanes = simt_rng_next(&e->rng);
  unsigned flags = BU_DO_INS;
  if (p->groups == HOT && (r >> 60)) c->group = e->phase.hot[r >> 58 & 3];
  else c->group = (uint32_t)e->turn++;
  flags |= flag(r, chance(p->seek), BU_SEEK) | flag(r >> 8, chance(e->phase.programs), BU_PROGRAM) |
           flag(r >> 16, chance(p->right), BU_RIGHT) | flag(r >> 24, p->set, BU_SET_SYNC) | flag(r >> 32, p->pop, BU_POP_SYNC);
  if ((r >> 40 & 255) < p->odd) flags = (flags | BU_ODD) & ~(unsigned)BU_SEEK, c->group = (uint32_t)r;
  if (flags & BU_PROGRAM) flags = p->recursion ? flags | BU_RIGHT : flags & ~(unsigned)BU_RIGHT;
  c->flags |= (uint16_t)flags;
  c->kind = kind(e, (unsigned)((r >> 48 & 3) | (r >> 51 & 60)));
  c->target = to;
  c->next = to * UINT64_C(0x9e3779b97f4a7c15) ^ to >> 32; /* another one: what stands where one belongs, is seen */
  const uint64_t mask = lanes, more = lanes * UINT64_C(0xbf58476d1ce4e5b9) ^ lanes >> 32;
  const unsigned dense = r >> 50 & 7; /* lanes: all, none, few, many, half of them */
  const uint64_t all = only(dense == 0), some = ~only(dense == 1), few = only(dense == 2), many = only(dense == 3);
  c->mask[0] = ((mask & (more | ~few)) | (more & many) | all) & some;
  c->mask[1] = (more | all) & some;
}

static void choose_register(struct bu_env *e, struct bu_choice *c) {
  static const uint16_t group_regs[] = {
    BU_REG_GROUP_STATE, BU_REG_DEPTH, BU_REG_PC, BU_REG_PC + 4, BU_REG_ERROR_STATUS, BU_REG_ERROR_PC, BU_REG_ERROR_PC + 4,
    BU_REG_MASK, BU_REG_MASK + 4, BU_REG_MASK + 12, BU_REG_ERROR_MASK, BU_REG_ERROR_MASK + 4, BU_REG_MASK, BU_REG_PC};
  static const uint16_t others[] = {BU_REG_ID, BU_REG_STATUS, BU_REG_LIMIT, BU_REG_GROUP, BU_REG_ERROR, BU_REG_ERROR_COUNT,
                                    BU_REG_LIVE, BU_REG_STOPPED};
  uint64_t r = simt_rng_next(&e->rng);
  c->flags |= BU_DO_REG;
  c->reg_data = (uint32_t)(r >> 32);
  switch (r & 7) {
  case 0: c->flags |= BU_REG_WRITE, c->reg_addr = BU_REG_GROUP, c->reg_data %= e->l.threads + (c->reg_data & 1); break;
  case 1: c->reg_addr = others[r >> 8 & 7]; break;
  case 2: c->reg_addr = (uint16_t)((r >> 8 & 1 ? BU_REG_LIVE : BU_REG_STOPPED) + 4 * (r >> 9 & 31) % (4 * e->words)); break;
  case 3:
    if (r >> 12 & 15) c->reg_addr = group_regs[(r >> 16) % 14];
    else c->reg_addr = (uint16_t)(r >> 20 & ((1u << BU_REG_ADDR_W) - 1));
    if (!(r >> 8 & 3)) c->flags |= BU_REG_WRITE, c->reg_addr = r >> 16 & 1 ? BU_REG_ERROR : BU_REG_GROUP_STATE;
    break;
  default: c->reg_addr = group_regs[(r >> 16) % 14]; break;
  }
  c->reg_addr = (uint16_t)(c->reg_addr + e->reg_base);
}

/* Small limits, so that stacks reach them; the largest now and then. */
static void choose_limit(struct bu_env *e, struct bu_choice *c) {
  static const uint32_t most[] = {4, 12, 60, 250};
  uint32_t limit = (uint32_t)below(e, most[below(e, 4)]);
  c->flags |= BU_DO_REG | BU_REG_WRITE;
  c->reg_addr = (uint16_t)(e->reg_base + BU_REG_LIMIT);
  c->reg_data = below(e, 8) ? limit : UINT32_MAX;
  bool stack = e->reg_base && below(e, 8) == 0; /* the stack's own; most are too large to matter */
  if (stack) c->reg_addr = BU_STACK_LIMIT, c->reg_data = below(e, 3) ? UINT32_MAX : limit;
}

/* Halted: what the front end does next. */
static void choose_halted(struct bu_env *e, struct bu_choice *c) {
  uint64_t r = below(e, 16), words = e->front.shell.room;
  c->order = r < 4 ? SIMT_RELEASE : r < 8 ? SIMT_SAVE : r < 10 ? SIMT_UNIT_RESET : r < 15 ? SIMT_LOAD : SIMT_NO_ORDER;
  bool moves = c->order == SIMT_SAVE || c->order == SIMT_LOAD;
  if (moves && below(e, words / 256 + 1)) c->order = SIMT_RELEASE; /* long contexts more rarely */
  c->slot = (uint8_t)below(e, BU_PROCESSES);
  c->place = (uint32_t)simt_rng_next(&e->rng);
  if (!below(e, 4)) c->spoil = (uint8_t)below(e, SIMT_SPOILS);
}

static void choose_order(struct bu_env *e, const struct bu_env_profile *p, struct bu_choice *c) {
  uint64_t r = simt_rng_next(&e->rng);
  unsigned halt = p->halt ? p->halt : 4;
  if ((r & 255) < (e->phase.slow == 1 ? 64 : 250)) c->flags |= BU_CTX_OUT | BU_CTX_IN;
  if (!e->front.shell.level) {
    if ((r >> 8 & 16383) < halt) c->order = SIMT_HALT;
    else if ((r >> 22 & 0x7ffff) < halt) c->order = SIMT_UNIT_RESET;
    else if ((r >> 41 & 127) == 0) c->order = SIMT_RESUME;
  } else if (e->front.shell.state != SIMT_HALTED) {
    if ((r >> 8 & 255) == 0) c->order = SIMT_RELEASE;
    else if ((r >> 22 & 2047) == 0) c->order = SIMT_UNIT_RESET;
  } else if (e->front.shell.doing != SIMT_FRONT_IDLE) {
    bool given = e->front.shell.doing == SIMT_FRONT_LOADING && e->front.shell.at == e->front.shell.n;
    if (p->halt && (r >> 8 & (given ? 31 : 8191)) == 0) c->order = SIMT_UNIT_RESET; /* in its middle */
    else if (p->halt && e->memory && given && (r >> 16 & 63) == 0) c->order = SIMT_RELEASE;
  } else if ((r >> 8 & 15) == 0) {
    choose_halted(e, c);
  }
  if (e->memory && p->halt && (r >> 48 & 4095) == 0) { /* a flush now and then */
    c->flags |= BU_DO_REG | BU_REG_WRITE;
    c->reg_addr = BU_STACK_CONTROL;
    c->reg_data = r >> 60 & 1;
  } else if (e->memory && p->halt && (r >> 48 & 4095) < 8) {
    c->flags |= BU_DO_REG | BU_REG_WRITE;
    c->reg_addr = BU_STACK_ERROR;
  } else if (e->memory && p->halt && (r >> 48 & 4095) < 10) { /* halts flush, or do not */
    c->flags |= BU_DO_REG | BU_REG_WRITE;
    c->reg_addr = BU_STACK_HALT_FLUSH;
    c->reg_data = r >> 60 & 1;
  } else if (e->memory && p->halt && (r >> 48 & 4095) < 24) { /* the limit of the stack, which a context carries */
    c->flags = (uint16_t)((c->flags & ~BU_REG_WRITE) | BU_DO_REG);
    c->reg_addr = BU_STACK_LIMIT;
    if (r >> 60 & 1) {
      c->flags |= BU_REG_WRITE;
      c->reg_data = (uint32_t)e->l.max_depth - (uint32_t)(r >> 61 & 1); /* hardly less: programs go on */
    }
  }
}

/* A profile without limits of its own begins with the largest ones, and not with the last of another, which may be 0. */
static void restore_limits(struct bu_env *e, uint64_t r, struct bu_choice *c) {
  c->flags = (uint16_t)((c->flags & ~BU_DO_INS) | BU_DO_REG | BU_REG_WRITE);
  c->reg_addr = (uint16_t)(e->reg_base && (r & 1) ? BU_STACK_LIMIT : e->reg_base + BU_REG_LIMIT);
  c->reg_data = UINT32_MAX;
  c->stack_limit = (uint32_t)e->l.max_depth;
}

static void choose_memory(struct bu_env *e, const struct bu_env_profile *p, struct bu_choice *c) {
  struct simt_memory_rates rates = {chance(p->ready), chance(p->answer), 64, 16u * p->error};
  if (!e->phase.slow) rates.ready = rates.answer = 256;
  c->mem = simt_memory_choose(&e->rng, &rates);
}

bool bu_random_choose(struct bu_env *e, struct bu_choice *c) {
  if (e->chosen >= e->segment_end) {
    next_segment(e, false);
    e->phase.left = 0;
  }
  const struct bu_env_profile *p = &plan[e->profile];
  if (!e->phase.left--) next_phase(e, p);
  uint64_t r = simt_rng_next(&e->rng), s = simt_rng_next(&e->rng);
  *c = (struct bu_choice){.mem = s, .wait = s >> 62 & 1};
  if ((r & 255) < chance(p->ins)) choose_instruction(e, p, c);
  if ((r >> 8 & 4095) < p->reg) choose_register(e, c);
  else if ((r >> 20 & 4095) < p->limit) choose_limit(e, c);
  if (e->phase.slow) {
    unsigned wait = p->waits ? 255 : 31;
    c->wait |= (uint8_t)(s & wait);
    c->flags |= (uint16_t)(flag(r >> 32, p->slow, BU_SLOW) | flag(r >> 40, p->steal, BU_STEAL));
  }
  if ((s >> 8 & 4095) < p->fault) c->flags |= BU_FAULT_AFTER;
  if (p->reset && e->phase.resets && !(r >> 60)) c->flags |= BU_RESET; /* one shortly behind another */
  if (p->reset && (s >> 20) % (4096 + 64 * (uint64_t)e->l.threads) < p->reset) c->flags |= BU_RESET;
  if (e->fake && (s >> 44 & 4095) < p->limit) c->stack_limit = s >> 56 & 1 ? (uint32_t)e->l.max_depth : 1 + (uint32_t)((s >> 58) % e->l.max_depth);
  if (e->chosen < e->restored) restore_limits(e, r >> 48, c);
  if (!c->group) c->group = (uint32_t)(s >> 32);
  if (e->l.status) choose_order(e, p, c);
  if (e->memory) choose_memory(e, p, c);
  e->chosen++;
  return true;
}
