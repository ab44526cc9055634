/* SPDX-License-Identifier: Apache-2.0 */
/* directed.c: runs scripts: one choice per cycle, and what they expect at the ports. */
#include "stack_cache/script.h"
#include "core/wrapped.h"

#include <stdlib.h>
#include <string.h>

enum { DEFAULT_LATENCY = 4, MAX_WAIT = 100000, DRAIN = 4 };

/* ---- writing a script ------------------------------------------------------------------------------- */

static void add(struct sc_script *s, struct sc_step step) {
  if (s->n == s->room) {
    size_t room = s->room ? 2 * s->room : 64;
    struct sc_step *bigger = realloc(s->step, room * sizeof *bigger);
    if (!bigger) {
      s->no_memory = true;
      return;
    }
    s->step = bigger;
    s->room = room;
  }
  s->step[s->n++] = step;
}

void sc_op(struct sc_script *s, enum sc_wait wait, unsigned thread, enum sc_kind kind, uint64_t value,
           enum sc_status status) {
  add(s, (struct sc_step){SC_STEP_OP, (uint8_t)kind, (uint8_t)status, (uint8_t)wait, thread, 0, value});
}

uint64_t sc_value(unsigned thread, uint64_t i) { return 0xa0 + 0x10 * (uint64_t)thread + i; }

void sc_pushes(struct sc_script *s, unsigned thread, uint64_t from, uint64_t n) {
  for (uint64_t i = from; i < from + n; i++) sc_op(s, SC_ANY_WAIT, thread, SC_PUSH, sc_value(thread, i), SC_OK);
}

void sc_pops(struct sc_script *s, enum sc_wait wait, unsigned thread, uint64_t from, uint64_t n) {
  for (uint64_t i = from + n; i-- > from;) sc_op(s, wait, thread, SC_POP, sc_value(thread, i), SC_OK);
}

static void simple(struct sc_script *s, enum sc_step_kind kind, unsigned n) {
  add(s, (struct sc_step){.kind = (uint8_t)kind, .n = n});
}

void sc_try(struct sc_script *s, unsigned thread, unsigned kind) {
  add(s, (struct sc_step){.kind = SC_STEP_TRY, .op = (uint8_t)kind, .thread = thread});
}
void sc_idle(struct sc_script *s, unsigned cycles) { simple(s, SC_STEP_IDLE, cycles); }
void sc_quiet(struct sc_script *s) { simple(s, SC_STEP_QUIET, 0); }
void sc_no_steal(struct sc_script *s) {
  if (s->l->steal == 1 && s->l->entries == 2) sc_quiet(s);
}
void sc_latency(struct sc_script *s, unsigned cycles) { simple(s, SC_STEP_LATENCY, cycles); }
void sc_request(struct sc_script *s, unsigned n) { simple(s, SC_STEP_REQUEST, n); }
void sc_reset_now(struct sc_script *s) { simple(s, SC_STEP_RESET, 0); }

void sc_by_hand(struct sc_script *s, bool ready) {
  simple(s, SC_STEP_LATENCY, 0);
  simple(s, SC_STEP_READY, ready);
}

void sc_answer(struct sc_script *s, unsigned pick, unsigned error) {
  add(s, (struct sc_step){.kind = SC_STEP_ANSWER, .n = pick, .value = error});
}

void sc_read_register(struct sc_script *s, uint32_t addr, uint32_t value) {
  add(s, (struct sc_step){.kind = SC_STEP_READ, .n = addr, .value = value});
}

void sc_write_register(struct sc_script *s, uint32_t addr, uint32_t value, bool refused) {
  add(s, (struct sc_step){.kind = SC_STEP_WRITE, .n = addr, .value = value, .status = refused});
}

void sc_access(struct sc_script *s, uint32_t addr, bool write, uint32_t value) {
  add(s, (struct sc_step){.kind = SC_STEP_ACCESS, .n = addr, .value = value, .op = write});
}

void sc_order(struct sc_script *s, enum sc_order order, bool wait) {
  add(s, (struct sc_step){.kind = SC_STEP_ORDER, .op = (uint8_t)order, .wait = wait});
}

void sc_save_context(struct sc_script *s, unsigned slot) {
  add(s, (struct sc_step){.kind = SC_STEP_ORDER, .op = SC_SAVE, .wait = true, .thread = slot});
}

void sc_load_context(struct sc_script *s, unsigned slot, enum sc_spoil spoil, uint32_t place) {
  add(s, (struct sc_step){.kind = SC_STEP_ORDER, .op = SC_LOAD, .status = (uint8_t)spoil, .wait = true, .thread = slot,
                          .value = place});
}

void sc_covered(struct sc_script *s, enum sc_cover point) {
  if (sc_cover_possible(s->l, point)) simple(s, SC_STEP_COVER, point);
}

void sc_accesses(struct sc_script *s, unsigned reads, unsigned writes) {
  add(s, (struct sc_step){.kind = SC_STEP_ACCESSES, .n = reads, .thread = writes});
}

/* ---- life ------------------------------------------------------------------------------------------- */

static unsigned count_tests(void) {
  unsigned n = 0;
  while (sc_directed[n].name) n++;
  return n;
}

/* Every test begins behind the reset and ends when the last answer is out. */
static bool load_test(struct sc_env *e, unsigned test) {
  struct sc_script *s = e->script;
  s->n = s->at = 0;
  s->test = test;
  s->waited = s->reads = s->writes = 0;
  s->pending = s->done = s->chosen = false;
  s->ready = true;
  s->latency = DEFAULT_LATENCY;
  memcpy(s->cover, e->cover, sizeof s->cover);
  memset(s->expect, 0, sizeof s->expect);
  simple(s, SC_STEP_START, 0);
  sc_write_script(s, test);
  sc_idle(s, DRAIN);
  return !s->no_memory;
}

bool sc_directed_create(struct sc_env *e) {
  e->script = calloc(1, sizeof *e->script);
  if (!e->script) return false;
  e->script->l = &e->l;
  e->script->desc = &e->cfg->desc;
  const struct simt_port *bus = e->cfg->link ? simt_find_port(e->cfg->link->whole, "m_axi_wdata") : NULL;
  e->script->beats = bus ? e->l.mem_data_w / bus->width : 0;
  return load_test(e, 0);
}

void sc_directed_destroy(struct sc_env *e) {
  free(e->script->step);
  free(e->script);
}

void sc_directed_restart(struct sc_env *e) {
  struct sc_script *s = e->script;
  unsigned first = 0;
  s->last = count_tests() - 1;
  for (unsigned i = 0; e->stim.profile && i <= s->last; i++)
    if (!strcmp(sc_directed[i].name, e->stim.profile)) first = i;
  if (e->stim.profile) s->last = first;
  load_test(e, first);
}

/* ---- choices ---------------------------------------------------------------------------------------- */

static void choose_memory(struct sc_env *e, const struct sc_step *step, struct sc_choice *c) {
  struct sc_script *s = e->script;
  unsigned under_way = simt_memory_counts(e->memory).under_way;
  bool answer = step->kind == SC_STEP_ANSWER && under_way;
  unsigned pick = step->n == SC_NEWEST && under_way ? under_way - 1 : step->n;
  c->latency = (uint16_t)s->latency;
  c->mem = simt_memory_word(s->ready, answer, pick, (unsigned)step->value);
}

static bool is_write(const struct sc_step *step) {
  return step->kind == SC_STEP_WRITE || (step->kind == SC_STEP_ACCESS && step->op);
}

bool sc_directed_choose(struct sc_env *e, struct sc_choice *c) {
  struct sc_script *s = e->script;
  memset(c, 0, sizeof *c);
  if (s->done) {
    if (s->test == s->last) return false;
    load_test(e, s->test + 1);
    c->flags = SC_RESET;
    return true; /* not counted as a cycle of the test */
  }
  const struct sc_step *step = &s->step[s->at];
  switch (step->kind) {
    case SC_STEP_OP:
    case SC_STEP_TRY:
      c->flags = SC_DO_OP | (step->thread >= e->l.threads ? SC_ODD : 0);
      c->kind = step->op;
      c->thread = step->thread;
      c->data = step->value;
      break;
    case SC_STEP_READ:
    case SC_STEP_WRITE:
    case SC_STEP_ACCESS:
      if (s->waited) break;
      c->flags = (uint16_t)(SC_DO_REG | (is_write(step) ? SC_REG_WRITE : 0));
      c->reg_addr = (uint16_t)step->n;
      c->reg_data = (uint32_t)step->value;
      break;
    case SC_STEP_RESET: c->flags = SC_RESET; break;
    case SC_STEP_ORDER:
      if (s->waited) break;
      c->order = step->op;
      c->slot = (uint8_t)step->thread;
      c->spoil = step->status;
      c->place = (uint32_t)step->value;
      break;
    default: break;
  }
  c->flags |= SC_CTX_OUT | SC_CTX_IN;
  choose_memory(e, step, c);
  s->chosen = true;
  return true;
}

/* ---- expectations ------------------------------------------------------------------------------------ */

static const char *fail(struct sc_env *e, const char *what, uint64_t got, uint64_t expected) {
  struct sc_script *s = e->script;
  return sc_wrong(e, "directed test %s, step %zu: %s is 0x%llx, expected 0x%llx", sc_directed[s->test].name, s->at,
                  what, (unsigned long long)got, (unsigned long long)expected);
}

static const char *check_answer(struct sc_env *e, const uint32_t *out) {
  struct sc_script *s = e->script;
  unsigned slot = (e->cycle + 1) & 3;
  if (!s->expect[slot].valid) return NULL;
  s->expect[slot].valid = false;
  unsigned status = out[e->at.ans_status];
  if (!out[e->at.ans_valid]) return fail(e, "ans_valid_o", 0, 1);
  if (status != s->expect[slot].status) return fail(e, "the status", status, s->expect[slot].status);
  uint64_t mask = e->l.entry_w < 32 ? (1u << e->l.entry_w) - 1 : 0xffffffff;
  uint64_t got = out[e->at.ans_data], value = s->expect[slot].value & mask;
  return s->expect[slot].data && got != value ? fail(e, "the entry", got, value) : NULL;
}

static void expect_answer(struct sc_env *e, const struct sc_step *step) {
  struct sc_script *s = e->script;
  unsigned slot = e->cycle & 3;
  s->expect[slot].valid = true;
  s->expect[slot].status = step->status;
  s->expect[slot].data = step->status == SC_OK && (step->op == SC_POP || step->op == SC_PEEK);
  s->expect[slot].value = step->value;
}

/* ---- one cycle ---------------------------------------------------------------------------------------- */

static const char *finish_op(struct sc_env *e, const struct sc_step *step, bool taken, bool *done) {
  struct sc_script *s = e->script;
  *done = taken;
  if (!taken) return step->wait == SC_NO_WAIT ? fail(e, "cycles of waiting", s->waited + 1, 0) : NULL;
  expect_answer(e, step);
  return step->wait == SC_SOME_WAIT && !s->waited ? fail(e, "cycles of waiting", 0, 1) : NULL;
}

static const char *finish_register(struct sc_env *e, const struct sc_step *step, const uint32_t *out, bool *done) {
  *done = out[e->at.reg_rsp];
  if (!*done || step->kind == SC_STEP_ACCESS) return NULL;
  unsigned error = out[e->at.reg_rsp_error], refused = step->kind == SC_STEP_WRITE ? step->status : 0;
  if (error != refused) return fail(e, "reg_rsp_error_o", error, refused);
  uint32_t got = out[e->at.reg_rsp_data];
  return step->kind == SC_STEP_READ && got != step->value ? fail(e, "the register", got, step->value) : NULL;
}

static bool is_quiet(struct sc_env *e, const uint32_t *out) {
  struct sc_script *s = e->script;
  bool quiet = !out[e->at.req_valid] && !simt_memory_counts(e->memory).under_way;
  s->pending = quiet && s->pending;
  if (quiet && !s->pending) s->waited = 0;
  s->pending = quiet;
  return quiet && s->waited > e->l.threads + 8; /* every thread can have been looked at since */
}

static bool is_obeyed(const struct sc_env *e, const struct sc_step *step, const uint32_t *out) {
  bool clear = e->front.level ? out[e->ctx_at.cmd_ready] : out[e->at.can_init];
  if (!step->wait) return true;
  switch (step->op) {
    case SC_HALT: return e->unit.state == SIMT_HALTED;
    case SC_RELEASE: return out[e->at.can_init];
    case SC_UNIT_RESET: return e->script->waited > 2 && clear;
    default: return e->front.doing == SC_FRONT_IDLE && (!e->front.level || out[e->ctx_at.cmd_ready]);
  }
}

static const char *finish_step(struct sc_env *e, const struct sc_step *step, const struct sc_operation *taken,
                               const uint32_t *out, bool *done) {
  struct sc_script *s = e->script;
  switch (step->kind) {
    case SC_STEP_OP: return finish_op(e, step, taken != NULL, done);
    case SC_STEP_TRY: *done = true; return taken ? fail(e, "operations taken", 1, 0) : NULL;
    case SC_STEP_IDLE: *done = s->waited + 1 >= step->n; break;
    case SC_STEP_START: *done = out[e->at.can_init] && sc_bit(&out[e->at.can_push], 0); break;
    case SC_STEP_QUIET: *done = is_quiet(e, out); break;
    case SC_STEP_REQUEST:
      *done = step->n ? simt_memory_counts(e->memory).under_way >= step->n : out[e->at.req_valid];
      break;
    case SC_STEP_ANSWER: *done = simt_memory_answered(e->memory) != NULL; break;
    case SC_STEP_READ:
    case SC_STEP_WRITE:
    case SC_STEP_ACCESS: return finish_register(e, step, out, done);
    case SC_STEP_ORDER: *done = is_obeyed(e, step, out); break;
    case SC_STEP_RESET: memset(s->expect, 0, sizeof s->expect); /* fall through */
    default: *done = true; break;
  }
  return NULL;
}

/* Steps that take no cycle. */
static const char *at_once(struct sc_env *e) {
  struct sc_script *s = e->script;
  for (; s->at < s->n && s->step[s->at].kind > SC_AT_ONCE; s->at++) {
    const struct sc_step *step = &s->step[s->at];
    if (step->kind == SC_STEP_LATENCY) s->latency = step->n;
    if (step->kind == SC_STEP_READY) s->ready = step->n;
    if (step->kind == SC_STEP_COVER && e->cover[step->n] == s->cover[step->n])
      return sc_wrong(e, "directed test %s, step %zu: coverage point %u is not hit", sc_directed[s->test].name, s->at,
                      step->n);
    if (step->kind == SC_STEP_ACCESSES && s->reads != step->n) return fail(e, "sets read", s->reads, step->n);
    if (step->kind == SC_STEP_ACCESSES && s->writes != step->thread)
      return fail(e, "sets written", s->writes, step->thread);
  }
  s->done = s->at == s->n;
  return NULL;
}

const char *sc_directed_observe(struct sc_env *e, const struct sc_operation *taken, const uint32_t *out) {
  struct sc_script *s = e->script;
  if (!s->chosen) return NULL; /* a replay of choices */
  s->chosen = false;
  const struct simt_memory_event *request = simt_memory_taken(e->memory);
  if (request) *(request->write ? &s->writes : &s->reads) += 1;
  const char *wrong = check_answer(e, out);
  if (wrong) return wrong;
  bool done = false;
  wrong = finish_step(e, &s->step[s->at], taken, out, &done);
  s->waited++;
  if (wrong) return wrong;
  uint64_t most = MAX_WAIT + (s->step[s->at].kind == SC_STEP_ORDER ? 4 * e->l.ctx_max : 0); /* it may move a context */
  if (!done) return s->waited > most ? fail(e, "cycles of waiting", s->waited, most) : NULL;
  s->waited = 0;
  s->pending = false;
  s->at++;
  return at_once(e);
}
