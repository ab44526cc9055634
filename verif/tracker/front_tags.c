/* SPDX-License-Identifier: Apache-2.0 */
/* front_tags.c: coalescer, tags and data slots: what of an instruction goes the fast path, what the slow one. */
#include <stdlib.h>
#include <string.h>

#include "tracker/front_impl.h"

bool tkf_tags_create(struct tkf_front *f) {
  size_t dslots = (size_t)f->s.banks * f->s.dslots;
  f->line = calloc((size_t)f->s.banks * f->sets * f->o.ways, sizeof *f->line);
  f->dslot = calloc(dslots, sizeof *f->dslot);
  f->free_dslot = calloc(dslots, sizeof *f->free_dslot);
  f->slow.room = f->fast.room = f->alloc.room = f->o.tag_queue;
  f->slow.at = calloc(f->slow.room, sizeof *f->slow.at);
  f->fast.at = calloc(f->fast.room, sizeof *f->fast.at);
  f->alloc.at = calloc(f->alloc.room, sizeof *f->alloc.at);
  if (!f->line || !f->dslot || !f->free_dslot || !f->slow.at || !f->fast.at || !f->alloc.at) return false;
  for (unsigned b = 0; b < f->s.banks; b++) {
    for (unsigned d = 0; d < f->s.dslots; d++) f->free_dslot[b * f->s.dslots + d] = (uint16_t)(f->s.dslots - 1 - d);
    f->free_n[b] = f->s.dslots;
  }
  f->stage.instruction = TKF_NONE;
  return true;
}

void tkf_tags_destroy(struct tkf_front *f) {
  free(f->line);
  free(f->dslot);
  free(f->free_dslot);
  free(f->slow.at);
  free(f->fast.at);
  free(f->alloc.at);
}

/* ---- coalescer ------------------------------------------------------------------------------------ */

/* The sum of its digits to the base of the number of banks: strides spread over the banks. */
static unsigned bank_of(const struct tkf_front *f, uint64_t line) {
  uint64_t sum = 0;
  if (f->s.banks == 1) return 0;
  for (; line; line /= f->s.banks) sum += line % f->s.banks;
  return (unsigned)(sum % f->s.banks);
}

struct tkf_lines { uint64_t line[TKF_MAX_LINES]; uint8_t sectors[TKF_MAX_LINES]; unsigned n; };

static void add_line(struct tkf_lines *l, uint64_t line, unsigned sector) {
  unsigned i = l->n;
  while (i && l->line[i - 1] != line) i--; /* the newest is the likeliest */
  if (!i) {
    i = ++l->n;
    l->line[i - 1] = line;
    l->sectors[i - 1] = 0;
  }
  l->sectors[i - 1] |= (uint8_t)(1u << sector);
}

void tkf_tags_begin(struct tkf_front *f, uint32_t instruction) {
  const struct tkf_instruction *in = &f->instruction[instruction];
  struct tkf_stage *s = &f->stage;
  struct tkf_lines l;
  unsigned used[TKF_BANKS] = {0};
  l.n = 0;
  for (uint32_t i = in->first; i < in->first + in->n; i++) {
    const struct tkf_access *a = &f->trace->access[i];
    for (unsigned k = 0; k < a->lanes; k++) {
      uint64_t sector = f->trace->address[a->address + k] / TKF_SECTOR_BYTES;
      add_line(&l, sector / f->s.sectors, (unsigned)(sector % f->s.sectors));
    }
  }
  s->instruction = instruction;
  s->waves = s->at = 0;
  s->open = s->end_only = s->looked = false;
  for (unsigned i = 0; i < l.n; i++) {
    unsigned bank = bank_of(f, l.line[i]), at = used[bank]++;
    struct tkf_wave *w = &s->wave[at];
    if (at == s->waves) {
      memset(w, 0, sizeof *w);
      w->cls = in->cls;
      w->warp = (uint16_t)in->slot;
      s->waves++;
    }
    w->banks |= (uint8_t)(1u << bank);
    w->sectors[bank] = l.sectors[i];
    s->line[at][bank] = l.line[i];
  }
}

/* ---- packets on their way to the tracker ------------------------------------------------------------ */

static void push(struct tkf_packets *q, const struct tkf_packet *p) {
  q->at[(q->head + q->n++) % q->room] = *p;
}

static void drop(struct tkf_packets *q) {
  q->head = (q->head + 1) % q->room;
  q->n--;
}

/* ---- data slots ----------------------------------------------------------------------------------- */

static void give_back(struct tkf_front *f, unsigned bank, unsigned dslot) {
  struct tkf_dslot *d = tkf_dslot(f, bank, dslot);
  d->evicted = d->busy = false;
  f->free_dslot[bank * f->s.dslots + f->free_n[bank]++] = (uint16_t)dslot;
}

static void queue_wave(struct tkf_front *f, const struct tkf_wave *w, bool slow, bool names) {
  push(slow ? &f->slow : &f->fast, &(struct tkf_packet){.kind = TKF_WAVE, .wave = *w, .instruction = f->stage.instruction,
                                .allocs = f->allocs_posted});
  f->instruction[f->stage.instruction].waves++;
  for (unsigned b = 0; names && b < f->s.banks; b++) {
    if (!(w->banks >> b & 1)) continue;
    tkf_dslot(f, b, w->dslot[b])->slow_queued += slow;
    tkf_dslot(f, b, w->dslot[b])->fast_queued += !slow;
    tkf_dslot(f, b, w->dslot[b])->held += slow;
  }
}

static void release(struct tkf_front *f, const struct tkf_wave *w) {
  for (unsigned b = 0; b < f->s.banks; b++)
    if (w->banks >> b & 1) tkf_dslot(f, b, w->dslot[b])->held--;
}

/* A report for a data slot that was named within the last cycles is not to be trusted: another one follows. */
void tkf_tags_reports(struct tkf_front *f, const struct tkf_out *out) {
  for (unsigned path = 0; path < 2; path++) {
    if (f->past[f->cycle % TKF_COUNT_LAG][path].valid) release(f, &f->past[f->cycle % TKF_COUNT_LAG][path].wave);
    f->past[f->cycle % TKF_COUNT_LAG][path].valid = false;
  }
  for (unsigned b = 0; b < f->s.banks; b++) {
    if (!out->free_valid[b]) continue;
    struct tkf_dslot *d = tkf_dslot(f, b, out->free_dslot[b]);
    f->active = f->cycle;
    if (!d->busy || d->slow_queued || d->named + f->s.free_lag > f->cycle) continue;
    d->busy = false;
    if (d->evicted && !d->fast_queued) give_back(f, b, out->free_dslot[b]);
  }
}

/* The tag goes, the data slot stays until nothing refers to it. */
static void evict(struct tkf_front *f, unsigned bank, const struct tkf_line *l) {
  struct tkf_dslot *d = tkf_dslot(f, bank, l->dslot);
  d->evicted = true;
  if (!d->busy && !d->slow_queued && !d->fast_queued) give_back(f, bank, l->dslot);
}

static struct tkf_line *set_of(struct tkf_front *f, unsigned bank, uint64_t line) {
  uint64_t set = line / f->s.banks % f->sets;
  return &f->line[((uint64_t)bank * f->sets + set) * f->o.ways];
}

static struct tkf_line *find_line(struct tkf_front *f, unsigned bank, uint64_t line) {
  struct tkf_line *set = set_of(f, bank, line);
  for (unsigned w = 0; w < f->o.ways; w++)
    if (set[w].valid && set[w].line == line) return &set[w];
  return NULL;
}

static struct tkf_line *victim(struct tkf_front *f, unsigned bank, uint64_t line) {
  struct tkf_line *set = set_of(f, bank, line), *best = set;
  for (unsigned w = 0; w < f->o.ways; w++) {
    if (!set[w].valid) return &set[w];
    if (set[w].used < best->used) best = &set[w];
  }
  return best;
}

/* ---- the tag stage -------------------------------------------------------------------------------- */

static bool is_load(const struct tkf_front *f) { return f->instruction[f->stage.instruction].op == TKF_LOAD; }

static void look_up(struct tkf_front *f) {
  struct tkf_stage *s = &f->stage;
  struct tkf_wave *w = &s->wave[s->at];
  s->looked = true;
  s->closed = false; /* a close packet is sent once for each wavefront */
  s->to_request = s->to_allocate = 0;
  if (!is_load(f)) return; /* stores and atomics allocate nothing */
  for (unsigned b = 0; b < f->s.banks; b++) {
    if (!(w->banks >> b & 1)) continue;
    struct tkf_line *l = find_line(f, b, s->line[s->at][b]);
    if (l) {
      l->used = f->cycle;
      w->dslot[b] = l->dslot;
      if (w->sectors[b] & ~tkf_dslot(f, b, l->dslot)->wanted) s->to_request |= (uint8_t)(1u << b);
    } else {
      s->to_request |= (uint8_t)(1u << b);
      s->to_allocate |= (uint8_t)(1u << b);
    }
  }
}

/* Asks memory for the sectors of a bank that nobody asked for yet. False: no room for so many misses. */
static bool ask(struct tkf_front *f, unsigned bank) {
  struct tkf_stage *s = &f->stage;
  const struct tkf_wave *w = &s->wave[s->at];
  unsigned missing = w->sectors[bank] & ~(unsigned)tkf_dslot(f, bank, w->dslot[bank])->wanted;
  if (f->misses + (unsigned)__builtin_popcount(missing) > f->o.misses) {
    f->counts.stall[TKF_MISSES_FULL]++;
    return false;
  }
  for (; missing; missing &= missing - 1) {
    unsigned sector = (unsigned)__builtin_ctz(missing);
    uint64_t key = f->instruction[s->instruction].key ^ (s->line[s->at][bank] * f->s.sectors + sector) << 24;
    tkf_memory_ask(f, bank, w->dslot[bank], sector, key);
  }
  s->to_request &= (uint8_t)~(1u << bank);
  return true;
}

/* No free data slot: a tag that nothing refers to gives its own at once, and the open group is closed. */
static bool find_dslot(struct tkf_front *f, unsigned bank) {
  struct tkf_stage *s = &f->stage;
  if (f->free_n[bank]) return true;
  struct tkf_line *l = victim(f, bank, s->line[s->at][bank]);
  if (l->valid) {
    l->valid = false;
    evict(f, bank, l);
  }
  if (f->free_n[bank]) return true;
  f->counts.stall[TKF_NO_DSLOT]++;
  if (s->open && !s->closed && f->slow.n < f->slow.room) {
    push(&f->slow, &(struct tkf_packet){.kind = TKF_CLOSE});
    s->closed = true;
  }
  return false;
}

/* Gives a line a data slot; the tracker is told through a queue. False: that is not possible yet. */
static bool allocate(struct tkf_front *f, unsigned bank) {
  struct tkf_stage *s = &f->stage;
  uint64_t line = s->line[s->at][bank];
  if (f->alloc.n == f->alloc.room) {
    f->counts.stall[TKF_ALLOC]++;
    return false;
  }
  if (!find_dslot(f, bank)) return false;
  unsigned dslot = f->free_dslot[bank * f->s.dslots + --f->free_n[bank]];
  struct tkf_line *l = victim(f, bank, line);
  if (l->valid) evict(f, bank, l);
  *l = (struct tkf_line){.line = line, .used = f->cycle, .dslot = (uint16_t)dslot, .valid = true};
  struct tkf_dslot *d = tkf_dslot(f, bank, dslot);
  d->valid = d->wanted = 0;
  d->posted = true;
  struct tkf_packet p = {.wave = {.banks = (uint8_t)(1u << bank)}};
  p.wave.dslot[bank] = s->wave[s->at].dslot[bank] = (uint16_t)dslot;
  push(&f->alloc, &p);
  f->allocs_posted++;
  s->to_allocate &= (uint8_t)~(1u << bank);
  f->active = f->cycle;
  return true;
}

/* True when every line has its data slot and every sector is asked for. */
static bool prepare(struct tkf_front *f) {
  struct tkf_stage *s = &f->stage;
  for (unsigned b = 0; b < f->s.banks; b++)
    if ((s->to_allocate >> b & 1 && !allocate(f, b)) || (s->to_request >> b & 1 && !ask(f, b))) return false;
  return true;
}

/* Texture always goes the slow way; a load does when a sector is not there yet. */
static bool goes_slow(struct tkf_front *f) {
  const struct tkf_wave *w = &f->stage.wave[f->stage.at];
  if (!is_load(f)) return false;
  if (w->cls == TKF_TEXTURE) return true;
  for (unsigned b = 0; b < f->s.banks; b++)
    if (w->banks >> b & 1 && w->sectors[b] & ~tkf_dslot(f, b, w->dslot[b])->valid) return true;
  return false;
}

static void end_instruction(struct tkf_front *f) {
  tkf_instruction_sent(f);
  f->stage.instruction = TKF_NONE;
}

/* Whether one reference more might saturate a count: the tag stage keeps count so that none ever sticks. */
static bool counts_are_high(struct tkf_front *f, const struct tkf_wave *w) {
  for (unsigned b = 0; b < f->s.banks; b++)
    if (w->banks >> b & 1 && tkf_dslot(f, b, w->dslot[b])->held + 1u >= f->s.ref_max) return true;
  return false;
}

void tkf_tags_left(struct tkf_front *f, const struct tkf_wave *w, bool texture) {
  f->past[f->cycle % TKF_COUNT_LAG][texture].wave = *w;
  f->past[f->cycle % TKF_COUNT_LAG][texture].valid = true;
}

static bool may_send(struct tkf_front *f, const struct tkf_wave *w, bool slow) {
  bool full = slow ? f->slow.n == f->slow.room : f->fast.n == f->fast.room, high = slow && counts_are_high(f, w);
  if (full || high) f->counts.stall[full ? slow ? TKF_FULL : TKF_FAST_FULL : TKF_COUNT]++;
  return !full && !high;
}

/* A wavefront with all its data slots goes on to the tracker or past it. */
static void send(struct tkf_front *f) {
  struct tkf_stage *s = &f->stage;
  struct tkf_wave *w = &s->wave[s->at];
  bool slow = goes_slow(f), last = s->at + 1 == s->waves;
  if (!may_send(f, w, slow)) return;
  w->end = w->cls == TKF_RAY || last;
  w->id = tkf_take(&f->ids);
  queue_wave(f, w, slow, is_load(f));
  if (slow) s->open = !w->end;
  s->looked = false;
  s->at++;
  if (last && s->open) s->end_only = true;
  else if (last) end_instruction(f);
}

/* Only hits came behind the slow wavefronts: one without banks bears the end. */
static void send_end(struct tkf_front *f) {
  const struct tkf_instruction *i = &f->instruction[f->stage.instruction];
  if (f->slow.n == f->slow.room) {
    f->counts.stall[TKF_FULL]++;
    return;
  }
  struct tkf_wave w = {.cls = i->cls, .warp = (uint16_t)i->slot, .end = true, .id = tkf_take(&f->ids)};
  queue_wave(f, &w, true, true);
  end_instruction(f);
}

void tkf_tags_cycle(struct tkf_front *f) {
  struct tkf_stage *s = &f->stage;
  if (s->instruction == TKF_NONE) {
    f->counts.no_work++;
    return;
  }
  if (s->end_only) {
    send_end(f);
    return;
  }
  if (!s->looked) look_up(f);
  if (prepare(f)) send(f);
}

/* ---- ports ---------------------------------------------------------------------------------------- */

static void slow_taken(struct tkf_front *f, const struct tkf_packet *p) {
  f->active = f->cycle;
  f->counts.closes += p->kind == TKF_CLOSE;
  if (p->kind != TKF_WAVE) return;
  for (unsigned b = 0; b < f->s.banks; b++) {
    if (!(p->wave.banks >> b & 1)) continue;
    struct tkf_dslot *d = tkf_dslot(f, b, p->wave.dslot[b]);
    d->slow_queued--;
    d->busy = true;
    d->named = f->cycle;
  }
  tkf_wave_taken(f, p, true);
}

static void fast_taken(struct tkf_front *f, const struct tkf_packet *p) {
  bool load = f->instruction[p->instruction].op == TKF_LOAD;
  for (unsigned b = 0; load && b < f->s.banks; b++) {
    if (!(p->wave.banks >> b & 1)) continue;
    struct tkf_dslot *d = tkf_dslot(f, b, p->wave.dslot[b]);
    if (!--d->fast_queued && d->evicted && !d->busy && !d->slow_queued) give_back(f, b, p->wave.dslot[b]);
  }
  tkf_wave_taken(f, p, false);
}

static void offer_alloc(struct tkf_front *f, const struct tkf_out *out, struct tkf_in *in) {
  const struct tkf_packet *p = &f->alloc.at[f->alloc.head];
  in->alloc_valid = true;
  in->alloc_bank = (uint8_t)__builtin_ctz(p->wave.banks);
  in->alloc_dslot = p->wave.dslot[in->alloc_bank];
  f->counts.alloc_waits += !out->alloc_ready;
  if (!out->alloc_ready) return;
  struct tkf_dslot *d = tkf_dslot(f, in->alloc_bank, in->alloc_dslot);
  d->posted = false;
  d->allocated = f->cycle;
  f->allocs_taken++;
  f->counts.allocs++;
  f->active = f->cycle;
  drop(&f->alloc);
}

void tkf_ports_cycle(struct tkf_front *f, const struct tkf_out *out, struct tkf_in *in) {
  if (f->alloc.n) offer_alloc(f, out, in);
  if (f->slow.n && f->slow.at[f->slow.head].allocs <= f->allocs_taken) {
    const struct tkf_packet *p = &f->slow.at[f->slow.head];
    in->valid = true;
    in->kind = p->kind;
    in->wave = p->wave;
    f->counts.in_waits += !out->ready;
    if (out->ready) {
      slow_taken(f, p);
      drop(&f->slow);
    }
  }
  if (!f->fast.n) return;
  const struct tkf_packet *p = &f->fast.at[f->fast.head];
  in->fast_valid = true;
  in->fast_id = p->wave.id;
  f->counts.fast_waits += !out->fast_ready;
  if (!out->fast_ready) return;
  fast_taken(f, p);
  drop(&f->fast);
}
