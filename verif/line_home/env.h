/* SPDX-License-Identifier: Apache-2.0 */
/* env.h: the environment of a line_home: caches that fetch, hold and release lines, a memory, and the golden model: a
 * memory of bytes and one owner per line. */
#ifndef LINE_HOME_ENV_H
#define LINE_HOME_ENV_H

#include "core/memory.h"
#include "core/verif.h"
#include "line_home/layout.h"
#include "line_home/ports.h"

extern const struct simt_verif simt_verif_line_home;

/* Masks have a bit per cache; what they ask for is done where it may be. */
struct lh_choice {
  uint64_t fetch, release, evict, dirty, ready, gap; /* release: of what was snooped; evict: of anything */
  uint64_t draw, mem;
  int16_t line;   /* the one to fetch, to release; or -1 */
  uint8_t pool;   /* lines to choose from */
  uint8_t bad, bad_cache, reset;
};

enum { LH_POOL = 96, LH_NOBODY = 255 };
struct lh_tenure { bool held, leaving, snooped, wanted, snoops_left; uint8_t tag; uint64_t asked, seen; }; /* a cache and a line; seen: grants to others while it waits */
struct lh_line {
  uint8_t owner, last, bytes[128];
  bool from_cache, unsure; /* of the last fill; after a write that failed: what is in memory is as good */
  uint64_t released, failed;
  unsigned errors, answered, read_failed, write_failed;
};
struct lh_agent {
  bool offers, releases, bad, dirty, stood;
  unsigned line, tag, rel_line, rel_beat, rel_waits, fill_line, fill_beat, home_waits, n_wanted, n_held, gap;
  uint8_t data[128];
  bool tag_used[16];
  struct lh_tenure on[LH_POOL];
  uint32_t home[2 + 16]; /* the beat that was offered and not taken */
};

struct lh_env {
  struct lh_layout l;
  const struct simt_config *cfg;
  struct simt_memory *memory;
  struct simt_rng rng;
  uint64_t seed, cycle, planned, events;
  int profile, directed, test; /* number, or -1: all in turn; -2: none */
  unsigned step, waited, pool_n;
  uint64_t pool_line[LH_POOL];
  struct lh_ports at;
  struct lh_agent agent[LH_MAX_CACHES];
  struct lh_line line[LH_POOL];
  bool crowded; /* a set may have been full */
  unsigned n_wanted, bad, lost;
  unsigned still;             /* cycles in which nothing was seen to move */
  uint64_t bad_first, moved; /* moved: last cycle with a release or an answer of memory */
  uint64_t cover[LH_COVERS], covered[LH_COVERS];
  char message[240];
};

extern const struct simt_named lh_profiles[], lh_directed[];
static inline uint64_t lh_pool_line(const struct lh_env *e, unsigned i) { return e->pool_line[i]; }
int lh_pool_index(const struct lh_env *e, uint64_t line);
bool lh_choose(void *env, void *choice);
const char *lh_observe(void *env, const uint32_t *in, const uint32_t *out);
bool lh_idle(const struct lh_env *e); /* nothing is wanted, held or on its way */

static inline bool lh_bit(const uint32_t *w, unsigned i) { return w[i / 32] >> i % 32 & 1; }

#endif
