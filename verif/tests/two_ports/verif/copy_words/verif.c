/* SPDX-License-Identifier: Apache-2.0 */
/* verif.c: environment of copy_words: a memory at each of its ports. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "copy_words/ports.h"
#include "core/memory.h"

extern const struct simt_verif simt_verif_copy_words;

enum { COVER_COPIED, COVER_READ_ERROR, COVER_WRITE_ERROR, N_COVER }; /* the order of block.c */
enum { WORDS = 256, DIRECTED_CYCLES = 400 };

struct cw_choice { uint64_t a, b; uint32_t command, reset, ready; };
struct cw_env {
  struct simt_rng rng;
  uint64_t seed, cycle, done, cover[N_COVER];
  bool directed, offered, busy;        /* a command is offered; is under way */
  uint32_t from, to, errors_a, errors_b; /* of the command; errors that the memories gave since */
  struct simt_memory *a, *b;
  struct cw_ports at;
  char message[120];
};

static const struct simt_named profiles[] = {{"any", "Commands, stalls, errors and resets at random.", "CW-1"}, {NULL, NULL, NULL}};
static const struct simt_named directed[] = {{"prompt", "Copies without a stall.", "CW-1"}, {NULL, NULL, NULL}};

static void restart(void *env) {
  struct cw_env *e = env;
  simt_rng_seed(&e->rng, e->seed);
  e->cycle = e->done = 0;
  e->offered = e->busy = false;
  simt_memory_restart(e->a);
  simt_memory_restart(e->b);
  for (uint32_t i = 0; i < WORDS; i++) {
    const uint32_t word = (i + 1) * 0x9e3779b1u;
    simt_memory_poke(e->a, i * 4, &word, sizeof word);
  }
}

static void destroy(void *env) {
  struct cw_env *e = env;
  if (e->a) simt_memory_destroy(e->a);
  if (e->b) simt_memory_destroy(e->b);
  free(e);
}

static void *create(const struct simt_config *cfg, const struct simt_stimulus *stim, struct simt_diag *diag) {
  struct cw_env *e = calloc(1, sizeof *e);
  if (!e) {
    simt_fail(diag, cfg->name, "no memory", "memory for the environment");
    return NULL;
  }
  e->seed = stim->seed;
  e->directed = !strcmp(stim->kind, "directed");
  cw_ports_bind(&e->at, cfg);
  e->a = simt_memory_create_at(cfg, "a_", diag);
  e->b = simt_memory_create_at(cfg, "b_", diag);
  if (!e->a || !e->b) {
    destroy(e);
    return NULL;
  }
  if (e->directed) simt_memory_fixed(e->a, 1), simt_memory_fixed(e->b, 1);
  restart(e);
  return e;
}

static bool choose(void *env, void *choice) {
  static const struct simt_memory_rates rates = {.ready = 150, .answer = 100, .early = 128, .error = 2000};
  struct cw_env *e = env;
  const uint64_t r = simt_rng_next(&e->rng);
  struct cw_choice c = {simt_memory_choose(&e->rng, &rates), simt_memory_choose(&e->rng, &rates), (uint32_t)r, r >> 32 < 1 << 21, r >> 40 & 1};
  if (e->directed) c.command |= 1, c.reset = 0, c.ready = 1;
  memcpy(choice, &c, sizeof c);
  return !e->directed || e->cycle++ < DIRECTED_CYCLES;
}

static void drive(void *env, const void *choice, const uint32_t *out, uint32_t *in) {
  struct cw_env *e = env;
  struct cw_choice c;
  (void)out;
  memcpy(&c, choice, sizeof c);
  if (!e->offered && c.command & 1) e->offered = true, e->from = c.command >> 8 & 255, e->to = c.command >> 16 & 255;
  in[e->at.rst] = c.reset;
  in[e->at.cmd_valid] = e->offered && !e->busy;
  in[e->at.cmd_from] = e->from;
  in[e->at.cmd_to] = e->to;
  in[e->at.done_ready] = c.ready;
  simt_memory_drive(e->a, c.a, in);
  simt_memory_drive(e->b, c.b, in);
}

/* What the end of a copy means: memory b holds the word of memory a, or one of them gave an error. */
static const char *check_done(struct cw_env *e, uint32_t to, uint32_t error) {
  uint32_t wanted, got;
  simt_memory_peek(e->a, e->from * 4, &wanted, sizeof wanted);
  simt_memory_peek(e->b, e->to * 4, &got, sizeof got);
  if (!e->busy || to != e->to) return "a copy ends that was not asked for";
  if (error != (e->errors_a ? e->errors_a : e->errors_b)) return "a copy ends with another error than memory gave";
  if (!error && got != wanted) {
    snprintf(e->message, sizeof e->message, "word %u of memory b is %08x, word %u of memory a is %08x", e->to, got, e->from, wanted);
    return e->message;
  }
  e->cover[e->errors_a ? COVER_READ_ERROR : e->errors_b ? COVER_WRITE_ERROR : COVER_COPIED]++;
  e->offered = e->busy = false;
  e->done++;
  return NULL;
}

static const char *observe(void *env, const uint32_t *in, const uint32_t *out) {
  struct cw_env *e = env;
  const bool reset = in[e->at.rst];
  const char *wrong = simt_memory_observe(e->a, in, out);
  if (!wrong) wrong = simt_memory_observe(e->b, in, out);
  const struct simt_memory_event *a = simt_memory_answered(e->a), *b = simt_memory_answered(e->b);
  if (a) e->errors_a = a->error;
  if (b) e->errors_b = b->error;
  if (reset) {
    e->offered = e->busy = false;
    return wrong;
  }
  if (!wrong && out[e->at.done_valid] && in[e->at.done_ready]) wrong = check_done(e, out[e->at.done_to], out[e->at.done_error]);
  if (in[e->at.cmd_valid] && out[e->at.cmd_ready]) e->busy = true, e->errors_a = e->errors_b = 0;
  return wrong;
}

static uint64_t progress(const void *env, bool *busy) {
  const struct cw_env *e = env;
  *busy = e->busy;
  return e->done;
}

static const uint64_t *coverage(const void *env) { return ((const struct cw_env *)env)->cover; }

static void explain(const void *env, const uint32_t *in, char *to, size_t room) {
  const struct cw_env *e = env;
  if (in[e->at.rst]) snprintf(to, room, "reset");
  else if (in[e->at.cmd_valid]) snprintf(to, room, "copy word %u to %u", e->from, e->to);
  else snprintf(to, room, "idle");
}

const struct simt_verif simt_verif_copy_words = {
  .block = &simt_block_copy_words, .profiles = profiles, .directed = directed, .choice_size = sizeof(struct cw_choice), .stuck_cycles = 2000,
  .create = create, .destroy = destroy, .restart = restart, .choose = choose, .drive = drive,
  .observe = observe, .progress = progress, .coverage = coverage, .explain = explain,
};
