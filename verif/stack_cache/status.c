/* SPDX-License-Identifier: Apache-2.0 */
/* status.c: what must hold of halt, flush and reset (SC-13, US-3), seen from the ports alone.
 *
 * The unit is closed, all can-go bits 0, from the first cycle of a halt request to its end and while it is halted,
 * from the cycle after a flush is ordered until it has ended, and from a reset until the unit is clear. The ends of
 * flush and reset are not laid down to the cycle: when the bits come back, what they had to do must be done. */
#include "stack_cache/env.h"

#include <string.h>

enum { HALT_WITHIN = 8, BEGIN_WITHIN = 4, END_CYCLES = 16 };

/* A reset ends so many cycles after the last answer at most: the walk passes all threads twice. A flush in END_CYCLES. */
static unsigned end_within(const struct sc_env *e) { return 2 * e->l.threads + END_CYCLES; }

static bool is_dirty(const struct sc_env *e, unsigned t) {
  const struct sc_pointers *p = &e->thread[t].at;
  return !p->fault && p->spilled < sc_sets(e, p->count);
}

static bool all_clean(const struct sc_env *e) {
  for (unsigned t = 0; t < e->l.threads; t++)
    if (is_dirty(e, t)) return false;
  return true;
}

/* ---- the state ------------------------------------------------------------------------------------------- */

static bool decode(const struct sc_env *e, uint32_t code, enum simt_unit_state *to) {
  static const uint32_t codes[3][5] = {{1, 2, 4, 8, 16}, {3, 5, 6, 9, 10}, {0, 1, 2, 3, 4}};
  for (unsigned i = 0; i < 5; i++)
    if (codes[e->l.status - 1][i] == code) {
      *to = (enum simt_unit_state)i;
      return true;
    }
  return false;
}

/* US-3, as far as the ports of the last cycle tell: whether `next` may follow. */
static bool may_follow(const struct sc_env *e, enum simt_unit_state next) {
  const struct sc_env_unit *u = &e->unit;
  const enum simt_unit_state last = u->last;
  const bool halt = u->was_halt;
  bool pending = u->before.pending || u->before.offered, busy = u->before.taken || u->before.answer;
  if (last == SIMT_ACTIVE && u->before.nack) return next == SIMT_QUIESCENT;
  if (next == SIMT_HALTED) return halt;
  switch (last) {
    case SIMT_HALTED:
      if (halt) return false;
      return next == SIMT_EMPTY ? true : next == SIMT_ACTIVE && (u->before.taken || u->before.refused);
    case SIMT_EMPTY: return next == SIMT_ACTIVE || (next == SIMT_EMPTY && !busy && !pending);
    case SIMT_ACTIVE:
      if (next == SIMT_STALLED) return u->before.blocked && u->before.refused && !u->before.worked; /* US-2 */
      if (next == SIMT_QUIESCENT) return !busy;
      return next == SIMT_ACTIVE || (!busy && !pending);
    case SIMT_STALLED: return next == SIMT_ACTIVE || (next == SIMT_STALLED && u->before.blocked && u->before.refused && !u->before.worked);
    default:
      if (next == SIMT_ACTIVE) return true;
      return next == SIMT_QUIESCENT && !busy && !u->before.done && !u->was_resume;
  }
}

static const char *check_state(struct sc_env *e, const uint32_t *out) {
  static const char *const name[] = {"empty", "active", "stalled", "quiescent", "halted"};
  static const uint8_t from[] = {[SIMT_EMPTY] = SC_COVER_HALT_EMPTY, [SIMT_ACTIVE] = SC_COVER_HALT_ACTIVE,
                                 [SIMT_QUIESCENT] = SC_COVER_HALT_QUIESCENT}; /* stalled: a request is offered */
  const struct simt_status_ports *at = &e->status_at;
  struct sc_env_unit *u = &e->unit;
  if (!decode(e, out[at->state], &u->state)) return sc_wrong(e, "state_o is 0x%x, no code word", out[at->state]);
  bool waits = u->state == SIMT_STALLED || u->state == SIMT_QUIESCENT;
  if (out[at->waiting] != waits) return sc_wrong(e, "waiting_o is %u while %s", out[at->waiting], name[u->state]);
  if (out[at->gather]) return sc_wrong(e, "gather_o is 1");
  if (out[at->nack] != u->nack) return sc_wrong(e, "nack_o is %u, expected %u", out[at->nack], u->nack);
  if (u->was_reset || e->cycle == e->reset_end)
    return u->state == SIMT_EMPTY ? NULL : sc_wrong(e, "%s after a reset", name[u->state]);
  if (u->before.moved && !out[at->progress]) return sc_wrong(e, "progress_o is 0 after a cycle with a transfer");
  if (!may_follow(e, u->state)) return sc_wrong(e, "%s follows %s", name[u->state], name[u->last]);
  if (u->state == SIMT_HALTED && u->last == SIMT_STALLED) return sc_wrong(e, "halted while a request is offered");
  if (u->state == SIMT_HALTED && u->last != SIMT_HALTED) e->cover[from[u->last]]++;
  return NULL;
}

/* ---- halted ------------------------------------------------------------------------------------------------ */

static const char *check_halted(struct sc_env *e, const uint32_t *out) {
  struct sc_env_unit *u = &e->unit;
  const struct sc_env_ports *at = &e->at;
  uint64_t since = u->halt_from > u->last_answer ? u->halt_from : u->last_answer;
  if (since < e->reset_end + e->l.threads) since = e->reset_end + e->l.threads;
  if (u->state != SIMT_HALTED) {
    bool pending = e->under_way || out[at->req_valid] || u->flush || u->clearing;
    if (!u->halt_req || pending || u->may_flush[(e->cycle + 3) & 3]) return NULL;
    if (e->cycle > since + HALT_WITHIN)
      return sc_wrong(e, "not halted %llu cycles after the request and the last memory answer",
                      (unsigned long long)(e->cycle - since));
    return NULL;
  }
  if (out[at->req_valid] || out[at->rsp_ready] || out[at->ans_valid])
    return sc_wrong(e, "something is offered or taken while halted");
  if (u->last == SIMT_HALTED) return NULL;
  if (e->under_way) return sc_wrong(e, "halted while %u accesses are under way", e->under_way);
  for (unsigned i = 0; i < 4; i++)
    if (e->ring[i].valid) return sc_wrong(e, "halted while an operation is not answered");
  if (e->cycle >= u->clear_from + e->l.threads) u->clearing = false;
  return NULL;
}

/* ---- per cycle --------------------------------------------------------------------------------------------- */

static void begin_flush(struct sc_env *e) {
  struct sc_env_unit *u = &e->unit;
  u->flush_asked = e->cycle;
  u->clean_from = 0; /* one under way may have ended unseen: then this is another */
  if (u->flush) return;
  u->flush = true;
  u->flush_from = e->cycle;
  e->cover[SC_COVER_FLUSH]++;
}

/* CONTROL was written in the last cycle. */
static void control_written(struct sc_env *e, uint32_t data) {
  e->unit.flush_on_halt = data >> 1 & 1;
  if (data & 1) begin_flush(e);
}

/* A memory error is recorded: the sticky bit of ERROR, which the front end sees in the next cycle. */
void sc_status_nack(struct sc_env *e) {
  struct sc_env_unit *u = &e->unit;
  if (!e->l.status) return;
  e->cover[SC_COVER_NACK]++;
  u->nack = u->nacked = true;
}

void sc_status_no_nack(struct sc_env *e) {
  sc_cover_if(e, SC_COVER_NACK_CLEARED, e->unit.nack);
  e->unit.nack = false;
}

/* The flush must be done when it ends. */
static const char *end_flush(struct sc_env *e) {
  struct sc_env_unit *u = &e->unit;
  u->flush = u->may_flush[e->cycle & 3] = false;
  for (unsigned t = 0; t < e->l.threads; t++)
    if (is_dirty(e, t)) return sc_wrong(e, "a flush ends while thread %u has dirty sets", t);
  if (e->under_way) return sc_wrong(e, "a flush ends while accesses are under way");
  for (unsigned t = 0; t < e->l.threads; t++)
    if (!e->thread[t].at.fault) e->thread[t].burst = 0; /* no full dirty set is left */
  return NULL;
}

static const char *follow_flush(struct sc_env *e) {
  struct sc_env_unit *u = &e->unit;
  if (u->state == SIMT_HALTED && u->last != SIMT_HALTED && u->flush) return end_flush(e);
  bool waits = u->clearing && e->cycle < u->clear_from + e->l.threads + HALT_WITHIN;
  waits |= e->regs.walks > 0;
  if (!u->flush || waits || e->under_way || !all_clean(e)) {
    u->clean_from = 0;
    return NULL;
  }
  if (!u->clean_from) u->clean_from = e->cycle;
  if (e->cycle - u->clean_from > END_CYCLES) return sc_wrong(e, "a flush does not end though all is written");
  return NULL;
}

void sc_status_clear(struct sc_env *e) {
  struct sc_env_unit *u = &e->unit;
  u->clearing = true;
  u->flush = u->nack = false;
  u->halt_flushes = u->halt_req; /* its flush, if any, has ended */
  u->clear_from = u->settled = e->cycle;
}

static const char *follow_clear(struct sc_env *e) {
  struct sc_env_unit *u = &e->unit;
  if (!u->clearing) return NULL;
  uint64_t since = u->clear_from + e->l.threads > u->last_answer ? u->clear_from + e->l.threads : u->last_answer;
  if (since < e->regs.limit_settled) since = e->regs.limit_settled; /* a new limit begins the walk again */
  if (since < u->flush_asked) since = u->flush_asked; /* its end cannot be told from that of a flush */
  if (!e->under_way && e->cycle > since + end_within(e)) return sc_wrong(e, "a reset of the unit does not end");
  if (e->cycle == u->clear_from + 3) { /* what was in the pipeline is answered */
    sc_golden_reset(e);
    sc_rules_clear(e);
  }
  u->settled = e->cycle;
  return NULL;
}

static void ctx_reset(struct sc_env *e) {
  struct sc_registers *r = &e->regs;
  if (e->cycle - e->reset_end <= e->l.threads) return; /* all is being cleared */
  sc_status_clear(e);
  r->counter[SC_N_DROP] += 2 * (uint64_t)e->l.threads; /* at most: one may come in before its thread's turn */
  r->counter[SC_N_RESTORE] += 2 * (uint64_t)e->l.threads;
  r->error = r->error_set = r->error_count = 0;
  e->cover[SC_COVER_UNIT_RESET]++;
  sc_cover_if(e, SC_COVER_UNIT_RESET_BUSY, e->under_way > 0);
}

const char *sc_status_before(struct sc_env *e, const uint32_t *out) {
  struct sc_env_unit *u = &e->unit;
  if (!e->l.status) return NULL;
  u->last = u->state;
  const char *wrong = check_state(e, out), *next;
  const struct sc_registers *r = &e->regs;
  if (r->busy && r->write && r->addr == SC_REG_CONTROL && out[e->at.reg_rsp] && !out[e->at.reg_rsp_error])
    control_written(e, r->data);
  bool flushed = u->flush && u->ctx_reset; /* it ends with this cycle */
  if (u->ctx_reset) ctx_reset(e);
  if (u->halt_req && u->state != SIMT_HALTED && u->flush_on_halt && !u->halt_flushes) {
    u->halt_flushes = true;
    begin_flush(e);
  }
  if (!u->halt_req) u->halt_flushes = false;
  next = follow_flush(e);
  if (!wrong) wrong = next;
  next = follow_clear(e);
  if (!wrong) wrong = next;
  u->quiet[e->cycle & 3] = u->halt_req || u->state == SIMT_HALTED || (u->clearing && !u->ctx_reset);
  u->may_flush[e->cycle & 3] = u->flush || flushed;
  u->was_resume = u->resume && u->state == SIMT_QUIESCENT;
  u->was_halt_before = u->was_halt;
  u->was_halt = u->halt_req;
  u->was_reset = u->ctx_reset;
  return wrong;
}

/* Whether no operation is taken in this cycle; the bits are then looked at here. */
bool sc_status_closed(struct sc_env *e, const uint32_t *out, const char **wrong) {
  struct sc_env_unit *u = &e->unit;
  if (!e->l.status) return false;
  const char *said = check_halted(e, out);
  bool must = u->halt_req || u->state == SIMT_HALTED || u->ctx_reset ||
              (u->clearing && e->cycle < u->clear_from + e->l.threads);
  bool open = out[e->at.can_init];
  if (!*wrong) *wrong = said;
  if (open && !must && (u->flush || u->clearing)) {
    said = u->flush ? end_flush(e) : NULL;
    if (u->clearing && e->under_way) said = sc_wrong(e, "a reset ends while answers from before it are due");
    if (!*wrong) *wrong = said;
    u->clearing = u->quiet[e->cycle & 3] = false;
    return false;
  }
  if (open && !must) return false;
  if (!must && !u->flush && !u->clearing) return false;
  uint32_t any = out[e->at.can_init];
  for (unsigned i = 0; i < e->words; i++) any |= out[e->at.can_push + i] | out[e->at.can_top + i];
  if (any && !*wrong) *wrong = sc_wrong(e, "a can-go bit is 1 under a halt request, a flush or a reset");
  if (out[e->ctx_at.cmd_ready] && e->cycle >= u->clear_from + e->l.threads) u->clearing = false;
  if (out[e->ctx_at.cmd_ready] && e->under_way && !*wrong)
    *wrong = sc_wrong(e, "a context may move while accesses are under way");
  e->gate = SC_SHUT;
  e->window_end++;
  return true;
}

bool sc_status_flushes(const struct sc_env *e) {
  return e->l.status && e->unit.may_flush[(e->cycle + 2) & 3];
}

const char *sc_status_request(struct sc_env *e, bool write) {
  const struct sc_env_unit *u = &e->unit;
  const unsigned then = (e->cycle + 2) & 3; /* two cycles ago */
  if (!e->l.status) return NULL;
  if (u->may_flush[then] && write) return NULL;
  if (u->may_flush[then] && e->cycle < u->flush_from + 2 + BEGIN_WITHIN && !u->quiet[then]) return NULL;
  if (u->may_flush[then]) return sc_wrong(e, "a set is read during a flush");
  if (u->quiet[then]) return sc_wrong(e, "an access begins under a halt request or a reset");
  return NULL;
}

bool sc_status_drops(struct sc_env *e) {
  sc_cover_if(e, SC_COVER_NACK_DROPPED, e->unit.clearing);
  return e->unit.clearing;
}

void sc_status_after(struct sc_env *e, const uint32_t *in, const uint32_t *out, bool taken) {
  const struct simt_status_ports *at = &e->status_at;
  struct sc_env_unit *u = &e->unit;
  if (!e->l.status) return;
  bool asks = out[e->at.req_valid], gets = asks && in[e->at.req_ready];
  bool done = in[e->at.rsp_valid] && out[e->at.rsp_ready];
  if (done) u->last_answer = e->cycle;
  u->before.taken = taken;
  u->before.refused = in[e->at.op_valid] && !taken;
  u->before.worked = e->ring[(e->cycle + 3) & 3].valid || e->ring[(e->cycle + 2) & 3].valid; /* taken one or two cycles ago */
  u->before.answer = out[e->at.ans_valid];
  u->before.done = done;
  u->before.nack = u->nacked;
  u->nacked = false;
  u->before.blocked = asks && !gets;
  u->before.pending = e->under_way + done > 0;
  u->before.offered = asks;
  u->before.moved = taken || gets || done || out[e->at.ans_valid];
  if (in[at->halt] && !u->halt_req) u->halt_from = e->cycle + 1;
  if (u->halt_req && !in[at->halt]) e->cover[SC_COVER_HALT_WITHDRAWN] += u->state != SIMT_HALTED;
  u->resume = in[at->resume] && !in[at->halt] && !in[at->reset];
  u->halt_req = in[at->halt];
  u->ctx_reset = in[at->reset];
}

void sc_status_reset(struct sc_env *e) { memset(&e->unit, 0, sizeof e->unit); }
