/* SPDX-License-Identifier: Apache-2.0 */
/* work.h: a folder of the cache in which tools make one result, aside, until it is renamed to its place:
 * runs at the same time do not disturb each other. */
#ifndef SIMTGEN_WORK_H
#define SIMTGEN_WORK_H

#include <limits.h>

#include "gen.h"

struct work {
  char folder[PATH_MAX];   /* "" before work_begin */
  char version[480];       /* what work_version has seen, a line each */
  struct text log;         /* of the last tool */
  struct simt_diag *diag;
};

enum { WORK_ARGS = 400 };
struct args { const char *v[WORK_ARGS]; size_t n; }; /* of a tool, ended by NULL; zeroed to begin with */

void args_add(struct args *a, const char *s);
void args_add_all(struct args *a, const char *const *list);

/* A new folder in `cache`; all below need it unless they say otherwise. False and diag on failure. */
bool work_begin(struct work *w, const char *cache);
/* Removes the folder and all in it, also after an interrupt, and frees the log. */
void work_end(struct work *w);
/* Runs a tool in `cwd` (NULL: anywhere). False, and diag with the reason from its log, when it fails. */
bool work_run(struct work *w, const struct args *a, const char *cwd, const char *what);
/* Whether the log names an error in a file of the folder that is a copy of a template; then diag says which, and where. */
bool work_blames_template(const char *folder, const struct text *log, const char *tool, struct simt_diag *diag);
/* First line of what `tool option` prints, appended to w->version; needs no folder. */
bool work_version(struct work *w, const char *tool, const char *option);
bool work_write(struct work *w, const char *name, const struct text *t);
/* The path of a file of the folder, in a static buffer. */
const char *work_path(const struct work *w, const char *name);
/* Renames a file of the folder to its place. */
bool work_keep(struct work *w, const char *name, const char *final);
/* Writes every file of `fs` without its folders; the Verilog files are added to `a` (may be NULL). */
bool work_write_all(struct work *w, const struct fileset *fs, struct args *a);

#endif
