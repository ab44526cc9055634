/* SPDX-License-Identifier: Apache-2.0 */
/* model.c: cycle model of status_tree. Joining before delaying gives what delaying before joining does, so a row of
 * each pipeline is kept as the output words that it will be: what comes in is joined at once and then only waits. */
#include <stdlib.h>
#include <string.h>

#include "status_tree/status_tree.h"
#include "core/image.h"
#include "core/topology.h"
#include "status_tree/layout.h"
#include "core/unit_status.h"

enum { FLAGS = 4, KINDS = 3 };

struct pipe { /* a row holds the words of its ports, which are neighbours in the output buffer */
  unsigned rows, row_words, next; /* next: the row that leaves, and that the one coming in takes */
  unsigned to, at[FLAGS + 1];     /* to: of the first port in the output buffer; at: of each port in a row */
  uint32_t *word, *reset;
};

struct status_tree {
  const struct simt_config *cfg;
  struct simt_topology t;
  struct tree_layout l;
  unsigned rst, state_in, flag_in[FLAGS], command_in[KINDS];
  struct pipe up, down;
  uint64_t cycles, commands;
};

static bool make_pipe(struct pipe *p, const struct simt_config *cfg, unsigned rows, const char *const *ports, unsigned n) {
  const struct simt_port *first = simt_find_port(cfg, ports[0]), *last = simt_find_port(cfg, ports[n - 1]);
  p->rows = rows;
  p->to = first->word;
  p->row_words = last->word + last->words - first->word;
  for (unsigned i = 0; i < n; i++) p->at[i] = simt_find_port(cfg, ports[i])->word - p->to;
  p->word = calloc((size_t)rows * p->row_words, sizeof *p->word);
  p->reset = calloc(p->row_words, sizeof *p->reset);
  return p->word && p->reset;
}

static void put_bits(uint32_t *words, unsigned at, unsigned width, uint32_t value) {
  words[at / 32] |= value << at % 32;
  if (at % 32 + width > 32) words[at / 32 + 1] |= value >> (32 - at % 32);
}

/* At most 64 bits from bit `at` on, and what follows them. */
static uint64_t get_bits(const uint32_t *words, unsigned at, unsigned n) {
  const uint32_t *w = words + at / 32;
  const unsigned skip = at % 32;
  uint64_t v = w[0];
  if (skip + n > 32) v |= (uint64_t)w[1] << 32;
  v >>= skip;
  return skip + n > 64 ? v | (uint64_t)w[2] << (64 - skip) : v;
}

void *status_tree_create(const struct simt_config *cfg, struct simt_diag *diag) {
  if (!simt_check_plain(cfg, diag)) return NULL;
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
  m->cfg = cfg;
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
  for (unsigned i = 0; i < p->row_words; i++) out[p->to + i] = row[i];
}

void status_tree_outputs(const void *model, uint32_t *out) {
  const struct status_tree *m = model;
  show(&m->up, out);
  show(&m->down, out);
}

/* The row that comes in; what was there has been seen. */
static uint32_t *advance(struct pipe *p) {
  uint32_t *row = p->word + p->next * p->row_words;
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

/* The AND of n fields of w bits from bit `at` on. A field may be looked at twice. */
static uint32_t all_of(const uint32_t *words, unsigned at, unsigned n, unsigned w) {
  const unsigned most = 64 / w, last = at + (n > most ? n - most : 0) * w;
  if (n > most) n = most;
  uint64_t v = get_bits(words, last, n * w);
  for (; v && at < last; at += most * w) v &= get_bits(words, at, n * w);
  for (; n > 1; n -= n / 2) v &= v >> n / 2 * w;
  return (uint32_t)v & ((1u << w) - 1);
}

static void copy(uint32_t *to, const uint32_t *from, unsigned words) {
  for (unsigned i = 0; i < words; i++) to[i] = from[i];
}

static void join(struct status_tree *m, const uint32_t *in) {
  const unsigned w = m->l.state_w, *at = m->up.at, flag_words = m->up.row_words - at[FLAGS];
  uint32_t *row = advance(&m->up);
  if (!m->l.grouped) { /* each report is its unit's */
    copy(row, in + m->state_in, at[1]);
    for (int f = 0; f < FLAGS; f++) copy(row + at[1 + f], in + m->flag_in[f], flag_words);
    return;
  }
  memset(row, 0, m->up.row_words * sizeof *row);
  for (unsigned c = 0; c < m->t.conns; c++) {
    const struct simt_topology_conn *k = &m->t.conn[c];
    put_bits(row, c * w, w, all_of(in + m->state_in, k->first * w, k->members, w));
    for (int f = 0; f < FLAGS; f++)
      row[at[1 + f] + c / 32] |= any_bit(in + m->flag_in[f], k->first, k->members) << c % 32;
  }
}

static void set_bits(uint32_t *words, unsigned first, unsigned n) {
  while (n) {
    unsigned here = 32 - first % 32 < n ? 32 - first % 32 : n;
    words[first / 32] |= UINT32_MAX >> (32 - here) << first % 32;
    first += here, n -= here;
  }
}

/* The units of a command connection stand side by side. */
static void spread(struct status_tree *m, const uint32_t *in) {
  uint32_t *row = advance(&m->down);
  const bool own = m->t.commands == m->t.units, one = m->t.commands == 1;
  const unsigned *at = m->down.at, words = m->down.row_words - at[KINDS - 1];
  for (int k = 0; k < KINDS; k++) {
    const uint32_t *from = in + m->command_in[k];
    uint32_t *to = row + at[k];
    if (own) copy(to, from, words);
    else memset(to, 0, words * sizeof *to);
    for (unsigned i = 0; i < (m->t.commands + 31) / 32; i++) {
      m->commands += from[i] ? (uint64_t)__builtin_popcount(from[i]) : 0;
      for (uint32_t given = own ? 0 : from[i]; given; given &= given - 1) {
        const struct simt_topology_conn *c = &m->t.conn[32 * i + (unsigned)__builtin_ctz(given)];
        set_bits(to, one ? 0 : c->first, one ? m->t.units : c->members);
      }
    }
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

static void pipe_part(struct pipe *p, struct simt_image *image) {
  simt_image_part(image, &p->next, sizeof p->next);
  simt_image_part(image, p->word, (size_t)p->rows * p->row_words * sizeof *p->word);
}

void status_tree_parts(void *model, struct simt_image *image) {
  struct status_tree *m = model;
  pipe_part(&m->up, image);
  pipe_part(&m->down, image);
  simt_image_part(image, &m->cycles, sizeof m->cycles);
  simt_image_part(image, &m->commands, sizeof m->commands);
}

void status_tree_stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx) {
  const struct status_tree *m = model;
  visit(ctx, "cycles", m->cycles);
  visit(ctx, "commands", m->commands);
}
