/* SPDX-License-Identifier: Apache-2.0 */
/* yaml_tree.c: a YAML file as a tree. */
#include "yaml_tree.h"

#include <stdlib.h>
#include <string.h>

#include "yaml_reader.h"

enum { DEPTH_LIMIT = 8, NODE_LIMIT = 1 << 18 };

struct builder { struct yaml_reader r; size_t nodes; };

static struct yaml_node *add(struct yaml_node *to) {
  if (!(to->n & (to->n - 1))) {
    to->item = realloc(to->item, (to->n ? 2 * to->n : 1) * sizeof *to->item);
    if (!to->item) abort();
  }
  to->item[to->n] = (struct yaml_node){.kind = YAML_SCALAR};
  return &to->item[to->n++];
}

static bool first_time(struct yaml_reader *r, const struct yaml_node *mapping, const struct yaml_word *key) {
  for (size_t i = 0; i + 1 < mapping->n; i++) {
    if (strcmp(mapping->item[i].key.text, key->text)) continue;
    char expected[80];
    snprintf(expected, sizeof expected, "each key once (first at line %u)", mapping->item[i].key.line);
    return yaml_fail_here(r, key->text, "a second value", expected, "remove one of them");
  }
  return true;
}

static bool read_value(struct builder *b, struct yaml_node *to, unsigned depth);

static bool read_items(struct builder *b, struct yaml_node *to, unsigned depth) {
  struct yaml_reader *r = &b->r;
  int end = to->kind == YAML_MAPPING ? FYET_MAPPING_END : FYET_SEQUENCE_END;
  while (yaml_next(r)) {
    if ((int)r->event->type == end) return true;
    struct yaml_node *item = add(to);
    if (++b->nodes > NODE_LIMIT) return yaml_fail_here(r, "", "too many values", "the description of one sweep", "");
    if (to->kind == YAML_MAPPING) {
      if (r->event->type != FYET_SCALAR) return yaml_fail_here(r, "", yaml_kind(r->event), "a key", "");
      if (!yaml_take_word(r, &item->key) || !first_time(r, to, &item->key) || !yaml_next(r)) return false;
    }
    if (!read_value(b, item, depth + 1)) return false;
  }
  return false;
}

/* The value that begins with the current event. */
static bool read_value(struct builder *b, struct yaml_node *to, unsigned depth) {
  struct yaml_reader *r = &b->r;
  to->value.line = r->line;
  to->value.col = r->col;
  if (depth > DEPTH_LIMIT) return yaml_fail_here(r, "", "too deep a nesting", "the description of one sweep", "");
  if (r->event->type == FYET_SCALAR) return yaml_take_word(r, &to->value);
  to->kind = r->event->type == FYET_MAPPING_START ? YAML_MAPPING : YAML_SEQUENCE;
  return read_items(b, to, depth);
}

struct yaml_node *yaml_tree_read(const char *text, size_t size, const char *file, struct simt_diag *diag) {
  struct builder b = {.nodes = 0};
  struct yaml_node *root = calloc(1, sizeof *root);
  if (!root) abort();
  bool ok = yaml_open(&b.r, text, size, file, diag) && yaml_next(&b.r);
  if (ok && b.r.event->type != FYET_MAPPING_START)
    ok = yaml_fail_here(&b.r, "", yaml_kind(b.r.event), "a mapping of keys and values", "for example, block: NAME on the first line");
  ok = ok && read_value(&b, root, 0) && yaml_next(&b.r);
  if (ok && b.r.event->type != FYET_STREAM_END)
    ok = yaml_fail_here(&b.r, "", yaml_kind(b.r.event), "the end of the file", "remove it");
  yaml_close(&b.r);
  if (ok) return root;
  yaml_tree_free(root);
  return NULL;
}

static void free_items(struct yaml_node *n) {
  for (size_t i = 0; i < n->n; i++) free_items(&n->item[i]);
  free(n->item);
}

void yaml_tree_free(struct yaml_node *root) {
  if (root) free_items(root);
  free(root);
}

const struct yaml_node *yaml_tree_find(const struct yaml_node *mapping, const char *key) {
  for (size_t i = 0; mapping && i < mapping->n; i++)
    if (!strcmp(mapping->item[i].key.text, key)) return &mapping->item[i];
  return NULL;
}

const char *yaml_tree_kind(const struct yaml_node *n) {
  return n->kind == YAML_MAPPING ? "a mapping" : n->kind == YAML_SEQUENCE ? "a list" : "a single value";
}
