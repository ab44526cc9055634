/* SPDX-License-Identifier: Apache-2.0 */
/* atomic_merge.h: caches that merge atomics for simulators: 1 to 64 of them around an ideal home, requests with the cycles
 * they take.
 *
 * Underneath runs the cycle-exact model of each cache. The home between them serves any number of lines at once, one owner
 * each, waiting caches round robin; memory behind it you give as callbacks (struct simt_remote) for whole lines. Every call
 * lets time go on by the cycles that it says, for all caches; between calls no time passes. An object belongs to one thread
 * of the program at a time; different objects are independent.
 *
 *   struct atomic_merge_setup setup = {.params = params, .caches = 4, .transport = 20, .memory = &memory};
 *   struct atomic_merge *m = atomic_merge_create(&setup, &diag);
 *   struct atomic_merge_result r = atomic_merge_atomic(m, 2, ATOMIC_MERGE_ADD, 0x1000, 1);   // r.value: before the addition
 *   atomic_merge_destroy(m);
 */
#ifndef ATOMIC_MERGE_H
#define ATOMIC_MERGE_H

#include "simt.h"

#ifdef __cplusplus
extern "C" {
#endif

/* As port req_op_i counts them. */
enum atomic_merge_op {
  ATOMIC_MERGE_LOAD, ATOMIC_MERGE_STORE, ATOMIC_MERGE_FENCE, ATOMIC_MERGE_FLUSH, ATOMIC_MERGE_ADD, ATOMIC_MERGE_AND,
  ATOMIC_MERGE_OR, ATOMIC_MERGE_XOR, ATOMIC_MERGE_SIGNED_MIN, ATOMIC_MERGE_SIGNED_MAX, ATOMIC_MERGE_UNSIGNED_MIN,
  ATOMIC_MERGE_UNSIGNED_MAX, ATOMIC_MERGE_SWAP, ATOMIC_MERGE_COMPARE_AND_SWAP, ATOMIC_MERGE_SATURATING_ADD,
  ATOMIC_MERGE_WRAPPING_INCREMENT, ATOMIC_MERGE_WRAPPING_DECREMENT, ATOMIC_MERGE_ADD_MODULO, /* `compare` holds K - 1 */
  ATOMIC_MERGE_MULTIPLY, ATOMIC_MERGE_FLOAT_ADD, ATOMIC_MERGE_FLOAT_MULTIPLY, ATOMIC_MERGE_FLOAT_MIN, ATOMIC_MERGE_FLOAT_MAX
};
enum atomic_merge_mode {
  ATOMIC_MERGE_RETURN,  /* answered with the value before the operation */
  ATOMIC_MERGE_STRICT,  /* answered when the operation has its place in the one order */
  ATOMIC_MERGE_RELAXED  /* answered when it is accumulated; others may see it later */
};
enum atomic_merge_status {
  ATOMIC_MERGE_DONE,
  ATOMIC_MERGE_REFUSED,      /* misaligned, an operation, size or mode that is not built; every thread id has an answer that
                                waits for atomic_merge_answer; memory is unchanged */
  ATOMIC_MERGE_MEMORY_ERROR, /* memory has no such line */
  /* Nothing was done and no time has passed: */
  ATOMIC_MERGE_NO_CACHE,     /* not below `caches` */
  ATOMIC_MERGE_RANGE         /* an address above ADDR_W; an operand with bits above the size; no such operation, size or mode */
};
struct atomic_merge_request {
  enum atomic_merge_op op;
  enum atomic_merge_mode mode; /* of an atomic */
  unsigned bytes;              /* 1, 2, 4 or 8; of a fence or flush any */
  uint64_t addr;               /* of ADDR_W bits; a fence or flush has none */
  uint64_t data, compare;      /* as wide as `bytes`, where the operation has them */
};
struct atomic_merge_result {
  enum atomic_merge_status status;
  uint64_t value;  /* of a load and of mode return, zero-extended; else 0 */
  uint64_t cycles; /* from the first cycle in which the request was presented to its answer; for atomic_merge_execute, by
                      which time has gone on */
};

struct atomic_merge;

struct atomic_merge_setup {
  const char *const *params; /* of each cache: "NAME=VALUE", each at most once, ended by NULL; NULL: all defaults */
  unsigned caches;           /* 1 to 64 */
  unsigned transport;        /* cycles from the last beat of a release to the first beat of the next owner's fill */
  const struct simt_remote *memory; /* lines of LINE_BYTES; its latency counts when no cache has the line. Copied. */
};
/* Returns when the caches take requests, at cycle 0. NULL and diag when something is wrong. */
struct atomic_merge *atomic_merge_create(const struct atomic_merge_setup *setup, struct simt_diag *diag);
void atomic_merge_destroy(struct atomic_merge *m);

/* One request from its presentation to its answer. */
struct atomic_merge_result atomic_merge_execute(struct atomic_merge *m, unsigned cache, const struct atomic_merge_request *r);
/* An atomic of 4 bytes that returns the value before it. */
struct atomic_merge_result atomic_merge_atomic(struct atomic_merge *m, unsigned cache, enum atomic_merge_op op, uint64_t addr,
                                               uint32_t operand);

/* Whether a request can be issued at all: done, or why it is refused (NO_CACHE, RANGE). */
enum atomic_merge_status atomic_merge_check(const struct atomic_merge *m, unsigned cache, const struct atomic_merge_request *r);

/* Many at once: `issue` presents a request to its cache; false: one is still presented there, or so many are under way as
 * there are thread ids, or atomic_merge_check refuses it. It stays until it is taken, as time goes on by atomic_merge_advance. `answer` gives the next answer of
 * the cache, in the order in which they come, with the ticket of its request. */
bool atomic_merge_issue(struct atomic_merge *m, unsigned cache, const struct atomic_merge_request *r, uint64_t *ticket);
bool atomic_merge_answer(struct atomic_merge *m, unsigned cache, uint64_t *ticket, struct atomic_merge_result *result);
unsigned atomic_merge_under_way(const struct atomic_merge *m, unsigned cache); /* issued and not fetched by `answer` */

void atomic_merge_advance(struct atomic_merge *m, uint64_t cycles);
uint64_t atomic_merge_cycle(const struct atomic_merge *m); /* since creation */

/* Counts since creation by name, in a fixed order: of one cache, and of the home. */
void atomic_merge_stats(const struct atomic_merge *m, unsigned cache,
                        void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx);
uint64_t atomic_merge_transfers(const struct atomic_merge *m);    /* lines that went to a cache */
uint64_t atomic_merge_write_errors(const struct atomic_merge *m); /* lines that memory refused when they came back */

#ifdef __cplusplus
}
#endif
#endif
