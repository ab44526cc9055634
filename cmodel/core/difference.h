/* SPDX-License-Identifier: Apache-2.0 */
/* difference.h: how a failure report names a port and the values that differ. */
#ifndef SIMT_DIFFERENCE_H
#define SIMT_DIFFERENCE_H

#include "core/lockstep_checker.h"

/* printf to a sink, in pieces of at most 255 characters. */
void simt_put(struct simt_sink to, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* "PORT: RTL 0x1 {kind 0x1}, model 0x2 {kind 0x2}", and which elements differ of a port of equal ones. `rtl` is NULL when
 * the simulator does not know its value. */
void simt_put_difference(struct simt_sink to, const struct simt_port *p, const uint32_t *rtl, const uint32_t *model);

#endif
