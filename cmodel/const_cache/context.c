/* SPDX-License-Identifier: Apache-2.0 */
/* context.c: the words of a context of const_cache (docs/const_cache_design.md, "Save and restore"), saved and loaded. */
#include <string.h>

#include "const_cache/state.h"

enum { SOME = 31, KIND = 29, OLD_FAILED = 29, MOST_AGE = 4, CODE_AT = 16 };
#define ADDR_MASK ((1u << KIND) - 1)

/* ---- sections -------------------------------------------------------------------------------------------- */

static enum cc_section section_of(const struct cc_model *m) {
  static const enum cc_section list[3][7] = {
    [CC_BACKUP] = {CC_S_REGS, CC_S_SMS, CC_S_ROWS, CC_S_ENTRIES, CC_S_COMMANDS, CC_S_BEYOND},
    [CC_SHARED] = {CC_S_REGS, CC_S_SMS, CC_S_ROWS, CC_S_COMMANDS, CC_S_BEYOND},
    [CC_COPY] = {CC_S_REGS, CC_S_SMS, CC_S_ROWS, CC_S_LOCKS, CC_S_WORDS, CC_S_COMMANDS, CC_S_BEYOND}};
  return list[m->l.protocol][m->s->x.at.section];
}

static void add(struct simt_walk_shape *s, uint32_t records, uint32_t words) {
  s->records[s->sections] = records;
  s->words[s->sections++] = words;
}

void cc_context_find(struct cc_model *m) {
  const struct cc_layout *l = &m->l;
  struct simt_walk_shape *s = &m->shape;
  const uint32_t line = 1 + l->ctx_line;
  add(s, 1, 5);
  add(s, l->sms, 1);
  add(s, l->l2_rows, line);
  if (l->protocol == CC_BACKUP) add(s, l->sets * l->ways, line + m->l.ctx_mask);
  if (l->protocol == CC_COPY) {
    add(s, l->l1_rows, 1);
    add(s, l->sms * l->l1_rows, line);
  }
  add(s, l->commands, line);
}

/* ---- save ------------------------------------------------------------------------------------------------ */

struct cc_context_record { bool some; unsigned more; uint32_t addr; const struct cc_mask *mask; struct cc_line line; };

/* Words of a line, 32 bits each. */
static uint32_t line_word(const struct cc_model *m, const struct cc_line *line, uint32_t i) {
  uint32_t w[2 * CC_MOST_WORDS] = {0};
  for (unsigned k = 0; k < m->l.words; k++) simt_put_bits(w, k * m->l.word_w, m->l.word_w, line->word[k]);
  return w[i];
}

static uint64_t holders(const struct cc_model *m) {
  const struct cc_controller *k = &m->s->k;
  const uint64_t all = cc_ones(m->l.sms), idle = ~k->active & ~k->hold & all;
  return (k->active & m->s->y.current) | (idle & (m->s->y.n ? m->s->y.current : all));
}

static uint32_t sm_word(const struct cc_model *m) {
  const struct cc_controller *k = &m->s->k;
  const struct cc_context *x = &m->s->x;
  const uint32_t sm = x->at.record;
  if (m->l.protocol == CC_COPY)
    return (uint32_t)x->listed << SOME | (uint32_t)(x->listed && m->s->y.first >> x->list & 1) << 30 | (uint32_t)(holders(m) >> sm & 1) << 29 | (x->listed ? x->list : 0);
  const bool active = k->active >> sm & 1;
  return active | (active && m->l.protocol == CC_BACKUP ? k->version[sm] << CODE_AT : 0);
}

static uint32_t register_word(const struct cc_model *m) {
  const struct cc_state *s = m->s;
  switch (s->x.at.word) {
    case 0: return (uint32_t)s->r.base;
    case 1: return (uint32_t)(s->r.base >> 32);
    case 2: return s->r.errors;
    case 3: return s->r.failed;
    default: return s->k.base_free | (m->l.protocol == CC_BACKUP ? s->k.current : m->l.protocol == CC_COPY ? s->y.ahead : 0) << CODE_AT;
  }
}

static struct cc_context_record find_row(const struct cc_model *m, uint32_t i) {
  const struct cc_l2_row *row = &m->l2_row[i];
  struct cc_context_record r = {.some = row->valid && row->dirty, .addr = row->tag * m->l.l2_rows + i};
  cc_get_words(&r.line, &m->l2_word[i * m->l.words], m->l.words);
  return r;
}

static struct cc_context_record find_entry(const struct cc_model *m, uint32_t i, struct cc_mask *mask) {
  const struct cc_entry *e = &m->entry[i];
  struct cc_context_record r = {.more = e->error, .addr = e->tag * m->l.sets + i / m->l.ways, .mask = mask, .line = e->data};
  for (unsigned j = 0; j < m->mask_words; j++) {
    mask->w[j] = e->mask.w[j] & m->s->k.used.w[j];
    r.some |= mask->w[j] != 0;
  }
  return r;
}

static struct cc_context_record find_lock(const struct cc_model *m, uint32_t i) {
  const struct cc_copy *y = &m->s->y;
  return (struct cc_context_record){.some = m->locked[i].gen == y->gen && y->gen && y->n, .addr = m->locked[i].tag * m->l.l1_rows + i};
}

static struct cc_context_record find_l1(const struct cc_model *m, uint32_t i) {
  const struct cc_copy *y = &m->s->y;
  const unsigned sm = i / m->l.l1_rows, gen = m->l1[sm].gen;
  const struct cc_l1_row *row = &m->l1_row[i];
  const bool has = (m->s->k.active | holders(m)) >> sm & 1;
  struct cc_context_record r = {.some = has && y->n && row->valid && row->gen == gen && y->gen && row->epoch == y->gen, .addr = row->tag * m->l.l1_rows + i % m->l.l1_rows};
  cc_get_words(&r.line, &m->l1_word[i * m->l.words], m->l.words);
  return r;
}

/* The oldest first, with protocol copy those of the stages before the others. */
static struct cc_context_record find_command(const struct cc_model *m, uint32_t i) {
  const struct cc_controller *k = &m->s->k;
  const struct cc_copy *y = &m->s->y;
  const struct cc_command *c = NULL;
  if (m->l.protocol != CC_COPY) {
    if (i < k->count) c = &k->fifo[(k->oldest + i) % CC_FIFO];
  } else {
    const struct cc_look stage[] = {y->e, y->d, {k->c.valid, k->c.is}};
    for (unsigned j = 0; j < 3; j++) {
      if (!stage[j].valid) continue;
      if (i--) continue;
      return (struct cc_context_record){true, (unsigned)stage[j].is.kind, stage[j].is.addr, NULL, stage[j].is.data};
    }
    if (i < k->count) c = &k->fifo[(k->next + i) % CC_FIFO];
  }
  if (!c) return (struct cc_context_record){0};
  return (struct cc_context_record){true, (unsigned)c->kind, c->addr, NULL, c->data};
}

static uint32_t record_word(const struct cc_model *m, enum cc_section section) {
  const struct simt_walk *at = &m->s->x.at;
  struct cc_mask mask = {{0}};
  struct cc_context_record r = {0};
  switch (section) {
    case CC_S_ROWS: r = find_row(m, at->record); break;
    case CC_S_ENTRIES: r = find_entry(m, at->record, &mask); break;
    case CC_S_LOCKS: r = find_lock(m, at->record); break;
    case CC_S_WORDS: r = find_l1(m, at->record); break;
    default: r = find_command(m, at->record); break;
  }
  if (!r.some) return 0;
  if (!at->word) return 1u << SOME | r.more << KIND | r.addr;
  uint32_t word = at->word - 1;
  if (r.mask && word < m->l.ctx_mask) return (uint32_t)(mask.w[word / 2] >> word % 2 * 32);
  return line_word(m, &r.line, r.mask ? word - m->l.ctx_mask : word);
}

/* Whether the controller and the L1s have forgotten what was there. */
static bool cleared(const struct cc_model *m) {
  const struct cc_state *s = m->s;
  const struct cc_unit *u = &s->u;
  return u->was_load && !u->drop && !u->wipe && s->k.init == m->l.init_cycles && !(m->l.protocol == CC_COPY && s->y.clear) && s->quiet == cc_ones(m->l.sms);
}

struct simt_context_unit cc_context_unit(const struct cc_model *m) {
  const struct cc_unit *u = &m->s->u;
  const struct cc_context *x = &m->s->x;
  struct simt_context_unit c = {.can_halt = u->quiet, .len = m->l.ctx_max};
  const struct simt_context_registers *r = &u->shell.port.r;
  c.ld_ready = r->load && cleared(m);
  c.sav_last = simt_walk_last(&x->at, &m->shape);
  if (!r->save) return c;
  const enum cc_section section = section_of(m);
  c.sav_valid = x->age >= (section == CC_S_WORDS ? 4u : section == CC_S_ROWS || section == CC_S_ENTRIES ? 2u : 1u);
  if (c.sav_valid) c.sav_data = section == CC_S_REGS ? register_word(m) : section == CC_S_SMS ? sm_word(m) : record_word(m, section);
  return c;
}

/* ---- load ------------------------------------------------------------------------------------------------ */

static bool bad_register(const struct cc_model *m, uint32_t v) {
  const uint64_t base = cc_ones(m->l.addr_w) & ~cc_ones(m->l.const_w + m->l.lg);
  const unsigned most = m->l.protocol == CC_BACKUP ? m->l.codes - 1 : m->l.protocol == CC_COPY;
  switch (m->s->x.at.word) {
    case 0: return v & ~(uint32_t)base;
    case 1: return v & ~(uint32_t)(base >> 32);
    case 2: return v >> CC_ERRORS;
    case 3: return v >> m->l.const_w;
    default: return v & 0xfffe || v >> CODE_AT > most;
  }
}

static bool bad_sm(const struct cc_model *m, uint32_t v) {
  const struct cc_context *x = &m->s->x;
  const unsigned most = m->l.protocol == CC_BACKUP ? m->l.codes - 1 : 0;
  if (m->l.protocol != CC_COPY) return v & 0xfffe || v >> CODE_AT > most || (!(v & 1) && v);
  const uint32_t sm = v & 0xffff;
  if (v >> 16 & 0x1fff || sm >= m->l.sms) return true;
  if (!(v >> SOME)) return v >> 30 & 1 || sm;
  const bool active = m->s->k.active >> sm & 1 || (x->put_sm && x->head >> SOME && (x->head & 0xffff) == sm);
  return active || x->ended;
}

/* The head of a record that must be of its place: `rows` of them. */
static bool bad_place(const struct cc_model *m, uint32_t v, unsigned rows, uint32_t place) {
  if (!(v >> SOME)) return v;
  return v >> 30 & 1 || (v & ADDR_MASK) >= m->l.constants / m->l.words || (v & (rows - 1)) != place % rows;
}

static bool bad_entry(const struct cc_model *m, uint32_t v) {
  const struct cc_context *x = &m->s->x;
  const uint32_t word = x->at.word;
  if (!word) return bad_place(m, v, m->l.sets, x->at.record / m->l.ways);
  if (word > m->l.ctx_mask || !(x->head >> SOME)) return false;
  return v & ~(uint32_t)(m->s->k.used.w[(word - 1) / 2] >> (word - 1) % 2 * 32);
}

static bool bad_command(const struct cc_model *m, uint32_t v) {
  const struct cc_context *x = &m->s->x;
  const bool full = m->l.protocol == CC_COPY && (m->s->k.count == CC_FIFO || (x->put_command && m->s->k.count == CC_FIFO - 1));
  if (!(v >> SOME)) return v;
  const bool writes = (v >> KIND & 3) == CC_WRITE;
  return x->ended || full || (writes ? (v & ADDR_MASK) >= m->l.constants / m->l.words : (v & ADDR_MASK) >> (m->l.const_w - m->l.off_w) != 0);
}

/* A word behind the head: 0 where the record is not there, and above the bits of a short line. */
static bool bad_body(const struct cc_model *m, uint32_t v) {
  const struct cc_context *x = &m->s->x;
  if (!(x->head >> SOME)) return v;
  return m->l.line_w < 32 && simt_walk_ends(&x->at, &m->shape) && v >> m->l.line_w;
}

static bool bad_word(const struct cc_model *m, uint32_t v, bool last) {
  const struct cc_context *x = &m->s->x;
  const bool first = !x->at.word, locked = v >> SOME;
  const enum cc_section section = section_of(m);
  if (last != simt_walk_last(&x->at, &m->shape)) return true;
  if (!first && section >= CC_S_ROWS && section < CC_S_BEYOND && bad_body(m, v)) return true;
  switch (section) {
    case CC_S_REGS: return bad_register(m, v);
    case CC_S_SMS: return bad_sm(m, v);
    case CC_S_ROWS: return first && (bad_place(m, v, m->l.l2_rows, x->at.record) || v >> OLD_FAILED & 1);
    case CC_S_ENTRIES: return bad_entry(m, v);
    case CC_S_LOCKS: return first && (bad_place(m, v, m->l.l1_rows, x->at.record) || v >> OLD_FAILED & 1 || (locked && !m->s->y.n));
    case CC_S_WORDS: {
      const bool has = (m->s->k.active | holders(m)) >> x->at.record / m->l.l1_rows & 1;
      return first && (bad_place(m, v, m->l.l1_rows, x->at.record) || v >> OLD_FAILED & 1 || (locked && (!m->s->y.n || !has)));
    }
    case CC_S_COMMANDS: return first && bad_command(m, v);
    default: return true;
  }
}

bool cc_context_wrong(const struct cc_model *m) {
  const struct simt_unit_shell *shell = &m->s->u.shell;
  return shell->to.ld_taken && (shell->wrong || bad_word(m, shell->to.ld_data, shell->to.ld_last));
}

/* A word comes in; `wrong`: it, or one before it. */
static void take_word(struct cc_model *m, uint32_t v, bool wrong) {
  struct cc_context *x = &m->s->x;
  const enum cc_section section = section_of(m);
  const bool first = !x->at.word, ends = simt_walk_ends(&x->at, &m->shape);
  if (first) x->head = v;
  else x->body[x->at.word - 1] = v;
  if (first && section == CC_S_REGS) x->base_low = v;
  if (first && (section == CC_S_COMMANDS || (section == CC_S_SMS && m->l.protocol == CC_COPY))) x->ended |= !(v >> SOME);
  if (!ends || wrong) return;
  const bool some = x->head >> SOME;
  x->put_regs = section == CC_S_REGS;
  x->put_sm = section == CC_S_SMS;
  x->put_row = section == CC_S_ROWS && some;
  x->put_entry = section == CC_S_ENTRIES && some;
  x->put_lock = section == CC_S_LOCKS && some;
  x->put_word = section == CC_S_WORDS && some;
  x->put_command = section == CC_S_COMMANDS && some;
}

static struct cc_line coming_line(const struct cc_model *m, unsigned from) {
  struct cc_line line = {{0}};
  for (unsigned k = 0; k < m->l.words; k++) line.word[k] = simt_get_bits(&m->s->x.body[from], k * m->l.word_w, m->l.word_w);
  return line;
}

bool cc_context_command(struct cc_model *m, struct cc_command *to) {
  const struct cc_context *x = &m->s->x;
  if (!x->put_command) return false;
  *to = (struct cc_command){(enum cc_kind)(x->head >> KIND & 3), x->head & ADDR_MASK, coming_line(m, 0)};
  return true;
}

static void put_sm(struct cc_model *m) {
  struct cc_controller *k = &m->s->k;
  struct cc_copy *y = &m->s->y;
  const struct cc_context *x = &m->s->x;
  const uint64_t record = UINT64_C(1) << x->record;
  if (m->l.protocol == CC_COPY) {
    const unsigned sm = x->head & 0xffff;
    y->current = (y->current & ~record) | (x->head >> 29 & 1 ? record : 0);
    if (!(x->head >> SOME)) return;
    cc_copy_append(y, sm, x->head >> 30 & 1);
    y->n += x->head >> 30 & 1;
    k->active |= UINT64_C(1) << sm;
    k->running |= UINT64_C(1) << sm;
  } else {
    const unsigned code = x->head >> CODE_AT;
    k->version[x->record] = code;
    if (!(x->head & 1)) return;
    k->active |= record;
    k->running |= record;
    if (m->l.protocol == CC_BACKUP) {
      k->stale = (k->stale & ~record) | (code != k->current ? record : 0);
      cc_set(&k->found, code);
      cc_set(&k->used, code);
    }
  }
  k->active_any = k->active != 0;
}

static void put_entry(struct cc_model *m) {
  const struct cc_context *x = &m->s->x;
  struct cc_entry *e = &m->entry[x->record];
  *e = (struct cc_entry){.tag = (x->head & ((1u << OLD_FAILED) - 1)) / m->l.sets, .error = x->head >> OLD_FAILED & 1, .data = coming_line(m, m->l.ctx_mask)};
  for (unsigned j = 0; j < m->l.ctx_mask; j++) e->mask.w[j / 2] |= (uint64_t)x->body[j] << j % 2 * 32;
  m->s->l2.saved = true;
}

static void put_lock(struct cc_model *m) {
  struct cc_copy *y = &m->s->y;
  const uint32_t addr = m->s->x.head & ADDR_MASK, rows = m->l.l1_rows, row = addr % rows;
  m->locked[row] = (struct cc_locked){addr / rows, (uint8_t)y->gen};
  if (!y->locked || row < y->low) y->low = row;
  if (!y->locked || row > y->high) y->high = row;
  y->locked++;
}

static void put_word(struct cc_model *m) {
  struct cc_controller *k = &m->s->k;
  const struct cc_context *x = &m->s->x;
  k->wr1 = UINT64_C(1) << x->record / m->l.l1_rows;
  k->bc1_addr = x->head & ADDR_MASK;
  k->bc1_data = coming_line(m, 0);
}

/* The record that came in goes to its place; commands are taken by the controller. */
static void put(struct cc_model *m) {
  struct cc_state *s = m->s;
  struct cc_context *x = &s->x;
  if (x->put_regs) {
    const unsigned setting = x->body[3] >> CODE_AT;
    x->base_high = x->body[0];
    s->r.errors = x->body[1];
    s->r.failed = x->body[2];
    s->k.base_free = x->body[3] & 1;
    if (m->l.protocol == CC_BACKUP) s->k.current = setting;
    if (m->l.protocol == CC_COPY) {
      s->y.ahead = setting;
      s->y.n += setting;
    }
  }
  if (x->put_sm) put_sm(m);
  if (x->put_row) {
    const uint32_t addr = x->head & ADDR_MASK, row = addr % m->l.l2_rows;
    const struct cc_line line = coming_line(m, 0);
    m->l2_row[row] = (struct cc_l2_row){addr / m->l.l2_rows, true, true};
    cc_put_words(&m->l2_word[row * m->l.words], &line, m->l.words);
  }
  if (x->put_entry) put_entry(m);
  if (x->put_lock) put_lock(m);
  if (x->put_word) put_word(m);
  x->put_regs = x->put_sm = x->put_row = x->put_entry = x->put_lock = x->put_word = x->put_command = false;
}

static void commit(struct cc_model *m) {
  struct cc_controller *k = &m->s->k;
  const struct cc_context *x = &m->s->x;
  m->s->r.base = ((uint64_t)x->base_high << 32 | x->base_low) & cc_ones(m->l.addr_w);
  if (m->l.protocol != CC_BACKUP) return;
  k->dispatched = cc_bit(&k->used, k->current);
  k->upcoming_valid = k->scan = false;
  for (unsigned i = 0; i < m->l.codes; i++) {
    if (cc_bit(&k->used, i) || i == k->current) cc_unset(&k->free, i);
    else cc_set(&k->free, i);
  }
  memset(&k->dead, 0, sizeof k->dead);
}

void cc_context_step(struct cc_model *m, const struct cc_before *before) {
  struct cc_context *x = &m->s->x;
  const struct simt_context_to_unit *to = &m->s->u.shell.to;
  const struct simt_context_registers *r = &m->s->u.shell.port.r;
  const bool moves = to->sav_taken || to->ld_taken, turns = moves && simt_walk_ends(&x->at, &m->shape);
  const enum cc_section section = section_of(m);
  put(m);
  if (r->commit) commit(m);
  x->record = x->at.record;
  if (!r->load || (section != CC_S_COMMANDS && section != CC_S_SMS)) x->ended = false;
  if (to->ld_taken) take_word(m, to->ld_data, before->wrong);
  if (!r->save) {
    x->listed = before->some;
    x->list = before->head;
  } else if (moves && section == CC_S_SMS) {
    if (x->list == m->s->y.tail) x->listed = false;
    x->list = m->s->y.next[x->list];
  }
  x->age = !r->save || turns ? 0 : x->age < MOST_AGE ? x->age + 1 : MOST_AGE;
  simt_walk_step(&x->at, &m->shape, r->save || r->load, moves, false);
}

uint64_t cc_context_walks(const struct cc_model *m, uint32_t *row) {
  if (!m->s->u.shell.port.r.save || section_of(m) != CC_S_WORDS) return 0;
  *row = m->s->x.at.record % m->l.l1_rows;
  return UINT64_C(1) << m->s->x.at.record / m->l.l1_rows;
}
