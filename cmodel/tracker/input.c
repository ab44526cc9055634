/* SPDX-License-Identifier: Apache-2.0 */
/* input.c: how the input of the tracker model moves on: what is taken in, counts up, the newest wavefront, queues of warps, room. */
#include "tracker/cycle.h"

typedef struct trk_model model;

/* ---- I0, A0 ---------------------------------------------------------------------------------------------------- */

static uint64_t get_bits(const uint32_t *from, unsigned at, unsigned width) {
  uint64_t v = from[at / 32] >> at % 32;
  if (at % 32 + width > 32) v |= (uint64_t)from[at / 32 + 1] << (32 - at % 32);
  return v & ((UINT64_C(1) << width) - 1);
}

static void put_bits(uint32_t *to, unsigned at, unsigned width, uint32_t v) {
  to[at / 32] |= v << at % 32;
  if (at % 32 + width > 32) to[at / 32 + 1] |= v >> (32 - at % 32);
}

void trk_put_dslots(const model *m, uint32_t *to, const uint16_t *dslot) {
  const unsigned w = m->l.dslot_w;
  memset(to, 0, 4 * m->l.dslot_words);
  for (unsigned b = 0; b < m->l.banks; b++) put_bits(to, b * w, w, dslot[b]);
}

/* An item of a context takes the place of a packet. */
static void accept_item(const model *m, struct trk_packet *p) {
  const struct trk_layout *l = &m->l;
  struct trk_coming i = trk_coming_item(m);
  unsigned at = 0, dslots = l->banks, sectors = dslots + l->banks * l->dslot_w, payload = sectors + l->banks * l->sectors;
  p->op = i.kind - TRK_A_WAVE;
  p->class = i.class;
  p->warp = i.warp;
  p->end = i.end;
  p->bank = i.bank;
  p->used = (uint32_t)trk_body_bits(m, at, l->banks);
  for (unsigned b = 0; b < l->banks; b++) {
    p->dslot[b] = (uint16_t)trk_body_bits(m, dslots + b * l->dslot_w, l->dslot_w);
    p->sectors[b] = (uint8_t)trk_body_bits(m, sectors + b * l->sectors, l->sectors);
  }
  trk_put_dslots(m, p->dslots, p->dslot);
  if (p->op == TRK_TOKEN) {
    p->used = i.bank < l->banks ? 1u << i.bank : 0;
    for (unsigned b = 1; b < l->banks; b++) p->dslot[b] = p->dslot[0];
  }
  for (unsigned w = 0; w < l->payload_words; w++) {
    unsigned left = l->payload_w - 32 * w;
    p->payload[w] = (uint32_t)trk_body_bits(m, payload + 32 * w, left < 32 ? left : 32);
  }
}

static void put_fast(const model *m, struct trk_waits *w) {
  struct trk_packet item = {0};
  accept_item(m, &item);
  trk_copy_payload(m, w->payload, item.payload);
}

static void accept(model *m, const uint32_t *in, const struct trk_cycle *c) {
  struct trk_run *r = &m->r;
  const struct trk_ports *at = &m->at;
  struct trk_packet *p = trk_pipe(m, 0);
  p->valid = c->in_fire || c->apply_turn;
  p->fast = c->fast_fire;
  if (c->fast_fire) {
    struct trk_waits *w = &r->fasts.item[(r->fasts.from + r->fasts.count++) % TRK_ROOM];
    w->tail = UINT64_MAX; /* what is younger is not checked before the tail is known */
    if (c->put_fast) put_fast(m, w);
    else trk_copy_payload(m, w->payload, &in[at->fast_payload]);
    r->untold++;
  }
  r->lane[0] = (struct trk_lane){c->alloc_fire, in[at->alloc_bank], in[at->alloc_dslot], 0};
  if (!p->valid) return;
  if (c->puts) {
    accept_item(m, p);
    return;
  }
  p->op = c->apply_turn ? TRK_OP_APPLY : in[at->kind];
  if (p->op < TRK_KINDS && p->op != TRK_TOKEN) {
    p->class = in[at->class];
    p->warp = in[at->warp];
    p->end = in[at->end];
    p->used = in[at->used];
    const unsigned dslot_w = m->l.dslot_w, sector_n = m->l.sectors;
    uint64_t sectors = in[at->sectors];
    if (m->l.banks * sector_n > 32) sectors |= (uint64_t)in[at->sectors + 1] << 32;
    for (unsigned b = 0; b < m->l.banks; b++, sectors >>= sector_n) {
      p->dslot[b] = (uint16_t)get_bits(&in[at->dslots], b * dslot_w, dslot_w);
      p->sectors[b] = (uint8_t)(sectors & ((1u << sector_n) - 1));
    }
    for (unsigned w = 0; w < m->l.dslot_words; w++) p->dslots[w] = in[at->dslots + w];
    trk_copy_payload(m, p->payload, &in[at->payload]);
    return;
  }
  unsigned dslot;
  if (p->op == TRK_OP_APPLY) p->bank = r->apply.bank, dslot = r->apply.dslot;
  else p->bank = in[at->bank], dslot = (unsigned)get_bits(&in[at->dslots], 0, m->l.dslot_w);
  p->used = p->bank < m->l.banks ? 1u << p->bank : 0;
  for (unsigned b = 0; b < m->l.banks; b++) p->dslot[b] = (uint16_t)dslot;
}

static void count_up(model *m, const struct trk_cycle *c) {
  const struct trk_packet *p = c->p;
  uint16_t mask = (uint16_t)((1u << m->l.ref_w) - 1);
  uint32_t named = c->token || c->apply_done ? p->used : c->raised;
  for (; named; named &= named - 1) {
    unsigned b = trk_lowest(named), d = p->dslot[b];
    if (c->token) m->slot[b].token[d] = true;
    if (c->apply_done) {
      m->slot[b].inserted[d] = p->left[b];
      m->slot[b].stuck[d] = m->slot[b].token[d] = false;
    }
    if (!(c->raised >> b & 1) || m->slot[b].stuck[d]) continue;
    uint16_t count = (uint16_t)(m->slot[b].inserted[d] - p->left[b]) & mask;
    if (count == mask - 1) m->slot[b].stuck[d] = true;
    else m->slot[b].inserted[d]++;
  }
}

/* A wavefront takes its entry and is held. */
static void take_wave(model *m, const struct trk_cycle *c) {
  struct trk_run *r = &m->r;
  const struct trk_packet *p = c->p;
  struct trk_entry *e = trk_entry_of(m, r->tail);
  bool ray = p->class == TRK_RAY;
  e->class = p->class;
  e->warp = p->warp;
  e->tex = p->class == TRK_TEX;
  e->end = p->end || ray;
  e->internal_end = p->end || ray || (m->l.by_wavefront && !e->tex);
  e->used = c->kept ? 0 : p->used;
  memcpy(e->dslot, p->dslot, sizeof e->dslot);
  memcpy(e->dslots, p->dslots, sizeof e->dslots);
  for (unsigned b = 0; b < m->l.banks; b++) e->sectors[b] = p->sectors[b] & (uint8_t)-(e->used >> b & 1);
  trk_copy_payload(m, e->payload, p->payload);
  const struct trk_coming none = {0}, coming = c->loads ? trk_coming_item(m) : none;
  e->queue = c->loads ? coming.queue : ray ? r->ray_next : r->map[p->warp];
  e->gone = false;
  e->alone = c->loads && coming.committed;
  bool joins = !e->internal_end;
  bool full = joins && r->count + 1 == r->group;
  e->group_end = c->loads ? coming.group_end : full;
  if (!joins || full) r->count = 0;
  else r->count++;
  if (ray && !c->loads) r->ray_next = r->ray_next == r->ray_last ? r->ray_first : r->ray_next + 1;
  if (!r->open) {
    r->open_class = p->class;
    r->open_warp = p->warp;
  }
  if (c->loads ? coming.opens : !r->open) r->open_first = r->tail;
  if (!ray) r->open = !p->end;
  r->held = (struct trk_held){true, c->loads ? coming.inserted : e->internal_end || e->group_end, r->tail};
  m->ctx.put_entry = r->tail;
  r->tail++;
}

static void step_held(model *m, const struct trk_cycle *c) {
  struct trk_run *r = &m->r;
  r->insert = r->held.valid & (r->held.final | c->wave | c->marks);
  if (r->insert) {
    struct trk_entry *e = trk_entry_of(m, r->held.entry);
    r->insert_entry = r->held.entry;
    e->group_end |= c->marks && !e->internal_end;
    r->held.valid = false;
  }
}

static void step_map(model *m, const struct trk_cycle *c) {
  struct trk_run *r = &m->r;
  if (c->change_take) {
    unsigned last = m->l.queues - 1, *now = r->now;
    now[0] = r->mode, now[1] = r->split, now[2] = r->group_set;
    if (c->commit) now[0] = m->ctx.settings[1] & 7, now[1] = m->ctx.settings[1] >> 8 & 0xff, now[2] = m->ctx.settings[1] >> 16;
    r->map_last = now[0] == 3 ? now[1] - 1 : now[0] == 4 ? last : 0;
    r->ray_first = now[0] == 3 ? now[1] : now[0] == 2;
    r->ray_last = now[0] == 1 ? 0 : last;
    r->ray_next = r->ray_first;
    r->group = now[2];
    r->filling = true;
    r->fill_warp = r->fill_to = 0;
    return;
  }
  if (!r->filling) return;
  r->map[r->fill_warp] = r->fill_to;
  r->filling = ++r->fill_warp != m->l.warps;
  r->fill_to = r->fill_to == r->map_last ? 0 : r->fill_to + 1;
}

static void step_room(model *m, const uint32_t *in, const struct trk_cycle *c) {
  struct trk_run *r = &m->r;
  const struct trk_packet *p = c->p;
  unsigned kind = c->kind;
  bool closed = r->clearing || r->filling || m->ctx.put_slot, was_change = r->change;
  unsigned guard = r->offered ? r->guard : r->fasts_in;
  if (c->fast_left && guard) guard--;
  if (c->in_fire) {
    const bool wave = kind == TRK_WAVE;
    r->pool += wave;
    r->ages += wave;
    r->states_in += kind == TRK_STATE;
    r->tokens_in += kind == TRK_TOKEN;
  }
  r->pool -= r->gone.pool;
  r->ages -= r->gone.ages;
  unsigned refused = p->valid & (p->op == TRK_WAVE) & !c->wave;
  r->gone.pool = refused + (m->l.free_list ? c->left : c->moves);
  r->gone.ages = refused + c->moves;
  r->states_in -= c->state_pop;
  r->tokens_in -= r->gone.tokens;
  r->gone.tokens = c->token_refused || c->apply_done;
  r->fasts_in += c->fast_fire;
  r->fasts_in -= c->fast_left;
  bool room = r->pool != m->l.entries && (!m->l.free_list || r->ages != m->l.ages) && r->states_in != m->l.state_q && r->tokens_in != m->l.flush_q;
  bool one_more = !was_change || (trk_pipe_empty(m, c) && r->open);
  bool apply_next = c->apply_valid && !r->apply_turn && !r->apply_out && !closed;
  bool offers = in[m->at.alloc] && !c->alloc_fire;
  r->offered = offers && !c->loads;
  bool guarded = m->l.fast_guard && (offers ? guard : r->fasts_in);
  r->alloc_ready = !guarded && !closed;
  r->guard = guard;
  r->apply_out = (r->apply_out || apply_next) && !c->apply_done;
  r->change = r->wants_change && !c->change_take;
  r->in_ready = room && one_more && !(r->wants_change && !was_change) && !apply_next && !closed;
  r->fast_ready = r->fasts_in != m->l.fast_q && !closed;
  r->apply_turn = apply_next;
}

void trk_step_input(model *m, const uint32_t *in, const struct trk_cycle *c) {
  struct trk_run *r = &m->r;
  count_up(m, c);
  step_held(m, c);
  if (c->p->fast) {
    if (r->untold <= r->fasts.count) r->fasts.item[(r->fasts.from + r->fasts.count - r->untold) % TRK_ROOM].tail = r->tail;
    r->untold--;
  }
  if (c->state) {
    struct trk_waits *w = &r->states.item[(r->states.from + r->states.count++) % TRK_ROOM];
    w->tail = r->tail;
    bool inside = c->loads ? trk_coming_item(m).opens : r->open && r->open_class == TRK_TEX;
    w->open = inside ? r->open_first : r->tail;
    trk_copy_payload(m, w->payload, c->p->payload);
    r->state_tail[r->state_to] = r->tail;
    r->state_to = (r->state_to + 1) % TRK_ROOM;
    r->later++;
  }
  if (c->token)
    r->tokens.item[(r->tokens.from + r->tokens.count++) % TRK_ROOM] = (struct trk_token){r->tail, c->p->bank, c->p->dslot[0]};
  if (c->alloc) m->slot[r->lane[2].bank].valid[r->lane[2].dslot] = 0;
  if (c->marks) r->count = 0;
  step_room(m, in, c);
  if (c->wave) take_wave(m, c);
  step_map(m, c);
  r->i0 = (r->i0 - 1) % 4;
  r->lane[2] = r->lane[1];
  r->lane[1] = r->lane[0];
  accept(m, in, c);
}
