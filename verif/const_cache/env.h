/* SPDX-License-Identifier: Apache-2.0 */
/* env.h: the environment of const_cache: commands, SMs, memory, registers, and the golden model of whole versions. */
#ifndef CONST_CACHE_ENV_H
#define CONST_CACHE_ENV_H

#include "const_cache/cover.h"
#include "const_cache/layout.h"
#include "core/ports.h"
#include "core/unit_front.h"
#include "memory.h"
#include "verif.h"

enum { CC_QUEUE = 32, CC_MOST_SM = 64, CC_DEEPEST = 16, CC_SLOTS = 3 };

enum cc_profile { CC_BUSY, CC_SLOW_SM, CC_WRITES_ONLY, CC_ONE_WORD, CC_LARGE_SETS, CC_FULL, CC_FAULTS, CC_SYNCS, CC_RESETS, CC_IDLE, CC_HALTS, CC_HALT_OFTEN, CC_PROFILES };

/* One version: the value of every address. Shared by the work items between two writes. */
struct cc_version {
  uint64_t *value;
  unsigned users;
  uint64_t number, filled;             /* filled: `fills` of the environment when value was copied */
};
struct cc_pending { enum cc_kind kind; struct cc_version *version; uint64_t item; bool behind; };
struct cc_expected { uint32_t addr; uint64_t value, cycle; bool error; };
struct cc_sm {
  bool active;
  struct cc_version *version;
  uint32_t addr, next;                 /* offered read; sequential reads go on here */
  unsigned head, n;
  struct cc_expected expected[CC_DEEPEST];
  uint64_t idle_since, last_late, streak, last_number; /* last_number: of the version of its last item */
};

struct cc_choice {
  uint64_t mem, reads, dones, places;
  uint32_t flags, draw, data, reg;
  struct simt_front_choice front;      /* for the unit */
};
enum { CC_F_CMD = 1, CC_F_WORK = 2, CC_F_SYNC = 4, CC_F_BAD = 8, CC_F_RESET = 16, CC_F_REG = 32, CC_F_REPEAT = 64, CC_F_OUTSIDE = 128,
       CC_F_SEQUENTIAL = 256, CC_F_SLOW = 512 };

#define CC_ENV_PORTS(PORT) \
  PORT(rst, rst_i) PORT(cmd_valid, cmd_valid_i) PORT(cmd_ready, cmd_ready_o) PORT(cmd_kind, cmd_kind_i) \
  PORT(cmd_addr, cmd_addr_i) PORT(cmd_data, cmd_data_i) PORT(cmd_done, cmd_done_o) \
  PORT(work_valid, work_valid_o) PORT(work_sm, work_sm_o) PORT(work_item, work_item_o) \
  PORT(done_valid, done_valid_i) PORT(done_ready, done_ready_o) PORT(rd_valid, rd_valid_i) \
  PORT(rd_ready, rd_ready_o) PORT(rd_addr, rd_addr_i) PORT(rsp_valid, rsp_valid_o) \
  PORT(rsp_error, rsp_error_o) PORT(rsp_data, rsp_data_o) PORT(error, error_o) \
  PORT(reg_valid, reg_req_valid_i) PORT(reg_ready, reg_req_ready_o) PORT(reg_write, reg_req_write_i) \
  PORT(reg_addr, reg_req_addr_i) PORT(reg_data, reg_req_data_i) PORT(reg_rsp, reg_rsp_valid_o) \
  PORT(reg_rdata, reg_rsp_data_o) PORT(reg_error, reg_rsp_error_o) PORT(m_valid, mem_rsp_valid_i) \
  PORT(m_ready, mem_rsp_ready_o) PORT(m_tag, mem_rsp_tag_i) PORT(m_asks, mem_req_valid_o) PORT(w_valid, ctx_out_valid_o) \
  PORT(w_ready, ctx_out_ready_i) PORT(w_last, ctx_out_last_o)
SIMT_PORTS(cc_env_ports, CC_ENV_PORTS)

struct cc_env {
  const struct simt_config *cfg;
  struct cc_layout l;
  struct simt_memory *memory;
  struct simt_rng rng;
  uint64_t seed, cycle, part;
  bool directed;
  unsigned profile, test, first_test, end_test;
  unsigned now;                        /* the profile of this cycle */
  uint32_t window;                     /* first of the words that are used, of this seed */
  struct cc_env_ports at;
  unsigned rd_words;

  /* the command that is offered */
  bool offered;
  unsigned kind;
  uint32_t addr;
  uint64_t data[CC_MOST_WORDS];

  /* golden model */
  uint64_t *value;                     /* the current version; */
  uint64_t fills;                      /* times that all of it was replaced, */
  uint32_t low, high;                  /* since the last of them only words from low up to below high have changed */
  uint8_t *failed;                     /* per address: memory failed on it: bit 0 a read, bit 1 a write-back */
  struct cc_version *pool, *latest;    /* latest: equal to value, or NULL */
  unsigned pool_n;
  uint64_t snapshots;
  struct cc_pending queue[CC_QUEUE];
  unsigned q_head, q_n;
  struct cc_sm sm[CC_MOST_SM];
  unsigned active, unanswered;
  uint64_t reading;                    /* a bit for each SM with a read unanswered; */
  uint64_t busy, reads, dones;         /* that is active; with a read, a completion offered */
  uint32_t addrs[CC_MOST_SM / 2];      /* rd_addr_i */
  uint64_t base;
  uint64_t reset_cycle;                /* of rst_i */
  bool ready;                          /* a command could be taken since */
  bool fresh;                          /* no command since reset or a completed invalidate */
  uint32_t errors;                     /* expected bits of CC_ERROR */
  bool errors_unsure;                  /* cleared while something happened: the next read tells */
  enum cc_known { CC_NO, CC_YES, CC_PERHAPS } memory_failed; /* bit 5 or 6 of CC_ERROR: which of them is not known */
  uint64_t error_cycle;                /* last cycle with an event */
  uint64_t all_writes; /* never cleared */
  uint64_t writes, works, repeats, lawful_reads, event_cycle;
  uint64_t waited_least, waited_most;  /* cycles in which the oldest command is a work item and all SMs are active: bounds */
  uint64_t head_since, last_done;      /* cycle in which the oldest item or sync became that; of the last completion */

  /* registers */
  struct cc_access { bool write; uint32_t addr, data; } offered_access; /* of the register port, while reg.busy */
  struct { bool busy, sent, write; uint32_t addr, data; uint64_t since, cleared; } reg; /* the one that was taken, while sent */

  /* the front end (STATUS) */
  struct {
    struct simt_front shell;
    struct simt_front_unit unit;
    struct cc_kept *kept;              /* the golden model by slots */
    bool holds, clears, opened;        /* a reset is ordered: no register is written; it is under way; commands were taken since the last one */
    unsigned accesses, own, reads;     /* of memory, under way; cycles of this halt without one: without a read unanswered, with one */
    unsigned clearing, still;          /* cycles of this reset without one; of a save or load in which no word moved */
    unsigned due, words;               /* reads that were unanswered at this reset; words of this save */
    bool cleared;                      /* the last reset is over */
    uint64_t moved;
    bool nacked;                       /* nack_o, one cycle ago */
  } front;

  /* directed */
  unsigned step, waited, script_phase, script_error, script_count;
  uint64_t script_since;
  bool finished;
  uint64_t mark;

  uint64_t done_works, answers, commands, resets;
  unsigned write_run, taken_run, work_run;
  uint64_t last_write_taken, last_work;
  uint64_t cover[CC_COVERS];
  uint16_t cover_place[CC_COVERS];
  uint64_t covered[CC_COVERS];
  uint32_t flags;
  uint64_t places;
  bool was_reset;
  char message[200];
};

static inline void cc_hit(struct cc_env *e, enum cc_cover point) { e->cover[point]++; }
/* Word i of a line in a port. */
static inline uint64_t cc_word(const struct cc_env *e, const uint32_t *w, unsigned i) { return simt_get_bits(w, i * e->l.word_w, e->l.word_w); }

const char *cc_wrong(struct cc_env *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* stimulus.c */
extern const struct simt_named cc_profiles[];
void cc_choose(struct cc_env *e, struct cc_choice *c);
void cc_next_command(struct cc_env *e, const struct cc_choice *c);
uint32_t cc_place(const struct cc_env *e, uint64_t draw); /* of a word */

/* golden.c */
bool cc_golden_create(struct cc_env *e);
void cc_golden_destroy(struct cc_env *e);
void cc_golden_restart(struct cc_env *e); /* as after a reset: what memory holds is the current version */
const char *cc_golden_observe(struct cc_env *e, const uint32_t *in, const uint32_t *out);
void cc_golden_clear(struct cc_env *e);     /* a reset of the unit: as restart, but the base stays */
void cc_golden_cleared(struct cc_env *e);   /* it is over */
uint64_t cc_golden_memory(struct cc_env *e, uint32_t addr);
bool cc_kept_create(struct cc_env *e);      /* contexts: the golden model by slots */
void cc_kept_destroy(struct cc_env *e);
void cc_kept_save(struct cc_env *e, unsigned slot);
void cc_kept_load(struct cc_env *e, unsigned slot);
uint64_t cc_kept_base(const struct cc_env *e, unsigned slot);
enum cc_known cc_golden_nack(const struct cc_env *e); /* whether an error of memory is recorded */
void cc_golden_moved(struct cc_env *e);     /* the base is another one */
void cc_golden_outside(struct cc_env *e, uint64_t draw);

/* front.c */
bool cc_front_create(struct cc_env *e);
void cc_front_destroy(struct cc_env *e);
void cc_front_restart(struct cc_env *e);
struct simt_front_choice cc_front_choose(const struct cc_env *e, uint64_t draw, uint64_t more);
void cc_front_drive(struct cc_env *e, const struct simt_front_choice *c, uint32_t *in);
bool cc_front_keeps_registers(const struct cc_env *e); /* none is accessed in this cycle */
bool cc_front_moves_base(const struct cc_env *e);      /* another program may begin elsewhere */
const char *cc_front_observe(struct cc_env *e, const uint32_t *in, const uint32_t *out); /* before the golden model */
void cc_front_step(struct cc_env *e, const uint32_t *in);

/* context.c */
void cc_context_nonsense(const void *env, uint32_t *payload, uint32_t place);
const char *cc_context_judge(struct cc_env *e, const uint32_t *payload, unsigned words);

/* registers.c */
void cc_registers_drive(struct cc_env *e, const struct cc_choice *c, uint32_t *in);
/* A write of the base is offered, or taken and not answered yet. */
bool cc_registers_move_base(const struct cc_env *e);
const char *cc_registers_observe(struct cc_env *e, const uint32_t *in, const uint32_t *out);

/* directed.c */
extern const struct simt_named cc_directed[];
bool cc_directed_choose(struct cc_env *e, struct cc_choice *c);
void cc_directed_drive(struct cc_env *e, const uint32_t *out, uint32_t *in);
const char *cc_directed_observe(struct cc_env *e, const uint32_t *in, const uint32_t *out);

/* sim.c */
extern const struct simt_named cc_pickers[];
bool cc_sim(const struct simt_config *cfg, const struct simt_stimulus *stim,
            void (*put)(void *ctx, const char *name, double value, const char *unit, const char *doc), void *ctx,
            struct simt_diag *diag);

#endif
