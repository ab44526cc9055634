/* SPDX-License-Identifier: Apache-2.0 */
/* file.c: the sweep file. docs/sweeps.md describes its keys. */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "sweep/sweep.h"
#include "synth/synth.h"
#include "yaml_tree.h"

enum { MOST_SEEDS = 1000 };

struct sweep_reader {
  struct sweep *s;
  const struct yaml_node *root;
  struct simt_diag *diag;
  char folder[PATH_MAX]; /* of the file, with / behind it, or "" */
};

/* ---- messages ----------------------------------------------------------------------------------------------- */

static bool placed(struct sweep_reader *r, const struct yaml_word *at) {
  struct simt_diag *d = r->diag;
  if (d->file[0]) return false;
  snprintf(d->file, sizeof d->file, "%.255s", r->s->file);
  d->line = at->line;
  d->col = at->col;
  return false;
}

static bool wrong(struct sweep_reader *r, const struct yaml_word *at, const char *name, const char *got, const char *expected,
                  const char *hint) {
  if (r->diag->failed) return false;
  simt_fail(r->diag, name, got, "%s", expected);
  snprintf(r->diag->hint, sizeof r->diag->hint, "%s", hint);
  return placed(r, at);
}

/* ---- nodes -------------------------------------------------------------------------------------------------- */

static bool is_kind(struct sweep_reader *r, const struct yaml_node *n, int kind, const char *expected) {
  if ((int)n->kind == kind) return true;
  return wrong(r, &n->value, n->key.text, yaml_tree_kind(n), expected, "see docs/sweeps.md");
}

/* Every key is one of `names`. */
static bool known_keys(struct sweep_reader *r, const struct yaml_node *mapping, const char *const *names) {
  for (size_t i = 0; i < mapping->n; i++) {
    const struct yaml_word *key = &mapping->item[i].key;
    char expected[200] = "", hint[160];
    size_t k = 0;
    while (names[k] && strcmp(names[k], key->text)) k++;
    if (names[k]) continue;
    for (k = 0; names[k]; k++) {
      size_t used = strlen(expected);
      snprintf(expected + used, sizeof expected - used, "%s%s", !k ? "" : names[k + 1] ? ", " : " or ", names[k]);
    }
    const char *near = simt_nearest(key->text, names);
    snprintf(hint, sizeof hint, near ? "did you mean %s?" : "see docs/sweeps.md", near);
    if (simt_param_index(&r->s->base, key->text) >= 0) snprintf(hint, sizeof hint, "write it below params: or grid:");
    return wrong(r, key, key->text, "an unknown key", expected, hint);
  }
  return true;
}

/* A word that fits; those that mean something are shorter than what is kept of one. */
static bool text_of(struct sweep_reader *r, const struct yaml_node *n, char *to, size_t room) {
  if (!is_kind(r, n, YAML_SCALAR, "a single value")) return false;
  const struct yaml_word *w = &n->value;
  if (!w->text[0]) return wrong(r, w, n->key.text, "nothing", "a value", "");
  if (strlen(w->text) + 1 >= sizeof w->text || strlen(w->text) >= room) return wrong(r, w, n->key.text, "a long text", "a shorter one", "");
  snprintf(to, room, "%s", w->text);
  return true;
}

static bool number_of(struct sweep_reader *r, const struct yaml_node *n, uint64_t min, uint64_t max, uint64_t *to) {
  char text[sizeof n->value.text], expected[80], *end;
  if (!text_of(r, n, text, sizeof text)) return false;
  errno = 0;
  *to = strtoull(text, &end, 10);
  snprintf(expected, sizeof expected, "a whole number %" PRIu64 "..%" PRIu64, min, max);
  if (text[0] < '0' || text[0] > '9' || *end || errno || *to < min || *to > max || n->value.quoted)
    return wrong(r, &n->value, n->key.text, text, expected, "");
  return true;
}

/* ---- what all points have in common ------------------------------------------------------------------------- */

static bool read_block(struct sweep_reader *r) {
  static const char one[] = "block: the name of a block, or config: a configuration file";
  const struct yaml_node *block = yaml_tree_find(r->root, "block"), *config = yaml_tree_find(r->root, "config");
  char text[sizeof block->value.text], path[2 * PATH_MAX];
  const struct simt_block *found;
  if (block && config) return wrong(r, &config->key, "config", "block: and config:", one, "remove one; the file names its block");
  if (!block && !config) return wrong(r, &(struct yaml_word){.line = 1, .col = 1}, "block", "no such key", one, "see: simtgen list");
  if (!text_of(r, block ? block : config, text, sizeof text)) return false;
  if (block) {
    if (!config_find_block(text, &found, r->diag)) return placed(r, &block->value);
    simt_config_init(&r->s->base, found);
    return true;
  }
  struct config_places where;
  snprintf(path, sizeof path, "%s%s", text[0] == '/' ? "" : r->folder, text);
  size_t size;
  char *whole = file_read(path, &size, r->diag);
  bool ok = whole && config_parse(whole, size, path, &r->s->base, &where, r->diag);
  free(whole);
  return ok;
}

static bool set_one(struct sweep_reader *r, const struct yaml_node *n) {
  char text[sizeof n->value.text];
  if (!text_of(r, n, text, sizeof text)) return false;
  if (config_set(&r->s->base, n->key.text, text, r->diag)) return true;
  return placed(r, simt_param_index(&r->s->base, n->key.text) < 0 ? &n->key : &n->value);
}

static bool read_params(struct sweep_reader *r) {
  const struct yaml_node *n = yaml_tree_find(r->root, "params");
  if (n && !is_kind(r, n, YAML_MAPPING, "a mapping of NAME: VALUE")) return false;
  for (size_t i = 0; n && i < n->n; i++)
    if (!set_one(r, &n->item[i])) return false;
  return true;
}

/* ---- points ------------------------------------------------------------------------------------------------- */

/* The axis of a parameter that has no value yet. */
static struct sweep_axis *new_axis(struct sweep_reader *r, const struct yaml_word *name) {
  struct sweep *s = r->s;
  const struct yaml_node *params = yaml_tree_find(r->root, "params");
  struct sweep_axis *a = sweep_axis(s, name->text, r->diag);
  if (a && yaml_tree_find(params, name->text)) {
    wrong(r, name, name->text, "values here and below params:", "one of both", "remove one of them");
    a = NULL;
  }
  if (a) a->line = name->line, a->col = name->col;
  else placed(r, name);
  return a;
}

static bool read_axis(struct sweep_reader *r, const struct yaml_node *n) {
  static const char expected[] = "a list of values, or A..B, A..B step S, A..B times F";
  struct sweep_axis *a = new_axis(r, &n->key);
  char text[sizeof n->value.text];
  if (!a) return false;
  if (n->kind == YAML_MAPPING || (n->kind == YAML_SEQUENCE && !n->n))
    return wrong(r, &n->value, n->key.text, n->n ? "a mapping" : "no value", expected, "give at least one value");
  for (size_t i = 0; i < (n->kind == YAML_SCALAR ? 1 : n->n); i++) {
    const struct yaml_node *v = n->kind == YAML_SCALAR ? n : &n->item[i];
    if (!text_of(r, v, text, sizeof text)) return false;
    if (!sweep_values(r->s, a, text, r->diag)) return placed(r, &v->value);
  }
  return true;
}

static bool read_sample(struct sweep_reader *r, const struct yaml_node *n, uint64_t *points, uint64_t *seed) {
  static const char *const keys[] = {"points", "seed", NULL};
  if (!is_kind(r, n, YAML_MAPPING, "a mapping of points: and seed:") || !known_keys(r, n, keys)) return false;
  const struct yaml_node *p = yaml_tree_find(n, "points"), *s = yaml_tree_find(n, "seed");
  if (!p) return wrong(r, &n->key, "sample", "no points:", "points: how many of the grid", "");
  if (!s) return wrong(r, &n->key, "sample", "no seed:", "seed: a number; the same one draws the same points", "");
  return number_of(r, p, 1, SWEEP_MOST_POINTS, points) && number_of(r, s, 0, UINT64_MAX, seed);
}

static bool ask_for(struct sweep_reader *r, const struct yaml_node *at, double points, sweep_asker *ask, void *ctx) {
  char got[40], shown[120], expected[160];
  snprintf(got, sizeof got, "%.0f points", points);
  if (points > SWEEP_MOST_POINTS)
    return wrong(r, &at->key, at->key.text, got, "at most 10,000,000", "draw some of them: sample: {points: N, seed: S}");
  if (points <= SWEEP_ASK_POINTS || ask(ctx, r->s, points, shown)) return true;
  snprintf(expected, sizeof expected, "a yes to %s", shown);
  return wrong(r, &at->key, at->key.text, got, expected, "--yes runs them; sample: {points: N, seed: S} draws some of them");
}

static bool read_grid(struct sweep_reader *r, const struct yaml_node *n, sweep_asker *ask, void *ctx) {
  const struct yaml_node *sample = yaml_tree_find(r->root, "sample");
  uint64_t points = 0, seed = 0;
  if (!is_kind(r, n, YAML_MAPPING, "a mapping of NAME: [VALUE, ...]")) return false;
  if (!n->n) return wrong(r, &n->value, "grid", "no parameter", "at least one, NAME: [VALUE, ...]", "see docs/sweeps.md");
  for (size_t i = 0; i < n->n; i++)
    if (!read_axis(r, &n->item[i])) return false;
  double all = sweep_combinations(r->s);
  if (!sample) {
    if (!ask_for(r, n, all, ask, ctx)) return false;
    sweep_grid(r->s);
    return true;
  }
  if (!read_sample(r, sample, &points, &seed)) return false;
  char got[40], expected[80];
  snprintf(got, sizeof got, "%" PRIu64 " points", points);
  snprintf(expected, sizeof expected, "at most %.15g, which is the whole grid", all);
  if ((double)points > all) return wrong(r, &sample->key, "sample", got, expected, "leave sample: out");
  if (all > 1e18) return wrong(r, &n->key, "grid", "more combinations than can be counted", "at most 1e18", "");
  if (!ask_for(r, sample, (double)points, ask, ctx)) return false;
  sweep_sample(r->s, (size_t)points, seed);
  return true;
}

/* The place of a value among those of a parameter, which is added if new. */
static bool set_choice(struct sweep_reader *r, const struct yaml_node *n) {
  struct sweep *s = r->s;
  char text[sizeof n->value.text], buffer[24];
  if (!text_of(r, n, text, sizeof text)) return false;
  int param = simt_param_index(&s->base, n->key.text);
  size_t a = 0, v = 0;
  while (a < s->n_axes && s->axis[a].param != param) a++;
  if (a == s->n_axes && !new_axis(r, &n->key)) return false;
  struct simt_config trial = s->base;
  if (!config_set(&trial, n->key.text, text, r->diag)) return placed(r, &n->value);
  const char *value = simt_value_text(trial.param[param], trial.value[param], buffer);
  while (v < s->axis[a].n && strcmp(s->axis[a].value[v], value)) v++;
  if (v == s->axis[a].n && !sweep_values(s, &s->axis[a], value, r->diag)) return placed(r, &n->value);
  s->choice[(s->n_points - 1) * SIMT_MAX_PARAMS + a] = (uint16_t)v;
  return true;
}

static bool read_list(struct sweep_reader *r, const struct yaml_node *n, sweep_asker *ask, void *ctx) {
  if (!is_kind(r, n, YAML_SEQUENCE, "a list of points, - {NAME: VALUE, ...}")) return false;
  if (!n->n) return wrong(r, &n->value, "list", "no point", "at least one, - {NAME: VALUE, ...}", "see docs/sweeps.md");
  if (!ask_for(r, n, (double)n->n, ask, ctx)) return false;
  for (size_t i = 0; i < n->n; i++) {
    sweep_add_point(r->s);
    if (n->item[i].kind != YAML_MAPPING)
      return wrong(r, &n->item[i].value, "list", yaml_tree_kind(&n->item[i]), "a point, {NAME: VALUE, ...}", "");
    for (size_t k = 0; k < n->item[i].n; k++)
      if (!set_choice(r, &n->item[i].item[k])) return false;
  }
  return true;
}

static bool read_points(struct sweep_reader *r, sweep_asker *ask, void *ctx) {
  static const char one[] = "grid: or list:, and with grid: a sample:";
  const struct yaml_node *grid = yaml_tree_find(r->root, "grid"), *list = yaml_tree_find(r->root, "list"),
                         *sample = yaml_tree_find(r->root, "sample");
  if (grid && list) return wrong(r, &list->key, "list", "grid: and list:", one, "remove one of them");
  if (list && sample) return wrong(r, &sample->key, "sample", "list: and sample:", one, "a sample is drawn of a grid");
  if (grid) return read_grid(r, grid, ask, ctx);
  if (list) return read_list(r, list, ask, ctx);
  if (sample) return wrong(r, &sample->key, "sample", "no grid:", one, "a sample is drawn of a grid");
  return wrong(r, &(struct yaml_word){.line = 1, .col = 1}, "grid", "no such key", one, "see docs/sweeps.md");
}

/* ---- what is run -------------------------------------------------------------------------------------------- */

/* A file beside the sweep file, unless its name is absolute. */
static bool below_folder(struct sweep_reader *r, const struct yaml_node *n, const char *name, char path[PATH_MAX]) {
  size_t below = name[0] == '/' ? 0 : strlen(r->folder);
  if (below + strlen(name) >= PATH_MAX) return wrong(r, &n->value, n->key.text, name, "a shorter path", "");
  memcpy(path, r->folder, below);
  strcpy(path + below, name);
  return true;
}

bool sweep_check_target(struct sweep_target *t, struct simt_diag *diag) {
  const struct gen_options o = {.target = t->target, .device = t->device[0] ? t->device : NULL, .liberty = t->liberty[0] ? t->path : NULL};
  struct synth_result r = {0};
  size_t size;
  if (!synth_check(&o, &r, diag)) return false;
  char *text = o.liberty ? file_read(t->path, &size, diag) : NULL;
  bool good = !o.liberty || (text && synth_read_library(&r.library, text, t->path, diag));
  if (good && text) sha256_hex(text, size, t->hash);
  synth_free_library(&r.library);
  free(text);
  return good;
}

/* A name, or {target: NAME, device: NAME, liberty: FILE, name: NAME}. */
static bool read_target(struct sweep_reader *r, const struct yaml_node *n) {
  static const char *const keys[] = {"target", "device", "liberty", "name", NULL};
  struct sweep *s = r->s;
  const struct yaml_node *target = n->kind == YAML_MAPPING ? yaml_tree_find(n, "target") : n, *device = yaml_tree_find(n, "device"),
                         *liberty = yaml_tree_find(n, "liberty"), *name = yaml_tree_find(n, "name");
  if (n->kind == YAML_MAPPING && !known_keys(r, n, keys)) return false;
  if (!target) return wrong(r, &n->value, "targets", "no target:", "target: of each mapping", "for example, {target: asic, liberty: FILE}");
  if (s->n_targets == SWEEP_TARGETS) return wrong(r, &n->value, "targets", "more than 8", "at most 8 targets", "");
  struct sweep_target *t = &s->target[s->n_targets++];
  if (!text_of(r, target, t->target, sizeof t->target) || (device && !text_of(r, device, t->device, sizeof t->device)) ||
      (liberty && (!text_of(r, liberty, t->liberty, sizeof t->liberty) || !below_folder(r, liberty, t->liberty, t->path))))
    return false;
  if (!synth_find_target(t->target)) return wrong(r, &target->value, "targets", t->target, "a target of simtgen synth", "see: simtgen synth --help");
  if (!liberty && synth_find_target(t->target)->kind == SYNTH_CELLS)
    return wrong(r, &target->value, "targets", t->target, "a liberty file with it", "write {target: asic, liberty: FILE}");
  if (!sweep_check_target(t, r->diag)) return placed(r, liberty ? &liberty->value : device ? &device->value : &target->value);
  struct text own = {0};
  text_add(&own, "%s%s%s", t->target, device ? "_" : "", t->device);
  snprintf(t->name, sizeof t->name, "%s", own.s);
  text_free(&own);
  if (name && !text_of(r, name, t->name, sizeof t->name)) return false;
  for (const struct sweep_target *other = s->target; other < t; other++)
    if (!strcmp(other->name, t->name))
      return wrong(r, name ? &name->value : &target->value, "targets", t->name, "each target once, or with names of their own", "{target: NAME, name: NAME}");
  return true;
}

static bool read_targets(struct sweep_reader *r) {
  struct sweep *s = r->s;
  const struct yaml_node *n = yaml_tree_find(r->root, "targets"), *seeds = yaml_tree_find(r->root, "seeds");
  uint64_t value = 1;
  if (seeds && !n) return wrong(r, &seeds->key, "seeds", "no targets:", "targets: what is placed with these seeds", "");
  if (seeds && !number_of(r, seeds, 1, MOST_SEEDS, &value)) return false;
  s->seeds = (unsigned)value;
  if (n && !is_kind(r, n, YAML_SEQUENCE, "a list of targets")) return false;
  for (size_t i = 0; n && i < n->n; i++)
    if (!read_target(r, &n->item[i])) return false;
  return true;
}

static bool read_replay(struct sweep_reader *r, struct sweep_workload *w, const struct yaml_node *n) {
  const struct simt_verif *v = simt_find_verif(r->s->base.block);
  if (!is_kind(r, n, YAML_MAPPING, "a mapping of NAME: VALUE")) return false;
  for (size_t i = 0; i < n->n; i++) {
    char text[sizeof n->value.text];
    struct text t = {0};
    uint64_t value[SIMT_MAX_REPLAY];
    if (!text_of(r, &n->item[i], text, sizeof text)) return false;
    if (i == SIMT_MAX_REPLAY) return wrong(r, &n->item[i].key, "replay", "too many values", "the options of one block", "");
    text_add(&t, "%s=%s", n->item[i].key.text, text);
    w->replay[w->n_replay++] = t.s;
    struct gen_options one = {.replay = {t.s}, .n_replay = 1};
    if (!replay_values(&one, v, value, r->diag)) return placed(r, &n->item[i].key);
  }
  return true;
}

static bool known_picker(struct sweep_reader *r, const char *name, const struct yaml_node *at) {
  const struct simt_verif *v = simt_find_verif(r->s->base.block);
  const char *names[32] = {NULL};
  char hint[80] = "see: simtgen sim --help";
  for (size_t i = 0; v->pickers[i].name && i < 31; i++) {
    names[i] = v->pickers[i].name;
    if (!strcmp(name, names[i])) return true;
  }
  const char *near = simt_nearest(name, names);
  if (near) snprintf(hint, sizeof hint, "did you mean %s?", near);
  return wrong(r, &at->value, "picker", name, "the name of a replay order", hint);
}

static bool read_workload(struct sweep_reader *r, const struct yaml_node *n) {
  static const char *const keys[] = {"name", "trace", "picker", "latency", "replay", NULL};
  struct sweep *s = r->s;
  if (n->kind != YAML_MAPPING) return wrong(r, &n->value, "workloads", yaml_tree_kind(n), "{name: NAME, trace: FILE}", "see docs/sweeps.md");
  if (!known_keys(r, n, keys)) return false;
  if (s->n_workloads == SWEEP_WORKLOADS) return wrong(r, &n->value, "workloads", "more than 32", "at most 32", "");
  struct sweep_workload *w = &s->workload[s->n_workloads++];
  const struct yaml_node *name = yaml_tree_find(n, "name"), *trace = yaml_tree_find(n, "trace"),
                         *picker = yaml_tree_find(n, "picker"), *latency = yaml_tree_find(n, "latency"),
                         *replay = yaml_tree_find(n, "replay");
  uint64_t cycles = 0;
  if (!name || !trace) return wrong(r, &n->value, "workloads", name ? "no trace:" : "no name:", "name: and trace: of each", "");
  if (!text_of(r, name, w->name, sizeof w->name) || !text_of(r, trace, w->trace, sizeof w->trace) ||
      (picker && (!text_of(r, picker, w->picker, sizeof w->picker) || !known_picker(r, w->picker, picker))) ||
      (latency && !number_of(r, latency, 1, 1000000, &cycles)) || (replay && !read_replay(r, w, replay)))
    return false;
  for (struct sweep_workload *other = s->workload; other < w; other++)
    if (!strcmp(other->name, w->name)) return wrong(r, &name->value, "name", w->name, "each workload by a name of its own", "");
  for (size_t i = 0; i < s->n_targets; i++)
    if (!strcmp(s->target[i].name, w->name))
      return wrong(r, &name->value, "name", w->name, "a name that no target has", "the columns of both begin with it");
  w->latency = (unsigned)cycles;
  size_t size;
  if (!below_folder(r, trace, w->trace, w->path)) return false;
  char *bytes = file_read(w->path, &size, r->diag);
  if (!bytes) return placed(r, &trace->value);
  sha256_hex(bytes, size, w->hash);
  free(bytes);
  return true;
}

static bool read_workloads(struct sweep_reader *r) {
  const struct yaml_node *n = yaml_tree_find(r->root, "workloads");
  const struct simt_verif *v = simt_find_verif(r->s->base.block);
  if (!n) return true;
  if (!is_kind(r, n, YAML_SEQUENCE, "a list of workloads, - {name: NAME, trace: FILE}")) return false;
  if (n->n && (!v || !v->sim || !v->pickers))
    return wrong(r, &n->key, "workloads", r->s->base.block->name, "a block whose model runs on recorded traces", "leave workloads: out");
  for (size_t i = 0; i < n->n; i++)
    if (!read_workload(r, &n->item[i])) return false;
  return true;
}

static bool read_refused(struct sweep_reader *r) {
  const struct yaml_node *n = yaml_tree_find(r->root, "refused");
  char text[16];
  if (!n) return true;
  if (!text_of(r, n, text, sizeof text)) return false;
  r->s->skip_refused = !strcmp(text, "skip");
  if (r->s->skip_refused || !strcmp(text, "error")) return true;
  return wrong(r, &n->value, "refused", text, "error or skip (what becomes of points that the block has not)", "");
}

/* ---- the whole ---------------------------------------------------------------------------------------------- */

/* The name of the sweep is that of its file. */
static void set_names(struct sweep_reader *r, const char *path) {
  const char *slash = strrchr(path, '/'), *base = slash ? slash + 1 : path;
  snprintf(r->s->file, sizeof r->s->file, "%s", path);
  if (slash) snprintf(r->folder, sizeof r->folder, "%.*s", (int)(slash + 1 - path), path);
  snprintf(r->s->name, sizeof r->s->name, "%.*s", (int)strcspn(base, "."), base);
}

/* The keys at the top: two that a configuration has too, then others. */
static const char *const top_keys[] = {"block", "params", "config", "grid", "list", "sample", "refused", "targets", "seeds", "workloads", NULL};

bool sweep_has_key(const char *key) {
  size_t i = 2;
  while (top_keys[i] && strcmp(top_keys[i], key)) i++;
  return top_keys[i];
}

static bool read_all(struct sweep_reader *r, sweep_asker *ask, void *ctx) {
  const struct yaml_node *name = yaml_tree_find(r->root, "name");
  if (name)
    return wrong(r, &name->key, "name", "a key of the file of a configuration", "a sweep: block, params, grid, targets, workloads",
                 "remove it, or keep the file and name it behind config: in a sweep");
  if (!read_block(r) || !known_keys(r, r->root, top_keys) || !read_params(r) || !read_refused(r) || !read_targets(r) || !read_workloads(r))
    return false;
  if (!r->s->n_targets && !r->s->n_workloads)
    return wrong(r, &r->root->value, "targets", "neither targets: nor workloads:", "at least one of them", "for example, targets: [ice40]");
  return read_points(r, ask, ctx) && sweep_check(r->s, r->diag);
}

bool sweep_read(struct sweep *s, const char *path, sweep_asker *ask, void *ctx, struct simt_diag *diag) {
  struct sweep_reader r = {.s = s, .diag = diag};
  size_t size;
  set_names(&r, path);
  char *text = file_read(path, &size, diag);
  struct yaml_node *root = text ? yaml_tree_read(text, size, path, diag) : NULL;
  r.root = root;
  bool ok = root && read_all(&r, ask, ctx);
  yaml_tree_free(root);
  free(text);
  return ok;
}

void sweep_free(struct sweep *s) {
  for (size_t i = 0; i < s->n_axes; i++) {
    for (size_t k = 0; k < s->axis[i].n; k++) free(s->axis[i].value[k]);
    free(s->axis[i].value);
  }
  for (size_t i = 0; i < s->n_workloads; i++)
    for (unsigned k = 0; k < s->workload[i].n_replay; k++) free(s->workload[i].replay[k]);
  free(s->choice);
  simt_config_free(&s->base);
}
