/* SPDX-License-Identifier: Apache-2.0 */
/* gen.h: what the parts of the program share. Each command is one function in its own file; it returns the
 * exit status. Results go to standard output, everything else to standard error. */
#ifndef SIMTGEN_GEN_H
#define SIMTGEN_GEN_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "core/lockstep_checker.h"
#include "core/simt.h"
#include "core/verif.h"

enum exit_status { EXIT_DONE = 0, EXIT_CHECK_FAILED = 1, EXIT_USAGE = 2, EXIT_TOOL = 3, EXIT_INTERRUPTED = 4 };

struct gen_options { /* what the command line said; filled by gen/main.c (argp), read by the commands */
  struct simt_config cfg;      /* resolved, for commands that take BLOCK or -c FILE */
  const struct simt_block *block; /* describe */
  bool json, coverage, quiet;
  const char *board;           /* gen: --board NAME, or NULL */
  bool no_doc;                 /* gen: leave doc/ out */
  const char *svg;             /* describe: --svg FILE */
  const char *out;             /* gen, report: -o DIR */
  const char *stimulus;        /* check: "random[:PROFILE]", "directed[:NAME]", "trace:FILE" */
  const char *trace;           /* sim: --trace FILE */
  const char *picker;          /* sim, check: --picker NAME, replay order of a trace */
  const char *replay[SIMT_MAX_REPLAY]; /* sim, check: --replay NAME=VALUE */
  unsigned n_replay;
  const char *wave;            /* check: --wave FILE (VCD) */
  const char *config_file;     /* -c FILE, or NULL */
  bool generated;              /* check: --generated */
  const char *netlist;         /* check: --netlist TARGET: synth, ice40, ecp5 */
  const char *engine;          /* check: --engine: NULL (verilator), "verilator-O0", "icarus" */
  const char *target;          /* synth: ice40, ecp5, xilinx, asic; tune */
  bool target_given;
  const char *device, *liberty; /* synth: --device NAME, --liberty FILE; or NULL */
  uint64_t cycles, seed;       /* check; seed given or fresh */
  bool seed_given;
  unsigned seeds, paths_mhz;   /* synth; --paths=MHZ, or 0 */
  bool paths;                  /* synth: --paths */
  unsigned latency;            /* sim: memory latency in cycles; 0 = default */
  uint64_t budget;             /* check: --budget, seconds; 0: one run */
  unsigned workers;            /* check, synth: --workers; sweep: -j; 0: one per core */
  uint64_t mutants, upsets;    /* check: --mutants, UINT64_MAX for all; --upsets; 0: neither */
  const char *record;          /* check: --record FILE, what a campaign has covered */
  const char *part;            /* check: --part I:N:SEED, of a campaign on a cluster */
  const char *operand;         /* sweep, tune: FILE; report: RESULTS */
  const char *executor;        /* check --budget, sweep, tune: "local", "slurm" */
  const char *task;            /* sweep: --task FILE:LINE, of a job of a cluster */
  const char *against;         /* report: --against RESULTS */
  bool resume, retry, yes;     /* sweep */
  unsigned jobs;               /* --jobs, of a cluster under way at a time */
  const char *within, *max_lut, *max_ram, *min_fmax; /* tune: numbers, or NULL */
  const char *cost;            /* tune: "lut", "ram" or NULL */
  bool csv;                    /* sim, synth: --csv */
  struct sweep *values;        /* sim, synth: lists of values (`-p NAME=A,B,C`), or NULL */
  char command_line[4096];     /* canonical: program name and arguments that reproduce this configuration */
};

/* gen/options.c: the whole program as a function: returns the exit status, never exits, leaks nothing. */
int simtgen_run(int argc, char **argv);

/* gen/cmd_*.c */
int cmd_list(const struct gen_options *o);
int cmd_describe(const struct gen_options *o);
int cmd_gen(const struct gen_options *o);
int cmd_check(const struct gen_options *o);
int cmd_sim(const struct gen_options *o);
int cmd_synth(const struct gen_options *o);
int cmd_sweep(const struct gen_options *o);
int cmd_tune(const struct gen_options *o);
int cmd_report(const struct gen_options *o);
/* gen/sweep/table.c: the command (sim, synth) at all values of o->values, as one table. */
int sweep_print_table(const struct gen_options *o, const char *command);

/* gen/replay.c: all values of v->replay: what the command line gives, else the defaults. */
bool replay_values(const struct gen_options *o, const struct simt_verif *v, uint64_t value[SIMT_MAX_REPLAY],
                   struct simt_diag *diag);

/* gen/replay.c: whether the block takes the trace; one of another block's is refused with the name of that block. */
bool trace_suits(const struct simt_block *block, const struct simt_verif *v, const char *path, struct simt_diag *diag);

/* gen/config.c: YAML text or file into an unresolved or resolved configuration; entry points of the fuzzer. */
bool config_from_yaml(const char *text, size_t size, const char *file, struct simt_config *cfg, struct simt_diag *diag);
bool config_from_file(const char *path, struct simt_config *cfg, struct simt_diag *diag);
/* The same in two steps, for values that the command line adds between: where each parameter was set (line 0:
 * not in the file), so that a condition across parameters is reported there. */
struct config_places { char file[256]; struct { unsigned line, col; } at[SIMT_MAX_PARAMS]; };
bool config_parse(const char *text, size_t size, const char *file, struct simt_config *cfg,
                  struct config_places *where, struct simt_diag *diag);
bool config_resolve(struct simt_config *cfg, const struct config_places *where, struct simt_diag *diag);
/* One parameter or the instance name from text, with the rules of simt_set_param and more: no octal look-alike;
 * an identifier that is no keyword of SystemVerilog or VHDL. */
bool config_set(struct simt_config *cfg, const char *name, const char *value, struct simt_diag *diag);
bool config_set_name(struct simt_config *cfg, const char *name, struct simt_diag *diag);
/* The block's lists of records, from their key in another file, instead of those that cfg has; with the name and the
 * parameters that it has. `where` is of the file that cfg is from, or of none: then it becomes this one's. */
bool config_set_lists(struct simt_config *cfg, const char *path, struct config_places *where, struct simt_diag *diag);
bool config_find_block(const char *name, const struct simt_block **block, struct simt_diag *diag);
/* `NAME=VALUE` of each parameter that is not at its default, and KEY=FILE of lists; `before` stands before each. */
struct text;
void config_changes(struct text *t, const char *before, const struct simt_config *cfg);
/* `simtgen COMMAND BLOCK` and the options that reproduce a configuration: what differs from the defaults. */
void config_command(struct text *t, const char *command, const struct simt_config *cfg);
/* What must stand round an instance's name in YAML: a quote if it would be read as true or false, else nothing. */
const char *config_yaml_quote(const char *name);
/* Complete YAML of a configuration (every parameter); replays to the same bytes. Caller frees. */
char *config_to_yaml(const struct simt_config *cfg);
/* 16 hex digits over block, version and every parameter value (not the instance name). */
void config_hash(const struct simt_config *cfg, char hex[17]);

/* gen/message.c */
/* The one printed form, to standard error. Without diag->got, diag->expected is printed as it is. Nothing is
 * printed when the program was interrupted: that message follows at the end. */
void message_error(const struct simt_diag *diag);
void message_note(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* What long work does. On a terminal a line that overwrites itself; without one a line a minute (SIMTGEN_PROGRESS: seconds)
 * on standard error. `share` of the work is done, 0..1, from which follows the time left; NOT_KNOWN: none is shown.
 * progress_waits() is to be called now and then while a tool is waited for; progress_end() clears the line. */
#define NOT_KNOWN 0.0
void progress(double share, const char *format, ...) __attribute__((format(printf, 2, 3)));
void progress_waits(void);
void progress_end(void);
extern volatile int interrupted;                         /* set by SIGINT, SIGTERM; long work polls it */

/* gen/text.c: a growing text buffer, the target of every emitter. */
struct text { char *s; size_t len, room; };
void text_add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
void text_add_bytes(struct text *t, const void *bytes, size_t n);
void text_free(struct text *t);
/* What the models' core writes is appended to the text. */
struct simt_sink text_sink(struct text *t);
/* Bytes of the UTF-8 character at s (n > 0 bytes are there), or 0 when there is none. */
size_t utf8_length(const char *s, size_t n);

/* gen/files.c: a set of files in memory, written whole or not at all. */
struct fileset { struct { char *path; struct text text; } *file; size_t n; };
/* The text to fill; the pointer is good until the next fileset_add. */
struct text *fileset_add(struct fileset *fs, const char *path, ...) __attribute__((format(printf, 2, 3)));
/* Writes into DIR (new, empty, or an earlier output whose manifest.json matches its files): aside, then
 * renamed. Refuses a folder with foreign or changed files. Nothing is left behind on failure. Adds
 * manifest.json: key "files" (path: SHA-256), and the keys of a JSON object that the set has under that name. */
bool fileset_write(struct fileset *fs, const char *dir, struct simt_diag *diag);
void fileset_free(struct fileset *fs);
/* Whole file, NUL-terminated; NULL and diag on failure. Caller frees. */
char *file_read(const char *path, size_t *size, struct simt_diag *diag);
/* Path of a file of the program's data (rtl_templates/...), in a static buffer; NULL if there is none. */
const char *data_path(const char *relative);
/* A hash of all templates, also of those that SIMTGEN_DATA and SIMTGEN_EXTRA name. */
bool data_hash(char hex[65], struct simt_diag *diag);
/* Do the folders that SIMTGEN_DATA and SIMTGEN_EXTRA name, if set, hold templates? */
bool data_check(struct simt_diag *diag);
/* The folder of the running program; true when it is an installed one (../share/simtgen exists). */
bool program_folder(char *to, size_t room);
void sha256_hex(const void *bytes, size_t n, char hex[65]);

/* gen/tool.c: external programs. */
/* Full path of a tool: from SIMTGEN_<UPPER NAME>, else on the path; NULL and diag ("install it with ...") */
const char *tool_find(const char *name, struct simt_diag *diag);
/* The variable that says which program to use in place of the one at `path`, which tool_find has found. */
const char *tool_variable(const char *path);
/* Runs argv in `cwd`, output into `log` (may be NULL); the exit status, 128 + the signal that ended it, or -1.
 * Stops it when interrupted. */
int tool_run(const char *const argv[], const char *cwd, struct text *log);
/* The cache folder build/cache (or $SIMTGEN_CACHE, or $XDG_CACHE_HOME/simtgen when installed), made if needed. */
const char *cache_dir(struct simt_diag *diag);

/* gen/emit_*.c: one output each; all take a resolved configuration and append text. */
void emit_top(struct text *t, const struct simt_config *cfg);                     /* rtl/NAME.v */
void emit_reset_wrapper(struct text *t, const struct simt_config *cfg);           /* rtl/NAME_async_reset.v */
void emit_derived(struct text *t, const struct simt_derived *v);                  /* as a Verilog number or vector */
void emit_core_inputs(struct text *t, const struct simt_desc *d);                       /* `,.NAME(0)...` of the core's inputs that are no ports */
void emit_parameter_map(struct text *t, const struct simt_config *cfg);           /* `#(.NAME(value)...) ` of the core, or nothing */
bool emit_rtl(struct fileset *fs, const char *folder, const struct simt_config *cfg, struct simt_diag *diag); /* top, core, cells, NAME.f */
/* 16 hex digits over the Verilog files of `fs`, without comments and the width of white space. */
void rtl_hash(const struct fileset *fs, char hex[17]);
/* Cells of the library and what they name, as far as rtl/ does not have them already. */
bool emit_cells(struct fileset *fs, const char *folder, const struct simt_config *cfg, const char *const *cells, struct simt_diag *diag);
/* system/, after rtl/: the units of a topology that names their modules, with front end and one memory port; nothing for others. */
bool emit_system(struct fileset *fs, const struct simt_config *cfg, struct simt_diag *diag);
/* Every module of verif/BLOCK/formal, and what they name of those of blocks that it uses; renamed likewise. */
bool emit_formal_copies(struct fileset *fs, const struct simt_config *cfg, struct simt_diag *diag);
bool emit_formal(struct fileset *fs, const struct simt_config *cfg, struct simt_diag *diag); /* formal/, after rtl/ */
/* With wrappers: tb/NAME_checked.v, the module with its bus watched (outputs bus_failed_o, bus_rule_o), and the
 * checkers that it needs. Nothing without. */
bool emit_checked(struct fileset *fs, const struct simt_config *cfg, struct simt_diag *diag);
enum { BUS_RULE_CHARS = 64 };                                                     /* text of a broken rule */
void emit_model_header(struct text *t, const struct simt_config *cfg);            /* model/NAME_ports.h */
void emit_regs_header(struct text *t, const struct simt_config *cfg);             /* regs.h */
void emit_rdl(struct text *t, const struct simt_config *cfg);                     /* rdl/NAME.rdl */
void emit_dpi(struct fileset *fs, const struct simt_config *cfg);                 /* dpi/: the checker to be bound */
void emit_vhdl(struct text *t, const struct simt_config *cfg);                    /* vhdl/NAME_pkg.vhd */
/* The numbers of a list's units, connections and domains, by their own names, which no other constant ends with: the same text in
 * the model's header and in regs.h. Nothing without a list. */
void emit_numbers(struct text *t, const struct simt_config *cfg, const char *prefix);
bool emit_tb(struct fileset *fs, const struct simt_config *cfg, struct simt_diag *diag);  /* tb/ with vectors */
/* The memory ports that have a model in tb/, plain or AXI4: what stands before their names; how many there are. */
unsigned emit_memory_ports(const struct simt_config *cfg, char name[SIMT_MAX_MEM_PORTS][SIMT_NAME_MAX]);
/* The same bench for vectors that come cycle by cycle; tb_close adds it to `fs`, without the memory. */
struct tb;
struct tb *tb_open(const struct simt_config *cfg);
void tb_cycle(struct tb *tb, const uint32_t *in, const uint32_t *out);
void tb_close(struct tb *tb, struct fileset *fs);
/* NAME.core, FuseSoC CAPI2; `fs` has its Verilog already. */
void emit_core_file(struct text *t, const struct simt_config *cfg, const struct fileset *fs);
bool emit_doc(struct fileset *fs, const struct simt_config *cfg, struct simt_diag *diag); /* doc/: datasheet, SVG */
void emit_harness(struct text *t, const struct simt_config *cfg, bool with_block); /* registered synthesis harness */
/* C++ shim round Verilator; `select` is one more input of the module, or NULL. */
void emit_shim(struct text *t, const struct simt_config *cfg, const char *module);
/* Breaks the lines of a Verilog text at 110 columns; its tokens stay. */
void fold_verilog(struct text *t);
void emit_header_comment(struct text *t, const struct simt_config *cfg, const char *prefix, const char *what);

#endif
