/* SPDX-License-Identifier: Apache-2.0 */
/* cover.c: names and meaning of the functional coverage points, and where each can be reached. */
#include "const_cache/cover.h"

/* What a configuration needs for a point to be reachable within a run of ordinary length. */
enum { SMS_2 = 1, BACKUP = 2, SHARED = 4, DROPS = 8, ODD = 16, COUNTS = 32, SMS_3 = 64, SMALL_L2 = 128, FEW_CODES = 256, TIGHT = 512, ROWS = 1024, COPY = 2048, VERSIONED = 4096, FEW_ROWS = 8192, WIDE = 16384, UNIT = 32768 };

#define POINT(id) [CC_COVER_##id]
static const struct { const char *name, *req; unsigned needs; const char *doc; } points[CC_COVERS] = {
  POINT(HIT) = {"hit", "CC-3", 0, "a read is answered L1_LAT cycles later"},
  POINT(MISS) = {"miss", "CC-3", 0, "a read is answered later than that"},
  POINT(STREAM) = {"stream", "CC-3", 0, "an SM reads and is answered in each of 16 cycles in a row"},
  POINT(HIT_BEHIND_MISS) = {"hit_behind_miss", "CC-3", 0, "answers come in the cycle after one that was late"},
  POINT(READS_FULL) = {"reads_full", "CC-3", 0, "a read waits because READS are under way"},
  POINT(OLD_READ) = {"old_read", "CC-2 CC-11", VERSIONED, "a read returns a word that is no longer the current one"},
  POINT(OLDEST_READ) = {"oldest_read", "CC-2 CC-11", BACKUP, "such a read of an SM whose version more than two others follow"},
  POINT(VERSIONS) = {"versions", "CC-13", VERSIONED | SMS_2, "as many versions are in use as there are SMs"},
  POINT(ALL_ACTIVE) = {"all_active", "CC-1", 0, "all SMs are active"},
  POINT(WRITE_ALL_ACTIVE) = {"write_all_active", "CC-13", BACKUP, "a write takes effect while all SMs are active"},
  POINT(SEQUENCE) = {"sequence", "CC-10", 0, "16 writes with no work item between"},
  POINT(WRITE_EACH_CYCLE) = {"write_each_cycle", "CC-1", ROWS, "a write is taken in each of 16 cycles in a row"},
  POINT(WORK_EACH_CYCLE) = {"work_each_cycle", "CC-1", SMS_3, "SMs get work items in three cycles in a row"},
  POINT(WORK_WAITS) = {"work_waits", "CC-1", 0, "a work item waits while all SMs are active"},
  POINT(DONE_WITH_WORK) = {"done_with_work", "CC-1", SMS_2, "an SM completes in the cycle in which another one gets its work item"},
  POINT(TWO_DONE) = {"two_done", "CC-1", SMS_2, "two SMs complete in one cycle"},
  POINT(DONE_WITH_READ) = {"done_with_read", "CC-1", 0, "completion is offered in the cycle of a read, and waits"},
  POINT(REPEAT) = {"repeat", "CC-10", 0, "a write repeats the current value"},
  POINT(FLUSH) = {"flush", "CC-3", 0, "a flush completes, memory holds the current version"},
  POINT(FLUSH_DIRTY) = {"flush_dirty", "CC-3", 0, "a flush writes words to memory"},
  POINT(INVALIDATE) = {"invalidate", "CC-3", 0, "an invalidate completes"},
  POINT(OUTSIDE) = {"outside", "CC-3", 0, "memory is changed from outside after an invalidate"},
  POINT(WRITE_BACK) = {"write_back", "CC-3", SMALL_L2, "a word is written back while SMs are active"},
  POINT(READ_FAILS) = {"read_fails", "CC-15", 0, "memory fails and a read answers an error"},
  POINT(OLD_FAILS) = {"old_fails", "CC-15", BACKUP | TIGHT, "memory fails on an old word that is needed"},
  POINT(WRITE_FAILS) = {"write_fails", "CC-15", 0, "memory fails on a write-back"},
  POINT(BAD_ADDR) = {"bad_addr", "CC-15", ODD, "a write to an address out of range"},
  POINT(UNALIGNED) = {"unaligned", "CC-15", WIDE, "a write to an address that is not a multiple of WRITE_WORDS"},
  POINT(BAD_KIND) = {"bad_kind", "CC-15", 0, "an unknown command"},
  POINT(BAD_DONE) = {"bad_done", "CC-15", 0, "completion from an inactive SM"},
  POINT(BAD_READ) = {"bad_read", "CC-15", 0, "a read from an inactive SM"},
  POINT(BAD_READ_ADDR) = {"bad_read_addr", "CC-15", ODD, "a read of an address out of range"},
  POINT(WAIT_ACTIVE) = {"wait_active", "CC-13 CC-16", SHARED | COUNTS, "a write waits until no SM is active"},
  POINT(WAIT_FULL) = {"wait_full", "CC-12 CC-16", BACKUP | COUNTS | TIGHT, "a write waits for a place in the backup"},
  POINT(WAIT_CODE) = {"wait_code", "CC-11 CC-16", BACKUP | COUNTS | FEW_CODES, "a write waits for the code of a version"},
  POINT(COPIED) = {"copied", "CC-7 CC-16", COPY | COUNTS | SMS_2, "words are copied from L1 to L1"},
  POINT(UPDATED) = {"updated", "CC-8 CC-16", COPY | COUNTS, "words go from an L1 to L2"},
  POINT(WAIT_LOCK) = {"wait_lock", "CC-5 CC-16", COPY | COUNTS | FEW_ROWS, "a write waits because its row is locked for another address"},
  POINT(WAIT_COPY) = {"wait_copy", "CC-7 CC-16", COPY | COUNTS | SMS_2, "a command waits for a copy from L1 to L1"},
  POINT(RESET) = {"reset", "CC-2", 0, "a reset while SMs are active"},
  POINT(REG_REFUSED) = {"reg_refused", "CC-15", 0, "a register access is refused"},
  POINT(BASE) = {"base", "CC-3", 0, "the base address is changed"},
  POINT(HALT) = {"halt", "CC-14", UNIT, "the unit is halted"},
  POINT(HALT_WAITING) = {"halt_waiting", "CC-14", UNIT, "the unit is halted while a work item, flush or invalidate waits"},
  POINT(HALT_READS) = {"halt_reads", "CC-14", UNIT, "a halt is requested while reads are unanswered"},
  POINT(UNIT_RESET) = {"unit_reset", "CC-14", UNIT, "the unit is reset while SMs are active"},
  POINT(SAVED) = {"save", "CC-14", UNIT, "a context is saved"},
  POINT(SAVED_AGAIN) = {"save_again", "CC-14", UNIT, "a save right behind a load gives the same stream"},
  POINT(LOADED) = {"load", "CC-14", UNIT, "a context is loaded"},
  POINT(SWITCHED) = {"switch", "CC-14", UNIT, "a context with a base of its own takes the place of another one"},
  POINT(REFUSED_HEADER) = {"refused_header", "CC-14", UNIT, "a load is refused by its header: the unit is as it was"},
  POINT(REFUSED_PAYLOAD) = {"refused_payload", "CC-14", UNIT, "a load is refused behind its header: the unit is cleared"},
  POINT(SAVE_OLD) = {"save_old", "CC-14", UNIT | VERSIONED, "a context has words of a version that L2 has not"},
  POINT(SAVE_COMMANDS) = {"save_commands", "CC-14", UNIT, "a context has commands that wait"},
  POINT(NACK) = {"nack", "CC-15 US-3", UNIT, "a memory error is reported by nack_o"},
  POINT(NACK_CLEARED) = {"nack_cleared", "CC-15 US-3", UNIT, "a write of CC_ERROR takes nack_o back"},
  POINT(NACK_LOADED) = {"nack_loaded", "CC-14 US-3", UNIT, "nack_o comes with a context"},
};

bool cc_cover_possible(const struct cc_layout *l, enum cc_cover point) {
  const unsigned has = (l->sms >= 2 && l->sms <= 8 ? SMS_2 : 0) | (l->sms >= 3 ? SMS_3 : 0) |
                       (l->protocol == CC_BACKUP ? BACKUP : l->protocol == CC_COPY ? COPY : SHARED) |
                       (l->protocol == CC_BACKUP || (l->protocol == CC_COPY && l->sms >= 2) ? VERSIONED : 0) |
                       (l->l1_entries < l->constants && l->l1_rows <= 64 ? FEW_ROWS : 0) | (l->drop_repeats ? DROPS : 0) |
                       (l->constants != 1u << l->const_w ? ODD : 0) | (l->words > 1 ? WIDE : 0) | (l->counters ? COUNTS : 0) | (l->status ? UNIT : 0) |
                       (l->l2_entries < l->constants && l->l2_rows <= 64 ? SMALL_L2 : 0) |
                       (l->code_factor == 2 && l->sms <= 4 && l->sets >= 16 ? FEW_CODES : 0) |
                       (l->l2_rows >= 64 && l->sets >= 64 ? ROWS : 0) |
                       (l->ways <= 2 && l->sets * l->ways <= 32 && l->l2_rows <= 16 && l->sms >= 2 && l->sms <= 8 ? TIGHT : 0);
  return !(points[point].needs & ~has);
}

void cc_add_covers(struct simt_desc *d, const struct cc_layout *l) {
  for (unsigned i = 0; i < CC_COVERS; i++)
    if (cc_cover_possible(l, (enum cc_cover)i)) simt_add_cover(d, points[i].req, points[i].doc, "%s", points[i].name);
}
