/* SPDX-License-Identifier: Apache-2.0 */
/* notes.c: what the datasheet of stack_cache says of its use. */
#include "stack_cache/layout.h"

const struct simt_note sc_notes[] = {
  {"Latency and throughput",
   "One operation is taken per cycle over all threads; one thread goes at most every `GAP` cycles. Each is answered "
   "`LATENCY` cycles after the cycle in which it was taken, in order. A pop, peek or replace-top waits while the set of "
   "the top is not on chip, a push while the slot that it needs holds a set that is not yet read out to memory. A set "
   "that is moved holds its thread for `HOLD` cycles and at most `HOLD_LOST` lost ones; looking at a thread, beginning a read and an acknowledge hold "
   "nobody. Besides, the engine takes a cycle from all threads at most once per `STEAL` cycles."},
  {"To connect a scheduler",
   "The can-go rule: an operation is taken in every cycle with `op_valid_i` in which `can_go_o` and the bit of its kind "
   "and thread are 1: `can_push_o[t]` for a push, `can_top_o[t]` for a pop, peek or replace-top, either for an init. "
   "There is no other ready. All three come from registers and depend on no input of the same cycle. What is not taken "
   "may be changed or withdrawn; one thread's wait never blocks another's. A bit that is 1 stays 1 until an operation of "
   "its thread is taken or the engine holds the thread. After reset `can_go_o` is 0 for `THREADS` x `INFLIGHT` + 1 "
   "cycles; all stacks are then empty, no init is needed."},
  {"What the operations do",
   "Push puts `op_data_i` on the stack of the thread; pop takes the top off and answers it, peek answers it, replace-top "
   "puts `op_data_i` in its place. Init empties the stack and ends a fault; it answers ok, without data. Only a pop or "
   "peek that is ok carries data. Overflow: a push onto `LIMIT` entries or more; underflow: a pop, peek or replace-top "
   "of an empty stack; fault: any of the four on a faulted thread, before the other two are looked at. An operation that "
   "is not ok changes nothing."},
  {"To connect a memory",
   "A request is offered until `mem_req_ready_i`. Answers may come in any order, each with the tag of its request; a "
   "write has one, too. A tag is not used again before its answer was taken. An answer that is offered stays until "
   "`mem_rsp_ready_o`; that never waits for a request. A set has `MEM_BEATS` beats (`MEM_W`). If these are several: a write is "
   "offered for so many beats in a row, all with the address of the set and one tag, entry 0 first, and has one answer; a read is "
   "one request, answered by so many beats of its tag, entry 0 first, with gaps or without, none of another answer between them; "
   "each has a code, and the first that is not 0 counts. A bus wrapper (`bus=axi4`) is refused then."},
  {"To halt, flush and switch",
   "With `STATUS`. A halt takes `HALT_OWN` cycles behind the request or the last memory answer at most; dirty sets stay on chip, "
   "and a context, `CTX_MAX` words, has the entries that are there. With `HALT_FLUSH` 1 a halt flushes: dirty sets go to memory, "
   "one that is partly filled with strobes for its entries only, and the unit is halted when all are answered, `FLUSH_OWN` cycles "
   "behind the request at most, memory's time apart; a context is then without entries. What is not on chip stays in memory: keep "
   "it with the image. A load takes either. `CONTROL` flushes without a halt. While a context moves, and "
   "in the clearing of a reset, the register port takes no access. A load that is refused leaves the stacks empty and the "
   "registers as they were."},
  {0}
};
