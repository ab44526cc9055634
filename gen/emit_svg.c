/* SPDX-License-Identifier: Apache-2.0 */
/* emit_svg.c: block symbol and timing diagrams, for the screen and for paper.
 *
 * A diagram shows the first COLUMNS cycles in which something happens: cycles in which nothing changes are
 * left out where three or more follow each other. Each row is a <g class="row" data-port="PORT">; a bit is a path, a
 * bus a polygon per value with the whole value in its <title>, a payload without meaning a hatched one. */
#include "emit_svg.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 22, ROWS = 12, COL_W = 40, GAP_W = 30, ROW_H = 24, SIG_H = 15, TOP = 42, WIDE = 64 };

static const char *const ink[] = {"#1f5fa8", "#14713f"};  /* by direction: in, out */
static const char *const tint[] = {"#e6eef8", "#e4f3ea"};

static void svg_begin(struct text *t, unsigned w, unsigned h, const char *title) {
  text_add(t, "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%u\" height=\"%u\" viewBox=\"0 0 %u %u\" "
              "font-family=\"DejaVu Sans,Helvetica,Arial,sans-serif\" font-size=\"11\">\n<title>%s</title>\n"
              "<rect width=\"%u\" height=\"%u\" fill=\"#fff\"/>\n", w, h, w, h, title, w, h);
}

/* ---- symbol -------------------------------------------------------------------------------------- */

static void symbol_pin(struct text *t, const struct simt_port *p, unsigned box_l, unsigned box_r, unsigned y) {
  bool in = p->dir == SIMT_IN;
  unsigned from = in ? box_l - 44 : box_r, tip = in ? box_l : box_r + 44;
  text_add(t, "<g stroke=\"%s\" fill=\"%s\"><path d=\"M%u %uH%u\" stroke-width=\"%s\"/>"
              "<path d=\"M%u %ul-7 -3.5v7z\" stroke=\"none\"/></g>\n",
           ink[p->dir], ink[p->dir], from, y, tip - 6, p->width > 1 ? "2.4" : "1.2", tip, y);
  text_add(t, "<text x=\"%u\" y=\"%u\"%s>%s</text>\n", in ? box_l + 7 : box_r - 7, y + 4,
           in ? "" : " text-anchor=\"end\"", p->name);
  if (p->width > 1)
    text_add(t, "<text x=\"%u\" y=\"%u\" font-size=\"9\" fill=\"#47525f\" text-anchor=\"middle\">%u</text>\n",
             from + 18, y - 4, p->width);
}

/* Draws the pins of the group that begins at port `first`, inputs and outputs from one height; adds their
 * height to *y and returns the port behind the group. */
static size_t symbol_group(struct text *t, const struct simt_desc *d, size_t first, unsigned l, unsigned r,
                           unsigned *y) {
  unsigned n[2] = {0, 0};
  const char *group = d->ports[first].group;
  if (t) text_add(t, "<text x=\"%u\" y=\"%u\" font-size=\"10\" fill=\"#6a7583\" text-anchor=\"middle\">%s</text>\n",
                  (l + r) / 2, *y - 2, group);
  *y += 14;
  for (; first < d->n_ports && !strcmp(d->ports[first].group, group); first++) {
    const struct simt_port *p = &d->ports[first];
    if (t) symbol_pin(t, p, l, r, *y + 18 * n[p->dir]);
    n[p->dir]++;
  }
  *y += 18 * (n[0] > n[1] ? n[0] : n[1]) + 8;
  return first;
}

void svg_symbol(struct text *t, const struct simt_config *cfg) {
  const struct simt_desc *d = &cfg->desc;
  size_t longest[2] = {4, 4};
  unsigned y = 44;
  for (size_t i = 0; i < d->n_ports; i++) {
    size_t len = strlen(d->ports[i].name);
    if (len > longest[d->ports[i].dir]) longest[d->ports[i].dir] = len;
  }
  for (size_t i = 0; i < d->n_ports;) i = symbol_group(NULL, d, i, 0, 0, &y);
  unsigned l = 64, r = l + (unsigned)(longest[0] + longest[1]) * 7 + 70, bottom = y - 4;
  svg_begin(t, r + 64, bottom + 12, cfg->name);
  text_add(t, "<rect x=\"%u\" y=\"8\" width=\"%u\" height=\"%u\" rx=\"4\" fill=\"#fafbfc\" stroke=\"#1c2430\" "
              "stroke-width=\"1.4\"/>\n<text x=\"%u\" y=\"26\" font-size=\"13\" font-weight=\"bold\" "
              "text-anchor=\"middle\">%s</text>\n", l, r - l, bottom - 8, (l + r) / 2, cfg->name);
  y = 44;
  for (size_t i = 0; i < d->n_ports;) i = symbol_group(t, d, i, l, r, &y);
  text_add(t, "</svg>\n");
}

/* ---- what a diagram shows ------------------------------------------------------------------------- */

struct column { unsigned cycle, skipped, x; }; /* skipped: cycles left out before this one */
struct row { const struct simt_port *p; unsigned y; };
struct wave {
  const struct record *r;
  const char *title;
  struct column col[COLUMNS];
  struct row row[ROWS];
  unsigned cols, rows, left, right, bottom;
};

/* The port shows the same in both cycles. */
static bool same(const struct record *r, const struct simt_port *p, unsigned a, unsigned b) {
  bool means = record_means(r, p, a);
  if (means != record_means(r, p, b)) return false;
  return !means || !memcmp(record_words(r, p, a), record_words(r, p, b), sizeof(uint32_t) * p->words);
}

/* Something differs between this cycle and the one before. */
static bool changes(const struct record *r, unsigned cycle) {
  if (!cycle || cycle >= r->cycles) return false;
  for (size_t i = 0; i < r->cfg->desc.n_ports; i++) {
    const struct simt_port *p = &r->cfg->desc.ports[i];
    if (p->role != SIMT_CLOCK && !same(r, p, cycle - 1, cycle)) return true;
  }
  return false;
}

static void choose_columns(struct wave *w) {
  unsigned c = 1, quiet = 0;
  while (c < w->r->cycles && !changes(w->r, c)) c++;
  for (c--; c < w->r->cycles && w->cols < COLUMNS; c++) {
    if (!w->cols || changes(w->r, c) || changes(w->r, c + 1)) {
      if (quiet < 3)
        for (; quiet && w->cols < COLUMNS; quiet--) w->col[w->cols++] = (struct column){.cycle = c - quiet};
      if (w->cols < COLUMNS) w->col[w->cols++] = (struct column){.cycle = c, .skipped = quiet};
      quiet = 0;
    } else {
      quiet++;
    }
  }
}

/* How much a port has to say: nothing when it is 0 throughout, little when it never changes or when no
 * column could hold its value, more the more it changes. */
static unsigned weight(const struct wave *w, const struct simt_port *p) {
  unsigned n = 0, values = 0;
  bool zero = true;
  if (p->role == SIMT_CLOCK) return 0;
  for (unsigned i = 0; i < w->cols; i++) {
    for (unsigned k = 0; k < p->words; k++) zero = zero && !record_words(w->r, p, w->col[i].cycle)[k];
    bool seen = !record_means(w->r, p, w->col[i].cycle);
    if (i && !same(w->r, p, w->col[i - 1].cycle, w->col[i].cycle)) n++;
    for (unsigned k = 0; k < i && !seen; k++) seen = same(w->r, p, w->col[k].cycle, w->col[i].cycle);
    values += !seen;
  }
  if (!n && zero) return 0;
  return p->width > WIDE || !n ? 1 : 2 + n + (values > 1 ? 2 * COLUMNS : 0);
}

/* The ROWS ports with the largest weight, in the order of the description. */
static void choose_rows(struct wave *w) {
  const struct simt_desc *d = &w->r->cfg->desc;
  unsigned least[ROWS];
  for (size_t i = 0; i < d->n_ports; i++) {
    unsigned v = weight(w, &d->ports[i]), at = 0;
    if (!v) continue;
    if (w->rows == ROWS) {
      for (unsigned k = 1; k < ROWS; k++)
        if (least[k] < least[at]) at = k;
      if (v <= least[at]) continue;
      memmove(&w->row[at], &w->row[at + 1], sizeof *w->row * (ROWS - 1 - at));
      memmove(&least[at], &least[at + 1], sizeof *least * (ROWS - 1 - at));
      w->rows--;
    }
    least[w->rows] = v;
    w->row[w->rows++].p = &d->ports[i];
  }
}

static void place(struct wave *w) {
  size_t longest = 8;
  for (unsigned i = 0; i < w->rows; i++)
    if (strlen(w->row[i].p->name) > longest) longest = strlen(w->row[i].p->name);
  unsigned x = w->left = 20 + (unsigned)longest * 7, y = TOP + ROW_H;
  for (unsigned i = 0; i < w->cols; i++) {
    if (w->col[i].skipped) x += GAP_W;
    w->col[i].x = x;
    x += COL_W;
  }
  w->right = x;
  for (unsigned i = 0; i < w->rows; i++) {
    if (!i || strcmp(w->row[i].p->group, w->row[i - 1].p->group)) y += 7;
    w->row[i].y = y;
    y += ROW_H;
  }
  w->bottom = y;
}

/* ---- drawing it ----------------------------------------------------------------------------------- */

static void draw_frame(struct text *t, const struct wave *w, const char *clock) {
  for (unsigned i = 0; i < w->cols; i++) {
    unsigned x = w->col[i].x;
    text_add(t, "<path d=\"M%u %uV%u\" stroke=\"#dde2e8\" stroke-dasharray=\"2 3\"/>\n"
                "<text class=\"cycle\" x=\"%u\" y=\"%u\" font-size=\"9\" fill=\"#6a7583\" "
                "text-anchor=\"middle\">%u</text>\n", x, TOP - 8, w->bottom - 4, x + COL_W / 2, TOP - 12,
             w->col[i].cycle);
  }
  text_add(t, "<text x=\"%u\" y=\"%u\" font-size=\"9\" fill=\"#6a7583\" text-anchor=\"end\">cycle</text>\n"
              "<text x=\"%u\" y=\"%u\" text-anchor=\"end\">%s</text>\n<path d=\"", w->left - 10, TOP - 12,
           w->left - 10, TOP + 12, clock);
  for (unsigned i = 0; i < w->cols; i++) {
    if (!i || w->col[i].skipped) text_add(t, "M%u %u", w->col[i].x, TOP + SIG_H);
    text_add(t, "V%uh%uV%uh%u", TOP, COL_W / 2, TOP + SIG_H, COL_W - COL_W / 2);
  }
  text_add(t, "\" fill=\"none\" stroke=\"#47525f\"/>\n");
}

/* The cycles left out: a band over all rows with torn edges, and their number. */
static void draw_gaps(struct text *t, const struct wave *w) {
  for (unsigned i = 0; i < w->cols; i++) {
    if (!w->col[i].skipped) continue;
    unsigned x = w->col[i].x - GAP_W + 7, wide = GAP_W - 14;
    text_add(t, "<path d=\"M%u %u", x, TOP - 6);
    for (unsigned y = TOP - 6; y + 8 <= w->bottom; y += 8) text_add(t, "l%d 4l%d 4", 3, -3);
    text_add(t, "h%u", wide);
    for (unsigned y = TOP - 6; y + 8 <= w->bottom; y += 8) text_add(t, "l%d -4l%d -4", 3, -3);
    text_add(t, "z\" fill=\"#fff\" stroke=\"#b9c1cc\"/>\n"
                "<text class=\"gap\" x=\"%u\" y=\"%u\" font-size=\"9\" font-style=\"italic\" fill=\"#6a7583\" "
                "text-anchor=\"middle\">+%u</text>\n", x + wide / 2 + 1, TOP - 12, w->col[i].skipped);
  }
}

/* Hexadecimal digits without leading zeros. */
static void hex_value(const struct record *r, const struct simt_port *p, unsigned cycle, char *to, size_t room) {
  const uint32_t *v = record_words(r, p, cycle);
  unsigned i = p->words;
  while (i > 1 && !v[i - 1]) i--;
  int n = snprintf(to, room, "%x", v[i - 1]);
  while (--i > 0 && (size_t)n + 9 < room) n += snprintf(to + n, room - (size_t)n, "%08x", v[i - 1]);
}

/* Middle and width of the widest part of columns a..b that no gap cuts: where a label is seen. */
static unsigned clear_part(const struct wave *w, unsigned a, unsigned b, unsigned *wide) {
  unsigned middle = 0;
  *wide = 0;
  for (unsigned from = a, to; from <= b; from = to + 1) {
    for (to = from; to < b && !w->col[to + 1].skipped; to++) {}
    unsigned width = (to - from + 1) * COL_W;
    if (width <= *wide) continue;
    *wide = width;
    middle = w->col[from].x + width / 2;
  }
  return middle;
}

/* A run of columns a..b (both included) in which a bus, or a payload without meaning, stays as it is. */
static void draw_value(struct text *t, const struct wave *w, const struct row *row, unsigned a, unsigned b) {
  char value[300] = "no meaning", label[40] = "";
  unsigned x = w->col[a].x, wide = w->col[b].x + COL_W - x, y = row->y, middle = 0, clear = 0;
  bool means = record_means(w->r, row->p, w->col[a].cycle);
  text_add(t, "<polygon points=\"%u,%u %u,%u %u,%u %u,%u %u,%u %u,%u\" ", x, y + SIG_H / 2, x + 3, y,
           x + wide - 3, y, x + wide, y + SIG_H / 2, x + wide - 3, y + SIG_H, x + 3, y + SIG_H);
  if (means) {
    hex_value(w->r, row->p, w->col[a].cycle, value, sizeof value);
    middle = clear_part(w, a, b, &clear);
    size_t len = strlen(value), fits = (clear - 8) / 6;
    if (fits > 34) fits = 34;
    if (len > fits) snprintf(label, sizeof label, "\xe2\x80\xa6%s", value + len - (fits - 1));
    else snprintf(label, sizeof label, "%.*s", (int)fits, value);
    text_add(t, "fill=\"%s\" stroke=\"%s\">", tint[row->p->dir], ink[row->p->dir]);
  } else {
    text_add(t, "fill=\"url(#none-%s)\" stroke=\"#c3cad3\">", w->title);
  }
  text_add(t, "<title>%s</title></polygon>\n", value);
  if (means)
    text_add(t, "<text x=\"%u\" y=\"%u\" font-size=\"10\" font-family=\"DejaVu Sans Mono,Menlo,Consolas,"
                "monospace\" text-anchor=\"middle\">%s</text>\n", middle, y + SIG_H - 4, label);
}

/* A run of columns a..b in which a bit means something. */
static void draw_bit(struct text *t, const struct wave *w, const struct row *row, unsigned a, unsigned b) {
  text_add(t, "<path d=\"");
  for (unsigned i = a, level = 0; i <= b; i++) {
    unsigned now = record_words(w->r, row->p, w->col[i].cycle)[0] & 1;
    unsigned y = row->y + (now ? 0 : SIG_H), x = w->col[i].x;
    if (i == a) text_add(t, "M%u %u", x, y);
    else if (now != level) text_add(t, "H%uL%u %u", x, x + 3, y);
    text_add(t, "H%u", x + COL_W);
    level = now;
  }
  text_add(t, "\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"/>\n", ink[row->p->dir]);
}

static void draw_row(struct text *t, const struct wave *w, const struct row *row) {
  const struct simt_port *p = row->p;
  text_add(t, "<g class=\"row\" data-port=\"%s\">\n<text x=\"%u\" y=\"%u\" fill=\"%s\" text-anchor=\"end\">%s</text>\n",
           p->name, w->left - 10, row->y + 12, ink[p->dir], p->name);
  for (unsigned a = 0, b; a < w->cols; a = b + 1) {
    bool means = record_means(w->r, p, w->col[a].cycle), bit = means && p->width == 1;
    for (b = a; b + 1 < w->cols; b++) {
      unsigned next = w->col[b + 1].cycle;
      if (bit ? !record_means(w->r, p, next) : !same(w->r, p, w->col[b].cycle, next)) break;
    }
    if (bit) draw_bit(t, w, row, a, b);
    else draw_value(t, w, row, a, b);
  }
  text_add(t, "</g>\n");
}

static void draw_legend(struct text *t, const struct wave *w) {
  unsigned y = w->bottom + 14, x = 12;
  for (int dir = 0; dir < 2; dir++, x += 74)
    text_add(t, "<path d=\"M%u %uh18\" stroke=\"%s\" stroke-width=\"2\"/><text x=\"%u\" y=\"%u\" font-size=\"10\">"
                "%s</text>\n", x, y - 4, ink[dir], x + 24, y, dir == SIMT_IN ? "input" : "output");
  text_add(t, "<rect x=\"%u\" y=\"%u\" width=\"18\" height=\"11\" fill=\"url(#none-%s)\" stroke=\"#c3cad3\"/>"
              "<text x=\"%u\" y=\"%u\" font-size=\"10\">no meaning: its valid is 0</text>\n", x, y - 10, w->title,
           x + 24, y);
  text_add(t, "<text x=\"%u\" y=\"%u\" font-size=\"10\">hexadecimal; +n: n cycles without change left out"
              "</text>\n", x + 178, y);
}

bool svg_wave(struct text *t, const struct record *r, const char *title) {
  struct wave w = {.r = r, .title = title};
  const char *clock = "";
  choose_columns(&w);
  choose_rows(&w);
  if (!w.rows) return false;
  for (size_t i = 0; i < r->cfg->desc.n_ports; i++)
    if (r->cfg->desc.ports[i].role == SIMT_CLOCK) clock = r->cfg->desc.ports[i].name;
  place(&w);
  svg_begin(t, w.right + 12 < 640 ? 640 : w.right + 12, w.bottom + 26, title);
  text_add(t, "<defs><pattern id=\"none-%s\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
              "<rect width=\"6\" height=\"6\" fill=\"#f4f5f7\"/><path d=\"M0 6L6 0\" stroke=\"#d3d8df\"/>"
              "</pattern></defs>\n<text x=\"12\" y=\"16\" font-weight=\"bold\">%s</text>\n", title, title);
  draw_frame(t, &w, clock);
  for (unsigned i = 0; i < w.rows; i++) draw_row(t, &w, &w.row[i]);
  draw_gaps(t, &w);
  draw_legend(t, &w);
  text_add(t, "</svg>\n");
  return true;
}
