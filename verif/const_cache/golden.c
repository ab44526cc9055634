/* SPDX-License-Identifier: Apache-2.0 */
/* golden.c: what const_cache means (CC-2): whole versions. Every work item keeps the value of every address as it was at
 * its place in the command stream. No timing, nothing of the protocols, nothing of the model. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "const_cache/env.h"

enum { FIRST_FAIL = 1, LOST = 2 };

const char *cc_wrong(struct cc_env *e, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  vsnprintf(e->message, sizeof e->message, format, ap);
  va_end(ap);
  return e->message;
}

/* ---- versions ------------------------------------------------------------------------------------------ */

bool cc_golden_create(struct cc_env *e) {
  const size_t n = e->l.constants;
  e->pool_n = e->l.sms + CC_QUEUE + 1;
  e->value = calloc(n, sizeof *e->value);
  e->failed = calloc(n, sizeof *e->failed);
  e->pool = calloc(e->pool_n, sizeof *e->pool);
  bool good = e->value && e->failed && e->pool;
  for (unsigned i = 0; good && i < e->pool_n; i++) {
    e->pool[i].value = calloc(n, sizeof *e->value);
    good = e->pool[i].value;
  }
  return good;
}

static void replaced(struct cc_env *e) { /* all of the current version */
  e->fills++;
  e->low = e->high = 0;
}

/* ---- the golden model by slots ----------------------------------------------------------------------------- */

struct cc_kept {
  uint64_t *value, base;
  uint8_t *failed;
  struct cc_version *pool, *latest;
  struct cc_pending queue[CC_QUEUE];
  unsigned q_head, q_n, active;
  struct cc_sm sm[CC_MOST_SM];
  bool fresh, errors_unsure;
  enum cc_known memory_failed;
  uint32_t errors;
  uint64_t behind; /* writes behind the last flush */
};

bool cc_kept_create(struct cc_env *e) {
  const size_t n = e->l.constants;
  bool good = (e->front.kept = calloc(CC_SLOTS, sizeof *e->front.kept));
  for (unsigned s = 0; good && s < CC_SLOTS; s++) {
    struct cc_kept *k = &e->front.kept[s];
    k->value = calloc(n, sizeof *k->value);
    k->failed = calloc(n, sizeof *k->failed);
    k->pool = calloc(e->pool_n, sizeof *k->pool);
    good = k->value && k->failed && k->pool;
    for (unsigned i = 0; good && i < e->pool_n; i++) good = (k->pool[i].value = calloc(n, sizeof *k->value));
  }
  return good;
}

void cc_kept_destroy(struct cc_env *e) {
  for (unsigned s = 0; e->front.kept && s < CC_SLOTS; s++) {
    struct cc_kept *k = &e->front.kept[s];
    for (unsigned i = 0; k->pool && i < e->pool_n; i++) free(k->pool[i].value);
    free(k->pool);
    free(k->failed);
    free(k->value);
  }
  free(e->front.kept);
}

static void copy_pool(const struct cc_env *e, struct cc_version *to, const struct cc_version *from) {
  for (unsigned i = 0; i < e->pool_n; i++) {
    to[i].users = from[i].users;
    to[i].number = from[i].number;
    if (from[i].users) memcpy(to[i].value, from[i].value, e->l.constants * sizeof *e->value);
  }
}

/* Nothing is under way while halted: no read is unanswered. */
void cc_kept_save(struct cc_env *e, unsigned slot) {
  struct cc_kept *k = &e->front.kept[slot];
  memcpy(k->value, e->value, e->l.constants * sizeof *e->value);
  memcpy(k->failed, e->failed, e->l.constants);
  copy_pool(e, k->pool, e->pool);
  memcpy(k->queue, e->queue, sizeof k->queue);
  memcpy(k->sm, e->sm, sizeof k->sm);
  k->latest = e->latest;
  k->base = e->base;
  k->q_head = e->q_head;
  k->q_n = e->q_n;
  k->active = e->active;
  k->fresh = e->fresh;
  k->errors = e->errors;
  k->errors_unsure = e->errors_unsure;
  k->memory_failed = e->memory_failed;
  k->behind = e->all_writes - e->mark;
}

void cc_kept_load(struct cc_env *e, unsigned slot) {
  const struct cc_kept *k = &e->front.kept[slot];
  memcpy(e->value, k->value, e->l.constants * sizeof *e->value);
  memcpy(e->failed, k->failed, e->l.constants);
  copy_pool(e, e->pool, k->pool);
  memcpy(e->queue, k->queue, sizeof k->queue);
  memcpy(e->sm, k->sm, sizeof k->sm);
  e->latest = k->latest && k->latest->users ? k->latest : NULL;
  e->base = k->base;
  e->q_head = k->q_head;
  e->q_n = k->q_n;
  e->active = k->active;
  e->fresh = k->fresh;
  e->errors = k->errors;
  e->errors_unsure = k->errors_unsure;
  e->memory_failed = k->memory_failed;
  e->mark = e->all_writes - k->behind;
  replaced(e); /* the versions are those of another time */
  e->busy = e->reads = e->dones = 0; /* what is only offered goes */
  for (unsigned i = 0; i < e->l.sms; i++) {
    e->sm[i].idle_since = e->cycle;
    if (e->sm[i].active) e->busy |= UINT64_C(1) << i;
  }
  e->writes = e->works = UINT64_MAX / 2;
  e->error_cycle = e->event_cycle = e->cycle;
}

uint64_t cc_kept_base(const struct cc_env *e, unsigned slot) { return e->front.kept[slot].base; }

void cc_golden_destroy(struct cc_env *e) {
  for (unsigned i = 0; e->pool && i < e->pool_n; i++) free(e->pool[i].value);
  free(e->pool);
  free(e->failed);
  free(e->value);
}

uint64_t cc_golden_memory(struct cc_env *e, uint32_t addr) {
  uint64_t v = 0;
  simt_memory_peek(e->memory, e->base + ((uint64_t)addr << e->l.lg), &v, e->l.word_w / 8);
  return v;
}

static void changed(struct cc_env *e, uint32_t from, uint32_t to) {
  if (e->low == e->high) {
    e->low = from;
    e->high = to;
  }
  if (from < e->low) e->low = from;
  if (to > e->high) e->high = to;
}

/* All constants from memory, in long pieces. */
static void read_memory(struct cc_env *e) {
  enum { PIECE = 1024 };
  uint8_t piece[PIECE];
  const uint32_t bytes = e->l.word_w / 8, at_once = PIECE / bytes;
  for (uint32_t a = 0; a < e->l.constants; a += at_once) {
    const uint32_t n = e->l.constants - a < at_once ? e->l.constants - a : at_once;
    simt_memory_peek(e->memory, e->base + ((uint64_t)a << e->l.lg), piece, (size_t)n * bytes);
    for (uint32_t i = 0; i < n; i++) {
      e->value[a + i] = 0;
      memcpy(&e->value[a + i], &piece[i * bytes], bytes);
    }
  }
  memset(e->failed, 0, e->l.constants);
  e->latest = NULL;
  replaced(e);
}

static struct cc_version *use(struct cc_env *e) {
  if (!e->latest) {
    unsigned i = 0;
    while (e->pool[i].users) i++;
    e->latest = &e->pool[i];
    e->latest->number = ++e->snapshots;
    const bool all = e->latest->filled != e->fills; /* else its other words are as they are now */
    const uint32_t first = all ? 0 : e->low, end = all ? e->l.constants : e->high;
    memcpy(&e->latest->value[first], &e->value[first], (end - first) * sizeof *e->value);
    e->latest->filled = e->fills;
  }
  e->latest->users++;
  return e->latest;
}

void cc_golden_restart(struct cc_env *e) {
  for (unsigned i = 0; i < e->pool_n; i++) e->pool[i].users = 0;
  memset(e->sm, 0, sizeof e->sm);
  for (unsigned i = 0; i < e->l.sms; i++) e->sm[i].idle_since = e->cycle;
  e->q_n = e->active = e->unanswered = 0;
  e->reading = e->busy = e->reads = e->dones = 0;
  e->base = e->errors = 0;
  e->fresh = true;
  e->errors_unsure = false;
  e->memory_failed = CC_NO;
  e->offered = false;
  e->writes = e->works = e->repeats = e->lawful_reads = 0;
  e->head_since = e->last_done = e->cycle;
  e->error_cycle = e->event_cycle = e->cycle;
  read_memory(e);
}

void cc_golden_moved(struct cc_env *e) { read_memory(e); }

void cc_golden_clear(struct cc_env *e) {
  const uint64_t base = e->base;
  cc_golden_restart(e);
  e->base = base; /* an access of the register port goes on, too: behind a bus it may come at any time */
  e->writes = e->works = UINT64_MAX / 2; /* counters go on, and what takes effect in the last cycles is counted */
}

/* What was under way to memory has ended. */
void cc_golden_cleared(struct cc_env *e) {
  e->errors = 0;
  e->memory_failed = CC_NO;
  read_memory(e);
}

/* Somebody else writes to memory, which is allowed now. */
void cc_golden_outside(struct cc_env *e, uint64_t draw) {
  for (unsigned i = 0; i < 4; i++, draw = draw * 0x9e3779b97f4a7c15 + i) {
    uint32_t a = cc_place(e, draw >> 8);
    simt_memory_poke(e->memory, e->base + ((uint64_t)a << e->l.lg), &draw, e->l.word_w / 8);
    e->value[a] = cc_golden_memory(e, a);
    changed(e, a, a + 1);
  }
  e->latest = NULL;
  cc_hit(e, CC_COVER_OUTSIDE);
}

static void error(struct cc_env *e, unsigned bit) {
  e->errors |= 1u << bit;
  e->error_cycle = e->cycle;
}

enum cc_known cc_golden_nack(const struct cc_env *e) {
  if (e->errors_unsure) return CC_PERHAPS;
  return e->errors >> CC_ERROR_WRITE & 1 ? CC_YES : e->memory_failed;
}

/* ---- commands ------------------------------------------------------------------------------------------ */

/* A write of WRITE_WORDS words. Returns whether it is lawful. */
static bool write_taken(struct cc_env *e, uint32_t addr, const uint32_t *data) {
  const bool outside = addr >= e->l.constants, unaligned = addr % e->l.words != 0;
  if (outside || unaligned) {
    error(e, CC_ERROR_ADDR);
    cc_hit(e, outside ? CC_COVER_BAD_ADDR : CC_COVER_UNALIGNED);
    return false;
  }
  for (unsigned i = 0; i < e->l.words; i++) {
    const uint64_t word = cc_word(e, data, i);
    if (e->value[addr + i] == word) cc_hit(e, CC_COVER_REPEAT);
    e->value[addr + i] = word;
  }
  changed(e, addr, addr + e->l.words);
  e->latest = NULL;
  e->writes++;
  e->all_writes++;
  e->write_run = e->write_run + 1;
  if (e->write_run == 16) cc_hit(e, CC_COVER_SEQUENCE);
  e->taken_run = e->last_write_taken + 1 == e->cycle ? e->taken_run + 1 : 1;
  if (e->taken_run == 16) cc_hit(e, CC_COVER_WRITE_EACH_CYCLE);
  e->last_write_taken = e->cycle;
  if (e->active == e->l.sms && e->l.sms > 0) cc_hit(e, CC_COVER_WRITE_ALL_ACTIVE);
  return true;
}

static const char *command_taken(struct cc_env *e, const uint32_t *in) {
  const unsigned kind = in[e->at.cmd_kind];
  e->commands++;
  e->event_cycle = e->cycle;
  if (kind > CC_INVALIDATE) {
    error(e, CC_ERROR_KIND);
    cc_hit(e, CC_COVER_BAD_KIND);
    return NULL;
  }
  if (kind == CC_WRITE) {
    if (write_taken(e, in[e->at.cmd_addr], &in[e->at.cmd_data])) e->fresh = false;
    return NULL;
  }
  e->fresh = false;
  const bool behind = e->write_run > 0;
  e->write_run = 0;
  if (e->q_n == CC_QUEUE) return cc_wrong(e, "more than %u commands are held", CC_QUEUE);
  struct cc_pending *p = &e->queue[(e->q_head + e->q_n++) % CC_QUEUE];
  if (e->q_n == 1) e->head_since = e->cycle;
  *p = (struct cc_pending){.kind = (enum cc_kind)kind, .item = cc_word(e, &in[e->at.cmd_data], 0), .behind = behind};
  if (kind == CC_WORK) {
    p->version = use(e);
    if (e->active == e->l.sms) cc_hit(e, CC_COVER_WORK_WAITS);
  }
  return NULL;
}

/* Protocol copy: an SM that has the current version goes before lower ones that do not, and one that was given the same
 * version before has it. */
static bool must_be_first(const struct cc_env *e, unsigned sm, const struct cc_version *version) {
  return e->l.protocol != CC_COPY || e->sm[sm].last_number == version->number;
}

/* The lowest inactive SM must be taken; one whose L1 was full of old generations may be passed over for a sweep. */
static const char *check_choice(struct cc_env *e, unsigned sm, const struct cc_version *version) {
  const uint64_t sweep = e->l.l1_entries + 16;
  for (unsigned i = 0; i < sm; i++)
    if (!e->sm[i].active && e->sm[i].idle_since + sweep < e->cycle && must_be_first(e, i, version))
      return cc_wrong(e, "SM %u gets a work item although SM %u has been inactive since cycle %" PRIu64, sm, i, e->sm[i].idle_since);
  return NULL;
}

static const char *work_given(struct cc_env *e, unsigned sm, uint64_t item) {
  struct cc_pending *p = &e->queue[e->q_head];
  if (!e->q_n || p->kind != CC_WORK) return cc_wrong(e, "SM %u gets a work item that is not due", sm);
  if (sm >= e->l.sms || e->sm[sm].active) return cc_wrong(e, "SM %u gets a work item, but is active", sm);
  if (item != p->item) return cc_wrong(e, "SM %u gets the item 0x%" PRIx64 ", not 0x%" PRIx64, sm, item, p->item);
  const char *wrong = check_choice(e, sm, p->version);
  e->sm[sm].last_number = p->version->number;
  e->sm[sm].active = true;
  e->busy |= UINT64_C(1) << sm;
  e->sm[sm].version = p->version;
  e->active++;
  e->q_head = (e->q_head + 1) % CC_QUEUE;
  e->q_n--;
  e->head_since = e->cycle;
  e->works++;
  e->done_works++;
  e->event_cycle = e->cycle;
  e->work_run = e->last_work + 1 == e->cycle ? e->work_run + 1 : 1;
  if (e->work_run == 3) cc_hit(e, CC_COVER_WORK_EACH_CYCLE);
  e->last_work = e->cycle;
  if (e->active == e->l.sms) cc_hit(e, CC_COVER_ALL_ACTIVE);
  unsigned versions = 0;
  for (unsigned i = 0; e->active == e->l.sms && i < e->pool_n; i++) {
    bool used = false;
    for (unsigned s = 0; s < e->l.sms; s++) used |= e->sm[s].active && e->sm[s].version == &e->pool[i];
    versions += used;
  }
  if (versions == e->l.sms) cc_hit(e, CC_COVER_VERSIONS);
  return wrong;
}

static const char *synchronized(struct cc_env *e, bool taken) {
  const struct cc_pending p = e->queue[e->q_head];
  if (!e->q_n || p.kind == CC_WORK) return "a flush or invalidate completes that is not due";
  if (e->active) return "a flush or invalidate completes while an SM is active";
  e->q_head = (e->q_head + 1) % CC_QUEUE;
  e->q_n--;
  e->head_since = e->cycle;
  e->done_works++;
  /* Memory is compared with the current version; what was written behind the command is in neither L2 nor memory yet. */
  for (uint32_t a = 0; !e->q_n && !taken && a < e->l.constants; a++)
    if (e->all_writes == e->mark && !(e->failed[a] & LOST) && cc_golden_memory(e, a) != e->value[a])
      return cc_wrong(e, "after a flush memory holds 0x%" PRIx64 " at %u, not 0x%" PRIx64, cc_golden_memory(e, a), a, e->value[a]);
  cc_hit(e, p.kind == CC_FLUSH ? CC_COVER_FLUSH : CC_COVER_INVALIDATE);
  if (p.kind == CC_INVALIDATE && !e->q_n && !taken && e->all_writes == e->mark) {
    read_memory(e);
    e->fresh = true;
    if (e->flags & CC_F_OUTSIDE) cc_golden_outside(e, e->places);
  }
  return NULL;
}

/* ---- SMs ----------------------------------------------------------------------------------------------- */

static bool bit(const uint32_t *w, unsigned i) { return w[i / 32] >> i % 32 & 1; }

static uint64_t bits(const struct cc_env *e, const uint32_t *w) { return e->l.sms > 32 ? simt_get64(w) : w[0]; }

static const char *answered(struct cc_env *e, unsigned i, const uint32_t *out) {
  struct cc_sm *s = &e->sm[i];
  if (!s->n) return cc_wrong(e, "SM %u is answered, but has no read under way", i);
  const struct cc_expected x = s->expected[s->head];
  const bool failed = bit(&out[e->at.rsp_error], i);
  const uint64_t value = cc_word(e, &out[e->at.rsp_data], i);
  s->head = (s->head + 1) % CC_DEEPEST;
  if (!--s->n) e->reading &= ~(UINT64_C(1) << i);
  e->unanswered--;
  e->answers++;
  e->event_cycle = e->cycle;
  const bool late = e->cycle != x.cycle + e->l.l1_lat;
  if (e->cycle < x.cycle + e->l.l1_lat) return cc_wrong(e, "SM %u is answered %u cycles after its read", i, (unsigned)(e->cycle - x.cycle));
  cc_hit(e, late ? CC_COVER_MISS : CC_COVER_HIT);
  if (late && s->last_late + 1 == e->cycle) cc_hit(e, CC_COVER_HIT_BEHIND_MISS);
  s->streak = late ? 0 : s->streak + 1;
  if (s->streak == 16) cc_hit(e, CC_COVER_STREAM);
  if (!s->n) s->streak = 0;
  if (late) s->last_late = e->cycle;
  if (failed && value) return cc_wrong(e, "SM %u gets an error with data that is not 0", i);
  if (x.error) return failed ? NULL : cc_wrong(e, "SM %u gets no error for a read of %u that is one", i, x.addr);
  if (failed) {
    cc_hit(e, CC_COVER_READ_FAILS);
    return e->failed[x.addr] & FIRST_FAIL ? NULL : cc_wrong(e, "SM %u gets an error for %u, on which memory did not fail", i, x.addr);
  }
  if (value != x.value && !(e->failed[x.addr] & LOST))
    return cc_wrong(e, "SM %u reads 0x%" PRIx64 " at %u, its version has 0x%" PRIx64, i, value, x.addr, x.value);
  if (x.value != e->value[x.addr]) cc_hit(e, CC_COVER_OLD_READ);
  return NULL;
}

static void read_taken(struct cc_env *e, unsigned i, uint32_t addr) {
  struct cc_sm *s = &e->sm[i];
  const bool legal = s->active && addr < e->l.constants;
  struct cc_expected x = {.addr = addr, .cycle = e->cycle, .error = !legal, .value = legal ? s->version->value[addr] : 0};
  if (legal && s->version->value[addr] != e->value[addr] && e->snapshots > s->version->number + 2) cc_hit(e, CC_COVER_OLDEST_READ);
  s->expected[(s->head + s->n++) % CC_DEEPEST] = x;
  e->unanswered++;
  e->reading |= UINT64_C(1) << i;
  e->lawful_reads += legal;
  e->event_cycle = e->cycle;
  if (legal) return;
  error(e, s->active ? CC_ERROR_READ_ADDR : CC_ERROR_READ_SM);
  cc_hit(e, s->active ? CC_COVER_BAD_READ_ADDR : CC_COVER_BAD_READ);
}

static const char *observe_sm(struct cc_env *e, unsigned i, const uint32_t *in, const uint32_t *out, unsigned *completed) {
  struct cc_sm *s = &e->sm[i];
  if (bit(&out[e->at.done_ready], i) && s->n) return cc_wrong(e, "SM %u could complete with a read unanswered", i);
  const char *wrong = bit(&out[e->at.rsp_valid], i) ? answered(e, i, out) : NULL;
  if (wrong) return wrong;
  const bool reads = bit(&in[e->at.rd_valid], i), ready = bit(&out[e->at.rd_ready], i);
  const bool done = bit(&in[e->at.done_valid], i) && bit(&out[e->at.done_ready], i);
  if (reads && !ready) cc_hit(e, CC_COVER_READS_FULL);
  if (reads && ready) {
    if (s->n == CC_DEEPEST || s->n >= e->l.reads) return cc_wrong(e, "SM %u has more than %u reads under way", i, e->l.reads);
    const unsigned w = e->l.const_w, low = i * w;
    uint64_t both = in[e->at.rd_addr + low / 32];
    if (low % 32 + w > 32) both |= (uint64_t)in[e->at.rd_addr + low / 32 + 1] << 32;
    read_taken(e, i, (uint32_t)(both >> low % 32) & ((1u << w) - 1));
    e->reads &= ~(UINT64_C(1) << i);
    if (done) cc_hit(e, CC_COVER_DONE_WITH_READ);
    return NULL;
  }
  if (!done) return NULL;
  e->dones &= ~(UINT64_C(1) << i);
  if (!s->active) {
    error(e, CC_ERROR_DONE);
    cc_hit(e, CC_COVER_BAD_DONE);
    return NULL;
  }
  s->active = false;
  e->last_done = e->cycle;
  e->busy &= ~(UINT64_C(1) << i);
  s->version->users--;
  if (!s->version->users && s->version == e->latest) e->latest = NULL;
  s->idle_since = e->cycle;
  e->active--;
  ++*completed;
  e->event_cycle = e->cycle;
  return NULL;
}

/* ---- a cycle ------------------------------------------------------------------------------------------- */

static void observe_memory(struct cc_env *e) {
  const struct simt_memory_event *x = simt_memory_answered(e->memory), *t = simt_memory_taken(e->memory);
  if (t && t->write && e->active) cc_hit(e, CC_COVER_WRITE_BACK);
  if (t && t->write && !e->active) cc_hit(e, CC_COVER_FLUSH_DIRTY);
  if (t || x) e->event_cycle = e->cycle;
  if (!x || !x->error) return;
  if (!x->write) e->memory_failed = CC_YES;
  e->error_cycle = e->cycle;
  const uint32_t a = (uint32_t)((x->addr - e->base) >> e->l.lg);
  if (a >= e->l.constants) return;
  for (unsigned i = 0; i < e->l.words; i++) e->failed[a + i] |= x->write ? LOST : FIRST_FAIL; /* a line is an access */
  if (x->write) cc_hit(e, CC_COVER_WRITE_FAILS);
  if (x->write) error(e, CC_ERROR_WRITE);
}

/* CC-16: the wait of a work item for an SM is counted while all SMs are active, and in the cycles that a completion and an item take on their
 * way. Writes before it may wait for something else, so the least is known only of an item
 * that has none right before it. */
static void count_wait(struct cc_env *e) {
  const uint64_t way = 24 + e->l.sms;
  if (!e->q_n || e->queue[e->q_head].kind != CC_WORK) return;
  if (e->active == e->l.sms || e->last_done + way > e->cycle || e->head_since + way > e->cycle) e->waited_most++;
  if (e->active == e->l.sms && !e->l.status && e->head_since + way < e->cycle && !e->queue[e->q_head].behind) e->waited_least++;
}

/* Commands are taken as soon as a reset has cleared all rows, not before, and with a front end not in a halt. */
static const char *check_start(struct cc_env *e, bool ready) {
  const uint64_t age = e->cycle - e->reset_cycle, begin = e->l.init_cycles + 2;
  const bool was_ready = e->ready;
  e->ready |= ready;
  if (ready && !was_ready && age < begin) return cc_wrong(e, "a command is taken %u cycles after a reset", (unsigned)age);
  return age == begin && !e->ready && !e->l.status ? cc_wrong(e, "no command is taken %u cycles after a reset", (unsigned)age) : NULL;
}

const char *cc_golden_observe(struct cc_env *e, const uint32_t *in, const uint32_t *out) {
  observe_memory(e);
  if (in[e->at.rst]) {
    e->reset_cycle = e->reg.cleared = e->cycle;
    e->ready = false;
    e->waited_least = e->waited_most = 0;
    if (e->active) cc_hit(e, CC_COVER_RESET);
    e->resets++;
    cc_golden_restart(e);
    e->reg.busy = e->reg.sent = false;
    return NULL;
  }
  const char *wrong = check_start(e, out[e->at.cmd_ready]);
  count_wait(e);
  const bool taken = in[e->at.cmd_valid] && out[e->at.cmd_ready];
  if (out[e->at.cmd_done]) wrong = synchronized(e, taken);
  const bool given = out[e->at.work_valid];
  if (!wrong && given) wrong = work_given(e, out[e->at.work_sm], cc_word(e, &out[e->at.work_item], 0));
  unsigned completed = 0;
  const uint64_t done_ready = bits(e, &out[e->at.done_ready]);
  uint64_t sms = bits(e, &out[e->at.rsp_valid]) | bits(e, &in[e->at.rd_valid]) | (bits(e, &in[e->at.done_valid]) & done_ready) | (done_ready & e->reading);
  for (; sms && !wrong; sms &= sms - 1) wrong = observe_sm(e, (unsigned)__builtin_ctzll(sms), in, out, &completed);
  if (completed && given) cc_hit(e, CC_COVER_DONE_WITH_WORK);
  if (completed > 1) cc_hit(e, CC_COVER_TWO_DONE);
  if (!wrong && taken) {
    wrong = command_taken(e, in);
    if (in[e->at.cmd_kind] == CC_FLUSH || in[e->at.cmd_kind] == CC_INVALIDATE) e->mark = e->all_writes;
    e->offered = false;
  }
  return wrong;
}
