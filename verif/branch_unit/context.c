/* SPDX-License-Identifier: Apache-2.0 */
/* context.c: contexts, read by the page of the block (docs/branch_unit_status.md) and judged by the golden model;
 * nothing here is shared with the block's own code. */
#include "branch_unit/env.h"

#include <stdlib.h>
#include <string.h>

/* ---- a saved context against the golden model ------------------------------------------------------------- */

/* Takes the words of a mask, or of a program counter. */
static bu_lanes take(const uint32_t **w, unsigned width) {
  bu_lanes v = 0;
  for (unsigned i = 0; i < (width + 31) / 32; i++) v |= (bu_lanes) *(*w)++ << 32 * i;
  return v;
}

static struct bu_flow take_flow(const struct bu_env *e, const uint32_t **w) {
  bu_lanes mask = take(w, e->l.lanes);
  return (struct bu_flow){mask, (uint64_t)take(w, e->l.pc_w)};
}

static bool same(const struct bu_flow *a, const struct bu_flow *b) { return a->mask == b->mask && a->pc == b->pc; }

static const char *check_registers(struct bu_env *e, const uint32_t *w) {
  uint32_t error = e->error_recorded ? UINT32_C(1) << 31 | (uint32_t)e->first_error.status << 16 |
                   (uint32_t)e->first_error.ins.kind << 12 | e->first_error.ins.group : 0;
  if (w[0] != e->limit) return bu_wrong(e, "a limit of %u is saved, expected %u", w[0], e->limit);
  if (w[1] != e->reg_group) return bu_wrong(e, "register GROUP is saved as %u, expected %u", w[1], e->reg_group);
  if (e->errors_unsure) {
    e->error_recorded = w[2] >> 31;
    e->first_error.status = (enum bu_status)(w[2] >> 16 & 7);
    e->first_error.ins.kind = (enum bu_kind)(w[2] >> 12 & 7);
    e->first_error.ins.group = w[2] & 0x3ff;
    e->error_count = w[3];
    e->errors_unsure = false;
    return NULL;
  }
  if (w[2] != error) return bu_wrong(e, "the first error is saved as 0x%x, expected 0x%x", w[2], error);
  return w[3] != e->error_count ? bu_wrong(e, "%u errors are saved, expected %u", w[3], e->error_count) : NULL;
}

static const char *check_group(struct bu_env *e, unsigned group, const uint32_t **w) {
  const struct bu_group *g = &e->group[group];
  const struct bu_flow none = {0, 0};
  bool known = g->live || g->stopped, wrong_kind = g->stopped && g->error == BU_WRONG_KIND;
  uint32_t head = *(*w)++, flags = (uint32_t)g->live | (uint32_t)g->stopped << 1 | (uint32_t)g->synced << 2;
  struct bu_flow now = take_flow(e, w);
  if ((head & 0xff) != flags) return bu_wrong(e, "group %u is saved with flags %u, expected %u", group, head & 0xff, flags);
  bool sure = !known || (!g->busy && !g->stopped); /* else an instruction that is under way may count or not */
  if (sure && head >> 8 != (known ? g->depth : 0)) return bu_wrong(e, "group %u is saved with %u tokens, expected %u", group, head >> 8, g->depth);
  if (!same(&now, known ? &g->now : &none))
    return bu_wrong(e, "group %u is saved with pc 0x%llx, expected 0x%llx, or with another mask", group,
                    (unsigned long long)now.pc, (unsigned long long)g->now.pc);
  uint32_t what = *(*w)++;
  uint32_t expected = g->stopped ? (uint32_t)(wrong_kind ? g->wrong.kind : 0) << 8 | (uint32_t)g->error_kind << 4 | (uint32_t)g->error : 0;
  struct bu_flow token = take_flow(e, w);
  if (what != expected) return bu_wrong(e, "the error of group %u is saved as 0x%x, expected 0x%x", group, what, expected);
  if (!same(&token, wrong_kind ? &g->wrong.flow : &none)) return bu_wrong(e, "group %u is saved with another token of the wrong kind", group);
  if (g->stopped) bu_hit(e, BU_COVER_LOAD_STOPPED);
  return NULL;
}

/* The instructions under way; an instruction to come pops no second time. `b`: that of B, which has asked for nothing, and is judged or not; saved: the
 * groups of those before it. */
static const char *check_slot(struct bu_env *e, bool b, unsigned *saved, unsigned *number, const uint32_t **w) {
  uint32_t head = *(*w)++;
  struct bu_flow to = take_flow(e, w);
  uint64_t next = (uint64_t)take(w, e->l.pc_w);
  bool valid = head & 1, half = head >> 3 & 1;
  if (!valid) return NULL;
  const unsigned group = head >> 16;
  if (group >= e->l.threads || !e->group[group].busy) return bu_wrong(e, "an instruction of group %u is saved, which has none", group);
  for (unsigned i = 0; i < *number; i++)
    if (saved[i] == group) return bu_wrong(e, "two instructions of group %u are saved", group);
  const struct bu_expected *x = &e->expected[group];
  const struct bu_instruction *i = &x->ins;
  uint32_t expected = 1u | (uint32_t)i->set << 1 | (uint32_t)i->pop << 2 | (uint32_t)i->kind << 4 | i->group << 16;
  if ((head & 0xffff00f7) != expected)
    return bu_wrong(e, "an instruction is saved as 0x%x, expected 0x%x", head & 0xffff00f7, expected);
  if (b && (half != x->judged || (head >> 8 & 7) != (half && x->status == BU_OVERFLOW && !x->n_ops ? BU_OVERFLOW : 0)))
    return bu_wrong(e, "the instruction of group %u in B is saved as 0x%x", group, head);
  if (!b && half && x->n_ops < 2) return bu_wrong(e, "an instruction is saved as half done that cannot be");
  if (e->fake && !b && half != (x->n_ops == 2 && x->asked == 1))
    return bu_wrong(e, "an instruction of group %u is saved with half done %u", i->group, half);
  if (to.mask != i->mask || to.pc != i->target || (next != i->next && !i->pop))
    return bu_wrong(e, "the instruction of group %u is saved with another mask, target or next pc", i->group);
  if (half && !b) bu_hit(e, BU_COVER_SAVE_HALF);
  saved[(*number)++] = group;
  return NULL;
}

const char *bu_context_saved(struct bu_env *e, const uint32_t *w, unsigned words) {
  /* Those of its stack are with the entries on chip, or without. */
  const unsigned most = e->front.unit.ctx_max, entries = e->fake ? 0 : e->l.threads * (unsigned)simt_param(e->cfg, "ENTRIES") * ((e->l.entry_w + 31) / 32);
  if (words != most && words != most - entries)
    return bu_wrong(e, "a saved context has %u words, expected %u", words, e->front.unit.ctx_max);
  const char *wrong = check_registers(e, w);
  w += BU_CTX_REGS;
  for (unsigned g = 0; g < e->l.threads && !wrong; g++) wrong = check_group(e, g, &w);
  unsigned saved = 0, groups[BU_RING_MAX + 1];
  for (unsigned i = 0; i <= e->l.ring && !wrong; i++) wrong = check_slot(e, i == e->l.ring, groups, &saved, &w);
  if (saved < e->under_way && !wrong) wrong = bu_wrong(e, "%u instructions are saved, expected %u", saved, e->under_way);
  if (e->under_way >= 3) bu_hit(e, BU_COVER_SAVE_ALL);
  return wrong;
}

/* ---- the golden model moves along ---------------------------------------------------------------------------- */

bool bu_process_create(const struct bu_env *e, struct bu_process *p) {
  unsigned threads = e->l.threads;
  p->expected = calloc(threads, sizeof *p->expected);
  p->group = calloc(threads, sizeof *p->group);
  p->runner = calloc(threads, sizeof *p->runner);
  bool runners = p->runner && bu_runners_create(p->runner, threads, e->l.lanes);
  if (e->fake) p->fake = bu_fake_create(&e->l);
  return p->expected && p->group && runners && (p->fake || !e->fake);
}

void bu_process_destroy(const struct bu_env *e, struct bu_process *p) {
  for (unsigned i = 0; p->group && i < e->l.threads; i++) free(p->group[i].token);
  bu_runners_destroy(p->runner);
  bu_fake_destroy(p->fake);
  free(p->runner);
  free(p->group);
  free(p->expected);
}

static void copy_groups(const struct bu_env *e, struct bu_group *to, const struct bu_group *from) {
  for (unsigned i = 0; i < e->l.threads; i++) {
    struct bu_mark *token = to[i].token;
    unsigned room = to[i].room;
    if (room < from[i].depth) {
      room = from[i].room;
      token = realloc(token, room * sizeof *token);
      if (!token) abort();
    }
    to[i] = from[i];
    to[i].token = token;
    to[i].room = room;
    if (from[i].depth) memcpy(token, from[i].token, from[i].depth * sizeof *token);
  }
}

void bu_process_keep(struct bu_env *e, struct bu_process *p) {
  p->region = e->front.region;
  p->nack = e->front.nack;
  p->under_way = e->under_way;
  memcpy(p->expected, e->expected, e->l.threads * sizeof *p->expected);
  p->unjudged = e->unjudged;
  memcpy(p->unjudged_group, e->unjudged_group, sizeof p->unjudged_group);
  p->limit = e->limit;
  p->stack_limit = e->stack_limit;
  p->reg_group = e->reg_group;
  p->error_recorded = e->error_recorded;
  p->error_count = e->error_count;
  p->first_error = e->first_error;
  copy_groups(e, p->group, e->group);
  bu_runners_copy(p->runner, e->runner, e->l.threads, e->l.lanes);
  if (e->fake) bu_fake_copy(p->fake, e->fake);
}

void bu_process_load(struct bu_env *e, const struct bu_process *p) {
  e->under_way = p->under_way;
  memcpy(e->expected, p->expected, e->l.threads * sizeof *p->expected);
  e->unjudged = p->unjudged;
  memcpy(e->unjudged_group, p->unjudged_group, sizeof e->unjudged_group);
  e->limit = p->limit;
  e->stack_limit = p->stack_limit;
  e->reg_group = p->reg_group;
  e->error_recorded = p->error_recorded;
  e->errors_unsure = false;
  e->error_count = p->error_count;
  e->first_error = p->first_error;
  uint64_t changes = ++e->changes;
  copy_groups(e, e->group, p->group);
  bu_runners_copy(e->runner, p->runner, e->l.threads, e->l.lanes);
  for (unsigned i = 0; i < e->l.threads; i++) {
    e->group[i].changes = changes; /* nothing read before holds */
    bu_map(e, i);
  }
  if (e->fake) bu_fake_copy(e->fake, p->fake);
}
