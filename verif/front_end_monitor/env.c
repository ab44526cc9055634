/* SPDX-License-Identifier: Apache-2.0 */
/* env.c: the environment's life, the register port's user, the hub, and the order in which a cycle is checked. */
#include "front_end_monitor/env.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *fem_wrong(struct fem_env *e, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  vsnprintf(e->message, sizeof e->message, format, ap);
  va_end(ap);
  return e->message;
}

/* ---- life -------------------------------------------------------------------------------------------------- */

enum { USUAL_TIME = 65536, TIME_BITS_MAX = 32 }; /* US-10, US-15: the defaults of windows and timeout, in cycles */

/* As the specification says, not as the model has them: its layout is wrong where it is. */
static void set_times(struct fem_env *e, unsigned time_w) {
  e->l.most_time = UINT32_MAX >> (TIME_BITS_MAX - time_w);
  e->l.usual_time = e->l.most_time < USUAL_TIME ? e->l.most_time : USUAL_TIME;
}

static void reset(struct fem_env *e) {
  memset(&e->hub, 0, sizeof e->hub);
  memset(&e->reg, 0, sizeof e->reg);
  memset(&e->sw, 0, sizeof e->sw);
  e->sw.timeout = e->l.usual_time;
  fem_units_restart(e);
  fem_golden_restart(e);
  fem_golden_dead_restart(e);
  fem_golden_stats_restart(e);
}

static void restart(void *env) {
  struct fem_env *e = env;
  e->cycle = e->done = 0;
  e->wild = false;
  reset(e);
  simt_rng_seed(&e->rng, e->stim.seed);
  if (e->script) fem_directed_restart(e);
  else fem_random_restart(e);
}

static void destroy(void *env) {
  struct fem_env *e = env;
  if (e && e->script) fem_directed_destroy(e);
  free(e);
}

static void *create(const struct simt_config *cfg, const struct simt_stimulus *stim, struct simt_diag *diag) {
  struct fem_env *e = calloc(1, sizeof *e);
  struct simt_topology t;
  if (!e) {
    simt_fail(diag, cfg->name, "no memory", "memory for the environment");
    return NULL;
  }
  e->cfg = cfg;
  e->stim = *stim;
  bool good = simt_topology_make(cfg, &t, diag);
  if (good) fem_layout(cfg, &t, &e->l);
  if (good) set_times(e, (unsigned)simt_param(cfg, "TIME_W"));
  simt_topology_free(&t);
  fem_ports_bind(&e->at, e->cfg);
  if (good && !strcmp(stim->kind, "directed")) good = fem_directed_create(e);
  if (good) {
    restart(e);
    return e;
  }
  simt_fail(diag, cfg->name, "no memory", "memory for the environment");
  destroy(e);
  return NULL;
}

static bool choose(void *env, void *choice) {
  struct fem_env *e = env;
  memset(choice, 0, sizeof(struct fem_choice));
  return e->script ? fem_directed_choose(e, choice) : fem_random_choose(e, choice);
}

/* ---- inputs ------------------------------------------------------------------------------------------------- */

static void put_register(struct fem_env *e, const struct fem_choice *c, uint32_t *in) {
  if (!e->reg.wanted && !e->reg.waits && (c->flags & FEM_DO_REG)) {
    e->reg.wanted = true;
    e->reg.want = (struct fem_access){c->flags & FEM_DO_WRITE, c->reg_addr & 0x3ff, c->reg_data};
  }
  const uint64_t noise = c->noise * UINT64_C(0x9e3779b97f4a7c15);
  const struct fem_access idle = {noise & 1, noise >> 1 & 0x3ff, (uint32_t)(noise >> 32)}, *shown = e->reg.wanted || e->script ? &e->reg.want : &idle;
  in[e->at.reg_valid] = e->reg.wanted;
  in[e->at.reg_write] = shown->write;
  in[e->at.reg_addr] = shown->addr;
  in[e->at.reg_data] = shown->data;
}

static void drive(void *env, const void *choice, const uint32_t *out, uint32_t *in) {
  struct fem_env *e = env;
  const struct fem_choice *c = choice;
  (void)out;
  e->choice = *c;
  const bool wild = c->flags & FEM_WILD, turns = wild != e->wild;
  e->wild = wild;
  in[e->at.rst] = turns || c->flags & FEM_DO_RESET;
  fem_units_show(e, in);
  if (wild) fem_units_spoil(e, in);
  put_register(e, c, in);
  in[e->at.hub_ready] = (wild || !e->hub.busy) && (c->flags & FEM_HUB_READY);
  in[e->at.hub_done] = (wild || e->hub.busy) && (c->flags & FEM_HUB_DONE);
  in[e->at.hub_error] = !in[e->at.hub_done] ? (uint32_t)(c->noise & 15) : c->flags & FEM_HUB_FAILS ? 1u + c->code % 7u : 0;
}

/* ---- checks ------------------------------------------------------------------------------------------------- */

static void step_hub(struct fem_env *e, const uint32_t *in, const uint32_t *out) {
  if (in[e->at.hub_done]) e->hub.busy = false;
  e->hub.starts = out[e->at.hub_valid] && in[e->at.hub_ready];
  if (!e->hub.starts) return;
  e->hub.busy = true;
  e->hub.load = out[e->at.hub_load];
  e->hub.unit = out[e->at.hub_unit];
}

static void step_register(struct fem_env *e, const uint32_t *in, const uint32_t *out) {
  if (out[e->at.rsp_valid]) e->reg.waits = false;
  if (!in[e->at.reg_valid] || !out[e->at.reg_ready]) return;
  /* Behind a bus the access may be another than the one wanted here. */
  e->reg.now = (struct fem_access){in[e->at.reg_write], in[e->at.reg_addr], in[e->at.reg_data]};
  if (e->reg.now.write == e->reg.want.write && e->reg.now.addr == e->reg.want.addr) e->reg.wanted = false;
  e->reg.waits = true;
  e->reg.taken = e->cycle;
}

/* The clock edge. */
static void advance(struct fem_env *e, const uint32_t *in, const uint32_t *out) {
  step_hub(e, in, out);
  step_register(e, in, out);
  fem_units_step(e, out);
  e->cycle++;
  e->sw.clock++;
  if (in[e->at.rst]) reset(e);
}

static const char *observe(void *env, const uint32_t *in, const uint32_t *out) {
  struct fem_env *e = env;
  const char *wrong, *next;
  if (e->wild) {
    e->done += out[e->at.rsp_valid];
    advance(e, in, out);
    return NULL;
  }
  wrong = fem_golden_answer(e, out);
  next = fem_golden_sequence(e, out);
  if (!wrong) wrong = next;
  next = fem_golden_irq(e, out);
  if (!wrong) wrong = next;
  fem_golden_stats(e, out);
  fem_golden_execute(e);
  fem_golden_follow(e, in);
  fem_golden_deadlocks(e, out);
  if (!wrong && e->script) wrong = fem_directed_observe(e, in, out);
  if (in[e->at.rst] && e->hub.busy) fem_hit(e, FEM_COVER_RESET_UNDER_WAY);
  advance(e, in, out);
  return wrong;
}

static uint64_t progress(const void *env, bool *busy) {
  const struct fem_env *e = env;
  *busy = e->reg.waits;
  return e->done;
}

static const uint64_t *coverage(const void *env) {
  struct fem_env *e = (struct fem_env *)env;
  uint64_t *to = e->coverage; /* a copy in the order of the description */
  for (int i = 0; i < FEM_COVERS; i++)
    if (fem_cover_possible(&e->l, (enum fem_cover)i)) *to++ = e->covered[i];
  return e->coverage;
}

static void explain(const void *env, const uint32_t *in, char *to, size_t room) {
  static const char *const mode[] = {"busy", "never halts", "never halts, not even reset", "gathers", "stuck", "no work", "blinks", "wrong code",
                                     "nack", "pulses"};
  const struct fem_env *e = env;
  const struct fem_choice *c = &e->choice;
  int n = snprintf(to, room, "%s", in[e->at.rst] ? "reset; " : "");
  if (c->flags & (FEM_SET_ALL | FEM_SET_MODE))
    n += snprintf(to + n, room - (size_t)n, "unit %d: %s %u; ", c->flags & FEM_SET_ALL ? -1 : (int)(c->unit % e->l.units),
                  mode[c->mode % FEM_MODES], c->arg);
  if (in[e->at.reg_valid])
    n += snprintf(to + n, room - (size_t)n, "register 0x%03x %s 0x%x; ", in[e->at.reg_addr], in[e->at.reg_write] ? "=" : "read", in[e->at.reg_data]);
  if (in[e->at.hub_ready]) n += snprintf(to + n, room - (size_t)n, "hub ready; ");
  if (in[e->at.hub_done]) snprintf(to + n, room - (size_t)n, "hub done %u", in[e->at.hub_error]);
}

extern const struct simt_verif simt_verif_front_end_monitor;
const struct simt_verif simt_verif_front_end_monitor = {
  .block = &simt_block_front_end_monitor, .profiles = fem_profiles, .directed = fem_directed,
  .undrawn = (const char *const[]){"every_address", "every_bit", "long_windows", "long_timeouts", "counts_full", "cycles",
                                   "error_codes", "after_reset", NULL},
  .choice_size = sizeof(struct fem_choice), .stuck_cycles = 20000,
  .create = create, .destroy = destroy, .restart = restart, .choose = choose, .drive = drive, .observe = observe,
  .progress = progress, .coverage = coverage, .explain = explain,
};
