/* SPDX-License-Identifier: Apache-2.0 */
/* parts.c: models of several blocks as one (parts.h). */
#include "core/parts.h"

#include "core/image.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WORD = 32 };

struct move { const uint32_t *from; uint32_t *to, mask; unsigned right, left; }; /* within a word each */
struct words { const uint32_t *from; uint32_t *to; unsigned n; };

struct simt_parts {
  const struct simt_config *whole;
  struct simt_config *part;
  unsigned n;
  void **state;
  uint32_t **in, **out, *rst; /* rst: word of rst_i in each part's inputs */
  unsigned whole_rst;
  uint32_t *outer_in, *outer_out;
  struct move *move[2]; /* to the parts; to the outside */
  struct words *words[2];
  size_t n_moves[2], n_words[2];
  bool looked; /* the outputs are those of the state */
};

static void *append(void *list, size_t *n, size_t size) {
  if (!(*n & (*n - 1))) {
    list = realloc(list, (*n ? 2 * *n : 1) * size);
    if (!list) abort(); /* a few hundred small records */
  }
  ++*n;
  return list;
}

struct simt_parts *simt_parts_create(const struct simt_config *whole, struct simt_config *part, unsigned n,
                                     struct simt_diag *diag) {
  struct simt_parts *p = calloc(1, sizeof *p);
  if (p) {
    *p = (struct simt_parts){.whole = whole, .part = part, .n = n, .state = calloc(n, sizeof *p->state),
                             .in = calloc(n, sizeof *p->in), .out = calloc(n, sizeof *p->out), .rst = calloc(n, sizeof *p->rst),
                             .whole_rst = simt_find_port(whole, "rst_i")->word,
                             .outer_in = calloc(whole->desc.in_words, sizeof(uint32_t)),
                             .outer_out = calloc(whole->desc.out_words + 1, sizeof(uint32_t))};
    bool good = p->state && p->in && p->out && p->rst && p->outer_in && p->outer_out;
    for (unsigned i = 0; good && i < n; i++) {
      p->in[i] = calloc(part[i].desc.in_words, sizeof(uint32_t));
      p->out[i] = calloc(part[i].desc.out_words + 1, sizeof(uint32_t));
      p->rst[i] = simt_find_port(&part[i], "rst_i")->word;
      good = p->in[i] && p->out[i] && (p->state[i] = simt_model(&part[i])->create(&part[i], diag));
    }
    if (good) return p;
    simt_parts_destroy(p);
  }
  simt_fail(diag, whole->name, "no memory", "memory for the models of its parts");
  return NULL;
}

void simt_parts_destroy(struct simt_parts *p) {
  if (!p) return;
  for (unsigned i = 0; i < p->n; i++) {
    if (p->state && p->state[i]) simt_model(&p->part[i])->destroy(p->state[i]);
    if (p->in) free(p->in[i]);
    if (p->out) free(p->out[i]);
  }
  for (unsigned i = 0; i < 2; i++) {
    free(p->move[i]);
    free(p->words[i]);
  }
  free(p->state);
  free(p->in);
  free(p->out);
  free(p->rst);
  free(p->outer_in);
  free(p->outer_out);
  free(p);
}

/* ---- description ------------------------------------------------------------------------------------------- */

void simt_add_regs_of(struct simt_desc *d, const struct simt_config *part, uint32_t base) {
  for (size_t i = 0; i < part->desc.n_regs; i++) {
    const struct simt_reg *r = &part->desc.regs[i];
    simt_add_reg(d, base + r->addr, r->width, r->access, r->reset, r->req, r->doc, "%s", r->name);
    struct simt_reg *added = &d->regs[d->n_regs - 1];
    *added = *r;
    added->addr = base + r->addr;
    for (size_t k = 0; k < part->desc.n_fields; k++) {
      const struct simt_field *f = &part->desc.fields[k];
      if (f->reg == i) simt_add_field(d, f->low, f->width, f->name, f->doc);
    }
  }
}

/* ---- wires ------------------------------------------------------------------------------------------------- */

/* The buffer word where a wire's end begins; the port's low bit is bit 0 of its first word. `*whole`: it is all of the port. */
static uint32_t *end_of(const struct simt_parts *p, struct simt_wire_end e, bool source, unsigned width, bool *whole) {
  const struct simt_config *cfg = e.part == SIMT_OUTSIDE ? p->whole : &p->part[e.part];
  const struct simt_port *port = simt_find_port(cfg, e.port);
  if (!port || e.low + width > port->width || (port->dir == SIMT_OUT) != (source != (e.part == SIMT_OUTSIDE))) {
    fprintf(stderr, "simtgen: %s: no wire can end at %s\n", cfg->name, e.port);
    abort();
  }
  uint32_t *base = e.part == SIMT_OUTSIDE ? (source ? p->outer_in : p->outer_out) : source ? p->out[e.part] : p->in[e.part];
  *whole = width == port->width;
  return base + port->word;
}

/* Neighbours are copied together. */
static void add_words(struct simt_parts *p, int which, const uint32_t *from, uint32_t *to, unsigned n) {
  struct words *last = p->n_words[which] ? &p->words[which][p->n_words[which] - 1] : NULL;
  if (last && last->from + last->n == from && last->to + last->n == to) {
    last->n += n;
    return;
  }
  p->words[which] = append(p->words[which], &p->n_words[which], sizeof **p->words);
  p->words[which][p->n_words[which] - 1] = (struct words){from, to, n};
}

void simt_parts_wire(struct simt_parts *p, struct simt_wire_end from, struct simt_wire_end to, unsigned width) {
  bool all_from, all_to;
  const uint32_t *a = end_of(p, from, true, width, &all_from);
  uint32_t *b = end_of(p, to, false, width, &all_to);
  const int which = to.part == SIMT_OUTSIDE;
  if (all_from && all_to) { /* the bits above a port are 0 */
    add_words(p, which, a, b, (width + WORD - 1) / WORD);
    return;
  }
  if (width >= WORD && !(from.low % WORD) && !(to.low % WORD)) {
    unsigned n = width / WORD;
    add_words(p, which, a + from.low / WORD, b + to.low / WORD, n);
    from.low += n * WORD, to.low += n * WORD, width %= WORD;
  }
  while (width) {
    unsigned right = from.low % WORD, left = to.low % WORD, most = right > left ? right : left, n = WORD - most;
    if (n > width) n = width;
    p->move[which] = append(p->move[which], &p->n_moves[which], sizeof **p->move);
    p->move[which][p->n_moves[which] - 1] =
        (struct move){a + from.low / WORD, b + to.low / WORD, n == WORD ? UINT32_MAX : (1u << n) - 1, right, left};
    from.low += n, to.low += n, width -= n;
  }
}

static bool partner_name(char to[SIMT_NAME_MAX], const struct simt_port *port) {
  size_t n = strlen(port->name);
  memcpy(to, port->name, n + 1);
  to[n - 1] = 'i';
  return port->dir == SIMT_OUT;
}

void simt_parts_wire_names(struct simt_parts *p) {
  char name[SIMT_NAME_MAX];
  for (unsigned i = 0; i < p->n; i++)
    for (size_t k = 0; k < p->part[i].desc.n_ports; k++) {
      const struct simt_port *port = &p->part[i].desc.ports[k], *same = simt_find_port(p->whole, port->name);
      if (port->role != SIMT_DATA) continue;
      const struct simt_wire_end mine = {(int)i, port->name, 0}, outer = {SIMT_OUTSIDE, port->name, 0};
      if (same && port->dir == SIMT_IN) simt_parts_wire(p, outer, mine, port->width);
      if (same && port->dir == SIMT_OUT) simt_parts_wire(p, mine, outer, port->width);
      if (!partner_name(name, port)) continue;
      for (unsigned j = 0; j < p->n; j++) {
        const struct simt_port *other = j == i ? NULL : simt_find_port(&p->part[j], name);
        if (other && other->width == port->width)
          simt_parts_wire(p, mine, (struct simt_wire_end){(int)j, other->name, 0}, port->width);
      }
    }
}

static void carry(const struct simt_parts *p, int which) {
  for (size_t i = 0; i < p->n_words[which]; i++) {
    const struct words *w = &p->words[which][i];
    for (unsigned k = 0; k < w->n; k++) w->to[k] = w->from[k]; /* few: memcpy costs more */
  }
  for (size_t i = 0; i < p->n_moves[which]; i++) {
    const struct move *m = &p->move[which][i];
    *m->to = (*m->to & ~(m->mask << m->left)) | (*m->from >> m->right & m->mask) << m->left;
  }
}

/* ---- a cycle ------------------------------------------------------------------------------------------------ */

static void outputs_of_parts(struct simt_parts *p) {
  if (p->looked) return;
  for (unsigned i = 0; i < p->n; i++) simt_model(&p->part[i])->outputs(p->state[i], p->out[i]);
  p->looked = true;
}

const uint32_t *simt_parts_out(const struct simt_parts *p, unsigned part) { return p->out[part]; }
uint32_t *simt_parts_in(struct simt_parts *p, unsigned part) { return p->in[part]; }
void *simt_parts_model(struct simt_parts *p, unsigned part) { return p->state[part]; }

void simt_parts_look(struct simt_parts *p, const uint32_t *in) {
  outputs_of_parts(p);
  memcpy(p->outer_in, in, p->whole->desc.in_words * sizeof *in);
  carry(p, 0);
  for (unsigned i = 0; i < p->n; i++) p->in[i][p->rst[i]] = in[p->whole_rst];
}

void simt_parts_go(struct simt_parts *p) {
  for (unsigned i = 0; i < p->n; i++) simt_model(&p->part[i])->step(p->state[i], p->in[i]);
  p->looked = false;
}

void simt_parts_step(struct simt_parts *p, const uint32_t *in) {
  simt_parts_look(p, in);
  simt_parts_go(p);
}

void simt_parts_outputs(struct simt_parts *p, uint32_t *out) {
  outputs_of_parts(p);
  carry(p, 1);
  memcpy(out, p->outer_out, p->whole->desc.out_words * sizeof *out);
}

void simt_parts_reset(struct simt_parts *p) {
  for (unsigned i = 0; i < p->n; i++) simt_model(&p->part[i])->reset(p->state[i]);
  p->looked = false;
}

void simt_parts_image(struct simt_parts *p, struct simt_image *image) {
  for (unsigned i = 0; i < p->n; i++) simt_model(&p->part[i])->parts(p->state[i], image);
  simt_image_forget(image, &p->looked);
}
