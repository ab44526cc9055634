/* SPDX-License-Identifier: Apache-2.0 */
/* net_sim.c: simulates a netlist with another mutation in each bit of a word. The netlist is folded anew for each set of
 * mutations: sites without one are wires. */
#include <stdlib.h>
#include <string.h>

#include "mutate/net.h"

typedef uint64_t lanes __attribute__((vector_size(MUTANT_LANES / 8)));
/* Macros, as how a vector is passed depends on the CPU: all ones or zeros; the value of a literal. */
#define ALL(one) ((lanes){0} - (uint64_t)(one))
#define VALUE(s, literal) ((s)->value[(literal) / 2] ^ ALL((literal) & 1))
enum { WORDS = MUTANT_LANES / 64 };
enum { UNKNOWN = UINT32_MAX, BUSY = UINT32_MAX - 1 }; /* instead of a literal */
enum op_kind { OP_AND, OP_SITE, OP_READ };

struct op { enum op_kind kind; unsigned to, a, b; }; /* AND: literals; SITE: literal, effect; READ: memory */
struct inversion { unsigned control; lanes where; }; /* CNOT; the control's literal is inverted for CNOT0 */
struct effect { lanes inv, const0, const1; struct inversion *also; size_t n_also; };
struct memory { const struct net_memory *m; unsigned data; unsigned *rd_addr, *wr_addr, *wr_data, *wr_en; lanes *word; };
struct event { uint64_t cycle; lanes *mask; unsigned lane; };
struct compared { unsigned word, bit, literal; };

struct mutant_sim {
  const struct mutant_net *net;
  const struct simt_config *cfg;
  const struct mutation *mutation;
  size_t n_mutations;
  unsigned *literal;          /* of a variable of the netlist, UNKNOWN or BUSY */
  unsigned *site, *first;     /* literal of a site; 1 + first mutation at it */
  unsigned *next;             /* 1 + next mutation at the same site, per mutation */
  unsigned *hash;             /* 1 + op, by operands */
  size_t hash_mask, control;  /* the mutation whose control is looked at now */
  struct op *op;
  size_t n_ops, n_vars;
  struct effect *effect;
  size_t n_effects;
  struct memory *memory;
  struct event *event;
  size_t n_events;
  struct compared *compared;
  size_t n_compared;
  unsigned *latch, *latch_next, *input; /* variable, literal, variable of an input bit */
  lanes *value, *state, alive;
  uint64_t cycle[MUTANT_LANES];
  unsigned differs[MUTANT_LANES];
};

static void *zeros(size_t n, size_t size) {
  void *p = calloc(n + 1, size);
  if (!p) abort();
  return p;
}

static lanes *new_lanes(size_t n) {
  lanes *p = aligned_alloc(sizeof *p, (n + 1) * sizeof *p);
  if (!p) abort();
  memset(p, 0, (n + 1) * sizeof *p);
  return p;
}

/* ---- folding --------------------------------------------------------------------------------- */

static unsigned resolve_site(struct mutant_sim *s, unsigned site);

static struct op *add_op(struct mutant_sim *s, enum op_kind kind, unsigned vars) {
  struct op *o = &s->op[s->n_ops++];
  *o = (struct op){.kind = kind, .to = (unsigned)s->n_vars};
  s->n_vars += vars;
  return o;
}

static unsigned and_of(struct mutant_sim *s, unsigned a, unsigned b) {
  if (a > b) return and_of(s, b, a);
  if (a == 0 || a == (b ^ 1)) return 0;
  if (a == 1 || a == b) return b;
  size_t at = (a * (size_t)0x9e3779b97f4a7c15 ^ b * (size_t)0xff51afd7ed558ccd) >> 20 & s->hash_mask;
  for (; s->hash[at]; at = (at + 1) & s->hash_mask) {
    const struct op *o = &s->op[s->hash[at] - 1];
    if (o->a == a && o->b == b) return 2 * o->to;
  }
  struct op *o = add_op(s, OP_AND, 1);
  o->a = a, o->b = b;
  s->hash[at] = (unsigned)s->n_ops;
  return 2 * o->to;
}

/* Literal of a literal of the netlist; BUSY when it depends on itself. */
static unsigned resolve(struct mutant_sim *s, unsigned literal) {
  unsigned var = literal / 2, *to = &s->literal[var];
  if (*to == UNKNOWN) {
    unsigned a = UNKNOWN, b = UNKNOWN;
    *to = BUSY;
    switch (s->net->var[var].kind) {
    case VAR_AND:
      a = resolve(s, s->net->var[var].a);
      b = a == BUSY ? BUSY : resolve(s, s->net->var[var].b);
      *to = b == BUSY ? BUSY : and_of(s, a, b);
      break;
    case VAR_SITE:
      *to = resolve_site(s, s->net->var[var].index);
      break;
    default:
      *to = 2 * (unsigned)s->n_vars++;
    }
  }
  return *to == BUSY ? BUSY : *to ^ (literal & 1);
}

static unsigned *resolve_sites(struct mutant_sim *s, unsigned first, unsigned n) {
  unsigned *to = zeros(n, sizeof *to);
  bool ok = true;
  for (unsigned i = 0; i < n; i++) ok = (to[i] = resolve_site(s, first + i)) != BUSY && ok;
  if (ok) return to;
  free(to);
  return NULL;
}

/* What drives a site. */
static unsigned raw(struct mutant_sim *s, unsigned site) {
  if (!s->net->read_by[site]) return resolve(s, s->net->driver[site]);
  unsigned which = s->net->read_by[site] - 1;
  struct memory *m = &s->memory[which];
  m->m = &s->net->memory[which];
  if (m->data == BUSY) return BUSY;
  if (!m->data) {
    m->data = BUSY;
    m->rd_addr = resolve_sites(s, m->m->rd_addr, m->m->abits);
    if (!m->rd_addr) return BUSY;
    struct op *o = add_op(s, OP_READ, m->m->width);
    o->a = which;
    m->data = o->to;
  }
  return 2 * (m->data + site - m->m->rd_data);
}

static void add_event(struct mutant_sim *s, size_t mutation, lanes *mask) {
  s->event[s->n_events++] = (struct event){s->mutation[mutation].from, mask, (unsigned)mutation + 1};
  if (s->mutation[mutation].to != UINT64_MAX)
    s->event[s->n_events++] = (struct event){s->mutation[mutation].to, mask, (unsigned)mutation + 1};
}

/* The mutations of a site; false when a control depends on it. */
static bool add_effect(struct mutant_sim *s, unsigned first) {
  struct effect *e = &s->effect[s->n_effects++];
  size_t n = 0, also = 0;
  for (unsigned f = first; f; f = s->next[f - 1]) n++;
  *e = (struct effect){.n_also = 0};
  e->also = aligned_alloc(sizeof(lanes), (n + 1) * sizeof *e->also);
  if (!e->also) abort();
  for (unsigned f = first; f; f = s->next[f - 1]) {
    const struct mutation *mutation = &s->mutation[f - 1];
    lanes *mask = mutation->mode == MUTATION_INV ? &e->inv : mutation->mode == MUTATION_CONST0 ? &e->const0 : &e->const1;
    if (mutation->mode >= MUTATION_CNOT0) {
      size_t outer = s->control;
      s->control = f - 1;
      unsigned control = raw(s, mutation->control);
      if (control == BUSY) return false;
      s->control = outer;
      e->also[also] = (struct inversion){.control = control ^ (mutation->mode == MUTATION_CNOT0)};
      mask = &e->also[also++].where;
    }
    add_event(s, f - 1, mask);
  }
  e->n_also = also;
  return true;
}

static unsigned resolve_site(struct mutant_sim *s, unsigned site) {
  if (s->site[site] != UNKNOWN) return s->site[site];
  s->site[site] = BUSY;
  unsigned from = raw(s, site);
  if (from == BUSY) return BUSY;
  if (s->first[site]) {
    size_t effect = s->n_effects;
    if (!add_effect(s, s->first[site])) return BUSY;
    struct op *o = add_op(s, OP_SITE, 1);
    o->a = from, o->b = (unsigned)effect;
    from = 2 * o->to;
  }
  return s->site[site] = from;
}

static bool fold_state(struct mutant_sim *s) {
  const struct mutant_net *n = s->net;
  for (size_t i = 0; i < n->n_latches; i++) {
    s->latch[i] = resolve(s, 2 * n->latch[i].var) / 2;
    s->latch_next[i] = resolve(s, n->latch[i].next);
    if (s->latch_next[i] == BUSY) return false;
  }
  for (size_t i = 0; i < n->n_memories; i++) {
    struct memory *m = &s->memory[i];
    const struct net_memory *f = m->m = &n->memory[i];
    m->wr_addr = resolve_sites(s, f->wr_addr, f->abits);
    m->wr_data = resolve_sites(s, f->wr_data, f->width);
    m->wr_en = resolve_sites(s, f->wr_en, f->width);
    if (!m->wr_addr || !m->wr_data || !m->wr_en) return false;
    m->word = new_lanes((size_t)f->size * f->width);
  }
  return true;
}

static bool fold(struct mutant_sim *s) {
  const struct simt_desc *d = &s->cfg->desc;
  const struct mutant_net *n = s->net;
  s->literal[0] = 0, s->n_vars = 1;
  for (size_t i = 0; i < 32 * d->in_words; i++)
    if (n->in[i]) s->input[i] = resolve(s, 2 * n->in[i]) / 2;
  for (size_t i = 0; i < d->n_ports; i++) {
    const struct simt_port *p = &d->ports[i];
    for (unsigned b = 0; p->dir == SIMT_OUT && b < p->width; b++) {
      unsigned literal = resolve(s, n->out[32 * p->word + b]);
      if (literal == BUSY) return false;
      s->compared[s->n_compared++] = (struct compared){p->word + b / 32, b % 32, literal};
    }
  }
  return fold_state(s);
}

static int by_cycle(const void *a, const void *b) {
  uint64_t x = ((const struct event *)a)->cycle, y = ((const struct event *)b)->cycle;
  return (x > y) - (x < y);
}

struct mutant_sim *mutant_sim_create(const struct mutant_net *n, const struct simt_config *cfg, const struct mutation *f,
                                   size_t count, size_t *loop) {
  struct mutant_sim *s = aligned_alloc(sizeof(lanes), (sizeof *s + sizeof(lanes) - 1) / sizeof(lanes) * sizeof(lanes));
  size_t hashed = 1024, vars = n->n_vars + n->n_sites + count + 1;
  if (!s) abort();
  while (hashed < 2 * vars) hashed *= 2;
  *s = (struct mutant_sim){.net = n, .cfg = cfg, .mutation = f, .n_mutations = count, .hash_mask = hashed - 1};
  s->literal = malloc(n->n_vars * sizeof *s->literal);
  s->site = malloc((n->n_sites + 1) * sizeof *s->site);
  if (!s->literal || !s->site) abort();
  memset(s->literal, 0xff, n->n_vars * sizeof *s->literal);
  memset(s->site, 0xff, n->n_sites * sizeof *s->site);
  s->first = zeros(n->n_sites, sizeof *s->first);
  s->next = zeros(count, sizeof *s->next);
  s->hash = zeros(hashed, sizeof *s->hash);
  s->op = zeros(vars, sizeof *s->op);
  s->effect = aligned_alloc(sizeof(lanes), (count + 1) * sizeof *s->effect);
  s->memory = zeros(n->n_memories, sizeof *s->memory);
  s->event = zeros(2 * count, sizeof *s->event);
  s->compared = zeros(32 * cfg->desc.out_words, sizeof *s->compared);
  s->latch = zeros(n->n_latches, sizeof *s->latch);
  s->latch_next = zeros(n->n_latches, sizeof *s->latch_next);
  s->input = zeros(32 * cfg->desc.in_words, sizeof *s->input);
  if (!s->effect) abort();
  for (unsigned i = 0; i < count; i++) {
    s->next[i] = s->first[f[i].site];
    s->first[f[i].site] = i + 1;
  }
  if (!fold(s)) {
    *loop = s->control;
    mutant_sim_free(s);
    return NULL;
  }
  qsort(s->event, s->n_events, sizeof *s->event, by_cycle);
  s->value = new_lanes(s->n_vars);
  s->state = new_lanes(n->n_latches);
  return s;
}

/* ---- running --------------------------------------------------------------------------------- */

static bool any(const lanes *v) {
  uint64_t all_of = 0;
  for (int i = 0; i < WORDS; i++) all_of |= (*v)[i];
  return all_of;
}

static bool bit(const lanes *v, unsigned lane) { return (*v)[lane / 64] >> lane % 64 & 1; }

/* The address of a lane, and the living lanes whose address is another. */
static size_t address(const struct mutant_sim *s, const unsigned *literal, unsigned n, unsigned lane, lanes *others) {
  size_t at = 0;
  lanes other = {0};
  for (unsigned i = 0; i < n; i++) {
    lanes v = VALUE(s, literal[i]);
    bool one = bit(&v, lane);
    at |= (size_t)one << i;
    if (others) other |= v ^ ALL(one);
  }
  if (others) *others = other & s->alive;
  return at;
}

/* Most lanes agree with lane 0; the others one by one. */
static void read_memory(struct mutant_sim *s, const struct memory *m) {
  lanes others, *to = &s->value[m->data];
  const unsigned width = m->m->width;
  size_t at = address(s, m->rd_addr, m->m->abits, 0, &others);
  if (at < m->m->size) memcpy(to, &m->word[at * width], width * sizeof *to);
  else memset(to, 0, width * sizeof *to);
  if (!any(&others)) return;
  for (unsigned lane = 1; lane <= s->n_mutations; lane++) {
    if (!bit(&others, lane)) continue;
    at = address(s, m->rd_addr, m->m->abits, lane, NULL);
    uint64_t here = (uint64_t)1 << lane % 64;
    for (unsigned b = 0; b < width; b++) {
      bool one = at < m->m->size && bit(&m->word[at * width + b], lane);
      to[b][lane / 64] = (to[b][lane / 64] & ~here) | (one ? here : 0);
    }
  }
}

static void write_word(struct mutant_sim *s, const struct memory *m, size_t at, const lanes *where) {
  if (at >= m->m->size) return;
  for (unsigned b = 0; b < m->m->width; b++) {
    lanes enabled = VALUE(s, m->wr_en[b]) & *where, *to = &m->word[at * m->m->width + b];
    *to = (*to & ~enabled) | (VALUE(s, m->wr_data[b]) & enabled);
  }
}

static void write_memory(struct mutant_sim *s, const struct memory *m) {
  lanes others;
  size_t at = address(s, m->wr_addr, m->m->abits, 0, &others);
  lanes same = ~others;
  write_word(s, m, at, &same);
  for (unsigned lane = 1; any(&others) && lane <= s->n_mutations; lane++) {
    if (!bit(&others, lane)) continue;
    lanes one = {0};
    one[lane / 64] = (uint64_t)1 << lane % 64;
    write_word(s, m, address(s, m->wr_addr, m->m->abits, lane, NULL), &one);
  }
}

static void mutated(struct mutant_sim *s, const struct op *o) {
  const struct effect *e = &s->effect[o->b];
  lanes v = VALUE(s, o->a) ^ e->inv;
  v = (v & ~e->const0) | e->const1;
  for (size_t i = 0; i < e->n_also; i++) v ^= e->also[i].where & VALUE(s, e->also[i].control);
  s->value[o->to] = v;
}

static void evaluate(struct mutant_sim *s, const uint32_t *in) {
  for (size_t i = 0; i < 32 * s->cfg->desc.in_words; i++)
    if (s->input[i]) s->value[s->input[i]] = ALL(in[i / 32] >> i % 32 & 1);
  for (const struct op *o = s->op, *end = o + s->n_ops; o < end; o++) {
    if (o->kind == OP_AND) s->value[o->to] = VALUE(s, o->a) & VALUE(s, o->b);
    else if (o->kind == OP_SITE) mutated(s, o);
    else read_memory(s, &s->memory[o->a]);
  }
}

static void clock_edge(struct mutant_sim *s) {
  for (size_t i = 0; i < s->net->n_memories; i++) write_memory(s, &s->memory[i]);
  for (size_t i = 0; i < s->net->n_latches; i++) s->state[i] = VALUE(s, s->latch_next[i]);
  for (size_t i = 0; i < s->net->n_latches; i++) s->value[s->latch[i]] = s->state[i];
}

static void start(struct mutant_sim *s, uint64_t seed) {
  struct simt_rng rng;
  simt_rng_seed(&rng, seed);
  for (size_t i = 0; i < s->net->n_latches; i++) s->value[s->latch[i]] = ALL(simt_rng_below(&rng, 2));
  for (size_t i = 0; i < s->net->n_memories; i++)
    for (size_t w = 0; w < (size_t)s->memory[i].m->size * s->memory[i].m->width; w++)
      s->memory[i].word[w] = ALL(simt_rng_below(&rng, 2));
}

/* Lanes whose outputs differ now, for the first time. */
static void compare(struct mutant_sim *s, const uint32_t *out, const uint32_t *mask, uint64_t cycle) {
  lanes differs = {0};
  for (size_t i = 0; i < s->n_compared; i++) {
    const struct compared *c = &s->compared[i];
    if (mask[c->word] >> c->bit & 1) differs |= VALUE(s, c->literal) ^ ALL(out[c->word] >> c->bit & 1);
  }
  differs &= s->alive;
  if (!any(&differs)) return;
  s->alive &= ~differs;
  for (unsigned lane = 0; lane <= s->n_mutations; lane++) {
    if (!bit(&differs, lane)) continue;
    s->cycle[lane] = cycle;
    for (size_t i = 0; i < s->n_compared; i++) {
      const struct compared *c = &s->compared[i];
      lanes v = VALUE(s, c->literal) ^ ALL(out[c->word] >> c->bit & 1);
      if (mask[c->word] >> c->bit & 1 && bit(&v, lane)) {
        s->differs[lane] = c->word;
        break;
      }
    }
  }
}

void mutant_sim_run(struct mutant_sim *s, const struct net_run *r, uint64_t seed, const volatile int *stop) {
  const struct simt_desc *d = &s->cfg->desc;
  uint32_t *reset = zeros(d->in_words, sizeof *reset);
  size_t next = 0;
  s->alive = (lanes){0};
  for (unsigned lane = 0; lane <= s->n_mutations; lane++) {
    s->alive[lane / 64] |= (uint64_t)1 << lane % 64;
    s->cycle[lane] = r->cycles;
  }
  if (r->reset_word >= 0) reset[r->reset_word] = 1;
  start(s, seed);
  for (uint64_t cycle = 0; cycle <= r->cycles && !*stop; cycle++) { /* the reset, then cycle - 1 of the run */
    uint64_t now = cycle ? cycle - 1 : 0;
    for (; next < s->n_events && s->event[next].cycle == now; next++)
      (*s->event[next].mask)[s->event[next].lane / 64] ^= (uint64_t)1 << s->event[next].lane % 64;
    evaluate(s, cycle ? &r->in[now * d->in_words] : reset);
    if (cycle) compare(s, &r->out[now * d->out_words], &r->mask[now * d->out_words], now);
    clock_edge(s);
    lanes others = s->alive;
    others[0] &= ~(uint64_t)1;
    if (!bit(&s->alive, 0) || (s->n_mutations && !any(&others))) break;
  }
  free(reset);
}

uint64_t mutant_sim_cycle(const struct mutant_sim *s, unsigned lane) { return s->cycle[lane]; }
unsigned mutant_sim_word(const struct mutant_sim *s, unsigned lane) { return s->differs[lane]; }

bool mutant_sim_same_state(const struct mutant_sim *s, unsigned lane) {
  for (size_t i = 0; i < s->net->n_latches; i++)
    if (bit(&s->state[i], lane) != bit(&s->state[i], 0)) return false;
  for (size_t i = 0; i < s->net->n_memories; i++)
    for (size_t w = 0; w < (size_t)s->memory[i].m->size * s->memory[i].m->width; w++)
      if (bit(&s->memory[i].word[w], lane) != bit(&s->memory[i].word[w], 0)) return false;
  return true;
}

void mutant_sim_free(struct mutant_sim *s) {
  if (!s) return;
  for (size_t i = 0; i < s->n_effects; i++) free(s->effect[i].also);
  for (size_t i = 0; i < s->net->n_memories; i++) {
    struct memory *m = &s->memory[i];
    free(m->rd_addr);
    free(m->wr_addr);
    free(m->wr_data);
    free(m->wr_en);
    free(m->word);
  }
  void *all_of[] = {s->literal, s->site, s->first, s->next, s->hash, s->op, s->effect, s->memory, s->event, s->compared,
                    s->latch, s->latch_next, s->input, s->value, s->state, s};
  for (size_t i = 0; i < sizeof all_of / sizeof *all_of; i++) free(all_of[i]);
}
