/* SPDX-License-Identifier: Apache-2.0 */
/* env.h: what the parts of the example unit's environment share: traffic and memory (verif.c), the golden model
 * (golden.c), and the front end that halts, saves, resets and loads (frontend.c). */
#ifndef GATHER_ENV_H
#define GATHER_ENV_H

#include "core/context_port.h"
#include "core/ports.h"
#include "gather_sum/gather_sum.h"
#include "core/memory.h"
#include "core/unit_status.h"
#include "core/verif.h"

enum { MAX_CHANNELS = 64, N_PROCESSES = 3, MAX_WORDS = MAX_CHANNELS + 16, UNIT_NUMBER = 0x1234 };

enum cover {
  COVER_HALTED_FROM, COVER_SWITCHED = COVER_HALTED_FROM + 4, COVER_FULL_CONTEXT, COVER_SAVED_AGAIN,
  COVER_REFUSED_HEADER, COVER_REFUSED_PAYLOAD, COVER_RESET_WITH_ACCESS, COVER_HALT_WITHDRAWN,
  COVER_REFUSED_ACCESS, COVER_WITHDRAWN, COVER_RELEASED_EARLY, COVER_HALTED_AGAIN, COVER_RESUMED, N_COVER /* the order of block.c */
};

struct sum { uint32_t channel, count, data; };

/* What the unit means: its channels, the word that waits for memory, the sums that are owed. */
struct golden {
  struct sum channel[MAX_CHANNELS], owed[4];
  unsigned n_owed, turn;
  uint32_t base;
  bool nack, flush, waits;    /* waits: a word that needs memory is unfinished */
  uint32_t wait_channel, wait_index;
};

enum { WANT_IN = 1, INDIRECT = 2, OUT_READY = 4, SWITCH = 8, GIVE_UP = 16, CTX_MOVES = 32, RESUME = 64,
       RESET_ALL = 128, RESET_UNIT = 256, REGISTER = 512, SPOIL = 1024, KEEP = 2048, IN_MOVES = 4096, BREAK = 8192 };

struct gs_env_choice {
  uint64_t mem;
  uint32_t data, aim;
  uint32_t flags;
};

enum { N_PROFILES = 4 };
enum front { RUN, HALTING, HALTED, SAVING, RESETTING, LOADING, AGAIN, BROKEN };
enum stage { NEW, SAVED, RESET, LOADED }; /* what the front end has done since the halt */
enum gs_env_spoil { NONE, FLIP, CUT, LONGER, UNREADABLE, OTHER_UNIT, OTHER_TYPE, OTHER_CONFIG, TOO_LONG, NONSENSE, N_SPOIL };

struct process { uint32_t words[MAX_WORDS]; unsigned n; struct golden golden; };

#define GS_ENV_PORTS(PORT) \
  PORT(rst, rst_i) PORT(in_valid, in_valid_i) PORT(in_ready, in_ready_o) PORT(in_channel, in_channel_i) \
  PORT(in_indirect, in_indirect_i) PORT(in_data, in_data_i) PORT(out_valid, out_valid_o) \
  PORT(out_ready, out_ready_i) PORT(out_channel, out_channel_o) PORT(out_count, out_count_o) \
  PORT(out_data, out_data_o) PORT(req_valid, mem_req_valid_o) PORT(req_ready, mem_req_ready_i) \
  PORT(req_addr, mem_req_addr_o) PORT(rsp_valid, mem_rsp_valid_i) PORT(rsp_ready, mem_rsp_ready_o) \
  PORT(rsp_error, mem_rsp_error_i) PORT(reg_valid, reg_req_valid_i) PORT(reg_ready, reg_req_ready_o) PORT(reg_write, reg_req_write_i) \
  PORT(reg_addr, reg_req_addr_i) PORT(reg_data, reg_req_data_i) PORT(reg_rsp, reg_rsp_valid_o) \
  PORT(reg_rsp_data, reg_rsp_data_o) PORT(reg_rsp_error, reg_rsp_error_o)

struct gs_env {
  struct simt_rng rng;
  struct simt_memory *memory;
  uint64_t seed, cycle, part, done;
  unsigned profile;            /* N_PROFILES: all in turn, `part` cycles each */
  bool sweep;                  /* directed: every way to spoil one context */
  uint32_t channels, group, type, hash, ctx_max, halt_own;
  enum simt_status_encoding encoding;
  struct simt_status_ports status;
  struct simt_context_ports ctx;
  GS_ENV_PORTS(SIMT_PORT_FIELD)

  bool held;                   /* a word is offered and not yet taken */
  uint32_t held_channel, held_indirect, held_data;

  struct golden g;
  bool halt_before, reset_before, resume_before; /* the commands of the cycle before */
  bool was_halt, was_reset;    /* and of the one before that */
  bool under_way, offered, must_refuse, may_refuse;
  unsigned reg_stage;          /* of a register access: 1 it executes, 2 it is answered in this cycle */
  struct { bool write; uint32_t addr, data; } access;
  unsigned dropped;            /* answers still due from before a reset */
  enum simt_unit_state state, last;
  uint32_t halt_cycles, reg_answer;

  enum front front, broken;
  enum stage stage;
  unsigned released;           /* cycles that a release of a broken command still lasts: then the halt is asked for again */
  bool blind;                  /* the front end broke the contract: the golden model looks away until a reset */
  bool intact;                 /* no refused load has cleared the unit since it was saved */
  unsigned now, next;          /* process that runs, that is switched to */
  struct process process[N_PROCESSES];
  uint32_t stream[MAX_WORDS];  /* of the save or load under way */
  unsigned at, n, found;       /* words moved, in all; what the store says of them with the last one */
  enum simt_context_error expected;
  bool command, in_payload;
  uint64_t sweep_at;

  uint64_t cover[N_COVER];
  char message[160];
};

const char *wrong(struct gs_env *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* golden.c: needs the cycle's inputs and outputs; NULL or what is wrong. */
void golden_reset(struct gs_env *e, bool all);
const char *golden_observe(struct gs_env *e, const uint32_t *in, const uint32_t *out);

/* frontend.c */
void front_restart(struct gs_env *e);
void front_drive(struct gs_env *e, const struct gs_env_choice *c, const uint32_t *out, uint32_t *in);
const char *front_observe(struct gs_env *e, const uint32_t *in, const uint32_t *out);
bool front_swept(const struct gs_env *e);

#endif
