/* SPDX-License-Identifier: Apache-2.0 */
/* yaml_tree.h: a whole YAML file as a tree, with the place of each key and value. */
#ifndef SIMTGEN_YAML_TREE_H
#define SIMTGEN_YAML_TREE_H

#include "yaml.h"

struct yaml_node {
  enum { YAML_SCALAR, YAML_SEQUENCE, YAML_MAPPING } kind;
  struct yaml_word key;   /* in a mapping; else only its place */
  struct yaml_word value; /* of a scalar; else only its place */
  struct yaml_node *item; /* of a sequence or mapping */
  size_t n;
};

/* The file as a mapping without duplicate keys; NULL and diag on error. The caller frees. */
struct yaml_node *yaml_tree_read(const char *text, size_t size, const char *file, struct simt_diag *diag);
void yaml_tree_free(struct yaml_node *root);
/* The item of a mapping with this key, or NULL. */
const struct yaml_node *yaml_tree_find(const struct yaml_node *mapping, const char *key);
/* "a mapping", "a list", "a single value". */
const char *yaml_tree_kind(const struct yaml_node *n);

#endif
