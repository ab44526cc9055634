/* SPDX-License-Identifier: Apache-2.0 */
/* front_ports.c: between the front end's terms and the words of a block's ports. */
#include "tracker/front_ports.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FREE_LAG = 4, MIN_LATENCY = 16, MIN_PAYLOAD = 13 }; /* FREE_LAG: TR-13 */

struct tkf_stream { unsigned valid, ready, payload; };
struct tkf_ports {
  unsigned banks, sectors, dslot_w, payload_words, in_words;
  struct tkf_stream in, fast_in, fast_out, lg, tex;
  unsigned kind, cls, warp, end, used, dslots, sector_mask;
  unsigned fill_valid, fill_bank, fill_dslot, fill_sector;
  unsigned alloc_valid, alloc_ready, alloc_bank, alloc_dslot, tex_state, free_valid, free_dslot;
};

/* ---- options ---------------------------------------------------------------------------------------- */

const struct simt_named tkf_pickers[] = {
  {"greedy_oldest", "the warp issued from last, else the oldest that can go", ""},
  {"round_robin", "the warps in turn", ""},
  {NULL, NULL, NULL}};

enum { SCHEDULERS, OUTSTANDING, LSU_QUEUE, TAG_QUEUE, CACHE_KIB, WAYS, MISSES, SPREAD, FILL_INTERVAL, SEED };
const struct simt_replay_option tkf_replay_options[] = {
  {"schedulers", 4, 1, 16, "schedulers", "each issues one instruction per cycle of its share of the warps"},
  {"outstanding", 1, 1, 64, "loads", "loads and atomics of a warp under way when it issues its next one"},
  {"lsu_queue", 8, 1, 64, "instructions", "memory instructions before the tag stage"},
  {"tag_queue", 8, 1, 64, "packets", "between the tag stage and each of slow and fast path"},
  {"cache_kib", 64, 1, 16384, "KiB", "data that the tags name"},
  {"ways", 4, 1, 64, "lines", "associativity of the tags"},
  {"misses", 512, 16, 65536, "sectors", "under way to memory at most"},
  {"spread", 200, 0, 100000, "cycles", "seeded, added to the latency of a sector: 0 to this"},
  {"fill_interval", 1, 1, 1000, "cycles", "from a fill to the next at least: the bandwidth"},
  {"seed", 1, 0, 1000000000, "", "of the latencies"},
  {NULL, 0, 0, 0, NULL, NULL}};

struct tkf_sizes tkf_sizes_of(const struct simt_config *cfg) {
  return (struct tkf_sizes){.banks = (unsigned)simt_param(cfg, "BANKS"), .dslots = (unsigned)simt_param(cfg, "DSLOTS"),
      .sectors = (unsigned)simt_param(cfg, "SECTORS"), .warps = (unsigned)simt_param(cfg, "WARPS"),
      .entries = (unsigned)simt_param(cfg, "ENTRIES"), .ref_max = (1u << simt_param(cfg, "REF_W")) - 1, .free_lag = FREE_LAG};
}

static bool find_picker(const char *name, enum tkf_picker *to, struct simt_diag *diag) {
  const char *names[] = {tkf_pickers[0].name, tkf_pickers[1].name, NULL};
  *to = TKF_GREEDY_OLDEST;
  if (!name) return true;
  for (unsigned i = 0; names[i]; i++)
    if (!strcmp(name, names[i])) {
      *to = (enum tkf_picker)i;
      return true;
    }
  const char *near = simt_nearest(name, names);
  simt_fail(diag, "--picker", name, "greedy_oldest or round_robin");
  if (near) snprintf(diag->hint, sizeof diag->hint, "did you mean %s?", near);
  return false;
}

bool tkf_options_of(const struct simt_config *cfg, const struct simt_stimulus *stim, struct tkf_options *o,
                    struct simt_diag *diag) {
  uint64_t v[SIMT_MAX_REPLAY];
  char got[24];
  for (unsigned i = 0; tkf_replay_options[i].name; i++) v[i] = stim->replay ? stim->replay[i] : tkf_replay_options[i].def;
  *o = (struct tkf_options){.schedulers = (unsigned)v[SCHEDULERS], .outstanding = (unsigned)v[OUTSTANDING],
      .lsu_queue = (unsigned)v[LSU_QUEUE], .tag_queue = (unsigned)v[TAG_QUEUE],
      .cache_kib = (unsigned)v[CACHE_KIB], .ways = (unsigned)v[WAYS],
      .misses = (unsigned)v[MISSES], .spread = (unsigned)v[SPREAD], .fill_interval = (unsigned)v[FILL_INTERVAL],
      .seed = v[SEED], .latency = stim->latency ? stim->latency : TKF_LATENCY};
  snprintf(got, sizeof got, "%u", o->latency);
  if (o->latency < MIN_LATENCY)
    return simt_fail(diag, "--latency", got, "%d or more: the block needs cycles from an allocation to its fill", MIN_LATENCY);
  snprintf(got, sizeof got, "%llu", (unsigned long long)simt_param(cfg, "PAYLOAD_W"));
  if (simt_param(cfg, "PAYLOAD_W") < MIN_PAYLOAD)
    return simt_fail(diag, "PAYLOAD_W", got, "%d or more: a wavefront of a trace is known by its payload", MIN_PAYLOAD);
  return find_picker(stim->picker, &o->picker, diag);
}

/* ---- places ----------------------------------------------------------------------------------------- */

static unsigned word(const struct simt_config *cfg, const char *name, struct simt_diag *diag) {
  const struct simt_port *p = simt_find_port(cfg, name);
  if (!p) simt_fail(diag, name, "no such port", "a port of the tracker (a fault of the program)");
  return p ? p->word : 0;
}

static struct tkf_stream stream(const struct simt_config *cfg, const char *name, bool input, struct simt_diag *diag) {
  char text[SIMT_NAME_MAX];
  struct tkf_stream s;
  snprintf(text, sizeof text, "%s_valid_%s", name, input ? "i" : "o");
  s.valid = word(cfg, text, diag);
  snprintf(text, sizeof text, "%s_ready_%s", name, input ? "o" : "i");
  s.ready = word(cfg, text, diag);
  snprintf(text, sizeof text, "%s_payload_%s", name, input ? "i" : "o");
  s.payload = word(cfg, text, diag);
  return s;
}

struct tkf_ports *tkf_ports_create(const struct simt_config *cfg, struct simt_diag *diag) {
  struct tkf_ports *p = calloc(1, sizeof *p);
  struct simt_diag missing = {0};
  if (!p) {
    simt_fail(diag, "trace", "no memory", "memory for its replay");
    return NULL;
  }
  *p = (struct tkf_ports){.banks = (unsigned)simt_param(cfg, "BANKS"), .sectors = (unsigned)simt_param(cfg, "SECTORS"),
      .dslot_w = simt_max1(simt_clog2(simt_param(cfg, "DSLOTS"))), .in_words = cfg->desc.in_words};
  p->payload_words = (unsigned)(simt_param(cfg, "PAYLOAD_W") + 31) / 32;
  p->in = stream(cfg, "in", true, &missing);
  p->fast_in = stream(cfg, "fast_in", true, &missing);
  p->fast_out = stream(cfg, "fast_out", false, &missing);
  p->lg = stream(cfg, "lg_out", false, &missing);
  p->tex = stream(cfg, "tex_out", false, &missing);
  const struct { const char *name; unsigned *to; } rest[] = {
    {"in_kind_i", &p->kind}, {"in_class_i", &p->cls}, {"in_warp_i", &p->warp}, {"in_end_i", &p->end},
    {"in_used_i", &p->used}, {"in_dslots_i", &p->dslots}, {"in_sectors_i", &p->sector_mask},
    {"fill_valid_i", &p->fill_valid}, {"fill_bank_i", &p->fill_bank}, {"fill_dslot_i", &p->fill_dslot},
    {"fill_sector_i", &p->fill_sector}, {"alloc_valid_i", &p->alloc_valid}, {"alloc_ready_o", &p->alloc_ready},
    {"alloc_bank_i", &p->alloc_bank}, {"alloc_dslot_i", &p->alloc_dslot}, {"tex_out_state_o", &p->tex_state},
    {"free_valid_o", &p->free_valid}, {"free_dslot_o", &p->free_dslot}};
  for (size_t i = 0; i < sizeof rest / sizeof *rest; i++) *rest[i].to = word(cfg, rest[i].name, &missing);
  if (!missing.failed) return p;
  *diag = missing;
  free(p);
  return NULL;
}

void tkf_ports_destroy(struct tkf_ports *p) { free(p); }

/* ---- words ------------------------------------------------------------------------------------------ */

/* Bits of a port that is wider than a word. */
static void put_bits(uint32_t *w, unsigned at, unsigned width, uint32_t value) {
  for (unsigned i = 0; i < width; i++) w[(at + i) / 32] |= (value >> i & 1) << (at + i) % 32;
}

static uint32_t get_bits(const uint32_t *w, unsigned at, unsigned width) {
  uint32_t value = 0;
  for (unsigned i = 0; i < width; i++) value |= (w[(at + i) / 32] >> (at + i) % 32 & 1) << i;
  return value;
}

void tkf_get_outputs(const struct tkf_ports *p, const uint32_t *w, struct tkf_out *out) {
  memset(out, 0, sizeof *out);
  out->ready = w[p->in.ready];
  out->fast_ready = w[p->fast_in.ready];
  out->alloc_ready = w[p->alloc_ready];
  out->fast_valid = w[p->fast_out.valid];
  out->fast_id = w[p->fast_out.payload];
  out->lg_valid = w[p->lg.valid];
  out->lg_id = w[p->lg.payload];
  out->tex_valid = w[p->tex.valid];
  out->tex_id = w[p->tex.payload];
  out->tex_is_state = w[p->tex_state];
  for (unsigned b = 0; b < p->banks; b++) {
    out->free_valid[b] = w[p->free_valid] >> b & 1;
    out->free_dslot[b] = (uint16_t)get_bits(&w[p->free_dslot], b * p->dslot_w, p->dslot_w);
  }
}

static void put_packet(const struct tkf_ports *p, const struct tkf_in *in, uint32_t *w) {
  const struct tkf_wave *v = &in->wave;
  w[p->in.valid] = 1;
  w[p->kind] = in->kind;
  w[p->in.payload] = v->id;
  w[p->cls] = v->cls;
  w[p->warp] = v->warp;
  w[p->end] = v->end;
  w[p->used] = v->banks;
  for (unsigned b = 0; b < p->banks; b++) {
    put_bits(&w[p->dslots], b * p->dslot_w, p->dslot_w, v->dslot[b]);
    put_bits(&w[p->sector_mask], b * p->sectors, p->sectors, v->sectors[b]);
  }
}

void tkf_put_inputs(const struct tkf_ports *p, const struct tkf_in *in, uint32_t *w) {
  memset(w, 0, p->in_words * sizeof *w);
  w[p->fast_out.ready] = w[p->lg.ready] = w[p->tex.ready] = 1;
  if (in->valid) put_packet(p, in, w);
  w[p->fast_in.valid] = in->fast_valid;
  w[p->fast_in.payload] = in->fast_id;
  w[p->fill_valid] = in->fill_valid;
  w[p->fill_bank] = in->fill_bank;
  w[p->fill_dslot] = in->fill_dslot;
  w[p->fill_sector] = in->fill_sector;
  w[p->alloc_valid] = in->alloc_valid;
  w[p->alloc_bank] = in->alloc_bank;
  w[p->alloc_dslot] = in->alloc_dslot;
}

/* ---- a trace as a stimulus --------------------------------------------------------------------------- */

struct tkf_replay {
  struct tkf_trace *trace;
  struct tkf_ports *ports;
  struct tkf_front *front;
  struct tkf_sizes sizes;
  struct tkf_options options;
  bool ended;
};

bool tkf_replay_restart(struct tkf_replay *r) {
  struct simt_diag diag = {0};
  tkf_destroy(r->front);
  r->ended = false;
  r->front = tkf_create(r->trace, &r->sizes, &r->options, &diag);
  return r->front;
}

struct tkf_replay *tkf_replay_create(const struct simt_config *cfg, const struct simt_stimulus *stim,
                                     struct simt_diag *diag) {
  struct tkf_replay *r = calloc(1, sizeof *r);
  if (!r) {
    simt_fail(diag, "trace", "no memory", "memory for its replay");
    return NULL;
  }
  r->sizes = tkf_sizes_of(cfg);
  if (tkf_options_of(cfg, stim, &r->options, diag) && (r->trace = tkf_trace_read(stim->trace, diag)) &&
      (r->ports = tkf_ports_create(cfg, diag)) && (r->front = tkf_create(r->trace, &r->sizes, &r->options, diag)))
    return r;
  tkf_replay_destroy(r);
  return NULL;
}

void tkf_replay_destroy(struct tkf_replay *r) {
  if (!r) return;
  tkf_destroy(r->front);
  tkf_ports_destroy(r->ports);
  tkf_trace_free(r->trace);
  free(r);
}

void tkf_replay_drive(struct tkf_replay *r, const uint32_t *out, uint32_t *in) {
  struct tkf_out seen;
  struct tkf_in given = {0};
  tkf_get_outputs(r->ports, out, &seen);
  r->ended = r->ended || !tkf_cycle(r->front, &seen, &given);
  tkf_put_inputs(r->ports, &given, in);
}

bool tkf_replay_at_end(const struct tkf_replay *r) { return r->ended; }
const char *tkf_replay_wrong(const struct tkf_replay *r) { return tkf_wrong(r->front); }
