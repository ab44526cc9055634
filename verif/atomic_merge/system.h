/* SPDX-License-Identifier: Apache-2.0 */
/* system.h: N caches around one home, the C model alone. The home is ideal: any number of lines at once, one owner
 * each, waiting caches served round robin from the last owner + 1; each message takes a fixed time on its way. */
#ifndef ATOMIC_MERGE_SYSTEM_H
#define ATOMIC_MERGE_SYSTEM_H

#include "atomic_merge/checker.h"
#include "simt.h"

struct am_stream { const struct amc_request *request; size_t n; uint64_t times; }; /* of one cache; the whole of it so often */
struct am_system_setup {
  const struct simt_config *cfg;
  unsigned caches, transport; /* transport: cycles from the last beat of a release to the first beat of the next fill */
  const struct am_stream *stream;
  const volatile int *stop;
  struct simt_diag *diag;
};
struct am_system_result {
  uint64_t operations, cycles, idle, transfers, merges, in_place, accumulated, waited;
  double steady_rate;        /* operations that took their place per cycle, whole rounds of a line after the first two; or 0 */
  double hop;                /* cycles from the end of a cache's merge to the arrival at the next one, mean; or 0 */
  struct am_checker *memory; /* as the home has it in the end, and the serial order has it too; to be freed */
};

/* Runs all streams to their end and flushes all caches. False and diag when the serial-order checker objects, when
 * nothing moves any more, or for lack of memory. */
bool am_system_run(const struct am_system_setup *setup, struct am_system_result *result);

#endif
