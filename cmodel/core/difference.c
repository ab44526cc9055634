/* SPDX-License-Identifier: Apache-2.0 */
/* difference.c: a port whose values differ, in words (difference.h). */
#include "core/difference.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_ELEMENTS = 4 }; /* of a port of equal ones: so many that differ are shown */

void simt_put(struct simt_sink to, const char *format, ...) {
  char piece[256];
  va_list ap;
  va_start(ap, format);
  int n = vsnprintf(piece, sizeof piece, format, ap);
  va_end(ap);
  to.put(to.ctx, piece, (size_t)n < sizeof piece ? (size_t)n : sizeof piece - 1);
}

/* Bits low.. of a value, as a number. */
static void put_bits(struct simt_sink to, const uint32_t *value, unsigned low, unsigned width) {
  bool begun = false;
  simt_put(to, "0x");
  for (unsigned digit = (width + 3) / 4; digit--;) {
    unsigned v = 0;
    for (unsigned b = 4; b--;) {
      unsigned at = 4 * digit + b, bit = low + at;
      v = v << 1 | (at < width ? value[bit / 32] >> bit % 32 & 1 : 0);
    }
    begun |= v != 0 || !digit;
    if (begun) simt_put(to, "%x", v);
  }
}

static bool same_bits(const uint32_t *a, const uint32_t *b, unsigned low, unsigned width) {
  for (unsigned i = low; i < low + width; i++)
    if ((a[i / 32] ^ b[i / 32]) >> i % 32 & 1) return false;
  return true;
}

/* " {kind 0x1, pc 0x40}": of parts such as "kind:2 pc:30", the highest bits first; nothing of a port without. */
static void put_fields(struct simt_sink to, const struct simt_port *p, const uint32_t *value) {
  unsigned low = p->width;
  const char *before = " {";
  for (const char *at = p->parts; strchr(at, ':'); at += strcspn(at, " "), at += *at == ' ') {
    size_t name = strcspn(at, ":");
    unsigned width = (unsigned)strtoul(at + name + 1, NULL, 10);
    low -= width;
    simt_put(to, "%s%.*s ", before, (int)name, at);
    put_bits(to, value, low, width);
    before = ", ";
  }
  if (low < p->width) simt_put(to, "}");
}

/* "; bank 2: RTL 0x3, model 0x1": of equal elements, such as "bank*8", those that differ. */
static void put_elements(struct simt_sink to, const struct simt_port *p, const uint32_t *rtl, const uint32_t *model) {
  size_t name = strcspn(p->parts, "*"), left = 0;
  unsigned width = p->parts[name] ? (unsigned)strtoul(p->parts + name + 1, NULL, 10) : 0, shown = 0;
  if (!width || width == p->width) return;
  for (unsigned low = 0; low + width <= p->width; low += width) {
    if (same_bits(rtl, model, low, width)) continue;
    if (shown == MOST_ELEMENTS) {
      left++;
      continue;
    }
    shown++;
    simt_put(to, "; %.*s %u: RTL ", (int)name, p->parts, low / width);
    put_bits(to, rtl, low, width);
    simt_put(to, ", model ");
    put_bits(to, model, low, width);
  }
  if (left) simt_put(to, "; and %zu more", left);
}

static void put_value(struct simt_sink to, const struct simt_port *p, const uint32_t *value) {
  put_bits(to, value, 0, p->width);
  put_fields(to, p, value);
}

void simt_put_difference(struct simt_sink to, const struct simt_port *p, const uint32_t *rtl, const uint32_t *model) {
  simt_put(to, "%s: RTL ", p->name);
  if (rtl) put_value(to, p, rtl);
  else simt_put(to, "has unknown bits (X or Z)");
  simt_put(to, ", model ");
  put_value(to, p, model);
  if (rtl) put_elements(to, p, rtl, model);
}
