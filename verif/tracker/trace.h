/* SPDX-License-Identifier: Apache-2.0 */
/* trace.h: recorded memory instructions of warps (docs/trace_formats.md). The file is checked whole while it is read.
 * Memory: 16 bytes an instruction, 8 a lane address. */
#ifndef TRACKER_TRACE_H
#define TRACKER_TRACE_H

#include "core/simt.h"

enum tkf_class { TKF_GLOBAL, TKF_TEXTURE, TKF_RAY, TKF_CLASSES };
enum tkf_op { TKF_LOAD, TKF_STORE, TKF_ATOMIC };

struct tkf_access {
  uint32_t address; /* place of its first lane's address in the trace's list */
  uint32_t gap;     /* instructions of the warp since its last access */
  uint32_t mask;    /* active lanes */
  uint8_t cls, op, size, lanes; /* bytes per lane; lanes: bits set in the mask */
};
struct tkf_warp { uint32_t first, n; }; /* accesses, in program order */

struct tkf_trace {
  struct tkf_access *access;
  uint64_t *address;  /* byte addresses, the lowest lane first */
  struct tkf_warp *warp; /* in launch order */
  uint32_t accesses, warps;
  size_t addresses;
};

extern const struct simt_trace_kind tkf_trace_kind;
/* Reads *.mem or *.mem.gz. NULL and diag (file, line, column) when it cannot be read, is cut short, or is no such
 * trace. */
struct tkf_trace *tkf_trace_read(const char *path, struct simt_diag *diag);
void tkf_trace_free(struct tkf_trace *t);

#endif
