/* SPDX-License-Identifier: Apache-2.0 */
/* axi4_lite.c: an AXI4-Lite master: the accesses that a block's environment wants at the plain register port,
 * some of its own beside them, and what must come of each. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/wrapped.h"

enum { SLVERR = 2, WHOLE = 15 };

struct lite_user_ports { /* words */
  unsigned rst, awvalid, awready, awaddr, wvalid, wready, wdata, wstrb, bvalid, bready, bresp;
  unsigned arvalid, arready, araddr, rvalid, rready, rdata, rresp;
  unsigned req_valid, req_write, req_addr, req_data, rsp_valid, rsp_data, rsp_error; /* of the block */
};

enum lite_user_answer { NONE, WAITING, KNOWN };

struct simt_lite {
  struct lite_user_ports at;
  unsigned addr_mask;
  struct { bool open, wanted; unsigned aw_delay, w_delay; uint32_t addr, data, strb; } write;
  struct { bool open, wanted; unsigned delay; uint32_t addr; } read;
  struct { enum lite_user_answer state; bool error; uint32_t data; } b, r; /* responses due */
  bool after_reset; /* nothing is offered in the first cycle */
  char message[120];
};

static unsigned word(const struct simt_config *cfg, const char *name) { return simt_find_port(cfg, name)->word; }

struct simt_lite *simt_lite_create(const struct simt_config *cfg) {
  struct simt_lite *l = calloc(1, sizeof *l);
  if (!l) return NULL;
  struct lite_user_ports *p = &l->at;
  const struct { unsigned *to; const char *name; } bus[] = {
    {&p->rst, "rst_i"}, {&p->awvalid, "s_axil_awvalid"}, {&p->awready, "s_axil_awready"},
    {&p->awaddr, "s_axil_awaddr"}, {&p->wvalid, "s_axil_wvalid"}, {&p->wready, "s_axil_wready"},
    {&p->wdata, "s_axil_wdata"}, {&p->wstrb, "s_axil_wstrb"}, {&p->bvalid, "s_axil_bvalid"},
    {&p->bready, "s_axil_bready"}, {&p->bresp, "s_axil_bresp"}, {&p->arvalid, "s_axil_arvalid"},
    {&p->arready, "s_axil_arready"}, {&p->araddr, "s_axil_araddr"}, {&p->rvalid, "s_axil_rvalid"},
    {&p->rready, "s_axil_rready"}, {&p->rdata, "s_axil_rdata"}, {&p->rresp, "s_axil_rresp"}};
  for (size_t i = 0; i < sizeof bus / sizeof *bus; i++) *bus[i].to = word(cfg, bus[i].name);
  p->req_valid = word(cfg->core, "reg_req_valid_i");
  p->req_write = word(cfg->core, "reg_req_write_i");
  p->req_addr = word(cfg->core, "reg_req_addr_i");
  p->req_data = word(cfg->core, "reg_req_data_i");
  p->rsp_valid = word(cfg->core, "reg_rsp_valid_o");
  p->rsp_data = word(cfg->core, "reg_rsp_data_o");
  p->rsp_error = word(cfg->core, "reg_rsp_error_o");
  l->addr_mask = (uint32_t)(((uint64_t)1 << simt_find_port(cfg, "s_axil_awaddr")->width) - 1);
  return l;
}

static void forget(struct simt_lite *l) {
  l->write.open = l->read.open = false;
  l->b.state = l->r.state = NONE;
  l->after_reset = true;
}

void simt_lite_restart(struct simt_lite *l) { forget(l); }

/* ---- driving ---------------------------------------------------------------------------------------- */

static void open_write(struct simt_lite *l, uint64_t choice, bool wanted) {
  l->write.open = true;
  l->write.wanted = wanted;
  l->write.aw_delay = choice >> 8 & 3;
  l->write.w_delay = choice >> 10 & 3;
}

static void open_read(struct simt_lite *l, uint64_t choice, bool wanted) {
  l->read.open = true;
  l->read.wanted = wanted;
  l->read.delay = choice >> 8 & 3;
}

/* Beside the wanted accesses: writes that must be refused for their strobes, reads of any address. */
static void add_own(struct simt_lite *l, uint64_t choice) {
  unsigned what = choice >> 12 & 63;
  if (what == 1 && !l->write.open) {
    l->write.addr = (uint32_t)(choice >> 18) & l->addr_mask & ~3u;
    l->write.data = (uint32_t)(choice >> 32);
    l->write.strb = choice >> 4 & 15;
    if (l->write.strb == WHOLE) l->write.strb = 7;
    open_write(l, choice, false);
  } else if (what == 2 && !l->read.open) {
    l->read.addr = (uint32_t)(choice >> 18) & l->addr_mask;
    open_read(l, choice, false);
  }
}

void simt_lite_drive(struct simt_lite *l, uint64_t choice, const uint32_t *core_in, uint32_t *in) {
  const struct lite_user_ports *p = &l->at;
  bool wants = core_in[p->req_valid], write = core_in[p->req_write];
  add_own(l, choice);
  if (wants && write && !l->write.open && !(l->read.open && l->read.wanted)) {
    l->write.addr = core_in[p->req_addr];
    l->write.data = core_in[p->req_data];
    l->write.strb = WHOLE;
    open_write(l, choice, true);
  } else if (wants && !write && !l->read.open && !(l->write.open && l->write.wanted)) {
    l->read.addr = core_in[p->req_addr];
    open_read(l, choice, true);
  }
  in[p->awvalid] = l->write.open && !l->write.aw_delay && !l->after_reset;
  in[p->wvalid] = l->write.open && !l->write.w_delay && !l->after_reset;
  in[p->arvalid] = l->read.open && !l->read.delay && !l->after_reset;
  l->after_reset = false;
  if (in[p->awvalid]) in[p->awaddr] = l->write.addr;
  if (in[p->wvalid]) in[p->wdata] = l->write.data, in[p->wstrb] = l->write.strb;
  if (in[p->arvalid]) in[p->araddr] = l->read.addr;
  if (l->write.aw_delay) l->write.aw_delay--;
  if (l->write.w_delay) l->write.w_delay--;
  if (l->read.delay) l->read.delay--;
  in[p->bready] = (choice & 3) != 3;
  in[p->rready] = (choice >> 2 & 3) != 3;
}

/* ---- checking --------------------------------------------------------------------------------------- */

static const char *wrong(struct simt_lite *l, const char *what) {
  snprintf(l->message, sizeof l->message, "register bus: %s", what);
  return l->message;
}

/* Requests that the bus takes in this cycle, and the access of the block that they are. */
static const char *requests(struct simt_lite *l, const uint32_t *in, const uint32_t *out, const uint32_t *core_in) {
  const struct lite_user_ports *p = &l->at;
  bool aw = in[p->awvalid] && out[p->awready], w = in[p->wvalid] && out[p->wready], ar = in[p->arvalid] && out[p->arready];
  bool access = core_in[p->req_valid], refused = w && in[p->wstrb] != WHOLE;
  if (aw != w) return wrong(l, "write address and data are not taken together");
  if (aw && ar) return wrong(l, "a read and a write are taken in one cycle");
  if (access != (ar || (aw && !refused))) return wrong(l, refused ? "a write of a part of a word reaches the block" : "accesses of bus and block differ");
  if ((aw && l->b.state != NONE) || (ar && l->r.state != NONE)) return wrong(l, "an access is taken before the last one's response");
  if (access && (core_in[p->req_write] != aw || core_in[p->req_addr] != in[aw ? p->awaddr : p->araddr]))
    return wrong(l, "the block is asked for another access");
  if (access && aw && core_in[p->req_data] != in[p->wdata]) return wrong(l, "the block gets other write data");
  if (aw) {
    l->b.state = refused ? KNOWN : WAITING;
    l->b.error = refused;
    l->write.open = false;
  }
  if (ar) {
    l->r.state = WAITING;
    l->read.open = false;
  }
  return NULL;
}

static const char *responses(struct simt_lite *l, const uint32_t *in, const uint32_t *out) {
  const struct lite_user_ports *p = &l->at;
  if (out[p->bvalid]) {
    if (l->b.state != KNOWN) return wrong(l, "a write response that is not due");
    if (out[p->bresp] != (l->b.error ? SLVERR : 0u)) return wrong(l, "a write response says something else than the block");
    if (in[p->bready]) l->b.state = NONE;
  }
  if (out[p->rvalid]) {
    if (l->r.state != KNOWN) return wrong(l, "read data that are not due");
    if (out[p->rresp] != (l->r.error ? SLVERR : 0u)) return wrong(l, "a read response says something else than the block");
    if (out[p->rdata] != l->r.data) return wrong(l, "read data are not the block's");
    if (in[p->rready]) l->r.state = NONE;
  }
  return NULL;
}

const char *simt_lite_observe(struct simt_lite *l, const uint32_t *in, const uint32_t *out, const uint32_t *core_in,
                              const uint32_t *core_out) {
  const struct lite_user_ports *p = &l->at;
  const char *bad = responses(l, in, out);
  if (core_out[p->rsp_valid]) { /* one access at a time: it is the one that waits */
    bool write = l->b.state == WAITING;
    if (!write && l->r.state != WAITING && !bad) bad = wrong(l, "the block answers an access that the bus did not take");
    if (write) l->b.error = core_out[p->rsp_error], l->b.state = KNOWN;
    else l->r.error = core_out[p->rsp_error], l->r.data = core_out[p->rsp_data], l->r.state = KNOWN;
  }
  const char *next = requests(l, in, out, core_in);
  if (in[p->rst]) forget(l);
  return bad ? bad : next;
}
