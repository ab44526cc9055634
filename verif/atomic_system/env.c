/* SPDX-License-Identifier: Apache-2.0 */
/* env.c: drives the caches' request ports, plays memory, and tells the checker what happens. */
#include "atomic_system/env.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atomic_system/sim.h"
#include "atomic_merge/trace.h"

extern const struct simt_block simt_block_atomic_system;

uint64_t as_pool_line(const struct as_env *e, unsigned i) { /* the first lines are neighbours, the others crowd in sets of home and caches */
  return (i < 8 ? i : 8 + (uint64_t)(i - 8) * 64) & (((uint64_t)1 << e->l.line_aw) - 1);
}

static int pool_index(const struct as_env *e, uint64_t line) {
  for (unsigned i = 0; i < e->pool; i++)
    if (as_pool_line(e, i) == line) return (int)i;
  return -1;
}

void as_forget(struct as_env *e) {
  amc_clear(e->checker);
  for (unsigned i = 0; i < e->caches; i++) {
    bool *live = e->port[i].live;
    uint8_t *refused = e->port[i].refused;
    memset(live, 0, e->tids * sizeof *live);
    memset(refused, 0, e->tids * sizeof *refused);
    e->port[i] = (struct as_thread_port){.live = live, .refused = refused};
  }
  memset(e->user, -1, sizeof e->user);
  memset(e->merger, -1, sizeof e->merger);
  e->sync = AS_RUNS;
  e->quiet = 0;
  e->failed_until = 0;
  memset(e->lost_line, 0, sizeof e->lost_line);
  e->fresh = true;
}

static void restart(void *env) {
  struct as_env *e = env;
  simt_rng_seed(&e->rng, e->seed);
  simt_memory_restart(e->memory);
  amc_zero(e->checker);
  as_clear_slots(e);
  e->cycle = e->answers = 0;
  e->step = e->waited = e->writes_open = 0;
  e->test = e->directed < 0 ? 0 : e->directed;
  as_forget(e);
  as_forget_unit(e);
}

static int named(const struct simt_named *list, const char *name) {
  for (int i = 0; name && list[i].name; i++)
    if (!strcmp(list[i].name, name)) return i;
  return -1;
}

static void destroy(void *env) {
  struct as_env *e = env;
  if (!e) return;
  for (unsigned i = 0; i < AS_MAX_CACHES; i++) {
    free(e->port[i].live);
    free(e->port[i].refused);
  }
  amc_free(e->checker);
  simt_memory_destroy(e->memory);
  as_free_unit(e);
  free(e);
}

static bool fill_in(struct as_env *e, const struct simt_config *cfg, struct simt_diag *diag) {
  const struct simt_config *plain = simt_plain(cfg);
  struct simt_config cache;
  memset(&cache, 0, sizeof cache);
  bool good = as_resolve_cache(plain->value, &cache, diag);
  if (good) am_layout(cache.value, &e->l);
  simt_config_free(&cache);
  if (!good) return false;
  e->cfg = cfg;
  e->caches = as_caches(plain);
  e->status = as_status(plain);
  e->tids = 1u << e->l.tid_w;
  as_ports_bind(&e->at, cfg);
  struct amc_rules rules = {.caches = e->caches, .line_bytes = e->l.line_bytes, .tid_w = e->l.tid_w, .temps = e->l.temps, .wide = e->l.wide, .big_endian = e->l.big_endian};
  for (unsigned op = AM_ADD; op < AM_OPS; op++) rules.built |= (uint32_t)(e->l.policy[op] != AM_NOT_BUILT) << op;
  for (unsigned op = AM_ADD; op < AM_OPS; op++) rules.keep |= (uint32_t)am_keeps(&e->l, op) << op;
  e->checker = amc_create(&rules);
  e->memory = simt_memory_create(cfg, diag);
  good = e->checker && e->memory;
  for (unsigned i = 0; good && i < e->caches; i++) {
    e->port[i].live = calloc(e->tids, sizeof *e->port[i].live);
    e->port[i].refused = calloc(e->tids, sizeof *e->port[i].refused);
    good = e->port[i].live && e->port[i].refused;
  }
  good = good && as_find_unit(e);
  e->pool = AS_POOL;
  while (e->pool > 4 && as_pool_line(e, e->pool - 1) < as_pool_line(e, e->pool - 2)) e->pool--;
  return good;
}

static void *create(const struct simt_config *cfg, const struct simt_stimulus *stim, struct simt_diag *diag) {
  if (!strcmp(stim->kind, "trace")) {
    simt_fail(diag, "--stimulus", "trace", "random or directed; traces run in the C model: simtgen sim");
    return NULL;
  }
  if (!simt_front_suits(stim, (const char *const[]){"halts", "halt_often", NULL}, as_status(simt_plain(cfg)), diag)) return NULL;
  struct as_env *e = calloc(1, sizeof *e);
  if (!e || !fill_in(e, cfg, diag)) {
    simt_fail(diag, cfg->name, "no memory", "memory for the environment");
    destroy(e);
    return NULL;
  }
  e->seed = stim->seed;
  e->planned = stim->cycles;
  e->profile = named(as_profiles, stim->profile);
  e->directed = strcmp(stim->kind, "directed") ? -2 : named(as_directed, stim->profile);
  restart(e);
  return e;
}

/* ---- inputs ---------------------------------------------------------------------------------------------------- */

unsigned as_live(const struct as_env *e) {
  unsigned n = 0;
  for (unsigned i = 0; i < e->caches; i++) n += e->port[i].n_live + e->port[i].has_request;
  return n;
}

static void offer(struct as_env *e, const struct as_choice *c, unsigned i) {
  struct as_thread_port *p = &e->port[i];
  if (p->has_request || e->sync == AS_DRAINS || e->sync == AS_SETTLES || (e->sync == AS_FLUSHES && p->flushed)) return;
  const bool one = c->cache == (int)i;
  if (e->sync == AS_RUNS && !one && !(c->request >> i & 1)) return;
  /* With TID_CHECK now and then the thread id of a request that may be under way. */
  const bool reuse = e->l.tid_check && e->sync == AS_RUNS && !one && !((c->draw >> i | c->draw << (64 - i) % 64) & 31);
  const unsigned last = (p->next_tid + e->tids - 1) % e->tids;
  for (unsigned k = 0; p->live[p->next_tid] && !reuse; k++, p->next_tid = (p->next_tid + 1) % e->tids)
    if (k == e->tids) return;
  if (e->sync == AS_FLUSHES) p->request = (struct amc_request){.op = AM_FLUSH}, p->flushed = true;
  else if (one) p->request = c->one;
  else as_make_request(e, c, i, &p->request);
  p->request.tid = reuse ? last : p->next_tid;
  if (!reuse) p->next_tid = (p->next_tid + 1) % e->tids;
  p->has_request = true;
}

static void drive(void *env, const void *choice, const uint32_t *out, uint32_t *in) {
  struct as_env *e = env;
  const struct as_choice *c = choice;
  (void)out;
  in[e->at.rst] = c->reset;
  if (c->sync && e->sync == AS_RUNS) e->sync = AS_DRAINS;
  for (unsigned i = 0; i < e->caches; i++) {
    offer(e, c, i);
    const struct as_thread_port *p = &e->port[i];
    const struct amc_request *r = &p->request;
    simt_put_bits(&in[e->at.req_valid], i, 1, p->has_request);
    simt_put_bits(&in[e->at.req_op], 5 * i, 5, r->op);
    simt_put_bits(&in[e->at.req_size], 2 * i, 2, r->size);
    simt_put_bits(&in[e->at.req_mode], 2 * i, 2, r->mode);
    simt_put_bits(&in[e->at.req_addr], e->l.addr_w * i, e->l.addr_w, r->addr);
    simt_put64(&in[e->at.req_data + 2 * i], r->data);
    simt_put64(&in[e->at.req_compare + 2 * i], r->compare);
    simt_put_bits(&in[e->at.req_tid], e->l.tid_w * i, e->l.tid_w, r->tid);
    simt_put_bits(&in[e->at.ans_ready], i, 1, c->ready >> i & 1);
  }
  simt_memory_drive(e->memory, c->mem, in);
  as_drive_unit(e, c, in);
}

/* ---- what happens ------------------------------------------------------------------------------------------------ */

static const char *says(struct as_env *e, uint64_t number, const char *what) {
  snprintf(e->message, sizeof e->message, "0x%llx: %s", (unsigned long long)number, what);
  return e->message;
}

static const char *see_witness(struct as_env *e, unsigned i, const uint32_t *out) {
  const unsigned tid = (unsigned)simt_get_bits(&out[e->at.wit_tid], e->l.tid_w * i, e->l.tid_w);
  const unsigned temp = (unsigned)simt_get_bits(&out[e->at.wit_temp], e->l.temp_w * i, e->l.temp_w);
  struct amc_seen seen;
  uint64_t line;
  unsigned requests, relaxed;
  const char *bad = NULL;
  switch (simt_get_bits(&out[e->at.wit_kind], 2 * i, 2)) {
  case AM_PERFORMED: {
    bad = amc_perform(e->checker, i, tid, &seen);
    e->cover[AS_COVER_IN_PLACE]++;
    const int at = bad ? -1 : pool_index(e, seen.request.addr >> e->l.line_lg);
    if (at < 0) return bad;
    e->cover[AS_COVER_SHARED] += e->user[at] >= 0 && e->user[at] != (int)i;
    e->user[at] = (int16_t)i;
    return bad;
  }
  case AM_JOINED:
    e->cover[AS_COVER_JOIN]++;
    return amc_join(e->checker, i, tid, temp, NULL);
  case AM_MERGED: {
    bad = amc_merge(e->checker, i, temp, &line, &requests);
    const int at = bad || !requests ? -1 : pool_index(e, line);
    if (at < 0) return bad;
    e->cover[AS_COVER_MERGE]++;
    e->cover[AS_COVER_PAIR] += e->merger[at] >= 0 && e->merger[at] != (int)i;
    e->merger[at] = e->user[at] = (int16_t)i;
    return bad;
  }
  default:
    bad = amc_drop(e->checker, i, temp, &relaxed);
    if (!bad) as_lose(e, i, relaxed);
    return bad;
  }
}

static const char *see_answer(struct as_env *e, unsigned i, const uint32_t *out) {
  struct as_thread_port *p = &e->port[i];
  const unsigned tid = (unsigned)simt_get_bits(&out[e->at.ans_tid], e->l.tid_w * i, e->l.tid_w);
  const unsigned status = (unsigned)simt_get_bits(&out[e->at.ans_status], 2 * i, 2);
  if (status == AM_LIVE) {
    if (!p->refused[tid]) return says(e, tid, "a thread is refused that had no request under way");
    p->refused[tid]--;
    p->n_live--;
    e->answers++;
    return simt_get64(&out[e->at.ans_data + 2 * i]) ? says(e, tid, "a refusal has a value") : NULL;
  }
  if (!p->live[tid]) return says(e, tid, "a thread without a request is answered");
  p->live[tid] = false;
  p->n_live--;
  e->answers++;
  if (!e->l.witness) return NULL;
  struct amc_seen seen;
  const char *bad = amc_answer(e->checker, i, tid, status, simt_get64(&out[e->at.ans_data + 2 * i]), &seen);
  e->cover[AS_COVER_REFUSED] += status == AM_REFUSED;
  e->cover[AS_COVER_FAILED] += status == AM_MEMORY_ERROR;
  e->cover[AS_COVER_FENCE] += !status && seen.request.op == AM_FENCE;
  e->cover[AS_COVER_FLUSH] += !status && seen.request.op == AM_FLUSH;
  return bad;
}

static const char *see_request(struct as_env *e, unsigned i, bool live) {
  struct as_thread_port *p = &e->port[i];
  p->has_request = false;
  if (live) {
    p->refused[p->request.tid]++;
    p->n_live++;
    return NULL;
  }
  p->live[p->request.tid] = true;
  p->n_live++;
  return e->l.witness ? amc_accept(e->checker, i, &p->request) : NULL;
}

/* A failed read is told to every cache, and for a while, because its way to the cache is not seen from here. */
static void see_failures(struct as_env *e) {
  enum { ON_ITS_WAY = 400 };
  const struct simt_memory_event *v = simt_memory_answered(e->memory), *asked = simt_memory_taken(e->memory);
  e->writes_open += asked && asked->write;
  e->writes_open -= v && v->write;
  const int at = v && v->error && v->write ? pool_index(e, v->addr / e->l.line_bytes) : -1;
  if (at >= 0) e->lost_line[at] = true;
  if (v && v->error && !v->write) {
    e->failed_line = v->addr / e->l.line_bytes;
    e->failed_until = e->cycle + ON_ITS_WAY;
  }
  for (unsigned i = 0; e->cycle < e->failed_until && i < e->caches; i++) amc_failed(e->checker, i, e->failed_line);
}

const char *as_compare_memory(struct as_env *e, const char *what) {
  for (unsigned i = 0; i < e->pool; i++) {
    const uint64_t line = as_pool_line(e, i);
    uint8_t there[128];
    simt_memory_peek(e->memory, line * e->l.line_bytes, there, e->l.line_bytes);
    if (e->lost_line[i]) memcpy(amc_line(e->checker, line), there, e->l.line_bytes);
    e->lost_line[i] = false;
    if (memcmp(there, amc_line(e->checker, line), e->l.line_bytes)) return says(e, line, what);
  }
  return NULL;
}

static const char *go_on(struct as_env *e, const uint32_t *out) {
  enum { QUIET = 100 };
  const unsigned live = as_live(e);
  if (e->sync == AS_DRAINS && !live) {
    e->sync = AS_FLUSHES;
    for (unsigned i = 0; i < e->caches; i++) e->port[i].flushed = false;
  } else if (e->sync == AS_FLUSHES) {
    bool all = !live;
    for (unsigned i = 0; i < e->caches; i++) all &= e->port[i].flushed;
    if (all) e->sync = AS_SETTLES, e->quiet = 0;
  } else if (e->sync == AS_SETTLES) {
    const bool still = !simt_memory_counts(e->memory).under_way && !out[simt_port_word(e->cfg, "mem_req_valid_o")];
    e->quiet = still ? e->quiet + 1 : 0;
    if (!out[e->at.idle]) return e->quiet < QUIET + 8 * e->caches ? NULL : "idle_o stays 0 though all was flushed and memory owes no answer";
    e->sync = AS_RUNS;
    if (!e->l.witness) return NULL;
    e->cover[AS_COVER_MEMORY]++;
    return as_compare_memory(e, "memory has other contents than the serial order gives, after a flush of all caches");
  }
  return NULL;
}

static const char *observe(void *env, const uint32_t *in, const uint32_t *out) {
  struct as_env *e = env;
  const char *bad = simt_memory_observe(e->memory, in, out);
  if (e->fresh && !e->front.drops) { /* before anything was read */
    for (unsigned i = 0; i < e->pool; i++)
      simt_memory_peek(e->memory, as_pool_line(e, i) * e->l.line_bytes, amc_line(e->checker, as_pool_line(e, i)), e->l.line_bytes);
    e->fresh = false;
  }
  see_failures(e);
  for (unsigned i = 0; !bad && e->l.witness && i < e->caches; i++)
    if (out[e->at.wit_valid + i / 32] >> i % 32 & 1) bad = see_witness(e, i, out);
  uint64_t live = 0; /* before the answers of this cycle */
  for (unsigned i = 0; i < e->caches; i++)
    live |= (uint64_t)(e->port[i].has_request && e->port[i].live[e->port[i].request.tid]) << i;
  for (unsigned i = 0; !bad && i < e->caches; i++)
    if (out[e->at.ans_valid + i / 32] & in[e->at.ans_ready + i / 32] & 1u << i % 32) bad = see_answer(e, i, out);
  for (unsigned i = 0; !bad && i < e->caches; i++)
    if (out[e->at.req_ready + i / 32] & in[e->at.req_valid + i / 32] & 1u << i % 32) bad = see_request(e, i, live >> i & 1);
  if (!bad && !e->status && out[e->at.bad_count]) bad = says(e, out[e->at.bad_count], "the home counts releases by caches that did not own the line");
  if (!bad && !e->status && (out[e->at.unasked] || (e->caches > 32 && out[e->at.unasked + 1]))) bad = says(e, out[e->at.unasked], "a cache got a fill that it did not ask for");
  if (!bad) bad = as_see_unit(e, in, out);
  if (!bad && out[e->at.idle] && e->under_way) bad = says(e, e->under_way, "idle_o is 1 though so many accesses to memory are open");
  e->under_way = simt_memory_counts(e->memory).under_way;
  if (!bad) bad = go_on(e, out);
  e->cycle++;
  if (in[e->at.rst]) {
    e->cover[AS_COVER_RESET]++;
    e->writes_open = 0;
    as_forget(e);
    as_forget_unit(e);
  }
  return bad;
}

static uint64_t progress(const void *env, bool *busy) {
  const struct as_env *e = env;
  *busy = as_live(e) != 0 && !e->front.shell.level; /* a halt that does not end is seen by its own bound */
  return e->answers;
}

static const uint64_t *coverage(const void *env) {
  struct as_env *e = (struct as_env *)(uintptr_t)env;
  for (unsigned i = 0, n = 0; i < AS_COVERS; i++)
    if (as_cover_possible(e->caches, e->status, (enum as_cover)i)) e->covered[n++] = e->cover[i];
  return e->covered;
}

static void explain(const void *env, const uint32_t *in, char *to, size_t room) {
  const struct as_env *e = env;
  size_t n = 0;
  if (in[e->at.rst]) n += (size_t)snprintf(to, room, "reset ");
  for (unsigned i = 0; i < e->caches; i++)
    if (simt_get_bits(&in[e->at.req_valid], i, 1) && n < room)
      n += (size_t)snprintf(to + n, room - n, "cache %u: operation %u mode %u at 0x%llx thread %u; ", i, (unsigned)simt_get_bits(&in[e->at.req_op], 5 * i, 5),
                            (unsigned)simt_get_bits(&in[e->at.req_mode], 2 * i, 2), (unsigned long long)simt_get_bits(&in[e->at.req_addr], e->l.addr_w * i, e->l.addr_w),
                            (unsigned)simt_get_bits(&in[e->at.req_tid], e->l.tid_w * i, e->l.tid_w));
  if (!n) snprintf(to, room, "idle");
}

const struct simt_verif simt_verif_atomic_system = {
  .block = &simt_block_atomic_system, .profiles = as_profiles, .directed = as_directed,
  .undrawn = (const char *const[]){"halt_at_work", "halt_full", "switched", "lost_line", NULL}, /* longer than a diagram */
  .choice_size = sizeof(struct as_choice), .stuck_cycles = 50000,
  .create = create, .destroy = destroy, .restart = restart, .choose = as_choose, .drive = drive,
  .observe = observe, .progress = progress, .coverage = coverage, .explain = explain,
  .trace = &am_trace_kind, .pickers = as_pickers, .replay = as_replay, .sim = as_sim,
};
