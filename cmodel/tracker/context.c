/* SPDX-License-Identifier: Apache-2.0 */
/* context.c: the words of a tracker's context (docs/tracker_design.md, "A context"), saved and loaded. */
#include "tracker/cycle.h"

typedef struct trk_model model;
enum { SLOTS, ITEMS, REGISTERS };

void trk_context_find(model *m) {
  m->ctx.shape = (struct simt_walk_shape){
    .sections = 3, .records = {m->l.dslots, m->l.items, 1}, .words = {m->l.slot_words, m->l.body_words + 1, TRK_CTX_REGS}};
}

void trk_context_reset(model *m) {
  struct trk_context clean = {.shape = m->ctx.shape};
  m->ctx = clean;
}

/* ---- save -------------------------------------------------------------------------------------------------------- */

static void put_bits(uint32_t *to, unsigned at, unsigned width, uint32_t v) {
  to[at / 32] |= v << at % 32;
  if (at % 32 + width > 32) to[at / 32 + 1] |= v >> (32 - at % 32);
}

/* What a FIFO shows: the next one that was not seen. */
static const struct trk_item *shown_item(const model *m, unsigned p) {
  const struct trk_run *r = &m->r;
  return &r->fifo[p].item[(r->fifo[p].from + m->ctx.looked[p]) % TRK_ROOM];
}
static const struct trk_waits *shown_state(const model *m) { return &m->r.states.item[(m->r.states.from + m->ctx.looked[2]) % TRK_ROOM]; }
static const struct trk_waits *shown_fast(const model *m) { return &m->r.fasts.item[(m->r.fasts.from + m->ctx.looked[3]) % TRK_ROOM]; }
static const struct trk_token *shown_token(const model *m) { return &m->r.tokens.item[(m->r.tokens.from + m->ctx.looked[4]) % TRK_ROOM]; }

/* The commit FIFO in which a wavefront stands, and its place there; 2: none. */
static unsigned fifo_of(const model *m, uint64_t age, unsigned *place) {
  const struct trk_context *x = &m->ctx;
  for (unsigned p = 0; p < 2; p++)
    for (*place = 0; *place < m->r.fifo[p].count; ++*place)
      if (x->there[p][*place] == age) return p;
  return 2;
}

/* First all of the commit FIFOs is looked at: the ages of wavefronts are kept, state packets are saved. What has left is passed before
 * the packets in front of it: so of packets between two wavefronts the order is one. */
static enum trk_source find_source(const model *m, bool *skips) {
  const struct trk_run *r = &m->r;
  const struct trk_context *x = &m->ctx;
  for (unsigned p = 2; p--;)
    if (x->looked[p] != r->fifo[p].count) {
      *skips = !shown_item(m, p)->state;
      return TRK_IN_FIFO;
    }
  if (x->looked[2] < r->due) return TRK_A_STATE;
  *skips = x->age != r->tail && trk_entry_of(m, x->age)->gone;
  if (x->looked[2] != r->states.count && shown_state(m)->tail <= x->age) return TRK_A_STATE;
  if (x->looked[4] != r->tokens.count && shown_token(m)->tail <= x->age) return TRK_A_TOKEN;
  if (x->looked[3] != r->fasts.count && shown_fast(m)->tail <= x->age) return TRK_A_FAST;
  return x->age == r->tail ? TRK_NO_ITEM : TRK_A_WAVE;
}

/* Ages as the unit has them, with one wrap bit. The first wavefront of an instruction may have left so long ago that its age has
 * come round: what that marks means nothing, since the rest of the instruction holds its path. */
static bool same_age(const model *m, uint64_t a, uint64_t b) { return ((a ^ b) & (2 * m->l.ages - 1)) == 0; }

/* The first wavefront of an instruction that a state packet lies in, or that is open. */
static bool opens(const model *m) {
  if (m->ctx.looked[2] != m->r.states.count) return same_age(m, shown_state(m)->open, m->ctx.age);
  return m->r.open && same_age(m, m->r.open_first, m->ctx.age);
}

static uint32_t head_word(const model *m) {
  const struct trk_context *x = &m->ctx;
  switch (x->source) {
  case TRK_NO_ITEM: return 0;
  case TRK_A_STATE: return TRK_A_STATE | (uint32_t)(x->marked && same_age(m, x->mark, shown_state(m)->open)) << 7;
  case TRK_A_TOKEN: return TRK_A_TOKEN | shown_token(m)->bank << 16;
  case TRK_A_FAST: return TRK_A_FAST;
  case TRK_IN_FIFO: return TRK_A_STATE | 8 | x->looked[1] << 24;
  default: break;
  }
  const struct trk_entry *e = trk_entry_of(m, x->age);
  const bool held = m->r.held.valid && m->r.held.entry == x->age;
  unsigned place;
  const bool committed = fifo_of(m, x->age, &place) < 2;
  uint32_t v = TRK_A_WAVE | (uint32_t)committed << 3 | (uint32_t)!held << 4 | (uint32_t)e->end << 6 | (uint32_t)opens(m) << 7 | e->class << 8 | e->warp << 16;
  return committed ? v | place << 24 : v | (uint32_t)e->group_end << 5 | e->queue << 24;
}

static void find_body(const model *m, uint32_t *to) {
  const struct trk_layout *l = &m->l;
  const struct trk_context *x = &m->ctx;
  const uint32_t *payload = NULL;
  unsigned dslots = l->banks, sectors = dslots + l->banks * l->dslot_w, payload_at = sectors + l->banks * l->sectors;
  const struct trk_entry *e = NULL;
  switch (x->source) {
  case TRK_A_STATE: payload = shown_state(m)->payload; break;
  case TRK_A_FAST: payload = shown_fast(m)->payload; break;
  case TRK_A_TOKEN: put_bits(to, dslots, l->dslot_w, shown_token(m)->dslot); break;
  case TRK_IN_FIFO: payload = shown_item(m, 1)->payload; break;
  case TRK_A_WAVE: e = trk_entry_of(m, x->age); break;
  default: break;
  }
  if (e) {
    payload = e->payload;
    put_bits(to, 0, l->banks, e->used);
    for (unsigned b = 0; b < l->banks; b++) {
      put_bits(to, dslots + b * l->dslot_w, l->dslot_w, e->dslot[b]);
      put_bits(to, sectors + b * l->sectors, l->sectors, e->sectors[b]);
    }
  }
  for (unsigned w = 0; payload && w < l->payload_words; w++) {
    unsigned left = l->payload_w - 32 * w;
    put_bits(to, payload_at + 32 * w, left < 32 ? left : 32, payload[w]);
  }
}

static uint32_t slot_word(const model *m) {
  uint32_t bits[4] = {0};
  unsigned d = m->ctx.at.record;
  for (unsigned b = 0; b < m->l.banks; b++) {
    put_bits(bits, b * m->l.sectors, m->l.sectors, m->slot[b].valid[d]);
    put_bits(bits, m->l.banks * m->l.sectors + b, 1, m->slot[b].stuck[d]);
  }
  return bits[m->ctx.at.word];
}

static uint32_t register_word(const model *m) {
  const struct trk_run *r = &m->r;
  uint32_t v = 0;
  switch (m->ctx.at.word) {
  case 0: return r->mode | r->split << 8 | r->group_set << 16;
  case 1: return r->now[0] | r->now[1] << 8 | r->now[2] << 16;
  case 2:
    v = (uint32_t)r->wants_change | (uint32_t)r->open << 1 | r->ray_next << 16;
    return r->open ? v | (uint32_t)(r->open_class == TRK_TEX) << 2 | r->open_warp << 8 : v;
  case 3: return r->count;
  default:
    for (unsigned p = 0; p < 2; p++)
      if (r->drain[p].active) v |= (1u | r->drain[p].queue << 8) << 16 * p;
    return v;
  }
}

void trk_context_offers(const model *m, struct simt_context_unit *u) {
  const struct trk_context *x = &m->ctx;
  const struct simt_context_registers *r = &m->shell.port.r;
  u->ld_ready = r->load && x->was_load && !m->r.clearing && !x->pace;
  u->sav_last = simt_walk_last(&x->at, &x->shape);
  u->sav_valid = r->save && x->at.settled && (x->at.section != ITEMS || x->found);
  if (!u->sav_valid) return;
  uint32_t body[32] = {0};
  if (x->at.section == SLOTS) u->sav_data = slot_word(m);
  else if (x->at.section == REGISTERS) u->sav_data = register_word(m);
  else if (!x->at.word) u->sav_data = head_word(m);
  else {
    find_body(m, body);
    u->sav_data = body[x->at.word - 1];
  }
}

/* What is no item: a wavefront in a commit FIFO, of which the age is kept, or one that has left. */
static void pass(model *m) {
  struct trk_context *x = &m->ctx;
  for (unsigned p = 2; p--;)
    if (x->looked[p] != m->r.fifo[p].count) {
      x->there[p][x->looked[p]] = shown_item(m, p)->entry;
      x->looked[p]++;
      return;
    }
  x->age++;
}

/* The next item, or the one after it. */
static void step_source(model *m, bool ends) {
  struct trk_context *x = &m->ctx;
  if (!m->shell.port.r.save || x->at.section != ITEMS) {
    x->settled = x->found = x->marked = false;
    x->source = TRK_NO_ITEM;
    x->age = m->r.head;
    if (!m->shell.port.r.save) memset(x->looked, 0, sizeof x->looked);
    return;
  }
  if (!x->found) {
    bool skips = false;
    if (x->settled) {
      x->source = find_source(m, &skips);
      x->found = !skips;
      if (skips) pass(m);
    }
    x->settled = !(x->settled && skips);
    return;
  }
  x->settled = false;
  if (!ends) return;
  x->found = false;
  switch (x->source) {
  case TRK_A_WAVE:
    if (opens(m)) x->marked = true, x->mark = x->age;
    x->age++;
    break;
  case TRK_A_STATE: x->looked[2]++; break;
  case TRK_A_FAST: x->looked[3]++; break;
  case TRK_A_TOKEN: x->looked[4]++; break;
  case TRK_IN_FIFO:
    x->there[1][x->looked[1]] = UINT64_MAX;
    x->looked[1]++;
    break;
  default: break;
  }
}

/* ---- load -------------------------------------------------------------------------------------------------------- */

struct trk_coming trk_coming_item(const model *m) {
  uint32_t v = m->ctx.head;
  return (struct trk_coming){
    .kind = v & 7, .committed = v >> 3 & 1, .inserted = v >> 4 & 1, .group_end = v >> 5 & 1, .end = v >> 6 & 1, .opens = v >> 7 & 1,
    .class = v >> 8 & 3, .warp = v >> 16 & ((1u << m->l.warp_w) - 1), .bank = v >> 16 & ((1u << m->l.bank_w) - 1),
    .queue = v >> 3 & 1 ? 0 : v >> 24 & ((1u << m->l.queue_w) - 1), .place = v >> 24};
}

uint64_t trk_body_bits(const model *m, unsigned at, unsigned width) {
  const uint32_t *from = m->ctx.body;
  uint64_t v = from[at / 32] >> at % 32;
  if (at % 32 + width > 32) v |= (uint64_t)from[at / 32 + 1] << (32 - at % 32);
  return v & ((UINT64_C(1) << width) - 1);
}

/* Of what stands in a commit FIFO each has a place of its own, and state packets come first. */
static bool bad_head(model *m, uint32_t v) {
  struct trk_context *x = &m->ctx;
  const unsigned kind = v & 7, place = v >> 24;
  if (kind == TRK_NO_ITEM) return v != 0;
  if (kind > TRK_A_FAST) return true;
  const bool wave = kind == TRK_A_WAVE, committed = (wave || kind == TRK_A_STATE) && v >> 3 & 1;
  const unsigned path = !wave || (v >> 8 & 3) == TRK_TEX;
  bool bad = wave && ((v >> 8 & 3) == 3 || (v >> 16 & 0xff) >= m->l.warps);
  if (committed) bad |= place >= m->l.commit_fifo || (x->placed[path] >> place & 1) || (!wave && x->began);
  else bad |= wave && place >= m->l.queues;
  if (committed && place < m->l.commit_fifo) x->placed[path] |= UINT64_C(1) << place;
  x->began |= wave || !committed;
  return bad;
}

static bool bad_register(const model *m, unsigned k, uint32_t v) {
  unsigned mode = v & 7, split = v >> 8 & 0xff, group = v >> 16;
  switch (k) {
  case 0:
  case 1: return v & 0xf8 || !mode || mode > 4 || !split || split >= m->l.queues || !group || group > m->l.group_max;
  case 2: return v & 0xff0000f8u || (v >> 16 & 0xff) >= m->l.queues || (v >> 8 & 0xff) >= m->l.warps;
  case 3: return v > m->l.group_max;
  default: return v & 0xfe00feu || (v >> 8 & 0xff) >= m->l.queues || v >> 24 >= m->l.queues;
  }
}

/* A word comes in. */
static bool take_word(model *m, uint32_t v, bool last, bool ends) {
  struct trk_context *x = &m->ctx;
  bool wrong = x->bad || last != simt_walk_last(&x->at, &x->shape);
  switch (x->at.section) {
  case SLOTS:
    x->body[x->at.word] = v;
    x->put_slot = ends;
    break;
  case ITEMS:
    if (!x->at.word) {
      x->head = v;
      wrong |= bad_head(m, v);
    } else {
      x->body[x->at.word - 1] = v;
    }
    x->put = ends && x->head & 7 && !x->bad;
    if (ends && x->head & 7) x->pace = TRK_PACE;
    break;
  case REGISTERS:
    x->settings[x->at.word] = v;
    wrong |= bad_register(m, x->at.word, v);
    for (unsigned p = 0; p < 2; p++) wrong |= (x->placed[p] & (x->placed[p] + 1)) != 0; /* a place between others is empty */
    break;
  default: wrong = true; break;
  }
  return wrong;
}

bool trk_context_step(model *m, const struct trk_cycle *c) {
  struct trk_context *x = &m->ctx;
  const struct simt_context_to_unit *to = &m->shell.to;
  const bool ends = simt_walk_ends(&x->at, &x->shape), moves = to->sav_taken || to->ld_taken;
  bool wrong = false;
  x->put_slot = x->put = false;
  if (!c->loads) x->pace = 0, x->began = false, x->placed[0] = x->placed[1] = 0;
  else if (x->pace) x->pace--;
  bool refused = c->loads && (c->refusal || c->overflows);
  x->dslot = x->at.record;
  if (to->ld_taken) wrong = refused | take_word(m, to->ld_data, to->ld_last, ends);
  x->bad = c->loads && (x->bad || refused || wrong);
  step_source(m, moves && ends);
  simt_walk_step(&x->at, &x->shape, simt_shell_moves(&m->shell), moves, false);
  x->was_load = c->loads;
  x->was_save = c->save;
  return wrong;
}

/* What came in is the state: at the commit. Of a load that ends in the cycle of a reset or behind it the registers stay, the rest is
 * cleared. */
void trk_context_commit(model *m, bool whole) {
  struct trk_run *r = &m->r;
  const uint32_t *v = m->ctx.settings;
  r->mode = v[0] & 7;
  r->split = v[0] >> 8 & 0xff;
  r->group_set = v[0] >> 16;
  if (!whole) return;
  r->wants_change = v[2] & 1;
  r->open = v[2] >> 1 & 1;
  r->open_class = v[2] >> 2 & 1 ? TRK_TEX : TRK_LG;
  r->open_warp = v[2] >> 8 & 0xff;
  r->ray_next = v[2] >> 16 & 0xff;
  r->count = v[3];
  for (unsigned p = 0; p < 2; p++) {
    struct trk_drain *d = &r->drain[p];
    uint32_t w = v[4] >> 16 * p;
    d->active = d->waits = w & 1;
    d->queue = w >> 8 & 0xff;
    if (w & 1) trk_put_set(m, &r->taken, d->queue, true);
  }
}
