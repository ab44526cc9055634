/* SPDX-License-Identifier: Apache-2.0 */
/* domain.c: the switch sequence of each domain (US-8, US-15). */
#include "front_end_monitor/model.h"

static bool has_reset(const struct fem_model *m, unsigned d) {
  return m->s.domain[d].did_reset || (m->e.reset_one && m->e.walk_domain == d);
}

bool fem_takes(const struct fem_model *m, unsigned d, uint32_t what) {
  const struct fem_domain *s = &m->s.domain[d];
  bool early = s->stage == FEM_HALT || s->stage == FEM_STORE || s->stage == FEM_MOVE || s->stage == FEM_DRAIN;
  if (s->ending && what >= FEM_ABORT) return false;
  switch (what) {
  case FEM_ABORT: return (early && !has_reset(m, d)) || s->stage == FEM_STOP;
  case FEM_RETRY: return s->stage == FEM_STOP;
  case FEM_DO_RESTORE: case FEM_EMPTY: return s->stage == FEM_IDLE || fem_stopped(s);
  default: return what >= FEM_SWITCH && what <= FEM_DO_DRAIN && s->stage == FEM_IDLE;
  }
}

static bool saves(enum fem_command what) { return what == FEM_SWITCH || what == FEM_SAVE; }
static bool restores(enum fem_command what) { return what == FEM_SWITCH || what == FEM_DO_RESTORE; }

static void count_phase(const struct fem_model *m, unsigned d, const struct fem_domain *s, uint32_t *time) {
  int phase = -1;
  unsigned all = m->l.conns_of[d];
  switch (s->stage) {
  case FEM_HALT: case FEM_DRAIN: phase = 0; break;
  case FEM_STORE: phase = 1; break;
  case FEM_RESET: phase = 2; break;
  case FEM_RESTORE: phase = 3; break;
  case FEM_MOVE: phase = s->first_left == all ? 0 : s->first_left ? 1 : 3; break;
  default: break;
  }
  if (phase >= 0 && m->l.stats != FEM_STATS_NONE && time[phase] != m->l.most_time) time[phase]++;
}

struct fem_sequence_step { bool start, abort, retry, expire, give_up, finish, cut, first, done, error; };

/* Where the sequence goes when nothing goes wrong; says what is reset and whether it is through. */
static enum fem_stage next_stage(struct fem_model *m, unsigned d, const struct fem_sequence_step *w, bool halted, bool empty, bool *ends) {
  const struct fem_domain *s = &m->s.domain[d];
  bool last = w->done && s->left == 1;
  bool stores = saves(s->what) && !s->lost; /* what was cleared is not stored over its image */
  *ends = false;
  switch (s->stage) {
  case FEM_HALT:
    if (m->l.each) return s->settle ? FEM_HALT : FEM_MOVE;
    if (!halted) return FEM_HALT;
    if (stores) return FEM_STORE;
    *ends = s->what == FEM_SAVE;
    m->e.reset_all[d] = !w->abort && !*ends;
    return FEM_RESET;
  case FEM_STORE:
    if (!last) return FEM_STORE;
    *ends = s->what == FEM_SAVE;
    m->e.reset_all[d] = s->what == FEM_SWITCH && !w->abort && !s->ending;
    return m->e.reset_all[d] ? FEM_RESET : FEM_STORE;
  case FEM_RESET:
    *ends = halted && !restores(s->what);
    return halted ? FEM_RESTORE : FEM_RESET;
  case FEM_RESTORE: case FEM_MOVE: *ends = last; return s->stage;
  case FEM_DRAIN: *ends = empty && !s->settle; return FEM_DRAIN;
  case FEM_STOP: return w->retry ? s->back : FEM_STOP;
  default: return s->stage;
  }
}

/* `fresh`: from idle, and not from a domain that an error stopped and that is under halt already. */
static void begin(struct fem_model *m, unsigned d, bool fresh, struct fem_domain *n) {
  n->what = (enum fem_command)m->s.regs.data;
  n->stage = n->what == FEM_DO_DRAIN ? FEM_DRAIN : FEM_HALT;
  n->code = 0;
  n->lost = n->did_reset = n->ending = n->forced = false;
  n->left = n->first_left = m->l.conns_of[d];
  if (fresh) n->age = 0, n->watch = false;
  for (int i = 0; i < 4; i++) n->time[i] = 0;
}

static bool waits(enum fem_stage s) { return s == FEM_HALT || s == FEM_RESET || s == FEM_MOVE || s == FEM_DRAIN; }

static void step_domain(struct fem_model *m, unsigned d) {
  struct fem_events *e = &m->e;
  const struct fem_domain *s = &m->s.domain[d];
  const struct fem_regs *r = &m->s.regs;
  const bool mine = e->walk_domain == d, works = e->works[d], reset_one = e->reset_one && mine;
  const bool known_halted = e->all_halted[d], empty = e->all_empty[d];
  const bool halted = known_halted && !s->settle;
  const bool taken = e->command[d], last_wait = s->wait == 1, last_again = m->l.each && s->again == 1;
  struct fem_sequence_step w = {.start = taken && r->data < FEM_ABORT, .abort = taken && r->data == FEM_ABORT,
                   .retry = taken && r->data == FEM_RETRY, .first = e->first && mine, .done = e->done && mine, .error = e->error && mine};
  w.error &= !w.start;
  const bool met = !s->settle && (s->stage == FEM_DRAIN ? empty : known_halted), did_reset = has_reset(m, d);
  const bool timed = waits(s->stage) && !s->ending && r->timeout && !r->timeout_written, one_by_one = m->l.each && s->stage != FEM_DRAIN;
  e->expire[d] = timed && last_wait && !(one_by_one ? known_halted : met);
  e->again_expire[d] = timed && last_again && one_by_one && !e->again_halted[d];
  w.expire = e->expire[d] || e->again_expire[d];
  w.give_up = w.expire && r->timeout_policy == FEM_GIVE_UP;
  e->reset_late[d] = w.expire && r->timeout_policy == FEM_RESET_LATE && s->stage != FEM_DRAIN;
  e->start[d] = w.start;
  bool ends;
  struct fem_domain n = *s;
  n.stage = next_stage(m, d, &w, halted, empty, &ends);
  const bool stops = w.give_up && !did_reset;
  w.cut = ((w.abort || stops || s->ending) && !works);
  if ((w.give_up && did_reset) || w.error) n.stage = FEM_STOP;
  if (ends || w.cut) n.stage = FEM_IDLE;
  if (w.abort) n.code = FEM_ABORTED;
  else if (w.error) n.code = (uint8_t)e->error_code;
  else if (w.give_up) n.code = FEM_TIMED_OUT;
  else if (w.retry) n.code = 0;
  if (w.error) n.unit = m->s.walk.unit;
  n.lost |= e->reset_late[d];
  n.did_reset |= e->reset_late[d] || e->reset_all[d] || reset_one;
  n.ending = !w.cut && !ends && (s->ending || ((w.abort || stops) && works));
  n.forced = e->reset_late[d] || (s->forced && s->settle);
  n.watch |= !s->settle;
  if (s->stage != FEM_STOP && (w.error || w.give_up)) n.back = s->stage;
  if (s->stage == FEM_RESET && halted) n.left = m->l.conns_of[d];
  else if (w.done) n.left--;
  if (w.first) n.first_left--;
  if (n.age != m->l.most_time) n.age++;
  count_phase(m, d, s, n.time);
  if (w.start) begin(m, d, s->stage == FEM_IDLE, &n);
  n.halt = n.stage != FEM_IDLE && n.stage != FEM_DRAIN;
  n.watch &= n.halt;
  if (w.start || e->reset_all[d] || e->reset_late[d] || reset_one) n.settle = m->l.settle;
  else if (s->settle) n.settle--;
  if (w.start || w.retry || e->reset_all[d] || last_wait || r->timeout_written) n.wait = r->timeout;
  else if (waits(s->stage) && s->wait) n.wait--;
  if (w.start || w.retry || reset_one || last_again || r->timeout_written) n.again = r->timeout;
  else if (waits(s->stage) && s->again) n.again--;
  e->finish |= ends && !w.cut;
  e->fail |= w.error || w.give_up;
  e->any_expire |= w.expire;
  m->s.domain[d] = n;
}

void fem_domains(struct fem_model *m) {
  for (unsigned d = 0; d < m->l.domains; d++) step_domain(m, d);
}
