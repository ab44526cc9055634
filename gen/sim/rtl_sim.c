/* SPDX-License-Identifier: Apache-2.0 */
/* rtl_sim.c: Verilates the RTL of a configuration, or a netlist made of it, into a shared object, once per
 * content. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <string.h>
#include <unistd.h>

#include "synth/netlist.h"
#include "sim/rtl_sim.h"
#include "work.h"

/* -O3 of Verilator has miscompiled vector-level loops: UNOPTFLAT stops the build. Registers
 * without reset start at random, so that a missing reset shows. */
static const char *const verilate[] = {
  "--cc", "--x-assign", "unique", "--x-initial", "unique", "--no-timing", "-Wno-fatal",
  "-Werror-UNOPTFLAT", "--output-split-cfuncs", "2000", NULL};
/* V3Gate of Verilator 5.006 miscompiles netlists of generic gates (they then fail in lockstep, and pass in
 * Icarus and without optimisation): without it they are right. The macro is for the models of iCE40 cells. */
static const char *const verilate_netlist[] = {"-fno-gate", "-DNO_ICE40_DEFAULT_ASSIGNMENTS", NULL};
/* For gcc without optimisation: what Verilator writes is up to half as long, and runs hardly slower. */
static const char *const verilate_quick[] = {"-fno-dfg", NULL};
/* Hidden symbols make calls inside the library direct. One thread simulates, so Verilator's
 * thread-local variables, looked at in every eval, become plain ones. */
#define CODE "-std=gnu++17", "-fPIC", "-w", "-fvisibility=hidden", "-Dthread_local="
/* What Verilator writes chooses by data that no branch predictor can know: choices as conditional moves are a quarter
 * faster (gcc 12, a block of 24 threads), and jump threading makes branches of them again. */
#define NO_BRANCHES "-fno-thread-jumps", "--param=max-rtl-if-conversion-predictable-cost=200", \
  "--param=max-rtl-if-conversion-unpredictable-cost=200"
static const char *const compile[] = {CODE, NO_BRANCHES, "-shared", NULL};
static const char *const compile_runtime[] = {CODE, "-O2", "-c", "-DVM_COVERAGE=1", NULL};
static const char *const runtime[] = {"verilated", "verilated_threads", "verilated_cov", NULL};
/* What all that Verilator writes includes; most of a quick compilation would go into reading it. */
static const char headers[] = "#include <cstring>\n#include \"verilated.h\"\n";

struct build {
  struct work w;
  const char *verilator, *gxx;
  char include[PATH_MAX];  /* of Verilator's run-time sources */
  const struct rtl_variant *variant;
  bool quick;              /* compile without optimisation */
};

/* What the variant adds to the two commands; gcc's -O3 takes minutes on a netlist and gains little. */
static const char *verilator_level(const struct build *b) {
  return b->variant->unoptimized ? "-O0" : "-O3";
}

static const char *compiler_level(const struct build *b) {
  if (b->quick) return "-O0";
  return b->variant->unoptimized || b->variant->netlist ? "-O1" : "-O3";
}

/* Also for Verilator: of the RTL as it is; the other variants are there to be what they are. */
static bool is_quick_rtl(const struct build *b) {
  return b->quick && !b->variant->netlist && !b->variant->unoptimized;
}

static bool find_tools(struct build *b) {
  b->verilator = tool_find("verilator", b->w.diag);
  b->gxx = b->verilator ? tool_find("g++", b->w.diag) : NULL;
  if (!b->gxx || !work_version(&b->w, b->verilator, "--version") ||
      !work_version(&b->w, b->gxx, "-dumpfullversion"))
    return false;
  struct args a = {.n = 0};
  args_add_all(&a, (const char *const[]){b->verilator, "--getenv", "VERILATOR_ROOT", NULL});
  if (!work_run(&b->w, &a, NULL, "verilator")) return false;
  snprintf(b->include, sizeof b->include, "%.*s/include", (int)strcspn(b->w.log.s, "\n"), b->w.log.s);
  return true;
}

/* ---- steps of a build ------------------------------------------------------------------------ */

/* The objects of Verilator's run time, compiled once per tool version, in a folder of the cache. */
static bool build_runtime(struct build *b, const char *cache, const char *final) {
  if (!access(final, R_OK)) return true;
  if (!work_begin(&b->w, cache)) return false;
  bool ok = true;
  for (size_t i = 0; ok && runtime[i]; i++) {
    char source[PATH_MAX + 64];
    struct args a = {.n = 0};
    snprintf(source, sizeof source, "%s/%s.cpp", b->include, runtime[i]);
    args_add(&a, b->gxx);
    args_add_all(&a, compile_runtime);
    args_add_all(&a, (const char *const[]){"-I", b->include, source, NULL});
    ok = work_run(&b->w, &a, b->w.folder, "compiling Verilator's run time");
  }
  if (ok && rename(b->w.folder, final) && access(final, R_OK))
    ok = simt_fail(b->w.diag, final, strerror(errno), "a folder that can be written");
  work_end(&b->w); /* what is left when another run was faster, or on failure */
  return ok;
}

/* headers.h.gch for the level of this build, in a folder of the run time: with the options of compile_all, or the
 * compiler would not take it. */
static bool precompile(struct build *b, const char *cache, const char *final) {
  struct text text = {0};
  struct args a = {.n = 0};
  if (!access(final, R_OK)) return true;
  if (!work_begin(&b->w, cache)) return false;
  text_add(&text, "%s", headers);
  bool ok = work_write(&b->w, "headers.h", &text);
  text_free(&text);
  args_add(&a, b->gxx);
  args_add(&a, compiler_level(b));
  args_add_all(&a, compile);
  args_add_all(&a, (const char *const[]){"-x", "c++-header", "-I", b->include, "headers.h", NULL});
  ok = ok && work_run(&b->w, &a, b->w.folder, "compiling Verilator's headers");
  if (ok && rename(b->w.folder, final) && access(final, R_OK))
    ok = simt_fail(b->w.diag, final, strerror(errno), "a folder that can be written");
  work_end(&b->w);
  return ok;
}

static bool run_verilator(struct build *b, const struct fileset *fs, const char *top) {
  struct args a = {.n = 0};
  args_add(&a, b->verilator);
  args_add(&a, verilator_level(b));
  args_add_all(&a, verilate);
  if (b->variant->netlist) args_add_all(&a, verilate_netlist);
  if (is_quick_rtl(b)) args_add_all(&a, verilate_quick);
  if (b->variant->coverage) args_add(&a, "--coverage-line");
  args_add_all(&a, (const char *const[]){"--Mdir", "obj", "--top-module", top, NULL});
  return work_write_all(&b->w, fs, &a) && work_run(&b->w, &a, b->w.folder, "verilator");
}

/* One unit of all that Verilator wrote and the shim: compiles fastest and runs as fast as with
 * link-time optimisation. */
static bool compile_all(struct build *b, const struct text *shim, const char *objects, const char *folder) {
  struct args ls = {.n = 0}, a = {.n = 0};
  char object[4][PATH_MAX + 64];
  struct text all = {0};
  const char *sh = tool_find("sh", b->w.diag);
  if (!sh) return false;
  text_add(&all, "#include \"headers.h\"\n"); /* precompiled ones have to come first */
  args_add_all(&ls, (const char *const[]){sh, "-c", "ls obj/*.cpp", NULL});
  if (!work_run(&b->w, &ls, b->w.folder, "verilator")) return false;
  for (char *line = strtok(b->w.log.s, "\n"); line; line = strtok(NULL, "\n"))
    text_add(&all, "#include \"%s\"\n", line);
  text_add_bytes(&all, shim->s, shim->len);
  bool ok = work_write(&b->w, "all.cpp", &all);
  text_free(&all);

  args_add(&a, b->gxx);
  args_add(&a, compiler_level(b));
  args_add_all(&a, compile);
  if (b->variant->coverage) args_add(&a, "-DVM_COVERAGE=1");
  args_add_all(&a, (const char *const[]){"-I", folder, "-I", "obj", "-I", b->include, "all.cpp", NULL});
  for (size_t i = 0; runtime[i]; i++) {
    snprintf(object[i], sizeof object[i], "%s/%s.o", objects, runtime[i]);
    args_add(&a, object[i]);
  }
  args_add_all(&a, (const char *const[]){"-o", "rtl.so", "-lpthread", "-latomic", NULL});
  return ok && work_run(&b->w, &a, b->w.folder, "compiling the Verilated RTL");
}

/* The shared object at `final`. */
static bool build_library(struct build *b, const struct fileset *fs, const struct text *shim,
                          const char *top, const char *cache, const char *final, const char *key) {
  char objects[PATH_MAX], folder[PATH_MAX + 8], hex[65];
  struct text of = {0};
  text_add(&of, "%s", b->w.version);
  for (size_t i = 0; compile_runtime[i]; i++) text_add(&of, "%s ", compile_runtime[i]);
  for (size_t i = 0; compile[i]; i++) text_add(&of, "%s ", compile[i]);
  text_add(&of, "%s", headers);
  sha256_hex(of.s, of.len, hex);
  text_free(&of);
  snprintf(objects, sizeof objects, "%s/verilated-%.16s", cache, hex);
  snprintf(folder, sizeof folder, "%s/%s", objects, compiler_level(b) + 1);
  if (!build_runtime(b, cache, objects) || !precompile(b, cache, folder) || !work_begin(&b->w, cache)) return false;
  progress(NOT_KNOWN, "building the RTL (%s)", key);
  bool ok = run_verilator(b, fs, top) && compile_all(b, shim, objects, folder) &&
            work_keep(&b->w, "rtl.so", final);
  work_end(&b->w);
  progress_end();
  return ok;
}

/* 16 digits over everything that goes into the library. */
static void content_key(const struct build *b, const struct fileset *fs, const struct text *shim,
                        char key[65]) {
  struct text all = {0};
  text_add(&all, "%s%d %s %s\n", b->w.version, b->variant->coverage, verilator_level(b),
           compiler_level(b));
  for (size_t i = 0; verilate[i]; i++) text_add(&all, "%s ", verilate[i]);
  for (size_t i = 0; b->variant->netlist && verilate_netlist[i]; i++)
    text_add(&all, "%s ", verilate_netlist[i]);
  for (size_t i = 0; is_quick_rtl(b) && verilate_quick[i]; i++) text_add(&all, "%s ", verilate_quick[i]);
  for (size_t i = 0; compile[i]; i++) text_add(&all, "%s ", compile[i]);
  for (size_t i = 0; i < fs->n; i++) {
    text_add(&all, "\n%s\n", fs->file[i].path);
    text_add_bytes(&all, fs->file[i].text.s, fs->file[i].text.len);
  }
  text_add_bytes(&all, shim->s, shim->len);
  sha256_hex(all.s, all.len, key);
  key[16] = 0;
  text_free(&all);
}

/* A bus that is watched has one function more, the last. */
static bool load(struct rtl_sim *s, const char *path, bool watched, struct simt_diag *diag) {
  s->library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (!s->library)
    return simt_fail(diag, path, dlerror(),
                     "a library that can be loaded; delete it and run again");
  const struct { const char *name; void *to; } symbol[] = {
    {"shim_new", &s->rtl.create}, {"shim_free", &s->rtl.destroy}, {"shim_cycle", &s->rtl.cycle},
    {"shim_coverage", &s->rtl.coverage},
    {"shim_violation", &s->rtl.violation}};
  for (size_t i = 0; i < sizeof symbol / sizeof *symbol - !watched; i++) {
    void *address = dlsym(s->library, symbol[i].name);
    if (!address)
      return simt_fail(diag, path, dlerror(), "the shim's functions; delete it and run again");
    memcpy(symbol[i].to, &address, sizeof address);
  }
  return true;
}

static void library_path(const struct build *b, const struct fileset *fs, const struct text *shim, const char *cache,
                         char key[65], char path[PATH_MAX]) {
  content_key(b, fs, shim, key);
  snprintf(path, PATH_MAX, "%s/rtl-%s.so", cache, key);
}

bool rtl_sim_build(struct rtl_sim *s, const struct simt_config *cfg, const struct fileset *fs,
                   const struct rtl_variant *variant, struct simt_diag *diag) {
  struct build b = {.variant = variant, .w.diag = diag};
  struct text shim = {0};
  char key[65], path[PATH_MAX];
  *s = (struct rtl_sim){0};
  const char *cache = cache_dir(diag);
  bool ok = cache && find_tools(&b);
  if (ok) {
    char top[SIMT_NAME_MAX + 16];
    snprintf(top, sizeof top, "%s%s", cfg->name, cfg->n_wraps ? "_checked" : "");
    emit_shim(&shim, cfg, top);
    library_path(&b, fs, &shim, cache, key, path);
    if (access(path, R_OK) && variant->quick) { /* what is optimised is taken where it is there */
      b.quick = s->quick = true;
      library_path(&b, fs, &shim, cache, key, path);
    }
    if (access(path, R_OK)) ok = build_library(&b, fs, &shim, top, cache, path, key);
    ok = ok && load(s, path, cfg->n_wraps, diag);
  }
  text_free(&shim);
  text_free(&b.w.log);
  return ok;
}

bool rtl_sim_files(struct fileset *fs, const struct simt_config *cfg, const struct rtl_variant *variant, struct simt_diag *diag) {
  if (!variant->files) return emit_rtl(fs, "rtl", cfg, diag);
  for (size_t i = 0; i < variant->files->n; i++) {
    const struct text *t = &variant->files->file[i].text;
    text_add_bytes(fileset_add(fs, "%s", variant->files->file[i].path), t->s, t->len);
  }
  return true;
}

bool rtl_sim_open(struct rtl_sim *s, const struct simt_config *cfg,
                  const struct rtl_variant *variant, struct simt_diag *diag) {
  struct fileset fs = {0};
  *s = (struct rtl_sim){0};
  bool ok = rtl_sim_files(&fs, cfg, variant, diag) &&
            (!variant->netlist || netlist_make(&fs, cfg, variant->netlist, diag)) &&
            emit_checked(&fs, cfg, diag) && rtl_sim_build(s, cfg, &fs, variant, diag);
  fileset_free(&fs);
  return ok;
}

void rtl_sim_close(struct rtl_sim *s) {
  if (s->library) dlclose(s->library);
  s->library = NULL;
}
