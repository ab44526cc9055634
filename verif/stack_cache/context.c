/* SPDX-License-Identifier: Apache-2.0 */
/* context.c: contexts of stack_cache, read by docs/stack_cache_design.md and judged by the golden model, which is kept by
 * slots; what a flush and a reset of the unit leave (SC-13). What a run leaves in memory is kept for each context: when it is
 * loaded, memory behind it is what it was. */
#include "stack_cache/env.h"

#include <stdlib.h>
#include <string.h>

enum { REGS = (STK_REG_ERROR_COUNT - STK_REG_BASE_LO) / 4 + 1, HEAD = 2 }; /* words of registers, behind those of each thread */
enum { CHECKED = 16 }; /* sets below those that fit on chip, of which memory is looked at when a flush ends */

/* Sets below `clean` are in memory, those from `lowest` on on chip; entries below clean_entries are clean, at least. */
struct stk_kept { uint64_t count, clean, lowest, clean_entries; unsigned burst; bool fault, drain; uint32_t *value; size_t room; };

/* What the words of a thread say: docs/stack_cache_design.md. */
struct stk_words { uint32_t count, burst, nd, nv, off, odd; bool fault, drain, held, full; };

static struct stk_words read_words(const uint32_t *w) {
  return (struct stk_words){.fault = w[0] >> 31, .burst = w[0] >> 21 & 0x3ff, .count = w[0] & 0x1fffff, .full = w[1] >> 31, .odd = w[1] >> 28 & 7,
                            .off = w[1] >> 24 & 15, .drain = w[1] >> 23 & 1, .held = w[1] >> 22 & 1, .nv = w[1] >> 11 & 0x7ff, .nd = w[1] & 0x7ff};
}

static unsigned thread_words(const struct stk_env *e, bool full) { return HEAD + (full ? e->s.entries * e->entry_words : 0); }
unsigned stk_context_words(const struct stk_env *e, bool full) { return e->s.threads * thread_words(e, full) + REGS; }

/* The entry in a slot of a thread, or false: none is valid there. Sets from `low` to that of the top are, and the one two below if held. */
static bool entry_in(const struct stk_env *e, const struct stk_words *x, unsigned slot, uint64_t *index) {
  const uint64_t sets = stk_sets(e, x->count), low = sets - x->nv;
  for (uint64_t set = low >= 2 ? low - 2 : 0; set < sets; set++) {
    const uint64_t i = (set << e->s.set_lg) + (slot & e->s.set_mask);
    const bool here = set >= low || (x->held && set + 2 == low);
    *index = i;
    if (here && i < x->count && i % e->s.entries == slot) return true;
  }
  return false;
}

bool stk_context_create(struct stk_env *e) {
  e->kept = calloc((size_t)STK_SLOTS * e->s.threads, sizeof *e->kept);
  e->slot = calloc((size_t)STK_SLOTS * REGS, sizeof *e->slot);
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
      case STK_REG_HALT_FLUSH: expected = r->halt_flush; break;
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

/* The sets of a thread: S and L between what has been seen of them, in memory what is clean, on chip the rest. */
static const char *check_sets(struct stk_env *e, unsigned i, const struct stk_words *x, const uint32_t *entries) {
  struct stk_thread *t = &e->thread[i];
  const uint64_t sets = stk_sets(e, t->count), clean = sets - x->nd, low = sets - x->nv;
  uint8_t golden[STK_MAX_SET_BYTES], remote[STK_MAX_SET_BYTES];
  if (x->nd > x->nv || x->nv > e->s.nsets || x->nv > sets || (x->held && (x->nv + 2 > e->s.nsets || low < 2)))
    return stk_wrong(e, "thread %u is saved with %u dirty sets, %u on chip, held %u", i, x->nd, x->nv, x->held);
  if (!t->fault && (clean < t->clean || clean > t->clean_most))
    return stk_wrong(e, "thread %u is saved with %llu clean sets, expected %llu to %llu", i, (unsigned long long)clean,
                     (unsigned long long)t->clean, (unsigned long long)t->clean_most);
  if (!t->fault && low > t->lowest)
    return stk_wrong(e, "thread %u is saved without set %llu, which is on chip", i, (unsigned long long)t->lowest);
  for (uint64_t set = clean > CHECKED ? clean - CHECKED : 0; set < clean && !t->fault; set++) {
    const unsigned bytes = stk_golden_set(e, t, set, golden);
    simt_memory_peek(e->memory, no_more(stk_address(e, i, set), e), remote, bytes);
    if (memcmp(golden, remote, bytes))
      return stk_wrong(e, "thread %u is saved with set %llu clean, but memory does not hold it", i, (unsigned long long)set);
  }
  for (unsigned slot = 0; slot < e->s.entries; slot++) {
    uint64_t index = 0;
    const bool valid = entry_in(e, x, slot, &index);
    const uint32_t *golden_entry = valid ? stk_golden_entry(e, t, index) : NULL;
    for (unsigned k = 0; k < e->entry_words; k++)
      if (entries[slot * e->entry_words + k] != (valid ? golden_entry[k] : 0))
        return stk_wrong(e, "thread %u is saved with 0x%x in slot %u, expected 0x%x", i, entries[slot * e->entry_words + k], slot,
                         valid ? golden_entry[k] : 0);
  }
  if (t->fault) return NULL;
  t->clean = t->clean_most = clean;
  t->lowest = low;
  return NULL;
}

static const char *save_thread(struct stk_env *e, unsigned i, const uint32_t *w, bool full, struct stk_kept *k) {
  struct stk_thread *t = &e->thread[i];
  const struct stk_words x = read_words(w);
  const bool open = t->maybe && !t->sure;
  if (x.count != t->count)
    return stk_wrong(e, "thread %u is saved with %u entries, expected %llu", i, x.count, (unsigned long long)t->count);
  if (!open && x.fault != (t->fault || t->maybe)) return stk_wrong(e, "thread %u is saved with fault %u", i, x.fault);
  t->fault = x.fault;
  t->maybe = false;
  const bool left_over = t->fault || (x.drain && e->s.policy); /* an init ends a burst when what it left is written */
  if (x.burst > (left_over ? e->s.nsets - 1 : e->s.policy ? t->burst : 0)) return stk_wrong(e, "thread %u is saved with a burst of %u", i, x.burst);
  if (x.full != full || x.odd || (!full && w[1])) return stk_wrong(e, "thread %u is saved with the state 0x%x", i, w[1]);
  if (x.off >= e->s.set || (!e->s.flags && x.off)) return stk_wrong(e, "thread %u is saved with %u clean entries", i, x.off);
  const char *wrong = full ? check_sets(e, i, &x, w + HEAD) : NULL;
  if (k->room < t->count) k->value = realloc(k->value, (k->room = t->count) * e->entry_words * sizeof *k->value);
  if (t->count && !k->value) abort();
  k->count = t->count;
  k->fault = t->fault;
  k->drain = x.drain;
  k->burst = x.drain ? 0 : x.burst;
  k->clean = stk_sets(e, t->count) - x.nd;
  k->lowest = stk_sets(e, t->count) - x.nv;
  k->clean_entries = full ? t->clean_entries : t->count;
  if (t->count) memcpy(k->value, t->value, t->count * e->entry_words * sizeof *k->value);
  return wrong;
}

const char *stk_context_saved(struct stk_env *e, unsigned slot, const uint32_t *w, unsigned words) {
  const bool full = words == stk_context_words(e, true);
  const char *wrong = NULL;
  if (!full && words != stk_context_words(e, false)) return stk_wrong(e, "a saved context has %u words", words);
  if (e->front.form == (full ? STK_BARE : STK_FULL)) return stk_wrong(e, "a context is saved %s entries", full ? "with" : "without");
  for (unsigned i = 0; i < e->s.threads && !wrong; i++, w += thread_words(e, full))
    wrong = save_thread(e, i, w, full, &e->kept[slot * e->s.threads + i]);
  e->full[slot] = full;
  memcpy(&e->slot[slot * REGS], w, REGS * sizeof *w);
  return wrong ? wrong : check_registers(e, w);
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
  r->halt_flush = WORD(HALT_FLUSH);
  r->error = WORD(ERROR);
  r->error_set = WORD(ERROR_SET);
  r->error_count = WORD(ERROR_COUNT);
#undef WORD
  r->vague = false;
  r->last_error = r->last_fault = e->cycle;
  stk_registers_limit(e);
}

void stk_context_loaded(struct stk_env *e, unsigned slot) {
  load_registers(e, &e->slot[slot * REGS]);
  e->not_empty = 0;
  e->front.form = e->full[slot] ? STK_FULL : STK_BARE;
  for (unsigned i = 0; i < e->s.threads; i++) {
    const struct stk_kept *k = &e->kept[slot * e->s.threads + i];
    struct stk_thread *t = &e->thread[i];
    begin_thread(e, t, k->count, k->fault);
    t->clean = t->clean_most = t->sure_clean = k->clean;
    t->lowest = t->sure_lowest = k->lowest;
    t->clean_entries = k->clean_entries;
    t->burst = k->burst;
    if (k->count) stk_golden_entry(e, t, (stk_sets(e, k->count) << e->s.set_lg) - 1);
    if (k->count) memcpy(t->value, k->value, k->count * e->entry_words * sizeof *k->value);
    e->not_empty += k->count > 0;
    stk_cover_if(e, SC_COVER_LOAD_PARTLY, k->count & e->s.set_mask && !e->full[slot]);
    stk_cover_if(e, SC_COVER_LOAD_FAULT, t->fault);
    stk_cover_if(e, SC_COVER_LOAD_DRAIN, k->drain);
    stk_cover_if(e, SC_COVER_LOAD_DIRTY, k->clean < stk_sets(e, k->count));
  }
  stk_context_moved(e);
}

/* Memory behind the stacks: what is clean; what is not is on chip alone, and memory has anything else. */
void stk_context_moved(struct stk_env *e) {
  uint8_t golden[STK_MAX_SET_BYTES];
  for (unsigned i = 0; i < e->s.threads; i++)
    for (uint64_t set = 0; set < stk_sets(e, e->thread[i].count); set++) {
      const bool clean = set < e->thread[i].clean_most;
      unsigned bytes = stk_golden_set(e, &e->thread[i], set, golden);
      for (unsigned k = 0; !clean && k < bytes; k++) golden[k] ^= 0xa5;
      simt_memory_poke(e->memory, no_more(stk_address(e, i, set), e), golden, bytes);
    }
}

/* Words of a thread that no save writes; false: with this thread there is no such word. */
static bool thread_nonsense(const struct stk_env *e, uint32_t *w, uint32_t place, unsigned what) {
  const struct stk_words x = read_words(w);
  const uint64_t sets = stk_sets(e, x.count), most = stk_least(sets, e->s.nsets);
  uint64_t index;
  const unsigned slot = place / 4096 % e->s.entries, part = e->entry_words - 1;
  switch (what) {
    case 0: w[1] |= 1u << (28 + place / 4096 % 3); return true;
    case 1: w[1] |= 1u << 11 >> place / 4096 % 2; return !x.full; /* a state where there is none */
    case 2: w[1] = (w[1] & ~0x3fffffu) | (uint32_t)(most + 1) << 11; return x.full; /* sets that it does not have */
    case 3: w[1] = (w[1] & ~0x7ffu) | (x.nv + 1); return x.full;
    case 4: w[1] = (w[1] & ~(0x7ffu << 11)) | (uint32_t)most << 11 | 1u << 22; return x.full && x.nd <= most;
    case 5: w[1] |= e->s.flags && e->s.set > 1 ? 1u << 28 : 1u << (24 + place / 4096 % 4); return true;
    case 6: w[0] |= (e->s.policy ? e->s.nsets : 1u) << 21; return !e->s.policy || e->s.nsets < 1024;
    case 7: w[HEAD + slot * e->entry_words] |= 1; return x.full && !entry_in(e, &x, slot, &index);
    default: w[HEAD + slot * e->entry_words + part] |= 1u << 31; return x.full && e->s.entry_w % 32;
  }
}

void stk_context_nonsense(const void *env, uint32_t *w, uint32_t place) {
  const struct stk_env *e = env;
  const unsigned size = thread_words(e, w[1] >> 31);
  uint32_t *regs = w + e->s.threads * size, *thread = &w[place / 16 % e->s.threads * size];
#define WORD(addr) regs[(STK_REG_##addr - STK_REG_BASE_LO) / 4]
  switch (place % 16) {
    case 0: *thread = (*thread & ~0x1fffffu) | ((uint32_t)e->s.max_depth + 1); break;
    case 1: *thread |= 0x1fffff; break;
    case 2: WORD(HALT_FLUSH) |= 2u << place / 16 % 31; break;
    case 3: WORD(STRIDE_LG) = e->s.stride_max + 1; break;
    case 4: WORD(STRIDE_LG) = e->s.set_bytes_lg ? e->s.set_bytes_lg - 1 : 63; break;
    case 5: WORD(LIMIT) = (uint32_t)e->s.max_depth + 1; break;
    case 6: WORD(THREAD) = e->s.threads; break;
    case 7: WORD(SPILL_OVER) = e->s.nsets + 1; break; /* without thresholds anything but 0 is wrong */
    case 8: WORD(DEPTH) |= 1u << place / 32 % 32; break; /* no register of a context */
    case 9: WORD(ERROR) = 1u << place / 16 % 31; break; /* an error that is none */
    case 10: WORD(ERROR) |= 1u << 31 | 1u << (10 + place / 16 % 18); break;
    case 11: WORD(ERROR_COUNT) = 0x10000 << place / 16 % 16; break;
    default: {
      uint32_t kept[HEAD], *entry = &thread[HEAD + place / 4096 % e->s.entries * e->entry_words];
      const unsigned what = place / 256 % 9;
      memcpy(kept, thread, sizeof kept);
      if (what >= 7 && !(kept[1] >> 31)) { /* there are no entries */
        thread[1] |= 1;
        break;
      }
      const uint32_t first = *entry, last = entry[e->entry_words - 1];
      if (thread_nonsense(e, thread, place, what)) break;
      memcpy(thread, kept, sizeof kept);
      if (what >= 7) entry[e->entry_words - 1] = last, *entry = first;
      thread[1] |= 1u << 28;
      break;
    }
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
