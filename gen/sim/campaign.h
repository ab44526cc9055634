/* SPDX-License-Identifier: Apache-2.0 */
/* campaign.h: the parts of `simtgen check --budget`: campaign.c (workers), campaign_record.c (what was covered),
 * campaign_slurm.c (parts of a campaign as jobs of a cluster). */
#ifndef SIMTGEN_CAMPAIGN_H
#define SIMTGEN_CAMPAIGN_H

#include <jansson.h>

#include "gen.h"

struct campaign_row { /* a configuration of the grid */
  char *parameters;   /* NAME=VALUE ..., "" for the defaults */
  uint64_t cycles, runs;
  json_t *profiles;   /* cycles of each stimulus profile */
  unsigned next_profile, busy;
};

struct campaign_record {
  const struct simt_config *cfg;
  char path[4096];       /* of the JSON; the table has .md in place of .json */
  char rtl[17];          /* hash of the Verilog that the cycles are about */
  uint64_t next_seed;    /* rises by one with every run: no seed is used twice */
  uint64_t first_seed;   /* of this Verilog */
  struct campaign_row *row;
  size_t n_rows;
  char *failure;         /* the reproducing command of a mismatch, or NULL */
  char *message;         /* its line; or why a run could not be made; or NULL */
  bool is_part;          /* of a campaign on a cluster */
  int ended;             /* of a part: its exit status; -1: it is under way */
  char merged[64];       /* the job of a cluster whose parts are in here */
};

/* Takes up what `path` holds, if it exists, for the configurations of `list` (NAME=VALUE ... each). False and
 * diag when it cannot be read or is the record of something else. */
bool campaign_record_open(struct campaign_record *r, const struct simt_config *cfg, const char *path, char **list,
                          size_t n, struct simt_diag *diag);
/* Writes JSON and table, each aside and renamed: whole at any time. */
bool campaign_record_save(const struct campaign_record *r, struct simt_diag *diag);
void campaign_record_add(struct campaign_row *row, const char *profile, uint64_t cycles);
/* Adds what the record of a part has; `ended` becomes its exit status, -1: none. False: there is no such record. */
bool campaign_record_merge(struct campaign_record *r, const char *path, int *ended);
void campaign_record_table(const struct campaign_record *r, struct text *t);
uint64_t campaign_record_cycles(const struct campaign_record *r);
void campaign_record_free(struct campaign_record *r);

/* campaign_slurm.c: the campaign as jobs, each of which walks a part of the grid with a record of its own, for the whole budget;
 * the parts are added to `r`. False and diag when it cannot go on. */
bool campaign_slurm(const struct gen_options *o, struct campaign_record *r, struct simt_diag *diag);
/* `simtgen check --part I:N:SEED`: the rows that are of part I of N, and the first of its own seeds. */
struct campaign_part { unsigned i, n; uint64_t seed; };
bool campaign_part_read(const char *text, struct campaign_part *p);

int campaign(const struct gen_options *o, const struct simt_verif *verif, struct simt_diag *diag);

#endif
