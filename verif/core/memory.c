/* SPDX-License-Identifier: Apache-2.0 */
/* memory.c: the memory behind a block: sparse bytes, fixed or random timing, protocol rules. */
#include "core/memory_impl.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_UNDER_WAY = 4096, TAG_TABLE_BITS = 20 };

/* ---- contents -------------------------------------------------------------------------------- */

static uint64_t mix(uint64_t x) {
  x = (x ^ x >> 31) * UINT64_C(0x9e3779b97f4a7c15);
  x = (x ^ x >> 29) * UINT64_C(0xbf58476d1ce4e5b9);
  return x ^ x >> 32;
}

static struct page **find_slot(struct page **table, size_t n_slots, uint64_t number) {
  size_t i = mix(number) & (n_slots - 1);
  while (table[i] && table[i]->number != number) i = (i + 1) & (n_slots - 1);
  return &table[i];
}

/* Doubles the table and the list of spare pages. Out of memory in a test bench: nothing sensible
 * to do. */
static void grow_table(struct simt_memory *m) {
  size_t bigger = m->n_slots ? 2 * m->n_slots : 64;
  struct page **table = calloc(bigger, sizeof *table);
  m->spare = realloc(m->spare, bigger / 2 * sizeof *m->spare);
  if (!table || !m->spare) abort();
  for (size_t i = m->n_spare; i < bigger / 2; i++) m->spare[i] = NULL;
  m->n_spare = bigger / 2;
  for (size_t i = 0; i < m->n_pages; i++)
    *find_slot(table, bigger, m->spare[i]->number) = m->spare[i];
  free(m->pages);
  m->pages = table;
  m->n_slots = bigger;
}

static uint8_t *page_of(struct simt_memory *m, uint64_t addr) {
  uint64_t number = addr / PAGE_BYTES;
  struct page **at = find_slot(m->pages, m->n_slots, number);
  if (*at) return (*at)->bytes;
  if (m->n_pages == m->n_spare) {
    grow_table(m);
    at = find_slot(m->pages, m->n_slots, number);
  }
  struct page **spare = &m->spare[m->n_pages++];
  if (!*spare && !(*spare = malloc(sizeof **spare))) abort();
  (*spare)->number = number;
  for (size_t i = 0; i < PAGE_BYTES; i += 8) {
    uint64_t junk = mix(number * PAGE_BYTES + i + 1);
    memcpy(&(*spare)->bytes[i], &junk, 8);
  }
  *at = *spare;
  return (*at)->bytes;
}

static void copy(struct simt_memory *m, uint64_t addr, uint8_t *to, const uint8_t *from, size_t n) {
  while (n) {
    size_t at = addr % PAGE_BYTES, part = PAGE_BYTES - at < n ? PAGE_BYTES - at : n;
    uint8_t *page = page_of(m, addr);
    if (to) memcpy(to, page + at, part), to += part;
    else memcpy(page + at, from, part), from += part;
    addr += part;
    n -= part;
  }
}

void simt_memory_peek(struct simt_memory *m, uint64_t addr, void *to, size_t n) {
  copy(m, addr, to, NULL, n);
}

void simt_memory_poke(struct simt_memory *m, uint64_t addr, const void *from, size_t n) {
  copy(m, addr, NULL, from, n);
}

/* ---- life ------------------------------------------------------------------------------------ */

static unsigned place(const struct simt_config *cfg, const char *port, const char *name, unsigned *words, unsigned *width) {
  const struct simt_port *p = simt_find_mem_port(&cfg->desc, port, name);
  if (!p) abort(); /* a block without memory ports has no use for this */
  if (words) *words = p->words;
  if (width) *width = p->width;
  return p->word;
}

static void find_places(struct memory_places *at, const struct simt_config *cfg, const char *port) {
  at->rst = place(cfg, "", "rst_i", NULL, NULL);
  at->req_valid = place(cfg, port, "mem_req_valid_o", NULL, NULL);
  at->req_ready = place(cfg, port, "mem_req_ready_i", NULL, NULL);
  at->write = place(cfg, port, "mem_req_write_o", NULL, NULL);
  at->tag = place(cfg, port, "mem_req_tag_o", &at->tag_words, &at->tag_w);
  at->addr = place(cfg, port, "mem_req_addr_o", &at->addr_words, NULL);
  at->data = place(cfg, port, "mem_req_data_o", &at->data_words, &at->data_w);
  at->strb = place(cfg, port, "mem_req_strb_o", &at->strb_words, NULL);
  at->rsp_valid = place(cfg, port, "mem_rsp_valid_i", NULL, NULL);
  at->rsp_ready = place(cfg, port, "mem_rsp_ready_o", NULL, NULL);
  at->rsp_tag = place(cfg, port, "mem_rsp_tag_i", NULL, NULL);
  at->rsp_data = place(cfg, port, "mem_rsp_data_i", NULL, NULL);
  at->rsp_error = place(cfg, port, "mem_rsp_error_i", NULL, NULL);
}

struct simt_memory *simt_memory_create(const struct simt_config *cfg, struct simt_diag *diag) {
  return simt_memory_create_at(cfg, "", diag);
}

struct simt_memory *simt_memory_create_at(const struct simt_config *cfg, const char *port, struct simt_diag *diag) {
  const bool on_bus = cfg->link && simt_axi_there(cfg, port);
  struct simt_memory *m = calloc(1, sizeof *m);
  if (m) {
    struct memory_places *at = &m->at;
    find_places(at, cfg, port);
    m->bytes = (at->data_w + 7) / 8;
    m->capacity = at->tag_w < 12 ? 1u << at->tag_w : MAX_UNDER_WAY;
    m->request = calloc(m->capacity, sizeof *m->request);
    m->data = calloc(m->capacity, at->data_words * 4);
    m->strb = calloc(m->capacity, at->strb_words * 4);
    m->order = calloc(m->capacity, sizeof *m->order);
    m->held = calloc(1 + at->tag_words + at->addr_words + at->data_words + at->strb_words, 4);
    if (at->tag_w <= TAG_TABLE_BITS) m->tag_used = calloc(((size_t)1 << at->tag_w) / 8 + 1, 1);
    if (on_bus) m->axi = simt_axi_create(cfg, port);
    if (m->request && m->data && m->strb && m->order && m->held && (m->axi || !on_bus) &&
        (m->tag_used || at->tag_w > TAG_TABLE_BITS)) {
      grow_table(m);
      simt_memory_restart(m);
      return m;
    }
    simt_memory_destroy(m);
  }
  simt_fail(diag, cfg->name, "no memory", "memory for the memory model");
  return NULL;
}

void simt_memory_destroy(struct simt_memory *m) {
  if (!m) return;
  for (size_t i = 0; i < m->n_spare; i++) free(m->spare[i]);
  free(m->spare);
  free(m->pages);
  free(m->request);
  free(m->data);
  free(m->strb);
  free(m->order);
  free(m->held);
  free(m->tag_used);
  simt_axi_destroy(m->axi);
  free(m);
}

static void mark_tag(struct simt_memory *m, uint64_t tag, bool used) {
  if (!m->tag_used) return;
  uint8_t bit = (uint8_t)(1u << (tag & 7));
  if (used) m->tag_used[tag >> 3] |= bit;
  else m->tag_used[tag >> 3] &= (uint8_t)~bit;
}

static void drop_all(struct simt_memory *m) {
  for (unsigned i = 0; i < m->n; i++) mark_tag(m, m->request[*simt_memory_nth(m, i)].what.tag, false);
  m->n = 0;
  m->offered = m->stalled = false;
  if (m->axi) simt_axi_reset(m->axi);
}

void simt_memory_restart(struct simt_memory *m) {
  drop_all(m);
  for (unsigned i = 0; i < m->capacity; i++) m->order[i] = i;
  m->head = 0;
  m->cycle = 0;
  m->n_pages = 0;
  memset(m->pages, 0, m->n_slots * sizeof *m->pages);
  m->has_taken = m->has_answered = false;
  memset(&m->counts, 0, sizeof m->counts);
}

void simt_memory_fixed(struct simt_memory *m, unsigned latency) { m->latency = latency; }

/* ---- choices --------------------------------------------------------------------------------- */

uint64_t simt_memory_choose(struct simt_rng *rng, const struct simt_memory_rates *rates) {
  uint64_t r = simt_rng_next(rng), word = simt_rng_next(rng) & ~(uint64_t)0xff;
  if ((r & 0xff) < rates->ready) word |= READY;
  if ((r >> 8 & 0xff) < rates->answer) word |= ANSWER;
  if ((r >> 16 & 0xff) < rates->early) word |= r >> 24 & (AT_ONCE | TOUCH);
  if ((r >> 32 & 0xffff) < rates->error) word |= (1 + (r >> 48) % 3) << 4;
  return word;
}

uint64_t simt_memory_word(bool ready, bool answer, unsigned pick, unsigned error) {
  return (ready ? READY : 0u) | (answer ? ANSWER : 0u) | (uint64_t)(error & 3) << 4 |
         (uint64_t)(pick & 0xffff) << 8;
}

/* ---- cycles ---------------------------------------------------------------------------------- */

static uint64_t get(const uint32_t *w, unsigned words) { return words > 1 ? simt_get64(w) : w[0]; }

void simt_memory_access(struct simt_memory *m, unsigned slot) {
  struct memory_request *r = &m->request[slot];
  if (r->done) return;
  r->done = true;
  uint8_t *data = m->data + (size_t)slot * m->at.data_words * 4;
  const uint8_t *strb = m->strb + (size_t)slot * m->at.strb_words * 4;
  if (!r->what.write) {
    simt_memory_peek(m, r->what.addr, data, m->bytes);
    return;
  }
  for (size_t i = 0, n; i < m->bytes; i += n + 1) { /* runs of set strobes */
    for (n = 0; i + n < m->bytes && (strb[(i + n) >> 3] >> ((i + n) & 7) & 1);) n++;
    if (n) simt_memory_poke(m, r->what.addr + i, data + i, n);
  }
}

/* Chooses the answer to offer and puts it at the head of the ring. An error may come before or
 * after the access, which the choice's touches decide; a failed read brings junk. */
static void offer(struct simt_memory *m, unsigned pick, unsigned error) {
  unsigned *chosen = simt_memory_nth(m, pick), *head = simt_memory_nth(m, 0), slot = *chosen;
  *chosen = *head;
  *head = slot;
  struct memory_request *r = &m->request[slot];
  r->what.error = error;
  if (!error) simt_memory_access(m, slot);
  m->offered = true;
}

static void put_answer(const struct simt_memory *m, uint32_t *in) {
  const struct memory_places *at = &m->at;
  const struct memory_request *r = &m->request[m->order[m->head]];
  in[at->rsp_tag] = (uint32_t)r->what.tag;
  if (at->tag_words > 1) in[at->rsp_tag + 1] = (uint32_t)(r->what.tag >> 32);
  in[at->rsp_error] = r->what.error;
  memcpy(&in[at->rsp_data], m->data + (size_t)m->order[m->head] * at->data_words * 4,
         at->data_words * 4);
  if (!r->what.write) return;
  uint32_t last = at->data_w % 32 ? (1u << at->data_w % 32) - 1 : ~0u; /* junk, not what was written */
  for (unsigned i = 0; i < at->data_words; i++) in[at->rsp_data + i] ^= i + 1 < at->data_words ? ~0u : last;
}

static void drive_random(struct simt_memory *m, uint64_t choice, uint32_t *in) {
  const struct memory_places *at = &m->at;
  in[at->req_ready] = (choice & READY) && m->n < m->capacity;
  if (m->n) {
    if (choice & TOUCH) simt_memory_access(m, *simt_memory_nth(m, (unsigned)(choice >> 24 & 0xffff) % m->n));
    if ((choice & ANSWER) && !m->offered)
      offer(m, (unsigned)(choice >> 8 & 0xffff) % m->n, (unsigned)(choice >> 4 & 3));
  }
  m->at_once = choice & AT_ONCE;
  if (m->offered) return;
  unsigned tag_w = at->tag_w < 32 ? at->tag_w : 31; /* junk where the payload means nothing */
  in[at->rsp_tag] = (uint32_t)(choice >> 40) & ((1u << tag_w) - 1);
  in[at->rsp_error] = (uint32_t)(choice >> 40 & 3);
}

void simt_memory_drive(struct simt_memory *m, uint64_t choice, uint32_t *in) {
  if (m->axi) {
    simt_axi_drive(m, choice);
    return;
  }
  if (m->latency) {
    in[m->at.req_ready] = m->n < m->capacity;
    m->at_once = false;
    if (m->n && !m->offered && m->request[m->order[m->head]].due <= m->cycle) offer(m, 0, 0);
  } else {
    drive_random(m, choice, in);
  }
  in[m->at.rsp_valid] = m->offered;
  if (m->offered) put_answer(m, in);
}

static const char *complain(struct simt_memory *m, const char *what, uint64_t value) {
  snprintf(m->message, sizeof m->message, "memory port: %s (0x%" PRIx64 ")", what, value);
  return m->message;
}

static bool tag_under_way(struct simt_memory *m, uint64_t tag) {
  if (m->tag_used) return m->tag_used[tag >> 3] >> (tag & 7) & 1;
  for (unsigned i = 0; i < m->n; i++)
    if (m->request[*simt_memory_nth(m, i)].what.tag == tag) return true;
  return false;
}

/* Copies the offered request to `held`, or compares it: the data of a read means nothing. */
static bool hold(struct simt_memory *m, const uint32_t *out, bool compare) {
  const struct memory_places *at = &m->at;
  uint32_t *h = m->held;
  const struct { unsigned word, words; } part[] = {
    {at->write, 1}, {at->tag, at->tag_words}, {at->addr, at->addr_words},
    {at->strb, at->strb_words}, {at->data, at->data_words}};
  unsigned parts = out[at->write] ? 5 : 3;
  for (unsigned i = 0; i < parts; i++, h += part[i - 1].words) {
    if (compare && memcmp(h, &out[part[i].word], part[i].words * 4)) return false;
    memcpy(h, &out[part[i].word], part[i].words * 4);
  }
  return true;
}

static const char *take_request(struct simt_memory *m, const uint32_t *out) {
  const struct memory_places *at = &m->at;
  unsigned slot = *simt_memory_nth(m, m->n);
  struct memory_request *r = &m->request[slot];
  r->what = (struct simt_memory_event){.tag = get(&out[at->tag], at->tag_words),
                                       .addr = get(&out[at->addr], at->addr_words),
                                       .write = out[at->write]};
  if (tag_under_way(m, r->what.tag))
    return complain(m, "a tag is used again before its answer", r->what.tag);
  r->due = m->cycle + m->latency;
  r->done = r->sent = false;
  r->beats = 0;
  if (r->what.write) {
    memcpy(m->data + (size_t)slot * at->data_words * 4, &out[at->data], at->data_words * 4);
    memcpy(m->strb + (size_t)slot * at->strb_words * 4, &out[at->strb], at->strb_words * 4);
  } else {
    memset(m->data + (size_t)slot * at->data_words * 4, 0x5a,
           m->bytes); /* what a failed read brings */
  }
  mark_tag(m, r->what.tag, true);
  m->n++;
  if (m->at_once) simt_memory_access(m, slot);
  m->taken = r->what;
  m->has_taken = true;
  return m->axi ? simt_axi_request(m, slot, out) : NULL;
}

static void take_answer(struct simt_memory *m) {
  const struct memory_request *r = &m->request[m->order[m->head]];
  m->answered = r->what;
  m->has_answered = true;
  m->counts.reads += !r->what.write;
  m->counts.writes += r->what.write;
  m->counts.errors += r->what.error != 0;
  mark_tag(m, r->what.tag, false);
  m->head = (m->head + 1) & (m->capacity - 1);
  m->n--;
  m->offered = false;
}

const char *simt_memory_observe(struct simt_memory *m, const uint32_t *in, const uint32_t *out) {
  const struct memory_places *at = &m->at;
  const char *wrong = m->axi ? simt_axi_observe(m) : NULL;
  bool valid = out[at->req_valid];
  m->has_taken = m->has_answered = false;
  if (!wrong && m->stalled && (!valid || !hold(m, out, true)))
    wrong = "memory port: a request changed while it waited";
  m->stalled = false;
  if (valid) {
    uint64_t addr = get(&out[at->addr], at->addr_words);
    if (!wrong && addr % m->bytes) wrong = complain(m, "an address is not aligned", addr);
    if (!wrong && in[at->req_ready]) wrong = take_request(m, out);
    if (!in[at->req_ready]) m->stalled = hold(m, out, false);
  }
  if (m->axi && in[at->rsp_valid] && out[at->rsp_ready]) {
    const char *odd = simt_axi_answer(m, in);
    if (!odd) take_answer(m);
    if (!wrong) wrong = odd;
  }
  if (m->axi && !wrong) wrong = simt_axi_end(m);
  if (!m->axi && m->offered && out[at->rsp_ready]) take_answer(m);
  if (in[at->rst]) drop_all(m);
  m->cycle++;
  return wrong;
}

const struct simt_memory_event *simt_memory_taken(const struct simt_memory *m) {
  return m->has_taken ? &m->taken : NULL;
}

const struct simt_memory_event *simt_memory_answered(const struct simt_memory *m) {
  return m->has_answered ? &m->answered : NULL;
}

struct simt_memory_counts simt_memory_counts(const struct simt_memory *m) {
  struct simt_memory_counts c = m->counts;
  c.under_way = m->n;
  return c;
}
