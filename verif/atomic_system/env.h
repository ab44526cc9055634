/* SPDX-License-Identifier: Apache-2.0 */
/* env.h: the environment of an atomic_system: threads of all caches, a memory, and the serial-order checker around them. */
#ifndef ATOMIC_SYSTEM_ENV_H
#define ATOMIC_SYSTEM_ENV_H

#include "atomic_merge/checker.h"
#include "atomic_merge/layout.h"
#include "atomic_system/parts.h"
#include "core/memory.h"
#include "core/ports.h"
#include "core/unit_front.h"
#include "core/verif.h"

extern const struct simt_verif simt_verif_atomic_system;

struct as_choice { /* masks have a bit per cache */
  uint64_t request, ready, draw, mem;
  uint8_t profile, sync, reset;
  uint8_t forge;            /* a context is made up in place of the one that is to be loaded */
  uint8_t access;           /* of the registers: bit 0 there is one, 1 a write, 4 to 7 the word */
  int8_t cache;             /* directed: the one that sends `one`, or -1 */
  struct amc_request one;   /* its thread id is found */
  struct simt_front_choice front;
};

enum as_profile { AS_MIXED, AS_HOT_COUNTER, AS_FALSE_SHARING, AS_ONE_WORD, AS_MANY_LINES, AS_FENCES, AS_BACK_PRESSURE, AS_BOUNDING_BOX, AS_IDLE, AS_HALTS, AS_HALT_OFTEN, AS_PROFILES };
enum as_sync { AS_RUNS, AS_DRAINS, AS_FLUSHES, AS_SETTLES };

#define AS_PORTS(PORT) PORT(rst, rst_i) PORT(req_valid, req_valid_i) PORT(req_ready, req_ready_o) PORT(req_op, req_op_i) PORT(req_size, req_size_i) \
  PORT(req_mode, req_mode_i) PORT(req_addr, req_addr_i) PORT(req_data, req_data_i) PORT(req_compare, req_compare_i) PORT(req_tid, req_tid_i) \
  PORT(ans_valid, ans_valid_o) PORT(ans_ready, ans_ready_i) PORT(ans_tid, ans_tid_o) PORT(ans_status, ans_status_o) PORT(ans_data, ans_data_o) \
  PORT(wit_valid, wit_valid_o) PORT(wit_kind, wit_kind_o) PORT(wit_tid, wit_tid_o) PORT(wit_temp, wit_temp_o) \
  PORT(bad_count, home_bad_count_o) PORT(bad_line, home_bad_line_o) PORT(home_lost, home_lost_count_o) PORT(home_lost_line, home_lost_line_o) \
  PORT(lost_count, lost_count_o) PORT(lost_line, lost_line_o) PORT(unasked, unasked_o) PORT(idle, idle_o)
SIMT_PORTS(as_ports, AS_PORTS)

enum { AS_POOL = 72, AS_SLOTS = 3 /* contexts that are kept */ };
enum { AS_RELEASES, AS_WRITES, AS_CACHES };   /* what was lost, in the order of a context: of the home, of each cache */
struct as_lost { uint32_t count; bool unasked; uint64_t line; };
struct as_context { struct as_lost of[AS_CACHES + AS_MAX_CACHES]; bool nack; };
/* refused: of each thread id, answers to come that say it has a request under way. */
struct as_thread_port { bool has_request, flushed; bool *live; uint8_t *refused; unsigned n_live, next_tid; struct amc_request request; };

struct as_access { bool offered, taken, write; uint32_t addr; };
struct as_front { /* the front end, what it knows of the system, and who asks its registers */
  struct simt_front shell;
  struct simt_front_unit desc;
  struct simt_reg_ports reg_at;
  struct as_access reg;
  uint64_t own, since, nothing; /* HALT_OWN; cycles of a halt; with nothing there */
  unsigned mem_req, mem_rsp, clearing, clears; /* cycles of clearing behind a reset, and those to come */
  bool on_bus, was_open, failed, nack, nack_written, drops, moved, held, found_many;
  bool aborts, error, nack_loaded, nack_next, head_left, loaded; /* loaded: behind the last reset */
  unsigned head_age, failed_writes; /* since the contents of `is` were sure */
  struct as_context is, now, slot[AS_SLOTS]; /* is: what the golden model knows; now: as the ports say */
};

struct as_env {
  const struct simt_config *cfg;
  struct am_layout l;
  unsigned caches, tids, pool, status;
  struct as_ports at;
  struct simt_memory *memory;
  struct as_front front;
  struct am_checker *checker;
  struct simt_rng rng;
  uint64_t seed, cycle, planned, answers;
  int profile, directed, test;
  unsigned step, waited;
  struct as_thread_port port[AS_MAX_CACHES];
  enum as_sync sync;
  unsigned quiet;           /* cycles without anything at memory, while it settles */
  uint64_t failed_line, failed_until;
  unsigned writes_open;     /* in memory */
  uint64_t under_way;       /* accesses to memory that were open when the cycle began */
  bool lost_line[AS_POOL];  /* a write of it failed: memory has what it has */
  bool fresh;               /* the checker is to take over what memory holds */
  int16_t user[AS_POOL], merger[AS_POOL];
  uint64_t cover[AS_COVERS], covered[AS_COVERS];
  char message[240];
};

extern const struct simt_named as_profiles[], as_directed[];
uint64_t as_pool_line(const struct as_env *e, unsigned i);
void as_make_request(const struct as_env *e, const struct as_choice *c, unsigned cache, struct amc_request *r);
bool as_choose(void *env, void *choice);
void as_forget(struct as_env *e); /* as a reset */
const char *as_compare_memory(struct as_env *e, const char *what);
void as_lose(struct as_env *e, unsigned cache, unsigned relaxed); /* so many were dropped with a failed fetch */
/* unit.c */
bool as_find_unit(struct as_env *e);
void as_free_unit(struct as_env *e);
void as_forget_unit(struct as_env *e);
void as_clear_slots(struct as_env *e);
void as_drive_unit(struct as_env *e, const struct as_choice *c, uint32_t *in);
const char *as_see_unit(struct as_env *e, const uint32_t *in, const uint32_t *out);
unsigned as_live(const struct as_env *e); /* requests without an answer, those offered included */


#endif
