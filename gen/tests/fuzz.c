/* SPDX-License-Identifier: Apache-2.0 */
/* fuzz.c: mutated configuration files, command lines and traces through the program's entry
 * functions, in one process, under the sanitizers.
 *
 *   fuzz [-n INPUTS] [-s SEED] [-i FIRST] [-r PROGRAM] [-x crash|hang|leak|message] [TRACE...]
 *
 * Input i depends on SEED and i alone, so `-s SEED -i I -n 1` repeats it. -r runs a program instead
 * of its functions. -x plants a fault, to see that it is found. Works in the current folder, which
 * must be empty; the TRACEs are the samples that are mutated. Beside a crash, a leak and a time
 * limit it looks at what the program says: wrong usage gives one message of the one form; an
 * accepted file survives being written and read again. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <inttypes.h>
#include <poll.h>
#include <sanitizer/common_interface_defs.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include "gen.h"

enum { TIME_LIMIT = 5, MAX_ARGS = 16, CLEAN_EVERY = 256 };

static struct {
  uint64_t seed, input;
  const char *kind, *program, *plant;
  struct simt_rng rng;
  struct text last;         /* what the input was */
  struct text *samples;     /* of traces */
  size_t n_samples;
  uint64_t accepted;        /* of the inputs: how many were good */
  int report, messages; /* file descriptors: the real standard error, and what the program said */
} fuzz;

/* ---- reports --------------------------------------------------------------------------------- */

static void where(void) {
  dprintf(fuzz.report,
          "fuzz: input %" PRIu64 " of seed %" PRIu64 " (%s); repeat with -s %" PRIu64 " -i %" PRIu64
          " -n 1\n",
          fuzz.input, fuzz.seed, fuzz.kind, fuzz.seed, fuzz.input);
  dprintf(fuzz.report, "fuzz: the input: %.2000s\n", fuzz.last.s ? fuzz.last.s : "");
}

static void on_alarm(int number) {
  (void)number;
  dprintf(fuzz.report, "fuzz: no end within %d s\n", TIME_LIMIT);
  where();
  _exit(1);
}

static _Noreturn void wrong(const char *what, const char *detail) {
  dprintf(fuzz.report, "fuzz: %s: %s\n", what, detail);
  where();
  _exit(1);
}

/* ---- mutation -------------------------------------------------------------------------------- */

static uint64_t below(uint64_t n) {
  return simt_rng_below(&fuzz.rng, n);
}

static const char *const words[] = {
    "block:",
    "name:",
    "params:",
    ": ",
    ":",
    "- ",
    "-",
    "? ",
    "[",
    "]",
    "{",
    "}",
    ",",
    "\"",
    "'",
    "|",
    ">",
    "|+9",
    "#",
    "&a ",
    "*a",
    "!!str ",
    "!<x> ",
    "%YAML 1.2\n",
    "%",
    "---\n",
    "...\n",
    "\n",
    "\r\n",
    "\r",
    "\t",
    "  ",
    "<<: ",
    "~",
    "null",
    "true",
    "0",
    "-1",
    "0x10",
    "1e9",
    "18446744073709551616",
    "4294967296",
    "2147483648",
    "\\0",
    "\\x",
    "\\u",
    "\\",
    "\xef\xbb\xbf",
    "\xc2\x85",
    "\xe2\x80\xa8",
    "\xff",
    "\xc0",
    "\xf0\x9f\x98\x80",
    "%Y\xff",
    "=",
    "-p",
    "-c",
    "--",
    "-",
    "%s%n",
    "\x1b[0m",
    "@",
    "`",
};

static void insert(struct text *t, size_t at, const void *bytes, size_t n) {
  struct text tail = {0};
  text_add_bytes(&tail, t->s + at, t->len - at);
  t->len = at;
  text_add_bytes(t, bytes, n);
  text_add_bytes(t, tail.s, tail.len);
  text_free(&tail);
}

static void erase(struct text *t, size_t at, size_t n) {
  memmove(t->s + at, t->s + at + n, t->len - at - n + 1);
  t->len -= n;
}

static void mutate_once(struct text *t) {
  size_t at = below(t->len + 1), n = below(16) ? below(8) : below(200);
  if (n > t->len - at) n = t->len - at;
  const char *word = words[below(sizeof words / sizeof *words)];
  struct text part = {0};
  switch (below(8)) {
    case 0: if (at < t->len) t->s[at] = (char)below(256); break;
    case 1: if (at < t->len) t->s[at] = (char)(t->s[at] ^ 1 << below(8)); break;
    case 2: erase(t, at, n); break;
    case 3: erase(t, at, below(8) ? 0 : t->len - at); break;
    case 4:
      text_add_bytes(&part, t->s + at, n);
      insert(t, below(t->len + 1), part.s, n);
      break;
    case 5:
      for (uint64_t i = below(64) ? 2 : below(2000); i; i--) text_add(&part, "%s", word);
      insert(t, at, part.s, part.len);
      break;
    default: insert(t, at, word, strlen(word)); break;
  }
  text_free(&part);
}

static void mutate(struct text *t) {
  for (uint64_t i = below(4) ? below(4) : below(30); i; i--) mutate_once(t);
}

/* The value of a cell: a name of a small set, so that references often lead somewhere; often a legal number. */
static void sample_cell(struct text *t, const struct simt_column *c, size_t record) {
  if (c->kind == SIMT_NUMBER) text_add(t, "%" PRIu64, below(4) ? c->min : c->min + below(c->max - c->min + 1));
  else if (c->flags & SIMT_UNIQUE) text_add(t, "n%zu", record);
  else text_add(t, "n%" PRIu64, below(4));
}

/* Lists of a few records; in flow style, which is JSON too but for the quotes. */
static void sample_lists(struct text *t, const struct simt_lists *ls, bool json) {
  const char *q = json ? "\"" : "";
  text_add(t, json ? ", \"%s\": {" : "%s: {", ls->key);
  for (size_t i = 0; i < ls->n; i++) {
    const struct simt_list *l = &ls->list[i];
    text_add(t, "%s%s%s%s: [", i ? ", " : "", q, l->name, q);
    for (size_t r = 0, n = l->min + below(5); r < n; r++) {
      const char *comma = "";
      text_add(t, r ? ", {" : "{");
      for (size_t c = 0; c < l->n_columns; c++) {
        if (!(l->column[c].flags & SIMT_REQUIRED) && below(2)) continue;
        const char *quote = l->column[c].kind == SIMT_NUMBER ? "" : q;
        text_add(t, "%s%s%s%s: %s", comma, q, l->column[c].name, q, quote);
        sample_cell(t, &l->column[c], r);
        text_add(t, "%s", quote);
        comma = ", ";
      }
      text_add(t, "}");
    }
    text_add(t, "]");
  }
  text_add(t, json ? "}" : "}\n");
}

/* A configuration file to begin with: complete and legal, block or JSON style; with lists, if the block has them: of a
 * legal form. */
static void sample_config(struct text *t) {
  size_t n = 0;
  while (simt_blocks[n]) n++;
  const struct simt_block *b = simt_blocks[below(n)];
  struct simt_config cfg;
  simt_config_init(&cfg, b);
  bool json = below(2), lists = b->lists && below(2);
  text_add(t,
           json ? "{\"block\": \"%s\", \"name\": \"x\", \"params\": {"
                : "block: %s\nname: x\nparams:\n",
           b->name);
  for (size_t i = 0; i < cfg.n_params; i++) {
    const struct simt_param *p = cfg.param[i];
    char buffer[24];
    uint64_t value = lists || below(4) ? p->def : below(2) ? p->min : p->min + below(p->max - p->min + 1);
    const char *quote = p->choices ? "\"" : "";
    text_add(t, json ? "%s\"%s\": %s%s%s" : "%s  %s: %s%s%s\n", json && i ? ", " : "", p->name,
             quote, simt_value_text(p, value, buffer), quote);
  }
  if (json) text_add(t, "}");
  if (lists) sample_lists(t, b->lists, json);
  if (json) text_add(t, "}");
}

/* ---- running --------------------------------------------------------------------------------- */

/* argv as this program's function, or as the real command. */
static int run(int argc, char **argv) {
  if (!fuzz.program) return simtgen_run(argc, argv);
  pid_t pid = fork();
  if (!pid) {
    execv(fuzz.program, argv);
    _exit(127);
  }
  int status = 0;
  while (waitpid(pid, &status, 0) < 0 && errno == EINTR) {}
  if (!WIFEXITED(status)) wrong("the program ended by a signal", strsignal(WTERMSIG(status)));
  return WEXITSTATUS(status);
}

/* Wrong usage: one line of the one form, without anything that a terminal would act on; perhaps behind a warning. */
static void check_message(const char *s, size_t n) {
  static const char warning[] = "simtgen: warning: ";
  const char *end = n > sizeof warning && !strncmp(s, warning, sizeof warning - 1) ? memchr(s, '\n', n) : NULL;
  if (end) n -= (size_t)(end + 1 - s), s = end + 1;
  if (n < 10 || strncmp(s, "simtgen: ", 9) || s[n - 1] != '\n')
    wrong("not a message", n ? s : "(nothing)");
  for (size_t i = 0; i + 1 < n; i++)
    if ((unsigned char)s[i] < 0x20 || s[i] == 0x7f) wrong("not one plain line", s);
}

static void run_and_check(int argc, char **argv) {
  if (ftruncate(fuzz.messages, 0) || lseek(fuzz.messages, 0, SEEK_SET)) abort();
  fuzz.last.len = 0;
  for (int i = 1; i < argc; i++) text_add(&fuzz.last, "'%s' ", argv[i]);
  int status = run(argc, argv);
  fflush(stderr);
  char said[8192];
  ssize_t n = pread(fuzz.messages, said, sizeof said - 1, 0);
  said[n > 0 ? n : 0] = 0;
  if (status < EXIT_DONE || status > EXIT_TOOL) wrong("exit status", said);
  if (status == EXIT_USAGE) check_message(said, (size_t)n);
  fuzz.accepted += status == EXIT_DONE;
}

static void write_input(const char *path, const struct text *t) {
  FILE *f = fopen(path, "wb");
  if (!f || fwrite(t->s, 1, t->len, f) != t->len) abort();
  fclose(f);
}

/* ---- kinds of input -------------------------------------------------------------------------- */

/* An accepted configuration is written as YAML and read again: the same. */
static void check_round_trip(const struct simt_config *cfg) {
  struct simt_diag diag = {0};
  struct simt_config again;
  char *yaml = config_to_yaml(cfg);
  if (!config_from_yaml(yaml, strlen(yaml), "again", &again, &diag))
    wrong("written, but not read again", yaml);
  if (strcmp(cfg->name, again.name) || memcmp(cfg->value, again.value, sizeof cfg->value))
    wrong("read again as something else", yaml);
  for (size_t l = 0; l < SIMT_MAX_LISTS; l++)
    if (cfg->records.list[l].n != again.records.list[l].n) wrong("read again with other records", yaml);
  char *second = config_to_yaml(&again);
  if (strcmp(yaml, second)) wrong("written again as something else", second);
  free(second);
  simt_config_free(&again);
  free(yaml);
}

static void fuzz_config(void) {
  struct text t = {0};
  sample_config(&t);
  mutate(&t);
  fuzz.last.len = 0;
  text_add_bytes(&fuzz.last, t.s, t.len);
  if (fuzz.program || !below(50)) {
    char *argv[] = {"simtgen", "describe", "-c", "input.yaml", NULL};
    write_input("input.yaml", &t);
    run_and_check(4, argv);
    text_free(&t);
    return;
  }
  struct simt_config cfg;
  struct simt_diag diag = {0};
  char *exact = malloc(t.len + !t.len); /* no byte beyond the end: the sanitizer watches it */
  if (!exact) abort();
  memcpy(exact, t.s, t.len);
  bool good = config_from_yaml(exact, t.len, "input.yaml", &cfg, &diag);
  if (good) check_round_trip(&cfg);
  else if (!diag.failed || !diag.expected[0]) wrong("refused without a reason", exact);
  fuzz.accepted += good;
  simt_config_free(&cfg);
  free(exact);
  text_free(&t);
}

/* No path out of the folder, however it was mutated. */
static void keep_here(char *s) {
  for (; *s; s++)
    if (*s == '/' || *s == '~') *s = '_';
}

static size_t sample_args(const char *args[], char param[64]) {
  static const char *const commands[] = {"list", "describe", "gen",    "check",
                                         "sim",  "synth",    "--help", "--version"};
  static const char *const options[][2] = {
    {"-c", "input.yaml"}, {"-n", "x"}, {"-o", "out"}, {"--json"}, {"-q"}, {"--cycles", "100"},
    {"--seed", "7"}, {"--stimulus", "random"}, {"--stimulus", "directed"},
    {"--stimulus", "trace:input.trace"}, {"--wave", "w.vcd"}, {"--coverage"}, {"--netlist", "ice40"},
    {"--picker", "x"}, {"--latency", "20"}, {"--trace", "input.trace"}, {"--target", "ecp5"},
    {"--seeds", "2"}, {"--help"}, {"--name=y"}, {"--"}, {"-p"}};
  size_t n = 0, blocks = 0;
  while (simt_blocks[blocks]) blocks++;
  const struct simt_block *b = simt_blocks[below(blocks)];
  args[n++] = commands[below(sizeof commands / sizeof *commands)];
  if (below(4)) args[n++] = b->name;
  for (uint64_t i = below(5); i; i--) {
    const char *const *option = options[below(sizeof options / sizeof *options)];
    args[n++] = option[0];
    if (option[1]) args[n++] = option[1];
  }
  if (!strcmp(args[0], "gen") && below(2)) args[n++] = "-o", args[n++] = "out";
  if (!strcmp(args[0], "sim") && below(2)) args[n++] = "--trace", args[n++] = "input.trace";
  struct simt_config cfg;
  simt_config_init(&cfg, b);
  const struct simt_param *p = cfg.param[below(cfg.n_params)];
  snprintf(param, 64, "%s=%" PRIu64, p->name, below(2) ? p->def : p->max + below(2));
  if (below(2)) args[n++] = "-p", args[n++] = param;
  return n;
}

static void fuzz_options(void) {
  const char *args[MAX_ARGS];
  char *argv[MAX_ARGS + 2] = {"simtgen"}, param[64];
  size_t n = sample_args(args, param);
  for (size_t i = 0; i < n; i++) {
    struct text t = {0};
    text_add(&t, "%s", args[i]);
    if (!below(6)) mutate(&t);
    argv[i + 1] = strdup(t.s);
    if (!argv[i + 1]) abort();
    keep_here(argv[i + 1]);
    text_free(&t);
  }
  run_and_check((int)n + 1, argv);
  for (size_t i = 1; i <= n; i++) free(argv[i]);
}

static void put_nothing(void *ctx, const char *name, double value, const char *unit,
                        const char *doc) {
  (void)ctx, (void)name, (void)value, (void)unit, (void)doc;
}

static void sim_trace(const struct simt_verif *v) {
  struct simt_config cfg;
  struct simt_diag diag = {0};
  simt_config_init(&cfg, v->block);
  if (!simt_resolve(&cfg, &diag)) abort();
  struct simt_stimulus stim = {.kind = "trace", .trace = "input.trace", .latency = 3, .seed = 1};
  bool good = v->sim(&cfg, &stim, put_nothing, NULL, &diag);
  if (!good && !diag.failed) wrong("refused without a reason", v->block->name);
  fuzz.accepted += good;
  simt_config_free(&cfg);
}

/* A mutated trace, as it is or behind its compression, to every block that takes traces. */
static void fuzz_trace(void) {
  if (!fuzz.n_samples) return;
  struct text t = {0};
  const struct text *sample = &fuzz.samples[below(fuzz.n_samples)];
  text_add_bytes(&t, sample->s, sample->len);
  mutate(&t);
  write_input("input.trace", &t);
  fuzz.last.len = 0;
  text_add_bytes(&fuzz.last, t.s, t.len);
  text_free(&t);
  for (size_t i = 0; simt_verifs[i]; i++) {
    const struct simt_verif *v = simt_verifs[i];
    char *argv[] = {"simtgen", "sim", (char *)v->block->name, "--trace", "input.trace", NULL};
    if (!v->pickers) continue;
    if (fuzz.program) run_and_check(5, argv);
    else sim_trace(v);
  }
}

/* ---- the planted faults ---------------------------------------------------------------------- */

static void plant(void) {
  void *volatile lost = NULL;
  static volatile int zero;
  char *volatile four = malloc(4);
  if (!strcmp(fuzz.plant, "crash")) four[4 + zero] = 1;
  free(four);
  if (!strcmp(fuzz.plant, "hang")) for (;;) zero = 0;
  if (!strcmp(fuzz.plant, "leak")) lost = malloc(1234), memset(lost, 0, 1), lost = NULL;
  if (!strcmp(fuzz.plant, "message")) check_message("no message\n", 11);
}

/* ---- main ------------------------------------------------------------------------------------ */

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *ftw) {
  (void)st, (void)type;
  return ftw->level ? remove(path) : 0;
}

static void one_input(void) {
  static const struct { const char *name; void (*run)(void); unsigned share;
  } kinds[] = {{"configuration file", fuzz_config, 70},
               {"command line", fuzz_options, 20},
               {"trace", fuzz_trace, 10}};
  simt_rng_seed(&fuzz.rng, fuzz.seed * 1000003 + fuzz.input);
  uint64_t pick = below(100);
  size_t k = 0;
  while (pick >= kinds[k].share) pick -= kinds[k++].share;
  fuzz.kind = kinds[k].name;
  alarm(TIME_LIMIT);
  if (fuzz.input % CLEAN_EVERY == 0) {
    struct text t = {0};
    nftw(".", remove_one, 16, FTW_DEPTH | FTW_PHYS);
    sample_config(&t);
    write_input("input.yaml", &t);
    text_free(&t);
    if (fuzz.n_samples) write_input("input.trace", &fuzz.samples[0]);
  }
  if (fuzz.plant && fuzz.input == 7) plant();
  kinds[k].run();
  alarm(0);
}

/* Standard output to nowhere, messages into memory; no tool can be found. */
static void close_in(void) {
  fuzz.report = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, 10);
  fuzz.messages = memfd_create("messages", MFD_CLOEXEC);
  int nowhere = open("/dev/null", O_RDWR);
  if (fuzz.report < 0 || fuzz.messages < 0 || nowhere < 0) abort();
  dup2(nowhere, STDOUT_FILENO);
  dup2(fuzz.messages, STDERR_FILENO);
  setenv("PATH", "/nonexistent", 1);
  setenv("SIMTGEN_CACHE", "cache", 1);
  signal(SIGALRM, on_alarm);
  __sanitizer_set_report_fd((void *)(intptr_t)fuzz.report);
  __sanitizer_set_death_callback(where);
}

int main(int argc, char **argv) {
  uint64_t n = 1000, first = 0;
  for (int o; (o = getopt(argc, argv, "n:s:i:r:x:")) != -1;) {
    if (o == 'n') n = strtoull(optarg, NULL, 0);
    else if (o == 's') fuzz.seed = strtoull(optarg, NULL, 0);
    else if (o == 'i') first = strtoull(optarg, NULL, 0);
    else if (o == 'r') fuzz.program = optarg;
    else if (o == 'x') fuzz.plant = optarg;
    else return EXIT_USAGE;
  }
  struct simt_diag diag = {0};
  fuzz.samples = calloc((size_t)argc, sizeof *fuzz.samples);
  for (; fuzz.samples && optind < argc; optind++) {
    struct text *t = &fuzz.samples[fuzz.n_samples++];
    if (!(t->s = file_read(argv[optind], &t->len, &diag))) break;
    t->room = t->len + 1;
  }
  if (diag.failed) message_error(&diag);
  if (diag.failed || !fuzz.samples) return EXIT_USAGE;
  close_in();
  for (fuzz.input = first; fuzz.input < first + n; fuzz.input++) one_input();
  nftw(".", remove_one, 16, FTW_DEPTH | FTW_PHYS);
  for (size_t i = 0; i < fuzz.n_samples; i++) text_free(&fuzz.samples[i]);
  free(fuzz.samples);
  text_free(&fuzz.last);
  dprintf(fuzz.report, "fuzz: %" PRIu64 " inputs of seed %" PRIu64 ", %" PRIu64 " good\n", n,
          fuzz.seed, fuzz.accepted);
  return EXIT_DONE;
}
