// SPDX-License-Identifier: Apache-2.0
// lockstep.cpp: one cell, Verilated, beside its C counterpart: every output in every cycle, payloads under their valid.
// Built with -DCELL_NAME and the cell's parameters as macros P_NAME. Arguments: SEED CYCLES. Exit status 1 and a line
// with the cycle when they differ, or when something was never tried.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include "Vdut.h"
#include "verilated.h"
extern "C" {
#include "cells.h"
}

static uint64_t state;
static uint64_t rnd() {  // splitmix64
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9;
  z = (z ^ z >> 27) * 0x94d049bb133111eb;
  return z ^ z >> 31;
}
static unsigned below(unsigned n) { return rnd() % n; }
static unsigned phase;  // profiles that last for a while: how often each side asks, of 4
static bool often(unsigned of4) { return below(4) < of4; }

static Vdut *dut;
static uint64_t cycle_now, tried[4];
static int fail(const char *what, uint64_t rtl, uint64_t model) {
  printf("MISMATCH cycle %llu: %s: RTL %llx, model %llx\n", (unsigned long long)cycle_now, what, (unsigned long long)rtl,
         (unsigned long long)model);
  return 1;
}
#define SAME(name, rtl, model) if ((uint64_t)(rtl) != (uint64_t)(model)) return fail(name, rtl, model)

#if defined(CELL_fifo_regs) || defined(CELL_fifo_ram) || defined(CELL_skid_buffer)
#if defined(CELL_skid_buffer)
static const simt_fifo_kind kind = {2, 1};
#elif defined(CELL_fifo_ram)
static const simt_fifo_kind kind = {P_DEPTH, 2};
#else
static const simt_fifo_kind kind = {P_DEPTH, 1};
#endif
static simt_fifo model;
static std::vector<uint8_t> word(kind.words);
static void clear() { model = simt_fifo(); }
static int cycle(bool rst) {
  unsigned in = phase & 3, out = phase >> 2 & 3;
  dut->in_valid_i = often(in + 1);
  dut->in_data_i = (uint8_t)rnd();
  dut->out_ready_i = often(out + 1);
  dut->eval();
  SAME("in_ready_o", dut->in_ready_o, simt_fifo_ready(&model, kind));
  SAME("out_valid_o", dut->out_valid_o, simt_fifo_valid(&model));
  if (dut->out_valid_o) SAME("out_data_o", dut->out_data_o, word[model.head]);
#ifndef CELL_skid_buffer
  SAME("level_o", dut->level_o, model.level);
#endif
  tried[0] += !simt_fifo_ready(&model, kind) && dut->in_valid_i;
  tried[1] += !model.level && dut->out_ready_i;
  tried[2] += model.fresh || kind.latency == 1;
  tried[3]++;
  if (simt_fifo_ready(&model, kind)) word[simt_fifo_place(&model, kind)] = dut->in_data_i;
  simt_fifo_step(&model, kind, dut->in_valid_i, dut->out_ready_i);
  if (rst) clear();
  return 0;
}
#elif defined(CELL_rr_arbiter)
static const simt_rr_kind kind = {P_CLIENTS, P_STAGES};
static simt_rr_arbiter model;
static uint64_t req;
static void clear() { simt_rr_clear(&model); req = 0; }
static int cycle(bool rst) {
  const uint64_t all = P_CLIENTS == 64 ? ~(uint64_t)0 : ((uint64_t)1 << P_CLIENTS % 64) - 1;
  uint64_t more = rnd();
  for (unsigned i = 0; i < (phase & 7); i++) more &= rnd();
  req |= more & all;
  if (below(64) == 0) req &= rnd();  // withdrawn
  dut->req_i = req;
  dut->enable_i = often(1 + (phase >> 3 & 3));
  dut->eval();
  int grant = simt_rr_grant(&model, kind);
  SAME("grant_valid_o", dut->grant_valid_o, grant >= 0);
  if (grant >= 0) SAME("grant_o", dut->grant_o, grant);
  SAME("grant_one_hot_o", dut->grant_one_hot_o, grant < 0 ? 0 : (uint64_t)1 << grant);
  tried[0] += grant >= 0;
  tried[1] += req == all;
  tried[2] += !dut->enable_i;
  tried[3] += !(req & (req - 1)) && req;
  simt_rr_step(&model, kind, req, dut->enable_i);
  if (grant >= 0 && often(3)) req &= ~((uint64_t)1 << grant);
  if (rst) clear();
  return 0;
}
#define CELL_AFTERWARDS shares
// The share that rr_arbiter.v states, with some clients that always ask: the same for each group that has one, and within
// a group the same for each client.
static int shares() {
  const unsigned groups = P_STAGES == 1 ? 1 : P_CLIENTS <= 4 ? 2 : P_CLIENTS <= 16 ? 4 : 8;
  const uint64_t rounds = 840, settle = 200;
  for (int set = 0; set < 20; set++) {
    unsigned members[8] = {}, busy = 0, active = 0, grants[P_CLIENTS] = {};
    uint64_t ask = 0;
    for (unsigned i = 0, of8 = 1 + below(7); i < P_CLIENTS; i++)
      if (below(8) < of8) { ask |= (uint64_t)1 << i; active++; busy += !members[i % groups]++; }
    if (active <= P_STAGES || busy < (P_STAGES == 1 ? 1 : P_STAGES + 1)) continue;
    dut->req_i = ask;
    dut->enable_i = 1;
    dut->rst_i = 0;
    for (uint64_t i = 0; i < settle + rounds * busy; i++) {
      if (i >= settle && dut->grant_valid_o) grants[dut->grant_o]++;
      dut->clk_i = 1; dut->eval();
      dut->clk_i = 0; dut->eval();
    }
    for (unsigned i = 0; i < P_CLIENTS; i++) {
      uint64_t due = ask >> i & 1 ? rounds / members[i % groups] : 0;
      if (grants[i] + 2 < due || grants[i] > due + 2) return fail("share of a client that always asks", grants[i], due);
    }
    tried[0]++;
  }
  return 0;
}
#elif defined(CELL_free_list)
static uint16_t back[P_ENTRIES];
static simt_free_list model = {simt_fifo(), 0, back};
static std::vector<uint16_t> out;  // given, not back yet
static void clear() { model.back = simt_fifo(); model.fresh = 0; out.clear(); }
static int cycle(bool rst) {
  dut->out_ready_i = often(1 + (phase & 3));
  dut->free_valid_i = !out.empty() && often(1 + (phase >> 2 & 3));
  unsigned at = out.empty() ? 0 : below((unsigned)out.size());
  dut->free_entry_i = dut->free_valid_i ? out[at] : below(P_ENTRIES);
  dut->eval();
  bool valid = simt_free_valid(&model, P_ENTRIES);
  SAME("out_valid_o", dut->out_valid_o, valid);
  if (valid) SAME("out_entry_o", dut->out_entry_o, simt_free_entry(&model, P_ENTRIES));
  SAME("level_o", dut->level_o, P_ENTRIES - out.size());
  for (uint16_t e : out) if (valid && e == dut->out_entry_o) return fail("given twice", e, e);
  tried[0] += out.empty();
  tried[1] += out.size() == P_ENTRIES;
  tried[2] += !valid && out.size() < P_ENTRIES;
  tried[3] += valid && dut->out_ready_i && dut->free_valid_i;
  if (dut->free_valid_i) out.erase(out.begin() + at);
  if (valid && dut->out_ready_i) out.push_back(dut->out_entry_o);
  simt_free_step(&model, P_ENTRIES, dut->out_ready_i, dut->free_valid_i, dut->free_entry_i);
  if (rst) clear();
  return 0;
}
#elif defined(CELL_list_queues)
#include <deque>
static simt_list_queue queue[P_QUEUES];
static uint16_t next_of[P_ENTRIES];
static simt_list_queues model = {queue, next_of, {}, {}, 0};
static std::vector<uint16_t> unused;
static std::deque<uint16_t> golden[P_QUEUES];  // the meaning: a plain queue each
static int wanted[3];                          // what removals must find, -1 nothing
static void clear() {
  simt_lists_clear(&model, P_QUEUES);
  unused.clear();
  for (unsigned i = 0; i < P_ENTRIES; i++) unused.push_back((uint16_t)i);
  for (auto &g : golden) g.clear();
  for (int &w : wanted) w = -1;
}
static int cycle(bool rst) {
  unsigned few = 1 + below(phase & 1 ? P_QUEUES : P_QUEUES < 3 ? P_QUEUES : 3);
  bool ready = !model.clearing;
  int in = -1, pop = -1;
  SAME("in_ready_o", dut->in_ready_o, ready);
  const simt_list_answer *a = &model.answer[2];
  SAME("out_valid_o", dut->out_valid_o, a->valid);
  if (a->valid) SAME("out_entry_o", dut->out_entry_o, a->entry);
  if (a->valid != (wanted[2] >= 0) || (a->valid && a->entry != wanted[2])) return fail("not the oldest", dut->out_entry_o, wanted[2]);
  for (unsigned i = 0; i < P_QUEUES; i++) {
#if P_QUEUES > 64
    bool shown = dut->nonempty_o[i / 32] >> i % 32 & 1;
#else
    bool shown = (uint64_t)dut->nonempty_o >> i & 1;
#endif
    SAME("nonempty_o", shown, model.some[2][i / 64] >> i % 64 & 1);
  }
  if (a->valid) unused.push_back(a->entry);  // may be used again at once
  dut->in_valid_i = dut->pop_valid_i = 0;
  dut->in_queue_i = below(P_QUEUES);
  dut->in_entry_i = below(P_ENTRIES);
  if (!unused.empty() && often(1 + (phase >> 1 & 3))) {
    unsigned at = phase & 32 ? (unsigned)unused.size() - 1 : below((unsigned)unused.size());
    in = (int)below(few);
    dut->in_valid_i = 1;
    dut->in_queue_i = in;
    dut->in_entry_i = unused[at];
    if (ready) unused.erase(unused.begin() + at);
  }
  if (often(1 + (phase >> 3 & 3))) {
    pop = (int)below(few);
    dut->pop_valid_i = 1;
  }
  dut->pop_queue_i = pop < 0 ? below(P_QUEUES) : (unsigned)pop;
  dut->eval();
  for (int i = 2; i; i--) wanted[i] = wanted[i - 1];
  wanted[0] = -1;
  if (ready) {
    tried[0] += in >= 0 && in == pop;
    tried[1] += pop >= 0 && golden[pop].empty();
    tried[2] += unused.empty();
    tried[3] += pop >= 0 && golden[pop].size() == 2 && in == pop;
    if (pop >= 0 && !golden[pop].empty()) { wanted[0] = golden[pop].front(); golden[pop].pop_front(); }
    if (in >= 0) golden[in].push_back(dut->in_entry_i);
  }
  simt_lists_step(&model, P_QUEUES, in, dut->in_entry_i, pop);
  if (rst) clear();
  return 0;
}
#elif defined(CELL_ref_counters)
static uint16_t count[P_COUNTERS];
static simt_ref_counters model = {count, {}, 0};
static void clear() { simt_refs_clear(&model, P_COUNTERS); }
static int cycle(bool rst) {
  unsigned few = phase & 1 ? P_COUNTERS : P_COUNTERS < 3 ? P_COUNTERS : 3;
  simt_ref_request q = {often(1 + (phase >> 1 & 3)), often(1 + (phase >> 3 & 3)), below(64) == 0, below(few), below(few)};
  dut->up_valid_i = q.up;
  dut->down_valid_i = q.down;
  dut->down_clear_i = q.clear;
  dut->up_index_i = q.up_index;
  dut->down_index_i = q.down_index;
  dut->eval();
  const simt_ref_answer *a = &model.answer[2];
  SAME("ready_o", dut->ready_o, !model.clearing);
  SAME("down_zero_o", dut->down_zero_o, a->zero);
  SAME("down_error_o", dut->down_error_o, a->error);
  if (a->zero || a->error) SAME("down_index_o", dut->down_index_o, a->down_index);
  if (!model.clearing && cycle_now > 3) {
    static uint64_t since;
    since = dut->rst_i ? 0 : since + 1;
    if (since > 3 && tried[3]) SAME("up_count_o", dut->up_count_o, a->up_count);
    tried[3] += since > 3;
  }
  tried[0] += a->zero;
  tried[1] += a->error;
  tried[2] += count[q.up_index] == (1u << P_WIDTH) - 1 && q.up;
  simt_refs_step(&model, (1u << P_WIDTH) - 1, &q);
  if (rst) clear();
  return 0;
}
#endif

int main(int argc, char **argv) {
  if (argc != 3) return 2;
  state = strtoull(argv[1], nullptr, 10);
  uint64_t cycles = strtoull(argv[2], nullptr, 10);
  dut = new Vdut;
  for (int i = 0; i < 2; i++) {  // reset
    dut->rst_i = 1;
    dut->clk_i = 0; dut->eval();
    dut->clk_i = 1; dut->eval();
  }
  clear();
  for (cycle_now = 0; cycle_now < cycles; cycle_now++) {
    if (below(200) == 0) phase = (unsigned)rnd();
    dut->clk_i = 0;
    dut->rst_i = below(3000) == 0;
    if (cycle(dut->rst_i)) return 1;
    dut->clk_i = 1;
    dut->eval();
  }
#ifdef CELL_AFTERWARDS
  tried[0] = 0;
  if (CELL_AFTERWARDS()) return 1;
#endif
  for (int i = 0; i < 4; i++)
    if (!tried[i]) { printf("NOT TRIED: situation %d\n", i); return 1; }
  printf("PASS %llu cycles\n", (unsigned long long)cycles);
  return 0;
}
