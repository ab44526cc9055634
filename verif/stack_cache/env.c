/* SPDX-License-Identifier: Apache-2.0 */
/* env.c: the environment of stack_cache: who presents operations and register accesses, the memory behind it, and the order
 * in which a cycle is checked. */
#include "stack_cache/env.h"
#include "stack_cache/baseline.h"
#include "stack_cache/trace.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

extern const struct simt_block simt_block_stack_cache;
extern const struct simt_verif simt_verif_stack_cache;

const char *stk_wrong(struct stk_env *e, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  vsnprintf(e->message, sizeof e->message, format, ap);
  va_end(ap);
  return e->message;
}

/* ---- the configuration ---------------------------------------------------------------------------------- */

/* Stated in the datasheet, and not more than the specification or the design page allows. */
static bool stated(const struct stk_env *e, const char *name, unsigned most, unsigned *to, struct simt_diag *diag) {
  const struct simt_desc *d = &e->cfg->desc;
  for (size_t i = 0; i < d->n_derived; i++)
    if (!strcmp(d->derived[i].name, name)) *to = (unsigned)d->derived[i].value;
  char got[24];
  snprintf(got, sizeof got, "%u", *to);
  return (*to && *to <= most) || simt_fail(diag, name, got, "1 to %u cycles (SC-3, SC-9, SC-12)", most);
}

/* Bounds that docs/stack_cache_design.md states. */
static void bounds(struct stk_shape *s) {
  s->wait = 3 * s->threads * (19 * (s->steal * s->beats + 19) + 8 * s->inflight) + s->gap;
  s->calm = s->beats > 1 ? 512 : 32;
  s->limit_within = 1;
  s->stride_within = 3;
  s->clear_within = s->threads * s->inflight + 2;
  s->reg_within = 4;
  s->decides_within = 64 + (3 + s->beats) * (s->steal + 2); /* from what the engine sees of a thread to what it does about it */
}

static bool shape(struct stk_env *e, struct simt_diag *diag) {
  struct stk_shape *s = &e->s;
  const struct simt_config *cfg = e->cfg;
  s->threads = (unsigned)simt_param(cfg, "THREADS");
  s->entry_w = (unsigned)simt_param(cfg, "ENTRY_W");
  s->entries = (unsigned)simt_param(cfg, "ENTRIES");
  s->set = (unsigned)simt_param(cfg, "SET");
  s->policy = (unsigned)simt_param(cfg, "POLICY");
  s->flags = (unsigned)simt_param(cfg, "FLAGS");
  s->counters = (unsigned)simt_param(cfg, "COUNTERS");
  s->inflight = (unsigned)simt_param(cfg, "INFLIGHT");
  s->steal = (unsigned)simt_param(cfg, "STEAL");
  s->addr_w = (unsigned)simt_param(cfg, "ADDR_W");
  s->out_reg = (unsigned)simt_param(cfg, "OUT_REG");
  s->status = (unsigned)simt_param(cfg, "STATUS");
  s->max_depth = simt_param(cfg, "MAX_DEPTH");
  s->nsets = s->entries / s->set;
  s->thread_w = s->threads > 1 ? simt_clog2(s->threads) : 1;
  s->set_lg = simt_clog2(s->set);
  s->set_mask = s->set - 1;
  s->beats = simt_param(cfg, "MEM_W") ? s->set : 1; /* SC-10: a set, or one entry */
  s->entry_bytes_lg = simt_clog2((s->entry_w + 7) / 8); /* SC-2: the next power of two of bytes */
  s->entry_bytes = 1u << s->entry_bytes_lg;
  s->set_bytes_lg = s->entry_bytes_lg + s->set_lg;
  s->set_bytes = 1u << s->set_bytes_lg;
  const unsigned deep = simt_clog2(s->max_depth) + s->entry_bytes_lg;
  s->stride_max = deep > s->set_bytes_lg ? deep : s->set_bytes_lg;
  bounds(s);
  const unsigned beats = s->beats > 1 ? s->beats : 0; /* in beats the engine looks at an answer once more, behind the last one */
  return stated(e, "LATENCY", s->out_reg ? 5 : 4, &s->latency, diag) && stated(e, "GAP", 4, &s->gap, diag) &&
         stated(e, "HOLD", 8 + beats, &s->hold, diag) && stated(e, "HOLD_LOST", s->beats * (s->steal + 3), &s->hold_lost, diag) &&
         stated(e, "FAULT_WITHIN", beats ? s->wait : 2, &s->fault_within, diag);
}

/* ---- life ------------------------------------------------------------------------------------------- */

static bool is_kind(const struct stk_env *e, const char *kind) { return !strcmp(e->stim.kind, kind); }

static void reset(struct stk_env *e) {
  stk_golden_reset(e);
  stk_requests_reset(e);
  stk_rules_reset(e);
  stk_registers_reset(e);
  stk_front_restart(e);
  e->pending.valid = e->reg.valid = false;
}

static void restart(void *env) {
  struct stk_env *e = env;
  e->cycle = e->reset_end = e->answered = 0;
  e->own_time = e->mem_time = 0;
  reset(e);
  stk_front_forget(e);
  stk_port_restart(&e->port);
  simt_rng_seed(&e->rng, e->stim.seed);
  if (e->script) stk_directed_restart(e);
  else if (e->replay) sc_replay_restart(e->replay);
  else stk_random_restart(e);
}

static void destroy(void *env) {
  struct stk_env *e = env;
  if (!e) return;
  for (unsigned i = 0; e->thread && i < e->s.threads; i++) free(e->thread[i].value);
  if (e->script) stk_directed_destroy(e);
  if (e->replay) sc_replay_free(e->replay);
  if (e->trace) sc_trace_free(e->trace);
  stk_front_destroy(e);
  stk_port_destroy(&e->port);
  free(e->thread);
  free(e->access);
  free(e);
}

static bool create_trace(struct stk_env *e, struct simt_diag *diag) {
  const struct sc_trace_limits limits = {e->s.threads, e->s.entry_w, e->s.max_depth};
  enum sc_picker picker;
  if (!sc_find_picker(e->stim.picker, &picker, diag)) return false;
  e->trace = sc_trace_read(e->stim.trace, &limits, diag);
  e->replay = e->trace ? sc_replay_create(e->trace, picker, diag) : NULL;
  return e->replay;
}

static bool allocate(struct stk_env *e, struct simt_diag *diag) {
  const unsigned tag_w = simt_find_port(e->cfg, "mem_req_tag_o")->width;
  e->n_tags = 1u << (tag_w < 20 ? tag_w : 20);
  e->thread = calloc(e->s.threads, sizeof *e->thread);
  e->access = calloc(e->n_tags, sizeof *e->access);
  const bool port = stk_port_create(&e->port, e->cfg, diag);
  e->memory = e->port.memory;
  if (!e->thread || !e->access || !port || !stk_front_create(e))
    return simt_fail(diag, e->cfg->name, "no memory", "memory for the environment");
  return true;
}

static void *create(const struct simt_config *cfg, const struct simt_stimulus *stim, struct simt_diag *diag) {
  struct stk_env *e = calloc(1, sizeof *e);
  if (!e) {
    simt_fail(diag, cfg->name, "no memory", "memory for the environment");
    return NULL;
  }
  e->cfg = cfg;
  e->stim = *stim;
  stk_ports_bind(&e->at, cfg);
  simt_mem_ports_bind(&e->mem, cfg);
  simt_reg_ports_bind(&e->reg_at, cfg);
  e->entry_words = simt_find_port(cfg, "op_data_i")->words;
  e->data_words = simt_find_port(cfg, "mem_req_data_o")->words;
  e->addr_words = simt_find_port(cfg, "mem_req_addr_o")->words;
  bool good = simt_front_suits(stim, (const char *const[]){"halts", "halt_often", NULL}, (unsigned)simt_param(cfg, "STATUS"), diag) &&
              shape(e, diag) && allocate(e, diag);
  if (good && is_kind(e, "trace")) good = create_trace(e, diag);
  if (good && is_kind(e, "directed") && !stk_directed_create(e))
    good = simt_fail(diag, cfg->name, "no memory", "memory for the directed tests");
  if (!good) {
    destroy(e);
    return NULL;
  }
  restart(e);
  return e;
}

/* ---- choices ---------------------------------------------------------------------------------------- */

enum { DEFAULT_LATENCY = 200 };

/* To the answer of the last operation. */
static bool trace_choose(struct stk_env *e, struct stk_choice *c) {
  bool more = !sc_replay_at_end(e->replay);
  for (unsigned i = 0; i < STK_RING; i++) more |= e->ring[i].valid;
  memset(c, 0, sizeof *c);
  c->latency = (uint16_t)(e->stim.latency ? e->stim.latency : DEFAULT_LATENCY);
  c->flags = STK_TRACE;
  return more;
}

static bool choose(void *env, void *choice) {
  struct stk_env *e = env;
  if (e->replay) return trace_choose(e, choice);
  return e->script ? stk_directed_choose(e, choice) : stk_random_choose(e, choice);
}

/* The entry of a 64-bit number: words above the second are mixed from it, none when it is small. */
static void spread(const struct stk_env *e, uint64_t value, uint32_t *to) {
  uint64_t more = value >> 32 ? value * UINT64_C(0x9e3779b97f4a7c15) : 0;
  for (unsigned i = 0; i < e->entry_words; i++) {
    to[i] = i < 2 ? (uint32_t)(value >> (32 * i)) : (uint32_t)(more >> 32);
    if (i >= 2) more = more * UINT64_C(0xda942042e4dd58b5) >> 1;
  }
  if (e->s.entry_w % 32) to[e->entry_words - 1] &= (1u << e->s.entry_w % 32) - 1;
}

/* The next thread from `from` whose bit is 1, or `from`. */
static unsigned seek(const struct stk_env *e, const uint32_t *bits, unsigned from) {
  const unsigned words = (e->s.threads + 31) / 32;
  for (unsigned i = 0; i <= words; i++) {
    const unsigned w = (from / 32 + i) % words;
    const uint32_t mask = !i ? ~0u << from % 32 : i == words ? ~(~0u << from % 32) : ~0u;
    if (bits[w] & mask) return w * 32 + (unsigned)__builtin_ctz(bits[w] & mask);
  }
  return from;
}

static void aim(const struct stk_env *e, const struct stk_choice *c, struct stk_operation *op) {
  if (op->thread >= e->s.threads) return;
  const uint64_t depth = e->thread[op->thread].depth;
  if (depth < c->aim) op->kind = STK_PUSH;
  if (depth > c->aim) op->kind = STK_POP;
}

static void new_operation(struct stk_env *e, const struct stk_choice *c, const uint32_t *out, struct stk_operation *op) {
  op->valid = true;
  op->kind = c->kind & 7;
  op->thread = c->flags & STK_ODD ? c->thread & ((1u << e->s.thread_w) - 1) : c->thread % e->s.threads;
  if (c->flags & STK_AIM) aim(e, c, op);
  if ((c->flags & STK_SEEK) && op->kind < STK_INIT && !stk_goes(e, out, op->kind, op->thread)) {
    op->thread = seek(e, &out[op->kind == STK_PUSH ? e->at.can_push : e->at.can_top], op->thread % e->s.threads);
    if (c->flags & STK_AIM) aim(e, c, op);
  }
  spread(e, c->data, op->data);
  e->pending.valid = false;
  if ((c->flags & STK_HOLD) && op->kind < STK_KINDS && op->thread < e->s.threads && !stk_goes(e, out, op->kind, op->thread))
    e->pending = *op;
}

/* The picker waits for one thread at most: it is presented and may be taken at once. */
static void trace_operation(struct stk_env *e, const uint32_t *out, struct stk_operation *op) {
  static const uint32_t none[STK_MAX_THREADS / 32];
  struct sc_trace_op next;
  const bool go = out[e->at.can_go];
  if (sc_replay_next(e->replay, go ? &out[e->at.can_push] : none, go ? &out[e->at.can_top] : none, &next) == SC_END) return;
  op->valid = true;
  op->kind = next.kind == SC_PUSH ? STK_PUSH : STK_POP;
  op->thread = next.thread;
  spread(e, next.value, op->data);
  if (stk_goes(e, out, op->kind, op->thread)) sc_replay_taken(e->replay);
}

static void put_operation(const struct stk_env *e, const struct stk_operation *op, uint32_t *in) {
  in[e->at.op_valid] = op->valid;
  if (!op->valid) return;
  in[e->at.op_kind] = op->kind;
  in[e->at.op_thread] = op->thread;
  for (unsigned i = 0; i < e->entry_words; i++) in[e->at.op_data + i] = op->data[i];
}

/* A stack that holds entries keeps its place: a stride in which it would not fit is not for the driver to write. */
static uint32_t wide_enough(const struct stk_env *e, uint32_t stride_lg) {
  uint64_t most = 0;
  for (unsigned t = 0; t < e->s.threads; t++) most = stk_most(most, e->thread[t].depth);
  const uint32_t needs = simt_clog2(stk_sets(e, most)) + e->s.set_bytes_lg;
  return e->s.status && stride_lg < needs ? needs : stride_lg;
}

static void drive_registers(struct stk_env *e, const struct stk_choice *c, uint32_t *in) {
  const bool kept = (c->flags & STK_REG_WRITE) && stk_front_keeps_registers(e);
  if (!e->reg.valid && (c->flags & STK_DO_REG) && !kept) {
    e->reg.valid = true;
    e->reg.write = c->flags & STK_REG_WRITE;
    e->reg.addr = c->reg_addr & ((1u << STK_REG_ADDR_W) - 1);
    e->reg.data = e->reg.addr == STK_REG_STRIDE_LG && e->reg.write ? wide_enough(e, c->reg_data) : c->reg_data;
  }
  in[e->reg_at.valid] = e->reg.valid;
  in[e->reg_at.write] = e->reg.write;
  in[e->reg_at.addr] = e->reg.addr;
  in[e->reg_at.data] = e->reg.data;
}

static void drive(void *env, const void *choice, const uint32_t *out, uint32_t *in) {
  struct stk_env *e = env;
  const struct stk_choice *c = choice;
  struct stk_operation *op = &e->next;
  op->valid = false;
  if (c->flags & STK_LET_GO) e->pending.valid = false;
  if (e->pending.valid) *op = e->pending;
  else if ((c->flags & STK_TRACE) && e->replay) trace_operation(e, out, op);
  else if (c->flags & STK_DO_OP) new_operation(e, c, out, op);
  if (e->pending.valid && stk_goes(e, out, op->kind, op->thread)) e->pending.valid = false;
  put_operation(e, op, in);
  drive_registers(e, c, in);
  stk_front_drive(e, c, in);
  simt_memory_fixed(e->memory, c->latency);
  stk_port_drive(&e->port, c->mem, in);
  in[e->at.rst] = (c->flags & STK_RESET) != 0;
}

/* ---- checks ------------------------------------------------------------------------------------------ */

static void keep_first(const char **wrong, const char *next) {
  if (!*wrong) *wrong = next;
}

static const char *check_cycle(struct stk_env *e, const uint32_t *in, const uint32_t *out) {
  struct stk_operation *op = &e->ring[e->cycle % STK_RING]; /* free: what was there is answered */
  *op = (struct stk_operation){.kind = (uint8_t)in[e->at.op_kind], .thread = in[e->at.op_thread]};
  for (unsigned i = 0; i < e->entry_words; i++) op->data[i] = in[e->at.op_data + i];
  const bool valid = in[e->at.op_valid], taken = valid && stk_goes(e, out, op->kind, op->thread);
  const char *wrong = stk_front_observe(e, in, out);
  keep_first(&wrong, stk_golden_answer(e, out));
  keep_first(&wrong, stk_rules_bits(e, out));
  keep_first(&wrong, stk_requests(e, in, out));
  op->waited = e->waited.valid && e->waited.thread == op->thread && e->waited.kind == op->kind;
  keep_first(&wrong, stk_rules_operation(e, op, valid, taken, out));
  if (taken) stk_golden_take(e, op);
  keep_first(&wrong, stk_registers(e, in, out));
  if (e->script && !wrong) wrong = stk_directed_observe(e, taken ? op : NULL, out);
  return wrong;
}

static const char *observe(void *env, const uint32_t *in, const uint32_t *out) {
  struct stk_env *e = env;
  const char *wrong = check_cycle(e, in, out);
  if (in[e->reg_at.valid] && out[e->reg_at.ready]) e->reg.valid = false;
  stk_front_step(e, in);
  e->cycle++;
  if (in[e->at.rst]) {
    e->reset_end = e->cycle;
    reset(e);
  }
  return wrong;
}

static uint64_t progress(const void *env, bool *busy) {
  const struct stk_env *e = env;
  *busy = e->waited.valid || (e->replay && !sc_replay_at_end(e->replay));
  return e->answered;
}

static const uint64_t *coverage(const void *env) {
  const struct stk_env *e = env;
  uint64_t *to = ((struct stk_env *)env)->coverage; /* a copy in the order of the description */
  for (size_t i = 0, n = e->cfg->desc.n_covers, k = 0; i < SC_COVERS && k < n; i++)
    if (!strcmp(e->cfg->desc.covers[k].name, sc_cover_name((enum sc_cover)i))) to[k++] = e->cover[i];
  return e->coverage;
}

/* ---- explanation ------------------------------------------------------------------------------------- */

struct stk_line { char *to; size_t room; };

static void say(struct stk_line *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct stk_line *l, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  const int n = vsnprintf(l->to, l->room, format, ap);
  va_end(ap);
  const size_t used = n < 0 ? 0 : (size_t)n < l->room ? (size_t)n : l->room - 1;
  l->to += used;
  l->room -= used;
}

static void explain_front(const struct stk_env *e, const uint32_t *in, struct stk_line *l) {
  const struct simt_status_ports *at = &e->front.shell.status_at;
  const struct simt_context_ports *ctx = &e->front.shell.ctx_at;
  if (in[at->halt]) say(l, "halt; ");
  if (in[at->reset]) say(l, "reset of the unit; ");
  if (in[at->resume]) say(l, "resume; ");
  if (in[ctx->cmd_valid]) say(l, "%s a context; ", in[ctx->cmd_load] ? "load" : "save");
  if (in[ctx->in_valid]) say(l, "word 0x%x%s of a context; ", in[ctx->in_data], in[ctx->in_last] ? " (last)" : "");
}

static void explain(const void *env, const uint32_t *in, char *to, size_t room) {
  static const char *const kind[] = {"push", "pop", "peek", "replace", "init", "kind 5 of", "kind 6 of", "kind 7 of"};
  const struct stk_env *e = env;
  struct stk_line l = {to, room};
  if (!room) return;
  *to = '\0';
  if (in[e->at.rst]) say(&l, "reset; ");
  if (e->s.status) explain_front(e, in, &l);
  if (in[e->at.op_valid]) {
    const unsigned k = in[e->at.op_kind] & 7;
    say(&l, "%s thread %u", kind[k], in[e->at.op_thread]);
    if (k == STK_PUSH || k == STK_REPLACE) {
      unsigned i = e->entry_words - 1;
      while (i && !in[e->at.op_data + i]) i--;
      say(&l, " 0x%" PRIx32, in[e->at.op_data + i]);
      while (i--) say(&l, "%08" PRIx32, in[e->at.op_data + i]);
    }
  } else {
    say(&l, "no operation");
  }
  if (in[e->reg_at.valid] && in[e->reg_at.write]) say(&l, "; register 0x%03x = 0x%x", in[e->reg_at.addr], in[e->reg_at.data]);
  else if (in[e->reg_at.valid]) say(&l, "; register 0x%03x read", in[e->reg_at.addr]);
  if (!in[e->mem.req_ready]) say(&l, "; memory not ready");
  if (in[e->mem.rsp_valid]) say(&l, "; memory answers tag 0x%x%s", in[e->mem.rsp_tag], in[e->mem.rsp_error] ? " with an error" : "");
}

const struct simt_verif simt_verif_stack_cache = {
  .block = &simt_block_stack_cache, .profiles = stk_profiles, .directed = stk_directed,
  .undrawn = (const char *const[]){"every_address", "every_bit", "bits_of_addresses", "many_errors", "error_of_each_set",
                                  "init_and_again", "answer_among_pushes", "lone_pusher", "steal", NULL},
  .choice_size = sizeof(struct stk_choice), .stuck_cycles = 32768,
  .create = create, .destroy = destroy, .restart = restart, .choose = choose, .drive = drive,
  .observe = observe, .progress = progress, .coverage = coverage, .explain = explain,
  .trace = &sc_trace_kind, .pickers = sc_pickers, .sim = stk_sim,
};
