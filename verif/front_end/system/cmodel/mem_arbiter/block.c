/* SPDX-License-Identifier: Apache-2.0 */
/* block.c: description of the arbiter: the memory ports of several units behind one, a unit of the tree itself. */
#include "core/context_port.h"
#include "core/image.h"
#include "mem_arbiter/mem_arbiter.h"
#include "core/unit_status.h"

static const struct simt_param params[] = {
  {.name = "CLIENTS", .def = 4, .min = 2, .max = MEM_ARBITER_MOST, .unit = "clients",
   .doc = "Units that share the memory.", .req = "US-5"},
  {.name = "TAG_W", .def = 6, .min = 1, .max = 16, .unit = "bits", .doc = "Width of a client's tag.", .req = "US-5"},
  {.name = "ADDR_W", .def = 32, .min = 4, .max = 64, .unit = "bits", .doc = "Width of an address.", .req = "US-5"},
  {.name = "DATA_W", .def = 32, .min = 8, .max = 1024, .unit = "bits", .doc = "Width of the data.", .req = "US-5"},
  {.name = "ENCODING", .def = SIMT_ONE_HOT, .max = SIMT_BINARY, .choices = simt_status_encodings, .unit = "",
   .doc = "How state_o carries the state.", .req = "US-1"},
};

static void add_client_ports(struct simt_desc *d, const uint64_t *value) {
  static const char group[] = "clients";
  const enum simt_dir in = SIMT_IN, out = SIMT_OUT;
  const uint64_t n = value[MEM_ARBITER_CLIENTS], data_w = value[MEM_ARBITER_DATA_W], tag_w = value[MEM_ARBITER_TAG_W];
  simt_add_port(d, in, n, "", group, "Per client: a request is offered; hold it until taken.", "cl_req_valid_i");
  simt_add_port(d, out, n, "", group, "The client that has the turn may ask.", "cl_req_ready_o");
  simt_add_port(d, in, n, "", group, "Per client: 1: write.", "cl_req_write_i");
  simt_add_port(d, in, n * tag_w, "", group, "Per client: tag.", "cl_req_tag_i");
  simt_add_port(d, in, n * value[MEM_ARBITER_ADDR_W], "", group, "Per client: byte address.", "cl_req_addr_i");
  simt_add_port(d, in, n * data_w, "", group, "Per client: write data.", "cl_req_data_i");
  simt_add_port(d, in, n * ((data_w + 7) / 8), "", group, "Per client: write strobe.", "cl_req_strb_i");
  simt_add_port(d, out, n, "", group, "Per client: an answer for it is offered.", "cl_rsp_valid_o");
  simt_add_port(d, in, n, "", group, "Per client: it takes an answer.", "cl_rsp_ready_i");
  simt_add_port(d, out, tag_w, "", group, "The client's tag of the answer; 0 without one.", "cl_rsp_tag_o");
  simt_add_port(d, out, data_w, "", group, "Its data; 0 without one.", "cl_rsp_data_o");
  simt_add_port(d, out, 2, "", group, "Its error code; 0 without one.", "cl_rsp_error_o");
  simt_add_port(d, in, 1, "", group, "All clients stand still, no request of them is open.", "served_idle_i");
}

static bool resolve(const uint64_t *value, struct simt_desc *d, struct simt_diag *diag) {
  (void)diag; /* no conditions across parameters */
  const unsigned client_w = simt_max1(simt_clog2(value[MEM_ARBITER_CLIENTS]));
  simt_add_derived(d, "CLIENT_W", client_w, true, "bits", "Width of a client's number.");
  simt_add_derived(d, "CFG_HASH", simt_context_hash(value, MEM_ARBITER_ENCODING), true, "", "What a context must agree with.");
  simt_add_derived(d, "CTX_MAX", 1, false, "words", "Words of a context's payload.");
  simt_add_derived(d, "HALT_OWN", MEM_ARBITER_HALT_OWN, false, "cycles",
                   "From halt request to halted, once the clients stand still and all is answered.");
  simt_add_clock_reset(d);
  add_client_ports(d, value);
  simt_add_mem_port(d, &(struct simt_mem_widths){.addr_w = value[MEM_ARBITER_ADDR_W], .data_w = value[MEM_ARBITER_DATA_W],
                                                 .tag_w = client_w + value[MEM_ARBITER_TAG_W]});
  simt_add_status_ports(d, (enum simt_status_encoding)value[MEM_ARBITER_ENCODING]);
  simt_add_context_ports(d);
  simt_add_cover(d, "US-5", "Two clients ask in one cycle.", "contended");
  simt_add_cover(d, "US-5", "A request is taken under a halt request.", "served_under_halt");
  simt_add_cover(d, "US-5", "Halted while requests of clients have been answered under the halt.", "halted_behind_clients");
  simt_add_cover(d, "US-7", "Reset with requests under way: they are answered.", "reset_under_way");
  simt_add_cover(d, "US-9", "A context is saved, and loaded again.", "restored");
  return true;
}

const struct simt_block simt_block_mem_arbiter = {
  .name = "mem_arbiter",
  .title = "Memory arbiter that serves units and is a unit itself",
  .summary = "The memory ports of several units behind one, in turn; halted behind its clients (served_idle). Part of the "
             "system of docs/front_end_system.md.",
  .params = params,
  .n_params = sizeof params / sizeof *params,
  .resolve = resolve,
  .model = {mem_arbiter_create, mem_arbiter_destroy, mem_arbiter_reset, mem_arbiter_outputs, mem_arbiter_step,
            simt_save, simt_load, mem_arbiter_stats, mem_arbiter_parts},
};
