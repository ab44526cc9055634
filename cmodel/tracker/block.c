/* SPDX-License-Identifier: Apache-2.0 */
/* block.c: the description of tracker: parameters, derived values, ports, registers, coverage. */
#include "core/context_port.h"
#include "core/unit_status.h"
#include "tracker/cover.h"
#include "tracker/model.h"

#include <stdio.h>
#include <string.h>

enum trk_param {
  QUEUES, ENTRIES, BANKS, DSLOTS, SECTORS, WARPS, PAYLOAD_W, COMMIT_FIFO, STATE_Q, FAST_Q, FLUSH_Q, REF_W, LG_RELEASE, FAST_GUARD,
  INTERLOCK, COMMITS, POPS, ALLOC, STATUS
};

static const char *const releases[] = {"instruction", "wavefront", NULL};
static const char *const allocs[] = {"in_order", "free_list", NULL};
static const char *const interlocks[] = {"single", "per_queue", NULL};

static const struct simt_param params[] = {
  [QUEUES] = {"QUEUES", 48, 2, 128, 0, NULL, "queues", "tracking queues", "TR-2"},
  [ENTRIES] = {"ENTRIES", 512, 4, 4096, SIMT_POW2, NULL, "entries", "entries of the pool that all queues share", "TR-3"},
  [BANKS] = {"BANKS", 4, 1, 8, 0, NULL, "banks", "tag banks; a wavefront names at most one data slot in each", "TR-0"},
  [DSLOTS] = {"DSLOTS", 256, 2, 1024, 0, NULL, "slots", "data slots of a bank", "TR-0"},
  [SECTORS] = {"SECTORS", 4, 1, 8, 0, NULL, "sectors", "sectors of a data slot", "TR-0"},
  [WARPS] = {"WARPS", 48, 1, 128, 0, NULL, "warps", "warps that wavefronts belong to", "TR-2"},
  [PAYLOAD_W] = {"PAYLOAD_W", 64, 1, 512, 0, NULL, "bits", "what a packet carries along", "TR-0"},
  [COMMIT_FIFO] = {"COMMIT_FIFO", 8, 2, 64, 0, NULL, "packets", "depth of the FIFO before each output", "TR-14"},
  [STATE_Q] = {"STATE_Q", 16, 1, 64, 0, NULL, "packets", "state packets that may wait", "TR-11"},
  [FAST_Q] = {"FAST_Q", 16, 1, 64, 0, NULL, "packets", "fast packets that may wait", "TR-12"},
  [FLUSH_Q] = {"FLUSH_Q", 8, 1, 64, 0, NULL, "tokens", "flush tokens that may wait", "TR-13"},
  [REF_W] = {"REF_W", 6, 2, 12, 0, NULL, "bits", "width of a reference count; its maximum means saturated", "TR-13"},
  [LG_RELEASE] = {"LG_RELEASE", 0, 0, 1, 0, releases, "", "what of local/global traffic leaves together", "TR-9"},
  [FAST_GUARD] = {"FAST_GUARD", 1, 0, 1, 0, NULL, "", "1: an allocation waits for the fast packets taken before it; 0: the user sees to that", "TR-12"},
  [INTERLOCK] = {"INTERLOCK", 0, 0, 1, 0, interlocks, "", "single: one comparison behind each commit selector, and what fails is parked until a state or fast packet leaves; per_queue: one for each queue", "TR-12"},
  [COMMITS] = {"COMMITS", 1, 1, 2, 0, NULL, "wavefronts", "that may be committed in a cycle; 2: one on each path", "TR-9"},
  [POPS] = {"POPS", 1, 1, 4, SIMT_POW2, NULL, "wavefronts", "that may enter their checked queues in a cycle; of the queues with the same number modulo POPS one; 2 or 4 only where QUEUES is larger", "TR-8"},
  [ALLOC] = {"ALLOC", 0, 0, 1, 0, allocs, "", "in_order: an entry is free again when it is the oldest; free_list: when it has left, and ages are positions in a ring of 4 x ENTRIES", "TR-5"},
  [STATUS] = {"STATUS", 0, 0, 3, 0, simt_status_choices, "", "unit status, halt and context switch, with this encoding of state_o; none: its ports are idle", "TR-16"},
};

static unsigned least(unsigned a, unsigned b) { return a < b ? a : b; }
static unsigned most(unsigned a, unsigned b) { return a > b ? a : b; }

void trk_layout(const uint64_t *value, struct trk_layout *l) {
  *l = (struct trk_layout){
    .queues = (unsigned)value[QUEUES], .entries = (unsigned)value[ENTRIES], .banks = (unsigned)value[BANKS],
    .dslots = (unsigned)value[DSLOTS], .sectors = (unsigned)value[SECTORS], .warps = (unsigned)value[WARPS],
    .payload_w = (unsigned)value[PAYLOAD_W], .commit_fifo = (unsigned)value[COMMIT_FIFO], .state_q = (unsigned)value[STATE_Q],
    .fast_q = (unsigned)value[FAST_Q], .flush_q = (unsigned)value[FLUSH_Q], .ref_w = (unsigned)value[REF_W],
    .by_wavefront = value[LG_RELEASE] == 1, .fast_guard = value[FAST_GUARD] == 1,
    .per_queue = value[INTERLOCK] == 1, .commits = (unsigned)value[COMMITS],
    .pops = (unsigned)value[POPS], .free_list = value[ALLOC] == 1, .status = (unsigned)value[STATUS]};
  l->ages = (l->free_list ? 4 : 1) * l->entries;
  l->queue_w = simt_clog2(l->queues);
  l->ptr_w = simt_clog2(l->entries) + 1;
  l->dslot_w = simt_clog2(l->dslots);
  l->dslot_words = (l->banks * l->dslot_w + 31) / 32;
  l->bank_w = simt_max1(simt_clog2(l->banks));
  l->sector_w = simt_max1(simt_clog2(l->sectors));
  l->warp_w = simt_max1(simt_clog2(l->warps));
  l->payload_words = (l->payload_w + 31) / 32;
  l->group_max = least(l->entries, l->dslots);
  l->group_reset = least(l->group_max / 2, 32);
  l->groups = l->queues <= 4 ? 2 : l->queues <= 16 ? 4 : 8;
  l->age_w = simt_clog2(l->ages) + 1;
  l->clear = most(most(l->ages, l->banks << l->dslot_w), 32);
  l->slot_words = (l->banks * (l->sectors + 1) + 31) / 32;
  l->body_words = (l->payload_w + l->banks * (l->sectors + l->dslot_w + 1) + 31) / 32;
  l->items = l->entries + l->commit_fifo + l->state_q + l->fast_q + l->flush_q;
  l->ctx_max = l->dslots * l->slot_words + l->items * (l->body_words + 1) + TRK_CTX_REGS;
  uint64_t shape[LG_RELEASE + 2];
  memcpy(shape, value, sizeof shape - sizeof *shape);
  shape[LG_RELEASE + 1] = TRK_CTX_FORM;
  l->cfg_hash = simt_context_hash(shape, LG_RELEASE + 2);
}

const struct trk_counter_name trk_counter_names[TRK_COUNTERS] = {
  [TRK_N_LG] = {"LG", "local/global wavefronts taken"},
  [TRK_N_TEX] = {"TEX", "texture wavefronts taken"},
  [TRK_N_RAY] = {"RAY", "ray traversal wavefronts taken"},
  [TRK_N_STATE] = {"STATE", "state packets taken"},
  [TRK_N_TOKEN] = {"TOKEN", "flush tokens taken"},
  [TRK_N_CLOSE] = {"CLOSE", "close packets taken"},
  [TRK_N_FAST] = {"FAST", "fast packets taken"},
  [TRK_N_ALLOC] = {"ALLOC", "allocations taken"},
  [TRK_N_CHECK] = {"CHECK", "checks that reached the slot"},
  [TRK_N_POP] = {"POP", "entries that entered a checked queue"},
  [TRK_N_FULL] = {"FULL", "cycles with all entries of the pool taken"},
  [TRK_N_FULL_EARLY] = {"FULL_EARLY", "of these, cycles with entries that have left and are not reclaimed"},
  [TRK_N_EARLY] = {"EARLY", "wavefronts that left while an older one was not reclaimed"},
  [TRK_N_EARLY_CYCLES] = {"EARLY_CYCLES", "cycles with entries that have left and are not reclaimed"},
  [TRK_N_PARK_FAST] = {"PARK_FAST", "picks that failed the interlock with the fast path"},
  [TRK_N_PARK_STATE] = {"PARK_STATE", "picks that failed the comparison with a state packet"},
  [TRK_N_WAIT_GROUP] = {"WAIT_GROUP", "cycles in which a held path waited for a check"},
  [TRK_N_WAIT_FAST] = {"WAIT_FAST", "cycles in which a drain waited for a fast packet"},
  [TRK_N_WAIT_STATE] = {"WAIT_STATE", "cycles in which a drain waited for a state packet"},
  [TRK_N_WAIT_MODE] = {"WAIT_MODE", "cycles in which the input waited to take a new mode, split or group size"},
  [TRK_N_ALLOC_REFUSED] = {"ALLOC_REFUSED", "allocations refused"},
  [TRK_N_REFUSED] = {"REFUSED", "packets refused"},
  [TRK_N_WASTED] = {"WASTED", "checks dropped behind an entry that stayed in its slot, or of another queue"},
  [TRK_N_AGES_FULL] = {"AGES_FULL", "cycles with all positions of ages taken (ALLOC=free_list)"},
};

static void add_in_ports(struct simt_desc *d, const struct trk_layout *l) {
  static const char in[] = "input", v[] = "in_valid_i", fast[] = "fast path", fv[] = "fast_in_valid_i", fov[] = "fast_out_valid_o";
  simt_add_port(d, SIMT_IN, 1, "", in, "A packet is presented; it holds still until taken.", "%s", v);
  simt_add_port(d, SIMT_OUT, 1, "", in, "A packet is taken in this cycle.", "in_ready_o");
  simt_add_port(d, SIMT_IN, 2, v, in, "0 wavefront, 1 state packet, 2 flush token, 3 close: ends the open group.", "in_kind_i");
  simt_add_port(d, SIMT_IN, 2, v, in, "Wavefront: 0 local/global, 1 texture and surface, 2 ray traversal.", "in_class_i");
  simt_add_port(d, SIMT_IN, l->warp_w, v, in, "Wavefront: its warp, below WARPS.", "in_warp_i");
  simt_add_port(d, SIMT_IN, 1, v, in, "Wavefront: the last one of its instruction; ignored for ray traversal.", "in_end_i");
  simt_add_port(d, SIMT_IN, l->banks, v, in, "Wavefront: banks in which it needs a data slot.", "in_used_i");
  simt_add_port(d, SIMT_IN, (uint64_t)l->banks * l->dslot_w, v, in,
                "Wavefront: per bank the data slot, bank 0 lowest. Flush token: its data slot in the lowest bits.", "in_dslots_i");
  simt_add_port(d, SIMT_IN, (uint64_t)l->banks * l->sectors, v, in, "Wavefront: per bank the sectors needed, one or more.", "in_sectors_i");
  simt_add_port(d, SIMT_IN, l->bank_w, v, in, "Flush token: bank of its data slot.", "in_bank_i");
  simt_add_port(d, SIMT_IN, l->payload_w, v, in, "Wavefront, state packet: carried along.", "in_payload_i");
  simt_add_port(d, SIMT_IN, 1, "", fast, "A fast packet is presented; it holds still until taken.", "%s", fv);
  simt_add_port(d, SIMT_OUT, 1, "", fast, "A fast packet is taken in this cycle.", "fast_in_ready_o");
  simt_add_port(d, SIMT_IN, l->payload_w, fv, fast, "Carried along.", "fast_in_payload_i");
  simt_add_port(d, SIMT_OUT, 1, "", fast, "A fast packet leaves when taken.", "%s", fov);
  simt_add_port(d, SIMT_IN, 1, "", fast, "The fast packet is taken in this cycle.", "fast_out_ready_i");
  simt_add_port(d, SIMT_OUT, l->payload_w, fov, fast, "As it came.", "fast_out_payload_o");
}

static void add_memory_ports(struct simt_desc *d, const struct trk_layout *l) {
  static const char fill[] = "fill", fv[] = "fill_valid_i", alloc[] = "allocation", av[] = "alloc_valid_i";
  simt_add_port(d, SIMT_IN, 1, "", fill, "A sector is now valid; never held back.", "%s", fv);
  simt_add_port(d, SIMT_IN, l->bank_w, fv, fill, "Its bank.", "fill_bank_i");
  simt_add_port(d, SIMT_IN, l->dslot_w, fv, fill, "Its data slot.", "fill_dslot_i");
  simt_add_port(d, SIMT_IN, l->sector_w, fv, fill, "The sector.", "fill_sector_i");
  simt_add_port(d, SIMT_IN, 1, "", alloc, "A data slot gets another tag: its sectors become invalid. Holds still until taken. A fill of "
                "it comes 4 cycles after that or later, else it is refused at err_fill_o.", "%s", av);
  simt_add_port(d, SIMT_OUT, 1, "", alloc, "An allocation offered in this cycle is taken. While a fast packet waits that came before the offer it is 0.", "alloc_ready_o");
  simt_add_port(d, SIMT_IN, l->bank_w, av, alloc, "Its bank.", "alloc_bank_i");
  simt_add_port(d, SIMT_IN, l->dslot_w, av, alloc, "Its data slot, without references.", "alloc_dslot_i");
}

static void add_out_ports(struct simt_desc *d, const struct trk_layout *l, const char *name, bool tex) {
  const char *const group = tex ? "texture output" : "output"; /* the description keeps the pointer */
  char v[24];
  snprintf(v, sizeof v, "%s_valid_o", name);
  simt_add_port(d, SIMT_OUT, 1, "", group, "A packet leaves when taken; it holds still until then.", "%s", v);
  simt_add_port(d, SIMT_IN, 1, "", group, "The packet is taken in this cycle: its data are read.", "%s_ready_i", name);
  if (tex) simt_add_port(d, SIMT_OUT, 1, v, group, "A state packet: its payload alone means something (the other fields are 0).", "%s_state_o", name);
  simt_add_port(d, SIMT_OUT, 2, v, group, "Class of the wavefront.", "%s_class_o", name);
  simt_add_port(d, SIMT_OUT, l->warp_w, v, group, "Its warp.", "%s_warp_o", name);
  simt_add_port(d, SIMT_OUT, 1, v, group, "The last one of its instruction.", "%s_end_o", name);
  simt_add_port(d, SIMT_OUT, l->banks, v, group, "Banks in which it has a data slot.", "%s_used_o", name);
  simt_add_port(d, SIMT_OUT, (uint64_t)l->banks * l->dslot_w, v, group, "Per bank its data slot, as it came.", "%s_dslots_o", name);
  simt_port_parts(d, "bank*%u", l->dslot_w);
  simt_add_port(d, SIMT_OUT, l->payload_w, v, group, "As it came.", "%s_payload_o", name);
}

static void add_report_ports(struct simt_desc *d, const struct trk_layout *l) {
  simt_add_port(d, SIMT_OUT, l->banks, "", "free", "Per bank: the references of a data slot fell to zero, or a flush token reset it.", "free_valid_o");
  simt_port_parts(d, "bank*1");
  /* Each bank's part means something under its own bit only, so all of it is compared as a register that always has a value. */
  simt_add_port(d, SIMT_OUT, (uint64_t)l->banks * l->dslot_w, "", "free", "Per bank the data slot; 0 where nothing is reported.", "free_dslot_o");
  simt_port_parts(d, "bank*%u", l->dslot_w);
  simt_add_port(d, SIMT_OUT, 1, "", "error", "Something was refused, 4 cycles after it was taken (a fill: 2, a register write: 3).", "err_valid_o");
  simt_add_port(d, SIMT_OUT, 3, "err_valid_o", "error", "Packet: 1 class, 2 warp, 3 class or warp inside an instruction, 4 data slot or bank, 5 a bank "
                "without sector, 6 a flush token waits for the data slot; 0 none. Of several the lowest.", "err_in_o");
  simt_add_port(d, SIMT_OUT, 2, "err_valid_o", "error", "Allocation: 1 bank or data slot out of range, 2 references, 3 a flush token waits; 0 none. 3 goes before 2.", "err_alloc_o");
  simt_add_port(d, SIMT_OUT, 1, "err_valid_o", "error", "Unknown mode, split or group size written.", "err_reg_o");
  simt_add_port(d, SIMT_OUT, 1, "err_valid_o", "error", "Fill out of range, before the first ready after reset, or in the cycle in which an allocation of its data slot is taken or in the "
                "three behind it: it has no effect.", "err_fill_o");
}

static void add_regs(struct simt_desc *d, const struct trk_layout *l) {
  simt_add_reg(d, TRK_REG_ID, 32, "ro", TRK_ID, "", "block identification and version", "TRK_ID");
  simt_add_reg(d, TRK_REG_MODE, 3, "rw", 4, "TR-2", "mapping: 1 all to queue 0; 2 ray traversal over queues 1 and up; 3 by SPLIT; 4 all over all", "TRK_MODE");
  simt_reg_range(d, 1, 4);
  simt_add_reg(d, TRK_REG_SPLIT, l->queue_w, "rw", l->queues / 2, "TR-2", "mode 3: queues below it for local/global and texture; 1..QUEUES-1", "TRK_SPLIT");
  simt_reg_range(d, 1, l->queues - 1);
  simt_add_reg(d, TRK_REG_GROUP, simt_clog2(l->group_max + 1), "rw", l->group_reset, "TR-10", "wavefronts of a commit group, 1..min(ENTRIES, DSLOTS)", "TRK_GROUP");
  simt_reg_range(d, 1, l->group_max);
  simt_add_reg(d, TRK_REG_STATUS, 2, "ro", 1, "TR-2", "bit 0: the pool is empty; 1: a new mode, split or group size waits", "TRK_STATUS");
  simt_reg_moves(d);
  simt_add_reg(d, TRK_REG_USED, l->ptr_w, "ro", 0, "TR-3", "entries taken", "TRK_USED");
  simt_add_reg(d, TRK_REG_HIGH, l->ptr_w, "ro", 0, "TR-18", "most entries taken since reset", "TRK_HIGH");
  for (unsigned i = 0; i < TRK_COUNTERS; i++) {
    simt_add_reg(d, TRK_REG_COUNTERS + 4 * i, 32, "ro", 0, "TR-18", trk_counter_names[i].doc, "TRK_N_%s", trk_counter_names[i].name);
    simt_reg_moves(d);
  }
}

static bool resolve(const uint64_t *value, struct simt_desc *d, struct simt_diag *diag) {
  struct trk_layout l;
  trk_layout(value, &l);
  char got[32];
  if (l.pops > 1 && l.pops >= l.queues)
    return simt_fail(diag, "POPS", simt_value_text(&params[POPS], l.pops, got), "1, or less than QUEUES = %u (each of the POPS selectors has queues of its own)", l.queues);
  simt_add_derived(d, "QUEUE_W", l.queue_w, true, "bits", "width of a queue's number");
  simt_add_derived(d, "PTR_W", l.ptr_w, true, "bits", "width of an entry's number with its wrap bit");
  simt_add_derived(d, "AGES", l.ages, true, "positions", "of ages, from the oldest wavefront that has not left to the newest");
  simt_add_derived(d, "AGE_W", l.age_w, true, "bits", "width of an age with its wrap bit");
  simt_add_derived(d, "GROUP_MAX", l.group_max, true, "wavefronts", "largest commit group");
  simt_add_derived(d, "GROUP_RESET", l.group_reset, true, "wavefronts", "commit group after reset");
  simt_add_derived(d, "CLEAR", l.clear, true, "cycles", "in which memories are cleared after reset");
  simt_add_derived(d, "FILL_TO_OUTPUT", 10, false, "cycles", "from the last fill to output valid, when nothing else is ready and the path is idle");
  simt_add_derived(d, "CTX_MAX", l.ctx_max, true, "words", "words of a context (STATUS)");
  simt_add_derived(d, "HALT_OWN", TRK_HALT_OWN, false, "cycles", "from a halt request to halted, at most, when no fill is outstanding (STATUS)");
  simt_add_derived(d, "FREE_LAG", 4, false, "cycles", "a wavefront taken so long before a report of its data slot prevents it");
  simt_add_clock_reset(d);
  add_in_ports(d, &l);
  add_memory_ports(d, &l);
  add_out_ports(d, &l, "lg_out", false);
  add_out_ports(d, &l, "tex_out", true);
  add_report_ports(d, &l);
  simt_add_reg_port(d, TRK_REG_ADDR_W);
  simt_add_port(d, SIMT_IN, 1, "", "status", "Fills are outstanding: what was asked of memory and has not come. Under a halt request it falls once and stays 0.", "fill_pending_i");
  simt_add_status_ports(d, l.status ? (enum simt_status_encoding)(l.status - 1) : SIMT_ONE_HOT);
  simt_add_context_ports(d);
  add_regs(d, &l);
  trk_covers(d, &l, NULL);
  return true;
}

const struct simt_block simt_block_tracker = {
  .name = "tracker",
  .title = "tracker: out-of-order memory request tracking between tag check and data read of a streaming L1",
  .summary =
    "Holds the requests of a streaming L1 that wait for data in queues of dynamic length, linked lists over one pool, and lets whole "
    "instructions leave as soon as their data are there, whichever queue is ready. Order within a queue, of state packets with respect "
    "to texture, and of a fast path for hits and stores is kept; references to data slots are counted.",
  .notes = trk_notes,
  .params = params,
  .n_params = sizeof params / sizeof *params,
  .resolve = resolve,
  .model = {trk_create, trk_destroy, trk_reset, trk_outputs, trk_step, simt_save, simt_load, trk_stats, trk_parts},
};
