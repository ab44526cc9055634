/* SPDX-License-Identifier: Apache-2.0 */
/* env.h: what the parts of front_end's environment share: units and memory (verif.c), the software that gives
 * commands through the registers (software.c), and the golden model of contexts (golden.c). */
#ifndef FE_ENV_H
#define FE_ENV_H

#include "front_end/units.h"
#include "front_end_monitor/layout.h"
#include "front_end/parts.h"
#include "core/memory.h"
#include "core/verif.h"

enum { FE_BANKS = 7, FE_MEMORY_BANKS = 4, FE_QUEUE = 8 }; /* banks: in memory, then local slots */

/* What the environment decides in a cycle; any bits mean something. */
struct fe_choice { uint64_t mem; uint32_t dice, op; uint8_t reset; };
/* What the software begins when it is free: kind | domain << 4 | command << 12 | save bank << 16 | load bank << 20 | number << 24. */
enum fe_op { FE_OP_NONE, FE_OP_POLL, FE_OP_COMMAND, FE_OP_SECOND, FE_OP_IRQ, FE_OP_WINDOW, FE_OP_READ, FE_OPS };

struct fe_access { bool write; uint32_t addr, data; };

struct fe_run { /* of a switch domain: what the software knows */
  bool open;                 /* a command was taken and has not been seen to end */
  enum fem_command command;
  unsigned save_bank, load_bank; /* as its registers say */
  bool excused;              /* something happened since that may end it with an error */
  bool error_seen;
};

struct fe_record { /* of a bank and a unit */
  bool saved;                /* what was saved last is `state`; false while a save is under way */
  struct fe_state state;
};

struct fe_env {
  struct simt_rng rng;
  struct simt_stimulus stim;
  int profile, script;       /* -1: all in turn */
  unsigned at;               /* directed: place in the script */
  uint64_t cycle, done;
  struct simt_topology topology;
  struct simt_memory *memory;
  unsigned stride_lg, banks, slots, encoding, state_w, local_words;
  struct fe_unit *unit;
  struct fe_unit_out *shown;
  struct fe_record *record;  /* [bank][unit] */
  uint8_t *saves, *loads, *clears, *before; /* per unit, since the domain's command; state before it halted */
  struct fe_run run[FEM_DOMAINS_MAX];
  struct fe_access queue[FE_QUEUE];
  unsigned n_queue, selected, idle; /* idle: cycles without an access */
  bool offered, waiting;     /* an access is offered; was taken and is not answered */
  struct fe_access taken;    /* by the block, and not answered: `mine`, or another's behind a bus */
  bool under_way, mine;
  struct { unsigned rst, state, progress, waiting, gather, nack, cmd_ready, done, error, out_valid, out_data, out_last, in_ready,
    reg_valid, reg_write, reg_addr, reg_data; } in;
  struct { unsigned halt, reset, resume, cmd_valid, cmd_load, out_ready, in_valid, in_data, in_last, in_error, irq, reg_ready,
    reg_rsp, reg_rsp_data, reg_rsp_error; } out;
  int place[FE_COVERS];
  uint64_t listed[FE_COVERS];
  uint32_t dice;             /* of this cycle */
  char message[200];
};

void fe_hit(struct fe_env *e, int point);
/* Software: drives the register port; sees what it answers. A line, or NULL. */
void fe_software_restart(struct fe_env *e);
void fe_software_drive(struct fe_env *e, uint32_t op, uint32_t *in);
const char *fe_software_observe(struct fe_env *e, const uint32_t *in, const uint32_t *out);
/* Golden model: what a unit's events of this cycle mean for the contexts; what the end of a command must have done. */
struct fe_record *fe_record(struct fe_env *e, unsigned bank, unsigned unit);
void fe_golden_begin(struct fe_env *e, unsigned domain);
void fe_golden_moves(struct fe_env *e, unsigned unit, bool load);
const char *fe_golden_events(struct fe_env *e, unsigned unit, unsigned events);
const char *fe_golden_end(struct fe_env *e, unsigned domain, unsigned code);

#endif
