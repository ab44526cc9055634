/* SPDX-License-Identifier: Apache-2.0 */
/* topology.h: the units under one front end, and how they are grouped (US-6, US-8, US-10): read by every block of the
 * family from the configuration's list, or made from the numbers UNITS, GROUP and DOMAINS (docs/front_end_design.md). */
#ifndef SIMT_TOPOLOGY_H
#define SIMT_TOPOLOGY_H

#include "simt.h"

enum { SIMT_UNITS_MAX = 1024 };
enum simt_commands { SIMT_BROADCAST, SIMT_PER_GROUP, SIMT_PER_UNIT };

struct simt_topology {
  unsigned units, conns, commands;      /* commands: command connections */
  unsigned domains, dead_domains;       /* switch domains, deadlock domains */
  struct simt_topology_unit {           /* by unit number */
    char name[SIMT_NAME_MAX];
    unsigned conn, command, domain, dead;
    unsigned context;                   /* most words of its context's payload; 0: not said */
  } *unit;
  struct simt_topology_conn { char name[SIMT_NAME_MAX]; unsigned first, members, domain, dead; } *conn;
  char (*domain_name)[SIMT_NAME_MAX], (*dead_name)[SIMT_NAME_MAX];
};
