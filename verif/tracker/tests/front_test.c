/* SPDX-License-Identifier: Apache-2.0 */
/* front_test.c: the front end and an ideal tracker alone, for trackers with a planted fault. Arguments: TRACE MODE. */
#include <stdio.h>
#include <stdlib.h>

#include "tracker/front.h"
#include "tracker/ideal.h"

const struct simt_block *const simt_blocks[] = {NULL};

static int play(struct tkf_front *f, const struct tkf_unit *unit) {
  struct tkf_out out;
  struct tkf_in in;
  for (;;) {
    unit->outputs(unit->state, &out);
    if (!tkf_cycle(f, &out, &in)) return 0;
    unit->step(unit->state, &in);
    if (tkf_wrong(f)) fprintf(stderr, "%s\n", tkf_wrong(f));
    else if (tkf_quiet(f) > 20000) fprintf(stderr, "nothing moved\n");
    else continue;
    return 1;
  }
}

int main(int argc, char **argv) {
  struct simt_diag diag = {0};
  const struct tkf_sizes sizes = {.banks = 4, .dslots = 12, .sectors = 4, .warps = 16, .entries = 64, .ref_max = 3,
                                  .free_lag = 4};
  const struct tkf_options options = {.schedulers = 4, .outstanding = 2, .lsu_queue = 8, .tag_queue = 8, .cache_kib = 4,
      .ways = 2, .misses = 64, .latency = 50, .spread = 50, .fill_interval = 1, .seed = 1};
  const struct tki_options ideal = {.mode = argc > 2 ? (unsigned)strtoull(argv[2], NULL, 10) : 4, .split = 4, .group = 4,
      .queues = 8, .state_q = 4, .fast_q = 4, .fill_to_out = 10, .fast_to_out = 1};
  struct tkf_trace *trace = argc > 1 ? tkf_trace_read(argv[1], &diag) : NULL;
  struct tkf_front *front = trace ? tkf_create(trace, &sizes, &options, &diag) : NULL;
  struct tki *tracker = front ? tki_create(&sizes, &ideal, &diag) : NULL;
  int status = 2;
  if (tracker) {
    struct tkf_unit unit = tki_unit(tracker);
    status = play(front, &unit);
    const struct tkf_counts *c = tkf_get_counts(front);
    printf("accesses %llu of %u, closes %llu, waits for counts %llu\n", (unsigned long long)c->accesses, trace->accesses,
           (unsigned long long)c->closes, (unsigned long long)c->stall[TKF_COUNT]);
    if (!status && c->accesses != trace->accesses) status = 1;
  } else {
    fprintf(stderr, "%s: got %s, expected %s\n", diag.name, diag.got, diag.expected);
  }
  tki_destroy(tracker);
  tkf_destroy(front);
  tkf_trace_free(trace);
  return status;
}
