/* SPDX-License-Identifier: Apache-2.0 */
/* values.c: what operations mean on items, temporary lines and old lines; lists of entries. */
#include <string.h>

#include "atomic_merge/state.h"

/* Of n parts of an item, the lowest address first, how much the one at i counts. */
static unsigned rank(const struct am_layout *l, unsigned i, unsigned n) { return l->big_endian ? n - 1 - i : i; }

static uint64_t item(const struct am_layout *l, const uint8_t *line, uint64_t at, unsigned size) {
  uint64_t value = 0;
  for (unsigned i = 0; i < 1u << size; i++) value |= (uint64_t)line[at + i] << 8 * rank(l, i, 1u << size);
  return value;
}

static void put_item(const struct am_layout *l, uint8_t *line, uint64_t at, unsigned size, uint64_t value) {
  for (unsigned i = 0; i < 1u << size; i++) line[at + i] = (uint8_t)(value >> 8 * rank(l, i, 1u << size));
}

static uint64_t truncate(uint64_t value, unsigned size) { return size == 3 ? value : value & (((uint64_t)1 << (8 << size)) - 1); }

static int64_t as_signed(uint64_t value, unsigned size) {
  return size == 3 ? (int64_t)value : (int64_t)(int32_t)(uint32_t)value;
}

/* A sum or difference modulo K, of which r has K-1. */
static uint64_t operate_modulo(const struct am_request *r, uint64_t x, uint64_t y) {
  const uint64_t last = truncate(r->compare, r->size);
  if (r->op == AM_DEC) {
    if (x > last) x = 0;
    return x >= y ? x - y : last - (y - x) + 1;
  }
  if (x > last) x = last;
  return last - x >= y ? x + y : x + y - last - 1;
}

/* x: memory's value, or what was accumulated; y: the operand, or what is merged into x. */
uint64_t am_operate(const struct am_request *r, uint64_t x, uint64_t y) {
  x = truncate(x, r->size);
  y = truncate(y, r->size);
  switch (r->op) {
  case AM_ADD: return truncate(x + y, r->size);
  case AM_SAT: return truncate(~y, r->size) < x ? truncate(UINT64_MAX, r->size) : x + y;
  case AM_AND: return x & y;
  case AM_OR: return x | y;
  case AM_XOR: return x ^ y;
  case AM_SMIN: return as_signed(x, r->size) < as_signed(y, r->size) ? x : y;
  case AM_SMAX: return as_signed(x, r->size) < as_signed(y, r->size) ? y : x;
  case AM_UMIN: return x < y ? x : y;
  case AM_UMAX: return x < y ? y : x;
  case AM_CAS: return x == truncate(r->compare, r->size) ? y : x;
  case AM_INC:
  case AM_DEC:
  case AM_MOD: return operate_modulo(r, x, y);
  case AM_MUL: return truncate(x * y, r->size);
  case AM_FADD:
  case AM_FMUL:
  case AM_FMIN:
  case AM_FMAX: return am_operate_float(r->op, r->size == 3, x, y);
  case AM_SWAP:
  case AM_STORE: return y;
  default: return x;
  }
}

bool am_bad(const struct am_layout *l, const struct am_request *r) {
  if (r->op >= AM_OPS || r->mode >= AM_MODES) return true;
  if (r->op == AM_FENCE || r->op == AM_FLUSH) return false;
  if (r->addr & (((uint64_t)1 << r->size) - 1)) return true;
  if (am_is_modulo(r->op) && r->size == 2 && r->compare >> 32) return true;
  if (r->op == AM_MOD && truncate(r->data, r->size) > truncate(r->compare, r->size)) return true;
  return am_is_atomic(r->op) && (r->size < 2 || (r->size == 3 && !l->wide) || l->policy[r->op] == AM_NOT_BUILT);
}

uint32_t am_words(const struct am_layout *l, const struct am_request *r) {
  return (r->size == 3 ? 3u : 1u) << (r->addr % l->line_bytes / 4);
}

static bool gives_value(const struct am_request *r) { return r->op == AM_LOAD || (am_is_atomic(r->op) && r->mode == AM_RETURN); }

uint64_t am_perform(const struct am_layout *l, uint8_t *line, const struct am_request *r) {
  uint64_t at = r->addr % l->line_bytes, x = item(l, line, at, r->size);
  put_item(l, line, at, r->size, am_operate(r, x, r->data));
  return gives_value(r) ? x : 0;
}

/* One word or, where the words of a wide item may differ in what stands in them, one of its two. */
static struct am_request part_of(const struct am_layout *l, const struct am_request *r, unsigned word) {
  struct am_request p = *r;
  if (r->size == 3 && am_is_bitwise(r->op)) {
    p.size = 2;
    p.addr += 4 * word;
    p.data >>= 32 * rank(l, word, 2);
  }
  return p;
}

static unsigned parts(const struct am_request *r) { return r->size == 3 && am_is_bitwise(r->op) ? 2 : 1; }

uint64_t am_accumulate(const struct am_layout *l, struct am_temp *t, const struct am_request *r, unsigned *fresh) {
  uint64_t at = r->addr % l->line_bytes, before = item(l, t->data, at, r->size);
  *fresh = ~t->set >> at / 4 & (r->size == 3 ? 3 : 1);
  for (unsigned i = 0; i < parts(r); i++) {
    struct am_request p = part_of(l, r, i);
    if (p.op == AM_DEC) p.op = AM_INC; /* what is accumulated is the count */
    uint64_t place = p.addr % l->line_bytes, x = item(l, t->data, place, p.size);
    put_item(l, t->data, place, p.size, *fresh >> i & 1 ? p.data : am_operate(&p, x, p.data));
  }
  t->set |= am_words(l, r);
  return before;
}

void am_merge(const struct am_layout *l, const struct am_temp *t, uint8_t *line) {
  struct am_request r = {.op = t->op, .size = am_is_bitwise(t->op) ? 2 : t->size, .compare = t->compare};
  for (uint64_t at = 0; at < l->line_bytes; at += (uint64_t)1 << r.size)
    if (t->set >> at / 4 & 1)
      put_item(l, line, at, r.size, am_operate(&r, item(l, line, at, r.size), item(l, t->data, at, r.size)));
}

uint64_t am_rebuild(const struct am_layout *l, const struct am_entry *e, const uint8_t *old) {
  if (!gives_value(&e->req)) return 0;
  uint64_t value = 0;
  for (unsigned i = 0; i < parts(&e->req); i++) {
    struct am_request p = part_of(l, &e->req, i);
    uint64_t m = item(l, old, p.addr % l->line_bytes, p.size);
    unsigned low = parts(&e->req) == 2 ? 32 * rank(l, i, 2) : 0; /* where its word stands in the value */
    value |= (e->fresh >> i & 1 ? m : am_operate(&p, m, e->value >> low)) << low;
  }
  return value;
}

void am_append(struct am_state *s, struct am_list *list, unsigned entry) {
  if (list->any) s->entry[list->tail].next = entry;
  else list->head = entry;
  list->tail = entry;
  list->any = true;
}
