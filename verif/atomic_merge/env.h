/* SPDX-License-Identifier: Apache-2.0 */
/* env.h: the environment of one atomic_merge: threads, the home with the other caches behind it, and the checker. */
#ifndef ATOMIC_MERGE_ENV_H
#define ATOMIC_MERGE_ENV_H

#include "atomic_merge/checker.h"
#include "atomic_merge/layout.h"
#include "core/ports.h"
#include "core/unit_front.h"
#include "verif.h"

extern const struct simt_verif simt_verif_atomic_merge;

enum { AM_SLOTS = 3 }; /* contexts that are kept */
enum am_home_choice { AM_HOME_NOTHING, AM_HOME_FILL, AM_HOME_SNOOP, AM_HOME_STRAY };
struct am_choice { /* numbers are taken modulo what is legal */
  uint64_t data, compare, written;
  uint32_t line, offset, tid, pick, reg_addr;
  uint8_t request, op, size, mode, misaligned;
  uint8_t ans_ready, fetch_ready, rel_ready, home, error, writes, reset, reg, reg_write, reuse;
  struct simt_front_choice front;
};

enum { AM_POOL = 96, AM_CACHE = 256, AM_MAX_FETCHES = 16 }; /* lines: of a pool, and behind it those that fill a cache */
enum am_owner { AM_AT_HOME, AM_SENT, AM_OWNED }; /* sent: a fill is on its way */
struct am_home_line { enum am_owner owner; bool snooped, halted; /* halted since it was filled */ uint64_t filled; unsigned merges, last_op; uint8_t bytes[128]; /* filled with */ };
struct am_fetched { unsigned tag, line; };

struct am_tally { uint64_t n, last; }; /* last: cycle of the last one */
struct am_golden_counts { /* since reset; by operation: answered and not refused, accepted and not answered */
  uint64_t done[32], live[32], refused, fills, releases, lost[32], vague; /* lost, vague: cleared by resets of the unit and perhaps counted */
  struct am_tally performed, joined, merged, dropped; /* as witnessed; of what is performed only atomics */
};

#define AM_ENV_PORTS(PORT) \
  PORT(rst, rst_i) PORT(req_valid, req_valid_i) PORT(req_op, req_op_i) PORT(req_size, req_size_i) \
  PORT(req_mode, req_mode_i) PORT(req_addr, req_addr_i) PORT(req_data, req_data_i) \
  PORT(req_compare, req_compare_i) PORT(req_tid, req_tid_i) PORT(req_ready, req_ready_o) \
  PORT(ans_valid, ans_valid_o) PORT(ans_ready, ans_ready_i) PORT(ans_tid, ans_tid_o) \
  PORT(ans_status, ans_status_o) PORT(ans_data, ans_data_o) PORT(fetch_valid, fetch_valid_o) \
  PORT(fetch_ready, fetch_ready_i) PORT(fetch_line, fetch_line_o) PORT(fetch_tag, fetch_tag_o) \
  PORT(home_valid, home_valid_i) PORT(home_ready, home_ready_o) PORT(home_snoop, home_snoop_i) \
  PORT(home_tag, home_tag_i) PORT(home_error, home_error_i) PORT(home_line, home_line_i) \
  PORT(home_data, home_data_i) PORT(rel_valid, rel_valid_o) PORT(rel_ready, rel_ready_i) \
  PORT(rel_line, rel_line_o) PORT(rel_dirty, rel_dirty_o) PORT(rel_last, rel_last_o) \
  PORT(rel_data, rel_data_o) PORT(lost_count, lost_count_o) PORT(lost_line, lost_line_o) \
  PORT(unasked, unasked_o) PORT(wit_valid, wit_valid_o) PORT(wit_kind, wit_kind_o) PORT(wit_tid, wit_tid_o) \
  PORT(wit_temp, wit_temp_o)

struct am_env {
  struct am_layout l;
  const struct simt_config *cfg;
  AM_ENV_PORTS(SIMT_PORT_FIELD)
  struct simt_rng rng;
  uint64_t seed, cycle, planned;
  int profile, directed;            /* number, or -1: all in turn */
  bool fetches_off;                 /* a script: none is taken */
  unsigned step, many;              /* of a directed test; requests of this step */

  struct am_checker *checker;
  bool live[1 << 16];
  uint8_t op_of[1 << 16];
  uint8_t refused[1 << 16];         /* of this thread id, because it has a request: answers to come */
  unsigned n_live, tids, pool, lines; /* lines: of the pool, and LINES */
  bool has_request;
  struct amc_request request;
  struct am_home_line line[AM_POOL + AM_CACHE];
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

  struct am_front { /* the front end; halt and reset are at the unit a cycle after their commands */
    struct simt_front shell;
    struct simt_front_unit desc;
    unsigned served_at, idle_at;
    bool served;              /* the other caches want nothing of the home */
    bool drops, is_open, holds; /* when the cycle begins: drops what the home sends; a fetch is open; requests */
    bool was_drops, was_open, was_served, long_served; /* in the last one; long: in the one before */
    bool nack, failed, nack_written, moved; /* in the last one: a fetch failed; the register was written; a transfer */
    bool head_left;           /* of a load: its header had passed when a reset came */
    unsigned head_age;        /* cycles since its last word was taken */
    bool idle, aborts;        /* idle_o of the last cycle; a load is refused in this one, and all is cleared */
    bool nack_loaded, nack_next; /* in the last cycle a context came in, with this bit */
    bool found_many;          /* the halt request found four requests or more */
    unsigned since, nothing;  /* cycles of the request that count for HALT_OWN; cycles with nothing there */
    unsigned snoops;          /* taken under the request */
    unsigned error;           /* ctx_error_o */
    unsigned clears;          /* cycles until thread ids are cleared */
    struct am_context { uint32_t lost; uint64_t line; bool unasked, nack; } now, slot[AM_SLOTS]; /* now: as the ports say */
    struct am_shown { bool waits; uint64_t word[3]; } shown[3]; bool withdrawn; /* fetch, answer, release: offered and not taken, perhaps withdrawn since */
    bool follows;             /* behind a load the ports must say the same */
    struct am_context loaded;
  } unit;
  struct simt_reg_ports reg_at;
  struct { bool offered, taken, write; uint32_t addr; uint64_t low[AM_COUNTERS]; } reg; /* low: when the access was taken */
  struct am_golden_counts golden;
  uint64_t cycles, base_low[AM_COUNTERS], base_high[AM_COUNTERS]; /* since reset; at the last clear, at least and at most */
  bool expects;                     /* a script: the access reads `expected` */
  uint64_t expected;
  char message[240];
};

bool am_find_unit(struct am_env *e); /* false: no memory */
void am_free_unit(struct am_env *e);
void am_clear_slots(struct am_env *e);
void am_drive_unit(struct am_env *e, const struct am_choice *c, uint32_t *in);
const char *am_see_unit(struct am_env *e, const uint32_t *in, const uint32_t *out); /* behind all else that is seen; the clock edge */
void am_forget_unit(struct am_env *e);
void am_forget_requests(struct am_env *e);
extern const struct simt_named am_profiles[], am_directed[];
uint64_t am_pool_line(const struct am_env *e, unsigned i); /* line addresses that the environment uses */
void am_drive_registers(struct am_env *e, const struct am_choice *c, uint32_t *in);
const char *am_see_registers(struct am_env *e, const uint32_t *in, const uint32_t *out);
void am_forget_registers(struct am_env *e);
void am_lose_counts(struct am_env *e); /* a reset of the unit: what is under way may have been counted or not */
bool am_choose(void *env, void *choice);

#endif
