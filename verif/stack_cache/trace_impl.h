/* SPDX-License-Identifier: Apache-2.0 */
/* trace_impl.h: how a trace lies in memory; for trace.c and replay.c only. */
#ifndef STACK_CACHE_TRACE_IMPL_H
#define STACK_CACHE_TRACE_IMPL_H

#include "stack_cache/trace.h"

#define SC_NO_OP UINT32_MAX

/* Arrays by operation, in the order of the file. */
struct sc_trace {
  size_t n;
  uint64_t *value;
  uint32_t *next;  /* the next operation of the same thread, SC_NO_OP after its last */
  uint16_t *what;  /* thread * 2 + (1 for a pop) */
  unsigned threads;
  uint32_t *first; /* per thread: its first operation, or SC_NO_OP */
  uint32_t *count; /* per thread: its operations */
};

#endif
