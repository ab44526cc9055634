/* SPDX-License-Identifier: Apache-2.0 */
/* sim_test.c: the simulation alone, for models with a planted fault. Arguments: TRACE [NAME=VALUE]... */
#include <stdio.h>
#include <string.h>

#include "stack_cache/baseline.h"

extern const struct simt_block simt_block_stack_cache;

static void put(void *ctx, const char *name, double value, const char *unit, const char *doc) {
  (void)ctx, (void)unit, (void)doc;
  printf("%s %.0f\n", name, value);
}

int main(int argc, char **argv) {
  struct simt_diag diag = {0};
  struct simt_config cfg;
  simt_config_init(&cfg, &simt_block_stack_cache);
  bool good = argc > 1;
  for (int i = 2; good && i < argc; i++) {
    char *equals = strchr(argv[i], '=');
    if (equals) *equals = 0;
    good = equals && simt_set_param(&cfg, argv[i], equals + 1, &diag);
  }
  good = good && simt_resolve(&cfg, &diag);
  good = good && stk_sim(&cfg, &(struct simt_stimulus){.kind = "trace", .trace = argv[1]}, put, NULL, &diag);
  if (!good) fprintf(stderr, "%s: got %s, expected %s\n", diag.name, diag.got, diag.expected);
  simt_config_free(&cfg);
  return !good;
}
