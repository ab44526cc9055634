/* SPDX-License-Identifier: Apache-2.0 */
/* model.h: the cycle model of branch_unit (docs/branch_unit_design.md); operations as in simt_model_ops. */
#ifndef BU_MODEL_H
#define BU_MODEL_H

#include "branch_unit/layout.h"
#include "core/context_port.h"
#include "core/image.h"
#include "core/unit_status.h"

void *bu_create(const struct simt_config *cfg, struct simt_diag *diag);
void bu_destroy(void *model);
void bu_reset(void *model);
void bu_outputs(const void *model, uint32_t *out);
void bu_step(void *model, const uint32_t *in);
void bu_parts(void *model, struct simt_image *image);
void bu_stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx);

/* Of a group without an instruction under way: launched, not finished and not stopped by an error; its next instruction
 * is the one whose pop-sync has popped, which does not pop again. */
bool bu_live(const void *model, unsigned group);
bool bu_synced(const void *model, unsigned group);

/* ---- for a block that contains the unit and another one behind it ------------------------------------------ */

/* What the unit behind says in a cycle: it halts with this one, and its context follows in the stream. */
struct bu_tail {
  bool halted, active;      /* storable; at work */
  bool mem, mem_done, blocked, moves;
  bool nack, nacked;        /* an access is refused, with mem_done; one was: its sticky bit */
  uint32_t len;             /* words that a save of it has; constant from the command on */
  bool sav_valid, sav_last;
  uint32_t sav_data;
  bool ld_ready, bad;       /* bad: with its last word */
  bool whole;               /* with abort: a reset ended a load that it has committed already */
};
/* What it is told, by the registers of this unit. */
struct bu_tail_view {
  bool save, load, abort, done; /* a save or load is under way; the load has failed; either has ended */
  bool ld_valid, ld_last;       /* a word of a load is offered to it */
  bool ld_refused;              /* the load will be refused: a word of this unit's own is wrong */
  uint32_t ld_data, ld_len;     /* ld_len: words of it that the load has */
  bool takes_command;           /* ctx_cmd_ready_o */
};

extern const struct bu_tail bu_no_tail;
/* Once after create, before the first reset: type, hash and longest context are those of the whole. */
void bu_set_tail(void *model, uint32_t unit_type, uint32_t cfg_hash, uint32_t ctx_max);
struct bu_tail_view bu_view_tail(const void *model, bool tail_halted);
bool bu_takes_tail(const void *model, const uint32_t *in, const struct bu_tail *tail); /* a word that is saved */
void bu_outputs_tail(const void *model, const struct bu_tail *tail, uint32_t *out);
void bu_step_tail(void *model, const uint32_t *in, const struct bu_tail *tail);

#endif
