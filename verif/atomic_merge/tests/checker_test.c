/* SPDX-License-Identifier: Apache-2.0 */
/* checker_test.c: the serial-order checker accepts a right log and refuses wrong ones, each for its reason. */
#include <stdio.h>
#include <string.h>

#include "atomic_merge/checker.h"

enum { ACCEPT, PERFORM, JOIN, MERGE, DROP, FAIL, ANSWER, ENDS };
struct entry { int what; unsigned cache, tid, temp_or_status; struct amc_request r; uint64_t data; };
struct log { const char *name, *says; struct entry at[16]; };

#define ADD(tid_, mode_) {.op = 4, .size = 2, .mode = mode_, .tid = tid_, .addr = 0x40, .data = 1}
#define LOAD(tid_) {.op = 0, .size = 2, .tid = tid_, .addr = 0x40}
#define GETS(tid_) {ACCEPT, 0, tid_, 0, ADD(tid_, 0), 0}
#define OTHER(tid_) {ACCEPT, 1, tid_, 0, ADD(tid_, 0), 0}
#define DOES(tid_) {PERFORM, 0, tid_, 0, {0}, 0}
#define JOINS(tid_) {JOIN, 0, tid_, 0, {0}, 0}
#define MERGES {MERGE, 0, 0, 0, {0}, 0}
#define SAYS(tid_, status_, data_) {ANSWER, 0, tid_, status_, {0}, data_}
#define STOP {ENDS, 0, 0, 0, {0}, 0}

static const struct log logs[] = {
  {"a right log", NULL, {GETS(1), DOES(1), OTHER(2), {PERFORM, 1, 2, 0, {0}, 0}, SAYS(1, 0, 0), {ANSWER, 1, 2, 0, {0}, 1}, STOP}},
  {"a right batch", NULL, {GETS(1), JOINS(1), GETS(2), JOINS(2), MERGES, SAYS(2, 0, 1), SAYS(1, 0, 0), STOP}},
  {"a wrong value", "returns 0x1; in its place it was 0x0", {GETS(1), DOES(1), SAYS(1, 0, 1)}},
  {"an increment that is lost", "returns 0x0; in its place it was 0x1", {GETS(1), DOES(1), SAYS(1, 0, 0), GETS(2), DOES(2), SAYS(2, 0, 0)}},
  {"values of a batch change places", "returns 0x0; in its place it was 0x1", {GETS(1), JOINS(1), GETS(2), JOINS(2), MERGES, SAYS(2, 0, 0)}},
  {"an answer before the place", "is answered before it has its place", {GETS(1), JOINS(1), SAYS(1, 0, 0)}},
  {"two answers", "is answered without a request", {GETS(1), DOES(1), SAYS(1, 0, 0), SAYS(1, 0, 0)}},
  {"no answer", "is never answered", {GETS(1), DOES(1), STOP}},
  {"no merge", "is never merged", {{ACCEPT, 0, 1, 0, ADD(1, 2), 0}, JOINS(1), SAYS(1, 0, 0), STOP}},
  {"two places", "takes a place twice", {GETS(1), DOES(1), DOES(1)}},
  {"a place without a request", "takes a place without a request", {DOES(1)}},
  {"the order of a cache is turned", "takes its place behind a later request", {GETS(1), {ACCEPT, 0, 2, 0, LOAD(2), 0}, DOES(2), DOES(1)}},
  {"a load joins", "is no atomic", {{ACCEPT, 0, 1, 0, LOAD(1), 0}, JOINS(1)}},
  {"a good request is refused", "is refused without a reason", {GETS(1), SAYS(1, 1, 0)}},
  {"a bad request is done", "should have been refused", {{ACCEPT, 0, 1, 0, {.op = 4, .size = 2, .tid = 1, .addr = 0x42}, 0}, SAYS(1, 0, 0)}},
  {"an error without a cause", "gets the error of a fetch that did not fail", {GETS(1), SAYS(1, 2, 0)}},
  {"an error with a cause", NULL, {GETS(1), {FAIL, 0, 1, 0, {0}, 0}, SAYS(1, 2, 0), STOP}},
  {"an error of a fetch before", "gets the error of a fetch that did not fail", {{FAIL, 0, 1, 0, {0}, 0}, GETS(1), SAYS(1, 2, 0)}},
  {"a batch is dropped without a cause", "is dropped though no fetch failed", {GETS(1), JOINS(1), {DROP, 0, 0, 0, {0}, 0}}},
  {"a fence overtakes", "takes its place after a later fence", {GETS(1), {ACCEPT, 0, 2, 0, {.op = 2, .tid = 2}, 0}, SAYS(2, 0, 0), DOES(1)}},
  {"a fence overtakes a batch", "waits for its merge when a later fence", {GETS(1), JOINS(1), {ACCEPT, 0, 2, 0, {.op = 2, .tid = 2}, 0}, SAYS(2, 0, 0)}}};

static const char *feed(struct am_checker *c, const struct entry *e) {
  uint64_t line;
  unsigned n;
  switch (e->what) {
  case ACCEPT: return amc_accept(c, e->cache, &e->r);
  case PERFORM: return amc_perform(c, e->cache, e->tid, NULL);
  case JOIN: return amc_join(c, e->cache, e->tid, 0, NULL);
  case MERGE: return amc_merge(c, e->cache, 0, &line, &n);
  case DROP: return amc_drop(c, e->cache, 0, &n);
  case FAIL: amc_failed(c, e->cache, e->tid); return NULL;
  case ANSWER: return amc_answer(c, e->cache, e->tid, e->temp_or_status, e->data, NULL);
  default: return amc_end(c);
  }
}

/* A store of 4 bytes, and the byte at its address. */
static bool bytes_are_right(bool big) {
  const struct amc_rules rules = {.caches = 1, .line_bytes = 64, .tid_w = 4, .temps = 1, .big_endian = big};
  const struct amc_request store = {.op = 1, .size = 2, .addr = 0x44, .data = 0x12345678}, load = {.op = 0, .size = 0, .addr = 0x44};
  struct am_checker *c = amc_create(&rules);
  const bool good = c && !amc_accept(c, 0, &store) && !amc_perform(c, 0, 0, NULL) && !amc_answer(c, 0, 0, 0, 0, NULL) &&
                    amc_line(c, 1)[4] == (big ? 0x12 : 0x78) && !amc_accept(c, 0, &load) && !amc_perform(c, 0, 0, NULL) &&
                    !amc_answer(c, 0, 0, 0, big ? 0x12 : 0x78, NULL);
  amc_free(c);
  return good;
}

/* Three adds of half the last bit of 1.0 in a batch: the third finds them added to each other, or one by one (keep) lost. */
static bool batch_is_right(bool keep) {
  const struct amc_rules rules = {.caches = 1, .line_bytes = 64, .tid_w = 4, .temps = 1, .built = 1 << 19, .keep = (uint32_t)keep << 19};
  const struct amc_request store = {.op = 1, .size = 2, .addr = 0x44, .data = 0x3f800000};
  struct am_checker *c = amc_create(&rules);
  uint64_t line;
  unsigned n;
  bool good = c && !amc_accept(c, 0, &store) && !amc_perform(c, 0, 0, NULL) && !amc_answer(c, 0, 0, 0, 0, NULL);
  for (unsigned tid = 0; good && tid < 3; tid++) {
    const struct amc_request add = {.op = 19, .size = 2, .tid = tid, .addr = 0x44, .data = 0x33800000};
    good = !amc_accept(c, 0, &add) && !amc_join(c, 0, tid, 0, NULL);
  }
  good = good && !amc_merge(c, 0, 0, &line, &n) && !amc_answer(c, 0, 1, 0, 0x3f800000, NULL) &&
         !amc_answer(c, 0, 2, 0, keep ? 0x3f800000 : 0x3f800001, NULL) && amc_line(c, 1)[4] == 2;
  amc_free(c);
  return good;
}

int main(void) {
  struct amc_rules rules = {.caches = 2, .line_bytes = 64, .tid_w = 4, .temps = 2, .wide = true, .built = 0x3ff0};
  int failed = 0;
  for (int big = 0; big < 2; big++) { /* and keep */
    bool good = bytes_are_right(big);
    printf("%s checker: bytes of %s endian items [AM-4]\n", good ? "ok" : "not ok", big ? "big" : "little");
    failed |= !good;
    good = batch_is_right(big);
    printf("%s checker: float adds of a batch, %s [AM-10]\n", good ? "ok" : "not ok", big ? "keep" : "replace");
    failed |= !good;
  }
  for (size_t i = 0; i < sizeof logs / sizeof *logs; i++) {
    struct am_checker *c = amc_create(&rules);
    const char *said = NULL;
    size_t n = 0;
    while (n < 16 && (n == 0 || logs[i].at[n].what || logs[i].at[n].r.size || logs[i].at[n].r.op || logs[i].at[n].tid) && !said)
      said = feed(c, &logs[i].at[n++]);
    int good = logs[i].says ? said && strstr(said, logs[i].says) : !said;
    printf("%s checker: %s [AM-1 AM-2 AM-13 AM-16]%s%s\n", good ? "ok" : "not ok", logs[i].name, good ? "" : ": said: ", good ? "" : said ? said : "nothing");
    failed |= !good;
    amc_free(c);
  }
  return failed;
}
