/* SPDX-License-Identifier: Apache-2.0 */
/* model.c: caches and home as one model. Ports are wired by their names; a channel with register stages goes through a
 * chain of them. */
#include <stdlib.h>
#include <string.h>

#include "atomic_system/state.h"

static const struct simt_fifo_kind skid = {2, 1};
static const char *const group[CHANNELS] = {"fetch", "home", "release"};
static const char *const prefix[CHANNELS] = {"fetch", "home", "rel"};

static void copy_bits(const uint32_t *from, unsigned from_low, uint32_t *to, unsigned to_low, unsigned width) {
  for (unsigned n; width; width -= n, from_low += n, to_low += n) {
    const unsigned a = 32 - from_low % 32, b = 32 - to_low % 32, most = a < b ? a : b;
    n = most < width ? most : width;
    const uint32_t mask = simt_ones(n) << to_low % 32, bits = from[from_low / 32] >> from_low % 32;
    to[to_low / 32] = (to[to_low / 32] & ~mask) | (bits << to_low % 32 & mask);
  }
}

/* ---- life --------------------------------------------------------------------------------------------------- */

static struct field field_of(const struct as_model *m, const struct simt_port *p) {
  char name[SIMT_NAME_MAX];
  const size_t n = strlen(p->name);
  memcpy(name, p->name, n + 1);
  name[n - 1] = p->dir == SIMT_IN ? 'o' : 'i';
  return (struct field){p->word, simt_find_port(&m->part[m->caches], name)->word, p->width, p->words};
}

static void find_channel(struct as_model *m, unsigned k) {
  struct as_channel *c = &m->channel[k];
  const struct simt_config *cache = &m->part[0];
  c->direction = k == HOME ? INTO_CACHE : OUT_OF_CACHE;
  for (size_t i = 0; i < cache->desc.n_ports; i++) {
    const struct simt_port *p = &cache->desc.ports[i];
    if (strcmp(p->group, group[k])) continue;
    const size_t n = strlen(prefix[k]);
    if (!strncmp(p->name + n, "_valid_", 7)) c->valid = field_of(m, p);
    else if (!strncmp(p->name + n, "_ready_", 7)) c->ready = field_of(m, p);
    else if (c->n == MAX_FIELDS) abort();
    else c->field[c->n++] = field_of(m, p);
  }
}

static void wire_outside(struct as_model *m, const struct simt_config *cfg) {
  const int home = (int)m->caches;
  for (size_t k = 0; k < m->part[0].desc.n_ports; k++) {
    const struct simt_port *p = &m->part[0].desc.ports[k];
    if (p->role != SIMT_DATA || as_is_inside(p)) continue;
    if (p->dir == SIMT_OUT && p->valid[0]) {
      if (m->n_given == MAX_GIVEN) abort();
      m->given[m->n_given++] = (struct given){simt_find_port(&m->part[0], p->valid)->word, p->word, simt_find_port(cfg, p->name)->word, p->width};
      continue;
    }
    for (unsigned i = 0; i < m->caches; i++) {
      const struct simt_wire_end inner = {(int)i, p->name, 0}, outer = {SIMT_OUTSIDE, p->name, i * p->width};
      if (p->dir == SIMT_IN) simt_parts_wire(m->parts, outer, inner, p->width);
      else simt_parts_wire(m->parts, inner, outer, p->width);
    }
  }
  for (size_t k = 0; k < m->part[home].desc.n_ports; k++) {
    const struct simt_port *p = &m->part[home].desc.ports[k];
    char name[2 * SIMT_NAME_MAX] = "";
    if (p->role != SIMT_DATA || as_is_inside(p)) continue;
    if (!strcmp(p->group, "errors")) strcpy(name, "home_");
    strcat(name, p->name);
    const struct simt_wire_end inner = {home, p->name, 0}, outer = {SIMT_OUTSIDE, name, 0};
    if (p->dir == SIMT_IN) simt_parts_wire(m->parts, outer, inner, p->width);
    else simt_parts_wire(m->parts, inner, outer, p->width);
  }
}

void *as_create(const struct simt_config *cfg, struct simt_diag *diag) {
  if (!simt_check_plain(cfg, diag)) return NULL;
  struct as_model *m = calloc(1, sizeof *m);
  bool good = m != NULL;
  if (good) {
    m->cfg = cfg;
    m->caches = as_caches(cfg);
    m->stages = as_stages(cfg);
    m->rst = simt_find_port(cfg, "rst_i")->word;
    m->part = calloc(m->caches + 1, sizeof *m->part);
    m->stage_bytes = (size_t)m->caches * CHANNELS * m->stages * sizeof *m->stage;
    m->stage = calloc(1, m->stage_bytes + 1);
    good = m->part && m->stage;
  }
  for (unsigned i = 0; good && i < m->caches; i++) good = as_resolve_cache(cfg->value, &m->part[i], diag);
  good = good && as_resolve_home(cfg->value, &m->part[m->caches], diag);
  good = good && (m->parts = simt_parts_create(cfg, m->part, m->caches + 1, diag));
  if (good) {
    for (unsigned k = 0; k < CHANNELS; k++) find_channel(m, k);
    wire_outside(m, cfg);
    as_unit_find(m, cfg);
    return m;
  }
  as_destroy(m);
  simt_fail(diag, cfg->name, "no memory", "memory for the model");
  return NULL;
}

void as_destroy(void *model) {
  struct as_model *m = model;
  if (!m) return;
  simt_parts_destroy(m->parts);
  for (unsigned i = 0; m->part && i <= m->caches; i++) simt_config_free(&m->part[i]);
  free(m->part);
  free(m->stage);
  free(m);
}

void as_reset(void *model) {
  struct as_model *m = model;
  simt_parts_reset(m->parts);
  memset(m->stage, 0, m->stage_bytes);
  as_unit_reset(m);
}

/* ---- channels ------------------------------------------------------------------------------------------------ */

/* Where the source shows its words and the sink takes them; ready goes the other way. */
struct ends { const uint32_t *source; uint32_t *sink; const uint32_t *sink_out; uint32_t *source_in; };

static struct ends ends_of(struct as_model *m, unsigned cache, const struct as_channel *c) {
  const unsigned from = c->direction == OUT_OF_CACHE ? cache : m->caches, to = c->direction == OUT_OF_CACHE ? m->caches : cache;
  return (struct ends){simt_parts_out(m->parts, from), simt_parts_in(m->parts, to), simt_parts_out(m->parts, to), simt_parts_in(m->parts, from)};
}

/* A field as words, aligned, of its source; and back into its sink. */
static void get_field(const struct as_channel *c, const struct field *f, unsigned cache, const uint32_t *source, uint32_t *to) {
  if (c->direction == OUT_OF_CACHE) memcpy(to, &source[f->cache_word], f->words * sizeof *to);
  else copy_bits(&source[f->home_word], cache * f->width, to, 0, f->width);
}

static void put_field(const struct as_channel *c, const struct field *f, unsigned cache, uint32_t *sink, const uint32_t *from) {
  if (c->direction == INTO_CACHE) memcpy(&sink[f->cache_word], from, f->words * sizeof *from);
  else copy_bits(from, 0, &sink[f->home_word], cache * f->width, f->width);
}

static void get_word(const struct as_channel *c, unsigned cache, const uint32_t *source, uint32_t word[MAX_WORDS]) {
  memset(word, 0, MAX_WORDS * sizeof *word);
  for (unsigned i = 0, at = 0; i < c->n; at += c->field[i++].words) get_field(c, &c->field[i], cache, source, &word[at]);
}

static void put_word(const struct as_channel *c, unsigned cache, uint32_t *sink, const uint32_t *word) {
  for (unsigned i = 0, at = 0; i < c->n; at += c->field[i++].words) put_field(c, &c->field[i], cache, sink, &word[at]);
}

static bool get_one(const struct as_channel *c, const struct field *f, bool at_cache, unsigned cache, const uint32_t *w) {
  (void)c;
  return at_cache ? w[f->cache_word] & 1 : w[f->home_word + cache / 32] >> cache % 32 & 1;
}

static void put_one(const struct field *f, bool at_cache, unsigned cache, uint32_t *w, bool value) {
  uint32_t *word = at_cache ? &w[f->cache_word] : &w[f->home_word + cache / 32];
  const unsigned bit = at_cache ? 0 : cache % 32;
  *word = (*word & ~(1u << bit)) | (uint32_t)value << bit;
}

static void step_channel(struct as_model *m, unsigned cache, const struct as_channel *c, struct as_stage *stage) {
  const struct ends e = ends_of(m, cache, c);
  const bool from_cache = c->direction == OUT_OF_CACHE;
  bool valid = get_one(c, &c->valid, from_cache, cache, e.source);
  const bool sink_ready = get_one(c, &c->ready, !from_cache, cache, e.sink_out);
  uint32_t word[MAX_WORDS];
  if (!m->stages) {
    put_one(&c->valid, !from_cache, cache, e.sink, valid);
    put_one(&c->ready, from_cache, cache, e.source_in, sink_ready);
    if (!valid) return;
    get_word(c, cache, e.source, word);
    put_word(c, cache, e.sink, word);
    return;
  }
  const struct as_stage *last = &stage[m->stages - 1];
  put_one(&c->valid, !from_cache, cache, e.sink, simt_fifo_valid(&last->fifo));
  if (simt_fifo_valid(&last->fifo)) put_word(c, cache, e.sink, last->word[last->fifo.head]);
  put_one(&c->ready, from_cache, cache, e.source_in, simt_fifo_ready(&stage[0].fifo, skid));
  if (valid) get_word(c, cache, e.source, word);
  for (unsigned i = 0; i < m->stages; i++) {
    struct as_stage *s = &stage[i];
    const bool gives = simt_fifo_valid(&s->fifo), ready = i + 1 < m->stages ? simt_fifo_ready(&stage[i + 1].fifo, skid) : sink_ready;
    uint32_t given[MAX_WORDS];
    memcpy(given, s->word[s->fifo.head], sizeof given);
    if (valid && simt_fifo_ready(&s->fifo, skid)) memcpy(s->word[simt_fifo_place(&s->fifo, skid)], word, sizeof word);
    simt_fifo_step(&s->fifo, skid, valid, ready);
    valid = gives;
    memcpy(word, given, sizeof word);
  }
}

void as_step(void *model, const uint32_t *in) {
  struct as_model *m = model;
  simt_parts_look(m->parts, in);
  struct as_unit_now unit = as_unit_begin(m, in);
  for (unsigned i = 0; i < m->caches; i++)
    for (unsigned k = 0; k < CHANNELS; k++) step_channel(m, i, &m->channel[k], &m->stage[(size_t)(i * CHANNELS + k) * m->stages]);
  simt_parts_go(m->parts);
  as_unit_end(m, &unit, in);
  if (in[m->rst] || unit.resets) memset(m->stage, 0, m->stage_bytes);
  if (in[m->rst]) as_unit_reset(m);
}

void as_outputs(const void *model, uint32_t *out) {
  const struct as_model *m = model;
  simt_parts_outputs(m->parts, out);
  const bool still = as_unit_still(m);
  for (unsigned k = 0; k < m->n_given; k++) {
    const struct given *g = &m->given[k];
    for (unsigned i = 0; i < m->caches; i++) {
      const uint32_t *from = simt_parts_out(m->parts, i);
      if (from[g->valid] & 1 && !(still && g->valid == m->unit.cache.ans_valid)) copy_bits(&from[g->from], 0, &out[g->to], i * g->width, g->width);
    }
  }
  as_unit_outputs(m, out);
}

void as_parts(void *model, struct simt_image *image) {
  struct as_model *m = model;
  simt_parts_image(m->parts, image);
  simt_image_part(image, m->stage, m->stage_bytes);
  simt_image_part_with_shell(image, &m->unit.s, sizeof m->unit.s, &m->unit.s.shell);
}

/* Of the caches together, then of the home. */
struct sum { const char *name[16]; uint64_t value[16]; unsigned n, at; };

static void add(void *ctx, const char *name, uint64_t value) {
  struct sum *s = ctx;
  if (s->at == 16) abort();
  s->name[s->at] = name;
  s->value[s->at++] += value;
  if (s->n < s->at) s->n = s->at;
}

void as_stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx) {
  const struct as_model *m = model;
  struct sum sum = {0};
  for (unsigned i = 0; i < m->caches; i++) {
    sum.at = 0;
    m->part[i].block->model.stats(simt_parts_model(m->parts, i), add, &sum);
  }
  for (unsigned i = 0; i < sum.n; i++) visit(ctx, sum.name[i], sum.value[i]);
  m->part[m->caches].block->model.stats(simt_parts_model(m->parts, m->caches), visit, ctx);
}
