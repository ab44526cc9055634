/* SPDX-License-Identifier: Apache-2.0 */
/* verif.c: branch_stack behind the environment of its unit, with a memory in place of the stack. */
#include "branch_unit/env.h"

extern const struct simt_block simt_block_branch_stack;
extern const struct simt_verif simt_verif_branch_stack;

const struct simt_verif simt_verif_branch_stack = {
  .block = &simt_block_branch_stack, .profiles = bu_profiles, .directed = bu_directed,
  .undrawn = (const char *const[]){"every_address", "every_bit", "many_errors", NULL},
  .choice_size = sizeof(struct bu_choice), .stuck_cycles = 32768,
  .create = bu_env_create, .destroy = bu_env_destroy, .restart = bu_env_restart, .choose = bu_env_choose,
  .drive = bu_env_drive, .observe = bu_env_observe, .progress = bu_env_progress, .coverage = bu_env_coverage,
  .explain = bu_env_explain,
};
