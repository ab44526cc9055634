/* SPDX-License-Identifier: Apache-2.0 */
/* text.c: a growing text buffer. A generator that cannot hold its output has nothing left to try,
 * so lack of memory ends the program. */
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "gen.h"

/* Room for n more bytes and the final NUL. */
static char *text_room(struct text *t, size_t n) {
  size_t need = t->len + n + 1;
  if (need > t->room) {
    size_t room = t->room ? t->room : 256;
    while (room < need) room *= 2;
    char *bigger = realloc(t->s, room);
    if (!bigger) abort();
    t->s = bigger;
    t->room = room;
  }
  return t->s + t->len;
}

void text_add_bytes(struct text *t, const void *bytes, size_t n) {
  char *to = text_room(t, n);
  if (n) memcpy(to, bytes, n);
  to[n] = 0;
  t->len += n;
}

void text_add(struct text *t, const char *format, ...) {
  char small[256];
  va_list ap;
  va_start(ap, format);
  int n = vsnprintf(small, sizeof small, format, ap);
  va_end(ap);
  if (n < 0) abort();
  if ((size_t)n < sizeof small) {
    text_add_bytes(t, small, (size_t)n);
    return;
  }
  char *to = text_room(t, (size_t)n);
  va_start(ap, format);
  vsnprintf(to, (size_t)n + 1, format, ap);
  va_end(ap);
  t->len += (size_t)n;
}

static void sink_put(void *ctx, const char *text, size_t size) { text_add_bytes(ctx, text, size); }

struct simt_sink text_sink(struct text *t) { return (struct simt_sink){sink_put, t}; }

void text_free(struct text *t) {
  free(t->s);
  *t = (struct text){0};
}

size_t utf8_length(const char *s, size_t n) {
  static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  unsigned char first = (unsigned char)s[0];
  size_t length = first < 0x80   ? 1
                  : first < 0xc0 ? 0
                  : first < 0xe0 ? 2
                  : first < 0xf0 ? 3
                  : first < 0xf8 ? 4
                                 : 0;
  if (!length || length > n) return 0;
  uint32_t code = length == 1 ? first : first & (0x7fu >> length);
  for (size_t i = 1; i < length; i++) {
    unsigned char c = (unsigned char)s[i];
    if ((c & 0xc0) != 0x80) return 0;
    code = code << 6 | (c & 0x3f);
  }
  bool surrogate = code >= 0xd800 && code < 0xe000;
  return code < least[length] || code > 0x10ffff || surrogate ? 0 : length;
}
