/* SPDX-License-Identifier: Apache-2.0 */
/* model.c: cycle model of branch_unit, written from docs/branch_unit_design.md; stage and signal names are
 * those of that page. Masks and program counters are kept as 128 and 64 bits here. */
#include "branch_unit/state.h"

#include <stdlib.h>
#include <string.h>

static inline bool bit(const uint32_t *map, unsigned i) { return map[i / 32] >> (i % 32) & 1; }

/* What lies within 64 bits, as it does in a default token, is simple. */
static inline bits128 get_bits(const uint32_t *from, unsigned at, unsigned width) {
  const uint32_t *w = from + at / 32;
  unsigned low = at % 32;
  if (low + width <= 64) {
    uint64_t v64 = w[0] | (low + width > 32 ? (uint64_t)w[1] << 32 : 0);
    return v64 >> low & ~(uint64_t)0 >> (64 - width);
  }
  bits128 v = *w++ >> at % 32;
  for (unsigned have = 32 - at % 32; have < width; have += 32) v |= (bits128)*w++ << have;
  return width < 128 ? v & (((bits128)1 << width) - 1) : v;
}

static inline void put_bits(uint32_t *to, unsigned at, unsigned width, bits128 v) {
  unsigned low = at % 32;
  if (low + width <= 64) {
    uint32_t *w = to + at / 32;
    uint64_t mask = ~(uint64_t)0 >> (64 - width) << low, new = (uint64_t)v << low & mask;
    w[0] = (w[0] & ~(uint32_t)mask) | (uint32_t)new;
    if (low + width > 32) w[1] = (w[1] & ~(uint32_t)(mask >> 32)) | (uint32_t)(new >> 32);
    return;
  }
  for (unsigned i = 0; i < width;) {
    unsigned in_word = (at + i) % 32, n = 32 - in_word < width - i ? 32 - in_word : width - i;
    uint32_t mask = (n < 32 ? (1u << n) - 1 : ~0u) << in_word;
    to[(at + i) / 32] = (to[(at + i) / 32] & ~mask) | ((uint32_t)(v >> i) << in_word & mask);
    i += n;
  }
}

/* All words of a port; no bit of v is beyond its width. */
static inline void put_port(uint32_t *to, unsigned width, bits128 v) {
  to[0] = (uint32_t)v;
  if (width > 32) to[1] = (uint32_t)(v >> 32);
  if (width > 64) to[2] = (uint32_t)(v >> 64);
  if (width > 96) to[3] = (uint32_t)(v >> 96);
}

/* ---- life ------------------------------------------------------------------------------------------- */

void bu_reset(void *model) {
  struct bu_model *m = model;
  size_t from = offsetof(struct bu_model, b);
  uint64_t stat[STATS];
  struct bu_unit unit = m->u; /* its constants are kept */
  memcpy(stat, m->stat, sizeof stat);
  memset((char *)m + from, 0, m->size - from);
  memcpy(m->stat, stat, sizeof stat);
  m->limit.value = (uint32_t)m->l.max_depth;
  m->u = unit;
  bu_unit_reset(m);
}

void *bu_create(const struct simt_config *cfg, struct simt_diag *diag) {
  if (!simt_check_plain(cfg, diag)) return NULL;
  struct bu_layout l;
  bu_layout(cfg->value, &l);
  size_t size = sizeof(struct bu_model) + l.threads * sizeof(struct group);
  struct bu_model *m = calloc(1, size);
  if (!m) {
    simt_fail(diag, "THREADS", "too little memory", "%zu bytes for the model; choose fewer groups", size);
    return NULL;
  }
  m->cfg = cfg;
  m->l = l;
  m->size = size;
  m->words = (l.threads + 31) / 32;
  bu_port_words_bind(&m->p, cfg);
  bu_unit_find(m, cfg);
  bu_reset(m);
  return m;
}

void bu_destroy(void *model) { free(model); }

void bu_parts(void *model, struct simt_image *image) {
  struct bu_model *m = model;
  simt_image_part_with_shell(image, &m->b, m->size - offsetof(struct bu_model, b), &m->u.shell);
}

void bu_stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx) {
  static const char *const name[STATS] = {"instructions", "results", "pushes", "pops", "diverged", "synced", "errors", "waits"};
  const struct bu_model *m = model;
  for (unsigned i = 0; i < STATS; i++) visit(ctx, name[i], m->stat[i]);
}

/* ---- outputs ------------------------------------------------------------------------------------------ */

static inline bool gate(const struct bu_model *m) { return !bu_comes_round(m) & !m->reg_waits; }

static inline void put_token(const struct bu_model *m, uint32_t *to, enum bu_token kind, const struct flow *f) {
  if (m->l.entry_w <= 64) {
    uint64_t all = f->pc | (uint64_t)f->mask << m->l.pc_w | (uint64_t)kind << (m->l.entry_w - 2);
    to[0] = (uint32_t)all;
    if (m->l.entry_w > 32) to[1] = (uint32_t)(all >> 32);
    return;
  }
  put_bits(to, 0, m->l.pc_w, f->pc);
  put_bits(to, m->l.pc_w, m->l.lanes, f->mask);
  put_bits(to, m->l.pc_w + m->l.lanes, 2, kind);
}

/* The rest means nothing without the valid, and is as before then. No branch on what no processor can predict. */
static void put_operation(const struct bu_model *m, uint32_t *out) {
  const struct bu_port_words *p = &m->p;
  const struct result *c = &m->ring[m->at];
  const bool valid = c->valid & (c->first | (c->op != BU_NO_OP)) & !m->u.shell.closed;
  const bool sync = c->first | (c->token_kind == BU_TOKEN_SYNC);
  uint32_t dropped[BU_MAX_ENTRY_WORDS], *data = valid ? out + p->op_data_o : dropped;
  struct flow all = {c->then.mask | c->token.mask, 0};
  const struct flow *token = sync ? &all : &c->token;
  out[p->op_valid_o] = valid;
  out[p->op_kind_o] = !valid ? out[p->op_kind_o] : c->first ? BU_PUSH : c->op;
  out[p->op_thread_o] = valid ? c->group : out[p->op_thread_o];
  put_token(m, data, sync ? BU_TOKEN_SYNC : c->token_kind, token);
}

void bu_outputs_tail(const void *model, const struct bu_tail *tail, uint32_t *out) {
  const struct bu_model *m = model;
  const struct bu_port_words *p = &m->p;
  uint32_t gates = gate(m) && !m->u.shell.closed ? ~UINT32_C(0) : 0, launches = m->kg ? gates : 0;
  for (unsigned w = 0; w < m->words; w++) {
    unsigned left = m->l.threads - 32 * w;
    uint32_t open = m->live[w] & ~m->busy[w] & gates, all = left < 32 ? (UINT32_C(1) << left) - 1 : ~UINT32_C(0);
    out[p->ins_step_o + w] = open;
    out[p->ins_push_o + w] = open & m->kp[w];
    out[p->ins_pop_o + w] = open & m->kt[w];
    out[p->ins_launch_o + w] = ~m->busy[w] & (m->kp[w] | m->kt[w]) & all & launches;
  }
  out[p->res_valid_o] = m->res_valid;
  out[p->res_go_o] = m->res_valid & m->res_go;
  out[p->res_group_o] = m->res.group; /* the last one, without a valid */
  out[p->res_kind_o] = m->res.kind;
  out[p->res_status_o] = m->res.status;
  out[p->res_synced_o] = m->res.synced;
  put_port(out + p->res_mask_o, m->l.lanes, m->res.to.mask);
  put_port(out + p->res_pc_o, m->l.pc_w, m->res.to.pc);
  put_operation(m, out);
  if (m->l.status) simt_shell_outputs(&m->u.shell, bu_context_unit(m, tail), out);
  else simt_shell_output_registers(&m->u.shell, out);
}

void bu_outputs(const void *model, uint32_t *out) { bu_outputs_tail(model, &bu_no_tail, out); }

/* ---- A, B, C ------------------------------------------------------------------------------------------- */

bool bu_live(const void *model, unsigned group) { return ((const struct bu_model *)model)->group[group].live; }

bool bu_synced(const void *model, unsigned group) { return ((const struct bu_model *)model)->group[group].synced; }

enum { /* sets of kinds, a bit each */
  PUSHES = 1 << BU_BRANCH | 1 << BU_CALL | 1 << BU_PREBREAK,
  POPS = 1 << BU_RETURN | 1 << BU_BREAK,
  FLOW = PUSHES | POPS
};
static inline bool kind_is(enum bu_kind kind, unsigned set) { return set >> kind & 1; }

struct presented { bool valid, set, pop; unsigned group; enum bu_kind kind; };

/* The instruction presented, without what B alone needs of it; valid: it is taken unless a halt keeps it out. */
static inline struct presented stage_a(const struct bu_model *m, const uint32_t *in) {
  const struct bu_port_words *p = &m->p;
  const bool exists = in[p->ins_group_i] < m->l.threads;
  const unsigned g = exists ? in[p->ins_group_i] : 0;
  struct presented a = {.group = g, .kind = in[p->ins_kind_i] & 7};
  a.set = in[p->ins_set_sync_i] && kind_is(a.kind, FLOW);
  a.pop = in[p->ins_pop_sync_i] && !m->group[g].synced && a.kind != BU_LAUNCH;
  const bool launch = a.kind == BU_LAUNCH, pushes = a.set | kind_is(a.kind, PUSHES);
  const bool push = !a.pop & pushes, top = a.pop | (!pushes & kind_is(a.kind, POPS));
  const bool can = launch ? m->kg & (bit(m->kp, g) | bit(m->kt, g)) : m->group[g].live & (!push | bit(m->kp, g)) & (!top | bit(m->kt, g));
  a.valid = (in[p->ins_valid_i] & 1) & exists & gate(m) & !bit(m->busy, g) & !bu_clears(m) & !m->u.shell.clearing & can;
  return a;
}

/* It goes into B, in place. */
static inline void enter_b(struct bu_model *m, const struct presented *a, const uint32_t *in) {
  const struct bu_port_words *p = &m->p;
  struct instruction *b = &m->b;
  b->valid = true;
  b->set = a->set;
  b->pop = a->pop;
  b->judged = b->over = false;
  b->group = a->group;
  b->kind = a->kind;
  b->mask = get_bits(in + p->ins_mask_i, 0, m->l.lanes);
  b->target = (uint64_t)get_bits(in + p->ins_target_i, 0, m->l.pc_w);
  b->next = (uint64_t)get_bits(in + p->ins_next_i, 0, m->l.pc_w);
}

static enum bu_status early_error(const struct bu_model *m, const struct instruction *b, uint32_t depth, unsigned pushes) {
  if (b->kind == BU_LAUNCH) return BU_DONE;
  if (b->pop) return depth ? BU_DONE : BU_UNDERFLOW;
  if (b->judged ? b->over : pushes && (uint64_t)depth + pushes > m->limit.value) return BU_OVERFLOW;
  if ((b->kind == BU_RETURN || b->kind == BU_BREAK) && !b->set && !depth) return BU_UNDERFLOW;
  return b->kind == BU_FINISH && depth ? BU_NOT_EMPTY : BU_DONE;
}

void bu_decide(const struct bu_model *m, const struct instruction *b, struct result *n) {
  const struct group *g = &m->group[b->group];
  const bits128 m0 = *(b->kind == BU_LAUNCH ? &b->mask : &g->now.mask);
  const bool goes = !b->pop, branch = (b->kind == BU_BRANCH) & goes, pops = kind_is(b->kind, POPS) & goes;
  const bool takes = m0 & b->mask, diverge = branch & takes & ((m0 & ~b->mask) != 0);
  const bool call = (b->kind == BU_CALL) & goes, prebreak = (b->kind == BU_PREBREAK) & goes, sets = b->set & goes;
  n->valid = true;
  n->pop = b->pop;
  n->half = false;
  n->group = b->group;
  n->kind = b->kind;
  n->error = BU_DONE;
  n->of = *b;
  if (b->pop) n->of.next = g->now.pc;
  n->then.mask = diverge ? m0 & b->mask : m0;
  n->then.pc = *(b->pop ? &g->now.pc : (b->kind == BU_LAUNCH) | call | (branch & takes) ? &b->target : &b->next);
  n->token.mask = diverge ? m0 & ~b->mask : m0;
  n->token.pc = b->kind == BU_PREBREAK ? b->target : b->pop ? g->now.pc : b->next;
  n->token_kind = b->kind == BU_CALL ? BU_TOKEN_CALL : b->kind == BU_PREBREAK ? BU_TOKEN_BRK : BU_TOKEN_DIV;
  n->own = call | prebreak | diverge;
  n->diverges = diverge;
  n->op = b->pop | pops ? BU_POP : b->kind == BU_LAUNCH ? BU_INIT : n->own ? BU_PUSH : BU_NO_OP;
  const bool alone = sets & (n->op == BU_NO_OP); /* the sync token is its only one */
  n->first = sets & !alone;
  n->op = alone ? BU_PUSH : n->op;
  n->token_kind = alone ? BU_TOKEN_SYNC : n->token_kind;
}

/* It stays in B, and what it has been found to be. */
static void judge(struct bu_model *m) {
  struct instruction *b = &m->b;
  struct result n;
  bu_decide(m, b, &n);
  b->over = early_error(m, b, m->group[b->group].depth, (unsigned)(b->set && !b->pop) + n.own) == BU_OVERFLOW;
  b->judged = true;
}

/* In place: what is written in parts and copied at once makes a processor wait. */
static void stage_b(struct bu_model *m, struct result *n) {
  const struct instruction *b = &m->b;
  struct group *g = &m->group[b->group];
  bu_decide(m, b, n);
  unsigned pushes = (unsigned)(b->set && !b->pop) + n->own;
  n->error = early_error(m, b, g->depth, pushes);
  if (n->error) {
    n->first = false;
    n->op = BU_NO_OP;
  } else if (b->kind == BU_LAUNCH) {
    g->depth = 0;
  } else {
    g->depth += pushes;
    g->depth -= n->op == BU_POP;
  }
  m->stat[N_DIVERGED] += n->diverges && !n->error;
}

bool bu_operation_taken(const struct bu_model *m, const uint32_t *in) {
  const struct result *c = &m->ring[m->at];
  const enum bu_op op = c->first ? BU_PUSH : c->op;
  const unsigned push = bit(in + m->p.can_push_i, c->group), top = bit(in + m->p.can_top_i, c->group);
  const unsigned can = push << BU_PUSH | top << BU_POP | (push | top) << BU_INIT;
  return ((in[m->p.can_go_i] & 1 ? can : 0) | 1u << BU_NO_OP) >> op & 1;
}

/* Stage C: into the place of D that R has left. What is not taken, or has another operation to come, keeps its place. */
static void stage_c(struct bu_model *m, const uint32_t *in) {
  struct operation *d = &m->d[m->oldest];
  struct result *c = &m->ring[m->at];
  m->waiting -= d->valid;
  d->valid = false;
  if (m->u.shell.closed || !c->valid) return;
  if (!bu_operation_taken(m, in)) {
    m->stat[N_WAITS]++;
    return;
  }
  d->valid = true;
  d->pop = c->pop;
  d->last = !c->first;
  d->group = c->group;
  d->place = m->at;
  d->kind = c->kind;
  d->error = c->error;
  d->op = c->first ? BU_PUSH : c->op;
  d->then = c->then;
  c->valid = c->half = c->first;
  c->first = false;
  m->waiting++;
  m->stat[N_PUSHES] += d->op == BU_PUSH;
  m->stat[N_POPS] += d->op == BU_POP;
}

/* ---- R --------------------------------------------------------------------------------------------------- */

static enum bu_status answer_status(const struct bu_model *m, const struct operation *r, const uint32_t *in) {
  static const enum bu_status of[] = {BU_DONE, BU_OVERFLOW, BU_UNDERFLOW, BU_FAULT};
  if (r->error) return r->error;
  return r->op == BU_NO_OP ? BU_DONE : of[in[m->p.ans_status_i] & 3];
}

/* What a pop that is ok means: sets where the group goes on. */
static enum bu_status judge_token(const struct operation *r, enum bu_token kind, const struct flow *token, struct flow *to,
                                  bool *synced) {
  bool div = kind == BU_TOKEN_DIV;
  if (r->pop && kind == BU_TOKEN_SYNC) {
    to->mask = token->mask;
    *synced = true;
    return BU_NOT_EXECUTED;
  }
  bool mine = r->pop ? div : div || kind == (r->kind == BU_RETURN ? BU_TOKEN_CALL : BU_TOKEN_BRK);
  if (!mine) return BU_WRONG_KIND;
  *to = *token;
  return r->pop ? BU_NOT_EXECUTED : BU_DONE;
}

static void stop(struct bu_model *m, const struct operation *r, enum bu_status status, enum bu_token kind, const struct flow *token) {
  struct group *g = &m->group[r->group];
  static const struct flow none;
  bool wrong = status == BU_WRONG_KIND;
  g->live = g->synced = false;
  g->stopped = true;
  g->error = status;
  g->error_kind = r->kind;
  g->token_kind = wrong ? kind : 0;
  g->token = wrong ? *token : none;
  if (!(m->error_register >> 31))
    m->error_register = UINT32_C(1) << 31 | (uint32_t)status << 16 | (uint32_t)r->kind << 12 | r->group;
  if (m->error_count < 0xffff) m->error_count++;
  m->stat[N_ERRORS]++;
}

static void stage_r(struct bu_model *m, const uint32_t *in) {
  const struct operation *r = &m->d[m->oldest];
  const struct bu_port_words *p = &m->p;
  m->res_valid = false;
  if (!r->valid || bu_clears(m) || m->u.shell.clearing) return;
  enum bu_status *bad = &m->bad[r->place], status = *bad ? *bad : answer_status(m, r, in);
  *bad = r->last ? BU_DONE : status;
  if (!r->last) return;
  struct group *g = &m->group[r->group];
  struct flow to = r->then, token = {0};
  enum bu_token kind = 0;
  bool synced = false;
  if (status == BU_DONE && r->op == BU_POP) {
    token.pc = (uint64_t)get_bits(in + p->ans_data_i, 0, m->l.pc_w);
    token.mask = get_bits(in + p->ans_data_i, m->l.pc_w, m->l.lanes);
    kind = (enum bu_token)get_bits(in + p->ans_data_i, m->l.pc_w + m->l.lanes, 2);
    status = judge_token(r, kind, &token, &to, &synced);
  }
  g->busy = false;
  if (status > BU_NOT_EXECUTED) {
    stop(m, r, status, kind, &token);
  } else {
    g->now = to;
    g->synced = synced;
    if (r->kind == BU_LAUNCH) g->live = true, g->stopped = false;
    if (r->kind == BU_FINISH && !r->pop) g->live = false;
    m->stat[N_SYNCED] += synced;
  }
  bu_map(m, r->group);
  m->stat[N_RESULTS]++;
  m->res_valid = true;
  m->res.group = r->group;
  m->res.kind = r->kind;
  m->res.status = status;
  m->res.synced = synced;
  m->res.to = to;
  m->res_go = status <= BU_NOT_EXECUTED && (r->kind != BU_FINISH || r->pop);
}

/* ---- registers --------------------------------------------------------------------------------------------- */

static bool reads_ram(uint32_t addr) {
  return addr == BU_REG_GROUP_STATE || addr == BU_REG_DEPTH || (addr >= BU_REG_PC && addr < BU_REG_LIVE);
}

static uint32_t word_of(bits128 v, uint32_t addr, uint32_t first) { return (uint32_t)(v >> 8 * (addr - first)); }

/* Registers that are read from RAM; addresses that do not exist read 0 here and are refused. */
static bool read_group(const struct bu_model *m, uint32_t *data) {
  const struct group *g = &m->group[m->reg_group.value];
  uint32_t a = m->u.shell.reg.addr, lanes_end = 4 * m->l.lane_words, pc_end = m->l.pc_w > 32 ? 8 : 4;
  struct flow now = {0}, token = {0};
  if (g->live || g->stopped) now = g->now;
  if (g->stopped) token = g->token;
  if (a == BU_REG_GROUP_STATE)
    *data = (uint32_t)g->live | (uint32_t)g->stopped << 1 | (uint32_t)g->synced << 2 | (uint32_t)g->busy << 3;
  else if (a == BU_REG_DEPTH) *data = g->live || g->stopped ? g->depth : 0;
  else if (a >= BU_REG_PC && a < BU_REG_PC + pc_end) *data = word_of(now.pc, a, BU_REG_PC);
  else if (a == BU_REG_ERROR_STATUS)
    *data = g->stopped ? (uint32_t)g->token_kind << 8 | (uint32_t)g->error_kind << 4 | (uint32_t)g->error : 0;
  else if (a >= BU_REG_ERROR_PC && a < BU_REG_ERROR_PC + pc_end) *data = word_of(token.pc, a, BU_REG_ERROR_PC);
  else if (a >= BU_REG_MASK && a < BU_REG_MASK + lanes_end) *data = word_of(now.mask, a, BU_REG_MASK);
  else if (a >= BU_REG_ERROR_MASK && a < BU_REG_ERROR_MASK + lanes_end) *data = word_of(token.mask, a, BU_REG_ERROR_MASK);
  else return false;
  return true;
}

static uint32_t flags_word(const struct bu_model *m, unsigned word, bool stopped) {
  uint32_t v = 0;
  for (unsigned g = 32 * word; g < m->l.threads && g < 32 * word + 32; g++)
    v |= (uint32_t)(stopped ? m->group[g].stopped : m->group[g].live) << g % 32;
  return v;
}

static uint32_t status_word(const struct bu_model *m) {
  uint32_t live = 0, stopped = 0;
  for (unsigned w = 0; w < m->words; w++) live |= flags_word(m, w, false), stopped |= flags_word(m, w, true);
  return (uint32_t)!live | (uint32_t)(stopped != 0) << 1 | m->error_register >> 31 << 2;
}

static bool read_register(const struct bu_model *m, uint32_t *data) {
  uint32_t a = m->u.shell.reg.addr;
  if (a >= BU_REG_LIVE && a < BU_REG_LIVE + 4 * m->words) {
    *data = flags_word(m, (a - BU_REG_LIVE) / 4, false);
    return true;
  }
  if (a >= BU_REG_STOPPED && a < BU_REG_STOPPED + 4 * m->words) {
    *data = flags_word(m, (a - BU_REG_STOPPED) / 4, true);
    return true;
  }
  switch (a) {
  case BU_REG_ID: *data = BU_ID; return true;
  case BU_REG_STATUS: *data = status_word(m); return true;
  case BU_REG_LIMIT: *data = m->limit.value; return true;
  case BU_REG_GROUP: *data = m->reg_group.value; return true;
  case BU_REG_ERROR: *data = m->error_register; return true;
  case BU_REG_ERROR_COUNT: *data = m->error_count; return true;
  default: return false;
  }
}

/* Effects are put off to the end of the cycle: B of this cycle still sees the old limit. */
struct write { bool limit, group, error, commit; };

static bool write_register(const struct bu_model *m, struct write *w) {
  const struct simt_reg_access *a = &m->u.shell.reg;
  switch (a->addr) {
  case BU_REG_LIMIT: return w->limit = true;
  case BU_REG_GROUP: return w->group = a->data < m->l.threads;
  case BU_REG_ERROR: return w->error = true;
  default: return false;
  }
}

/* The RAM has time for a register read: nothing is in B or C, or all stands still. */
bool bu_may_read(const struct bu_model *m) {
  const struct operation *r = &m->d[m->oldest];
  if (m->u.shell.closed) return m->u.shell.fsm.halt_req && bu_halted(m) && !m->u.shell.port.r.load && !bu_clears(m);
  return !m->b.valid && !m->depth_writes && !(r->valid && r->last);
}

/* The cycle of an access under way, from the state before the cycle. */
static struct write registers(struct bu_model *m) {
  struct write w = {0};
  struct simt_reg_access *a = &m->u.shell.reg;
  uint32_t data = 0;
  bool ok;
  if (!a->busy) return w;
  if (m->reg_waits) {
    if (!bu_may_read(m)) return w;
    m->reg_waits = false;
    m->reg_read = true;
    return w;
  }
  if (m->reg_read) ok = read_group(m, &data);
  else if (a->addr & 3) ok = false;
  else ok = a->write ? write_register(m, &w) : read_register(m, &data);
  m->reg_read = false;
  simt_reg_answer(a, ok, data);
  return w;
}

static void commit_write(struct bu_model *m, const struct write *w) {
  const uint32_t data = m->u.shell.reg.data, most = (uint32_t)m->l.max_depth;
  simt_runtime_step(&m->limit, w->limit, data < most ? data : most, w->commit);
  simt_runtime_step(&m->reg_group, w->group, data, w->commit);
}

void bu_step_tail(void *model, const uint32_t *in, const struct bu_tail *tail) {
  struct bu_model *m = model;
  const struct bu_port_words *p = &m->p;
  if (in[p->rst_i]) {
    bu_reset(m);
    return;
  }
  struct presented a = stage_a(m, in);
  if (m->l.status) bu_unit_begin(m, in, a.valid, tail);
  else simt_shell_begin_registers(&m->u.shell, in);
  a.valid = a.valid && !m->u.shell.closed;
  struct write w = registers(m);
  w.commit = m->u.shell.port.r.commit || (m->u.shell.port.r.abort && tail->whole);
  if (w.error) m->error_register = m->error_count = 0;
  stage_r(m, in);
  bool holds = m->b.valid && (bu_comes_round(m) || m->u.shell.closed), goes = m->b.valid && !holds;
  if (holds && !m->u.shell.closed && !m->b.judged) judge(m);
  stage_c(m, in);
  if (!bu_halted(m)) m->at = bu_next_place(m);
  if (goes) stage_b(m, &m->ring[m->at]);
  m->depth_writes = goes && !m->ring[m->at].error;
  m->oldest = m->oldest + 1 < m->l.latency ? m->oldest + 1 : 0;
  if (!holds) m->b.valid = false;
  if (a.valid) { /* B does not hold then */
    enter_b(m, &a, in);
    m->group[a.group].busy = true;
    bu_map(m, a.group);
    m->stat[N_INSTRUCTIONS]++;
  }
  commit_write(m, &w);
  if (m->l.status) bu_unit_end(m, in, tail);
  else simt_shell_end_registers(&m->u.shell, in);
  const struct simt_reg_access *reg = &m->u.shell.reg;
  if (m->u.shell.takes) m->reg_waits = !reg->write && !(reg->addr & 3) && reads_ram(reg->addr);
  for (unsigned i = 0; i < m->words; i++) {
    m->kp[i] = in[p->can_push_i + i];
    m->kt[i] = in[p->can_top_i + i];
  }
  m->kg = in[p->can_go_i] & 1;
}

void bu_step(void *model, const uint32_t *in) { bu_step_tail(model, in, &bu_no_tail); }
