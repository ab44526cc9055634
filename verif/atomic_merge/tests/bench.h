/* SPDX-License-Identifier: Apache-2.0 */
/* bench.h: one model of atomic_merge, driven at its ports: a thread that asks, and a home that fills at once. */
#ifndef ATOMIC_MERGE_BENCH_H
#define ATOMIC_MERGE_BENCH_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atomic_merge/layout.h"
#include "core/ports.h"

extern const struct simt_block simt_block_atomic_merge;

#define BENCH_PORTS(PORT) PORT(req_valid, req_valid_i) PORT(req_ready, req_ready_o) PORT(req_op, req_op_i) PORT(req_size, req_size_i) \
  PORT(req_mode, req_mode_i) PORT(req_addr, req_addr_i) PORT(req_data, req_data_i) PORT(req_compare, req_compare_i) PORT(req_tid, req_tid_i) \
  PORT(ans_valid, ans_valid_o) PORT(ans_ready, ans_ready_i) PORT(ans_status, ans_status_o) PORT(ans_tid, ans_tid_o) PORT(ans_data, ans_data_o) PORT(home_error, home_error_i) PORT(home_data, home_data_i) PORT(lost, lost_count_o) PORT(fetch_valid, fetch_valid_o) \
  PORT(fetch_ready, fetch_ready_i) PORT(fetch_line, fetch_line_o) PORT(fetch_tag, fetch_tag_o) PORT(home_valid, home_valid_i) \
  PORT(home_ready, home_ready_o) PORT(home_snoop, home_snoop_i) PORT(home_tag, home_tag_i) PORT(home_line, home_line_i) \
  PORT(rel_valid, rel_valid_o) PORT(rel_ready, rel_ready_i)
SIMT_PORTS(bench_ports, BENCH_PORTS)

enum { BENCH_FETCHES = 16, BENCH_ANSWERS = 64 };
struct bench_answer { unsigned tid, status; uint64_t data, cycle; };
struct bench {
  struct simt_config cfg;
  struct am_layout l;
  const struct simt_model_ops *ops;
  void *model;
  struct bench_ports at;
  uint32_t *in, *out;
  uint64_t cycle, taken, last_taken, answered, last_answer, refused, last_beat, first_release;
  struct { unsigned line, tag; } fetch[BENCH_FETCHES];
  unsigned fetches, beat, tid;
  struct bench_answer answer[BENCH_ANSWERS]; /* the first ones behind a reset */
  uint64_t fill;          /* the words of each fill */
  bool withholds, snoops; /* fills are not sent; a snoop for line 0 stands behind the fill */
  bool fails;             /* a fetch gets an error */
  bool failed;
};

static inline void tick(struct bench *b) {
  const struct bench_ports *at = &b->at;
  uint32_t *in = b->in;
  b->ops->outputs(b->model, b->out);
  const uint32_t *out = b->out;
  in[at->ans_ready] = in[at->fetch_ready] = in[at->rel_ready] = 1;
  const bool fills = b->fetches && !b->withholds, snoops = !fills && b->snoops;
  in[at->home_valid] = fills || snoops;
  in[at->home_snoop] = snoops;
  in[at->home_tag] = fills ? b->fetch[0].tag : 0;
  in[at->home_error] = fills && b->fails;
  in[at->home_line] = 0;
  for (unsigned i = 0; i < b->l.lanes; i++) in[at->home_data + i] = fills ? (uint32_t)(b->fill >> i % 2 * 32) : 0;
  if (in[at->home_valid] && out[at->home_ready]) {
    if (snoops) b->snoops = false;
    else if (++b->beat == b->l.beats || b->fails) {
      b->beat = 0;
      b->last_beat = b->cycle;
      memmove(b->fetch, b->fetch + 1, --b->fetches * sizeof *b->fetch);
    }
  }
  if (in[at->req_valid] && out[at->req_ready]) b->taken++, b->last_taken = b->cycle, b->tid++;
  if (out[at->ans_valid]) {
    if (b->answered < BENCH_ANSWERS)
      b->answer[b->answered] = (struct bench_answer){out[at->ans_tid], out[at->ans_status], simt_get64(&out[at->ans_data]), b->cycle};
    b->answered++;
    b->last_answer = b->cycle;
    b->refused += out[at->ans_status] != AM_OK;
  }
  if (out[at->rel_valid] && !b->first_release) b->first_release = b->cycle;
  if (out[at->fetch_valid]) {
    if (b->fetches == BENCH_FETCHES) abort();
    b->fetch[b->fetches].line = out[at->fetch_line];
    b->fetch[b->fetches++].tag = out[at->fetch_tag];
  }
  b->ops->step(b->model, in);
  b->cycle++;
}

static inline void ask(struct bench *b, unsigned op, unsigned mode, unsigned addr) {
  uint32_t *in = b->in;
  in[b->at.req_valid] = 1;
  in[b->at.req_op] = op;
  in[b->at.req_size] = 2;
  in[b->at.req_mode] = op == AM_LOAD || op == AM_STORE ? AM_RETURN : mode;
  simt_put_bits(&in[b->at.req_addr], 0, b->l.addr_w, addr);
  simt_put64(&in[b->at.req_data], 0);
  simt_put64(&in[b->at.req_compare], am_is_modulo(op) ? 9 : 0);
  in[b->at.req_tid] = b->tid % (1u << b->l.tid_w);
}

static inline void idle(struct bench *b, unsigned cycles) {
  b->in[b->at.req_valid] = 0;
  while (cycles--) tick(b);
}

static inline void one(struct bench *b, unsigned op, unsigned mode, unsigned addr) {
  const uint64_t before = b->taken;
  ask(b, op, mode, addr);
  while (b->taken == before) tick(b);
  b->in[b->at.req_valid] = 0;
}

/* A reset, and lines 0 and 1 are here. */
static inline void begin(struct bench *b, bool here) {
  b->ops->reset(b->model);
  b->fetches = b->beat = 0;
  b->withholds = b->snoops = b->fails = false;
  b->fill = 0;
  b->taken = b->answered = b->refused = 0;
  b->tid = 0;
  idle(b, (1u << b->l.tid_w) + 4);
  if (!here) return;
  one(b, AM_LOAD, AM_RETURN, 0);
  one(b, AM_LOAD, AM_RETURN, b->l.line_bytes);
  idle(b, 200);
}

/* Of NAME=VALUE; 0 or an exit status. */
static inline int bench_open(struct bench *b, int n, char *const *values) {
  struct simt_diag diag = {0};
  simt_config_init(&b->cfg, &simt_block_atomic_merge);
  for (int i = 0; i < n; i++) {
    char name[32];
    snprintf(name, sizeof name, "%.*s", (int)strcspn(values[i], "="), values[i]);
    if (!strchr(values[i], '=') || !simt_set_param(&b->cfg, name, strchr(values[i], '=') + 1, &diag)) return 2;
  }
  if (!simt_resolve(&b->cfg, &diag)) {
    printf("%s %s: %s\n", diag.name, diag.got, diag.expected);
    return 2;
  }
  am_layout(b->cfg.value, &b->l);
  b->ops = simt_model(&b->cfg);
  b->model = b->ops->create(&b->cfg, &diag);
  b->in = calloc(b->cfg.desc.in_words + 1, sizeof *b->in);
  b->out = calloc(b->cfg.desc.out_words + 1, sizeof *b->out);
  if (!b->model || !b->in || !b->out) return 2;
  bench_ports_bind(&b->at, &b->cfg);
  return 0;
}

static inline void bench_close(struct bench *b) {
  b->ops->destroy(b->model);
  simt_config_free(&b->cfg);
  free(b->in);
  free(b->out);
}

#endif
