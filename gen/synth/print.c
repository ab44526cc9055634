/* SPDX-License-Identifier: Apache-2.0 */
/* print.c: the result of `simtgen synth` as text and as JSON. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "synth/synth.h"

enum { SCHEMA = 1, MAX_HOPS = 64 };

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

static void print_count(const char *name, unsigned instances, const struct synth_count *n) {
  char many[16] = "";
  if (instances > 1) snprintf(many, sizeof many, " x%u", instances);
  printf("  %-44s%-6s %6u %6u %6u %5u %8u %8u\n", name, many, n->lut4, n->ff, n->carry, n->ram_blocks, n->ram_bits,
         n->lutram_bits);
}

static void print_resources(const struct synth_result *r) {
  printf("  %-50s %6s %6s %6s %5s %8s %8s\n", "hierarchy (a line holds all below it)", "LUT4", "FF", "carry", "RAMs",
         "RAM bit", "LUT-RAM");
  for (size_t i = 0; i < r->n_scopes; i++) {
    const char *path = r->scope[i].path;
    char name[64];
    int depth = *path ? 1 : 0;
    for (const char *s = path; *s; s++) depth += *s == '.';
    const char *last = strrchr(path, '.');
    snprintf(name, sizeof name, "%*s%.*s", 2 * (depth < 10 ? depth : 10), "", 40,
             !*path ? "the block" : last ? last + 1 : path);
    print_count(name, r->scope[i].instances, &r->scope[i].n);
  }
  print_count("harness (not included above)", 1, &r->harness);
  printf("  logic cells after packing: %u, and %u of the harness (%.1f %% of the device%s)\n", r->block.cells,
         r->harness.cells, 100 * r->harness_fill, r->harness_fill > 0.1 ? ", more than the 10 % aimed at" : "");
}

static void print_path(const struct synth_result *r, const struct synth_seed *s) {
  struct path p = {0};
  find_path(r, s, &p);
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

void synth_print_text(const struct gen_options *o, const struct synth_result *r) {
  printf("%s on %s\n", o->cfg.name, r->target->name);
  print_fmax(r);
  print_resources(r);
  printf("  flow: %s, block mapped apart from the harness; nextpnr --freq %s\n", r->target->pass,
         r->target->frequency);
  printf("  %s\n  %s\n  files: %s\n", r->yosys, r->pnr, r->folder);
}

/* ---- JSON --------------------------------------------------------------------------------------------------- */

static json_t *count_json(const struct synth_count *n, bool cells) {
  json_t *v = json_pack("{si si si si si si si}", "lut4", (int)n->lut4, "ff", (int)n->ff, "carry", (int)n->carry,
                        "ram_blocks", (int)n->ram_blocks, "ram_bits", (int)n->ram_bits, "lutram_bits",
                        (int)n->lutram_bits, "other", (int)n->other);
  if (cells) json_object_set_new(v, "cells", json_integer(n->cells));
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
  for (unsigned i = 0; r->fits && i < r->n_seeds; i++) {
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

void synth_print_json(const struct gen_options *o, const struct synth_result *r) {
  char hash[17];
  config_hash(&o->cfg, hash);
  json_t *tree = json_array();
  for (size_t i = 0; i < r->n_scopes; i++) {
    json_t *v = count_json(&r->scope[i].n, false);
    json_object_set_new(v, "scope", json_string(r->scope[i].path));
    json_object_set_new(v, "instances", json_integer(r->scope[i].instances));
    json_array_append_new(tree, v);
  }
  json_t *whole = json_pack(
      "{si ss ss ss so ss ss sb sf sf so so so so s{ss ss} s{ss ss}}", "schema", SCHEMA, "block", o->cfg.block->name,
      "name", o->cfg.name, "configuration", hash, "params", params_json(&o->cfg), "target", r->target->name, "device",
      r->device->name, "fits", (int)r->fits, "fill", r->fill, "harness_fill", r->harness_fill, "resources",
      count_json(&r->block, true), "harness", count_json(&r->harness, true), "harness_alone",
      count_json(&r->alone, true), "hierarchy", tree, "tools", "yosys", r->yosys, "nextpnr", r->pnr, "flow", "yosys",
      r->target->pass, "nextpnr_mhz", r->target->frequency);
  json_object_set_new(whole, "fmax_mhz", fmax_json(r, whole));
  json_dumpf(whole, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
  putchar('\n');
  json_decref(whole);
}
