/* SPDX-License-Identifier: Apache-2.0 */
/* trace.c: reads the memory instructions of warps, plain or gzip. */
#include "tracker/trace.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/trace_reader.h"

const struct simt_trace_kind tkf_trace_kind = {"memory instructions (.mem, .mem.gz)", "^[ \t]*W([ \t]+[0-9]+){2}[ \t]*$"};

enum { FIRST_ROOM = 1 << 12, MAX_ACCESSES = 1 << 26, MAX_ADDRESSES = 1 << 29, MAX_GAP = 100000, MAX_SIZE = 16 };

struct tkf_reader {
  struct simt_trace_file *file;
  struct tkf_trace *trace;
  size_t access_room, address_room, warp_room;
};

/* Makes room for one element more. False on lack of memory. */
static bool grow(void **array, size_t *room, size_t n, size_t size) {
  if (n < *room) return true;
  size_t more = *room ? 2 * *room : FIRST_ROOM;
  void *bigger = realloc(*array, more * size);
  if (!bigger) return false;
  *array = bigger;
  *room = more;
  return true;
}

/* ---- lines ---------------------------------------------------------------------------------------- */

static bool parse_warp(struct tkf_reader *r) {
  struct tkf_trace *t = r->trace;
  struct simt_field_text number = simt_trace_field(r->file), group = simt_trace_field(r->file);
  char expected[80];
  uint64_t value = 0;
  if (!simt_field_decimal(number, 9, &value) || value != t->warps) {
    snprintf(expected, sizeof expected, "%" PRIu32 " (warps are numbered from 0, in the order of the file)", t->warps);
    return simt_trace_fail(r->file, number, "warp", expected, "");
  }
  if (!simt_field_decimal(group, 9, &value))
    return simt_trace_fail(r->file, group, "workgroup", "a decimal number", "");
  if (!simt_trace_rest(r->file, "the workgroup")) return false;
  if (!grow((void **)&t->warp, &r->warp_room, t->warps, sizeof *t->warp)) return simt_trace_no_memory(r->file);
  t->warp[t->warps++] = (struct tkf_warp){.first = t->accesses};
  return true;
}

/* The place of a one-letter field in `letters`, or false with what was expected. */
static bool parse_letter(struct tkf_reader *r, const char *name, const char *letters, const char *expected, uint8_t *to) {
  struct simt_field_text t = simt_trace_field(r->file);
  for (uint8_t i = 0; letters[i]; i++)
    if (t.n == 1 && t.s[0] == letters[i]) {
      *to = i;
      return true;
    }
  return simt_trace_fail(r->file, t, name, expected, "");
}

static bool parse_size(struct tkf_reader *r, uint8_t *to) {
  struct simt_field_text t = simt_trace_field(r->file);
  uint64_t v = 0;
  if (!simt_field_decimal(t, 2, &v) || !v || v > MAX_SIZE || (v & (v - 1)))
    return simt_trace_fail(r->file, t, "size", "1, 2, 4, 8 or 16 (bytes per lane)", "");
  *to = (uint8_t)v;
  return true;
}

static bool parse_addresses(struct tkf_reader *r, struct tkf_access *a) {
  struct tkf_trace *t = r->trace;
  char expected[80];
  for (unsigned i = 0; i < a->lanes; i++) {
    struct simt_field_text field = simt_trace_field(r->file);
    uint64_t v = 0;
    snprintf(expected, sizeof expected, "%u hexadecimal addresses, one for each bit of the mask", a->lanes);
    if (!simt_field_hex(field, 16, &v)) return simt_trace_fail(r->file, field, "address", expected, "");
    if (v % a->size) {
      snprintf(expected, sizeof expected, "a multiple of the size, %u", a->size);
      return simt_trace_fail(r->file, field, "address", expected, "");
    }
    if (!grow((void **)&t->address, &r->address_room, t->addresses, sizeof *t->address))
      return simt_trace_no_memory(r->file);
    t->address[t->addresses++] = v;
  }
  return simt_trace_rest(r->file, "the last lane's address");
}

static bool parse_access(struct tkf_reader *r, struct simt_field_text gap) {
  struct tkf_trace *t = r->trace;
  struct tkf_access a = {.address = (uint32_t)t->addresses};
  uint64_t value = 0;
  if (!simt_field_decimal(gap, 6, &value) || value > MAX_GAP)
    return simt_trace_fail(r->file, gap, "gap", "W, or the instructions since the last access (0..100000)", "");
  a.gap = (uint32_t)value;
  if (!t->warps) return simt_trace_fail(r->file, gap, "access", "a line like `W 0 0` before it (which warp it is of)", "");
  if (!parse_letter(r, "class", "gtr", "g (local/global), t (texture) or r (ray traversal)", &a.cls)) return false;
  if (!parse_letter(r, "op", "lsa", "l (load), s (store) or a (atomic)", &a.op)) return false;
  if (!parse_size(r, &a.size)) return false;
  struct simt_field_text mask = simt_trace_field(r->file);
  if (!simt_field_hex(mask, 8, &value) || !value)
    return simt_trace_fail(r->file, mask, "mask", "1 to 8 hexadecimal digits, not 0 (active lanes of 32)", "");
  a.mask = (uint32_t)value;
  a.lanes = (uint8_t)__builtin_popcount(a.mask);
  if (a.cls == TKF_RAY && a.op != TKF_LOAD)
    return simt_trace_fail(r->file, gap, "access", "a load, in class r (ray traversal)", "");
  if (!parse_addresses(r, &a)) return false;
  if (!grow((void **)&t->access, &r->access_room, t->accesses, sizeof *t->access)) return simt_trace_no_memory(r->file);
  t->access[t->accesses++] = a;
  t->warp[t->warps - 1].n++;
  return true;
}

static bool read_all(struct tkf_reader *r) {
  const struct tkf_trace *t = r->trace;
  for (;;) {
    bool end = false;
    if (!simt_trace_line(r->file, &end)) return false;
    if (end) break;
    if (t->accesses >= MAX_ACCESSES || t->addresses >= MAX_ADDRESSES)
      return simt_trace_fail_line(r->file, "trace", "a longer one", "at most 2^26 accesses and 2^29 addresses", "cut it");
    struct simt_field_text first = simt_trace_field(r->file);
    if (simt_field_is(first, "W") ? !parse_warp(r) : !parse_access(r, first)) return false;
  }
  return t->accesses || simt_trace_fail_line(r->file, "trace", "no access",
                                             "lines like `W 0 0` (a warp) and `5 g l 4 3 7000 7004` (its loads)", "");
}

/* ---- whole files ---------------------------------------------------------------------------------- */

struct tkf_trace *tkf_trace_read(const char *path, struct simt_diag *diag) {
  struct tkf_reader r = {.file = simt_trace_open(path, tkf_trace_kind.what, diag)};
  if (!r.file) return NULL;
  r.trace = calloc(1, sizeof *r.trace);
  bool good = r.trace ? read_all(&r) : simt_trace_no_memory(r.file);
  simt_trace_close(r.file);
  if (good) return r.trace;
  tkf_trace_free(r.trace);
  return NULL;
}

void tkf_trace_free(struct tkf_trace *t) {
  if (!t) return;
  free(t->access);
  free(t->address);
  free(t->warp);
  free(t);
}
