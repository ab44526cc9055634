/* SPDX-License-Identifier: Apache-2.0 */
/* api_test.c: the transaction level of tracker: random wavefronts against what the test itself knows of sectors and order,
 * state packets, tokens, refusals, a full pool, outputs that nobody fetches. One argument: `plant` makes sectors come before
 * the test says so. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tracker/tracker.h"

#define CHECK(what) do { if (!(what)) { printf("line %d: %s\n", __LINE__, #what); return false; } } while (0)

enum { BANKS = 2, DSLOTS = 12, SECTORS = 4, WARPS = 6, ENTRIES = 32, COUNT = 6000 };

static bool plant;
static uint32_t seed;
static uint32_t draw(uint32_t n) { return ((seed = seed * 1664525 + 1013904223) >> 8) % n; }

struct world {
  uint64_t there[BANKS][DSLOTS][SECTORS]; /* the cycle from which a sector is there */
  unsigned asked[BANKS][DSLOTS][SECTORS];
  bool by_hand;
};
static struct world world;

static unsigned latency(void *ctx, uint64_t cycle, struct tracker_line sector) {
  struct world *w = ctx;
  unsigned s = 0, cycles = 5 + draw(150);
  while (sector.sectors >> s != 1) s++;
  w->asked[sector.bank][sector.dslot][s]++;
  if (w->by_hand) return 0;
  w->there[sector.bank][sector.dslot][s] = cycle + cycles;
  return plant ? 4 : cycles;
}

static const char *const params[] = {"QUEUES=5", "ENTRIES=32", "BANKS=2", "DSLOTS=12", "SECTORS=4", "WARPS=6", "PAYLOAD_W=40",
                                     "REF_W=4", NULL};

static struct tracker *make(void) {
  struct simt_diag diag = {0};
  struct tracker_memory memory = {.latency = latency, .ctx = &world};
  memset(&world, 0, sizeof world);
  seed = 1;
  struct tracker *t = tracker_create(params, &memory, &diag);
  if (!t) printf("create: %s: %s, expected %s\n", diag.name, diag.got, diag.expected);
  return t;
}

static bool give(struct tracker *t, unsigned bank, unsigned dslot) {
  if (tracker_allocate(t, bank, dslot).status != TRACKER_OK) return false;
  memset(world.there[bank][dslot], 0xff, sizeof world.there[bank][dslot]);
  memset(world.asked[bank][dslot], 0, sizeof world.asked[bank][dslot]);
  return true;
}

static struct tracker_wavefront wave(unsigned warp, unsigned bank, unsigned dslot, unsigned sectors) {
  return (struct tracker_wavefront){.warp = warp, .end = true, .n_lines = 1, .line = {{bank, dslot, sectors}}};
}

/* ---- random wavefronts ---------------------------------------------------------------------------------- */

struct sent { struct tracker_wavefront w; bool left; };
static struct sent sent[COUNT];

static bool check_left(struct sent *of, const struct tracker_done *done) {
  struct sent *s = &of[done->payload];
  CHECK(!s->left && s->w.cls == done->cls && s->w.warp == done->warp && done->end == (s->w.end || s->w.cls == TRACKER_RAY) && !done->state);
  CHECK((done->path == TRACKER_PATH_TEXTURE) == (done->cls == TRACKER_TEXTURE));
  for (unsigned i = 0; i < s->w.n_lines; i++)
    for (unsigned b = 0; b < SECTORS; b++)
      if (s->w.line[i].sectors >> b & 1) CHECK(world.there[s->w.line[i].bank][s->w.line[i].dslot][b] < done->cycle);
  s->left = true;
  return true;
}

/* Those of one warp in order, local/global and texture: they are in one queue. */
static bool check_order(struct sent *of, uint64_t n, uint64_t at) {
  for (uint64_t i = 0; i < n && i < at; i++)
    if (of[i].w.warp == of[at].w.warp && of[i].w.cls == of[at].w.cls && of[at].w.cls != TRACKER_RAY) CHECK(of[i].left);
  return true;
}

static bool send_one(struct tracker *t, uint64_t n, enum tracker_class *cls, unsigned *warp, bool *open) {
  if (!*open) {
    *cls = (enum tracker_class)draw(3);
    *warp = draw(WARPS);
  }
  struct tracker_wavefront w = {.cls = *cls, .warp = *warp, .end = draw(3) == 0 || n == COUNT - 1, .payload = n};
  *open = *cls != TRACKER_RAY && !w.end;
  for (unsigned bank = 0; bank < BANKS; bank++)
    if (draw(4)) w.line[w.n_lines++] = (struct tracker_line){bank, draw(DSLOTS), 1 + draw(15)};
  CHECK(tracker_track(t, &w).status == TRACKER_OK);
  sent[n] = (struct sent){.w = w};
  return true;
}

static bool all_leave(struct tracker *t) {
  struct tracker_done done;
  enum tracker_class cls = TRACKER_RAY;
  unsigned warp = 0, bank, dslot, again = 0, left = 0;
  bool open = false;
  for (unsigned b = 0; b < BANKS; b++)
    for (unsigned d = 0; d < DSLOTS; d++) CHECK(give(t, b, d));
  for (unsigned n = 0; n < COUNT; n++) {
    CHECK(send_one(t, n, &cls, &warp, &open));
    tracker_advance(t, draw(20) ? 0 : draw(200));
    for (; tracker_next(t, &done); left++) CHECK(check_left(sent, &done) && check_order(sent, n, done.payload));
    if (!tracker_free(t, &bank, &dslot)) continue;
    CHECK(!tracker_references(t, bank, dslot) && give(t, bank, dslot));
    again++;
  }
  tracker_advance(t, 2000);
  for (; tracker_next(t, &done); left++) CHECK(check_left(sent, &done));
  CHECK(left == COUNT && again > 50);
  for (unsigned b = 0; b < BANKS; b++)
    for (unsigned d = 0; d < DSLOTS; d++)
      for (unsigned s = 0; s < SECTORS; s++) CHECK(world.asked[b][d][s] <= 1 && !tracker_references(t, b, d));
  return true;
}

/* ---- directed -------------------------------------------------------------------------------------------- */

static bool states(struct tracker *t) {
  struct tracker_done done;
  CHECK(give(t, 0, 0));
  struct tracker_wavefront w = wave(0, 0, 0, 1);
  w.cls = TRACKER_TEXTURE;
  w.payload = 1;
  CHECK(tracker_track(t, &w).status == TRACKER_OK && tracker_state(t, 0x9876543210).status == TRACKER_OK);
  w.payload = 3;
  w.warp = 1;
  CHECK(tracker_track(t, &w).status == TRACKER_OK && tracker_fast(t, 0xabcdef0123).status == TRACKER_OK);
  tracker_advance(t, 400);
  CHECK(tracker_next(t, &done) && done.path == TRACKER_PATH_FAST && done.payload == 0xabcdef0123);
  CHECK(tracker_next(t, &done) && done.path == TRACKER_PATH_TEXTURE && done.payload == 1 && !done.state);
  CHECK(tracker_next(t, &done) && done.path == TRACKER_PATH_TEXTURE && done.payload == 0x9876543210 && done.state);
  CHECK(tracker_next(t, &done) && done.payload == 3 && !done.state && !tracker_next(t, &done));
  return true;
}

static bool tokens(struct tracker *t) {
  unsigned bank, dslot;
  struct tracker_wavefront w = wave(0, 1, 3, 2);
  CHECK(give(t, 1, 3) && !tracker_free(t, &bank, &dslot));
  for (unsigned i = 0; i < 3; i++) { /* twice with a count of its own, then saturated */
    for (unsigned n = 0; n < (i == 2 ? 15 : 1); n++) CHECK(tracker_track(t, &w).status == TRACKER_OK);
    CHECK(tracker_allocate(t, 1, 3).status == TRACKER_REFUSED && tracker_refusal(t) == TRACKER_REFERENCES);
    if (i) CHECK(tracker_flush_token(t, 1, 3).status == TRACKER_OK);
    if (i) CHECK(tracker_track(t, &w).status == TRACKER_REFUSED && tracker_refusal(t) == TRACKER_NOT_GIVEN);
    unsigned reports = 0;
    for (unsigned c = 0; c < 500; c++, tracker_advance(t, 1)) reports += tracker_free(t, &bank, &dslot);
    CHECK(reports == 1 && bank == 1 && dslot == 3 && give(t, 1, 3));
  }
  for (unsigned n = 0; n < 15; n++) CHECK(tracker_track(t, &w).status == TRACKER_OK);
  tracker_advance(t, 500);
  CHECK(!tracker_references(t, 1, 3) && !tracker_free(t, &bank, &dslot)); /* stuck */
  CHECK(tracker_allocate(t, 1, 3).status == TRACKER_REFUSED && tracker_flush_token(t, 1, 3).status == TRACKER_OK);
  tracker_advance(t, 50);
  CHECK(tracker_free(t, &bank, &dslot) && give(t, 1, 3));
  CHECK(tracker_flush_token(t, 1, 3).status == TRACKER_OK); /* without a reference: reported all the same */
  CHECK(tracker_allocate(t, 1, 3).status == TRACKER_REFUSED && tracker_refusal(t) == TRACKER_REFERENCES);
  tracker_advance(t, 50);
  CHECK(!tracker_free(t, &bank, &dslot) && give(t, 1, 3));
  w = wave(0, 1, 4, 1); /* a token that waits for what is older than it, behind the report of its own data slot */
  CHECK(give(t, 1, 4) && tracker_track(t, &w).status == TRACKER_OK);
  world.by_hand = true;
  w = wave(1, 1, 3, 1);
  CHECK(tracker_track(t, &w).status == TRACKER_OK && tracker_flush_token(t, 1, 4).status == TRACKER_OK);
  tracker_advance(t, 400);
  CHECK(!tracker_references(t, 1, 4) && !tracker_free(t, &bank, &dslot) && tracker_allocate(t, 1, 4).status == TRACKER_REFUSED);
  CHECK(tracker_fill(t, 1, 3, 0).status == TRACKER_OK);
  tracker_advance(t, 60);
  for (unsigned n = 0; n < 2; n++) CHECK(tracker_free(t, &bank, &dslot) && bank == 1 && (dslot == 3 || dslot == 4));
  return true;
}

static bool refused(struct tracker *t, const struct tracker_wavefront *w, enum tracker_refusal why) {
  return tracker_track(t, w).status == TRACKER_REFUSED && tracker_refusal(t) == why;
}

static bool refusals(struct tracker *t) {
  uint32_t errors = 0;
  CHECK(give(t, 0, 5));
  const uint64_t begin = tracker_cycle(t);
  struct tracker_wavefront good = wave(2, 0, 5, 1), w = good;
  w.warp = WARPS;
  CHECK(refused(t, &w, TRACKER_RANGE));
  w = wave(2, BANKS, 5, 1);
  CHECK(refused(t, &w, TRACKER_RANGE));
  w = wave(2, 0, DSLOTS, 1);
  CHECK(refused(t, &w, TRACKER_RANGE));
  w = wave(2, 0, 5, 0);
  CHECK(refused(t, &w, TRACKER_RANGE));
  w = wave(2, 0, 5, 1u << SECTORS);
  CHECK(refused(t, &w, TRACKER_RANGE));
  w = good;
  w.n_lines = 2;
  w.line[1] = w.line[0];
  CHECK(refused(t, &w, TRACKER_RANGE));
  w = wave(2, 0, 6, 1);
  CHECK(refused(t, &w, TRACKER_NOT_GIVEN) && tracker_cycle(t) == begin);
  CHECK(tracker_allocate(t, 0, DSLOTS).status == TRACKER_REFUSED && tracker_fill(t, 0, 5, 0).status == TRACKER_REFUSED);
  CHECK(tracker_refusal(t) == TRACKER_FILLED);
  good.end = false;
  CHECK(tracker_track(t, &good).status == TRACKER_OK);
  w = wave(3, 0, 5, 1);
  CHECK(refused(t, &w, TRACKER_TORN));
  CHECK(tracker_write_register(t, 0x04, 1) && !tracker_write_register(t, 0x04, 5) && !tracker_read_register(t, 0x7c, &errors));
  return true;
}

static bool out_of_range(struct tracker *t, struct tracker_result r) { return r.status == TRACKER_REFUSED && !r.cycles && tracker_refusal(t) == TRACKER_RANGE; }

/* Every argument one past its range: refused as such; no time passes, and nothing has gone in. */
static bool past(struct tracker *t) {
  struct tracker_done done;
  const uint64_t wide = UINT64_C(1) << 40; /* PAYLOAD_W 40 */
  CHECK(give(t, BANKS - 1, DSLOTS - 1));
  const uint64_t begin = tracker_cycle(t);
  struct tracker_wavefront good = wave(WARPS - 1, BANKS - 1, DSLOTS - 1, 1u << (SECTORS - 1)), bad[7];
  good.payload = wide - 1;
  for (unsigned i = 0; i < 7; i++) bad[i] = good;
  bad[0].cls = (enum tracker_class)(TRACKER_RAY + 1);
  bad[1].warp = WARPS;
  bad[2].payload = wide;
  bad[3].n_lines = TRACKER_MAX_BANKS + 1;
  bad[4].line[0].bank = BANKS;
  bad[5].line[0].dslot = DSLOTS;
  bad[6].line[0].sectors = 1u << SECTORS;
  for (unsigned i = 0; i < 7; i++) CHECK(out_of_range(t, tracker_track(t, &bad[i])));
  CHECK(out_of_range(t, tracker_fast(t, wide)) && out_of_range(t, tracker_state(t, wide)));
  CHECK(out_of_range(t, tracker_flush_token(t, BANKS, 0)) && out_of_range(t, tracker_flush_token(t, 0, DSLOTS)));
  CHECK(out_of_range(t, tracker_allocate(t, BANKS, 0)) && out_of_range(t, tracker_allocate(t, 0, DSLOTS)));
  CHECK(out_of_range(t, tracker_fill(t, BANKS, 0, 0)) && out_of_range(t, tracker_fill(t, 0, DSLOTS, 0)) && out_of_range(t, tracker_fill(t, 0, 0, SECTORS)));
  CHECK(!tracker_references(t, BANKS, 0) && !tracker_references(t, 0, DSLOTS) && tracker_cycle(t) == begin);
  CHECK(tracker_track(t, &good).status == TRACKER_OK && tracker_fast(t, wide - 1).status == TRACKER_OK && tracker_state(t, wide - 1).status == TRACKER_OK);
  tracker_advance(t, 400);
  for (unsigned i = 0; i < 3; i++) CHECK(tracker_next(t, &done) && done.payload == wide - 1);
  CHECK(!tracker_next(t, &done));
  return true;
}

/* Sectors that come when the test says so: the pool fills, the next packet waits in front of it, the one behind is busy. */
static bool full(struct tracker *t) {
  struct tracker_done done;
  struct tracker_wavefront w = wave(0, 0, 7, 4);
  unsigned taken = 0, left = 0;
  struct tracker_result r;
  world.by_hand = true;
  tracker_set_patience(t, 50);
  CHECK(give(t, 0, 7));
  for (w.cls = TRACKER_RAY; (r = tracker_track(t, &w)).status == TRACKER_OK; taken++) w.payload = taken + 1;
  CHECK(r.status == TRACKER_WAITS && r.cycles == 50 && taken >= 12 && taken <= ENTRIES + 4);
  CHECK(tracker_track(t, &w).status == TRACKER_BUSY && !tracker_next(t, &done));
  CHECK(tracker_fill(t, 0, 7, 2).status == TRACKER_OK && tracker_fill(t, 0, 7, 2).status == TRACKER_REFUSED);
  tracker_advance(t, 500);
  while (tracker_next(t, &done)) left++;
  CHECK(left == taken + 1);
  return true;
}

/* Once the first group has left, each later wavefront leaves when its own sectors are there: its group is not whole yet. */
static bool later_group(struct tracker *t) {
  struct tracker_done done;
  world.by_hand = true;
  CHECK(give(t, 0, 1) && give(t, 0, 2));
  const unsigned dslot[] = {1, 1, 2, 1};
  for (unsigned n = 1; n <= 4; n++) {
    struct tracker_wavefront w = wave(0, 0, dslot[n - 1], 1);
    w.end = n == 4;
    w.payload = n;
    CHECK(tracker_track(t, &w).status == TRACKER_OK);
    if (n == 1) CHECK(tracker_fill(t, 0, 1, 0).status == TRACKER_OK && tracker_close(t).status == TRACKER_OK);
    tracker_advance(t, 60);
    CHECK(n != 1 || (tracker_next(t, &done) && done.payload == 1));
    CHECK(n != 3 || (tracker_next(t, &done) && done.payload == 2));
    CHECK(!tracker_next(t, &done));
  }
  CHECK(tracker_fill(t, 0, 2, 0).status == TRACKER_OK);
  tracker_advance(t, 60);
  CHECK(tracker_next(t, &done) && done.payload == 3 && tracker_next(t, &done) && done.payload == 4);
  return true;
}

/* Nothing is lost when nobody fetches what leaves. */
static bool kept(struct tracker *t) {
  struct tracker_done done;
  tracker_set_patience(t, 200);
  uint64_t n = 0, seen = 0;
  struct tracker_wavefront w = {.cls = TRACKER_RAY};
  while (n < 6000 && tracker_track(t, &w).status == TRACKER_OK) w.payload = ++n;
  CHECK(n >= 4096 && n < 4096 + 200);
  for (int round = 0; round < 200; round++) {
    if (tracker_next(t, &done)) seen++;
    tracker_advance(t, 1);
  }
  while (tracker_next(t, &done)) seen++;
  tracker_advance(t, 400);
  while (tracker_next(t, &done)) seen++;
  CHECK(seen == n + 1);
  return true;
}

/* Cycles from the first to the last of 2,000 wavefronts whose sectors are there, in instructions of `length`, by all warps in turn. */
static uint64_t drained(struct tracker *t, uint32_t mode, unsigned length) {
  struct tracker_done done;
  uint64_t first = 0, n = 0;
  if (!tracker_write_register(t, 0x004, mode)) return 0;
  for (unsigned i = 0; i < 2000; i++) {
    struct tracker_wavefront w = wave(i / length % 48, 0, i % DSLOTS, 1);
    w.end = (i + 1) % length == 0;
    if (tracker_track(t, &w).status != TRACKER_OK) return 0;
    for (; tracker_next(t, &done); n++) first = n ? first : done.cycle;
  }
  tracker_advance(t, 2000);
  for (; tracker_next(t, &done); n++) first = n ? first : done.cycle;
  return n == 2000 ? done.cycle - first + 1 : 0;
}

/* At the default size: out of one queue one a cycle, whatever an instruction has; out of several, too, but three cycles are lost
 * behind an instruction of two wavefronts or more. */
static bool rates_of(struct tracker *t) {
  for (unsigned i = 0; i < DSLOTS; i++) {
    struct tracker_wavefront w = wave(0, 0, i, 1);
    CHECK(give(t, 0, i) && tracker_track(t, &w).status == TRACKER_OK);
  }
  tracker_advance(t, 400);
  for (struct tracker_done done; tracker_next(t, &done);) {}
  for (unsigned length = 1; length <= 8; length *= 2) {
    const uint64_t one = drained(t, 1, length), many = drained(t, 4, length);
    CHECK(one == 2000 && many == 2000 + (length > 1 ? 3 * (2000 / length - 1) : 0));
  }
  return true;
}
static bool rates(struct tracker *small) {
  (void)small;
  struct simt_diag diag = {0};
  struct tracker_memory memory = {.latency = latency, .ctx = &world};
  struct tracker *t = tracker_create(NULL, &memory, &diag);
  const bool good = t && rates_of(t);
  tracker_destroy(t);
  return good;
}

static bool wrong(struct tracker *t) {
  (void)t;
  struct simt_diag diag = {0}, none = {0};
  struct tracker_memory memory = {.latency = latency, .ctx = &world};
  CHECK(!tracker_create((const char *const[]){"QUEUES=1", NULL}, &memory, &diag) && !strcmp(diag.name, "QUEUES"));
  CHECK(!tracker_create(params, NULL, &none) && none.failed);
  return true;
}

int main(int argc, char **argv) {
  static const struct { bool (*run)(struct tracker *); const char *name; } tests[] = {
    {all_leave, "each wavefront leaves once, with its data, in order [TR-1 TR-7 TR-9 TR-13]"},
    {states, "state packets in order with texture, fast packets beside [TR-11 TR-12]"},
    {tokens, "data slots come back, saturated ones by tokens [TR-13]"}, {refusals, "refusals before the block [TR-17]"},
    {past, "every argument one past its range is refused, without effect"},
    {full, "a full pool waits for fills by hand [TR-15]"}, {kept, "what leaves is kept until it is fetched [TR-14]"},
    {later_group, "a later group leaves wavefront by wavefront [TR-9 TR-10]"},
    {rates, "one wavefront a cycle out of one queue; how many out of several [TR-6 TR-8 TR-14]"},
    {wrong, "wrong parameters, no memory"}};
  int failed = 0;
  plant = argc > 1 && !strcmp(argv[1], "plant");
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
    struct tracker *t = make();
    bool good = t && tests[i].run(t);
    printf("%s tracker API: %s\n", good ? "ok" : "not ok", tests[i].name);
    tracker_destroy(t);
    failed |= !good;
  }
  return failed;
}
