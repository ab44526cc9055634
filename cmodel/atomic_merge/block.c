/* SPDX-License-Identifier: Apache-2.0 */
/* block.c: the description of atomic_merge: parameters, derived values, ports, coverage. */
#include "atomic_merge/model.h"
#include "atomic_merge/layout.h"
#include "core/context_port.h"
#include "core/unit_status.h"

enum am_param { LINE_BYTES, LINES, WAYS, QUEUE, STALL_BUF, MERGE_LANES, MISSES, MAX_TEMPS, OLD_LINES, TID_W, ADDR_W, WIDE_ATOMICS,
             ATOMIC_ADD, ATOMIC_AND, ATOMIC_OR, ATOMIC_XOR, ATOMIC_MIN, ATOMIC_MAX, ATOMIC_SWAP, ATOMIC_CAS, ATOMIC_SAT, ATOMIC_WRAP, ATOMIC_MOD, ATOMIC_MUL, ATOMIC_FADD, ATOMIC_FMUL,
             ATOMIC_FMIN, ATOMIC_FMAX, FLOAT_MERGE, OP_STAGES, BIG_ENDIAN,
             TID_CHECK, COUNTERS, WITNESS, STATUS, HALT_MODE };

static const char *const halts[] = {"drain", "hold", NULL};
static const char *const policies[] = {"none", "wait", "extra", "keep_wait", "keep_extra", NULL};
#define POLICY(text) text ": not built, or what it does at a line with temporary lines of other operations: wait, or open an extra one; keep: all its requests are parked with their operands"

static const struct simt_param params[] = {
  [LINE_BYTES] = {"LINE_BYTES", 64, 16, 128, SIMT_POW2, NULL, "bytes", "size of a line", "AM-15"},
  [LINES] = {"LINES", 32, 4, 256, SIMT_POW2, NULL, "lines", "true lines, at least two sets", "AM-3"},
  [WAYS] = {"WAYS", 4, 2, 8, SIMT_POW2, NULL, "ways", "places where a line may be", "AM-3"},
  [QUEUE] = {"QUEUE", 16, 2, 64, SIMT_POW2, NULL, "requests", "accepted requests in front of the pipeline", "AM-14"},
  [STALL_BUF] = {"STALL_BUF", 64, 2, 2048, 0, NULL, "requests", "requests that are parked or wait for a line", "AM-7"},
  [MERGE_LANES] = {"MERGE_LANES", 8, 2, 16, SIMT_POW2, NULL, "words", "32-bit words merged in a cycle, and carried by a beat of the fill and release channels", "AM-8"},
  [MISSES] = {"MISSES", 8, 2, 16, SIMT_POW2, NULL, "lines", "lines fetched at once", "AM-4"},
  [MAX_TEMPS] = {"MAX_TEMPS", 2, 1, 4, 0, NULL, "lines", "temporary lines of one line address", "AM-12"},
  [OLD_LINES] = {"OLD_LINES", 8, 2, 32, SIMT_POW2, NULL, "lists", "lists of requests, each with the line as it stood before its merge, that wait or are spooled", "AM-10"},
  [TID_W] = {"TID_W", 10, 1, 16, 0, NULL, "bits", "width of a thread id", "AM-2"},
  [ADDR_W] = {"ADDR_W", 32, 16, 48, 0, NULL, "bits", "width of a byte address", "AM-15"},
  [WIDE_ATOMICS] = {"WIDE_ATOMICS", 1, 0, 1, 0, NULL, "", "1: atomics of 64 bits beside those of 32", "AM-1"},
  [ATOMIC_ADD] = {"ATOMIC_ADD", 1, 0, 4, 0, policies, "", POLICY("integer add"), "AM-1 AM-10 AM-12"},
  [ATOMIC_AND] = {"ATOMIC_AND", 1, 0, 4, 0, policies, "", POLICY("bitwise and"), "AM-1 AM-10 AM-12"},
  [ATOMIC_OR] = {"ATOMIC_OR", 1, 0, 4, 0, policies, "", POLICY("bitwise or"), "AM-1 AM-10 AM-12"},
  [ATOMIC_XOR] = {"ATOMIC_XOR", 1, 0, 4, 0, policies, "", POLICY("bitwise exclusive or"), "AM-1 AM-10 AM-12"},
  [ATOMIC_MIN] = {"ATOMIC_MIN", 2, 0, 4, 0, policies, "", POLICY("minimum, signed and unsigned"), "AM-1 AM-10 AM-12"},
  [ATOMIC_MAX] = {"ATOMIC_MAX", 2, 0, 4, 0, policies, "", POLICY("maximum, signed and unsigned"), "AM-1 AM-10 AM-12"},
  [ATOMIC_SWAP] = {"ATOMIC_SWAP", 1, 0, 4, 0, policies, "", POLICY("swap"), "AM-1 AM-10 AM-12"},
  [ATOMIC_CAS] = {"ATOMIC_CAS", 1, 0, 4, 0, policies, "", POLICY("compare-and-swap"), "AM-1 AM-12 AM-13"},
  [ATOMIC_SAT] = {"ATOMIC_SAT", 0, 0, 4, 0, policies, "", POLICY("saturating unsigned add"), "AM-1 AM-10 AM-12"},
  [ATOMIC_WRAP] = {"ATOMIC_WRAP", 0, 0, 4, 0, policies, "", POLICY("increment and decrement that wrap around at a limit"), "AM-1 AM-10 AM-12"},
  [ATOMIC_MOD] = {"ATOMIC_MOD", 0, 0, 4, 0, policies, "", POLICY("add modulo K"), "AM-1 AM-10 AM-12"},
  [ATOMIC_MUL] = {"ATOMIC_MUL", 0, 0, 4, 0, policies, "", POLICY("multiply"), "AM-1 AM-10 AM-12"},
  [ATOMIC_FADD] = {"ATOMIC_FADD", 0, 0, 4, 0, policies, "", POLICY("float add"), "AM-1 AM-10 AM-12"},
  [ATOMIC_FMUL] = {"ATOMIC_FMUL", 0, 0, 4, 0, policies, "", POLICY("float multiply"), "AM-1 AM-10 AM-12"},
  [ATOMIC_FMIN] = {"ATOMIC_FMIN", 0, 0, 4, 0, policies, "", POLICY("float minimum"), "AM-1 AM-10 AM-12"},
  [ATOMIC_FMAX] = {"ATOMIC_FMAX", 0, 0, 4, 0, policies, "", POLICY("float maximum"), "AM-1 AM-10 AM-12"},
  [FLOAT_MERGE] = {"FLOAT_MERGE", 1, 0, 1, 0, NULL, "", "1: float adds and multiplies are accumulated; 0: they wait for their line and are exactly serial", "AM-7"},
  [OP_STAGES] = {"OP_STAGES", 7, 3, 8, 0, NULL, "cycles", "with multiply or floats: from one to another request of the same 8 bytes; an answer takes OP_STAGES - 2 cycles more when they are built", "AM-3"},
  [BIG_ENDIAN] = {"BIG_ENDIAN", 0, 0, 1, 0, NULL, "", "1: an item's highest byte is at its address; 0: its lowest one", "AM-4"},
  [TID_CHECK] = {"TID_CHECK", 0, 0, 1, 0, NULL, "", "1: a request whose thread id has one under way is refused; 2^TID_W cycles behind reset nothing is accepted then", "AM-16"},
  [COUNTERS] = {"COUNTERS", 0, 0, 1, 0, NULL, "", "1: counters of 48 bits in the registers; 0: the registers have the identification alone", "AM-18"},
  [WITNESS] = {"WITNESS", 0, 0, 1, 0, NULL, "", "1: the witness ports report each commit, for a checker; 0: they are idle", "AM-13"},
  [STATUS] = {"STATUS", 0, 0, 3, 0, simt_status_choices, "", "unit status, halt and reset, with this encoding of state_o; none: its ports are idle", "AM-17"},
  [HALT_MODE] = {"HALT_MODE", 0, 0, 1, 0, halts, "", "STATUS: drain: a halt finishes what was accepted and releases all lines, and a context may be saved and loaded; hold: it stops within HALT_OWN cycles with what is there, and no context is moved", "AM-17"},
};

static bool has_floats(const uint64_t *value) { return value[ATOMIC_FADD] || value[ATOMIC_FMUL] || value[ATOMIC_FMIN] || value[ATOMIC_FMAX]; }

void am_layout(const uint64_t *value, struct am_layout *l) {
  l->line_bytes = (unsigned)value[LINE_BYTES];
  l->lines = (unsigned)value[LINES];
  l->ways = (unsigned)value[WAYS];
  l->sets = l->lines / l->ways;
  l->queue = (unsigned)value[QUEUE];
  l->stall_buf = (unsigned)value[STALL_BUF];
  l->lanes = (unsigned)value[MERGE_LANES];
  l->beats = l->line_bytes / (4 * l->lanes);
  l->misses = (unsigned)value[MISSES];
  l->max_temps = (unsigned)value[MAX_TEMPS];
  l->temps = l->misses * l->max_temps;
  l->old_lines = (unsigned)value[OLD_LINES];
  l->tid_w = (unsigned)value[TID_W];
  l->addr_w = (unsigned)value[ADDR_W];
  l->line_lg = simt_clog2(l->line_bytes);
  l->set_lg = simt_clog2(l->sets);
  l->line_aw = l->addr_w - l->line_lg;
  l->beat_bits = 32 * l->lanes;
  l->miss_w = simt_clog2(l->misses);
  l->temp_w = simt_clog2(l->temps);
  l->wide = value[WIDE_ATOMICS] != 0;
  l->tid_check = value[TID_CHECK] != 0;
  l->counters = value[COUNTERS] != 0;
  l->status = (unsigned)value[STATUS];
  l->drains = l->status && !value[HALT_MODE];
  l->ctx_words = l->line_aw > 32 ? 3 : 2;
  l->cfg_hash = simt_context_hash((const uint64_t[]){value[LINE_BYTES], value[ADDR_W]}, 2);
  l->witness = value[WITNESS] != 0;
  static const enum am_param of[AM_OPS] = {[AM_ADD] = ATOMIC_ADD, [AM_AND] = ATOMIC_AND, [AM_OR] = ATOMIC_OR, [AM_XOR] = ATOMIC_XOR, [AM_SMIN] = ATOMIC_MIN,
    [AM_SMAX] = ATOMIC_MAX, [AM_UMIN] = ATOMIC_MIN, [AM_UMAX] = ATOMIC_MAX, [AM_SWAP] = ATOMIC_SWAP, [AM_CAS] = ATOMIC_CAS, [AM_SAT] = ATOMIC_SAT,
    [AM_INC] = ATOMIC_WRAP, [AM_DEC] = ATOMIC_WRAP, [AM_MOD] = ATOMIC_MOD, [AM_MUL] = ATOMIC_MUL,
    [AM_FADD] = ATOMIC_FADD, [AM_FMUL] = ATOMIC_FMUL, [AM_FMIN] = ATOMIC_FMIN, [AM_FMAX] = ATOMIC_FMAX};
  for (unsigned op = 0; op < AM_OPS; op++) l->policy[op] = am_is_atomic(op) ? (unsigned)value[of[op]] : AM_WAIT;
  bool late = l->policy[AM_MUL] || has_floats(value);
  l->float_merge = value[FLOAT_MERGE] != 0;
  l->apart = late ? (unsigned)value[OP_STAGES] : l->policy[AM_INC] || l->policy[AM_MOD] ? 3 : 0;
  l->extra = l->apart ? l->apart - 2 : 0;
  l->items = late;
  l->big_endian = value[BIG_ENDIAN] != 0;
}

static void add_core_ports(struct simt_desc *d, const struct am_layout *l) {
  static const char req[] = "request", reqv[] = "req_valid_i", ans[] = "answer", ansv[] = "ans_valid_o";
  const enum simt_dir in = SIMT_IN, out = SIMT_OUT;
  simt_add_port(d, in, 1, "", req, "A request is offered.", reqv);
  simt_add_port(d, out, 1, "", req, "A request is accepted; each gets exactly one answer.", "req_ready_o");
  simt_add_port(d, in, AM_OP_W, reqv, req, "0 load, 1 store, 2 fence, 3 flush, 4 add, 5 and, 6 or, 7 xor, 8 signed min, 9 signed max, "
                "10 unsigned min, 11 unsigned max, 12 swap, 13 compare-and-swap, 14 saturating unsigned add, 15 increment and 16 decrement that wrap, 17 add modulo K, 18 multiply, of floats: 19 add, 20 multiply, 21 minimum, 22 maximum.", "req_op_i");
  simt_add_port(d, in, 2, reqv, req, "Base-2 logarithm of the bytes; atomics take 2 and, with WIDE_ATOMICS, 3.", "req_size_i");
  simt_add_port(d, in, 2, reqv, req, "0 return, 1 no return, strict, 2 no return, relaxed.", "req_mode_i");
  simt_add_port(d, in, l->addr_w, reqv, req, "Byte address, aligned to the size.", "req_addr_i");
  simt_add_port(d, in, 64, reqv, req, "Operand, in the lowest bits.", "req_data_i");
  simt_add_port(d, in, 64, reqv, req, "Compare-and-swap: the value to compare with, in the lowest bits. Wrapping and modulo: K - 1, within the size.", "req_compare_i");
  simt_add_port(d, in, l->tid_w, reqv, req, "Thread id, given back with the answer.", "req_tid_i");
  simt_add_port(d, out, 1, "", ans, "An answer; it holds still until taken.", ansv);
  simt_add_port(d, in, 1, "", ans, "The answer is taken.", "ans_ready_i");
  simt_add_port(d, out, l->tid_w, ansv, ans, "Thread id of the request.", "ans_tid_o");
  simt_add_port(d, out, 2, ansv, ans, "0 done, 1 request refused, 2 the memory has no such line, 3 refused because its thread id has a request under way (TID_CHECK).", "ans_status_o");
  simt_add_port(d, out, 64, ansv, ans, "Load, and mode return: the value before the operation, zero-extended; else 0.", "ans_data_o");
}

static void add_memory_ports(struct simt_desc *d, const struct am_layout *l) {
  static const char fetch[] = "fetch", fetchv[] = "fetch_valid_o", home[] = "home", homev[] = "home_valid_i", rel[] = "release",
    relv[] = "rel_valid_o";
  const enum simt_dir in = SIMT_IN, out = SIMT_OUT;
  simt_add_port(d, out, 1, "", fetch, "A line is wanted, with ownership; answered by one fill or error.", fetchv);
  simt_add_port(d, in, 1, "", fetch, "The fetch is taken.", "fetch_ready_i");
  simt_add_port(d, out, l->line_aw, fetchv, fetch, "Line address: the byte address without the place in the line.", "fetch_line_o");
  simt_add_port(d, out, l->miss_w, fetchv, fetch, "Tag that the fill carries.", "fetch_tag_o");
  simt_add_port(d, in, 1, "", home, "A beat of a fill, or a snoop. Beats of one fill follow each other.", homev);
  simt_add_port(d, out, 1, "", home, "The beat or snoop is taken.", "home_ready_o");
  simt_add_port(d, in, 1, homev, home, "0 beat of a fill, 1 snoop: the line is to be released.", "home_snoop_i");
  simt_add_port(d, in, l->miss_w, homev, home, "Of a fill: the tag of its fetch, in every beat.", "home_tag_i");
  simt_add_port(d, in, 1, homev, home, "Of a fill: there is no such line. The only beat then.", "home_error_i");
  simt_add_port(d, in, l->line_aw, homev, home, "Of a snoop: the line address. A line that is not here is on its way back already.", "home_line_i");
  simt_add_port(d, in, l->beat_bits, homev, home, "Of a fill: data, the line's first words in the first beat.", "home_data_i");
  simt_add_port(d, out, 1, "", rel, "A beat of a release: the line leaves for the home.", relv);
  simt_add_port(d, in, 1, "", rel, "The beat is taken.", "rel_ready_i");
  simt_add_port(d, out, l->line_aw, relv, rel, "Line address, in every beat.", "rel_line_o");
  simt_add_port(d, out, 1, relv, rel, "The line was written: all its beats follow. 0: one beat, data means nothing.", "rel_dirty_o");
  simt_add_port(d, out, 1, relv, rel, "Last beat of the release.", "rel_last_o");
  simt_add_port(d, out, l->beat_bits, "rel_dirty_o", rel, "Data, the line's first words in the first beat.", "rel_data_o");
}

static void add_error_ports(struct simt_desc *d, const struct am_layout *l) {
  static const char st[] = "errors", wit[] = "witness", witv[] = "wit_valid_o";
  const enum simt_dir out = SIMT_OUT;
  simt_add_port(d, out, AM_LOST_W, "", st, "Relaxed atomics that were answered and then lost with a failed fetch, saturating; until reset.", "lost_count_o");
  simt_add_port(d, out, l->line_aw, "", st, "Line address of the first of them; 0 as long as there is none.", "lost_line_o");
  simt_add_port(d, out, 1, "", st, "A fill came that nobody had asked for; it was dropped. Until reset.", "unasked_o");
  simt_add_port(d, out, 1, "", wit, "WITNESS: something took its place in the serial order, or joined what will.", witv);
  simt_add_port(d, out, 2, witv, wit, "0 request wit_tid_o is performed, 1 it joins temporary line wit_temp_o, 2 that line is merged, "
                "3 it is dropped with a failed fetch.", "wit_kind_o");
  simt_add_port(d, out, l->tid_w, witv, wit, "Thread id, for kinds 0 and 1; else 0.", "wit_tid_o");
  simt_add_port(d, out, l->temp_w, witv, wit, "Temporary line, for kinds 1 to 3; else 0.", "wit_temp_o");
}

static void add_core_inputs(struct simt_desc *d, const struct am_layout *l) {
  simt_add_core_input(d, 1, "put_i", "The errors of the cache are those of a context.");
  simt_add_core_input(d, 1, "put_unasked_i", "unasked_o of it.");
  simt_add_core_input(d, AM_LOST_W, "put_count_i", "lost_count_o of it.");
  simt_add_core_input(d, l->line_aw, "put_line_i", "lost_line_o of it.");
}

static void add_counter_regs(struct simt_desc *d, const struct am_layout *l) {
  static const struct { const char *name, *doc; } of[AM_N_END] = {
    [AM_LOAD] = {"LOAD", "loads"}, [AM_STORE] = {"STORE", "stores"}, [AM_FENCE] = {"FENCE", "fences"}, [AM_FLUSH] = {"FLUSH", "flushes"},
    [AM_ADD] = {"ADD", "atomic adds"}, [AM_AND] = {"AND", "atomic ands"}, [AM_OR] = {"OR", "atomic ors"}, [AM_XOR] = {"XOR", "atomic exclusive ors"},
    [AM_SMIN] = {"SMIN", "signed minima"}, [AM_SMAX] = {"SMAX", "signed maxima"}, [AM_UMIN] = {"UMIN", "unsigned minima"},
    [AM_UMAX] = {"UMAX", "unsigned maxima"}, [AM_SWAP] = {"SWAP", "swaps"}, [AM_CAS] = {"CAS", "compare-and-swaps"}, [AM_SAT] = {"SAT", "saturating adds"},
    [AM_INC] = {"INC", "wrapping increments"}, [AM_DEC] = {"DEC", "wrapping decrements"}, [AM_MOD] = {"MOD", "adds modulo K"}, [AM_MUL] = {"MUL", "multiplies"},
    [AM_FADD] = {"FADD", "float adds"}, [AM_FMUL] = {"FMUL", "float multiplies"}, [AM_FMIN] = {"FMIN", "float minima"}, [AM_FMAX] = {"FMAX", "float maxima"},
    [AM_N_IN_PLACE] = {"IN_PLACE", "atomics performed at a line that is present"},
    [AM_N_ACCUMULATED] = {"ACCUMULATED", "atomics accumulated in temporary lines; by MERGES: atomics of a merge"},
    [AM_N_WAITED_PLAIN] = {"WAITED_PLAIN", "loads and stores that waited for their line in the stall buffer"},
    [AM_N_WAITED_TAG] = {"WAITED_TAG", "atomics that waited there because temporary lines of other operations were open"},
    [AM_N_WAITED_TURN] = {"WAITED_TURN", "atomics that waited there because of a request to the same word before them (AM-7)"},
    [AM_N_MERGES] = {"MERGES", "temporary lines merged"}, [AM_N_DROPS] = {"DROPS", "temporary lines dropped with a failed fetch"},
    [AM_N_EXTRA] = {"EXTRA", "additional temporary lines opened (AM-12)"}, [AM_N_REFUSED] = {"REFUSED", "requests refused"},
    [AM_N_FILLS] = {"FILLS", "lines that arrived"}, [AM_N_RELEASES] = {"RELEASES", "lines that left"}, [AM_N_EVICTIONS] = {"EVICTIONS", "of those, for another line"},
    [AM_N_RESIDENCY] = {"RESIDENCY", "cycles of all LINES present: a line that is here for a cycle counts 1/LINES; times LINES, by FILLS: how long a line stays"},
    [AM_N_WAIT_ANSWER] = {"WAIT_ANSWER", "cycles in which the oldest request waits for room for its answer"},
    [AM_N_WAIT_ENTRY] = {"WAIT_ENTRY", "the same, for an entry of the stall buffer"}, [AM_N_WAIT_SLOT] = {"WAIT_SLOT", "the same, for one of OLD_LINES"},
    [AM_N_WAIT_MISS] = {"WAIT_MISS", "the same, for one of MISSES"}, [AM_N_WAIT_WAY] = {"WAIT_WAY", "the same, for a place for its line"},
    [AM_N_WAIT_FENCE] = {"WAIT_FENCE", "the same, a fence or flush for what was before it"},
    [AM_N_WAIT_ENGINE] = {"WAIT_ENGINE", "cycles in which requests wait because lines arrive or leave"}};
  for (unsigned i = 0; i < AM_N_END; i++) {
    if (!am_is_counted(l, i)) continue;
    simt_add_reg(d, AM_REG_COUNTERS + 8 * i, 32, "ro", 0, "AM-18", of[i].doc, "AM_N_%s_LO", of[i].name);
    if (i >= AM_N_RESIDENCY) simt_reg_moves(d);
    simt_add_reg(d, AM_REG_COUNTERS + 8 * i + 4, 16, "ro", 0, "AM-18", "upper bits, latched by reading _LO", "AM_N_%s_HI", of[i].name);
  }
}

static void add_regs(struct simt_desc *d, const struct am_layout *l) {
  simt_add_reg(d, AM_REG_ID, 32, "ro", AM_ID, "", "block identification and version", "AM_ID");
  if (l->counters) {
    simt_add_reg(d, AM_REG_CLEAR, 1, "wo", 0, "AM-18", "any write sets all counters to 0", "AM_CLEAR");
    simt_reg_clears(d);
  }
  if (l->status) {
    simt_add_reg(d, AM_REG_NACK, 1, "wo", 0, "AM-17", "any write sets nack_o to 0", "AM_NACK_CLEAR");
    simt_reg_clears(d);
  }
  if (l->counters) add_counter_regs(d, l);
}

static void add_covers(struct simt_desc *d, const struct am_layout *l) {
  simt_add_cover(d, "AM-3", "An atomic is performed on a line that is present.", "hit");
  simt_add_cover(d, "AM-7", "An atomic joins a temporary line.", "join");
  simt_add_cover(d, "AM-8", "Four atomics or more are merged at once.", "batch");
  simt_add_cover(d, "AM-10", "The value of an atomic that was merged is rebuilt.", "rebuilt");
  simt_add_cover(d, "AM-8", "A request that had to wait is performed when its line arrives.", "waited");
  simt_add_cover(d, "AM-7", "An atomic whose tag is open has to wait behind a request to the same word.", "behind");
  simt_add_cover(d, "AM-12", "Two temporary lines are merged after one arrival.", "two_merges");
  simt_add_cover(d, "AM-9", "A snoop takes a dirty line.", "snooped");
  simt_add_cover(d, "AM-15", "A line that was only read is released without data.", "clean");
  simt_add_cover(d, "AM-14", "A line is evicted for another one.", "evicted");
  simt_add_cover(d, "AM-15", "A snoop comes for a line that has been released already.", "crossed");
  simt_add_cover(d, "AM-16", "Relaxed atomics that were answered are lost with a failed fetch.", "lost");
  simt_add_cover(d, "AM-16", "A parked or waiting request gets the error of its fetch.", "failed");
  simt_add_cover(d, "AM-16", "A request is refused.", "refused");
  simt_add_cover(d, "AM-16", "A fill comes that nobody asked for.", "unasked");
  simt_add_cover(d, "AM-2", "A fence waits until what went before has committed.", "fence");
  simt_add_cover(d, "AM-2", "A flush releases every line.", "flush");
  simt_add_cover(d, "AM-14", "An answer waits for eight cycles.", "answer_waits");
  simt_add_cover(d, "AM-1", "A store or load of less than a word.", "narrow");
  if (l->tid_check) simt_add_cover(d, "AM-16", "A request is refused because its thread id has one under way.", "live");
  if (l->status) {
    simt_add_cover(d, "AM-17", "A reset of the unit while a fetch is open.", "reset_with_fetch");
    if (l->drains) {
      simt_add_cover(d, "AM-17", "Four requests or more that a halt request finds are answered before the cache is halted.", "drained");
      simt_add_cover(d, "AM-17", "A context is loaded.", "loaded");
      simt_add_cover(d, "AM-17 US-9", "It is saved again at once: the same words.", "saved_again");
      simt_add_cover(d, "AM-17 US-9", "A context is refused for its header.", "refused_header");
      simt_add_cover(d, "AM-17 US-9", "A context is refused behind its header.", "refused_payload");
      simt_add_cover(d, "AM-17 US-9", "A reset of the unit in the middle of a load.", "load_broken");
    } else {
      simt_add_cover(d, "AM-17", "Halted with four requests or more held.", "halted");
      simt_add_cover(d, "AM-17", "Halted in the middle of an arrival: a request that waited is performed after the release.", "halted_in_arrival");
      simt_add_cover(d, "AM-17 US-14", "A fetch that the home has not taken is withdrawn by a halt, and asked again behind the release.", "asked_again");
    }
  }
  if (l->counters) simt_add_cover(d, "AM-18", "The count of accumulated atomics is read while it stands.", "counted");
}

static bool check(const uint64_t *value, struct simt_diag *diag) {
  char got[24];
  if (value[LINES] < 2 * value[WAYS]) {
    simt_value_text(&params[LINES], value[LINES], got);
    return simt_fail(diag, "LINES", got, "at least %u lines for WAYS = %u (two sets)", 2 * (unsigned)value[WAYS], (unsigned)value[WAYS]);
  }
  if (4 * value[MERGE_LANES] > value[LINE_BYTES]) {
    simt_value_text(&params[MERGE_LANES], value[MERGE_LANES], got);
    return simt_fail(diag, "MERGE_LANES", got, "at most %u words for LINE_BYTES = %u (a beat is no longer than a line)",
                     (unsigned)value[LINE_BYTES] / 4, (unsigned)value[LINE_BYTES]);
  }
  return true;
}

static unsigned larger(unsigned a, unsigned b) { return a > b ? a : b; }

static unsigned empties(const struct am_layout *l) { return 7 + l->extra; }
static unsigned items(const struct am_layout *l) { return l->items ? l->line_bytes / 4 + 2 * (5 + l->extra) : l->apart ? 1 : 0; }
static unsigned pass(const struct am_layout *l) { return larger(l->beats, 2) + 1 + items(l); }
static unsigned begins(const struct am_layout *l) { return l->beats == 1 ? 6 : 1; }

unsigned am_arrival_own(const struct am_layout *l) { return begins(l) + l->max_temps * (empties(l) + pass(l)) + empties(l); }
unsigned am_waits_own(const struct am_layout *l) { return 3 + (l->apart > 3 ? empties(l) - 2 : 0); }

/* With HALT_MODE hold the engine is at most at the arrival of a line, up to its first merge, by items with multiplies or floats; what is in
 * the pipeline comes before and behind; then the release or answer that is offered. With drain as docs/atomic_merge_design.md derives it. */
static unsigned am_halt_own(const struct am_layout *l) {
  if (!l->drains) return 22 + l->beats + items(l) + 2 * l->extra + l->beats + 1;
  const unsigned waits = am_waits_own(l), arrival = am_arrival_own(l) + l->stall_buf * waits;
  const unsigned walk = 2 * (l->lines + 1), leave = 6 + l->beats + (l->beats > 3 ? l->beats - 3 : 0);
  const unsigned misses = 12 + larger(l->beats, 4) + begins(l) + pass(l) + waits + empties(l), request = larger(walk + 13, misses);
  bool slow = false;
  for (unsigned op = 0; op < AM_OPS; op++) slow |= am_is_unit(op) && am_keeps(l, op);
  const unsigned spool = l->stall_buf * (slow ? l->apart + 1 : 1) + l->queue + 24, requests = l->queue * request;
  return arrival + (l->old_lines > l->max_temps + 1 ? larger(spool, requests) : spool + requests) + l->lines * leave + walk + 10;
}

/* A request has its place in the queue for so many cycles. */
enum { HELD = 7 };

void am_warn_queue(struct simt_desc *d, const struct am_layout *l) {
  if (l->queue < HELD)
    simt_warn(d, "QUEUE = %u: a request has its place for %u cycles, so a cache takes at most %u requests in 100 cycles; with 8 or more it takes one in every cycle", l->queue, HELD, 100 * l->queue / HELD);
}

/* As verif/atomic_merge/tests/rates_test.c measures each. */
static void add_rates(struct simt_desc *d, const struct am_layout *l) {
  const unsigned pairs = l->line_bytes / 8, merge = l->beats == 1 ? 9 : larger(l->beats, 2) + 3, leave = 4 + l->beats;
  const unsigned by_items = merge + 2 * pairs + (pairs < l->apart ? 2 : 1) * (6 + l->extra);
  bool choice = false, modulo = false, late = false;
  for (unsigned op = 0; op < AM_OPS; op++) {
    if (l->policy[op] == AM_NOT_BUILT) continue;
    choice |= am_is_slow(op);
    modulo |= am_is_modulo(op);
    late |= am_is_by_items(op) && am_merges(l, op);
  }
#define MERGES "from the last beat of a fill taken to ready for a snoop, one temporary line, nothing waits"
#define RELEASES "from the last beat of a fill taken to the first beat of the release, a snoop right behind the fill, one temporary line, nothing waits"
#define MODULO ": of wrapping and modulo operations"
#define ITEMS ": of multiplies and floats, which go item by item; items of 32 bits"
  simt_add_derived(d, "LATENCY", 13 + l->extra, false, "cycles", "from a request accepted to its answer, line present, nothing in front");
  simt_add_derived(d, "RATE", l->queue < HELD ? 100 * l->queue / HELD : 100, false, "requests", "in 100 cycles at most, different items, on lines that are present and on temporary lines; QUEUE below 8 makes it less than 100");
  simt_add_derived(d, "GAP", 1, false, "cycles", "from a request to the next one of the same 8 bytes, behind a load, a store, add, and, or, xor or swap");
  if (choice) simt_add_derived(d, "GAP_CHOICE", 2, false, "cycles", "the same behind a minimum, maximum, compare-and-swap or saturating add");
  if (l->apart) simt_add_derived(d, "GAP_UNIT", l->apart, false, "cycles", "the same behind a wrapping or modulo operation, a multiply or a float operation");
  simt_add_derived(d, "MERGE_CYCLES", merge, false, "cycles", MERGES);
  if (modulo) simt_add_derived(d, "MERGE_MODULO", merge + 1, false, "cycles", MERGES MODULO);
  if (late) simt_add_derived(d, "MERGE_ITEMS", by_items, false, "cycles", MERGES ITEMS);
  simt_add_derived(d, "RELEASE_CYCLES", merge + leave, false, "cycles", RELEASES);
  if (modulo) simt_add_derived(d, "RELEASE_MODULO", merge + 1 + leave, false, "cycles", RELEASES MODULO);
  if (late) simt_add_derived(d, "RELEASE_ITEMS", by_items + leave, false, "cycles", RELEASES ITEMS);
}

static bool resolve(const uint64_t *value, struct simt_desc *d, struct simt_diag *diag) {
  if (!check(value, diag)) return false;
  struct am_layout l;
  am_layout(value, &l);
  simt_add_derived(d, "LINE_AW", l.line_aw, true, "bits", "width of a line address");
  simt_add_derived(d, "BEATS", l.beats, true, "beats", "of a fill or a dirty release");
  simt_add_derived(d, "TEMPS", l.temps, false, "lines", "temporary lines, MAX_TEMPS for each of MISSES");
  add_rates(d, &l);
  am_warn_queue(d, &l);
  simt_add_derived(d, "HALT_OWN", am_halt_own(&l), false, "cycles", "STATUS: from a halt request to halted at most, not counting cycles in which a fetch is open here or, by served_idle_i, something elsewhere, or an answer or a release is offered and not taken, nor with HALT_MODE = drain those in which the home offers something, or a fetch is offered and not taken, nor 12 + BEATS for each snoop that is taken meanwhile");
  simt_add_derived(d, "CTX_MAX", l.ctx_words, true, "words", "words of a context (STATUS, HALT_MODE = drain)");
  if (l.status && !l.drains) simt_not_switched(d, "HALT_MODE=hold, which halts with work inside and has no context");
  simt_add_clock_reset(d);
  add_core_ports(d, &l);
  add_memory_ports(d, &l);
  simt_add_status_ports(d, l.status ? (enum simt_status_encoding)(l.status - 1) : SIMT_ONE_HOT);
  simt_add_port(d, SIMT_IN, 1, "", "status", "The other caches of the home say idle_o; 1 for a cache that is alone.", "served_idle_i");
  simt_add_port(d, SIMT_OUT, 1, "", "status", "Under a halt request with no fetch open, with HALT_MODE = drain with nothing left at all; stays until release or reset.", "idle_o");
  simt_add_context_ports(d);
  add_error_ports(d, &l);
  add_core_inputs(d, &l);
  simt_add_reg_port(d, AM_REG_ADDR_W);
  add_regs(d, &l);
  add_covers(d, &l);
  return true;
}

const struct simt_block simt_block_atomic_merge = {
  .name = "atomic_merge",
  .title = "L1 cache that merges atomics into temporary lines",
  .summary =
    "Performs atomics where the line is. An atomic that misses does not wait: it is accumulated in a temporary line, which is merged "
    "with the true line in one pass when that arrives, so that the line may leave at once and many caches can share one counter. The "
    "values that atomics return are rebuilt afterwards from the line as it stood before the merge.",
  .params = params,
  .n_params = sizeof params / sizeof *params,
  .resolve = resolve,
  .model = {am_create, am_destroy, am_reset, am_outputs, am_step, simt_save, simt_load, am_stats, am_parts},
  .notes = am_notes,
};
