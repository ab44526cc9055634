/* SPDX-License-Identifier: Apache-2.0 */
/* ideal_home.h: the home of N caches for simulators: any number of lines at once, one owner each, waiting caches served round
 * robin from the last owner + 1, a memory of callbacks behind it, fixed times on the way. Not installed. */
#ifndef ATOMIC_MERGE_IDEAL_HOME_H
#define ATOMIC_MERGE_IDEAL_HOME_H

#include "core/simt.h"

struct am_home_setup {
  unsigned caches;                   /* 1 to 64 */
  unsigned line_bytes, beat_bytes;
  unsigned lines;                    /* that one cache may own or have asked for */
  unsigned transport;                /* cycles from the last beat of a release to the first of the next owner's fill */
  const struct simt_remote *memory;  /* of whole lines; its latency counts when no cache has the line. Copied. */
};

struct am_home;
struct am_home *am_home_create(const struct am_home_setup *setup, struct simt_diag *diag);
void am_home_destroy(struct am_home *h);

void am_home_fetch(struct am_home *h, uint64_t cycle, unsigned cache, uint64_t line, unsigned tag);
/* A beat of a release; false: the cache does not own the line. */
bool am_home_release(struct am_home *h, uint64_t cycle, unsigned cache, uint64_t line, bool dirty, bool last, const void *data);

struct am_home_message { bool snoop, error; unsigned tag; uint64_t line; const uint8_t *data; }; /* data: of one beat */
/* What the home offers to a cache in this cycle; false: nothing. am_home_taken: the cache has taken it. */
bool am_home_offers(struct am_home *h, uint64_t cycle, unsigned cache, struct am_home_message *message);
void am_home_taken(struct am_home *h, unsigned cache);

uint64_t am_home_transfers(const struct am_home *h);    /* fills begun */
uint64_t am_home_write_errors(const struct am_home *h); /* lines that memory refused */

#endif
