/* SPDX-License-Identifier: Apache-2.0 */
/* env.c: life of the environment, and what its caches do in a cycle. */
#include "line_home/env.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct simt_block simt_block_line_home;

/* The first 16 are in different sets where there are so many; the others crowd in two, and their tags differ in a bit or
 * in all but one, as far as there are bits. Of the first 16 a tag is 0 or odd with a few bits. */
static uint64_t make_line(const struct lh_env *e, unsigned i) {
  const uint64_t sets = e->l.sets, all = ((uint64_t)1 << e->l.line_aw) - 1;
  const unsigned tag_w = e->l.line_aw - e->l.set_w, n = (i - 16) / 2;
  if (i < 16) return (i % sets + sets * (i < sets ? 0 : 2 * (i / sets) + 1)) & all;
  const uint64_t tag = tag_w < 8 ? 40 + n : n < tag_w ? (uint64_t)1 << n : n < 2 * tag_w ? ~((uint64_t)1 << (n - tag_w)) : 3 * n;
  return ((i & 1) + sets * tag) & all;
}

int lh_pool_index(const struct lh_env *e, uint64_t line) {
  for (unsigned i = 0; i < e->pool_n; i++)
    if (lh_pool_line(e, i) == line) return (int)i;
  return -1;
}

static void forget(struct lh_env *e) {
  memset(e->agent, 0, sizeof e->agent);
  memset(e->line, 0, sizeof e->line);
  e->n_wanted = e->bad = e->lost = 0;
  e->bad_first = 0;
  e->crowded = false;
  e->still = 0;
  for (unsigned i = 0; i < e->pool_n; i++) {
    struct lh_line *l = &e->line[i];
    l->owner = LH_NOBODY;
    l->unsure = true; /* whatever memory has */
  }
}

static void restart(void *env) {
  struct lh_env *e = env;
  simt_rng_seed(&e->rng, e->seed);
  simt_memory_restart(e->memory);
  e->cycle = e->events = e->moved = 0;
  e->step = e->waited = 0;
  e->test = e->directed < 0 ? 0 : e->directed;
  forget(e);
}

static int named(const struct simt_named *list, const char *name) {
  for (int i = 0; name && list[i].name; i++)
    if (!strcmp(list[i].name, name)) return i;
  return -1;
}

static void destroy(void *env) {
  struct lh_env *e = env;
  if (!e) return;
  simt_memory_destroy(e->memory);
  free(e);
}

static void *create(const struct simt_config *cfg, const struct simt_stimulus *stim, struct simt_diag *diag) {
  struct lh_env *e = calloc(1, sizeof *e);
  if (e) {
    e->cfg = cfg;
    lh_layout(simt_plain(cfg)->value, &e->l);
    e->memory = simt_memory_create(cfg, diag);
  }
  if (!e || !e->memory) {
    simt_fail(diag, cfg->name, "no memory", "memory for the environment");
    destroy(e);
    return NULL;
  }
  lh_ports_bind(&e->at, cfg);
  e->pool_n = LH_POOL;
  while (e->pool_n > 2 && (uint64_t)e->l.sets * (33 + e->pool_n / 2) >= (uint64_t)1 << e->l.line_aw) e->pool_n--;
  for (unsigned i = 0; i < e->pool_n; i++) e->pool_line[i] = make_line(e, i);
  e->seed = stim->seed;
  e->planned = stim->cycles;
  e->profile = named(lh_profiles, stim->profile);
  e->directed = strcmp(stim->kind, "directed") ? -2 : named(lh_directed, stim->profile);
  restart(e);
  return e;
}

/* ---- a cache ------------------------------------------------------------------------------------------------ */

static uint64_t mix(uint64_t draw, unsigned cache) {
  const uint64_t x = (draw + cache * 0x9e3779b97f4a7c15u) * 0xbf58476d1ce4e5b9u;
  return x ^ x >> 29;
}

static unsigned pick(const struct lh_env *e, const struct lh_choice *c, unsigned cache) {
  const unsigned n = c->pool && c->pool < e->pool_n ? c->pool : e->pool_n;
  return c->line >= 0 ? (unsigned)c->line % e->pool_n : (unsigned)(mix(c->draw, cache) >> 32) % n;
}

static void want(struct lh_env *e, const struct lh_choice *c, unsigned cache) {
  struct lh_agent *a = &e->agent[cache];
  const unsigned line = pick(e, c, cache);
  struct lh_tenure *t = &a->on[line];
  if (t->held || t->wanted || a->n_wanted == e->l.misses) return;
  unsigned tag = (unsigned)(mix(c->draw, cache) >> 20) % e->l.misses;
  while (a->tag_used[tag]) tag = (tag + 1) % e->l.misses;
  a->tag_used[tag] = true;
  a->n_wanted++;
  a->offers = true;
  a->line = line;
  a->tag = tag;
  t->wanted = true;
  t->tag = (uint8_t)tag;
  t->asked = UINT64_MAX; /* not taken yet */
  t->seen = 0;
}

static void begin_release(struct lh_env *e, const struct lh_choice *c, unsigned cache, unsigned line, bool bad) {
  struct lh_agent *a = &e->agent[cache];
  struct lh_tenure *t = &a->on[line];
  a->releases = true;
  a->bad = bad;
  a->rel_line = line;
  a->rel_beat = a->rel_waits = 0;
  a->dirty = c->dirty >> cache & 1;
  memcpy(a->data, e->line[line].bytes, e->l.line_bytes);
  for (unsigned i = 0; a->dirty && i < e->l.line_bytes; i += 1 + (unsigned)(c->draw >> 60)) a->data[i] = (uint8_t)mix(c->draw + i, cache);
  if (bad) return;
  t->held = t->snooped = false;
  t->leaving = true;
  a->n_held--;
}

static void leave(struct lh_env *e, const struct lh_choice *c, unsigned cache) {
  struct lh_agent *a = &e->agent[cache];
  const unsigned from = c->line >= 0 ? (unsigned)c->line : (unsigned)(mix(c->draw, cache) >> 8);
  if (c->bad && c->bad_cache % e->l.caches == cache) {
    struct lh_tenure *t = &a->on[from % e->pool_n];
    if (!t->held && !t->wanted && !t->leaving) begin_release(e, c, cache, from % e->pool_n, true);
    return;
  }
  for (unsigned i = 0, seen = 0; seen < a->n_held && i < (c->line >= 0 ? 1 : e->pool_n); i++) {
    const unsigned line = (from + i) % e->pool_n;
    if (!a->on[line].held) continue;
    seen++;
    if (!((a->on[line].snooped ? c->release : c->evict) >> cache & 1)) continue;
    begin_release(e, c, cache, line, false);
    return;
  }
}

static void drive_cache(struct lh_env *e, const struct lh_choice *c, unsigned i, uint32_t *in) {
  struct lh_agent *a = &e->agent[i];
  if (!a->offers && c->fetch >> i & 1) want(e, c, i);
  if (!a->releases && ((c->release | c->evict) >> i & 1 || c->bad)) leave(e, c, i);
  a->gap = c->gap >> i & 1 && a->gap < 3 && !a->stood ? a->gap + 1 : 0; /* a beat that was offered stays */
  simt_put_bits(&in[e->at.fetch_valid], i, 1, a->offers);
  simt_put_bits(&in[e->at.fetch_line], i * e->l.line_aw, e->l.line_aw, lh_pool_line(e, a->line));
  simt_put_bits(&in[e->at.fetch_tag], i * e->l.miss_w, e->l.miss_w, a->tag);
  simt_put_bits(&in[e->at.home_ready], i, 1, c->ready >> i & 1);
  simt_put_bits(&in[e->at.rel_valid], i, 1, a->releases && !a->gap);
  simt_put_bits(&in[e->at.rel_line], i * e->l.line_aw, e->l.line_aw, lh_pool_line(e, a->rel_line));
  simt_put_bits(&in[e->at.rel_dirty], i, 1, a->dirty);
  simt_put_bits(&in[e->at.rel_last], i, 1, !a->dirty || a->rel_beat + 1 == e->l.beats);
  memcpy(&in[e->at.rel_data + i * e->l.lanes], &a->data[a->rel_beat * 4 * e->l.lanes], 4 * e->l.lanes);
}

static void drive(void *env, const void *choice, const uint32_t *out, uint32_t *in) {
  struct lh_env *e = env;
  const struct lh_choice *c = choice;
  (void)out;
  in[e->at.rst] = c->reset;
  for (unsigned i = 0; i < e->l.caches; i++) drive_cache(e, c, i, in);
  simt_memory_drive(e->memory, c->mem, in);
}

static const char *observe(void *env, const uint32_t *in, const uint32_t *out) {
  struct lh_env *e = env;
  const char *bad = simt_memory_observe(e->memory, in, out);
  if (!bad && !in[e->at.rst]) bad = lh_observe(env, in, out);
  e->cycle++;
  if (in[e->at.rst]) {
    e->cover[LH_COVER_RESET]++;
    forget(e);
    e->moved = e->cycle;
  }
  return bad;
}

bool lh_idle(const struct lh_env *e) {
  for (unsigned i = 0; i < e->l.caches; i++) {
    const struct lh_agent *a = &e->agent[i];
    if (a->offers || a->releases || a->n_wanted || a->n_held) return false;
  }
  return true;
}

static uint64_t progress(const void *env, bool *busy) {
  const struct lh_env *e = env;
  *busy = false;
  for (unsigned i = 0; i < e->l.caches; i++) *busy |= e->agent[i].n_wanted || e->agent[i].releases;
  return e->events;
}

static const uint64_t *coverage(const void *env) {
  struct lh_env *e = (struct lh_env *)(uintptr_t)env;
  for (unsigned i = 0, n = 0; i < LH_COVERS; i++)
    if (lh_cover_possible(&e->l, (enum lh_cover)i)) e->covered[n++] = e->cover[i];
  return e->covered;
}

static void explain(const void *env, const uint32_t *in, char *to, size_t room) {
  const struct lh_env *e = env;
  size_t n = 0;
  if (in[e->at.rst]) n += (size_t)snprintf(to, room, "reset ");
  for (unsigned i = 0; i < e->l.caches; i++) {
    if (lh_bit(&in[e->at.fetch_valid], i) && n < room)
      n += (size_t)snprintf(to + n, room - n, "%u fetches 0x%llx; ", i, (unsigned long long)simt_get_bits(&in[e->at.fetch_line], i * e->l.line_aw, e->l.line_aw));
    if (lh_bit(&in[e->at.rel_valid], i) && n < room)
      n += (size_t)snprintf(to + n, room - n, "%u releases 0x%llx; ", i, (unsigned long long)simt_get_bits(&in[e->at.rel_line], i * e->l.line_aw, e->l.line_aw));
  }
  if (!n) snprintf(to, room, "idle");
}

const struct simt_verif simt_verif_line_home = {
  .block = &simt_block_line_home, .profiles = lh_profiles, .directed = lh_directed,
  .choice_size = sizeof(struct lh_choice), .stuck_cycles = 50000,
  .create = create, .destroy = destroy, .restart = restart, .choose = lh_choose, .drive = drive,
  .observe = observe, .progress = progress, .coverage = coverage, .explain = explain,
};
