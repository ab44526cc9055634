/* SPDX-License-Identifier: Apache-2.0 */
/* model_test.c: environment and model of a block, without RTL: model_test BLOCK CYCLES SEED KIND[:PROFILE]
 * [NAME=VALUE]... Prints what is wrong, or the coverage points that were missed with `-` before them. With FROM=CYCLE in
 * the environment also what each cycle from there on does. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/lockstep.h"

struct teller { const struct lockstep *runs; const struct simt_verif *verif; uint64_t from; };

static void tell(void *ctx, uint64_t cycle, const uint32_t *in, const uint32_t *model, const uint32_t *rtl) {
  const struct teller *t = ctx;
  char line[200];
  (void)model, (void)rtl;
  if (cycle < t->from) return;
  t->verif->explain(lockstep_env(t->runs), in, line, sizeof line);
  fprintf(stderr, "%" PRIu64 ": %s\n", cycle, line);
}

int main(int argc, char **argv) {
  struct simt_diag diag = {0};
  struct simt_config cfg;
  const struct simt_block *block = argc < 5 ? NULL : simt_find_block(argv[1]);
  const struct simt_verif *v = block ? simt_find_verif(block) : NULL;
  if (!v) return 2;
  char *profile = strchr(argv[4], ':');
  if (profile) *profile++ = '\0';
  struct simt_stimulus stim = {.kind = argv[4], .profile = profile, .cycles = strtoull(argv[2], NULL, 10),
                               .seed = strtoull(argv[3], NULL, 10)};
  simt_config_init(&cfg, block);
  for (int i = 5; i < argc; i++) {
    char *value = strchr(argv[i], '=');
    if (!value) return 2;
    *value++ = '\0';
    if (!simt_set_param(&cfg, argv[i], value, &diag)) return 2;
  }
  struct lockstep *l = simt_resolve(&cfg, &diag) ? lockstep_create(&cfg, v, &stim, NULL, &diag) : NULL;
  if (!l) {
    fprintf(stderr, "%s: %s\n", diag.name, diag.expected);
    return 2;
  }
  const char *from = getenv("FROM");
  struct teller teller = {l, v, from ? strtoull(from, NULL, 10) : 0};
  struct lockstep_plan plan = {.cycles = stim.cycles, .watch = from ? tell : NULL, .ctx = &teller};
  struct lockstep_result r = lockstep_run(l, &plan);
  if (r.end != LOCKSTEP_PASS) printf("cycle %" PRIu64 ": %s\n", r.cycles - 1, r.message);
  for (size_t i = 0; i < cfg.desc.n_covers && r.end == LOCKSTEP_PASS; i++)
    if (!r.coverage[i]) printf("- %s\n", cfg.desc.covers[i].name);
  fprintf(stderr, "%" PRIu64 " cycles in %.1f s\n", r.cycles, r.seconds);
  lockstep_destroy(l);
  simt_config_free(&cfg);
  return r.end != LOCKSTEP_PASS;
}
