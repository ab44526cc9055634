/* SPDX-License-Identifier: Apache-2.0 */
/* option_values.h: what stands behind an option. Each function says whether the text is good, and else says in `diag` what
 * was expected. */
#ifndef GEN_OPTION_VALUES_H
#define GEN_OPTION_VALUES_H

#include "gen.h"

/* The one error of a run, unless there is one; false. */
bool option_fail(struct simt_diag *diag, const char *name, const char *got, const char *expected,
                 const char *hint);
/* A whole number, decimal or 0x. */
bool option_number(const char *option, const char *text, uint64_t min, uint64_t max, uint64_t *to,
                   struct simt_diag *diag);
/* A number with or without a fraction, kept as text. */
bool option_decimal(const char *option, const char *text, double max, const char **to, struct simt_diag *diag);
/* Minutes, or seconds with an s behind them. */
bool option_budget(const char *text, uint64_t *seconds, struct simt_diag *diag);
/* random, directed or trace, with what follows. */
bool option_stimulus(const char *text, struct simt_diag *diag);
/* One name of a list; `to`: the text. */
bool option_target(const char *text, struct simt_diag *diag);
bool option_board(const char *text, const char **to, struct simt_diag *diag);
bool option_netlist(const char *text, const char **to, struct simt_diag *diag);
bool option_cost(const char *text, const char **to, struct simt_diag *diag);
bool option_executor(const char *text, const char **to, const char *command, struct simt_diag *diag);
/* The default engine is NULL. */
bool option_engine(const char *text, const char **to, struct simt_diag *diag);
/* A file or folder name: not empty. */
bool option_path(const char *option, const char *text, const char **to, struct simt_diag *diag);

#endif
