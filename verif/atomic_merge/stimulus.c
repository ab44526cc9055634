/* SPDX-License-Identifier: Apache-2.0 */
/* stimulus.c: random profiles of an atomic_merge. */
#include <string.h>

#include "atomic_merge/env.h"
#include "atomic_merge/directed.h"

enum am_profile { MIXED, HOT_COUNTER, FALSE_SHARING, ONE_WORD, ERRORS, SLOW_HOME, SNOOP_STORM, MANY_LINES, FENCES, BACK_PRESSURE, IDLE,
               BOUNDING_BOX, HALTS, HALT_OFTEN, PROFILES };

const struct simt_named am_profiles[] = {
  [MIXED] = {"mixed", "All operations on a few lines.", "AM-1 AM-3 AM-7"},
  [HOT_COUNTER] = {"hot_counter", "One counter that everybody wants.", "AM-7 AM-8 AM-10"},
  [FALSE_SHARING] = {"false_sharing", "Different words of one line.", "AM-7 AM-8"},
  [ONE_WORD] = {"one_word", "All operations on the 8 bytes of one place.", "AM-7 AM-8 AM-12"},
  [ERRORS] = {"errors", "Fetches fail, requests are bad, fills come that nobody asked for.", "AM-16"},
  [SLOW_HOME] = {"slow_home", "Lines take long, so that much is accumulated and the stall buffer is full.", "AM-14"},
  [SNOOP_STORM] = {"snoop_storm", "A line is asked back as soon as it is here.", "AM-9 AM-15"},
  [MANY_LINES] = {"many_lines", "More lines than fit.", "AM-14 AM-15"},
  [FENCES] = {"fences", "Fences and flushes among atomics.", "AM-2"},
  [BACK_PRESSURE] = {"back_pressure", "Nobody takes answers or releases for long.", "AM-14"},
  [IDLE] = {"idle", "Little happens; resets in mid-run.", "AM-14"},
  [BOUNDING_BOX] = {"bounding_box", "Minimum and maximum in one line.", "AM-12"},
  [HALTS] = {"halts", "Halts and resets of the unit at any moment, contexts saved and loaded (STATUS).", "AM-17 US-3 US-4 US-7 US-9 US-14"},
  [HALT_OFTEN] = {"halt_often", "Short halts one after the other, most of them released before the cache is halted (STATUS).", "AM-17 US-3 US-7"},
  [PROFILES] = {NULL, NULL, NULL}};

static enum am_profile now(const struct am_env *e) {
  if (e->profile >= 0) return (enum am_profile)e->profile;
  /* The last one is asked for by name alone. */
  return (enum am_profile)(e->cycle * (PROFILES - 1) / (e->planned ? e->planned : 1) % (PROFILES - 1));
}

static bool chance(struct am_env *e, unsigned of_256) { return simt_rng_next(&e->rng) >> 56 < of_256; }

/* An operation that is built, or now and then one that is not; no barrier. */
static uint8_t any_built(const struct am_env *e, unsigned n) {
  unsigned op = n % AM_OPS, tries = n / AM_OPS ? AM_OPS : 0;
  while (tries-- && (e->l.policy[op] == AM_NOT_BUILT || op == AM_FENCE || op == AM_FLUSH)) op = (op * 5 + 7) % AM_OPS;
  return (uint8_t)(op == AM_FENCE || op == AM_FLUSH ? AM_ADD : op);
}

/* Floats that meet each other: zeros, subnormals, ends of the range, not numbers, neighbours of 1, or any. */
static uint64_t any_float(unsigned size, uint64_t r) {
  static const uint32_t corner[] = {0x00000000, 0x80000000, 0x00000001, 0x807fffff, 0x00800000, 0x80800001, 0x3f800000, 0xbf800000, 0x3f800001,
    0x3f7fffff, 0x33800000, 0xb4000000, 0x7f7fffff, 0xff7fffff, 0x7f800000, 0xff800000, 0x7fc00000, 0xffa00001, 0x20000001, 0x5f000003};
  uint32_t v = corner[r % (sizeof corner / sizeof *corner)];
  if (r >> 5 & 1) v = (uint32_t)(r >> 32 & 0x807fffff) | (uint32_t)(112 + (r >> 8 & 31)) << 23;
  if (size != 3) return v;
  uint64_t e = v >> 23 & 255, wide = e == 0 ? 0 : e == 255 ? 2047 : e == 254 ? 2046 : e == 1 ? 1 : e + 896;
  return (uint64_t)(v >> 31) << 63 | wide << 52 | (uint64_t)(v & 0x7fffff) << 29 | (v & 1 ? r >> 36 & 0xfffffff : 0);
}

/* The number of a spell of 64 cycles in every other 1024, else 0. */
static unsigned spell(const struct am_env *e) { return e->cycle >> 10 & 1 ? (unsigned)(e->cycle >> 6) : 0; }

static unsigned mixed_spell(const struct am_env *e) { return spell(e) * 0x9e3779b1u >> 20; }

static void choose_request(struct am_env *e, enum am_profile p, struct am_choice *c) {
  uint64_t r = simt_rng_next(&e->rng);
  c->op = any_built(e, (unsigned)(r >> 56));
  c->size = r >> 8 & 1 ? 2 : (uint8_t)(r >> 9 & 3);
  c->mode = (uint8_t)((r >> 12) % 3);
  c->line = (uint32_t)(r >> 16 & 255) % 6;
  c->offset = (uint32_t)(r >> 24 & 127);
  switch (p) {
  case HOT_COUNTER:
    c->line = c->offset = 0;
    if (r >> 32 & 31) c->op = AM_ADD, c->size = 2;
    if (e->l.apart && e->cycle >> 10 & 1) { /* spells of one operation: only they are accumulated */
      c->op = any_built(e, AM_OPS + AM_INC + (unsigned)(e->cycle >> 6) % (AM_OPS - AM_INC));
      if (!(r >> 40 & 31)) c->op = AM_STORE; /* else a sum that has become infinite or no number stays so */
      c->size = 2;
    }
    break;
  case FALSE_SHARING:
    c->line = 0;
    if (r >> 32 & 3) c->op = AM_ADD, c->size = 2;
    break;
  case ONE_WORD:
    c->line = r >> 32 & 15 ? 0 : 1;
    c->offset = 0;
    if (r >> 36 & 3) c->op = any_built(e, AM_OPS + AM_ADD + (unsigned)(r >> 40) % (AM_OPS - AM_ADD));
    if (r >> 36 & 1) c->op = AM_CAS;
    if (spell(e)) { /* of one operation and size: only then is it accumulated */
      c->op = spell(e) & 1 ? AM_CAS : any_built(e, AM_OPS + AM_ADD + mixed_spell(e) % (AM_OPS - AM_ADD));
      c->size = (uint8_t)(2 + (mixed_spell(e) >> 6 & 1));
    }
    break;
  case ERRORS:
    if (spell(e) && r >> 41 & 15) { /* much is accumulated in few lines when a fetch fails */
      c->op = AM_ADD;
      c->line &= 1;
      c->size = 2;
      if (r >> 45 & 63) c->mode = AM_RELAXED;
    }
    if (!(r >> 32 & 15)) c->op = (uint8_t)(r >> 40 & 31);
    if (!(r >> 36 & 15)) c->mode = 3;
    c->misaligned = !(r >> 48 & 15);
    break;
  case MANY_LINES: c->line = (uint32_t)(r >> 32 & 127); break;
  case FENCES:
    if (!(r >> 32 & 31)) c->op = r >> 37 & 1 ? AM_FENCE : AM_FLUSH;
    break;
  case HALTS: case HALT_OFTEN:
    if (r >> 40 & 1) c->line &= 1;
    if (!(r >> 32 & 63)) c->op = r >> 38 & 1 ? AM_FENCE : AM_FLUSH;
    break;
  case BOUNDING_BOX:
    c->line = 0;
    c->op = (uint8_t)(r >> 32 & 1 ? AM_SMIN : AM_SMAX);
    c->size = 2;
    c->offset = (c->offset & 12) | (r >> 32 & 1 ? 0 : 16);
    break;
  default: break;
  }
  if (!(r >> 52 & 3)) c->mode = AM_RELAXED;
  /* Small values meet each other; the corners of the integers are tried too, and values of a single bit. */
  static const uint64_t corner[] = {0, 1, ~(uint64_t)0, 0x7fffffff, 0x80000000, INT64_MAX, (uint64_t)1 << 63, 0xffffffff};
  uint64_t v = simt_rng_next(&e->rng);
  c->data = v & 1 ? v >> 1 & 3 : !(v & 2) ? v * 0x9e3779b97f4a7c15u : v & 4 ? (uint64_t)1 << (v >> 6 & 63) : corner[v >> 3 & 7];
  c->compare = v >> 32 & 1 ? v >> 33 & 3 : v >> 38 & 1 ? (uint64_t)1 << (v >> 44 & 63) : corner[v >> 35 & 7];
  if (p == ONE_WORD && c->op == AM_CAS && spell(e)) { /* memory has this value, none, or another bit */
    c->compare = (uint64_t)1 << mixed_spell(e) % (c->size == 3 ? 64 : 32);
    if (v & 3) c->data = v & 1 ? 0 : c->compare;
  }
  bool floats = c->op >= AM_FADD || (v >> 57 & 1 && (e->l.policy[AM_FADD] || e->l.policy[AM_FMUL] || e->l.policy[AM_FMIN]));
  if (floats && (c->op >= AM_FADD || c->op == AM_STORE)) c->data = any_float(c->size, simt_rng_next(&e->rng) | (p == HOT_COUNTER ? 32u : 0u));
  c->tid = (uint32_t)(v >> 40);
  if (am_is_modulo(c->op) && v >> 60) { /* most are as they should be */
    if (c->size == 2) c->compare = (uint32_t)c->compare;
    if (p == HOT_COUNTER) c->compare = e->cycle >> 11 & 7;
    if (c->data > c->compare) c->data = c->compare ? c->data % c->compare : 0;
  }
}

static bool home_acts(struct am_env *e, enum am_profile p) {
  static const uint8_t rate[PROFILES] = {[MIXED] = 20, [HOT_COUNTER] = 8, [FALSE_SHARING] = 12, [ONE_WORD] = 12, [ERRORS] = 40, [SLOW_HOME] = 4,
    [SNOOP_STORM] = 200, [MANY_LINES] = 90, [FENCES] = 90, [BACK_PRESSURE] = 60, [IDLE] = 30, [BOUNDING_BOX] = 10, [HALTS] = 60, [HALT_OFTEN] = 90};
  return chance(e, p == ERRORS && spell(e) ? 4 : rate[p]);
}

static void choose_home(struct am_env *e, enum am_profile p, struct am_choice *c) {
  uint64_t r = simt_rng_next(&e->rng);
  c->pick = (uint32_t)(r >> 8);
  c->home = home_acts(e, p) ? AM_HOME_FILL : AM_HOME_NOTHING;
  if (c->home && (r & 255) < (p == SNOOP_STORM ? 128u : p == MANY_LINES ? 20u : 110u)) c->home = AM_HOME_SNOOP;
  if (p == ERRORS && (r & 255) > 240) c->home = AM_HOME_STRAY;
  c->error = p == ERRORS && (r >> 40 & 3) == 0;
  c->writes = (r >> 42 & 7) == 0;
  c->written = simt_rng_next(&e->rng);
}

/* In 1024 cycles; a drain takes longer than a halt that holds. */
static void choose_order(struct am_env *e, enum am_profile p, struct am_choice *c) {
  static const struct { unsigned halts, releases, resets, saves, loads; } rates[] = {{24, 48, 2, 0, 0}, {8, 6, 2, 40, 40}, {60, 60, 0, 0, 0}};
  const unsigned which = p == HALT_OFTEN ? 2 : e->l.drains;
  const uint64_t draw = simt_rng_next(&e->rng), more = simt_rng_next(&e->rng);
  const bool level = e->unit.shell.level;
  c->front.slot = (unsigned)(more & 0xff) % AM_SLOTS;
  c->front.spoil = more >> 8 & 1 ? SIMT_WHOLE : (enum simt_spoil)((more >> 9 & 0xff) % SIMT_SPOILS);
  c->front.place = (uint32_t)(more >> 17);
  c->front.order = (more >> 50 & 255) == 0 ? SIMT_RESUME : SIMT_NO_ORDER;
  if (level && (draw >> 20 & 1023) < rates[which].saves) c->front.order = SIMT_SAVE;
  if (level && (draw >> 30 & 1023) < rates[which].loads) c->front.order = SIMT_LOAD;
  if ((draw >> 10 & 1023) < rates[which].resets) c->front.order = SIMT_UNIT_RESET;
  if ((draw & 1023) < (level ? rates[which].releases : rates[which].halts)) c->front.order = level ? SIMT_RELEASE : SIMT_HALT;
}

bool am_choose(void *env, void *choice) {
  struct am_env *e = env;
  struct am_choice *c = choice;
  memset(c, 0, sizeof *c);
  if (e->directed >= -1) return am_choose_directed(e, c);
  enum am_profile p = now(e);
  choose_request(e, p, c);
  choose_home(e, p, c);
  c->request = chance(e, p == IDLE ? 30 : p == MANY_LINES ? 120 : 235);
  c->ans_ready = chance(e, p == BACK_PRESSURE ? 12 : p == ERRORS ? 128 : 245);
  c->fetch_ready = chance(e, p == BACK_PRESSURE ? 20 : 200);
  c->rel_ready = chance(e, p == BACK_PRESSURE ? 12 : 180);
  uint64_t r = simt_rng_next(&e->rng);
  static const uint16_t often[] = {0x000, 0x004, 0x220, 0x300, 0x308, 0x328, 0x348, 0x350};
  c->reg = (r & 255) < 16;
  c->reg_write = (r >> 8 & 63) == 0;
  c->reg_addr = r >> 14 & 1 ? often[r >> 15 & 7] : (uint32_t)(r >> 15 & 0x3ff) & (r >> 30 & 15 ? 0x3fc : 0x3ff);
  if (c->reg_write && r >> 40 & 1) c->reg_addr = 4;
  c->reuse = (r >> 50 & 31) == 0;
  c->reset = p == IDLE && chance(e, 2) && chance(e, 64);
  c->front = (struct simt_front_choice){.order = SIMT_RELEASE, .takes = r >> 20 & 7, .gives = r >> 24 & 7};
  if (p == HALTS || p == HALT_OFTEN) {
    choose_order(e, p, c);
    c->error = (r >> 60) == 0;
    if ((r >> 36 & 7) == 0 && c->reg_write) c->reg_addr = 8;
    if (p == HALTS && (r >> 52 & 127) == 0) c->home = AM_HOME_STRAY;
  }
  e->cycle++;
  return true;
}
