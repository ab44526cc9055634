/* SPDX-License-Identifier: Apache-2.0 */
/* rng.c: random numbers for stimuli: xoshiro256** seeded by splitmix64. */
#include "verif.h"

static uint64_t rotl(uint64_t x, unsigned k) { return x << k | x >> (64 - k); }

void simt_rng_seed(struct simt_rng *r, uint64_t seed) {
  for (int i = 0; i < 4; i++) { /* spreads seeds 0, 1, 2, ... over the state, never all zero */
    uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    r->s[i] = z ^ z >> 31;
  }
}

uint64_t simt_rng_next(struct simt_rng *r) {
  uint64_t *s = r->s, result = rotl(s[1] * 5, 7) * 9, t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotl(s[3], 45);
  return result;
}
