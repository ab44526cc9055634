/* SPDX-License-Identifier: Apache-2.0 */
/* verif.c: environment of front_end: units of its own under the tree, a memory behind the hub, software at the
 * registers. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "front_end/env.h"

extern const struct simt_block simt_block_front_end;
extern const struct simt_verif simt_verif_front_end;

static const struct simt_named profiles[] = {
  {"switches", "One command after another, all kinds; memory answers at any time.", "US-8"},
  {"errors", "Memory refuses reads and writes now and then.", "US-9"},
  {"deadlocks", "Short windows with every policy, units that wait for long.", "US-10"},
  {"resets", "rst_i in mid-run.", "US-7"},
  {"idle", "Few commands; units at work.", "US-11"},
  {NULL, NULL, NULL}};
enum { P_SWITCHES, P_ERRORS, P_DEADLOCKS, P_RESETS, P_IDLE, N_PROFILES };

static const struct simt_named directed[] = {
  {"switch", "All units are switched to contexts that were saved before.", "US-8"},
  {"save", "All units are saved and go on.", "US-8"},
  {"commands", "Every command on every domain.", "US-8"},
  {NULL, NULL, NULL}};

#define OP(kind, command, save, load) ((kind) | ((command) - FEM_SWITCH) << 12 | (save) << 16 | (load) << 20)
static const uint32_t script_switch[] = {OP(FE_OP_COMMAND, FEM_SAVE, 0, 0), OP(FE_OP_COMMAND, FEM_SWITCH, 1, 0), 0};
static const uint32_t script_save[] = {OP(FE_OP_COMMAND, FEM_SAVE, 0, 0), 0};
static const uint32_t script_commands[] = {
  OP(FE_OP_COMMAND, FEM_EMPTY, 0, 0), OP(FE_OP_COMMAND, FEM_SWITCH, 1, 0), OP(FE_OP_COMMAND, FEM_SAVE, 0, 0),
  OP(FE_OP_COMMAND, FEM_DO_RESTORE, 0, 1), OP(FE_OP_COMMAND, FEM_SWITCH, 1, 0), 0};
static const uint32_t *const scripts[] = {script_switch, script_save, script_commands};
enum { N_SCRIPTS = sizeof scripts / sizeof *scripts, CALM = 40, DIRECTED_LATENCY = 6 };

void fe_hit(struct fe_env *e, int point) {
  if (e->place[point] >= 0) e->listed[e->place[point]]++;
}

/* ---- creation --------------------------------------------------------------------------------------- */

static int index_of(const struct simt_named *list, const char *name) {
  for (int i = 0; name && list[i].name; i++)
    if (!strcmp(list[i].name, name)) return i;
  return -1;
}

static void restart_units(struct fe_env *e) {
  for (unsigned u = 0; u < e->topology.units; u++) {
    e->unit[u].number = u;
    e->unit[u].encoding = e->encoding;
    fe_unit_reset(&e->unit[u]);
  }
}

static void restart(void *env) {
  struct fe_env *e = env;
  simt_rng_seed(&e->rng, e->stim.seed);
  e->cycle = e->done = e->at = 0;
  e->script = index_of(directed, e->stim.profile);
  if (e->script < 0) e->script = 0;
  simt_memory_restart(e->memory);
  simt_memory_fixed(e->memory, strcmp(e->stim.kind, "directed") ? 0 : DIRECTED_LATENCY);
  memset(e->record, 0, sizeof *e->record * FE_BANKS * e->topology.units);
  restart_units(e);
  fe_software_restart(e);
}

static void read_config(struct fe_env *e, const struct simt_config *cfg) {
  static const unsigned width[] = {5, 4, 3};
  e->encoding = (unsigned)simt_param(cfg, "ENCODING");
  e->state_w = width[e->encoding];
  e->stride_lg = (unsigned)simt_param(cfg, "CTX_STRIDE_LG");
  e->slots = (unsigned)simt_param(cfg, "LOCAL_CONTEXTS");
  e->local_words = (unsigned)simt_param(cfg, "LOCAL_WORDS");
  e->banks = FE_MEMORY_BANKS;
  const unsigned bits = (unsigned)simt_param(cfg, "ADDR_W") < 32 ? (unsigned)simt_param(cfg, "ADDR_W") : 32;
  while (e->banks > 1 && ((uint64_t)e->banks * e->topology.units << e->stride_lg) > UINT64_C(1) << bits) e->banks--;
}

static void destroy(void *env) {
  struct fe_env *e = env;
  if (!e) return;
  simt_memory_destroy(e->memory);
  simt_topology_free(&e->topology);
  free(e->unit);
  free(e->shown);
  free(e->record);
  free(e->saves);
  free(e);
}

static void *create(const struct simt_config *cfg, const struct simt_stimulus *stim, struct simt_diag *diag) {
  struct fe_env *e = calloc(1, sizeof *e);
  if (e && simt_topology_make(cfg, &e->topology, diag) && (e->memory = simt_memory_create(cfg, diag))) {
    const unsigned n = e->topology.units;
    e->unit = calloc(n, sizeof *e->unit);
    e->shown = calloc(n, sizeof *e->shown);
    e->record = calloc((size_t)FE_BANKS * n, sizeof *e->record);
    e->saves = calloc(4, n);
    if (e->unit && e->shown && e->record && e->saves) {
      e->loads = e->saves + n;
      e->clears = e->loads + n;
      e->before = e->clears + n;
      e->stim = *stim;
      e->profile = index_of(profiles, stim->profile);
      read_config(e, cfg);
      fe_inputs_bind(&e->in, cfg);
      fe_outputs_bind(&e->out, cfg);
      fe_covers(cfg, &e->topology, NULL, e->place);
      restart(e);
      return e;
    }
  }
  destroy(e);
  simt_fail(diag, cfg->name, "no memory", "memory for the environment");
  return NULL;
}

/* ---- what to do ------------------------------------------------------------------------------------- */

static bool choose_directed(struct fe_env *e, struct fe_choice *c) {
  *c = (struct fe_choice){.dice = 3}; /* the units compute */
  if (e->cycle < 4) c->dice = 2u << 8 | 7u << 14 | 1u << 30;
  const bool busy = e->n_queue || e->waiting;
  bool open = false;
  for (unsigned d = 0; d < e->topology.domains; d++) open |= e->run[d].open;
  if (busy || e->cycle < CALM) return true;
  if (open) {
    c->op = FE_OP_POLL;
    for (unsigned d = 0; d < e->topology.domains; d++)
      if (e->run[d].open) c->op = FE_OP_POLL | d << 4;
    return true;
  }
  const uint32_t *s = scripts[e->script];
  if (!s[e->at / e->topology.domains]) {
    if (e->idle++ < CALM) return true;
    if (e->stim.profile || ++e->script == N_SCRIPTS) return false;
    e->at = 0;
  }
  e->idle = 0;
  c->op = s[e->at / e->topology.domains] | e->at % e->topology.domains << 4;
  e->at++;
  return true;
}

static bool choose(void *env, void *choice) {
  static const struct simt_memory_rates rates[] = {{180, 120, 128, 0}, {200, 200, 128, 400}};
  struct fe_env *e = env;
  struct fe_choice *c = choice;
  if (!strcmp(e->stim.kind, "directed")) return choose_directed(e, c);
  const uint64_t r = simt_rng_next(&e->rng), s = simt_rng_next(&e->rng);
  const int profile = e->profile >= 0 ? e->profile : (int)(e->cycle * N_PROFILES / (e->stim.cycles + 1) % N_PROFILES);
  *c = (struct fe_choice){.mem = simt_memory_choose(&e->rng, &rates[profile == P_ERRORS]), .dice = (uint32_t)r, .op = (uint32_t)s};
  const unsigned turn = (unsigned)(s >> 32);
  unsigned kind = turn % 16 < 8 ? FE_OP_NONE : turn % 16 < 15 ? FE_OP_COMMAND : FE_OP_SECOND;
  if (turn >> 4 & 1 && kind == FE_OP_NONE) kind = FE_OP_POLL;
  if (profile == P_IDLE && turn >> 5 & 15) kind = turn >> 9 & 1 ? FE_OP_POLL : FE_OP_NONE;
  if (turn >> 12 & 63) c->op = (c->op & ~15u) | kind;
  else c->op = (c->op & ~15u) | (turn & 1 ? FE_OP_IRQ : FE_OP_READ);
  if (profile == P_DEADLOCKS) {
    if (turn >> 18 & 1) c->op = (c->op & ~15u) | (turn >> 19 & 15 ? FE_OP_NONE : FE_OP_WINDOW);
    c->dice &= ~(turn >> 24 & 7 ? 0x3f00u : 0); /* seldom another mode */
  }
  c->reset = profile == P_RESETS && turn >> 23 == 0;
  return true;
}

/* ---- choices into inputs ---------------------------------------------------------------------------- */

static void put(uint32_t *words, unsigned at, unsigned width, uint32_t value) {
  const uint32_t mask = (1u << width) - 1;
  uint32_t *w = words + at / 32;
  w[0] = (w[0] & ~(mask << at % 32)) | (value & mask) << at % 32;
  if (at % 32 + width > 32) w[1] = (w[1] & ~(mask >> (32 - at % 32))) | (value & mask) >> (32 - at % 32);
}

static bool bit(const uint32_t *words, unsigned at) { return words[at / 32] >> at % 32 & 1; }

static void drive(void *env, const void *choice, const uint32_t *out, uint32_t *in) {
  struct fe_env *e = env;
  const struct fe_choice *c = choice;
  (void)out;
  in[e->in.rst] = c->reset != 0;
  for (unsigned u = 0; u < e->topology.units; u++) {
    const struct fe_unit_out o = e->shown[u] = fe_unit_outputs(&e->unit[u]);
    put(in + e->in.state, u * e->state_w, e->state_w, o.state);
    put(in + e->in.progress, u, 1, o.progress);
    put(in + e->in.waiting, u, 1, o.waiting);
    put(in + e->in.gather, u, 1, o.gather);
    put(in + e->in.nack, u, 1, o.nack);
    put(in + e->in.cmd_ready, u, 1, o.cmd_ready);
    put(in + e->in.done, u, 1, o.done);
    put(in + e->in.error, 3 * u, 3, o.error);
    put(in + e->in.out_valid, u, 1, o.out_valid);
    put(in + e->in.out_last, u, 1, o.out_last);
    put(in + e->in.in_ready, u, 1, o.in_ready);
    in[e->in.out_data + u] = o.data;
  }
  simt_memory_drive(e->memory, c->mem, in);
  fe_software_drive(e, c->op, in);
  e->dice = c->dice;
}

/* ---- what came of it -------------------------------------------------------------------------------- */

static uint32_t scatter(uint32_t seed, uint32_t i) {
  uint32_t x = seed ^ (i * 0x9e3779b9u);
  x = (x ^ x >> 16) * 0x85ebca6bu;
  return x ^ x >> 13;
}

static const char *step_unit(struct fe_env *e, unsigned u, uint32_t dice, const uint32_t *out) {
  struct fe_unit *unit = &e->unit[u];
  const struct fe_unit_in i = {
    .halt = bit(out + e->out.halt, u), .reset = bit(out + e->out.reset, u), .resume = bit(out + e->out.resume, u),
    .cmd_valid = bit(out + e->out.cmd_valid, u), .cmd_load = out[e->out.cmd_load], .out_ready = bit(out + e->out.out_ready, u),
    .in_valid = bit(out + e->out.in_valid, u), .in_last = out[e->out.in_last], .in_error = out[e->out.in_error],
    .in_data = out[e->out.in_data]};
  const enum simt_unit_state before = unit->status.state;
  if (i.cmd_valid && e->shown[u].cmd_ready) fe_golden_moves(e, u, i.cmd_load);
  const unsigned events = fe_unit_step(unit, &i, dice);
  if (before != SIMT_HALTED && unit->status.state == SIMT_HALTED) fe_hit(e, FE_COVER_FROM + (int)before);
  if (events & FE_RESUMED) fe_hit(e, FE_COVER_RESUMED);
  if (events & FE_CLEARED) fe_hit(e, FE_COVER_CLEARED);
  if (events & FE_NACKED) fe_hit(e, FE_COVER_NACK);
  return fe_golden_events(e, u, events);
}

static void cover_mixed(struct fe_env *e) {
  for (unsigned c = 0; c < e->topology.conns; c++)
    for (unsigned u = 1; u < e->topology.conn[c].members; u++)
      if (e->unit[e->topology.conn[c].first + u].status.state != e->unit[e->topology.conn[c].first].status.state) {
        fe_hit(e, FE_COVER_MIXED);
        return;
      }
}

/* A memory error excuses the command of the domain whose unit's image it hit. */
static void excuse(struct fe_env *e) {
  const struct simt_memory_event *a = simt_memory_answered(e->memory);
  if (!a || !a->error) return;
  for (unsigned d = 0; d < e->topology.domains; d++) e->run[d].excused = true;
}

static const char *observe(void *env, const uint32_t *in, const uint32_t *out) {
  struct fe_env *e = env;
  const char *wrong = simt_memory_observe(e->memory, in, out);
  excuse(e);
  if (out[e->out.irq]) fe_hit(e, FE_COVER_IRQ);
  for (unsigned u = 0; u < e->topology.units; u++) {
    const char *unit = step_unit(e, u, scatter(e->dice, u), out);
    if (!wrong) wrong = unit;
  }
  cover_mixed(e);
  const char *software = fe_software_observe(e, in, out);
  if (in[e->in.rst]) {
    for (unsigned d = 0; d < e->topology.domains; d++)
      if (e->run[d].open) fe_hit(e, FE_COVER_RESET);
    restart_units(e);
    fe_software_restart(e);
    for (unsigned i = 0; i < FE_BANKS * e->topology.units; i++) e->record[i].saved = false;
    return NULL;
  }
  e->cycle++;
  return wrong ? wrong : software;
}

static uint64_t progress(const void *env, bool *busy) {
  const struct fe_env *e = env;
  *busy = false;
  for (unsigned d = 0; d < e->topology.domains; d++) *busy |= e->run[d].open;
  return e->done;
}

static const uint64_t *coverage(const void *env) { return ((const struct fe_env *)env)->listed; }

static void explain(const void *env, const uint32_t *in, char *to, size_t room) {
  const struct fe_env *e = env;
  if (in[e->in.rst]) snprintf(to, room, "reset");
  else if (!in[e->in.reg_valid]) snprintf(to, room, "-");
  else if (in[e->in.reg_write]) snprintf(to, room, "write 0x%03x 0x%x", in[e->in.reg_addr], in[e->in.reg_data]);
  else snprintf(to, room, "read 0x%03x", in[e->in.reg_addr]);
}

const struct simt_verif simt_verif_front_end = {
  .block = &simt_block_front_end,
  .profiles = profiles,
  .directed = directed,
  .choice_size = sizeof(struct fe_choice),
  .stuck_cycles = 200000,
  .create = create,
  .destroy = destroy,
  .restart = restart,
  .choose = choose,
  .drive = drive,
  .observe = observe,
  .progress = progress,
  .coverage = coverage,
  .explain = explain,
};
