/* SPDX-License-Identifier: Apache-2.0 */
/* state.h: the state of the tracker model, stage by stage (docs/tracker_design.md). Entries of the pool are named by their
 * number since reset (64 bits, never reused), which is their age; what is kept of them lies at that number modulo AGES. */
#ifndef TRACKER_STATE_H
#define TRACKER_STATE_H

#include "core/unit_shell.h"
#include "tracker/model.h"
#include "tracker/ports.h"

/* A set of queues: 16 bits for each group (queue modulo groups), a bit for each place within it; four groups to a word. */
enum { TRK_SET_WORDS = TRK_MAX_GROUPS / 4, TRK_GROUP = 0xffff };
struct trk_set { uint64_t word[TRK_SET_WORDS]; };

enum { TRK_WORDS = 32 }; /* of counters, those that there are first */
enum { TRK_DSLOT_WORDS = 3 }; /* of TRK_MAX_BANKS data slots at a port */

struct trk_select { /* selector */
  struct trk_set lap, picked;
  uint32_t any, fresh, last, first_one; /* bits by group */
  uint8_t first[TRK_MAX_GROUPS];
  bool round, valid, one;
  unsigned queue;
};

enum trk_op { TRK_OP_APPLY = TRK_KINDS };
struct trk_packet { /* an operation of the input pipeline; fast: a fast packet was taken with it */
  bool valid, fast, end;
  unsigned op, class, warp, bank;
  uint32_t used;
  uint16_t dslot[TRK_MAX_BANKS];
  uint8_t sectors[TRK_MAX_BANKS];
  uint16_t left[TRK_MAX_BANKS]; /* references counted down when I0 looked */
  uint32_t dslots[TRK_DSLOT_WORDS]; /* as at the ports */
  uint32_t payload[TRK_MAX_PAYLOAD];
};
struct trk_lane { bool valid; unsigned bank, dslot; uint16_t left; }; /* an allocation on its way */

struct trk_entry { /* of the pool */
  unsigned class, warp, queue;
  bool end, internal_end, group_end, tex, gone, alone; /* alone: came in with a context into a commit FIFO, and is in no queue */
  uint32_t used;
  uint16_t dslot[TRK_MAX_BANKS];
  uint8_t sectors[TRK_MAX_BANKS];
  uint32_t dslots[TRK_DSLOT_WORDS]; /* as at the ports */
  uint32_t payload[TRK_MAX_PAYLOAD];
  uint64_t next; /* in its queue */
};

struct trk_queue {
  uint64_t newest, check, slot, checked; /* entries: inserted last, first that waits, in the slot, first checked */
  unsigned waiting, done, ends, groups;  /* entries that wait; checked; ends of instructions and groups among those */
  bool due;                              /* stands in a FIFO or is being checked */
  bool busy;                             /* the slot */
  uint8_t missing[TRK_MAX_BANKS];
};

struct trk_check { bool valid, run, bad; unsigned queue; uint64_t entry; uint8_t missing[TRK_MAX_BANKS]; };
struct trk_ring { unsigned from, count; uint8_t queue[TRK_MAX_QUEUES]; };
struct trk_held { bool valid, final; uint64_t entry; };
enum { TRK_ROOM = 64, TRK_LEAVE_ROOM = 4 };
struct trk_fill { bool valid, early; unsigned bank, dslot, sector; };

struct trk_drain { /* of a path */
  bool active, waits, resumes, tries, judged, is_oldest; /* judged: what is tried was compared with the oldest entry */
  unsigned queue, pause;
  uint64_t next;
  bool late_fast, late_open, late_state; /* what was found of `next` in the cycle before */
};
struct trk_candidate { bool valid, keeps; unsigned queue; uint64_t entry; }; /* of a path: a pick, or what may be tried */
struct trk_d { bool valid, state, path, end, run, load; unsigned queue; uint64_t entry; }; /* of a lane: of a path with COMMITS 2, else of both */

struct trk_item { uint64_t entry; bool state; uint32_t payload[TRK_MAX_PAYLOAD]; }; /* payload: of a state packet */
struct trk_waits { uint64_t tail, open; uint32_t payload[TRK_MAX_PAYLOAD]; };       /* a state or fast packet */
struct trk_token { uint64_t tail; unsigned bank, dslot; };
struct trk_leave { bool valid; uint64_t entry; uint32_t used, raised, report; uint16_t dslot[TRK_MAX_BANKS]; };

struct trk_model {
  const struct simt_config *cfg;
  struct trk_layout l;
  struct trk_ports at;
  uint8_t bit_of[TRK_MAX_QUEUES]; /* in a set */
  struct trk_set of_pop[TRK_MAX_POPS]; /* queues of a pop selector: those with its number modulo POPS */

  struct trk_entry *entry;
  /* By data slot; wanted: queues whose slot misses a sector of it. */
  struct { uint16_t *inserted, *left; uint8_t *stuck, *token, *valid; struct trk_set *wanted; } slot[TRK_MAX_BANKS];

  struct simt_unit_shell shell;
  struct trk_context {
    struct simt_walk_shape shape;
    struct simt_walk at;
    bool settled, found, marked, was_load, was_save; /* of a save: the item, and the age of the first wavefront of an instruction */
    unsigned source, looked[5];            /* looked: words of the FIFOs of enum trk_source seen */
    uint64_t age, mark, there[2][TRK_ROOM], placed[2]; /* by path, what stands in its FIFO: ages by place; of a load, places */
    uint32_t head, body[32], settings[5];  /* of a load: an item's words; registers */
    unsigned pace, dslot;
    bool put_slot, put, bad, began;        /* began: something came in that does not stand in a FIFO */
    uint64_t put_entry;
  } ctx;
  struct simt_unit_signals says; /* of this cycle, as `moves` and `clears` */
  bool moves, clears;

  struct trk_run { /* what a reset clears; that of a unit leaves alone what stands from `mode` on */
    unsigned clearing; /* cycles in which memories are cleared */
    bool quiet, fills; /* closed, and nothing moves; fills are outstanding */
    /* input */
    struct trk_packet pipe[4]; /* I0, I1, I2, from `i0` on round */
    unsigned i0, l0;           /* places in `pipe` and `leave` */
    struct trk_lane lane[3];   /* A0, A1, A2 */
    struct trk_held held;
    bool insert;               /* J */
    uint64_t insert_entry, tail, upto, newest, open_first;
    bool open;
    unsigned open_class, open_warp, count, group, map_last, ray_first, ray_last, ray_next, map[128], fill_warp, fill_to;
    bool filling;
    bool in_ready, fast_ready, alloc_ready, apply_turn, apply_out, offered, change;
    unsigned pool, ages, states_in, tokens_in, fasts_in, guard;
    struct { unsigned pool, ages, tokens; } gone; /* in the cycle before: makes room now */
    /* sectors */
    struct trk_fill f1, f2;
    /* check */
    struct trk_queue queue[TRK_MAX_QUEUES];
    struct trk_ring ring[TRK_MAX_POPS + 2]; /* inserted; popped, one for each pop selector; run ended */
    unsigned turn, queued;                 /* queued: in all rings */
    struct trk_check c[4]; /* C1 .. C4 */
    struct trk_set ready;
    struct trk_select pops[TRK_MAX_POPS], commits[2];
    /* commit */
    struct trk_set has_end, tex, one, taken, late; /* late: parked, or its head failed its comparison */
    struct trk_candidate candidate[2];
    struct trk_drain drain[2];
    struct { bool fails, parks, ends; unsigned fail_queue, end_queue; } verdict[2]; /* of tests, of the cycle before: by path; by lane */
    struct trk_d d[2];
    bool drain_turn, release, released, state_next;
    struct { bool fast, state, due; uint64_t fast_tail, state_tail, state_open; } first_waits; /* the first packets, of the cycle before */
    bool oldest_valid, oldest_tex, try_ok, try_tex;
    unsigned oldest_queue, try_queue;
    uint64_t oldest, try_entry, tried;
    struct { unsigned from, count; struct trk_item item[TRK_ROOM]; } fifo[2];
    struct { unsigned from, count; struct trk_waits item[TRK_ROOM]; } states, fasts;
    unsigned untold; /* fast packets taken less than three cycles ago: their tails are to come, also when they have left */
    /* leave */
    struct { unsigned from, count; uint64_t item[TRK_LEAVE_ROOM]; } leaving[2];
    bool leave_turn, report;
    struct trk_leave leave[4]; /* L0 .. L2, from `l0` on round */
    uint32_t free;
    uint16_t free_dslot[TRK_MAX_BANKS];
    uint64_t head, look;
    bool looked, met, seen;
    unsigned later, due, later_at; /* state packets not due, due; place of the first that is not due */
    uint64_t state_tail[TRK_ROOM];
    unsigned state_to;
    struct { unsigned from, count; struct trk_token item[TRK_ROOM]; } tokens;
    struct trk_token apply;
    bool applies, applied;
    unsigned early;  /* entries that have left and are not reclaimed, a cycle later */
    bool reclaimed;
    unsigned err_in, err_alloc;
    bool err_reg, err_fill;
    /* registers */
    unsigned mode, split, group_set, high, scan, now[3]; /* now: mode, split, group in force */
    bool wants_change, busy, write, counts, refused;
    uint8_t addr;
    uint32_t data, rsp_data;
    bool rsp, rsp_error;
    uint8_t gathered[TRK_WORDS], event[TRK_WORDS]; /* of up to 32 cycles; of the cycle before */
    unsigned adding;                               /* to the word of `scan` */
    uint32_t counter[TRK_WORDS];
    bool first;   /* since rst_i: counters are cleared too */
    bool started; /* since rst_i something was ready */
  } r;
};

#endif
