/* SPDX-License-Identifier: Apache-2.0 */
/* rows.c: the results of a sweep by point. What differs from run to run, seconds and host, stands in a file of its own. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sweep/sweep.h"

enum { SCHEMA = 1 };

static json_t *value_json(const struct simt_param *p, uint64_t value) {
  char buffer[24];
  return p->choices ? json_string(simt_value_text(p, value, buffer)) : json_integer((json_int_t)value);
}

json_t *sweep_header(const struct sweep_run *r) {
  const struct sweep *s = r->sweep;
  json_t *swept = json_array(), *common = json_object(), *targets = json_array(), *workloads = json_array();
  for (size_t i = 0; i < s->n_axes; i++) json_array_append_new(swept, json_string(s->base.param[s->axis[i].param]->name));
  for (size_t i = 0; i < s->base.n_params; i++)
    if (s->base.given[i]) json_object_set_new(common, s->base.param[i]->name, value_json(s->base.param[i], s->base.value[i]));
  for (size_t i = 0; i < s->n_targets; i++) json_array_append_new(targets, json_string(s->target[i].name));
  for (size_t i = 0; i < s->n_workloads; i++)
    json_array_append_new(workloads, json_pack("{ss ss ss}", "name", s->workload[i].name, "trace", s->workload[i].trace,
                                               "sha256", s->workload[i].hash));
  return json_pack("{si ss ss ss so so so si so si si}", "schema", SCHEMA, "sweep", s->name, "version", SIMT_VERSION, "block",
                   s->base.block->name, "swept", swept, "common", common, "targets", targets, "seeds",
                   s->n_targets ? (int)s->seeds : 0, "workloads", workloads, "points", (int)s->n_points, "refused",
                   (int)s->n_refused);
}

static json_t *point_params(const struct sweep *s, size_t point) {
  const uint16_t *choice = &s->choice[point * SIMT_MAX_PARAMS];
  json_t *params = json_object();
  for (size_t i = 0; i < s->n_axes; i++) {
    const struct simt_param *p = s->base.param[s->axis[i].param];
    const char *value = choice[i] == SWEEP_NOT_SET ? NULL : s->axis[i].value[choice[i]];
    json_object_set_new(params, p->name, !value ? value_json(p, s->base.value[s->axis[i].param])
                                         : p->choices ? json_string(value) : json_integer(strtoll(value, NULL, 10)));
  }
  return params;
}

/* What a task came to, with its command; NULL when it was not run. */
static json_t *task_entry(const struct sweep_run *r, size_t i, struct text *times, struct simt_diag *diag) {
  bool failed;
  json_t *record = NULL, *entry = NULL;
  if (store_get(r->folder, r->task[i].key, &record, &failed, diag) != 1) return NULL;
  if (failed) entry = json_pack("{sO}", "failed", json_object_get(record, "failed"));
  else entry = json_incref(json_object_get(record, "result"));
  struct text command = {0};
  sweep_command_text(r->sweep, i, &command);
  json_object_set_new(entry, "command", json_string(command.s));
  const json_t *run = json_object_get(record, "run");
  if (times) {
    struct text what = {0};
    const char *host = json_string_value(json_object_get(run, "host"));
    sweep_task_text(r->sweep, i, &what);
    text_add(times, "%zu,%s,%.3f,%s\n", i / sweep_tasks_per_point(r->sweep) + 1, what.s,
             json_number_value(json_object_get(run, "seconds")), host ? host : "");
    text_free(&what);
  }
  text_free(&command);
  json_decref(record);
  return entry;
}

json_t *sweep_row(const struct sweep_run *r, size_t point, struct text *times, struct simt_diag *diag) {
  const struct sweep *s = r->sweep;
  size_t first = point * sweep_tasks_per_point(s);
  struct simt_config cfg;
  char hash[17];
  if (!sweep_config(s, point, &cfg, diag)) return NULL;
  struct text generate = {0};
  config_hash(&cfg, hash);
  config_command(&generate, "gen", &cfg);
  simt_config_free(&cfg);
  json_t *targets = json_object(), *workloads = json_object();
  for (size_t i = 0; i < sweep_tasks_per_point(s); i++) {
    bool sim = i >= s->n_targets;
    json_t *entry = task_entry(r, first + i, times, diag);
    if (entry) json_object_set_new(sim ? workloads : targets, sim ? s->workload[i - s->n_targets].name : s->target[i].name, entry);
  }
  json_t *row = json_pack("{si ss so ss so so}", "point", (int)point + 1, "configuration", hash, "params", point_params(s, point), "generate",
                          generate.s, "targets", targets, "workloads", workloads);
  text_free(&generate);
  return row;
}

static void add_line(struct text *t, const json_t *v) {
  char *s = json_dumps(v, JSON_COMPACT | JSON_REAL_PRECISION(6));
  if (!s) abort();
  text_add_bytes(t, s, strlen(s));
  text_add_bytes(t, "\n", 1);
  free(s);
}

bool sweep_write_results(const struct sweep_run *r, json_t **rows, struct simt_diag *diag) {
  struct text lines = {0}, csv = {0}, times = {0};
  json_t *header = sweep_header(r);
  *rows = json_array();
  add_line(&lines, header);
  text_add(&times, "point,task,seconds,host\n");
  for (size_t i = 0; i < r->sweep->n_points && !diag->failed; i++) {
    json_t *row = sweep_row(r, i, &times, diag);
    if (!row) break;
    add_line(&lines, row);
    json_array_append_new(*rows, row);
  }
  struct sweep_table t;
  sweep_table_make(&t, *rows);
  sweep_csv(&t, &csv);
  sweep_table_free(&t);
  bool good = !diag->failed && store_write(r->folder, "results.jsonl", &lines, diag) &&
              store_write(r->folder, "results.csv", &csv, diag) && store_write(r->folder, "times.csv", &times, diag);
  text_free(&lines);
  text_free(&csv);
  text_free(&times);
  json_decref(header);
  return good;
}
