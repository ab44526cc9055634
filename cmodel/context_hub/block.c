/* SPDX-License-Identifier: Apache-2.0 */
/* block.c: the description of context_hub: parameters, ports, derived values, coverage. */
#include <inttypes.h>
#include <stdio.h>

#include "context_hub/layout.h"
#include "core/context_port.h"
#include "core/topology.h"

enum { LOCAL_MOST = 1 << 20, LEAST_RING = 8, WIDE_RING = 16 };

static const struct simt_param params[] = {
  SIMT_TOPOLOGY_PARAMS,
  [HUB_LOCAL_CONTEXTS] = {"LOCAL_CONTEXTS", 0, 0, 3, 0, NULL, "slots", "Contexts of every unit that are kept here, without memory.", "US-9"},
  [HUB_LOCAL_WORDS] = {"LOCAL_WORDS", 64, 8, 4096, SIMT_POW2, NULL, "words", "Most words of one unit's context in a local slot, header (3 words) included.", "US-9"},
  [HUB_CTX_STRIDE_LG] = {"CTX_STRIDE_LG", 13, 5, 26, 0, NULL, "", "A unit's image in memory begins at base + number of the unit * 2^CTX_STRIDE_LG bytes, and is no longer than that.", "US-9"},
  [HUB_INFLIGHT] = {"INFLIGHT", 16, 4, 64, SIMT_POW2, NULL, "requests", "Most memory requests under way.", "US-9"},
  [HUB_ADDR_W] = {"ADDR_W", 32, 16, 64, 0, NULL, "bits", "Width of a memory address.", "US-9"},
};

struct hub_layout hub_layout(const uint64_t *value, unsigned units) {
  struct hub_layout l = {
    .units = units, .slots = (unsigned)value[HUB_LOCAL_CONTEXTS],
    .local_words = (unsigned)value[HUB_LOCAL_WORDS], .stride_lg = (unsigned)value[HUB_CTX_STRIDE_LG],
    .inflight = (unsigned)value[HUB_INFLIGHT], .addr_w = (unsigned)value[HUB_ADDR_W], .stages = 1};
  for (unsigned nodes = (l.units + 1) / 2; nodes > 1; nodes = (nodes + 3) / 4) l.stages++;
  unsigned least = l.stages > 2 ? WIDE_RING : LEAST_RING;
  l.ring = l.inflight > least ? l.inflight : least;
  return l;
}

static bool check_numbers(const struct hub_layout *l, struct simt_diag *diag) {
  char got[24];
  uint64_t words = (uint64_t)l->slots * l->units * l->local_words;
  if (words > LOCAL_MOST) {
    snprintf(got, sizeof got, "%u", l->local_words);
    return simt_fail(diag, "LOCAL_WORDS", got, "at most %" PRIu64 " (%u words in the %u local slots of %u units)",
                     (uint64_t)LOCAL_MOST / l->slots / l->units, LOCAL_MOST, l->slots, l->units);
  }
  unsigned needed = l->stride_lg + simt_clog2(l->units);
  if (needed > l->addr_w) {
    snprintf(got, sizeof got, "%u", l->addr_w);
    return simt_fail(diag, "ADDR_W", got, "at least %u (the images of %u units, 2^%u bytes each)", needed, l->units, l->stride_lg);
  }
  return true;
}

/* Where the topology says how long a unit's context is, it must fit. */
static bool check_contexts(const struct simt_config *cfg, const struct hub_layout *l, const struct simt_topology *t,
                           struct simt_diag *diag) {
  const uint64_t head = SIMT_CONTEXT_HEAD, most = (UINT64_C(1) << (l->stride_lg - 2)) - head - SIMT_IMAGE_FRAME;
  for (unsigned u = 0; u < t->units; u++) {
    const uint64_t words = t->unit[u].context;
    const bool far = words > most;
    if (!far && (!l->slots || words + head <= l->local_words)) continue;
    const struct simt_cell *c = &cfg->records.list[SIMT_LIST_UNITS].record[t->unit[u].record].cell[SIMT_UNIT_CONTEXT];
    return simt_fail_at(diag, &cfg->records, c->line, c->col, "context", c->text,
                        "at most %" PRIu64 ": what %s leaves beside %u words of %s; make it larger",
                        far ? most : l->local_words - head, far ? "CTX_STRIDE_LG" : "LOCAL_WORDS",
                        SIMT_CONTEXT_HEAD + (far ? SIMT_IMAGE_FRAME : 0), far ? "header and checksum" : "header");
  }
  return true;
}

static void add_hub_ports(struct simt_desc *d, const struct hub_layout *l) {
  static const char group[] = "command", cmd[] = "hub_valid_i";
  const enum simt_dir in = SIMT_IN, out = SIMT_OUT;
  simt_add_port(d, in, 1, "", group, "A command is offered; hold it until taken.", cmd);
  simt_add_port(d, out, 1, "", group, "The command of this cycle is taken; 0 while one runs.", "hub_ready_o");
  simt_add_port(d, in, 1, cmd, group, "1: restore, 0: save.", "hub_load_i");
  simt_add_port(d, in, simt_max1(simt_clog2(l->units)), cmd, group, "Number of the unit; one that does not exist is refused (3).", "hub_unit_i");
  simt_add_port(d, in, 2, cmd, group, "0: memory, 1..LOCAL_CONTEXTS: a local slot; others are refused (7).", "hub_slot_i");
  simt_add_port(d, in, l->addr_w, cmd, group, "Base of the images in memory, in bytes; its two lowest bits count as 0.", "hub_base_i");
  simt_add_port(d, out, 1, "", group, "Pulse: the command has ended, every memory request is answered.", "hub_done_o");
  simt_add_port(d, out, 4, "hub_done_o", group, "0 good, 1 magic (no image, or one of another format), 2 type or configuration, 3 unit, 4 length, "
                "5 checksum, 6 memory, 7 slot.", "hub_error_o");
}

static void add_unit_ports(struct simt_desc *d, const struct hub_layout *l) {
  static const char group[] = "context";
  const enum simt_dir in = SIMT_IN, out = SIMT_OUT;
  const unsigned n = l->units;
  simt_add_port(d, out, n, "", group, "To each unit's context port: a save or a load is wanted; at most one is 1.", "ctx_cmd_valid_o");
  simt_add_port(d, out, 1, "", group, "To all: 1: load, 0: save.", "ctx_cmd_load_o");
  simt_add_port(d, in, n, "", group, "The unit takes the command.", "ctx_cmd_ready_i");
  simt_add_port(d, in, n, "", group, "Pulse: the unit's save or load has ended.", "ctx_done_i");
  simt_add_port(d, in, 3 * n, "", group, "With ctx_done_i: what the unit says of it, three bits each.", "ctx_error_i");
  simt_add_port(d, in, n, "", group, "A word of a saved context is offered.", "ctx_out_valid_i");
  simt_add_port(d, out, n, "", group, "The word is taken.", "ctx_out_ready_o");
  simt_add_port(d, in, 32 * n, "", group, "The words.", "ctx_out_data_i");
  simt_add_port(d, in, n, "", group, "The word is the last one.", "ctx_out_last_i");
  simt_add_port(d, out, n, "", group, "A word of the context to load is offered; at most one is 1; it holds still until taken.", "ctx_in_valid_o");
  simt_add_port(d, in, n, "", group, "The unit takes the word.", "ctx_in_ready_i");
  simt_add_port(d, out, 32, "", group, "To all: the word.", "ctx_in_data_o");
  simt_add_port(d, out, 1, "", group, "It is the last one that comes.", "ctx_in_last_o");
  simt_add_port(d, out, 2, "", group, "With the last word: 0 the image is good, 1 its checksum is wrong, 2 or 3 memory failed.", "ctx_in_error_o");
}

static void add_covers(struct simt_desc *d, const struct hub_layout *l) {
  static const struct { const char *name, *doc; } point[HUB_COVERS] = {
    [HUB_COVER_SAVED] = {"saved", "A context is saved to memory."},
    [HUB_COVER_RESTORED] = {"restored", "A context is restored from memory."},
    [HUB_COVER_ERROR + 0] = {"error_magic", "A command ends with error 1."},
    [HUB_COVER_ERROR + 1] = {"error_type", "A command ends with error 2."},
    [HUB_COVER_ERROR + 2] = {"error_unit", "A command ends with error 3."},
    [HUB_COVER_ERROR + 3] = {"error_length", "A command ends with error 4."},
    [HUB_COVER_ERROR + 4] = {"error_checksum", "A command ends with error 5."},
    [HUB_COVER_ERROR + 5] = {"error_memory", "A command ends with error 6."},
    [HUB_COVER_ERROR + 6] = {"error_slot", "A command ends with error 7."},
    [HUB_COVER_NO_UNIT] = {"foreign_image", "The image of another unit is refused."},
    [HUB_COVER_STORE_ERROR] = {"store_error", "Memory refuses a word in mid-store: the rest of the context is dropped."},
    [HUB_COVER_HEADER_ERROR] = {"header_unreadable", "Memory fails in the header: the unit keeps its state."},
    [HUB_COVER_PAYLOAD_ERROR] = {"payload_unreadable", "Memory fails behind the header: the unit is cleared."},
    [HUB_COVER_OLD_IMAGE] = {"restored_after_refusal", "An image is restored behind a refused restore."},
    [HUB_COVER_TOO_LONG] = {"save_too_long", "A context longer than the region: refused, nothing written behind the region."},
    [HUB_COVER_CUT_MAGIC] = {"cut_at_magic", "A wrong magic word: no more than the header is read."},
    [HUB_COVER_CUT_LENGTH] = {"cut_at_length", "An impossible length: no more than the header is read."},
    [HUB_COVER_FILLED] = {"ring_full", "The unit is stopped because memory does not take its words."},
    [HUB_COVER_ALL_INFLIGHT] = {"all_under_way", "As many requests as INFLIGHT are under way."},
    [HUB_COVER_UNIT_STALLS] = {"unit_stalls", "A word waits for the unit."},
    [HUB_COVER_MEMORY_STALLS] = {"memory_stalls", "A request waits for memory."},
    [HUB_COVER_OUT_OF_ORDER] = {"out_of_order", "A read is answered before an older one."},
    [HUB_COVER_LONGEST] = {"longest", "A context as long as the region is saved."},
    [HUB_COVER_RELEASED_SAVE] = {"released_save", "A unit is released in the middle of its save."},
    [HUB_COVER_RELEASED_LOAD] = {"released_restore", "A unit is released in the middle of its restore."},
    [HUB_COVER_RESET] = {"reset_under_way", "Reset while a command runs."},
    [HUB_COVER_BACK_TO_BACK] = {"back_to_back", "A command is taken in the cycle in which the one before ends."},
    [HUB_COVER_LOCAL_SAVED] = {"local_saved", "A context is saved to a local slot."},
    [HUB_COVER_LOCAL_RESTORED] = {"local_restored", "A context is restored from a local slot."},
    [HUB_COVER_EMPTY_SLOT] = {"empty_slot", "A restore from an empty slot is refused."},
    [HUB_COVER_FAILED_SLOT] = {"failed_slot", "The slot of a failed save is empty, even if it was filled before."},
    [HUB_COVER_RESET_SLOT] = {"reset_slot", "A slot filled before reset is empty."},
    [HUB_COVER_LOCAL_TOO_LONG] = {"local_too_long", "A context longer than a local slot is refused."}};
  for (unsigned i = 0; i < (l->slots ? HUB_COVERS : HUB_COVER_ALWAYS); i++)
    simt_add_cover(d, "US-9", point[i].doc, "%s", point[i].name);
}

static bool describe(const struct simt_config *cfg, const struct simt_topology *t, struct simt_desc *d, struct simt_diag *diag) {
  const struct hub_layout l = hub_layout(cfg->value, t->units);
  if (!check_numbers(&l, diag) || !check_contexts(cfg, &l, t, diag)) return false;
  const struct simt_mem_widths widths = {l.addr_w, 32, simt_clog2(l.inflight)};
  simt_add_topology(d, t, 0);
  simt_add_derived(d, "MUX_STAGES", l.stages, true, "cycles", "From a unit's word to the ring: registers of the multiplexer.");
  simt_add_derived(d, "RING", l.ring, true, "words", "Words between the units and memory.");
  simt_add_derived(d, "CTX_WORDS", UINT64_C(1) << (l.stride_lg - 2), false, "words", "Most words of a context in memory, header and checksum included.");
  simt_add_clock_reset(d);
  add_hub_ports(d, &l);
  add_unit_ports(d, &l);
  simt_add_mem_port(d, &widths);
  add_covers(d, &l);
  return true;
}

static bool resolve(const struct simt_config *cfg, struct simt_desc *d, struct simt_diag *diag) {
  struct simt_topology t;
  const bool good = simt_topology_make(cfg, &t, diag) && describe(cfg, &t, d, diag);
  simt_topology_free(&t);
  return good;
}

const struct simt_block simt_block_context_hub = {
  .name = "context_hub",
  .title = "Joins the context ports of many units to one memory port",
  .summary = "Saves and restores the contexts of up to 1,024 halted units, one command at a time: a fixed offset in memory "
             "for each unit, or local slots without memory. Many requests under way, answers in any order, a word per "
             "cycle. A save is done when every write is acknowledged; a restore reads no further than the image's header says.",
  .params = params,
  .n_params = sizeof params / sizeof *params,
  .resolve_config = resolve,
  .lists = &simt_topology_lists,
  .model = {hub_create, hub_destroy, hub_reset, hub_outputs, hub_step, simt_save, simt_load, hub_stats, hub_parts},
};
