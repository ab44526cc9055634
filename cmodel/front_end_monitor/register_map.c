/* SPDX-License-Identifier: Apache-2.0 */
/* register_map.c: the register map (US-12). */
#include "front_end_monitor/cover.h"

/* Bits of a word of the cycle counter, which has two times those of a time: the upper word has one that is 0 at least. */
static unsigned cycle_bits(const struct fem_layout *l, bool high) {
  unsigned all = 2 * l->time_w, low = all < 32 ? all : 32;
  return high ? simt_max1(all - low) : low;
}

static void add_switch(struct simt_desc *d, const struct fem_layout *l) {
  bool wide = l->addr_w > 32;
  unsigned low = wide ? 32 : l->addr_w;
  simt_add_reg(d, FEM_REG_DOMAIN, simt_max1(simt_clog2(l->domains)), "rw", 0, "US-12",
                 "switch domain that the registers up to FEM_SLOTS and FEM_TIME_* show", "FEM_DOMAIN");
  simt_reg_range(d, 0, l->domains - 1);
  simt_add_reg(d, FEM_REG_COMMAND, 3, "wo", 0, "US-8 US-15",
                 "1 switch, 2 save only, 3 restore only, 4 start empty, 5 drain, 6 abort, 7 retry; while stopped by an error 3, 4, 6 and 7 are taken; "
                 "refused when not possible now", "FEM_COMMAND");
  simt_reg_range(d, FEM_SWITCH, FEM_RETRY);
  simt_add_reg(d, FEM_REG_STATUS, 15, "ro", 0, "US-12", "of the domain", "FEM_STATUS");
  simt_add_field(d, 0, 3, "stage", "0 idle, 1 halting, 2 storing, 3 reset, 4 restoring, 5 one by one, 6 draining, 7 stopped by an error");
  simt_add_field(d, 4, 3, "command", "the last one");
  simt_add_field(d, 8, 4, "code", "how it ended: 0 good, 1..7 error of the hub, 8 halt timeout, 9 aborted");
  simt_add_field(d, 12, 1, "lost", "units were reset by timeout: their contexts are lost; FEM_LOST_* says which connections");
  simt_add_field(d, 13, 1, "did_reset", "units were reset: no abort");
  simt_add_field(d, 14, 1, "ending", "released when the hub has ended");
  simt_add_reg(d, FEM_REG_ERROR_UNIT, l->unit_w, "ro", 0, "US-12", "unit of the last error of the hub", "FEM_ERROR_UNIT");
  simt_add_reg(d, FEM_REG_SAVE_BASE, low, "rw", 0, "US-9",
                 "base of the contexts that are saved; while the domain is idle", "FEM_SAVE_BASE%s", wide ? "_LO" : "");
  if (wide) simt_add_reg(d, FEM_REG_SAVE_BASE + 4, l->addr_w - 32, "rw", 0, "US-9", "upper bits", "FEM_SAVE_BASE_HI");
  simt_add_reg(d, FEM_REG_LOAD_BASE, low, "rw", 0, "US-9",
                 "base of the contexts that are restored; while the domain is idle, or stopped by an error", "FEM_LOAD_BASE%s", wide ? "_LO" : "");
  if (wide) simt_add_reg(d, FEM_REG_LOAD_BASE + 4, l->addr_w - 32, "rw", 0, "US-9", "upper bits", "FEM_LOAD_BASE_HI");
  simt_add_reg(d, FEM_REG_SLOTS, 10, "rw", 0, "US-9",
                 "where contexts are kept, at most LOCAL_CONTEXTS; while the domain is idle, or stopped by an error", "FEM_SLOTS");
  simt_reg_zero_bits(d, ~UINT32_C(0x303));
  simt_reg_range(d, 0, l->slots << 8 | l->slots);
  simt_add_field(d, 0, 2, "save", "0 memory, else a local slot");
  simt_add_field(d, 8, 2, "load", "0 memory, else a local slot");
  simt_add_reg(d, FEM_REG_TIMEOUT, l->time_w, "rw", l->usual_time, "US-15",
                 "cycles from the halt request until all have halted, and from a reset until halted again; more than SETTLE, 0 off; of all domains", "FEM_TIMEOUT");
  simt_add_reg(d, FEM_REG_TIMEOUT_POLICY, 2, "rw", 0, "US-15",
                 "then 0 wait, 1 abort (stop, once something was reset), 2 reset those that are late", "FEM_TIMEOUT_POLICY");
  simt_reg_range(d, 0, FEM_RESET_LATE);
}

static void add_dead(struct simt_desc *d, const struct fem_layout *l) {
  simt_add_reg(d, FEM_REG_DEAD, simt_max1(simt_clog2(l->deads)), "rw", 0, "US-12",
                 "deadlock domain of FEM_WINDOW to FEM_DEAD_RESOLVED", "FEM_DEAD");
  simt_reg_range(d, 0, l->deads - 1);
  simt_add_reg(d, FEM_REG_WINDOW, l->time_w, "rw", l->usual_time, "US-10", "cycles without progress in which some connection waits, 0 off", "FEM_WINDOW");
  simt_add_reg(d, FEM_REG_DEAD_POLICY, 7, "rw", 0, "US-10", "what is done", "FEM_DEAD_POLICY");
  simt_reg_zero_bits(d, 0xc);
  simt_add_field(d, 0, 2, "first", "0 report only, 1 resume those that gather, 2 reset by FEM_MASK, 3 reset all");
  simt_add_field(d, 4, 2, "next", "the same, when the window behind is dead too");
  simt_add_field(d, 6, 1, "has_next", "next holds");
  simt_add_reg(d, FEM_REG_DEAD_SEEN, l->time_w, "ro", 0, "US-11", "deadlocks seen", "FEM_DEAD_SEEN");
  simt_add_reg(d, FEM_REG_DEAD_RESOLVED, l->time_w, "ro", 0, "US-11", "of them, those behind which progress came", "FEM_DEAD_RESOLVED");
  simt_add_reg(d, FEM_REG_DEAD_LAST, 32, "ro", 0, "US-10", "the last report of any domain", "FEM_DEAD_LAST");
  simt_add_field(d, 0, 5, "domain", "its deadlock domain");
  simt_add_field(d, 29, 1, "open", "of the domain selected: dead, and no progress since");
  simt_add_field(d, 30, 1, "again", "the window before was dead, too");
  simt_add_field(d, 31, 1, "valid", "there was one");
  simt_add_reg(d, FEM_REG_DEAD_CYCLE, cycle_bits(l, false), "ro", 0, "US-10", "cycle of the last report", "FEM_DEAD_CYCLE_LO");
  simt_add_reg(d, FEM_REG_DEAD_CYCLE + 4, cycle_bits(l, true), "ro", 0, "US-10", "upper bits", "FEM_DEAD_CYCLE_HI");
  if (2 * l->time_w <= 32) simt_reg_range(d, 0, 0);
}

static void add_stats(struct simt_desc *d, const struct fem_layout *l) {
  static const char *const phase[] = {"HALT", "STORE", "RESET", "RESTORE"}, *const state[] = {"EMPTY", "ACTIVE", "STALLED", "QUIESCENT", "HALTED", "MIXED"};
  bool counts = l->stats != FEM_STATS_NONE;
  unsigned conn_w = simt_max1(simt_clog2(l->conns));
  for (unsigned i = 0; i < 4 && counts; i++)
    simt_add_reg(d, FEM_REG_TIME + 4 * i, l->time_w, "ro", 0, "US-11",
                   "cycles of this phase in the domain's last command", "FEM_TIME_%s", phase[i]);
  simt_add_reg(d, FEM_REG_CONN, conn_w, "rw", 0, "US-12", "connection of FEM_CONN_STATE to FEM_HALT_WORST and FEM_COUNT_*", "FEM_CONN");
  simt_reg_range(d, 0, l->conns - 1);
  simt_add_reg(d, FEM_REG_CONN_STATE, 8, "ro", 0, "US-12", "what it shows when its turn comes", "FEM_CONN_STATE");
  simt_add_field(d, 0, 3, "state", "0 empty, 1 active, 2 stalled, 3 quiescent, 4 halted, 5 mixed, 6 illegal");
  simt_add_field(d, 4, 1, "progress", "");
  simt_add_field(d, 5, 1, "waiting", "");
  simt_add_field(d, 6, 1, "gather", "");
  simt_add_field(d, 7, 1, "nack", "");
  if (counts) {
    simt_add_reg(d, FEM_REG_HALT_LAST, l->time_w, "ro", 0, "US-11",
                   "cycles from the last halt request to halted, as seen in its turn", "FEM_HALT_LAST");
    simt_add_reg(d, FEM_REG_HALT_WORST, l->time_w, "ro", 0, "US-11", "the most of them", "FEM_HALT_WORST");
  }
  simt_add_reg(d, FEM_REG_NACK_CONN, conn_w, "ro", 0, "US-12", "connection that raised the nack interrupt", "FEM_NACK_CONN");
  simt_add_reg(d, FEM_REG_ILLEGAL_CONN, conn_w, "ro", 0, "US-12",
                 "connection that raised the interrupt of an illegal report", "FEM_ILLEGAL_CONN");
  if (!counts) return;
  simt_add_reg(d, FEM_REG_STATS_CONTROL, 2, "rw", 0, "US-11", "control of the statistics", "FEM_STATS_CONTROL");
  simt_reg_acting_bits(d, 2);
  simt_add_field(d, 0, 1, "hold", "counts of states stand still");
  simt_add_field(d, 1, 1, "clear", "clears all, in 8 cycles per connection; reads 0");
  simt_add_reg(d, FEM_REG_COUNT_HI, 16, "ro", 0, "US-11", "upper bits of the count read last", "FEM_COUNT_HI");
  for (unsigned i = 0; i < 6; i++) {
    simt_add_reg(d, FEM_REG_COUNT + 4 * i, 32, "ro", 0, "US-11", "times FEM_CONN was seen in this state", "FEM_COUNT_%s", state[i]);
    simt_reg_moves(d);
  }
}

static unsigned part(unsigned n, unsigned word) { return n - 32 * word < 32 ? n - 32 * word : 32; }

void fem_add_regs(struct simt_desc *d, const struct fem_layout *l) {
  simt_add_reg(d, FEM_REG_ID, 32, "ro", FEM_ID, "US-12", "block identification and version", "FEM_ID");
  simt_add_reg(d, FEM_REG_SHAPE, 32, "ro", l->conns << 16 | l->units, "US-12", "31:16 connections, 15:0 units", "FEM_SHAPE");
  simt_add_reg(d, FEM_REG_OPTIONS, 28, "ro", l->stages << 24 | l->slots << 22 | (unsigned)l->stats << 20 | l->encoding << 18 |
               (unsigned)l->kind << 16 | l->deads << 8 | l->domains, "US-12",
               "27:24 STAGES, 23:22 LOCAL_CONTEXTS, 21:20 STATS, 19:18 ENCODING, 17:16 COMMANDS, 12:8 deadlock, 4:0 switch domains", "FEM_OPTIONS");
  simt_add_reg(d, FEM_REG_LATENCY, 32, "ro", (l->conns + 4) << 16 | l->time_w << 8 | (l->levels + 1), "US-11 US-12",
                 "31:16 SAMPLE_INTERVAL, 15:8 TIME_W, 7:0 MONITOR_LATENCY", "FEM_LATENCY");
  simt_add_reg(d, FEM_REG_CYCLE, cycle_bits(l, false), "ro", 0, "US-12", "free-running cycle counter of 2 * TIME_W bits; keeps its upper bits for FEM_CYCLE_HI", "FEM_CYCLE_LO");
  simt_reg_moves(d);
  simt_add_reg(d, FEM_REG_CYCLE + 4, cycle_bits(l, true), "ro", 0, "US-12", "upper bits when FEM_CYCLE_LO was read", "FEM_CYCLE_HI");
  if (2 * l->time_w <= 32) simt_reg_range(d, 0, 0);
  simt_add_reg(d, FEM_REG_IRQ_STATUS, 7, "w1c", 0, "US-12",
                 "interrupts: 0 switch done, 1 switch error, 2 halt timeout, 3 deadlock seen, 4 deadlock not resolved, 5 nack, 6 illegal report", "FEM_IRQ_STATUS");
  simt_add_reg(d, FEM_REG_IRQ_ENABLE, 7, "rw", 0, "US-12", "those that raise irq_o", "FEM_IRQ_ENABLE");
  add_switch(d, l);
  add_dead(d, l);
  add_stats(d, l);
  for (unsigned i = 0; i < (l->conns + 31) / 32; i++)
    simt_add_reg(d, FEM_REG_LATE + 4 * i, part(l->conns, i), "ro", 0, "US-15",
                   "connections that were not halted when their domain's timeout expired last", "FEM_LATE_%u", i);
  for (unsigned i = 0; i < (l->conns + 31) / 32; i++)
    simt_add_reg(d, FEM_REG_DEAD_CONNS + 4 * i, part(l->conns, i), "ro", 0, "US-10",
                   "connections that waited in the window of the last report of a deadlock", "FEM_DEAD_CONNS_%u", i);
  for (unsigned i = 0; i < (l->commands + 31) / 32; i++)
    simt_add_reg(d, FEM_REG_MASK + 4 * i, part(l->commands, i), "rw", 0, "US-10",
                   "command connections that a deadlock's policy resets", "FEM_MASK_%u", i);
  for (unsigned i = 0; i < (l->conns + 31) / 32; i++)
    simt_add_reg(d, FEM_REG_LOST + 4 * i, part(l->conns, i), "ro", 0, "US-9 US-15",
                   "connections that the timeout reset in their domain's last command: their contexts are lost, and were not stored", "FEM_LOST_%u", i);
}
