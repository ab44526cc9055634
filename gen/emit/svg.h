/* SPDX-License-Identifier: Apache-2.0 */
/* svg.h: the pictures of a datasheet. */
#ifndef SIMTGEN_EMIT_SVG_H
#define SIMTGEN_EMIT_SVG_H

#include "emit/document.h"
#include "sim/record.h"

void svg_begin(struct text *t, unsigned w, unsigned h, const char *title);

/* The block with its ports by group: inputs on the left, outputs on the right. */
void svg_symbol(struct text *t, const struct simt_config *cfg);
/* The telling part of a recorded run, in the ports that take part (wave.h); false when nothing happens. */
bool svg_wave(struct text *t, const struct record *r, const char *title);

/* The configuration reports its unit status; then the state diagram and the table of its arrows. */
bool has_status(const struct simt_config *cfg);
void svg_status(struct text *t, const struct simt_config *cfg);
void status_table(struct doc *d);

/* The block has units under a front end (topology.h); their drawing. */
bool has_topology(const struct simt_config *cfg);
void svg_topology(struct text *t, const struct simt_config *cfg);

#endif
