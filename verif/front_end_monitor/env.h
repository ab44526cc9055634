/* SPDX-License-Identifier: Apache-2.0 */
/* env.h: the environment of front_end_monitor, by parts: units and tree as they behave (units.c), the hub and the
 * registers' user (env.c), who fills the choices (stimulus.c, directed.c), and what must hold: the switch
 * sequence on whole domains (golden.c), deadlocks (golden_dead.c), statistics (golden_stats.c), registers
 * (golden_registers.c). The golden parts look at ports and units only, and are written from the specification. */
#ifndef FEM_ENV_H
#define FEM_ENV_H

#include "front_end_monitor/cover.h"
#include "front_end_monitor/ports.h"
#include "core/unit_status.h"
#include "core/verif.h"

extern const struct simt_block simt_block_front_end_monitor;

/* ---- choices --------------------------------------------------------------------------------------------- */

enum fem_do { FEM_DO_REG = 1, FEM_DO_WRITE = 2, FEM_SET_MODE = 4, FEM_SET_ALL = 8, FEM_DO_RESET = 16, FEM_HUB_READY = 32,
  FEM_HUB_DONE = 64, FEM_HUB_FAILS = 128, FEM_WILD = 256 };

/* How a unit behaves, until set anew; `arg` is cycles or a rate. */
enum fem_mode {
  FEM_BUSY,        /* works: some progress; halts within arg cycles */
  FEM_NEVER,       /* works, does not halt; a reset cures it */
  FEM_EVER,        /* does not halt, not even behind a reset */
  FEM_GATHERS,     /* waits for input; a resume makes it busy if arg is odd */
  FEM_STUCK,       /* stalled; a reset makes it busy */
  FEM_NO_WORK,     /* empty */
  FEM_BLINKS,      /* stalled for arg % 64 + 1 cycles, then active for as many, no progress; arg / 256 odd: the other way round */
  FEM_WRONG,       /* shows a code that is none while not halted */
  FEM_NACKED,      /* busy, with its nack bit set; a reset clears it */
  FEM_PULSE,       /* stalled, with one cycle of progress in each arg + 1 */
  FEM_MODES
};

struct fem_choice {
  uint64_t noise;
  uint32_t reg_data;
  uint16_t flags, reg_addr, unit, arg;
  uint8_t mode, code; /* code: of a hub that fails */
};

/* ---- the environment ------------------------------------------------------------------------------------- */

enum { FEM_STAGES_MAX = 8, FEM_ROW = SIMT_UNITS_MAX, FEM_LOOK_MAX = 8 };

struct fem_unit {
  enum fem_mode mode;
  unsigned arg, halt_left, clear_left, since; /* since: cycles in this mode */
  enum simt_unit_state state;                 /* what it shows: its report register */
  bool progress, gather, nack, wrong;
  bool halt_req, ctx_reset, resume;           /* registers in the unit */
};

struct fem_command_row { uint8_t command[FEM_ROW]; };                            /* per unit: 1 halt, 2 reset, 4 resume */
struct fem_report_row { uint8_t code[FEM_ROW]; uint8_t flags[FEM_ROW]; };        /* per connection */

/* The golden model of a switch domain: what is to happen to its units, and what has. */
struct fem_plan {
  bool runs, drains, waits, stopped, ending, was_reset, lost, aborted;
  enum fem_command what;
  unsigned code, unit;            /* of the last error */
  uint32_t wait, again;           /* cycles until the timeout is looked at; again: of the wait behind a reset, one by one */
  unsigned settle, still;         /* still: cycles in which nothing moved though everything could */
  uint8_t halted, rehalted, empty; /* all connections were, one by one those not reset yet, and those that were, at the ports: bit i: i cycles ago */
  unsigned unhalted;              /* cycles without a timeout in which some are not halted */
  bool expired, expired_here[3];  /* in the cycle before: and the policy of then */
  uint64_t released;              /* last cycle under halt + 1 */
  uint32_t time[4];               /* cycles by phase */
  unsigned phase, firsts;         /* firsts: connections that are stored and reset; one more behind this cycle: */
  bool first_next, stands;        /* stands: stopped by an error, whatever came since */
  bool completed;
};
struct fem_fate { bool saved, reset, restored, lost; uint64_t reset_at; }; /* lost: by a reset of the timeout */

struct fem_window { /* of a deadlock domain, as defined by US-10 */
  uint64_t quiet;                 /* cycles of the window so far */
  bool open, acted, fresh, has_next; /* acted: told to resume or reset since it was found dead */
  uint32_t window, seen, resolved;
  uint32_t released;              /* cycles since the last halt request in it ended */
  unsigned policy, next;
  uint8_t progress, waiting;      /* at the ports: bit i: i cycles ago */
};

struct fem_shown { bool valid, counts, adds, halt; unsigned conn, state, flags; uint32_t age; }; /* of a connection in its turn */
struct fem_latency { bool seen; uint32_t last, worst; };
struct fem_counts {
  struct fem_shown way[FEM_LOOK_MAX], look[3]; /* way: [0] at the ports now; look: [0] known in the last cycle */
  uint64_t total[SIMT_UNITS_MAX][8], taken[FEM_EXACT_MAX][8], shown[FEM_EXACT_MAX][8];
  struct fem_latency latency[SIMT_UNITS_MAX];
  uint64_t counts_from, halt_since[FEM_DOMAINS_MAX];
  bool under_halt[FEM_DOMAINS_MAX];
  uint32_t high;
};

struct fem_access { bool write; uint32_t addr, data; };
struct fem_script;
struct fem_phase { uint64_t left; unsigned kind; };

struct fem_env {
  const struct simt_config *cfg;
  struct simt_stimulus stim;
  struct fem_layout l;
  struct fem_ports at;
  struct simt_rng rng;
  uint64_t cycle, done, chosen, covered[FEM_COVERS], coverage[FEM_COVERS];
  char message[240];
  struct fem_choice choice;
  bool wild;                      /* reports and hub keep to no rule; the golden parts do not look */

  struct fem_unit unit[SIMT_UNITS_MAX];
  struct fem_command_row down[FEM_STAGES_MAX];
  struct fem_report_row up[FEM_STAGES_MAX], now; /* now: at the ports in this cycle */
  unsigned conn_of[SIMT_UNITS_MAX];

  struct { bool busy, load, starts, stale; unsigned unit, wait; } hub; /* stale: of a command that was given up */
  struct {
    bool wanted, waits, late, refused; /* late: its value is known when it is answered */
    struct fem_access want, now;
    uint64_t taken;
    uint32_t value, may;               /* may: bits that nobody can be sure of */
  } reg;

  struct fem_plan plan[FEM_DOMAINS_MAX];
  struct fem_fate fate[SIMT_UNITS_MAX];
  struct fem_window window[FEM_DOMAINS_MAX];
  uint8_t waits_all[SIMT_UNITS_MAX];              /* connections that waited in each cycle of the window */
  uint8_t shown[SIMT_UNITS_MAX], named[SIMT_UNITS_MAX]; /* flags of a connection in any cycle since the window began; at its end */
  bool resume_due[SIMT_UNITS_MAX], reset_due[SIMT_UNITS_MAX]; /* by a deadlock: in the next cycle, per command connection */
  bool was_late[SIMT_UNITS_MAX], dead_conn[SIMT_UNITS_MAX];
  struct { bool valid, load; unsigned unit, slot; uint64_t base; } offer;
  struct fem_counts stats;

  /* registers as software knows them */
  struct {
    uint32_t domain, dead, conn, enable, timeout, timeout_was, timeout_policy, mask[SIMT_UNITS_MAX / 32];
    uint64_t save[FEM_DOMAINS_MAX], load[FEM_DOMAINS_MAX];
    uint8_t save_slot[FEM_DOMAINS_MAX], load_slot[FEM_DOMAINS_MAX];
    uint32_t irq_set, irq_next, irq_may; /* set for sure; in the next cycle; perhaps */
    uint64_t last_dead_cycle, clock;     /* clock: what the cycle counter shows */
    unsigned last_dead, nack_conn, nack_next, illegal_conn, illegal_next; /* next: shown in this cycle */
    bool any_dead, last_again, hold, timeout_written;
    uint32_t high;
  } sw;

  struct fem_phase phase;
  unsigned profile;
  uint64_t segment_end;
  struct fem_script *script;
};

static inline bool fem_is(const uint32_t *map, unsigned i) { return map[i / 32] >> i % 32 & 1; }
static inline bool fem_executes(const struct fem_env *e) { return e->reg.waits && e->reg.taken + 2 == e->cycle; }
static inline unsigned fem_line(const struct fem_env *e, unsigned unit) { /* command connection of a unit */
  return e->l.kind == SIMT_BROADCAST ? 0 : e->l.kind == SIMT_PER_GROUP ? e->conn_of[unit] : unit;
}
static inline void fem_hit(struct fem_env *e, enum fem_cover point) { e->covered[point]++; }
const char *fem_wrong(struct fem_env *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* units.c */
void fem_units_restart(struct fem_env *e);
void fem_units_show(struct fem_env *e, uint32_t *in);                         /* reports at the ports */
void fem_units_spoil(struct fem_env *e, uint32_t *in);                        /* one of them is anything */
void fem_units_step(struct fem_env *e, const uint32_t *out);                  /* the clock edge */

/* The golden parts, in the order of a cycle; each NULL, or what is wrong. */
/* golden_registers.c: the answer of this cycle and what a write has changed; later what the access that executes now gives. */
const char *fem_golden_answer(struct fem_env *e, const uint32_t *out);
void fem_golden_execute(struct fem_env *e);
const char *fem_golden_irq(struct fem_env *e, const uint32_t *out);
/* golden.c: commands and hub in this cycle; later what follows for the next one. */
void fem_golden_restart(struct fem_env *e);
const char *fem_golden_sequence(struct fem_env *e, const uint32_t *out);
void fem_golden_follow(struct fem_env *e, const uint32_t *in);
bool fem_golden_takes(const struct fem_env *e, unsigned domain, uint32_t what);
void fem_golden_command(struct fem_env *e, unsigned domain, uint32_t what);
/* golden_stats.c: what is counted in this cycle, and what a read gives that had to wait */
void fem_golden_stats_restart(struct fem_env *e);
void fem_golden_stats(struct fem_env *e, const uint32_t *out);
void fem_golden_stats_clear(struct fem_env *e);
uint32_t fem_golden_waited(struct fem_env *e, uint32_t a);
/* golden_dead.c: what follows for the next cycle */
void fem_golden_dead_restart(struct fem_env *e);
void fem_golden_deadlocks(struct fem_env *e, const uint32_t *out);

/* stimulus.c */
extern const struct simt_named fem_profiles[];
void fem_random_restart(struct fem_env *e);
bool fem_random_choose(struct fem_env *e, struct fem_choice *c);

/* directed.c */
extern const struct simt_named fem_directed[];
bool fem_directed_create(struct fem_env *e);
void fem_directed_destroy(struct fem_env *e);
void fem_directed_restart(struct fem_env *e);
bool fem_directed_choose(struct fem_env *e, struct fem_choice *c);
const char *fem_directed_observe(struct fem_env *e, const uint32_t *in, const uint32_t *out);

#endif
