/* SPDX-License-Identifier: Apache-2.0 */
/* block.c: description of status_tree: parameters, ports, derived values, coverage points. */
#include "status_tree/status_tree.h"
#include "core/image.h"
#include "core/topology.h"
#include "status_tree/layout.h"
#include "core/unit_status.h"

static const struct simt_param params[] = {
  SIMT_TOPOLOGY_PARAMS,
  SIMT_COMMANDS_PARAM,
  SIMT_ENCODING_PARAM,
  {.name = "STAGES", .def = 3, .min = 2, .max = 8, .unit = "registers",
   .doc = "Registers from a unit to the front end, and from it to the unit, the one in the unit included.", .req = "US-6"},
};

static unsigned largest_group(const struct simt_topology *t) {
  unsigned most = 1;
  for (unsigned c = 0; c < t->conns; c++)
    if (t->conn[c].members > most) most = t->conn[c].members;
  return most;
}

/* The most units that one command connection reaches. */
static unsigned largest_fan(const struct simt_topology *t) {
  return t->commands == 1 ? t->units : t->commands == t->conns ? largest_group(t) : 1;
}

static void add_derived(struct simt_desc *d, const struct simt_topology *t, const struct tree_layout *l) {
  simt_add_topology(d, t, SIMT_WITH_CONNS);
  simt_add_derived(d, "STATE_W", l->state_w, true, "bits", "width of a state");
  simt_add_derived(d, "COMMAND_COUNT", t->commands, true, "connections", "command connections");
  simt_add_derived(d, "ARITY", tree_span(l->stages, largest_group(t), 1), false, "reports",
                   "most that are joined in one stage on the way up (the first of the largest group): 4 take one 4-LUT level, 16 two");
  simt_add_derived(d, "FANOUT", tree_span(l->stages, largest_fan(t), 1), false, "units",
                   "most that one register drives on the way down");
  simt_add_derived(d, "STAGES_WANTED", tree_levels(t->units), false, "registers",
                   "ceil(log4(units)): with fewer stages some stage is deeper than one 4-LUT");
}

static void add_ports(struct simt_desc *d, const struct simt_topology *t, const struct tree_layout *l,
                      enum simt_status_encoding encoding) {
  static const char unit[] = "units", commands[] = "commands", reports[] = "reports";
  const enum simt_dir in = SIMT_IN, out = SIMT_OUT;
  simt_add_clock_reset(d);
  simt_add_port(d, out, t->units, "", unit, "Halt, a level; a bit per unit, to its cmd_halt_i.", "unit_halt_o");
  simt_add_port(d, out, t->units, "", unit, "Reset, a pulse, to cmd_reset_i.", "unit_reset_o");
  simt_add_port(d, out, t->units, "", unit, "Resume, a pulse, to cmd_resume_i.", "unit_resume_o");
  simt_add_port(d, in, t->units * l->state_w, "", unit, "State of each unit, its state_o; unit 0 in the low bits.", "unit_state_i");
  simt_port_idle(d, l->state_w, simt_status_code(SIMT_EMPTY, encoding));
  simt_add_port(d, in, t->units, "", unit, "progress_o of each unit.", "unit_progress_i");
  simt_add_port(d, in, t->units, "", unit, "waiting_o of each unit.", "unit_waiting_i");
  simt_add_port(d, in, t->units, "", unit, "gather_o of each unit.", "unit_gather_i");
  simt_add_port(d, in, t->units, "", unit, "nack_o of each unit.", "unit_nack_i");
  simt_add_port(d, in, t->commands, "", commands, "Halt, a level, per command connection.", "mon_halt_i");
  simt_add_port(d, in, t->commands, "", commands, "Reset, a pulse.", "mon_reset_i");
  simt_add_port(d, in, t->commands, "", commands, "Resume, a pulse.", "mon_resume_i");
  simt_add_port(d, out, t->conns * l->state_w, "", reports, "State of each connection: AND of its units; no code word: mixed.", "conn_state_o");
  simt_port_parts(d, "connection*%u", l->state_w);
  simt_add_port(d, out, t->conns, "", reports, "Progress in some unit of the connection.", "conn_progress_o");
  simt_add_port(d, out, t->conns, "", reports, "Some unit of it waits.", "conn_waiting_o");
  simt_add_port(d, out, t->conns, "", reports, "Some unit of it waits for input.", "conn_gather_o");
  simt_add_port(d, out, t->conns, "", reports, "Some unit of it had a memory access refused.", "conn_nack_o");
}

const struct tree_point tree_points[TREE_COVERS] = {
  {"report_empty", "A connection reports empty.", "US-1"},
  {"report_active", "A connection reports active.", "US-1"},
  {"report_stalled", "A connection reports stalled.", "US-1"},
  {"report_quiescent", "A connection reports quiescent.", "US-1"},
  {"report_halted", "A connection reports halted.", "US-1"},
  {"one_progress", "A connection reports progress that exactly one of its units has.", "US-10"},
  {"one_waiting", "A connection reports waiting that exactly one of its units has.", "US-10"},
  {"one_gather", "A connection reports gather that exactly one of its units has.", "US-10"},
  {"one_nack", "A connection reports nack that exactly one of its units has.", "US-3"},
  {"reports_follow", "A connection's state changes in each of STAGES + 1 successive cycles.", "US-6"},
  {"command_halt", "Halt rises at a command connection.", "US-7"},
  {"command_reset", "A reset of one cycle.", "US-7"},
  {"command_resume", "A resume of one cycle.", "US-7"},
  {"command_all", "Halt, reset and resume in one cycle at one connection.", "US-7"},
  {"release", "Halt falls.", "US-7"},
  {"reset_under_way", "rst_i while halt and reports other than empty are under way.", "US-7"},
  {"illegal", "A single unit's code that is no code word arrives as it is.", "US-1"},
  {"mixed", "Units of a group differ: its report is no code word.", "US-1"},
  {"first_differs", "The first unit of a group alone differs.", "US-1"},
  {"last_differs", "The last unit of a group alone differs.", "US-1"},
  {"mixed_then_halted", "A group reports mixed, and halted in the next cycle.", "US-1"},
  {"states_differ", "Connections report different states in one cycle.", "US-6"},
  {"commands_differ", "Some command connections halt while others do not.", "US-7"},
};

bool tree_has_point(enum tree_cover p, const struct simt_topology *t, const struct tree_layout *l) {
  if (p == TREE_ILLEGAL) return l->single;
  if (p >= TREE_MIXED && p <= TREE_HALTED) return l->grouped;
  if (p == TREE_DIFFER) return t->conns > 1;
  return p != TREE_COMMANDS_DIFFER || t->commands > 1;
}

static void add_covers(struct simt_desc *d, const struct simt_topology *t, const struct tree_layout *l) {
  for (enum tree_cover p = 0; p < TREE_COVERS; p++)
    if (tree_has_point(p, t, l)) simt_add_cover(d, tree_points[p].req, tree_points[p].doc, "%s", tree_points[p].name);
}

static bool resolve(const struct simt_config *cfg, struct simt_desc *d, struct simt_diag *diag) {
  struct simt_topology t;
  bool good = simt_topology_make(cfg, &t, diag);
  if (good) {
    struct tree_layout l = tree_layout(cfg, &t);
    add_derived(d, &t, &l);
    add_ports(d, &t, &l, (enum simt_status_encoding)simt_param(cfg, "ENCODING"));
    add_covers(d, &t, &l);
    if (l.stages < tree_levels(t.units))
      simt_warn(d, "STAGES: %u for %u units: fewer than ceil(log4(units)) = %u, so some stage is deeper than one 4-LUT level; "
                "set STAGES=%u for speed", l.stages, t.units, tree_levels(t.units), tree_levels(t.units));
  }
  simt_topology_free(&t);
  return good;
}

static const struct simt_note notes[] = {
  {"Connecting it", "Each unit's `unit_status_fsm` hangs on one bit (or one state) of the vectors `unit_*`; a unit's number is its "
   "place when units are ordered by connection, connections in the order in which the list of units first names them. "
   "Reports and commands move in every cycle; there is nothing to wait for."},
  {"What arrives when", "A report that a unit shows in cycle t is at the front end in cycle t + `STAGES`, for every unit. A "
   "command given in cycle t is at the unit's command inputs in cycle t + `STAGES` - 1 and is state inside the unit one "
   "cycle later, in all units at once."},
  {"Mixed", "A group reports the AND of its units' codes. Two different code words have no code word as their AND, so a "
   "group whose units differ reports *mixed*. From a single unit, what is no code word is an error of the unit, and "
   "arrives as it is."},
  {.title = NULL}};

const struct simt_block simt_block_status_tree = {
  .name = "status_tree",
  .title = "Pipelined tree of unit reports and commands",
  .summary =
    "Carries the five-state status of up to 1,024 units to a front end and its commands halt, reset and resume back, "
    "through the same number of registers for every unit. Units are rolled up in groups or reported separately; a list of "
    "units, groups and streams in the configuration says how.",
  .params = params,
  .n_params = sizeof params / sizeof *params,
  .resolve_config = resolve,
  .lists = &simt_topology_lists,
  .model = {status_tree_create, status_tree_destroy, status_tree_reset, status_tree_outputs, status_tree_step,
            simt_save, simt_load, status_tree_stats, status_tree_parts},
  .notes = notes,
};
