/* SPDX-License-Identifier: Apache-2.0 */
/* golden.c: what instructions mean: an unbounded stack of tokens per group, without time. From the requirements
 * (BU-1 to BU-6), not from the model. */
#include "branch_unit/env.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

static const char *const status_name[] = {
  "done", "not executed", "overflow", "underflow", "fault", "wrong kind", "not empty", "status 7"};

void bu_golden_reset(struct bu_env *e) {
  for (unsigned i = 0; i < e->l.threads; i++) {
    struct bu_group *g = &e->group[i];
    g->busy = g->live = g->stopped = g->synced = g->may_fault = false;
    g->depth = 0;
    g->changes++;
    bu_map(e, i);
    e->runner[i].runs = false;
  }
  e->under_way = e->unjudged = e->in_row = 0;
  e->changes++;
  e->limit = (uint32_t)e->l.max_depth;
  e->error_recorded = e->errors_unsure = false;
  e->error_count = 0;
}

/* By field: a processor waits when it copies as one what was just written in parts. */
static inline void put_mark(struct bu_mark *to, const struct bu_mark *mark) {
  to->kind = mark->kind;
  to->flow.mask = mark->flow.mask;
  to->flow.pc = mark->flow.pc;
}

static inline void push(struct bu_group *g, const struct bu_mark *mark) {
  if (g->depth == g->room) {
    g->room = g->room ? 2 * g->room : 16;
    g->token = realloc(g->token, g->room * sizeof *g->token);
    if (!g->token) abort();
  }
  put_mark(&g->token[g->depth++], mark);
}

static inline void add(struct bu_expected *x, enum bu_op kind, const struct bu_mark *mark) {
  struct bu_operation *op = &x->op[x->n_ops++];
  op->kind = kind;
  if (mark) put_mark(&op->mark, mark);
}

/* Pops a token that pop-sync, return or break has asked for. */
static void pop(struct bu_env *e, struct bu_group *g, struct bu_expected *x) {
  enum bu_kind kind = x->ins.kind;
  if (!g->depth) {
    x->status = BU_UNDERFLOW;
    return;
  }
  const struct bu_mark top = g->token[--g->depth];
  add(x, BU_POP, NULL);
  if (x->ins.pop && top.kind == BU_TOKEN_DIV) {
    x->then = top.flow;
    x->status = BU_NOT_EXECUTED;
    bu_hit(e, BU_COVER_POP_DIV);
  } else if (x->ins.pop && top.kind == BU_TOKEN_SYNC) {
    x->then.mask = top.flow.mask; /* at the same instruction */
    x->status = BU_NOT_EXECUTED;
    x->synced = true;
    bu_hit(e, BU_COVER_POP_SYNC);
  } else if (!x->ins.pop && (top.kind == BU_TOKEN_DIV ||
                             top.kind == (kind == BU_RETURN ? BU_TOKEN_CALL : BU_TOKEN_BRK))) {
    x->then = top.flow;
    bool div = top.kind == BU_TOKEN_DIV;
    bu_hit(e, kind == BU_RETURN ? div ? BU_COVER_RETURN_DIV : BU_COVER_RETURN_CALL
                                : div ? BU_COVER_BREAK_DIV : BU_COVER_BREAK_BRK);
  } else {
    x->status = BU_WRONG_KIND;
    x->wrong = top;
    if (x->ins.pop) bu_hit(e, top.kind == BU_TOKEN_CALL ? BU_COVER_WRONG_SYNC_CALL : BU_COVER_WRONG_SYNC_BRK);
    else if (top.kind == BU_TOKEN_SYNC) {
      bu_hit(e, kind == BU_RETURN ? BU_COVER_WRONG_RETURN_SYNC : BU_COVER_WRONG_BREAK_SYNC);
      if (x->ins.set) bu_hit(e, BU_COVER_RETURN_OWN_SYNC);
    } else bu_hit(e, kind == BU_RETURN ? BU_COVER_WRONG_RETURN_BRK : BU_COVER_WRONG_BREAK_CALL);
  }
}

/* A branch: who takes it goes on, the others wait on the stack. False: it does not diverge. */
static bool branch(struct bu_env *e, const struct bu_group *g, struct bu_expected *x, struct bu_mark *others) {
  bu_lanes takers = g->now.mask & x->ins.mask;
  x->then.pc = takers ? x->ins.target : x->ins.next;
  if (!takers || takers == g->now.mask) {
    bu_hit(e, takers ? BU_COVER_ALL_TAKEN : BU_COVER_NONE_TAKEN);
    if (x->ins.set) bu_hit(e, BU_COVER_SYNC_ONLY);
    return false;
  }
  x->then.mask = takers;
  *others = (struct bu_mark){BU_TOKEN_DIV, {g->now.mask ^ takers, x->ins.next}};
  bu_hit(e, x->ins.set ? BU_COVER_TWO_PUSHES : BU_COVER_DIVERGES);
  return true;
}

static void execute(struct bu_env *e, struct bu_group *g, struct bu_expected *x, uint32_t own) {
  const uint32_t limit = own < e->stack_limit ? own : e->stack_limit;
  struct bu_mark mark[2];
  unsigned n = 0;
  x->then.pc = x->ins.next;
  if (x->ins.set) mark[n++] = (struct bu_mark){BU_TOKEN_SYNC, {g->now.mask, 0}};
  switch (x->ins.kind) {
  case BU_BRANCH: n += branch(e, g, x, &mark[n]); break;
  case BU_CALL:
    mark[n++] = (struct bu_mark){BU_TOKEN_CALL, {g->now.mask, x->ins.next}};
    x->then.pc = x->ins.target;
    break;
  case BU_PREBREAK: mark[n++] = (struct bu_mark){BU_TOKEN_BRK, {g->now.mask, x->ins.target}}; break;
  default: break;
  }
  if (n && (g->depth + n > own) != (g->depth + n > x->limit)) bu_hit(e, BU_COVER_LIMIT_DECIDES);
  if (n && g->depth + n > limit) {
    x->status = BU_OVERFLOW;
    bu_hit(e, n == 2 && g->depth + 1 <= limit ? BU_COVER_OVERFLOW_TWO : BU_COVER_OVERFLOW_ONE);
    if (g->depth + n > own) return;
    for (unsigned i = 0; i < n; i++) add(x, BU_PUSH, &mark[i]); /* only the stack knows */
    if (x->ins.kind == BU_RETURN || x->ins.kind == BU_BREAK) add(x, BU_POP, NULL);
    return;
  }
  for (unsigned i = 0; i < n; i++) {
    push(g, &mark[i]);
    add(x, BU_PUSH, &mark[i]);
  }
  if (n && g->depth == limit) bu_hit(e, BU_COVER_FULL_LIMIT);
  if (x->ins.kind == BU_RETURN || x->ins.kind == BU_BREAK) pop(e, g, x);
  if (x->ins.kind == BU_FINISH && g->depth) x->status = BU_NOT_EMPTY;
}

void bu_golden_taken(struct bu_env *e, const struct bu_instruction *i) {
  struct bu_group *g = &e->group[i->group];
  struct bu_expected *x = &e->expected[i->group];
  e->under_way++;
  e->unjudged_group[e->unjudged++] = i->group;
  x->ins.kind = i->kind;
  x->ins.set = i->set;
  x->ins.group = i->group;
  x->cycle = e->cycle;
  x->from = e->cycle + 1;
  x->limit = e->limit;
  x->judged = x->synced = x->fault_before = false;
  x->status = BU_DONE;
  x->then = g->now;
  x->n_ops = x->asked = 0;
  if (i->kind < BU_BRANCH || i->kind > BU_BREAK) x->ins.set = false;
  x->ins.pop = i->pop && !g->synced && i->kind != BU_LAUNCH;
  if (i->pop && g->synced) {
    bu_hit(e, BU_COVER_NO_SECOND_POP);
    if (i->kind == BU_OTHER) bu_hit(e, BU_COVER_POP_SYNC_OTHER);
    if (i->kind == BU_BRANCH) bu_hit(e, BU_COVER_POP_SYNC_BRANCH);
    if (i->kind == BU_RETURN || i->kind == BU_BREAK) bu_hit(e, BU_COVER_POP_SYNC_RETURN);
  }
  if (i->kind == BU_LAUNCH) g->may_fault = false;
  g->busy = true;
  bu_map(e, i->group);
}

/* What comes of an instruction, by the limit of the cycle in which it is judged. */
static void judge(struct bu_env *e, struct bu_expected *x, uint32_t limit) {
  const struct bu_instruction *i = &x->ins;
  struct bu_group *g = &e->group[i->group];
  if (i->kind == BU_LAUNCH) {
    if (g->stopped || g->live) bu_hit(e, g->stopped ? BU_COVER_LAUNCH_STOPPED : BU_COVER_LAUNCH_LIVE);
    g->depth = 0;
    x->then = (struct bu_flow){i->mask, i->target};
    add(x, BU_INIT, NULL);
  } else if (x->ins.pop) {
    pop(e, g, x);
  } else {
    execute(e, g, x, limit);
  }
  if (x->status == BU_UNDERFLOW) bu_hit(e, x->ins.pop ? BU_COVER_UNDERFLOW_SYNC : BU_COVER_UNDERFLOW);
  if (x->status == BU_NOT_EMPTY) bu_hit(e, BU_COVER_NOT_EMPTY);
  if (i->kind == BU_CALL && !x->ins.pop) bu_hit(e, BU_COVER_CALL);
  if (i->kind == BU_PREBREAK && !x->ins.pop) bu_hit(e, BU_COVER_PREBREAK);
  if ((i->kind == BU_CALL || i->kind == BU_PREBREAK) && x->ins.set && !x->ins.pop) bu_hit(e, BU_COVER_CALL_SYNC);
}

static void finish(struct bu_env *e, struct bu_group *g, const struct bu_expected *x) {
  g->busy = false;
  g->changes++;
  e->changes++;
  if (x->status > BU_NOT_EXECUTED) {
    g->live = g->synced = false;
    g->stopped = true;
    g->error = x->status;
    g->error_kind = x->ins.kind;
    if (x->status == BU_WRONG_KIND) g->wrong = x->wrong;
    if (!e->error_recorded) e->first_error = *x;
    e->error_recorded = true;
    if (e->error_count < 0xffff) e->error_count++;
    return;
  }
  g->now = x->then;
  g->synced = x->synced;
  if (x->ins.kind == BU_LAUNCH) g->live = true, g->stopped = false;
  if (x->ins.kind == BU_FINISH && !x->ins.pop) {
    g->live = false;
    bu_hit(e, BU_COVER_FINISH);
  }
}

static const char *compare(struct bu_env *e, const struct bu_expected *x, const uint32_t *out) {
  const struct bu_ports *at = &e->at;
  unsigned group = out[at->res_group], status = out[at->res_status];
  if (out[at->res_kind] != x->ins.kind)
    return bu_wrong(e, "the result of group %u is of kind %u, its instruction of kind %u", group, out[at->res_kind], x->ins.kind);
  if (!x->judged || (e->fake && x->asked < x->n_ops))
    return bu_wrong(e, "group %u: the result comes before its operations can be", group);
  if (status != x->status)
    return bu_wrong(e, "group %u, kind %u: status %s, expected %s", group, x->ins.kind, status_name[status & 7],
                    status_name[x->status]);
  if (out[at->res_synced] != (status == BU_NOT_EXECUTED && x->synced))
    return bu_wrong(e, "group %u, kind %u: res_synced_o is %u", group, x->ins.kind, out[at->res_synced]);
  if (x->n_ops && e->cycle - x->cycle < e->l.latency + 3 + (x->n_ops > 1 ? e->l.ring : 0))
    return bu_wrong(e, "group %u: the result comes before the answer of its stack can be there", group);
  bool go = status <= BU_NOT_EXECUTED && (x->ins.kind != BU_FINISH || x->ins.pop);
  if (out[at->res_go] != go) return bu_wrong(e, "group %u: res_go_o is %u", group, out[at->res_go]);
  if (!go) return NULL;
  bu_lanes mask = bu_get_port(&out[at->res_mask], e->l.lanes);
  uint64_t pc = (uint64_t)bu_get_port(&out[at->res_pc], e->l.pc_w);
  if (mask != x->then.mask)
    return bu_wrong(e, "group %u: mask 0x%" PRIx64 "%016" PRIx64 ", expected 0x%" PRIx64 "%016" PRIx64, group,
                    (uint64_t)(mask >> 64), (uint64_t)mask, (uint64_t)(x->then.mask >> 64), (uint64_t)x->then.mask);
  if (pc != x->then.pc)
    return bu_wrong(e, "group %u: pc 0x%" PRIx64 ", expected 0x%" PRIx64, group, pc, x->then.pc);
  return NULL;
}

const char *bu_golden_result(struct bu_env *e, const uint32_t *out) {
  if (!out[e->at.res]) {
    e->in_row = 0;
    return NULL;
  }
  const unsigned group = out[e->at.res_group];
  if (group >= e->l.threads || !e->group[group].busy) return bu_wrong(e, "a result of group %u without an instruction", group);
  if (++e->in_row == 8) bu_hit(e, BU_COVER_STREAM);
  struct bu_expected *x = &e->expected[group];
  struct bu_group *g = &e->group[group];
  if (out[e->at.res_status] == BU_FAULT && g->may_fault && x->n_ops) {
    x->status = BU_FAULT; /* whatever else would have come of it */
    bu_hit(e, x->op[0].kind == BU_POP ? BU_COVER_FAULT_POP : BU_COVER_FAULT_PUSH);
  }
  const char *wrong = compare(e, x, out);
  finish(e, g, x);
  bu_map(e, group);
  const char *lanes = bu_lanes_result(e, x, out);
  e->under_way--;
  e->results++;
  return wrong ? wrong : lanes;
}

/* ---- operations ----------------------------------------------------------------------------------------------- */

/* Those of a group come in the order of its instruction. */
const char *bu_golden_operation(struct bu_env *e, const uint32_t *out) {
  const uint32_t *data = &out[e->at.op_data];
  const unsigned thread = out[e->at.op_thread], kind = out[e->at.op_kind];
  if (thread >= e->l.threads || !e->group[thread].busy) return bu_wrong(e, "an operation of stack %u that no instruction has", thread);
  struct bu_expected *x = &e->expected[thread];
  if (!x->judged || x->asked >= x->n_ops) return bu_wrong(e, "an operation of stack %u that its instruction has not", thread);
  const struct bu_operation *op = &x->op[x->asked++];
  const bool may_fault = e->group[thread].may_fault;
  if (kind != op->kind) return bu_wrong(e, "operation %u of stack %u, expected %u", kind, thread, op->kind);
  if (kind != BU_PUSH) return NULL; /* only then is there a token */
  if (x->asked == 2 && !x->fault_before && may_fault) bu_hit(e, BU_COVER_FAULT_BETWEEN);
  x->fault_before = may_fault;
  struct bu_mark got;
  got.kind = (enum bu_token)bu_get(data, e->l.pc_w + e->l.lanes, 2);
  got.flow.mask = bu_get(data, e->l.pc_w, e->l.lanes);
  got.flow.pc = (uint64_t)bu_get(data, 0, e->l.pc_w);
  if (got.kind == op->mark.kind && got.flow.mask == op->mark.flow.mask && got.flow.pc == op->mark.flow.pc) return NULL;
  return bu_wrong(e, "group %u: the token pushed is of kind %u, mask 0x%" PRIx64 ", pc 0x%" PRIx64 ", expected %u, 0x%" PRIx64
                     ", 0x%" PRIx64, thread, got.kind, (uint64_t)got.flow.mask, got.flow.pc,
                  op->mark.kind, (uint64_t)op->mark.flow.mask, op->mark.flow.pc);
}

/* ---- when an instruction is judged (docs/branch_unit.md, Errors) ------------------------------------------------ */

/* In the first cycle from x->from on in which nothing is closed; this one is the last that is known. */
static bool judge_by_now(struct bu_env *e, struct bu_expected *x) {
  uint64_t at = x->from;
  if (at + BU_PAST <= e->cycle) at = e->cycle + 1 - BU_PAST; /* closed before that */
  while (at <= e->cycle && e->past[at % BU_PAST].closed) at++;
  if (at > e->cycle) return false;
  judge(e, x, e->past[at % BU_PAST].limit);
  return x->judged = true;
}

void bu_golden_step(struct bu_env *e) {
  e->past[e->cycle % BU_PAST].limit = e->limit;
  e->past[e->cycle % BU_PAST].closed = e->closed;
  while (e->unjudged && judge_by_now(e, &e->expected[e->unjudged_group[0]])) {
    e->unjudged--;
    e->unjudged_group[0] = e->unjudged_group[1];
  }
}
