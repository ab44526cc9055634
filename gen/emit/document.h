/* SPDX-License-Identifier: Apache-2.0 */
/* document.h: a document written once, out as Markdown and as one self-contained HTML file.
 *
 * Text may hold `code` and [links](target); everything else is literal, escaped for either form. */
#ifndef SIMTGEN_DOC_H
#define SIMTGEN_DOC_H

#include "gen.h"

struct doc {
  struct text md, html;
  size_t columns, column; /* of the table that is open */
};

void doc_begin(struct doc *d, const struct simt_config *cfg, const char *title);
void doc_end(struct doc *d);
void doc_heading(struct doc *d, int level, const char *format, ...) __attribute__((format(printf, 3, 4)));
void doc_para(struct doc *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
void doc_item(struct doc *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* Ends a list of items; tables, paragraphs and headings do not. */
void doc_items_end(struct doc *d);
void doc_code(struct doc *d, const char *code);
/* A table: its heads (ended by NULL), then a call per cell, row by row, then the end. */
void doc_table(struct doc *d, const char *const *heads);
void doc_cell(struct doc *d, const char *format, ...) __attribute__((format(printf, 2, 3)));
void doc_table_end(struct doc *d);
/* A picture: Markdown refers to `file`, HTML holds it. The caption is text as above. */
void doc_figure(struct doc *d, const char *file, const struct text *svg, const char *caption);

#endif
