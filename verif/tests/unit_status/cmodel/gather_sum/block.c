/* SPDX-License-Identifier: Apache-2.0 */
/* block.c: description of the example unit: parameters, ports, registers, coverage points. */
#include "core/context_port.h"
#include "core/image.h"
#include "gather_sum/gather_sum.h"
#include "core/unit_status.h"

static const struct simt_param params[] = {
  {.name = "CHANNELS", .def = 4, .min = 1, .max = 64, .unit = "channels",
   .doc = "Sums that are gathered at a time.", .req = "GS-1"},
  {.name = "GROUP", .def = 3, .min = 1, .max = 255, .unit = "words",
   .doc = "Words that make a sum.", .req = "GS-1"},
  {.name = "ENCODING", .def = SIMT_ONE_HOT, .max = SIMT_BINARY, .choices = simt_status_encodings, .unit = "",
   .doc = "How state_o carries the state.", .req = "US-1"},
};

static void add_data_ports(struct simt_desc *d, unsigned channel_w) {
  const enum simt_dir in = SIMT_IN, out = SIMT_OUT;
  simt_add_port(d, in, 1, "", "input", "A word is offered; hold it until taken.", "in_valid_i");
  simt_add_port(d, out, 1, "", "input", "The word of this cycle is taken.", "in_ready_o");
  simt_add_port(d, in, channel_w, "in_valid_i", "input", "Channel of the word, below CHANNELS.", "in_channel_i");
  simt_add_port(d, in, 1, "in_valid_i", "input", "The word is the index, behind BASE, of a word of memory.", "in_indirect_i");
  simt_add_port(d, in, 24, "in_valid_i", "input", "The word.", "in_data_i");
  simt_add_port(d, out, 1, "", "output", "A sum is offered; withdrawn only by a halt or a reset.", "out_valid_o");
  simt_add_port(d, in, 1, "", "output", "The sum is taken.", "out_ready_i");
  simt_add_port(d, out, channel_w, "out_valid_o", "output", "Channel of the sum.", "out_channel_o");
  simt_add_port(d, out, 8, "out_valid_o", "output", "Words in it; fewer than GROUP after a resume.", "out_count_o");
  simt_add_port(d, out, 24, "out_valid_o", "output", "The sum, which wraps.", "out_data_o");
  simt_add_mem_port(d, &(struct simt_mem_widths){.addr_w = 26, .data_w = 32, .tag_w = 1});
  simt_add_reg_port(d, 3);
}

static void add_covers(struct simt_desc *d, uint64_t group) {
  static const char *const state[] = {"empty", "active", "stalled", "quiescent"};
  for (unsigned i = 0; i < 4; i++)
    simt_add_cover(d, "US-3", "Halted from this state.", "halted_from_%s", state[i]);
  simt_add_cover(d, "US-8", "A context is saved, others run, and it is loaded again.", "switched");
  simt_add_cover(d, "US-9", "A context with a word at work and one on its way out.", "full_context");
  simt_add_cover(d, "US-9", "The same stream saved right after a load.", "saved_again");
  simt_add_cover(d, "US-9", "A spoiled context is refused before its payload.", "refused_header");
  simt_add_cover(d, "US-9", "A spoiled context is refused after its payload.", "refused_payload");
  simt_add_cover(d, "US-7", "Reset while an access is unanswered: its answer is dropped.", "reset_with_access");
  simt_add_cover(d, "US-7", "Halt falls before the unit has halted.", "halt_withdrawn");
  simt_add_cover(d, "US-3", "An access is refused.", "refused_access");
  simt_add_cover(d, "US-14", "A halt withdraws an offered sum, and the release shows it again.", "withdrawn");
  simt_add_cover(d, "US-9", "Released in the middle of a save or load.", "released_early");
  simt_add_cover(d, "US-9", "Released in the middle of a save or load, and halted again before its end.", "halted_again");
  if (group > 1) simt_add_cover(d, "US-7", "A resume sends a sum of fewer words.", "resumed");
}

static bool resolve(const uint64_t *value, struct simt_desc *d, struct simt_diag *diag) {
  (void)diag; /* no conditions across parameters */
  uint64_t channels = value[GATHER_CHANNELS];
  unsigned channel_w = simt_max1(simt_clog2(channels));
  simt_add_derived(d, "CHANNEL_W", channel_w, true, "bits", "Width of a channel's number.");
  simt_add_derived(d, "CTX_MAX", channels + 4, true, "words", "Most words of a context's payload.");
  simt_add_derived(d, "CFG_HASH", simt_context_hash(value, 2), true, "", "What a context must agree with.");
  simt_add_derived(d, "HALT_OWN", channels + 3, false, "cycles", "From halt request to halted, memory answers not counted; a reset clears a channel per cycle.");
  simt_add_clock_reset(d);
  add_data_ports(d, channel_w);
  simt_add_status_ports(d, (enum simt_status_encoding)value[GATHER_ENCODING]);
  simt_add_context_ports(d);
  simt_add_reg(d, 0, 24, "rw", 0, "US-9", "First word of memory; written only while halted or without work.", "BASE");
  simt_add_reg(d, 4, 1, "w1c", 0, "US-3", "Bit 0: an access was refused.", "STATUS");
  add_covers(d, value[GATHER_GROUP]);
  return true;
}

const struct simt_block simt_block_gather_sum = {
  .name = "gather_sum",
  .title = "Sums of groups of words, the example unit of status and context",
  .summary = "Sums the words of each channel, directly or from memory, and sends each full sum out. The example "
             "of docs/unit_status_cells.md.",
  .params = params,
  .n_params = sizeof params / sizeof *params,
  .resolve = resolve,
  .model = {gather_create, gather_destroy, gather_reset, gather_outputs, gather_step, simt_save, simt_load, gather_stats, gather_parts},
};
