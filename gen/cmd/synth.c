/* SPDX-License-Identifier: Apache-2.0 */
/* synth.c: `simtgen synth`: resources, frequency and critical path of one configuration on one target. */
#include "synth/synth.h"

int cmd_synth(const struct gen_options *o) {
  if (o->values) return sweep_print_table(o, "synth");
  struct simt_diag diag = {0};
  struct synth_result r = {.target = synth_find_target(o->target), .n_seeds = o->seeds ? o->seeds : 1};
  if (!r.target) {
    simt_fail(&diag, "--target", o->target, "ice40 or ecp5 (the device family to synthesize for)");
    message_error(&diag);
    return EXIT_USAGE;
  }
  int status = synth_run(o, &r, &diag);
  progress_end();
  if (interrupted) {
    status = EXIT_INTERRUPTED; /* seeds that were finished are in the cache for the next run */
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
