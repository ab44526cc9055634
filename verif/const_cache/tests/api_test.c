/* SPDX-License-Identifier: Apache-2.0 */
/* api_test.c: the transaction level of const_cache: versions against a plain array of them, items sent ahead, waits that
 * need an SM, memory errors, registers, pipelined reads, one slow SM. Arguments: `plant` lets the memory lose a bit; `versions N`: the
 * slow SM alone, with so many versions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "const_cache/const_cache.h"

#define CHECK(what) do { if (!(what)) { printf("line %d: %s\n", __LINE__, #what); return false; } } while (0)

enum { SMS = 3, CONSTANTS = 40 };
struct memory { uint16_t word[64]; unsigned reads, fail, bytes; bool plant; };
static struct memory memory;

static unsigned read_word(void *ctx, uint64_t addr, void *data, size_t size) {
  struct memory *m = ctx;
  if (size != m->bytes || addr % size || addr / 2 >= 64) abort();
  memcpy(data, &m->word[addr / 2], size);
  if (m->plant && m->reads++ == 3) ((uint8_t *)data)[0] ^= 1;
  return m->fail;
}

static unsigned write_word(void *ctx, uint64_t addr, const void *data, size_t size) {
  struct memory *m = ctx;
  if (size != m->bytes || addr % size || addr / 2 >= 64) abort();
  memcpy(&m->word[addr / 2], data, size);
  return 0;
}

static struct const_cache *make(const char *protocol, bool wide) {
  const char *const params[] = {"SMS=3", "CONSTANTS=40", "WORD_W=16", wide ? "L1_ENTRIES=16" : "L1_ENTRIES=8", "L2_ENTRIES=16", "BACKUP_ENTRIES=256", "BACKUP_WAYS=16",
                                protocol, wide ? "WRITE_WORDS=4" : NULL, NULL};
  struct simt_diag diag = {0};
  struct simt_remote remote = {.read = read_word, .write = write_word, .cycles = 30, .ctx = &memory};
  for (unsigned i = 0; i < 64; i++) memory.word[i] = (uint16_t)(1000 + i);
  memory.fail = memory.reads = 0;
  memory.bytes = wide ? 8 : 2;
  struct const_cache *c = const_cache_create(params, &remote, &diag);
  if (!c) printf("create: %s: %s, expected %s\n", diag.name, diag.got, diag.expected);
  return c;
}

static uint32_t seed;
static uint32_t draw(uint32_t n) { return ((seed = seed * 1664525 + 1013904223) >> 8) % n; }

/* Every SM reads what stood at its item's place in the stream, whatever was written since. */
static bool versions(struct const_cache *c, bool shared) {
  uint16_t now[CONSTANTS], seen[SMS][CONSTANTS];
  bool active[SMS] = {false};
  unsigned busy = 0, reads = 0;
  for (unsigned i = 0; i < CONSTANTS; i++) now[i] = (uint16_t)(1000 + i);
  seed = 1;
  for (unsigned n = 0; n < 4000; n++) {
    unsigned sm = draw(SMS), addr = draw(CONSTANTS);
    switch (draw(4)) {
      case 0:
        if (shared && busy) break;
        now[addr] = (uint16_t)draw(65536);
        CHECK(const_cache_write(c, addr, now[addr]).status == CONST_CACHE_OK);
        break;
      case 1:
        if (busy == SMS) break;
        CHECK(const_cache_dispatch(c, n & 0xffff, &sm).status == CONST_CACHE_OK && sm < SMS && !active[sm]);
        active[sm] = true;
        busy++;
        memcpy(seen[sm], now, sizeof now);
        break;
      case 2:
        if (!active[sm]) break;
        CHECK(const_cache_complete(c, sm).status == CONST_CACHE_OK);
        active[sm] = false;
        busy--;
        break;
      default: {
        uint64_t value = 0;
        struct const_cache_result r = const_cache_read(c, sm, addr, &value);
        CHECK(r.status == (active[sm] ? CONST_CACHE_OK : CONST_CACHE_REFUSED));
        if (!active[sm]) break;
        CHECK(value == seen[sm][addr] && r.cycles >= 3);
        reads++;
      }
    }
  }
  CHECK(reads > 500);
  for (unsigned sm = 0; sm < SMS; sm++) CHECK(!active[sm] || const_cache_complete(c, sm).status == CONST_CACHE_OK);
  CHECK(const_cache_flush(c).status == CONST_CACHE_OK);
  for (unsigned i = 0; i < CONSTANTS; i++) CHECK(memory.word[i] == now[i]);
  memory.word[5] = 77;
  unsigned sm;
  uint64_t value;
  CHECK(const_cache_invalidate(c).status == CONST_CACHE_OK && const_cache_dispatch(c, 0, &sm).status == CONST_CACHE_OK);
  CHECK(const_cache_read(c, sm, 5, &value).status == CONST_CACHE_OK && value == 77);
  return true;
}

static bool backup_versions(struct const_cache *c) { return versions(c, false); }
static bool shared_versions(struct const_cache *c) { return versions(c, true); }

/* More items than SMs: those that wait are given as SMs complete, in order, and told of in order. */
static bool sent_ahead(struct const_cache *c) {
  unsigned sm;
  uint64_t item;
  const_cache_set_patience(c, 200);
  for (uint64_t i = 0; i < 2; i++) CHECK(const_cache_send(c, 10 + i).status == CONST_CACHE_OK);
  CHECK(const_cache_dispatch(c, 12, &sm).status == CONST_CACHE_OK && sm == 2); /* 0 and 1 have the two before it */
  CHECK(const_cache_dispatch(c, 13, &sm).status == CONST_CACHE_WAITS);
  CHECK(const_cache_complete(c, 0).status == CONST_CACHE_REFUSED); /* nobody has been told of it */
  CHECK(const_cache_given(c, &sm, &item) && sm == 0 && item == 10);
  CHECK(const_cache_given(c, &sm, &item) && sm == 1 && item == 11 && !const_cache_given(c, &sm, &item));
  CHECK(const_cache_complete(c, 1).status == CONST_CACHE_OK);
  const_cache_advance(c, 40);
  CHECK(const_cache_given(c, &sm, &item) && sm == 1 && item == 13);
  return true;
}

/* In `shared` a write behind a work item waits; the stream fills, and then says that it is busy. */
static bool waits(struct const_cache *c) {
  unsigned sm, taken = 0;
  const_cache_set_patience(c, 100);
  CHECK(const_cache_dispatch(c, 0, &sm).status == CONST_CACHE_OK);
  struct const_cache_result r;
  while ((r = const_cache_write(c, 3, taken)).status == CONST_CACHE_OK) taken++;
  CHECK(r.status == CONST_CACHE_BUSY && r.cycles == 100 && taken >= 8 && taken < 20);
  const_cache_set_patience(c, 1000); /* the writes go to one row, one after the other */
  CHECK(const_cache_complete(c, sm).status == CONST_CACHE_OK);
  CHECK(const_cache_dispatch(c, 1, &sm).status == CONST_CACHE_OK);
  uint64_t value;
  CHECK(const_cache_read(c, sm, 3, &value).status == CONST_CACHE_OK && value == taken - 1);
  CHECK(const_cache_flush(c).status == CONST_CACHE_WAITS && const_cache_complete(c, sm).status == CONST_CACHE_OK);
  const_cache_advance(c, 1000);
  CHECK(memory.word[3] == taken - 1);
  return true;
}

static bool refusals(struct const_cache *c) {
  unsigned sm;
  uint64_t value = 5, begin = const_cache_cycle(c);
  uint32_t data;
  CHECK(const_cache_write(c, CONSTANTS, 0).status == CONST_CACHE_REFUSED);
  CHECK(const_cache_read(c, SMS, 0, &value).status == CONST_CACHE_REFUSED && const_cache_read(c, 0, 0, &value).status == CONST_CACHE_REFUSED);
  CHECK(const_cache_complete(c, 0).status == CONST_CACHE_REFUSED && const_cache_complete(c, 70).status == CONST_CACHE_REFUSED);
  CHECK(const_cache_cycle(c) == begin && value == 5);
  CHECK(const_cache_dispatch(c, 0, &sm).status == CONST_CACHE_OK);
  CHECK(const_cache_read(c, sm, CONSTANTS, &value).status == CONST_CACHE_REFUSED);
  memory.fail = 2;
  CHECK(const_cache_read(c, sm, 1, &value).status == CONST_CACHE_ERROR);
  memory.fail = 0;
  CHECK(const_cache_read(c, sm, 1, &value).status == CONST_CACHE_OK && value == 1001);
  CHECK(const_cache_read_register(c, 0x10, &data) && data == 0x20);            /* CC_ERROR: READ_FAILED */
  CHECK(const_cache_write_register(c, 0x10, 0x20) && const_cache_read_register(c, 0x10, &data) && !data);
  CHECK(!const_cache_read_register(c, 0x1fc, &data) && !const_cache_read_register(c, 0x10000, &data));
  return true;
}

/* A command that waits stays offered while registers are read, and takes effect once. */
static bool registers(struct const_cache *c) {
  unsigned sm;
  uint32_t before, after, data;
  const_cache_set_patience(c, 50);
  for (unsigned i = 0; i < SMS; i++) CHECK(const_cache_dispatch(c, i, &sm).status == CONST_CACHE_OK);
  const_cache_advance(c, 50); /* until what happened is counted */
  CHECK(const_cache_read_register(c, 0x80 + 8 * 5, &before) && before == SMS); /* CC_WORKS */
  unsigned sent = 0, done = 0;
  uint64_t item;
  while (const_cache_send(c, 100 + sent).status == CONST_CACHE_OK) sent++; /* the last one waits in front of the block */
  for (; done < sent; done++) {
    CHECK(const_cache_complete(c, done % SMS).status == CONST_CACHE_OK);
    const_cache_advance(c, done % 5); /* so that the command is taken at each place of an access */
    for (unsigned k = 0; k < 10; k++) CHECK(const_cache_read_register(c, 0x04, &data));
    CHECK(const_cache_given(c, &sm, &item) && item == 100 + done && sm == done % SMS);
    if (sent < 40) CHECK(const_cache_send(c, 100 + sent++).status == CONST_CACHE_OK);
  }
  const_cache_advance(c, 50);
  CHECK(const_cache_read_register(c, 0x80 + 8 * 5, &after) && after == before + sent);
  return true;
}

/* A read of every SM in the same cycles. */
static bool pipelined(struct const_cache *c) {
  unsigned sm, answers[SMS] = {0}, asked[SMS] = {0};
  uint64_t begin, value;
  bool error;
  for (unsigned i = 0; i < SMS; i++) CHECK(const_cache_dispatch(c, i, &sm).status == CONST_CACHE_OK);
  for (unsigned round = 0; round < 2; round++) { /* the second time all of them hit */
    begin = const_cache_cycle(c);
    memset(answers, 0, sizeof answers);
    memset(asked, 0, sizeof asked);
    while (answers[0] + answers[1] + answers[2] < SMS * 8) {
      for (unsigned i = 0; i < SMS; i++) {
        if (const_cache_answer(c, i, &value, &error)) CHECK(!error && value == 1000 + answers[i]++);
        if (asked[i] < 8) asked[i] += const_cache_request(c, i, asked[i]);
      }
      if (asked[0] > answers[0]) CHECK(const_cache_read(c, 0, 0, &value).status == CONST_CACHE_REFUSED);
      const_cache_advance(c, 1);
    }
  }
  CHECK(const_cache_cycle(c) - begin <= 8 + 3 + 1);
  return true;
}

/* Four words with each write, each of them read back; the old version stays with its item. */
static bool wide(struct const_cache *c) {
  const uint64_t one[4] = {0x1111, 0x2222, 0x3333, 0x4444}, two[4] = {5, 6, 7, 8};
  unsigned sm[2];
  uint64_t value;
  CHECK(const_cache_write(c, 8, 1).status == CONST_CACHE_REFUSED && const_cache_write_words(c, 9, one).status == CONST_CACHE_REFUSED);
  CHECK(const_cache_write_words(c, CONSTANTS, one).status == CONST_CACHE_REFUSED);
  for (unsigned i = 0; i < 4; i++) {
    uint64_t bad[4] = {0};
    bad[i] = 0x10000;
    CHECK(const_cache_write_words(c, 8, bad).status == CONST_CACHE_RANGE);
  }
  CHECK(const_cache_write_words(c, 8, one).status == CONST_CACHE_OK && const_cache_dispatch(c, 0, &sm[0]).status == CONST_CACHE_OK);
  CHECK(const_cache_write_words(c, 8, two).status == CONST_CACHE_OK && const_cache_dispatch(c, 0, &sm[1]).status == CONST_CACHE_OK);
  for (unsigned i = 0; i < 4; i++) {
    CHECK(const_cache_read(c, sm[0], 8 + i, &value).status == CONST_CACHE_OK && value == one[i]);
    CHECK(const_cache_read(c, sm[1], 8 + i, &value).status == CONST_CACHE_OK && value == two[i]);
    CHECK(const_cache_read(c, sm[1], 12 + i, &value).status == CONST_CACHE_OK && value == 1012 + i);
  }
  return true;
}

/* Every argument one past its range: refused with its own status; no time passes, and nothing is in the stream. */
static bool past(struct const_cache *c) {
  uint64_t value = 77;
  uint32_t data;
  unsigned sm = 77;
  bool error;
  const uint64_t four[4] = {1, 2, 3, 0x10000};
  CHECK(const_cache_dispatch(c, 0xffff, &sm).status == CONST_CACHE_OK && sm == 0);
  const uint64_t begin = const_cache_cycle(c);
  sm = 77;
  CHECK(const_cache_write(c, CONSTANTS, 1).status == CONST_CACHE_REFUSED && const_cache_write_words(c, CONSTANTS, four).status == CONST_CACHE_REFUSED);
  CHECK(const_cache_write(c, 0, 0x10000).status == CONST_CACHE_RANGE && const_cache_write_words(c, 0, &four[3]).status == CONST_CACHE_RANGE);
  CHECK(const_cache_send(c, 0x10000).status == CONST_CACHE_RANGE && const_cache_dispatch(c, 0x10000, &sm).status == CONST_CACHE_RANGE && sm == 77);
  CHECK(const_cache_read(c, SMS, 0, &value).status == CONST_CACHE_REFUSED && const_cache_read(c, 0, CONSTANTS, &value).status == CONST_CACHE_REFUSED);
  CHECK(const_cache_complete(c, SMS).status == CONST_CACHE_REFUSED && const_cache_complete(c, 1).status == CONST_CACHE_REFUSED);
  CHECK(!const_cache_request(c, SMS, 0) && !const_cache_request(c, 0, CONSTANTS) && !const_cache_request(c, 1, 0));
  CHECK(!const_cache_answer(c, SMS, &value, &error) && value == 77 && !const_cache_given(c, &sm, &value));
  CHECK(!const_cache_read_register(c, UINT32_C(1) << 31, &data) && !const_cache_write_register(c, UINT32_C(1) << 31, 0));
  CHECK(const_cache_cycle(c) == begin);
  CHECK(const_cache_write(c, CONSTANTS - 1, 0xffff).status == CONST_CACHE_OK && const_cache_dispatch(c, 0, &sm).status == CONST_CACHE_OK && sm == 1);
  CHECK(const_cache_read(c, 1, CONSTANTS - 1, &value).status == CONST_CACHE_OK && value == 0xffff);
  CHECK(const_cache_read(c, 0, 0, &value).status == CONST_CACHE_OK && value == 1000);
  return true;
}

/* SM 0 keeps the first version while the other SMs turn over many: it reads the old words throughout, each of the others its own. */
static bool slow_sm(struct const_cache *c, unsigned versions) {
  enum { WORDS = 8 };
  uint64_t now[WORDS], value;
  unsigned sm;
  for (unsigned i = 0; i < WORDS; i++) now[i] = 1000 + i;
  CHECK(const_cache_dispatch(c, 0, &sm).status == CONST_CACHE_OK && sm == 0);
  for (unsigned n = 0; n < versions; n++) {
    const unsigned addr = n % WORDS;
    now[addr] = n & 0xffff;
    CHECK(const_cache_write(c, addr, now[addr]).status == CONST_CACHE_OK);
    CHECK(const_cache_dispatch(c, n & 0xffff, &sm).status == CONST_CACHE_OK && sm);
    CHECK(const_cache_read(c, sm, addr, &value).status == CONST_CACHE_OK && value == now[addr]);
    CHECK(const_cache_read(c, sm, n / 3 % WORDS, &value).status == CONST_CACHE_OK && value == now[n / 3 % WORDS]);
    if (n % 16 == 0) CHECK(const_cache_read(c, 0, n / 16 % WORDS, &value).status == CONST_CACHE_OK && value == 1000 + n / 16 % WORDS);
    CHECK(const_cache_complete(c, sm).status == CONST_CACHE_OK);
  }
  CHECK(const_cache_complete(c, 0).status == CONST_CACHE_OK && const_cache_flush(c).status == CONST_CACHE_OK);
  for (unsigned i = 0; i < WORDS; i++) CHECK(memory.word[i] == now[i]);
  return true;
}

static unsigned read_zero(void *ctx, uint64_t addr, void *data, size_t size) {
  (void)ctx, (void)addr;
  memset(data, 0, size);
  return 0;
}

static unsigned write_nothing(void *ctx, uint64_t addr, const void *data, size_t size) {
  (void)ctx, (void)addr, (void)data, (void)size;
  return 0;
}

/* SM 0 completes, so that L2 gets the version of SM 1, which `reads` in every cycle or not; then SM 0 gets a copy for its next item. */
static bool update(bool reads, uint32_t *cycles) {
  enum { WORDS = 192, STEAL = 16, ROWS = 256, WAIT_UPDATE = 0xf8, WAIT_SM = 0xd8, WAIT_LOCK = 0xe8 };
  const char *const params[] = {"SMS=3", "PROTOCOL=copy", "CONSTANTS=256", NULL};
  struct simt_diag diag = {0};
  struct simt_remote remote = {.read = read_zero, .write = write_nothing, .cycles = 30};
  struct const_cache *c = const_cache_create(params, &remote, &diag);
  unsigned sm;
  uint32_t before, wrong;
  uint64_t item, value;
  bool error;
  CHECK(c && const_cache_dispatch(c, 0, &sm).status == CONST_CACHE_OK && sm == 0);
  for (unsigned i = 0; i < WORDS; i++) CHECK(const_cache_write(c, i, 100 + i).status == CONST_CACHE_OK);
  for (unsigned i = 1; i < 3; i++) CHECK(const_cache_dispatch(c, i, &sm).status == CONST_CACHE_OK && sm == i);
  const_cache_advance(c, 100);
  CHECK(const_cache_read_register(c, WAIT_UPDATE, &before) && !before);
  CHECK(const_cache_complete(c, 0).status == CONST_CACHE_OK && const_cache_send(c, 3).status == CONST_CACHE_OK);
  for (unsigned i = 0; !const_cache_given(c, &sm, &item); i++) {
    if (const_cache_answer(c, 1, &value, &error)) CHECK(!error && value == 105);
    if (reads) const_cache_request(c, 1, 5);
    const_cache_advance(c, 1);
    CHECK(i < 20000);
  }
  const_cache_advance(c, 100);
  CHECK(const_cache_read_register(c, WAIT_UPDATE, cycles));
  CHECK(reads ? *cycles >= STEAL * WORDS && *cycles <= (STEAL + 1) * WORDS + WORDS + 14 : *cycles >= WORDS && *cycles <= ROWS + WORDS + 14);
  CHECK(const_cache_read_register(c, WAIT_LOCK, &wrong) && !wrong);
  CHECK(const_cache_read_register(c, WAIT_SM, &wrong) && wrong <= 16);
  const_cache_destroy(c);
  return true;
}

static bool update_costs(void) {
  uint32_t quiet = 0, busy = 0;
  const bool good = update(false, &quiet) && update(true, &busy);
  printf("%s const_cache: an update of 192 words makes a command wait %u cycles, %u where its source reads in every cycle [CC-7 CC-8 CC-16]\n", good ? "ok" : "not ok", quiet, busy);
  return good;
}

static int run_slow_sm(unsigned versions) {
  static const char *const protocols[] = {"PROTOCOL=backup", "PROTOCOL=copy"};
  int failed = 0;
  for (unsigned i = 0; i < 2; i++) {
    struct const_cache *c = make(protocols[i], false);
    const bool good = c && slow_sm(c, versions);
    printf("%s const_cache: one slow SM, %u versions, %s, %llu cycles a version [CC-2 CC-13]\n", good ? "ok" : "not ok", versions, protocols[i],
           c ? (unsigned long long)const_cache_cycle(c) / versions : 0);
    failed |= !good;
    const_cache_destroy(c);
  }
  return failed;
}

int main(int argc, char **argv) {
  if (argc > 2 && !strcmp(argv[1], "versions")) return run_slow_sm((unsigned)strtoul(argv[2], NULL, 10));
  static const struct { const char *name, *protocol; bool (*run)(struct const_cache *c); bool wide; } test[] = {
    {"every version of a stream, backup", "PROTOCOL=backup", backup_versions, false},
    {"every version of a stream, shared", "PROTOCOL=shared", shared_versions, false},
    {"dispatch behind items sent ahead", "PROTOCOL=backup", sent_ahead, false},
    {"a write that waits for active SMs", "PROTOCOL=shared", waits, false},
    {"refusals and memory errors", "PROTOCOL=backup", refusals, false},
    {"registers between commands", "PROTOCOL=backup", registers, false},
    {"pipelined reads", "PROTOCOL=backup", pipelined, false},
    {"every argument one past its range is refused, without effect", "PROTOCOL=backup", past, false},
    {"lines of four words, backup", "PROTOCOL=backup", wide, true},
    {"lines of four words, copy", "PROTOCOL=copy", wide, true},
  };
  int failed = 0;
  memory.plant = argc > 1 && !strcmp(argv[1], "plant");
  for (size_t i = 0; i < sizeof test / sizeof *test; i++) {
    struct const_cache *c = make(test[i].protocol, test[i].wide);
    bool good = c && test[i].run(c);
    printf("%s const_cache API: %s [CC-2 CC-15]\n", good ? "ok" : "not ok", test[i].name);
    failed |= !good;
    const_cache_destroy(c);
  }
  failed |= !update_costs();
  return failed || run_slow_sm(3000);
}
