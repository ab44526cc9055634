/* SPDX-License-Identifier: Apache-2.0 */
/* message.c: what the program says on standard error. */
#include <pthread.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "gen.h"

volatile int interrupted;
static bool progress_shown;

enum { SHOWN_MAX = 60, FILE_MAX = 200, WHOLE = 4096 };

/* A character that every terminal shows as what it is: ASCII, or in the ranges of plain letters (no
 * controls, no marks that hide or turn text round). */
static bool is_plain(const char *s, size_t length) {
  unsigned char first = (unsigned char)s[0];
  if (length == 1) return first >= 0x20 && first != 0x7f;
  if (length == 2) return first != 0xc2 || (unsigned char)s[1] > 0xa0;
  return length == 3 && first >= 0xe3 && first < 0xee;
}

/* Text of the user's as text that no terminal misreads: other bytes as \xNN, at most `max`
 * characters of the original. */
static void add_shown(struct text *t, const char *s, size_t max) {
  size_t n = strlen(s);
  for (size_t shown = 0; n; shown++) {
    if (shown == max) {
      text_add(t, "...");
      return;
    }
    size_t length = utf8_length(s, n);
    bool plain = length && is_plain(s, length);
    if (!length) length = 1;
    if (plain) text_add_bytes(t, s, length);
    else for (size_t i = 0; i < length; i++) text_add(t, "\\x%02x", (unsigned char)s[i]);
    s += length;
    n -= length;
  }
}

static bool coloured(void) {
  const char *no = getenv("NO_COLOR");
  return isatty(STDERR_FILENO) && !(no && *no);
}

void message_error(const struct simt_diag *diag) {
  struct text t = {0};
  progress_end();
  if (interrupted) return; /* what failed, failed because of that; simtgen_run says so, once */
  text_add(&t, "%s", coloured() ? "\033[1;31msimtgen:\033[0m " : "simtgen: ");
  if (diag->file[0]) {
    add_shown(&t, diag->file, FILE_MAX);
    if (diag->line) text_add(&t, ":%u:%u", diag->line, diag->col);
    text_add(&t, ": ");
  }
  add_shown(&t, diag->name, diag->file[0] ? SHOWN_MAX : FILE_MAX);
  if (diag->name[0]) text_add(&t, ": ");
  if (diag->got[0]) {
    text_add(&t, "got ");
    add_shown(&t, diag->got, SHOWN_MAX);
    if (diag->expected[0]) text_add(&t, ", expected ");
  }
  add_shown(&t, diag->expected, WHOLE);
  if (diag->hint[0]) text_add(&t, "; ");
  add_shown(&t, diag->hint, WHOLE);
  fprintf(stderr, "%s\n", t.s);
  text_free(&t);
}

void message_note(const char *format, ...) {
  progress_end();
  va_list ap;
  va_start(ap, format);
  fprintf(stderr, "simtgen: ");
  vfprintf(stderr, format, ap);
  fputc('\n', stderr);
  va_end(ap);
}

/* ---- progress of long work ---------------------------------------------------------------------- */

enum { LINE_SECONDS = 60, SHOW_LEFT_AFTER = 3 };
static pthread_mutex_t progress_lock = PTHREAD_MUTEX_INITIALIZER;
static char progress_text[200]; /* what is under way */
static double progress_said;    /* when a line was written where there is no terminal; 0: not yet asked */

static double seconds_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* Seconds between two lines where there is no terminal. */
static double line_seconds(void) {
  const char *given = getenv("SIMTGEN_PROGRESS");
  double seconds = given && *given ? strtod(given, NULL) : LINE_SECONDS;
  return seconds > 0 ? seconds : LINE_SECONDS;
}

static void say_progress(void) {
  if (!progress_text[0]) return;
  if (isatty(STDERR_FILENO)) {
    fprintf(stderr, "\r\033[K%s", progress_text);
    progress_shown = true;
  } else {
    double now = seconds_now();
    if (progress_said == 0) progress_said = now;
    if (now - progress_said < line_seconds()) return;
    progress_said = now;
    fprintf(stderr, "simtgen: %s\n", progress_text);
  }
  fflush(stderr);
}

/* Behind the text: how long the rest takes at the speed so far. It is reckoned whenever the share has grown and falls with the
 * clock in between. Work that says another thing, or less than before, begins anew. */
static void add_time_left(const char *format, double share) {
  static const char *work;
  static double began, share_first, share_then, changed, left_then;
  double now = seconds_now();
  if (format != work || share < share_then) work = format, began = now, share_first = share > 0 ? share : 0;
  if (share != share_then || now <= began) {
    changed = now;
    left_then = share > share_first ? (now - began) * (1 - share) / (share - share_first) : 0;
  }
  share_then = share;
  double left = left_then - (now - changed);
  if (share <= share_first || share >= 1 || left < 0 || now - began < SHOW_LEFT_AFTER) return;
  size_t n = strlen(progress_text);
  if (left > 359999) left = 359999;
  snprintf(progress_text + n, sizeof progress_text - n, ", %u:%02u left", (unsigned)left / 60, (unsigned)left % 60);
}

void progress(double share, const char *format, ...) {
  va_list ap;
  pthread_mutex_lock(&progress_lock);
  va_start(ap, format);
  vsnprintf(progress_text, sizeof progress_text - 24, format, ap);
  va_end(ap);
  add_time_left(format, share);
  say_progress();
  pthread_mutex_unlock(&progress_lock);
}

void progress_waits(void) {
  if (isatty(STDERR_FILENO)) return;
  pthread_mutex_lock(&progress_lock);
  say_progress();
  pthread_mutex_unlock(&progress_lock);
}

void progress_end(void) {
  progress_text[0] = 0;
  if (!progress_shown) return;
  fprintf(stderr, "\r\033[K");
  fflush(stderr);
  progress_shown = false;
}
