/* SPDX-License-Identifier: Apache-2.0 */
/* context.c: contexts, read by the page of the block (docs/stack_cache_status.md) and judged by the golden model
 * and the pointers that the ports have shown; nothing here is shared with the block's own code. */
#include "stack_cache/env.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD = SC_CTX_HEAD };

/* ---- format ---------------------------------------------------------------------------------------------- */

/* FNV over the parameters that shape a context. */
static uint32_t shape(const struct sc_env *e) {
  static const char *const name[] = {"THREADS", "ENTRY_W", "ENTRIES", "SET", "MAX_DEPTH", "POLICY", "FLAGS", "INFLIGHT",
                                     "ADDR_W"};
  uint32_t h = 0x811c9dc5;
  for (size_t i = 0; i < sizeof name / sizeof *name; i++) h = (h ^ (uint32_t)simt_param(e->cfg, name[i])) * 0x01000193;
  return h;
}

/* How a load of n words must end, from the format alone, when the last one comes with `found`, what its store found;
 * *payload: the error is found after the header. */
unsigned sc_context_judge(const struct sc_env *e, const uint32_t *w, unsigned n, unsigned found, bool *payload) {
  const uint32_t head[2] = {(uint32_t)SC_UNIT_TYPE << 16 | SC_UNIT_NUMBER, shape(e)};
  *payload = false;
  for (unsigned i = 0; i < HEAD; i++) {
    if (i + 1 == n && found == SIMT_STREAM_BAD_MEMORY) return SIMT_CONTEXT_BAD_MEMORY;
    if (i == 0 && w[0] >> 16 != head[0] >> 16) return SIMT_CONTEXT_BAD_TYPE;
    if (i == 0 && w[0] != head[0]) return SIMT_CONTEXT_BAD_UNIT;
    if (i == 1 && w[1] != head[1]) return SIMT_CONTEXT_BAD_TYPE;
    if (i == 2 && (!w[2] || w[2] > e->l.ctx_max)) return SIMT_CONTEXT_BAD_LENGTH;
    if (i + 1 == n) return SIMT_CONTEXT_BAD_LENGTH;
  }
  *payload = true;
  if (found == SIMT_STREAM_BAD_MEMORY && n <= w[2] + HEAD) return SIMT_CONTEXT_BAD_MEMORY;
  if (n != w[2] + HEAD) return SIMT_CONTEXT_BAD_LENGTH;
  return found ? SIMT_CONTEXT_BAD_SUM : SIMT_CONTEXT_GOOD;
}

/* ---- a saved context against the golden model ------------------------------------------------------------- */

enum { FLUSHED = 1u << 30 };

static uint32_t register_word(const struct sc_env *e, unsigned k) {
  const struct sc_registers *r = &e->regs;
  bool threshold = e->l.policy == SC_THRESHOLD;
  switch (k) {
    case 0: return (uint32_t)r->base;
    case 1: return (uint32_t)(r->base >> 32);
    case 2: return (uint32_t)(r->limit < e->l.max_depth ? r->limit : e->l.max_depth);
    case 3: return r->stride_lg | r->thread << 16 | (uint32_t)e->unit.flush_on_halt << 31;
    case 4: return threshold ? r->spill_over | r->spill_burst << 16 : 0;
    case 5: return threshold ? r->restore_free : 0;
    case 6: return r->error;
    case 7: return r->error_set;
    default: return r->error_count;
  }
}

static const char *check_registers(struct sc_env *e, const uint32_t *w) {
  for (unsigned k = 0; k < SC_CTX_REGS; k++) {
    uint32_t got = k == 3 ? w[k] & ~(uint32_t)FLUSHED : w[k], expected = register_word(e, k);
    if (got != expected) return sc_wrong(e, "word %u of a saved context is 0x%x, expected 0x%x", k, got, expected);
  }
  return NULL;
}

static const char *check_thread(struct sc_env *e, unsigned thread, const uint32_t *w, bool flushed) {
  struct sc_env_thread *t = &e->thread[thread];
  struct sc_pointers *p = &t->at;
  uint64_t sets = sc_sets(e, p->count), dirty = w[1] & 0x7ff, valid = w[1] >> 16 & 0x7ff;
  if (!flushed && valid == sets - p->lowest + 1) sc_it_was_kept(e, thread);
  uint64_t want_dirty = flushed ? 0 : sets - p->spilled, want_valid = flushed ? 0 : sets - p->lowest;
  uint32_t off = e->l.flags && !flushed ? (uint32_t)(p->clean - (p->spilled << e->l.set_lg)) : 0;
  bool off_matters = !flushed || !p->fault;
  if ((w[0] & 0xffffff) != p->count || p->count != e->stack[thread].count)
    return sc_wrong(e, "thread %u is saved with %u entries, expected %llu", thread, w[0] & 0x1fffff,
                    (unsigned long long)e->stack[thread].count);
  if (w[0] >> 31 != p->fault || w[0] >> 31 != t->fault)
    return sc_wrong(e, "thread %u is saved with fault %u, expected %u", thread, w[0] >> 31, p->fault);
  if ((w[0] >> 30 & 1) && !t->may_drain) return sc_wrong(e, "thread %u is saved as waiting for old answers", thread);
  if (off_matters && (w[0] >> 24 & 0x3f) != off)
    return sc_wrong(e, "thread %u is saved with offset %u, expected %u", thread, w[0] >> 24 & 0x3f, off);
  if (dirty != want_dirty || valid != want_valid || (w[1] & 0xf800f800))
    return sc_wrong(e, "thread %u is saved with %u dirty and %u valid sets, expected %u and %u", thread, (unsigned)dirty,
                    (unsigned)valid, (unsigned)want_dirty, (unsigned)want_valid);
  bool drain = w[0] >> 30 & 1; /* then the burst ends with the drain */
  if (w[2] > (drain ? e->l.nsets - 1 : e->l.policy == SC_THRESHOLD ? t->burst : 0))
    return sc_wrong(e, "thread %u is saved within a burst of %u, expected at most %u", thread, w[2], t->burst);
  return NULL;
}

/* The entries of a slot: those of the valid set in it, and 0 otherwise. */
static const char *check_slot(struct sc_env *e, unsigned thread, unsigned slot, const uint32_t *w) {
  const struct sc_pointers *p = &e->thread[thread].at;
  uint64_t sets = sc_sets(e, p->count), set = sets - 1 - ((sets - 1 - slot) & (e->l.nsets - 1));
  bool valid = sets > p->lowest && (sets - 1 - slot) % e->l.nsets < sets - p->lowest;
  for (unsigned i = 0; i < e->l.set; i++) {
    uint64_t entry = (set << e->l.set_lg) + i;
    const uint32_t *value = valid && entry < p->count ? &e->stack[thread].value[entry * e->at.data_words] : NULL;
    for (unsigned k = 0; k < e->l.word_w; k++, w++)
      if (*w != (value ? value[k] : 0))
        return sc_wrong(e, "thread %u, slot %u, entry %u is saved as 0x%x, expected %s0x%x", thread, slot, i, *w,
                        value ? "" : "no entry, ", value ? value[k] : 0);
  }
  return NULL;
}

/* What is below S is in memory. */
static const char *check_memory(struct sc_env *e, unsigned thread) {
  uint8_t golden[SC_MAX_WORDS * 4 * 16], remote[sizeof golden];
  uint64_t region = e->regs.base + ((uint64_t)thread << e->regs.stride_lg);
  for (uint64_t set = 0; set < e->thread[thread].at.spilled; set++) {
    uint64_t addr = (region + (set << e->l.set_bytes_lg)) & ~(uint64_t)0 >> (64 - e->l.addr_w);
    unsigned n = sc_golden_set(e, thread, set, golden);
    simt_memory_peek(e->memory, addr, remote, n);
    if (memcmp(golden, remote, n))
      return sc_wrong(e, "thread %u: memory does not hold set %llu when the context is saved", thread,
                      (unsigned long long)set);
  }
  return NULL;
}

const char *sc_context_saved(struct sc_env *e) {
  const uint32_t *w = e->front.stream + HEAD;
  bool payload;
  unsigned error = sc_context_judge(e, e->front.stream, e->front.n, SIMT_STREAM_GOOD, &payload);
  if (error) return sc_wrong(e, "a saved context of %u words would be refused with error %u", e->front.n, error);
  bool flushed = w[3] & FLUSHED;
  uint64_t length = flushed ? e->l.ctx_short : e->l.ctx_max;
  if (e->front.stream[HEAD - 1] != length)
    return sc_wrong(e, "a saved context has %u words, expected %llu", e->front.stream[HEAD - 1], (unsigned long long)length);
  const char *wrong = check_registers(e, w);
  w += SC_CTX_REGS;
  for (unsigned t = 0; t < e->l.threads && !wrong; t++, w += SC_CTX_THREAD) wrong = check_thread(e, t, w, flushed);
  for (unsigned t = 0; t < e->l.threads && !wrong && !flushed; t++)
    for (unsigned s = 0; s < e->l.nsets && !wrong; s++, w += e->l.set * e->l.word_w) wrong = check_slot(e, t, s, w);
  for (unsigned t = 0; t < e->l.threads && !wrong; t++)
    if (!e->thread[t].at.fault) wrong = check_memory(e, t);
  sc_cover_if(e, SC_COVER_SAVE_FLUSHED, flushed);
  return wrong;
}

/* ---- the golden model moves along ---------------------------------------------------------------------------- */

static void copy_stack(struct sc_env *e, struct sc_env_stack *to, const struct sc_env_stack *from) {
  size_t entry = e->at.data_words * sizeof *to->value;
  to->count = from->count;
  if (!from->count) return;
  sc_golden_entry(e, to, ((sc_sets(e, from->count)) << e->l.set_lg) - 1);
  memcpy(to->value, from->value, from->count * entry);
}

void sc_context_keep(struct sc_env *e, struct sc_process *p) {
  memcpy(p->words, e->front.stream, e->front.n * sizeof *p->words);
  p->n = e->front.n;
  p->valid = true;
  for (unsigned t = 0; t < e->l.threads; t++) copy_stack(e, &p->stack[t], &e->stack[t]);
}

static void load_registers(struct sc_env *e, const uint32_t *w) {
  struct sc_registers *r = &e->regs;
  r->base = w[0] | (uint64_t)w[1] << 32;
  r->limit = w[2];
  r->stride_lg = w[3] & 0x3f;
  r->thread = w[3] >> 16 & 0x3ff;
  e->unit.flush_on_halt = w[3] >> 31;
  if (e->l.policy == SC_THRESHOLD) {
    r->spill_over = r->old_over = w[4] & 0x7ff;
    r->spill_burst = r->old_burst = w[4] >> 16 & 0x7ff;
    r->restore_free = r->old_free = w[5] & 0x7ff;
  }
  r->error = w[6];
  r->error_set = w[7];
  r->error_count = w[8];
  e->unit.nack = r->error >> 31;
  sc_cover_if(e, SC_COVER_LOAD_NACK, e->unit.nack);
  r->last_error = r->last_fault = e->cycle;
  sc_registers_limit(e);
}

void sc_context_loaded(struct sc_env *e, const struct sc_process *p) {
  const uint32_t *w = p->words + HEAD;
  load_registers(e, w);
  w += SC_CTX_REGS;
  e->not_empty = 0;
  for (unsigned t = 0; t < e->l.threads; t++, w += SC_CTX_THREAD) {
    struct sc_pointers at = {.count = w[0] & 0x1fffff, .fault = w[0] >> 31};
    uint64_t sets = sc_sets(e, at.count);
    at.spilled = sets - (w[1] & 0x7ff);
    at.lowest = sets - (w[1] >> 16 & 0x7ff);
    at.clean = (at.spilled << e->l.set_lg) + (w[0] >> 24 & 0x3f);
    copy_stack(e, &e->stack[t], &p->stack[t]);
    e->not_empty += at.count > 0;
    sc_rules_load(e, t, &at, w[0] >> 30 & 1 ? 0 : w[2]);
    e->thread[t].may_drain = w[0] >> 30 & 1;
    sc_cover_if(e, SC_COVER_LOAD_PARTLY, (at.count & e->set_mask) && at.lowest == sets);
    sc_cover_if(e, SC_COVER_LOAD_FAULT, at.fault);
  }
  sc_context_move(e);
}

void sc_context_move(struct sc_env *e) {
  uint8_t golden[SC_MAX_WORDS * 4 * 16];
  for (unsigned t = 0; t < e->l.threads; t++)
    for (uint64_t set = 0; set < e->thread[t].at.spilled; set++) {
      uint64_t addr = e->regs.base + ((uint64_t)t << e->regs.stride_lg) + (set << e->l.set_bytes_lg);
      simt_memory_poke(e->memory, addr & ~(uint64_t)0 >> (64 - e->l.addr_w), golden, sc_golden_set(e, t, set, golden));
    }
}
