/* SPDX-License-Identifier: Apache-2.0 */
/* switch_test.c: AM-17: a system that two workloads share is, for each of them, one that never switched. Each workload has requests, a memory
 * and a model of its own, which is halted and released alone. One more model is halted in the same cycles, its context is saved, the other
 * workload's loaded, mostly with a reset before, and it goes on with that one's requests and memory: from the release on, all its
 * outputs are in every cycle those of that workload's model. Memory fails now and then, so that much is lost.
 *   switch_test SWITCHES SEED [NAME=VALUE]... */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atomic_system/env.h"
#include "core/context_port.h"

extern const struct simt_block simt_block_atomic_system;

enum { UNIT = 7, HALTED_WITHIN = 100000, MOST_RUN = 900, HEAD = SIMT_CONTEXT_HEAD, WORKS = 2, LINES = 6, TIDS = 1 << 10, CUT = 16 };

struct offer { bool there; struct amc_request r; };
struct work { /* what both of its models get, and the memory of each */
  void *model;
  struct simt_memory *memory, *switched;
  struct offer offer[AS_MAX_CACHES];
  bool live[AS_MAX_CACHES][TIDS];
  unsigned next[AS_MAX_CACHES];
  uint32_t *image;
  unsigned n_image;
};
struct inputs { bool halt, clears; uint64_t ready, mem; };

static struct simt_config cfg;
static struct as_ports ports;
static struct simt_status_ports status;
static struct simt_context_ports ctx;
static struct simt_reg_ports reg;
static struct work work[WORKS];
static void *switched;
static struct simt_rng rng, foreign;
static uint32_t *in, *out, *other_out;
static unsigned caches, tid_w, addr_w, line_aw, line_bytes, switches;
static uint64_t cycle, losses;

static uint64_t below(uint64_t n) { return simt_rng_below(&rng, n); }

static void fail(const char *what, uint64_t value) {
  printf("cycle %" PRIu64 ", switch %u: %s (0x%" PRIx64 ")\n", cycle, switches, what, value);
  exit(1);
}

/* ---- one model in a cycle ------------------------------------------------------------------------------------ */

static void begin(void *model, uint32_t *o, bool halt) {
  cfg.block->model.outputs(model, o);
  memset(in, 0, cfg.desc.in_words * sizeof *in);
  in[ctx.unit] = UNIT;
  in[status.halt] = halt;
}

static void end(void *model, struct simt_memory *memory, uint64_t mem, const uint32_t *o) {
  simt_memory_drive(memory, mem, in);
  const char *wrong = simt_memory_observe(memory, in, o);
  if (wrong) fail(wrong, 0);
  cfg.block->model.step(model, in);
}

static bool is_halted(const uint32_t *o) {
  return o[status.state] == simt_status_code(SIMT_HALTED, (enum simt_status_encoding)(as_status(&cfg) - 1));
}

/* A cycle of the switched model under a halt request, memory idle. */
static void idle(void) {
  cfg.block->model.step(switched, in);
  cycle++;
}

/* ---- contexts ------------------------------------------------------------------------------------------------ */

static void move(bool load, uint32_t *words, unsigned *n) {
  unsigned i = 0;
  bool taken = false, offered = false;
  for (unsigned waited = 0;; waited++) {
    const uint64_t r = simt_rng_next(&foreign);
    begin(switched, out, true);
    in[ctx.cmd_valid] = !taken;
    in[ctx.cmd_load] = load;
    in[ctx.out_ready] = (r & 7) != 0;
    offered = load && taken && i < *n && (offered || (r >> 8 & 7));
    in[ctx.in_valid] = offered;
    in[ctx.in_data] = offered ? words[i] : 0;
    in[ctx.in_last] = offered && i + 1 == *n;
    const bool done = out[ctx.done], moves = offered && out[ctx.in_ready];
    if (done && out[ctx.error]) fail(load ? "a load fails" : "a save fails", out[ctx.error]);
    if (out[ctx.out_valid] && in[ctx.out_ready]) {
      if (i >= HEAD + simt_derived(&cfg, "CTX_MAX")) fail("a context is too long", i);
      words[i++] = out[ctx.out_data];
    }
    i += moves;
    offered = offered && !moves;
    taken |= out[ctx.cmd_ready] != 0;
    idle();
    if (done) break;
    if (waited > HALTED_WITHIN) fail("a context does not end", i);
  }
  *n = i;
}

static void reset_unit(void) {
  begin(switched, out, true);
  in[status.reset] = 1;
  idle();
  for (unsigned i = 0; i < 2 || !is_halted(out); i++) {
    if (i > HALTED_WITHIN) fail("not halted behind a reset", 0);
    begin(switched, out, true);
    idle();
  }
}

/* ---- a workload in both of its models -------------------------------------------------------------------------- */

/* Of few lines; in every other phase of many, each cache with its own ones first, that crowd in a set of home and caches. The
 * second workload's are the last that there are. */
static void choose_request(struct work *w, unsigned cache, uint64_t phase) {
  static const uint8_t op[] = {AM_ADD, AM_ADD, AM_ADD, AM_OR, AM_SWAP, AM_LOAD, AM_STORE, AM_UMAX};
  struct offer *o = &w->offer[cache];
  const unsigned tids = 1u << tid_w, tid = w->next[cache];
  const uint64_t r = simt_rng_next(&rng);
  if (o->there || w->live[cache][tid] || r & 1) return;
  uint64_t line = (r >> 8 & 7) < 4 ? 0 : (r >> 12) % LINES;
  if (phase & 512) line = 2 * (r >> 8 & 3 ? cache % 8 * 4 + (r >> 12 & 3) : r >> 12 & 31);
  if (w != work) line = (line | ~UINT64_C(63)) & ((UINT64_C(1) << line_aw) - 1);
  *o = (struct offer){true, {.op = op[r >> 16 & 7], .size = 2, .mode = r >> 20 & 3 ? AM_RELAXED : AM_RETURN, .addr = line * line_bytes + (r >> 24 & 3) * 4, .data = r >> 32, .tid = tid}};
  if (!(r >> 56)) o->r.op = AM_FLUSH;
  w->next[cache] = (tid + 1) % tids;
}

static void put_requests(const struct work *w) {
  for (unsigned i = 0; i < caches; i++) {
    const struct amc_request *r = &w->offer[i].r;
    simt_put_bits(&in[ports.req_valid], i, 1, w->offer[i].there);
    simt_put_bits(&in[ports.req_op], 5 * i, 5, r->op);
    simt_put_bits(&in[ports.req_size], 2 * i, 2, r->size);
    simt_put_bits(&in[ports.req_mode], 2 * i, 2, r->mode);
    simt_put_bits(&in[ports.req_addr], addr_w * i, addr_w, r->addr);
    simt_put64(&in[ports.req_data + 2 * i], r->data);
    simt_put_bits(&in[ports.req_tid], tid_w * i, tid_w, r->tid);
  }
}

static void compare(void) {
  for (size_t i = 0; i < cfg.desc.n_ports; i++) {
    const struct simt_port *p = &cfg.desc.ports[i];
    const struct simt_port *valid = p->valid[0] ? simt_find_port(&cfg, p->valid) : NULL;
    if (p->dir != SIMT_OUT || (valid && !other_out[valid->word]) || !strcmp(p->group, "context")) continue;
    for (unsigned k = 0; k < p->words; k++)
      if (out[p->word + k] != other_out[p->word + k]) {
        printf("%s: 0x%x, expected 0x%x\n", p->name, out[p->word + k], other_out[p->word + k]);
        fail("an output differs", p->word + k);
      }
  }
}

static void put_inputs(const struct work *w, const struct inputs *x) {
  put_requests(w);
  for (unsigned i = 0; i < caches; i++) simt_put_bits(&in[ports.ans_ready], i, 1, x->ready >> i & 1);
  in[reg.valid] = in[reg.write] = x->clears;
  in[reg.addr] = AS_REG_NACK;
}

static void both(struct work *w, const struct inputs *x, uint64_t phase) {
  for (unsigned i = 0; i < caches && !x->halt; i++) choose_request(w, i, phase);
  begin(w->model, other_out, x->halt);
  put_inputs(w, x);
  end(w->model, w->memory, x->mem, other_out);
  begin(switched, out, x->halt);
  put_inputs(w, x);
  compare();
  for (unsigned i = 0; i < caches; i++) {
    struct offer *o = &w->offer[i];
    if (simt_get_bits(&out[ports.ans_valid], i, 1) && x->ready >> i & 1) w->live[i][simt_get_bits(&out[ports.ans_tid], tid_w * i, tid_w)] = false;
    if (!o->there || !simt_get_bits(&out[ports.req_ready], i, 1)) continue;
    w->live[i][o->r.tid] = true;
    o->there = false;
  }
  end(switched, w->switched, x->mem, out);
  cycle++;
}

static void choose_inputs(struct inputs *x, uint64_t phase, bool halt) {
  static const struct simt_memory_rates rates[] = {{200, 100, 64, 9000}, {60, 20, 64, 3000}, {256, 256, 64, 0}, {240, 160, 64, 20000}};
  *x = (struct inputs){.halt = halt, .clears = !below(200), .ready = phase & 256 ? ~UINT64_C(0) : simt_rng_next(&rng), .mem = simt_memory_choose(&rng, &rates[phase & 3])};
}

static void run(struct work *w) {
  const uint64_t phase = simt_rng_next(&rng), cycles = below(4) ? below(MOST_RUN) : below(CUT);
  struct inputs x;
  for (uint64_t c = 0; c < cycles; c++) {
    choose_inputs(&x, phase, false);
    both(w, &x, phase);
  }
  for (unsigned i = 0; i < 3 || !is_halted(out); i++) {
    choose_inputs(&x, phase, true);
    x.clears = false;
    both(w, &x, phase);
    if (i > HALTED_WITHIN) fail("not halted", 0);
  }
}

/* Halted. The workload that goes on is loaded. */
static struct work *switch_over(struct work *w) {
  struct work *to = &work[simt_rng_below(&foreign, WORKS)];
  static uint32_t again[HEAD + 3 * (AS_CACHES + AS_MAX_CACHES)];
  unsigned n;
  move(false, w->image, &w->n_image);
  if (simt_rng_next(&foreign) & 3) reset_unit();
  move(true, to->image, &to->n_image);
  move(false, again, &n);
  if (n != to->n_image || memcmp(again, to->image, n * sizeof *again)) fail("a save right behind a load gives another stream", n);
  for (unsigned i = HEAD; i < n; i++) losses += again[i] != 0;
  switches++;
  return to;
}

/* ---- life ---------------------------------------------------------------------------------------------------- */

static void set_up(char **given, int n) {
  struct simt_diag diag = {0};
  simt_config_init(&cfg, &simt_block_atomic_system);
  for (int i = 0; i < n; i++) {
    char *value = strchr(given[i], '=');
    if (value) *value++ = '\0';
    if (!simt_set_param(&cfg, given[i], value ? value : "", &diag)) break;
  }
  if (diag.failed || !simt_resolve(&cfg, &diag)) {
    fprintf(stderr, "switch_test: %s: got %s, expected %s\n", diag.name, diag.got, diag.expected);
    exit(2);
  }
  as_ports_bind(&ports, &cfg);
  simt_reg_ports_bind(&reg, &cfg);
  status = simt_find_status_ports(&cfg);
  ctx = simt_find_context_ports(&cfg);
  caches = as_caches(&cfg);
  tid_w = (unsigned)simt_param(&cfg, "TID_W");
  addr_w = (unsigned)simt_param(&cfg, "ADDR_W");
  line_bytes = (unsigned)simt_param(&cfg, "LINE_BYTES");
  line_aw = addr_w - simt_clog2(line_bytes);
  in = calloc(cfg.desc.in_words, sizeof *in);
  out = calloc(cfg.desc.out_words, sizeof *out);
  other_out = calloc(cfg.desc.out_words, sizeof *other_out);
  switched = cfg.block->model.create(&cfg, &diag);
  bool good = in && out && other_out && switched;
  for (unsigned i = 0; i < WORKS; i++) {
    struct work *w = &work[i];
    w->model = cfg.block->model.create(&cfg, &diag);
    w->memory = simt_memory_create(&cfg, &diag);
    w->switched = simt_memory_create(&cfg, &diag);
    w->image = calloc(HEAD + simt_derived(&cfg, "CTX_MAX"), sizeof *w->image);
    good = good && w->model && w->memory && w->switched && w->image;
  }
  if (good) return;
  fprintf(stderr, "switch_test: no memory\n");
  exit(2);
}

/* All halted, nothing done; each workload's context is that of a system behind rst_i. */
static void halt_all(void) {
  struct inputs x = {.halt = true};
  cfg.block->model.reset(switched);
  for (unsigned i = 0; i < WORKS; i++) cfg.block->model.reset(work[i].model);
  for (unsigned i = 0; i < 3 || !is_halted(out); i++) {
    if (i > HALTED_WITHIN) fail("not halted behind rst_i", 0);
    begin(work[1].model, out, true);
    cfg.block->model.step(work[1].model, in);
    both(&work[0], &x, 0);
  }
  for (unsigned i = 0; i < WORKS; i++) move(false, work[i].image, &work[i].n_image);
}

int main(int argc, char **argv) {
  if (argc < 3) {
    fprintf(stderr, "usage: switch_test SWITCHES SEED [NAME=VALUE]...\n");
    return 2;
  }
  const unsigned most = (unsigned)strtoul(argv[1], NULL, 10);
  const uint64_t seed = strtoull(argv[2], NULL, 10);
  set_up(argv + 3, argc - 3);
  simt_rng_seed(&rng, seed);
  simt_rng_seed(&foreign, seed + 1000);
  halt_all();
  struct work *w = &work[0];
  while (switches < most) {
    run(w);
    w = switch_over(w);
  }
  if (losses < most) fail("too little is lost to show anything", losses);
  printf("%u switches in %" PRIu64 " cycles, %" PRIu64 " words of contexts that are not 0\n", switches, cycle, losses);
  for (unsigned i = 0; i < WORKS; i++) {
    cfg.block->model.destroy(work[i].model);
    simt_memory_destroy(work[i].memory);
    simt_memory_destroy(work[i].switched);
    free(work[i].image);
  }
  cfg.block->model.destroy(switched);
  free(in);
  free(out);
  free(other_out);
  simt_config_free(&cfg);
  return 0;
}
