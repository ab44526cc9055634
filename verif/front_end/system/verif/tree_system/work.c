/* SPDX-License-Identifier: Apache-2.0 */
/* work.c: two workloads for every stack. Each is an environment of the branch unit with its golden models: tokens, and every
 * lane alone. It sees cycles of its own workload only, so what it checks is a run that is never switched. */
#include "tree_system/env.h"

#include <inttypes.h>
#include <stdio.h>

extern const struct simt_verif simt_verif_branch_stack;

bool ts_work_create(struct ts_env *e, struct simt_diag *diag) {
  for (unsigned u = 0; u < e->system.stacks; u++)
    for (unsigned w = 0; w < TS_WORKLOADS; w++) {
      struct simt_stimulus stim = {.kind = "random", .profile = e->stim.latency ? "programs" : w ? "recursion" : NULL,
                                   .cycles = 60000, .seed = e->stim.seed * 32 + 2 * u + w};
      e->work[u][w] = bu_env_create(&e->system.part[u], &stim, diag);
      if (!e->work[u][w]) return false;
      e->work[u][w]->l.status = 0; /* the front end is not its own */
    }
  return true;
}

void ts_work_destroy(struct ts_env *e) {
  for (unsigned u = 0; u < TS_STACKS_MOST; u++)
    for (unsigned w = 0; w < TS_WORKLOADS; w++) bu_env_destroy(e->work[u][w]);
}

void ts_work_restart(struct ts_env *e) {
  for (unsigned u = 0; u < e->system.stacks; u++) {
    e->now[u] = 0;
    for (unsigned w = 0; w < TS_WORKLOADS; w++) bu_env_restart(e->work[u][w]);
  }
}

void ts_work_choose(struct ts_env *e, struct ts_choice *c) {
  for (unsigned u = 0; u < e->system.stacks; u++) {
    if (ts_state(e, u) == e->halted_code) continue;
    bu_env_choose(e->work[u][e->now[u]], &c->stack[u]);
    c->stack[u].order = SIMT_NO_ORDER;
    c->stack[u].flags &= (uint16_t)~(BU_RESET | BU_FAULT_AFTER);
  }
}

/* A halted stack whose registers have answered: what is offered stays, and nothing may come of it (verif.c). */
static bool rests(const struct ts_env *e, unsigned u) {
  const struct bu_env *w = e->work[u][e->now[u]];
  return e->soft.feeding && ts_state(e, u) == e->halted_code && !w->reg.waits && !w->reg.shown;
}

void ts_work_drive(struct ts_env *e, const struct ts_choice *c, const uint32_t *out) {
  for (unsigned u = 0; u < e->system.stacks; u++) {
    struct bu_env *w = e->work[u][e->now[u]];
    const bool busy = e->soft.busy[u / e->system.each];
    e->rests[u] = rests(e, u) || ts_stuck_holds(e, u);
    if (ts_stuck_holds(e, u)) e->view[u].in[w->at.valid] = e->view[u].in[w->at.reg] = 0;
    if (e->rests[u]) continue;
    struct bu_choice choice = c->stack[u];
    if (ts_halt(e, out, u) || !e->soft.feeding || e->mode == TS_STUCK) choice.flags &= (uint16_t)~BU_DO_REG;
    if (!e->soft.feeding || ts_stuck_idle(e, u) || (busy && e->mode == TS_DRAIN)) choice.flags &= (uint16_t)~BU_DO_INS;
    bu_env_drive(w, &choice, e->view[u].out, e->view[u].in);
    uint32_t *in = e->view[u].in;
    if (busy && e->mode == TS_FINISH && in[w->at.valid] && in[w->at.kind] == BU_LAUNCH) in[w->at.valid] = 0;
  }
}

/* From the reset of its context on a unit belongs to the other workload. */
static const char *change(struct ts_env *e, unsigned u) {
  const struct bu_env *w = e->work[u][e->now[u]];
  if (ts_state(e, u) != e->halted_code) return ts_wrong(e, "stack %u is reset and not halted", u);
  if (w->reg.waits || w->reg.shown) return ts_wrong(e, "stack %u is reset with a register access under way", u);
  e->now[u] ^= 1;
  return NULL;
}

const char *ts_work_observe(struct ts_env *e, const uint32_t *out) {
  const char *wrong = NULL;
  for (unsigned u = 0; u < e->system.stacks; u++) {
    e->work[u][e->now[u]]->closed = e->asked[u] || ts_state(e, u) == e->halted_code;
    e->asked[u] = ts_halt(e, out, u);
    const char *next = e->rests[u] ? NULL : bu_env_observe(e->work[u][e->now[u]], e->view[u].in, e->view[u].out);
    if (next && !wrong) wrong = ts_wrong(e, "stack %u, workload %u: %s", u, e->now[u], next);
    if (!e->soft.feeding || e->mode == TS_STUCK || !ts_bit(&out[e->at_reset], ts_unit(&e->system, u))) continue;
    next = change(e, u);
    if (!wrong) wrong = next;
  }
  return wrong;
}

bool ts_report(const struct ts_env *e, char *to, size_t room) {
  const struct ts_figures *f = &e->figures;
  uint64_t results[TS_WORKLOADS] = {0}, least = UINT64_MAX;
  for (unsigned u = 0; u < e->system.stacks; u++)
    for (unsigned w = 0; w < TS_WORKLOADS; w++) {
      results[w] += e->work[u][w]->results;
      if (e->work[u][w]->results < least) least = e->work[u][w]->results;
    }
  const double n = f->n ? (double)f->n : 1;
  snprintf(to, room, "%" PRIu64 " switches, %" PRIu64 " cycles, %" PRIu64 " and %" PRIu64 " results, %" PRIu64 " accesses of memory; cycles "
           "of a switch: halt %.1f (at most %" PRIu64 "), store %.1f, reset %.1f, restore %.1f", e->switches, e->cycle, results[0], results[1],
           e->spilled, (double)f->sum[0] / n, f->worst[0], (double)f->sum[1] / n, (double)f->sum[2] / n, (double)f->sum[3] / n);
  return e->mode != TS_SWITCH || least > e->switches / e->system.domains;
}
