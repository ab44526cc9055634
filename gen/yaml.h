/* SPDX-License-Identifier: Apache-2.0 */
/* yaml.h: a configuration file as a short list of keys and scalar values with their places. */
#ifndef SIMTGEN_YAML_H
#define SIMTGEN_YAML_H

#include "core/simt.h"

struct yaml_word {
  char text[128];  /* cut when longer: no name or value that means something is */
  bool quoted;     /* text by its quotes, whatever it looks like */
  unsigned line, col;
};

struct yaml_entry {
  struct yaml_word key, value;
  bool in_params;  /* below params:, else at the top */
  bool is_lists;   /* a key of lists; no value */
};

/* Below a key of lists, in the order of the file: the name of a list, each record of it, each cell of that. */
struct yaml_item {
  enum { YAML_LIST, YAML_RECORD, YAML_CELL } kind;
  struct yaml_word key, value; /* a list has no value, a record a place only */
};

struct yaml_entries {
  struct yaml_entry entry[SIMT_MAX_PARAMS + 16];
  size_t n;
  struct yaml_item *item;
  size_t n_items;
};

/* Reads a whole document; refuses all that is not block:, name:, params: with scalars and the key of lists that some
 * block has, duplicate keys, and what makes parsers slow or files unclear (aliases, tags, directives, control bytes,
 * over 1 MiB, ...). NULL and diag on error; the caller frees. */
struct yaml_entries *yaml_read(const char *text, size_t size, const char *file,
                               struct simt_diag *diag);
void yaml_free(struct yaml_entries *e);

#endif
