/* SPDX-License-Identifier: Apache-2.0 */
/* rtl_coverage.c: which lines of the RTL a run did not reach, from Verilator's coverage data. */
#include <stdlib.h>
#include <string.h>

#include "sim/rtl_sim.h"

/* The value of a key in one record: \1 key \2 value \1 ... (empty when there is none). */
static void field(const char *record, char key, char *to, size_t room) {
  for (const char *s = strchr(record, '\1'); s; s = strchr(s + 1, '\1')) {
    if (s[1] != key || s[2] != '\2') continue;
    snprintf(to, room, "%.*s", (int)strcspn(s + 3, "\1'"), s + 3);
    return;
  }
  to[0] = 0;
}

static int by_place(const void *a, const void *b) {
  const struct rtl_line *x = a, *y = b;
  int file = strcmp(x->file, y->file);
  return file ? file : x->line < y->line ? -1 : x->line > y->line ? 1 : strcmp(x->kind, y->kind);
}

/* One record: C '...' COUNT. An instance per record: a line counts as reached when one of them
 * was. */
static void add_record(struct rtl_lines *lines, const char *record) {
  const char *count = strrchr(record, '\'');
  struct rtl_line l = {.reached = count && strtoull(count + 1, NULL, 10) > 0};
  char number[16];
  field(record, 'f', l.file, sizeof l.file);
  field(record, 'l', number, sizeof number);
  field(record, 'o', l.kind, sizeof l.kind);
  l.line = (unsigned)strtoul(number, NULL, 10);
  for (size_t i = 0; i < lines->n; i++)
    if (!by_place(&lines->line[i], &l)) {
      lines->line[i].reached |= l.reached;
      return;
    }
  struct rtl_line *bigger = realloc(lines->line, (lines->n + 1) * sizeof *bigger);
  if (!bigger) abort();
  lines->line = bigger;
  lines->line[lines->n++] = l;
}

bool rtl_lines_read(struct rtl_lines *lines, const char *path, struct simt_diag *diag) {
  size_t size;
  *lines = (struct rtl_lines){0};
  char *text = file_read(path, &size, diag), *save = NULL;
  if (!text) return false;
  for (char *record = strtok_r(text, "\n", &save); record; record = strtok_r(NULL, "\n", &save))
    if (record[0] == 'C' && record[1] == ' ') add_record(lines, record);
  free(text);
  if (lines->n) qsort(lines->line, lines->n, sizeof *lines->line, by_place);
  return true;
}
