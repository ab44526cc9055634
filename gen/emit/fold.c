/* SPDX-License-Identifier: Apache-2.0 */
/* fold.c: lines of Verilog have at most 110 columns. The name of an instance stands in front of the names of its
 * modules, so that a line that fits in a template may not fit in its copy. Only spaces become line breaks. */
#include <string.h>

#include "gen.h"

enum { MOST_COLUMNS = 110, CONTINUED = 4 };

static void add_spaces(struct text *t, size_t n) {
  while (n--) text_add_bytes(t, " ", 1);
}

/* Where a line comment begins in a line of n characters, or n. */
static size_t comment_at(const char *line, size_t n) {
  bool quoted = false;
  for (size_t i = 0; i + 1 < n; i++) {
    if (line[i] == '"') quoted = !quoted;
    if (!quoted && line[i] == '/' && line[i + 1] == '/') return i;
  }
  return n;
}

/* The words of a comment behind its slashes, under one another. */
static void fold_comment(struct text *t, size_t indent, const char *words, size_t n) {
  size_t lead = strspn(words, " ");
  for (words += lead, n -= lead; n;) {
    size_t room = MOST_COLUMNS - indent - 2 - lead, take = n;
    if (n > room)
      for (take = room; take && words[take] != ' ';) take--;
    if (!take) take = strcspn(words, " \n") < n ? strcspn(words, " \n") : n; /* a word longer than a line */
    add_spaces(t, indent);
    text_add(t, "//");
    add_spaces(t, lead);
    text_add_bytes(t, words, take);
    text_add(t, "\n");
    for (words += take, n -= take; n && *words == ' '; n--) words++;
  }
}

/* The last space at which a statement may be broken: behind a comma, else in front of an operator, else any outside
 * strings. 0 when there is none. */
static size_t break_at(const char *line, size_t n, size_t indent) {
  size_t comma = 0, operator = 0, space = 0;
  bool quoted = false;
  for (size_t i = indent + 1; i < n && i <= MOST_COLUMNS; i++) {
    if (line[i] == '"') quoted = !quoted;
    if (quoted || line[i] != ' ') continue;
    space = i;
    if (line[i - 1] == ',') comma = i;
    if (!strncmp(line + i, " && ", 4) || !strncmp(line + i, " || ", 4) || !strncmp(line + i, " ? ", 3)) operator = i;
  }
  return comma > MOST_COLUMNS / 2 ? comma : operator > MOST_COLUMNS / 2 ? operator : space;
}

/* A line of n characters; what does not fit follows on lines that begin at column `next`. */
static void fold_code(struct text *t, size_t indent, size_t next, const char *line, size_t n) {
  size_t at = n > MOST_COLUMNS ? break_at(line, n, indent) : 0;
  text_add_bytes(t, line, at ? at : n);
  text_add(t, "\n");
  if (!at) return;
  struct text rest = {0};
  add_spaces(&rest, next);
  text_add_bytes(&rest, line + at + 1, n - at - 1);
  fold_code(t, next, next, rest.s, rest.len);
  text_free(&rest);
}

static void fold_line(struct text *t, const char *line, size_t n) {
  size_t indent = strspn(line, " "), comment = comment_at(line, n);
  if (n <= MOST_COLUMNS || line[indent] == '`') {
    text_add_bytes(t, line, n);
    text_add(t, "\n");
    return;
  }
  if (comment < n) fold_comment(t, indent, line + comment + 2, n - comment - 2);
  while (comment > indent && line[comment - 1] == ' ') comment--;
  if (comment > indent) fold_code(t, indent, indent + CONTINUED, line, comment);
}

void fold_verilog(struct text *t) {
  struct text folded = {0};
  for (const char *line = t->s ? t->s : ""; *line;) {
    size_t n = strcspn(line, "\n");
    fold_line(&folded, line, n);
    line += n + (line[n] == '\n');
  }
  text_free(t);
  *t = folded;
}
