/* SPDX-License-Identifier: Apache-2.0 */
/* block.c: the description of atomic_system: N caches and their home as one block. What a part says about its
 * parameters and ports is taken from it. */
#include <stdlib.h>
#include <string.h>

#include "atomic_merge/layout.h"
#include "atomic_system/parts.h"
#include "core/context_port.h"
#include "core/unit_status.h"

extern const struct simt_block simt_block_atomic_merge, simt_block_line_home;
static const char *const uses[] = {"atomic_merge", "line_home", NULL};

static const struct simt_param own[] = {
  {"STAGES", 0, 0, AS_MAX_STAGES, 0, NULL, "cycles", "register stages on each channel between a cache and the home, each way", "AM-15"},
  {"STATUS", 0, 0, 3, 0, simt_status_choices, "", "unit status, halt, reset, save and load of caches and home as one unit, with this encoding of state_o; none: its ports are idle", "AM-17"}};
#define HOME(name) {&simt_block_line_home, name, NULL}
#define CACHE(name) {&simt_block_atomic_merge, name, NULL}
/* The home's and the caches' parameters, each name once; those that both have are the same. */
static const struct simt_origin origins[] = {
  HOME("CACHES"), HOME("HOME_ENTRIES"), HOME("MEM_SLOTS"),
  CACHE("LINE_BYTES"), CACHE("LINES"), CACHE("WAYS"),
  CACHE("QUEUE"), CACHE("STALL_BUF"), CACHE("MERGE_LANES"),
  CACHE("MISSES"), CACHE("MAX_TEMPS"), CACHE("OLD_LINES"),
  CACHE("TID_W"), CACHE("ADDR_W"), CACHE("WIDE_ATOMICS"),
  CACHE("ATOMIC_ADD"), CACHE("ATOMIC_AND"), CACHE("ATOMIC_OR"),
  CACHE("ATOMIC_XOR"), CACHE("ATOMIC_MIN"), CACHE("ATOMIC_MAX"),
  CACHE("ATOMIC_SWAP"), CACHE("ATOMIC_CAS"),
  CACHE("ATOMIC_SAT"), CACHE("ATOMIC_WRAP"), CACHE("ATOMIC_MOD"),
  CACHE("ATOMIC_MUL"), CACHE("ATOMIC_FADD"), CACHE("ATOMIC_FMUL"),
  CACHE("ATOMIC_FMIN"), CACHE("ATOMIC_FMAX"), CACHE("FLOAT_MERGE"),
  CACHE("OP_STAGES"), CACHE("BIG_ENDIAN"), CACHE("TID_CHECK"),
  CACHE("WITNESS"),
  {NULL, "STAGES", &own[0]}, {NULL, "STATUS", &own[1]}};
enum { PARAMS = sizeof origins / sizeof *origins, ORIGINS = PARAMS - 2, STAGES = ORIGINS, STATUS };

unsigned as_caches(const struct simt_config *cfg) { return (unsigned)cfg->value[0]; }
unsigned as_stages(const struct simt_config *cfg) { return (unsigned)cfg->value[STAGES]; }
unsigned as_status(const struct simt_config *cfg) { return (unsigned)cfg->value[STATUS]; }

static bool resolve_part(const uint64_t *value, const struct simt_block *block, struct simt_config *part, struct simt_diag *diag) {
  simt_config_init(part, block);
  for (unsigned i = 0; i < ORIGINS; i++) {
    const int at = simt_param_index(part, origins[i].name);
    if (at >= 0) part->value[at] = value[i];
  }
  const int status = simt_param_index(part, "STATUS"); /* of a cache: the state is looked at as one_hot */
  if (status >= 0) part->value[status] = value[STATUS] ? 1 + SIMT_ONE_HOT : 0;
  return simt_resolve(part, diag);
}

bool as_resolve_cache(const uint64_t *value, struct simt_config *cache, struct simt_diag *diag) {
  return resolve_part(value, &simt_block_atomic_merge, cache, diag);
}

bool as_resolve_home(const uint64_t *value, struct simt_config *home, struct simt_diag *diag) {
  return resolve_part(value, &simt_block_line_home, home, diag);
}

/* Channels between the parts, and the register, status and context ports of the caches, which nobody asks. */
bool as_is_inside(const struct simt_port *p) {
  static const char *const inside[] = {"registers", "status", "context", "fetch", "home", "release"};
  for (size_t i = 0; i < sizeof inside / sizeof *inside; i++)
    if (!strcmp(p->group, inside[i])) return true;
  return false;
}

static void add_ports(struct simt_desc *d, const struct simt_config *cache, const struct simt_config *home, unsigned caches) {
  simt_add_clock_reset(d);
  for (size_t i = 0; i < cache->desc.n_ports; i++) {
    const struct simt_port *p = &cache->desc.ports[i];
    if (p->role != SIMT_DATA || as_is_inside(p)) continue;
    simt_add_port(d, p->dir, (uint64_t)caches * p->width, "", p->group, p->doc, "%s", p->name);
    simt_port_parts(d, "cache*%u", p->width);
  }
  for (size_t i = 0; i < home->desc.n_ports; i++) {
    const struct simt_port *p = &home->desc.ports[i];
    if (p->role != SIMT_DATA || as_is_inside(p)) continue;
    if (!strcmp(p->group, "errors")) simt_add_port(d, p->dir, p->width, p->valid, "home errors", p->doc, "home_%s", p->name);
    else simt_add_port_like(d, p);
  }
}

static void add_unit_ports(struct simt_desc *d, unsigned status) {
  simt_add_port(d, SIMT_OUT, 1, "", "status",
                "Nothing is on its way between the caches, the home and memory, and memory owes no answer. In or behind the cycle in which a flush is answered: memory has acknowledged "
                "every line that the flush released. It says so for all caches together, so it stays 0 while one of them fetches or releases lines.", "idle_o");
  simt_add_status_ports(d, status ? (enum simt_status_encoding)(status - 1) : SIMT_ONE_HOT);
  simt_add_context_ports(d);
  simt_add_reg_port(d, AS_REG_ADDR_W);
  simt_add_reg(d, AS_REG_ID, 32, "ro", AS_ID, "", "block identification and version", "AS_ID");
  if (!status) return;
  simt_add_reg(d, AS_REG_NACK, 1, "wo", 0, "AM-17", "any write sets nack_o to 0", "AS_NACK_CLEAR");
  simt_reg_clears(d);
}

/* As docs/line_home.md derives it: all that may be left to do, one after the other. */
static unsigned as_halt_own(const struct simt_config *cache, unsigned caches, unsigned stages) {
  struct am_layout l;
  am_layout(cache->value, &l);
  const unsigned fetches = l.misses + l.queue, lines = l.lines + fetches;
  const unsigned arrivals = fetches * am_arrival_own(&l) + (l.stall_buf + l.queue) * am_waits_own(&l), snoops = lines * (12 + l.beats);
  const unsigned travels = fetches * (stages + 12) + (lines + fetches) * (stages + l.beats + 6) + lines * (stages + l.beats + 8);
  return caches * ((unsigned)simt_derived(cache, "HALT_OWN") + arrivals + snoops + travels) + 16;
}

static void add_covers(struct simt_desc *d, unsigned caches, unsigned status) {
  static const struct { const char *req, *doc, *name; } point[AS_COVERS] = {
    [AS_COVER_MERGE] = {"AM-8", "A temporary line is merged.", "merge"},
    [AS_COVER_JOIN] = {"AM-7", "An atomic joins a temporary line.", "join"},
    [AS_COVER_IN_PLACE] = {"AM-3", "A request is performed at its line.", "in_place"},
    [AS_COVER_REFUSED] = {"AM-16", "A request is refused.", "refused"},
    [AS_COVER_FENCE] = {"AM-2", "A fence is answered.", "fence"},
    [AS_COVER_FLUSH] = {"AM-2", "A flush is answered.", "flush"},
    [AS_COVER_FAILED] = {"AM-16", "A request gets the error of its fetch.", "failed"},
    [AS_COVER_MEMORY] = {"AM-15", "After a flush of all caches memory is what the serial order gives.", "memory"},
    [AS_COVER_RESET] = {"AM-14", "rst_i in mid-run.", "reset"},
    [AS_COVER_SHARED] = {"AM-15", "A line is used by one cache after another.", "shared"},
    [AS_COVER_PAIR] = {"AM-8", "Two caches merge atomics into one line, one after the other.", "merged_by_two"},
    [AS_COVER_HALTED] = {"AM-17", "Halted, and memory is what the serial order gives.", "halted"},
    [AS_COVER_DRAINED] = {"AM-17", "Four requests or more that a halt request finds are answered before the system is halted.", "drained"},
    [AS_COVER_UNIT_RESET] = {"AM-17", "A reset of the unit while accesses to memory are open.", "reset_with_access"},
    [AS_COVER_NACK] = {"AM-17 US-3", "A failed access sets nack_o, and a write of AS_NACK_CLEAR takes it back.", "nack_cleared"},
    [AS_COVER_LOADED] = {"AM-17 US-9", "A context is loaded.", "loaded"},
    [AS_COVER_SAVED_AGAIN] = {"AM-17 US-9", "A save right behind a load gives the same stream.", "saved_again"},
    [AS_COVER_REFUSED_HEADER] = {"AM-17 US-9", "A context is refused for its header, and the system stays as it is.", "refused_header"},
    [AS_COVER_REFUSED_PAYLOAD] = {"AM-17 US-9", "A context is refused behind its header, and the system is cleared.", "refused_payload"},
    [AS_COVER_BROKEN] = {"AM-17 US-9", "A reset or release in the middle of a save or load.", "broken_off"},
    [AS_COVER_GOES_ON] = {"AM-17 US-9", "Requests are lost behind a load, and the count of the context goes on.", "count_goes_on"}};
  for (unsigned i = 0; i < AS_COVERS; i++)
    if (as_cover_possible(caches, status, (enum as_cover)i)) simt_add_cover(d, point[i].req, point[i].doc, "%s", point[i].name);
}

static bool resolve(const uint64_t *value, struct simt_desc *d, struct simt_diag *diag) {
  struct simt_config cache, home;
  memset(&cache, 0, sizeof cache);
  memset(&home, 0, sizeof home);
  const bool good = as_resolve_cache(value, &cache, diag) && as_resolve_home(value, &home, diag);
  if (good) {
    const unsigned caches = (unsigned)value[0];
    const uint64_t lines = caches * simt_param(&cache, "LINES"), entries = simt_param(&home, "HOME_ENTRIES");
    static const char *const shown[] = {"LINE_AW", "BEATS", "TEMPS"};
    static const char *const rates[] = {"LATENCY", "RATE", "GAP", "GAP_CHOICE", "GAP_UNIT", "MERGE_CYCLES", "MERGE_MODULO", "MERGE_ITEMS",
                                        "RELEASE_CYCLES", "RELEASE_MODULO", "RELEASE_ITEMS"};
    for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
      const struct simt_derived *v = simt_find_derived(&cache, shown[i]);
      simt_add_derived(d, v->name, v->value, true, v->unit, v->doc);
    }
    for (size_t i = 0; i < sizeof rates / sizeof *rates; i++) { /* of a cache; some only with the operations that they are of */
      const struct simt_derived *v = simt_find_derived(&cache, rates[i]);
      if (v) simt_add_derived(d, v->name, v->value, false, v->unit, v->doc);
    }
    simt_add_derived(d, "GRANT_CYCLES", simt_derived(&home, "GRANT_CYCLES"), false, "cycles", "in the home, from the last beat of a release to the next owner's first beat, nothing in front; each of the two ways beside takes STAGES");
    struct am_layout layout;
    am_layout(cache.value, &layout);
    am_warn_queue(d, &layout);
    simt_add_derived(d, "MEM_TAG_W", simt_derived(&home, "TAG_W"), true, "bits", "width of a memory tag");
    if (entries < 2 * lines)
      simt_warn(d, "HOME_ENTRIES = %u: less than twice what the caches hold (%u lines); the home may recall lines", (unsigned)entries, (unsigned)lines);
    const unsigned record = as_record_words((unsigned)simt_derived(&cache, "LINE_AW"));
    simt_add_derived(d, "CTX_MAX", as_records(caches) * record, true, "words", "words of a context (STATUS)");
    if (value[STATUS])
      simt_add_derived(d, "HALT_OWN", as_halt_own(&cache, caches, (unsigned)value[STAGES]), false, "cycles", "from a halt request to halted at most, not counting cycles in which memory owes an answer or does not take a request, or an answer is offered and not taken, nor those in which the directory or the table of thread ids is cleared behind a reset");
    add_ports(d, &cache, &home, caches);
    add_unit_ports(d, (unsigned)value[STATUS]);
    add_covers(d, caches, (unsigned)value[STATUS]);
  }
  simt_config_free(&cache);
  simt_config_free(&home);
  return good;
}

static const struct simt_note notes[] = {
  {"What it is for",
   "Measuring: N caches and a home as one block, so that programs of many caches run in one model or simulation. `STAGES` is the distance "
   "between a cache and the home. Place i of each vector belongs to cache i, 0 in the lowest bits; what has a valid in a cache is 0 while that is 0. `WITNESS` reports what each cache performs, for a checker."},
  {"As a unit of a front end",
   "With `STATUS` caches and home report one state and take one halt, reset and resume. Under a halt no request is accepted; what was accepted is finished and answered, all lines "
   "go back to memory, and the system is halted within `HALT_OWN` cycles beside those in which memory or the taker of answers is waited for: keep serving both. The caches are empty behind the release. A context is what was lost: "
   "the home's bad releases, its lost lines, then each cache's requests, a record each: a word with the count in bits 15 to 0, `unasked_o` in bit 16 of a cache's and `nack_o` in bit 17 of the first, then the line, two words "
   "where line addresses have more than 32 bits. Memory is no part of it. A reset clears caches and home, and what was changed in lines that are in caches is lost; accesses to memory "
   "that are open end first. `nack_o`: memory answered with an error; until a write of `AS_NACK_CLEAR` or a reset."},
  {NULL, NULL}};

const struct simt_block simt_block_atomic_system = {
  .name = "atomic_system",
  .title = "caches that merge atomics, and their home",
  .summary = "1 to 64 atomic_merge around one line_home, with register stages between them as their distance: for measuring how lines travel.",
  .origins = origins,
  .n_params = PARAMS,
  .resolve = resolve,
  .model = {as_create, as_destroy, as_reset, as_outputs, as_step, simt_save, simt_load, as_stats, as_parts},
  .uses = uses,
  .notes = notes,
};
