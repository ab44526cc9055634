/* SPDX-License-Identifier: Apache-2.0 */
/* rng.c: random numbers for stimuli: xoshiro256** seeded by splitmix64. */
#include "core/verif.h"

void simt_rng_seed(struct simt_rng *r, uint64_t seed) {
  for (int i = 0; i < 4; i++) { /* spreads seeds 0, 1, 2, ... over the state, never all zero */
    uint64_t z = seed += UINT64_C(0x9e3779b97f4a7c15);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    r->s[i] = z ^ z >> 31;
  }
}
