/* SPDX-License-Identifier: Apache-2.0 */
/* status.c: the tracker model as a unit of a front end: what it says of itself (docs/tracker_design.md, "A unit"). */
#include "tracker/cycle.h"

typedef struct trk_model model;

static bool input_moves(const model *m) {
  const struct trk_run *r = &m->r;
  bool moves = r->insert || (r->held.valid && r->held.final) || r->apply_turn;
  for (unsigned i = 0; i < 3; i++) moves |= trk_pipe(m, i)->valid || trk_pipe(m, i)->fast || r->lane[i].valid;
  return moves || r->f1.valid || r->f2.valid;
}

/* Something is under way, the selectors of commit and the walker apart. */
bool trk_moves(const model *m) {
  const struct trk_run *r = &m->r;
  bool moves = input_moves(m) || r->clearing || r->applies || r->applied || r->report || r->free;
  for (unsigned i = 0; i < 4; i++) moves |= r->c[i].valid;
  for (unsigned i = 0; i < m->l.pops; i++) moves |= r->pops[i].valid;
  for (unsigned l = 0; l < m->l.commits; l++) moves |= r->d[l].valid;
  for (unsigned p = 0; p < 2; p++) moves |= r->leaving[p].count != 0;
  for (unsigned i = 0; i < 3; i++) moves |= trk_leave(m, i)->valid || trk_leave(m, i)->report;
  return moves;
}

struct simt_context_unit trk_context_unit(const model *m) {
  struct simt_context_unit u = {.can_halt = m->r.quiet && !m->r.fills, .len = m->l.ctx_max};
  trk_context_offers(m, &u);
  return u;
}

static struct simt_unit_signals signals(const model *m, const uint32_t *in) {
  const struct trk_run *r = &m->r;
  const struct trk_ports *at = &m->at;
  const bool fast = r->fasts.count != 0, closed = trk_closed(m);
  bool would = (in[at->in] && r->in_ready) || (in[at->fast] && r->fast_ready) || (in[at->alloc] && r->alloc_ready);
  bool reads = fast && in[at->fast_out_ready], blocked = fast && !in[at->fast_out_ready], some = fast || r->states.count || r->tokens.count;
  for (unsigned p = 0; p < 2; p++) {
    bool ready = in[at->out[p].ready], here = r->fifo[p].count != 0;
    reads |= here && r->leaving[p].count < TRK_LEAVE_ROOM && ready;
    blocked |= here && !ready;
    some |= here;
  }
  struct simt_unit_signals s = {.in = would && !m->shell.clearing, .out = reads, .proc = trk_moves(m), .work = r->pool || some,
                                .mem = r->fills, .mem_done = in[at->fill], .blocked = blocked};
  s.cannot = !(would || reads || s.proc);
  s.progress = ((would || reads) && !closed) || s.proc;
  return s;
}

void trk_unit_begin(model *m, const uint32_t *in) {
  if (!m->l.status) return;
  simt_shell_begin(&m->shell, trk_context_unit(m), in);
  m->says = signals(m, in);
  m->moves = m->says.proc;
  m->clears = m->r.clearing || m->r.fills;
}

void trk_unit_end(model *m, const uint32_t *in, bool wrong) {
  struct simt_shell_says says = {.clears = m->clears, .wrong = wrong};
  simt_shell_end(&m->shell, &m->says, &says, in);
}
