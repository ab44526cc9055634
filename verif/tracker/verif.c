/* SPDX-License-Identifier: Apache-2.0 */
/* env.c: plays everything around the tracker: packets, fast packets, allocations and register accesses hold still until
 * taken; memory answers what taken wavefronts ask for; outputs are read. */
#include "tracker/env.h"
#include "tracker/front_ports.h"
#include "tracker/trace.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

extern const struct simt_verif simt_verif_tracker;
enum { PATIENCE = 96 }; /* cycles after which what nobody chose happens anyway, so that runs with choices left out go on */

const char *trk_wrong(struct trk_env *e, const char *format, ...) {
  va_list list;
  va_start(list, format);
  vsnprintf(e->message, sizeof e->message, format, list);
  va_end(list);
  return e->message;
}

uint64_t trk_bits(const uint32_t *from, unsigned at, unsigned width) {
  uint64_t v = from[at / 32] >> at % 32;
  if (at % 32 + width > 32) v |= (uint64_t)from[at / 32 + 1] << (32 - at % 32);
  return v & ((UINT64_C(1) << width) - 1);
}

static void put_bits(uint32_t *to, unsigned at, unsigned width, uint32_t v) {
  v &= (uint32_t)((UINT64_C(1) << width) - 1);
  to[at / 32] |= v << at % 32;
  if (at % 32 + width > 32) to[at / 32 + 1] |= v >> (32 - at % 32);
}

static void put_payload(const struct trk_env *e, uint32_t *to, const uint32_t *from) {
  memcpy(to, from, 4 * e->l.payload_words);
  if (e->l.payload_w % 32) to[e->l.payload_words - 1] &= (1u << e->l.payload_w % 32) - 1;
}

static void make_payload(const struct trk_env *e, uint64_t seed, uint32_t *to) {
  uint32_t word[TRK_MAX_PAYLOAD];
  for (unsigned i = 0; i < TRK_MAX_PAYLOAD; i++) word[i] = (uint32_t)(seed >> (i % 2 ? 32 : 0)) + i / 2 * 0x9e3779b9u;
  put_payload(e, to, word);
}

/* ---- life ---------------------------------------------------------------------------------------------------- */

static void restart(void *env) {
  struct trk_env *e = env;
  simt_rng_seed(&e->rng, e->stim.seed);
  e->cycle = e->progress = 0;
  e->profile = e->directed = e->step = 0;
  e->segment_end = 0;
  e->phase_left = 0;
  trk_front_reset(e, true);
  memset(e->unread, 0, sizeof e->unread);
  if (e->replay) tkf_replay_restart(e->replay);
  trk_golden_reset(e);
}

static void destroy(void *env) {
  struct trk_env *e = env;
  if (!e) return;
  tkf_replay_destroy(e->replay);
  trk_front_destroy(e);
  trk_golden_destroy(e);
  free(e);
}

static void *create(const struct simt_config *cfg, const struct simt_stimulus *stim, struct simt_diag *diag) {
  struct trk_env *e = calloc(1, sizeof *e);
  if (e) {
    e->cfg = cfg;
    e->stim = *stim;
    trk_layout(cfg->value, &e->l);
    trk_covers(NULL, &e->l, e->place);
  }
  if (!e || !trk_golden_create(e) || !trk_front_create(e)) {
    destroy(e);
    simt_fail(diag, cfg->name, "no memory", "memory for the environment");
    return NULL;
  }
  bool suits = simt_front_suits(stim, (const char *const[]){"halts", "breaks", "blocked", NULL}, e->l.status, diag);
  if (!suits || (!strcmp(stim->kind, "trace") && !(e->replay = tkf_replay_create(cfg, stim, diag)))) {
    destroy(e);
    return NULL;
  }
  trk_ports_bind(&e->at, e->cfg);
  restart(e);
  return e;
}

/* ---- what is presented ------------------------------------------------------------------------------------------ */

static unsigned hot_dslot(const struct trk_env *e, const struct trk_choice *c, unsigned raw) {
  unsigned n = c->hot && c->hot < e->l.dslots ? c->hot : e->l.dslots;
  return raw % n;
}

static void choose_banks(struct trk_env *e, const struct trk_choice *c, struct trk_said *x) {
  x->used = c->used & ((1u << e->l.banks) - 1);
  for (unsigned b = 0; b < e->l.banks; b++) {
    unsigned raw = (unsigned)(c->dslots >> 8 * b & 0xff) | (unsigned)(c->pick >> b & 3) << 8;
    x->dslot[b] = (uint16_t)(c->flags & TRK_SAME ? 0 : hot_dslot(e, c, raw));
    uint8_t all = (uint8_t)((1u << e->l.sectors) - 1), some = (uint8_t)(c->sectors >> 8 * b) & all;
    if (c->flags & TRK_HITS) {
      uint8_t there = e->slot[b][x->dslot[b]].valid;
      some &= there;
      if (!some) some = (uint8_t)(there & -there);
      if (!some) x->used &= ~(1u << b);
    }
    x->sectors[b] = (uint8_t)(some ? some : 1u << (c->sectors % e->l.sectors));
  }
}

/* One field gets any value: what a front end must not do. */
static void spoil(const struct trk_env *e, const struct trk_choice *c, struct trk_said *x) {
  unsigned b = c->odd / 8u % e->l.banks;
  switch (c->odd % 8) {
  case 0: x->class = 3; break;
  case 1: x->warp = c->warp & ((1u << e->l.warp_w) - 1); break;
  case 2: x->class = c->class % 3; break;
  case 3: x->dslot[b] = (uint16_t)((1u << e->l.dslot_w) - 1); x->used |= 1u << b; break;
  case 4: x->sectors[b] = 0; x->used |= 1u << b; break;
  case 5: x->bank = (1u << e->l.bank_w) - 1; break;
  case 6: x->end = !x->end; break;
  default: x->warp = e->l.warps; break;
  }
  x->warp &= (1u << e->l.warp_w) - 1;
}

static void want_packet(struct trk_env *e, const struct trk_choice *c) {
  struct trk_said *x = &e->want;
  x->in = true;
  e->want_shown = false;
  x->kind = c->kind % TRK_KINDS;
  x->class = e->want_open ? e->want_class : c->class % TRK_CLASSES;
  x->warp = e->want_open ? e->want_warp : c->warp % e->l.warps;
  x->end = (c->flags & TRK_END) != 0;
  choose_banks(e, c, x);
  x->bank = c->alloc_bank % e->l.banks;
  if (x->kind == TRK_TOKEN) {
    unsigned d = c->flags & TRK_SAME ? 0 : hot_dslot(e, c, c->alloc_dslot);
    for (unsigned b = 0; b < TRK_MAX_BANKS; b++) x->dslot[b] = (uint16_t)d;
  }
  if (c->flags & TRK_ODD) spoil(e, c, x);
  if (x->kind == TRK_TOKEN)
    for (unsigned b = 1; b < TRK_MAX_BANKS; b++) x->dslot[b] = x->dslot[0];
  make_payload(e, c->payload, x->payload);
  if (x->kind != TRK_WAVE || x->class >= TRK_RAY) return;
  if (e->want_open && (x->class != e->want_class || x->warp != e->want_warp)) return;
  e->want_open = !x->end;
  e->want_class = x->class;
  e->want_warp = x->warp;
}

/* A sector may be filled unless an allocation of its data slot was taken less than four cycles ago. */
static bool may_fill(const struct trk_env *e, unsigned b, unsigned d) {
  for (unsigned i = 0; i < 8; i++)
    if (e->alloc_last[i].valid && e->alloc_last[i].bank == b && e->alloc_last[i].dslot == d && e->cycle < e->alloc_last[i].cycle + 4)
      return false;
  return !(e->want.alloc && e->want.alloc_bank == b && e->want.alloc_dslot == d);
}

static void drive_fill(struct trk_env *e, const struct trk_choice *c, uint32_t *in) {
  in[e->at.fill] = 0;
  e->front.dropping = e->front.drops && c->flags & TRK_DO_FILL && c->pick % 8 == 0; /* slowly, longer than memories are cleared */
  if (e->front.drops) {
    in[e->at.fill] = e->front.dropping;
    in[e->at.fill_bank] = (c->pick >> 3) % e->l.banks;
    in[e->at.fill_dslot] = hot_dslot(e, c, c->pick >> 8);
    in[e->at.fill_sector] = (c->pick >> 5) % e->l.sectors;
    e->front.drops -= e->front.dropping;
    return;
  }
  const unsigned issued = e->l.status ? e->front.issued : e->asks;
  bool late = issued && e->ask[0].cycle + PATIENCE * 4 < e->cycle;
  if (issued && (c->flags & TRK_DO_FILL || late)) {
    unsigned i = late ? 0 : c->flags & TRK_NEWEST ? issued - 1 : c->pick % (issued < 16 ? issued : 16);
    struct trk_ask a = e->ask[i];
    if (may_fill(e, a.bank, a.dslot)) {
      memmove(&e->ask[i], &e->ask[i + 1], (e->asks - i - 1) * sizeof *e->ask);
      e->asks--;
      e->front.issued -= e->l.status != 0;
      e->slot[a.bank][a.dslot].asked &= (uint8_t)~(1u << a.sector);
      in[e->at.fill] = 1;
      in[e->at.fill_bank] = a.bank;
      in[e->at.fill_dslot] = a.dslot;
      in[e->at.fill_sector] = a.sector;
      return;
    }
  }
  const bool odd = c->flags & TRK_ODD;
  if (!(c->flags & TRK_STRAY) || !(e->seen_ready || (odd && !e->started)) || (e->l.status && simt_front_closed(&e->front.shell))) return;
  unsigned b = c->pick & ((1u << e->l.bank_w) - 1), d = hot_dslot(e, c, c->pick >> 8), s = c->pick >> 24 & ((1u << e->l.sector_w) - 1);
  if (odd) d = c->pick >> 8 & ((1u << e->l.dslot_w) - 1);
  if (odd && c->pick >> 31) b = e->alloc_last[(e->alloc_at + 7) % 8].bank, d = e->alloc_last[(e->alloc_at + 7) % 8].dslot; /* often too early */
  if (!odd && !may_fill(e, b, d)) return;
  in[e->at.fill] = 1;
  in[e->at.fill_bank] = b;
  in[e->at.fill_dslot] = d;
  in[e->at.fill_sector] = s;
}

static void want_alloc(struct trk_env *e, const struct trk_choice *c) {
  unsigned b = c->alloc_bank % e->l.banks, d = hot_dslot(e, c, c->alloc_dslot);
  if (c->flags & TRK_ANY_ALLOC) {
    if (c->flags & TRK_ODD) b = c->alloc_bank & ((1u << e->l.bank_w) - 1), d = c->alloc_dslot & ((1u << e->l.dslot_w) - 1);
  } else if (e->slot[b][d].refs || e->slot[b][d].token) {
    return;
  }
  e->want.alloc = true;
  e->want.alloc_bank = b;
  e->want.alloc_dslot = d;
}

/* An access of the register port. Of odd ones some go to any address or to one beside a register, with a bit of a lawful
 * value changed. */
static void want_access(struct trk_env *e, const struct trk_choice *c) {
  static const uint8_t setting[] = {TRK_REG_MODE, TRK_REG_SPLIT, TRK_REG_GROUP, TRK_REG_MODE};
  const bool odd = e->rates.odd && c->pick & 1;
  const unsigned bit = c->pick >> 3 & 31, place = c->pick >> 1 & 3;
  e->reg.valid = true;
  e->reg.write = (c->flags & TRK_REG_WRITE) != 0;
  e->reg.addr = e->reg.write ? setting[(c->reg_addr >> 2) % 4] : c->reg_addr;
  if (odd && place == 0) e->reg.addr = (uint8_t)(c->pick >> 8);
  if (odd && place == 1) e->reg.addr ^= (uint8_t)(1u << bit % 8);
  unsigned most = e->reg.addr == TRK_REG_MODE ? 4 : e->reg.addr == TRK_REG_SPLIT ? e->l.queues - 1 : e->l.group_max;
  e->reg.data = c->flags & TRK_ODD ? c->reg_data % 7 * most / 3 : 1 + c->reg_data % most;
  if (odd && place > 1) e->reg.data ^= 1u << bit;
}

static void drive_register(struct trk_env *e, const struct trk_choice *c, uint32_t *in, const uint32_t *out) {
  if (!e->reg.valid && c->flags & TRK_DO_REG && !(c->flags & TRK_REG_WRITE && e->change)) want_access(e, c);
  bool moves = e->l.status && e->front.shell.doing != SIMT_FRONT_IDLE; /* a context, which would change */
  in[e->at.reg] = e->reg.valid && !(e->reg.write && e->change) && !moves;
  in[e->at.reg_write] = e->reg.write;
  in[e->at.reg_addr] = e->reg.addr;
  in[e->at.reg_data] = e->reg.data;
  if (in[e->at.reg] && out[e->at.reg_ready]) e->reg.valid = false;
}

/* The golden model knows a wavefront that leaves by what it shows. Where the payload is too narrow to tell two of different
 * instructions apart, the second one waits until the first has left. */
static bool has_twin(const struct trk_env *e) {
  enum { TELLS = 12 }; /* bits */
  const struct trk_said *x = &e->want;
  const size_t bytes = 4 * e->l.payload_words;
  if (e->l.payload_w >= TELLS || x->kind != TRK_WAVE) return false;
  for (uint64_t n = e->oldest; n && n <= e->taken; n++) {
    const struct trk_wave *w = trk_wave_of(e, n);
    if (!w->left && w->whole && w->class == x->class && w->warp == x->warp && w->used == x->used &&
        !memcmp(w->payload, x->payload, bytes)) return true;
  }
  for (unsigned i = 0; i < TRK_DELAY; i++) { /* not judged yet */
    const struct trk_said *s = &e->said[i];
    if (s->in && s->kind == TRK_WAVE && s->end && s->class == x->class && s->warp == x->warp && s->used == x->used &&
        !memcmp(s->payload, x->payload, bytes)) return true;
  }
  return false;
}

static void drive_packets(struct trk_env *e, uint32_t *in) {
  const struct trk_said *x = &e->want;
  if (x->in && !e->want_shown) e->want_shown = !has_twin(e);
  in[e->at.in] = x->in && e->want_shown;
  in[e->at.kind] = x->kind;
  in[e->at.class] = x->class;
  in[e->at.warp] = x->warp;
  in[e->at.end] = x->end;
  in[e->at.used] = x->used;
  memset(&in[e->at.dslots], 0, 4 * ((e->l.banks * e->l.dslot_w + 31) / 32));
  memset(&in[e->at.sectors], 0, 4 * ((e->l.banks * e->l.sectors + 31) / 32));
  for (unsigned b = 0; b < e->l.banks; b++) {
    put_bits(&in[e->at.dslots], b * e->l.dslot_w, e->l.dslot_w, x->dslot[b]);
    put_bits(&in[e->at.sectors], b * e->l.sectors, e->l.sectors, x->sectors[b]);
  }
  in[e->at.bank] = x->bank;
  put_payload(e, &in[e->at.payload], x->payload);
  in[e->at.fast] = x->fast;
  put_payload(e, &in[e->at.fast_payload], x->fast_payload);
  in[e->at.alloc] = x->alloc;
  in[e->at.alloc_bank] = x->alloc_bank;
  in[e->at.alloc_dslot] = x->alloc_dslot;
}

/* What the front end of a trace presents, for the golden model. Its miss unit knows which sectors are asked for. */
static void note_replayed(struct trk_env *e, const uint32_t *in) {
  struct trk_said *x = &e->want;
  e->asks = 0;
  *x = (struct trk_said){.in = in[e->at.in], .fast = in[e->at.fast], .alloc = in[e->at.alloc], .kind = in[e->at.kind],
    .class = in[e->at.class], .warp = in[e->at.warp], .end = in[e->at.end], .used = in[e->at.used], .bank = in[e->at.bank],
    .alloc_bank = in[e->at.alloc_bank], .alloc_dslot = in[e->at.alloc_dslot]};
  for (unsigned b = 0; b < e->l.banks; b++) {
    x->dslot[b] = (uint16_t)trk_bits(&in[e->at.dslots], b * e->l.dslot_w, e->l.dslot_w);
    x->sectors[b] = (uint8_t)trk_bits(&in[e->at.sectors], b * e->l.sectors, e->l.sectors);
  }
  memcpy(x->payload, &in[e->at.payload], e->l.payload_words * sizeof *x->payload);
  memcpy(x->fast_payload, &in[e->at.fast_payload], e->l.payload_words * sizeof *x->fast_payload);
}

static void drive(void *env, const void *choice, const uint32_t *out, uint32_t *in) {
  struct trk_env *e = env;
  const struct trk_choice *c = choice;
  if (e->replay) {
    tkf_replay_drive(e->replay, out, in);
    note_replayed(e, in);
    return;
  }
  if (!e->want.in && c->flags & TRK_DO_IN) want_packet(e, c);
  if (!e->want.fast && c->flags & TRK_DO_FAST) {
    e->want.fast = true;
    make_payload(e, ~c->payload, e->want.fast_payload);
  }
  if (!e->want.alloc && c->flags & TRK_DO_ALLOC) want_alloc(e, c);
  in[e->at.rst] = (c->flags & TRK_RESET) != 0;
  drive_packets(e, in);
  if (e->l.status) in[e->at.fill_pending] = trk_front_fills_due(e, c);
  drive_fill(e, c, in);
  if (e->l.status) {
    in[e->at.fill_pending] |= in[e->at.fill];
    trk_front_drive(e, c, in);
  }
  drive_register(e, c, in, out);
  const struct { uint32_t flag; unsigned valid, ready; } read[3] = {
    {TRK_READ_LG, e->at.out[0].valid, e->at.out[0].ready}, {TRK_READ_TEX, e->at.out[1].valid, e->at.out[1].ready},
    {TRK_READ_FAST, e->at.fast_out, e->at.fast_out_ready}};
  for (unsigned i = 0; i < 3; i++) {
    bool taken = c->flags & read[i].flag || e->unread[i] > PATIENCE;
    in[read[i].ready] = taken;
    e->unread[i] = out[read[i].valid] && !taken ? e->unread[i] + 1 : 0;
  }
}

static const char *observe(void *env, const uint32_t *in, const uint32_t *out) {
  struct trk_env *e = env;
  const char *wrong = in[e->at.rst] ? NULL : trk_front_state(e, out);
  if (!wrong) wrong = trk_golden_observe(e, in, out);
  if (!wrong) wrong = trk_front_observe(e, in, out);
  e->cycle++;
  e->seen_ready = !in[e->at.rst] && (e->seen_ready || out[e->at.in_ready]);
  if (in[e->at.in] && out[e->at.in_ready]) e->want.in = false;
  if (in[e->at.fast] && out[e->at.fast_ready]) e->want.fast = false;
  if (in[e->at.alloc] && out[e->at.alloc_ready]) e->want.alloc = false;
  return wrong || !e->replay ? wrong : tkf_replay_wrong(e->replay);
}

static uint64_t progress(const void *env, bool *busy) {
  const struct trk_env *e = env;
  *busy = trk_golden_busy(e) && !(e->l.status && e->front.shell.level);
  return e->progress + (e->l.status ? e->front.shell.moved : 0);
}

static const uint64_t *coverage(const void *env) { return ((const struct trk_env *)env)->coverage; }

static bool choose(void *env, void *choice) {
  struct trk_env *e = env;
  memset(choice, 0, sizeof(struct trk_choice));
  if (e->replay) return !tkf_replay_at_end(e->replay);
  return strcmp(e->stim.kind, "directed") ? trk_choose(e, choice) : trk_choose_directed(e, choice);
}

static void explain(const void *env, const uint32_t *in, char *to, size_t room) {
  const struct trk_env *e = env;
  static const char *const kinds[] = {"wavefront", "state packet", "flush token", "close"};
  size_t n = 0;
  to[0] = 0;
  if (in[e->at.rst]) n += (size_t)snprintf(to, room, "reset");
  if (in[e->at.in] && n < room) n += (size_t)snprintf(to + n, room - n, " %s class %u warp %u%s used 0x%x dslots 0x%x sectors 0x%x", kinds[in[e->at.kind] & 3],
      in[e->at.class], in[e->at.warp], in[e->at.end] ? " end" : "", in[e->at.used], in[e->at.dslots], in[e->at.sectors]);
  if (in[e->at.fast] && n < room) n += (size_t)snprintf(to + n, room - n, " fast");
  if (in[e->at.fill] && n < room)
    n += (size_t)snprintf(to + n, room - n, " fill %u.%u.%u", in[e->at.fill_bank], in[e->at.fill_dslot], in[e->at.fill_sector]);
  if (in[e->at.alloc] && n < room) n += (size_t)snprintf(to + n, room - n, " alloc %u.%u", in[e->at.alloc_bank], in[e->at.alloc_dslot]);
  if (in[e->at.reg] && n < room)
    n += (size_t)snprintf(to + n, room - n, " %s 0x%02x 0x%x", in[e->at.reg_write] ? "write" : "read", in[e->at.reg_addr], in[e->at.reg_data]);
  if (n < room) snprintf(to + n, room - n, " read %u%u%u", in[e->at.out[0].ready], in[e->at.out[1].ready], in[e->at.fast_out_ready]);
}

const struct simt_verif simt_verif_tracker = {
  .block = &simt_block_tracker, .profiles = trk_profiles, .directed = trk_directed,
  .trace = &tkf_trace_kind, .pickers = tkf_pickers, .replay = tkf_replay_options, .sim = tkf_sim,
  .choice_size = sizeof(struct trk_choice), .stuck_cycles = 8000,
  .create = create, .destroy = destroy, .restart = restart, .choose = choose, .drive = drive,
  .observe = observe, .progress = progress, .coverage = coverage, .explain = explain,
};
