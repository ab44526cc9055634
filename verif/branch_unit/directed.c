/* SPDX-License-Identifier: Apache-2.0 */
/* directed.c: directed tests: scripts of instructions, and what must come of each, said here and not taken from the
 * golden model (which looks as well). */
#include "branch_unit/env.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum step_kind {
  START,    /* wait until a launch can be taken */
  INS,      /* present until taken */
  RESULT,   /* wait for the result of the last instruction; it has this status, and mask and pc if asked for */
  AT_ONCE,  /* present; must be taken in this cycle */
  REFUSED,  /* present; must not be taken in this cycle */
  READ, WRITE, ACCESS, /* ACCESS: a write if `flow`; the environment alone judges it */
  PROGRAM, IDLE, COVERED, CYCLES, RESET,
  MEMORY    /* from now on the memory answers as `value` says */
};
enum answers { PROMPTLY, NEVER, WITH_ERRORS };
enum { MAX_WAIT = 20000, DRAIN = 12 };

struct bu_env_step {
  enum step_kind kind;
  struct bu_instruction ins;
  enum bu_status status;
  bool flow, fault; /* compare the flow; the stack is faulted after the operation taken in these cycles */
  struct bu_flow to;
  uint32_t addr, value;
};

struct bu_script {
  struct bu_env *e;
  struct bu_env_step *step;
  size_t n, room, at;
  unsigned test, last, waited;
  bool done, chosen;
  enum answers memory;
  uint64_t mark, cover[BU_COVERS];
  bu_lanes all, odd, even;
};

/* ---- writing a script -------------------------------------------------------------------------------- */

static struct bu_env_step *add(struct bu_script *s, struct bu_env_step step) {
  if (s->n == s->room) {
    s->room = s->room ? 2 * s->room : 64;
    s->step = realloc(s->step, s->room * sizeof *s->step);
    if (!s->step) abort();
  }
  s->step[s->n] = step;
  return &s->step[s->n++];
}

static struct bu_env_step *ins(struct bu_script *s, unsigned group, enum bu_kind kind, bool set, bool pop, bu_lanes mask,
                        uint64_t target, uint64_t next) {
  return add(s, (struct bu_env_step){.kind = INS, .ins = {kind, set, pop, group, mask, target, next}});
}

static void status(struct bu_script *s, enum bu_status status) { add(s, (struct bu_env_step){.kind = RESULT, .status = status}); }

static void flow(struct bu_script *s, enum bu_status is, bu_lanes mask, uint64_t pc) {
  add(s, (struct bu_env_step){.kind = RESULT, .status = is, .flow = true, .to = {mask, pc}});
}

enum { SET = 1, POPS = 2 };
static void branch(struct bu_script *s, unsigned flags, bu_lanes takers, uint64_t target, uint64_t next) {
  ins(s, 0, BU_BRANCH, flags & SET, flags & POPS, takers, target, next);
}
static void call(struct bu_script *s, uint64_t target, uint64_t next) { ins(s, 0, BU_CALL, false, false, 0, target, next); }
static void prebreak(struct bu_script *s, uint64_t after, uint64_t next) { ins(s, 0, BU_PREBREAK, false, false, 0, after, next); }
static void leave(struct bu_script *s, enum bu_kind kind) { ins(s, 0, kind, false, false, 0, 0xee, 0xef); }
static void sync(struct bu_script *s, enum bu_kind kind, uint64_t next) { ins(s, 0, kind, false, true, 0, 0xee, next); }

static void launch(struct bu_script *s, unsigned group, bu_lanes mask, uint64_t pc) {
  ins(s, group, BU_LAUNCH, false, false, mask, pc, 0xdd);
  flow(s, BU_DONE, mask, pc);
}

static void finish(struct bu_script *s) {
  ins(s, 0, BU_FINISH, false, false, 0, 0, 0xff);
  status(s, BU_DONE);
}

static void reg_read(struct bu_script *s, uint32_t addr, uint32_t value) {
  add(s, (struct bu_env_step){.kind = READ, .addr = addr, .value = value});
}
static void reg_write(struct bu_script *s, uint32_t addr, uint32_t value, bool refused) {
  add(s, (struct bu_env_step){.kind = WRITE, .addr = addr, .value = value, .status = refused ? 1 : 0});
}
static void reg_access(struct bu_script *s, uint32_t addr, bool write, uint32_t value) {
  add(s, (struct bu_env_step){.kind = ACCESS, .addr = addr, .value = value, .flow = write});
}
static void covered(struct bu_script *s, enum bu_cover point) {
  if (bu_cover_possible(&s->e->l, point)) add(s, (struct bu_env_step){.kind = COVERED, .addr = point});
}

/* The group is stopped, and its mask and pc are those from before the error. */
static void stopped(struct bu_script *s, enum bu_status is, enum bu_kind kind, bu_lanes mask, uint64_t pc) {
  status(s, is);
  reg_read(s, BU_REG_GROUP_STATE, 2);
  reg_read(s, BU_REG_MASK, (uint32_t)mask);
  reg_read(s, BU_REG_PC, (uint32_t)pc);
  reg_read(s, BU_REG_STOPPED, 1);
  reg_read(s, BU_REG_ERROR, UINT32_C(1) << 31 | (uint32_t)is << 16 | (uint32_t)kind << 12);
  add(s, (struct bu_env_step){.kind = REFUSED, .ins = {.kind = BU_OTHER}});
}

static void kept(struct bu_script *s, enum bu_kind kind, enum bu_token token, bu_lanes mask, uint64_t pc) {
  reg_read(s, BU_REG_ERROR_STATUS, (uint32_t)token << 8 | (uint32_t)kind << 4 | BU_WRONG_KIND);
  reg_read(s, BU_REG_ERROR_MASK, (uint32_t)mask);
  reg_read(s, BU_REG_ERROR_PC, (uint32_t)pc);
}

/* ---- the tests ------------------------------------------------------------------------------------------ */

/* if (odd) A else B; C, with set-sync and pop-sync. */
static void test_if_else(struct bu_script *s) {
  launch(s, 0, s->all, 0x10);
  branch(s, SET, s->odd, 0x20, 0x11), flow(s, BU_DONE, s->odd, 0x20);
  sync(s, BU_OTHER, 0x21), flow(s, BU_NOT_EXECUTED, s->even, 0x11);
  branch(s, 0, s->all, 0x20, 0x12), flow(s, BU_DONE, s->even, 0x20);
  sync(s, BU_OTHER, 0x21), flow(s, BU_NOT_EXECUTED, s->all, 0x20);
  sync(s, BU_OTHER, 0x21), flow(s, BU_DONE, s->all, 0x21);
  finish(s);
  covered(s, BU_COVER_NO_SECOND_POP);
}

static void test_uniform(struct bu_script *s) {
  launch(s, 0, s->all, 0x10);
  branch(s, 0, s->all, 0x20, 0x11), flow(s, BU_DONE, s->all, 0x20);
  branch(s, 0, 0, 0x30, 0x21), flow(s, BU_DONE, s->all, 0x21);
  finish(s);
  launch(s, 0, s->all, 0x10);
  branch(s, SET, s->all, 0x20, 0x11), flow(s, BU_DONE, s->all, 0x20);
  sync(s, BU_OTHER, 0x21), flow(s, BU_NOT_EXECUTED, s->all, 0x20);
  sync(s, BU_OTHER, 0x21), flow(s, BU_DONE, s->all, 0x21);
  finish(s);
}

/* Lanes that are not active do not make a branch diverge. */
static void test_inactive_lanes(struct bu_script *s) {
  launch(s, 0, s->odd, 0x10);
  branch(s, 0, s->all, 0x20, 0x11), flow(s, BU_DONE, s->odd, 0x20);
  branch(s, 0, s->even, 0x30, 0x21), flow(s, BU_DONE, s->odd, 0x21);
  finish(s);
}

static void test_call_return(struct bu_script *s) {
  launch(s, 0, s->all, 0x10);
  call(s, 0x40, 0x11), flow(s, BU_DONE, s->all, 0x40);
  call(s, 0x50, 0x41), flow(s, BU_DONE, s->all, 0x50);
  leave(s, BU_RETURN), flow(s, BU_DONE, s->all, 0x41);
  leave(s, BU_RETURN), flow(s, BU_DONE, s->all, 0x11);
  finish(s);
}

/* Some return, the others go on; then all go on behind the call. */
static void test_return_some(struct bu_script *s) {
  launch(s, 0, s->all, 0x10);
  call(s, 0x40, 0x11), flow(s, BU_DONE, s->all, 0x40);
  branch(s, 0, s->odd, 0x50, 0x41), flow(s, BU_DONE, s->odd, 0x50);
  leave(s, BU_RETURN), flow(s, BU_DONE, s->even, 0x41);
  leave(s, BU_RETURN), flow(s, BU_DONE, s->all, 0x11);
  finish(s);
}

static void test_loop_break(struct bu_script *s) {
  launch(s, 0, s->all, 0x10);
  prebreak(s, 0x30, 0x11), flow(s, BU_DONE, s->all, 0x11);
  branch(s, 0, s->odd, 0x20, 0x12), flow(s, BU_DONE, s->odd, 0x20);
  leave(s, BU_BREAK), flow(s, BU_DONE, s->even, 0x12);
  branch(s, 0, s->all, 0x11, 0x13), flow(s, BU_DONE, s->even, 0x11);
  branch(s, 0, s->even, 0x20, 0x12), flow(s, BU_DONE, s->even, 0x20);
  leave(s, BU_BREAK), flow(s, BU_DONE, s->all, 0x30);
  finish(s);
}

/* A pop-sync on a return: the sync token first, then the call token. */
static void test_pop_sync_return(struct bu_script *s) {
  launch(s, 0, s->all, 0x10);
  call(s, 0x40, 0x11), flow(s, BU_DONE, s->all, 0x40);
  branch(s, SET, 0, 0x50, 0x41), flow(s, BU_DONE, s->all, 0x41);
  sync(s, BU_RETURN, 0x42), flow(s, BU_NOT_EXECUTED, s->all, 0x41);
  reg_read(s, BU_REG_GROUP_STATE, 5);
  sync(s, BU_RETURN, 0x42), flow(s, BU_DONE, s->all, 0x11);
  finish(s);
}

static void wrong(struct bu_script *s, enum bu_token token, enum bu_kind kind, bool pop) {
  launch(s, 0, s->all, 0x10);
  if (token == BU_TOKEN_CALL) call(s, 0x21, 0x11);
  else if (token == BU_TOKEN_BRK) prebreak(s, 0x11, 0x21);
  else branch(s, SET, 0, 0x30, 0x21);
  flow(s, BU_DONE, s->all, 0x21);
  ins(s, 0, kind, false, pop, s->odd, 0x77, 0x78);
  stopped(s, BU_WRONG_KIND, kind, s->all, 0x21);
  kept(s, kind, token, s->all, token == BU_TOKEN_SYNC ? 0 : 0x11);
  reg_read(s, BU_REG_ERROR_COUNT, 1);
}

static void test_return_on_brk(struct bu_script *s) { wrong(s, BU_TOKEN_BRK, BU_RETURN, false); }
static void test_return_on_sync(struct bu_script *s) { wrong(s, BU_TOKEN_SYNC, BU_RETURN, false); }
static void test_break_on_call(struct bu_script *s) { wrong(s, BU_TOKEN_CALL, BU_BREAK, false); }
static void test_break_on_sync(struct bu_script *s) { wrong(s, BU_TOKEN_SYNC, BU_BREAK, false); }
static void test_pop_sync_on_call(struct bu_script *s) { wrong(s, BU_TOKEN_CALL, BU_OTHER, true); }
static void test_pop_sync_on_brk(struct bu_script *s) { wrong(s, BU_TOKEN_BRK, BU_BRANCH, true); }

/* Set-sync on a return pushes the token that the return pops. */
static void test_return_set_sync(struct bu_script *s) {
  launch(s, 0, s->all, 0x10);
  call(s, 0x21, 0x11), flow(s, BU_DONE, s->all, 0x21);
  ins(s, 0, BU_RETURN, true, false, 0, 0x77, 0x78);
  stopped(s, BU_WRONG_KIND, BU_RETURN, s->all, 0x21);
  kept(s, BU_RETURN, BU_TOKEN_SYNC, s->all, 0);
}

static void test_overflow(struct bu_script *s) {
  reg_write(s, BU_REG_LIMIT, 2, false);
  launch(s, 0, s->all, 0x10);
  call(s, 0x20, 0x11), flow(s, BU_DONE, s->all, 0x20);
  call(s, 0x30, 0x21), flow(s, BU_DONE, s->all, 0x30);
  covered(s, BU_COVER_FULL_LIMIT);
  reg_read(s, BU_REG_DEPTH, 2);
  branch(s, 0, s->all, 0x31, 0x39), flow(s, BU_DONE, s->all, 0x31); /* pushes nothing */
  prebreak(s, 0x50, 0x32);
  stopped(s, BU_OVERFLOW, BU_PREBREAK, s->all, 0x31);
  reg_read(s, BU_REG_DEPTH, 2);
  reg_read(s, BU_REG_ERROR_STATUS, BU_PREBREAK << 4 | BU_OVERFLOW);
}

/* Two pushes where one fits: neither is made. */
static void test_overflow_second(struct bu_script *s) {
  reg_write(s, BU_REG_LIMIT, 2, false);
  launch(s, 0, s->all, 0x10);
  call(s, 0x20, 0x11), flow(s, BU_DONE, s->all, 0x20);
  ins(s, 0, BU_CALL, true, false, 0, 0x30, 0x21);
  stopped(s, BU_OVERFLOW, BU_CALL, s->all, 0x20);
  reg_read(s, BU_REG_DEPTH, 1);
  covered(s, BU_COVER_OVERFLOW_TWO);
}

static void test_limit_zero(struct bu_script *s) {
  reg_write(s, BU_REG_LIMIT, 0, false);
  launch(s, 0, s->all, 0x10);
  branch(s, 0, 0, 0x20, 0x11), flow(s, BU_DONE, s->all, 0x11);
  call(s, 0x20, 0x12);
  stopped(s, BU_OVERFLOW, BU_CALL, s->all, 0x11);
  reg_write(s, BU_REG_LIMIT, 0xffffffff, false);
  reg_read(s, BU_REG_LIMIT, (uint32_t)s->e->l.max_depth);
}

static void underflow(struct bu_script *s, enum bu_kind kind, bool pop) {
  launch(s, 0, s->odd, 0x10);
  ins(s, 0, kind, false, pop, s->all, 0x77, 0x78);
  stopped(s, BU_UNDERFLOW, kind, s->odd, 0x10);
  reg_read(s, BU_REG_DEPTH, 0);
}
static void test_underflow_return(struct bu_script *s) { underflow(s, BU_RETURN, false); }
static void test_underflow_break(struct bu_script *s) { underflow(s, BU_BREAK, false); }
static void test_underflow_pop_sync(struct bu_script *s) { underflow(s, BU_CALL, true); }

/* The stack is faulted behind the first push: the second answers fault. */
static void test_fault_between(struct bu_script *s) {
  launch(s, 0, s->all, 0x10);
  ins(s, 0, BU_CALL, true, false, 0, 0x30, 0x11)->fault = true;
  stopped(s, BU_FAULT, BU_CALL, s->all, 0x10);
  covered(s, BU_COVER_FAULT_PUSH);
}

static void memory(struct bu_script *s, enum answers how) { add(s, (struct bu_env_step){.kind = MEMORY, .value = how}); }

/* So many calls that the stack spills, once its engine has ended what the launch began and has come round to the group; memory
 * refuses that. */
static void refused_spill(struct bu_script *s) {
  const uint64_t engine = 100 + 2 * simt_param(s->e->cfg, "INFLIGHT") + 20 * s->e->l.threads;
  memory(s, NEVER);
  for (uint64_t i = simt_param(s->e->cfg, "ENTRIES"); i; i--) call(s, 0x30, 0x11), flow(s, BU_DONE, s->all, 0x30);
  memory(s, WITH_ERRORS);
  add(s, (struct bu_env_step){.kind = IDLE, .addr = (uint16_t)engine});
  memory(s, PROMPTLY);
}

static void test_fault_pop(struct bu_script *s) {
  launch(s, 0, s->all, 0x10);
  if (s->e->memory) {
    refused_spill(s);
  } else {
    call(s, 0x30, 0x11);
    s->step[s->n - 1].fault = true;
    flow(s, BU_DONE, s->all, 0x30);
  }
  leave(s, BU_RETURN);
  stopped(s, BU_FAULT, BU_RETURN, s->all, 0x30);
  launch(s, 0, s->odd, 0x20); /* clears the mark */
  call(s, 0x30, 0x21), flow(s, BU_DONE, s->odd, 0x30);
  leave(s, BU_RETURN), flow(s, BU_DONE, s->odd, 0x21);
  finish(s);
}

static void test_finish_not_empty(struct bu_script *s) {
  launch(s, 0, s->all, 0x10);
  call(s, 0x20, 0x11), flow(s, BU_DONE, s->all, 0x20);
  ins(s, 0, BU_FINISH, false, false, 0, 0, 0x77);
  stopped(s, BU_NOT_EMPTY, BU_FINISH, s->all, 0x20);
}

/* A launch empties the stack, whatever the group was doing. */
static void test_launch_again(struct bu_script *s) {
  launch(s, 0, s->all, 0x10);
  call(s, 0x20, 0x11), flow(s, BU_DONE, s->all, 0x20);
  launch(s, 0, s->odd, 0x60);
  reg_read(s, BU_REG_DEPTH, 0);
  reg_read(s, BU_REG_MASK, (uint32_t)s->odd);
  reg_read(s, BU_REG_PC, 0x60);
  leave(s, BU_RETURN), status(s, BU_UNDERFLOW);
  launch(s, 0, s->even, 0x70);
  reg_read(s, BU_REG_GROUP_STATE, 1);
  reg_read(s, BU_REG_ERROR_STATUS, 0);
  finish(s);
  reg_read(s, BU_REG_GROUP_STATE, 0);
  reg_read(s, BU_REG_MASK, 0);
  reg_read(s, BU_REG_LIVE, 0);
}

static void test_registers(struct bu_script *s) {
  uint32_t threads = s->e->l.threads;
  reg_read(s, BU_REG_ID, BU_ID);
  reg_read(s, BU_REG_STATUS, 1);
  reg_write(s, BU_REG_GROUP, threads, true);
  reg_write(s, BU_REG_GROUP, threads - 1, false);
  reg_read(s, BU_REG_GROUP, threads - 1);
  launch(s, threads - 1, s->odd, 0x33);
  reg_read(s, BU_REG_STATUS, 0);
  reg_read(s, BU_REG_PC, 0x33);
  reg_read(s, BU_REG_MASK, (uint32_t)s->odd);
  reg_read(s, BU_REG_LIVE + 4 * ((threads - 1) / 32), UINT32_C(1) << (threads - 1) % 32);
  reg_write(s, BU_REG_MASK, 1, true);
  reg_write(s, BU_REG_ID, 1, true);
  ins(s, threads - 1, BU_BREAK, false, false, 0, 0, 0), status(s, BU_UNDERFLOW);
  reg_read(s, BU_REG_STATUS, 7);
  reg_write(s, BU_REG_ERROR, 0, false);
  reg_read(s, BU_REG_ERROR, 0);
  reg_read(s, BU_REG_ERROR_COUNT, 0);
  reg_read(s, BU_REG_STATUS, 3);
}

static unsigned streaming(const struct bu_script *s) { return s->e->l.threads < 16 ? s->e->l.threads : 16; }

/* A push of another group in every cycle, then a pop: as many cycles as operations [BU-5]. */
static void test_stream(struct bu_script *s) {
  unsigned n = streaming(s), latency = s->e->l.latency + 3;
  for (unsigned g = 0; g < n; g++) launch(s, g, s->all, 0x10);
  for (unsigned kind = BU_CALL; kind <= BU_RETURN; kind += BU_RETURN - BU_CALL) {
    for (unsigned g = 0; g < n; g++)
      add(s, (struct bu_env_step){.kind = AT_ONCE, .ins = {kind, false, false, g, 0, 0x20, 0x11}});
    status(s, BU_DONE);
    add(s, (struct bu_env_step){.kind = CYCLES, .addr = n - 1 + latency});
    add(s, (struct bu_env_step){.kind = IDLE, .addr = DRAIN});
  }
}

/* Two pushes of each group: the second one as soon as the stack takes it, the next group's first one behind it. */
static void test_stream_two(struct bu_script *s) {
  unsigned n = streaming(s), ring = s->e->l.ring;
  for (unsigned g = 0; g < n; g++) launch(s, g, s->all, 0x10);
  for (unsigned g = 0; g < n; g++) ins(s, g, BU_CALL, true, false, 0, 0x20, 0x11);
  status(s, BU_DONE);
  /* As many as come round: first their first operations, then their second ones. */
  const unsigned rest = n % ring, last = rest ? 2 * (n - rest) + ring + rest : 2 * n;
  add(s, (struct bu_env_step){.kind = CYCLES, .addr = last + 2 + s->e->l.latency});
}

static void recurse(struct bu_script *s, unsigned limit, bool beyond, enum bu_status is) {
  reg_write(s, BU_REG_LIMIT, limit, false);
  launch(s, 0, s->all, 0x10); /* of no program: the next launch is of a new one */
  add(s, (struct bu_env_step){.kind = PROGRAM, .value = !beyond, .status = is});
}

/* A group alone recurses to exactly the limit, lanes checked; one call more is an overflow. */
static void test_recursion(struct bu_script *s) {
  unsigned limit = s->e->l.max_depth < 40 ? (unsigned)s->e->l.max_depth : 40;
  recurse(s, limit, false, BU_DONE);
  covered(s, BU_COVER_FULL_LIMIT);
  recurse(s, limit, true, BU_OVERFLOW);
}

static void test_reset(struct bu_script *s) {
  launch(s, 0, s->all, 0x10);
  call(s, 0x20, 0x11);
  add(s, (struct bu_env_step){.kind = RESET});
  add(s, (struct bu_env_step){.kind = START});
  reg_read(s, BU_REG_STATUS, 1);
  launch(s, 0, s->odd, 0x30);
  leave(s, BU_RETURN), status(s, BU_UNDERFLOW);
}

static void test_not_taken(struct bu_script *s) {
  add(s, (struct bu_env_step){.kind = REFUSED, .ins = {.kind = BU_CALL}});
  launch(s, 0, s->all, 0x10);
  finish(s);
  add(s, (struct bu_env_step){.kind = REFUSED, .ins = {.kind = BU_OTHER}});
  if (s->e->l.threads & (s->e->l.threads - 1))
    add(s, (struct bu_env_step){.kind = REFUSED, .ins = {.kind = BU_LAUNCH, .group = s->e->l.threads}});
}

/* Those without a register are refused; LIMIT, GROUP and ERROR may be written. */
static void test_every_address(struct bu_script *s) {
  for (uint32_t addr = 0; addr < 1u << BU_REG_ADDR_W; addr++) {
    reg_access(s, addr, false, 0);
    reg_access(s, addr, true, 0);
  }
}

static void test_every_bit(struct bu_script *s) {
  launch(s, 0, s->all, 0x10);
  for (unsigned bit = 0; bit < 64; bit++) {
    uint32_t limit = bit < 32 ? 0 : (uint32_t)s->e->l.max_depth, one = 1u << bit % 32;
    reg_access(s, BU_REG_LIMIT, true, limit ^ one);
    reg_access(s, BU_REG_LIMIT, false, 0);
    reg_access(s, BU_REG_GROUP, true, one);
    reg_access(s, BU_REG_GROUP, false, 0);
  }
  reg_write(s, BU_REG_LIMIT, 0xffffffff, false);
  reg_write(s, BU_REG_GROUP, 0, false);
  for (unsigned bit = 0; bit < s->e->l.pc_w; bit++) { /* of program counters and masks, through the stack */
    uint64_t pc = UINT64_C(1) << bit;
    call(s, pc, ~pc & ~UINT64_C(0) >> (64 - s->e->l.pc_w)), flow(s, BU_DONE, s->all, pc);
    reg_access(s, BU_REG_PC, false, 0);
    leave(s, BU_RETURN), status(s, BU_DONE);
    reg_access(s, BU_REG_PC, false, 0);
  }
}

/* Small configurations: long, and the count is the same elsewhere. */
static void test_many_errors(struct bu_script *s) {
  enum { MOST = 0xffff, ONE_BY_ONE = 300 };
  if (s->e->l.threads > 4 || s->e->l.status || !s->e->fake) return;
  for (uint32_t i = 1; i <= MOST + 2; i++) {
    launch(s, 0, s->all, 0x10);
    leave(s, i % 2 ? BU_RETURN : BU_BREAK), status(s, BU_UNDERFLOW);
    if (i >= ONE_BY_ONE && i <= MOST - ONE_BY_ONE && i % 64 != 63) continue;
    if ((i ^ i >> 6) % 2) reg_access(s, BU_REG_PC, false, 0); /* takes longer: at odd and even distance, a bit may change to and fro */
    reg_read(s, BU_REG_ERROR_COUNT, i < MOST ? i : MOST);
  }
  reg_write(s, BU_REG_ERROR, 0, false);
  reg_read(s, BU_REG_ERROR_COUNT, 0);
}

enum { TWO_LANES = 1, FAKE = 2, SPILLS = 4 };
static const struct { void (*write)(struct bu_script *s); unsigned needs; } test[] = { /* the order of bu_directed */
  {test_if_else, TWO_LANES}, {test_uniform, 0}, {test_inactive_lanes, TWO_LANES}, {test_call_return, 0},
  {test_return_some, TWO_LANES}, {test_loop_break, TWO_LANES}, {test_pop_sync_return, 0}, {test_return_on_brk, 0},
  {test_return_on_sync, 0}, {test_break_on_call, 0}, {test_break_on_sync, 0}, {test_pop_sync_on_call, 0},
  {test_pop_sync_on_brk, 0}, {test_return_set_sync, 0}, {test_overflow, 0}, {test_overflow_second, 0},
  {test_limit_zero, 0}, {test_underflow_return, 0}, {test_underflow_break, 0}, {test_underflow_pop_sync, 0},
  {test_fault_between, FAKE}, {test_fault_pop, SPILLS}, {test_finish_not_empty, 0}, {test_launch_again, 0},
  {test_registers, 0}, {test_stream, FAKE}, {test_stream_two, FAKE}, {test_recursion, 0}, {test_reset, 0},
  {test_not_taken, 0}, {test_every_address, 0}, {test_every_bit, 0}, {test_many_errors, 0}};

const struct simt_named bu_directed[] = {
  {"if_else", "A branch diverges, both sides run, pop-sync joins them.", "BU-1 BU-3"},
  {"uniform", "Branches that all or no lanes take; set-sync alone.", "BU-3"},
  {"inactive_lanes", "Lanes that are not active count neither way.", "BU-3"},
  {"call_return", "Nested calls and returns.", "BU-3"},
  {"return_some", "Some lanes return first, the others later; all go on behind the call.", "BU-3"},
  {"loop_break", "Lanes leave a loop one part after the other.", "BU-3"},
  {"pop_sync_return", "A return with pop-sync: the sync token, then the call token.", "BU-2 BU-3"},
  {"return_on_brk", "A return pops a brk token: error, mask and pc unchanged, token kept.", "BU-4"},
  {"return_on_sync", "A return pops a sync token.", "BU-4"},
  {"break_on_call", "A break pops a call token.", "BU-4"},
  {"break_on_sync", "A break pops a sync token.", "BU-4"},
  {"pop_sync_on_call", "A pop-sync pops a call token.", "BU-4"},
  {"pop_sync_on_brk", "A pop-sync pops a brk token.", "BU-4"},
  {"return_set_sync", "A return with set-sync pops its own sync token.", "BU-2 BU-4"},
  {"overflow", "A push beyond the limit: error before mask or pc change.", "BU-4 BU-5"},
  {"overflow_second", "Two pushes where one fits: neither is made.", "BU-5"},
  {"limit_zero", "A limit of 0; the largest value is cut to MAX_DEPTH.", "BU-4"},
  {"underflow_return", "A return with an empty stack.", "BU-4"},
  {"underflow_break", "A break with an empty stack.", "BU-4"},
  {"underflow_pop_sync", "A pop-sync with an empty stack.", "BU-4"},
  {"fault_between", "The stack faults between two pushes: the group stops, mask and pc unchanged.", "BU-4 BU-5"},
  {"fault_pop", "A pop answers fault; a launch clears the mark.", "BU-4 BU-6"},
  {"finish_not_empty", "A finish with tokens on the stack.", "BU-6"},
  {"launch_again", "A launch of a live group empties its stack; after an error; finish.", "BU-6"},
  {"registers", "Mask, pc, errors and limits at the register port; refused accesses.", "BU-4 BU-6"},
  {"stream", "A push, then a pop, of another group in every cycle.", "BU-5"},
  {"stream_two", "Two pushes of each group without a lost cycle.", "BU-5"},
  {"recursion", "Recursion to exactly the depth limit, and one call beyond.", "BU-3 BU-4 BU-5"},
  {"reset", "A reset with an instruction under way.", "BU-6"},
  {"not_taken", "Groups that are not live or do not exist take nothing.", "BU-6"},
  {"every_address", "Reads and writes at all addresses: those without a register are refused.", "BU-6"},
  {"every_bit", "Each bit of LIMIT, GROUP and of program counters alone.", "BU-5 BU-6"},
  {"many_errors", "The count of errors goes up to its most and stays there.", "BU-4"},
  {NULL, NULL, NULL}};

enum { TESTS = sizeof test / sizeof *test };

/* ---- life ------------------------------------------------------------------------------------------- */

static bool possible(const struct bu_env *e, unsigned i) {
  if ((test[i].needs & TWO_LANES) && e->l.lanes < 2) return false;
  if ((test[i].needs & SPILLS) && e->memory && simt_param(e->cfg, "ENTRIES") > e->l.max_depth) return false;
  return !(test[i].needs & FAKE) || e->fake;
}

static void load_test(struct bu_script *s, unsigned number) {
  s->n = s->at = 0;
  s->test = number;
  s->waited = 0;
  s->done = s->chosen = false;
  s->memory = PROMPTLY;
  memcpy(s->cover, s->e->covered, sizeof s->cover);
  add(s, (struct bu_env_step){.kind = START});
  if (possible(s->e, number)) test[number].write(s);
  add(s, (struct bu_env_step){.kind = IDLE, .addr = DRAIN});
}

bool bu_directed_create(struct bu_env *e) {
  struct bu_script *s = e->script = calloc(1, sizeof *s);
  if (!s) return false;
  s->e = e;
  s->all = ~(bu_lanes)0 >> (128 - e->l.lanes);
  for (unsigned i = 0; i < e->l.lanes; i += 2) s->even |= (bu_lanes)1 << i;
  s->odd = e->l.lanes > 1 ? s->all & ~s->even : s->all;
  return true;
}

void bu_directed_destroy(struct bu_env *e) {
  free(e->script->step);
  free(e->script);
}

void bu_directed_restart(struct bu_env *e) {
  struct bu_script *s = e->script;
  unsigned first = 0;
  s->last = TESTS - 1;
  for (unsigned i = 0; e->stim.profile && i < TESTS; i++)
    if (!strcmp(bu_directed[i].name, e->stim.profile)) first = i;
  if (e->stim.profile) s->last = first;
  load_test(s, first);
}

/* ---- choices -------------------------------------------------------------------------------------------- */

static void choose_instruction(const struct bu_env_step *step, struct bu_choice *c) {
  const struct bu_instruction *i = &step->ins;
  c->flags = (uint16_t)(BU_DO_INS | BU_ODD | (i->set ? BU_SET_SYNC : 0) | (i->pop ? BU_POP_SYNC : 0));
  c->kind = (uint8_t)i->kind;
  c->group = i->group;
  c->mask[0] = (uint64_t)i->mask;
  c->mask[1] = (uint64_t)(i->mask >> 64);
  c->target = i->target;
  c->next = i->next;
}

static void choose_step(struct bu_script *s, const struct bu_env_step *step, struct bu_choice *c) {
  switch (step->kind) {
  case INS: case AT_ONCE: case REFUSED: choose_instruction(step, c); break;
  case READ: case WRITE: case ACCESS:
    if (s->waited) break;
    c->flags = (uint16_t)(BU_DO_REG | (step->kind == WRITE || (step->kind == ACCESS && step->flow) ? BU_REG_WRITE : 0));
    c->reg_addr = (uint16_t)(step->addr + s->e->reg_base);
    c->reg_data = step->value;
    break;
  case PROGRAM: /* the target says whether it goes one beyond the limit */
    c->flags = BU_DO_INS | BU_PROGRAM | BU_RIGHT;
    c->target = step->value;
    c->mask[0] = c->mask[1] = ~UINT64_C(0);
    break;
  case RESET: c->flags = BU_RESET; break;
  default: break;
  }
}

bool bu_directed_choose(struct bu_env *e, struct bu_choice *c) {
  struct bu_script *s = e->script;
  memset(c, 0, sizeof *c);
  c->mem = simt_memory_word(true, s->memory != NEVER, 0, s->memory == WITH_ERRORS);
  if (e->memory) simt_memory_fixed(e->memory, s->memory ? 0 : 20);
  if (s->done) {
    if (s->test == s->last) return false;
    load_test(s, s->test + 1);
    c->flags = BU_RESET;
    return true; /* not counted as a cycle of the test */
  }
  const struct bu_env_step *step = &s->step[s->at];
  choose_step(s, step, c);
  /* The instruction's first operation is taken two cycles after it, while its result is awaited. */
  if (step->kind == RESULT && s->at && s->step[s->at - 1].fault) c->flags |= BU_FAULT_AFTER;
  s->chosen = true;
  return true;
}

/* ---- expectations ------------------------------------------------------------------------------------------ */

static const char *fail(struct bu_script *s, const char *what, uint64_t got, uint64_t expected) {
  return bu_wrong(s->e, "directed test %s, step %zu: %s is 0x%" PRIx64 ", expected 0x%" PRIx64,
                  bu_directed[s->test].name, s->at, what, got, expected);
}

static const char *check_result(struct bu_script *s, const struct bu_env_step *step, const uint32_t *out, bool *done) {
  struct bu_env *e = s->e;
  *done = out[e->at.res] && !e->under_way;
  if (!*done) return NULL;
  if (out[e->at.res_status] != step->status) return fail(s, "the status", out[e->at.res_status], step->status);
  if (!step->flow) return NULL;
  bu_lanes mask = bu_get(&out[e->at.res_mask], 0, e->l.lanes);
  uint64_t pc = (uint64_t)bu_get(&out[e->at.res_pc], 0, e->l.pc_w);
  if (mask != step->to.mask) return fail(s, "the mask", (uint64_t)mask, (uint64_t)step->to.mask);
  return pc != step->to.pc ? fail(s, "the pc", pc, step->to.pc) : NULL;
}

/* The program runs to its end or to the status that is expected. */
static const char *check_program(struct bu_script *s, const struct bu_env_step *step, const uint32_t *out, bool *done) {
  struct bu_env *e = s->e;
  unsigned is = out[e->at.res_status];
  *done = out[e->at.res] && (is > BU_NOT_EXECUTED || (is == BU_DONE && out[e->at.res_kind] == BU_FINISH));
  if (!*done) return NULL;
  return is != step->status ? fail(s, "the status at the end", is, step->status) : NULL;
}

static const char *check_register(struct bu_script *s, const struct bu_env_step *step, const uint32_t *out, bool *done) {
  struct bu_env *e = s->e;
  *done = out[e->at.reg_rsp];
  if (!*done || step->kind == ACCESS) return NULL;
  unsigned error = out[e->at.reg_rsp_error];
  if (error != step->status) return fail(s, "reg_rsp_error_o", error, step->status);
  uint32_t got = out[e->at.reg_rsp_data];
  return step->kind == READ && got != step->value ? fail(s, "the register", got, step->value) : NULL;
}

static const char *finish_step(struct bu_script *s, const struct bu_env_step *step, const struct bu_instruction *taken,
                               const uint32_t *out, bool *done) {
  struct bu_env *e = s->e;
  *done = true;
  switch (step->kind) {
  case START: *done = bu_bit(&out[e->at.launch], 0); break;
  case INS: *done = taken; break;
  case AT_ONCE: if (!taken) return fail(s, "cycles of waiting", 1, 0); break;
  case REFUSED: if (taken) return fail(s, "instructions taken", 1, 0); break;
  case RESULT: return check_result(s, step, out, done);
  case READ: case WRITE: case ACCESS: return check_register(s, step, out, done);
  case PROGRAM: *done = false; return check_program(s, step, out, done);
  case IDLE: *done = s->waited + 1 >= step->addr; break;
  default: break;
  }
  if (taken && s->at && s->step[s->at - 1].kind == RESULT) s->mark = e->cycle; /* the first of a stream */
  if (taken && s->at && s->step[s->at - 1].kind == IDLE) s->mark = e->cycle;
  return NULL;
}

/* Steps that take no cycle. */
static const char *at_once(struct bu_script *s) {
  struct bu_env *e = s->e;
  for (; s->at < s->n; s->at++) {
    const struct bu_env_step *step = &s->step[s->at];
    if (step->kind == COVERED && e->covered[step->addr] == s->cover[step->addr])
      return fail(s, "a coverage point that is not hit", step->addr, step->addr);
    if (step->kind == CYCLES && e->cycle - s->mark != step->addr) return fail(s, "the number of cycles", e->cycle - s->mark, step->addr);
    if (step->kind == MEMORY) s->memory = (enum answers)step->value;
    else if (step->kind != COVERED && step->kind != CYCLES) break;
  }
  s->done = s->at == s->n;
  return NULL;
}

const char *bu_directed_observe(struct bu_env *e, const struct bu_instruction *taken, const uint32_t *out) {
  struct bu_script *s = e->script;
  if (!s->chosen) return NULL; /* a replay of choices */
  s->chosen = false;
  bool done = false;
  const struct bu_env_step *step = &s->step[s->at];
  const char *wrong = finish_step(s, step, taken, out, &done);
  s->waited++;
  if (wrong) return wrong;
  if (!done) return s->waited > MAX_WAIT && step->kind != IDLE ? fail(s, "cycles of waiting", s->waited, MAX_WAIT) : NULL;
  s->waited = 0;
  s->at++;
  return at_once(s);
}
