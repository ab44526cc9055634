/* SPDX-License-Identifier: Apache-2.0 */
/* sim.c: the C model alone on a trace: how often it makes the threads wait, and which parameter is to blame. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/ports.h"
#include "stack_cache/baseline.h"
#include "stack_cache/beats.h"
#include "stack_cache/model.h"

enum { DEFAULT_LATENCY = 200, FEW_THREADS = 8, STUCK_FACTOR = 64 };

#define SIM_PORTS(PORT) \
  PORT(op_valid, op_valid_i) PORT(op_kind, op_kind_i) PORT(op_thread, op_thread_i) PORT(op_data, op_data_i) \
  PORT(can_push, can_push_o) PORT(can_top, can_top_o) PORT(can_go, can_go_o) PORT(ans_valid, ans_valid_o) \
  PORT(ans_thread, ans_thread_o) PORT(ans_kind, ans_kind_o) PORT(ans_status, ans_status_o) PORT(ans_data, ans_data_o)
SIMT_PORTS(sim_ports, SIM_PORTS)

#define LATENCY(s) (SC_LATENCY + (s)->l.out_reg)

struct stk_sim {
  const struct simt_config *cfg;
  const struct simt_model_ops *ops;
  struct sc_layout l;
  struct sim_ports at;
  unsigned data_words; /* of an entry */
  struct sc_trace *trace;
  struct sc_replay *replay;
  struct stk_port port; /* with the memory */
  void *model;
  uint32_t *in, *out;
  unsigned latency;
  const volatile int *stop;
  struct simt_diag *diag;

  struct { bool valid; struct sc_trace_op op; } under_way[SC_LATENCY + 1]; /* by the cycle they were taken in */
  uint64_t cycle, operations, last_taken;
  uint64_t idle, idle_few, idle_by[SC_CAUSES], longest_wait;
  uint64_t *since;   /* per thread: the first cycle of its wait */
  uint32_t *waiting; /* mask: threads that waited in the last cycle */
  uint32_t *none;    /* mask: no thread */
};

/* ---- making and unmaking ---------------------------------------------------------------------------- */

static void destroy(struct stk_sim *s) {
  if (s->model) s->ops->destroy(s->model);
  stk_port_destroy(&s->port);
  sc_replay_free(s->replay);
  sc_trace_free(s->trace);
  free(s->in);
  free(s->out);
  free(s->since);
  free(s->waiting);
  free(s->none);
}

static bool create(struct stk_sim *s, const struct simt_stimulus *stim) {
  enum sc_picker picker;
  sc_layout(s->cfg->value, &s->l);
  sim_ports_bind(&s->at, s->cfg);
  s->data_words = simt_find_port(s->cfg, "op_data_i")->words;
  if (!sc_find_picker(stim->picker, &picker, s->diag)) return false;
  s->trace = sc_trace_read(stim->trace, &(struct sc_trace_limits){s->l.threads, s->l.entry_w, s->l.max_depth}, s->diag);
  if (!s->trace) return false;
  s->replay = sc_replay_create(s->trace, picker, s->diag);
  s->model = s->ops->create(s->cfg, s->diag);
  if (!s->replay || !s->model || !stk_port_create(&s->port, s->cfg, s->diag)) return false;
  simt_memory_fixed(s->port.memory, s->latency);
  s->in = calloc(s->cfg->desc.in_words, sizeof *s->in);
  s->out = calloc(s->cfg->desc.out_words, sizeof *s->out);
  s->since = calloc(s->l.threads, sizeof *s->since);
  s->waiting = calloc((s->l.threads + 31) / 32, sizeof *s->waiting);
  s->none = calloc((s->l.threads + 31) / 32, sizeof *s->none);
  return (s->in && s->out && s->since && s->waiting && s->none) ||
         simt_fail(s->diag, stim->trace, "no memory", "memory for the simulation");
}

/* ---- one cycle --------------------------------------------------------------------------------------- */

/* The trace says what each operation answers; the model is wrong if it says something else. */
static bool check_answer(struct stk_sim *s) {
  const struct sim_ports *at = &s->at;
  unsigned place = (unsigned)(s->cycle % LATENCY(s));
  const struct sc_trace_op *op = &s->under_way[place].op;
  const uint32_t *out = s->out;
  bool expected = s->under_way[place].valid;
  s->under_way[place].valid = false;
  bool good = out[at->ans_valid] == expected;
  if (good && expected) {
    uint64_t data = s->data_words > 1 ? simt_get64(&out[at->ans_data]) : out[at->ans_data];
    good = out[at->ans_thread] == op->thread && out[at->ans_kind] == op->kind && out[at->ans_status] == SC_OK &&
           (op->kind == SC_PUSH || data == op->value);
  }
  if (good) return true;
  char where[48];
  snprintf(where, sizeof where, "another answer in cycle %llu", (unsigned long long)s->cycle);
  return simt_fail(s->diag, "C model", where, "what the trace says (a fault of the model)");
}

static void note_idle(struct stk_sim *s, const struct sc_trace_op *op) {
  s->idle++;
  s->idle_few += sc_replay_threads_left(s->replay) < FEW_THREADS;
  s->idle_by[sc_waits_for(s->model, op->thread, (enum sc_kind)op->kind)]++;
}

static void note_waits(struct stk_sim *s) {
  const uint32_t *now = sc_replay_waiting(s->replay);
  for (unsigned i = 0; i < (s->l.threads + 31) / 32; i++)
    for (uint32_t changed = now[i] ^ s->waiting[i]; changed; changed &= changed - 1) {
      unsigned at = (unsigned)__builtin_ctz(changed), thread = i * 32 + at;
      uint64_t waited = s->cycle - s->since[thread];
      if (now[i] >> at & 1) s->since[thread] = s->cycle;
      else if (waited > s->longest_wait) s->longest_wait = waited;
      s->waiting[i] ^= (uint32_t)1 << at;
    }
}

static void present(struct stk_sim *s, const struct sc_trace_op *op) {
  const struct sim_ports *at = &s->at;
  s->in[at->op_valid] = 1;
  s->in[at->op_kind] = op->kind;
  s->in[at->op_thread] = op->thread;
  s->in[at->op_data] = (uint32_t)op->value;
  if (s->data_words > 1) s->in[at->op_data + 1] = (uint32_t)(op->value >> 32);
}

static void choose(struct stk_sim *s) {
  struct sc_trace_op op;
  const bool go = s->out[s->at.can_go];
  const uint32_t *push = go ? &s->out[s->at.can_push] : s->none, *top = go ? &s->out[s->at.can_top] : s->none;
  enum sc_next next = sc_replay_next(s->replay, push, top, &op);
  s->in[s->at.op_valid] = 0;
  if (next == SC_END) return;
  note_waits(s);
  present(s, &op);
  if (next == SC_WAIT) {
    note_idle(s, &op);
    return;
  }
  s->under_way[s->cycle % LATENCY(s)].valid = true;
  s->under_way[s->cycle % LATENCY(s)].op = op;
  s->operations++;
  s->last_taken = s->cycle;
  sc_replay_taken(s->replay);
}

static bool clock_edge(struct stk_sim *s) {
  const char *wrong = stk_port_observe(&s->port, s->in, s->out);
  if (wrong) return simt_fail(s->diag, "C model", wrong, "a lawful memory request (a fault of the model)");
  s->ops->step(s->model, s->in);
  return true;
}

/* Until the block takes operations, as after every reset. */
static bool start(struct stk_sim *s) {
  for (;;) {
    s->ops->outputs(s->model, s->out);
    if (s->out[s->at.can_go]) return true;
    stk_port_drive(&s->port, 0, s->in);
    if (!clock_edge(s)) return false;
  }
}

static bool run(struct stk_sim *s) {
  uint64_t patience = STUCK_FACTOR * ((uint64_t)s->latency + s->l.threads + 1024);
  if (!start(s)) return false;
  uint64_t tail = LATENCY(s) + 2; /* the last answer is out, the counters have seen it */
  for (; !sc_replay_at_end(s->replay) || s->cycle <= s->last_taken + tail; s->cycle++) {
    if (s->cycle % 65536 == 0 && s->stop && *s->stop) return false;
    if (s->cycle > s->last_taken + patience)
      return simt_fail(s->diag, "C model", "no operation for a long time", "progress (a fault of the model)");
    s->ops->outputs(s->model, s->out);
    if (!check_answer(s)) return false;
    choose(s);
    stk_port_drive(&s->port, 0, s->in);
    if (!clock_edge(s)) return false;
  }
  return true;
}

/* ---- results ------------------------------------------------------------------------------------------ */

typedef void put_fn(void *ctx, const char *name, double value, const char *unit, const char *doc);

struct stk_model_stats { uint64_t spills, restores, drops, clean_pops, deepest; };

static void visit(void *ctx, const char *name, uint64_t value) {
  struct stk_model_stats *m = ctx;
  const struct { const char *name; uint64_t *to; } wanted[] = {
    {"spills", &m->spills}, {"restores", &m->restores}, {"drops", &m->drops}, {"clean_pops", &m->clean_pops},
    {"deepest", &m->deepest}};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    if (!strcmp(name, wanted[i].name)) *wanted[i].to = value;
}

static double percent(uint64_t part, uint64_t whole) { return 100.0 * (double)part / (double)whole; }

/* A cause of idle cycles: what limits the run is the one with the most. */
#define CAUSE(by, name, doc) {by, name, "idle: " doc, "limits this run, idle: " doc}

static void put_block(const struct stk_sim *s, put_fn *put, void *ctx) {
  struct stk_model_stats m = {0};
  s->ops->stats(s->model, visit, &m);
  struct simt_memory_counts moved = simt_memory_counts(s->port.memory);
  uint64_t sets = moved.reads + moved.writes + moved.under_way;
  static const struct { enum sc_cause by; const char *name, *doc, *limits; } causes[] = {
    CAUSE(SC_BY_GAP, "idle_gap", "the thread's last operation is in the pipeline (THREADS: more hide GAP)"),
    CAUSE(SC_BY_ENGINE, "idle_engine", "the engine holds the thread or took the cycle, or has not come to it (SET)"),
    CAUSE(SC_BY_LATENCY, "idle_latency", "an access to the set that is needed is under way (ENTRIES; memory latency)"),
    CAUSE(SC_BY_INFLIGHT, "idle_inflight", "an access to another set of the same class is under way (INFLIGHT)")};
  uint64_t most = 0;
  for (size_t i = 0; i < sizeof causes / sizeof *causes; i++)
    if (s->idle_by[causes[i].by] > most) most = s->idle_by[causes[i].by];
  const struct { const char *name; uint64_t value; const char *unit, *doc; } rows[] = {
    {"idle_few_threads", s->idle_few, "cycles", "idle while fewer than 8 threads had operations left"},
    {"longest_wait", s->longest_wait, "cycles", "the longest that a thread waited for one operation"},
    {"spills", m.spills, "sets", "sets written out"},
    {"restores", m.restores, "sets", "sets brought back"},
    {"drops", m.drops, "sets", "restores no longer wanted"},
    {"words_moved", sets * s->l.set, "entries", "entries moved to or from memory"},
    {"clean_pops", m.clean_pops, "entries", "entries popped whose remote copy was current"},
    {"deepest", m.deepest, "entries", "most entries that any stack held"}};
  put(ctx, "operations", (double)s->operations, "operations", "pushes and pops of the trace");
  put(ctx, "cycles", (double)(s->last_taken + 1), "cycles", "to the last operation");
  put(ctx, "idle_cycles", (double)s->idle, "cycles", "without an operation while work remained");
  put(ctx, "idle_percent", percent(s->idle, s->operations), "%", "idle cycles, of the operations");
  put(ctx, "idle_percent_many", percent(s->idle - s->idle_few, s->operations), "%", "the same while 8 threads or more had operations left");
  for (size_t i = 0; i < sizeof causes / sizeof *causes; i++) {
    const uint64_t value = s->idle_by[causes[i].by];
    put(ctx, causes[i].name, (double)value, "cycles", value && value == most ? causes[i].limits : causes[i].doc);
  }
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    put(ctx, rows[i].name, (double)rows[i].value, rows[i].unit, rows[i].doc);
}

static void put_others(const struct stk_sim *s, const struct stk_demand *full, const struct stk_demand *d, put_fn *put, void *ctx) {
  static const char full_doc[] = "the whole stack on chip, with the same GAP";
  put(ctx, "full_stack.cycles", (double)full->cycles, "cycles", full_doc);
  put(ctx, "full_stack.idle_cycles", (double)full->idle_cycles, "cycles", full_doc);
  put(ctx, "full_stack.idle_percent", percent(full->idle_cycles, s->operations), "%", full_doc);
  put(ctx, "full_stack.words_moved", 0, "entries", full_doc);
  static const char doc[] = "moves sets only when an operation needs it";
  put(ctx, "demand.cycles", (double)d->cycles, "cycles", doc);
  put(ctx, "demand.idle_cycles", (double)d->idle_cycles, "cycles", doc);
  put(ctx, "demand.idle_percent", percent(d->idle_cycles, s->operations), "%", doc);
  put(ctx, "demand.idle_percent_many", percent(d->idle_cycles - d->idle_few, s->operations), "%", doc);
  put(ctx, "demand.spills", (double)d->spills, "sets", doc);
  put(ctx, "demand.restores", (double)d->restores, "sets", doc);
  put(ctx, "demand.words_moved", (double)((d->spills + d->restores) * s->l.set), "entries", doc);
}

bool stk_sim(const struct simt_config *cfg, const struct simt_stimulus *stim, put_fn *put, void *ctx,
            struct simt_diag *diag) {
  struct stk_sim s = {.cfg = cfg, .ops = &cfg->block->model, .diag = diag, .stop = stim->stop,
                  .latency = stim->latency ? stim->latency : DEFAULT_LATENCY};
  struct stk_demand full, demand;
  bool good = create(&s, stim) && run(&s);
  if (good) {
    struct stk_demand_run how = {.latency = s.latency, .few = FEW_THREADS, .stop = s.stop};
    struct sc_layout whole = s.l; /* a demand cache that holds all never misses: the full stack */
    whole.nsets = (unsigned)(s.l.max_depth / s.l.set) + 1;
    sc_replay_restart(s.replay);
    good = stk_run_demand(&whole, s.replay, &how, &full, diag);
    sc_replay_restart(s.replay);
    good = good && stk_run_demand(&s.l, s.replay, &how, &demand, diag);
  }
  if (good) {
    put(ctx, "memory_latency", s.latency, "cycles", "from a request taken to its answer");
    put_block(&s, put, ctx);
    put_others(&s, &full, &demand, put, ctx);
  }
  destroy(&s);
  return good;
}
