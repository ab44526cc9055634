/* SPDX-License-Identifier: Apache-2.0 */
/* cover.h: register map and functional coverage points of front_end_monitor. */
#ifndef FEM_COVER_H
#define FEM_COVER_H

#include "front_end_monitor/layout.h"

#define FEM_COVERS_LIST(X) \
  X(SWITCH, "US-8", 0, "a whole switch ends well") \
  X(SAVE, "US-8", 0, "a save only ends well") \
  X(RESTORE, "US-8", 0, "a restore only ends well") \
  X(EMPTY, "US-8", 0, "a start empty ends well") \
  X(DRAIN, "US-8", 0, "a drain ends") \
  X(ABORT_HALT, "US-8", 0, "abort while units are halting: released at once") \
  X(ABORT_HUB, "US-8", 0, "abort while the hub stores: released when it has ended") \
  X(ABORT_STOP, "US-8", 0, "release behind an error") \
  X(ABORT_REFUSED, "US-8", 0, "abort refused: something was reset already") \
  X(RETRY_SAVE, "US-8", 0, "error in mid-store, then retried") \
  X(RETRY_LOAD, "US-8", 0, "error in mid-restore, then retried") \
  X(RESTART_LOAD, "US-8 US-9", 0, "stopped by an error, then another image is restored") \
  X(RESTART_EMPTY, "US-8 US-9", 0, "stopped by an error, then started empty") \
  X(ERROR_SAVE, "US-8", 0, "the hub refuses a save") \
  X(ERROR_LOAD, "US-8", 0, "the hub refuses a restore") \
  X(REFUSED_BUSY, "US-15", 0, "a command is refused while one runs") \
  X(REFUSED_IDLE, "US-15", 0, "abort or retry are refused when idle") \
  X(FAST_HALT, "US-8", 0, "halted as soon as the command can have come and gone") \
  X(REHALT, "US-8", 0, "a command right behind a release, with halted reports still under way") \
  X(OUT_OF_ORDER, "US-8", FEM_IF_EACH, "a connection is stored before one of a lower number") \
  X(EARLY_RESTORE, "US-8", FEM_IF_EACH, "a unit is restored while another has not been stored") \
  X(TWO_DOMAINS, "US-8", FEM_IF_DOMAINS, "two domains are under halt") \
  X(ONE_RELEASED, "US-8", FEM_IF_DOMAINS, "a domain is released while another is under halt") \
  X(GROUP_STORED, "US-8", FEM_IF_GROUPS, "the units of a group are stored") \
  X(LOCAL_SLOT, "US-9", FEM_IF_SLOTS, "a context goes to or comes from a local slot") \
  X(HUB_WAITS, "US-8", 0, "the hub does not take a command at once") \
  X(TIMEOUT_WAIT, "US-15", 0, "timeout, policy wait") \
  X(TIMEOUT_ABORT, "US-15", 0, "timeout before any reset, policy abort: released") \
  X(TIMEOUT_STOP, "US-15", 0, "timeout behind a reset, policy abort: stopped") \
  X(TIMEOUT_RESET, "US-15", 0, "timeout, policy reset") \
  X(TIMEOUT_FIRST, "US-15", FEM_IF_EACH, "the timeout from the halt request expires after another connection was reset") \
  X(LOST_KEPT, "US-9 US-15", 0, "a command ends well that did not store what the timeout had reset") \
  X(TIMEOUT_AGAIN, "US-15", 0, "timeout behind a reset, policy reset or wait") \
  X(TIMEOUT_OFF, "US-15", 0, "no timeout: a unit takes longer than 200 cycles to halt") \
  X(DEAD_REPORT, "US-10", 0, "deadlock, report only") \
  X(DEAD_RESUME, "US-10", 0, "deadlock, those that gather are resumed") \
  X(DEAD_MASK, "US-10", 0, "deadlock, reset by mask") \
  X(DEAD_RESET, "US-10", 0, "deadlock, all are reset") \
  X(DEAD_SPARED, "US-10", 0, "deadlock, one that only gathers is resumed in place of a reset") \
  X(DEAD_UNMOVED, "US-10", 0, "deadlock, one that a resume did not move is reset") \
  X(DEAD_NEXT, "US-10", 0, "the next policy acts behind a second dead window") \
  X(DEAD_RESOLVED, "US-10", 0, "progress behind a report") \
  X(DEAD_JUST_NOT, "US-10", 0, "progress in the last cycle of a window") \
  X(DEAD_GAP, "US-10", 0, "no connection waits in the last cycle of a window") \
  X(DEAD_TURNS, "US-10", FEM_IF_CONNS, "a window is dead in which no connection waits all the time") \
  X(DEAD_WRITTEN, "US-10", 0, "a window is written late in one") \
  X(DEAD_HELD, "US-10", 0, "a window is cut by a halt request") \
  X(DEAD_OFF, "US-10", 0, "nothing is reported for 1,000 dead cycles with the window off") \
  X(DEAD_ONE, "US-10", FEM_IF_DEADS, "one domain is dead while another shows progress") \
  X(IRQ_NACK, "US-12", 0, "interrupt: nack") \
  X(IRQ_ILLEGAL, "US-12", 0, "interrupt: illegal report") \
  X(IRQ_CLEARED, "US-12", 0, "an interrupt is cleared and irq_o falls") \
  X(LATE_READ, "US-15", 0, "late connections are read") \
  X(DEAD_READ, "US-10", 0, "connections of a deadlock are read") \
  X(STATE_READ, "US-12", 0, "the state of a connection is read") \
  X(MIXED_READ, "US-1", FEM_IF_GROUPS, "mixed is read") \
  X(COUNT_READ, "US-11", FEM_IF_STATS, "a count is read") \
  X(LATENCY_READ, "US-11", FEM_IF_STATS, "a halt latency is read") \
  X(STATS_CLEAR, "US-11", FEM_IF_STATS, "statistics are cleared") \
  X(BASE_REFUSED, "US-9", 0, "a base is not written while its domain runs") \
  X(REFUSED, "US-12", 0, "a register access is refused: no such address") \
  X(RESET_UNDER_WAY, "US-12", 0, "rst_i while a hub command runs")

enum fem_cover {
#define FEM_COVER_NAME(name, req, needs, doc) FEM_COVER_##name,
  FEM_COVERS_LIST(FEM_COVER_NAME)
#undef FEM_COVER_NAME
  FEM_COVERS
};

/* Whether a point can be reached at this configuration; the description lists those that can, in order. */
bool fem_cover_possible(const struct fem_layout *l, enum fem_cover point);
void fem_add_covers(struct simt_desc *d, const struct fem_layout *l);
void fem_add_regs(struct simt_desc *d, const struct fem_layout *l);

#endif
