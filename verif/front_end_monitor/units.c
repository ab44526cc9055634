/* SPDX-License-Identifier: Apache-2.0 */
/* units.c: units as the port contract allows them, and the registers of the tree between them and the monitor. */
#include <string.h>

#include "front_end_monitor/env.h"

enum { PROGRESS = FEM_PROGRESS, WAITING = FEM_WAITING, GATHER = FEM_GATHER, NACK = FEM_NACK };

static uint32_t noise(const struct fem_env *e, unsigned unit, unsigned salt) {
  uint64_t v = (e->choice.noise ^ (unit * UINT64_C(0x9e3779b97f4a7c15))) + salt * UINT64_C(0xbf58476d1ce4e5b9);
  v = (v ^ v >> 30) * UINT64_C(0x94d049bb133111eb);
  return (uint32_t)(v >> 33);
}

static uint8_t code_of(const struct fem_env *e, const struct fem_unit *u) {
  static const uint8_t wrong[3][4] = {{3, 24, 31, 17}, {12, 15, 7, 14}, {5, 6, 7, 5}};
  if (u->wrong && u->state != SIMT_HALTED) return wrong[e->l.encoding][u->arg & 3];
  return (uint8_t)simt_status_code(u->state, (enum simt_status_encoding)e->l.encoding);
}

void fem_units_restart(struct fem_env *e) {
  memset(e->unit, 0, sizeof e->unit);
  memset(e->down, 0, sizeof e->down);
  for (unsigned s = 0; s < FEM_STAGES_MAX; s++)
    for (unsigned c = 0; c < e->l.conns; c++) {
      e->up[s].code[c] = (uint8_t)simt_status_code(SIMT_EMPTY, (enum simt_status_encoding)e->l.encoding);
      e->up[s].flags[c] = 0;
    }
  for (unsigned c = 0; c < e->l.conns; c++)
    for (unsigned u = e->l.first[c]; u < e->l.first[c + 1]; u++) e->conn_of[u] = c;
}

static void set_mode(struct fem_env *e, unsigned i) {
  struct fem_unit *u = &e->unit[i];
  u->mode = e->choice.mode % FEM_MODES;
  u->arg = e->choice.arg;
  u->since = 0;
  if (u->state != SIMT_HALTED) u->halt_left = u->mode == FEM_BUSY ? u->arg : 0;
  if (u->mode == FEM_NACKED) u->nack = true;
}

static void put_field(uint32_t *to, unsigned at, uint32_t v) {
  to[at / 32] |= v << at % 32;
  if (at % 32 && v >> (32 - at % 32)) to[at / 32 + 1] |= v >> (32 - at % 32);
}

/* A row that entered STAGES cycles ago is at the ports; the units' report registers of this cycle enter. */
void fem_units_show(struct fem_env *e, uint32_t *in) {
  struct fem_report_row *row = &e->up[e->cycle % e->l.stages];
  unsigned words = (e->l.conns + 31) / 32;
  if (e->choice.flags & FEM_SET_ALL)
    for (unsigned u = 0; u < e->l.units; u++) set_mode(e, u);
  else if (e->choice.flags & FEM_SET_MODE) set_mode(e, e->choice.unit % e->l.units);
  memcpy(e->now.code, row->code, e->l.conns);
  memcpy(e->now.flags, row->flags, e->l.conns);
  memset(&in[e->at.state], 0, (e->l.conns * e->l.state_w + 31) / 32 * sizeof *in);
  memset(&in[e->at.progress], 0, words * sizeof *in);
  memset(&in[e->at.waiting], 0, words * sizeof *in);
  memset(&in[e->at.gather], 0, words * sizeof *in);
  memset(&in[e->at.nack], 0, words * sizeof *in);
  for (unsigned c = 0; c < e->l.conns; c++) {
    put_field(&in[e->at.state], c * e->l.state_w, e->now.code[c]);
    put_field(&in[e->at.progress], c, e->now.flags[c] & PROGRESS ? 1 : 0);
    put_field(&in[e->at.waiting], c, e->now.flags[c] & WAITING ? 1 : 0);
    put_field(&in[e->at.gather], c, e->now.flags[c] & GATHER ? 1 : 0);
    put_field(&in[e->at.nack], c, e->now.flags[c] & NACK ? 1 : 0);
    row->code[c] = 0xff;
    row->flags[c] = 0;
    for (unsigned i = e->l.first[c]; i < e->l.first[c + 1]; i++) {
      const struct fem_unit *u = &e->unit[i];
      bool waits = u->state == SIMT_STALLED || u->state == SIMT_QUIESCENT;
      row->code[c] &= code_of(e, u);
      row->flags[c] |= (uint8_t)((u->progress ? PROGRESS : 0) | (waits ? WAITING : 0) | (u->gather ? GATHER : 0) | (u->nack ? NACK : 0));
    }
  }
}

void fem_units_spoil(struct fem_env *e, uint32_t *in) {
  const uint32_t r = noise(e, 0, 4), c = r % e->l.conns, code = r >> 12 & ((1u << e->l.state_w) - 1);
  const unsigned flags[] = {e->at.progress, e->at.waiting, e->at.gather, e->at.nack};
  if (r >> 28) return;
  for (unsigned i = 0; i < e->l.state_w; i++) {
    const unsigned bit = c * e->l.state_w + i;
    in[e->at.state + bit / 32] = (in[e->at.state + bit / 32] & ~(1u << bit % 32)) | (code >> i & 1) << bit % 32;
  }
  for (unsigned i = 0; i < 4; i++) in[flags[i] + c / 32] ^= (r >> (20 + i) & 1) << c % 32;
}

/* The state that a running unit shows next. */
static void run(struct fem_env *e, struct fem_unit *u, unsigned i) {
  uint32_t r = noise(e, i, 1);
  u->progress = u->gather = false;
  u->wrong = u->mode == FEM_WRONG;
  switch (u->mode) {
  case FEM_GATHERS:
    u->state = SIMT_QUIESCENT;
    u->gather = true;
    if (!u->resume) break;
    u->state = SIMT_ACTIVE;
    u->gather = false;
    if (u->arg & 1) u->mode = FEM_BUSY;
    break;
  case FEM_STUCK: u->state = SIMT_STALLED; break;
  case FEM_NO_WORK: u->state = SIMT_EMPTY; break;
  case FEM_BLINKS: u->state = (e->cycle / ((u->arg & 63) + 1) + (u->arg >> 8)) & 1 ? SIMT_ACTIVE : SIMT_STALLED; break;
  case FEM_PULSE:
    u->progress = u->since % (u->arg + 1) == u->arg;
    u->state = SIMT_STALLED;
    break;
  default:
    u->progress = r & 3;
    u->state = r & 4 ? SIMT_ACTIVE : r & 8 ? SIMT_STALLED : r & 16 ? SIMT_QUIESCENT : r & 32 ? SIMT_EMPTY : SIMT_ACTIVE;
    u->gather = u->state == SIMT_QUIESCENT && r & 64;
    break;
  }
  u->since++;
}

static void clear_unit(struct fem_env *e, struct fem_unit *u, unsigned i) {
  u->state = SIMT_EMPTY;
  u->clear_left = noise(e, i, 2) % 6;
  u->halt_left = 0;
  u->progress = u->gather = u->nack = u->wrong = false;
  if (u->mode != FEM_EVER) u->mode = noise(e, i, 3) & 1 ? FEM_BUSY : FEM_NO_WORK;
  u->arg = 0;
  u->since = 0;
}

static void step_unit(struct fem_env *e, unsigned i, uint8_t command) {
  struct fem_unit *u = &e->unit[i];
  bool refuses = u->mode == FEM_NEVER || u->mode == FEM_EVER;
  bool can_halt = !refuses && !u->clear_left && !u->halt_left;
  if (u->ctx_reset) {
    clear_unit(e, u, i);
  } else if (u->halt_req && (u->state == SIMT_HALTED || can_halt)) {
    u->state = SIMT_HALTED;
    u->progress = u->gather = false;
  } else if (u->clear_left) {
    u->clear_left--;
    u->state = SIMT_EMPTY;
  } else {
    if (u->halt_req && u->halt_left) u->halt_left--;
    if (!u->halt_req && u->state == SIMT_HALTED && u->mode == FEM_BUSY) u->halt_left = u->arg;
    run(e, u, i);
  }
  u->halt_req = command & 1;
  u->ctx_reset = command & 2;
  u->resume = command & 4;
}

/* A command given in this cycle is a register in the unit STAGES cycles later. */
void fem_units_step(struct fem_env *e, const uint32_t *out) {
  struct fem_command_row *row = &e->down[e->cycle % e->l.stages];
  const struct fem_command_row *arrives = &e->down[(e->cycle + 1) % e->l.stages];
  for (unsigned c = 0; c < e->l.conns; c++)
    for (unsigned i = e->l.first[c]; i < e->l.first[c + 1]; i++) {
      unsigned line = e->l.kind == SIMT_BROADCAST ? 0 : e->l.kind == SIMT_PER_GROUP ? c : i;
      row->command[i] = (uint8_t)(fem_is(&out[e->at.halt], line) | fem_is(&out[e->at.reset], line) << 1 |
                                  fem_is(&out[e->at.resume], line) << 2);
    }
  for (unsigned i = 0; i < e->l.units; i++) step_unit(e, i, arrives->command[i]);
}
