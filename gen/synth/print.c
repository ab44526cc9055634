/* SPDX-License-Identifier: Apache-2.0 */
/* print.c: the result of `simtgen synth` as text and as JSON. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "synth/synth.h"

enum { SCHEMA = 2, MAX_HOPS = 64 };

static const struct synth_seed *sorted(const struct synth_result *r, unsigned place) {
  for (unsigned i = 0; i < r->n_seeds; i++) { /* the seed with `place` results before it; few seeds */
    unsigned before = 0;
    const struct synth_seed *s = &r->seed[i];
    if (s->fmax <= 0) continue;
    for (unsigned k = 0; k < r->n_seeds; k++) {
      double f = r->seed[k].fmax;
      before += f > 0 && (f < s->fmax || (k < i && f <= s->fmax));
    }
    if (before == place) return s;
  }
  return NULL;
}

const struct synth_seed *synth_spread(const struct synth_result *r, double *least, double *middle, double *most) {
  const struct synth_seed *a = sorted(r, (r->n_done - 1) / 2), *b = sorted(r, r->n_done / 2);
  *least = sorted(r, 0)->fmax;
  *most = sorted(r, r->n_done - 1)->fmax;
  *middle = (a->fmax + b->fmax) / 2;
  return a;
}

/* ---- critical path ------------------------------------------------------------------------------------------ */

struct hop { char name[256], place[120]; double ns; unsigned times; }; /* ns: arrival there */
struct path { struct hop hop[MAX_HOPS]; unsigned n, cells; double logic, routing; };

static void add_hop(struct path *p, const char *name, const char *place, double ns) {
  struct hop *last = p->n ? &p->hop[p->n - 1] : NULL;
  if (last && !strcmp(last->name, name)) { /* a carry chain, or several cells of one expression */
    last->ns = ns;
    last->times++;
  } else if (p->n < MAX_HOPS) {
    struct hop *h = &p->hop[p->n++];
    h->ns = ns;
    h->times = 1;
    snprintf(h->name, sizeof h->name, "%s", name);
    snprintf(h->place, sizeof h->place, "%s", place);
  }
}

/* The slowest path from register to register in nextpnr's report (which also has those of the pins). */
static json_t *slowest(json_t *report) {
  json_t *found = NULL, *entry, *part;
  size_t i, k;
  double most = -1;
  json_array_foreach(json_object_get(report, "critical_paths"), i, entry) {
    const char *from = json_string_value(json_object_get(entry, "from"));
    const char *to = json_string_value(json_object_get(entry, "to"));
    if (!from || !to || !strcmp(from, "<async>") || !strcmp(to, "<async>")) continue;
    double sum = 0;
    json_array_foreach(json_object_get(entry, "path"), k, part)
      sum += json_number_value(json_object_get(part, "delay"));
    if (sum > most) {
      most = sum;
      found = json_object_get(entry, "path");
    }
  }
  return found;
}

static void find_path(const struct synth_result *r, const struct synth_seed *s, struct path *p) {
  json_t *part;
  size_t i;
  double ns = 0;
  char name[256], place[120];
  json_array_foreach(slowest(s->report), i, part) {
    const char *type = json_string_value(json_object_get(part, "type"));
    double delay = json_number_value(json_object_get(part, "delay"));
    ns += delay;
    if (type && !strcmp(type, "cell")) { /* a standard cell; wires have no delay yet */
      const char *cell = json_string_value(json_object_get(part, "cell"));
      p->logic += delay;
      p->cells += delay > 0;
      synth_source_name(cell ? cell : "", name, sizeof name);
      if (delay > 0) add_hop(p, name, "", ns);
      continue;
    }
    if (type && !strcmp(type, "routing")) {
      const char *net = json_string_value(json_object_get(part, "net"));
      p->routing += delay;
      synth_source_net(r, net ? net : "", name, sizeof name, place);
      add_hop(p, name, place, ns);
      continue;
    }
    p->logic += delay;
    p->cells += type && !strcmp(type, "logic");
    if (type && !strcmp(type, "setup")) {
      const char *cell = json_string_value(json_object_get(json_object_get(part, "to"), "cell"));
      synth_source_name(cell ? cell : "", name, sizeof name);
      add_hop(p, name, "", ns);
    }
  }
}

/* ---- text --------------------------------------------------------------------------------------------------- */

/* Columns of the table, by what kind of cells there are. */
static void print_columns(const struct synth_result *r) {
  if (r->target->kind == SYNTH_CELLS)
    printf("  %-50s %12s %10s %7s %7s %7s %8s\n", "hierarchy (a line holds all below it)", "area", "gates", "cells", "FF", "macros", "RAM bit");
  else
    printf("  %-50s %6s %6s %6s %5s %8s %8s\n", "hierarchy (a line holds all below it)",
           r->target->kind == SYNTH_MAPPED ? "LUT" : "LUT4", "FF", "carry", "RAMs", "RAM bit", "LUT-RAM");
}

static void print_count(const struct synth_result *r, const char *name, unsigned instances, const struct synth_count *n) {
  char many[16] = "";
  if (instances > 1) snprintf(many, sizeof many, " x%u", instances);
  printf("  %-44s%-6s ", name, many);
  if (r->target->kind == SYNTH_CELLS)
    printf("%12.1f %10.0f %7u %7u %7u %8u\n", n->area, n->area / r->gate_area, n->cells, n->ff, n->ram_blocks, n->ram_bits);
  else
    printf("%6u %6u %6u %5u %8u %8u\n", n->lut, n->ff, n->carry, n->ram_blocks, n->ram_bits, n->lutram_bits);
}

static void print_resources(const struct synth_result *r) {
  print_columns(r);
  for (size_t i = 0; i < r->n_scopes; i++) {
    const char *path = r->scope[i].path;
    char name[64];
    int depth = *path ? 1 : 0;
    for (const char *s = path; *s; s++) depth += *s == '.';
    const char *last = strrchr(path, '.');
    snprintf(name, sizeof name, "%*s%.*s", 2 * (depth < 10 ? depth : 10), "", 40,
             !*path ? "the block" : last ? last + 1 : path);
    print_count(r, name, r->scope[i].instances, &r->scope[i].n);
  }
  print_count(r, "harness (not included above)", 1, &r->harness);
  if (r->target->kind == SYNTH_PLACED && r->n_seeds)
    printf("  logic cells after packing: %u, and %u of the harness (%.1f %% of the device%s)\n", r->block.cells,
           r->harness.cells, 100 * r->harness_fill, r->harness_fill > 0.1 ? ", more than the 10 % aimed at" : "");
}

static void print_path(const struct synth_result *r, const struct synth_seed *s) {
  struct path p = {0};
  find_path(r, s, &p);
  if (r->target->kind == SYNTH_CELLS)
    printf("  critical path: %.2f ns, %u cells with the register that it begins at\n", p.logic, p.cells);
  else
    printf("  critical path of seed %u: %.2f ns (%.2f logic, %.2f routing), %u cells between the registers\n", s->seed,
           p.logic + p.routing, p.logic, p.routing, p.cells);
  for (unsigned i = 0; i < p.n; i++) {
    char times[16] = "";
    if (p.hop[i].times > 1) snprintf(times, sizeof times, " (x%u)", p.hop[i].times);
    printf("    %6.2f ns  %s%s%s%s\n", p.hop[i].ns, p.hop[i].name, times, *p.hop[i].place ? "  " : "",
           p.hop[i].place);
  }
}

static void print_fmax(const struct synth_result *r) {
  if (!r->fits) {
    printf("  does not fit: %.0f %% of %s, the largest %s there is; no frequency\n", 100 * r->fill, r->device->name,
           r->target->name);
    return;
  }
  printf("  device %s, %.0f %% full%s\n", r->device->name, 100 * r->fill,
         r->fill > 0.85 ? ": no larger one there is, so the frequency suffers" : "");
  for (unsigned i = 0; i < r->n_seeds; i++)
    if (*r->seed[i].why) printf("  seed %u: %s\n", r->seed[i].seed, r->seed[i].why);
  if (!r->n_done) return;
  double least, middle, most;
  const struct synth_seed *s = synth_spread(r, &least, &middle, &most);
  char of[24] = "";
  if (r->n_done < r->n_seeds) snprintf(of, sizeof of, " (of %u)", r->n_seeds);
  printf("  fmax over %u seed%s%s: minimum %.1f, median %.1f, maximum %.1f MHz\n", r->n_done, r->n_done == 1 ? "" : "s",
         of, least, middle, most);
  print_path(r, s);
}

/* Standard cells: before placement, so without wires. */
static void print_delay(const struct synth_result *r) {
  double least, middle, most;
  printf("  %.0f gate equivalents (NAND of two inputs, area %g), %.1f area units", r->block.area / r->gate_area, r->gate_area,
         r->block.area);
  if (r->block.ram_blocks) printf(", and %u RAM macros of %u bits, whose area is not known here", r->block.ram_blocks, r->block.ram_bits);
  printf("\n");
  if (!r->n_done) {
    printf("  no delay: %s\n", r->no_delay);
    return;
  }
  const struct synth_seed *s = synth_spread(r, &least, &middle, &most);
  printf("  delay %.2f ns, %.1f MHz: registers to registers, before placement (no wires), RAM macros left out\n", 1000 / middle, middle);
  print_path(r, s);
}

void synth_print_text(const struct gen_options *o, const struct synth_result *r) {
  printf("%s on %s\n", o->cfg.name, r->target->name);
  if (o->paths) synth_print_paths(&r->paths);
  else switch (r->target->kind) {
    case SYNTH_PLACED: print_fmax(r); break;
    case SYNTH_CELLS: print_delay(r); break;
    default: printf("  %s: mapped, not placed; no frequency\n", r->device->name);
  }
  print_resources(r);
  printf("  flow: %s%s, block mapped apart from the harness", r->target->pass, r->device ? r->device->pass_option : "");
  if (r->target->frequency && r->n_seeds) printf("; nextpnr --freq %s", r->target->frequency);
  printf("\n  %s\n", r->yosys);
  if (r->pnr[0]) printf("  %s\n", r->pnr);
  if (r->sta[0]) printf("  OpenSTA %s\n", r->sta);
  printf("  files: %s\n", r->folder);
}

/* ---- JSON --------------------------------------------------------------------------------------------------- */

static json_t *count_json(const struct synth_result *r, const struct synth_count *n, bool cells) {
  if (r->target->kind == SYNTH_CELLS)
    return json_pack("{sf sf si si si si si}", "area", n->area, "gate_equivalents", n->area / r->gate_area, "cells", (int)n->cells,
                     "ff", (int)n->ff, "ram_macros", (int)n->ram_blocks, "ram_bits", (int)n->ram_bits, "other", (int)n->other);
  json_t *v = json_pack("{si si si si si si si}", r->target->lut, (int)n->lut, "ff", (int)n->ff, "carry", (int)n->carry,
                        "ram_blocks", (int)n->ram_blocks, "ram_bits", (int)n->ram_bits, "lutram_bits",
                        (int)n->lutram_bits, "other", (int)n->other);
  if (cells && r->target->kind == SYNTH_PLACED && r->n_seeds) json_object_set_new(v, "cells", json_integer(n->cells));
  return v;
}

static json_t *path_json(const struct synth_result *r, const struct synth_seed *s) {
  struct path p = {0};
  find_path(r, s, &p);
  json_t *hops = json_array();
  for (unsigned i = 0; i < p.n; i++)
    json_array_append_new(hops, json_pack("{ss ss sf si}", "name", p.hop[i].name, "source", p.hop[i].place, "ns",
                                          p.hop[i].ns, "times", (int)p.hop[i].times));
  return json_pack("{si sf sf si so}", "seed", (int)s->seed, "logic_ns", p.logic, "routing_ns", p.routing, "cells",
                   (int)p.cells, "hops", hops);
}

static json_t *fmax_json(const struct synth_result *r, json_t *whole) {
  json_t *seeds = json_array();
  for (unsigned i = 0; r->fits && r->target->kind == SYNTH_PLACED && i < r->n_seeds; i++) {
    const struct synth_seed *s = &r->seed[i];
    json_t *f = s->fmax > 0 ? json_real(s->fmax) : json_null();
    json_array_append_new(seeds, json_pack("{si so ss}", "seed", (int)s->seed, "fmax_mhz", f, "note", s->why));
  }
  json_object_set_new(whole, "seeds", seeds);
  if (!r->n_done) {
    json_object_set_new(whole, "critical_path", json_null());
    return json_null();
  }
  double least, middle, most;
  const struct synth_seed *s = synth_spread(r, &least, &middle, &most);
  json_object_set_new(whole, "critical_path", path_json(r, s));
  return json_pack("{sf sf sf}", "min", least, "median", middle, "max", most);
}

static json_t *params_json(const struct simt_config *cfg) {
  json_t *v = json_object();
  char text[24];
  for (size_t i = 0; i < cfg->n_params; i++) {
    const struct simt_param *p = cfg->param[i];
    if (simt_replaced(cfg, i)) continue;
    json_object_set_new(v, p->name, p->choices ? json_string(simt_value_text(p, cfg->value[i], text))
                                               : json_integer((json_int_t)cfg->value[i]));
  }
  return v;
}

/* The command that gives the same again, and what it ran. */
static json_t *commands_json(const struct gen_options *o, const struct synth_result *r) {
  struct text t = {0};
  json_t *list = json_array();
  for (const char *c = r->script.s; *c; c++) {
    if (*c == '@') text_add(&t, "json");
    else text_add_bytes(&t, c, 1);
  }
  json_array_append_new(list, json_pack("{ss ss}", "tool", "yosys", "script", t.s));
  for (unsigned i = 0; r->target->kind == SYNTH_PLACED && i < r->n_seeds; i++) {
    t.len = 0;
    text_add(&t, "%s %s --package %s --json netlist.json --freq %s %s --seed %u --report seed%u.json --timing-allow-fail",
             r->target->pnr, r->device->size, r->device->package, r->target->frequency, r->target->unconstrained, i + 1, i + 1);
    json_array_append_new(list, json_pack("{ss ss}", "tool", "nextpnr", "command", t.s));
  }
  if (r->sta[0]) {
    char top[SIMT_NAME_MAX + 16];
    snprintf(top, sizeof top, "%s_harness", o->cfg.name);
    t.len = 0;
    synth_sta_script(&t, top);
    json_array_append_new(list, json_pack("{ss ss}", "tool", "sta", "script", t.s));
  }
  text_free(&t);
  return list;
}

static void add_command(json_t *whole, const struct gen_options *o, const struct synth_result *r) {
  struct text t = {0};
  char *yaml = config_to_yaml(&o->cfg);
  text_add(&t, "simtgen synth -c config.yaml --target %s", r->target->name);
  if (o->device) text_add(&t, " --device %s", o->device);
  if (o->paths && o->paths_mhz) text_add(&t, " --paths=%u", o->paths_mhz);
  else if (o->paths) text_add(&t, " --paths");
  else if (r->target->kind == SYNTH_PLACED) text_add(&t, " --seeds %u", r->n_seeds);
  if (o->liberty) text_add(&t, " --liberty %s", o->liberty);
  json_object_set_new(whole, "command", json_string(t.s));
  json_object_set_new(whole, "config_yaml", json_string(yaml));
  json_object_set_new(whole, "commands", commands_json(o, r));
  free(yaml);
  text_free(&t);
}

static json_t *tools_json(const struct synth_result *r) {
  json_t *v = json_pack("{ss ss}", "simtgen", SIMT_VERSION, "yosys", r->yosys);
  if (r->pnr[0]) json_object_set_new(v, "nextpnr", json_string(r->pnr));
  if (r->sta[0]) json_object_set_new(v, "opensta", json_string(r->sta));
  return v;
}

static void add_library(json_t *whole, const struct gen_options *o, const struct synth_result *r) {
  json_object_set_new(whole, "library", json_pack("{ss ss sf si}", "file", o->liberty, "sha256", r->library.sha256, "gate_area",
                                                  r->gate_area, "macros_from_bits", SYNTH_MACRO_BITS));
  json_object_set_new(whole, "no_delay", json_string(r->n_done ? "" : r->no_delay));
}

json_t *synth_json(const struct gen_options *o, const struct synth_result *r) {
  char hash[17], pass[80];
  config_hash(&o->cfg, hash);
  snprintf(pass, sizeof pass, "%s%s", r->target->pass, r->device ? r->device->pass_option : "");
  json_t *tree = json_array();
  for (size_t i = 0; i < r->n_scopes; i++) {
    json_t *v = count_json(r, &r->scope[i].n, false);
    json_object_set_new(v, "scope", json_string(r->scope[i].path));
    json_object_set_new(v, "instances", json_integer(r->scope[i].instances));
    json_array_append_new(tree, v);
  }
  json_t *whole = json_pack(
      "{si ss ss ss ss so ss ss* sb so so so so so}", "schema", SCHEMA, "block", o->cfg.block->name,
      "name", o->cfg.name, "configuration", hash, "verilog", r->verilog, "params", params_json(&o->cfg), "target", r->target->name, "device",
      r->device ? r->device->name : NULL, "fits", (int)r->fits, "resources",
      count_json(r, &r->block, true), "harness", count_json(r, &r->harness, true), "harness_alone",
      count_json(r, &r->alone, true), "hierarchy", tree, "tools", tools_json(r));
  json_object_set_new(whole, "flow", json_pack("{ss ss*}", "yosys", pass, "nextpnr_mhz", r->target->frequency));
  if (r->target->kind == SYNTH_PLACED && r->n_seeds) {
    json_object_set_new(whole, "fill", json_real(r->fill));
    json_object_set_new(whole, "harness_fill", json_real(r->harness_fill));
  }
  if (r->target->kind == SYNTH_CELLS) add_library(whole, o, r);
  if (o->paths) json_object_set_new(whole, "paths", synth_paths_json(&r->paths));
  json_object_set_new(whole, "fmax_mhz", fmax_json(r, whole));
  add_command(whole, o, r);
  return whole;
}
