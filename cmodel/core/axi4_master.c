/* SPDX-License-Identifier: Apache-2.0 */
/* axi4_master.c: cycle model of the wrapper between the memory port of a block and AXI4 (docs/buses.md). */
#include <stdlib.h>
#include <string.h>

#include "core/ports.h"
#include "core/wrap.h"

enum { INCREMENTING = 1, UNBUFFERED = 2 };

/* Of a burst that is read: in use, beats taken, errors so far, whose it is. */
struct buffer { bool busy; uint8_t error; uint16_t beats; uint32_t tag; };

struct axi4_master_state {
  bool aw_done, w_done;   /* of the write that the block offers */
  unsigned beat;          /* beats of it taken */
  bool b_valid;
  uint32_t b_tag, b_error;
  bool r_first;           /* a read answer waits since the last cycle */
  /* bursts only */
  unsigned next;          /* buffer of the next read */
  bool done_valid, run;   /* a buffer is complete; one is read out */
  unsigned done, out, pos; /* these two, and the words of it that were read out */
};

#define AXI4_PORTS(PORT) \
  PORT(awvalid, m_axi_awvalid) PORT(awready, m_axi_awready) PORT(awid, m_axi_awid) \
  PORT(awaddr, m_axi_awaddr) PORT(awlen, m_axi_awlen) PORT(awsize, m_axi_awsize) \
  PORT(awburst, m_axi_awburst) PORT(awcache, m_axi_awcache) PORT(awprot, m_axi_awprot) \
  PORT(wvalid, m_axi_wvalid) PORT(wready, m_axi_wready) PORT(wdata, m_axi_wdata) PORT(wstrb, m_axi_wstrb) \
  PORT(wlast, m_axi_wlast) PORT(bvalid, m_axi_bvalid) PORT(bready, m_axi_bready) PORT(bid, m_axi_bid) \
  PORT(bresp, m_axi_bresp) PORT(arvalid, m_axi_arvalid) PORT(arready, m_axi_arready) PORT(arid, m_axi_arid) \
  PORT(araddr, m_axi_araddr) PORT(arlen, m_axi_arlen) PORT(arsize, m_axi_arsize) \
  PORT(arburst, m_axi_arburst) PORT(arcache, m_axi_arcache) PORT(arprot, m_axi_arprot) \
  PORT(rvalid, m_axi_rvalid) PORT(rready, m_axi_rready) PORT(rid, m_axi_rid) PORT(rdata, m_axi_rdata) \
  PORT(rresp, m_axi_rresp)
struct axi4_master_ports { /* req_, rsp_: of the block */
  AXI4_PORTS(SIMT_PORT_FIELD)
  SIMT_MEM_PORTS(SIMT_PORT_FIELD)
};

struct master {
  struct axi4_master_ports at;
  unsigned bytes, beats, addr_words, data_words; /* bytes of a beat; data words of the memory port */
  unsigned reads;
  size_t state_size;
  struct axi4_master_state *s;
  struct buffer *buffer; /* behind the state, in one piece with it */
  uint32_t *data;        /* data_words of each buffer */
};

/* ---- life ------------------------------------------------------------------------------------------- */

#define BIND(field, name) at->field = simt_find_mem_port(&cfg->desc, wrap->port, #name)->word;
static void bind_bus(struct axi4_master_ports *at, const struct simt_config *cfg, const struct simt_wrap *wrap) { AXI4_PORTS(BIND) }
static void bind_block(struct axi4_master_ports *at, const struct simt_config *cfg, const struct simt_wrap *wrap) { SIMT_MEM_PORTS(BIND) }

static void destroy(void *wrapper) {
  struct master *w = wrapper;
  free(w->s);
  free(w);
}

static void *create(const struct simt_config *cfg, const struct simt_wrap *wrap) {
  struct master *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  bind_bus(&w->at, cfg, wrap);
  bind_block(&w->at, cfg->core, wrap);
  w->bytes = simt_find_mem_port(&cfg->desc, wrap->port, "m_axi_wdata")->width / 8;
  w->beats = simt_find_mem_port(&cfg->core->desc, wrap->port, "mem_req_data_o")->width / 8 / w->bytes;
  w->data_words = simt_find_mem_port(&cfg->core->desc, wrap->port, "mem_req_data_o")->words;
  w->addr_words = simt_find_mem_port(&cfg->core->desc, wrap->port, "mem_req_addr_o")->words;
  w->reads = w->beats > 1 ? (unsigned)wrap->param[4].value : 0;
  w->state_size = sizeof *w->s + w->reads * (sizeof *w->buffer + w->data_words * sizeof *w->data);
  w->s = calloc(1, w->state_size);
  if (!w->s) {
    free(w);
    return NULL;
  }
  w->buffer = (struct buffer *)(w->s + 1);
  w->data = (uint32_t *)(w->buffer + w->reads);
  return w;
}

static void *state(void *wrapper, size_t *size) {
  struct master *w = wrapper;
  *size = w->state_size;
  return w->s;
}

/* ---- what follows from the state ---------------------------------------------------------------------- */

/* Bytes `n` from byte `from` of words to byte `to` of others, the lowest first. */
static void copy_bytes(uint32_t *to, unsigned at, const uint32_t *from, unsigned first, unsigned n) {
  if (!(at % 4) && !(first % 4) && !(n % 4)) {
    memcpy(to + at / 4, from + first / 4, n);
    return;
  }
  for (unsigned i = 0; i < n; i++) {
    unsigned shift = (at + i) % 4 * 8, byte = from[(first + i) / 4] >> (first + i) % 4 * 8 & 0xff;
    to[(at + i) / 4] = (to[(at + i) / 4] & ~(0xffu << shift)) | byte << shift;
  }
}

static uint32_t error_of(uint32_t resp) { return resp & 2 ? resp : 0; }

static bool read_offered(const struct master *w, const uint32_t *core_out) {
  return core_out[w->at.req_valid] && !core_out[w->at.req_write] && !(w->reads && w->buffer[w->s->next].busy);
}

/* The write response goes to the block, not the read answer. */
static bool b_turn(const struct master *w) { return w->s->b_valid && !w->s->r_first; }

/* A burst is all read out and offered to the block. */
static bool burst_ready(const struct master *w) { return w->s->run && w->s->pos == w->beats; }

static bool burst_taken(const struct master *w, const uint32_t *core_out) {
  return burst_ready(w) && !b_turn(w) && core_out[w->at.rsp_ready];
}

/* The buffer that is complete begins to be read out. */
static bool starts(const struct master *w, const uint32_t *core_out) {
  return w->s->done_valid && (!w->s->run || burst_taken(w, core_out));
}

static bool r_ready(const struct master *w, const uint32_t *core_out) {
  if (w->reads) return !w->s->done_valid || starts(w, core_out);
  return core_out[w->at.rsp_ready] && !b_turn(w);
}

static void write_outputs(const struct master *w, const uint32_t *core_out, uint32_t *out) {
  const struct axi4_master_ports *p = &w->at;
  const struct axi4_master_state *s = w->s;
  bool write = core_out[p->req_write];
  out[p->awvalid] = write && !s->aw_done;
  out[p->wvalid] = write && !s->w_done;
  out[p->bready] = !s->b_valid || (b_turn(w) && core_out[p->rsp_ready]);
  if (!write) return;
  out[p->awid] = core_out[p->req_tag];
  for (unsigned i = 0; i < w->addr_words; i++) out[p->awaddr + i] = core_out[p->req_addr + i];
  out[p->awlen] = w->beats - 1;
  out[p->awsize] = simt_clog2(w->bytes);
  out[p->awburst] = INCREMENTING;
  out[p->awcache] = UNBUFFERED;
  out[p->awprot] = 0;
  copy_bytes(&out[p->wdata], 0, &core_out[p->req_data], s->beat * w->bytes, w->bytes);
  for (unsigned i = 0; i < (w->bytes + 31) / 32; i++) out[p->wstrb + i] = 0;
  for (unsigned i = 0; i < w->bytes; i++) {
    unsigned from = s->beat * w->bytes + i;
    out[p->wstrb + i / 32] |= (core_out[p->req_strb + from / 32] >> from % 32 & 1) << i % 32;
  }
  out[p->wlast] = s->beat == w->beats - 1;
}

static void outputs(const void *wrapper, const uint32_t *core_out, uint32_t *out) {
  const struct master *w = wrapper;
  const struct axi4_master_ports *p = &w->at;
  write_outputs(w, core_out, out);
  out[p->arvalid] = read_offered(w, core_out);
  out[p->rready] = r_ready(w, core_out);
  if (!out[p->arvalid]) return;
  out[p->arid] = w->reads ? w->s->next : core_out[p->req_tag];
  for (unsigned i = 0; i < w->addr_words; i++) out[p->araddr + i] = core_out[p->req_addr + i];
  out[p->arlen] = w->beats - 1;
  out[p->arsize] = simt_clog2(w->bytes);
  out[p->arburst] = INCREMENTING;
  out[p->arcache] = UNBUFFERED;
  out[p->arprot] = 0;
}

/* ---- a cycle ------------------------------------------------------------------------------------------ */

/* The last handshake of the write that the block offers happens in this cycle. */
static bool write_taken(const struct master *w, const uint32_t *in, const uint32_t *core_out) {
  const struct axi4_master_state *s = w->s;
  bool last = in[w->at.wready] && s->beat == w->beats - 1;
  return core_out[w->at.req_write] && (s->aw_done || in[w->at.awready]) && (s->w_done || last);
}

static void read_answer(const struct master *w, const uint32_t *in, uint32_t *core_in) {
  const struct axi4_master_ports *p = &w->at;
  if (w->reads) {
    core_in[p->rsp_tag] = w->buffer[w->s->out].tag;
    core_in[p->rsp_error] = w->buffer[w->s->out].error;
    memcpy(&core_in[p->rsp_data], w->data + (size_t)w->s->out * w->data_words, w->data_words * sizeof *w->data);
  } else {
    core_in[p->rsp_tag] = in[p->rid];
    core_in[p->rsp_error] = error_of(in[p->rresp]);
    memcpy(&core_in[p->rsp_data], &in[p->rdata], w->data_words * sizeof *w->data);
  }
}

static void inputs(const void *wrapper, const uint32_t *in, const uint32_t *core_out, uint32_t *core_in) {
  const struct master *w = wrapper;
  const struct axi4_master_ports *p = &w->at;
  bool r_valid = w->reads ? burst_ready(w) : in[p->rvalid];
  core_in[p->req_ready] = write_taken(w, in, core_out) || (read_offered(w, core_out) && in[p->arready]);
  core_in[p->rsp_valid] = b_turn(w) || r_valid;
  if (b_turn(w)) {
    core_in[p->rsp_tag] = w->s->b_tag;
    core_in[p->rsp_error] = w->s->b_error;
  } else if (r_valid) {
    read_answer(w, in, core_in);
  }
}

static void step_write(struct master *w, const uint32_t *in, const uint32_t *core_out) {
  const struct axi4_master_ports *p = &w->at;
  struct axi4_master_state *s = w->s;
  bool write = core_out[p->req_write], taken = write_taken(w, in, core_out);
  bool beat = write && !s->w_done && in[p->wready], last = beat && s->beat == w->beats - 1;
  s->aw_done = write && (s->aw_done || in[p->awready]) && !taken;
  s->w_done = write && (s->w_done || last) && !taken;
  if (beat) s->beat = last ? 0 : s->beat + 1;
}

/* A read begins in a buffer, a beat is taken into one, and one is read out; each before it changes what the
 * others look at. */
static void step_bursts(struct master *w, const uint32_t *in, const uint32_t *core_out) {
  const struct axi4_master_ports *p = &w->at;
  struct axi4_master_state *s = w->s;
  bool begin = read_offered(w, core_out) && in[p->arready], beat = in[p->rvalid] && r_ready(w, core_out);
  bool taken = burst_taken(w, core_out), start = starts(w, core_out);
  if (taken) w->buffer[s->out].busy = s->run = false;
  else if (s->run && s->pos < w->beats) s->pos++;
  if (start) {
    s->run = true;
    s->out = s->done;
    s->pos = 1;
    s->done_valid = false;
  }
  if (beat) {
    unsigned i = in[p->rid] & (w->reads - 1);
    struct buffer *b = &w->buffer[i];
    copy_bytes(w->data + (size_t)i * w->data_words, b->beats * w->bytes, &in[p->rdata], 0, w->bytes);
    b->error |= (uint8_t)error_of(in[p->rresp]);
    s->done_valid = ++b->beats == w->beats;
    if (s->done_valid) b->beats = 0, s->done = i;
  }
  if (begin) {
    w->buffer[s->next] = (struct buffer){.busy = true, .tag = core_out[p->req_tag]};
    s->next = (s->next + 1) & (w->reads - 1);
  }
}

static void step(void *wrapper, const uint32_t *in, const uint32_t *core_out) {
  struct master *w = wrapper;
  const struct axi4_master_ports *p = &w->at;
  struct axi4_master_state *s = w->s;
  bool b_now = b_turn(w), answer_ready = core_out[p->rsp_ready], b_taken = b_now && answer_ready;
  bool r_valid = w->reads ? burst_ready(w) : in[p->rvalid], r_taken = r_valid && !b_now && answer_ready;
  bool b_ready = !s->b_valid || b_taken;
  step_write(w, in, core_out);
  if (w->reads) step_bursts(w, in, core_out);
  s->r_first = r_valid && !r_taken && (!b_now || answer_ready);
  if (b_ready) {
    s->b_valid = in[p->bvalid];
    s->b_tag = in[p->bid];
    s->b_error = error_of(in[p->bresp]);
  }
}

const struct simt_wrapper simt_axi4_master = {
  .cell = "axi4_master", .check = "axi4_check", .core = "mem_", .bus = "m_axi_",
  .create = create, .destroy = destroy, .state = state, .outputs = outputs, .inputs = inputs, .step = step,
};
