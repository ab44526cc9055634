/* SPDX-License-Identifier: Apache-2.0 */
/* runs.c: recorded runs of the model, and mutations side by side in the netlist that replays them. */
#include "mutate/mutants.h"

#include <stdlib.h>
#include <string.h>

static void grow(struct mutant_run *r) {
  const struct simt_desc *d = &r->cfg->desc;
  if (r->cycles < r->room) return;
  r->room = r->room ? 2 * r->room : 1024;
  r->in = realloc(r->in, r->room * d->in_words * sizeof *r->in);
  r->out = realloc(r->out, r->room * d->out_words * sizeof *r->out);
  r->mask = realloc(r->mask, r->room * d->out_words * sizeof *r->mask);
  if (!r->in || !r->out || !r->mask) abort();
}

static bool means(const struct simt_config *cfg, const struct simt_port *p, const uint32_t *in, const uint32_t *out) {
  const struct simt_port *valid = p->valid[0] ? simt_find_port(cfg, p->valid) : NULL;
  return !valid || (valid->dir == SIMT_IN ? in : out)[valid->word];
}

static void keep(void *ctx, uint64_t cycle, const uint32_t *in, const uint32_t *out, const uint32_t *rtl) {
  (void)cycle, (void)rtl;
  struct mutant_run *r = ctx;
  const struct simt_desc *d = &r->cfg->desc;
  grow(r);
  memcpy(&r->in[r->cycles * d->in_words], in, 4 * d->in_words);
  memcpy(&r->out[r->cycles * d->out_words], out, 4 * d->out_words);
  uint32_t *mask = &r->mask[r->cycles++ * d->out_words];
  memset(mask, 0, 4 * d->out_words);
  for (size_t i = 0; i < d->n_ports; i++) {
    const struct simt_port *p = &d->ports[i];
    if (p->dir == SIMT_OUT && means(r->cfg, p, in, out)) memset(&mask[p->word], 0xff, 4 * p->words);
  }
}

bool mutant_run_record(struct mutant_run *r, const struct simt_config *cfg, const struct simt_verif *verif,
                       const struct simt_stimulus *stim, const char *name, struct simt_diag *diag) {
  struct lockstep *l = lockstep_create(cfg, verif, stim, NULL, diag);
  *r = (struct mutant_run){.cfg = cfg, .reset_word = -1};
  if (!l) return false;
  snprintf(r->name, sizeof r->name, "%s", name);
  for (size_t i = 0; i < cfg->desc.n_ports; i++)
    if (cfg->desc.ports[i].role == SIMT_RESET) r->reset_word = (int)cfg->desc.ports[i].word;
  struct lockstep_result end = lockstep_run(l, &(struct lockstep_plan){
    .cycles = stim->cycles, .watch = keep, .ctx = r, .stop = &interrupted});
  bool ok = end.end == LOCKSTEP_PASS ||
            simt_fail(diag, cfg->block->name, end.message, "a model that passes alone (%s)", r->name);
  lockstep_destroy(l);
  return ok;
}

const struct simt_port *mutant_run_port(const struct mutant_run *r, unsigned word) {
  for (size_t i = 0; i < r->cfg->desc.n_ports; i++) {
    const struct simt_port *p = &r->cfg->desc.ports[i];
    if (p->dir == SIMT_OUT && word >= p->word && word < p->word + p->words) return p;
  }
  return NULL;
}

struct net_run mutant_run_of(const struct mutant_run *r) {
  return (struct net_run){r->in, r->out, r->mask, r->cycles, r->reset_word};
}

struct mutant_sim *mutant_run_place(const struct mutant_list *l, const struct simt_config *cfg, struct mutation *f,
                                   size_t *order, size_t n, size_t *placed, struct simt_diag *diag) {
  size_t loop;
  struct mutant_sim *sim;
  *placed = n < MUTANT_LANES - 1 ? n : MUTANT_LANES - 1;
  while (!(sim = mutant_sim_create(&l->net, cfg, f, *placed, &loop)) && *placed > 1) {
    size_t last = --*placed, moved = order[loop];
    struct mutation mutation = f[loop];
    f[loop] = f[last], order[loop] = order[last];
    f[last] = mutation, order[last] = moved;
  }
  if (!sim) simt_fail(diag, cfg->name, NULL, "the mutation '%s' closes a loop of gates", l->m[order[0]].change);
  return sim;
}

void mutant_run_free(struct mutant_run *r) {
  free(r->in);
  free(r->out);
  free(r->mask);
  *r = (struct mutant_run){.cycles = 0};
}
