/* SPDX-License-Identifier: Apache-2.0 */
/* golden.c: what stack_cache means: a stack without limits for each thread, in the order of the operations
 * taken. No sets, no memory. SC-3 fixes when the answer comes, SC-12 the status. */
#include "stack_cache/env.h"

#include <stdlib.h>
#include <string.h>

uint32_t *sc_golden_entry(struct sc_env *e, struct sc_env_stack *s, uint64_t i) {
  size_t words = e->at.data_words;
  if (i >= s->room) {
    if (!s->room) s->room = 64;
    while (i >= s->room) s->room *= 2;
    s->value = realloc(s->value, s->room * words * sizeof *s->value);
    if (!s->value) abort();
  }
  return &s->value[i * words];
}

/* What the stack holds afterwards; the entry that is returned, or NULL. */
static const uint32_t *perform(struct sc_env *e, const struct sc_operation *op) {
  struct sc_env_stack *s = &e->stack[op->thread];
  size_t size = e->at.data_words * sizeof *s->value;
  uint64_t before = s->count;
  const uint32_t *value = NULL;
  switch (op->kind) {
    case SC_PUSH: memcpy(sc_golden_entry(e, s, s->count), op->data, size); s->count++; break;
    case SC_POP: value = sc_golden_entry(e, s, --s->count); break;
    case SC_PEEK: value = sc_golden_entry(e, s, s->count - 1); break;
    case SC_REPLACE: memcpy(sc_golden_entry(e, s, s->count - 1), op->data, size); break;
    default: s->count = 0; break;
  }
  e->not_empty += (uint64_t)(s->count > 0) - (uint64_t)(before > 0);
  return value;
}

enum sc_status sc_golden_take(struct sc_env *e, unsigned thread, enum sc_kind kind) {
  struct sc_env_thread *t = &e->thread[thread];
  if (kind == SC_INIT) {
    t->depth = 0;
    t->fault = false;
    return SC_OK;
  }
  if (t->fault) return SC_FAULT;
  if (kind == SC_PUSH) {
    if (t->depth >= e->regs.effective) return SC_OVERFLOW;
    t->depth++;
    return SC_OK;
  }
  if (!t->depth) return SC_UNDERFLOW;
  t->depth -= kind == SC_POP;
  return SC_OK;
}

static const char *compare(struct sc_env *e, const struct sc_operation *op, const uint32_t *value,
                           const uint32_t *out) {
  const struct sc_env_ports *at = &e->at;
  if (out[at->ans_thread] != op->thread || out[at->ans_kind] != op->kind)
    return sc_wrong(e, "the answer is for kind %u of thread %u, expected kind %u of thread %u", out[at->ans_kind],
                    out[at->ans_thread], op->kind, op->thread);
  if (out[at->ans_status] != op->status)
    return sc_wrong(e, "thread %u kind %u answers status %u, expected %u", op->thread, op->kind,
                    out[at->ans_status], op->status);
  if (out[at->ans_data_valid] != (value != NULL))
    return sc_wrong(e, "thread %u kind %u: ans_data_valid_o is %u", op->thread, op->kind, out[at->ans_data_valid]);
  if (value && memcmp(value, &out[at->ans_data], at->data_words * sizeof *value))
    return sc_wrong(e, "thread %u: entry %llu is 0x%x.., expected 0x%x..", op->thread,
                    (unsigned long long)e->stack[op->thread].count, out[at->ans_data], value[0]);
  return NULL;
}

const char *sc_golden_answer(struct sc_env *e, const uint32_t *out) {
  const struct sc_operation *op = &e->ring[(e->cycle + 1) & 3];
  bool answers = out[e->at.ans_valid];
  if (!op->valid) return answers ? sc_wrong(e, "an answer without an operation three cycles ago") : NULL;
  e->answered++;
  const uint32_t *value = op->status == SC_OK ? perform(e, op) : NULL;
  if (!answers) return sc_wrong(e, "thread %u kind %u is not answered after 3 cycles", op->thread, op->kind);
  return compare(e, op, value, out);
}

void sc_golden_reset(struct sc_env *e) {
  for (unsigned i = 0; i < e->l.threads; i++) e->stack[i].count = 0;
  for (unsigned i = 0; i < 4; i++) e->ring[i].valid = false;
  e->not_empty = 0;
}
