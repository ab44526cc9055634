/* SPDX-License-Identifier: Apache-2.0 */
/* controller.c: the command stream, the SMs and the versions in one cycle. */
#include "const_cache/state.h"

enum { BY_SM = 1, BY_ACTIVE, BY_FULL, BY_CODE, BY_SWEEP = 6 };
enum { DRAIN_SCAN = 20 };

static bool alone(const struct cc_controller *k) { return k->next == k->oldest + 1; }
static bool is(const struct cc_controller *k, enum cc_kind kind) { return k->c.valid && k->c.is.kind == kind; }
static bool syncs(const struct cc_controller *k) { return is(k, CC_FLUSH) || is(k, CC_INVALIDATE); }
static bool gated_write(const struct cc_model *m) {
  return m->l.protocol == CC_SHARED && !m->l.drop_repeats && m->s->k.active_any;
}
static uint64_t available(const struct cc_model *m) {
  const struct cc_controller *k = &m->s->k;
  return ~k->active & ~k->hold & cc_ones(m->l.sms);
}

void cc_controller_offers(const struct cc_model *m, struct cc_wires *w) {
  const struct cc_controller *k = &m->s->k;
  const bool drained = k->drain && w->l2_idle, open = !cc_closed(m);
  w->op_valid = open && (k->walk_offer || (is(k, CC_WRITE) && !gated_write(m) && k->can_version) || (is(k, CC_WORK) && k->can_work));
  w->op_kind = k->walk_offer ? CC_OP_WALK : is(k, CC_WORK) ? CC_OP_WORK : CC_OP_WRITE;
  w->op_addr = k->walk_offer ? k->walk_row : k->c.is.addr;
  w->op_data = k->c.is.data;
  w->op_clears = k->c.is.kind == CC_INVALIDATE;
  w->scan_valid = open && (k->scan || k->urgent);
  w->scan_set = k->urgent ? k->urgent_set : k->scan_set;
  w->sync_done = (drained && k->c.is.kind != CC_INVALIDATE) || (k->empty && !k->hold && !w->stops);
  w->commit = w->writes || w->drops || w->works || w->sync_done;
  w->done_write = w->writes;
  w->done_work = w->works;
}

/* ---- input and issue ----------------------------------------------------------------------------------- */

bool cc_take_command(struct cc_model *m, const uint32_t *in) {
  struct cc_controller *k = &m->s->k;
  const struct cc_places *at = &m->at;
  const bool taken = in[at->cmd_valid] && k->ready && !cc_closed(m);
  const unsigned kind = in[at->cmd_kind];
  k->bad_kind = taken && kind > CC_INVALIDATE;
  if (cc_context_command(m, &k->fifo[k->in % CC_FIFO])) return true;
  k->bad_addr = taken && kind == CC_WRITE && (in[at->cmd_addr] >= m->l.constants || in[at->cmd_addr] & (m->l.words - 1));
  if (!taken || k->bad_kind || k->bad_addr) return false;
  struct cc_command *c = &k->fifo[k->in % CC_FIFO];
  c->kind = (enum cc_kind)kind;
  c->addr = in[at->cmd_addr] >> m->l.off_w;
  cc_get_line(m, &in[at->cmd_data], &c->data);
  return true;
}

static void issue(struct cc_model *m, const struct cc_wires *w) {
  struct cc_controller *k = &m->s->k;
  const bool leaves = (w->op_taken && w->op_kind != CC_OP_WALK) || w->sync_done;
  const bool loads = (!k->c.valid || leaves) && k->next != k->in && !m->s->u.shell.port.r.save;
  const unsigned oldest = k->oldest;
  k->oldest += w->commit;
  if (loads) k->c.is = k->fifo[k->next % CC_FIFO];
  if (w->again) {
    k->next = oldest;
    k->c.valid = false;
    k->epoch = !k->epoch;
  } else {
    k->next += loads;
    k->c.valid = loads || (k->c.valid && !leaves);
  }
}

static void synchronize(struct cc_model *m, const struct cc_wires *w, bool pushed) {
  struct cc_controller *k = &m->s->k;
  const bool starts = syncs(k) && alone(k) && !k->active_any && !k->walk && !k->drain && !k->empty && !cc_closed(m);
  const bool last = k->walk_row == m->l.l2_rows - 1, ends = w->walked && last;
  const bool empties = k->drain && w->l2_idle && k->c.is.kind == CC_INVALIDATE;
  k->done = w->sync_done;
  if (pushed) k->base_free = k->base_free && cc_closed(m); /* one of a context changes nothing */
  else if (k->empty && w->sync_done && k->count == 1) k->base_free = true;
  k->walk_offer = starts || w->walk_again || (w->walked && !last) || (k->walk_offer && !w->op_taken);
  if (!k->walk) k->walk_row = 0;
  else if (w->walked) k->walk_row = (k->walk_row + 1) % m->l.l2_rows;
  if (starts) k->walk = true;
  else if (ends) k->walk = false;
  k->drain = ends || (k->drain && !w->l2_idle);
  k->empty = empties || (k->empty && !w->sync_done);
}

static void note_wait(struct cc_model *m, const struct cc_wires *w) {
  struct cc_controller *k = &m->s->k;
  if (w->commit || w->stops) k->wait = 0; /* a halt is none of the causes */
  else if (alone(k) && is(k, CC_WORK) && !available(m)) k->wait = k->hold ? BY_SWEEP : BY_SM;
  else if (alone(k) && ((is(k, CC_WRITE) && gated_write(m)) || (syncs(k) && k->active_any))) k->wait = BY_ACTIVE;
  else if (alone(k) && is(k, CC_WRITE) && !k->can_version) k->wait = BY_CODE;
  else k->wait = k->cause;
  if (w->commit) k->cause = 0;
  else if (w->again && !w->stops) k->cause = w->cause;
}

/* ---- SMs ----------------------------------------------------------------------------------------------- */

static void move_sms(struct cc_model *m, const struct cc_wires *w, bool empties) {
  struct cc_controller *k = &m->s->k;
  const uint64_t all = cc_ones(m->l.sms), free = available(m), lowest = free & -free, starts = w->works ? lowest : 0;
  const uint64_t stale = k->stale | (w->writes ? k->active : 0);
  const uint64_t wants = k->hold | (w->completes & stale) | (empties ? all : 0);
  k->bad_done = w->done & ~k->running;
  k->wr = k->wr1;
  k->wr1 = w->writes ? ~k->active & all : 0;
  k->bc_addr = k->bc1_addr;
  k->bc_data = k->bc1_data;
  k->work = k->work1;
  k->work_sm = k->work1_sm;
  k->bc1_addr = w->op->addr;
  k->bc1_data = w->op->data;
  k->work1 = w->works;
  k->work1_sm = lowest ? (unsigned)__builtin_ctzll(lowest) : 0;
  if (w->works) k->version[k->work1_sm] = k->current;
  k->running = (k->running & ~w->completes) | k->told;
  k->told = starts;
  k->hold = wants & ~w->room_of;
  k->inval = wants & w->room_of;
  k->stale = stale & ~starts;
  k->active = (k->active & ~w->completes) | starts;
  k->active_any = k->active != 0;
}

/* ---- versions ------------------------------------------------------------------------------------------ */

static inline void find_codes(struct cc_model *m, const struct cc_wires *w, bool frees, const unsigned words) {
  struct cc_controller *k = &m->s->k;
  const bool begins = w->writes && k->dispatched, looks = !k->upcoming_valid, found = looks && cc_bit(&k->free, k->look);
  const unsigned look = k->look;
  if (begins) k->current = k->upcoming;
  if (w->works) k->dispatched = true;
  else if (w->writes) k->dispatched = false;
  if (found) {
    k->upcoming = look;
    cc_unset(&k->free, look);
  }
  k->upcoming_valid = begins ? false : k->upcoming_valid || found;
  if (looks) k->look = look == m->l.codes - 1 ? 0 : look + 1;
  for (unsigned j = 0; frees && j < words; j++) k->free.w[j] |= k->leaving.w[j];
}

/* One SM per cycle: the codes in use, from one round to the next. */
static inline void go_round(struct cc_model *m, bool works, unsigned current, uint64_t active, unsigned version, const unsigned words) {
  struct cc_controller *k = &m->s->k;
  if (k->seen.valid) {
    k->number += !cc_bit(&k->counted, k->seen.code);
    cc_set(&k->found, k->seen.code);
    cc_set(&k->counted, k->seen.code);
  }
  if (k->seen.last) {
    for (unsigned j = 0; j < words; j++) {
      k->used.w[j] = k->found.w[j];
      k->found.w[j] = k->counted.w[j] = 0;
    }
    k->number = 0;
  }
  if (works) {
    cc_set(&k->found, current);
    cc_set(&k->used, current);
  }
  k->seen.valid = active >> k->round & 1;
  k->seen.code = version;
  k->seen.last = k->round == m->l.sms - 1;
  k->round = k->seen.last ? 0 : k->round + 1;
}

static void scan_backup(struct cc_model *m, const struct cc_wires *w, bool any_dead) {
  struct cc_controller *k = &m->s->k;
  const bool mine = w->scan_taken && !k->urgent, ends = mine && k->scan_set == m->l.sets - 1, scan = k->scan;
  const unsigned drain = k->drain_scan;
  if (!scan) {
    k->scan_set = 0;
  } else if (mine) {
    k->scan_set = (k->scan_set + 1) % m->l.sets;
  }
  if (!scan && !drain && any_dead) k->scan = true;
  else if (ends) k->scan = false;
  if (w->again && w->cause == BY_FULL) {
    k->urgent = true;
    k->urgent_set = w->op->addr % m->l.sets;
  } else if (w->scan_taken) {
    k->urgent = false;
  }
  k->drain_scan = ends ? DRAIN_SCAN : drain ? drain - 1 : 0;
}

/* `words` of a mask: known where it is called, as it is 1 but for many SMs. */
static inline __attribute__((always_inline)) void move_versions(struct cc_model *m, const struct cc_wires *w, uint64_t active, unsigned version, const unsigned words) {
  struct cc_controller *k = &m->s->k;
  const unsigned current = k->current;
  const bool frees = k->drain_scan == 1;
  const bool frees_none = !k->scan && !k->drain_scan; /* what is dead leaves next */
  uint64_t any_dead = 0;
  const uint64_t last = cc_ones(m->l.codes % 64 ? m->l.codes % 64 : 64);
  for (unsigned j = 0; j < words; j++) {
    const uint64_t dead = k->dead.w[j], leaving = k->leaving.w[j];
    any_dead |= dead;
    if (frees_none) k->leaving.w[j] = dead;
    k->dead.w[j] = ~k->used.w[j] & ~k->free.w[j] & (j + 1 == words ? last : ~UINT64_C(0)) &
                   ~(frees ? leaving : 0);
  }
  cc_unset(&k->dead, k->current);
  if (k->upcoming_valid) cc_unset(&k->dead, k->upcoming);
  find_codes(m, w, frees, words);
  go_round(m, w->works, current, active, version, words);
  scan_backup(m, w, any_dead != 0);
}

void cc_controller_step(struct cc_model *m, const struct cc_wires *w, const uint32_t *in) {
  struct cc_controller *k = &m->s->k;
  const bool empties = k->drain && w->l2_idle && k->c.is.kind == CC_INVALIDATE, pushed = cc_take_command(m, in);
  const uint64_t active = k->active;
  const unsigned seen_version = k->version[k->round];
  note_wait(m, w);
  k->can_work = available(m) != 0;
  k->can_version = m->l.protocol != CC_BACKUP || !k->dispatched || k->upcoming_valid;
  synchronize(m, w, pushed);
  issue(m, w);
  k->in += pushed;
  k->count += pushed - w->commit;
  k->ready = k->init == m->l.init_cycles && k->count < CC_FIFO;
  if (k->init != m->l.init_cycles) k->init++;
  move_sms(m, w, empties);
  if (m->l.protocol != CC_BACKUP) return;
  if (m->mask_words == 1) move_versions(m, w, active, seen_version, 1);
  else move_versions(m, w, active, seen_version, m->mask_words);
}
