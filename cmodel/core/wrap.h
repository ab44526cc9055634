/* SPDX-License-Identifier: Apache-2.0 */
/* wrap.h: bus wrappers (docs/buses.md): cells of rtl_templates/lib between a port that many blocks have and a
 * standard bus, their cycle models, and block and wrappers as one model. Not installed. */
#ifndef SIMT_WRAP_H
#define SIMT_WRAP_H

#include "core/simt.h"

/* A kind of wrapper. `core_out` and `core_in` are the word buffers of the block alone, `out` and `in` those of
 * the whole. An output of the whole depends on the states of wrapper and block only. */
struct simt_wrapper {
  const char *cell;  /* the Verilog module */
  const char *check; /* the Verilog module that watches the protocol at its bus ports */
  const char *core;  /* ports of the block that end at the cell: this, then req_ or rsp_ */
  const char *bus;   /* ports of the whole that begin at the cell */
  void *(*create)(const struct simt_config *cfg, const struct simt_wrap *w); /* resolved, outlive it; NULL on lack of memory */
  void (*destroy)(void *wrapper);
  void *(*state)(void *wrapper, size_t *size);    /* one piece of memory; all zero after reset */
  void (*outputs)(const void *wrapper, const uint32_t *core_out, uint32_t *out);
  void (*inputs)(const void *wrapper, const uint32_t *in, const uint32_t *core_out, uint32_t *core_in);
  void (*step)(void *wrapper, const uint32_t *in, const uint32_t *core_out); /* no reset */
};
extern const struct simt_wrapper simt_axi4_master, simt_axi4_lite_regs;

/* Whether a port of the block ends at the wrapper. */
bool simt_wraps(const struct simt_wrap *w, const char *port);
/* Whether a port of the whole begins at the wrapper. */
bool simt_is_bus(const struct simt_wrap *w, const char *port);
/* The wrappers of a configuration without its block, for the model and for environments. NULL on lack of
 * memory. In `inputs`, core_in must hold the ports that no wrapper drives already (simt_wraps_pass). */
struct simt_wraps;
struct simt_wraps *simt_wraps_create(const struct simt_config *cfg);
void simt_wraps_destroy(struct simt_wraps *w);
void simt_wraps_reset(struct simt_wraps *w);
void simt_wraps_outputs(const struct simt_wraps *w, const uint32_t *core_out, uint32_t *out);
void simt_wraps_inputs(const struct simt_wraps *w, const uint32_t *in, const uint32_t *core_out, uint32_t *core_in);
void simt_wraps_step(struct simt_wraps *w, const uint32_t *in, const uint32_t *core_out);
/* Copies the inputs that pass by the wrappers, from the block's buffer to that of the whole. */
void simt_wraps_pass(const struct simt_wraps *w, const uint32_t *core_in, uint32_t *in);

/* For core.c: appends the options that the ports of the block's default configuration call for; replaces the
 * ports of a resolved configuration by those of the wrappers that its options choose. */
void simt_wrap_options(struct simt_config *cfg);
bool simt_wrap_resolve(struct simt_config *cfg, struct simt_diag *diag);
/* For messages: the port that an option is for ("second memory port"); NULL: it is no such option. */
const char *simt_wrap_port(const char *option);
/* For wrap.c: the block's own resolve. */
bool simt_block_resolve(const struct simt_config *cfg, struct simt_desc *d, struct simt_diag *diag);
extern const struct simt_model_ops simt_wrap_model;

#endif
