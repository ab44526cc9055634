/* SPDX-License-Identifier: Apache-2.0 */
/* parts.h: the blocks that atomic_system consists of: its caches, and behind them the home. */
#ifndef ATOMIC_SYSTEM_PARTS_H
#define ATOMIC_SYSTEM_PARTS_H

#include "core/image.h"

enum { AS_MAX_CACHES = 64, AS_MAX_STAGES = 16 };
enum { AS_UNIT_TYPE = 0x4153, AS_REG_ID = 0, AS_REG_NACK = 4, AS_REG_ADDR_W = 10, AS_ID = 0x41530001 };
/* A context: records of the home's bad releases, of its lost lines, of what each cache lost; the bits of a record's first word. */
enum { AS_RECORD_BAD, AS_RECORD_LOST, AS_RECORD_CACHE, AS_COUNT_BITS = 0xffff, AS_UNASKED_BIT = 16, AS_NACK_BIT = 17 };

/* Number of caches, and of register stages on each channel each way. */
unsigned as_caches(const struct simt_config *cfg);
unsigned as_stages(const struct simt_config *cfg);
unsigned as_status(const struct simt_config *cfg); /* parameter STATUS */
static inline unsigned as_records(unsigned caches) { return AS_RECORD_CACHE + caches; }
static inline unsigned as_record_words(unsigned line_aw) { return line_aw > 32 ? 3 : 2; } /* of a context */
/* The configuration of a cache or of the home, resolved; to be freed with simt_config_free, on failure too. */
bool as_resolve_cache(const uint64_t *value, struct simt_config *cache, struct simt_diag *diag);
bool as_resolve_home(const uint64_t *value, struct simt_config *home, struct simt_diag *diag);
bool as_is_inside(const struct simt_port *p); /* of a part: no port of the system */

enum as_cover { AS_COVER_MERGE, AS_COVER_JOIN, AS_COVER_IN_PLACE, AS_COVER_REFUSED, AS_COVER_FENCE, AS_COVER_FLUSH, AS_COVER_FAILED, AS_COVER_MEMORY,
                AS_COVER_RESET, AS_COVER_SHARED, AS_COVER_PAIR, AS_COVER_HALTED, AS_COVER_DRAINED, AS_COVER_UNIT_RESET, AS_COVER_NACK,
                AS_COVER_LOADED, AS_COVER_SAVED_AGAIN, AS_COVER_REFUSED_HEADER, AS_COVER_REFUSED_PAYLOAD, AS_COVER_BROKEN, AS_COVER_GOES_ON, AS_COVERS };
/* Two of them need two caches; those behind need STATUS. */
static inline bool as_cover_possible(unsigned caches, unsigned status, enum as_cover c) {
  return c < AS_COVER_SHARED || (c < AS_COVER_HALTED ? caches > 1 : status != 0);
}

void *as_create(const struct simt_config *cfg, struct simt_diag *diag);
void as_destroy(void *model);
void as_reset(void *model);
void as_outputs(const void *model, uint32_t *out);
void as_step(void *model, const uint32_t *in);
void as_parts(void *model, struct simt_image *image);
void as_stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx);

#endif
