/* SPDX-License-Identifier: Apache-2.0 */
/* directed.c: scripts, and what must come of each step, said here and not taken from the golden model (which looks as
 * well). */
#include <inttypes.h>
#include <string.h>

#include "const_cache/env.h"

enum { MAX_WAIT = 20000, BURST = 64, BIT_ACCESSES = 2 * 64 };
enum do_what {
  WRITE,     /* a constant */
  WORK,      /* a work item; it must go to `sm` */
  TAKEN,     /* a work item; the step ends when it is taken, whoever gets it */
  SYNC,      /* flush (2) or invalidate (3) as `data`, until it is complete */
  READ,      /* `sm` reads `addr`: the answer is `data`, ERROR: an error */
  FAST,      /* a READ that is answered 3 cycles later */
  DONE,      /* `sm` completes */
  REG,       /* register `addr` reads `data` */
  LEAST,     /* it reads at least `data` */
  MOST,      /* it reads at most `data` */
  PUT,       /* register `addr` is written */
  BITS,      /* each bit of the base alone is written, and read back; the golden model judges both */
  MEMORY,    /* from now on memory fails with error code `data` */
  PEEK,      /* memory holds `data` at `addr` */
  UNASKED,   /* memory answers something that nobody asked for */
  KNOCK,     /* the same in `data` cycles, and it is not taken */
  WRITES,    /* BURST writes are taken in as many cycles, once the first is */
  READS,     /* `sm` reads BURST times, one answer per cycle from the first on */
  WORKS,     /* as many work items as SMs, given in consecutive cycles */
  IDLE,      /* `data` cycles */
  BESIDE,    /* a write whose address is not a multiple of WRITE_WORDS */
  FRONT,     /* the front end orders `sm`, of context slot `addr`, spoiled as `data` says, until that is done */
  NACK,      /* nack_o is `data` */
  NO_WRITE,  /* a write is offered; in 200 cycles no register counts it: it waits */
  END
};
enum { ANY = 99 };
static const uint64_t ERROR = ~UINT64_C(0);
#define OWN 1000000000    /* of IDLE: until the unit is cleared */
#define REGION 1000000000 /* of PUT: the second place for constants in memory */
struct cc_step { enum do_what what; unsigned sm; uint32_t addr; uint64_t data; };

/* Addresses are of lines of WRITE_WORDS words: a write puts another value into each word (word_of), reads look at one word after
 * the other. Values fit 8 bits; memory at 0 holds junk, so tests write first what they read. Registers by address: the page's. */
static const struct cc_step latency[] = {
  {WRITE, 0, 1, 0x11}, {WRITE, 0, 2, 0x22}, {WORK, 0, 0, 7}, {FAST, 0, 1, 0x11}, {FAST, 0, 2, 0x22}, {IDLE, 0, 0, 60}, {READS, 0, 1, 0x11}, {DONE, 0, 0, 0}, {END, 0, 0, 0}};
static const struct cc_step burst[] = {{WRITES, 0, 0, 0}, {WORKS, 0, 0, 0}, {END, 0, 0, 0}};
static const struct cc_step versions[] = { /* SM 0 keeps the first version; its words are not in its L1 */
  {WRITE, 0, 1, 0x11}, {WRITE, 0, 2, 0x12}, {SYNC, 0, 0, CC_INVALIDATE}, {WORK, 0, 0, 1}, {WRITE, 0, 1, 0x21}, {READ, 0, 1, 0x11}, {WRITE, 0, 1, 0x31},
  {READ, 0, 2, 0x12}, {WRITE, 0, 2, 0x22}, {READ, 0, 2, 0x12}, {DONE, 0, 0, 0}, {WORK, 0, 0, 2}, {READ, 0, 1, 0x31}, {READ, 0, 2, 0x22}, {DONE, 0, 0, 0}, {END, 0, 0, 0}};
static const struct cc_step two_sms[] = { /* three versions of one word at once; the L1 of SM 1 is current when it gets its item */
  {WRITE, 0, 3, 1}, {SYNC, 0, 0, CC_INVALIDATE}, {WORK, 0, 0, 1}, {WRITE, 0, 3, 2}, {WORK, 1, 0, 2}, {WRITE, 0, 3, 3}, {IDLE, 0, 0, 40}, {FAST, 1, 3, 2},
  {READ, 0, 3, 1}, {DONE, 0, 0, 0}, {WORK, 0, 0, 3}, {READ, 0, 3, 3}, {READ, 1, 3, 2}, {DONE, 1, 0, 0}, {DONE, 0, 0, 0}, {END, 0, 0, 0}};
static const struct cc_step lowest[] = {
  {WORK, 0, 0, 1}, {WORK, 1, 0, 2}, {DONE, 0, 0, 0}, {WORK, 0, 0, 3}, {DONE, 1, 0, 0}, {DONE, 0, 0, 0}, {WORK, 0, 0, 4}, {WORK, 1, 0, 5}, {DONE, 0, 0, 0}, {DONE, 1, 0, 0}, {END, 0, 0, 0}};
static const struct cc_step waits[] = { /* protocol shared */
  {WRITE, 0, 1, 0x11}, {WORK, 0, 0, 1}, {NO_WRITE, 0, 1, 0x22}, {READ, 0, 1, 0x11}, {DONE, 0, 0, 0}, {IDLE, 0, 0, 40}, {WORK, 0, 0, 2}, {READ, 0, 1, 0x22}, {DONE, 0, 0, 0}, {END, 0, 0, 0}};
static const struct cc_step flush[] = {
  {WRITE, 0, 1, 0x11}, {WRITE, 0, 9, 0x99}, {SYNC, 0, 0, CC_FLUSH}, {PEEK, 0, 1, 0x11}, {PEEK, 0, 9, 0x99}, {WORK, 0, 0, 1}, {READ, 0, 9, 0x99}, {DONE, 0, 0, 0},
  {REG, 0, CC_REG_STATUS, 9}, {SYNC, 0, 0, CC_INVALIDATE}, {REG, 0, CC_REG_STATUS, 13}, {PUT, 0, CC_REG_BASE_LO, 0}, {WORK, 0, 0, 1}, {READ, 0, 9, 0x99}, {DONE, 0, 0, 0}, {END, 0, 0, 0}};
static const struct cc_step read_error[] = {
  {MEMORY, 0, 0, 1}, {WORK, 0, 0, 1}, {READ, 0, 5, ERROR}, {REG, 0, CC_REG_ERROR, 1 << CC_ERROR_READ}, {MEMORY, 0, 0, 0}, {READ, 0, 5, ANY}, {DONE, 0, 0, 0}, {PUT, 0, CC_REG_ERROR, 0x1ff}, {REG, 0, CC_REG_ERROR, 0}, {END, 0, 0, 0}};
static const struct cc_step old_error[] = { /* the old word is lost: SM 0 gets an error for it, the next item the new word */
  {WRITE, 0, 5, 0x55}, {SYNC, 0, 0, CC_INVALIDATE}, {WORK, 0, 0, 1}, {MEMORY, 0, 0, 2}, {WRITE, 0, 5, 0x66}, {IDLE, 0, 0, 60}, {MEMORY, 0, 0, 0}, {READ, 0, 5, ERROR},
  {REG, 0, CC_REG_ERROR, 1 << CC_ERROR_OLD}, {REG, 0, CC_REG_FAILED, 5}, {DONE, 0, 0, 0}, {WORK, 0, 0, 2}, {READ, 0, 5, 0x66}, {DONE, 0, 0, 0}, {END, 0, 0, 0}};
static const struct cc_step write_error[] = {
  {WRITE, 0, 6, 0x66}, {MEMORY, 0, 0, 3}, {SYNC, 0, 0, CC_FLUSH}, {MEMORY, 0, 0, 0}, {REG, 0, CC_REG_ERROR, 1 << CC_ERROR_WRITE}, {REG, 0, CC_REG_FAILED, 6}, {END, 0, 0, 0}};
static const struct cc_step unasked[] = {{UNASKED, 0, 0, 0}, {IDLE, 0, 0, 8}, {REG, 0, CC_REG_ERROR, 1 << CC_ERROR_UNASKED}, {END, 0, 0, 0}};
static const struct cc_step bad_done[] = {{DONE, 0, 0, 0}, {IDLE, 0, 0, 8}, {REG, 0, CC_REG_ERROR, 1 << CC_ERROR_DONE}, {WORK, 0, 0, 1}, {DONE, 0, 0, 0}, {END, 0, 0, 0}};
static const struct cc_step bad_read[] = {{READ, 0, 1, ERROR}, {IDLE, 0, 0, 8}, {REG, 0, CC_REG_ERROR, 1 << CC_ERROR_READ_SM}, {END, 0, 0, 0}};

static const struct cc_step unaligned[] = { /* refused, and the line stays; every word of it is read */
  {WRITE, 0, 3, 0x33}, {BESIDE, 0, 3, 0x44}, {WORK, 0, 0, 1}, {READ, 0, 3, 0x33}, {READ, 0, 3, 0x33}, {READ, 0, 3, 0x33}, {READ, 0, 3, 0x33},
  {REG, 0, CC_REG_ERROR, 1 << CC_ERROR_ADDR}, {DONE, 0, 0, 0}, {END, 0, 0, 0}};
static const struct cc_step base_bits[] = {{IDLE, 0, 0, 60}, {BITS, 0, 0, 0}, {END, 0, 0, 0}};

/* Protocol copy. A version in each SM; SM 1 is empty when it completes, while SM 0 keeps L2 at its version, and gets a copy
 * from SM 2 before the next write. */
static const struct cc_step copies[] = {
  {WRITE, 0, 1, 0x11}, {SYNC, 0, 0, CC_INVALIDATE}, {WORK, 0, 0, 1}, {WRITE, 0, 1, 0x21}, {WRITE, 0, 2, 0x22}, {WORK, 1, 0, 2}, {WRITE, 0, 1, 0x31}, {WORK, 2, 0, 3},
  {READ, 0, 1, 0x11}, {FAST, 1, 1, 0x21}, {FAST, 2, 1, 0x31}, {DONE, 1, 0, 0}, {WRITE, 0, 1, 0x41}, {WORK, 1, 0, 4}, {FAST, 1, 2, 0x22}, {FAST, 1, 1, 0x41},
  {READ, 2, 1, 0x31}, {READ, 0, 1, 0x11}, {DONE, 0, 0, 0}, {DONE, 1, 0, 0}, {DONE, 2, 0, 0}, {END, 0, 0, 0}};
static const struct cc_step current_first[] = { /* SM 1 has the current version, SM 0 has not */
  {WORK, 0, 0, 1}, {WRITE, 0, 1, 0x11}, {IDLE, 0, 0, 40}, {DONE, 0, 0, 0}, {WRITE, 0, 2, 0x22}, {WORK, 1, 0, 2}, {READ, 1, 1, 0x11}, {DONE, 1, 0, 0}, {END, 0, 0, 0}};
static const struct cc_step update_waits[] = { /* SM 0 completes: L2 gets the version of SM 1, and only then SM 0 a copy for the write */
  {WORK, 0, 0, 1}, {WRITE, 0, 1, 1}, {WRITE, 0, 2, 2}, {WRITE, 0, 3, 3}, {WRITE, 0, 4, 4}, {WRITE, 0, 5, 5}, {WRITE, 0, 6, 6}, {WRITE, 0, 7, 7}, {WRITE, 0, 8, 8}, {WORK, 1, 0, 2}, {WRITE, 0, 9, 9},
  {WORK, 2, 0, 3}, {IDLE, 0, 0, 40}, {DONE, 0, 0, 0}, {WRITE, 0, 10, 10}, {IDLE, 0, 0, 200}, {LEAST, 0, CC_REG_COUNTER + 8 * CC_WAIT_UPDATE, 9}, {LEAST, 0, CC_REG_COUNTER + 8 * CC_WAIT_COPY, 9},
  {MOST, 0, CC_REG_COUNTER + 8 * CC_WAIT_COPY, 39}, {REG, 0, CC_REG_COUNTER + 8 * CC_WAIT_SM, 0}, {REG, 0, CC_REG_COUNTER + 8 * CC_WAIT_ACTIVE, 0},
  {REG, 0, CC_REG_COUNTER + 8 * CC_WAIT_LOCK, 0}, {REG, 0, CC_REG_COUNTER + 8 * CC_WAIT_SWEEP, 0}, {DONE, 1, 0, 0}, {DONE, 2, 0, 0}, {END, 0, 0, 0}};
static const struct cc_step locks[] = { /* one row, two addresses: the second write waits until SM 0 has completed */
  {WORK, 0, 0, 1}, {WRITE, 0, 1, 0x11}, {WRITE, 0, 257, 0x22}, {IDLE, 0, 0, 600}, {REG, 0, 0xa0, 1}, {DONE, 0, 0, 0}, {IDLE, 0, 0, 1200}, {REG, 0, 0xa0, 2},
  {WORK, 0, 0, 2}, {READ, 0, 1, 0x11}, {READ, 0, 257, 0x22}, {DONE, 0, 0, 0}, {END, 0, 0, 0}};

/* A unit of a front end. The second program has a memory of its own; the first one goes on with the old word that its item reads. */
#define HALT {FRONT, SIMT_HALT, 0, 0}
#define RELEASE {FRONT, SIMT_RELEASE, 0, 0}
static const struct cc_step switches[] = {
  {WRITE, 0, 1, 0x11}, {WRITE, 0, 2, 0x12}, {WORK, 0, 0, 1}, HALT, {FRONT, SIMT_SAVE, 2, SIMT_WHOLE}, {FRONT, SIMT_LOAD, 2, SIMT_WHOLE}, RELEASE, {WRITE, 0, 1, 0x21}, {IDLE, 0, 0, 40},
  HALT, {FRONT, SIMT_SAVE, 0, SIMT_WHOLE}, {FRONT, SIMT_UNIT_RESET, 0, 0}, {IDLE, 0, 0, OWN}, {PUT, 0, CC_REG_BASE_LO, REGION}, RELEASE, {IDLE, 0, 0, OWN},
  {WRITE, 0, 1, 0x31}, {WORK, 0, 0, 3}, {READ, 0, 1, 0x31}, {WRITE, 0, 2, 0x32}, HALT, {FRONT, SIMT_SAVE, 1, SIMT_WHOLE}, {FRONT, SIMT_LOAD, 0, SIMT_WHOLE}, RELEASE,
  {READ, 0, 1, 0x11}, {READ, 0, 2, 0x12}, {DONE, 0, 0, 0}, {WORK, 0, 0, 2}, {READ, 0, 1, 0x21}, {DONE, 0, 0, 0}, HALT, {FRONT, SIMT_LOAD, 1, SIMT_WHOLE}, RELEASE,
  {READ, 0, 1, 0x31}, {DONE, 0, 0, 0}, {WORK, 0, 0, 4}, {READ, 0, 2, 0x32}, {DONE, 0, 0, 0}, {END, 0, 0, 0}};
static const struct cc_step switches_copy[] = { /* SM 1 has the current version in its L1 alone */
  {WRITE, 0, 1, 0x11}, {WRITE, 0, 2, 0x12}, {WORK, 0, 0, 1}, {WRITE, 0, 1, 0x21}, {IDLE, 0, 0, 40}, HALT, {FRONT, SIMT_SAVE, 0, SIMT_WHOLE}, {FRONT, SIMT_UNIT_RESET, 0, 0}, {IDLE, 0, 0, OWN},
  {PUT, 0, CC_REG_BASE_LO, REGION}, RELEASE, {IDLE, 0, 0, OWN}, {WRITE, 0, 1, 0x31}, {WORK, 0, 0, 3}, {READ, 0, 1, 0x31}, {WRITE, 0, 2, 0x32}, HALT, {FRONT, SIMT_SAVE, 1, SIMT_WHOLE},
  {FRONT, SIMT_LOAD, 0, SIMT_WHOLE}, RELEASE, {READ, 0, 1, 0x11}, {READ, 0, 2, 0x12}, {WORK, 1, 0, 2}, {FAST, 1, 1, 0x21}, {READ, 1, 2, 0x12}, {DONE, 0, 0, 0}, {DONE, 1, 0, 0},
  HALT, {FRONT, SIMT_LOAD, 1, SIMT_WHOLE}, RELEASE, {READ, 0, 1, 0x31}, {WORK, 1, 0, 4}, {FAST, 1, 2, 0x32}, {READ, 1, 1, 0x31}, {DONE, 1, 0, 0}, {DONE, 0, 0, 0}, {END, 0, 0, 0}};
static const struct cc_step switches_shared[] = { /* the write waits for the item, in the context */
  {WRITE, 0, 1, 0x11}, {WORK, 0, 0, 1}, {WRITE, 0, 1, 0x21}, {IDLE, 0, 0, 40}, HALT, {FRONT, SIMT_SAVE, 0, SIMT_WHOLE}, {FRONT, SIMT_UNIT_RESET, 0, 0}, {IDLE, 0, 0, OWN},
  {FRONT, SIMT_LOAD, 0, SIMT_WHOLE}, RELEASE, {READ, 0, 1, 0x11}, {DONE, 0, 0, 0}, {WORK, 0, 0, 2}, {READ, 0, 1, 0x21}, {DONE, 0, 0, 0}, {END, 0, 0, 0}};
static const struct cc_step refused[] = { /* each spoiled image; refused by its header it changes nothing, else the unit is cleared; the whole one comes last */
  {WRITE, 0, 1, 0x11}, {WORK, 0, 0, 1}, HALT, {FRONT, SIMT_SAVE, 0, SIMT_WHOLE}, {FRONT, SIMT_LOAD, 0, SIMT_OTHER_TYPE}, {FRONT, SIMT_LOAD, 0, SIMT_OTHER_UNIT},
  {FRONT, SIMT_LOAD, 0, SIMT_OTHER_SHAPE}, {FRONT, SIMT_LOAD, 0, SIMT_OTHER_LENGTH}, RELEASE, {READ, 0, 1, 0x11}, HALT, {FRONT, SIMT_SAVE, 0, SIMT_WHOLE},
  {FRONT, SIMT_LOAD, 0, SIMT_CUT}, {IDLE, 0, 0, OWN}, {FRONT, SIMT_LOAD, 0, SIMT_FLIP}, {IDLE, 0, 0, OWN}, {FRONT, SIMT_LOAD, 0, SIMT_NONSENSE}, {IDLE, 0, 0, OWN},
  {FRONT, SIMT_LOAD, 0, SIMT_UNREADABLE}, {IDLE, 0, 0, OWN}, {FRONT, SIMT_LOAD, 0, SIMT_SHORTER}, {IDLE, 0, 0, OWN}, {FRONT, SIMT_LOAD, 0, SIMT_LONGER}, {IDLE, 0, 0, OWN},
  {FRONT, SIMT_LOAD, 0, SIMT_WHOLE}, RELEASE, {READ, 0, 1, 0x11}, {DONE, 0, 0, 0}, {END, 0, 0, 0}};
static const struct cc_step halted_item[] = { /* nothing is lost by a halt while a read waits for memory */
  {WRITE, 0, 1, 0x11}, {SYNC, 0, 0, CC_INVALIDATE}, {WORK, 0, 0, 1}, HALT, {IDLE, 0, 0, 40}, RELEASE, {READ, 0, 1, 0x11}, HALT, RELEASE, {DONE, 0, 0, 0}, {END, 0, 0, 0}};

static const struct cc_step nack[] = { /* reported until CC_ERROR is written or the unit is reset, and it comes back with its context */
  {MEMORY, 0, 0, 1}, {WORK, 0, 0, 1}, {NACK, 0, 0, 0}, {READ, 0, 5, ERROR}, {NACK, 0, 0, 1}, {PUT, 0, CC_REG_ERROR, 0x11f}, {NACK, 0, 0, 1}, HALT, {FRONT, SIMT_SAVE, 0, SIMT_WHOLE}, {NACK, 0, 0, 1},
  {FRONT, SIMT_UNIT_RESET, 0, 0}, {NACK, 0, 0, 0}, {IDLE, 0, 0, OWN}, {FRONT, SIMT_LOAD, 0, SIMT_FLIP}, {NACK, 0, 0, 0}, {IDLE, 0, 0, OWN}, {FRONT, SIMT_LOAD, 0, SIMT_WHOLE}, {NACK, 0, 0, 1},
  {PUT, 0, CC_REG_ERROR, 1 << CC_ERROR_READ}, {NACK, 0, 0, 0}, RELEASE, {READ, 0, 5, ERROR}, {NACK, 0, 0, 1}, {PUT, 0, CC_REG_ERROR, 0x1ff}, {NACK, 0, 0, 0}, {MEMORY, 0, 0, 0}, {READ, 0, 5, ANY}, {NACK, 0, 0, 0},
  {DONE, 0, 0, 0}, {WRITE, 0, 6, 0x66}, {MEMORY, 0, 0, 3}, {SYNC, 0, 0, CC_FLUSH}, {IDLE, 0, 0, 8}, {NACK, 0, 0, 1}, {PUT, 0, CC_REG_ERROR, 1 << CC_ERROR_WRITE}, {NACK, 0, 0, 0}, {END, 0, 0, 0}};
static const struct cc_step halted_answer[] = { /* an answer that nobody asked for waits while halted: the second save is as the first */
  {WRITE, 0, 1, 0x11}, {IDLE, 0, 0, 40}, HALT, {FRONT, SIMT_SAVE, 0, SIMT_WHOLE}, {KNOCK, 0, 0, 20}, {FRONT, SIMT_SAVE, 0, SIMT_WHOLE}, {REG, 0, CC_REG_ERROR, 0}, RELEASE,
  {UNASKED, 0, 0, 0}, {IDLE, 0, 0, 8}, {REG, 0, CC_REG_ERROR, 1 << CC_ERROR_UNASKED}, {END, 0, 0, 0}};

enum { B = 1, S = 2, C = 4, ALL = 7 }; /* protocols */
static const struct { const struct cc_step *step; unsigned sms, protocols; bool wide; } script[] = {
  {latency, 1, ALL, false}, {burst, 1, ALL, true}, {versions, 1, B, false}, {two_sms, 2, B, false}, {lowest, 2, ALL, false}, {waits, 1, S, false},
  {flush, 1, ALL, false}, {read_error, 1, ALL, false}, {old_error, 1, B, false}, {write_error, 1, ALL, false}, {unasked, 1, ALL, false}, {bad_done, 1, ALL, false},
  {bad_read, 1, ALL, false}, {copies, 3, C, false}, {current_first, 2, C, false}, {update_waits, 3, C, false}, {locks, 2, C, false}, {unaligned, 1, ALL, false}, {switches, 1, B, false}, {switches_copy, 2, C, false}, {switches_shared, 1, S, false}, {refused, 1, ALL, false}, {halted_item, 1, ALL, false},
  {halted_answer, 1, ALL, false}, {nack, 1, ALL, false}, {base_bits, 1, ALL, false}};

const struct simt_named cc_directed[] = {
  {"latency", "Hits are answered 3 cycles after their read, one per cycle.", "CC-3"},
  {"burst", "A write is taken in each cycle; work items are given in consecutive cycles.", "CC-1 CC-13"},
  {"versions", "An active SM reads old words from the backup after two newer writes.", "CC-2 CC-9 CC-10 CC-11"},
  {"two_sms", "Three versions of one word at once.", "CC-2 CC-10 CC-11"},
  {"lowest", "A work item goes to the lowest inactive SM.", "CC-1"},
  {"shared_waits", "Protocol shared: a write waits until no SM is active.", "CC-13"},
  {"flush", "Flush writes to memory; after an invalidate the base can be written.", "CC-3"},
  {"read_error", "Memory fails on a read: an error, nothing is filled, the next read is right.", "CC-15"},
  {"old_error", "Memory fails on an old word that is needed.", "CC-15"},
  {"write_error", "Memory fails on a write-back: reported with the address.", "CC-15"},
  {"unasked", "An answer that nobody asked for is reported and changes nothing.", "CC-15"},
  {"bad_done", "Completion from an inactive SM.", "CC-15"},
  {"bad_read", "A read from an inactive SM.", "CC-15"},
  {"copies", "Protocol copy: a version in each L1; an empty L1 gets a copy of another one before it is written.", "CC-4 CC-6 CC-7 CC-8"},
  {"current_first", "Protocol copy: an item goes to an SM that has the current version, not to a lower one.", "CC-1 CC-7"},
  {"update_waits", "Protocol copy: a write that waits for an update, then for a copy: each wait is counted by its cause.", "CC-7 CC-8 CC-16"},
  {"locks", "Protocol copy: a write waits while its row is locked for another address.", "CC-5 CC-8"},
  {"unaligned", "A write whose address is not a multiple of WRITE_WORDS is refused; the line stays.", "CC-15"},
  {"switches", "Two programs take turns; each goes on in its versions of the constants.", "CC-14 US-9"},
  {"switches_copy", "Protocol copy: the newer version comes back from the L1 that has it.", "CC-14 US-9"},
  {"switches_shared", "Protocol shared: a write that waits for an item is in the context.", "CC-14 US-9"},
  {"refused", "Images that are foreign, cut, flipped, unreadable or nonsense are refused; then the whole one is loaded.", "CC-14 US-9"},
  {"halted_item", "Halted while an item runs: it goes on after the release.", "CC-14 US-4 US-14"},
  {"halted_answer", "An answer of memory that nobody asked for waits while halted, and two saves are the same.", "CC-14 CC-15 US-14"},
  {"nack", "An error of memory is reported by nack_o until CC_ERROR is written or the unit is reset, and comes back with its context.", "CC-14 CC-15 US-3"},
  {"base_bits", "Each bit of CC_BASE alone is taken or refused, and read back.", "CC-15"},
  {NULL, NULL, NULL}};

static bool of_front(const struct cc_step *s) {
  for (; s->what != END; s++)
    if (s->what == FRONT) return true;
  return false;
}

/* Lines that a script uses. */
static unsigned lines_of(const struct cc_step *s) {
  unsigned lines = 1;
  for (; s->what != END; s++) {
    const unsigned most = s->what == WRITES ? 16 : s->what == REG || s->what == LEAST || s->what == MOST || s->what == PUT || s->what == FRONT || s->what == NACK ? 0 : s->addr + 1;
    if (most > lines) lines = most;
  }
  return lines;
}

static bool applies(const struct cc_env *e, unsigned test) {
  if (of_front(script[test].step) && !e->l.status) return false;
  if ((script[test].step == unasked || script[test].step == halted_answer) && e->cfg->link) return false; /* a bus master keeps such answers away */
  const unsigned rows = e->l.protocol == CC_BACKUP && e->l.sets < e->l.l2_rows ? e->l.sets : e->l.l2_rows, lines = e->l.constants / e->l.words;
  if (lines < lines_of(script[test].step) || (script[test].step == unaligned && e->l.words == 1)) return false;
  if (script[test].wide && (rows < 8 || e->l.l2_rows < 16)) return false; /* a row again within 4 cycles may wait; its 16 lines evict each other */
  if (script[test].wide && e->l.protocol == CC_COPY && e->l.l1_rows < 16) return false; /* its 16 words lock each other's rows */
  static const unsigned bit_of[] = {[CC_BACKUP] = B, [CC_SHARED] = S, [CC_COPY] = C};
  if (script[test].step == locks && (e->l.l1_rows > 256 || !e->l.counters)) return false;
  if (script[test].step == update_waits && (e->l.sms != 3 || e->l.l1_rows != 16 || !e->l.counters)) return false;
  if (script[test].step == copies && e->l.sms != 3) return false; /* with more, another one has the version */
  return e->l.sms >= script[test].sms && (script[test].protocols & bit_of[e->l.protocol]);
}

/* A test ends with everything idle; the next one begins with a reset. */
static void settle(struct cc_env *e) {
  while (!e->finished && (e->test == e->end_test || !applies(e, e->test) || script[e->test].step[e->step].what == END)) {
    if (e->test < e->end_test) e->test++;
    e->step = 0;
    e->waited = 0;
    e->finished = e->test >= e->end_test;
    if (!e->finished) e->was_reset = false;
  }
}

bool cc_directed_choose(struct cc_env *e, struct cc_choice *c) {
  memset(c, 0, sizeof *c);
  settle(e);
  if (!e->finished && !e->step && !e->waited && !e->was_reset) {
    c->flags = CC_F_RESET;
    e->was_reset = true;
    e->script_phase = e->script_error = 0;
  }
  if (e->finished || c->flags) return !e->finished;
  const struct cc_step *s = &script[e->test].step[e->step];
  c->front = (struct simt_front_choice){.slot = s->addr, .spoil = (enum simt_spoil)s->data, .place = 79 + 8 * e->step, /* `refused`: a line of no record */ .takes = true, .gives = true};
  if (s->what == FRONT && !e->script_phase) c->front.order = (enum simt_order)s->sm;
  return true;
}

static uint64_t word_of(uint64_t data, unsigned i) { return (data + 64 * i) & 0xff; }
static unsigned offset(const struct cc_env *e) { return e->step % e->l.words; } /* of this step's read */

static void put(const struct cc_env *e, uint32_t *in, unsigned kind, uint32_t addr, uint64_t data) {
  in[e->at.cmd_valid] = 1;
  in[e->at.cmd_kind] = kind;
  in[e->at.cmd_addr] = addr;
  for (unsigned i = 0; i < e->l.words; i++) simt_put_bits(&in[e->at.cmd_data], i * e->l.word_w, e->l.word_w, word_of(data, i));
}

static void read_of(const struct cc_env *e, uint32_t *in, unsigned sm, uint32_t addr) {
  const unsigned w = e->l.const_w, low = sm * w;
  in[e->at.rd_valid + sm / 32] |= 1u << sm % 32;
  in[e->at.rd_addr + low / 32] |= addr << low % 32;
  if (low % 32 + w > 32) in[e->at.rd_addr + low / 32 + 1] |= addr >> (32 - low % 32);
}

void cc_directed_drive(struct cc_env *e, const uint32_t *out, uint32_t *in) {
  const unsigned words = (e->l.sms + 31) / 32;
  (void)out;
  memset(&in[e->at.rd_valid], 0, words * sizeof *in);
  memset(&in[e->at.done_valid], 0, words * sizeof *in);
  memset(&in[e->at.rd_addr], 0, e->rd_words * sizeof *in);
  in[e->at.cmd_valid] = in[e->at.reg_valid] = 0;
  simt_memory_drive(e->memory, simt_memory_word(true, true, 0, e->script_error), in);
  if (in[e->at.rst] || e->finished) return;
  const struct cc_step *s = &script[e->test].step[e->step];
  const bool begins = !e->script_phase;
  switch (s->what) {
    case WRITE: case NO_WRITE: if (begins) put(e, in, CC_WRITE, s->addr * e->l.words, s->data); break;
    case BESIDE: if (begins) put(e, in, CC_WRITE, s->addr * e->l.words + 1, s->data); break;
    case WORK: case TAKEN: if (begins) put(e, in, CC_WORK, 0, s->data); break;
    case SYNC: if (begins) put(e, in, (unsigned)s->data, 0, 0); break;
    case READ: case FAST: if (begins) read_of(e, in, s->sm, s->addr * e->l.words + offset(e)); break;
    case READS: if (e->script_phase < BURST) read_of(e, in, s->sm, s->addr * e->l.words + e->script_phase % e->l.words); break;
    case DONE: in[e->at.done_valid + s->sm / 32] |= 1u << s->sm % 32; break;
    case WRITES: put(e, in, CC_WRITE, e->script_phase % 16 * e->l.words, e->script_phase); break;
    case WORKS: if (e->script_phase < e->l.sms) put(e, in, CC_WORK, 0, e->script_phase); break;
    case REG: case LEAST: case MOST: case PUT:
      in[e->at.reg_valid] = begins;
      in[e->at.reg_write] = s->what == PUT;
      in[e->at.reg_addr] = s->addr;
      in[e->at.reg_data] = (uint32_t)s->data;
      if (s->data == REGION) in[e->at.reg_data] = 1u << (e->l.const_w + e->l.lg);
      break;
    case BITS: { /* an access is offered in an even phase, and answered in the odd one behind it */
      const unsigned access = e->script_phase / 2;
      in[e->at.reg_valid] = !(e->script_phase & 1) && access < BIT_ACCESSES;
      in[e->at.reg_write] = !(access & 1);
      in[e->at.reg_addr] = access < BIT_ACCESSES / 2 ? CC_REG_BASE_LO : CC_REG_BASE_HI;
      in[e->at.reg_data] = 1u << access / 2 % 32;
      break;
    }
    case UNASKED: case KNOCK:
      in[e->at.m_valid] = begins;
      in[e->at.m_tag] = 1;
      break;
    default: break;
  }
}

static bool bit(const uint32_t *w, unsigned i) { return w[i / 32] >> i % 32 & 1; }

static const char *read_step(struct cc_env *e, const struct cc_step *s, const uint32_t *in, const uint32_t *out, bool *next) {
  if (bit(&in[e->at.rd_valid], s->sm) && bit(&out[e->at.rd_ready], s->sm)) {
    e->script_phase = 1;
    e->script_since = e->cycle;
    return NULL;
  }
  if (!e->script_phase || !bit(&out[e->at.rsp_valid], s->sm)) return NULL;
  const unsigned low = s->sm * e->l.word_w;
  const uint64_t value = out[e->at.rsp_data + low / 32] >> low % 32 & (e->l.word_w < 32 ? (1u << e->l.word_w) - 1 : ~0u);
  const bool failed = bit(&out[e->at.rsp_error], s->sm);
  *next = true;
  if (s->what == FAST && e->cycle != e->script_since + e->l.l1_lat) return cc_wrong(e, "a hit takes %" PRIu64 " cycles", e->cycle - e->script_since);
  if (failed != (s->data == ERROR)) return cc_wrong(e, "the read of %u answers %s", s->addr, failed ? "an error" : "no error");
  return failed || s->data == ANY || value == word_of(s->data, offset(e)) ? NULL : cc_wrong(e, "the read of %u answers 0x%" PRIx64 ", not 0x%" PRIx64, s->addr, value, s->data);
}

/* One step of a stream: BURST events, none missing from the first on. */
static const char *stream_step(struct cc_env *e, bool happens, unsigned most, const char *what, bool *next) {
  if (happens && !e->script_count++) e->script_since = e->cycle;
  if (e->script_count && e->cycle - e->script_since >= e->script_count) return cc_wrong(e, "only %u %s in %u cycles", e->script_count, what, e->script_count + 1);
  *next = e->script_count == most;
  return NULL;
}

static const char *step_done(struct cc_env *e, const struct cc_step *s, const uint32_t *in, const uint32_t *out, bool *next) {
  const bool taken = in[e->at.cmd_valid] && out[e->at.cmd_ready];
  switch (s->what) {
    case WRITE: case BESIDE: case TAKEN: *next = taken; return NULL;
    case NACK:
      *next = true;
      return out[e->front.shell.status_at.nack] == s->data ? NULL : cc_wrong(e, "step %u: nack_o is not %u", e->step, (unsigned)s->data);
    case NO_WRITE:
      e->script_phase += taken || e->script_phase;
      *next = e->script_phase == 200;
      return e->script_phase && e->value[s->addr * e->l.words] != s->data ? "the write is lost" : NULL;
    case WORK:
      e->script_phase |= taken;
      *next = out[e->at.work_valid];
      return *next && out[e->at.work_sm] != s->sm ? cc_wrong(e, "the item goes to SM %u, not to %u", out[e->at.work_sm], s->sm) : NULL;
    case SYNC:
      e->script_phase |= taken;
      *next = e->script_phase && out[e->at.cmd_done];
      return NULL;
    case READ: case FAST: return read_step(e, s, in, out, next);
    case READS:
      e->script_phase += bit(&in[e->at.rd_valid], s->sm) && bit(&out[e->at.rd_ready], s->sm);
      return stream_step(e, bit(&out[e->at.rsp_valid], s->sm), BURST, "answers", next);
    case WRITES:
      e->script_phase += taken;
      return stream_step(e, taken, BURST, "writes", next);
    case WORKS:
      e->script_phase += taken;
      return stream_step(e, out[e->at.work_valid], e->l.sms, "items", next);
    case DONE: *next = bit(&out[e->at.done_ready], s->sm); return NULL;
    case REG: case LEAST: case MOST: case PUT:
      if (in[e->at.reg_valid] && out[e->at.reg_ready]) e->script_phase = 1;
      *next = out[e->at.reg_rsp];
      if (!*next || s->what == PUT) return *next && out[e->at.reg_error] ? "a register write is refused" : NULL;
      {
        const uint32_t want = (uint32_t)s->data * (s->addr == CC_REG_FAILED ? e->l.words : 1);
        if (s->what != REG && (s->what == LEAST ? out[e->at.reg_rdata] >= want : out[e->at.reg_rdata] <= want)) return NULL;
        return s->what == REG && out[e->at.reg_rdata] == want ? NULL : cc_wrong(e, "register 0x%x reads 0x%x, not 0x%x", s->addr, out[e->at.reg_rdata], want);
      }
    case BITS:
      if ((in[e->at.reg_valid] && out[e->at.reg_ready]) || out[e->at.reg_rsp]) e->script_phase++;
      *next = e->script_phase == 2 * BIT_ACCESSES;
      return NULL;
    case MEMORY: e->script_error = (unsigned)s->data; *next = true; return NULL;
    case PEEK: {
      uint64_t v = 0;
      simt_memory_peek(e->memory, (uint64_t)(s->addr * e->l.words + offset(e)) << e->l.lg, &v, e->l.word_w / 8);
      *next = true;
      return v == word_of(s->data, offset(e)) ? NULL : cc_wrong(e, "memory holds 0x%" PRIx64 " at %u", v, s->addr);
    }
    case UNASKED:
      *next = in[e->at.m_valid] && out[e->at.m_ready];
      if (!*next) return NULL;
      e->errors |= 1u << CC_ERROR_UNASKED;
      e->error_cycle = e->cycle;
      return NULL;
    case KNOCK:
      *next = e->waited >= s->data;
      return out[e->at.m_ready] ? cc_wrong(e, "step %u: an answer is taken while halted", e->step) : NULL;
    case IDLE: *next = e->waited >= (s->data == OWN ? 4 * e->l.init_cycles + 100 : s->data); return NULL;
    case FRONT: {
      const struct simt_front *f = &e->front.shell;
      const bool halted = f->state == SIMT_HALTED, moves = s->sm == SIMT_SAVE || s->sm == SIMT_LOAD;
      e->script_phase++;
      *next = e->script_phase > 1 && (s->sm == SIMT_HALT ? halted : s->sm == SIMT_RELEASE ? !halted : !moves || f->doing == SIMT_FRONT_IDLE);
      return NULL;
    }
    default: return NULL;
  }
}

const char *cc_directed_observe(struct cc_env *e, const uint32_t *in, const uint32_t *out) {
  if (in[e->at.rst] || e->finished) return NULL;
  bool next = false;
  const char *wrong = step_done(e, &script[e->test].step[e->step], in, out, &next);
  e->waited++;
  const unsigned most = MAX_WAIT + 16 * e->l.init_cycles + (e->l.status ? 4 * e->l.ctx_max : 0); /* a save or load is a step */
  if (!wrong && e->waited > most) wrong = cc_wrong(e, "%s: step %u is not done after %u cycles", cc_directed[e->test].name, e->step, most);
  if (!next) return wrong;
  e->step++;
  e->waited = e->script_phase = e->script_count = 0;
  return wrong;
}
