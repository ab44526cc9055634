/* SPDX-License-Identifier: Apache-2.0 */
/* block.c: the description of the system: branch_stacks, the memory of each switch domain behind an arbiter, all of them units
 * of one front end. What a part says about its ports is taken from it. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/image.h"
#include "core/topology.h"
#include "tree_system/tree_system.h"
#include "core/unit_status.h"

extern const struct simt_block simt_block_branch_stack, simt_block_branch_unit, simt_block_stack_cache, simt_block_front_end,
    simt_block_context_hub, simt_block_mem_arbiter;
static const char *const uses[] = {"branch_stack", "branch_unit", "stack_cache", "front_end", "status_tree",
                                   "front_end_monitor", "context_hub", "mem_arbiter", NULL};

/* Parameters of a branch_stack that the system has too: the first ones are those of its unit. */
static const char *const of_stack[] = {"THREADS", "LANES", "ENTRY_W", "MAX_DEPTH", "ENTRIES", "SET", "INFLIGHT"};
enum { OWN = 4, OF_UNIT = 4, OF_STACK = sizeof of_stack / sizeof *of_stack, PARAMS = OWN + OF_STACK + 1 };
static struct simt_param params[PARAMS] = {
  {.name = "STACKS", .def = 4, .min = 2, .max = TS_STACKS_MOST, .unit = "units",
   .doc = "Stacks with their branch units.", .req = "US-13"},
  {.name = "DOMAINS", .def = 1, .min = 1, .max = TS_DOMAINS_MOST, .unit = "domains",
   .doc = "Switch domains, each with an arbiter and its share of the stacks.", .req = "US-8"},
  SIMT_COMMANDS_PARAM,
  SIMT_ENCODING_PARAM,
};

/* Before main, because a constant table cannot take its entries from another constant table. */
__attribute__((constructor)) static void take_params(void) {
  const struct simt_block *const from[] = {&simt_block_branch_unit, &simt_block_stack_cache};
  for (unsigned i = 0; i < OF_STACK; i++)
    for (size_t k = 0; k < from[i >= OF_UNIT]->n_params; k++)
      if (!strcmp(from[i >= OF_UNIT]->params[k].name, of_stack[i])) params[OWN + i] = from[i >= OF_UNIT]->params[k];
  for (size_t k = 0; k < simt_block_context_hub.n_params; k++)
    if (!strcmp(simt_block_context_hub.params[k].name, "INFLIGHT")) params[PARAMS - 1] = simt_block_context_hub.params[k];
  params[PARAMS - 1].name = "HUB_INFLIGHT"; /* the stacks have an INFLIGHT of their own */
}

static void set(struct simt_config *cfg, const char *name, uint64_t value) { cfg->value[simt_param_index(cfg, name)] = value; }

static bool make_stack(const struct simt_config *whole, const struct ts_system *s, struct simt_config *stack, struct simt_diag *diag) {
  simt_config_init(stack, &simt_block_branch_stack);
  for (unsigned i = 0; i < OF_STACK; i++) set(stack, of_stack[i], simt_param(whole, of_stack[i]));
  set(stack, "STATUS", s->encoding + 1);
  return simt_resolve(stack, diag);
}

static bool make_arbiter(const struct ts_system *s, struct simt_config *arbiter, struct simt_diag *diag) {
  const struct simt_config *stack = &s->part[0];
  simt_config_init(arbiter, &simt_block_mem_arbiter);
  set(arbiter, "CLIENTS", s->each);
  set(arbiter, "TAG_W", simt_find_port(stack, "mem_req_tag_o")->width);
  set(arbiter, "ADDR_W", simt_find_port(stack, "mem_req_addr_o")->width);
  set(arbiter, "DATA_W", simt_find_port(stack, "mem_req_data_o")->width);
  set(arbiter, "ENCODING", s->encoding);
  return simt_resolve(arbiter, diag);
}

static bool make_front_end(const struct simt_config *whole, const struct ts_system *s, struct simt_config *front,
                           struct simt_diag *diag) {
  const unsigned bytes = simt_clog2(4 * (simt_derived(&s->part[0], "CTX_MAX") + 5)), least = 13;
  simt_config_init(front, &simt_block_front_end);
  set(front, "UNITS", s->units);
  set(front, "DOMAINS", s->domains);
  set(front, "COMMANDS", simt_param(whole, "COMMANDS"));
  set(front, "ENCODING", s->encoding);
  set(front, "INFLIGHT", simt_param(whole, "HUB_INFLIGHT"));
  set(front, "CTX_STRIDE_LG", bytes > least ? bytes : least);
  return simt_resolve(front, diag);
}

bool ts_make(const struct simt_config *whole, struct ts_system *s, struct simt_diag *diag) {
  static const unsigned width[] = {5, 4, 3};
  memset(s, 0, sizeof *s);
  s->stacks = (unsigned)simt_param(whole, "STACKS");
  s->domains = (unsigned)simt_param(whole, "DOMAINS");
  s->encoding = (unsigned)simt_param(whole, "ENCODING");
  s->state_w = width[s->encoding];
  if (s->stacks % s->domains || s->stacks / s->domains < 2)
    return simt_fail(diag, "DOMAINS", "", "a divisor of STACKS that leaves each domain two stacks or more");
  s->each = s->stacks / s->domains;
  s->units = s->stacks + s->domains;
  s->parts = s->units + 1;
  for (unsigned i = 0; i < s->stacks; i++)
    if (!make_stack(whole, s, &s->part[i], diag)) return false;
  for (unsigned i = s->stacks; i < s->units; i++)
    if (!make_arbiter(s, &s->part[i], diag)) return false;
  return make_front_end(whole, s, &s->part[s->units], diag);
}

void ts_free(struct ts_system *s) {
  for (unsigned i = 0; i < TS_PARTS_MOST; i++)
    if (s->part[i].block) simt_config_free(&s->part[i]);
}

bool ts_outer(enum ts_kind k, const struct simt_port *p, char name[SIMT_NAME_MAX]) {
  static const char prefix[] = "smf";
  bool memory = !strcmp(p->group, "memory"), units = !strcmp(p->group, "status") || !strcmp(p->group, "context");
  bool shown = !strcmp(p->name, "unit_halt_o") || !strcmp(p->name, "unit_reset_o");
  if (p->role != SIMT_DATA || units) return false;
  if (k == TS_STACK && memory) return false;
  if (k == TS_ARBITER && !memory) return false;
  if (k == TS_FRONT_END && !strcmp(p->group, "units") && !shown) return false;
  snprintf(name, SIMT_NAME_MAX, "%c_%.*s", prefix[k], SIMT_NAME_MAX - 3, p->name);
  return true;
}

static void add_ports(struct simt_desc *d, const struct ts_system *s) {
  char name[SIMT_NAME_MAX];
  simt_add_clock_reset(d);
  for (enum ts_kind k = TS_STACK; k <= TS_FRONT_END; k++) {
    const struct simt_config *part = &s->part[ts_first(s, k)];
    for (size_t i = 0; i < part->desc.n_ports; i++) {
      const struct simt_port *p = &part->desc.ports[i];
      if (ts_outer(k, p, name)) simt_add_port(d, p->dir, (uint64_t)p->width * ts_count(s, k), "", p->group, p->doc, "%s", name);
    }
  }
  simt_add_port(d, SIMT_OUT, (uint64_t)s->units * s->state_w, "", "units", "The units' states.", "unit_state_o");
  simt_add_port(d, SIMT_OUT, s->units, "", "units", "Units that show progress.", "unit_progress_o");
}

static void add_covers(struct simt_desc *d, const struct ts_system *s) {
  simt_add_cover(d, "US-8", "A domain is switched to the other workload.", "switched");
  simt_add_cover(d, "US-5", "A halt request while accesses of memory are under way.", "halt_with_accesses");
  simt_add_cover(d, "US-5", "Memory is asked under a halt request: the arbiter serves on.", "served_under_halt");
  simt_add_cover(d, "US-13", "Stacks go to memory.", "spilled");
  if (s->domains < 2) return;
  simt_add_cover(d, "US-8", "Two domains are under halt at a time.", "two_domains");
  simt_add_cover(d, "US-8", "A domain delivers results while another one is halted.", "others_go_on");
}

static bool resolve_all(const struct simt_config *cfg, struct ts_system *s, struct simt_desc *d, struct simt_diag *diag) {
  struct simt_topology t;
  if (!ts_make(cfg, s, diag)) return false;
  bool good = simt_topology_make(&s->part[s->units], &t, diag);
  if (good) {
    simt_add_topology(d, &t, SIMT_WITH_DOMAINS);
    simt_add_core_param(d, "CTX_STRIDE_LG", simt_param(&s->part[s->units], "CTX_STRIDE_LG"), "log2 bytes",
                        "from one context in memory to the next");
    simt_add_derived(d, "CTX_MAX", simt_derived(&s->part[0], "CTX_MAX"), false, "words", "most words of a stack's context");
    add_ports(d, s);
    add_covers(d, s);
  }
  simt_topology_free(&t);
  return good;
}

static bool resolve(const struct simt_config *cfg, struct simt_desc *d, struct simt_diag *diag) {
  struct ts_system *s = malloc(sizeof *s);
  if (!s) return simt_fail(diag, cfg->name, "no memory", "memory for the parts");
  bool good = resolve_all(cfg, s, d, diag);
  ts_free(s);
  free(s);
  return good;
}

const struct simt_block simt_block_tree_system = {
  .name = "tree_system",
  .title = "Stacks with branch units and their memory on one front end",
  .summary = "Branch units with their stacks, the memory of each switch domain behind an arbiter that is a unit too, and the "
             "front end of all of them: docs/front_end_system.md.",
  .params = params,
  .n_params = PARAMS,
  .resolve_config = resolve,
  .model = {ts_create, ts_destroy, ts_reset, ts_outputs, ts_step, simt_save, simt_load, ts_stats, ts_parts},
  .uses = uses,
};
