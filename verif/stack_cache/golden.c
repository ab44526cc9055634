/* SPDX-License-Identifier: Apache-2.0 */
/* golden.c: what stack_cache means: a stack without limits for each thread, in the order of the operations taken. No sets,
 * no memory, no cycles but the one that is promised: the latency of an answer (SC-3). */
#include "stack_cache/env.h"

#include <stdlib.h>
#include <string.h>

uint32_t *stk_golden_entry(struct stk_env *e, struct stk_thread *t, uint64_t i) {
  if (i >= t->room) {
    if (!t->room) t->room = 64;
    while (i >= t->room) t->room *= 2;
    t->value = realloc(t->value, t->room * e->entry_words * sizeof *t->value);
    if (!t->value) abort();
  }
  return &t->value[i * e->entry_words];
}

unsigned stk_golden_set(const struct stk_env *e, const struct stk_thread *t, uint64_t set, uint8_t *to) {
  const uint64_t first = set << e->s.set_lg, entries = first < t->count ? stk_least(t->count - first, e->s.set) : 0;
  const size_t n = e->entry_words * 4;
  memset(to, 0, e->s.set_bytes);
  for (unsigned i = 0; i < entries; i++)
    memcpy(to + (size_t)i * e->s.entry_bytes, &t->value[(first + i) * e->entry_words], n < e->s.entry_bytes ? n : e->s.entry_bytes);
  return (unsigned)entries << e->s.entry_bytes_lg;
}

/* ---- the pointers of SC-4, as operations move them ------------------------------------------------------------ */

uint64_t stk_clean_after(const struct stk_env *e, const struct stk_change *c, uint64_t clean) {
  switch (c->kind) {
    case STK_PUSH: return stk_least(clean, c->count >> e->s.set_lg);
    case STK_REPLACE: return stk_least(clean, (c->count - 1) >> e->s.set_lg);
    case STK_POP: return (c->count - 1) & e->s.set_mask ? clean : stk_least(clean, (c->count - 1) >> e->s.set_lg);
    case STK_INIT: return 0;
    default: return clean;
  }
}

/* An operation that answered ok says that the top's set is on chip. */
static void is_on_chip(struct stk_thread *t, uint64_t set) {
  t->lowest = stk_least(t->lowest, set);
  t->sure_lowest = stk_least(t->sure_lowest, set);
}

/* A push into a slot says that the set that was in it could go: it was clean. */
static void take_slot(struct stk_env *e, struct stk_thread *t, uint64_t set) {
  if (set < e->s.nsets) return;
  const uint64_t above = set + 1 - e->s.nsets;
  t->sure_clean = stk_most(t->sure_clean, above);
  t->lowest = stk_most(t->lowest, above);
  t->sure_lowest = stk_most(t->sure_lowest, above);
}

static void move_pointers(struct stk_env *e, struct stk_thread *t, const struct stk_change *c) {
  const uint64_t set = c->count >> e->s.set_lg, top = c->count ? (c->count - 1) >> e->s.set_lg : 0;
  if (c->kind == STK_PUSH) {
    if (c->count & e->s.set_mask) is_on_chip(t, set);
    else take_slot(e, t, set);
  } else if (c->kind != STK_INIT) {
    is_on_chip(t, top);
  } else {
    t->lowest = t->sure_lowest = 0;
  }
  t->clean = stk_clean_after(e, c, t->clean);
  t->clean_most = stk_clean_after(e, c, t->clean_most);
  t->sure_clean = stk_clean_after(e, c, t->sure_clean);
}

/* ---- operations -------------------------------------------------------------------------------------------------- */

uint64_t stk_clean_entries_after(const struct stk_env *e, const struct stk_change *c, uint64_t entries) {
  switch (c->kind) {
    case STK_PUSH: return stk_least(entries, c->count);
    case STK_REPLACE: return stk_least(entries, c->count - 1);
    case STK_POP: return (c->count - 1) & e->s.set_mask ? entries : stk_least(entries, c->count - 1);
    case STK_INIT: return 0;
    default: return entries;
  }
}

static void count_operation(struct stk_env *e, struct stk_thread *t, const struct stk_change *c) {
  static const uint8_t ok[] = {SC_COVER_PUSH_OK, SC_COVER_POP_OK, SC_COVER_PEEK_OK, SC_COVER_REPLACE_OK, SC_COVER_INIT_OK};
  const uint64_t set = c->count ? (c->count - 1) >> e->s.set_lg : 0;
  stk_cover_if(e, ok[c->kind], c->kind != STK_INIT || c->count);
  if (c->kind == STK_PUSH) {
    stk_event(e, STK_N_PUSH, 1, 1);
    stk_registers_deepest(e, t);
    stk_cover_if(e, SC_COVER_SLOTS_WRAP, t->count > 2 * e->s.entries);
    stk_cover_if(e, SC_COVER_DEEP, t->count > 4 * e->s.entries);
    stk_cover_if(e, SC_COVER_OVERWRITE_CLEAN, !(c->count & e->s.set_mask) && c->count >= e->s.entries);
  } else if (c->kind == STK_POP) {
    const bool clean = e->s.flags ? c->count - 1 < t->clean_entries : set < c->clean;
    stk_event(e, STK_N_POP, 1, 1);
    stk_event(e, STK_N_CLEAN_POP, clean, 1);
    stk_cover_if(e, SC_COVER_CLEAN_POP, clean);
  } else if (c->kind == STK_REPLACE) {
    stk_cover_if(e, SC_COVER_CLEAN_REPLACE, set < c->clean);
  }
  if (c->kind != STK_PUSH && c->kind != STK_REPLACE) return;
  stk_cover_if(e, SC_COVER_DIRTY_AGAIN, t->clean < c->clean);
  for (int i = t->first; i >= 0; i = e->access[i].next)
    stk_cover_if(e, SC_COVER_DIRTY_UNDER_WAY, e->access[i].write && e->access[i].set == c->index >> e->s.set_lg);
}

/* What the stack holds afterwards; the entry that is returned, or NULL. */
static const uint32_t *perform(struct stk_env *e, const struct stk_operation *op) {
  struct stk_thread *t = &e->thread[op->thread];
  struct stk_change *c = &t->log[t->n_log++ % STK_LOG];
  const size_t size = e->entry_words * sizeof *t->value;
  const uint32_t *value = NULL;
  *c = (struct stk_change){.cycle = e->cycle, .count = t->count, .index = UINT64_MAX, .clean = t->clean,
                            .clean_most = t->clean_most, .kind = op->kind, .burst = t->burst};
  if (op->kind == STK_PUSH || op->kind == STK_REPLACE) {
    c->index = op->kind == STK_PUSH ? t->count : t->count - 1;
    uint32_t *entry = stk_golden_entry(e, t, c->index);
    memcpy(c->old, entry, size);
    memcpy(entry, op->data, size);
  } else if (op->kind != STK_INIT) {
    value = stk_golden_entry(e, t, t->count - 1);
  }
  move_pointers(e, t, c);
  if (op->kind == STK_INIT) t->burst = 0;
  t->count = op->kind == STK_PUSH ? t->count + 1 : op->kind == STK_POP ? t->count - 1 : op->kind == STK_INIT ? 0 : t->count;
  e->not_empty += (uint64_t)(t->count > 0) - (uint64_t)(c->count > 0);
  count_operation(e, t, c);
  t->clean_entries = stk_clean_entries_after(e, c, t->clean_entries);
  return value;
}

void stk_golden_take(struct stk_env *e, struct stk_operation *op) {
  struct stk_thread *t = &e->thread[op->thread];
  op->valid = true;
  op->taken = e->cycle;
  t->in_pipe++;
  op->fault_must = t->fault || (t->maybe && t->sure && e->cycle >= t->due);
  op->fault_may = t->fault || t->maybe;
  if (op->kind == STK_INIT) {
    stk_cover_if(e, SC_COVER_INIT_FAULT, t->fault);
    stk_cover_if(e, SC_COVER_INIT_UNDER_WAY, t->under_way > 0);
    if (t->fault || t->maybe) e->regs.last_fault = e->cycle;
    t->fault = t->maybe = false;
    t->depth = 0;
    stk_requests_init(e, op->thread);
  } else if (!t->fault) {
    if (op->kind == STK_PUSH) t->depth += t->depth < e->regs.effective;
    else if (op->kind == STK_POP && t->depth) t->depth--;
  }
}

/* The status that an operation may have, a bit each. A fault and a new limit are known from a stated cycle on; before it
 * either is right. */
static unsigned statuses(const struct stk_env *e, const struct stk_operation *op) {
  const struct stk_thread *t = &e->thread[op->thread];
  const struct stk_registers *r = &e->regs;
  unsigned may = 0;
  if (op->kind == STK_INIT) return 1u << STK_OK;
  const bool current = t->init <= op->taken; /* no init was taken since */
  if (op->fault_must || (current && t->fault)) return 1u << STK_FAULT;
  if (op->fault_may || (current && t->maybe)) may |= 1u << STK_FAULT;
  if (op->kind != STK_PUSH) return may | 1u << (t->count ? STK_OK : STK_UNDERFLOW);
  if (op->taken >= r->limit_acts) return may | 1u << (t->count >= r->effective ? STK_OVERFLOW : STK_OK);
  if (t->count >= r->least_limit) may |= 1u << STK_OVERFLOW;
  return t->count < r->most_limit ? may | 1u << STK_OK : may;
}

static void watch_status(struct stk_env *e, const struct stk_operation *op, unsigned status) {
  static const uint8_t fault[] = {SC_COVER_PUSH_FAULT, SC_COVER_POP_FAULT, SC_COVER_PEEK_FAULT, SC_COVER_REPLACE_FAULT};
  static const uint8_t under[] = {0, SC_COVER_POP_UNDERFLOW, SC_COVER_PEEK_UNDERFLOW, SC_COVER_REPLACE_UNDERFLOW};
  struct stk_thread *t = &e->thread[op->thread];
  if (status == STK_FAULT) {
    e->cover[fault[op->kind]]++;
    stk_cover_if(e, SC_COVER_ERROR_WAITING, op->waited);
    if (t->init > op->taken) return;
    if (!t->fault) e->regs.last_fault = e->cycle;
    t->fault = true;
    t->maybe = false;
  } else if (t->maybe && op->kind != STK_INIT && op->taken >= t->due) {
    t->maybe = false; /* it was not sure, and is not so */
  }
  if (status == STK_UNDERFLOW) e->cover[under[op->kind]]++;
  if (status == STK_OVERFLOW) e->cover[SC_COVER_PUSH_OVERFLOW]++;
}

static const char *compare(struct stk_env *e, const struct stk_operation *op, const uint32_t *out) {
  const struct stk_ports *at = &e->at;
  const unsigned status = out[at->ans_status];
  if (out[at->ans_thread] != op->thread || out[at->ans_kind] != op->kind)
    return stk_wrong(e, "the answer is for kind %u of thread %u, expected kind %u of thread %u", out[at->ans_kind],
                     out[at->ans_thread], op->kind, op->thread);
  const unsigned may = statuses(e, op);
  if (status > STK_FAULT || !(may >> status & 1))
    return stk_wrong(e, "thread %u kind %u answers status %u, expected one of the set 0x%x", op->thread, op->kind, status, may);
  watch_status(e, op, status);
  const uint32_t *value = status == STK_OK ? perform(e, op) : NULL;
  if (out[at->ans_data_valid] != (value != NULL))
    return stk_wrong(e, "thread %u kind %u: ans_data_valid_o is %u", op->thread, op->kind, out[at->ans_data_valid]);
  if (value && memcmp(value, &out[at->ans_data], e->entry_words * sizeof *value))
    return stk_wrong(e, "thread %u: the entry above %llu others is 0x%x.., expected 0x%x..", op->thread,
                     (unsigned long long)(e->thread[op->thread].count - (op->kind == STK_PEEK)), out[at->ans_data], value[0]);
  return NULL;
}

const char *stk_golden_answer(struct stk_env *e, const uint32_t *out) {
  struct stk_operation *op = &e->ring[(e->cycle - e->s.latency) % STK_RING];
  const bool answers = out[e->at.ans_valid], due = op->valid && op->taken + e->s.latency == e->cycle;
  if (!due) return answers ? stk_wrong(e, "an answer without an operation %u cycles ago", e->s.latency) : NULL;
  struct stk_thread *t = &e->thread[op->thread];
  op->valid = false;
  e->answered++;
  t->in_pipe--;
  if (!answers) return stk_wrong(e, "thread %u kind %u is not answered after %u cycles", op->thread, op->kind, e->s.latency);
  const char *wrong = compare(e, op, out);
  if (!t->in_pipe) t->depth = t->count;
  return wrong;
}

void stk_golden_reset(struct stk_env *e) {
  for (unsigned i = 0; i < e->s.threads; i++) {
    struct stk_thread *t = &e->thread[i];
    *t = (struct stk_thread){.value = t->value, .room = t->room, .first = -1};
  }
  memset(e->ring, 0, sizeof e->ring);
  e->not_empty = 0;
}
