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
  const bool any = m->s->k.work || m->s->k.done;
  return any || m->s->answers;
}

struct simt_unit_signals cc_unit_signals(const struct cc_model *m, const uint32_t *in) {
  const struct cc_state *s = m->s;
  const struct cc_places *at = &m->at;
  const struct simt_unit_shell *shell = &s->u.shell;
  const unsigned words = m->l.sms > 32 ? 2 : 1;
  const bool would = (in[at->cmd_valid] && s->k.ready) || (cc_get(&in[at->rd_valid], words) & s->rd_ready) ||
                     (cc_get(&in[at->done_valid], words) & s->quiet);
  const bool failed = s->l2.read_failed || s->l2.fetch_failed || s->l2.write_failed;
  struct simt_unit_signals u = {
    .in = would && !shell->clearing, .out = leaves(m), .proc = moves(m), .work = !cc_idle(m), .mem = !s->l2.idle,
    .mem_done = s->l2.answered, .nack = failed && !shell->clearing, .blocked = s->l2.q.valid && !in[at->req_ready]};
  u.cannot = !(would || u.proc);
  u.progress = (would && !shell->closed) || u.out || u.proc;
  u.gather = false; /* what it waits for are SMs, and a resume would not move it (US-10) */
  return u;
}

/* The parts have gone on, or were wiped. */
void cc_unit_step(struct cc_model *m, struct cc_before *before, const uint32_t *in) {
  struct cc_unit *u = &m->s->u;
  struct simt_unit_shell *shell = &u->shell;
  const bool load = shell->port.r.load, begins = load && !u->was_load, wipe = u->wipe;
  const unsigned rest = m->l.protocol == CC_COPY ? CC_REST : 0;
  struct simt_shell_says says = {.clears = u->drop || wipe || !before->ready, .wrong = before->wrong};
  cc_context_step(m, before);
  says.nack_load = m->s->r.errors & CC_OF_MEMORY;
  says.nack_clear = !says.nack_load;
  u->wipe = u->drop && u->quiet && !wipe;
  u->drop = simt_shell_clears(shell) || begins || (u->drop && !wipe);
  u->was_load = load;
  u->quiet = !wipe && shell->closed && !before->signals.proc && !before->signals.mem && before->quiet && u->rest == rest;
  u->rest = wipe || !shell->closed ? 0 : u->rest < rest ? u->rest + 1 : rest;
  simt_shell_end(shell, &before->signals, &says, in);
}
