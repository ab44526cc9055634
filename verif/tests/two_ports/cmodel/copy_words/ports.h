/* SPDX-License-Identifier: Apache-2.0 */
/* ports.h: the ports of copy_words: two streams, two memory ports. */
#ifndef COPY_WORDS_PORTS_H
#define COPY_WORDS_PORTS_H

#include "core/ports.h"

enum { COPY_WORDS_B_W, COPY_WORDS_PARAMS }; /* places of the parameters */

#define CW_PORTS(PORT) \
  PORT(rst, rst_i) PORT(cmd_valid, cmd_valid_i) PORT(cmd_ready, cmd_ready_o) PORT(cmd_from, cmd_from_i) PORT(cmd_to, cmd_to_i) \
  PORT(done_valid, done_valid_o) PORT(done_ready, done_ready_i) PORT(done_to, done_to_o) PORT(done_error, done_error_o) \
  PORT(a_valid, a_mem_req_valid_o) PORT(a_ready, a_mem_req_ready_i) PORT(a_write, a_mem_req_write_o) \
  PORT(a_tag, a_mem_req_tag_o) PORT(a_addr, a_mem_req_addr_o) PORT(a_data, a_mem_req_data_o) PORT(a_strb, a_mem_req_strb_o) \
  PORT(a_rsp_valid, a_mem_rsp_valid_i) PORT(a_rsp_ready, a_mem_rsp_ready_o) PORT(a_rsp_data, a_mem_rsp_data_i) \
  PORT(a_rsp_error, a_mem_rsp_error_i) \
  PORT(b_valid, b_mem_req_valid_o) PORT(b_ready, b_mem_req_ready_i) PORT(b_write, b_mem_req_write_o) \
  PORT(b_tag, b_mem_req_tag_o) PORT(b_addr, b_mem_req_addr_o) PORT(b_data, b_mem_req_data_o) PORT(b_strb, b_mem_req_strb_o) \
  PORT(b_rsp_valid, b_mem_rsp_valid_i) PORT(b_rsp_ready, b_mem_rsp_ready_o) PORT(b_rsp_error, b_mem_rsp_error_i)
SIMT_PORTS(cw_ports, CW_PORTS)

extern const struct simt_block simt_block_copy_words;

void *copy_words_create(const struct simt_config *cfg, struct simt_diag *diag);
void copy_words_destroy(void *model);
void copy_words_reset(void *model);
void copy_words_outputs(const void *model, uint32_t *out);
void copy_words_step(void *model, const uint32_t *in);
void copy_words_parts(void *model, struct simt_image *image);
void copy_words_stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx);

#endif
