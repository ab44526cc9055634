/* SPDX-License-Identifier: Apache-2.0 */
/* directed.c: scripts, one step per request or event; between steps the script waits as long as it says. */
#include "atomic_merge/directed.h"

#include <string.h>

enum am_step_kind { REQ, FILL, FAIL, SNOOP, STRAY, WAIT, ANSWERS_OFF, ANSWERS_ON, RESET, FILL_AND_SNOOP, DRAIN, COUNT, CLEARS, HALT, RELEASE, UNIT_RESET, SAVE, LOAD, NACK_CLEAR, FILLS_CACHE, MANY, SERVED, FETCHES_OFF, FETCHES_ON, END };
struct am_step {
  enum am_step_kind kind;
  unsigned op, size, mode, line, offset;
  uint64_t data, compare;
};

#define ADD1(mode) {REQ, AM_ADD, 2, mode, 0, 0, 1, 0}
static const struct am_step hit_stream[] = {
  {REQ, AM_STORE, 3, 0, 0, 8, 5, 0}, {.kind = FILL}, {.kind = WAIT, .op = 40}, {REQ, AM_ADD, 3, 0, 0, 8, 7, 0}, {REQ, AM_ADD, 2, 0, 0, 8, 7, 0}, {REQ, AM_XOR, 2, 0, 0, 12, 9, 0},
  {REQ, AM_SMIN, 2, 0, 0, 8, 1, 0}, {REQ, AM_SWAP, 3, 0, 0, 8, 3, 0}, {REQ, AM_CAS, 3, 0, 0, 8, 4, 3}, {REQ, AM_LOAD, 0, 0, 0, 8, 0, 0},
  {REQ, AM_LOAD, 1, 0, 0, 10, 0, 0}, {REQ, AM_STORE, 0, 0, 0, 9, 255, 0}, {REQ, AM_LOAD, 3, 0, 0, 8, 0, 0}, {.kind = DRAIN}, {.kind = END}};
static const struct am_step merge_returns[] = {
  ADD1(0), ADD1(1), ADD1(2), ADD1(0), {REQ, AM_ADD, 2, 0, 0, 4, 10, 0}, {REQ, AM_ADD, 2, 2, 0, 4, 10, 0}, {.kind = WAIT, .op = 30}, {.kind = FILL_AND_SNOOP}, {.kind = DRAIN}, {.kind = END}};
static const struct am_step spool_while_gone[] = { /* AM-11: the old list is still spooled when a new line opens */
  {.kind = ANSWERS_OFF}, ADD1(0), ADD1(0), ADD1(0), {.kind = WAIT, .op = 20}, {.kind = FILL_AND_SNOOP}, {.kind = WAIT, .op = 40}, ADD1(0), ADD1(0), {.kind = WAIT, .op = 30}, {.kind = FILL_AND_SNOOP}, {.kind = WAIT, .op = 40}, {.kind = ANSWERS_ON}, {.kind = DRAIN}, {.kind = END}};
static const struct am_step waits_in_order[] = { /* AM-8: merge, load, merge of what came behind */
  ADD1(2), ADD1(0), {REQ, AM_LOAD, 2, 0, 0, 0, 0, 0}, ADD1(0), {REQ, AM_ADD, 2, 0, 0, 8, 3, 0}, {REQ, AM_SMAX, 2, 0, 0, 0, 50, 0},
  {REQ, AM_SMAX, 2, 0, 0, 12, 50, 0}, {REQ, AM_LOAD, 3, 0, 0, 8, 0, 0}, {.kind = WAIT, .op = 40}, {.kind = FILL}, {.kind = DRAIN}, {.kind = END}};
static const struct am_step cas_batch[] = { /* AM-13 */
  {REQ, AM_CAS, 2, 0, 0, 0, 7, 0}, {REQ, AM_CAS, 2, 0, 0, 0, 8, 0}, {REQ, AM_CAS, 2, 0, 0, 4, 8, 1}, {REQ, AM_CAS, 2, 0, 0, 4, 0, 0}, {.kind = WAIT, .op = 30}, {.kind = FILL}, {.kind = DRAIN}, {.kind = END}};
static const struct am_step failed_fetch[] = {
  ADD1(2), ADD1(2), ADD1(1), ADD1(0), {REQ, AM_LOAD, 2, 0, 0, 0, 0, 0}, {REQ, AM_UMAX, 2, 2, 0, 4, 5, 0}, {.kind = WAIT, .op = 30}, {.kind = FAIL}, {.kind = DRAIN}, ADD1(0), {.kind = WAIT, .op = 20}, {.kind = FILL}, {.kind = DRAIN}, {.kind = END}};
static const struct am_step refusals[] = { /* a flush among them: those behind it stay in the front */
  {REQ, AM_FLUSH, 0, 3, 0, 0, 0, 0}, {REQ, AM_FLUSH, 0, 3, 0, 0, 0, 0}, {REQ, AM_FENCE, 0, 3, 0, 0, 0, 0},
  {REQ, 29, 2, 0, 0, 0, 0, 0}, {REQ, 31, 2, 0, 0, 0, 0, 0}, {REQ, AM_ADD, 1, 0, 0, 0, 1, 0}, {REQ, AM_ADD, 0, 0, 0, 0, 1, 0}, {REQ, AM_ADD, 2, 3, 0, 0, 1, 0},
  {REQ, AM_LOAD, 3, 0, 0, 4 | 1 << 16, 0, 0}, {REQ, AM_STORE, 1, 0, 0, 1 | 1 << 16, 0, 0}, {REQ, AM_ADD, 2, 0, 0, 2 | 1 << 16, 1, 0}, {.kind = DRAIN}, {.kind = STRAY}, {.kind = WAIT, .op = 20}, {.kind = END}};
static const struct am_step fence_and_flush[] = {
  ADD1(2), {REQ, AM_STORE, 2, 0, 1, 4, 6, 0}, {REQ, AM_FENCE, 0, 0, 0, 0, 0, 0}, ADD1(0), {.kind = WAIT, .op = 20}, {.kind = FILL}, {.kind = WAIT, .op = 20}, {.kind = FILL}, {.kind = WAIT, .op = 20}, {REQ, AM_FLUSH, 0, 0, 0, 0, 0, 0},
  {REQ, AM_LOAD, 2, 0, 0, 0, 0, 0}, {.kind = WAIT, .op = 200}, {.kind = FILL}, {.kind = DRAIN}, {.kind = END}};
static const struct am_step reset_in_merge[] = {
  ADD1(0), ADD1(2), {.kind = WAIT, .op = 30}, {.kind = FILL}, {.kind = WAIT, .op = 3}, {.kind = RESET}, {.kind = WAIT, .op = 10}, ADD1(0), {.kind = WAIT, .op = 20}, {.kind = FILL}, {.kind = DRAIN}, {.kind = END}};
static const struct am_step clean_release[] = {
  {REQ, AM_LOAD, 2, 0, 0, 0, 0, 0}, {.kind = WAIT, .op = 20}, {.kind = FILL_AND_SNOOP}, {.kind = DRAIN}, {.kind = SNOOP}, {.kind = WAIT, .op = 20}, {.kind = END}};
static const struct am_step mixed_sizes[] = { /* AM-4: bitwise operations need no size */
  {REQ, AM_OR, 2, 0, 0, 0, 1, 0}, {REQ, AM_OR, 3, 0, 0, 0, 0x600000000, 0}, {REQ, AM_OR, 2, 0, 0, 4, 8, 0}, {REQ, AM_OR, 3, 0, 0, 8, 16, 0}, {.kind = WAIT, .op = 30}, {.kind = FILL}, {.kind = DRAIN}, {.kind = END}};

static const struct am_step saturation[] = { /* the last sum that fits and the first that does not, in place and merged, of both sizes */
  {REQ, AM_STORE, 2, 0, 0, 0, 0xfffffffe, 0}, {REQ, AM_STORE, 3, 0, 0, 8, 0xfffffffffffffffe, 0}, {.kind = FILL}, {.kind = WAIT, .op = 40}, {REQ, AM_SAT, 2, 0, 0, 0, 1, 0},
  {REQ, AM_SAT, 2, 0, 0, 0, 1, 0}, {REQ, AM_SAT, 3, 0, 0, 8, 1, 0}, {REQ, AM_SAT, 3, 0, 0, 8, 0xffffffff, 0}, {REQ, AM_SAT, 2, 0, 0, 4, 0xffffffff, 0}, {.kind = DRAIN}, {.kind = SNOOP}, {.kind = WAIT, .op = 40},
  {REQ, AM_SAT, 2, 0, 0, 0, 5, 0}, {REQ, AM_SAT, 2, 0, 0, 4, 0, 0}, {REQ, AM_SAT, 2, 0, 0, 4, 1, 0}, {REQ, AM_SAT, 2, 0, 0, 12, 0xffffffff, 0}, {REQ, AM_SAT, 2, 0, 0, 12, 0xffffffff, 0},
  {REQ, AM_SAT, 3, 0, 1, 8, 0xffffffffffffffff, 0}, {REQ, AM_SAT, 3, 0, 1, 8, 0, 0}, {REQ, AM_SAT, 3, 0, 1, 8, 1, 0}, {.kind = WAIT, .op = 30}, {.kind = FILL}, {.kind = FILL}, {.kind = DRAIN}, {.kind = END}};

/* Around the limit, above it, modulo 1 and 2^size; a count that is a whole round, and one of which nothing is left; refused limits. */
#define INC(at, mode, last) {REQ, AM_INC, 2, mode, 0, at, 77, last}
#define DEC(at, mode, last) {REQ, AM_DEC, 2, mode, 0, at, 77, last}
static const struct am_step modulo[] = {
  {REQ, AM_STORE, 2, 0, 0, 0, 4, 0}, {REQ, AM_STORE, 2, 0, 0, 4, 9, 0}, {REQ, AM_STORE, 3, 0, 0, 8, 0xfffffffffffffffe, 0}, {.kind = FILL}, {.kind = WAIT, .op = 40}, INC(0, 0, 5), INC(0, 0, 5), INC(0, 0, 5), DEC(0, 0, 5), DEC(0, 0, 5),
  DEC(0, 0, 5), INC(4, 0, 5), INC(4, 0, 5), {REQ, AM_STORE, 2, 0, 0, 4, 9, 0}, DEC(4, 0, 5), {REQ, AM_INC, 3, 0, 0, 8, 0, 0xffffffffffffffff}, {REQ, AM_INC, 3, 0, 0, 8, 0, 0xffffffffffffffff}, {REQ, AM_DEC, 3, 0, 0, 8, 0, 0xffffffffffffffff}, INC(0, 0, 0), DEC(0, 0, 0),
  {REQ, AM_MOD, 2, 0, 0, 0, 3, 6}, {REQ, AM_MOD, 2, 0, 0, 0, 6, 6}, {REQ, AM_MOD, 2, 0, 0, 0, 7, 6}, {REQ, AM_MOD, 2, 0, 0, 0, 1, 0x100000006}, {REQ, AM_MOD, 3, 0, 0, 8, 0x7fffffffffffffff, 0x8000000000000000}, {.kind = DRAIN}, {.kind = SNOOP}, {.kind = WAIT, .op = 40},
  INC(0, 0, 2), INC(0, 0, 2), INC(0, 2, 2), INC(0, 0, 2), INC(4, 2, 2), DEC(4, 0, 2), {.kind = WAIT, .op = 40}, {.kind = FILL_AND_SNOOP}, {.kind = DRAIN}, DEC(0, 0, 2), DEC(0, 0, 2), DEC(0, 1, 2), DEC(0, 0, 2), DEC(4, 0, 2), {.kind = WAIT, .op = 40}, {.kind = FILL_AND_SNOOP}, {.kind = DRAIN},
  {REQ, AM_MOD, 2, 0, 0, 0, 2, 2}, {REQ, AM_MOD, 2, 0, 0, 0, 2, 2}, {REQ, AM_MOD, 2, 2, 0, 4, 0, 2}, {REQ, AM_MOD, 2, 0, 0, 4, 1, 2}, {REQ, AM_MOD, 3, 0, 1, 8, 0xfffffffffffffffe, 0xffffffffffffffff}, {REQ, AM_MOD, 3, 0, 1, 8, 5, 0xffffffffffffffff}, {.kind = WAIT, .op = 40}, {.kind = FILL}, {.kind = FILL}, {.kind = DRAIN}, {.kind = END}};
static const struct am_step products[] = {
  {REQ, AM_STORE, 2, 0, 0, 0, 3, 0}, {REQ, AM_STORE, 3, 0, 0, 8, 0x8765432112345679, 0}, {.kind = FILL}, {.kind = WAIT, .op = 40}, {REQ, AM_MUL, 2, 0, 0, 0, 0xffffffff, 0}, {REQ, AM_MUL, 2, 0, 0, 0, 0x10001, 0}, {REQ, AM_MUL, 3, 0, 0, 8, 0x123456789abcdef1, 0},
  {REQ, AM_ADD, 3, 0, 0, 8, 1, 0}, {REQ, AM_MUL, 3, 0, 0, 8, 0xffffffffffffffff, 0}, {REQ, AM_LOAD, 3, 0, 0, 8, 0, 0}, {REQ, AM_MUL, 2, 0, 0, 4, 5, 0}, {.kind = DRAIN}, {.kind = SNOOP}, {.kind = WAIT, .op = 40}, {REQ, AM_MUL, 2, 0, 0, 0, 3, 0}, {REQ, AM_MUL, 2, 0, 0, 4, 7, 0},
  {REQ, AM_MUL, 2, 2, 0, 0, 5, 0}, {REQ, AM_MUL, 2, 0, 0, 0, 0x80000001, 0}, {REQ, AM_MUL, 3, 0, 0, 8, 0xfedcba9876543211, 0}, {REQ, AM_MUL, 3, 0, 0, 8, 0x300000003, 0}, {.kind = WAIT, .op = 40}, {.kind = FILL}, {.kind = DRAIN}, {REQ, AM_LOAD, 3, 0, 0, 8, 0, 0}, {.kind = DRAIN}, {.kind = END}};

/* COUNT reads the counter at place `op`; `mode` 1: where more than one temporary line may be open and a maximum opens one. */
static const struct am_step counted[] = {
  ADD1(2), ADD1(0), {REQ, AM_UMAX, 2, 2, 0, 4, 9, 0}, {REQ, AM_LOAD, 2, 0, 0, 0, 0, 0}, ADD1(2), {.kind = WAIT, .op = 40}, {.kind = FILL}, {.kind = DRAIN}, ADD1(0), ADD1(2), ADD1(1), {.kind = DRAIN},
  {.kind = WAIT, .op = 20}, {COUNT, AM_ADD, 0, 0, 0, 0, 6, 0}, {COUNT, AM_LOAD, 0, 0, 0, 0, 1, 0}, {COUNT, AM_UMAX, 0, 1, 0, 0, 1, 0}, {COUNT, AM_N_IN_PLACE, 0, 0, 0, 0, 3, 0},
  {COUNT, AM_N_WAITED_PLAIN, 0, 0, 0, 0, 1, 0}, {COUNT, AM_N_WAITED_TURN, 0, 0, 0, 0, 1, 0}, {COUNT, AM_N_ACCUMULATED, 0, 1, 0, 0, 3, 0}, {COUNT, AM_N_MERGES, 0, 1, 0, 0, 2, 0},
  {COUNT, AM_N_EXTRA, 0, 1, 0, 0, 1, 0}, {COUNT, AM_N_FILLS, 0, 0, 0, 0, 1, 0}, {COUNT, AM_N_RELEASES, 0, 0, 0, 0, 0, 0}, {.kind = CLEARS}, {COUNT, AM_ADD, 0, 0, 0, 0, 0, 0}, {COUNT, AM_N_FILLS, 0, 0, 0, 0, 0, 0},
  ADD1(0), {REQ, AM_ADD, 2, 3, 0, 0, 1, 0}, {.kind = SNOOP}, {.kind = DRAIN}, {.kind = WAIT, .op = 20}, {COUNT, AM_ADD, 0, 0, 0, 0, 1, 0}, {COUNT, AM_N_REFUSED, 0, 0, 0, 0, 1, 0},
  {COUNT, AM_N_RELEASES, 0, 0, 0, 0, 1, 0}, {COUNT, AM_N_EVICTIONS, 0, 0, 0, 0, 0, 0}, {.kind = END}};

/* A front end, without STATUS as if there were none. The halt stands behind the fill: between the events of the arrival. */
#define LOAD1(at) {REQ, AM_LOAD, 2, 0, 0, at, 0, 0}
#define HALTED_FOR(cycles) {.kind = HALT}, {.kind = WAIT, .op = cycles}, {.kind = RELEASE}
static const struct am_step halt_in_arrival[] = {
  ADD1(0), LOAD1(0), ADD1(0), LOAD1(4), LOAD1(8), {REQ, AM_STORE, 2, 0, 0, 0, 7, 0}, LOAD1(0), LOAD1(12), {.kind = WAIT, .op = 40}, {.kind = FILL}, HALTED_FOR(60), {.kind = WAIT, .op = 2}, HALTED_FOR(60),
  {.kind = WAIT, .op = 1}, HALTED_FOR(40), {.kind = SNOOP}, HALTED_FOR(40), {.kind = DRAIN}, {.kind = END}};
static const struct am_step halt_in_merge[] = { /* many cycles of a halt request that ends in a merge, answers held back, and requests behind */
  ADD1(0), ADD1(1), {REQ, AM_UMAX, 2, 0, 0, 4, 9, 0}, ADD1(2), {.kind = WAIT, .op = 30}, {.kind = HALT}, {.kind = WAIT, .op = 20}, {.kind = FILL}, {.kind = WAIT, .op = 60}, {.kind = RELEASE},
  ADD1(0), ADD1(0), {.kind = WAIT, .op = 2}, HALTED_FOR(40), {.kind = DRAIN}, {.kind = END}};
static const struct am_step halt_in_flush[] = {
  {REQ, AM_STORE, 2, 0, 0, 0, 6, 0}, {.kind = WAIT, .op = 20}, {.kind = FILL}, {REQ, AM_STORE, 2, 0, 1, 4, 7, 0}, {.kind = WAIT, .op = 20}, {.kind = FILL}, {.kind = WAIT, .op = 30}, {REQ, AM_FLUSH, 0, 0, 0, 0, 0, 0},
  {.kind = WAIT, .op = 12}, HALTED_FOR(40), {.kind = WAIT, .op = 7}, HALTED_FOR(40), {.kind = DRAIN}, {.kind = END}};
static const struct am_step unit_resets[] = { /* with a fetch open, in mid-merge, while halted, with nothing there */
  ADD1(0), ADD1(2), {.kind = WAIT, .op = 30}, {.kind = UNIT_RESET}, {.kind = WAIT, .op = 20}, {.kind = FILL}, {.kind = WAIT, .op = 30}, ADD1(0), {.kind = WAIT, .op = 30}, {.kind = FILL}, {.kind = WAIT, .op = 4},
  {.kind = UNIT_RESET}, {.kind = WAIT, .op = 30}, ADD1(0), {.kind = WAIT, .op = 30}, {.kind = FILL}, {.kind = DRAIN}, ADD1(0), {.kind = HALT}, {.kind = WAIT, .op = 40}, {.kind = UNIT_RESET}, {.kind = WAIT, .op = 40},
  {.kind = RELEASE}, {.kind = WAIT, .op = 20}, {.kind = UNIT_RESET}, {.kind = WAIT, .op = 20}, ADD1(0), {.kind = WAIT, .op = 30}, {.kind = FILL}, {.kind = DRAIN}, {.kind = END}};
static const struct am_step failed_fetch_is_reported[] = {
  ADD1(0), {.kind = WAIT, .op = 30}, {.kind = FAIL}, {.kind = DRAIN}, {.kind = NACK_CLEAR}, ADD1(0), {.kind = WAIT, .op = 30}, {.kind = FAIL}, {.kind = DRAIN}, {.kind = UNIT_RESET}, {.kind = WAIT, .op = 20}, {.kind = END}};

static const struct am_step fetch_withdrawn[] = { /* two wait when the halt comes */
  {.kind = FETCHES_OFF}, ADD1(0), {REQ, AM_ADD, 2, 0, 1, 0, 1, 0}, {.kind = WAIT, .op = 40}, HALTED_FOR(40), {.kind = WAIT, .op = 10}, HALTED_FOR(6), {.kind = FETCHES_ON}, {.kind = FILL}, {.kind = FILL}, {.kind = DRAIN}, {.kind = END}};

/* A context with something lost is saved, another one runs, the first comes back; then contexts that are refused. */
#define SAVED(to) {.kind = SAVE, .op = to}
#define LOADED(from, how) {.kind = LOAD, .op = from, .mode = how}
static const struct am_step switched[] = {
  ADD1(2), ADD1(0), {.kind = WAIT, .op = 30}, {.kind = FAIL}, {.kind = DRAIN}, {.kind = STRAY}, {REQ, AM_STORE, 2, 0, 0, 4, 7, 0}, {.kind = WAIT, .op = 30}, {.kind = FILL}, {.kind = DRAIN}, {.kind = HALT}, {.kind = WAIT, .op = 100},
  SAVED(0), {.kind = UNIT_RESET}, {.kind = WAIT, .op = 10}, SAVED(1), {.kind = RELEASE}, {REQ, AM_LOAD, 2, 0, 0, 4, 0, 0}, {.kind = WAIT, .op = 30}, {.kind = FILL}, {.kind = DRAIN}, {.kind = HALT}, {.kind = WAIT, .op = 100},
  LOADED(0, SIMT_WHOLE), SAVED(2), LOADED(1, SIMT_NONSENSE), {.kind = WAIT, .op = 10}, LOADED(0, SIMT_OTHER_SHAPE), LOADED(0, SIMT_SHORTER), {.kind = WAIT, .op = 10}, LOADED(0, SIMT_CUT), {.kind = WAIT, .op = 10}, LOADED(2, SIMT_WHOLE),
  {.kind = RELEASE}, ADD1(2), ADD1(0), {.kind = WAIT, .op = 30}, {.kind = FAIL}, {.kind = DRAIN}, {.kind = END}};

/* What takes longest to drain: a cache full of changed lines, all entries wait for a line, behind them a queue full of requests that
 * miss one after the other in one set, or of flushes. The home answers at once. */
enum { ENTRIES, REQUESTS }; /* of MANY: one less than STALL_BUF, as many as QUEUE */
#define FULL_CACHE {.kind = FILLS_CACHE}, {.kind = SERVED, .op = 30}
#define WAITING {REQ, AM_ADD, 2, 2, 0, 0, 1, 0}, {REQ, AM_LOAD, 2, 0, 0, 4, 0, 0}, {REQ, AM_UMAX, 2, 2, 0, 8, 9, 0}, {MANY, AM_LOAD, 2, 0, 0, 4, ENTRIES, 0}
static const struct am_step drain_misses[] = {
  FULL_CACHE, WAITING, {MANY, AM_STORE, 2, 0, 8, 0, REQUESTS, 1}, {.kind = HALT}, {.kind = WAIT, .op = 40}, {.kind = SERVED, .op = 4000}, {.kind = RELEASE}, {.kind = DRAIN}, {.kind = END}};
static const struct am_step drain_flushes[] = {
  FULL_CACHE, WAITING, {MANY, AM_FLUSH, 0, 0, 0, 0, REQUESTS, 0}, {.kind = HALT}, {.kind = WAIT, .op = 40}, {.kind = SERVED, .op = 8000}, {.kind = RELEASE}, {.kind = DRAIN}, {.kind = END}};

static const struct am_step drain_snooped[] = { /* with snoops in between */
  FULL_CACHE, WAITING, {MANY, AM_STORE, 2, 0, 8, 0, REQUESTS, 1}, {.kind = HALT}, {.kind = WAIT, .op = 40}, {.kind = SERVED, .op = 8000, .mode = 12}, {.kind = RELEASE}, {.kind = DRAIN}, {.kind = END}};

static const struct am_step *const script[] = {hit_stream, merge_returns, spool_while_gone, waits_in_order, cas_batch, failed_fetch, refusals,
                                            fence_and_flush, reset_in_merge, clean_release, mixed_sizes, saturation, modulo, products, counted,
                                            halt_in_arrival, halt_in_merge, halt_in_flush, unit_resets, failed_fetch_is_reported, fetch_withdrawn, switched, drain_misses, drain_flushes, drain_snooped};
enum { SCRIPTS = sizeof script / sizeof *script };

const struct simt_named am_directed[] = {
  {"hit_stream", "Operations on one item of a line that is present, one behind the other.", "AM-1 AM-3"},
  {"merge_returns", "All modes are accumulated, merged, and the line leaves at once.", "AM-8 AM-9 AM-10"},
  {"spool_while_gone", "A new line opens while the answers of the last one are held back.", "AM-11"},
  {"waits_in_order", "Merges and waiting requests of one line in the order of acceptance.", "AM-7 AM-8 AM-12"},
  {"cas_batch", "Compare-and-swap is accumulated.", "AM-13"},
  {"failed_fetch", "A fetch fails with all kinds of requests behind it.", "AM-16"},
  {"refusals", "What is refused, and a fill that nobody asked for.", "AM-16"},
  {"fence_and_flush", "A fence behind open lines, and a flush.", "AM-2"},
  {"reset_in_merge", "Reset in mid-merge.", "AM-8"},
  {"clean_release", "A line that was only read, and a snoop for one that is gone.", "AM-15"},
  {"mixed_sizes", "Bitwise operations of both sizes in one temporary line.", "AM-4 AM-5"},
  {"saturation", "Saturating adds around the largest number.", "AM-1"},
  {"modulo", "Increments, decrements and adds modulo K around their limits, in place and merged.", "AM-1 AM-5 AM-16"},
  {"products", "Multiplies of both sizes, in place and merged.", "AM-1"},
  {"counted", "Known requests, and what the counters say of them.", "AM-18"},
  {"halt_in_arrival", "Halts among the requests that waited for a line.", "AM-8 AM-17 US-4"},
  {"halt_in_merge", "A halt request with a fetch open, halted behind the merge.", "AM-17 US-4"},
  {"halt_in_flush", "Halts between the lines of a flush.", "AM-2 AM-17 US-4"},
  {"unit_resets", "Resets of the unit with a fetch open, in mid-merge, halted and empty.", "AM-17 US-7"},
  {"failed_fetch_is_reported", "A failed fetch in nack_o, until its register is written or the unit is reset.", "AM-16 AM-17 US-3"},
  {"fetch_withdrawn", "Fetches that nobody takes, a halt, and the same fetches behind it.", "AM-17 US-14"},
  {"switched", "A context with lost requests is saved, another one runs, the first comes back; then contexts that are refused.", "AM-17 US-9"},
  {"drain_misses", "A halt finds a full cache, all entries waiting for a line, and a queue of requests that miss.", "AM-17 US-4"},
  {"drain_flushes", "The same with a queue of flushes.", "AM-17 US-4"},
  {"drain_snooped", "The first, with snoops of lines that are here and of others.", "AM-15 AM-17 US-4"},
  {NULL, NULL, NULL}};

/* Where all requests of `counted` are open at once, and add is an operation that accumulates. */
static bool may_expect(const struct am_env *e, bool two) {
  const unsigned *policy = e->l.policy;
  return policy[AM_ADD] && e->l.stall_buf > 8 && e->l.tid_w > 2 && (!two || (am_opens_extra(&e->l, AM_UMAX) && e->l.max_temps > 1));
}

/* The step that is under way; `waited` counts its cycles. */
bool am_choose_directed(struct am_env *e, struct am_choice *c) {
  unsigned which = e->directed >= 0 ? (unsigned)e->directed : (unsigned)(e->planned & 0xff);
  const struct am_step *s = &script[which % SCRIPTS][e->step];
  unsigned waited = (unsigned)(e->cycle >> 1), quiet = (unsigned)(e->cycle & 1);
  c->ans_ready = !quiet;
  c->fetch_ready = !e->fetches_off;
  c->rel_ready = 1;
  c->tid = e->step;
  c->pick = e->unit.shell.level ? 8 : 0; /* so that the other caches are idle */
  c->front.takes = c->front.gives = 1;
  bool done = true;
  switch (s->kind) {
  case REQ:
    c->request = 1;
    c->op = (uint8_t)s->op, c->size = (uint8_t)s->size, c->mode = (uint8_t)s->mode;
    c->line = s->line, c->offset = s->offset & 0xffff, c->misaligned = s->offset >> 16 != 0;
    c->data = s->data, c->compare = s->compare;
    done = !e->has_request || waited > 200; /* small buffers may be full until the script's fill: left out then */
    c->request = !e->has_request;
    break;
  case FILL: case FAIL: case FILL_AND_SNOOP:
    c->home = AM_HOME_FILL;
    c->error = s->kind == FAIL;
    done = !e->sends.valid && e->n_fetched;
    if (!e->n_fetched && waited > 200) done = true;
    break;
  case SNOOP: c->home = AM_HOME_SNOOP; done = !e->sends.valid; break;
  case STRAY: c->home = AM_HOME_STRAY; done = !e->sends.valid; break;
  case WAIT: done = waited >= s->op; break;
  case ANSWERS_OFF: quiet = 1; break;
  case ANSWERS_ON: quiet = 0; break;
  case COUNT: case CLEARS:
    c->reg = waited == 0;
    c->reg_write = s->kind == CLEARS;
    c->reg_addr = c->reg_write ? AM_REG_CLEAR : AM_REG_COUNTERS + 8 * s->op;
    e->expects = s->kind == COUNT && may_expect(e, s->mode);
    e->expected = s->data;
    done = waited > 2 && !e->reg.offered && !e->reg.taken;
    if (done) e->expects = false;
    break;
  case RESET: c->reset = 1; break;
  case HALT: c->front.order = SIMT_HALT; break;
  case RELEASE: c->front.order = SIMT_RELEASE; break;
  case UNIT_RESET: c->front.order = SIMT_UNIT_RESET; break;
  case SAVE: case LOAD: /* when the cache is halted, or there is none: left out then */
    if (waited == 0) c->front.order = s->kind == SAVE ? SIMT_SAVE : SIMT_LOAD;
    c->front.slot = s->op;
    c->front.spoil = (enum simt_spoil)s->mode;
    c->front.place = s->line;
    done = waited > 1 && e->unit.shell.doing == SIMT_FRONT_IDLE;
    break;
  case NACK_CLEAR:
    c->reg = c->reg_write = waited == 0;
    c->reg_addr = AM_REG_NACK;
    done = waited > 2 && !e->reg.offered && !e->reg.taken;
    break;
  case FILLS_CACHE: /* a store to each line, one behind the other, served at once */
    c->request = !e->has_request && e->many < e->l.lines;
    c->op = AM_STORE, c->size = 2, c->line = 2 * AM_POOL + e->many;
    c->data = e->many;
    c->home = AM_HOME_FILL;
    e->many += c->request;
    done = e->many == e->l.lines && !e->has_request && !e->n_fetched && !e->sends.valid && !e->n_live;
    break;
  case MANY: { /* `compare`: each to another line */
    const unsigned many = s->data == ENTRIES ? e->l.stall_buf - 1 : e->l.queue;
    c->request = !e->has_request && e->many < many;
    c->op = (uint8_t)s->op, c->size = (uint8_t)s->size, c->mode = (uint8_t)s->mode;
    c->line = s->line + (unsigned)s->compare * e->many, c->offset = s->offset;
    c->data = e->many;
    e->many += c->request;
    if (c->request) waited = 0;
    done = (e->many == many && !e->has_request) || waited > 40;
    break;
  }
  case SERVED:
    c->home = s->mode && waited % s->mode == 0 ? AM_HOME_SNOOP : AM_HOME_FILL; /* mode: a snoop now and then */
    if (s->mode) c->pick |= 1u << 16 | (waited / s->mode & 1 ? 2 * AM_POOL : 0);
    done = waited > s->op || (waited > 2 && (e->l.status ? e->unit.shell.state == SIMT_HALTED : !e->n_live && !e->has_request));
    break;
  case FETCHES_OFF: case FETCHES_ON: e->fetches_off = s->kind == FETCHES_OFF; break;
  case DRAIN: done = (!e->n_live && !e->has_request && !e->sends.valid) || waited > 400; break;
  case END:
    if (e->directed >= 0 || which + 1 >= SCRIPTS) return false;
    e->planned = which + 1;
    e->step = 0;
    e->cycle = 0;
    c->reset = 1;
    return true;
  }
  if (s->kind != FILL_AND_SNOOP && e->step && script[which % SCRIPTS][e->step - 1].kind == FILL_AND_SNOOP && !e->sends.valid && waited < 3)
    c->home = AM_HOME_SNOOP, done = false;
  if (done) e->step++, waited = e->many = 0;
  else waited++;
  e->cycle = (uint64_t)waited << 1 | quiet;
  return true;
}
