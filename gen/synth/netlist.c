/* SPDX-License-Identifier: Apache-2.0 */
/* netlist.c: synthesis for simulation: Yosys makes the netlist once per content. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "synth/netlist.h"
#include "work.h"

/* The passes for a target are those of `simtgen synth`, so that the netlist is the one that is placed. Nets are split
 * into bits: whole vectors form loops that are none, which Verilator does not schedule well. */
#define FINISH "; splitnets; opt_clean; check -assert; write_verilog -noattr netlist.v"

/* Generic gates: `synth` but for memory_map. Memories stay, as Yosys has merged their ports. A word of a ram_1r1w that is
 * read while it is written becomes unknown in the netlist, which no flip-flop shows; made of flip-flops a memory also
 * takes nine tenths of the time of synthesis, Verilator and gcc. */
#define GATES "synth -flatten -run :fine -top %s; opt -fast -full; opt -undriven -fine; techmap; opt -fast; abc -fast; " \
  "opt -fast; hierarchy -check"

static const struct recipe {
  const char *name, *script;
  const char *cells; /* models of the target's cells, in the folder of Yosys's data; NULL: none needed */
  const char *ours;  /* models that Yosys does not ship, in our data; NULL: none */
} recipes[] = {
  {"synth", GATES FINISH, NULL, NULL},
  {"ice40", "synth_ice40 -abc9 -top %s" FINISH, "ice40", NULL},
  {"ecp5", "synth_ecp5 -abc9 -top %s" FINISH, "ecp5", "rtl_templates/vendor/ecp5_cells.v"},
};

/* ---- Yosys ----------------------------------------------------------------------------------- */

static void content_key(const struct work *w, const struct fileset *fs, const char *script, char key[65]) {
  struct text all = {0};
  text_add(&all, "%s%s", w->version, script);
  for (size_t i = 0; i < fs->n; i++) {
    text_add(&all, "\n%s\n", fs->file[i].path);
    text_add_bytes(&all, fs->file[i].text.s, fs->file[i].text.len);
  }
  sha256_hex(all.s, all.len, key);
  key[16] = 0;
  text_free(&all);
}

static bool run_yosys(struct work *w, const char *yosys, const struct fileset *fs, const char *script,
                      const char *cache, const char *final) {
  struct text all = {0};
  struct args files = {.n = 0}, a = {.n = 0};
  if (!work_begin(w, cache)) return false;
  bool ok = work_write_all(w, fs, &files);
  if (files.n) {
    text_add(&all, "read_verilog -noautowire");
    for (size_t i = 0; i < files.n; i++) text_add(&all, " %s", files.v[i]);
  } else {
    text_add(&all, "read_%s %s", strstr(fs->file[0].path, ".json") ? "json" : "rtlil", fs->file[0].path);
  }
  text_add(&all, "; %s\n", script);
  ok = ok && work_write(w, "script.ys", &all); /* it may be longer than an argument can be */
  args_add_all(&a, (const char *const[]){yosys, "-q", "-s", "script.ys", NULL});
  ok = ok && work_run(w, &a, w->folder, "synthesis") && work_keep(w, "netlist.v", final);
  text_free(&all);
  work_end(w);
  return ok;
}

static bool add_file(struct fileset *fs, const char *path, const char *name, struct simt_diag *diag) {
  size_t size;
  char *s = file_read(path, &size, diag);
  if (!s) return false;
  text_add_bytes(fileset_add(fs, "%s", name), s, size);
  free(s);
  return true;
}

bool netlist_script(struct fileset *fs, const struct simt_config *cfg, const char *script, const char *name,
                    bool keep, struct simt_diag *diag) {
  struct work w = {.diag = diag};
  char key[65], final[PATH_MAX];
  struct text mine = {0};
  const char *cache = cache_dir(diag), *yosys = cache ? tool_find("yosys", diag) : NULL;
  bool ok = yosys && work_version(&w, yosys, "-V");
  if (ok) {
    text_add(&mine, "hierarchy -check -top %s; ", cfg->name);
    for (const char *s = script; *s; s++) {
      if (s[0] == '%' && s[1] == 's') text_add(&mine, "%s", cfg->name), s++;
      else text_add_bytes(&mine, s, 1);
    }
    content_key(&w, fs, mine.s, key);
    snprintf(final, sizeof final, "%s/netlist-%s.v", cache, key);
    progress(NOT_KNOWN, "synthesizing (%s)", key);
    if (access(final, R_OK)) ok = run_yosys(&w, yosys, fs, mine.s, cache, final);
    progress_end();
  }
  fileset_free(fs);
  *fs = (struct fileset){0};
  ok = ok && add_file(fs, final, name, diag);
  if (ok && !keep) unlink(final);
  text_free(&mine);
  text_free(&w.log);
  return ok;
}

/* ---- models of cells ------------------------------------------------------------------------- */

/* Takes the empty modules out that Yosys marks as black boxes: where one is used, our model takes its place or
 * the simulator says that it has none. */
static void drop_black_boxes(struct text *t) {
  static const char mark[] = "(* blackbox *)", end[] = "endmodule";
  for (char *from; (from = strstr(t->s, mark));) {
    char *to = strstr(from, end);
    if (!to) return;
    to += sizeof end - 1;
    memmove(from, to, strlen(to) + 1);
    t->len -= (size_t)(to - from);
  }
}

/* cells_sim.v and what it includes, from beside the program: BIN/../share/yosys/TARGET/. */
static bool add_cells(struct fileset *fs, const char *target, struct simt_diag *diag) {
  char path[PATH_MAX], file[PATH_MAX + 64];
  const char *yosys = tool_find("yosys", diag);
  if (!yosys || !realpath(yosys, path)) return false;
  static const char *const names[] = {"cells_sim.v", "cells_ff.vh", "cells_io.vh", NULL};
  *strrchr(path, '/') = 0;
  for (size_t i = 0; names[i]; i++) {
    snprintf(file, sizeof file, "%s/../share/yosys/%s/%s", path, target, names[i]);
    if (i && access(file, R_OK)) continue; /* only the first is always there */
    if (!add_file(fs, file, names[i], diag)) return false;
    if (!i) drop_black_boxes(&fs->file[fs->n - 1].text);
  }
  return true;
}

bool netlist_make(struct fileset *fs, const struct simt_config *cfg, const char *target,
                  struct simt_diag *diag) {
  const struct recipe *r = recipes;
  while (strcmp(r->name, target)) r++;
  if (!netlist_script(fs, cfg, r->script, "netlist.v", true, diag) || (r->cells && !add_cells(fs, r->cells, diag)))
    return false;
  if (!r->ours) return true;
  const char *path = data_path(r->ours);
  return path ? add_file(fs, path, "our_cells.v", diag)
              : simt_fail(diag, r->ours, "no such file", "a Verilog template of this program");
}
