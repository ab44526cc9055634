/* SPDX-License-Identifier: Apache-2.0 */
/* check.c: `simtgen check`: lockstep of RTL and model under a stimulus, and what a failure
 * means. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "sim/campaign.h"
#include "cmd/check.h"
#include "mutate/mutants.h"
#include "core/wrapped.h"

enum { WAVE_CYCLES = 10000, TAIL_CYCLES = 1000, TAIL_LINES = 20, MEASURED_CYCLES = 200000,
       QUIET_CYCLES = 300000, /* up to so many, compiling with optimisation takes longer than it saves */
       SHORT_TAPE = 1 << 18, LONG_TAPE = 1 << 26, /* bytes */
       STIMULUS_ROOM = PATH_MAX + 8,
       FIRST_CYCLES = 1000000, FEW_OPERATIONS = 20,
       SLOW_CYCLES = 50000 }; /* of what is slow: a netlist, or Verilator without optimisation */

/* ---- the stimulus ---------------------------------------------------------------------------- */

static bool known_name(const struct simt_named *list, const char *name, const char *what,
                       struct simt_diag *diag) {
  enum { ROOM = sizeof diag->expected - 60 };
  const char *names[64];
  struct text all = {0};
  size_t n = 0, shown = 0;
  for (; list[n].name && n < 63; n++) {
    names[n] = list[n].name;
    if (shown == n && all.len + strlen(list[n].name) < ROOM) {
      text_add(&all, "%s%s", n ? ", " : "", list[n].name);
      shown++;
    }
    if (!strcmp(list[n].name, name)) {
      text_free(&all);
      return true;
    }
  }
  names[n] = NULL;
  if (shown < n) text_add(&all, " and %zu more", n - shown);
  simt_fail(diag, "--stimulus", name, "%s: %s", what, all.s ? all.s : "none");
  const char *near = simt_nearest(name, names);
  if (near) snprintf(diag->hint, sizeof diag->hint, "did you mean %s?", near);
  text_free(&all);
  return false;
}

/* `kind` holds the part before the colon; it must live as long as the stimulus. */
static bool parse_stimulus(const struct gen_options *o, const struct simt_verif *v, char kind[16],
                           uint64_t replay[SIMT_MAX_REPLAY], struct simt_stimulus *s, struct simt_diag *diag) {
  const char *text = o->stimulus ? o->stimulus : "random", *colon = strchr(text, ':');
  const char *rest = colon && colon[1] ? colon + 1 : NULL;
  snprintf(kind, 16, "%.*s", (int)strcspn(text, ":"), text);
  *s = (struct simt_stimulus){.kind = kind, .cycles = o->cycles, .seed = o->seed,
                              .latency = o->latency, .picker = o->picker};
  if (!strcmp(kind, "trace")) {
    if (!trace_suits(o->cfg.block, v, rest, diag)) return false;
    if (!v->pickers)
      return simt_fail(diag, "--stimulus", text, "random or directed: this block takes no traces");
    s->trace = rest;
    s->replay = replay;
    if (!replay_values(o, v, replay, diag)) return false;
    return !o->picker || known_name(v->pickers, o->picker, "a replay order", diag);
  }
  bool directed = !strcmp(kind, "directed");
  s->profile = rest;
  return !rest || known_name(directed ? v->directed : v->profiles, rest,
                             directed ? "a directed test" : "a profile", diag);
}

/* ---- a failure ------------------------------------------------------------------------------- */

struct watcher { /* writes the waveform and explains the inputs of a run */
  struct check *c;
  struct vcd *vcd;
  uint64_t from, explain_from; /* cycles; nothing is explained before explain_from */
};

static void watch(void *ctx, uint64_t cycle, const uint32_t *in, const uint32_t *model,
                  const uint32_t *rtl) {
  struct watcher *w = ctx;
  if (cycle >= w->from) vcd_cycle(w->vcd, cycle, in, model, rtl, NULL);
  if (cycle < w->explain_from) return;
  char line[160] = "";
  w->c->verif->explain(lockstep_env(w->c->lockstep), in, line, sizeof line);
  check_explain(w->c, cycle, line);
}

static void put_wave(void *file, const char *text, size_t size) { fwrite(text, 1, size, file); }

/* Runs `plan` once more with a waveform; how it ends goes to `end`, unless that is NULL. */
static bool write_wave(struct check *c, struct watcher w, struct lockstep_plan plan, struct lockstep_result *end,
                       struct simt_diag *diag) {
  FILE *file = fopen(c->wave, "w");
  w.c = c;
  w.vcd = file ? vcd_open(c->cfg, true, (struct simt_sink){put_wave, file}) : NULL;
  if (!w.vcd) {
    simt_fail(diag, c->wave, strerror(errno), "a waveform file that can be written");
    if (file) fclose(file);
    return false;
  }
  plan.watch = watch;
  plan.ctx = &w;
  struct lockstep_result r = lockstep_run(c->lockstep, &plan);
  if (end) *end = r;
  vcd_close(w.vcd);
  bool good = !ferror(file);
  if (!fclose(file) && good) return true;
  return simt_fail(diag, c->wave, strerror(errno), "a waveform file that can be written");
}

static bool shrink_tape(struct check *c, struct lockstep_tape *tape, enum lockstep_end end) {
  struct timespec from, to;
  clock_gettime(CLOCK_MONOTONIC, &from);
  bool shrunk = lockstep_shrink(c->lockstep, tape, end, SHRINK_SECONDS, &interrupted);
  clock_gettime(CLOCK_MONOTONIC, &to);
  c->shrink_late = (double)(to.tv_sec - from.tv_sec) + 1e-9 * (double)(to.tv_nsec - from.tv_nsec) >= SHRINK_SECONDS;
  return shrunk;
}

/* The last choices are often enough; if not, the run is repeated with all of them kept. */
static bool shrink(struct check *c, struct lockstep_tape *tape, enum lockstep_end end) {
  progress(NOT_KNOWN, "shrinking");
  bool shrunk = shrink_tape(c, tape, end);
  if (!shrunk && tape->dropped) {
    lockstep_tape_free(tape);
    if (!lockstep_tape_init(tape, c->verif, LONG_TAPE)) return false;
    struct lockstep_result again = lockstep_run(
        c->lockstep,
        &(struct lockstep_plan){.cycles = c->cycles, .record = tape, .stop = &interrupted});
    c->differs = again.end != end && again.end != LOCKSTEP_STOPPED;
    shrunk = shrink_tape(c, tape, end);
  }
  progress_end();
  return shrunk;
}

/* May a waveform be written here without asking: is there none, or one of this program's? */
static bool wave_is_ours(const char *path) {
  static const char first[] = "$comment simtgen ";
  char found[sizeof first] = "";
  if (access(path, F_OK)) return errno == ENOENT;
  FILE *f = fopen(path, "r");
  bool ours = f && fgets(found, sizeof found, f) && !strcmp(found, first);
  if (f) fclose(f);
  return ours;
}

/* NAME_mismatch.vcd, or numbered: a file of the user's stays. */
static void name_wave(struct check *c) {
  snprintf(c->wave_name, sizeof c->wave_name, "%s_mismatch.vcd", c->cfg->name);
  for (unsigned i = 2; i < 1000 && !wave_is_ours(c->wave_name); i++)
    snprintf(c->wave_name, sizeof c->wave_name, "%s_mismatch_%u.vcd", c->cfg->name, i);
  c->wave = c->wave_name;
}

static bool explain_failure(struct check *c, struct lockstep_tape *tape, enum lockstep_end end,
                            struct simt_diag *diag) {
  if (!c->wave) name_wave(c);
  c->shrunk = shrink(c, tape, end) ? tape->n : 0;
  if (c->shrunk) {
    struct lockstep_result r;
    bool good = write_wave(c, (struct watcher){0}, (struct lockstep_plan){.cycles = UINT64_MAX, .replay = tape}, &r, diag);
    if (good) check_failure_shrunk(c, &r);
    return good;
  }
  struct watcher tail = {.from = c->cycles > TAIL_CYCLES ? c->cycles - TAIL_CYCLES : 0,
                         .explain_from = c->cycles > TAIL_LINES ? c->cycles - TAIL_LINES : 0};
  return write_wave(c, tail, (struct lockstep_plan){.cycles = c->cycles}, NULL, diag);
}

/* ---- the command ----------------------------------------------------------------------------- */

static uint64_t planned; /* for the progress line */

static void show_progress(uint64_t cycle) {
  if (cycle % (1 << 20)) return;
  if (planned == UINT64_MAX) progress(NOT_KNOWN, "lockstep: %" PRIu64 " million cycles", cycle >> 20);
  else progress((double)cycle / (double)planned, "lockstep: %" PRIu64 " of %" PRIu64 " cycles", cycle, planned);
}

static void keep_coverage(struct check *c, const uint64_t *counts) {
  size_t n = c->cfg->desc.n_covers;
  c->covered = calloc(n + 1, sizeof *c->covered);
  if (!c->covered) abort();
  if (n) memcpy(c->covered, counts, n * sizeof *counts);
}

static void finish(struct check *c, const struct lockstep_result *r, const struct gen_options *o) {
  c->end = r->end;
  c->cycles = r->cycles;
  c->operations = r->operations;
  c->seconds = r->seconds;
  c->environment_seconds = r->environment_seconds;
  keep_coverage(c, r->coverage);
  check_reproduce(c, o);
  if (r->end != LOCKSTEP_PASS && r->end != LOCKSTEP_STOPPED) check_failure(c, r);
}

/* The user expects the run to fail early, and wants to know that it does. */
static bool is_hurried(void) {
  const char *quick = getenv("SIMTGEN_QUICK");
  return quick && *quick;
}

/* SIMTGEN_THREADS=1: all in one thread, where other runs have the other processors. */
static bool may_use_two_threads(void) {
  const char *threads = getenv("SIMTGEN_THREADS");
  return !threads || strcmp(threads, "1");
}

/* SIMTGEN_UNTIL_COVERED: a run with --coverage may end when every point is hit; "lines": and every line is reached. */
struct until { size_t n_points; bool lines; const char *file; };

static bool is_covered(void *ctx, const uint64_t *counts, const struct lockstep_rtl *rtl, void *instance) {
  const struct until *u = ctx;
  for (size_t i = 0; i < u->n_points; i++)
    if (!counts[i]) return false;
  if (!u->lines) return true;
  struct rtl_lines lines = {0};
  struct simt_diag diag;
  rtl->coverage(instance, u->file);
  bool all = rtl_lines_read(&lines, u->file, &diag);
  for (size_t i = 0; i < lines.n; i++) all = all && lines.line[i].reached;
  free(lines.line);
  return all;
}

struct first { const struct check *c; struct lockstep *lockstep; uint64_t cycle; int stop; };

static void watch_first(void *ctx, uint64_t cycle, const uint32_t *in, const uint32_t *model, const uint32_t *rtl) {
  struct first *f = ctx;
  bool busy;
  (void)in, (void)model, (void)rtl;
  if (f->stop || !f->c->verif->progress(lockstep_env(f->lockstep), &busy)) return;
  f->cycle = cycle + 1;
  f->stop = 1;
}

/* The model alone under the same stimulus, in a longer run where this one had none: when does the first operation end? */
static void find_first_operation(struct check *c) {
  struct simt_stimulus stim = c->stim;
  struct simt_diag unused = {0};
  struct first f = {.c = c};
  if (c->nothing && stim.cycles < FIRST_CYCLES) stim.cycles = FIRST_CYCLES;
  f.lockstep = lockstep_create(c->cfg, c->verif, &stim, NULL, &unused);
  if (!f.lockstep) return;
  lockstep_run(f.lockstep, &(struct lockstep_plan){.cycles = stim.cycles, .watch = watch_first, .ctx = &f, .stop = &f.stop});
  lockstep_destroy(f.lockstep);
  c->first_operation = f.cycle;
}

/* A run in which nothing happens shows nothing. A directed test ends by itself, and some are about other things than
 * operations. */
static void look_for_operations(struct check *c) {
  if (c->end != LOCKSTEP_PASS || c->operations >= FEW_OPERATIONS || !strcmp(c->stim.kind, "directed")) return;
  c->nothing = !c->operations;
  find_first_operation(c);
}

/* Why there is no PASS, and what to do. */
static void refuse_nothing(const struct check *c, struct simt_diag *diag) {
  const struct simt_derived *init = simt_find_derived(c->cfg, "INIT_CYCLES");
  char got[60], init_text[60] = "";
  snprintf(got, sizeof got, "no operation in %" PRIu64 " cycles", c->cycles);
  if (init) snprintf(init_text, sizeof init_text, " (INIT_CYCLES is %" PRIu64 ")", init->value);
  if (c->first_operation) {
    simt_fail(diag, "check", got, "an operation: %s initialises after reset%s, and its first operation ends in cycle %" PRIu64, c->cfg->block->name,
              init_text, c->first_operation);
    snprintf(diag->hint, sizeof diag->hint, "give more cycles: --cycles %" PRIu64, 10 * c->first_operation);
  } else {
    simt_fail(diag, "check", got, "an operation%s", init_text);
    snprintf(diag->hint, sizeof diag->hint, "give more cycles or another stimulus");
  }
}

/* A run and what follows from it. False and diag when a file cannot be written or read. */
static bool run(struct check *c, const struct gen_options *o, const char *coverage_file,
                struct simt_diag *diag) {
  struct lockstep_tape tape;
  bool random = !strcmp(c->stim.kind, "random");
  planned = random ? o->cycles : UINT64_MAX; /* the others run to their end */
  const char *covered = coverage_file && random ? getenv("SIMTGEN_UNTIL_COVERED") : NULL;
  struct until until = {c->cfg->desc.n_covers, covered && !strcmp(covered, "lines"), coverage_file};
  if (!lockstep_tape_init(&tape, c->verif, SHORT_TAPE)) abort();
  struct lockstep_result r =
      lockstep_run(c->lockstep, &(struct lockstep_plan){.cycles = planned,
                                                        .record = &tape,
                                                        .progress = show_progress,
                                                        .coverage_file = coverage_file,
                                                        .enough = covered && *covered ? is_covered : NULL,
                                                        .ctx = &until,
                                                        .stop = &interrupted,
                                                        .two_threads = may_use_two_threads()});
  progress_end();
  finish(c, &r, o);
  look_for_operations(c);
  bool ok = true;
  if (c->failure.len && (c->wave || !is_hurried())) {
    ok = explain_failure(c, &tape, r.end, diag);
  } else if (c->wave && r.end == LOCKSTEP_PASS) {
    ok = write_wave(
        c, (struct watcher){.explain_from = UINT64_MAX},
        (struct lockstep_plan){.cycles = r.cycles < WAVE_CYCLES ? r.cycles : WAVE_CYCLES}, NULL, diag);
  }
  if (r.end == LOCKSTEP_PASS && r.cycles >= MEASURED_CYCLES && !coverage_file && !o->quiet && !c->unmeasured)
    c->speed = lockstep_measure(c->lockstep, may_use_two_threads());
  lockstep_tape_free(&tape);
  return ok;
}

/* The coverage data of a run goes through a file of Verilator's format. */
static bool run_with_coverage(struct check *c, const struct gen_options *o,
                              struct simt_diag *diag) {
  char path[PATH_MAX];
  const char *cache = cache_dir(diag);
  if (!cache) return false;
  snprintf(path, sizeof path, "%s/coverage.XXXXXX", cache);
  int file = mkstemp(path);
  if (file < 0) return simt_fail(diag, cache, strerror(errno), "a folder that can be written");
  close(file);
  bool ok = run(c, o, path, diag) && rtl_lines_read(&c->lines, path, diag);
  unlink(path);
  return ok;
}

static int refuse(const struct simt_diag *diag, int status) {
  if (interrupted) return EXIT_INTERRUPTED; /* what failed was stopped; main() says so */
  message_error(diag);
  return status;
}

static int exit_status(const struct check *c) {
  if (c->nothing) return EXIT_USAGE;
  if (c->end == LOCKSTEP_PASS) return EXIT_DONE;
  return c->end == LOCKSTEP_STOPPED ? EXIT_INTERRUPTED : EXIT_CHECK_FAILED;
}

/* Icarus replays the model's run; what differs is not shrunk. */
static bool run_icarus(struct check *c, const struct gen_options *o, const struct rtl_variant *variant,
                       struct simt_diag *diag) {
  struct lockstep_result r = {.end = LOCKSTEP_STOPPED};
  struct icarus_result found;
  uint32_t value[2][CHECK_ICARUS_WORDS];
  struct lockstep_plan plan = {.cycles = c->stim.cycles, .progress = show_progress, .stop = &interrupted};
  planned = c->stim.cycles;
  bool ok = icarus_run(c->lockstep, &plan, c->cfg, variant, &r, &found, diag);
  progress_end();
  if (!ok) return false;
  if (found.differs) {
    r.end = LOCKSTEP_MISMATCH;
    r.cycles = found.cycle + 1;
    if (found.rule[0]) snprintf(r.message, sizeof r.message, "bus rule: %.200s", found.rule);
    else check_icarus_values(&found, c->cfg, &r, value);
  }
  finish(c, &r, o);
  look_for_operations(c);
  return true;
}

static bool run_verilated(struct check *c, const struct gen_options *o, struct rtl_sim *sim,
                          const struct rtl_variant *variant, struct simt_diag *diag) {
  if (!rtl_sim_open(sim, c->cfg, variant, diag)) return false;
  c->unmeasured = sim->quick;
  return o->coverage ? run_with_coverage(c, o, diag) : run(c, o, NULL, diag);
}

/* A file that cannot be written is refused before the run, and none is left of the attempt. */
static bool check_wave(const char *path, struct simt_diag *diag) {
  bool there = !access(path, F_OK);
  FILE *f = fopen(path, "a");
  if (!f) return simt_fail(diag, path, strerror(errno), "a waveform file that can be written");
  fclose(f);
  if (!there) unlink(path);
  return true;
}

/* Is the run so short that compiling with optimisation takes longer than it saves, where its speed is not printed? Directed
 * tests are. */
static bool is_short(const struct check *c, const struct gen_options *o) {
  if (is_hurried()) return true;
  if (o->netlist || o->engine) return o->cycles <= SLOW_CYCLES;
  return (o->quiet ? o->cycles <= QUIET_CYCLES : o->cycles < MEASURED_CYCLES) || !strcmp(c->stim.kind, "directed");
}

static int check(struct check *c, const struct gen_options *o) {
  struct simt_diag diag = {0};
  struct rtl_sim sim = {0};
  char kind[16];
  if (!parse_stimulus(o, c->verif, kind, c->replay, &c->stim, &diag) || (c->wave && !check_wave(c->wave, &diag)))
    return refuse(&diag, EXIT_USAGE);
  if (!generated_find(&c->generated, o, &diag)) return refuse(&diag, EXIT_USAGE);
  bool icarus = o->engine && !strcmp(o->engine, "icarus");
  c->lockstep = lockstep_create(c->cfg, c->verif, &c->stim, icarus ? NULL : &sim.rtl, &diag);
  if (!c->lockstep) return refuse(&diag, EXIT_USAGE);
  struct rtl_variant variant = {.coverage = o->coverage, .netlist = o->netlist, .unoptimized = o->engine,
                                .quick = is_short(c, o), .files = c->generated.take ? &c->generated.files : NULL};
  struct text others = {0};
  generated_say(&c->generated, &others);
  if (others.len && !c->generated.take) message_note("%s", others.s);
  text_free(&others);
  bool ok = icarus ? run_icarus(c, o, &variant, &diag) : run_verilated(c, o, &sim, &variant, &diag);
  int status = EXIT_TOOL;
  if (c->cycles) {
    check_print(c, o);
    status = exit_status(c);
  }
  if (ok && c->nothing) {
    refuse_nothing(c, &diag);
    message_error(&diag);
  }
  if (!ok) status = refuse(&diag, status == EXIT_CHECK_FAILED ? status : EXIT_TOOL);
  lockstep_destroy(c->lockstep);
  rtl_sim_close(&sim);
  return status;
}

/* What does not go together; fills in the length of the run, and the stimulus of --trace, whose text is in `trace`. */
static bool check_options(struct gen_options *o, char *trace, struct simt_diag *diag) {
  bool icarus = o->engine && !strcmp(o->engine, "icarus");
  if (o->trace && o->stimulus) return simt_fail(diag, "--trace", "--stimulus", "one of them: --trace FILE is --stimulus trace:FILE");
  if (o->trace) {
    snprintf(trace, STIMULUS_ROOM, "trace:%s", o->trace);
    o->stimulus = trace;
  }
  const char *other = o->netlist ? "--netlist" : icarus ? "--engine icarus" : NULL;
  if (o->coverage && other)
    return simt_fail(diag, "--coverage", other, "the RTL in Verilator: only there lines are counted");
  const char *single = o->stimulus && strcmp(o->stimulus, "random") ? "--stimulus" : o->seed_given ? "--seed"
                     : o->cycles ? "--cycles" : o->wave ? "--wave" : o->coverage ? "--coverage"
                     : o->netlist ? "--netlist" : o->engine ? "--engine" : o->json ? "--json" : NULL;
  if (o->budget && single)
    return simt_fail(diag, single, "--budget", "one of them: a campaign chooses seed, length and stimulus itself");
  const char *many = o->budget ? "--budget" : o->mutants ? "--mutants" : NULL;
  const char *second = o->budget && o->mutants ? "--mutants" : o->upsets ? "--upsets" : NULL;
  if (o->generated && (many || o->upsets)) return simt_fail(diag, "--generated", many ? many : "--upsets", "one of them");
  if (many && second) return simt_fail(diag, second, many, "one of them");
  if ((o->picker || o->latency || o->n_replay) && !(o->stimulus && !strncmp(o->stimulus, "trace:", 6)))
    return simt_fail(diag, o->picker ? "--picker" : o->latency ? "--latency" : "--replay", "no trace", "--stimulus trace:FILE, which it belongs to");
  bool cluster = !strcmp(o->executor, "slurm");
  if ((o->record || o->workers || cluster) && !o->budget)
    return simt_fail(diag, o->record ? "--record" : o->workers ? "--workers" : "--executor", "no --budget", "--budget, which it belongs to");
  if (cluster && o->workers) return simt_fail(diag, "--workers", "--executor slurm", "--jobs, which says how many run there at a time");
  if (o->wave && icarus)
    return simt_fail(diag, "--wave", "--engine icarus", "--engine verilator: it writes the same waveform");
  char got[24];
  snprintf(got, sizeof got, "%" PRIu64, o->cycles);
  if (icarus && o->cycles > ICARUS_MOST_CYCLES)
    return simt_fail(diag, "--cycles", got, "at most %d with --engine icarus, which replays recorded vectors",
                     ICARUS_MOST_CYCLES);
  if (!o->cycles && !o->mutants && !o->upsets) o->cycles = icarus ? ICARUS_CYCLES : 1000000;
  return true;
}

int cmd_check(const struct gen_options *given) {
  struct simt_diag diag = {0};
  struct gen_options options = *given, *o = &options;
  struct simt_verif room;
  struct check c = {.cfg = &o->cfg, .verif = simt_verif_of(&o->cfg, &room), .wave = o->wave};
  char trace[STIMULUS_ROOM];
  if (!check_options(o, trace, &diag)) return refuse(&diag, EXIT_USAGE);
  if (!c.verif) {
    simt_fail(&diag, o->cfg.block->name, "no environment", "verif/%s/ with what verifies it",
              o->cfg.block->name);
    snprintf(diag.hint, sizeof diag.hint, "see docs/adding_a_block.md");
    return refuse(&diag, EXIT_USAGE);
  }
  if (o->budget || o->mutants || o->upsets) {
    int ended = (o->budget ? campaign : o->mutants ? check_mutants : check_upsets)(o, c.verif, &diag);
    return diag.failed ? refuse(&diag, ended) : ended;
  }
  int status = check(&c, o);
  text_free(&c.failure);
  text_free(&c.whole);
  generated_free(&c.generated);
  text_free(&c.reproduce);
  text_free(&c.explained);
  free(c.covered);
  free(c.lines.line);
  return status;
}
