/* SPDX-License-Identifier: Apache-2.0 */
/* memory_test.c: the memory model against a requester with a golden copy of the bytes; prints ok
 * lines. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "core/memory.h"

const struct simt_block *const simt_blocks[] = {NULL};

enum { ADDRESSES = 16, TAGS = 64, MAX_BYTES = 1024 };

/* A block that is all memory port: its outputs are written by the tests. */
static bool resolve(const uint64_t *value, struct simt_desc *d, struct simt_diag *diag) {
  (void)diag;
  simt_add_clock_reset(d);
  simt_add_mem_port(d,
                    &(struct simt_mem_widths){.addr_w = 40, .data_w = value[0], .tag_w = value[1]});
  return true;
}
static const struct simt_param params[] = {{.name = "DATA_W", .max = 8192},
                                           {.name = "TAG_W", .max = 32}};
static const struct simt_block block = {
    .name = "requester", .params = params, .n_params = 2, .resolve = resolve};

struct bench {
  struct simt_config cfg;
  struct simt_memory *memory;
  struct simt_rng rng;
  uint32_t *in, *out;
  size_t bytes;
  uint64_t cycle, choice, taken_at[TAGS], addr[TAGS];
  bool busy[TAGS], write[TAGS], locked[ADDRESSES]; /* locked: an access to it is under way */
  uint8_t golden[ADDRESSES][MAX_BYTES];
};

static int failed;

static void result(const char *name, bool ok, const char *why) {
  if (ok) printf("ok memory: %s\n", name);
  else printf("not ok memory: %s: %s\n", name, why);
  failed |= !ok;
}

static uint32_t *port(struct bench *b, const char *name) {
  const struct simt_port *p = simt_find_port(&b->cfg, name);
  return (p->dir == SIMT_IN ? b->in : b->out) + p->word;
}

static void open_bench(struct bench *b, unsigned data_w, unsigned tag_w, uint64_t seed) {
  struct simt_diag diag = {0};
  memset(b, 0, sizeof *b);
  simt_config_init(&b->cfg, &block);
  b->cfg.value[0] = data_w;
  b->cfg.value[1] = tag_w;
  if (!simt_resolve(&b->cfg, &diag)) abort();
  b->in = calloc(b->cfg.desc.in_words, 4);
  b->out = calloc(b->cfg.desc.out_words, 4);
  b->memory = simt_memory_create(&b->cfg, &diag);
  b->bytes = data_w / 8;
  simt_rng_seed(&b->rng, seed);
  for (unsigned i = 0; i < ADDRESSES; i++)
    simt_memory_peek(b->memory, i * b->bytes, b->golden[i], b->bytes);
  *port(b, "mem_rsp_ready_o") = 1;
}

static void close_bench(struct bench *b) {
  simt_memory_destroy(b->memory);
  simt_config_free(&b->cfg);
  free(b->in);
  free(b->out);
}

static void offer(struct bench *b, bool write, unsigned tag, uint64_t addr) {
  *port(b, "mem_req_valid_o") = 1;
  *port(b, "mem_req_write_o") = write;
  *port(b, "mem_req_tag_o") = tag;
  simt_put64(port(b, "mem_req_addr_o"), addr);
  for (unsigned i = 0; i < b->bytes / 4; i++)
    port(b, "mem_req_data_o")[i] = (uint32_t)simt_rng_next(&b->rng);
  memset(port(b, "mem_req_strb_o"), 0xff, (b->bytes + 7) / 8);
}

static const char *cycle(struct bench *b) {
  simt_memory_drive(b->memory, b->choice, b->in);
  const char *wrong = simt_memory_observe(b->memory, b->in, b->out);
  b->cycle++;
  return wrong;
}

/* ---- a long conversation --------------------------------------------------------------------- */

/* Offers an access to an address and with a tag that are both free, with random strobes. */
static void offer_free(struct bench *b, unsigned tags) {
  unsigned tag = (unsigned)simt_rng_below(&b->rng, tags),
           at = (unsigned)simt_rng_below(&b->rng, ADDRESSES);
  if (b->busy[tag] || b->locked[at]) return;
  offer(b, simt_rng_next(&b->rng) & 1, tag, at * b->bytes);
  for (size_t i = 0; i < (b->bytes + 31) / 32; i++)
    port(b, "mem_req_strb_o")[i] = (uint32_t)simt_rng_next(&b->rng);
}

static void note_taken(struct bench *b) {
  const struct simt_memory_event *e = simt_memory_taken(b->memory);
  if (!e) return;
  b->busy[e->tag] = true;
  b->write[e->tag] = e->write;
  b->taken_at[e->tag] = b->cycle - 1;
  b->addr[e->tag] = e->addr / b->bytes;
  b->locked[e->addr / b->bytes] = true;
  *port(b, "mem_req_valid_o") = 0;
  const uint32_t *strb = port(b, "mem_req_strb_o"), *data = port(b, "mem_req_data_o");
  for (size_t i = 0; e->write && i < b->bytes; i++)
    if (strb[i / 32] >> (i % 32) & 1) b->golden[e->addr / b->bytes][i] = ((const uint8_t *)data)[i];
}

/* The latency of the answer, or 0 when it is wrong. */
static uint64_t check_answer(struct bench *b, const struct simt_memory_event *e) {
  if (*port(b, "mem_rsp_tag_i") != e->tag || !b->busy[e->tag] || e->write != b->write[e->tag])
    return 0;
  b->busy[e->tag] = b->locked[b->addr[e->tag]] = false;
  bool same = !memcmp(port(b, "mem_rsp_data_i"), b->golden[b->addr[e->tag]], b->bytes);
  return e->write || same ? b->cycle - 1 - b->taken_at[e->tag] : 0;
}

struct talk { uint64_t answers, min, max, wrong, out_of_order; const char *message; };

static struct talk talk(struct bench *b, uint64_t cycles, unsigned tags,
                        const struct simt_memory_rates *rates) {
  struct talk t = {.min = UINT64_MAX};
  uint64_t last = 0;
  while (b->cycle < cycles && !t.message) {
    if (!*port(b, "mem_req_valid_o")) offer_free(b, tags);
    b->choice = rates ? simt_memory_choose(&b->rng, rates) : 0;
    t.message = cycle(b);
    const struct simt_memory_event *e = simt_memory_answered(b->memory);
    if (e) {
      uint64_t taken = b->taken_at[e->tag], latency = check_answer(b, e);
      t.answers++;
      t.wrong += !latency;
      t.out_of_order += taken < last;
      last = taken;
      if (latency < t.min) t.min = latency;
      if (latency > t.max) t.max = latency;
    }
    note_taken(b);
  }
  return t;
}

static void test_fixed(void) {
  struct bench b;
  open_bench(&b, 256, 6, 1);
  simt_memory_fixed(b.memory, 7);
  struct talk t = talk(&b, 20000, TAGS, NULL);
  result("fixed latency is exact and in order",
         !t.message && !t.wrong && t.answers > 9000 && t.min == 7 && t.max == 7 && !t.out_of_order,
         "wrong data, latency or order");
  close_bench(&b);
}

static void test_random(unsigned data_w, unsigned tag_w) {
  struct bench b;
  char name[100];
  open_bench(&b, data_w, tag_w, 2);
  struct talk t = talk(&b, 50000, 1u << (tag_w < 6 ? tag_w : 6),
                       &(struct simt_memory_rates){.ready = 128, .answer = 64, .early = 128});
  snprintf(name, sizeof name, "random answers bring the right data, %u bits, %u tag bits", data_w,
           tag_w);
  result(name,
         !t.message && !t.wrong && t.answers > 5000 && t.min == 1 && t.max > 8 &&
             (tag_w < 3 || t.out_of_order > 100),
         t.message ? t.message : "wrong data, latency or order");
  close_bench(&b);
}

/* ---- single rules ---------------------------------------------------------------------------- */

/* A read under way while a write to its address is taken: it may bring the old or the new value. */
static void test_access_time(void) {
  struct bench b;
  unsigned old = 0, new = 0;
  for (uint64_t seed = 0; seed < 200; seed++) {
    open_bench(&b, 64, 4, seed);
    offer(&b, false, 0, 0);
    b.choice = 1; /* ready */
    cycle(&b);
    offer(&b, true, 1, 0);
    uint64_t value = simt_get64(port(&b, "mem_req_data_o"));
    cycle(&b);
    *port(&b, "mem_req_valid_o") = 0;
    const struct simt_memory_event *e = NULL;
    while (!e || e->tag) {
      b.choice =
          simt_memory_choose(&b.rng, &(struct simt_memory_rates){.answer = 64, .early = 200});
      cycle(&b);
      e = simt_memory_answered(b.memory);
    }
    if (simt_get64(port(&b, "mem_rsp_data_i")) == value) new++;
    else old++;
    close_bench(&b);
  }
  result("a read beside a write brings the old or the new value", old > 20 && new > 20,
         "one of them is rare");
}

static void expect(const char *name, struct bench *b, const char *pattern) {
  const char *said = cycle(b);
  result(name, pattern ? said && strstr(said, pattern) : !said, said ? said : "no complaint");
}

static void test_rules(void) {
  struct bench b;
  open_bench(&b, 256, 4, 3);
  b.choice = 1;
  offer(&b, false, 3, 64);
  expect("a first request is fine", &b, NULL);
  expect("a tag used again is seen", &b, "tag");
  offer(&b, false, 4, 40);
  expect("an unaligned address is seen", &b, "aligned");
  b.choice = 0; /* not ready */
  offer(&b, true, 5, 96);
  expect("a request may wait", &b, NULL);
  port(&b, "mem_req_data_o")[7] ^= 1;
  expect("a change of waiting write data is seen", &b, "changed");
  *port(&b, "mem_req_valid_o") = 0;
  expect("a withdrawn request is seen", &b, "changed");
  offer(&b, false, 6, 96);
  cycle(&b);
  port(&b, "mem_req_data_o")[7] ^= 1;
  expect("the data of a waiting read means nothing", &b, NULL);
  *port(&b, "rst_i") = 1;
  cycle(&b);
  *port(&b, "rst_i") = *port(&b, "mem_req_valid_o") = 0;
  b.choice = 2; /* answer */
  cycle(&b);
  result("reset drops what is under way", !*port(&b, "mem_rsp_valid_i"), "an answer after reset");
  close_bench(&b);
}

static void test_stalled_answer(void) {
  struct bench b;
  open_bench(&b, 64, 4, 4);
  for (unsigned tag = 0; tag < 8; tag++) {
    offer(&b, false, tag, tag * 8);
    b.choice = 1;
    cycle(&b);
  }
  *port(&b, "mem_req_valid_o") = *port(&b, "mem_rsp_ready_o") = 0;
  uint32_t tag = 99;
  bool holds = true;
  for (int i = 0; i < 50; i++) {
    b.choice = simt_rng_next(&b.rng) | 2;
    cycle(&b);
    if (i) holds &= tag == *port(&b, "mem_rsp_tag_i") && *port(&b, "mem_rsp_valid_i");
    tag = *port(&b, "mem_rsp_tag_i");
  }
  result("an answer that is not taken holds still", holds, "it changed");
  close_bench(&b);
}

static void test_errors(void) {
  struct bench b;
  open_bench(&b, 64, 6, 5);
  talk(&b, 20000, TAGS, &(struct simt_memory_rates){256, 256, 128, 6554});
  struct simt_memory_counts c = simt_memory_counts(b.memory);
  uint64_t all = c.reads + c.writes;
  result("errors come at their rate", all > 5000 && c.errors > all / 12 && c.errors < all / 8,
         "another rate");
  close_bench(&b);
}

static void test_speed(void) {
  struct bench b;
  open_bench(&b, 256, 6, 6);
  clock_t begin = clock();
  while (b.cycle < 5000000) cycle(&b);
  double rate = 5 / ((double)(clock() - begin) / CLOCKS_PER_SEC);
  char why[60];
  snprintf(why, sizeof why, "%.1f million", rate);
  result("idle cycles cost little: 10 million per second or more", rate >= 10, why);
  close_bench(&b);
}

int main(void) {
  test_fixed();
  test_random(256, 6);
  test_random(8192, 12);
  test_random(32, 1);
  test_random(128, 30);
  test_access_time();
  test_rules();
  test_stalled_answer();
  test_errors();
  test_speed();
  return failed;
}
