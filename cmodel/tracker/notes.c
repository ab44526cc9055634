/* SPDX-License-Identifier: Apache-2.0 */
/* notes.c: what the datasheet of tracker says of its use. Whoever has only the datasheet must be able to write a front end
 * from it (docs/example_tracker). */
#include "tracker/layout.h"

#define TAGS "To connect a tag stage"
#define MISSES "To connect a miss unit"
#define READ "To connect the data read"
#define COUNTS "Reference counts and flush tokens"
#define ACCESS "To access the registers"

const struct simt_note trk_notes[] = {
  {"Latency and throughput",
   "One packet, one fast packet, one allocation and one fill are taken per cycle, one wavefront is committed (`COMMITS` 2: one for "
   "each output); behind an instruction of two wavefronts or more that is followed by one of another queue, 3 cycles later. "
   "A wavefront that is taken in cycle t and whose last sector is filled in cycle f is at its output in the later of f + `FILL_TO_OUTPUT` "
   "and t + 16 at the latest, when it completes its instruction, nothing else is inside and its path is idle. A fast packet is at `fast_out` in the cycle after it was taken."},
  {"What order is kept",
   "Wavefronts of one queue leave in the order in which they came, through the output of their class: local/global and ray traversal "
   "through `lg_out`, texture through `tex_out`. An instruction of local/global or texture leaves whole: nobody else's wavefronts come "
   "between its own on its output, but state packets may. One that is longer than a group, or has a state packet, a flush token or a close "
   "packet inside, leaves group by group: its first group leaves when all of that is there and nothing older is inside; then the output is held "
   "until the end of the instruction, and each later wavefront leaves as soon as its own sectors are there, whether its group is whole or not. State packets and texture keep the order in which they came. A wavefront "
   "leaves only after all fast packets that came before it; fast packets wait for nothing. A state packet and a flush token wait for what is "
   "older than they are and for nothing younger, behind a context switch too; then the state packet is at `tex_out` 16 cycles later at the "
   "latest, and the token has gone, not counting one cycle for each entry that left before an older one, and 8 for each token and 2 for each state packet "
   "whose turns come together. Between the outputs no order is promised."},
  {TAGS,
   "A packet is taken in a cycle with `in_valid_i` and `in_ready_o`; hold it until then. `in_ready_o` comes from a register and depends "
   "on no input of its cycle, like every ready of the block. After reset it is low while memories are cleared, `CLEAR` cycles and "
   "some more for the table of warps. The wavefronts of one local/global or texture instruction have one class and warp and come one after "
   "another, the last one with `in_end_i`; only state packets, flush tokens and close packets may come between. Where the last "
   "wavefront of an instruction is a hit and goes by the fast path, send one without banks that bears the end. For ray traversal `in_end_i` is ignored."},
  {TAGS,
   "A wavefront names in each bank of `in_used_i` one data slot and at least one sector that it needs there. Whether these are valid, the block "
   "knows from fills and allocations; hits and misses are sent alike. Send an allocation of a data slot, for a line that "
   "gets it anew, before the first wavefront that names it: at the latest in the same cycle. Allocate a data slot anew only after its report "
   "at `free_valid_o`, and ignore a report of a data slot that has been named since. No wavefront may name a data slot while its flush token waits. A close "
   "packet lets go what there is of an open instruction: send it when the rest waits for a data slot that an earlier part holds."},
  {TAGS,
   "What breaks these rules is refused at `err_*_o` with the lowest code that applies (of an allocation 1, then 3, then 2) and has no other "
   "effect, with one exception: a wavefront of the open instruction that is refused with 4, 5 or 6 and bears the end closes the instruction all the same and leaves in its order, without "
   "banks. One that is refused with 1, 2 or 3 is not of the open instruction, which stays open. A second flush token for a data slot whose token waits is "
   "refused with 6, and the first one stays."},
  {MISSES,
   "`fill_valid_i` says that a sector's data is in its data slot; it is never held back. A fill may come for a sector "
   "nobody asked for. None may come before the first ready of any port after reset, nor less than 4 cycles after an allocation of its data slot was "
   "taken, be it refused: such a fill has no effect and is told at `err_fill_o` 2 cycles later. Fills that were due before a reset of the unit are dropped without a word."},
  {READ,
   "A wavefront leaves in a cycle with valid and ready; its data are read then, and its references are counted down. A packet that is "
   "offered holds still until it is taken. Both outputs may be read in every cycle; their references go one way, one wavefront a "
   "cycle, with room for 4 of each output, and a full one lowers the output's valid."},
  {COUNTS,
   "Each wavefront counts up the data slots that it names, its read counts them down. When a count falls to zero `free_valid_o` of its bank "
   "reports the data slot for one cycle, unless a wavefront taken `FREE_LAG` cycles before, or earlier, names it again. Ignore a report of a "
   "data slot that has been named since. Allocate a data slot anew only after its report; else the allocation is refused."},
  {COUNTS,
   "A count that reaches its maximum, 2^`REF_W` - 1, stays there, and no report comes. When the tag of such a data slot is gone, send a "
   "flush token for it: once everything older has left it resets the count and reports the data slot. No wavefront may name a data slot while "
   "its token waits."},
  {ACCESS,
   "One access at a time: hold a request until it is taken. A write of mode, split or group size acts at the next end of an instruction: "
   "the input waits until the tracker is empty, `TRK_STATUS` bit 1 says so. So does one that writes the value that stands there, and each lets ray traversal begin "
   "again at the lowest queue of its part. A value that is not known answers with an error, changes nothing "
   "and is told at `err_reg_o`. Counters have all events that are 34 cycles old."},
  {"To hang it on a front end",
   "With `STATUS` the block is a unit: a halt request lowers all readies and the valids of the outputs at once (a packet that was offered comes again "
   "after the release), fills are taken all the while. Hold `fill_pending_i` at 1 while fills are outstanding; once it has fallen under a halt request it "
   "must stay 0. Without outstanding fills the unit is halted `HALT_OWN` cycles after the request, else 8 after the last fill. A context has `CTX_MAX` words. Tag stage, miss "
   "unit and data read halt with it: what they hold of its packets goes out and comes in with it. `free_valid_o` has no ready, and goes on for up to 12 cycles behind "
   "the request: these are reports of what the data read took before it, which announce nothing new. A tag stage takes them also under a halt request; none comes "
   "while the unit is halted."},
  {0},
};
