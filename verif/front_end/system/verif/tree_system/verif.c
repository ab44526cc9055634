/* SPDX-License-Identifier: Apache-2.0 */
/* verif.c: the environment of the system: views of its parts, memories, and what must hold of units that are halted. */
#include "core/topology.h"
#include "tree_system/env.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct simt_named profiles[] = {
  {"switch", "Domains are switched between two workloads at random cycles.", "US-8 US-9 US-13 US-14"},
  {"drain", "No more instructions: the pipelines run empty.", "US-8"},
  {"finish", "No more programs: those that run end.", "US-8"},
  {"no_answer", "Memory takes requests and does not answer.", "US-10"},
  {"no_answer_masked", "Memory does not answer; only the stacks of a mask are reset (COMMANDS=unit).", "US-10"},
  {"not_taken", "Memory takes no request.", "US-10"},
  {"refused", "Memory refuses every access.", "US-3 US-10"},
  {NULL, NULL, NULL}};
static const struct simt_named directed[] = {
  {"switch_20", "20 switches at random cycles.", "US-8 US-9 US-13 US-14"},
  {"switch_200", "200 switches at random cycles.", "US-8 US-9 US-13 US-14"},
  {"no_answer", "Memory takes requests and does not answer.", "US-10"},
  {"no_answer_masked", "Memory does not answer; only the stacks of a mask are reset (COMMANDS=unit).", "US-10"},
  {"not_taken", "Memory takes no request.", "US-10"},
  {"refused", "Memory refuses every access.", "US-3 US-10"},
  {NULL, NULL, NULL}};

const char *ts_wrong(struct ts_env *e, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  vsnprintf(e->message, sizeof e->message, format, ap);
  va_end(ap);
  return e->message;
}

/* ---- views ------------------------------------------------------------------------------------------------------- */

static void copy_bits(uint32_t *to, unsigned at, const uint32_t *from, unsigned from_at, unsigned n) {
  while (n) {
    const unsigned left = at % 32, right = from_at % 32, most = 32 - (left > right ? left : right), k = n < most ? n : most;
    const uint32_t mask = k == 32 ? UINT32_MAX : (UINT32_C(1) << k) - 1, bits = from[from_at / 32] >> right & mask;
    to[at / 32] = (to[at / 32] & ~(mask << left)) | bits << left;
    at += k, from_at += k, n -= k;
  }
}

static bool make_view(struct ts_env *e, unsigned part) {
  const struct simt_config *cfg = &e->system.part[part];
  const enum ts_kind k = ts_kind_of(&e->system, part);
  struct ts_view *v = &e->view[part];
  char name[SIMT_NAME_MAX];
  v->in = calloc(cfg->desc.in_words + 1, sizeof *v->in);
  v->out = calloc(cfg->desc.out_words + 1, sizeof *v->out);
  v->slice = calloc(cfg->desc.n_ports, sizeof *v->slice);
  if (!v->in || !v->out || !v->slice) return false;
  for (size_t i = 0; i < cfg->desc.n_ports; i++) {
    const struct simt_port *p = &cfg->desc.ports[i];
    if (!ts_outer(k, p, name)) continue;
    const struct simt_port *whole = simt_find_port(e->cfg, name);
    const unsigned n = part - ts_first(&e->system, k);
    v->slice[v->n++] = (struct ts_slice){32 * whole->word + n * p->width, 32 * p->word, p->width, p->dir == SIMT_IN};
  }
  return true;
}

static void look(struct ts_env *e, const uint32_t *out) {
  for (unsigned part = 0; part < e->system.parts; part++) {
    const struct ts_view *v = &e->view[part];
    for (const struct ts_slice *s = v->slice; s < v->slice + v->n; s++)
      if (!s->in) copy_bits(v->out, s->part, out, s->whole, s->width);
  }
}

static void show(const struct ts_env *e, uint32_t *in) {
  for (unsigned part = 0; part < e->system.parts; part++) {
    const struct ts_view *v = &e->view[part];
    for (const struct ts_slice *s = v->slice; s < v->slice + v->n; s++)
      if (s->in) copy_bits(in, s->whole, v->in, s->part, s->width);
  }
}

uint32_t ts_state(const struct ts_env *e, unsigned part) {
  uint32_t state = 0;
  copy_bits(&state, 0, e->states, ts_unit(&e->system, part) * e->system.state_w, e->system.state_w);
  return state;
}

/* ---- life ---------------------------------------------------------------------------------------------------------- */

static void restart(void *env) {
  struct ts_env *e = env;
  simt_rng_seed(&e->rng, e->stim.seed);
  e->cycle = e->switches = e->spilled = 0;
  memset(e->halt, 0, sizeof e->halt);
  memset(e->idle, 0, sizeof e->idle);
  memset(e->was_halted, 0, sizeof e->was_halted);
  for (unsigned i = 0; i <= e->system.domains; i++) {
    simt_memory_restart(e->memory[i]);
    simt_memory_fixed(e->memory[i], e->stim.latency);
  }
  for (unsigned part = 0; part < e->system.parts; part++)
    memset(e->view[part].in, 0, e->system.part[part].desc.in_words * sizeof(uint32_t));
  ts_work_restart(e);
  ts_software_restart(e);
  ts_stuck_restart(e);
}

static void destroy(void *env) {
  struct ts_env *e = env;
  if (!e) return;
  ts_work_destroy(e);
  for (unsigned i = 0; i < TS_MEMORIES; i++) simt_memory_destroy(e->memory[i]);
  for (unsigned part = 0; part < TS_PARTS_MOST; part++) {
    free(e->view[part].in);
    free(e->view[part].out);
    free(e->view[part].slice);
  }
  ts_free(&e->system);
  free(e);
}

static void bind_ports(struct ts_env *e) {
  const struct simt_config *cfg = e->cfg;
  struct ts_env *at = e;
  static const char *const stream[2][8] = {{"ins_step_o", "ins_push_o", "ins_pop_o", "ins_launch_o", "res_valid_o"},
                                           {"mem_req_valid_o", "mem_rsp_ready_o"}};
  const struct ts_system *s = &e->system;
  for (unsigned part = 0; part < s->parts; part++)
    if (ts_kind_of(s, part) != TS_ARBITER) simt_reg_ports_bind(&e->reg[part], &s->part[part]);
  for (unsigned k = 0; k < 2; k++)
    for (unsigned i = 0; stream[k][i]; i++) {
      const struct simt_port *p = simt_find_port(&s->part[k ? s->stacks : 0], stream[k][i]);
      e->stream[k][i].at = p->word;
      e->stream[k][i].words = p->words;
    }
  e->res_at = simt_find_port(&s->part[0], "res_valid_o")->word;
  e->mem_write_at = simt_find_port(&s->part[s->stacks], "mem_req_write_o")->word;
  TS_PORTS(SIMT_PORT_BIND)
}

static bool make(struct ts_env *e, struct simt_diag *diag) {
  if (!ts_make(e->cfg, &e->system, diag)) return false;
  for (unsigned part = 0; part < e->system.parts; part++)
    if (!make_view(e, part)) return false;
  for (unsigned i = 0; i <= e->system.domains; i++) /* the arbiters, then the front end */
    if (!(e->memory[i] = simt_memory_create(&e->system.part[e->system.stacks + i], diag))) return false;
  e->halted_code = simt_status_code(SIMT_HALTED, (enum simt_status_encoding)e->system.encoding);
  bind_ports(e);
  return ts_work_create(e, diag);
}

static void *create(const struct simt_config *cfg, const struct simt_stimulus *stim, struct simt_diag *diag) {
  const char *name = stim->profile ? stim->profile : "";
  if (!strcmp(name, "no_answer_masked") && simt_param(cfg, "COMMANDS") != SIMT_PER_UNIT) {
    simt_fail(diag, "stimulus no_answer_masked", "units without command connections of their own", "COMMANDS=unit");
    return NULL;
  }
  struct ts_env *e = calloc(1, sizeof *e);
  if (e) {
    e->cfg = cfg;
    e->stim = *stim;
    e->most = UINT64_MAX;
    e->stuck.masked = !strcmp(name, "no_answer_masked");
    e->stuck.fault = !strcmp(name, "no_answer") || e->stuck.masked ? TS_NO_ANSWER : !strcmp(name, "not_taken") ? TS_NOT_TAKEN
                     : !strcmp(name, "refused") ? TS_NACK : TS_NO_FAULT;
    if (e->stuck.fault) e->mode = TS_STUCK, e->most = 1;
    else if (!strcmp(stim->kind, "directed")) e->most = strcmp(name, "switch_200") ? 20 : 200;
    else e->mode = !strcmp(name, "drain") ? TS_DRAIN : !strcmp(name, "finish") ? TS_FINISH : TS_SWITCH;
    if (make(e, diag)) {
      restart(e);
      return e;
    }
  }
  destroy(e);
  simt_fail(diag, cfg->name, "no memory", "memory for the environment");
  return NULL;
}

/* ---- a cycle --------------------------------------------------------------------------------------------------------- */

static bool choose(void *env, void *choice) {
  struct ts_env *e = env;
  struct ts_choice *c = choice;
  static const struct simt_memory_rates rates[] = {{256, 256, 128, 0}, {120, 40, 128, 0}, {220, 12, 128, 0}};
  static const struct simt_memory_rates contexts = {230, 230, 128, 0};
  memset(c, 0, sizeof *c);
  if (e->switches >= e->most) return false;
  ts_work_choose(e, c);
  for (unsigned i = 0; i < e->system.domains; i++) c->mem[i] = simt_memory_choose(&e->rng, &rates[(e->cycle / 5000 + i) % 3]);
  c->mem[e->system.domains] = simt_memory_choose(&e->rng, &contexts);
  ts_stuck_choose(e, c);
  c->soft = simt_rng_next(&e->rng);
  return true;
}

static void drive(void *env, const void *choice, const uint32_t *out, uint32_t *in) {
  struct ts_env *e = env;
  const struct ts_choice *c = choice;
  look(e, out);
  memcpy(e->states, &out[e->at_state], (e->system.units * e->system.state_w + 31) / 32 * sizeof *e->states);
  ts_work_drive(e, c, out);
  for (unsigned i = 0; i <= e->system.domains; i++) simt_memory_drive(e->memory[i], c->mem[i], e->view[e->system.stacks + i].in);
  ts_software_drive(e, c->soft);
  show(e, in);
  in[e->at_rst] = 0;
}

/* US-14: nothing moves at the ports of a unit that is halted; US-5: an arbiter is, when nothing is under way behind it. */
static const char *check_halted(struct ts_env *e) {
  for (unsigned part = 0; part < e->system.units; part++) {
    const bool arbiter = part >= e->system.stacks;
    if (ts_state(e, part) != e->halted_code) continue;
    for (unsigned i = 0; e->stream[arbiter][i].words; i++)
      for (unsigned w = 0; w < e->stream[arbiter][i].words; w++)
        if (e->view[part].out[e->stream[arbiter][i].at + w])
          return ts_wrong(e, "unit %u is halted, and a stream of it moves", ts_unit(&e->system, part));
    if (arbiter && simt_memory_counts(e->memory[part - e->system.stacks]).under_way)
      return ts_wrong(e, "the arbiter of domain %u is halted with accesses under way", part - e->system.stacks);
  }
  return NULL;
}

/* US-5: an arbiter halts behind its clients, by what it has known for two cycles. */
static const char *check_served(struct ts_env *e) {
  const char *wrong = NULL;
  for (unsigned d = 0; d < e->system.domains; d++) {
    const bool halted = ts_state(e, e->system.stacks + d) == e->halted_code;
    bool *idle = e->idle[d];
    idle[2] = idle[1], idle[1] = idle[0], idle[0] = true;
    for (unsigned u = d * e->system.each; u < (d + 1) * e->system.each; u++) idle[0] &= ts_state(e, u) == e->halted_code;
    if (halted && !e->was_halted[d] && !idle[2]) wrong = ts_wrong(e, "the arbiter of domain %u halts before its clients", d);
    e->was_halted[d] = halted;
  }
  return wrong;
}

static void cover(struct ts_env *e, const uint32_t *out) {
  unsigned halts = 0;
  bool results = false;
  for (unsigned d = 0; d < e->system.domains; d++) {
    const bool halt = ts_halt(e, out, d * e->system.each);
    const bool asks = simt_memory_taken(e->memory[d]) != NULL;
    if (halt && !e->halt[d] && simt_memory_counts(e->memory[d]).under_way) e->cover[TS_HALT_WITH_ACCESSES]++;
    e->cover[TS_SERVED_UNDER_HALT] += halt && asks;
    e->cover[TS_SPILLED] += asks && e->view[e->system.stacks + d].out[e->mem_write_at];
    e->spilled += asks;
    e->halt[d] = halt;
    halts += halt;
    for (unsigned u = d * e->system.each; !halt && u < (d + 1) * e->system.each; u++)
      results |= e->view[u].out[e->res_at];
  }
  e->cover[TS_TWO_DOMAINS] += halts > 1;
  e->cover[TS_OTHERS_GO_ON] += halts && results;
}

static const char *observe(void *env, const uint32_t *in, const uint32_t *out) {
  struct ts_env *e = env;
  const char *wrong = NULL;
  (void)in;
  for (unsigned i = 0; i <= e->system.domains; i++) {
    const struct ts_view *v = &e->view[e->system.stacks + i];
    const char *next = simt_memory_observe(e->memory[i], v->in, v->out);
    if (!wrong) wrong = next;
  }
  cover(e, out);
  const char *halted = check_halted(e), *served = check_served(e), *work = ts_work_observe(e, out), *software = ts_software_observe(e);
  const char *stuck = e->mode == TS_STUCK ? ts_stuck_observe(e, out) : NULL;
  e->cycle++;
  return wrong ? wrong : halted ? halted : served ? served : work ? work : software ? software : stuck;
}

static uint64_t progress(const void *env, bool *busy) {
  const struct ts_env *e = env;
  uint64_t n = e->switches;
  *busy = true;
  for (unsigned u = 0; u < e->system.stacks; u++) n += e->work[u][0]->results + e->work[u][1]->results;
  return n;
}

static const uint64_t *coverage(const void *env) { return ((const struct ts_env *)env)->cover; }

static void explain(const void *env, const uint32_t *in, char *to, size_t room) {
  const struct ts_env *e = env;
  uint32_t request[4];
  static const char *const port[] = {"f_reg_req_valid_i", "f_reg_req_write_i", "f_reg_req_addr_i", "f_reg_req_data_i"};
  for (unsigned i = 0; i < 4; i++) request[i] = in[simt_find_port(e->cfg, port[i])->word];
  if (!request[0]) snprintf(to, room, "instructions 0x%x", in[simt_find_port(e->cfg, "s_ins_valid_i")->word]);
  else snprintf(to, room, "%s 0x%03x 0x%x", request[1] ? "write" : "read", request[2], request[3]);
}

const struct simt_verif simt_verif_tree_system = {
  .block = &simt_block_tree_system, .profiles = profiles, .directed = directed, .choice_size = sizeof(struct ts_choice),
  .stuck_cycles = 400000, .create = create, .destroy = destroy, .restart = restart, .choose = choose, .drive = drive,
  .observe = observe, .progress = progress, .coverage = coverage, .explain = explain,
};
