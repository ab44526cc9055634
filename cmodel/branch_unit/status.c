/* SPDX-License-Identifier: Apache-2.0 */
/* status.c: unit status, halt and context of the branch_unit model, written from docs/branch_unit_status.md. */
#include "branch_unit/state.h"

#include <string.h>

const struct bu_tail bu_no_tail = {.halted = true, .ld_ready = true, .bad = true};

enum { HEAD = 0, FIRST = 1 }; /* fields of a record: its head, then masks and program counters */

void bu_unit_find(struct bu_model *m, const struct simt_config *cfg) {
  const uint32_t of_group = 1 + m->l.lane_words + m->l.pc_words;
  simt_shell_find(&m->u.shell, cfg, m->l.status, BU_UNIT_TYPE, m->l.cfg_hash, (uint32_t)m->l.ctx_max);
  m->u.shape = (struct simt_walk_shape){
    .sections = BU_CTX_TAIL, .records = {1, 2 * m->l.threads, m->l.ring + 1}, .words = {BU_CTX_REGS, of_group, of_group + m->l.pc_words}};
}

void bu_set_tail(void *model, uint32_t unit_type, uint32_t cfg_hash, uint32_t ctx_max) {
  struct bu_model *m = model;
  m->u.shell.port.unit_type = unit_type;
  m->u.shell.port.cfg_hash = cfg_hash;
  m->u.shell.port.ctx_max = ctx_max;
  m->has_tail = true;
}

void bu_unit_reset(struct bu_model *m) {
  struct bu_unit clean = {.shell = m->u.shell, .shape = m->u.shape};
  simt_shell_reset(&clean.shell);
  m->u = clean;
}

static bool can_halt(const struct bu_model *m, const struct bu_tail *tail) {
  return !m->waiting && !m->res_valid && !m->depth_writes && tail->halted;
}

/* ---- the words of a context -------------------------------------------------------------------------- */

static uint32_t word_of(bits128 v, unsigned word) { return (uint32_t)(v >> 32 * word); }

static uint32_t register_word(const struct bu_model *m, unsigned k) {
  const uint32_t word[BU_CTX_REGS] = {m->limit.value, m->reg_group.value, m->error_register, m->error_count};
  return word[k];
}

/* Field k of a record of a mask and program counters behind its head. */
static uint32_t flow_word(const struct bu_model *m, unsigned k, bits128 mask, uint64_t pc, uint64_t next) {
  unsigned masks = m->l.lane_words, pcs = m->l.pc_words;
  k -= FIRST;
  if (k < masks) return word_of(mask, k);
  return k < masks + pcs ? word_of(pc, k - masks) : word_of(next, k - masks - pcs);
}

/* A group has two records: the second is that of its error. */
static uint32_t group_word(const struct bu_model *m, const struct simt_walk *at) {
  const struct group *g = &m->group[at->record / 2];
  bool known = g->live || g->stopped;
  if (at->record % 2) {
    if (!g->stopped) return 0;
    if (at->word == HEAD) return (uint32_t)g->token_kind << 8 | (uint32_t)g->error_kind << 4 | (uint32_t)g->error;
    return flow_word(m, at->word, g->token.mask, g->token.pc, 0);
  }
  if (at->word == HEAD)
    return (uint32_t)g->live | (uint32_t)g->stopped << 1 | (uint32_t)g->synced << 2 | (known ? g->depth << 8 : 0);
  return known ? flow_word(m, at->word, g->now.mask, g->now.pc, 0) : 0;
}

/* The instructions under way: those of the ring, each when it is in C; then that of B. */
static uint32_t slot_word(const struct bu_model *m, const struct simt_walk *at) {
  const struct result *c = &m->ring[m->at];
  const bool b = at->record == m->l.ring, valid = b ? m->b.valid : c->valid, half = b ? m->b.judged : c->half;
  const struct instruction *i = b ? &m->b : &c->of;
  uint32_t error = b ? (m->b.over ? BU_OVERFLOW : BU_DONE) : half ? (uint32_t)m->bad[m->at] : (uint32_t)c->error;
  if (!valid) return 0;
  if (at->word == HEAD)
    return 1u | (uint32_t)i->set << 1 | (uint32_t)i->pop << 2 | (uint32_t)half << 3 | (uint32_t)i->kind << 4 | error << 8 |
           i->group << 16;
  return flow_word(m, at->word, i->mask, i->target, i->next);
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

static void empty_ring(struct bu_model *m) {
  for (unsigned i = 0; i < m->l.ring; i++) {
    m->ring[i].valid = false;
    m->bad[i] = BU_DONE;
  }
}

static bool load_register(struct bu_model *m, unsigned k, uint32_t v) {
  switch (k) {
  case 0:
    m->b.valid = false;
    empty_ring(m);
    m->limit.coming = v;
    return v <= m->l.max_depth;
  case 1: m->reg_group.coming = v; return v < m->l.threads;
  case 2: m->error_register = v >> 31 ? v & (0x80077000u | ((1u << m->l.thread_w) - 1)) : 0; return true;
  default: m->error_count = v & 0xffff; return true;
  }
}

static void load_flow(const struct bu_model *m, struct flow *to, unsigned k, uint32_t v) {
  k -= FIRST;
  if (k < m->l.lane_words) to->mask = with_word(to->mask, k, v, m->l.lanes);
  else to->pc = pc_word(m, to->pc, k - m->l.lane_words, v);
}

static bool load_group(struct bu_model *m, const struct simt_walk *at, uint32_t v) {
  struct group *g = &m->group[at->record / 2];
  if (at->word != HEAD) {
    load_flow(m, at->record % 2 ? &g->token : &g->now, at->word, v);
    return true;
  }
  if (at->record % 2) {
    g->token_kind = (enum bu_token)(v >> 8 & 3);
    g->error_kind = (enum bu_kind)(v >> 4 & 7);
    g->error = (enum bu_status)(v & 7);
    return true;
  }
  g->busy = false;
  g->live = v & 1;
  bu_map(m, at->record / 2);
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
  bool good = !g->busy && (g->live || i->kind == BU_LAUNCH) && u->slot_error != BU_NOT_EXECUTED;
  if (i->group >= m->l.threads) return false;
  g->busy = true;
  bu_map(m, i->group);
  if (slot == m->l.ring) {
    m->b = *i;
    m->b.judged = u->slot_half;
    m->b.over = u->slot_error == BU_OVERFLOW;
    return good;
  }
  struct result n = {0};
  bu_decide(m, i, &n);
  n.error = u->slot_half ? BU_DONE : u->slot_error;
  if (n.error) n.op = BU_NO_OP;
  if (n.error || u->slot_half) n.first = false;
  n.half = u->slot_half;
  const unsigned place = (m->at + slot) % m->l.ring;
  if (u->slot_half) m->bad[place] = u->slot_error;
  m->ring[place] = n;
  return good;
}

static bool load_slot(struct bu_model *m, const struct simt_walk *at, uint32_t v) {
  struct bu_unit *u = &m->u;
  struct instruction *i = &u->slot;
  unsigned k = at->word - FIRST, masks = m->l.lane_words, pcs = m->l.pc_words;
  if (at->word == HEAD) {
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
  return !simt_walk_ends(at, &u->shape) || enter_slot(m, at->record);
}

/* A word of a context comes in; whether it is one that no save writes here. */
static bool load_word(struct bu_model *m, uint32_t v, bool last, bool tail_bad) {
  const struct simt_walk *at = &m->u.at;
  const bool ends_here = simt_walk_last(at, &m->u.shape) && !m->has_tail;
  bool good = false;
  switch (at->section) {
  case BU_CTX_REGISTERS: good = load_register(m, at->word, v); break;
  case BU_CTX_GROUPS: good = load_group(m, at, v); break;
  case BU_CTX_SLOTS: good = load_slot(m, at, v); break;
  default: return last && tail_bad;
  }
  return !good || (last && !ends_here);
}

/* ---- a cycle ------------------------------------------------------------------------------------------- */

struct simt_context_unit bu_context_unit(const struct bu_model *m, const struct bu_tail *tail) {
  const struct bu_unit *u = &m->u;
  const struct simt_walk *at = &u->at;
  bool own = at->section < BU_CTX_TAIL, looks = m->reg_waits && bu_may_read(m); /* at another group */
  bool saves = u->shell.port.r.save && (own ? at->settled && !looks : tail->sav_valid);
  struct simt_context_unit c = {.can_halt = can_halt(m, tail), .sav_valid = saves, .ld_ready = own || tail->ld_ready};
  c.len = (uint32_t)m->l.ctx_max + tail->len;
  c.sav_last = m->has_tail ? !own && tail->sav_last : simt_walk_last(at, &u->shape);
  if (saves)
    c.sav_data = !own ? tail->sav_data : at->section == BU_CTX_REGISTERS ? register_word(m, at->word)
               : at->section == BU_CTX_GROUPS ? group_word(m, at) : slot_word(m, at);
  return c;
}

struct bu_tail_view bu_view_tail(const void *model, bool tail_halted) {
  const struct bu_model *m = model;
  const struct simt_context_registers *r = &m->u.shell.port.r;
  const struct bu_tail tail = {.halted = tail_halted};
  return (struct bu_tail_view){
    .save = r->save, .load = r->load, .abort = r->abort, .done = r->done,
    .ld_valid = simt_context_gives(&m->u.shell.port, bu_halted(m)) && m->u.at.section == BU_CTX_TAIL, .ld_last = r->left == 1,
    .ld_refused = m->u.shell.wrong, .ld_data = r->word, .ld_len = r->len - (uint32_t)m->l.ctx_max,
    .takes_command = r->phase == SIMT_CONTEXT_IDLE && !r->done && bu_halted(m) && !m->u.shell.clearing && can_halt(m, &tail)};
}

bool bu_takes_tail(const void *model, const uint32_t *in, const struct bu_tail *tail) {
  const struct bu_model *m = model;
  const struct simt_unit_shell *s = &m->u.shell;
  struct simt_context_unit unit = simt_shell_unit(s, bu_context_unit(m, tail));
  return m->u.at.section == BU_CTX_TAIL && simt_context_to_unit(&s->port, &unit, &s->ctx_at, in).sav_taken;
}

/* What the unit says of this cycle. */
static struct simt_unit_signals signals(const struct bu_model *m, const uint32_t *in, bool would, const struct bu_tail *tail) {
  const struct result *c = &m->ring[m->at];
  bool closed = m->u.shell.closed, waits = m->b.valid;
  for (unsigned i = 0; i < m->l.ring; i++) waits |= m->ring[i].valid;
  bool goes = c->valid && !closed && bu_operation_taken(m, in), asks = c->valid && (c->first || c->op != BU_NO_OP);
  bool b_goes = m->b.valid && !bu_comes_round(m) && !closed, answers = m->u.answers;
  bool stream = !m->has_tail; /* operations leave the unit */
  struct simt_unit_signals s = {
    .in = would && !simt_shell_moves(&m->u.shell),
    .out = m->res_valid || (stream && asks && (goes || bu_halted(m))),
    .proc = b_goes || goes || answers || m->depth_writes || tail->active,
    .work = waits,
    .mem = tail->mem, .mem_done = tail->mem_done, .nack = tail->nack,
    .blocked = tail->blocked || (stream && asks && !closed && !goes)};
  s.cannot = !(s.in || b_goes || goes || answers || tail->active);
  s.progress = (would && !closed) || m->res_valid || (asks && goes) || s.proc || tail->moves;
  return s;
}

void bu_unit_begin(struct bu_model *m, const uint32_t *in, bool would, const struct bu_tail *tail) {
  struct bu_unit *u = &m->u;
  u->answers = m->waiting != 0;
  simt_shell_begin(&u->shell, bu_context_unit(m, tail), in);
  u->says = signals(m, in, would, tail);
}

/* What is under way is dropped; what waits for answers of the stack goes on, and is dropped when they come. */
static void clear(struct bu_model *m) {
  m->b.valid = m->res_valid = m->depth_writes = false;
  empty_ring(m);
  m->error_register = m->error_count = 0;
  for (unsigned g = 0; g < m->l.threads; g++)
    m->group[g].busy = m->group[g].live = m->group[g].stopped = m->group[g].synced = false;
  memset(m->live, 0, sizeof m->live);
  memset(m->busy, 0, sizeof m->busy);
}

void bu_unit_end(struct bu_model *m, const uint32_t *in, const struct bu_tail *tail) {
  struct bu_unit *u = &m->u;
  const struct simt_context_to_unit *to = &u->shell.to;
  struct simt_shell_says says = {.clears = u->answers, .nack_load = tail->nacked,
                                 .nack_clear = !u->shell.port.r.load && !tail->nacked};
  const bool turns = to->sav_taken && u->at.section == BU_CTX_SLOTS && u->at.record < m->l.ring && simt_walk_ends(&u->at, &u->shape);
  if (turns) m->at = bu_next_place(m);
  if (to->ld_taken) says.wrong = load_word(m, to->ld_data, to->ld_last, tail->bad);
  if (bu_clears(m)) clear(m);
  simt_walk_step(&u->at, &u->shape, simt_shell_moves(&u->shell), to->sav_taken || to->ld_taken, m->reg_read);
  simt_shell_end(&u->shell, &u->says, &says, in);
}
