/* SPDX-License-Identifier: Apache-2.0 */
/* beats.c: the memory behind the port of stack_cache, in beats or not. */
#include "stack_cache/beats.h"

#include <stdlib.h>
#include <string.h>

static bool create_wide(struct stk_port *p, const struct simt_config *cfg, struct simt_diag *diag) {
  simt_config_init(&p->wide, cfg->block);
  for (size_t i = 0; i < p->wide.n_params && i < cfg->n_params; i++) {
    p->wide.value[i] = cfg->value[i];
    p->wide.given[i] = cfg->given[i];
  }
  if (!simt_set_param(&p->wide, "MEM_W", "set", diag) || !simt_resolve(&p->wide, diag)) return false;
  simt_mem_ports_bind(&p->at, cfg);
  simt_mem_ports_bind(&p->wide_at, &p->wide);
  p->rst = simt_port_word(cfg, "rst_i");
  p->wide_rst = simt_port_word(&p->wide, "rst_i");
  p->bytes = simt_find_port(cfg, "mem_rsp_data_i")->width / 8;
  p->in = calloc(p->wide.desc.in_words, sizeof *p->in);
  p->out = calloc(p->wide.desc.out_words, sizeof *p->out);
  p->reads = calloc((size_t)1 << simt_find_port(cfg, "mem_req_tag_o")->width, sizeof *p->reads);
  return (p->in && p->out && p->reads) || simt_fail(diag, "memory", "no memory", "memory for its port");
}

bool stk_port_create(struct stk_port *p, const struct simt_config *cfg, struct simt_diag *diag) {
  *p = (struct stk_port){.beats = (unsigned)simt_derived(cfg, "MEM_BEATS")};
  if (p->beats > 1 && !create_wide(p, cfg, diag)) return false;
  p->memory = simt_memory_create(p->beats > 1 ? &p->wide : cfg, diag);
  return p->memory;
}

void stk_port_destroy(struct stk_port *p) {
  simt_memory_destroy(p->memory);
  if (p->beats > 1) simt_config_free(&p->wide);
  free(p->in);
  free(p->out);
  free(p->reads);
}

void stk_port_restart(struct stk_port *p) {
  simt_memory_restart(p->memory);
  p->write_beat = p->read_beat = 0;
  p->cycle = 0;
  p->offered = false;
}

static unsigned hash(uint64_t choice) { return (unsigned)(choice * 0x9e3779b97f4a7c15u >> 56); }

static bool is_read(const struct stk_port *p) { return p->reads[p->in[p->wide_at.rsp_tag]]; }

void stk_port_drive(struct stk_port *p, uint64_t choice, uint32_t *in) {
  const struct simt_mem_ports *at = &p->at, *wide = &p->wide_at;
  if (p->beats == 1) {
    simt_memory_drive(p->memory, choice, in);
    return;
  }
  simt_memory_drive(p->memory, choice, p->in);
  const bool valid = p->in[wide->rsp_valid], read = valid && is_read(p), gap = read && choice && hash(choice + ++p->cycle) < 64;
  p->offered = valid && (p->offered || !gap);
  in[at->req_ready] = p->in[wide->req_ready];
  in[at->rsp_valid] = p->offered;
  in[at->rsp_tag] = p->in[wide->rsp_tag];
  const unsigned words = (p->bytes + 3) / 4, with = in[at->rsp_tag] % p->beats; /* the beat that has the code */
  const unsigned beat = read ? p->read_beat : 0;
  memset(in + at->rsp_data, 0, words * sizeof *in);
  memcpy(in + at->rsp_data, (const char *)(p->in + wide->rsp_data) + beat * p->bytes, p->bytes);
  in[at->rsp_error] = !read || beat == with ? p->in[wide->rsp_error] : 0;
}

/* A write in hand goes on with the same address and tag. */
static const char *goes_on(const struct stk_port *p, const uint32_t *out) {
  const struct simt_mem_ports *at = &p->at, *wide = &p->wide_at;
  const size_t words = p->wide_at.req_data - p->wide_at.req_addr; /* of the address: data is behind it */
  if (!out[at->req_valid] || !out[at->req_write]) return "a write ends before its last beat";
  if (out[at->req_tag] != p->out[wide->req_tag]) return "the tag changes between the beats of a write";
  if (memcmp(out + at->req_addr, p->out + wide->req_addr, words * sizeof *out)) return "the address changes between the beats of a write";
  return NULL;
}

/* The request as the memory of sets sees it. */
static void gather(struct stk_port *p, const uint32_t *out) {
  const struct simt_mem_ports *at = &p->at, *wide = &p->wide_at;
  const size_t words = wide->req_data - wide->req_addr;
  const bool write = out[at->req_valid] && out[at->req_write];
  p->out[wide->req_valid] = out[at->req_valid] && (!write || p->write_beat + 1 == p->beats);
  p->out[wide->req_write] = write && p->out[wide->req_valid];
  p->out[wide->req_tag] = out[at->req_tag];
  memcpy(p->out + wide->req_addr, out + at->req_addr, words * sizeof *out);
  if (!write) return;
  memcpy((char *)(p->out + wide->req_data) + p->write_beat * p->bytes, out + at->req_data, p->bytes);
  for (unsigned i = 0; i < p->bytes; i++)
    simt_put_bits(p->out + wide->req_strb, p->write_beat * p->bytes + i, 1, simt_get_bits(out + at->req_strb, i, 1));
}

const char *stk_port_observe(struct stk_port *p, const uint32_t *in, const uint32_t *out) {
  const struct simt_mem_ports *at = &p->at, *wide = &p->wide_at;
  if (p->beats == 1) return simt_memory_observe(p->memory, in, out);
  const char *wrong = p->write_beat && !in[p->rst] ? goes_on(p, out) : NULL;
  if (wrong) return wrong;
  gather(p, out);
  const bool read = in[at->rsp_valid] && is_read(p), takes = in[at->rsp_valid] && out[at->rsp_ready];
  const bool writes = out[at->req_valid] && out[at->req_write] && in[at->req_ready];
  p->in[p->wide_rst] = in[p->rst];
  p->out[wide->rsp_ready] = takes && (!read || p->read_beat + 1 == p->beats);
  if (p->out[wide->req_valid] && in[at->req_ready]) p->reads[out[at->req_tag]] = !out[at->req_write];
  if (writes) p->write_beat = p->write_beat + 1 < p->beats ? p->write_beat + 1 : 0;
  if (takes && read) p->read_beat = p->read_beat + 1 < p->beats ? p->read_beat + 1 : 0;
  if (takes) p->offered = false;
  if (in[p->rst]) {
    p->write_beat = p->read_beat = 0;
    p->offered = false;
  }
  return simt_memory_observe(p->memory, p->in, p->out);
}
