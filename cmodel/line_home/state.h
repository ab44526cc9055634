/* SPDX-License-Identifier: Apache-2.0 */
/* state.h: what a line_home holds from cycle to cycle. */
#ifndef LINE_HOME_STATE_H
#define LINE_HOME_STATE_H

#include "core/cells.h"
#include "line_home/ports.h"
#include "line_home/layout.h"

/* A line of the directory. READ: memory is read; READY: the data are here and nobody has the line; WRITE: memory is written;
 * FAILED: memory has no such line, and those who wait are told so. */
enum lh_state { LH_FREE, LH_READ, LH_READY, LH_OWNED, LH_WRITE, LH_FAILED };
struct lh_entry {
  uint8_t state, snooped, stale, queued, owner; /* stale: memory has older data; queued: it is in the work queue; owner: the last one, too */
  uint64_t waits, line;
  uint8_t tag[LH_MAX_CACHES];
};

enum lh_kind { LH_REL, LH_DONE, LH_RECALL, LH_WORK, LH_FETCH };
struct lh_op {
  bool valid, dirty, last, write, error, retry;
  uint8_t kind, cache, tag;
  uint32_t entry; /* all but REL and FETCH */
  uint64_t line;  /* REL and FETCH */
};

struct lh_message { bool fill, error, after; uint8_t target, tag; uint64_t line; uint32_t entry; };
struct lh_beat { bool dirty, last; uint8_t cache; uint64_t line; };
struct lh_request { uint64_t line; uint8_t cache, tag; };
struct lh_job { bool write; uint32_t entry; uint64_t line; };
struct lh_slot { bool write, error; uint8_t left; uint32_t entry; };

/* Of a cache. used: beats there or promised; room: for three messages, two cycles ago; room_soon: a cycle ago. */
struct lh_out { struct simt_fifo fifo; unsigned used; bool room, room_soon; };

struct lh_fixed { /* all but what grows with parameters */
  /* channels in */
  struct simt_rr_arbiter fetches;
  struct simt_fifo fetch, release, beats;
  struct lh_request fetch_at[LH_QUEUE];
  struct lh_beat release_at[LH_BEATS_AHEAD];
  int selected;          /* cache whose release is taken, or -1 */
  unsigned selected_last;
  /* directory */
  struct lh_op next, op[3]; /* the one chosen; second to fourth stage */
  unsigned cleared, victim, retried;
  bool recall, turn;
  uint32_t recall_entry;
  struct simt_fifo work, held;
  struct lh_request held_at[LH_QUEUE];
  unsigned beat;         /* of the release in the third stage */
  /* out */
  struct simt_fifo messages;
  struct lh_message message_at[LH_QUEUE], pushed;
  bool pushing, guessed;
  unsigned step;
  uint32_t shown;        /* row that the RAM of lines shows */
  struct lh_out out[LH_MAX_CACHES];
  uint64_t offers, settles;   /* caches with a beat in their queue; whose room_soon or room is not up to date */
  /* memory */
  struct simt_fifo jobs;
  struct lh_slot slot[32];
  uint32_t busy, done;   /* of the slots, a bit each */
  bool asks, have, got, answered, answer_error;
  unsigned asks_slot, asks_beat, answer_tag;
  struct lh_job ask;
  bool idle;             /* nothing was under way or offered a cycle ago */
  /* errors and counts */
  uint32_t bad, lost;
  uint64_t bad_line, lost_line;
  uint64_t n_fetches, n_grants, n_snoops, n_recalls, n_reads, n_writes;
};

struct lh_model {
  const struct simt_config *cfg;
  struct lh_layout l;
  struct lh_ports at;
  struct simt_mem_ports mem;
  unsigned out_words, data_words;
  uint32_t all_slots;     /* a bit each */
  uint64_t all_caches;
  size_t size;            /* bytes of the state: `fixed` and what follows it */
  struct lh_fixed *s;
  struct lh_entry *entry;
  uint32_t *line;         /* rows of data */
  uint32_t *outgoing;     /* a cache after the other, beats of 1 + data_words words: flags and tag, then data */
  uint32_t *beat_data;    /* of releases */
  uint32_t *work_at;
  struct lh_job *job_at;
  uint32_t *ask_data, *answer_data;
};

/* directory.c: what an operation in the fourth stage does. */
struct lh_act {
  bool send, job, token, hold;
  struct lh_message message;
  struct lh_job what;
  uint32_t token_entry;
};
void lh_act(struct lh_model *m, const struct lh_op *op, bool send_ready, struct lh_act *act);
/* Entry of a line, or -1. */
int lh_find(const struct lh_model *m, uint64_t line);
static inline unsigned lh_set_of(const struct lh_model *m, uint64_t line) { return (unsigned)(line & (m->l.sets - 1)); }
static inline uint32_t lh_row(const struct lh_model *m, uint32_t entry, unsigned beat) { return entry * m->l.beats + beat; }

#endif
