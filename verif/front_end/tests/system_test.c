/* SPDX-License-Identifier: Apache-2.0 */
/* system_test.c: the system of verif/front_end/system as models alone: stacks with branch units and their memory on one front end,
 * switched at random cycles between two workloads, every answer right.
 *   system_test SWITCHES SEED PROFILE LATENCY [NAME=VALUE]...    LATENCY of the memories, 0: at random */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tree_system/env.h"

static struct simt_config cfg;

static int fail(const struct ts_env *e, const char *what) {
  printf("cycle %" PRIu64 ", switch %" PRIu64 ": %s\n", e->cycle, e->switches, what);
  return 1;
}

static int run(struct ts_env *e, void *model, uint32_t *in, uint32_t *out, uint64_t wanted) {
  const struct simt_verif *v = &simt_verif_tree_system;
  const struct simt_model_ops *ops = simt_model(&cfg);
  struct ts_choice choice;
  uint64_t done = 0, since = 0;
  bool busy;
  ops->reset(model);
  while (e->switches < wanted) {
    ops->outputs(model, out);
    v->choose(e, &choice);
    v->drive(e, &choice, out, in);
    const char *wrong = v->observe(e, in, out);
    if (wrong) return fail(e, wrong);
    ops->step(model, in);
    const uint64_t now = v->progress(e, &busy);
    since = now == done ? since + 1 : 0;
    done = now;
    if (since > v->stuck_cycles) return fail(e, "nothing moves any more");
  }
  char line[400];
  const bool good = ts_report(e, line, sizeof line);
  puts(line);
  return good ? 0 : fail(e, "a workload stands still");
}

int main(int argc, char **argv) {
  struct simt_diag diag = {0};
  if (argc < 5) return 2;
  simt_config_init(&cfg, &simt_block_tree_system);
  for (int i = 5; i < argc; i++) {
    char *value = strchr(argv[i], '=');
    if (value) *value = 0;
    if (!value || !simt_set_param(&cfg, argv[i], value + 1, &diag)) break;
  }
  if (diag.failed || !simt_resolve(&cfg, &diag)) {
    printf("%s: got %s, expected %s\n", diag.name, diag.got, diag.expected);
    return 2;
  }
  const struct simt_stimulus stim = {.kind = "random", .profile = argv[3], .latency = (unsigned)strtoul(argv[4], NULL, 10),
                                     .seed = strtoull(argv[2], NULL, 10)};
  struct ts_env *e = simt_verif_tree_system.create(&cfg, &stim, &diag);
  void *model = simt_model(&cfg)->create(&cfg, &diag);
  uint32_t *in = calloc(cfg.desc.in_words + 1, sizeof *in), *out = calloc(cfg.desc.out_words + 1, sizeof *out);
  const int status = e && model && in && out ? run(e, model, in, out, strtoull(argv[1], NULL, 10)) : 2;
  if (e) simt_verif_tree_system.destroy(e);
  simt_model(&cfg)->destroy(model);
  free(in);
  free(out);
  simt_config_free(&cfg);
  return status;
}
