/* SPDX-License-Identifier: Apache-2.0 */
/* trace.h: recorded atomics of work-items, .atm or .atm.gz (docs/trace_formats.md). Checked whole while it is read. */
#ifndef ATOMIC_MERGE_TRACE_H
#define ATOMIC_MERGE_TRACE_H

#include "atomic_merge/checker.h"
#include "simt.h"

struct am_trace_op { uint32_t group; struct amc_request r; }; /* mode: AM_RETURN or, for n, AM_RELAXED; thread id 0 */
struct am_trace { struct am_trace_op *op; size_t n, room; uint64_t base; };

extern const struct simt_trace_kind am_trace_kind;
/* Addresses are given less `base`, the lowest one rounded down to 4 KiB, and must fit in addr_w bits then.
 * NULL and diag (file, line, column) when it cannot be read or is no such trace. */
struct am_trace *am_trace_read(const char *path, unsigned addr_w, struct simt_diag *diag);
void am_trace_free(struct am_trace *t);

#endif
