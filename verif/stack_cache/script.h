/* SPDX-License-Identifier: Apache-2.0 */
/* script.h: directed tests as lists of small steps. Each function appends one; scripts.c holds the tests. */
#ifndef STACK_CACHE_SCRIPT_H
#define STACK_CACHE_SCRIPT_H

#include "stack_cache/env.h"

enum sc_wait { SC_ANY_WAIT, SC_NO_WAIT, SC_SOME_WAIT };
enum { SC_NEWEST = 0xffff };

enum sc_step_kind { /* those before SC_AT_ONCE take cycles */
  SC_STEP_OP, SC_STEP_TRY, SC_STEP_IDLE, SC_STEP_START, SC_STEP_QUIET, SC_STEP_REQUEST, SC_STEP_ANSWER,
  SC_STEP_READ, SC_STEP_WRITE, SC_STEP_ACCESS, SC_STEP_RESET, SC_STEP_ORDER,
  SC_AT_ONCE, SC_STEP_LATENCY, SC_STEP_READY, SC_STEP_COVER, SC_STEP_ACCESSES
};
struct sc_step {
  uint8_t kind, op, status, wait;
  unsigned thread, n;
  uint64_t value;
};

struct sc_script {
  const struct sc_layout *l;
  const struct simt_desc *desc;
  struct sc_step *step;
  size_t n, room;
  bool no_memory;
  unsigned beats;          /* of a bus before memory that a set takes; 0: no bus */

  size_t at;               /* running: the step */
  unsigned test, last;     /* test: place in sc_directed */
  uint64_t waited;         /* cycles in this step */
  bool chosen, ready, pending, done;
  unsigned latency;        /* 0: by hand */
  unsigned reads, writes;  /* taken by memory since the test began */
  uint64_t cover[SC_COVERS];
  struct { bool valid; uint8_t status; bool data; uint64_t value; } expect[4]; /* by cycle */
};

/* scripts.c: appends test `i` of sc_directed; script_status.c: those of unit status, by number from 0. */
void sc_write_script(struct sc_script *s, unsigned i);
void sc_write_status_script(struct sc_script *s, unsigned i);

/* script_bits.c: tests of every bit of registers, addresses and counts. */
void sc_every_address(struct sc_script *s);
void sc_every_bit(struct sc_script *s);
void sc_bits_of_addresses(struct sc_script *s);
void sc_many_errors(struct sc_script *s);

/* directed.c. An operation is presented until it is taken, and must answer `status`; a pop or peek that is
 * ok returns `value`. */
void sc_op(struct sc_script *s, enum sc_wait wait, unsigned thread, enum sc_kind kind, uint64_t value,
           enum sc_status status);
void sc_pushes(struct sc_script *s, unsigned thread, uint64_t from, uint64_t n); /* entries from..from+n-1 */
void sc_pops(struct sc_script *s, enum sc_wait wait, unsigned thread, uint64_t from, uint64_t n); /* down from from+n-1 */
uint64_t sc_value(unsigned thread, uint64_t i); /* of an entry in these two */
void sc_try(struct sc_script *s, unsigned thread, unsigned kind); /* presented for one cycle and not taken */
void sc_idle(struct sc_script *s, unsigned cycles);
void sc_quiet(struct sc_script *s);                 /* until nothing is under way */
void sc_no_steal(struct sc_script *s);              /* the same, where the spill of two entries may take any cycle of an operation */
void sc_latency(struct sc_script *s, unsigned cycles); /* of memory from now on */
void sc_by_hand(struct sc_script *s, bool ready);   /* memory takes requests or not; answers only by sc_answer */
void sc_request(struct sc_script *s, unsigned n);   /* until n accesses are under way, or with n = 0 one is offered */
void sc_answer(struct sc_script *s, unsigned pick, unsigned error); /* the pick-th one under way */
void sc_read_register(struct sc_script *s, uint32_t addr, uint32_t value);
void sc_write_register(struct sc_script *s, uint32_t addr, uint32_t value, bool refused);
void sc_access(struct sc_script *s, uint32_t addr, bool write, uint32_t value); /* the environment alone judges it */
void sc_reset_now(struct sc_script *s);
/* The front end: `wait` for what the order is to bring about (halted, released, clear, moved). */
void sc_order(struct sc_script *s, enum sc_order order, bool wait);
void sc_save_context(struct sc_script *s, unsigned slot);
void sc_load_context(struct sc_script *s, unsigned slot, enum sc_spoil spoil, uint32_t place);
void sc_covered(struct sc_script *s, enum sc_cover point); /* must have been hit since the test began */
void sc_accesses(struct sc_script *s, unsigned reads, unsigned writes); /* that memory has taken since then */

#endif
