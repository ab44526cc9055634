/* SPDX-License-Identifier: Apache-2.0 */
/* check.h: one `simtgen check`: what ran, how it ended, and how that is printed. */
#ifndef SIMTGEN_CHECK_H
#define SIMTGEN_CHECK_H

#include "sim/rtl_sim.h"
#include "core/vcd.h"

struct check {
  const struct simt_config *cfg;
  const struct simt_verif *verif;
  struct simt_stimulus stim;
  uint64_t replay[SIMT_MAX_REPLAY];
  struct lockstep *lockstep;
  const char *wave;            /* waveform that is written; NULL: none */
  char wave_name[SIMT_NAME_MAX + 32];

  enum lockstep_end end;
  uint64_t cycles, operations; /* of the run before any shrinking */
  double seconds;              /* of processor time of the RTL's thread, or of the only one */
  double environment_seconds;  /* of the thread of environment and models; 0: there was none */
  uint64_t *covered;           /* a count per coverage point */
  bool unmeasured;             /* the RTL is compiled without optimisation */
  struct lockstep_speed speed; /* 0: not measured */
  struct rtl_lines lines;      /* --coverage */

  struct text failure;         /* the one line; empty when it passed */
  struct text reproduce;       /* the command */
  size_t shrunk;               /* cycles of the shrunk run; 0: not shrunk */
  bool shrink_late;            /* shrinking was ended by its time limit: a shorter one may exist */
  bool differs;                /* the environment's restart does not repeat the run */
  struct text explained;       /* its inputs, a line per cycle */
  uint64_t explain_from, explain_to; /* cycles of the line that is not written yet */
  char explain_line[160];
};

#define SHRINK_SECONDS 20.0
/* Adds what the environment said about the inputs of a cycle; equal neighbours become one line. */
void check_explain(struct check *c, uint64_t cycle, const char *line);
/* Summary, as text or JSON, to standard output. */
void check_print(struct check *c, const struct gen_options *o);

#endif
