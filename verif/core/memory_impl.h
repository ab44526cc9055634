/* SPDX-License-Identifier: Apache-2.0 */
/* memory_impl.h: the inside of the memory model; for memory.c and axi4_memory.c only. */
#ifndef SIMT_MEMORY_IMPL_H
#define SIMT_MEMORY_IMPL_H

#include "core/memory.h"

enum { PAGE_BYTES = 1024 };

struct page { uint64_t number; uint8_t bytes[PAGE_BYTES]; };

struct memory_request {
  struct simt_memory_event what;
  uint64_t due; /* fixed mode: the cycle of the answer */
  bool done;    /* the access has happened */
  bool sent;    /* on a bus: so is its response */
  unsigned id, beats; /* on a bus: of the burst; beats sent of a read */
};

/* Where the ports are in the word buffers. */
struct memory_places {
  unsigned req_valid, write, tag, addr, data, strb, rsp_ready;       /* outputs of the block */
  unsigned rst, req_ready, rsp_valid, rsp_tag, rsp_data, rsp_error;  /* inputs of the block */
  unsigned tag_words, addr_words, data_words, strb_words, tag_w, data_w;
};

struct simt_memory {
  struct memory_places at;
  size_t bytes; /* of a data word */
  unsigned latency;
  uint64_t cycle;

  struct page **pages;     /* open addressing; a power of two of places */
  size_t n_pages, n_slots; /* pages in use */
  struct page **spare;     /* all pages ever made; the first n_pages are in use */
  size_t n_spare;

  struct memory_request *request; /* by slot */
  uint8_t *data, *strb;    /* by slot: write data and strobes, later read data */
  unsigned *order; /* ring of slots under way, oldest first; the rest of the ring: free slots */
  unsigned head, n, capacity;
  uint8_t *tag_used;       /* a bit per tag, when tags are narrow enough */

  bool offered,
      stalled; /* order[head] is offered as an answer; a request was offered and not taken */
  bool at_once;            /* the access of a request taken in this cycle happens in this cycle */
  uint32_t *held;          /* that request: write, tag, address, strobes, data */
  struct simt_memory_event taken, answered;
  bool has_taken, has_answered;
  struct simt_memory_counts counts;
  struct simt_axi *axi;    /* the bus that it plays instead of the plain port, or NULL */
  char message[160];
};

/* Bits of a choice word. */
enum {
  READY = 1,
  ANSWER = 2,
  AT_ONCE = 4,
  TOUCH = 8
}; /* 4..5: error; 8..23, 24..39: picks; rest: junk */

/* The i-th access under way, the oldest first; behind them the free slots. */
static inline unsigned *simt_memory_nth(struct simt_memory *m, unsigned i) { /* capacity is a power of two */
  return &m->order[(m->head + i) & (m->capacity - 1)];
}
void simt_memory_access(struct simt_memory *m, unsigned slot); /* unless it has happened */

/* axi4_memory.c: an AXI4 slave in place of the plain port, when the configuration has a link (wrapped.h). */
bool simt_axi_there(const struct simt_config *cfg, const char *port); /* a bus stands at this memory port */
struct simt_axi *simt_axi_create(const struct simt_config *cfg, const char *port); /* NULL on lack of memory */
void simt_axi_destroy(struct simt_axi *a);
void simt_axi_reset(struct simt_axi *a);
void simt_axi_drive(struct simt_memory *m, uint64_t choice);
/* The handshakes of this cycle, before the plain port is looked at. NULL, or what is wrong. */
const char *simt_axi_observe(struct simt_memory *m);
/* The block's request in `slot` was taken in this cycle: it must be the burst that the bus has just taken. */
const char *simt_axi_request(struct simt_memory *m, unsigned slot, const uint32_t *out);
/* The block takes an answer in this cycle: it must be one that the bus has sent. Brings its slot to the head. */
const char *simt_axi_answer(struct simt_memory *m, const uint32_t *in);
/* After both: a burst that is none of the block's requests. */
const char *simt_axi_end(struct simt_memory *m);

#endif
