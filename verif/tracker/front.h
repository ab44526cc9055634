/* SPDX-License-Identifier: Apache-2.0 */
/* front.h: what stands in front of a tracker in a streaming L1: resident warps, coalescer, tags, miss unit. It plays a
 * trace against anything with the tracker's ports: the block's model, the RTL, or ideal.h.
 *
 * - Warps: `WARPS` slots, filled in launch order; slot modulo `schedulers` is its scheduler. Each scheduler issues one
 *   instruction per cycle: of the warp it issued last, else of its oldest that can go (or of its warps in turn). A warp
 *   stops at a memory instruction while `outstanding` earlier loads or atomics of it are unanswered; the trace has no
 *   registers, so this number stands for the distance from a load to its use.
 * - Coalescer: one memory instruction per cycle from a queue of `lsu_queue`; texture lines that follow each other with
 *   gap 0 and the same op are the texels of one instruction (at most 8). A wavefront has at most one line of 32 *
 *   SECTORS bytes in each bank.
 * - Tags: `cache_kib` in lines, `ways`, least recently used; a line gets a data slot of its own, which outlives its tag
 *   until nothing refers to it. In order, one wavefront per cycle. A queue of `tag_queue` packets follows for each of
 *   slow path, fast path and allocations, so that allocations run ahead and hits pass a full tracker. The tag stage
 *   counts the slow wavefronts under way with each data slot and waits before a count of the tracker can stick, so no
 *   flush token is needed.
 * - Hits of local/global and ray loads go the fast path, stores too (no allocation); all texture goes the slow way.
 *   Atomics go the fast path and are answered by memory.
 * - Miss unit: at most `misses` sectors under way; each comes `latency` plus 0..`spread` cycles later, in no order, at
 *   most one sector every `fill_interval` cycles. The spread is a hash of seed, address and access, so that it does not
 *   depend on what is compared.
 * - The data stage reads every output in the cycle in which it is valid.
 */
#ifndef TRACKER_FRONT_H
#define TRACKER_FRONT_H

#include "tracker/trace.h"

enum { TKF_BANKS = 8, TKF_SECTOR_BYTES = 32, TKF_MAX_TEXELS = 8 };

struct tkf_wave {
  uint8_t cls, banks, sectors[TKF_BANKS]; /* banks: mask; sectors: mask per bank */
  uint16_t dslot[TKF_BANKS];
  uint16_t warp;
  bool end;
  uint32_t id; /* payload */
};

enum tkf_kind { TKF_WAVE, TKF_STATE, TKF_TOKEN, TKF_CLOSE }; /* no state packet or token comes of a trace */
struct tkf_in {
  bool valid, fast_valid, fill_valid, alloc_valid;
  enum tkf_kind kind;
  struct tkf_wave wave;
  uint32_t fast_id;
  uint8_t fill_bank, fill_sector, alloc_bank;
  uint16_t fill_dslot, alloc_dslot;
};
struct tkf_out {
  bool ready, fast_ready, alloc_ready;
  bool lg_valid, tex_valid, tex_is_state, fast_valid, free_valid[TKF_BANKS];
  uint32_t lg_id, tex_id, fast_id;
  uint16_t free_dslot[TKF_BANKS];
};

/* What is driven: outputs are of the state alone; step is one clock edge. */
struct tkf_unit {
  void *state;
  void (*outputs)(void *state, struct tkf_out *out);
  void (*step)(void *state, const struct tkf_in *in);
};

struct tkf_sizes { unsigned banks, dslots, sectors, warps, entries, ref_max, free_lag; };
enum tkf_picker { TKF_GREEDY_OLDEST, TKF_ROUND_ROBIN };
enum { TKF_LATENCY = 200 }; /* of memory, when none is given */
struct tkf_options {
  enum tkf_picker picker;
  unsigned schedulers, outstanding, lsu_queue, tag_queue, cache_kib, ways, misses, latency, spread, fill_interval;
  uint64_t seed;
};

enum tkf_stall { /* why the tag stage kept a wavefront in a cycle */
  TKF_FULL,       /* the queue before the tracker is full */
  TKF_ALLOC,      /* the queue of allocations is full */
  TKF_NO_DSLOT,   /* no free data slot in a bank */
  TKF_MISSES_FULL,/* as many misses under way as may be */
  TKF_COUNT,      /* a count of references might be saturated */
  TKF_FAST_FULL,  /* the queue before the fast path is full */
  TKF_STALLS
};

enum { TKF_BUCKETS = 4096 }; /* cycles of a latency that are told apart */
struct tkf_latency { uint64_t n, sum, max, bucket[TKF_BUCKETS]; };
struct tkf_counts {
  uint64_t cycles, idle, waves, slow, fast, instructions, accesses, allocs, fills, closes;
  uint64_t no_work;            /* cycles in which no wavefront stood in the tag stage */
  uint64_t stall[TKF_STALLS], in_waits, fast_waits, alloc_waits; /* waits: cycles at the ports without ready */
  uint64_t under_way_sum, under_way_max, misses_sum, misses_max; /* slow wavefronts taken and not out; sectors */
  struct tkf_latency wave[TKF_CLASSES];        /* slow wavefronts, taken to out */
  struct tkf_latency instruction[TKF_CLASSES]; /* loads, issue to last answer */
};

struct tkf_front;
/* NULL and diag on lack of memory, or when the cache does not fit the data slots. The trace must outlive it. */
struct tkf_front *tkf_create(const struct tkf_trace *t, const struct tkf_sizes *s, const struct tkf_options *o,
                             struct simt_diag *diag);
void tkf_destroy(struct tkf_front *f);
/* This cycle's inputs from this cycle's outputs, and everything that the front end does in the cycle. False when all
 * warps have ended and everything is answered. */
bool tkf_cycle(struct tkf_front *f, const struct tkf_out *out, struct tkf_in *in);
/* What is wrong with the outputs so far (a wavefront that nobody sent, or before its data is there), or NULL. */
const char *tkf_wrong(const struct tkf_front *f);
/* Cycles since anything was taken, given or filled. */
uint64_t tkf_quiet(const struct tkf_front *f);
const struct tkf_counts *tkf_get_counts(const struct tkf_front *f);
unsigned tkf_percentile(const struct tkf_latency *l, double part); /* cycles that `part` of all take at most */

#endif
