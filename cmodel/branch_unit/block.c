/* SPDX-License-Identifier: Apache-2.0 */
/* block.c: the description of branch_unit: parameters, derived values, ports, registers, coverage. */
#include "branch_unit/cover.h"
#include "branch_unit/model.h"
#include "core/unit_status.h"

enum bu_param { THREADS, LANES, ENTRY_W, MAX_DEPTH, STACK_LATENCY, STATUS };
enum { LEAST_PC = 8, MOST_PC = 64 };


static const struct simt_param params[] = {
  [THREADS] = {"THREADS", 24, 1, 1024, 0, NULL, "groups", "thread groups, one stack each", "BU-5"},
  [LANES] = {"LANES", 32, 1, 128, 0, NULL, "lanes", "threads of a group", "BU-1"},
  [ENTRY_W] = {"ENTRY_W", 64, 11, 194, 0, NULL, "bits", "width of a token: LANES + 2 + the width of a program counter, 8..64", "BU-1"},
  [MAX_DEPTH] = {"MAX_DEPTH", 16384, 2, 1 << 20, 0, NULL, "tokens", "deepest stack, as in the stack that is connected", "BU-5"},
  [STACK_LATENCY] = {"STACK_LATENCY", 3, 1, 8, 0, NULL, "cycles", "from an operation taken by the stack to its answer", "BU-5"},
  [STATUS] = {"STATUS", 0, 0, 3, 0, simt_status_choices, "", "unit status, halt and context switch, with this encoding of state_o; none: its ports are idle", "US-13"},
};

void bu_layout(const uint64_t *value, struct bu_layout *l) {
  l->threads = (unsigned)value[THREADS];
  l->lanes = (unsigned)value[LANES];
  l->entry_w = (unsigned)value[ENTRY_W];
  l->max_depth = value[MAX_DEPTH];
  l->latency = (unsigned)value[STACK_LATENCY];
  l->ring = l->latency < 2 ? 2 : l->latency > BU_RING_MAX ? BU_RING_MAX : l->latency;
  l->thread_w = simt_max1(simt_clog2(l->threads));
  l->pc_w = l->entry_w - l->lanes - 2;
  l->count_w = simt_clog2(l->max_depth + 1);
  l->lane_words = (l->lanes + 31) / 32;
  l->entry_words = (l->entry_w + 31) / 32;
  l->pc_words = (l->pc_w + 31) / 32;
  l->status = (unsigned)value[STATUS];
  l->alone = true;
  l->ctx_max = BU_CTX_REGS + 2 * (uint64_t)l->threads * (1 + l->lane_words + l->pc_words) +
               (l->ring + 1) * (1 + l->lane_words + 2 * (uint64_t)l->pc_words);
  const uint64_t shape[] = {l->threads, l->lanes, l->entry_w, l->max_depth, l->ring};
  l->cfg_hash = simt_context_hash(shape, sizeof shape / sizeof *shape);
}

static void add_instruction_ports(struct simt_desc *d, const struct bu_layout *l) {
  static const char ins[] = "instruction", insv[] = "ins_valid_i", res[] = "result", resv[] = "res_valid_o";
  const enum simt_dir in = SIMT_IN, out = SIMT_OUT;
  simt_add_port(d, in, 1, "", ins, "An instruction is presented; it is taken if the ready bit of its group and class is 1.", insv);
  simt_add_port(d, in, 3, insv, ins, "0 other, 1 branch, 2 call, 3 pre-break, 4 return, 5 break, 6 launch, 7 finish.", "ins_kind_i");
  simt_add_port(d, in, 1, insv, ins, "Set-sync: push a sync token first (kinds 1..5; ignored elsewhere).", "ins_set_sync_i");
  simt_add_port(d, in, 1, insv, ins, "Pop-sync: pop a token first (not of a launch; not twice for one instruction).", "ins_pop_sync_i");
  simt_add_port(d, in, l->thread_w, insv, ins, "Group of the instruction; never taken when not below THREADS.", "ins_group_i");
  simt_add_port(d, in, l->lanes, insv, ins, "Branch: the lanes whose condition holds, others ignored; launch: the active mask.", "ins_mask_i");
  simt_add_port(d, in, l->pc_w, insv, ins, "Branch, call: target; pre-break: pc after the loop; launch: first pc.", "ins_target_i");
  simt_add_port(d, in, l->pc_w, insv, ins, "pc of the instruction behind this one: fall-through and return address.", "ins_next_i");
  simt_add_port(d, out, l->threads, "", ins, "Per group: an instruction without stack operation (other, finish) is taken.", "ins_step_o");
  simt_port_parts(d, "group*1");
  simt_add_port(d, out, l->threads, "", ins, "Per group: an instruction that may push (branch, call, pre-break, set-sync) is taken.", "ins_push_o");
  simt_port_parts(d, "group*1");
  simt_add_port(d, out, l->threads, "", ins, "Per group: an instruction that pops (pop-sync, return, break) is taken.", "ins_pop_o");
  simt_port_parts(d, "group*1");
  simt_add_port(d, out, l->threads, "", ins, "Per group: a launch is taken.", "ins_launch_o");
  simt_port_parts(d, "group*1");
  simt_add_port(d, out, 1, "", res, "The result of an instruction, one for each, those of a group in order; no back-pressure.", resv);
  simt_add_port(d, out, l->thread_w, resv, res, "Group of the result.", "res_group_o");
  simt_add_port(d, out, 3, resv, res, "Kind of the instruction.", "res_kind_o");
  simt_add_port(d, out, 3, resv, res, "0 done, 1 not executed: a pop-sync popped; errors, the group stops: 2 overflow, 3 underflow, "
                "4 fault, 5 token of the wrong kind, 6 finish with a stack that is not empty.", "res_status_o");
  simt_add_port(d, out, 1, resv, res, "With status 1: the pop-sync popped a `sync`, and the same instruction is to come again; 0: a `div`. "
                "With another status 0.", "res_synced_o");
  simt_add_port(d, out, 1, "", res, "The group goes on at res_pc_o with res_mask_o: status 0 or 1, and not a finish.", "res_go_o");
  simt_add_port(d, out, l->lanes, "res_go_o", res, "Active mask of the group from now on.", "res_mask_o");
  simt_add_port(d, out, l->pc_w, "res_go_o", res, "Program counter of the group from now on.", "res_pc_o");
}

static void add_stack_ports(struct simt_desc *d, const struct bu_layout *l) {
  static const char op[] = "stack operation", ans[] = "stack answer", opv[] = "op_valid_o", ansv[] = "ans_valid_i";
  const enum simt_dir in = SIMT_IN, out = SIMT_OUT;
  simt_add_port(d, out, 1, "", op, "An operation is presented to the stack; one that is not taken comes again ROUND cycles later.", opv);
  simt_add_port(d, out, 3, opv, op, "0 push, 1 pop, 4 init.", "op_kind_o");
  simt_add_port(d, out, l->thread_w, opv, op, "Stack of the operation: the group.", "op_thread_o");
  simt_add_port(d, out, l->entry_w, opv, op, "Token to push: {kind: 0 call, 1 brk, 2 div, 3 sync; mask; pc}.", "op_data_o");
  simt_port_parts(d, "kind:2 mask:%u pc:%u", l->lanes, l->pc_w);
  simt_add_port(d, in, l->threads, "", op, "Per stack: a push is taken in this cycle, if can_go_i.", "can_push_i");
  simt_add_port(d, in, l->threads, "", op, "Per stack: a pop is taken in this cycle, if can_go_i; an init by either bit.", "can_top_i");
  simt_add_port(d, in, 1, "", op, "Operations are taken in this cycle.", "can_go_i");
  simt_add_port(d, in, 1, "", ans, "Answer of the stack, STACK_LATENCY cycles after its operation was taken, in order.", ansv);
  simt_add_port(d, in, l->thread_w, ansv, ans, "Stack of the answer (follows from the order; not looked at).", "ans_thread_i");
  simt_add_port(d, in, 3, ansv, ans, "Kind of the operation (follows from the order; not looked at).", "ans_kind_i");
  simt_add_port(d, in, 2, ansv, ans, "0 ok, 1 overflow, 2 underflow, 3 fault.", "ans_status_i");
  simt_add_port(d, in, 1, "", ans, "The answer carries a token (follows from the order; not looked at).", "ans_data_valid_i");
  simt_add_port(d, in, l->entry_w, "ans_data_valid_i", ans, "The token popped.", "ans_data_i");
}

static unsigned part(unsigned width, unsigned word) { return width - 32 * word < 32 ? width - 32 * word : 32; }

static void add_pc_regs(struct simt_desc *d, const struct bu_layout *l, uint32_t addr, const char *name, const char *req,
                        const char *doc) {
  simt_add_reg(d, addr, part(l->pc_w, 0), "ro", 0, req, doc, "%s_LO", name);
  if (l->pc_w > 32) simt_add_reg(d, addr + 4, l->pc_w - 32, "ro", 0, req, "upper bits", "%s_HI", name);
}

static void add_regs(struct simt_desc *d, const struct bu_layout *l) {
  simt_add_reg(d, BU_REG_ID, 32, "ro", BU_ID, "", "block identification and version", "BU_ID");
  simt_add_reg(d, BU_REG_STATUS, 3, "ro", 1, "BU-4", "bit 0: no group is live; 1: a group is stopped; 2: an error is recorded", "BU_STATUS");
  simt_add_reg(d, BU_REG_LIMIT, l->count_w, "rw", (uint32_t)l->max_depth, "BU-5", "depth limit, at most MAX_DEPTH, not above that of the stack", "BU_LIMIT");
  simt_reg_clips(d, (uint32_t)l->max_depth);
  simt_add_reg(d, BU_REG_GROUP, l->thread_w, "rw", 0, "BU-6", "group that the registers below show; below THREADS", "BU_GROUP");
  simt_reg_range(d, 0, l->threads - 1);
  simt_add_reg(d, BU_REG_GROUP_STATE, 4, "ro", 0, "BU-6", "bit 0: live; 1: stopped by an error; 2: popped a sync token for an instruction still to come; "
               "3: an instruction is under way", "BU_GROUP_STATE");
  simt_add_reg(d, BU_REG_DEPTH, l->count_w, "ro", 0, "BU-5", "tokens on the stack of GROUP, those of operations under way included", "BU_DEPTH");
  simt_add_reg(d, BU_REG_ERROR, 32, "rw", 0, "BU-4", "first error: 31 valid, 18:16 status, 14:12 kind, 9:0 group; any write clears it and the count", "BU_ERROR");
  simt_reg_clears(d);
  simt_add_reg(d, BU_REG_ERROR_COUNT, 16, "ro", 0, "BU-4", "errors since cleared, saturating", "BU_ERROR_COUNT");
  add_pc_regs(d, l, BU_REG_PC, "BU_PC", "BU-6", "program counter of GROUP");
  simt_add_reg(d, BU_REG_ERROR_STATUS, 10, "ro", 0, "BU-4", "error that stopped GROUP: 9:8 kind of the token, 6:4 kind of the instruction, 2:0 status; 0: none", "BU_ERROR_STATUS");
  add_pc_regs(d, l, BU_REG_ERROR_PC, "BU_ERROR_PC", "BU-4", "pc of the token of the wrong kind that GROUP popped");
  for (unsigned i = 0; i < l->lane_words; i++)
    simt_add_reg(d, BU_REG_MASK + 4 * i, part(l->lanes, i), "ro", 0, "BU-6", "active mask of GROUP, lane 0 the lowest bit", "BU_MASK_%u", i);
  for (unsigned i = 0; i < l->lane_words; i++)
    simt_add_reg(d, BU_REG_ERROR_MASK + 4 * i, part(l->lanes, i), "ro", 0, "BU-4", "mask of the token of the wrong kind", "BU_ERROR_MASK_%u", i);
  for (unsigned i = 0; i < (l->threads + 31) / 32; i++)
    simt_add_reg(d, BU_REG_LIVE + 4 * i, part(l->threads, i), "ro", 0, "BU-6", "live groups, group 0 the lowest bit", "BU_LIVE_%u", i);
  for (unsigned i = 0; i < (l->threads + 31) / 32; i++)
    simt_add_reg(d, BU_REG_STOPPED + 4 * i, part(l->threads, i), "ro", 0, "BU-4", "groups stopped by an error", "BU_STOPPED_%u", i);
}

static bool resolve(const uint64_t *value, struct simt_desc *d, struct simt_diag *diag) {
  uint64_t lanes = value[LANES], entry_w = value[ENTRY_W];
  if (entry_w < lanes + 2 + LEAST_PC || entry_w > lanes + 2 + MOST_PC) {
    char got[24];
    simt_value_text(&params[ENTRY_W], entry_w, got);
    return simt_fail(diag, "ENTRY_W", got, "%u..%u bits for LANES = %u (a kind of 2 bits, the mask, a program counter of %u..%u bits)",
                     (unsigned)lanes + 2 + LEAST_PC, (unsigned)lanes + 2 + MOST_PC, (unsigned)lanes, LEAST_PC, MOST_PC);
  }
  struct bu_layout l;
  bu_layout(value, &l);
  simt_add_derived(d, "THREAD_W", l.thread_w, true, "bits", "width of a group number");
  simt_add_derived(d, "PC_W", l.pc_w, true, "bits", "width of a program counter");
  simt_add_derived(d, "COUNT_W", l.count_w, true, "bits", "width of a depth");
  simt_add_derived(d, "LATENCY", l.latency + 3, false, "cycles", "from an instruction taken to its result, one operation and no wait");
  simt_add_derived(d, "ROUND", l.ring, false, "cycles", "until an operation that is not taken, or the second of an instruction, is presented; as many may wait");
  simt_add_derived(d, "CTX_MAX", l.ctx_max, true, "words", "words of a context (STATUS)");
  simt_add_derived(d, "HALT_OWN", l.latency + 2, false, "cycles", "from a halt request to halted, at most (STATUS)");
  simt_add_clock_reset(d);
  add_instruction_ports(d, &l);
  add_stack_ports(d, &l);
  simt_add_reg_port(d, BU_REG_ADDR_W);
  simt_add_status_ports(d, l.status ? (enum simt_status_encoding)(l.status - 1) : SIMT_ONE_HOT);
  simt_add_context_ports(d);
  add_regs(d, &l);
  bu_add_covers(d, &l);
  return true;
}

const struct simt_block simt_block_branch_unit = {
  .name = "branch_unit",
  .title = "branch unit: active mask and program counter of SIMT thread groups, driven by a stack of tokens",
  .summary =
    "Executes conditional branches, calls, pre-breaks, returns, breaks and synchronization of thread groups that diverge. Keeps "
    "each group's active mask and program counter, pushes what must be resumed as tokens on the group's stack, and pops them when "
    "threads meet again or leave. One stack operation per cycle.",
  .params = params,
  .n_params = sizeof params / sizeof *params,
  .resolve = resolve,
  .model = {bu_create, bu_destroy, bu_reset, bu_outputs, bu_step, simt_save, simt_load, bu_stats, bu_parts},
  .notes = bu_notes,
};
