/* SPDX-License-Identifier: Apache-2.0 */
/* directed.c: runs scripts: one choice per cycle, and what they expect at the ports. */
#include "stack_cache/script.h"

#include <stdlib.h>
#include <string.h>

enum { DEFAULT_LATENCY = 4, MAX_WAIT = 100000, DRAIN = 8 };

/* ---- writing a script ------------------------------------------------------------------------------- */

static void add(struct stk_script *s, struct stk_step step) {
  if (s->n == s->room) {
    size_t room = s->room ? 2 * s->room : 64;
    struct stk_step *bigger = realloc(s->step, room * sizeof *bigger);
    if (!bigger) {
      s->no_memory = true;
      return;
    }
    s->step = bigger;
    s->room = room;
  }
  s->step[s->n++] = step;
}

void stk_op(struct stk_script *s, enum stk_patience wait, unsigned thread, enum stk_kind kind, uint64_t value,
           enum stk_status status) {
  add(s, (struct stk_step){STK_STEP_OP, (uint8_t)kind, (uint8_t)status, (uint8_t)wait, thread, 0, value});
}

uint64_t stk_value(unsigned thread, uint64_t i) { return 0xa0 + 0x10 * (uint64_t)thread + i; }

void stk_pushes(struct stk_script *s, unsigned thread, uint64_t from, uint64_t n) {
  for (uint64_t i = from; i < from + n; i++) stk_op(s, STK_ANY_WAIT, thread, STK_PUSH, stk_value(thread, i), STK_OK);
}

void stk_pops(struct stk_script *s, enum stk_patience wait, unsigned thread, uint64_t from, uint64_t n) {
  for (uint64_t i = from + n; i-- > from;) stk_op(s, wait, thread, STK_POP, stk_value(thread, i), STK_OK);
}

static void simple(struct stk_script *s, enum stk_step_kind kind, unsigned n) {
  add(s, (struct stk_step){.kind = (uint8_t)kind, .n = n});
}

void stk_try(struct stk_script *s, unsigned thread, unsigned kind) {
  add(s, (struct stk_step){.kind = STK_STEP_TRY, .op = (uint8_t)kind, .thread = thread});
}
void stk_idle(struct stk_script *s, unsigned cycles) { simple(s, STK_STEP_IDLE, cycles); }
void stk_until_quiet(struct stk_script *s) { simple(s, STK_STEP_QUIET, 0); }
void stk_latency(struct stk_script *s, unsigned cycles) { simple(s, STK_STEP_LATENCY, cycles); }
void stk_request(struct stk_script *s, unsigned n) { simple(s, STK_STEP_REQUEST, n); }
void stk_reset_now(struct stk_script *s) { simple(s, STK_STEP_RESET, 0); }

void stk_by_hand(struct stk_script *s, bool ready) {
  simple(s, STK_STEP_LATENCY, 0);
  simple(s, STK_STEP_READY, ready);
}

void stk_answer(struct stk_script *s, unsigned pick, unsigned error) {
  add(s, (struct stk_step){.kind = STK_STEP_ANSWER, .n = pick, .value = error});
}

void stk_read_register(struct stk_script *s, uint32_t addr, uint32_t value) {
  add(s, (struct stk_step){.kind = STK_STEP_READ, .n = addr, .value = value});
}

void stk_write_register(struct stk_script *s, uint32_t addr, uint32_t value, bool refused) {
  add(s, (struct stk_step){.kind = STK_STEP_WRITE, .n = addr, .value = value, .status = refused});
}

void stk_access(struct stk_script *s, uint32_t addr, bool write, uint32_t value) {
  add(s, (struct stk_step){.kind = STK_STEP_ACCESS, .n = addr, .value = value, .op = write});
}

void stk_order(struct stk_script *s, enum simt_order order, bool wait) { stk_order_context(s, order, 0, SIMT_WHOLE, 0, wait); }

void stk_order_context(struct stk_script *s, enum simt_order order, unsigned slot, enum simt_spoil spoil, uint32_t place, bool wait) {
  add(s, (struct stk_step){STK_STEP_ORDER, (uint8_t)order, (uint8_t)spoil, wait, slot, 0, place});
}

void stk_save_context(struct stk_script *s, unsigned slot) { stk_order_context(s, SIMT_SAVE, slot, SIMT_WHOLE, 0, true); }

void stk_load_context(struct stk_script *s, unsigned slot, enum simt_spoil spoil, uint32_t place) {
  stk_order_context(s, SIMT_LOAD, slot, spoil, place, true);
}

void stk_covered(struct stk_script *s, enum sc_cover point) {
  for (size_t i = 0; i < s->desc->n_covers; i++)
    if (!strcmp(s->desc->covers[i].name, sc_cover_name(point))) simple(s, STK_STEP_COVER, point);
}

void stk_accesses(struct stk_script *s, unsigned reads, unsigned writes) {
  add(s, (struct stk_step){.kind = STK_STEP_ACCESSES, .n = reads, .thread = writes});
}

/* ---- life ------------------------------------------------------------------------------------------- */

static unsigned count_tests(void) {
  unsigned n = 0;
  while (stk_directed[n].name) n++;
  return n;
}

/* Every test begins behind the reset and ends when the last answer is out. */
static bool load_test(struct stk_env *e, unsigned test) {
  struct stk_script *s = e->script;
  s->n = s->at = 0;
  s->test = test;
  s->waited = s->reads = s->writes = 0;
  s->pending = s->done = s->chosen = false;
  s->ready = true;
  s->latency = DEFAULT_LATENCY;
  memcpy(s->cover, e->cover, sizeof s->cover);
  memset(s->expect, 0, sizeof s->expect);
  simple(s, STK_STEP_START, 0);
  stk_write_script(s, test);
  stk_idle(s, DRAIN);
  return !s->no_memory;
}

bool stk_directed_create(struct stk_env *e) {
  e->script = calloc(1, sizeof *e->script);
  if (!e->script) return false;
  e->script->l = &e->s;
  e->script->desc = &e->cfg->desc;
  e->script->most = 2 * e->s.gap + 2 * e->s.hold + 2;
  return load_test(e, 0);
}

void stk_directed_destroy(struct stk_env *e) {
  free(e->script->step);
  free(e->script);
}

void stk_directed_restart(struct stk_env *e) {
  struct stk_script *s = e->script;
  unsigned first = 0;
  s->last = count_tests() - 1;
  for (unsigned i = 0; e->stim.profile && i <= s->last; i++)
    if (!strcmp(stk_directed[i].name, e->stim.profile)) first = i;
  if (e->stim.profile) s->last = first;
  load_test(e, first);
}

/* ---- choices ---------------------------------------------------------------------------------------- */

static void choose_memory(struct stk_env *e, const struct stk_step *step, struct stk_choice *c) {
  struct stk_script *s = e->script;
  unsigned under_way = simt_memory_counts(e->memory).under_way;
  bool answer = step->kind == STK_STEP_ANSWER && under_way;
  unsigned pick = step->n == STK_NEWEST && under_way ? under_way - 1 : step->n;
  c->latency = (uint16_t)s->latency;
  c->mem = simt_memory_word(s->ready, answer, pick, (unsigned)step->value);
}

static bool is_write(const struct stk_step *step) {
  return step->kind == STK_STEP_WRITE || (step->kind == STK_STEP_ACCESS && step->op);
}

bool stk_directed_choose(struct stk_env *e, struct stk_choice *c) {
  struct stk_script *s = e->script;
  memset(c, 0, sizeof *c);
  if (s->done) {
    if (s->test == s->last) return false;
    load_test(e, s->test + 1);
    c->flags = STK_RESET;
    return true; /* not counted as a cycle of the test */
  }
  const struct stk_step *step = &s->step[s->at];
  switch (step->kind) {
    case STK_STEP_OP:
    case STK_STEP_TRY:
      c->flags = STK_DO_OP | (step->thread >= e->s.threads ? STK_ODD : 0);
      c->kind = step->op;
      c->thread = step->thread;
      c->data = step->value;
      break;
    case STK_STEP_READ:
    case STK_STEP_WRITE:
    case STK_STEP_ACCESS:
      if (s->waited) break;
      c->flags = (uint16_t)(STK_DO_REG | (is_write(step) ? STK_REG_WRITE : 0));
      c->reg_addr = (uint16_t)step->n;
      c->reg_data = (uint32_t)step->value;
      break;
    case STK_STEP_RESET: c->flags = STK_RESET; break;
    case STK_STEP_ORDER:
      if (s->waited) break;
      c->order = step->op;
      c->slot = (uint8_t)step->thread;
      c->spoil = step->status;
      c->place = (uint32_t)step->value;
      break;
    default: break;
  }
  c->flags |= STK_CTX_OUT | STK_CTX_IN;
  choose_memory(e, step, c);
  s->chosen = true;
  return true;
}

/* ---- expectations ------------------------------------------------------------------------------------ */

static const char *fail(struct stk_env *e, const char *what, uint64_t got, uint64_t expected) {
  struct stk_script *s = e->script;
  return stk_wrong(e, "directed test %s, step %zu: %s is 0x%llx, expected 0x%llx", stk_directed[s->test].name, s->at,
                  what, (unsigned long long)got, (unsigned long long)expected);
}

static const char *check_answer(struct stk_env *e, const uint32_t *out) {
  struct stk_script *s = e->script;
  const unsigned slot = (e->cycle - e->s.latency) % STK_RING;
  if (!s->expect[slot].valid) return NULL;
  s->expect[slot].valid = false;
  unsigned status = out[e->at.ans_status];
  if (!out[e->at.ans_valid]) return fail(e, "ans_valid_o", 0, 1);
  if (status != s->expect[slot].status) return fail(e, "the status", status, s->expect[slot].status);
  uint64_t mask = e->s.entry_w < 32 ? (1u << e->s.entry_w) - 1 : 0xffffffff;
  uint64_t got = out[e->at.ans_data], value = s->expect[slot].value & mask;
  return s->expect[slot].data && got != value ? fail(e, "the entry", got, value) : NULL;
}

static void expect_answer(struct stk_env *e, const struct stk_step *step) {
  struct stk_script *s = e->script;
  const unsigned slot = e->cycle % STK_RING;
  s->expect[slot].valid = true;
  s->expect[slot].status = step->status;
  s->expect[slot].data = step->status == STK_OK && (step->op == STK_POP || step->op == STK_PEEK);
  s->expect[slot].value = step->value;
}

/* ---- one cycle ---------------------------------------------------------------------------------------- */

static const char *finish_op(struct stk_env *e, const struct stk_step *step, bool taken, bool *done) {
  struct stk_script *s = e->script;
  *done = taken;
  if (!taken) return step->wait == STK_NO_WAIT && s->waited > s->most ? fail(e, "cycles of waiting", s->waited + 1, s->most) : NULL;
  expect_answer(e, step);
  return step->wait == STK_SOME_WAIT && s->waited < e->s.gap ? fail(e, "cycles of waiting", s->waited, e->s.gap) : NULL;
}

static const char *finish_register(struct stk_env *e, const struct stk_step *step, const uint32_t *out, bool *done) {
  *done = out[e->reg_at.rsp];
  if (!*done || step->kind == STK_STEP_ACCESS) return NULL;
  unsigned error = out[e->reg_at.rsp_error], refused = step->kind == STK_STEP_WRITE ? step->status : 0;
  if (error != refused) return fail(e, "reg_rsp_error_o", error, refused);
  uint32_t got = out[e->reg_at.rsp_data];
  return step->kind == STK_STEP_READ && got != step->value ? fail(e, "the register", got, step->value) : NULL;
}

static bool is_quiet(struct stk_env *e, const uint32_t *out) {
  struct stk_script *s = e->script;
  bool quiet = !out[e->mem.req_valid] && !simt_memory_counts(e->memory).under_way;
  s->pending = quiet && s->pending;
  if (quiet && !s->pending) s->waited = 0;
  s->pending = quiet;
  return quiet && s->waited > 4 * e->s.threads + 64; /* every thread can have been looked at since */
}

/* What an order brings about has come: some cycles behind it, as nothing shows before that it has begun. */
static bool is_obeyed(const struct stk_env *e, const struct stk_step *step, const uint32_t *out) {
  const struct simt_front *f = &e->front.shell;
  const bool free = f->level ? out[f->ctx_at.cmd_ready] : out[e->at.can_go];
  if (!step->wait) return true;
  switch (step->op) {
    case SIMT_HALT: return f->state == SIMT_HALTED && e->script->waited > 2;
    case SIMT_RELEASE: return out[e->at.can_go];
    default: return f->doing == SIMT_FRONT_IDLE && e->script->waited > 8 && free;
  }
}

static const char *finish_step(struct stk_env *e, const struct stk_step *step, const struct stk_operation *taken,
                               const uint32_t *out, bool *done) {
  struct stk_script *s = e->script;
  switch (step->kind) {
    case STK_STEP_OP: return finish_op(e, step, taken != NULL, done);
    case STK_STEP_TRY: *done = true; return taken ? fail(e, "operations taken", 1, 0) : NULL;
    case STK_STEP_IDLE: *done = s->waited + 1 >= step->n; break;
    case STK_STEP_START: *done = out[e->at.can_go] && stk_bit(&out[e->at.can_push], 0); break;
    case STK_STEP_QUIET: *done = is_quiet(e, out); break;
    case STK_STEP_REQUEST:
      *done = step->n ? simt_memory_counts(e->memory).under_way >= step->n : out[e->mem.req_valid];
      break;
    case STK_STEP_ANSWER: *done = simt_memory_answered(e->memory) != NULL; break;
    case STK_STEP_READ:
    case STK_STEP_WRITE:
    case STK_STEP_ACCESS: return finish_register(e, step, out, done);
    case STK_STEP_ORDER: *done = is_obeyed(e, step, out); break;
    case STK_STEP_RESET: memset(s->expect, 0, sizeof s->expect); /* fall through */
    default: *done = true; break;
  }
  return NULL;
}

/* Steps that take no cycle. */
static const char *at_once(struct stk_env *e) {
  struct stk_script *s = e->script;
  for (; s->at < s->n && s->step[s->at].kind > STK_AT_ONCE; s->at++) {
    const struct stk_step *step = &s->step[s->at];
    if (step->kind == STK_STEP_LATENCY) s->latency = step->n;
    if (step->kind == STK_STEP_READY) s->ready = step->n;
    if (step->kind == STK_STEP_COVER && e->cover[step->n] == s->cover[step->n])
      return stk_wrong(e, "directed test %s, step %zu: coverage point %u is not hit", stk_directed[s->test].name, s->at,
                      step->n);
    if (step->kind == STK_STEP_ACCESSES && s->reads != step->n) return fail(e, "sets read", s->reads, step->n);
    if (step->kind == STK_STEP_ACCESSES && s->writes != step->thread)
      return fail(e, "sets written", s->writes, step->thread);
  }
  s->done = s->at == s->n;
  return NULL;
}

const char *stk_directed_observe(struct stk_env *e, const struct stk_operation *taken, const uint32_t *out) {
  struct stk_script *s = e->script;
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
  const uint64_t most = MAX_WAIT + e->s.clear_within + (s->step[s->at].kind == STK_STEP_ORDER ? 64 * e->s.threads : 0);
  if (!done) return s->waited > most ? fail(e, "cycles of waiting", s->waited, most) : NULL;
  s->waited = 0;
  s->pending = false;
  s->at++;
  return at_once(e);
}
