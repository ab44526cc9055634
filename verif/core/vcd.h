/* SPDX-License-Identifier: Apache-2.0 */
/* vcd.h: waveforms of a run: the inputs, and every output of model and RTL side by side. */
#ifndef SIMT_VCD_H
#define SIMT_VCD_H

#include "core/simt.h"

struct vcd;

/* Ten time units a cycle, rising clock edge at the start. NULL and diag when the file cannot be
 * written. */
struct vcd *vcd_open(const char *path, const struct simt_config *cfg, bool with_rtl,
                     struct simt_diag *diag);
/* One cycle; `rtl` is NULL without. A model's payload without its valid is shown as x. */
void vcd_cycle(struct vcd *v, uint64_t cycle, const uint32_t *in, const uint32_t *model,
               const uint32_t *rtl);
/* False when something could not be written. */
bool vcd_close(struct vcd *v);

#endif
