/* SPDX-License-Identifier: Apache-2.0 */
/* verif.c: environment of context_hub: life, commands at random, inputs of a cycle. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "context_hub/env.h"

extern const struct simt_verif simt_verif_context_hub;

static const struct simt_named profiles[N_PROFILES + 1] = {
  {"busy", "Units and memory are prompt, commands follow each other.", "US-9"},
  {"pressure", "Slow units, slow memory, answers in any order; long contexts.", "US-9"},
  {"errors", "Memory errors, spoiled images, units that are released in mid-stream.", "US-9"},
  {"resets", "Resets while commands are under way.", "US-7 US-9"},
  {"wild", "Units that keep to no rule: no access beyond the image, no end with requests under way.", "US-8 US-9"},
  {NULL, NULL, NULL}};

/* ---- life ------------------------------------------------------------------------------------------------ */

/* Places of the images, at odd words: as many as fit; the first is at the end of the address space, the others
 * anywhere; of some seeds all half a place later, so that every bit of a base is 1 once. */
static void choose_bases(struct hub_env *e) {
  const unsigned span = simt_clog2(e->l.units) + e->l.stride_lg;
  const uint64_t spans = UINT64_C(1) << (e->l.addr_w - span), pairs = spans / 2;
  e->n_bases = spans < 2 ? 1 : spans < 2 * N_BASES ? (unsigned)pairs : N_BASES;
  e->addr_mask = ~UINT64_C(0) >> (64 - e->l.addr_w);
  const uint64_t later = spans < 2 ? 0 : (e->seed * 2654435761u >> 9 & 1) << span;
  for (unsigned i = 0; i < N_BASES; i++) {
    const uint64_t within = (e->seed * 2654435761u >> i) & ((UINT64_C(1) << span) - 1) & ~UINT64_C(3), n = i % e->n_bases;
    const uint64_t anywhere = e->seed * UINT64_C(0x9e3779b97f4a7c15) >> (7 * i) << 2 | (n - 1); /* its last bits tell it from the others */
    const uint64_t place = !n ? pairs - 1 : e->n_bases < N_BASES ? pairs - 1 - n : anywhere % pairs;
    e->base[i] = (spans < 2 ? within : (place << (span + 1)) + within + later) & e->addr_mask;
  }
}

/* The corners; of more units than there is room for, one that the seed says. */
static void number_units(struct hub_env *e) {
  const unsigned n = e->l.units;
  unsigned number[TRACKED] = {0, n - 1, n / 2, n > 1 ? 1 : 0, n > 2 ? n - 2 : 0, n / 3, 2 * n / 3, (n * 5 + 3) / 7 % n};
  if (n >= TRACKED) number[TRACKED - 1] = (unsigned)(e->seed % n);
  for (unsigned t = 0; t < TRACKED; t++) e->unit[t].number = number[t];
}

static void restart(void *env) {
  struct hub_env *e = env;
  simt_rng_seed(&e->rng, e->seed);
  simt_rng_seed(&e->content, ~e->seed);
  simt_memory_restart(e->memory);
  e->cycle = e->done = e->words = 0;
  e->wild = false;
  e->step = 0;
  e->finished = false;
  e->test = e->first_test;
  e->active = e->before = 0;
  hub_units_restart(e);
  hub_golden_restart(e);
}

static void destroy(void *env) {
  struct hub_env *e = env;
  if (!e) return;
  simt_memory_destroy(e->memory);
  free(e->unit);
  free(e->saved);
  free(e->noise);
  free(e->backup);
  free(e);
}

static unsigned place_of(const struct simt_named *list, const char *name) {
  unsigned i = 0;
  while (list[i].name && (!name || strcmp(name, list[i].name))) i++;
  return i;
}

static void *create(const struct simt_config *cfg, const struct simt_stimulus *stim, struct simt_diag *diag) {
  struct hub_env *e = calloc(1, sizeof *e);
  if (e) {
    e->memory = simt_memory_create(cfg, diag);
    e->unit = calloc(TRACKED, sizeof *e->unit);
    e->saved = calloc(TRACKED * N_HOMES, sizeof *e->saved);
    e->noise = calloc(cfg->desc.in_words + 1, sizeof *e->noise);
    e->backup = calloc(MOST_WORDS + 2 * FRAME, sizeof *e->backup);
  }
  if (!e || !e->memory || !e->unit || !e->saved || !e->noise || !e->backup) {
    simt_fail(diag, cfg->name, "no memory", "memory for the environment");
    destroy(e);
    return NULL;
  }
  e->l = hub_layout(cfg->value, (unsigned)simt_derived(cfg, "UNIT_COUNT"));
  e->plain = !cfg->link;
  e->region = 1u << (e->l.stride_lg - 2);
  e->seed = stim->seed;
  e->part = stim->cycles / N_PROFILES + 1;
  e->directed = !strcmp(stim->kind, "directed");
  e->profile = e->directed ? 0 : place_of(profiles, stim->profile);
  e->first_test = e->directed && stim->profile ? place_of(hub_directed, stim->profile) : 0;
  e->end_test = e->directed && stim->profile ? e->first_test + 1 : N_DIRECTED;
  hub_env_ports_bind(&e->at, cfg);
  choose_bases(e);
  number_units(e);
  restart(e);
  return e;
}

/* ---- choices --------------------------------------------------------------------------------------------- */

struct hub_env_rates { unsigned go, out, in, cmd, spoils, releases, resets, fresh, long_, wild; struct simt_memory_rates memory; };
static const struct hub_env_rates rates[N_PROFILES] = { /* of 1024; memory: of 256, errors of 65536 */
  {900, 1000, 1000, 1000, 100, 0, 0, 500, 20, 0, {.ready = 256, .answer = 256, .early = 64, .error = 0}},
  {500, 400, 400, 300, 50, 5, 0, 400, 150, 0, {.ready = 160, .answer = 60, .early = 128, .error = 20}},
  {700, 900, 900, 800, 600, 200, 0, 400, 20, 0, {.ready = 220, .answer = 160, .early = 128, .error = 1200}},
  {800, 800, 800, 800, 200, 50, 8, 500, 20, 0, {.ready = 180, .answer = 128, .early = 128, .error = 200}},
  {700, 700, 700, 500, 0, 0, 2, 0, 0, 1024, {.ready = 180, .answer = 128, .early = 128, .error = 800}}};

static bool choose(void *env, void *choice) {
  struct hub_env *e = env;
  struct hub_env_choice *c = choice;
  const unsigned p = e->profile < N_PROFILES ? e->profile : (unsigned)(e->cycle / e->part) % N_PROFILES;
  const struct hub_env_rates *r = &rates[p];
  const struct { unsigned flag, rate; } draw[] = {
    {GO, r->go}, {UNIT_OUT, r->out}, {UNIT_IN, r->in}, {CMD_READY, r->cmd}, {SPOILS, r->spoils}, {RELEASES, r->releases},
    {RESETS, r->resets}, {NEW_CONTENT, r->fresh}, {LONG, r->long_}, {WILD, r->wild}};
  enum { DICE = 5 }; /* of 10 bits each in a random number */
  memset(c, 0, sizeof *c);
  const uint64_t both = simt_rng_next(&e->rng);
  uint64_t dice = simt_rng_next(&e->rng);
  c->aim = (uint32_t)both;
  c->data = (uint32_t)(both >> 32);
  c->noise = (uint32_t)simt_rng_next(&e->rng);
  for (size_t i = 0; i < sizeof draw / sizeof *draw; i++, dice >>= 10) {
    if (i == DICE) dice = simt_rng_next(&e->rng);
    c->flags |= (dice & 1023) < draw[i].rate ? draw[i].flag : 0;
  }
  c->mem = simt_memory_choose(&e->rng, &r->memory);
  return !e->finished;
}

/* The first of the tracked units that has this number. */
static uint32_t canonical(const struct hub_env *e, uint32_t t) {
  uint32_t first = 0;
  while (e->unit[first].number != e->unit[t].number) first++;
  return first;
}

static uint32_t length(const struct hub_env *e, const struct hub_env_choice *c) {
  const uint32_t draw = c->data >> 8;
  if (!(c->flags & NEW_CONTENT)) return 0;
  if (!(c->flags & LONG)) return draw % 25 ? draw % 25 : NO_WORDS;
  const uint32_t most = e->region - FRAME < MOST_WORDS ? e->region - FRAME : 40, local = e->l.local_words - SLOT_FRAME;
  uint32_t len = 1 + draw % 200;
  if (draw % 8 == 0) len = most + draw / 8 % 2;
  if (draw % 8 == 1) len = local + draw / 8 % 2;
  return len && len <= MOST_WORDS ? len : 1;
}

static struct hub_env_command random_command(const struct hub_env *e, const struct hub_env_choice *c) {
  const uint32_t slots = e->l.slots, numbers = 1u << simt_max1(simt_clog2(e->l.units));
  struct hub_env_command k = {.tracked = canonical(e, c->aim % TRACKED), .load = c->data & 1, .aim = c->data >> 4, .fail = -1,
                      .release = -1, .expect = -1, .len = length(e, c)};
  k.unit = e->unit[k.tracked].number;
  if (e->l.units < numbers && (c->aim >> 3) % 32 == 0) {
    k.tracked = TRACKED;
    k.unit = e->l.units + (c->aim >> 8) % (numbers - e->l.units);
  }
  if (slots && (c->aim >> 16 & 1)) k.slot = 1 + (c->aim >> 17) % slots;
  if ((c->aim >> 20) % 64 == 0) k.slot = N_SLOTS;
  k.home = k.slot ? N_BASES + k.slot - 1 : (c->aim >> 13) % e->n_bases;
  k.base = e->base[k.slot ? 0 : k.home] | (c->aim >> 26 & 3);
  if (c->flags & SPOILS) k.spoil = (enum hub_env_spoil)(1 + (c->data >> 1) % (N_SPOILS - 1));
  if (c->flags & RELEASES) k.release = (int)(c->aim >> 27);
  return k;
}

static void offer_next(struct hub_env *e, const struct hub_env_choice *c) {
  if (!e->directed) {
    e->offered = c->flags & GO;
    if (e->offered) e->offer = random_command(e, c);
    return;
  }
  if (e->running || e->reset_wanted) return;
  while (!e->offered && !e->finished) {
    e->offer = (struct hub_env_command){.fail = -1, .release = -1, .expect = -1};
    e->offered = hub_directed_next(e, &e->offer);
    if (e->offered) break;
    e->step = 0;
    e->finished = ++e->test == e->end_test;
  }
  e->offer.base = e->base[e->offer.slot ? 0 : e->offer.home];
}

/* The low bits, which are all that few units have, of several bits of the draw. */
static uint32_t mixed(uint32_t draw, uint32_t by) { return draw * by ^ draw * by >> 16; }

static void make_noise(struct hub_env *e, uint32_t draw) {
  const unsigned vector = (e->l.units + 31) / 32, w = draw % vector;
  e->noise[e->at.cmd_ready + w] = mixed(draw, 0x9e3779b1u);
  e->noise[e->at.ctx_done + w] = mixed(draw, 0x85ebca6bu);
  e->noise[e->at.out_valid + w] = mixed(draw, 0xc2b2ae35u);
  e->noise[e->at.out_last + w] = mixed(draw, 0x27d4eb2fu);
  e->noise[e->at.in_ready + w] = mixed(draw, 0x165667b1u);
  e->noise[e->at.ctx_error + draw / 32 % ((3 * e->l.units + 31) / 32)] = mixed(draw, 0xd3a2646du);
  e->noise[e->at.out_data + draw % e->l.units] = draw * 0xfd7046c5u;
  const unsigned tail = e->l.units % 32, errors = 3 * e->l.units % 32; /* no bits beyond the ports */
  const unsigned ports[] = {e->at.cmd_ready, e->at.ctx_done, e->at.out_valid, e->at.out_last, e->at.in_ready};
  for (size_t i = 0; tail && i < sizeof ports / sizeof *ports; i++) e->noise[ports[i] + vector - 1] &= (1u << tail) - 1;
  if (errors) e->noise[e->at.ctx_error + 3 * e->l.units / 32] &= (1u << errors) - 1;
}

/* In directed tests all is prompt and in order; memory fails at the word that the test names. */
static uint64_t directed_memory(const struct hub_env *e) {
  return simt_memory_word(true, true, 0, e->running && e->c.fail >= 0 && e->answered == (uint32_t)e->c.fail ? 2 : 0);
}

/* Behind more registers what a unit says before it has a command would be heard in it. */
enum { WILD_STAGES = 2 };

static void drive(void *env, const void *choice, const uint32_t *out, uint32_t *in) {
  struct hub_env *e = env;
  const struct hub_env_choice *c = choice;
  (void)out;
  const bool wild = c->flags & WILD && e->l.stages <= WILD_STAGES, turns = wild != e->wild;
  e->wild = wild;
  e->unit_flags = e->directed ? UNIT_OUT | UNIT_IN | CMD_READY : c->flags;
  e->unit_draw = c->data;
  if (!e->offered) offer_next(e, c);
  in[e->at.valid] = e->offered;
  in[e->at.load] = e->offered ? e->offer.load : c->noise & 1;
  in[e->at.slot] = e->offered ? e->offer.slot : c->noise >> 1 & 3;
  in[e->at.unit] = e->offered ? e->offer.unit : 0;
  const uint64_t base = e->offered ? e->offer.base : c->noise & e->addr_mask;
  in[e->at.base] = (uint32_t)base;
  if (e->l.addr_w > 32) in[e->at.base + 1] = (uint32_t)(base >> 32);
  in[e->at.rst] = e->directed ? e->reset_wanted : turns || c->flags & RESETS; /* what a wild save has left in slots is not known */
  if (!e->directed) make_noise(e, c->noise); /* drawn runs are the same for every seed */
  hub_unit_drive(e, in);
  simt_memory_drive(e->memory, e->directed ? directed_memory(e) : c->mem, in);
}

static const char *observe(void *env, const uint32_t *in, const uint32_t *out) {
  struct hub_env *e = env;
  const char *said = hub_golden_observe(e, in, out);
  e->words += in[e->at.rst]; /* many units: frequent resets leave no time to clear the slots, which is no hang */
  e->cycle++;
  return said;
}

static uint64_t progress(const void *env, bool *busy) {
  const struct hub_env *e = env;
  *busy = e->running || e->offered;
  return e->done + e->words;
}

static const uint64_t *coverage(const void *env) { return ((const struct hub_env *)env)->cover; }

static void explain(const void *env, const uint32_t *in, char *to, size_t room) {
  const struct hub_env *e = env;
  snprintf(to, room, "%s%s%s%s%s", in[e->at.rst] ? "reset; " : "",
           in[e->at.valid] ? in[e->at.load] ? "restore; " : "save; " : "", in[e->at.valid] && in[e->at.slot] ? "local; " : "",
           in[e->at.req_ready] ? "memory takes; " : "", e->unit_flags & UNIT_IN ? "unit takes" : "unit waits");
}

const struct simt_verif simt_verif_context_hub = {
  .block = &simt_block_context_hub, .profiles = profiles, .directed = hub_directed,
  .choice_size = sizeof(struct hub_env_choice), .stuck_cycles = 8192,
  .create = create, .destroy = destroy, .restart = restart, .choose = choose, .drive = drive,
  .observe = observe, .progress = progress, .coverage = coverage, .explain = explain,
};
