/* SPDX-License-Identifier: Apache-2.0 */
/* beats.h: the memory behind the port of stack_barrel. With MEM_W of one entry a set comes and goes in SET beats (SC-10), while
 * the memory behind it is one of whole sets: its contents, events and counts are as with MEM_W of a set. */
#ifndef STACK_BARREL_BEATS_H
#define STACK_BARREL_BEATS_H

#include "core/memory.h"
#include "core/ports.h"
#include "stack_barrel/layout.h"

struct bar_port {
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
bool bar_port_create(struct bar_port *p, const struct simt_config *cfg, struct simt_diag *diag);
void bar_port_destroy(struct bar_port *p);
void bar_port_restart(struct bar_port *p);
/* As simt_memory_drive and simt_memory_observe. The beats of an answer come with gaps, if `choice` is not 0; the code of one that
 * fails is with one of its beats. */
void bar_port_drive(struct bar_port *p, uint64_t choice, uint32_t *in);
const char *bar_port_observe(struct bar_port *p, const uint32_t *in, const uint32_t *out);

#endif
