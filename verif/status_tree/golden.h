/* SPDX-License-Identifier: Apache-2.0 */
/* golden.h: what a status_tree means: who is in which connection, by name, and what must arrive when. */
#ifndef TREE_GOLDEN_H
#define TREE_GOLDEN_H

#include "core/simt.h"

enum { TREE_UNITS = 1024, TREE_FLAGS = 4, TREE_KINDS = 3, TREE_FRAMES = 10 };

/* One cycle as the units and the front end show it, a unit or a connection per element. */
struct tree_frame {
  uint8_t code[TREE_UNITS], flags[TREE_UNITS];  /* flags: bit 0 progress, waiting, gather, nack */
  uint8_t command[TREE_UNITS];                  /* bit 0 halt, reset, resume; by command connection */
};

struct tree_golden {
  unsigned units, conns, stages, state_w, commands;
  unsigned conn_of[TREE_UNITS], command_of[TREE_UNITS], members[TREE_UNITS];
  uint8_t word[5];                       /* code words: empty, active, stalled, quiescent, halted */
  uint8_t state_of[256];                 /* the place of a word in there, or 5 */
  struct tree_frame past[TREE_FRAMES];   /* by cycle modulo TREE_FRAMES */
  uint64_t cycle;
  struct tree_frame seen;                /* what has arrived in this cycle: codes and flags by connection */
  char message[160];
};

/* From the configuration, by the words of US-6 and US-8, without the model's topology. */
void tree_golden_make(struct tree_golden *g, const struct simt_config *cfg);
void tree_golden_reset(struct tree_golden *g);
/* 0..4, or 5: no code word. */
static inline unsigned tree_state(const struct tree_golden *g, unsigned code) { return g->state_of[code]; }
/* This cycle: what the units show and the front end commands; what the block gives: reports in g->seen, commands by
 * unit. NULL, or what is wrong. */
const char *tree_golden_cycle(struct tree_golden *g, const struct tree_frame *now, const uint8_t *unit_command, bool rst);

#endif
