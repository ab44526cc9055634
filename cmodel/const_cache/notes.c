/* SPDX-License-Identifier: Apache-2.0 */
/* notes.c: what the datasheet of const_cache says of its use. */
#include "const_cache/layout.h"

#define COMMANDS "To connect the command stream"
#define SM "To connect an SM"
#define MEMORY "To connect a memory"
#define UNIT "To connect a front end"
#define COST "What an update costs"
#define ACCESS "To access the registers"

const struct simt_note cc_notes[] = {
  {"What a work item reads",
   "For every address the value of the last write before the item in the command stream, whatever has been written "
   "since and whatever is in flight. An address that was never written reads what memory held: constant `a` lies at "
   "`CC_BASE` + `a` x bytes of a word."},
  {COMMANDS,
   "One command is taken per cycle where `cmd_valid_i` and `cmd_ready_o` are 1; hold a command until it is taken. The "
   "first is taken `INIT_CYCLES` + 2 cycles after reset. `cmd_ready_o` comes from a register and may fall in any cycle. A write brings `WRITE_WORDS` constants, the first of them at `cmd_addr_i`, a multiple of "
   "`WRITE_WORDS`. It takes effect for all work items behind it, for none "
   "before it. A work item waits until an SM is inactive. Protocol `shared`: a write waits until no SM is active. Protocol "
   "`copy`: it waits until one is inactive, and while its row of the L1s is locked for another address. "
   "A flush brings memory to the current version; an invalidate does so and then empties all caches. Both wait until "
   "no SM is active and end with one cycle of `cmd_done_o`. Memory may be changed by others only between an "
   "invalidate's `cmd_done_o` and the next command."},
  {SM,
   "In the cycle of `work_valid_o` the SM `work_sm_o` gets the item, with the word that came with it, and may read from that "
   "cycle on. It is the lowest inactive one whose L1 can be used; protocol `copy`: that has the current version. A read is taken where its `rd_valid_i` and "
   "`rd_ready_o` are 1; until then it may change or be withdrawn. Answers come in the order of the reads, a hit `L1_LAT` cycles after its read, one per cycle, with no back-pressure. "
   "An error answers 0: memory failed, the address is out of range, or the SM has no work item. The SM reports "
   "completion by its bit of `done_valid_i`; it is taken where `done_ready_o` is 1 and no read of the SM is taken "
   "in the cycle. It waits until every read is answered. The SM is inactive from the next cycle on."},
  {MEMORY,
   "One access is a line of `WRITE_WORDS` words, aligned. Every request, read or write, is answered once, in any order, with its tag; an access to a line is "
   "never under way together with another one of that word. A read that fails answers the SM with an error and fills "
   "nothing. Protocol `backup`: when an old word cannot be fetched, the SMs that need it get errors for it; when a write-back fails the word is lost: "
   "`CC_ERROR` and `CC_FAILED` say so, and with `STATUS` `nack_o` until these bits of `CC_ERROR` are cleared."},
  {UNIT,
   "With `STATUS` the block is a unit of a front end. A halt request lowers all readies at once; reads that were taken are answered, accesses to memory end, and nothing "
   "else leaves before the release: `work_valid_o` and `cmd_done_o` for the last time one cycle behind the rise of `cmd_halt_i`, so an SM that hangs on the same tree takes an item "
   "in the first cycle of its own halt request, too, and none later. An answer of memory is taken only where an access is under way. It is halted `HALT_OWN` cycles after the request, those apart in which an access to memory is under way or a read is "
   "unanswered. `cmd_reset_i` ends all work items: SMs are inactive, no answer comes any more, waiting commands and what the caches hold are dropped; `CC_BASE` and the counters stay; it is over within `RESET_OWN` cycles. A context has "
   "`CTX_MAX` words, its stream a header of three more; what was written back to memory is not among them, so each program has a region of its own at `CC_BASE`, and an image is worth nothing any more when its program goes on. Without a "
   "front end tie `cmd_halt_i`, `cmd_reset_i`, `cmd_resume_i` and the inputs `ctx_*` to 0."},
  {COST,
   "Protocol `copy`: when the oldest version in use moves on, L2 is brought to it by a walk through the locked rows of an L1, from the lowest to the highest: at most `L1_ENTRIES` + words moved + 14 "
   "cycles, in free read cycles of that SM. Where the SM reads in every cycle, the walk takes one cycle in `STEAL` + 1, so a row costs `STEAL` + 1 cycles; a smaller `STEAL` moves faster and slows the SM's "
   "reads. A copy to an empty L1 is the same walk. Commands wait for a copy (CC_WAIT_COPY), and for an update where a copy has to wait for it, where a write would go to its source, or in a flush (CC_WAIT_UPDATE). At a wrap of the "
   "epochs, one update in 2^`GEN_W` - 1 at most, writes wait for a sweep of all L1s: `L1_ENTRIES` + 6 free cycles (CC_WAIT_SWEEP). "
   "Protocol `backup`: the first write to an address in a version saves the old word. One that is not in L2 is fetched first, and such fetches are made one after the other, each for a latency of memory "
   "(CC_WAIT_MEMORY). A code of a version is used again only behind a round over all SMs and a scan of all sets (CC_WAIT_CODE), and a full set waits for its own scan (CC_WAIT_FULL). "
   "An SM whose version was old when it completed gets no item while its L1 has no generation free, until a sweep ends (CC_WAIT_SWEEP)."},
  {ACCESS,
   "One access at a time: hold a request until it is taken. The answer comes in the third cycle after that one, a cycle "
   "later for a counter that is being written, and up to the 20th cycle for a counter behind a write of `CC_CLEAR` or a reset. A refused access answers with the error bit and changes nothing. Reading the low half of a counter "
   "latches the upper half. A counter is exact when nothing happened for 64 cycles."},
  {0},
};
