/* SPDX-License-Identifier: Apache-2.0 */
/* model.h: the cycle model of front_end_monitor, by parts (docs/front_end_monitor.md). In a step every part first
 * says what it does in this cycle, from the state before it; then all registers change. */
#ifndef FEM_MODEL_H
#define FEM_MODEL_H

#include "front_end_monitor/layout.h"
#include "front_end_monitor/ports.h"

enum { FEM_CONNS_MAX = SIMT_UNITS_MAX, FEM_WORDS_MAX = SIMT_UNITS_MAX / 32, FEM_PIPE = 9 };
enum fem_walk_state { FEM_SEEK, FEM_LOOK, FEM_OFFER, FEM_AWAIT, FEM_RESETS, FEM_END };
enum fem_waits { FEM_WAITS_NOT, FEM_WAITS_LOOK, FEM_WAITS_RAM, FEM_WAITS_LATENCY, FEM_WAITS_DECODE };

struct fem_domain { /* of a switch domain; cycles are those of fem_state.now */
  enum fem_stage stage, failed; /* failed: the stage that a retry goes on with */
  enum fem_command what;
  uint8_t code;
  unsigned unit;                /* of the last error of the hub */
  unsigned through, emptied;    /* connections that are through the stage; one by one, those stored and reset */
  bool lost, did_reset, ending;
  bool forced, watched;         /* a reset by timeout has not settled; reports under halt have begun to count */
  uint64_t halt_from, settles;  /* the first cycle under halt; the first in which reports are believed */
  uint64_t expires, expires_again; /* the halt timeout; one by one, the wait behind the last reset */
  uint32_t time[4];             /* cycles by phase */
};
/* after: a release, cycles to hold on; acted: the policy has resumed or reset since it is open. */
struct fem_dead { bool fresh, open, acted; unsigned after; uint32_t left, seen, resolved; };

struct fem_visit { unsigned conn; bool valid, last; uint32_t word; }; /* on the way through a choice */
struct fem_sight { unsigned conn; bool due, second, lost; };           /* a look at a connection: second: reset already */
struct fem_sum { bool add, read; unsigned conn, state; uint32_t value; uint64_t old; };

struct fem_state {
  uint64_t now; /* cycles since the reset */
  uint8_t halted[FEM_DOMAINS_MAX], again[FEM_DOMAINS_MAX], empty[FEM_DOMAINS_MAX]; /* of a domain, bit i: i + 1 cycles ago */
  uint8_t progress[FEM_DOMAINS_MAX], waiting[FEM_DOMAINS_MAX];  /* of a deadlock domain */
  struct fem_domain domain[FEM_DOMAINS_MAX];
  struct fem_dead dead[FEM_DOMAINS_MAX];
  bool late[FEM_CONNS_MAX], lost[FEM_CONNS_MAX], dead_conn[FEM_CONNS_MAX], waited[FEM_CONNS_MAX], gathered[FEM_CONNS_MAX], stored[FEM_CONNS_MAX], restored[FEM_CONNS_MAX];
  uint32_t mask[FEM_WORDS_MAX], reset[FEM_WORDS_MAX], resume[FEM_WORDS_MAX]; /* by command connection */
  struct fem_walk {
    enum fem_walk_state state;
    unsigned conn, next, unit;
    bool second, lost, load, stale; /* stale: of a command that software gave up */
    uint8_t slot;
    uint64_t base;
    uint64_t seeks_from; /* the first cycle of this search */
    struct fem_sight sights[FEM_PIPE];
  } walk;
  struct fem_stat_state {
    unsigned turn, slot, clear_at;
    bool clearing, spare, held;
    struct fem_visit way[FEM_PIPE];
    struct fem_look { bool valid; unsigned conn, seen, flags; } look;
    struct fem_sum slot_way[FEM_PIPE], sum[3];
    struct { bool valid, halted, under_halt, seen; unsigned conn; uint32_t age, last, worst; } found[3];
    uint64_t count[FEM_CONNS_MAX][8];
    struct { bool seen; uint32_t last, worst; } latency[FEM_CONNS_MAX];
    uint16_t narrow[FEM_EXACT_MAX][8];
    uint64_t read_count; /* at the RAM's output */
    uint32_t read_last, read_worst;
  } stats;
  struct fem_regs {
    bool busy, write, rsp_valid, rsp_error;
    enum fem_waits waits, waited;
    uint32_t addr, data, rsp_data;
    unsigned looked, domain, dead, conn, nack_conn, illegal_conn;
    uint64_t cycle;
    uint32_t high_kept, high_count, timeout, timeout_policy, irq, enable;
    bool hold, timeout_written; /* the timeout or its policy, in the last cycle: waits begin anew */
    struct { uint64_t save, load; uint8_t save_slot, load_slot; } of[FEM_DOMAINS_MAX];
    struct { uint32_t window; uint8_t policy; } of_dead[FEM_DOMAINS_MAX];
    bool last_valid, last_again;
    unsigned last_dead;
    uint64_t last_cycle;
  } regs;
};

struct fem_reports { /* of one cycle, by connection */
  bool halted[FEM_CONNS_MAX], empty[FEM_CONNS_MAX];
  struct { bool progress, waiting, gather, nack; } flag[FEM_CONNS_MAX];
  uint32_t code[FEM_CONNS_MAX];
  bool passed[FEM_CONNS_MAX]; /* one by one: stored and reset, or about to be reset */
  bool waited[FEM_CONNS_MAX], gathered[FEM_CONNS_MAX]; /* since the window began */
};

struct fem_events { /* of one cycle, all 0 before it */
  bool all_halted[FEM_DOMAINS_MAX], again_halted[FEM_DOMAINS_MAX], all_empty[FEM_DOMAINS_MAX];
  /* registers */
  bool executes, writes, good, clear, window_write[FEM_DOMAINS_MAX], command[FEM_DOMAINS_MAX];
  uint32_t read;
  /* the walk */
  bool works[FEM_DOMAINS_MAX], reset_one, first, done, error;
  unsigned walk_domain, reset_which, error_code;
  struct fem_walk walk_next;
  /* domains */
  bool start[FEM_DOMAINS_MAX], reset_all[FEM_DOMAINS_MAX], expire[FEM_DOMAINS_MAX], again_expire[FEM_DOMAINS_MAX], reset_late[FEM_DOMAINS_MAX];
  bool finish, fail, any_expire;
  /* deadlocks */
  bool dead[FEM_DOMAINS_MAX], restart[FEM_DOMAINS_MAX], acted[FEM_DOMAINS_MAX], any_dead, again;
  unsigned action[FEM_DOMAINS_MAX];
  /* statistics */
  bool ram_free, latency_free;
};

struct fem_model {
  const struct simt_config *cfg;
  struct fem_layout l;
  const struct simt_desc *desc;
  struct fem_ports p;
  struct fem_state s;
  struct fem_reports now;
  struct fem_events e;
};

static inline bool fem_bit(const uint32_t *map, unsigned i) { return map[i / 32] >> i % 32 & 1; }
static inline void fem_set(uint32_t *map, unsigned i) { map[i / 32] |= UINT32_C(1) << i % 32; }
static inline bool fem_under_halt(const struct fem_domain *d) { return d->stage != FEM_IDLE && d->stage != FEM_DRAIN; }
static inline bool fem_stopped(const struct fem_domain *d) { return d->stage == FEM_STOP && !d->ending; }
/* Whether a command would be taken by a domain in this cycle; after fem_walk_look. */
bool fem_takes(const struct fem_model *m, unsigned domain, uint32_t what);

/* walk.c */
void fem_walk_look(struct fem_model *m, const uint32_t *in);
void fem_walk_step(struct fem_model *m);
/* domain.c */
void fem_domains(struct fem_model *m); /* what they do, and their registers */
/* dead.c */
void fem_deadlocks(struct fem_model *m);
/* stats.c */
void fem_stats_look(struct fem_model *m);
void fem_stats_step(struct fem_model *m);
/* register_port.c */
void fem_registers_look(struct fem_model *m);
void fem_registers_step(struct fem_model *m, const struct fem_look *look, const uint32_t *in);
void fem_registers_reset(struct fem_regs *r, const struct fem_layout *l);

#endif
