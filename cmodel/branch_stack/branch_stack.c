/* SPDX-License-Identifier: Apache-2.0 */
/* branch_stack.c: the transaction level of branch_stack: its instructions, over the cycle model and a memory of callbacks. */
#include "branch_stack/branch_stack.h"

#include <stdlib.h>
#include <string.h>

#include "branch_stack/parts.h"
#include "core/ports.h"
#include "core/transact.h"

extern const struct simt_block simt_block_branch_stack;

#define BS_INS_PORTS(PORT) \
  PORT(valid, ins_valid_i) PORT(kind, ins_kind_i) PORT(set, ins_set_sync_i) PORT(pop, ins_pop_sync_i) \
  PORT(group, ins_group_i) PORT(mask, ins_mask_i) PORT(target, ins_target_i) PORT(next, ins_next_i) \
  PORT(step, ins_step_o) PORT(push, ins_push_o) PORT(pops, ins_pop_o) PORT(launch, ins_launch_o)
SIMT_PORTS(bs_ins_ports, BS_INS_PORTS)
#define BS_RES_PORTS(PORT) \
  PORT(valid, res_valid_o) PORT(group, res_group_o) PORT(kind, res_kind_o) PORT(status, res_status_o) PORT(synced, res_synced_o) \
  PORT(go, res_go_o) PORT(mask, res_mask_o) PORT(pc, res_pc_o)
SIMT_PORTS(bs_res_ports, BS_RES_PORTS)

struct branch_stack {
  struct simt_transact t;
  unsigned groups, lanes, pc_w;
  struct bs_ins_ports ins;
  struct bs_res_ports res;
};

static bool bit(const uint32_t *words, unsigned i) { return words[i / 32] >> i % 32 & 1; }

/* One cycle with the instruction as it is; it is withdrawn after it. */
static void tick(struct branch_stack *b) {
  simt_transact_tick(&b->t);
  b->t.in[b->ins.valid] = 0;
}

void branch_stack_advance(struct branch_stack *b, uint64_t cycles) {
  while (cycles--) tick(b);
}

uint64_t branch_stack_cycle(const struct branch_stack *b) { return b->t.cycle; }

/* ---- life --------------------------------------------------------------------------------------------- */

static void bind_ports(struct branch_stack *b) {
  bs_ins_ports_bind(&b->ins, &b->t.cfg);
  bs_res_ports_bind(&b->res, &b->t.cfg);
  b->groups = simt_find_port(&b->t.cfg, "ins_step_o")->width;
  b->lanes = simt_find_port(&b->t.cfg, "ins_mask_i")->width;
  b->pc_w = simt_find_port(&b->t.cfg, "ins_target_i")->width;
}

struct branch_stack *branch_stack_create(const char *const *params, const struct simt_remote *memory,
                                         struct simt_diag *diag) {
  struct branch_stack *b = calloc(1, sizeof *b);
  if (!b) {
    simt_fail(diag, "branch_stack", "no memory", "memory for the model");
    return NULL;
  }
  if (!simt_transact_open(&b->t, &simt_block_branch_stack, params, memory, diag) ||
      (simt_derived(&b->t.cfg, "MEM_BEATS") > 1 && !simt_fail(diag, "MEM_W", "entry", "set: the memory of callbacks takes whole sets"))) {
    branch_stack_destroy(b);
    return NULL;
  }
  bind_ports(b);
  while (!(b->t.out[b->ins.launch] & 1)) tick(b);
  b->t.cycle = 0;
  return b;
}

void branch_stack_destroy(struct branch_stack *b) {
  if (!b) return;
  simt_transact_close(&b->t);
  free(b);
}

/* ---- instructions ------------------------------------------------------------------------------------- */

static bool known(const struct branch_stack *b, const struct branch_stack_instruction *i) {
  return i->group < b->groups && (unsigned)i->kind <= BRANCH_STACK_FINISH;
}

/* The ready bits that its class is taken by. */
static unsigned class_of(const struct branch_stack *b, const struct branch_stack_instruction *i) {
  if (i->kind == BRANCH_STACK_LAUNCH) return b->ins.launch;
  if (i->pop_sync && !bs_synced(b->t.model, i->group)) return b->ins.pops;
  bool steps = i->kind == BRANCH_STACK_OTHER || i->kind == BRANCH_STACK_FINISH;
  if (i->kind == BRANCH_STACK_BRANCH || i->kind == BRANCH_STACK_CALL || i->kind == BRANCH_STACK_PREBREAK || (i->set_sync && !steps))
    return b->ins.push;
  return steps ? b->ins.step : b->ins.pops;
}

bool branch_stack_can_go(const struct branch_stack *b, const struct branch_stack_instruction *i) {
  return known(b, i) && bit(&b->t.out[class_of(b, i)], i->group);
}

enum branch_stack_status branch_stack_check(const struct branch_stack *b, const struct branch_stack_instruction *i) {
  const bool masked = i->kind == BRANCH_STACK_BRANCH || i->kind == BRANCH_STACK_LAUNCH;
  if (!known(b, i)) return BRANCH_STACK_NO_GROUP;
  if (masked && !simt_words_fit(i->mask, BRANCH_STACK_MASK_WORDS, b->lanes)) return BRANCH_STACK_RANGE;
  return simt_fits(i->target, b->pc_w) && simt_fits(i->next, b->pc_w) ? BRANCH_STACK_DONE : BRANCH_STACK_RANGE;
}

bool branch_stack_issue(struct branch_stack *b, const struct branch_stack_instruction *i) {
  if (branch_stack_check(b, i) != BRANCH_STACK_DONE) return false;
  bool taken = branch_stack_can_go(b, i);
  uint32_t *in = b->t.in;
  in[b->ins.valid] = 1;
  in[b->ins.kind] = i->kind;
  in[b->ins.set] = i->set_sync;
  in[b->ins.pop] = i->pop_sync;
  in[b->ins.group] = i->group;
  for (unsigned w = 0; w < (b->lanes + 31) / 32; w++) /* of other kinds the mask means nothing */
    in[b->ins.mask + w] = i->mask[w] & (b->lanes >= 32 * w + 32 ? UINT32_MAX : simt_ones(b->lanes - 32 * w));
  simt_put_bits(&in[b->ins.target], 0, b->pc_w, i->target);
  simt_put_bits(&in[b->ins.next], 0, b->pc_w, i->next);
  tick(b);
  return taken;
}

bool branch_stack_result(const struct branch_stack *b, struct branch_stack_result *r) {
  const uint32_t *out = b->t.out;
  if (!out[b->res.valid]) return false;
  *r = (struct branch_stack_result){.status = (enum branch_stack_status)out[b->res.status],
                                    .synced = out[b->res.synced], .group = out[b->res.group],
                                    .kind = (enum branch_stack_kind)out[b->res.kind], .go = out[b->res.go]};
  if (!r->go) return true;
  memcpy(r->mask, &out[b->res.mask], (b->lanes + 31) / 32 * sizeof *r->mask);
  r->pc = b->pc_w > 32 ? simt_get64(&out[b->res.pc]) : out[b->res.pc];
  return true;
}

struct branch_stack_result branch_stack_execute(struct branch_stack *b, const struct branch_stack_instruction *i) {
  struct branch_stack_result r = {.status = branch_stack_check(b, i), .group = i->group, .kind = i->kind};
  if (r.status != BRANCH_STACK_DONE) return r;
  r.status = BRANCH_STACK_NOT_LIVE;
  if (i->kind != BRANCH_STACK_LAUNCH && !bs_live(b->t.model, i->group)) return r;
  uint64_t begin = b->t.cycle, wait = 0;
  while (!branch_stack_issue(b, i)) wait++;
  while (!branch_stack_result(b, &r)) tick(b);
  r.wait = wait;
  r.cycles = b->t.cycle - begin;
  return r;
}

/* ---- registers and counts ------------------------------------------------------------------------------ */

bool branch_stack_read_register(struct branch_stack *b, uint32_t addr, uint32_t *data) {
  return simt_transact_read(&b->t, addr, data);
}

bool branch_stack_write_register(struct branch_stack *b, uint32_t addr, uint32_t data) {
  return simt_transact_write(&b->t, addr, data);
}

void branch_stack_stats(const struct branch_stack *b, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx) {
  b->t.ops->stats(b->t.model, visit, ctx);
}
