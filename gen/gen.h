/* SPDX-License-Identifier: Apache-2.0 */
/* gen.h: what the parts of the program share. Each command is one function in its own file; it returns the
 * exit status. Results go to standard output, everything else to standard error. */
#ifndef SIMTGEN_GEN_H
#define SIMTGEN_GEN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "simt.h"
#include "verif.h"

enum exit_status { EXIT_DONE = 0, EXIT_CHECK_FAILED = 1, EXIT_USAGE = 2, EXIT_TOOL = 3, EXIT_INTERRUPTED = 4 };

struct gen_options { /* what the command line said; filled by gen/main.c (argp), read by the commands */
  struct simt_config cfg;      /* resolved, for commands that take BLOCK or -c FILE */
  const struct simt_block *block; /* describe */
  bool json, coverage, quiet;
  const char *out;             /* gen, report: -o DIR */
  const char *stimulus;        /* check: "random[:PROFILE]", "directed[:NAME]", "trace:FILE" */
  const char *trace;           /* sim: --trace FILE */
  const char *picker;          /* sim, check: --picker NAME, replay order of a trace */
  const char *wave;            /* check: --wave FILE (VCD) */
  const char *netlist;         /* check: --netlist TARGET */
  const char *target;          /* synth: ice40, ecp5 */
  uint64_t cycles, seed;       /* check; seed given or fresh */
  bool seed_given;
  unsigned seeds;              /* synth */
  unsigned latency;            /* sim: memory latency in cycles; 0 = default */
  char command_line[1024];     /* canonical: program name and arguments that reproduce this configuration */
};

/* gen/cmd_*.c */
int cmd_list(const struct gen_options *o);
int cmd_describe(const struct gen_options *o);
int cmd_gen(const struct gen_options *o);
int cmd_check(const struct gen_options *o);
int cmd_sim(const struct gen_options *o);
int cmd_synth(const struct gen_options *o);

/* gen/config.c: YAML text or file into an unresolved or resolved configuration; entry points of the fuzzer. */
bool config_from_yaml(const char *text, size_t size, const char *file, struct simt_config *cfg, struct simt_diag *diag);
bool config_from_file(const char *path, struct simt_config *cfg, struct simt_diag *diag);
/* Complete YAML of a configuration (every parameter); replays to the same bytes. Caller frees. */
char *config_to_yaml(const struct simt_config *cfg);
/* 16 hex digits over block, version and every parameter value (not the instance name). */
void config_hash(const struct simt_config *cfg, char hex[17]);

/* gen/message.c */
void message_error(const struct simt_diag *diag);        /* the one printed form, to standard error */
void message_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A line that overwrites itself, on a terminal only; progress_end() clears it. */
void progress(const char *format, ...) __attribute__((format(printf, 1, 2)));
void progress_end(void);
extern volatile int interrupted;                         /* set by SIGINT, SIGTERM; long work polls it */

/* gen/text.c: a growing text buffer, the target of every emitter. */
struct text { char *s; size_t len, room; };
void text_add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_add_bytes(struct text *t, const void *bytes, size_t n);
void text_free(struct text *t);

/* gen/files.c: a set of files in memory, written whole or not at all. */
struct fileset { struct { char *path; struct text text; } *file; size_t n; };
struct text *fileset_add(struct fileset *fs, const char *path, ...) __attribute__((format(printf, 2, 3)));
/* Writes into DIR (new, empty, or an earlier output whose manifest.json matches its files): aside, then
 * renamed. Refuses a folder with foreign or changed files. Nothing is left behind on failure. */
bool fileset_write(struct fileset *fs, const char *dir, struct simt_diag *diag);
void fileset_free(struct fileset *fs);
/* Whole file, NUL-terminated; NULL and diag on failure. Caller frees. */
char *file_read(const char *path, size_t *size, struct simt_diag *diag);
/* Path of a file of the program's data (rtl_templates/...), in a static buffer; NULL if there is none. */
const char *data_path(const char *relative);
void sha256_hex(const void *bytes, size_t n, char hex[65]);

/* gen/tool.c: external programs. */
/* Full path of a tool: from SIMTGEN_<UPPER NAME>, else on the path; NULL and diag ("install it with ...") */
const char *tool_find(const char *name, struct simt_diag *diag);
/* Runs argv in `cwd`, output into `log` (may be NULL); the exit status, or -1. Stops it when interrupted. */
int tool_run(const char *const argv[], const char *cwd, struct text *log);
/* The cache folder build/cache (or $SIMTGEN_CACHE, or $XDG_CACHE_HOME/simtgen when installed), made if needed. */
const char *cache_dir(struct simt_diag *diag);

/* gen/emit_*.c: one output each; all take a resolved configuration and append text. */
void emit_top(struct text *t, const struct simt_config *cfg);                     /* rtl/NAME.v */
bool emit_rtl(struct fileset *fs, const char *folder, const struct simt_config *cfg, struct simt_diag *diag); /* top, core, cells, NAME.f */
void emit_model_header(struct text *t, const struct simt_config *cfg);            /* model/NAME.h */
bool emit_tb(struct fileset *fs, const struct simt_config *cfg, struct simt_diag *diag);  /* tb/ with vectors */
void emit_core_file(struct text *t, const struct simt_config *cfg);               /* NAME.core, FuseSoC CAPI2 */
bool emit_doc(struct fileset *fs, const struct simt_config *cfg, struct simt_diag *diag); /* doc/: datasheet, SVG */
void emit_harness(struct text *t, const struct simt_config *cfg, bool with_block); /* registered synthesis harness */
void emit_shim(struct text *t, const struct simt_config *cfg, const char *module); /* C++ shim round Verilator */
void emit_header_comment(struct text *t, const struct simt_config *cfg, const char *prefix, const char *what);

#endif
