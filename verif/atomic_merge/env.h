/* SPDX-License-Identifier: Apache-2.0 */
/* env.h: the environment of one atomic_merge: threads, the home with the other caches behind it, and the checker. */
#ifndef ATOMIC_MERGE_ENV_H
#define ATOMIC_MERGE_ENV_H

#include "atomic_merge/checker.h"
#include "atomic_merge/layout.h"
#include "verif.h"

extern const struct simt_verif simt_verif_atomic_merge;

enum am_home_choice { AM_HOME_NOTHING, AM_HOME_FILL, AM_HOME_SNOOP, AM_HOME_STRAY };
struct am_choice { /* numbers are taken modulo what is legal */
  uint64_t data, compare, written;
  uint32_t line, offset, tid, pick;
  uint8_t request, op, size, mode, misaligned;
  uint8_t ans_ready, fetch_ready, rel_ready, home, error, writes, reset;
};

enum { AM_POOL = 96, AM_MAX_FETCHES = 16 };
enum am_owner { AM_AT_HOME, AM_SENT, AM_OWNED }; /* sent: a fill is on its way */
struct am_home_line { enum am_owner owner; bool snooped; uint64_t filled; unsigned merges, last_op; uint8_t bytes[128]; /* filled with */ };
struct am_fetched { unsigned tag, line; };

struct am_env {
  struct am_layout l;
  const struct simt_config *cfg;
  unsigned rst, req_valid, req_op, req_size, req_mode, req_addr, req_data, req_compare, req_tid, req_ready;
  unsigned ans_valid, ans_ready, ans_tid, ans_status, ans_data, fetch_valid, fetch_ready, fetch_line, fetch_tag;
  unsigned home_valid, home_ready, home_snoop, home_tag, home_error, home_line, home_data;
  unsigned rel_valid, rel_ready, rel_line, rel_dirty, rel_last, rel_data, lost_count, lost_line, unasked;
  unsigned wit_valid, wit_kind, wit_tid, wit_temp;
  struct simt_rng rng;
  uint64_t seed, cycle, planned;
  int profile, directed;            /* number, or -1: all in turn */
  unsigned step;                    /* of a directed test */

  struct am_checker *checker;
  bool live[1 << 16];
  unsigned n_live, tids, pool;
  bool has_request;
  struct amc_request request;
  struct am_home_line line[AM_POOL];
  struct am_fetched fetched[AM_MAX_FETCHES];
  unsigned n_fetched;
  struct { bool valid, snoop, error, stray; unsigned tag, line, beat; uint8_t data[128]; } sends;
  struct { unsigned beat; uint8_t data[128]; } release;
  unsigned lost, blocked_answer, n_owned, n_flush;
  bool stray_open; /* a fill that nobody asked for is not dropped yet */
  unsigned stray_tag;
  bool unasked_seen, lost_any;
  uint64_t lost_at;
  uint64_t answers, cover[AM_COVERS];
  char message[240];
};

extern const struct simt_named am_profiles[], am_directed[];
uint64_t am_pool_line(const struct am_env *e, unsigned i); /* line addresses that the environment uses */
bool am_choose(void *env, void *choice);

#endif
