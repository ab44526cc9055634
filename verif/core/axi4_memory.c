/* SPDX-License-Identifier: Apache-2.0 */
/* axi4_memory.c: the memory as an AXI4 slave. It makes bursts into accesses by the rules of the bus alone, sends
 * their responses in any order, beats of several reads in turns, and compares what the block behind the wrapper
 * asks for and gets with what went over the bus. */
#include <stdlib.h>
#include <string.h>

#include "core/memory_impl.h"
#include "core/wrapped.h"

enum { NO_SLOT = -1, SLVERR = 2 };

struct bus { /* words in the buffers of the whole */
  unsigned awvalid, awready, awid, awaddr, wvalid, wready, wdata, wstrb, wlast, bvalid, bready, bid, bresp;
  unsigned arvalid, arready, arid, araddr, rvalid, rready, rid, rdata, rresp, rlast;
};

struct burst { bool have; unsigned id; uint64_t addr; };

struct simt_axi {
  const struct simt_bus_link *link;
  struct bus at;
  unsigned bytes, beats, addr_words; /* bytes of a beat; beats of a burst */
  struct burst aw, ar;               /* taken from the bus, not yet seen at the block */
  unsigned w_beats;                  /* of the write data taken */
  uint8_t *data, *strb;
  int r, b;                          /* slots whose responses are offered */
};

bool simt_axi_there(const struct simt_config *cfg, const char *port) { return simt_find_mem_port(&cfg->link->whole->desc, port, "m_axi_awvalid"); }

struct simt_axi *simt_axi_create(const struct simt_config *cfg, const char *memory) {
  struct simt_axi *a = calloc(1, sizeof *a);
  if (!a) return NULL;
  struct bus *p = &a->at;
  const struct { unsigned *to; const char *name; } port[] = {
    {&p->awvalid, "awvalid"}, {&p->awready, "awready"}, {&p->awid, "awid"}, {&p->awaddr, "awaddr"},
    {&p->wvalid, "wvalid"}, {&p->wready, "wready"}, {&p->wdata, "wdata"}, {&p->wstrb, "wstrb"}, {&p->wlast, "wlast"},
    {&p->bvalid, "bvalid"}, {&p->bready, "bready"}, {&p->bid, "bid"}, {&p->bresp, "bresp"},
    {&p->arvalid, "arvalid"}, {&p->arready, "arready"}, {&p->arid, "arid"}, {&p->araddr, "araddr"},
    {&p->rvalid, "rvalid"}, {&p->rready, "rready"}, {&p->rid, "rid"}, {&p->rdata, "rdata"}, {&p->rresp, "rresp"},
    {&p->rlast, "rlast"}};
  const struct simt_config *whole = cfg->link->whole;
  for (size_t i = 0; i < sizeof port / sizeof *port; i++) {
    char name[SIMT_NAME_MAX] = "m_axi_";
    strcat(name, port[i].name);
    *port[i].to = simt_find_mem_port(&whole->desc, memory, name)->word;
  }
  unsigned data_bytes = simt_find_mem_port(&cfg->desc, memory, "mem_req_data_o")->width / 8;
  a->link = cfg->link;
  a->bytes = simt_find_mem_port(&whole->desc, memory, "m_axi_wdata")->width / 8;
  a->beats = data_bytes / a->bytes;
  a->addr_words = simt_find_mem_port(&whole->desc, memory, "m_axi_awaddr")->words;
  a->data = calloc(2, data_bytes);
  a->strb = a->data + data_bytes;
  simt_axi_reset(a);
  if (a->data) return a;
  free(a);
  return NULL;
}

void simt_axi_destroy(struct simt_axi *a) {
  if (!a) return;
  free(a->data);
  free(a);
}

void simt_axi_reset(struct simt_axi *a) {
  a->aw.have = a->ar.have = false;
  a->w_beats = 0;
  a->r = a->b = NO_SLOT;
}

/* ---- driving ---------------------------------------------------------------------------------------- */

static bool open_slot(const struct simt_memory *m, unsigned slot) {
  return !m->request[slot].sent && (int)slot != m->axi->r && (int)slot != m->axi->b;
}

static bool response_under_way(struct simt_memory *m) {
  for (unsigned i = 0; i < m->n; i++)
    if (!open_slot(m, *simt_memory_nth(m, i)) || m->request[*simt_memory_nth(m, i)].beats) return true;
  return false;
}

/* The pick-th of the accesses that wait for a response, or NO_SLOT. */
static int pick_slot(struct simt_memory *m, unsigned pick) {
  unsigned open = 0;
  for (unsigned i = 0; i < m->n; i++) open += open_slot(m, *simt_memory_nth(m, i));
  pick = open ? pick % open : 0;
  for (unsigned i = 0; i < m->n; i++)
    if (open_slot(m, *simt_memory_nth(m, i)) && !pick--) return (int)*simt_memory_nth(m, i);
  return NO_SLOT;
}

/* The read that is partly sent, else in fixed mode the one that is due first; of writes the one due first. */
static int due_slot(struct simt_memory *m, bool write, bool partly) {
  int best = NO_SLOT;
  for (unsigned i = 0; i < m->n; i++) {
    unsigned slot = *simt_memory_nth(m, i);
    const struct memory_request *r = &m->request[slot];
    if (r->what.write != write || !open_slot(m, slot)) continue;
    if (r->beats) return (int)slot;
    if (!partly && r->due <= m->cycle && (best < 0 || r->due < m->request[best].due)) best = (int)slot;
  }
  return best;
}

static void offer(struct simt_memory *m, int slot, unsigned error) {
  struct simt_axi *a = m->axi;
  struct memory_request *r = &m->request[slot];
  if (!r->beats) {
    r->what.error = error == 1 ? SLVERR : error; /* the bus knows two */
    if (!error) simt_memory_access(m, (unsigned)slot);
  }
  *(r->what.write ? &a->b : &a->r) = slot;
}

static void put_responses(struct simt_memory *m, uint32_t *in) {
  struct simt_axi *a = m->axi;
  const struct bus *p = &a->at;
  in[p->bvalid] = a->b >= 0;
  in[p->rvalid] = a->r >= 0;
  if (a->b >= 0) {
    in[p->bid] = m->request[a->b].id;
    in[p->bresp] = m->request[a->b].what.error;
  }
  if (a->r < 0) return;
  const struct memory_request *r = &m->request[a->r];
  in[p->rid] = r->id;
  in[p->rresp] = r->beats == (unsigned)r->what.addr / 64 % a->beats ? r->what.error : 0;
  in[p->rlast] = r->beats == a->beats - 1;
  in[p->rdata + (a->bytes - 1) / 4] = 0;
  /* With an error there are no data; what the slot holds may still be those of another request. */
  if (r->what.error) memset(&in[p->rdata], 0, a->bytes);
  else memcpy(&in[p->rdata], m->data + (size_t)a->r * m->at.data_words * 4 + r->beats * a->bytes, a->bytes);
}

static void drive_random(struct simt_memory *m, uint64_t choice, uint32_t *in) {
  struct simt_axi *a = m->axi;
  const struct bus *p = &a->at;
  unsigned not = (unsigned)(choice >> 56);
  bool ready = (choice & READY) && m->n < m->capacity;
  in[p->awready] = ready && (not & 3) != 3;
  in[p->wready] = ready && (not & 12) != 12;
  in[p->arready] = ready && (not & 48) != 48;
  m->at_once = choice & AT_ONCE;
  if (m->n && (choice & TOUCH)) simt_memory_access(m, *simt_memory_nth(m, (unsigned)(choice >> 24 & 0xffff) % m->n));
  bool alone = (choice >> 54 & 3) == 0; /* no second response before the block has the first: directed tests count them */
  int slot = choice & ANSWER && !(alone && response_under_way(m)) ? pick_slot(m, (unsigned)(choice >> 8 & 0xffff)) : NO_SLOT;
  if (slot >= 0 && (m->request[slot].what.write ? a->b : a->r) < 0) offer(m, slot, (unsigned)(choice >> 4 & 3));
  slot = a->r < 0 && (choice >> 52 & 3) != 3 ? due_slot(m, false, true) : NO_SLOT;
  if (slot >= 0) offer(m, slot, 0);
}

static void drive_fixed(struct simt_memory *m, uint32_t *in) {
  struct simt_axi *a = m->axi;
  const struct bus *p = &a->at;
  in[p->awready] = in[p->wready] = in[p->arready] = m->n < m->capacity;
  m->at_once = false;
  int r = a->r < 0 ? due_slot(m, false, false) : NO_SLOT, b = a->b < 0 ? due_slot(m, true, false) : NO_SLOT;
  if (r >= 0) offer(m, r, 0);
  if (b >= 0) offer(m, b, 0);
}

void simt_axi_drive(struct simt_memory *m, uint64_t choice) {
  uint32_t *in = m->axi->link->in;
  if (m->latency) drive_fixed(m, in);
  else drive_random(m, choice, in);
  put_responses(m, in);
}

/* ---- checking --------------------------------------------------------------------------------------- */

static uint64_t get(const uint32_t *w, unsigned words) { return words > 1 ? simt_get64(w) : w[0]; }

static void take_data(struct simt_axi *a, const uint32_t *out) {
  memcpy(a->data + a->w_beats * a->bytes, &out[a->at.wdata], a->bytes);
  for (unsigned i = 0; i < a->bytes; i++)
    a->strb[a->w_beats * a->bytes + i] = out[a->at.wstrb + i / 32] >> i % 32 & 1;
  a->w_beats++;
}

const char *simt_axi_observe(struct simt_memory *m) {
  struct simt_axi *a = m->axi;
  const struct bus *p = &a->at;
  const uint32_t *in = a->link->in, *out = a->link->out;
  if (out[p->awvalid] && in[p->awready]) {
    if (a->aw.have) return "bus: a write address before the last write is whole";
    a->aw = (struct burst){true, out[p->awid], get(&out[p->awaddr], a->addr_words)};
  }
  if (out[p->wvalid] && in[p->wready]) {
    if (a->w_beats == a->beats) return "bus: write data beyond the end of the burst";
    take_data(a, out);
    if (out[p->wlast] != (a->w_beats == a->beats)) return "bus: the last beat of a write is not marked";
  }
  if (out[p->arvalid] && in[p->arready])
    a->ar = (struct burst){true, out[p->arid], get(&out[p->araddr], a->addr_words)};
  if (a->b >= 0 && out[p->bready]) {
    m->request[a->b].sent = true;
    a->b = NO_SLOT;
  }
  if (a->r >= 0 && out[p->rready]) {
    m->request[a->r].sent = ++m->request[a->r].beats == a->beats;
    a->r = NO_SLOT;
  }
  return NULL;
}

const char *simt_axi_request(struct simt_memory *m, unsigned slot, const uint32_t *out) {
  struct simt_axi *a = m->axi;
  struct memory_request *r = &m->request[slot];
  struct burst *from = r->what.write ? &a->aw : &a->ar;
  if (!from->have || from->addr != r->what.addr) return "bus: the burst has another address than the request";
  r->id = from->id;
  from->have = false;
  if (!r->what.write) return NULL;
  if (a->w_beats != a->beats) return "bus: a write is taken before its data";
  a->w_beats = 0;
  if (memcmp(a->data, &out[m->at.data], a->beats * a->bytes)) return "bus: write data are not the request's";
  for (unsigned i = 0; i < a->beats * a->bytes; i++)
    if (a->strb[i] != (out[m->at.strb + i / 32] >> i % 32 & 1)) return "bus: write strobes are not the request's";
  return NULL;
}

const char *simt_axi_answer(struct simt_memory *m, const uint32_t *in) {
  uint64_t tag = get(&in[m->at.rsp_tag], m->at.tag_words);
  unsigned i = 0;
  while (i < m->n && m->request[*simt_memory_nth(m, i)].what.tag != tag) i++;
  if (i == m->n) return "bus: the block gets an answer to no request";
  unsigned *chosen = simt_memory_nth(m, i), *head = simt_memory_nth(m, 0), slot = *chosen;
  const struct memory_request *r = &m->request[slot];
  *chosen = *head;
  *head = slot;
  if (!r->sent) return "bus: the block gets an answer before the bus has sent it";
  if (in[m->at.rsp_error] != r->what.error) return "bus: the block gets another error than the bus has sent";
  const uint8_t *data = m->data + (size_t)slot * m->at.data_words * 4;
  if (!r->what.write && !r->what.error && memcmp(data, &in[m->at.rsp_data], m->bytes)) return "bus: the block gets other data than the bus has sent";
  return NULL;
}

const char *simt_axi_end(struct simt_memory *m) {
  const struct simt_axi *a = m->axi;
  bool write = a->aw.have && a->w_beats == a->beats;
  return write || a->ar.have ? "bus: a burst that the block does not ask for" : NULL;
}
