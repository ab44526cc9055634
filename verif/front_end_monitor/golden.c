/* SPDX-License-Identifier: Apache-2.0 */
/* golden.c: the switch sequence as a reference on whole domains (US-8, US-15). It follows what happens to each unit:
 * nothing may happen to it out of order, and a domain is released only when all that was to happen has. When is left
 * to the monitor, but for the halt timeout, and but for standing still. */
#include <string.h>

#include "front_end_monitor/env.h"

enum { STILL = 80 };

void fem_golden_restart(struct fem_env *e) {
  memset(e->plan, 0, sizeof e->plan);
  memset(e->fate, 0, sizeof e->fate);
  memset(e->was_late, 0, sizeof e->was_late);
  memset(&e->offer, 0, sizeof e->offer);
}

static bool saves(enum fem_command what) { return what == FEM_SWITCH || what == FEM_SAVE; }
static bool resets(enum fem_command what) { return what == FEM_SWITCH || what == FEM_DO_RESTORE || what == FEM_EMPTY; }
static bool restores(enum fem_command what) { return what == FEM_SWITCH || what == FEM_DO_RESTORE; }
static unsigned domain_of(const struct fem_env *e, unsigned unit) { return e->l.domain[e->conn_of[unit]]; }

/* Halted, and no reset on its way to it. */
static bool at_rest(const struct fem_env *e, unsigned u) {
  const struct fem_fate *f = &e->fate[u];
  bool under_way = f->reset && e->cycle <= f->reset_at + e->l.stages + 1;
  return e->unit[u].state == SIMT_HALTED && e->unit[u].halt_req && !e->unit[u].ctx_reset && !under_way;
}

static bool stored(const struct fem_env *e, unsigned u) {
  return !saves(e->plan[domain_of(e, u)].what) || e->fate[u].saved || e->fate[u].lost; /* what is lost is not stored over its image */
}

static bool through(const struct fem_env *e, unsigned u) {
  enum fem_command what = e->plan[domain_of(e, u)].what;
  const struct fem_fate *f = &e->fate[u];
  return stored(e, u) && (!resets(what) || f->reset) && (!restores(what) || f->restored) && at_rest(e, u);
}

static bool all(const struct fem_env *e, unsigned d, bool (*holds)(const struct fem_env *, unsigned)) {
  for (unsigned u = 0; u < e->l.units; u++)
    if (domain_of(e, u) == d && !holds(e, u)) return false;
  return true;
}

/* ---- commands of the software ------------------------------------------------------------------------------- */

bool fem_golden_takes(const struct fem_env *e, unsigned d, uint32_t what) {
  const struct fem_plan *p = &e->plan[d];
  if (what == FEM_ABORT) return p->runs && (p->stopped || (!p->was_reset && !p->ending));
  if (what == FEM_RETRY) return p->runs && p->stopped;
  if (what == FEM_DO_RESTORE || what == FEM_EMPTY) return !p->runs || p->stopped;
  return what >= FEM_SWITCH && what <= FEM_DO_DRAIN && !p->runs;
}

void fem_golden_command(struct fem_env *e, unsigned d, uint32_t what) {
  struct fem_plan *p = &e->plan[d];
  if (what == FEM_RETRY) {
    if (p->code && p->code < FEM_TIMED_OUT) fem_hit(e, e->hub.load ? FEM_COVER_RETRY_LOAD : FEM_COVER_RETRY_SAVE);
    p->stopped = p->stands = false;
    p->code = 0;
    p->wait = p->again = e->sw.timeout;
    return;
  }
  if (what == FEM_ABORT) {
    bool works = e->hub.busy && domain_of(e, e->hub.unit) == d;
    if (p->stopped) fem_hit(e, FEM_COVER_ABORT_STOP);
    else if (works) fem_hit(e, FEM_COVER_ABORT_HUB);
    else if (!p->drains) fem_hit(e, FEM_COVER_ABORT_HALT);
    if (p->drains) p->runs = false;
    p->ending = p->aborted = true;
    p->stopped = false;
    p->still = 0;
    p->code = FEM_ABORTED;
    return;
  }
  if (p->stopped) { /* what was to be done is given up; what the hub is at work at, or asked for, goes to its end */
    e->hub.stale = (e->hub.busy && domain_of(e, e->hub.unit) == d) || (e->offer.valid && !e->hub.starts && domain_of(e, e->offer.unit) == d);
    fem_hit(e, what == FEM_EMPTY ? FEM_COVER_RESTART_EMPTY : FEM_COVER_RESTART_LOAD);
  }
  if (!p->stopped && e->plan[d].released && e->cycle - p->released < 2 * e->l.stages) fem_hit(e, FEM_COVER_REHALT);
  uint64_t released = p->released;
  unsigned unit = p->unit;
  uint8_t halted = p->halted, rehalted = p->rehalted, empty = p->empty;
  *p = (struct fem_plan){.runs = true, .drains = what == FEM_DO_DRAIN, .waits = true, .what = (enum fem_command)what,
                         .wait = e->sw.timeout, .again = e->sw.timeout, .settle = e->l.settle, .released = released, .halted = halted,
                         .rehalted = rehalted, .empty = empty,
                         .unit = unit};
  for (unsigned u = 0; u < e->l.units; u++)
    if (domain_of(e, u) == d) {
      uint64_t reset_at = e->fate[u].reset_at;
      memset(&e->fate[u], 0, sizeof e->fate[u]);
      e->fate[u].reset_at = reset_at;
      e->was_late[e->conn_of[u]] = false;
    }
}

/* ---- halt and release ----------------------------------------------------------------------------------------- */

static void cover_end(struct fem_env *e, const struct fem_plan *p) {
  static const uint8_t point[] = {[FEM_SWITCH] = FEM_COVER_SWITCH, [FEM_SAVE] = FEM_COVER_SAVE, [FEM_DO_RESTORE] = FEM_COVER_RESTORE,
                                  [FEM_EMPTY] = FEM_COVER_EMPTY};
  fem_hit(e, (enum fem_cover)point[p->what]);
  for (unsigned u = 0; u < e->l.units && saves(p->what); u++)
    if (&e->plan[domain_of(e, u)] == p && e->fate[u].lost && !e->fate[u].saved) fem_hit(e, FEM_COVER_LOST_KEPT);
  for (unsigned d = 0; d < e->l.domains; d++)
    if (&e->plan[d] != p && e->plan[d].runs && !e->plan[d].drains) fem_hit(e, FEM_COVER_ONE_RELEASED);
}

static const char *check_release(struct fem_env *e, unsigned d) {
  struct fem_plan *p = &e->plan[d];
  bool complete = all(e, d, through);
  if (!complete && !p->ending) {
    for (unsigned u = 0; u < e->l.units; u++)
      if (domain_of(e, u) == d && !through(e, u))
        return fem_wrong(e, "domain %u is released, and unit %u is %s", d, u,
                         !stored(e, u) ? "not stored" : !at_rest(e, u) ? "not halted" : "not restored");
  }
  if (complete && !p->ending) {
    e->sw.irq_set |= FEM_IRQ_DONE;
    cover_end(e, p);
    e->done++;
  } else if (complete && p->aborted) {
    e->sw.irq_may |= FEM_IRQ_DONE;
  }
  if (e->hub.busy && domain_of(e, e->hub.unit) == d) return fem_wrong(e, "domain %u is released while the hub moves a context of it", d);
  p->runs = false;
  p->completed = complete && !p->aborted;
  p->released = e->cycle;
  return NULL;
}

static const char *check_halt(struct fem_env *e, const uint32_t *out) {
  unsigned under = 0;
  for (unsigned u = 0; u < e->l.units; u++) {
    unsigned d = domain_of(e, u);
    struct fem_plan *p = &e->plan[d];
    bool halt = fem_is(&out[e->at.halt], fem_line(e, u)), wanted = p->runs && !p->drains;
    if (halt && !wanted) return fem_wrong(e, "unit %u is under halt, and its domain %u is not", u, d);
    if (halt || !wanted) continue;
    for (unsigned v = 0; v < e->l.units; v++)
      if (domain_of(e, v) == d && fem_is(&out[e->at.halt], fem_line(e, v)))
        return fem_wrong(e, "unit %u is released, and unit %u of the same domain is not", u, v);
    const char *wrong = check_release(e, d);
    if (wrong) return wrong;
  }
  for (unsigned d = 0; d < e->l.domains; d++) under += e->plan[d].runs && !e->plan[d].drains;
  if (under > 1) fem_hit(e, FEM_COVER_TWO_DOMAINS);
  return NULL;
}

/* ---- resets --------------------------------------------------------------------------------------------------- */

static const char *check_plan_reset(struct fem_env *e, unsigned u) {
  unsigned d = domain_of(e, u);
  const struct fem_plan *p = &e->plan[d];
  bool begun = u > e->l.first[e->conn_of[u]] && e->fate[u - 1].reset; /* once one of a group is reset all are, stopped or not */
  if (!p->runs || p->drains || ((p->stopped || p->ending) && !begun)) return fem_wrong(e, "unit %u is reset, and nobody asked for it", u);
  if (!resets(p->what)) return fem_wrong(e, "unit %u is reset by a save only", u);
  if (e->fate[u].reset) return fem_wrong(e, "unit %u is reset a second time", u);
  if (!stored(e, u)) return fem_wrong(e, "unit %u is reset before it is stored", u);
  if (!at_rest(e, u)) return fem_wrong(e, "unit %u is reset before it has halted", u);
  if (!e->l.each && (!all(e, d, stored) || !all(e, d, at_rest))) return fem_wrong(e, "a domain is reset before all of it is stored and halted");
  return NULL;
}

static void was_reset(struct fem_env *e, unsigned u, bool planned) {
  struct fem_plan *p = &e->plan[domain_of(e, u)];
  p->was_reset = true;
  p->settle = e->l.settle;
  if (!e->l.each) p->wait = e->sw.timeout_was;
  else if (planned) p->again = e->sw.timeout_was;
  p->waits = true;
  e->fate[u].reset_at = e->cycle;
  if (planned) e->fate[u].reset = true;
  if (planned && u + 1 == e->l.first[e->conn_of[u] + 1]) p->first_next = true;
  if (planned) p->phase = 2;
}

static const char *check_resets(struct fem_env *e, const uint32_t *out) {
  for (unsigned u = 0; u < e->l.units; u++) {
    unsigned line = fem_line(e, u), c = e->conn_of[u];
    const struct fem_plan *p = &e->plan[domain_of(e, u)];
    bool pulse = fem_is(&out[e->at.reset], line), forced = p->expired_here[FEM_RESET_LATE] && (!e->l.each || e->was_late[c]);
    if (forced && !pulse) return fem_wrong(e, "unit %u is late, and is not reset by the timeout", u);
    if (e->reset_due[line] && !pulse) return fem_wrong(e, "unit %u is not reset by the policy of a deadlock", u);
    if (!pulse || e->reset_due[line]) continue;
    const char *wrong = forced ? NULL : check_plan_reset(e, u);
    if (wrong) return wrong;
  }
  for (unsigned u = 0; u < e->l.units; u++) { /* all checked before any is done: a domain is reset at once */
    const struct fem_plan *p = &e->plan[domain_of(e, u)];
    bool forced = p->expired_here[FEM_RESET_LATE] && (!e->l.each || e->was_late[e->conn_of[u]]);
    unsigned line = fem_line(e, u);
    if (fem_is(&out[e->at.reset], line) && !e->reset_due[line]) was_reset(e, u, !forced);
  }
  for (unsigned line = 0; line < e->l.commands; line++)
    if (e->resume_due[line] != fem_is(&out[e->at.resume], line))
      return fem_wrong(e, "command connection %u is %s", line, e->resume_due[line] ? "not resumed by the policy of a deadlock" : "resumed without a deadlock");
  return NULL;
}

/* ---- the hub's commands ----------------------------------------------------------------------------------------- */

static void cover_offer(struct fem_env *e, unsigned u, bool load) {
  unsigned d = domain_of(e, u);
  if (e->l.first[e->conn_of[u] + 1] - e->l.first[e->conn_of[u]] > 1 && !load) fem_hit(e, FEM_COVER_GROUP_STORED);
  if (e->offer.slot) fem_hit(e, FEM_COVER_LOCAL_SLOT);
  for (unsigned v = 0; v < e->l.units; v++) {
    if (domain_of(e, v) != d || v == u) continue;
    if (!load && v < u && !e->fate[v].saved) fem_hit(e, FEM_COVER_OUT_OF_ORDER);
    if (load && e->plan[d].what == FEM_SWITCH && !e->fate[v].saved) fem_hit(e, FEM_COVER_EARLY_RESTORE);
  }
}

static const char *check_new_offer(struct fem_env *e, unsigned u, bool load) {
  const char *what = load ? "restored" : "stored";
  if (u >= e->l.units) return fem_wrong(e, "unit %u, which does not exist, is to be %s", u, what);
  unsigned d = domain_of(e, u);
  const struct fem_plan *p = &e->plan[d];
  const struct fem_fate *f = &e->fate[u];
  if (!p->runs || p->drains || (p->stopped && e->l.conns_of[d] == e->l.conns && !e->l.each) || (p->ending && !p->stopped && p->still > 1))
    return fem_wrong(e, "unit %u is to be %s, and its domain %s", u, what, p->ending ? "is to be released" : "does not run");
  if (!at_rest(e, u)) return fem_wrong(e, "unit %u is to be %s, and it has not halted", u, what);
  if (load ? !restores(p->what) : !saves(p->what)) return fem_wrong(e, "unit %u is to be %s by a command that does not", u, what);
  if (load ? !f->reset : f->reset) return fem_wrong(e, "unit %u is to be %s, and it was %sreset", u, what, load ? "not " : "");
  if (!load && f->lost) return fem_wrong(e, "unit %u is to be stored, and the timeout has reset it", u);
  if (!e->l.each && !all(e, d, at_rest)) return fem_wrong(e, "unit %u is to be %s before all have halted", u, what);
  if (!e->l.each && load && saves(p->what) && !all(e, d, stored)) return fem_wrong(e, "unit %u is to be restored before all are stored", u);
  if (e->offer.slot != (load ? e->sw.load_slot : e->sw.save_slot)[d] || e->offer.base != (load ? e->sw.load : e->sw.save)[d])
    return fem_wrong(e, "unit %u is to be %s at another base or slot", u, what);
  cover_offer(e, u, load);
  return NULL;
}

static const char *check_offer(struct fem_env *e, const uint32_t *out) {
  bool valid = out[e->at.hub_valid], was = e->offer.valid;
  bool load = out[e->at.hub_load];
  unsigned unit = out[e->at.hub_unit], slot = out[e->at.hub_slot];
  uint64_t base = out[e->at.hub_base] | (e->l.addr_w > 32 ? (uint64_t)out[e->at.hub_base + 1] << 32 : 0);
  bool taken = e->hub.starts;
  if (was && !taken && !valid) return fem_wrong(e, "a command to the hub is withdrawn");
  if (was && !taken && (load != e->offer.load || unit != e->offer.unit || slot != e->offer.slot || base != e->offer.base))
    return fem_wrong(e, "a command to the hub changes while it waits");
  if (was && !taken) fem_hit(e, FEM_COVER_HUB_WAITS);
  e->offer.valid = valid;
  e->offer.load = load;
  e->offer.unit = unit;
  e->offer.slot = slot;
  e->offer.base = base;
  if (!valid || (was && !taken)) return NULL;
  e->hub.stale = false;
  if (e->hub.busy) return fem_wrong(e, "a command to the hub while one runs");
  return check_new_offer(e, unit, load);
}

/* ---- standing still ------------------------------------------------------------------------------------------- */

static const char *check_still(struct fem_env *e, unsigned d) {
  struct fem_plan *p = &e->plan[d];
  bool hub = e->hub.busy || e->offer.valid, could = p->ending || all(e, d, at_rest);
  if (!p->runs || p->drains || p->stopped || hub || !could) p->still = 0;
  else p->still++;
  if (p->still > STILL + e->l.settle + (e->l.levels + 8) * e->l.conns)
    return fem_wrong(e, "domain %u stands still, and %s", d, p->ending ? "is to be released" : "all of its units have halted");
  return NULL;
}

/* US-15: abort before the reset only, and one that comes in the cycle of the expiry counts. */
static void give_up(struct fem_env *e, struct fem_plan *p) {
  if (p->expired && p->expired_here[FEM_RESET_LATE]) { /* also when the last one has just halted */
    p->was_reset = true;
    p->settle = e->l.settle;
  }
  if (p->runs && p->expired && p->expired_here[FEM_GIVE_UP]) {
    if (p->was_reset) p->stopped = p->stands = true, fem_hit(e, FEM_COVER_TIMEOUT_STOP);
    else if (p->drains) p->runs = false;
    else p->ending = true, p->still = 0;
  }
  p->expired = false;
  memset(p->expired_here, 0, sizeof p->expired_here);
}

const char *fem_golden_sequence(struct fem_env *e, const uint32_t *out) {
  const char *wrong = check_resets(e, out), *next;
  for (unsigned d = 0; d < e->l.domains; d++) give_up(e, &e->plan[d]);
  next = check_halt(e, out);
  if (!wrong) wrong = next;
  next = check_offer(e, out);
  if (!wrong) wrong = next;
  for (unsigned d = 0; d < e->l.domains; d++) {
    next = check_still(e, d);
    if (!wrong) wrong = next;
  }
  return wrong;
}

/* ---- what follows for the next cycle ---------------------------------------------------------------------------- */

static void cover_timeout(struct fem_env *e, const struct fem_plan *p, unsigned policy) {
  static const uint8_t point[] = {FEM_COVER_TIMEOUT_WAIT, FEM_COVER_TIMEOUT_ABORT, FEM_COVER_TIMEOUT_RESET};
  if ((!p->was_reset || (e->l.each && policy != FEM_GIVE_UP)) && !p->drains) fem_hit(e, (enum fem_cover)point[policy]);
  if (p->was_reset && policy != FEM_GIVE_UP) fem_hit(e, FEM_COVER_TIMEOUT_AGAIN);
}

/* One by one: the connection was stored and reset; it halts a second time. */
static bool passed(const struct fem_env *e, unsigned c) { return e->l.each && e->fate[e->l.first[c]].reset; }

static bool shows(const struct fem_env *e, unsigned c, enum simt_unit_state want) {
  uint32_t code = simt_status_code(want, (enum simt_status_encoding)e->l.encoding), now = e->now.code[c];
  if (e->l.encoding == SIMT_BINARY) return want == SIMT_HALTED ? (now & 4) != 0 : now == code;
  return (now & code) == code;
}

/* `first`: the timeout from the halt request; `again`: that of the wait behind a reset. */
static void expire(struct fem_env *e, unsigned d, bool first, bool again) {
  struct fem_plan *p = &e->plan[d];
  unsigned policy = e->sw.timeout_policy;
  bool resets_late = policy == FEM_RESET_LATE && !p->drains;
  p->expired = true;
  p->expired_here[p->drains && policy == FEM_RESET_LATE ? FEM_WAIT : policy] = true;
  e->sw.irq_next |= FEM_IRQ_TIMEOUT | (policy == FEM_GIVE_UP ? FEM_IRQ_ERROR : 0u);
  if (policy == FEM_GIVE_UP) p->code = FEM_TIMED_OUT;
  if (resets_late) p->lost = true;
  cover_timeout(e, p, policy);
  for (unsigned c = 0; c < e->l.conns; c++) {
    if (e->l.domain[c] != d) continue;
    e->was_late[c] = !shows(e, c, p->drains ? SIMT_EMPTY : SIMT_HALTED) && (passed(e, c) ? again : first);
    if (first && passed(e, c)) fem_hit(e, FEM_COVER_TIMEOUT_FIRST);
    for (unsigned u = e->l.first[c]; u < e->l.first[c + 1]; u++) e->fate[u].lost |= resets_late && (e->was_late[c] || !e->l.each);
  }
}

/* TIME_*: all of a domain at once, halt, store, reset, restore; one by one halt until the first connection is stored and
 * reset, store until the last one is, then restore. Behind an error nothing is counted. */
static void count_phase(struct fem_env *e, unsigned d, bool met) {
  struct fem_plan *p = &e->plan[d];
  unsigned phase = p->drains || (e->l.each && !p->firsts) ? 0 : !e->l.each ? p->phase : p->firsts < e->l.conns_of[d] ? 1 : 3;
  if (!p->stands && p->time[phase] < e->l.most_time) p->time[phase]++;
  if (!p->stands && met && (p->phase == 2 || (p->phase == 0 && saves(p->what)))) p->phase++;
  p->firsts += p->first_next;
  p->first_next = false;
}

/* The timeout looks at reports that are as old as the sequence's knowledge of them. */
static void follow_domain(struct fem_env *e, unsigned d) {
  struct fem_plan *p = &e->plan[d];
  bool halted = true, rehalted = true, empty = true;
  for (unsigned c = 0; c < e->l.conns; c++) {
    if (e->l.domain[c] != d) continue;
    halted &= shows(e, c, SIMT_HALTED) || passed(e, c);
    rehalted &= shows(e, c, SIMT_HALTED) || !passed(e, c);
    empty &= shows(e, c, SIMT_EMPTY);
  }
  p->halted = (uint8_t)(p->halted << 1 | halted);
  p->rehalted = (uint8_t)(p->rehalted << 1 | rehalted);
  p->empty = (uint8_t)(p->empty << 1 | empty);
  if (!p->runs) return;
  bool known = (p->drains ? p->empty : p->halted) >> (e->l.levels + 1) & 1, met = known && !p->settle;
  count_phase(e, d, met);
  bool waits = p->waits && !p->stopped, looks = p->wait == 1 && !e->sw.timeout_written, looks_again = p->again == 1 && !e->sw.timeout_written;
  bool late = looks && !(e->l.each && !p->drains ? known : met);
  bool late_again = e->l.each && !p->drains && looks_again && !(p->rehalted >> (e->l.levels + 1) & 1);
  if (p->settle == 0 && met && p->waits && e->cycle) fem_hit(e, FEM_COVER_FAST_HALT);
  if (waits && (late || late_again) && !p->ending && e->sw.timeout) expire(e, d, late, late_again);
  p->unhalted = waits && !met && !e->sw.timeout && !p->drains ? p->unhalted + 1 : 0;
  if (p->unhalted == 200) fem_hit(e, FEM_COVER_TIMEOUT_OFF);
  if (looks || e->sw.timeout_written) p->wait = e->sw.timeout;
  else if (waits && p->wait) p->wait--;
  if (looks_again || e->sw.timeout_written) p->again = e->sw.timeout;
  else if (waits && p->again) p->again--;
  if (p->settle) p->settle--;
  bool aborts = fem_executes(e) && e->reg.now.write && e->reg.now.addr == FEM_REG_COMMAND && e->reg.now.data == FEM_ABORT &&
                e->sw.domain == d;
  if (met && p->drains && !aborts) {
    bool given_up = p->expired;
    p->runs = given_up;
    e->sw.irq_next |= FEM_IRQ_DONE;
    fem_hit(e, FEM_COVER_DRAIN);
  }
  if (met && !e->l.each) p->waits = false; /* until the next reset */
}

/* Software gives up a stopped command in this cycle. */
static bool gives_up(const struct fem_env *e, unsigned d) {
  return fem_executes(e) && e->reg.now.write && e->reg.now.addr == FEM_REG_COMMAND && e->sw.domain == d && e->plan[d].stopped &&
         (e->reg.now.data == FEM_DO_RESTORE || e->reg.now.data == FEM_EMPTY);
}

void fem_golden_follow(struct fem_env *e, const uint32_t *in) {
  for (unsigned d = 0; d < e->l.domains; d++) follow_domain(e, d);
  e->sw.timeout_was = e->sw.timeout;
  e->sw.timeout_written = false;
  if (!in[e->at.hub_done]) return;
  unsigned u = e->hub.unit, error = in[e->at.hub_error];
  struct fem_plan *p = &e->plan[domain_of(e, u)];
  e->done++;
  if (e->hub.stale || gives_up(e, domain_of(e, u))) return;
  if (error) {
    if (!p->ending) p->stopped = true;
    p->stands = true;
    p->code = error;
    p->unit = u;
    e->sw.irq_next |= FEM_IRQ_ERROR;
    fem_hit(e, e->hub.load ? FEM_COVER_ERROR_LOAD : FEM_COVER_ERROR_SAVE);
  } else if (e->hub.load) {
    e->fate[u].restored = true;
  } else {
    e->fate[u].saved = true;
    if (p->what == FEM_SAVE && !p->stopped && !p->ending) p->first_next = u + 1 == e->l.first[e->conn_of[u] + 1];
  }
}
