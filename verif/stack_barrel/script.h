/* SPDX-License-Identifier: Apache-2.0 */
/* script.h: directed tests as lists of small steps. Each function appends one; scripts.c holds the tests. */
#ifndef STACK_BARREL_SCRIPT_H
#define STACK_BARREL_SCRIPT_H

#include "stack_barrel/env.h"

/* NO_WAIT: for nothing but the thread's last operation and the engine's holds. SOME_WAIT: for more than that operation. */
enum bar_patience { BAR_ANY_WAIT, BAR_NO_WAIT, BAR_SOME_WAIT };
enum { BAR_NEWEST = 0xffff };

enum bar_step_kind { /* those before BAR_AT_ONCE take cycles */
  BAR_STEP_OP, BAR_STEP_TRY, BAR_STEP_IDLE, BAR_STEP_START, BAR_STEP_QUIET, BAR_STEP_REQUEST, BAR_STEP_ANSWER,
  BAR_STEP_READ, BAR_STEP_WRITE, BAR_STEP_ACCESS, BAR_STEP_RESET, BAR_STEP_ORDER,
  BAR_AT_ONCE, BAR_STEP_LATENCY, BAR_STEP_READY, BAR_STEP_COVER, BAR_STEP_ACCESSES
};
struct bar_step {
  uint8_t kind, op, status, wait;
  unsigned thread, n;
  uint64_t value;
};

struct bar_script {
  const struct bar_shape *l;
  const struct simt_desc *desc;
  struct bar_step *step;
  size_t n, room;
  bool no_memory;
  uint64_t most;           /* cycles that an operation waits which need not wait for memory */

  size_t at;               /* running: the step */
  unsigned test, last;     /* test: place in bar_directed */
  uint64_t waited;         /* cycles in this step */
  bool chosen, ready, pending, done;
  unsigned latency;        /* 0: by hand */
  unsigned reads, writes;  /* taken by memory since the test began */
  uint64_t cover[SB_COVERS];
  struct { bool valid; uint8_t status; bool data; uint64_t value; } expect[BAR_RING]; /* by cycle */
};

/* scripts.c: appends test `i` of bar_directed. */
void bar_write_script(struct bar_script *s, unsigned i);

/* script_status.c: the tests of unit status: name, what it shows, requirements. */
#define BAR_STATUS_TESTS(TEST) \
  TEST(halt, "A halt while a write is under way: nothing is taken, the registers are read.", "SC-13") \
  TEST(halt_withdrawn, "A halt is withdrawn before its flush is over.", "SC-13") \
  TEST(flush, "A flush writes every dirty set, of a partly filled one its entries alone, and leaves all on chip.", "SC-13") \
  TEST(flush_and_on, "Pushes and a replace go on in a partly filled set that a flush has written.", "SC-13 SC-4") \
  TEST(flush_errors, "Memory refuses each write of a flush: it ends, and the threads are faulted.", "SC-13 SC-12") \
  TEST(flush_refused, "No flush is ordered while halted.", "SC-13") \
  TEST(switch_contexts, "Two contexts, one after the other: each finds its stacks again.", "SC-13") \
  TEST(unit_reset, "A reset of the unit while a write is under way: its answer is dropped.", "SC-13 SC-12") \
  TEST(reset_cuts_flush, "A reset of the unit in each cycle of a flush.", "SC-13") \
  TEST(nack, "A memory error is reported, saved and loaded.", "SC-13 SC-12") \
  TEST(context_refused, "Contexts that are spoiled in every way are refused.", "SC-13") \
  TEST(registers_kept, "A refused load leaves the run-time registers.", "SC-13") \
  TEST(context_broken, "A reset of the unit in each cycle of a save and a load.", "SC-13") \
  TEST(moved_while_halted, "Base, stride and limit are written while halted with entries.", "SC-13 SC-2")
#define BAR_DECLARED(name, doc, req) void bar_test_##name(struct bar_script *s);
BAR_STATUS_TESTS(BAR_DECLARED)
#undef BAR_DECLARED

/* directed.c. An operation is presented until it is taken, and must answer `status`; a pop or peek that is
 * ok returns `value`. */
void bar_op(struct bar_script *s, enum bar_patience wait, unsigned thread, enum bar_kind kind, uint64_t value,
           enum bar_status status);
void bar_pushes(struct bar_script *s, unsigned thread, uint64_t from, uint64_t n); /* entries from..from+n-1 */
void bar_pops(struct bar_script *s, enum bar_patience wait, unsigned thread, uint64_t from, uint64_t n); /* down from from+n-1 */
uint64_t bar_value(unsigned thread, uint64_t i); /* of an entry in these two */
void bar_try(struct bar_script *s, unsigned thread, unsigned kind); /* presented for one cycle and not taken */
void bar_idle(struct bar_script *s, unsigned cycles);
void bar_until_quiet(struct bar_script *s);                 /* until nothing is under way */
void bar_latency(struct bar_script *s, unsigned cycles); /* of memory from now on */
void bar_by_hand(struct bar_script *s, bool ready);   /* memory takes requests or not; answers only by bar_answer */
void bar_request(struct bar_script *s, unsigned n);   /* until n accesses are under way, or with n = 0 one is offered */
void bar_answer(struct bar_script *s, unsigned pick, unsigned error); /* the pick-th one under way */
void bar_read_register(struct bar_script *s, uint32_t addr, uint32_t value);
void bar_write_register(struct bar_script *s, uint32_t addr, uint32_t value, bool refused);
void bar_access(struct bar_script *s, uint32_t addr, bool write, uint32_t value); /* the environment alone judges it */
void bar_reset_now(struct bar_script *s);
/* The front end: `wait` for what the order is to bring about: halted, released, clear, moved; SIMT_NO_ORDER: whatever was begun. */
void bar_order(struct bar_script *s, enum simt_order order, bool wait);
void bar_order_context(struct bar_script *s, enum simt_order order, unsigned slot, enum simt_spoil spoil, uint32_t place, bool wait);
void bar_save_context(struct bar_script *s, unsigned slot);
void bar_load_context(struct bar_script *s, unsigned slot, enum simt_spoil spoil, uint32_t place);
void bar_covered(struct bar_script *s, enum sb_cover point); /* must have been hit since the test began */
void bar_accesses(struct bar_script *s, unsigned reads, unsigned writes); /* that memory has taken since then */

#endif
