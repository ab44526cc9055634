/* SPDX-License-Identifier: Apache-2.0 */
/* inputs_test.c: every model survives inputs in which bits above the width of a port are set, and says what is meant
 * when it is asked for the wrong model. Prints a line per test. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/simt.h"

enum { CYCLES = 10000 };

static uint32_t next_random(uint64_t *s) {
  *s ^= *s << 13;
  *s ^= *s >> 7;
  *s ^= *s << 17;
  return (uint32_t)(*s >> 16);
}

/* Every word of every input at random, now and then a cycle of reset. */
static bool runs(const struct simt_config *cfg) {
  struct simt_diag diag = {0};
  const struct simt_model_ops *ops = simt_model(cfg);
  const struct simt_port *reset = simt_find_port(cfg, "rst_i");
  uint32_t *in = calloc(cfg->desc.in_words + 1, sizeof *in), *out = calloc(cfg->desc.out_words + 1, sizeof *out);
  void *model = ops->create(cfg, &diag);
  uint64_t seed = 88172645463325252u;
  if (!in || !out || !model || !reset) return false;
  ops->reset(model);
  for (unsigned cycle = 0; cycle < CYCLES; cycle++) {
    ops->outputs(model, out);
    for (unsigned i = 0; i < cfg->desc.in_words; i++) in[i] = next_random(&seed);
    in[reset->word] = cycle % 4000 == 0;
    ops->step(model, in);
  }
  ops->destroy(model);
  free(in);
  free(out);
  return true;
}

static bool resolve(struct simt_config *cfg, const struct simt_block *block, const char *bus) {
  struct simt_diag diag = {0};
  simt_config_init(cfg, block);
  return (!bus || simt_set_param(cfg, "bus", bus, &diag)) && simt_resolve(cfg, &diag);
}

static bool test_block(const struct simt_block *block) {
  struct simt_config cfg;
  bool good = resolve(&cfg, block, NULL) && runs(&cfg);
  bool has_bus = simt_param_index(&cfg, "bus") >= 0;
  simt_config_free(&cfg);
  if (!has_bus || !good) return good;
  struct simt_diag diag = {0};
  good = resolve(&cfg, block, "axi4") && runs(&cfg) && !block->model.create(&cfg, &diag) &&
         strstr(diag.expected, "simt_model(&cfg)");
  simt_config_free(&cfg);
  return good;
}

int main(void) {
  bool all = true;
  for (size_t i = 0; simt_blocks[i]; i++) {
    bool good = test_block(simt_blocks[i]);
    printf("%s model of %s: any bits in the words of the inputs, its own model refused with a bus%s\n",
           good ? "ok" : "not ok", simt_blocks[i]->name, good ? "" : ": it does not run, or creates it");
    fflush(stdout);
    all = all && good;
  }
  return !all;
}
