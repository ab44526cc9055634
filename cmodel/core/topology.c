/* SPDX-License-Identifier: Apache-2.0 */
/* topology.c: from lists or numbers to numbered units and connections. */
#include "core/topology.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/unit_status.h"

/* ---- the lists ------------------------------------------------------------------------------------ */

static const struct simt_column unit_columns[] = {
  [SIMT_UNIT_NAME] = {.name = "name", .kind = SIMT_IDENTIFIER, .flags = SIMT_REQUIRED | SIMT_UNIQUE, .unit = "",
                      .doc = "name of the unit", .req = "US-6"},
  [SIMT_UNIT_GROUP] = {.name = "group", .kind = SIMT_REFERENCE, .to = "groups", .unit = "",
                       .doc = "group that it is rolled up into; without one it is a connection of its own", .req = "US-6"},
  [SIMT_UNIT_DOMAIN] = {.name = "domain", .kind = SIMT_IDENTIFIER, .unit = "",
                        .doc = "switch domain; those without one are one domain", .req = "US-8"},
  [SIMT_UNIT_DEADLOCK] = {.name = "deadlock", .kind = SIMT_IDENTIFIER, .unit = "",
                          .doc = "deadlock domain; those without one are one domain", .req = "US-10"},
  [SIMT_UNIT_CONTEXT] = {.name = "context", .kind = SIMT_NUMBER, .min = 0, .max = 0xffffff, .unit = "words",
                         .doc = "most words of its context's payload; 0: not said", .req = "US-9"},
  [SIMT_UNIT_MODULE] = {.name = "module", .kind = SIMT_IDENTIFIER, .unit = "",
                        .doc = "Verilog module that the system instantiates; for all units or none", .req = "US-13"},
};
static const struct simt_column group_columns[] = {
  [SIMT_GROUP_NAME] = {.name = "name", .kind = SIMT_IDENTIFIER, .flags = SIMT_REQUIRED | SIMT_UNIQUE, .unit = "",
                       .doc = "name of the group", .req = "US-6"},
  [SIMT_GROUP_IN] = {.name = "in", .kind = SIMT_REFERENCE, .to = "groups", .unit = "",
                     .doc = "larger group that it is part of; the outermost one is the connection", .req = "US-6"},
};
static const struct simt_column stream_columns[] = {
  [SIMT_STREAM_FROM] = {.name = "from", .kind = SIMT_REFERENCE, .flags = SIMT_REQUIRED, .to = "units", .unit = "",
                        .doc = "unit that sends", .req = "US-8"},
  [SIMT_STREAM_TO] = {.name = "to", .kind = SIMT_REFERENCE, .flags = SIMT_REQUIRED, .to = "units", .unit = "",
                      .doc = "unit that receives", .req = "US-8"},
};
#define NO_DOMAIN "main" /* of units that name none */
#define COLUMNS(c) .column = c, .n_columns = sizeof c / sizeof *c
static const struct simt_list lists[] = {
  [SIMT_LIST_UNITS] = {.name = "units", COLUMNS(unit_columns), .min = 1, .max = SIMT_UNITS_MAX,
                       .doc = "the units under the front end", .req = "US-6"},
  [SIMT_LIST_GROUPS] = {.name = "groups", COLUMNS(group_columns), .max = SIMT_UNITS_MAX,
                        .doc = "groups of units that report as one connection", .req = "US-6"},
  [SIMT_LIST_STREAMS] = {.name = "streams", COLUMNS(stream_columns), .max = 4 * SIMT_UNITS_MAX,
                         .doc = "streams between units, which therefore switch together", .req = "US-8"},
};
static const char *const replaced[] = {"UNITS", "GROUP", "DOMAINS", NULL};
const struct simt_lists simt_topology_lists = {
  .key = "topology", .doc = "Units, groups and streams, instead of the numbers UNITS, GROUP and DOMAINS.", .list = lists,
  .n = sizeof lists / sizeof *lists, .replaces = replaced};

const char *const simt_commands_names[] = {"broadcast", "group", "unit", NULL};

/* ---- common to both forms ------------------------------------------------------------------------- */

static uint64_t option(const struct simt_config *cfg, const char *name, uint64_t otherwise) {
  int i = simt_param_index(cfg, name);
  return i < 0 ? otherwise : cfg->value[i];
}

static bool make_room(struct simt_topology *t, unsigned units, struct simt_diag *diag) {
  t->units = units;
  t->unit = calloc(units, sizeof *t->unit);
  t->conn = calloc(units, sizeof *t->conn);
  t->domain_name = calloc(units, sizeof *t->domain_name);
  t->dead_name = calloc(units, sizeof *t->dead_name);
  return (t->unit && t->conn && t->domain_name && t->dead_name) ||
         simt_fail(diag, "topology", "no memory", "memory for %u units", units);
}

void simt_topology_free(struct simt_topology *t) {
  free(t->unit);
  free(t->conn);
  free(t->domain_name);
  free(t->dead_name);
  memset(t, 0, sizeof *t);
}

/* ---- from numbers --------------------------------------------------------------------------------- */

static bool from_numbers(const struct simt_config *cfg, struct simt_topology *t, struct simt_diag *diag) {
  unsigned units = (unsigned)option(cfg, "UNITS", 4), group = (unsigned)option(cfg, "GROUP", 1);
  char got[24];
  if (!make_room(t, units, diag)) return false;
  t->conns = (units + group - 1) / group;
  t->domains = (unsigned)option(cfg, "DOMAINS", 1);
  t->dead_domains = 1;
  snprintf(got, sizeof got, "%u", group);
  if (group > units)
    return simt_fail(diag, "GROUP", got, "at most UNITS, which is %u (a group has no more units than there are)", units);
  snprintf(got, sizeof got, "%u", t->domains);
  if (t->domains > t->conns)
    return simt_fail(diag, "DOMAINS", got, "at most the %u connections that UNITS and GROUP make (no group lies across "
                     "switch domains)", t->conns);
  for (unsigned c = 0; c < t->conns; c++) {
    struct simt_topology_conn *k = &t->conn[c];
    k->first = c * group;
    k->members = units - k->first < group ? units - k->first : group;
    k->domain = c * t->domains / t->conns;
    k->group = group > 1;
    snprintf(k->name, sizeof k->name, "%s%u", group > 1 ? "g" : "u", c);
    for (unsigned u = k->first; u < k->first + k->members; u++) {
      t->unit[u] = (struct simt_topology_unit){.conn = c, .domain = k->domain, .record = u};
      snprintf(t->unit[u].name, sizeof t->unit[u].name, "u%u", u);
    }
  }
  for (unsigned i = 0; i < t->domains; i++) snprintf(t->domain_name[i], sizeof *t->domain_name, "d%u", i);
  snprintf(t->dead_name[0], sizeof *t->dead_name, "all");
  return true;
}

/* ---- from lists ----------------------------------------------------------------------------------- */

static bool fail_cell(const struct simt_config *cfg, const struct simt_cell *c, struct simt_diag *diag, const char *name,
                      const char *expected, const char *what) {
  return simt_fail_at(diag, &cfg->records, c->line, c->col, name, c->text, expected, what);
}

static const struct simt_record *record(const struct simt_config *cfg, unsigned list, size_t i) {
  return &cfg->records.list[list].record[i];
}

/* Units that name no domain are in one that is called main; nobody joins them by its name. */
static bool check_main(const struct simt_config *cfg, unsigned column, struct simt_diag *diag) {
  const struct simt_cell *said = NULL;
  const struct simt_record *silent = NULL;
  for (size_t u = 0; u < cfg->records.list[SIMT_LIST_UNITS].n; u++) {
    const struct simt_record *r = record(cfg, SIMT_LIST_UNITS, u);
    if (!r->cell[column].given) silent = silent ? silent : r;
    else if (!said && !strcmp(r->cell[column].text, NO_DOMAIN)) said = &r->cell[column];
  }
  return !said || !silent ||
         simt_fail_at(diag, &cfg->records, said->line, said->col, unit_columns[column].name, said->text,
                      "another name: " NO_DOMAIN " is the domain of units that name none, as %s (line %u)",
                      silent->cell[SIMT_UNIT_NAME].text, silent->line);
}

/* A system has a module for each unit. */
static bool check_modules(const struct simt_config *cfg, struct simt_diag *diag) {
  const struct simt_record *with = NULL, *without = NULL;
  for (size_t u = 0; u < cfg->records.list[SIMT_LIST_UNITS].n; u++) {
    const struct simt_record *r = record(cfg, SIMT_LIST_UNITS, u);
    if (r->cell[SIMT_UNIT_MODULE].given) with = with ? with : r;
    else without = without ? without : r;
  }
  return !with || !without ||
         simt_fail_at(diag, &cfg->records, without->line, without->col, "module", "no such key",
                      "the module of %s, as %s has one: a system is made of all units or not at all",
                      without->cell[SIMT_UNIT_NAME].text, with->cell[SIMT_UNIT_NAME].text);
}

/* The outermost group of each group; no group contains itself. */
static bool find_roots(const struct simt_config *cfg, unsigned *root, struct simt_diag *diag) {
  size_t n = cfg->records.list[SIMT_LIST_GROUPS].n;
  for (size_t i = 0; i < n; i++) {
    size_t at = i, steps = 0;
    while (record(cfg, SIMT_LIST_GROUPS, at)->cell[SIMT_GROUP_IN].given && steps++ <= n)
      at = record(cfg, SIMT_LIST_GROUPS, at)->cell[SIMT_GROUP_IN].number;
    if (steps > n)
      return fail_cell(cfg, &record(cfg, SIMT_LIST_GROUPS, at)->cell[SIMT_GROUP_IN], diag, "in",
                       "a group that does not lie in %s itself; take one `in:` of the circle away",
                       record(cfg, SIMT_LIST_GROUPS, at)->cell[SIMT_GROUP_NAME].text);
    root[i] = (unsigned)at;
  }
  return true;
}

/* Every group has units, its own or those of groups in it, and no group is called like a unit. */
static bool check_groups(const struct simt_config *cfg, struct simt_diag *diag) {
  size_t n = cfg->records.list[SIMT_LIST_GROUPS].n, units = cfg->records.list[SIMT_LIST_UNITS].n;
  bool used[SIMT_UNITS_MAX] = {false};
  for (size_t u = 0; u < units; u++) {
    const struct simt_cell *c = &record(cfg, SIMT_LIST_UNITS, u)->cell[SIMT_UNIT_GROUP];
    for (size_t g = c->number; c->given && !used[g]; c = &record(cfg, SIMT_LIST_GROUPS, g)->cell[SIMT_GROUP_IN], g = c->number)
      used[g] = true;
  }
  for (size_t g = 0; g < n; g++) {
    const struct simt_cell *name = &record(cfg, SIMT_LIST_GROUPS, g)->cell[SIMT_GROUP_NAME];
    if (!used[g])
      return fail_cell(cfg, name, diag, "name", "a group with units in it: give a unit `group: %s`, or remove the group", name->text);
    for (size_t u = 0; u < units; u++)
      if (!strcmp(record(cfg, SIMT_LIST_UNITS, u)->cell[SIMT_UNIT_NAME].text, name->text))
        return fail_cell(cfg, name, diag, "name", "a group's name that no unit has (%s)", "reports are known by both");
  }
  return true;
}

/* The number of a domain by its name, a new one when it is new. */
static unsigned domain_number(char (*names)[SIMT_NAME_MAX], unsigned *n, const struct simt_cell *c) {
  const char *name = c->given ? c->text : NO_DOMAIN;
  for (unsigned i = 0; i < *n; i++)
    if (!strcmp(names[i], name)) return i;
  snprintf(names[*n], sizeof *names, "%s", name);
  return (*n)++;
}

/* Connections in the order in which the units name them; conn_of: of each unit of the list. */
static void find_conns(const struct simt_config *cfg, struct simt_topology *t, const unsigned *root, unsigned *conn_of) {
  unsigned of_group[SIMT_UNITS_MAX];
  memset(of_group, 0xff, sizeof of_group);
  for (unsigned u = 0; u < t->units; u++) {
    const struct simt_record *r = record(cfg, SIMT_LIST_UNITS, u);
    const struct simt_cell *name = &r->cell[SIMT_UNIT_NAME];
    unsigned c = t->conns, g = 0;
    if (r->cell[SIMT_UNIT_GROUP].given) {
      g = root[r->cell[SIMT_UNIT_GROUP].number];
      c = of_group[g];
      name = &record(cfg, SIMT_LIST_GROUPS, g)->cell[SIMT_GROUP_NAME];
    }
    if (c >= t->conns) {
      c = t->conns++;
      snprintf(t->conn[c].name, sizeof t->conn[c].name, "%s", name->text);
      t->conn[c].group = r->cell[SIMT_UNIT_GROUP].given;
      if (t->conn[c].group) of_group[g] = c;
    }
    conn_of[u] = c;
    t->conn[c].members++;
  }
  for (unsigned c = 1; c < t->conns; c++) t->conn[c].first = t->conn[c - 1].first + t->conn[c - 1].members;
}

/* Unit `u` of the list gets its number and its domains. */
static bool place_unit(const struct simt_config *cfg, struct simt_topology *t, unsigned u, unsigned c, unsigned at, struct simt_diag *diag) {
  const struct simt_cell *cell = record(cfg, SIMT_LIST_UNITS, u)->cell;
  struct simt_topology_conn *k = &t->conn[c];
  struct simt_topology_unit *unit = &t->unit[at];
  *unit = (struct simt_topology_unit){
    .conn = c, .domain = domain_number(t->domain_name, &t->domains, &cell[SIMT_UNIT_DOMAIN]),
    .dead = domain_number(t->dead_name, &t->dead_domains, &cell[SIMT_UNIT_DEADLOCK]),
    .context = (unsigned)cell[SIMT_UNIT_CONTEXT].number, .record = u};
  memcpy(unit->name, cell[SIMT_UNIT_NAME].text, sizeof unit->name);
  if (at == k->first) k->domain = unit->domain, k->dead = unit->dead;
  const struct simt_cell *place = &cell[SIMT_UNIT_NAME];
  if (unit->domain != k->domain) {
    if (cell[SIMT_UNIT_DOMAIN].given) place = &cell[SIMT_UNIT_DOMAIN];
    return simt_fail_at(diag, &cfg->records, place->line, place->col, "domain", t->domain_name[unit->domain],
                        "%s, the switch domain of the other units of group %s; split the group, or move the unit",
                        t->domain_name[k->domain], k->name);
  }
  if (unit->dead != k->dead) {
    if (cell[SIMT_UNIT_DEADLOCK].given) place = &cell[SIMT_UNIT_DEADLOCK];
    return simt_fail_at(diag, &cfg->records, place->line, place->col, "deadlock", t->dead_name[unit->dead],
                        "%s, the deadlock domain of the other units of group %s; split the group, or move the unit",
                        t->dead_name[k->dead], k->name);
  }
  return true;
}

/* A stream has two ends, and is named once. */
static bool check_stream(const struct simt_config *cfg, size_t i, struct simt_diag *diag) {
  const struct simt_record *r = record(cfg, SIMT_LIST_STREAMS, i);
  const struct simt_cell *from = &r->cell[SIMT_STREAM_FROM], *to = &r->cell[SIMT_STREAM_TO];
  if (from->number == to->number)
    return fail_cell(cfg, to, diag, "to", "a unit other than %s, which sends; a stream inside a unit is the unit's own", from->text);
  for (size_t k = 0; k < i; k++) {
    const struct simt_record *other = record(cfg, SIMT_LIST_STREAMS, k);
    if (other->cell[SIMT_STREAM_FROM].number == from->number && other->cell[SIMT_STREAM_TO].number == to->number)
      return simt_fail_at(diag, &cfg->records, to->line, to->col, "to", to->text,
                          "each stream once (from %s first at line %u); remove one of them", from->text, other->line);
  }
  return true;
}

static bool check_streams(const struct simt_config *cfg, const struct simt_topology *t, const unsigned *number, struct simt_diag *diag) {
  for (size_t i = 0; i < cfg->records.list[SIMT_LIST_STREAMS].n; i++) {
    if (!check_stream(cfg, i, diag)) return false;
    const struct simt_cell *cell = record(cfg, SIMT_LIST_STREAMS, i)->cell, *to = &cell[SIMT_STREAM_TO];
    const struct simt_topology_unit *a = &t->unit[number[cell[SIMT_STREAM_FROM].number]], *b = &t->unit[number[to->number]];
    if (a->domain != b->domain)
      return simt_fail_at(diag, &cfg->records, to->line, to->col, "to", to->text,
                          "a unit of switch domain %s, as %s is; no stream joins two domains (%s is in %s): make them one",
                          t->domain_name[a->domain], a->name, b->name, t->domain_name[b->domain]);
  }
  return true;
}

static bool from_lists(const struct simt_config *cfg, struct simt_topology *t, struct simt_diag *diag) {
  unsigned root[SIMT_UNITS_MAX], conn_of[SIMT_UNITS_MAX], number[SIMT_UNITS_MAX], next[SIMT_UNITS_MAX];
  if (!check_main(cfg, SIMT_UNIT_DOMAIN, diag) || !check_main(cfg, SIMT_UNIT_DEADLOCK, diag) || !check_modules(cfg, diag) ||
      !make_room(t, (unsigned)cfg->records.list[SIMT_LIST_UNITS].n, diag) || !find_roots(cfg, root, diag) ||
      !check_groups(cfg, diag))
    return false;
  find_conns(cfg, t, root, conn_of);
  for (unsigned c = 0; c < t->conns; c++) next[c] = t->conn[c].first;
  for (unsigned u = 0; u < t->units; u++) {
    number[u] = next[conn_of[u]]++;
    if (!place_unit(cfg, t, u, conn_of[u], number[u], diag)) return false;
  }
  return check_streams(cfg, t, number, diag);
}

/* ---- conditions on both --------------------------------------------------------------------------- */

/* The record of the first unit that `wrong` names, or NULL when no file says it. */
static const struct simt_cell *cell_of(const struct simt_config *cfg, const struct simt_topology *t, unsigned unit, unsigned column) {
  static const struct simt_cell none;
  if (!cfg->records.given) return &none;
  const struct simt_cell *c = record(cfg, SIMT_LIST_UNITS, t->unit[unit].record)->cell;
  return c[column].given ? &c[column] : &c[SIMT_UNIT_NAME];
}

static bool check_encoding(const struct simt_config *cfg, const struct simt_topology *t, struct simt_diag *diag) {
  if (option(cfg, "ENCODING", SIMT_ONE_HOT) != SIMT_BINARY) return true;
  for (unsigned c = 0; c < t->conns; c++) {
    if (t->conn[c].members < 2) continue;
    const struct simt_cell *at = cell_of(cfg, t, t->conn[c].first + 1, SIMT_UNIT_GROUP);
    return simt_fail_at(diag, &cfg->records, at->line, at->col, "ENCODING", "binary",
                        "one_hot or two_of_four, or GROUP=1 and no groups: %s has %u units, and binary has no code for mixed",
                        t->conn[c].name, t->conn[c].members);
  }
  return true;
}

static bool set_commands(const struct simt_config *cfg, struct simt_topology *t, struct simt_diag *diag) {
  enum simt_commands kind = (enum simt_commands)option(cfg, "COMMANDS", SIMT_BROADCAST);
  bool has = simt_param_index(cfg, "COMMANDS") >= 0;
  t->commands = kind == SIMT_BROADCAST ? 1 : kind == SIMT_PER_GROUP ? t->conns : t->units;
  for (unsigned u = 0; u < t->units; u++) {
    t->unit[u].command = kind == SIMT_BROADCAST ? 0 : kind == SIMT_PER_GROUP ? t->unit[u].conn : u;
    if (!has || kind != SIMT_BROADCAST || t->unit[u].domain == t->unit[0].domain) continue;
    const struct simt_cell *at = cell_of(cfg, t, u, SIMT_UNIT_DOMAIN);
    return simt_fail_at(diag, &cfg->records, at->line, at->col, "COMMANDS", "broadcast",
                        "group or unit, or one domain (DOMAINS=1): with one command connection %u switch domains halt together",
                        t->domains);
  }
  return true;
}

bool simt_topology_make(const struct simt_config *cfg, struct simt_topology *t, struct simt_diag *diag) {
  memset(t, 0, sizeof *t);
  bool list = cfg->records.given;
  return (list ? from_lists(cfg, t, diag) : from_numbers(cfg, t, diag)) && check_encoding(cfg, t, diag) &&
         set_commands(cfg, t, diag);
}

void simt_add_topology(struct simt_desc *d, const struct simt_topology *t, unsigned with) {
  uint32_t element[SIMT_UNITS_MAX + 1];
  simt_add_core_param(d, "UNIT_COUNT", t->units, "units", "units under the front end");
  if (with & (SIMT_WITH_CONNS | SIMT_WITH_DOMAINS)) {
    simt_add_core_param(d, "CONN_COUNT", t->conns, "connections", "connections that reports come from: outermost groups, and units in none");
    for (unsigned c = 0; c < t->conns; c++) element[c] = t->conn[c].first;
    element[t->conns] = t->units;
    simt_add_core_vector(d, "CONN_FIRST", SIMT_TOPOLOGY_BITS, t->conns + 1, element, "", "first unit of each connection, then the number of units");
  }
  if (!(with & SIMT_WITH_DOMAINS)) return;
  simt_add_core_param(d, "DOMAIN_COUNT", t->domains, "domains", "switch domains");
  simt_add_core_param(d, "DEAD_COUNT", t->dead_domains, "domains", "deadlock domains");
  for (unsigned c = 0; c < t->conns; c++) element[c] = t->conn[c].domain;
  simt_add_core_vector(d, "CONN_DOMAIN", SIMT_TOPOLOGY_BITS, t->conns, element, "", "switch domain of each connection");
  for (unsigned c = 0; c < t->conns; c++) element[c] = t->conn[c].dead;
  simt_add_core_vector(d, "CONN_DEAD", SIMT_TOPOLOGY_BITS, t->conns, element, "", "deadlock domain of each connection");
}
