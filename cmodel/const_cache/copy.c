/* SPDX-License-Identifier: Apache-2.0 */
/* copy.c: the controller of protocol copy in one cycle: commands, SMs, the list of versions, walks through L1s. */
#include "const_cache/state.h"

enum { BY_SM = 1, BY_ACTIVE, BY_LOCK, BY_COPY, BY_UPDATE, BY_SWEEP };
enum { SETTLE = 6, DRAIN = 6, ROOM = 20 };

/* What the controller finds in its registers at the beginning of a cycle. */
struct cc_now {
  uint64_t all, idle, targets, available, lowest, holders, current, leaving;
  unsigned gen, head;
  bool even, advance, blocked, write, work, sync, rests, head_first, unlinks, walk_ends, copy_done, update_done, catches_up;
  bool starts_copy, starts_update, epoch_ends, some, copying, launder, open;
};

static bool is(const struct cc_look *x, enum cc_kind kind) { return x->valid & (x->is.kind == kind); }
static bool syncs(const struct cc_look *x) { return is(x, CC_FLUSH) | is(x, CC_INVALIDATE); }

/* Conditions are put together without branches, as in l1.c. Inlined: what one of its callers does not use is not computed there. */
static inline __attribute__((always_inline)) struct cc_now look(const struct cc_model *m, const struct cc_wires *w) {
  const struct cc_controller *k = &m->s->k;
  const struct cc_copy *y = &m->s->y;
  struct cc_now n = {.all = cc_ones(m->l.sms), .current = y->current, .leaving = y->leaving, .gen = y->gen, .head = y->head,
                  .some = y->some, .copying = y->copying, .launder = y->launder};
  n.open = !cc_closed(m);
  n.idle = ~k->active & ~k->hold & n.all;
  n.even = !y->n;
  n.targets = n.even ? n.idle : n.idle & y->current;
  n.available = n.targets & ~y->leaving;
  n.lowest = n.available & -n.available;
  n.write = is(&y->e, CC_WRITE);
  n.work = is(&y->e, CC_WORK);
  n.sync = syncs(&y->e);
  n.blocked = y->walking & (y->copying | ((y->source & ~k->active) != 0));
  n.advance = (!y->e.valid) | w->commit;
  n.rests = !k->count & !k->c.valid & !y->d.valid & !y->e.valid;
  n.head_first = y->some ? y->first >> y->head & 1 : y->ahead;
  n.holders = n.targets ? n.targets & y->current : y->current & ~k->hold;
  n.walk_ends = y->walking & !y->settle & !y->run & !y->drain;
  n.copy_done = n.walk_ends & y->copying;
  n.update_done = n.walk_ends & !y->copying & (y->u_in == y->u_oldest) & !y->word.valid & !w->done_work;
  n.catches_up = n.update_done && y->exact && n.head_first;
  n.unlinks = y->out_valid & !w->done_write & !w->done_work & !n.update_done;
  n.epoch_ends = n.even & (y->locked != 0) & !w->done_write & !y->walking;
  const bool wants_copy = !n.targets & (n.idle != 0) & ((n.write & !y->e_other) | n.work);
  const bool may = y->some ? !(y->leaving >> y->head & 1) : n.rests | n.sync | (n.write & y->e_other);
  n.starts_copy = !y->walking & wants_copy & n.open;
  n.starts_update = !y->walking & !wants_copy & n.head_first & may & !y->launder & n.open;
  return n;
}

void cc_copy_offers(const struct cc_model *m, struct cc_wires *w) {
  const struct cc_controller *k = &m->s->k;
  const struct cc_copy *y = &m->s->y;
  const bool drained = k->drain && w->l2_idle, invalidates = y->e.is.kind == CC_INVALIDATE;
  w->commit = w->done_write = w->done_work = false; /* decided below; what look makes of them is not used here */
  const struct cc_now n = look(m, w);
  w->sync_done = (drained && !invalidates) || (k->empty && !k->hold && !w->stops);
  w->done_write = n.open && n.write && n.targets && !y->e_other && !y->launder && !n.blocked;
  w->done_work = !w->stops && n.work && n.available && !y->copying;
  w->commit = w->done_write || w->done_work || w->sync_done;
  w->op_valid = n.open && (k->walk_offer || y->u.valid);
  w->op_kind = k->walk_offer ? CC_OP_WALK : CC_OP_WRITE;
  w->op_addr = k->walk_offer ? k->walk_row : y->u.addr;
  w->op_data = y->u.data;
  w->op_clears = invalidates;
  w->walks = n.open && y->run && y->room ? y->source : 0;
  w->walk_row = y->walk_row;
  if (!n.open) w->walks = cc_context_walks(m, &w->walk_row);
  w->epoch_gen = y->gen;
  w->launder = y->launder;
}

/* ---- commands ------------------------------------------------------------------------------------------- */

static void issue(struct cc_model *m, const struct cc_now *n, struct cc_locked read, bool pushed) {
  struct cc_controller *k = &m->s->k;
  struct cc_copy *y = &m->s->y;
  const uint32_t rows = m->l.l1_rows;
  const unsigned shift = m->l1_shift - m->l.off_w;
  const struct cc_command *f = &k->fifo[k->next % CC_FIFO];
  const struct cc_look c = {k->c.valid, k->c.is}, *ahead[] = {&c, &y->d, &y->e};
  bool same_row = false;
  for (unsigned i = 0; i < 3; i++) same_row |= is(ahead[i], CC_WRITE) && !((ahead[i]->is.addr ^ f->addr) & (rows - 1));
  const bool loads = n->advance && k->count && !same_row && !m->s->u.shell.port.r.save && (!m->s->u.shell.port.r.load || k->count >= 3 || k->c.valid);
  if (n->advance) {
    const bool locked = n->gen && y->d_row.gen == n->gen, same = y->d_row.tag == y->d.is.addr >> shift;
    y->e_other = locked && !same;
    y->e_known = locked && same;
    y->e = y->d;
    y->d = c;
    y->d_row = y->c_row;
    k->c.valid = loads;
    k->c.is = *f;
  }
  if (n->launder) y->d_row = (struct cc_locked){0, 0}; /* from before the wrap of generations */
  y->c_row = read;
  if (n->epoch_ends) y->e_other = y->e_known = false;
  k->next += loads;
  k->in += pushed;
  k->count += pushed - loads;
  k->ready = k->init == m->l.init_cycles && k->count < CC_FIFO;
  if (k->init != m->l.init_cycles) k->init++;
}

static void note_wait(struct cc_model *m, const struct cc_wires *w, const struct cc_now *n) {
  struct cc_controller *k = &m->s->k;
  const struct cc_copy *y = &m->s->y;
  if (!y->e.valid || w->commit || w->stops) k->wait = 0;
  else if (n->sync) k->wait = k->active_any ? BY_ACTIVE : y->walking || !n->even ? BY_UPDATE : 0;
  else if (n->write && y->e_other) k->wait = BY_LOCK;
  else if (n->write && y->launder) k->wait = BY_SWEEP;
  else if (!n->idle) k->wait = k->hold ? BY_SWEEP : n->work ? BY_SM : BY_ACTIVE;
  else if (y->walking && y->copying) k->wait = BY_COPY;
  else if (!n->targets) k->wait = y->walking ? BY_UPDATE : BY_COPY; /* an update ends before a copy begins */
  else k->wait = n->work ? BY_SM : BY_UPDATE;
}

static void synchronize(struct cc_model *m, const struct cc_wires *w, const struct cc_now *n, bool pushed) {
  struct cc_controller *k = &m->s->k;
  const struct cc_copy *y = &m->s->y;
  const bool starts = n->sync && !k->active_any && !y->some && n->even && !y->walking && !k->walk && !k->drain && !k->empty && n->open;
  const bool last = k->walk_row == m->l.l2_rows - 1, ends = w->walked && last;
  const bool empties = k->drain && w->l2_idle && y->e.is.kind == CC_INVALIDATE;
  k->done = w->sync_done;
  if (pushed) k->base_free = k->base_free && cc_closed(m); /* one of a context changes nothing */
  else if (k->empty && w->sync_done && !k->count && !k->c.valid && !y->d.valid) k->base_free = true;
  k->walk_offer = starts || w->walk_again || (w->walked && !last) || (k->walk_offer && !w->op_taken);
  if (!k->walk) k->walk_row = 0;
  else if (w->walked) k->walk_row = (k->walk_row + 1) % m->l.l2_rows;
  if (starts) k->walk = true;
  else if (ends) k->walk = false;
  k->drain = ends || (k->drain && !w->l2_idle);
  k->empty = empties || (k->empty && !w->sync_done);
}

/* ---- SMs ------------------------------------------------------------------------------------------------ */

static void move_sms(struct cc_model *m, const struct cc_wires *w, const struct cc_now *n, bool empties) {
  struct cc_controller *k = &m->s->k;
  struct cc_copy *y = &m->s->y;
  const uint64_t starts = w->done_work ? n->lowest : 0;
  const uint64_t can = k->hold & w->room_of & ~(y->walking ? y->source : 0);
  const bool copies = y->word.valid && y->copying;
  k->bad_done = w->done & ~k->running;
  k->wr = k->wr1;
  y->wr_copied = y->wr1_copied;
  k->bc_addr = k->bc1_addr;
  k->bc_data = k->bc1_data;
  k->work = k->work1;
  k->work_sm = k->work1_sm;
  k->wr1 = copies ? y->receivers : w->done_write ? n->targets : 0;
  y->wr1_copied = copies;
  k->bc1_addr = copies ? y->word.addr : y->e.is.addr;
  k->bc1_data = copies ? y->word.data : y->e.is.data;
  k->work1 = w->done_work;
  k->work1_sm = n->lowest ? (unsigned)__builtin_ctzll(n->lowest) : 0;
  k->running = (k->running & ~w->completes) | k->told;
  k->told = starts;
  k->inval = can;
  k->hold = (k->hold & ~can) | (w->completes & (w->done_write ? n->all : ~y->current)) | (empties ? n->all : 0);
  y->leaving = (y->leaving & ~(n->unlinks ? UINT64_C(1) << y->out : 0)) | w->completes;
  if (w->done_write) y->current = n->targets;
  else if (!m->s->u.shell.port.r.load) y->current |= (n->even ? n->idle : 0) | (n->copy_done ? y->receivers : 0);
  k->active = (k->active & ~w->completes) | starts;
  k->active_any = k->active != 0;
}

/* ---- versions: active SMs in the order of their dispatch ---------------------------------------------------- */

static bool first_of(const struct cc_copy *y, unsigned sm) { return y->first >> sm & 1; }

void cc_copy_append(struct cc_copy *y, unsigned sm, bool first) {
  y->first = (y->first & ~(UINT64_C(1) << sm)) | (uint64_t)first << sm;
  if (y->some) y->next[y->tail] = sm;
  else y->head = sm;
  y->prev[sm] = y->tail;
  y->tail = sm;
  y->some = true;
}

/* The SM that has completed goes; a step before it and one behind it become one. */
static void unlink_sm(struct cc_copy *y) {
  const unsigned x = y->out, then = y->next[x], before = y->prev[x];
  const bool head = x == y->head, tail = x == y->tail, steps = first_of(y, x);
  const bool then_steps = tail ? y->ahead : first_of(y, then);
  y->n -= steps && then_steps;
  if (y->walking && head && then_steps) y->exact = false;
  if (tail) y->ahead |= steps;
  else y->first |= (uint64_t)steps << then;
  if (head && tail) y->some = false;
  if (head) y->head = then;
  else if (!tail) y->next[before] = then;
  if (tail) y->tail = before;
  else y->prev[then] = before;
}

static void move_list(struct cc_model *m, const struct cc_wires *w, const struct cc_now *n) {
  struct cc_copy *y = &m->s->y;
  const uint64_t to_leave = n->leaving & ~(y->out_valid ? UINT64_C(1) << y->out : 0);
  y->versions = y->some ? y->n - y->ahead + !n->head_first : 0;
  if (!y->walking) y->exact = true;
  if (n->catches_up) {
    y->n--;
    if (y->some) y->first &= ~(UINT64_C(1) << y->head);
    else y->ahead = false;
  }
  if (w->done_write) {
    y->n += !y->ahead;
    y->ahead = true;
  }
  if (w->done_work) {
    cc_copy_append(y, (unsigned)__builtin_ctzll(n->lowest), y->ahead);
    y->ahead = false;
  }
  if (n->unlinks) unlink_sm(y);
  if (!y->out_valid || n->unlinks) {
    y->out_valid = to_leave != 0;
    y->out = to_leave ? (unsigned)__builtin_ctzll(to_leave) : 0;
  }
}

/* ---- locked rows and the epoch ------------------------------------------------------------------------------- */

static void move_epoch(struct cc_model *m, const struct cc_wires *w, const struct cc_now *n) {
  struct cc_copy *y = &m->s->y;
  const uint32_t rows = m->l.l1_rows, row = y->e.is.addr & (rows - 1);
  const bool laundered = y->launder && !y->clear && w->laundered == n->all, clear = y->clear;
  const unsigned last = (1u << m->l.gen_w) - 1;
  if (clear) m->locked[y->clear_row] = (struct cc_locked){0, 0};
  else if (w->done_write) m->locked[row] = (struct cc_locked){y->e.is.addr >> (m->l1_shift - m->l.off_w), (uint8_t)y->gen};
  if (w->done_write) {
    if (!y->locked || row < y->low) y->low = row;
    if (!y->locked || row > y->high) y->high = row;
    y->locked += !y->e_known;
  }
  if (clear && y->clear_row == rows - 1) y->clear = false;
  if (n->epoch_ends) {
    y->launder = y->clear = y->gen == last;
    y->gen = y->launder ? 0 : y->gen + 1;
    y->locked = 0;
  } else if (laundered) {
    y->gen = 1;
    y->launder = false;
  }
  if (clear) y->clear_row = (y->clear_row + 1) & (rows - 1);
}

/* ---- the walk ------------------------------------------------------------------------------------------------ */

static void move_walk(struct cc_model *m, const struct cc_wires *w, const struct cc_now *n) {
  struct cc_copy *y = &m->s->y;
  const bool run = y->run, walking = y->walking, takes = w->walk_takes && n->open;
  const unsigned settle = y->settle;
  if (n->starts_copy || n->starts_update) y->walking = true;
  else if (n->copy_done || n->update_done) y->walking = false;
  if (!walking) {
    y->copying = n->starts_copy;
    y->settle = SETTLE;
    y->run = false;
    y->source = n->starts_copy || !n->some ? n->holders & -n->holders : UINT64_C(1) << n->head;
    y->receivers = n->idle & ~n->current;
  } else if (settle) {
    y->settle--;
    y->run = settle == 1;
  } else if (takes && y->walk_row == y->high) {
    y->run = false;
  }
  y->drain = run ? DRAIN : y->drain ? y->drain - 1 : 0;
  if (!run) y->walk_row = y->low;
  else if (takes) y->walk_row = (y->walk_row + 1) & (m->l.l1_rows - 1);
}

/* The word that the source found; words for L2 are repeated from the first one that has to wait. */
static void move_words(struct cc_model *m, const struct cc_wires *w, const struct cc_now *n) {
  struct cc_copy *y = &m->s->y;
  struct cc_controller *k = &m->s->k;
  const bool push = y->word.valid && !n->copying;
  const bool leaves = y->u.valid && w->op_taken && w->op_kind != CC_OP_WALK;
  const bool loads = (!y->u.valid || leaves) && y->u_next != y->u_in;
  const unsigned oldest = y->u_oldest;
  y->room = y->u_in - oldest < ROOM;
  y->u_oldest += w->writes;
  if (loads) {
    y->u.addr = y->words[y->u_next % CC_WORDS].addr;
    y->u.data = y->words[y->u_next % CC_WORDS].data;
  }
  if (w->again) {
    y->u_next = oldest;
    y->u.valid = false;
    k->epoch = !k->epoch;
  } else {
    y->u_next += loads;
    y->u.valid = loads || (y->u.valid && !leaves);
  }
  if (push) {
    y->words[y->u_in % CC_WORDS].addr = y->word.addr;
    y->words[y->u_in % CC_WORDS].data = y->word.data;
    y->u_in++;
  }
  y->word.valid = w->word.valid && !m->s->u.shell.port.r.save;
  if (w->word.valid) y->word.addr = w->word.addr, y->word.data = w->word.data;
}

bool cc_copy_moves(const struct cc_model *m) {
  const struct cc_copy *y = &m->s->y;
  const bool u_empty = y->u_in == y->u_oldest && !y->word.valid;
  const bool walks = y->walking && (y->settle || (!y->run && (y->drain || y->copying || u_empty)));
  return y->word.valid || y->leaving || y->out_valid || walks || (!y->n && y->locked && !y->walking);
}

void cc_copy_step(struct cc_model *m, const struct cc_wires *w, const uint32_t *in) {
  struct cc_controller *k = &m->s->k;
  struct cc_copy *y = &m->s->y;
  const struct cc_now n = look(m, w);
  const bool empties = k->drain && w->l2_idle && y->e.is.kind == CC_INVALIDATE, pushed = cc_take_command(m, in);
  const uint32_t looks_at = n.advance ? k->fifo[k->next % CC_FIFO].addr : k->c.is.addr;
  const struct cc_locked read = m->locked[looks_at & (m->l.l1_rows - 1)];
  note_wait(m, w, &n);
  synchronize(m, w, &n, pushed);
  move_sms(m, w, &n, empties);
  move_list(m, w, &n);
  move_walk(m, w, &n);
  move_words(m, w, &n);
  move_epoch(m, w, &n);
  issue(m, &n, read, pushed);
}
