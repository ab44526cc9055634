/* SPDX-License-Identifier: Apache-2.0 */
/* golden.c: what the tracker means, without its timing: a FIFO per queue and path, program order of state and fast packets,
 * whole instructions or groups, valid sectors, reference counts. What is taken in a cycle is judged TRK_DELAY cycles later,
 * when its error code is at the port. A token goes, and a state packet is offered, within a bound once nothing older is inside;
 * between, and where a count is about to be reported, the code decides. */
#include "tracker/env.h"

#include <stdlib.h>
#include <string.h>

bool trk_golden_create(struct trk_env *e) {
  bool good = (e->wave = calloc(TRK_WAVES, sizeof *e->wave)) && (e->ask = calloc(TRK_ASKS, sizeof *e->ask)) &&
              (e->recent = calloc(TRK_RECENTS, sizeof *e->recent));
  for (unsigned b = 0; b < e->l.banks; b++) good = (e->slot[b] = calloc(e->l.dslots, sizeof *e->slot[b])) && good;
  return good;
}

void trk_golden_destroy(struct trk_env *e) {
  free(e->wave);
  free(e->ask);
  free(e->recent);
  for (unsigned b = 0; b < TRK_MAX_BANKS; b++) free(e->slot[b]);
}

void trk_golden_clear(struct trk_env *e) {
  for (unsigned i = 0; i < TRK_DELAY; i++) { /* what is judged no more may have been counted */
    const struct trk_said *x = &e->said[i];
    if (x->in) e->seen[x->kind == TRK_WAVE ? TRK_KINDS + x->class % TRK_CLASSES : x->kind]++;
    e->seen_fast += x->fast;
  }
  memset(e->said, 0, sizeof e->said);
  memset(e->line, 0, sizeof e->line);
  memset(e->draining, 0, sizeof e->draining);
  memset(e->still, 0, sizeof e->still);
  memset(e->alloc_last, 0, sizeof e->alloc_last);
  for (unsigned b = 0; b < e->l.banks; b++) memset(e->slot[b], 0, e->l.dslots * sizeof *e->slot[b]);
  e->taken = e->inside = 0;
  e->oldest = 1;
  e->open = e->state_between = e->reg_refused = e->offered = e->seen_ready = false;
  e->fill_bad[0] = e->fill_bad[1] = false;
  e->untold = e->guard = 0;
  e->count = e->fasts.count = e->states.count = e->tokens.count = e->going.count = e->asks = e->recent_count = 0;
  e->walked = e->oldest;
  e->passed = 0;
  e->mode = 4;
  e->split = e->l.queues / 2;
  e->group = e->l.group_reset;
  e->ray_next = 0;
  e->blocked[0] = e->blocked[1] = e->in_row = 0;
  e->change = true; /* the registers hold */
  e->change_from = 0;
}

void trk_golden_reset(struct trk_env *e) {
  trk_golden_clear(e);
  e->new_mode = e->mode;
  e->new_split = e->split;
  e->new_group = e->group;
  e->change = e->reg_waits = e->started = false;
  memset(e->seen, 0, sizeof e->seen);
  e->seen_fast = 0;
  memset(&e->want, 0, sizeof e->want);
  e->want_open = e->reg.valid = false;
}

/* ---- queues (TR-2) ---------------------------------------------------------------------------------------- */

static void take_change(struct trk_env *e) {
  e->mode = e->new_mode;
  e->split = e->new_split;
  e->group = e->new_group;
  e->change = false;
  e->ray_next = e->mode == 2 ? 1 : e->mode == 3 ? e->split : 0;
}

static unsigned queue_of(struct trk_env *e, unsigned class, unsigned warp) {
  unsigned last = e->l.queues - 1, first = e->mode == 2 ? 1 : e->mode == 3 ? e->split : 0;
  if (e->mode == 1) return 0;
  if (class == TRK_RAY) {
    unsigned q = e->ray_next;
    e->ray_next = q == last ? first : q + 1;
    return q;
  }
  return e->mode == 2 ? 0 : warp % (e->mode == 3 ? e->split : e->l.queues);
}

/* ---- references (TR-13) ------------------------------------------------------------------------------------ */

static void raise_count(struct trk_env *e, unsigned b, unsigned d, uint64_t cycle) {
  struct trk_slot_state *s = &e->slot[b][d];
  unsigned most = (1u << e->l.ref_w) - 1;
  s->refs++;
  if (s->refs + s->recent >= most) s->stuck_maybe = true;
  if (s->refs >= most) s->stuck = true;
  s->raised = cycle;
  s->owes = s->reported = false;
}

static void drop_count(struct trk_env *e, unsigned b, unsigned d) {
  struct trk_slot_state *s = &e->slot[b][d];
  s->refs--;
  s->recent++;
  e->recent[(e->recent_from + e->recent_count++) % TRK_RECENTS] = (struct trk_recent){e->cycle, b, d};
  if (s->refs || s->stuck) return;
  s->owes = true;
  s->fell = e->cycle;
}

/* The bound within which a report comes: both outputs' leaves go one way, one a cycle. */
static const char *check_owed(struct trk_env *e) {
  while (e->recent_count && e->recent[e->recent_from].cycle + TRK_LAG < e->cycle) {
    struct trk_recent *r = &e->recent[e->recent_from];
    struct trk_slot_state *s = &e->slot[r->bank][r->dslot];
    s->recent--;
    if (s->owes && !s->stuck_maybe && s->fell + TRK_LAG < e->cycle && !s->refs)
      return trk_wrong(e, "bank %u dslot %u has had no reference for %u cycles and is not reported free", r->bank, r->dslot, TRK_LAG);
    e->recent_from = (e->recent_from + 1) % TRK_RECENTS;
    e->recent_count--;
  }
  return NULL;
}

static const char *check_free(struct trk_env *e, const uint32_t *out) {
  unsigned n = 0;
  for (unsigned b = 0; b < e->l.banks; b++) {
    if (!(out[e->at.free] >> b & 1)) continue;
    n++;
    unsigned d = (unsigned)trk_bits(&out[e->at.free_dslot], b * e->l.dslot_w, e->l.dslot_w);
    if (d >= e->l.dslots) return trk_wrong(e, "bank %u reports dslot %u free, which does not exist", b, d);
    struct trk_slot_state *s = &e->slot[b][d];
    bool young = s->refs && s->raised + 4 > e->cycle;
    if (s->refs && !young) return trk_wrong(e, "bank %u dslot %u is reported free with %u references", b, d, s->refs);
    if (s->gone_until >= e->cycle && !s->owes) {
      s->gone_until = 0;
      trk_hit(e, TRK_C_TOKEN_STUCK);
      continue;
    }
    if (s->token_owes || (s->token_may && !s->owes && s->token_late)) {
      trk_hit(e, TRK_C_TOKEN_STUCK);
      s->token_owes = s->token_may = s->stuck = s->stuck_maybe = s->token = s->token_late = false;
      s->reported = true;
      s->owes = false;
      continue;
    }
    if (!s->owes && !young) return trk_wrong(e, "bank %u dslot %u is reported free twice, or never was in use", b, d);
    if (s->stuck) return trk_wrong(e, "bank %u dslot %u is reported free while its count is saturated", b, d);
    trk_hit(e, TRK_C_FREE);
    s->owes = false;
    s->gone_until = 0;
    s->stuck_maybe = false;
    if (!s->refs) s->reported = true;
  }
  if (n > 1) trk_hit(e, TRK_C_FREE_TWO);
  return NULL;
}

/* ---- what is taken ----------------------------------------------------------------------------------------- */

static unsigned path_of(unsigned class) { return class == TRK_TEX; }

static void ask_for(struct trk_env *e, const struct trk_wave *w) {
  for (unsigned b = 0; b < e->l.banks; b++)
    for (unsigned s = 0; s < e->l.sectors; s++) {
      if (!(w->used >> b & 1) || !(w->sectors[b] >> s & 1)) continue;
      struct trk_slot_state *slot = &e->slot[b][w->dslot[b]];
      if ((slot->valid | slot->asked) >> s & 1 || e->asks == TRK_ASKS) continue;
      slot->asked |= (uint8_t)(1u << s);
      e->ask[e->asks++] = (struct trk_ask){b, w->dslot[b], s, e->cycle};
    }
}

static const char *take_wave(struct trk_env *e, const struct trk_said *x, bool kept, uint64_t cycle) {
  if (e->change && !e->open && cycle >= e->change_from) {
    if (e->oldest <= e->taken) return trk_wrong(e, "the wavefront of cycle %llu is taken while a new mode waits (since %llu) and the tracker is not empty (%llu to %llu)",
      (unsigned long long)cycle, (unsigned long long)e->change_from, (unsigned long long)e->oldest, (unsigned long long)e->taken);
    take_change(e);
  }
  uint64_t n = ++e->taken;
  e->inside++;
  struct trk_wave *w = trk_wave_of(e, n);
  bool ray = x->class == TRK_RAY, alone = ray || (e->l.by_wavefront && x->class == TRK_LG);
  *w = (struct trk_wave){.cycle = cycle, .class = x->class, .warp = x->warp, .end = x->end || ray, .used = kept ? 0 : x->used};
  memcpy(w->dslot, x->dslot, sizeof w->dslot);
  memcpy(w->sectors, x->sectors, sizeof w->sectors);
  memcpy(w->payload, x->payload, sizeof w->payload);
  w->queue = queue_of(e, x->class, x->warp);
  w->alone = e->inside == 1 && e->cycle > e->last_left + TRK_TURN;
  static const enum trk_cover modes[] = {TRK_C_MODE_1, TRK_C_MODE_2, TRK_C_MODE_3, TRK_C_MODE_4};
  trk_hit(e, modes[e->mode - 1]);
  if (!e->open) {
    e->open_class = x->class;
    e->open_warp = x->warp;
    e->open_first = n;
  }
  w->instruction = alone ? n : e->open_first;
  if (alone || w->end) {
    struct trk_wave *first = trk_wave_of(e, w->instruction);
    if (!alone && n - w->instruction > e->l.entries) trk_hit(e, TRK_C_LONG);
    if (n - w->instruction < TRK_WAVES) {
      first->whole = true;
      first->last = n;
    }
    e->count = 0;
  } else if (++e->count == e->group) {
    w->group_end = true;
    e->count = 0;
  }
  if (!ray) e->open = !x->end;
  unsigned at = w->queue * 2 + path_of(x->class);
  if (e->line[at].first) trk_wave_of(e, e->line[at].last)->next = n;
  else e->line[at].first = n;
  e->line[at].last = n;
  for (unsigned b = 0; b < e->l.banks; b++)
    if (w->used >> b & 1) raise_count(e, b, w->dslot[b], cycle);
  ask_for(e, w);
  e->seen[TRK_KINDS + x->class]++;
  return NULL;
}

static void end_group(struct trk_env *e) {
  if (e->open && e->count) trk_wave_of(e, e->taken)->group_end = true;
  e->count = 0;
}

/* The code that a packet must have; *open: it may also be fine, as a token is about to go. */
static unsigned code_of(const struct trk_env *e, const struct trk_said *x, bool *open) {
  if (x->kind == TRK_WAVE) {
    if (x->class >= TRK_CLASSES) return TRK_BAD_CLASS;
    if (x->warp >= e->l.warps) return TRK_BAD_WARP;
    if (e->open && (x->class != e->open_class || x->warp != e->open_warp)) return TRK_TORN;
  } else if (x->bank >= e->l.banks) {
    return TRK_BAD_DSLOT;
  }
  bool token = false, sure = false;
  for (unsigned b = 0; b < e->l.banks; b++) {
    if (!(x->used >> b & 1)) continue;
    if (x->dslot[b] >= e->l.dslots) return TRK_BAD_DSLOT;
  }
  for (unsigned b = 0; b < e->l.banks; b++) {
    if (!(x->used >> b & 1)) continue;
    if (x->kind == TRK_WAVE && !x->sectors[b]) return TRK_NO_SECTOR;
    token |= e->slot[b][x->dslot[b]].token;
    sure |= e->slot[b][x->dslot[b]].token && !e->slot[b][x->dslot[b]].token_late;
  }
  *open = token && !sure;
  return token ? TRK_TOKEN_WAITS : TRK_FINE;
}

static void forget_token(struct trk_slot_state *s) {
  s->token = s->token_late = s->token_owes = s->token_may = s->stuck = s->stuck_maybe = false;
}

/* A packet that names its data slot is taken: the token has gone. */
static void token_was_gone(struct trk_env *e, unsigned b, unsigned d) {
  struct trk_slot_state *s = &e->slot[b][d];
  if (s->token_owes || s->token_may) s->gone_until = e->cycle + TRK_LAG; /* its report may still come */
  if (s->owes) { /* the count was saturated, so the report is the token's: it is due from here on */
    s->fell = e->cycle;
    s->recent++;
    e->recent[(e->recent_from + e->recent_count++) % TRK_RECENTS] = (struct trk_recent){e->cycle, b, d};
  }
  forget_token(s);
}

static const char *judge_in(struct trk_env *e, const struct trk_said *x, unsigned code, uint64_t cycle) {
  static const enum trk_cover refused[] = {TRK_C_REFUSED_1, TRK_C_REFUSED_2, TRK_C_REFUSED_3, TRK_C_REFUSED_4, TRK_C_REFUSED_5, TRK_C_REFUSED_6};
  bool open = false;
  unsigned expected = x->kind == TRK_WAVE || x->kind == TRK_TOKEN ? code_of(e, x, &open) : TRK_FINE;
  if (code != expected && !(open && !code)) return trk_wrong(e, "packet of cycle %llu has error %u, not %u", (unsigned long long)cycle, code, expected);
  if (open && !code)
    for (unsigned b = 0; b < e->l.banks; b++)
      if (x->used >> b & 1 && e->slot[b][x->dslot[b]].token) token_was_gone(e, b, x->dslot[b]);
  if (code) trk_hit(e, refused[code - 1]);
  bool kept = x->kind == TRK_WAVE && code >= TRK_BAD_DSLOT && e->open && x->end;
  if (kept) trk_hit(e, TRK_C_KEPT_END);
  if (x->kind == TRK_WAVE) return !code || kept ? take_wave(e, x, kept, cycle) : NULL;
  if (code) return NULL;
  if (x->kind == TRK_CLOSE && e->open) trk_hit(e, TRK_C_CLOSE_INSIDE);
  end_group(e);
  e->seen[x->kind]++;
  if (x->kind == TRK_STATE) {
    struct trk_order *o = &e->states.item[(e->states.from + e->states.count++) % TRK_ORDERS];
    o->tail = e->taken;
    o->due = 0;
    memcpy(o->payload, x->payload, sizeof o->payload);
  }
  if (x->kind == TRK_TOKEN) {
    struct trk_slot_state *s = &e->slot[x->bank][x->dslot[x->bank]];
    s->token = true;
    s->token_late = false;
    s->token_number = ++e->token_number;
    s->token_owes = s->stuck;
    s->token_may = s->stuck_maybe && !s->stuck;
    e->tokens.item[(e->tokens.from + e->tokens.count++) % TRK_ORDERS] = (struct trk_flush){e->taken, 0, x->bank, x->dslot[x->bank], s->token_number};
  }
  return NULL;
}

static const char *judge_alloc(struct trk_env *e, const struct trk_said *x, unsigned code) {
  static const enum trk_cover refused[] = {TRK_C_ALLOC_REFUSED_1, TRK_C_ALLOC_REFUSED_2, TRK_C_ALLOC_REFUSED_3};
  bool there = x->alloc_bank < e->l.banks && x->alloc_dslot < e->l.dslots;
  const struct trk_slot_state *s = there ? &e->slot[x->alloc_bank][x->alloc_dslot] : NULL;
  bool may_hold = s && (s->recent || s->stuck_maybe || s->owes);
  bool good = !there ? code == TRK_ALLOC_BAD_DSLOT
            : s->token ? code == TRK_ALLOC_TOKEN || (s->token_late && code != TRK_ALLOC_BAD_DSLOT)
            : s->refs || s->stuck ? code == TRK_ALLOC_REFERENCES : code == TRK_ALLOC_FINE || (may_hold && code == TRK_ALLOC_REFERENCES);
  if (!good) return trk_wrong(e, "allocation of bank %u dslot %u has error %u", x->alloc_bank, x->alloc_dslot, code);
  if (code) trk_hit(e, refused[code - 1]);
  if (code) return NULL;
  trk_hit(e, TRK_C_ALLOC);
  e->slot[x->alloc_bank][x->alloc_dslot].valid = 0;
  return NULL;
}

static const char *judge(struct trk_env *e, const uint32_t *out) {
  struct trk_said *x = &e->said[e->cycle % TRK_DELAY];
  bool err = out[e->at.err];
  unsigned code = err ? out[e->at.err_in] : 0, alloc_code = err ? out[e->at.err_alloc] : 0;
  const char *wrong = NULL;
  if (code && !x->in) return trk_wrong(e, "error %u without a packet", code);
  if (alloc_code && !x->alloc) return trk_wrong(e, "error %u without an allocation", alloc_code);
  if (x->alloc) wrong = judge_alloc(e, x, alloc_code);
  if (!wrong && x->fast) {
    /* Unless it has left already. */
    if (e->untold <= e->fasts.count) e->fasts.item[(e->fasts.from + e->fasts.count - e->untold) % TRK_ORDERS].tail = e->taken;
    e->untold--;
    e->seen_fast++;
  }
  if (!wrong && x->in) wrong = judge_in(e, x, code, e->cycle - TRK_DELAY);
  memset(x, 0, sizeof *x);
  if (wrong) return wrong;
  bool fill = err && out[e->at.err_fill], reg = err && out[e->at.err_reg];
  if (fill != e->fill_bad[e->cycle % 2]) return trk_wrong(e, "a fill is %s as out of range or early", fill ? "reported" : "not reported");
  if (reg != e->reg_refused) return trk_wrong(e, "a register value is %s as unknown", reg ? "reported" : "not reported");
  if (fill) trk_hit(e, TRK_C_FILL_REFUSED);
  if (reg) trk_hit(e, TRK_C_REG_REFUSED);
  return NULL;
}

/* ---- what leaves -------------------------------------------------------------------------------------------- */

static bool is_there(const struct trk_env *e, const struct trk_wave *w) {
  for (unsigned b = 0; b < e->l.banks; b++)
    if (w->used >> b & 1 && w->sectors[b] & ~e->slot[b][w->dslot[b]].valid) return false;
  return true;
}

static bool same_payload(const struct trk_env *e, const uint32_t *a, const uint32_t *b) { return !memcmp(a, b, 4 * e->l.payload_words); }

static bool matches(const struct trk_env *e, const struct trk_wave *w, const uint32_t *out, unsigned p) {
  if (out[e->at.out[p].class] != w->class || out[e->at.out[p].warp] != w->warp || out[e->at.out[p].end] != w->end ||
      out[e->at.out[p].used] != w->used || !same_payload(e, &out[e->at.out[p].payload], w->payload)) return false;
  for (unsigned b = 0; b < e->l.banks; b++)
    if (w->used >> b & 1 && trk_bits(&out[e->at.out[p].dslots], b * e->l.dslot_w, e->l.dslot_w) != w->dslot[b]) return false;
  return true;
}

/* All that must be checked of an instruction before its first wavefront leaves: the whole, or a group of the oldest. */
static const char *check_release(struct trk_env *e, uint64_t n) {
  const struct trk_wave *w = trk_wave_of(e, n);
  uint64_t last = w->whole ? w->last : e->taken, state = e->states.count ? e->states.item[e->states.from].tail : UINT64_MAX;
  bool whole = w->whole && (w->class != TRK_TEX || last <= state);
  for (uint64_t i = n; whole && i <= last; i++) whole = is_there(e, trk_wave_of(e, i));
  if (whole) return NULL;
  if (!w->whole) trk_hit(e, TRK_C_GROUP);
  if (n != e->oldest) return trk_wrong(e, "wavefront %llu leaves before its instruction is whole, and is not the oldest", (unsigned long long)n);
  for (uint64_t i = n; i <= last; i++) {
    if (!is_there(e, trk_wave_of(e, i))) return trk_wrong(e, "wavefront %llu leaves before its group is there", (unsigned long long)n);
    if (trk_wave_of(e, i)->group_end || (w->whole && i == last)) return NULL;
  }
  return trk_wrong(e, "wavefront %llu leaves before its group has ended", (unsigned long long)n);
}

static uint64_t find_wave(const struct trk_env *e, const uint32_t *out, unsigned p) {
  uint64_t best = 0;
  if (e->draining[p]) {
    uint64_t n = e->draining[p] + 1;
    return n <= e->taken && matches(e, trk_wave_of(e, n), out, p) ? n : 0;
  }
  for (unsigned q = 0; q < e->l.queues; q++) {
    uint64_t n = e->line[2 * q + p].first;
    if (!n || !matches(e, trk_wave_of(e, n), out, p) || !is_there(e, trk_wave_of(e, n))) continue;
    if (!best || n < best) best = n;
  }
  return best;
}

static const char *check_wave(struct trk_env *e, const uint32_t *out, unsigned p) {
  uint64_t n = find_wave(e, out, p);
  if (!n) return trk_wrong(e, "%s: no wavefront that is first in its queue, whose sectors are there%s, is like this one",
                           p ? "tex_out" : "lg_out", e->draining[p] ? " and that goes on with the instruction" : "");
  struct trk_wave *w = trk_wave_of(e, n);
  unsigned at = 2 * w->queue + p;
  if (e->line[at].first != n) return trk_wrong(e, "wavefront %llu overtakes in its queue", (unsigned long long)n);
  if (!is_there(e, w)) return trk_wrong(e, "wavefront %llu leaves before its sectors are there", (unsigned long long)n);
  if (!e->draining[p]) {
    const char *wrong = check_release(e, n);
    if (wrong) return wrong;
  }
  if (p && e->states.count && e->states.item[e->states.from].tail < n)
    return trk_wrong(e, "texture wavefront %llu leaves before an older state packet", (unsigned long long)n);
  if (e->fasts.count && e->fasts.item[e->fasts.from].tail < n)
    return trk_wrong(e, "wavefront %llu leaves before an older fast packet", (unsigned long long)n);
  if (n != e->oldest) trk_hit(e, TRK_C_OVERTAKES);
  if (!w->used) trk_hit(e, TRK_C_NO_BANK);
  if (e->draining[p] && e->state_between && p) trk_hit(e, TRK_C_STATE_INSIDE);
  e->state_between = p ? false : e->state_between;
  bool alone = w->class == TRK_RAY || (e->l.by_wavefront && w->class == TRK_LG);
  e->draining[p] = alone || w->end ? 0 : n;
  e->line[at].first = w->next;
  w->left = true;
  e->inside--;
  e->last_left = e->cycle;
  for (unsigned b = 0; b < e->l.banks; b++)
    if (w->used >> b & 1) drop_count(e, b, w->dslot[b]);
  while (e->oldest <= e->taken && trk_wave_of(e, e->oldest)->left) e->oldest++;
  return NULL;
}

static const char *check_state(struct trk_env *e, const uint32_t *out) {
  if (!e->states.count) return trk_wrong(e, "a state packet leaves that never came");
  const struct trk_order *o = &e->states.item[e->states.from];
  if (!same_payload(e, o->payload, &out[e->at.out[1].payload])) return trk_wrong(e, "a state packet leaves with another payload");
  if (e->oldest <= o->tail) return trk_wrong(e, "a state packet leaves before wavefront %llu, which is older", (unsigned long long)e->oldest);
  e->states.from = (e->states.from + 1) % TRK_ORDERS;
  e->states.count--;
  e->state_between = true;
  trk_hit(e, TRK_C_STATE);
  return NULL;
}

static const char *check_fast(struct trk_env *e, const uint32_t *out) {
  if (!e->fasts.count) return trk_wrong(e, "a fast packet leaves that never came");
  if (!same_payload(e, e->fasts.item[e->fasts.from].payload, &out[e->at.fast_out_payload])) return trk_wrong(e, "a fast packet leaves with another payload");
  e->fasts.from = (e->fasts.from + 1) % TRK_ORDERS;
  e->fasts.count--;
  return NULL;
}

/* Nothing older than a token or a state packet is inside any more: it may go, and by when it must have gone. */
static void note_turns(struct trk_env *e) {
  uint64_t passes = e->oldest - e->walked;
  e->walked = e->oldest;
  unsigned from = e->going.count;
  while (e->tokens.count && e->oldest > e->tokens.item[e->tokens.from].tail) {
    struct trk_flush *t = &e->tokens.item[e->tokens.from];
    struct trk_slot_state *s = &e->slot[t->bank][t->dslot];
    s->token_late = true;
    if (!s->stuck_maybe) trk_hit(e, TRK_C_TOKEN_PLAIN);
    e->going.item[(e->going.from + e->going.count++) % TRK_ORDERS] = *t;
    e->tokens.from = (e->tokens.from + 1) % TRK_ORDERS;
    e->tokens.count--;
    passes += TRK_TURN_TOKEN;
  }
  unsigned first = 0, last;
  while (first < e->states.count && e->states.item[(e->states.from + first) % TRK_ORDERS].due) first++;
  for (last = first; last < e->states.count && e->oldest > e->states.item[(e->states.from + last) % TRK_ORDERS].tail; last++) passes += TRK_TURN_STATE;
  if (e->passed < e->open_cycles) e->passed = e->open_cycles;
  e->passed += passes;
  for (; from < e->going.count; from++) e->going.item[(e->going.from + from) % TRK_ORDERS].due = e->passed + TRK_TURN;
  for (; first < last; first++) e->states.item[(e->states.from + first) % TRK_ORDERS].due = e->passed + TRK_TURN;
}

static const char *check_turns(struct trk_env *e, const uint32_t *out) {
  if (e->l.status && simt_front_closed(&e->front.shell)) return NULL;
  const bool offered = out[e->at.out[1].valid];
  const struct trk_order *o = &e->states.item[e->states.from];
  e->open_cycles++;
  if (offered) e->tex_offered = e->open_cycles;
  if (e->states.count && o->due) {
    const uint64_t from = e->tex_offered + TRK_TURN, by = o->due > from ? o->due : from;
    if (offered && !out[e->at.out[1].state]) return trk_wrong(e, "texture is offered in front of a state packet that only younger wavefronts are inside with");
    if (e->open_cycles > by) return trk_wrong(e, "a state packet is not offered although nothing older has been inside for %llu cycles",
      (unsigned long long)(e->open_cycles + TRK_TURN - by));
  }
  while (e->going.count && e->open_cycles > e->going.item[e->going.from].due) {
    const struct trk_flush *t = &e->going.item[e->going.from];
    struct trk_slot_state *s = &e->slot[t->bank][t->dslot];
    const bool waits = s->token && s->token_number == t->number;
    if (waits && (s->token_owes || s->owes))
      return trk_wrong(e, "bank %u dslot %u is not reported although nothing older than its flush token is inside", t->bank, t->dslot);
    if (waits) forget_token(s);
    e->going.from = (e->going.from + 1) % TRK_ORDERS;
    e->going.count--;
  }
  return NULL;
}

static const char *check_still(struct trk_env *e, const uint32_t *in, const uint32_t *out, unsigned p) {
  if (e->l.status && simt_front_closed(&e->front.shell)) return NULL; /* withdrawn; the same again after it */
  bool valid = out[e->at.out[p].valid], taken = valid && in[e->at.out[p].ready];
  if (e->still[p].valid && (!valid || memcmp(e->still[p].word, &out[e->at.out[p].payload], 4 * e->l.payload_words)))
    return trk_wrong(e, "%s does not hold still", p ? "tex_out" : "lg_out");
  e->still[p].valid = valid && !taken;
  memcpy(e->still[p].word, &out[e->at.out[p].payload], 4 * e->l.payload_words);
  e->blocked[p] = valid && !taken ? e->blocked[p] + 1 : 0;
  if (e->blocked[p] == 8) trk_hit(e, TRK_C_BACK_PRESSURE);
  return NULL;
}

/* ---- registers ------------------------------------------------------------------------------------------------ */

static bool may_write(const struct trk_env *e) {
  uint32_t v = e->reg_data;
  bool mode = e->reg_addr == TRK_REG_MODE, split = e->reg_addr == TRK_REG_SPLIT, group = e->reg_addr == TRK_REG_GROUP;
  return v && ((mode && v <= 4) || (split && v < e->l.queues) || (group && v <= e->l.group_max));
}

static bool may_read(const struct trk_env *e) {
  for (size_t i = 0; i < e->cfg->desc.n_regs; i++)
    if (e->cfg->desc.regs[i].addr == e->reg_addr) return true;
  return false;
}

static const char *check_register(struct trk_env *e, const uint32_t *in, const uint32_t *out) {
  if (out[e->at.rsp]) {
    if (!e->reg_waits) return trk_wrong(e, "the register port answers without an access");
    uint32_t v = out[e->at.rsp_data], want = v;
    bool error = out[e->at.rsp_error], refuses = e->reg_was_write ? !may_write(e) : !may_read(e);
    if (error != refuses)
      return trk_wrong(e, "an access of register 0x%02x is %s", e->reg_addr, error ? "refused" : "not refused");
    if (error || e->reg_was_write) want = 0;
    if (!e->reg_was_write && !error) {
      if (e->reg_addr == TRK_REG_ID) want = TRK_ID;
      if (e->reg_addr == TRK_REG_MODE) want = e->new_mode;
      if (e->reg_addr == TRK_REG_SPLIT) want = e->new_split;
      if (e->reg_addr == TRK_REG_GROUP) want = e->new_group;
      if (e->reg_addr >= TRK_REG_COUNTERS && e->reg_addr < TRK_REG_COUNTERS + 4 * TRK_N_FAST) {
        unsigned i = (e->reg_addr - TRK_REG_COUNTERS) / 4u;
        uint64_t most = i < TRK_CLASSES ? e->seen[TRK_KINDS + i] : e->seen[i - TRK_CLASSES + TRK_STATE];
        if (v > most) return trk_wrong(e, "counter %s is %u, of %u events", trk_counter_names[i].name, v, (unsigned)most);
      }
    }
    if (v != want) return trk_wrong(e, "register 0x%02x reads 0x%x, not 0x%x", e->reg_addr, v, want);
    e->reg_waits = false;
  }
  e->reg_refused = false;
  if (in[e->at.reg] && out[e->at.reg_ready]) {
    e->reg_waits = true;
    e->reg_taken = e->cycle;
    e->reg_was_write = in[e->at.reg_write];
    e->reg_addr = (uint8_t)in[e->at.reg_addr];
    e->reg_data = in[e->at.reg_data];
  }
  return NULL;
}

/* A write that was taken in the cycle before acts. The error port tells of it two cycles later. */
static void write_register(struct trk_env *e) {
  if (!may_write(e)) return;
  if (e->reg_addr == TRK_REG_MODE) e->new_mode = e->reg_data;
  if (e->reg_addr == TRK_REG_SPLIT) e->new_split = e->reg_data;
  if (e->reg_addr == TRK_REG_GROUP) e->new_group = e->reg_data;
  if (!e->change) e->change_from = e->reg_taken + 3;
  e->change = true;
  if (e->open) trk_hit(e, TRK_C_CHANGE_OPEN);
}

static bool is_refused_write(const struct trk_env *e) {
  bool setting = e->reg_addr == TRK_REG_MODE || e->reg_addr == TRK_REG_SPLIT || e->reg_addr == TRK_REG_GROUP;
  return setting && !may_write(e);
}

/* ---- a cycle ---------------------------------------------------------------------------------------------------- */

static void note_taken(struct trk_env *e, const uint32_t *in, const uint32_t *out) {
  struct trk_said *x = &e->said[e->cycle % TRK_DELAY];
  bool in_taken = in[e->at.in] && out[e->at.in_ready], fast = in[e->at.fast] && out[e->at.fast_ready];
  bool alloc = in[e->at.alloc] && out[e->at.alloc_ready];
  if (!(in_taken || fast || alloc)) return;
  *x = e->want;
  x->in = in_taken;
  x->fast = fast;
  x->alloc = alloc;
  if (fast) {
    struct trk_order *o = &e->fasts.item[(e->fasts.from + e->fasts.count++) % TRK_ORDERS];
    o->tail = UINT64_MAX;
    memcpy(o->payload, x->fast_payload, sizeof o->payload);
    e->untold++;
  }
  if (x->kind == TRK_TOKEN) x->used = x->bank < e->l.banks ? 1u << x->bank : 0;
  if (alloc) {
    e->alloc_last[e->alloc_at].bank = x->alloc_bank;
    e->alloc_last[e->alloc_at].dslot = x->alloc_dslot;
    e->alloc_last[e->alloc_at].cycle = e->cycle;
    e->alloc_last[e->alloc_at].valid = true;
    e->alloc_at = (e->alloc_at + 1) % 8;
  }
}

static unsigned completes(const struct trk_env *e, unsigned b, unsigned d) { /* warps whose wavefront is there with this fill */
  unsigned n = 0;
  uint32_t last = ~0u;
  for (uint64_t i = e->oldest; i <= e->taken && i < e->oldest + 64; i++) {
    const struct trk_wave *w = trk_wave_of(e, i);
    if (!w->left && w->used >> b & 1 && w->dslot[b] == d && w->warp != last && is_there(e, w)) n++, last = w->warp;
  }
  return n;
}

/* Before anything was ready, in the cycle in which an allocation of the data slot is taken, or in the three behind it. */
static bool is_early(const struct trk_env *e, const uint32_t *in, const uint32_t *out) {
  const unsigned b = in[e->at.fill_bank], d = in[e->at.fill_dslot];
  for (unsigned i = 0; i < 8; i++)
    if (e->alloc_last[i].valid && e->alloc_last[i].bank == b && e->alloc_last[i].dslot == d && e->cycle < e->alloc_last[i].cycle + 4) return true;
  return !e->started || (in[e->at.alloc] && out[e->at.alloc_ready] && in[e->at.alloc_bank] == b && in[e->at.alloc_dslot] == d);
}

static void note_fill(struct trk_env *e, const uint32_t *in, const uint32_t *out) {
  unsigned b = in[e->at.fill_bank], d = in[e->at.fill_dslot], s = in[e->at.fill_sector];
  e->started |= out[e->at.in_ready] || out[e->at.fast_ready] || out[e->at.alloc_ready];
  bool good = b < e->l.banks && d < e->l.dslots && s < e->l.sectors && !is_early(e, in, out);
  e->fill_bad[e->cycle % 2] = false;
  if (e->front.dropping) return;
  e->fill_bad[e->cycle % 2] = in[e->at.fill] && !good;
  if (!in[e->at.fill] || !good) return;
  struct trk_slot_state *slot = &e->slot[b][d];
  bool fresh = !(slot->valid >> s & 1);
  slot->valid |= (uint8_t)(1u << s);
  if (!fresh) return;
  if ((e->cycle & 7) == 0 && completes(e, b, d) > 1) trk_hit(e, TRK_C_MANY_READY);
  const struct trk_wave *w = trk_wave_of(e, e->taken);
  if (e->taken && w->used >> b & 1 && w->dslot[b] == d && w->sectors[b] >> s & 1 && e->cycle >= w->cycle + 5 &&
      e->cycle <= w->cycle + 11 && is_there(e, w)) trk_hit(e, TRK_C_FILL_WINDOW);
}

/* A wavefront that is alone and an instruction of its own is offered within 10 cycles of its last fill and 16 of its taking. */
static const char *check_alone(struct trk_env *e, const uint32_t *out) {
  struct trk_wave *w = trk_wave_of(e, e->taken);
  if (!e->taken || w->left || !w->alone) return NULL;
  const bool closed = e->l.status && simt_front_closed(&e->front.shell), packets = e->states.count || e->fasts.count || e->tokens.count || e->going.count;
  const bool whole = w->whole && w->instruction == e->taken, offered = out[e->at.out[path_of(w->class)].valid];
  w->alone = e->inside == 1 && whole && !closed && !packets && !offered;
  if (!w->alone || !is_there(e, w)) return NULL;
  if (!w->there) w->there = e->cycle;
  const uint64_t filled = w->there + 9, taken = w->cycle + 16;
  return e->cycle < (filled > taken ? filled : taken) ? NULL : trk_wrong(e, "wavefront %llu, alone, is not offered in time: taken in cycle %llu, there in %llu",
    (unsigned long long)e->taken, (unsigned long long)w->cycle, (unsigned long long)w->there - 1);
}

static const char *check_outputs(struct trk_env *e, const uint32_t *in, const uint32_t *out) {
  const char *wrong = NULL;
  bool read[2] = {out[e->at.out[0].valid] && in[e->at.out[0].ready], out[e->at.out[1].valid] && in[e->at.out[1].ready]};
  if (out[e->at.fast_out] && in[e->at.fast_out_ready]) {
    if ((wrong = check_fast(e, out))) return wrong;
    e->progress++;
  } else if (e->fasts.count && e->taken > e->fasts.item[e->fasts.from].tail) {
    trk_hit(e, TRK_C_FAST_HOLDS);
  }
  for (unsigned p = 0; p < 2; p++) {
    if ((wrong = check_still(e, in, out, p))) return wrong;
    if (!read[p]) continue;
    wrong = p && out[e->at.out[1].state] ? check_state(e, out) : check_wave(e, out, p);
    if (wrong) return wrong;
    e->progress++;
  }
  if (read[0] && read[1]) trk_hit(e, TRK_C_BOTH_OUT);
  e->in_row = read[0] || read[1] ? e->in_row + 1 : 0;
  if (e->in_row == 8) trk_hit(e, TRK_C_RUN);
  return NULL;
}

/* An allocation is not ready while a fast packet waits that was taken before the allocation was first offered (TR-12). */
static const char *check_guard(struct trk_env *e, const uint32_t *in, const uint32_t *out) {
  bool offered = in[e->at.alloc], taken = offered && out[e->at.alloc_ready];
  if (!e->offered) e->guard = e->fasts.count;
  if (taken && e->guard && e->l.fast_guard)
    return trk_wrong(e, "an allocation is taken while %u fast packets wait that came before it was offered", e->guard);
  e->offered = offered && !taken;
  if (out[e->at.fast_out] && in[e->at.fast_out_ready] && e->guard) e->guard--;
  return NULL;
}

const char *trk_golden_observe(struct trk_env *e, const uint32_t *in, const uint32_t *out) {
  if (in[e->at.rst]) {
    trk_golden_reset(e);
    return NULL;
  }
  const char *wrong = judge(e, out);
  if (!wrong) wrong = check_guard(e, in, out);
  if (!wrong) wrong = check_turns(e, out);
  if (!wrong) wrong = check_alone(e, out);
  if (!wrong) wrong = check_outputs(e, in, out);
  if (!wrong) wrong = check_free(e, out);
  if (!wrong) wrong = check_owed(e);
  if (wrong) return wrong;
  note_turns(e);
  uint64_t span = e->taken - e->oldest + 1;
  if (e->l.free_list && span == e->l.ages) trk_hit(e, TRK_C_AGES_FULL);
  if ((e->l.free_list ? e->inside : span) == e->l.entries) {
    trk_hit(e, TRK_C_FULL);
    if (in[e->at.fast] && out[e->at.fast_ready]) trk_hit(e, TRK_C_FAST_FULL);
  }
  if (in[e->at.alloc] && !out[e->at.alloc_ready] && e->fasts.count) trk_hit(e, TRK_C_ALLOC_WAITS);
  if (e->reg_waits && e->reg_was_write && e->cycle == e->reg_taken + 1) write_register(e);
  bool refuses = e->reg_waits && e->reg_was_write && e->cycle == e->reg_taken + 2 && is_refused_write(e);
  if ((wrong = check_register(e, in, out))) return wrong;
  e->reg_refused = refuses;
  note_fill(e, in, out);
  note_taken(e, in, out);
  return NULL;
}

bool trk_golden_busy(const struct trk_env *e) {
  return e->fasts.count || (e->oldest <= e->taken && !e->open) || (e->states.count && e->oldest > e->states.item[e->states.from].tail);
}
