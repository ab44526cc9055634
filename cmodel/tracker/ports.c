/* SPDX-License-Identifier: Apache-2.0 */
/* ports.c: the tracker model's life and ports: create, reset, outputs, images, statistics. */
#include "tracker/state.h"

#include <stdlib.h>
#include <string.h>

static unsigned word(const struct simt_config *cfg, const char *name) { return simt_find_port(cfg, name)->word; }

static void find_ports(struct trk_model *m, const struct simt_config *cfg) {
  struct trk_ports *a = &m->at;
  a->rst = word(cfg, "rst_i");
  a->in = word(cfg, "in_valid_i"), a->in_ready = word(cfg, "in_ready_o"), a->kind = word(cfg, "in_kind_i");
  a->class = word(cfg, "in_class_i"), a->warp = word(cfg, "in_warp_i"), a->end = word(cfg, "in_end_i");
  a->used = word(cfg, "in_used_i"), a->dslots = word(cfg, "in_dslots_i"), a->sectors = word(cfg, "in_sectors_i");
  a->bank = word(cfg, "in_bank_i"), a->payload = word(cfg, "in_payload_i");
  a->fast = word(cfg, "fast_in_valid_i"), a->fast_ready = word(cfg, "fast_in_ready_o");
  a->fast_payload = word(cfg, "fast_in_payload_i"), a->fast_out = word(cfg, "fast_out_valid_o");
  a->fast_out_ready = word(cfg, "fast_out_ready_i"), a->fast_out_payload = word(cfg, "fast_out_payload_o");
  a->fill = word(cfg, "fill_valid_i"), a->fill_bank = word(cfg, "fill_bank_i");
  a->fill_dslot = word(cfg, "fill_dslot_i"), a->fill_sector = word(cfg, "fill_sector_i");
  a->alloc = word(cfg, "alloc_valid_i"), a->alloc_ready = word(cfg, "alloc_ready_o");
  a->alloc_bank = word(cfg, "alloc_bank_i"), a->alloc_dslot = word(cfg, "alloc_dslot_i");
  for (unsigned p = 0; p < 2; p++) {
    const struct { const char *name; unsigned *to; } port[] = {
      {p ? "tex_out_valid_o" : "lg_out_valid_o", &a->out[p].valid}, {p ? "tex_out_ready_i" : "lg_out_ready_i", &a->out[p].ready},
      {p ? "tex_out_class_o" : "lg_out_class_o", &a->out[p].class}, {p ? "tex_out_warp_o" : "lg_out_warp_o", &a->out[p].warp},
      {p ? "tex_out_end_o" : "lg_out_end_o", &a->out[p].end}, {p ? "tex_out_used_o" : "lg_out_used_o", &a->out[p].used},
      {p ? "tex_out_dslots_o" : "lg_out_dslots_o", &a->out[p].dslots},
      {p ? "tex_out_payload_o" : "lg_out_payload_o", &a->out[p].payload}};
    for (unsigned i = 0; i < sizeof port / sizeof *port; i++) *port[i].to = word(cfg, port[i].name);
  }
  a->out[1].state = word(cfg, "tex_out_state_o");
  a->free = word(cfg, "free_valid_o"), a->free_dslot = word(cfg, "free_dslot_o");
  a->err = word(cfg, "err_valid_o"), a->err_in = word(cfg, "err_in_o"), a->err_alloc = word(cfg, "err_alloc_o");
  a->err_reg = word(cfg, "err_reg_o"), a->err_fill = word(cfg, "err_fill_o");
  a->reg = word(cfg, "reg_req_valid_i"), a->reg_ready = word(cfg, "reg_req_ready_o");
  a->reg_write = word(cfg, "reg_req_write_i"), a->reg_addr = word(cfg, "reg_req_addr_i");
  a->reg_data = word(cfg, "reg_req_data_i"), a->rsp = word(cfg, "reg_rsp_valid_o");
  a->rsp_data = word(cfg, "reg_rsp_data_o"), a->rsp_error = word(cfg, "reg_rsp_error_o");
}

void *trk_create(const struct simt_config *cfg, struct simt_diag *diag) {
  if (!simt_check_plain(cfg, diag)) return NULL;
  struct trk_model *m = calloc(1, sizeof *m);
  bool good = m != NULL;
  if (good) {
    m->cfg = cfg;
    trk_layout(cfg->value, &m->l);
    m->entry = calloc(m->l.entries, sizeof *m->entry);
    good = m->entry != NULL;
    for (unsigned b = 0; b < m->l.banks; b++) {
      m->slot[b].inserted = calloc(m->l.dslots, sizeof(uint16_t));
      m->slot[b].left = calloc(m->l.dslots, sizeof(uint16_t));
      m->slot[b].stuck = calloc(m->l.dslots, 1);
      m->slot[b].token = calloc(m->l.dslots, 1);
      m->slot[b].valid = calloc(m->l.dslots, 1);
      good = good && m->slot[b].inserted && m->slot[b].left && m->slot[b].stuck && m->slot[b].token && m->slot[b].valid;
    }
  }
  if (!good) {
    trk_destroy(m);
    simt_fail(diag, cfg->name, "no memory", "memory for the model");
    return NULL;
  }
  for (unsigned q = 0; q < TRK_MAX_QUEUES; q++) {
    m->group_of[q] = (uint8_t)(q % m->l.groups);
    m->place_of[q] = (uint8_t)(q / m->l.groups);
  }
  find_ports(m, cfg);
  trk_reset(m);
  return m;
}

void trk_destroy(void *model) {
  struct trk_model *m = model;
  if (!m) return;
  for (unsigned b = 0; b < TRK_MAX_BANKS; b++) {
    free(m->slot[b].inserted);
    free(m->slot[b].left);
    free(m->slot[b].stuck);
    free(m->slot[b].token);
    free(m->slot[b].valid);
  }
  free(m->entry);
  free(m);
}

void trk_reset(void *model) {
  struct trk_model *m = model;
  struct trk_run *r = &m->r;
  memset(r, 0, sizeof *r);
  memset(m->entry, 0, m->l.entries * sizeof *m->entry);
  for (unsigned b = 0; b < m->l.banks; b++) {
    memset(m->slot[b].inserted, 0, m->l.dslots * sizeof(uint16_t));
    memset(m->slot[b].left, 0, m->l.dslots * sizeof(uint16_t));
    memset(m->slot[b].stuck, 0, m->l.dslots);
    memset(m->slot[b].token, 0, m->l.dslots);
    memset(m->slot[b].valid, 0, m->l.dslots);
  }
  r->clearing = m->l.clear;
  r->filling = true;
  r->map_last = r->ray_last = m->l.queues - 1;
  r->group = r->group_set = m->l.group_reset;
  r->mode = 4;
  r->split = m->l.queues / 2;
  struct trk_select *select[] = {&r->pops, &r->commits[0], &r->commits[1]};
  for (unsigned i = 0; i < 3; i++) memset(&select[i]->lap, 0xff, sizeof select[i]->lap);
}

static void put_bits(uint32_t *to, unsigned at, unsigned width, uint32_t v) {
  to[at / 32] |= v << at % 32;
  if (at % 32 + width > 32) to[at / 32 + 1] |= v >> (32 - at % 32);
}

static void put_dslots(const struct trk_model *m, uint32_t *to, const uint16_t *dslot) {
  memset(to, 0, 4 * ((m->l.banks * m->l.dslot_w + 31) / 32));
  for (unsigned b = 0; b < m->l.banks; b++) put_bits(to, b * m->l.dslot_w, m->l.dslot_w, dslot[b]);
}

static void put_output(const struct trk_model *m, unsigned p, uint32_t *out) {
  const struct trk_run *r = &m->r;
  bool some = r->fifo[p].count != 0;
  out[m->at.out[p].valid] = some && r->leaving[p].count < TRK_LEAVE_ROOM;
  if (!some) return;
  static const struct trk_entry none;
  const struct trk_item *i = &r->fifo[p].item[r->fifo[p].from];
  const struct trk_entry *e = i->state ? &none : &m->entry[i->entry & (m->l.entries - 1)];
  if (p) out[m->at.out[p].state] = i->state;
  out[m->at.out[p].class] = e->class;
  out[m->at.out[p].warp] = e->warp;
  out[m->at.out[p].end] = e->end;
  out[m->at.out[p].used] = e->used;
  put_dslots(m, &out[m->at.out[p].dslots], e->dslot);
  memcpy(&out[m->at.out[p].payload], i->state ? i->payload : e->payload, 4 * m->l.payload_words);
}

void trk_outputs(const void *model, uint32_t *out) {
  const struct trk_model *m = model;
  const struct trk_run *r = &m->r;
  const struct trk_ports *a = &m->at;
  out[a->in_ready] = r->in_ready;
  out[a->fast_ready] = r->fast_ready;
  out[a->alloc_ready] = r->alloc_ready;
  out[a->fast_out] = r->fasts.count != 0;
  if (r->fasts.count) memcpy(&out[a->fast_out_payload], r->fasts.item[r->fasts.from].payload, 4 * m->l.payload_words);
  put_output(m, 0, out);
  put_output(m, 1, out);
  out[a->free] = r->free;
  put_dslots(m, &out[a->free_dslot], r->free_dslot);
  out[a->err] = r->err_in || r->err_alloc || r->err_reg || r->err_fill;
  out[a->err_in] = r->err_in;
  out[a->err_alloc] = r->err_alloc;
  out[a->err_reg] = r->err_reg;
  out[a->err_fill] = r->err_fill;
  out[a->reg_ready] = !r->busy;
  out[a->rsp] = r->rsp;
  out[a->rsp_data] = r->rsp_data;
  out[a->rsp_error] = r->rsp_error;
}

/* ---- images: the configuration's parameters, then all state ----------------------------------------------------- */

struct trk_part { void *at; size_t size; };
enum { MOST_PARTS = 3 + 5 * TRK_MAX_BANKS };

static unsigned list_parts(struct trk_model *m, struct trk_part *part) {
  unsigned n = 0;
  part[n++] = (struct trk_part){&m->l, sizeof m->l};
  part[n++] = (struct trk_part){&m->r, sizeof m->r};
  part[n++] = (struct trk_part){m->entry, m->l.entries * sizeof *m->entry};
  for (unsigned b = 0; b < m->l.banks; b++) {
    part[n++] = (struct trk_part){m->slot[b].inserted, m->l.dslots * sizeof(uint16_t)};
    part[n++] = (struct trk_part){m->slot[b].left, m->l.dslots * sizeof(uint16_t)};
    part[n++] = (struct trk_part){m->slot[b].stuck, m->l.dslots};
    part[n++] = (struct trk_part){m->slot[b].token, m->l.dslots};
    part[n++] = (struct trk_part){m->slot[b].valid, m->l.dslots};
  }
  return n;
}

size_t trk_save(const void *model, void *to, size_t room) {
  struct trk_model *m = (struct trk_model *)model; /* the list of parts serves both directions; nothing is written here */
  struct trk_part part[MOST_PARTS];
  unsigned n = list_parts(m, part);
  size_t size = 0;
  for (unsigned i = 0; i < n; i++) size += part[i].size;
  if (room < size) return size;
  char *at = to;
  for (unsigned i = 0; i < n; i++) {
    memcpy(at, part[i].at, part[i].size);
    at += part[i].size;
  }
  return size;
}

bool trk_load(void *model, const void *from, size_t size) {
  struct trk_model *m = model;
  if (size != trk_save(m, NULL, 0) || memcmp(from, &m->l, sizeof m->l)) return false;
  struct trk_part part[MOST_PARTS];
  unsigned n = list_parts(m, part);
  const char *at = from;
  for (unsigned i = 0; i < n; i++) {
    memcpy(part[i].at, at, part[i].size);
    at += part[i].size;
  }
  return true;
}

void trk_stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx) {
  const struct trk_model *m = model;
  for (unsigned i = 0; i < TRK_COUNTERS; i++)
    visit(ctx, trk_counter_names[i].name, m->r.counter[i] + m->r.gathered[i]);
  visit(ctx, "HIGH", m->r.high);
}

bool trk_token_waits(const void *of, unsigned bank, unsigned dslot) {
  const struct trk_model *m = of;
  return m->slot[bank].token[dslot];
}
