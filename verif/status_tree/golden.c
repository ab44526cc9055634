/* SPDX-License-Identifier: Apache-2.0 */
/* golden.c: golden model of status_tree: a report is the AND of its units' STAGES cycles ago; commands reach all units
 * of their connection STAGES - 1 cycles later. */
#include <stdio.h>
#include <string.h>

#include "status_tree/golden.h"

/* ---- who is where ----------------------------------------------------------------------------------- */

enum { UNITS_LIST, GROUPS_LIST, NAME_COLUMN = 0, GROUP_COLUMN = 1, IN_COLUMN = 1 };

/* The name that a unit of the list reports under: its outermost group's, or its own. */
static const char *reports_as(const struct simt_records *r, size_t unit) {
  const struct simt_cell *name = &r->list[UNITS_LIST].record[unit].cell[NAME_COLUMN];
  const struct simt_cell *in = &r->list[UNITS_LIST].record[unit].cell[GROUP_COLUMN];
  while (in->given) {
    size_t g = 0;
    while (strcmp(r->list[GROUPS_LIST].record[g].cell[NAME_COLUMN].text, in->text)) g++;
    name = in;
    in = &r->list[GROUPS_LIST].record[g].cell[IN_COLUMN];
  }
  return name->text;
}

/* Units in the order of the connections, connections in the order in which they are first named. */
static void order(struct tree_golden *g, const struct simt_records *r) {
  size_t n = r->list[UNITS_LIST].n;
  bool done[TREE_UNITS] = {false};
  for (size_t u = 0; u < n; u++) {
    if (done[u]) continue;
    const char *name = reports_as(r, u);
    for (size_t v = u; v < n; v++) {
      if (done[v] || strcmp(reports_as(r, v), name)) continue;
      done[v] = true;
      g->conn_of[g->units++] = g->conns;
    }
    g->conns++;
  }
}

void tree_golden_make(struct tree_golden *g, const struct simt_config *cfg) {
  static const uint8_t words[3][5] = {{1, 2, 4, 8, 16}, {3, 5, 6, 9, 10}, {0, 1, 2, 3, 4}};
  memset(g, 0, sizeof *g);
  unsigned encoding = (unsigned)simt_param(cfg, "ENCODING"), commands = (unsigned)simt_param(cfg, "COMMANDS");
  if (cfg->records.given) {
    order(g, &cfg->records);
  } else {
    g->units = (unsigned)simt_param(cfg, "UNITS");
    for (unsigned u = 0; u < g->units; u++) g->conn_of[u] = u / (unsigned)simt_param(cfg, "GROUP");
    g->conns = g->conn_of[g->units - 1] + 1;
  }
  for (unsigned u = 0; u < g->units; u++) {
    g->members[g->conn_of[u]]++;
    g->command_of[u] = commands == 0 ? 0 : commands == 1 ? g->conn_of[u] : u;
  }
  g->commands = g->command_of[g->units - 1] + 1;
  g->stages = (unsigned)simt_param(cfg, "STAGES");
  g->state_w = 5 - encoding;
  memcpy(g->word, words[encoding], sizeof g->word);
  memset(g->state_of, 5, sizeof g->state_of);
  for (uint8_t i = 0; i < 5; i++) g->state_of[g->word[i]] = i;
  tree_golden_reset(g);
}

/* As if every unit had been empty and nobody had commanded anything, for ever. */
void tree_golden_reset(struct tree_golden *g) {
  memset(g->past, 0, sizeof g->past);
  for (unsigned f = 0; f < TREE_FRAMES; f++) memset(g->past[f].code, g->word[0], g->units);
}

/* ---- what arrives ----------------------------------------------------------------------------------- */

static const struct tree_frame *ago(const struct tree_golden *g, unsigned cycles) {
  return &g->past[(g->cycle + TREE_FRAMES - cycles) % TREE_FRAMES];
}

/* Reports are the AND of codes, the OR of flags; for code words that means: one state, or mixed. */
static const char *check_reports(struct tree_golden *g) {
  const struct tree_frame *then = ago(g, g->stages);
  for (unsigned c = 0, u = 0; c < g->conns; c++) {
    unsigned code = then->code[u], flags = then->flags[u], state = tree_state(g, code), end = u + g->members[c];
    bool one = true, legal = state < 5;
    while (++u < end) {
      unsigned its = tree_state(g, then->code[u]);
      code &= then->code[u];
      flags |= then->flags[u];
      one &= its == state;
      legal &= its < 5;
    }
    if (g->seen.code[c] == code && g->seen.flags[c] == flags &&
        (!legal || tree_state(g, g->seen.code[c]) == (one ? state : 5)))
      continue;
    snprintf(g->message, sizeof g->message, "connection %u reports code 0x%x flags 0x%x; its %u units of %u cycles ago make 0x%x, 0x%x",
             c, g->seen.code[c], g->seen.flags[c], g->members[c], g->stages, code, flags);
    return g->message;
  }
  return NULL;
}

static const char *check_commands(struct tree_golden *g, const uint8_t *unit_command) {
  const struct tree_frame *then = ago(g, g->stages - 1);
  for (unsigned u = 0; u < g->units; u++) {
    if (unit_command[u] == then->command[g->command_of[u]]) continue;
    snprintf(g->message, sizeof g->message, "unit %u gets command 0x%x; connection %u gave 0x%x %u cycles ago", u, unit_command[u],
             g->command_of[u], then->command[g->command_of[u]], g->stages - 1);
    return g->message;
  }
  return NULL;
}

static void keep(struct tree_golden *g, const struct tree_frame *now) {
  struct tree_frame *f = &g->past[g->cycle % TREE_FRAMES];
  memcpy(f->code, now->code, g->units);
  memcpy(f->flags, now->flags, g->units);
  memcpy(f->command, now->command, g->commands);
}

const char *tree_golden_cycle(struct tree_golden *g, const struct tree_frame *now, const uint8_t *unit_command, bool rst) {
  const char *wrong = check_reports(g);
  if (!wrong) wrong = check_commands(g, unit_command);
  keep(g, now);
  if (rst) tree_golden_reset(g);
  g->cycle++;
  return wrong;
}
