/* SPDX-License-Identifier: Apache-2.0 */
/* layout.h: the numbers that the description, the model and the environment of tracker share. */
#ifndef TRACKER_LAYOUT_H
#define TRACKER_LAYOUT_H

#include "core/simt.h"

enum trk_kind { TRK_WAVE, TRK_STATE, TRK_TOKEN, TRK_CLOSE, TRK_KINDS };
enum trk_class { TRK_LG, TRK_TEX, TRK_RAY, TRK_CLASSES };
/* Codes at err_in_o and err_alloc_o; the lowest that applies is told. */
enum trk_refusal { TRK_FINE, TRK_BAD_CLASS, TRK_BAD_WARP, TRK_TORN, TRK_BAD_DSLOT, TRK_NO_SECTOR, TRK_TOKEN_WAITS };
enum trk_alloc_refusal { TRK_ALLOC_FINE, TRK_ALLOC_BAD_DSLOT, TRK_ALLOC_REFERENCES, TRK_ALLOC_TOKEN };

enum trk_register {
  TRK_REG_ID = 0x00, TRK_REG_MODE = 0x04, TRK_REG_SPLIT = 0x08, TRK_REG_GROUP = 0x0c, TRK_REG_STATUS = 0x10,
  TRK_REG_USED = 0x14, TRK_REG_HIGH = 0x18, TRK_REG_COUNTERS = 0x80, TRK_REG_ADDR_W = 8
};
enum trk_counter {
  TRK_N_LG, TRK_N_TEX, TRK_N_RAY, TRK_N_STATE, TRK_N_TOKEN, TRK_N_CLOSE, TRK_N_FAST, TRK_N_ALLOC, TRK_N_CHECK, TRK_N_POP,
  TRK_N_FULL, TRK_N_FULL_EARLY, TRK_N_EARLY, TRK_N_EARLY_CYCLES, TRK_N_PARK_FAST, TRK_N_PARK_STATE, TRK_N_WAIT_GROUP,
  TRK_N_WAIT_FAST, TRK_N_WAIT_STATE, TRK_N_WAIT_MODE, TRK_N_ALLOC_REFUSED, TRK_N_REFUSED, TRK_N_WASTED, TRK_N_AGES_FULL, TRK_COUNTERS
};
enum { TRK_UNIT_TYPE = 0x5452, TRK_CTX_REGS = 5, TRK_CTX_FORM = 2 /* of a context, in CFG_HASH */, TRK_HALT_OWN = 16, TRK_HALT_FILLS = 8 }; /* HALT_FILLS: from the last fill outstanding to halted */
enum { TRK_ID = 0x54520001, TRK_MAX_QUEUES = 128, TRK_MAX_BANKS = 8, TRK_MAX_PAYLOAD = 16, TRK_MAX_GROUPS = 8, TRK_MAX_POPS = 4 };

/* Parameters and derived values of one configuration, by field. */
struct trk_layout {
  unsigned queues, entries, banks, dslots, sectors, warps, payload_w, commit_fifo, state_q, fast_q, flush_q, ref_w, commits, pops;
  bool by_wavefront; /* LG_RELEASE */
  bool fast_guard;
  bool per_queue;    /* INTERLOCK */
  bool free_list;    /* ALLOC */
  unsigned status;   /* 0 none, else the encoding + 1 */
  unsigned queue_w, ptr_w, dslot_w, bank_w, sector_w, warp_w, payload_words, dslot_words; /* dslot_words: of a data slot for each bank */
  unsigned slot_words, body_words, items, ctx_max; /* of a context */
  uint32_t cfg_hash;
  unsigned group_max, group_reset, groups, clear, ages, age_w;
};

/* From the parameter values in the order of the description's table. */
void trk_layout(const uint64_t *value, struct trk_layout *l);

extern const struct simt_note trk_notes[];
struct trk_counter_name { const char *name, *doc; };
extern const struct trk_counter_name trk_counter_names[TRK_COUNTERS];

#endif
