/* SPDX-License-Identifier: Apache-2.0 */
/* svg.c: block symbol and timing diagrams, for the screen and for paper.
 *
 * Each row of a diagram is a <g class="row" data-port="PORT">; a bit is a path, a bus a polygon per value with
 * the whole value in its <title>, a payload without meaning a hatched one. */
#include "emit/svg.h"

#include <string.h>

#include "emit/wave.h"

enum { COL_W = 36, GAP_W = 30, ROW_H = 24, SIG_H = 15, TOP = 42 };

static const char *const ink[] = {"#1f5fa8", "#14713f"};  /* by direction: in, out */
static const char *const tint[] = {"#e6eef8", "#e4f3ea"};

void svg_begin(struct text *t, unsigned w, unsigned h, const char *title) {
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

/* ---- timing diagrams ------------------------------------------------------------------------------ */

struct svg_plan { /* a diagram laid out */
  const struct record *r;
  const char *title;
  struct wave wave;
  unsigned x[WAVE_COLUMNS], y[WAVE_ROWS]; /* left edge of each column, upper edge of each row's signal */
  unsigned left, right, bottom;
};

static void lay_out(struct svg_plan *w) {
  size_t longest = 8;
  for (unsigned i = 0; i < w->wave.rows; i++)
    if (strlen(w->wave.row[i]->name) > longest) longest = strlen(w->wave.row[i]->name);
  unsigned x = w->left = 20 + (unsigned)longest * 7, y = TOP + ROW_H;
  for (unsigned i = 0; i < w->wave.cols; i++) {
    if (w->wave.col[i].skipped) x += GAP_W;
    w->x[i] = x;
    x += COL_W;
  }
  w->right = x;
  for (unsigned i = 0; i < w->wave.rows; i++) {
    if (!i || strcmp(w->wave.row[i]->group, w->wave.row[i - 1]->group)) y += 7;
    w->y[i] = y;
    y += ROW_H;
  }
  w->bottom = y;
}

static void draw_frame(struct text *t, const struct svg_plan *w, const char *clock) {
  for (unsigned i = 0; i < w->wave.cols; i++) {
    unsigned x = w->x[i];
    text_add(t, "<path d=\"M%u %uV%u\" stroke=\"#dde2e8\" stroke-dasharray=\"2 3\"/>\n"
                "<text class=\"cycle\" x=\"%u\" y=\"%u\" font-size=\"9\" fill=\"#6a7583\" "
                "text-anchor=\"middle\">%u</text>\n", x, TOP - 8, w->bottom - 4, x + COL_W / 2, TOP - 12,
             w->wave.col[i].cycle);
  }
  text_add(t, "<text x=\"%u\" y=\"%u\" font-size=\"9\" fill=\"#6a7583\" text-anchor=\"end\">cycle</text>\n"
              "<text x=\"%u\" y=\"%u\" text-anchor=\"end\">%s</text>\n<path d=\"", w->left - 10, TOP - 12,
           w->left - 10, TOP + 12, clock);
  for (unsigned i = 0; i < w->wave.cols; i++) {
    if (!i || w->wave.col[i].skipped) text_add(t, "M%u %u", w->x[i], TOP + SIG_H);
    text_add(t, "V%uh%uV%uh%u", TOP, COL_W / 2, TOP + SIG_H, COL_W - COL_W / 2);
  }
  text_add(t, "\" fill=\"none\" stroke=\"#47525f\"/>\n");
}

/* The cycles left out: a band over all rows with torn edges, and their number. */
static void draw_gaps(struct text *t, const struct svg_plan *w) {
  for (unsigned i = 0; i < w->wave.cols; i++) {
    if (!w->wave.col[i].skipped) continue;
    unsigned x = w->x[i] - GAP_W + 7, wide = GAP_W - 14;
    text_add(t, "<path d=\"M%u %u", x, TOP - 6);
    for (unsigned y = TOP - 6; y + 8 <= w->bottom; y += 8) text_add(t, "l%d 4l%d 4", 3, -3);
    text_add(t, "h%u", wide);
    for (unsigned y = TOP - 6; y + 8 <= w->bottom; y += 8) text_add(t, "l%d -4l%d -4", 3, -3);
    text_add(t, "z\" fill=\"#fff\" stroke=\"#b9c1cc\"/>\n"
                "<text class=\"gap\" x=\"%u\" y=\"%u\" font-size=\"9\" font-style=\"italic\" fill=\"#6a7583\" "
                "text-anchor=\"middle\">+%u</text>\n", x + wide / 2 + 1, TOP - 12, w->wave.col[i].skipped);
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
static unsigned clear_part(const struct svg_plan *w, unsigned a, unsigned b, unsigned *wide) {
  unsigned middle = 0;
  *wide = 0;
  for (unsigned from = a, to; from <= b; from = to + 1) {
    for (to = from; to < b && !w->wave.col[to + 1].skipped; to++) {}
    unsigned width = (to - from + 1) * COL_W;
    if (width <= *wide) continue;
    *wide = width;
    middle = w->x[from] + width / 2;
  }
  return middle;
}

/* A run of columns a..b (both included) in which a bus, or a payload without meaning, stays as it is. */
static void draw_value(struct text *t, const struct svg_plan *w, unsigned row, unsigned a, unsigned b) {
  char value[300] = "no meaning", label[40] = "";
  unsigned x = w->x[a], wide = w->x[b] + COL_W - x, y = w->y[row], middle = 0, clear = 0;
  bool means = record_means(w->r, w->wave.row[row], w->wave.col[a].cycle);
  text_add(t, "<polygon points=\"%u,%u %u,%u %u,%u %u,%u %u,%u %u,%u\" ", x, y + SIG_H / 2, x + 3, y,
           x + wide - 3, y, x + wide, y + SIG_H / 2, x + wide - 3, y + SIG_H, x + 3, y + SIG_H);
  if (means) {
    hex_value(w->r, w->wave.row[row], w->wave.col[a].cycle, value, sizeof value);
    middle = clear_part(w, a, b, &clear);
    size_t len = strlen(value), fits = (clear - 8) / 6;
    if (fits > 34) fits = 34;
    if (len > fits) snprintf(label, sizeof label, "\xe2\x80\xa6%s", value + len - (fits - 1));
    else snprintf(label, sizeof label, "%.*s", (int)fits, value);
    text_add(t, "fill=\"%s\" stroke=\"%s\">", tint[w->wave.row[row]->dir], ink[w->wave.row[row]->dir]);
  } else {
    text_add(t, "fill=\"url(#none-%s)\" stroke=\"#c3cad3\">", w->title);
  }
  text_add(t, "<title>%s</title></polygon>\n", value);
  if (means)
    text_add(t, "<text x=\"%u\" y=\"%u\" font-size=\"10\" font-family=\"DejaVu Sans Mono,Menlo,Consolas,"
                "monospace\" text-anchor=\"middle\">%s</text>\n", middle, y + SIG_H - 4, label);
}

/* A run of columns a..b in which a bit means something. */
static void draw_bit(struct text *t, const struct svg_plan *w, unsigned row, unsigned a, unsigned b) {
  text_add(t, "<path d=\"");
  for (unsigned i = a, level = 0; i <= b; i++) {
    unsigned now = record_words(w->r, w->wave.row[row], w->wave.col[i].cycle)[0] & 1;
    unsigned y = w->y[row] + (now ? 0 : SIG_H), x = w->x[i];
    if (i == a) text_add(t, "M%u %u", x, y);
    else if (now != level) text_add(t, "H%uL%u %u", x, x + 3, y);
    text_add(t, "H%u", x + COL_W);
    level = now;
  }
  text_add(t, "\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"/>\n", ink[w->wave.row[row]->dir]);
}

static void draw_row(struct text *t, const struct svg_plan *w, unsigned row) {
  const struct simt_port *p = w->wave.row[row];
  text_add(t, "<g class=\"row\" data-port=\"%s\">\n<text x=\"%u\" y=\"%u\" fill=\"%s\" text-anchor=\"end\">%s</text>\n",
           p->name, w->left - 10, w->y[row] + 12, ink[p->dir], p->name);
  for (unsigned a = 0, b; a < w->wave.cols; a = b + 1) {
    bool means = record_means(w->r, p, w->wave.col[a].cycle), bit = means && p->width == 1;
    for (b = a; b + 1 < w->wave.cols; b++) {
      unsigned next = w->wave.col[b + 1].cycle;
      if (bit ? !record_means(w->r, p, next) : !wave_same(w->r, p, w->wave.col[b].cycle, next)) break;
    }
    if (bit) draw_bit(t, w, row, a, b);
    else draw_value(t, w, row, a, b);
  }
  text_add(t, "</g>\n");
}

static void draw_legend(struct text *t, const struct svg_plan *w) {
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
  struct svg_plan w = {.r = r, .title = title};
  const char *clock = "";
  wave_choose(&w.wave, r);
  if (!w.wave.rows) return false;
  for (size_t i = 0; i < r->cfg->desc.n_ports; i++)
    if (r->cfg->desc.ports[i].role == SIMT_CLOCK) clock = r->cfg->desc.ports[i].name;
  lay_out(&w);
  svg_begin(t, w.right + 12 < 640 ? 640 : w.right + 12, w.bottom + 26, title);
  text_add(t, "<defs><pattern id=\"none-%s\" width=\"6\" height=\"6\" patternUnits=\"userSpaceOnUse\">"
              "<rect width=\"6\" height=\"6\" fill=\"#f4f5f7\"/><path d=\"M0 6L6 0\" stroke=\"#d3d8df\"/>"
              "</pattern></defs>\n<text x=\"12\" y=\"16\" font-weight=\"bold\">%s</text>\n", title, title);
  draw_frame(t, &w, clock);
  for (unsigned i = 0; i < w.wave.rows; i++) draw_row(t, &w, i);
  draw_gaps(t, &w);
  draw_legend(t, &w);
  text_add(t, "</svg>\n");
  return true;
}
