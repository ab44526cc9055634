/* SPDX-License-Identifier: Apache-2.0 */
/* status.c: an atomic_system as one unit of a front end (AM-17): halt, reset, and what it says of itself; its registers. */
#include "atomic_system/state.h"

static const struct simt_unit_shell *shell(const struct as_model *m) { return &m->unit.s.shell; }

void as_unit_find(struct as_model *m, const struct simt_config *whole) {
  struct as_unit *u = &m->unit;
  const struct simt_config *cache = &m->part[0], *home = &m->part[m->caches];
  u->status = as_status(whole);
  u->desc = &whole->desc;
  simt_shell_find(&u->s.shell, whole, u->status, AS_UNIT_TYPE, 0, 1);
  u->cache.ans_valid = simt_port_word(cache, "ans_valid_o");
  if (!u->status) return;
  u->cache.rst = simt_port_word(cache, "rst_i");
  u->cache.halt = simt_port_word(cache, "cmd_halt_i");
  u->cache.served = simt_port_word(cache, "served_idle_i");
  u->cache.req_valid = simt_port_word(cache, "req_valid_i");
  u->cache.req_ready = simt_port_word(cache, "req_ready_o");
  u->cache.ans_ready = simt_port_word(cache, "ans_ready_i");
  u->cache.state = simt_port_word(cache, "state_o");
  u->cache.idle = simt_port_word(cache, "idle_o");
  u->cache.progress = simt_port_word(cache, "progress_o");
  u->home.rst = simt_port_word(home, "rst_i");
  u->home.idle = simt_port_word(home, "idle_o");
  simt_mem_ports_bind(&u->home.mem, home);
  simt_mem_ports_bind(&u->mem, whole);
  u->req_ready = simt_port_word(whole, "req_ready_o");
  u->ans_valid = simt_port_word(whole, "ans_valid_o");
}

void as_unit_reset(struct as_model *m) {
  struct as_unit_state *s = &m->unit.s;
  simt_shell_reset(&s->shell);
  s->seen = s->served = s->can_halt = s->wipes = false;
  s->due = 0;
}

/* No context is moved: no command is taken, so this is asked for whether it may halt alone. */
static struct simt_context_unit offers(const struct as_model *m) {
  return (struct simt_context_unit){.can_halt = m->unit.s.can_halt, .len = 1};
}

bool as_unit_still(const struct as_model *m) { return m->unit.status && simt_shell_still(shell(m), m->unit.s.can_halt); }

static bool between(const struct as_model *m) {
  for (unsigned i = 0; i < m->caches * CHANNELS * m->stages; i++)
    if (m->stage[i].fifo.level) return true;
  return false;
}

/* What is said of the caches together, and what they are told. */
struct caches { bool offered, given, blocked, works, progress, idle, halted; };

static struct caches look_at_caches(struct as_model *m, bool still, bool resets) {
  const struct as_unit *u = &m->unit;
  struct caches all = {.idle = true, .halted = true};
  for (unsigned i = 0; i < m->caches; i++) {
    const uint32_t *out = simt_parts_out(m->parts, i);
    uint32_t *in = simt_parts_in(m->parts, i);
    const uint32_t state = out[u->cache.state], halted = 1u << SIMT_HALTED, empty = 1u << SIMT_EMPTY; /* one_hot */
    all.offered |= in[u->cache.req_valid] && out[u->cache.req_ready];
    all.given |= out[u->cache.ans_valid] && in[u->cache.ans_ready];
    all.blocked |= out[u->cache.ans_valid] && !in[u->cache.ans_ready];
    all.works |= !(state & (halted | empty));
    all.progress |= out[u->cache.progress] != 0;
    all.idle &= out[u->cache.idle] != 0;
    all.halted &= (state & halted) != 0;
    if (shell(m)->closed) in[u->cache.req_valid] = 0;
    if (still) in[u->cache.ans_ready] = 0;
    in[u->cache.halt] = shell(m)->fsm.halt_req;
    in[u->cache.served] = u->s.served;
    in[u->cache.rst] |= resets;
  }
  return all;
}

struct as_unit_now as_unit_begin(struct as_model *m, const uint32_t *in) {
  struct as_unit *u = &m->unit;
  struct as_unit_now now = {.resets = false};
  struct simt_reg_access *a = &u->s.shell.reg;
  const struct simt_reg *r = simt_reg_now(a, u->desc);
  const bool executes = a->busy;
  now.says.nack_clear = executes && a->write && r && r->addr == AS_REG_NACK;
  simt_shell_begin(&u->s.shell, offers(m), in);
  if (executes) simt_reg_answer(a, r != NULL, AS_ID);
  if (!u->status) return now;
  const uint32_t *home = simt_parts_out(m->parts, m->caches);
  uint32_t *home_in = simt_parts_in(m->parts, m->caches);
  const bool halt = shell(m)->fsm.halt_req, clear = simt_shell_clears(shell(m)), drops = shell(m)->clearing, still = as_unit_still(m);
  const bool asks = home[u->home.mem.req_valid] != 0, asked = asks && in[u->mem.req_ready], idle = home[u->home.idle] != 0;
  const bool answered = in[u->mem.rsp_valid] && home[u->home.mem.rsp_ready] && !still, words = between(m);
  now.resets = clear || u->s.wipes;
  const struct caches all = look_at_caches(m, still, now.resets);
  if (still) home_in[u->home.mem.rsp_valid] = 0;
  home_in[u->home.rst] |= now.resets && !asks;
  const bool would = all.offered && !drops;
  now.signals = (struct simt_unit_signals){.in = would, .out = all.given, .proc = all.progress, .work = all.works || !idle || words, .mem = u->s.due != 0,
                                           .mem_done = answered, .nack = answered && in[u->mem.rsp_error] && !drops, .blocked = all.blocked,
                                           .cannot = !(would || all.given || all.progress)};
  now.signals.progress = (would && !shell(m)->closed) || (all.given && !still) || all.progress || asked || answered;
  now.says.clears = u->s.wipes || u->s.due || !idle;
  const bool rests = halt && u->s.seen && !clear && all.idle && idle && !words;
  now.next = (struct as_unit_state){.seen = halt, .served = rests, .can_halt = rests && u->s.served && all.halted, .wipes = now.resets && asks,
                                    .due = u->s.due + asked - answered};
  return now;
}

void as_unit_end(struct as_model *m, struct as_unit_now *now, const uint32_t *in) {
  struct as_unit_state *s = &m->unit.s;
  simt_shell_end(&s->shell, &now->signals, &now->says, in);
  if (!m->unit.status) return;
  simt_context_reset(&s->shell.port);
  now->next.shell = s->shell;
  *s = now->next;
}

void as_unit_outputs(const struct as_model *m, uint32_t *out) {
  const struct as_unit *u = &m->unit;
  simt_shell_outputs(shell(m), offers(m), out);
  if (!u->status) return;
  const bool still = as_unit_still(m);
  out[shell(m)->ctx_at.cmd_ready] = 0;
  for (unsigned i = 0; i < (m->caches + 31) / 32; i++) {
    if (shell(m)->closed) out[u->req_ready + i] = 0;
    if (still) out[u->ans_valid + i] = 0;
  }
  if (still) out[u->mem.rsp_ready] = 0;
}
