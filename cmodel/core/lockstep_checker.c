/* SPDX-License-Identifier: Apache-2.0 */
/* lockstep_checker.c: the model beside a simulation (lockstep_checker.h). */
#include "core/lockstep_checker.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "core/difference.h"
#include "core/vcd.h"

/* Neighbouring output words that one valid governs. */
struct checked_words { const uint32_t *valid; unsigned first, n; };

struct simt_checker {
  const struct simt_config *cfg;
  const struct simt_model_ops *ops;
  void *model;
  const struct simt_port *reset;     /* NULL: there is none */
  uint32_t *in, *out, *rtl, *unknown; /* of the cycle looked at last; `out` is the model's */
  uint32_t always;                   /* 1, the valid of what needs none */
  size_t unknown_words, cycle_words;
  struct checked_words *part;
  size_t n_parts;
  uint32_t *kept;                    /* a ring of `keep` cycles: in, out, rtl, unknown */
  unsigned keep;
  bool started;
  uint64_t cycle, since;             /* cycles behind the first reset; the first one of this stretch */
  uint64_t compared;
  enum simt_checked fault;
  const struct simt_port *port;      /* of the fault */
  const struct simt_port *noted;     /* the payload that was unknown last, since the reset; or NULL */
  uint64_t noted_cycle;
};

const char *simt_version(void) { return SIMT_VERSION; }

/* ---- life ------------------------------------------------------------------------------------------------------ */

static const uint32_t *valid_of(const struct simt_checker *c, const struct simt_port *p) {
  const struct simt_port *v = p->valid[0] ? simt_find_port(c->cfg, p->valid) : NULL;
  if (!v) return &c->always;
  return (v->dir == SIMT_IN ? c->in : c->out) + v->word;
}

static void find_parts(struct simt_checker *c) {
  struct checked_words *s = NULL;
  for (size_t i = 0; i < c->cfg->desc.n_ports; i++) {
    const struct simt_port *p = &c->cfg->desc.ports[i];
    if (p->role == SIMT_RESET) c->reset = p;
    if (p->dir != SIMT_OUT) continue;
    const uint32_t *valid = valid_of(c, p);
    if (!s || s->valid != valid || s->first + s->n != p->word) {
      s = &c->part[c->n_parts++];
      *s = (struct checked_words){.valid = valid, .first = p->word};
    }
    s->n += p->words;
  }
}

struct simt_checker *simt_checker_create(const struct simt_config *cfg, unsigned keep, struct simt_diag *diag) {
  struct simt_checker *c = calloc(1, sizeof *c);
  const struct simt_desc *d = &cfg->desc;
  if (c) {
    c->cfg = cfg;
    c->ops = simt_model(cfg);
    c->always = 1;
    c->keep = keep;
    c->unknown_words = (d->n_ports + 31) / 32;
    c->cycle_words = d->in_words + 2 * (size_t)d->out_words + c->unknown_words;
    c->in = calloc(c->cycle_words + 1, sizeof *c->in);
    c->kept = calloc((size_t)keep * c->cycle_words + 1, sizeof *c->kept);
    c->part = calloc(d->n_ports + 1, sizeof *c->part);
    if (c->in && c->kept && c->part) {
      c->out = c->in + d->in_words;
      c->rtl = c->out + d->out_words;
      c->unknown = c->rtl + d->out_words;
      find_parts(c);
      c->model = c->ops->create(cfg, diag);
      if (c->model) return c;
    }
    simt_checker_destroy(c);
  }
  simt_fail(diag, cfg->name, "no memory", "memory for the model and the cycles that are kept");
  return NULL;
}

void simt_checker_destroy(struct simt_checker *c) {
  if (!c) return;
  if (c->model) c->ops->destroy(c->model);
  free(c->in);
  free(c->kept);
  free(c->part);
  free(c);
}

/* ---- a cycle --------------------------------------------------------------------------------------------------- */

static bool is_unknown(const struct simt_checker *c, const struct simt_port *p) {
  const size_t place = (size_t)(p - c->cfg->desc.ports);
  return c->unknown[place / 32] >> place % 32 & 1;
}

static bool any_unknown(const struct simt_checker *c) {
  uint32_t any = 0;
  for (size_t i = 0; i < c->unknown_words; i++) any |= c->unknown[i];
  return any;
}

static bool differs(const struct simt_checker *c) {
  for (const struct checked_words *s = c->part, *end = s + c->n_parts; s < end; s++)
    if (*s->valid && memcmp(c->out + s->first, c->rtl + s->first, sizeof(uint32_t) * s->n)) return true;
  return false;
}

/* The first output that differs or is unknown, or NULL. */
static const struct simt_port *wrong_output(const struct simt_checker *c) {
  for (size_t i = 0; i < c->cfg->desc.n_ports; i++) {
    const struct simt_port *p = &c->cfg->desc.ports[i];
    if (p->dir != SIMT_OUT || !*valid_of(c, p)) continue;
    if (is_unknown(c, p) || memcmp(c->out + p->word, c->rtl + p->word, sizeof(uint32_t) * p->words)) return p;
  }
  return NULL;
}

/* The first input that is unknown and has no valid, or NULL: the model needs its value in each cycle. During a reset it needs
 * that of the reset alone. A payload that is unknown counts as 0, and is noted: whether its value matters shows later. */
static const struct simt_port *unknown_input(struct simt_checker *c) {
  if (c->reset && is_unknown(c, c->reset)) return c->reset;
  if (c->reset && c->in[c->reset->word]) return NULL;
  for (size_t i = 0; i < c->cfg->desc.n_ports; i++) {
    const struct simt_port *p = &c->cfg->desc.ports[i];
    if (p->dir != SIMT_IN || p->role != SIMT_DATA || !is_unknown(c, p) || !*valid_of(c, p)) continue;
    if (!p->valid[0]) return p;
    c->noted = p;
    c->noted_cycle = c->cycle - 1;
  }
  return NULL;
}

static enum simt_checked fail(struct simt_checker *c, enum simt_checked fault, const struct simt_port *port) {
  c->fault = fault;
  c->port = port;
  c->started = false;
  return fault;
}

/* Whether this edge starts the model. */
static bool starts(struct simt_checker *c) {
  if (c->reset && (is_unknown(c, c->reset) || !c->in[c->reset->word])) return false;
  c->ops->reset(c->model);
  c->started = true;
  c->since = c->cycle;
  c->noted = NULL;
  return true;
}

enum simt_checked simt_checker_cycle(struct simt_checker *c, const uint32_t *in, const uint32_t *out, const uint32_t *unknown) {
  const struct simt_desc *d = &c->cfg->desc;
  memcpy(c->in, in, sizeof *in * d->in_words);
  memcpy(c->rtl, out, sizeof *out * d->out_words);
  if (unknown) memcpy(c->unknown, unknown, sizeof *unknown * c->unknown_words);
  if (!c->started) {
    if (c->compared) c->cycle++; /* behind a fault: the cycles go on */
    starts(c);
    return SIMT_CHECKED_WAITS;
  }
  c->ops->outputs(c->model, c->out);
  if (c->keep) memcpy(c->kept + c->cycle % c->keep * c->cycle_words, c->in, sizeof *c->in * c->cycle_words);
  c->compared++;
  c->cycle++;
  const bool x = any_unknown(c);
  if (x || differs(c)) {
    const struct simt_port *wrong = wrong_output(c);
    if (wrong) return fail(c, SIMT_CHECKED_DIFFERS, wrong);
    wrong = unknown_input(c);
    if (wrong) return fail(c, SIMT_CHECKED_UNKNOWN, wrong);
  }
  c->ops->step(c->model, c->in);
  return SIMT_CHECKED_SAME;
}

uint64_t simt_checker_compared(const struct simt_checker *c) { return c->compared; }

/* ---- a fault --------------------------------------------------------------------------------------------------- */

void simt_checker_say(const struct simt_checker *c, const char *what, struct simt_sink to) {
  const struct simt_port *p = c->port;
  if (!p) return;
  const bool x = c->fault == SIMT_CHECKED_UNKNOWN;
  to.put(to.ctx, x ? "UNKNOWN INPUT: " : "MISMATCH: ", x ? 15 : 10);
  to.put(to.ctx, what, strlen(what));
  simt_put(to, " cycle %" PRIu64 ": ", c->cycle - 1);
  if (x) {
    simt_put(to, "%s: has unknown bits (X or Z), expected a value: the model needs one", p->name);
    return;
  }
  simt_put_difference(to, p, is_unknown(c, p) ? NULL : c->rtl + p->word, c->out + p->word);
  if (c->noted)
    simt_put(to, "; the input %s had unknown bits in cycle %" PRIu64 " while %s was 1, which the model takes for 0", c->noted->name,
             c->noted_cycle, c->noted->valid);
}

bool simt_checker_wave(const struct simt_checker *c, struct simt_sink to) {
  uint64_t from = c->cycle > c->keep ? c->cycle - c->keep : 0;
  if (from < c->since) from = c->since;
  struct vcd *v = vcd_open(c->cfg, true, to);
  if (!v) return false;
  for (; from < c->cycle; from++) {
    const uint32_t *in = c->kept + from % c->keep * c->cycle_words, *out = in + c->cfg->desc.in_words,
                   *rtl = out + c->cfg->desc.out_words;
    vcd_cycle(v, from, in, out, rtl, rtl + c->cfg->desc.out_words);
  }
  vcd_close(v);
  return true;
}
