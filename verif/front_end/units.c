/* SPDX-License-Identifier: Apache-2.0 */
/* units.c: the units under the front end, in its environment. */
#include "front_end/units.h"

#include <string.h>

/* Places of a unit's ports in two small buffers, for the models of the cells. */
enum { HALT, RESET, RESUME, UNIT, CMD_VALID, CMD_LOAD, OUT_READY, IN_VALID, IN_DATA, IN_LAST, IN_ERROR, INS };
enum { STATE, PROGRESS, WAITING, GATHER, NACK, CMD_READY, DONE, ERROR, OUT_VALID, OUT_DATA, OUT_LAST, IN_READY, OUTS };
static const struct simt_status_ports status_at = {HALT, RESET, RESUME, STATE, PROGRESS, WAITING, GATHER, NACK};
static const struct simt_context_ports ctx_at = {
  .unit = UNIT, .cmd_valid = CMD_VALID, .cmd_load = CMD_LOAD, .cmd_ready = CMD_READY, .done = DONE, .error = ERROR,
  .out_valid = OUT_VALID, .out_ready = OUT_READY, .out_data = OUT_DATA, .out_last = OUT_LAST, .in_valid = IN_VALID,
  .in_ready = IN_READY, .in_data = IN_DATA, .in_last = IN_LAST, .in_error = IN_ERROR};

static uint32_t word_of(const struct fe_unit *u, const struct fe_state *s, unsigned i) {
  if (i == 0) return s->job << 8 | s->mode;
  if (i == 1) return s->count;
  uint32_t x = s->job * 0x9e3779b9u ^ s->count * 0x85ebca6bu ^ (u->number << 4 | i) * 0xc2b2ae35u;
  return x ^ x >> 15;
}

static struct fe_state state_of(const uint32_t *load) {
  return (struct fe_state){load[0] >> 8, load[1], (enum fe_mode)(load[0] & 0xff)};
}

void fe_unit_reset(struct fe_unit *u) {
  const unsigned number = u->number, encoding = u->encoding;
  *u = (struct fe_unit){.number = number, .encoding = encoding, .len = 2 + number % (FE_WORDS - 1),
                        .port = {.unit_type = FE_TYPE, .cfg_hash = FE_HASH, .ctx_max = FE_WORDS}};
  simt_context_reset(&u->port);
}

static bool can_halt(const struct fe_unit *u) { return !u->mem && !u->clearing; }

static struct simt_context_unit offer(const struct fe_unit *u) {
  return (struct simt_context_unit){.halted = u->status.state == SIMT_HALTED, .can_halt = can_halt(u), .len = u->len,
                                    .sav_valid = true, .sav_last = u->moved + 1 == u->len,
                                    .sav_data = word_of(u, &u->s, u->moved), .ld_ready = true};
}

struct fe_unit_out fe_unit_outputs(const struct fe_unit *u) {
  uint32_t out[OUTS];
  const struct simt_context_unit o = offer(u);
  simt_status_outputs(&u->status, u->encoding, &status_at, out);
  simt_context_outputs(&u->port, &o, &ctx_at, out);
  return (struct fe_unit_out){.state = out[STATE], .data = out[OUT_DATA], .progress = out[PROGRESS], .waiting = out[WAITING],
                              .gather = out[GATHER], .nack = out[NACK], .cmd_ready = out[CMD_READY], .done = out[DONE],
                              .out_valid = out[OUT_VALID], .out_last = out[OUT_LAST], .in_ready = out[IN_READY], .error = out[ERROR]};
}

/* Takes and gives words of the context; true: the payload is inconsistent, with its last word. */
static bool move_words(struct fe_unit *u, const struct simt_context_unit *o, const uint32_t *in) {
  const struct simt_context_to_unit t = simt_context_to_unit(&u->port, o, &ctx_at, in);
  if (t.sav_taken) u->moved++;
  if (t.ld_taken) {
    if (u->moved < FE_WORDS) u->load[u->moved] = t.ld_data;
    u->moved++;
    if (t.ld_last) {
      const struct fe_state s = state_of(u->load);
      u->load_bad = u->moved != u->len || s.mode >= FE_MODES;
      for (unsigned i = 0; !u->load_bad && i < u->len; i++) u->load_bad = u->load[i] != word_of(u, &s, i);
      return u->load_bad;
    }
  }
  if (!u->port.r.save && !u->port.r.load) u->moved = 0;
  return false;
}

/* What it does with the cycle when nothing holds it still. */
static void work(struct fe_unit *u, uint32_t dice, struct simt_unit_signals *g) {
  const unsigned change = dice >> 8 & 0x3f;
  if (u->s.mode == FE_GATHER && u->status.resume) u->s.mode = FE_RUN;
  if (u->s.mode == FE_RUN && (dice & 3)) {
    u->s.count++;
    g->proc = true;
  }
  if (change == 1 || (change == 2 && u->s.mode == FE_IDLE)) {
    if (u->s.mode == FE_IDLE) u->s.job = dice >> 14 & 0xffff;
    u->s.mode = (enum fe_mode)((dice >> 30) % FE_MODES);
  }
  if (u->s.mode == FE_RUN && (dice >> 4 & 15) == 0 && !u->mem) u->mem = 1 + (dice >> 14 & 15);
}

unsigned fe_unit_step(struct fe_unit *u, const struct fe_unit_in *i, uint32_t dice) {
  const uint32_t in[INS] = {i->halt, i->reset, i->resume, u->number, i->cmd_valid, i->cmd_load, i->out_ready,
                            i->in_valid, i->in_data, i->in_last, i->in_error};
  const struct simt_context_unit o = offer(u);
  const struct simt_context_registers *r = &u->port.r;
  const bool able = can_halt(u), halted = o.halted, cleared = u->status.ctx_reset || r->abort;
  const bool still = halted || r->load || u->status.ctx_reset || (u->status.halt_req && able);
  unsigned events = (u->status.resume ? FE_RESUMED : 0) | (u->status.ctx_reset ? FE_CLEARED : 0);
  const bool waited = u->mem > 0;
  struct simt_unit_signals g = {.can_halt = able, .work = u->s.mode != FE_IDLE, .mem = waited,
                                .blocked = u->s.mode == FE_BLOCKED, .cannot = u->s.mode == FE_BLOCKED};
  if (waited && --u->mem == 0) {
    g.mem_done = true;
    g.nack = (dice >> 20 & 31) == 0 && !u->clearing && !cleared;
  }
  if (r->commit) u->s = state_of(u->load);
  if (!still && !u->status.halt_req && !u->clearing) work(u, dice, &g);
  g.gather = u->s.mode == FE_GATHER && g.work && !g.mem;
  g.progress = g.proc;
  if (u->clearing) u->clearing--;
  if (cleared) {
    u->s = (struct fe_state){0, 0, FE_IDLE};
    u->clearing = 3 + (dice & 7);
  }
  events |= (r->commit ? FE_LOADED : 0) | (r->abort ? FE_ABORTED : 0) | (g.nack ? FE_NACKED : 0);
  const bool bad = move_words(u, &o, in);
  simt_context_step(&u->port, &o, bad, &ctx_at, in);
  simt_status_step(&u->status, &g, &status_at, in);
  if (u->port.r.done && !u->port.r.error && !u->port.r.commit) events |= FE_SAVED;
  return events;
}
