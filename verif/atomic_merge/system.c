/* SPDX-License-Identifier: Apache-2.0 */
/* system.c: caches, ideal home, and the checker around them. */
#include "atomic_merge/system.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atomic_merge/ideal_home.h"
#include "atomic_merge/layout.h"
#include "core/ports.h"

#define AMS_PORTS(PORT) PORT(rst, rst_i) PORT(req_valid, req_valid_i) PORT(req_op, req_op_i) PORT(req_size, req_size_i) \
  PORT(req_mode, req_mode_i) PORT(req_addr, req_addr_i) PORT(req_data, req_data_i) PORT(req_compare, req_compare_i) \
  PORT(req_tid, req_tid_i) PORT(req_ready, req_ready_o) PORT(ans_valid, ans_valid_o) PORT(ans_ready, ans_ready_i) \
  PORT(ans_tid, ans_tid_o) PORT(ans_status, ans_status_o) PORT(ans_data, ans_data_o) PORT(fetch_valid, fetch_valid_o) \
  PORT(fetch_ready, fetch_ready_i) PORT(fetch_line, fetch_line_o) PORT(fetch_tag, fetch_tag_o) PORT(home_valid, home_valid_i) \
  PORT(home_ready, home_ready_o) PORT(home_snoop, home_snoop_i) PORT(home_tag, home_tag_i) PORT(home_line, home_line_i) \
  PORT(home_data, home_data_i) PORT(rel_valid, rel_valid_o) PORT(rel_ready, rel_ready_i) PORT(rel_line, rel_line_o) \
  PORT(rel_dirty, rel_dirty_o) PORT(rel_last, rel_last_o) PORT(rel_data, rel_data_o) PORT(wit_valid, wit_valid_o) \
  PORT(wit_kind, wit_kind_o) PORT(wit_tid, wit_tid_o) PORT(wit_temp, wit_temp_o)
SIMT_PORTS(ams_ports, AMS_PORTS)

enum { PATIENCE = 200000, ROUNDS = 1 << 16 };

struct ams_cache {
  void *model;
  uint32_t *in, *out;
  struct am_home_message message; /* that the home offers in this cycle */
  size_t at;
  uint64_t rounds;
  bool *live;
  unsigned tid, n_live, fill_beat;
  bool flushing, flushed, offers;
  struct amc_request request;
};
struct ams_system {
  const struct am_system_setup *setup;
  struct am_system_result *result;
  struct simt_config cfg;
  struct am_layout l;
  struct ams_ports at;
  struct ams_cache *cache;
  struct am_home *home;
  uint64_t *filled;   /* lines that went to a cache, some of them more than once */
  size_t n_filled, room;
  struct am_checker *memory, *checker;
  uint64_t cycle, moved, placed, merge_end, hops, hop_sum;
  struct { uint64_t cycle, placed; } *round; /* at each transfer of the first line */
  size_t n_round, round_limit;
  uint64_t hot;       /* the line that was fetched first */
};

static bool wrong(struct ams_system *s, const char *what) { return simt_fail(s->setup->diag, "C model", what, "one serial order (a fault of the model)"); }

static unsigned read_line(void *ctx, uint64_t addr, void *data, size_t size) {
  struct ams_system *s = ctx;
  const uint64_t line = addr / size;
  if (s->n_filled == s->room) {
    s->room = s->room ? 2 * s->room : 1024;
    s->filled = realloc(s->filled, s->room * sizeof *s->filled);
    if (!s->filled) abort(); /* a test without memory cannot go on */
  }
  if (!s->n_filled) s->hot = line;
  s->filled[s->n_filled++] = line;
  memcpy(data, amc_line(s->memory, line), size);
  return 0;
}

static unsigned write_line(void *ctx, uint64_t addr, const void *data, size_t size) {
  struct ams_system *s = ctx;
  memcpy(amc_line(s->memory, addr / size), data, size);
  return 0;
}

static uint64_t wide(const uint32_t *out, unsigned at, unsigned width) { return width > 32 ? simt_get64(&out[at]) : out[at]; }

static void offer(struct ams_system *s, unsigned i) {
  struct ams_cache *c = &s->cache[i];
  const struct am_stream *stream = &s->setup->stream[i];
  if (c->offers) return;
  bool ended = !stream->n || c->rounds == stream->times;
  if (ended && (c->n_live || c->flushing)) return;
  for (unsigned k = 0; c->live[c->tid]; k++, c->tid = (c->tid + 1) % (1u << s->l.tid_w))
    if (k >> s->l.tid_w) return;
  if (ended) {
    for (unsigned k = 0; k < s->setup->caches; k++) /* all flush when all are done */
      if (s->setup->stream[k].n && s->cache[k].rounds < s->setup->stream[k].times) return;
    c->flushing = true;
    c->request = (struct amc_request){.op = AM_FLUSH};
  } else {
    c->request = stream->request[c->at];
  }
  c->request.tid = c->tid;
  c->offers = true;
}

static void drive(struct ams_system *s, unsigned i) {
  struct ams_cache *c = &s->cache[i];
  const struct ams_ports *at = &s->at;
  offer(s, i);
  c->in[at->req_valid] = c->offers;
  c->in[at->req_op] = c->request.op;
  c->in[at->req_size] = c->request.size;
  c->in[at->req_mode] = c->request.mode;
  c->in[at->req_addr] = (uint32_t)c->request.addr;
  if (s->l.addr_w > 32) c->in[at->req_addr + 1] = (uint32_t)(c->request.addr >> 32);
  simt_put64(&c->in[at->req_data], c->request.data);
  simt_put64(&c->in[at->req_compare], c->request.compare);
  c->in[at->req_tid] = c->request.tid;
  const struct am_home_message *m = &c->message;
  c->in[at->home_valid] = am_home_offers(s->home, s->cycle, i, &c->message);
  if (!c->in[at->home_valid]) return;
  c->in[at->home_snoop] = m->snoop;
  c->in[at->home_tag] = m->tag;
  c->in[at->home_line] = (uint32_t)m->line;
  if (s->l.line_aw > 32) c->in[at->home_line + 1] = (uint32_t)(m->line >> 32);
  memcpy(&c->in[at->home_data], m->data, 4 * s->l.lanes);
}

static bool see_witness(struct ams_system *s, unsigned i, const uint32_t *out) {
  if (!out[s->at.wit_valid]) return true;
  uint64_t line;
  unsigned requests = 1;
  const char *bad;
  if (out[s->at.wit_kind] == AM_PERFORMED) bad = amc_perform(s->checker, i, out[s->at.wit_tid], NULL);
  else if (out[s->at.wit_kind] == AM_JOINED) bad = amc_join(s->checker, i, out[s->at.wit_tid], out[s->at.wit_temp], NULL), requests = 0;
  else bad = amc_merge(s->checker, i, out[s->at.wit_temp], &line, &requests), s->merge_end = s->cycle + 1, s->result->merges++;
  s->placed += requests;
  if (requests) s->result->cycles = s->cycle + 1;
  return !bad || wrong(s, bad);
}

static bool see_answer(struct ams_system *s, unsigned i, const uint32_t *out) {
  struct ams_cache *c = &s->cache[i];
  if (!out[s->at.ans_valid]) return true;
  const char *bad = amc_answer(s->checker, i, out[s->at.ans_tid], out[s->at.ans_status], simt_get64(&out[s->at.ans_data]), NULL);
  if (!bad && out[s->at.ans_status]) bad = "a good request gets an error";
  c->live[out[s->at.ans_tid]] = false;
  c->n_live--;
  if (c->flushing && !c->n_live) c->flushed = true;
  s->moved = s->cycle;
  return !bad || wrong(s, bad);
}

static bool see_request(struct ams_system *s, unsigned i, const uint32_t *out) {
  struct ams_cache *c = &s->cache[i];
  if (!c->offers) return true;
  if (!out[s->at.req_ready]) {
    s->result->idle++;
    return true;
  }
  c->offers = false;
  c->live[c->request.tid] = true;
  c->n_live++;
  if (!c->flushing) {
    s->result->operations++;
    if (++c->at == s->setup->stream[i].n) c->at = 0, c->rounds++;
    if (c->rounds == s->setup->stream[i].times && !s->round_limit) s->round_limit = s->n_round;
  }
  const char *bad = amc_accept(s->checker, i, &c->request);
  return !bad || wrong(s, bad);
}

static bool see_release(struct ams_system *s, unsigned i, const uint32_t *out) {
  if (!out[s->at.rel_valid]) return true;
  const uint64_t line = wide(out, s->at.rel_line, s->l.line_aw);
  if (am_home_release(s->home, s->cycle, i, line, out[s->at.rel_dirty], out[s->at.rel_last], &out[s->at.rel_data])) return true;
  return wrong(s, "a line is released by one that does not own it");
}

static void see_home(struct ams_system *s, unsigned i, const uint32_t *out) {
  struct ams_cache *c = &s->cache[i];
  const struct am_home_message m = c->message;
  if (!c->in[s->at.home_valid] || !out[s->at.home_ready]) return;
  am_home_taken(s->home, i);
  if (m.snoop || ++c->fill_beat < s->l.beats) return;
  c->fill_beat = 0;
  if (m.line != s->hot) return;
  if (s->n_round < ROUNDS) s->round[s->n_round].cycle = s->cycle, s->round[s->n_round++].placed = s->placed;
  if (s->merge_end) s->hop_sum += s->cycle - s->merge_end, s->hops++;
}

static bool cycle(struct ams_system *s) {
  const struct simt_model_ops *ops = &s->cfg.block->model;
  for (unsigned i = 0; i < s->setup->caches; i++) {
    struct ams_cache *c = &s->cache[i];
    ops->outputs(c->model, c->out);
    drive(s, i);
  }
  for (unsigned i = 0; i < s->setup->caches; i++) {
    struct ams_cache *c = &s->cache[i];
    if (!see_witness(s, i, c->out) || !see_release(s, i, c->out) || !see_answer(s, i, c->out) || !see_request(s, i, c->out)) return false;
    if (c->out[s->at.fetch_valid]) am_home_fetch(s->home, s->cycle, i, wide(c->out, s->at.fetch_line, s->l.line_aw), c->out[s->at.fetch_tag]);
    see_home(s, i, c->out);
    ops->step(c->model, c->in);
  }
  s->cycle++;
  return true;
}

static bool all_flushed(const struct ams_system *s) {
  for (unsigned i = 0; i < s->setup->caches; i++)
    if (!s->cache[i].flushed) return false;
  return true;
}

static bool run(struct ams_system *s) {
  while (!all_flushed(s)) {
    if (s->cycle % 4096 == 0 && s->setup->stop && *s->setup->stop) return false;
    if (s->cycle > s->moved + PATIENCE) return simt_fail(s->setup->diag, "C model", "no answer for a long time", "progress (a fault of the model)");
    if (!cycle(s)) return false;
  }
  const char *bad = amc_end(s->checker);
  if (bad) return wrong(s, bad);
  for (size_t i = 0; i < s->n_filled; i++)
    if (memcmp(amc_line(s->memory, s->filled[i]), amc_line(s->checker, s->filled[i]), s->l.line_bytes))
      return wrong(s, "memory differs from what the serial order gives");
  return true;
}

static bool create(struct ams_system *s) {
  simt_config_init(&s->cfg, s->setup->cfg->block);
  memcpy(s->cfg.value, s->setup->cfg->value, sizeof s->cfg.value);
  s->cfg.value[simt_param_index(&s->cfg, "WITNESS")] = 1; /* for the checker; nothing else depends on it */
  if (!simt_resolve(&s->cfg, s->setup->diag)) return false;
  am_layout(s->cfg.value, &s->l);
  ams_ports_bind(&s->at, &s->cfg);
  struct amc_rules rules = {s->setup->caches, s->l.line_bytes, s->l.tid_w, s->l.temps, s->l.wide, 0, s->l.big_endian, 0};
  for (unsigned op = AM_ADD; op < AM_OPS; op++) rules.built |= (uint32_t)(s->l.policy[op] != AM_NOT_BUILT) << op;
  for (unsigned op = AM_ADD; op < AM_OPS; op++) rules.keep |= (uint32_t)am_keeps(&s->l, op) << op;
  s->cache = calloc(s->setup->caches, sizeof *s->cache);
  s->round = calloc(ROUNDS, sizeof *s->round);
  s->memory = amc_create(&rules);
  s->checker = amc_create(&rules);
  bool good = s->cache && s->round && s->memory && s->checker;
  const struct simt_remote memory = {.read = read_line, .write = write_line, .cycles = s->setup->transport, .ctx = s};
  const struct am_home_setup home = {s->setup->caches, s->l.line_bytes, 4 * s->l.lanes, s->l.lines + s->l.misses, s->setup->transport, &memory};
  for (unsigned i = 0; good && i < s->setup->caches; i++) {
    struct ams_cache *c = &s->cache[i];
    c->model = s->cfg.block->model.create(&s->cfg, s->setup->diag);
    c->in = calloc(s->cfg.desc.in_words, sizeof *c->in);
    c->out = calloc(s->cfg.desc.out_words, sizeof *c->out);
    c->live = calloc((size_t)1 << s->l.tid_w, sizeof *c->live);
    good = c->model && c->in && c->out && c->live;
    if (good) c->in[s->at.ans_ready] = c->in[s->at.fetch_ready] = c->in[s->at.rel_ready] = 1;
  }
  if (good && !(s->home = am_home_create(&home, s->setup->diag))) return false;
  return good || simt_fail(s->setup->diag, s->cfg.name, "no memory", "memory for %u caches", s->setup->caches);
}

static void destroy(struct ams_system *s) {
  for (unsigned i = 0; s->cache && i < s->setup->caches; i++) {
    if (s->cache[i].model) s->cfg.block->model.destroy(s->cache[i].model);
    free(s->cache[i].in);
    free(s->cache[i].out);
    free(s->cache[i].live);
  }
  free(s->cache);
  am_home_destroy(s->home);
  free(s->filled);
  free(s->round);
  amc_free(s->checker);
  simt_config_free(&s->cfg);
}

static void visit(void *ctx, const char *name, uint64_t value) {
  struct am_system_result *r = ctx;
  if (!strcmp(name, "performed_in_place")) r->in_place += value;
  if (!strcmp(name, "accumulated")) r->accumulated += value;
  if (!strcmp(name, "waited")) r->waited += value;
}

bool am_system_run(const struct am_system_setup *setup, struct am_system_result *result) {
  struct ams_system s = {.setup = setup, .result = result};
  *result = (struct am_system_result){0};
  bool good = create(&s) && run(&s);
  for (unsigned i = 0; good && i < setup->caches; i++) s.cfg.block->model.stats(s.cache[i].model, visit, result);
  size_t first = 2 * (size_t)setup->caches, last = s.round_limit - s.round_limit % setup->caches;
  if (last > first) result->steady_rate = (double)(s.round[last - 1].placed - s.round[first - 1].placed) / (double)(s.round[last - 1].cycle - s.round[first - 1].cycle);
  if (s.hops) result->hop = (double)s.hop_sum / (double)s.hops;
  if (s.home) result->transfers = am_home_transfers(s.home);
  if (good) result->memory = s.memory;
  else amc_free(s.memory);
  destroy(&s);
  return good;
}
