/* SPDX-License-Identifier: Apache-2.0 */
/* sim.c: the C model alone on a trace: how often it makes the threads wait, and why. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stack_cache/baseline.h"
#include "core/memory.h"
#include "stack_cache/trace.h"

enum { DEFAULT_LATENCY = 200, FEW_THREADS = 8, STUCK_FACTOR = 64 };

struct sc_env_places { /* words of the ports in the buffers */
  unsigned op_valid, op_kind, op_thread, op_data, can_push, can_top, can_init;
  unsigned ans_valid, ans_thread, ans_kind, ans_status, ans_data, data_words;
};

struct sim {
  const struct simt_config *cfg;
  const struct simt_model_ops *ops;
  struct sc_layout l;
  struct sc_env_places at;
  struct sc_trace *trace;
  struct sc_replay *replay;
  struct simt_memory *memory;
  void *model;
  uint32_t *in, *out;
  unsigned latency;
  const volatile int *stop;
  struct simt_diag *diag;

  struct { bool valid; struct sc_trace_op op; } under_way[SC_LATENCY]; /* by the cycle they were taken in */
  uint64_t cycle, operations, last_taken;
  uint64_t idle, idle_restore, idle_dirty, idle_engine, idle_few, longest_wait;
  uint64_t *since;   /* per thread: the first cycle of its wait */
  uint32_t *waiting; /* mask: threads that waited in the last cycle */
};

/* ---- making and unmaking ---------------------------------------------------------------------------- */

static unsigned word(const struct simt_config *cfg, const char *name) { return simt_find_port(cfg, name)->word; }

static void find_places(struct sc_env_places *at, const struct simt_config *cfg) {
  at->op_valid = word(cfg, "op_valid_i");
  at->op_kind = word(cfg, "op_kind_i");
  at->op_thread = word(cfg, "op_thread_i");
  at->op_data = word(cfg, "op_data_i");
  at->can_push = word(cfg, "can_push_o");
  at->can_top = word(cfg, "can_top_o");
  at->can_init = word(cfg, "can_init_o");
  at->ans_valid = word(cfg, "ans_valid_o");
  at->ans_thread = word(cfg, "ans_thread_o");
  at->ans_kind = word(cfg, "ans_kind_o");
  at->ans_status = word(cfg, "ans_status_o");
  at->ans_data = word(cfg, "ans_data_o");
  at->data_words = simt_find_port(cfg, "op_data_i")->words;
}

static void destroy(struct sim *s) {
  if (s->model) s->ops->destroy(s->model);
  simt_memory_destroy(s->memory);
  sc_replay_free(s->replay);
  sc_trace_free(s->trace);
  free(s->in);
  free(s->out);
  free(s->since);
  free(s->waiting);
}

static bool create(struct sim *s, const struct simt_stimulus *stim) {
  enum sc_picker picker;
  sc_layout(s->cfg->value, &s->l);
  find_places(&s->at, s->cfg);
  if (!sc_find_picker(stim->picker, &picker, s->diag)) return false;
  s->trace = sc_trace_read(stim->trace, &(struct sc_trace_limits){s->l.threads, s->l.entry_w, s->l.max_depth}, s->diag);
  if (!s->trace) return false;
  s->replay = sc_replay_create(s->trace, picker, s->diag);
  s->memory = simt_memory_create(s->cfg, s->diag);
  s->model = s->ops->create(s->cfg, s->diag);
  if (!s->replay || !s->memory || !s->model) return false;
  simt_memory_fixed(s->memory, s->latency);
  s->in = calloc(s->cfg->desc.in_words, sizeof *s->in);
  s->out = calloc(s->cfg->desc.out_words, sizeof *s->out);
  s->since = calloc(s->l.threads, sizeof *s->since);
  s->waiting = calloc((s->l.threads + 31) / 32, sizeof *s->waiting);
  return (s->in && s->out && s->since && s->waiting) ||
         simt_fail(s->diag, stim->trace, "no memory", "memory for the simulation");
}

/* ---- one cycle --------------------------------------------------------------------------------------- */

/* The trace says what each operation answers; the model is wrong if it says something else. */
static bool check_answer(struct sim *s) {
  const struct sc_env_places *at = &s->at;
  unsigned place = (unsigned)(s->cycle % SC_LATENCY);
  const struct sc_trace_op *op = &s->under_way[place].op;
  const uint32_t *out = s->out;
  bool expected = s->under_way[place].valid;
  s->under_way[place].valid = false;
  bool good = out[at->ans_valid] == expected;
  if (good && expected) {
    uint64_t data = at->data_words > 1 ? simt_get64(&out[at->ans_data]) : out[at->ans_data];
    good = out[at->ans_thread] == op->thread && out[at->ans_kind] == op->kind && out[at->ans_status] == SC_OK &&
           (op->kind == SC_PUSH || data == op->value);
  }
  if (good) return true;
  char where[48];
  snprintf(where, sizeof where, "another answer in cycle %llu", (unsigned long long)s->cycle);
  return simt_fail(s->diag, "C model", where, "what the trace says (a fault of the model)");
}

static void note_idle(struct sim *s, const struct sc_trace_op *op) {
  bool can_push = s->out[s->at.can_push + op->thread / 32] >> op->thread % 32 & 1;
  bool can_top = s->out[s->at.can_top + op->thread / 32] >> op->thread % 32 & 1;
  s->idle++;
  s->idle_few += sc_replay_threads_left(s->replay) < FEW_THREADS;
  if (!can_push && !can_top) s->idle_engine++; /* a thread never waits for both, SC-9's cycle apart */
  else if (op->kind == SC_PUSH) s->idle_dirty++;
  else s->idle_restore++;
}

static void note_waits(struct sim *s) {
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

static void present(struct sim *s, const struct sc_trace_op *op) {
  const struct sc_env_places *at = &s->at;
  s->in[at->op_valid] = 1;
  s->in[at->op_kind] = op->kind;
  s->in[at->op_thread] = op->thread;
  s->in[at->op_data] = (uint32_t)op->value;
  if (at->data_words > 1) s->in[at->op_data + 1] = (uint32_t)(op->value >> 32);
}

static void choose(struct sim *s) {
  struct sc_trace_op op;
  enum sc_next next = sc_replay_next(s->replay, &s->out[s->at.can_push], &s->out[s->at.can_top], &op);
  s->in[s->at.op_valid] = 0;
  if (next == SC_END) return;
  note_waits(s);
  present(s, &op);
  if (next == SC_WAIT) {
    note_idle(s, &op);
    return;
  }
  s->under_way[s->cycle % SC_LATENCY].valid = true;
  s->under_way[s->cycle % SC_LATENCY].op = op;
  s->operations++;
  s->last_taken = s->cycle;
  sc_replay_taken(s->replay);
}

static bool clock_edge(struct sim *s) {
  const char *wrong = simt_memory_observe(s->memory, s->in, s->out);
  if (wrong) return simt_fail(s->diag, "C model", wrong, "a lawful memory request (a fault of the model)");
  s->ops->step(s->model, s->in);
  return true;
}

/* Until the block takes operations, as after every reset. */
static bool start(struct sim *s) {
  for (;;) {
    s->ops->outputs(s->model, s->out);
    if (s->out[s->at.can_init] && s->out[s->at.can_push] & 1) return true;
    simt_memory_drive(s->memory, 0, s->in);
    if (!clock_edge(s)) return false;
  }
}

static bool run(struct sim *s) {
  uint64_t patience = STUCK_FACTOR * ((uint64_t)s->latency + s->l.threads + 1024);
  if (!start(s)) return false;
  uint64_t tail = SC_LATENCY + 2; /* the last answer is out, the counters have seen it */
  for (; !sc_replay_at_end(s->replay) || s->cycle <= s->last_taken + tail; s->cycle++) {
    if (s->cycle % 65536 == 0 && s->stop && *s->stop) return false;
    if (s->cycle > s->last_taken + patience)
      return simt_fail(s->diag, "C model", "no operation for a long time", "progress (a fault of the model)");
    s->ops->outputs(s->model, s->out);
    if (!check_answer(s)) return false;
    choose(s);
    simt_memory_drive(s->memory, 0, s->in);
    if (!clock_edge(s)) return false;
  }
  return true;
}

/* ---- results ------------------------------------------------------------------------------------------ */

typedef void put_fn(void *ctx, const char *name, double value, const char *unit, const char *doc);

struct model_stats { uint64_t spills, restores, drops, clean_pops, deepest; };

static void visit(void *ctx, const char *name, uint64_t value) {
  struct model_stats *m = ctx;
  const struct { const char *name; uint64_t *to; } wanted[] = {
    {"spills", &m->spills}, {"restores", &m->restores}, {"drops", &m->drops}, {"clean_pops", &m->clean_pops},
    {"deepest", &m->deepest}};
  for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++)
    if (!strcmp(name, wanted[i].name)) *wanted[i].to = value;
}

static double percent(uint64_t part, uint64_t whole) { return 100.0 * (double)part / (double)whole; }

static void put_block(const struct sim *s, put_fn *put, void *ctx) {
  struct model_stats m = {0};
  s->ops->stats(s->model, visit, &m);
  struct simt_memory_counts moved = simt_memory_counts(s->memory);
  uint64_t sets = moved.reads + moved.writes + moved.under_way;
  const struct { const char *name; uint64_t value; const char *unit, *doc; } rows[] = {
    {"idle_restore", s->idle_restore, "cycles", "idle: the next operation's set is not on chip"},
    {"idle_dirty", s->idle_dirty, "cycles", "idle: the slot of the next push is dirty"},
    {"idle_engine", s->idle_engine, "cycles", "idle: the engine took the cycle"},
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
  for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
    put(ctx, rows[i].name, (double)rows[i].value, rows[i].unit, rows[i].doc);
}

static void put_others(const struct sim *s, const struct sc_demand *d, put_fn *put, void *ctx) {
  put(ctx, "full_stack.cycles", (double)s->operations, "cycles", "the whole stack on chip");
  put(ctx, "full_stack.idle_cycles", 0, "cycles", "the whole stack on chip");
  put(ctx, "full_stack.idle_percent", 0, "%", "the whole stack on chip");
  put(ctx, "full_stack.words_moved", 0, "entries", "the whole stack on chip");
  static const char doc[] = "moves sets only when an operation needs it";
  put(ctx, "demand.cycles", (double)d->cycles, "cycles", doc);
  put(ctx, "demand.idle_cycles", (double)d->idle_cycles, "cycles", doc);
  put(ctx, "demand.idle_percent", percent(d->idle_cycles, s->operations), "%", doc);
  put(ctx, "demand.spills", (double)d->spills, "sets", doc);
  put(ctx, "demand.restores", (double)d->restores, "sets", doc);
  put(ctx, "demand.words_moved", (double)((d->spills + d->restores) * s->l.set), "entries", doc);
}

bool sc_sim(const struct simt_config *cfg, const struct simt_stimulus *stim, put_fn *put, void *ctx,
            struct simt_diag *diag) {
  struct sim s = {.cfg = cfg, .ops = &cfg->block->model, .diag = diag, .stop = stim->stop,
                  .latency = stim->latency ? stim->latency : DEFAULT_LATENCY};
  struct sc_demand demand;
  bool good = create(&s, stim) && run(&s);
  if (good) {
    sc_replay_restart(s.replay);
    good = sc_run_demand(&s.l, s.replay, s.latency, s.stop, &demand, diag);
  }
  if (good) {
    put(ctx, "memory_latency", s.latency, "cycles", "from a request taken to its answer");
    put_block(&s, put, ctx);
    put_others(&s, &demand, put, ctx);
  }
  destroy(&s);
  return good;
}
