/* SPDX-License-Identifier: Apache-2.0 */
/* mapped.c: what a mapped netlist (Yosys JSON, one flat module) says about its source: cells by
 * hierarchy, and source names of nets.
 *
 * Yosys names a cell after the net that it drives, and a flattened net keeps its path. A cell is therefore
 * counted in the scope whose net it makes, which for a net that leaves modules by their output ports is the
 * innermost of them. The sums over the hierarchy are the very cells of the figures. */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "synth/synth.h"

static const char instance[] = "u_block."; /* of the block in its harness */
static const char flatten[] = "$flatten";

/* ---- names ------------------------------------------------------------------------------------------------ */

/* Length of a name up to the first piece that Yosys or nextpnr appended: "_SB_DFF_Q", "_RDATA_3", "_LC",
 * "$glb_sr". Names of the source are in lower case. */
static size_t source_length(const char *name) {
  for (const char *s = name; *s; s++)
    if (s > name && (*s == '$' || (*s == '_' && (isupper((unsigned char)s[1]) || s[1] == '$'))))
      return (size_t)(s - name);
  return strlen(name);
}

/* Skips the private prefixes of flattening; the rest may still have backslashes. */
static const char *without_flatten(const char *name) {
  while (!strncmp(name, flatten, sizeof flatten - 1) && name[sizeof flatten - 1] == '\\')
    name += sizeof flatten;
  return name;
}

static bool in_block(const char *name) {
  return !strncmp(without_flatten(name), instance, sizeof instance - 1);
}

/* Copies without "$flatten\" and backslashes. */
static void plain(const char *name, char *to, size_t room) {
  size_t n = 0;
  for (const char *s = name; *s && n + 1 < room; s++) {
    if (!strncmp(s, flatten, sizeof flatten - 1) && s[sizeof flatten - 1] == '\\') s += sizeof flatten - 1;
    else if (*s != '\\') to[n++] = *s;
  }
  to[n] = 0;
}

void synth_source_name(const char *name, char *to, size_t room) {
  char all[1024];
  plain(name, all, sizeof all);
  const char *s = all;
  bool inside = in_block(name);
  if (inside) s += sizeof instance - 1;
  if (*s == '$') snprintf(to, room, "(unnamed)");
  else snprintf(to, room, "%s%.*s", inside ? "" : "(harness) ", (int)source_length(s), s);
}

/* The scope of a cell of the block: its path without the last part; memories have numbers behind their name. */
static void scope_of(const char *cell, char *to, size_t room) {
  synth_source_name(cell, to, room);
  char *dot;
  while ((dot = strrchr(to, '.')) && strspn(dot + 1, "0123456789") == strlen(dot + 1)) *dot = 0;
  if (dot) *dot = 0;
  else to[0] = 0;
}

/* ---- counts ----------------------------------------------------------------------------------------------- */

static bool starts(const char *s, const char *with) { return !strncmp(s, with, strlen(with)); }

static const char *type_of(json_t *cell) {
  const char *type = json_string_value(json_object_get(cell, "type"));
  return type ? type : "";
}

/* A parameter of a cell, as Yosys writes it: binary digits. */
static unsigned number_of(json_t *cell, const char *name) {
  const char *s = json_string_value(json_object_get(json_object_get(cell, "parameters"), name));
  return s ? (unsigned)strtoul(s, NULL, 2) : 0;
}

static void count_lattice(struct synth_count *n, const char *type) {
  if (!strcmp(type, "SB_LUT4") || !strcmp(type, "LUT4")) n->lut++;
  else if (starts(type, "SB_DFF") || !strcmp(type, "TRELLIS_FF")) n->ff++;
  else if (!strcmp(type, "SB_CARRY")) n->carry++;
  else if (!strcmp(type, "CCU2C")) n->carry += 2, n->lut += 2; /* two LUT4 with their carry */
  else if (starts(type, "SB_RAM40_4K")) n->ram_blocks++, n->ram_bits += 4096;
  else if (!strcmp(type, "DP16KD")) n->ram_blocks++, n->ram_bits += 18432;
  else if (!strcmp(type, "TRELLIS_DPR16X4")) n->lutram_bits += 64;
  else if (strcmp(type, "PFUMX") && strcmp(type, "L6MUX21")) n->other++; /* those join LUTs and take none */
}

/* A LUT of one to six inputs is one place; so is an inverter, until a tool makes it part of another LUT. Distributed
 * memories by their bits: RAM32M has 2 bits by 32 in each of four LUTs. Block RAM in halves of 18 kbit. */
static void count_xilinx(struct synth_count *n, const char *type) {
  static const struct { const char *type; unsigned bits; } memories[] = {
    {"RAM32M", 256}, {"RAM64M", 256}, {"RAM32X1D", 32}, {"RAM64X1D", 64}, {"RAM128X1D", 128}, {"RAM32X1S", 32}, {"RAM64X1S", 64},
    {"RAM128X1S", 128}, {"RAM256X1S", 256}, {"RAM32X1S_1", 32}, {"SRL16E", 16}, {"SRLC32E", 32}};
  for (size_t i = 0; i < sizeof memories / sizeof *memories; i++)
    if (!strcmp(type, memories[i].type)) n->lutram_bits += memories[i].bits;
  if ((starts(type, "LUT") && type[4] == 0) || !strcmp(type, "INV")) n->lut++;
  else if (starts(type, "FD")) n->ff++;
  else if (!strcmp(type, "CARRY4")) n->carry += 4;
  else if (starts(type, "RAMB18")) n->ram_blocks++, n->ram_bits += 18432;
  else if (starts(type, "RAMB36")) n->ram_blocks += 2, n->ram_bits += 36864;
  else if (!starts(type, "MUXF") && !starts(type, "RAM") && !starts(type, "SRL")) n->other++; /* MUXF join LUTs */
}

static void count_library(struct synth_count *n, const struct synth_library *lib, json_t *cell) {
  const struct synth_cell *c = synth_find_cell(lib, type_of(cell));
  if (c) n->cells++, n->ff += c->register_, n->area += c->area;
  else if (!strcmp(type_of(cell), "RAM_MACRO")) n->ram_blocks++, n->ram_bits += number_of(cell, "WORDS") * number_of(cell, "BITS");
  else n->other++;
}

static void count_cell(const struct synth_result *r, struct synth_count *n, json_t *cell) {
  if (r->target->kind == SYNTH_CELLS) count_library(n, &r->library, cell);
  else (r->target->kind == SYNTH_MAPPED ? count_xilinx : count_lattice)(n, type_of(cell));
}

struct synth_count synth_count_module(const struct synth_result *r, json_t *module) {
  struct synth_count n = {0};
  const char *name;
  json_t *cell;
  json_object_foreach(json_object_get(module, "cells"), name, cell) count_cell(r, &n, cell);
  return n;
}

static void add(struct synth_count *to, const struct synth_count *n) {
  to->lut += n->lut;
  to->ff += n->ff;
  to->carry += n->carry;
  to->ram_blocks += n->ram_blocks;
  to->ram_bits += n->ram_bits;
  to->lutram_bits += n->lutram_bits;
  to->other += n->other;
  to->cells += n->cells;
  to->area += n->area;
}

/* ---- hierarchy -------------------------------------------------------------------------------------------- */

/* Adds every output port below a module to `ports`: its path in the block -> the path of its scope. */
static void add_outputs(json_t *ports, json_t *modules, const char *module, const char *path) {
  json_t *about = json_object_get(modules, module), *entry;
  const char *name;
  char below[1024];
  json_object_foreach(json_object_get(about, "ports"), name, entry) {
    const char *direction = json_string_value(json_object_get(entry, "direction"));
    if (!direction || strcmp(direction, "output")) continue;
    snprintf(below, sizeof below, "%s%s%s", path, *path ? "." : "", name);
    json_object_set_new(ports, below, json_string(path));
  }
  json_object_foreach(json_object_get(about, "cells"), name, entry) {
    if (!json_object_get(modules, type_of(entry))) continue;
    snprintf(below, sizeof below, "%s%s%s", path, *path ? "." : "", name);
    add_outputs(ports, modules, type_of(entry), below);
  }
}

/* For each bit of the netlist the innermost scope that it leaves by an output port, or NULL; and the only
 * part of a block that merely wraps it, or "": a cell that is named after an input port is in there. */
struct makers { const char **scope, *wrapped; size_t n; };

static void add_maker(struct makers *m, json_int_t bit, const char *scope) {
  size_t at = (size_t)bit;
  if (at >= m->n) {
    size_t n = 2 * at + 64;
    m->scope = realloc(m->scope, n * sizeof *m->scope);
    if (!m->scope) abort();
    while (m->n < n) m->scope[m->n++] = NULL;
  }
  if (!m->scope[at] || strlen(m->scope[at]) < strlen(scope)) m->scope[at] = scope;
}

static struct makers find_makers(json_t *netlist, json_t *ports, json_t *block) {
  json_t *cells = json_object_get(block, "cells");
  const char *only = json_object_iter_key(json_object_iter(cells)), *name;
  struct makers m = {.wrapped = json_object_size(cells) == 1 ? only : ""};
  json_t *entry, *bit;
  size_t i;
  json_object_foreach(json_object_get(netlist, "netnames"), name, entry) {
    const char *scope = in_block(name) ? json_string_value(json_object_get(ports, name + sizeof instance - 1)) : NULL;
    if (!scope) continue;
    json_array_foreach(json_object_get(entry, "bits"), i, bit)
      if (json_is_integer(bit)) add_maker(&m, json_integer_value(bit), scope);
  }
  return m;
}

/* The scope of a cell: by its name, or further in by the output port that it drives. */
static void cell_scope(const struct makers *m, const char *name, json_t *cell, char *to, size_t room) {
  scope_of(name, to, room);
  if (!*to) snprintf(to, room, "%s", m->wrapped);
  const char *port;
  json_t *bits;
  json_object_foreach(json_object_get(cell, "connections"), port, bits) {
    const char *way = json_string_value(json_object_get(json_object_get(cell, "port_directions"), port));
    json_t *bit = json_array_get(bits, 0);
    if (!way || strcmp(way, "output") || !json_is_integer(bit)) continue;
    size_t at = (size_t)json_integer_value(bit);
    const char *scope = at < m->n ? m->scope[at] : NULL;
    if (scope && strlen(scope) > strlen(to) && starts(scope, to)) snprintf(to, room, "%s", scope);
  }
}

struct scopes { struct synth_scope *s; size_t n; };

static struct synth_scope *find_scope(struct scopes *list, const char *path, size_t len) {
  for (size_t i = 0; i < list->n; i++)
    if (strlen(list->s[i].path) == len && !memcmp(list->s[i].path, path, len)) return &list->s[i];
  struct synth_scope *bigger = realloc(list->s, (list->n + 1) * sizeof *bigger);
  char *copy = strndup(path, len);
  if (!bigger || !copy) abort();
  list->s = bigger;
  list->s[list->n] = (struct synth_scope){.path = copy};
  return &list->s[list->n++];
}

/* Adds to a scope and to all that it is in. */
static void count_scopes(const struct synth_result *r, struct scopes *list, const char *path, json_t *cell) {
  for (size_t len = strlen(path);; len--)
    if (!path[len] || path[len] == '.' || !len) {
      count_cell(r, &find_scope(list, path, len)->n, cell);
      if (!len) return;
    }
}

void synth_collapse(const char *path, char *to, size_t room) {
  size_t n = 0;
  for (const char *s = path; *s && n + 2 < room; s++) {
    to[n++] = *s;
    if (*s == '[' && isdigit((unsigned char)s[1])) {
      to[n++] = '*';
      while (isdigit((unsigned char)s[1])) s++;
    }
  }
  to[n] = 0;
}

static int by_path(const void *a, const void *b) {
  return strcmp(((const struct synth_scope *)a)->path, ((const struct synth_scope *)b)->path);
}

/* Makes one line of equal parts. */
static void merge_scopes(struct synth_result *r, struct scopes *each) {
  struct scopes merged = {0};
  char path[1024];
  for (size_t i = 0; i < each->n; i++) {
    synth_collapse(each->s[i].path, path, sizeof path);
    struct synth_scope *to = find_scope(&merged, path, strlen(path));
    to->instances++;
    add(&to->n, &each->s[i].n);
    free(each->s[i].path);
  }
  qsort(merged.s, merged.n, sizeof *merged.s, by_path);
  r->scope = merged.s;
  r->n_scopes = merged.n;
}

void synth_count_cells(struct synth_result *r, json_t *modules, const char *top) {
  struct scopes each = {0};
  char path[1024];
  const char *name;
  json_t *cell, *ports = json_object();
  add_outputs(ports, modules, top, "");
  struct makers makers = find_makers(r->netlist, ports, json_object_get(modules, top));
  find_scope(&each, "", 0);
  json_object_foreach(json_object_get(r->netlist, "cells"), name, cell) {
    if (!in_block(name)) {
      count_cell(r, &r->harness, cell);
      continue;
    }
    count_cell(r, &r->block, cell);
    cell_scope(&makers, name, cell, path, sizeof path);
    count_scopes(r, &each, path, cell);
  }
  merge_scopes(r, &each);
  free(makers.scope);
  free(each.s);
  json_decref(ports);
}

/* ---- nets ------------------------------------------------------------------------------------------------- */

/* The number of a net's bit in the netlist from a name such as "a.b_q[3]", or -1. */
static json_int_t bit_of(json_t *names, const char *net) {
  char base[1024];
  snprintf(base, sizeof base, "%s", net);
  size_t index = 0;
  json_t *entry = json_object_get(names, base);
  char *bracket = strrchr(base, '[');
  if (!entry && bracket) {
    index = strtoul(bracket + 1, NULL, 10);
    *bracket = 0;
    entry = json_object_get(names, base);
  }
  json_int_t offset = json_integer_value(json_object_get(entry, "offset"));
  json_t *bit = json_array_get(json_object_get(entry, "bits"), index - (size_t)offset);
  return json_is_integer(bit) ? json_integer_value(bit) : -1;
}

/* How good a name is, smaller is better: names of the source, inside the block, below its top (whose ports
 * are aliases), registers, near the top. */
static unsigned rank(const char *name) {
  size_t n = strlen(name);
  unsigned dots = 0;
  for (const char *s = name; *s; s++) dots += *s == '.';
  unsigned q = n > 2 && !strcmp(name + n - 2, "_q") ? 0 : 10, top = dots == 1 ? 100 : 0;
  return (source_length(name) < n ? 1000u : 0u) + (in_block(name) ? 0u : 500u) + top + q + dots;
}

/* "file.v:line" of a declaration. Flattening joins it with the places of the instances that it is in; the
 * declaration is the piece "file.v:LINE.COLUMN-LINE.COLUMN" that is as long as the name. */
static void place_of(json_t *entry, const char *name, char place[120]) {
  const char *src = json_string_value(json_object_get(json_object_get(entry, "attributes"), "src"));
  const char *dot = strrchr(name, '.');
  unsigned length = (unsigned)strlen(dot ? dot + 1 : name), line, from, last, to;
  place[0] = 0;
  for (src = src ? src : ""; *src; src += strcspn(src, "|"), src += *src == '|') {
    const char *colon = strchr(src, ':');
    if (starts(src, "./")) src += 2;
    if (!colon || sscanf(colon, ":%u.%u-%u.%u", &line, &from, &last, &to) != 4) continue;
    if (line == last && to - from == length) snprintf(place, 120, "%.*s:%u", (int)(colon - src), src, line);
  }
}

struct synth_net *synth_name_nets(const struct synth_result *r, size_t *n) {
  struct synth_net *net = NULL;
  const char *name;
  json_t *entry, *bits, *bit;
  size_t i;
  *n = 0;
  json_object_foreach(json_object_get(r->netlist, "netnames"), name, entry) {
    bits = json_object_get(entry, "bits");
    const bool hidden = json_is_true(json_object_get(entry, "hide_name"));
    const unsigned good = rank(name);
    json_array_foreach(bits, i, bit) {
      if (!json_is_integer(bit)) continue;
      const size_t at = (size_t)json_integer_value(bit);
      if (at >= *n) {
        const size_t room = 2 * at + 64;
        net = realloc(net, room * sizeof *net);
        if (!net) abort();
        memset(net + *n, 0, (room - *n) * sizeof *net);
        *n = room;
      }
      if (hidden || (net[at].name && good >= net[at].rank)) continue;
      net[at] = (struct synth_net){name, i + (size_t)json_integer_value(json_object_get(entry, "offset")), good, json_array_size(bits) > 1};
    }
  }
  return net;
}

void synth_source_net(const struct synth_result *r, const char *net, char *to, size_t room, char place[120]) {
  json_t *names = json_object_get(r->netlist, "netnames"), *entry, *best = NULL;
  json_int_t bit = bit_of(names, net);
  const char *name, *best_name = net;
  size_t best_index = 0;
  unsigned best_rank = 1000;
  place[0] = 0;
  json_object_foreach(names, name, entry) {
    json_t *bits = json_object_get(entry, "bits");
    if (bit < 0 || json_is_true(json_object_get(entry, "hide_name")) || rank(name) >= best_rank) continue;
    for (size_t i = 0; i < json_array_size(bits); i++)
      if (json_is_integer(json_array_get(bits, i)) && json_integer_value(json_array_get(bits, i)) == bit) {
        best = entry;
        best_name = name;
        best_rank = rank(name);
        best_index = i + (size_t)json_integer_value(json_object_get(entry, "offset"));
        break;
      }
  }
  char source[256];
  synth_source_name(best_name, source, sizeof source);
  snprintf(to, room, "%s%s", best ? "" : "logic near ", source);
  if (!best) return;
  size_t n = strlen(to);
  if (json_array_size(json_object_get(best, "bits")) > 1) snprintf(to + n, room - n, "[%zu]", best_index);
  place_of(best, best_name, place);
}
