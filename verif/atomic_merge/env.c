/* SPDX-License-Identifier: Apache-2.0 */
/* env.c: drives one atomic_merge, plays the home and the other caches, and tells the checker what happens. */
#include "atomic_merge/env.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atomic_merge/model.h"
#include "atomic_merge/sim.h"
#include "atomic_merge/trace.h"

extern const struct simt_block simt_block_atomic_merge;

uint64_t am_pool_line(const struct am_env *e, unsigned i) {
  /* The first lines are far apart, others fall into the sets of the first; those behind the pool fill the cache. */
  if (i >= e->pool) return i - e->pool + 8;
  return ((uint64_t)i * (i < 8 ? 1 : e->l.sets) + (i < 8 ? 0 : 16 * e->l.sets)) & (((uint64_t)1 << e->l.line_aw) - 1);
}

static int pool_index(const struct am_env *e, uint64_t line) {
  for (unsigned i = 0; i < e->lines; i++)
    if (am_pool_line(e, i) == line) return (int)i;
  return -1;
}

void am_forget_requests(struct am_env *e) {
  amc_clear(e->checker);
  memset(e->live, 0, sizeof e->live);
  memset(e->refused, 0, sizeof e->refused);
  memset(e->line, 0, sizeof e->line);
  memset(&e->sends, 0, sizeof e->sends);
  e->n_live = e->n_fetched = e->release.beat = e->lost = e->blocked_answer = e->n_owned = e->n_flush = 0;
  e->has_request = e->stray_open = e->unasked_seen = e->lost_any = false;
}

static void restart(void *env) {
  struct am_env *e = env;
  amc_zero(e->checker);
  am_forget_requests(e);
  am_forget_registers(e);
  am_forget_unit(e);
  am_clear_slots(e);
  simt_rng_seed(&e->rng, e->seed);
  e->cycle = e->answers = 0;
  e->step = e->many = 0;
  e->fetches_off = false;
  if (e->directed == -1) e->planned = 0;
}

static int named(const struct simt_named *list, const char *name) {
  for (int i = 0; name && list[i].name; i++)
    if (!strcmp(list[i].name, name)) return i;
  return -1;
}

/* The places of the ports, which are fields of the environment. */
static void bind_ports(struct am_env *at, const struct simt_config *cfg) { AM_ENV_PORTS(SIMT_PORT_BIND) }

static void destroy(void *env) {
  struct am_env *e = env;
  if (e->checker) amc_free(e->checker);
  am_free_unit(e);
  free(e);
}

static void *create(const struct simt_config *cfg, const struct simt_stimulus *stim, struct simt_diag *diag) {
  if (!strcmp(stim->kind, "trace")) {
    simt_fail(diag, "--stimulus", "trace", "random or directed; traces run on many caches: simtgen sim");
    return NULL;
  }
  struct am_env *e = calloc(1, sizeof *e);
  if (!e) {
    simt_fail(diag, cfg->name, "no memory", "memory for the environment");
    return NULL;
  }
  am_layout(cfg->value, &e->l);
  if (!simt_front_suits(stim, (const char *const[]){"halts", "halt_often", NULL}, e->l.status, diag)) {
    free(e);
    return NULL;
  }
  e->cfg = cfg;
  bind_ports(e, cfg);
  simt_reg_ports_bind(&e->reg_at, cfg);
  struct amc_rules rules = {.caches = 1, .line_bytes = e->l.line_bytes, .tid_w = e->l.tid_w, .temps = e->l.temps, .wide = e->l.wide, .big_endian = e->l.big_endian};
  for (unsigned op = AM_ADD; op < AM_OPS; op++) rules.built |= (uint32_t)(e->l.policy[op] != AM_NOT_BUILT) << op;
  for (unsigned op = AM_ADD; op < AM_OPS; op++) rules.keep |= (uint32_t)am_keeps(&e->l, op) << op;
  e->checker = amc_create(&rules);
  if (!e->checker || !am_find_unit(e)) {
    simt_fail(diag, cfg->name, "no memory", "memory for the checker");
    destroy(e);
    return NULL;
  }
  e->tids = 1u << e->l.tid_w;
  e->pool = AM_POOL;
  while (e->pool > 1 && (uint64_t)e->pool * e->l.sets + 16 * e->l.sets >= (uint64_t)1 << e->l.line_aw) e->pool--;
  e->lines = e->pool + e->l.lines;
  e->seed = stim->seed;
  e->planned = stim->cycles;
  e->profile = named(am_profiles, stim->profile);
  e->directed = -2;
  if (!strcmp(stim->kind, "directed")) e->directed = named(am_directed, stim->profile);
  restart(e);
  return e;
}

static void put_wide(uint32_t *in, unsigned at, uint64_t value, unsigned width) {
  in[at] = (uint32_t)value;
  if (width > 32) in[at + 1] = (uint32_t)(value >> 32);
}

static uint64_t get_wide(const uint32_t *out, unsigned at, unsigned width) { return width > 32 ? simt_get64(&out[at]) : out[at]; }

static unsigned line_of(const struct am_env *e, const struct am_choice *c) {
  return c->line >= AM_POOL * 2 ? e->pool + (c->line - AM_POOL * 2) % e->l.lines : c->line % e->pool;
}

static void make_request(struct am_env *e, const struct am_choice *c) {
  unsigned tid = c->tid % e->tids, tries = 0;
  const bool reuse = c->reuse && e->l.tid_check;
  while (!reuse && e->live[tid] && tries++ < e->tids) tid = (tid + 1) % e->tids;
  if (e->live[tid] && !reuse) return;
  uint64_t offset = c->offset % e->l.line_bytes;
  if (!c->misaligned) offset &= ~(((uint64_t)1 << c->size) - 1);
  e->request = (struct amc_request){c->op & 31, c->size & 3, c->mode & 3, tid,
                                    am_pool_line(e, line_of(e, c)) << e->l.line_lg | offset, c->data, c->compare};
  e->has_request = true;
}

static void send_fill(struct am_env *e, const struct am_choice *c) {
  for (unsigned i = 0; i < e->n_fetched; i++) {
    unsigned at = (c->pick + i) % e->n_fetched;
    struct am_fetched f = e->fetched[at];
    if (e->line[f.line].owner != AM_AT_HOME) continue;
    e->fetched[at] = e->fetched[--e->n_fetched];
    e->sends.valid = true;
    e->sends.snoop = e->sends.stray = false;
    e->sends.error = c->error != 0;
    e->sends.tag = f.tag;
    e->sends.line = f.line;
    e->sends.beat = 0;
    uint8_t *memory = amc_line(e->checker, am_pool_line(e, f.line));
    if (c->writes) memcpy(&memory[c->pick % (e->l.line_bytes / 8) * 8], &c->written, 8); /* another cache had it */
    memcpy(e->sends.data, memory, e->l.line_bytes);
    if (!c->error) e->line[f.line].owner = AM_SENT;
    return;
  }
}

static void send_snoop(struct am_env *e, const struct am_choice *c) {
  for (unsigned i = 0; i < e->pool; i++) {
    unsigned at = (c->pick + i) % e->pool;
    bool owned = e->line[at].owner == AM_OWNED && !e->line[at].snooped;
    if (!owned && !(c->pick >> 16 & 1 && i == 0)) continue; /* now and then one that is not there */
    e->sends.valid = e->sends.snoop = true;
    e->sends.stray = e->sends.error = false;
    e->sends.line = at;
    e->line[at].snooped |= owned;
    return;
  }
}

static void send_stray(struct am_env *e, const struct am_choice *c) {
  unsigned tag = c->pick % e->l.misses;
  for (unsigned i = 0; i < e->n_fetched; i++)
    if (e->fetched[i].tag == tag) return;
  e->sends.valid = e->sends.stray = e->stray_open = true;
  e->stray_tag = tag;
  e->sends.snoop = false;
  e->sends.error = c->error != 0;
  e->sends.tag = tag;
  e->sends.beat = 0;
}

static void drive_home(struct am_env *e, const struct am_choice *c, uint32_t *in) {
  if (!e->sends.valid) {
    if (c->home == AM_HOME_FILL) send_fill(e, c);
    if (c->home == AM_HOME_SNOOP) send_snoop(e, c);
    if (c->home == AM_HOME_STRAY) send_stray(e, c);
  }
  in[e->home_valid] = e->sends.valid;
  in[e->home_snoop] = e->sends.snoop;
  in[e->home_tag] = e->sends.tag;
  in[e->home_error] = e->sends.error;
  put_wide(in, e->home_line, am_pool_line(e, e->sends.line), e->l.line_aw);
  memcpy(&in[e->home_data], &e->sends.data[e->sends.beat * 4 * e->l.lanes], 4 * e->l.lanes);
}

static void drive(void *env, const void *choice, const uint32_t *out, uint32_t *in) {
  struct am_env *e = env;
  const struct am_choice *c = choice;
  if (e->stray_open && !(e->sends.valid && e->sends.stray) && out[e->home_ready]) e->stray_open = false;
  if (c->request && !e->has_request) make_request(e, c);
  const struct amc_request *r = &e->request;
  in[e->rst] = c->reset;
  in[e->req_valid] = e->has_request;
  in[e->req_op] = r->op;
  in[e->req_size] = r->size;
  in[e->req_mode] = r->mode;
  put_wide(in, e->req_addr, r->addr, e->l.addr_w);
  simt_put64(&in[e->req_data], r->data);
  simt_put64(&in[e->req_compare], r->compare);
  in[e->req_tid] = r->tid;
  in[e->ans_ready] = c->ans_ready;
  drive_home(e, c, in);
  /* A stray fill shall not meet a fetch of its tag: its beats are dropped before that may go out. */
  bool stray = e->stray_open && out[e->fetch_tag] == e->stray_tag;
  in[e->fetch_ready] = c->fetch_ready && !stray;
  in[e->rel_ready] = c->rel_ready;
  am_drive_unit(e, c, in);
  am_drive_registers(e, c, in);
}

static const char *says(struct am_env *e, const char *what, uint64_t line) {
  snprintf(e->message, sizeof e->message, "line 0x%llx: %s", (unsigned long long)line, what);
  return e->message;
}

static const char *see_place(struct am_env *e, const struct amc_seen *seen, bool joins) {
  uint64_t line = seen->request.addr >> e->l.line_lg;
  int at = pool_index(e, line);
  if (at < 0) return says(e, "is not one that was asked for", line);
  struct am_home_line *h = &e->line[at];
  bool atomic = am_is_atomic(seen->request.op);
  e->cover[AM_COVER_JOIN] += joins;
  e->cover[AM_COVER_NARROW] += seen->request.size < 2 && !joins;
  if (joins) return NULL;
  if (h->owner != AM_OWNED) return says(e, "a request is performed while the line is not here", line);
  e->cover[AM_COVER_HIT] += atomic && seen->accepted >= h->filled;
  e->cover[AM_COVER_WAITED] += seen->accepted < h->filled;
  if (e->l.status && !e->l.drains) e->cover[am_cover_status(&e->l) + AM_COVER_IN_ARRIVAL] += seen->accepted < h->filled && h->halted;
  e->cover[AM_COVER_BEHIND] += seen->accepted < h->filled && h->merges && h->last_op == seen->request.op && atomic;
  return NULL;
}

static const char *see_merge(struct am_env *e, unsigned temp) {
  uint64_t line;
  unsigned requests;
  const char *bad = amc_merge(e->checker, 0, temp, &line, &requests);
  if (bad || !requests) return bad; /* a temporary line may be opened and merged before its first atomic is there */
  int at = pool_index(e, line);
  if (at < 0 || e->line[at].owner != AM_OWNED) return says(e, "is merged while the line is not here", line);
  e->cover[AM_COVER_BATCH] += requests >= 4;
  e->cover[AM_COVER_TWO_MERGES] += ++e->line[at].merges == 2;
  return NULL;
}

static void count(const struct am_env *e, struct am_tally *t) { *t = (struct am_tally){t->n + 1, e->cycles}; }

static const char *see_witness(struct am_env *e, const uint32_t *out) {
  if (!out[e->wit_valid]) return NULL;
  unsigned tid = out[e->wit_tid], temp = out[e->wit_temp], relaxed;
  struct amc_seen seen;
  const char *bad;
  switch (out[e->wit_kind]) {
  case AM_PERFORMED:
    bad = amc_perform(e->checker, 0, tid, &seen);
    if (!bad && am_is_atomic(seen.request.op)) count(e, &e->golden.performed);
    return bad ? bad : see_place(e, &seen, false);
  case AM_JOINED:
    count(e, &e->golden.joined);
    bad = amc_join(e->checker, 0, tid, temp, &seen);
    if (!bad) {
      int at = pool_index(e, seen.request.addr >> e->l.line_lg);
      if (at >= 0) e->line[at].last_op = seen.request.op;
    }
    return bad ? bad : see_place(e, &seen, true);
  case AM_MERGED:
    count(e, &e->golden.merged);
    return see_merge(e, temp);
  default:
    count(e, &e->golden.dropped);
    bad = amc_drop(e->checker, 0, temp, &relaxed);
    e->lost += relaxed;
    if (e->lost > UINT16_MAX) e->lost = UINT16_MAX;
    e->cover[AM_COVER_LOST] += relaxed != 0;
    return bad;
  }
}

static const char *see_release(struct am_env *e, const uint32_t *in, const uint32_t *out) {
  if (!out[e->rel_valid] || !in[e->rel_ready]) return NULL;
  uint64_t line = get_wide(out, e->rel_line, e->l.line_aw);
  int at = pool_index(e, line);
  if (at < 0 || e->line[at].owner != AM_OWNED) return says(e, "is released and was not here", line);
  bool dirty = out[e->rel_dirty];
  memcpy(&e->release.data[e->release.beat * 4 * e->l.lanes], &out[e->rel_data], 4 * e->l.lanes);
  if (out[e->rel_last] != (!dirty || ++e->release.beat == e->l.beats)) return says(e, "its release is too short or too long", line);
  if (!out[e->rel_last]) return NULL;
  uint8_t *memory = amc_line(e->checker, line);
  if (!e->l.witness && dirty) memcpy(memory, e->release.data, e->l.line_bytes); /* nobody said what it should be */
  if (dirty && memcmp(memory, e->release.data, e->l.line_bytes)) return says(e, "is released with other contents than the serial order gives", line);
  e->release.beat = 0;
  e->golden.releases++;
  struct am_home_line *h = &e->line[at];
  if (!dirty && e->l.witness && memcmp(memory, h->bytes, e->l.line_bytes)) return says(e, "was changed and is released without data", line);
  e->cover[AM_COVER_SNOOP] += h->snooped && dirty;
  e->cover[AM_COVER_CLEAN] += !dirty;
  e->cover[AM_COVER_EVICT] += !h->snooped && !e->n_flush;
  *h = (struct am_home_line){.owner = AM_AT_HOME};
  e->n_owned--;
  return NULL;
}

static const char *see_answer(struct am_env *e, const uint32_t *in, const uint32_t *out) {
  e->blocked_answer = out[e->ans_valid] && !in[e->ans_ready] ? e->blocked_answer + 1 : 0;
  e->cover[AM_COVER_BLOCKED_ANSWER] += e->blocked_answer == 8;
  if (!out[e->ans_valid] || !in[e->ans_ready]) return NULL;
  unsigned tid = out[e->ans_tid], status = out[e->ans_status];
  struct amc_seen seen;
  if (status == AM_LIVE) {
    if (!e->refused[tid]) return says(e, "a thread is refused that had no request under way", tid);
    e->refused[tid]--;
    e->n_live--;
    e->answers++;
    e->golden.refused++;
    if (e->l.tid_check) e->cover[AM_COVER_OPTION]++;
    return simt_get64(&out[e->ans_data]) ? says(e, "a refusal has a value", tid) : NULL;
  }
  if (e->l.witness) {
    const char *bad = amc_answer(e->checker, 0, tid, status, simt_get64(&out[e->ans_data]), &seen);
    if (bad) return bad;
    e->cover[AM_COVER_PARKED] += seen.joined && !status && seen.request.mode == AM_RETURN;
    e->cover[AM_COVER_ERRORS] += status == AM_MEMORY_ERROR;
    e->cover[AM_COVER_REFUSED] += status == AM_REFUSED;
    e->cover[AM_COVER_FENCE] += !status && seen.request.op == AM_FENCE;
    if (!status && seen.request.op == AM_FLUSH) {
      e->cover[AM_COVER_FLUSH]++;
      if (!e->n_flush) return says(e, "a flush is answered that was not accepted", 0);
      if (e->n_flush == 1 && e->n_owned && seen.accepted + 1 == amc_now(e->checker)) return says(e, "lines are held after a flush", e->n_owned);
    }
    if (seen.request.op == AM_FLUSH && !status) e->n_flush--;
  }
  if (!e->live[tid]) return says(e, "a thread without a request is answered", tid);
  unsigned op = e->op_of[tid];
  e->golden.live[op]--;
  if (status == AM_REFUSED) e->golden.refused++;
  else e->golden.done[op]++;
  e->live[tid] = false;
  e->n_live--;
  e->answers++;
  return NULL;
}

static const char *see_request(struct am_env *e, const uint32_t *in, const uint32_t *out, bool live) {
  if (!in[e->req_valid] || !out[e->req_ready]) return NULL;
  e->has_request = false;
  if (live) {
    e->refused[e->request.tid]++;
    e->n_live++;
    return NULL;
  }
  e->live[e->request.tid] = true;
  e->op_of[e->request.tid] = (uint8_t)e->request.op;
  e->golden.live[e->request.op]++;
  e->n_live++;
  e->n_flush += e->request.op == AM_FLUSH && e->request.mode < AM_MODES;
  return e->l.witness ? amc_accept(e->checker, 0, &e->request) : NULL;
}

static const char *see_fetch(struct am_env *e, const uint32_t *in, const uint32_t *out) {
  if (!out[e->fetch_valid] || !in[e->fetch_ready]) return NULL;
  uint64_t line = get_wide(out, e->fetch_line, e->l.line_aw);
  unsigned tag = out[e->fetch_tag];
  int at = pool_index(e, line);
  if (at < 0) return says(e, "is fetched and nobody wants it", line);
  for (unsigned i = 0; i < e->n_fetched; i++)
    if (e->fetched[i].tag == tag || e->fetched[i].line == (unsigned)at) return says(e, "is fetched twice, or its tag is in use", line);
  if (e->n_fetched == e->l.misses) return says(e, "is fetched beyond what may be open", line);
  e->fetched[e->n_fetched++] = (struct am_fetched){tag, (unsigned)at};
  return NULL;
}

static void see_home(struct am_env *e, const uint32_t *in, const uint32_t *out) {
  if (!in[e->home_valid] || !out[e->home_ready]) return;
  struct am_home_line *h = &e->line[e->sends.line];
  if (e->sends.snoop) {
    e->cover[AM_COVER_CROSSED] += h->owner != AM_OWNED;
    e->sends.valid = false;
  } else if (e->sends.error || ++e->sends.beat == e->l.beats) {
    e->sends.valid = false;
    if (e->sends.stray) {
      e->unasked_seen = true;
    } else if (e->unit.drops) { /* of a fetch from before a reset of the unit */
      e->line[e->sends.line].owner = AM_AT_HOME;
    } else if (e->sends.error) {
      amc_failed(e->checker, 0, am_pool_line(e, e->sends.line));
    } else {
      *h = (struct am_home_line){.owner = AM_OWNED, .filled = amc_now(e->checker), .last_op = h->last_op};
      memcpy(h->bytes, e->sends.data, e->l.line_bytes);
      e->golden.fills++;
      e->n_owned++;
    }
  }
}

static const char *see_errors(struct am_env *e, const uint32_t *out) {
  if (!e->l.witness) return NULL;
  if (out[e->lost_count] > e->lost) return says(e, "more relaxed atomics are counted as lost than there were", out[e->lost_count]);
  if (out[e->lost_count] < e->lost && !out[e->wit_valid]) return says(e, "fewer relaxed atomics are counted as lost than there were", out[e->lost_count]);
  if (e->unasked_seen && !e->sends.valid) e->cover[AM_COVER_UNASKED] += out[e->unasked];
  if (out[e->unasked] && !e->unasked_seen && !e->sends.stray) return says(e, "a fill is called unasked and was asked for", 0);
  return NULL;
}

static const char *observe(void *env, const uint32_t *in, const uint32_t *out) {
  struct am_env *e = env;
  const bool live = e->has_request && e->live[e->request.tid]; /* before the answers of this cycle */
  const char *bad = see_witness(e, out);
  if (!bad) bad = see_errors(e, out);
  if (!bad) bad = see_release(e, in, out);
  if (!bad) bad = see_answer(e, in, out);
  if (!bad) bad = see_request(e, in, out, live);
  if (!bad) bad = see_fetch(e, in, out);
  see_home(e, in, out);
  if (!bad) bad = am_see_registers(e, in, out);
  if (!bad) bad = am_see_unit(e, in, out);
  if (in[e->rst]) {
    am_forget_requests(e);
    am_forget_registers(e);
    am_forget_unit(e);
  }
  return bad;
}

static uint64_t progress(const void *env, bool *busy) {
  const struct am_env *e = env;
  *busy = e->n_live || e->has_request;
  return e->answers;
}

static const uint64_t *coverage(const void *env) { return ((const struct am_env *)env)->cover; }

static void explain(const void *env, const uint32_t *in, char *to, size_t room) {
  static const char *const op[] = {"load", "store", "fence", "flush", "add", "and", "or", "xor", "smin", "smax", "umin", "umax", "swap", "cas", "sat", "inc", "dec", "mod", "mul", "fadd", "fmul", "fmin", "fmax"};
  const struct am_env *e = env;
  size_t n = 0;
  if (in[e->rst]) n += (size_t)snprintf(to, room, "reset ");
  if (in[e->req_valid] && n < room)
    n += (size_t)snprintf(to + n, room - n, "%s%u mode %u at 0x%llx operand 0x%llx thread %u ", in[e->req_op] < AM_OPS ? op[in[e->req_op]] : "?",
                          8u << in[e->req_size], in[e->req_mode], (unsigned long long)get_wide(in, e->req_addr, e->l.addr_w),
                          (unsigned long long)simt_get64(&in[e->req_data]), in[e->req_tid]);
  if (in[e->home_valid] && n < room)
    n += (size_t)snprintf(to + n, room - n, "%s ", in[e->home_snoop] ? "snoop" : in[e->home_error] ? "error" : "fill");
  if (!n) snprintf(to, room, "idle");
}

const struct simt_verif simt_verif_atomic_merge = {
  .block = &simt_block_atomic_merge, .profiles = am_profiles, .directed = am_directed,
  .choice_size = sizeof(struct am_choice), .stuck_cycles = 20000,
  .create = create, .destroy = destroy, .restart = restart, .choose = am_choose, .drive = drive,
  .undrawn = (const char *const[]){"drain_misses", "drain_flushes", "drain_snooped", NULL}, /* longer than a diagram */
  .observe = observe, .progress = progress, .coverage = coverage, .explain = explain,
  .trace = &am_trace_kind, .pickers = am_pickers, .replay = am_replay, .sim = am_sim,
};
