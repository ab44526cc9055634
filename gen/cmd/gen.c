/* SPDX-License-Identifier: Apache-2.0 */
/* gen.c: `simtgen gen`: everything of one configuration, written whole or not at all. */
#include <stdlib.h>
#include <string.h>

#include "emit/selftest.h"
#include "gen.h"

static void emit_constraints(struct text *t, const struct simt_config *cfg) {
  char what[200];
  snprintf(what, sizeof what, "%s.sdc: one clock; set the period of your design", cfg->name);
  emit_header_comment(t, cfg, "#", what);
  for (size_t i = 0; i < cfg->desc.n_ports; i++)
    if (cfg->desc.ports[i].role == SIMT_CLOCK)
      text_add(t, "create_clock -name %s -period 10.0 [get_ports %s]\n", cfg->desc.ports[i].name,
               cfg->desc.ports[i].name);
  if (simt_param(cfg, "reset"))
    text_add(t, "# The asynchronous reset of %s_async_reset, where that module is the one in use.\n"
                "set_false_path -from [get_ports rst_ni]\n", cfg->name);
  text_add(t, "# Every output is a function of registers alone and every input ends in registers: no path leads\n"
              "# from an input to an output, so the delays outside the block and inside it add up only once.\n");
}

/* The modules of the instance, each in a file of its name: of two instances in one design, none may be in both lists. */
static void list_modules(struct text *t, const struct fileset *fs) {
  const char *before = ", \"modules\": [";
  for (size_t i = 0; i < fs->n; i++) {
    const char *path = fs->file[i].path;
    const size_t len = strlen(path);
    if (strncmp(path, "rtl/", 4) || strcmp(path + len - 2, ".v")) continue;
    text_add(t, "%s\"%.*s\"", before, (int)len - 6, path + 4);
    before = ", ";
  }
  text_add(t, "]");
}

/* What the manifest says beside the sums of the files, which fileset_write adds. */
static void emit_manifest(struct text *t, const struct fileset *fs, const struct gen_options *o) {
  const struct simt_config *cfg = &o->cfg;
  char hex[17];
  config_hash(cfg, hex);
  text_add(t, "{\"schema\": 1, \"generator\": \"simtgen %s\", \"block\": \"%s\", \"name\": \"%s\", "
              "\"config_hash\": \"%s\", \"command\": \"simtgen gen -c config.yaml%s%s%s\", "
              "\"licence\": \"generated files are the user's own, without conditions\"",
           SIMT_VERSION, cfg->block->name, cfg->name, hex, o->board ? " --board " : "",
           o->board ? o->board : "", o->no_doc ? " --no-doc" : "");
  list_modules(t, fs);
  text_add(t, "}");
}

static bool emit_all(struct fileset *fs, const struct gen_options *o, struct simt_diag *diag) {
  const struct simt_config *cfg = &o->cfg;
  const char *name = cfg->name;
  if (!emit_rtl(fs, "rtl", cfg, diag)) return false;
  emit_harness(fileset_add(fs, "synth/%s_harness.v", name), cfg, true);
  emit_model_header(fileset_add(fs, "model/%s_ports.h", name), cfg);
  emit_dpi(fs, cfg);
  emit_vhdl(fileset_add(fs, "vhdl/%s_pkg.vhd", name), cfg);
  if (cfg->desc.n_regs) emit_regs_header(fileset_add(fs, "regs.h"), cfg);
  if (cfg->desc.n_regs) emit_rdl(fileset_add(fs, "rdl/%s.rdl", name), cfg);
  if (!emit_tb(fs, cfg, diag)) return false;
  if (!emit_formal(fs, cfg, diag)) return false;
  if (!emit_system(fs, cfg, diag)) return false;
  if (o->board && !emit_selftest(fs, cfg, o->board, diag)) return false;
  emit_core_file(fileset_add(fs, "%s.core", name), cfg, fs);
  emit_constraints(fileset_add(fs, "constraints/%s.sdc", name), cfg);
  if (!o->no_doc && !emit_doc(fs, cfg, diag)) return false;
  char *yaml = config_to_yaml(cfg);
  struct text *t = fileset_add(fs, "config.yaml");
  emit_header_comment(t, cfg, "#", "config.yaml: this configuration, every parameter");
  text_add(t, "%s", yaml);
  free(yaml);
  struct text manifest = {0};
  emit_manifest(&manifest, fs, o);
  *fileset_add(fs, "manifest.json") = manifest;
  for (size_t i = 0; i < fs->n; i++) {
    const char *dot = strrchr(fs->file[i].path, '.');
    if (dot && !strcmp(dot, ".v")) fold_verilog(&fs->file[i].text);
  }
  return true;
}

int cmd_gen(const struct gen_options *o) {
  struct simt_diag diag = {0};
  struct fileset fs = {0};
  bool good = emit_all(&fs, o, &diag) && fileset_write(&fs, o->out, &diag);
  if (good && !o->quiet) printf("%s: %zu files of %s in %s\n", o->cfg.name, fs.n, o->cfg.block->name, o->out);
  for (size_t i = 0; good && !o->quiet && i < fs.n; i++) printf("  %s\n", fs.file[i].path);
  if (!good) message_error(&diag);
  fileset_free(&fs);
  return good ? EXIT_DONE : interrupted ? EXIT_INTERRUPTED : EXIT_USAGE;
}
