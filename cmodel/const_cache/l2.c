/* SPDX-License-Identifier: Apache-2.0 */
/* l2.c: the pipeline of L2 and backup in one cycle. A row is looked at when its operation is in stage 5: nothing that
 * changes more than its dirty bit has been in the pipeline beside it, so it is as it was in stage 1. */
#include "const_cache/state.h"

enum { PATIENCE = 15 };
enum { BY_SM = 1, BY_ACTIVE, BY_FULL, BY_CODE, BY_MEMORY };

/* ---- stage 5 ----------------------------------------------------------------------------------------- */

/* `words` of a mask: known where it is called, as it is 1 but for many SMs. */
static inline __attribute__((always_inline)) void look_for(const struct cc_model *m, struct cc_wires *w, const unsigned words) {
  const struct cc_controller *k = &m->s->k;
  const struct cc_mask *used = &m->s->l2.used;
  const struct cc_op *op = w->op;
  const struct cc_entry *set = m->entry + (size_t)(op->addr & (m->l.sets - 1)) * m->l.ways;
  const uint32_t tag = op->addr >> m->set_shift;
  uint64_t lacking = 0;
  for (unsigned j = 0; j < words; j++) w->covered.w[j] = 0;
  for (unsigned i = m->l.ways; i--;) {
    uint64_t any = 0;
    bool same = set[i].tag == tag;
    for (unsigned j = 0; j < words; j++) {
      any |= set[i].mask.w[j];
      if (same) w->covered.w[j] |= set[i].mask.w[j];
    }
    if (op->kind == CC_OP_READ && same && cc_bit(&set[i].mask, k->version[op->sm])) {
      w->match = true;
      w->way = i;
    }
    if (op->kind != CC_OP_READ && !any) {
      w->room = true;
      w->way = i;
    }
  }
  for (unsigned j = 0; j < words; j++) lacking |= used->w[j] & ~w->covered.w[j];
  w->needed = k->active_any && lacking;
}

static void look_into_backup(const struct cc_model *m, struct cc_wires *w) {
  if (m->mask_words == 1) look_for(m, w, 1);
  else look_for(m, w, m->mask_words);
}

static uint64_t *words_of(const struct cc_model *m, uint32_t addr) { return &m->l2_word[(addr & (m->l.l2_rows - 1)) * m->l.words]; }

static bool holds(const struct cc_model *m, uint32_t addr, const struct cc_line *line) {
  const uint64_t *held = words_of(m, addr);
  bool same = true;
  for (unsigned i = 0; i < m->l.words; i++) same &= held[i] == line->word[i];
  return same;
}

static void decide_write(const struct cc_model *m, struct cc_wires *w, bool may_start) {
  const struct cc_controller *k = &m->s->k;
  const struct cc_l2 *t = &m->s->l2;
  const bool backup = m->l.protocol == CC_BACKUP, blocked = m->l.protocol == CC_SHARED && k->active_any;
  const bool version = !backup || !k->dispatched || k->upcoming_valid, room = !w->needed || w->room;
  const bool there = w->hit || (!w->evicts && (!w->needed || t->fetched.valid));
  w->drops = m->l.drop_repeats && w->hit && holds(m, w->op->addr, &w->op->data);
  w->writes = !w->drops && !blocked && version && !t->busy && room && there;
  w->starts = !blocked && room && !there && may_start;
  w->again = !w->drops && !w->writes;
  w->save = w->writes && w->needed;
  w->cause = blocked ? BY_ACTIVE : !version ? BY_CODE : !room ? BY_FULL : BY_MEMORY;
}

void cc_l2_decide(const struct cc_model *m, struct cc_wires *w) {
  const struct cc_l2 *t = &m->s->l2;
  const struct cc_controller *k = &m->s->k;
  w->op = &t->stage[(t->first + 5) & 7];
  const bool ordered = w->op->kind == CC_OP_WRITE || w->op->kind == CC_OP_WORK;
  w->counts = w->op->valid && !(ordered && w->op->epoch != k->epoch);
  if (!w->counts) return;
  const struct cc_l2_row *row = &m->l2_row[w->op->addr & (m->l.l2_rows - 1)];
  w->hit = row->valid && row->tag == w->op->addr >> m->l2_shift;
  w->dirty = row->valid && row->dirty;
  w->evicts = !w->hit && w->dirty;
  const bool may_start = t->can_start && !t->busy;
  switch (w->op->kind) {
    case CC_OP_READ:
      if (m->l.protocol == CC_BACKUP) look_into_backup(m, w);
      w->known = w->match || w->hit;
      w->starts = !w->known && may_start;
      break;
    case CC_OP_WRITE:
      w->room = m->l.protocol != CC_BACKUP;
      if (m->l.protocol == CC_BACKUP) look_into_backup(m, w);
      decide_write(m, w, may_start);
      break;
    case CC_OP_WORK:
      w->works = !w->stops && (~k->active & ~k->hold & cc_ones(m->l.sms)) != 0;
      w->again = !w->works;
      w->cause = BY_SM;
      break;
    case CC_OP_WALK:
      w->starts = w->dirty && may_start;
      w->walked = w->dirty ? may_start : !t->busy;
      w->walk_again = !w->walked;
      break;
    default: break;
  }
  w->starts_back = w->starts && (w->evicts || w->op->kind == CC_OP_WALK);
}

/* ---- choice of an operation and entry into stage 1 ------------------------------------------------------ */

void cc_l2_choose(const struct cc_model *m, struct cc_wires *w) {
  const struct cc_l2 *t = &m->s->l2;
  const bool open = !t->entry[1].valid, fill = t->f.valid, read = t->r.valid, scan = w->scan_valid;
  const bool first = scan && t->scan_lost == PATIENCE && !fill, rest = open && !fill && !first;
  w->f_taken = open && fill;
  w->r_taken = rest && read && (t->read_turn || !w->op_valid);
  w->op_taken = rest && w->op_valid && (!t->read_turn || !read);
  w->scan_taken = open && (first || (!fill && scan && !read && !w->op_valid));
  w->asked = t->chosen.valid && (!t->r.valid || w->r_taken) ? (int)t->chosen.sm : -1;
}

/* Whether an operation of its rows is in stages 1 to 5. Reads may follow reads: the access that one starts is known to
 * the third behind it, and none of the two before that can start one. */
static bool hazard(const struct cc_model *m, const struct cc_op *x) {
  const struct cc_l2 *t = &m->s->l2;
  if (x->kind == CC_OP_WORK) return false;
  bool any = false; /* no branch in the loop: none of them could be foreseen */
  for (unsigned i = 1; i <= 5; i++) {
    const struct cc_op *op = &t->stage[(t->first + i) & 7];
    const bool same = op->valid & (op->kind != CC_OP_WORK) & !((op->addr ^ x->addr) & m->hazard_rows);
    any |= same & ((i == 5) | (x->kind != CC_OP_READ) | (op->kind != CC_OP_READ)); /* in stage 6 it may mark its row clean */
  }
  return any;
}

static void put_chosen(const struct cc_model *m, const struct cc_wires *w, struct cc_op *op) {
  const struct cc_l2 *t = &m->s->l2;
  const struct cc_controller *k = &m->s->k;
  op->valid = w->f_taken || w->scan_taken || w->r_taken || w->op_taken;
  if (w->f_taken) {
    op->kind = t->f.fetch ? CC_OP_FETCHED : CC_OP_FILL;
    op->sm = t->f.sm;
    op->slot = t->f.slot;
    op->tag = t->f.tag;
    op->addr = t->f.addr;
    op->data = t->f.data;
    op->error = t->f.error;
  } else if (w->scan_taken) {
    op->kind = CC_OP_SCAN;
    op->addr = w->scan_set;
  } else if (w->r_taken) {
    op->kind = CC_OP_READ;
    op->sm = t->r.sm;
    op->slot = t->r.slot;
    op->addr = t->r.addr;
  } else if (w->op_taken) {
    op->kind = w->op_kind;
    op->addr = w->op_addr;
    op->data = w->op_data;
    op->epoch = k->epoch;
    op->error = w->op_clears;
  }
}

/* All stages move on; what is chosen goes into the entry. */
static void move_pipeline(struct cc_model *m, const struct cc_wires *w) {
  struct cc_l2 *t = &m->s->l2;
  if (w->r_taken || w->op_taken) t->read_turn = w->op_taken;
  if (!w->scan_valid || w->scan_taken) t->scan_lost = 0;
  else if (t->scan_lost != PATIENCE) t->scan_lost++;
  const bool leaves = t->entry[0].valid && !hazard(m, &t->entry[0]);
  t->first = (t->first - 1) & 7;
  struct cc_op *one = cc_stage(t, 1);
  if (leaves) *one = t->entry[0];
  else one->valid = false;
  if (!leaves && t->entry[0].valid) {
    if (!t->entry[1].valid) put_chosen(m, w, &t->entry[1]);
  } else if (t->entry[1].valid) {
    t->entry[0] = t->entry[1];
    t->entry[1].valid = false;
  } else {
    put_chosen(m, w, &t->entry[0]);
  }
}

/* ---- requests of L1s --------------------------------------------------------------------------------- */

static void choose_request(struct cc_model *m, const struct cc_wires *w) {
  struct cc_l2 *t = &m->s->l2;
  const bool loads = w->asked >= 0;
  const uint64_t eligible = m->s->asks & ~(t->chosen.valid ? UINT64_C(1) << t->chosen.sm : 0);
  const uint64_t later = eligible & t->after, turn = later ? later : eligible;
  if (loads) {
    const struct cc_l1 *from = &m->l1[t->chosen.sm];
    t->r.sm = t->chosen.sm;
    t->r.slot = from->req.slot;
    t->r.addr = from->req.addr;
  }
  t->r.valid = loads || (t->r.valid && !w->r_taken);
  if (t->chosen.valid && !loads) return;
  t->chosen.valid = eligible != 0;
  if (!eligible) return;
  t->chosen.sm = (unsigned)__builtin_ctzll(turn);
  t->after = t->chosen.sm == 63 ? 0 : ~UINT64_C(0) << (t->chosen.sm + 1);
}

/* ---- memory -------------------------------------------------------------------------------------------- */

/* The answer that was taken last: an acknowledge ends its access, a word goes to stage 0. */
static void hear_memory(struct cc_model *m, const struct cc_wires *w, const uint32_t *in, int *acknowledged) {
  struct cc_l2 *t = &m->s->l2;
  const struct cc_places *at = &m->at;
  const struct cc_miss *x = &t->miss[t->got.tag % CC_MOST_MISSES];
  const bool known = t->got.valid && t->got.tag < CC_MOST_MISSES && t->missing >> t->got.tag & 1, ack = known && x->kind == CC_WRITE_BACK;
  const bool loads = known && !ack && !t->f.valid, leaves = t->got.valid && (!known || ack || loads);
  *acknowledged = ack ? (int)t->got.tag : -1;
  t->unasked = t->got.valid && !known;
  t->answered = ack || loads;
  t->read_failed = loads && t->got.error && x->kind == CC_FOR_READ;
  t->fetch_failed = loads && t->got.error && x->kind == CC_FOR_WRITE;
  t->write_failed = ack && t->got.error;
  t->failed_addr = x->addr;
  if (t->f.valid) t->f.valid = !w->f_taken;
  else if (loads) {
    t->f.valid = true;
    t->f.error = t->got.error;
    t->f.fetch = x->kind == CC_FOR_WRITE;
    t->f.tag = t->got.tag;
    t->f.sm = x->sm;
    t->f.slot = x->slot;
    t->f.addr = x->addr;
    t->f.data = t->got.data;
  }
  if (t->got.valid) {
    t->got.valid = !leaves;
  } else if (in[at->rsp_m_valid] && cc_hears(m)) {
    t->got.valid = true;
    t->got.tag = in[at->rsp_m_tag];
    t->got.error = in[at->rsp_m_error] != 0;
    cc_get_line(m, &in[at->rsp_m_data], &t->got.data);
  }
}

static void ask_memory(struct cc_model *m, const struct cc_wires *w, bool ready, int acknowledged) {
  struct cc_l2 *t = &m->s->l2;
  const struct cc_op *op = w->op;
  const unsigned rows = m->l.l2_rows, place = t->place;
  const bool waits = t->q.valid && !ready;
  const uint64_t open = ~t->missing & cc_ones(m->l.misses), old_missing = t->missing;
  t->place = open ? (unsigned)__builtin_ctzll(open) : 0;
  const bool started = t->start.valid;
  if (started) {
    t->q.write = t->start.is.kind == CC_WRITE_BACK;
    t->q.tag = t->start.place;
    t->q.addr = t->start.is.addr;
    t->q.data = t->start.data;
    t->miss[t->start.place] = t->start.is;
    t->missing |= UINT64_C(1) << t->start.place;
  }
  t->start.valid = w->starts;
  if (w->starts) {
    const struct cc_l2_row *row = &m->l2_row[op->addr & (rows - 1)];
    const uint32_t addr = w->starts_back ? row->tag * rows + (op->addr & (rows - 1)) : op->addr;
    const enum cc_miss_kind kind = w->starts_back ? CC_WRITE_BACK : op->kind == CC_OP_WRITE ? CC_FOR_WRITE : CC_FOR_READ;
    t->start.place = place;
    t->start.is = (struct cc_miss){kind, addr, op->sm, op->slot};
    cc_get_words(&t->start.data, words_of(m, op->addr), m->l.words);
  }
  if (w->counts && (op->kind == CC_OP_FILL || op->kind == CC_OP_FETCHED)) t->missing &= ~(UINT64_C(1) << op->tag);
  if (acknowledged >= 0) t->missing &= ~(UINT64_C(1) << acknowledged);
  t->q.valid = started || waits;
  t->can_start = !w->starts && !started && !waits && open;
  t->idle = !w->starts && !started && !old_missing;
}

/* ---- what stage 4 leaves behind ------------------------------------------------------------------------ */

static void act_on_backup(struct cc_model *m, const struct cc_wires *w) {
  struct cc_l2 *t = &m->s->l2;
  t->entries += t->saved - t->retired;
  t->saved = w->save;
  t->retired = 0;
  if (!w->counts) return;
  struct cc_entry *set = m->entry + (size_t)(w->op->addr & (m->l.sets - 1)) * m->l.ways;
  if (w->save) {
    struct cc_entry *e = &set[w->way];
    e->data = t->fetched.data;
    if (w->hit) cc_get_words(&e->data, words_of(m, w->op->addr), m->l.words);
    e->tag = w->op->addr >> m->set_shift;
    e->error = !w->hit && t->fetched.error;
    for (unsigned j = 0; j < m->mask_words; j++) e->mask.w[j] = t->used.w[j] & ~w->covered.w[j];
  }
  if (w->op->kind != CC_OP_SCAN) return;
  for (unsigned i = 0; i < m->l.ways; i++) {
    uint64_t had = 0, has = 0;
    for (unsigned j = 0; j < m->mask_words; j++) {
      had |= set[i].mask.w[j];
      set[i].mask.w[j] &= t->used.w[j];
      has |= set[i].mask.w[j];
    }
    t->retired += had && !has;
  }
}

static void act(struct cc_model *m, const struct cc_wires *w) {
  struct cc_l2 *t = &m->s->l2;
  const struct cc_op *op = w->op;
  struct cc_l2_row *row = &m->l2_row[op->addr & (m->l.l2_rows - 1)];
  const bool read = w->counts && op->kind == CC_OP_READ, fill = w->counts && op->kind == CC_OP_FILL;
  const bool walk = w->counts && op->kind == CC_OP_WALK;
  t->ans.valid = (read && !(w->starts && !w->evicts)) || fill;
  t->ans.retry = read && !w->known;
  t->ans.sm = op->sm;
  t->ans.slot = op->slot;
  t->ans.error = fill && op->error;
  if (fill) t->ans.data = op->data;
  else if (t->ans.valid) cc_get_words(&t->ans.data, words_of(m, op->addr), m->l.words);
  if (read && w->match) {
    const struct cc_entry *e = &m->entry[(size_t)(op->addr & (m->l.sets - 1)) * m->l.ways + w->way];
    t->ans.data = e->data;
    t->ans.error = e->error;
  }
  act_on_backup(m, w);
  if (w->writes || w->drops) t->fetched.valid = false;
  else if (w->counts && op->kind == CC_OP_FETCHED) {
    t->fetched.valid = true;
    t->fetched.error = op->error;
    t->fetched.data = op->data;
  }
  if (w->writes || (fill && !op->error)) {
    *row = (struct cc_l2_row){op->addr >> m->l2_shift, true, w->writes};
    cc_put_words(words_of(m, op->addr), &op->data, m->l.words);
  }
  if (w->starts_back) row->dirty = false;
  if (walk && w->walked && op->error) row->valid = row->dirty = false;
}

void cc_l2_step(struct cc_model *m, const struct cc_wires *w, const uint32_t *in) {
  struct cc_l2 *t = &m->s->l2;
  const struct cc_op *four = cc_stage(t, 4), *five = cc_stage(t, 5);
  const bool work = five->valid && five->kind == CC_OP_WORK;
  int acknowledged;
  bool busy = false;
  for (uint64_t left = t->missing; left; left &= left - 1)
    busy |= !((t->miss[__builtin_ctzll(left)].addr ^ four->addr) & (m->l.l2_rows - 1));
  move_pipeline(m, w);
  choose_request(m, w);
  hear_memory(m, w, in, &acknowledged);
  ask_memory(m, w, in[m->at.req_ready], acknowledged);
  act(m, w);
  t->busy = busy;
  for (unsigned j = 0; j < m->mask_words; j++) t->used.w[j] = m->s->k.used.w[j];
  if (work) cc_set(&t->used, m->s->k.current);
}
