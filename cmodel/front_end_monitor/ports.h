/* SPDX-License-Identifier: Apache-2.0 */
/* ports.h: the places of the monitor's ports, of model and environment alike. */
#ifndef FRONT_END_MONITOR_PORTS_H
#define FRONT_END_MONITOR_PORTS_H

#include "core/ports.h"

#define FEM_PORTS(PORT) \
  PORT(rst, rst_i) PORT(state, conn_state_i) PORT(progress, conn_progress_i) PORT(waiting, conn_waiting_i) \
  PORT(gather, conn_gather_i) PORT(nack, conn_nack_i) PORT(halt, mon_halt_o) PORT(reset, mon_reset_o) \
  PORT(resume, mon_resume_o) PORT(hub_valid, hub_valid_o) PORT(hub_ready, hub_ready_i) \
  PORT(hub_load, hub_load_o) PORT(hub_unit, hub_unit_o) PORT(hub_slot, hub_slot_o) \
  PORT(hub_base, hub_base_o) PORT(hub_done, hub_done_i) PORT(hub_error, hub_error_i) PORT(irq, irq_o) \
  PORT(reg_valid, reg_req_valid_i) PORT(reg_ready, reg_req_ready_o) PORT(reg_write, reg_req_write_i) \
  PORT(reg_addr, reg_req_addr_i) PORT(reg_data, reg_req_data_i) PORT(rsp_valid, reg_rsp_valid_o) \
  PORT(rsp_data, reg_rsp_data_o) PORT(rsp_error, reg_rsp_error_o)
SIMT_PORTS(fem_ports, FEM_PORTS)

#endif
