/* SPDX-License-Identifier: Apache-2.0 */
/* wave.c: which cycles and ports of a recorded run a timing diagram shows.
 *
 * Cycles in which nothing changes are left out where three or more follow each other. Of the rest, the part is
 * taken that holds most of what is rare in the run: a port that takes a value counts one, divided by how often
 * it takes that value; data and addresses do not count. So counts what the controls of a handshake say together (a
 * request that is a read, among writes). What happens by itself after reset, before anything is asked of the block,
 * does not count either; what comes late in the run counts more, as the point of a test follows its preparation. */
#include "emit/wave.h"

#include <stdlib.h>
#include <string.h>

/* Most values of a port that is control, its width if it is a payload; the widest port with a readable value. */
enum { VALUES = 8, CONTROL_W = 4, WIDE = 64 };

struct values { unsigned n, cycle[VALUES], times[VALUES]; }; /* per value: a cycle that has it, changes to it */

bool wave_same(const struct record *r, const struct simt_port *p, unsigned a, unsigned b) {
  bool means = record_means(r, p, a);
  if (means != record_means(r, p, b)) return false;
  return !means || !memcmp(record_words(r, p, a), record_words(r, p, b), sizeof(uint32_t) * p->words);
}

/* The port begins to mean something, or takes another value, in this cycle. */
static bool event(const struct record *r, const struct simt_port *p, unsigned cycle) {
  return p->role != SIMT_CLOCK && cycle && record_means(r, p, cycle) && !wave_same(r, p, cycle - 1, cycle);
}

static bool changes(const struct record *r, unsigned cycle) {
  if (!cycle || cycle >= r->cycles) return false;
  for (size_t i = 0; i < r->cfg->desc.n_ports; i++) {
    const struct simt_port *p = &r->cfg->desc.ports[i];
    if (p->role != SIMT_CLOCK && !wave_same(r, p, cycle - 1, cycle)) return true;
  }
  return false;
}

/* The place of the port's value of this cycle; VALUES when there are too many. */
static unsigned value_index(const struct record *r, const struct simt_port *p, const struct values *v, unsigned cycle) {
  unsigned i = 0;
  while (i < v->n && !wave_same(r, p, v->cycle[i], cycle)) i++;
  return i;
}

static void count_values(const struct record *r, const struct simt_port *p, unsigned from, struct values *v) {
  v->n = p->valid[0] && p->width > CONTROL_W ? VALUES + 1 : 0;
  for (unsigned c = from; c < r->cycles && v->n <= VALUES; c++) {
    if (!event(r, p, c)) continue;
    unsigned i = value_index(r, p, v, c);
    if (i == VALUES) {
      v->n = VALUES + 1; /* not control */
      return;
    }
    if (i == v->n) {
      v->cycle[v->n] = c;
      v->times[v->n++] = 0;
    }
    v->times[i]++;
  }
}

/* How rare it is what the port does in this cycle. */
static double rarity(const struct record *r, const struct simt_port *p, const struct values *v, unsigned cycle) {
  if (v->n > VALUES || !event(r, p, cycle)) return 0;
  unsigned i = value_index(r, p, v, cycle);
  return i < v->n ? 1.0 / v->times[i] : 0;
}

/* What the narrow ports of port p's group and direction say together: one number, 0 while none is 1. */
static uint64_t said(const struct record *r, size_t p, unsigned cycle) {
  const struct simt_port *first = &r->cfg->desc.ports[p];
  uint64_t value = 0;
  for (size_t i = p; i < r->cfg->desc.n_ports && !strcmp(r->cfg->desc.ports[i].group, first->group); i++) {
    const struct simt_port *q = &r->cfg->desc.ports[i];
    if (q->dir != first->dir || q->width > CONTROL_W) continue;
    value = value << CONTROL_W | (record_means(r, q, cycle) ? record_words(r, q, cycle)[0] : 0);
  }
  return value;
}

/* Adds to the score of each column how rare it is what the group that begins with port p says in its direction. */
static void score_group(const struct record *r, size_t p, unsigned from, const struct wave_column *col, unsigned n,
                        double *score) {
  uint64_t *value = calloc(r->cycles + 1, sizeof *value);
  if (!value) abort();
  for (unsigned c = 0; c < r->cycles; c++) value[c] = said(r, p, c);
  for (unsigned i = 0; i < n; i++) {
    unsigned times = 0, now = col[i].cycle;
    if (now < from || !now || !value[now] || value[now] == value[now - 1]) continue;
    for (unsigned c = from ? from : 1; c < r->cycles; c++) times += value[c] == value[now] && value[c] != value[c - 1];
    score[i] += 1.0 / times;
  }
  free(value);
}

/* Port p is the first of its group in its direction. */
static bool begins(const struct simt_desc *d, size_t p) {
  for (size_t i = p; i-- > 0 && !strcmp(d->ports[i].group, d->ports[p].group);)
    if (d->ports[i].dir == d->ports[p].dir) return false;
  return d->ports[p].role != SIMT_CLOCK;
}

/* The first cycle in which something is asked of the block: an input that is the valid of another is 1; where
 * there are none, the first change. */
static unsigned first_activity(const struct record *r) {
  const struct simt_desc *d = &r->cfg->desc;
  for (unsigned c = 0; c < r->cycles; c++)
    for (size_t i = 0; i < d->n_ports; i++) {
      const struct simt_port *p = &d->ports[i], *valid = r->valid[i];
      if (valid && p->dir == SIMT_IN && valid->dir == SIMT_IN && record_means(r, p, c)) return c;
    }
  unsigned c = 1;
  while (c < r->cycles && !changes(r, c)) c++;
  return c < r->cycles ? c : 0;
}

/* All columns of the run from `from` on; returns their number. */
static unsigned all_columns(const struct record *r, unsigned from, struct wave_column *col) {
  unsigned n = 0, quiet = 0;
  bool next = changes(r, from);
  for (unsigned c = from; c < r->cycles; c++) {
    bool now = next;
    next = changes(r, c + 1);
    if (n && !now && !next) {
      quiet++;
      continue;
    }
    if (quiet < 3)
      for (; quiet; quiet--) col[n++] = (struct wave_column){.cycle = c - quiet};
    col[n++] = (struct wave_column){.cycle = c, .skipped = quiet};
    quiet = 0;
  }
  return n;
}

/* Takes the best WAVE_COLUMNS of n columns; the middle one of equally good parts. */
static void choose_columns(struct wave *w, const struct wave_column *col, const double *score, unsigned n) {
  double best = -1, sum = 0;
  unsigned first = 0, last = 0;
  for (unsigned i = 0; i < n; i++) {
    sum += score[i];
    if (i >= WAVE_COLUMNS) sum -= score[i - WAVE_COLUMNS];
    unsigned start = i < WAVE_COLUMNS ? 0 : i + 1 - WAVE_COLUMNS;
    if (sum > best + 1e-6) first = start;
    if (sum > best - 1e-6) last = start;
    if (sum > best) best = sum;
  }
  unsigned start = (first + last) / 2;
  w->cols = n - start < WAVE_COLUMNS ? n - start : WAVE_COLUMNS;
  memcpy(w->col, col + start, w->cols * sizeof *col);
  w->col[0].skipped = 0;
}

/* An input of one bit that orders by itself: no payload, and not the valid of one. */
static bool is_order(const struct simt_desc *d, const struct simt_port *p) {
  if (p->dir != SIMT_IN || p->role != SIMT_DATA || p->width != 1 || p->valid[0]) return false;
  for (size_t i = 0; i < d->n_ports; i++)
    if (!strcmp(d->ports[i].valid, p->name)) return false;
  return true;
}

/* What a port has to say in the chosen columns. An order counts twice: what the others do follows from it. */
static double weight(const struct wave *w, const struct simt_port *p, const struct values *v) {
  double sum = 0;
  unsigned values = 0;
  bool zero = true;
  if (p->role == SIMT_CLOCK) return 0;
  for (unsigned i = 0; i < w->cols; i++) {
    unsigned c = w->col[i].cycle;
    bool means = record_means(w->r, p, c), seen = !means;
    for (unsigned k = 0; means && k < p->words; k++) zero = zero && !record_words(w->r, p, c)[k];
    for (unsigned k = 0; k < i && !seen; k++) seen = wave_same(w->r, p, w->col[k].cycle, c);
    values += !seen;
    if (i) sum += v->n > VALUES ? 0.05 * event(w->r, p, c) : rarity(w->r, p, v, c);
  }
  if (values < 2 && zero && !p->valid[0]) return 0; /* a line that stays low */
  if (v->n < 2 && zero) sum *= 0.2;
  if (is_order(&w->r->cfg->desc, p)) sum *= 2;
  return (values ? 0.01 : 0) + (p->width > WIDE ? 0.2 * sum : sum);
}

/* The ports of the largest weights. A payload has a share in what its valid does, and never stands without it. */
static void choose_rows(struct wave *w, const struct values *values) {
  const struct simt_desc *d = &w->r->cfg->desc;
  double *sum = calloc(d->n_ports, sizeof *sum), least[WAVE_ROWS];
  if (!sum) abort();
  for (size_t i = 0; i < d->n_ports; i++) sum[i] = weight(w, &d->ports[i], &values[i]);
  for (size_t i = 0; i < d->n_ports; i++) {
    const struct simt_port *valid = w->r->valid[i];
    if (valid && sum[i] > 0.01) sum[i] += 0.3 * sum[valid - d->ports];
    if (valid && sum[valid - d->ports] < sum[i] + 0.01) sum[valid - d->ports] = sum[i] + 0.01;
  }
  for (size_t i = 0; i < d->n_ports; i++) {
    const struct simt_port *p = &d->ports[i];
    double v = sum[i];
    if (v <= 0) continue;
    if (w->rows == WAVE_ROWS) {
      unsigned at = 0;
      for (unsigned k = 1; k < WAVE_ROWS; k++)
        if (least[k] <= least[at]) at = k;
      if (v <= least[at]) continue;
      memmove(&w->row[at], &w->row[at + 1], sizeof *w->row * (WAVE_ROWS - 1 - at));
      memmove(&least[at], &least[at + 1], sizeof *least * (WAVE_ROWS - 1 - at));
      w->rows--;
    }
    least[w->rows] = v;
    w->row[w->rows++] = p;
  }
  free(sum);
}

void wave_choose(struct wave *w, const struct record *r) {
  size_t n_ports = r->cfg->desc.n_ports;
  struct values *values = calloc(n_ports + 1, sizeof *values);
  struct wave_column *col = calloc(r->cycles + 1, sizeof *col);
  double *score = calloc(r->cycles + 1, sizeof *score);
  if (!values || !col || !score) abort();
  *w = (struct wave){.r = r};
  unsigned from = first_activity(r);
  for (size_t i = 0; i < n_ports; i++) count_values(r, &r->cfg->desc.ports[i], from, &values[i]);
  unsigned n = all_columns(r, from > 0 ? from - 1 : 0, col);
  for (unsigned c = 0; c < n; c++)
    for (size_t i = 0; i < n_ports; i++)
      if (col[c].cycle >= from) score[c] += rarity(r, &r->cfg->desc.ports[i], &values[i], col[c].cycle);
  for (size_t i = 0; i < n_ports; i++)
    if (begins(&r->cfg->desc, i)) score_group(r, i, from, col, n, score);
  for (unsigned c = 0; c < n; c++) score[c] *= (c + 1.0) / n;
  if (n) choose_columns(w, col, score, n);
  if (w->cols > 1) choose_rows(w, values);
  free(values);
  free(col);
  free(score);
}
