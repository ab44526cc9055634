/* SPDX-License-Identifier: Apache-2.0 */
/* stimulus.c: random profiles of a line_home, and directed tests. */
#include <string.h>

#include "line_home/env.h"

enum profile { BUSY, HOT, CROSSING, READERS, BLOCKED, SLOW_MEMORY, ERRORS, MANY, FULL_BLOCKED, IDLE, PROFILES };

const struct simt_named lh_profiles[] = {
  [BUSY] = {"busy", "All caches want a few lines.", "AM-15"},
  [HOT] = {"hot", "All caches want one line.", "AM-15"},
  [CROSSING] = {"crossing", "Caches give lines back by themselves all the time: snoops cross releases, fetches overtake them.", "AM-15"},
  [READERS] = {"readers", "Lines are seldom written.", "AM-15"},
  [BLOCKED] = {"blocked", "Some caches take hardly anything from the home channel.", "AM-15"},
  [SLOW_MEMORY] = {"slow_memory", "Memory answers late and in any order.", "AM-15"},
  [ERRORS] = {"errors", "Memory fails; lines are released by those who do not own them.", "AM-16"},
  [MANY] = {"many", "More lines than a set holds.", "AM-15"},
  [FULL_BLOCKED] = {"full_blocked", "Full sets, slow memory and caches that take little.", "AM-15"},
  [IDLE] = {"idle", "Little happens; resets in mid-run.", "AM-15"},
  [PROFILES] = {NULL, NULL, NULL}};

/* In 256: chance of a cache to fetch, to answer a snoop, to release by itself, to have written, to take a beat, to pause. */
struct lh_rates { unsigned pool, fetch, release, evict, dirty, ready, gap, bad; struct simt_memory_rates memory; };
static const struct lh_rates rates[PROFILES] = {
  [BUSY] = {6, 200, 200, 8, 200, 240, 8, 0, {.ready = 256, .answer = 200, .early = 64}},
  [HOT] = {1, 256, 220, 2, 220, 250, 4, 0, {.ready = 256, .answer = 200, .early = 64}},
  [CROSSING] = {4, 220, 100, 90, 128, 200, 40, 0, {.ready = 220, .answer = 160, .early = 64}},
  [READERS] = {8, 160, 200, 20, 8, 220, 8, 0, {.ready = 256, .answer = 200, .early = 64}},
  [BLOCKED] = {8, 200, 200, 30, 160, 0, 8, 0, {.ready = 200, .answer = 160, .early = 64}},
  [SLOW_MEMORY] = {14, 160, 160, 60, 200, 220, 8, 0, {.ready = 60, .answer = 16, .early = 128}},
  [ERRORS] = {10, 160, 160, 60, 200, 180, 8, 6, {.ready = 200, .answer = 128, .early = 128, .error = 14000}},
  [MANY] = {0, 200, 160, 1, 160, 220, 8, 0, {.ready = 200, .answer = 160, .early = 64}},
  [FULL_BLOCKED] = {0, 220, 120, 1, 160, 40, 8, 1, {.ready = 60, .answer = 30, .early = 128, .error = 2000}},
  [IDLE] = {12, 6, 40, 10, 128, 128, 40, 0, {.ready = 128, .answer = 60, .early = 128}}};

static enum profile now(const struct lh_env *e) {
  if (e->profile >= 0) return (enum profile)e->profile;
  const uint64_t part = e->planned / PROFILES + 1, n = e->cycle / part;
  return n < PROFILES ? (enum profile)n : IDLE;
}

/* A mask of which each bit is 1 with about this chance in 256. */
static uint64_t some(struct lh_env *e, unsigned rate) {
  if (rate >= 256) return ~UINT64_C(0);
  uint64_t mask = 0;
  for (unsigned i = 0; i < 8; i++)
    if (rate >> i & 1 || mask) mask = rate >> i & 1 ? mask | simt_rng_next(&e->rng) : mask & simt_rng_next(&e->rng);
  return mask;
}

static void choose_random(struct lh_env *e, struct lh_choice *c) {
  const struct lh_rates *r = &rates[now(e)];
  c->line = -1;
  c->pool = (uint8_t)r->pool;
  c->fetch = some(e, r->fetch);
  c->release = some(e, r->release);
  c->evict = some(e, r->evict);
  c->dirty = some(e, r->dirty);
  c->ready = some(e, r->ready);
  c->gap = some(e, r->gap);
  c->draw = simt_rng_next(&e->rng);
  c->mem = simt_memory_choose(&e->rng, &r->memory);
  if (now(e) == BLOCKED) c->ready = e->cycle >> 9 & 1 ? some(e, 220) : some(e, 220) & (0x5555555555555555u << (e->cycle >> 10 & 1));
  c->bad = simt_rng_next(&e->rng) >> 56 < r->bad;
  c->bad_cache = (uint8_t)simt_rng_next(&e->rng);
  c->reset = now(e) == IDLE && simt_rng_next(&e->rng) >> 50 < 4;
}

/* ---- directed ----------------------------------------------------------------------------------------------- */

/* FETCH and RELEASE (with data or CLEAN) of a line by a cache; WAIT cycles; DRAIN: until nothing is wanted, while snooped lines
 * are released; HELD: only that they are not. MEMORY: how the next answers end. Caches are taken modulo their number. */
enum lh_step_kind { FETCH, RELEASE, CLEAN, BAD, WAIT, DRAIN, SETTLE, FAIL, WELL, BLOCK, TAKE, RESET, GIVE_BACK, END };
struct step { enum lh_step_kind kind; unsigned a, b; };

static const struct step hand_over[] = { /* the latency is checked in golden.c */
  {FETCH, 0, 1}, {SETTLE, 0, 0}, {FETCH, 1, 1}, {WAIT, 30, 0}, {RELEASE, 0, 1}, {WAIT, 30, 0}, {FETCH, 0, 1}, {WAIT, 30, 0}, {CLEAN, 1, 1}, {WAIT, 30, 0},
  {GIVE_BACK, 0, 0}, {END, 0, 0}};
static const struct step crossing[] = {
  {FETCH, 0, 2}, {SETTLE, 0, 0}, {FETCH, 1, 2}, {RELEASE, 0, 2}, {WAIT, 3, 0}, {FETCH, 0, 2}, {DRAIN, 0, 0}, {GIVE_BACK, 0, 0},
  {FETCH, 0, 3}, {SETTLE, 0, 0}, {RELEASE, 0, 3}, {FETCH, 0, 3}, {DRAIN, 0, 0}, {GIVE_BACK, 0, 0}, {END, 0, 0}};
static const struct step all_wait[] = {
  {FETCH, 0, 1}, {SETTLE, 0, 0}, {FETCH, 3, 1}, {FETCH, 2, 1}, {FETCH, 1, 1}, {WAIT, 60, 0}, {DRAIN, 0, 0}, {GIVE_BACK, 0, 0}, {END, 0, 0}};
static const struct step full_set[] = {
  {FETCH, 0, 16}, {SETTLE, 0, 0}, {FETCH, 1, 18}, {SETTLE, 0, 0}, {FETCH, 2, 20}, {SETTLE, 0, 0}, {FETCH, 3, 22}, {SETTLE, 0, 0}, {FETCH, 0, 24},
  {SETTLE, 0, 0}, {FETCH, 1, 26}, {SETTLE, 0, 0}, {FETCH, 2, 28}, {SETTLE, 0, 0}, {FETCH, 3, 30}, {SETTLE, 0, 0}, {FETCH, 0, 32}, {WAIT, 40, 0}, {DRAIN, 0, 0},
  {FETCH, 1, 34}, {FETCH, 2, 36}, {DRAIN, 0, 0}, {GIVE_BACK, 0, 0}, {END, 0, 0}};
static const struct step read_error[] = {
  {FAIL, 0, 0}, {FETCH, 0, 1}, {FETCH, 1, 1}, {DRAIN, 0, 0}, {WELL, 0, 0}, {FETCH, 1, 1}, {FETCH, 0, 1}, {DRAIN, 0, 0}, {GIVE_BACK, 0, 0}, {END, 0, 0}};
static const struct step write_error[] = {
  {FETCH, 0, 1}, {SETTLE, 0, 0}, {FAIL, 0, 0}, {RELEASE, 0, 1}, {WAIT, 60, 0}, {WELL, 0, 0}, {FETCH, 1, 1}, {DRAIN, 0, 0}, {GIVE_BACK, 0, 0}, {WAIT, 600, 0}, {END, 0, 0}};
static const struct step bad_release[] = {
  {FETCH, 0, 1}, {SETTLE, 0, 0}, {BAD, 1, 1}, {WAIT, 20, 0}, {BAD, 1, 5}, {WAIT, 20, 0}, {RELEASE, 0, 1}, {WAIT, 60, 0}, {BAD, 0, 1}, {FETCH, 1, 1}, {DRAIN, 0, 0},
  {GIVE_BACK, 0, 0}, {WAIT, 600, 0}, {END, 0, 0}};
static const struct step blocked[] = {
  {BLOCK, 0, 0}, {FETCH, 0, 1}, {FETCH, 0, 2}, {FETCH, 0, 3}, {FETCH, 0, 4}, {FETCH, 0, 5}, {FETCH, 0, 6}, {FETCH, 0, 7}, {WAIT, 100, 0}, {FETCH, 1, 8}, {WAIT, 60, 0},
  {FETCH, 1, 1}, {WAIT, 60, 0}, {TAKE, 0, 0}, {DRAIN, 0, 0}, {GIVE_BACK, 0, 0}, {END, 0, 0}};
static const struct step reset_in_fill[] = {
  {FETCH, 0, 1}, {WAIT, 3, 0}, {RESET, 0, 0}, {FETCH, 0, 1}, {SETTLE, 0, 0}, {RELEASE, 0, 1}, {WAIT, 2, 0}, {RESET, 0, 0}, {FETCH, 1, 1}, {DRAIN, 0, 0}, {GIVE_BACK, 0, 0}, {END, 0, 0}};

static const struct step *const script[] = {hand_over, crossing, all_wait, full_set, read_error, write_error, bad_release, blocked, reset_in_fill};
const struct simt_named lh_directed[] = {
  {"hand_over", "A line goes from cache to cache in the promised number of cycles, with and without data.", "AM-15"},
  {"crossing", "A snoop crosses the release that answers it; a cache fetches what it has just released.", "AM-15"},
  {"all_wait", "All wait for one line: each gets it in turn.", "AM-15"},
  {"full_set", "A ninth line of a set: one is recalled.", "AM-15"},
  {"read_error", "Memory fails while two wait; it is asked again for the next one.", "AM-16"},
  {"write_error", "Memory fails to write a line.", "AM-16"},
  {"bad_release", "Lines are released by caches that do not own them.", "AM-16"},
  {"blocked", "A cache takes nothing while it has many fetches; others go on.", "AM-15"},
  {"reset_in_fill", "Reset while a line is read and while it is written.", "AM-15"},
  {NULL, NULL, NULL}};

static bool wanted(const struct lh_env *e) {
  for (unsigned i = 0; i < e->l.caches; i++)
    if (e->agent[i].offers || e->agent[i].n_wanted || e->agent[i].releases) return true;
  return false;
}

/* Whether the step is over; what it asks for is in the choice. */
static bool do_step(struct lh_env *e, const struct step *s, struct lh_choice *c) {
  const unsigned cache = s->a % e->l.caches, line = s->b % e->pool_n;
  const uint64_t bit = (uint64_t)1 << cache;
  const struct lh_agent *a = &e->agent[cache];
  switch (s->kind) {
  case FETCH:
    c->line = (int16_t)line;
    c->fetch = bit;
    return !a->offers;
  case RELEASE:
  case CLEAN:
    c->line = (int16_t)line;
    c->evict = c->release = bit;
    c->dirty = s->kind == RELEASE ? bit : 0;
    return !a->on[line].held || e->waited > 1000;
  case BAD:
    c->line = (int16_t)line;
    c->bad = 1;
    c->bad_cache = (uint8_t)cache;
    c->dirty = bit;
    return true;
  case WAIT: return ++e->waited > s->a;
  case DRAIN:
    c->release = ~UINT64_C(0);
    return ++e->waited > 10 && !wanted(e);
  case SETTLE: /* of a small address space another cache may own the line, and keeps it */
    return ++e->waited > 3 && (!wanted(e) || (e->pool_n < LH_POOL && e->waited > 1000));
  case FAIL:
  case WELL:
  case BLOCK:
  case TAKE: return true;
  case RESET:
    c->reset = 1;
    return true;
  case GIVE_BACK:
    c->release = c->evict = ~UINT64_C(0);
    return ++e->waited > 80 && lh_idle(e);
  default: return false;
  }
}

static bool since(const struct step *all, unsigned step, enum lh_step_kind on, enum lh_step_kind off) {
  bool is = false;
  for (unsigned i = 0; i <= step; i++) is = all[i].kind == on || (is && all[i].kind != off);
  return is;
}

static bool choose_directed(struct lh_env *e, struct lh_choice *c) {
  const struct step *all = script[e->test];
  if (all[e->step].kind == END) {
    if (e->directed >= 0 || !lh_directed[e->test + 1].name) return false;
    e->test++;
    e->step = e->waited = 0;
    all = script[e->test];
  }
  c->line = -1;
  c->ready = ~UINT64_C(0);
  c->dirty = ~UINT64_C(0);
  c->draw = simt_rng_next(&e->rng);
  c->mem = simt_memory_word(true, true, 0, since(all, e->step, FAIL, WELL) ? 2 : 0);
  if (since(all, e->step, BLOCK, TAKE)) c->ready = ~UINT64_C(1);
  const bool over = do_step(e, &all[e->step], c);
  if (over) e->step++, e->waited = 0;
  return true;
}

bool lh_choose(void *env, void *choice) {
  struct lh_env *e = env;
  memset(choice, 0, sizeof(struct lh_choice));
  if (e->directed >= -1) return choose_directed(e, choice);
  choose_random(e, choice);
  return true;
}
