/* SPDX-License-Identifier: Apache-2.0 */
/* topology.c: the units under a front end (topology.h): a drawing, and the connections as a list. */
#include <stdlib.h>
#include <string.h>

#include "emit/svg.h"
#include "core/topology.h"

enum { ROW = 20, BOX = 15, TOP_Y = 74, LETTER = 7, GAP = 12, TREE = 150, END = 150, COLOURS = 8 };
enum { MOST_UNITS = 96, MOST_CONNS = 40, LAST_CONNS = 6 }; /* beyond them connections, and not all of them, are drawn */

static const char *const fill[COLOURS] = {"#dce9f8", "#dcf2e3", "#fdeccb", "#f6dff0", "#e5e0f6", "#d8f1f1", "#f7dcd9", "#e9ecd5"};
static const char *const edge[COLOURS] = {"#1f5fa8", "#14713f", "#a5670a", "#98347f", "#5a43a8", "#17777a", "#a83428", "#66701f"};

struct topology_row { unsigned conn, unit; bool gap; unsigned y; }; /* one drawn line: a unit, or a connection as a whole */

struct topology_plan {
  const struct simt_config *cfg;
  struct simt_topology t;
  struct topology_row *row;
  unsigned n, x, w, path_w, right; /* unit boxes; the space of group names behind them; left edge of the front end */
  bool whole;                      /* a row is a connection */
};

bool has_topology(const struct simt_config *cfg) { return cfg->block->lists == &simt_topology_lists; }

/* Groups inside the connection's own that a unit lies in, the outermost first: " / a / b". */
static void path_of(const struct topology_plan *p, unsigned unit, char *to, size_t room) {
  const struct simt_records *r = &p->cfg->records;
  char all[160] = "", next[240];
  to[0] = 0;
  if (!r->given) return;
  const struct simt_cell *in = &r->list[SIMT_LIST_UNITS].record[p->t.unit[unit].record].cell[SIMT_UNIT_GROUP];
  while (in->given) {
    const struct simt_cell *above = &r->list[SIMT_LIST_GROUPS].record[in->number].cell[SIMT_GROUP_IN];
    if (!above->given) break;
    snprintf(next, sizeof next, "%s%s%.150s", in->text, all[0] ? " / " : "", all);
    snprintf(all, sizeof all, "%.150s", next);
    in = above;
  }
  snprintf(to, room, "%s", all);
}

static void add_row(struct topology_plan *p, struct topology_row r, unsigned *y) {
  r.y = *y;
  p->row[p->n++] = r;
  *y += ROW;
}

/* Rows in the order of the units; returns the lower edge. */
static unsigned lay_out(struct topology_plan *p) {
  const struct simt_topology *t = &p->t;
  unsigned y = TOP_Y, longest = 4, path = 0;
  p->whole = t->units > MOST_UNITS;
  for (unsigned c = 0; c < t->conns; c++) {
    if (p->whole && t->conns > MOST_CONNS && c == MOST_CONNS - LAST_CONNS) {
      add_row(p, (struct topology_row){.conn = c, .gap = true}, &y);
      c = t->conns - LAST_CONNS;
    }
    y += t->conn[c].group ? GAP + 10 : GAP;
    unsigned rows = p->whole ? 1 : t->conn[c].members;
    for (unsigned i = 0; i < rows; i++) {
      char names[200];
      unsigned unit = t->conn[c].first + i;
      path_of(p, unit, names, sizeof names);
      unsigned n = (unsigned)strlen(t->unit[unit].name), k = p->whole ? 0 : (unsigned)strlen(names);
      if (p->whole && t->conn[c].members > 1) n = n + 3 + (unsigned)strlen(t->unit[unit + t->conn[c].members - 1].name);
      if (n > longest) longest = n;
      if (k > path) path = k;
      add_row(p, (struct topology_row){.conn = c, .unit = unit}, &y);
    }
  }
  p->x = !p->whole && p->cfg->records.list[SIMT_LIST_STREAMS].n ? 130 : 30;
  p->w = longest * LETTER + 14;
  p->path_w = path ? path * 6 + 14 : 0;
  p->right = p->x + p->w + p->path_w + TREE;
  return y + 14;
}

static void draw_unit(struct text *t, const struct topology_plan *p, const struct topology_row *r) {
  const struct simt_topology_unit *u = &p->t.unit[r->unit];
  const struct simt_topology_conn *k = &p->t.conn[r->conn];
  char names[200], what[300];
  unsigned colour = u->domain % COLOURS;
  path_of(p, r->unit, names, sizeof names);
  snprintf(what, sizeof what, "unit %u", r->unit);
  if (p->whole && k->members > 1) snprintf(what, sizeof what, "units %u to %u", k->first, k->first + k->members - 1);
  text_add(t, "<g class=\"unit\"><title>%s: connection %s, switch domain %s, deadlock domain %s</title><rect x=\"%u\" y=\"%u\" "
              "width=\"%u\" height=\"%d\" rx=\"3\" fill=\"%s\" stroke=\"%s\"/><text x=\"%u\" y=\"%u\">%s", what, k->name,
           p->t.domain_name[u->domain], p->t.dead_name[u->dead], p->x, r->y, p->w, BOX, fill[colour], edge[colour], p->x + 7,
           r->y + 11, u->name);
  if (p->whole && k->members > 1) text_add(t, " - %s", p->t.unit[k->first + k->members - 1].name);
  text_add(t, "</text></g>\n");
  if (names[0] && !p->whole)
    text_add(t, "<text x=\"%u\" y=\"%u\" font-size=\"9\" fill=\"#6a7583\">%s</text>\n", p->x + p->w + 8, r->y + 11, names);
}

/* Frame of a group, and the line through the registers of the tree to the front end. */
static void draw_conn(struct text *t, const struct topology_plan *p, unsigned first, unsigned rows) {
  const struct topology_row *r = &p->row[first];
  const struct simt_topology_conn *k = &p->t.conn[r->conn];
  unsigned top = r->y, bottom = p->row[first + rows - 1].y + BOX, from = p->x + p->w, y = (top + bottom) / 2, n = 0;
  if (k->group) {
    from += p->path_w + 8;
    text_add(t, "<g class=\"group\"><rect x=\"%u\" y=\"%u\" width=\"%u\" height=\"%u\" rx=\"6\" fill=\"none\" stroke=\"%s\" "
                "stroke-dasharray=\"5 3\"/><text x=\"%u\" y=\"%u\" font-size=\"9\" font-weight=\"bold\">%s: %u</text></g>\n",
             p->x - 8, top - 15, from - p->x + 8, bottom - top + 21, edge[k->domain % COLOURS], p->x, top - 5, k->name, k->members);
  }
  text_add(t, "<path class=\"connection\" d=\"M%u %uH%u\" stroke=\"%s\" stroke-width=\"%s\" fill=\"none\"/>\n", from, y, p->right,
           edge[k->domain % COLOURS], k->group ? "2.2" : "1.1");
  int stages = simt_param_index(p->cfg, "STAGES");
  unsigned registers = stages < 0 ? 0 : (unsigned)p->cfg->value[stages];
  for (unsigned i = 0; i < registers; i++)
    text_add(t, "<rect x=\"%u\" y=\"%u\" width=\"6\" height=\"10\" fill=\"#fff\" stroke=\"#47525f\"/>\n",
             p->right - 14 - 12 * (registers - i), y - 5);
  n = p->t.commands == 1 ? 0 : p->t.unit[k->first].command;
  text_add(t, "<text x=\"%u\" y=\"%u\" font-size=\"9\">%u  %s</text>\n", p->right + 8, y + 3, r->conn, k->name);
  text_add(t, "<text x=\"%u\" y=\"%u\" font-size=\"9\" fill=\"#6a7583\" text-anchor=\"end\">", p->right + END - 8, y + 3);
  if (p->t.commands == p->t.units && k->members > 1) text_add(t, "cmd %u-%u", k->first, k->first + k->members - 1);
  else text_add(t, "cmd %u", n);
  text_add(t, "</text>\n");
}

/* The row of a unit of the list. */
static const struct topology_row *row_of(const struct topology_plan *p, uint64_t record) {
  for (unsigned i = 0; i < p->n; i++)
    if (p->t.unit[p->row[i].unit].record == record) return &p->row[i];
  return p->row;
}

static void draw_streams(struct text *t, const struct topology_plan *p) {
  const struct simt_records *r = &p->cfg->records;
  for (size_t i = 0; i < r->list[SIMT_LIST_STREAMS].n && !p->whole; i++) {
    const struct simt_cell *cell = r->list[SIMT_LIST_STREAMS].record[i].cell;
    const struct topology_row *a = row_of(p, cell[SIMT_STREAM_FROM].number), *b = row_of(p, cell[SIMT_STREAM_TO].number);
    unsigned y0 = a->y + BOX / 2 - 2, y1 = b->y + BOX / 2 + 2, apart = y0 > y1 ? y0 - y1 : y1 - y0, x = p->x - 9;
    unsigned out = 20 + apart / 3 < 100 ? 20 + apart / 3 : 100;
    const char *ink = edge[p->t.unit[a->unit].domain % COLOURS];
    text_add(t, "<g class=\"stream\"><path d=\"M%u %uC%u %u %u %u %u %u\" fill=\"none\" stroke=\"%s\"/><path d=\"M%u %ul-7 -3.5v7z\" "
                "fill=\"%s\"/></g>\n", p->x, y0, x - out, y0, x - out, y1, x, y1, ink, p->x, y1, ink);
  }
}

static void draw_legend(struct text *t, const struct topology_plan *p) {
  static const char *const commands[] = {"broadcast", "per connection", "per unit"};
  const struct simt_topology *q = &p->t;
  int kind = simt_param_index(p->cfg, "COMMANDS");
  text_add(t, "<text x=\"14\" y=\"20\" font-size=\"13\" font-weight=\"bold\">%u unit%s, %u connection%s</text>"
              "<text x=\"14\" y=\"37\" font-size=\"10\" fill=\"#47525f\">commands: %s; deadlock domains: %u; streams: %zu</text>\n",
           q->units, q->units == 1 ? "" : "s", q->conns, q->conns == 1 ? "" : "s",
           kind < 0 ? "not of this block" : commands[p->cfg->value[kind]], q->dead_domains,
           p->cfg->records.list[SIMT_LIST_STREAMS].n);
  unsigned x = 14;
  for (unsigned i = 0; i < q->domains; i++) {
    char name[64];
    snprintf(name, sizeof name, "domain %s", q->domain_name[i]);
    unsigned w = (unsigned)strlen(name) * 6 + 24;
    if (x + w + 60 > p->right + END && i + 1 < q->domains) {
      text_add(t, "<text x=\"%u\" y=\"56\" font-size=\"10\">and %u more</text>\n", x, q->domains - i);
      return;
    }
    text_add(t, "<rect x=\"%u\" y=\"47\" width=\"11\" height=\"11\" fill=\"%s\" stroke=\"%s\"/><text x=\"%u\" y=\"56\" "
                "font-size=\"10\">%s</text>\n", x, fill[i % COLOURS], edge[i % COLOURS], x + 15, name);
    x += w;
  }
}

/* Deadlock domains as bars beside the front end, one per run of connections. */
static void draw_dead(struct text *t, const struct topology_plan *p, unsigned first, unsigned end) {
  unsigned x = p->right + END + 10, top = p->row[first].y, bottom = p->row[end - 1].y + BOX;
  text_add(t, "<path d=\"M%u %uh5V%uh-5\" fill=\"none\" stroke=\"#47525f\"/><text x=\"%u\" y=\"%u\" font-size=\"9\">deadlock %s</text>\n",
           x, top, bottom, x + 10, (top + bottom) / 2 + 3, p->t.dead_name[p->t.conn[p->row[first].conn].dead]);
}

static void draw(struct text *t, struct topology_plan *p) {
  unsigned bottom = lay_out(p);
  svg_begin(t, p->right + END + 150, bottom + 10, "topology");
  draw_legend(t, p);
  text_add(t, "<rect x=\"%u\" y=\"%u\" width=\"%d\" height=\"%u\" rx=\"4\" fill=\"#fafbfc\" stroke=\"#1c2430\" stroke-width=\"1.4\"/>"
              "<text x=\"%u\" y=\"%u\" font-weight=\"bold\">front end</text>\n", p->right, TOP_Y - 6, END, bottom - TOP_Y,
           p->right + 8, TOP_Y + 9);
  draw_streams(t, p);
  for (unsigned i = 0, end; i < p->n; i = end) {
    end = i + 1;
    if (p->row[i].gap) {
      text_add(t, "<text x=\"%u\" y=\"%u\" fill=\"#6a7583\">... %u connections more ...</text>\n", p->x, p->row[i].y + 14,
               p->t.conns - MOST_CONNS);
      continue;
    }
    while (end < p->n && !p->row[end].gap && p->row[end].conn == p->row[i].conn) end++;
    for (unsigned k = i; k < end; k++) draw_unit(t, p, &p->row[k]);
    draw_conn(t, p, i, end - i);
  }
  for (unsigned i = 0, end; i < p->n; i = end) {
    for (end = i + 1; end < p->n && p->t.conn[p->row[end].conn].dead == p->t.conn[p->row[i].conn].dead;) end++;
    draw_dead(t, p, i, end);
  }
  text_add(t, "</svg>\n");
}

void svg_topology(struct text *t, const struct simt_config *cfg) {
  struct topology_plan p = {.cfg = cfg};
  struct simt_diag diag = {0};
  if (simt_topology_make(cfg, &p.t, &diag)) {
    p.row = calloc(p.t.units + 1, sizeof *p.row);
    if (!p.row) abort();
    draw(t, &p);
    free(p.row);
  }
  simt_topology_free(&p.t);
}
