/* SPDX-License-Identifier: Apache-2.0 */
/* ideal_home.c: lines with their owner and who waits, messages in order to each cache. */
#include "atomic_merge/ideal_home.h"

#include <stdlib.h>
#include <string.h>

enum { NOBODY = 64 };

struct am_ideal_line {
  struct am_ideal_line *next; /* of its bucket, or of the free ones */
  uint64_t line, waiting;
  unsigned owner, last, tag[64];
  bool snooped;
};
struct am_home_sent { uint64_t due; struct am_ideal_line *line; unsigned tag, beat; bool snoop, error; };
struct am_home_cache {
  struct am_home_sent *sent; /* a ring */
  uint8_t *fill, *release;   /* a line for each place of the ring; the one that is being released */
  unsigned first, n, release_beat;
};
struct am_home {
  struct am_home_setup setup;
  struct simt_remote memory;
  struct am_home_cache cache[64];
  struct am_ideal_line *line, *unused, **bucket;
  unsigned buckets, places;
  uint64_t transfers, write_errors;
};

/* ---- life --------------------------------------------------------------------------------------------- */

static bool make_cache(struct am_home *h, struct am_home_cache *c) {
  c->sent = calloc(h->places, sizeof *c->sent);
  c->fill = calloc(h->places, h->setup.line_bytes);
  c->release = calloc(1, h->setup.line_bytes);
  return c->sent && c->fill && c->release;
}

struct am_home *am_home_create(const struct am_home_setup *setup, struct simt_diag *diag) {
  struct am_home *h = calloc(1, sizeof *h);
  bool good = h;
  if (good) {
    h->setup = *setup;
    h->memory = *setup->memory;
    h->places = 2 * setup->lines + 2; /* a fill and a snoop for each line that a cache has or wants */
    size_t lines = (size_t)setup->caches * h->places;
    for (h->buckets = 1; h->buckets < lines; h->buckets *= 2) {}
    h->line = calloc(lines, sizeof *h->line);
    h->bucket = calloc(h->buckets, sizeof(struct am_ideal_line *));
    good = h->line && h->bucket;
    for (size_t i = 0; good && i < lines; i++) {
      h->line[i].next = h->unused;
      h->unused = &h->line[i];
    }
    for (unsigned i = 0; good && i < setup->caches; i++) good = make_cache(h, &h->cache[i]);
  }
  if (good) return h;
  am_home_destroy(h);
  simt_fail(diag, "home", "no memory", "memory for %u caches", setup->caches);
  return NULL;
}

void am_home_destroy(struct am_home *h) {
  if (!h) return;
  for (unsigned i = 0; i < h->setup.caches; i++) {
    free(h->cache[i].sent);
    free(h->cache[i].fill);
    free(h->cache[i].release);
  }
  free(h->line);
  free(h->bucket);
  free(h);
}

/* ---- lines -------------------------------------------------------------------------------------------- */

static struct am_ideal_line **bucket_of(struct am_home *h, uint64_t line) {
  return &h->bucket[(line * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (h->buckets - 1)];
}

static struct am_ideal_line *find(struct am_home *h, uint64_t line) {
  struct am_ideal_line *l = *bucket_of(h, line);
  while (l && l->line != line) l = l->next;
  return l;
}

static struct am_ideal_line *find_or_make(struct am_home *h, uint64_t line) {
  struct am_ideal_line *l = find(h, line);
  if (l) return l;
  l = h->unused;
  h->unused = l->next;
  *l = (struct am_ideal_line){.next = *bucket_of(h, line), .line = line, .owner = NOBODY, .last = NOBODY - 1};
  *bucket_of(h, line) = l;
  return l;
}

static void forget(struct am_home *h, struct am_ideal_line *l) {
  struct am_ideal_line **at = bucket_of(h, l->line);
  while (*at != l) at = &(*at)->next;
  *at = l->next;
  l->next = h->unused;
  h->unused = l;
}

/* ---- messages ----------------------------------------------------------------------------------------- */

static struct am_home_sent *send(struct am_home *h, unsigned cache, uint64_t due, struct am_ideal_line *l) {
  struct am_home_cache *c = &h->cache[cache];
  struct am_home_sent *m = &c->sent[(c->first + c->n++) % h->places];
  *m = (struct am_home_sent){.due = due, .line = l};
  return m;
}

static void snoop(struct am_home *h, uint64_t cycle, struct am_ideal_line *l) {
  if (l->owner == NOBODY || l->snooped || !(l->waiting & ~((uint64_t)1 << l->owner))) return;
  l->snooped = true;
  send(h, l->owner, cycle + 1, l)->snoop = true;
}

static void grant(struct am_home *h, uint64_t due, struct am_ideal_line *l) {
  unsigned next = (l->last + 1) % 64;
  while (!(l->waiting >> next & 1)) next = (next + 1) % 64;
  struct am_home_cache *c = &h->cache[next];
  uint8_t *data = &c->fill[(size_t)((c->first + c->n) % h->places) * h->setup.line_bytes];
  struct am_home_sent *m = send(h, next, due, l);
  m->tag = l->tag[next];
  m->error = h->memory.read(h->memory.ctx, l->line * h->setup.line_bytes, data, h->setup.line_bytes);
  l->waiting &= ~((uint64_t)1 << next);
  l->last = next;
  l->snooped = false;
  h->transfers++;
  if (!m->error) l->owner = next;
  else if (l->waiting) grant(h, due, l);
}

/* A line that nobody owns, waits for or is told of is forgotten. */
static void may_forget(struct am_home *h, struct am_ideal_line *l) {
  if (l->owner != NOBODY || l->waiting) return;
  for (unsigned i = 0; i < h->setup.caches; i++)
    for (unsigned k = 0; k < h->cache[i].n; k++)
      if (h->cache[i].sent[(h->cache[i].first + k) % h->places].line == l) return;
  forget(h, l);
}

void am_home_fetch(struct am_home *h, uint64_t cycle, unsigned cache, uint64_t line, unsigned tag) {
  struct am_ideal_line *l = find_or_make(h, line);
  l->waiting |= (uint64_t)1 << cache;
  l->tag[cache] = tag;
  if (l->owner != NOBODY) {
    snoop(h, cycle, l);
    return;
  }
  const struct simt_remote *m = &h->memory;
  unsigned latency = m->latency ? m->latency(m->ctx, cycle, line * h->setup.line_bytes, false) : m->cycles;
  grant(h, cycle + simt_max1(latency), l);
  snoop(h, cycle, l);
}

bool am_home_release(struct am_home *h, uint64_t cycle, unsigned cache, uint64_t line, bool dirty, bool last, const void *data) {
  struct am_home_cache *c = &h->cache[cache];
  struct am_ideal_line *l = find(h, line);
  if (!l || l->owner != cache) return false;
  memcpy(&c->release[c->release_beat++ * h->setup.beat_bytes], data, h->setup.beat_bytes);
  if (!last) return true;
  c->release_beat = 0;
  if (dirty && h->memory.write(h->memory.ctx, line * h->setup.line_bytes, c->release, h->setup.line_bytes)) h->write_errors++;
  l->owner = NOBODY;
  if (l->waiting) grant(h, cycle + simt_max1(h->setup.transport), l);
  snoop(h, cycle, l);
  may_forget(h, l);
  return true;
}

bool am_home_offers(struct am_home *h, uint64_t cycle, unsigned cache, struct am_home_message *message) {
  const struct am_home_cache *c = &h->cache[cache];
  const struct am_home_sent *m = &c->sent[c->first];
  if (!c->n || m->due > cycle) return false;
  *message = (struct am_home_message){.snoop = m->snoop, .error = m->error, .tag = m->tag, .line = m->line->line,
    .data = &c->fill[(size_t)c->first * h->setup.line_bytes + m->beat * h->setup.beat_bytes]};
  return true;
}

void am_home_taken(struct am_home *h, unsigned cache) {
  struct am_home_cache *c = &h->cache[cache];
  struct am_home_sent *m = &c->sent[c->first];
  if (!m->snoop && !m->error && ++m->beat < h->setup.line_bytes / h->setup.beat_bytes) return;
  struct am_ideal_line *l = m->line;
  c->first = (c->first + 1) % h->places;
  c->n--;
  may_forget(h, l);
}

uint64_t am_home_transfers(const struct am_home *h) { return h->transfers; }
uint64_t am_home_write_errors(const struct am_home *h) { return h->write_errors; }
