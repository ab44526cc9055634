/* SPDX-License-Identifier: Apache-2.0 */
/* script.c: runs directed tests, one behind the other. */
#include "front_end_monitor/script.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_WAIT = 100000, HUB_STEPS = 8, LONG = 65536 }; /* cycles of the monitor for each context, beside the hub's */

void fem_add_step(struct fem_script *s, enum fem_step_kind kind, uint32_t addr, uint32_t value, uint32_t mask) {
  if (s->n == s->room) {
    s->room = s->room ? 2 * s->room : 64;
    s->step = realloc(s->step, s->room * sizeof *s->step);
    if (!s->step) abort();
  }
  s->step[s->n++] = (struct fem_step){kind, addr, value, mask};
}

/* Where the usual times are short, tests that do not write them run without. */
static void set_aside(struct fem_script *s) {
  fem_add_step(s, FEM_S_WRITE, FEM_REG_TIMEOUT, 0, 0);
  for (unsigned k = s->e->l.deads; k-- > 0;) {
    fem_add_step(s, FEM_S_WRITE, FEM_REG_DEAD, k, 0);
    fem_add_step(s, FEM_S_WRITE, FEM_REG_WINDOW, 0, 0);
  }
}

static void begin(struct fem_script *s) {
  s->n = s->at = 0;
  s->waited = s->substep = 0;
  s->chosen = false;
  memcpy(s->mark, s->e->covered, sizeof s->mark);
  fem_add_step(s, FEM_S_RESET, 0, 0, 0);
  fem_add_step(s, FEM_S_HUB, 0, 3, 0);
  fem_add_step(s, FEM_S_WRITE, FEM_REG_IRQ_ENABLE, 127, 0);
  if (s->e->l.usual_time < LONG) set_aside(s);
  fem_tests[s->test](s);
}

bool fem_directed_create(struct fem_env *e) {
  e->script = calloc(1, sizeof *e->script);
  if (e->script) e->script->e = e;
  return e->script;
}

void fem_directed_destroy(struct fem_env *e) {
  free(e->script->step);
  free(e->script);
}

void fem_directed_restart(struct fem_env *e) {
  struct fem_script *s = e->script;
  if (s->at < s->n && s->step[s->at].kind == FEM_S_RESET && s->chosen) return; /* rst_i of a script */
  s->test = 0;
  s->done = false;
  if (e->stim.profile)
    while (strcmp(fem_directed[s->test].name, e->stim.profile)) s->test++;
  begin(s);
}

/* ---- choices ------------------------------------------------------------------------------------------------- */

static void access_choice(struct fem_choice *c, const struct fem_step *step) {
  bool reads = step->kind == FEM_S_READ || (step->kind == FEM_S_ACCESS && !step->mask);
  c->flags |= FEM_DO_REG | (reads ? 0 : FEM_DO_WRITE);
  c->reg_addr = (uint16_t)step->addr;
  c->reg_data = step->value;
}

static void hub_choice(struct fem_script *s, struct fem_choice *c) {
  c->flags |= FEM_HUB_READY;
  if (!s->e->hub.busy) {
    s->hub_waited = 0;
    return;
  }
  if (s->hub_waited++ < s->hub_delay) return;
  c->flags |= FEM_HUB_DONE;
  if (s->hub_fail && !--s->hub_fail) {
    c->flags |= FEM_HUB_FAILS;
    c->code = (uint8_t)(s->hub_code - 1);
  }
}

bool fem_directed_choose(struct fem_env *e, struct fem_choice *c) {
  struct fem_script *s = e->script;
  if (s->done) return false;
  c->noise = (e->cycle + 1) * UINT64_C(0x9e3779b97f4a7c15);
  hub_choice(s, c);
  const struct fem_step *step = &s->step[s->at];
  s->chosen = true;
  switch (step->kind) {
  case FEM_S_WRITE: case FEM_S_REFUSED: case FEM_S_READ: case FEM_S_ACCESS:
    if (!s->substep) access_choice(c, step);
    break;
  case FEM_S_IRQ: { /* substeps: 1 read, 2 clear */
    struct fem_step reads = {FEM_S_READ, FEM_REG_IRQ_STATUS, 0, 0}, clears = {FEM_S_WRITE, FEM_REG_IRQ_STATUS, 127, 0};
    if (s->substep == 1) access_choice(c, &reads);
    if (s->substep == 3) access_choice(c, &clears);
    break;
  }
  case FEM_S_MODE:
    c->flags |= step->addr == FEM_ALL ? FEM_SET_ALL : FEM_SET_MODE;
    c->unit = (uint16_t)step->addr;
    c->mode = (uint8_t)step->value;
    c->arg = (uint16_t)step->mask;
    break;
  case FEM_S_RESET: c->flags |= FEM_DO_RESET; break;
  default: break;
  }
  return true;
}

/* ---- what comes ------------------------------------------------------------------------------------------------ */

static void next(struct fem_script *s) {
  s->waited = s->substep = 0;
  s->chosen = false;
  if (++s->at < s->n) return;
  if (s->e->stim.profile || !fem_tests[s->test + 1]) {
    s->done = true;
    return;
  }
  s->test++;
  begin(s);
}

static const char *accessed(struct fem_script *s, const struct fem_step *step, const uint32_t *out) {
  struct fem_env *e = s->e;
  s->substep = 1;
  if (!out[e->at.rsp_valid]) return NULL;
  bool refused = out[e->at.rsp_error];
  if (step->kind != FEM_S_ACCESS && refused != (step->kind == FEM_S_REFUSED))
    return fem_wrong(e, "register 0x%03x (0x%x) is %s", step->addr, step->value, refused ? "refused" : "taken");
  if (step->kind == FEM_S_READ && (out[e->at.rsp_data] ^ step->value) & step->mask)
    return fem_wrong(e, "register 0x%03x reads 0x%x, expected 0x%x (mask 0x%x)", step->addr, out[e->at.rsp_data], step->value, step->mask);
  next(s);
  return NULL;
}

static const char *interrupted(struct fem_script *s, const struct fem_step *step, const uint32_t *out) {
  struct fem_env *e = s->e;
  bool answer = out[e->at.rsp_valid];
  uint64_t most = (uint64_t)step->value * (1 + e->l.conns / 16) + 2ull * step->addr * e->l.units * (s->hub_delay + HUB_STEPS);
  switch (s->substep) {
  case 0:
    if (out[e->at.irq]) s->substep = 1;
    else if (++s->waited > most) return fem_wrong(e, "no interrupt within %u cycles", s->waited);
    return NULL;
  case 1: s->substep = 2; return NULL;
  case 2:
    if (!answer) return NULL;
    s->substep = 3;
    if (out[e->at.rsp_data] != step->mask) return fem_wrong(e, "interrupts 0x%x, expected 0x%x", out[e->at.rsp_data], step->mask);
    return NULL;
  case 3: s->substep = 4; return NULL;
  default:
    if (answer) next(s);
    return NULL;
  }
}

/* Cycles are those of the transfer: the report register of a unit shows it one cycle later. */
static const char *dead(struct fem_script *s, const struct fem_step *step, const uint32_t *out) {
  struct fem_env *e = s->e;
  uint64_t bound = step->value + e->l.stages + (e->l.levels + 1) + 1, since = e->cycle - (s->last_progress - 1);
  if (!out[e->at.irq] && since <= bound) return NULL;
  if (since > bound) return fem_wrong(e, "no report %u cycles behind the last progress, the bound is %u", (unsigned)since, (unsigned)bound);
  if (since < bound) return fem_wrong(e, "a report %u cycles behind the last progress, the window ends in %u", (unsigned)since, (unsigned)bound);
  next(s);
  return NULL;
}

/* Halted reports are at the ports 2 * STAGES + 1 cycles behind the command, and known MONITOR_LATENCY later; then the
 * stage and the walk's two steps. */
static const char *reaction(struct fem_script *s, const uint32_t *out) {
  struct fem_env *e = s->e;
  if (!out[e->at.hub_valid]) return ++s->waited > MOST_WAIT ? fem_wrong(e, "no command to the hub") : NULL;
  uint64_t took = e->cycle - s->halted_at, least = 2 * e->l.stages + 1 + e->l.levels + 1 + 3;
  uint64_t most = e->l.each ? least + e->l.levels + e->l.conns : least;
  if (took < least || took > most)
    return fem_wrong(e, "the hub is asked %u cycles behind the halt request, expected %u to %u", (unsigned)took, (unsigned)least, (unsigned)most);
  next(s);
  return NULL;
}

static const char *waited(struct fem_script *s, bool over, unsigned most, const char *what) {
  if (over) next(s);
  else if (++s->waited > most) return fem_wrong(s->e, "%s", what);
  return NULL;
}

static const char *look(struct fem_script *s, const struct fem_step *step, const uint32_t *out) {
  struct fem_env *e = s->e;
  switch (step->kind) {
  case FEM_S_WRITE: case FEM_S_REFUSED: case FEM_S_READ: case FEM_S_ACCESS: return accessed(s, step, out);
  case FEM_S_IRQ: return interrupted(s, step, out);
  case FEM_S_DEAD: return dead(s, step, out);
  case FEM_S_REACTION: return reaction(s, out);
  case FEM_S_QUIET:
    if (out[e->at.irq]) return fem_wrong(e, "an interrupt where none may be");
    return waited(s, s->waited + 1 >= step->value, MOST_WAIT, "");
  case FEM_S_IDLE: return waited(s, s->waited + 1 >= step->value, MOST_WAIT, "");
  case FEM_S_HALT: return waited(s, fem_is(&out[e->at.halt], 0) == (step->value & 1), MOST_WAIT, "the halt request does not change");
  case FEM_S_HUB:
    s->hub_delay = step->value;
    s->hub_fail = step->addr;
    s->hub_code = step->mask;
    break;
  case FEM_S_COVERED:
    if (fem_cover_possible(&e->l, (enum fem_cover)step->addr) && e->covered[step->addr] == s->mark[step->addr])
      return fem_wrong(e, "the test does not reach what it is for (coverage point %u)", step->addr);
    break;
  default: break;
  }
  next(s);
  return NULL;
}

const char *fem_directed_observe(struct fem_env *e, const uint32_t *in, const uint32_t *out) {
  struct fem_script *s = e->script;
  (void)in;
  for (unsigned u = 0; u < e->l.units; u++)
    if (e->unit[u].progress) s->last_progress = e->cycle;
  if (!fem_is(&out[e->at.halt], 0)) s->halted_at = e->cycle + 1;
  if (s->done || !s->chosen) return NULL;
  return look(s, &s->step[s->at], out);
}
