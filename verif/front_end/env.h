/* SPDX-License-Identifier: Apache-2.0 */
/* env.h: what the parts of front_end's environment share: units and memory (verif.c), the software that gives
 * commands through the registers (software.c), and the golden model of contexts (golden.c). */
#ifndef FE_ENV_H
#define FE_ENV_H

#include "core/ports.h"
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

#define FE_INPUTS(PORT) \
  PORT(rst, rst_i) PORT(state, unit_state_i) PORT(progress, unit_progress_i) PORT(waiting, unit_waiting_i) \
  PORT(gather, unit_gather_i) PORT(nack, unit_nack_i) PORT(cmd_ready, ctx_cmd_ready_i) \
  PORT(done, ctx_done_i) PORT(error, ctx_error_i) PORT(out_valid, ctx_out_valid_i) \
  PORT(out_data, ctx_out_data_i) PORT(out_last, ctx_out_last_i) PORT(in_ready, ctx_in_ready_i) \
  PORT(reg_valid, reg_req_valid_i) PORT(reg_write, reg_req_write_i) PORT(reg_addr, reg_req_addr_i) \
  PORT(reg_data, reg_req_data_i)
SIMT_PORTS(fe_inputs, FE_INPUTS)
#define FE_OUTPUTS(PORT) \
  PORT(halt, unit_halt_o) PORT(reset, unit_reset_o) PORT(resume, unit_resume_o) \
  PORT(cmd_valid, ctx_cmd_valid_o) PORT(cmd_load, ctx_cmd_load_o) PORT(out_ready, ctx_out_ready_o) \
  PORT(in_valid, ctx_in_valid_o) PORT(in_data, ctx_in_data_o) PORT(in_last, ctx_in_last_o) \
  PORT(in_error, ctx_in_error_o) PORT(irq, irq_o) PORT(reg_ready, reg_req_ready_o) \
  PORT(reg_rsp, reg_rsp_valid_o) PORT(reg_rsp_data, reg_rsp_data_o) PORT(reg_rsp_error, reg_rsp_error_o)
SIMT_PORTS(fe_outputs, FE_OUTPUTS)

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
  struct fe_inputs in;
  struct fe_outputs out;
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
