/* SPDX-License-Identifier: Apache-2.0 */
/* ports.h: the places of the tracker's ports, of model and environment alike. */
#ifndef TRACKER_PORTS_H
#define TRACKER_PORTS_H

#include "core/ports.h"

#define TRK_PORTS(PORT) \
  PORT(rst, rst_i) PORT(in, in_valid_i) PORT(in_ready, in_ready_o) PORT(kind, in_kind_i) \
  PORT(class, in_class_i) PORT(warp, in_warp_i) PORT(end, in_end_i) PORT(used, in_used_i) \
  PORT(dslots, in_dslots_i) PORT(sectors, in_sectors_i) PORT(bank, in_bank_i) \
  PORT(payload, in_payload_i) PORT(fast, fast_in_valid_i) PORT(fast_ready, fast_in_ready_o) \
  PORT(fast_payload, fast_in_payload_i) PORT(fast_out, fast_out_valid_o) \
  PORT(fast_out_ready, fast_out_ready_i) PORT(fast_out_payload, fast_out_payload_o) \
  PORT(fill, fill_valid_i) PORT(fill_bank, fill_bank_i) PORT(fill_dslot, fill_dslot_i) \
  PORT(fill_sector, fill_sector_i) PORT(alloc, alloc_valid_i) PORT(alloc_ready, alloc_ready_o) \
  PORT(alloc_bank, alloc_bank_i) PORT(alloc_dslot, alloc_dslot_i) PORT(free, free_valid_o) \
  PORT(free_dslot, free_dslot_o) PORT(err, err_valid_o) PORT(err_in, err_in_o) \
  PORT(err_alloc, err_alloc_o) PORT(err_reg, err_reg_o) PORT(err_fill, err_fill_o) \
  PORT(reg, reg_req_valid_i) PORT(reg_ready, reg_req_ready_o) PORT(reg_write, reg_req_write_i) \
  PORT(reg_addr, reg_req_addr_i) PORT(reg_data, reg_req_data_i) PORT(rsp, reg_rsp_valid_o) \
  PORT(rsp_data, reg_rsp_data_o) PORT(rsp_error, reg_rsp_error_o) PORT(fill_pending, fill_pending_i)

/* Of one of the two outputs, lg and tex. */
#define TRK_PATH_PORTS(PORT, path) \
  PORT(valid, path##_out_valid_o) PORT(ready, path##_out_ready_i) PORT(class, path##_out_class_o) \
  PORT(warp, path##_out_warp_o) PORT(end, path##_out_end_o) PORT(used, path##_out_used_o) \
  PORT(dslots, path##_out_dslots_o) PORT(payload, path##_out_payload_o)

struct trk_path_ports { TRK_PATH_PORTS(SIMT_PORT_FIELD, lg) unsigned state; }; /* state: of tex */
struct trk_ports { TRK_PORTS(SIMT_PORT_FIELD) struct trk_path_ports out[2]; };

void trk_ports_bind(struct trk_ports *at, const struct simt_config *cfg);

#endif
