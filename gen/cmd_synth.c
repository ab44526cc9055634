/* SPDX-License-Identifier: Apache-2.0 */
/* cmd_synth.c: `simtgen synth`: resources, frequency and critical path of one configuration on one target. */
#include <string.h>

#include "synth.h"

static bool usable_target(const char *name, struct simt_diag *diag) {
  if (name && synth_find_target(name)) return true;
  bool later = name && (!strcmp(name, "xilinx") || !strcmp(name, "asic"));
  simt_fail(diag, "--target", name ? name : "nothing", "ice40 or ecp5 (the device family to synthesize for)");
  if (later) snprintf(diag->hint, sizeof diag->hint, "%s is planned; this version cannot do it", name);
  else snprintf(diag->hint, sizeof diag->hint, "add --target ice40");
  return false;
}

int cmd_synth(const struct gen_options *o) {
  struct simt_diag diag = {0};
  if (!usable_target(o->target, &diag)) {
    message_error(&diag);
    return EXIT_USAGE;
  }
  struct synth_result r = {.target = synth_find_target(o->target), .n_seeds = o->seeds ? o->seeds : 1};
  int status = synth_run(o, &r, &diag);
  progress_end();
  if (interrupted) {
    status = EXIT_INTERRUPTED;
    message_note("interrupted; what was finished is kept and used by the next run");
  } else if (status != EXIT_DONE) {
    message_error(&diag);
  } else if (o->json) {
    synth_print_json(o, &r);
  } else {
    synth_print_text(o, &r);
  }
  synth_free(&r);
  return status;
}
