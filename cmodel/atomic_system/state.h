/* SPDX-License-Identifier: Apache-2.0 */
/* state.h: what the model of an atomic_system holds. */
#ifndef ATOMIC_SYSTEM_STATE_H
#define ATOMIC_SYSTEM_STATE_H

#include "atomic_system/parts.h"
#include "core/cells.h"
#include "core/parts.h"
#include "core/unit_shell.h"

enum { FETCH, HOME, RELEASE, CHANNELS, MAX_FIELDS = 5, MAX_WORDS = 24, MAX_GIVEN = 32 };
enum { OUT_OF_CACHE, INTO_CACHE };

/* A port of a cache and the home's, at that cache's place. */
struct field { unsigned cache_word, home_word, width, words; };
struct as_channel { struct field valid, ready, field[MAX_FIELDS]; unsigned n, direction; };
struct as_stage { struct simt_fifo fifo; uint32_t word[2][MAX_WORDS]; };

/* What a cache offers outside with a valid: it is 0 where that is. */
struct given { unsigned valid, from, to, width; };

/* All of them as a unit of a front end (AM-17); words of ports, of a cache and of the home. */
struct as_unit {
  unsigned status;
  const struct simt_desc *desc;
  struct { unsigned rst, halt, served, req_valid, req_ready, ans_valid, ans_ready, state, idle, progress, count, line, unasked; } cache;
  struct { unsigned rst, idle, count[AS_RECORD_CACHE], line[AS_RECORD_CACHE]; struct simt_mem_ports mem; } home;
  struct simt_walk_shape shape; /* of a context */
  unsigned line_aw;
  struct simt_mem_ports mem;
  unsigned req_ready, ans_valid, idle;
  struct as_unit_state {
    struct simt_unit_shell shell;
    bool seen, served, can_halt, wipes; /* the caches have the halt request; may halt, and have; the home is still to be reset */
    unsigned due;                       /* accesses to memory that are not answered */
    struct simt_walk walk;              /* the word of the context that moves next */
    struct as_record { uint32_t first; uint64_t line; } record; /* of a save as it was read, of a load as it comes */
    bool nack;                          /* of a load */
  } s;
};

struct as_model {
  const struct simt_config *cfg;
  unsigned caches, stages;
  struct simt_config *part; /* the caches, then the home */
  struct simt_parts *parts;
  struct as_channel channel[CHANNELS];
  struct given given[MAX_GIVEN];
  unsigned n_given, rst;
  struct as_unit unit;
  struct as_stage *stage; /* per cache and channel, from the source on */
  size_t stage_bytes;
};

/* status.c. Begin: behind simt_parts_look, before anything moves; it holds back what the parts are not to see. End: behind
 * simt_parts_go; a record of a load goes into its part. What is between caches and home is cleared at the end if `resets`. */
struct as_unit_now {
  struct simt_unit_signals signals;
  struct simt_shell_says says;
  struct as_unit_state next; /* but the shell */
  bool resets, settles;      /* settles: whose turn it is at the home begins anew */
  int put;                   /* the record of the context that `next` holds is in the parts, or -1 */
};
void as_unit_find(struct as_model *m, const struct simt_config *whole);
void as_unit_reset(struct as_model *m);
struct as_unit_now as_unit_begin(struct as_model *m, const uint32_t *in);
void as_unit_end(struct as_model *m, struct as_unit_now *now, const uint32_t *in);
bool as_unit_still(const struct as_model *m); /* nothing moves: no answer is shown */
void as_unit_outputs(const struct as_model *m, uint32_t *out);

#endif
