/* SPDX-License-Identifier: Apache-2.0 */
/* wrapped.c: the block's environment inside, buses outside. */
#include "core/wrapped.h"

#include <stdlib.h>
#include <string.h>

#include "core/wrap.h"

struct wrapped {
  const struct simt_config *cfg;
  const struct simt_verif *inner;
  struct simt_config core; /* the block's, with the link */
  struct simt_bus_link link;
  void *env;
  struct simt_wraps *wraps; /* what the block sees of the inputs follows from their state */
  struct simt_lite *lite;   /* NULL without */
  uint32_t *want, *core_in; /* inputs of the block: wanted by its environment; as they are */
  struct simt_rng rng;
  uint64_t seed;
  bool random;
};

enum { OWN = sizeof(uint64_t) }; /* bytes of a choice before the block's */

static void destroy(void *env) {
  struct wrapped *w = env;
  if (!w) return;
  if (w->env) w->inner->destroy(w->env);
  simt_wraps_destroy(w->wraps);
  free(w->lite);
  free(w->want);
  free(w->core_in);
  free(w);
}

static void restart(void *env) {
  struct wrapped *w = env;
  w->inner->restart(w->env);
  simt_wraps_reset(w->wraps);
  if (w->lite) simt_lite_restart(w->lite);
  simt_rng_seed(&w->rng, w->seed ^ 0x6275736573);
  memset(w->want, 0, w->core.desc.in_words * sizeof *w->want);
  memset(w->core_in, 0, w->core.desc.in_words * sizeof *w->core_in);
}

static bool make_parts(struct wrapped *w, const struct simt_stimulus *stim, struct simt_diag *diag) {
  bool lite = simt_find_port(w->cfg, "s_axil_awvalid");
  w->core = *w->cfg->core;
  w->link.whole = w->cfg;
  for (size_t i = 0; i < w->cfg->n_wraps; i++)
    if (w->cfg->wrap[i].kind == &simt_axi4_master) w->core.link = &w->link;
  w->wraps = simt_wraps_create(w->cfg);
  w->lite = lite ? simt_lite_create(w->cfg) : NULL;
  w->want = calloc(w->core.desc.in_words + 1, sizeof *w->want);
  w->core_in = calloc(w->core.desc.in_words + 1, sizeof *w->core_in);
  if (!w->wraps || (lite && !w->lite) || !w->want || !w->core_in)
    return simt_fail(diag, w->cfg->name, "no memory", "memory for the environment");
  w->env = w->inner->create(&w->core, stim, diag);
  return w->env;
}

static void *create(const struct simt_config *cfg, const struct simt_stimulus *stim, struct simt_diag *diag) {
  struct wrapped *w = calloc(1, sizeof *w);
  if (!w) {
    simt_fail(diag, cfg->name, "no memory", "memory for the environment");
    return NULL;
  }
  w->cfg = cfg;
  w->inner = simt_find_verif(cfg->block);
  w->seed = stim->seed;
  w->random = !strcmp(stim->kind, "random");
  if (!make_parts(w, stim, diag)) {
    destroy(w);
    return NULL;
  }
  restart(w);
  return w;
}

static bool choose(void *env, void *choice) {
  struct wrapped *w = env;
  uint64_t own = w->random ? simt_rng_next(&w->rng) : 0;
  memcpy(choice, &own, OWN);
  return w->inner->choose(w->env, (char *)choice + OWN);
}

static void drive(void *env, const void *choice, const uint32_t *out, uint32_t *in) {
  struct wrapped *w = env;
  uint64_t own;
  memcpy(&own, choice, OWN);
  w->link.in = in;
  w->link.out = out;
  w->inner->drive(w->env, (const char *)choice + OWN, out + w->cfg->core_word, w->want);
  simt_wraps_pass(w->wraps, w->want, in);
  if (w->lite) simt_lite_drive(w->lite, own, w->want, in);
}

static const char *observe(void *env, const uint32_t *in, const uint32_t *out) {
  struct wrapped *w = env;
  const uint32_t *core_out = out + w->cfg->core_word;
  w->link.out = out;
  memcpy(w->core_in, w->want, w->core.desc.in_words * sizeof *w->want);
  simt_wraps_inputs(w->wraps, in, core_out, w->core_in);
  const char *wrong = w->inner->observe(w->env, w->core_in, core_out);
  const char *bus = w->lite ? simt_lite_observe(w->lite, in, out, w->core_in, core_out) : NULL;
  simt_wraps_step(w->wraps, in, core_out);
  return wrong ? wrong : bus;
}

static uint64_t progress(const void *env, bool *busy) {
  const struct wrapped *w = env;
  return w->inner->progress(w->env, busy);
}

static const uint64_t *coverage(const void *env) {
  const struct wrapped *w = env;
  return w->inner->coverage(w->env);
}

static void explain(const void *env, const uint32_t *in, char *to, size_t room) {
  const struct wrapped *w = env;
  (void)in; /* the block's own inputs say more */
  w->inner->explain(w->env, w->core_in, to, room);
}

const struct simt_verif *simt_verif_of(const struct simt_config *cfg, struct simt_verif *room) {
  const struct simt_verif *v = simt_find_verif(cfg->block);
  if (!v || !cfg->core) return v;
  *room = *v;
  room->choice_size = v->choice_size + OWN;
  room->create = create;
  room->destroy = destroy;
  room->restart = restart;
  room->choose = choose;
  room->drive = drive;
  room->observe = observe;
  room->progress = progress;
  room->coverage = coverage;
  room->explain = explain;
  return room;
}
