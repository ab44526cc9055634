/* SPDX-License-Identifier: Apache-2.0 */
/* records.h: for core.c, the lists of a configuration as a whole. Not installed. */
#ifndef SIMT_RECORDS_H
#define SIMT_RECORDS_H

#include "core/simt.h"

/* By name; NULL and diag if there is none. */
const struct simt_list *simt_find_list(const struct simt_config *cfg, const char *name, struct simt_diag *diag);
const struct simt_column *simt_find_column(const struct simt_list *l, const char *name, struct simt_diag *diag);
/* What no single record shows: how many there are, what is missing or twice, and where references lead. */
bool simt_check_records(struct simt_config *cfg, struct simt_diag *diag);
void simt_free_records(struct simt_records *records);

#endif
