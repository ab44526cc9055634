/* SPDX-License-Identifier: Apache-2.0 */
/* front_impl.h: the parts of the front end; for front*.c only. */
#ifndef TRACKER_FRONT_IMPL_H
#define TRACKER_FRONT_IMPL_H

#include "tracker/front.h"

enum { TKF_COUNT_LAG = 16 }; /* cycles after which the tracker has counted down what left */
enum { TKF_LANES = 32, TKF_MAX_LINES = TKF_LANES * TKF_MAX_TEXELS, TKF_NONE = 0xffffffffu };

struct tkf_slot { /* a resident warp */
  uint32_t warp, next, end, gap; /* warp: launch order; next, end: its accesses; gap: instructions before the next one */
  uint32_t outstanding;
  bool live;
};

struct tkf_instruction { /* a memory instruction that is not answered; `next` links those that memory will answer */
  uint32_t slot, first, n, waves, next;
  uint64_t issued, key;
  uint8_t cls, op;
  bool sent; /* its last wavefront has left the tag stage */
};

struct tkf_flight { /* a wavefront between tag stage and data */
  struct tkf_wave wave;
  uint32_t instruction;
  uint64_t taken, order; /* order: among the slow ones of its warp and class */
  enum { TKF_UNUSED, TKF_SLOW, TKF_FAST } kind;
};

struct tkf_pool { uint32_t *free, n; }; /* unused numbers */

struct tkf_line { uint64_t line; uint64_t used; uint16_t dslot; bool valid; };
struct tkf_dslot {
  uint64_t named; /* last cycle in which a slow wavefront with it was taken */
  uint64_t allocated; /* cycle in which its allocation was taken */
  uint8_t valid, wanted; /* sectors that came, sectors asked for */
  uint16_t slow_queued, fast_queued; /* packets with it between tag stage and tracker */
  uint16_t held;   /* slow wavefronts with it from tag stage to COUNT_LAG cycles after they left */
  bool posted, busy, evicted; /* posted: its allocation is not taken yet */
};
struct tkf_request { uint16_t dslot; uint8_t bank, sector; bool used; };

struct tkf_packet {
  enum tkf_kind kind;
  struct tkf_wave wave; /* of a posted allocation: banks (one) and data slot */
  uint32_t instruction;
  uint64_t allocs;      /* allocations that must have been taken before it */
};
struct tkf_packets { struct tkf_packet *at; uint32_t head, n, room; }; /* between tag stage and tracker */

struct tkf_stage { /* the tag stage */
  uint32_t instruction; /* or TKF_NONE */
  struct tkf_wave wave[TKF_MAX_LINES];
  uint64_t line[TKF_MAX_LINES][TKF_BANKS];
  unsigned waves, at;
  bool open;       /* slow wavefronts of it were queued, none with the end */
  bool end_only;   /* the last one was a hit: a wavefront without banks is to follow */
  bool looked, closed;
  uint8_t to_request, to_allocate; /* banks whose sectors must be asked for; whose line has no data slot */
};

struct tkf_front {
  const struct tkf_trace *trace;
  struct tkf_sizes s;
  struct tkf_options o;
  uint64_t cycle, active; /* active: last cycle in which anything moved */
  const char *wrong;
  struct tkf_counts counts;

  struct tkf_slot *slot;
  uint32_t next_warp, live;
  uint32_t *last;   /* per scheduler: the slot that it issued from last */
  uint32_t *queue, queue_head, queue_n; /* of instructions before the tag stage */
  struct tkf_instruction *instruction;
  struct tkf_flight *flight;
  struct tkf_pool instructions, ids;
  uint64_t *order_in[TKF_CLASSES], *order_out[TKF_CLASSES]; /* per warp slot: slow wavefronts taken, out */
  uint32_t slow_under_way, waves_under_way;

  struct tkf_stage stage;
  uint32_t sets;
  struct tkf_line *line;    /* [bank][set][way] */
  struct tkf_dslot *dslot;  /* [bank][dslot] */
  uint16_t *free_dslot;     /* [bank][dslot]: stacks */
  uint32_t free_n[TKF_BANKS];
  struct tkf_packets slow, fast, alloc;
  struct { struct tkf_wave wave; bool valid; } past[TKF_COUNT_LAG][2]; /* slow wavefronts that left, by cycle and path */
  uint64_t allocs_posted, allocs_taken;

  struct tkf_request *request; /* ring by due cycle / fill_interval */
  uint32_t ring, misses;       /* ring: a power of two */
  uint32_t *answer, answers;   /* ring by cycle: first instruction that memory answers then */
};

static inline struct tkf_dslot *tkf_dslot(struct tkf_front *f, unsigned bank, unsigned dslot) {
  return &f->dslot[bank * f->s.dslots + dslot];
}

/* front_tags.c */
bool tkf_tags_create(struct tkf_front *f);
void tkf_tags_destroy(struct tkf_front *f);
void tkf_tags_begin(struct tkf_front *f, uint32_t instruction); /* the stage must be empty */
void tkf_tags_reports(struct tkf_front *f, const struct tkf_out *out);
/* One wavefront goes on. */
void tkf_tags_cycle(struct tkf_front *f);
/* Packets at the ports. */
void tkf_ports_cycle(struct tkf_front *f, const struct tkf_out *out, struct tkf_in *in);

/* front_memory.c */
bool tkf_memory_create(struct tkf_front *f);
void tkf_memory_destroy(struct tkf_front *f);
void tkf_memory_ask(struct tkf_front *f, unsigned bank, unsigned dslot, unsigned sector, uint64_t key);
void tkf_memory_ask_atomic(struct tkf_front *f, uint32_t instruction);
void tkf_memory_fill(struct tkf_front *f, struct tkf_in *in);
void tkf_memory_filled(struct tkf_front *f, const struct tkf_in *in); /* at the end of the cycle */
uint32_t tkf_memory_answer(struct tkf_front *f); /* an instruction that is answered in this cycle, or TKF_NONE */

void tkf_tags_left(struct tkf_front *f, const struct tkf_wave *w, bool texture); /* a slow wavefront */

/* front.c */
void tkf_wave_taken(struct tkf_front *f, const struct tkf_packet *p, bool slow);
void tkf_instruction_sent(struct tkf_front *f);
uint32_t tkf_take(struct tkf_pool *p); /* the pool is not empty */

#endif
