/* SPDX-License-Identifier: Apache-2.0 */
#include "cells.h"

#include <string.h>

void simt_rr_clear(struct simt_rr_arbiter *a) { memset(a, -1, sizeof *a); }

/* The first of the set behind `last`, then from 0 on; -1 when it is empty. */
static int8_t next_after(uint64_t set, int8_t last) {
  uint64_t behind = last == 63 ? 0 : set & ~(((uint64_t)2 << last) - 1);
  if (last < 0) behind = set;
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
