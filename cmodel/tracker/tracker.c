/* SPDX-License-Identifier: Apache-2.0 */
/* tracker.c: the transaction level of tracker: packets, allocations, fills by callback and the order of what leaves, over
 * the cycle model. */
#include "tracker/tracker.h"

#include <stdlib.h>
#include <string.h>

#include "core/ports.h"
#include "core/transact.h"
#include "tracker/model.h"

extern const struct simt_block simt_block_tracker;

#define TRK_LEVEL_PORTS(PORT) \
  PORT(in_valid, in_valid_i) PORT(in_ready, in_ready_o) PORT(kind, in_kind_i) PORT(cls, in_class_i) PORT(warp, in_warp_i) \
  PORT(end, in_end_i) PORT(used, in_used_i) PORT(dslots, in_dslots_i) PORT(sectors, in_sectors_i) PORT(bank, in_bank_i) \
  PORT(payload, in_payload_i) \
  PORT(fast_valid, fast_in_valid_i) PORT(fast_ready, fast_in_ready_o) PORT(fast_payload, fast_in_payload_i) \
  PORT(fast_out, fast_out_valid_o) PORT(fast_out_ready, fast_out_ready_i) PORT(fast_out_payload, fast_out_payload_o) \
  PORT(alloc_valid, alloc_valid_i) PORT(alloc_ready, alloc_ready_o) PORT(alloc_bank, alloc_bank_i) \
  PORT(alloc_dslot, alloc_dslot_i) \
  PORT(fill_valid, fill_valid_i) PORT(fill_bank, fill_bank_i) PORT(fill_dslot, fill_dslot_i) PORT(fill_sector, fill_sector_i) \
  PORT(tex_state, tex_out_state_o) PORT(free_valid, free_valid_o) PORT(free_dslot, free_dslot_o)
SIMT_PORTS(trk_level_ports, TRK_LEVEL_PORTS)

#define TRK_LG_PORTS(PORT) \
  PORT(valid, lg_out_valid_o) PORT(ready, lg_out_ready_i) PORT(cls, lg_out_class_o) PORT(warp, lg_out_warp_o) \
  PORT(end, lg_out_end_o) PORT(used, lg_out_used_o) PORT(dslots, lg_out_dslots_o) PORT(payload, lg_out_payload_o)
#define TRK_TEX_PORTS(PORT) \
  PORT(valid, tex_out_valid_o) PORT(ready, tex_out_ready_i) PORT(cls, tex_out_class_o) PORT(warp, tex_out_warp_o) \
  PORT(end, tex_out_end_o) PORT(used, tex_out_used_o) PORT(dslots, tex_out_dslots_o) PORT(payload, tex_out_payload_o)
SIMT_PORTS(trk_out_ports, TRK_LG_PORTS)
static void bind_tex(struct trk_out_ports *at, const struct simt_config *cfg) { TRK_TEX_PORTS(SIMT_PORT_BIND) }

enum { KEPT = 4096, TOKEN_DELAY = 8, AFTER_ALLOCATION = 4 }; /* the last: cycles before a sector of it may come (TR-0) */
enum { WAVEFRONT, STATE_PACKET, FLUSH_TOKEN, CLOSE_PACKET }; /* in_kind_i */

struct trk_slot {          /* what the tags know of a data slot */
  uint64_t given_in;       /* cycle of its allocation */
  uint64_t token_in;       /* cycle in which a flush token of it was taken */
  unsigned refs;           /* wavefronts that name it and have not left */
  uint8_t there, coming;   /* sectors */
  bool given, saturated, named, token; /* named: it is to be reported free; token: one is offered, or may wait */
  bool free, kept;                     /* reported free; so, and in the list of what is to be fetched */
};

struct tracker {
  struct simt_transact t;
  struct trk_level_ports at;
  struct trk_out_ports out[2]; /* main, texture */
  struct trk_layout l;
  struct tracker_memory memory;
  struct simt_agenda fills;
  struct trk_slot *slot;
  uint64_t patience, fills_asked;
  enum tracker_refusal refusal;
  bool reads;                             /* outputs, in this cycle */
  bool in_waits, fast_waits, alloc_waits; /* in front of the block: they hold still until they are taken */
  struct trk_slot *token_offered;
  bool open;                              /* an instruction of this class and warp */
  enum tracker_class open_class;
  unsigned open_warp;
  struct tracker_done *done; /* a ring */
  unsigned *freed;           /* a ring of slots */
  size_t done_first, dones, freed_first, frees;
};

static struct trk_slot *slot_of(const struct tracker *t, unsigned bank, unsigned dslot) {
  return &t->slot[(size_t)bank * t->l.dslots + dslot];
}
/* A token that was taken stands in the model's table TOKEN_DELAY cycles later, until everything older has left. */
static bool token_waits(const struct tracker *t, struct trk_slot *s) {
  if (!s->token || s == t->token_offered || t->t.cycle < s->token_in + TOKEN_DELAY) return s->token;
  size_t at = (size_t)(s - t->slot);
  s->token = trk_token_waits(t->t.model, (unsigned)(at / t->l.dslots), (unsigned)(at % t->l.dslots));
  return s->token;
}
static size_t slots(const struct tracker *t) { return (size_t)t->l.banks * t->l.dslots; }

/* ---- cycles ------------------------------------------------------------------------------------------- */

static void come(struct tracker *t) {
  uint32_t *in = t->t.in;
  in[t->at.fill_valid] = simt_agenda_due(&t->fills, t->t.cycle);
  if (!in[t->at.fill_valid]) return;
  size_t sector = simt_agenda_take(&t->fills).addr, at = sector / t->l.sectors;
  in[t->at.fill_bank] = (uint32_t)(at / t->l.dslots);
  in[t->at.fill_dslot] = (uint32_t)(at % t->l.dslots);
  in[t->at.fill_sector] = (uint32_t)(sector % t->l.sectors);
  uint8_t bit = (uint8_t)(1u << sector % t->l.sectors);
  t->slot[at].there |= bit;
  t->slot[at].coming &= (uint8_t)~bit;
}

static void drive(void *level) {
  struct tracker *t = level;
  const uint32_t *out = t->t.out;
  uint32_t *in = t->t.in;
  in[t->at.in_valid] = t->in_waits;
  in[t->at.fast_valid] = t->fast_waits;
  in[t->at.alloc_valid] = t->alloc_waits;
  in[t->out[0].ready] = in[t->out[1].ready] = in[t->at.fast_out_ready] = t->reads;
  if (out[t->at.in_ready]) {
    if (t->token_offered) t->token_offered->token_in = t->t.cycle;
    t->token_offered = NULL;
    t->in_waits = false;
  }
  if (out[t->at.fast_ready]) t->fast_waits = false;
  if (t->alloc_waits && out[t->at.alloc_ready]) {
    struct trk_slot *s = slot_of(t, in[t->at.alloc_bank], in[t->at.alloc_dslot]);
    t->alloc_waits = false;
    s->given = true;
    s->given_in = t->t.cycle;
  }
  come(t);
}

static void keep(struct tracker *t, struct tracker_done done) {
  done.cycle = t->t.cycle;
  t->done[(t->done_first + t->dones++) % (KEPT + 3)] = done;
}

static void leave(struct tracker *t, const struct trk_out_ports *at, enum tracker_path path) {
  const uint32_t *out = t->t.out;
  if (!out[at->valid]) return;
  struct tracker_done done = {.path = path, .payload = simt_get_bits(&out[at->payload], 0, t->l.payload_w < 64 ? t->l.payload_w : 64),
                              .state = path == TRACKER_PATH_TEXTURE && out[t->at.tex_state]};
  if (!done.state) {
    done.cls = (enum tracker_class)out[at->cls];
    done.warp = out[at->warp];
    done.end = out[at->end];
    for (unsigned b = 0; b < t->l.banks; b++)
      if (out[at->used] >> b & 1) slot_of(t, b, (unsigned)simt_get_bits(&out[at->dslots], b * t->l.dslot_w, t->l.dslot_w))->refs--;
  }
  keep(t, done);
}

/* A report of a data slot that has been named since is void; another one follows. */
static void report(struct tracker *t, unsigned bank, unsigned dslot) {
  struct trk_slot *s = slot_of(t, bank, dslot);
  if (s->refs || !s->named) return;
  s->free = true;
  s->named = s->saturated = false;
  if (!s->kept) t->freed[(t->freed_first + t->frees++) % slots(t)] = bank * t->l.dslots + dslot;
  s->kept = true;
}

static void look(void *level) {
  struct tracker *t = level;
  const uint32_t *out = t->t.out;
  t->reads = t->dones < KEPT;
  if (t->reads) {
    if (out[t->at.fast_out])
      keep(t, (struct tracker_done){.path = TRACKER_PATH_FAST,
           .payload = simt_get_bits(&out[t->at.fast_out_payload], 0, t->l.payload_w < 64 ? t->l.payload_w : 64)});
    leave(t, &t->out[0], TRACKER_PATH_MAIN);
    leave(t, &t->out[1], TRACKER_PATH_TEXTURE);
  }
  for (unsigned b = 0; b < t->l.banks; b++)
    if (out[t->at.free_valid] >> b & 1)
      report(t, b, (unsigned)simt_get_bits(&out[t->at.free_dslot], b * t->l.dslot_w, t->l.dslot_w));
}

void tracker_advance(struct tracker *t, uint64_t cycles) {
  while (cycles--) simt_transact_tick(&t->t);
}

uint64_t tracker_cycle(const struct tracker *t) { return t->t.cycle; }
void tracker_set_patience(struct tracker *t, uint64_t cycles) { t->patience = cycles; }
enum tracker_refusal tracker_refusal(const struct tracker *t) { return t->refusal; }

/* ---- life --------------------------------------------------------------------------------------------- */

static bool open_level(struct tracker *t, const char *const *params, const struct tracker_memory *memory,
                       struct simt_diag *diag) {
  if (!simt_transact_open(&t->t, &simt_block_tracker, params, NULL, diag)) return false;
  if (!memory || !memory->latency) return simt_fail(diag, "memory", "no function", "a function that says how long a sector takes");
  t->memory = *memory;
  trk_level_ports_bind(&t->at, &t->t.cfg);
  trk_out_ports_bind(&t->out[0], &t->t.cfg);
  bind_tex(&t->out[1], &t->t.cfg);
  trk_layout(t->t.cfg.value, &t->l);
  t->slot = calloc(slots(t), sizeof *t->slot);
  t->freed = calloc(slots(t), sizeof *t->freed);
  t->done = calloc(KEPT + 3, sizeof *t->done);
  t->fills.heap = calloc(slots(t) * t->l.sectors, sizeof *t->fills.heap);
  return (t->slot && t->freed && t->done && t->fills.heap) || simt_fail(diag, "tracker", "no memory", "memory for the model");
}

struct tracker *tracker_create(const char *const *params, const struct tracker_memory *memory, struct simt_diag *diag) {
  struct tracker *t = calloc(1, sizeof *t);
  if (!t) {
    simt_fail(diag, "tracker", "no memory", "memory for the model");
    return NULL;
  }
  if (!open_level(t, params, memory, diag)) {
    tracker_destroy(t);
    return NULL;
  }
  t->patience = 100000;
  t->t.drive = drive;
  t->t.look = look;
  t->t.level = t;
  while (!t->t.out[t->at.in_ready]) tracker_advance(t, 1);
  t->t.cycle = 0;
  return t;
}

void tracker_destroy(struct tracker *t) {
  if (!t) return;
  simt_transact_close(&t->t);
  free(t->slot);
  free(t->freed);
  free(t->done);
  free(t->fills.heap);
  free(t);
}

/* ---- what goes in ------------------------------------------------------------------------------------- */

static struct tracker_result refuse(struct tracker *t, enum tracker_refusal why) {
  t->refusal = why;
  return (struct tracker_result){.status = TRACKER_REFUSED};
}

static struct tracker_result since(const struct tracker *t, uint64_t begin, enum tracker_status status) {
  return (struct tracker_result){.status = status, .cycles = t->t.cycle - begin};
}

static void wait_while(struct tracker *t, const bool *waits, uint64_t begin) {
  while (*waits && t->t.cycle - begin < t->patience) tracker_advance(t, 1);
}

/* The place in front of one of the three streams. */
static bool get_place(struct tracker *t, bool *waits, uint64_t begin) {
  t->refusal = TRACKER_NONE;
  wait_while(t, waits, begin);
  return !*waits;
}

static struct tracker_result offer(struct tracker *t, bool *waits, uint64_t begin) {
  *waits = true;
  wait_while(t, waits, begin);
  return since(t, begin, *waits ? TRACKER_WAITS : TRACKER_OK);
}

static enum tracker_refusal judge(const struct tracker *t, const struct tracker_wavefront *w) {
  uint32_t named = 0;
  if ((unsigned)w->cls > TRACKER_RAY || w->warp >= t->l.warps || w->n_lines > TRACKER_MAX_BANKS || !simt_fits(w->payload, t->l.payload_w))
    return TRACKER_RANGE;
  for (unsigned i = 0; i < w->n_lines; i++) {
    const struct tracker_line *line = &w->line[i];
    if (line->bank >= t->l.banks || line->dslot >= t->l.dslots || !line->sectors || line->sectors >> t->l.sectors) return TRACKER_RANGE;
    if (named >> line->bank & 1) return TRACKER_RANGE;
    named |= 1u << line->bank;
  }
  if (t->open && (w->cls != t->open_class || w->warp != t->open_warp)) return TRACKER_TORN;
  for (unsigned i = 0; i < w->n_lines; i++) {
    struct trk_slot *s = slot_of(t, w->line[i].bank, w->line[i].dslot);
    if (!s->given || token_waits(t, s)) return TRACKER_NOT_GIVEN;
  }
  return TRACKER_NONE;
}

/* Asks for the sectors that are neither there nor on their way, and counts the reference. */
static void name_line(struct tracker *t, const struct tracker_line *line) {
  struct trk_slot *s = slot_of(t, line->bank, line->dslot);
  const uint64_t earliest = s->given_in + AFTER_ALLOCATION;
  for (unsigned sector = 0; sector < t->l.sectors; sector++) {
    if (!(line->sectors >> sector & 1) || (s->there | s->coming) >> sector & 1) continue;
    s->coming |= (uint8_t)(1u << sector);
    unsigned latency = t->memory.latency(t->memory.ctx, t->t.cycle, (struct tracker_line){line->bank, line->dslot, 1u << sector});
    if (!latency) continue;
    uint64_t due = t->t.cycle + latency;
    simt_agenda_add(&t->fills, (struct simt_access){.due = due < earliest ? earliest : due, .number = t->fills_asked++,
                    .addr = (uint64_t)(s - t->slot) * t->l.sectors + sector});
  }
  s->named = true;
  s->free = false;
  if (++s->refs == simt_ones(t->l.ref_w)) s->saturated = true; /* until a flush token resets it */
}

static void put_packet(struct tracker *t, unsigned kind, uint64_t payload) {
  uint32_t *in = t->t.in;
  in[t->at.kind] = kind;
  in[t->at.cls] = in[t->at.warp] = in[t->at.end] = in[t->at.used] = in[t->at.bank] = 0;
  simt_put_bits(&in[t->at.payload], 0, t->l.payload_w < 64 ? t->l.payload_w : 64, payload);
}

struct tracker_result tracker_track(struct tracker *t, const struct tracker_wavefront *w) {
  const uint64_t begin = t->t.cycle;
  enum tracker_refusal why = judge(t, w);
  uint32_t *in = t->t.in;
  if (why) return refuse(t, why);
  if (!get_place(t, &t->in_waits, begin)) return since(t, begin, TRACKER_BUSY);
  put_packet(t, WAVEFRONT, w->payload);
  in[t->at.cls] = w->cls;
  in[t->at.warp] = w->warp;
  in[t->at.end] = w->end;
  for (unsigned i = 0; i < w->n_lines; i++) {
    const struct tracker_line *line = &w->line[i];
    in[t->at.used] |= 1u << line->bank;
    simt_put_bits(&in[t->at.dslots], line->bank * t->l.dslot_w, t->l.dslot_w, line->dslot);
    simt_put_bits(&in[t->at.sectors], line->bank * t->l.sectors, t->l.sectors, line->sectors);
    name_line(t, line);
  }
  t->open = w->cls != TRACKER_RAY && !w->end;
  t->open_class = w->cls;
  t->open_warp = w->warp;
  return offer(t, &t->in_waits, begin);
}

static struct tracker_result simple(struct tracker *t, unsigned kind, uint64_t payload) {
  const uint64_t begin = t->t.cycle;
  if (!simt_fits(payload, t->l.payload_w)) return refuse(t, TRACKER_RANGE);
  if (!get_place(t, &t->in_waits, begin)) return since(t, begin, TRACKER_BUSY);
  put_packet(t, kind, payload);
  return offer(t, &t->in_waits, begin);
}

struct tracker_result tracker_state(struct tracker *t, uint64_t payload) { return simple(t, STATE_PACKET, payload); }
struct tracker_result tracker_close(struct tracker *t) { return simple(t, CLOSE_PACKET, 0); }

struct tracker_result tracker_fast(struct tracker *t, uint64_t payload) {
  const uint64_t begin = t->t.cycle;
  if (!simt_fits(payload, t->l.payload_w)) return refuse(t, TRACKER_RANGE);
  if (!get_place(t, &t->fast_waits, begin)) return since(t, begin, TRACKER_BUSY);
  simt_put_bits(&t->t.in[t->at.fast_payload], 0, t->l.payload_w < 64 ? t->l.payload_w : 64, payload);
  return offer(t, &t->fast_waits, begin);
}

static bool in_range(const struct tracker *t, unsigned bank, unsigned dslot) { return bank < t->l.banks && dslot < t->l.dslots; }

struct tracker_result tracker_flush_token(struct tracker *t, unsigned bank, unsigned dslot) {
  const uint64_t begin = t->t.cycle;
  if (!in_range(t, bank, dslot)) return refuse(t, TRACKER_RANGE);
  struct trk_slot *s = slot_of(t, bank, dslot);
  if (!s->given || token_waits(t, s)) return refuse(t, TRACKER_NOT_GIVEN);
  if (!get_place(t, &t->in_waits, begin)) return since(t, begin, TRACKER_BUSY);
  put_packet(t, FLUSH_TOKEN, 0);
  t->t.in[t->at.bank] = bank;
  simt_put_bits(&t->t.in[t->at.dslots], 0, t->l.dslot_w, dslot);
  s->token = true;
  t->token_offered = s;
  return offer(t, &t->in_waits, begin);
}

struct tracker_result tracker_allocate(struct tracker *t, unsigned bank, unsigned dslot) {
  const uint64_t begin = t->t.cycle;
  if (!in_range(t, bank, dslot)) return refuse(t, TRACKER_RANGE);
  struct trk_slot *s = slot_of(t, bank, dslot);
  if (s->refs || s->named || token_waits(t, s) || s->coming) return refuse(t, TRACKER_REFERENCES);
  if (!get_place(t, &t->alloc_waits, begin)) return since(t, begin, TRACKER_BUSY);
  t->t.in[t->at.alloc_bank] = bank;
  t->t.in[t->at.alloc_dslot] = dslot;
  s->given = s->free = false; /* until it is taken */
  s->there = 0;
  return offer(t, &t->alloc_waits, begin);
}

struct tracker_result tracker_fill(struct tracker *t, unsigned bank, unsigned dslot, unsigned sector) {
  const uint64_t begin = t->t.cycle;
  if (!in_range(t, bank, dslot) || sector >= t->l.sectors) return refuse(t, TRACKER_RANGE);
  struct trk_slot *s = slot_of(t, bank, dslot);
  const uint64_t at = (uint64_t)(s - t->slot) * t->l.sectors + sector;
  if (!(s->coming >> sector & 1)) return refuse(t, TRACKER_FILLED);
  for (size_t i = 0; i < t->fills.n; i++)
    if (t->fills.heap[i].addr == at) return refuse(t, TRACKER_FILLED); /* it comes by itself */
  const uint64_t earliest = s->given_in + AFTER_ALLOCATION;
  simt_agenda_add(&t->fills, (struct simt_access){.due = begin < earliest ? earliest : begin, .number = t->fills_asked++, .addr = at});
  t->refusal = TRACKER_NONE;
  tracker_advance(t, 1);
  return since(t, begin, TRACKER_OK);
}

/* ---- what comes out ----------------------------------------------------------------------------------- */

bool tracker_next(struct tracker *t, struct tracker_done *done) {
  if (!t->dones) return false;
  *done = t->done[t->done_first];
  t->done_first = (t->done_first + 1) % (KEPT + 3);
  t->dones--;
  return true;
}

bool tracker_free(struct tracker *t, unsigned *bank, unsigned *dslot) {
  for (size_t n = t->frees; n--;) {
    unsigned at = t->freed[t->freed_first];
    struct trk_slot *s = &t->slot[at];
    t->freed_first = (t->freed_first + 1) % slots(t);
    t->frees--;
    s->kept = s->free && token_waits(t, s);
    if (s->kept) t->freed[(t->freed_first + t->frees++) % slots(t)] = at; /* once the token has had its turn */
    if (s->kept || !s->free) continue;
    *bank = at / t->l.dslots;
    *dslot = at % t->l.dslots;
    return true;
  }
  return false;
}

unsigned tracker_references(const struct tracker *t, unsigned bank, unsigned dslot) {
  return in_range(t, bank, dslot) ? slot_of(t, bank, dslot)->refs : 0;
}

/* ---- registers and counts ------------------------------------------------------------------------------ */

bool tracker_read_register(struct tracker *t, uint32_t addr, uint32_t *data) { return simt_transact_read(&t->t, addr, data); }
bool tracker_write_register(struct tracker *t, uint32_t addr, uint32_t data) { return simt_transact_write(&t->t, addr, data); }

void tracker_stats(const struct tracker *t, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx) {
  t->t.ops->stats(t->t.model, visit, ctx);
}
