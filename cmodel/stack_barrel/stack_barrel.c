/* SPDX-License-Identifier: Apache-2.0 */
/* stack_barrel.c: the transaction level of stack_barrel: its operations, over the cycle model and a memory of callbacks. */
#include "core/ports.h"
#include "stack_barrel/stack_barrel.h"

#include <stdlib.h>
#include <string.h>

#include "stack_barrel/layout.h"
#include "core/transact.h"

extern const struct simt_block simt_block_stack_barrel;

#define SB_LEVEL_PORTS(PORT) \
  PORT(op_valid, op_valid_i) PORT(op_kind, op_kind_i) PORT(op_thread, op_thread_i) PORT(op_data, op_data_i) \
  PORT(can_push, can_push_o) PORT(can_top, can_top_o) PORT(can_go, can_go_o) \
  PORT(ans_valid, ans_valid_o) PORT(ans_thread, ans_thread_o) PORT(ans_kind, ans_kind_o) \
  PORT(ans_status, ans_status_o) PORT(ans_data_valid, ans_data_valid_o) PORT(ans_data, ans_data_o)
SIMT_PORTS(sb_level_ports, SB_LEVEL_PORTS)

struct stack_barrel {
  struct simt_transact t;
  struct sb_layout l;
  struct sb_level_ports at;
};

/* One cycle with the operation as it is; it is withdrawn after it. */
static void tick(struct stack_barrel *s) {
  simt_transact_tick(&s->t);
  s->t.in[s->at.op_valid] = 0;
}

void stack_barrel_advance(struct stack_barrel *s, uint64_t cycles) {
  while (cycles--) tick(s);
}

unsigned stack_barrel_latency(const struct stack_barrel *s) {
  return SB_LATENCY + s->l.out_reg;
}

uint64_t stack_barrel_cycle(const struct stack_barrel *s) { return s->t.cycle; }

/* ---- life --------------------------------------------------------------------------------------------- */

struct stack_barrel *stack_barrel_create(const char *const *params, const struct simt_remote *memory,
                                       struct simt_diag *diag) {
  struct stack_barrel *s = calloc(1, sizeof *s);
  if (!s) {
    simt_fail(diag, "stack_barrel", "no memory", "memory for the model");
    return NULL;
  }
  if (!simt_transact_open(&s->t, &simt_block_stack_barrel, params, memory, diag) ||
      (simt_derived(&s->t.cfg, "MEM_BEATS") > 1 && !simt_fail(diag, "MEM_W", "entry", "set: the memory of callbacks takes whole sets"))) {
    stack_barrel_destroy(s);
    return NULL;
  }
  sb_layout(s->t.cfg.value, &s->l);
  sb_level_ports_bind(&s->at, &s->t.cfg);
  while (!stack_barrel_can_go(s, 0, STACK_BARREL_PUSH)) tick(s);
  s->t.cycle = 0;
  return s;
}

void stack_barrel_destroy(struct stack_barrel *s) {
  if (!s) return;
  simt_transact_close(&s->t);
  free(s);
}

/* ---- operations --------------------------------------------------------------------------------------- */

static unsigned entry_words(const struct stack_barrel *s) { return (s->l.entry_w + 31) / 32; }

bool stack_barrel_can_go(const struct stack_barrel *s, unsigned thread, enum stack_barrel_kind kind) {
  if (thread >= s->l.threads || (unsigned)kind >= SB_KINDS) return false;
  uint32_t push = s->t.out[s->at.can_push + thread / 32], top = s->t.out[s->at.can_top + thread / 32];
  uint32_t can = kind == STACK_BARREL_INIT ? push | top : kind == STACK_BARREL_PUSH ? push : top;
  return s->t.out[s->at.can_go] && can >> thread % 32 & 1;
}

bool stack_barrel_issue(struct stack_barrel *s, enum stack_barrel_kind kind, unsigned thread, const uint32_t *value) {
  bool taken = stack_barrel_can_go(s, thread, kind);
  if (thread < s->l.threads && (unsigned)kind < SB_KINDS) {
    unsigned n = entry_words(s), rest = s->l.entry_w % 32;
    s->t.in[s->at.op_valid] = 1;
    s->t.in[s->at.op_kind] = kind;
    s->t.in[s->at.op_thread] = thread;
    if (kind == STACK_BARREL_PUSH || kind == STACK_BARREL_REPLACE) {
      memcpy(&s->t.in[s->at.op_data], value, n * sizeof *value);
      if (rest) s->t.in[s->at.op_data + n - 1] &= ((uint32_t)1 << rest) - 1;
    }
  }
  tick(s);
  return taken;
}

bool stack_barrel_answer(const struct stack_barrel *s, struct stack_barrel_answer *answer) {
  const struct sb_level_ports *at = &s->at;
  if (!s->t.out[at->ans_valid]) return false;
  *answer = (struct stack_barrel_answer){.thread = s->t.out[at->ans_thread],
                                        .kind = (enum stack_barrel_kind)s->t.out[at->ans_kind],
                                        .status = (enum stack_barrel_status)s->t.out[at->ans_status],
                                        .has_value = s->t.out[at->ans_data_valid]};
  if (answer->has_value) memcpy(answer->value, &s->t.out[at->ans_data], entry_words(s) * sizeof *answer->value);
  return true;
}

static struct stack_barrel_result operate(struct stack_barrel *s, enum stack_barrel_kind kind, unsigned thread,
                                         const uint32_t *value, uint32_t *popped) {
  struct stack_barrel_result r = {.status = STACK_BARREL_NO_THREAD};
  struct stack_barrel_answer answer;
  if (thread >= s->l.threads) return r;
  while (!stack_barrel_issue(s, kind, thread, value)) r.wait++;
  stack_barrel_advance(s, stack_barrel_latency(s) - 1);
  r.cycles = r.wait + stack_barrel_latency(s);
  if (!stack_barrel_answer(s, &answer)) abort(); /* the model breaks its first promise */
  r.status = answer.status;
  if (answer.has_value) memcpy(popped, answer.value, entry_words(s) * sizeof *popped);
  return r;
}

struct stack_barrel_result stack_barrel_push(struct stack_barrel *s, unsigned thread, const uint32_t *value) {
  return operate(s, STACK_BARREL_PUSH, thread, value, NULL);
}

struct stack_barrel_result stack_barrel_pop(struct stack_barrel *s, unsigned thread, uint32_t *value) {
  return operate(s, STACK_BARREL_POP, thread, NULL, value);
}

struct stack_barrel_result stack_barrel_peek(struct stack_barrel *s, unsigned thread, uint32_t *value) {
  return operate(s, STACK_BARREL_PEEK, thread, NULL, value);
}

struct stack_barrel_result stack_barrel_replace(struct stack_barrel *s, unsigned thread, const uint32_t *value) {
  return operate(s, STACK_BARREL_REPLACE, thread, value, NULL);
}

struct stack_barrel_result stack_barrel_init(struct stack_barrel *s, unsigned thread) {
  return operate(s, STACK_BARREL_INIT, thread, NULL, NULL);
}

/* ---- registers and counts ------------------------------------------------------------------------------ */

bool stack_barrel_read_register(struct stack_barrel *s, uint32_t addr, uint32_t *data) {
  return simt_transact_read(&s->t, addr, data);
}

bool stack_barrel_write_register(struct stack_barrel *s, uint32_t addr, uint32_t data) {
  return simt_transact_write(&s->t, addr, data);
}

void stack_barrel_stats(const struct stack_barrel *s, void (*visit)(void *ctx, const char *name, uint64_t value),
                       void *ctx) {
  s->t.ops->stats(s->t.model, visit, ctx);
}
