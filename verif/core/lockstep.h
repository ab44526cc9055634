/* SPDX-License-Identifier: Apache-2.0 */
/* lockstep.h: runs a block's environment, model and RTL cycle by cycle and compares every
 * output. */
#ifndef SIMT_LOCKSTEP_H
#define SIMT_LOCKSTEP_H

#include "core/verif.h"

/* The RTL behind the generated shim. `cycle` sets the inputs, gives the outputs of the same
 * cycle, then makes the clock edge. */
struct lockstep_rtl {
  void *(*create)(uint64_t seed); /* registers without reset start with values of this seed */
  void (*destroy)(void *rtl);
  void (*cycle)(void *rtl, const uint32_t *in, uint32_t *out);
  void (*coverage)(void *rtl, const char *file);
  const char *(*violation)(void *rtl); /* the bus rule that was broken, or NULL; NULL: no bus is watched */
};

struct lockstep; /* one block configuration under one stimulus; may run many times */

/* cfg, verif and rtl (NULL: model alone) outlive it. NULL and diag when the environment refuses. */
struct lockstep *lockstep_create(const struct simt_config *cfg, const struct simt_verif *verif,
                                 const struct simt_stimulus *stim, const struct lockstep_rtl *rtl,
                                 struct simt_diag *diag);
void lockstep_destroy(struct lockstep *l);

/* The last choices of a run, oldest first once lockstep_run has returned. */
struct lockstep_tape {
  unsigned char *records;
  size_t size, n, room; /* bytes of a record; records held; most that are held */
  uint64_t dropped;     /* older ones that did not fit */
};
bool lockstep_tape_init(struct lockstep_tape *t, const struct simt_verif *verif, size_t max_bytes);
void lockstep_tape_free(struct lockstep_tape *t);

/* What to run. All but `cycles` may be left 0. */
struct lockstep_plan {
  uint64_t cycles;                    /* at most */
  const struct lockstep_tape *replay; /* take the choices from here instead of the stimulus */
  struct lockstep_tape *record;
  /* Called in every cycle after the comparison; rtl is NULL for the model alone. */
  void (*watch)(void *ctx, uint64_t cycle, const uint32_t *in, const uint32_t *model,
                const uint32_t *rtl);
  void *ctx;
  void (*progress)(uint64_t cycle);   /* called now and then */
  const char *coverage_file;          /* RTL line coverage goes here */
  /* Asked now and then with the counts of the coverage points so far; true ends the run, which has passed. */
  bool (*enough)(void *ctx, const uint64_t *coverage, const struct lockstep_rtl *rtl, void *instance);
  const volatile int *stop;           /* ends the run when it becomes nonzero */
  /* Environment and model run in a thread of their own, where there are two processors and the run is
   * long enough for it. The result is the same but for the seconds. */
  bool two_threads;
};

enum lockstep_end {
  LOCKSTEP_PASS,     /* all cycles, or the stimulus ended */
  LOCKSTEP_MISMATCH, /* an output of the RTL differs from the model's */
  LOCKSTEP_GOLDEN,   /* the golden model, or a protocol rule at the pins of the RTL, was violated */
  LOCKSTEP_STUCK,    /* work waits and nothing happens */
  LOCKSTEP_STOPPED   /* plan->stop */
};

struct lockstep_result {
  enum lockstep_end end;
  uint64_t cycles;              /* compared, the failing one included */
  uint64_t operations;          /* the environment's progress */
  double seconds;               /* of processor time of the calling thread, in the loop */
  double environment_seconds;   /* of the thread of environment and model; 0: there was none */
  const struct simt_port *port; /* mismatch: the first port that differs */
  uint32_t *rtl_value, *model_value; /* its words; belong to the lockstep object */
  char message[240]; /* golden and stuck: what is wrong; mismatch: golden's opinion, or "" */
  const uint64_t *coverage;     /* a count per coverage point, over all runs of the object */
};

/* One run from reset. The same plan gives the same result. */
struct lockstep_result lockstep_run(struct lockstep *l, const struct lockstep_plan *plan);

/* Seconds that the run takes on idle processors: those of the thread that has more to do. */
double lockstep_seconds(const struct lockstep_result *r);

/* Makes the tape of a failing run shorter while it still fails in the same way, for at most
 * `seconds`. False when the tape alone does not fail (nothing changes). */
bool lockstep_shrink(struct lockstep *l, struct lockstep_tape *t, enum lockstep_end end,
                     double seconds, const volatile int *stop);

/* Cycles per second of lockstep (with two threads, or in one), of the RTL alone and of the model alone under the inputs of the first
 * cycles, and their ratios: each in turn several times, so that all meet the same machine; medians. All 0
 * without an RTL or a reset. */
struct lockstep_speed { double lockstep, rtl, model, lockstep_per_rtl, model_per_rtl; };
struct lockstep_speed lockstep_measure(struct lockstep *l, bool two_threads);

/* The environment, for explain(). */
const void *lockstep_env(const struct lockstep *l);

#endif
