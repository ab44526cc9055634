/* SPDX-License-Identifier: Apache-2.0 */
/* front_memory.c: the miss unit and the memory behind it: latency with a seeded spread, limited bandwidth. */
#include <stdlib.h>

#include "tracker/front_impl.h"

enum { ALLOC_TO_FILL = 4 }; /* cycles from an allocation taken to the first fill of its line */

static uint32_t power_of_two(uint64_t n) { return (uint32_t)1 << simt_clog2(n); }

bool tkf_memory_create(struct tkf_front *f) {
  uint64_t far = (uint64_t)f->o.latency + f->o.spread + 2;
  f->answers = power_of_two(far);
  f->ring = power_of_two(far / f->o.fill_interval + f->o.misses + 2);
  f->request = calloc(f->ring, sizeof *f->request);
  f->answer = malloc(f->answers * sizeof *f->answer);
  for (uint32_t i = 0; f->answer && i < f->answers; i++) f->answer[i] = TKF_NONE;
  return f->request && f->answer;
}

void tkf_memory_destroy(struct tkf_front *f) {
  free(f->request);
  free(f->answer);
}

/* Cycles until memory answers: the same for the same access, whatever the systems compared do. */
static uint64_t latency(const struct tkf_front *f, uint64_t key) {
  uint64_t h = key * 0x9e3779b97f4a7c15u ^ f->o.seed * 0xd1b54a32d192ed03u;
  h = (h ^ h >> 31) * 0xbf58476d1ce4e5b9u;
  h = (h ^ h >> 29) * 0x94d049bb133111ebu;
  h ^= h >> 32;
  return f->o.latency + h % ((uint64_t)f->o.spread + 1);
}

/* In the first free turn of the line from `at` on. */
static void put(struct tkf_front *f, uint64_t at, const struct tkf_request *r) {
  while (f->request[at & (f->ring - 1)].used) at++;
  f->request[at & (f->ring - 1)] = *r;
}

void tkf_memory_ask(struct tkf_front *f, unsigned bank, unsigned dslot, unsigned sector, uint64_t key) {
  uint64_t due = f->cycle + latency(f, key), interval = f->o.fill_interval;
  put(f, (due + interval - 1) / interval, &(struct tkf_request){.used = true, .bank = (uint8_t)bank,
                                                                .dslot = (uint16_t)dslot, .sector = (uint8_t)sector});
  tkf_dslot(f, bank, dslot)->wanted |= (uint8_t)(1u << sector);
  f->misses++;
}

void tkf_memory_ask_atomic(struct tkf_front *f, uint32_t instruction) {
  struct tkf_instruction *i = &f->instruction[instruction];
  uint32_t *first = &f->answer[(f->cycle + 1 + latency(f, i->key)) & (f->answers - 1)];
  i->next = *first;
  *first = instruction;
}

void tkf_memory_fill(struct tkf_front *f, struct tkf_in *in) {
  if (f->cycle % f->o.fill_interval) return;
  struct tkf_request *r = &f->request[f->cycle / f->o.fill_interval & (f->ring - 1)];
  if (!r->used) return;
  const struct tkf_dslot *d = tkf_dslot(f, r->bank, r->dslot);
  if (d->posted || d->allocated + ALLOC_TO_FILL > f->cycle) { /* the tracker must know of the line before: the next turn */
    struct tkf_request late = *r;
    r->used = false;
    put(f, f->cycle / f->o.fill_interval + 1, &late);
    return;
  }
  r->used = false;
  in->fill_valid = true;
  in->fill_bank = r->bank;
  in->fill_dslot = r->dslot;
  in->fill_sector = r->sector;
  f->misses--;
  f->counts.fills++;
  f->active = f->cycle;
}

void tkf_memory_filled(struct tkf_front *f, const struct tkf_in *in) {
  if (in->fill_valid) tkf_dslot(f, in->fill_bank, in->fill_dslot)->valid |= (uint8_t)(1u << in->fill_sector);
}

uint32_t tkf_memory_answer(struct tkf_front *f) {
  uint32_t *first = &f->answer[f->cycle & (f->answers - 1)], i = *first;
  if (i != TKF_NONE) *first = f->instruction[i].next;
  return i;
}
