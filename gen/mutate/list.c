/* SPDX-License-Identifier: Apache-2.0 */
/* list.c: the mutations of a configuration, as Yosys lists them. */
#include <stdlib.h>
#include <string.h>

#include "mutate/mutants.h"
#include "synth/netlist.h"

static const char *const modes[MUTATION_MODES] = {"inv", "const0", "const1", "cnot0", "cnot1"};

/* The word behind `option` of a line of the list, up to a space. */
static size_t word_after(const char *line, const char *option, const char **word) {
  const char *at = strstr(line, option);
  *word = at ? at + strlen(option) : "";
  return strcspn(*word, " \n");
}

static void name_after(const char *line, const char *option, char *to, size_t room) {
  const char *word;
  size_t n = word_after(line, option, &word);
  if (*word == '\\') word++, n--;
  snprintf(to, room, "%.*s", (int)n, word);
}

/* What a line says; false when the netlist has no such place (a clock). */
static bool read_line(const struct mutant_net *net, const char *line, struct mutation *f) {
  char cell[2048], port[64], mode[16];
  const char *bit, *control;
  name_after(line, "-cell ", cell, sizeof cell);
  name_after(line, "-port ", port, sizeof port);
  name_after(line, "-mode ", mode, sizeof mode);
  word_after(line, "-portbit ", &bit);
  word_after(line, "-ctrlbit ", &control);
  long site = mutant_net_site(net, cell, port, (unsigned)strtoul(bit, NULL, 10));
  *f = (struct mutation){.site = (unsigned)site, .to = UINT64_MAX};
  while (f->mode < MUTATION_MODES && strcmp(modes[f->mode], mode)) f->mode++;
  if (site < 0 || f->mode == MUTATION_MODES) return false;
  f->control = f->site - (unsigned)strtoul(bit, NULL, 10) + (unsigned)strtoul(control, NULL, 10);
  return true;
}

/* A constant made the same constant is no mutation. */
static bool changes_nothing(const struct mutant_net *net, const struct mutation *f) {
  return !net->read_by[f->site] && ((f->mode == MUTATION_CONST0 && net->driver[f->site] == 0) ||
                                    (f->mode == MUTATION_CONST1 && net->driver[f->site] == 1));
}

static void take(struct mutant_list *l, const char *line, const char *mode) {
  struct mutation mutation;
  const char *change = strstr(line, "-mode ");
  if (!change || !read_line(&l->net, line, &mutation) || (mode && strcmp(mode, modes[mutation.mode]))) return;
  l->all++;
  if (changes_nothing(&l->net, &mutation)) {
    l->same++;
    return;
  }
  if (!(l->n & (l->n - 1))) { /* full: 0, 1, 2, 4, ... */
    l->m = realloc(l->m, 2 * (l->n + 1) * sizeof *l->m);
    if (!l->m) abort();
  }
  l->m[l->n++] = (struct mutant){(unsigned)l->all, strdup(change), mutation};
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
  struct fileset list = {0};
  *l = (struct mutant_list){.n = 0};
  bool ok = mutant_net_make(&l->net, cfg, diag);
  if (ok) text_add_bytes(fileset_add(&list, "design.il"), l->net.design.file[0].text.s, l->net.design.file[0].text.len);
  ok = ok && netlist_script(&list, cfg, "mutate -list 100000000 -o netlist.v", "list.txt", true, diag);
  if (ok) {
    for (char *line = strtok(list.file[0].text.s, "\n"); line; line = strtok(NULL, "\n")) take(l, line, mode);
    choose(l, most, seed);
    ok = l->n || simt_fail(diag, cfg->name, "no mutation", "logic that Yosys can mutate");
  }
  fileset_free(&list);
  return ok;
}

void mutant_list_free(struct mutant_list *l) {
  for (size_t i = 0; i < l->n; i++) free(l->m[i].change);
  free(l->m);
  mutant_net_free(&l->net);
  *l = (struct mutant_list){.n = 0};
}
