/* SPDX-License-Identifier: Apache-2.0 */
/* units.h: the units under the front end in its environment: each is the models of the two cells (unit_status_fsm,
 * context_port) and a little state that says of itself whether it is whole. */
#ifndef FE_UNITS_H
#define FE_UNITS_H

#include "core/context_port.h"
#include "core/unit_status.h"

enum fe_mode { FE_IDLE, FE_RUN, FE_BLOCKED, FE_GATHER, FE_MODES };
enum { FE_WORDS = 9, FE_TYPE = 77, FE_HASH = 0x600df00d };

/* What a unit computes; its context is derived from it, so a context that mixes two of them is found. */
struct fe_state { uint32_t job, count; enum fe_mode mode; };

enum fe_event { /* of one cycle, as bits */
  FE_SAVED = 1, FE_LOADED = 2, FE_ABORTED = 4, FE_CLEARED = 8, FE_RESUMED = 16, FE_NACKED = 32
};

struct fe_unit {
  unsigned number, len, encoding;
  struct fe_state s;
  struct simt_unit_status status;
  struct simt_context_port port;
  unsigned clearing, mem;          /* cycles until cleared; until memory answers */
  unsigned moved;                  /* words of the context moved */
  uint32_t load[FE_WORDS];
  bool load_bad;
};

struct fe_unit_in { bool halt, reset, resume, cmd_valid, cmd_load, out_ready, in_valid, in_last; uint32_t in_data, in_error; };
struct fe_unit_out {
  uint32_t state, data;
  bool progress, waiting, gather, nack, cmd_ready, done, out_valid, out_last, in_ready;
  unsigned error;
};

void fe_unit_reset(struct fe_unit *u); /* as rst_i; number and encoding stay */
struct fe_unit_out fe_unit_outputs(const struct fe_unit *u);
/* One cycle; `dice` decides what the unit does if it may. Bits of enum fe_event. */
unsigned fe_unit_step(struct fe_unit *u, const struct fe_unit_in *in, uint32_t dice);

#endif
