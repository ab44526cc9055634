/* SPDX-License-Identifier: Apache-2.0 */
/* sim.c: the C model behind the front end on a trace, in its four modes, beside a plain FIFO and an ideal tracker. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracker/front_ports.h"
#include "tracker/ideal.h"

enum { QUIET = 100000, START_CYCLES = 1 << 20, FAST_TO_OUT = 1, MODES = 4 };

typedef void tkf_put_fn(void *ctx, const char *name, double value, const char *unit, const char *doc);

struct tkf_run { /* what all systems share */
  const struct simt_config *cfg;
  const struct tkf_trace *trace;
  struct tkf_sizes sizes;
  struct tkf_options options;
  const volatile int *stop;
  tkf_put_fn *put;
  void *ctx;
  struct simt_diag *diag;
};

/* ---- one system -------------------------------------------------------------------------------------- */

static bool play(const struct tkf_run *r, const char *name, const struct tkf_unit *unit, struct tkf_counts *counts) {
  struct tkf_front *f = tkf_create(r->trace, &r->sizes, &r->options, r->diag);
  struct tkf_out out;
  struct tkf_in in;
  const char *wrong = NULL;
  bool good = f;
  while (good) {
    unit->outputs(unit->state, &out);
    if (!tkf_cycle(f, &out, &in)) break;
    unit->step(unit->state, &in);
    wrong = tkf_wrong(f);
    if (!wrong && tkf_quiet(f) > QUIET) wrong = "nothing moved for a long time";
    good = !wrong && !(tkf_get_counts(f)->cycles % 65536 == 0 && r->stop && *r->stop);
  }
  if (f) *counts = *tkf_get_counts(f);
  tkf_destroy(f);
  if (wrong) simt_fail(r->diag, name, wrong, "what the front end asked for (a fault of the model)");
  return good;
}

/* ---- the block's model ------------------------------------------------------------------------------- */

struct tkf_model {
  const struct simt_config *cfg;
  const struct simt_model_ops *ops;
  struct tkf_ports *ports;
  void *model;
  uint32_t *in, *out;
};

static void model_outputs(void *state, struct tkf_out *out) {
  struct tkf_model *m = state;
  m->ops->outputs(m->model, m->out);
  tkf_get_outputs(m->ports, m->out, out);
}

static void model_step(void *state, const struct tkf_in *in) {
  struct tkf_model *m = state;
  tkf_put_inputs(m->ports, in, m->in);
  m->ops->step(m->model, m->in);
}

static uint32_t *word(uint32_t *words, const struct simt_config *cfg, const char *port) {
  return &words[simt_find_port(cfg, port)->word];
}

/* Until the block takes packets, and its mode register holds `mode`. */
static bool start(struct tkf_model *m, unsigned mode, struct simt_diag *diag) {
  const struct tkf_in none = {0};
  uint32_t address = 0;
  for (size_t i = 0; i < m->cfg->desc.n_regs; i++)
    if (!strcmp(m->cfg->desc.regs[i].name, "TRK_MODE")) address = m->cfg->desc.regs[i].addr;
  bool written = false;
  for (unsigned i = 0; i < START_CYCLES; i++) {
    m->ops->outputs(m->model, m->out);
    if (written && *word(m->out, m->cfg, "in_ready_o")) return true;
    tkf_put_inputs(m->ports, &none, m->in);
    *word(m->in, m->cfg, "reg_req_valid_i") = !written;
    *word(m->in, m->cfg, "reg_req_write_i") = 1;
    *word(m->in, m->cfg, "reg_req_addr_i") = address;
    *word(m->in, m->cfg, "reg_req_data_i") = mode;
    written = written || *word(m->out, m->cfg, "reg_req_ready_o");
    m->ops->step(m->model, m->in);
  }
  return simt_fail(diag, "C model", "no packet taken after reset", "in_ready_o (a fault of the model)");
}

static void model_destroy(struct tkf_model *m) {
  if (m->model) m->ops->destroy(m->model);
  tkf_ports_destroy(m->ports);
  free(m->in);
  free(m->out);
}

static bool model_create(struct tkf_model *m, const struct simt_config *cfg, struct simt_diag *diag) {
  *m = (struct tkf_model){.cfg = cfg, .ops = &cfg->block->model};
  m->ports = tkf_ports_create(cfg, diag);
  m->model = m->ports ? m->ops->create(cfg, diag) : NULL;
  m->in = calloc(cfg->desc.in_words, sizeof *m->in);
  m->out = calloc(cfg->desc.out_words, sizeof *m->out);
  return m->model && ((m->in && m->out) || simt_fail(diag, "trace", "no memory", "memory for the simulation"));
}

/* ---- results ------------------------------------------------------------------------------------------ */

struct tkf_row { const char *name; uint64_t value; const char *unit, *doc; };

static void put_as(const struct tkf_run *r, const char *system, const char *name, double value, const char *unit,
                   const char *doc) {
  char full[2 * SIMT_NAME_MAX];
  snprintf(full, sizeof full, "%s%s%s", system, *system ? "." : "", name);
  r->put(r->ctx, full, value, unit, doc);
}

static void put_rows(const struct tkf_run *r, const char *system, const struct tkf_counts *c) {
  const struct tkf_row rows[] = {
    {"operations", c->waves, "wavefronts", "taken from the tag stage, slow and fast"},
    {"cycles", c->cycles, "cycles", "to the last answer"},
    {"idle_cycles", c->idle, "cycles", "without a wavefront taken while work remained"},
    {"instructions", c->instructions, "instructions", "of memory, issued"},
    {"slow", c->slow, "wavefronts", "through the tracker"},
    {"fast", c->fast, "wavefronts", "past it: hits and stores"},
    {"stall_no_work", c->no_work, "cycles", "the tag stage had no wavefront"},
    {"stall_full", c->stall[TKF_FULL], "cycles", "the queue before the tracker was full"},
    {"stall_alloc", c->stall[TKF_ALLOC], "cycles", "the queue of allocations was full"},
    {"stall_no_dslot", c->stall[TKF_NO_DSLOT], "cycles", "no free data slot in a bank"},
    {"stall_misses", c->stall[TKF_MISSES_FULL], "cycles", "as many sectors under way as may be"},
    {"stall_count", c->stall[TKF_COUNT], "cycles", "a count of references might have been saturated"},
    {"stall_fast", c->stall[TKF_FAST_FULL], "cycles", "the queue before the fast path was full"},
    {"in_waits", c->in_waits, "cycles", "a packet waited for in_ready_o"},
    {"fast_in_waits", c->fast_waits, "cycles", "a packet waited for fast_in_ready_o"},
    {"alloc_waits", c->alloc_waits, "cycles", "an allocation waited for alloc_ready_o"},
    {"allocations", c->allocs, "lines", "given a data slot"},
    {"fills", c->fills, "sectors", "from memory"},
    {"closes", c->closes, "packets", "close packets: no data slot inside an instruction"},
    {"in_flight_max", c->under_way_max, "wavefronts", "in the tracker at most"},
    {"misses_max", c->misses_max, "sectors", "under way to memory at most"}};
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    put_as(r, system, rows[i].name, (double)rows[i].value, rows[i].unit, rows[i].doc);
  put_as(r, system, "in_flight_mean", (double)c->under_way_sum / (double)c->cycles, "wavefronts", "in the tracker");
  put_as(r, system, "misses_mean", (double)c->misses_sum / (double)c->cycles, "sectors", "under way to memory");
}

static void put_latency(const struct tkf_run *r, const char *system, const char *class_name, const char *what,
                        const struct tkf_latency *l, const char *doc) {
  const struct { const char *name; double value; } rows[] = {
    {"mean", l->n ? (double)l->sum / (double)l->n : 0}, {"p50", tkf_percentile(l, 0.5)}, {"p90", tkf_percentile(l, 0.9)},
    {"p99", tkf_percentile(l, 0.99)}, {"max", (double)l->max}};
  for (size_t i = 0; l->n && i < sizeof rows / sizeof *rows; i++) {
    char name[SIMT_NAME_MAX];
    snprintf(name, sizeof name, "%s_%s_%s", class_name, what, rows[i].name);
    put_as(r, system, name, rows[i].value, "cycles", i ? "" : doc);
  }
}

static void put_counts(const struct tkf_run *r, const char *system, const struct tkf_counts *c) {
  static const char *const names[TKF_CLASSES] = {"lg", "tex", "ray"};
  put_rows(r, system, c);
  for (unsigned i = 0; i < TKF_CLASSES; i++) {
    put_latency(r, system, names[i], "wait", &c->wave[i], "slow wavefronts, from input to output");
    put_latency(r, system, names[i], "load", &c->instruction[i], "loads, from issue to the last answer");
  }
}

/* ---- the systems -------------------------------------------------------------------------------------- */

static bool run_model(const struct tkf_run *r, unsigned mode, const char *system) {
  struct tkf_model m;
  struct tkf_counts counts;
  bool good = model_create(&m, r->cfg, r->diag) && start(&m, mode, r->diag) &&
              play(r, *system ? system : "mode4", &(struct tkf_unit){&m, model_outputs, model_step}, &counts);
  if (good) put_counts(r, system, &counts);
  model_destroy(&m);
  return good;
}

static bool run_ideal(const struct tkf_run *r, const struct tki_options *o, const char *system) {
  struct tki *t = tki_create(&r->sizes, o, r->diag);
  struct tkf_counts counts;
  if (!t) return false;
  struct tkf_unit unit = tki_unit(t);
  bool good = play(r, system, &unit, &counts);
  if (good) put_counts(r, system, &counts);
  tki_destroy(t);
  return good;
}

static struct tki_options ideal_options(const struct tkf_run *r) {
  const struct simt_config *c = r->cfg;
  unsigned entries = r->sizes.entries, dslots = r->sizes.dslots, group = (entries < dslots ? entries : dslots) / 2;
  return (struct tki_options){.mode = 4, .queues = (unsigned)simt_param(c, "QUEUES"), .group = group < 32 ? group : 32,
      .split = (unsigned)simt_param(c, "QUEUES") / 2, .state_q = (unsigned)simt_param(c, "STATE_Q"),
      .fast_q = (unsigned)simt_param(c, "FAST_Q"), .fast_to_out = FAST_TO_OUT,
      .fill_to_out = (unsigned)simt_derived(c, "FILL_TO_OUTPUT"), .lg_by_wavefront = simt_param(c, "LG_RELEASE") == 1};
}

/* The block itself has the mode of its reset; the FIFO at the end gives each wavefront in the cycle its data is there. */
static bool run_all(const struct tkf_run *r) {
  static const char *const names[MODES] = {"mode1", "mode2", "mode3", ""};
  struct tki_options ideal = ideal_options(r), fifo = ideal, by_wavefront;
  fifo.mode = 1;
  by_wavefront = fifo;
  by_wavefront.by_wavefront = true;
  by_wavefront.fill_to_out = 1;
  bool good = run_model(r, MODES, "");
  good = good && run_ideal(r, &fifo, "fifo");
  for (unsigned mode = 1; good && mode < MODES; mode++) good = run_model(r, mode, names[mode - 1]);
  return good && run_ideal(r, &ideal, "ideal") && run_ideal(r, &by_wavefront, "fifo_by_wavefront");
}

bool tkf_sim(const struct simt_config *cfg, const struct simt_stimulus *stim, tkf_put_fn *put, void *ctx,
             struct simt_diag *diag) {
  struct tkf_run r = {.cfg = cfg, .sizes = tkf_sizes_of(cfg), .stop = stim->stop, .put = put, .ctx = ctx, .diag = diag};
  struct tkf_trace *t = tkf_trace_read(stim->trace, diag);
  bool good = t && tkf_options_of(cfg, stim, &r.options, diag);
  r.trace = t;
  if (good) put(ctx, "memory_latency", r.options.latency, "cycles", "of a sector at least; the spread comes on top");
  good = good && run_all(&r);
  tkf_trace_free(t);
  return good;
}
