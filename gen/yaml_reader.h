/* SPDX-License-Identifier: Apache-2.0 */
/* yaml_reader.h: the events of a YAML file, refused where no file of this program needs them: what configuration
 * files (yaml.c) and sweep files (yaml_tree.c) are read by. */
#ifndef SIMTGEN_YAML_READER_H
#define SIMTGEN_YAML_READER_H

#include <libfyaml.h>

#include "yaml.h"

struct yaml_reader {
  struct fy_parser *parser;
  struct fy_diag *log;
  struct fy_event *event;  /* the current one */
  struct yaml_entries *to; /* of a configuration file */
  const char *file, *text;
  char *copy;              /* of the text, ended by a NUL */
  struct simt_diag *diag;
  unsigned documents;
  unsigned line, col;      /* of the last event that has a place (an empty value has none) */
};

/* Begins to read; false and diag when the text is none. yaml_close in either case. */
bool yaml_open(struct yaml_reader *r, const char *text, size_t size, const char *file, struct simt_diag *diag);
void yaml_close(struct yaml_reader *r);
/* The next event of a kind that matters, into r->event. */
bool yaml_next(struct yaml_reader *r);
/* The scalar that is the current event. */
bool yaml_take_word(struct yaml_reader *r, struct yaml_word *w);
/* What the current event is, for a message: "a mapping". */
const char *yaml_kind(const struct fy_event *e);
/* Record an error at a place, or at the current event; return false. */
bool yaml_fail_at(struct yaml_reader *r, unsigned line, unsigned col, const char *name, const char *got,
                  const char *expected, const char *hint);
bool yaml_fail_here(struct yaml_reader *r, const char *name, const char *got, const char *expected, const char *hint);

#endif
