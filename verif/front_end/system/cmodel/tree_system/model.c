/* SPDX-License-Identifier: Apache-2.0 */
/* model.c: the models of the parts as one. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/image.h"
#include "core/parts.h"
#include "tree_system/tree_system.h"
#include "core/unit_status.h"

enum { GATES_MOST = 32, WORD = 32 };

/* A payload of the parts of a kind, shown as 0 where its valid is 0: a vector of valids is none that a port can name. */
struct gate { unsigned valid, payload, width, n; };

struct ts_model {
  const struct simt_config *cfg;
  struct ts_system system;
  struct simt_parts *parts;
  struct gate gate[GATES_MOST];
  unsigned n_gates, state_at, served_idle_at;
  uint32_t halted;
};

static struct simt_wire_end end(unsigned part, const char *port, unsigned low) {
  return (struct simt_wire_end){(int)part, port, low};
}

/* ---- wires ----------------------------------------------------------------------------------------------------- */

/* A unit's port with its slice of the front end's; shared: with all of it. */
static void wire_unit(struct ts_model *m, unsigned part, const char *mine, const char *front, bool shared) {
  const struct ts_system *s = &m->system;
  const struct simt_port *p = simt_find_port(&s->part[part], mine);
  const struct simt_wire_end here = end(part, mine, 0), there = end(s->units, front, shared ? 0 : ts_unit(s, part) * p->width);
  if (p->dir == SIMT_OUT) simt_parts_wire(m->parts, here, there, p->width);
  else simt_parts_wire(m->parts, there, here, p->width);
}

static void wire_to_front_end(struct ts_model *m, unsigned part) {
  static const struct { const char *mine, *front; bool shared; } wires[] = {
    {"cmd_halt_i", "unit_halt_o", 0}, {"cmd_reset_i", "unit_reset_o", 0}, {"cmd_resume_i", "unit_resume_o", 0},
    {"state_o", "unit_state_i", 0}, {"progress_o", "unit_progress_i", 0}, {"waiting_o", "unit_waiting_i", 0},
    {"gather_o", "unit_gather_i", 0}, {"nack_o", "unit_nack_i", 0}, {"ctx_cmd_valid_i", "ctx_cmd_valid_o", 0},
    {"ctx_cmd_load_i", "ctx_cmd_load_o", 1}, {"ctx_cmd_ready_o", "ctx_cmd_ready_i", 0}, {"ctx_done_o", "ctx_done_i", 0},
    {"ctx_error_o", "ctx_error_i", 0}, {"ctx_out_valid_o", "ctx_out_valid_i", 0}, {"ctx_out_ready_i", "ctx_out_ready_o", 0},
    {"ctx_out_data_o", "ctx_out_data_i", 0}, {"ctx_out_last_o", "ctx_out_last_i", 0}, {"ctx_in_valid_i", "ctx_in_valid_o", 0},
    {"ctx_in_ready_o", "ctx_in_ready_i", 0}, {"ctx_in_data_i", "ctx_in_data_o", 1}, {"ctx_in_last_i", "ctx_in_last_o", 1},
    {"ctx_in_error_i", "ctx_in_error_o", 1}};
  const struct ts_system *s = &m->system;
  for (size_t i = 0; i < sizeof wires / sizeof *wires; i++) wire_unit(m, part, wires[i].mine, wires[i].front, wires[i].shared);
  const struct simt_wire_end shown = {SIMT_OUTSIDE, "unit_state_o", ts_unit(s, part) * s->state_w};
  const struct simt_wire_end moves = {SIMT_OUTSIDE, "unit_progress_o", ts_unit(s, part)};
  simt_parts_wire(m->parts, end(part, "state_o", 0), shown, s->state_w);
  simt_parts_wire(m->parts, end(part, "progress_o", 0), moves, 1);
  simt_parts_in(m->parts, part)[simt_find_port(&s->part[part], "ctx_unit_i")->word] = ts_unit(s, part);
}

/* A stack's memory port with its place at the arbiter of its domain. */
static void wire_memory(struct ts_model *m, unsigned stack) {
  static const char *const requests[] = {"valid", "write", "tag", "addr", "data", "strb"}, *const answers[] = {"tag", "data", "error"};
  const struct ts_system *s = &m->system;
  const unsigned arbiter = s->stacks + stack / s->each, client = stack % s->each;
  char mine[SIMT_NAME_MAX], there[SIMT_NAME_MAX];
  for (size_t i = 0; i < sizeof requests / sizeof *requests; i++) {
    snprintf(mine, sizeof mine, "mem_req_%s_o", requests[i]);
    snprintf(there, sizeof there, "cl_req_%s_i", requests[i]);
    const unsigned width = simt_find_port(&s->part[stack], mine)->width;
    simt_parts_wire(m->parts, end(stack, mine, 0), end(arbiter, there, client * width), width);
  }
  for (size_t i = 0; i < sizeof answers / sizeof *answers; i++) {
    snprintf(mine, sizeof mine, "mem_rsp_%s_i", answers[i]);
    snprintf(there, sizeof there, "cl_rsp_%s_o", answers[i]);
    simt_parts_wire(m->parts, end(arbiter, there, 0), end(stack, mine, 0), simt_find_port(&s->part[stack], mine)->width);
  }
  simt_parts_wire(m->parts, end(arbiter, "cl_req_ready_o", client), end(stack, "mem_req_ready_i", 0), 1);
  simt_parts_wire(m->parts, end(arbiter, "cl_rsp_valid_o", client), end(stack, "mem_rsp_valid_i", 0), 1);
  simt_parts_wire(m->parts, end(stack, "mem_rsp_ready_o", 0), end(arbiter, "cl_rsp_ready_i", client), 1);
}

static void add_gate(struct ts_model *m, const struct simt_config *cfg, enum ts_kind k, const struct simt_port *p, const char *name) {
  const struct simt_port *v = simt_find_port(&m->system.part[ts_first(&m->system, k)], p->valid);
  char valid[SIMT_NAME_MAX];
  if (p->dir != SIMT_OUT || !v || !ts_outer(k, v, valid)) return;
  m->gate[m->n_gates++] =
      (struct gate){simt_find_port(cfg, valid)->word, simt_find_port(cfg, name)->word, p->width, ts_count(&m->system, k)};
}

static void wire_outside(struct ts_model *m, const struct simt_config *cfg) {
  const struct ts_system *s = &m->system;
  char name[SIMT_NAME_MAX];
  for (enum ts_kind k = TS_STACK; k <= TS_FRONT_END; k++) {
    const struct simt_config *part = &s->part[ts_first(s, k)];
    for (size_t i = 0; i < part->desc.n_ports; i++) {
      const struct simt_port *p = &part->desc.ports[i];
      if (!ts_outer(k, p, name)) continue;
      add_gate(m, cfg, k, p, name);
      for (unsigned n = 0; n < ts_count(s, k); n++) {
        const struct simt_wire_end here = end(ts_first(s, k) + n, p->name, 0), there = {SIMT_OUTSIDE, name, n * p->width};
        if (p->dir == SIMT_OUT) simt_parts_wire(m->parts, here, there, p->width);
        else simt_parts_wire(m->parts, there, here, p->width);
      }
    }
  }
}

/* ---- life ------------------------------------------------------------------------------------------------------- */

void *ts_create(const struct simt_config *cfg, struct simt_diag *diag) {
  struct ts_model *m = calloc(1, sizeof *m);
  if (m) m->cfg = cfg;
  if (m && ts_make(cfg, &m->system, diag) && (m->parts = simt_parts_create(cfg, m->system.part, m->system.parts, diag))) {
    const struct ts_system *s = &m->system;
    wire_outside(m, cfg);
    for (unsigned i = 0; i < s->units; i++) wire_to_front_end(m, i);
    for (unsigned i = 0; i < s->stacks; i++) wire_memory(m, i);
    m->halted = simt_status_code(SIMT_HALTED, (enum simt_status_encoding)s->encoding);
    m->state_at = simt_find_port(&s->part[0], "state_o")->word;
    m->served_idle_at = simt_find_port(&s->part[s->stacks], "served_idle_i")->word;
    return m;
  }
  ts_destroy(m);
  simt_fail(diag, cfg->name, "no memory", "memory for the model");
  return NULL;
}

void ts_destroy(void *model) {
  struct ts_model *m = model;
  if (!m) return;
  simt_parts_destroy(m->parts);
  ts_free(&m->system);
  free(m);
}

void ts_reset(void *model) { simt_parts_reset(((struct ts_model *)model)->parts); }

/* ---- a cycle ------------------------------------------------------------------------------------------------------ */

static void clear_bits(uint32_t *words, unsigned at, unsigned n) {
  while (n) {
    const unsigned left = at % WORD, k = n < WORD - left ? n : WORD - left;
    words[at / WORD] &= ~((k == WORD ? UINT32_MAX : (UINT32_C(1) << k) - 1) << left);
    at += k, n -= k;
  }
}

void ts_outputs(const void *model, uint32_t *out) {
  const struct ts_model *m = model;
  simt_parts_outputs(m->parts, out);
  for (const struct gate *g = m->gate; g < m->gate + m->n_gates; g++)
    for (unsigned i = 0; i < g->n; i++)
      if (!(out[g->valid + i / WORD] >> i % WORD & 1)) clear_bits(&out[g->payload], i * g->width, g->width);
}

/* US-5: an arbiter's clients stand still when all of them are halted: then none has a request open. */
void ts_step(void *model, const uint32_t *in) {
  struct ts_model *m = model;
  const struct ts_system *s = &m->system;
  simt_parts_look(m->parts, in);
  for (unsigned d = 0; d < s->domains; d++) {
    bool idle = true;
    for (unsigned i = d * s->each; i < (d + 1) * s->each; i++) idle &= simt_parts_out(m->parts, i)[m->state_at] == m->halted;
    simt_parts_in(m->parts, s->stacks + d)[m->served_idle_at] = idle;
  }
  simt_parts_go(m->parts);
}

void ts_parts(void *model, struct simt_image *image) { simt_parts_image(((struct ts_model *)model)->parts, image); }

void ts_stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx) {
  const struct ts_model *m = model;
  m->system.part[0].block->model.stats(simt_parts_model(m->parts, 0), visit, ctx);
}
