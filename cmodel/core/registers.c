/* SPDX-License-Identifier: Apache-2.0 */
/* registers.c: rules of registers in a description, and the register port of a model (registers.h). */
#include "core/registers.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned simt_port_word(const struct simt_config *cfg, const char *name) {
  const struct simt_port *p = simt_find_port(cfg, name);
  if (p) return p->word;
  fprintf(stderr, "simtgen: %s: its description has no port %s, but its model or environment uses it\n", cfg->block->name, name);
  abort();
}

/* ---- description ------------------------------------------------------------------------------------------- */

static struct simt_reg *newest(struct simt_desc *d) { return &d->regs[d->n_regs - 1]; }

void simt_reg_range(struct simt_desc *d, uint32_t least, uint32_t most) {
  newest(d)->least = least;
  newest(d)->most = most;
}

void simt_reg_zero_bits(struct simt_desc *d, uint32_t mask) {
  newest(d)->zero_bits = mask;
  newest(d)->most &= ~mask;
}

void simt_reg_acting_bits(struct simt_desc *d, uint32_t mask) { newest(d)->acting_bits = mask; }

void simt_reg_clips(struct simt_desc *d, uint32_t most) {
  newest(d)->rule = SIMT_REG_CLIPS;
  newest(d)->most = most;
}

void simt_reg_clears(struct simt_desc *d) { newest(d)->rule = SIMT_REG_CLEARS; }

void simt_reg_moves(struct simt_desc *d) { newest(d)->moves = true; }

/* What is true of a register whose access is known and of which no more is said. */
void simt_reg_default(struct simt_reg *r) {
  r->most = simt_ones(r->width);
  if (!strcmp(r->access, "w1c")) r->rule = SIMT_REG_CLEARS;
}

/* ---- model ------------------------------------------------------------------------------------------------- */

const struct simt_reg *simt_reg_at(const struct simt_desc *d, uint32_t addr) {
  for (size_t i = 0; i < d->n_regs; i++)
    if (d->regs[i].addr == addr) return &d->regs[i];
  return NULL;
}

bool simt_reg_reads(const struct simt_reg *r) { return r && strcmp(r->access, "wo"); }

bool simt_reg_takes(const struct simt_reg *r, uint32_t value) {
  if (!r || !strcmp(r->access, "ro")) return false;
  return r->rule != SIMT_REG_VALUES || (value >= r->least && value <= r->most && !(value & r->zero_bits));
}

uint32_t simt_reg_holds(const struct simt_reg *r, uint32_t value) {
  if (r->rule == SIMT_REG_CLIPS && value > r->most) return r->most;
  return r->rule == SIMT_REG_CLEARS ? 0 : value & ~r->acting_bits;
}

const struct simt_reg *simt_reg_now(const struct simt_reg_access *a, const struct simt_desc *d) {
  const struct simt_reg *r = a->busy ? simt_reg_at(d, a->addr) : NULL;
  return (a->write ? simt_reg_takes(r, a->data) : simt_reg_reads(r)) ? r : NULL;
}

void simt_reg_answer(struct simt_reg_access *a, bool good, uint32_t data) {
  a->busy = false;
  a->rsp_valid = true;
  a->rsp_error = !good;
  a->rsp_data = good && !a->write ? data : 0;
}
