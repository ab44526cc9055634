/* SPDX-License-Identifier: Apache-2.0 */
/* checker.c: memory, open requests and batches of the serial-order checker. */
#include "atomic_merge/checker.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LOAD, STORE, FENCE, FLUSH, ADD, AND, OR, XOR, SMIN, SMAX, UMIN, UMAX, SWAP, CAS, SAT, INC, DEC, MOD, MUL, FADD, FMUL, FMIN, FMAX, LAST = FMAX };
enum { RETURNS, STRICT, RELAXED };
enum { DONE, REFUSED, NO_MEMORY };
enum { BUCKETS = 1 << 12 };

struct amc_place { /* a line of memory */
  uint64_t line;
  struct amc_place *next;
  uint64_t *last;   /* per cache and word: number of the last request that took its place there */
  uint64_t *failed; /* per cache: when a fetch failed last */
  uint8_t bytes[];
};

struct amc_open { /* an accepted request that is not answered yet */
  struct amc_request r;
  uint64_t number, accepted, value;
  bool open, placed, joined, overtaken;
};

struct amc_batch { struct amc_open *of; size_t n, room; };

struct am_checker {
  struct amc_rules rules;
  struct amc_place *bucket[BUCKETS];
  struct amc_open *open;    /* per cache and thread id */
  struct amc_batch *batch;  /* per cache and temporary line */
  uint64_t events, requests;
  char message[160];
};

static const char *wrong(struct am_checker *c, unsigned cache, const struct amc_request *r, const char *what) {
  snprintf(c->message, sizeof c->message, "cache %u, thread %u, operation %u at 0x%llx: %s", cache, r->tid, r->op,
           (unsigned long long)r->addr, what);
  return c->message;
}

struct am_checker *amc_create(const struct amc_rules *rules) {
  struct am_checker *c = calloc(1, sizeof *c);
  if (!c) return NULL;
  c->rules = *rules;
  c->open = calloc((size_t)rules->caches << rules->tid_w, sizeof *c->open);
  c->batch = calloc((size_t)rules->caches * rules->temps, sizeof *c->batch);
  if (!c->open || !c->batch) {
    amc_free(c);
    return NULL;
  }
  return c;
}

static void free_places(struct am_checker *c) {
  for (size_t i = 0; i < BUCKETS; i++)
    for (struct amc_place *p = c->bucket[i], *next; p; p = next) {
      next = p->next;
      free(p->last);
      free(p);
    }
  memset(c->bucket, 0, sizeof c->bucket);
}

void amc_free(struct am_checker *c) {
  if (!c) return;
  free_places(c);
  for (size_t i = 0; c->batch && i < (size_t)c->rules.caches * c->rules.temps; i++) free(c->batch[i].of);
  free(c->batch);
  free(c->open);
  free(c);
}

void amc_clear(struct am_checker *c) {
  memset(c->open, 0, ((size_t)c->rules.caches << c->rules.tid_w) * sizeof *c->open);
  for (size_t i = 0; i < (size_t)c->rules.caches * c->rules.temps; i++) c->batch[i].n = 0;
}

void amc_zero(struct am_checker *c) {
  amc_clear(c);
  free_places(c);
  c->events = c->requests = 0;
}

uint64_t amc_now(const struct am_checker *c) { return c->events; }

static struct amc_place *place_of(struct am_checker *c, uint64_t line) {
  struct amc_place **at = &c->bucket[(line ^ line >> 12) % BUCKETS];
  for (struct amc_place *p = *at; p; p = p->next)
    if (p->line == line) return p;
  size_t words = c->rules.line_bytes / 4, caches = c->rules.caches;
  struct amc_place *p = calloc(1, sizeof *p + c->rules.line_bytes);
  uint64_t *last = calloc(caches * (words + 1), sizeof *last);
  if (!p || !last) abort(); /* a test without memory cannot go on */
  p->line = line;
  p->last = last;
  p->failed = last + caches * words;
  p->next = *at;
  return *at = p;
}

uint8_t *amc_line(struct am_checker *c, uint64_t line) { return place_of(c, line)->bytes; }

static struct amc_open *open_of(struct am_checker *c, unsigned cache, unsigned tid) {
  return &c->open[((size_t)cache << c->rules.tid_w) + tid];
}

static bool must_be_refused(const struct am_checker *c, const struct amc_request *r) {
  if (r->op > LAST || r->mode > RELAXED) return true;
  if (r->op == FENCE || r->op == FLUSH) return false;
  if (r->addr % (1u << r->size)) return true;
  if (r->op < ADD) return false;
  if (r->op == INC || r->op == DEC || r->op == MOD) { /* K-1 and an addend below K */
    if (r->size == 2 && r->compare > UINT32_MAX) return true;
    if (r->op == MOD && (r->size == 2 ? (uint32_t)r->data : r->data) > r->compare) return true;
  }
  return r->size < 2 || (r->size == 3 && !c->rules.wide) || !(c->rules.built >> r->op & 1);
}

/* ---- floats, by the host's arithmetic ---- */

static double wide_float(uint64_t v) {
  double d;
  memcpy(&d, &v, sizeof d);
  return d;
}

static float narrow_float(uint64_t v) {
  uint32_t low = (uint32_t)v;
  float f;
  memcpy(&f, &low, sizeof f);
  return f;
}

static bool is_number(unsigned size, uint64_t v) { return size == 3 ? wide_float(v) == wide_float(v) : narrow_float(v) == narrow_float(v); }

static uint64_t bits_of(unsigned size, double wide, float narrow) {
  uint64_t v = 0;
  if (size == 3) memcpy(&v, &wide, sizeof wide);
  else memcpy(&v, &narrow, sizeof narrow); /* the lower half: little endian, as this host is */
  return is_number(size, v) ? v : size == 3 ? UINT64_C(0x7ff8) << 48 : UINT64_C(0x7fc0) << 16;
}

static uint64_t float_after(unsigned op, unsigned size, uint64_t x, uint64_t a) {
  double dx = wide_float(x), da = wide_float(a);
  float fx = narrow_float(x), fa = narrow_float(a);
  if (op == FADD) return bits_of(size, dx + da, fx + fa);
  if (op == FMUL) return bits_of(size, dx * da, fx * fa);
  if (!is_number(size, x)) return is_number(size, a) ? a : bits_of(size, dx, fx);
  if (!is_number(size, a)) return x;
  bool less = size == 3 ? dx < da : fx < fa, equal = size == 3 ? dx == da : fx == fa;
  if (equal) less = x >> (size == 3 ? 63 : 31) & 1; /* zeros of both signs */
  return less == (op == FMIN) ? x : a;
}

/* The value that an item has after an operation, by the book. */
static uint64_t after(const struct amc_request *r, uint64_t before) {
  unsigned bits = 8u << r->size;
  uint64_t ones = bits == 64 ? ~(uint64_t)0 : ((uint64_t)1 << bits) - 1, a = r->data & ones, sign = (uint64_t)1 << (bits - 1);
  switch (r->op) {
  case STORE: case SWAP: return a;
  case ADD: return (before + a) & ones;
  case SAT: return before + a < before || before + a > ones ? ones : before + a;
  case AND: return before & a;
  case OR: return before | a;
  case XOR: return before ^ a;
  case SMIN: return (before ^ sign) < (a ^ sign) ? before : a;
  case SMAX: return (before ^ sign) > (a ^ sign) ? before : a;
  case UMIN: return before < a ? before : a;
  case UMAX: return before > a ? before : a;
  case INC: return before >= r->compare ? 0 : before + 1;
  case DEC: return before == 0 || before > r->compare ? r->compare : before - 1;
  case MOD: {
    uint64_t x = before > r->compare ? r->compare : before, left = r->compare - x; /* until the last number below K */
    return a <= left ? x + a : a - left - 1;
  }
  case MUL: return before * a & ones;
  case FADD: case FMUL: case FMIN: case FMAX: return float_after(r->op, r->size, before, a);
  case CAS: return before == (r->compare & ones) ? a : before;
  default: return before;
  }
}

/* What float adds or multiplies of one item in a batch come to before they meet memory. */
struct amc_partial { bool any, keep; uint64_t first, value, serial; }; /* first: memory's, before the batch; serial: one by one */

static uint64_t after_partial(const struct amc_request *r, uint64_t before, struct amc_partial *p) {
  struct amc_request sum = *r;
  if (!p->any) p->first = p->serial = before;
  p->serial = after(r, p->serial);
  p->value = p->any ? after(r, p->value) : r->data;
  p->any = true;
  sum.data = p->value;
  return after(&sum, p->first);
}

/* partial: of each word of the line, for a batch of float adds or multiplies; else NULL. */
static const char *take_place(struct am_checker *c, unsigned cache, struct amc_open *o, struct amc_partial *partial) {
  const struct amc_request *r = &o->r;
  if (o->overtaken) return wrong(c, cache, r, "takes its place after a later fence was answered");
  struct amc_place *p = place_of(c, r->addr / c->rules.line_bytes);
  size_t at = r->addr % c->rules.line_bytes, size = (size_t)1 << r->size, words = c->rules.line_bytes / 4;
  for (size_t w = at / 4; w <= (at + size - 1) / 4; w++) {
    uint64_t *last = &p->last[cache * words + w];
    if (*last > o->number) return wrong(c, cache, r, "takes its place behind a later request of its cache to the same word");
    *last = o->number;
  }
  uint64_t before = 0;
  if (c->rules.big_endian) for (size_t i = 0; i < size; i++) before = before << 8 | p->bytes[at + i];
  else for (size_t i = 0; i < size; i++) before |= (uint64_t)p->bytes[at + i] << 8 * i;
  const uint64_t found = partial && partial[at / 4].keep && partial[at / 4].any ? partial[at / 4].serial : before;
  uint64_t now = partial ? after_partial(r, before, &partial[at / 4]) : after(r, before);
  for (size_t i = 0; i < size; i++) p->bytes[at + i] = (uint8_t)(now >> 8 * (c->rules.big_endian ? size - 1 - i : i));
  o->placed = true;
  o->value = r->op == LOAD || (r->op >= ADD && r->mode == RETURNS) ? found : 0;
  return NULL;
}

const char *amc_accept(struct am_checker *c, unsigned cache, const struct amc_request *r) {
  struct amc_open *o = open_of(c, cache, r->tid);
  if (o->open) return wrong(c, cache, r, "the thread has a request already");
  *o = (struct amc_open){.r = *r, .number = ++c->requests, .accepted = c->events++, .open = true};
  return NULL;
}

static const char *not_due(struct am_checker *c, unsigned cache, const struct amc_open *o, unsigned tid) {
  struct amc_request none = {.tid = tid};
  if (!o->open) return wrong(c, cache, &none, "takes a place without a request");
  if (o->placed || o->joined) return wrong(c, cache, &o->r, "takes a place twice");
  if (must_be_refused(c, &o->r) || o->r.op == FENCE || o->r.op == FLUSH) return wrong(c, cache, &o->r, "has no place to take");
  return NULL;
}

static void tell(struct amc_seen *seen, const struct amc_open *o) {
  if (seen) *seen = (struct amc_seen){o->r, o->accepted, o->joined};
}

const char *amc_perform(struct am_checker *c, unsigned cache, unsigned tid, struct amc_seen *seen) {
  struct amc_open *o = open_of(c, cache, tid);
  c->events++;
  tell(seen, o);
  const char *bad = not_due(c, cache, o, tid);
  return bad ? bad : take_place(c, cache, o, NULL);
}

const char *amc_join(struct am_checker *c, unsigned cache, unsigned tid, unsigned temp, struct amc_seen *seen) {
  struct amc_open *o = open_of(c, cache, tid);
  struct amc_batch *b = &c->batch[cache * c->rules.temps + temp];
  c->events++;
  tell(seen, o);
  const char *bad = not_due(c, cache, o, tid);
  if (bad) return bad;
  if (o->r.op < ADD) return wrong(c, cache, &o->r, "is no atomic and joins a temporary line");
  if (b->n && b->of[0].r.addr / c->rules.line_bytes != o->r.addr / c->rules.line_bytes)
    return wrong(c, cache, &o->r, "joins a temporary line of another address");
  if (b->n == b->room) {
    b->room = b->room ? 2 * b->room : 64;
    b->of = realloc(b->of, b->room * sizeof *b->of);
    if (!b->of) abort();
  }
  o->joined = true;
  b->of[b->n++] = *o;
  return NULL;
}

/* The request that a member of a batch stands for, while it is not answered. */
static struct amc_open *still_open(struct am_checker *c, unsigned cache, const struct amc_open *member) {
  struct amc_open *o = open_of(c, cache, member->r.tid);
  return o->open && o->number == member->number ? o : NULL;
}

const char *amc_merge(struct am_checker *c, unsigned cache, unsigned temp, uint64_t *line, unsigned *requests) {
  struct amc_batch *b = &c->batch[cache * c->rules.temps + temp];
  c->events++;
  *line = b->n ? b->of[0].r.addr / c->rules.line_bytes : 0;
  *requests = (unsigned)b->n;
  struct amc_partial partial[128 / 4] = {{0}};
  bool floats = b->n && (b->of[0].r.op == FADD || b->of[0].r.op == FMUL);
  for (size_t i = 0; floats && i < 128 / 4; i++) partial[i].keep = c->rules.keep >> b->of[0].r.op & 1;
  for (size_t i = 0; i < b->n; i++) {
    const char *bad = take_place(c, cache, &b->of[i], floats ? partial : NULL);
    if (bad) return bad;
    struct amc_open *o = still_open(c, cache, &b->of[i]);
    if (o) o->placed = true, o->value = b->of[i].value;
  }
  b->n = 0;
  return NULL;
}

const char *amc_drop(struct am_checker *c, unsigned cache, unsigned temp, unsigned *relaxed) {
  struct amc_batch *b = &c->batch[cache * c->rules.temps + temp];
  c->events++;
  *relaxed = 0;
  for (size_t i = 0; i < b->n; i++) {
    const struct amc_request *r = &b->of[i].r;
    if (place_of(c, r->addr / c->rules.line_bytes)->failed[cache] <= b->of[i].accepted)
      return wrong(c, cache, r, "is dropped though no fetch failed");
    *relaxed += r->mode == RELAXED;
    struct amc_open *o = still_open(c, cache, &b->of[i]);
    if (o && r->mode != RELAXED) o->joined = false;
  }
  b->n = 0;
  return NULL;
}

void amc_failed(struct am_checker *c, unsigned cache, uint64_t line) { place_of(c, line)->failed[cache] = ++c->events; }

/* A fence was answered: what was accepted before it has its place, or will never have one. */
static const char *check_fence(struct am_checker *c, unsigned cache, const struct amc_open *fence) {
  for (unsigned t = 0; t < c->rules.temps; t++) {
    const struct amc_batch *b = &c->batch[cache * c->rules.temps + t];
    if (b->n && b->of[0].number < fence->number) return wrong(c, cache, &b->of[0].r, "waits for its merge when a later fence is answered");
  }
  for (unsigned i = 0; i < 1u << c->rules.tid_w; i++) {
    struct amc_open *o = open_of(c, cache, i);
    if (o->open && !o->placed && o->number < fence->number) o->overtaken = true;
  }
  return NULL;
}

static const char *check_value(struct am_checker *c, unsigned cache, const struct amc_open *o, uint64_t data) {
  const struct amc_request *r = &o->r;
  bool barrier = r->op == FENCE || r->op == FLUSH;
  if (must_be_refused(c, r)) return wrong(c, cache, r, "should have been refused");
  if (barrier) return data ? wrong(c, cache, r, "a fence has a value") : check_fence(c, cache, o);
  if (r->mode == RELAXED && r->op >= ADD ? !o->placed && !o->joined : !o->placed)
    return wrong(c, cache, r, "is answered before it has its place");
  if (data == o->value) return NULL;
  snprintf(c->message, sizeof c->message, "cache %u, thread %u, operation %u at 0x%llx returns 0x%llx; in its place it was 0x%llx",
           cache, r->tid, r->op, (unsigned long long)r->addr, (unsigned long long)data, (unsigned long long)o->value);
  return c->message;
}

const char *amc_answer(struct am_checker *c, unsigned cache, unsigned tid, unsigned status, uint64_t data, struct amc_seen *seen) {
  struct amc_open *o = open_of(c, cache, tid);
  struct amc_request none = {.tid = tid};
  c->events++;
  tell(seen, o);
  if (!o->open) return wrong(c, cache, &none, "is answered without a request");
  o->open = false;
  if (status == DONE) return check_value(c, cache, o, data);
  if (data) return wrong(c, cache, &o->r, "an error comes with a value");
  if (o->placed || o->joined) return wrong(c, cache, &o->r, "gets an error and has its place");
  if (status == REFUSED) return must_be_refused(c, &o->r) ? NULL : wrong(c, cache, &o->r, "is refused without a reason");
  if (status != NO_MEMORY) return wrong(c, cache, &o->r, "has an unknown status");
  return place_of(c, o->r.addr / c->rules.line_bytes)->failed[cache] > o->accepted ? NULL :
         wrong(c, cache, &o->r, "gets the error of a fetch that did not fail");
}

const char *amc_end(struct am_checker *c) {
  for (unsigned cache = 0; cache < c->rules.caches; cache++) {
    for (unsigned i = 0; i < 1u << c->rules.tid_w; i++)
      if (open_of(c, cache, i)->open) return wrong(c, cache, &open_of(c, cache, i)->r, "is never answered");
    for (unsigned t = 0; t < c->rules.temps; t++)
      if (c->batch[cache * c->rules.temps + t].n)
        return wrong(c, cache, &c->batch[cache * c->rules.temps + t].of[0].r, "is never merged");
  }
  return NULL;
}
