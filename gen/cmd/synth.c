/* SPDX-License-Identifier: Apache-2.0 */
/* synth.c: `simtgen synth`: area, frequency and critical path of one configuration on one target. */
#include "synth/synth.h"

int cmd_synth(const struct gen_options *o) {
  struct simt_diag diag = {0};
  if (o->values && o->paths) {
    simt_fail(&diag, "--paths", "a list of values", "one value of each parameter");
    message_error(&diag);
    return EXIT_USAGE;
  }
  if (o->values) return sweep_print_table(o, "synth");
  struct synth_result r = {.n_seeds = o->seeds};
  int status = synth_run(o, &r, &diag);
  progress_end();
  if (interrupted) {
    status = EXIT_INTERRUPTED; /* seeds that were finished are in the cache for the next run */
  } else if (status != EXIT_DONE) {
    message_error(&diag);
  } else if (o->json) {
    json_t *v = synth_json(o, &r);
    json_dumpf(v, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
    putchar('\n');
    json_decref(v);
  } else {
    synth_print_text(o, &r);
  }
  synth_free(&r);
  return status;
}
