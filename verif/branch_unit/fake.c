/* SPDX-License-Identifier: Apache-2.0 */
/* fake.c: what stands for the stack in the environment of the unit alone: a stack per group that waits as it
 * likes, within the rules of its can-go bits (SC-3, SC-11): once 1, a bit stays 1 until an operation of its group is taken, or the
 * stack holds the group, once between two operations of it; cycles that nobody gets have can_go_i = 0. With a latency that
 * allows it a group goes every 4 cycles, else in any. */
#include "branch_unit/env.h"

#include <stdlib.h>
#include <string.h>

struct entry { uint32_t word[BU_MAX_ENTRY_WORDS]; };
struct bu_fake_stack {
  struct entry *entry;
  unsigned depth, room, push_wait, top_wait; /* cycles until a bit is 1 again */
  bool fault, held;
};
struct bu_fake_answer {
  bool valid, data;
  unsigned thread, kind, status;
  struct entry entry;
};

struct bu_fake {
  unsigned threads, words, entry_words, gap;
  struct bu_fake_stack *stack;
  struct bu_fake_answer ring[16]; /* by cycle of the answer */
  uint64_t cycle;
  uint32_t push[32], top[32]; /* maps of the stacks whose bits are 1 */
  bool open;              /* operations are taken in this cycle */
};

/* Without a call for the few words of a token. */
static inline void copy_words(uint32_t *to, const uint32_t *from, unsigned n) {
  to[0] = from[0];
  if (n > 1) to[1] = from[1];
  if (n > 2) memcpy(to + 2, from + 2, (n - 2) * sizeof *to);
}

struct bu_fake *bu_fake_create(const struct bu_layout *l) {
  struct bu_fake *f = calloc(1, sizeof *f);
  if (f) f->stack = calloc(l->threads, sizeof *f->stack);
  if (!f || !f->stack) {
    free(f);
    return NULL;
  }
  f->threads = l->threads;
  f->words = (l->threads + 31) / 32;
  f->entry_words = l->entry_words;
  f->gap = bu_fake_gap(l);
  return f;
}

void bu_fake_destroy(struct bu_fake *f) {
  if (!f) return;
  for (unsigned i = 0; i < f->threads; i++) free(f->stack[i].entry);
  free(f->stack);
  free(f);
}

void bu_fake_restart(struct bu_fake *f) {
  for (unsigned i = 0; i < f->threads; i++) {
    struct bu_fake_stack *s = &f->stack[i];
    s->depth = s->push_wait = s->top_wait = 0;
    s->fault = s->held = false;
  }
  memset(f->ring, 0, sizeof f->ring);
  for (unsigned w = 0; w < 32; w++) f->push[w] = f->top[w] = ~UINT32_C(0);
}

static void map(struct bu_fake *f, unsigned i) {
  const struct bu_fake_stack *s = &f->stack[i];
  uint32_t bit = UINT32_C(1) << i % 32, *push = &f->push[i / 32], *top = &f->top[i / 32];
  *push = s->push_wait ? *push & ~bit : *push | bit;
  *top = s->top_wait ? *top & ~bit : *top | bit;
}

void bu_fake_copy(struct bu_fake *to, const struct bu_fake *from) {
  for (unsigned i = 0; i < to->threads; i++) {
    struct bu_fake_stack *t = &to->stack[i];
    const struct bu_fake_stack *s = &from->stack[i];
    struct entry *entry = t->entry;
    unsigned room = t->room;
    if (room < s->depth) {
      room = s->room;
      entry = realloc(entry, room * sizeof *entry);
      if (!entry) abort();
    }
    *t = *s;
    t->entry = entry;
    t->room = room;
    if (s->depth) memcpy(entry, s->entry, s->depth * sizeof *entry);
    map(to, i);
  }
}

void bu_fake_drive(struct bu_env *e, const struct bu_choice *c, uint32_t *in) {
  struct bu_fake *f = e->fake;
  const struct bu_ports *at = &e->at;
  f->open = !(c->flags & BU_STEAL);
  for (unsigned w = 0; w < f->words; w++) {
    uint32_t all = f->threads - 32 * w < 32 ? (UINT32_C(1) << (f->threads - 32 * w)) - 1 : ~UINT32_C(0);
    in[at->can_push + w] = f->push[w] & all;
    in[at->can_top + w] = f->top[w] & all;
  }
  in[at->can_go] = f->open;
  const struct bu_fake_answer *a = &f->ring[f->cycle & 15];
  in[at->ans] = a->valid;
  in[at->ans_thread] = a->thread;
  in[at->ans_kind] = a->kind;
  in[at->ans_status] = a->status;
  in[at->ans_data_valid] = a->valid & a->data;
  copy_words(&in[at->ans_data], a->entry.word, f->entry_words); /* something stands there without a valid, too */
}

static void push(struct bu_fake *f, struct bu_fake_stack *s, const uint32_t *data) {
  if (s->depth == s->room) {
    s->room = s->room ? 2 * s->room : 16;
    s->entry = realloc(s->entry, s->room * sizeof *s->entry);
    if (!s->entry) abort();
  }
  copy_words(s->entry[s->depth++].word, data, f->entry_words);
}

static void operate(struct bu_env *e, struct bu_fake_stack *s, struct bu_fake_answer *a, const uint32_t *data) {
  struct bu_fake *f = e->fake;
  a->status = BU_OP_OK;
  if (a->kind == BU_INIT) {
    s->depth = s->push_wait = s->top_wait = 0;
    s->fault = false;
  } else if (s->fault) {
    a->status = BU_OP_FAULT;
  } else if (a->kind == BU_PUSH) {
    if (s->depth >= e->stack_limit) a->status = BU_OP_OVERFLOW;
    else push(f, s, data);
  } else if (!s->depth) {
    a->status = BU_OP_UNDERFLOW;
  } else {
    a->data = true;
    copy_words(a->entry.word, s->entry[--s->depth].word, f->entry_words);
  }
}

static void count_down(struct bu_fake *f) {
  for (unsigned w = 0; w < f->words; w++)
    for (uint32_t waits = ~(f->push[w] & f->top[w]); waits; waits &= waits - 1) {
      unsigned i = 32 * w + (unsigned)__builtin_ctz(waits);
      struct bu_fake_stack *s = &f->stack[i];
      s->push_wait -= s->push_wait > 0;
      s->top_wait -= s->top_wait > 0;
      map(f, i);
    }
}

static void wait_for(unsigned *wait, unsigned least) { *wait = *wait < least ? least : *wait; }

/* Its bits are 0 for so many cycles. */
static void hold(struct bu_fake *f, unsigned i, unsigned cycles) {
  struct bu_fake_stack *s = &f->stack[i];
  wait_for(&s->push_wait, cycles);
  wait_for(&s->top_wait, cycles);
  map(f, i);
}

static void hurt(struct bu_env *e, unsigned i) {
  struct bu_fake_stack *s = &e->fake->stack[i];
  if (!e->group[i].live) return;
  s->fault = e->group[i].may_fault = true;
  s->push_wait = s->top_wait = 0;
  map(e->fake, i);
}

bool bu_fake_step(struct bu_env *e, const struct bu_kept *c, const uint32_t *in, const uint32_t *out) {
  struct bu_fake *f = e->fake;
  const struct bu_ports *at = &e->at;
  unsigned thread = out[at->op_thread], kind = out[at->op_kind];
  struct bu_fake_answer *a = &f->ring[(f->cycle + e->l.latency) & 15];
  a->valid = a->data = false; /* the rest stays from before */
  if (thread >= f->threads) thread %= f->threads;
  const unsigned push = bu_bit(&in[at->can_push], thread), top = bu_bit(&in[at->can_top], thread);
  bool taken = out[at->op] & in[at->can_go] & (kind == BU_PUSH ? push : kind == BU_POP ? top : push | top) & 1;
  count_down(f);
  if (taken) {
    struct bu_fake_stack *s = &f->stack[thread];
    a->valid = true;
    a->thread = thread;
    a->kind = kind;
    operate(e, s, a, &out[at->op_data]);
    if ((c->flags & BU_SLOW) && a->status == BU_OP_OK) *(c->wait & 1 ? &s->push_wait : &s->top_wait) = c->wait >> 1;
    s->held = false;
    hold(f, thread, f->gap - 1);
  } else if (c->flags & BU_SLOW) {
    const unsigned i = c->group % f->threads;
    if (!f->stack[i].held) hold(f, i, 1 + c->wait % 8);
    f->stack[i].held = true;
  }
  if ((c->flags & BU_FAULT_AFTER) && (taken || (c->wait & 1))) hurt(e, taken ? thread : c->group % f->threads);
  f->cycle++;
  return taken;
}
