/* SPDX-License-Identifier: Apache-2.0 */
/* find.c: from a block to what verifies it. */
#include "verif.h"

const struct simt_verif *simt_find_verif(const struct simt_block *block) {
  for (size_t i = 0; simt_verifs[i]; i++)
    if (simt_verifs[i]->block == block) return simt_verifs[i];
  return NULL;
}
