/* SPDX-License-Identifier: Apache-2.0 */
/* verilog.h: the ports of a Verilog module that somebody else wrote, read from its head. */
#ifndef SIMTGEN_VERILOG_H
#define SIMTGEN_VERILOG_H

#include <stdbool.h>
#include <stddef.h>

struct verilog_port { char name[80]; bool in; unsigned width; };
struct verilog_module { struct verilog_port *port; size_t n; };

/* Finds a module in a Verilog text and reads its ports, with the widths that follow from the defaults of its
 * parameters. The ports must be declared in the head (`module m #(parameter W = 8) (input wire [W-1:0] a_i, ...)`).
 * False for what it cannot read: then `problem` says what and in which line. The caller frees the ports, also then. */
bool verilog_read(const char *text, const char *module, struct verilog_module *m, char *problem, size_t room);
void verilog_free(struct verilog_module *m);
/* A port by name, or NULL. */
const struct verilog_port *verilog_find(const struct verilog_module *m, const char *name);

#endif
