/* SPDX-License-Identifier: Apache-2.0 */
/* transact.h: what the transaction levels of the blocks share: a cycle model with its buffers, the remote memory
 * behind its memory port, and accesses to its registers. Not installed. */
#ifndef SIMT_TRANSACT_H
#define SIMT_TRANSACT_H

#include "core/ports.h"

struct simt_access;
struct simt_transact {
  struct simt_config cfg;
  const struct simt_model_ops *ops;
  void *model;
  uint32_t *in, *out; /* out: of the present cycle */
  uint64_t cycle;     /* since it was ready */
  struct simt_remote memory;
  struct simt_mem_ports at;
  struct simt_reg_ports reg;
  unsigned word_bytes, addr_w, reg_addr_w;
  uint8_t *word;            /* one that is written in part */
  struct simt_access *heap; /* under way, the earliest answer on top; room for every tag */
  size_t n;
  uint64_t accesses;
  bool offered;             /* an answer that the block has not taken yet */
  /* Of the block's level, or NULL: what it does in every cycle, those of register accesses too; `drive` sets inputs by the
   * outputs of the present cycle, `look` sees the outputs of the next. */
  void (*drive)(void *level), (*look)(void *level);
  void *level;
};

/* A block with a plain memory port and a plain register port; parameters as "NAME=VALUE", each at most once, ended by
 * NULL. The memory's struct is copied. False and diag when something is wrong; close it all the same. */
bool simt_transact_open(struct simt_transact *t, const struct simt_block *block, const char *const *params,
                        const struct simt_remote *memory, struct simt_diag *diag);
void simt_transact_close(struct simt_transact *t);

/* One cycle with the inputs as they are: memory served, outputs of the next cycle in `out`. */
void simt_transact_tick(struct simt_transact *t);

/* One access; false: refused. */
bool simt_transact_read(struct simt_transact *t, uint32_t addr, uint32_t *data);
bool simt_transact_write(struct simt_transact *t, uint32_t addr, uint32_t data);

#endif
