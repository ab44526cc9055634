/* SPDX-License-Identifier: Apache-2.0 */
/* verif.c: environment of the example unit: traffic, memory, registers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "gather_sum/env.h"

extern const struct simt_verif simt_verif_gather_sum;

static const struct simt_named profiles[N_PROFILES + 1] = {
  {"traffic", "Words flow; a switch now and then.", "US-3 GS-1 GS-2"},
  {"switches", "Halts, saves, resets and loads most of the time.", "US-4 US-5 US-9"},
  {"spoiled", "Most loads are offered a spoiled context first.", "US-9"},
  {"resets", "Resets while words and accesses are under way; halts given up; the contract broken.", "US-7"},
  {NULL, NULL, NULL}};

static const struct simt_named directed[] = {
  {"sweep", "One context, offered with each bit flipped, cut at each word, and the rest: all refused.", "US-9"},
  {NULL, NULL, NULL}};

/* ---- life ------------------------------------------------------------------------------------------------ */

static void bind_ports(struct gs_env *at, const struct simt_config *cfg) {
  GS_ENV_PORTS(SIMT_PORT_BIND)
  at->status = simt_find_status_ports(cfg);
  at->ctx = simt_find_context_ports(cfg);
}

/* As rst_i: the unit is as new; saved contexts lie in memory and stay good. */
static void reset(struct gs_env *e) {
  golden_reset(e, true);
  e->halt_before = e->reset_before = e->resume_before = e->was_halt = e->was_reset = false;
  e->under_way = e->offered = e->held = e->command = e->blind = false;
  e->dropped = e->reg_stage = 0;
  e->halt_cycles = 0;
  e->last = e->state = SIMT_EMPTY;
  e->front = RUN;
  e->stage = NEW;
}

static void restart(void *env) {
  struct gs_env *e = env;
  simt_rng_seed(&e->rng, e->seed);
  simt_memory_restart(e->memory);
  e->cycle = e->done = 0;
  front_restart(e);
  reset(e);
}

static void destroy(void *env) {
  struct gs_env *e = env;
  if (e) simt_memory_destroy(e->memory);
  free(e);
}

static void *create(const struct simt_config *cfg, const struct simt_stimulus *stim, struct simt_diag *diag) {
  struct gs_env *e = calloc(1, sizeof *e);
  if (e) e->memory = simt_memory_create(cfg, diag);
  if (!e || !e->memory) {
    simt_fail(diag, cfg->name, "no memory", "memory for the environment");
    destroy(e);
    return NULL;
  }
  e->seed = stim->seed;
  e->part = stim->cycles / N_PROFILES + 1;
  e->sweep = !strcmp(stim->kind, "directed");
  e->profile = 0;
  while (e->profile < N_PROFILES && (!stim->profile || strcmp(stim->profile, profiles[e->profile].name))) e->profile++;
  e->channels = (uint32_t)cfg->value[GATHER_CHANNELS];
  e->group = (uint32_t)cfg->value[GATHER_GROUP];
  e->encoding = (enum simt_status_encoding)cfg->value[GATHER_ENCODING];
  e->type = GATHER_UNIT_TYPE;
  e->hash = (uint32_t)simt_derived(cfg, "CFG_HASH");
  e->ctx_max = (uint32_t)simt_derived(cfg, "CTX_MAX");
  e->halt_own = (uint32_t)simt_derived(cfg, "HALT_OWN");
  bind_ports(e, cfg);
  restart(e);
  return e;
}

/* ---- choices --------------------------------------------------------------------------------------------- */

struct gs_env_rates { uint16_t want_in, indirect, out_ready, switch_, give_up, resume, reset_all, reset_unit, spoil, break_; };
static const struct gs_env_rates rates[N_PROFILES] = { /* of 1024 */
  {700, 300, 600, 4, 10, 20, 0, 0, 100, 0},
  {900, 400, 700, 400, 20, 100, 1, 0, 100, 0},
  {500, 300, 500, 200, 0, 10, 1, 1, 900, 0},
  {800, 500, 400, 100, 300, 100, 10, 60, 200, 20}};

static bool choose(void *env, void *choice) {
  struct gs_env *e = env;
  struct gs_env_choice *c = choice;
  unsigned p = e->profile < N_PROFILES ? e->profile : (unsigned)(e->cycle / e->part) % N_PROFILES;
  const struct gs_env_rates *r = &rates[e->sweep ? 0 : p];
  const struct { unsigned flag, rate; } draw[] = {
    {WANT_IN, r->want_in}, {INDIRECT, r->indirect}, {OUT_READY, r->out_ready}, {SWITCH, r->switch_},
    {GIVE_UP, r->give_up}, {CTX_MOVES, 800}, {RESUME, r->resume}, {RESET_ALL, r->reset_all},
    {RESET_UNIT, r->reset_unit * 8u / (e->channels + 4)}, {REGISTER, 30}, {SPOIL, r->spoil}, {KEEP, 300}, {IN_MOVES, 800}, {BREAK, r->break_}};
  memset(c, 0, sizeof *c);
  c->data = (uint32_t)simt_rng_next(&e->rng);
  c->aim = (uint32_t)simt_rng_next(&e->rng);
  for (size_t i = 0; i < sizeof draw / sizeof *draw; i++)
    if (simt_rng_below(&e->rng, 1024) < draw[i].rate) c->flags |= draw[i].flag;
  struct simt_memory_rates memory = {.ready = 128, .answer = 64, .early = 128, .error = 4096};
  c->mem = simt_memory_choose(&e->rng, &memory);
  e->cycle++;
  return !e->sweep || !front_swept(e);
}

static void drive(void *env, const void *choice, const uint32_t *out, uint32_t *in) {
  struct gs_env *e = env;
  const struct gs_env_choice *c = choice;
  if (e->state == SIMT_HALTED) e->held = false; /* what was offered belongs to the context that left */
  if (!e->held && (c->flags & WANT_IN)) {
    e->held = true;
    e->held_channel = (c->aim >> 8) % e->channels;
    e->held_indirect = (c->flags & INDIRECT) != 0;
    e->held_data = c->data & 0xffffff;
  }
  in[e->in_valid] = e->held;
  in[e->in_channel] = e->held_channel;
  in[e->in_indirect] = e->held_indirect;
  in[e->in_data] = e->held_data;
  in[e->out_ready] = (c->flags & OUT_READY) != 0;
  simt_memory_drive(e->memory, c->mem, in);
  front_drive(e, c, out, in);
  in[e->rst] = (c->flags & RESET_ALL) || (e->blind && out[e->ctx.done]); /* only a reset of all mends a breach */
  in[e->reg_valid] = (c->flags & REGISTER) && e->front <= HALTING && out[e->reg_ready];
  in[e->reg_write] = c->aim & 1;
  in[e->reg_addr] = c->aim >> 1 & 1 ? 4 : c->aim >> 2 & 7;
  in[e->reg_data] = c->aim >> 5 & 3 ? c->data >> 8 : c->data;
}

static const char *observe(void *env, const uint32_t *in, const uint32_t *out) {
  struct gs_env *e = env;
  const char *said = golden_observe(e, in, out);
  const char *more = front_observe(e, in, out);
  if (!said) said = more;
  more = simt_memory_observe(e->memory, in, out);
  if (!said) said = more;
  if (in[e->rst]) reset(e);
  return said;
}

static uint64_t progress(const void *env, bool *busy) {
  const struct gs_env *e = env;
  *busy = e->front != RUN || e->held;
  return e->done;
}

static const uint64_t *coverage(const void *env) { return ((const struct gs_env *)env)->cover; }

static void explain(const void *env, const uint32_t *in, char *to, size_t room) {
  const struct gs_env *e = env;
  snprintf(to, room, "%s%s%s%s%s%s", in[e->rst] ? "reset of all; " : "", in[e->status.halt] ? "halt; " : "",
           in[e->status.reset] ? "reset; " : "", in[e->status.resume] ? "resume; " : "",
           in[e->ctx.cmd_valid] ? in[e->ctx.cmd_load] ? "load; " : "save; " : "",
           in[e->in_valid] ? in[e->in_indirect] ? "word of memory" : "word" : "no word");
}

const struct simt_verif simt_verif_gather_sum = {
  .block = &simt_block_gather_sum, .profiles = profiles, .directed = directed,
  .choice_size = sizeof(struct gs_env_choice), .stuck_cycles = 8192,
  .create = create, .destroy = destroy, .restart = restart, .choose = choose, .drive = drive,
  .observe = observe, .progress = progress, .coverage = coverage, .explain = explain,
};
