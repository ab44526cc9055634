/* SPDX-License-Identifier: Apache-2.0 */
/* campaign_record.c: what a campaign has covered, as JSON to resume from and as a table to commit. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "sim/campaign.h"

enum { SCHEMA = 1 };

/* The core and its cells are the same in every configuration; the top passes numbers. */
static bool hash_rtl(const struct simt_config *cfg, char hash[17], struct simt_diag *diag) {
  struct fileset fs = {0};
  struct text all = {0};
  char hex[65], top[2 * SIMT_NAME_MAX];
  snprintf(top, sizeof top, "rtl/%s.v", cfg->name);
  bool ok = emit_rtl(&fs, "rtl", cfg, diag);
  for (size_t i = 0; ok && i < fs.n; i++) {
    const char *s = fs.file[i].text.s, *code = strstr(s, "`default_nettype"); /* behind the header */
    if (strcmp(fs.file[i].path, top) && code) text_add(&all, "%s", code);
  }
  sha256_hex(all.s ? all.s : "", all.len, hex);
  snprintf(hash, 17, "%.16s", hex);
  text_free(&all);
  fileset_free(&fs);
  return ok;
}

static uint64_t number_of(json_t *object, const char *key) {
  return (uint64_t)json_integer_value(json_object_get(object, key));
}

static const char *text_of(json_t *object, const char *key) {
  const char *s = json_string_value(json_object_get(object, key));
  return s ? s : "";
}

static struct campaign_row *find_row(struct campaign_record *r, const char *parameters) {
  for (size_t i = 0; i < r->n_rows; i++)
    if (parameters && !strcmp(r->row[i].parameters, parameters)) return &r->row[i];
  return NULL;
}

static bool foreign(const struct campaign_record *r, struct simt_diag *diag) {
  simt_fail(diag, r->path, "something else", "the record of a campaign over %s", r->cfg->block->name);
  snprintf(diag->hint, sizeof diag->hint, "name another file with --record, or delete this one");
  return false;
}

/* Cycles of other Verilog do not count; its seeds stay used. */
static bool take_up(struct campaign_record *r, json_t *all, struct simt_diag *diag) {
  const char *block = json_string_value(json_object_get(all, "block"));
  const char *rtl = json_string_value(json_object_get(all, "rtl"));
  json_t *rows = json_object_get(all, "configurations"), *entry;
  size_t i;
  if (number_of(all, "schema") != SCHEMA || !block || strcmp(block, r->cfg->block->name) || !rtl ||
      !json_is_array(rows) || !number_of(all, "next_seed"))
    return foreign(r, diag);
  r->next_seed = number_of(all, "next_seed");
  r->first_seed = r->next_seed;
  snprintf(r->merged, sizeof r->merged, "%s", text_of(all, "merged_job"));
  if (strcmp(rtl, r->rtl)) {
    message_note("%s: the Verilog has changed since: its cycles count from 0 again", r->path);
    return true;
  }
  r->first_seed = number_of(all, "first_seed");
  json_array_foreach(rows, i, entry) {
    struct campaign_row *row = find_row(r, json_string_value(json_object_get(entry, "parameters")));
    if (!row) continue;
    row->cycles = number_of(entry, "cycles");
    row->runs = number_of(entry, "runs");
    row->next_profile = (unsigned)number_of(entry, "next_profile");
    json_object_update(row->profiles, json_object_get(entry, "profiles"));
  }
  return true;
}

bool campaign_record_open(struct campaign_record *r, const struct simt_config *cfg, const char *path, char **list,
                          size_t n, struct simt_diag *diag) {
  *r = (struct campaign_record){.cfg = cfg, .n_rows = n, .row = calloc(n + 1, sizeof *r->row)};
  snprintf(r->path, sizeof r->path, "%s", path);
  if (!r->row) abort();
  for (size_t i = 0; i < n; i++) {
    r->row[i].parameters = strdup(list[i]);
    r->row[i].profiles = json_object();
  }
  if (!hash_rtl(cfg, r->rtl, diag)) return false;
  if (access(path, F_OK)) { /* a number of its own, so that two machines do not repeat each other */
    uint32_t start;
    if (getrandom(&start, sizeof start, 0) != sizeof start) return false;
    r->first_seed = r->next_seed = (uint64_t)start << 20 | 1;
    return true;
  }
  size_t size;
  char *s = file_read(path, &size, diag);
  json_t *all = s ? json_loadb(s, size, 0, NULL) : NULL;
  bool ok = s && (all ? take_up(r, all, diag) : foreign(r, diag));
  json_decref(all);
  free(s);
  return ok;
}

static void merge_row(struct campaign_row *to, json_t *from) {
  json_t *profiles = json_object_get(from, "profiles"), *cycles;
  const char *profile;
  to->cycles += number_of(from, "cycles");
  to->runs += number_of(from, "runs");
  to->next_profile += (unsigned)number_of(from, "next_profile");
  json_object_foreach(profiles, profile, cycles) {
    json_int_t before = json_integer_value(json_object_get(to->profiles, profile));
    json_object_set_new(to->profiles, profile, json_integer(before + json_integer_value(cycles)));
  }
}

bool campaign_record_merge(struct campaign_record *r, const char *path, int *ended) {
  json_t *all = json_load_file(path, 0, NULL), *entry;
  size_t i;
  *ended = -1;
  bool good = all && !strcmp(text_of(all, "rtl"), r->rtl);
  json_array_foreach(good ? json_object_get(all, "configurations") : NULL, i, entry) {
    struct campaign_row *row = find_row(r, text_of(entry, "parameters"));
    if (row) merge_row(row, entry);
  }
  if (good && json_object_get(all, "ended")) *ended = (int)json_integer_value(json_object_get(all, "ended"));
  if (good && !r->message && *text_of(all, "message")) r->message = strdup(text_of(all, "message"));
  if (good && !r->failure && *text_of(all, "failure")) r->failure = strdup(text_of(all, "failure"));
  json_decref(all);
  return good;
}

void campaign_record_add(struct campaign_row *row, const char *profile, uint64_t cycles) {
  json_int_t before = json_integer_value(json_object_get(row->profiles, profile));
  row->cycles += cycles;
  row->runs++;
  json_object_set_new(row->profiles, profile, json_integer(before + (json_int_t)cycles));
}

uint64_t campaign_record_cycles(const struct campaign_record *r) {
  uint64_t sum = 0;
  for (size_t i = 0; i < r->n_rows; i++) sum += r->row[i].cycles;
  return sum;
}

/* ---- writing --------------------------------------------------------------------------------- */

void campaign_record_table(const struct campaign_record *r, struct text *t) {
  const char *name, *between;
  json_t *cycles;
  text_add(t, "# Lockstep campaign of %s\n\n%" PRIu64 " cycles compared, seeds %" PRIu64 " to %" PRIu64
              ", Verilog %s: %s.\n\n| configuration | cycles | runs (a seed each) | stimulus (cycles) |\n"
              "|---|---|---|---|\n", r->cfg->block->name, campaign_record_cycles(r), r->first_seed,
           r->next_seed - 1, r->rtl, r->failure ? "A MISMATCH" : "no mismatch");
  for (size_t i = 0; i < r->n_rows; i++) {
    const struct campaign_row *row = &r->row[i];
    text_add(t, "| %s | %" PRIu64 " | %" PRIu64 " |", row->parameters[0] ? row->parameters : "defaults",
             row->cycles, row->runs);
    between = "";
    json_object_foreach(row->profiles, name, cycles) {
      text_add(t, "%s %s %" JSON_INTEGER_FORMAT, between, name, json_integer_value(cycles));
      between = ",";
    }
    text_add(t, " |\n");
  }
  if (r->failure) text_add(t, "\nMismatch: `%s`\n", r->failure);
}

static bool put_file(const char *path, const char *s, struct simt_diag *diag) {
  char aside[4200];
  snprintf(aside, sizeof aside, "%s.new", path);
  FILE *f = fopen(aside, "w");
  bool ok = f && fputs(s, f) >= 0;
  if (f && fclose(f)) ok = false;
  return (ok && !rename(aside, path)) || simt_fail(diag, path, strerror(errno), "a file that can be written");
}

bool campaign_record_save(const struct campaign_record *r, struct simt_diag *diag) {
  json_t *rows = json_array();
  for (size_t i = 0; i < r->n_rows; i++) {
    const struct campaign_row *row = &r->row[i];
    json_array_append_new(rows, json_pack("{s:s, s:I, s:I, s:i, s:O}", "parameters", row->parameters, "cycles",
                                          (json_int_t)row->cycles, "runs", (json_int_t)row->runs,
                                          "next_profile", (int)row->next_profile, "profiles", row->profiles));
  }
  json_t *all = json_pack("{s:i, s:s, s:s, s:I, s:I, s:I, s:o}", "schema", SCHEMA, "block", r->cfg->block->name,
                          "rtl", r->rtl, "cycles", (json_int_t)campaign_record_cycles(r), "first_seed",
                          (json_int_t)r->first_seed, "next_seed", (json_int_t)r->next_seed, "configurations", rows);
  if (r->merged[0]) json_object_set_new(all, "merged_job", json_string(r->merged));
  if (r->is_part && r->failure) json_object_set_new(all, "failure", json_string(r->failure));
  if (r->is_part && r->message) json_object_set_new(all, "message", json_string(r->message));
  if (r->is_part) json_object_set_new(all, "ended", json_integer(r->ended));
  char *s = json_dumps(all, JSON_INDENT(1) | JSON_PRESERVE_ORDER), table_path[4200];
  struct text t = {0};
  campaign_record_table(r, &t);
  size_t len = strlen(r->path), cut = len > 5 && !strcmp(r->path + len - 5, ".json") ? 5 : 0;
  snprintf(table_path, sizeof table_path, "%.*s.md", (int)(len - cut), r->path);
  bool ok = s && put_file(r->path, s, diag) && (r->is_part || put_file(table_path, t.s, diag));
  text_free(&t);
  free(s);
  json_decref(all);
  return ok;
}

void campaign_record_free(struct campaign_record *r) {
  for (size_t i = 0; i < r->n_rows; i++) {
    free(r->row[i].parameters);
    json_decref(r->row[i].profiles);
  }
  free(r->row);
  free(r->failure);
  free(r->message);
}
