/* SPDX-License-Identifier: Apache-2.0 */
/* check_print.c: the summary of `simtgen check`, for people and as JSON. */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/check.h"

enum { FIRST_LINES = 10, LAST_LINES = 30 };
static const char *const result_name[] = {"pass", "mismatch", "golden", "stuck", "interrupted"};

/* ---- the shrunk stimulus --------------------------------------------------------------------- */

static void explain_flush(struct check *c) {
  if (!c->explain_line[0]) return;
  if (c->explain_from == c->explain_to)
    text_add(&c->explained, "  cycle %" PRIu64 ": %s\n", c->explain_from, c->explain_line);
  else
    text_add(&c->explained, "  cycles %" PRIu64 "..%" PRIu64 ": %s\n", c->explain_from,
             c->explain_to, c->explain_line);
  c->explain_line[0] = 0;
}

void check_explain(struct check *c, uint64_t cycle, const char *line) {
  if (strcmp(c->explain_line, line)) {
    explain_flush(c);
    c->explain_from = cycle;
    snprintf(c->explain_line, sizeof c->explain_line, "%s", line);
  }
  c->explain_to = cycle;
}

/* The place after n lines. */
static const char *skip_lines(const char *s, size_t n) {
  while (n-- && *s) s += strcspn(s, "\n") + 1;
  return s;
}

/* A long list keeps its beginning and, where the failure is, its end; the waveform has it all. */
static void explain_trim(struct check *c) {
  struct text kept = {0};
  size_t lines = 0;
  for (size_t i = 0; i < c->explained.len; i++) lines += c->explained.s[i] == '\n';
  if (lines <= FIRST_LINES + LAST_LINES) return;
  text_add_bytes(&kept, c->explained.s,
                 (size_t)(skip_lines(c->explained.s, FIRST_LINES) - c->explained.s));
  text_add(&kept, "  ... %zu lines more: see the waveform\n", lines - FIRST_LINES - LAST_LINES);
  text_add(&kept, "%s", skip_lines(c->explained.s, lines - LAST_LINES));
  text_free(&c->explained);
  c->explained = kept;
}

/* ---- text ------------------------------------------------------------------------------------ */

/* What the run takes on idle processors: the time of the thread that has more to do. */
static double longest(const struct check *c) {
  return c->seconds > c->environment_seconds ? c->seconds : c->environment_seconds;
}

static double per_second(const struct check *c) {
  return longest(c) > 0 ? (double)c->cycles / longest(c) : 0;
}

/* The thread that the other waits for; NULL where there was one. */
static const char *limit(const struct check *c) {
  if (c->environment_seconds <= 0) return NULL;
  return c->environment_seconds > c->seconds ? "environment" : "rtl";
}

static size_t points_hit(const struct check *c) {
  size_t hit = 0;
  for (size_t i = 0; i < c->cfg->desc.n_covers; i++) hit += c->covered[i] > 0;
  return hit;
}

static size_t lines_reached(const struct check *c) {
  size_t reached = 0;
  for (size_t i = 0; i < c->lines.n; i++) reached += c->lines.line[i].reached;
  return reached;
}

static void print_coverage(const struct check *c) {
  const struct simt_desc *d = &c->cfg->desc;
  for (size_t i = 0; i < d->n_covers; i++)
    printf("  %-6s %12" PRIu64 "  %s: %s\n", c->covered[i] ? "hit" : "missed", c->covered[i],
           d->covers[i].name, d->covers[i].doc);
  printf("  RTL lines: %zu of %zu places reached\n", lines_reached(c), c->lines.n);
  for (size_t i = 0; i < c->lines.n; i++) {
    const struct rtl_line *l = &c->lines.line[i];
    if (!l->reached) printf("  not reached: %s:%u (%s)\n", l->file, l->line, l->kind);
  }
}

static void print_speed(const struct check *c) {
  const struct lockstep_speed *s = &c->speed;
  if (s->rtl <= 0) return;
  printf("  million cycles/s: lockstep %.1f, RTL alone %.1f, model alone %.1f; lockstep/RTL %.2f, "
         "model/RTL %.1f\n",
         s->lockstep / 1e6, s->rtl / 1e6, s->model / 1e6, s->lockstep_per_rtl, s->model_per_rtl);
}

static void print_failure(const struct check *c) {
  printf("%s\n", c->failure.s);
  if (!c->wave) { /* Icarus, or SIMTGEN_QUICK */
    printf("reproduce: %s\n", c->reproduce.s);
    return;
  }
  char late[48] = "";
  if (c->shrink_late) snprintf(late, sizeof late, " (ended by its time limit of %.0f s)", SHRINK_SECONDS);
  if (c->shrunk)
    printf("shrunk from %" PRIu64 " to %zu cycles after reset%s; the whole run fails in %s\nthe inputs of the shrunk run:\n",
           c->cycles, c->shrunk, late, c->whole.s);
  else
    printf("not shrunk: %s; the last inputs:\n",
           c->differs ? "restart() of the environment does not repeat the run"
                      : "the choices alone do not show it");
  if (c->explained.len) printf("%s", c->explained.s);
  printf("waveform: %s\n", c->wave);
  printf("reproduce: %s\n", c->reproduce.s);
}

static void print_text(const struct check *c, const struct gen_options *o) {
  if (!o->quiet) {
    struct text parameters = {0};
    config_changes(&parameters, " ", c->cfg);
    printf("%s%s: stimulus %s, seed %" PRIu64 "%s%s%s%s\n", c->cfg->block->name,
           parameters.len ? parameters.s : " with default parameters",
           o->stimulus ? o->stimulus : "random", c->stim.seed, o->netlist ? ", netlist " : "",
           o->netlist ? o->netlist : "", o->engine ? ", engine " : "", o->engine ? o->engine : "");
    text_free(&parameters);
    printf("  %" PRIu64 " cycles compared, %" PRIu64
           " operations, %.2f s (%.1f million cycles/s)\n",
           c->cycles, c->operations, longest(c), per_second(c) / 1e6);
    if (limit(c))
      printf("  two threads: RTL %.2f s, environment and models %.2f s\n", c->seconds, c->environment_seconds);
    print_speed(c);
    if (c->first_operation) printf("  the first operation ends in cycle %" PRIu64 "\n", c->first_operation);
    printf("  coverage: %zu of %zu points hit\n", points_hit(c), c->cfg->desc.n_covers);
  }
  if (o->coverage) print_coverage(c);
  if (c->failure.len) print_failure(c);
  else if (c->wave && c->end == LOCKSTEP_PASS) printf("  waveform: %s\n", c->wave);
  const char *failed = c->end == LOCKSTEP_STOPPED ? "INTERRUPTED" : "FAIL";
  struct text others = {0};
  generated_say(&c->generated, &others);
  if (others.len) printf("  %s\n", others.s);
  text_free(&others);
  printf("%s\n", c->nothing ? "NOTHING RAN" : c->end == LOCKSTEP_PASS ? "PASS" : failed);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static json_t *figure(double value) { return value > 0 ? json_real(value) : json_null(); }

static json_t *parameters_json(const struct simt_config *cfg) {
  json_t *all = json_object();
  for (size_t i = 0; i < cfg->n_params; i++) {
    const struct simt_param *p = cfg->param[i];
    if (simt_replaced(cfg, i)) continue;
    json_object_set_new(all, p->name, p->choices ? json_string(p->choices[cfg->value[i]])
                                                 : json_integer((json_int_t)cfg->value[i]));
  }
  return all;
}

static json_t *coverage_json(const struct check *c) {
  json_t *all = json_array();
  for (size_t i = 0; i < c->cfg->desc.n_covers; i++) {
    const struct simt_cover *p = &c->cfg->desc.covers[i];
    json_array_append_new(all, json_pack("{s:s, s:s, s:I}", "name", p->name, "requirement", p->req,
                                         "count", (json_int_t)c->covered[i]));
  }
  return all;
}

static json_t *lines_json(const struct check *c) {
  json_t *all = json_array();
  for (size_t i = 0; i < c->lines.n; i++) {
    const struct rtl_line *l = &c->lines.line[i];
    if (!l->reached)
      json_array_append_new(all, json_pack("{s:s, s:i, s:s}", "file", l->file, "line", (int)l->line,
                                           "kind", l->kind));
  }
  return json_pack("{s:I, s:I, s:o}", "places", (json_int_t)c->lines.n, "reached",
                   (json_int_t)lines_reached(c), "not_reached", all);
}

static json_t *failure_json(const struct check *c) {
  if (!c->failure.len) return json_null();
  return json_pack("{s:s, s:s?, s:I, s:s, s:s?, s:s}", "message", c->failure.s, "whole_run", c->whole.s, "shrunk_cycles",
                   (json_int_t)c->shrunk, "stimulus", c->explained.s ? c->explained.s : "",
                   "waveform", c->wave, "reproduce", c->reproduce.s);
}

static void print_json(const struct check *c, const struct gen_options *o) {
  char seed[24]; /* as text: JSON readers lose bits of 64-bit numbers */
  snprintf(seed, sizeof seed, "%" PRIu64, c->stim.seed);
  const struct lockstep_speed *s = &c->speed;
  json_t *all =
      json_pack("{s:i, s:s, s:s, s:o, s:s, s:s, s:s}", "schema", 1, "block", c->cfg->block->name,
                "name", c->cfg->name, "parameters", parameters_json(c->cfg), "stimulus",
                o->stimulus ? o->stimulus : "random", "seed", seed, "result", c->nothing ? "nothing" : result_name[c->end]);
  struct text others = {0};
  generated_say(&c->generated, &others);
  json_object_set_new(all, "generated", others.len ? json_string(others.s) : json_null());
  text_free(&others);
  if (c->first_operation) json_object_set_new(all, "first_operation", json_integer((json_int_t)c->first_operation));
  json_object_set_new(all, "engine", json_string(o->engine ? o->engine : "verilator"));
  json_object_set_new(all, "netlist", o->netlist ? json_string(o->netlist) : json_null());
  json_object_set_new(all, "cycles", json_integer((json_int_t)c->cycles));
  json_object_set_new(all, "operations", json_integer((json_int_t)c->operations));
  json_object_set_new(all, "seconds", json_real(longest(c)));
  json_object_set_new(all, "rtl_seconds", figure(limit(c) ? c->seconds : 0));
  json_object_set_new(all, "environment_seconds", figure(c->environment_seconds));
  json_object_set_new(all, "limited_by", limit(c) ? json_string(limit(c)) : json_null());
  json_object_set_new(all, "lockstep_cycles_per_s", figure(s->lockstep > 0 ? s->lockstep : per_second(c)));
  json_object_set_new(all, "rtl_cycles_per_s", figure(s->rtl));
  json_object_set_new(all, "model_cycles_per_s", figure(s->model));
  json_object_set_new(all, "lockstep_per_rtl", figure(s->lockstep_per_rtl));
  json_object_set_new(all, "model_per_rtl", figure(s->model_per_rtl));
  json_object_set_new(all, "coverage", coverage_json(c));
  if (o->coverage) json_object_set_new(all, "rtl_lines", lines_json(c));
  json_object_set_new(all, "failure", failure_json(c));
  json_dumpf(all, stdout, JSON_INDENT(2) | JSON_PRESERVE_ORDER);
  putchar('\n');
  json_decref(all);
}

void check_print(struct check *c, const struct gen_options *o) {
  explain_flush(c);
  explain_trim(c);
  if (o->json) print_json(c, o);
  else print_text(c, o);
}
