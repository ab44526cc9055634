/* SPDX-License-Identifier: Apache-2.0 */
/* axi4_lite_regs.c: cycle model of the wrapper between AXI4-Lite and the plain register port (docs/buses.md). */
#include <stdlib.h>

#include "core/wrap.h"

enum { SLVERR = 2 };

struct axi4_lite_state {
  bool aw_seen, w_seen, ar_seen; /* offered in the last cycle and not taken: still offered */
  bool busy, write;              /* an access of the block is under way; it, or the last one, is a write */
  bool b_valid, b_error, r_valid, r_error;
  uint32_t r_data;
};

struct axi4_lite_ports { /* words */
  unsigned awvalid, awready, awaddr, wvalid, wready, wdata, wstrb, bvalid, bready, bresp;
  unsigned arvalid, arready, araddr, rvalid, rready, rdata, rresp;
  unsigned req_valid, req_ready, req_write, req_addr, req_data, rsp_valid, rsp_data, rsp_error; /* of the block */
};

struct regs { struct axi4_lite_state s; struct axi4_lite_ports at; };

static void *create(const struct simt_config *cfg, const struct simt_wrap *wrap) {
  (void)wrap; /* there is one register port */
  struct regs *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  struct axi4_lite_ports *p = &w->at;
  const struct { unsigned *to; const char *name; } bus[] = {
    {&p->awvalid, "s_axil_awvalid"}, {&p->awready, "s_axil_awready"}, {&p->awaddr, "s_axil_awaddr"},
    {&p->wvalid, "s_axil_wvalid"}, {&p->wready, "s_axil_wready"}, {&p->wdata, "s_axil_wdata"},
    {&p->wstrb, "s_axil_wstrb"}, {&p->bvalid, "s_axil_bvalid"}, {&p->bready, "s_axil_bready"},
    {&p->bresp, "s_axil_bresp"}, {&p->arvalid, "s_axil_arvalid"}, {&p->arready, "s_axil_arready"},
    {&p->araddr, "s_axil_araddr"}, {&p->rvalid, "s_axil_rvalid"}, {&p->rready, "s_axil_rready"},
    {&p->rdata, "s_axil_rdata"}, {&p->rresp, "s_axil_rresp"}};
  const struct { unsigned *to; const char *name; } plain[] = {
    {&p->req_valid, "reg_req_valid_i"}, {&p->req_ready, "reg_req_ready_o"}, {&p->req_write, "reg_req_write_i"},
    {&p->req_addr, "reg_req_addr_i"}, {&p->req_data, "reg_req_data_i"}, {&p->rsp_valid, "reg_rsp_valid_o"},
    {&p->rsp_data, "reg_rsp_data_o"}, {&p->rsp_error, "reg_rsp_error_o"}};
  for (size_t i = 0; i < sizeof bus / sizeof *bus; i++) *bus[i].to = simt_find_port(cfg, bus[i].name)->word;
  for (size_t i = 0; i < sizeof plain / sizeof *plain; i++) *plain[i].to = simt_find_port(cfg->core, plain[i].name)->word;
  return w;
}

static void *state(void *wrapper, size_t *size) {
  struct regs *w = wrapper;
  *size = sizeof w->s;
  return &w->s;
}

/* The access that begins in this cycle. Of a read and a write that both wait, the one of the other kind than
 * the last one goes first. */
struct turn { bool write, read; };

static struct turn turn(const struct regs *w, const uint32_t *core_out) {
  const struct axi4_lite_state *s = &w->s;
  bool idle = !s->busy && core_out[w->at.req_ready];
  bool may_write = s->aw_seen && s->w_seen && !s->b_valid, may_read = s->ar_seen && !s->r_valid;
  return (struct turn){idle && may_write && (!may_read || !s->write), idle && may_read && (!may_write || s->write)};
}

static void outputs(const void *wrapper, const uint32_t *core_out, uint32_t *out) {
  const struct regs *w = wrapper;
  struct turn t = turn(w, core_out);
  out[w->at.awready] = out[w->at.wready] = t.write;
  out[w->at.arready] = t.read;
  out[w->at.bvalid] = w->s.b_valid;
  out[w->at.bresp] = w->s.b_error ? SLVERR : 0;
  out[w->at.rvalid] = w->s.r_valid;
  out[w->at.rresp] = w->s.r_error ? SLVERR : 0;
  out[w->at.rdata] = w->s.r_data;
}

static bool whole_word(const struct regs *w, const uint32_t *in) { return in[w->at.wstrb] == 15; }

static void inputs(const void *wrapper, const uint32_t *in, const uint32_t *core_out, uint32_t *core_in) {
  const struct regs *w = wrapper;
  struct turn t = turn(w, core_out);
  core_in[w->at.req_valid] = (t.write && whole_word(w, in)) || t.read;
  core_in[w->at.req_write] = t.write;
  core_in[w->at.req_addr] = in[t.write ? w->at.awaddr : w->at.araddr];
  core_in[w->at.req_data] = in[w->at.wdata];
}

static void step(void *wrapper, const uint32_t *in, const uint32_t *core_out) {
  struct regs *w = wrapper;
  struct axi4_lite_state *s = &w->s;
  struct turn t = turn(w, core_out);
  bool answer = core_out[w->at.rsp_valid], refuse = t.write && !whole_word(w, in);
  if (s->b_valid && in[w->at.bready]) s->b_valid = false;
  if (s->r_valid && in[w->at.rready]) s->r_valid = false;
  if (answer && s->write) {
    s->b_valid = true;
    s->b_error = core_out[w->at.rsp_error];
  } else if (answer) {
    s->r_valid = true;
    s->r_error = core_out[w->at.rsp_error];
    s->r_data = core_out[w->at.rsp_data];
  }
  if (refuse) s->b_valid = s->b_error = true;
  if (answer) s->busy = false;
  if (t.read || (t.write && !refuse)) s->busy = true;
  if (t.read || t.write) s->write = t.write;
  s->aw_seen = in[w->at.awvalid] && !t.write;
  s->w_seen = in[w->at.wvalid] && !t.write;
  s->ar_seen = in[w->at.arvalid] && !t.read;
}

const struct simt_wrapper simt_axi4_lite_regs = {
  .cell = "axi4_lite_regs", .check = "axi4_lite_check", .core = "reg_", .bus = "s_axil_",
  .create = create, .destroy = free, .state = state, .outputs = outputs, .inputs = inputs, .step = step,
};
