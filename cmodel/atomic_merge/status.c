/* SPDX-License-Identifier: Apache-2.0 */
/* status.c: the atomic_merge model as a unit of a front end (AM-17): halt, reset, and what it says of itself. */
#include "atomic_merge/state.h"

static bool halted(const struct am_model *m) { return m->s.unit.fsm.state == SIMT_HALTED; }

static bool spools(const struct am_model *m) {
  for (unsigned i = 0; i < AM_SPOOLS + m->l.extra; i++)
    if (m->s.spool[i].valid) return true;
  return false;
}

/* A halt lets the engine begin nothing more when no fetch is open, here and at the home. */
static bool may_stop(const struct am_unit *u) { return u->fsm.halt_req && !u->due && u->served; }

/* The engine stands between two events of an arrival, or between two lines of a flush. */
static bool engine_rests(const struct am_model *m) {
  const struct am_state *s = &m->s;
  if (s->engine == AM_EVENT || s->engine == AM_STEP) return am_stops(m);
  return s->engine == AM_RUN && s->start == AM_START_NOTHING && !(s->home.valid && !s->home.snoop);
}

static bool works(const struct am_model *m) { return !am_drained(m) || spools(m) || !engine_rests(m); }

static bool can_halt(const struct am_model *m) {
  const struct am_unit *u = &m->s.unit;
  return !works(m) && !m->s.clearing && !u->due && u->served && !u->drops;
}

bool am_closed(const struct am_model *m) {
  const struct am_unit *u = &m->s.unit;
  return m->l.status && (u->fsm.halt_req || halted(m) || u->fsm.ctx_reset || u->drops);
}

bool am_still(const struct am_model *m) {
  const struct am_unit *u = &m->s.unit;
  return m->l.status && (halted(m) || u->fsm.ctx_reset || (u->fsm.halt_req && can_halt(m)));
}

bool am_stops(const struct am_model *m) {
  const struct am_unit *u = &m->s.unit;
  return m->l.status && (halted(m) || u->fsm.ctx_reset || may_stop(u));
}

static bool holds(const struct am_model *m) {
  const struct am_state *s = &m->s;
  bool any = s->written != s->committed || s->slot_used || s->fast.n || s->spooled.n || s->ans_valid || s->rel_busy || works(m);
  for (unsigned i = 0; i < m->l.misses; i++) any |= s->miss[i].valid;
  return any;
}

static bool given(const struct am_model *m, const uint32_t *in, enum am_port port) { return in[m->port[port]] != 0; }

/* Fetches that go out and are answered; gives whether one is answered, *nack: with an error. */
static bool follow_fetches(struct am_model *m, const uint32_t *in, bool closed, bool *nack) {
  struct am_state *s = &m->s;
  struct am_unit *u = &s->unit;
  const uint32_t tag = (uint32_t)1 << in[m->port[AM_P_HOME_TAG]] % m->l.misses;
  const bool beat = given(m, in, AM_P_HOME_VALID) && am_home_ready(m) && !given(m, in, AM_P_HOME_SNOOP) && u->due & tag;
  const bool ends = beat && (given(m, in, AM_P_HOME_ERROR) || u->got == m->l.beats - 1);
  *nack = beat && given(m, in, AM_P_HOME_ERROR) && !u->drops;
  if (s->n_fetch && !closed && given(m, in, AM_P_FETCH_READY)) u->due |= (uint32_t)1 << s->fetch_queue[0];
  if (ends) u->due &= ~tag;
  if (beat) u->got = ends ? 0 : u->got + 1;
  return ends;
}

void am_unit_step(struct am_model *m, const uint32_t *in) {
  struct am_state *s = &m->s;
  struct am_unit *u = &s->unit;
  if (!m->l.status) return;
  const bool closed = am_closed(m), still = am_still(m), clear = u->fsm.ctx_reset, due = u->due != 0, halt = u->fsm.halt_req;
  const bool would = given(m, in, AM_P_REQ_VALID) && am_takes_request(m) && !u->drops;
  const bool ans = given(m, in, AM_P_ANS_READY), rel = given(m, in, AM_P_REL_READY);
  const bool leaves = (s->ans_valid && ans) || (s->rel_busy && rel);
  struct simt_unit_signals says = {.in = would, .out = leaves, .proc = works(m), .work = holds(m), .mem = due,
                                   .blocked = (s->ans_valid && !ans) || (s->rel_busy && !rel), .can_halt = can_halt(m), .nack_write = am_clears_nack(m)};
  says.cannot = !(would || leaves || says.proc);
  says.progress = (would && !closed) || (leaves && !still) || says.proc;
  says.mem_done = follow_fetches(m, in, closed, &says.nack);
  u->idle = halt && !due && !clear && !u->drops;
  u->served = in[m->served_at] && halt && !clear;
  u->drops = clear || (u->drops && (due || s->clearing));
  simt_status_step(&u->fsm, &says, &m->status_at, in);
}

void am_unit_outputs(const struct am_model *m, uint32_t *out) {
  if (!m->l.status) return;
  out[m->idle_at] = m->s.unit.idle;
  simt_status_outputs(&m->s.unit.fsm, (enum simt_status_encoding)(m->l.status - 1), &m->status_at, out);
}
