/* SPDX-License-Identifier: Apache-2.0 */
/* verif.c: the lone status cell against the table of its transitions (US-3), written from the specification. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "status_fsm/status_fsm.h"
#include "core/unit_status.h"
#include "core/verif.h"

extern const struct simt_verif simt_verif_status_fsm;

/* The first row of the state whose `ones` are all 1 and whose `zeros` are all 0 says what comes next. */
#define B(name) (1u << SIG_##name)
static const struct fsm_env_row { enum simt_unit_state from, to; uint32_t ones, zeros; } table[N_ROWS] = {
  [ROW_halted_halt] = {SIMT_HALTED, SIMT_HALTED, B(HALT), 0},
  [ROW_halted_in] = {SIMT_HALTED, SIMT_ACTIVE, B(IN), 0},
  [ROW_halted_out] = {SIMT_HALTED, SIMT_ACTIVE, B(OUT), 0},
  [ROW_halted_work_can] = {SIMT_HALTED, SIMT_ACTIVE, B(WORK), B(CANNOT)},
  [ROW_halted_work] = {SIMT_HALTED, SIMT_QUIESCENT, B(WORK), 0},
  [ROW_halted_else] = {SIMT_HALTED, SIMT_EMPTY, 0, 0},
  [ROW_empty_halt] = {SIMT_EMPTY, SIMT_HALTED, B(HALT) | B(CAN_HALT), B(IN)},
  [ROW_empty_in] = {SIMT_EMPTY, SIMT_ACTIVE, B(IN), 0},
  [ROW_empty_out] = {SIMT_EMPTY, SIMT_ACTIVE, B(OUT), 0},
  [ROW_empty_proc] = {SIMT_EMPTY, SIMT_ACTIVE, B(PROC), 0},
  [ROW_empty_work] = {SIMT_EMPTY, SIMT_ACTIVE, B(WORK), 0},
  [ROW_empty_mem] = {SIMT_EMPTY, SIMT_ACTIVE, B(MEM), 0},
  [ROW_empty_else] = {SIMT_EMPTY, SIMT_EMPTY, 0, 0},
  [ROW_active_halt] = {SIMT_ACTIVE, SIMT_HALTED, B(HALT) | B(CAN_HALT), 0},
  [ROW_active_nack] = {SIMT_ACTIVE, SIMT_QUIESCENT, B(NACK), 0},
  [ROW_active_blocked] = {SIMT_ACTIVE, SIMT_STALLED, B(BLOCKED) | B(CANNOT), 0},
  [ROW_active_idle_work] = {SIMT_ACTIVE, SIMT_QUIESCENT, B(WORK), B(IN) | B(PROC) | B(OUT)},
  [ROW_active_idle_mem] = {SIMT_ACTIVE, SIMT_QUIESCENT, B(MEM), B(IN) | B(PROC) | B(OUT)},
  [ROW_active_idle] = {SIMT_ACTIVE, SIMT_EMPTY, 0, B(IN) | B(PROC) | B(OUT)},
  [ROW_active_else] = {SIMT_ACTIVE, SIMT_ACTIVE, 0, 0},
  [ROW_stalled_halt] = {SIMT_STALLED, SIMT_HALTED, B(HALT) | B(CAN_HALT), 0},
  [ROW_stalled_not_blocked] = {SIMT_STALLED, SIMT_ACTIVE, 0, B(BLOCKED)},
  [ROW_stalled_can] = {SIMT_STALLED, SIMT_ACTIVE, 0, B(CANNOT)},
  [ROW_stalled_else] = {SIMT_STALLED, SIMT_STALLED, 0, 0},
  [ROW_quiescent_halt] = {SIMT_QUIESCENT, SIMT_HALTED, B(HALT) | B(CAN_HALT), 0},
  [ROW_quiescent_in] = {SIMT_QUIESCENT, SIMT_ACTIVE, B(IN), 0},
  [ROW_quiescent_proc] = {SIMT_QUIESCENT, SIMT_ACTIVE, B(PROC), 0},
  [ROW_quiescent_out] = {SIMT_QUIESCENT, SIMT_ACTIVE, B(OUT), 0},
  [ROW_quiescent_resume] = {SIMT_QUIESCENT, SIMT_ACTIVE, B(RESUME), 0},
  [ROW_quiescent_mem_done] = {SIMT_QUIESCENT, SIMT_ACTIVE, B(MEM_DONE), 0},
  [ROW_quiescent_nothing] = {SIMT_QUIESCENT, SIMT_ACTIVE, 0, B(WORK) | B(MEM)},
  [ROW_quiescent_else] = {SIMT_QUIESCENT, SIMT_QUIESCENT, 0, 0},
};

struct fsm_env_choice { uint32_t signals, commands; };
enum { HALT = 1, RESET = 2, RESUME = 4, RESET_ALL = 8 };

struct fsm_env {
  struct simt_rng rng;
  uint64_t seed, done;
  enum simt_status_encoding encoding;
  struct simt_status_ports at;
  unsigned rst, signals, halt_req, halted, ctx_reset, resume;
  enum simt_unit_state state;
  bool halt, reset, try_resume, progress, gather, nack; /* what this cycle's outputs must show */
  uint64_t cover[2 * N_ROWS + 5];
};

static const struct simt_named profiles[] = {
  {"any", "Every combination of signals and commands.", "US-3 US-7"}, {NULL, NULL, NULL}};
static const struct simt_named directed[] = {{NULL, NULL, NULL}};

static void reset(struct fsm_env *e) {
  e->state = SIMT_EMPTY;
  e->halt = e->reset = e->try_resume = e->progress = e->gather = e->nack = false;
}

static void restart(void *env) {
  struct fsm_env *e = env;
  simt_rng_seed(&e->rng, e->seed);
  e->done = 0;
  reset(e);
}

static void *create(const struct simt_config *cfg, const struct simt_stimulus *stim, struct simt_diag *diag) {
  struct fsm_env *e = calloc(1, sizeof *e);
  if (!e) {
    simt_fail(diag, cfg->name, "no memory", "memory for the environment");
    return NULL;
  }
  e->seed = stim->seed;
  e->encoding = (enum simt_status_encoding)cfg->value[0];
  e->at = simt_find_status_ports(cfg);
  e->rst = simt_find_port(cfg, "rst_i")->word;
  e->signals = simt_find_port(cfg, "signals_i")->word;
  e->halt_req = simt_find_port(cfg, "halt_req_o")->word;
  e->halted = simt_find_port(cfg, "halted_o")->word;
  e->ctx_reset = simt_find_port(cfg, "ctx_reset_o")->word;
  e->resume = simt_find_port(cfg, "resume_o")->word;
  restart(e);
  return e;
}

/* Signals that are rarely all 0 would never let a state last: each cycle has its own density. */
static bool choose(void *env, void *choice) {
  struct fsm_env *e = env;
  struct fsm_env_choice *c = choice;
  uint64_t a = simt_rng_next(&e->rng), b = simt_rng_next(&e->rng);
  uint32_t w = (uint32_t)a, density = (uint32_t)(b >> 56) % 4;
  if (density > 1) w &= (uint32_t)(a >> 32);
  if (density > 2) w &= (uint32_t)b;
  c->signals = w & ((1u << N_SIGNALS) - 1);
  c->commands = (b >> 32 & 1 ? HALT : 0) | (b >> 33 & 31 ? 0 : RESET) | (b >> 38 & 3 ? 0 : RESUME) |
                (b >> 40 & 1023 ? 0 : RESET_ALL);
  return true;
}

static void drive(void *env, const void *choice, const uint32_t *out, uint32_t *in) {
  const struct fsm_env *e = env;
  const struct fsm_env_choice *c = choice;
  (void)out;
  in[e->rst] = (c->commands & RESET_ALL) != 0;
  in[e->at.halt] = (c->commands & HALT) != 0;
  in[e->at.reset] = (c->commands & RESET) != 0;
  in[e->at.resume] = (c->commands & RESUME) != 0;
  in[e->signals] = c->signals;
}

static enum simt_unit_state follow(struct fsm_env *e, uint32_t bits) {
  for (unsigned i = 0; i < N_ROWS; i++) {
    if (table[i].from != e->state) continue;
    bool last = !table[i].ones && !table[i].zeros;
    e->cover[N_ROWS + i] += last;
    if ((bits & table[i].ones) == table[i].ones && !(bits & table[i].zeros)) {
      e->cover[i]++;
      return table[i].to;
    }
    e->cover[N_ROWS + i]++;
  }
  return SIMT_EMPTY;
}

static const char *check(const struct fsm_env *e, const uint32_t *out, bool resume) {
  static const uint8_t codes[3][5] = {{1, 2, 4, 8, 16}, {0x3, 0x5, 0x6, 0x9, 0xa}, {0, 1, 2, 3, 4}};
  bool quiescent = e->state == SIMT_QUIESCENT, waits = quiescent || e->state == SIMT_STALLED;
  if (out[e->at.state] != codes[e->encoding][e->state]) return "the state is not the one of the table";
  if (out[e->halted] != (e->state == SIMT_HALTED)) return "halted_o does not agree with the state";
  if (out[e->halt_req] != e->halt || out[e->ctx_reset] != e->reset) return "a command comes at the wrong time";
  if (out[e->resume] != resume) return "resume comes at the wrong time or outside of quiescent";
  if (out[e->at.progress] != e->progress || out[e->at.waiting] != waits) return "progress or waiting is wrong";
  if (out[e->at.gather] != (quiescent && e->gather)) return "gather is wrong";
  return out[e->at.nack] == e->nack ? NULL : "the nack bit is wrong";
}

static const char *observe(void *env, const uint32_t *in, const uint32_t *out) {
  struct fsm_env *e = env;
  const uint32_t w = in[e->signals];
  const bool resume = e->try_resume && e->state == SIMT_QUIESCENT;
  const char *said = check(e, out, resume);
  const enum simt_unit_state next = follow(e, w | (e->halt ? B(HALT) : 0) | (resume ? 1u << SIG_RESUME : 0));
  e->done += next != e->state;
  if (e->reset) e->cover[2 * N_ROWS + e->state]++;
  e->state = e->reset ? SIMT_EMPTY : next;
  if (w & B(NACK)) e->nack = true;
  else if (w & B(NACK_WRITE)) e->nack = w & B(NACK_VALUE);
  if (e->reset) e->nack = false;
  e->progress = w & B(PROGRESS);
  e->gather = w & B(GATHER);
  e->halt = in[e->at.halt];
  e->reset = in[e->at.reset];
  e->try_resume = in[e->at.resume] && !e->halt && !e->reset;
  if (in[e->rst]) reset(e);
  return said;
}

static uint64_t progress(const void *env, bool *busy) {
  *busy = true;
  return ((const struct fsm_env *)env)->done;
}

static const uint64_t *coverage(const void *env) { return ((const struct fsm_env *)env)->cover; }

static void explain(const void *env, const uint32_t *in, char *to, size_t room) {
  const struct fsm_env *e = env;
  snprintf(to, room, "signals 0x%04x%s%s%s", in[e->signals], in[e->at.halt] ? ", halt" : "",
           in[e->at.reset] ? ", reset" : "", in[e->at.resume] ? ", resume" : "");
}

const struct simt_verif simt_verif_status_fsm = {
  .block = &simt_block_status_fsm, .profiles = profiles, .directed = directed,
  .choice_size = sizeof(struct fsm_env_choice), .stuck_cycles = 1000,
  .create = create, .destroy = free, .restart = restart, .choose = choose, .drive = drive,
  .observe = observe, .progress = progress, .coverage = coverage, .explain = explain,
};
