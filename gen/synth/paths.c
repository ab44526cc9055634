/* SPDX-License-Identifier: Apache-2.0 */
/* paths.c: `simtgen synth --paths`: when each register input of a mapped netlist is ready, by an estimate without places and wires,
 * and those that are late by register and module. */
#include <stdlib.h>
#include <string.h>

#include "synth/synth.h"

/* Nanoseconds: a wire; what register and RAM need before the edge; an output behind the edge. Of a cell below. */
static const double wire = 0.9, before_edge = 0.1, behind_edge = 0.53;

enum kind { LOGIC, REGISTER, RAM };
static const struct cell_type { const char *target, *name; enum kind kind; double out; bool lut, carry; } types[] = {
  {"ice40", "SB_LUT4", LOGIC, 0, true, false}, {"ice40", "SB_CARRY", LOGIC, 0, false, true},
  {"ice40", "SB_DFF", REGISTER, 0, false, false}, {"ice40", "SB_RAM", RAM, 2.15, false, false},
  {"ecp5", "LUT4", LOGIC, 0, true, false}, {"ecp5", "PFUMX", LOGIC, 0, false, false}, {"ecp5", "L6MUX21", LOGIC, 0, false, false},
  {"ecp5", "CCU2C", LOGIC, 0, false, true}, {"ecp5", "TRELLIS_DPR16X4", LOGIC, 0, false, false},
  {"ecp5", "TRELLIS_FF", REGISTER, 0, false, false}, {"ecp5", "DP16KD", RAM, 5.8, false, false},
  {"ecp5", "PDPW16KD", RAM, 5.8, false, false}};

/* A cell of the netlist; a bit of it: what drives it, when it is ready and by which bit before it. */
struct cell { const char *name; const struct cell_type *type; json_t *connections, *directions; };
struct bit { const struct cell *cell; const char *port; double ns; size_t from; enum { UNKNOWN, OPEN, KNOWN } state; };
struct graph { struct cell *cell; size_t n_cells; struct bit *bit; size_t n_bits; struct synth_net *net; };

static const struct cell_type *type_of(const char *target, const char *name) {
  for (size_t i = 0; i < sizeof types / sizeof *types; i++)
    if (!strcmp(types[i].target, target) && !strncmp(types[i].name, name, strlen(types[i].name))) return &types[i];
  return NULL;
}

static bool is(const char *port, const char *const *list) {
  for (; *list; list++)
    if (!strcmp(port, *list)) return true;
  return false;
}

static bool is_input(const struct cell *c, const char *port) {
  const char *way = json_string_value(json_object_get(c->directions, port));
  return way && !strcmp(way, "input");
}

static bool is_clock(const char *port) {
  return is(port, (const char *const[]){"C", "CLK", "RCLK", "WCLK", "CLKA", "CLKB", "CLKR", "CLKW", "WCK", NULL});
}

/* RAM of LUTs is read like logic and written like a register. */
static bool is_written(const struct cell *c, const char *port) {
  return c->type->kind != LOGIC || (!strcmp(c->type->name, "TRELLIS_DPR16X4") && strcmp(port, "RAD"));
}

static bool same_type(const struct cell *a, const char *name) { return a && !strcmp(a->type->name, name); }

/* From an input of a logic cell to an output of it, with the wire before it. */
static double arc(const struct cell *c, const char *out, const char *in, const struct cell *driver) {
  const char *t = c->type->name;
  if (!strcmp(t, "SB_LUT4")) return (same_type(driver, "SB_CARRY") ? 0.2 : wire) + 0.4;
  if (!strcmp(t, "SB_CARRY")) return strcmp(in, "CI") ? wire + 0.26 : (same_type(driver, "SB_CARRY") ? 0 : wire) + 0.13;
  if (!strcmp(t, "CCU2C")) return strcmp(in, "CIN") ? wire + 0.45 : !strcmp(out, "COUT") ? 0.07 : 0.44;
  if (!strcmp(t, "PFUMX") || !strcmp(t, "L6MUX21")) return (!strcmp(in, "C0") || !strcmp(in, "SD") ? wire : 0) + 0.2;
  return wire + 0.24;
}

static void read_cells(struct graph *g, const struct synth_result *r) {
  json_t *cells = json_object_get(r->netlist, "cells"), *entry, *bits, *bit;
  const char *name, *port;
  size_t i;
  g->cell = calloc(json_object_size(cells) + 1, sizeof *g->cell);
  g->net = synth_name_nets(r, &g->n_bits);
  g->bit = calloc(g->n_bits + 1, sizeof *g->bit);
  if (!g->cell || !g->bit) abort();
  json_object_foreach(cells, name, entry) {
    const struct cell_type *type = type_of(r->target->name, json_string_value(json_object_get(entry, "type")));
    if (!type) continue;
    struct cell *c = &g->cell[g->n_cells++];
    *c = (struct cell){name, type, json_object_get(entry, "connections"), json_object_get(entry, "port_directions")};
    json_object_foreach(c->connections, port, bits)
      json_array_foreach(bits, i, bit)
        if (!is_input(c, port) && json_is_integer(bit) && (size_t)json_integer_value(bit) < g->n_bits) {
          struct bit *b = &g->bit[json_integer_value(bit)];
          b->cell = c;
          b->port = port;
        }
  }
}

struct stack { size_t *item, n, room; };

static void push(struct stack *s, size_t item) {
  if (s->n == s->room && !(s->item = realloc(s->item, (s->room = 2 * s->room + 64) * sizeof *s->item))) abort();
  s->item[s->n++] = item;
}

/* Finds when a bit is ready from what it depends on, and puts what is not known yet on the stack: false. A loop of logic ends where
 * it is met again. */
static bool find_one(struct graph *g, size_t at, struct stack *stack) {
  struct bit *b = &g->bit[at];
  const struct cell *c = b->cell;
  json_t *bits, *bit;
  const char *port;
  size_t i;
  bool all = true;
  double most = 0;
  size_t from = at;
  if (c && c->type->kind != LOGIC) most = c->type->kind == RAM ? c->type->out : behind_edge;
  else if (c)
    json_object_foreach(c->connections, port, bits) {
      if (!is_input(c, port) || is_clock(port) || is_written(c, port)) continue;
      json_array_foreach(bits, i, bit) {
        if (!json_is_integer(bit)) continue;
        const size_t k = (size_t)json_integer_value(bit);
        if (g->bit[k].state == UNKNOWN) {
          push(stack, k);
          all = false;
        } else if (g->bit[k].state == KNOWN && g->bit[k].ns + arc(c, b->port, port, g->bit[k].cell) > most) {
          most = g->bit[k].ns + arc(c, b->port, port, g->bit[k].cell);
          from = k;
        }
      }
    }
  b->state = all ? KNOWN : OPEN;
  b->ns = most;
  b->from = from;
  return all;
}

static double ready(struct graph *g, size_t at) {
  struct stack stack = {0};
  push(&stack, at);
  while (stack.n)
    if (g->bit[stack.item[stack.n - 1]].state == KNOWN || find_one(g, stack.item[stack.n - 1], &stack)) stack.n--;
  free(stack.item);
  return g->bit[at].ns;
}

/* ---- ends -------------------------------------------------------------------------------------------------- */

static const char *pin_of(const char *port, const struct cell *c) {
  if (c->type->kind == REGISTER)
    return is(port, (const char *const[]){"E", "CE", NULL}) ? "enable" : is(port, (const char *const[]){"R", "S", "LSR", NULL}) ? "reset" : "";
  return strstr(port, "AD") ? "address" : strstr(port, "DATA") || !strncmp(port, "DI", 2) ? "data" : "enable";
}

/* A RAM is named by its memory, without the numbers of its blocks. */
static void cell_name(const struct cell *c, char *to, size_t room) {
  synth_source_name(c->name, to, room);
  for (char *dot; (dot = strrchr(to, '.')) && dot[1] >= '0' && dot[1] <= '9' && dot[1 + strspn(dot + 1, "0123456789")] == 0;) *dot = 0;
}

static void name_of(const struct graph *g, size_t bit, char *to, size_t room) {
  const struct synth_net *n = &g->net[bit];
  const struct cell *c = g->bit[bit].cell;
  const bool is_net = !c || c->type->kind == REGISTER;
  char source[256], index[32] = "";
  if (is_net) synth_source_name(n->name ? n->name : "$", source, sizeof source);
  else cell_name(c, source, sizeof source);
  if (is_net && n->name && n->vector) snprintf(index, sizeof index, "[%zu]", n->index);
  snprintf(to, room, "%.200s%s", source, index);
}

struct end { double ns; size_t bit; const struct cell *cell; const char *port; };

static size_t find_ends(struct graph *g, struct end **to) {
  size_t n = 0, room = 1024, i;
  struct end *e = calloc(room, sizeof *e);
  json_t *bits, *bit;
  const char *port;
  if (!e) abort();
  for (const struct cell *c = g->cell; c < g->cell + g->n_cells; c++)
    json_object_foreach(c->connections, port, bits) {
      if (!is_input(c, port) || is_clock(port) || !is_written(c, port)) continue;
      const bool data = c->type->kind == REGISTER && is(port, (const char *const[]){"D", "DI", NULL});
      json_array_foreach(bits, i, bit) {
        if (!json_is_integer(bit)) continue;
        const size_t k = (size_t)json_integer_value(bit);
        const struct cell *driver = g->bit[k].cell;
        /* The data of a register behind logic is made in its own cell. */
        const double way = data && driver && driver->type->kind == LOGIC && !driver->type->carry ? 0 : wire;
        if (n == room && !(e = realloc(e, (room *= 2) * sizeof *e))) abort();
        e[n++] = (struct end){ready(g, k) + way + before_edge, k, c, port};
      }
    }
  *to = e;
  return n;
}

/* The register, with all its bits as one, and its module. */
static void end_name(const struct graph *g, const struct end *e, struct synth_late *to) {
  char name[256];
  json_t *q = json_array_get(json_object_get(e->cell->connections, "Q"), 0);
  if (e->cell->type->kind == REGISTER && json_is_integer(q)) name_of(g, (size_t)json_integer_value(q), name, sizeof name);
  else cell_name(e->cell, name, sizeof name);
  synth_collapse(name, to->name, sizeof to->name);
  const char *dot = strrchr(to->name, '.');
  snprintf(to->module, sizeof to->module, "%.*s", dot ? (int)(dot - to->name) : 0, to->name);
  snprintf(to->pin, sizeof to->pin, "%s", pin_of(e->port, e->cell));
}

static int by_lateness(const void *a, const void *b) {
  const struct synth_late *x = a, *y = b;
  return x->ns < y->ns ? 1 : x->ns > y->ns ? -1 : strcmp(x->name, y->name);
}

/* The way to the latest end of a group, from its register on. */
static void find_way(const struct graph *g, struct synth_late *to, size_t bit) {
  size_t way[SYNTH_HOPS], n = 0;
  for (size_t at = bit;; at = g->bit[at].from) {
    if (n < SYNTH_HOPS) way[n++] = at;
    const struct cell *c = g->bit[at].cell;
    to->luts += c && c->type->lut;
    to->carries += c && c->type->carry;
    if (g->bit[at].from == at) {
      name_of(g, at, to->from, sizeof to->from);
      break;
    }
  }
  for (size_t i = 0; i < n; i++) to->hop[i] = way[n - 1 - i], to->hop_ns[i] = g->bit[to->hop[i]].ns;
  to->n_hops = n;
}

static struct synth_late *find_group(struct synth_paths *p, const struct synth_late *like) {
  for (size_t i = 0; i < p->n; i++)
    if (!strcmp(p->group[i].name, like->name) && !strcmp(p->group[i].pin, like->pin)) return &p->group[i];
  p->group = realloc(p->group, (p->n + 1) * sizeof *p->group);
  if (!p->group) abort();
  p->group[p->n] = *like;
  return &p->group[p->n++];
}

static void add_module(struct synth_paths *p, const struct synth_late *g) {
  size_t i = 0;
  while (i < p->n_modules && strcmp(p->module[i].name, g->module)) i++;
  if (i == p->n_modules) {
    p->module = realloc(p->module, ++p->n_modules * sizeof *p->module);
    if (!p->module) abort();
    p->module[i] = (struct synth_late){0};
    snprintf(p->module[i].name, sizeof p->module[i].name, "%s", g->module);
  }
  p->module[i].ends += g->ends;
  if (g->ns > p->module[i].ns) p->module[i].ns = g->ns;
}

void synth_find_paths(struct synth_result *r, unsigned mhz) {
  struct graph g = {0};
  struct synth_paths *p = &r->paths;
  struct end *end;
  read_cells(&g, r);
  p->ends = find_ends(&g, &end);
  for (size_t i = 0; i < p->ends; i++)
    if (end[i].ns > p->worst) p->worst = end[i].ns;
  p->period = mhz ? 1000.0 / mhz : 0.9 * p->worst;
  for (size_t i = 0; i < p->ends; i++) {
    if (end[i].ns <= p->period) continue;
    struct synth_late like = {0};
    end_name(&g, &end[i], &like);
    struct synth_late *to = find_group(p, &like);
    to->ends++;
    p->late++;
    if (end[i].ns <= to->ns) continue;
    to->ns = end[i].ns;
    to->luts = to->carries = 0;
    find_way(&g, to, end[i].bit);
  }
  for (size_t i = 0; i < p->n; i++) {
    add_module(p, &p->group[i]);
    for (size_t k = 0; k < p->group[i].n_hops; k++) {
      char name[256];
      name_of(&g, p->group[i].hop[k], name, sizeof name);
      p->group[i].hop_name[k] = strdup(name);
      if (!p->group[i].hop_name[k]) abort();
    }
  }
  if (p->n) qsort(p->group, p->n, sizeof *p->group, by_lateness);
  if (p->n_modules) qsort(p->module, p->n_modules, sizeof *p->module, by_lateness);
  free(end);
  free(g.cell);
  free(g.bit);
  free(g.net);
}

/* ---- printed ----------------------------------------------------------------------------------------------- */

enum { SHOWN = 40 }; /* groups as text; JSON has all */

void synth_print_paths(const struct synth_paths *p) {
  printf("  paths by estimate, before place and route: %zu register inputs, the latest %.1f ns; %zu later than %.1f ns (%.0f MHz)\n", p->ends,
         p->worst, p->late, p->period, 1000 / p->period);
  if (!p->late) return;
  printf("  %-50s %6s %6s\n", "module with late inputs", "inputs", "ns");
  for (size_t i = 0; i < p->n_modules; i++)
    printf("    %-48s %6u %6.2f\n", *p->module[i].name ? p->module[i].name : "the block", p->module[i].ends, p->module[i].ns);
  printf("  %6s %5s %6s %6s  %s\n", "ns", "LUTs", "carry", "inputs", "register that is late <- register that it begins at");
  for (size_t i = 0; i < p->n && i < SHOWN; i++) {
    const struct synth_late *g = &p->group[i];
    printf("  %6.2f %5u %6u %6u  %s%s%s%s <- %s\n", g->ns, g->luts, g->carries, g->ends, g->name, *g->pin ? " (" : "", g->pin, *g->pin ? ")" : "",
           g->from);
  }
  if (p->n > SHOWN) printf("  and %zu more; --json has all\n", p->n - SHOWN);
  printf("  the latest:\n");
  for (size_t k = 0; k < p->group[0].n_hops; k++) printf("    %6.2f ns  %s\n", p->group[0].hop_ns[k], p->group[0].hop_name[k]);
}

json_t *synth_paths_json(const struct synth_paths *p) {
  json_t *groups = json_array(), *modules = json_array();
  for (size_t i = 0; i < p->n_modules; i++)
    json_array_append_new(modules, json_pack("{ss si sf}", "module", p->module[i].name, "inputs", (int)p->module[i].ends, "ns", p->module[i].ns));
  for (size_t i = 0; i < p->n; i++) {
    const struct synth_late *g = &p->group[i];
    json_t *hops = json_array();
    for (size_t k = 0; k < g->n_hops; k++) json_array_append_new(hops, json_pack("{ss sf}", "name", g->hop_name[k], "ns", g->hop_ns[k]));
    json_array_append_new(groups, json_pack("{ss ss ss ss si sf si si so}", "register", g->name, "pin", g->pin, "module", g->module, "from",
                                            g->from, "inputs", (int)g->ends, "ns", g->ns, "luts", (int)g->luts, "carry", (int)g->carries,
                                            "hops", hops));
  }
  return json_pack("{sf sf si si so so}", "period_ns", p->period, "worst_ns", p->worst, "inputs", (int)p->ends, "late", (int)p->late, "modules",
                   modules, "registers", groups);
}

void synth_free_paths(struct synth_paths *p) {
  for (size_t i = 0; i < p->n; i++)
    for (size_t k = 0; k < p->group[i].n_hops; k++) free(p->group[i].hop_name[k]);
  free(p->group);
  free(p->module);
}
