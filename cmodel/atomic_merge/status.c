/* SPDX-License-Identifier: Apache-2.0 */
/* status.c: the atomic_merge model as a unit of a front end (AM-17): halt, reset, its context, and what it says of itself. */
#include "atomic_merge/model.h"
#include "atomic_merge/state.h"

enum { AM_NACK_BIT = 17, AM_UNASKED_BIT = 16, AM_LOST_BITS = 0xffff };

static const struct simt_unit_shell *shell(const struct am_model *m) { return &m->s.unit.shell; }
static bool halted(const struct am_model *m) { return simt_shell_halted(shell(m)); }
static bool halt_requested(const struct am_model *m) { return shell(m)->fsm.halt_req; }

static bool spools(const struct am_model *m) {
  for (unsigned i = 0; i < AM_SPOOLS + m->l.extra; i++)
    if (m->s.spool[i].valid) return true;
  return false;
}

/* What is left may be held, or nothing is left. */
static bool is_drained(const struct am_model *m) { return !m->l.drains || m->s.unit.drained; }

/* A halt lets the engine begin nothing more when nothing more is wanted of the home, here and elsewhere. */
static bool may_stop(const struct am_model *m) { return is_drained(m) && (halted(m) || (halt_requested(m) && !m->s.unit.due && m->s.unit.served)); }

/* The engine stands between two events of an arrival, or between two lines of a flush, or it has nothing to do. */
static bool engine_rests(const struct am_model *m) {
  const struct am_state *s = &m->s;
  if (s->engine == AM_EVENT || s->engine == AM_STEP) return am_stops(m);
  return s->engine == AM_RUN && s->start == AM_START_NOTHING && !s->unit.asks && !(s->home.valid && !s->home.snoop);
}

static bool works(const struct am_model *m) { return !am_drained(m) || spools(m) || !engine_rests(m); }

static bool can_halt(const struct am_model *m) {
  const struct am_unit *u = &m->s.unit;
  const bool offers_nothing = !m->s.ans_valid && !m->s.rel_busy; /* what is offered may not be withdrawn: it is taken first */
  return !works(m) && !m->s.clearing && !u->due && u->served && is_drained(m) && offers_nothing;
}

bool am_drops(const struct am_model *m) { return m->l.status && shell(m)->clearing; }

bool am_clears(const struct am_model *m) { return m->l.status && simt_shell_clears(shell(m)); }

/* As of the cycle: a reset in it closes at once. */
bool am_closed(const struct am_model *m) { return m->l.status && (halt_requested(m) || halted(m) || shell(m)->fsm.ctx_reset || am_drops(m)); }

bool am_shut(const struct am_model *m) {
  return m->l.status && ((halt_requested(m) && is_drained(m)) || halted(m) || am_clears(m) || am_drops(m));
}

bool am_still(const struct am_model *m) { return m->l.status && simt_shell_still(shell(m), can_halt(m)); }

bool am_stops(const struct am_model *m) { return m->l.status && (am_clears(m) || may_stop(m)); }

/* Requests, lines on their way, or answers. */
static bool holds(const struct am_model *m) {
  const struct am_state *s = &m->s;
  bool any = s->written != s->committed || s->slot_used || s->fast.n || s->spooled.n || s->ans_valid;
  for (unsigned i = 0; i < m->l.misses; i++) any |= s->miss[i].valid;
  return any;
}

static bool given(const struct am_model *m, const uint32_t *in, enum am_port port) { return in[m->port[port]] != 0; }

/* Fetches that go out and are answered; gives whether one is answered, *nack: with an error. */
static bool follow_fetches(struct am_model *m, const uint32_t *in, bool *nack) {
  struct am_state *s = &m->s;
  struct am_unit *u = &s->unit;
  const uint32_t tag = (uint32_t)1 << in[m->port[AM_P_HOME_TAG]] % m->l.misses;
  const bool beat = given(m, in, AM_P_HOME_VALID) && am_home_ready(m) && !given(m, in, AM_P_HOME_SNOOP) && u->due & tag;
  const bool ends = beat && (given(m, in, AM_P_HOME_ERROR) || u->got == m->l.beats - 1);
  *nack = beat && given(m, in, AM_P_HOME_ERROR) && !am_drops(m);
  if (s->n_fetch && !am_shut(m) && given(m, in, AM_P_FETCH_READY)) u->due |= (uint32_t)1 << s->fetch_queue[0];
  if (ends) u->due &= ~tag;
  if (beat) u->got = ends ? 0 : u->got + 1;
  return ends;
}

/* HALT_MODE drain: when nothing is held, all lines leave; gives whether the cache has just been drained. */
static bool drain(struct am_model *m) {
  struct am_state *s = &m->s;
  struct am_unit *u = &s->unit;
  const bool runs = halt_requested(m) && !am_clears(m), held = holds(m);
  const bool begins = u->asks && s->engine == AM_RUN && s->start != AM_START_EVICTION, seen = u->walking && s->flush_done;
  const bool settles = runs && u->flushed && !s->rel_busy && !u->drained;
  const bool asks = runs && !works(m) && !held && !s->rel_busy && !u->flushed && !u->walking && !u->asks;
  u->flushed = runs && (u->flushed || (seen && !held));
  u->drained = runs && (u->drained || settles);
  u->walking = !am_clears(m) && (begins || (u->walking && !seen));
  u->asks = asks;
  if (seen) s->flush_done = false;
  return settles;
}

static uint32_t context_word(const struct am_model *m) {
  const struct am_state *s = &m->s;
  const uint32_t first = (uint32_t)shell(m)->fsm.nack << AM_NACK_BIT | (uint32_t)s->unasked << AM_UNASKED_BIT | s->lost;
  return s->unit.word == 0 ? first : s->unit.word == 1 ? (uint32_t)s->lost_line : (uint32_t)(s->lost_line >> 32);
}

static struct simt_context_unit offers(const struct am_model *m) {
  return (struct simt_context_unit){.can_halt = can_halt(m), .len = m->l.ctx_words, .sav_valid = true, .sav_last = m->s.unit.word + 1 == m->l.ctx_words,
                                    .sav_data = context_word(m), .ld_ready = true};
}

/* A word that no save writes there: of more lines than there are, or of a line though nothing was lost. */
static bool is_wrong(const struct am_model *m, const struct simt_context_to_unit *to) {
  const struct am_unit *u = &m->s.unit;
  const uint64_t lines = u->coming.lost ? ((uint64_t)1 << m->l.line_aw) - 1 : 0;
  if (to->ld_last != (u->word + 1 == m->l.ctx_words)) return true;
  if (u->word == 0) return to->ld_data >> (AM_NACK_BIT + 1) != 0;
  return (to->ld_data & ~(uint32_t)(lines >> 32 * (u->word - 1))) != 0;
}

static void move_context(struct am_model *m) {
  struct am_unit *u = &m->s.unit;
  const struct simt_context_to_unit *to = &u->shell.to;
  if (to->ld_taken) {
    const uint32_t w = to->ld_data;
    if (u->word == 0) u->coming.nack = w >> AM_NACK_BIT & 1, u->coming.unasked = w >> AM_UNASKED_BIT & 1, u->coming.lost = w & AM_LOST_BITS;
    else if (u->word == 1) u->coming.line = w;
    else u->coming.line |= (uint64_t)w << 32;
  }
  u->word = simt_shell_moves(&u->shell) ? u->word + (to->ld_taken || to->sav_taken) : 0;
}

struct am_unit_now am_unit_begin(struct am_model *m, const uint32_t *in) {
  struct am_state *s = &m->s;
  struct am_unit *u = &s->unit;
  struct am_unit_now now = {.commit = false};
  if (!m->l.status) {
    simt_shell_begin_registers(&u->shell, in);
    return now;
  }
  simt_shell_begin(&u->shell, offers(m), in);
  const bool clear = am_clears(m), due = u->due != 0, halt = halt_requested(m), drops = am_drops(m), drained = is_drained(m);
  const bool would = given(m, in, AM_P_REQ_VALID) && am_takes_request(m) && !drops;
  const bool ans = given(m, in, AM_P_ANS_READY), rel = given(m, in, AM_P_REL_READY);
  const bool leaves = (s->ans_valid && ans) || (s->rel_busy && rel), proc = works(m);
  now.signals = (struct simt_unit_signals){.in = would, .out = leaves, .proc = proc, .work = holds(m) || s->rel_busy || proc, .mem = due,
                                           .blocked = (s->ans_valid && !ans) || (s->rel_busy && !rel)};
  now.signals.cannot = !(would || leaves || proc);
  now.signals.progress = (would && !am_closed(m)) || (leaves && !am_still(m)) || proc;
  now.signals.mem_done = follow_fetches(m, in, &now.signals.nack);
  now.says = (struct simt_shell_says){.clears = due || s->clearing, .nack_clear = am_clears_nack(m), .nack_load = u->coming.nack};
  now.commit = u->shell.port.r.commit;
  u->idle = halt && drained && !due && !clear && !drops;
  u->served = in[m->served_at] && halt && !clear;
  if (m->l.drains) {
    now.says.wrong = u->shell.to.ld_taken && is_wrong(m, &u->shell.to);
    now.settles = drain(m);
    move_context(m);
  }
  return now;
}

/* What only order and time follow from begins anew behind a drain, so that no context has it. */
static void settle(struct am_state *s) {
  s->written = s->fetched = s->committed = 0;
  s->turn = 0;
  s->last_fast = false;
  for (unsigned i = 0; i < AM_MAX_APART; i++) s->last[i].unit = s->unit_left[i] = false;
}

void am_unit_end(struct am_model *m, struct am_unit_now *now, const uint32_t *in) {
  struct am_state *s = &m->s;
  struct am_unit *u = &s->unit;
  if (!m->l.status) {
    simt_shell_end_registers(&u->shell, in);
    return;
  }
  const bool clear = am_clears(m);
  if (now->settles) settle(s);
  if (now->commit) {
    s->lost = u->coming.lost;
    s->lost_line = u->coming.line;
    s->unasked = u->coming.unasked;
  }
  simt_shell_end(&u->shell, &now->signals, &now->says, in);
  if (!m->l.drains) simt_context_reset(&u->shell.port); /* no command is taken */
  if (!clear) return;
  u->coming.nack = u->coming.unasked = false;
  u->coming.line = u->coming.lost = 0;
  am_clear(m);
}

void am_put_errors(void *model, unsigned count, uint64_t line, bool unasked) {
  struct am_state *s = &((struct am_model *)model)->s;
  s->lost = count;
  s->lost_line = line;
  s->unasked = unasked;
}

void am_unit_outputs(const struct am_model *m, uint32_t *out) {
  struct simt_context_unit u = {.can_halt = false};
  if (m->l.status) {
    u = offers(m);
    out[m->idle_at] = m->s.unit.idle;
  }
  simt_shell_outputs(shell(m), u, out);
  if (m->l.status && !m->l.drains) out[shell(m)->ctx_at.cmd_ready] = 0;
}
