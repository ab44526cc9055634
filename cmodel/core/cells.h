/* SPDX-License-Identifier: Apache-2.0 */
/* cells.h: cycle-exact counterparts of the cells of rtl_templates/lib for a block's model (docs/cells.md).
 * Each is a plain struct that holds the cell's state and is part of the model's: look at its outputs first, then step it
 * once per cycle; clear it where the cell has its reset. Payloads stay in arrays of the model: a cell says which place. */
#ifndef SIMT_CELLS_H
#define SIMT_CELLS_H

#include <stdbool.h>
#include <stdint.h>

/* fifo_regs (latency 1), fifo_ram (latency 2), skid_buffer (2 words, latency 1). The word taken in a cycle belongs at
 * simt_fifo_place of that cycle; the one offered is at `head`. */
struct simt_fifo {
  uint32_t head, level; /* place of the oldest word, words held */
  bool fresh;           /* the last cycle took a word that a RAM does not show yet */
};
struct simt_fifo_kind { uint32_t words, latency; };

static inline bool simt_fifo_ready(const struct simt_fifo *f, struct simt_fifo_kind k) { return f->level < k.words; }
static inline bool simt_fifo_valid(const struct simt_fifo *f) { return f->level > f->fresh; }
static inline uint32_t simt_fifo_place(const struct simt_fifo *f, struct simt_fifo_kind k) {
  uint32_t at = f->head + f->level;
  return at < k.words ? at : at - k.words;
}
/* One cycle with in_valid_i and out_ready_i. */
static inline void simt_fifo_step(struct simt_fifo *f, struct simt_fifo_kind k, bool in_valid, bool out_ready) {
  bool put = in_valid && simt_fifo_ready(f, k), take = out_ready && simt_fifo_valid(f);
  if (take) f->head = f->head + 1 < k.words ? f->head + 1 : 0;
  f->level += (uint32_t)put - (uint32_t)take;
  f->fresh = put && k.latency > 1;
}

/* rr_arbiter. Clients are numbers, -1 none. */
enum { SIMT_RR_GROUPS = 8 };
struct simt_rr_arbiter {
  int8_t grant[2];                  /* chosen and on their way out, the newest first */
  int8_t last, last_in[SIMT_RR_GROUPS];   /* group (with one stage: client) chosen last; candidate of each group last found */
  int8_t candidate[SIMT_RR_GROUPS];
};
struct simt_rr_kind { unsigned clients, stages; };

void simt_rr_clear(struct simt_rr_arbiter *a);
/* The client granted in this cycle, or -1. */
static inline int simt_rr_grant(const struct simt_rr_arbiter *a, struct simt_rr_kind k) { return a->grant[k.stages == 3]; }
/* One cycle with req_i and enable_i. */
void simt_rr_step(struct simt_rr_arbiter *a, struct simt_rr_kind k, uint64_t req, bool enable);

/* free_list. `back` holds what came back, in an array of `entries` words of the model. */
struct simt_free_list { struct simt_fifo back; uint32_t fresh; uint16_t *entry; };

static inline bool simt_free_valid(const struct simt_free_list *f, uint32_t entries) {
  return f->fresh < entries || simt_fifo_valid(&f->back);
}
static inline uint32_t simt_free_entry(const struct simt_free_list *f, uint32_t entries) {
  return f->fresh < entries ? f->fresh : f->entry[f->back.head];
}
/* One cycle with out_ready_i, free_valid_i and free_entry_i. */
void simt_free_step(struct simt_free_list *f, uint32_t entries, bool out_ready, bool free_valid, uint32_t free_entry);

/* list_queues. The arrays are the model's: `queue` of one each, `next` of a word for each entry. */
struct simt_list_queue { uint16_t head, tail, count; };
struct simt_list_answer { bool valid; uint16_t entry; };
struct simt_list_queues {
  struct simt_list_queue *queue;
  uint16_t *next;
  struct simt_list_answer answer[3]; /* of removals, the newest first; the last is shown */
  uint64_t some[3][2];               /* queues that hold something, likewise; the last is nonempty_o */
  uint32_t clearing;                 /* cycles until in_ready_o */
};
void simt_lists_clear(struct simt_list_queues *l, uint32_t queues);
/* One cycle: in_queue and pop_queue are -1 without a request. */
void simt_lists_step(struct simt_list_queues *l, uint32_t queues, int in_queue, uint32_t in_entry, int pop_queue);

/* ref_counters. `count` is an array of the model, a word for each counter. */
struct simt_ref_request { bool up, down, clear; uint32_t up_index, down_index; };
struct simt_ref_answer { uint32_t up_count, down_index; bool zero, error; };
struct simt_ref_counters {
  uint16_t *count;
  struct simt_ref_answer answer[3]; /* the newest first; the last is shown */
  uint32_t clearing;                /* cycles until ready_o */
};
void simt_refs_clear(struct simt_ref_counters *r, uint32_t counters);
/* One cycle of counters that saturate at `most` (2^WIDTH - 1). */
void simt_refs_step(struct simt_ref_counters *r, uint32_t most, const struct simt_ref_request *request);

#endif
