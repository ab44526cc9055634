/* SPDX-License-Identifier: Apache-2.0 */
/* selftest_run.c: the run of a self-test by the model of the block: the counterparts of fpga/rtl/selftest_*.v. */
#include <stdlib.h>
#include <string.h>

#include "emit/selftest.h"

static const uint64_t seed[2] = {0xf39cc0605cedc834, 0x9e3779b97f4a7c15}; /* the low half first */

struct run {
  const struct selftest_plan *plan;
  const struct simt_config *cfg;
  uint8_t lfsr[SELFTEST_LFSR];  /* [0] is the youngest */
  unsigned cycle;
  uint32_t *in, *out, *held;    /* held: valids and fields of streams, at the places of `in` */
  const struct simt_port *req_valid, *req_tag, *rsp_ready;
  struct { uint32_t tag[4], rsp_tag; unsigned count; bool valid; } memory;
  uint32_t *data;               /* of the answer, as long as `in` */
  uint32_t signature;
  uint8_t *seen;                /* of each bit of the outputs: 1 it was 0, 2 it was 1, when it counted */
};

unsigned selftest_bit(unsigned n) { return (n * 45 + n / SELFTEST_LFSR * 7) % SELFTEST_LFSR; }

static bool bit(const struct run *r, unsigned n) { return r->lfsr[selftest_bit(n)]; }

static void seed_lfsr(struct run *r) {
  for (unsigned i = 0; i < SELFTEST_LFSR; i++) r->lfsr[i] = seed[i / 64] >> i % 64 & 1;
}

static void step_lfsr(struct run *r) {
  for (unsigned n = 0; n < 32; n++) {
    uint8_t young = r->lfsr[127] ^ r->lfsr[125] ^ r->lfsr[100] ^ r->lfsr[98];
    memmove(r->lfsr + 1, r->lfsr, SELFTEST_LFSR - 1);
    r->lfsr[0] = young;
  }
}

static uint32_t value_of(const uint32_t *words, const struct simt_port *p) { return p ? words[p->word] : 0; }

/* Bits of the LFSR for a port, its words put to `to`. */
static void put_bits(const struct run *r, const struct selftest_input *i, uint32_t *to) {
  for (unsigned w = 0; w < i->port->words; w++) to[w] = 0;
  for (unsigned k = 0; k < i->port->width; k++) to[k / 32] |= (uint32_t)bit(r, i->bit + k) << k % 32;
  if (i->below && to[0] >= i->below) to[0] ^= (uint32_t)1 << (i->port->width - 1);
}

/* One in two bits of each: three of four, or one. */
static bool often(const struct run *r, unsigned n, unsigned phase) {
  return r->cycle >> phase & 1 ? bit(r, n) && bit(r, n + 1) : bit(r, n) || bit(r, n + 1);
}

static bool accepts(const struct run *r) {
  return often(r, r->plan->memory_bit, 10) && r->memory.count < 4;
}

static void drive(struct run *r, const struct selftest_input *i) {
  const struct simt_port *p = i->port;
  uint32_t *to = r->in + p->word;
  for (unsigned w = 0; w < p->words; w++) to[w] = 0;
  switch (i->kind) {
    case DRIVE_IDLE:
      for (unsigned k = 0; p->idle_bits && k < p->width; k++) to[k / 32] |= (p->idle >> k % p->idle_bits & 1) << k % 32;
      break;
    case DRIVE_BITS: put_bits(r, i, to); break;
    case DRIVE_OFTEN:
      for (unsigned k = 0; k < p->width; k++) to[k / 32] |= (uint32_t)often(r, i->bit + 2 * k, i->phase) << k % 32;
      break;
    case DRIVE_RARELY:
      for (unsigned k = 0; k < p->width; k++) {
        bool all = true;
        for (unsigned j = 0; j < 4; j++) all = all && bit(r, i->bit + 4 * k + j);
        to[k / 32] |= (uint32_t)all << k % 32;
      }
      break;
    case DRIVE_STREAM:
    case DRIVE_FIELD: memcpy(to, r->held + p->word, p->words * sizeof *to); break;
    case DRIVE_ACCEPT: to[0] = accepts(r); break;
    case DRIVE_ANSWER: to[0] = r->memory.valid; break;
    case DRIVE_TAG: to[0] = r->memory.rsp_tag; break;
    case DRIVE_DATA: memcpy(to, r->data, p->words * sizeof *to); break;
  }
}

/* ---- clock edges -------------------------------------------------------------------------------------- */

static void step_streams(struct run *r, bool reset) {
  const struct selftest_plan *plan = r->plan;
  for (size_t i = 0; i < plan->n; i++) {
    const struct selftest_input *s = &plan->input[i];
    if (s->kind != DRIVE_STREAM) continue;
    uint32_t *valid = &r->held[s->port->word];
    bool is_free = !*valid || value_of(r->out, s->ready);
    for (size_t k = 0; is_free && k < plan->n; k++)
      if (plan->input[k].kind == DRIVE_FIELD && plan->input[k].stream == i)
        put_bits(r, &plan->input[k], r->held + plan->input[k].port->word);
    if (reset) *valid = 0;
    else if (is_free) *valid = often(r, s->bit, s->phase);
  }
}

static void step_memory(struct run *r, bool reset) {
  bool take = value_of(r->out, r->req_valid) && accepts(r);
  bool is_free = !r->memory.valid || value_of(r->out, r->rsp_ready);
  bool give = is_free && often(r, r->plan->memory_bit + 2, 11) && r->memory.count;
  if (reset) {
    memset(&r->memory, 0, sizeof r->memory);
    memset(r->data, 0, (r->cfg->desc.in_words + 1) * sizeof *r->data);
    return;
  }
  if (is_free) r->memory.valid = give;
  if (give) {
    r->memory.rsp_tag = r->memory.tag[0];
    memmove(r->memory.tag, r->memory.tag + 1, 3 * sizeof r->memory.tag[0]);
    r->memory.count--;
    for (size_t i = 0; i < r->plan->n; i++)
      if (r->plan->input[i].kind == DRIVE_DATA) put_bits(r, &r->plan->input[i], r->data);
  }
  if (take) r->memory.tag[r->memory.count++] = value_of(r->out, r->req_tag);
}

static bool means(const struct run *r, const struct simt_port *p) {
  const struct simt_port *v = p->valid[0] ? simt_find_port(r->cfg, p->valid) : NULL;
  if (!v) return true;
  const uint32_t *w = (v->dir == SIMT_IN ? r->in : r->out) + v->word;
  for (unsigned i = 0; i < v->words; i++)
    if (w[i]) return true;
  return false;
}

static void sign(struct run *r) {
  uint32_t folded = 0, s = r->signature;
  unsigned at = 0;
  for (size_t i = 0; i < r->cfg->desc.n_ports; i++) {
    const struct simt_port *p = &r->cfg->desc.ports[i];
    if (p->dir != SIMT_OUT) continue;
    bool counts = means(r, p);
    for (unsigned k = 0; k < p->width; k++, at++) {
      bool one = r->out[p->word + k / 32] >> k % 32 & 1;
      if (!counts) continue;
      r->seen[at] |= one ? 2 : 1;
      folded ^= (uint32_t)one << at % 32;
    }
  }
  r->signature = (s << 1 | ((s >> 31 ^ s >> 21 ^ s >> 1 ^ s) & 1)) ^ folded;
}

/* ---- the run ------------------------------------------------------------------------------------------ */

static void play(struct run *r, void *model, const struct simt_model_ops *ops) {
  const struct simt_port *rst = NULL;
  for (size_t i = 0; i < r->cfg->desc.n_ports; i++)
    if (r->cfg->desc.ports[i].role == SIMT_RESET) rst = &r->cfg->desc.ports[i];
  ops->reset(model);
  seed_lfsr(r);
  step_streams(r, true);
  for (r->cycle = 0; r->cycle < 1u << SELFTEST_CYCLES_LOG2; r->cycle++) {
    bool reset = (r->cycle & 4095) == 4095;
    ops->outputs(model, r->out);
    for (size_t i = 0; i < r->plan->n; i++) drive(r, &r->plan->input[i]);
    r->in[rst->word] = reset;
    sign(r);
    ops->step(model, r->in);
    step_streams(r, reset);
    step_memory(r, reset);
    step_lfsr(r);
  }
}

static void count_seen(const struct run *r, struct selftest_result *result) {
  result->bits = result->moved = 0;
  for (size_t i = 0; i < r->cfg->desc.n_ports; i++)
    if (r->cfg->desc.ports[i].dir == SIMT_OUT) result->bits += r->cfg->desc.ports[i].width;
  for (unsigned k = 0; k < result->bits; k++) result->moved += r->seen[k] == 3;
}

bool selftest_play(const struct selftest_plan *plan, const struct simt_config *cfg, struct selftest_result *result,
                   struct simt_diag *diag) {
  const struct simt_model_ops *ops = simt_model(cfg);
  size_t in = cfg->desc.in_words + 1, out = cfg->desc.out_words + 1;
  struct run r = {.plan = plan, .cfg = cfg, .req_valid = simt_find_port(cfg, "mem_req_valid_o"),
                  .req_tag = simt_find_port(cfg, "mem_req_tag_o"), .rsp_ready = simt_find_port(cfg, "mem_rsp_ready_o"),
                  .in = calloc(in, sizeof *r.in), .out = calloc(out, sizeof *r.out), .held = calloc(in, sizeof *r.held),
                  .data = calloc(in, sizeof *r.data), .seen = calloc(32, out)};
  void *model = ops->create(cfg, diag);
  bool good = model && r.in && r.out && r.held && r.data && r.seen;
  if (good) play(&r, model, ops);
  else simt_fail(diag, cfg->block->name, "no memory", "room for the model of a self-test");
  result->signature = r.signature;
  if (good) count_seen(&r, result);
  if (model) ops->destroy(model);
  free(r.in);
  free(r.out);
  free(r.held);
  free(r.data);
  free(r.seen);
  return good;
}
