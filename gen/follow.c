/* SPDX-License-Identifier: Apache-2.0 */
/* follow.c: parameters that must follow one that the user set. A block names the first that does not fit; here the others are
 * found by trying, so that one message has them all. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "gen.h"

enum { MOST_VALUES = 64 + 3 * 64 + 8, SMALL_RANGE = 64 };

struct trials { uint64_t v[MOST_VALUES]; size_t n; };

static void add_value(struct trials *to, const struct simt_param *p, uint64_t v) {
  if (v < p->min || v > p->max || ((p->flags & SIMT_POW2) && (v & (v - 1))) || to->n == MOST_VALUES) return;
  to->v[to->n++] = v;
}

/* Values that a parameter may have: all of a small range, else powers of two and their neighbours, the ends, and the numbers
 * of the message. */
static void values_of(struct trials *to, const struct simt_param *p, const char *expected) {
  to->n = 0;
  if (p->max - p->min < SMALL_RANGE) {
    for (uint64_t v = p->min; v <= p->max; v++) add_value(to, p, v);
    return;
  }
  for (unsigned i = 0; i < 64; i++)
    for (int d = -1; d <= 1; d++) add_value(to, p, ((uint64_t)1 << i) + (uint64_t)d);
  add_value(to, p, p->min);
  add_value(to, p, p->max);
  for (const char *s = expected; *(s += strcspn(s, "0123456789"));) {
    char *end;
    add_value(to, p, strtoull(s, &end, 10));
    s = end;
  }
}

static uint64_t apart(uint64_t a, uint64_t b) { return a > b ? a - b : b - a; }

/* Gives parameter `i` the value nearest to its own with which the block has nothing to say against it; what the block says
 * then is in *diag, which has not failed when all is well. */
static bool make_fit(struct simt_config *cfg, int i, struct simt_diag *diag) {
  const struct simt_param *p = cfg->param[i];
  const uint64_t own = cfg->value[i];
  struct trials values;
  struct simt_diag best = {0};
  uint64_t chosen = own;
  values_of(&values, p, diag->expected);
  for (size_t k = 0; k < values.n; k++) {
    struct simt_diag said = {0};
    if (values.v[k] == own || (chosen != own && apart(values.v[k], own) >= apart(chosen, own))) continue;
    cfg->value[i] = values.v[k];
    if (!simt_resolve(cfg, &said) && !strcmp(said.name, p->name)) continue;
    best = said;
    chosen = values.v[k];
    simt_config_free(cfg);
  }
  cfg->value[i] = chosen;
  *diag = best;
  return chosen != own;
}

void config_follow(const struct simt_config *cfg, struct simt_diag *diag) {
  struct simt_config trial = *cfg;
  struct simt_diag said = *diag;
  struct text t = {0};
  bool changed[SIMT_MAX_PARAMS] = {false};
  size_t n = 0;
  if (diag->hint[0] || cfg->records.given) return;
  while (said.failed) {
    int i = simt_param_index(&trial, said.name);
    if (i < 0 || cfg->given[i] || changed[i] || !make_fit(&trial, i, &said)) break;
    char buffer[24];
    changed[i] = true;
    text_add(&t, "%s %s=%s", n++ ? "," : "these fit together with it:", trial.param[i]->name,
             simt_value_text(trial.param[i], trial.value[i], buffer));
  }
  if (!said.failed && n > 1) snprintf(diag->hint, sizeof diag->hint, "%s", t.s);
  text_free(&t);
}
