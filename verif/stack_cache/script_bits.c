/* SPDX-License-Identifier: Apache-2.0 */
/* script_bits.c: directed tests that take registers, addresses and counts bit by bit, as no random value does. */
#include "stack_cache/script.h"

enum { MOST_ERRORS = 0xffff, SEEN_ONE_BY_ONE = 300 };

static const struct simt_reg *register_at(const struct sc_script *s, uint32_t addr) {
  for (size_t i = 0; i < s->desc->n_regs; i++)
    if (s->desc->regs[i].addr == addr) return &s->desc->regs[i];
  return NULL;
}

void sc_every_address(struct sc_script *s) {
  for (uint32_t addr = 0; addr < 1u << SC_REG_ADDR_W; addr++) {
    const struct simt_reg *r = register_at(s, addr);
    sc_access(s, addr, false, 0);
    if (!r || r->access[0] == 'r') sc_access(s, addr, true, 0); /* a register that is written only clears something */
  }
}

/* The value that registers have after reset, from which every bit is changed. */
static uint32_t lawful(const struct sc_script *s, uint32_t addr) {
  switch (addr) {
    case SC_REG_STRIDE_LG: return s->l->stride_max;
    case SC_REG_LIMIT: return (uint32_t)s->l->max_depth;
    case SC_REG_SPILL_OVER:
    case SC_REG_RESTORE_FREE: return s->l->nsets / 2;
    case SC_REG_SPILL_BURST: return 1;
    default: return 0;
  }
}

void sc_every_bit(struct sc_script *s) {
  static const uint16_t of[] = {SC_REG_BASE_LO, SC_REG_BASE_HI, SC_REG_STRIDE_LG, SC_REG_LIMIT, SC_REG_SPILL_OVER,
                                SC_REG_SPILL_BURST, SC_REG_RESTORE_FREE, SC_REG_THREAD};
  for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
    for (unsigned bit = 0; bit < 64; bit++) {
      sc_access(s, of[i], true, (bit < 32 ? 0 : lawful(s, of[i])) ^ 1u << bit % 32);
      sc_access(s, of[i], false, 0);
    }
    sc_access(s, of[i], true, lawful(s, of[i]));
    if (of[i] == SC_REG_STRIDE_LG) /* what a region holds limits the depth */
      for (uint32_t lg = s->l->set_bytes_lg; lg <= s->l->stride_max; lg++) {
        sc_access(s, SC_REG_STRIDE_LG, true, lg);
        for (uint64_t one = 1; one <= s->l->max_depth; one *= 2) {
          sc_access(s, SC_REG_LIMIT, true, (uint32_t)one);
          sc_access(s, SC_REG_LIMIT, false, 0);
          sc_access(s, SC_REG_LIMIT, true, (uint32_t)(2 * one - 1));
          sc_access(s, SC_REG_LIMIT, false, 0);
        }
        sc_access(s, SC_REG_LIMIT, true, (uint32_t)s->l->max_depth);
        sc_access(s, SC_REG_LIMIT, false, 0);
      }
  }
}

/* The last thread's sets go out, are changed, and come back. */
static void through_memory(struct sc_script *s) {
  uint64_t n = s->l->entries + 2 * s->l->set + 1, region = (uint64_t)1 << s->l->stride_max >> s->l->entry_bytes_lg;
  if (n > s->l->max_depth) n = s->l->max_depth;
  if (n > region) n = region;
  sc_pushes(s, s->l->threads - 1, 0, n);
  sc_pops(s, SC_ANY_WAIT, s->l->threads - 1, 0, n);
  sc_op(s, SC_ANY_WAIT, s->l->threads - 1, SC_INIT, 0, SC_OK);
  sc_idle(s, 4);
}

void sc_bits_of_addresses(struct sc_script *s) {
  if (s->l->entries > 64) return; /* long, and the addresses are those of smaller ones */
  for (unsigned bit = s->l->set_bytes_lg; bit < s->l->addr_w; bit++) {
    for (unsigned others = 0; others < 2; others++) {
      uint64_t all = ~(uint64_t)0 >> (64 - s->l->addr_w) & ~(uint64_t)(s->l->set_bytes - 1);
      uint64_t base = (others ? all : 0) ^ (uint64_t)1 << bit;
      if (s->l->addr_w > 32) sc_write_register(s, SC_REG_BASE_HI, (uint32_t)(base >> 32), false);
      sc_write_register(s, SC_REG_BASE_LO, (uint32_t)base, false);
      through_memory(s);
    }
  }
}

/* An error for every spill of thread 0; each belongs to a stack that an init has ended, so no thread is faulted. */
void sc_many_errors(struct sc_script *s) {
  uint64_t n = s->l->entries - s->l->set + 1;
  bool small = s->l->threads <= 2 && s->l->entries <= 4 && !s->l->status;
  if (!small || s->l->policy != SC_SET_BOUNDARY || n > s->l->max_depth) return;
  sc_by_hand(s, true);
  for (uint32_t i = 1; i <= MOST_ERRORS + 2; i++) {
    uint32_t count = i < MOST_ERRORS ? i : MOST_ERRORS;
    sc_pushes(s, 0, 0, n);
    sc_request(s, 1);
    sc_op(s, SC_NO_WAIT, 0, SC_INIT, 0, SC_OK);
    sc_answer(s, 0, 1 + i % 3);
    if (i < SEEN_ONE_BY_ONE || i > MOST_ERRORS - SEEN_ONE_BY_ONE || i % 64 == 63) {
      sc_idle(s, 2 + (i ^ i >> 6) % 2); /* at odd and even distance: a bit may change to and fro */
      sc_read_register(s, SC_REG_ERROR_COUNT, count);
    }
  }
  sc_read_register(s, SC_REG_FAULTED, 0);
}
