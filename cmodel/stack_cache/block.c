/* SPDX-License-Identifier: Apache-2.0 */
/* block.c: the description of stack_cache: parameters, derived values, ports, registers. */
#include "stack_cache/cover.h"
#include "stack_cache/layout.h"
#include "stack_cache/model.h"
#include "core/context_port.h"
#include "core/unit_status.h"

enum sc_param { THREADS, ENTRY_W, ENTRIES, SET, MAX_DEPTH, POLICY, FLAGS, OUT_REG, MEM_W, COUNTERS, INFLIGHT, STEAL, ADDR_W, STATUS };

static const char *const policies[] = {"set_boundary", "threshold", NULL};

static const char *const flags[] = {"per_set", "per_entry", NULL};
static const char *const mem_widths[] = {"set", "entry", NULL};

static const struct simt_param params[] = {
  [THREADS] = {"THREADS", 24, 1, 1024, 0, NULL, "threads", "independent stacks (thread groups)", "SC-1"},
  [ENTRY_W] = {"ENTRY_W", 64, 8, 512, 0, NULL, "bits", "width of a stack entry", "SC-1"},
  [ENTRIES] = {"ENTRIES", 16, 2, 1024, SIMT_POW2, NULL, "entries", "on-chip entries of each thread, at least 2 x SET", "SC-2"},
  [SET] = {"SET", 4, 1, 16, SIMT_POW2, NULL, "entries", "entries moved to or from memory in one transaction", "SC-2"},
  [MAX_DEPTH] = {"MAX_DEPTH", 16384, 2, 1 << 20, 0, NULL, "entries", "deepest stack that the counters can hold", "SC-1"},
  [POLICY] = {"POLICY", SC_SET_BOUNDARY, 0, 1, 0, policies, "", "when sets are spilled and restored ahead of need", "SC-6 SC-8"},
  [FLAGS] = {"FLAGS", SC_PER_SET, 0, 1, 0, flags, "", "what clean pops are counted by: the flag of the set or of the entry", "SC-4"},
  [OUT_REG] = {"OUT_REG", 0, 0, 1, 0, NULL, "", "1: a register behind the storage, for targets with slow block RAM; one more cycle of LATENCY", "SC-3"},
  [MEM_W] = {"MEM_W", SC_MEM_SET, 0, 1, 0, mem_widths, "", "width of the memory port: a set, or an entry, a set in SET beats", "SC-10"},
  [COUNTERS] = {"COUNTERS", 1, 0, 2, 0, NULL, "", "0: none; 1: event and wait counters; 2: also the deepest stack of each thread", "SC-14"},
  [INFLIGHT] = {"INFLIGHT", 16, 2, 64, SIMT_POW2, NULL, "accesses", "memory accesses of one thread under way at a time", "SC-10"},
  [STEAL] = {"STEAL", 16, 1, 255, 0, NULL, "cycles", "lost cycles in a row after which the engine takes one", "SC-9"},
  [ADDR_W] = {"ADDR_W", 32, 16, 64, 0, NULL, "bits", "width of a memory byte address", "SC-2"},
  [STATUS] = {"STATUS", SC_NO_STATUS, 0, 3, 0, simt_status_choices, "", "unit status, halt, flush and context switch, with this encoding of state_o; none: its ports are idle", "SC-13 US-13"},
};

void sc_layout(const uint64_t *value, struct sc_layout *l) {
  l->threads = (unsigned)value[THREADS];
  l->entry_w = (unsigned)value[ENTRY_W];
  l->entries = (unsigned)value[ENTRIES];
  l->set = (unsigned)value[SET];
  l->max_depth = value[MAX_DEPTH];
  l->policy = (unsigned)value[POLICY];
  l->flags = (unsigned)value[FLAGS];
  l->out_reg = (unsigned)value[OUT_REG];
  l->mem_w = (unsigned)value[MEM_W];
  l->counters = (unsigned)value[COUNTERS];
  l->inflight = (unsigned)value[INFLIGHT];
  l->steal = (unsigned)value[STEAL];
  l->addr_w = (unsigned)value[ADDR_W];
  l->status = (unsigned)value[STATUS];

  l->nsets = l->entries / l->set;
  l->thread_w = simt_max1(simt_clog2(l->threads));
  l->count_w = simt_clog2(l->max_depth + 1);
  l->set_lg = simt_clog2(l->set);
  l->nsets_lg = simt_clog2(l->nsets);
  l->class_w = simt_clog2(l->inflight);
  l->set_idx_w = simt_max1(l->count_w > l->set_lg ? l->count_w - l->set_lg : 0);
  l->entry_bytes_lg = simt_clog2((l->entry_w + 7) / 8);
  l->entry_bytes = 1u << l->entry_bytes_lg;
  l->set_bytes_lg = l->entry_bytes_lg + l->set_lg;
  l->set_bytes = 1u << l->set_bytes_lg;
  l->beats = l->mem_w == SC_MEM_ENTRY ? l->set : 1;
  l->mem_data_w = l->set_bytes / l->beats * 8;
  l->tag_w = l->thread_w + l->class_w;
  unsigned depth_lg = simt_clog2(l->max_depth) + l->entry_bytes_lg;
  l->stride_max = depth_lg > l->set_bytes_lg ? depth_lg : l->set_bytes_lg;
  /* docs/stack_cache_design.md, "Bounds": K1 to X, F once for each beat; lost before each beat; to the mark of a fault. */
  l->hold = 5 + l->beats;
  l->hold_lost = l->beats * (l->steal + 3);
  l->fault_within = l->beats > 1 ? 2 * (l->hold + l->hold_lost + 4) + 3 * l->inflight + 48 : 2;
  l->wait_bound = 3ull * l->threads * (19 * (l->steal * l->beats + 19) + 8 * l->inflight);
  l->halt_own = 24 + (l->beats > 1 ? 2 * l->beats : 0);
  l->flush_own = (uint64_t)l->threads * (l->nsets * (l->beats > 1 ? 16 + 2 * l->set : 16) + 8) + 64;
  l->entry_words = (l->entry_w + 31) / 32;
  l->ctx_bare = SC_CTX_HEAD * (uint64_t)l->threads + SC_CTX_REGS;
  l->ctx_max = l->ctx_bare + (uint64_t)l->threads * l->entries * l->entry_words;
  const uint64_t shape[] = {l->threads, l->entry_w, l->entries, l->set, l->max_depth, l->policy, l->flags, l->addr_w};
  l->cfg_hash = simt_context_hash(shape, sizeof shape / sizeof *shape);
}

static void add_derived(struct simt_desc *d, const struct sc_layout *l) {
  simt_add_derived(d, "NSETS", l->nsets, true, "sets", "on-chip sets of each thread");
  simt_add_derived(d, "THREAD_W", l->thread_w, true, "bits", "width of a thread number");
  simt_add_derived(d, "COUNT_W", l->count_w, true, "bits", "width of an entry count");
  simt_add_derived(d, "CLASS_W", l->class_w, true, "bits", "width of an access class (set mod INFLIGHT)");
  simt_add_derived(d, "SET_IDX_W", l->set_idx_w, true, "bits", "width of a set number");
  simt_add_derived(d, "ENTRY_BYTES", l->entry_bytes, true, "bytes", "bytes of an entry in memory, a power of two");
  simt_add_derived(d, "SET_BYTES", l->set_bytes, true, "bytes", "bytes of a set in memory, one transaction");
  simt_add_derived(d, "MEM_BEATS", l->beats, false, "beats", "of a set on the memory port");
  simt_add_derived(d, "TAG_W", l->tag_w, true, "bits", "width of a memory tag: thread and class");
  simt_add_derived(d, "STRIDE_MAX", l->stride_max, true, "log2 bytes", "largest and reset value of STRIDE_LG: a region of MAX_DEPTH entries");
  simt_add_derived(d, "LATENCY", SC_LATENCY + l->out_reg, false, "cycles", "from an operation taken to its answer");
  simt_add_derived(d, "GAP", SC_GAP, false, "cycles", "from an operation of a thread to its next one, at least");
  simt_add_derived(d, "HOLD", l->hold, false, "cycles", "that a spill or a restored set holds its thread at most, lost cycles apart");
  simt_add_derived(d, "HOLD_LOST", l->hold_lost, false, "cycles", "lost in a hold at most: STEAL + 3 before each beat that the engine takes out of storage");
  simt_add_derived(d, "WAIT_BOUND", l->wait_bound, false, "cycles", "that an operation waits at most, memory's time and GAP apart");
  simt_add_derived(d, "FAULT_WITHIN", l->fault_within, false, "cycles", "from an error's answer accepted (its last beat) to the mark, if the thread had no init: operations taken from then on answer fault");
  simt_add_derived(d, "LIMIT_ACTS", 1, false, "cycles", "from the answer to a write of LIMIT to the first operation taken that it acts on (of STRIDE_LG: 3)");
  simt_add_derived(d, "CTX_MAX", l->ctx_max, true, "words", "words of a context with entries (STATUS)");
  simt_add_derived(d, "HALT_OWN", l->halt_own, false, "cycles", "from the later of a halt request and the last memory answer to halted, at most, without HALT_FLUSH (STATUS)");
  simt_add_derived(d, "FLUSH_OWN", l->flush_own, false, "cycles", "from a halt request to halted, at most, memory's time apart, with HALT_FLUSH: every dirty set is written back (STATUS)");
  simt_add_derived(d, "STORAGE_BITS", (uint64_t)l->threads * l->entries * l->entry_w, false, "bits", "stack entries on chip");
}

static void add_ports(struct simt_desc *d, const struct sc_layout *l) {
  static const char op[] = "operation", ans[] = "answer", opv[] = "op_valid_i", ansv[] = "ans_valid_o";
  const enum simt_dir in = SIMT_IN, out = SIMT_OUT;
  simt_add_clock_reset(d);
  simt_add_port(d, in, 1, "", op, "An operation is presented; it is taken if can_go_o and the bit of its thread and kind are 1.", opv);
  simt_add_port(d, in, 3, opv, op, "0 push, 1 pop, 2 peek, 3 replace-top, 4 init (either bit of its thread); 5..7 are never taken.", "op_kind_i");
  simt_add_port(d, in, l->thread_w, opv, op, "Thread of the operation; never taken when not below THREADS.", "op_thread_i");
  simt_add_port(d, in, l->entry_w, opv, op, "Entry to push or to put in place of the top.", "op_data_i");
  simt_add_port(d, out, l->threads, "", op, "Per thread: a push is taken in this cycle, if can_go_o.", "can_push_o");
  simt_port_parts(d, "thread*1");
  simt_add_port(d, out, l->threads, "", op, "Per thread: a pop, peek or replace-top is taken in this cycle, if can_go_o.", "can_top_o");
  simt_port_parts(d, "thread*1");
  simt_add_port(d, out, 1, "", op, "Operations are taken in this cycle.", "can_go_o");
  simt_add_port(d, out, 1, "", ans, "An answer, LATENCY cycles after its operation was taken, in order; no back-pressure.", ansv);
  simt_add_port(d, out, l->thread_w, ansv, ans, "Thread of the answer.", "ans_thread_o");
  simt_add_port(d, out, 3, ansv, ans, "Kind of the operation that is answered.", "ans_kind_o");
  simt_add_port(d, out, 2, ansv, ans, "0 ok, 1 overflow, 2 underflow, 3 fault.", "ans_status_o");
  simt_add_port(d, out, 1, "", ans, "The answer carries data: a pop or peek that is ok.", "ans_data_valid_o");
  simt_add_port(d, out, l->entry_w, "ans_data_valid_o", ans, "The entry popped or peeked.", "ans_data_o");
  simt_add_mem_port(d, &(struct simt_mem_widths){.addr_w = l->addr_w, .data_w = l->mem_data_w, .tag_w = l->tag_w});
  simt_add_reg_port(d, SC_REG_ADDR_W);
  simt_add_status_ports(d, l->status ? (enum simt_status_encoding)(l->status - 1) : SIMT_ONE_HOT);
  simt_add_context_ports(d);
}

static void add_counters(struct simt_desc *d, const struct sc_layout *l) {
  static const struct { const char *name, *doc; } counter[SC_COUNTERS] = {
    [SC_N_PUSH] = {"PUSHES", "pushes that answered ok"},
    [SC_N_POP] = {"POPS", "pops that answered ok"},
    [SC_N_SPILL] = {"SPILLS", "sets read out to memory"},
    [SC_N_RESTORE] = {"RESTORES", "sets that became valid from memory"},
    [SC_N_DROP] = {"DROPS", "sets that memory answered and that were not wanted any more"},
    [SC_N_CLEAN_POP] = {"CLEAN_POPS", "entries popped whose remote copy was current"},
    [SC_N_DEEPEST] = {"DEEPEST", "most entries that any stack held"},
    [SC_N_WAIT_OWN] = {"WAIT_OWN", "cycles with an operation not taken: the last one of its thread is in the pipeline"},
    [SC_N_WAIT_RESTORE] = {"WAIT_RESTORE", "cycles with an operation not taken: its set is not on chip"},
    [SC_N_WAIT_DIRTY] = {"WAIT_DIRTY", "cycles with an operation not taken: its slot is dirty"},
    [SC_N_WAIT_ENGINE] = {"WAIT_ENGINE", "cycles with an operation not taken: the engine holds its thread or took the cycle"},
    [SC_N_WAIT_HALT] = {"WAIT_HALT", "cycles with an operation not taken because of a halt, flush, load or reset of the unit"},
  };
  for (unsigned i = 0; l->counters && i < sc_counters(l); i++) {
    simt_add_reg(d, SC_REG_COUNTER + 8 * i, 32, "ro", 0, "SC-14", counter[i].doc, "%s_LO", counter[i].name);
    simt_add_reg(d, SC_REG_COUNTER + 8 * i + 4, 16, "ro", 0, "SC-14", "upper bits, latched by reading _LO", "%s_HI",
                 counter[i].name);
  }
}

static void add_regs(struct simt_desc *d, const struct sc_layout *l) {
  simt_add_reg(d, SC_REG_ID, 32, "ro", SC_ID, "", "block identification and version", "ID");
  simt_add_reg(d, SC_REG_STATUS, 4, "ro", 1, "SC-2 SC-12", "bit 0: all stacks empty; 2: an error is recorded; 3: a memory access is not answered yet", "STATUS");
  simt_add_field(d, 0, 1, "EMPTY", "all stacks are empty");
  simt_add_field(d, 2, 1, "ERROR", "an error is recorded");
  simt_add_field(d, 3, 1, "ACCESSES", "a memory access is not answered yet");
  simt_add_reg(d, SC_REG_BASE_LO, 32, "rw", 0, "SC-2", "byte address of the region of thread 0, aligned to a set; only while all stacks are empty and no memory access is under way (STATUS bits 0 and 3), or the unit is halted", "BASE_LO");
  simt_reg_range(d, 0, simt_ones(l->addr_w < 32 ? l->addr_w : 32));
  simt_reg_zero_bits(d, (uint32_t)l->set_bytes - 1);
  if (l->addr_w > 32)
    simt_add_reg(d, SC_REG_BASE_HI, l->addr_w - 32, "rw", 0, "SC-2", "upper bits of BASE_LO", "BASE_HI");
  simt_add_reg(d, SC_REG_STRIDE_LG, 6, "rw", l->stride_max, "SC-2", "log2 of the bytes from one thread's region to the next; writable as BASE_LO is", "STRIDE_LG");
  simt_reg_range(d, l->set_bytes_lg, l->stride_max);
  simt_add_reg(d, SC_REG_LIMIT, l->count_w, "rw", (uint32_t)l->max_depth, "SC-12", "depth limit; reads the effective limit: min(LIMIT, MAX_DEPTH, region / entry)", "LIMIT");
  simt_reg_clips(d, (uint32_t)l->max_depth);
  if (l->policy == SC_THRESHOLD) {
    unsigned w = l->nsets_lg + 1;
    simt_add_reg(d, SC_REG_SPILL_OVER, w, "rw", l->nsets / 2, "SC-6", "0..NSETS: a burst of spills begins when more sets are dirty", "SPILL_OVER");
    simt_reg_range(d, 0, l->nsets);
    simt_add_reg(d, SC_REG_SPILL_BURST, w, "rw", 1, "SC-6", "1..NSETS-1: sets of a burst", "SPILL_BURST");
    simt_reg_range(d, 1, l->nsets - 1);
    simt_add_reg(d, SC_REG_RESTORE_FREE, w, "rw", l->nsets / 2, "SC-8", "0..NSETS: a restore is due when more slots hold no valid set", "RESTORE_FREE");
    simt_reg_range(d, 0, l->nsets);
  }
  simt_add_reg(d, SC_REG_THREAD, l->thread_w, "rw", 0, "SC-14", "thread whose DEPTH is read; below THREADS", "THREAD");
  simt_reg_range(d, 0, l->threads - 1);
  simt_add_reg(d, SC_REG_DEPTH, 32, "ro", 0, "SC-14", "bit 31: THREAD is faulted; below: entries in its stack", "DEPTH");
  simt_add_field(d, 31, 1, "FAULTED", "the thread is faulted");
  simt_add_field(d, 0, l->count_w, "COUNT", "entries in its stack");
  simt_add_reg(d, SC_REG_ERROR, 32, "rw", 0, "SC-12", "first memory error: 31 valid, 30 write, 29:28 code, 9:0 thread; any write clears it and the count", "ERROR");
  simt_reg_clears(d);
  simt_add_field(d, 31, 1, "VALID", l->status ? "an error is recorded; nack_o shows it" : "an error is recorded");
  simt_add_field(d, 30, 1, "WRITE", "of a write");
  simt_add_field(d, 28, 2, "CODE", "what the memory answered");
  simt_add_field(d, 0, 10, "THREAD", "whose access it was");
  simt_add_reg(d, SC_REG_ERROR_SET, l->set_idx_w, "ro", 0, "SC-12", "set of the first memory error", "ERROR_SET");
  simt_add_reg(d, SC_REG_ERROR_COUNT, 16, "ro", 0, "SC-12", "memory errors since cleared, saturating", "ERROR_COUNT");
  if (l->status) {
    simt_add_reg(d, SC_REG_CONTROL, 1, "rw", 0, "SC-13", "bit 0: 1 flushes, refused while a halt is requested; reads 1 until done, of a halt's flush too", "CONTROL");
    simt_reg_acting_bits(d, 1);
    simt_add_field(d, 0, 1, "FLUSH", "a flush is wanted or under way");
  }
  if (l->status) {
    simt_add_reg(d, SC_REG_HALT_FLUSH, 1, "rw", SC_HALT_FLUSH_RESET, "SC-13", "1: a halt flushes, and a context is saved without entries; 0: a halt is quick, and a context has the entries on chip", "HALT_FLUSH");
    simt_reg_range(d, 0, 1);
  }
  if (l->counters) {
    simt_add_reg(d, SC_REG_COUNTER_CLEAR, 1, "wo", 0, "SC-14", "any write clears the counters", "COUNTER_CLEAR");
    simt_reg_clears(d);
  }
  if (l->counters == 2)
    simt_add_reg(d, SC_REG_DEEPEST_OF, l->count_w, "ro", 0, "SC-14", "most entries that the stack of THREAD held after a push since COUNTER_CLEAR", "DEEPEST_OF");
  add_counters(d, l);
}

static bool resolve(const uint64_t *value, struct simt_desc *d, struct simt_diag *diag) {
  struct sc_layout l;
  sc_layout(value, &l);
  if (l.entries < 2 * l.set) {
    char got[24];
    simt_value_text(&params[ENTRIES], l.entries, got);
    return simt_fail(diag, "ENTRIES", got, "at least 2 x SET = %u entries (one set in use, one being moved)", 2 * l.set);
  }
  if (l.stride_max + l.thread_w > l.addr_w) {
    char got[24];
    simt_value_text(&params[ADDR_W], l.addr_w, got);
    return simt_fail(diag, "ADDR_W", got, "at least %u bits (THREADS regions of MAX_DEPTH entries)", l.stride_max + l.thread_w);
  }
  if (l.status && l.ctx_max > 0xffffff) {
    char got[24];
    simt_value_text(&params[STATUS], l.status, got);
    return simt_fail(diag, "STATUS", got, "none: a context would have %llu words, more than %u; fewer THREADS or ENTRIES", (unsigned long long)l.ctx_max, 0xffffffu);
  }
  add_derived(d, &l);
  add_ports(d, &l);
  add_regs(d, &l);
  sc_add_covers(d, &l);
  return true;
}

const struct simt_block simt_block_stack_cache = {
  .name = "stack_cache",
  .title = "multi-threaded stack cache as a barrel: an operation per cycle, a thread every few cycles",
  .summary =
    "One LIFO per thread group. The top entries of every stack are on chip; sets of older entries are moved to "
    "remote memory before room is short and brought back before they are popped, so that a push or a pop takes one "
    "cycle as if the whole stack were on chip. A thread goes every GAP cycles at most.",
  .params = params,
  .n_params = sizeof params / sizeof *params,
  .resolve = resolve,
  .model = {sc_create, sc_destroy, sc_reset, sc_outputs, sc_step, simt_save, simt_load, sc_stats, sc_parts},
  .notes = sc_notes,
};
