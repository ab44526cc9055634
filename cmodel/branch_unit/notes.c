/* SPDX-License-Identifier: Apache-2.0 */
/* notes.c: what the datasheet of branch_unit, and of blocks that contain it, says of its use. */
#include "branch_unit/layout.h"

#define INSTRUCTIONS "What the instructions do"
#define COMPILE "How to compile to it"
#define RESULTS "What a result means"

const struct simt_note bu_notes[] = {
  {INSTRUCTIONS,
   "`ins_kind_i`: 0 other, goes to `ins_next_i`. 1 branch: `ins_mask_i` are the lanes whose condition holds; some but not all: "
   "pushes a token `div` of the others, which go on behind it, and goes on with the takers at the target. 2 call: pushes `call`, "
   "goes to the target. 3 pre-break: pushes `brk` with the pc behind the loop, `ins_target_i`. 4 return: pops `div` or `call` and "
   "goes on with the token's lanes at its pc. 5 break: the same with `div` or `brk`. 6 launch: empties the group's stack, begins "
   "with `ins_mask_i` at `ins_target_i`. 7 finish: the group is done; its stack must be empty."},
  {INSTRUCTIONS,
   "`ins_set_sync_i` (kinds 1 to 5) pushes `sync` with the active lanes first. `ins_pop_sync_i` (all but launch) pops first: a "
   "`div` sends the group to the token's lanes and pc; a `sync` gives the mask back, and the instruction is still to come. In both "
   "cases the result is 1, not executed: fetch at `res_pc_o` and present what is there. Of a `sync` that is the same instruction, "
   "which does not pop a second time."},
  {INSTRUCTIONS,
   "Which ready bit counts, first match: a launch `ins_launch_o`; an instruction with pop-sync that has not popped yet "
   "`ins_pop_o`, whatever its kind; return and break `ins_pop_o`; branch, call, pre-break and every set-sync `ins_push_o`; else "
   "`ins_step_o`. Behind a popped `sync` the rest of the list counts for the instruction that comes again. The bits are exact for "
   "the cycle: a group that has one of them at 1 for its instruction is taken."},
  {COMPILE,
   "An `if`: branch with set-sync; the first instruction behind it carries pop-sync. A loop: pre-break in front, break leaves it, "
   "and all lanes meet behind the loop. A function: call and return. A branch into a region that a break or a return may leave "
   "carries no set-sync, and its join no pop-sync: the token would bring back lanes that have left."},
  {COMPILE,
   "A return inside a loop meets the loop's `brk` token first, which is a wrong kind. So let the lanes break, and return behind the "
   "loop: a flag of each lane that says that it returns, a break where it is set, and a branch on it behind the loop, around what "
   "follows there."},
  {COMPILE,
   "`LANES` is part of the width of a token: the program counter has `PC_W` = `ENTRY_W` - `LANES` - 2 bits, so more lanes leave "
   "fewer of them unless `ENTRY_W` grows too. All pc ports have that width."},
  {RESULTS,
   "`res_go_o` is 1 when the group goes on, with `res_mask_o` at `res_pc_o`. `res_status_o`: 0 done; 1 not executed: a pop-sync "
   "popped, with `res_synced_o` 1 a `sync` (the same instruction is to come again), with 0 a `div`; 2 "
   "overflow, 3 underflow, 4 the stack has lost data to a memory error, 5 a token of the wrong kind, which is kept in the group's "
   "error registers, 6 a finish with tokens left. From 2 on the group is stopped, mask and pc are those from before, and only a "
   "launch revives it. Results of different groups may come in another order than their instructions."},
  {.title = NULL}};
