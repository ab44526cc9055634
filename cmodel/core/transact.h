/* SPDX-License-Identifier: Apache-2.0 */
/* transact.h: what the transaction levels of the blocks share: a cycle model with its buffers, the remote memory
 * behind its memory port, if it has one, and accesses to its registers, if it has any. Not installed. */
#ifndef SIMT_TRANSACT_H
#define SIMT_TRANSACT_H

#include "core/ports.h"

/* Whether a value fits a port of `width` bits; whether words do, of which the first `words` are looked at. */
static inline bool simt_fits(uint64_t value, unsigned width) { return width >= 64 || !(value >> width); }
static inline bool simt_words_fit(const uint32_t *value, unsigned words, unsigned width) {
  for (unsigned i = 0; i < words; i++)
    if (!simt_fits(value[i], width > 32 * i ? width - 32 * i : 0)) return false;
  return true;
}

/* What is under way and when it is due; the earliest first, those of one cycle in the order of their numbers. The owner
 * gives the heap room for all that may be under way together. */
struct simt_access { uint64_t due, number, addr; uint32_t tag; bool write; unsigned error; };
struct simt_agenda { struct simt_access *heap; size_t n; };
void simt_agenda_add(struct simt_agenda *a, struct simt_access access);
bool simt_agenda_due(const struct simt_agenda *a, uint64_t cycle);
struct simt_access simt_agenda_take(struct simt_agenda *a);

struct simt_transact {
  struct simt_config cfg;
  const struct simt_model_ops *ops;
  void *model;
  uint32_t *in, *out; /* out: of the present cycle */
  uint64_t cycle;     /* since it was ready */
  struct simt_remote memory;
  struct simt_mem_ports at;
  struct simt_reg_ports reg;
  unsigned word_bytes, addr_w, reg_addr_w; /* word_bytes, reg_addr_w: 0 without such a port */
  uint8_t *word;            /* one that is written in part */
  struct simt_agenda under_way;
  uint64_t accesses;
  bool offered;             /* an answer that the block has not taken yet */
  /* Of the block's level, or NULL: what it does in every cycle, those of register accesses too; `drive` sets inputs by the
   * outputs of the present cycle, `look` sees the outputs of the next. */
  void (*drive)(void *level), (*look)(void *level);
  void *level;
};

/* A block with a plain memory port or none, and a plain register port or none; parameters as "NAME=VALUE", each at most once, ended by
 * NULL. The memory's struct is copied; NULL for a block without the port. False and diag when something is wrong; close it all the same. */
bool simt_transact_open(struct simt_transact *t, const struct simt_block *block, const char *const *params,
                        const struct simt_remote *memory, struct simt_diag *diag);
void simt_transact_close(struct simt_transact *t);

/* One cycle with the inputs as they are: memory served, outputs of the next cycle in `out`. */
void simt_transact_tick(struct simt_transact *t);

/* One access; false: refused. */
bool simt_transact_read(struct simt_transact *t, uint32_t addr, uint32_t *data);
bool simt_transact_write(struct simt_transact *t, uint32_t addr, uint32_t data);

#endif
