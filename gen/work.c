/* SPDX-License-Identifier: Apache-2.0 */
/* work.c: folders of the cache in which tools make one result. */
#define _GNU_SOURCE
#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "work.h"

void args_add(struct args *a, const char *s) {
  if (a->n + 1 < WORK_ARGS) a->v[a->n++] = s;
  a->v[a->n] = NULL;
}

void args_add_all(struct args *a, const char *const *list) {
  while (*list) args_add(a, *list++);
}

/* The line of a log that looks most like a reason. */
static void reason(const struct text *log, char *to, size_t room) {
  static const char *const marks[] = {"%Error", "ERROR:", "error:", NULL};
  const char *line = log->s ? log->s : "", *found = NULL;
  for (size_t i = 0; marks[i] && !found; i++) found = strstr(line, marks[i]);
  if (!found) found = line;
  snprintf(to, room, "%.*s", (int)strcspn(found, "\n"), found);
}

/* The first `NAME.v:LINE` of a line that speaks of an error; what follows it is the reason. */
static const char *error_place(const char *log, char name[160], unsigned *line, unsigned *col) {
  for (const char *s = log, *end; *s; s = end + (*end == '\n')) {
    end = s + strcspn(s, "\n");
    const char *dot = memmem(s, (size_t)(end - s), ".v:", 3), *from = dot;
    if (!dot || !memmem(s, (size_t)(end - s), "rror", 4)) continue;
    while (from > s && (isalnum((unsigned char)from[-1]) || from[-1] == '_')) from--;
    char *behind;
    *line = (unsigned)strtoul(dot + 3, &behind, 10);
    if (behind == dot + 3 || from == dot || dot - from > 150) continue;
    snprintf(name, 160, "%.*s.v", (int)(dot - from), from);
    *col = *behind == ':' ? (unsigned)strtoul(behind + 1, &behind, 10) : 0;
    behind += strspn(behind, ": ");
    return behind + (strncasecmp(behind, "error: ", 7) ? 0 : 7);
  }
  return NULL;
}

bool work_blames_template(const char *folder, const struct text *log, const char *tool, struct simt_diag *diag) {
  static const char copy[] = ", a copy of ", spdx[] = "// SPDX";
  enum { HEADER_LINES = 3 }; /* emit_header_comment; the template's line with its licence stays behind */
  char name[160], path[PATH_MAX + 200], got[120];
  unsigned line, col;
  struct simt_diag ignored = {0};
  const char *why = error_place(log->s ? log->s : "", name, &line, &col), *template;
  if (!why || diag->failed) return false;
  snprintf(path, sizeof path, "%s/%s", folder, name);
  char *text = file_read(path, NULL, &ignored), *from = text ? strstr(text, copy) : NULL;
  if (from) from[strcspn(from, "\n")] = 0;
  template = from ? data_path(from + sizeof copy - 1) : NULL;
  char *source = template ? file_read(template, NULL, &ignored) : NULL;
  if (source) {
    snprintf(got, sizeof got, "%.*s", (int)strcspn(why, "\n"), why);
    simt_fail(diag, tool, got, "Verilog that it takes");
    snprintf(diag->file, sizeof diag->file, "%.255s", template);
    diag->line = line - HEADER_LINES + !strncmp(source, spdx, sizeof spdx - 1);
    diag->col = col ? col : 1;
    snprintf(diag->hint, sizeof diag->hint, "correct this template");
  }
  free(text);
  free(source);
  return source;
}

bool work_run(struct work *w, const struct args *a, const char *cwd, const char *what) {
  w->log.len = 0;
  if (w->log.s) w->log.s[0] = 0;
  int status = tool_run(a->v, cwd, &w->log);
  if (!status) return true;
  char why[200];
  reason(&w->log, why, sizeof why);
  if (w->diag->failed || (w->folder[0] && work_blames_template(w->folder, &w->log, what, w->diag))) return false;
  simt_fail(w->diag, what, NULL, "%s failed (status %d): %s", a->v[0], status, why[0] ? why : "it printed nothing");
  snprintf(w->diag->hint, sizeof w->diag->hint, "if that is not the program meant, set %s",
           tool_variable(a->v[0]));
  return false;
}

bool work_version(struct work *w, const char *tool, const char *option) {
  struct args a = {.n = 0};
  args_add(&a, tool);
  args_add(&a, option);
  if (!work_run(w, &a, NULL, tool)) return false;
  size_t used = strlen(w->version);
  snprintf(w->version + used, sizeof w->version - used, "%.*s\n",
           w->log.s ? (int)strcspn(w->log.s, "\n") : 0, w->log.s ? w->log.s : "");
  return true;
}

bool work_begin(struct work *w, const char *cache) {
  snprintf(w->folder, sizeof w->folder, "%s/tmp.XXXXXX", cache);
  if (mkdtemp(w->folder)) return true;
  simt_fail(w->diag, cache, strerror(errno), "a folder that can be written");
  w->folder[0] = 0;
  return false;
}

void work_end(struct work *w) {
  struct args a = {.n = 0};
  struct simt_diag ignored = {0};
  const char *rm = w->folder[0] ? tool_find("rm", &ignored) : NULL;
  if (rm) {
    args_add_all(&a, (const char *const[]){rm, "-rf", w->folder, NULL});
    int was = interrupted; /* clean up also when interrupted */
    interrupted = 0;
    tool_run(a.v, NULL, NULL);
    if (!interrupted) interrupted = was;
  }
  w->folder[0] = 0;
  text_free(&w->log);
}

const char *work_path(const struct work *w, const char *name) {
  static char path[PATH_MAX + 256];
  snprintf(path, sizeof path, "%s/%s", w->folder, name);
  return path;
}

bool work_write(struct work *w, const char *name, const struct text *t) {
  const char *path = work_path(w, name);
  FILE *f = fopen(path, "w");
  bool ok = f && fwrite(t->s, 1, t->len, f) == t->len;
  if (f && fclose(f)) ok = false;
  return ok || simt_fail(w->diag, path, strerror(errno), "a file that can be written");
}

bool work_keep(struct work *w, const char *name, const char *final) {
  return !rename(work_path(w, name), final) ||
         simt_fail(w->diag, final, strerror(errno), "a file that can be written");
}

bool work_write_all(struct work *w, const struct fileset *fs, struct args *a) {
  for (size_t i = 0; i < fs->n; i++) {
    const char *slash = strrchr(fs->file[i].path, '/');
    const char *name = slash ? slash + 1 : fs->file[i].path;
    size_t len = strlen(name);
    if (!work_write(w, name, &fs->file[i].text)) return false;
    if (a && len > 2 && !strcmp(name + len - 2, ".v")) args_add(a, name);
  }
  return true;
}
