/* SPDX-License-Identifier: Apache-2.0 */
/* mutant_list.c: the mutations of a configuration, by Yosys, and the netlists that hold them. */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "mutants.h"
#include "netlist.h"

/* One flat module, widths no larger than needed; every register a plain one, so that resets and enables are
 * logic that is mutated too. */
#define PREPARE "prep -flatten -top %s; wreduce; opt -full -nodffe -nosdff; opt_clean -purge; "
#define SELECT "mutsel"

enum { QUICK = 60 }; /* so few mutants run for less time than it takes to optimise */

static void copy_files(struct fileset *to, const struct fileset *from) {
  for (size_t i = 0; i < from->n; i++)
    text_add_bytes(fileset_add(to, "%s", from->file[i].path), from->file[i].text.s, from->file[i].text.len);
}

/* Runs a script on a copy of `from`; its one output. */
static bool script(struct fileset *to, const struct fileset *from, const struct simt_config *cfg,
                   const char *what, const char *name, bool keep, struct simt_diag *diag) {
  *to = (struct fileset){0};
  copy_files(to, from);
  return netlist_script(to, cfg, what, name, keep, diag);
}

/* The word behind `option` of a line of the list, up to a space. */
static size_t word_after(const char *line, const char *option, const char **word) {
  const char *at = strstr(line, option);
  *word = at ? at + strlen(option) : "";
  return strcspn(*word, " \n");
}

/* Clocks are not mutated (a batch with them crashed); memory reads are always enabled here. */
static bool skipped_port(const char *port, size_t n) {
  static const char *const names[] = {"CLK", "RD_CLK", "WR_CLK", "RD_EN", "RD_ARST", "RD_SRST", "ARST", "SRST"};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++)
    if (strlen(names[i]) == n && !strncmp(names[i], port, n)) return true;
  return false;
}

/* A constant made the same constant is no mutation. */
static bool changes_nothing(json_t *cells, const char *line) {
  const char *cell, *port, *bit, *mode;
  char name[2048], port_name[64];
  size_t n = word_after(line, "-cell ", &cell), np = word_after(line, "-port ", &port);
  word_after(line, "-portbit ", &bit);
  word_after(line, "-mode ", &mode);
  if (*cell == '\\') cell++, n--;
  if (*port == '\\') port++, np--;
  snprintf(name, sizeof name, "%.*s", (int)n, cell);
  snprintf(port_name, sizeof port_name, "%.*s", (int)np, port);
  json_t *bits = json_object_get(json_object_get(json_object_get(cells, name), "connections"), port_name);
  const char *now = json_string_value(json_array_get(bits, strtoul(bit, NULL, 10)));
  return now && !strncmp(mode, "const", 5) && (mode[5] == now[0] || now[0] == 'x');
}

static void take(struct mutant_list *l, const char *line, json_t *cells, const char *mode) {
  const char *port, *its_mode, *change = strstr(line, "-mode ");
  size_t n = word_after(line, "-port ", &port), m = word_after(line, "-mode ", &its_mode);
  if (*port == '\\') port++, n--;
  if (!change || skipped_port(port, n) || (mode && (strlen(mode) != m || strncmp(mode, its_mode, m)))) return;
  l->all++;
  if (changes_nothing(cells, line)) {
    l->same++;
    return;
  }
  if (!(l->n & (l->n - 1))) { /* full: 0, 1, 2, 4, ... */
    l->m = realloc(l->m, 2 * (l->n + 1) * sizeof *l->m);
    if (!l->m) abort();
  }
  l->m[l->n++] = (struct mutant){(unsigned)l->all, strdup(change)};
}

static int by_number(const void *a, const void *b) {
  unsigned x = ((const struct mutant *)a)->number, y = ((const struct mutant *)b)->number;
  return (x > y) - (x < y);
}

/* Keeps `most` of them. */
static void choose(struct mutant_list *l, size_t most, uint64_t seed) {
  struct simt_rng rng;
  if (!most || most >= l->n) return;
  simt_rng_seed(&rng, seed);
  for (size_t i = 0; i < most; i++) {
    size_t other = i + (size_t)simt_rng_below(&rng, l->n - i);
    struct mutant swap = l->m[i];
    l->m[i] = l->m[other];
    l->m[other] = swap;
  }
  for (size_t i = most; i < l->n; i++) free(l->m[i].change);
  l->n = most;
  qsort(l->m, l->n, sizeof *l->m, by_number);
}

bool mutant_list_make(struct mutant_list *l, const struct simt_config *cfg, size_t most, uint64_t seed,
                      const char *mode, struct simt_diag *diag) {
  struct fileset rtl = {0}, list = {0}, cells = {0};
  *l = (struct mutant_list){.n = 0};
  bool ok = emit_rtl(&rtl, "rtl", cfg, diag) &&
            script(&l->design, &rtl, cfg, PREPARE "write_rtlil netlist.v", "design.il", true, diag) &&
            script(&cells, &l->design, cfg, "write_json netlist.v", "cells.json", true, diag) &&
            script(&list, &l->design, cfg, "mutate -list 100000000 -ctrl " SELECT " 16 1 -o netlist.v", "list.txt",
                   true, diag);
  if (ok) {
    json_t *all = json_loadb(cells.file[0].text.s, cells.file[0].text.len, 0, NULL);
    json_t *top = json_object_get(json_object_get(json_object_get(all, "modules"), cfg->name), "cells");
    for (char *line = strtok(list.file[0].text.s, "\n"); line; line = strtok(NULL, "\n")) take(l, line, top, mode);
    json_decref(all);
    choose(l, most, seed);
    ok = l->n || simt_fail(diag, cfg->name, "no mutation", "logic that Yosys can mutate");
  }
  fileset_free(&rtl);
  fileset_free(&list);
  fileset_free(&cells);
  return ok;
}

bool mutant_build(struct rtl_sim *s, const struct mutant_list *l, const struct simt_config *cfg, size_t first,
                  size_t n, bool keep, struct simt_diag *diag) {
  struct text what = {0};
  struct fileset fs;
  for (size_t i = 0; i < n; i++)
    text_add(&what, "mutate -ctrl " SELECT " 16 %zu %s; ", i + 1, l->m[first + i].change);
  /* Buffers at the outputs: a mutated bit may depend on another bit of its port, which is then no loop. */
  text_add(&what, "opt_clean; iopadmap -bits -outpad output_buffer A:Y; splitnets; write_verilog -noattr netlist.v");
  struct rtl_variant variant = {.quick = l->n <= QUICK, .netlist = "mutants", .select = SELECT, .once = !keep};
  bool ok = script(&fs, &l->design, cfg, what.s, "netlist.v", keep, diag);
  text_add(fileset_add(&fs, "output_buffer.v"),
           "module output_buffer (input wire A, output wire Y);\n  assign Y = A;\nendmodule\n");
  ok = ok && emit_checked(&fs, cfg, diag) && rtl_sim_build(s, cfg, &fs, &variant, diag);
  text_free(&what);
  fileset_free(&fs);
  return ok;
}

void mutant_list_free(struct mutant_list *l) {
  for (size_t i = 0; i < l->n; i++) free(l->m[i].change);
  free(l->m);
  fileset_free(&l->design);
  *l = (struct mutant_list){.n = 0};
}
