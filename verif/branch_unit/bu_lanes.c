/* SPDX-License-Identifier: Apache-2.0 */
/* bu_lanes.c: the reference for divergent control flow: each lane runs its program alone, with a stack of return
 * addresses and loop exits of its own and no idea of masks, of tokens or of other lanes. An instruction that the unit
 * executes for a mask must be the next one of each of its lanes [BU-3]. */
#include "bu_env.h"

#include <inttypes.h>
#include <string.h>

static uint64_t mix(uint64_t x) {
  x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
  x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
  return x ^ x >> 31;
}

/* Whether a lane takes the branch at its pc: of its own history alone. */
static bool takes(const struct bu_program *p, unsigned number, const struct bu_lane *lane) {
  const struct bu_code *c = &p->code[lane->pc];
  if (c->condition == BU_ALWAYS) return true;
  if (c->condition == BU_DEEPER) return lane->calls >= p->deepest || lane->steps > p->steps;
  uint64_t chance = mix(p->seed ^ mix((uint64_t)lane->steps << 32 | (uint64_t)lane->pc << 16 | number));
  bool take = (chance & 255) < c->chance;
  bool stays = p->code[lane->pc + 1].kind == BU_BREAK; /* takers go around the break */
  return c->exits && lane->steps > p->steps ? !stays : take;
}

/* Executes the instruction at the lane's pc. NULL, or what a lane alone cannot do: the program is wrong then. */
static const char *step(const struct bu_program *p, unsigned number, struct bu_lane *lane) {
  const struct bu_code *c = &p->code[lane->pc];
  uint16_t next = (uint16_t)(lane->pc + 1);
  switch (c->kind) {
  case BU_BRANCH: next = takes(p, number, lane) ? c->target : next; break;
  case BU_CALL:
  case BU_PREBREAK:
    if (lane->depth == BU_LANE_STACK && p->steps != UINT32_MAX) return "the lane's stack is full";
    if (lane->depth < BU_LANE_STACK) {
      lane->kind[lane->depth] = c->kind;
      lane->at[lane->depth] = c->kind == BU_CALL ? next : c->target;
    }
    lane->depth++;
    lane->calls = (uint16_t)(lane->calls + (c->kind == BU_CALL));
    next = c->kind == BU_CALL ? c->target : next;
    break;
  case BU_RETURN:
  case BU_BREAK:
    if (!lane->depth--) return "the lane leaves what it has not entered";
    if (lane->depth < BU_LANE_STACK && lane->kind[lane->depth] != (c->kind == BU_RETURN ? BU_CALL : BU_PREBREAK))
      return "the lane leaves a loop by return or a function by break";
    /* Recursion deeper than the lane's stack returns to one place, which is the top of that stack. */
    next = lane->at[lane->depth < BU_LANE_STACK ? lane->depth : BU_LANE_STACK - 1];
    lane->calls = (uint16_t)(lane->calls - (c->kind == BU_RETURN));
    break;
  case BU_FINISH: lane->runs = false; break;
  default: break;
  }
  lane->pc = next;
  lane->steps++;
  return NULL;
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
  bu_lanes all = ~(bu_lanes)0 >> (128 - lanes), active = c->kind == BU_BRANCH ? r->now.mask : 0;
  bu_lanes mask = (((bu_lanes)noise << 64 | noise) & all & ~active);
  for (; active; active &= active - 1) {
    unsigned lane = bu_lowest(active);
    if (r->lane[lane].pc == pc ? takes(p, lane, &r->lane[lane]) : noise >> lane % 64 & 1) mask |= (bu_lanes)1 << lane;
  }
  i->mask = mask;
  i->target = c->target;
  i->next = pc + 1;
}

void bu_lanes_launch(struct bu_env *e, unsigned group, uint64_t seed, unsigned limit) {
  struct bu_runner *r = &e->runner[group];
  bu_write_program(&r->program, seed, limit, e->l.pc_w == 8 ? 250 : BU_CODE_MAX);
  r->runs = true;
  r->finished = false;
  r->now = (struct bu_flow){0};
}

static void launched(struct bu_env *e, struct bu_runner *r) {
  memset(r->lane, 0, e->l.lanes * sizeof *r->lane);
  for (unsigned i = 0; i < e->l.lanes; i++) r->lane[i].runs = r->now.mask >> i & 1;
}

static const char *executed(struct bu_env *e, struct bu_runner *r, const struct bu_expected *x) {
  bu_lanes mask = r->now.mask;
  for (; mask; mask &= mask - 1) {
    unsigned i = bu_lowest(mask);
    struct bu_lane *lane = &r->lane[i];
    if (!lane->runs || lane->pc != r->now.pc)
      return bu_wrong(e, "group %u: lane %u alone is at instruction %u, and the unit executes %" PRIu64 " for it",
                      x->ins.group, i, lane->runs ? lane->pc : 0xffff, r->now.pc);
    const char *wrong = step(&r->program, i, lane);
    if (wrong) return bu_wrong(e, "group %u: lane %u alone, instruction %" PRIu64 ": %s", x->ins.group, i, r->now.pc, wrong);
  }
  if (x->ins.kind != BU_FINISH) return NULL;
  r->finished = true;
  for (unsigned i = 0; i < e->l.lanes; i++)
    if (r->lane[i].runs) return bu_wrong(e, "group %u has finished, and lane %u alone has not", x->ins.group, i);
  return NULL;
}

const char *bu_lanes_result(struct bu_env *e, const struct bu_expected *x, const uint32_t *out) {
  struct bu_runner *r = &e->runner[x->ins.group];
  if (!r->runs) return NULL;
  unsigned status = out[e->at.res_status];
  struct bu_flow to = {bu_get(&out[e->at.res_mask], 0, e->l.lanes), (uint64_t)bu_get(&out[e->at.res_pc], 0, e->l.pc_w)};
  const char *wrong = NULL;
  if (x->ins.kind == BU_LAUNCH) {
    r->now = to;
    launched(e, r);
    return NULL;
  }
  if (status == BU_DONE) wrong = executed(e, r, x);
  if (status == BU_WRONG_KIND || status == BU_UNDERFLOW || status == BU_NOT_EMPTY)
    wrong = bu_wrong(e, "group %u: status %u at instruction %" PRIu64 " of a correct program", x->ins.group, status, r->now.pc);
  if (status > BU_NOT_EXECUTED || x->ins.kind == BU_FINISH) r->runs = status <= BU_NOT_EXECUTED && x->ins.pop;
  r->now = to;
  return wrong;
}
