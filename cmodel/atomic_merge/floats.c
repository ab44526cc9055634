/* SPDX-License-Identifier: Apache-2.0 */
/* floats.c: float operations on items (AM-1), by the arithmetic of the machine: IEEE 754, round to nearest even. */
#include <string.h>

#include "atomic_merge/state.h"

_Static_assert(sizeof(float) == 4 && sizeof(double) == 8, "float and double are binary32 and binary64");

static double as_double(uint64_t bits) {
  double value;
  memcpy(&value, &bits, sizeof value);
  return value;
}

static float as_float(uint64_t bits) {
  const uint32_t low = (uint32_t)bits;
  float value;
  memcpy(&value, &low, sizeof value);
  return value;
}

static uint64_t add_or_multiply(unsigned op, bool wide, uint64_t x, uint64_t y) {
  if (wide) {
    const double a = as_double(x), b = as_double(y), value = op == AM_FADD ? a + b : a * b;
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    return value != value ? UINT64_C(0x7ff8000000000000) : bits;
  }
  const float a = as_float(x), b = as_float(y), value = op == AM_FADD ? a + b : a * b;
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return value != value ? 0x7fc00000 : bits;
}

/* A number that orders as the floats do, -0 below +0. */
static int64_t key(bool wide, uint64_t bits) {
  const int64_t value = wide ? (int64_t)bits : (int64_t)(int32_t)(uint32_t)bits;
  return value >= 0 ? value : -(value & INT64_MAX & (wide ? INT64_MAX : INT32_MAX)) - 1;
}

uint64_t am_operate_float(unsigned op, bool wide, uint64_t x, uint64_t y) {
  if (op == AM_FADD || op == AM_FMUL) return add_or_multiply(op, wide, x, y);
  const bool x_none = wide ? as_double(x) != as_double(x) : as_float(x) != as_float(x);
  const bool y_none = wide ? as_double(y) != as_double(y) : as_float(y) != as_float(y);
  if (x_none && y_none) return wide ? UINT64_C(0x7ff8000000000000) : 0x7fc00000;
  if (x_none || y_none) return x_none ? y : x;
  return (op == AM_FMIN) == (key(wide, x) < key(wide, y)) ? x : y;
}
