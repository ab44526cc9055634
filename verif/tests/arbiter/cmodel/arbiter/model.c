/* SPDX-License-Identifier: Apache-2.0 */
/* model.c: cycle model of the example block. */
#include <stdlib.h>
#include <string.h>

#include "arbiter/arbiter.h"
#include "core/image.h"
#include "arbiter/ports.h"

struct rr_state {
  uint64_t count, valid, last; /* last: client granted last */
};

struct rr_model {
  const struct simt_config *cfg;
  struct rr_state s;
  uint64_t clients, count_mask;
  struct rr_ports at; /* places of the ports in the word buffers */
};

void *arbiter_create(const struct simt_config *cfg, struct simt_diag *diag) {
  struct rr_model *m = calloc(1, sizeof *m);
  if (!m) {
    simt_fail(diag, cfg->name, "no memory", "memory for the model");
    return NULL;
  }
  m->cfg = cfg;
  m->clients = cfg->value[ARBITER_CLIENTS];
  m->count_mask = ((uint64_t)1 << cfg->value[ARBITER_COUNT_W]) - 1;
  rr_ports_bind(&m->at, cfg);
  arbiter_reset(m);
  return m;
}

void arbiter_destroy(void *model) { free(model); }

void arbiter_reset(void *model) {
  struct rr_model *m = model;
  m->s = (struct rr_state){.last = m->clients - 1};
}

void arbiter_outputs(const void *model, uint32_t *out) {
  const struct rr_model *m = model;
  out[m->at.valid] = (uint32_t)m->s.valid;
  out[m->at.grant] = (uint32_t)m->s.last;
  out[m->at.count] = (uint32_t)m->s.count;
  if (m->count_mask >> 32) out[m->at.count + 1] = (uint32_t)(m->s.count >> 32);
}

void arbiter_step(void *model, const uint32_t *in) {
  struct rr_model *m = model;
  if (in[m->at.rst]) {
    arbiter_reset(m);
    return;
  }
  uint64_t req = m->clients > 32 ? simt_get64(&in[m->at.req]) : in[m->at.req];
  m->s.valid = req != 0;
  if (!req) return;
  uint64_t after = req & ~(((uint64_t)2 << m->s.last) - 1); /* those after the last one go first */
  m->s.last = (uint64_t)__builtin_ctzll(after ? after : req);
  m->s.count = (m->s.count + 1) & m->count_mask;
}

void arbiter_parts(void *model, struct simt_image *image) {
  struct rr_model *m = model;
  simt_image_part(image, &m->s, sizeof m->s);
}

void arbiter_stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value),
                   void *ctx) {
  const struct rr_model *m = model;
  visit(ctx, "grants", m->s.count);
}
