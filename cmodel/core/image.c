/* SPDX-License-Identifier: Apache-2.0 */
/* image.c: images of models (image.h). */
#include "core/image.h"

#include <string.h>

#include "core/lockstep_checker.h"

enum { ALIGN = 16 };

struct header {
  char block[SIMT_NAME_MAX];
  char version[16];
  uint64_t config, size, checksum; /* size: of the image; checksum: of all of it, with 0 in its own place */
  uint64_t zero;
};
_Static_assert(sizeof(struct header) % ALIGN == 0, "the first part is aligned");

struct simt_image {
  enum { MEASURE, WRITE, READ } does;
  char *at; /* WRITE, READ: of the next part */
  size_t size;
};

/* ---- hashes ------------------------------------------------------------------------------------------------ */

/* One bit more or less in any place always changes it: each step can be undone. */
static uint64_t mix(uint64_t hash, uint64_t value) {
  hash = (hash ^ value) * UINT64_C(0x9e3779b97f4a7c15);
  return hash ^ hash >> 32;
}

static uint64_t mix_text(uint64_t hash, const char *text) {
  for (; *text; text++) hash = mix(hash, (unsigned char)*text);
  return mix(hash, 0);
}

/* What a model depends on: parameters, options and lists, not the name of the instance. */
static uint64_t config_hash(const struct simt_config *cfg) {
  uint64_t hash = mix_text(1, cfg->block->name);
  for (size_t i = 0; i < cfg->n_params; i++) hash = mix(mix_text(hash, cfg->param[i]->name), cfg->value[i]);
  for (size_t i = 0; i < SIMT_MAX_LISTS; i++) {
    hash = mix(hash, cfg->records.list[i].n);
    for (size_t k = 0; k < cfg->records.list[i].n; k++)
      for (size_t c = 0; c < SIMT_MAX_COLUMNS; c++) hash = mix_text(hash, cfg->records.list[i].record[k].cell[c].text);
  }
  return hash;
}

uint64_t simt_config_hash(const struct simt_config *cfg) {
  uint64_t hash = mix(mix_text(1, SIMT_VERSION), config_hash(cfg));
  for (size_t i = 0; i < cfg->desc.n_ports; i++) {
    const struct simt_port *p = &cfg->desc.ports[i];
    hash = mix(mix(mix_text(hash, p->name), p->dir), p->width);
  }
  return hash;
}

static uint64_t checksum(const struct header *h, const char *image) {
  struct header clean = *h;
  uint64_t hash = 1, word[sizeof clean / sizeof(uint64_t)];
  clean.checksum = 0;
  memcpy(word, &clean, sizeof clean);
  for (size_t i = 0; i < sizeof word / sizeof *word; i++) hash = mix(hash, word[i]);
  for (size_t i = sizeof clean; i < h->size; i += sizeof *word) {
    memcpy(word, image + i, sizeof *word);
    hash = mix(hash, *word);
  }
  return hash;
}

/* ---- parts ------------------------------------------------------------------------------------------------- */

void simt_image_part(struct simt_image *image, void *at, size_t size) {
  const size_t room = (size + ALIGN - 1) / ALIGN * ALIGN;
  image->size += room;
  if (image->does == MEASURE || !size) return;
  if (image->does == READ) memcpy(at, image->at, size);
  else memcpy(image->at, at, size), memset(image->at + size, 0, room - size);
  image->at += room;
}

void simt_image_part_with_shell(struct simt_image *image, void *at, size_t size, struct simt_unit_shell *shell) {
  char *from = at, *first = (char *)&shell->port.r, *behind = (char *)&shell->fsm, *end = (char *)(shell + 1);
  simt_image_part(image, from, (size_t)((char *)shell - from));
  simt_image_part(image, first, sizeof shell->port.r);
  simt_image_part(image, behind, (size_t)(end - behind));
  simt_image_part(image, end, (size_t)(from + size - end));
}

void simt_image_forget(struct simt_image *image, bool *kept) {
  if (image->does == READ) *kept = false;
}

/* ---- save and load ----------------------------------------------------------------------------------------- */

static const struct simt_config *config_of(const void *model) { return *(const struct simt_config *const *)model; }

static void walk(void *model, struct simt_image *image) { simt_model(config_of(model))->parts(model, image); }

static struct header header_of(const void *model, size_t size) {
  const struct simt_config *cfg = config_of(model);
  struct header h = {.config = config_hash(cfg), .size = size};
  memcpy(h.block, cfg->block->name, strlen(cfg->block->name));
  memcpy(h.version, SIMT_VERSION, sizeof SIMT_VERSION);
  return h;
}

size_t simt_save(const void *model, void *to, size_t room) {
  struct simt_image image = {.does = MEASURE, .size = sizeof(struct header)};
  walk((void *)model, &image); /* which writes nothing into the model but when it reads an image */
  const size_t size = image.size;
  if (room < size) return size;
  struct header h = header_of(model, size);
  image = (struct simt_image){.does = WRITE, .at = (char *)to + sizeof h};
  walk((void *)model, &image);
  h.checksum = checksum(&h, to);
  memcpy(to, &h, sizeof h);
  return size;
}

bool simt_load(void *model, const void *from, size_t size) {
  struct header h, wanted;
  if (size != simt_save(model, NULL, 0)) return false;
  memcpy(&h, from, sizeof h);
  wanted = header_of(model, size);
  wanted.checksum = h.checksum;
  if (memcmp(&h, &wanted, sizeof h) || h.checksum != checksum(&h, from)) return false;
  struct simt_image image = {.does = READ, .at = (char *)from + sizeof h};
  walk(model, &image);
  return true;
}
