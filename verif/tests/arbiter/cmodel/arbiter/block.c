/* SPDX-License-Identifier: Apache-2.0 */
/* block.c: description of the example block: parameters, ports, coverage points. */
#include "arbiter/arbiter.h"
#include "core/image.h"

static const struct simt_param params[] = {
  {.name = "CLIENTS", .def = 4, .min = 1, .max = 64, .unit = "clients",
   .doc = "Clients that share the resource.", .req = "ARB-1"},
  {.name = "COUNT_W", .def = 16, .min = 4, .max = 48, .unit = "bits",
   .doc = "Width of the grant counter, which wraps.", .req = "ARB-4"},
};

static bool resolve(const uint64_t *value, struct simt_desc *d, struct simt_diag *diag) {
  (void)diag; /* no conditions across parameters */
  unsigned index_w = simt_max1(simt_clog2(value[ARBITER_CLIENTS]));
  simt_add_derived(d, "INDEX_W", index_w, true, "bits", "Width of a client's number.");
  simt_add_clock_reset(d);
  simt_add_port(d, SIMT_IN, value[ARBITER_CLIENTS], "", "request",
                "One bit per client: it wants a grant.", "req_i");
  simt_add_port(d, SIMT_OUT, 1, "", "grant",
                "A client that requested in the last cycle is granted.", "grant_valid_o");
  simt_add_port(d, SIMT_OUT, index_w, "grant_valid_o", "grant", "The client granted.", "grant_o");
  simt_add_port(d, SIMT_OUT, value[ARBITER_COUNT_W], "", "grant",
                "Grants since reset, this one included.", "count_o");
  simt_add_cover(d, "ARB-2", "Every client requests at once.", "all_request");
  simt_add_cover(d, "ARB-2", "A client below the last one is granted: the turn goes round.",
                 "turn");
  return true;
}

const struct simt_block simt_block_arbiter = {
  .name = "arbiter",
  .title = "Round-robin arbiter with a grant counter",
  .summary = "Grants one requesting client per cycle, starting after the client granted last, and "
             "counts the grants. The example of docs/adding_a_block.md.",
  .params = params,
  .n_params = sizeof params / sizeof *params,
  .resolve = resolve,
  .model = {arbiter_create, arbiter_destroy, arbiter_reset, arbiter_outputs, arbiter_step,
            simt_save, simt_load, arbiter_stats, arbiter_parts},
};
