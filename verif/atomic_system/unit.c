/* SPDX-License-Identifier: Apache-2.0 */
/* unit.c: the front end in the environment: it halts, releases and resets the system and asks its registers; what must hold of the
 * reported state and at the ports meanwhile (AM-17, US-3, US-4, US-5, US-7, US-14). */
#include <string.h>

#include "atomic_system/env.h"

enum { NACK_CLEAR = 4, ID = 0x41530001 };
static const char *const shape[] = {NULL};

static void event(void *env, enum simt_front_event what) {
  struct as_env *e = env;
  if (what <= SIMT_FROM_QUIESCENT && e->front.found_many) e->cover[AS_COVER_DRAINED]++;
}

bool as_find_unit(struct as_env *e) {
  struct as_front *u = &e->front;
  simt_reg_ports_bind(&u->reg_at, e->cfg);
  if (!e->status) return true;
  u->desc = (struct simt_front_unit){.type = 0x4153, .number = 3, .ctx_max = 1, .status = e->status, .slots = 1, .shape = shape, .event = event};
  u->on_bus = !simt_find_port(e->cfg, "mem_req_valid_o");
  if (!u->on_bus) {
    u->mem_req = simt_port_word(e->cfg, "mem_req_valid_o");
    u->mem_rsp = simt_port_word(e->cfg, "mem_rsp_ready_o");
  }
  u->own = simt_derived(e->cfg, "HALT_OWN");
  u->clearing = 8 + (unsigned)simt_param(e->cfg, "HOME_ENTRIES") / 8 + (e->l.tid_check ? e->tids : 0);
  return simt_front_create(&u->shell, e->cfg, &u->desc, e);
}

void as_free_unit(struct as_env *e) {
  if (e->front.desc.slots) simt_front_destroy(&e->front.shell);
}

/* As behind rst_i. */
void as_forget_unit(struct as_env *e) {
  struct as_front *u = &e->front;
  u->reg = (struct as_access){.offered = false};
  u->nack = u->nack_written = u->failed = u->drops = u->moved = u->held = u->was_open = u->found_many = false;
  u->since = u->nothing = 0;
  u->clears = u->clearing;
  if (!e->status) return;
  const bool level = u->shell.level;
  simt_front_reset(&u->shell, false);
  u->shell.level = level;
}

void as_drive_unit(struct as_env *e, const struct as_choice *c, uint32_t *in) {
  struct as_front *u = &e->front;
  if (!u->reg.offered && !u->reg.taken && c->access) {
    u->reg.offered = true;
    u->reg.write = c->access >> 1 & 1;
    u->reg.addr = c->access >> 2 & 0x3c;
  }
  in[u->reg_at.valid] = u->reg.offered;
  in[u->reg_at.write] = u->reg.write;
  in[u->reg_at.addr] = u->reg.addr;
  in[u->reg_at.data] = (uint32_t)c->draw;
  if (!e->status) return;
  simt_front_drive(&u->shell, &(struct simt_front_choice){.order = (enum simt_order)c->order}, in);
  in[u->shell.ctx_at.cmd_valid] = c->draw >> 40 & 1; /* is not taken */
  in[u->shell.ctx_at.cmd_load] = c->draw >> 41 & 1;
}

/* ---- what must hold ------------------------------------------------------------------------------------------- */

/* Behind a bus its master is between. */
static bool asked(const struct as_env *e, const uint32_t *out) { return !e->front.on_bus && out[e->front.mem_req]; }
static bool any(const uint32_t *w, unsigned caches) { return w[0] || (caches > 32 && w[1]); }

static unsigned accepted(const struct as_env *e) { /* requests without an answer */
  unsigned n = 0;
  for (unsigned i = 0; i < e->caches; i++) n += e->port[i].n_live;
  return n;
}

static const char *check_ports(const struct as_env *e, const uint32_t *out, bool halted) {
  const struct as_front *u = &e->front;
  const struct simt_context_ports *at = &u->shell.ctx_at;
  if ((simt_front_closed(&u->shell) || u->drops) && any(&out[e->at.req_ready], e->caches)) return "a request is taken under a halt request or behind a reset";
  if (out[at->cmd_ready] || out[at->done] || out[at->out_valid] || out[at->in_ready]) return "a context is moved";
  if (halted && (any(&out[e->at.ans_valid], e->caches) || any(&out[e->at.wit_valid], e->caches))) return "an answer or a report while halted";
  if (halted && (asked(e, out) || (!e->front.on_bus && out[e->front.mem_rsp]))) return "memory is asked, or its answer taken, while halted";
  if (halted && simt_memory_counts(e->memory).under_way) return "halted while memory owes an answer";
  return halted && accepted(e) ? "halted with requests that are not answered" : NULL;
}

static bool waits(const struct as_env *e, const uint32_t *in, const uint32_t *out) {
  bool answers = false;
  for (unsigned i = 0; i < (e->caches + 31) / 32; i++) answers |= (out[e->at.ans_valid + i] & ~in[e->at.ans_ready + i]) != 0;
  return answers || e->front.was_open || simt_memory_counts(e->memory).under_way || asked(e, out);
}

static const char *check_state(struct as_env *e, const uint32_t *in, const uint32_t *out) {
  struct as_front *u = &e->front;
  const enum simt_unit_state state = u->shell.state;
  const bool halted = state == SIMT_HALTED, waiting = waits(e, in, out);
  if (u->clears && !u->shell.ctx_reset) u->clears -= !waiting;
  if (state == SIMT_EMPTY && !u->shell.was_reset && u->held) return "empty with requests under way";
  u->since = !u->shell.halt_req || halted || u->clears ? 0 : u->since + !waiting;
  if (u->since > u->own) return "not halted within HALT_OWN cycles";
  u->nothing = accepted(e) || any(&in[e->at.req_valid], e->caches) || waiting || u->clears ? 0 : u->nothing + 1;
  if (u->nothing > u->own && state != SIMT_EMPTY && !halted) return "not empty with nothing there";
  if (out[u->shell.status_at.gather] || (u->moved && !out[u->shell.status_at.progress])) return "gather_o is 1, or progress_o is 0 behind a transfer";
  return NULL;
}

/* A write of AS_NACK_CLEAR acts in the cycle before its answer. */
static const char *check_nack(struct as_env *e, const uint32_t *out) {
  struct as_front *u = &e->front;
  if (u->nack && u->nack_written && !u->failed) e->cover[AS_COVER_NACK]++;
  u->nack = (u->failed || (u->nack && !u->nack_written)) && !u->shell.was_reset;
  u->nack_written = false;
  return out[u->shell.status_at.nack] != u->nack ? "nack_o is not whether an access failed since it was cleared" : NULL;
}

/* The access is answered in the cycle behind the one in which it acts, so what is taken now acts in the next one. */
static const char *check_registers(struct as_env *e, const uint32_t *in, const uint32_t *out) {
  struct as_front *u = &e->front;
  struct as_access *r = &u->reg;
  const char *bad = NULL;
  const bool clears = e->status && r->write && r->addr == NACK_CLEAR;
  if (out[u->reg_at.rsp]) {
    const bool good = r->write ? clears : r->addr == 0;
    if (!r->taken) bad = "an access of the registers is answered that nobody made";
    else if (out[u->reg_at.rsp_error] == good) bad = "an access of the registers is refused, or taken, wrongly";
    else if (good && !r->write && out[u->reg_at.rsp_data] != ID) bad = "AS_ID is another one";
    r->taken = false;
    u->nack_written = clears;
  }
  if (in[u->reg_at.valid] && out[u->reg_at.ready]) {
    r->offered = false;
    r->taken = true;
    r->write = in[u->reg_at.write];
    r->addr = in[u->reg_at.addr];
  }
  return bad;
}

/* A reset forgets what the caches had; what memory owes is dropped, and then what memory has counts. */
static void edge(struct as_env *e, const uint32_t *in, const uint32_t *out) {
  struct as_front *u = &e->front;
  const struct simt_memory_event *v = simt_memory_answered(e->memory);
  u->was_open = simt_memory_counts(e->memory).under_way != 0;
  u->failed = v && v->error && !u->drops && !u->shell.ctx_reset;
  u->moved = false;
  for (unsigned i = 0; i < (e->caches + 31) / 32; i++)
    u->moved |= (in[e->at.req_valid + i] & out[e->at.req_ready + i]) || (out[e->at.ans_valid + i] & in[e->at.ans_ready + i]);
  u->held = accepted(e) != 0;
  u->drops = u->shell.ctx_reset || (u->drops && (u->was_open || asked(e, out)));
  if (u->shell.ctx_reset) {
    e->cover[AS_COVER_UNIT_RESET] += u->was_open;
    u->clears = u->clearing;
    u->since = u->nothing = 0;
    as_forget(e);
  }
  if (!u->shell.halt_req) u->found_many = in[u->shell.status_at.halt] && accepted(e) >= 4;
  simt_front_step(&u->shell, in);
}

const char *as_see_unit(struct as_env *e, const uint32_t *in, const uint32_t *out) {
  struct as_front *u = &e->front;
  if (!e->status) return check_registers(e, in, out);
  const char *bad = simt_front_state(&u->shell, out);
  const bool halted = u->shell.state == SIMT_HALTED;
  if (!bad) bad = check_state(e, in, out);
  if (!bad) bad = check_ports(e, out, halted);
  if (!bad) bad = check_registers(e, in, out);
  if (!bad) bad = check_nack(e, out);
  if (!bad && halted && u->shell.last != SIMT_HALTED && e->l.witness) {
    bad = as_compare_memory(e, "memory has other contents than the serial order gives, and the system is halted");
    e->cover[AS_COVER_HALTED] += !bad;
  }
  edge(e, in, out);
  return bad;
}
