/* SPDX-License-Identifier: Apache-2.0 */
/* registers.h: the register port of a model: what the description says decides what is refused (cells register_port and
 * register_map of the RTL).
 *
 * A model keeps a struct simt_reg_access, shows it with simt_reg_outputs, and in each step, before anything of the cycle
 * has changed, asks simt_reg_now for the register of the access that executes, ends it with simt_reg_answer, and takes the
 * next with simt_reg_take. */
#ifndef SIMT_REGISTERS_H
#define SIMT_REGISTERS_H

#include "ports.h"

struct simt_reg_access {
  bool busy;                 /* one is under way, taken in an earlier cycle */
  bool write;
  uint32_t addr, data;
  bool rsp_valid, rsp_error; /* the answer of this cycle */
  uint32_t rsp_data;
};

/* The rules of a register of which only its access is said. */
void simt_reg_default(struct simt_reg *r);

/* The register at a byte address, or NULL: none, or not the address of a word. */
const struct simt_reg *simt_reg_at(const struct simt_desc *d, uint32_t addr);
/* Whether the description lets a register (NULL: none) be read; be written with this value. A block may refuse more. */
bool simt_reg_reads(const struct simt_reg *r);
bool simt_reg_takes(const struct simt_reg *r, uint32_t value);
/* What a register holds of a value that it takes. */
uint32_t simt_reg_holds(const struct simt_reg *r, uint32_t value);

/* The register of the access under way, or NULL when the description refuses it, or there is none. */
const struct simt_reg *simt_reg_now(const struct simt_reg_access *a, const struct simt_desc *d);
/* Ends the access: its answer is shown in the next cycle. `data` means something for a read that is good. */
void simt_reg_answer(struct simt_reg_access *a, bool good, uint32_t data);
/* The access of this cycle's inputs is taken; the block was ready. */
static inline void simt_reg_take(struct simt_reg_access *a, const struct simt_reg_ports *at, const uint32_t *in) {
  a->busy = true;
  a->write = in[at->write];
  a->addr = in[at->addr];
  a->data = in[at->data];
}
static inline void simt_reg_outputs(const struct simt_reg_access *a, bool ready, const struct simt_reg_ports *at, uint32_t *out) {
  out[at->ready] = ready;
  out[at->rsp] = a->rsp_valid;
  out[at->rsp_data] = a->rsp_data;
  out[at->rsp_error] = a->rsp_error;
}

#endif
