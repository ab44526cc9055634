/* SPDX-License-Identifier: Apache-2.0 */
/* verif.h: what a block brings to be verified: an environment that drives its inputs, plays the memory
 * behind it, and holds the golden model and the coverage points. verif/BLOCK/ exports one
 * `const struct simt_verif simt_verif_BLOCK`.
 *
 * Per cycle, in this order (verif/core/lockstep.c):
 *   model.outputs(out); choose(choice); drive(choice, out, in); observe(in, out); [rtl]; model.step(in)
 * A choice is a fixed-size record of raw random decisions that means something in any state (a number is
 * taken modulo what is legal), so that records can be deleted one by one to shrink a failing run. The
 * environment looks at the model's outputs only, never at the design under test's: it and the model run some
 * cycles ahead of the RTL, unless somebody watches.
 */
#ifndef SIMT_VERIF_H
#define SIMT_VERIF_H

#include "core/simt.h"

/* xoshiro256**: 64-bit seed to a whole stream; state is a plain struct, copied freely. */
struct simt_rng { uint64_t s[4]; };
void simt_rng_seed(struct simt_rng *r, uint64_t seed);
static inline uint64_t simt_rng_next(struct simt_rng *r) {
  uint64_t *s = r->s, five = s[1] * 5, result = (five << 7 | five >> 57) * 9, t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = s[3] << 45 | s[3] >> 19;
  return result;
}
static inline uint64_t simt_rng_below(struct simt_rng *r, uint64_t n) { /* n > 0 */
  return (uint64_t)(((unsigned __int128)simt_rng_next(r) * n) >> 64);
}

struct simt_stimulus {
  const char *kind;     /* "random", "directed" or "trace" */
  const char *profile;  /* random: a name of `profiles`, or NULL = all of them in turn; directed: a name of
                           `directed`, or NULL = all in turn */
  const char *trace;    /* trace: file name */
  const char *picker;   /* trace: replay order, or NULL = the block's default */
  unsigned latency;     /* memory latency in cycles for traces; 0 = the block's default */
  const uint64_t *replay; /* trace: values of simt_verif.replay, in its order; NULL: its defaults */
  uint64_t cycles;      /* planned length (profiles divide it among themselves) */
  uint64_t seed;
  const volatile int *stop; /* sim: ends with false when it becomes nonzero; may be NULL */
};

struct simt_named { const char *name, *doc, *req; };
/* A number that says how a trace is replayed, beside picker and latency: `--replay NAME=VALUE`. */
enum { SIMT_MAX_REPLAY = 32 };
struct simt_replay_option { const char *name; uint64_t def, min, max; const char *unit, *doc; };

/* A form of recorded traces. */
struct simt_trace_kind {
  const char *what; /* for messages: "stack operations (.stk, .stk.gz)" */
  const char *line; /* what the first line that is no comment looks like: an extended regular expression (POSIX) */
};

struct simt_verif {
  const struct simt_block *block;
  const struct simt_named *profiles; /* random stimulus, ended by a NULL name */
  const struct simt_named *directed; /* directed tests, ended by a NULL name; diagrams of the datasheet too */
  const char *const *undrawn;        /* directed tests of many values or cycles, of which a diagram says little; ended by NULL, or NULL */
  const struct simt_named *pickers;  /* replay orders of traces, ended by a NULL name; NULL: no traces */
  const struct simt_trace_kind *trace; /* of the traces that it takes; or NULL */
  const struct simt_replay_option *replay; /* at most SIMT_MAX_REPLAY, ended by a NULL name; or NULL */
  size_t choice_size;                /* bytes of a choice */
  unsigned stuck_cycles;             /* no progress() change for so long while busy = stuck */

  void *(*create)(const struct simt_config *cfg, const struct simt_stimulus *stim, struct simt_diag *diag);
  void (*destroy)(void *env);
  void (*restart)(void *env);        /* to cycle 0; clears golden model and memory, keeps coverage */
  bool (*choose)(void *env, void *choice);  /* false: the stimulus has ended (trace, directed) */
  void (*drive)(void *env, const void *choice, const uint32_t *out, uint32_t *in);
  /* Golden model, protocol rules and coverage. NULL, or one line that says what is wrong. */
  const char *(*observe)(void *env, const uint32_t *in, const uint32_t *out);
  /* Monotonic count of useful events (operations answered), and whether work is waiting. */
  uint64_t (*progress)(const void *env, bool *busy);
  const uint64_t *(*coverage)(const void *env);  /* a count per desc.covers entry */
  /* One readable line of a choice-driven input, for a shrunk failing run: "push thread 3 0x12". */
  void (*explain)(const void *env, const uint32_t *in, char *to, size_t room);
  /* C model alone on a trace: all statistics as name/value pairs through `put`, in a fixed order.
   * At least operations, cycles, idle_cycles. `SYSTEM.NAME` is the statistic NAME of another system that
   * the block is compared with. NULL when the block takes no traces. */
  bool (*sim)(const struct simt_config *cfg, const struct simt_stimulus *stim,
              void (*put)(void *ctx, const char *name, double value, const char *unit, const char *doc),
              void *ctx, struct simt_diag *diag);
};

extern const struct simt_verif *const simt_verifs[]; /* generated list, ended by NULL */
const struct simt_verif *simt_find_verif(const struct simt_block *block);
/* Whether a resolved configuration takes a profile: it may need an option that is not set. */
bool simt_has_profile(const struct simt_config *cfg, const char *profile);

#endif
