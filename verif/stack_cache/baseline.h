/* SPDX-License-Identifier: Apache-2.0 */
/* baseline.h: a demand cache: what stack_cache is compared with. */
#ifndef STACK_CACHE_BASELINE_H
#define STACK_CACHE_BASELINE_H

#include "stack_cache/trace.h"

/* Same storage, sets, memory port, latency and picker; a set moves only when an operation cannot go without:
 * - a miss is known in the cycle in which the operation becomes the next of its thread, waiting or not;
 * - a push that begins a set in the slot of a dirty one writes that set out; its slot is free in the cycle
 *   after the port took it;
 * - a pop whose set is not on chip reads it; it is there in the cycle after the answer;
 * - the port takes one request per cycle, of the threads in turn; a set is not read before an earlier write
 *   of it is answered;
 * - a set written out or read stays, clean, until another takes its slot; a push makes it dirty again.
 * Its lookups cost no cycle, and it has no counterpart of the block's pipeline: this flatters it. */
struct sc_demand { uint64_t cycles, idle_cycles, spills, restores; };

/* Runs a fresh replay to its end. False when stopped, or (diag) out of memory. */
bool sc_run_demand(const struct sc_layout *l, struct sc_replay *r, unsigned latency, const volatile int *stop,
                   struct sc_demand *result, struct simt_diag *diag);

#endif
