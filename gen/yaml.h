/* SPDX-License-Identifier: Apache-2.0 */
/* yaml.h: a configuration file as a short list of keys and scalar values with their places. */
#ifndef SIMTGEN_YAML_H
#define SIMTGEN_YAML_H

#include "simt.h"

struct yaml_word {
  char text[128];  /* cut when longer: no name or value that means something is */
  bool quoted;     /* text by its quotes, whatever it looks like */
  unsigned line, col;
};

struct yaml_entry {
  struct yaml_word key, value;
  bool in_params;  /* below params:, else at the top */
};

struct yaml_entries {
  struct yaml_entry entry[SIMT_MAX_PARAMS + 16];
  size_t n;
};

/* Reads a whole document; refuses all that is not block:, name: and params: with scalars, duplicate
 * keys, and what makes parsers slow or files unclear (aliases, tags, directives, control bytes,
 * over 1 MiB, ...). NULL and diag on error; the caller frees. */
struct yaml_entries *yaml_read(const char *text, size_t size, const char *file,
                               struct simt_diag *diag);

#endif
