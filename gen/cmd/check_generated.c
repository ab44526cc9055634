/* SPDX-License-Identifier: Apache-2.0 */
/* check_generated.c: the Verilog that `simtgen gen` wrote beside -c FILE. `check` makes its Verilog of the templates; where the
 * written files are others by now, it says so, and with --generated it takes them. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cmd/check.h"

enum { MOST_NAMED = 3 };

/* The folder of a path, with its slash; "" for this one. */
static void folder_of(const char *path, char to[PATH_MAX]) {
  const char *slash = strrchr(path, '/');
  snprintf(to, PATH_MAX, "%.*s", slash ? (int)(slash - path) + 1 : 0, path);
}

/* The manifest of the folder, if it is one of this block; NULL without. */
static json_t *read_manifest(const char *folder, const struct simt_config *cfg) {
  char path[PATH_MAX + 16];
  snprintf(path, sizeof path, "%s/manifest.json", folder[0] ? folder : ".");
  json_t *manifest = json_load_file(path, 0, NULL);
  const char *block = json_string_value(json_object_get(manifest, "block"));
  if (block && !strcmp(block, cfg->block->name) && json_is_object(json_object_get(manifest, "files"))) return manifest;
  json_decref(manifest);
  return NULL;
}

static bool is_rtl(const char *path) {
  size_t n = strlen(path);
  return !strncmp(path, "rtl/", 4) && n > 6 && !strcmp(path + n - 2, ".v");
}

/* The Verilog files of the manifest as they are now. False and diag: one cannot be read. */
static bool read_files(struct generated *g, const json_t *files, struct simt_diag *diag) {
  const char *path;
  json_t *hash;
  json_object_foreach((json_t *)(uintptr_t)files, path, hash) {
    char full[2 * PATH_MAX];
    size_t size;
    if (!is_rtl(path)) continue;
    snprintf(full, sizeof full, "%s%s", g->folder, path);
    char *text = file_read(full, &size, diag);
    if (!text) return false;
    text_add_bytes(fileset_add(&g->files, "%s", path), text, size);
    free(text);
  }
  return true;
}

/* The same Verilog, comments aside? */
static bool same_verilog(struct fileset a, size_t i, struct fileset b, size_t k) {
  char x[17], y[17];
  a.file += i, b.file += k;
  a.n = b.n = 1;
  rtl_hash(&a, x);
  rtl_hash(&b, y);
  return !strcmp(x, y);
}

static void compare(struct generated *g, const struct fileset *made) {
  for (size_t i = 0; i < made->n; i++) {
    size_t k = 0;
    if (!is_rtl(made->file[i].path)) continue;
    while (k < g->files.n && strcmp(g->files.file[k].path, made->file[i].path)) k++;
    if (k < g->files.n && same_verilog(*made, i, g->files, k)) continue;
    if (g->n_others++ < MOST_NAMED) text_add(&g->others, "%s%s%s", g->others.len ? ", " : "", g->folder, made->file[i].path);
  }
  if (g->n_others > MOST_NAMED) text_add(&g->others, " and %zu more", g->n_others - MOST_NAMED);
}

static bool refuse(struct simt_diag *diag, const char *got, const char *hint) {
  simt_fail(diag, "--generated", got, "-c DIR/config.yaml of a folder that simtgen gen wrote, with its manifest.json");
  snprintf(diag->hint, sizeof diag->hint, "%s", hint);
  return false;
}

/* Are the files those of this configuration? */
static bool same_configuration(const json_t *manifest, const struct simt_config *cfg) {
  const char *of = json_string_value(json_object_get(manifest, "config_hash"));
  char own[17];
  config_hash(cfg, own);
  return of && !strcmp(of, own);
}

bool generated_find(struct generated *g, const struct gen_options *o, struct simt_diag *diag) {
  *g = (struct generated){.take = o->generated};
  if (!o->config_file) return !o->generated || refuse(diag, "no -c FILE", "without -c the templates are checked");
  folder_of(o->config_file, g->folder);
  json_t *manifest = read_manifest(g->folder, &o->cfg);
  if (!manifest) return !o->generated || refuse(diag, o->config_file, "generate it: simtgen gen -c FILE -o DIR");
  bool same = same_configuration(manifest, &o->cfg), good = true;
  if (same) {
    struct fileset made = {0};
    struct simt_diag missing = {0};
    good = read_files(g, json_object_get(manifest, "files"), o->generated ? diag : &missing);
    if (good) good = emit_rtl(&made, "rtl", &o->cfg, diag);
    if (good) compare(g, &made);
    fileset_free(&made);
    if (missing.failed) { /* said, as what differs is */
      good = true;
      g->n_others = 1;
      text_add(&g->others, "%s", missing.file[0] ? missing.file : missing.name);
    }
  } else if (o->generated) {
    good = refuse(diag, "files of another configuration", "generate them again, or leave out --generated");
  }
  json_decref(manifest);
  return good;
}

void generated_say(const struct generated *g, struct text *t) {
  if (!g->n_others) return;
  if (g->take) text_add(t, "checked as they are in %srtl, which differ from what simtgen makes now: %s", g->folder, g->others.s);
  else text_add(t, "not checked: %s, which differ%s from what simtgen makes now; --generated checks the files of %srtl", g->others.s,
                g->n_others == 1 ? "s" : "", g->folder);
}

void generated_free(struct generated *g) {
  fileset_free(&g->files);
  text_free(&g->others);
}
