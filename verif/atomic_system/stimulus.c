/* SPDX-License-Identifier: Apache-2.0 */
/* stimulus.c: random profiles of an atomic_system, and directed tests. */
#include <string.h>

#include "atomic_system/env.h"

const struct simt_named as_profiles[] = {
  [AS_MIXED] = {"mixed", "All operations on a few lines.", "AM-1 AM-15"},
  [AS_HOT_COUNTER] = {"hot_counter", "One counter that all caches want.", "AM-7 AM-8 AM-15"},
  [AS_FALSE_SHARING] = {"false_sharing", "Different words of one line.", "AM-7 AM-15"},
  [AS_ONE_WORD] = {"one_word", "All operations on the 8 bytes of one place.", "AM-7 AM-12"},
  [AS_MANY_LINES] = {"many_lines", "More lines than caches and home hold in a set.", "AM-14 AM-15"},
  [AS_FENCES] = {"fences", "Fences and flushes among atomics.", "AM-2"},
  [AS_BACK_PRESSURE] = {"back_pressure", "Answers are taken seldom.", "AM-14"},
  [AS_BOUNDING_BOX] = {"bounding_box", "Minimum and maximum in one line.", "AM-12"},
  [AS_IDLE] = {"idle", "Little happens; resets in mid-run.", "AM-14"},
  [AS_HALTS] = {"halts", "Halts and resets of the system at any moment, contexts saved and loaded; reads fail (STATUS).", "AM-17 US-3 US-4 US-7 US-9 US-14"},
  [AS_HALT_OFTEN] = {"halt_often", "Short halts one after the other, most of them released before the system is halted (STATUS).", "AM-17 US-3 US-7"},
  [AS_PROFILES] = {NULL, NULL, NULL}};

static enum as_profile now(const struct as_env *e) {
  if (e->profile >= 0) return (enum as_profile)e->profile;
  const unsigned profiles = e->status ? AS_PROFILES : AS_HALTS;
  const uint64_t n = e->cycle / (e->planned / profiles + 1);
  return n < profiles ? (enum as_profile)n : AS_IDLE;
}

static uint64_t mix(uint64_t x) {
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
  x = (x ^ x >> 27) * 0x94d049bb133111ebu;
  return x ^ x >> 31;
}

/* One of the operations that only some configurations have, if this is one of them. */
static unsigned any_option(const struct as_env *e, unsigned n, unsigned otherwise) {
  for (unsigned k = 0; k < AM_OPS - AM_SAT; k++) {
    const unsigned op = AM_SAT + (n + k) % (AM_OPS - AM_SAT);
    if (e->l.policy[op] != AM_NOT_BUILT) return op;
  }
  return otherwise;
}

/* Limits and operands that are mostly good; floats that lie near each other. */
static void fit(struct amc_request *q, uint64_t v) {
  if (am_is_modulo(q->op) && v >> 60) {
    if (q->size == 2) q->compare = (uint32_t)q->compare;
    if (q->data > q->compare) q->data = q->compare ? q->data % q->compare : 0;
  } else if (q->op >= AM_FADD && v >> 59 & 1) {
    const uint64_t sign = v >> 58 & 1, at = v >> 54 & 15;
    q->data = q->size == 3 ? sign << 63 | (1016 + at) << 52 | (v & 0xfffff) << 20 : sign << 31 | (120 + at) << 23 | (v & 0x7fffff);
  }
}

void as_make_request(const struct as_env *e, const struct as_choice *c, unsigned cache, struct amc_request *q) {
  uint64_t r = mix(c->draw + cache * 0x9e3779b97f4a7c15u), v = mix(r + 1);
  unsigned op = (unsigned)(r % 16), size = r >> 8 & 1 ? 2 : (unsigned)(r >> 9 & 3), line = (unsigned)(r >> 16 & 255) % 6;
  unsigned offset = (unsigned)(r >> 24 & 127), mode = (unsigned)((r >> 12) % 3);
  if (op >= AM_OPS || op == AM_FENCE || op == AM_FLUSH) op = AM_ADD;
  if (r >> 48 & 1) op = any_option(e, (unsigned)(r >> 49 & 15), op);
  switch ((enum as_profile)c->profile) {
  case AS_HOT_COUNTER:
    line = offset = 0;
    if (r >> 32 & 31) op = AM_ADD, size = 2;
    if (e->cycle >> 10 & 1) op = any_option(e, (unsigned)(e->cycle >> 6), op), size = 2; /* spells of one operation */
    break;
  case AS_FALSE_SHARING: line = 0; break;
  case AS_ONE_WORD:
    line = r >> 32 & 15 ? 0 : 1;
    offset = 0;
    break;
  case AS_HALTS:
    if (e->cycle >> 11 & 1) line = (unsigned)(r >> 32 & 127) % e->pool; /* spells of many lines */
    break;
  case AS_MANY_LINES: line = (unsigned)(r >> 32 & 127) % e->pool; break;
  case AS_FENCES:
    if (!(r >> 32 & 31)) op = r >> 37 & 1 ? AM_FENCE : AM_FLUSH;
    break;
  case AS_BOUNDING_BOX:
    line = 0;
    op = r >> 32 & 1 ? AM_SMIN : AM_SMAX;
    size = 2;
    offset = (offset & 12) | (r >> 32 & 1 ? 0 : 16);
    break;
  default: break;
  }
  offset %= e->l.line_bytes;
  if (r >> 40 & 63) offset &= ~((1u << size) - 1); /* now and then misaligned */
  static const uint64_t corner[] = {0, 1, ~(uint64_t)0, 0x7fffffff, 0x80000000, INT64_MAX, (uint64_t)1 << 63, 0xffffffff};
  *q = (struct amc_request){.op = op, .size = size, .mode = mode, .addr = as_pool_line(e, line % e->pool) << e->l.line_lg | offset,
                            .data = v & 1 ? v >> 1 & 3 : v & 2 ? corner[v >> 3 & 7] : v * 0x9e3779b97f4a7c15u,
                            .compare = v >> 32 & 1 ? v >> 33 & 3 : corner[v >> 35 & 7]};
  fit(q, mix(v));
}

static uint64_t some(struct as_env *e, unsigned of_256) {
  uint64_t mask = 0;
  if (of_256 >= 256) return ~UINT64_C(0);
  for (unsigned i = 0; i < 8; i++) mask = of_256 >> i & 1 ? mask | simt_rng_next(&e->rng) : mask & simt_rng_next(&e->rng);
  return mask;
}

/* In 1024 cycles; releases while it is not halted, too, and when it is. */
static void choose_order(struct as_env *e, enum as_profile p, struct as_choice *c) {
  static const struct { unsigned halts, releases, when_halted, moves; } rates[] = {{6, 1, 40, 120}, {60, 60, 60, 0}};
  const unsigned which = p == AS_HALT_OFTEN;
  const uint64_t draw = simt_rng_next(&e->rng), more = simt_rng_next(&e->rng);
  const bool level = e->front.shell.level, halted = e->front.shell.state == SIMT_HALTED;
  const unsigned releases = halted ? rates[which].when_halted : rates[which].releases;
  c->front.slot = (unsigned)(more & 0xff) % AS_SLOTS;
  c->front.spoil = more >> 8 & 1 ? SIMT_WHOLE : (enum simt_spoil)((more >> 9 & 0xff) % SIMT_SPOILS);
  c->front.place = (uint32_t)(more >> 17);
  c->forge = more >> 50 & 1;
  if ((draw >> 20 & 255) == 0) c->front.order = SIMT_RESUME;
  if (level && (draw >> 40 & 1023) < (halted ? rates[which].moves : 0)) c->front.order = draw >> 50 & 1 ? SIMT_SAVE : SIMT_LOAD;
  const struct simt_front *f = &e->front.shell;
  const unsigned loads = f->doing != SIMT_FRONT_LOADING || f->offered ? 0 : f->at < f->n ? 12 : 128; /* resets in its middle, and at its end */
  if ((draw >> 30 & 1023) < 1 + loads) c->front.order = SIMT_UNIT_RESET;
  if ((draw & 1023) < (level ? releases : rates[which].halts)) c->front.order = level ? SIMT_RELEASE : SIMT_HALT;
}

static void choose_random(struct as_env *e, struct as_choice *c) {
  static const struct { unsigned request, ready; struct simt_memory_rates memory; } rate[AS_PROFILES] = {
    [AS_MIXED] = {200, 240, {.ready = 240, .answer = 160, .early = 64}},
    [AS_HOT_COUNTER] = {250, 250, {.ready = 256, .answer = 200, .early = 64}},
    [AS_FALSE_SHARING] = {220, 240, {.ready = 240, .answer = 160, .early = 64}},
    [AS_ONE_WORD] = {220, 240, {.ready = 240, .answer = 160, .early = 64}},
    [AS_MANY_LINES] = {160, 240, {.ready = 160, .answer = 60, .early = 128}},
    [AS_FENCES] = {200, 220, {.ready = 240, .answer = 160, .early = 64}},
    [AS_BACK_PRESSURE] = {230, 12, {.ready = 100, .answer = 60, .early = 64}},
    [AS_BOUNDING_BOX] = {220, 240, {.ready = 240, .answer = 160, .early = 64}},
    [AS_IDLE] = {8, 128, {.ready = 128, .answer = 60, .early = 64}},
    [AS_HALTS] = {200, 240, {.ready = 240, .answer = 160, .early = 64}},
    [AS_HALT_OFTEN] = {200, 240, {.ready = 240, .answer = 160, .early = 64}}};
  const enum as_profile p = now(e);
  c->profile = (uint8_t)p;
  c->cache = -1;
  c->request = some(e, rate[p].request);
  c->ready = some(e, rate[p].ready);
  c->draw = simt_rng_next(&e->rng);
  static const struct simt_memory_rates slow = {.ready = 80, .answer = 24, .early = 64};
  struct simt_memory_rates memory = p == AS_HALTS && e->cycle >> 12 & 1 ? slow : rate[p].memory; /* in spells */
  if (p == AS_HALTS && !e->writes_open && e->cycle > e->failed_until) memory.error = 1000; /* of reads, and of one line at a time */
  c->mem = simt_memory_choose(&e->rng, &memory);
  c->front = (struct simt_front_choice){.order = SIMT_NO_ORDER, .takes = c->draw >> 20 & 7, .gives = c->draw >> 24 & 7};
  const uint64_t r = simt_rng_next(&e->rng);
  c->sync = (r & 4095) == 0;
  c->reset = p == AS_IDLE && r >> 50 < 4;
  if ((r >> 20 & 31) == 0) c->access = (uint8_t)(1 | (r >> 25 & 1) << 1 | (r >> 26 & 3 ? r >> 28 & 1 : r >> 28 & 15) << 4);
  if (p == AS_HALTS || p == AS_HALT_OFTEN) choose_order(e, p, c);
}

/* ---- directed --------------------------------------------------------------------------------------------------- */

/* REQ: one request of a cache. DRAIN: until all is answered. SYNC: all caches flush, memory is compared. HALT: until halted; it, RELEASE, UNIT_RESET, SAVE
 * and LOAD (of slot `op`, spoiled as `mode` says) and CLEAR, a write of AS_NACK_CLEAR, do nothing without STATUS. */
enum as_step_kind { REQ, WAIT, DRAIN, SYNC, FAIL, WELL, RESET, HALT, RELEASE, UNIT_RESET, CLEAR, SAVE, LOAD, END };
struct as_step { enum as_step_kind kind; unsigned cache, op, size, mode, line, offset; uint64_t data, compare; };
#define ADD1(cache, mode) {REQ, cache, AM_ADD, 2, mode, 0, 0, 1, 0}

static const struct as_step counter[] = {
  ADD1(0, 0), ADD1(1, 0), ADD1(2, 1), ADD1(3, 2), ADD1(0, 1), ADD1(1, 2), ADD1(2, 0), ADD1(3, 0), {.kind = DRAIN}, {.kind = SYNC}, {.kind = END}};
static const struct as_step readers[] = {
  {REQ, 0, AM_STORE, 3, 0, 1, 8, 0x1234, 0}, {.kind = DRAIN}, {REQ, 1, AM_LOAD, 3, 0, 1, 8, 0, 0}, {.kind = DRAIN}, {REQ, 2, AM_LOAD, 3, 0, 1, 8, 0, 0},
  {.kind = DRAIN}, {REQ, 0, AM_LOAD, 3, 0, 1, 8, 0, 0}, {.kind = DRAIN}, {.kind = SYNC}, {.kind = END}};
static const struct as_step swaps[] = {
  {REQ, 0, AM_SWAP, 2, 0, 2, 4, 1, 0}, {REQ, 1, AM_SWAP, 2, 0, 2, 4, 2, 0}, {REQ, 2, AM_CAS, 2, 0, 2, 4, 7, 1}, {REQ, 3, AM_CAS, 2, 0, 2, 4, 8, 2}, {REQ, 0, AM_XOR, 3, 0, 2, 8, 9, 0},
  {REQ, 1, AM_OR, 3, 0, 2, 8, 6, 0}, {.kind = DRAIN}, {.kind = SYNC}, {.kind = END}};
static const struct as_step fences[] = {
  ADD1(0, 2), {REQ, 0, AM_FENCE, 0, 0, 0, 0, 0, 0}, ADD1(1, 2), {REQ, 1, AM_FLUSH, 0, 0, 0, 0, 0, 0}, ADD1(0, 0), {.kind = DRAIN}, {.kind = SYNC}, {.kind = END}};
static const struct as_step failed_read[] = {
  {.kind = FAIL}, {REQ, 0, AM_ADD, 2, 0, 3, 0, 1, 0}, {REQ, 1, AM_ADD, 2, 1, 3, 0, 1, 0}, {REQ, 1, AM_LOAD, 2, 0, 3, 0, 0, 0}, {.kind = DRAIN}, {.kind = WAIT, .data = 100}, {.kind = WELL},
  {REQ, 1, AM_ADD, 2, 0, 3, 0, 1, 0}, {REQ, 0, AM_LOAD, 2, 0, 3, 0, 0, 0}, {.kind = DRAIN}, {.kind = SYNC}, {.kind = END}};
static const struct as_step refused[] = {
  {REQ, 0, AM_ADD, 2, 3, 0, 0, 1, 0}, {REQ, 1, 31, 2, 0, 0, 0, 0, 0}, {.kind = DRAIN}, {.kind = END}};
static const struct as_step reset_in_hand_over[] = {
  ADD1(0, 0), ADD1(1, 0), {.kind = WAIT, .data = 40}, {.kind = RESET}, ADD1(1, 0), ADD1(0, 0), {.kind = DRAIN}, {.kind = SYNC}, {.kind = END}};

#define STORE4(cache, line) {REQ, cache, AM_STORE, 3, 1, line, 0, line, 0}, {REQ, cache, AM_ADD, 3, 2, line + 1, 8, line, 0}, \
  {REQ, cache, AM_LOAD, 3, 0, line + 2, 0, 0, 0}, {REQ, cache, AM_ADD, 2, 0, 0, 0, 1, 0}
static const struct as_step halt[] = {
  ADD1(0, 0), {.kind = DRAIN}, {.kind = HALT}, {.kind = WAIT, .data = 2}, {.kind = RELEASE}, {.kind = WAIT, .data = 4}, {.kind = END}};
static const struct as_step halt_at_work[] = {
  ADD1(0, 0), ADD1(1, 0), ADD1(2, 1), ADD1(3, 2), ADD1(0, 1), ADD1(1, 2), {.kind = WAIT, .data = 12}, {.kind = HALT}, {.kind = WAIT, .data = 20}, {.kind = RELEASE},
  ADD1(0, 0), ADD1(1, 0), {.kind = HALT}, {.kind = RELEASE}, {.kind = DRAIN}, {.kind = SYNC}, {.kind = END}};
static const struct as_step halt_full[] = {
  STORE4(0, 0), STORE4(1, 1), STORE4(2, 3), STORE4(3, 2), STORE4(0, 4), STORE4(1, 5), STORE4(2, 6), STORE4(3, 0), {.kind = DRAIN}, STORE4(1, 1), STORE4(0, 3),
  STORE4(3, 2), STORE4(2, 4), STORE4(3, 5), STORE4(0, 6), {REQ, 0, AM_FLUSH, 0, 0, 0, 0, 0, 0}, {REQ, 1, AM_FLUSH, 0, 0, 0, 0, 0, 0}, ADD1(0, 0), ADD1(1, 0),
  {.kind = HALT}, {.kind = RELEASE}, {.kind = DRAIN}, {.kind = SYNC}, {.kind = END}};
static const struct as_step unit_reset[] = {
  STORE4(0, 0), STORE4(1, 1), STORE4(2, 3), {.kind = WAIT, .data = 12}, {.kind = UNIT_RESET}, ADD1(0, 0), ADD1(1, 0), {.kind = DRAIN}, {.kind = SYNC}, STORE4(0, 1),
  STORE4(1, 2), {.kind = HALT}, {.kind = UNIT_RESET}, {.kind = WAIT, .data = 4}, {.kind = HALT}, {.kind = RELEASE}, {.kind = WAIT, .data = 4}, ADD1(1, 0), {.kind = DRAIN}, {.kind = END}};
static const struct as_step nack[] = {
  {.kind = CLEAR}, {.kind = FAIL}, {REQ, 0, AM_ADD, 2, 0, 3, 0, 1, 0}, {.kind = DRAIN}, {.kind = WAIT, .data = 20}, {.kind = WELL}, ADD1(1, 0), {.kind = DRAIN}, {.kind = SYNC},
  {.kind = HALT}, {.kind = CLEAR}, {.kind = WAIT, .data = 8}, {.kind = RELEASE}, {.kind = WAIT, .data = 4}, ADD1(1, 0), {.kind = DRAIN}, {.kind = END}};

/* A context with something lost is saved, another one runs, the first comes back and loses more; then contexts that are refused. */
#define SAVED(to) {.kind = SAVE, .op = to}
#define LOADED(from, how) {.kind = LOAD, .op = from, .mode = how}
#define LOSE(line) {.kind = FAIL}, {REQ, 0, AM_ADD, 2, 2, line, 0, 1, 0}, {REQ, 0, AM_ADD, 2, 2, line, 4, 1, 0}, {REQ, 1, AM_ADD, 2, 2, line, 0, 1, 0}, {.kind = DRAIN}, \
  {.kind = WAIT, .data = 100}, {.kind = WELL}
static const struct as_step switched[] = {
  LOSE(3), {REQ, 1, AM_STORE, 2, 0, 2, 4, 7, 0}, {.kind = DRAIN}, {.kind = HALT}, SAVED(0), {.kind = UNIT_RESET}, {.kind = HALT}, {.kind = WAIT, .data = 60}, SAVED(1), {.kind = RELEASE},
  {REQ, 1, AM_LOAD, 2, 0, 2, 4, 0, 0}, {.kind = DRAIN}, {.kind = HALT}, LOADED(0, SIMT_WHOLE), SAVED(2), LOADED(1, SIMT_NONSENSE), {.kind = WAIT, .data = 60}, LOADED(0, SIMT_OTHER_SHAPE),
  LOADED(0, SIMT_SHORTER), {.kind = WAIT, .data = 60}, LOADED(0, SIMT_CUT), {.kind = WAIT, .data = 60}, LOADED(2, SIMT_WHOLE), {.kind = RELEASE}, {.kind = WAIT, .data = 10}, LOSE(1),
  {.kind = HALT}, SAVED(2), {.kind = RELEASE}, {.kind = WAIT, .data = 4}, {.kind = END}};
static const struct as_step lost_line[] = { /* what the caches release under a halt is not written */
  ADD1(0, 0), {.kind = DRAIN}, {.kind = FAIL}, {.kind = HALT}, {.kind = WELL}, SAVED(0), {.kind = RELEASE}, {REQ, 1, AM_ADD, 2, 0, 1, 0, 1, 0}, {.kind = DRAIN}, {.kind = UNIT_RESET}, {.kind = WAIT, .data = 60},
  {.kind = HALT}, SAVED(1), LOADED(0, SIMT_WHOLE), {.kind = RELEASE}, {REQ, 1, AM_ADD, 2, 0, 2, 0, 1, 0}, {.kind = DRAIN}, {.kind = FAIL}, {.kind = HALT}, {.kind = WELL}, SAVED(2), {.kind = RELEASE},
  {.kind = WAIT, .data = 4}, {.kind = END}};

static const struct as_step *const script[] = {counter, readers, swaps, fences, failed_read, refused, reset_in_hand_over, halt, halt_at_work, halt_full, unit_reset, nack, switched, lost_line};
const struct simt_named as_directed[] = {
  {"counter", "Increments of one counter by all caches, in all modes.", "AM-8 AM-15"},
  {"readers", "A line that is written and then read by others goes round without data.", "AM-15"},
  {"swaps", "Swap and compare-and-swap of several caches.", "AM-13"},
  {"fences", "A fence and a flush behind relaxed atomics.", "AM-2"},
  {"failed_read", "Memory fails while two caches wait.", "AM-16"},
  {"refused", "Bad requests.", "AM-16"},
  {"reset_in_hand_over", "Reset while a line is on its way.", "AM-14"},
  {"halt", "A halt request that finds a written line in a cache: it goes to memory, then the system is halted (STATUS).", "AM-17 US-4"},
  {"halt_at_work", "A halt while a counter goes round (STATUS).", "AM-17 US-4"},
  {"halt_full", "A halt that finds caches full of lines, requests and flushes (STATUS).", "AM-17 US-4"},
  {"unit_reset", "Resets of the system at work and halted (STATUS).", "AM-17 US-7"},
  {"nack", "Memory fails; nack_o is taken back while halted (STATUS).", "AM-17 US-3"},
  {"switched", "A context with lost requests is saved, another one runs, the first comes back and loses more; then contexts that are refused (STATUS).", "AM-17 US-9"},
  {"lost_line", "Memory fails to write what a halt releases; the count is that of the context that is loaded (STATUS).", "AM-16 AM-17 US-9"},
  {NULL, NULL, NULL}};

static bool do_step(struct as_env *e, const struct as_step *s, struct as_choice *c) {
  switch (s->kind) {
  case REQ:
    if (e->port[s->cache % e->caches].has_request) return false;
    c->cache = (int8_t)(s->cache % e->caches);
    c->one = (struct amc_request){.op = s->op, .size = s->size, .mode = s->mode, .addr = as_pool_line(e, s->line) << e->l.line_lg | s->offset, .data = s->data, .compare = s->compare};
    return true;
  case WAIT: return ++e->waited > s->data;
  case DRAIN: return ++e->waited > 2 && !as_live(e);
  case SYNC:
    c->sync = e->waited == 0;
    return ++e->waited > 2 && e->sync == AS_RUNS;
  case RESET:
    c->reset = 1;
    return true;
  case HALT:
    if (e->waited++ == 0) c->front.order = SIMT_HALT;
    return !e->status || (e->waited > 2 && e->front.shell.state == SIMT_HALTED);
  case RELEASE:
    c->front.order = SIMT_RELEASE;
    return true;
  case UNIT_RESET:
    c->front.order = SIMT_UNIT_RESET;
    return true;
  case SAVE: case LOAD:
    if (e->waited++ == 0) c->front.order = s->kind == SAVE ? SIMT_SAVE : SIMT_LOAD;
    c->front.slot = s->op;
    c->front.spoil = (enum simt_spoil)s->mode;
    return !e->status || (e->waited > 2 && e->front.shell.doing == SIMT_FRONT_IDLE);
  case CLEAR:
    if (e->waited++ == 0) c->access = 3 | 1 << 4;
    return e->waited > 4;
  default: return true;
  }
}

static bool choose_directed(struct as_env *e, struct as_choice *c) {
  const struct as_step *all = script[e->test];
  if (all[e->step].kind == END) {
    if (e->directed >= 0 || !as_directed[e->test + 1].name) return false;
    all = script[++e->test];
    e->step = e->waited = 0;
  }
  bool fails = false;
  for (unsigned i = 0; i <= e->step; i++) fails = all[i].kind == FAIL || (fails && all[i].kind != WELL);
  c->cache = -1;
  c->ready = ~UINT64_C(0);
  c->mem = simt_memory_word(true, true, 0, fails ? 2 : 0);
  c->front.takes = c->front.gives = true;
  if (do_step(e, &all[e->step], c)) e->step++, e->waited = 0;
  return true;
}

bool as_choose(void *env, void *choice) {
  struct as_env *e = env;
  memset(choice, 0, sizeof(struct as_choice));
  if (e->directed >= -1) return choose_directed(e, choice);
  choose_random(e, choice);
  return true;
}
