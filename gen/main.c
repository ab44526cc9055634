/* SPDX-License-Identifier: Apache-2.0 */
/* main.c: the program; all it does is in simtgen_run (options.c). */
#include <signal.h>

#include "gen.h"

/* Long work stops at its next look; a second signal ends the program at once. */
static void on_signal(int number) {
  (void)number;
  interrupted = 1;
}

/* A file that grows beyond the limit of the shell (ulimit -f): the write fails with EFBIG, which is reported like a full
 * disk. A handler, not SIG_IGN: the tools that this program runs do not inherit it. */
static void on_file_limit(int number) { (void)number; }

int main(int argc, char **argv) {
  struct sigaction stop = {.sa_handler = on_signal, .sa_flags = (int)SA_RESETHAND};
  struct sigaction limit = {.sa_handler = on_file_limit, .sa_flags = SA_RESTART}, before;
  sigaction(SIGINT, &stop, NULL);
  sigaction(SIGTERM, &stop, NULL);
  if (!sigaction(SIGHUP, NULL, &before) && before.sa_handler != SIG_IGN) sigaction(SIGHUP, &stop, NULL); /* not under nohup */
  sigaction(SIGXFSZ, &limit, NULL);
  return simtgen_run(argc, argv);
}
