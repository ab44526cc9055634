/* SPDX-License-Identifier: Apache-2.0 */
/* unit_status.c: the five-state status of a unit, cycle by cycle. */
#include "core/unit_status.h"

const char *const simt_status_encodings[] = {"one_hot", "two_of_four", "binary", NULL};
const char *const simt_status_choices[] = {"none", "one_hot", "two_of_four", "binary", NULL};

void simt_add_status_ports(struct simt_desc *d, enum simt_status_encoding encoding) {
  static const unsigned width[] = {[SIMT_ONE_HOT] = 5, [SIMT_TWO_OF_FOUR] = 4, [SIMT_BINARY] = 3};
  static const char group[] = "status";
  const enum simt_dir in = SIMT_IN, out = SIMT_OUT;
  simt_add_port(d, in, 1, "", group, "Halt: a level, held as long as the unit is to stay halted.", "cmd_halt_i");
  simt_add_port(d, in, 1, "", group, "Pulse: clear the context.", "cmd_reset_i");
  simt_add_port(d, in, 1, "", group, "Pulse: go on with what is gathered; acts in quiescent only.", "cmd_resume_i");
  simt_add_port(d, out, width[encoding], "", group, "The state of this cycle: empty, active, stalled, quiescent or halted.", "state_o");
  simt_add_port(d, out, 1, "", group, "Something moved in the cycle that led to this state.", "progress_o");
  simt_add_port(d, out, 1, "", group, "The state is stalled or quiescent.", "waiting_o");
  simt_add_port(d, out, 1, "", group, "Quiescent for want of further input.", "gather_o");
  simt_add_port(d, out, 1, "", group, "A memory access was refused; sticky.", "nack_o");
}

static unsigned word_of(const struct simt_config *cfg, const char *name) { return simt_find_port(cfg, name)->word; }

struct simt_status_ports simt_find_status_ports(const struct simt_config *cfg) {
  return (struct simt_status_ports){
    .halt = word_of(cfg, "cmd_halt_i"), .reset = word_of(cfg, "cmd_reset_i"), .resume = word_of(cfg, "cmd_resume_i"),
    .state = word_of(cfg, "state_o"), .progress = word_of(cfg, "progress_o"), .waiting = word_of(cfg, "waiting_o"),
    .gather = word_of(cfg, "gather_o"), .nack = word_of(cfg, "nack_o")};
}

/* US-3, first match wins; the context's reset is the caller's. */
static enum simt_unit_state next_state(const struct simt_unit_status *s, const struct simt_unit_signals *u) {
  const bool halt = s->halt_req, pending = u->work || u->mem;
  switch (s->state) {
    case SIMT_HALTED:
      if (halt) return SIMT_HALTED;
      if (u->in || u->out || (u->work && !u->cannot)) return SIMT_ACTIVE;
      return u->work ? SIMT_QUIESCENT : SIMT_EMPTY;
    case SIMT_EMPTY:
      if (halt && !u->in && u->can_halt) return SIMT_HALTED;
      return u->in || u->out || u->proc || pending ? SIMT_ACTIVE : SIMT_EMPTY;
    case SIMT_ACTIVE:
      if (halt && u->can_halt) return SIMT_HALTED;
      if (u->nack) return SIMT_QUIESCENT;
      if (u->blocked && u->cannot) return SIMT_STALLED;
      if (u->in || u->proc || u->out) return SIMT_ACTIVE;
      return pending ? SIMT_QUIESCENT : SIMT_EMPTY;
    case SIMT_STALLED:
      if (halt && u->can_halt) return SIMT_HALTED;
      return !u->blocked || !u->cannot ? SIMT_ACTIVE : SIMT_STALLED;
    case SIMT_QUIESCENT:
      if (halt && u->can_halt) return SIMT_HALTED;
      return u->in || u->proc || u->out || s->resume || u->mem_done || !pending ? SIMT_ACTIVE : SIMT_QUIESCENT;
  }
  return SIMT_EMPTY;
}

void simt_status_step(struct simt_unit_status *s, const struct simt_unit_signals *u,
                      const struct simt_status_ports *at, const uint32_t *in) {
  const enum simt_unit_state next = s->ctx_reset ? SIMT_EMPTY : next_state(s, u);
  if (s->ctx_reset) s->nack = false;
  else if (u->nack) s->nack = true;
  else if (u->nack_write) s->nack = u->nack_value;
  s->state = next;
  s->progress = u->progress;
  s->waiting = next == SIMT_STALLED || next == SIMT_QUIESCENT;
  s->gather = next == SIMT_QUIESCENT && u->gather;
  s->halt_req = in[at->halt];
  s->ctx_reset = in[at->reset];
  s->resume = in[at->resume] && next == SIMT_QUIESCENT && !s->halt_req && !s->ctx_reset;
}

uint32_t simt_status_code(enum simt_unit_state state, enum simt_status_encoding encoding) {
  static const uint32_t two_of_four[] = {0x3, 0x5, 0x6, 0x9, 0xa};
  if (encoding == SIMT_ONE_HOT) return 1u << state;
  return encoding == SIMT_TWO_OF_FOUR ? two_of_four[state] : (uint32_t)state;
}

void simt_status_outputs(const struct simt_unit_status *s, enum simt_status_encoding encoding,
                         const struct simt_status_ports *at, uint32_t *out) {
  out[at->state] = simt_status_code(s->state, encoding);
  out[at->progress] = s->progress;
  out[at->waiting] = s->waiting;
  out[at->gather] = s->gather;
  out[at->nack] = s->nack;
}
