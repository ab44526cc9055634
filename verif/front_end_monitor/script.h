/* SPDX-License-Identifier: Apache-2.0 */
/* script.h: directed tests are scripts of steps; the tests (directed.c) add them, the runner (script.c) makes
 * choices of them and looks at what comes. */
#ifndef FEM_SCRIPT_H
#define FEM_SCRIPT_H

#include "front_end_monitor/env.h"

enum fem_step_kind {
  FEM_S_WRITE, FEM_S_REFUSED, /* a register write that must be taken, or refused */
  FEM_S_ACCESS,               /* a read, or, `mask` 1, a write of `value`: taken or refused as the golden model says */
  FEM_S_READ,                 /* must give `value` in the bits of `mask` */
  FEM_S_MODE,                 /* of unit `addr`, or of all units (FEM_ALL) */
  FEM_S_IDLE,                 /* for `value` cycles */
  FEM_S_HUB,                  /* from now on: an answer behind `value` cycles; command number `addr` from now fails with code `mask` */
  FEM_S_IRQ,                  /* wait for irq_o, at most `value` cycles, and, `addr` 1, what the hub takes to move each context twice;
                                 IRQ_STATUS is `mask` exactly; cleared */
  FEM_S_QUIET,                /* irq_o stays 0 for `value` cycles */
  FEM_S_DEAD,                 /* irq_o comes exactly when a window of `value` cycles ends behind the last progress of a unit */
  FEM_S_REACTION,             /* the first command to the hub comes as soon as the reports can have come back */
  FEM_S_HALT,                 /* wait until the first command connection is under halt (`value` 1) or not (0) */
  FEM_S_RESET,                /* rst_i */
  FEM_S_COVERED               /* point `addr` was hit since the test began */
};
enum { FEM_ALL = 0xffff };

struct fem_step { enum fem_step_kind kind; uint32_t addr, value, mask; };

struct fem_script {
  struct fem_env *e;
  struct fem_step *step;
  size_t n, room, at;
  unsigned test, waited, substep;
  bool done, chosen;
  uint64_t mark[FEM_COVERS], last_progress, halted_at;
  unsigned hub_delay, hub_fail, hub_code, hub_waited;
};

typedef void fem_test(struct fem_script *s);
extern fem_test *const fem_tests[]; /* in the order of fem_directed */
void fem_add_step(struct fem_script *s, enum fem_step_kind kind, uint32_t addr, uint32_t value, uint32_t mask);

/* ---- steps, by name ------------------------------------------------------------------------------------------- */

enum { FEM_SOON = 4000 };
static inline void put(struct fem_script *s, uint32_t addr, uint32_t value) { fem_add_step(s, FEM_S_WRITE, addr, value, 0); }
static inline void refused(struct fem_script *s, uint32_t addr, uint32_t value) { fem_add_step(s, FEM_S_REFUSED, addr, value, 0); }
static inline void gives(struct fem_script *s, uint32_t addr, uint32_t value, uint32_t mask) { fem_add_step(s, FEM_S_READ, addr, value, mask); }
static inline void reads_any(struct fem_script *s, uint32_t addr) { fem_add_step(s, FEM_S_ACCESS, addr, 0, 0); }
static inline void writes_any(struct fem_script *s, uint32_t addr, uint32_t value) { fem_add_step(s, FEM_S_ACCESS, addr, value, 1); }
static inline void mode(struct fem_script *s, unsigned unit, enum fem_mode m, unsigned arg) { fem_add_step(s, FEM_S_MODE, unit, m, arg); }
static inline void idle(struct fem_script *s, unsigned cycles) { fem_add_step(s, FEM_S_IDLE, 0, cycles, 0); }
static inline void irq(struct fem_script *s, uint32_t mask) { fem_add_step(s, FEM_S_IRQ, 1, FEM_SOON, mask); }
static inline void quiet(struct fem_script *s, unsigned cycles) { fem_add_step(s, FEM_S_QUIET, 0, cycles, 0); }
static inline void covered(struct fem_script *s, enum fem_cover point) { fem_add_step(s, FEM_S_COVERED, point, 0, 0); }
static inline void hub(struct fem_script *s, unsigned delay, unsigned fails, unsigned code) { fem_add_step(s, FEM_S_HUB, fails, delay, code); }
static inline void halted(struct fem_script *s, bool now) { fem_add_step(s, FEM_S_HALT, 0, now, 0); }
static inline void command(struct fem_script *s, enum fem_command what) { put(s, FEM_REG_COMMAND, what); }
/* A time, or the longest there is. */
static inline uint32_t within(const struct fem_script *s, uint32_t time) { return time < s->e->l.most_time ? time : s->e->l.most_time; }
/* STATUS: stage, command, code and flags. */
static inline void status(struct fem_script *s, enum fem_stage stage, enum fem_command what, unsigned code, bool lost) {
  gives(s, FEM_REG_STATUS, stage | (uint32_t)what << 4 | code << 8 | (uint32_t)lost << 12, 0x1f77);
}

/* directed_dead.c */
fem_test fem_test_dead_bound, fem_test_dead_progress, fem_test_dead_turns, fem_test_dead_resume, fem_test_dead_mask,
    fem_test_dead_reset, fem_test_dead_spared, fem_test_dead_reported, fem_test_dead_next, fem_test_dead_held, fem_test_dead_released, fem_test_dead_domains, fem_test_irq_race;
/* directed_times.c */
fem_test fem_test_every_address, fem_test_every_bit, fem_test_long_windows, fem_test_long_timeouts, fem_test_counts_full, fem_test_cycles, fem_test_error_codes,
    fem_test_after_reset;

#endif
