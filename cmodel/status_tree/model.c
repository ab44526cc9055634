/* SPDX-License-Identifier: Apache-2.0 */
/* model.c: cycle model of status_tree. Joining before delaying gives what delaying before joining does, so a row of
 * each pipeline is kept as the output words that it will be: what comes in is joined at once and then only waits. */
#include <stdlib.h>
#include <string.h>

#include "status_tree.h"
#include "topology.h"
#include "tree_layout.h"
#include "unit_status.h"

enum { FLAGS = 4, KINDS = 3 };

struct span { unsigned from, to, words; }; /* words of a row, of the output buffer */

struct pipe {
  unsigned rows, row_words, next; /* next: the row that leaves, and that the one coming in takes */
  struct span span[FLAGS + 1];
  unsigned n_spans;
  uint32_t *word, *reset;
};

struct status_tree {
  struct simt_topology t;
  struct tree_layout l;
  unsigned rst, state_in, flag_in[FLAGS], command_in[KINDS];
  struct pipe up, down;
  uint64_t cycles, commands;
};

static bool make_pipe(struct pipe *p, const struct simt_config *cfg, unsigned rows, const char *const *ports, unsigned n) {
  p->rows = rows;
  p->n_spans = n;
  for (unsigned i = 0; i < n; i++) {
    const struct simt_port *port = simt_find_port(cfg, ports[i]);
    p->span[i] = (struct span){p->row_words, port->word, port->words};
    p->row_words += port->words;
  }
  p->word = calloc((size_t)rows * p->row_words, sizeof *p->word);
  p->reset = calloc(p->row_words, sizeof *p->reset);
  return p->word && p->reset;
}

static void put_bits(uint32_t *words, unsigned at, unsigned width, uint32_t value) {
  words[at / 32] |= value << at % 32;
  if (at % 32 + width > 32) words[at / 32 + 1] |= value >> (32 - at % 32);
}

static uint32_t get_bits(const uint32_t *words, unsigned at, unsigned width) {
  uint64_t both = words[at / 32];
  if (at % 32 + width > 32) both |= (uint64_t)words[at / 32 + 1] << 32;
  return (uint32_t)(both >> at % 32) & ((1u << width) - 1);
}

void *status_tree_create(const struct simt_config *cfg, struct simt_diag *diag) {
  static const char *const up[] = {"conn_state_o", "conn_progress_o", "conn_waiting_o", "conn_gather_o", "conn_nack_o"};
  static const char *const down[] = {"unit_halt_o", "unit_reset_o", "unit_resume_o"};
  static const char *const flags[] = {"unit_progress_i", "unit_waiting_i", "unit_gather_i", "unit_nack_i"};
  static const char *const commands[] = {"mon_halt_i", "mon_reset_i", "mon_resume_i"};
  struct status_tree *m = calloc(1, sizeof *m);
  if (!m || !simt_topology_make(cfg, &m->t, diag)) {
    simt_fail(diag, cfg->name, "no memory", "memory for the model");
    status_tree_destroy(m);
    return NULL;
  }
  m->l = tree_layout(cfg, &m->t);
  m->rst = simt_find_port(cfg, "rst_i")->word;
  m->state_in = simt_find_port(cfg, "unit_state_i")->word;
  for (int f = 0; f < FLAGS; f++) m->flag_in[f] = simt_find_port(cfg, flags[f])->word;
  for (int k = 0; k < KINDS; k++) m->command_in[k] = simt_find_port(cfg, commands[k])->word;
  if (!make_pipe(&m->up, cfg, m->l.stages, up, FLAGS + 1) || !make_pipe(&m->down, cfg, m->l.stages - 1, down, KINDS)) {
    simt_fail(diag, cfg->name, "no memory", "memory for the model");
    status_tree_destroy(m);
    return NULL;
  }
  uint32_t empty = simt_status_code(SIMT_EMPTY, (enum simt_status_encoding)simt_param(cfg, "ENCODING"));
  for (unsigned c = 0; c < m->t.conns; c++) put_bits(m->up.reset, c * m->l.state_w, m->l.state_w, empty);
  status_tree_reset(m);
  return m;
}

void status_tree_destroy(void *model) {
  struct status_tree *m = model;
  if (!m) return;
  simt_topology_free(&m->t);
  free(m->up.word);
  free(m->up.reset);
  free(m->down.word);
  free(m->down.reset);
  free(m);
}

static void reset_pipe(struct pipe *p) {
  for (unsigned r = 0; r < p->rows; r++) memcpy(p->word + r * p->row_words, p->reset, p->row_words * sizeof *p->word);
  p->next = 0;
}

void status_tree_reset(void *model) {
  struct status_tree *m = model;
  reset_pipe(&m->up);
  reset_pipe(&m->down);
}

static void show(const struct pipe *p, uint32_t *out) {
  const uint32_t *row = p->word + p->next * p->row_words;
  for (unsigned i = 0; i < p->n_spans; i++) memcpy(out + p->span[i].to, row + p->span[i].from, p->span[i].words * sizeof *out);
}

void status_tree_outputs(const void *model, uint32_t *out) {
  const struct status_tree *m = model;
  show(&m->up, out);
  show(&m->down, out);
}

/* The row that comes in, cleared; what was there has been seen. */
static uint32_t *advance(struct pipe *p) {
  uint32_t *row = p->word + p->next * p->row_words;
  memset(row, 0, p->row_words * sizeof *row);
  p->next = p->next + 1 == p->rows ? 0 : p->next + 1;
  return row;
}

/* Whether any of n bits from `first` on is 1. */
static uint32_t any_bit(const uint32_t *words, unsigned first, unsigned n) {
  while (n) {
    unsigned here = 32 - first % 32 < n ? 32 - first % 32 : n;
    if (words[first / 32] >> first % 32 & UINT32_MAX >> (32 - here)) return 1;
    first += here, n -= here;
  }
  return 0;
}

static void join(struct status_tree *m, const uint32_t *in) {
  const unsigned w = m->l.state_w;
  uint32_t *row = advance(&m->up);
  if (!m->l.grouped) { /* each report is its unit's */
    memcpy(row, in + m->state_in, m->up.span[0].words * sizeof *row);
    for (int f = 0; f < FLAGS; f++) memcpy(row + m->up.span[1 + f].from, in + m->flag_in[f], m->up.span[1 + f].words * sizeof *row);
    return;
  }
  for (unsigned c = 0; c < m->t.conns; c++) {
    const struct simt_topology_conn *k = &m->t.conn[c];
    uint32_t state = (1u << w) - 1;
    for (unsigned u = k->first; state && u < k->first + k->members; u++) state &= get_bits(in + m->state_in, u * w, w);
    put_bits(row, c * w, w, state);
    for (int f = 0; f < FLAGS; f++)
      row[m->up.span[1 + f].from + c / 32] |= any_bit(in + m->flag_in[f], k->first, k->members) << c % 32;
  }
}

static void spread(struct status_tree *m, const uint32_t *in) {
  uint32_t *row = advance(&m->down);
  for (int k = 0; k < KINDS; k++) {
    const uint32_t *from = in + m->command_in[k];
    uint32_t *to = row + m->down.span[k].from;
    if (m->t.commands == m->t.units) memcpy(to, from, m->down.span[k].words * sizeof *to);
    else if (any_bit(from, 0, m->t.commands))
      for (unsigned u = 0; u < m->t.units; u++) {
        unsigned c = m->t.unit[u].command;
        to[u / 32] |= (from[c / 32] >> c % 32 & 1) << u % 32;
      }
    for (unsigned i = 0; i < (m->t.commands + 31) / 32; i++) m->commands += (uint64_t)__builtin_popcount(from[i]);
  }
}

void status_tree_step(void *model, const uint32_t *in) {
  struct status_tree *m = model;
  m->cycles++;
  if (in[m->rst]) {
    status_tree_reset(m);
    return;
  }
  join(m, in);
  spread(m, in);
}

/* Both pipelines, the oldest row first. */
static size_t copy_rows(const struct pipe *p, char *to) {
  size_t row = p->row_words * sizeof *p->word;
  for (unsigned r = 0; to && r < p->rows; r++) memcpy(to + r * row, p->word + (p->next + r) % p->rows * p->row_words, row);
  return p->rows * row;
}

size_t status_tree_save(const void *model, void *to, size_t room) {
  const struct status_tree *m = model;
  size_t up = copy_rows(&m->up, NULL), need = up + copy_rows(&m->down, NULL);
  if (room < need) return need;
  copy_rows(&m->up, to);
  copy_rows(&m->down, (char *)to + up);
  return need;
}

bool status_tree_load(void *model, const void *from, size_t size) {
  struct status_tree *m = model;
  size_t up = copy_rows(&m->up, NULL), down = copy_rows(&m->down, NULL);
  if (size != up + down) return false;
  memcpy(m->up.word, from, up);
  memcpy(m->down.word, (const char *)from + up, down);
  m->up.next = m->down.next = 0;
  return true;
}

void status_tree_stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx) {
  const struct status_tree *m = model;
  visit(ctx, "cycles", m->cycles);
  visit(ctx, "commands", m->commands);
}
