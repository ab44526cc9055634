/* SPDX-License-Identifier: Apache-2.0 */
/* unit.c: the const_cache model as a unit of a front end: what it says of itself, the gate of a halt or a reset. */
#include "const_cache/state.h"

static bool l2_moves(const struct cc_l2 *t) {
  bool moves = t->chosen.valid || t->r.valid || t->f.valid || t->entry[0].valid || t->entry[1].valid || t->ans.valid || t->start.valid;
  for (unsigned i = 1; i <= 5; i++) moves |= t->stage[(t->first + i) & 7].valid;
  return moves;
}

static bool moves(const struct cc_model *m) {
  const struct cc_controller *k = &m->s->k;
  return l2_moves(&m->s->l2) || k->work1 || k->wr1 || k->wr || k->work || k->done || (m->l.protocol == CC_COPY && cc_copy_moves(m));
}

static bool leaves(const struct cc_model *m) {
  bool any = m->s->k.work || m->s->k.done;
  for (unsigned i = 0; i < m->l.sms; i++) any |= m->l1[i].rsp.valid;
  return any;
}

struct simt_unit_signals cc_unit_signals(const struct cc_model *m, const uint32_t *in) {
  const struct cc_state *s = m->s;
  const struct cc_places *at = &m->at;
  const unsigned words = m->l.sms > 32 ? 2 : 1;
  const bool would = (in[at->cmd_valid] && s->k.ready) || (cc_get(&in[at->rd_valid], words) & s->rd_ready) ||
                     (cc_get(&in[at->done_valid], words) & s->quiet);
  struct simt_unit_signals u = {
    .in = would && !s->u.clearing, .out = leaves(m), .proc = moves(m), .work = !cc_idle(m), .mem = !s->l2.idle,
    .mem_done = in[at->rsp_m_valid] && !s->l2.got.valid, .blocked = s->l2.q.valid && !in[at->req_ready],
    .can_halt = s->u.quiet && !s->u.clearing, .nack_write = s->u.port.r.commit || s->u.port.r.abort};
  u.cannot = !(would || u.proc);
  u.progress = (would && !s->u.closed) || u.out || u.proc;
  u.gather = u.work && !u.mem && !u.proc;
  return u;
}

/* The parts have gone on, or were wiped. */
void cc_unit_step(struct cc_model *m, struct cc_before *before, const uint32_t *in) {
  struct cc_unit *u = &m->s->u;
  const struct simt_context_registers *r = &u->port.r;
  const bool clear = u->fsm.ctx_reset || r->abort, begins = r->load && !u->was_load, wipe = u->wipe;
  const unsigned rest = m->l.protocol == CC_COPY ? CC_REST : 0;
  const bool clears = u->drop || wipe || !before->ready, wrong = u->wrong || before->wrong;
  cc_context_step(m, &before->to, before->wrong, before);
  u->wipe = u->drop && u->quiet && !wipe;
  u->drop = clear || begins || (u->drop && !wipe);
  u->was_load = r->load;
  u->quiet = !wipe && u->closed && !before->signals.proc && !before->signals.mem && before->quiet && u->rest == rest;
  u->rest = wipe || !u->closed ? 0 : u->rest < rest ? u->rest + 1 : rest;
  u->clearing = clear || (u->clearing && clears);
  u->wrong = r->load && (before->to.ld_taken ? wrong : u->wrong);
  simt_context_step(&u->port, &before->unit, wrong, &m->ctx_at, in);
  simt_status_step(&u->fsm, &before->signals, &m->status_at, in);
  u->closed = u->fsm.halt_req || u->fsm.state == SIMT_HALTED || u->fsm.ctx_reset || u->clearing;
}
