/* SPDX-License-Identifier: Apache-2.0 */
/* check.h: one `simtgen check`: what ran, how it ended, and how that is printed. */
#ifndef SIMTGEN_CHECK_H
#define SIMTGEN_CHECK_H

#include "sim/icarus.h"
#include "sim/rtl_sim.h"
#include "core/vcd.h"
#include <limits.h>

/* check_generated.c: the Verilog files that `simtgen gen` wrote in the folder of -c FILE, as they are now. */
struct generated {
  char folder[PATH_MAX];       /* with its slash, or "" */
  struct fileset files;        /* none: there is no such folder, or it is of another configuration */
  struct text others;          /* names of those that differ from what this program makes of the templates */
  size_t n_others;
  bool take;                   /* --generated: these are checked */
};
/* False and diag: --generated, and there are none that it could take. */
bool generated_find(struct generated *g, const struct gen_options *o, struct simt_diag *diag);
/* What was not checked, or was checked in place of the templates; nothing when both are alike. */
void generated_say(const struct generated *g, struct text *t);
void generated_free(struct generated *g);

struct check {
  const struct simt_config *cfg;
  const struct simt_verif *verif;
  struct simt_stimulus stim;
  uint64_t replay[SIMT_MAX_REPLAY];
  struct lockstep *lockstep;
  struct generated generated;
  const char *wave;            /* waveform that is written; NULL: none */
  char wave_name[SIMT_NAME_MAX + 32];

  enum lockstep_end end;
  uint64_t cycles, operations; /* of the run before any shrinking */
  double seconds;              /* of processor time of the RTL's thread, or of the only one */
  double environment_seconds;  /* of the thread of environment and models; 0: there was none */
  uint64_t *covered;           /* a count per coverage point */
  bool nothing;                /* no operation: that is no PASS */
  bool unmeasured;             /* the RTL is compiled without optimisation */
  struct lockstep_speed speed; /* 0: not measured */
  struct rtl_lines lines;      /* --coverage */

  uint64_t first_operation;    /* of few or none: the cycle in which the first one ends; 0: not looked for, or none does */
  struct text failure;         /* the one line, of the shrunk run if there is one; empty when it passed */
  struct text whole;           /* then: what differs in the run before it was shrunk */
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
/* check_failure.c: the line of a failed run, then that of the run that it was shrunk to; the command that repeats it. */
void check_failure(struct check *c, const struct lockstep_result *r);
void check_failure_shrunk(struct check *c, const struct lockstep_result *r);
/* What Icarus found, as a result of lockstep: values without X as those of the port, kept in `value`; others as a message. */
enum { CHECK_ICARUS_WORDS = 140 };
void check_icarus_values(const struct icarus_result *found, const struct simt_config *cfg, struct lockstep_result *r,
                         uint32_t value[2][CHECK_ICARUS_WORDS]);
void check_reproduce(struct check *c, const struct gen_options *o);
/* Summary, as text or JSON, to standard output. */
void check_print(struct check *c, const struct gen_options *o);

#endif
