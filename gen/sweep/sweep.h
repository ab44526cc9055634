/* SPDX-License-Identifier: Apache-2.0 */
/* sweep.h: the parts of `simtgen sweep`: file.c (the sweep file), points.c (configurations), tasks.c (what is to be
 * run, and under which key its result is kept), store.c (the folder of results), run.c (one task), local.c and slurm.c
 * (many of them), session.c (from the file to the open folder), rows.c, columns.c (results by point), table.c (`-p
 * NAME=A,B,C` of sim and synth).
 *
 * A point is a configuration. It has a task for each target (`simtgen synth`) and for each workload (`simtgen sim`).
 * A task is a command of this program; its result is kept in a file of its own, named by a hash of all that it depends
 * on, and written aside: at each moment a result is there as a whole or not at all. */
#ifndef SIMTGEN_SWEEP_H
#define SIMTGEN_SWEEP_H

#include <jansson.h>
#include <limits.h>
#include <sys/types.h>

#include "gen.h"

enum { SWEEP_TARGETS = 8, SWEEP_WORKLOADS = 32, SWEEP_KEY = 33, SWEEP_MOST_POINTS = 10000000, SWEEP_ASK_POINTS = 10000 };
#define SWEEP_NOT_SET UINT16_MAX

struct sweep_axis {            /* a parameter and the values that it takes */
  int param;
  char **value;
  size_t n;
  unsigned line, col;          /* of its name in the file; 0: from the command line */
};

struct sweep_workload {
  char name[SIMT_NAME_MAX];
  char trace[PATH_MAX];        /* as the file says, which is below its folder */
  char path[PATH_MAX];         /* as it is opened from here */
  char picker[SIMT_NAME_MAX];  /* or "" */
  unsigned latency;            /* 0: default */
  char *replay[SIMT_MAX_REPLAY];
  unsigned n_replay;
  char hash[65];               /* of the trace */
};

struct sweep_target {
  char name[SIMT_NAME_MAX];    /* of its columns */
  char target[SIMT_NAME_MAX], device[SIMT_NAME_MAX]; /* as of simtgen synth; device: or "" */
  char liberty[PATH_MAX];      /* as the file says, or "" */
  char path[PATH_MAX];         /* of the liberty file, as it is opened from here */
  char hash[65];               /* of that file, or "" */
  char identity[65];           /* of the tools and the file */
};

struct sweep {
  char file[PATH_MAX], name[SIMT_NAME_MAX];
  struct simt_config base;     /* what all points have in common; not resolved */
  struct sweep_axis axis[SIMT_MAX_PARAMS];
  size_t n_axes;
  size_t n_points, n_refused;  /* refused: left out, because the block has no such configuration */
  uint16_t *choice;            /* of each point, of each axis: which value, or SWEEP_NOT_SET */
  bool skip_refused;
  struct sweep_target target[SWEEP_TARGETS];
  size_t n_targets;
  unsigned seeds;
  struct sweep_workload workload[SWEEP_WORKLOADS];
  size_t n_workloads;
  char program[65], templates[65]; /* hashes */
};

/* May so many points be run? `shown` becomes their number with an estimate. */
typedef bool sweep_asker(void *ctx, const struct sweep *s, double points, char shown[120]);
/* Reads a sweep file and makes its points; before memory is taken for very many of them, `ask` is called. False and diag on
 * error, or when the answer is no. */
bool sweep_read(struct sweep *s, const char *path, sweep_asker *ask, void *ctx, struct simt_diag *diag);
/* Whether a key at the top is of such a file and of no configuration. */
bool sweep_has_key(const char *key);
void sweep_free(struct sweep *s);

/* file.c: whether target, device and liberty file fit together and the file can be read; makes its hash. */
bool sweep_check_target(struct sweep_target *t, struct simt_diag *diag);

/* points.c */
struct sweep_axis *sweep_axis(struct sweep *s, const char *name, struct simt_diag *diag); /* a new one at the end */
/* Appends values: one, or A..B, A..B step S, A..B times F. Each is checked. */
bool sweep_values(struct sweep *s, struct sweep_axis *a, const char *text, struct simt_diag *diag);
void sweep_add_point(struct sweep *s); /* without any value set */
double sweep_combinations(const struct sweep *s);
void sweep_grid(struct sweep *s);
/* `n` of the grid, each once, in the grid's order; the same for the same seed. */
void sweep_sample(struct sweep *s, size_t n, uint64_t seed);
/* The configuration of a point, resolved; to be freed in either case. */
bool sweep_config(const struct sweep *s, size_t point, struct simt_config *cfg, struct simt_diag *diag);
/* Resolves every point. Those that the block refuses end it, or are left out. */
bool sweep_check(struct sweep *s, struct simt_diag *diag);
/* `NAME=VALUE ...` of the swept parameters. */
void sweep_point_text(const struct sweep *s, size_t point, struct text *t);

/* tasks.c */
struct sweep_task { char key[SWEEP_KEY]; bool sim, done, failed, kept; };
/* What does not change from point to point: hashes of program, templates, traces; the tools of each target, which must
 * be there. */
bool sweep_identify(struct sweep *s, struct simt_diag *diag);
static inline size_t sweep_tasks_per_point(const struct sweep *s) { return s->n_targets + s->n_workloads; }
/* All tasks in the order of the points: of each its targets, then its workloads. The caller frees. */
struct sweep_task *sweep_tasks(const struct sweep *s, struct simt_diag *diag);
/* Arguments of task `i` behind the program's name, each freed by the caller with the array, which NULL ends. */
char **sweep_arguments(const struct sweep *s, size_t i, struct simt_diag *diag);
void sweep_free_arguments(char **a);
/* The command as a user would type it, with the names of the file. */
void sweep_command_text(const struct sweep *s, size_t i, struct text *t);
/* "NAME=VALUE ice40" */
void sweep_task_text(const struct sweep *s, size_t i, struct text *t);

/* store.c */
struct store { char folder[PATH_MAX]; int lock; };
/* Makes the folder if needed and locks it, or says who has it. */
bool store_open(struct store *st, const char *folder, struct simt_diag *diag);
void store_close(struct store *st);
/* 1: a result is there, and `failed` says which kind; 0: none; -1 and diag: it is not what was written. `to` may be NULL. */
int store_get(const char *folder, const char *key, json_t **to, bool *failed, struct simt_diag *diag);
bool store_put(const char *folder, const char *key, json_t *record, struct simt_diag *diag);
void store_remove(const char *folder, const char *key);
/* A text file of the folder, written aside. */
bool store_write(const char *folder, const char *name, const struct text *t, struct simt_diag *diag);

/* run.c: one command of this program as a process. */
struct sweep_process { pid_t pid; int out, err; double began; size_t task; };
bool run_begin(struct sweep_process *r, char *const *arguments, struct simt_diag *diag);
/* After its end: makes the record of its result (also of a failure) and keeps it. False and diag when it cannot be
 * kept; `interrupted` runs leave nothing. */
bool run_end(struct sweep_process *r, int status, const char *folder, const char *key, bool sim, bool *failed, struct simt_diag *diag);
void run_stop(const struct sweep_process *r);
double run_clock(void);
/* `simtgen sweep --task FILE:LINE`: what a job of a cluster does. */
int run_job(const char *folder, const char *where);

/* local.c, slurm.c: run the tasks that are not done; false and diag when the sweep cannot go on. */
struct sweep_run {
  const struct sweep *sweep;
  struct sweep_task *task;
  size_t n_tasks, n_open, n_done, n_failed; /* open: to be run; done: of these, failed ones included */
  const char *folder;
  unsigned workers, jobs;      /* at a time: here, in a cluster */
  bool tune;                   /* for simtgen tune, which runs tasks in rounds */
  size_t before, at_most;      /* of its syntheses: done in earlier rounds; all that may be run. 0: not synthesizing */
};
bool sweep_local(struct sweep_run *r, struct simt_diag *diag);
bool sweep_slurm(struct sweep_run *r, struct simt_diag *diag);
void sweep_progress(const struct sweep_run *r, const char *more);

/* session.c: a sweep file with the folder of its results. */
struct sweep_session { struct sweep *sweep; struct sweep_run run; struct store store; char folder[PATH_MAX]; };
/* The file; `x` is all zero. session_end follows in any case. */
bool session_read(struct sweep_session *x, const struct gen_options *o, struct simt_diag *diag);
/* Tools, the folder, which is locked, and what it has of the tasks. EXIT_DONE, or an exit status and diag. */
int session_open(struct sweep_session *x, const struct gen_options *o, struct simt_diag *diag);
void session_end(struct sweep_session *x);
/* Runs the tasks that are not done, n_open of them, by the executor of the options. */
bool session_run(const struct gen_options *o, struct sweep_run *r, struct simt_diag *diag);

/* rows.c */
/* Writes results.jsonl and results.csv, and times.csv with seconds and host of each task; `rows` becomes all rows. */
bool sweep_write_results(const struct sweep_run *r, json_t **rows, struct simt_diag *diag);
/* The row of a point: {"point", "params", "configuration", "generate", "targets", "workloads"}. NULL and diag on error. */
json_t *sweep_row(const struct sweep_run *r, size_t point, struct text *times, struct simt_diag *diag);
json_t *sweep_header(const struct sweep_run *r);

/* columns.c: a table over rows: a line for each point, a column for each parameter and number. */
struct sweep_column { char name[160]; const char *path[4]; int width; bool differs; };
struct sweep_table { struct sweep_column *column; size_t n; const json_t *rows; };
/* `rows`: as sweep_row makes them; they must outlive the table. */
void sweep_table_make(struct sweep_table *t, const json_t *rows);
void sweep_table_free(struct sweep_table *t);
/* NULL: the row has no such value. */
json_t *sweep_cell(const json_t *row, const struct sweep_column *c);
/* The same as text: nothing when there is none. */
void sweep_cell_text(const json_t *row, const struct sweep_column *c, struct text *t);
void sweep_csv(const struct sweep_table *t, struct text *to);
/* The columns that have a place in a line of so many characters, in their order: parameters, then the figures that a sweep is made
 * for, then others; `names_break` at each "." and "_". What all rows say alike is left out of them; sweep_same says it. Fills
 * `list`, which has room for all; returns how many, and in `all` how many there were to choose from. */
size_t sweep_fitting(struct sweep_table *t, int width, bool names_break, size_t *list, size_t *all);
void sweep_same(const struct sweep_table *t, struct text *to);
/* At most so many lines, and as many columns as a terminal shows; what it leaves out is said. */
void sweep_text(struct sweep_table *t, size_t most, struct text *to);

#endif
