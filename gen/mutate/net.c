/* SPDX-License-Identifier: Apache-2.0 */
/* net.c: makes the netlist in which mutations are placed: Yosys flattens, we open every bit of every port of every
 * cell to the outside and take the memories out, Yosys maps the rest to AND gates. */
#include "mutate/net.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "synth/netlist.h"

/* One flat module, widths no larger than needed; every register a plain one, so that resets and enables are logic that
 * has mutations too; no register in a memory's read port, and a memory with more ports is registers. */
#define PREPARE \
  "prep -nordff -flatten -top %s; memory_map t:$mem_v2 r:RD_PORTS>1 %i t:$mem_v2 r:WR_PORTS>1 %i %u; wreduce; " \
  "opt -full -nodffe -nosdff; opt_clean -purge; write_rtlil netlist.v"
#define TO_GATES \
  "simplemap; techmap; dffunmap; opt_clean; setundef -undriven -zero; setundef -zero; aigmap; opt_clean; " \
  "write_aiger -ascii -symbols netlist.v"

static bool script(struct fileset *to, const struct fileset *from, const struct simt_config *cfg, const char *what,
                   const char *name, struct simt_diag *diag) {
  *to = (struct fileset){0};
  for (size_t i = 0; i < from->n; i++)
    text_add_bytes(fileset_add(to, "%s", from->file[i].path), from->file[i].text.s, from->file[i].text.len);
  return netlist_script(to, cfg, what, name, true, diag);
}

/* ---- sites ----------------------------------------------------------------------------------- */

/* Clocks have no mutations; resets and enables that are constant after PREPARE, neither. */
static bool no_site(const char *port) {
  static const char *const names[] = {"CLK", "RD_CLK", "WR_CLK", "RD_EN", "RD_ARST", "RD_SRST", "ARST", "SRST"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (!strcmp(names[i], port)) return true;
  return false;
}

/* Opens the ports of a cell; `next` is a number that no net has. */
static void open_cell(struct mutant_net *n, const char *name, json_t *cell, json_t *drivers, json_t *seen,
                      json_int_t *next) {
  json_t *mine = json_object(), *ports = json_object_get(cell, "connections"), *bits;
  const char *port;
  json_object_foreach(ports, port, bits) {
    if (no_site(port)) continue;
    json_object_set_new(mine, port, json_integer((json_int_t)n->n_sites));
    const char *direction = json_string_value(json_object_get(json_object_get(cell, "port_directions"), port));
    for (size_t i = 0; i < json_array_size(bits); i++, n->n_sites++) {
      json_t *now = json_incref(json_array_get(bits, i)), *new = json_integer((*next)++);
      bool output = direction && !strcmp(direction, "output");
      json_array_append(drivers, output ? new : now);
      json_array_append(seen, output ? now : new);
      json_array_set_new(bits, i, new);
      json_decref(now);
    }
  }
  json_object_set_new(n->places, name, mine);
}

static json_int_t first_free_net(json_t *module) {
  json_t *net, *bit;
  const char *name;
  size_t i;
  json_int_t most = 1;
  json_object_foreach(json_object_get(module, "netnames"), name, net)
    json_array_foreach(json_object_get(net, "bits"), i, bit)
      if (json_integer_value(bit) > most) most = json_integer_value(bit);
  return most + 1;
}

static unsigned parameter(json_t *cell, const char *name) {
  json_t *p = json_object_get(json_object_get(cell, "parameters"), name);
  return json_is_integer(p) ? (unsigned)json_integer_value(p) : (unsigned)strtoul(json_string_value(p), NULL, 2);
}

/* Takes a memory out: its ports are sites, and the simulation holds the words. */
static bool take_memory(struct mutant_net *n, const char *name, json_t *cell, struct simt_diag *diag) {
  if (parameter(cell, "RD_PORTS") != 1 || parameter(cell, "WR_PORTS") != 1 || parameter(cell, "RD_CLK_ENABLE") ||
      !parameter(cell, "WR_CLK_ENABLE") || parameter(cell, "OFFSET"))
    return simt_fail(diag, name, "another memory", "a memory with one write port and one read port without a register");
  n->memory = realloc(n->memory, (n->n_memories + 1) * sizeof *n->memory);
  if (!n->memory) abort();
  struct net_memory *m = &n->memory[n->n_memories++];
  *m = (struct net_memory){.size = parameter(cell, "SIZE"), .width = parameter(cell, "WIDTH"),
                             .abits = parameter(cell, "ABITS")};
  snprintf(m->name, sizeof m->name, "%s", name);
  const struct { const char *port; unsigned *to; } port[] = {
    {"RD_ADDR", &m->rd_addr}, {"RD_DATA", &m->rd_data}, {"WR_ADDR", &m->wr_addr}, {"WR_DATA", &m->wr_data},
    {"WR_EN", &m->wr_en}};
  for (size_t i = 0; i < sizeof port / sizeof *port; i++)
    *port[i].to = (unsigned)mutant_net_site(n, name, port[i].port, 0);
  return true;
}

static json_t *port_of(const char *direction, json_t *bits) {
  return json_pack("{s:s, s:O}", "direction", direction, "bits", bits);
}

/* The design with its sites as ports `site_a` and `site_y`, memories out. */
static bool open_sites(struct mutant_net *n, struct fileset *json, const struct simt_config *cfg, struct simt_diag *diag) {
  json_t *all = json_loadb(json->file[0].text.s, json->file[0].text.len, 0, NULL);
  json_t *module = json_object_get(json_object_get(all, "modules"), cfg->name), *cell;
  json_t *cells = json_object_get(module, "cells"), *drivers = json_array(), *seen = json_array();
  json_int_t next = first_free_net(module);
  const char *name;
  void *after;
  bool ok = true;
  json_object_foreach(cells, name, cell) open_cell(n, name, cell, drivers, seen, &next);
  json_object_foreach_safe(cells, after, name, cell) {
    if (strcmp(json_string_value(json_object_get(cell, "type")), "$mem_v2")) continue;
    ok = ok && take_memory(n, name, cell, diag);
    json_object_del(cells, name);
  }
  json_object_set_new(json_object_get(module, "ports"), "site_a", port_of("output", drivers));
  json_object_set_new(json_object_get(module, "ports"), "site_y", port_of("input", seen));
  json_object_set_new(json_object_get(module, "netnames"), "site_a", port_of("output", drivers));
  json_object_set_new(json_object_get(module, "netnames"), "site_y", port_of("input", seen));
  char *text = json_dumps(all, JSON_COMPACT);
  fileset_free(json);
  *json = (struct fileset){0};
  text_add(fileset_add(json, "sites.json"), "%s", text);
  free(text);
  json_decref(drivers);
  json_decref(seen);
  json_decref(all);
  return ok;
}

long mutant_net_site(const struct mutant_net *n, const char *cell, const char *port, unsigned bit) {
  json_t *first = json_object_get(json_object_get(n->places, cell), port);
  return first ? (long)json_integer_value(first) + (long)bit : -1;
}

/* ---- AIGER ----------------------------------------------------------------------------------- */

static unsigned next_number(char **at) { return (unsigned)strtoul(*at, at, 10); }

/* The numbers: `aag MAX INPUTS LATCHES OUTPUTS ANDS`, then a line each. Outputs' literals go to `outputs`. */
static void read_gates(struct mutant_net *n, char **at, unsigned count[5], unsigned *outputs, unsigned *inputs) {
  for (unsigned i = 0; i < count[1]; i++) inputs[i] = next_number(at) / 2;
  for (unsigned i = 0; i < count[2]; i++) {
    unsigned var = next_number(at) / 2;
    n->latch[i].var = var, n->latch[i].next = next_number(at);
    n->var[var].kind = VAR_LATCH, n->var[var].index = i;
    *at += strcspn(*at, "\n"); /* its start value: ours is random */
  }
  for (unsigned i = 0; i < count[3]; i++) outputs[i] = next_number(at);
  for (unsigned i = 0; i < count[4]; i++) {
    unsigned var = next_number(at) / 2;
    n->var[var].kind = VAR_AND;
    n->var[var].a = next_number(at), n->var[var].b = next_number(at);
  }
}

/* `i12 NAME[3]` or `o0 NAME`. */
static void read_symbol(struct mutant_net *n, const struct simt_config *cfg, const char *line, const unsigned *outputs,
                        const unsigned *inputs) {
  unsigned number, bit = 0;
  char name[SIMT_NAME_MAX + 32];
  bool input = line[0] == 'i';
  if (sscanf(line + 1, "%u %90[^[\n][%u]", &number, name, &bit) < 2) return;
  if (!strcmp(name, "site_y") && input) {
    n->var[inputs[number]].kind = VAR_SITE, n->var[inputs[number]].index = bit;
  } else if (!strcmp(name, "site_a") && !input) {
    n->driver[bit] = outputs[number];
  } else {
    const struct simt_port *p = simt_find_port(cfg, name);
    if (!p || p->role == SIMT_CLOCK) return;
    if (input) n->in[32 * p->word + bit] = inputs[number];
    else n->out[32 * p->word + bit] = outputs[number];
  }
}

static void *zeros(size_t n, size_t size) {
  void *p = calloc(n + 1, size);
  if (!p) abort();
  return p;
}

static bool read_aiger(struct mutant_net *n, const struct simt_config *cfg, struct simt_diag *diag) {
  char *at = n->aiger.file[0].text.s;
  unsigned count[5];
  if (strncmp(at, "aag ", 4)) return simt_fail(diag, "aiger", at, "a file that begins with aag");
  at += 4;
  for (int i = 0; i < 5; i++) count[i] = next_number(&at);
  n->n_vars = count[0] + 1;
  n->n_latches = count[2];
  n->var = zeros(n->n_vars, sizeof *n->var);
  n->latch = zeros(n->n_latches, sizeof *n->latch);
  n->driver = zeros(n->n_sites, sizeof *n->driver);
  n->read_by = zeros(n->n_sites, sizeof *n->read_by);
  n->in = zeros(32 * cfg->desc.in_words, sizeof *n->in);
  n->out = zeros(32 * cfg->desc.out_words, sizeof *n->out);
  unsigned *inputs = zeros(count[1], sizeof *inputs), *outputs = zeros(count[3], sizeof *outputs);
  read_gates(n, &at, count, outputs, inputs);
  for (char *line = strchr(at, '\n'); line && line[1] && line[1] != 'c'; line = strchr(line + 1, '\n'))
    read_symbol(n, cfg, line + 1, outputs, inputs);
  for (unsigned m = 0; m < n->n_memories; m++)
    for (unsigned b = 0; b < n->memory[m].width; b++) n->read_by[n->memory[m].rd_data + b] = m + 1;
  free(inputs);
  free(outputs);
  return true;
}

bool mutant_net_make(struct mutant_net *n, const struct simt_config *cfg, struct simt_diag *diag) {
  struct fileset rtl = {0}, json = {0};
  *n = (struct mutant_net){.places = json_object()};
  bool ok = emit_rtl(&rtl, "rtl", cfg, diag) && script(&n->design, &rtl, cfg, PREPARE, "design.il", diag) &&
            script(&json, &n->design, cfg, "write_json netlist.v", "cells.json", diag) &&
            open_sites(n, &json, cfg, diag) && script(&n->aiger, &json, cfg, TO_GATES, "sites.aag", diag) &&
            read_aiger(n, cfg, diag);
  fileset_free(&rtl);
  fileset_free(&json);
  return ok;
}

void mutant_net_free(struct mutant_net *n) {
  fileset_free(&n->design);
  fileset_free(&n->aiger);
  free(n->var);
  free(n->latch);
  free(n->driver);
  free(n->read_by);
  free(n->in);
  free(n->out);
  free(n->memory);
  json_decref(n->places);
  *n = (struct mutant_net){.n_vars = 0};
}
