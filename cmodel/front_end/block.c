/* SPDX-License-Identifier: Apache-2.0 */
/* block.c: the description of front_end: tree, monitor and hub for one topology. What a part says about its parameters,
 * ports and registers is taken from it and not repeated. */
#include "front_end/parts.h"

#include <stdlib.h>
#include <string.h>

#include "core/parts.h"
#include "core/topology.h"

extern const struct simt_block simt_block_status_tree, simt_block_front_end_monitor, simt_block_context_hub;
static const struct simt_block *const block_of[FE_PARTS] = {
  &simt_block_status_tree, &simt_block_front_end_monitor, &simt_block_context_hub};
static const char *const uses[] = {"status_tree", "front_end_monitor", "context_hub", NULL};

/* Each parameter once. Those that several parts have are the same there. */
#define TREE(name) {&simt_block_status_tree, name, NULL}
#define MONITOR(name) {&simt_block_front_end_monitor, name, NULL}
#define HUB(name) {&simt_block_context_hub, name, NULL}
static const struct simt_origin origins[] = {
  TREE("UNITS"), TREE("GROUP"), TREE("DOMAINS"), TREE("COMMANDS"), TREE("ENCODING"), TREE("STAGES"), MONITOR("STATS"),
  MONITOR("LOCAL_CONTEXTS"), MONITOR("TIME_W"), MONITOR("ADDR_W"), HUB("LOCAL_WORDS"), HUB("CTX_STRIDE_LG"), HUB("INFLIGHT")};

bool fe_resolve_parts(const struct simt_config *whole, struct simt_config part[FE_PARTS], struct simt_diag *diag) {
  for (int p = 0; p < FE_PARTS; p++) {
    simt_config_init(&part[p], block_of[p]);
    for (size_t i = 0; i < block_of[p]->n_params; i++)
      part[p].value[i] = simt_param(whole, part[p].param[i]->name);
    if (!simt_copy_records(&part[p], whole)) return simt_fail(diag, whole->name, "no memory", "memory for the topology");
    if (!simt_resolve(&part[p], diag)) return false;
  }
  return true;
}

/* Ports that end at another part: an output with an input of its name there. */
static bool inside(const struct simt_config part[FE_PARTS], int of, const struct simt_port *port) {
  char name[SIMT_NAME_MAX];
  size_t n = strlen(port->name);
  memcpy(name, port->name, n + 1);
  name[n - 1] = port->dir == SIMT_IN ? 'o' : 'i';
  for (int p = 0; p < FE_PARTS; p++)
    if (p != of && simt_find_port(&part[p], name)) return true;
  return false;
}

static void add_ports(struct simt_desc *d, const struct simt_config part[FE_PARTS]) {
  simt_add_clock_reset(d);
  for (int of = 0; of < FE_PARTS; of++)
    for (size_t i = 0; i < part[of].desc.n_ports; i++) {
      const struct simt_port *p = &part[of].desc.ports[i];
      if (p->role != SIMT_DATA || inside(part, of, p)) continue;
      simt_add_port_like(d, p);
    }
}

static void add_derived(struct simt_desc *d, const struct simt_config part[FE_PARTS]) {
  static const struct { enum fe_part of; const char *name; } shown[] = {
    {FE_TREE, "STATE_W"}, {FE_TREE, "ARITY"}, {FE_TREE, "FANOUT"}, {FE_TREE, "STAGES_WANTED"},
    {FE_MONITOR, "MONITOR_LATENCY"}, {FE_MONITOR, "SETTLE"}, {FE_MONITOR, "DEAD_LATENCY"},
    {FE_MONITOR, "SAMPLE_INTERVAL"}, {FE_HUB, "CTX_WORDS"}};
  for (size_t i = 0; i < sizeof shown / sizeof *shown; i++) {
    const struct simt_derived *v = simt_find_derived(&part[shown[i].of], shown[i].name);
    simt_add_derived(d, v->name, v->value, false, v->unit, v->doc);
  }
}

void fe_covers(const struct simt_config *cfg, const struct simt_topology *t, struct simt_desc *d, int place[FE_COVERS]) {
  static const struct { const char *name, *doc, *req; } point[FE_COVERS] = {
    {"whole_switch", "A domain is switched to another workload.", "US-8"},
    {"save_only", "A domain is saved and goes on.", "US-8"},
    {"restore_only", "A domain goes on from saved contexts.", "US-8"},
    {"start_empty", "A domain is reset and begins empty.", "US-8"},
    {"drained", "A domain runs dry.", "US-8"},
    {"aborted", "A command is aborted.", "US-8"},
    {"store_error", "A memory error while contexts are stored stops the sequence.", "US-8"},
    {"restore_error", "A context that cannot be read, or is none, stops the sequence.", "US-9"},
    {"retried", "The sequence goes on with the unit that failed.", "US-8"},
    {"refused", "A command is refused while one runs.", "US-15"},
    {"resumed", "A deadlock's policy resumes a unit.", "US-10"},
    {"cleared", "A unit is reset by a command.", "US-7"},
    {"nack", "A unit's access is refused.", "US-3"},
    {"interrupt", "irq_o is 1.", "US-12"},
    {"reset_in_switch", "rst_i while a command runs.", "US-7"},
    {"halted_empty", "A unit halts that was empty.", "US-3"},
    {"halted_active", "A unit halts that was active.", "US-3"},
    {"halted_stalled", "A unit halts that was stalled.", "US-3"},
    {"halted_quiescent", "A unit halts that was quiescent.", "US-3"},
    {"local_slot", "A context is restored from a local slot.", "US-9"},
    {"two_domains", "Two domains run commands at the same time.", "US-8"},
    {"mixed", "Units of a group differ.", "US-1"}};
  bool grouped = t->conns < t->units;
  for (int i = 0, n = 0; i < FE_COVERS; i++) {
    bool there = i < FE_COVER_ALWAYS || (i == FE_COVER_LOCAL && simt_param(cfg, "LOCAL_CONTEXTS")) ||
                 (i == FE_COVER_TWO_DOMAINS && t->domains > 1) || (i == FE_COVER_MIXED && grouped);
    place[i] = there ? n++ : -1;
    if (there && d) simt_add_cover(d, point[i].req, point[i].doc, "%s", point[i].name);
  }
}

static bool resolve(const struct simt_config *cfg, struct simt_desc *d, struct simt_diag *diag) {
  struct simt_config part[FE_PARTS];
  struct simt_topology t;
  memset(part, 0, sizeof part);
  bool good = simt_topology_make(cfg, &t, diag) && fe_resolve_parts(cfg, part, diag);
  if (good) {
    simt_add_topology(d, &t, SIMT_WITH_DOMAINS);
    add_derived(d, part);
    add_ports(d, part);
    simt_add_regs_of(d, &part[FE_MONITOR], 0);
    int place[FE_COVERS];
    fe_covers(cfg, &t, d, place);
  }
  simt_topology_free(&t);
  for (int p = 0; p < FE_PARTS; p++) simt_config_free(&part[p]);
  return good;
}

const struct simt_block simt_block_front_end = {
  .name = "front_end",
  .title = "Front end of many units: status, halt, context switch, deadlock",
  .summary =
    "The status tree, the front-end monitor and the context hub as one block for one topology. Up to 1,024 units hang on it "
    "with their status and context ports; software gives commands and reads states through registers; contexts go to and come "
    "from one memory port.",
  .origins = origins,
  .n_params = sizeof origins / sizeof *origins,
  .resolve_config = resolve,
  .lists = &simt_topology_lists,
  .model = {fe_create, fe_destroy, fe_reset, fe_outputs, fe_step, simt_save, simt_load, fe_stats, fe_parts},
  .uses = uses,
};
