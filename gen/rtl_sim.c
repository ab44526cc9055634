/* SPDX-License-Identifier: Apache-2.0 */
/* rtl_sim.c: Verilates the RTL of a configuration into a shared object, once per content. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "rtl_sim.h"

/* -O3 of Verilator has miscompiled vector-level loops: UNOPTFLAT stops the build. Registers
 * without reset start at random, so that a missing reset shows. */
static const char *const verilate[] = {
  "--cc", "-O3", "--x-assign", "unique", "--x-initial", "unique", "--no-timing", "-Wno-fatal",
  "-Werror-UNOPTFLAT", NULL};
/* Hidden symbols make calls inside the library direct. One thread simulates, so Verilator's
 * thread-local variables, looked at in every eval, become plain ones. */
#define CODE "-std=gnu++17", "-fPIC", "-w", "-fvisibility=hidden", "-Dthread_local="
static const char *const compile[] = {CODE, "-O3", "-shared", NULL};
static const char *const compile_runtime[] = {CODE, "-O2", "-c", "-DVM_COVERAGE=1", NULL};
static const char *const runtime[] = {"verilated", "verilated_threads", "verilated_cov", NULL};
enum { MAX_ARGS = 400 };

struct build {
  const char *verilator, *gxx;
  char include[PATH_MAX];  /* of Verilator's run-time sources */
  char version[240];       /* of both tools */
  char folder[PATH_MAX];   /* where this build happens, aside */
  struct text log;
  bool coverage;
  struct simt_diag *diag;
};

struct args { const char *v[MAX_ARGS]; size_t n; };

static void arg(struct args *a, const char *s) {
  if (a->n + 1 < MAX_ARGS) a->v[a->n++] = s;
  a->v[a->n] = NULL;
}

static void args_of(struct args *a, const char *const *list) {
  while (*list) arg(a, *list++);
}

/* ---- running tools --------------------------------------------------------------------------- */

/* The last lines of a log that look like a reason. */
static void reason(const struct text *log, char *to, size_t room) {
  const char *line = log->s ? log->s : "";
  const char *found = strstr(line, "%Error"), *gcc = strstr(line, "error:");
  if (!found && gcc) found = gcc;
  if (!found) found = line;
  snprintf(to, room, "%.*s", (int)strcspn(found, "\n"), found);
}

static bool run(struct build *b, const struct args *a, const char *cwd, const char *what) {
  b->log.len = 0;
  if (b->log.s) b->log.s[0] = 0;
  int status = tool_run(a->v, cwd, &b->log);
  if (!status) return true;
  char why[200];
  reason(&b->log, why, sizeof why);
  simt_fail(b->diag, what, NULL, "%s failed (status %d): %s", a->v[0], status, why);
  return false;
}

/* First line of what a tool prints, appended to the version. */
static bool add_version(struct build *b, const char *tool, const char *option) {
  struct args a = {.n = 0};
  arg(&a, tool);
  arg(&a, option);
  if (!run(b, &a, NULL, tool)) return false;
  size_t used = strlen(b->version);
  snprintf(b->version + used, sizeof b->version - used, "%.*s\n", (int)strcspn(b->log.s, "\n"),
           b->log.s);
  return true;
}

static bool find_tools(struct build *b) {
  b->verilator = tool_find("verilator", b->diag);
  b->gxx = b->verilator ? tool_find("g++", b->diag) : NULL;
  if (!b->gxx || !add_version(b, b->verilator, "--version") ||
      !add_version(b, b->gxx, "-dumpfullversion"))
    return false;
  struct args a = {.n = 0};
  arg(&a, b->verilator);
  arg(&a, "--getenv");
  arg(&a, "VERILATOR_ROOT");
  if (!run(b, &a, NULL, "verilator")) return false;
  snprintf(b->include, sizeof b->include, "%.*s/include", (int)strcspn(b->log.s, "\n"), b->log.s);
  return true;
}

/* ---- files ----------------------------------------------------------------------------------- */

static bool write_file(struct build *b, const char *name, const struct text *t) {
  char path[PATH_MAX + 256];
  snprintf(path, sizeof path, "%s/%s", b->folder, name);
  FILE *f = fopen(path, "w");
  bool ok = f && fwrite(t->s, 1, t->len, f) == t->len;
  if (f && fclose(f)) ok = false;
  return ok || simt_fail(b->diag, path, strerror(errno), "a file that can be written");
}

static void remove_folder(const char *path) {
  struct args a = {.n = 0};
  struct simt_diag ignored = {0};
  const char *rm = tool_find("rm", &ignored);
  if (!rm) return;
  arg(&a, rm);
  arg(&a, "-rf");
  arg(&a, path);
  int was = interrupted; /* clean up also when interrupted */
  interrupted = 0;
  tool_run(a.v, NULL, NULL);
  if (!interrupted) interrupted = was;
}

static bool make_folder(struct build *b, const char *cache) {
  snprintf(b->folder, sizeof b->folder, "%s/tmp.XXXXXX", cache);
  if (mkdtemp(b->folder)) return true;
  simt_fail(b->diag, cache, strerror(errno), "a folder that can be written");
  b->folder[0] = 0;
  return false;
}

/* ---- steps of a build ------------------------------------------------------------------------ */

/* The objects of Verilator's run time, compiled once per tool version, in a folder of the cache. */
static bool build_runtime(struct build *b, const char *cache, const char *final) {
  if (!access(final, R_OK)) return true;
  if (!make_folder(b, cache)) return false;
  bool ok = true;
  for (size_t i = 0; ok && runtime[i]; i++) {
    char source[PATH_MAX + 64];
    struct args a = {.n = 0};
    snprintf(source, sizeof source, "%s/%s.cpp", b->include, runtime[i]);
    arg(&a, b->gxx);
    args_of(&a, compile_runtime);
    args_of(&a, (const char *const[]){"-I", b->include, source, NULL});
    ok = run(b, &a, b->folder, "compiling Verilator's run time");
  }
  if (!ok || (rename(b->folder, final) && access(final, R_OK))) {
    remove_folder(b->folder);
    return ok && simt_fail(b->diag, final, strerror(errno), "a folder that can be written");
  }
  remove_folder(b->folder); /* when another run was faster; else it is gone already */
  return true;
}

static bool run_verilator(struct build *b, const struct fileset *fs, const char *top) {
  struct args a = {.n = 0};
  arg(&a, b->verilator);
  args_of(&a, verilate);
  if (b->coverage) arg(&a, "--coverage-line");
  args_of(&a, (const char *const[]){"--Mdir", "obj", "--top-module", top, NULL});
  for (size_t i = 0; i < fs->n; i++) {
    const char *slash = strrchr(fs->file[i].path, '/');
    const char *name = slash ? slash + 1 : fs->file[i].path;
    size_t len = strlen(name);
    if (!write_file(b, name, &fs->file[i].text)) return false;
    if (len > 2 && !strcmp(name + len - 2, ".v")) arg(&a, name);
  }
  return run(b, &a, b->folder, "verilator");
}

/* One unit of all that Verilator wrote and the shim: compiles fastest and runs as fast as with
 * link-time optimisation. */
static bool compile_all(struct build *b, const struct text *shim, const char *objects) {
  struct args ls = {.n = 0}, a = {.n = 0};
  char object[4][PATH_MAX + 64];
  struct text all = {0};
  const char *sh = tool_find("sh", b->diag);
  if (!sh) return false;
  args_of(&ls, (const char *const[]){sh, "-c", "ls obj/*.cpp", NULL});
  if (!run(b, &ls, b->folder, "verilator")) return false;
  for (char *line = strtok(b->log.s, "\n"); line; line = strtok(NULL, "\n"))
    text_add(&all, "#include \"%s\"\n", line);
  text_add_bytes(&all, shim->s, shim->len);
  bool ok = write_file(b, "all.cpp", &all);
  text_free(&all);

  arg(&a, b->gxx);
  args_of(&a, compile);
  if (b->coverage) arg(&a, "-DVM_COVERAGE=1");
  args_of(&a, (const char *const[]){"-I", "obj", "-I", b->include, "all.cpp", NULL});
  for (size_t i = 0; runtime[i]; i++) {
    snprintf(object[i], sizeof object[i], "%s/%s.o", objects, runtime[i]);
    arg(&a, object[i]);
  }
  args_of(&a, (const char *const[]){"-o", "rtl.so", "-lpthread", "-latomic", NULL});
  return ok && run(b, &a, b->folder, "compiling the Verilated RTL");
}

/* The shared object at `final`, built aside and renamed: runs at the same time do not disturb
 * each other. */
static bool build_library(struct build *b, const struct fileset *fs, const struct text *shim,
                          const char *top, const char *cache, const char *final, const char *key) {
  char objects[PATH_MAX], hex[65], built[PATH_MAX + 16];
  struct text of = {0};
  text_add(&of, "%s", b->version);
  for (size_t i = 0; compile_runtime[i]; i++) text_add(&of, "%s ", compile_runtime[i]);
  sha256_hex(of.s, of.len, hex);
  text_free(&of);
  snprintf(objects, sizeof objects, "%s/verilated-%.16s", cache, hex);
  if (!build_runtime(b, cache, objects) || !make_folder(b, cache)) return false;
  snprintf(built, sizeof built, "%s/rtl.so", b->folder);
  progress("building the RTL (%s)", key);
  bool ok = run_verilator(b, fs, top) && compile_all(b, shim, objects);
  if (ok && rename(built, final))
    ok = simt_fail(b->diag, final, strerror(errno), "a file that can be written");
  remove_folder(b->folder);
  progress_end();
  return ok;
}

/* 16 digits over everything that goes into the library. */
static void content_key(const struct build *b, const struct fileset *fs, const struct text *shim,
                        char key[65]) {
  struct text all = {0};
  text_add(&all, "%s%d\n", b->version, b->coverage);
  for (size_t i = 0; verilate[i]; i++) text_add(&all, "%s ", verilate[i]);
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
    {"shim_new", &s->rtl.create}, {"shim_free", &s->rtl.destroy},
    {"shim_cycle", &s->rtl.cycle}, {"shim_coverage", &s->rtl.coverage},
    {"shim_violation", &s->rtl.violation}};
  for (size_t i = 0; i < sizeof symbol / sizeof *symbol - !watched; i++) {
    void *address = dlsym(s->library, symbol[i].name);
    if (!address)
      return simt_fail(diag, path, dlerror(), "the shim's functions; delete it and run again");
    memcpy(symbol[i].to, &address, sizeof address);
  }
  return true;
}

bool rtl_sim_open(struct rtl_sim *s, const struct simt_config *cfg, bool coverage,
                  struct simt_diag *diag) {
  struct build b = {.coverage = coverage, .diag = diag};
  struct fileset fs = {0};
  struct text shim = {0};
  char key[65], path[PATH_MAX];
  *s = (struct rtl_sim){0};
  const char *cache = cache_dir(diag);
  bool ok = cache && emit_rtl(&fs, "rtl", cfg, diag) && emit_checked(&fs, cfg, diag) && find_tools(&b);
  if (ok) {
    char top[SIMT_NAME_MAX + 16];
    snprintf(top, sizeof top, "%s%s", cfg->name, cfg->n_wraps ? "_checked" : "");
    emit_shim(&shim, cfg, top);
    content_key(&b, &fs, &shim, key);
    snprintf(path, sizeof path, "%s/rtl-%s.so", cache, key);
    if (access(path, R_OK)) ok = build_library(&b, &fs, &shim, top, cache, path, key);
    ok = ok && load(s, path, cfg->n_wraps, diag);
  }
  text_free(&shim);
  text_free(&b.log);
  fileset_free(&fs);
  return ok;
}

void rtl_sim_close(struct rtl_sim *s) {
  if (s->library) dlclose(s->library);
  s->library = NULL;
}
