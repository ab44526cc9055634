/* SPDX-License-Identifier: Apache-2.0 */
/* system.c: a Verilog top for a topology whose units name their modules: units, front end, and one memory port for the
 * hub and for all units that have one. Modules are Verilog files beside the topology; what they must have is the
 * contract of docs/unit_status_cells.md, all other ports of a unit lead outside. */
#include <stdlib.h>
#include <string.h>

#include "emit/svg.h"
#include "verilog.h"
#include "core/context_port.h"
#include "core/topology.h"
#include "core/unit_status.h"

enum { MOST_CLIENTS = 64, WIDEST = 2048, WIDEST_TAG = 32 };

struct memory_port { unsigned tag_w, addr_w, data_w; };
struct unit_kind { /* a module that units name */
  const char *name;
  struct verilog_module head;
  char from[80];               /* where it was found, from the folder of the topology */
  bool has_memory;
  struct memory_port memory;
};
struct memory_client { unsigned unit; struct memory_port at; unsigned place_w; }; /* of the memory; the first one is the hub */
struct system {
  const struct simt_config *cfg;
  struct simt_topology t;
  struct simt_config contract; /* its ports: what every unit has */
  struct unit_kind *kind;
  size_t n_kinds;
  struct unit_kind **of;            /* by unit number */
  struct memory_client client[MOST_CLIENTS];
  unsigned n_clients, tag_w, addr_w, data_w;
};

static const struct simt_cell *cell_of(const struct system *s, unsigned unit) {
  return &s->cfg->records.list[SIMT_LIST_UNITS].record[s->t.unit[unit].record].cell[SIMT_UNIT_MODULE];
}

static bool wrong(const struct system *s, unsigned unit, struct simt_diag *diag, const char *expected, const char *what) {
  const struct simt_cell *c = cell_of(s, unit);
  return simt_fail_at(diag, &s->cfg->records, c->line, c->col, "module", c->text, "%s (%s)", expected, what);
}

/* ---- the modules ----------------------------------------------------------------------------------- */

/* The text of the file that has the module, or NULL. */
static char *find_source(const struct system *s, struct unit_kind *k) {
  const char *file = s->cfg->records.file, *slash = strrchr(file, '/');
  static const char *const places[] = {"%s.v", "%s/rtl/%s.v", "system/ports/%s.v"};
  for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
    char path[400];
    struct simt_diag none = {0};
    snprintf(k->from, sizeof k->from, i == 1 ? "%s/rtl/%s.v" : i ? "system/ports/%s.v" : "%s.v", k->name, k->name);
    snprintf(path, sizeof path, "%.*s%s", slash ? (int)(slash - file) + 1 : 0, file, k->from);
    char *text = file_read(path, NULL, &none);
    if (text) return text;
  }
  return NULL;
}

/* A port of the contract: the same direction, the same width. */
static bool has_port(const struct system *s, unsigned unit, const struct unit_kind *k, const struct simt_port *p, unsigned width, struct simt_diag *diag) {
  const struct verilog_port *got = verilog_find(&k->head, p->name);
  char expected[120], what[200];
  snprintf(expected, sizeof expected, "a module with the port %s, an %s of %u bit%s", p->name, p->dir == SIMT_IN ? "input" : "output",
           width, width == 1 ? "" : "s");
  if (got && got->in == (p->dir == SIMT_IN) && got->width == width) return true;
  if (got) snprintf(what, sizeof what, "in %s it is an %s of %u", k->from, got->in ? "input" : "output", got->width);
  else snprintf(what, sizeof what, "%s has no such port; the contract is in docs/unit_status_cells.md", k->from);
  return wrong(s, unit, diag, expected, what);
}

/* The memory port, if there is one: all of it, widths that fit each other. */
static bool find_memory(const struct system *s, unsigned unit, struct unit_kind *k, struct simt_diag *diag) {
  struct simt_config all = {.block = s->cfg->block};
  const struct verilog_port *tag = verilog_find(&k->head, "mem_req_tag_o"), *addr = verilog_find(&k->head, "mem_req_addr_o"),
                            *data = verilog_find(&k->head, "mem_req_data_o");
  k->has_memory = verilog_find(&k->head, "mem_req_valid_o");
  if (!k->has_memory) return true;
  k->memory = (struct memory_port){tag ? tag->width : 1, addr ? addr->width : 32, data ? data->width : 32};
  simt_add_mem_port(&all.desc, &(struct simt_mem_widths){k->memory.addr_w, k->memory.data_w, k->memory.tag_w});
  bool good = true;
  for (size_t i = 0; good && i < all.desc.n_ports; i++)
    good = has_port(s, unit, k, &all.desc.ports[i], all.desc.ports[i].width, diag);
  simt_config_free(&all);
  return good && (k->memory.data_w % 8 == 0 || wrong(s, unit, diag, "a memory port of whole bytes", "data of mem_req_data_o"));
}

static bool read_kind(struct system *s, unsigned unit, struct unit_kind *k, struct simt_diag *diag) {
  char problem[200], places[160];
  char *text = find_source(s, k);
  snprintf(places, sizeof places, "%s.v, %s/rtl/%s.v or system/ports/%s.v", k->name, k->name, k->name, k->name);
  if (!text) return wrong(s, unit, diag, "a Verilog file of that name beside the topology", places);
  bool good = verilog_read(text, k->name, &k->head, problem, sizeof problem);
  free(text);
  if (!good) {
    char what[300];
    snprintf(what, sizeof what, "%s, %s", k->from, problem);
    return wrong(s, unit, diag, "a module whose ports are declared in its head", what);
  }
  for (size_t i = 0; good && i < s->contract.desc.n_ports; i++)
    good = has_port(s, unit, k, &s->contract.desc.ports[i], s->contract.desc.ports[i].width, diag);
  return good && find_memory(s, unit, k, diag);
}

static bool read_kinds(struct system *s, struct simt_diag *diag) {
  for (unsigned u = 0; u < s->t.units; u++) {
    size_t i = 0;
    const char *name = cell_of(s, u)->text;
    while (i < s->n_kinds && strcmp(s->kind[i].name, name)) i++;
    if (i == s->n_kinds) {
      s->kind[i].name = name;
      s->n_kinds++;
      if (!read_kind(s, u, &s->kind[i], diag)) return false;
    }
    s->of[u] = &s->kind[i];
  }
  return true;
}

/* ---- memory ---------------------------------------------------------------------------------------- */

static bool power_of_two(unsigned n) { return n && !(n & (n - 1)); }

static bool fit_client(struct system *s, struct memory_client *c, struct simt_diag *diag) {
  char what[120];
  snprintf(what, sizeof what, "%u bits beside %u", c->at.data_w, s->data_w);
  const bool fits = c->at.data_w == s->data_w || (power_of_two(c->at.data_w) && power_of_two(s->data_w) && s->data_w <= WIDEST && c->at.addr_w >= 16);
  if (!fits && c == s->client)
    return simt_fail(diag, "module", what, "memory ports of powers of two bits, when they differ (the hub has %u)", c->at.data_w);
  if (!fits) return wrong(s, c->unit, diag, "memory ports of powers of two bits, when they differ", what);
  c->place_w = simt_clog2(s->data_w / c->at.data_w);
  if (c->at.tag_w + c->place_w > s->tag_w) s->tag_w = c->at.tag_w + c->place_w;
  return true;
}

static bool find_clients(struct system *s, struct simt_diag *diag) {
  const struct simt_port *tag = simt_find_port(s->cfg, "mem_req_tag_o");
  if (!tag)
    return simt_fail(diag, "bus", "axi4", "plain, when units name modules: they share the memory port; put the bus behind the system's");
  s->client[s->n_clients++] = (struct memory_client){.at = {tag->width, simt_find_port(s->cfg, "mem_req_addr_o")->width, simt_find_port(s->cfg, "mem_req_data_o")->width}};
  for (unsigned u = 0; u < s->t.units; u++) {
    if (!s->of[u]->has_memory) continue;
    if (s->n_clients == MOST_CLIENTS) return wrong(s, u, diag, "at most 63 units with a memory port", "join those of a group before");
    s->client[s->n_clients++] = (struct memory_client){.unit = u, .at = s->of[u]->memory};
  }
  for (unsigned i = 0; i < s->n_clients; i++) {
    if (s->client[i].at.data_w > s->data_w) s->data_w = s->client[i].at.data_w;
    if (s->client[i].at.addr_w > s->addr_w) s->addr_w = s->client[i].at.addr_w;
  }
  for (unsigned i = 0; i < s->n_clients; i++)
    if (!fit_client(s, &s->client[i], diag)) return false;
  return s->tag_w + simt_clog2(s->n_clients) <= WIDEST_TAG ||
         simt_fail(diag, "module", "tags of many bits", "at most %d bits of tag at the common memory port", WIDEST_TAG);
}

/* ---- names outside ---------------------------------------------------------------------------------- */

static bool starts(const char *s, const char *with) { return !strncmp(s, with, strlen(with)); }

/* A port of the front end that leads outside as it is. */
static bool of_front_end(const struct simt_port *p) {
  return p->role == SIMT_DATA && !starts(p->name, "unit_") && !starts(p->name, "ctx_") && !starts(p->name, "mem_");
}

static bool is_memory(const struct unit_kind *k, const char *name) {
  return k->has_memory && (starts(name, "mem_req_") || starts(name, "mem_rsp_"));
}

/* A port of a unit that leads outside, as UNIT_PORT. */
static bool of_unit(const struct system *s, const struct unit_kind *k, const struct verilog_port *p) {
  return !simt_find_port(&s->contract, p->name) && !is_memory(k, p->name);
}

static int by_text(const void *a, const void *b) { return strcmp(*(char *const *)a, *(char *const *)b); }

/* No two ports of the system have one name. */
static bool check_names(const struct system *s, struct simt_diag *diag) {
  size_t n = 0, room = s->cfg->desc.n_ports;
  for (unsigned u = 0; u < s->t.units; u++) room += s->of[u]->head.n;
  char **name = calloc(room + 1, sizeof *name), made[200];
  if (!name) abort();
  for (size_t i = 0; i < s->cfg->desc.n_ports; i++) name[n++] = strdup(s->cfg->desc.ports[i].name);
  for (unsigned u = 0; u < s->t.units; u++)
    for (size_t i = 0; i < s->of[u]->head.n; i++) {
      if (!of_unit(s, s->of[u], &s->of[u]->head.port[i])) continue;
      snprintf(made, sizeof made, "%s_%s", s->t.unit[u].name, s->of[u]->head.port[i].name);
      name[n++] = strdup(made);
    }
  qsort(name, n, sizeof *name, by_text);
  bool good = true;
  for (size_t i = 1; good && i < n; i++)
    if (!strcmp(name[i - 1], name[i]))
      good = simt_fail(diag, "units", name[i], "another name of the unit: the system would have two ports of this name");
  for (size_t i = 0; i < n; i++) free(name[i]);
  free(name);
  return good;
}

/* ---- Verilog: ports and wires -------------------------------------------------------------------------- */

static void range(struct text *t, unsigned width) {
  if (width > 1) text_add(t, "[%u:0] ", width - 1);
}

static void outer_port(struct text *t, bool comma, bool in, unsigned width, const char *before, const char *name) {
  text_add(t, "%s\n  %s wire ", comma ? "," : "", in ? "input " : "output");
  range(t, width);
  text_add(t, "%s%s", before, name);
}

static void outer_ports(struct text *t, const struct system *s) {
  struct simt_config memory = {.block = s->cfg->block};
  simt_add_mem_port(&memory.desc, &(struct simt_mem_widths){s->addr_w, s->data_w, s->tag_w + simt_clog2(s->n_clients)});
  text_add(t, "  input  wire clk_i,\n  input  wire rst_i");
  for (size_t i = 0; i < s->cfg->desc.n_ports; i++) {
    const struct simt_port *p = &s->cfg->desc.ports[i];
    if (of_front_end(p)) outer_port(t, true, p->dir == SIMT_IN, p->width, "", p->name);
  }
  text_add(t, ",\n\n  // ---- memory of the contexts%s", s->n_clients > 1 ? " and of the units" : "");
  for (size_t i = 0; i < memory.desc.n_ports; i++)
    outer_port(t, i, memory.desc.ports[i].dir == SIMT_IN, memory.desc.ports[i].width, "", memory.desc.ports[i].name);
  for (unsigned u = 0; u < s->t.units; u++) {
    const struct unit_kind *k = s->of[u];
    char before[SIMT_NAME_MAX + 2];
    snprintf(before, sizeof before, "%s_", s->t.unit[u].name);
    bool first = true;
    for (size_t i = 0; i < k->head.n; i++) {
      if (!of_unit(s, k, &k->head.port[i])) continue;
      if (first) text_add(t, ",\n\n  // ---- unit %u: %s, a %s", u, s->t.unit[u].name, k->name);
      outer_port(t, !first, k->head.port[i].in, k->head.port[i].width, before, k->head.port[i].name);
      first = false;
    }
  }
  text_add(t, "\n);\n");
  simt_config_free(&memory);
}

/* The name of the front end's vector that a port of the contract is a part of. */
static const struct simt_port *vector_of(const struct system *s, const struct simt_port *p, char stem[80]) {
  char name[96];
  const char *from = starts(p->name, "cmd_") ? p->name + 4 : p->name;
  snprintf(stem, 80, "%s%.*s", starts(p->name, "ctx_") ? "" : "unit_", (int)strlen(from) - 2, from);
  snprintf(name, sizeof name, "%s_%c", stem, p->dir == SIMT_IN ? 'o' : 'i');
  return simt_find_port(s->cfg, name);
}

static void inner_wires(struct text *t, const struct system *s) {
  text_add(t, "\n  // ---- between the front end and the units, by number of the unit\n");
  for (size_t i = 0; i < s->cfg->desc.n_ports; i++) {
    const struct simt_port *p = &s->cfg->desc.ports[i];
    if (!starts(p->name, "unit_") && !starts(p->name, "ctx_")) continue;
    text_add(t, "  wire ");
    range(t, p->width);
    text_add(t, "%.*s;\n", (int)strlen(p->name) - 2, p->name);
  }
}

/* ---- Verilog: memory ------------------------------------------------------------------------------------- */

static void client_wires(struct text *t, const struct system *s) {
  const unsigned n = s->n_clients;
  if (n < 2) return;
  text_add(t, "\n  // ---- between the clients of the memory and mem_join; client 0 is the hub\n  wire [%u:0] cl_req_valid, cl_req_ready, cl_req_write, cl_rsp_valid, cl_rsp_ready;\n"
              "  wire [%u:0] cl_req_tag;\n  wire [%u:0] cl_req_addr;\n  wire [%u:0] cl_req_data;\n  wire [%u:0] cl_req_strb;\n"
              "  wire [%u:0] cl_rsp_tag;\n  wire [%u:0] cl_rsp_data;\n  wire [1:0] cl_rsp_error;\n",
           n - 1, n * s->tag_w - 1, n * s->addr_w - 1, n * s->data_w - 1, n * s->data_w / 8 - 1, s->tag_w - 1, s->data_w - 1);
  for (unsigned i = 0; i < n; i++) {
    const struct memory_client *c = &s->client[i];
    if (c->place_w)
      text_add(t, "  wire [%u:0] m%u_req_tag, m%u_rsp_tag;\n  wire [%u:0] m%u_req_addr;\n  wire [%u:0] m%u_req_data, m%u_rsp_data;\n  wire [%u:0] m%u_req_strb;\n",
               c->at.tag_w - 1, i, i, c->at.addr_w - 1, i, c->at.data_w - 1, i, i, c->at.data_w / 8 - 1, i);
  }
}

/* A slice of a clients' vector, `used` bits of it. */
static void slice(struct text *t, const char *port, const char *vector, unsigned at, unsigned each, unsigned used) {
  if (each == 1) text_add(t, ",\n    .%s(%s[%u])", port, vector, at);
  else text_add(t, ",\n    .%s(%s[%u:%u])", port, vector, at * each + used - 1, at * each);
}

/* The memory port of client i, in the list of an instance's connections. */
static void connect_memory(struct text *t, const struct system *s, unsigned i) {
  static const char *const alone[] = {"req_valid_o", "req_ready_i", "req_write_o", "req_tag_o", "req_addr_o", "req_data_o", "req_strb_o",
                                      "rsp_valid_i", "rsp_ready_o", "rsp_tag_i", "rsp_data_i", "rsp_error_i"};
  const struct memory_client *c = &s->client[i];
  if (s->n_clients < 2) {
    for (size_t k = 0; k < sizeof alone / sizeof *alone; k++) text_add(t, ",\n    .mem_%s(mem_%s)", alone[k], alone[k]);
    return;
  }
  text_add(t, ",\n    .mem_req_valid_o(cl_req_valid[%u]),\n    .mem_req_ready_i(cl_req_ready[%u]),\n    .mem_req_write_o(cl_req_write[%u]),\n"
              "    .mem_rsp_valid_i(cl_rsp_valid[%u]),\n    .mem_rsp_ready_o(cl_rsp_ready[%u]),\n    .mem_rsp_error_i(cl_rsp_error)", i, i, i, i, i);
  if (c->place_w) {
    text_add(t, ",\n    .mem_req_tag_o(m%u_req_tag),\n    .mem_req_addr_o(m%u_req_addr),\n    .mem_req_data_o(m%u_req_data),\n    .mem_req_strb_o(m%u_req_strb),\n"
                "    .mem_rsp_tag_i(m%u_rsp_tag),\n    .mem_rsp_data_i(m%u_rsp_data)", i, i, i, i, i, i);
    return;
  }
  slice(t, "mem_req_tag_o", "cl_req_tag", i, s->tag_w, c->at.tag_w);
  slice(t, "mem_req_addr_o", "cl_req_addr", i, s->addr_w, c->at.addr_w);
  slice(t, "mem_req_data_o", "cl_req_data", i, s->data_w, s->data_w);
  slice(t, "mem_req_strb_o", "cl_req_strb", i, s->data_w / 8, s->data_w / 8);
  slice(t, "mem_rsp_tag_i", "cl_rsp_tag", 0, s->tag_w, c->at.tag_w);
  text_add(t, ",\n    .mem_rsp_data_i(cl_rsp_data)");
}

/* What a client leaves open of its slices, and the cell for one that is narrower than the memory. */
static void adapt_client(struct text *t, const struct system *s, unsigned i) {
  const struct memory_client *c = &s->client[i];
  const unsigned tag_w = c->at.tag_w + c->place_w, tag = i * s->tag_w, addr = i * s->addr_w;
  if (c->place_w) {
    text_add(t, "  %s_mem_widen #(.TAG_W(%u), .ADDR_W(%u), .NARROW_W(%u), .WIDE_W(%u)) u_widen_%u (\n    .narrow_req_tag_i(m%u_req_tag), .narrow_req_addr_i(m%u_req_addr), "
                ".narrow_req_data_i(m%u_req_data), .narrow_req_strb_i(m%u_req_strb), .narrow_rsp_tag_o(m%u_rsp_tag), .narrow_rsp_data_o(m%u_rsp_data)",
             s->cfg->name, c->at.tag_w, c->at.addr_w, c->at.data_w, s->data_w, i, i, i, i, i, i, i);
    slice(t, "wide_req_tag_o", "cl_req_tag", i, s->tag_w, tag_w);
    slice(t, "wide_req_addr_o", "cl_req_addr", i, s->addr_w, c->at.addr_w);
    slice(t, "wide_req_data_o", "cl_req_data", i, s->data_w, s->data_w);
    slice(t, "wide_req_strb_o", "cl_req_strb", i, s->data_w / 8, s->data_w / 8);
    slice(t, "wide_rsp_tag_i", "cl_rsp_tag", 0, s->tag_w, tag_w);
    text_add(t, ",\n    .wide_rsp_data_i(cl_rsp_data)\n  );\n");
  }
  if (tag_w < s->tag_w) text_add(t, "  assign cl_req_tag[%u:%u] = %u'd0;\n", tag + s->tag_w - 1, tag + tag_w, s->tag_w - tag_w);
  if (c->at.addr_w < s->addr_w)
    text_add(t, "  assign cl_req_addr[%u:%u] = %u'd0;\n", addr + s->addr_w - 1, addr + c->at.addr_w, s->addr_w - c->at.addr_w);
}

static void join(struct text *t, const struct system *s) {
  static const char *const cl[] = {"req_valid", "req_ready", "req_write", "req_tag", "req_addr", "req_data", "req_strb", "rsp_valid", "rsp_ready",
                                   "rsp_tag", "rsp_data", "rsp_error"};
  static const char cl_way[] = "ioiiiiioiooo";
  if (s->n_clients < 2) return;
  text_add(t, "\n");
  for (unsigned i = 0; i < s->n_clients; i++) adapt_client(t, s, i);
  text_add(t, "\n  %s_mem_join #(.CLIENTS(%u), .TAG_W(%u), .ADDR_W(%u), .DATA_W(%u)) u_mem_join (\n    .clk_i(clk_i), .rst_i(rst_i)", s->cfg->name,
           s->n_clients, s->tag_w, s->addr_w, s->data_w);
  for (size_t k = 0; k < sizeof cl / sizeof *cl; k++) {
    const char mem_way = cl_way[k] == 'i' ? 'o' : 'i';
    text_add(t, ",\n    .cl_%s_%c(cl_%s), .mem_%s_%c(mem_%s_%c)", cl[k], cl_way[k], cl[k], cl[k], mem_way, cl[k], mem_way);
  }
  text_add(t, "\n  );\n");
}

/* ---- Verilog: instances -------------------------------------------------------------------------------------- */

static void block_instance(struct text *t, const struct system *s) {
  text_add(t, "\n  %s u_front_end (\n    .clk_i(clk_i), .rst_i(rst_i)", s->cfg->name);
  for (size_t i = 0; i < s->cfg->desc.n_ports; i++) {
    const struct simt_port *p = &s->cfg->desc.ports[i];
    if (of_front_end(p)) text_add(t, ",\n    .%s(%s)", p->name, p->name);
    else if (starts(p->name, "unit_") || starts(p->name, "ctx_")) text_add(t, ",\n    .%s(%.*s)", p->name, (int)strlen(p->name) - 2, p->name);
  }
  connect_memory(t, s, 0);
  text_add(t, "\n  );\n");
}

static void one_unit(struct text *t, const struct system *s, unsigned u, unsigned client) {
  const struct unit_kind *k = s->of[u];
  text_add(t, "\n  %s u_%s (\n    .clk_i(clk_i), .rst_i(rst_i), .ctx_unit_i(16'd%u)", k->name, s->t.unit[u].name, u);
  for (size_t i = 0; i < s->contract.desc.n_ports; i++) {
    const struct simt_port *p = &s->contract.desc.ports[i];
    char stem[80];
    if (p->role != SIMT_DATA || !strcmp(p->name, "ctx_unit_i")) continue;
    if (vector_of(s, p, stem)->width != s->t.units * p->width) text_add(t, ",\n    .%s(%s)", p->name, stem); /* shared */
    else if (s->t.units == 1) text_add(t, ",\n    .%s(%s)", p->name, stem);
    else slice(t, p->name, stem, u, p->width, p->width);
  }
  if (k->has_memory) connect_memory(t, s, client);
  for (size_t i = 0; i < k->head.n; i++)
    if (of_unit(s, k, &k->head.port[i])) text_add(t, ",\n    .%s(%s_%s)", k->head.port[i].name, s->t.unit[u].name, k->head.port[i].name);
  text_add(t, "\n  );\n");
}

static void emit_module(struct text *t, const struct system *s) {
  char what[200];
  snprintf(what, sizeof what, "%s_system.v: %u units, their front end %s and one memory port", s->cfg->name, s->t.units, s->cfg->name);
  emit_header_comment(t, s->cfg, "//", what);
  text_add(t, "`default_nettype none\n\nmodule %s_system (\n", s->cfg->name);
  outer_ports(t, s);
  inner_wires(t, s);
  client_wires(t, s);
  block_instance(t, s);
  for (unsigned u = 0, client = 1; u < s->t.units; u++) {
    one_unit(t, s, u, client);
    client += s->of[u]->has_memory;
  }
  join(t, s);
  text_add(t, "endmodule\n\n`default_nettype wire\n");
}

/* ---- beside it -------------------------------------------------------------------------------------------------- */

/* The ports of a unit's module as numbers: a black box for tools, and all that this program reads of it. */
static void emit_ports(struct text *t, const struct system *s, const struct unit_kind *k) {
  char what[200];
  snprintf(what, sizeof what, "ports/%s.v: the ports of %s as the system was made for; the module itself is elsewhere", k->name, k->name);
  emit_header_comment(t, s->cfg, "//", what);
  text_add(t, "`default_nettype none\n\n(* blackbox *)\nmodule %s (", k->name);
  for (size_t i = 0; i < k->head.n; i++) {
    text_add(t, "%s\n  %s wire ", i ? "," : "", k->head.port[i].in ? "input " : "output");
    range(t, k->head.port[i].width);
    text_add(t, "%s", k->head.port[i].name);
  }
  text_add(t, "\n);\nendmodule\n\n`default_nettype wire\n");
}

static void emit_list(struct text *t, const struct system *s, const struct fileset *fs) {
  char what[200];
  snprintf(what, sizeof what, "%s_system.f: the Verilog files of the system but for the units' modules, relative to this folder", s->cfg->name);
  emit_header_comment(t, s->cfg, "//", what);
  for (size_t i = 0; i < fs->n; i++) {
    const char *path = fs->file[i].path, *dot = strrchr(path, '.');
    if (!dot || strcmp(dot, ".v")) continue;
    if (starts(path, "rtl/")) text_add(t, "../%s\n", path);
    else if (starts(path, "system/") && !starts(path, "system/ports/")) text_add(t, "%s\n", path + 7);
  }
}

static void emit_readme(struct text *t, const struct system *s) {
  const char *name = s->cfg->name;
  enum { LISTED = 16 };
  text_add(t, "# %s_system\n\n`%s_system.v` is %u units, their front end `%s` and one memory port (data of %u bits, tags of %u). Its units by number: ", name, name,
           s->t.units, name, s->data_w, s->tag_w + simt_clog2(s->n_clients));
  for (unsigned u = 0; u < s->t.units && u < LISTED; u++) text_add(t, "%s%u `%s` (%s)", u ? ", " : "", u, s->t.unit[u].name, s->of[u]->name);
  text_add(t, "%s.\n- Build: the files of `%s_system.f`, and the Verilog of the modules", s->t.units > LISTED ? ", and more (the datasheet lists them)" : "", name);
  for (size_t i = 0; i < s->n_kinds; i++) text_add(t, "%s `%s`", i ? "," : "", s->kind[i].name);
  text_add(t, "; `ports/` has their ports as black boxes.\n"
              "- Ports: `reg_*` or `s_axil_*` and `irq_o` are the front end's; `mem_*` is the memory of the contexts%s; `UNIT_PORT` is a port of one unit.\n"
              "- The streams between units are for you to connect outside, at the units' ports; the topology says only that they are switched together.\n"
              "- Contexts lie at `FEM_SAVE_BASE` + number * %llu bytes; units with a memory port must be told, by their registers, to stay out of there, and of each other.\n"
              "- A switch: write `FEM_DOMAIN`, `FEM_SAVE_BASE`, `FEM_LOAD_BASE`, then 1 to `FEM_COMMAND` (2 saves only, 3 restores only, 4 starts empty); wait for `irq_o`.\n"
              "- Addresses and bits of the registers: `regs.h`; what each means: `doc/`.\n",
           s->n_clients > 1 ? " and of all units that have such a port" : "", 1ULL << simt_param(s->cfg, "CTX_STRIDE_LG"));
}

static bool emit_files(struct fileset *fs, const struct system *s, struct simt_diag *diag) {
  bool narrow = false;
  for (unsigned i = 0; i < s->n_clients; i++) narrow = narrow || s->client[i].place_w;
  const char *cells[] = {s->n_clients > 1 ? "mem_join" : NULL, narrow ? "mem_widen" : NULL, NULL};
  emit_module(fileset_add(fs, "system/%s_system.v", s->cfg->name), s);
  if (!emit_cells(fs, "system", s->cfg, cells, diag)) return false;
  for (size_t i = 0; i < s->n_kinds; i++) emit_ports(fileset_add(fs, "system/ports/%s.v", s->kind[i].name), s, &s->kind[i]);
  emit_readme(fileset_add(fs, "system/README.md"), s);
  struct text list = {0};
  emit_list(&list, s, fs);
  text_add(fileset_add(fs, "system/%s_system.f", s->cfg->name), "%s", list.s);
  text_free(&list);
  return true;
}

bool emit_system(struct fileset *fs, const struct simt_config *cfg, struct simt_diag *diag) {
  struct system s = {.cfg = cfg, .contract = {.block = cfg->block}};
  if (!has_topology(cfg) || !simt_find_port(cfg, "unit_halt_o") || !simt_find_port(cfg, "ctx_cmd_valid_o") || !cfg->records.given) return true;
  bool good = simt_topology_make(cfg, &s.t, diag);
  if (good && cell_of(&s, 0)->given) {
    s.kind = calloc(s.t.units, sizeof *s.kind);
    s.of = calloc(s.t.units, sizeof *s.of);
    if (!s.kind || !s.of) abort();
    simt_add_clock_reset(&s.contract.desc);
    simt_add_status_ports(&s.contract.desc, (enum simt_status_encoding)simt_param(cfg, "ENCODING"));
    simt_add_context_ports(&s.contract.desc);
    good = read_kinds(&s, diag) && find_clients(&s, diag) && check_names(&s, diag) && emit_files(fs, &s, diag);
  }
  for (size_t i = 0; i < s.n_kinds; i++) verilog_free(&s.kind[i].head);
  free(s.kind);
  free(s.of);
  simt_config_free(&s.contract);
  simt_topology_free(&s.t);
  return good;
}
