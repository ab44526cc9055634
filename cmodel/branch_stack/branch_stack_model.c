/* SPDX-License-Identifier: Apache-2.0 */
/* branch_stack_model.c: the models of the two parts side by side. The outputs of each follow from its state alone, so
 * a cycle is: outputs of both, inputs of both from them and from outside, a step of both. */
#include "branch_stack_parts.h"

#include <stdlib.h>
#include <string.h>

struct copy { unsigned from, to, words; }; /* in 32-bit words */
struct copies { struct copy *list; size_t n; };

struct reg_ports { /* word offsets of the register port */
  unsigned valid, ready, write, addr, data, rsp, rsp_data, rsp_error;
};

struct model {
  struct simt_config part[BS_PARTS];
  void *state[BS_PARTS];
  uint32_t *in[BS_PARTS], *out[BS_PARTS];
  struct copies outside_in[BS_PARTS], outside_out[BS_PARTS], inside[BS_PARTS]; /* inside: its outputs to the other */
  struct reg_ports whole, reg[BS_PARTS];
  unsigned rst, part_rst[BS_PARTS];
};

static bool add_copy(struct copies *c, unsigned from, unsigned to, unsigned words) {
  struct copy *more = realloc(c->list, (c->n + 1) * sizeof *more);
  if (!more) return false;
  c->list = more;
  c->list[c->n++] = (struct copy){from, to, words};
  return true;
}

static void do_copies(const struct copies *c, const uint32_t *from, uint32_t *to) {
  for (size_t i = 0; i < c->n; i++) memcpy(to + c->list[i].to, from + c->list[i].from, c->list[i].words * sizeof *to);
}

static void find_reg_ports(struct reg_ports *r, const struct simt_config *cfg) {
  const struct { const char *name; unsigned *at; } port[] = {
    {"reg_req_valid_i", &r->valid}, {"reg_req_ready_o", &r->ready}, {"reg_req_write_i", &r->write},
    {"reg_req_addr_i", &r->addr}, {"reg_req_data_i", &r->data}, {"reg_rsp_valid_o", &r->rsp},
    {"reg_rsp_data_o", &r->rsp_data}, {"reg_rsp_error_o", &r->rsp_error}};
  for (size_t i = 0; i < sizeof port / sizeof *port; i++) *port[i].at = simt_find_port(cfg, port[i].name)->word;
}

static bool connect(struct model *m, const struct simt_config *cfg, enum bs_part of) {
  const struct simt_desc *d = &m->part[of].desc;
  for (size_t i = 0; i < d->n_ports; i++) {
    const struct simt_port *p = &d->ports[i], *partner = bs_partner(m->part, of, p);
    bool good = true;
    if (bs_outside(m->part, of, p)) {
      unsigned whole = simt_find_port(cfg, p->name)->word;
      good = p->dir == SIMT_IN ? add_copy(&m->outside_in[of], whole, p->word, p->words)
                               : add_copy(&m->outside_out[of], p->word, whole, p->words);
    } else if (partner && p->dir == SIMT_OUT) {
      good = add_copy(&m->inside[of], p->word, partner->word, p->words);
    }
    if (!good) return false;
  }
  return true;
}

static bool build(struct model *m, const struct simt_config *cfg, struct simt_diag *diag) {
  if (!bs_resolve_parts(cfg->value, m->part, diag)) return false;
  m->rst = simt_find_port(cfg, "rst_i")->word;
  find_reg_ports(&m->whole, cfg);
  for (int p = 0; p < BS_PARTS; p++) {
    m->in[p] = calloc(m->part[p].desc.in_words, sizeof *m->in[p]);
    m->out[p] = calloc(m->part[p].desc.out_words, sizeof *m->out[p]);
    m->part_rst[p] = simt_find_port(&m->part[p], "rst_i")->word;
    find_reg_ports(&m->reg[p], &m->part[p]);
    if (!m->in[p] || !m->out[p] || !connect(m, cfg, p)) return simt_fail(diag, cfg->name, "no memory", "memory for the model");
    m->state[p] = m->part[p].block->model.create(&m->part[p], diag);
    if (!m->state[p]) return false;
  }
  return true;
}

void *bs_create(const struct simt_config *cfg, struct simt_diag *diag) {
  struct model *m = calloc(1, sizeof *m);
  if (!m) {
    simt_fail(diag, cfg->name, "no memory", "memory for the model");
    return NULL;
  }
  if (build(m, cfg, diag)) return m;
  bs_destroy(m);
  return NULL;
}

void bs_destroy(void *model) {
  struct model *m = model;
  if (!m) return;
  for (int p = 0; p < BS_PARTS; p++) {
    if (m->state[p]) m->part[p].block->model.destroy(m->state[p]);
    free(m->in[p]);
    free(m->out[p]);
    free(m->outside_in[p].list);
    free(m->outside_out[p].list);
    free(m->inside[p].list);
    simt_config_free(&m->part[p]);
  }
  free(m);
}

void bs_reset(void *model) {
  struct model *m = model;
  for (int p = 0; p < BS_PARTS; p++) m->part[p].block->model.reset(m->state[p]);
}

void bs_outputs(const void *model, uint32_t *out) {
  const struct model *m = model;
  const struct reg_ports *u = &m->reg[BS_UNIT], *s = &m->reg[BS_STACK], *w = &m->whole;
  uint32_t *const *from = m->out;
  for (int p = 0; p < BS_PARTS; p++) {
    m->part[p].block->model.outputs(m->state[p], from[p]);
    do_copies(&m->outside_out[p], from[p], out);
  }
  bool unit = from[BS_UNIT][u->rsp];
  out[w->ready] = from[BS_UNIT][u->ready] & from[BS_STACK][s->ready];
  out[w->rsp] = from[BS_UNIT][u->rsp] | from[BS_STACK][s->rsp];
  out[w->rsp_data] = unit ? from[BS_UNIT][u->rsp_data] : from[BS_STACK][s->rsp_data];
  out[w->rsp_error] = unit ? from[BS_UNIT][u->rsp_error] : from[BS_STACK][s->rsp_error];
}

/* An access is taken when both parts are free: one is under way at a time. */
static void drive_registers(struct model *m, const uint32_t *in) {
  const struct reg_ports *w = &m->whole;
  bool free_both = m->out[BS_UNIT][m->reg[BS_UNIT].ready] && m->out[BS_STACK][m->reg[BS_STACK].ready];
  int selected = in[w->addr] & BS_REG_UNIT ? BS_UNIT : BS_STACK;
  for (int p = 0; p < BS_PARTS; p++) {
    const struct reg_ports *r = &m->reg[p];
    m->in[p][r->valid] = in[w->valid] && free_both && p == selected;
    m->in[p][r->write] = in[w->write];
    m->in[p][r->addr] = in[w->addr] & (BS_REG_UNIT - 1);
    m->in[p][r->data] = in[w->data];
  }
}

void bs_step(void *model, const uint32_t *in) {
  struct model *m = model;
  for (int p = 0; p < BS_PARTS; p++) m->part[p].block->model.outputs(m->state[p], m->out[p]);
  for (int p = 0; p < BS_PARTS; p++) {
    do_copies(&m->outside_in[p], in, m->in[p]);
    do_copies(&m->inside[p], m->out[p], m->in[p == BS_UNIT ? BS_STACK : BS_UNIT]);
    m->in[p][m->part_rst[p]] = in[m->rst];
  }
  drive_registers(m, in);
  for (int p = 0; p < BS_PARTS; p++) m->part[p].block->model.step(m->state[p], m->in[p]);
}

/* The image of one part behind that of the other. */
size_t bs_save(const void *model, void *to, size_t room) {
  const struct model *m = model;
  size_t size[BS_PARTS], all = 0;
  for (int p = 0; p < BS_PARTS; p++) all += size[p] = m->part[p].block->model.save(m->state[p], NULL, 0);
  if (room < all) return all;
  char *at = to;
  for (int p = 0; p < BS_PARTS; at += size[p], p++) m->part[p].block->model.save(m->state[p], at, size[p]);
  return all;
}

bool bs_load(void *model, const void *from, size_t size) {
  struct model *m = model;
  const char *at = from;
  if (size != bs_save(m, NULL, 0)) return false;
  for (int p = 0; p < BS_PARTS; p++) {
    size_t n = m->part[p].block->model.save(m->state[p], NULL, 0);
    if (!m->part[p].block->model.load(m->state[p], at, n)) return false;
    at += n;
  }
  return true;
}

void bs_stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx) {
  const struct model *m = model;
  m->part[BS_UNIT].block->model.stats(m->state[BS_UNIT], visit, ctx);
}
