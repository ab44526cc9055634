/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: the program; all it does is in simtgen_run (options.c). */
#include <signal.h>

#include "gen.h"

/* Long work stops at its next look; a second signal ends the program at once. */
static void on_signal(int number) {
  (void)number;
  interrupted = 1;
}

int main(int argc, char **argv) {
  struct sigaction stop = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
  sigaction(SIGINT, &stop, NULL);
  sigaction(SIGTERM, &stop, NULL);
  return simtgen_run(argc, argv);
}
