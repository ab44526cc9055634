/* SPDX-License-Identifier: Apache-2.0 */
/* requests.c: the memory side of the rules: which sets move, and with what content (SC-4, SC-6, SC-8, SC-10, SC-12).
 *
 * A set is taken out of storage some time before its write is offered, was chosen some time before that, and its thread goes
 * on meanwhile. What is offered must be what the set held, and what had to be moved, at some moment not long before the queue
 * of requests was last seen empty. */
#include "stack_cache/env.h"

#include <string.h>

enum { QUIET = 24 }; /* cycles without a request after which nothing taken out of storage is still to come */

uint64_t stk_address(const struct stk_env *e, unsigned thread, uint64_t set) {
  const uint64_t addr = e->regs.base + ((uint64_t)thread << e->regs.stride_lg) + (set << e->s.set_bytes_lg);
  return addr & ~(uint64_t)0 >> (64 - e->s.addr_w);
}

struct stk_request { bool valid, write; unsigned tag; uint64_t addr; const uint32_t *data, *strb; };

/* ---- moments --------------------------------------------------------------------------------------------------- */

/* What a thread was at a moment: now, and before each operation of its log, the youngest first. */
struct stk_moment {
  uint64_t count, clean, clean_most;
  unsigned back, burst;   /* back: operations since */
  bool known, before_init;
  uint8_t data[STK_MAX_SET_BYTES]; /* of the set, whether it held so many entries or not */
};

static void put_entry(const struct stk_env *e, struct stk_moment *m, unsigned i, const uint32_t *value) {
  const size_t n = e->entry_words * 4;
  memcpy(m->data + (size_t)i * e->s.entry_bytes, value, n < e->s.entry_bytes ? n : e->s.entry_bytes);
}

static void present(struct stk_env *e, struct stk_thread *t, uint64_t set, struct stk_moment *m) {
  *m = (struct stk_moment){.count = t->count, .clean = t->clean, .clean_most = t->clean_most, .burst = t->burst, .known = true};
  for (unsigned i = 0; i < e->s.set; i++) put_entry(e, m, i, stk_golden_entry(e, t, (set << e->s.set_lg) + i));
}

static const struct stk_change *change(const struct stk_thread *t, unsigned back) { return &t->log[(t->n_log - back) % STK_LOG]; }

/* To the moment before; false when that was too long ago (`known` ends where the log is too short). */
static bool go_back(struct stk_env *e, const struct stk_thread *t, uint64_t set, struct stk_moment *m) {
  if (m->back == t->n_log) return false;
  if (m->back == STK_LOG) {
    m->known = false;
    return false;
  }
  const struct stk_change *c = change(t, m->back + 1);
  if (c->cycle + e->s.decides_within < e->quiet_last) return false;
  m->back++;
  m->count = c->count;
  m->clean = c->clean;
  m->clean_most = c->clean_most;
  m->burst = c->burst;
  m->before_init |= c->kind == STK_INIT;
  if (c->index != UINT64_MAX && c->index >> e->s.set_lg == set) put_entry(e, m, (unsigned)c->index & e->s.set_mask, c->old);
  return true;
}

/* ---- writes ------------------------------------------------------------------------------------------------------ */

/* A flush may have asked for it: one that a reset ends leaves what is in hand. */
static bool may_flush(const struct stk_env *e) {
  return stk_flushes(e) || (e->s.status && e->front.clears && e->cycle <= e->flushing.last + e->s.decides_within);
}

/* Whether the request is the set at that moment, full, or in a flush a part of it: then no other byte leaves the chip (SC-13). */
static bool is_content(const struct stk_env *e, const struct stk_moment *m, uint64_t set, const struct stk_request *q) {
  const uint64_t first = set << e->s.set_lg, entries = m->count > first ? stk_least(m->count - first, e->s.set) : 0;
  const unsigned bytes = (unsigned)entries << e->s.entry_bytes_lg;
  if (!entries || (entries < e->s.set && !may_flush(e))) return false;
  for (unsigned i = 0; i < e->s.set_bytes; i++)
    if (stk_bit(q->strb, i) != (i < bytes) || (i >= bytes && ((const uint8_t *)q->data)[i])) return false;
  return !memcmp(q->data, m->data, bytes);
}

/* The thresholds that a decision may have gone by: those of now, or others of not long ago. */
static struct stk_thresholds thresholds(const struct stk_env *e) {
  const struct stk_registers *r = &e->regs;
  if (e->quiet_last > r->settled + e->s.decides_within) return r->now;
  return (struct stk_thresholds){(unsigned)stk_least(r->now.over, r->old.over), (unsigned)stk_most(r->now.burst, r->old.burst),
                                 (unsigned)stk_least(r->now.free, r->old.free)};
}

/* Whether a spill of the set was called for at that moment. SC-6: set boundary: the first entry of a set is used and the next set,
 * to be overwritten next, is dirty; threshold: more sets than a register says are dirty (*over), or a burst goes on. SC-8: the
 * next push needs the slot. */
static bool is_due(const struct stk_env *e, const struct stk_moment *m, uint64_t set, bool *over) {
  const uint64_t sets = stk_sets(e, m->count), dirty = sets > set ? sets - set : 0;
  const bool above = e->s.policy && dirty > thresholds(e).over;
  *over |= above; /* where a flush may be under way, too: it may have been in hand before */
  if (may_flush(e)) return dirty > 0;
  if (!e->s.policy) return dirty >= e->s.nsets;
  return above || m->burst || (dirty >= e->s.nsets && !(m->count & e->s.set_mask));
}

/* Clean sets after the write of `set` at a moment, through the operations since. */
static uint64_t replay(struct stk_env *e, struct stk_thread *t, uint64_t set, unsigned back, bool most) {
  uint64_t clean = set + 1;
  for (; back; back--) {
    struct stk_change *c = &t->log[(t->n_log - back) % STK_LOG];
    *(most ? &c->clean_most : &c->clean) = clean;
    clean = stk_clean_after(e, c, clean);
  }
  return clean;
}

static const char *check_write(struct stk_env *e, struct stk_access *a, const struct stk_request *q) {
  struct stk_thread *t = &e->thread[a->thread];
  struct stk_moment m;
  bool same = false, due = false, in_order = false, over = false, old = false, new = false;
  unsigned latest = 0, earliest = 0;
  uint64_t entries = 0; /* at the earliest */
  uint64_t deepest = 0;
  present(e, t, a->set, &m);
  do {
    const bool fits = is_content(e, &m, a->set, q), turn = m.clean <= a->set && a->set <= m.clean_most;
    same |= fits;
    in_order |= fits && turn;
    due |= is_due(e, &m, a->set, &over);
    deepest = stk_most(deepest, m.count);
    if (!fits || !turn) continue;
    if (!old && !new) latest = m.back;
    earliest = m.back;
    entries = m.count;
    *(m.before_init ? &old : &new) = true;
  } while (go_back(e, t, a->set, &m));
  if (!m.known && !in_order) return NULL; /* it has done too much since to be judged */
  if (!same)
    return stk_wrong(e, "thread %u: set %llu is written with other content than its entries, or a part of it: %llu entries", a->thread,
                     (unsigned long long)a->set, (unsigned long long)t->count);
  if (!in_order)
    return stk_wrong(e, "thread %u: set %llu is written, expected set %llu, the oldest dirty one", a->thread,
                     (unsigned long long)a->set, (unsigned long long)t->clean);
  if (!due && m.known)
    return stk_wrong(e, "thread %u: set %llu is written though no spill is due: at most %llu entries", a->thread,
                     (unsigned long long)a->set, (unsigned long long)deepest);
  a->old = (old && !new) || (t->emptied && t->init + e->s.latency > e->cycle); /* an init in the pipeline empties what this is of */
  a->unsure = old && new;
  t->clean = replay(e, t, a->set, earliest, false);
  t->clean_most = replay(e, t, a->set, latest, true);
  t->sure_clean = stk_most(t->sure_clean, t->clean);
  t->clean_entries = stk_least((a->set + 1) << e->s.set_lg, entries);
  stk_cover_if(e, SC_COVER_FLUSH_PARTLY, entries < (a->set + 1) << e->s.set_lg);
  for (unsigned back = earliest; back; back--) t->clean_entries = stk_clean_entries_after(e, change(t, back), t->clean_entries);
  stk_cover_if(e, SC_COVER_BURST, e->s.policy && !over && t->burst);
  if (over) t->burst = (unsigned)stk_most(t->burst, thresholds(e).burst);
  t->burst -= t->burst > 0;
  stk_event(e, STK_N_SPILL, 1, 1);
  e->cover[SC_COVER_SPILL]++;
  return NULL;
}

/* ---- reads ------------------------------------------------------------------------------------------------------- */

static bool is_wanted(const struct stk_env *e, const struct stk_moment *m, uint64_t set) {
  const uint64_t sets = stk_sets(e, m->count);
  if (set >= sets) return false;
  if (set + 2 >= sets) return true; /* the top's set, or the one below it */
  const uint64_t above = sets - 1 - set;
  return e->s.policy && above < e->s.nsets && e->s.nsets - above > thresholds(e).free;
}

static const char *check_read(struct stk_env *e, struct stk_access *a, uint64_t addr) {
  struct stk_thread *t = &e->thread[a->thread];
  /* SC-13: only what was in hand: of the mover, and one or two of the looker. */
  if (stk_shut(e) && (++e->shut_reads > 3 || e->cycle > e->shut_from + e->s.decides_within))
    return stk_wrong(e, "thread %u: set %llu is read under a halt request, in a flush or a reset", a->thread, (unsigned long long)a->set);
  uint8_t golden[STK_MAX_SET_BYTES], remote[STK_MAX_SET_BYTES];
  struct stk_moment m;
  bool wanted = false;
  present(e, t, a->set, &m);
  a->perhaps = stk_sets(e, t->depth) > a->set + e->s.nsets; /* a push may have dropped it before it was offered */
  do {
    wanted |= is_wanted(e, &m, a->set);
    a->perhaps |= stk_sets(e, m.count) > a->set + e->s.nsets;
  } while (go_back(e, t, a->set, &m));
  if (m.before_init || (t->emptied && t->init >= e->quiet_last)) {
    a->unsure = true; /* it may have been asked for before the init */
    return NULL;
  }
  if (!wanted && m.known)
    return stk_wrong(e, "thread %u: set %llu is read though no restore of it is due: %llu entries", a->thread,
                     (unsigned long long)a->set, (unsigned long long)t->count);
  if (a->set >= t->lowest && a->set < stk_sets(e, t->count))
    return stk_wrong(e, "thread %u: set %llu is read though it is on chip", a->thread, (unsigned long long)a->set);
  const unsigned bytes = stk_golden_set(e, t, a->set, golden);
  simt_memory_peek(e->memory, addr, remote, bytes);
  if (memcmp(golden, remote, bytes))
    return stk_wrong(e, "thread %u: set %llu is read but memory does not hold its entries", a->thread, (unsigned long long)a->set);
  unsigned reads = 0;
  for (int i = t->first; i >= 0; i = e->access[i].next) reads += !e->access[i].write && !e->access[i].dropped;
  stk_cover_if(e, SC_COVER_RESTORE_TWO, reads);
  return NULL;
}

/* ---- requests ---------------------------------------------------------------------------------------------------- */

static const char *check_overlap(struct stk_env *e, const struct stk_access *a) {
  const struct stk_thread *t = &e->thread[a->thread];
  for (int i = t->first; i >= 0; i = e->access[i].next) {
    const struct stk_access *b = &e->access[i];
    if (b->set != a->set) continue;
    if (b->write || a->write)
      return stk_wrong(e, "thread %u: set %llu is %s while a %s of it is not answered (SC-10)", a->thread,
                       (unsigned long long)a->set, a->write ? "written" : "read", b->write ? "write" : "read");
  }
  return NULL;
}

/* A request is offered for the first time, the last beat of a write in beats. */
static const char *check_request(struct stk_env *e, const struct stk_request *q) {
  const uint64_t addr = q->addr;
  const uint64_t region = (addr - e->regs.base) & ~(uint64_t)0 >> (64 - e->s.addr_w);
  const unsigned tag = q->tag;
  const uint64_t thread = region >> e->regs.stride_lg, set = (region & (((uint64_t)1 << e->regs.stride_lg) - 1)) >> e->s.set_bytes_lg;
  if (thread >= e->s.threads || set > (e->s.max_depth - 1) >> e->s.set_lg || addr & (e->s.set_bytes - 1))
    return stk_wrong(e, "address 0x%llx is that of no set", (unsigned long long)addr);
  struct stk_thread *t = &e->thread[thread];
  struct stk_access *a = &e->access[tag];
  if (tag >= e->n_tags || a->under_way) return stk_wrong(e, "tag 0x%x is used again before its answer", tag);
  *a = (struct stk_access){.under_way = true, .write = q->write, .thread = (unsigned)thread, .set = set,
                           .seen = e->cycle, .next = t->first};
  const char *wrong = check_overlap(e, a), *said = a->write ? check_write(e, a, q) : check_read(e, a, addr);
  if (!wrong) wrong = said;
  if (!wrong && t->fault && e->regs.last_fault < e->quiet_last && !a->old && !a->unsure)
    wrong = stk_wrong(e, "the faulted thread %u begins an access", a->thread);
  struct stk_flush *f = &e->flushing;
  /* What was in hand when a flush began: two accesses at most, and reads. */
  if (stk_flushes(e) && e->cycle <= f->begin + e->s.decides_within && (!q->write || f->in_hand++ < 2)) a->before = true;
  f->before += a->before;
  if (!t->under_way++) t->busy_from = e->mem_time;
  if (!wrong && t->under_way > e->s.inflight) wrong = stk_wrong(e, "%u accesses of thread %u are under way", t->under_way, a->thread);
  t->first = (int)tag;
  e->under_way++;
  stk_cover_if(e, SC_COVER_MANY_UNDER_WAY, e->under_way >= 8);
  return wrong;
}

/* ---- answers ----------------------------------------------------------------------------------------------------- */

/* The set below the lowest one on chip has come. One that comes before the set above it is held: whether that set makes it
 * valid, only an operation will show. */
static void arrives(struct stk_env *e, struct stk_thread *t, const struct stk_access *a) {
  stk_cover_if(e, SC_COVER_RESTORE_HELD, a->set + 2 == t->lowest);
  stk_cover_if(e, SC_COVER_RESTORE, a->set + 1 == t->lowest);
  if (e->s.beats > 1) return; /* the answer is judged after its last beat, and may be dropped yet */
  if (a->perhaps || a->unsure || a->set + 1 != t->lowest || stk_sets(e, t->count) - a->set > e->s.nsets) return;
  t->lowest--;
}

static void answered(struct stk_env *e, const struct simt_memory_event *ev) {
  struct stk_access *a = &e->access[ev->tag];
  struct stk_thread *t = &e->thread[a->thread];
  if (!a->under_way) return; /* the request itself was wrong, which was said */
  int *link = &t->first;
  while (*link != (int)ev->tag) link = &e->access[*link].next;
  *link = a->next;
  a->under_way = false;
  e->under_way--;
  e->flushing.before -= a->before;
  e->flushing.latency = stk_most(e->flushing.latency, e->cycle - a->seen);
  e->flushing.errors += ev->error != 0;
  if (!--t->under_way) t->busy += e->mem_time - t->busy_from;
  stk_cover_if(e, SC_COVER_OUT_OF_ORDER, a->seen < e->newest);
  e->newest = stk_most(e->newest, a->seen);
  a->dropped |= !a->write && stk_sets(e, t->count) - a->set > e->s.nsets && stk_sets(e, t->count) > a->set;
  stk_cover_if(e, SC_COVER_DROP_LATE, a->dropped);
  stk_cover_if(e, SC_COVER_DROP_AGAIN, a->dropped && !a->old && a->set < stk_sets(e, t->count) && stk_sets(e, t->count) <= a->set + 2);
  if (!a->write) {
    const bool kept = !ev->error && !a->old && !a->dropped;
    stk_event(e, STK_N_RESTORE, 0, !ev->error);
    stk_event(e, STK_N_DROP, 0, !ev->error);
    if (kept && !t->fault) arrives(e, t, a);
  }
  if (!ev->error || e->front.clears) return; /* of what a reset of the unit drops no error is recorded */
  e->cover[a->write ? SC_COVER_ERROR_WRITE : SC_COVER_ERROR_READ]++;
  stk_cover_if(e, SC_COVER_ERROR_DROPPED, a->dropped);
  stk_cover_if(e, SC_COVER_ERROR_AFTER_INIT, a->old);
  stk_registers_error(e, a->thread, a->write, ev->error, a->set);
  if (a->old || t->fault) return;
  if (!t->maybe) t->due = e->cycle + e->s.fault_within;
  t->sure |= !a->unsure;
  t->sure = t->maybe ? t->sure : !a->unsure;
  t->maybe = true;
  e->regs.last_fault = e->cycle;
}

/* A restore is dropped by a push into its slot; an answer behind it is discarded. */
static void drop_restores(struct stk_env *e) {
  const struct stk_operation *op = &e->ring[(e->cycle - 1) % STK_RING];
  if (!op->valid || op->taken + 1 != e->cycle || op->kind != STK_PUSH) return;
  struct stk_thread *t = &e->thread[op->thread];
  for (int i = t->first; i >= 0; i = e->access[i].next) {
    struct stk_access *a = &e->access[i];
    if (a->write || a->dropped || stk_sets(e, t->depth) <= a->set + e->s.nsets) continue;
    a->dropped = true;
    e->cover[SC_COVER_DROP_PUSH]++;
  }
}

void stk_requests_init(struct stk_env *e, unsigned thread) {
  struct stk_thread *t = &e->thread[thread];
  for (int i = t->first; i >= 0; i = e->access[i].next) {
    struct stk_access *a = &e->access[i];
    stk_cover_if(e, SC_COVER_DROP_INIT, !a->write && !a->dropped);
    a->old = true;
    a->dropped |= !a->write;
  }
  t->init = e->cycle;
  t->emptied = true;
}

/* The request of this cycle; with beats, as the memory of whole sets sees it. */
static struct stk_request request(const struct stk_env *e, const uint32_t *out) {
  const bool wide = e->s.beats > 1;
  const struct simt_mem_ports *at = wide ? &e->port.wide_at : &e->mem;
  if (wide) out = e->port.out;
  return (struct stk_request){.valid = out[at->req_valid], .write = out[at->req_write], .tag = out[at->req_tag],
                              .addr = e->addr_words > 1 ? simt_get64(&out[at->req_addr]) : out[at->req_addr],
                              .data = &out[at->req_data], .strb = &out[at->req_strb]};
}

const char *stk_requests(struct stk_env *e, const uint32_t *in, const uint32_t *out) {
  const bool valid = out[e->mem.req_valid], held = in[e->mem.rsp_valid] && !out[e->mem.rsp_ready];
  drop_restores(e);
  const char *wrong = stk_port_observe(&e->port, in, out);
  const struct stk_request q = request(e, out);
  if (!wrong && q.valid && !e->offered) wrong = check_request(e, &q);
  if (valid) e->quiet_from = e->cycle + 1;
  else if (e->cycle >= e->quiet_from + QUIET + e->s.beats) e->quiet_last = e->cycle - QUIET - e->s.beats;
  const bool stalled = valid && !in[e->mem.req_ready], own = !stalled;
  e->offered = q.valid && stalled;
  e->cover[SC_COVER_REQUEST_STALLED] += stalled;
  stk_cover_if(e, SC_COVER_ANSWER_STALLED, held);
  e->own_time += own && !stk_shut(e);
  e->mem_time += own && !held && !stk_shut(e);
  const struct simt_memory_event *ev = simt_memory_answered(e->memory);
  if (ev) {
    e->last_answer = e->cycle;
    answered(e, ev);
  }
  const char *said = stk_flushes(e) ? stk_context_flushes(e, stalled) : NULL;
  return wrong ? wrong : said;
}

void stk_requests_reset(struct stk_env *e) {
  stk_cover_if(e, SC_COVER_RESET_UNDER_WAY, e->under_way > 0);
  memset(e->access, 0, e->n_tags * sizeof *e->access);
  e->under_way = 0;
  e->newest = 0;
  e->offered = false;
  e->flushing = (struct stk_flush){0};
  e->quiet_from = e->quiet_last = e->last_answer = e->cycle;
}
