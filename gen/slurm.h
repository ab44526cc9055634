/* SPDX-License-Identifier: Apache-2.0 */
/* slurm.h: array jobs of Slurm, for sweeps and for campaigns. */
#ifndef SIMTGEN_SLURM_H
#define SIMTGEN_SLURM_H

#include <limits.h>

#include "gen.h"

struct slurm {
  const char *sbatch, *squeue, *scancel;
  char folder[PATH_MAX + 8]; /* absolute, seen by all nodes: for what is about the jobs */
  char job[64];              /* "" when none is under way */
  double heard;              /* when squeue last answered */
};
bool slurm_find(struct slurm *s, struct simt_diag *diag);
/* A word of a shell command; the path of this program, which every node must find at the same place. */
void slurm_quote(struct text *t, const char *s);
void slurm_program(struct text *t);
/* A job for each of the elements, such as 0-9 or 1,4, which runs a shell command; $SLURM_ARRAY_TASK_ID is its element. So many at a
 * time. One whose node goes down is queued again, if it does not end by itself when it is told to. */
bool slurm_submit(struct slurm *s, const char *what, const char *elements, unsigned at_once, const char *command, struct simt_diag *diag);
/* Jobs of ours in the queue; a controller that does not answer is not taken for an empty queue for some minutes. */
bool slurm_in_queue(struct slurm *s, unsigned *running);
/* The user stops, or it cannot go on: the jobs end, too. */
void slurm_cancel(const struct slurm *s);
/* The job that was submitted last from this folder, or "". */
void slurm_last_job(struct slurm *s);
/* ... is still in the queue, because the program that waited for it was killed. */
bool slurm_adopt(struct slurm *s);

#endif
