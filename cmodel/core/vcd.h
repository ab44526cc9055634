/* SPDX-License-Identifier: Apache-2.0 */
/* vcd.h: waveforms of a run as text: the inputs, and every output of model and RTL side by side. */
#ifndef SIMT_VCD_H
#define SIMT_VCD_H

#include "core/lockstep_checker.h"

struct vcd;

/* Ten time units a cycle, rising clock edge at the start. The text goes to `to`. NULL on lack of memory. */
struct vcd *vcd_open(const struct simt_config *cfg, bool with_rtl, struct simt_sink to);
/* One cycle; `rtl` is NULL without. A model's payload without its valid is shown as x, and so are an input and an
 * output of the RTL whose bit of `unknown` is 1, which has one for each port of cfg->desc; NULL: all are known. */
void vcd_cycle(struct vcd *v, uint64_t cycle, const uint32_t *in, const uint32_t *model, const uint32_t *rtl,
               const uint32_t *unknown);
void vcd_close(struct vcd *v);

#endif
