/* SPDX-License-Identifier: Apache-2.0 */
/* checker.h: whether one serial order explains a run of any number of caches. It is told what happened: requests
 * accepted and answered, and, as a witness, when each took its place in the order; it trusts nothing else, and shares
 * no code with the model. Every value is computed again on a memory of its own. Each call gives NULL, or one line that
 * says what is wrong; after that the object may only be freed or cleared. */
#ifndef ATOMIC_MERGE_CHECKER_H
#define ATOMIC_MERGE_CHECKER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct amc_request { unsigned op, size, mode, tid; uint64_t addr, data, compare; }; /* codes of the request ports */
struct amc_rules { unsigned caches, line_bytes, tid_w, temps; bool wide; uint32_t built; /* a bit per operation code */ bool big_endian;
                   uint32_t keep; /* operations whose values in a batch are those of one after the other */ };
struct amc_seen { /* about the request of the last perform or answer */
  struct amc_request request;
  uint64_t accepted;  /* events before its acceptance */
  bool joined;
};
struct am_checker;

struct am_checker *amc_create(const struct amc_rules *rules); /* memory is all zero; NULL: no room */
void amc_free(struct am_checker *c);
void amc_clear(struct am_checker *c);            /* no request is open; memory stays */
void amc_zero(struct am_checker *c);             /* the same, and memory is all zero */
uint64_t amc_now(const struct am_checker *c);    /* events so far */
const char *amc_accept(struct am_checker *c, unsigned cache, const struct amc_request *r);
/* A request takes its place alone; or joins a batch, all of which takes its place at its merge, or is lost. */
const char *amc_perform(struct am_checker *c, unsigned cache, unsigned tid, struct amc_seen *seen);
const char *amc_join(struct am_checker *c, unsigned cache, unsigned tid, unsigned temp, struct amc_seen *seen);
const char *amc_merge(struct am_checker *c, unsigned cache, unsigned temp, uint64_t *line, unsigned *requests);
const char *amc_drop(struct am_checker *c, unsigned cache, unsigned temp, unsigned *relaxed);
/* A fetch of the line by this cache failed: requests accepted before may be answered with status 2. */
void amc_failed(struct am_checker *c, unsigned cache, uint64_t line);
const char *amc_answer(struct am_checker *c, unsigned cache, unsigned tid, unsigned status, uint64_t data, struct amc_seen *seen);
uint8_t *amc_line(struct am_checker *c, uint64_t line); /* its bytes; writing them is a store by somebody else */
const char *amc_end(struct am_checker *c);       /* every request was answered, every batch merged */

#endif
