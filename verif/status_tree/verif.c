/* SPDX-License-Identifier: Apache-2.0 */
/* verif.c: environment of status_tree: units that show any state, a front end that commands anything; coverage. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "status_tree.h"
#include "tree_golden.h"
#include "tree_layout.h"
#include "verif.h"

extern const struct simt_verif simt_verif_status_tree;

enum state_op { HOLD, ALL_SAME, ONE_UNIT, ONE_CONN, ALL_BUT_ONE, SOME, EVERY, ILLEGAL, N_STATE_OPS };
enum flag_op { FLAGS_HOLD, FLAGS_NONE, FLAGS_ONE, FLAGS_SOME, FLAGS_EVERY, N_FLAG_OPS };
enum command_op { PULSES_END, NOTHING, ONE, ONE_TOO, ALL, ANY, N_COMMAND_OPS };

struct choice { /* raw numbers; which unit, connection and state they mean is taken modulo what there is */
  uint8_t state, flags, command, reset;
  uint8_t to, other, where, kinds; /* states; 0 first, 1 last, 2 any; bits of the commands */
  uint32_t unit, seed;
};

struct env {
  struct simt_rng rng;
  struct simt_stimulus stim;
  int profile;                 /* or -1: all in turn */
  int script;                  /* directed: the first one, and -1 behind the last */
  uint64_t at;                 /* cycles into the run, the profile or the script */
  struct tree_golden g;
  struct tree_frame now;
  unsigned first[TREE_UNITS];  /* unit of each connection */
  struct { unsigned rst, state, flag[TREE_FLAGS], command[TREE_KINDS]; } in;
  struct { unsigned state, flag[TREE_FLAGS], command[TREE_KINDS]; } out;
  int place[TREE_COVERS];      /* in the description's list, or -1 */
  uint64_t listed[TREE_COVERS], done;
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
  struct env *e = env;
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

static void find_ports(struct env *e, const struct simt_config *cfg) {
  static const char *const flags[] = {"progress", "waiting", "gather", "nack"}, *const kinds[] = {"halt", "reset", "resume"};
  char name[SIMT_NAME_MAX];
  e->in.rst = simt_find_port(cfg, "rst_i")->word;
  e->in.state = simt_find_port(cfg, "unit_state_i")->word;
  e->out.state = simt_find_port(cfg, "conn_state_o")->word;
  for (int f = 0; f < TREE_FLAGS; f++) {
    snprintf(name, sizeof name, "unit_%s_i", flags[f]);
    e->in.flag[f] = simt_find_port(cfg, name)->word;
    snprintf(name, sizeof name, "conn_%s_o", flags[f]);
    e->out.flag[f] = simt_find_port(cfg, name)->word;
  }
  for (int k = 0; k < TREE_KINDS; k++) {
    snprintf(name, sizeof name, "mon_%s_i", kinds[k]);
    e->in.command[k] = simt_find_port(cfg, name)->word;
    snprintf(name, sizeof name, "unit_%s_o", kinds[k]);
    e->out.command[k] = simt_find_port(cfg, name)->word;
  }
}

static void *create(const struct simt_config *cfg, const struct simt_stimulus *stim, struct simt_diag *diag) {
  struct env *e = calloc(1, sizeof *e);
  if (!e) {
    simt_fail(diag, cfg->name, "no memory", "memory for the environment");
    return NULL;
  }
  e->stim = *stim;
  e->profile = index_of(profiles, stim->profile);
  tree_golden_make(&e->g, cfg);
  for (unsigned u = e->g.units; u--;) e->first[e->g.conn_of[u]] = u;
  find_ports(e, cfg);
  int n = 0;
  for (int p = 0; p < TREE_COVERS; p++) {
    bool there = n < (int)cfg->desc.n_covers && !strcmp(cfg->desc.covers[n].name, tree_points[p].name);
    e->place[p] = there ? n++ : -1;
  }
  restart(e);
  return e;
}

/* ---- what to do ------------------------------------------------------------------------------------- */

static void choose_random(struct env *e, struct choice *c) {
  static const uint8_t calm_states[] = {HOLD, HOLD, HOLD, HOLD, HOLD, ONE_UNIT, ONE_CONN, ALL_SAME};
  uint64_t r = simt_rng_next(&e->rng), s = simt_rng_next(&e->rng);
  unsigned profile = e->profile >= 0 ? (unsigned)e->profile : (unsigned)(e->at * 4 / (e->stim.cycles + 1) % 4);
  *c = (struct choice){.state = (uint8_t)(r % N_STATE_OPS), .flags = (uint8_t)((r >> 8) % N_FLAG_OPS),
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

static bool script_report(const struct env *e, struct choice *c) {
  uint64_t t = e->at;
  if (t == 0) *c = (struct choice){.state = ALL_SAME, .to = 1};
  if (t >= 2 && t < 6) *c = (struct choice){.state = ONE_UNIT, .unit = (uint32_t)t - 2, .to = 4};
  if (t == 8 || t == 9) *c = (struct choice){.flags = t == 8 ? FLAGS_ONE : FLAGS_NONE, .kinds = 3, .unit = 1};
  return t < 10 + e->g.stages;
}

static bool script_command(const struct env *e, struct choice *c) {
  uint64_t t = e->at, s = e->g.stages;
  if (t == 0) *c = (struct choice){.state = ALL_SAME, .to = 1};
  if (t == 1) *c = (struct choice){.command = ALL, .kinds = 1};
  if (t == 1 + s) *c = (struct choice){.state = ALL_SAME, .to = 4};
  if (t == 3 + 2 * s) *c = (struct choice){.command = ALL, .kinds = 3};
  if (t == 6 + 2 * s) *c = (struct choice){.command = NOTHING};
  if (t == 9 + 2 * s) *c = (struct choice){.command = ALL, .kinds = 4};
  if (t == 11 + 2 * s) *c = (struct choice){.command = ALL, .kinds = 7};
  if (t == 12 + 2 * s) *c = (struct choice){.command = NOTHING, .reset = 1};
  return t < 14 + 3 * s;
}

static bool script_sweep(const struct env *e, struct choice *c) {
  uint64_t t = e->at, unit = t / 11, step = t % 11;
  if (step == 0) *c = (struct choice){.state = ALL_SAME, .to = 1, .flags = FLAGS_NONE};
  else if (step < 6) *c = (struct choice){.state = ONE_UNIT, .unit = (uint32_t)unit, .to = (uint8_t)(step - 1)};
  else if (step == 6) *c = (struct choice){.state = ILLEGAL, .unit = (uint32_t)unit, .seed = (uint32_t)unit};
  else *c = (struct choice){.flags = FLAGS_ONE, .unit = (uint32_t)unit, .kinds = (uint8_t)(step - 7)};
  return t < 11 * (uint64_t)e->g.units + e->g.stages;
}

static bool script_commands(const struct env *e, struct choice *c) {
  uint64_t t = e->at, conn = t / 6, step = t % 6;
  if (step < 3) *c = (struct choice){.command = ONE, .unit = (uint32_t)conn, .kinds = (uint8_t)(1u << step)};
  if (step == 3) *c = (struct choice){.command = ONE_TOO, .unit = (uint32_t)conn + 1, .kinds = 1};
  if (step == 4) *c = (struct choice){.command = NOTHING};
  return t < 6 * (uint64_t)e->g.commands + e->g.stages;
}

static bool choose(void *env, void *choice) {
  static bool (*const scripts[])(const struct env *e, struct choice *c) = {script_report, script_command, script_sweep,
                                                                           script_commands};
  struct env *e = env;
  struct choice *c = choice;
  if (strcmp(e->stim.kind, "directed")) {
    choose_random(e, c);
    return true;
  }
  *c = (struct choice){.state = HOLD};
  while (e->script < (int)(sizeof scripts / sizeof *scripts)) {
    if (scripts[e->script](e, c)) {
      e->at++;
      return true;
    }
    if (e->stim.profile) return false;
    *c = (struct choice){.state = HOLD};
    e->script++;
    e->at = 0;
  }
  return false;
}

/* ---- choices into inputs ---------------------------------------------------------------------------- */

/* A fixed function of seed and place: a choice must mean the same whatever came before. */
static uint32_t scatter(uint32_t seed, uint32_t i) {
  uint32_t x = seed ^ (i * 0x9e3779b9u);
  x = (x ^ x >> 16) * 0x85ebca6bu;
  x = (x ^ x >> 13) * 0xc2b2ae35u;
  return x ^ x >> 16;
}

static void set_states(struct env *e, const struct choice *c) {
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
      for (unsigned u = 0; u < g->units; u++)
        if (scatter(c->seed, u) % 8 == 0) code[u] = g->word[scatter(c->seed + 1, u) % 5];
      break;
    case EVERY:
      for (unsigned u = 0; u < g->units; u++) code[u] = g->word[scatter(c->seed, u) % 5];
      break;
    case ILLEGAL: code[unit] = (uint8_t)(c->seed & ((1u << g->state_w) - 1)); break;
    default: break;
  }
}

static void set_flags(struct env *e, const struct choice *c) {
  struct tree_golden *g = &e->g;
  if (c->flags == FLAGS_NONE || c->flags == FLAGS_ONE) memset(e->now.flags, 0, g->units);
  if (c->flags == FLAGS_ONE) e->now.flags[c->unit % g->units] = (uint8_t)(1u << c->kinds % TREE_FLAGS);
  for (unsigned u = 0; c->flags >= FLAGS_SOME && u < g->units; u++)
    if (c->flags == FLAGS_EVERY || scatter(c->seed + 2, u) % 16 == 0) e->now.flags[u] = scatter(c->seed + 3, u) % 16;
}

static void set_commands(struct env *e, const struct choice *c) {
  struct tree_golden *g = &e->g;
  uint8_t *command = e->now.command, kinds = c->kinds % 8;
  for (unsigned i = 0; i < g->commands; i++) {
    command[i] &= 1; /* halt is a level */
    if (c->command == NOTHING || c->command == ONE) command[i] = 0;
    if (c->command == ALL) command[i] = kinds;
    if (c->command == ANY) command[i] = scatter(c->seed + 4, i) % 8;
  }
  if (c->command == ONE || c->command == ONE_TOO) command[c->unit % g->commands] = kinds;
}

static void put(uint32_t *words, unsigned at, unsigned width, unsigned value) {
  for (unsigned b = at; b < at + width; b++, value >>= 1)
    words[b / 32] = (words[b / 32] & ~(1u << b % 32)) | (value & 1) << b % 32;
}

static unsigned get(const uint32_t *words, unsigned at, unsigned width) {
  unsigned value = 0;
  for (unsigned b = width; b--;) value = value << 1 | (words[(at + b) / 32] >> (at + b) % 32 & 1);
  return value;
}

static void drive(void *env, const void *choice, const uint32_t *out, uint32_t *in) {
  struct env *e = env;
  const struct choice *c = choice;
  (void)out;
  set_states(e, c);
  set_flags(e, c);
  set_commands(e, c);
  in[e->in.rst] = c->reset != 0;
  for (unsigned u = 0; u < e->g.units; u++) {
    put(in + e->in.state, u * e->g.state_w, e->g.state_w, e->now.code[u]);
    for (unsigned f = 0; f < TREE_FLAGS; f++) put(in + e->in.flag[f], u, 1, e->now.flags[u] >> f & 1);
  }
  for (unsigned i = 0; i < e->g.commands; i++)
    for (unsigned k = 0; k < TREE_KINDS; k++) put(in + e->in.command[k], i, 1, e->now.command[i] >> k & 1);
}

/* ---- coverage --------------------------------------------------------------------------------------- */

static void hit(struct env *e, int point, bool yes) {
  if (yes && e->place[point] >= 0) e->listed[e->place[point]]++;
}

/* Points of a connection's report; `then`: what its units showed. */
static void cover_report(struct env *e, unsigned c, const struct tree_frame *then) {
  struct tree_golden *g = &e->g;
  unsigned state = tree_state(g, g->seen.code[c]), before = tree_state(g, e->last_code[c]), n = g->members[c];
  const uint8_t *code = then->code + e->first[c];
  if (state < 5) hit(e, TREE_REPORT + (int)state, true);
  for (unsigned f = 0; f < TREE_FLAGS; f++) {
    unsigned having = 0;
    for (unsigned i = 0; i < n; i++) having += then->flags[e->first[c] + i] >> f & 1;
    hit(e, TREE_FLAG + (int)f, having == 1 && (g->seen.flags[c] >> f & 1));
  }
  e->follow[c] = state != before ? e->follow[c] + 1 : 0;
  hit(e, TREE_FOLLOW, e->follow[c] > g->stages);
  hit(e, TREE_ILLEGAL, n == 1 && state == 5);
  if (n < 2) return;
  unsigned same = 1; /* in how many the second and following ones agree */
  while (same + 1 < n && code[same + 1] == code[1]) same++;
  unsigned head = 0;
  while (head + 1 < n && code[head + 1] == code[0]) head++;
  hit(e, TREE_MIXED, state == 5);
  hit(e, TREE_FIRST, code[0] != code[1] && same == n - 1);
  hit(e, TREE_LAST, head == n - 2 && code[n - 1] != code[0]);
  hit(e, TREE_HALTED, before == 5 && state == 4);
}

static void cover(struct env *e, const uint32_t *in) {
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
    hit(e, TREE_COMMAND, now & ~before & 1);
    hit(e, TREE_COMMAND + 1, (before & 2) && !(now & 2));
    hit(e, TREE_COMMAND + 2, (before & 4) && !(now & 4));
    hit(e, TREE_COMMAND_ALL, now == 7);
    hit(e, TREE_RELEASE, before & ~now & 1);
    *(now & 1 ? &halt : &no_halt) = true;
    e->done += now != before;
  }
  hit(e, TREE_DIFFER, differ);
  hit(e, TREE_COMMANDS_DIFFER, halt && no_halt);
  hit(e, TREE_RESET, in[e->in.rst] && halt && busy);
  memcpy(e->last_code, g->seen.code, sizeof e->last_code);
  memcpy(e->last_command, e->now.command, sizeof e->last_command);
}

static const char *observe(void *env, const uint32_t *in, const uint32_t *out) {
  struct env *e = env;
  struct tree_golden *g = &e->g;
  uint8_t unit_command[TREE_UNITS];
  for (unsigned c = 0; c < g->conns; c++) {
    g->seen.code[c] = (uint8_t)get(out + e->out.state, c * g->state_w, g->state_w);
    g->seen.flags[c] = 0;
    for (unsigned f = 0; f < TREE_FLAGS; f++) g->seen.flags[c] |= (uint8_t)(get(out + e->out.flag[f], c, 1) << f);
  }
  for (unsigned u = 0; u < g->units; u++) {
    unit_command[u] = 0;
    for (unsigned k = 0; k < TREE_KINDS; k++) unit_command[u] |= (uint8_t)(get(out + e->out.command[k], u, 1) << k);
  }
  cover(e, in);
  return tree_golden_cycle(g, &e->now, unit_command, in[e->in.rst] & 1);
}

static uint64_t progress(const void *env, bool *busy) {
  const struct env *e = env;
  *busy = false; /* everything moves in every cycle */
  return e->done;
}

static const uint64_t *coverage(const void *env) { return ((const struct env *)env)->listed; }

static void explain(const void *env, const uint32_t *in, char *to, size_t room) {
  static const char *const states[] = {"empty", "active", "stalled", "quiescent", "halted", "no code"};
  const struct env *e = env;
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
  .choice_size = sizeof(struct choice), .stuck_cycles = 1000,
  .create = create, .destroy = free, .restart = restart, .choose = choose, .drive = drive,
  .observe = observe, .progress = progress, .coverage = coverage, .explain = explain,
};
