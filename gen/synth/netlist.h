/* SPDX-License-Identifier: Apache-2.0 */
/* netlist.h: what synthesis makes of a configuration's RTL, as Verilog that can be simulated. */
#ifndef SIMTGEN_NETLIST_H
#define SIMTGEN_NETLIST_H

#include "gen.h"

/* Replaces the files of `fs`, the RTL of a configuration, by the netlist of a target and the models of its
 * cells; the module keeps its name and ports. From the cache when the content is known. */
bool netlist_make(struct fileset *fs, const struct simt_config *cfg, const char *target,
                  struct simt_diag *diag);
/* The same with a Yosys script: what comes after reading the Verilog with `hierarchy -top`, in which %s is the
 * name of the top; its output, netlist.v, becomes the file `name` of an otherwise empty set. The files of `fs` may
 * be one file of RTLIL (.il) or JSON (.json) instead. `keep`: in the cache. */
bool netlist_script(struct fileset *fs, const struct simt_config *cfg, const char *script, const char *name,
                    bool keep, struct simt_diag *diag);

#endif
