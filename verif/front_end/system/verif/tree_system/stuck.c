/* SPDX-License-Identifier: Apache-2.0 */
/* stuck.c: deadlocks made on purpose (US-10): the stacks' memories take no request, or give no answer, for some windows; or that
 * of the first domain refuses every access, which is no deadlock by the stacks' rule: groups stop, an interrupt names a stack. Stacks of other domains
 * than the first get no instructions meanwhile. The front end must report that in the cycle in which it is due, name the units that wait,
 * and reset all units, or those of a mask, when the next window is dead too, as its policy says; when memory is well again, all run again. */
#include <string.h>

#include "front_end_monitor/layout.h"
#include "tree_system/env.h"

enum { WINDOW = 700, BEFORE = 3000, WITHIN = 60000, AFTER = 4000, NEXT = 64 };
enum ts_env_step { SET_UP, RUNS, STUCK, FIRST, READ, SECOND, READ_AGAIN, WELL_AGAIN, GOES_ON, OVER, REFUSED, EMPTIES, EMPTY };
enum value { IRQ, CONNS, LAST, CYCLE, SEEN, RESOLVED, STATUS };

void ts_stuck_restart(struct ts_env *e) {
  enum ts_fault fault = e->stuck.fault;
  bool masked = e->stuck.masked;
  memset(&e->stuck, 0, sizeof e->stuck);
  e->stuck.fault = fault;
  e->stuck.masked = masked;
}

/* Units that the second deadlock resets: all, or every other stack of the first domain. */
static uint32_t to_reset(const struct ts_env *e) {
  uint32_t units = 0;
  if (!e->stuck.masked) return (UINT32_C(1) << e->system.units) - 1;
  for (unsigned part = 0; part < e->system.each; part += 2) units |= UINT32_C(1) << ts_unit(&e->system, part);
  return units;
}

void ts_stuck_choose(struct ts_env *e, struct ts_choice *c) {
  const bool refuses = e->stuck.now == TS_NACK;
  for (unsigned i = 0; i < (refuses ? 1 : e->system.domains) && e->stuck.now; i++)
    c->mem[i] = simt_memory_word(refuses || e->stuck.now == TS_NO_ANSWER, refuses, 0, refuses ? 2 : 0);
}

bool ts_stuck_holds(const struct ts_env *e, unsigned stack) { return e->stuck.hold[stack]; }

/* Of two domains or more one is stuck, the others have nothing to do: they are not to be named. */
bool ts_stuck_idle(const struct ts_env *e, unsigned stack) { return e->stuck.now && stack >= e->system.each; }

void ts_stuck_value(struct ts_env *e, unsigned at, uint32_t data) { e->stuck.value[at] = data; }

static void read_report(struct ts_env *e) {
  ts_ask(e, FEM_REG_IRQ_STATUS, TS_STUCK_VALUE, IRQ);
  ts_ask(e, FEM_REG_DEAD_CONNS, TS_STUCK_VALUE, CONNS);
  ts_ask(e, FEM_REG_DEAD_LAST, TS_STUCK_VALUE, LAST);
  ts_ask(e, FEM_REG_DEAD_CYCLE, TS_STUCK_VALUE, CYCLE);
  ts_ask(e, FEM_REG_DEAD_SEEN, TS_STUCK_VALUE, SEEN);
  ts_ask(e, FEM_REG_DEAD_RESOLVED, TS_STUCK_VALUE, RESOLVED);
  ts_put(e, FEM_REG_IRQ_STATUS, 127);
}

/* Software: what it does when its accesses have their answers. */
void ts_stuck_go_on(struct ts_env *e) {
  switch ((enum ts_env_step)e->stuck.step) {
  case SET_UP:
    ts_put(e, FEM_REG_IRQ_ENABLE, FEM_IRQ_DEAD | FEM_IRQ_NACK);
    ts_put(e, FEM_REG_DEAD_POLICY, (unsigned)FEM_REPORT | (unsigned)(e->stuck.masked ? FEM_RESET_MASK : FEM_RESET_ALL) << 4 | NEXT);
    if (e->stuck.masked) ts_put(e, FEM_REG_MASK, to_reset(e)); /* each unit has its command connection */
    ts_put(e, FEM_REG_WINDOW, WINDOW);
    e->soft.pause = BEFORE;
    e->stuck.step = RUNS;
    break;
  case RUNS: /* nothing was reported (ts_stuck_observe) */
    e->stuck.now = e->stuck.fault;
    e->stuck.step = STUCK;
    break;
  case REFUSED:
    ts_ask(e, FEM_REG_IRQ_STATUS, TS_STUCK_VALUE, IRQ);
    ts_ask(e, FEM_REG_NACK_CONN, TS_STUCK_VALUE, CONNS);
    e->soft.pause = AFTER; /* no deadlock is reported (ts_stuck_observe) */
    e->stuck.step = EMPTIES;
    break;
  case EMPTIES:
    e->stuck.now = TS_NO_FAULT;
    ts_put(e, FEM_REG_COMMAND, FEM_EMPTY);
    e->stuck.step = EMPTY;
    break;
  case EMPTY:
    ts_ask(e, FEM_REG_STATUS, TS_STUCK_VALUE, STATUS);
    if (e->stuck.value[STATUS] != (FEM_EMPTY << 4 | 1u << 13)) break; /* idle, the code is 0 */
    ts_put(e, FEM_REG_IRQ_STATUS, 127);
    e->soft.pause = AFTER;
    e->stuck.step = GOES_ON;
    break;
  case FIRST: case SECOND:
    read_report(e);
    e->stuck.step++;
    break;
  case WELL_AGAIN:
    ts_put(e, FEM_REG_WINDOW, 0);
    ts_put(e, FEM_REG_IRQ_STATUS, 127);
    e->stuck.now = TS_NO_FAULT;
    for (unsigned u = 0; u < e->system.stacks; u++) e->stuck.results[u] = e->work[u][0]->results;
    e->soft.pause = AFTER;
    e->stuck.step = GOES_ON;
    break;
  case GOES_ON:
    ts_ask(e, FEM_REG_DEAD_RESOLVED, TS_STUCK_VALUE, RESOLVED);
    ts_ask(e, FEM_REG_DEAD_SEEN, TS_STUCK_VALUE, SEEN);
    ts_ask(e, FEM_REG_IRQ_STATUS, TS_STUCK_VALUE, IRQ);
    e->stuck.step = OVER;
    break;
  default: break;
  }
}

/* The reports of this cycle: since when has nothing moved while something waits, and what waits? */
static void follow(struct ts_env *e, const uint32_t *out) {
  static const enum simt_unit_state waits[] = {SIMT_STALLED, SIMT_QUIESCENT};
  uint32_t waiting = 0, moving = 0;
  for (unsigned part = 0; part < e->system.units; part++) {
    const unsigned u = ts_unit(&e->system, part);
    for (unsigned i = 0; i < 2; i++)
      waiting |= (uint32_t)(ts_state(e, part) == simt_status_code(waits[i], (enum simt_status_encoding)e->system.encoding)) << u;
    moving |= (uint32_t)ts_bit(&out[e->at_progress], u) << u;
  }
  if (!waiting || moving) {
    e->stuck.quiet_from = e->cycle + 1;
    e->stuck.waited_once = 0;
    e->stuck.waited_always = UINT32_MAX;
    return;
  }
  e->stuck.waited_once |= waiting;
  e->stuck.waited_always &= waiting;
}

/* A unit's report register shows a cycle one cycle later; then the tree, the monitor, the register of the interrupt. */
static const char *check_time(struct ts_env *e) {
  const struct simt_config *front = &e->system.part[e->system.units];
  const uint64_t took = e->cycle - (e->stuck.quiet_from - 2);
  const uint64_t bound = WINDOW + simt_param(front, "STAGES") + simt_derived(front, "MONITOR_LATENCY") + 1;
  if (took != bound)
    return ts_wrong(e, "a deadlock is reported %u cycles behind the last progress, expected %u", (unsigned)took, (unsigned)bound);
  return NULL;
}

static const char *check_report(struct ts_env *e, bool again) {
  const uint32_t *v = e->stuck.value, irq = FEM_IRQ_DEAD | (again ? FEM_IRQ_UNRESOLVED : 0u);
  if (v[IRQ] != irq) return ts_wrong(e, "interrupts 0x%x, expected 0x%x", v[IRQ], irq);
  const uint32_t last = again ? v[LAST] | UINT32_C(1) << 29 : v[LAST]; /* behind the reset they run again at once */
  if (last != (UINT32_C(0xa0000000) | (uint32_t)again << 30)) return ts_wrong(e, "the last deadlock is 0x%x", v[LAST]);
  if (v[SEEN] != 1 || v[RESOLVED] > again) return ts_wrong(e, "%u deadlocks seen, %u resolved", v[SEEN], v[RESOLVED]);
  if (v[CYCLE] + 1 != (uint32_t)e->stuck.reported) return ts_wrong(e, "reported for cycle %u, came in %u", v[CYCLE], (unsigned)e->stuck.reported);
  if (!v[CONNS] || v[CONNS] & ~e->stuck.once || e->stuck.always & ~v[CONNS])
    return ts_wrong(e, "connections 0x%x are named; 0x%x waited, 0x%x all the time", v[CONNS], e->stuck.once, e->stuck.always);
  if (e->stuck.resets != (again ? to_reset(e) : 0)) return ts_wrong(e, "units 0x%x are reset", e->stuck.resets);
  return NULL;
}

/* A stack that is reset begins anew; until its reset is there nothing is offered to it. */
static void follow_resets(struct ts_env *e, const uint32_t *out) {
  for (unsigned part = 0; part < e->system.units; part++) {
    if (part < e->system.stacks && e->stuck.hold[part]) e->stuck.hold[part]--;
    if (!ts_bit(&out[e->at_reset], ts_unit(&e->system, part))) continue;
    e->stuck.resets |= UINT32_C(1) << ts_unit(&e->system, part);
    if (part >= e->system.stacks) continue;
    bu_env_restart(e->work[part][0]);
    e->stuck.hold[part] = (unsigned)simt_param(&e->system.part[e->system.units], "STAGES") + 2;
  }
}

/* The golden models do not see the arbiters' memory: a group may have been refused something. */
static void allow_faults(struct ts_env *e) {
  for (unsigned u = 0; u < e->system.stacks; u++)
    for (unsigned g = 0; g < e->work[u][0]->l.threads; g++) e->work[u][0]->group[g].may_fault = true;
}

static const char *check_refused(struct ts_env *e) {
  if (e->stuck.value[IRQ] != FEM_IRQ_NACK) return ts_wrong(e, "interrupts 0x%x", e->stuck.value[IRQ]);
  if (e->stuck.value[CONNS] >= e->system.each) return ts_wrong(e, "connection %u is named", e->stuck.value[CONNS]);
  return NULL;
}

static const char *check_end(struct ts_env *e) {
  const uint32_t *v = e->stuck.value, deadlocks = e->stuck.fault != TS_NACK;
  if (v[SEEN] != deadlocks || v[RESOLVED] != deadlocks) return ts_wrong(e, "%u deadlocks seen, %u resolved", v[SEEN], v[RESOLVED]);
  if (v[IRQ]) return ts_wrong(e, "interrupts 0x%x in the end", v[IRQ]);
  for (unsigned u = 0; u < e->system.stacks; u++)
    if (e->work[u][0]->results < e->stuck.results[u] + 20) return ts_wrong(e, "stack %u does not run again", u);
  e->switches = e->most = 1;
  return NULL;
}

const char *ts_stuck_observe(struct ts_env *e, const uint32_t *out) {
  const bool irq = e->stuck.irq, settled = e->soft.i == e->soft.n;
  const char *wrong = NULL;
  follow_resets(e, out);
  e->stuck.irq = out[e->at_irq];
  if (e->stuck.irq && !irq) {
    if (e->stuck.step != STUCK && e->stuck.step != READ) return ts_wrong(e, "a deadlock is reported where there is none");
    e->stuck.reported = e->cycle;
    e->stuck.once = e->stuck.waited_once;
    e->stuck.always = e->stuck.waited_always & ((UINT32_C(1) << e->system.units) - 1);
    if (e->stuck.now == TS_NACK) e->stuck.step = REFUSED - 1;
    else if (e->stuck.step == STUCK) wrong = check_time(e);
    e->stuck.step++;
  }
  if (!wrong && e->stuck.step == READ && settled && e->stuck.value[IRQ]) {
    wrong = check_report(e, false);
    e->stuck.value[IRQ] = 0;
  } else if (!wrong && e->stuck.step == READ_AGAIN && settled) {
    wrong = check_report(e, true);
    e->stuck.step = WELL_AGAIN;
  } else if (!wrong && e->stuck.step == OVER && settled) {
    wrong = check_end(e);
  }
  if (!wrong && e->stuck.step == EMPTY && settled && e->stuck.value[IRQ]) {
    wrong = check_refused(e);
    e->stuck.value[IRQ] = 0;
  }
  if (e->stuck.now == TS_NACK) allow_faults(e);
  follow(e, out);
  e->stuck.waited = e->stuck.now ? e->stuck.waited + 1 : 0;
  if (!wrong && e->stuck.waited > WITHIN) return ts_wrong(e, "no deadlock is reported");
  return wrong;
}
