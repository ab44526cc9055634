/* SPDX-License-Identifier: Apache-2.0 */
/* notes.c: what the datasheet of atomic_merge says of its use. */
#include "atomic_merge/layout.h"

#define HOME "To connect a home"

const struct simt_note am_notes[] = {
  {"To connect threads",
   "Offer a request and hold it until `req_ready_o`. Each accepted request gets exactly one answer, in any order; do not use its "
   "thread id again before. Mode 0 returns the value before the atomic, mode 1 is answered when the atomic has its place in the "
   "serial order, mode 2 when it is accumulated or performed. Requests to one address take their places in the order of "
   "acceptance; those to different addresses may overtake each other, except across a fence or flush."},
  {"Latency and throughput",
   "These values are derived from the parameters and stand in the table of derived values; each is measured. `LATENCY` cycles from acceptance to answer when "
   "the line is present and nothing is in front. `RATE` requests in 100 cycles, on lines that are present and on temporary lines: one per cycle if `QUEUE` is 8 or "
   "more. The same 8 bytes again: `GAP` cycles later, behind a minimum, maximum, compare-and-swap or saturating add `GAP_CHOICE`, behind a wrapping or modulo "
   "operation, a multiply or a float `GAP_UNIT`."},
  {"Latency and throughput",
   "`MERGE_CYCLES` from the last beat of a fill to ready for a snoop, with one temporary line and no request that waits, 3 cycles more for each that waits; "
   "`RELEASE_CYCLES` from that beat to the first beat of the release, when a snoop stands behind the fill. `MERGE_MODULO`, `MERGE_ITEMS`, `RELEASE_MODULO` and "
   "`RELEASE_ITEMS` are those of wrapping and modulo operations, and of multiplies and floats, if they are built."},
  {HOME,
   "Answer every fetch with one fill, all beats with the tag of the fetch, or with one error beat. Beats of a fill follow each "
   "other without a snoop between. A line belongs to one cache; to get it back send a snoop on the same channel and take the "
   "release: all beats if `rel_dirty_o`, else one that carries no data."},
  {HOME,
   "A snoop for a line that was released already is dropped: the release on its way is the answer. A fetch may be seen before the "
   "release of the same line: keep it until the release is there. Always take releases, whatever else waits; a line that "
   "is not given out while releases are refused stops the cache."},
  {"Counters",
   "With `COUNTERS` a read of a count takes up to 66 cycles; read `_LO` first, it keeps `_HI`. Counts are exact and wrap after 48 bits. A cycle of "
   "waiting counts once: for the engine, or for what the oldest request lacked when it was turned back last."},
  {"To halt, save and reset it",
   "With `STATUS`. Hold `cmd_halt_i`: no request is accepted. With `HALT_MODE = drain` all that was accepted is finished and all lines are released, so "
   "take answers, fetches and releases and serve the home until all its caches are halted; memory then has everything, and the context is what was "
   "lost with failed fetches, two or three words. With `HALT_MODE = hold` no fetch is sent and no answer begun, fetches that are open are waited for, the "
   "answer and the release that are offered stay until they are taken, and the cache stops within `HALT_OWN` cycles with what is there; no context is moved. `served_idle_i` is the AND of the other caches' `idle_o`, 1 for a cache that is "
   "alone. `cmd_reset_i` clears all lines, changed ones too if the cache was not drained, and waits for the fills of its open fetches, so a home that is reset "
   "behind it hangs the cache. To reset home and caches in mid-work use `rst_i` of all caches, `rst_i` of the home as soon as its `mem_req_valid_o` is 0, and hold "
   "both until memory has answered all that it took."},
  {NULL, NULL}};
