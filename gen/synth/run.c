/* SPDX-License-Identifier: Apache-2.0 */
/* run.c: Yosys and nextpnr on a block in its harness, results cached by content.
 *
 * The block keeps its boundary until it is mapped, and is flattened for place and route only: nothing is
 * merged or moved across it, so cells divide exactly into the block's and the harness's. The harness is
 * measured a second time without the block (gen/emit/harness.c), packed alone: that gives its logic cells. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "synth/synth.h"
#include "work.h"

/* A seed out of time is a result: a router may go on without end (see repeated_inputs). The slowest design known
 * here takes 90 s. The limit is processor time, which other work on the machine does not change. */
enum { PATH_ROOM = PATH_MAX + 256, FULL_PERCENT = 85, PNR_CPU_SECONDS = 240, YOSYS_SECONDS = 1800, OUT_OF_TIME = 128 + SIGXCPU };

/* nextpnr-ice40 0.4 may swap the inputs of a LUT4; where two of them are of one net, a constant 1 or a signal, either of its
 * routers moves these two about for ever, in one placement of two. Only the harness has such: outputs of a block that
 * are constant or equal reach it when its LUTs are made. Each repeated input gets the constant 0 instead, which
 * needs no wire, and the table is made to match. */
static const char repeated_inputs[] =
  "(* techmap_celltype = \"SB_LUT4\" *)\n"
  "module repeated_inputs (output O, input I0, input I1, input I2, input I3);\n"
  "  parameter [15:0] LUT_INIT = 16'd0;\n"
  "  parameter _TECHMAP_BITS_CONNMAP_ = 0;\n"
  "  parameter [_TECHMAP_BITS_CONNMAP_-1:0] _TECHMAP_CONNMAP_I0_ = 0;\n"
  "  parameter [_TECHMAP_BITS_CONNMAP_-1:0] _TECHMAP_CONNMAP_I1_ = 0;\n"
  "  parameter [_TECHMAP_BITS_CONNMAP_-1:0] _TECHMAP_CONNMAP_I2_ = 0;\n"
  "  parameter [_TECHMAP_BITS_CONNMAP_-1:0] _TECHMAP_CONNMAP_I3_ = 0;\n"
  "  localparam [1:0] S1 = _TECHMAP_CONNMAP_I1_ == _TECHMAP_CONNMAP_I0_ ? 0 : 1;\n"
  "  localparam [1:0] S2 = _TECHMAP_CONNMAP_I2_ == _TECHMAP_CONNMAP_I0_ ? 0 : _TECHMAP_CONNMAP_I2_ == _TECHMAP_CONNMAP_I1_ ? 1 : 2;\n"
  "  localparam [1:0] S3 = _TECHMAP_CONNMAP_I3_ == _TECHMAP_CONNMAP_I0_ ? 0 : _TECHMAP_CONNMAP_I3_ == _TECHMAP_CONNMAP_I1_ ? 1\n"
  "                      : _TECHMAP_CONNMAP_I3_ == _TECHMAP_CONNMAP_I2_ ? 2 : 3;\n"
  "  localparam R1 = S1 != 1 && _TECHMAP_CONNMAP_I1_ != 0, R2 = S2 != 2 && _TECHMAP_CONNMAP_I2_ != 0,\n"
  "             R3 = S3 != 3 && _TECHMAP_CONNMAP_I3_ != 0;\n"
  "  wire _TECHMAP_FAIL_ = !(R1 || R2 || R3);\n"
  "  function [15:0] seen(input [15:0] init);\n"
  "    integer i;\n"
  "    for (i = 0; i < 16; i = i + 1)\n"
  "      seen[i] = init[{R3 ? i[S3] : i[3], R2 ? i[S2] : i[2], R1 ? i[S1] : i[1], i[0]}];\n"
  "  endfunction\n"
  "  SB_LUT4 #(.LUT_INIT(seen(LUT_INIT))) _TECHMAP_REPLACE_ (.O(O), .I0(I0),\n"
  "    .I1(R1 ? 1'b0 : I1), .I2(R2 ? 1'b0 : I2), .I3(R3 ? 1'b0 : I3));\n"
  "endmodule\n";

struct job { /* one call of the command */
  const struct gen_options *o;
  struct synth_result *r;
  const char *yosys, *pnr, *sta, *timeout, *prlimit; /* programs; pnr and sta: NULL where they have no part */
  bool fresh;                        /* look at no earlier result */
  pthread_mutex_t lock;
  atomic_uint next;
  unsigned finished;
};

/* ---- tools -------------------------------------------------------------------------------------------- */

/* OpenSTA may be missing: there is no delay then. One that is named and is not there is an error. */
static bool find_sta(struct job *j, struct simt_diag *diag) {
  const char *given = getenv("SIMTGEN_STA");
  struct simt_diag missing = {0};
  if (given && *given) return (j->sta = tool_find("sta", diag)) != NULL;
  j->sta = tool_find("sta", &missing);
  if (!j->sta) snprintf(j->r->no_delay, sizeof j->r->no_delay, "OpenSTA (sta) is not there; %.100s", missing.hint);
  return true;
}

static bool find_tools(struct job *j, struct simt_diag *diag) {
  if (!(j->yosys = tool_find("yosys", diag)) || !(j->timeout = tool_find("timeout", diag))) return false;
  switch (j->r->target->kind) {
    case SYNTH_PLACED: return (j->pnr = synth_find_pnr(j->r->target, diag)) && (j->prlimit = tool_find("prlimit", diag));
    case SYNTH_CELLS: return find_sta(j, diag);
    default: return true;
  }
}

/* What tells one build of a tool from another, without running it. */
static void add_identity(struct text *t, const char *path) {
  struct stat st;
  if (path && !stat(path, &st))
    text_add(t, "%s %jd %jd\n", path, (intmax_t)st.st_size, (intmax_t)st.st_mtime);
}

bool synth_tools(const struct synth_target *target, struct text *to, struct simt_diag *diag) {
  struct synth_result r = {.target = target};
  struct job j = {.r = &r};
  if (!find_tools(&j, diag)) return false;
  add_identity(to, j.yosys);
  add_identity(to, j.pnr);
  add_identity(to, j.sta);
  return true;
}

static bool tool_failed(const char *tool, int status, const struct text *log, const char *folder,
                        struct simt_diag *diag) {
  if (diag->failed || work_blames_template(folder, log, tool, diag)) return false;
  const char *last = "", *s = log->s ? log->s : "";
  for (const char *at = s; (at = strstr(at, "ERROR:")); at++) last = at;
  if (!*last && strstr(s, "Error:")) last = strstr(s, "Error:"); /* of OpenSTA, the first counts */
  if (!*last) last = log->len > 200 ? s + log->len - 200 : log->len ? s : "no message";
  char got[100];
  snprintf(got, sizeof got, "exit status %d%s", status, status == 124 ? " (out of time)" : "");
  simt_fail(diag, tool, got, "success; it says: %.*s", (int)strcspn(last, "\n"), last);
  snprintf(diag->hint, sizeof diag->hint, "its files are in %.180s", folder);
  return false;
}

/* ---- files of the cache folder -------------------------------------------------------------------------- */

static void path_in(const struct job *j, char to[PATH_ROOM], const char *name) {
  snprintf(to, PATH_ROOM, "%s/%s", j->r->folder, name);
}

static bool present(const struct job *j, const char *name) {
  char path[PATH_ROOM];
  path_in(j, path, name);
  return !j->fresh && !access(path, R_OK);
}

/* Gives a finished file its final name: a killed run leaves no half result behind. */
static bool finish(const struct job *j, const char *from, const char *name, struct simt_diag *diag) {
  char a[PATH_ROOM], b[PATH_ROOM];
  path_in(j, a, from);
  path_in(j, b, name);
  return !rename(a, b) || simt_fail(diag, b, strerror(errno), "a file of the cache that can be written");
}

/* Removes a file that did not get its final name. */
static void drop(const struct job *j, const char *name) {
  char path[PATH_ROOM];
  path_in(j, path, name);
  unlink(path);
}

static bool put_file(const struct job *j, const char *name, const struct text *t, struct simt_diag *diag) {
  char path[PATH_ROOM], aside[64];
  snprintf(aside, sizeof aside, "%.40s.%ld", name, (long)getpid());
  path_in(j, path, aside);
  FILE *f = fopen(path, "wb");
  bool good = f && fwrite(t->s ? t->s : "", 1, t->len, f) == t->len;
  if (f && fclose(f)) good = false;
  if (!good) return simt_fail(diag, path, strerror(errno), "a file of the cache that can be written");
  return finish(j, aside, name, diag);
}

static json_t *read_json(const struct job *j, const char *name, struct simt_diag *diag) {
  char path[PATH_ROOM];
  path_in(j, path, name);
  json_error_t e;
  json_t *v = json_load_file(path, 0, &e);
  if (v) return v;
  simt_fail(diag, path, e.text, "JSON of a tool");
  snprintf(diag->hint, sizeof diag->hint, "run it again with SIMTGEN_NO_CACHE=1");
  return NULL;
}

/* ---- Yosys ---------------------------------------------------------------------------------------------- */

static void map_lines(struct text *t, const struct job *j) {
  const struct synth_target *target = j->r->target;
  char top[SIMT_NAME_MAX + 16];
  snprintf(top, sizeof top, "%s_harness", j->o->cfg.name);
  if (target->kind == SYNTH_CELLS) synth_asic_lines(t, top);
  else text_add(t, "%s%s -top %s\n%s", target->pass, j->r->device ? j->r->device->pass_option : "", top,
                target->kind == SYNTH_MAPPED ? "autoname\n" : ""); /* the others name cells after their nets by themselves */
}

/* Reads the Verilog so far in `fs`, maps block and harness apart, then joins them; then the harness alone.
 * "@" stands for the number of the process. */
static void write_script(struct text *t, const struct job *j, const struct fileset *fs) {
  const char *name = j->o->cfg.name;
  bool cells = j->r->target->kind == SYNTH_CELLS;
  for (size_t i = 0; i < fs->n; i++) {
    size_t n = strlen(fs->file[i].path);
    if (n > 2 && !strcmp(fs->file[i].path + n - 2, ".v")) text_add(t, "read_verilog %s\n", fs->file[i].path);
  }
  if (cells) text_add(t, "read_verilog ram_macro.bb\n");
  text_add(t, "hierarchy -top %s_harness\nproc\nwrite_json hierarchy.@\n", name);
  text_add(t, "setattr -mod -set keep_hierarchy 1 %s\n", name);
  map_lines(t, j);
  text_add(t, "setattr -mod -unset keep_hierarchy %s\nflatten\ndelete t:$scopeinfo\nclean\n", name); /* of newer versions, no cells */
  text_add(t, "techmap -map repeated_inputs.map t:SB_LUT4\nclean\n");
  text_add(t, "write_json netlist.@\n");
  if (cells) /* OpenSTA reads neither parameters nor vectors of constants */
    text_add(t, "setparam -unset WORDS -unset BITS -unset READS -unset WRITES -unset ABITS t:RAM_MACRO\nsplitnets -ports\n"
                "clean\nwrite_verilog -noattr mapped.@\n");
  text_add(t, "design -reset\nread_verilog alone.v\n");
  map_lines(t, j);
  text_add(t, "write_json alone.@\n");
  if (cells) text_add(t, "design -reset\nread_verilog gate.bb\nsynth -top one_gate\nabc -liberty cells.lib\nwrite_json gate.@\n");
}

/* The liberty file is one of the inputs, under a name of its own. */
static bool add_library(struct job *j, struct fileset *fs, struct simt_diag *diag) {
  size_t size;
  char *text = file_read(j->o->liberty, &size, diag);
  bool good = text && synth_read_library(&j->r->library, text, j->o->liberty, diag);
  if (good) text_add_bytes(fileset_add(fs, "./cells.lib"), text, size);
  free(text);
  if (good) synth_asic_files(fs);
  return good;
}

/* All that goes into Yosys, in memory. */
static bool make_inputs(struct job *j, struct fileset *fs, struct simt_diag *diag) {
  const struct simt_config *cfg = &j->o->cfg;
  if (!synth_check(j->o, j->r, diag) || !emit_rtl(fs, ".", cfg, diag)) return false;
  rtl_hash(fs, j->r->verilog);
  emit_harness(fileset_add(fs, "./%s_harness.v", cfg->name), cfg, true);
  write_script(&j->r->script, j, fs);
  emit_harness(fileset_add(fs, "./alone.v"), cfg, false);
  text_add(fileset_add(fs, "./repeated_inputs.map"), "%s", repeated_inputs);
  return j->r->target->kind != SYNTH_CELLS || add_library(j, fs, diag);
}

/* The folder's name is a hash of all inputs and tools. */
static bool make_folder(struct job *j, const struct fileset *fs, struct simt_diag *diag) {
  const char *cache = cache_dir(diag);
  if (!cache) return false;
  struct text all = {0};
  for (size_t i = 0; i < fs->n; i++) {
    text_add(&all, "%s %zu\n", fs->file[i].path, fs->file[i].text.len);
    text_add_bytes(&all, fs->file[i].text.s, fs->file[i].text.len);
  }
  text_add_bytes(&all, j->r->script.s, j->r->script.len);
  text_add(&all, "%s\n", j->r->target->frequency ? j->r->target->frequency : "");
  add_identity(&all, j->yosys);
  add_identity(&all, j->pnr);
  add_identity(&all, j->sta);
  char hex[65];
  sha256_hex(all.s, all.len, hex);
  text_free(&all);
  snprintf(j->r->folder, sizeof j->r->folder, "%.4000s/synth-%s-%.16s", cache, j->r->target->name, hex);
  if (mkdir(j->r->folder, 0777) && errno != EEXIST)
    return simt_fail(diag, j->r->folder, strerror(errno), "a folder that can be made");
  return true;
}

/* What the script writes, its name of the moment and its last one. */
static const char *const outputs[][2] = {{"hierarchy", "hierarchy.json"}, {"netlist", "netlist.json"}, {"alone", "alone.json"},
                                         {"mapped", "mapped.v"}, {"gate", "gate.json"}};

static size_t count_outputs(const struct job *j) { return j->r->target->kind == SYNTH_CELLS ? 5 : 3; }

static bool run_yosys(struct job *j, const struct fileset *fs, struct simt_diag *diag) {
  size_t n = count_outputs(j), there = 0;
  while (there < n && present(j, outputs[there][1])) there++;
  if (there == n) return true;
  progress(NOT_KNOWN, "synth: Yosys, %s", j->r->target->pass);
  for (size_t i = 0; i < fs->n; i++)
    if (!put_file(j, fs->file[i].path + 2, &fs->file[i].text, diag)) return false;
  char seconds[16], aside[64];
  snprintf(seconds, sizeof seconds, "%d", YOSYS_SECONDS);
  struct text mine = {0}, log = {0};
  for (const char *s = j->r->script.s; *s; s++) {
    if (*s == '@') text_add(&mine, "%ld", (long)getpid());
    else text_add_bytes(&mine, s, 1);
  }
  const char *argv[] = {j->timeout, "-k", "5", seconds, j->yosys, "-p", mine.s, NULL};
  int status = tool_run(argv, j->r->folder, &log);
  bool good = put_file(j, "yosys.log", &log, diag);
  if (status) good = tool_failed("yosys", status, &log, j->r->folder, diag);
  for (size_t i = 0; i < n; i++) {
    snprintf(aside, sizeof aside, "%s.%ld", outputs[i][0], (long)getpid());
    good = good && finish(j, aside, outputs[i][1], diag);
    if (!good) drop(j, aside);
  }
  text_free(&mine);
  text_free(&log);
  return good;
}

/* First line that a tool prints about itself, kept in the cache folder. */
static bool version_of(struct job *j, const char *tool, const char *option, const char *name, char *to, size_t room,
                       struct simt_diag *diag) {
  char path[PATH_ROOM];
  path_in(j, path, name);
  if (!present(j, name)) {
    struct text log = {0};
    const char *argv[] = {tool, option, NULL};
    int status = tool_run(argv, NULL, &log);
    bool good = !status ? put_file(j, name, &log, diag) : tool_failed(tool, status, &log, j->r->folder, diag);
    text_free(&log);
    if (!good) return false;
  }
  char *s = file_read(path, NULL, diag);
  if (!s) return false;
  snprintf(to, room, "%.*s", (int)strcspn(s, "\n"), s);
  free(s);
  return true;
}

/* ---- place and route -------------------------------------------------------------------------------------- */

/* Runs nextpnr; `more` holds further options, ended by NULL. */
static int run_pnr(struct job *j, const char *netlist, const char *const more[], struct text *log) {
  char limit[32];
  snprintf(limit, sizeof limit, "--cpu=%d:%d", PNR_CPU_SECONDS, PNR_CPU_SECONDS + 5);
  const char *argv[32] = {j->prlimit, limit, j->pnr, j->r->device->size, "--package", j->r->device->package,
                          "--json", netlist, "--freq", j->r->target->frequency, j->r->target->unconstrained};
  size_t n = 11;
  while (*more) argv[n++] = *more++;
  return tool_run(argv, j->r->folder, log);
}

/* "NAME:   115/ 7680" in a log: true and both numbers, when there. */
static bool utilisation(const char *log, const char *name, unsigned *used, unsigned *there) {
  char mark[40];
  snprintf(mark, sizeof mark, "%s:", name);
  const char *at = strstr(log, mark);
  return at && sscanf(at + strlen(mark), "%u/ %u", used, there) == 2;
}

struct use { unsigned cells; double fill, cell_fill; }; /* fill: of the scarcest resource */

/* Reads a log of the packing. */
static bool read_use(const struct synth_target *t, const char *log, struct use *u) {
  for (size_t i = 0; i < sizeof t->counted / sizeof *t->counted && t->counted[i]; i++) {
    unsigned used, there;
    if (!utilisation(log, t->counted[i], &used, &there) || !there) return false;
    double fill = (double)used / there;
    if (!i) u->cells = used, u->cell_fill = fill;
    if (fill > u->fill) u->fill = fill;
  }
  return true;
}

/* Packs a netlist for the device: how much of it is used. The log of the packing is cached. */
static bool pack(struct job *j, const char *netlist, struct use *u, struct simt_diag *diag) {
  char name[128], path[PATH_ROOM];
  snprintf(name, sizeof name, "pack-%.*s-%.40s.log", (int)strcspn(netlist, "."), netlist, j->r->device->name);
  path_in(j, path, name);
  if (!present(j, name)) {
    progress(NOT_KNOWN, "synth: packing for %s", j->r->device->name);
    struct text log = {0};
    const char *more[] = {"--pack-only", NULL};
    int status = run_pnr(j, netlist, more, &log);
    bool good = !status ? put_file(j, name, &log, diag)
                        : tool_failed(j->pnr, status, &log, j->r->folder, diag);
    text_free(&log);
    if (!good) return false;
  }
  char *log = file_read(path, NULL, diag);
  if (!log) return false;
  bool good = read_use(j->r->target, log, u);
  free(log);
  return good || simt_fail(diag, path, "no line about its logic cells", "the log of a known nextpnr");
}

/* The device that was asked for; or the smallest that is at most FULL_PERCENT full, or the largest. And the cells used in it. */
static bool choose_device(struct job *j, struct simt_diag *diag) {
  struct synth_result *r = j->r;
  struct use all = {0}, alone = {0};
  bool asked = j->o->device != NULL;
  if (!asked) r->device = r->target->devices;
  for (;; r->device++) {
    all = (struct use){0};
    if (!pack(j, "netlist.json", &all, diag)) return false;
    if (asked || all.fill * 100 <= FULL_PERCENT || !r->device[1].name || r->device[1].when_asked) break;
  }
  if (!pack(j, "alone.json", &alone, diag)) return false;
  r->fill = all.fill;
  r->fits = all.fill <= 1;
  r->harness_fill = alone.cell_fill;
  r->harness.cells = r->alone.cells = alone.cells;
  r->block.cells = all.cells - alone.cells;
  return true;
}

/* The frequency of a report. */
static double report_fmax(json_t *report) {
  const char *clock;
  json_t *v;
  double least = 0;
  json_object_foreach(json_object_get(report, "fmax"), clock, v) {
    double f = json_number_value(json_object_get(v, "achieved"));
    if (least <= 0 || f < least) least = f;
  }
  return least;
}

/* Registers that share no reset cannot share a group of cells, so a device may be too full sooner. */
static bool too_full(const struct text *log) { return log->s && strstr(log->s, "Unable to find legal placement"); }

/* One seed; out of time, or a device that is too full to be routed, is a result, any other failure of the tool an
 * error. */
static void one_seed(struct job *j, struct synth_seed *s, struct simt_diag *diag) {
  char name[128], endless[128], aside[160], number[16];
  snprintf(name, sizeof name, "seed%u-%.40s.json", s->seed, j->r->device->name);
  snprintf(endless, sizeof endless, "seed%u-%.40s.endless", s->seed, j->r->device->name);
  snprintf(aside, sizeof aside, "%s.%ld", name, (long)getpid());
  snprintf(number, sizeof number, "%u", s->seed);
  int status = present(j, endless) ? OUT_OF_TIME : 0;
  if (!status && !present(j, name)) {
    struct text log = {0};
    const char *more[] = {"--seed", number, "--report", aside, "--timing-allow-fail", "-q", NULL};
    status = run_pnr(j, "netlist.json", more, &log);
    if (!status) finish(j, aside, name, diag);
    else if (status == OUT_OF_TIME) put_file(j, endless, &log, diag);
    else if (interrupted || (j->r->fill * 100 <= FULL_PERCENT && !too_full(&log))) tool_failed(j->pnr, status, &log, j->r->folder, diag);
    else snprintf(s->why, sizeof s->why, "does not place or route");
    if (status) drop(j, aside);
    text_free(&log);
  }
  if (status == OUT_OF_TIME)
    snprintf(s->why, sizeof s->why, "not routed in %d s of processor time", PNR_CPU_SECONDS);
  if (status) return;
  s->report = diag->failed ? NULL : read_json(j, name, diag);
  if (s->report) s->fmax = report_fmax(s->report);
}

struct synth_worker { pthread_t thread; struct job *j; struct simt_diag diag; };

static void show_seeds(const struct job *j) {
  progress((double)j->finished / j->r->n_seeds, "synth: place and route in %s, %u of %u seeds", j->r->device->name,
           j->finished, j->r->n_seeds);
}

static void *work(void *arg) {
  struct synth_worker *w = arg;
  struct job *j = w->j;
  for (unsigned i; !w->diag.failed && (i = atomic_fetch_add(&j->next, 1)) < j->r->n_seeds;) {
    one_seed(j, &j->r->seed[i], &w->diag);
    pthread_mutex_lock(&j->lock);
    ++j->finished;
    show_seeds(j);
    pthread_mutex_unlock(&j->lock);
  }
  return NULL;
}

static bool all_seeds(struct job *j, struct simt_diag *diag) {
  struct synth_result *r = j->r;
  long cores = sysconf(_SC_NPROCESSORS_ONLN);
  unsigned n = cores > 0 && (unsigned long)cores < r->n_seeds ? (unsigned)cores : r->n_seeds;
  if (j->o->workers && j->o->workers < n) n = j->o->workers;
  struct synth_worker *w = calloc(n, sizeof *w);
  if (!w) abort();
  for (unsigned i = 0; i < r->n_seeds; i++) r->seed[i].seed = i + 1;
  show_seeds(j);
  for (unsigned i = 0; i < n; i++) w[i].j = j;
  for (unsigned i = 1; i < n; i++)
    if (pthread_create(&w[i].thread, NULL, work, &w[i])) w[i].thread = pthread_self();
  work(&w[0]);
  for (unsigned i = 0; i < n; i++) {
    if (i && !pthread_equal(w[i].thread, pthread_self())) pthread_join(w[i].thread, NULL);
    if (w[i].diag.failed && !diag->failed) *diag = w[i].diag;
  }
  free(w);
  for (unsigned i = 0; i < r->n_seeds; i++) r->n_done += r->seed[i].fmax > 0;
  return !diag->failed;
}

/* ---- the whole ---------------------------------------------------------------------------------------------- */

/* The flat module of the harness in a netlist of the folder; caller releases. */
static json_t *read_top(const struct job *j, const char *name, struct simt_diag *diag) {
  char top[SIMT_NAME_MAX + 16];
  snprintf(top, sizeof top, "%s_harness", j->o->cfg.name);
  json_t *whole = read_json(j, name, diag);
  json_t *module = json_incref(json_object_get(json_object_get(whole, "modules"), top));
  json_decref(whole);
  if (!module) simt_fail(diag, name, "no module", "%s in the netlist; run again with SIMTGEN_NO_CACHE=1", top);
  return module;
}

static bool versions(struct job *j, struct simt_diag *diag) {
  struct synth_result *r = j->r;
  return version_of(j, j->yosys, "-V", "yosys.version", r->yosys, sizeof r->yosys, diag) &&
         (!j->pnr || version_of(j, j->pnr, "--version", "nextpnr.version", r->pnr, sizeof r->pnr, diag)) &&
         (!j->sta || version_of(j, j->sta, "-version", "sta.version", r->sta, sizeof r->sta, diag));
}

/* The cells of the one gate. */
static bool read_gate(struct job *j, struct simt_diag *diag) {
  json_t *whole = read_json(j, "gate.json", diag);
  struct synth_count n = synth_count_module(j->r, json_object_get(json_object_get(whole, "modules"), "one_gate"));
  json_decref(whole);
  if (diag->failed) return false;
  j->r->gate_area = n.area;
  return n.area > 0 || simt_fail(diag, j->o->liberty, "no gates with areas", "a NAND of two inputs, or what makes one, with an area above 0");
}

/* Delay by OpenSTA: one result, in place of those of seeds. A netlist without a path between registers has none. */
static bool time_paths(struct job *j, struct simt_diag *diag) {
  char path[PATH_ROOM], top[SIMT_NAME_MAX + 16];
  struct text script = {0}, log = {0};
  if (!j->sta) return true;
  snprintf(top, sizeof top, "%s_harness", j->o->cfg.name);
  synth_sta_script(&script, top);
  bool good = true;
  if (!present(j, "sta.log")) {
    progress(NOT_KNOWN, "synth: OpenSTA");
    const char *argv[] = {j->timeout, "-k", "5", "600", j->sta, "-no_splash", "-exit", "sta.tcl", NULL};
    good = put_file(j, "sta.tcl", &script, diag);
    int status = good ? tool_run(argv, j->r->folder, &log) : 0;
    if (good && (status || strstr(log.s ? log.s : "", "Error:"))) good = tool_failed("sta", status, &log, j->r->folder, diag);
    good = good && put_file(j, "sta.log", &log, diag);
  }
  path_in(j, path, "sta.log");
  char *text = good ? file_read(path, NULL, diag) : NULL;
  struct synth_seed *s = j->r->seed;
  if (text && (s->report = synth_sta_report(text))) s->fmax = report_fmax(s->report), j->r->n_done = 1;
  else snprintf(j->r->no_delay, sizeof j->r->no_delay, "no path from register to register");
  free(text);
  text_free(&script);
  text_free(&log);
  return !diag->failed;
}

static bool measure(struct job *j, struct simt_diag *diag) {
  struct synth_result *r = j->r;
  r->fits = true;
  if (j->o->paths) { /* nothing is placed */
    if (!r->device) r->device = r->target->devices;
    r->n_seeds = 0;
    synth_find_paths(r, j->o->paths_mhz);
    return true;
  }
  switch (r->target->kind) {
    case SYNTH_PLACED: return choose_device(j, diag) && (!r->fits || all_seeds(j, diag));
    case SYNTH_CELLS: return read_gate(j, diag) && time_paths(j, diag);
    default: r->device = r->target->devices; return true;
  }
}

static bool run_all(struct job *j, const struct fileset *fs, struct simt_diag *diag) {
  struct synth_result *r = j->r;
  if (!make_folder(j, fs, diag) || !run_yosys(j, fs, diag) || !versions(j, diag)) return false;
  r->netlist = read_top(j, "netlist.json", diag);
  json_t *alone = read_top(j, "alone.json", diag), *hierarchy = read_json(j, "hierarchy.json", diag);
  if (!diag->failed) {
    synth_count_cells(r, json_object_get(hierarchy, "modules"), j->o->cfg.name);
    r->alone = synth_count_module(r, alone);
  }
  json_decref(alone);
  json_decref(hierarchy);
  return !diag->failed && measure(j, diag);
}

int synth_run(const struct gen_options *o, struct synth_result *r, struct simt_diag *diag) {
  const char *fresh = getenv("SIMTGEN_NO_CACHE");
  struct job j = {.o = o, .r = r, .fresh = fresh && *fresh && strcmp(fresh, "0"),
                  .lock = PTHREAD_MUTEX_INITIALIZER};
  struct fileset fs = {0};
  if (!r->n_seeds) r->n_seeds = 1;
  r->seed = calloc(r->n_seeds, sizeof *r->seed);
  if (!r->seed) abort();
  int status = EXIT_DONE;
  if (!make_inputs(&j, &fs, diag)) status = EXIT_USAGE;
  else if (!find_tools(&j, diag) || !run_all(&j, &fs, diag)) status = EXIT_TOOL;
  fileset_free(&fs);
  return status;
}

void synth_free(struct synth_result *r) {
  for (size_t i = 0; i < r->n_scopes; i++) free(r->scope[i].path);
  for (unsigned i = 0; r->seed && i < r->n_seeds; i++) json_decref(r->seed[i].report);
  free(r->scope);
  free(r->seed);
  json_decref(r->netlist);
  synth_free_paths(&r->paths);
  text_free(&r->script);
  synth_free_library(&r->library);
}
