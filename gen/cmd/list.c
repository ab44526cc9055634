/* SPDX-License-Identifier: Apache-2.0 */
/* list.c: `simtgen list`: the blocks. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "gen.h"

static int list_json(void) {
  json_t *blocks = json_array();
  for (size_t i = 0; simt_blocks[i]; i++) {
    const struct simt_block *b = simt_blocks[i];
    json_array_append_new(blocks,
                          json_pack("{s:s, s:s, s:s, s:I}", "name", b->name, "title", b->title,
                                    "summary", b->summary, "parameters", (json_int_t)b->n_params));
  }
  json_t *all =
      json_pack("{s:i, s:s, s:o}", "schema", 1, "version", SIMT_VERSION, "blocks", blocks);
  json_dumpf(all, stdout, JSON_INDENT(2));
  putchar('\n');
  json_decref(all);
  return EXIT_DONE;
}

int cmd_list(const struct gen_options *o) {
  if (o->json) return list_json();
  int width = 5;
  for (size_t i = 0; simt_blocks[i]; i++) {
    int n = (int)strlen(simt_blocks[i]->name);
    if (n > width) width = n;
  }
  printf("%-*s  PARAMETERS  WHAT IT IS\n", width, "BLOCK");
  for (size_t i = 0; simt_blocks[i]; i++)
    printf("%-*s  %10zu  %s\n", width, simt_blocks[i]->name, simt_blocks[i]->n_params,
           simt_blocks[i]->title);
  return EXIT_DONE;
}
