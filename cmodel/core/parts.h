/* SPDX-License-Identifier: Apache-2.0 */
/* parts.h: the models of several blocks wired together as one model, for blocks and test systems that consist of others.
 * Not installed.
 *
 * The outputs of a part follow from its state alone, so a cycle is: outputs of all, inputs of all from them and
 * from outside, a step of all. A wire carries bits of an output to bits of an input. */
#ifndef SIMT_PARTS_H
#define SIMT_PARTS_H

#include "core/simt.h"

enum { SIMT_OUTSIDE = -1 }; /* as a part's number: the ports of the whole */

/* Appends the registers of a part with their fields to the whole's; the addresses begin at `base` there. */
void simt_add_regs_of(struct simt_desc *d, const struct simt_config *part, uint32_t base);

struct simt_parts;
/* `whole` is resolved, so are the n configurations in `part`; they outlive it. NULL and diag on lack of memory. rst_i of
 * the whole goes to every part; everything else is wired. */
struct simt_parts *simt_parts_create(const struct simt_config *whole, struct simt_config *part, unsigned n,
                                     struct simt_diag *diag);
void simt_parts_destroy(struct simt_parts *p);

/* `width` bits of a port from bit `from_lo`, to another one's from bit `to_lo`. Outside, an input is a source. A port that
 * does not exist is an error of the caller: it ends the program. */
struct simt_wire_end { int part; const char *port; unsigned low; };
void simt_parts_wire(struct simt_parts *p, struct simt_wire_end from, struct simt_wire_end to, unsigned width);
/* Wires each output NAME_o of a part to the input NAME_i of every other part that has one of that width, and ports that
 * the whole has under the same name to it. */
void simt_parts_wire_names(struct simt_parts *p);

/* A part's buffers of this cycle, for what stands between parts: outputs after simt_parts_look, inputs before
 * simt_parts_go. simt_parts_step is look, then go. */
const uint32_t *simt_parts_out(const struct simt_parts *p, unsigned part);
uint32_t *simt_parts_in(struct simt_parts *p, unsigned part);
void *simt_parts_model(struct simt_parts *p, unsigned part);
void simt_parts_look(struct simt_parts *p, const uint32_t *in);
void simt_parts_go(struct simt_parts *p);

void simt_parts_reset(struct simt_parts *p);
void simt_parts_outputs(struct simt_parts *p, uint32_t *out);
void simt_parts_step(struct simt_parts *p, const uint32_t *in);
void simt_parts_image(struct simt_parts *p, struct simt_image *image); /* the parts of all of them */

#endif
