/* SPDX-License-Identifier: Apache-2.0 */
/* record.c: a run of the cycle model alone, kept cycle by cycle. */
#include "sim/record.h"

#include <stdlib.h>
#include <string.h>

#include "core/wrapped.h"

struct player { /* model and environment of one run */
  const struct simt_verif *verif;
  void *model, *env, *choice;
};

static const char *play(struct record *r, const struct player *p, unsigned most) {
  const struct simt_model_ops *ops = simt_model(r->cfg);
  const struct simt_desc *d = &r->cfg->desc;
  p->verif->restart(p->env);
  ops->reset(p->model);
  for (; r->cycles < most; r->cycles++) {
    uint32_t *in = r->in + (size_t)r->cycles * d->in_words;
    uint32_t *out = r->out + (size_t)r->cycles * d->out_words;
    if (r->cycles) memcpy(in, in - d->in_words, d->in_words * sizeof *in); /* what is not driven stays */
    ops->outputs(p->model, out);
    if (!p->verif->choose(p->env, p->choice)) return NULL;
    p->verif->drive(p->env, p->choice, out, in);
    const char *wrong = p->verif->observe(p->env, in, out);
    if (wrong) return wrong;
    ops->step(p->model, in);
  }
  return NULL;
}

bool record_run(struct record *r, const struct simt_config *cfg, const struct simt_stimulus *stim,
                struct simt_diag *diag) {
  memset(r, 0, sizeof *r);
  r->cfg = cfg;
  struct simt_verif room;
  struct player p = {.verif = simt_verif_of(cfg, &room)};
  if (!p.verif) return simt_fail(diag, cfg->block->name, "no environment", "verif/%s", cfg->block->name);
  p.env = p.verif->create(cfg, stim, diag);
  p.model = p.env ? simt_model(cfg)->create(cfg, diag) : NULL;
  p.choice = calloc(1, p.verif->choice_size + 1);
  r->in = calloc(stim->cycles + 1, sizeof *r->in * (cfg->desc.in_words + 1));
  r->out = calloc(stim->cycles + 1, sizeof *r->out * (cfg->desc.out_words + 1));
  r->valid = calloc(cfg->desc.n_ports + 1, sizeof *r->valid);
  for (size_t i = 0; r->valid && i < cfg->desc.n_ports; i++)
    if (cfg->desc.ports[i].valid[0]) r->valid[i] = simt_find_port(cfg, cfg->desc.ports[i].valid);
  bool good = p.model && p.choice && r->in && r->out && r->valid;
  if (!good) {
    simt_fail(diag, cfg->block->name, "no memory", "room for the model and %u recorded cycles",
              (unsigned)stim->cycles);
  } else {
    const char *wrong = play(r, &p, (unsigned)stim->cycles);
    good = !wrong || simt_fail(diag, cfg->block->name, wrong, "a model that agrees with its golden model in "
                               "cycle %u of %s stimulus (this is a fault of the program, please report it)",
                               r->cycles, stim->kind);
  }
  if (p.model) simt_model(cfg)->destroy(p.model);
  if (p.env) p.verif->destroy(p.env);
  free(p.choice);
  return good;
}

void record_free(struct record *r) {
  free(r->in);
  free(r->out);
  free(r->valid);
  r->in = r->out = NULL;
  r->valid = NULL;
}

const uint32_t *record_words(const struct record *r, const struct simt_port *p, unsigned cycle) {
  const struct simt_desc *d = &r->cfg->desc;
  return p->dir == SIMT_IN ? r->in + (size_t)cycle * d->in_words + p->word
                           : r->out + (size_t)cycle * d->out_words + p->word;
}

bool record_means(const struct record *r, const struct simt_port *p, unsigned cycle) {
  const struct simt_port *valid = r->valid[p - r->cfg->desc.ports];
  if (!valid) return true;
  const uint32_t *w = record_words(r, valid, cycle);
  for (unsigned i = 0; i < valid->words; i++)
    if (w[i]) return true;
  return false;
}
