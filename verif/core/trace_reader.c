/* SPDX-License-Identifier: Apache-2.0 */
/* trace_reader.c: a text file, plain or gzip, by lines and fields. */
#include "core/trace_reader.h"

#include <errno.h>
#include <inttypes.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { LINE_MAX_CHARS = 4096, BUFFER = 1 << 16 };

struct simt_trace_file {
  const char *path, *kind;
  struct simt_diag *diag;
  FILE *file;
  z_stream packed;         /* of gzip; what is read and not used yet, for a plain file too */
  bool gzip, begun, ended; /* begun: the file's kind is known; ended: a gzip stream ends here */
  uint64_t bytes;          /* read from the file */
  unsigned line;
  size_t n, at;            /* bytes in buffer, bytes used */
  unsigned length, field;  /* of text; where its next field may begin */
  char text[LINE_MAX_CHARS + 1], buffer[BUFFER];
  unsigned char file_bytes[BUFFER];
};

/* ---- errors --------------------------------------------------------------------------------------- */

static bool fail_at(struct simt_trace_file *f, size_t column, const char *hint) {
  struct simt_diag *d = f->diag;
  snprintf(d->file, sizeof d->file, "%s", f->path);
  d->line = f->line;
  d->col = (unsigned)column + 1;
  snprintf(d->hint, sizeof d->hint, "%s", hint);
  return false;
}

bool simt_trace_fail(struct simt_trace_file *f, struct simt_field_text t, const char *name, const char *expected,
                     const char *hint) {
  char got[80];
  snprintf(got, sizeof got, "%.*s", (int)t.n, t.s);
  if (!got[0]) strcpy(got, t.n ? "a zero byte" : "nothing");
  simt_fail(f->diag, name, got, "%s", expected);
  return fail_at(f, (size_t)(t.s - f->text), hint);
}

bool simt_trace_fail_line(struct simt_trace_file *f, const char *name, const char *got, const char *expected,
                          const char *hint) {
  simt_fail(f->diag, name, got, "%s", expected);
  f->line += !f->line;
  return fail_at(f, 0, hint);
}

static bool fail_stream(struct simt_trace_file *f, const char *got) {
  simt_fail(f->diag, "trace", got, "a whole file, plain or gzip");
  f->line++;
  return fail_at(f, 0, "copy or record it again");
}

static bool fail_behind(struct simt_trace_file *f) {
  char got[80];
  snprintf(got, sizeof got, "something else from byte %" PRIu64 " of the file",
           f->bytes - f->packed.avail_in - f->packed.total_in);
  simt_fail(f->diag, "trace", got, "nothing, or one more gzip stream, behind a gzip stream");
  f->line++;
  return fail_at(f, 0, "copy or record it again");
}

bool simt_trace_no_memory(struct simt_trace_file *f) {
  return simt_fail(f->diag, f->path, "no memory", "memory for the trace");
}

/* ---- lines ---------------------------------------------------------------------------------------- */

/* More bytes of the file when none are left. */
static bool fill_packed(struct simt_trace_file *f) {
  if (f->packed.avail_in) return true;
  size_t n = fread(f->file_bytes, 1, BUFFER, f->file);
  if (ferror(f->file)) return fail_stream(f, strerror(errno));
  f->packed.next_in = f->file_bytes;
  f->packed.avail_in = (unsigned)n;
  f->bytes += n;
  if (f->begun) return true;
  f->begun = true;
  f->gzip = n > 1 && f->file_bytes[0] == 0x1f && f->file_bytes[1] == 0x8b;
  return !f->gzip || inflateInit2(&f->packed, 15 + 16) == Z_OK || fail_stream(f, "no memory");
}

/* The next part of a gzip stream, or of one behind it; 0 bytes in the buffer at the end. */
static bool unpack(struct simt_trace_file *f) {
  f->packed.next_out = (unsigned char *)f->buffer;
  f->packed.avail_out = BUFFER;
  while (f->packed.avail_out == BUFFER) {
    if (!fill_packed(f)) return false;
    bool behind = f->ended || f->bytes > f->packed.avail_in + f->packed.total_in; /* not the first stream */
    if (!f->packed.avail_in) {
      if (f->ended) return true;
      return behind && f->packed.total_in < 2 ? fail_behind(f) : fail_stream(f, "a gzip stream that is cut short");
    }
    if (f->ended && inflateReset(&f->packed) != Z_OK) return fail_stream(f, "broken gzip data");
    int status = inflate(&f->packed, Z_NO_FLUSH);
    f->ended = status == Z_STREAM_END;
    if (status != Z_OK && !f->ended && status != Z_BUF_ERROR)
      return behind && f->packed.total_in <= 2 ? fail_behind(f) : fail_stream(f, "broken gzip data");
  }
  return true;
}

static bool fill(struct simt_trace_file *f, bool *end) {
  f->at = 0;
  if (!fill_packed(f)) return false;
  if (f->gzip) {
    if (!unpack(f)) return false;
    f->n = BUFFER - f->packed.avail_out;
  } else {
    f->n = f->packed.avail_in;
    memcpy(f->buffer, f->packed.next_in, f->n);
    f->packed.avail_in = 0;
  }
  *end = !f->n;
  return true;
}

/* The next line, without its end, into f->text. *end: there is none. */
static bool read_line(struct simt_trace_file *f, bool *end) {
  f->length = 0;
  bool any = false;
  for (;;) {
    if (f->at == f->n) {
      bool last = false;
      if (!fill(f, &last)) return false;
      if (last) break;
    }
    any = true;
    const char *from = f->buffer + f->at, *stop = memchr(from, '\n', f->n - f->at);
    size_t n = stop ? (size_t)(stop - from) : f->n - f->at;
    if (n > LINE_MAX_CHARS - f->length) {
      f->line++;
      simt_fail(f->diag, "line", "a longer one", "at most %d characters", LINE_MAX_CHARS);
      char hint[120];
      snprintf(hint, sizeof hint, "is this a trace of %s?", f->kind);
      return fail_at(f, LINE_MAX_CHARS, hint);
    }
    memcpy(f->text + f->length, from, n);
    f->length += (unsigned)n;
    f->at += n + (stop != NULL);
    if (stop) break;
  }
  if (f->length && f->text[f->length - 1] == '\r') f->length--;
  f->text[f->length] = 0;
  f->line += any;
  *end = !any;
  return true;
}

bool simt_trace_line(struct simt_trace_file *f, bool *end) {
  do {
    if (!read_line(f, end)) return false;
  } while (!*end && f->text[0] == '#');
  f->field = 0;
  return true;
}

unsigned simt_trace_line_number(const struct simt_trace_file *f) { return f->line; }

/* ---- fields --------------------------------------------------------------------------------------- */

static bool is_blank(char c) { return c == ' ' || c == '\t'; }

struct simt_field_text simt_trace_field(struct simt_trace_file *f) {
  while (f->field < f->length && is_blank(f->text[f->field])) f->field++;
  unsigned from = f->field;
  while (f->field < f->length && !is_blank(f->text[f->field])) f->field++;
  return (struct simt_field_text){f->text + from, f->field - from};
}

bool simt_trace_rest(struct simt_trace_file *f, const char *behind) {
  struct simt_field_text rest = simt_trace_field(f);
  if (!rest.n) return true;
  char expected[80];
  snprintf(expected, sizeof expected, "nothing after %s", behind);
  return simt_trace_fail(f, rest, "line", expected, "");
}

static bool parse(struct simt_field_text t, unsigned digits, unsigned base, uint64_t *value) {
  uint64_t v = 0;
  if (!t.n || t.n > digits) return false;
  for (unsigned i = 0; i < t.n; i++) {
    char c = t.s[i];
    unsigned digit = c >= '0' && c <= '9' ? (unsigned)(c - '0')
                   : c >= 'a' && c <= 'f' ? (unsigned)(c - 'a' + 10)
                   : c >= 'A' && c <= 'F' ? (unsigned)(c - 'A' + 10) : base;
    if (digit >= base) return false;
    v = v * base + digit;
  }
  *value = v;
  return true;
}

bool simt_field_decimal(struct simt_field_text t, unsigned digits, uint64_t *value) {
  return parse(t, digits, 10, value);
}

bool simt_field_hex(struct simt_field_text t, unsigned digits, uint64_t *value) { return parse(t, digits, 16, value); }

bool simt_field_is(struct simt_field_text t, const char *word) {
  return t.n == strlen(word) && !memcmp(t.s, word, t.n);
}

/* ---- whole files ---------------------------------------------------------------------------------- */

struct simt_trace_file *simt_trace_open(const char *path, const char *kind, struct simt_diag *diag) {
  struct simt_trace_file *f = calloc(1, sizeof *f);
  errno = 0;
  FILE *file = f ? fopen(path, "rbe") : NULL;
  if (!file) {
    simt_fail(diag, path, f && errno ? strerror(errno) : "no memory", "a trace of %s that can be read", kind);
    free(f);
    return NULL;
  }
  f->path = path;
  f->kind = kind;
  f->diag = diag;
  f->file = file;
  return f;
}

void simt_trace_close(struct simt_trace_file *f) {
  if (!f) return;
  fclose(f->file);
  if (f->gzip) inflateEnd(&f->packed);
  free(f);
}

bool simt_trace_is(const char *path, const struct simt_trace_kind *kind) {
  struct simt_diag unseen = {0};
  struct simt_trace_file *f = simt_trace_open(path, kind->what, &unseen);
  regex_t form;
  bool end = false, is = false;
  if (f && !regcomp(&form, kind->line, REG_EXTENDED | REG_NOSUB)) {
    is = simt_trace_line(f, &end) && !end && !regexec(&form, f->text, 0, NULL, 0);
    regfree(&form);
  }
  simt_trace_close(f);
  return is;
}

/* ---- after a failure ------------------------------------------------------------------------------ */

void simt_trace_hint(struct simt_trace_file *f, const char *hint) {
  snprintf(f->diag->hint, sizeof f->diag->hint, "%s", hint);
}

uint64_t simt_trace_largest(struct simt_trace_file *f, unsigned digits) {
  struct simt_diag *given = f->diag, unseen = {0};
  uint64_t largest = 0, value;
  bool end = false;
  f->diag = &unseen;
  while (simt_trace_line(f, &end) && !end)
    if (simt_field_decimal(simt_trace_field(f), digits, &value) && value > largest) largest = value;
  f->diag = given;
  return largest;
}
