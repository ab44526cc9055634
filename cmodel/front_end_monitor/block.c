/* SPDX-License-Identifier: Apache-2.0 */
/* block.c: the description of front_end_monitor. */
#include <stdio.h>

#include "front_end_monitor/cover.h"
#include "front_end_monitor/ops.h"
#include "core/unit_status.h"

static const char *const stats_names[] = {"none", "sampled", "exact", NULL};

static const struct simt_param params[] = {
  SIMT_TOPOLOGY_PARAMS,
  SIMT_COMMANDS_PARAM,
  SIMT_ENCODING_PARAM,
  {.name = "STAGES", .def = 3, .min = 2, .max = 8, .unit = "registers",
   .doc = "Registers of the tree each way, as in status_tree; reports older than a command are not looked at.", .req = "US-6"},
  {.name = "STATS", .def = FEM_STATS_SAMPLED, .min = 0, .max = FEM_STATS_EXACT, .choices = stats_names, .unit = "",
   .doc = "Cycles per connection and state: not kept, one connection looked at per cycle, or all in each cycle.", .req = "US-11"},
  {.name = "LOCAL_CONTEXTS", .def = 0, .min = 0, .max = 3, .unit = "slots",
   .doc = "Local slots of the hub that a save or restore may name.", .req = "US-9"},
  {.name = "TIME_W", .def = 32, .min = 8, .max = 32, .unit = "bits",
   .doc = "Width of timeout, windows, times and counts of deadlocks; the cycle counter has twice as many. Fewer take less area.", .req = "US-10"},
  {.name = "ADDR_W", .def = 32, .min = 16, .max = 64, .unit = "bits", .doc = "Width of a memory address of the hub.", .req = "US-9"},
};

/* The cell of the first unit that lies in a domain too many, in the column of its kind; or none, when numbers say it. */
static bool too_many(const struct simt_config *cfg, const struct simt_topology *t, unsigned column, struct simt_diag *diag) {
  bool dead = column == SIMT_UNIT_DEADLOCK;
  const struct simt_cell none = {0}, *at = &none;
  char got[24];
  snprintf(got, sizeof got, "%u", dead ? t->dead_domains : t->domains);
  for (unsigned u = 0; u < t->units && cfg->records.given && at == &none; u++)
    if ((dead ? t->unit[u].dead : t->unit[u].domain) >= FEM_DOMAINS_MAX)
      at = &cfg->records.list[SIMT_LIST_UNITS].record[t->unit[u].record].cell[column];
  return simt_fail_at(diag, &cfg->records, at->line, at->col, at == &none ? "DOMAINS" : dead ? "deadlock" : "domain", at == &none ? got : at->text,
                      "at most %u %s domains, there are %s (each has %s of its own); join some", FEM_DOMAINS_MAX, dead ? "deadlock" : "switch",
                      got, dead ? "a window" : "a sequencer");
}

static bool check(const struct simt_config *cfg, const struct fem_layout *l, const struct simt_topology *t, struct simt_diag *diag) {
  if (t->domains > FEM_DOMAINS_MAX) return too_many(cfg, t, SIMT_UNIT_DOMAIN, diag);
  if (t->dead_domains > FEM_DOMAINS_MAX) return too_many(cfg, t, SIMT_UNIT_DEADLOCK, diag);
  if (l->stats == FEM_STATS_EXACT && t->conns > FEM_EXACT_MAX)
    return simt_fail(diag, "STATS", "exact", "sampled or none: exact counts take narrow counters for each connection, at most "
                     "%u of them; there are %u", FEM_EXACT_MAX, t->conns);
  return true;
}

static void add_derived(struct simt_desc *d, const struct fem_layout *l, const struct simt_topology *t) {
  simt_add_topology(d, t, SIMT_WITH_DOMAINS);
  simt_add_derived(d, "STATE_W", l->state_w, true, "bits", "width of a state");
  simt_add_derived(d, "COMMAND_COUNT", l->commands, true, "connections", "command connections");
  simt_add_derived(d, "MONITOR_LATENCY", l->levels + 1, true, "cycles",
                   "from a report at the port to what a sequence knows: ceil(log4(connections)) + 1");
  simt_add_derived(d, "SETTLE", l->settle, true, "cycles",
                   "from a command to the first report of its effect that a sequence knows: 2 * STAGES + 1 + MONITOR_LATENCY");
  simt_add_derived(d, "DEAD_LATENCY", l->stages + l->levels + 2, false, "cycles",
                   "from the end of a dead window at the units to its report: STAGES + MONITOR_LATENCY + 1");
  simt_add_derived(d, "SAMPLE_INTERVAL", l->conns + 4, true, "cycles", "a connection is looked at once in so many cycles");
}

static void add_ports(struct simt_desc *d, const struct fem_layout *l) {
  static const char reports[] = "reports", commands[] = "commands", hub[] = "hub", hubv[] = "hub_valid_o";
  const enum simt_dir in = SIMT_IN, out = SIMT_OUT;
  simt_add_clock_reset(d);
  simt_add_port(d, in, l->conns * l->state_w, "", reports, "State of each connection; no code word: mixed, or illegal from a single unit.", "conn_state_i");
  simt_port_idle(d, l->state_w, simt_status_code(SIMT_EMPTY, (enum simt_status_encoding)l->encoding));
  simt_add_port(d, in, l->conns, "", reports, "Progress in some unit of the connection.", "conn_progress_i");
  simt_add_port(d, in, l->conns, "", reports, "Some unit of it waits.", "conn_waiting_i");
  simt_add_port(d, in, l->conns, "", reports, "Some unit of it waits for input.", "conn_gather_i");
  simt_add_port(d, in, l->conns, "", reports, "Some unit of it had a memory access refused.", "conn_nack_i");
  simt_add_port(d, out, l->commands, "", commands, "Halt, a level, per command connection.", "mon_halt_o");
  simt_add_port(d, out, l->commands, "", commands, "Reset, a pulse.", "mon_reset_o");
  simt_add_port(d, out, l->commands, "", commands, "Resume, a pulse.", "mon_resume_o");
  simt_add_port(d, out, 1, "", hub, "A command to the hub is offered; it holds still until taken.", hubv);
  simt_add_port(d, in, 1, "", hub, "The hub takes it.", "hub_ready_i");
  simt_add_port(d, out, 1, hubv, hub, "1: restore, 0: save.", "hub_load_o");
  simt_add_port(d, out, l->unit_w, hubv, hub, "Number of the unit.", "hub_unit_o");
  simt_add_port(d, out, 2, hubv, hub, "0: memory, else the local slot.", "hub_slot_o");
  simt_add_port(d, out, l->addr_w, hubv, hub, "Base of the contexts in memory.", "hub_base_o");
  simt_add_port(d, in, 1, "", hub, "Pulse: the command taken last has ended.", "hub_done_i");
  simt_add_port(d, in, 4, "hub_done_i", hub, "0 good, else what was wrong.", "hub_error_i");
  simt_add_port(d, out, 1, "", "interrupt", "Level: an enabled interrupt is pending.", "irq_o");
  simt_add_reg_port(d, FEM_REG_ADDR_W);
}

static bool resolve(const struct simt_config *cfg, struct simt_desc *d, struct simt_diag *diag) {
  struct simt_topology t;
  struct fem_layout l;
  bool good = simt_topology_make(cfg, &t, diag);
  if (good) fem_layout(cfg, &t, &l);
  good = good && check(cfg, &l, &t, diag);
  if (good) {
    add_derived(d, &l, &t);
    add_ports(d, &l);
    fem_add_regs(d, &l);
    fem_add_covers(d, &l);
  }
  simt_topology_free(&t);
  return good;
}

static const struct simt_note notes[] = {
  {"Connecting it", "`conn_*` and `mon_*` go to a `status_tree` of the same topology and STAGES, `hub_*` to a `context_hub`. Software "
   "uses the registers; `irq_o` is a level."},
  {"A context switch", "Write SAVE_BASE and LOAD_BASE of the domain, then 1 to COMMAND. The interrupt *switch done* says that the "
   "units run again; *switch error* that the domain stands still with the code in STATUS: write 7 to COMMAND to go on with the unit that "
   "failed, 6 to release the units as they are, 3 to restore all (LOAD_BASE and SLOTS may be written first) or 4 to start empty."},
  {"Deadlocks", "Write the number of the deadlock domain to DEAD, then WINDOW (cycles, 0 is off) and DEAD_POLICY. A next policy (bits "
   "5:4) counts with `has_next` (bit 6) only: a write with a next policy other than 0 and without `has_next` is refused, with an "
   "error response, and changes nothing. The window is held while a switch domain in it is under halt, and behind the release until "
   "its units can have reported."},
  {"What a reset loses", "With policy reset of the halt timeout, and with one command connection for all, all units are reset, "
   "those that had halted too; STATUS says that contexts were lost, FEM_LATE which connections were late, FEM_LOST which were reset: "
   "these are not stored, what memory holds of them stays."},
  {.title = NULL}};

const struct simt_block simt_block_front_end_monitor = {
  .name = "front_end_monitor",
  .title = "Front-end monitor: halt, context switch, deadlock detection",
  .summary =
    "Watches the reports of up to 1,024 units and commands them: halts a switch domain, has its contexts stored and restored by a "
    "context hub, resets and releases it; finds deadlocks within a window and resolves them by policy; counts states and latencies.",
  .params = params,
  .n_params = sizeof params / sizeof *params,
  .resolve_config = resolve,
  .lists = &simt_topology_lists,
  .model = {fem_create, fem_destroy, fem_reset, fem_outputs, fem_step, simt_save, simt_load, fem_stats, fem_parts},
  .notes = notes,
};
