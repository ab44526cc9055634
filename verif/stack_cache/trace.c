/* SPDX-License-Identifier: Apache-2.0 */
/* trace.c: reads a recorded push/pop trace, plain or gzip, and checks it as a set of stacks. */
#include "trace_impl.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { LINE_MAX_CHARS = 4096, BUFFER = 1 << 16, FIRST_ROOM = 1 << 12 };
enum { MAX_OPERATIONS = 1 << 27 }; /* 1.9 GB: a file that unpacks for ever ends here */

struct token { const char *s; unsigned n; };

struct reader {
  const char *path;
  struct simt_diag *diag;
  struct sc_trace_limits limits;
  FILE *file;
  z_stream packed;         /* of gzip; what is read and not used yet, for a plain file too */
  bool gzip, begun, ended; /* begun: the file's kind is known; ended: a gzip stream ends here */
  uint64_t bytes;          /* read from the file */
  unsigned line;
  size_t n, at;            /* bytes in buffer, bytes used */
  unsigned length;         /* of text */
  struct sc_trace *trace;
  size_t room;             /* operations that the arrays of trace hold */
  uint32_t *top, *depth;   /* per thread: the push on top; while reading, `next` of a push is the one below */
  char text[LINE_MAX_CHARS + 1], buffer[BUFFER];
  unsigned char file_bytes[BUFFER];
};

/* ---- errors --------------------------------------------------------------------------------------- */

static bool fail_at(struct reader *r, size_t column, const char *hint) {
  struct simt_diag *d = r->diag;
  snprintf(d->file, sizeof d->file, "%s", r->path);
  d->line = r->line;
  d->col = (unsigned)column + 1;
  snprintf(d->hint, sizeof d->hint, "%s", hint);
  return false;
}

static bool fail_token(struct reader *r, struct token t, const char *name, const char *expected, const char *hint) {
  char got[80];
  snprintf(got, sizeof got, "%.*s", (int)t.n, t.s);
  if (!got[0]) strcpy(got, t.n ? "a zero byte" : "nothing");
  simt_fail(r->diag, name, got, "%s", expected);
  return fail_at(r, (size_t)(t.s - r->text), hint);
}

static bool fail_stream(struct reader *r, const char *got) {
  simt_fail(r->diag, "trace", got, "a whole file, plain or gzip");
  r->line++;
  return fail_at(r, 0, "copy or record it again");
}

static bool fail_behind(struct reader *r) {
  char got[80];
  snprintf(got, sizeof got, "something else from byte %" PRIu64 " of the file",
           r->bytes - r->packed.avail_in - r->packed.total_in);
  simt_fail(r->diag, "trace", got, "nothing, or one more gzip stream, behind a gzip stream");
  r->line++;
  return fail_at(r, 0, "copy or record it again");
}

static bool no_memory(struct simt_diag *diag, const char *path) {
  return simt_fail(diag, path, "no memory", "memory for the trace");
}

/* ---- lines ---------------------------------------------------------------------------------------- */

/* More bytes of the file when none are left. */
static bool fill_packed(struct reader *r) {
  if (r->packed.avail_in) return true;
  size_t n = fread(r->file_bytes, 1, BUFFER, r->file);
  if (ferror(r->file)) return fail_stream(r, strerror(errno));
  r->packed.next_in = r->file_bytes;
  r->packed.avail_in = (unsigned)n;
  r->bytes += n;
  if (r->begun) return true;
  r->begun = true;
  r->gzip = n > 1 && r->file_bytes[0] == 0x1f && r->file_bytes[1] == 0x8b;
  return !r->gzip || inflateInit2(&r->packed, 15 + 16) == Z_OK || fail_stream(r, "no memory");
}

/* The next part of a gzip stream, or of one behind it; 0 bytes in the buffer at the end. */
static bool unpack(struct reader *r) {
  r->packed.next_out = (unsigned char *)r->buffer;
  r->packed.avail_out = BUFFER;
  while (r->packed.avail_out == BUFFER) {
    if (!fill_packed(r)) return false;
    bool behind = r->ended || r->bytes > r->packed.avail_in + r->packed.total_in; /* not the first stream */
    if (!r->packed.avail_in) {
      if (r->ended) return true;
      return behind && r->packed.total_in < 2 ? fail_behind(r) : fail_stream(r, "a gzip stream that is cut short");
    }
    if (r->ended && inflateReset(&r->packed) != Z_OK) return fail_stream(r, "broken gzip data");
    int status = inflate(&r->packed, Z_NO_FLUSH);
    r->ended = status == Z_STREAM_END;
    if (status != Z_OK && !r->ended && status != Z_BUF_ERROR)
      return behind && r->packed.total_in <= 2 ? fail_behind(r) : fail_stream(r, "broken gzip data");
  }
  return true;
}

static bool fill(struct reader *r, bool *end) {
  r->at = 0;
  if (!fill_packed(r)) return false;
  if (r->gzip) {
    if (!unpack(r)) return false;
    r->n = BUFFER - r->packed.avail_out;
  } else {
    r->n = r->packed.avail_in;
    memcpy(r->buffer, r->packed.next_in, r->n);
    r->packed.avail_in = 0;
  }
  *end = !r->n;
  return true;
}

/* The next line, without its end, into r->text. *end: there is none. */
static bool read_line(struct reader *r, bool *end) {
  r->length = 0;
  bool any = false;
  for (;;) {
    if (r->at == r->n) {
      bool last = false;
      if (!fill(r, &last)) return false;
      if (last) break;
    }
    any = true;
    const char *from = r->buffer + r->at, *stop = memchr(from, '\n', r->n - r->at);
    size_t n = stop ? (size_t)(stop - from) : r->n - r->at;
    if (n > LINE_MAX_CHARS - r->length) {
      r->line++;
      simt_fail(r->diag, "line", "a longer one", "at most %d characters", LINE_MAX_CHARS);
      return fail_at(r, LINE_MAX_CHARS, "is this a trace of stack operations?");
    }
    memcpy(r->text + r->length, from, n);
    r->length += (unsigned)n;
    r->at += n + (stop != NULL);
    if (stop) break;
  }
  if (r->length && r->text[r->length - 1] == '\r') r->length--;
  r->text[r->length] = 0;
  r->line += any;
  *end = !any;
  return true;
}

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

static struct token next_token(const struct reader *r, unsigned *at) {
  while (*at < r->length && is_blank(r->text[*at])) ++*at;
  unsigned from = *at;
  while (*at < r->length && !is_blank(r->text[*at])) ++*at;
  return (struct token){r->text + from, *at - from};
}

static bool parse_thread(struct reader *r, struct token t, unsigned *thread) {
  char expected[80], hint[40] = "";
  uint64_t v = 0;
  bool is_number = t.n > 0 && t.n < 10;
  for (unsigned i = 0; i < t.n && is_number; i++) {
    is_number = t.s[i] >= '0' && t.s[i] <= '9';
    v = 10 * v + (uint64_t)(t.s[i] - '0');
  }
  *thread = (unsigned)v;
  if (is_number && v < r->limits.threads) return true;
  snprintf(expected, sizeof expected, "a thread number 0..%u (THREADS - 1)", r->limits.threads - 1);
  if (is_number && v < 1024) snprintf(hint, sizeof hint, "set -p THREADS=%u", *thread + 1);
  return fail_token(r, t, "thread", expected, hint);
}

static bool parse_value(struct reader *r, struct token t, uint64_t *value) {
  uint64_t v = 0;
  bool good = t.n > 0 && t.n <= 16;
  for (unsigned i = 0; i < t.n && good; i++) {
    char c = t.s[i];
    unsigned digit = c >= '0' && c <= '9' ? (unsigned)(c - '0')
                   : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
                   : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A' + 10) : 16;
    good = digit < 16;
    v = v << 4 | digit;
  }
  if (!good) return fail_token(r, t, "value", "1 to 16 hexadecimal digits", "");
  *value = v;
  if (r->limits.entry_w >= 64 || !(v >> r->limits.entry_w)) return true;
  char expected[80];
  snprintf(expected, sizeof expected, "a value of at most %u bits (ENTRY_W)", r->limits.entry_w);
  return fail_token(r, t, "value", expected, "set -p ENTRY_W=64");
}

/* ---- operations ----------------------------------------------------------------------------------- */

static bool grow(struct reader *r) {
  struct sc_trace *t = r->trace;
  if (t->n < r->room) return true;
  if (t->n == MAX_OPERATIONS) {
    simt_fail(r->diag, "trace", "a longer one", "at most %d operations", MAX_OPERATIONS);
    return fail_at(r, 0, "cut it");
  }
  size_t room = r->room ? 2 * r->room : FIRST_ROOM;
  uint64_t *value = realloc(t->value, room * sizeof *value);
  if (value) t->value = value;
  uint32_t *next = realloc(t->next, room * sizeof *next);
  if (next) t->next = next;
  uint16_t *what = realloc(t->what, room * sizeof *what);
  if (what) t->what = what;
  if (!value || !next || !what) return no_memory(r->diag, r->path);
  r->room = room;
  return true;
}

static bool check_push(struct reader *r, unsigned thread, struct token word) {
  if (r->depth[thread] < r->limits.max_depth) return true;
  char expected[120];
  snprintf(expected, sizeof expected, "at most %" PRIu64 " entries on the stack of thread %u (MAX_DEPTH)",
           r->limits.max_depth, thread);
  return fail_token(r, word, "push", expected, "set a larger MAX_DEPTH");
}

static bool check_pop(struct reader *r, unsigned thread, struct token word, struct token number, uint64_t value) {
  char expected[120];
  if (!r->depth[thread]) {
    snprintf(expected, sizeof expected, "a push before it (the stack of thread %u is empty)", thread);
    return fail_token(r, word, "pop", expected, "");
  }
  uint64_t right = r->trace->value[r->top[thread]];
  if (value == right) return true;
  snprintf(expected, sizeof expected, "%" PRIx64 " (the top of thread %u: last in, first out)", right, thread);
  return fail_token(r, number, "value popped", expected, "");
}

static bool add(struct reader *r, unsigned thread, bool pop, uint64_t value) {
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

static bool parse_line(struct reader *r) {
  if (r->text[0] == '#') return true;
  unsigned at = 0, thread;
  uint64_t value = 0;
  struct token first = next_token(r, &at), word = next_token(r, &at), number = next_token(r, &at);
  if (!parse_thread(r, first, &thread)) return false;
  bool pop = word.n == 1 && word.s[0] == '-';
  if (!pop && !(word.n == 1 && word.s[0] == '+'))
    return fail_token(r, word, "operation", "+ (push) or - (pop)", "");
  if (!parse_value(r, number, &value)) return false;
  struct token rest = next_token(r, &at);
  if (rest.n) return fail_token(r, rest, "line", "nothing after the value", "");
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

static bool read_all(struct reader *r) {
  for (bool end = false;;) {
    if (!read_line(r, &end)) return false;
    if (end) break;
    if (!parse_line(r)) return false;
  }
  if (!r->trace->n) {
    simt_fail(r->diag, "trace", "no operation", "lines like `3 + 55d0` (push) and `3 - 55d0` (pop)");
    r->line += !r->line;
    return fail_at(r, 0, "");
  }
  link_threads(r->trace);
  return true;
}

/* ---- whole files ---------------------------------------------------------------------------------- */

static bool prepare(struct reader *r) {
  unsigned n = r->limits.threads;
  r->trace = calloc(1, sizeof *r->trace);
  r->top = calloc(n, sizeof *r->top);
  r->depth = calloc(n, sizeof *r->depth);
  if (!r->trace || !r->top || !r->depth) return no_memory(r->diag, r->path);
  r->trace->threads = n;
  r->trace->first = calloc(n, sizeof *r->trace->first);
  r->trace->count = calloc(n, sizeof *r->trace->count);
  if (!r->trace->first || !r->trace->count) return no_memory(r->diag, r->path);
  errno = 0;
  r->file = fopen(r->path, "rbe");
  if (r->file) return true;
  simt_fail(r->diag, r->path, errno ? strerror(errno) : "no memory", "a trace that can be read (.stk, .stk.gz)");
  return false;
}

struct sc_trace *sc_trace_read(const char *path, const struct sc_trace_limits *l, struct simt_diag *diag) {
  struct reader *r = calloc(1, sizeof *r);
  if (!r) {
    no_memory(diag, path);
    return NULL;
  }
  r->path = path;
  r->diag = diag;
  r->limits = *l;
  bool good = prepare(r) && read_all(r);
  struct sc_trace *t = r->trace;
  if (r->file) fclose(r->file);
  if (r->gzip) inflateEnd(&r->packed);
  free(r->top);
  free(r->depth);
  free(r);
  if (good) return t;
  sc_trace_free(t);
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
