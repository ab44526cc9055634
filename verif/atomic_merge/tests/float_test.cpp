// SPDX-License-Identifier: Apache-2.0
// float_test.cpp: the float unit alone against the host's IEEE arithmetic: corner values crossed, then random ones whose exponents
// meet, of both sizes and all four operations. Sums and products are judged by GNU MPFR as well, so that two have to agree what is right.
// Argument: how many random ones.
#include <cfenv>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#include <mpfr.h>

#include "Vatomic_merge_float.h"
#include "verilated.h"

enum { MULTIPLY, MINIMUM, MAXIMUM, ADD, CODES, LATENCY = STEPS };
struct Case { unsigned code; bool wide; uint64_t x, y; };

template <class F, class B> static F as(uint64_t bits) {
  const B low = static_cast<B>(bits);
  F value;
  std::memcpy(&value, &low, sizeof value);
  return value;
}

template <class F, class B> static uint64_t expected(const Case &c, uint64_t none) {
  const F x = as<F, B>(c.x), y = as<F, B>(c.y);
  if (c.code == ADD || c.code == MULTIPLY) {
    const F value = c.code == ADD ? x + y : x * y;
    B bits;
    std::memcpy(&bits, &value, sizeof bits);
    return value != value ? none : bits;
  }
  if (x != x || y != y) return x == x ? c.x : y == y ? c.y : none;
  const bool below = x < y || (x == y && c.x >> (8 * sizeof(B) - 1));
  return below == (c.code == MINIMUM) ? c.x : c.y;
}

// What GNU MPFR says of a sum or product: one number of the format's precision and range, rounded once, subnormals included.
class Second {
  mpfr_t x, y, value;

 public:
  explicit Second(int bits) { mpfr_inits2(bits, x, y, value, static_cast<mpfr_ptr>(nullptr)); }
  Second(const Second &) = delete;
  Second &operator=(const Second &) = delete;
  ~Second() { mpfr_clears(x, y, value, static_cast<mpfr_ptr>(nullptr)); }
  template <class F, class B> uint64_t operator()(const Case &c, uint64_t none) {
    const bool wide = sizeof(B) == 8;
    mpfr_set_emin(-1073); // of doubles; a float is one
    mpfr_set_emax(1024);
    mpfr_set_d(x, static_cast<double>(as<F, B>(c.x)), MPFR_RNDN);
    mpfr_set_d(y, static_cast<double>(as<F, B>(c.y)), MPFR_RNDN);
    if (!wide) mpfr_set_emin(-148);
    if (!wide) mpfr_set_emax(128);
    int inexact = c.code == ADD ? mpfr_add(value, x, y, MPFR_RNDN) : mpfr_mul(value, x, y, MPFR_RNDN);
    inexact = mpfr_check_range(value, inexact, MPFR_RNDN);
    mpfr_subnormalize(value, inexact, MPFR_RNDN);
    if (mpfr_nan_p(value)) return none;
    const F rounded = static_cast<F>(mpfr_get_d(value, MPFR_RNDN));
    B bits;
    std::memcpy(&bits, &rounded, sizeof bits);
    return bits;
  }
};

static uint64_t seed = 88172645463325252;
static uint64_t draw() {
  seed ^= seed << 13;
  seed ^= seed >> 7;
  seed ^= seed << 17;
  return seed * 0x2545f4914f6cdd1d;
}

// Zero, subnormals and their ends, the smallest and largest numbers, 1 and its neighbours, halves of its last bit, infinity, not numbers.
static uint64_t corner(bool wide, unsigned i) {
  const int mantissa = wide ? 52 : 23, bias = wide ? 1023 : 127, ones = wide ? 2047 : 255;
  const uint64_t last = (uint64_t{1} << mantissa) - 1;
  const struct { int e; uint64_t f; } value[] = {
    {0, 0}, {0, 1}, {0, 2}, {0, last / 2 + 1}, {0, last}, {1, 0}, {1, 1}, {1, last}, {2, 0}, {bias, 0}, {bias, 1}, {bias - 1, last},
    {bias + 1, 0}, {bias - mantissa, 0}, {bias - mantissa - 1, 0}, {bias - mantissa - 1, 1}, {bias - mantissa - 2, last},
    {bias + mantissa, 0}, {bias + mantissa + 1, 0}, {bias + mantissa, last}, {ones - 1, last}, {ones - 1, 0}, {ones - 2, last}, {ones, 0},
    {ones, last / 2 + 1}, {ones, 1}, {ones, last}, {bias / 2, 0}, {bias / 2 + 1, 0}, {bias / 2, last}, {bias + bias / 2, 0}, {bias / 2 - mantissa, 3}};
  const auto v = value[i / 2 % 32];
  return uint64_t{i & 1} << (wide ? 63 : 31) | static_cast<uint64_t>(v.e) << mantissa | v.f;
}

static uint64_t any(bool wide) {
  const uint64_t r = draw();
  if (!(r & 7)) return corner(wide, static_cast<unsigned>(r >> 8));
  const int mantissa = wide ? 52 : 23, bias = wide ? 1023 : 127;
  uint64_t f = draw();
  if (r & 8) f &= f >> 7; // few ones
  if (r & 16) f |= f << 9; // many
  int e = static_cast<int>(draw() & (wide ? 2047 : 255));
  if ((r >> 5 & 3) == 1) e = bias - mantissa + static_cast<int>(r >> 16) % (2 * mantissa);
  if ((r >> 5 & 3) == 2) e = static_cast<int>(r >> 16 & 31);
  if ((r >> 5 & 3) == 3) e = bias / 2 - 16 + static_cast<int>(r >> 16 & 31);
  const uint64_t low = f & ((uint64_t{1} << mantissa) - 1);
  return (f >> 63) << (wide ? 63 : 31) | static_cast<uint64_t>(e < 0 ? 0 : e) << mantissa | low;
}

int main(int, char **argv) {
#ifdef PLANT
  std::fesetround(FE_DOWNWARD);
#endif
  Vatomic_merge_float unit;
  Case last[8];
  const uint64_t corners = CODES * 2 * 64 * 64, total = corners + std::strtoull(argv[1], nullptr, 10);
  uint64_t wrong = 0;
  Second narrow(24), wide(53);
  for (uint64_t i = 0; i < total; i++) {
    Case &c = last[i % 8];
    const uint64_t r = i < corners ? i : draw();
    c.code = r & 3;
    c.wide = r >> 2 & 1;
    c.x = i < corners ? corner(c.wide, r >> 3 & 63) : any(c.wide);
    c.y = i < corners ? corner(c.wide, r >> 9 & 63) : any(c.wide);
    if (i >= corners && !(r >> 3 & 15)) c.y = c.x ^ uint64_t{1} << (c.wide ? 63 : 31) ^ (r >> 20 & 3); // almost nothing is left
    unit.code_i = c.code;
    unit.wide_i = c.wide;
    unit.x_i = c.x;
    unit.y_i = c.y;
    unit.clk_i = 0;
    unit.eval();
    unit.clk_i = 1;
    unit.eval();
    if (i + 1 < LATENCY) continue;
    const Case &o = last[(i + 1 - LATENCY) % 8];
    const uint64_t want = o.wide ? expected<double, uint64_t>(o, uint64_t{0x7ff8} << 48) : expected<float, uint32_t>(o, 0x7fc00000);
    if (o.code == ADD || o.code == MULTIPLY) {
      const uint64_t second = o.wide ? wide.operator()<double, uint64_t>(o, uint64_t{0x7ff8} << 48) : narrow.operator()<float, uint32_t>(o, 0x7fc00000);
      if (second != want && wrong++ < 5)
        std::printf("code %u of %d bits, 0x%llx and 0x%llx: the host says 0x%llx, MPFR says 0x%llx\n", o.code, o.wide ? 64 : 32, (unsigned long long)o.x,
                    (unsigned long long)o.y, (unsigned long long)want, (unsigned long long)second);
    }
    if (unit.result_o != want && wrong++ < 5)
      std::printf("code %u of %d bits, 0x%llx and 0x%llx: 0x%llx, the host says 0x%llx\n", o.code, o.wide ? 64 : 32, (unsigned long long)o.x,
                  (unsigned long long)o.y, (unsigned long long)unit.result_o, (unsigned long long)want);
  }
  std::printf("%llu results, %llu wrong\n", (unsigned long long)(total - LATENCY + 1), (unsigned long long)wrong);
  return wrong != 0;
}
