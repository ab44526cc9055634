/* SPDX-License-Identifier: Apache-2.0 */
/* stack_cache.c: the transaction level of stack_cache: its operations, over the cycle model and a memory of callbacks. */
#include "core/ports.h"
#include "stack_cache/stack_cache.h"

#include <stdlib.h>
#include <string.h>

#include "stack_cache/layout.h"
#include "core/transact.h"

extern const struct simt_block simt_block_stack_cache;

#define SC_LEVEL_PORTS(PORT) \
  PORT(op_valid, op_valid_i) PORT(op_kind, op_kind_i) PORT(op_thread, op_thread_i) PORT(op_data, op_data_i) \
  PORT(can_push, can_push_o) PORT(can_top, can_top_o) PORT(can_go, can_go_o) \
  PORT(ans_valid, ans_valid_o) PORT(ans_thread, ans_thread_o) PORT(ans_kind, ans_kind_o) \
  PORT(ans_status, ans_status_o) PORT(ans_data_valid, ans_data_valid_o) PORT(ans_data, ans_data_o)
SIMT_PORTS(sc_level_ports, SC_LEVEL_PORTS)

struct stack_cache {
  struct simt_transact t;
  struct sc_layout l;
  struct sc_level_ports at;
};

/* One cycle with the operation as it is; it is withdrawn after it. */
static void tick(struct stack_cache *s) {
  simt_transact_tick(&s->t);
  s->t.in[s->at.op_valid] = 0;
}

void stack_cache_advance(struct stack_cache *s, uint64_t cycles) {
  while (cycles--) tick(s);
}

unsigned stack_cache_latency(const struct stack_cache *s) {
  return SC_LATENCY + s->l.out_reg;
}

uint64_t stack_cache_cycle(const struct stack_cache *s) { return s->t.cycle; }

/* ---- life --------------------------------------------------------------------------------------------- */

struct stack_cache *stack_cache_create(const char *const *params, const struct simt_remote *memory,
                                       struct simt_diag *diag) {
  struct stack_cache *s = calloc(1, sizeof *s);
  if (!s) {
    simt_fail(diag, "stack_cache", "no memory", "memory for the model");
    return NULL;
  }
  if (!simt_transact_open(&s->t, &simt_block_stack_cache, params, memory, diag) ||
      (simt_derived(&s->t.cfg, "MEM_BEATS") > 1 && !simt_fail(diag, "MEM_W", "entry", "set: the memory of callbacks takes whole sets"))) {
    stack_cache_destroy(s);
    return NULL;
  }
  sc_layout(s->t.cfg.value, &s->l);
  sc_level_ports_bind(&s->at, &s->t.cfg);
  while (!stack_cache_can_go(s, 0, STACK_CACHE_PUSH)) tick(s);
  s->t.cycle = 0;
  return s;
}

void stack_cache_destroy(struct stack_cache *s) {
  if (!s) return;
  simt_transact_close(&s->t);
  free(s);
}

/* ---- operations --------------------------------------------------------------------------------------- */

static unsigned entry_words(const struct stack_cache *s) { return (s->l.entry_w + 31) / 32; }

bool stack_cache_can_go(const struct stack_cache *s, unsigned thread, enum stack_cache_kind kind) {
  if (thread >= s->l.threads || (unsigned)kind >= SC_KINDS) return false;
  uint32_t push = s->t.out[s->at.can_push + thread / 32], top = s->t.out[s->at.can_top + thread / 32];
  uint32_t can = kind == STACK_CACHE_INIT ? push | top : kind == STACK_CACHE_PUSH ? push : top;
  return s->t.out[s->at.can_go] && can >> thread % 32 & 1;
}

static bool has_value(enum stack_cache_kind kind) { return kind == STACK_CACHE_PUSH || kind == STACK_CACHE_REPLACE; }

enum stack_cache_status stack_cache_check(const struct stack_cache *s, enum stack_cache_kind kind, unsigned thread, const uint32_t *value) {
  if (thread >= s->l.threads) return STACK_CACHE_NO_THREAD;
  if ((unsigned)kind >= SC_KINDS || (has_value(kind) && !simt_words_fit(value, entry_words(s), s->l.entry_w))) return STACK_CACHE_RANGE;
  return STACK_CACHE_OK;
}

bool stack_cache_issue(struct stack_cache *s, enum stack_cache_kind kind, unsigned thread, const uint32_t *value) {
  if (stack_cache_check(s, kind, thread, value) != STACK_CACHE_OK) return false;
  bool taken = stack_cache_can_go(s, thread, kind);
  s->t.in[s->at.op_valid] = 1;
  s->t.in[s->at.op_kind] = kind;
  s->t.in[s->at.op_thread] = thread;
  if (has_value(kind)) memcpy(&s->t.in[s->at.op_data], value, entry_words(s) * sizeof *value);
  tick(s);
  return taken;
}

bool stack_cache_answer(const struct stack_cache *s, struct stack_cache_answer *answer) {
  const struct sc_level_ports *at = &s->at;
  if (!s->t.out[at->ans_valid]) return false;
  *answer = (struct stack_cache_answer){.thread = s->t.out[at->ans_thread],
                                        .kind = (enum stack_cache_kind)s->t.out[at->ans_kind],
                                        .status = (enum stack_cache_status)s->t.out[at->ans_status],
                                        .has_value = s->t.out[at->ans_data_valid]};
  if (answer->has_value) memcpy(answer->value, &s->t.out[at->ans_data], entry_words(s) * sizeof *answer->value);
  return true;
}

static struct stack_cache_result operate(struct stack_cache *s, enum stack_cache_kind kind, unsigned thread,
                                         const uint32_t *value, uint32_t *popped) {
  struct stack_cache_result r = {.status = stack_cache_check(s, kind, thread, value)};
  struct stack_cache_answer answer;
  if (r.status != STACK_CACHE_OK) return r;
  while (!stack_cache_issue(s, kind, thread, value)) r.wait++;
  stack_cache_advance(s, stack_cache_latency(s) - 1);
  r.cycles = r.wait + stack_cache_latency(s);
  if (!stack_cache_answer(s, &answer)) abort(); /* the model breaks its first promise */
  r.status = answer.status;
  if (answer.has_value) memcpy(popped, answer.value, entry_words(s) * sizeof *popped);
  return r;
}

struct stack_cache_result stack_cache_push(struct stack_cache *s, unsigned thread, const uint32_t *value) {
  return operate(s, STACK_CACHE_PUSH, thread, value, NULL);
}

struct stack_cache_result stack_cache_pop(struct stack_cache *s, unsigned thread, uint32_t *value) {
  return operate(s, STACK_CACHE_POP, thread, NULL, value);
}

struct stack_cache_result stack_cache_peek(struct stack_cache *s, unsigned thread, uint32_t *value) {
  return operate(s, STACK_CACHE_PEEK, thread, NULL, value);
}

struct stack_cache_result stack_cache_replace(struct stack_cache *s, unsigned thread, const uint32_t *value) {
  return operate(s, STACK_CACHE_REPLACE, thread, value, NULL);
}

struct stack_cache_result stack_cache_init(struct stack_cache *s, unsigned thread) {
  return operate(s, STACK_CACHE_INIT, thread, NULL, NULL);
}

struct stack_cache_result stack_cache_push64(struct stack_cache *s, unsigned thread, uint64_t value) {
  const uint32_t words[STACK_CACHE_MAX_WORDS] = {(uint32_t)value, (uint32_t)(value >> 32)};
  if (thread < s->l.threads && !simt_fits(value, s->l.entry_w)) return (struct stack_cache_result){.status = STACK_CACHE_RANGE};
  return stack_cache_push(s, thread, words);
}

struct stack_cache_result stack_cache_pop64(struct stack_cache *s, unsigned thread, uint64_t *value) {
  uint32_t words[STACK_CACHE_MAX_WORDS] = {0};
  if (thread < s->l.threads && s->l.entry_w > 64) return (struct stack_cache_result){.status = STACK_CACHE_RANGE};
  struct stack_cache_result r = stack_cache_pop(s, thread, words);
  if (r.status == STACK_CACHE_OK) *value = simt_get64(words);
  return r;
}

/* ---- registers and counts ------------------------------------------------------------------------------ */

bool stack_cache_read_register(struct stack_cache *s, uint32_t addr, uint32_t *data) {
  return simt_transact_read(&s->t, addr, data);
}

bool stack_cache_write_register(struct stack_cache *s, uint32_t addr, uint32_t data) {
  return simt_transact_write(&s->t, addr, data);
}

void stack_cache_stats(const struct stack_cache *s, void (*visit)(void *ctx, const char *name, uint64_t value),
                       void *ctx) {
  s->t.ops->stats(s->t.model, visit, ctx);
}
