/* SPDX-License-Identifier: Apache-2.0 */
/* env.c: the environment of stack_cache: who presents operations and register accesses, the memory behind
 * it, and the order in which a cycle is checked. */
#include "stack_cache/env.h"

#include "core/unit_front.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

extern const struct simt_verif simt_verif_stack_cache;

const char *sc_wrong(struct sc_env *e, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  vsnprintf(e->message, sizeof e->message, format, ap);
  va_end(ap);
  return e->message;
}

/* ---- life ------------------------------------------------------------------------------------------- */

static void bind_ports(struct sc_env *e) {
  const struct simt_config *cfg = e->cfg;
  struct sc_env_ports *at = &e->at;
  SC_ENV_PORTS(SIMT_PORT_BIND)
  at->data_words = simt_find_port(cfg, "op_data_i")->words;
  at->addr_words = simt_find_port(cfg, "mem_req_addr_o")->words;
  e->words = simt_find_port(cfg, "can_push_o")->words;
}

static bool is_kind(const struct sc_env *e, const char *kind) { return !strcmp(e->stim.kind, kind); }

static void reset(struct sc_env *e) {
  sc_golden_reset(e);
  sc_rules_reset(e);
  sc_registers_reset(e);
  sc_status_reset(e);
  sc_front_reset(e, false);
  e->held.valid = e->reg.valid = false;
}

static void restart(void *env) {
  struct sc_env *e = env;
  e->cycle = e->reset_end = e->answered = 0;
  reset(e);
  sc_front_reset(e, true);
  simt_memory_restart(e->memory);
  simt_rng_seed(&e->rng, e->stim.seed);
  if (e->script) sc_directed_restart(e);
  else if (e->replay) sc_replay_restart(e->replay);
  else sc_random_restart(e);
}

static void destroy(void *env) {
  struct sc_env *e = env;
  if (!e) return;
  for (unsigned i = 0; e->stack && i < e->l.threads; i++) free(e->stack[i].value);
  if (e->script) sc_directed_destroy(e);
  if (e->replay) sc_replay_free(e->replay);
  if (e->trace) sc_trace_free(e->trace);
  sc_front_destroy(e);
  simt_memory_destroy(e->memory);
  free(e->stack);
  free(e->thread);
  free(e->access);
  free(e->push);
  free(e);
}

static bool create_trace(struct sc_env *e, struct simt_diag *diag) {
  struct sc_trace_limits limits = {e->l.threads, e->l.entry_w, e->l.max_depth};
  enum sc_picker picker;
  if (!sc_find_picker(e->stim.picker, &picker, diag)) return false;
  e->trace = sc_trace_read(e->stim.trace, &limits, diag);
  e->replay = e->trace ? sc_replay_create(e->trace, picker, diag) : NULL;
  return e->replay;
}

static bool allocate(struct sc_env *e, struct simt_diag *diag) {
  e->stack = calloc(e->l.threads, sizeof *e->stack);
  e->thread = calloc(e->l.threads, sizeof *e->thread);
  e->access = calloc((size_t)e->l.inflight << e->l.thread_w, sizeof *e->access);
  e->push = calloc(5 * (size_t)e->words, sizeof *e->push);
  e->memory = simt_memory_create(e->cfg, diag);
  bool front = sc_front_create(e);
  if (!front || !e->stack || !e->thread || !e->access || !e->push || !e->memory)
    return simt_fail(diag, e->cfg->name, "no memory", "memory for the environment");
  e->top = e->push + e->words;
  e->stale = e->top + e->words;
  e->seen_push = e->stale + e->words;
  e->seen_top = e->seen_push + e->words;
  return true;
}

static void *create(const struct simt_config *cfg, const struct simt_stimulus *stim, struct simt_diag *diag) {
  struct sc_env *e = calloc(1, sizeof *e);
  if (!e) {
    simt_fail(diag, cfg->name, "no memory", "memory for the environment");
    return NULL;
  }
  e->cfg = cfg;
  e->stim = *stim;
  sc_layout(cfg->value, &e->l);
  e->l.steal = (unsigned)simt_param(cfg, "STEAL"); /* SC-9: as it was asked for, not as the model understands it */
  e->set_mask = e->l.set - 1;
  bind_ports(e);
  e->status_at = simt_find_status_ports(cfg);
  e->ctx_at = simt_find_context_ports(cfg);
  bool good = allocate(e, diag);
  good = good && simt_front_suits(stim, (const char *const[]){"status", NULL}, e->l.status, diag);
  if (good && is_kind(e, "trace")) good = create_trace(e, diag);
  if (good && is_kind(e, "directed") && !sc_directed_create(e))
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

/* The picker waits for one thread at most: it is presented and may be taken at once. */
static bool trace_choose(struct sc_env *e, struct sc_choice *c) {
  memset(c, 0, sizeof *c);
  c->latency = (uint16_t)(e->stim.latency ? e->stim.latency : DEFAULT_LATENCY);
  c->flags = SC_TRACE;
  return !sc_replay_at_end(e->replay) || e->ring[(e->cycle + 1) & 3].valid || e->ring[(e->cycle + 2) & 3].valid ||
         e->ring[(e->cycle + 3) & 3].valid;
}

static bool choose(void *env, void *choice) {
  struct sc_env *e = env;
  if (e->replay) return trace_choose(e, choice);
  return e->script ? sc_directed_choose(e, choice) : sc_random_choose(e, choice);
}

/* The entry of a 64-bit number: words above the second are mixed from it, none when it is small. */
static void spread(const struct sc_env *e, uint64_t value, uint32_t *to) {
  uint64_t more = value >> 32 ? value * UINT64_C(0x9e3779b97f4a7c15) : 0;
  for (unsigned i = 0; i < e->at.data_words; i++) {
    to[i] = i < 2 ? (uint32_t)(value >> (32 * i)) : (uint32_t)(more >> 32);
    if (i >= 2) more = more * UINT64_C(0xda942042e4dd58b5) >> 1;
  }
  if (e->l.entry_w % 32) to[e->at.data_words - 1] &= (1u << e->l.entry_w % 32) - 1;
}

static bool goes(const struct sc_env *e, const uint32_t *out, unsigned kind, unsigned thread) {
  if (kind >= SC_KINDS || thread >= e->l.threads) return false;
  if (kind == SC_INIT) return out[e->at.can_init];
  return sc_bit(&out[kind == SC_PUSH ? e->at.can_push : e->at.can_top], thread);
}

/* The next thread from `from` whose bit is 1, or `from`. */
static unsigned seek(const struct sc_env *e, const uint32_t *bits, unsigned from) {
  for (unsigned i = 0; i <= e->words; i++) {
    unsigned w = (from / 32 + i) % e->words;
    uint32_t mask = !i ? ~0u << from % 32 : i == e->words ? ~(~0u << from % 32) : ~0u;
    if (bits[w] & mask) return w * 32 + (unsigned)__builtin_ctz(bits[w] & mask);
  }
  return from;
}

static void aim(const struct sc_env *e, const struct sc_choice *c, struct sc_operation *op) {
  if (op->thread >= e->l.threads) return;
  uint64_t depth = e->thread[op->thread].depth;
  if (depth < c->aim) op->kind = SC_PUSH;
  if (depth > c->aim) op->kind = SC_POP;
}

static void new_operation(struct sc_env *e, const struct sc_choice *c, const uint32_t *out, struct sc_operation *op) {
  op->valid = true;
  op->kind = c->kind & 7;
  op->thread = c->flags & SC_ODD ? c->thread & ((1u << e->l.thread_w) - 1) : c->thread % e->l.threads;
  if (c->flags & SC_AIM) aim(e, c, op);
  if ((c->flags & SC_SEEK) && op->kind < SC_INIT && !goes(e, out, op->kind, op->thread)) {
    op->thread = seek(e, &out[op->kind == SC_PUSH ? e->at.can_push : e->at.can_top], op->thread % e->l.threads);
    if (c->flags & SC_AIM) aim(e, c, op);
  }
  spread(e, c->data, op->data);
  e->held.valid = false;
  if ((c->flags & SC_HOLD) && op->kind < SC_KINDS && op->thread < e->l.threads && !goes(e, out, op->kind, op->thread))
    e->held = *op;
}

static void trace_operation(struct sc_env *e, const uint32_t *out, struct sc_operation *op) {
  struct sc_trace_op next;
  enum sc_next state = sc_replay_next(e->replay, &out[e->at.can_push], &out[e->at.can_top], &next);
  if (state == SC_END) return;
  op->valid = true;
  op->kind = (uint8_t)next.kind;
  op->thread = next.thread;
  spread(e, next.value, op->data);
  if (goes(e, out, op->kind, op->thread)) sc_replay_taken(e->replay);
}

static void put_operation(const struct sc_env *e, const struct sc_operation *op, uint32_t *in) {
  in[e->at.op_valid] = op->valid;
  if (!op->valid) return;
  in[e->at.op_kind] = op->kind;
  in[e->at.op_thread] = op->thread;
  for (unsigned i = 0; i < e->at.data_words; i++) in[e->at.op_data + i] = op->data[i];
}

/* A stack that holds entries keeps its place: a stride in which it would not fit is not for the driver to write. */
static uint32_t wide_enough(const struct sc_env *e, uint32_t stride_lg) {
  uint64_t most = 0;
  for (unsigned t = 0; t < e->l.threads; t++)
    if (e->thread[t].depth > most) most = e->thread[t].depth;
  uint32_t needs = simt_clog2(sc_sets(e, most)) + e->l.set_bytes_lg;
  return e->l.status && stride_lg < needs ? needs : stride_lg;
}

static void drive_registers(struct sc_env *e, const struct sc_choice *c, uint32_t *in) {
  bool moves = e->front.doing != SC_FRONT_IDLE; /* a context: no register may change; while it goes out they can be read */
  bool reads = e->front.doing == SC_FRONT_SAVING && !(c->flags & SC_REG_WRITE);
  if (!e->reg.valid && (c->flags & SC_DO_REG) && (!moves || reads)) {
    e->reg.valid = true;
    e->reg.write = c->flags & SC_REG_WRITE;
    e->reg.addr = c->reg_addr & ((1u << SC_REG_ADDR_W) - 1);
    e->reg.data = c->reg_addr == SC_REG_STRIDE_LG ? wide_enough(e, c->reg_data) : c->reg_data;
  }
  in[e->at.reg_valid] = e->reg.valid;
  in[e->at.reg_write] = e->reg.write;
  in[e->at.reg_addr] = e->reg.addr;
  in[e->at.reg_data] = e->reg.data;
}

static void drive(void *env, const void *choice, const uint32_t *out, uint32_t *in) {
  struct sc_env *e = env;
  const struct sc_choice *c = choice;
  struct sc_operation *op = &e->next;
  op->valid = false;
  if (c->flags & SC_LET_GO) e->held.valid = false;
  if (e->held.valid) *op = e->held;
  else if ((c->flags & SC_TRACE) && e->replay) trace_operation(e, out, op);
  else if (c->flags & SC_DO_OP) new_operation(e, c, out, op);
  if (e->held.valid && goes(e, out, op->kind, op->thread)) e->held.valid = false;
  put_operation(e, op, in);
  drive_registers(e, c, in);
  sc_front_drive(e, c, in);
  simt_memory_fixed(e->memory, c->latency);
  simt_memory_drive(e->memory, c->mem, in);
  in[e->at.rst] = (c->flags & SC_RESET) != 0;
}

/* ---- checks ------------------------------------------------------------------------------------------ */

static const char *check_cycle(struct sc_env *e, const uint32_t *in, const uint32_t *out) {
  struct sc_operation *op = &e->ring[e->cycle & 3]; /* free: what was there is answered */
  op->kind = (uint8_t)in[e->at.op_kind];
  op->thread = in[e->at.op_thread];
  for (unsigned i = 0; i < e->at.data_words; i++) op->data[i] = in[e->at.op_data + i];
  bool valid = in[e->at.op_valid], taken = valid && goes(e, out, op->kind, op->thread);
  const char *wrong = sc_status_before(e, out), *next = sc_registers_before(e, in, out);
  if (!wrong) wrong = next;
  next = sc_golden_answer(e, out);
  if (!wrong) wrong = next;
  next = sc_rules_before(e, out);
  if (!wrong) wrong = next;
  e->ring[(e->cycle + 1) & 3].valid = false;
  next = sc_rules_memory(e, in, out);
  if (!wrong) wrong = next;
  sc_rules_operation(e, op, valid, taken);
  next = sc_registers_after(e, in, out);
  if (!wrong) wrong = next;
  next = sc_front_observe(e, in, out);
  if (!wrong) wrong = next;
  sc_status_after(e, in, out, taken);
  if (!wrong && e->script) wrong = sc_directed_observe(e, taken ? op : NULL, out);
  return wrong;
}

static const char *observe(void *env, const uint32_t *in, const uint32_t *out) {
  struct sc_env *e = env;
  const char *wrong = check_cycle(e, in, out);
  if (in[e->at.reg_valid] && out[e->at.reg_ready]) e->reg.valid = false;
  e->cycle++;
  if (in[e->at.rst]) {
    e->reset_end = e->cycle;
    reset(e);
  }
  return wrong;
}

static uint64_t progress(const void *env, bool *busy) {
  const struct sc_env *e = env;
  *busy = e->waited.valid || e->front.level || (e->replay && !sc_replay_at_end(e->replay));
  return e->answered + e->front.moved;
}

static const uint64_t *coverage(const void *env) {
  const struct sc_env *e = env;
  uint64_t *to = ((struct sc_env *)env)->coverage; /* a copy in the order of the description */
  for (int i = 0; i < SC_COVERS; i++)
    if (sc_cover_possible(&e->l, (enum sc_cover)i)) *to++ = e->cover[i];
  return e->coverage;
}

/* ---- explanation ------------------------------------------------------------------------------------- */

struct sc_env_line { char *to; size_t room; };

static void say(struct sc_env_line *l, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void say(struct sc_env_line *l, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  int n = vsnprintf(l->to, l->room, format, ap);
  va_end(ap);
  size_t used = n < 0 ? 0 : (size_t)n < l->room ? (size_t)n : l->room - 1;
  l->to += used;
  l->room -= used;
}

static void explain(const void *env, const uint32_t *in, char *to, size_t room) {
  static const char *const kind[] = {"push", "pop", "peek", "replace", "init", "kind 5 of", "kind 6 of", "kind 7 of"};
  const struct sc_env *e = env;
  const struct sc_env_ports *at = &e->at;
  struct sc_env_line l = {to, room};
  if (!room) return;
  *to = '\0';
  if (in[at->rst]) say(&l, "reset; ");
  if (in[at->op_valid]) {
    unsigned k = in[at->op_kind] & 7;
    say(&l, "%s thread %u", kind[k], in[at->op_thread]);
    if (k == SC_PUSH || k == SC_REPLACE) {
      say(&l, " 0x");
      unsigned i = at->data_words - 1;
      while (i && !in[at->op_data + i]) i--;
      say(&l, "%" PRIx32, in[at->op_data + i]);
      while (i--) say(&l, "%08" PRIx32, in[at->op_data + i]);
    }
  } else {
    say(&l, "no operation");
  }
  if (in[at->reg_valid] && in[at->reg_write]) say(&l, "; register 0x%03x = 0x%x", in[at->reg_addr], in[at->reg_data]);
  else if (in[at->reg_valid]) say(&l, "; register 0x%03x read", in[at->reg_addr]);
  if (in[e->status_at.halt]) say(&l, "; halt");
  if (in[e->status_at.reset]) say(&l, "; reset of the unit");
  if (in[e->status_at.resume]) say(&l, "; resume");
  if (in[e->ctx_at.cmd_valid]) say(&l, "; %s a context", in[e->ctx_at.cmd_load] ? "load" : "save");
  if (in[e->ctx_at.in_valid]) say(&l, "; context word 0x%x", in[e->ctx_at.in_data]);
  if (!in[at->req_ready]) say(&l, "; memory not ready");
  if (in[at->rsp_valid]) say(&l, "; memory answers tag 0x%x%s", in[at->rsp_tag], in[at->rsp_error] ? " with an error" : "");
}

const struct simt_verif simt_verif_stack_cache = {
  .block = &simt_block_stack_cache, .profiles = sc_profiles, .directed = sc_directed, .pickers = sc_pickers,
  .undrawn = (const char *const[]){"every_address", "every_bit", "bits_of_addresses", "many_errors", "error_of_each_set", NULL},
  .choice_size = sizeof(struct sc_choice), .stuck_cycles = 32768,
  .create = create, .destroy = destroy, .restart = restart, .choose = choose, .drive = drive,
  .observe = observe, .progress = progress, .coverage = coverage, .explain = explain, .sim = sc_sim,
};
