/* SPDX-License-Identifier: Apache-2.0 */
/* layout.h: numbers of a const_cache that follow from its parameters, and its registers. */
#ifndef CONST_CACHE_LAYOUT_H
#define CONST_CACHE_LAYOUT_H

#include "core/simt.h"

enum cc_protocol { CC_BACKUP, CC_SHARED, CC_COPY };
enum cc_kind { CC_WRITE, CC_WORK, CC_FLUSH, CC_INVALIDATE }; /* of a command */
enum { CC_FIFO = 16, CC_REG_ADDR_W = 9, CC_MASK_WORDS = 9, CC_MOST_WORDS = 4 };

enum {
  CC_REG_ID = 0x00, CC_REG_STATUS = 0x04, CC_REG_BASE_LO = 0x08, CC_REG_BASE_HI = 0x0c, CC_REG_ERROR = 0x10,
  CC_REG_FAILED = 0x14, CC_REG_VERSIONS = 0x20, CC_REG_VERSIONS_MOST = 0x24, CC_REG_ENTRIES = 0x28,
  CC_REG_ENTRIES_MOST = 0x2c, CC_REG_CLEAR = 0x30, CC_REG_COUNTER = 0x80, CC_ID = 0x43430100
};

/* Bits of CC_REG_ERROR. */
enum {
  CC_ERROR_ADDR, CC_ERROR_KIND, CC_ERROR_DONE, CC_ERROR_READ_SM, CC_ERROR_READ_ADDR, CC_ERROR_READ, CC_ERROR_OLD,
  CC_ERROR_WRITE, CC_ERROR_UNASKED, CC_ERRORS,
  CC_OF_MEMORY = 1 << CC_ERROR_READ | 1 << CC_ERROR_OLD | 1 << CC_ERROR_WRITE /* nack_o is one of these */
};

enum cc_counter {
  CC_HITS, CC_MISSES, CC_TO_L1, CC_INVALIDATED, CC_WRITES, CC_WORKS, CC_REPEATS, CC_SAVED, CC_FILLED, CC_MEM_READS,
  CC_MEM_WRITES, CC_WAIT_SM, CC_WAIT_ACTIVE, CC_WAIT_FULL, CC_WAIT_CODE, CC_WAIT_MEMORY, CC_WAIT_SWEEP, CC_COUNTERS,
  CC_COPIED = CC_REPEATS, CC_UPDATED = CC_SAVED, CC_WAIT_LOCK = CC_WAIT_FULL, CC_WAIT_COPY = CC_WAIT_CODE,
  CC_WAIT_UPDATE = CC_WAIT_MEMORY /* what protocol copy counts in these places */
};
struct cc_counter_doc { const char *name, *doc; };

struct cc_layout {
  unsigned protocol, sms, constants, word_w, words, l1_entries, l2_entries, backup_entries, ways, code_factor, reads, misses,
      gen_w, l1_lat, drop_repeats, steal, counters, addr_w, status;
  unsigned ctx_line, ctx_mask, commands, ctx_max; /* of a context: words of a line, of a mask; commands; words in all */
  uint32_t cfg_hash;
  unsigned const_w, sm_w, codes, code_w, sets, slot_w, miss_w, lg, init_cycles;
  unsigned off_w, line_w, l1_rows, l2_rows; /* words of an address that choose in a line; bits of a line */
};
/* From a halt request to halted, but for memory and reads that were taken. With protocol copy as many SMs as complete at once
 * leave the list one by one. */
enum { CC_HALT_PASS = 40, CC_UNIT_TYPE = 0x4343 };
static inline unsigned cc_halt_own(const struct cc_layout *l) { return CC_HALT_PASS + (l->protocol == CC_COPY ? l->sms : 0); }
/* From a reset of the unit to halted or a command taken: what is under way ends as in a halt, the clearing of the L1s
 * by a reset before it included, then all rows are cleared. */
static inline unsigned cc_reset_own(const struct cc_layout *l) { return cc_halt_own(l) + l->l1_rows + l->init_cycles + 6; }
void cc_layout(const uint64_t *value, struct cc_layout *l);
const struct cc_counter_doc *cc_counter_of(const struct cc_layout *l, enum cc_counter place);

extern const struct simt_block simt_block_const_cache;
extern const struct simt_note cc_notes[];

#endif
