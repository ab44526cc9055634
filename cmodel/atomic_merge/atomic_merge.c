/* SPDX-License-Identifier: Apache-2.0 */
/* atomic_merge.c: the transaction level of atomic_merge: the cycle models of some caches around an ideal home. */
#include "atomic_merge/atomic_merge.h"

#include <stdlib.h>
#include <string.h>

#include "atomic_merge/ideal_home.h"
#include "atomic_merge/layout.h"
#include "core/ports.h"
#include "core/transact.h"

extern const struct simt_block simt_block_atomic_merge;

#define AM_LEVEL_PORTS(PORT) \
  PORT(req_valid, req_valid_i) PORT(req_ready, req_ready_o) PORT(req_op, req_op_i) PORT(req_size, req_size_i) \
  PORT(req_mode, req_mode_i) PORT(req_addr, req_addr_i) PORT(req_data, req_data_i) PORT(req_compare, req_compare_i) \
  PORT(req_tid, req_tid_i) PORT(ans_valid, ans_valid_o) PORT(ans_ready, ans_ready_i) PORT(ans_tid, ans_tid_o) \
  PORT(ans_status, ans_status_o) PORT(ans_data, ans_data_o) PORT(fetch_valid, fetch_valid_o) PORT(fetch_ready, fetch_ready_i) \
  PORT(fetch_line, fetch_line_o) PORT(fetch_tag, fetch_tag_o) PORT(home_valid, home_valid_i) PORT(home_ready, home_ready_o) \
  PORT(home_snoop, home_snoop_i) PORT(home_tag, home_tag_i) PORT(home_error, home_error_i) PORT(home_line, home_line_i) \
  PORT(home_data, home_data_i) PORT(rel_valid, rel_valid_o) PORT(rel_ready, rel_ready_i) PORT(rel_line, rel_line_o) \
  PORT(rel_dirty, rel_dirty_o) PORT(rel_last, rel_last_o) PORT(rel_data, rel_data_o)
SIMT_PORTS(am_level_ports, AM_LEVEL_PORTS)

struct am_issued { uint64_t ticket, begin; struct atomic_merge_result result; bool live; }; /* by thread id */
struct am_level {
  struct simt_transact t;
  struct atomic_merge *whole;
  unsigned number, next_tid, under_way;
  bool presented;                    /* a request, until it is taken */
  struct am_issued *issued;
  unsigned *answered, first, answers; /* a ring of thread ids whose answers wait to be fetched */
};
struct atomic_merge {
  struct am_level *cache;
  unsigned caches, tids;
  uint64_t tickets;
  struct am_layout l;
  struct am_level_ports at;
  struct am_home *home;
};

/* ---- cycles ------------------------------------------------------------------------------------------- */

static void drive(void *level) {
  struct am_level *c = level;
  const struct am_level_ports *at = &c->whole->at;
  const struct am_layout *l = &c->whole->l;
  uint32_t *in = c->t.in;
  const uint32_t *out = c->t.out;
  struct am_home_message m;
  in[at->req_valid] = c->presented;
  if (out[at->req_ready]) c->presented = false;
  in[at->ans_ready] = in[at->fetch_ready] = in[at->rel_ready] = 1;
  in[at->home_valid] = am_home_offers(c->whole->home, c->t.cycle, c->number, &m);
  if (!in[at->home_valid]) return;
  in[at->home_snoop] = m.snoop;
  in[at->home_error] = m.error;
  in[at->home_tag] = m.tag;
  simt_put_bits(&in[at->home_line], 0, l->line_aw, m.line);
  memcpy(&in[at->home_data], m.data, 4 * l->lanes);
  if (out[at->home_ready]) am_home_taken(c->whole->home, c->number);
}

static void see_answer(struct am_level *c) {
  const struct am_level_ports *at = &c->whole->at;
  const uint32_t *out = c->t.out;
  struct am_issued *i = &c->issued[out[at->ans_tid]];
  i->result = (struct atomic_merge_result){.status = (enum atomic_merge_status)out[at->ans_status],
                                           .value = simt_get64(&out[at->ans_data]), .cycles = c->t.cycle - i->begin};
  c->answered[(c->first + c->answers++) % c->whole->tids] = out[at->ans_tid];
}

/* What leaves the cache in this cycle: its readies are always 1. */
static void look(struct am_level *c) {
  const struct am_level_ports *at = &c->whole->at;
  const struct am_layout *l = &c->whole->l;
  const uint32_t *out = c->t.out;
  struct am_home *home = c->whole->home;
  if (out[at->ans_valid]) see_answer(c);
  if (out[at->rel_valid] &&
      !am_home_release(home, c->t.cycle, c->number, simt_get_bits(&out[at->rel_line], 0, l->line_aw), out[at->rel_dirty],
                       out[at->rel_last], &out[at->rel_data]))
    abort(); /* the model breaks its promise */
  if (out[at->fetch_valid])
    am_home_fetch(home, c->t.cycle, c->number, simt_get_bits(&out[at->fetch_line], 0, l->line_aw), out[at->fetch_tag]);
}

void atomic_merge_advance(struct atomic_merge *m, uint64_t cycles) {
  while (cycles--) {
    for (unsigned i = 0; i < m->caches; i++) simt_transact_tick(&m->cache[i].t);
    for (unsigned i = 0; i < m->caches; i++) look(&m->cache[i]); /* of the cycle that begins, for all of them */
  }
}

uint64_t atomic_merge_cycle(const struct atomic_merge *m) { return m->cache[0].t.cycle; }

/* ---- life --------------------------------------------------------------------------------------------- */

static bool open_cache(struct atomic_merge *m, unsigned i, const char *const *params, struct simt_diag *diag) {
  struct am_level *c = &m->cache[i];
  if (!simt_transact_open(&c->t, &simt_block_atomic_merge, params, NULL, diag)) return false;
  am_layout(c->t.cfg.value, &m->l);
  am_level_ports_bind(&m->at, &c->t.cfg);
  m->tids = 1u << m->l.tid_w;
  c->whole = m;
  c->number = i;
  c->issued = calloc(m->tids, sizeof *c->issued);
  c->answered = calloc(m->tids, sizeof *c->answered);
  c->t.drive = drive;
  c->t.level = c;
  return (c->issued && c->answered) || simt_fail(diag, "atomic_merge", "no memory", "memory for the model");
}

static bool open_all(struct atomic_merge *m, const struct atomic_merge_setup *setup, struct simt_diag *diag) {
  const struct simt_remote *memory = setup->memory;
  if (!(memory && memory->read && memory->write)) return simt_fail(diag, "memory", "no function", "functions that read and write");
  if (!(memory->latency || memory->cycles)) return simt_fail(diag, "cycles", "0", "at least 1, or a function latency");
  m->cache = calloc(setup->caches, sizeof *m->cache);
  if (!m->cache) return simt_fail(diag, "atomic_merge", "no memory", "memory for the model");
  for (; m->caches < setup->caches; m->caches++)
    if (!open_cache(m, m->caches, setup->params, diag)) {
      m->caches++;
      return false;
    }
  struct am_home_setup home = {.caches = setup->caches, .line_bytes = m->l.line_bytes, .beat_bytes = 4 * m->l.lanes,
                               .lines = m->l.lines + m->l.misses, .transport = setup->transport, .memory = memory};
  m->home = am_home_create(&home, diag);
  return m->home;
}

static bool all_ready(const struct atomic_merge *m) {
  for (unsigned i = 0; i < m->caches; i++)
    if (!m->cache[i].t.out[m->at.req_ready]) return false;
  return true;
}

struct atomic_merge *atomic_merge_create(const struct atomic_merge_setup *setup, struct simt_diag *diag) {
  struct atomic_merge *m = calloc(1, sizeof *m);
  if (!m) {
    simt_fail(diag, "atomic_merge", "no memory", "memory for the model");
    return NULL;
  }
  bool good = (setup->caches >= 1 && setup->caches <= 64) || simt_fail(diag, "caches", "another number", "1 to 64");
  if (!good || !open_all(m, setup, diag)) {
    atomic_merge_destroy(m);
    return NULL;
  }
  while (!all_ready(m)) atomic_merge_advance(m, 1);
  for (unsigned i = 0; i < m->caches; i++) m->cache[i].t.cycle = 0;
  return m;
}

void atomic_merge_destroy(struct atomic_merge *m) {
  if (!m) return;
  for (unsigned i = 0; i < m->caches; i++) {
    simt_transact_close(&m->cache[i].t);
    free(m->cache[i].issued);
    free(m->cache[i].answered);
  }
  am_home_destroy(m->home);
  free(m->cache);
  free(m);
}

/* ---- requests ----------------------------------------------------------------------------------------- */

static void present(struct am_level *c, const struct atomic_merge_request *r, unsigned tid) {
  const struct am_level_ports *at = &c->whole->at;
  uint32_t *in = c->t.in;
  in[at->req_op] = r->op;
  in[at->req_size] = r->bytes == 8 ? 3 : r->bytes == 4 ? 2 : r->bytes == 2;
  in[at->req_mode] = r->mode;
  simt_put_bits(&in[at->req_addr], 0, c->whole->l.addr_w, r->addr);
  simt_put64(&in[at->req_data], r->data);
  simt_put64(&in[at->req_compare], r->compare);
  in[at->req_tid] = tid;
  c->presented = true;
}

static bool known_size(const struct atomic_merge_request *r) {
  return r->op == ATOMIC_MERGE_FENCE || r->op == ATOMIC_MERGE_FLUSH || r->bytes == 1 || r->bytes == 2 || r->bytes == 4 || r->bytes == 8;
}

static bool operands_fit(const struct atomic_merge_request *r) {
  const bool has_data = r->op == ATOMIC_MERGE_STORE || r->op >= ATOMIC_MERGE_ADD;
  const bool has_compare = r->op == ATOMIC_MERGE_COMPARE_AND_SWAP ||
                           (r->op >= ATOMIC_MERGE_WRAPPING_INCREMENT && r->op <= ATOMIC_MERGE_ADD_MODULO);
  return (!has_data || simt_fits(r->data, 8 * r->bytes)) && (!has_compare || simt_fits(r->compare, 8 * r->bytes));
}

enum atomic_merge_status atomic_merge_check(const struct atomic_merge *m, unsigned cache, const struct atomic_merge_request *r) {
  if (cache >= m->caches) return ATOMIC_MERGE_NO_CACHE;
  if ((unsigned)r->op >= 1u << AM_OP_W || (unsigned)r->mode >= 4 || !known_size(r)) return ATOMIC_MERGE_RANGE;
  if (r->op == ATOMIC_MERGE_FENCE || r->op == ATOMIC_MERGE_FLUSH) return ATOMIC_MERGE_DONE;
  return simt_fits(r->addr, m->l.addr_w) && operands_fit(r) ? ATOMIC_MERGE_DONE : ATOMIC_MERGE_RANGE;
}

bool atomic_merge_issue(struct atomic_merge *m, unsigned cache, const struct atomic_merge_request *r, uint64_t *ticket) {
  if (atomic_merge_check(m, cache, r) != ATOMIC_MERGE_DONE) return false;
  struct am_level *c = &m->cache[cache];
  if (c->presented || c->under_way == m->tids) return false;
  while (c->issued[c->next_tid].live) c->next_tid = (c->next_tid + 1) % m->tids;
  c->issued[c->next_tid] = (struct am_issued){.live = true, .begin = c->t.cycle, .ticket = m->tickets};
  *ticket = m->tickets++;
  present(c, r, c->next_tid);
  c->next_tid = (c->next_tid + 1) % m->tids;
  c->under_way++;
  return true;
}

bool atomic_merge_answer(struct atomic_merge *m, unsigned cache, uint64_t *ticket, struct atomic_merge_result *result) {
  if (cache >= m->caches || !m->cache[cache].answers) return false;
  struct am_level *c = &m->cache[cache];
  struct am_issued *i = &c->issued[c->answered[c->first]];
  c->first = (c->first + 1) % m->tids;
  c->answers--;
  c->under_way--;
  i->live = false;
  *ticket = i->ticket;
  *result = i->result;
  return true;
}

unsigned atomic_merge_under_way(const struct atomic_merge *m, unsigned cache) {
  return cache < m->caches ? m->cache[cache].under_way : 0;
}

/* Takes the answer of one ticket out of those that wait. */
static bool answer_to(struct am_level *c, uint64_t ticket, struct atomic_merge_result *result) {
  const unsigned tids = c->whole->tids;
  for (unsigned k = 0; k < c->answers; k++) {
    struct am_issued *i = &c->issued[c->answered[(c->first + k) % tids]];
    if (i->ticket != ticket) continue;
    for (; k + 1 < c->answers; k++) c->answered[(c->first + k) % tids] = c->answered[(c->first + k + 1) % tids];
    c->answers--;
    c->under_way--;
    i->live = false;
    *result = i->result;
    return true;
  }
  return false;
}

struct atomic_merge_result atomic_merge_execute(struct atomic_merge *m, unsigned cache, const struct atomic_merge_request *r) {
  struct atomic_merge_result result = {.status = atomic_merge_check(m, cache, r)};
  const uint64_t begin = atomic_merge_cycle(m);
  uint64_t ticket;
  if (result.status != ATOMIC_MERGE_DONE) return result;
  if (m->cache[cache].answers == m->tids) return (struct atomic_merge_result){.status = ATOMIC_MERGE_REFUSED};
  while (!atomic_merge_issue(m, cache, r, &ticket)) atomic_merge_advance(m, 1);
  do atomic_merge_advance(m, 1);
  while (!answer_to(&m->cache[cache], ticket, &result));
  result.cycles = atomic_merge_cycle(m) - begin;
  return result;
}

struct atomic_merge_result atomic_merge_atomic(struct atomic_merge *m, unsigned cache, enum atomic_merge_op op, uint64_t addr,
                                               uint32_t operand) {
  struct atomic_merge_request r = {.op = op, .mode = ATOMIC_MERGE_RETURN, .bytes = 4, .addr = addr, .data = operand};
  return atomic_merge_execute(m, cache, &r);
}

/* ---- counts ------------------------------------------------------------------------------------------- */

void atomic_merge_stats(const struct atomic_merge *m, unsigned cache,
                        void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx) {
  if (cache < m->caches) m->cache[cache].t.ops->stats(m->cache[cache].t.model, visit, ctx);
}

uint64_t atomic_merge_transfers(const struct atomic_merge *m) { return am_home_transfers(m->home); }
uint64_t atomic_merge_write_errors(const struct atomic_merge *m) { return am_home_write_errors(m->home); }
