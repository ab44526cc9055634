/* SPDX-License-Identifier: Apache-2.0 */
/* options.c: the command line. One argp parser finds the command, a second one, with the options of
 * that command only, reads the rest. */
#include <argp.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "gen.h"
#include "option_values.h"
#include "sweep/sweep.h"

enum { /* options without a letter */
  KEY_HELP = 'h', KEY_VERSION = 'V', KEY_JSON = 256, KEY_CYCLES, KEY_SEED, KEY_STIMULUS, KEY_WAVE, KEY_COVERAGE, KEY_GENERATED,
  KEY_NETLIST, KEY_PICKER, KEY_LATENCY, KEY_TRACE, KEY_TARGET, KEY_SEEDS, KEY_PATHS,
  KEY_NO_DOC, KEY_ENGINE, KEY_BUDGET, KEY_WORKERS, KEY_RECORD, KEY_MUTANTS,
  KEY_UPSETS, KEY_SVG, KEY_REPLAY, KEY_DEVICE, KEY_LIBERTY, KEY_BOARD,
  KEY_EXECUTOR, KEY_RESUME, KEY_RETRY, KEY_YES, KEY_JOBS, KEY_TASK, KEY_AGAINST, KEY_CSV,
  KEY_WITHIN, KEY_MAX_LUT, KEY_MAX_RAM, KEY_MIN_FMAX, KEY_COST, KEY_PART
};

#define OPTION_HELP {"help", KEY_HELP, NULL, 0, "Show this help", -1}, \
  {"version", KEY_VERSION, NULL, 0, "Show the version", -1}
#define OPTION_JSON {"json", KEY_JSON, NULL, 0, "Print the result as JSON", 0}
#define OPTION_QUIET {"quiet", 'q', NULL, 0, "Print the result only", 0}
#define OPTION_SILENT {"quiet", 'q', NULL, 0, "Print nothing but errors", 0}
#define OPTIONS_CONFIG \
  {"config", 'c', "FILE", 0, "Configuration, YAML or JSON, instead of BLOCK", 1}, \
  {"param", 'p', "NAME=VALUE", 0, "Set a parameter, after the file; once per name", 1}, \
  {"name", 'n', "NAME", 0, "Name of the instance, the prefix of all that is generated", 1}
#define OPTIONS_VALUES \
  {"config", 'c', "FILE", 0, "Configuration, YAML or JSON, instead of BLOCK", 1}, \
  {"param", 'p', "NAME=VALUE", 0, "Set a parameter, after the file; once per name. NAME=A,B,C: a table over these values", 1}, \
  {"name", 'n', "NAME", 0, "Name of the instance, the prefix of all that is generated", 1}, \
  {"csv", KEY_CSV, NULL, 0, "Print the table over values as CSV", 0}
#define OPTIONS_REPLAY \
  {"picker", KEY_PICKER, "NAME", 0, "Replay order of a trace", 2}, \
  {"latency", KEY_LATENCY, "CYCLES", 0, "Memory latency for a trace", 2}, \
  {"replay", KEY_REPLAY, "NAME=VALUE", 0, "How a trace is replayed, as far as the block has such options; once per name", 2}

static const struct argp_option options_list[] = {OPTION_JSON, OPTION_HELP, {0}};
static const struct argp_option options_describe[] = {
    OPTIONS_CONFIG,
    {"svg", KEY_SVG, "FILE", 0, "Draw it as well: the units under a front end, else the block with its ports", 2},
    OPTION_JSON, OPTION_HELP, {0}};
static const struct argp_option options_gen[] = {
    OPTIONS_CONFIG,
    {"output", 'o', "DIR", 0, "Folder to write: new, empty, or an unchanged earlier output", 1},
    {"board", KEY_BOARD, "NAME", 0, "Add a self-test for a board: hx8k, icebreaker, ulx3s or all", 1},
    {"no-doc", KEY_NO_DOC, NULL, 0, "Leave out the datasheet and its pictures", 1},
    OPTION_SILENT,
    OPTION_HELP,
    {0}};
static const struct argp_option options_check[] = {
    OPTIONS_CONFIG,
    {"cycles", KEY_CYCLES, "N", 0, "Length of a random run (default 1000000; icarus 20000); directed tests and traces run to their end", 2},
    {"seed", KEY_SEED, "S", 0, "Seed of the random stimulus (default: fresh)", 2},
    {"stimulus", KEY_STIMULUS, "KIND", 0,
     "random[:PROFILE], directed[:NAME] or trace:FILE (default random)", 2},
    OPTIONS_REPLAY,
    {"trace", KEY_TRACE, "FILE", 0, "The same as --stimulus trace:FILE", 2},
    {"wave", KEY_WAVE, "FILE", 0, "Write a waveform (VCD)", 3},
    {"coverage", KEY_COVERAGE, NULL, 0, "List the coverage points and lines hit and missed", 3},
    {"netlist", KEY_NETLIST, "TARGET", 0,
     "Run the netlist that synthesis makes: synth (generic gates), ice40 or ecp5", 3},
    {"generated", KEY_GENERATED, NULL, 0, "Check the Verilog files beside -c FILE, as they are, not the templates", 3},
    {"budget", KEY_BUDGET, "TIME", 0,
     "Campaign: minutes (or 30s) of runs over the block's grid with fresh seeds; resumes", 4},
    {"workers", KEY_WORKERS, "N", 0, "Runs of a campaign at a time (default: one per core)", 4},
    {"record", KEY_RECORD, "FILE", 0,
     "What the campaign has covered, JSON (default build/campaign/BLOCK.json)", 4},
    {"executor", KEY_EXECUTOR, "NAME", 0, "Of a campaign: local (default) or slurm: jobs on a folder that all nodes share", 4},
    {"jobs", KEY_JOBS, "N", 0, "Jobs of a campaign on Slurm, each for the whole budget (default: one per configuration, at most 100)", 4},
    {"part", KEY_PART, "I:N:SEED", OPTION_HIDDEN, "Walk a part of the grid, in a job of Slurm", 4},
    {"mutants", KEY_MUTANTS, "N", 0, "Is each of N mutations of the RTL, or all, found by lockstep?", 5},
    {"upsets", KEY_UPSETS, "N", 0, "What becomes of a bit that is wrong for one cycle, N times", 5},
    {"engine", KEY_ENGINE, "NAME", 0,
     "What simulates: verilator (default), verilator-O0 (not optimised) or icarus (four-state)", 3},
    OPTION_JSON,
    OPTION_QUIET,
    OPTION_HELP,
    {0}};
static const struct argp_option options_sim[] = {
  OPTIONS_VALUES, {"trace", KEY_TRACE, "FILE", 0, "Trace to run", 2}, OPTIONS_REPLAY,
  OPTION_JSON, OPTION_QUIET, OPTION_HELP, {0}};
static const struct argp_option options_synth[] = {
  OPTIONS_VALUES,
  {"target", KEY_TARGET, "TARGET", 0, "ice40, ecp5, xilinx or asic (default ice40)", 2},
  {"device", KEY_DEVICE, "NAME", 0, "ice40: hx8k or up5k; ecp5: 25k, 45k or 85k (default: the smallest that is not full; no up5k)", 2},
  {"liberty", KEY_LIBERTY, "FILE", 0, "asic: the standard cells", 2},
  {"seeds", KEY_SEEDS, "N", 0, "Placements, each with its own seed (default 1)", 2},
  {"paths", KEY_PATHS, "MHZ", OPTION_ARG_OPTIONAL,
   "ice40, ecp5: place nothing; which registers are ready later than at MHZ (default: nine tenths of the latest), by estimate", 2},
  {"workers", KEY_WORKERS, "N", 0, "Placements at a time (default: one per core)", 2},
  OPTION_JSON, OPTION_QUIET, OPTION_HELP, {0}};
static const struct argp_option options_sweep[] = {
  {"output", 'o', "DIR", 0, "Folder of the results, also of those of an earlier run (default: the name of FILE with .sweep)", 1},
  {"resume", KEY_RESUME, NULL, 0, "Go on with the sweep that the folder holds; refuse another one", 1},
  {"retry", KEY_RETRY, NULL, 0, "Run what failed before again", 1},
  {"yes", KEY_YES, NULL, 0, "Run a great number of points without asking", 1},
  {"workers", 'j', "N", 0, "Tasks at a time on this machine (default: one per core)", 2},
  {"executor", KEY_EXECUTOR, "NAME", 0, "local (default) or slurm: array jobs on a folder that all nodes share", 2},
  {"jobs", KEY_JOBS, "N", 0, "Jobs of Slurm under way at a time (default 100)", 2},
  {"task", KEY_TASK, "FILE:LINE", OPTION_HIDDEN, "Run one line of a job of Slurm", 2},
  OPTION_JSON, OPTION_QUIET, OPTION_HELP, {0}};
static const struct argp_option options_tune[] = {
  {"within", KEY_WITHIN, "PERCENT", 0, "Cycles above those of the best that may be (default 5)", 1},
  {"max-lut", KEY_MAX_LUT, "N", 0, "LUTs at most; with standard cells gate equivalents", 1},
  {"max-ram", KEY_MAX_RAM, "BITS", 0, "Block RAM at most, in bits of whole blocks", 1},
  {"min-fmax", KEY_MIN_FMAX, "MHZ", 0, "Frequency at least, the median over the seeds", 1},
  {"cost", KEY_COST, "WHAT", 0, "What is to be the least: lut (default) or ram", 1},
  {"target", KEY_TARGET, "TARGET", 0, "The target that counts, when the file has several", 1},
  {"output", 'o', "DIR", 0, "Folder of the results, which a sweep of the same file shares (default: the name of FILE with .sweep)", 2},
  {"retry", KEY_RETRY, NULL, 0, "Run what failed before again", 2},
  {"yes", KEY_YES, NULL, 0, "Take a great number of points without asking", 2},
  {"workers", 'j', "N", 0, "Tasks at a time on this machine (default: one per core)", 3},
  {"executor", KEY_EXECUTOR, "NAME", 0, "local (default) or slurm: array jobs on a folder that all nodes share", 3},
  {"jobs", KEY_JOBS, "N", 0, "Jobs of Slurm under way at a time (default 100)", 3},
  OPTION_JSON, OPTION_QUIET, OPTION_HELP, {0}};
static const struct argp_option options_report[] = {
  {"output", 'o', "DIR", 0, "Folder to write: new, empty, or an unchanged earlier report", 1},
  {"against", KEY_AGAINST, "RESULTS", 0, "Compare with an earlier result set", 1},
  OPTION_SILENT, OPTION_HELP, {0}};

static const struct known_command {
  const char *name, *doc;
  const struct argp_option *options;
  bool takes_config;
  int (*run)(const struct gen_options *o);
  const char *operand; /* what stands in the place of BLOCK, or NULL */
} commands[] = {
    {"list", "List the blocks.", options_list, false, cmd_list, NULL},
    {"describe", "Show parameters, ports, registers and coverage points of a block.",
     options_describe, true, cmd_describe, NULL},
    {"gen", "Generate Verilog, model, bench and documents.", options_gen, true, cmd_gen, NULL},
    {"check", "Run the Verilog in lockstep with the C model.", options_check, true, cmd_check, NULL},
    {"sim", "Run the C model alone on a trace and print statistics.", options_sim, true, cmd_sim, NULL},
    {"synth", "Synthesize, place and route; print area and frequency.", options_synth, true,
     cmd_synth, NULL},
    {"sweep", "Run sim and synth over many configurations.", options_sweep, false, cmd_sweep, "FILE"},
    {"tune", "Find the cheapest configuration that is fast enough.", options_tune, false, cmd_tune, "FILE"},
    {"report", "Make a page of the results of a sweep.", options_report, false, cmd_report, "RESULTS"},
};
enum { N_COMMANDS = sizeof commands / sizeof *commands };

struct command_line { /* a command line while it is read */
  struct gen_options *o;
  struct simt_diag *diag;
  const struct known_command *command;
  const char *block, *config, *name;
  char **params; /* NAME=VALUE texts */
  size_t n_params;
  uint64_t seen; /* options that may come once */
  bool shown;    /* --help or --version was all there is to do */
  bool help;     /* it was --help of a command */
};

static bool replay_option(struct gen_options *o, const char *text, struct simt_diag *diag) {
  if (!strchr(text, '=')) return option_fail(diag, "--replay", text[0] ? text : "nothing", "NAME=VALUE", "");
  if (o->n_replay == SIMT_MAX_REPLAY) return option_fail(diag, "--replay", text, "each name once", "remove one of them");
  o->replay[o->n_replay++] = text;
  return true;
}

static bool limit_option(struct command_line *l, int key, const char *text) {
  struct gen_options *o = l->o;
  switch (key) {
    case KEY_WITHIN: return option_decimal("--within", text, 1000, &o->within, l->diag);
    case KEY_MAX_LUT: return option_decimal("--max-lut", text, 1e9, &o->max_lut, l->diag);
    case KEY_MAX_RAM: return option_decimal("--max-ram", text, 1e12, &o->max_ram, l->diag);
    case KEY_MIN_FMAX: return option_decimal("--min-fmax", text, 1e5, &o->min_fmax, l->diag);
    case KEY_COST: return option_cost(text, &o->cost, l->diag);
    default: return false;
  }
}

static bool result_option(struct command_line *l, int key, const char *text) {
  struct gen_options *o = l->o;
  switch (key) {
    case 'o': return option_path("-o", text, &o->out, l->diag);
    case 'q': return o->quiet = true;
    case KEY_JSON: return o->json = true;
    case KEY_COVERAGE: return o->coverage = true;
    case KEY_GENERATED: return o->generated = true;
    case KEY_NO_DOC: return o->no_doc = true;
    case KEY_SVG: return option_path("--svg", text, &o->svg, l->diag);
    case KEY_BOARD: return option_board(text, &o->board, l->diag);
    case KEY_DEVICE: return option_path("--device", text, &o->device, l->diag);
    case KEY_LIBERTY: return option_path("--liberty", text, &o->liberty, l->diag);
    case KEY_WAVE: return option_path("--wave", text, &o->wave, l->diag);
    case KEY_NETLIST: return option_netlist(text, &o->netlist, l->diag);
    case KEY_ENGINE: return option_engine(text, &o->engine, l->diag);
    case KEY_RECORD: return option_path("--record", text, &o->record, l->diag);
    case KEY_TRACE: return option_path("--trace", text, &o->trace, l->diag);
    case KEY_PICKER: return option_path("--picker", text, &o->picker, l->diag);
    case KEY_REPLAY: return replay_option(o, text, l->diag);
    case KEY_EXECUTOR: return option_executor(text, &o->executor, l->command->name, l->diag);
    case KEY_RESUME: return o->resume = true;
    case KEY_RETRY: return o->retry = true;
    case KEY_YES: return o->yes = true;
    case KEY_CSV: return o->csv = true;
    case KEY_PART: return option_path("--part", text, &o->part, l->diag);
    case KEY_TASK: return option_path("--task", text, &o->task, l->diag);
    case KEY_AGAINST: return option_path("--against", text, &o->against, l->diag);
    default: return limit_option(l, key, text);
  }
}

static bool run_option(struct command_line *l, int key, const char *text) {
  struct gen_options *o = l->o;
  uint64_t value = 0;
  bool ok = true;
  switch (key) {
    case KEY_CYCLES: return option_number("--cycles", text, 1, 1000000000000000, &o->cycles, l->diag);
    case KEY_SEED: return o->seed_given = option_number("--seed", text, 0, UINT64_MAX, &o->seed, l->diag);
    case KEY_STIMULUS: o->stimulus = text; return option_stimulus(text, l->diag);
    case KEY_TARGET: o->target = text; /* tune: a name of the file */
                     return o->target_given = l->command->run == cmd_tune ? option_path("--target", text, &o->target, l->diag) : option_target(text, l->diag);
    case KEY_LATENCY: ok = option_number("--latency", text, 1, 1000000, &value, l->diag);
                      o->latency = (unsigned)value;
                      return ok;
    case KEY_MUTANTS: o->mutants = UINT64_MAX;
                      if (!strcmp(text, "all")) return true;
                      return option_number("--mutants", text, 1, 10000000, &o->mutants, l->diag);
    case KEY_UPSETS: return option_number("--upsets", text, 1, 10000000, &o->upsets, l->diag);
    case KEY_BUDGET: return option_budget(text, &o->budget, l->diag);
    case KEY_WORKERS: ok = option_number("--workers", text, 1, 256, &value, l->diag);
                      o->workers = (unsigned)value;
                      return ok;
    case 'j': ok = option_number("-j", text, 1, 256, &value, l->diag);
              o->workers = (unsigned)value;
              return ok;
    case KEY_JOBS: ok = option_number("--jobs", text, 1, 100000, &value, l->diag);
                   o->jobs = (unsigned)value;
                   return ok;
    case KEY_SEEDS: ok = option_number("--seeds", text, 1, 1000, &value, l->diag);
                    o->seeds = (unsigned)value;
                    return ok;
    case KEY_PATHS: o->paths = true;
                    ok = !text || option_number("--paths", text, 1, 10000, &value, l->diag);
                    o->paths_mhz = text && ok ? (unsigned)value : 0;
                    return ok;
    default: return result_option(l, key, text);
  }
}

/* A second one would silently win over the first. */
static bool repeated(struct command_line *l, int key, const char *text) {
  static const struct { int key; const char *name; } once[] = {
    {KEY_SEED, "--seed"}, {KEY_TRACE, "--trace"}, {KEY_CYCLES, "--cycles"}, {KEY_STIMULUS, "--stimulus"},
    {KEY_TARGET, "--target"}, {KEY_LATENCY, "--latency"}, {KEY_MUTANTS, "--mutants"}, {KEY_UPSETS, "--upsets"},
    {KEY_BUDGET, "--budget"}, {KEY_WORKERS, "--workers"}, {KEY_SEEDS, "--seeds"}, {KEY_PATHS, "--paths"}, {KEY_SVG, "--svg"},
    {KEY_WAVE, "--wave"}, {KEY_NETLIST, "--netlist"}, {KEY_ENGINE, "--engine"}, {KEY_RECORD, "--record"},
    {KEY_PICKER, "--picker"}, {'o', "-o"}, {'j', "-j"}, {KEY_EXECUTOR, "--executor"}, {KEY_JOBS, "--jobs"},
    {KEY_TASK, "--task"}, {KEY_AGAINST, "--against"}, {KEY_DEVICE, "--device"}, {KEY_LIBERTY, "--liberty"}, {KEY_BOARD, "--board"},
    {KEY_WITHIN, "--within"}, {KEY_MAX_LUT, "--max-lut"}, {KEY_MAX_RAM, "--max-ram"}, {KEY_MIN_FMAX, "--min-fmax"}, {KEY_COST, "--cost"}};
  for (unsigned i = 0; i < sizeof once / sizeof *once; i++) {
    if (once[i].key != key) continue;
    if (l->seen >> i & 1u) return !option_fail(l->diag, once[i].name, text ? text : "the option again", "this option once", "remove one of them");
    l->seen |= (uint64_t)1 << i;
  }
  return false;
}

static bool config_option(struct command_line *l, int key, char *text) {
  static const char twice[] = "this option once";
  if (repeated(l, key, text)) return false;
  switch (key) {
    case 'c':
      if (l->config) return option_fail(l->diag, "-c", text, twice, "");
      return option_path("-c", text, &l->config, l->diag);
    case 'n':
      if (l->name) return option_fail(l->diag, "-n", text, twice, "");
      l->name = text;
      return true;
    case 'p': l->params[l->n_params++] = text; return true;
    default: return run_option(l, key, text);
  }
}

/* ---- argp ------------------------------------------------------------------------------------ */

/* The first option of a word like -qx or --cycles=5 that is unknown or, being last, lacks its
 * value: its entry, or NULL when unknown. The names of all go into `names`. */
static const struct argp_option *blamed(const struct argp_option *options, const char *word,
                                        const char *names[], size_t room) {
  const struct argp_option *found = NULL;
  bool is_long = word[1] == '-';
  size_t length = strcspn(word + 2, "="), n = 0, known = 0;
  for (const struct argp_option *p = options; p->name; p++) {
    if (n + 1 < room) names[n++] = p->name;
    if (is_long && !strncmp(p->name, word + 2, length) && !p->name[length]) found = p;
    if (!is_long && p->key < 128 && strchr(word + 1, p->key))
      known++, found = p->arg || !found ? p : found;
  }
  names[n] = NULL;
  return is_long || known == strlen(word + 1) ? found : NULL;
}

/* The entry of --NAME, also cut short where that is no other option's; NULL: there is none. */
static const struct argp_option *find_long(const struct argp_option *options, const char *name) {
  const struct argp_option *found = NULL;
  size_t length = strcspn(name, "="), n = 0;
  for (const struct argp_option *p = options; p->name; p++) {
    if (strncmp(p->name, name, length)) continue;
    if (!p->name[length]) return p;
    found = p;
    n++;
  }
  return n == 1 ? found : NULL;
}

static const struct argp_option *find_letter(const struct argp_option *options, char letter) {
  while (options->name && options->key != letter) options++;
  return options->name ? options : NULL;
}

/* Is this word of options wrong, or does it want a value that does not follow? `takes_next`: its value does. */
static bool is_wrong(const struct argp_option *options, const char *word, bool last, bool *takes_next) {
  bool is_long = word[1] == '-';
  const struct argp_option *o = NULL;
  const char *value = NULL;
  *takes_next = false;
  for (size_t i = 1; word[i] && !(o && o->arg); i++) {
    o = is_long ? find_long(options, word + 2) : find_letter(options, word[i]);
    if (!o) return true;
    value = is_long ? strchr(word, '=') : word[i + 1] ? word + i + 1 : NULL;
    if (is_long) break;
  }
  if (!o->arg) return is_long && value;
  *takes_next = !value;
  return !value && last;
}

/* The first word of the command's line that is a wrong option, or NULL. */
static const char *wrong_word(const struct argp_option *options, int argc, char *const *argv) {
  for (int i = 1; i < argc && strcmp(argv[i], "--"); i++) {
    bool takes_next;
    if (argv[i][0] != '-' || !argv[i][1]) continue;
    if (is_wrong(options, argv[i], i + 1 == argc, &takes_next)) return argv[i];
    i += takes_next;
  }
  return NULL;
}

/* argp stopped at this word: says why. */
static void bad_option(const struct argp_option *options, const char *command, const char *word,
                       struct simt_diag *diag) {
  const char *names[32];
  char hint[128], bare[SIMT_NAME_MAX] = "";
  if (diag->failed) return; /* an option's value, or an argument: said already */
  snprintf(hint, sizeof hint, "see: simtgen%s%s --help", command ? " " : "",
           command ? command : "");
  const struct argp_option *option = NULL;
  names[0] = NULL;
  if (word[0] == '-' && word[1])
    option = blamed(options, word, names, sizeof names / sizeof *names);
  if (option) {
    option_fail(diag, word, option->arg ? "no value" : "a value",
         option->arg ? "a value after it" : "no value", hint);
    return;
  }
  if (word[0] == '-' && word[1] == '-')
    snprintf(bare, sizeof bare, "%.*s", (int)strcspn(word + 2, "="), word + 2);
  const char *near = bare[0] ? simt_nearest(bare, names) : NULL;
  if (near) snprintf(hint, sizeof hint, "did you mean --%s?", near);
  option_fail(diag, word, "an unknown option", "an option of --help", hint);
}

/* `-p A=B C=D`, `-p BLOCK A=B`: a parameter that stands without its own -p. */
static bool param_apart(struct command_line *l, const char *arg) {
  const char *before = l->n_params ? l->params[l->n_params - 1] : "";
  char hint[2 * SIMT_NAME_MAX + 24];
  if (!strchr(arg, '=') || arg[0] == '=' || !l->command->takes_config) return false;
  if (simt_find_block(before)) snprintf(hint, sizeof hint, "did you mean %s -p %.*s?", before, SIMT_NAME_MAX, arg);
  else snprintf(hint, sizeof hint, "did you mean -p %.*s?", SIMT_NAME_MAX, arg);
  return !option_fail(l->diag, arg, "an argument", "-p in front of each NAME=VALUE", hint);
}

/* `-p NAME VALUE`: the value is an argument of its own. */
static bool value_apart(struct command_line *l, const char *value) {
  const char *name = l->n_params ? l->params[l->n_params - 1] : "=";
  if (!name[0] || strchr(name, '=') || simt_find_block(value) || simt_find_block(name)) return false;
  char got[2 * SIMT_NAME_MAX], hint[2 * SIMT_NAME_MAX + 24];
  snprintf(got, sizeof got, "%.*s %.*s", SIMT_NAME_MAX - 2, name, SIMT_NAME_MAX - 2, value);
  snprintf(hint, sizeof hint, "did you mean -p %.*s=%.*s?", SIMT_NAME_MAX - 2, name, SIMT_NAME_MAX - 2, value);
  return !option_fail(l->diag, "-p", got, "NAME=VALUE", hint);
}

static error_t parse_rest(int key, char *arg, struct argp_state *state) {
  struct command_line *l = state->input;
  if (key == ARGP_KEY_ARG) {
    if (param_apart(l, arg) || value_apart(l, arg)) return EINVAL;
    if (l->command->operand) {
      if (l->o->operand) option_fail(l->diag, arg, "a second argument", l->command->operand, "remove it");
      return option_path(l->command->operand, arg, &l->o->operand, l->diag) && !l->diag->failed ? 0 : EINVAL;
    }
    if (!l->command->takes_config) option_fail(l->diag, arg, "an argument", "options only", "remove it");
    else if (l->block) option_fail(l->diag, arg, "a second argument", "one BLOCK", "remove it");
    l->block = arg;
    return l->diag->failed ? EINVAL : 0;
  }
  if (key == KEY_VERSION) printf("simtgen %s\n", SIMT_VERSION);
  if (key == KEY_HELP || key == KEY_VERSION) {
    l->shown = true;
    l->help = key == KEY_HELP;
    state->next = state->argc;
    return 0;
  }
  if (key < 0 || key >= ARGP_KEY_END) return ARGP_ERR_UNKNOWN;
  return config_option(l, key, arg) ? 0 : EINVAL;
}

static void show_help(const struct argp *argp, const char *name) {
  char buffer[64];
  snprintf(buffer, sizeof buffer, "%s", name);
  argp_help(argp, stdout, ARGP_HELP_SHORT_USAGE | ARGP_HELP_LONG | ARGP_HELP_DOC, buffer);
}

/* argv[0] is the command's name. */
static bool parse_command(struct command_line *l, int argc, char **argv) {
  struct argp argp = {.options = l->command->options, .parser = parse_rest, .doc = l->command->doc,
                      .args_doc = l->command->operand ? l->command->operand : l->command->takes_config ? "BLOCK\n-c FILE" : ""};
  const char *wrong = wrong_word(argp.options, argc, argv); /* argp does not say which, and moves the words */
  if (argp_parse(&argp, argc, argv, ARGP_NO_HELP | ARGP_NO_ERRS | ARGP_NO_EXIT, NULL, l)) {
    bad_option(argp.options, l->command->name, wrong ? wrong : argv[argc - 1], l->diag);
    return false;
  }
  char name[32];
  snprintf(name, sizeof name, "simtgen %s", l->command->name);
  if (l->help) show_help(&argp, name);
  return true;
}

static const struct argp_option options_top[] = {
  OPTION_HELP, {0}};

static void show_top_help(void) {
  char doc[1024];
  int n =
      snprintf(doc, sizeof doc, "Generates synthesizable GPU blocks with bit-exact C models.\v");
  for (int i = 0; i < N_COMMANDS && n < (int)sizeof doc; i++)
    n += snprintf(doc + n, sizeof doc - (size_t)n, "  %-10s %s\n", commands[i].name,
                  commands[i].doc);
  struct argp argp = {.options = options_top, .doc = doc, .args_doc = "COMMAND [OPTION...]"};
  show_help(&argp, "simtgen");
}

static bool find_command(struct command_line *l, const char *name) {
  const char *names[N_COMMANDS + 1] = {NULL};
  char all[120] = "one of ", hint[64] = "see: simtgen --help";
  int n = (int)strlen(all);
  for (int i = 0; i < N_COMMANDS; i++) {
    names[i] = commands[i].name;
    if (!strcmp(name, commands[i].name)) l->command = &commands[i];
    n += snprintf(all + n, sizeof all - (size_t)n, "%s%s", i ? ", " : "", commands[i].name);
  }
  if (l->command) return true;
  const char *near = simt_nearest(name, names);
  if (near) snprintf(hint, sizeof hint, "did you mean %s?", near);
  return option_fail(l->diag, "command", name[0] ? name : "nothing", all, hint);
}

static bool is_command(const char *name) {
  for (int i = 0; i < N_COMMANDS; i++)
    if (!strcmp(name, commands[i].name)) return true;
  return false;
}

static bool parse_line(struct command_line *l, int argc, char **argv) {
  const char *first = argc > 1 ? argv[1] : "";
  if (!strcmp(first, "--help") || !strcmp(first, "-h") || !strcmp(first, "help")) {
    show_top_help();
    return l->shown = true;
  }
  if (!strcmp(first, "--version") || !strcmp(first, "-V")) {
    printf("simtgen %s\n", SIMT_VERSION);
    return l->shown = true;
  }
  if (first[0] == '-' && argc > 2 && is_command(argv[2])) { /* an option without a value may stand in front */
    argv[1] = argv[2];
    argv[2] = (char *)(uintptr_t)first;
    return parse_line(l, argc, argv);
  }
  if (first[0] == '-') {
    bad_option(options_top, NULL, first, l->diag);
    return false;
  }
  return find_command(l, first) && parse_command(l, argc - 1, argv + 1);
}

/* ---- the configuration ----------------------------------------------------------------------- */

/* KEY=FILE, where KEY is that of the block's lists. */
static bool is_lists_param(const struct simt_config *cfg, const char *text) {
  const char *key = cfg->block->lists ? cfg->block->lists->key : "";
  return key[0] && !strncmp(text, key, strlen(key)) && text[strlen(key)] == '=';
}

/* Before the other options, because these win over what the file says. */
static bool set_lists(struct command_line *l, struct config_places *where) {
  struct simt_config *cfg = &l->o->cfg;
  const char *key = cfg->block->lists ? cfg->block->lists->key : NULL, *path = NULL;
  for (size_t i = 0; key && i < l->n_params; i++) {
    if (!is_lists_param(cfg, l->params[i])) continue;
    if (path) return option_fail(l->diag, key, "a second -p", "each parameter once", "remove one of them");
    path = l->params[i] + strlen(key) + 1;
    if (!path[0]) return option_fail(l->diag, key, "nothing", "the name of a file with these lists", "");
  }
  return !path || config_set_lists(cfg, path, where, l->diag);
}

/* `-p NAME=A,B,C` of a command that makes a table over values. */
static bool is_list_of_values(const struct command_line *l, const char *text) {
  const char *equals = strchr(text, '=');
  return (l->command->run == cmd_sim || l->command->run == cmd_synth) && equals && !is_lists_param(&l->o->cfg, text) && strchr(equals, ',');
}

static bool add_values(struct sweep *s, const char *name, char *list, struct simt_diag *diag) {
  struct sweep_axis *a = sweep_axis(s, name, diag);
  for (char *value = list, *comma; a; value = comma + 1) {
    if ((comma = strchr(value, ','))) *comma = 0;
    if (!sweep_values(s, a, value, diag)) return false;
    if (!comma) return true;
  }
  return false;
}

/* After all other parameters, which are the same in every row. */
static bool set_values(struct command_line *l) {
  struct gen_options *o = l->o;
  bool good = true;
  for (size_t i = 0; good && i < l->n_params; i++) {
    if (!is_list_of_values(l, l->params[i])) continue;
    if (!o->values) {
      o->values = calloc(1, sizeof *o->values);
      if (!o->values) abort();
      o->values->base = o->cfg;
      o->values->base.records = (struct simt_records){.given = false};
      if (o->cfg.records.given && !simt_copy_records(&o->values->base, &o->cfg)) abort();
    }
    char *name = strdup(l->params[i]), *equals = name ? strchr(name, '=') : NULL;
    if (!equals) abort();
    *equals = 0;
    good = add_values(o->values, name, equals + 1, l->diag);
    free(name);
  }
  if (good && o->csv && !o->values) return option_fail(l->diag, "--csv", "one configuration", "-p NAME=A,B,C, a table over values", "--json prints one configuration");
  return good;
}

static bool no_equals(struct command_line *l, const char *text) {
  char hint[SIMT_NAME_MAX + 40] = "";
  if (simt_find_block(text)) snprintf(hint, sizeof hint, "did you mean %s %s?", l->command->name, text);
  return option_fail(l->diag, "-p", text[0] ? text : "nothing", "NAME=VALUE", hint);
}

/* `-p NAME=A,B` of a command that runs one configuration. */
static bool list_unwanted(struct command_line *l, const char *text) {
  char name[SIMT_NAME_MAX], hint[160];
  const size_t n = strcspn(text, "=");
  snprintf(name, sizeof name, "%.*s", (int)n, text);
  if (simt_param_index(&l->o->cfg, name) < 0) return config_set(&l->o->cfg, name, "", l->diag);
  snprintf(hint, sizeof hint, "several: simtgen sim or synth make a table over them, simtgen sweep runs a grid");
  return option_fail(l->diag, name, text + n + 1, "one value", hint);
}

static bool set_params(struct command_line *l, struct config_places *where) {
  struct simt_config *cfg = &l->o->cfg;
  bool seen[SIMT_MAX_PARAMS] = {false};
  for (size_t i = 0; i < l->n_params; i++) {
    const char *text = l->params[i], *equals = strchr(text, '=');
    if (is_list_of_values(l, text) || is_lists_param(cfg, text)) continue;
    if (!equals) return no_equals(l, text);
    if (strchr(equals, ',')) return list_unwanted(l, text);
    char *name = strndup(text, (size_t)(equals - text));
    if (!name) abort();
    int index = simt_param_index(cfg, name);
    bool ok = config_set(cfg, name, equals + 1, l->diag);
    if (ok && seen[index])
      ok = option_fail(l->diag, name, "a second -p", "each parameter once", "remove one of them");
    free(name);
    if (!ok) return false;
    seen[index] = true;
    where->at[index].line = 0;
  }
  return true;
}

static bool configure(struct command_line *l) {
  struct simt_config *cfg = &l->o->cfg;
  struct config_places where = {.file = ""};
  const struct simt_block *block;
  if (l->block && l->config)
    return option_fail(l->diag, l->block, "BLOCK and -c FILE", "one of them",
                "remove one; the file names its block");
  l->o->config_file = l->config;
  if (l->config) {
    size_t size;
    char *text = file_read(l->config, &size, l->diag);
    bool ok = text && config_parse(text, size, l->config, cfg, &where, l->diag);
    free(text);
    if (!ok) return false;
  } else {
    for (size_t i = 0; !l->block && i < l->n_params; i++)
      if (simt_find_block(l->params[i])) return no_equals(l, l->params[i]);
    if (!l->block) return option_fail(l->diag, "", "no block", "BLOCK or -c FILE", "see: simtgen list");
    if (!config_find_block(l->block, &block, l->diag)) return false;
    simt_config_init(cfg, block);
  }
  l->o->block = cfg->block;
  if (!set_lists(l, &where) || (l->name && !config_set_name(cfg, l->name, l->diag))) return false;
  if (!set_params(l, &where) || !set_values(l)) return false;
  return l->o->values || config_resolve(cfg, &where, l->diag);
}

static bool finish(struct command_line *l) {
  struct gen_options *o = l->o;
  if (!data_check(l->diag)) return false;
  if (l->command->takes_config && !configure(l)) return false;
  if (l->command->operand && !o->operand && !o->task)
    return option_fail(l->diag, "", "no argument", l->command->operand, "see: simtgen --help");
  if ((l->command->run == cmd_gen || l->command->run == cmd_report) && !o->out)
    return option_fail(l->diag, "-o", "no folder", "-o DIR (where to write)", "");
  if (l->command->run == cmd_sim && !o->trace)
    return option_fail(l->diag, "--trace", "no file", "--trace FILE (what to run)", "");
  if (!o->seed_given && getrandom(&o->seed, sizeof o->seed, 0) != sizeof o->seed)
    return option_fail(l->diag, "--seed", strerror(errno), "a fresh seed of the system",
                "give one with --seed");
  if (l->command->takes_config) {
    struct text t = {0};
    config_command(&t, l->command->name, &o->cfg);
    snprintf(o->command_line, sizeof o->command_line, "%s", t.s);
    text_free(&t);
  }
  return true;
}

static int run_command(struct command_line *l) {
  if (l->o->cfg.desc.warning[0] && !l->o->quiet) message_note("warning: %s", l->o->cfg.desc.warning);
  int status = l->command->run(l->o);
  progress_end();
  if (!interrupted) return status;
  if (l->o->budget) return status; /* the record is whole, and printed */
  message_note(
      "interrupted before the end; nothing unfinished was kept, run the same command again");
  return EXIT_INTERRUPTED;
}

int simtgen_run(int argc, char **argv) {
  struct gen_options o = {.target = "ice40", .seeds = 1, .executor = "local", .jobs = 100};
  struct simt_diag diag = {.failed = false};
  struct command_line l = {.o = &o, .diag = &diag, .params = calloc((size_t)argc + 1, sizeof(char *))};
  if (!l.params) abort();
  int status = EXIT_USAGE;
  if (parse_line(&l, argc, argv) && (l.shown || finish(&l)))
    status = l.shown ? EXIT_DONE : run_command(&l);
  if (fflush(stdout) || ferror(stdout)) {
    option_fail(&diag, "standard output", strerror(errno), "to write the result", "");
    clearerr(stdout);
    status = EXIT_TOOL;
  }
  if (diag.failed) message_error(&diag);
  simt_config_free(&o.cfg);
  if (o.values) sweep_free(o.values);
  free(o.values);
  free(l.params);
  return status;
}
