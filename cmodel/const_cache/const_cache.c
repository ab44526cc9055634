/* SPDX-License-Identifier: Apache-2.0 */
/* const_cache.c: the transaction level of const_cache: its stream, reads and completions, over the cycle model and a memory
 * of callbacks. */
#include "const_cache/const_cache.h"

#include <stdlib.h>
#include <string.h>

#include "const_cache/layout.h"
#include "core/ports.h"
#include "core/transact.h"

#define CC_LEVEL_PORTS(PORT) \
  PORT(cmd_valid, cmd_valid_i) PORT(cmd_ready, cmd_ready_o) PORT(cmd_kind, cmd_kind_i) PORT(cmd_addr, cmd_addr_i) \
  PORT(cmd_data, cmd_data_i) PORT(cmd_done, cmd_done_o) \
  PORT(work_valid, work_valid_o) PORT(work_sm, work_sm_o) PORT(work_item, work_item_o) \
  PORT(done_valid, done_valid_i) PORT(done_ready, done_ready_o) \
  PORT(rd_valid, rd_valid_i) PORT(rd_ready, rd_ready_o) PORT(rd_addr, rd_addr_i) \
  PORT(rsp_valid, rsp_valid_o) PORT(rsp_error, rsp_error_o) PORT(rsp_data, rsp_data_o)
SIMT_PORTS(cc_level_ports, CC_LEVEL_PORTS)

struct cc_given { unsigned sm; uint64_t number, item; }; /* number: its place among the work items of the stream */

struct const_cache {
  struct simt_transact t;
  struct cc_level_ports at;
  unsigned sms, constants, const_w, word_w, words;
  uint64_t patience;
  uint64_t active;           /* a bit for each SM whose work item has been told of */
  uint64_t sent, started;    /* work items in the stream, given, since creation */
  bool waiting;              /* a command is offered; it holds still until it is taken */
  unsigned maintenance;      /* flushes and invalidates taken and not complete */
  unsigned unanswered[64];   /* reads of each SM */
  struct cc_given given[64]; /* work items given and not yet told of, in order; each of another SM */
  unsigned n_given;
};

static bool bit(const uint32_t *words, unsigned i) { return words[i / 32] >> i % 32 & 1; }
static void set_bit(uint32_t *words, unsigned i) { words[i / 32] |= (uint32_t)1 << i % 32; }
static unsigned vector_words(const struct const_cache *c) { return (c->sms + 31) / 32; }

/* ---- cycles ------------------------------------------------------------------------------------------- */

/* A command that is offered stays until it is taken, whatever else goes on. */
static void drive(void *level) {
  struct const_cache *c = level;
  c->t.in[c->at.cmd_valid] = c->waiting;
  if (!c->waiting || !c->t.out[c->at.cmd_ready]) return;
  c->waiting = false;
  if (c->t.in[c->at.cmd_kind] >= CC_FLUSH) c->maintenance++;
}

/* Reads and completions are withdrawn behind their cycle; work items that are given are kept. */
static void look(void *level) {
  struct const_cache *c = level;
  const uint32_t *out = c->t.out;
  memset(&c->t.in[c->at.rd_valid], 0, vector_words(c) * sizeof *out);
  memset(&c->t.in[c->at.done_valid], 0, vector_words(c) * sizeof *out);
  if (out[c->at.cmd_done]) c->maintenance--;
  for (unsigned i = 0; i < c->sms; i++) c->unanswered[i] -= bit(&out[c->at.rsp_valid], i);
  if (!out[c->at.work_valid]) return;
  c->given[c->n_given++] = (struct cc_given){.sm = out[c->at.work_sm], .number = c->started++,
                                             .item = simt_get_bits(&out[c->at.work_item], 0, c->word_w)};
}

void const_cache_advance(struct const_cache *c, uint64_t cycles) {
  while (cycles--) simt_transact_tick(&c->t);
}

uint64_t const_cache_cycle(const struct const_cache *c) { return c->t.cycle; }

void const_cache_set_patience(struct const_cache *c, uint64_t cycles) { c->patience = cycles; }

/* ---- life --------------------------------------------------------------------------------------------- */

struct const_cache *const_cache_create(const char *const *params, const struct simt_remote *memory, struct simt_diag *diag) {
  struct const_cache *c = calloc(1, sizeof *c);
  if (!c) {
    simt_fail(diag, "const_cache", "no memory", "memory for the model");
    return NULL;
  }
  if (!simt_transact_open(&c->t, &simt_block_const_cache, params, memory, diag)) {
    const_cache_destroy(c);
    return NULL;
  }
  cc_level_ports_bind(&c->at, &c->t.cfg);
  c->sms = (unsigned)simt_param(&c->t.cfg, "SMS");
  c->constants = (unsigned)simt_param(&c->t.cfg, "CONSTANTS");
  c->word_w = (unsigned)simt_param(&c->t.cfg, "WORD_W");
  c->words = (unsigned)simt_param(&c->t.cfg, "WRITE_WORDS");
  c->const_w = simt_find_port(&c->t.cfg, "cmd_addr_i")->width;
  c->patience = 100000;
  c->t.drive = drive;
  c->t.look = look;
  c->t.level = c;
  while (!c->t.out[c->at.cmd_ready]) const_cache_advance(c, 1);
  c->t.cycle = 0;
  return c;
}

void const_cache_destroy(struct const_cache *c) {
  if (!c) return;
  simt_transact_close(&c->t);
  free(c);
}

/* ---- the stream --------------------------------------------------------------------------------------- */

static struct const_cache_result since(const struct const_cache *c, uint64_t begin, enum const_cache_status status) {
  return (struct const_cache_result){.status = status, .cycles = c->t.cycle - begin};
}

static bool patient(const struct const_cache *c, uint64_t begin) { return c->t.cycle - begin < c->patience; }

static struct const_cache_result enter(struct const_cache *c, enum cc_kind kind, uint32_t addr, const uint64_t *data, unsigned words) {
  const uint64_t begin = c->t.cycle;
  while (c->waiting && patient(c, begin)) const_cache_advance(c, 1);
  if (c->waiting) return since(c, begin, CONST_CACHE_BUSY);
  c->waiting = true;
  c->t.in[c->at.cmd_kind] = kind;
  c->t.in[c->at.cmd_addr] = addr;
  for (unsigned i = 0; i < words; i++) simt_put_bits(&c->t.in[c->at.cmd_data], i * c->word_w, c->word_w, data[i]);
  const_cache_advance(c, 1);
  return since(c, begin, CONST_CACHE_OK);
}

struct const_cache_result const_cache_write_words(struct const_cache *c, uint32_t addr, const uint64_t *values) {
  if (addr >= c->constants || addr % c->words) return (struct const_cache_result){.status = CONST_CACHE_REFUSED};
  for (unsigned i = 0; i < c->words; i++)
    if (!simt_fits(values[i], c->word_w)) return (struct const_cache_result){.status = CONST_CACHE_RANGE};
  return enter(c, CC_WRITE, addr, values, c->words);
}

struct const_cache_result const_cache_write(struct const_cache *c, uint32_t addr, uint64_t value) {
  if (c->words > 1) return (struct const_cache_result){.status = CONST_CACHE_REFUSED};
  return const_cache_write_words(c, addr, &value);
}

struct const_cache_result const_cache_send(struct const_cache *c, uint64_t item) {
  if (!simt_fits(item, c->word_w)) return (struct const_cache_result){.status = CONST_CACHE_RANGE};
  struct const_cache_result r = enter(c, CC_WORK, 0, &item, 1);
  c->sent += r.status == CONST_CACHE_OK;
  return r;
}

static struct cc_given tell(struct const_cache *c, unsigned i) {
  struct cc_given g = c->given[i];
  memmove(&c->given[i], &c->given[i + 1], (--c->n_given - i) * sizeof g);
  c->active |= UINT64_C(1) << g.sm;
  return g;
}

bool const_cache_given(struct const_cache *c, unsigned *sm, uint64_t *item) {
  if (!c->n_given) return false;
  struct cc_given g = tell(c, 0);
  *sm = g.sm;
  *item = g.item;
  return true;
}

struct const_cache_result const_cache_dispatch(struct const_cache *c, uint64_t item, unsigned *sm) {
  const uint64_t begin = c->t.cycle, number = c->sent;
  const enum const_cache_status sent = const_cache_send(c, item).status;
  if (sent != CONST_CACHE_OK) return since(c, begin, sent);
  while (c->started <= number && patient(c, begin)) const_cache_advance(c, 1);
  if (c->started <= number) return since(c, begin, CONST_CACHE_WAITS);
  for (unsigned i = 0; i < c->n_given; i++)
    if (c->given[i].number == number) *sm = tell(c, i).sm;
  return since(c, begin, CONST_CACHE_OK);
}

static struct const_cache_result maintain(struct const_cache *c, enum cc_kind kind) {
  const uint64_t begin = c->t.cycle;
  if (enter(c, kind, 0, NULL, 0).status == CONST_CACHE_BUSY) return since(c, begin, CONST_CACHE_BUSY);
  while ((c->waiting || c->maintenance) && patient(c, begin)) const_cache_advance(c, 1);
  return since(c, begin, c->waiting || c->maintenance ? CONST_CACHE_WAITS : CONST_CACHE_OK);
}

struct const_cache_result const_cache_flush(struct const_cache *c) { return maintain(c, CC_FLUSH); }
struct const_cache_result const_cache_invalidate(struct const_cache *c) { return maintain(c, CC_INVALIDATE); }

/* ---- the SMs ------------------------------------------------------------------------------------------ */

static bool works(const struct const_cache *c, unsigned sm) { return sm < c->sms && c->active >> sm & 1; }

bool const_cache_request(struct const_cache *c, unsigned sm, uint32_t addr) {
  if (!works(c, sm) || addr >= c->constants || !bit(&c->t.out[c->at.rd_ready], sm)) return false;
  if (bit(&c->t.in[c->at.rd_valid], sm)) return false; /* one a cycle */
  set_bit(&c->t.in[c->at.rd_valid], sm);
  simt_put_bits(&c->t.in[c->at.rd_addr], sm * c->const_w, c->const_w, addr);
  c->unanswered[sm]++;
  return true;
}

bool const_cache_answer(const struct const_cache *c, unsigned sm, uint64_t *value, bool *error) {
  if (sm >= c->sms || !bit(&c->t.out[c->at.rsp_valid], sm)) return false;
  *error = bit(&c->t.out[c->at.rsp_error], sm);
  *value = simt_get_bits(&c->t.out[c->at.rsp_data], sm * c->word_w, c->word_w);
  return true;
}

struct const_cache_result const_cache_read(struct const_cache *c, unsigned sm, uint32_t addr, uint64_t *value) {
  const uint64_t begin = c->t.cycle;
  bool error = false;
  if (!works(c, sm) || addr >= c->constants || c->unanswered[sm]) return (struct const_cache_result){.status = CONST_CACHE_REFUSED};
  while (!const_cache_request(c, sm, addr)) const_cache_advance(c, 1);
  do const_cache_advance(c, 1);
  while (!const_cache_answer(c, sm, value, &error));
  return since(c, begin, error ? CONST_CACHE_ERROR : CONST_CACHE_OK);
}

struct const_cache_result const_cache_complete(struct const_cache *c, unsigned sm) {
  const uint64_t begin = c->t.cycle;
  if (!works(c, sm) || c->unanswered[sm]) return (struct const_cache_result){.status = CONST_CACHE_REFUSED};
  while (!bit(&c->t.out[c->at.done_ready], sm)) const_cache_advance(c, 1);
  set_bit(&c->t.in[c->at.done_valid], sm);
  c->active &= ~(UINT64_C(1) << sm);
  const_cache_advance(c, 1);
  return since(c, begin, CONST_CACHE_OK);
}

/* ---- registers and counts ------------------------------------------------------------------------------ */

bool const_cache_read_register(struct const_cache *c, uint32_t addr, uint32_t *data) {
  return simt_transact_read(&c->t, addr, data);
}

bool const_cache_write_register(struct const_cache *c, uint32_t addr, uint32_t data) {
  return simt_transact_write(&c->t, addr, data);
}

void const_cache_stats(const struct const_cache *c, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx) {
  c->t.ops->stats(c->t.model, visit, ctx);
}
