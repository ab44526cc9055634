/* SPDX-License-Identifier: Apache-2.0 */
/* images_test.c: images of models: images_test CYCLES SEED < CONFIGURATIONS, of which each line is BLOCK [NAME=VALUE]...;
 * units=NAME,NAME... is a topology. The environment of a block drives a model without RTL; its inputs are kept and given to others:
 *   - two models driven alike have the same image, byte for byte: nothing of an image is a place in memory;
 *   - a model that has done something else goes on behind a load as the one that was saved does, in every output and statistic;
 *   - images that are cut, grown, of any other line, or in which a bit is flipped are refused, and the model is as it was.
 * Prints what is wrong. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/lockstep.h"
#include "core/wrapped.h"

enum { MOST = 500, FLIPS = 24 };

struct kept { /* inputs of a run */
  uint32_t *in;
  size_t words, n;
};
struct subject {
  char line[800];
  struct simt_config cfg;
  const struct simt_model_ops *ops;
  void *model;
  struct kept kept;
  unsigned char *image, *now; /* of the model; room for another */
  size_t size;
};

static struct subject subject[MOST];
static unsigned subjects, failures;
static uint64_t seed;
static size_t cycles;

static uint64_t draw(uint64_t below) {
  seed = seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
  return (seed >> 32) % below;
}

static void wrong(const struct subject *s, const char *what) {
  printf("%s: %s\n", s->line, what);
  failures++;
}

static void die(const struct subject *s, const char *what) {
  fprintf(stderr, "%s: %s\n", s->line, what);
  exit(2);
}

/* ---- a configuration and what its environment does -------------------------------------------------------------- */

static bool set(struct simt_config *cfg, char *word, struct simt_diag *diag) {
  char *value = strchr(word, '='), *rest;
  if (!value) return false;
  *value++ = 0;
  if (strcmp(word, "units")) return simt_set_param(cfg, word, value, diag);
  for (char *unit = strtok_r(value, ",", &rest); unit; unit = strtok_r(NULL, ",", &rest))
    if (!simt_add_record(cfg, "units", diag) || !simt_set_cell(cfg, "units", "name", unit, diag)) return false;
  return true;
}

static void keep(void *ctx, uint64_t cycle, const uint32_t *in, const uint32_t *model, const uint32_t *rtl) {
  struct kept *k = ctx;
  (void)cycle, (void)model, (void)rtl;
  if (k->n < cycles) memcpy(k->in + k->n++ * k->words, in, k->words * sizeof *in);
}

static void open_subject(char *line) {
  struct subject *s = &subject[subjects++];
  struct simt_diag diag = {0};
  char *rest, *word;
  if (subjects == MOST) exit(2);
  line[strcspn(line, "\n")] = 0;
  snprintf(s->line, sizeof s->line, "%s", line);
  const struct simt_block *block = simt_find_block(strtok_r(line, " ", &rest));
  if (!block) die(s, "no such block");
  simt_config_init(&s->cfg, block);
  while ((word = strtok_r(NULL, " ", &rest)))
    if (!set(&s->cfg, word, &diag)) die(s, diag.expected);
  if (!simt_resolve(&s->cfg, &diag)) die(s, diag.expected);
  s->ops = simt_model(&s->cfg);
  s->kept = (struct kept){.words = s->cfg.desc.in_words, .in = calloc(cycles * s->cfg.desc.in_words + 1, sizeof(uint32_t))};
  struct simt_stimulus stim = {.kind = "random", .cycles = cycles, .seed = seed};
  struct simt_verif room;
  const struct simt_verif *verif = simt_verif_of(&s->cfg, &room);
  struct lockstep *l = verif ? lockstep_create(&s->cfg, verif, &stim, NULL, &diag) : NULL;
  if (!l) die(s, diag.expected);
  struct lockstep_plan plan = {.cycles = cycles, .watch = keep, .ctx = &s->kept};
  struct lockstep_result r = lockstep_run(l, &plan);
  if (r.end != LOCKSTEP_PASS) die(s, r.message);
  lockstep_destroy(l);
}

/* ---- models under the same inputs ------------------------------------------------------------------------------- */

static void *make(const struct subject *s) {
  struct simt_diag diag = {0};
  void *model = s->ops->create(&s->cfg, &diag);
  if (!model) die(s, diag.expected);
  s->ops->reset(model);
  return model;
}

/* Behind the last edge the outputs are looked at once more: what a model keeps of them is kept. */
static void drive(const struct subject *s, void *model, size_t from, size_t to) {
  uint32_t *out = calloc(s->cfg.desc.out_words + 1, sizeof *out);
  for (size_t i = from; i < to; i++) {
    s->ops->outputs(model, out);
    s->ops->step(model, s->kept.in + i * s->kept.words);
  }
  s->ops->outputs(model, out);
  free(out);
}

struct sum { uint64_t hash; };
static void add(void *ctx, const char *name, uint64_t value) {
  struct sum *sum = ctx;
  (void)name;
  sum->hash = sum->hash * 31 + value;
}

/* Outputs in every cycle, then statistics. */
static bool alike(const struct subject *s, void *a, void *b, size_t from, size_t to) {
  const size_t words = s->cfg.desc.out_words + 1;
  uint32_t *out = calloc(2 * words, sizeof *out);
  bool same = true;
  for (size_t i = from; i < to && same; i++) {
    s->ops->outputs(a, out);
    s->ops->outputs(b, out + words);
    for (size_t k = 0; k < s->cfg.desc.n_ports && same; k++) {
      const struct simt_port *p = &s->cfg.desc.ports[k], *valid = p->valid[0] ? simt_find_port(&s->cfg, p->valid) : NULL;
      if (p->dir != SIMT_OUT) continue;
      if (valid && valid->width == 1 && valid->dir == SIMT_OUT && !out[valid->word]) continue;
      same = !memcmp(out + p->word, out + words + p->word, p->words * sizeof *out);
      if (!same) fprintf(stderr, "%s: cycle %zu: %s\n", s->line, i, p->name);
    }
    s->ops->step(a, s->kept.in + i * s->kept.words);
    s->ops->step(b, s->kept.in + i * s->kept.words);
  }
  struct sum sum[2] = {{0}, {0}};
  s->ops->stats(a, add, &sum[0]);
  s->ops->stats(b, add, &sum[1]);
  free(out);
  return same && sum[0].hash == sum[1].hash;
}

static bool unchanged(struct subject *s) {
  memset(s->now, 0xa5, s->size);
  return s->ops->save(s->model, s->now, s->size) == s->size && !memcmp(s->now, s->image, s->size);
}

static void test_round_trip(struct subject *s) {
  const size_t half = s->kept.n / 2;
  s->model = make(s);
  void *twin = make(s), *other = make(s);
  drive(s, s->model, 0, half);
  drive(s, twin, 0, half);
  drive(s, other, 0, half / 2);
  s->size = s->ops->save(s->model, NULL, 0);
  s->image = malloc(s->size + 1);
  s->now = malloc(s->size + 65);
  memset(s->image, 0x5a, s->size);
  if (s->ops->save(s->model, s->image, s->size - 1) != s->size || s->image[0] != 0x5a) wrong(s, "a save wrote where room was short");
  if (s->ops->save(s->model, s->image, s->size) != s->size) wrong(s, "the size of an image has changed");
  memset(s->now, 0, s->size);
  s->ops->save(twin, s->now + 1, s->size); /* nowhere aligned */
  if (memcmp(s->now + 1, s->image, s->size)) wrong(s, "two models driven alike have different images");
  if (!s->ops->load(other, s->now + 1, s->size)) wrong(s, "its own image is refused");
  if (!alike(s, twin, other, half, s->kept.n)) wrong(s, "behind a load it goes on differently");
  s->ops->destroy(twin);
  s->ops->destroy(other);
}

static void refused(struct subject *s, const void *image, size_t size, const char *what) {
  char said[1000];
  snprintf(said, sizeof said, "%s is taken", what);
  if (s->ops->load(s->model, image, size)) {
    wrong(s, said);
    if (!s->ops->load(s->model, s->image, s->size)) die(s, "its own image is refused");
  }
}

/* In memory of its own size, so that a read behind its end is seen. */
static void refused_part(struct subject *s, size_t size, const char *what) {
  unsigned char *copy = malloc(size ? size : 1);
  for (size_t i = 0; i < size; i++) copy[i] = i < s->size ? s->image[i] : 0;
  refused(s, copy, size, what);
  free(copy);
}

static void test_spoilt(struct subject *s) {
  const size_t cut[] = {0, 1, 8, 64, 95, 96, s->size / 2, s->size - 16, s->size - 1, draw(s->size)};
  const size_t more[] = {1, 8, 16, 1 + draw(64)};
  for (size_t i = 0; i < sizeof cut / sizeof *cut; i++)
    if (cut[i] < s->size) refused_part(s, cut[i], "a cut image");
  for (size_t i = 0; i < sizeof more / sizeof *more; i++) refused_part(s, s->size + more[i], "a grown image");
  const size_t bits = 8 * s->size;
  for (size_t i = 0; i < 2 * FLIPS; i++) {
    const size_t bit = i < FLIPS ? draw(bits < 8 * 96 ? bits : 8 * 96) : draw(bits);
    memcpy(s->now, s->image, s->size);
    s->now[bit / 8] ^= (unsigned char)(1u << bit % 8);
    refused(s, s->now, s->size, "an image with a flipped bit");
  }
  if (!unchanged(s)) wrong(s, "a spoilt image has left something behind");
}

static bool same_configuration(const struct subject *a, const struct subject *b) {
  const size_t bytes = a->cfg.n_params * sizeof *a->cfg.value;
  return a->cfg.block == b->cfg.block && !memcmp(a->cfg.value, b->cfg.value, bytes) && !a->cfg.records.given && !b->cfg.records.given;
}

static void test_foreign(struct subject *s) {
  char what[900];
  for (unsigned i = 0; i < subjects; i++) {
    const struct subject *other = &subject[i];
    if (other == s || same_configuration(other, s)) continue;
    snprintf(what, sizeof what, "an image of `%s`", other->line);
    refused(s, other->image, other->size, what);
    memset(s->now, 0, s->size);
    memcpy(s->now, other->image, other->size < s->size ? other->size : s->size);
    refused(s, s->now, s->size, what); /* as long as its own */
  }
  if (!unchanged(s)) wrong(s, "a foreign image has left something behind");
}

int main(int argc, char **argv) {
  char line[800];
  setvbuf(stdout, NULL, _IOLBF, 0); /* a sanitizer may end it */
  if (argc != 3) return 2;
  cycles = strtoull(argv[1], NULL, 10);
  seed = strtoull(argv[2], NULL, 10);
  while (fgets(line, sizeof line, stdin)) open_subject(line);
  for (unsigned i = 0; i < subjects; i++) test_round_trip(&subject[i]);
  for (unsigned i = 0; i < subjects; i++) test_spoilt(&subject[i]);
  for (unsigned i = 0; i < subjects; i++) test_foreign(&subject[i]);
  for (unsigned i = 0; i < subjects; i++) {
    struct subject *s = &subject[i];
    s->ops->destroy(s->model);
    simt_config_free(&s->cfg);
    free(s->kept.in);
    free(s->image);
    free(s->now);
  }
  fprintf(stderr, "%u configurations, %u failures\n", subjects, failures);
  return failures != 0;
}
