/* SPDX-License-Identifier: Apache-2.0 */
/* selftest.h: the plan of a self-test on a board: what drives each input of the block. Verilog (selftest.c) and model
 * (selftest_run.c) are both made from it. */
#ifndef SIMTGEN_SELFTEST_H
#define SIMTGEN_SELFTEST_H

#include "gen.h"

enum { SELFTEST_CYCLES_LOG2 = 14, SELFTEST_LFSR = 128 };

enum selftest_kind {
  DRIVE_IDLE,        /* what the port is while nothing happens */
  DRIVE_BITS,        /* bits of the LFSR as they are */
  DRIVE_OFTEN,       /* each bit 1 in three or in one of four cycles, by a bit of the cycle's number */
  DRIVE_RARELY,      /* each bit 1 in one of 16 cycles */
  DRIVE_STREAM,      /* valid of a stream that holds still until it is taken */
  DRIVE_FIELD,       /* of such a stream */
  DRIVE_ACCEPT, DRIVE_ANSWER, DRIVE_TAG, DRIVE_DATA /* of a memory port */
};

struct selftest_input {
  const struct simt_port *port;
  enum selftest_kind kind;
  unsigned bit;                  /* number of its first bit of the LFSR (selftest_bit) */
  unsigned below;                /* values are below it; 0: any */
  unsigned phase;                /* of OFTEN: the bit of the cycle's number */
  const struct simt_port *ready; /* of a stream, of ANSWER: the output that takes it */
  size_t stream;                 /* of a field: the place of its stream in the list */
};

struct selftest_plan {
  struct selftest_input *input;
  size_t n;
  bool memory;                   /* there is a memory port */
  unsigned memory_bit;           /* accept: two bits; answer: two */
};

/* From verif/BLOCK/selftest.txt and the ports; false and diag: the block has no such file, or it is wrong. */
bool selftest_make(struct selftest_plan *plan, const struct simt_config *cfg, struct simt_diag *diag);
void selftest_free(struct selftest_plan *plan);
/* The bit of the LFSR that is the n-th one in use. */
unsigned selftest_bit(unsigned n);
/* What the model makes of the run: the signature, the bits of its outputs, and how many of them took both values. */
struct selftest_result { uint32_t signature; unsigned bits, moved; };
/* False and diag: no memory. */
bool selftest_play(const struct selftest_plan *plan, const struct simt_config *cfg, struct selftest_result *result,
                   struct simt_diag *diag);

struct selftest_board {
  const char *name, *title, *constraints;
  const char *pins, *flow, *nextpnr; /* of a core file: type of the constraints, flow, options */
  unsigned clocks_per_bit;           /* of 115,200 bits a second */
};
extern const struct selftest_board selftest_boards[]; /* ended by a NULL name */
/* fpga/ of an output: the self-test of each board that is asked for ("all" or a name). */
bool emit_selftest(struct fileset *fs, const struct simt_config *cfg, const char *board, struct simt_diag *diag);

#endif
