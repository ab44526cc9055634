/* SPDX-License-Identifier: Apache-2.0 */
/* system_test.c: units of the example gather_sum on status_tree, front_end_monitor and context_hub, all as models:
 * switched at random cycles between two workloads, domain by domain, by the driver simt_front_end.h at the monitor's registers. Every sum
 * that comes out is the one that its workload owes next.
 *   system_test SWITCHES SEED LOCAL UNITS [NAME=VALUE]...    LOCAL 1: contexts in local slots; NAME: of tree and monitor
 * Or, in place of SWITCHES, a deadlock made on purpose (US-10): gather (no more words come), blocked (no sum is taken), unanswered (by
 * memory); or nack (memory refuses an access of unit 1). It is found in the cycle that is due, named, and resolved.
 * Or stop: commands that stop by an error, a timeout, and what ends them. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "front_end/simt_front_end.h"
#include "front_end_monitor/layout.h"
#include "gather_sum/gather_sum.h"
#include "core/memory.h"

extern const struct simt_block simt_block_status_tree, simt_block_front_end_monitor, simt_block_context_hub;

enum { MOST_UNITS = 32, WORKLOADS = 2, CHANNELS = 5, GROUP_OF_WORDS = 3, OWED = 16, MASK24 = 0xffffff };
enum { WITHIN = 200000, CLEARING = 20, DATA_RANGE = 1 << 12, WINDOW = 500 };
enum stuck { NOT_STUCK, GATHER, BLOCKED, UNANSWERED, NACK, STOP };

struct part { struct simt_config cfg; void *model; uint32_t *in, *out; };
static struct part tree, monitor, hub, unit[MOST_UNITS];
static unsigned units, domains;

struct sum { uint32_t channel, count, data; };
struct work { /* of one unit under one workload */
  uint64_t taken, given;
  uint32_t count[CHANNELS], sum[CHANNELS];
  struct sum owed[OWED];
  unsigned first, n;
};
static struct work work[MOST_UNITS][WORKLOADS];
static unsigned now[MOST_UNITS];           /* workload of each unit */
static struct { bool due; uint32_t addr, channel; } access_of[MOST_UNITS];
static enum stuck stuck_by, stuck;         /* what the run is for; what stands in the way now */
static struct { uint64_t quiet_from, at; uint32_t once, always, named_once, named_always, resets, count; bool irq; } report;

static struct simt_memory *memory;
static struct simt_rng rng;
static uint64_t cycles, switches, phase_cycles[4];
static bool feeding, hub_busy, hub_loads, local, refusing; /* refusing: memory answers the hub with errors */
static uint32_t hub_unit;

static void fail(const char *what, uint64_t value) {
  printf("cycle %" PRIu64 ", switch %" PRIu64 ": %s (%" PRIu64 ")\n", cycles, switches, what, value);
  exit(1);
}

static uint64_t below(uint64_t n) { return simt_rng_below(&rng, n); }
static const struct simt_port *port(const struct part *p, const char *name) {
  const struct simt_port *found = simt_find_port(&p->cfg, name);
  if (!found) fail(name, 0);
  return found;
}
/* Looked up once for each place in this file: there, `p` is always a part of the same kind. */
#define WORD(p, name) ({ static unsigned word_ = UINT_MAX; if (word_ == UINT_MAX) word_ = port(p, name)->word; word_; })
#define input(p, name) (&(p)->in[WORD(p, name)])
#define output(p, name) ((p)->out[WORD(p, name)])

static void put_bits(uint32_t *to, unsigned at, unsigned n, uint32_t value) {
  for (unsigned i = at; i < at + n; i++, value >>= 1)
    to[i / 32] = (to[i / 32] & ~(UINT32_C(1) << i % 32)) | (value & 1) << i % 32;
}
#define put_unit(p, name, u, bits, value) put_bits(input(p, name), (u) * (bits), bits, value)
#define get_unit(p, name, u) (output(p, name) >> (u) & 1)

/* ---- workloads ---------------------------------------------------------------------------------------------- */

static uint32_t mix(uint64_t x) {
  x = (x ^ x >> 31) * UINT64_C(0x9e3779b97f4a7c15);
  return (uint32_t)((x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9) >> 32);
}
static uint32_t base_of(unsigned workload) { return 0x10000 * (workload + 1); }
static uint32_t word_at(uint32_t index) { return mix(index) & MASK24; }

struct word { uint32_t channel, indirect, data; };
static struct word next_word(unsigned u, unsigned w) {
  const uint64_t id = ((uint64_t)u << 8 | w) << 48 | work[u][w].taken;
  return (struct word){mix(id) % CHANNELS, mix(~id) & 1, mix(id * 3 + 1) % DATA_RANGE};
}

static void word_taken(unsigned u, unsigned w) {
  struct work *k = &work[u][w];
  const struct word in = next_word(u, w);
  k->taken++;
  access_of[u].channel = in.channel;
  k->sum[in.channel] = (k->sum[in.channel] + (in.indirect ? word_at(base_of(w) + in.data) : in.data)) & MASK24;
  if (++k->count[in.channel] < GROUP_OF_WORDS) return;
  if (k->n == OWED) fail("a unit swallows words", u);
  k->owed[(k->first + k->n++) % OWED] = (struct sum){in.channel, GROUP_OF_WORDS, k->sum[in.channel]};
  k->count[in.channel] = k->sum[in.channel] = 0;
}

/* A word that memory refused counts as 0: the one taken last, whose sum may be complete by it. */
static void word_refused(unsigned u, unsigned w) {
  struct work *k = &work[u][w];
  uint32_t *sum = k->count[access_of[u].channel] ? &k->sum[access_of[u].channel] : &k->owed[(k->first + k->n - 1) % OWED].data;
  *sum = (*sum - word_at(access_of[u].addr)) & MASK24;
}

/* A unit that is told to resume gives what it has of a channel. */
static bool part_given(unsigned u, unsigned w) {
  struct work *k = &work[u][w];
  const struct part *p = &unit[u];
  const uint32_t channel = output(p, "out_channel_o");
  if (stuck != GATHER || k->n || !k->count[channel] || output(p, "out_count_o") != k->count[channel] || output(p, "out_data_o") != k->sum[channel])
    return false;
  k->count[channel] = k->sum[channel] = 0;
  return true;
}

static void sum_given(unsigned u, unsigned w) {
  struct work *k = &work[u][w];
  const struct part *p = &unit[u];
  if (part_given(u, w)) return;
  const struct sum *want = &k->owed[k->first];
  if (!k->n) fail("a sum that is not owed, of unit", u);
  if (output(p, "out_channel_o") != want->channel || output(p, "out_count_o") != want->count || output(p, "out_data_o") != want->data)
    fail("a sum that is not the one owed, of unit", u);
  k->first = (k->first + 1) % OWED;
  k->n--;
  k->given++;
}

/* ---- one cycle ------------------------------------------------------------------------------------------------ */

static void drive_unit(unsigned u) {
  struct part *p = &unit[u];
  const struct word w = next_word(u, now[u]);
  *input(p, "in_valid_i") = feeding && below(4) != 0;
  *input(p, "in_channel_i") = w.channel;
  *input(p, "in_indirect_i") = w.indirect;
  *input(p, "in_data_i") = w.data;
  *input(p, "out_ready_i") = below(3) != 0 && stuck != BLOCKED;
  *input(p, "mem_req_ready_i") = below(2) != 0;
  *input(p, "mem_rsp_valid_i") = access_of[u].due && below(8) == 0 && stuck != UNANSWERED;
  *input(p, "mem_rsp_error_i") = stuck == NACK && u == 1;
  *input(p, "mem_rsp_data_i") = word_at(access_of[u].addr);
  *input(p, "cmd_halt_i") = get_unit(&tree, "unit_halt_o", u);
  *input(p, "cmd_reset_i") = get_unit(&tree, "unit_reset_o", u);
  *input(p, "cmd_resume_i") = get_unit(&tree, "unit_resume_o", u);
  *input(p, "ctx_unit_i") = u;
  *input(p, "ctx_cmd_valid_i") = get_unit(&hub, "ctx_cmd_valid_o", u);
  *input(p, "ctx_cmd_load_i") = output(&hub, "ctx_cmd_load_o");
  *input(p, "ctx_out_ready_i") = get_unit(&hub, "ctx_out_ready_o", u);
  *input(p, "ctx_in_valid_i") = get_unit(&hub, "ctx_in_valid_o", u);
  *input(p, "ctx_in_data_i") = output(&hub, "ctx_in_data_o");
  *input(p, "ctx_in_last_i") = output(&hub, "ctx_in_last_o");
  *input(p, "ctx_in_error_i") = output(&hub, "ctx_in_error_o");
}

static void watch_unit(unsigned u) {
  struct part *p = &unit[u];
  if (*input(p, "in_valid_i") && output(p, "in_ready_o")) word_taken(u, now[u]);
  if (output(p, "out_valid_o") && *input(p, "out_ready_i")) sum_given(u, now[u]);
  if (*input(p, "mem_rsp_valid_i") && output(p, "mem_rsp_ready_o")) {
    access_of[u].due = false;
    if (*input(p, "mem_rsp_error_i")) word_refused(u, now[u]);
  }
  if (output(p, "mem_req_valid_o") && *input(p, "mem_req_ready_i")) {
    access_of[u].due = true;
    access_of[u].addr = output(p, "mem_req_addr_o") >> 2;
  }
  if (!stuck_by || stuck_by == STOP || !*input(p, "cmd_reset_i")) return;
  struct work *k = &work[u][now[u]];   /* its words are lost */
  k->n = 0;
  memset(k->count, 0, sizeof k->count), memset(k->sum, 0, sizeof k->sum);
  report.resets |= UINT32_C(1) << u;
  if (stuck == GATHER && report.named_once >> u & 1) fail("reset, and it only gathers: unit", u);
}

static void connect_unit(unsigned u) {
  const struct part *p = &unit[u];
  put_unit(&tree, "unit_state_i", u, 5, output(p, "state_o"));
  put_unit(&tree, "unit_progress_i", u, 1, output(p, "progress_o"));
  put_unit(&tree, "unit_waiting_i", u, 1, output(p, "waiting_o"));
  put_unit(&tree, "unit_gather_i", u, 1, output(p, "gather_o"));
  put_unit(&tree, "unit_nack_i", u, 1, output(p, "nack_o"));
  put_unit(&hub, "ctx_cmd_ready_i", u, 1, output(p, "ctx_cmd_ready_o"));
  put_unit(&hub, "ctx_done_i", u, 1, output(p, "ctx_done_o"));
  put_unit(&hub, "ctx_error_i", u, 3, output(p, "ctx_error_o"));
  put_unit(&hub, "ctx_out_valid_i", u, 1, output(p, "ctx_out_valid_o"));
  put_unit(&hub, "ctx_out_last_i", u, 1, output(p, "ctx_out_last_o"));
  put_unit(&hub, "ctx_out_data_i", u, 32, output(p, "ctx_out_data_o"));
  put_unit(&hub, "ctx_in_ready_i", u, 1, output(p, "ctx_in_ready_o"));
}

static struct wire { struct part *from, *to; unsigned out, in, words; } wires[16];
static unsigned n_wires;

static void add_wire(struct part *from, struct part *to, const char *name) {
  char out[40], in[40];
  snprintf(out, sizeof out, "%s_o", name);
  snprintf(in, sizeof in, "%s_i", name);
  const struct simt_port *o = port(from, out), *i = port(to, in);
  if (o->width != i->width) fail(name, o->width);
  wires[n_wires++] = (struct wire){from, to, o->word, i->word, o->words};
}

static void wire_front_end(void) {
  static const char *const reports[] = {"conn_state", "conn_progress", "conn_waiting", "conn_gather", "conn_nack", NULL},
                    *const commands[] = {"mon_halt", "mon_reset", "mon_resume", NULL},
                    *const to_hub[] = {"hub_valid", "hub_load", "hub_unit", "hub_slot", "hub_base", NULL},
                    *const from_hub[] = {"hub_ready", "hub_done", "hub_error", NULL};
  for (unsigned i = 0; reports[i]; i++) add_wire(&tree, &monitor, reports[i]);
  for (unsigned i = 0; commands[i]; i++) add_wire(&monitor, &tree, commands[i]);
  for (unsigned i = 0; to_hub[i]; i++) add_wire(&monitor, &hub, to_hub[i]);
  for (unsigned i = 0; from_hub[i]; i++) add_wire(&hub, &monitor, from_hub[i]);
}

static void connect_front_end(void) {
  for (const struct wire *w = wires; w < wires + n_wires; w++)
    memcpy(&w->to->in[w->in], &w->from->out[w->out], w->words * sizeof *w->to->in);
}

/* A unit whose context of the other workload has been restored belongs to that workload. */
static void watch_hub(void) {
  if (output(&hub, "hub_done_o")) {
    const uint32_t error = output(&hub, "hub_error_o");
    if (error && !refusing) fail("the hub ends with an error", error);
    if (hub_loads && !error) now[hub_unit] ^= 1;
    hub_busy = false;
  }
  if (!*input(&hub, "hub_valid_i") || !output(&hub, "hub_ready_o")) return;
  if (hub_busy) fail("a command while one runs", hub_unit);
  hub_busy = true;
  hub_loads = *input(&hub, "hub_load_i");
  hub_unit = *input(&hub, "hub_unit_i");
}

/* A report is due a window behind the last cycle in which a unit moved, or none waited; a unit's report register shows a cycle one
 * cycle later, then come the tree, the monitor and the register of the interrupt. */
static void watch_reports(void) {
  uint32_t waiting = 0, moving = 0;
  const bool irq = output(&monitor, "irq_o");
  for (unsigned u = 0; u < units; u++) {
    waiting |= output(&unit[u], "waiting_o") << u;
    moving |= output(&unit[u], "progress_o") << u;
  }
  if (irq && !report.irq && stuck_by != NACK) {
    const uint64_t due = WINDOW + simt_param(&monitor.cfg, "STAGES") + simt_derived(&monitor.cfg, "MONITOR_LATENCY") + 1;
    const bool again = report.count && report.quiet_from <= report.at;
    if (!stuck) fail("a deadlock is reported where there is none", 0);
    if (again ? cycles - report.at != WINDOW : cycles - (report.quiet_from - 2) != due) fail("a report is not in its cycle", cycles);
    report.count++;
    report.at = cycles;
    report.named_once = report.once;
    report.named_always = report.always;
  }
  report.irq = irq;
  if (!waiting || moving) report.quiet_from = cycles + 1, report.once = 0, report.always = UINT32_MAX;
  else report.once |= waiting, report.always &= waiting;
}

static void step(struct part *p) { simt_model(&p->cfg)->step(p->model, p->in); }
static void look(struct part *p) { simt_model(&p->cfg)->outputs(p->model, p->out); }

static void run_cycle(void) {
  const struct simt_memory_rates rates = {.ready = 200, .answer = 150, .early = 128, .error = refusing ? 1 << 16 : 0};
  look(&tree), look(&monitor), look(&hub);
  for (unsigned u = 0; u < units; u++) look(&unit[u]);
  for (unsigned u = 0; u < units; u++) drive_unit(u), connect_unit(u);
  connect_front_end();
  simt_memory_drive(memory, simt_memory_choose(&rng, &rates), hub.in);
  for (unsigned u = 0; u < units; u++) watch_unit(u);
  watch_hub();
  if (stuck_by && stuck_by != STOP) watch_reports();
  const char *wrong = simt_memory_observe(memory, hub.in, hub.out);
  if (wrong) fail(wrong, 0);
  step(&tree), step(&monitor), step(&hub);
  for (unsigned u = 0; u < units; u++) step(&unit[u]);
  cycles++;
}

/* ---- software ---------------------------------------------------------------------------------------------------- */

static unsigned refused; /* register accesses that were answered with an error, where some are to be */

static uint32_t access_register(struct part *p, bool write, uint32_t addr, uint32_t data) {
  uint32_t *valid = &p->in[port(p, "reg_req_valid_i")->word];
  const uint32_t *ready = &p->out[port(p, "reg_req_ready_o")->word], *answer = &p->out[port(p, "reg_rsp_valid_o")->word];
  *valid = 1;
  p->in[port(p, "reg_req_write_i")->word] = write;
  p->in[port(p, "reg_req_addr_i")->word] = addr;
  p->in[port(p, "reg_req_data_i")->word] = data;
  for (bool taken = false; !taken; run_cycle()) {
    look(p);
    taken = *ready;
  }
  *valid = 0;
  for (look(p); !*answer; look(p)) run_cycle();
  if (p->out[port(p, "reg_rsp_error_o")->word]) {
    if (stuck_by != STOP) fail("a register access is refused at", addr);
    refused++;
  }
  return p->out[port(p, "reg_rsp_data_o")->word];
}
static int read_bus(void *bus, uint32_t offset, uint32_t *word) {
  const unsigned before = refused;
  *word = access_register(bus, false, offset, 0);
  return refused != before;
}
static int write_bus(void *bus, uint32_t offset, uint32_t word) {
  const unsigned before = refused;
  access_register(bus, true, offset, word);
  return refused != before;
}
static struct simt_fe fe;

static void good(enum simt_fe_status status) {
  if (status) fail("the driver gives a status", status);
}

static void place_contexts(unsigned d, unsigned saved, unsigned loaded) {
  good(simt_fe_places(&fe, d, (struct simt_fe_place){local ? saved + 1 : 0, 0x1000000 * (saved + 1)},
                      (struct simt_fe_place){local ? loaded + 1 : 0, 0x1000000 * (loaded + 1)}));
}

/* Whether the domain has ended its command. */
static bool ended(unsigned d) {
  struct simt_fe_result result;
  const enum simt_fe_status status = simt_fe_poll(&fe, d, &result);
  if (status != SIMT_FE_RUNNING && status) fail("a command ends with code", result.code);
  return !status;
}

/* Before anything runs: the context with which the second workload begins, and the units as the first begins. */
static void prepare(void) {
  for (unsigned i = 0; i < CLEARING; i++) run_cycle(); /* a unit that clears itself refuses */
  good(simt_fe_open(&fe, read_bus, write_bus, &monitor));
  if (fe.units != units || fe.domains != domains) fail("the driver sees other numbers of units or domains", fe.units);
  for (unsigned u = 0; u < units; u++) access_register(&unit[u], true, 0, base_of(1));
  for (unsigned d = 0; d < domains; d++) {
    struct simt_fe_result result;
    place_contexts(d, 1, 0);
    good(simt_fe_run(&fe, d, SIMT_FE_SAVE, WITHIN, &result));
  }
  for (unsigned u = 0; u < units; u++) access_register(&unit[u], true, 0, base_of(0));
  feeding = true;
}

static void switch_all(uint64_t wanted) {
  bool busy[FEM_DOMAINS_MAX] = {false};
  unsigned on[FEM_DOMAINS_MAX] = {0}; /* workload of each domain */
  uint64_t since = cycles;
  while (switches < wanted) {
    const unsigned d = (unsigned)below(domains);
    if (busy[d]) {
      if (!ended(d)) {
        if (cycles - since > WITHIN) fail("no switch ends", d);
        continue;
      }
      uint32_t times[4];
      good(simt_fe_times(&fe, d, times));
      for (unsigned i = 0; i < 4; i++) phase_cycles[i] += times[i];
      busy[d] = false;
      on[d] ^= 1;
      switches++;
      since = cycles;
    } else if (below(2)) {
      place_contexts(d, on[d], !on[d]);
      good(simt_fe_start(&fe, d, SIMT_FE_SWITCH));
      busy[d] = true;
    }
    for (uint64_t n = below(4) ? below(40) : below(400); n; n--) run_cycle();
  }
}

/* ---- deadlocks ------------------------------------------------------------------------------------------------------ */

static void run_cycles(unsigned n) { while (n--) run_cycle(); }

static void await_report(uint32_t count) {
  for (const uint64_t since = cycles; report.count < count; run_cycle())
    if (cycles - since > WITHIN) fail("no report of a deadlock", count);
}

static uint32_t deadlocks(bool resolved) {
  uint32_t seen, over;
  good(simt_fe_deadlocks(&fe, 0, &seen, &over));
  return resolved ? over : seen;
}

static void watch(uint32_t window) {
  const bool gathers = stuck_by == GATHER;
  good(simt_fe_watch(&fe, 0, window, gathers ? SIMT_FE_CURE_RESET_ALL : SIMT_FE_CURE_REPORT, gathers ? SIMT_FE_CURE_NONE : SIMT_FE_CURE_RESET_ALL));
}

/* What the registers say of the report that has come. */
static void check_report(bool again) {
  struct simt_fe_deadlock last;
  uint32_t irq, named;
  good(simt_fe_take(&fe, &irq));
  good(simt_fe_connections(&fe, SIMT_FE_DEAD, &named));
  good(simt_fe_deadlock(&fe, &last));
  if (irq != (FEM_IRQ_DEAD | (again ? FEM_IRQ_UNRESOLVED : 0u))) fail("other interrupts", irq);
  if (!named || named & ~report.named_once || report.named_always & ((UINT64_C(1) << units) - 1) & ~named) fail("other units are named", named);
  if (last.cycle + 1 != report.at) fail("another cycle is given", report.at);
  if (!last.valid || last.again != again) fail("the report has other flags", last.again);
}

static uint64_t given_by(unsigned u) { return work[u][now[u]].given; }

/* Those that gather are told to resume, whatever is reset: channel after channel they give what they have, until none waits. */
static void gather_for_ever(void) {
  feeding = false;
  await_report(1);
  for (uint32_t n = 1; n == report.count; n++) {
    if (n > CHANNELS) fail("more deadlocks than there are channels", n);
    check_report(false);
    for (unsigned left = 3 * WINDOW; left && n == report.count; left--) run_cycle();
  }
  for (unsigned u = 0; u < units; u++)
    for (unsigned c = 0; c < CHANNELS; c++)
      if (work[u][now[u]].count[c]) fail("a unit keeps what it has gathered", u);
  if (deadlocks(false) != report.count || deadlocks(true) != report.count) fail("not all resolved of", report.count);
}

/* Reported; when the next window is dead too all are reset, and run again when nothing is in the way any more. */
static void reset_in_the_end(void) {
  uint64_t given[MOST_UNITS];
  await_report(1);
  check_report(false);
  if (report.resets) fail("units are reset by the first policy", report.resets);
  await_report(2);
  check_report(true);
  if (report.resets != (UINT64_C(1) << units) - 1) fail("other units are reset", report.resets);
  watch(0);
  stuck = NOT_STUCK;
  for (unsigned u = 0; u < units; u++) given[u] = given_by(u);
  run_cycles(6000);
  for (unsigned u = 0; u < units; u++)
    if (given_by(u) < given[u] + 10) fail("does not run again: unit", u);
  if (deadlocks(true) != 1) fail("deadlocks not resolved", 0);
}

/* No deadlock by the unit's rule: an access that is refused ends, its word counts as 0. The interrupt names the unit. */
static void refuse(void) {
  for (const uint64_t since = cycles; !report.irq; run_cycle())
    if (cycles - since > WITHIN) fail("no interrupt", 0);
  uint32_t irqs, named;
  good(simt_fe_take(&fe, &irqs));
  if (irqs != SIMT_FE_IRQ_NACK) fail("another interrupt", irqs);
  good(simt_fe_read(&fe, FEM_REG_NACK_CONN, &named));
  if (named != 1) fail("another unit is named", named);
  stuck = NOT_STUCK;
  const uint64_t given = given_by(1);
  run_cycles(4000);
  if (given_by(1) < given + 10) fail("stands still behind a refused access: unit", 1);
  access_register(&unit[1], true, 4, 1); /* its sticky bit */
  run_cycles(100);
  good(simt_fe_take(&fe, &irqs));
  run_cycles(2000);
  if (report.irq || deadlocks(false)) fail("an interrupt where none is due", 0);
}

static void expect(const char *what, enum simt_fe_status status, enum simt_fe_status wanted) {
  if (status != wanted) fail(what, status);
}

/* Commands that stop by an error and what ends the stop; a timeout; what the driver refuses; counts of states. */
static void stop_and_go_on(void) {
  struct simt_fe_result result;
  uint64_t counts[SIMT_FE_STATES], all = 0;
  uint32_t times[4];
  stuck_by = STOP;
  run_cycles(2000);
  expect("a domain that is not there", simt_fe_start(&fe, domains, SIMT_FE_SWITCH), SIMT_FE_RANGE);
  expect("a slot that is not there", simt_fe_places(&fe, 0, (struct simt_fe_place){fe.slots + 1, 0}, (struct simt_fe_place){0, 0}), SIMT_FE_RANGE);
  expect("a connection that is not there", simt_fe_counts(&fe, fe.connections, counts), SIMT_FE_RANGE);
  expect("a retry of nothing", simt_fe_start(&fe, 0, SIMT_FE_RETRY), SIMT_FE_REFUSED);
  /* Memory refuses the hub: the switch stops, a second command is refused, a retry goes on. */
  place_contexts(0, 0, 1);
  refusing = true;
  expect("a switch that memory refuses", simt_fe_run(&fe, 0, SIMT_FE_SWITCH, WITHIN, &result), SIMT_FE_STOPPED);
  if (result.stage != 7 || !result.code || result.code > 7 || result.unit >= units) fail("the result of a stop", result.code);
  expect("a second command in a stop", simt_fe_start(&fe, 0, SIMT_FE_SAVE), SIMT_FE_REFUSED);
  refusing = false;
  expect("a retry", simt_fe_run(&fe, 0, SIMT_FE_RETRY, WITHIN, &result), SIMT_FE_OK);
  run_cycles(3000);
  /* A save that is stopped is given up. */
  place_contexts(0, 1, 0);
  refusing = true;
  expect("a save that memory refuses", simt_fe_run(&fe, 0, SIMT_FE_SAVE, WITHIN, &result), SIMT_FE_STOPPED);
  refusing = false;
  good(simt_fe_start(&fe, 0, SIMT_FE_ABORT));
  while (simt_fe_poll(&fe, 0, &result) == SIMT_FE_RUNNING) {}
  if (result.stage || result.code != 9) fail("the result of an abort", result.code);
  run_cycles(3000);
  /* Units that do not halt: nobody answers their memory. */
  good(simt_fe_timeout(&fe, 400, SIMT_FE_LATE_ABORT));
  stuck = UNANSWERED;
  run_cycles(400);
  expect("a switch that times out", simt_fe_run(&fe, 0, SIMT_FE_SWITCH, WITHIN, &result), SIMT_FE_STOPPED);
  if (result.stage || result.code != 8 || result.lost) fail("the result of a timeout", result.code);
  uint32_t late[MOST_UNITS] = {0}, irqs;
  good(simt_fe_connections(&fe, SIMT_FE_LATE, late));
  good(simt_fe_take(&fe, &irqs));
  if (!late[0] || !(irqs & SIMT_FE_IRQ_TIMEOUT)) fail("nobody is late", irqs);
  good(simt_fe_take(&fe, &irqs));
  if (irqs & SIMT_FE_IRQ_TIMEOUT) fail("an interrupt is not cleared", irqs);
  stuck = NOT_STUCK;
  run_cycles(1000);
  expect("a switch behind all that", simt_fe_run(&fe, 0, SIMT_FE_SWITCH, WITHIN, &result), SIMT_FE_OK);
  good(simt_fe_times(&fe, 0, times));
  if (!times[0]) fail("a halt takes no cycle", 0);
  run_cycles(3000);
  good(simt_fe_counts(&fe, 0, counts));
  for (unsigned i = 0; i < SIMT_FE_STATES; i++) all += counts[i];
  if (all > cycles || all + 4 * (fe.interval + 100) < cycles) fail("counts do not add up to the cycles", all);
  if (!counts[SIMT_FE_HALTED] || !counts[SIMT_FE_ACTIVE]) fail("a state is not counted", counts[SIMT_FE_HALTED]);
}

static void be_stuck(enum stuck how) {
  uint32_t irqs;
  good(simt_fe_take(&fe, &irqs));
  good(simt_fe_enable(&fe, SIMT_FE_IRQ_DEAD | SIMT_FE_IRQ_NACK));
  stuck_by = how;
  watch(WINDOW);
  run_cycles(4000);
  stuck = how;
  if (how == GATHER) gather_for_ever();
  else if (how == NACK) refuse();
  else reset_in_the_end();
}

/* ---- the system ---------------------------------------------------------------------------------------------------- */

static void set(struct part *p, const char *name, const char *value) {
  struct simt_diag diag = {0};
  if (!simt_set_param(&p->cfg, name, value, &diag)) fail(diag.expected, 0);
}

static void make(struct part *p) {
  struct simt_diag diag = {0};
  if (!simt_resolve(&p->cfg, &diag)) fail(diag.expected, 0);
  p->in = calloc(p->cfg.desc.in_words + 1, 4);
  p->out = calloc(p->cfg.desc.out_words + 1, 4);
  p->model = simt_model(&p->cfg)->create(&p->cfg, &diag);
  if (!p->in || !p->out || !p->model) fail("memory", 0);
}

static void destroy(struct part *p) {
  simt_model(&p->cfg)->destroy(p->model);
  free(p->in);
  free(p->out);
  simt_config_free(&p->cfg);
}

int main(int argc, char **argv) {
  if (argc < 5) return 2;
  struct simt_diag diag = {0};
  simt_rng_seed(&rng, strtoull(argv[2], NULL, 10));
  local = argv[3][0] == '1';
  units = (unsigned)strtoul(argv[4], NULL, 10);
  if (!units || units > MOST_UNITS) return 2;
  simt_config_init(&tree.cfg, &simt_block_status_tree);
  simt_config_init(&monitor.cfg, &simt_block_front_end_monitor);
  simt_config_init(&hub.cfg, &simt_block_context_hub);
  set(&tree, "UNITS", argv[4]), set(&monitor, "UNITS", argv[4]), set(&hub, "UNITS", argv[4]);
  for (int i = 5; i < argc; i++) {
    char *value = strchr(argv[i], '=');
    if (!value) return 2;
    *value++ = 0;
    set(&tree, argv[i], value), set(&monitor, argv[i], value);
  }
  if (local) set(&monitor, "LOCAL_CONTEXTS", "2"), set(&hub, "LOCAL_CONTEXTS", "2");
  make(&tree), make(&monitor), make(&hub);
  wire_front_end();
  for (unsigned u = 0; u < units; u++) {
    simt_config_init(&unit[u].cfg, &simt_block_gather_sum);
    set(&unit[u], "CHANNELS", "5"), set(&unit[u], "GROUP", "3");
    make(&unit[u]);
  }
  memory = simt_memory_create(&hub.cfg, &diag);
  domains = (unsigned)simt_derived(&monitor.cfg, "DOMAIN_COUNT");
  static const char *const how[] = {"", "gather", "blocked", "unanswered", "nack", "stop"};
  enum stuck chosen = NOT_STUCK;
  for (unsigned i = GATHER; i <= STOP; i++)
    if (!strcmp(argv[1], how[i])) chosen = (enum stuck)i;
  prepare();
  if (chosen == STOP) stop_and_go_on();
  else if (chosen) be_stuck(chosen);
  else switch_all(strtoull(argv[1], NULL, 10));
  uint64_t given[WORKLOADS] = {0};
  for (unsigned u = 0; u < units; u++)
    for (unsigned w = 0; w < WORKLOADS; w++) {
      given[w] += work[u][w].given;
      if (!chosen && work[u][w].given < switches / domains / 4) fail("a workload stands still, of unit", u);
    }
  if (chosen) printf("%s: %u reports of a deadlock, %" PRIu64 " cycles, %" PRIu64 " sums\n", argv[1], report.count, cycles, given[0]);
  else printf("%" PRIu64 " switches, %" PRIu64 " cycles, %" PRIu64 " and %" PRIu64 " sums; cycles of a switch: halt %.1f, store %.1f, reset %.1f, restore %.1f\n",
         switches, cycles, given[0], given[1], (double)phase_cycles[0] / (double)switches, (double)phase_cycles[1] / (double)switches,
         (double)phase_cycles[2] / (double)switches, (double)phase_cycles[3] / (double)switches);
  for (unsigned u = 0; u < units; u++) destroy(&unit[u]);
  destroy(&tree), destroy(&monitor), destroy(&hub);
  simt_memory_destroy(memory);
  return 0;
}
