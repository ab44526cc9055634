/* SPDX-License-Identifier: Apache-2.0 */
/* context.c: the words of a saved context against the golden model, and the golden model by slots. The layout is read from
 * docs/tracker_design.md, "A context"; nothing here is shared with the model. */
#include "tracker/env.h"

#include <stdlib.h>
#include <string.h>

enum { WAVE = 1, STATE, TOKEN, FAST, REGS = 5 };

/* ---- processes ---------------------------------------------------------------------------------------------------- */

struct trk_process { struct trk_env golden; }; /* its fields that copy() takes, and its arrays */

static void copy(struct trk_env *to, const struct trk_env *from) {
  to->want = from->want;
  to->want_open = from->want_open;
  to->want_class = from->want_class;
  to->want_warp = from->want_warp;
  memcpy(to->wave, from->wave, TRK_WAVES * sizeof *to->wave);
  memcpy(to->ask, from->ask, from->asks * sizeof *to->ask);
  to->asks = from->asks;
  to->taken = from->taken;
  to->oldest = from->oldest;
  to->inside = from->inside;
  to->open = from->open;
  to->open_class = from->open_class;
  to->open_warp = from->open_warp;
  to->count = from->count;
  to->open_first = from->open_first;
  to->mode = from->mode;
  to->split = from->split;
  to->group = from->group;
  to->new_mode = from->new_mode;
  to->new_split = from->new_split;
  to->new_group = from->new_group;
  to->ray_next = from->ray_next;
  to->change = from->change;
  memcpy(to->line, from->line, sizeof to->line);
  memcpy(to->draining, from->draining, sizeof to->draining);
  memcpy(to->still, from->still, sizeof to->still); /* what is offered is offered again */
  to->state_between = from->state_between;
  to->fasts = from->fasts;
  to->states = from->states;
  to->tokens = from->tokens;
  to->going = from->going;
  to->token_number = from->token_number;
  for (unsigned b = 0; b < from->l.banks; b++) memcpy(to->slot[b], from->slot[b], from->l.dslots * sizeof *to->slot[b]);
}

bool trk_process_create(struct trk_env *e) {
  bool good = (e->front.process = calloc(TRK_PROCESSES, sizeof *e->front.process));
  for (unsigned i = 0; good && i < TRK_PROCESSES; i++) {
    e->front.process[i].golden.l = e->l;
    good = trk_golden_create(&e->front.process[i].golden);
  }
  return good;
}

void trk_process_destroy(struct trk_env *e) {
  for (unsigned i = 0; e->front.process && i < TRK_PROCESSES; i++) trk_golden_destroy(&e->front.process[i].golden);
  free(e->front.process);
}

/* While halted nothing is under way: every report that was due has come, every packet is judged. */
void trk_process_keep(struct trk_env *e, unsigned slot) { copy(&e->front.process[slot].golden, e); }

void trk_process_load(struct trk_env *e, unsigned slot) {
  copy(e, &e->front.process[slot].golden);
  for (unsigned b = 0; b < e->l.banks; b++)
    for (unsigned d = 0; d < e->l.dslots; d++) {
      struct trk_slot_state *s = &e->slot[b][d];
      s->recent = 0;
      s->raised = s->fell = s->gone_until = 0;
    }
  for (unsigned i = 0; i < e->asks; i++) e->ask[i].cycle = e->cycle;
  memset(e->said, 0, sizeof e->said);
  memset(e->alloc_last, 0, sizeof e->alloc_last);
  e->recent_count = e->untold = e->guard = 0;
  e->offered = false;
  e->change_from = 0;
  e->walked = e->oldest;
  e->passed = e->open_cycles + e->going.count * TRK_TURN_TOKEN + e->states.count * TRK_TURN_STATE;
  for (unsigned i = 0; i < e->going.count; i++) e->going.item[(e->going.from + i) % TRK_ORDERS].due = e->passed + TRK_TURN;
  for (unsigned i = 0; i < e->states.count; i++) {
    struct trk_order *o = &e->states.item[(e->states.from + i) % TRK_ORDERS];
    if (o->due) o->due = e->passed + TRK_TURN;
  }
  e->blocked[0] = e->blocked[1] = e->in_row = 0;
  e->seen_ready = true;
}

/* ---- the words of a save -------------------------------------------------------------------------------------------- */

struct item { uint32_t head; const uint32_t *body; };
struct places { unsigned slot_words, body_words, items, dslots_at, sectors_at, payload_at; };

static struct places find_places(const struct trk_env *e) {
  const struct trk_layout *l = &e->l;
  struct places p = {.dslots_at = l->banks, .items = l->entries + l->commit_fifo + l->state_q + l->fast_q + l->flush_q};
  p.sectors_at = p.dslots_at + l->banks * l->dslot_w;
  p.payload_at = p.sectors_at + l->banks * l->sectors;
  p.slot_words = (l->banks * (l->sectors + 1) + 31) / 32;
  p.body_words = (p.payload_at + l->payload_w + 31) / 32;
  return p;
}

static bool same_payload(const struct trk_env *e, const struct places *p, const struct item *i, const uint32_t *payload) {
  for (unsigned at = 0; at < e->l.payload_w; at += 32) {
    unsigned width = e->l.payload_w - at < 32 ? e->l.payload_w - at : 32;
    if (trk_bits(i->body, p->payload_at + at, width) != (payload[at / 32] & (uint32_t)((UINT64_C(1) << width) - 1))) return false;
  }
  return true;
}

static bool is_wave(const struct trk_env *e, const struct places *p, const struct item *i, const struct trk_wave *w) {
  bool in_fifo = i->head >> 3 & 1;
  if ((i->head >> 8 & 3) != w->class || (i->head >> 16 & 0xff) != w->warp || (i->head >> 6 & 1) != w->end) return false;
  if (!in_fifo && i->head >> 24 != w->queue) return false;
  if (trk_bits(i->body, 0, e->l.banks) != w->used || !same_payload(e, p, i, w->payload)) return false;
  for (unsigned b = 0; b < e->l.banks; b++) {
    if (!(w->used >> b & 1)) continue;
    if (trk_bits(i->body, p->dslots_at + b * e->l.dslot_w, e->l.dslot_w) != w->dslot[b]) return false;
    if (trk_bits(i->body, p->sectors_at + b * e->l.sectors, e->l.sectors) != w->sectors[b]) return false;
  }
  return true;
}

static const char *check_slots(struct trk_env *e, const struct places *p, const uint32_t *payload) {
  for (unsigned d = 0; d < e->l.dslots; d++)
    for (unsigned b = 0; b < e->l.banks; b++) {
      const uint32_t *w = payload + d * p->slot_words;
      const struct trk_slot_state *s = &e->slot[b][d];
      if (trk_bits(w, b * e->l.sectors, e->l.sectors) != s->valid) return trk_wrong(e, "context: sectors of bank %u dslot %u are not those that were filled", b, d);
      bool stuck = trk_bits(w, e->l.banks * e->l.sectors + b, 1);
      if (stuck ? !s->stuck_maybe : s->stuck && !s->token_late) return trk_wrong(e, "context: bank %u dslot %u is %ssaturated", b, d, stuck ? "" : "not ");
    }
  return NULL;
}

static const char *check_registers(struct trk_env *e, const uint32_t *w) {
  uint32_t run = e->new_mode | e->new_split << 8 | e->new_group << 16, now = e->mode | e->split << 8 | e->group << 16;
  if (w[0] != run) return trk_wrong(e, "context: mode, split, group are 0x%x, not 0x%x", w[0], run);
  if (w[1] != (e->change && !(w[2] & 1) ? run : now)) return trk_wrong(e, "context: in force are 0x%x, not 0x%x", w[1], now);
  if ((w[2] >> 1 & 1) != e->open) return trk_wrong(e, "context: an instruction is open, or not");
  if (e->open && ((w[2] >> 2 & 1) != (e->open_class == TRK_TEX) || (w[2] >> 8 & 0xff) != e->open_warp)) return trk_wrong(e, "context: the open instruction is another one");
  return NULL;
}

static void hit_covers(struct trk_env *e, const struct item *i, const struct trk_wave *w) {
  if (i->head >> 3 & 1) trk_hit(e, TRK_C_SAVE_FIFO);
  if (!(i->head >> 4 & 1)) trk_hit(e, TRK_C_SAVE_HELD);
  if (e->draining[0] || e->draining[1]) trk_hit(e, TRK_C_SAVE_TORN);
  for (unsigned b = 0; b < e->l.banks; b++)
    if (w->used >> b & 1 && w->sectors[b] & ~e->slot[b][w->dslot[b]].valid) trk_hit(e, TRK_C_SAVE_MISSING);
}

/* What stands in the commit FIFOs, by path: places named, of which each is named once and none is left out. */
static bool takes_place(uint64_t taken[2], const struct item *i, bool tex) {
  const uint64_t place = UINT64_C(1) << (i->head >> 24 & 63);
  const bool good = i->head >> 24 < 64 && !(taken[tex] & place);
  taken[tex] |= place;
  return good;
}

/* The oldest wavefront from `at` on that has not left. */
static uint64_t inside_from(const struct trk_env *e, uint64_t at) {
  while (at <= e->taken && trk_wave_of(e, at)->left) at++;
  return at;
}

/* Every wavefront that has not left is there once, in order of age, and each packet stands behind all that are older than it and
 * before all that are younger. `at`: the next wavefront. */
static const char *check_item(struct trk_env *e, const struct places *p, const struct item *i, unsigned *n, uint64_t *at, uint64_t taken[2]) {
  const unsigned kind = i->head & 7;
  uint64_t tail = 0;
  if (kind > FAST) return "of an unknown kind";
  n[kind]++;
  if (kind == WAVE) {
    const struct trk_wave *w = trk_wave_of(e, *at);
    if (*at > e->taken || !is_wave(e, p, i, w)) return "not the next wavefront in order of age";
    hit_covers(e, i, w);
    *at = inside_from(e, *at + 1);
    return i->head >> 3 & 1 && !takes_place(taken, i, w->class == TRK_TEX) ? "at a place of its FIFO where another one stands" : NULL;
  }
  if (kind == STATE) {
    const struct trk_order *o = &e->states.item[(e->states.from + n[STATE] - 1) % TRK_ORDERS];
    if (n[STATE] > e->states.count || !same_payload(e, p, i, o->payload)) return "not the next state packet";
    if (o->tail >= e->oldest) trk_hit(e, TRK_C_SAVE_STATE);
    if (i->head >> 3 & 1 && (!takes_place(taken, i, true) || o->tail >= e->oldest)) return "a state packet that cannot stand in the FIFO there";
    tail = o->tail;
  } else if (kind == FAST) {
    const struct trk_order *o = &e->fasts.item[(e->fasts.from + n[FAST] - 1) % TRK_ORDERS];
    if (n[FAST] > e->fasts.count || !same_payload(e, p, i, o->payload)) return "not the next fast packet";
    if (o->tail >= e->oldest) trk_hit(e, TRK_C_SAVE_FAST);
    tail = o->tail;
  } else {
    const unsigned b = i->head >> 16 & 7, d = (unsigned)trk_bits(i->body, p->dslots_at, e->l.dslot_w);
    if (b >= e->l.banks || d >= e->l.dslots || !e->slot[b][d].token) return "a flush token for a data slot that waits for none";
    trk_hit(e, TRK_C_SAVE_TOKEN);
    for (unsigned k = 0; k < e->tokens.count; k++) {
      const struct trk_flush *t = &e->tokens.item[(e->tokens.from + k) % TRK_ORDERS];
      if (t->bank == b && t->dslot == d && t->number == e->slot[b][d].token_number) tail = t->tail;
    }
  }
  if (tail >= *at) return "a packet in front of a wavefront that is older";
  for (uint64_t k = e->oldest; k < *at; k++)
    if (k > tail && !trk_wave_of(e, k)->left) return "a packet behind a wavefront that is younger";
  return NULL;
}

static const char *check_items(struct trk_env *e, const struct places *p, const uint32_t *payload) {
  uint64_t at = inside_from(e, e->oldest), taken[2] = {0};
  unsigned n[5] = {0};
  for (unsigned k = 0; k < p->items; k++) {
    struct item i = {payload[k * (p->body_words + 1)], payload + k * (p->body_words + 1) + 1};
    const char *wrong = i.head & 7 ? check_item(e, p, &i, n, &at, taken) : NULL;
    if (wrong) return trk_wrong(e, "context: item %u is %s", k, wrong);
  }
  if (n[WAVE] != e->inside) return trk_wrong(e, "context: %u wavefronts of %u", n[WAVE], e->inside);
  if (taken[0] & (taken[0] + 1) || taken[1] & (taken[1] + 1)) return trk_wrong(e, "context: of the commit FIFOs a place between others is empty");
  if (n[STATE] != e->states.count || n[FAST] != e->fasts.count) return trk_wrong(e, "context: %u state and %u fast packets of %u and %u", n[STATE], n[FAST], e->states.count, e->fasts.count);
  return n[TOKEN] < e->tokens.count ? trk_wrong(e, "context: %u flush tokens of %u", n[TOKEN], e->tokens.count) : NULL;
}

const char *trk_context_saved(struct trk_env *e, const uint32_t *payload, unsigned words) {
  struct places p = find_places(e);
  unsigned slots = e->l.dslots * p.slot_words, all = slots + p.items * (p.body_words + 1) + REGS;
  if (words != all) return trk_wrong(e, "context: %u words, not %u", words, all);
  const char *wrong = check_slots(e, &p, payload);
  if (!wrong) wrong = check_items(e, &p, payload + slots);
  return wrong ? wrong : check_registers(e, payload + all - REGS);
}

/* What no save writes. */
void trk_context_nonsense(const struct trk_env *e, uint32_t *payload, uint32_t place) {
  struct places p = find_places(e);
  uint32_t *items = payload + e->l.dslots * p.slot_words, *regs = items + p.items * (p.body_words + 1);
  const unsigned each = p.body_words + 1;
  const uint32_t in_lg_fifo = WAVE | 1u << 3;
  switch (place % 7) {
  case 0: regs[0] &= ~7u; break;                                             /* no such mode */
  case 1: regs[4] |= 2; break;                                               /* a bit that means nothing */
  case 2: items[place / 7 % p.items * each] |= 7; break;                     /* no such item */
  case 3: items[0] = in_lg_fifo | (uint32_t)e->l.commit_fifo << 24; break;   /* no such place in a commit FIFO */
  case 4: items[0] = items[each] = in_lg_fifo; break;                        /* two at one place */
  case 5:                                                                    /* the first place of a FIFO is empty, not the second */
    for (unsigned k = 0; k < p.items; k++)
      if ((items[k * each] & 15) == in_lg_fifo && (items[k * each] >> 8 & 3) != TRK_TEX) items[k * each] = 0;
    items[0] = in_lg_fifo | 1u << 24;
    break;
  default: regs[1] = (regs[1] & 0xffff00ff) | e->l.queues << 8; break;       /* no such split */
  }
}
