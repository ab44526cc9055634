/* SPDX-License-Identifier: Apache-2.0 */
/* unit_shell.h: what every block carries to be a unit of a front end, and its registers (cell unit_shell), for the model of
 * any block. docs/unit_shell.md is the contract.
 *
 * A model keeps a struct simt_unit_shell, finds its ports with simt_shell_find, and in each step
 *   1. before anything moves says what its context offers: simt_shell_begin; s->to is then what happens to the context,
 *   2. does its own work, the words of the context (simt_walk is their place) and the access of s->reg among it,
 *   3. says what it did: simt_shell_end.
 * Between cycles it asks simt_shell_halted and the like. With status 0 there is the register port only. */
#ifndef SIMT_UNIT_SHELL_H
#define SIMT_UNIT_SHELL_H

#include "context_port.h"
#include "registers.h"
#include "unit_status.h"

struct simt_unit_shell {
  /* Constants. */
  unsigned status; /* 0 none, else the encoding + 1 */
  struct simt_status_ports status_at;
  struct simt_context_ports ctx_at;
  struct simt_reg_ports reg_at;
  /* Registers; those of the port in `port`. */
  struct simt_context_port port;
  struct simt_unit_status fsm;
  struct simt_reg_access reg;
  bool clearing, wrong; /* what is dropped is not gone yet; the load under way will be refused */
  bool closed;          /* nothing is taken in and nothing begins */
  /* Of this cycle. */
  struct simt_context_unit unit;
  struct simt_context_to_unit to;
  bool takes; /* an access of the register port */
};

/* `status` 0: no ports of status and context are looked for. */
void simt_shell_find(struct simt_unit_shell *s, const struct simt_config *cfg, unsigned status, uint32_t unit_type,
                     uint32_t cfg_hash, uint32_t ctx_max);
void simt_shell_reset(struct simt_unit_shell *s); /* as rst_i */

static inline bool simt_shell_halted(const struct simt_unit_shell *s) { return s->fsm.state == SIMT_HALTED; }
/* What the context holds is cleared in this cycle: a reset, or a load that was refused. */
static inline bool simt_shell_clears(const struct simt_unit_shell *s) { return s->fsm.ctx_reset || s->port.r.abort; }
static inline bool simt_shell_moves(const struct simt_unit_shell *s) { return s->port.r.save || s->port.r.load; }
/* What the block says, with what the shell knows of it: halted, and that it does not halt while it clears itself. */
static inline struct simt_context_unit simt_shell_unit(const struct simt_unit_shell *s, struct simt_context_unit u) {
  u.halted = simt_shell_halted(s);
  u.can_halt &= !s->clearing;
  return u;
}
/* Nothing moves: no bit of the context changes but by load or register. can_halt: of the block. */
static inline bool simt_shell_still(const struct simt_unit_shell *s, bool can_halt) {
  return simt_shell_halted(s) || s->port.r.load || s->fsm.ctx_reset || (s->fsm.halt_req && can_halt && !s->clearing);
}

/* What the block says at the end of a cycle, beside its signals, whose can_halt and nack_* are the shell's. */
struct simt_shell_says {
  bool clears;                /* behind simt_shell_clears: not done with it yet */
  bool nack_clear, nack_load; /* a register write takes the sticky bit back; at a commit: the context has it */
  bool wrong;                 /* the word that came in is one that no save writes here */
};

/* The register port's part of a step, which is all of it with status 0: a block that is quick calls these alone then. */
static inline void simt_shell_begin_registers(struct simt_unit_shell *s, const uint32_t *in) {
  s->takes = in[s->reg_at.valid] && !s->reg.busy;
  s->reg.rsp_valid = false;
}
static inline void simt_shell_end_registers(struct simt_unit_shell *s, const uint32_t *in) {
  if (s->takes) simt_reg_take(&s->reg, &s->reg_at, in);
}
static inline void simt_shell_output_registers(const struct simt_unit_shell *s, uint32_t *out) {
  simt_reg_outputs(&s->reg, !s->reg.busy, &s->reg_at, out);
}

/* `u`: what the block offers, halted apart; functions of its registers. */
void simt_shell_begin(struct simt_unit_shell *s, struct simt_context_unit u, const uint32_t *in);
void simt_shell_end(struct simt_unit_shell *s, struct simt_unit_signals *signals, const struct simt_shell_says *says,
                    const uint32_t *in);
void simt_shell_outputs(const struct simt_unit_shell *s, struct simt_context_unit u, uint32_t *out);

/* ---- the place of a word in a context (cell context_walk) ------------------------------------------------- */

enum { SIMT_WALK_SECTIONS = 7 };
struct simt_walk_shape { unsigned sections; uint32_t records[SIMT_WALK_SECTIONS], words[SIMT_WALK_SECTIONS]; };
struct simt_walk { unsigned section; uint32_t record, word; bool settled; };

/* It is the last word of a record; of all. */
static inline bool simt_walk_ends(const struct simt_walk *w, const struct simt_walk_shape *shape) {
  return w->section < shape->sections && w->word + 1 == shape->words[w->section];
}
static inline bool simt_walk_last(const struct simt_walk *w, const struct simt_walk_shape *shape) {
  return simt_walk_ends(w, shape) && w->record + 1 == shape->records[w->section] && w->section + 1 == shape->sections;
}
/* A clock edge: a save or load runs, its word moves, somebody else takes the RAM. */
void simt_walk_step(struct simt_walk *w, const struct simt_walk_shape *shape, bool runs, bool moves, bool busy);

/* ---- a run-time register that a context carries (cell runtime_register) ------------------------------------- */

struct simt_runtime { uint32_t value, coming; };
/* At the end of a cycle: a write that is not refused, or the commit of what came in. */
static inline void simt_runtime_step(struct simt_runtime *r, bool write, uint32_t data, bool commit) {
  if (commit) r->value = r->coming;
  else if (write) r->value = data;
}

#endif
