/* SPDX-License-Identifier: Apache-2.0 */
/* message.c: what the program says on standard error. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>
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

void progress(const char *format, ...) {
  if (!isatty(STDERR_FILENO)) return;
  va_list ap;
  va_start(ap, format);
  fprintf(stderr, "\r\033[K");
  vfprintf(stderr, format, ap);
  va_end(ap);
  fflush(stderr);
  progress_shown = true;
}

void progress_end(void) {
  if (!progress_shown) return;
  fprintf(stderr, "\r\033[K");
  fflush(stderr);
  progress_shown = false;
}
