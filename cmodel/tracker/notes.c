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
   "A wavefront whose last sector is filled in cycle f is at its output in f + `FILL_TO_OUTPUT` at the latest, when it completes "
   "its instruction, nothing else is ready and its path is idle. One whose sectors are there when it is taken needs 16 cycles if it is "
   "the last one of its instruction. A fast packet is at `fast_out` in the cycle after it was taken."},
  {"What order is kept",
   "Wavefronts of one queue leave in the order in which they came, through the output of their class: local/global and ray traversal "
   "through `lg_out`, texture through `tex_out`. An instruction of local/global or texture leaves whole: nobody else's wavefronts come "
   "between its own on its output, but state packets may. State packets and texture keep the order in which they came. A wavefront "
   "leaves only after all fast packets that came before it; fast packets wait for nothing. Between the outputs no order is promised."},
  {TAGS,
   "A packet is taken in a cycle with `in_valid_i` and `in_ready_o`; hold it until then. `in_ready_o` comes from a register and depends "
   "on no input of its cycle, like every ready of the block. After reset it is low while memories are cleared, `CLEAR` cycles and "
   "some more for the table of warps. The wavefronts of one local/global or texture instruction have one class and warp and come one after "
   "another, the last one with `in_end_i`; only state packets, flush tokens and close packets may come between. Where the last "
   "wavefront of an instruction is a hit and goes by the fast path, send one without banks that bears the end."},
  {TAGS,
   "A wavefront names in each bank of `in_used_i` one data slot and the sectors that it needs there. Whether these are valid, the block "
   "knows from fills and allocations; hits and misses are sent alike. Send an allocation of a data slot, for a line that "
   "gets it anew, before the first wavefront that names it: at the latest in the same cycle. A close packet lets go what there "
   "is of an open instruction: send it when the rest waits for a data slot that an earlier part holds."},
  {MISSES,
   "`fill_valid_i` says that a sector's data is in its data slot; it is never held back. A fill may come for a sector "
   "nobody asked for. None may come before the first ready after reset, nor less than 4 cycles after the allocation of its data slot was "
   "taken."},
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
   "One access at a time: hold a request until it is taken. A write of mode, split or group size is taken at the next end of an instruction: "
   "the input waits until the tracker is empty, `TRK_STATUS` bit 1 says so. A value that is not known answers with an error, changes nothing "
   "and is told at `err_reg_o`. Counters have all events that are 34 cycles old."},
  {"To hang it on a front end",
   "With `STATUS` the block is a unit: a halt request lowers all readies and the valids of the outputs at once (a packet that was offered comes again "
   "after the release), fills are taken all the while. Hold `fill_pending_i` at 1 while fills are outstanding; once it has fallen under a halt request it "
   "must stay 0. Without outstanding fills the unit is halted `HALT_OWN` cycles after the request, else 8 after the last fill. A context has `CTX_MAX` words. Tag stage, miss "
   "unit and data read halt with it: what they hold of its packets goes out and comes in with it."},
  {0},
};
