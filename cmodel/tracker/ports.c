/* SPDX-License-Identifier: Apache-2.0 */
/* ports.c: the tracker model's life and ports: create, reset, outputs, parts of an image, statistics. */
#include "tracker/cycle.h"

#include <stdlib.h>
#include <string.h>

static void bind_lg(struct trk_path_ports *at, const struct simt_config *cfg) { TRK_PATH_PORTS(SIMT_PORT_BIND, lg) }
static void bind_tex(struct trk_path_ports *at, const struct simt_config *cfg) { TRK_PATH_PORTS(SIMT_PORT_BIND, tex) }

void trk_ports_bind(struct trk_ports *at, const struct simt_config *cfg) {
  TRK_PORTS(SIMT_PORT_BIND)
  bind_lg(&at->out[0], cfg);
  bind_tex(&at->out[1], cfg);
  at->out[1].state = simt_port_word(cfg, "tex_out_state_o");
}

void *trk_create(const struct simt_config *cfg, struct simt_diag *diag) {
  if (!simt_check_plain(cfg, diag)) return NULL;
  struct trk_model *m = calloc(1, sizeof *m);
  bool good = m != NULL;
  if (good) {
    m->cfg = cfg;
    trk_layout(cfg->value, &m->l);
    m->entry = calloc(m->l.ages, sizeof *m->entry);
    good = m->entry != NULL;
    for (unsigned b = 0; b < m->l.banks; b++) {
      m->slot[b].inserted = calloc(m->l.dslots, sizeof(uint16_t));
      m->slot[b].left = calloc(m->l.dslots, sizeof(uint16_t));
      m->slot[b].stuck = calloc(m->l.dslots, 1);
      m->slot[b].token = calloc(m->l.dslots, 1);
      m->slot[b].valid = calloc(m->l.dslots, 1);
      m->slot[b].wanted = calloc(m->l.dslots, sizeof(struct trk_set));
      good = good && m->slot[b].inserted && m->slot[b].left && m->slot[b].stuck && m->slot[b].token && m->slot[b].valid && m->slot[b].wanted;
    }
  }
  if (!good) {
    trk_destroy(m);
    simt_fail(diag, cfg->name, "no memory", "memory for the model");
    return NULL;
  }
  for (unsigned q = 0; q < TRK_MAX_QUEUES; q++) {
    m->bit_of[q] = (uint8_t)(q % m->l.groups * 16 + q / m->l.groups);
    if (q < m->l.queues) trk_put_set(m, &m->of_pop[q & (m->l.pops - 1)], q, true);
  }
  trk_ports_bind(&m->at, cfg);
  simt_shell_find(&m->shell, cfg, m->l.status, TRK_UNIT_TYPE, m->l.cfg_hash, m->l.ctx_max);
  trk_context_find(m);
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
    free(m->slot[b].wanted);
  }
  free(m->entry);
  free(m);
}

void trk_clear(void *model) {
  struct trk_model *m = model;
  struct trk_run *r = &m->r;
  memset(r, 0, offsetof(struct trk_run, mode));
  memset(m->entry, 0, m->l.ages * sizeof *m->entry);
  for (unsigned b = 0; b < m->l.banks; b++) {
    memset(m->slot[b].inserted, 0, m->l.dslots * sizeof(uint16_t));
    memset(m->slot[b].left, 0, m->l.dslots * sizeof(uint16_t));
    memset(m->slot[b].stuck, 0, m->l.dslots);
    memset(m->slot[b].token, 0, m->l.dslots);
    memset(m->slot[b].valid, 0, m->l.dslots);
    memset(m->slot[b].wanted, 0, m->l.dslots * sizeof(struct trk_set));
  }
  r->clearing = m->l.clear;
  r->tail = r->head = r->look = r->upto = 2 * m->l.ages;
  r->open_first = r->tail - 1;
  r->filling = true;
  r->map_last = r->ray_last = m->l.queues - 1;
  r->group = m->l.group_reset;
  r->wants_change = true;
  struct trk_select *select[] = {&r->commits[0], &r->commits[1], &r->pops[0], &r->pops[1], &r->pops[2], &r->pops[3]};
  for (unsigned i = 0; i < 2 + TRK_MAX_POPS; i++) memset(&select[i]->lap, 0xff, sizeof select[i]->lap);
}

void trk_reset(void *model) {
  struct trk_model *m = model;
  struct trk_run *r = &m->r;
  memset(r, 0, sizeof *r);
  trk_clear(m);
  r->group_set = m->l.group_reset;
  r->mode = 4;
  r->split = m->l.queues / 2;
  r->wants_change = false;
  r->first = true;
  simt_shell_reset(&m->shell);
  trk_context_reset(m);
  r->now[0] = 4;
  r->now[1] = r->split;
  r->now[2] = r->group_set;
}

static void put_output(const struct trk_model *m, unsigned p, uint32_t *out) {
  const struct trk_run *r = &m->r;
  bool some = r->fifo[p].count != 0;
  out[m->at.out[p].valid] = some && !trk_closed(m) && r->leaving[p].count < TRK_LEAVE_ROOM;
  if (!some) return;
  static const struct trk_entry none;
  const struct trk_item *i = &r->fifo[p].item[r->fifo[p].from];
  const struct trk_entry *e = i->state ? &none : &m->entry[i->entry & (m->l.ages - 1)];
  if (p) out[m->at.out[p].state] = i->state;
  out[m->at.out[p].class] = e->class;
  out[m->at.out[p].warp] = e->warp;
  out[m->at.out[p].end] = e->end;
  out[m->at.out[p].used] = e->used;
  for (unsigned w = 0; w < m->l.dslot_words; w++) out[m->at.out[p].dslots + w] = e->dslots[w];
  trk_copy_payload(m, &out[m->at.out[p].payload], i->state ? i->payload : e->payload);
}

void trk_outputs(const void *model, uint32_t *out) {
  const struct trk_model *m = model;
  const struct trk_run *r = &m->r;
  const struct trk_ports *a = &m->at;
  const bool open = !trk_closed(m);
  if (m->l.status) simt_shell_outputs(&m->shell, trk_context_unit(m), out);
  out[a->in_ready] = r->in_ready && open;
  out[a->fast_ready] = r->fast_ready && open;
  out[a->alloc_ready] = r->alloc_ready && open;
  out[a->fast_out] = r->fasts.count != 0 && open;
  if (r->fasts.count) trk_copy_payload(m, &out[a->fast_out_payload], r->fasts.item[r->fasts.from].payload);
  put_output(m, 0, out);
  put_output(m, 1, out);
  out[a->free] = r->free;
  if (r->free) trk_put_dslots(m, &out[a->free_dslot], r->free_dslot);
  else for (unsigned w = 0; w < m->l.dslot_words; w++) out[a->free_dslot + w] = 0;
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

void trk_parts(void *model, struct simt_image *image) {
  struct trk_model *m = model;
  simt_image_part(image, &m->r, sizeof m->r);
  simt_image_part_with_shell(image, &m->shell, sizeof m->shell, &m->shell);
  simt_image_part(image, &m->ctx, sizeof m->ctx);
  simt_image_part(image, m->entry, m->l.ages * sizeof *m->entry);
  for (unsigned b = 0; b < m->l.banks; b++) {
    simt_image_part(image, m->slot[b].inserted, m->l.dslots * sizeof(uint16_t));
    simt_image_part(image, m->slot[b].left, m->l.dslots * sizeof(uint16_t));
    simt_image_part(image, m->slot[b].stuck, m->l.dslots);
    simt_image_part(image, m->slot[b].token, m->l.dslots);
    simt_image_part(image, m->slot[b].valid, m->l.dslots);
    simt_image_part(image, m->slot[b].wanted, m->l.dslots * sizeof(struct trk_set));
  }
}

void trk_stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx) {
  const struct trk_model *m = model;
  for (unsigned i = 0; i < TRK_COUNTERS; i++)
    visit(ctx, trk_counter_names[i].name, m->r.counter[i] + m->r.gathered[i] + m->r.event[i] + (i == m->r.scan ? m->r.adding : 0));
  visit(ctx, "HIGH", m->r.high);
}

bool trk_token_waits(const void *of, unsigned bank, unsigned dslot) {
  const struct trk_model *m = of;
  return m->slot[bank].token[dslot];
}
