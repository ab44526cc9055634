/* SPDX-License-Identifier: Apache-2.0 */
/* trace.c: reads recorded atomics. */
#include "atomic_merge/trace.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atomic_merge/layout.h"
#include "core/trace_reader.h"

const struct simt_trace_kind am_trace_kind = {"atomics of work-items (.atm, .atm.gz)", "^[ \t]*[0-9]+[ \t]+[0-9]+[ \t]+[a-z]"};

struct am_op_name { const char *name; unsigned op; bool negates, one; };
static const struct am_op_name op_names[] = {
  {"add", AM_ADD, false, false}, {"sub", AM_ADD, true, false}, {"and", AM_AND, false, false}, {"or", AM_OR, false, false},
  {"xor", AM_XOR, false, false}, {"umin", AM_UMIN, false, false}, {"umax", AM_UMAX, false, false}, {"smin", AM_SMIN, false, false},
  {"smax", AM_SMAX, false, false}, {"xchg", AM_SWAP, false, false}, {"cas", AM_CAS, false, false}, {"inc", AM_ADD, false, true},
  {"dec", AM_ADD, true, true}};

static bool read_op(struct simt_trace_file *f, struct amc_request *r, const struct am_op_name **found) {
  struct simt_field_text t = simt_trace_field(f);
  for (size_t i = 0; i < sizeof op_names / sizeof *op_names; i++)
    if (simt_field_is(t, op_names[i].name)) {
      *found = &op_names[i];
      r->op = op_names[i].op;
      return true;
    }
  return simt_trace_fail(f, t, "operation", "add, sub, and, or, xor, umin, umax, smin, smax, xchg, cas, inc or dec", "");
}

static bool read_hex(struct simt_trace_file *f, const char *name, uint64_t *value) {
  struct simt_field_text t = simt_trace_field(f);
  return simt_field_hex(t, 16, value) || simt_trace_fail(f, t, name, "up to 16 hexadecimal digits", "");
}

static bool read_decimal(struct simt_trace_file *f, const char *name, unsigned digits, uint64_t *value) {
  struct simt_field_text t = simt_trace_field(f);
  return simt_field_decimal(t, digits, value) || simt_trace_fail(f, t, name, "a decimal number", "");
}

static bool read_line(struct simt_trace_file *f, struct am_trace_op *o) {
  uint64_t group, item, bytes;
  const struct am_op_name *name = NULL;
  if (!read_decimal(f, "work-group", 9, &group) || !read_decimal(f, "work-item", 9, &item) || !read_op(f, &o->r, &name)) return false;
  o->group = (uint32_t)group;
  struct simt_field_text t = simt_trace_field(f);
  if (!simt_field_decimal(t, 1, &bytes) || (bytes != 4 && bytes != 8)) return simt_trace_fail(f, t, "size", "4 or 8 bytes", "");
  o->r.size = bytes == 8 ? 3 : 2;
  t = simt_trace_field(f);
  if (!simt_field_hex(t, 16, &o->r.addr) || o->r.addr % bytes)
    return simt_trace_fail(f, t, "address", "a hexadecimal address that is a multiple of the size", "");
  if (!read_hex(f, "operand", &o->r.data) || (o->r.op == AM_CAS && !read_hex(f, "value to compare with", &o->r.compare))) return false;
  if (name->one) o->r.data = 1;
  if (name->negates) o->r.data = 0 - o->r.data;
  t = simt_trace_field(f);
  if (!simt_field_is(t, "r") && !simt_field_is(t, "n")) return simt_trace_fail(f, t, "use of the result", "r (used) or n (not used)", "");
  o->r.mode = simt_field_is(t, "r") ? AM_RETURN : AM_RELAXED;
  return simt_trace_rest(f, "r or n");
}

static bool append(struct simt_trace_file *f, struct am_trace *t, const struct am_trace_op *o) {
  if (t->n == t->room) {
    size_t room = t->room ? 2 * t->room : 4096;
    struct am_trace_op *op = realloc(t->op, room * sizeof *op);
    if (!op) return simt_trace_no_memory(f);
    t->op = op;
    t->room = room;
  }
  t->op[t->n++] = *o;
  return true;
}

static bool rebase(struct am_trace *t, const char *path, unsigned addr_w, struct simt_diag *diag) {
  t->base = UINT64_MAX;
  for (size_t i = 0; i < t->n; i++)
    if (t->op[i].r.addr < t->base) t->base = t->op[i].r.addr;
  t->base &= ~(uint64_t)4095;
  for (size_t i = 0; i < t->n; i++) {
    t->op[i].r.addr -= t->base;
    if (t->op[i].r.addr >> addr_w) return simt_fail(diag, path, "addresses that lie too far apart", "less than 2^%u bytes (ADDR_W)", addr_w);
  }
  return true;
}

struct am_trace *am_trace_read(const char *path, unsigned addr_w, struct simt_diag *diag) {
  struct am_trace *t = calloc(1, sizeof *t);
  struct simt_trace_file *f = t ? simt_trace_open(path, am_trace_kind.what, diag) : NULL;
  bool end = false, good = f != NULL;
  while (good && (good = simt_trace_line(f, &end)) && !end) {
    struct am_trace_op o = {0};
    good = read_line(f, &o) && append(f, t, &o);
  }
  if (good && !t->n) good = simt_fail(diag, path, "no atomics", "at least one line");
  good = good && rebase(t, path, addr_w, diag);
  simt_trace_close(f);
  if (good) return t;
  am_trace_free(t);
  return NULL;
}

void am_trace_free(struct am_trace *t) {
  if (t) free(t->op);
  free(t);
}
