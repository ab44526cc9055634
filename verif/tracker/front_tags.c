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
  f->token = calloc(dslots, sizeof *f->token);
  if (!f->line || !f->dslot || !f->free_dslot || !f->token) return false;
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
  free(f->token);
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
  s->closing = s->open = s->end_only = s->looked = s->decided = false;
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

/* ---- data slots ----------------------------------------------------------------------------------- */

static void give_back(struct tkf_front *f, unsigned bank, unsigned dslot) {
  struct tkf_dslot *d = tkf_dslot(f, bank, dslot);
  d->evicted = d->busy = d->token = false;
  d->names = 0;
  f->free_dslot[bank * f->s.dslots + f->free_n[bank]++] = (uint16_t)dslot;
}

/* A report for a data slot that was named within the last cycles is not to be trusted: another one follows. */
void tkf_tags_reports(struct tkf_front *f, const struct tkf_out *out) {
  for (unsigned b = 0; b < f->s.banks; b++) {
    if (!out->free_valid[b]) continue;
    struct tkf_dslot *d = tkf_dslot(f, b, out->free_dslot[b]);
    f->active = f->cycle;
    if (!d->busy || d->named + f->s.free_lag > f->cycle) continue;
    d->busy = false;
    d->names = 0;
    if (d->token) f->tokens_out--;
    if (d->evicted) give_back(f, b, out->free_dslot[b]);
  }
}

/* The tag goes, the data slot stays until nothing refers to it. Its count may be stuck: then a token clears it. */
static void evict(struct tkf_front *f, unsigned bank, const struct tkf_line *l) {
  struct tkf_dslot *d = tkf_dslot(f, bank, l->dslot);
  if (!d->busy) {
    give_back(f, bank, l->dslot);
    return;
  }
  d->evicted = true;
  if (d->names < f->s.ref_max) return;
  d->token = true;
  f->token[f->tokens].bank = (uint8_t)bank;
  f->token[f->tokens++].dslot = l->dslot;
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
  s->closed = s->allocating = false;
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

/* Offers a data slot for the first line without one; false when there is none, which closes the open group. */
static bool choose_dslot(struct tkf_front *f) {
  struct tkf_stage *s = &f->stage;
  s->bank = (uint8_t)__builtin_ctz(s->to_allocate);
  if (!f->free_n[s->bank]) { /* a tag that nothing refers to gives its data slot at once */
    struct tkf_line *l = victim(f, s->bank, s->line[s->at][s->bank]);
    if (l->valid) {
      l->valid = false;
      evict(f, s->bank, l);
    }
  }
  if (f->free_n[s->bank]) {
    s->dslot = f->free_dslot[s->bank * f->s.dslots + --f->free_n[s->bank]];
    s->allocating = true;
    return true;
  }
  f->counts.stall[TKF_NO_DSLOT]++;
  s->closing = s->open && !s->closed;
  return false;
}

static void send_close(struct tkf_front *f, const struct tkf_out *out, struct tkf_in *in) {
  in->valid = true;
  in->kind = TKF_CLOSE;
  if (!out->ready) return;
  f->stage.closing = false;
  f->stage.closed = true;
  f->counts.closes++;
  f->active = f->cycle;
}

static void allocated(struct tkf_front *f) {
  struct tkf_stage *s = &f->stage;
  struct tkf_wave *w = &s->wave[s->at];
  struct tkf_line *l = victim(f, s->bank, s->line[s->at][s->bank]);
  if (l->valid) evict(f, s->bank, l);
  *l = (struct tkf_line){.line = s->line[s->at][s->bank], .used = f->cycle, .dslot = s->dslot, .valid = true};
  w->dslot[s->bank] = s->dslot;
  tkf_dslot(f, s->bank, s->dslot)->valid = tkf_dslot(f, s->bank, s->dslot)->wanted = 0;
  s->to_allocate &= (uint8_t)~(1u << s->bank);
  s->allocating = false;
  f->counts.allocs++;
  f->active = f->cycle;
}

/* True when every line has its data slot and every sector is asked for. */
static bool prepare(struct tkf_front *f, const struct tkf_out *out, struct tkf_in *in) {
  struct tkf_stage *s = &f->stage;
  bool offered = false;
  if (s->to_allocate && (s->allocating || choose_dslot(f))) {
    in->alloc_valid = offered = true;
    in->alloc_bank = s->bank;
    in->alloc_dslot = s->dslot;
    if (out->alloc_ready) allocated(f);
  }
  for (unsigned b = 0; b < f->s.banks; b++)
    if (s->to_request & ~s->to_allocate & 1u << b && !ask(f, b)) return false;
  if (s->to_allocate && offered) f->counts.stall[TKF_ALLOC]++;
  return !s->to_allocate;
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

static void next_wave(struct tkf_front *f) {
  struct tkf_stage *s = &f->stage;
  s->looked = s->decided = false;
  if (++s->at < s->waves) return;
  if (s->open) { /* only hits since */
    s->end_only = true;
    return;
  }
  tkf_instruction_sent(f);
  s->instruction = TKF_NONE;
}

static void send_slow(struct tkf_front *f, const struct tkf_out *out, struct tkf_in *in) {
  struct tkf_stage *s = &f->stage;
  struct tkf_wave *w = &s->wave[s->at];
  w->end = w->cls == TKF_RAY || s->at + 1 == s->waves;
  in->valid = true;
  in->kind = TKF_WAVE;
  in->wave = *w;
  if (!s->decided) in->wave.id = w->id = tkf_take(&f->ids);
  s->decided = true;
  if (!out->ready) {
    f->counts.stall[TKF_FULL]++;
    return;
  }
  s->open = !w->end;
  for (unsigned b = 0; b < f->s.banks; b++) {
    if (!(w->banks >> b & 1)) continue;
    struct tkf_dslot *d = tkf_dslot(f, b, w->dslot[b]);
    d->busy = true;
    d->named = f->cycle;
    d->names++;
  }
  tkf_wave_taken(f, w, true);
  next_wave(f);
}

static void send_fast(struct tkf_front *f, const struct tkf_out *out, struct tkf_in *in) {
  struct tkf_stage *s = &f->stage;
  struct tkf_wave *w = &s->wave[s->at];
  in->fast_valid = true;
  if (!s->decided) w->id = tkf_take(&f->ids);
  s->decided = true;
  in->fast_id = w->id;
  if (!out->fast_ready) {
    f->counts.stall[TKF_FAST_FULL]++;
    return;
  }
  tkf_wave_taken(f, w, false);
  next_wave(f);
}

/* A wavefront without banks bears the end. */
static void send_end(struct tkf_front *f, const struct tkf_out *out, struct tkf_in *in) {
  struct tkf_stage *s = &f->stage;
  struct tkf_wave *w = &s->wave[0];
  if (!s->decided) {
    const struct tkf_instruction *i = &f->instruction[s->instruction];
    *w = (struct tkf_wave){.cls = i->cls, .warp = (uint16_t)i->slot, .end = true, .id = tkf_take(&f->ids)};
  }
  s->decided = true;
  in->valid = true;
  in->kind = TKF_WAVE;
  in->wave = *w;
  if (!out->ready) {
    f->counts.stall[TKF_FULL]++;
    return;
  }
  tkf_wave_taken(f, w, true);
  tkf_instruction_sent(f);
  s->instruction = TKF_NONE;
}

static void send_token(struct tkf_front *f, const struct tkf_out *out, struct tkf_in *in) {
  in->valid = true;
  in->kind = TKF_FLUSH;
  in->wave = (struct tkf_wave){.banks = (uint8_t)(1u << f->token[0].bank)};
  in->wave.dslot[f->token[0].bank] = f->token[0].dslot;
  if (!out->ready) return;
  memmove(f->token, f->token + 1, --f->tokens * sizeof *f->token);
  f->tokens_out++;
  f->counts.tokens++;
  f->active = f->cycle;
}

void tkf_tags_cycle(struct tkf_front *f, const struct tkf_out *out, struct tkf_in *in) {
  struct tkf_stage *s = &f->stage;
  bool offering = s->instruction != TKF_NONE && s->decided && (s->slow || s->end_only); /* it must stay on the port */
  if (s->closing) {
    send_close(f, out, in);
    return;
  }
  if (f->tokens && !offering) {
    send_token(f, out, in);
    if (s->instruction == TKF_NONE) f->counts.no_work++;
    return;
  }
  if (s->instruction == TKF_NONE) {
    f->counts.no_work++;
    return;
  }
  if (s->end_only) {
    send_end(f, out, in);
    return;
  }
  if (!s->looked) look_up(f);
  if (!s->decided && !prepare(f, out, in)) return;
  if (!s->decided) s->slow = goes_slow(f);
  if (s->slow) send_slow(f, out, in);
  else send_fast(f, out, in);
}
