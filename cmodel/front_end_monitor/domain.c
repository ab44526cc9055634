/* SPDX-License-Identifier: Apache-2.0 */
/* domain.c: the sequencer of a switch domain (US-8, US-15), after the page docs/front_end_monitor.md, "The sequencer of a
 * switch domain". Waits are kept as the cycle in which they end. */
#include "front_end_monitor/model.h"

/* What one domain sees in one cycle. */
struct sight {
  const struct fem_domain *d;            /* its registers */
  bool settled, halted, empty;           /* reports that are believed; halted and empty of all connections */
  bool through;                          /* the walker has done the last connection */
  bool had_reset;                        /* something of it was reset by this command */
  bool starts, aborts, retries;          /* a command of software that is taken */
  bool hub_works, hub_refused;           /* the walk is at one of its connections; the hub told an error */
  bool timed_out, gives_up, resets_late; /* the halt timeout, and what its policy makes of it */
};

/* Where the order of the stages leads. */
struct course { enum fem_stage to; bool ends, resets_all; };

static bool saves(enum fem_command what) { return what == FEM_SWITCH || what == FEM_SAVE; }
static bool restores(enum fem_command what) { return what == FEM_SWITCH || what == FEM_DO_RESTORE; }
static bool resets_one(const struct fem_model *m, unsigned d) { return m->e.reset_one && m->e.walk_domain == d; }

bool fem_takes(const struct fem_model *m, unsigned domain, uint32_t what) {
  const struct fem_domain *d = &m->s.domain[domain];
  const bool had_reset = d->did_reset || resets_one(m, domain);
  if (d->ending) return false;
  if (d->stage == FEM_IDLE) return what >= FEM_SWITCH && what <= FEM_DO_DRAIN;
  if (d->stage == FEM_STOP) return what == FEM_DO_RESTORE || what == FEM_EMPTY || what == FEM_ABORT || what == FEM_RETRY;
  return what == FEM_ABORT && !had_reset && d->stage != FEM_RESET && d->stage != FEM_RESTORE;
}

static struct course order_of_stages(const struct fem_layout *l, const struct sight *s) {
  const struct fem_domain *d = s->d;
  const struct course stays = {.to = d->stage}, ends = {.to = FEM_IDLE, .ends = true};
  const struct course resets = {.to = FEM_RESET, .resets_all = true};
  const bool leaves = s->aborts || d->ending;
  switch (d->stage) {
  case FEM_HALT:
    if (l->each) return s->settled ? (struct course){.to = FEM_MOVE} : stays;
    if (!s->halted || leaves) return stays;
    if (saves(d->what) && !d->lost) return (struct course){.to = FEM_STORE};
    return d->what == FEM_SAVE ? ends : resets;
  case FEM_STORE:
    if (!s->through) return stays;
    if (d->what == FEM_SAVE) return ends;
    return leaves ? stays : resets;
  case FEM_RESET:
    if (!s->halted) return stays;
    return restores(d->what) ? (struct course){.to = FEM_RESTORE} : ends;
  case FEM_RESTORE: case FEM_MOVE: return s->through ? ends : stays;
  case FEM_DRAIN: return s->empty ? ends : stays;
  case FEM_STOP: return s->retries ? (struct course){.to = d->failed} : stays;
  default: return stays;
  }
}

/* The phase that this cycle belongs to, 0 halt, 1 store, 2 reset, 3 restore; -1: none. */
static int phase(const struct fem_layout *l, const struct fem_domain *d, unsigned conns) {
  switch (d->stage) {
  case FEM_HALT: case FEM_DRAIN: return 0;
  case FEM_STORE: return 1;
  case FEM_RESET: return 2;
  case FEM_RESTORE: return 3;
  case FEM_MOVE: return !l->each || !d->emptied ? 0 : d->emptied < conns ? 1 : 3;
  default: return -1;
  }
}

static bool waits(enum fem_stage stage) {
  return stage == FEM_HALT || stage == FEM_RESET || stage == FEM_MOVE || stage == FEM_DRAIN;
}

/* The halt timeout: of the wait from the halt request or the reset of all, and, one by one, of that from the last reset. */
static void time_out(struct fem_model *m, unsigned i, struct sight *s) {
  const struct fem_domain *d = s->d;
  const struct fem_regs *r = &m->s.regs;
  const bool drains = d->stage == FEM_DRAIN, one_by_one = m->l.each && !drains;
  const bool runs = waits(d->stage) && !d->ending && r->timeout && !r->timeout_written;
  /* One by one the report of a connection that was not reset does not wait for the resets of others. */
  const bool there = drains ? s->empty : one_by_one ? m->e.all_halted[i] : s->halted;
  m->e.expire[i] = runs && d->expires == m->s.now && !there;
  m->e.again_expire[i] = runs && one_by_one && d->expires_again == m->s.now && !m->e.again_halted[i];
  s->timed_out = m->e.expire[i] || m->e.again_expire[i];
  s->gives_up = s->timed_out && r->timeout_policy == FEM_GIVE_UP;
  s->resets_late = s->timed_out && r->timeout_policy == FEM_RESET_LATE && !drains;
}

static struct sight look(struct fem_model *m, unsigned i) {
  const struct fem_domain *d = &m->s.domain[i];
  struct fem_events *e = &m->e;
  const bool walked = e->walk_domain == i, commanded = e->command[i];
  const uint32_t command = m->s.regs.data;
  struct sight s = {.d = d, .settled = m->s.now >= d->settles};
  s.halted = e->all_halted[i] && s.settled;
  s.empty = e->all_empty[i] && s.settled;
  s.through = walked && e->done && d->through + 1 == m->l.conns_of[i];
  s.had_reset = d->did_reset || resets_one(m, i);
  s.starts = commanded && command <= FEM_DO_DRAIN;
  s.aborts = commanded && command == FEM_ABORT;
  s.retries = commanded && command == FEM_RETRY;
  s.hub_works = e->works[i];
  s.hub_refused = walked && e->error && !s.starts; /* else it is of the command that was given up */
  time_out(m, i, &s);
  return s;
}

/* The registers of a command's first cycle; `n` holds what stays. */
static void begin(const struct fem_model *m, const struct fem_domain *d, struct fem_domain *n) {
  n->what = (enum fem_command)m->s.regs.data;
  n->stage = n->what == FEM_DO_DRAIN ? FEM_DRAIN : FEM_HALT;
  n->code = 0;
  n->lost = n->did_reset = n->ending = n->forced = false;
  n->through = n->emptied = 0;
  for (int p = 0; p < 4; p++) n->time[p] = 0;
  if (d->stage != FEM_IDLE) return; /* stopped by an error: it is under halt already */
  n->halt_from = m->s.now + 1;
  n->watched = false;
}

static void set_waits(const struct fem_model *m, const struct sight *s, bool resets_all, bool resets_one_now, struct fem_domain *n) {
  const uint64_t now = m->s.now, end = now + m->s.regs.timeout;
  const bool anew = s->starts || s->retries || m->s.regs.timeout_written;
  if (s->starts || resets_all || s->resets_late || resets_one_now) n->settles = now + m->l.settle + 1;
  if (anew || resets_all || s->d->expires == now) n->expires = end;
  if (anew || resets_one_now || s->d->expires_again == now) n->expires_again = end;
}

static void step_domain(struct fem_model *m, unsigned i) {
  struct fem_events *e = &m->e;
  const struct fem_domain *d = &m->s.domain[i];
  const struct sight s = look(m, i);
  const struct course c = order_of_stages(&m->l, &s);
  const bool walked = e->walk_domain == i, reset_one = resets_one(m, i);
  const bool release = s.aborts || d->ending || (s.gives_up && !s.had_reset), cut = release && !s.hub_works;
  const bool fails = s.hub_refused || (s.gives_up && s.had_reset);
  const int counted = phase(&m->l, d, m->l.conns_of[i]);
  struct fem_domain n = *d;
  n.stage = c.ends || cut ? FEM_IDLE : fails ? FEM_STOP : c.to;
  n.ending = release && !cut && !c.ends;
  if (d->stage != FEM_STOP && (s.hub_refused || s.gives_up)) n.failed = d->stage;
  if (s.aborts) n.code = FEM_ABORTED;
  else if (s.hub_refused) n.code = (uint8_t)e->error_code;
  else if (s.gives_up) n.code = FEM_TIMED_OUT;
  else if (s.retries) n.code = 0;
  if (s.hub_refused) n.unit = m->s.walk.unit;
  n.lost |= s.resets_late;
  n.did_reset |= s.resets_late || c.resets_all || reset_one;
  n.forced = s.resets_late || (d->forced && !s.settled);
  n.watched |= s.settled;
  if (d->stage == FEM_RESET && s.halted) n.through = 0;
  else if (walked && e->done) n.through++;
  if (walked && e->first) n.emptied++;
  if (counted >= 0 && m->l.stats != FEM_STATS_NONE && n.time[counted] != m->l.most_time) n.time[counted]++;
  if (s.starts) begin(m, d, &n);
  n.watched &= fem_under_halt(&n);
  set_waits(m, &s, c.resets_all, reset_one, &n);
  e->start[i] = s.starts;
  e->reset_all[i] = c.resets_all;
  e->reset_late[i] = s.resets_late;
  e->finish |= c.ends && !cut;
  e->fail |= s.hub_refused || s.gives_up;
  e->any_expire |= s.timed_out;
  m->s.domain[i] = n;
}

void fem_domains(struct fem_model *m) {
  for (unsigned i = 0; i < m->l.domains; i++) step_domain(m, i);
}
