/* SPDX-License-Identifier: Apache-2.0 */
/* model.c: cycle model of copy_words. */
#include <stdlib.h>
#include <string.h>

#include "copy_words/ports.h"
#include "core/image.h"

enum cw_phase { CW_IDLE, CW_READ, CW_READING, CW_WRITE, CW_WRITING, CW_DONE };
struct cw_state { uint32_t phase, from, to, data, error, tag, copies; };
struct cw_model {
  const struct simt_config *cfg;
  struct cw_state s;
  unsigned words; /* of port b_ */
  struct cw_ports at;
};

void *copy_words_create(const struct simt_config *cfg, struct simt_diag *diag) {
  struct cw_model *m = calloc(1, sizeof *m);
  if (!m) {
    simt_fail(diag, cfg->name, "no memory", "memory for the model");
    return NULL;
  }
  m->cfg = cfg;
  m->words = (unsigned)cfg->value[COPY_WORDS_B_W] / 32;
  cw_ports_bind(&m->at, cfg);
  return m;
}

void copy_words_destroy(void *model) { free(model); }

void copy_words_reset(void *model) {
  struct cw_model *m = model;
  m->s = (struct cw_state){.phase = CW_IDLE};
}

void copy_words_outputs(const void *model, uint32_t *out) {
  const struct cw_model *m = model;
  const struct cw_state *s = &m->s;
  out[m->at.cmd_ready] = s->phase == CW_IDLE;
  out[m->at.a_valid] = s->phase == CW_READ;
  out[m->at.a_write] = out[m->at.a_tag] = out[m->at.a_data] = out[m->at.a_strb] = 0;
  out[m->at.a_addr] = s->from * 4;
  out[m->at.a_rsp_ready] = s->phase == CW_READING;
  out[m->at.b_valid] = out[m->at.b_write] = s->phase == CW_WRITE;
  out[m->at.b_tag] = s->tag;
  out[m->at.b_addr] = s->to / m->words * m->words * 4;
  out[m->at.b_strb] = 0xfu << s->to % m->words * 4;
  for (unsigned i = 0; i < m->words; i++) out[m->at.b_data + i] = s->data;
  out[m->at.b_rsp_ready] = s->phase == CW_WRITING;
  out[m->at.done_valid] = s->phase == CW_DONE;
  out[m->at.done_to] = s->to;
  out[m->at.done_error] = s->error;
}

void copy_words_step(void *model, const uint32_t *in) {
  struct cw_model *m = model;
  struct cw_state *s = &m->s;
  if (in[m->at.rst]) {
    copy_words_reset(m);
  } else if (s->phase == CW_IDLE && in[m->at.cmd_valid]) {
    *s = (struct cw_state){.phase = CW_READ, .from = in[m->at.cmd_from], .to = in[m->at.cmd_to], .tag = s->tag, .copies = s->copies};
  } else if (s->phase == CW_READ && in[m->at.a_ready]) {
    s->phase = CW_READING;
  } else if (s->phase == CW_READING && in[m->at.a_rsp_valid]) {
    s->error = in[m->at.a_rsp_error];
    s->data = in[m->at.a_rsp_data];
    s->phase = s->error ? CW_DONE : CW_WRITE;
  } else if (s->phase == CW_WRITE && in[m->at.b_ready]) {
    s->phase = CW_WRITING;
  } else if (s->phase == CW_WRITING && in[m->at.b_rsp_valid]) {
    s->error = in[m->at.b_rsp_error];
    s->tag = (s->tag + 1) & 3;
    s->copies += !s->error;
    s->phase = CW_DONE;
  } else if (s->phase == CW_DONE && in[m->at.done_ready]) {
    s->phase = CW_IDLE;
  }
}

void copy_words_parts(void *model, struct simt_image *image) {
  struct cw_model *m = model;
  simt_image_part(image, &m->s, sizeof m->s);
}

void copy_words_stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx) {
  const struct cw_model *m = model;
  visit(ctx, "copies", m->s.copies);
}
