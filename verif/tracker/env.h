/* SPDX-License-Identifier: Apache-2.0 */
/* env.h: the environment of tracker: who presents packets, fills and allocations and reads the outputs (env.c), who fills
 * the choices (stimulus.c, directed.c), and what must hold (golden.c: a FIFO per queue, program order, reference counts). */
#ifndef VERIF_TRACKER_ENV_H
#define VERIF_TRACKER_ENV_H

#include "core/unit_front.h"
#include "tracker/cover.h"
#include "tracker/ports.h"
#include "verif.h"

extern const struct simt_block simt_block_tracker;

/* One cycle of decisions; each means something in any state, all zero is an idle cycle. */
enum trk_flag {
  TRK_DO_IN = 1, TRK_END = 2, TRK_ODD = 4,    /* ODD: a field that may be wrong, said by `odd` */
  TRK_DO_FAST = 8, TRK_READ_FAST = 16, TRK_READ_LG = 32, TRK_READ_TEX = 64,
  TRK_DO_FILL = 128,                          /* a sector that is waited for */
  TRK_NEWEST = 256,                           /* the one asked for last */
  TRK_STRAY = 512,                            /* any sector */
  TRK_DO_ALLOC = 1024, TRK_ANY_ALLOC = 2048,  /* ANY: also one that has references */
  TRK_DO_REG = 4096, TRK_REG_WRITE = 8192, TRK_RESET = 16384,
  TRK_HITS = 32768,                           /* the wavefront needs valid sectors only, where there are some */
  TRK_CTX_OUT = 131072, TRK_CTX_IN = 262144,  /* a word of a save, of a load moves */
  TRK_SAME = 65536                            /* it names the hottest data slot */
};

struct trk_choice {
  uint64_t dslots, sectors, payload;
  uint32_t flags, used, pick, reg_data;
  uint16_t alloc_dslot;
  uint32_t place;                             /* STATUS: what the front end does */
  uint8_t order, slot, spoil;
  uint8_t kind, class, warp, odd, alloc_bank, reg_addr, hot; /* hot: data slots in use, 0 = all */
};

struct trk_wave { /* a wavefront taken */
  uint64_t cycle, instruction, last;   /* number of its instruction's first wavefront; of that: its last one, when whole */
  uint64_t next;                       /* wavefront of the same queue and path behind it, or 0 */
  unsigned class, warp, queue;
  bool end, whole, group_end, left, alone; /* alone: nothing else was inside, or has been since */
  uint64_t there;                      /* of one that is alone: a cycle behind its last fill, or that in which it was judged */
  uint32_t used;
  uint16_t dslot[TRK_MAX_BANKS];
  uint8_t sectors[TRK_MAX_BANKS];
  uint32_t payload[TRK_MAX_PAYLOAD];
};

struct trk_said { /* what was taken in a cycle, judged when its errors are known */
  bool in, fast, alloc;
  unsigned kind, class, warp, bank, alloc_bank, alloc_dslot;
  bool end;
  uint32_t used;
  uint16_t dslot[TRK_MAX_BANKS];
  uint8_t sectors[TRK_MAX_BANKS];
  uint32_t payload[TRK_MAX_PAYLOAD], fast_payload[TRK_MAX_PAYLOAD];
};
struct trk_slot_state { /* of a data slot */
  uint8_t valid, asked;
  bool token, token_late;              /* a token waits; it may have gone */
  bool stuck, stuck_maybe;             /* saturated */
  bool reported, owes;                 /* its last fall to zero was reported; a report is due */
  bool token_owes, token_may;          /* the token's report is due; it may come */
  uint16_t refs, recent;               /* references; and those that left within the lag */
  unsigned token_number;               /* of the last token, to tell it from one before */
  uint64_t raised, fell;               /* cycles of the last wavefront taken, of the last fall to zero */
  uint64_t gone_until;                 /* the report of a token that is no longer waiting may come up to this cycle */
};
struct trk_order { /* of a state or fast packet */
  uint64_t tail, due;                  /* due: of a state packet, when it must be offered, in cycles of `open_cycles`; 0 while something older is inside */
  uint32_t payload[TRK_MAX_PAYLOAD];
};
struct trk_flush { uint64_t tail, due; unsigned bank, dslot, number; }; /* due: when it must have gone */
struct trk_ask { unsigned bank, dslot, sector; uint64_t cycle; };
struct trk_recent { uint64_t cycle; unsigned bank, dslot; };
enum { TRK_DELAY = 4, TRK_WAVES = 32768, TRK_ORDERS = 256, TRK_ASKS = 65536, TRK_RECENTS = 65536, TRK_LAG = 24 };
/* By when a state packet or a flush token must have its turn: the oldest entry is found by a walk of one entry a cycle, which each of
 * them holds up; then it is at the output, or has gone and is reported (docs/tracker_design.md, "When a packet has its turn"). */
enum { TRK_TURN = 16, TRK_TURN_TOKEN = 8, TRK_TURN_STATE = 2 };

struct trk_env {
  const struct simt_config *cfg;
  struct simt_stimulus stim;
  struct trk_layout l;
  struct trk_ports at;
  struct tkf_replay *replay;           /* a trace is the stimulus; else NULL */
  struct simt_rng rng;
  uint64_t cycle, progress, coverage[TRK_C_ALL];
  int place[TRK_C_ALL];
  char message[240];

  /* what is presented */
  struct trk_said want;                /* held until taken: in, fast, alloc say which are */
  bool want_shown;                     /* the packet wanted is presented, which it stays */
  bool want_open;
  unsigned want_class, want_warp;      /* of the instruction that is being presented */
  struct { bool valid, write; uint8_t addr; uint32_t data; } reg;
  uint64_t unread[3];                  /* cycles since an output was read */

  /* golden model */
  struct trk_said said[TRK_DELAY];     /* by cycle */
  struct trk_wave *wave;               /* ring, by number from 1 */
  uint64_t taken, oldest;              /* wavefronts taken; oldest that has not left */
  unsigned inside;                     /* those that have not left */
  bool open;
  unsigned open_class, open_warp, count;
  uint64_t open_first;
  unsigned mode, split, group, new_mode, new_split, new_group, ray_next;
  bool change;
  uint64_t change_from;                /* a boundary in this cycle or later takes it */
  struct { uint64_t first, last; } line[2 * TRK_MAX_QUEUES]; /* by queue and path */
  uint64_t draining[2];                /* last wavefront out of an instruction that is not whole out; 0 */
  bool state_between;
  struct { struct trk_order item[TRK_ORDERS]; unsigned from, count; } fasts, states;
  unsigned untold;                     /* fast packets taken whose place among the wavefronts is not judged yet */
  bool offered;                        /* an allocation was offered before and not taken */
  unsigned guard;                      /* fast packets that it waits for */
  struct { struct trk_flush item[TRK_ORDERS]; unsigned from, count; } tokens, going; /* something older is inside; nothing is, by `due` they are gone */
  uint64_t open_cycles, walked, passed; /* cycles in which something may begin; entries that have left up to here; when the walk is behind them */
  uint64_t tex_offered;                /* of `open_cycles`: the last one with a packet at tex_out */
  unsigned token_number;
  struct trk_slot_state *slot[TRK_MAX_BANKS];
  struct trk_ask *ask;
  unsigned asks;
  struct trk_recent *recent;
  unsigned recent_from, recent_count;
  struct { unsigned bank, dslot; uint64_t cycle; bool valid; } alloc_last[8]; /* for the rule about fills */
  unsigned alloc_at;
  bool reg_waits, reg_was_write, fill_bad[2], reg_refused;
  uint64_t reg_taken;
  uint8_t reg_addr;
  uint32_t reg_data;
  bool seen_ready, started;            /* since the last reset, of the unit too, fills may come; something was ready since rst_i */
  struct { bool valid; uint32_t word[TRK_MAX_PAYLOAD + 8]; } still[2];
  unsigned blocked[2], in_row;
  uint64_t last_left;                  /* cycle in which a wavefront left last */
  uint64_t seen[TRK_KINDS + TRK_CLASSES], seen_fast;

  struct trk_front {                   /* STATUS */
    struct simt_front shell;
    struct simt_front_unit unit;
    struct trk_process *process;       /* the golden model by slot */
    unsigned issued;                   /* of what is asked for, the first: memory has them; while closed no more come */
    bool was_closed;
    unsigned drops, inside;            /* fills due from before a reset; wavefronts inside in the cycle before */
    bool dropping;                     /* the fill of this cycle is one of those */
    uint64_t halt_from, last_fill, clear_from;
  } front;

  unsigned profile, phase_left;
  uint64_t segment_end;
  struct trk_rates {
    uint8_t in, end, fast, read_fast, read_lg, read_tex, fill, newest, stray, alloc, any_alloc, reg, odd, hits, same, used;
    uint8_t state, token, close, lg, tex;
    uint8_t hot;
    uint8_t halt;                      /* in 1/16384 */
    bool resets, breaks;
  } rates;
  unsigned directed, step;
};

static inline void trk_hit(struct trk_env *e, enum trk_cover point) {
  if (e->place[point] >= 0) e->coverage[e->place[point]]++;
}
const char *trk_wrong(struct trk_env *e, const char *format, ...) __attribute__((format(printf, 2, 3)));
uint64_t trk_bits(const uint32_t *from, unsigned at, unsigned width);
static inline struct trk_wave *trk_wave_of(const struct trk_env *e, uint64_t n) { return &e->wave[n % TRK_WAVES]; }

/* golden.c */
bool trk_golden_create(struct trk_env *e);
void trk_golden_destroy(struct trk_env *e);
void trk_golden_reset(struct trk_env *e);
void trk_golden_clear(struct trk_env *e); /* the reset of a unit: registers and counters stay */
const char *trk_golden_observe(struct trk_env *e, const uint32_t *in, const uint32_t *out);
bool trk_golden_busy(const struct trk_env *e);

/* unit.c */
bool trk_front_create(struct trk_env *e);
void trk_front_destroy(struct trk_env *e);
void trk_front_reset(struct trk_env *e, bool forget);
void trk_front_drive(struct trk_env *e, const struct trk_choice *c, uint32_t *in);
bool trk_front_fills_due(struct trk_env *e, const struct trk_choice *c);
const char *trk_front_state(struct trk_env *e, const uint32_t *out); /* first in a cycle */
const char *trk_front_observe(struct trk_env *e, const uint32_t *in, const uint32_t *out);

/* context.c */
enum { TRK_PROCESSES = 3 };
bool trk_process_create(struct trk_env *e);
void trk_process_destroy(struct trk_env *e);
void trk_process_keep(struct trk_env *e, unsigned slot);
void trk_process_load(struct trk_env *e, unsigned slot);
const char *trk_context_saved(struct trk_env *e, const uint32_t *payload, unsigned words);
void trk_context_nonsense(const struct trk_env *e, uint32_t *payload, uint32_t place);

/* stimulus.c, directed.c */
extern const struct simt_named trk_profiles[];
extern const struct simt_named trk_directed[];
bool trk_choose(struct trk_env *e, struct trk_choice *c);
bool trk_choose_directed(struct trk_env *e, struct trk_choice *c);

#endif
