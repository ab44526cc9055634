/* SPDX-License-Identifier: Apache-2.0 */
/* layout.h: what description, model and environment of status_tree know of its shape. */
#ifndef TREE_LAYOUT_H
#define TREE_LAYOUT_H

#include "core/simt.h"
#include "core/topology.h"

struct tree_layout {
  unsigned stages, state_w;
  bool grouped, single; /* some connection has two units or more, some has one */
};

static inline struct tree_layout tree_layout(const struct simt_config *cfg, const struct simt_topology *t) {
  struct tree_layout l = {.stages = (unsigned)simt_param(cfg, "STAGES"), .state_w = 5 - (unsigned)simt_param(cfg, "ENCODING")};
  for (unsigned c = 0; c < t->conns; c++) *(t->conn[c].members > 1 ? &l.grouped : &l.single) = true;
  return l;
}

/* ceil(log4(n)): levels of four that join n reports. */
static inline unsigned tree_levels(unsigned n) { return (simt_clog2(n) + 1) / 2; }

/* Leaves of a tree of n below a node of row `row` of `stages`; levels lie in the rows next to the units first. */
static inline uint64_t tree_span(unsigned stages, unsigned n, unsigned row) {
  return (uint64_t)1 << 2 * ((tree_levels(n) * row + stages - 1) / stages);
}

/* Coverage points. Those from TREE_ILLEGAL on are there where the topology makes them possible. */
enum tree_cover {
  TREE_REPORT, TREE_FLAG = TREE_REPORT + 5, TREE_FOLLOW = TREE_FLAG + 4, TREE_COMMAND, TREE_COMMAND_ALL = TREE_COMMAND + 3,
  TREE_RELEASE, TREE_RESET, TREE_ILLEGAL, TREE_MIXED, TREE_FIRST, TREE_LAST, TREE_HALTED, TREE_DIFFER, TREE_COMMANDS_DIFFER,
  TREE_COVERS
};
struct tree_point { const char *name, *doc, *req; };
extern const struct tree_point tree_points[TREE_COVERS];
bool tree_has_point(enum tree_cover p, const struct simt_topology *t, const struct tree_layout *l);

#endif
