/* SPDX-License-Identifier: Apache-2.0 */
/* software.c: software: makes two contexts of every unit, then switches domain after domain between them, at random. */
#include "tree_system/env.h"

#include <string.h>

#include "front_end_monitor/layout.h"

enum { CLEARING = 64, STACK_BASE = 0x008, WITHIN = 400000, IMAGES_LG = 24 };

void ts_software_restart(struct ts_env *e) {
  memset(&e->soft, 0, sizeof e->soft);
  e->soft.pause = CLEARING + (unsigned)simt_param(e->cfg, "THREADS");
  memset(&e->figures, 0, sizeof e->figures);
}

static void add(struct ts_env *e, struct ts_access a) {
  if (e->soft.n < TS_QUEUE) e->soft.queue[e->soft.n++] = a;
}
void ts_put(struct ts_env *e, uint32_t addr, uint32_t data) {
  add(e, (struct ts_access){e->system.units, true, addr, data, TS_NOTHING, 0});
}
void ts_ask(struct ts_env *e, uint32_t addr, enum ts_wanted wanted, unsigned at) {
  add(e, (struct ts_access){e->system.units, false, addr, 0, wanted, at});
}

/* Each stack's workloads have regions of memory of their own. */
static void place_stacks(struct ts_env *e, unsigned workload) {
  const uint64_t region = (uint64_t)simt_param(&e->system.part[0], "THREADS") << simt_derived(&e->system.part[0], "STRIDE_MAX");
  unsigned lg = simt_clog2(region);
  for (unsigned u = 0; u < e->system.stacks; u++)
    add(e, (struct ts_access){u, true, STACK_BASE, (u * TS_WORKLOADS + workload) << lg, TS_NOTHING, 0});
}

static void begin(struct ts_env *e, unsigned domain, unsigned command) {
  ts_put(e, FEM_REG_SAVE_BASE, (e->soft.on[domain] + 1) << IMAGES_LG);
  ts_put(e, FEM_REG_LOAD_BASE, (2 - e->soft.on[domain]) << IMAGES_LG);
  ts_put(e, FEM_REG_COMMAND, command);
  e->soft.busy[domain] = true;
  e->soft.since[domain] = e->cycle;
}

static void run(struct ts_env *e, uint64_t dice) {
  static const unsigned command[] = {FEM_SWITCH, FEM_DO_DRAIN, FEM_DO_DRAIN};
  const unsigned d = (unsigned)(dice % e->system.domains);
  e->soft.domain = d;
  ts_put(e, FEM_REG_DOMAIN, d);
  if (e->soft.busy[d]) {
    ts_ask(e, FEM_REG_IRQ_STATUS, TS_IRQ, 0);
    ts_ask(e, FEM_REG_STATUS, TS_STATUS, 0);
  } else if (dice >> 8 & 1) {
    begin(e, d, command[e->mode]);
  }
  const unsigned most = dice >> 10 & 3 ? 40 : 400;
  e->soft.pause = (unsigned)((dice >> 16) % most);
  if (e->stim.latency && !e->soft.busy[d]) e->soft.pause += 4000; /* figures: time for traffic */
}

/* What is next, when all accesses have their answers. */
static void go_on(struct ts_env *e, uint64_t dice) {
  e->soft.n = e->soft.i = 0;
  switch (e->soft.stage) {
  case TS_CLEARING:
    place_stacks(e, e->mode != TS_STUCK);
    e->soft.on[0] = 1;
    e->soft.domain = 0;
    e->soft.stage = e->mode == TS_STUCK ? TS_RUN : TS_FIRST_SAVE;
    break;
  case TS_FIRST_SAVE:
    e->soft.on[e->soft.domain] = 1;
    ts_put(e, FEM_REG_DOMAIN, e->soft.domain);
    begin(e, e->soft.domain, FEM_SAVE);
    e->soft.stage = TS_FIRST_WAIT;
    break;
  case TS_FIRST_WAIT: ts_ask(e, FEM_REG_STATUS, TS_STATUS, 0); break;
  case TS_BASES:
    place_stacks(e, 0);
    e->soft.stage = TS_RUN;
    break;
  default:
    e->soft.feeding = true;
    if (e->mode == TS_STUCK) ts_stuck_go_on(e);
    else run(e, dice);
  }
}

void ts_software_drive(struct ts_env *e, uint64_t dice) {
  if (e->soft.i == e->soft.n) {
    if (e->soft.pause) e->soft.pause--;
    else go_on(e, dice);
  }
  const bool open = e->soft.i < e->soft.n && !e->soft.waits;
  const struct ts_access *a = &e->soft.queue[e->soft.i % TS_QUEUE];
  for (unsigned part = 0; part < e->system.parts; part++) {
    const struct simt_reg_ports *at = &e->reg[part];
    uint32_t *in = e->view[part].in;
    if (ts_kind_of(&e->system, part) == TS_ARBITER || (part < e->system.stacks && e->soft.feeding)) continue;
    in[at->valid] = open && a->part == part;
    if (!open || a->part != part) continue;
    in[at->write] = a->write;
    in[at->addr] = a->addr;
    in[at->data] = a->data;
  }
  e->soft.offered = open;
}

static void switched(struct ts_env *e) {
  struct ts_figures *f = &e->figures;
  uint64_t total = 0;
  f->n++;
  for (unsigned i = 0; i < TS_PHASES; i++) {
    f->sum[i] += e->soft.time[i];
    if (e->soft.time[i] > f->worst[i]) f->worst[i] = e->soft.time[i];
    total += e->soft.time[i];
  }
  f->total += total;
  if (total > f->worst_total) f->worst_total = total;
  if (e->mode == TS_SWITCH) e->soft.on[e->soft.domain] ^= 1;
  e->switches++;
  e->cover[TS_SWITCHED]++;
}

static const char *ended(struct ts_env *e) {
  const unsigned d = e->soft.domain;
  e->soft.busy[d] = false;
  if (e->soft.stage == TS_RUN) {
    for (unsigned i = 0; i < TS_PHASES; i++) ts_ask(e, FEM_REG_TIME + 4 * i, TS_TIME, i);
    return NULL;
  }
  e->soft.on[d] = 0;
  if (++e->soft.domain < e->system.domains) e->soft.stage = TS_FIRST_SAVE;
  else e->soft.stage = TS_BASES;
  return NULL;
}

static const char *answered(struct ts_env *e, const struct ts_access *a, uint32_t data) {
  const unsigned d = e->soft.domain;
  switch (a->wanted) {
  case TS_STATUS:
    if ((data & 7) == FEM_STOP || data >> 8 & 15) return ts_wrong(e, "a command of domain %u ends with code %u", d, data >> 8 & 15);
    if ((data & 7) == FEM_IDLE) return ended(e);
    if (e->cycle - e->soft.since[d] > WITHIN) return ts_wrong(e, "a command of domain %u does not end", d);
    return NULL;
  case TS_IRQ:
    if (data & ~(uint32_t)FEM_IRQ_DONE) return ts_wrong(e, "interrupts 0x%x", data);
    return NULL;
  case TS_TIME:
    e->soft.time[a->at] = data;
    if (a->at + 1 == TS_PHASES) switched(e);
    return NULL;
  case TS_STUCK_VALUE: ts_stuck_value(e, a->at, data); return NULL;
  default: return NULL;
  }
}

const char *ts_software_observe(struct ts_env *e) {
  const struct ts_access *a = &e->soft.queue[e->soft.i % TS_QUEUE];
  if (!e->soft.offered && !e->soft.waits) return NULL;
  const struct simt_reg_ports *at = &e->reg[a->part];
  const uint32_t *out = e->view[a->part].out;
  if (e->soft.waits && out[at->rsp]) {
    e->soft.waits = false;
    e->soft.i++;
    if (out[at->rsp_error]) return ts_wrong(e, "a register access is refused: part %u, 0x%x", a->part, a->addr);
    return answered(e, a, out[at->rsp_data]);
  }
  if (e->soft.offered && out[at->ready]) e->soft.waits = true;
  return NULL;
}
