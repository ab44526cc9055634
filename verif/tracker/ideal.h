/* SPDX-License-Identifier: Apache-2.0 */
/* ideal.h: what the tracker is compared with: the same queues, release rules (TR-9 to TR-12) and pool without the limits
 * of its ports and pipeline. Every head sees its data in the cycle of the fill, any number are checked and popped per
 * cycle, each output gives one wavefront per cycle, the oldest head first. With mode 1 it is a plain FIFO. */
#ifndef TRACKER_IDEAL_H
#define TRACKER_IDEAL_H

#include "tracker/front.h"

struct tki_options {
  unsigned mode, split, group; /* TR-2, TR-10 */
  unsigned queues, state_q, fast_q;
  unsigned fill_to_out;        /* cycles from the last fill to the output, at least 1 */
  unsigned fast_to_out;        /* cycles from fast_in to fast_out, at least 1 */
  bool free_list;              /* TR-5: storage is reclaimed out of order */
  bool lg_by_wavefront;        /* LG_RELEASE=wavefront */
  bool by_wavefront;           /* every class, one by one: no instruction is kept together */
};

struct tki;
struct tki *tki_create(const struct tkf_sizes *s, const struct tki_options *o, struct simt_diag *diag);
void tki_destroy(struct tki *t);
struct tkf_unit tki_unit(struct tki *t);
uint64_t tki_full_cycles(const struct tki *t); /* cycles in which the pool was full */

#endif
