/* SPDX-License-Identifier: Apache-2.0 */
/* trace.c: reads a recorded stream of constant writes and draws. */
#include "const_cache/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/trace_reader.h"

const struct simt_trace_kind cc_trace_kind = {"constant streams (.cst, .cst.gz)", "^[ \t]*C[ \t]+[0-9]+[ \t]+[0-9a-fA-F]+[ \t]*$"};

enum { FIRST_ROOM = 1 << 12, MOST_RECORDS = 1 << 26 };

static bool address(struct simt_trace_file *f, const char *name, unsigned constants, uint32_t *addr) {
  const struct simt_field_text t = simt_trace_field(f);
  char expected[80];
  uint64_t v = 0;
  const bool number = simt_field_decimal(t, 9, &v);
  *addr = (uint32_t)v;
  if (number && v < constants) return true;
  snprintf(expected, sizeof expected, "a word address 0..%u (CONSTANTS - 1)", constants - 1);
  return simt_trace_fail(f, t, name, expected, number ? "set a larger CONSTANTS" : "");
}

static bool read_write(struct simt_trace_file *f, unsigned constants, unsigned word_w, struct cc_record *r) {
  if (!address(f, "address", constants, &r->low)) return false;
  const struct simt_field_text t = simt_trace_field(f);
  char expected[80];
  if (!simt_field_hex(t, 16, &r->value)) return simt_trace_fail(f, t, "value", "1 to 16 hexadecimal digits", "");
  if (word_w < 64 && r->value >> word_w) {
    snprintf(expected, sizeof expected, "a value of at most %u bits (WORD_W)", word_w);
    return simt_trace_fail(f, t, "value", expected, "set a larger WORD_W");
  }
  return simt_trace_rest(f, "the value");
}

static bool read_draw(struct simt_trace_file *f, unsigned constants, struct cc_record *r) {
  struct simt_field_text t = simt_trace_field(f);
  uint64_t v = 0;
  if (!simt_field_decimal(t, 9, &v) || !v) return simt_trace_fail(f, t, "vertices", "a number of vertices, at least 1", "");
  r->vertices = (uint32_t)v;
  if (!address(f, "first word", constants, &r->low) || !address(f, "last word", constants, &r->high)) return false;
  if (r->high < r->low) return simt_trace_fail_line(f, "range", "a last word before the first one", "the first word, then the last word that the draw reads", "");
  return simt_trace_rest(f, "the last word");
}

static bool read_record(struct simt_trace_file *f, unsigned constants, unsigned word_w, struct cc_record *r) {
  const struct simt_field_text kind = simt_trace_field(f);
  *r = (struct cc_record){0};
  if (simt_field_is(kind, "C")) return read_write(f, constants, word_w, r);
  if (simt_field_is(kind, "W")) return read_draw(f, constants, r);
  return simt_trace_fail(f, kind, "record", "C ADDRESS VALUE or W VERTICES FIRST LAST", "");
}

static bool grow(struct cc_trace *t, size_t *room, struct simt_trace_file *f) {
  if (t->n < *room) return true;
  if (t->n == MOST_RECORDS) return simt_trace_fail_line(f, "trace", "a longer one", "at most 67108864 records", "cut it");
  const size_t more = *room ? 2 * *room : FIRST_ROOM;
  struct cc_record *record = realloc(t->record, more * sizeof *record);
  if (!record) return simt_trace_no_memory(f);
  t->record = record;
  *room = more;
  return true;
}

void cc_trace_free(struct cc_trace *t) {
  if (!t) return;
  free(t->record);
  free(t);
}

struct cc_trace *cc_trace_read(const char *path, unsigned constants, unsigned word_w, struct simt_diag *diag) {
  struct simt_trace_file *f = simt_trace_open(path, cc_trace_kind.what, diag);
  struct cc_trace *t = f ? calloc(1, sizeof *t) : NULL;
  size_t room = 0;
  bool end = false, good = t || (f && simt_trace_no_memory(f));
  while (good && (good = simt_trace_line(f, &end)) && !end) {
    good = grow(t, &room, f) && read_record(f, constants, word_w, &t->record[t->n]);
    if (good) t->draws += t->record[t->n++].vertices != 0;
  }
  if (good && !t->draws) good = simt_trace_fail_line(f, "trace", "no draw", "at least one W line", "");
  simt_trace_close(f);
  if (good) return t;
  cc_trace_free(t);
  return NULL;
}
