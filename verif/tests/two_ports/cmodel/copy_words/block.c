/* SPDX-License-Identifier: Apache-2.0 */
/* block.c: the description of copy_words, the example of a block with two memory ports. */
#include "copy_words/ports.h"
#include "core/image.h"

static const struct simt_param params[] = {
  {.name = "B_W", .def = 64, .min = 32, .max = 256, .flags = SIMT_POW2, .unit = "bits",
   .doc = "data bits of the port that is written", .req = "CW-1"},
};

static bool resolve(const uint64_t *value, struct simt_desc *d, struct simt_diag *diag) {
  const enum simt_dir in = SIMT_IN, out = SIMT_OUT;
  (void)diag;
  simt_add_clock_reset(d);
  simt_add_port(d, in, 1, "", "command", "A copy is wanted; hold it until taken.", "cmd_valid_i");
  simt_add_port(d, out, 1, "", "command", "It is taken.", "cmd_ready_o");
  simt_add_port(d, in, 8, "cmd_valid_i", "command", "Word that is read at port a_, of 32 bits.", "cmd_from_i");
  simt_add_port(d, in, 8, "cmd_valid_i", "command", "Word that is written at port b_, of 32 bits.", "cmd_to_i");
  simt_add_port(d, out, 1, "", "done", "A copy has ended.", "done_valid_o");
  simt_add_port(d, in, 1, "", "done", "That is seen.", "done_ready_i");
  simt_add_port(d, out, 8, "done_valid_o", "done", "Word that was to be written.", "done_to_o");
  simt_add_port(d, out, 2, "done_valid_o", "done", "0, or the error of the read or the write.", "done_error_o");
  simt_add_named_mem_port(d, "a_", &(struct simt_mem_widths){.addr_w = 16, .data_w = 32, .tag_w = 1});
  simt_add_named_mem_port(d, "b_", &(struct simt_mem_widths){.addr_w = 16, .data_w = value[COPY_WORDS_B_W], .tag_w = 2});
  simt_add_cover(d, "CW-1", "A word is copied.", "copied");
  simt_add_cover(d, "CW-2", "A read fails.", "read_error");
  simt_add_cover(d, "CW-2", "A write fails.", "write_error");
  return true;
}

const struct simt_block simt_block_copy_words = {
  .name = "copy_words",
  .title = "Copies words from one memory to another",
  .summary = "Reads a word at the memory port a_ and writes it at the memory port b_, one at a time.",
  .params = params,
  .n_params = COPY_WORDS_PARAMS,
  .resolve = resolve,
  .model = {copy_words_create, copy_words_destroy, copy_words_reset, copy_words_outputs, copy_words_step, simt_save, simt_load, copy_words_stats, copy_words_parts},
};
