/* SPDX-License-Identifier: Apache-2.0 */
/* const_cache.h: constants in several versions for simulators: the command stream, the SMs' reads and completions, with
 * the cycles they take.
 *
 * Underneath runs the cycle-exact model, against a memory that you give as callbacks (struct simt_remote). Every call lets
 * time go on by the cycles that it says; between calls no time passes. An object belongs to one thread of the program at a
 * time; different objects are independent.
 *
 *   struct const_cache *c = const_cache_create(params, &memory, &diag);
 *   const_cache_write(c, 7, 0x55d0);            // a new version of constant 7
 *   const_cache_dispatch(c, 1, &sm);            // work item 1 goes to SM sm, which reads that version from now on
 *   const_cache_write(c, 7, 0x1234);            // goes on while the SM works
 *   const_cache_read(c, sm, 7, &value);         // 0x55d0
 *   const_cache_complete(c, sm);
 *   const_cache_destroy(c);
 */
#ifndef CONST_CACHE_H
#define CONST_CACHE_H

#include "simt.h"

#ifdef __cplusplus
extern "C" {
#endif

enum const_cache_status {
  CONST_CACHE_OK,
  CONST_CACHE_REFUSED, /* an address or SM out of range, an address of a write that is not a multiple of WRITE_WORDS, or an SM without work; nothing was done, no time has passed */
  CONST_CACHE_ERROR,   /* memory failed on the read; there is no value */
  CONST_CACHE_BUSY,    /* a command before this one still waits; this one is not in the stream */
  CONST_CACHE_WAITS,   /* the command is in the stream and takes effect later: it waits for active SMs or for memory */
  CONST_CACHE_RANGE    /* a value or the number of a work item with bits above WORD_W; nothing was done, no time has passed */
};
struct const_cache_result {
  enum const_cache_status status;
  uint64_t cycles; /* by which time has gone on */
};

struct const_cache; /* one block with its memory */

/* Parameters as "NAME=VALUE", each at most once, ended by NULL (NULL: all defaults); see `simtgen describe const_cache`.
 * Those that put a bus in front of the block are refused: memory and registers are calls here. The memory's struct is
 * copied. Returns when the block takes commands, at cycle 0. NULL and diag when something is wrong. */
struct const_cache *const_cache_create(const char *const *params, const struct simt_remote *memory, struct simt_diag *diag);
void const_cache_destroy(struct const_cache *c);

/* How long a call waits for what may need an SM to complete, in cycles; at first 100,000. Behind it BUSY or WAITS. */
void const_cache_set_patience(struct const_cache *c, uint64_t cycles);

/* ---- the stream, in order: what a work item reads is as of its place ------------------------------------ */

/* A constant write: one cycle when the stream moves. Refused with WRITE_WORDS above 1. */
struct const_cache_result const_cache_write(struct const_cache *c, uint32_t addr, uint64_t value);
/* WRITE_WORDS constants from `addr` on, a multiple of WRITE_WORDS. */
struct const_cache_result const_cache_write_words(struct const_cache *c, uint32_t addr, const uint64_t *values);
/* A work item, until it is given to an SM. WAITS when all SMs stay active: const_cache_given tells when it is given. An SM
 * whose item has not been told of takes neither reads nor its completion. */
struct const_cache_result const_cache_dispatch(struct const_cache *c, uint64_t item, unsigned *sm);
/* The same without waiting; OK: it is in the stream. */
struct const_cache_result const_cache_send(struct const_cache *c, uint64_t item);
/* The next work item that was given to an SM and not yet told of; false: none. */
bool const_cache_given(struct const_cache *c, unsigned *sm, uint64_t *item);
/* Memory is brought to the current version; `invalidate` then empties the caches. Until it is complete; both wait until no
 * SM is active. */
struct const_cache_result const_cache_flush(struct const_cache *c);
struct const_cache_result const_cache_invalidate(struct const_cache *c);

/* ---- the SMs ------------------------------------------------------------------------------------------- */

/* A read from its request to its answer; refused while a read of the SM by const_cache_request is not answered. */
struct const_cache_result const_cache_read(struct const_cache *c, unsigned sm, uint32_t addr, uint64_t *value);
/* The SM's work item is done; refused while reads of it are unanswered. */
struct const_cache_result const_cache_complete(struct const_cache *c, unsigned sm);

/* Pipelined use, a read per cycle of every SM: `request` offers one for the present cycle, withdrawn behind it, and says
 * whether it is taken; each one taken is answered once, in order. `answer` gives the one that is out in the present
 * cycle: fetch it before time goes on with const_cache_advance. */
bool const_cache_request(struct const_cache *c, unsigned sm, uint32_t addr);
bool const_cache_answer(const struct const_cache *c, unsigned sm, uint64_t *value, bool *error);

void const_cache_advance(struct const_cache *c, uint64_t cycles);
uint64_t const_cache_cycle(const struct const_cache *c); /* since creation */

/* The register map (`simtgen describe const_cache`): an access takes a few cycles. False: refused. */
bool const_cache_read_register(struct const_cache *c, uint32_t addr, uint32_t *data);
bool const_cache_write_register(struct const_cache *c, uint32_t addr, uint32_t data);

/* Counts since creation by name, in a fixed order. */
void const_cache_stats(const struct const_cache *c, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx);

#ifdef __cplusplus
}
#endif
#endif
