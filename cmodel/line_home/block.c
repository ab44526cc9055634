/* SPDX-License-Identifier: Apache-2.0 */
/* block.c: the description of line_home: parameters, derived values, ports, coverage. */
#include "line_home/layout.h"
#include "line_home/model.h"

enum lh_param { CACHES, LINE_BYTES, MERGE_LANES, MISSES, HOME_ENTRIES, MEM_SLOTS, ADDR_W };

static const struct simt_param params[] = {
  [CACHES] = {"CACHES", 4, 1, 64, 0, NULL, "caches", "caches that share the lines", "AM-15"},
  [LINE_BYTES] = {"LINE_BYTES", 64, 16, 128, SIMT_POW2, NULL, "bytes", "size of a line", "AM-15"},
  [MERGE_LANES] = {"MERGE_LANES", 8, 2, 16, SIMT_POW2, NULL, "words", "32-bit words of a beat of the home, release and memory channels", "AM-15"},
  [MISSES] = {"MISSES", 8, 2, 16, SIMT_POW2, NULL, "lines", "tags of the fetches of a cache", "AM-15"},
  [HOME_ENTRIES] = {"HOME_ENTRIES", 256, 16, 16384, SIMT_POW2, NULL, "lines", "lines that the directory knows at once, 8 in a set; twice what all caches hold is plenty", "AM-15"},
  [MEM_SLOTS] = {"MEM_SLOTS", 8, 2, 32, SIMT_POW2, NULL, "lines", "lines read or written in memory at once", "AM-15"},
  [ADDR_W] = {"ADDR_W", 32, 16, 48, 0, NULL, "bits", "width of a byte address", "AM-15"},
};

void lh_layout(const uint64_t *value, struct lh_layout *l) {
  l->caches = (unsigned)value[CACHES];
  l->line_bytes = (unsigned)value[LINE_BYTES];
  l->lanes = (unsigned)value[MERGE_LANES];
  l->misses = (unsigned)value[MISSES];
  l->entries = (unsigned)value[HOME_ENTRIES];
  l->slots = (unsigned)value[MEM_SLOTS];
  l->addr_w = (unsigned)value[ADDR_W];
  l->line_aw = l->addr_w - simt_clog2(l->line_bytes);
  l->beats = l->line_bytes / (4 * l->lanes);
  l->sets = l->entries / LH_WAYS;
  l->set_w = simt_clog2(l->sets);
  l->entry_w = simt_clog2(l->entries);
  l->miss_w = simt_clog2(l->misses);
  l->cache_w = simt_max1(simt_clog2(l->caches));
  l->data_w = 32 * l->lanes;
  l->beat_lg = simt_clog2(l->beats);
  l->mem_tag_w = simt_clog2(l->slots) + l->beat_lg;
  l->fifo = l->beats > 8 ? 64 : l->beats > 2 ? 32 : 16;
}

static void add_channels(struct simt_desc *d, const struct lh_layout *l) {
  static const char fetch[] = "fetch", home[] = "home", rel[] = "release";
  const enum simt_dir in = SIMT_IN, out = SIMT_OUT;
  const uint64_t n = l->caches;
  simt_add_port(d, in, n, "", fetch, "Per cache: a line is wanted, with ownership.", "fetch_valid_i");
  simt_add_port(d, out, n, "", fetch, "Per cache: the fetch is taken; it gets one fill or error.", "fetch_ready_o");
  simt_port_parts(d, "cache*1");
  simt_add_port(d, in, n * l->line_aw, "", fetch, "Per cache: line address, the byte address without the place in the line; cache 0 in the lowest bits.", "fetch_line_i");
  simt_add_port(d, in, n * l->miss_w, "", fetch, "Per cache: tag that the fill carries.", "fetch_tag_i");
  simt_add_port(d, out, n, "", home, "Per cache: a beat of a fill, an error or a snoop, in order. Beats of one fill follow each other.", "home_valid_o");
  simt_port_parts(d, "cache*1");
  simt_add_port(d, in, n, "", home, "Per cache: the beat is taken.", "home_ready_i");
  simt_add_port(d, out, n, "", home, "Per cache: a snoop, the line is to be released; 0 where there is no beat.", "home_snoop_o");
  simt_port_parts(d, "cache*1");
  simt_add_port(d, out, n * l->miss_w, "", home, "Per cache: of a fill or error the tag of its fetch, of a snoop without meaning; 0 where there is no beat.", "home_tag_o");
  simt_port_parts(d, "cache*%u", (unsigned)l->miss_w);
  simt_add_port(d, out, n, "", home, "Per cache: memory failed, there is no fill; 0 where there is no beat.", "home_error_o");
  simt_port_parts(d, "cache*1");
  simt_add_port(d, out, n * l->line_aw, "", home, "Per cache: of a snoop or error the line address; else the lowest bits of home_data_o.", "home_line_o");
  simt_port_parts(d, "cache*%u", (unsigned)l->line_aw);
  simt_add_port(d, out, n * l->data_w, "", home, "Per cache: of a fill the data, the line's first words in the first beat; of a snoop or error the line address; 0 where there is no beat.", "home_data_o");
  simt_port_parts(d, "cache*%u", (unsigned)l->data_w);
  simt_add_port(d, in, n, "", rel, "Per cache: a beat of a release.", "rel_valid_i");
  simt_add_port(d, out, n, "", rel, "Per cache: the beat is taken.", "rel_ready_o");
  simt_port_parts(d, "cache*1");
  simt_add_port(d, in, n * l->line_aw, "", rel, "Per cache: line address, in every beat.", "rel_line_i");
  simt_add_port(d, in, n, "", rel, "Per cache: the line was written, all its beats follow; 0: one beat without data.", "rel_dirty_i");
  simt_add_port(d, in, n, "", rel, "Per cache: last beat of the release.", "rel_last_i");
  simt_add_port(d, in, n * l->data_w, "", rel, "Per cache: data, the line's first words in the first beat.", "rel_data_i");
}

static void add_status(struct simt_desc *d, const struct lh_layout *l) {
  static const char errors[] = "errors";
  simt_add_port(d, SIMT_OUT, LH_COUNT_W, "", errors, "Releases by caches that did not own the line; they were dropped. Saturating, until reset.", "bad_count_o");
  simt_add_port(d, SIMT_OUT, l->line_aw, "", errors, "Line address of the first of them; 0 as long as there is none.", "bad_line_o");
  simt_add_port(d, SIMT_OUT, LH_COUNT_W, "", errors, "Lines that memory failed to write. Saturating, until reset.", "lost_count_o");
  simt_add_port(d, SIMT_OUT, l->line_aw, "", errors, "Line address of the first of them; 0 as long as there is none.", "lost_line_o");
  simt_add_port(d, SIMT_OUT, 1, "", "status", "Nothing is under way here, and memory owes no answer. Lines may be owned, and a fetch may wait for the release of its line.", "idle_o");
}

static void add_core_inputs(struct simt_desc *d, const struct lh_layout *l) {
  simt_add_core_input(d, 1, "settles_i", "Whose turn it is begins anew.");
  simt_add_core_input(d, 1, "put_bad_i", "bad_count_o and bad_line_o are those of a context.");
  simt_add_core_input(d, 1, "put_lost_i", "lost_count_o and lost_line_o are those of a context.");
  simt_add_core_input(d, LH_COUNT_W, "put_count_i", "The count.");
  simt_add_core_input(d, l->line_aw, "put_line_i", "The line address.");
}

bool lh_cover_possible(const struct lh_layout *l, enum lh_cover c) { return c < LH_COVER_SHARED || l->caches > 1; }

static void add_covers(struct simt_desc *d, const struct lh_layout *l) {
  static const struct { const char *req, *doc, *name; } point[LH_COVERS] = {
    [LH_COVER_FILL] = {"AM-15", "A line comes from memory.", "fill"},
    [LH_COVER_DIRTY] = {"AM-15", "A line that nobody waits for is written to memory.", "written"},
    [LH_COVER_CLEAN] = {"AM-15", "A line is released without data.", "clean"},
    [LH_COVER_RECALL] = {"AM-15", "A line is recalled because its set is full.", "recalled"},
    [LH_COVER_OWN] = {"AM-15", "A cache fetches a line whose release by it is still on its way.", "own_again"},
    [LH_COVER_READ_ERROR] = {"AM-16", "Memory fails on a read: the fetch gets an error.", "read_error"},
    [LH_COVER_WRITE_ERROR] = {"AM-16", "Memory fails on a write.", "write_error"},
    [LH_COVER_BAD] = {"AM-16", "A line is released by one that does not own it.", "bad_release"},
    [LH_COVER_BLOCKED] = {"AM-15", "A beat on the home channel waits for eight cycles.", "home_waits"},
    [LH_COVER_RESET] = {"AM-15", "rst_i in mid-run.", "reset"},
    [LH_COVER_SHARED] = {"AM-15", "A line goes from one cache to another.", "handed"},
    [LH_COVER_CROSSED] = {"AM-15", "A snoop crosses the release that answers it.", "crossed"},
    [LH_COVER_STALE] = {"AM-15", "A line that memory does not have yet is handed on after a release without data.", "handed_clean"},
    [LH_COVER_AT_ONCE] = {"AM-15", "A fill stands at the port five cycles after the last beat of a release.", "five_cycles"},
    [LH_COVER_ALL_WAIT] = {"AM-15", "All other caches wait for a line.", "all_wait"},
    [LH_COVER_ERRORS] = {"AM-16", "Two caches get the error of one read.", "errors"}};
  for (unsigned i = 0; i < LH_COVERS; i++)
    if (lh_cover_possible(l, (enum lh_cover)i)) simt_add_cover(d, point[i].req, point[i].doc, "%s", point[i].name);
}

static bool check(const uint64_t *value, const struct lh_layout *l, struct simt_diag *diag) {
  char got[24];
  if (4 * l->lanes > l->line_bytes)
    return simt_fail(diag, "MERGE_LANES", simt_value_text(&params[MERGE_LANES], value[MERGE_LANES], got),
                     "at most %u words for LINE_BYTES = %u (a beat is no longer than a line)", l->line_bytes / 4, l->line_bytes);
  if (l->line_aw <= l->set_w)
    return simt_fail(diag, "HOME_ENTRIES", simt_value_text(&params[HOME_ENTRIES], value[HOME_ENTRIES], got),
                     "at most %u entries for ADDR_W = %u and LINE_BYTES = %u (two lines for each set)", LH_WAYS << (l->line_aw - 1), l->addr_w, l->line_bytes);
  return true;
}

static bool resolve(const uint64_t *value, struct simt_desc *d, struct simt_diag *diag) {
  struct lh_layout l;
  lh_layout(value, &l);
  if (!check(value, &l, diag)) return false;
  simt_add_derived(d, "LINE_AW", l.line_aw, true, "bits", "width of a line address");
  simt_add_derived(d, "BEATS", l.beats, true, "beats", "of a fill or a release with data");
  simt_add_derived(d, "ENTRY_W", l.entry_w, true, "bits", "width of an entry's number");
  simt_add_derived(d, "TAG_W", l.mem_tag_w, true, "bits", "width of a memory tag");
  simt_add_derived(d, "GRANT_CYCLES", l.beats > 1 ? 5 : 7, false, "cycles", "from the last beat of a release taken to the next owner's first beat offered, nothing in front");
  simt_add_derived(d, "INIT_CYCLES", l.sets, false, "cycles", "after reset until the first fetch is looked up: the directory is cleared");
  simt_add_clock_reset(d);
  add_channels(d, &l);
  simt_add_mem_port(d, &(struct simt_mem_widths){.addr_w = l.addr_w, .data_w = l.data_w, .tag_w = l.mem_tag_w});
  add_status(d, &l);
  add_core_inputs(d, &l);
  add_covers(d, &l);
  return true;
}

const struct simt_note lh_notes[] = {
  {"How to connect it",
   "Connect the fetch, home and release channels of cache i to place i of the vectors; memory or a bus (`bus=axi4`) to the memory port. "
   "A cache takes what comes on the home channel in the end whether its own releases have been taken or not; the home takes releases in the end whatever "
   "stands on the home channels. A cache does not fetch a line that it holds or waits for, and releases a line that it holds: on a snoop, or on its own."},
  {"How to reset it",
   "Together with all its caches, by `rst_i` of each: first the caches, the home in the first cycle in which `mem_req_valid_o` is 0; both stay in reset until "
   "memory has answered all that it took, which the home takes and drops. `cmd_reset_i` of a cache waits for the fill of each open fetch, which a home that was "
   "reset does not send."},
  {"What it promises",
   "A line has one owner. Whoever waits for a line is served round robin from the last owner + 1, so after at most CACHES - 1 others. "
   "A release that nobody waits for ends in memory. Errors of memory answer the fetches that waited for the read; a line that memory fails to write is counted in `lost_count_o`."},
  {NULL, NULL}};

const struct simt_block simt_block_line_home = {
  .name = "line_home",
  .title = "home of lines that travel between caches",
  .summary =
    "The other side of many L1 caches (atomic_merge): a directory in RAM that knows the one owner of each line, asks for a line when another "
    "cache wants it, hands it on without a visit to memory, and writes it to memory when nobody waits.",
  .params = params,
  .n_params = sizeof params / sizeof *params,
  .resolve = resolve,
  .model = {lh_create, lh_destroy, lh_reset, lh_outputs, lh_step, simt_save, simt_load, lh_stats, lh_parts},
  .notes = lh_notes,
};
