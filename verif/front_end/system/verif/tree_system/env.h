/* SPDX-License-Identifier: Apache-2.0 */
/* env.h: the environment of the system: every stack's instructions of two workloads and what must come of them
 * (work.c, by the golden models of the branch unit), software at the front end's registers (software.c), the
 * memories, and what must hold at the ports (verif.c). */
#ifndef TS_ENV_H
#define TS_ENV_H

#include "branch_unit/env.h"
#include "core/memory.h"
#include "core/ports.h"
#include "tree_system/tree_system.h"
#include "core/verif.h"

enum { TS_WORKLOADS = 2, TS_PHASES = 4, TS_QUEUE = 24, TS_MEMORIES = TS_DOMAINS_MOST + 1 };
enum ts_cover {
  TS_SWITCHED, TS_HALT_WITH_ACCESSES, TS_SERVED_UNDER_HALT, TS_SPILLED, TS_TWO_DOMAINS, TS_OTHERS_GO_ON, TS_COVERS
};
/* What software does again and again: switch at random; drain the pipelines; let the programs end, then drain. */
enum ts_mode { TS_SWITCH, TS_DRAIN, TS_FINISH, TS_STUCK };
/* What stands in the way of memory, with TS_STUCK. */
enum ts_fault { TS_NO_FAULT, TS_NO_ANSWER, TS_NOT_TAKEN, TS_NACK };

struct ts_choice {
  struct bu_choice stack[TS_STACKS_MOST];
  uint64_t mem[TS_MEMORIES], soft;
};

struct ts_slice { unsigned whole, part, width; bool in; }; /* bit in the whole's buffer, in the part's */
struct ts_view { /* a part's ports, as the environment of its own would see them */
  uint32_t *in, *out;
  struct ts_slice *slice;
  size_t n;
};

enum ts_wanted { TS_NOTHING, TS_STATUS, TS_IRQ, TS_TIME, TS_STUCK_VALUE };
struct ts_access { unsigned part; bool write; uint32_t addr, data; enum ts_wanted wanted; unsigned at; };
enum ts_stage { TS_CLEARING, TS_FIRST_SAVE, TS_FIRST_WAIT, TS_BASES, TS_RUN };

struct ts_figures { uint64_t n, sum[TS_PHASES], worst[TS_PHASES], total, worst_total; };

#define TS_PORTS(PORT) \
  PORT(at_rst, rst_i) PORT(at_halt, f_unit_halt_o) PORT(at_reset, f_unit_reset_o) PORT(at_state, unit_state_o) \
  PORT(at_progress, unit_progress_o) PORT(at_irq, f_irq_o)

struct ts_env {
  const struct simt_config *cfg;
  struct simt_stimulus stim;
  struct ts_system system;
  struct ts_view view[TS_PARTS_MOST];
  struct simt_memory *memory[TS_MEMORIES]; /* of each arbiter, then of the contexts */
  struct bu_env *work[TS_STACKS_MOST][TS_WORKLOADS];
  unsigned now[TS_STACKS_MOST];            /* the workload of each stack */
  bool rests[TS_STACKS_MOST];              /* halted: the workload sees nothing of this cycle */
  bool asked[TS_STACKS_MOST];              /* to halt, in the cycle before */
  struct simt_rng rng;
  enum ts_mode mode;
  uint64_t cycle, switches, most;          /* most: switches after which a directed stimulus ends */

  struct { /* software */
    enum ts_stage stage;
    struct ts_access queue[TS_QUEUE];
    unsigned n, i, domain, pause;
    bool offered, waits, feeding, busy[TS_DOMAINS_MOST];
    unsigned on[TS_DOMAINS_MOST];          /* workload */
    uint64_t since[TS_DOMAINS_MOST];
    uint32_t time[TS_PHASES];
  } soft;

  struct { /* a deadlock made on purpose (stuck.c) */
    enum ts_fault fault, now;              /* now: it is there */
    bool masked;                           /* some units are reset, not all */
    unsigned step, waited, hold[TS_STACKS_MOST];
    uint64_t quiet_from, reported;         /* quiet: nothing moves and something waits, at the units' reports */
    uint32_t waited_once, waited_always;   /* units, since then */
    uint32_t once, always;                 /* the same, when it was reported */
    uint32_t resets;                       /* units */
    bool irq;
    uint32_t value[8];
    uint64_t results[TS_STACKS_MOST];      /* when memory was well again */
  } stuck;

  TS_PORTS(SIMT_PORT_FIELD)
  struct simt_reg_ports reg[TS_PARTS_MOST]; /* registers of the parts */
  struct { unsigned at, words; } stream[2][8]; /* outputs of a stack, of an arbiter, that are 0 while it is halted */
  unsigned res_at, mem_write_at;
  uint32_t states[(TS_PARTS_MOST * 5 + 31) / 32]; /* of this cycle */
  uint32_t halted_code;
  bool halt[TS_DOMAINS_MOST];
  bool idle[TS_DOMAINS_MOST][3], was_halted[TS_DOMAINS_MOST]; /* all its stacks halted: now, a cycle ago, two ago; its arbiter */
  uint64_t spilled;
  struct ts_figures figures;
  uint64_t cover[TS_COVERS];
  char message[240];
};

const char *ts_wrong(struct ts_env *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
static inline bool ts_bit(const uint32_t *words, unsigned i) { return words[i / 32] >> i % 32 & 1; }
static inline bool ts_halt(const struct ts_env *e, const uint32_t *out, unsigned part) {
  return ts_bit(&out[e->at_halt], ts_unit(&e->system, part));
}
uint32_t ts_state(const struct ts_env *e, unsigned part); /* of this cycle */

/* work.c */
bool ts_work_create(struct ts_env *e, struct simt_diag *diag);
void ts_work_destroy(struct ts_env *e);
void ts_work_restart(struct ts_env *e);
void ts_work_choose(struct ts_env *e, struct ts_choice *c);
void ts_work_drive(struct ts_env *e, const struct ts_choice *c, const uint32_t *out);
const char *ts_work_observe(struct ts_env *e, const uint32_t *out);

/* software.c: register accesses of the front end and, before anything runs, of the stacks. */
void ts_software_restart(struct ts_env *e);
void ts_software_drive(struct ts_env *e, uint64_t dice);
const char *ts_software_observe(struct ts_env *e);

/* stuck.c: memory fails, the front end finds it, names it, and does what its policy says. */
void ts_stuck_restart(struct ts_env *e);
void ts_stuck_choose(struct ts_env *e, struct ts_choice *c);
bool ts_stuck_holds(const struct ts_env *e, unsigned stack); /* between the command of a reset and the reset: nothing is offered */
bool ts_stuck_idle(const struct ts_env *e, unsigned stack);  /* gets no instructions now */
void ts_stuck_go_on(struct ts_env *e);
void ts_stuck_value(struct ts_env *e, unsigned at, uint32_t data);
const char *ts_stuck_observe(struct ts_env *e, const uint32_t *out);
/* software.c: accesses of the front end's registers, for stuck.c */
void ts_put(struct ts_env *e, uint32_t addr, uint32_t data);
void ts_ask(struct ts_env *e, uint32_t addr, enum ts_wanted wanted, unsigned at);

/* A line about what ran: switches, results of each workload, cycles by phase; false when a workload stood still. */
bool ts_report(const struct ts_env *e, char *to, size_t room);

extern const struct simt_verif simt_verif_tree_system;

#endif
