/* SPDX-License-Identifier: Apache-2.0 */
/* env.c: environment of const_cache: life, inputs of a cycle. */
#include "const_cache/env.h"
#include "const_cache/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct simt_verif simt_verif_const_cache;

/* ---- life ---------------------------------------------------------------------------------------------- */

static void restart(void *env) {
  struct cc_env *e = env;
  simt_rng_seed(&e->rng, e->seed);
  simt_memory_restart(e->memory);
  e->cycle = e->done_works = e->answers = e->commands = e->resets = e->mark = e->snapshots = 0;
  e->write_run = e->taken_run = e->work_run = e->step = e->waited = 0;
  e->last_write_taken = e->last_work = UINT64_MAX / 2;
  e->reset_cycle = UINT64_MAX; /* the one before this */
  e->ready = false;
  e->waited_least = e->waited_most = 0;
  e->finished = e->was_reset = false;
  e->script_phase = e->script_error = e->script_count = e->flags = e->kind = e->addr = 0;
  e->script_since = e->all_writes = e->places = 0;
  memset(e->data, 0, sizeof e->data);
  memset(&e->reg, 0, sizeof e->reg);
  e->test = e->first_test;
  e->window = (uint32_t)(e->seed * 37 % e->l.constants);
  cc_golden_restart(e);
  cc_front_restart(e);
}

static void destroy(void *env) {
  struct cc_env *e = env;
  if (!e) return;
  cc_front_destroy(e);
  cc_golden_destroy(e);
  simt_memory_destroy(e->memory);
  free(e);
}

static unsigned place_of(const struct simt_named *list, const char *name) {
  unsigned i = 0;
  while (list[i].name && (!name || strcmp(name, list[i].name))) i++;
  return i;
}

static void *create(const struct simt_config *cfg, const struct simt_stimulus *stim, struct simt_diag *diag) {
  struct cc_env *e = calloc(1, sizeof *e);
  if (e) {
    e->cfg = cfg;
    cc_layout(simt_plain(cfg)->value, &e->l);
    e->memory = simt_memory_create(cfg, diag);
  }
  if (!e || !e->memory || !cc_golden_create(e)) {
    simt_fail(diag, cfg->name, "no memory", "memory for the environment");
    destroy(e);
    return NULL;
  }
  if (!simt_front_suits(stim, (const char *const[]){"halts", "halt_often", NULL}, e->l.status, diag)) {
    destroy(e);
    return NULL;
  }
  unsigned n = 0;
  for (unsigned i = 0; i < CC_COVERS; i++) e->cover_place[i] = cc_cover_possible(&e->l, (enum cc_cover)i) ? (uint16_t)n++ : CC_COVERS;
  e->seed = stim->seed;
  e->part = stim->cycles / CC_PROFILES + 1;
  e->directed = !strcmp(stim->kind, "directed");
  e->profile = place_of(cc_profiles, stim->profile);
  e->first_test = e->directed ? place_of(cc_directed, stim->profile) : 0;
  e->end_test = e->first_test + 1;
  if (e->directed && !stim->profile) {
    e->first_test = 0;
    e->end_test = place_of(cc_directed, NULL);
  }
  cc_env_ports_bind(&e->at, cfg);
  if (!cc_front_create(e)) {
    simt_fail(diag, cfg->name, "no memory", "memory for the environment");
    destroy(e);
    return NULL;
  }
  e->rd_words = simt_find_port(cfg, "rd_addr_i")->words;
  restart(e);
  return e;
}

/* ---- a cycle ------------------------------------------------------------------------------------------- */

static bool choose(void *env, void *choice) {
  struct cc_env *e = env;
  if (e->directed) return cc_directed_choose(e, choice);
  cc_choose(e, choice);
  return true;
}

static void put_mask(const struct cc_env *e, uint32_t *w, uint64_t mask) {
  w[0] = (uint32_t)mask;
  if (e->l.sms > 32) w[1] = (uint32_t)(mask >> 32);
}

static void drive_sms(struct cc_env *e, const struct cc_choice *c, uint32_t *in) {
  const uint32_t odd = (1u << e->l.const_w) - e->l.constants;
  const uint64_t all = ~UINT64_C(0) >> (64 - e->l.sms), bad = c->flags & CC_F_BAD ? UINT64_C(1) << (c->draw >> 8) % e->l.sms : 0;
  if (!(c->draw >> 20 & 31)) e->reads = 0; /* what is offered and not taken may be withdrawn */
  for (uint64_t may = c->reads & (e->busy | bad) & ~e->reads & all; may; may &= may - 1) {
    const unsigned i = (unsigned)__builtin_ctzll(may);
    const uint64_t mine = c->places * (2 * i + 1) * 0x9e3779b97f4a7c15 >> 20;
    struct cc_sm *s = &e->sm[i];
    if (e->dones >> i & 1 && mine >> 40 & 7) continue; /* few reads keep an SM that is done from leaving */
    e->reads |= UINT64_C(1) << i;
    s->addr = cc_place(e, c->flags & CC_F_SEQUENTIAL ? s->next++ : mine);
    if (bad >> i & 1 && odd && mine >> 30 & 1) s->addr = e->l.constants + (uint32_t)(mine % odd);
    simt_put_bits(e->addrs, i * e->l.const_w, e->l.const_w, s->addr);
  }
  e->dones |= c->dones & (e->busy | (bad & ~e->reads)) & all & ~(uint64_t)(c->flags & CC_F_SLOW ? 1 : 0);
  put_mask(e, &in[e->at.rd_valid], e->reads);
  put_mask(e, &in[e->at.done_valid], e->dones);
  memcpy(&in[e->at.rd_addr], e->addrs, e->rd_words * sizeof *in);
}

static void drive(void *env, const void *choice, const uint32_t *out, uint32_t *in) {
  struct cc_env *e = env;
  const struct cc_choice *c = choice;
  e->flags = c->flags;
  e->places = c->places;
  in[e->at.rst] = (c->flags & CC_F_RESET) != 0;
  cc_front_drive(e, &c->front, in);
  if (e->directed) {
    cc_directed_drive(e, out, in);
    return;
  }
  if (!e->offered && !cc_registers_move_base(e)) cc_next_command(e, c); /* whether a command is before or behind a move of the base is not laid down */
  in[e->at.cmd_valid] = e->offered;
  in[e->at.cmd_kind] = e->kind;
  in[e->at.cmd_addr] = e->addr;
  for (unsigned i = 0; i < e->l.words; i++) simt_put_bits(&in[e->at.cmd_data], i * e->l.word_w, e->l.word_w, e->data[i]);
  drive_sms(e, c, in);
  cc_registers_drive(e, c, in);
  simt_memory_drive(e->memory, c->mem, in);
}

static const char *observe(void *env, const uint32_t *in, const uint32_t *out) {
  struct cc_env *e = env;
  const char *wrong = simt_memory_observe(e->memory, in, out);
  if (!wrong && !in[e->at.rst]) wrong = cc_registers_observe(e, in, out);
  const char *unit = cc_front_observe(e, in, out);
  const char *meaning = cc_golden_observe(e, in, out);
  if (!wrong) wrong = unit;
  if (!wrong) wrong = meaning;
  if (!wrong && e->directed) wrong = cc_directed_observe(e, in, out);
  cc_front_step(e, in);
  e->cycle++;
  return wrong;
}

static uint64_t progress(const void *env, bool *busy) {
  const struct cc_env *e = env;
  *busy = e->unanswered || e->q_n || e->offered;
  return e->answers + e->done_works + e->commands + e->resets;
}

static const uint64_t *coverage(const void *env) {
  struct cc_env *e = (struct cc_env *)(uintptr_t)env;
  for (unsigned i = 0; i < CC_COVERS; i++)
    if (e->cover_place[i] < CC_COVERS) e->covered[e->cover_place[i]] = e->cover[i];
  return e->covered;
}

static void explain(const void *env, const uint32_t *in, char *to, size_t room) {
  const struct cc_env *e = env;
  static const char *const kinds[] = {"write", "work", "flush", "invalidate", "unknown", "unknown", "unknown", "unknown"};
  char command[48] = "";
  if (in[e->at.cmd_valid]) snprintf(command, sizeof command, "%s %u; ", kinds[in[e->at.cmd_kind] & 7], in[e->at.cmd_addr]);
  snprintf(to, room, "%s%sreads 0x%x, done 0x%x", in[e->at.rst] ? "reset; " : "", command, in[e->at.rd_valid], in[e->at.done_valid]);
}

const struct simt_verif simt_verif_const_cache = {
  .block = &simt_block_const_cache, .profiles = cc_profiles, .directed = cc_directed, .trace = &cc_trace_kind, .pickers = cc_pickers,
  .choice_size = sizeof(struct cc_choice), .stuck_cycles = 500000,
  .create = create, .destroy = destroy, .restart = restart, .choose = choose, .drive = drive, .observe = observe,
  .progress = progress, .coverage = coverage, .explain = explain, .sim = cc_sim,
  .undrawn = (const char *const[]){"switches", "switches_copy", "switches_shared", "halted_item", "nack", "halted_answer", NULL}, /* longer than a diagram */
};
