/* SPDX-License-Identifier: Apache-2.0 */
/* layout.c: the shape of a front_end_monitor. */
#include "front_end_monitor/layout.h"

#include <string.h>

#include "core/unit_status.h"

void fem_layout(const struct simt_config *cfg, const struct simt_topology *t, struct fem_layout *l) {
  memset(l, 0, sizeof *l);
  l->units = t->units;
  l->conns = t->conns;
  l->commands = t->commands;
  l->domains = t->domains;
  l->deads = t->dead_domains;
  l->stages = (unsigned)simt_param(cfg, "STAGES");
  l->addr_w = (unsigned)simt_param(cfg, "ADDR_W");
  l->time_w = (unsigned)simt_param(cfg, "TIME_W");
  l->most_time = UINT32_MAX >> (32 - l->time_w);
  l->most_cycle = UINT64_MAX >> (64 - 2 * l->time_w);
  l->usual_time = l->most_time < 65536 ? l->most_time : 65536;
  l->slots = (unsigned)simt_param(cfg, "LOCAL_CONTEXTS");
  l->kind = (enum simt_commands)simt_param(cfg, "COMMANDS");
  l->stats = (enum fem_stats)simt_param(cfg, "STATS");
  l->encoding = (unsigned)simt_param(cfg, "ENCODING");
  l->state_w = 5 - l->encoding;
  memset(l->state_of, FEM_ILLEGAL, sizeof l->state_of);
  for (unsigned s = SIMT_EMPTY; s <= SIMT_HALTED; s++)
    l->state_of[simt_status_code((enum simt_unit_state)s, (enum simt_status_encoding)l->encoding)] = (uint8_t)s;
  l->each = l->kind != SIMT_BROADCAST;
  while (1u << 2 * l->levels < l->conns) l->levels++;
  l->settle = 2 * l->stages + 1 + l->levels + 1;
  l->unit_w = simt_max1(simt_clog2(l->units));
  for (unsigned c = 0; c < l->conns; c++) {
    l->first[c] = t->conn[c].first;
    l->domain[c] = t->conn[c].domain;
    l->dead[c] = t->conn[c].dead;
    if (l->domain[c] >= FEM_DOMAINS_MAX || l->dead[c] >= FEM_DOMAINS_MAX) continue; /* about to be refused */
    l->conns_of[l->domain[c]]++;
    l->touches[l->dead[c]][l->domain[c]] = true;
  }
  l->first[l->conns] = l->units;
}

unsigned fem_seen(const struct fem_layout *l, unsigned conn, uint32_t code) {
  if (l->state_of[code & 31] != FEM_ILLEGAL) return l->state_of[code & 31];
  bool group = l->first[conn + 1] - l->first[conn] > 1;
  bool could = l->encoding == SIMT_ONE_HOT ? code == 0 : l->encoding == SIMT_TWO_OF_FOUR && !(code & (code - 1));
  return group && could ? FEM_MIXED : FEM_ILLEGAL; /* different code words have at most one bit in common */
}
