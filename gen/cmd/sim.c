/* SPDX-License-Identifier: Apache-2.0 */
/* sim.c: `simtgen sim`: the C model alone on a trace, its statistics beside those of other systems. */
#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gen.h"

enum { SCHEMA = 1, MAX_ROWS = 64, MAX_SYSTEMS = 8 };

/* A statistic and its value in each system; system 0 is the block itself. */
struct sim_row { char name[SIMT_NAME_MAX]; const char *unit, *doc; bool has[1 + MAX_SYSTEMS]; double value[1 + MAX_SYSTEMS]; };
struct sim_table { struct sim_row row[MAX_ROWS]; char system[1 + MAX_SYSTEMS][SIMT_NAME_MAX]; unsigned rows, systems; };

static unsigned find_system(struct sim_table *t, const char *name, size_t length) {
  unsigned i = 1;
  while (i < t->systems && (strncmp(t->system[i], name, length) || t->system[i][length])) i++;
  if (i == 1 + MAX_SYSTEMS) abort();
  if (i == t->systems) snprintf(t->system[t->systems++], SIMT_NAME_MAX, "%.*s", (int)length, name);
  return i;
}

static void put(void *ctx, const char *name, double value, const char *unit, const char *doc) {
  struct sim_table *t = ctx;
  const char *dot = strchr(name, '.');
  unsigned system = dot ? find_system(t, name, (size_t)(dot - name)) : 0, i = 0;
  if (dot) name = dot + 1;
  while (i < t->rows && strcmp(t->row[i].name, name)) i++;
  if (i == MAX_ROWS) abort();
  struct sim_row *r = &t->row[i];
  if (i == t->rows) {
    t->rows++;
    snprintf(r->name, sizeof r->name, "%s", name);
    r->unit = unit;
    r->doc = doc;
  }
  r->has[system] = true;
  r->value[system] = value;
}

/* ---- text ---- */

/* 1234567 as "1,234,567"; a value that is no whole number with three places. */
static const char *shown(double value, char to[40]) {
  char digits[32];
  if (value < 0 || value >= 1e15 || floor(value) < value) {
    snprintf(to, 40, "%.3f", value);
    return to;
  }
  int n = snprintf(digits, sizeof digits, "%.0f", value), at = 0;
  for (int i = 0; i < n; i++) {
    if (i && (n - i) % 3 == 0) to[at++] = ',';
    to[at++] = digits[i];
  }
  to[at] = 0;
  return to;
}

static void print_text(const struct gen_options *o, const char *picker, const struct sim_table *t) {
  char number[40];
  int width[1 + MAX_SYSTEMS] = {0}, name_width = 0;
  for (unsigned i = 0; i < t->rows; i++) {
    int n = (int)strlen(t->row[i].name);
    if (n > name_width) name_width = n;
    for (unsigned k = 0; k < t->systems; k++) {
      n = t->row[i].has[k] ? (int)strlen(shown(t->row[i].value[k], number)) : 1;
      if (n > width[k]) width[k] = n;
    }
  }
  printf("%s on %s, picker %s\n\n  %-*s", o->cfg.name, o->trace, picker, name_width, "");
  for (unsigned k = 0; k < t->systems; k++) {
    if (width[k] < (int)strlen(t->system[k])) width[k] = (int)strlen(t->system[k]);
    printf("  %*s", width[k], t->system[k]);
  }
  putchar('\n');
  for (unsigned i = 0; i < t->rows; i++) {
    const struct sim_row *r = &t->row[i];
    printf("  %-*s", name_width, r->name);
    for (unsigned k = 0; k < t->systems; k++)
      printf("  %*s", width[k], r->has[k] ? shown(r->value[k], number) : "-");
    printf("  %s%s%s\n", strcmp(r->unit, "%") ? r->unit : "percent", *r->unit && *r->doc ? ": " : "", r->doc);
  }
}

/* ---- JSON ---- */

static json_t *number(double value) {
  return fabs(value) < 9e15 && floor(value) >= value ? json_integer((json_int_t)value) : json_real(value);
}

static void add_replay(json_t *to, const struct simt_verif *v, const uint64_t *value) {
  json_t *replay = json_object();
  for (size_t i = 0; v->replay[i].name; i++)
    json_object_set_new(replay, v->replay[i].name, json_integer((json_int_t)value[i]));
  json_object_set_new(to, "replay", replay);
}

static int print_json(const struct gen_options *o, const struct simt_verif *v, const struct simt_stimulus *stim,
                      const char *picker, const struct sim_table *t) {
  json_t *params = json_object(), *all;
  for (size_t i = 0; i < o->cfg.n_params; i++) {
    const struct simt_param *p = o->cfg.param[i];
    char buf[24];
    json_object_set_new(params, p->name, p->choices ? json_string(simt_value_text(p, o->cfg.value[i], buf))
                                                    : json_integer((json_int_t)o->cfg.value[i]));
  }
  all = json_pack("{s:i, s:s, s:s, s:s, s:o, s:s%, s:s}", "schema", SCHEMA, "version", SIMT_VERSION, "block",
                  o->cfg.block->name, "name", o->cfg.name, "params", params, "trace", o->trace,
                  strlen(o->trace), "picker", picker);
  if (!all) { /* the one text of the user's in it */
    struct simt_diag diag = {0};
    simt_fail(&diag, "--trace", o->trace, "a name in UTF-8 (for JSON)");
    message_error(&diag);
    return EXIT_USAGE;
  }
  if (v->replay) add_replay(all, v, stim->replay);
  for (unsigned k = 0; k < t->systems; k++) {
    json_t *to = k ? json_object() : all;
    for (unsigned i = 0; i < t->rows; i++)
      if (t->row[i].has[k]) json_object_set_new(to, t->row[i].name, number(t->row[i].value[k]));
    if (k) json_object_set_new(all, t->system[k], to);
  }
  json_dumpf(all, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
  putchar('\n');
  json_decref(all);
  return EXIT_DONE;
}

/* ---- command ---- */

int cmd_sim(const struct gen_options *o) {
  if (o->values) return sweep_print_table(o, "sim");
  struct simt_diag diag = {0};
  const struct simt_verif *v = simt_find_verif(o->cfg.block);
  if (!trace_suits(o->cfg.block, v, o->trace, &diag)) {
    message_error(&diag);
    return EXIT_USAGE;
  }
  if (!v || !v->sim || !v->pickers) {
    simt_fail(&diag, o->cfg.block->name, "a block without traces", "a block whose model runs on recorded traces");
    snprintf(diag.hint, sizeof diag.hint, "run it in lockstep: simtgen check %s", o->cfg.block->name);
    message_error(&diag);
    return EXIT_USAGE;
  }
  uint64_t replay[SIMT_MAX_REPLAY];
  struct simt_stimulus stim = {.kind = "trace", .trace = o->trace, .picker = o->picker, .latency = o->latency,
                               .seed = o->seed, .replay = replay, .stop = &interrupted};
  if (!replay_values(o, v, replay, &diag)) {
    message_error(&diag);
    return EXIT_USAGE;
  }
  struct sim_table *t = calloc(1, sizeof *t);
  if (!t) abort();
  t->systems = 1;
  snprintf(t->system[0], sizeof t->system[0], "%s", o->cfg.block->name);
  int status = EXIT_DONE;
  const char *picker = o->picker ? o->picker : v->pickers[0].name;
  if (!v->sim(simt_plain(&o->cfg), &stim, put, t, &diag)) {
    message_error(&diag);
    status = EXIT_USAGE;
  } else if (o->json) {
    status = print_json(o, v, &stim, picker, t);
  } else {
    print_text(o, picker, t);
  }
  free(t);
  return status;
}
