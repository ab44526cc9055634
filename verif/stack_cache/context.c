/* SPDX-License-Identifier: Apache-2.0 */
/* context.c: contexts of stack_cache, read by docs/stack_cache_design.md and judged by the golden model, which is kept by
 * slots; what a flush and a reset of the unit leave (SC-13). What a run leaves in memory is kept for each context: when it is
 * loaded, memory behind it is what it was. */
#include "stack_cache/env.h"

#include <stdlib.h>
#include <string.h>

enum { REGS = (STK_REG_ERROR_COUNT - STK_REG_BASE_LO) / 4 + 1 }; /* words of registers, behind a word for each thread */
enum { CHECKED = 16 }; /* sets below those that fit on chip, of which memory is looked at when a flush ends */

struct stk_kept { uint64_t count; uint32_t *value; size_t room; };

bool stk_context_create(struct stk_env *e) {
  e->kept = calloc((size_t)STK_SLOTS * e->s.threads, sizeof *e->kept);
  e->slot = calloc((size_t)STK_SLOTS * (e->s.threads + REGS), sizeof *e->slot);
  return e->kept && e->slot;
}

void stk_context_destroy(struct stk_env *e) {
  for (unsigned i = 0; e->kept && i < STK_SLOTS * e->s.threads; i++) free(e->kept[i].value);
  free(e->kept);
  free(e->slot);
}

static uint64_t no_more(uint64_t addr, const struct stk_env *e) { return addr & ~(uint64_t)0 >> (64 - e->s.addr_w); }

/* ---- saved --------------------------------------------------------------------------------------------------- */

/* The register words; ERROR and what belongs to it is not laid down when an error came with a clear. */
static const char *check_registers(struct stk_env *e, const uint32_t *w) {
  const struct stk_registers *r = &e->regs;
  for (unsigned k = 0; k < REGS; k++) {
    const uint32_t addr = STK_REG_BASE_LO + 4 * k;
    uint32_t expected = 0;
    switch (addr) {
      case STK_REG_BASE_LO: expected = (uint32_t)r->base; break;
      case STK_REG_BASE_HI: expected = (uint32_t)(r->base >> 32); break;
      case STK_REG_STRIDE_LG: expected = r->stride_lg; break;
      case STK_REG_LIMIT: expected = (uint32_t)stk_least(r->limit, e->s.max_depth); break;
      case STK_REG_SPILL_OVER: expected = e->s.policy ? r->now.over : 0; break;
      case STK_REG_SPILL_BURST: expected = e->s.policy ? r->now.burst : 0; break;
      case STK_REG_RESTORE_FREE: expected = e->s.policy ? r->now.free : 0; break;
      case STK_REG_THREAD: expected = r->thread; break;
      case STK_REG_ERROR: expected = r->error; break;
      case STK_REG_ERROR_SET: expected = r->error_set; break;
      case STK_REG_ERROR_COUNT: expected = r->error_count; break;
      default: break;
    }
    if (w[k] != expected && !(r->vague && addr >= STK_REG_ERROR))
      return stk_wrong(e, "a saved context says 0x%x of register 0x%03x, expected 0x%x", w[k], addr, expected);
  }
  return NULL;
}

const char *stk_context_saved(struct stk_env *e, unsigned slot, const uint32_t *w, unsigned words) {
  const unsigned all = e->s.threads + REGS;
  if (words != all) return stk_wrong(e, "a saved context has %u words, expected %u", words, all);
  for (unsigned i = 0; i < e->s.threads; i++) {
    struct stk_thread *t = &e->thread[i];
    const bool fault = w[i] >> 31, open = t->maybe && !t->sure;
    if ((w[i] & 0x7fffffff) != t->count)
      return stk_wrong(e, "thread %u is saved with %u entries, expected %llu", i, w[i] & 0x7fffffff, (unsigned long long)t->count);
    if (!open && fault != (t->fault || t->maybe)) return stk_wrong(e, "thread %u is saved with fault %u", i, fault);
    t->fault = fault;
    t->maybe = false;
    struct stk_kept *k = &e->kept[slot * e->s.threads + i];
    if (k->room < t->count) k->value = realloc(k->value, (k->room = t->count) * e->entry_words * sizeof *k->value);
    if (t->count && !k->value) abort();
    k->count = t->count;
    if (t->count) memcpy(k->value, t->value, t->count * e->entry_words * sizeof *k->value);
  }
  memcpy(&e->slot[slot * all], w, all * sizeof *w);
  return check_registers(e, w + e->s.threads);
}

/* ---- loaded -------------------------------------------------------------------------------------------------- */

/* As behind the loading of `count` entries that are all in memory. */
static void begin_thread(struct stk_env *e, struct stk_thread *t, uint64_t count, bool fault) {
  t->count = t->depth = count;
  t->clean = t->clean_most = t->sure_clean = t->lowest = t->sure_lowest = stk_sets(e, count);
  t->clean_entries = count;
  t->burst = t->n_log = 0;
  t->fault = fault;
  t->maybe = t->sure = t->emptied = false;
  t->init = e->cycle;
}

static void load_registers(struct stk_env *e, const uint32_t *w) {
  struct stk_registers *r = &e->regs;
#define WORD(addr) w[(STK_REG_##addr - STK_REG_BASE_LO) / 4]
  r->base = WORD(BASE_LO) | (uint64_t)WORD(BASE_HI) << 32;
  r->stride_lg = WORD(STRIDE_LG);
  r->limit = WORD(LIMIT);
  if (e->s.policy) r->now = r->old = (struct stk_thresholds){WORD(SPILL_OVER), WORD(SPILL_BURST), WORD(RESTORE_FREE)};
  r->settled = e->cycle;
  r->thread = WORD(THREAD);
  r->error = WORD(ERROR);
  r->error_set = WORD(ERROR_SET);
  r->error_count = WORD(ERROR_COUNT);
#undef WORD
  r->vague = false;
  r->last_error = r->last_fault = e->cycle;
  stk_registers_limit(e);
}

void stk_context_loaded(struct stk_env *e, unsigned slot) {
  const uint32_t *w = &e->slot[slot * (e->s.threads + REGS)];
  load_registers(e, w + e->s.threads);
  e->not_empty = 0;
  for (unsigned i = 0; i < e->s.threads; i++) {
    const struct stk_kept *k = &e->kept[slot * e->s.threads + i];
    struct stk_thread *t = &e->thread[i];
    begin_thread(e, t, k->count, w[i] >> 31);
    if (k->count) stk_golden_entry(e, t, (stk_sets(e, k->count) << e->s.set_lg) - 1);
    if (k->count) memcpy(t->value, k->value, k->count * e->entry_words * sizeof *k->value);
    e->not_empty += k->count > 0;
    stk_cover_if(e, SC_COVER_LOAD_PARTLY, k->count & e->s.set_mask);
    stk_cover_if(e, SC_COVER_LOAD_FAULT, t->fault);
  }
  stk_context_moved(e);
}

void stk_context_moved(struct stk_env *e) {
  uint8_t golden[STK_MAX_SET_BYTES];
  for (unsigned i = 0; i < e->s.threads; i++)
    for (uint64_t set = 0; set < stk_sets(e, e->thread[i].count); set++)
      simt_memory_poke(e->memory, no_more(stk_address(e, i, set), e), golden, stk_golden_set(e, &e->thread[i], set, golden));
}

void stk_context_nonsense(const void *env, uint32_t *w, uint32_t place) {
  const struct stk_env *e = env;
  uint32_t *regs = w + e->s.threads, *thread = &w[place / 16 % e->s.threads];
#define WORD(addr) regs[(STK_REG_##addr - STK_REG_BASE_LO) / 4]
  switch (place % 12) {
    case 0: *thread = (*thread & 1u << 31) | ((uint32_t)e->s.max_depth + 1); break;
    case 1: *thread |= 0x7fffffff; break;
    case 2: *thread = (*thread & 1u << 31) | 1u << 30; break;
    case 3: WORD(STRIDE_LG) = e->s.stride_max + 1; break;
    case 4: WORD(STRIDE_LG) = e->s.set_bytes_lg ? e->s.set_bytes_lg - 1 : 63; break;
    case 5: WORD(LIMIT) = (uint32_t)e->s.max_depth + 1; break;
    case 6: WORD(THREAD) = e->s.threads; break;
    case 7: WORD(SPILL_OVER) = e->s.nsets + 1; break; /* without thresholds anything but 0 is wrong */
    case 8: regs[(0x028 - STK_REG_BASE_LO) / 4 + place / 16 % 2] |= 1u << place / 32 % 32; break; /* no registers */
    case 9: WORD(ERROR) = 1u << place / 16 % 31; break; /* an error that is none */
    case 10: WORD(ERROR) |= 1u << 31 | 1u << (10 + place / 16 % 18); break;
    default: WORD(ERROR_COUNT) = 0x10000 << place / 16 % 16; break;
  }
#undef WORD
}

/* A halt, flush or reset begins: what is in hand ends by the rules of before. */
static void hand_over(struct stk_env *e) {
  e->shut_from = e->cycle;
  e->shut_reads = 0;
}

/* ---- reset ---------------------------------------------------------------------------------------------------- */

void stk_context_clear(struct stk_env *e) {
  struct stk_registers *r = &e->regs;
  hand_over(e);
  r->error = r->error_set = r->error_count = 0;
  r->vague = false;
  r->last_error = r->last_fault = e->cycle;
  e->shut_from = e->cycle; /* a flush's look in hand is one of a visit now, and may begin a read */
  e->shut_reads = 0;
}

void stk_context_cleared(struct stk_env *e) {
  for (unsigned i = 0; i < e->s.threads; i++) begin_thread(e, &e->thread[i], 0, false);
  e->not_empty = 0;
  e->regs.last_fault = e->cycle;
}

/* ---- flush ---------------------------------------------------------------------------------------------------- */

/* SC-13: its bound, from what may be dirty when it begins; memory's time and errors apart. An event in hand ends first: at most a
 * look at all classes of a thread. */
void stk_context_flush(struct stk_env *e) {
  struct stk_flush *f = &e->flushing;
  uint64_t dirty = 0;
  for (unsigned i = 0; i < e->s.threads; i++) {
    const struct stk_thread *t = &e->thread[i];
    const uint64_t clean = stk_least(t->clean, t->depth >> e->s.set_lg), sets = stk_sets(e, t->depth + t->in_pipe);
    dirty += t->fault ? 0 : stk_least(sets - stk_least(clean, sets), e->s.nsets);
  }
  *f = (struct stk_flush){.begin = e->cycle, .latency = 1, .before = e->under_way};
  for (unsigned i = 0; i < e->n_tags; i++) e->access[i].before = e->access[i].under_way;
  hand_over(e);
  f->most = dirty * (e->s.beats > 1 ? 16 + 2 * e->s.beats : 16) + 8 * e->s.threads + 32 + 3 * e->s.inflight + 8; /* 8: to the end that the ports show */
}

const char *stk_context_flushed(struct stk_env *e) {
  uint8_t golden[STK_MAX_SET_BYTES], remote[STK_MAX_SET_BYTES];
  const struct stk_flush *f = &e->flushing;
  const uint64_t rounds = (e->s.nsets + e->s.inflight - 1) / e->s.inflight, most = f->most + rounds * f->latency + 16 * f->errors;
  if (e->under_way) return stk_wrong(e, "a flush ends while %u accesses are under way", e->under_way);
  if (f->spent > most)
    return stk_wrong(e, "a flush takes %llu cycles, expected at most %llu", (unsigned long long)f->spent, (unsigned long long)most);
  for (unsigned i = 0; i < e->s.threads; i++) {
    struct stk_thread *t = &e->thread[i];
    const uint64_t sets = stk_sets(e, t->count), deep = e->s.nsets + CHECKED;
    if (t->fault || t->maybe) continue;
    for (uint64_t set = sets > deep ? sets - deep : 0; set < sets; set++) {
      const unsigned bytes = stk_golden_set(e, t, set, golden);
      simt_memory_peek(e->memory, no_more(stk_address(e, i, set), e), remote, bytes);
      if (memcmp(golden, remote, bytes))
        return stk_wrong(e, "a flush ends but memory does not hold set %llu of thread %u", (unsigned long long)set, i);
    }
    t->clean = t->clean_most = t->sure_clean = sets;
    t->clean_entries = t->count;
    t->burst = 0;
  }
  return NULL;
}

/* A cycle of a flush: those count behind the last answer of what was begun before, in which memory takes what is offered and
 * no register is accessed. */
const char *stk_context_flushes(struct stk_env *e, bool stalled) {
  struct stk_flush *f = &e->flushing;
  f->last = e->cycle;
  const bool walks = e->cycle < e->reset_end + e->s.clear_within; /* of a reset, which comes first */
  f->idle = e->under_way || stalled || walks ? 0 : f->idle + 1;
  if (f->before || walks) f->spent = 0;
  else f->spent += !stalled && !e->regs.busy; /* register accesses, above all of DEPTH, take their time from it */
  return f->idle > 2 * f->most + 64 ? stk_wrong(e, "a flush does nothing for %llu cycles", (unsigned long long)f->idle) : NULL;
}
