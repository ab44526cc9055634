/* SPDX-License-Identifier: Apache-2.0 */
/* status.c: unit status, halt and context of the branch_unit model, written from docs/branch_unit_status.md. */
#include "branch_unit/state.h"

#include <string.h>

const struct bu_tail bu_no_tail = {.halted = true, .ld_ready = true, .bad = true};

enum { HEAD = 0, FIRST = 1 }; /* fields of a record: its head, then masks and program counters */

void bu_unit_find(struct bu_model *m, const struct simt_config *cfg) {
  struct bu_unit *u = &m->u;
  u->port.unit_type = BU_UNIT_TYPE;
  u->port.cfg_hash = m->l.cfg_hash;
  u->port.ctx_max = (uint32_t)m->l.ctx_max;
  u->status_at = simt_find_status_ports(cfg);
  u->ctx_at = simt_find_context_ports(cfg);
}

void bu_set_tail(void *model, uint32_t unit_type, uint32_t cfg_hash, uint32_t ctx_max) {
  struct bu_model *m = model;
  m->u.port.unit_type = unit_type;
  m->u.port.cfg_hash = cfg_hash;
  m->u.port.ctx_max = ctx_max;
  m->has_tail = true;
}

void bu_unit_reset(struct bu_model *m) {
  struct bu_unit *u = &m->u;
  struct bu_unit clean = {.port = u->port, .status_at = u->status_at, .ctx_at = u->ctx_at};
  *u = clean;
  simt_context_reset(&u->port);
}

static bool can_halt(const struct bu_model *m, const struct bu_tail *tail) {
  return !m->u.clearing && !m->waiting && !m->res_valid && !m->depth_writes && tail->halted;
}

/* ---- the words of a context -------------------------------------------------------------------------- */

static uint32_t word_of(bits128 v, unsigned word) { return (uint32_t)(v >> 32 * word); }

static uint32_t register_word(const struct bu_model *m, unsigned k) {
  const uint32_t word[BU_CTX_REGS] = {m->limit, m->reg_group, m->error_register, m->error_count};
  return word[k];
}

/* Field k of a record of a mask and program counters behind its head. */
static uint32_t flow_word(const struct bu_model *m, unsigned k, bits128 mask, uint64_t pc, uint64_t next) {
  unsigned masks = m->l.lane_words, pcs = m->l.pc_words;
  k -= FIRST;
  if (k < masks) return word_of(mask, k);
  return k < masks + pcs ? word_of(pc, k - masks) : word_of(next, k - masks - pcs);
}

static uint32_t group_word(const struct bu_model *m, const struct bu_ctx_at *at) {
  const struct group *g = &m->group[at->group];
  bool known = g->live || g->stopped;
  if (at->half) {
    if (!g->stopped) return 0;
    if (at->k == HEAD) return (uint32_t)g->token_kind << 8 | (uint32_t)g->error_kind << 4 | (uint32_t)g->error;
    return flow_word(m, at->k, g->token.mask, g->token.pc, 0);
  }
  if (at->k == HEAD)
    return (uint32_t)g->live | (uint32_t)g->stopped << 1 | (uint32_t)g->synced << 2 | (known ? g->depth << 8 : 0);
  return known ? flow_word(m, at->k, g->now.mask, g->now.pc, 0) : 0;
}

/* The instructions under way: those of C0, C1, B. */
static uint32_t slot_word(const struct bu_model *m, const struct bu_ctx_at *at) {
  const struct result *c = at->slot == 0 ? &m->c0 : &m->c1;
  const struct instruction *i = at->slot == 2 ? &m->b : &c->of;
  bool valid = at->slot == 2 ? m->b.valid : c->valid, half = at->slot == 0 && c->half;
  uint32_t error = at->slot == 2 ? 0 : half ? (uint32_t)m->bad : (uint32_t)c->error;
  if (!valid) return 0;
  if (at->k == HEAD)
    return 1u | (uint32_t)i->set << 1 | (uint32_t)i->pop << 2 | (uint32_t)half << 3 | (uint32_t)i->kind << 4 | error << 8 |
           i->group << 16;
  return flow_word(m, at->k, i->mask, i->target, i->next);
}

static unsigned last_field(const struct bu_model *m) {
  const struct bu_ctx_at *at = &m->u.at;
  if (at->part == BU_CTX_REGISTERS) return BU_CTX_REGS - 1;
  return m->l.lane_words + (at->part == BU_CTX_SLOTS ? 2 : 1) * m->l.pc_words;
}

/* The last word of this unit. */
static bool last_own(const struct bu_model *m) {
  const struct bu_ctx_at *at = &m->u.at;
  return at->part == BU_CTX_SLOTS && at->slot + 1 == BU_SLOTS && at->k == last_field(m);
}

/* Moves on by a word; whether it is one of another record. */
static bool advance(struct bu_model *m) {
  struct bu_ctx_at *at = &m->u.at;
  if (at->part == BU_CTX_TAIL) return false;
  if (at->k++ < last_field(m)) return false;
  at->k = 0;
  if (at->part == BU_CTX_REGISTERS) {
    at->part = BU_CTX_GROUPS;
  } else if (at->part == BU_CTX_GROUPS) {
    at->half ^= 1;
    if (!at->half && ++at->group == m->l.threads) at->part = BU_CTX_SLOTS;
  } else if (++at->slot == BU_SLOTS) {
    at->part = BU_CTX_TAIL;
  }
  return true;
}

/* ---- load ---------------------------------------------------------------------------------------------- */

static bits128 with_word(bits128 v, unsigned word, uint32_t data, unsigned width) {
  unsigned at = 32 * word;
  v = (v & ~((bits128)0xffffffff << at)) | (bits128)data << at;
  return width < 128 ? v & (((bits128)1 << width) - 1) : v;
}

static uint64_t pc_word(const struct bu_model *m, uint64_t v, unsigned word, uint32_t data) {
  return (uint64_t)with_word(v, word, data, m->l.pc_w);
}

static bool load_register(struct bu_model *m, unsigned k, uint32_t v) {
  struct bu_unit *u = &m->u;
  switch (k) {
  case 0:
    m->b.valid = m->c0.valid = m->c1.valid = false;
    m->bad = BU_DONE;
    u->limit = v;
    return v <= m->l.max_depth;
  case 1: u->reg_group = v; return v < m->l.threads;
  case 2: m->error_register = v >> 31 ? v & (0x80077000u | ((1u << m->l.thread_w) - 1)) : 0; return true;
  default: m->error_count = v & 0xffff; return true;
  }
}

static void load_flow(const struct bu_model *m, struct flow *to, unsigned k, uint32_t v) {
  k -= FIRST;
  if (k < m->l.lane_words) to->mask = with_word(to->mask, k, v, m->l.lanes);
  else to->pc = pc_word(m, to->pc, k - m->l.lane_words, v);
}

static bool load_group(struct bu_model *m, const struct bu_ctx_at *at, uint32_t v) {
  struct group *g = &m->group[at->group];
  if (at->k != HEAD) {
    load_flow(m, at->half ? &g->token : &g->now, at->k, v);
    return true;
  }
  if (at->half) {
    g->token_kind = (enum bu_token)(v >> 8 & 3);
    g->error_kind = (enum bu_kind)(v >> 4 & 7);
    g->error = (enum bu_status)(v & 7);
    return true;
  }
  g->busy = false;
  g->live = v & 1;
  bu_map(m, at->group);
  g->stopped = v >> 1 & 1;
  g->synced = v >> 2 & 1;
  g->depth = v >> 8 & (uint32_t)(((uint64_t)1 << m->l.count_w) - 1);
  return v >> 8 <= m->l.max_depth && !(g->live && g->stopped) && (g->live || !g->synced);
}

/* The instruction is whole: it takes its place again, with the error that B had found. */
static bool enter_slot(struct bu_model *m, unsigned slot) {
  struct bu_unit *u = &m->u;
  const struct instruction *i = &u->slot;
  if (!i->valid) return true;
  struct group *g = &m->group[i->group < m->l.threads ? i->group : 0];
  bool good = !g->busy && (g->live || i->kind == BU_LAUNCH) && (slot != 1 || m->c0.valid) &&
              (slot == 0 || !u->slot_half) && u->slot_error != BU_NOT_EXECUTED;
  if (i->group >= m->l.threads) return false;
  g->busy = true;
  bu_map(m, i->group);
  if (slot == 2) {
    m->b = *i;
    return good;
  }
  struct result n = {0};
  bu_decide(m, i, &n);
  n.error = u->slot_half ? BU_DONE : u->slot_error;
  if (n.error) n.op = BU_NO_OP;
  if (n.error || u->slot_half) n.first = false;
  n.half = u->slot_half;
  if (u->slot_half) m->bad = u->slot_error;
  *(m->c0.valid ? &m->c1 : &m->c0) = n;
  return good;
}

static bool load_slot(struct bu_model *m, const struct bu_ctx_at *at, uint32_t v) {
  struct bu_unit *u = &m->u;
  struct instruction *i = &u->slot;
  unsigned k = at->k - FIRST, masks = m->l.lane_words, pcs = m->l.pc_words;
  if (at->k == HEAD) {
    *i = (struct instruction){.valid = v & 1, .set = v >> 1 & 1, .pop = v >> 2 & 1, .kind = (enum bu_kind)(v >> 4 & 7),
                              .group = v >> 16 & ((1u << m->l.thread_w) - 1)};
    u->slot_half = v >> 3 & 1;
    u->slot_error = (enum bu_status)(v >> 8 & 7);
  } else if (k < masks) {
    i->mask = with_word(i->mask, k, v, m->l.lanes);
  } else if (k < masks + pcs) {
    i->target = pc_word(m, i->target, k - masks, v);
  } else {
    i->next = pc_word(m, i->next, k - masks - pcs, v);
  }
  return at->k < last_field(m) || enter_slot(m, at->slot);
}

/* A word of a context comes in; whether the payload is inconsistent so far. */
static bool load_word(struct bu_model *m, uint32_t v, bool last, bool tail_bad) {
  struct bu_unit *u = &m->u;
  const struct bu_ctx_at *at = &u->at;
  bool good = !last || (last_own(m) && !m->has_tail);
  switch (at->part) {
  case BU_CTX_REGISTERS: good &= load_register(m, at->k, v); break;
  case BU_CTX_GROUPS: good &= load_group(m, at, v); break;
  case BU_CTX_SLOTS: good &= load_slot(m, at, v); break;
  case BU_CTX_TAIL: return u->bad || tail_bad;
  }
  u->bad |= !good;
  return u->bad;
}

/* ---- a cycle ------------------------------------------------------------------------------------------- */

static struct simt_context_unit context_unit(const struct bu_model *m, const struct bu_tail *tail) {
  const struct bu_unit *u = &m->u;
  const struct bu_ctx_at *at = &u->at;
  bool own = at->part != BU_CTX_TAIL, looks = m->reg_waits && bu_may_read(m); /* at another group */
  bool saves = u->port.r.save && (own ? u->settled && !looks : tail->sav_valid);
  struct simt_context_unit c = {
    .halted = bu_halted(m), .can_halt = can_halt(m, tail), .sav_valid = saves, .ld_ready = own || tail->ld_ready};
  c.len = (uint32_t)m->l.ctx_max + tail->len;
  c.sav_last = m->has_tail ? !own && tail->sav_last : last_own(m);
  if (saves)
    c.sav_data = !own ? tail->sav_data : at->part == BU_CTX_REGISTERS ? register_word(m, at->k)
               : at->part == BU_CTX_GROUPS ? group_word(m, at) : slot_word(m, at);
  return c;
}

struct bu_tail_view bu_view_tail(const void *model, bool tail_halted) {
  const struct bu_model *m = model;
  const struct simt_context_registers *r = &m->u.port.r;
  const struct bu_tail tail = {.halted = tail_halted};
  return (struct bu_tail_view){
    .save = r->save, .load = r->load, .abort = r->abort, .done = r->done, .ld_valid = simt_context_gives(&m->u.port) && m->u.at.part == BU_CTX_TAIL,
    .ld_last = r->left == 1, .ld_data = r->word, .ld_len = r->len - (uint32_t)m->l.ctx_max,
    .takes_command = r->phase == SIMT_CONTEXT_IDLE && !r->done && bu_halted(m) && can_halt(m, &tail)};
}

bool bu_takes_tail(const void *model, const uint32_t *in, const struct bu_tail *tail) {
  const struct bu_model *m = model;
  struct simt_context_unit unit = context_unit(m, tail);
  return m->u.at.part == BU_CTX_TAIL && simt_context_to_unit(&m->u.port, &unit, &m->u.ctx_at, in).sav_taken;
}

static bool moves_context(const struct bu_model *m) { return m->u.port.r.save || m->u.port.r.load; }

/* What the unit says of this cycle. */
static struct simt_unit_signals signals(const struct bu_model *m, const uint32_t *in, bool would, const struct bu_tail *tail) {
  const struct result *c = &m->c0;
  bool closed = m->u.closed, goes = c->valid && !closed && bu_operation_taken(m, in), asks = c->valid && (c->first || c->op != BU_NO_OP);
  bool b_goes = m->b.valid && !m->c1.valid && !closed, answers = m->u.answers;
  bool stream = !m->has_tail; /* operations leave the unit */
  struct simt_unit_signals s = {
    .in = would && !moves_context(m),
    .out = m->res_valid || (stream && asks && (goes || bu_halted(m))),
    .proc = b_goes || goes || answers || m->depth_writes || tail->active,
    .work = m->b.valid || c->valid || m->c1.valid,
    .mem = tail->mem, .mem_done = tail->mem_done, .nack = tail->nack,
    .nack_write = m->u.port.r.commit || m->u.port.r.abort || (!m->u.port.r.load && !tail->nacked),
    .nack_value = m->u.port.r.commit && tail->nacked,
    .blocked = tail->blocked || (stream && asks && !closed && !goes),
    .can_halt = m->u.unit.can_halt};
  s.cannot = !(s.in || b_goes || goes || answers || tail->active);
  s.progress = (would && !closed) || m->res_valid || (asks && goes) || s.proc || tail->moves;
  return s;
}

void bu_unit_begin(struct bu_model *m, const uint32_t *in, bool would, const struct bu_tail *tail) {
  struct bu_unit *u = &m->u;
  u->unit = context_unit(m, tail);
  u->to = simt_context_to_unit(&u->port, &u->unit, &u->ctx_at, in);
  u->answers = m->waiting != 0;
  u->says = signals(m, in, would, tail);
}

/* What waits for answers of the stack goes on, and is dropped when they come. */
static void clear_step(struct bu_model *m) {
  struct bu_unit *u = &m->u;
  if (!bu_clears(m)) {
    u->clearing = u->clearing && u->answers;
    return;
  }
  u->clearing = true;
  m->b.valid = m->c0.valid = m->c1.valid = m->res_valid = m->depth_writes = false;
  m->bad = BU_DONE;
  m->error_register = m->error_count = 0;
  for (unsigned g = 0; g < m->l.threads; g++)
    m->group[g].busy = m->group[g].live = m->group[g].stopped = m->group[g].synced = false;
  memset(m->live, 0, sizeof m->live);
  memset(m->busy, 0, sizeof m->busy);
}

static void context_step(struct bu_model *m, const uint32_t *in, const struct bu_tail *tail) {
  struct bu_unit *u = &m->u;
  bool active = moves_context(m), looks = m->reg_read, moves = u->to.sav_taken || u->to.ld_taken, bad = false;
  if (u->to.ld_taken) bad = load_word(m, u->to.ld_data, u->to.ld_last, tail->bad);
  bool turns = moves && advance(m);
  u->settled = active && !turns && !looks;
  if (u->port.r.commit) {
    m->limit = u->limit;
    m->reg_group = u->reg_group;
  }
  if (!active) {
    u->at = (struct bu_ctx_at){.part = BU_CTX_REGISTERS};
    u->bad = false;
  }
  simt_context_step(&u->port, &u->unit, bad, &u->ctx_at, in);
}

void bu_unit_end(struct bu_model *m, const uint32_t *in, const struct bu_tail *tail) {
  struct bu_unit *u = &m->u;
  clear_step(m);
  context_step(m, in, tail);
  simt_status_step(&u->fsm, &u->says, &u->status_at, in);
  u->closed = u->fsm.halt_req || bu_halted(m) || u->fsm.ctx_reset || u->clearing;
}

void bu_unit_outputs(const struct bu_model *m, const struct bu_tail *tail, uint32_t *out) {
  const struct bu_unit *u = &m->u;
  if (!m->l.status) return;
  struct simt_context_unit unit = context_unit(m, tail);
  simt_status_outputs(&u->fsm, (enum simt_status_encoding)(m->l.status - 1), &u->status_at, out);
  simt_context_outputs(&u->port, &unit, &u->ctx_at, out);
}
