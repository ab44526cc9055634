/* SPDX-License-Identifier: Apache-2.0 */
/* requests.c: the memory side of the rules: which sets move, when, and with what content. What the pointers are and
 * when they are known: rules.c. */
#include "stack_cache/env.h"

#include <string.h>

/* ---- memory answers, two cycles after they were taken -------------------------------------------------- */

enum { FLUSH_PIPELINE = 4 }; /* sets of a flush from B to the request register, its own included, as a thread is marked */

void sc_finish_answer(struct sc_env *e, const struct sc_env_answer *a) {
  struct sc_pointers *p = &e->thread[a->thread].at;
  if (a->error && !a->old) {
    p->fault = true;
    e->thread[a->thread].begun = FLUSH_PIPELINE;
  }
  if (e->kept.live && e->kept.thread == a->thread && e->kept.set == a->set && a->write) e->kept.live = false;
  if (a->write || a->error || a->old || p->fault || !p->wanted) return;
  if (a->set + 1 == p->lowest) { /* the highest; the one below it may be in already */
    unsigned valid = p->held ? 2 : 1;
    p->lowest -= valid;
    p->wanted = (uint8_t)(p->wanted - valid);
    p->held = false;
    e->regs.counter[SC_N_RESTORE] += valid;
    e->regs.least[SC_N_RESTORE] += valid;
    e->cover[SC_COVER_RESTORE] += valid;
  } else if (a->set + 2 == p->lowest && p->wanted == 2) {
    p->held = true;
    e->cover[SC_COVER_RESTORE_HELD]++;
  }
}

/* ---- memory requests ------------------------------------------------------------------------------------ */

/* The top's set may be partly filled, after a flush. */
unsigned sc_golden_set(const struct sc_env *e, unsigned thread, uint64_t set, uint8_t *to) {
  const struct sc_env_stack *s = &e->stack[thread];
  uint64_t first = set << e->l.set_lg, entries = first < s->count ? sc_least(s->count - first, e->l.set) : 0;
  memset(to, 0, e->l.set_bytes);
  for (unsigned i = 0; i < entries; i++) {
    const uint32_t *value = &s->value[((set << e->l.set_lg) + i) * e->at.data_words];
    size_t n = e->at.data_words * 4;
    memcpy(to + (size_t)i * e->l.entry_bytes, value, n < e->l.entry_bytes ? n : e->l.entry_bytes);
  }
  return (unsigned)entries << e->l.entry_bytes_lg;
}

static const char *check_write(struct sc_env *e, unsigned thread, uint64_t set, const uint32_t *out) {
  struct sc_env_thread *t = &e->thread[thread];
  struct sc_pointers *p = &t->at;
  uint64_t dirty = sc_sets(e, p->count) - p->spilled;
  bool must = !(p->count & e->set_mask) && dirty == e->l.nsets, flush = sc_status_flushes(e);
  uint8_t golden[SC_MAX_WORDS * 4 * 16];
  unsigned bytes = sc_golden_set(e, thread, set, golden);
  if (set != p->spilled || !bytes || (bytes < e->l.set_bytes && !flush))
    return sc_wrong(e, "thread %u: set %llu is written, expected set %llu, full, of %llu entries", thread,
                    (unsigned long long)set, (unsigned long long)p->spilled, (unsigned long long)p->count);
  for (unsigned i = 0; i < e->l.set_bytes; i++)
    if (sc_bit(&out[e->at.req_strb], i) != (i < bytes))
      return sc_wrong(e, "thread %u: byte strobe %u of set %llu with %u bytes is wrong", thread, i,
                      (unsigned long long)set, bytes);
  if (memcmp(golden, &out[e->at.req_data], e->l.set_bytes)) /* bytes of no entry are 0 */
    return sc_wrong(e, "thread %u: set %llu is written with other content than its entries", thread,
                    (unsigned long long)set);
  sc_cover_if(e, SC_COVER_FLUSH_PARTLY, bytes < e->l.set_bytes);
  if (e->l.policy == SC_SET_BOUNDARY && dirty != e->l.nsets && !flush)
    return sc_wrong(e, "thread %u: set %llu is written while the next set is not dirty", thread,
                    (unsigned long long)set);
  if (e->l.policy == SC_THRESHOLD) {
    const struct sc_registers *r = &e->regs;
    /* A visit that must write waits for the read port with what it decided: STEAL cycles at most. */
    bool settled = e->cycle > r->settled + (must ? e->l.steal : 0);
    unsigned over = settled || r->spill_over < r->old_over ? r->spill_over : r->old_over;
    unsigned burst = settled || r->spill_burst > r->old_burst ? r->spill_burst : r->old_burst;
    if (dirty <= over && !must && !t->burst && !flush)
      return sc_wrong(e, "thread %u: set %llu is written below the threshold, outside a burst", thread,
                      (unsigned long long)set);
    sc_cover_if(e, SC_COVER_BURST, dirty <= over && !must && !flush);
    if (dirty > over && t->burst < burst) t->burst = burst;
    t->burst -= t->burst > 0 && !flush;
  }
  sc_cover_if(e, SC_COVER_SPILL_URGENT, !flush && !sc_bit(e->push, thread));
  const struct sc_operation *op = &e->ring[(e->cycle + 1) & 3];
  sc_cover_if(e, SC_COVER_SPILL_AND_PUSH, op->valid && op->thread == thread && op->kind == SC_PUSH);
  e->cover[SC_COVER_SPILL]++;
  e->regs.counter[SC_N_SPILL]++;
  if (flush) e->regs.flushed = e->cycle;
  t->last |= 128;
  if (e->l.forward && !e->kept.live && !flush) {
    e->kept.live = true;
    e->kept.thread = thread;
    e->kept.set = set;
  }
  p->spilled++;
  p->clean = p->spilled << e->l.set_lg;
  return NULL;
}

static const char *check_read(struct sc_env *e, unsigned thread, uint64_t set, uint64_t addr) {
  struct sc_pointers *p = &e->thread[thread].at;
  uint8_t golden[SC_MAX_WORDS * 4 * 16], remote[sizeof golden];
  if (set + 1 + p->wanted != p->lowest) sc_it_was_kept(e, thread);
  if (set + 1 + p->wanted != p->lowest || !sc_restore_due(e, p))
    return sc_wrong(e, "thread %u: set %llu is read: depth %llu, lowest set on chip %llu, %u wanted", thread,
                    (unsigned long long)set, (unsigned long long)p->count, (unsigned long long)p->lowest, p->wanted);
  unsigned bytes = sc_golden_set(e, thread, set, golden);
  simt_memory_peek(e->memory, addr, remote, bytes);
  if (memcmp(golden, remote, bytes))
    return sc_wrong(e, "thread %u: set %llu is read but memory does not hold its entries", thread,
                    (unsigned long long)set);
  p->wanted++;
  p->held = false;
  sc_cover_if(e, SC_COVER_RESTORE_TWO, p->wanted == 2);
  return NULL;
}

/* A request of a flush is offered: what was begun before it, of a thread marked since, has gone out. */
static void flush_goes_on(struct sc_env *e) {
  for (unsigned i = 0; i < e->l.threads; i++) e->thread[i].begun -= e->thread[i].begun > 0;
}

/* A request is offered for the first time: it was begun two cycles ago, in a flush earlier. */
const char *sc_check_request(struct sc_env *e, const uint32_t *out) {
  const struct sc_env_ports *at = &e->at;
  unsigned tag = out[at->req_tag], thread = tag / e->l.inflight;
  if (thread >= e->l.threads) return sc_wrong(e, "a memory tag names thread %u", thread);
  uint64_t addr = at->addr_words > 1 ? simt_get64(&out[at->req_addr]) : out[at->req_addr];
  uint64_t region = addr - e->regs.base - ((uint64_t)thread << e->regs.stride_lg);
  uint64_t set = (region & ~(uint64_t)0 >> (64 - e->l.addr_w)) >> e->l.set_bytes_lg;
  if ((set & (e->l.inflight - 1)) != tag % e->l.inflight || set > e->l.max_depth >> e->l.set_lg)
    return sc_wrong(e, "address 0x%llx does not belong to thread %u and class %u", (unsigned long long)addr, thread,
                    tag % e->l.inflight);
  struct sc_env_thread *t = &e->thread[thread];
  struct sc_env_access *a = &e->access[tag];
  if (a->under_way) return sc_wrong(e, "thread %u: an access to class of set %llu is under way", thread,
                                    (unsigned long long)set);
  bool flush = sc_status_flushes(e) && out[at->req_write];
  if (t->at.fault && !(flush && t->begun)) return sc_wrong(e, "the faulted thread %u begins an access", thread);
  if (flush) flush_goes_on(e);
  *a = (struct sc_env_access){true, out[at->req_write], false, flush, set, e->cycle};
  const char *wrong = a->write ? check_write(e, thread, set, out) : check_read(e, thread, set, addr);
  if (!wrong) wrong = sc_status_request(e, a->write);
  if (!flush) t->may_drain = false; /* a flush asks nobody: nothing is under way when it begins */
  if (!t->under_way++) t->busy_from = e->mem_time;
  e->under_way++;
  sc_cover_if(e, SC_COVER_MANY_UNDER_WAY, e->under_way >= 8);
  sc_compute_bits(e, thread);
  return wrong;
}

/* ---- memory port of this cycle ----------------------------------------------------------------------------- */

static void record_error(struct sc_env *e, unsigned thread, bool write, uint32_t error, uint64_t set) {
  struct sc_registers *r = &e->regs;
  if (sc_status_drops(e)) return;
  sc_status_nack(e);
  if (!(r->error >> 31)) {
    r->error = 1u << 31 | (uint32_t)write << 30 | error << 28 | thread;
    r->error_set = (uint32_t)set;
  }
  if (r->error_count < 0xffff) r->error_count++;
  r->last_error = e->cycle;
}

static void watch_answer(struct sc_env *e, const struct simt_memory_event *ev, struct sc_env_access *a, bool old) {
  unsigned thread = (unsigned)(ev->tag / e->l.inflight);
  struct sc_registers *r = &e->regs;
  sc_cover_if(e, SC_COVER_OUT_OF_ORDER, a->seen < e->newest);
  if (a->seen > e->newest) e->newest = a->seen;
  sc_cover_if(e, SC_COVER_DROP_LATE, a->dropped);
  if (!ev->error) return;
  if (!old) {
    e->thread[thread].fault = true;
    r->last_fault = e->cycle;
  }
  e->cover[a->write ? SC_COVER_ERROR_WRITE : SC_COVER_ERROR_READ]++;
  sc_cover_if(e, SC_COVER_ERROR_DROPPED, a->dropped);
  sc_cover_if(e, SC_COVER_ERROR_AFTER_INIT, old);
  if (a->flush && sc_status_flushes(e)) e->late = (struct sc_late_error){true, a->write, thread, ev->error, a->set, e->cycle + 2};
  else record_error(e, thread, a->write, ev->error, a->set);
}

const char *sc_rules_memory(struct sc_env *e, const uint32_t *in, const uint32_t *out) {
  const char *wrong = simt_memory_observe(e->memory, in, out);
  const struct simt_memory_event *ev = simt_memory_answered(e->memory);
  if (e->late.valid && e->cycle == e->late.due) {
    record_error(e, e->late.thread, e->late.write, e->late.error, e->late.set);
    e->regs.last_fault = e->cycle;
    e->late.valid = false;
  }
  e->offered = out[e->at.req_valid] && !in[e->at.req_ready];
  e->cover[SC_COVER_REQUEST_STALLED] += e->offered;
  bool held = in[e->at.rsp_valid] && !out[e->at.rsp_ready], own = !e->offered && e->gate != SC_SHUT;
  e->own_time += own;
  e->mem_time += own && !held;
  e->answer_waits = in[e->at.rsp_valid] && !out[e->at.rsp_ready] ? e->answer_waits + 1 : 0;
  sc_cover_if(e, SC_COVER_ANSWER_STALLED, e->answer_waits == 3);
  if (!ev) return wrong;
  struct sc_env_access *a = &e->access[ev->tag];
  unsigned thread = (unsigned)(ev->tag / e->l.inflight);
  if (!a->under_way) return wrong; /* the request itself was wrong, which was said */
  bool old = a->seen < e->thread[thread].init_end;
  e->answer[e->cycle & 3] =
      (struct sc_env_answer){true, a->write, ev->error != 0, old, thread, (unsigned)ev->tag, a->set};
  watch_answer(e, ev, a, old);
  a->under_way = false;
  if (!--e->thread[thread].under_way) e->thread[thread].busy += e->mem_time - e->thread[thread].busy_from;
  e->under_way--;
  return wrong;
}
