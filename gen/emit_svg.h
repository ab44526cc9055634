/* SPDX-License-Identifier: Apache-2.0 */
/* emit_svg.h: the pictures of a datasheet. */
#ifndef SIMTGEN_EMIT_SVG_H
#define SIMTGEN_EMIT_SVG_H

#include "gen.h"
#include "record.h"

/* The block with its ports by group: inputs on the left, outputs on the right. */
void svg_symbol(struct text *t, const struct simt_config *cfg);
/* The telling part of a recorded run, in the ports that take part (wave.h); false when nothing happens. */
bool svg_wave(struct text *t, const struct record *r, const char *title);

#endif
