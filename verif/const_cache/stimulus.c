/* SPDX-License-Identifier: Apache-2.0 */
/* stimulus.c: random choices by profile. */
#include <string.h>

#include "const_cache/env.h"

const struct simt_named cc_profiles[CC_PROFILES + 1] = {
  [CC_BUSY] = {"busy", "All SMs are active under writes; prompt memory.", "CC-2 CC-10 CC-13"},
  [CC_SLOW_SM] = {"slow_sm", "SM 0 hardly ever completes while the others turn over versions.", "CC-2 CC-11 CC-13"},
  [CC_WRITES_ONLY] = {"writes", "Long sequences of writes with no work between.", "CC-10"},
  [CC_ONE_WORD] = {"one_word", "One word is written in every version.", "CC-10 CC-12"},
  [CC_LARGE_SETS] = {"large_sets", "Sets larger than an L1; slow memory, answers in any order.", "CC-3"},
  [CC_FULL] = {"full", "All writes go to one set of the backup.", "CC-12"},
  [CC_FAULTS] = {"faults", "Memory errors on reads, old words and write-backs; bad commands, reads and completions.", "CC-15"},
  [CC_SYNCS] = {"syncs", "Flush and invalidate; memory changes outside; the base moves.", "CC-3"},
  [CC_RESETS] = {"resets", "Resets in mid-run.", "CC-2"},
  [CC_IDLE] = {"idle", "Little to do; registers are read.", "CC-16"},
  [CC_HALTS] = {"halts", "The unit is halted, released, reset, saved and loaded in mid-run.", "CC-14"},
  [CC_HALT_OFTEN] = {"halt_often", "Short halts one after the other: between the words of a copy, an update, a sequence of writes.", "CC-14"},
  {NULL, NULL, NULL}};

/* In 1024: commands offered, those that are work, and so on. Range: words that writes go to and SMs read. */
struct rates { unsigned cmd, work, sync, bad, reset, reg, repeat, sequential, slow, read, done, range; struct simt_memory_rates memory; };
static const struct rates rates[CC_PROFILES] = {
  [CC_BUSY] = {1000, 200, 0, 0, 0, 30, 100, 500, 0, 700, 60, 12, {.ready = 256, .answer = 200, .early = 64}},
  [CC_SLOW_SM] = {900, 400, 0, 0, 0, 10, 50, 300, 1023, 600, 200, 12, {.ready = 256, .answer = 160, .early = 64}},
  [CC_WRITES_ONLY] = {1000, 8, 0, 0, 0, 10, 50, 800, 0, 500, 300, 64, {.ready = 256, .answer = 200, .early = 64}},
  [CC_ONE_WORD] = {1000, 500, 0, 0, 0, 10, 0, 0, 700, 300, 100, 1, {.ready = 256, .answer = 200, .early = 64}},
  [CC_LARGE_SETS] = {800, 150, 0, 0, 0, 10, 50, 900, 0, 900, 20, 1u << 20, {.ready = 160, .answer = 60, .early = 128}},
  [CC_FULL] = {1000, 300, 0, 0, 0, 30, 20, 100, 900, 500, 40, 0, {.ready = 200, .answer = 128, .early = 128}},
  [CC_FAULTS] = {800, 200, 4, 40, 0, 60, 50, 300, 300, 600, 60, 200, {.ready = 200, .answer = 128, .early = 128, .error = 6000}},
  [CC_SYNCS] = {800, 250, 60, 4, 0, 120, 50, 500, 0, 600, 150, 100, {.ready = 220, .answer = 128, .early = 128}},
  [CC_RESETS] = {900, 250, 4, 0, 2, 30, 50, 500, 0, 700, 60, 40, {.ready = 220, .answer = 128, .early = 128}},
  [CC_HALTS] = {900, 250, 20, 8, 0, 60, 50, 500, 0, 700, 100, 40, {.ready = 220, .answer = 128, .early = 128, .error = 1000}},
  [CC_HALT_OFTEN] = {900, 300, 4, 0, 0, 10, 50, 500, 300, 500, 120, 24, {.ready = 250, .answer = 200, .early = 128}},
  [CC_IDLE] = {20, 300, 20, 100, 0, 500, 200, 300, 0, 60, 60, 30, {.ready = 100, .answer = 40, .early = 128}}};

static unsigned profile_of(const struct cc_env *e) {
  return e->profile < CC_PROFILES ? e->profile : (unsigned)(e->cycle / e->part) % CC_PROFILES;
}

/* A mask of which each of `n` bits is 1 with about this chance in 1024. A random number does for few of them. */
static uint64_t some(struct simt_rng *rng, unsigned rate, unsigned n) {
  enum { FEW = 10 };
  uint64_t mask = 0, r = 0;
  if (rate >= 1000) return ~UINT64_C(0);
  for (unsigned i = 4; i < 10; i++) {
    r = n > FEW || i == 4 ? simt_rng_next(rng) : r >> FEW;
    mask = rate >> i & 1 ? mask | r : mask & r;
  }
  return mask;
}

void cc_choose(struct cc_env *e, struct cc_choice *c) {
  e->now = profile_of(e);
  const struct rates *r = &rates[e->now];
  uint64_t dice = simt_rng_next(&e->rng); /* 10 bits for each choice */
  memset(c, 0, sizeof *c);
#define DRAW(flag, rate) c->flags |= (dice & 1023) < (rate) ? (uint32_t)(flag) : 0, dice >>= 10
  DRAW(CC_F_CMD, r->cmd);
  DRAW(CC_F_WORK, r->work);
  DRAW(CC_F_SYNC, r->sync);
  DRAW(CC_F_BAD, r->bad);
  DRAW(CC_F_RESET, r->reset);
  DRAW(CC_F_REG, r->reg);
  dice = simt_rng_next(&e->rng);
  DRAW(CC_F_REPEAT, r->repeat);
  DRAW(CC_F_SEQUENTIAL, r->sequential);
  DRAW(CC_F_SLOW, r->slow);
  DRAW(CC_F_OUTSIDE, 500);
#undef DRAW
  c->reads = some(&e->rng, r->read, e->l.sms);
  c->dones = some(&e->rng, r->done, e->l.sms);
  c->places = simt_rng_next(&e->rng);
  const uint64_t both = simt_rng_next(&e->rng);
  c->draw = (uint32_t)both;
  c->data = (uint32_t)(both >> 32);
  c->reg = (uint32_t)simt_rng_next(&e->rng);
  c->mem = simt_memory_choose(&e->rng, &r->memory);
  if (!e->l.status) return;
  const uint64_t order = simt_rng_next(&e->rng);
  c->front = cc_front_choose(e, order, simt_rng_next(&e->rng));
}

/* An address that this profile uses. */
uint32_t cc_place(const struct cc_env *e, uint64_t draw) {
  const uint32_t constants = e->l.constants, range = rates[e->now].range < constants ? rates[e->now].range : constants;
  if (e->now == CC_FULL) return ((uint32_t)(draw % 24 * e->l.sets + 1) * e->l.words + (uint32_t)(draw >> 32) % e->l.words) % e->l.constants;
  const uint32_t first = e->now == CC_ONE_WORD ? 5 : e->window, at = first + (uint32_t)draw % range;
  return at < constants ? at : at - constants;
}

static uint64_t word_mask(const struct cc_env *e) { return e->l.word_w == 64 ? ~UINT64_C(0) : (UINT64_C(1) << e->l.word_w) - 1; }

/* The next command; it is held until it is taken. */
void cc_next_command(struct cc_env *e, const struct cc_choice *c) {
  const uint32_t odd = (1u << e->l.const_w) - e->l.constants, words = e->l.words;
  if (!(c->flags & CC_F_CMD)) return;
  if (e->kind == CC_INVALIDATE && e->q_n && e->data[0] & 1) return; /* nothing is behind every other invalidate until it is complete */
  if (e->fresh && c->draw >> 12 & 63) return; /* a while in which the base may be moved */
  e->offered = true;
  e->kind = c->flags & CC_F_SYNC ? CC_FLUSH + (c->draw & 1) : c->flags & CC_F_WORK ? CC_WORK : CC_WRITE;
  e->addr = cc_place(e, c->draw >> 1);
  if (c->flags & CC_F_SEQUENTIAL && e->kind == CC_WRITE) e->addr = cc_place(e, e->writes * words);
  e->addr -= e->addr % words;
  for (uint32_t i = 0; i < words; i++) {
    e->data[i] = (((uint64_t)c->data << 32 | c->data * 0x9e3779b1u) + i * 0x9e3779b97f4a7c15) & word_mask(e);
    if (c->flags & CC_F_REPEAT && e->kind == CC_WRITE) e->data[i] = e->value[e->addr + i];
  }
  if (!(c->flags & CC_F_BAD)) return;
  if (c->draw & 2 || (!odd && words == 1)) e->kind = 4 + (c->draw >> 2 & 3);
  else if (e->kind == CC_WRITE && odd && (words == 1 || c->draw & 8)) e->addr = e->l.constants + (c->draw >> 4) % odd;
  else if (e->kind == CC_WRITE) e->addr += 1 + (c->draw >> 4) % (words - 1);
}
