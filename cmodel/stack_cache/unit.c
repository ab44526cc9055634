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

/* A context comes or goes with the entries: as the second word of its threads says, or as the halt was. */
static unsigned words_of_thread(const struct sc_model *m, bool full) {
  return SC_CTX_HEAD + (full ? m->l.entries * m->l.entry_words : 0);
}

enum sc_word sc_unit_word(const struct sc_model *m) {
  const struct sc_unit *u = &m->u;
  if (u->place >= m->l.threads) return SC_WORD_REGISTER;
  return u->word_of == 0 ? SC_WORD_FIRST : u->word_of == 1 ? SC_WORD_STATE : SC_WORD_ENTRY;
}

static bool is_last(const struct sc_model *m) { return m->u.place == m->l.threads && m->u.regs + 1 == SC_CTX_REGS; }

static bool takes_word(const struct sc_model *m) {
  const struct sc_unit *u = &m->u;
  if (sc_unit_word(m) < SC_WORD_ENTRY) return u->have && m->move.state == SC_IDLE;
  return u->fetch && m->r_.phase == LAST_OF_FETCH;
}

static struct simt_context_unit offers(const struct sc_model *m) {
  const struct sc_unit *u = &m->u;
  return (struct simt_context_unit){.can_halt = u->ready, .len = (uint32_t)(u->bare ? m->l.ctx_bare : m->l.ctx_max), .sav_valid = u->have, .sav_last = is_last(m),
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
  u->was_closed = u->closed_1;
  u->keeps = !m->r_.halt_flush;
  u->hold = (u->was_closed || u->flush) && !u->scan;
  u->walks = m->walk != 0;
  u->idle = !m->go && !op_in(m, 0) && !op_in(m, 1) && !sc_c(m)->valid && m->look.state == SC_P && m->move.state == SC_IDLE &&
            !m->under_way && !u->walks && !u->walk_b && !m->r_.phase && !(m->l.out_reg && m->done[sc_done_at(m, 1)].valid);
  u->phase = m->r_.phase;
  u->answered = u->nacked = u->commanded = u->forgets = false;
  u->taken = u->shell.to.sav_taken || u->shell.to.ld_taken;
}

static uint32_t field(uint32_t word, unsigned from, unsigned width) { return word >> from & (uint32_t)simt_ones(width); }

void sc_unit_thread(struct sc_model *m) {
  const uint32_t word = m->u.shell.port.r.word;
  const unsigned num_w = m->l.nsets_lg + 1;
  struct sc_thread *t = &m->thread[m->u.place];
  if (m->u.word_of == 0) {
    *t = (struct sc_thread){.count = field(word, 0, m->l.count_w), .fault = word >> SC_HEAD_FAULT};
    if (m->l.policy == SC_THRESHOLD) t->burst = field(word, SC_HEAD_BURST, m->l.nsets_lg);
    return;
  }
  t->nd = (uint16_t)field(word, 0, num_w);
  t->nv = (uint16_t)field(word, SC_STATE_NV, num_w);
  t->held = word >> SC_STATE_HELD & 1;
  t->drain = word >> SC_STATE_DRAIN & 1;
  t->off = m->l.flags ? (uint8_t)field(word, SC_STATE_OFF, m->l.set_lg) : 0;
}

/* Where the entry of the place is, and whether its slot holds a valid one: by how far its set lies below the top's. */
static uint8_t *entry_of_place(const struct sc_model *m, bool *valid, unsigned *part) {
  const struct sc_thread *t = &m->look.at;
  const unsigned k = m->u.word_of - SC_CTX_HEAD, slot = k / m->l.entry_words, place = slot & (m->l.set - 1), set = slot >> m->l.set_lg;
  const unsigned below = (unsigned)(sc_end(m, t->count) - 1 - (int32_t)set) & (m->l.nsets - 1), pos = t->count & (m->l.set - 1);
  *part = k % m->l.entry_words;
  *valid = (below < t->nv && !(below == 0 && pos && place >= pos)) || (t->held && below == t->nv + 1u);
  return sc_slot(m, m->u.place, (int32_t)set) + (place << m->l.entry_bytes_lg) + 4 * *part;
}

static unsigned bytes_of_part(const struct sc_model *m, unsigned part) {
  const unsigned left = m->l.entry_bytes - 4 * part;
  return left < 4 ? left : 4;
}

uint32_t sc_unit_reads(const struct sc_model *m) {
  const struct sc_thread *t = &m->look.at;
  uint32_t word = 0;
  unsigned part;
  bool valid;
  switch (sc_unit_word(m)) {
  case SC_WORD_FIRST: return t->count | t->burst << SC_HEAD_BURST | (uint32_t)t->fault << SC_HEAD_FAULT;
  case SC_WORD_STATE:
    if (m->u.bare) return 0;
    return t->nd | (uint32_t)t->nv << SC_STATE_NV | (uint32_t)t->held << SC_STATE_HELD | (uint32_t)t->drain << SC_STATE_DRAIN |
           (uint32_t)t->off << SC_STATE_OFF | 1u << SC_STATE_FULL;
  default: {
    const uint8_t *from = entry_of_place(m, &valid, &part);
    if (valid) memcpy(&word, from, bytes_of_part(m, part));
    return word;
  }
  }
}

/* The word of a thread that is taken: whether a save may have written it; an entry's goes into the storage. */
static bool thread_word_good(struct sc_model *m) {
  const struct sc_thread *t = &m->look.at;
  const uint32_t word = m->u.shell.port.r.word;
  const unsigned num_w = m->l.nsets_lg + 1, low = t->nv + 2u * t->held;
  const uint32_t number = (uint32_t)simt_ones(num_w);
  unsigned part;
  bool valid;
  switch (sc_unit_word(m)) {
  case SC_WORD_FIRST:
    if (m->l.policy == SC_THRESHOLD ? field(word, SC_HEAD_BURST, 10) >= m->l.nsets : field(word, SC_HEAD_BURST, 10) != 0) return false;
    return field(word, 0, SC_HEAD_BURST) <= m->l.max_depth;
  case SC_WORD_STATE: {
    const uint32_t off = m->l.flags ? (uint32_t)simt_ones(m->l.set_lg) << SC_STATE_OFF : 0;
    const uint32_t known = number | number << SC_STATE_NV | off | 1u << SC_STATE_HELD | 1u << SC_STATE_DRAIN | 1u << SC_STATE_FULL;
    if (word & ~known || (!(word >> SC_STATE_FULL) && word)) return false;
    return t->nd <= t->nv && low <= m->l.nsets && low <= (unsigned)sc_end(m, t->count);
  }
  default: {
    uint8_t *to = entry_of_place(m, &valid, &part);
    const unsigned bits = m->l.entry_w - 32 * part;
    if ((!valid && word) || (bits < 32 && word >> bits)) return false;
    memcpy(to, &word, bytes_of_part(m, part));
    return true;
  }
  }
}

/* The place of the word behind the one that moves. */
static void next_place(struct sc_model *m, uint32_t word) {
  struct sc_unit *u = &m->u;
  if (sc_unit_word(m) == SC_WORD_REGISTER) {
    u->regs++;
    return;
  }
  const bool load = sc_loads(m);
  if (u->word_of == 1 && load) u->bare = !(word >> SC_STATE_FULL);
  if (++u->word_of < words_of_thread(m, !u->bare) || u->word_of == 1) return;
  u->word_of = 0;
  u->place++;
}

/* The words of a context. Whether the one that is taken is one that no save writes there. */
static bool context_step(struct sc_model *m) {
  struct sc_unit *u = &m->u;
  struct sc_registers *r = &m->r_;
  const bool load = sc_loads(m), moves = sc_moves_context(m), comes = u->shell.to.ld_taken;
  const enum sc_word kind = sc_unit_word(m);
  const bool thread = kind != SC_WORD_REGISTER, quick = kind >= SC_WORD_ENTRY;
  const uint32_t word = u->shell.port.r.word;
  const bool ends = u->fetch && u->phase == LAST_OF_FETCH, good = !comes ? false : thread ? thread_word_good(m) : r->good;
  const bool wrong = comes && (!good || u->shell.to.ld_last != is_last(m));
  const bool begins = moves && simt_shell_halted(&u->shell) && !u->clear && !u->phase && !u->have && !u->late &&
                      (!load || simt_context_gives(&u->shell.port, true));
  if (comes && !thread && good) sc_register_loaded(m);
  if (load && !u->load1) m->nonempty = m->nonempty_1 = 0;
  if (load && u->fetch && kind == SC_WORD_FIRST && u->phase == 1) m->nonempty += (word & (uint32_t)simt_ones(m->l.count_w)) != 0;
  if (ends) u->word = r->result;
  const bool late = m->l.out_reg && kind == SC_WORD_ENTRY; /* the entry is read a cycle later */
  u->have = ((late ? u->late : ends && !(load && quick)) || u->have) && !u->taken && moves;
  u->late = late && ends && !u->taken && moves;
  if (ends) u->fetch = false;
  if (u->taken && moves) next_place(m, word);
  if (!moves || u->walks) u->place = u->word_of = u->regs = 0;
  if (u->shell.port.r.commit) sc_registers_commit(m);
  if (!begins) return wrong;
  u->fetch = true;
  r->phase = 1;
  r->write = false;
  r->addr = SC_REG_BASE_LO + 4 * u->regs;
  return wrong;
}

static void flush_step(struct sc_model *m) {
  struct sc_unit *u = &m->u;
  const bool halt = u->shell.fsm.halt_req, ends = u->fin && u->idle, clearing = u->shell.clearing;
  const bool keeps = u->keeps, stopped = keeps && u->idle && u->was_closed && !u->flush, flushed = ends && !keeps;
  const bool begins = u->commanded || (halt && !keeps && !u->ready && !clearing);
  if (ends) u->fin = false;
  else if (u->idle && u->flush && !u->scan && !u->fin && !clearing && !u->clear) {
    u->scan = true;
    m->look.scan = 0;
  }
  if (u->clear) u->scan = u->fin = false;
  u->flush = (begins || u->flush) && !ends && !u->clear;
  u->ready = halt && (u->ready || flushed || stopped);
  u->flushed = halt && (u->flushed || flushed);
  u->bare = halt && (u->clear ? u->flushed : u->bare || flushed);
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
  if (simt_shell_halted(&u->shell)) {
    m->look.kept = m->look.hints = m->look.scan = 0;
    m->look.last_ans = m->look.reserved = false;
  }
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
