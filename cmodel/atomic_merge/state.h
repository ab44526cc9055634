/* SPDX-License-Identifier: Apache-2.0 */
/* state.h: the state of an atomic_merge between two clock edges. Effects of a request are applied when it leaves the
 * front (its place in the order of this cache); what follows in the pipeline is only the time until others can see it. */
#ifndef ATOMIC_MERGE_STATE_H
#define ATOMIC_MERGE_STATE_H

#include "atomic_merge/layout.h"
#include "core/registers.h"
#include "core/unit_shell.h"

enum { AM_MAX_LINE = 128, AM_MAX_LINES = 256, AM_MAX_QUEUE = 64, AM_MAX_STALL = 2048, AM_MAX_MISSES = 16, AM_MAX_TEMPS = 64,
       AM_MAX_OLD = 32, AM_MAX_BEAT_WORDS = 16 };

struct am_request {
  unsigned op, size, mode, tid;
  uint64_t addr, data, compare;
  bool live; /* its thread id has a request under way: it is refused */
  bool gap;  /* the one accepted before it is to the same 8 bytes and chooses late */
  bool apart; /* one of those before it is to the same 8 bytes and takes several cycles */
};
struct am_answer { unsigned tid, status; uint64_t data; };
struct am_fifo { struct am_answer at[AM_FIFO]; unsigned first, n, promised; }; /* promised: held, or on the way */

struct am_entry { /* of the stall buffer: a request that waits, is parked or is done; or, behind those, a merge */
  struct am_request req;
  uint64_t value;   /* parked: the item of the temporary line before; done: the answer */
  unsigned fresh;   /* parked: words of the item where nothing stood */
  unsigned next;
};
struct am_list { bool any; unsigned head, tail; };
struct am_miss { bool valid, fetched, has_slot; uint64_t line; unsigned place, slot; struct am_list events; };
struct am_temp {
  bool valid, has_slot;
  unsigned op, size, slot, relaxed; /* relaxed: answered already */
  uint64_t compare;
  uint32_t set, blocked;            /* words: something stands there; no more may join */
  struct am_list parked;
  uint8_t data[AM_MAX_LINE];
};
struct am_job { struct am_list list; bool done, failed, keep, slow; }; /* done: the entries hold their answers; keep: operands, slow: of the unit */
struct am_line { bool valid, reserved, dirty; uint64_t line; uint8_t data[AM_MAX_LINE]; };

/* The engine stops the front and does what is not one request at a line that is present or missing. */
enum am_engine { AM_RUN, AM_ARRIVE, AM_AWAIT, AM_PASS, AM_EVENT, AM_DROP, AM_READ, AM_INJECT, AM_LAST, AM_LOOK, AM_MATCH, AM_TAKE, AM_COPY,
                 AM_SETTLE, AM_READY, AM_WALK, AM_STEP, AM_FOUND, AM_ITEMS, AM_MERGED_ITEMS };
enum am_start { AM_START_NOTHING, AM_START_EVICTION, AM_START_FLUSH };
enum { AM_DECIDES = 4, AM_DEPTH = 5, AM_SPOOLS = 4, AM_MAX_EXTRA = 6 }; /* stages of the front, of what follows it, and of the spooler */

struct am_home_word { bool valid, snoop, error; unsigned tag; uint64_t line; uint32_t data[AM_MAX_BEAT_WORDS]; };
struct am_stage { bool valid, answers; struct am_answer answer; };
struct am_report { bool valid; unsigned kind, tid, temp; };
struct am_spooled { bool valid, last, silent; /* silent: it was answered before */ unsigned slot, entry; struct am_answer answer; };

struct am_counting { /* events: a bit for each counter; due: counted in this cycle; soon: of the next cycle's */
  uint64_t count[AM_COUNTERS], events, due, soon;
  unsigned scan, here, part;       /* here: lines that are present; part: of a cycle of all lines */
  enum am_counter cause, turned;   /* what the request that waits lacks; what the one of the last cycle lacked; or 0 */
  bool went;                       /* a request took its place in the last cycle */
  uint32_t high;
};

struct am_unit {
  struct simt_unit_shell shell;
  uint32_t due;      /* fetches that are not answered, a bit each */
  unsigned got;      /* beats of a fill that came */
  bool served, idle; /* the other caches want nothing more of the home under this halt; nor this one */
  /* HALT_MODE drain: the engine is asked to release all lines; does it; has done it; nothing is left but what was lost. */
  bool asks, walking, flushed, drained;
  unsigned word;     /* of a context, that moves */
  struct { bool nack, unasked; unsigned lost; uint64_t line; } coming; /* with a load */
};

struct am_state {
  struct am_unit unit;
  struct am_request queue[AM_MAX_QUEUE];
  uint32_t written, fetched, committed;           /* requests, ever */
  struct { bool valid; uint32_t at; } front[AM_DECIDES + 1]; /* at: which request */
  bool kill;                                      /* what is in the front is looked up anew */
  struct am_stage stage[AM_DEPTH + AM_MAX_EXTRA];
  struct { bool unit; uint64_t pair; } last[AM_MAX_APART]; /* accepted last; the newest first */
  bool unit_left[AM_MAX_APART];                   /* one of the unit left the first stage of the front in the last cycle, before that, ... */
  struct am_fifo fast, spooled;
  bool ans_valid, last_fast;
  struct am_answer ans;

  struct am_line line[AM_MAX_LINES];
  struct am_miss miss[AM_MAX_MISSES];
  struct am_temp temp[AM_MAX_TEMPS];
  struct am_entry entry[AM_MAX_STALL + AM_MAX_TEMPS];
  uint16_t free_entry[AM_MAX_STALL];
  unsigned n_free, n_entries, turn;               /* n_entries: free ones that may be taken; turn: first way to evict */
  bool given;                                     /* an entry came back in the last cycle */
  uint32_t slot_used, slots_seen;                 /* seen: as the front knows it, a cycle late */
  uint8_t old[AM_MAX_OLD][AM_MAX_LINE];
  struct am_job job[AM_MAX_OLD];
  unsigned job_queue[AM_MAX_OLD], n_jobs;

  bool spooling;
  unsigned spool_slot, spool_at, spool_hold; /* hold: cycles until one of the unit has left what it made */
  struct am_spooled spool[AM_SPOOLS + AM_MAX_EXTRA];

  struct am_home_word home;
  bool home_asked;                                /* its tag was that of a fetch when it came */
  unsigned beats, fill_tag;                       /* beats of a fill that are here */
  uint8_t fill[AM_MAX_LINE];
  enum am_engine engine;
  unsigned count, event, next, halves; /* halves: of the items of a line, that are still to be merged */
  bool error, first, use, for_snoop, found, walking, flush_done;
  struct am_list done;
  unsigned where;                                 /* line that leaves */
  unsigned flushed;                               /* lines that a flush is done with */
  enum am_start start;                            /* what the front asked the engine for in the last cycle */
  unsigned start_at;

  unsigned fetch_queue[AM_MAX_MISSES], n_fetch, opened;
  bool opens;                                     /* a miss was opened in the last cycle, this one */
  bool rel_busy, rel_dirty;
  unsigned rel_beat;
  uint64_t rel_line;
  uint8_t rel[AM_MAX_LINE];

  unsigned lost;
  uint64_t lost_line;
  bool unasked;
  struct am_report report, report_next;
  struct am_counting c;
  unsigned clearing; /* cycles until requests are accepted */
  uint8_t live[1 << 13]; /* a bit for each thread id */
  uint64_t n_hits, n_joins, n_waits, n_merges, n_merged, n_evictions, n_idle; /* statistics */
};

enum am_port { AM_P_RST, AM_P_REQ_VALID, AM_P_REQ_OP, AM_P_REQ_SIZE, AM_P_REQ_MODE, AM_P_REQ_ADDR, AM_P_REQ_DATA, AM_P_REQ_COMPARE,
               AM_P_REQ_TID, AM_P_ANS_READY, AM_P_FETCH_READY, AM_P_HOME_VALID, AM_P_HOME_SNOOP, AM_P_HOME_TAG, AM_P_HOME_ERROR,
               AM_P_HOME_LINE, AM_P_HOME_DATA, AM_P_REL_READY, AM_P_REQ_READY, AM_P_ANS_VALID, AM_P_ANS_TID, AM_P_ANS_STATUS,
               AM_P_ANS_DATA, AM_P_FETCH_VALID, AM_P_FETCH_LINE, AM_P_FETCH_TAG, AM_P_HOME_READY, AM_P_REL_VALID, AM_P_REL_LINE,
               AM_P_REL_DIRTY, AM_P_REL_LAST, AM_P_REL_DATA, AM_P_LOST_COUNT, AM_P_LOST_LINE, AM_P_UNASKED, AM_P_WIT_VALID,
               AM_P_WIT_KIND, AM_P_WIT_TID, AM_P_WIT_TEMP, AM_PORTS };

struct am_model {
  const struct simt_config *cfg;
  struct am_layout l;
  unsigned port[AM_PORTS];
  unsigned served_at, idle_at;
  const struct simt_desc *desc;
  struct am_state s;
};

/* values.c: what operations mean, and lists. */
uint64_t am_operate(const struct am_request *r, uint64_t x, uint64_t y);
uint64_t am_operate_float(unsigned op, bool wide, uint64_t x, uint64_t y);
bool am_bad(const struct am_layout *l, const struct am_request *r);
uint32_t am_words(const struct am_layout *l, const struct am_request *r); /* 32-bit words that it touches */
uint64_t am_perform(const struct am_layout *l, uint8_t *line, const struct am_request *r); /* gives the answer's data */
uint64_t am_accumulate(const struct am_layout *l, struct am_temp *t, const struct am_request *r, unsigned *fresh);
void am_merge(const struct am_layout *l, const struct am_temp *t, uint8_t *line);
uint64_t am_rebuild(const struct am_layout *l, const struct am_entry *e, const uint8_t *old);
void am_append(struct am_state *s, struct am_list *list, unsigned entry);

/* front.c, engine.c, spool.c: parts of one clock edge; each sees `now`, the state before it. */
struct am_now { bool drained, asked, due; unsigned n_entries, n_jobs, n_fast, n_spooled, beats; uint32_t slot_used, written; enum am_engine engine;
                bool rel_busy, spooling, shut, still, stops, asks; struct am_home_word home; enum am_start start; unsigned start_at; };
/* In am_now: asked: the fill in `home` answers a fetch; due: the home has something for the engine. */
bool am_asked(const struct am_model *m);
bool am_event_due(const struct am_model *m);
bool am_decide(struct am_model *m, const struct am_now *now, bool *kill); /* whether the request that is due leaves */
void am_engine(struct am_model *m, const struct am_now *now);
void am_spool(struct am_model *m, const struct am_now *now);
void am_witness(struct am_model *m, enum am_witness kind, unsigned tid, unsigned temp);
void am_witness_later(struct am_model *m, enum am_witness kind, unsigned tid, unsigned temp); /* in the next cycle */
void am_count(struct am_model *m, enum am_counter what);
void am_count_later(struct am_model *m, enum am_counter what); /* as am_witness_later */
void am_count_cycle(struct am_model *m, const struct am_now *now);
void am_registers_step(struct am_model *m);
bool am_clears_nack(const struct am_model *m); /* a register is written that takes the sticky bit of the unit back */
bool am_home_ready(const struct am_model *m);
bool am_drained(const struct am_model *m);

/* status.c: the cache as a unit of a front end. */
bool am_closed(const struct am_model *m); /* nothing is taken in */
bool am_shut(const struct am_model *m);   /* nothing begins */
bool am_still(const struct am_model *m);  /* nothing moves */
bool am_stops(const struct am_model *m);  /* the engine begins nothing behind the request, merge or line that it is at */
bool am_drops(const struct am_model *m);  /* behind a reset: fills that are due are dropped, or thread ids cleared */
bool am_clears(const struct am_model *m); /* all is cleared in this cycle */
struct am_unit_now { struct simt_unit_signals signals; struct simt_shell_says says; bool settles, commit; };
struct am_unit_now am_unit_begin(struct am_model *m, const uint32_t *in); /* before anything moves */
void am_unit_end(struct am_model *m, struct am_unit_now *now, const uint32_t *in);
void am_unit_outputs(const struct am_model *m, uint32_t *out);
bool am_takes_request(const struct am_model *m); /* were it running */
void am_clear(struct am_model *m);

#endif
