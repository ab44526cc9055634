/* SPDX-License-Identifier: Apache-2.0 */
/* status.c: the state diagram and the table of transitions of a unit with the status ports (unit_status.h). */
#include <math.h>

#include "emit/document.h"
#include "emit/svg.h"
#include "core/unit_status.h"

enum { HALF_W = 46, HALF_H = 19, STATES = SIMT_HALTED + 1 };

static const struct { const char *name; unsigned x, y; } node[STATES] = {
  [SIMT_EMPTY] = {"empty", 70, 120}, [SIMT_ACTIVE] = {"active", 270, 120}, [SIMT_STALLED] = {"stalled", 470, 60},
  [SIMT_QUIESCENT] = {"quiescent", 490, 180}, [SIMT_HALTED] = {"halted", 270, 310},
};

/* In the order in which they are tried, state by state. */
static const struct { enum simt_unit_state from, to; const char *when; } edge[] = {
  {SIMT_EMPTY, SIMT_HALTED, "halt, no input is offered, and the unit can halt"},
  {SIMT_EMPTY, SIMT_ACTIVE, "an input that it would take, output, processing, work, or a memory access under way"},
  {SIMT_ACTIVE, SIMT_HALTED, "halt, and the unit can halt"},
  {SIMT_ACTIVE, SIMT_QUIESCENT,
   "a memory access was refused; or no input, processing or output, but work or a memory access under way"},
  {SIMT_ACTIVE, SIMT_STALLED, "its output is blocked and it cannot proceed"},
  {SIMT_ACTIVE, SIMT_EMPTY, "no input, processing or output, no work, no memory access under way"},
  {SIMT_STALLED, SIMT_HALTED, "halt, and the unit can halt"},
  {SIMT_STALLED, SIMT_ACTIVE, "its output is no longer blocked, or it can proceed"},
  {SIMT_QUIESCENT, SIMT_HALTED, "halt, and the unit can halt"},
  {SIMT_QUIESCENT, SIMT_ACTIVE,
   "input, processing, output, resume, a memory answer, or neither work nor a memory access under way"},
  {SIMT_HALTED, SIMT_ACTIVE, "no halt: input, output, or work with which it can proceed"},
  {SIMT_HALTED, SIMT_QUIESCENT, "no halt: work"},
  {SIMT_HALTED, SIMT_EMPTY, "no halt: else"},
};

enum { EDGES = sizeof edge / sizeof *edge };

bool has_status(const struct simt_config *cfg) {
  return simt_find_port(cfg, "state_o") && (simt_param_index(cfg, "STATUS") < 0 || simt_param(cfg, "STATUS"));
}

/* Where a line from (x, y) off the middle of a box leaves the box, in parts of (dx, dy). */
static double leaves(double x, double y, double dx, double dy) {
  return fmin((HALF_W - copysign(1, dx) * x) / fmax(fabs(dx), 1), (HALF_H - copysign(1, dy) * y) / fmax(fabs(dy), 1));
}

/* An arrow beside the line from centre to centre, so that two ways between two states are two arrows. */
static void draw_edge(struct text *t, unsigned i) {
  double x = node[edge[i].from].x, y = node[edge[i].from].y;
  double dx = node[edge[i].to].x - x, dy = node[edge[i].to].y - y, len = hypot(dx, dy);
  double ux = dx / len, uy = dy / len, aside_x = -9 * uy, aside_y = 9 * ux;
  double cut = leaves(aside_x, aside_y, dx, dy), tip = 1 - leaves(aside_x, aside_y, -dx, -dy);
  x += aside_x, y += aside_y;
  double ex = x + tip * dx, ey = y + tip * dy;
  text_add(t, "<path d=\"M%.1f %.1fL%.1f %.1f\" stroke=\"#47525f\"/><path d=\"M%.1f %.1fL%.1f %.1fL%.1f %.1fz\" "
              "fill=\"#47525f\"/>\n", x + cut * dx, y + cut * dy, ex, ey, ex, ey, ex - 8 * ux - 3 * uy,
           ey - 8 * uy + 3 * ux, ex - 8 * ux + 3 * uy, ey - 8 * uy - 3 * ux);
  x += dx * 0.55, y += dy * 0.55;
  text_add(t, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"8\" fill=\"#fff\" stroke=\"#b9c1cc\"/><text x=\"%.1f\" y=\"%.1f\" "
              "font-size=\"9\" text-anchor=\"middle\">%u</text>\n", x, y, x, y + 3, i + 1);
}

/* The encoding, which the width of the port tells. */
static enum simt_status_encoding encoding_of(const struct simt_config *cfg) {
  unsigned width = simt_find_port(cfg, "state_o")->width;
  return width == 5 ? SIMT_ONE_HOT : width == 4 ? SIMT_TWO_OF_FOUR : SIMT_BINARY;
}

void svg_status(struct text *t, const struct simt_config *cfg) {
  unsigned width = simt_find_port(cfg, "state_o")->width;
  svg_begin(t, 560, 350, "unit status");
  for (unsigned i = 0; i < EDGES; i++) draw_edge(t, i);
  for (unsigned i = 0; i < STATES; i++) {
    unsigned x = node[i].x, y = node[i].y;
    uint32_t code = simt_status_code((enum simt_unit_state)i, encoding_of(cfg));
    text_add(t, "<rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" rx=\"9\" fill=\"#fafbfc\" stroke=\"#1c2430\"/>"
                "<text x=\"%u\" y=\"%u\" text-anchor=\"middle\" font-weight=\"bold\">%s</text><text x=\"%u\" y=\"%u\" "
                "font-size=\"9\" text-anchor=\"middle\">", x - HALF_W, y - HALF_H, 2 * HALF_W, 2 * HALF_H, x, y - 2,
             node[i].name, x, y + 12);
    for (unsigned bit = width; bit-- > 0;) text_add(t, "%u", code >> bit & 1);
    text_add(t, "</text>\n");
  }
  text_add(t, "<path d=\"M70 54v40\" stroke=\"#47525f\"/><path d=\"M70 101l-3 -8h6z\" fill=\"#47525f\"/>"
              "<text x=\"70\" y=\"46\" font-size=\"10\" text-anchor=\"middle\">reset, from any state</text>\n</svg>\n");
}

void status_table(struct doc *d) {
  static const char *const heads[] = {"Arrow", "From", "To", "When", NULL};
  doc_table(d, heads);
  for (unsigned i = 0; i < EDGES; i++) {
    doc_cell(d, "%u", i + 1);
    doc_cell(d, "%s", node[edge[i].from].name);
    doc_cell(d, "%s", node[edge[i].to].name);
    doc_cell(d, "%s", edge[i].when);
  }
  doc_table_end(d);
}
