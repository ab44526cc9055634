/* SPDX-License-Identifier: Apache-2.0 */
/* lanes.c: the reference for divergent control flow: each lane runs its program alone, with a stack of return
 * addresses and loop exits of its own and no idea of masks, of tokens or of other lanes. An instruction that the unit
 * executes for a mask must be the next one of each of its lanes [BU-3]. */
#include "branch_unit/env.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- life -------------------------------------------------------------------------------------------- */

bool bu_runners_create(struct bu_runner *r, unsigned threads, unsigned lanes) {
  r->lane = calloc((size_t)threads * lanes, sizeof *r->lane);
  r->stack = calloc((size_t)threads * lanes * BU_LANE_STACK, sizeof *r->stack);
  for (unsigned i = 1; r->lane && r->stack && i < threads; i++) {
    r[i].lane = r->lane + (size_t)i * lanes;
    r[i].stack = r->stack + (size_t)i * lanes * BU_LANE_STACK;
  }
  return r->lane && r->stack;
}

void bu_runners_destroy(struct bu_runner *r) {
  if (!r) return;
  free(r->lane);
  free(r->stack);
}

void bu_runners_copy(struct bu_runner *to, const struct bu_runner *from, unsigned threads, unsigned lanes) {
  for (unsigned i = 0; i < threads; i++) {
    struct bu_lane *lane = to[i].lane;
    struct bu_place *stack = to[i].stack;
    if (from[i].runs || to[i].runs) to[i] = from[i];
    to[i].lane = lane;
    to[i].stack = stack;
    if (!from[i].runs) continue;
    memcpy(lane, from[i].lane, lanes * sizeof *lane);
    memcpy(stack, from[i].stack, (size_t)lanes * BU_LANE_STACK * sizeof *stack);
  }
}

/* ---- branches ---------------------------------------------------------------------------------------- */

/* Eight random bits for a lane at a branch: of the program and its own history alone. */
static unsigned dice(const struct bu_program *p, unsigned number, const struct bu_lane *lane) {
  uint64_t x = p->seed + ((uint64_t)lane->steps << 32 | (uint64_t)lane->pc << 16 | number) * UINT64_C(0x9e3779b97f4a7c15);
  return (unsigned)((x ^ x >> 32) * UINT64_C(0xbf58476d1ce4e5b9) >> 56);
}

/* Those of up to 64 lanes, all at the branch `c`, that take it. */
static uint64_t takers(const struct bu_program *p, const struct bu_code *c, unsigned first, uint64_t lanes, const struct bu_lane *lane) {
  const bool stays = c[1].kind == BU_BREAK; /* takers go around the break */
  const uint32_t late = c->exits ? p->steps : UINT32_MAX;
  uint64_t take = 0;
  if (c->condition == BU_ALWAYS) return lanes;
  for (; lanes; lanes &= lanes - 1) {
    unsigned i = (unsigned)__builtin_ctzll(lanes);
    const struct bu_lane *l = &lane[first + i];
    bool takes = c->condition == BU_DEEPER ? (l->calls >= p->deepest) | (l->steps > p->steps)
                                           : l->steps > late ? !stays : dice(p, first + i, l) < c->chance;
    take |= (uint64_t)takes << i;
  }
  return take;
}

/* Those at the instruction. */
static uint64_t those_at(unsigned pc, uint64_t lanes, const struct bu_lane *lane) {
  uint64_t at = 0;
  for (; lanes; lanes &= lanes - 1) {
    unsigned i = (unsigned)__builtin_ctzll(lanes);
    at |= (uint64_t)(lane[i].pc == pc) << i;
  }
  return at;
}

/* Looks which of the group's active lanes take the branch at `pc`; they stay as they are until its result. */
static void look(struct bu_runner *r, unsigned pc, unsigned lanes) {
  const struct bu_program *p = &r->program;
  uint64_t low = those_at(pc, (uint64_t)r->now.mask, r->lane), high = 0;
  r->takes = takers(p, &p->code[pc], 0, low, r->lane);
  if (lanes > 64) {
    high = those_at(pc, (uint64_t)(r->now.mask >> 64), r->lane + 64);
    r->takes |= (bu_lanes)takers(p, &p->code[pc], 64, high, r->lane) << 64;
  }
  r->there = (bu_lanes)high << 64 | low;
  r->looked = true;
}

/* ---- instructions ------------------------------------------------------------------------------------ */

/* An instruction of lane i, `c` at its pc. NULL, or what a lane alone cannot do: the program is wrong then. */
static const char *enter(struct bu_runner *r, unsigned lanes, const struct bu_code *c, struct bu_lane *lane, unsigned i) {
  const bool call = c->kind == BU_CALL;
  if (lane->depth == BU_LANE_STACK && r->program.steps != UINT32_MAX) return "the lane's stack is full";
  uint16_t next = (uint16_t)(lane->pc + 1);
  if (lane->depth < BU_LANE_STACK) r->stack[lane->depth * lanes + i] = (struct bu_place){call ? next : c->target, c->kind};
  lane->depth++;
  lane->calls = (uint16_t)(lane->calls + call);
  lane->pc = call ? c->target : next;
  return NULL;
}

static const char *leave(struct bu_runner *r, unsigned lanes, const struct bu_code *c, struct bu_lane *lane, unsigned i) {
  const bool returns = c->kind == BU_RETURN;
  if (!lane->depth--) return "the lane leaves what it has not entered";
  /* Recursion deeper than the lane's stack returns to one place, which is the top of that stack. */
  const bool deep = lane->depth >= BU_LANE_STACK;
  const struct bu_place *from = &r->stack[(deep ? BU_LANE_STACK - 1 : lane->depth) * lanes + i];
  if (!deep && from->kind != (returns ? BU_CALL : BU_PREBREAK)) return "the lane leaves a loop by return or a function by break";
  lane->pc = from->at;
  lane->calls = (uint16_t)(lane->calls - returns);
  return NULL;
}

static const char *step(struct bu_runner *r, unsigned lanes, const struct bu_code *c, unsigned i, bool takes) {
  struct bu_lane *lane = &r->lane[i];
  lane->steps++;
  switch (c->kind) {
  case BU_CALL: case BU_PREBREAK: return enter(r, lanes, c, lane, i);
  case BU_RETURN: case BU_BREAK: return leave(r, lanes, c, lane, i);
  case BU_BRANCH: lane->pc = takes ? c->target : (uint16_t)(lane->pc + 1); return NULL;
  default: lane->pc++; return NULL;
  }
}

static unsigned next_pc(const struct bu_runner *r) {
  const uint64_t pc = r->now.pc;
  return pc < r->program.n ? (unsigned)pc : r->program.n - 1;
}

void bu_next_kind(const struct bu_runner *r, struct bu_instruction *i) {
  const struct bu_code *c = &r->program.code[next_pc(r)];
  i->kind = c->kind;
  i->set = c->set;
  i->pop = c->pop;
}

void bu_next_flow(struct bu_runner *r, unsigned lanes, uint64_t noise, struct bu_instruction *i) {
  const struct bu_program *p = &r->program;
  const unsigned pc = next_pc(r);
  const struct bu_code *c = &p->code[pc];
  const bu_lanes all = ~(bu_lanes)0 >> (128 - lanes), any = (bu_lanes)noise << 64 | noise;
  i->mask = any & all;
  if (c->kind == BU_BRANCH) {
    if (!r->looked) look(r, pc, lanes);
    i->mask = (i->mask & ~r->there) | r->takes;
  }
  i->target = c->target;
  i->next = pc + 1;
}

void bu_lanes_launch(struct bu_env *e, unsigned group, uint64_t seed, unsigned limit) {
  struct bu_runner *r = &e->runner[group];
  bu_write_program(&r->program, seed, limit, e->l.pc_w == 8 ? 250 : BU_CODE_MAX);
  r->runs = true;
  r->now = (struct bu_flow){0};
  r->looked = false;
}

static void launched(struct bu_env *e, struct bu_runner *r) {
  memset(r->lane, 0, e->l.lanes * sizeof *r->lane);
  r->running = r->now.mask;
}

/* What is wrong with a lane of the mask, if anything: it must be at the instruction that is executed for it. */
static const char *stray(struct bu_env *e, const struct bu_runner *r, unsigned group, unsigned i) {
  const bool runs = r->running >> i & 1;
  return bu_wrong(e, "group %u: lane %u alone is at instruction %u, and the unit executes %" PRIu64 " for it", group, i,
                  runs ? r->lane[i].pc : 0xffff, r->now.pc);
}

/* Up to 64 lanes from `first` on. */
static const char *execute(struct bu_env *e, struct bu_runner *r, unsigned group, unsigned first) {
  const uint64_t mask = (uint64_t)(r->now.mask >> first), strays = mask & ~(uint64_t)(r->running >> first);
  const uint64_t takes = (uint64_t)(r->takes >> first);
  if (strays) return stray(e, r, group, first + (unsigned)__builtin_ctzll(strays));
  for (uint64_t left = mask; left; left &= left - 1) {
    const unsigned n = (unsigned)__builtin_ctzll(left), i = first + n;
    if (r->lane[i].pc != r->now.pc) return stray(e, r, group, i);
    const char *wrong = step(r, e->l.lanes, &r->program.code[r->now.pc], i, takes >> n & 1);
    if (wrong) return bu_wrong(e, "group %u: lane %u alone, instruction %" PRIu64 ": %s", group, i, r->now.pc, wrong);
  }
  return NULL;
}

static const char *executed(struct bu_env *e, struct bu_runner *r, const struct bu_expected *x) {
  if (!r->looked && r->program.code[next_pc(r)].kind == BU_BRANCH) look(r, next_pc(r), e->l.lanes);
  const char *wrong = execute(e, r, x->ins.group, 0);
  if (!wrong && e->l.lanes > 64) wrong = execute(e, r, x->ins.group, 64);
  if (wrong) return wrong;
  if (x->ins.kind != BU_FINISH) return NULL;
  r->running &= ~r->now.mask;
  if (r->running) return bu_wrong(e, "group %u has finished, and lane %u alone has not", x->ins.group, bu_lowest(r->running));
  return NULL;
}

const char *bu_lanes_result(struct bu_env *e, const struct bu_expected *x, const uint32_t *out) {
  struct bu_runner *r = &e->runner[x->ins.group];
  if (!r->runs) return NULL;
  unsigned status = out[e->at.res_status];
  const bu_lanes mask = bu_get_port(&out[e->at.res_mask], e->l.lanes);
  const uint64_t pc = (uint64_t)bu_get_port(&out[e->at.res_pc], e->l.pc_w);
  const char *wrong = NULL;
  if (x->ins.kind == BU_LAUNCH) {
    r->looked = false;
    r->now.mask = mask;
    r->now.pc = pc;
    launched(e, r);
    return NULL;
  }
  if (status == BU_DONE) wrong = executed(e, r, x);
  if (status == BU_WRONG_KIND || status == BU_UNDERFLOW || status == BU_NOT_EMPTY)
    wrong = bu_wrong(e, "group %u: status %u at instruction %" PRIu64 " of a correct program", x->ins.group, status, r->now.pc);
  if (status > BU_NOT_EXECUTED || x->ins.kind == BU_FINISH) r->runs = status <= BU_NOT_EXECUTED && x->ins.pop;
  r->looked = false;
  r->now.mask = mask;
  r->now.pc = pc;
  return wrong;
}
