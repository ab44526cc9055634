/* SPDX-License-Identifier: Apache-2.0 */
/* trace.h: recorded push/pop traces of stack_cache and their replay (docs/trace_formats.md).
 *
 * A trace is checked whole while it is read: every pop names the value that its matching push stored, no
 * stack is deeper than the configuration holds. So a replay that keeps each thread's order needs no golden
 * model of its own: the answer of a pop must be `value`. 14 bytes of memory per operation.
 */
#ifndef STACK_CACHE_TRACE_H
#define STACK_CACHE_TRACE_H

#include "stack_cache/layout.h"
#include "core/verif.h"

struct sc_trace;

/* Reads *.stk or *.stk.gz for a configuration of `threads` stacks of `entry_w` bits and `max_depth` entries.
 * NULL and diag (file, line) when it cannot be read, is cut short, or is no trace of such a block. */
struct sc_trace_limits { unsigned threads, entry_w; uint64_t max_depth; };
extern const struct simt_trace_kind sc_trace_kind;
struct sc_trace *sc_trace_read(const char *path, const struct sc_trace_limits *l, struct simt_diag *diag);
void sc_trace_free(struct sc_trace *t);
uint64_t sc_trace_operations(const struct sc_trace *t);

/* The order of sc_pickers. All but the last keep each thread's order only. */
enum sc_picker { SC_ROUND_ROBIN, SC_LONGEST_REMAINING, SC_LOWEST_INDEX, SC_GLOBAL_ORDER };
extern const struct simt_named sc_pickers[]; /* ended by a NULL name; for simt_verif.pickers */
/* From a name, NULL = round robin. False and diag when there is none. */
bool sc_find_picker(const char *name, enum sc_picker *to, struct simt_diag *diag);

struct sc_trace_op {
  unsigned thread;
  enum sc_kind kind; /* SC_PUSH or SC_POP */
  uint64_t value;    /* to push, or what the pop must return */
};

/* One replay; several may share a trace, which must outlive them. NULL and diag on lack of memory. */
struct sc_replay;
struct sc_replay *sc_replay_create(const struct sc_trace *t, enum sc_picker picker, struct simt_diag *diag);
void sc_replay_free(struct sc_replay *r);
void sc_replay_restart(struct sc_replay *r);

/* The operation to present in this cycle, from this cycle's can-go ports (32-bit words as in the output
 * buffer). SC_GO: it is taken if presented; SC_WAIT: none can go, `op` is the one that the picker waits for;
 * SC_END: all are done. Changes nothing: sc_replay_taken says that the operation last given was taken. */
enum sc_next { SC_END, SC_WAIT, SC_GO };
enum sc_next sc_replay_next(struct sc_replay *r, const uint32_t *can_push, const uint32_t *can_top,
                            struct sc_trace_op *op);
void sc_replay_taken(struct sc_replay *r);
/* Threads whose next operation could not go in the last call of next; in the file's strict order that is the
 * thread of its next operation, or none. */
const uint32_t *sc_replay_waiting(const struct sc_replay *r);
bool sc_replay_at_end(const struct sc_replay *r);
unsigned sc_replay_threads_left(const struct sc_replay *r); /* threads with operations left */

#endif
