/* SPDX-License-Identifier: Apache-2.0 */
/* api_test.c: the transaction level of branch_stack: programs whose path is known by hand, errors, a group whose stack
 * lies in memory, pipelined groups. One argument: `plant` lets the memory lose a bit. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "branch_stack/branch_stack.h"

#define CHECK(what) do { if (!(what)) { printf("line %d: %s\n", __LINE__, #what); return false; } } while (0)

struct memory { uint8_t bytes[1 << 20]; unsigned reads, fail; bool plant; };

static unsigned read_word(void *ctx, uint64_t addr, void *data, size_t size) {
  struct memory *m = ctx;
  if (addr % size || addr + size > sizeof m->bytes) abort();
  memcpy(data, m->bytes + addr, size);
  if (m->plant && m->reads++ == 3) ((uint8_t *)data)[0] ^= 1;
  return m->fail;
}

static unsigned write_word(void *ctx, uint64_t addr, const void *data, size_t size) {
  struct memory *m = ctx;
  if (addr % size || addr + size > sizeof m->bytes) abort();
  memcpy(m->bytes + addr, data, size);
  return 0;
}

enum { LATENCY = 7 };
static const char *const params[] = {"THREADS=3", "LANES=40", "ENTRY_W=80", "ENTRIES=4", "SET=1", "MAX_DEPTH=200", NULL};
static struct memory memory;

static struct branch_stack *make(void) {
  struct simt_diag diag = {0};
  struct simt_remote remote = {.read = read_word, .write = write_word, .cycles = 100, .ctx = &memory};
  struct branch_stack *b = branch_stack_create(params, &remote, &diag);
  if (!b) printf("create: %s: %s, expected %s\n", diag.name, diag.got, diag.expected);
  return b;
}

static struct branch_stack_result run(struct branch_stack *b, enum branch_stack_kind kind, bool set, bool pop, uint64_t mask,
                                      uint64_t target, uint64_t next) {
  struct branch_stack_instruction i = {.kind = kind, .group = 1, .set_sync = set, .pop_sync = pop,
                                       .mask = {(uint32_t)mask, (uint32_t)(mask >> 32)}, .target = target, .next = next};
  return branch_stack_execute(b, &i);
}

static bool goes(const struct branch_stack_result *r, enum branch_stack_status status, uint64_t mask, uint64_t pc) {
  return r->status == status && r->go && simt_get64(r->mask) == mask && r->pc == pc && r->cycles >= LATENCY;
}

/* if (some) A else B; both meet at 0x40, whose instruction carries pop-sync. */
static bool diverges(struct branch_stack *b) {
  const uint64_t all = 0xffffffffff, some = 0x8000000003;
  struct branch_stack_result r = run(b, BRANCH_STACK_LAUNCH, false, false, all, 0x10, 0);
  CHECK(goes(&r, BRANCH_STACK_DONE, all, 0x10));
  r = run(b, BRANCH_STACK_BRANCH, true, false, some, 0x30, 0x11);
  CHECK(goes(&r, BRANCH_STACK_DONE, some, 0x30));
  r = run(b, BRANCH_STACK_OTHER, false, false, 0, 0, 0x40);
  CHECK(goes(&r, BRANCH_STACK_DONE, some, 0x40));
  r = run(b, BRANCH_STACK_OTHER, false, true, 0, 0, 0x41); /* the others are still to come */
  CHECK(goes(&r, BRANCH_STACK_NOT_EXECUTED, all & ~some, 0x11));
  r = run(b, BRANCH_STACK_OTHER, false, false, 0, 0, 0x40);
  CHECK(goes(&r, BRANCH_STACK_DONE, all & ~some, 0x40));
  r = run(b, BRANCH_STACK_OTHER, false, true, 0, 0, 0x41); /* all are here: the mask of before; not executed yet */
  CHECK(goes(&r, BRANCH_STACK_NOT_EXECUTED, all, 0x40));
  r = run(b, BRANCH_STACK_OTHER, false, true, 0, 0, 0x41); /* does not pop again */
  CHECK(goes(&r, BRANCH_STACK_DONE, all, 0x41));
  r = run(b, BRANCH_STACK_FINISH, false, false, 0, 0, 0);
  CHECK(r.status == BRANCH_STACK_DONE && !r.go && r.kind == BRANCH_STACK_FINISH && r.group == 1);
  r = run(b, BRANCH_STACK_OTHER, false, false, 0, 0, 1);
  CHECK(r.status == BRANCH_STACK_NOT_LIVE && !r.cycles);
  return true;
}

/* Calls until the limit; each return comes back behind its call, from memory too. */
static bool recursion(struct branch_stack *b) {
  uint64_t waited = 0;
  struct branch_stack_result r = run(b, BRANCH_STACK_LAUNCH, false, false, 5, 0x3123456789, 0);
  CHECK(goes(&r, BRANCH_STACK_DONE, 5, 0x3123456789)); /* 38 bits */
  for (uint64_t depth = 0; depth < 100; depth++) {
    r = run(b, BRANCH_STACK_CALL, false, false, 0, 0x100 + depth, 0x1000 + depth);
    CHECK(goes(&r, BRANCH_STACK_DONE, 5, 0x100 + depth));
  }
  for (uint64_t depth = 100; depth--; waited += r.wait) {
    r = run(b, BRANCH_STACK_RETURN, false, false, 0, 0, 0);
    CHECK(goes(&r, BRANCH_STACK_DONE, 5, 0x1000 + depth));
  }
  CHECK(waited > 0); /* for memory of 100 cycles, four entries on chip */
  r = run(b, BRANCH_STACK_RETURN, false, false, 0, 0, 0);
  CHECK(r.status == BRANCH_STACK_UNDERFLOW && !r.go);
  r = run(b, BRANCH_STACK_OTHER, false, false, 0, 0, 0);
  CHECK(r.status == BRANCH_STACK_NOT_LIVE);
  uint32_t limit = 0;
  CHECK(branch_stack_read_register(b, 0x408, &limit) && limit == 200 && !branch_stack_read_register(b, 0x7f0, &limit));
  CHECK(branch_stack_write_register(b, 0x408, 2));
  r = run(b, BRANCH_STACK_LAUNCH, false, false, 1, 0, 0);
  for (int i = 0; i < 2; i++) CHECK(run(b, BRANCH_STACK_CALL, false, false, 0, 1, 2).status == BRANCH_STACK_DONE);
  CHECK(run(b, BRANCH_STACK_CALL, false, false, 0, 1, 2).status == BRANCH_STACK_OVERFLOW);
  CHECK(branch_stack_write_register(b, 0x408, 200));
  return true;
}

static bool faults(struct branch_stack *b) {
  run(b, BRANCH_STACK_LAUNCH, false, false, 1, 0, 0);
  for (int i = 0; i < 40; i++) CHECK(run(b, BRANCH_STACK_CALL, false, false, 0, 1, 2).status == BRANCH_STACK_DONE);
  memory.fail = 2;
  enum branch_stack_status status = BRANCH_STACK_DONE;
  for (int i = 0; i < 40 && status == BRANCH_STACK_DONE; i++) status = run(b, BRANCH_STACK_RETURN, false, false, 0, 0, 0).status;
  memory.fail = 0;
  CHECK(status == BRANCH_STACK_FAULT);
  struct branch_stack_result r = run(b, BRANCH_STACK_LAUNCH, false, false, 3, 8, 0);
  CHECK(goes(&r, BRANCH_STACK_DONE, 3, 8));
  struct branch_stack_instruction none = {.kind = BRANCH_STACK_LAUNCH, .group = 3};
  CHECK(branch_stack_execute(b, &none).status == BRANCH_STACK_NO_GROUP && !branch_stack_can_go(b, &none));
  return true;
}

/* Three groups at once: a result for each, in order, in fewer cycles than one after the other. */
static bool pipelined(struct branch_stack *b) {
  struct branch_stack_instruction i[3];
  struct branch_stack_result r;
  unsigned issued = 0, results = 0;
  uint64_t begin = branch_stack_cycle(b);
  for (unsigned g = 0; g < 3; g++) i[g] = (struct branch_stack_instruction){.kind = BRANCH_STACK_LAUNCH, .group = g, .mask = {g + 1}};
  while (results < 3) {
    if (issued < 3) issued += branch_stack_issue(b, &i[issued]);
    else branch_stack_advance(b, 1);
    if (!branch_stack_result(b, &r)) continue;
    CHECK(r.group == results && r.mask[0] == results + 1 && r.kind == BRANCH_STACK_LAUNCH);
    results++;
  }
  CHECK(branch_stack_cycle(b) - begin < 2 * LATENCY);
  return true;
}

/* A pop waits for memory; what needs no stack goes on, the instruction whose pop-sync has popped among it. */
static bool beside_memory(struct branch_stack *b) {
  const struct branch_stack_instruction pops = {.kind = BRANCH_STACK_RETURN, .group = 1}, steps = {.kind = BRANCH_STACK_OTHER, .group = 1},
                                        meets = {.kind = BRANCH_STACK_OTHER, .group = 1, .pop_sync = true, .next = 0x77};
  run(b, BRANCH_STACK_LAUNCH, false, false, 5, 0, 0);
  for (int i = 0; i < 50; i++) run(b, BRANCH_STACK_CALL, false, false, 0, 0x100, 0x200);
  CHECK(run(b, BRANCH_STACK_BRANCH, true, false, 0, 0x300, 0x400).status == BRANCH_STACK_DONE);
  for (int i = 0; i < 3; i++) run(b, BRANCH_STACK_CALL, false, false, 0, 0x100, 0x200);
  branch_stack_advance(b, 1000);
  for (int i = 0; i < 3; i++) CHECK(run(b, BRANCH_STACK_RETURN, false, false, 0, 0, 0).wait == 0);
  CHECK(run(b, BRANCH_STACK_OTHER, false, true, 0, 0, 0x77).status == BRANCH_STACK_NOT_EXECUTED);
  CHECK(!branch_stack_can_go(b, &pops) && branch_stack_can_go(b, &steps) && branch_stack_can_go(b, &meets));
  struct branch_stack_result r = branch_stack_execute(b, &meets);
  CHECK(goes(&r, BRANCH_STACK_DONE, 5, 0x77) && r.wait == 0);
  CHECK(!branch_stack_can_go(b, &pops) && branch_stack_can_go(b, &steps) && !branch_stack_can_go(b, &meets));
  return true;
}

static uint64_t next_random(uint64_t *s) {
  *s ^= *s << 13;
  *s ^= *s >> 7;
  return *s ^= *s << 17;
}

/* Any instructions of any groups, errors and launches in between: one result for each that was taken, and no other. */
static bool any(struct branch_stack *b) {
  uint64_t seed = 88172645463325252u, taken = 0;
  bool under_way[3] = {false};
  unsigned statuses[BRANCH_STACK_NOT_EMPTY + 1] = {0};
  for (unsigned n = 0; n < 60000; n++) {
    uint64_t r = next_random(&seed), mask = next_random(&seed);
    struct branch_stack_instruction i = {
      .kind = (enum branch_stack_kind)(r & 7), .group = (unsigned)(r >> 8) % 3, .set_sync = r >> 16 & 1, .pop_sync = !(r >> 17 & 7),
      .mask = {(uint32_t)mask, mask >> 32 & 0xff}, .target = r >> 26, .next = mask >> 26};
    if (i.kind >= BRANCH_STACK_LAUNCH && r >> 20 & 15) i.kind = BRANCH_STACK_OTHER; /* groups live for a while */
    bool takes = branch_stack_can_go(b, &i);
    CHECK(branch_stack_issue(b, &i) == takes && !(takes && under_way[i.group] && i.kind != BRANCH_STACK_LAUNCH));
    if (takes) under_way[i.group] = true, taken++;
    struct branch_stack_result is;
    if (!branch_stack_result(b, &is)) continue;
    CHECK(under_way[is.group] && taken && is.mask[1] <= 0xff); /* 40 lanes */
    under_way[is.group] = false;
    taken--;
    statuses[is.status]++;
  }
  CHECK(taken <= 3);
  for (int s = BRANCH_STACK_DONE; s <= BRANCH_STACK_NOT_EMPTY; s++)
    if (s != BRANCH_STACK_FAULT && s != BRANCH_STACK_OVERFLOW) CHECK(statuses[s] > 0);
  return true;
}

/* Every argument one past its range: refused with its own status; no time passes, and the group is as it was. */
static bool past(struct branch_stack *b) {
  const struct branch_stack_instruction good = {.kind = BRANCH_STACK_LAUNCH, .group = 2, .mask = {1, 0x80}, .target = 0x3fffffffff, .next = 0x3fffffffff};
  struct branch_stack_instruction bad[8];
  struct branch_stack_result r = branch_stack_execute(b, &good);
  CHECK(goes(&r, BRANCH_STACK_DONE, 0x8000000001, 0x3fffffffff));
  for (unsigned n = 0; n < 8; n++) bad[n] = good;
  bad[0].group = 3;
  bad[1].kind = (enum branch_stack_kind)8;
  bad[2].mask[1] = 0x100;
  bad[3].mask[2] = 1;
  bad[4].mask[3] = UINT32_C(1) << 31;
  bad[5].target = UINT64_C(1) << 38;
  bad[6].next = UINT64_C(1) << 38;
  bad[7].next = UINT64_C(1) << 63;
  const uint64_t begin = branch_stack_cycle(b);
  for (unsigned n = 0; n < 8; n++) {
    const enum branch_stack_status wanted = n < 2 ? BRANCH_STACK_NO_GROUP : BRANCH_STACK_RANGE;
    r = branch_stack_execute(b, &bad[n]);
    CHECK(r.status == wanted && !r.go && !r.cycles && branch_stack_check(b, &bad[n]) == wanted && !branch_stack_issue(b, &bad[n]));
    for (int kind = BRANCH_STACK_OTHER; kind <= BRANCH_STACK_FINISH && n >= 5; kind++) { /* a pc, of any kind */
      bad[n].kind = (enum branch_stack_kind)kind;
      CHECK(branch_stack_execute(b, &bad[n]).status == BRANCH_STACK_RANGE);
    }
  }
  struct branch_stack_instruction branch = bad[2];
  branch.kind = BRANCH_STACK_BRANCH;
  CHECK(branch_stack_execute(b, &branch).status == BRANCH_STACK_RANGE && branch_stack_check(b, &good) == BRANCH_STACK_DONE);
  CHECK(branch_stack_cycle(b) == begin);
  struct branch_stack_instruction step = bad[3]; /* where a mask means nothing, any is taken */
  step.kind = BRANCH_STACK_OTHER;
  step.next = 0x22;
  r = branch_stack_execute(b, &step);
  CHECK(r.status == BRANCH_STACK_DONE && simt_get64(r.mask) == 0x8000000001);
  return true;
}

static bool refused(struct branch_stack *b) {
  (void)b;
  struct simt_diag diag = {0}, bus = {0}, none = {0}, beats = {0};
  struct simt_remote remote = {.read = read_word, .write = write_word, .cycles = 1};
  CHECK(!branch_stack_create((const char *const[]){"LANES=0", NULL}, &remote, &diag) && !strcmp(diag.name, "LANES"));
  CHECK(!branch_stack_create((const char *const[]){"bus=axi4", NULL}, &remote, &bus) && !strcmp(bus.name, "bus"));
  CHECK(!branch_stack_create(params, NULL, &none) && none.failed);
  CHECK(!branch_stack_create((const char *const[]){"MEM_W=entry", NULL}, &remote, &beats) && !strcmp(beats.name, "MEM_W"));
  return true;
}

int main(int argc, char **argv) {
  static const struct { bool (*run)(struct branch_stack *); const char *name; } tests[] = {
    {diverges, "lanes part and meet [BU-1 BU-2 BU-3]"}, {recursion, "recursion through memory, limits, registers [BU-4 BU-5]"},
    {faults, "memory errors stop a group, a launch revives it [BU-4]"}, {pipelined, "groups in flight together"},
    {beside_memory, "what needs no stack goes on while a pop waits for memory [BU-5]"}, {any, "one result for each instruction that is taken"},
    {past, "every argument one past its range is refused, without effect"}, {refused, "wrong parameters, a bus, no memory"}};
  int failed = 0;
  memory.plant = argc > 1 && !strcmp(argv[1], "plant");
  for (size_t i = 0; i < sizeof tests / sizeof *tests; i++) {
    struct branch_stack *b = make();
    bool good = b && tests[i].run(b);
    printf("%s branch_stack API: %s\n", good ? "ok" : "not ok", tests[i].name);
    branch_stack_destroy(b);
    failed |= !good;
  }
  return failed;
}
