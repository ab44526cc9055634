/* SPDX-License-Identifier: Apache-2.0 */
/* block.c: description and model of the lone status cell: the C cell with its ports outside. */
#include <stdlib.h>
#include <string.h>

#include "status_fsm/status_fsm.h"
#include "core/image.h"
#include "core/unit_status.h"

static const struct simt_param params[] = {
  {.name = "ENCODING", .def = SIMT_ONE_HOT, .max = SIMT_BINARY, .choices = simt_status_encodings, .unit = "",
   .doc = "How state_o carries the state.", .req = "US-1"},
};

static bool resolve(const uint64_t *value, struct simt_desc *d, struct simt_diag *diag) {
  (void)diag; /* no conditions across parameters */
  simt_add_clock_reset(d);
  simt_add_status_ports(d, (enum simt_status_encoding)value[0]);
  simt_add_port(d, SIMT_IN, N_SIGNALS, "", "unit", "What the unit says, in the order of status_fsm.h.", "signals_i");
  simt_add_port(d, SIMT_OUT, 1, "", "unit", "Halt request to the unit.", "halt_req_o");
  simt_add_port(d, SIMT_OUT, 1, "", "unit", "The state is halted.", "halted_o");
  simt_add_port(d, SIMT_OUT, 1, "", "unit", "Reset of the unit's context.", "ctx_reset_o");
  simt_add_port(d, SIMT_OUT, 1, "", "unit", "Resume, in quiescent only.", "resume_o");
#define ADD_TAKEN(from, name) simt_add_cover(d, "US-3", "This arc is taken.", #from "_" #name);
  STATUS_ROWS(ADD_TAKEN)
#define ADD_PASSED(from, name) simt_add_cover(d, "US-3", "The condition of this arc is reached and false.", #from "_not_" #name);
  STATUS_ROWS(ADD_PASSED) /* the last row of a state has no condition: counted as reached */
  static const char *const state[] = {"empty", "active", "stalled", "quiescent", "halted"};
  for (int i = 0; i < 5; i++) simt_add_cover(d, "US-7", "Reset from this state.", "reset_from_%s", state[i]);
  return true;
}

struct fsm_model {
  const struct simt_config *cfg;
  struct simt_unit_status s;
  enum simt_status_encoding encoding;
  struct simt_status_ports at;
  unsigned rst, signals, halt_req, halted, ctx_reset, resume;
};

static void *create(const struct simt_config *cfg, struct simt_diag *diag) {
  struct fsm_model *m = calloc(1, sizeof *m);
  if (!m) {
    simt_fail(diag, cfg->name, "no memory", "memory for the model");
    return NULL;
  }
  m->cfg = cfg;
  m->encoding = (enum simt_status_encoding)cfg->value[0];
  m->at = simt_find_status_ports(cfg);
  m->rst = simt_find_port(cfg, "rst_i")->word;
  m->signals = simt_find_port(cfg, "signals_i")->word;
  m->halt_req = simt_find_port(cfg, "halt_req_o")->word;
  m->halted = simt_find_port(cfg, "halted_o")->word;
  m->ctx_reset = simt_find_port(cfg, "ctx_reset_o")->word;
  m->resume = simt_find_port(cfg, "resume_o")->word;
  return m;
}

static void reset(void *model) { ((struct fsm_model *)model)->s = (struct simt_unit_status){.state = SIMT_EMPTY}; }

static void outputs(const void *model, uint32_t *out) {
  const struct fsm_model *m = model;
  simt_status_outputs(&m->s, m->encoding, &m->at, out);
  out[m->halt_req] = m->s.halt_req;
  out[m->halted] = m->s.state == SIMT_HALTED;
  out[m->ctx_reset] = m->s.ctx_reset;
  out[m->resume] = m->s.resume;
}

static void step(void *model, const uint32_t *in) {
  struct fsm_model *m = model;
  uint32_t w = in[m->signals];
#define BIT(name) (w >> SIG_##name & 1)
  struct simt_unit_signals u = {
    .in = BIT(IN), .out = BIT(OUT), .proc = BIT(PROC), .work = BIT(WORK), .mem = BIT(MEM), .mem_done = BIT(MEM_DONE),
    .nack = BIT(NACK), .blocked = BIT(BLOCKED), .cannot = BIT(CANNOT), .progress = BIT(PROGRESS), .gather = BIT(GATHER),
    .can_halt = BIT(CAN_HALT), .nack_write = BIT(NACK_WRITE), .nack_value = BIT(NACK_VALUE)};
  if (in[m->rst]) reset(m);
  else simt_status_step(&m->s, &u, &m->at, in);
}

static void parts(void *model, struct simt_image *image) {
  struct fsm_model *m = model;
  simt_image_part(image, &m->s, sizeof m->s);
}

static void stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx) {
  visit(ctx, "state", ((const struct fsm_model *)model)->s.state);
}

const struct simt_block simt_block_status_fsm = {
  .name = "status_fsm",
  .title = "The status cell alone",
  .summary = "unit_status_fsm with all of its ports outside, to be compared with the table of its transitions.",
  .params = params, .n_params = sizeof params / sizeof *params, .resolve = resolve,
  .model = {create, free, reset, outputs, step, simt_save, simt_load, stats, parts},
};
