/* SPDX-License-Identifier: Apache-2.0 */
/* recalls_test.c: caches that ask for random lines, and what HOME_ENTRIES makes of their rate and latency. Arguments: NAME=VALUE, and
 * `gap=N`: a thread of each cache asks in one of N cycles. Prints requests answered, mean latency, recalls. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atomic_merge/layout.h"
#include "core/ports.h"

extern const struct simt_block simt_block_atomic_system;

#define PORTS(PORT) PORT(req_valid, req_valid_i) PORT(req_ready, req_ready_o) PORT(req_op, req_op_i) PORT(req_size, req_size_i) \
  PORT(req_addr, req_addr_i) PORT(req_tid, req_tid_i) PORT(ans_valid, ans_valid_o) PORT(ans_ready, ans_ready_i) PORT(ans_tid, ans_tid_o) \
  PORT(mem_valid, mem_req_valid_o) PORT(mem_ready, mem_req_ready_i) PORT(mem_tag, mem_req_tag_o) PORT(rsp_valid, mem_rsp_valid_i) \
  PORT(rsp_ready, mem_rsp_ready_o) PORT(rsp_tag, mem_rsp_tag_i)
SIMT_PORTS(recall_ports, PORTS)

enum { MOST_CACHES = 64, TID_W = 8, TIDS = 1 << TID_W, LINES = 4096, LATENCY = 20, WARM = 3000, CYCLES = 30000, DEEP = 4096 };
struct thread { bool asks, live[TIDS]; uint64_t begin[TIDS], addr; unsigned tid, next, op; };
static struct thread thread[MOST_CACHES];
static struct { unsigned tag; uint64_t at; } due[DEEP]; /* of memory, a ring */
static uint64_t state = 1;

static uint64_t draw(uint64_t n) { /* splitmix64 */
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return (z ^ z >> 31) % n;
}

static void count_recalls(void *to, const char *name, uint64_t value) {
  if (!strcmp(name, "recalls")) *(uint64_t *)to = value;
}

int main(int argc, char **argv) {
  struct simt_config cfg = {0};
  struct simt_diag diag = {0};
  struct recall_ports at;
  uint64_t gap = 1, answered = 0, latency = 0, recalls = 0;
  unsigned first = 0, open = 0;
  simt_config_init(&cfg, &simt_block_atomic_system);
  for (int i = 1; i < argc; i++) {
    char *value = strchr(argv[i], '=');
    if (!value) return 2;
    *value++ = 0;
    if (!strcmp(argv[i], "gap")) gap = strtoull(value, NULL, 10);
    else if (!simt_set_param(&cfg, argv[i], value, &diag)) return 2;
  }
  if (!simt_set_param(&cfg, "TID_W", "8", &diag) || !simt_resolve(&cfg, &diag)) return 2;
  recall_ports_bind(&at, &cfg);
  const unsigned caches = (unsigned)simt_param(&cfg, "CACHES"), addr_w = (unsigned)simt_param(&cfg, "ADDR_W"), bytes = (unsigned)simt_param(&cfg, "LINE_BYTES");
  const struct simt_model_ops *ops = simt_model(&cfg);
  void *model = ops->create(&cfg, &diag);
  uint32_t *in = calloc(cfg.desc.in_words + 1, sizeof *in), *out = calloc(cfg.desc.out_words + 1, sizeof *out);
  if (!model || !in || !out) return 2;
  for (uint64_t cycle = 0; cycle < CYCLES; cycle++) {
    ops->outputs(model, out);
    for (unsigned i = 0; i < caches; i++) {
      struct thread *t = &thread[i];
      if (!t->asks && !t->live[t->next] && !draw(gap)) {
        t->tid = t->next;
        t->next = (t->next + 1) % TIDS;
        t->asks = t->live[t->tid] = true;
        t->begin[t->tid] = cycle;
        t->addr = draw(LINES) * bytes + 4 * draw(bytes / 4);
        t->op = draw(2) ? AM_ADD : AM_LOAD;
      }
      simt_put_bits(&in[at.req_valid], i, 1, t->asks);
      simt_put_bits(&in[at.req_op], AM_OP_W * i, AM_OP_W, t->op);
      simt_put_bits(&in[at.req_size], 2 * i, 2, 2);
      simt_put_bits(&in[at.req_addr], addr_w * i, addr_w, t->addr);
      simt_put_bits(&in[at.req_tid], TID_W * i, TID_W, t->tid);
      simt_put_bits(&in[at.ans_ready], i, 1, 1);
      const unsigned done = (unsigned)simt_get_bits(&out[at.ans_tid], TID_W * i, TID_W);
      if (simt_get_bits(&out[at.ans_valid], i, 1)) {
        t->live[done] = false;
        answered += cycle >= WARM;
        latency += cycle >= WARM ? cycle - t->begin[done] : 0;
      }
      if (t->asks && simt_get_bits(&out[at.req_ready], i, 1)) t->asks = false;
    }
    in[at.mem_ready] = 1;
    in[at.rsp_valid] = open && due[first].at <= cycle;
    in[at.rsp_tag] = open ? due[first].tag : 0;
    if (in[at.rsp_valid] && out[at.rsp_ready]) first = (first + 1) % DEEP, open--;
    if (out[at.mem_valid]) {
      due[(first + open) % DEEP].tag = out[at.mem_tag];
      due[(first + open++) % DEEP].at = cycle + LATENCY;
    }
    ops->step(model, in);
  }
  ops->stats(model, count_recalls, &recalls);
  printf("answered %llu latency %llu recalls %llu\n", (unsigned long long)answered, (unsigned long long)(answered ? latency / answered : 0),
         (unsigned long long)recalls);
  ops->destroy(model);
  simt_config_free(&cfg);
  free(in);
  free(out);
  return 0;
}
