/* SPDX-License-Identifier: Apache-2.0 */
/* memory.h: the memory behind the ports of simt_add_mem_port, for every block's environment.
 *
 * Per cycle: simt_memory_drive in the environment's drive, simt_memory_observe in its observe.
 * Bytes never written read as junk that depends on their address only. A cycle with rst_i drops
 * what is under way.
 *
 * Fixed mode: always ready, one request per cycle, each answered exactly `latency` cycles after
 * the cycle that took it, in order (later only while the block does not take answers). Random
 * mode: everything follows a choice word per cycle; the access itself happens at a random time
 * between taking and answering.
 */
#ifndef SIMT_MEMORY_H
#define SIMT_MEMORY_H

#include "core/verif.h"

struct simt_memory;

/* Needs a resolved configuration with the memory ports. Starts in random mode. NULL and diag
 * without memory. */
struct simt_memory *simt_memory_create(const struct simt_config *cfg, struct simt_diag *diag);
/* The memory at one of several ports; `port` is its name (simt_add_named_mem_port). */
struct simt_memory *simt_memory_create_at(const struct simt_config *cfg, const char *port, struct simt_diag *diag);
void simt_memory_destroy(struct simt_memory *m);
void simt_memory_restart(struct simt_memory *m); /* empty contents, nothing under way, counts 0 */
void simt_memory_fixed(struct simt_memory *m, unsigned latency); /* at least 1; 0: random mode */

/* A choice word for random mode; any word is legal, so that records can be shrunk. Chances in 1/256
 * (256 = always), errors in 1/65536 per answer. */
struct simt_memory_rates {
  unsigned ready, answer;
  unsigned early; /* the access happens before the answer */
  unsigned error;
};
uint64_t simt_memory_choose(struct simt_rng *rng, const struct simt_memory_rates *rates);
/* The word for given decisions: ready, and the `pick`-th access under way (0: the oldest, modulo
 * their number) is answered with `error` when none is offered yet. For directed tests. */
uint64_t simt_memory_word(bool ready, bool answer, unsigned pick, unsigned error);

/* Sets the memory's inputs of the block for this cycle. `out` is not read: nothing here depends
 * on it. */
void simt_memory_drive(struct simt_memory *m, uint64_t choice, uint32_t *in);
/* The clock edge: takes requests and answers. NULL, or what the block did wrong: a tag used
 * again while under way, an offered request changed or withdrawn, an unaligned address. */
const char *simt_memory_observe(struct simt_memory *m, const uint32_t *in, const uint32_t *out);

struct simt_memory_event { uint64_t tag, addr; bool write; unsigned error; };
/* What the last observe took: a request (error 0), an answer; NULL when none. */
const struct simt_memory_event *simt_memory_taken(const struct simt_memory *m);
const struct simt_memory_event *simt_memory_answered(const struct simt_memory *m);

struct simt_memory_counts { uint64_t reads, writes, errors; unsigned under_way; };
/* Answers taken so far, and the requests under way now. */
struct simt_memory_counts simt_memory_counts(const struct simt_memory *m);

/* Direct access to the contents, for golden models and tests. */
void simt_memory_peek(struct simt_memory *m, uint64_t addr, void *to, size_t n);
void simt_memory_poke(struct simt_memory *m, uint64_t addr, const void *from, size_t n);

#endif
