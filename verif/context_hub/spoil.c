/* SPDX-License-Identifier: Apache-2.0 */
/* spoil.c: images in memory, spoiled for one restore and mended behind it. */
#include <string.h>

#include "context_hub/env.h"

enum { BEHIND = 4 }; /* words behind an image that are kept, too */

static uint64_t address(const struct hub_env *e, uint32_t index) { return (e->image + 4 * (uint64_t)index) & e->addr_mask; }

uint32_t hub_image_word(struct hub_env *e, uint32_t index) {
  uint32_t w;
  simt_memory_peek(e->memory, address(e, index), &w, sizeof w);
  return w;
}

void hub_image_poke(struct hub_env *e, uint32_t index, uint32_t word) {
  simt_memory_poke(e->memory, address(e, index), &word, sizeof word);
}

uint32_t hub_checksum(const uint32_t *word, uint32_t n, uint32_t crc) { /* bit by bit, as IEEE 802.3 has it */
  for (uint32_t i = 0; i < 32 * n; i++) {
    uint32_t feed = (crc ^ word[i / 32] >> i % 32) & 1;
    crc = crc >> 1 ^ (feed ? 0xedb88320 : 0);
  }
  return crc;
}

/* Makes the checksum right again, so that only the header can show what is wrong. */
static void sign(struct hub_env *e, uint32_t len) {
  uint32_t crc = ~UINT32_C(0);
  for (uint32_t i = 0; i < len + HEAD; i++) {
    uint32_t w = hub_image_word(e, i);
    crc = hub_checksum(&w, 1, crc);
  }
  hub_image_poke(e, len + HEAD, ~crc);
}

/* A restore of a length that is wrong but possible takes as many cycles: none of millions. */
static uint32_t flip(const struct hub_env *e, uint32_t n) {
  uint32_t bit = e->c.aim % (32 * n);
  if (bit / 32 == 3 && bit % 32 > 10 && bit % 32 < 24 && e->region > MOST_WORDS) bit = 32 * 3;
  return bit;
}

static void spoil_header(struct hub_env *e, uint32_t len) {
  const uint32_t aim = e->c.aim;
  switch (e->c.spoil) {
    case SPOIL_MAGIC: hub_image_poke(e, 0, MAGIC ^ (UINT32_C(1) << aim % 32)); break;
    case SPOIL_FORMAT: hub_image_poke(e, 0, 0x55430100 | (aim & 0xff)); break; /* an image of format 1 */
    case SPOIL_TYPE: hub_image_poke(e, 1, hub_image_word(e, 1) ^ (UINT32_C(0x10000) << aim % 16)); break;
    case SPOIL_CONFIG: hub_image_poke(e, 2, hub_image_word(e, 2) ^ (UINT32_C(1) << aim % 32)); break;
    case SPOIL_UNIT: hub_image_poke(e, 1, hub_image_word(e, 1) ^ (UINT32_C(1) << aim % 16)); break;
    case SPOIL_LONG: hub_image_poke(e, 3, len + 1 + aim % 3); break;
    case SPOIL_SHORT: hub_image_poke(e, 3, len > 1 ? len - 1 : 0); break;
    case SPOIL_ZERO: hub_image_poke(e, 3, 0); break;
    case SPOIL_HUGE: hub_image_poke(e, 3, aim % 3 ? (aim % 3 == 1 ? e->region - 4 : aim | 0x80000000) : ~UINT32_C(0)); break;
    default: /* SPOIL_GARBAGE */
      for (uint32_t i = 0; i < HEAD; i++) hub_image_poke(e, i, (uint32_t)simt_rng_next(&e->content));
  }
  if (e->c.spoil >= SPOIL_MAGIC && e->c.spoil <= SPOIL_UNIT) sign(e, len);
}

void hub_spoil_image(struct hub_env *e) {
  const struct content *s = &e->saved[e->c.tracked * N_HOMES + e->c.home];
  const uint32_t n = s->len + FRAME;
  if (!s->valid || e->c.slot) e->c.spoil = SPOIL_NONE;
  e->n_backup = 0;
  if (e->c.spoil == SPOIL_NONE) return;
  e->n_backup = n + BEHIND < e->region ? n + BEHIND : e->region;
  for (uint32_t i = 0; i < e->n_backup; i++) e->backup[i] = hub_image_word(e, i);
  if (e->c.spoil == SPOIL_FLIP) {
    const uint32_t bit = flip(e, n);
    hub_image_poke(e, bit / 32, hub_image_word(e, bit / 32) ^ UINT32_C(1) << bit % 32);
  } else if (e->c.spoil == SPOIL_SUM) {
    hub_image_poke(e, n - 1, hub_image_word(e, n - 1) ^ UINT32_C(1) << e->c.aim % 32);
  } else if (e->c.spoil == SPOIL_CUT) {
    for (uint32_t i = 1 + e->c.aim % (n - 1); i < n; i++) hub_image_poke(e, i, (uint32_t)simt_rng_next(&e->content));
  } else {
    spoil_header(e, s->len);
  }
}

void hub_mend_image(struct hub_env *e) {
  for (uint32_t i = 0; i < e->n_backup; i++) hub_image_poke(e, i, e->backup[i]);
  e->n_backup = 0;
}

void hub_wild_header(struct hub_env *e) {
  const uint32_t aim = e->c.aim;
  hub_image_poke(e, 0, aim % 8 ? MAGIC : MAGIC ^ UINT32_C(1) << (aim >> 3) % 32);
  hub_image_poke(e, 3, (aim >> 8) % (e->region < 64 ? e->region : 64));
}
