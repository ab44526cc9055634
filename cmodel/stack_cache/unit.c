/* SPDX-License-Identifier: Apache-2.0 */
/* unit.c: the stack_cache model as a unit of a front end (STATUS): gate, flush, reset, context, what it says of itself
 * (docs/stack_cache_design.md, "STATUS"). */
#include "stack_cache/state.h"

enum { LAST_OF_FETCH = 3 };

void sc_unit_reset(struct sc_model *m) {
  struct sc_unit *u = &m->u;
  simt_shell_reset(&u->shell);
  *u = (struct sc_unit){.shell = u->shell};
}

/* ---- what it offers ------------------------------------------------------------------------------------------- */

static bool is_thread(const struct sc_model *m) { return m->u.place < m->l.threads; }
static bool is_last(const struct sc_model *m) { return m->u.place + 1 == m->l.ctx_max; }

static bool takes_word(const struct sc_model *m) {
  const struct sc_unit *u = &m->u;
  if (is_thread(m)) return u->have && m->move.state == SC_IDLE;
  return u->fetch && m->r_.phase == LAST_OF_FETCH;
}

static struct simt_context_unit offers(const struct sc_model *m) {
  const struct sc_unit *u = &m->u;
  return (struct simt_context_unit){.can_halt = u->flushed, .len = (uint32_t)m->l.ctx_max, .sav_valid = u->have, .sav_last = is_last(m),
                                    .sav_data = u->word, .ld_ready = sc_loads(m) && takes_word(m)};
}

void sc_unit_outputs(const struct sc_model *m, uint32_t *out) { simt_shell_outputs(&m->u.shell, offers(m), out); }

static bool op_in(const struct sc_model *m, unsigned ago) { return m->op[(m->cycle - ago) & 3].valid; }

static void signals(struct sc_model *m, const uint32_t *in) {
  const struct sc_ports *p = &m->p;
  struct simt_unit_signals *s = &m->u.signals;
  const unsigned kind = in[p->op_kind_i], t = in[p->op_thread_i];
  const bool lawful = in[p->op_valid_i] && kind < SC_KINDS && t < m->l.threads;
  const bool push = lawful && sc_bit(m->push_ok, t), top = lawful && sc_bit(m->top_ok, t);
  const bool takes = kind == SC_INIT ? push || top : kind == SC_PUSH ? push : top;
  const bool works = op_in(m, 0) || op_in(m, 1) || sc_c(m)->valid || (m->l.out_reg && m->done[sc_done_at(m, 1)].valid);
  const bool asked = m->req_valid && in[m->mem.req_ready], told = in[m->mem.rsp_valid] && sc_answer_ready(m);
  *s = (struct simt_unit_signals){
    .in = takes, .out = m->done[sc_done_at(m, 1 + m->l.out_reg)].valid, .proc = works || (m->move.state != SC_IDLE && !sc_loads(m)),
    .work = m->req_valid || m->u.flush, .mem = m->under_way != 0, .blocked = m->req_valid && !asked};
  s->cannot = lawful && !s->in && !s->proc;
  s->progress = (takes && m->go) || asked || told || s->out || s->proc;
}

/* ---- a cycle -------------------------------------------------------------------------------------------------- */

void sc_unit_begin(struct sc_model *m, const uint32_t *in) {
  struct sc_unit *u = &m->u;
  simt_shell_begin(&u->shell, offers(m), in);
  signals(m, in);
  u->clear = simt_shell_clears(&u->shell);
  u->hold = (u->closed_1 || u->flush) && !u->scan;
  u->walks = m->walk != 0;
  u->idle = !m->go && !op_in(m, 0) && !op_in(m, 1) && !sc_c(m)->valid && m->look.state == SC_P && m->move.state == SC_IDLE &&
            !m->under_way && !u->walks && !u->walk_b && !m->r_.phase;
  u->phase = m->r_.phase;
  u->answered = u->nacked = u->commanded = u->forgets = false;
  u->taken = u->shell.to.sav_taken || u->shell.to.ld_taken;
}

void sc_unit_thread(struct sc_model *m) {
  const uint32_t count = m->u.shell.port.r.word & (uint32_t)simt_ones(m->l.count_w);
  m->thread[m->u.place] = (struct sc_thread){.count = count, .fault = m->u.shell.port.r.word >> 31};
  m->look.kept = 0;
}

/* The words of a context. Whether the one that is taken is one that no save writes there. */
static bool context_step(struct sc_model *m) {
  struct sc_unit *u = &m->u;
  struct sc_registers *r = &m->r_;
  const bool load = sc_loads(m), moves = sc_moves_context(m), thread = is_thread(m), comes = u->shell.to.ld_taken;
  const uint32_t word = u->shell.port.r.word;
  const bool ends = u->fetch && u->phase == LAST_OF_FETCH, good = thread ? (word & 0x7fffffff) <= m->l.max_depth : r->good;
  const bool wrong = comes && (!good || u->shell.to.ld_last != is_last(m));
  const bool begins = moves && simt_shell_halted(&u->shell) && !u->clear && !u->phase && !u->have &&
                      (!load || simt_context_gives(&u->shell.port, true));
  if (comes && !thread && good) sc_register_loaded(m);
  if (load && !u->load1) m->nonempty = m->nonempty_1 = 0;
  if (load && u->fetch && thread && u->phase == 1) m->nonempty += (word & (uint32_t)simt_ones(m->l.count_w)) != 0;
  if (ends) u->word = r->result;
  u->have = ((ends && !(load && !thread)) || u->have) && !u->taken && moves;
  if (ends) u->fetch = false;
  u->place = moves && !u->walks ? u->place + u->taken : 0;
  if (u->shell.port.r.commit) sc_registers_commit(m);
  if (!begins) return wrong;
  u->fetch = true;
  r->phase = 1;
  r->write = false;
  r->addr = SC_REG_BASE_LO + 4 * (u->place - (uint32_t)m->l.threads);
  return wrong;
}

static void flush_step(struct sc_model *m) {
  struct sc_unit *u = &m->u;
  const bool halt = u->shell.fsm.halt_req, ends = u->fin && u->idle, clearing = u->shell.clearing;
  const bool begins = u->commanded || (halt && !u->flushed && !clearing);
  if (ends) u->fin = false;
  else if (u->idle && u->flush && !u->scan && !u->fin && !clearing && !u->clear) {
    u->scan = true;
    m->look.scan = 0;
  }
  if (u->clear) u->scan = u->fin = false;
  u->flush = (begins || u->flush) && !ends && !u->clear;
  u->flushed = halt && (u->flushed || ends);
}

/* A walk, or the cycle in front of it. */
static void walk_step(struct sc_model *m) {
  struct sc_unit *u = &m->u;
  if (u->walks && u->resets) {
    memset(m->thread, 0, m->l.threads * sizeof *m->thread);
    sc_all_bits(m);
    m->nonempty = m->nonempty_1 = 0;
    m->look.kept = 0;
  }
  u->walk_b = u->walks;
  if (!m->walk) u->resets = false;
  if (!u->shell.clearing || u->walks || !u->idle) return;
  u->resets = true;
  m->walk = m->l.threads * m->l.inflight;
  u->place = 0;
}

void sc_unit_end(struct sc_model *m, const uint32_t *in) {
  struct sc_unit *u = &m->u;
  const bool shut = in[u->shell.status_at.halt] || in[u->shell.status_at.reset] || u->shell.closed || u->flush || sc_loads(m) || u->load1 || u->load2;
  struct simt_shell_says says = {.clears = !u->walks || m->walk, .nack_clear = u->forgets};
  u->closed_1 = u->shell.closed;
  u->load2 = u->load1;
  says.wrong = context_step(m);
  u->load1 = sc_loads(m);
  flush_step(m);
  walk_step(m);
  if (u->clear) sc_errors_clear(m);
  says.nack_load = m->r_.error_valid;
  u->signals.mem_done = u->answered;
  u->signals.nack = u->nacked;
  simt_shell_end(&u->shell, &u->signals, &says, in);
  u->shut = shut;
}
