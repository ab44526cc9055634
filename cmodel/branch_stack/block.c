/* SPDX-License-Identifier: Apache-2.0 */
/* block.c: the description of branch_stack: the unit and the stack as one block. What either part says about its
 * parameters, ports and registers is taken from it and not repeated. */
#include "branch_stack/parts.h"

#include <string.h>

#include "branch_unit/cover.h"
#include "core/context_port.h"
#include "core/parts.h"

extern const struct simt_block simt_block_branch_unit, simt_block_stack_cache;
static const char *const uses[] = {"branch_unit", "stack_cache", NULL};

static const struct simt_block *block_of(enum bs_part part) { return part == BS_UNIT ? &simt_block_branch_unit : &simt_block_stack_cache; }

/* Where the range, default and meaning of each parameter are written. Other parameters of the parts keep their
 * defaults, the unit's latency that of the stack. */
#define UNIT(name) {&simt_block_branch_unit, name, NULL}
#define STACK(name) {&simt_block_stack_cache, name, NULL}
static const struct simt_origin origins[] = {
  UNIT("THREADS"), UNIT("LANES"), UNIT("ENTRY_W"), UNIT("MAX_DEPTH"), STACK("ENTRIES"), STACK("SET"), STACK("POLICY"), STACK("FLAGS"),
  STACK("OUT_REG"), STACK("MEM_W"), STACK("COUNTERS"), STACK("INFLIGHT"), STACK("STEAL"), STACK("ADDR_W"), UNIT("STATUS")};
enum { PARAMS = sizeof origins / sizeof *origins };
enum { UNIT_SEES_HALT = 2 }; /* cycles until the unit has seen that its stack is halted */

bool bs_resolve_parts(const uint64_t *value, struct simt_config part[BS_PARTS], struct simt_diag *diag) {
  for (int p = BS_PARTS; p--;) { /* the stack first: its latency is a parameter of the unit */
    simt_config_init(&part[p], block_of(p));
    for (unsigned i = 0; i < PARAMS; i++) {
      int at = simt_param_index(&part[p], origins[i].name);
      if (at >= 0) part[p].value[at] = value[i];
    }
    if (p == BS_UNIT) part[p].value[simt_param_index(&part[p], "STACK_LATENCY")] = simt_derived(&part[BS_STACK], "LATENCY");
    if (!simt_resolve(&part[p], diag)) return false;
  }
  return true;
}

const struct simt_port *bs_partner(const struct simt_config part[BS_PARTS], enum bs_part of, const struct simt_port *p) {
  char name[SIMT_NAME_MAX];
  size_t len = strlen(p->name);
  memcpy(name, p->name, len + 1);
  name[len - 1] = p->dir == SIMT_IN ? 'o' : 'i';
  return simt_find_port(&part[of == BS_UNIT ? BS_STACK : BS_UNIT], name);
}

bool bs_outside(const struct simt_config part[BS_PARTS], enum bs_part of, const struct simt_port *p) {
  bool status = !strcmp(p->group, "status") || !strcmp(p->group, "context"); /* the stack's are inside */
  return p->role == SIMT_DATA && strcmp(p->group, "registers") && !(status && of == BS_STACK) && !bs_partner(part, of, p);
}

uint32_t bs_context_hash(const struct simt_config part[BS_PARTS]) {
  const struct simt_config *u = &part[BS_UNIT], *s = &part[BS_STACK];
  struct bu_layout l;
  bu_layout(u->value, &l);
  const uint64_t shape[] = {simt_param(u, "THREADS"), simt_param(u, "LANES"), simt_param(u, "ENTRY_W"),
                            simt_param(u, "MAX_DEPTH"), simt_param(s, "ENTRIES"), simt_param(s, "SET"),
                            simt_param(s, "POLICY"), simt_param(s, "FLAGS"), simt_param(s, "INFLIGHT"),
                            simt_param(s, "ADDR_W"), l.ring};
  return simt_context_hash(shape, sizeof shape / sizeof *shape);
}

uint64_t bs_context_max(const struct simt_config part[BS_PARTS]) {
  return simt_derived(&part[BS_UNIT], "CTX_MAX") + simt_derived(&part[BS_STACK], "CTX_MAX");
}

static void add_ports(struct simt_desc *d, const struct simt_config part[BS_PARTS]) {
  simt_add_clock_reset(d);
  for (int of = 0; of < BS_PARTS; of++)
    for (size_t i = 0; i < part[of].desc.n_ports; i++) {
      const struct simt_port *p = &part[of].desc.ports[i];
      if (!bs_outside(part, of, p)) continue;
      simt_add_port_like(d, p);
    }
  simt_add_reg_port(d, BS_REG_ADDR_W);
}

static void add_derived(struct simt_desc *d, const struct simt_config part[BS_PARTS]) {
  const struct simt_config *unit = &part[BS_UNIT], *stack = &part[BS_STACK];
  simt_add_derived(d, "THREAD_W", simt_derived(unit, "THREAD_W"), true, "bits", "width of a group number");
  simt_add_derived(d, "PC_W", simt_derived(unit, "PC_W"), false, "bits", "width of a program counter");
  simt_add_derived(d, "SET_BYTES", simt_derived(stack, "SET_BYTES"), false, "bytes", "bytes of a set in memory");
  simt_add_derived(d, "TAG_W", simt_derived(stack, "TAG_W"), true, "bits", "width of a memory tag");
  simt_add_derived(d, "STACK_LATENCY", simt_derived(stack, "LATENCY"), true, "cycles", "from an operation of the stack to its answer");
  simt_add_derived(d, "LATENCY", simt_derived(unit, "LATENCY"), false, "cycles", "from an instruction taken to its result, one operation and no wait");
  simt_add_derived(d, "ROUND", simt_derived(unit, "ROUND"), false, "cycles", "until an operation that is not taken, or the second of an instruction, is presented; as many may wait");
  simt_add_derived(d, "STRIDE_MAX", simt_derived(stack, "STRIDE_MAX"), false, "log2 bytes", "largest and reset value of STRIDE_LG: a region of MAX_DEPTH entries");
  simt_add_derived(d, "MEM_BEATS", simt_derived(stack, "MEM_BEATS"), false, "beats", "of a set on the memory port");
  simt_add_derived(d, "CTX_MAX", bs_context_max(part), true, "words", "most words of a context (STATUS)");
  simt_add_derived(d, "HALT_OWN", simt_derived(stack, "HALT_OWN") + UNIT_SEES_HALT, false, "cycles", "from the later of a halt request and the last memory answer to halted, at most, without HALT_FLUSH (STATUS)");
  simt_add_derived(d, "FLUSH_OWN", simt_derived(stack, "FLUSH_OWN") + UNIT_SEES_HALT, false, "cycles", "the same with HALT_FLUSH (STATUS)");
  simt_add_derived(d, "STORAGE_BITS", simt_derived(stack, "STORAGE_BITS"), false, "bits", "stack entries on chip");
}

static bool resolve(const uint64_t *value, struct simt_desc *d, struct simt_diag *diag) {
  struct simt_config part[BS_PARTS];
  memset(part, 0, sizeof part);
  bool good = bs_resolve_parts(value, part, diag);
  if (good) {
    struct bu_layout l;
    bu_layout(part[BS_UNIT].value, &l);
    l.alone = false;
    add_derived(d, part);
    add_ports(d, part);
    simt_add_regs_of(d, &part[BS_STACK], 0);
    simt_add_regs_of(d, &part[BS_UNIT], BS_REG_UNIT);
    bu_add_covers(d, &l);
  }
  for (int p = 0; p < BS_PARTS; p++) simt_config_free(&part[p]);
  return good;
}

const struct simt_block simt_block_branch_stack = {
  .name = "branch_stack",
  .title = "branch unit and its stacks: divergent control flow of SIMT thread groups",
  .summary =
    "A branch_unit that drives a stack_cache: active masks, program counters and stacks of many thread groups in one block. "
    "Instructions go in, masks and program counters come out; the deeper parts of the stacks lie in remote memory.",
  .origins = origins,
  .n_params = PARAMS,
  .resolve = resolve,
  .model = {bs_create, bs_destroy, bs_reset, bs_outputs, bs_step, simt_save, simt_load, bs_stats, bs_parts},
  .uses = uses,
};
