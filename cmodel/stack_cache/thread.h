/* SPDX-License-Identifier: Apache-2.0 */
/* thread.h: small operations on the state of a thread, shared by model.c and engine.c. */
#ifndef STACK_CACHE_THREAD_H
#define STACK_CACHE_THREAD_H

#include <string.h>

#include "stack_cache/state.h"

static inline int32_t set_of(const struct sc_model *m, uint32_t entry) { return (int32_t)(entry >> m->l.set_lg); }
static inline uint32_t pos_of(const struct sc_model *m, uint32_t entry) { return entry & (m->l.set - 1); }
/* Ttop: the top's set, -1 when empty. */
static inline int32_t top_set(const struct sc_model *m, const struct sc_stack *s) {
  return s->count ? set_of(m, s->count - 1) : -1;
}
static inline uint8_t *slot(const struct sc_model *m, unsigned t, int32_t set) {
  return m->storage + (((size_t)t * m->l.nsets + ((unsigned)set & (m->l.nsets - 1))) << m->l.set_bytes_lg);
}
/* An entry, most often of 8 bytes; a call of memcpy would cost more than the copy. */
static inline void copy_entry(void *to, const void *from, unsigned bytes) {
  if (bytes == 8) memcpy(to, from, 8);
  else memcpy(to, from, bytes);
}
/* The same, done or not without a branch that no processor can predict. */
static inline void copy_entry_if(bool does, void *to, const void *from, unsigned bytes) {
  if (bytes == 8) {
    uint64_t old, new;
    memcpy(&old, to, 8);
    memcpy(&new, from, 8);
    new = does ? new : old;
    memcpy(to, &new, 8);
  } else if (does) {
    memcpy(to, from, bytes);
  }
}
static inline bool bit(const uint32_t *map, unsigned i) { return map[i >> 5] >> (i & 31) & 1; }
static inline void put_bit(uint32_t *map, unsigned i, bool v) {
  if (bit(map, i) != v) map[i >> 5] ^= 1u << (i & 31); /* mostly unchanged */
}

/* Counts at once; a register read sees the counters as they were when it was accepted. */
static inline void event(struct sc_model *m, enum sc_counter i, uint32_t n) { m->r.counter[i] += n; }

#endif
