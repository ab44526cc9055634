/* SPDX-License-Identifier: Apache-2.0 */
#include "cells.h"

#include <string.h>

void simt_rr_clear(struct simt_rr_arbiter *a) { memset(a, -1, sizeof *a); }

/* The first of the set behind `last`, then from 0 on; -1 when it is empty. */
static int8_t next_after(uint64_t set, int8_t last) {
  uint64_t behind = last < 0 ? set : last == 63 ? 0 : set & ~(((uint64_t)2 << last) - 1);
  if (!set) return -1;
  return (int8_t)__builtin_ctzll(behind ? behind : set);
}

static uint64_t bit(int8_t client) { return client < 0 ? 0 : (uint64_t)1 << client; }

static unsigned groups_of(struct simt_rr_kind k) { return k.clients <= 4 ? 2 : k.clients <= 16 ? 4 : 8; }

/* Clients of a group: every groups-th one. */
static uint64_t members(unsigned group, unsigned groups) {
  uint64_t every = groups == 2 ? 0x5555555555555555 : groups == 4 ? 0x1111111111111111 : 0x0101010101010101;
  return every << group;
}

/* The group whose turn it is gives up its candidate; groups without one look for the next. */
static int8_t choose_group(struct simt_rr_arbiter *a, unsigned groups, uint64_t open, bool enable) {
  uint64_t waiting = 0;
  for (unsigned g = 0; g < groups; g++) waiting |= (uint64_t)(a->candidate[g] >= 0) << g;
  int8_t taken = enable ? next_after(waiting, a->last) : -1, chosen = -1;
  if (taken >= 0) {
    a->last = taken;
    chosen = a->candidate[taken];
  }
  for (unsigned g = 0; g < groups; g++) {
    if (a->candidate[g] >= 0 && taken != (int8_t)g) continue;
    a->candidate[g] = next_after(open & members(g, groups) & ~bit(a->candidate[g]), a->last_in[g]);
    if (a->candidate[g] >= 0) a->last_in[g] = a->candidate[g];
  }
  return chosen;
}

void simt_rr_step(struct simt_rr_arbiter *a, struct simt_rr_kind k, uint64_t req, bool enable) {
  uint64_t open = req & ~bit(a->grant[0]);
  int8_t chosen;
  if (k.stages == 3) open &= ~bit(a->grant[1]);
  if (k.stages > 1) {
    chosen = choose_group(a, groups_of(k), open, enable);
  } else {
    chosen = enable ? next_after(open, a->last) : -1;
    if (chosen >= 0) a->last = chosen;
  }
  a->grant[1] = a->grant[0];
  a->grant[0] = chosen;
}

void simt_free_step(struct simt_free_list *f, uint32_t entries, bool out_ready, bool free_valid, uint32_t free_entry) {
  const struct simt_fifo_kind kind = {entries, 2};
  bool fresh = f->fresh < entries;
  if (free_valid) f->entry[simt_fifo_place(&f->back, kind)] = (uint16_t)free_entry;
  simt_fifo_step(&f->back, kind, free_valid, out_ready && !fresh);
  f->fresh += fresh && out_ready;
}

void simt_lists_clear(struct simt_list_queues *l, uint32_t queues) {
  memset(l->queue, 0, queues * sizeof *l->queue);
  memset(l->answer, 0, sizeof l->answer);
  memset(l->some, 0, sizeof l->some);
  l->clearing = queues;
}

void simt_lists_step(struct simt_list_queues *l, uint32_t queues, int in_queue, uint32_t in_entry, int pop_queue) {
  struct simt_list_answer answer = {false, 0};
  uint64_t some[2] = {0, 0};
  if (l->clearing) in_queue = pop_queue = -1;
  l->clearing -= l->clearing > 0;
  if (pop_queue >= 0 && l->queue[pop_queue].count) {
    struct simt_list_queue *q = &l->queue[pop_queue];
    answer = (struct simt_list_answer){true, q->head};
    q->head = l->next[q->head];
    q->count--;
  }
  if (in_queue >= 0) {
    struct simt_list_queue *q = &l->queue[in_queue];
    if (q->count) l->next[q->tail] = (uint16_t)in_entry;
    else q->head = (uint16_t)in_entry;
    q->tail = (uint16_t)in_entry;
    q->count++;
  }
  for (uint32_t i = 0; i < queues; i++) some[i / 64] |= (uint64_t)(l->queue[i].count > 0) << i % 64;
  memmove(l->answer + 1, l->answer, sizeof l->answer - sizeof *l->answer);
  memmove(l->some + 1, l->some, sizeof l->some - sizeof *l->some);
  l->answer[0] = answer;
  memcpy(l->some[0], some, sizeof some);
}

void simt_refs_clear(struct simt_ref_counters *r, uint32_t counters) {
  memset(r->count, 0, counters * sizeof *r->count);
  memset(r->answer, 0, sizeof r->answer);
  r->clearing = counters;
}

void simt_refs_step(struct simt_ref_counters *r, uint32_t most, const struct simt_ref_request *request) {
  struct simt_ref_request q = *request;
  uint16_t *down = &r->count[q.down_index], *up = &r->count[q.up_index];
  struct simt_ref_answer answer = {*up, q.down_index, false, false};
  if (r->clearing) q.up = q.down = false;
  r->clearing -= r->clearing > 0;
  bool same = q.up && q.down && up == down, cleared = q.down && q.clear;
  bool none = *down == 0, full_up = *up == most, full_down = *down == most;
  answer.zero = q.down && !none && (cleared || (*down == 1 && !same));
  answer.error = q.down && none && !cleared;
  if (q.up && !full_up) ++*up;
  if (q.down && !none && !full_down) --*down;
  if (cleared) *down = 0;
  memmove(r->answer + 1, r->answer, sizeof r->answer - sizeof *r->answer);
  r->answer[0] = answer;
}
