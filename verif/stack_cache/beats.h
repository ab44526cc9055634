/* SPDX-License-Identifier: Apache-2.0 */
/* beats.h: the memory behind the port of stack_cache. With MEM_W of one entry a set comes and goes in SET beats (SC-10), while
 * the memory behind it is one of whole sets: its contents, events and counts are as with MEM_W of a set. */
#ifndef STACK_CACHE_BEATS_H
#define STACK_CACHE_BEATS_H

#include "core/memory.h"
#include "core/ports.h"
#include "stack_cache/layout.h"

struct stk_port {
  struct simt_memory *memory;
  unsigned beats;
  /* With beats: the port of whole sets, and how far a set has come. What `out` shows of a request is whole when its last beat
   * is offered; it is valid only then. */
  struct simt_config wide;
  struct simt_mem_ports at, wide_at;
  unsigned bytes, rst, wide_rst;
  uint32_t *in, *out;
  uint64_t cycle;
  unsigned write_beat, read_beat;
  bool offered; /* a beat of an answer, until it is taken */
  bool *reads;  /* by tag: the access under way is a read */
};

/* False and diag without memory. Random mode of the memory; simt_memory_fixed(p->memory, ..) as ever. */
bool stk_port_create(struct stk_port *p, const struct simt_config *cfg, struct simt_diag *diag);
void stk_port_destroy(struct stk_port *p);
void stk_port_restart(struct stk_port *p);
/* As simt_memory_drive and simt_memory_observe. The beats of an answer come with gaps, if `choice` is not 0; the code of one that
 * fails is with one of its beats. */
void stk_port_drive(struct stk_port *p, uint64_t choice, uint32_t *in);
const char *stk_port_observe(struct stk_port *p, const uint32_t *in, const uint32_t *out);

#endif
