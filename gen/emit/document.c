/* SPDX-License-Identifier: Apache-2.0 */
/* document.c: a document written once, out as Markdown and as HTML. */
#define _GNU_SOURCE /* vasprintf */
#include "emit/document.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

static const char style[] =
    "body{font:15px/1.5 system-ui,sans-serif;color:#1c2430;background:#fff;max-width:62rem;"
    "margin:2rem auto;padding:0 1.25rem}\n"
    "h1{font-size:1.7rem;line-height:1.25;margin:0 0 .5rem}h2{font-size:1.25rem;margin:2.2rem 0 .6rem;"
    "border-bottom:1px solid #d5dae1;padding-bottom:.2rem}h3{font-size:1.05rem;margin:1.4rem 0 .4rem}\n"
    "table{border-collapse:collapse;width:100%;font-size:.88rem;margin:.6rem 0 1rem}"
    "th,td{text-align:left;vertical-align:top;padding:.3rem .6rem;border-bottom:1px solid #e3e7ec}"
    "th{border-bottom:2px solid #b9c1cc;white-space:nowrap}\n"
    "code{font:.9em ui-monospace,Menlo,Consolas,monospace;background:#f3f5f8;padding:.05em .3em;"
    "border-radius:3px;overflow-wrap:anywhere}td:first-child code{white-space:nowrap}"
    "pre{background:#f3f5f8;padding:.8rem 1rem;overflow-x:auto;border-radius:4px}"
    "pre code{padding:0;background:none}\n"
    "figure{margin:1rem 0 1.6rem}figure svg{max-width:100%;height:auto;display:block}"
    "figcaption{font-size:.88rem;color:#47525f;margin-top:.4rem}a{color:#1f5fa8}\n"
    "@media print{body{font-size:10pt;margin:0;max-width:none}h2,h3{break-after:avoid}"
    "figure,tr,pre{break-inside:avoid}a{color:inherit}}\n";

/* ---- inline text --------------------------------------------------------------------------------- */

static void html_escape(struct text *t, const char *s, size_t n) {
  for (size_t i = 0; i < n; i++) {
    if (s[i] == '&') text_add(t, "&amp;");
    else if (s[i] == '<') text_add(t, "&lt;");
    else if (s[i] == '>') text_add(t, "&gt;");
    else if (s[i] == '"') text_add(t, "&quot;");
    else text_add_bytes(t, s + i, 1);
  }
}

/* Lengths of the parts of [label](target) at s, 0 when it is none. */
static size_t link_at(const char *s, size_t *label, size_t *target) {
  if (s[0] != '[') return 0;
  const char *middle = strstr(s, "](");
  const char *end = middle ? strchr(middle, ')') : NULL;
  if (!end || memchr(s + 1, '[', (size_t)(middle - s - 1))) return 0;
  *label = (size_t)(middle - s) - 1;
  *target = (size_t)(end - middle) - 2;
  return (size_t)(end - s) + 1;
}

static void html_inline(struct text *t, const char *s) {
  while (*s) {
    size_t label, target, n = link_at(s, &label, &target);
    const char *tick = *s == '`' ? strchr(s + 1, '`') : NULL;
    if (n) {
      text_add(t, "<a href=\"");
      html_escape(t, s + label + 3, target);
      text_add(t, "\">");
      html_escape(t, s + 1, label);
      text_add(t, "</a>");
    } else if (tick) {
      text_add(t, "<code>");
      html_escape(t, s + 1, (size_t)(tick - s) - 1);
      text_add(t, "</code>");
      n = (size_t)(tick - s) + 1;
    } else {
      html_escape(t, s, 1);
      n = 1;
    }
    s += n;
  }
}

static void md_inline(struct text *t, const char *s) {
  bool code = false;
  for (; *s; s++) {
    if (*s == '`') code = !code;
    if (*s == '|' || (!code && *s == '*')) text_add(t, "\\%c", *s);
    else if (!code && *s == '<') text_add(t, "&lt;");
    else text_add_bytes(t, s, 1);
  }
}

/* The formatted text in both forms, between what stands before and behind it. */
static void both(struct doc *d, const char *md, const char *open, const char *close, const char *format,
                 va_list ap) {
  char *s = NULL;
  if (vasprintf(&s, format, ap) < 0) abort();
  text_add(&d->md, "%s", md);
  md_inline(&d->md, s);
  text_add(&d->html, "%s", open);
  html_inline(&d->html, s);
  text_add(&d->html, "%s", close);
  free(s);
}

/* ---- parts --------------------------------------------------------------------------------------- */

void doc_begin(struct doc *d, const struct simt_config *cfg, const char *title) {
  memset(d, 0, sizeof *d);
  text_add(&d->md, "<!--\n");
  emit_header_comment(&d->md, cfg, " ", title);
  text_add(&d->md, "-->\n");
  text_add(&d->html, "<!DOCTYPE html>\n<!--\n");
  emit_header_comment(&d->html, cfg, " ", title);
  text_add(&d->html, "-->\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width\">\n<title>%s</title>\n"
                     "<style>\n%s</style>\n</head>\n<body>\n", title, style);
}

void doc_end(struct doc *d) { text_add(&d->html, "</body>\n</html>\n"); }

void doc_heading(struct doc *d, int level, const char *format, ...) {
  char md[8], open[8], close[8];
  snprintf(md, sizeof md, "\n%.*s ", level, "####");
  snprintf(open, sizeof open, "<h%d>", level % 10);
  snprintf(close, sizeof close, "</h%d>\n", level % 10);
  va_list ap;
  va_start(ap, format);
  both(d, md, open, close, format, ap);
  va_end(ap);
  text_add(&d->md, "\n");
}

void doc_para(struct doc *d, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  both(d, "\n", "<p>", "</p>\n", format, ap);
  va_end(ap);
  text_add(&d->md, "\n");
}

void doc_item(struct doc *d, const char *format, ...) {
  if (!d->columns) text_add(&d->html, "<ul>\n");
  va_list ap;
  va_start(ap, format);
  both(d, d->columns ? "- " : "\n- ", "<li>", "</li>\n", format, ap);
  va_end(ap);
  text_add(&d->md, "\n");
  d->columns = 1;
}

void doc_items_end(struct doc *d) {
  text_add(&d->html, "</ul>\n");
  d->columns = 0;
}

void doc_code(struct doc *d, const char *code) {
  text_add(&d->md, "\n```\n%s```\n", code);
  text_add(&d->html, "<pre><code>");
  html_escape(&d->html, code, strlen(code));
  text_add(&d->html, "</code></pre>\n");
}

void doc_table(struct doc *d, const char *const *heads) {
  text_add(&d->html, "<table>\n<thead><tr>");
  text_add(&d->md, "\n|");
  for (d->columns = 0; heads[d->columns]; d->columns++) {
    text_add(&d->md, " %s |", heads[d->columns]);
    text_add(&d->html, "<th>%s</th>", heads[d->columns]);
  }
  text_add(&d->html, "</tr></thead>\n<tbody>\n");
  text_add(&d->md, "\n|");
  for (size_t i = 0; i < d->columns; i++) text_add(&d->md, "---|");
  text_add(&d->md, "\n");
  d->column = 0;
}

void doc_cell(struct doc *d, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  both(d, d->column ? " " : "| ", d->column ? "<td>" : "<tr><td>", "</td>", format, ap);
  va_end(ap);
  text_add(&d->md, " |");
  if (++d->column < d->columns) return;
  d->column = 0;
  text_add(&d->md, "\n");
  text_add(&d->html, "</tr>\n");
}

void doc_table_end(struct doc *d) {
  text_add(&d->html, "</tbody>\n</table>\n");
  d->columns = 0;
}

void doc_figure(struct doc *d, const char *file, const struct text *svg, const char *caption) {
  text_add(&d->md, "\n![%s](%s)\n\n", file, file);
  md_inline(&d->md, caption);
  text_add(&d->md, "\n");
  text_add(&d->html, "<figure>\n");
  text_add_bytes(&d->html, svg->s, svg->len);
  text_add(&d->html, "<figcaption>");
  html_inline(&d->html, caption);
  text_add(&d->html, "</figcaption>\n</figure>\n");
}
