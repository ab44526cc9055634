/* SPDX-License-Identifier: Apache-2.0 */
/* replay.c: which operation of a trace comes next. */
#include <stdlib.h>
#include <string.h>

#include "stack_cache/trace_impl.h"

const struct simt_named sc_pickers[] = {
  [SC_ROUND_ROBIN] = {"round_robin", "Of the threads that can go, the first after the last one served.", ""},
  [SC_LONGEST_REMAINING] = {"longest_remaining", "Of the threads that can go, the one with most operations left.", ""},
  [SC_LOWEST_INDEX] = {"lowest_index", "Of the threads that can go, the one with the lowest number.", ""},
  [SC_GLOBAL_ORDER] = {"global_order", "The order of the file; all wait while its next operation cannot go.", ""},
  {NULL, NULL, NULL}};

bool sc_find_picker(const char *name, enum sc_picker *to, struct simt_diag *diag) {
  const char *names[SC_GLOBAL_ORDER + 2] = {NULL};
  *to = SC_ROUND_ROBIN;
  if (!name) return true;
  for (unsigned i = 0; sc_pickers[i].name; i++) {
    names[i] = sc_pickers[i].name;
    if (strcmp(name, names[i])) continue;
    *to = (enum sc_picker)i;
    return true;
  }
  if (diag->failed) return false;
  simt_fail(diag, "--picker", name, "round_robin, longest_remaining, lowest_index or global_order");
  const char *near = simt_nearest(name, names);
  if (near) {
    strcpy(diag->hint, "did you mean ");
    strncat(diag->hint, near, sizeof diag->hint - 32);
    strcat(diag->hint, "?");
  }
  return false;
}

struct sc_replay {
  const struct sc_trace *trace;
  enum sc_picker picker;
  unsigned threads, words, last, left; /* last thread served; threads with operations left */
  uint32_t given;                      /* the operation last given by next */
  size_t place;                        /* global order: next in the file */
  uint32_t *head, *remaining;          /* per thread */
  uint32_t *push, *pop;                /* masks: threads whose next operation is one */
  uint32_t *can, *waiting;             /* masks: threads whose next operation can go, or cannot */
};

static void set_bit(uint32_t *mask, unsigned i, bool to) {
  mask[i / 32] = (mask[i / 32] & ~((uint32_t)1 << i % 32)) | (uint32_t)to << i % 32;
}

static void set_head(struct sc_replay *r, unsigned thread, uint32_t op) {
  bool pop = op != SC_NO_OP && r->trace->what[op] & 1;
  r->head[thread] = op;
  set_bit(r->pop, thread, pop);
  set_bit(r->push, thread, op != SC_NO_OP && !pop);
}

void sc_replay_restart(struct sc_replay *r) {
  r->last = r->threads - 1;
  r->left = 0;
  r->place = 0;
  r->given = SC_NO_OP;
  for (unsigned i = 0; i < r->threads; i++) {
    set_head(r, i, r->trace->first[i]);
    r->remaining[i] = r->trace->count[i];
    r->left += r->remaining[i] != 0;
  }
}

struct sc_replay *sc_replay_create(const struct sc_trace *t, enum sc_picker picker, struct simt_diag *diag) {
  unsigned words = (t->threads + 31) / 32;
  struct sc_replay *r = calloc(1, sizeof *r);
  uint32_t *arrays = calloc(2 * (size_t)t->threads + 4 * (size_t)words, sizeof *arrays);
  if (!r || !arrays) {
    free(r);
    free(arrays);
    simt_fail(diag, "trace", "no memory", "memory for its replay");
    return NULL;
  }
  *r = (struct sc_replay){.trace = t, .picker = picker, .threads = t->threads, .words = words};
  r->head = arrays;
  r->remaining = r->head + t->threads;
  r->push = r->remaining + t->threads;
  r->pop = r->push + words;
  r->can = r->pop + words;
  r->waiting = r->can + words;
  sc_replay_restart(r);
  return r;
}

void sc_replay_free(struct sc_replay *r) {
  if (!r) return;
  free(r->head);
  free(r);
}

/* The first thread of the mask at or after `from`, wrapping, or SC_NO_OP when it is empty. */
static uint32_t first_from(const uint32_t *mask, unsigned words, unsigned from) {
  unsigned start = from / 32;
  uint32_t above = ~(uint32_t)0 << from % 32;
  for (unsigned i = 0; i <= words; i++) {
    unsigned at = start + i < words ? start + i : start + i - words;
    uint32_t w = mask[at] & (i == 0 ? above : i == words ? ~above : ~(uint32_t)0);
    if (w) return at * 32 + (unsigned)__builtin_ctz(w);
  }
  return SC_NO_OP;
}

static uint32_t longest(const struct sc_replay *r, const uint32_t *mask) {
  uint32_t best = SC_NO_OP;
  for (unsigned i = 0; i < r->words; i++)
    for (uint32_t w = mask[i]; w; w &= w - 1) {
      unsigned t = i * 32 + (unsigned)__builtin_ctz(w);
      if (best == SC_NO_OP || r->remaining[t] > r->remaining[best]) best = t;
    }
  return best;
}

static uint32_t pick(const struct sc_replay *r, const uint32_t *mask) {
  switch (r->picker) {
    case SC_LONGEST_REMAINING: return longest(r, mask);
    case SC_LOWEST_INDEX: return first_from(mask, r->words, 0);
    default: return first_from(mask, r->words, r->last + 1 < r->threads ? r->last + 1 : 0);
  }
}

static bool can_go(const struct sc_replay *r, unsigned t) { return r->can[t / 32] >> t % 32 & 1; }

/* The thread to present; *go: it can. */
static unsigned choose(struct sc_replay *r, bool *go) {
  if (r->picker == SC_GLOBAL_ORDER) {
    unsigned t = r->trace->what[r->place] >> 1;
    *go = can_go(r, t);
    memset(r->waiting, 0, r->words * sizeof *r->waiting);
    set_bit(r->waiting, t, !*go);
    return t;
  }
  uint32_t t = pick(r, r->can);
  *go = t != SC_NO_OP;
  if (*go) return t;
  return pick(r, r->waiting);
}

enum sc_next sc_replay_next(struct sc_replay *r, const uint32_t *can_push, const uint32_t *can_top,
                            struct sc_trace_op *op) {
  if (!r->left) return SC_END;
  for (unsigned i = 0; i < r->words; i++) {
    r->can[i] = (can_push[i] & r->push[i]) | (can_top[i] & r->pop[i]);
    r->waiting[i] = (r->push[i] | r->pop[i]) & ~r->can[i];
  }
  bool go;
  unsigned thread = choose(r, &go);
  r->given = r->head[thread];
  op->thread = thread;
  op->kind = r->trace->what[r->given] & 1 ? SC_POP : SC_PUSH;
  op->value = r->trace->value[r->given];
  return go ? SC_GO : SC_WAIT;
}

void sc_replay_taken(struct sc_replay *r) {
  unsigned thread = r->trace->what[r->given] >> 1;
  set_head(r, thread, r->trace->next[r->given]);
  r->last = thread;
  r->place++;
  if (!--r->remaining[thread]) r->left--;
}

const uint32_t *sc_replay_waiting(const struct sc_replay *r) { return r->waiting; }
bool sc_replay_at_end(const struct sc_replay *r) { return !r->left; }
unsigned sc_replay_threads_left(const struct sc_replay *r) { return r->left; }
