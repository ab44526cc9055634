/* SPDX-License-Identifier: Apache-2.0 */
/* trace.c: reads a recorded push/pop trace, plain or gzip, and checks it as a set of stacks. */
#include "stack_cache/trace_impl.h"
#include "core/trace_reader.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const struct simt_trace_kind sc_trace_kind = {"stack operations (.stk, .stk.gz)", "^[ \t]*[0-9]+[ \t]+[-+]"};

enum { FIRST_ROOM = 1 << 12, MAX_THREADS = 1024 };
enum { MAX_OPERATIONS = 1 << 27 }; /* 1.9 GB: a file that unpacks for ever ends here */

struct sc_trace_reader {
  struct simt_trace_file *file;
  struct sc_trace_limits limits;
  struct sc_trace *trace;
  size_t room;             /* operations that the arrays of trace hold */
  uint32_t *top, *depth;   /* per thread: the push on top; while reading, `next` of a push is the one below */
};

static bool parse_thread(struct sc_trace_reader *r, struct simt_field_text t, unsigned *thread) {
  char expected[80], hint[40] = "";
  uint64_t v = 0;
  bool is_number = simt_field_decimal(t, 9, &v);
  *thread = (unsigned)v;
  if (is_number && v < r->limits.threads) return true;
  snprintf(expected, sizeof expected, "a thread number 0..%u (THREADS - 1)", r->limits.threads - 1);
  simt_trace_fail(r->file, t, "thread", expected, hint);
  if (!is_number) return false;
  uint64_t largest = simt_trace_largest(r->file, 9); /* one hint for the whole trace, not one for each thread */
  if (largest < v) largest = v;
  if (largest < MAX_THREADS) snprintf(hint, sizeof hint, "set -p THREADS=%" PRIu64, largest + 1);
  simt_trace_hint(r->file, hint);
  return false;
}

static bool parse_value(struct sc_trace_reader *r, struct simt_field_text t, uint64_t *value) {
  uint64_t v = 0;
  if (!simt_field_hex(t, 16, &v)) return simt_trace_fail(r->file, t, "value", "1 to 16 hexadecimal digits", "");
  *value = v;
  if (r->limits.entry_w >= 64 || !(v >> r->limits.entry_w)) return true;
  char expected[80];
  snprintf(expected, sizeof expected, "a value of at most %u bits (ENTRY_W)", r->limits.entry_w);
  return simt_trace_fail(r->file, t, "value", expected, "set -p ENTRY_W=64");
}

/* ---- operations ----------------------------------------------------------------------------------- */

static bool grow(struct sc_trace_reader *r) {
  struct sc_trace *t = r->trace;
  if (t->n < r->room) return true;
  if (t->n == MAX_OPERATIONS) {
    char expected[80];
    snprintf(expected, sizeof expected, "at most %d operations", MAX_OPERATIONS);
    return simt_trace_fail_line(r->file, "trace", "a longer one", expected, "cut it");
  }
  size_t room = r->room ? 2 * r->room : FIRST_ROOM;
  uint64_t *value = realloc(t->value, room * sizeof *value);
  if (value) t->value = value;
  uint32_t *next = realloc(t->next, room * sizeof *next);
  if (next) t->next = next;
  uint16_t *what = realloc(t->what, room * sizeof *what);
  if (what) t->what = what;
  if (!value || !next || !what) return simt_trace_no_memory(r->file);
  r->room = room;
  return true;
}

static bool check_push(struct sc_trace_reader *r, unsigned thread, struct simt_field_text word) {
  if (r->depth[thread] < r->limits.max_depth) return true;
  char expected[120];
  snprintf(expected, sizeof expected, "at most %" PRIu64 " entries on the stack of thread %u (MAX_DEPTH)",
           r->limits.max_depth, thread);
  return simt_trace_fail(r->file, word, "push", expected, "set a larger MAX_DEPTH");
}

static bool check_pop(struct sc_trace_reader *r, unsigned thread, struct simt_field_text word, struct simt_field_text number, uint64_t value) {
  char expected[120];
  if (!r->depth[thread]) {
    snprintf(expected, sizeof expected, "a push before it (the stack of thread %u is empty)", thread);
    return simt_trace_fail(r->file, word, "pop", expected, "");
  }
  uint64_t right = r->trace->value[r->top[thread]];
  if (value == right) return true;
  snprintf(expected, sizeof expected, "%" PRIx64 " (the top of thread %u: last in, first out)", right, thread);
  return simt_trace_fail(r->file, number, "value popped", expected, "");
}

static bool add(struct sc_trace_reader *r, unsigned thread, bool pop, uint64_t value) {
  if (!grow(r)) return false;
  struct sc_trace *t = r->trace;
  uint32_t i = (uint32_t)t->n++;
  t->value[i] = value;
  t->what[i] = (uint16_t)(thread << 1 | pop);
  t->count[thread]++;
  if (pop) {
    r->depth[thread]--;
    r->top[thread] = t->next[r->top[thread]];
  } else {
    r->depth[thread]++;
    t->next[i] = r->top[thread];
    r->top[thread] = i;
  }
  return true;
}

static bool parse_line(struct sc_trace_reader *r) {
  unsigned thread;
  uint64_t value = 0;
  struct simt_field_text first = simt_trace_field(r->file), word = simt_trace_field(r->file);
  struct simt_field_text number = simt_trace_field(r->file);
  if (!parse_thread(r, first, &thread)) return false;
  bool pop = simt_field_is(word, "-");
  if (!pop && !simt_field_is(word, "+"))
    return simt_trace_fail(r->file, word, "operation", "+ (push) or - (pop)", "");
  if (!parse_value(r, number, &value)) return false;
  if (!simt_trace_rest(r->file, "the value")) return false;
  if (pop ? !check_pop(r, thread, word, number, value) : !check_push(r, thread, word)) return false;
  return add(r, thread, pop, value);
}

/* From "the push below" to "the next operation of the same thread". */
static void link_threads(struct sc_trace *t) {
  for (unsigned i = 0; i < t->threads; i++) t->first[i] = SC_NO_OP;
  for (size_t i = t->n; i--;) {
    uint32_t *first = &t->first[t->what[i] >> 1];
    t->next[i] = *first;
    *first = (uint32_t)i;
  }
}

static bool read_all(struct sc_trace_reader *r) {
  for (bool end = false;;) {
    if (!simt_trace_line(r->file, &end)) return false;
    if (end) break;
    if (!parse_line(r)) return false;
  }
  if (!r->trace->n)
    return simt_trace_fail_line(r->file, "trace", "no operation", "lines like `3 + 55d0` (push) and `3 - 55d0` (pop)", "");
  link_threads(r->trace);
  return true;
}

/* ---- whole files ---------------------------------------------------------------------------------- */

static bool prepare(struct sc_trace_reader *r) {
  unsigned n = r->limits.threads;
  r->trace = calloc(1, sizeof *r->trace);
  r->top = calloc(n, sizeof *r->top);
  r->depth = calloc(n, sizeof *r->depth);
  if (!r->trace || !r->top || !r->depth) return simt_trace_no_memory(r->file);
  r->trace->threads = n;
  r->trace->first = calloc(n, sizeof *r->trace->first);
  r->trace->count = calloc(n, sizeof *r->trace->count);
  return (r->trace->first && r->trace->count) || simt_trace_no_memory(r->file);
}

struct sc_trace *sc_trace_read(const char *path, const struct sc_trace_limits *l, struct simt_diag *diag) {
  struct sc_trace_reader r = {.limits = *l};
  r.file = simt_trace_open(path, sc_trace_kind.what, diag);
  if (!r.file) return NULL;
  bool good = prepare(&r) && read_all(&r);
  simt_trace_close(r.file);
  free(r.top);
  free(r.depth);
  if (good) return r.trace;
  sc_trace_free(r.trace);
  return NULL;
}

void sc_trace_free(struct sc_trace *t) {
  if (!t) return;
  free(t->value);
  free(t->next);
  free(t->what);
  free(t->first);
  free(t->count);
  free(t);
}

uint64_t sc_trace_operations(const struct sc_trace *t) { return t->n; }
