/* SPDX-License-Identifier: Apache-2.0 */
/* directed.c: lists of commands, and how each must end, said here and not taken from the golden model (which looks as
 * well). Units and memory are prompt. */
#include "context_hub/env.h"

enum { SHORT = 6, LEAST = 3, TIMED = 4, LOCAL_STEPS = 12, RESET_STEP = 10 }; /* words of payload; contexts in the test of cycles */

const struct simt_named hub_directed[N_DIRECTED + 1] = {
  {"every_error", "Each error code once, and a good restore behind them.", "US-9"},
  {"flips", "An image with each of its bits flipped: refused; the image itself restored behind each.", "US-9"},
  {"foreign", "Images of format 1, of another unit, another configuration, too long, too short, cut off at each word.", "US-9"},
  {"store_errors", "Memory refuses each word of a save in turn.", "US-8 US-9"},
  {"load_errors", "Memory fails at each word of a restore in turn.", "US-9"},
  {"released", "A unit that is released behind each word of a save and of a restore.", "US-9"},
  {"local", "Local slots: saved, restored, empty, failed, too long, behind a reset.", "US-7 US-9"},
  {"garbage", "Memory that holds no image.", "US-9"},
  {"cycles", "Cycles of a save and a restore of several lengths.", "US-9"},
  {NULL, NULL, NULL}};

/* Payload that fits in every image of this configuration. */
static uint32_t few(const struct hub_env *e) { return e->region < SHORT + FRAME ? LEAST : SHORT; }

static bool set(struct hub_env *e, struct hub_env_command *c, unsigned tracked, bool load, int expect) {
  while (tracked && e->unit[tracked].number == e->unit[0].number) tracked--; /* of few units some are the same */
  for (unsigned t = 0; t < tracked; t++)
    if (e->unit[t].number == e->unit[tracked].number) tracked = t;
  c->tracked = tracked;
  c->unit = e->unit[tracked].number;
  c->load = load;
  c->expect = expect;
  return true;
}

static bool save(struct hub_env *e, struct hub_env_command *c, unsigned tracked, uint32_t len, int expect) {
  c->len = len;
  return set(e, c, tracked, false, expect);
}

static bool load(struct hub_env *e, struct hub_env_command *c, unsigned tracked, int expect) { return set(e, c, tracked, true, expect); }

static bool spoiled(struct hub_env *e, struct hub_env_command *c, enum hub_env_spoil how, uint32_t aim, int expect) {
  c->spoil = how;
  c->aim = aim;
  return load(e, c, 0, expect);
}

static bool every_error(struct hub_env *e, struct hub_env_command *c, uint32_t k) {
  static const struct { enum hub_env_spoil how; int expect; } way[] = {
    {SPOIL_MAGIC, 1}, {SPOIL_TYPE, 2}, {SPOIL_CONFIG, 2}, {SPOIL_UNIT, 3}, {SPOIL_HUGE, 4}, {SPOIL_SUM, 5}, {SPOIL_NONE, 6},
    {SPOIL_NONE, 7}, {SPOIL_NONE, 0}};
  const uint32_t ways = sizeof way / sizeof *way;
  if (k == 0) return save(e, c, 0, few(e), 0);
  if (k > ways) return false;
  if (way[k - 1].expect == 6) c->fail = (int)few(e);
  if (way[k - 1].expect == 7) c->slot = N_SLOTS, c->home = N_BASES + N_SLOTS - 1;
  return spoiled(e, c, way[k - 1].how, k, way[k - 1].expect);
}

static bool flips(struct hub_env *e, struct hub_env_command *c, uint32_t k) {
  const uint32_t bits = 32 * (few(e) + FRAME);
  if (k == 0) return save(e, c, 0, few(e), 0);
  if ((k - 1) / 2 == bits) return false;
  return k & 1 ? spoiled(e, c, SPOIL_FLIP, (k - 1) / 2, ANY_ERROR) : load(e, c, 0, 0);
}

static bool foreign(struct hub_env *e, struct hub_env_command *c, uint32_t k) {
  static const struct { enum hub_env_spoil how; uint32_t aim; int expect; } way[] = {
    {SPOIL_FORMAT, 0, 1}, {SPOIL_UNIT, 0, 3}, {SPOIL_UNIT, 15, 3}, {SPOIL_TYPE, 0, 2}, {SPOIL_TYPE, 15, 2}, {SPOIL_CONFIG, 0, 2}, {SPOIL_CONFIG, 31, 2},
    {SPOIL_LONG, 0, ANY_ERROR}, {SPOIL_LONG, 2, ANY_ERROR}, {SPOIL_SHORT, 0, 5}, {SPOIL_ZERO, 0, 5}, {SPOIL_HUGE, 0, 4}, {SPOIL_HUGE, 1, 4},
    {SPOIL_HUGE, 2, 4}};
  const uint32_t ways = sizeof way / sizeof *way;
  if (k == 0) return save(e, c, 0, few(e), 0);
  if (k % 2 == 0) return load(e, c, 0, 0);
  k /= 2;
  if (k < ways) return spoiled(e, c, way[k].how, way[k].aim, way[k].expect);
  return k < ways + few(e) + FRAME - 1 && spoiled(e, c, SPOIL_CUT, k - ways, ANY_ERROR);
}

static bool store_errors(struct hub_env *e, struct hub_env_command *c, uint32_t k) {
  if (k / 3 >= few(e) + FRAME) return false;
  if (k % 3 == 2) return load(e, c, 1, 0);
  if (k % 3 == 0) c->fail = (int)(k / 3);
  return save(e, c, 1, few(e), k % 3 == 0 ? 6 : 0);
}

static bool load_errors(struct hub_env *e, struct hub_env_command *c, uint32_t k) {
  if (k == 0) return save(e, c, 1, few(e), 0);
  if (k / 2 >= few(e) + FRAME) return k == 2 * (few(e) + FRAME) && load(e, c, 1, 0);
  if (k & 1) c->fail = (int)(k / 2);
  return load(e, c, 1, k & 1 ? 6 : 0);
}

/* Behind the last word of a save the release comes too late to matter. */
static bool released(struct hub_env *e, struct hub_env_command *c, uint32_t k) {
  const uint32_t word = k / 4;
  if (word >= few(e) + FRAME) return false;
  if (k % 4 == 0 || k % 4 == 2) c->release = (int)word;
  if (k % 4 == 0) return save(e, c, 1, few(e), word < few(e) + 1 ? 5 : -1);
  if (k % 4 == 1) return save(e, c, 1, few(e), 0);
  return load(e, c, 1, k % 4 == 3 ? 0 : word < 2 ? ANY_ERROR : -1);
}

static bool local(struct hub_env *e, struct hub_env_command *c, uint32_t k) {
  const uint32_t fits = e->l.local_words - SLOT_FRAME;
  const unsigned t = k / LOCAL_STEPS & 1;
  c->slot = 1 + k / LOCAL_STEPS / 2;
  c->home = N_BASES + c->slot - 1;
  if (c->slot > e->l.slots) return !e->l.slots && k < 2 && set(e, c, 0, k & 1, 7);
  switch (k % LOCAL_STEPS) {
    case 0: return load(e, c, t, 7);
    case 1: return save(e, c, t, 3, 0);
    case 2: return load(e, c, t, 0);
    case 3: c->release = 2; return save(e, c, t, 3, 5);
    case 4: return load(e, c, t, 7);
    case 5: return save(e, c, t, fits <= MOST_WORDS ? fits : 3, 0);
    case 6: return load(e, c, t, 0);
    case 7: return save(e, c, t, fits < MOST_WORDS ? fits + 1 : 1, fits < MOST_WORDS ? 4 : 0);
    case 8: return load(e, c, t, fits < MOST_WORDS ? 7 : 0);
    case 9: return save(e, c, t, 2, 0);
    case RESET_STEP: return load(e, c, t, 0);
    default: return load(e, c, t, 7);
  }
}

static bool garbage(struct hub_env *e, struct hub_env_command *c, uint32_t k) {
  if (k == 0) return save(e, c, 0, few(e), 0);
  if (k < 20) return spoiled(e, c, SPOIL_GARBAGE, k, ANY_ERROR);
  return k == 20 && load(e, c, 0, 0);
}

static const uint32_t timed_length[TIMED] = {1, SHORT, 40, 300};

static bool cycles(struct hub_env *e, struct hub_env_command *c, uint32_t k) {
  const uint32_t len = timed_length[k / 2 % TIMED];
  if (k >= 4 * TIMED || (k >= 2 * TIMED && !e->l.slots)) return false;
  c->slot = k >= 2 * TIMED;
  c->home = c->slot ? N_BASES : 0;
  if (len > (c->slot ? e->l.local_words - SLOT_FRAME : e->region - FRAME)) return set(e, c, 0, k & 1, -1);
  return k & 1 ? load(e, c, 0, 0) : save(e, c, 0, len, 0);
}

enum { T_LOCAL = 6, T_CYCLES = 8, LEAST_INFLIGHT = 8 };

bool hub_directed_next(struct hub_env *e, struct hub_env_command *c) {
  static bool (*const list[N_DIRECTED])(struct hub_env *e, struct hub_env_command *c, uint32_t k) = {
    every_error, flips, foreign, store_errors, load_errors, released, local, garbage, cycles};
  return list[e->test](e, c, e->step++);
}

/* Without a bus, and with requests enough under way. From the cycle that takes the command to that of hub_done_o, as docs/context_hub.md says. */
static uint64_t documented(const struct hub_env *e) {
  const uint32_t words = e->unit[e->c.tracked].now.len + (e->c.slot ? SLOT_FRAME : FRAME), mux = e->l.stages;
  if (e->c.slot) return words + mux + (e->c.load ? 12 : 8);
  return words + mux + (e->c.load ? 21 : 11);
}

const char *hub_directed_ended(struct hub_env *e) {
  const uint32_t k = e->step - 1;
  e->reset_wanted = e->test == T_LOCAL && e->l.slots && k % LOCAL_STEPS == RESET_STEP;
  if (e->test != T_CYCLES || e->c.expect || !e->plain || e->l.inflight < LEAST_INFLIGHT) return NULL;
  if (e->last_cycles == documented(e)) return NULL;
  return hub_wrong(e, "%u words take %u cycles, documented are %u", e->unit[e->c.tracked].now.len + FRAME,
                   (unsigned)e->last_cycles, (unsigned)documented(e));
}
