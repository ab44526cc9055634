/* SPDX-License-Identifier: Apache-2.0 */
/* switch_test.c: SC-13, of two models side by side: both are halted and released in the same cycles, and
 * between the two the context of one is saved, the unit reset, other work run, and the context loaded again. From
 * release on every output of the two is equal in every cycle. With flush_on_halt the answers are, in their order.
 *   switch_test SWITCHES SEED outputs|answers|figures [NAME=VALUE]...
 * `figures` prints instead how long halts and flushes take at most, with a memory of 200 cycles; fails when that is
 * more than docs/stack_cache_status.md says. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/context_port.h"
#include "stack_cache/layout.h"
#include "core/memory.h"
#include "core/unit_status.h"

extern const struct simt_block simt_block_stack_cache;

enum { UNIT = 7, HALTED_WITHIN = 100000, MOST_RUN = 600 };

struct side { void *model; struct simt_memory *memory; uint32_t *in, *out; };

static struct simt_config cfg;
static struct sc_layout layout;
static struct simt_status_ports status;
static struct simt_context_ports ctx;
static struct side a, b;
static struct simt_rng rng, foreign;
static uint32_t *image, *other; /* contexts: of the work, of what ran between */
static unsigned n_image, n_other, switches;
static uint64_t cycle;
static bool flush;

static uint64_t below(uint64_t n) { return simt_rng_below(&rng, n); }
static unsigned at(const char *name) { return simt_find_port(&cfg, name)->word; }

static void fail(const char *what, uint64_t value) {
  printf("cycle %" PRIu64 ", switch %u: %s (0x%" PRIx64 ")\n", cycle, switches, what, value);
  exit(1);
}

/* ---- one cycle --------------------------------------------------------------------------------------------- */

static void look(struct side *s) {
  cfg.block->model.outputs(s->model, s->out);
  memset(s->in, 0, cfg.desc.in_words * sizeof *s->in);
  s->in[ctx.unit] = UNIT;
}

static void step(struct side *s, uint64_t choice) {
  simt_memory_drive(s->memory, choice, s->in);
  const char *wrong = simt_memory_observe(s->memory, s->in, s->out);
  if (wrong) fail(wrong, 0);
  cfg.block->model.step(s->model, s->in);
}

static uint64_t choose_memory(struct simt_rng *r, unsigned error) {
  static const struct simt_memory_rates rates[] = {{200, 100, 64, 0}, {60, 20, 64, 0}, {256, 256, 64, 0}};
  struct simt_memory_rates rate = rates[switches % 3];
  rate.error = error;
  return simt_memory_choose(r, &rate);
}

static bool is_halted(const struct side *s) {
  return s->out[status.state] == simt_status_code(SIMT_HALTED, (enum simt_status_encoding)(layout.status - 1));
}

/* The other one moves its context: this one stays halted. */
static void both(void) {
  look(&a);
  if (!flush && !is_halted(&a)) fail("the halted one is no longer halted", a.out[status.state]);
  a.in[status.halt] = 1;
  if (!flush) step(&a, 0);
  step(&b, choose_memory(&foreign, 0));
  cycle++;
}

/* ---- comparison ---------------------------------------------------------------------------------------------- */

/* A port without a valid is always compared, others while their valid is 1. */
static void compare(bool counter) {
  for (size_t i = 0; i < cfg.desc.n_ports; i++) {
    const struct simt_port *p = &cfg.desc.ports[i], *v = p->valid[0] ? simt_find_port(&cfg, p->valid) : NULL;
    if (p->dir != SIMT_OUT || (v && !a.out[v->word])) continue;
    if (counter && !strcmp(p->name, "reg_rsp_data_o")) continue;
    if (memcmp(&a.out[p->word], &b.out[p->word], p->words * sizeof *a.out)) fail(p->name, b.out[p->word]);
  }
}

/* ---- operations and registers ---------------------------------------------------------------------------------- */

struct op { unsigned kind, thread; uint64_t value; };

static struct op choose_op(struct simt_rng *r, uint64_t phase) {
  uint64_t x = simt_rng_next(r), hot = phase % layout.threads, push = 24 + phase / 8 % 208;
  struct op op = {.kind = (x & 255) < push ? SC_PUSH : SC_POP, .value = simt_rng_next(r)};
  if ((x >> 8 & 31) == 0) op.kind = (x >> 16 & 1) ? SC_PEEK : SC_REPLACE;
  if ((x >> 8 & 1023) == 1) op.kind = SC_INIT;
  op.thread = (unsigned)((x >> 24 & 3) ? hot : (x >> 32) % layout.threads);
  return op;
}

static void put_op(uint32_t *in, const struct op *op) {
  const struct simt_port *data = simt_find_port(&cfg, "op_data_i");
  in[at("op_valid_i")] = 1;
  in[at("op_kind_i")] = op->kind;
  in[at("op_thread_i")] = op->thread;
  for (unsigned i = 0; i < data->words; i++) in[data->word + i] = (uint32_t)(op->value >> 16 * (i % 3));
  if (data->width % 32) in[data->word + data->words - 1] &= (1u << data->width % 32) - 1;
}

static bool takes(const struct side *s, const struct op *op) {
  if (op->kind == SC_INIT) return s->out[at("can_init_o")];
  return s->out[at(op->kind == SC_PUSH ? "can_push_o" : "can_top_o") + op->thread / 32] >> op->thread % 32 & 1;
}

static const uint16_t written[] = {SC_REG_LIMIT, SC_REG_SPILL_OVER, SC_REG_SPILL_BURST, SC_REG_RESTORE_FREE, SC_REG_THREAD,
                                   SC_REG_ERROR};

/* A register access, half of them writes; true when its answer may differ between the two. */
static bool put_register(uint32_t *in, struct simt_rng *r) {
  uint64_t x = simt_rng_next(r);
  const struct simt_reg *reg = &cfg.desc.regs[(x >> 32) % cfg.desc.n_regs];
  bool write = x & 1;
  uint32_t addr = write ? written[(x >> 8) % (sizeof written / sizeof *written)] : reg->addr;
  in[at("reg_req_valid_i")] = 1;
  in[at("reg_req_write_i")] = write;
  in[at("reg_req_addr_i")] = addr;
  in[at("reg_req_data_i")] = addr == SC_REG_LIMIT && x >> 40 & 15 ? 0xffff : x >> 16 & 7; /* mostly deep stacks */
  return addr >= SC_REG_COUNTER || addr == SC_REG_DEEPEST_OF;
}

/* ---- the front end of the one that is switched ------------------------------------------------------------------- */

static void command(bool load) {
  for (unsigned i = 0;; i++) {
    look(&b);
    b.in[status.halt] = b.in[ctx.cmd_valid] = 1;
    b.in[ctx.cmd_load] = load;
    bool taken = b.out[ctx.cmd_ready];
    both();
    if (taken) return;
    if (i > HALTED_WITHIN) fail("a context is not taken", load);
  }
}

static void move(bool load, uint32_t *words, unsigned *n) {
  unsigned i = 0;
  command(load);
  for (uint64_t waited = 0;; waited++) {
    look(&b);
    uint64_t r = simt_rng_next(&foreign);
    b.in[status.halt] = 1;
    b.in[ctx.out_ready] = (r & 7) != 0;
    b.in[ctx.in_valid] = load && i < *n && (b.in[ctx.in_valid] || (r >> 8 & 7));
    b.in[ctx.in_data] = load && i < *n ? words[i] : 0;
    b.in[ctx.in_last] = load && i + 1 == *n;
    if (b.out[ctx.out_valid] && b.in[ctx.out_ready]) words[i++] = b.out[ctx.out_data];
    if (b.in[ctx.in_valid] && b.out[ctx.in_ready]) i++;
    bool done = b.out[ctx.done];
    if (done && b.out[ctx.error]) fail(load ? "a load fails" : "a save fails", b.out[ctx.error]);
    both();
    if (done) break;
    if (waited > 64 * layout.ctx_max + HALTED_WITHIN) fail("a context does not end", i);
  }
  *n = i;
}

static void wait_halted(void) {
  for (unsigned i = 0;; i++) {
    look(&b);
    b.in[status.halt] = 1;
    bool halted = is_halted(&b);
    both();
    if (halted) return;
    if (i > HALTED_WITHIN) fail("not halted", b.out[status.state]);
  }
}

static void reset_unit(void) {
  look(&b);
  b.in[status.halt] = b.in[status.reset] = 1;
  both();
  look(&b);
  b.in[status.halt] = 1;
  both();
  wait_halted();
}

static void write_foreign(uint32_t addr, uint32_t data) {
  for (bool sent = false;;) {
    look(&b);
    b.in[status.halt] = 1;
    bool done = b.out[at("reg_rsp_valid_o")];
    if (!sent) {
      b.in[at("reg_req_valid_i")] = b.in[at("reg_req_write_i")] = 1;
      b.in[at("reg_req_addr_i")] = addr;
      b.in[at("reg_req_data_i")] = data;
      sent = b.out[at("reg_req_ready_o")];
    }
    both();
    if (sent && done) return;
  }
}

/* Other work, in its own part of memory, with its own registers. */
static void work(void) {
  uint64_t cycles = simt_rng_below(&foreign, MOST_RUN), phase = simt_rng_next(&foreign);
  for (uint64_t c = 0; c < cycles; c++) {
    look(&b);
    struct op op = choose_op(&foreign, phase);
    if (simt_rng_next(&foreign) & 7) put_op(b.in, &op);
    if (!(simt_rng_next(&foreign) & 63)) put_register(b.in, &foreign);
    both();
  }
  wait_halted();
  for (unsigned i = 0; i < 4 + 2 * layout.threads; i++) { /* a register access may be under way still */
    look(&b);
    b.in[status.halt] = 1;
    both();
  }
}

static void switch_contexts(void) {
  uint64_t r = simt_rng_next(&foreign);
  move(false, image, &n_image);
  if (r & 3) { /* else saved only, and loaded where it was */
    reset_unit();
    if ((r >> 8 & 1) && n_other) move(true, other, &n_other);
    else write_foreign(SC_REG_BASE_LO, 0x80000000);
    if (flush) write_foreign(SC_REG_CONTROL, 2 * (r >> 9 & 1));
    work();
    move(false, other, &n_other);
    if (r >> 10 & 3) reset_unit();
  }
  move(true, image, &n_image);
  switches++;
}

/* ---- every output in every cycle ----------------------------------------------------------------------------------- */

/* One cycle of both with the same inputs, made from the outputs that they share. */
static void same(bool halt, uint64_t phase) {
  static bool counter;
  static unsigned busy;
  look(&a);
  look(&b);
  compare(counter);
  struct op op = choose_op(&rng, phase);
  if (below(16) > phase % 7) put_op(a.in, &op);
  if (a.out[at("reg_rsp_valid_o")]) busy = 0;
  if (!busy && a.out[at("reg_req_ready_o")] && !below(64)) counter = put_register(a.in, &rng), busy = 1;
  a.in[status.halt] = halt;
  a.in[status.resume] = !below(16);
  memcpy(b.in, a.in, cfg.desc.in_words * sizeof *a.in);
  uint64_t choice = choose_memory(&rng, switches % 5 ? 0 : 300);
  step(&a, choice);
  step(&b, choice);
  cycle++;
}

static void compare_outputs(unsigned most) {
  while (switches < most) {
    uint64_t phase = simt_rng_next(&rng), cycles = below(MOST_RUN);
    for (uint64_t i = 0; i < cycles; i++) same(false, phase);
    for (unsigned i = 0;; i++) {
      same(true, phase);
      look(&a);
      if (is_halted(&a)) break;
      if (i > HALTED_WITHIN) fail("not halted", a.out[status.state]);
    }
    for (unsigned i = 0; i < 8 + below(8); i++) same(true, 6); /* what was accessed of the registers is answered */
    for (unsigned i = 0; i < 4; i++) {
      look(&b);
      b.in[status.halt] = 1;
      both();
    }
    switch_contexts();
  }
}

/* ---- the same answers ---------------------------------------------------------------------------------------------- */

static uint64_t note_answer(const uint32_t *out, uint64_t hash) {
  const struct simt_port *data = simt_find_port(&cfg, "ans_data_o");
  if (!out[at("ans_valid_o")]) return hash;
  uint64_t h = hash * 31 + (out[at("ans_thread_o")] << 8 | out[at("ans_kind_o")] << 4 | out[at("ans_status_o")]) + 1;
  for (unsigned i = 0; i < data->words && out[at("ans_data_valid_o")]; i++) h = h * 1000003 + out[data->word + i];
  return h;
}

/* One cycle of a side alone; the answers so far, and whether the operation was taken. */
static bool alone(struct side *s, const struct op *op, bool halt, uint64_t *answers) {
  look(s);
  *answers = note_answer(s->out, *answers);
  if (op) put_op(s->in, op);
  s->in[status.halt] = halt;
  bool taken = op && takes(s, op);
  step(s, choose_memory(&foreign, 0));
  cycle++;
  return taken;
}

static void order_flush(struct side *s, uint64_t *answers) {
  for (unsigned i = 0; i < 2 * layout.threads + 64; i++) alone(s, NULL, false, answers);
  look(s);
  s->in[at("reg_req_valid_i")] = s->in[at("reg_req_write_i")] = 1;
  s->in[at("reg_req_addr_i")] = SC_REG_CONTROL;
  s->in[at("reg_req_data_i")] = 2;
  step(s, 0);
}

/* Each side goes its own way; after each switch the answers must be the same. */
static void compare_answers(unsigned most) {
  struct side *const side[2] = {&a, &b};
  struct op list[MOST_RUN];
  uint64_t answers[2] = {0, 0};
  for (unsigned k = 0; k < 2; k++) order_flush(side[k], &answers[k]);
  while (switches < most) {
    uint64_t phase = simt_rng_next(&rng), n = below(MOST_RUN);
    for (uint64_t i = 0; i < n; i++) list[i] = choose_op(&rng, phase);
    for (unsigned k = 0; k < 2; k++) {
      unsigned waited = 0;
      for (uint64_t i = 0; i < n; i++, waited = 0)
        while (!alone(side[k], &list[i], false, &answers[k]))
          if (++waited > HALTED_WITHIN) fail("an operation is not taken", k);
      do {
        alone(side[k], NULL, true, &answers[k]);
        look(side[k]);
      } while (!is_halted(side[k]));
    }
    if (answers[0] != answers[1]) fail("the answers differ", answers[1]);
    switch_contexts();
  }
}

/* ---- figures ------------------------------------------------------------------------------------------------------- */

enum { LATENCY = 200 };

/* A halt: cycles from the later of the request and the last answer of what was begun before to halted; and the sets
 * that a flush writes. */
struct halt { unsigned cycles, own, sets, of_one; }; /* of_one: most sets of one thread */

/* SC-13's bound; where a thread has more than INFLIGHT dirty sets, memory and the constant as often as it must wait. */
static unsigned longest_flush(const struct halt *h) {
  unsigned turns = h->of_one ? (h->of_one + layout.inflight - 1) / layout.inflight : 1;
  return h->sets + turns * (LATENCY + 16);
}

static struct halt measure_halt(uint64_t phase, bool flushes) {
  static unsigned of[1024];
  struct halt h = {0};
  memset(of, 0, sizeof of);
  uint64_t begin = 0, last = 0, before = ~(uint64_t)0;
  unsigned old = simt_memory_counts(a.memory).under_way;
  for (bool halted = false; !halted; cycle++) {
    look(&a);
    struct op op = choose_op(&rng, phase);
    if (below(8)) put_op(a.in, &op);
    a.in[status.halt] = 1;
    step(&a, 0);
    const struct simt_memory_event *asked = simt_memory_taken(a.memory), *answered = simt_memory_answered(a.memory);
    if (!begin) begin = cycle + 1; /* the first cycle of halt_req */
    if (asked && cycle < begin + 2) old++;
    else if (asked && asked->write) {
      unsigned n = ++of[asked->tag >> layout.class_w];
      h.sets++;
      if (n > h.of_one) h.of_one = n;
    }
    if (answered && old && !--old) before = cycle;
    if (answered) last = cycle;
    look(&a);
    halted = is_halted(&a);
    if (cycle > begin + HALTED_WITHIN) fail("not halted", 0);
  }
  uint64_t from = before != ~(uint64_t)0 && before > begin ? before : begin;
  h.cycles = (unsigned)(cycle - begin);
  h.own = (unsigned)(cycle - (flushes || last < begin ? from : last));
  return h;
}

static void print_figures(unsigned most) {
  struct halt worst = {0}, longest = {0};
  int excess = -100000;
  simt_memory_fixed(a.memory, LATENCY);
  for (; switches < most; switches++) {
    bool flushes = switches & 1;
    uint64_t phase = simt_rng_next(&rng), cycles = below(4 * MOST_RUN);
    if (flushes) {
      look(&a);
      a.in[at("reg_req_valid_i")] = a.in[at("reg_req_write_i")] = 1;
      a.in[at("reg_req_addr_i")] = SC_REG_CONTROL;
      a.in[at("reg_req_data_i")] = 2 * (switches & 1);
      step(&a, 0);
    }
    for (uint64_t i = 0; i < cycles + 8; i++, cycle++) {
      look(&a);
      struct op op = choose_op(&rng, phase + i / 256);
      if (i > 4) put_op(a.in, &op);
      step(&a, 0);
    }
    struct halt h = measure_halt(phase, flushes);
    for (unsigned i = 0; i < 8; i++) {
      look(&a);
      a.in[status.halt] = 1;
      a.in[at("reg_req_valid_i")] = a.in[at("reg_req_write_i")] = i == 4;
      a.in[at("reg_req_addr_i")] = SC_REG_CONTROL;
      step(&a, 0);
    }
    if (!flushes && h.own > worst.own) worst.own = h.own;
    if (!flushes && h.cycles > worst.cycles) worst.cycles = h.cycles;
    int over = (int)h.own - (int)(h.sets + LATENCY + 16);
    if (flushes && h.sets && over > excess) excess = over, longest = h;
    if (flushes && h.sets > worst.sets) worst.sets = h.sets;
    if (flushes && h.own > longest_flush(&h)) fail("a flush takes longer than the page says", h.own);
    if (!flushes && h.own > 8) fail("a halt takes longer than 8 cycles", h.own);
  }
  printf("halted %u cycles after request and last answer at most, %u with memory; flush of up to %u sets: worst against "
         "sets + latency + 16 is %u cycles for %u sets, %+d\n", worst.own, worst.cycles, worst.sets, longest.own,
         longest.sets, excess);
}

/* ---- main --------------------------------------------------------------------------------------------------------- */

static void make(struct side *s) {
  struct simt_diag diag = {0};
  s->model = cfg.block->model.create(&cfg, &diag);
  s->memory = simt_memory_create(&cfg, &diag);
  s->in = calloc(cfg.desc.in_words, sizeof *s->in);
  s->out = calloc(cfg.desc.out_words, sizeof *s->out);
  if (!s->model || !s->memory || !s->in || !s->out) exit(2);
}

static void unmake(struct side *s) {
  cfg.block->model.destroy(s->model);
  simt_memory_destroy(s->memory);
  free(s->in);
  free(s->out);
}

static void tell(void *to, const char *name, uint64_t value) {
  (void)to;
  static const char *const told[] = {"spills", "restores", "drops"};
  for (size_t i = 0; i < sizeof told / sizeof *told; i++)
    if (!strcmp(name, told[i])) printf(", %" PRIu64 " %s", value, name);
}

int main(int argc, char **argv) {
  struct simt_diag diag = {0};
  if (argc < 4) return 2;
  simt_config_init(&cfg, &simt_block_stack_cache);
  for (int i = 4; i < argc; i++) {
    char *value = strchr(argv[i], '=');
    if (!value) return 2;
    *value++ = '\0';
    if (!simt_set_param(&cfg, argv[i], value, &diag)) return 2;
  }
  if (!simt_resolve(&cfg, &diag)) return 2;
  sc_layout(cfg.value, &layout);
  status = simt_find_status_ports(&cfg);
  ctx = simt_find_context_ports(&cfg);
  simt_rng_seed(&rng, strtoull(argv[2], NULL, 10));
  simt_rng_seed(&foreign, strtoull(argv[2], NULL, 10) + 1);
  image = calloc(layout.ctx_max + 8, sizeof *image);
  other = calloc(layout.ctx_max + 8, sizeof *other);
  if (!image || !other) return 2;
  make(&a);
  make(&b);
  unsigned most = (unsigned)strtoul(argv[1], NULL, 10);
  flush = !strcmp(argv[3], "answers");
  if (!strcmp(argv[3], "figures")) print_figures(most);
  else if (flush) compare_answers(most);
  else compare_outputs(most);
  printf("%u halts, %" PRIu64 " cycles", switches, cycle);
  cfg.block->model.stats(a.model, tell, NULL);
  printf("\n");
  unmake(&a);
  unmake(&b);
  free(image);
  free(other);
  simt_config_free(&cfg);
  return 0;
}
