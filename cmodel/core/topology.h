/* SPDX-License-Identifier: Apache-2.0 */
/* topology.h: the units under one front end, and how they are grouped (US-6, US-8, US-10): read by every block of the
 * family from the configuration's list, or made from the numbers UNITS, GROUP and DOMAINS (docs/front_end_design.md). */
#ifndef SIMT_TOPOLOGY_H
#define SIMT_TOPOLOGY_H

#include "simt.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { SIMT_UNITS_MAX = 1024, SIMT_TOPOLOGY_BITS = 11 };
enum simt_commands { SIMT_BROADCAST, SIMT_PER_GROUP, SIMT_PER_UNIT };

struct simt_topology {
  unsigned units, conns, commands;      /* commands: command connections */
  unsigned domains, dead_domains;       /* switch domains, deadlock domains */
  struct simt_topology_unit {           /* by unit number */
    char name[SIMT_NAME_MAX];
    unsigned conn, command, domain, dead;
    unsigned context;                   /* most words of its context's payload; 0: not said */
    unsigned record;                    /* its place in the configuration's list, or its number */
  } *unit;
  struct simt_topology_conn {
    char name[SIMT_NAME_MAX];
    unsigned first, members, domain, dead;
    bool group;                         /* outermost group; else a unit of its own */
  } *conn;
  char (*domain_name)[SIMT_NAME_MAX], (*dead_name)[SIMT_NAME_MAX];
};

/* The lists below `topology:`, for .lists of a block. Their places in the configuration's records. */
extern const struct simt_lists simt_topology_lists;
enum { SIMT_LIST_UNITS, SIMT_LIST_GROUPS, SIMT_LIST_STREAMS };
enum { SIMT_UNIT_NAME, SIMT_UNIT_GROUP, SIMT_UNIT_DOMAIN, SIMT_UNIT_DEADLOCK, SIMT_UNIT_CONTEXT, SIMT_UNIT_MODULE }; /* columns */
enum { SIMT_GROUP_NAME, SIMT_GROUP_IN };
enum { SIMT_STREAM_FROM, SIMT_STREAM_TO };

/* Parameters that blocks of the family share, for their tables. The topology's numbers are options of the generator;
 * the cores receive what follows from them (simt_add_topology). */
#define SIMT_TOPOLOGY_PARAMS \
  {.name = "UNITS", .def = 4, .min = 1, .max = SIMT_UNITS_MAX, .flags = SIMT_GEN_ONLY, .unit = "units", \
   .doc = "Units under the front end; with a list topology: that list says it.", .req = "US-6"}, \
  {.name = "GROUP", .def = 1, .min = 1, .max = SIMT_UNITS_MAX, .flags = SIMT_GEN_ONLY, .unit = "units", \
   .doc = "Units that are rolled up into one connection; the last group may be smaller.", .req = "US-6"}, \
  {.name = "DOMAINS", .def = 1, .min = 1, .max = SIMT_UNITS_MAX, .flags = SIMT_GEN_ONLY, .unit = "domains", \
   .doc = "Switch domains: contiguous shares of the connections.", .req = "US-8"}
#define SIMT_COMMANDS_PARAM \
  {.name = "COMMANDS", .def = SIMT_BROADCAST, .min = 0, .max = SIMT_PER_UNIT, .choices = simt_commands_names, .unit = "", \
   .doc = "Command connections: one for all, one per connection of reports, or one per unit.", .req = "US-7"}
#define SIMT_ENCODING_PARAM \
  {.name = "ENCODING", .def = 0, .min = 0, .max = 2, .choices = simt_status_encodings, .unit = "", \
   .doc = "Code of a unit's state: 5, 4 or 3 wires; binary has no code for mixed, so units stay separate.", .req = "US-1"}
extern const char *const simt_commands_names[];

/* The topology of a configuration whose records are checked; reads the parameters above as far as the block has
 * them. False and diag, with its place in the file, for what is not one. The caller frees it, also after an error. */
bool simt_topology_make(const struct simt_config *cfg, struct simt_topology *t, struct simt_diag *diag);
void simt_topology_free(struct simt_topology *t);

/* Appends to a block's description the parameters of its core that carry the topology: UNIT_COUNT always; with
 * SIMT_WITH_CONNS also CONN_COUNT and CONN_FIRST; with SIMT_WITH_DOMAINS (which includes those) also DOMAIN_COUNT, DEAD_COUNT, CONN_DOMAIN and
 * CONN_DEAD. */
enum { SIMT_WITH_CONNS = 1, SIMT_WITH_DOMAINS = 2 };
void simt_add_topology(struct simt_desc *d, const struct simt_topology *t, unsigned with);

#ifdef __cplusplus
}
#endif
#endif
