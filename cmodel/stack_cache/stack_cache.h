/* SPDX-License-Identifier: Apache-2.0 */
/* stack_cache.h: the stack cache for simulators: push and pop with the cycles they take. A thread goes at most every
 * few cycles (derived value GAP); other threads go in between.
 *
 * Underneath runs the cycle-exact model, against a memory that you give as callbacks
 * (struct simt_remote). Every call lets time go on
 * by the cycles that it took; between calls no time passes. An object belongs to one thread of the program at a
 * time; different objects are independent.
 *
 *   const char *params[] = {"THREADS=32", "ENTRIES=16", NULL};
 *   struct stack_cache *s = stack_cache_create(params, &memory, &diag);
 *   struct stack_cache_result r = stack_cache_push64(s, 3, 0x55d0);   // r.status, r.wait, r.cycles
 *   r = stack_cache_pop64(s, 3, &value);
 *   stack_cache_destroy(s);
 */
#ifndef STACK_CACHE_H
#define STACK_CACHE_H

#include "simt.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { STACK_CACHE_MAX_WORDS = 16 }; /* 32-bit words of the widest entry */

enum stack_cache_kind {
  STACK_CACHE_PUSH, STACK_CACHE_POP, STACK_CACHE_PEEK, STACK_CACHE_REPLACE, STACK_CACHE_INIT
};
enum stack_cache_status {
  STACK_CACHE_OK,
  STACK_CACHE_OVERFLOW,   /* the depth limit; nothing changed */
  STACK_CACHE_UNDERFLOW,  /* the stack is empty; nothing changed */
  STACK_CACHE_FAULT,      /* a memory error has marked the thread; init clears it */
  /* Nothing was done and no time has passed: */
  STACK_CACHE_NO_THREAD,  /* not below THREADS */
  STACK_CACHE_RANGE       /* a value with bits above ENTRY_W, no such kind; an entry too wide for stack_cache_pop64 */
};

struct stack_cache; /* one block with its memory */

/* Parameters as "NAME=VALUE", each at most once, ended by NULL (NULL: all defaults); see `simtgen describe
 * stack_cache`. Those that put a bus in front of the block are refused, and MEM_W = entry with sets of several: memory
 * and registers are calls here. The memory's struct is copied. Returns when the block is ready, at cycle 0. NULL and diag
 * when something is wrong. */
struct stack_cache *stack_cache_create(const char *const *params, const struct simt_remote *memory,
                                       struct simt_diag *diag);
void stack_cache_destroy(struct stack_cache *s);

struct stack_cache_result {
  enum stack_cache_status status;
  uint64_t wait;   /* cycles in which the operation was presented and had to wait */
  uint64_t cycles; /* by which time has gone on: wait + stack_cache_latency() */
};

/* One operation from its request to its answer. `value` has (ENTRY_W + 31) / 32 words, the lowest bits first, and no bit above
 * ENTRY_W; that of pop and peek is written when the status is ok. */
struct stack_cache_result stack_cache_push(struct stack_cache *s, unsigned thread, const uint32_t *value);
struct stack_cache_result stack_cache_pop(struct stack_cache *s, unsigned thread, uint32_t *value);
struct stack_cache_result stack_cache_peek(struct stack_cache *s, unsigned thread, uint32_t *value);
struct stack_cache_result stack_cache_replace(struct stack_cache *s, unsigned thread, const uint32_t *value);
struct stack_cache_result stack_cache_init(struct stack_cache *s, unsigned thread); /* empties its stack */

/* The same with 64 bits of value. Entries may be narrower or, for a push, wider. */
struct stack_cache_result stack_cache_push64(struct stack_cache *s, unsigned thread, uint64_t value);
struct stack_cache_result stack_cache_pop64(struct stack_cache *s, unsigned thread, uint64_t *value);

/* Whether an operation can be issued at all: ok, or why it is refused (NO_THREAD, RANGE). `value`: of a push or replace. */
enum stack_cache_status stack_cache_check(const struct stack_cache *s, enum stack_cache_kind kind, unsigned thread, const uint32_t *value);

/* Pipelined use, an operation per cycle: `issue` presents one for one cycle and says whether it was taken (if not,
 * present it again, or another one); what stack_cache_check refuses is not taken, and no time passes. Each one taken is answered once, in order, `latency` cycles later;
 * `answer` gives the answer that is out in the present cycle: fetch it before time goes on. */
unsigned stack_cache_latency(const struct stack_cache *s); /* from an operation taken to its answer */
struct stack_cache_answer {
  unsigned thread;
  enum stack_cache_kind kind;
  enum stack_cache_status status;
  bool has_value;
  uint32_t value[STACK_CACHE_MAX_WORDS];
};
bool stack_cache_can_go(const struct stack_cache *s, unsigned thread, enum stack_cache_kind kind); /* in this cycle */
bool stack_cache_issue(struct stack_cache *s, enum stack_cache_kind kind, unsigned thread, const uint32_t *value);
bool stack_cache_answer(const struct stack_cache *s, struct stack_cache_answer *answer);

void stack_cache_advance(struct stack_cache *s, uint64_t cycles); /* without an operation */
uint64_t stack_cache_cycle(const struct stack_cache *s);          /* since creation */

/* The register map (`simtgen describe stack_cache`): an access takes a few cycles. False: refused. */
bool stack_cache_read_register(struct stack_cache *s, uint32_t addr, uint32_t *data);
bool stack_cache_write_register(struct stack_cache *s, uint32_t addr, uint32_t data);

/* Counts since creation by name, in a fixed order: pushes, pops, spills, restores, drops, ... */
void stack_cache_stats(const struct stack_cache *s, void (*visit)(void *ctx, const char *name, uint64_t value),
                       void *ctx);

#ifdef __cplusplus
}
#endif
#endif
