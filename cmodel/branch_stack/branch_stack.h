/* SPDX-License-Identifier: Apache-2.0 */
/* branch_stack.h: branch unit and stacks for simulators: an instruction, where the group goes on, and the cycles it took.
 *
 * Underneath runs the cycle-exact model, against a memory that you give as callbacks (struct simt_remote). Every call
 * lets time go on by the cycles that it took; between calls no time passes. An object belongs to one thread of the
 * program at a time; different objects are independent.
 *
 *   const char *params[] = {"THREADS=8", "LANES=32", NULL};
 *   struct branch_stack *b = branch_stack_create(params, &memory, &diag);
 *   struct branch_stack_instruction i = {.kind = BRANCH_STACK_LAUNCH, .group = 3, .mask = {0xffffffff}, .target = 0x100};
 *   struct branch_stack_result r = branch_stack_execute(b, &i);   // r.go, r.mask, r.pc, r.cycles
 *   branch_stack_destroy(b);
 */
#ifndef BRANCH_STACK_H
#define BRANCH_STACK_H

#include "simt.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { BRANCH_STACK_MASK_WORDS = 4 }; /* 32 lanes each */

enum branch_stack_kind {
  BRANCH_STACK_OTHER, BRANCH_STACK_BRANCH, BRANCH_STACK_CALL, BRANCH_STACK_PREBREAK, BRANCH_STACK_RETURN,
  BRANCH_STACK_BREAK, BRANCH_STACK_LAUNCH, BRANCH_STACK_FINISH
};
enum branch_stack_status {
  BRANCH_STACK_DONE,
  BRANCH_STACK_NOT_EXECUTED, /* its pop-sync popped: go on at `pc`, which may be this instruction again */
  /* Errors: the group stops until it is launched again. */
  BRANCH_STACK_OVERFLOW, BRANCH_STACK_UNDERFLOW,
  BRANCH_STACK_FAULT,        /* a memory error */
  BRANCH_STACK_WRONG_KIND,   /* a token that does not match */
  BRANCH_STACK_NOT_EMPTY,    /* a finish with tokens left */
  /* Of branch_stack_execute alone; nothing was done and no time has passed: */
  BRANCH_STACK_NO_GROUP,     /* not below THREADS, or no such kind */
  BRANCH_STACK_NOT_LIVE,     /* not launched, finished, or stopped by an error: only a launch is taken */
  BRANCH_STACK_RANGE         /* a lane of `mask` not below LANES, or `target` or `next` with bits above PC_W */
};

struct branch_stack_instruction { /* docs/branch_unit.md says what each kind does */
  enum branch_stack_kind kind;
  unsigned group;
  bool set_sync, pop_sync;
  uint32_t mask[BRANCH_STACK_MASK_WORDS]; /* branch: lanes whose condition holds; launch: the active lanes */
  uint64_t target, next;                  /* next: the pc behind this instruction; both of PC_W bits */
};
struct branch_stack_result {
  enum branch_stack_status status;
  bool synced;                            /* not executed: a `sync` was popped, give the instruction again; else a `div` was */
  unsigned group;
  enum branch_stack_kind kind;
  bool go;                                /* the group goes on at pc with mask; else these two mean nothing */
  uint32_t mask[BRANCH_STACK_MASK_WORDS];
  uint64_t pc;
  uint64_t wait, cycles;                  /* of branch_stack_execute: presented and not taken; by which time has gone on */
};

struct branch_stack; /* one block with its memory */

/* Parameters as "NAME=VALUE", each at most once, ended by NULL (NULL: all defaults); see `simtgen describe
 * branch_stack`. Those that put a bus in front of the block are refused, and MEM_W = entry with sets of several. The
 * memory's struct is copied. Returns when the block is ready, at cycle 0. NULL and diag when something is wrong. */
struct branch_stack *branch_stack_create(const char *const *params, const struct simt_remote *memory,
                                         struct simt_diag *diag);
void branch_stack_destroy(struct branch_stack *b);

/* One instruction from its request to its result. No other one may be under way. */
struct branch_stack_result branch_stack_execute(struct branch_stack *b, const struct branch_stack_instruction *i);

/* Whether an instruction can be issued at all: done, or why it is refused (NO_GROUP, RANGE). */
enum branch_stack_status branch_stack_check(const struct branch_stack *b, const struct branch_stack_instruction *i);

/* Pipelined use, an instruction per cycle, each group having one under way: `issue` presents one for one cycle and says
 * whether it was taken; what branch_stack_check refuses is not taken, and no time passes. Each one taken has one result, in order; `result` gives the one that is out in the present
 * cycle: fetch it before time goes on. */
bool branch_stack_can_go(const struct branch_stack *b, const struct branch_stack_instruction *i); /* in this cycle */
bool branch_stack_issue(struct branch_stack *b, const struct branch_stack_instruction *i);
bool branch_stack_result(const struct branch_stack *b, struct branch_stack_result *r);

void branch_stack_advance(struct branch_stack *b, uint64_t cycles); /* without an instruction */
uint64_t branch_stack_cycle(const struct branch_stack *b);          /* since creation */

/* The register map (`simtgen describe branch_stack`): an access takes a few cycles. False: refused. */
bool branch_stack_read_register(struct branch_stack *b, uint32_t addr, uint32_t *data);
bool branch_stack_write_register(struct branch_stack *b, uint32_t addr, uint32_t data);

/* Counts since creation by name, in a fixed order. */
void branch_stack_stats(const struct branch_stack *b, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx);

#ifdef __cplusplus
}
#endif
#endif
