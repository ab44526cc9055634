/* SPDX-License-Identifier: Apache-2.0 */
/* ports.h: where ports are in the buffers of a model: one list of names is both the struct and how it is filled.
 *
 *   #define TRK_PORTS(PORT) PORT(rst, rst_i) PORT(valid, ev_valid_i)
 *   SIMT_PORTS(trk_ports, TRK_PORTS)             struct trk_ports { unsigned rst, valid; } and
 *   trk_ports_bind(&m->at, cfg);                 the word of each port in the input or output buffer
 *
 * The first name is the field's, the second the port's. A name that the description does not have ends the program with
 * a message: it is a mistake in the block. */
#ifndef SIMT_PORTS_H
#define SIMT_PORTS_H

#include "simt.h"

#define SIMT_PORT_FIELD(field, port) unsigned field;
#define SIMT_PORT_BIND(field, port) at->field = simt_port_word(cfg, #port);
#define SIMT_PORTS(tag, LIST)                                                               \
  struct tag { LIST(SIMT_PORT_FIELD) };                                                     \
  static inline void tag##_bind(struct tag *at, const struct simt_config *cfg) { LIST(SIMT_PORT_BIND) }

/* The word of a port that is there. */
unsigned simt_port_word(const struct simt_config *cfg, const char *name);

/* The ports that simt_add_reg_port and simt_add_mem_port append. */
#define SIMT_REG_PORTS(PORT)                                                                \
  PORT(valid, reg_req_valid_i) PORT(ready, reg_req_ready_o) PORT(write, reg_req_write_i)    \
  PORT(addr, reg_req_addr_i) PORT(data, reg_req_data_i) PORT(rsp, reg_rsp_valid_o)          \
  PORT(rsp_data, reg_rsp_data_o) PORT(rsp_error, reg_rsp_error_o)
SIMT_PORTS(simt_reg_ports, SIMT_REG_PORTS)

#define SIMT_MEM_PORTS(PORT)                                                                \
  PORT(req_valid, mem_req_valid_o) PORT(req_ready, mem_req_ready_i) PORT(req_write, mem_req_write_o) \
  PORT(req_tag, mem_req_tag_o) PORT(req_addr, mem_req_addr_o) PORT(req_data, mem_req_data_o) \
  PORT(req_strb, mem_req_strb_o) PORT(rsp_valid, mem_rsp_valid_i) PORT(rsp_ready, mem_rsp_ready_o) \
  PORT(rsp_tag, mem_rsp_tag_i) PORT(rsp_data, mem_rsp_data_i) PORT(rsp_error, mem_rsp_error_i)
SIMT_PORTS(simt_mem_ports, SIMT_MEM_PORTS)

#endif
