/* SPDX-License-Identifier: Apache-2.0 */
/* block.c: the description of const_cache: parameters, derived values, ports, registers. */
#include "const_cache/cover.h"
#include "const_cache/model.h"
#include "core/context_port.h"
#include "core/unit_status.h"

enum cc_param { PROTOCOL, SMS, CONSTANTS, WORD_W, WRITE_WORDS, L1_ENTRIES, L2_ENTRIES, BACKUP_ENTRIES, BACKUP_WAYS, CODE_FACTOR, READS,
             MISSES, GEN_W, L1_LAT, DROP_REPEATS, STEAL, COUNTERS, ADDR_W, STATUS };

static const char *const protocols[] = {"backup", "shared", "copy", NULL};


static const struct simt_param params[] = {
  [PROTOCOL] = {"PROTOCOL", CC_BACKUP, 0, 2, 0, protocols, "", "backup: old words that are still read are kept beside L2; shared: one version, a write waits until no SM is active; copy: L2 has the oldest version in use, the L1s the newer ones", "CC-4 CC-9 CC-13"},
  [SMS] = {"SMS", 4, 1, 64, 0, NULL, "SMs", "processors, one L1 each", "CC-1"},
  [CONSTANTS] = {"CONSTANTS", 4096, 16, 65536, 0, NULL, "words", "addresses of constants", "CC-2"},
  [WORD_W] = {"WORD_W", 32, 8, 64, SIMT_POW2, NULL, "bits", "width of a constant", "CC-2"},
  [WRITE_WORDS] = {"WRITE_WORDS", 1, 1, 4, SIMT_POW2, NULL, "words", "words of a write and of a line: what is kept, moved and asked of memory as one", "CC-3 CC-4"},
  [L1_ENTRIES] = {"L1_ENTRIES", 256, 4, 4096, SIMT_POW2, NULL, "words", "words of each L1, direct-mapped lines; not given: at most the power of two above CONSTANTS", "CC-3"},
  [L2_ENTRIES] = {"L2_ENTRIES", 1024, 4, 65536, SIMT_POW2, NULL, "words", "words of L2, direct-mapped lines; not given: at most the power of two above CONSTANTS", "CC-3 CC-9"},
  [BACKUP_ENTRIES] = {"BACKUP_ENTRIES", 512, 4, 16384, SIMT_POW2, NULL, "words", "old words that the backup holds (protocol backup); not given: at most as many as SMS, 4 to 16, for every constant", "CC-9 CC-12"},
  [BACKUP_WAYS] = {"BACKUP_WAYS", 4, 1, 16, SIMT_POW2, NULL, "ways", "old words of one set of the backup: versions of one word at once (protocol backup); not given: a power of two, at least SMS up to 16, where that leaves 32 sets or one for every constant", "CC-12"},
  [CODE_FACTOR] = {"CODE_FACTOR", 3, 2, 8, 0, NULL, "", "codes of versions, as a multiple of SMS + 1 (protocol backup)", "CC-11"},
  [READS] = {"READS", 4, 4, 16, SIMT_POW2, NULL, "reads", "reads of one SM under way at a time", "CC-3"},
  [MISSES] = {"MISSES", 8, 2, 64, SIMT_POW2, NULL, "accesses", "accesses to memory under way at a time", "CC-3"},
  [GEN_W] = {"GEN_W", 4, 2, 8, 0, NULL, "bits", "width of the generation of an L1's rows (protocol copy: of an epoch, too)", "CC-3"},
  [L1_LAT] = {"L1_LAT", 3, 2, 3, 0, NULL, "cycles", "from a read taken to its answer, on a hit; 2 compares a row in the cycle in which the RAM gives it", "CC-3"},
  [DROP_REPEATS] = {"DROP_REPEATS", 0, 0, 1, 0, NULL, "", "1: a write that repeats the current value held in L2 is dropped (not with protocol copy)", "CC-10"},
  [STEAL] = {"STEAL", 16, 1, 255, 0, NULL, "cycles", "a walk through an L1 takes a cycle from its SM's reads after so many lost ones (protocol copy)", "CC-7 CC-8"},
  [COUNTERS] = {"COUNTERS", 1, 0, 1, 0, NULL, "", "1: event and wait counters", "CC-16"},
  [ADDR_W] = {"ADDR_W", 32, 16, 64, 0, NULL, "bits", "width of a memory byte address", "CC-3"},
  [STATUS] = {"STATUS", 0, 0, 3, 0, simt_status_choices, "", "unit status, halt and context switch, with this encoding of state_o; none: its ports are idle", "CC-14"},
};

enum { FEWEST_SETS = 32 }; /* with fewer, more ways are slower */

/* What the core's own defaults compute too, each from parameters before it; so it refuses fewer ways alone where the backup would have
 * more sets than constants. One word written in every version needs as many ways as SMs; caches larger than the constants are of no use. */
static void defaults(uint64_t *value, const bool *given) {
  const uint64_t addresses = UINT64_C(1) << simt_clog2(value[CONSTANTS]), fewest = FEWEST_SETS * value[WRITE_WORDS];
  const uint64_t versions = value[SMS] > 8 ? 16 : value[SMS] > 4 ? 8 : 4;
  const uint64_t old = given[BACKUP_WAYS] && value[BACKUP_WAYS] < versions ? value[BACKUP_WAYS] : versions;
  const uint64_t most[] = {addresses, addresses, addresses * old};
  for (unsigned p = L1_ENTRIES; p <= BACKUP_WAYS; p++)
    if (!given[p]) value[p] = params[p].def;
  for (unsigned p = L1_ENTRIES; p <= BACKUP_ENTRIES; p++)
    if (!given[p] && value[p] > most[p - L1_ENTRIES]) value[p] = most[p - L1_ENTRIES];
  while (!given[BACKUP_WAYS] && value[BACKUP_WAYS] < versions &&
         value[BACKUP_ENTRIES] >= 2 * value[BACKUP_WAYS] * (fewest < addresses ? fewest : addresses))
    value[BACKUP_WAYS] *= 2;
}

void cc_layout(const uint64_t *value, struct cc_layout *l) {
  *l = (struct cc_layout){
    .protocol = (unsigned)value[PROTOCOL], .sms = (unsigned)value[SMS], .constants = (unsigned)value[CONSTANTS],
    .word_w = (unsigned)value[WORD_W], .words = (unsigned)value[WRITE_WORDS], .l1_entries = (unsigned)value[L1_ENTRIES],
    .l2_entries = (unsigned)value[L2_ENTRIES], .backup_entries = (unsigned)value[BACKUP_ENTRIES],
    .ways = (unsigned)value[BACKUP_WAYS], .code_factor = (unsigned)value[CODE_FACTOR],
    .reads = (unsigned)value[READS], .misses = (unsigned)value[MISSES], .gen_w = (unsigned)value[GEN_W],
    .l1_lat = (unsigned)value[L1_LAT], .drop_repeats = (unsigned)value[DROP_REPEATS], .steal = (unsigned)value[STEAL], .counters = (unsigned)value[COUNTERS],
    .addr_w = (unsigned)value[ADDR_W], .status = (unsigned)value[STATUS]};
  l->const_w = simt_clog2(l->constants);
  l->sm_w = simt_max1(simt_clog2(l->sms));
  l->codes = l->code_factor * (l->sms + 1);
  l->code_w = simt_clog2(l->codes);
  l->off_w = simt_clog2(l->words);
  l->line_w = l->word_w * l->words;
  l->l1_rows = l->l1_entries / l->words;
  l->l2_rows = l->l2_entries / l->words;
  l->sets = l->backup_entries / l->ways / l->words;
  l->slot_w = simt_clog2(l->reads);
  l->miss_w = simt_clog2(l->misses);
  l->lg = simt_clog2(l->word_w / 8);
  l->init_cycles = l->l1_rows > l->l2_rows ? l->l1_rows : l->l2_rows;
  if (l->protocol == CC_BACKUP && l->sets > l->init_cycles) l->init_cycles = l->sets;
  l->ctx_line = (l->line_w + 31) / 32;
  l->ctx_mask = (l->codes + 31) / 32;
  l->commands = l->protocol == CC_COPY ? 19 : CC_FIFO;
  l->ctx_max = 5 + l->sms + (l->l2_rows + l->commands) * (1 + l->ctx_line);
  if (l->protocol == CC_BACKUP) l->ctx_max += l->sets * l->ways * (1 + l->ctx_mask + l->ctx_line);
  if (l->protocol == CC_COPY) l->ctx_max += l->l1_rows + l->sms * l->l1_rows * (1 + l->ctx_line);
  uint64_t shape[CODE_FACTOR + 2];
  for (unsigned i = 0; i <= CODE_FACTOR; i++) shape[i] = value[i];
  shape[CODE_FACTOR + 1] = value[ADDR_W];
  l->cfg_hash = simt_context_hash(shape, sizeof shape / sizeof *shape);
}

static void add_ports(struct simt_desc *d, const struct cc_layout *l) {
  static const char cmd[] = "command", work[] = "work", read[] = "read", cmdv[] = "cmd_valid_i";
  const enum simt_dir in = SIMT_IN, out = SIMT_OUT;
  simt_add_clock_reset(d);
  simt_add_port(d, in, 1, "", cmd, "A command is offered; commands take effect in the order in which they are taken.", cmdv);
  simt_add_port(d, out, 1, "", cmd, "The command of this cycle is taken.", "cmd_ready_o");
  simt_add_port(d, in, 3, cmdv, cmd, "0 write of a constant, 1 work item, 2 flush, 3 invalidate; 4..7 are errors.", "cmd_kind_i");
  simt_add_port(d, in, l->const_w, cmdv, cmd, "Address of a write, below CONSTANTS, a multiple of WRITE_WORDS.", "cmd_addr_i");
  simt_add_port(d, in, l->line_w, cmdv, cmd, "The constants, the first in the lowest bits; there also a word that goes with a work item to its SM.", "cmd_data_i");
  simt_add_port(d, out, 1, "", cmd, "A flush or an invalidate is complete; one cycle.", "cmd_done_o");
  simt_add_port(d, out, 1, "", work, "An SM gets a work item; it is active until it reports completion.", "work_valid_o");
  simt_add_port(d, out, l->sm_w, "work_valid_o", work, "The SM.", "work_sm_o");
  simt_add_port(d, out, l->word_w, "work_valid_o", work, "The word that came with the work item.", "work_item_o");
  simt_add_port(d, in, l->sms, "", work, "Per SM: completion of its work item is reported.", "done_valid_i");
  simt_add_port(d, out, l->sms, "", work, "Per SM: a completion is taken in this cycle, unless a read of the SM is taken in it.", "done_ready_o");
  simt_port_parts(d, "SM*1");
  simt_add_port(d, in, l->sms, "", read, "Per SM: a read is offered.", "rd_valid_i");
  simt_add_port(d, out, l->sms, "", read, "Per SM: the read of this cycle is taken.", "rd_ready_o");
  simt_port_parts(d, "SM*1");
  simt_add_port(d, in, (uint64_t)l->sms * l->const_w, "", read, "Per SM: address of the read, SM 0 in the lowest bits.", "rd_addr_i");
  simt_add_port(d, out, l->sms, "", read, "Per SM: an answer, in the order of its reads; a hit L1_LAT cycles after its read; no back-pressure.", "rsp_valid_o");
  simt_port_parts(d, "SM*1");
  simt_add_port(d, out, l->sms, "", read, "Per SM: the answer is an error: the SM has no work item, the address is out of range, or memory failed.", "rsp_error_o");
  simt_port_parts(d, "SM*1");
  simt_add_port(d, out, (uint64_t)l->sms * l->word_w, "", read, "Per SM: the constant; 0 where there is no answer or an error.", "rsp_data_o");
  simt_port_parts(d, "SM*%u", l->word_w);
  simt_add_mem_port(d, &(struct simt_mem_widths){.addr_w = l->addr_w, .data_w = l->line_w, .tag_w = l->miss_w});
  simt_add_port(d, out, 1, "", "registers", "An error is recorded in CC_ERROR.", "error_o");
  simt_add_reg_port(d, CC_REG_ADDR_W);
  simt_add_status_ports(d, l->status ? (enum simt_status_encoding)(l->status - 1) : SIMT_ONE_HOT);
  simt_add_context_ports(d);
}

static const struct cc_counter_doc counter_docs[CC_COUNTERS] = {
  [CC_HITS] = {"HITS", "reads that hit in an L1"},
  [CC_MISSES] = {"MISSES", "reads that miss in an L1"},
  [CC_TO_L1] = {"TO_L1", "lines (WRITE_WORDS words) from the controller to an L1"},
  [CC_INVALIDATED] = {"INVALIDATED", "L1s emptied"},
  [CC_WRITES] = {"WRITES", "constant writes that took effect"},
  [CC_WORKS] = {"WORKS", "work items given to an SM"},
  [CC_REPEATS] = {"REPEATS", "writes dropped because they repeat the held value"},
  [CC_SAVED] = {"SAVED", "lines from L2 to the backup"},
  [CC_FILLED] = {"FILLED", "lines from L2, backup or memory to an L1"},
  [CC_MEM_READS] = {"MEM_READS", "lines from memory"},
  [CC_MEM_WRITES] = {"MEM_WRITES", "lines from L2 to memory"},
  [CC_WAIT_SM] = {"WAIT_SM", "cycles in which a work item waits because all SMs are active"},
  [CC_WAIT_ACTIVE] = {"WAIT_ACTIVE", "cycles in which a write (protocol shared), flush or invalidate waits for active SMs"},
  [CC_WAIT_FULL] = {"WAIT_FULL", "cycles in which a write waits for a place in the backup"},
  [CC_WAIT_CODE] = {"WAIT_CODE", "cycles in which a write waits for the code of a version"},
  [CC_WAIT_MEMORY] = {"WAIT_MEMORY", "cycles in which a write waits for memory: an old word, a write-back, another access of its row"},
  [CC_WAIT_SWEEP] = {"WAIT_SWEEP", "cycles in which a work item waits until an L1 is swept"},
}, copy_docs[CC_COUNTERS] = {
  [CC_COPIED] = {"COPIED", "lines from an L1 to another one"},
  [CC_UPDATED] = {"UPDATED", "lines from an L1 to L2"},
  [CC_WAIT_ACTIVE] = {"WAIT_ACTIVE", "cycles in which a write waits for an inactive SM, flush or invalidate for active ones"},
  [CC_WAIT_LOCK] = {"WAIT_LOCK", "cycles in which a write waits because its row is locked for another address"},
  [CC_WAIT_COPY] = {"WAIT_COPY", "cycles in which a command waits for a copy from L1 to L1"},
  [CC_WAIT_SWEEP] = {"WAIT_SWEEP", "cycles in which a command waits until L1s are swept: of one SM, or of all at a wrap of the epochs"},
  [CC_WAIT_UPDATE] = {"WAIT_UPDATE", "cycles in which a command waits for an update of L2, also where a copy waits for its end"},
};

const struct cc_counter_doc *cc_counter_of(const struct cc_layout *l, enum cc_counter place) {
  return l->protocol == CC_COPY && copy_docs[place].name ? &copy_docs[place] : &counter_docs[place];
}

static void add_regs(struct simt_desc *d, const struct cc_layout *l) {
  simt_add_reg(d, CC_REG_ID, 32, "ro", CC_ID, "", "block identification and version", "CC_ID");
  simt_add_reg(d, CC_REG_STATUS, 4, "ro", 0xd, "CC-3 CC-15", "what is under way", "CC_STATUS");
  simt_add_field(d, 0, 1, "IDLE", "each command that was taken has taken effect, and no SM is active; what was written may be in L2 alone");
  simt_add_field(d, 1, 1, "ERROR", "an error is recorded");
  simt_add_field(d, 2, 1, "BASE_FREE", "CC_BASE can be written: no command was taken since reset, or since an invalidate that is complete");
  simt_add_field(d, 3, 1, "MEMORY_IDLE", "no access to memory is under way");
  simt_add_reg(d, CC_REG_BASE_LO, l->addr_w < 32 ? l->addr_w : 32, "rw", 0, "CC-3", "byte address of constant 0, a multiple of the bytes of all constants (a power of two); writable while BASE_FREE", "CC_BASE_LO");
  simt_reg_zero_bits(d, (uint32_t)(1u << (l->const_w + l->lg)) - 1);
  if (l->addr_w > 32) simt_add_reg(d, CC_REG_BASE_HI, l->addr_w - 32, "rw", 0, "CC-3", "upper bits of CC_BASE_LO", "CC_BASE_HI");
  simt_add_reg(d, CC_REG_ERROR, CC_ERRORS, "w1c", 0, "CC-15", "what went wrong, sticky; writing 1 clears a bit; nack_o (STATUS): one of bits 5 to 7 is set", "CC_ERROR");
  static const struct { const char *name, *doc; } error[CC_ERRORS] = {
    {"WRITE_ADDR", "a write to an address out of range, or not a multiple of WRITE_WORDS; nothing was written"},
    {"COMMAND", "an unknown command; it was dropped"},
    {"DONE", "completion from an SM without a work item"},
    {"READ_SM", "a read from an SM without a work item"},
    {"READ_ADDR", "a read of an address out of range"},
    {"READ_FAILED", "memory failed on a read; the SM got an error"},
    {"OLD_FAILED", "memory failed on an old word that active SMs need; their reads of it answer an error"},
    {"WRITE_FAILED", "memory failed on a write-back; the word is lost"},
    {"UNASKED", "an answer of memory that nobody asked for"}};
  for (unsigned i = 0; i < CC_ERRORS; i++) simt_add_field(d, i, 1, error[i].name, error[i].doc);
  simt_add_reg(d, CC_REG_FAILED, l->const_w, "ro", 0, "CC-15", "first constant of the line of the first OLD_FAILED or WRITE_FAILED; valid while one of them is set", "CC_FAILED");
  const bool shared = l->protocol == CC_SHARED;
  const unsigned versions_w = shared ? 1 : simt_clog2(l->sms + 1);
  const unsigned entries_w = simt_clog2(l->protocol == CC_COPY ? l->l1_rows : l->sets * l->ways) + 1;
  simt_add_reg(d, CC_REG_VERSIONS, versions_w, "ro", 0, "CC-16", "versions that active SMs use, counted over all SMs in turn", "CC_VERSIONS");
  simt_add_reg(d, CC_REG_VERSIONS_MOST, versions_w, "ro", 0, "CC-16", "most of them since reset or CC_CLEAR", "CC_VERSIONS_MOST");
  if (!shared) {
    simt_add_reg(d, CC_REG_ENTRIES, entries_w, "ro", 0, "CC-16", l->protocol == CC_COPY ? "rows of an L1 that are locked" : "lines in the backup", "CC_ENTRIES");
    simt_add_reg(d, CC_REG_ENTRIES_MOST, entries_w, "ro", 0, "CC-16", "most of them since reset or CC_CLEAR", "CC_ENTRIES_MOST");
  }
  if (!l->counters) return;
  simt_add_reg(d, CC_REG_CLEAR, 1, "wo", 0, "CC-16", "any write clears the counters and the two high-water marks", "CC_CLEAR");
  simt_reg_clears(d);
  for (unsigned i = 0; i < CC_COUNTERS; i++) {
    const struct cc_counter_doc *c = cc_counter_of(l, (enum cc_counter)i);
    simt_add_reg(d, CC_REG_COUNTER + 8 * i, 32, "ro", 0, "CC-16", c->doc, "CC_%s_LO", c->name);
    simt_add_reg(d, CC_REG_COUNTER + 8 * i + 4, 16, "ro", 0, "CC-16", "upper bits, latched by reading _LO", "CC_%s_HI", c->name);
  }
}

static bool refuse(struct simt_diag *diag, enum cc_param p, uint64_t value, const char *expected, unsigned bound) {
  char got[24];
  return simt_fail(diag, params[p].name, simt_value_text(&params[p], value, got), expected, bound);
}

static bool resolve(const uint64_t *value, struct simt_desc *d, struct simt_diag *diag) {
  struct cc_layout l;
  cc_layout(value, &l);
  const unsigned addresses = 1u << l.const_w;
  if (l.l1_entries > addresses) return refuse(diag, L1_ENTRIES, l.l1_entries, "at most %u words (CONSTANTS, rounded up to a power of two)", addresses);
  if (l.l2_entries > addresses) return refuse(diag, L2_ENTRIES, l.l2_entries, "at most %u words (CONSTANTS, rounded up to a power of two)", addresses);
  if (l.constants % l.words) return refuse(diag, CONSTANTS, l.constants, "a multiple of WRITE_WORDS (%u)", l.words);
  if (l.l1_rows < 4) return refuse(diag, L1_ENTRIES, l.l1_entries, "at least %u words (four lines of WRITE_WORDS)", 4 * l.words);
  if (l.l2_rows < 4) return refuse(diag, L2_ENTRIES, l.l2_entries, "at least %u words (four lines of WRITE_WORDS)", 4 * l.words);
  if (l.sets < 2) return refuse(diag, BACKUP_ENTRIES, l.backup_entries, "at least 2 x BACKUP_WAYS x WRITE_WORDS = %u words (two sets)", 2 * l.ways * l.words);
  if (l.protocol == CC_BACKUP && l.sets > addresses / l.words) return refuse(diag, BACKUP_ENTRIES, l.backup_entries, "at most %u words (a set for every constant)", addresses * l.ways);
  if (l.protocol == CC_COPY && l.drop_repeats) return refuse(diag, DROP_REPEATS, 1, "0 with PROTOCOL copy (%u): L2 does not hold the current value", l.protocol);
  if (l.addr_w <= l.const_w + l.lg) return refuse(diag, ADDR_W, l.addr_w, "at least %u bits (twice the bytes of all constants)", l.const_w + l.lg + 1);
  simt_add_derived(d, "CONST_W", l.const_w, true, "bits", "width of a constant's address");
  simt_add_derived(d, "LINE_W", l.line_w, true, "bits", "width of a write, of a line and of the memory port");
  simt_add_derived(d, "SM_W", l.sm_w, true, "bits", "width of an SM's number");
  simt_add_derived(d, "CODES", l.codes, true, "codes", "codes of versions: bits of a mask in the backup");
  simt_add_derived(d, "SETS", l.sets, true, "sets", "sets of the backup");
  simt_add_derived(d, "INIT_CYCLES", l.init_cycles, true, "cycles", "rows that a reset clears, one a cycle: the first command is taken INIT_CYCLES + 2 cycles after it");
  simt_add_derived(d, "CTX_MAX", l.ctx_max, true, "words", "words of a context (STATUS)");
  simt_add_derived(d, "HALT_OWN", cc_halt_own(&l), false, "cycles", "from a halt request to halted, at most, but for accesses to memory and reads that are unanswered (STATUS)");
  simt_add_derived(d, "RESET_OWN", cc_reset_own(&l), false, "cycles", "from cmd_reset_i to halted or the first command taken, at most, with no read unanswered, but for accesses to memory (STATUS)");
  add_ports(d, &l);
  add_regs(d, &l);
  cc_add_covers(d, &l);
  return true;
}

const struct simt_block simt_block_const_cache = {
  .name = "const_cache",
  .title = "constants in several versions at once: an L1 for each SM, a shared L2, a backup of old words",
  .summary =
    "Constants change between pieces of work. Every work item reads the constants as they were at its place in the command "
    "stream, whatever was written since, so that the controller hardly ever waits for processors to be idle. Protocol backup: L2 "
    "holds the current version, the backup the older words that active processors still need. Protocol copy: L2 holds the oldest "
    "version in use, the L1s what is newer.",
  .params = params,
  .n_params = sizeof params / sizeof *params,
  .defaults = defaults,
  .resolve = resolve,
  .model = {cc_create, cc_destroy, cc_reset, cc_outputs, cc_step, simt_save, simt_load, cc_stats, cc_parts},
  .notes = cc_notes,
};
