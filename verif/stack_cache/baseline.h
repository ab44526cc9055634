/* SPDX-License-Identifier: Apache-2.0 */
/* baseline.h: a demand cache: what stack_cache is compared with. */
#ifndef STACK_CACHE_BASELINE_H
#define STACK_CACHE_BASELINE_H

#include "stack_cache/layout.h"
#include "stack_cache/trace.h"

/* Same storage, sets, memory port, latency, picker, GAP and INFLIGHT; a set moves only when an operation cannot go without:
 * - a miss is known in the first cycle in which the operation could go if all were on chip, so GAP behind the one before;
 * - one event at a time, as in the block's mover: to write a set out or to store one takes 8 cycles (the longest in the block), behind which the slot
 *   is free or the set is there; to begin a read takes 4; an acknowledge none; answers first, then the threads in turn;
 * - a push that begins a set in the slot of a dirty one writes that set out; a pop whose set is not on chip reads it;
 * - no access is begun while one of the same thread and class (set mod INFLIGHT) is under way;
 * - a set written out or read stays, clean, until another takes its slot; a push makes it dirty again.
 * Its lookups cost no cycle, and an event holds nobody but the thread that waits for it: this flatters it. */
struct stk_demand { uint64_t cycles, idle_cycles, idle_few, spills, restores; }; /* few: fewer than `few` threads left */

/* Runs a fresh replay to its end. False when stopped, or (diag) out of memory. */
struct stk_demand_run { unsigned latency, few; const volatile int *stop; };
bool stk_run_demand(const struct sc_layout *l, struct sc_replay *r, const struct stk_demand_run *run,
                    struct stk_demand *result, struct simt_diag *diag);

/* sim.c: simt_verif.sim. */
bool stk_sim(const struct simt_config *cfg, const struct simt_stimulus *stim,
             void (*put)(void *ctx, const char *name, double value, const char *unit, const char *doc), void *ctx,
             struct simt_diag *diag);

#endif
