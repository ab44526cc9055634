/* SPDX-License-Identifier: Apache-2.0 */
/* model.c: cycle model of the arbiter. */
#include <stdlib.h>
#include <string.h>

#include "core/context_port.h"
#include "core/image.h"
#include "core/ports.h"
#include "mem_arbiter/mem_arbiter.h"
#include "core/unit_status.h"

enum { DEPTH = 2, WORDS = 32, STRB_WORDS = 4, WORD = 32 };

struct arb_request { uint32_t client, tag, write, addr[2], data[WORDS], strb[STRB_WORDS]; };
struct arb_answer { uint32_t client, tag, error, data[WORDS]; };

struct arb_state {
  uint32_t turn, loaded_turn;
  struct arb_request req[DEPTH]; /* the first leaves first */
  struct arb_answer rsp[DEPTH];
  uint32_t reqs, rsps, open;
  bool idle, clearing;
  struct simt_unit_status status;
  struct simt_context_registers context;
};

#define ARB_PORTS(PORT) \
  PORT(rst, rst_i) PORT(valid, cl_req_valid_i) PORT(ready, cl_req_ready_o) PORT(write, cl_req_write_i) \
  PORT(tag, cl_req_tag_i) PORT(addr, cl_req_addr_i) PORT(data, cl_req_data_i) PORT(strb, cl_req_strb_i) \
  PORT(rsp, cl_rsp_valid_o) PORT(rsp_ready, cl_rsp_ready_i) PORT(rsp_tag, cl_rsp_tag_o) \
  PORT(rsp_data, cl_rsp_data_o) PORT(rsp_error, cl_rsp_error_o) PORT(served_idle, served_idle_i) \
  PORT(m_valid, mem_req_valid_o) PORT(m_ready, mem_req_ready_i) PORT(m_write, mem_req_write_o) \
  PORT(m_tag, mem_req_tag_o) PORT(m_addr, mem_req_addr_o) PORT(m_data, mem_req_data_o) \
  PORT(m_strb, mem_req_strb_o) PORT(m_rsp, mem_rsp_valid_i) PORT(m_rsp_ready, mem_rsp_ready_o) \
  PORT(m_rsp_tag, mem_rsp_tag_i) PORT(m_rsp_data, mem_rsp_data_i) PORT(m_rsp_error, mem_rsp_error_i)
SIMT_PORTS(arb_places, ARB_PORTS)

struct arb_model {
  const struct simt_config *cfg;
  struct arb_state s;
  uint32_t clients, tag_w, addr_w, data_w, strb_w;
  enum simt_status_encoding encoding;
  struct simt_context_port port; /* its registers live in s between cycles */
  struct arb_places at;
  struct simt_status_ports status_at;
  struct simt_context_ports context_at;
};

/* n bits of one buffer to a place in another. */
static void put_bits(uint32_t *to, unsigned at, const uint32_t *from, unsigned from_at, unsigned n) {
  while (n) {
    const unsigned left = at % WORD, right = from_at % WORD, most = WORD - (left > right ? left : right), k = n < most ? n : most;
    const uint32_t mask = k == WORD ? UINT32_MAX : (UINT32_C(1) << k) - 1, bits = from[from_at / WORD] >> right & mask;
    to[at / WORD] = (to[at / WORD] & ~(mask << left)) | bits << left;
    at += k, from_at += k, n -= k;
  }
}

void *mem_arbiter_create(const struct simt_config *cfg, struct simt_diag *diag) {
  struct arb_model *m = calloc(1, sizeof *m);
  if (!m) {
    simt_fail(diag, cfg->name, "no memory", "memory for the model");
    return NULL;
  }
  m->cfg = cfg;
  m->clients = (uint32_t)cfg->value[MEM_ARBITER_CLIENTS];
  m->tag_w = (uint32_t)cfg->value[MEM_ARBITER_TAG_W];
  m->addr_w = (uint32_t)cfg->value[MEM_ARBITER_ADDR_W];
  m->data_w = (uint32_t)cfg->value[MEM_ARBITER_DATA_W];
  m->strb_w = (m->data_w + 7) / 8;
  m->encoding = (enum simt_status_encoding)cfg->value[MEM_ARBITER_ENCODING];
  m->port = (struct simt_context_port){.unit_type = MEM_ARBITER_UNIT_TYPE,
                                       .cfg_hash = (uint32_t)simt_derived(cfg, "CFG_HASH"), .ctx_max = 1};
  arb_places_bind(&m->at, cfg);
  m->status_at = simt_find_status_ports(cfg);
  m->context_at = simt_find_context_ports(cfg);
  return m;
}

void mem_arbiter_destroy(void *model) { free(model); }
void mem_arbiter_reset(void *model) { memset(&((struct arb_model *)model)->s, 0, sizeof(struct arb_state)); }

/* ---- what the unit is in this cycle ------------------------------------------------------------------------ */

static bool halted(const struct arb_state *s) { return s->status.state == SIMT_HALTED; }
static bool can_halt(const struct arb_state *s) { return s->idle && !s->open && !s->clearing; }
static bool still(const struct arb_state *s) { return halted(s) || (s->status.halt_req && can_halt(s)); }
static bool has_room(const struct arb_state *s) { return s->reqs < DEPTH && !s->clearing && !s->status.ctx_reset; }
static bool bit(const uint32_t *words, unsigned i) { return words[i / WORD] >> i % WORD & 1; }

static void offer(const struct arb_state *s, struct simt_context_unit *u) {
  *u = (struct simt_context_unit){.halted = halted(s), .can_halt = can_halt(s), .ld_ready = true, .len = 1,
                                  .sav_valid = s->context.save, .sav_data = s->turn, .sav_last = true};
}

/* ---- a cycle ----------------------------------------------------------------------------------------------- */

static void take_request(struct arb_model *m, const uint32_t *in) {
  struct arb_request r = {.client = m->s.turn, .write = bit(&in[m->at.write], m->s.turn)};
  put_bits(&r.tag, 0, &in[m->at.tag], m->s.turn * m->tag_w, m->tag_w);
  put_bits(r.addr, 0, &in[m->at.addr], m->s.turn * m->addr_w, m->addr_w);
  put_bits(r.data, 0, &in[m->at.data], m->s.turn * m->data_w, m->data_w);
  put_bits(r.strb, 0, &in[m->at.strb], m->s.turn * m->strb_w, m->strb_w);
  m->s.req[m->s.reqs++] = r;
}

static void take_answer(struct arb_model *m, const uint32_t *in) {
  const uint32_t tag = in[m->at.m_rsp_tag];
  struct arb_answer *a = &m->s.rsp[m->s.rsps++];
  *a = (struct arb_answer){.client = tag >> m->tag_w, .tag = tag & ((UINT32_C(1) << m->tag_w) - 1), .error = in[m->at.m_rsp_error]};
  put_bits(a->data, 0, &in[m->at.m_rsp_data], 0, m->data_w);
}

/* The next client in turn that asks, the one that has the turn left out. */
static uint32_t next_turn(const struct arb_model *m, const uint32_t *in) {
  for (uint32_t i = 1; i < m->clients; i++) {
    const uint32_t client = (m->s.turn + i) % m->clients;
    if (bit(&in[m->at.valid], client)) return client;
  }
  return m->s.turn;
}

struct arb_moves { bool offered, taken, sent, answered, leaves; };

static struct arb_moves moves_of(const struct arb_model *m, const uint32_t *in) {
  const struct arb_state *s = &m->s;
  const struct arb_answer *a = &s->rsp[0];
  struct arb_moves now = {.offered = bit(&in[m->at.valid], s->turn), .sent = s->reqs && in[m->at.m_ready],
                      .answered = in[m->at.m_rsp] && s->rsps < DEPTH && !still(s)};
  now.taken = now.offered && has_room(s) && !still(s);
  now.leaves = s->rsps && (a->client >= m->clients || bit(&in[m->at.rsp_ready], a->client));
  return now;
}

static struct simt_unit_signals signals_of(const struct arb_model *m, const struct arb_moves *now) {
  const struct arb_state *s = &m->s;
  struct simt_unit_signals u = {
    .in = now->offered && has_room(s), .out = now->sent || now->leaves, .work = s->reqs || s->rsps, .mem = s->open,
    .mem_done = now->answered, .blocked = (s->reqs && !now->sent) || (s->rsps && !now->leaves),
    .progress = now->taken || now->sent || now->answered || now->leaves, .can_halt = can_halt(s)};
  u.cannot = !u.in && !u.out;
  return u;
}

static void move(struct arb_model *m, const uint32_t *in, const struct arb_moves *now) {
  struct arb_state *s = &m->s;
  const uint32_t turn = now->taken || !now->offered ? next_turn(m, in) : s->turn;
  const bool open = s->open;
  if (now->sent) s->req[0] = s->req[1], s->reqs--;
  if (now->leaves) s->rsp[0] = s->rsp[1], s->rsps--, s->open--;
  if (now->taken) take_request(m, in), s->open++;
  if (now->answered) take_answer(m, in);
  if (!still(s)) s->turn = turn;
  if (s->context.commit) s->turn = s->loaded_turn;
  s->idle = in[m->at.served_idle] && s->status.halt_req && !s->status.ctx_reset;
  s->clearing = s->status.ctx_reset || s->context.abort || (s->clearing && open);
  if (s->status.ctx_reset || s->context.abort) s->turn = 0;
}

void mem_arbiter_step(void *model, const uint32_t *in) {
  struct arb_model *m = model;
  struct arb_state *s = &m->s;
  if (in[m->at.rst]) {
    mem_arbiter_reset(m);
    return;
  }
  const struct arb_moves now = moves_of(m, in);
  const struct simt_unit_signals u = signals_of(m, &now);
  struct simt_context_unit offered;
  offer(s, &offered);
  m->port.r = s->context;
  const struct simt_context_to_unit c = simt_context_to_unit(&m->port, &offered, &m->context_at, in);
  move(m, in, &now);
  if (c.ld_taken) s->loaded_turn = c.ld_data % (UINT32_C(1) << simt_max1(simt_clog2(m->clients)));
  simt_status_step(&s->status, &u, &m->status_at, in);
  simt_context_step(&m->port, &offered, c.ld_data >= m->clients, &m->context_at, in);
  s->context = m->port.r;
}

static void client_outputs(const struct arb_model *m, uint32_t *out) {
  const struct arb_state *s = &m->s;
  const struct arb_places *at = &m->at;
  const struct arb_answer *a = &s->rsp[0];
  static const struct arb_answer none;
  out[at->ready] = has_room(s) && !still(s) ? UINT32_C(1) << s->turn : 0;
  out[at->rsp] = s->rsps && a->client < m->clients ? UINT32_C(1) << a->client : 0;
  if (!s->rsps) a = &none;
  out[at->rsp_tag] = a->tag;
  out[at->rsp_error] = a->error;
  put_bits(&out[at->rsp_data], 0, a->data, 0, m->data_w);
}

void mem_arbiter_outputs(const void *model, uint32_t *out) {
  const struct arb_model *m = model;
  const struct arb_state *s = &m->s;
  const struct arb_places *at = &m->at;
  const struct arb_request *r = &s->req[0];
  client_outputs(m, out);
  out[at->m_valid] = s->reqs != 0;
  out[at->m_write] = s->reqs && r->write;
  out[at->m_tag] = r->client << m->tag_w | r->tag;
  put_bits(&out[at->m_addr], 0, r->addr, 0, m->addr_w);
  put_bits(&out[at->m_data], 0, r->data, 0, m->data_w);
  put_bits(&out[at->m_strb], 0, r->strb, 0, m->strb_w);
  out[at->m_rsp_ready] = s->rsps < DEPTH && !still(s);
  simt_status_outputs(&s->status, m->encoding, &m->status_at, out);
  struct simt_context_port port = m->port;
  struct simt_context_unit offered;
  port.r = s->context;
  offer(s, &offered);
  simt_context_outputs(&port, &offered, &m->context_at, out);
}

void mem_arbiter_parts(void *model, struct simt_image *image) {
  struct arb_model *m = model;
  simt_image_part(image, &m->s, sizeof m->s);
}

void mem_arbiter_stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx) {
  visit(ctx, "open", ((const struct arb_model *)model)->s.open);
}
