/* SPDX-License-Identifier: Apache-2.0 */
/* notes.c: what the datasheet of stack_cache says of its use. Whoever has only the datasheet must be able to
 * write a bench from it (docs/example_bench). */
#include "stack_cache/layout.h"

#define SCHEDULER "To connect a scheduler"
#define OPERATIONS "What the operations do"
#define MEMORY "To connect a memory"
#define ACCESS "To access the registers"

const struct simt_note sc_notes[] = {
  {"Latency and throughput",
   "One operation is taken per cycle, back to back, on one thread or on many; each is answered "
   "`LATENCY` cycles after the cycle in which it was taken, in order. An operation sees all "
   "that were taken before it. A pop, peek or replace-top waits while the set of the top is not "
   "on chip, a push while the slot that it needs holds a set that is not yet read out to "
   "memory. Besides, the engine takes a cycle from all threads at most once per `STEAL` cycles, "
   "and only while a thread waits for it. A lone thread that only pushes gets `INFLIGHT` x "
   "`SET` entries out per latency of the memory."},
  {SCHEDULER,
   "The can-go rule: an operation is taken in every cycle with `op_valid_i` in which the bit of "
   "its kind and thread is 1: `can_push_o[t]` for a push, `can_top_o[t]` for a pop, peek or "
   "replace-top, `can_init_o` for an init. There is no other ready. The bits come from "
   "registers and depend on no input of the same cycle, so a scheduler may choose the thread by "
   "them. What is not taken may be changed or withdrawn; one thread's wait never blocks "
   "another's."},
  {SCHEDULER,
   "A bit that is 1 stays 1 until an operation of that thread is taken, except that in a cycle "
   "that the engine takes (and after a write of `LIMIT` or `STRIDE_LG`, and under halt, flush "
   "and reset) the bits of all threads are 0. A thread that will answer overflow, underflow or "
   "fault does not wait for memory. After reset the bits are 0 for `THREADS` + 1 cycles, the "
   "registers not ready for `THREADS`: all stacks are then empty, no init is needed."},
  {OPERATIONS,
   "Push puts `op_data_i` on the stack of the thread; pop takes the top off and answers it, "
   "peek answers it, replace-top puts `op_data_i` in its place. Init empties the stack and ends "
   "a fault; it answers ok, without data. Only a pop or peek that is ok carries data. Overflow: "
   "a push onto `LIMIT` entries or more; underflow: a pop, peek or replace-top of an empty "
   "stack; fault: any of the four on a faulted thread, before the other two are looked at. An "
   "operation that is not ok changes nothing."},
  {MEMORY,
   "A request is taken in a cycle with `mem_req_valid_o` and `mem_req_ready_i`, an answer in "
   "one with `mem_rsp_valid_i` and `mem_rsp_ready_o`. Each side holds what it offers until it "
   "is taken; ready may be low for any time and may depend on valid. Every request, read or "
   "write, is answered exactly once, with its tag, at the earliest in the cycle after it was "
   "taken. The block goes on taking answers while a request of its own is not taken. Up to "
   "`INFLIGHT` requests of each thread are under way; a memory with room for fewer lowers ready."},
  {MEMORY,
   "No order is asked of the memory: an access to a set is not offered while another access to "
   "that set is not answered, so a read returns what was written if every write is done before "
   "its answer. A tag is not used again before its answer was taken; its lower bits are the set "
   "number mod `INFLIGHT`, the upper ones the thread. Reset does not withdraw what the memory "
   "has taken: after it, either side must have forgotten the requests, so reset both together."},
  {MEMORY,
   "Entry i of thread t, 0 the bottom, lies at byte `BASE` + t x 2^`STRIDE_LG` + i x "
   "`ENTRY_BYTES`, lowest byte first, upper bits 0. An access is a set of `SET` entries, entry "
   "0 of the set in the lowest bits. Strobes are all 1 but in the flush of a set that is partly "
   "filled, whose other bytes must stay as they are. The memory takes `THREADS` x 2^`STRIDE_LG` "
   "bytes from `BASE`, whose content does not matter at first."},
  {MEMORY,
   "`mem_rsp_error_i` is 0, or one of three codes of your own choice; with one of them the data "
   "is not used. The thread of the access is faulted from some cycles after the answer is "
   "taken: it answers fault, begins no access and its entries are lost; init ends that, the "
   "other threads go on. The first error is kept in `ERROR` and `ERROR_SET`, all are counted in "
   "`ERROR_COUNT`, also those of accesses from before an init, which fault nobody."},
  {ACCESS,
   "One access at a time: hold a request until it is taken. The answer is in the second cycle "
   "after that one, later only for `DEPTH`, which asks the engine; the next access can be taken "
   "in the cycle of the answer. A refused access answers with the error bit and changes "
   "nothing: an address that is not in the table or no multiple of 4, a write of what is "
   "read-only, a value out of range (`STRIDE_LG` goes from the log2 of `SET_BYTES` to "
   "`STRIDE_MAX`; `LIMIT` takes any value), and `BASE` or `STRIDE_LG` while a stack holds an "
   "entry (unless the unit is halted) or a memory access is not answered yet: `STATUS` says both."},
  {ACCESS,
   "`LIMIT` may be written at any time; entries above a lowered limit stay and can be popped. "
   "It acts on operations taken after the can-go bits have come back. Depths, counters and "
   "faults are exact once nothing was under way for a few cycles."},
  {0},
};
