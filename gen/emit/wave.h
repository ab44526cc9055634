/* SPDX-License-Identifier: Apache-2.0 */
/* wave.h: which cycles and ports of a recorded run a timing diagram shows. */
#ifndef SIMTGEN_WAVE_H
#define SIMTGEN_WAVE_H

#include "sim/record.h"

enum { WAVE_COLUMNS = 26, WAVE_ROWS = 13 };

struct wave_column { unsigned cycle, skipped; }; /* skipped: cycles without a change left out before this one */

struct wave {
  const struct record *r;
  struct wave_column col[WAVE_COLUMNS];
  const struct simt_port *row[WAVE_ROWS];
  unsigned cols, rows;
};

/* Chooses the part of the run in which the rarest things happen and the ports that take part, in the order of
 * the description. No rows: nothing happens at all. */
void wave_choose(struct wave *w, const struct record *r);
/* The port shows the same in both cycles. */
bool wave_same(const struct record *r, const struct simt_port *p, unsigned a, unsigned b);

#endif
