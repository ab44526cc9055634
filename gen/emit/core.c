/* SPDX-License-Identifier: Apache-2.0 */
/* core.c: the FuseSoC core file (CAPI2, flow API): lint, simulation of the recorded vectors, and a
 * place-and-route build of the block in its harness, whose three pins fit any device; with `gen --board`, the self-tests. */
#include <string.h>

#include "emit/selftest.h"
#include "gen.h"

/* The files of one of the emitters of Verilog. */
static void verilog_files(struct text *t, const struct fileset *fs, const char *folder) {
  for (size_t i = 0; i < fs->n; i++) {
    const char *path = fs->file[i].path;
    size_t len = strlen(path);
    if (!strncmp(path, folder, strlen(folder)) && !strcmp(path + len - 2, ".v")) text_add(t, "      - %s\n", path);
  }
}

/* What emit_checked has added: the bench uses it. */
static void checked_files(struct text *t, const struct simt_config *cfg) {
  struct fileset fs = {0};
  struct simt_diag ignored = {0}; /* the command has emitted the same files already */
  emit_checked(&fs, cfg, &ignored);
  verilog_files(t, &fs, "tb/");
  fileset_free(&fs);
}

/* ---- boards: what emit_selftest has added ---- */

static bool has_board(const struct simt_config *cfg, const struct fileset *fs, const struct selftest_board *b) {
  char path[2 * SIMT_NAME_MAX + 16];
  snprintf(path, sizeof path, "fpga/%s_%s.v", cfg->name, b->name);
  for (size_t i = 0; i < fs->n; i++)
    if (!strcmp(fs->file[i].path, path)) return true;
  return false;
}

static void board_filesets(struct text *t, const struct simt_config *cfg, const struct fileset *fs) {
  char prefix[SIMT_NAME_MAX + 32];
  bool any = false;
  for (const struct selftest_board *b = selftest_boards; b->name; b++) {
    if (!has_board(cfg, fs, b)) continue;
    if (!any) {
      snprintf(prefix, sizeof prefix, "fpga/%s_selftest", cfg->name);
      text_add(t, "  selftest:\n    file_type: verilogSource-2005\n    files:\n");
      verilog_files(t, fs, prefix);
    }
    any = true;
    text_add(t, "  %s:\n    files:\n      - fpga/%s_%s.v: {file_type: verilogSource-2005}\n"
                "      - constraints/%s_%s: {file_type: %s}\n", b->name, cfg->name, b->name, cfg->name, b->constraints, b->pins);
  }
}

static void board_targets(struct text *t, const struct simt_config *cfg, const struct fileset *fs) {
  for (const struct selftest_board *b = selftest_boards; b->name; b++)
    if (has_board(cfg, fs, b))
      text_add(t, "\n  %s:\n    description: Self-test on %s\n    filesets: [rtl, selftest, %s]\n    toplevel: %s_%s\n    flow: %s\n"
                  "    flow_options:\n%s      nextpnr_options: [%s]\n", b->name, b->title, b->name, cfg->name, b->name, b->flow,
               strcmp(b->flow, "icestorm") ? "" : "      pnr: next\n", b->nextpnr);
}

void emit_core_file(struct text *t, const struct simt_config *cfg, const struct fileset *fs) {
  const char *n = cfg->name;
  char what[200];
  snprintf(what, sizeof what, "%s.core: for FuseSoC; targets lint, sim, ice40", n);
  text_add(t, "CAPI=2:\n");
  emit_header_comment(t, cfg, "#", what);
  text_add(t, "name: \"::%s:%s\"\ndescription: \"%s\"\n\nfilesets:\n  rtl:\n    file_type: verilogSource-2005\n"
              "    files:\n", n, SIMT_VERSION, cfg->block->title);
  verilog_files(t, fs, "rtl/");
  text_add(t, "  tb:\n    file_type: verilogSource-2005\n    files:\n      - tb/%s_tb.v\n"
              "      - tb/%s_vectors.hex: {file_type: user, copyto: %s_vectors.hex}\n", n, n, n);
  checked_files(t, cfg);
  text_add(t, "  harness:\n    file_type: verilogSource-2005\n    files:\n      - synth/%s_harness.v\n", n);
  board_filesets(t, cfg, fs);
  text_add(t, "  dpi:\n    files:\n      - dpi/%s_lockstep.sv: {file_type: systemVerilogSource}\n"
              "      - dpi/%s_lockstep.c: {file_type: cSource}\n      - model/%s_ports.h: {file_type: cSource, is_include_file: true}\n"
              "  vhdl:\n    file_type: vhdlSource-93\n    files:\n      - vhdl/%s_pkg.vhd\n", n, n, n, n);
  const char *mark = config_yaml_quote(n);
  text_add(t, "\ntargets:\n  # For cores that depend on this one; fusesoc run --flag lockstep adds the checker of dpi/, --flag vhdl the package.\n"
              "  default:\n    filesets: [rtl, \"lockstep ? (dpi)\", \"vhdl ? (vhdl)\"]\n    toplevel: %s%s%s\n\n", mark, n, mark);
  text_add(t, "  lint:\n    description: Verilator, all warnings\n    filesets: [rtl]\n    toplevel: %s%s%s\n    flow: lint\n"
              "    flow_options:\n      tool: verilator\n      verilator_options: [-Wall]\n\n", mark, n, mark);
  text_add(t, "  sim:\n    description: The recorded vectors in Icarus Verilog\n    filesets: [rtl, tb]\n"
              "    toplevel: %s_tb\n    flow: sim\n    flow_options:\n      tool: icarus\n"
              "      iverilog_options: [-Wall, -g2005]\n      vvp_options: [-N]\n\n", n);
  text_add(t, "  ice40:\n    description: The block in its harness on an iCE40 HX8K\n    filesets: [rtl, harness]\n"
              "    toplevel: %s_harness\n    flow: icestorm\n    flow_options:\n      pnr: next\n"
              "      nextpnr_options: [--hx8k, --package, ct256, --timing-allow-fail]\n", n);
  board_targets(t, cfg, fs);
}
