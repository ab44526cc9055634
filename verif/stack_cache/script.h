/* SPDX-License-Identifier: Apache-2.0 */
/* script.h: directed tests as lists of small steps. Each function appends one; scripts.c holds the tests. */
#ifndef STACK_CACHE_SCRIPT_H
#define STACK_CACHE_SCRIPT_H

#include "stack_cache/env.h"

/* NO_WAIT: for nothing but the thread's last operation and the engine's holds. SOME_WAIT: for more than that operation. */
enum stk_patience { STK_ANY_WAIT, STK_NO_WAIT, STK_SOME_WAIT };
enum { STK_NEWEST = 0xffff };

enum stk_step_kind { /* those before STK_AT_ONCE take cycles */
  STK_STEP_OP, STK_STEP_TRY, STK_STEP_IDLE, STK_STEP_START, STK_STEP_QUIET, STK_STEP_REQUEST, STK_STEP_ANSWER,
  STK_STEP_READ, STK_STEP_WRITE, STK_STEP_ACCESS, STK_STEP_RESET, STK_STEP_ORDER,
  STK_AT_ONCE, STK_STEP_LATENCY, STK_STEP_READY, STK_STEP_COVER, STK_STEP_ACCESSES
};
struct stk_step {
  uint8_t kind, op, status, wait;
  unsigned thread, n;
  uint64_t value;
};

struct stk_script {
  const struct stk_shape *l;
  const struct simt_desc *desc;
  struct stk_step *step;
  size_t n, room;
  bool no_memory;
  uint64_t most;           /* cycles that an operation waits which need not wait for memory */

  size_t at;               /* running: the step */
  unsigned test, last;     /* test: place in stk_directed */
  uint64_t waited;         /* cycles in this step */
  bool chosen, ready, pending, done;
  unsigned latency;        /* 0: by hand */
  unsigned reads, writes;  /* taken by memory since the test began */
  uint64_t cover[SC_COVERS];
  struct { bool valid; uint8_t status; bool data; uint64_t value; } expect[STK_RING]; /* by cycle */
};

/* scripts.c: appends test `i` of stk_directed. */
void stk_write_script(struct stk_script *s, unsigned i);

/* script_status.c: the tests of unit status: name, what it shows, requirements. */
#define STK_STATUS_TESTS(TEST) \
  TEST(halt, "A halt while a write is under way: nothing is taken, the registers are read.", "SC-13") \
  TEST(halt_withdrawn, "A halt is withdrawn before its flush is over.", "SC-13") \
  TEST(flush, "A flush writes every dirty set, of a partly filled one its entries alone, and leaves all on chip.", "SC-13") \
  TEST(flush_and_on, "Pushes and a replace go on in a partly filled set that a flush has written.", "SC-13 SC-4") \
  TEST(flush_errors, "Memory refuses each write of a flush: it ends, and the threads are faulted.", "SC-13 SC-12") \
  TEST(flush_refused, "No flush is ordered while halted.", "SC-13") \
  TEST(switch_contexts, "Two contexts, one after the other: each finds its stacks again.", "SC-13") \
  TEST(halt_keeps, "A halt without a flush: what is dirty on chip is saved, loaded, and there without memory.", "SC-13") \
  TEST(halt_both, "Contexts with and without entries, loaded whatever HALT_FLUSH says.", "SC-13") \
  TEST(flush_then_halt, "A flush that is ordered just before a halt without one.", "SC-13") \
  TEST(entries_refused, "Contexts with entries: spoiled in every way; a reset in the middle of one.", "SC-13") \
  TEST(refused_form, "A context with entries is refused behind a halt that flushed, and one without behind one that did not: the next one is saved in the form of the halt.", "SC-13 US-9") \
  TEST(halt_in_hand, "A halt without a flush in each of some cycles behind a deep swing or an init.", "SC-13") \
  TEST(unit_reset, "A reset of the unit while a write is under way: its answer is dropped.", "SC-13 SC-12") \
  TEST(reset_cuts_flush, "A reset of the unit in each cycle of a flush.", "SC-13") \
  TEST(nack, "A memory error is reported, saved and loaded.", "SC-13 SC-12") \
  TEST(context_refused, "Contexts that are spoiled in every way are refused.", "SC-13") \
  TEST(registers_kept, "A refused load leaves the run-time registers.", "SC-13") \
  TEST(context_broken, "A reset of the unit in each cycle of a save and a load.", "SC-13") \
  TEST(moved_while_halted, "Base, stride and limit are written while halted with entries.", "SC-13 SC-2")
#define STK_DECLARED(name, doc, req) void stk_test_##name(struct stk_script *s);
STK_STATUS_TESTS(STK_DECLARED)
#undef STK_DECLARED

/* directed.c. An operation is presented until it is taken, and must answer `status`; a pop or peek that is
 * ok returns `value`. */
void stk_op(struct stk_script *s, enum stk_patience wait, unsigned thread, enum stk_kind kind, uint64_t value,
           enum stk_status status);
void stk_pushes(struct stk_script *s, unsigned thread, uint64_t from, uint64_t n); /* entries from..from+n-1 */
void stk_pops(struct stk_script *s, enum stk_patience wait, unsigned thread, uint64_t from, uint64_t n); /* down from from+n-1 */
uint64_t stk_value(unsigned thread, uint64_t i); /* of an entry in these two */
void stk_try(struct stk_script *s, unsigned thread, unsigned kind); /* presented for one cycle and not taken */
void stk_idle(struct stk_script *s, unsigned cycles);
void stk_until_quiet(struct stk_script *s);                 /* until nothing is under way */
void stk_latency(struct stk_script *s, unsigned cycles); /* of memory from now on */
void stk_by_hand(struct stk_script *s, bool ready);   /* memory takes requests or not; answers only by stk_answer */
void stk_request(struct stk_script *s, unsigned n);   /* until n accesses are under way, or with n = 0 one is offered */
void stk_answer(struct stk_script *s, unsigned pick, unsigned error); /* the pick-th one under way */
void stk_read_register(struct stk_script *s, uint32_t addr, uint32_t value);
void stk_write_register(struct stk_script *s, uint32_t addr, uint32_t value, bool refused);
void stk_access(struct stk_script *s, uint32_t addr, bool write, uint32_t value); /* the environment alone judges it */
void stk_reset_now(struct stk_script *s);
/* The front end: `wait` for what the order is to bring about: halted, released, clear, moved; SIMT_NO_ORDER: whatever was begun. */
void stk_order(struct stk_script *s, enum simt_order order, bool wait);
void stk_order_context(struct stk_script *s, enum simt_order order, unsigned slot, enum simt_spoil spoil, uint32_t place, bool wait);
void stk_save_context(struct stk_script *s, unsigned slot);
void stk_load_context(struct stk_script *s, unsigned slot, enum simt_spoil spoil, uint32_t place);
void stk_covered(struct stk_script *s, enum sc_cover point); /* must have been hit since the test began */
void stk_accesses(struct stk_script *s, unsigned reads, unsigned writes); /* that memory has taken since then */

#endif
