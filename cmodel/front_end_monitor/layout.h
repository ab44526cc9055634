/* SPDX-License-Identifier: Apache-2.0 */
/* layout.h: numbers that description, model and environment of front_end_monitor share: registers, codes, shape. */
#ifndef FEM_LAYOUT_H
#define FEM_LAYOUT_H

#include "core/topology.h"

enum { FEM_DOMAINS_MAX = 16, FEM_EXACT_MAX = 64, FEM_ID = 0x464d0001 };
enum fem_stage { FEM_IDLE, FEM_HALT, FEM_STORE, FEM_RESET, FEM_RESTORE, FEM_MOVE, FEM_DRAIN, FEM_STOP };
enum fem_command { FEM_SWITCH = 1, FEM_SAVE, FEM_DO_RESTORE, FEM_EMPTY, FEM_DO_DRAIN, FEM_ABORT, FEM_RETRY };
enum fem_error { FEM_TIMED_OUT = 8, FEM_ABORTED = 9 }; /* below: those of the hub */
enum fem_timeout_policy { FEM_WAIT, FEM_GIVE_UP, FEM_RESET_LATE };
enum fem_dead_policy { FEM_REPORT, FEM_RESUME, FEM_RESET_MASK, FEM_RESET_ALL };
enum fem_stats { FEM_STATS_NONE, FEM_STATS_SAMPLED, FEM_STATS_EXACT };
enum fem_irq {
  FEM_IRQ_DONE = 1, FEM_IRQ_ERROR = 2, FEM_IRQ_TIMEOUT = 4, FEM_IRQ_DEAD = 8, FEM_IRQ_UNRESOLVED = 16, FEM_IRQ_NACK = 32,
  FEM_IRQ_ILLEGAL = 64
};
enum fem_seen { FEM_MIXED = 5, FEM_ILLEGAL = 6 }; /* of a connection, behind enum simt_unit_state */
enum fem_flag { FEM_PROGRESS = 1, FEM_WAITING = 2, FEM_GATHER = 4, FEM_NACK = 8 };

enum fem_reg {
  FEM_REG_ID = 0x000, FEM_REG_SHAPE = 0x004, FEM_REG_OPTIONS = 0x008, FEM_REG_LATENCY = 0x00c, FEM_REG_CYCLE = 0x010,
  FEM_REG_IRQ_STATUS = 0x018, FEM_REG_IRQ_ENABLE = 0x01c, FEM_REG_DOMAIN = 0x020, FEM_REG_COMMAND = 0x024,
  FEM_REG_STATUS = 0x028, FEM_REG_ERROR_UNIT = 0x02c, FEM_REG_SAVE_BASE = 0x030, FEM_REG_LOAD_BASE = 0x038,
  FEM_REG_SLOTS = 0x040, FEM_REG_TIMEOUT = 0x044, FEM_REG_TIMEOUT_POLICY = 0x048, FEM_REG_DEAD = 0x050,
  FEM_REG_WINDOW = 0x054, FEM_REG_DEAD_POLICY = 0x058, FEM_REG_DEAD_SEEN = 0x05c, FEM_REG_DEAD_RESOLVED = 0x060,
  FEM_REG_DEAD_LAST = 0x064, FEM_REG_DEAD_CYCLE = 0x068, FEM_REG_TIME = 0x070, FEM_REG_CONN = 0x080,
  FEM_REG_CONN_STATE = 0x084, FEM_REG_HALT_LAST = 0x088, FEM_REG_HALT_WORST = 0x08c, FEM_REG_NACK_CONN = 0x090,
  FEM_REG_ILLEGAL_CONN = 0x094, FEM_REG_STATS_CONTROL = 0x098, FEM_REG_COUNT_HI = 0x09c, FEM_REG_COUNT = 0x0a0,
  FEM_REG_LATE = 0x100, FEM_REG_DEAD_CONNS = 0x180, FEM_REG_MASK = 0x200, FEM_REG_LOST = 0x280, /* a word for 32 bits */
  FEM_REG_ADDR_W = 10
};

struct fem_layout {
  unsigned units, conns, commands, domains, deads;
  unsigned stages, addr_w, time_w, slots, state_w, levels, settle, unit_w;
  uint32_t most_time, usual_time;                /* the longest time; timeout and windows after a reset */
  uint64_t most_cycle;                           /* behind it the cycle counter is 0 again */
  enum simt_commands kind;
  enum fem_stats stats;
  unsigned encoding;
  uint8_t state_of[32];                          /* of a code: its state, or FEM_ILLEGAL */
  bool each;                                     /* connections go through a switch one by one */
  unsigned first[SIMT_UNITS_MAX + 1];            /* of a connection: its first unit */
  unsigned domain[SIMT_UNITS_MAX], dead[SIMT_UNITS_MAX]; /* of a connection */
  unsigned conns_of[FEM_DOMAINS_MAX];            /* connections of a switch domain */
  bool touches[FEM_DOMAINS_MAX][FEM_DOMAINS_MAX]; /* deadlock domain, switch domain: they share a connection */
};

/* Of a configuration that resolves, or is being resolved. */
void fem_layout(const struct simt_config *cfg, const struct simt_topology *t, struct fem_layout *l);
/* The command connections of a connection: the first, and behind the last one. */
static inline unsigned fem_first_command(const struct fem_layout *l, unsigned conn) {
  return l->kind == SIMT_BROADCAST ? 0 : l->kind == SIMT_PER_GROUP ? conn : l->first[conn];
}
static inline unsigned fem_end_command(const struct fem_layout *l, unsigned conn) {
  return l->kind == SIMT_BROADCAST ? 1 : l->kind == SIMT_PER_GROUP ? conn + 1 : l->first[conn + 1];
}
/* What a connection's code says: enum simt_unit_state, mixed or illegal. */
unsigned fem_seen(const struct fem_layout *l, unsigned conn, uint32_t code);

#endif
