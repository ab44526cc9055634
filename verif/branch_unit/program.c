/* SPDX-License-Identifier: Apache-2.0 */
/* program.c: random structured programs, as a compiler would lay them out.
 *
 * A region that break or return may leave is entered by a branch without set-sync and is not joined by pop-sync:
 * a sync token would bring back lanes that have left (BU-3). Every other branch has both. */
#include "branch_unit/env.h"

enum { FUNCTIONS = 3 };

struct writer {
  struct bu_program *p;
  struct simt_rng rng;
  unsigned left;                   /* statements that may still be written */
  bool join;                       /* the next instruction carries pop-sync */
  uint16_t function[FUNCTIONS];    /* where each begins */
};
struct bu_env_place { bool in_loop, in_function, leaves; unsigned nested; };

static unsigned below(struct writer *w, unsigned n) { return (unsigned)simt_rng_below(&w->rng, n); }

/* Appends an instruction; returns its address. `left` bounds the length far below the room. */
static unsigned put(struct writer *w, enum bu_kind kind, bool set) {
  struct bu_program *p = w->p;
  struct bu_code *c = &p->code[p->n];
  *c = (struct bu_code){.kind = (uint8_t)kind, .set = set, .pop = w->join};
  w->join = false;
  return p->n++;
}

static void other(struct writer *w) { put(w, BU_OTHER, false); }

/* A join is here: the next instruction synchronizes. One instruction can synchronize once. */
static void join(struct writer *w) {
  if (w->join) other(w);
  w->join = true;
}

/* An address that is jumped to by those who must not synchronize. */
static unsigned label(struct writer *w) {
  if (w->join) other(w);
  return w->p->n;
}

static unsigned jump(struct writer *w) {
  unsigned at = put(w, BU_BRANCH, false);
  w->p->code[at].condition = BU_ALWAYS;
  return at;
}

static unsigned chance(struct writer *w, bool set) {
  unsigned at = put(w, BU_BRANCH, set);
  static const uint8_t of[] = {128, 128, 40, 216, 250, 6, 0, 255};
  w->p->code[at].condition = BU_CHANCE;
  w->p->code[at].chance = of[below(w, 8)];
  return at;
}

static void target(struct writer *w, unsigned branch, unsigned to) { w->p->code[branch].target = (uint16_t)to; }

static void block(struct writer *w, struct bu_env_place here);

/* Both forms of if and else; the takers run what stands behind. */
static void if_else(struct writer *w, struct bu_env_place here) {
  bool leaves = here.leaves && below(w, 2);
  struct bu_env_place inside = here;
  inside.leaves = leaves;
  inside.nested++;
  unsigned branch = chance(w, !leaves);
  if (below(w, 2)) block(w, inside);
  unsigned over = jump(w);
  target(w, branch, label(w));
  block(w, inside);
  target(w, over, label(w));
  if (!leaves) join(w);
}

static void if_only(struct writer *w, struct bu_env_place here) {
  struct bu_env_place inside = here;
  inside.leaves = false;
  inside.nested++;
  unsigned branch = chance(w, true);
  block(w, inside);
  target(w, branch, label(w));
  join(w);
}

/* Some lanes leave the loop or the function: the branch goes to the break or around it. */
static void leave(struct writer *w, enum bu_kind kind) {
  unsigned branch = chance(w, false);
  struct bu_code *c = &w->p->code[branch];
  if (below(w, 2)) { /* takers leave: the jump over their break comes first */
    c->exits = kind == BU_BREAK;
    unsigned over = jump(w);
    target(w, branch, label(w));
    put(w, kind, false);
    target(w, over, label(w));
  } else { /* takers stay */
    put(w, kind, false);
    target(w, branch, label(w));
  }
}

static void loop(struct writer *w, struct bu_env_place here) {
  struct bu_env_place inside = {.in_loop = true, .in_function = here.in_function, .leaves = true, .nested = here.nested + 1};
  bool set = below(w, 4) == 0;
  unsigned begin = put(w, BU_PREBREAK, set), top = label(w);
  block(w, inside);
  unsigned stay = chance(w, false); /* takers stay, late ones never do */
  w->p->code[stay].exits = true;
  w->p->code[stay].chance = (uint8_t)~w->p->code[stay].chance;
  put(w, BU_BREAK, false);
  target(w, stay, label(w));
  block(w, inside);
  target(w, jump(w), top);
  target(w, begin, label(w));
  if (set) join(w);
}

static void call(struct writer *w) {
  bool set = below(w, 4) == 0;
  unsigned at = put(w, BU_CALL, set);
  target(w, at, below(w, FUNCTIONS)); /* the number of the function, until all are written */
  if (set) join(w);
}

static void statement(struct writer *w, struct bu_env_place here) {
  w->left -= w->left > 0;
  unsigned what = below(w, 16);
  bool nests = here.nested < 4 && w->left;
  if (what < 4 && nests) if_else(w, here);
  else if (what < 7 && nests) if_only(w, here);
  else if (what < 9 && nests) loop(w, here);
  else if (what < 11 && w->left && !here.in_function) call(w);
  else if (what < 13 && here.leaves && here.in_loop) leave(w, BU_BREAK);
  else if (what < 14 && here.leaves && here.in_function && !here.in_loop) leave(w, BU_RETURN);
  else other(w);
}

static void block(struct writer *w, struct bu_env_place here) {
  for (unsigned n = 1 + below(w, 3); n; n--) statement(w, here);
}

/* A function; it may call others and itself while the lane is not too deep. */
static void function(struct writer *w, unsigned number) {
  struct bu_env_place here = {.in_function = true, .leaves = true};
  w->function[number] = (uint16_t)label(w);
  block(w, here);
  unsigned deeper = put(w, BU_BRANCH, true); /* takers go on without the call */
  w->p->code[deeper].condition = BU_DEEPER;
  unsigned at = put(w, BU_CALL, false);
  target(w, at, below(w, FUNCTIONS));
  target(w, deeper, label(w));
  join(w);
  put(w, BU_RETURN, false);
}

/* Calls itself `deepest` times, all lanes together: nothing else is on the stack. */
static void write_recursion(struct writer *w) {
  unsigned begin = put(w, BU_CALL, false);
  put(w, BU_FINISH, false);
  w->function[0] = w->function[1] = w->function[2] = (uint16_t)label(w);
  target(w, begin, 0);
  other(w);
  unsigned deeper = put(w, BU_BRANCH, false);
  w->p->code[deeper].condition = BU_DEEPER;
  target(w, put(w, BU_CALL, false), 0);
  target(w, deeper, label(w));
  put(w, BU_RETURN, false);
}

static void write_program(struct writer *w, unsigned statements) {
  w->left = statements;
  block(w, (struct bu_env_place){0});
  put(w, BU_FINISH, false);
  for (unsigned i = 0; i < FUNCTIONS; i++) {
    w->left = statements / 4;
    function(w, i);
  }
}

void bu_write_program(struct bu_program *p, uint64_t seed, unsigned limit, unsigned most) {
  struct writer w = {.p = p};
  simt_rng_seed(&w.rng, seed);
  unsigned statements = 4 + below(&w, 12), steps = 40 + below(&w, 160), deepest = 1 + below(&w, 6);
  do {
    p->n = 0;
    w.join = false;
    p->seed = seed;
    p->steps = limit ? UINT32_MAX : steps;
    p->deepest = limit ? limit : deepest;
    if (limit) write_recursion(&w);
    else write_program(&w, statements);
    statements /= 2; /* until it fits */
  } while (p->n > most);
  for (unsigned i = 0; i < p->n; i++)
    if (p->code[i].kind == BU_CALL) p->code[i].target = w.function[p->code[i].target];
}
