/* SPDX-License-Identifier: Apache-2.0 */
/* verif.c: environment of status_tree: units that show any state, a front end that commands anything; coverage. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/ports.h"
#include "status_tree/status_tree.h"
#include "status_tree/golden.h"
#include "status_tree/layout.h"
#include "core/verif.h"

extern const struct simt_verif simt_verif_status_tree;

enum state_op { HOLD, ALL_SAME, ONE_UNIT, ONE_CONN, ALL_BUT_ONE, SOME, EVERY, ILLEGAL, N_STATE_OPS };
enum flag_op { FLAGS_HOLD, FLAGS_NONE, FLAGS_ONE, FLAGS_SOME, FLAGS_EVERY, N_FLAG_OPS };
enum command_op { PULSES_END, NOTHING, ONE, ONE_TOO, ALL, ANY, N_COMMAND_OPS };

struct tree_choice { /* raw numbers; which unit, connection and state they mean is taken modulo what there is */
  uint8_t state, flags, command, reset;
  uint8_t to, other, where, kinds; /* states; 0 first, 1 last, 2 any; bits of the commands */
  uint32_t unit, seed;
};

struct tree_places { unsigned rst, state, flag[TREE_FLAGS], command[TREE_KINDS]; }; /* rst: of the inputs */

struct tree_env {
  struct simt_rng rng;
  struct simt_stimulus stim;
  int profile;                 /* or -1: all in turn */
  int script;                  /* directed: the first one, and -1 behind the last */
  uint64_t at;                 /* cycles into the run, the profile or the script */
  struct tree_golden g;
  struct tree_frame now;
  unsigned first[TREE_UNITS];  /* unit of each connection */
  struct tree_places in, out;
  int place[TREE_COVERS];      /* in the description's list, or -1 */
  uint64_t hits[TREE_COVERS], flags_hit[1 << TREE_FLAGS], listed[TREE_COVERS], done;
  uint8_t last_code[TREE_UNITS], last_command[TREE_UNITS];
  unsigned follow[TREE_UNITS]; /* cycles in a row in which the connection's state changed */
};

static const struct simt_named profiles[] = {
  {"busy", "States, flags and commands change in every cycle.", "US-6"},
  {"calm", "Little happens: what does is seen by itself.", "US-6"},
  {"switches", "Groups halt one unit after another, are reset, and released.", "US-7"},
  {"resets", "As busy, with rst_i in mid-run.", "US-7"},
  {NULL, NULL, NULL}};

static const struct simt_named directed[] = {
  {"report", "A unit after another halts; a flag rises.", "US-6"},
  {"command", "Halt, reset, resume and release.", "US-7"},
  {"sweep", "Each unit in each state and with each flag, all others active.", "US-1"},
  {"commands", "Each command at each command connection.", "US-7"},
  {NULL, NULL, NULL}};

/* ---- creation --------------------------------------------------------------------------------------- */

static int index_of(const struct simt_named *list, const char *name) {
  for (int i = 0; name && list[i].name; i++)
    if (!strcmp(list[i].name, name)) return i;
  return -1;
}

static void restart(void *env) {
  struct tree_env *e = env;
  simt_rng_seed(&e->rng, e->stim.seed);
  e->at = e->done = e->g.cycle = 0;
  e->script = index_of(directed, e->stim.profile);
  if (e->script < 0) e->script = 0;
  tree_golden_reset(&e->g);
  memset(&e->now, 0, sizeof e->now);
  memset(e->now.code, e->g.word[0], e->g.units);
  memset(e->last_code, e->g.word[0], sizeof e->last_code);
  memset(e->last_command, 0, sizeof e->last_command);
  memset(e->follow, 0, sizeof e->follow);
}

#define TREE_IN(PORT) \
  PORT(rst, rst_i) PORT(state, unit_state_i) \
  PORT(flag[0], unit_progress_i) PORT(flag[1], unit_waiting_i) PORT(flag[2], unit_gather_i) PORT(flag[3], unit_nack_i) \
  PORT(command[0], mon_halt_i) PORT(command[1], mon_reset_i) PORT(command[2], mon_resume_i)
#define TREE_OUT(PORT) \
  PORT(state, conn_state_o) \
  PORT(flag[0], conn_progress_o) PORT(flag[1], conn_waiting_o) PORT(flag[2], conn_gather_o) PORT(flag[3], conn_nack_o) \
  PORT(command[0], unit_halt_o) PORT(command[1], unit_reset_o) PORT(command[2], unit_resume_o)

static void bind_inputs(struct tree_places *at, const struct simt_config *cfg) { TREE_IN(SIMT_PORT_BIND) }
static void bind_outputs(struct tree_places *at, const struct simt_config *cfg) { TREE_OUT(SIMT_PORT_BIND) }

static void *create(const struct simt_config *cfg, const struct simt_stimulus *stim, struct simt_diag *diag) {
  struct tree_env *e = calloc(1, sizeof *e);
  if (!e) {
    simt_fail(diag, cfg->name, "no memory", "memory for the environment");
    return NULL;
  }
  e->stim = *stim;
  e->profile = index_of(profiles, stim->profile);
  tree_golden_make(&e->g, cfg);
  for (unsigned u = e->g.units; u--;) e->first[e->g.conn_of[u]] = u;
  bind_inputs(&e->in, cfg);
  bind_outputs(&e->out, cfg);
  int n = 0;
  for (int p = 0; p < TREE_COVERS; p++) {
    bool there = n < (int)cfg->desc.n_covers && !strcmp(cfg->desc.covers[n].name, tree_points[p].name);
    e->place[p] = there ? n++ : -1;
  }
  restart(e);
  return e;
}

/* ---- what to do ------------------------------------------------------------------------------------- */

static void choose_random(struct tree_env *e, struct tree_choice *c) {
  static const uint8_t calm_states[] = {HOLD, HOLD, HOLD, HOLD, HOLD, ONE_UNIT, ONE_CONN, ALL_SAME};
  uint64_t r = simt_rng_next(&e->rng), s = simt_rng_next(&e->rng);
  unsigned profile = e->profile >= 0 ? (unsigned)e->profile : (unsigned)(e->at * 4 / (e->stim.cycles + 1) % 4);
  *c = (struct tree_choice){.state = (uint8_t)(r % N_STATE_OPS), .flags = (uint8_t)((r >> 8) % N_FLAG_OPS),
                       .command = (uint8_t)((r >> 16) % N_COMMAND_OPS), .to = (uint8_t)((r >> 24) % 5),
                       .other = (uint8_t)((r >> 32) % 5), .where = (uint8_t)((r >> 40) % 3), .kinds = (uint8_t)(r >> 48),
                       .unit = (uint32_t)s, .seed = (uint32_t)(s >> 32)};
  if (profile == 1) {
    c->state = calm_states[r % 8];
    c->flags = (r >> 8) % 8 ? FLAGS_HOLD : (r >> 11) % 2 ? FLAGS_ONE : FLAGS_NONE;
    c->command = (r >> 16) % 8 ? PULSES_END : (r >> 19) % 2 ? ONE : NOTHING;
  } else if (profile == 2) {
    c->state = (r >> 56) % 4 ? ONE_UNIT : ALL_BUT_ONE;
    c->to = (r >> 58) % 8 ? 4 : c->to;
    c->command = (r >> 16) % 4 ? PULSES_END : c->command;
  } else if (profile == 3) {
    c->reset = (r >> 56) % 64 == 0;
  }
  e->at++;
}

/* ---- directed tests --------------------------------------------------------------------------------- */

static bool script_report(const struct tree_env *e, struct tree_choice *c) {
  uint64_t t = e->at;
  if (t == 0) *c = (struct tree_choice){.state = ALL_SAME, .to = 1};
  if (t >= 2 && t < 6) *c = (struct tree_choice){.state = ONE_UNIT, .unit = (uint32_t)t - 2, .to = 4};
  if (t == 8 || t == 9) *c = (struct tree_choice){.flags = t == 8 ? FLAGS_ONE : FLAGS_NONE, .kinds = 3, .unit = 1};
  return t < 10 + e->g.stages;
}

static bool script_command(const struct tree_env *e, struct tree_choice *c) {
  uint64_t t = e->at, s = e->g.stages;
  if (t == 0) *c = (struct tree_choice){.state = ALL_SAME, .to = 1};
  if (t == 1) *c = (struct tree_choice){.command = ALL, .kinds = 1};
  if (t == 1 + s) *c = (struct tree_choice){.state = ALL_SAME, .to = 4};
  if (t == 3 + 2 * s) *c = (struct tree_choice){.command = ALL, .kinds = 3};
  if (t == 6 + 2 * s) *c = (struct tree_choice){.command = NOTHING};
  if (t == 9 + 2 * s) *c = (struct tree_choice){.command = ALL, .kinds = 4};
  if (t == 11 + 2 * s) *c = (struct tree_choice){.command = ALL, .kinds = 7};
  if (t == 12 + 2 * s) *c = (struct tree_choice){.command = NOTHING, .reset = 1};
  return t < 14 + 3 * s;
}

static bool script_sweep(const struct tree_env *e, struct tree_choice *c) {
  uint64_t t = e->at, unit = t / 11, step = t % 11;
  if (step == 0) *c = (struct tree_choice){.state = ALL_SAME, .to = 1, .flags = FLAGS_NONE};
  else if (step < 6) *c = (struct tree_choice){.state = ONE_UNIT, .unit = (uint32_t)unit, .to = (uint8_t)(step - 1)};
  else if (step == 6) *c = (struct tree_choice){.state = ILLEGAL, .unit = (uint32_t)unit, .seed = (uint32_t)unit};
  else *c = (struct tree_choice){.flags = FLAGS_ONE, .unit = (uint32_t)unit, .kinds = (uint8_t)(step - 7)};
  return t < 11 * (uint64_t)e->g.units + e->g.stages;
}

static bool script_commands(const struct tree_env *e, struct tree_choice *c) {
  uint64_t t = e->at, conn = t / 6, step = t % 6;
  if (step < 3) *c = (struct tree_choice){.command = ONE, .unit = (uint32_t)conn, .kinds = (uint8_t)(1u << step)};
  if (step == 3) *c = (struct tree_choice){.command = ONE_TOO, .unit = (uint32_t)conn + 1, .kinds = 1};
  if (step == 4) *c = (struct tree_choice){.command = NOTHING};
  return t < 6 * (uint64_t)e->g.commands + e->g.stages;
}

static bool choose(void *env, void *choice) {
  static bool (*const scripts[])(const struct tree_env *e, struct tree_choice *c) = {script_report, script_command, script_sweep,
                                                                           script_commands};
  struct tree_env *e = env;
  struct tree_choice *c = choice;
  if (strcmp(e->stim.kind, "directed")) {
    choose_random(e, c);
    return true;
  }
  *c = (struct tree_choice){.state = HOLD};
  while (e->script < (int)(sizeof scripts / sizeof *scripts)) {
    if (scripts[e->script](e, c)) {
      e->at++;
      return true;
    }
    if (e->stim.profile) return false;
    *c = (struct tree_choice){.state = HOLD};
    e->script++;
    e->at = 0;
  }
  return false;
}

/* ---- bytes and words ---------------------------------------------------------------------------------- */

/* A byte for each unit on this side, vectors of bits at the ports; eight units at a time. Arrays of bytes may be read
 * and written up to a multiple of eight. */
#define EACH UINT64_C(0x0101010101010101)

static uint64_t get64(const uint8_t *from) {
  uint64_t v;
  memcpy(&v, from, sizeof v);
  return v;
}

static void put64(uint8_t *to, uint64_t v) { memcpy(to, &v, sizeof v); }

/* Bit `plane` of n bytes, to a vector of n bits. The product moves the bit of byte i to bit 56 + i. */
static void put_plane(uint32_t *words, const uint8_t *bytes, unsigned n, unsigned plane) {
  for (unsigned u = 0; u < n; u += 32) {
    uint32_t all = 0;
    for (unsigned i = 0; i < 32 && u + i < n; i += 8)
      all |= (uint32_t)((get64(bytes + u + i) >> plane & EACH) * UINT64_C(0x0102040810204080) >> 56) << i;
    words[u / 32] = n - u < 32 ? all & ((1u << (n - u)) - 1) : all;
  }
}

/* Vectors of n bits to bytes: bit k is that of the vector at plane[k]. */
static void get_planes(const uint32_t *words, const unsigned *plane, unsigned planes, unsigned n, uint8_t *bytes) {
  for (unsigned u = 0; u < n; u += 8) {
    uint64_t eight = 0;
    for (unsigned k = 0; k < planes; k++) {
      uint64_t each = (words[plane[k] + u / 32] >> u % 32 & 255) * EACH & UINT64_C(0x8040201008040201);
      eight |= ((each + EACH * 127) >> 7 & EACH) << k;
    }
    put64(bytes + u, eight);
  }
}

/* Fields of `width` bits. */
static void put_fields(uint32_t *words, const uint8_t *bytes, unsigned n, unsigned width) {
  uint64_t all = 0;
  unsigned have = 0;
  for (unsigned u = 0; u < n; u++) {
    all |= (uint64_t)bytes[u] << have;
    have += width;
    if (have < 32) continue;
    *words++ = (uint32_t)all;
    all >>= 32, have -= 32;
  }
  if (have) *words = (uint32_t)all;
}

static void get_fields(const uint32_t *words, unsigned n, unsigned width, uint8_t *bytes) {
  uint64_t all = 0;
  unsigned have = 0;
  for (unsigned u = 0; u < n; u++) {
    if (have < width) {
      all |= (uint64_t)*words++ << have;
      have += 32;
    }
    bytes[u] = (uint8_t)(all & ((1u << width) - 1));
    all >>= width, have -= width;
  }
}

/* ---- choices into inputs ---------------------------------------------------------------------------- */

/* A fixed function of seed and place: a choice must mean the same whatever came before. A byte for each of eight. */
static uint64_t scatter(uint32_t seed, uint32_t what, unsigned first) {
  uint64_t x = ((uint64_t)seed << 32 | what << 16 | first) * UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 32) * UINT64_C(0xd6e8feb86659fd93);
  return x ^ x >> 32;
}

static void set_states(struct tree_env *e, const struct tree_choice *c) {
  struct tree_golden *g = &e->g;
  uint8_t *code = e->now.code, to = g->word[c->to % 5], other = g->word[c->other % 5];
  unsigned unit = c->unit % g->units, conn = g->conn_of[unit], first = e->first[conn], n = g->members[conn];
  unsigned odd = c->where == 0 ? first : c->where == 1 ? first + n - 1 : unit;
  switch (c->state) {
    case ALL_SAME: memset(code, to, g->units); break;
    case ONE_UNIT: code[unit] = to; break;
    case ONE_CONN: memset(code + first, to, n); break;
    case ALL_BUT_ONE: memset(code + first, to, n); code[odd] = other; break;
    case SOME:
    case EVERY:
      for (unsigned u = 0; u < g->units; u += 8) {
        uint64_t dice = scatter(c->seed, 0, u), yes = c->state == EVERY ? 0 : scatter(c->seed, 1, u);
        for (unsigned i = u; i < u + 8 && i < g->units; i++, dice >>= 8, yes >>= 8)
          if (!(yes & 7)) code[i] = g->word[(dice & 255) * 5 >> 8];
      }
      break;
    case ILLEGAL: code[unit] = (uint8_t)(c->seed & ((1u << g->state_w) - 1)); break;
    default: break;
  }
}

static void set_flags(struct tree_env *e, const struct tree_choice *c) {
  struct tree_golden *g = &e->g;
  if (c->flags == FLAGS_NONE || c->flags == FLAGS_ONE) memset(e->now.flags, 0, g->units);
  if (c->flags == FLAGS_ONE) e->now.flags[c->unit % g->units] = (uint8_t)(1u << c->kinds % TREE_FLAGS);
  if (c->flags < FLAGS_SOME) return;
  const uint64_t some = c->flags == FLAGS_SOME ? 15 : 0;
  for (unsigned u = 0; u < g->units; u += 8) {
    uint64_t dice = scatter(c->seed, 2, u);
    for (unsigned i = u; i < u + 8 && i < g->units; i++, dice >>= 8)
      if (!(dice & some)) e->now.flags[i] = dice >> 4 & 15;
  }
}

static void set_commands(struct tree_env *e, const struct tree_choice *c) {
  struct tree_golden *g = &e->g;
  uint8_t *command = e->now.command, kinds = c->kinds % 8;
  if (c->command == NOTHING || c->command == ONE) memset(command, 0, g->commands);
  if (c->command == ALL) memset(command, kinds, g->commands);
  if (c->command == ANY)
    for (unsigned i = 0; i < g->commands; i += 8) put64(command + i, scatter(c->seed, 4, i) & EACH * 7);
  if (c->command == PULSES_END || c->command == ONE_TOO)
    for (unsigned i = 0; i < g->commands; i += 8) put64(command + i, get64(command + i) & EACH); /* halt is a level */
  if (c->command == ONE || c->command == ONE_TOO) command[c->unit % g->commands] = kinds;
}

static void drive(void *env, const void *choice, const uint32_t *out, uint32_t *in) {
  struct tree_env *e = env;
  const struct tree_choice *c = choice;
  (void)out;
  set_states(e, c);
  set_flags(e, c);
  set_commands(e, c);
  in[e->in.rst] = c->reset != 0;
  put_fields(in + e->in.state, e->now.code, e->g.units, e->g.state_w);
  for (unsigned f = 0; f < TREE_FLAGS; f++) put_plane(in + e->in.flag[f], e->now.flags, e->g.units, f);
  for (unsigned k = 0; k < TREE_KINDS; k++) put_plane(in + e->in.command[k], e->now.command, e->g.commands, k);
}

/* ---- coverage --------------------------------------------------------------------------------------- */

static inline void hit(struct tree_env *e, int point, bool yes) { e->hits[point] += yes; }

/* Points of a group's report: how its units differ from each other. */
static void cover_group(struct tree_env *e, unsigned n, const uint8_t *code) {
  unsigned same = 1, head = 0; /* same: in how many the second and following ones agree */
  while (same + 1 < n && code[same + 1] == code[1]) same++;
  while (head + 1 < n && code[head + 1] == code[0]) head++;
  hit(e, TREE_FIRST, code[0] != code[1] && same == n - 1);
  hit(e, TREE_LAST, head == n - 2 && code[n - 1] != code[0]);
}

/* Points of a connection's report; `then`: what its units showed. */
static void cover_report(struct tree_env *e, unsigned c, const struct tree_frame *then) {
  struct tree_golden *g = &e->g;
  const unsigned now = g->seen.code[c], was = e->last_code[c], state = tree_state(g, now), n = g->members[c];
  const uint8_t *flags = then->flags + e->first[c];
  unsigned one = flags[0], more = 0; /* flags that a unit has, that two have */
  for (unsigned i = 1; i < n; i++) {
    more |= one & flags[i];
    one |= flags[i];
  }
  e->flags_hit[one & ~more & g->seen.flags[c]]++;
  if (state < 5) hit(e, TREE_REPORT + (int)state, true);
  e->follow[c] = state != tree_state(g, was) ? e->follow[c] + 1 : 0;
  hit(e, TREE_FOLLOW, e->follow[c] > g->stages);
  hit(e, TREE_ILLEGAL, n == 1 && state == 5);
  if (n < 2) return;
  hit(e, TREE_MIXED, state == 5);
  hit(e, TREE_HALTED, tree_state(g, was) == 5 && state == 4);
  cover_group(e, n, then->code + e->first[c]);
}

static void cover(struct tree_env *e, const uint32_t *in) {
  struct tree_golden *g = &e->g;
  const struct tree_frame *then = &g->past[(g->cycle + TREE_FRAMES - g->stages) % TREE_FRAMES];
  bool differ = false, halt = false, no_halt = false, busy = false;
  for (unsigned c = 0; c < g->conns; c++) {
    cover_report(e, c, then);
    differ |= g->seen.code[c] != g->seen.code[0];
    busy |= g->seen.code[c] != g->word[0];
    e->done += g->seen.code[c] != e->last_code[c];
  }
  for (unsigned i = 0; i < g->commands; i++) {
    unsigned now = e->now.command[i], before = e->last_command[i];
    *(now & 1 ? &halt : &no_halt) = true;
    hit(e, TREE_COMMAND_ALL, now == 7);
    if (now == before) continue;
    hit(e, TREE_COMMAND, now & ~before & 1);
    hit(e, TREE_COMMAND + 1, (before & 2) && !(now & 2));
    hit(e, TREE_COMMAND + 2, (before & 4) && !(now & 4));
    hit(e, TREE_RELEASE, before & ~now & 1);
    e->done++;
  }
  hit(e, TREE_DIFFER, differ);
  hit(e, TREE_COMMANDS_DIFFER, halt && no_halt);
  hit(e, TREE_RESET, in[e->in.rst] && halt && busy);
  memcpy(e->last_code, g->seen.code, g->conns);
  memcpy(e->last_command, e->now.command, g->commands);
}

static const char *observe(void *env, const uint32_t *in, const uint32_t *out) {
  struct tree_env *e = env;
  struct tree_golden *g = &e->g;
  uint8_t unit_command[TREE_UNITS];
  get_fields(out + e->out.state, g->conns, g->state_w, g->seen.code);
  get_planes(out, e->out.flag, TREE_FLAGS, g->conns, g->seen.flags);
  get_planes(out, e->out.command, TREE_KINDS, g->units, unit_command);
  cover(e, in);
  return tree_golden_cycle(g, &e->now, unit_command, in[e->in.rst] & 1);
}

static uint64_t progress(const void *env, bool *busy) {
  const struct tree_env *e = env;
  *busy = false; /* everything moves in every cycle */
  return e->done;
}

static const uint64_t *coverage(const void *env) {
  struct tree_env *e = (struct tree_env *)env;
  for (int f = 0; f < TREE_FLAGS; f++) {
    e->hits[TREE_FLAG + f] = 0;
    for (int set = 0; set < 1 << TREE_FLAGS; set++) e->hits[TREE_FLAG + f] += set >> f & 1 ? e->flags_hit[set] : 0;
  }
  for (int p = 0; p < TREE_COVERS; p++) /* a copy in the order of the description */
    if (e->place[p] >= 0) e->listed[e->place[p]] = e->hits[p];
  return e->listed;
}

static void explain(const void *env, const uint32_t *in, char *to, size_t room) {
  static const char *const states[] = {"empty", "active", "stalled", "quiescent", "halted", "no code"};
  const struct tree_env *e = env;
  size_t n = (size_t)snprintf(to, room, "%s", in[e->in.rst] & 1 ? "reset" : "");
  for (unsigned i = 0; i < e->g.commands && n < room; i++)
    if (e->now.command[i]) n += (size_t)snprintf(to + n, room - n, " command %u 0x%x", i, e->now.command[i]);
  for (unsigned u = 0; u < e->g.units && n < room; u++) {
    unsigned s = tree_state(&e->g, e->now.code[u]), f = e->now.flags[u];
    if (s || f) n += (size_t)snprintf(to + n, room - n, " unit %u %s 0x%x", u, states[s], f);
  }
  if (!n) snprintf(to, room, "idle");
}

const struct simt_verif simt_verif_status_tree = {
  .block = &simt_block_status_tree, .profiles = profiles, .directed = directed,
  .choice_size = sizeof(struct tree_choice), .stuck_cycles = 1000,
  .create = create, .destroy = free, .restart = restart, .choose = choose, .drive = drive,
  .observe = observe, .progress = progress, .coverage = coverage, .explain = explain,
};
