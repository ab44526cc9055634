/* SPDX-License-Identifier: Apache-2.0 */
/* find.c: from a block to what verifies it, and what of that a configuration takes. */
#include "core/verif.h"

const struct simt_verif *simt_find_verif(const struct simt_block *block) {
  for (size_t i = 0; simt_verifs[i]; i++)
    if (simt_verifs[i]->block == block) return simt_verifs[i];
  return NULL;
}

bool simt_has_profile(const struct simt_config *cfg, const char *profile) {
  const struct simt_verif *verif = simt_find_verif(cfg->block);
  struct simt_diag unused = {0};
  struct simt_stimulus stim = {.kind = "random", .profile = profile, .cycles = 1};
  void *env = verif->create(simt_plain(cfg), &stim, &unused); /* wrappers ask nothing of a profile */
  if (env) verif->destroy(env);
  return env;
}
