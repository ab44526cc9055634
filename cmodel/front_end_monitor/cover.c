/* SPDX-License-Identifier: Apache-2.0 */
/* cover.c: the functional coverage points. */
#include "front_end_monitor/cover.h"

#include <ctype.h>

enum {
  FEM_IF_EACH = 1, FEM_IF_DOMAINS = 2, FEM_IF_GROUPS = 4, FEM_IF_SLOTS = 8, FEM_IF_CONNS = 16, FEM_IF_DEADS = 32, FEM_IF_STATS = 64
};

static const struct { const char *name, *req; unsigned needs; const char *doc; } points[FEM_COVERS] = {
#define FEM_COVER_POINT(name, req, needs, doc) {#name, req, needs, doc},
  FEM_COVERS_LIST(FEM_COVER_POINT)
#undef FEM_COVER_POINT
};

bool fem_cover_possible(const struct fem_layout *l, enum fem_cover point) {
  unsigned have = 0;
  if (l->each && l->conns > l->domains) have |= FEM_IF_EACH;
  if (l->domains > 1) have |= FEM_IF_DOMAINS;
  if (l->units > l->conns) have |= FEM_IF_GROUPS;
  if (l->slots) have |= FEM_IF_SLOTS;
  if (l->conns > l->deads) have |= FEM_IF_CONNS;
  if (l->deads > 1) have |= FEM_IF_DEADS;
  if (l->stats != FEM_STATS_NONE) have |= FEM_IF_STATS;
  return (points[point].needs & ~have) == 0;
}

void fem_add_covers(struct simt_desc *d, const struct fem_layout *l) {
  for (int i = 0; i < FEM_COVERS; i++) {
    if (!fem_cover_possible(l, (enum fem_cover)i)) continue;
    char name[SIMT_NAME_MAX] = "";
    for (size_t k = 0; points[i].name[k] && k + 1 < sizeof name; k++) name[k] = (char)tolower((unsigned char)points[i].name[k]);
    simt_add_cover(d, points[i].req, points[i].doc, "%s", name);
  }
}
