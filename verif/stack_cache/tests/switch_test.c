/* SPDX-License-Identifier: Apache-2.0 */
/* switch_test.c: SC-13, of two models that get the same operations: one goes on, the other is halted in between, which
 * writes its dirty sets back, its context is saved, the unit reset, other work run, and the context loaded again. Their
 * answers are the same, in the same order, and so are the registers that the work of a process can see.
 *   switch_test SWITCHES SEED answers|cycles|figures|quick [NAME=VALUE]...
 * `cycles`: halts without a flush, at any time, the other model halted and released in the same cycles: from the release on all outputs
 * are the same in every cycle. `figures` prints instead how long halts take at most, with a memory of 200 cycles, `quick` those without
 * a flush; they fail when that is more than SC-13, FLUSH_OWN or HALT_OWN says. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/context_port.h"
#include "core/unit_status.h"
#include "stack_cache/beats.h"

extern const struct simt_block simt_block_stack_cache;

enum { UNIT = 7, HALTED_WITHIN = 100000, MOST_RUN = 600, HEAD = SIMT_CONTEXT_HEAD };

struct side {
  void *model;
  struct stk_port port;
  uint32_t *in, *out;
  uint64_t answers; /* of the work that is compared */
  bool apart;       /* other work */
};

static struct simt_config cfg;
static struct sc_layout layout;
static struct simt_status_ports status;
static struct simt_context_ports ctx;
static struct side a, b;
static struct simt_rng rng, foreign;
static uint32_t *image, *other; /* contexts: of the work, of what ran between */
static unsigned n_image, n_other, switches;
static uint64_t cycle;

static uint64_t below(uint64_t n) { return simt_rng_below(&rng, n); }
static unsigned at(const char *name) { return simt_find_port(&cfg, name)->word; }

static void fail(const char *what, uint64_t value) {
  printf("cycle %" PRIu64 ", switch %u: %s (0x%" PRIx64 ")\n", cycle, switches, what, value);
  exit(1);
}

/* ---- one cycle --------------------------------------------------------------------------------------------- */

static void note_answer(struct side *s) {
  const struct simt_port *data = simt_find_port(&cfg, "ans_data_o");
  if (!s->out[at("ans_valid_o")] || s->apart) return;
  uint64_t h = s->answers * 31 + (s->out[at("ans_thread_o")] << 8 | s->out[at("ans_kind_o")] << 4 | s->out[at("ans_status_o")]) + 1;
  for (unsigned i = 0; i < data->words && s->out[at("ans_data_valid_o")]; i++) h = h * 1000003 + s->out[data->word + i];
  s->answers = h;
}

static void begin(struct side *s, bool halt) {
  cfg.block->model.outputs(s->model, s->out);
  note_answer(s);
  memset(s->in, 0, cfg.desc.in_words * sizeof *s->in);
  s->in[ctx.unit] = UNIT;
  s->in[status.halt] = halt;
}

static void end(struct side *s) {
  static const struct simt_memory_rates rates[] = {{200, 100, 64, 0}, {60, 20, 64, 0}, {256, 256, 64, 0}};
  stk_port_drive(&s->port, simt_memory_choose(&foreign, &rates[switches % 3]), s->in);
  const char *wrong = stk_port_observe(&s->port, s->in, s->out);
  if (wrong) fail(wrong, 0);
  cfg.block->model.step(s->model, s->in);
  cycle++;
}

static void idle(struct side *s, bool halt, unsigned cycles) {
  for (unsigned i = 0; i < cycles; i++) {
    begin(s, halt);
    end(s);
  }
}

static bool is_halted(const struct side *s) {
  return s->out[status.state] == simt_status_code(SIMT_HALTED, (enum simt_status_encoding)(layout.status - 1));
}

static void halt_unit(struct side *s) {
  for (unsigned i = 0;; i++) {
    begin(s, true);
    bool halted = is_halted(s);
    end(s);
    if (halted) return;
    if (i > HALTED_WITHIN) fail("not halted", s->out[status.state]);
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
  bool push = s->out[at("can_push_o") + op->thread / 32] >> op->thread % 32 & 1;
  bool top = s->out[at("can_top_o") + op->thread / 32] >> op->thread % 32 & 1;
  return s->out[at("can_go_o")] && (op->kind == SC_INIT ? push || top : op->kind == SC_PUSH ? push : top);
}

static void put_register(struct side *s, bool write, uint32_t addr, uint32_t data) {
  s->in[at("reg_req_valid_i")] = 1;
  s->in[at("reg_req_write_i")] = write;
  s->in[at("reg_req_addr_i")] = addr;
  s->in[at("reg_req_data_i")] = data;
}

static uint32_t access(struct side *s, bool halt, bool write, uint32_t addr, uint32_t data) {
  for (unsigned i = 0, sent = 0; i < HALTED_WITHIN; i++) {
    begin(s, halt);
    bool done = s->out[at("reg_rsp_valid_o")];
    uint32_t result = s->out[at("reg_rsp_data_o")];
    if (done && s->out[at("reg_rsp_error_o")]) fail("an access is refused", addr);
    if (!sent) {
      put_register(s, write, addr, data);
      sent = s->out[at("reg_req_ready_o")];
    }
    end(s);
    if (done) return result;
  }
  fail("an access is not answered", addr);
  return 0;
}

/* ---- contexts ------------------------------------------------------------------------------------------------------ */

static void command(struct side *s, bool load) {
  for (unsigned i = 0;; i++) {
    begin(s, true);
    s->in[ctx.cmd_valid] = 1;
    s->in[ctx.cmd_load] = load;
    bool taken = s->out[ctx.cmd_ready];
    end(s);
    if (taken) return;
    if (i > HALTED_WITHIN) fail("a context is not taken", load);
  }
}

static void move(struct side *s, bool load, uint32_t *words, unsigned *n) {
  unsigned i = 0;
  bool offered = false;
  command(s, load);
  for (uint64_t waited = 0;; waited++) {
    begin(s, true);
    uint64_t r = simt_rng_next(&foreign);
    s->in[ctx.out_ready] = (r & 7) != 0;
    offered = load && i < *n && (offered || (r >> 8 & 7));
    s->in[ctx.in_valid] = offered;
    s->in[ctx.in_data] = load && i < *n ? words[i] : 0;
    s->in[ctx.in_last] = load && i + 1 == *n;
    if (s->out[ctx.out_valid] && s->in[ctx.out_ready]) {
      if (i >= HEAD + layout.ctx_max) fail("a context is too long", i);
      words[i++] = s->out[ctx.out_data];
    }
    if (offered && s->out[ctx.in_ready]) i++, offered = false;
    bool done = s->out[ctx.done];
    if (done && s->out[ctx.error]) fail(load ? "a load fails" : "a save fails", s->out[ctx.error]);
    end(s);
    if (done) break;
    if (waited > 64 * layout.ctx_max + HALTED_WITHIN) fail("a context does not end", i);
  }
  *n = i;
}

static void reset_unit(struct side *s) {
  begin(s, true);
  s->in[status.reset] = 1;
  end(s);
  idle(s, true, 1);
  halt_unit(s);
}

/* Other work, in its own part of memory, with its own registers. */
static void work(struct side *s) {
  static const uint16_t written[] = {SC_REG_LIMIT, SC_REG_SPILL_OVER, SC_REG_SPILL_BURST, SC_REG_RESTORE_FREE, SC_REG_THREAD,
                                     SC_REG_ERROR, SC_REG_CONTROL, SC_REG_STRIDE_LG, SC_REG_HALT_FLUSH};
  uint64_t cycles = simt_rng_below(&foreign, MOST_RUN), phase = simt_rng_next(&foreign), x = 0;
  bool offered = false;
  for (uint64_t c = 0; c < cycles || offered; c++) {
    begin(s, c >= cycles);
    struct op op = choose_op(&foreign, phase);
    if (c < cycles && simt_rng_next(&foreign) & 7) put_op(s->in, &op);
    if (!offered && c < cycles && !(simt_rng_next(&foreign) & 63)) offered = true, x = simt_rng_next(&foreign);
    if (offered) {
      uint32_t addr = x & 1 ? written[(x >> 8) % (sizeof written / sizeof *written)] : cfg.desc.regs[(x >> 32) % cfg.desc.n_regs].addr;
      put_register(s, x & 1, addr, x >> 16 & 7);
      offered = !s->out[at("reg_req_ready_o")];
    }
    end(s);
    if (c > cycles + HALTED_WITHIN) fail("a register access is not taken", x);
  }
  halt_unit(s);
  idle(s, true, 4 + 40 * layout.threads); /* the access may be under way still: a depth waits for its thread */
}

/* Halted; the work that is compared is in `image` at the end. */
static void switch_context(struct side *s) {
  uint64_t r = simt_rng_next(&foreign);
  move(s, false, image, &n_image);
  s->apart = true;
  if (r & 3) { /* else saved only, and loaded where it was */
    reset_unit(s);
    if ((r >> 8 & 1) && n_other) move(s, true, other, &n_other);
    else access(s, true, true, SC_REG_BASE_LO, 0x80000000);
    idle(s, false, 4);
    work(s);
    move(s, false, other, &n_other);
    if (r >> 10 & 3) reset_unit(s);
  }
  move(s, true, image, &n_image);
  s->apart = false;
  switches++;
}

/* ---- the same answers ---------------------------------------------------------------------------------------------- */

/* A fault of a thread, and an error recorded, in both alike: by their contexts. */
static void make_faulty(struct side *s, unsigned thread) {
  halt_unit(s);
  move(s, false, image, &n_image);
  const unsigned size = (n_image - HEAD - SC_CTX_REGS) / layout.threads;
  image[HEAD + thread * size] |= 0x80000000;
  uint32_t *regs = &image[HEAD + layout.threads * size];
  regs[(SC_REG_ERROR - SC_REG_BASE_LO) / 4] = 0x90000000 | thread;
  regs[(SC_REG_ERROR_SET - SC_REG_BASE_LO) / 4] = 1;
  regs[(SC_REG_ERROR_COUNT - SC_REG_BASE_LO) / 4] = 3;
  move(s, true, image, &n_image);
  access(s, false, true, SC_REG_THREAD, thread);
  if (!(access(s, false, false, SC_REG_DEPTH, 0) >> 31)) fail("a loaded fault is lost", thread);
  if (access(s, false, false, SC_REG_ERROR, 0) != (0x90000000 | thread)) fail("a loaded error is lost", thread);
}

static void compare_registers(void) {
  static const uint16_t addr[] = {SC_REG_STATUS, SC_REG_BASE_LO, SC_REG_STRIDE_LG, SC_REG_LIMIT, SC_REG_THREAD, SC_REG_DEPTH, SC_REG_ERROR,
                                  SC_REG_ERROR_SET, SC_REG_ERROR_COUNT, SC_REG_HALT_FLUSH, SC_REG_SPILL_OVER, SC_REG_SPILL_BURST, SC_REG_RESTORE_FREE};
  for (unsigned i = 0; i < sizeof addr / sizeof *addr - (layout.policy ? 0 : 3); i++) {
    uint32_t mask = addr[i] == SC_REG_STATUS ? 7 : ~0u; /* bit 3: accesses under way */
    uint32_t one = access(&a, false, false, addr[i], 0) & mask, two = access(&b, false, false, addr[i], 0) & mask;
    if (one != two) {
      printf("register 0x%03x: 0x%x, expected 0x%x\n", addr[i], two, one);
      fail("a register differs", two);
    }
  }
}

static void write_registers(void) {
  uint32_t limit = below(4) ? 0xffff : (uint32_t)below(layout.max_depth), thread = (uint32_t)below(layout.threads);
  struct side *const side[2] = {&a, &b};
  uint32_t flush = (uint32_t)below(2);
  uint32_t over = (uint32_t)below(layout.nsets + 1), bursts = 1 + (uint32_t)below(layout.nsets - 1), free = (uint32_t)below(layout.nsets + 1);
  for (unsigned k = 0; k < 2; k++) {
    access(side[k], false, true, SC_REG_LIMIT, limit);
    access(side[k], false, true, SC_REG_THREAD, thread);
    access(side[k], false, true, SC_REG_HALT_FLUSH, flush);
    if (!layout.policy) continue;
    access(side[k], false, true, SC_REG_SPILL_OVER, over);
    access(side[k], false, true, SC_REG_SPILL_BURST, bursts);
    access(side[k], false, true, SC_REG_RESTORE_FREE, free);
  }
}

/* All of them, at each side's own pace. */
static void operate(struct side *s, const struct op *list, uint64_t n) {
  for (uint64_t i = 0, waited = 0; i < n;) {
    begin(s, false);
    put_op(s->in, &list[i]);
    bool taken = takes(s, &list[i]);
    end(s);
    i += taken;
    waited = taken ? 0 : waited + 1;
    if (waited > HALTED_WITHIN) fail("an operation is not taken", s == &b);
  }
}

static void compare_answers(unsigned most) {
  static struct op list[MOST_RUN];
  while (switches < most) {
    uint64_t phase = simt_rng_next(&rng), n = below(MOST_RUN), first = below(n + 1);
    unsigned thread = (unsigned)below(layout.threads);
    for (uint64_t i = 0; i < n; i++) list[i] = choose_op(&rng, phase);
    if (!below(2)) write_registers();
    if (!below(8)) {
      make_faulty(&a, thread);
      make_faulty(&b, thread);
    }
    operate(&a, list, n);
    operate(&b, list, first);
    halt_unit(&b);
    switch_context(&b);
    operate(&b, list + first, n - first);
    idle(&a, false, 8);
    idle(&b, false, 8);
    if (a.answers != b.answers) fail("the answers differ", b.answers);
    compare_registers();
  }
}

/* ---- the same cycles ----------------------------------------------------------------------------------------------- */

/* What both get in a cycle. */
struct inputs { bool halt, op_valid, reg_valid, reg_write; struct op op; uint32_t reg_addr, reg_data; uint64_t mem; };

static void choose_inputs(struct inputs *x, uint64_t phase, bool offered) {
  static const uint16_t written[] = {SC_REG_LIMIT, SC_REG_SPILL_OVER, SC_REG_SPILL_BURST, SC_REG_RESTORE_FREE, SC_REG_THREAD, SC_REG_ERROR, SC_REG_CONTROL};
  static const uint16_t read[] = {SC_REG_STATUS, SC_REG_LIMIT, SC_REG_DEPTH, SC_REG_DEPTH, SC_REG_ERROR, SC_REG_ERROR_SET, SC_REG_ERROR_COUNT, SC_REG_CONTROL};
  static const struct simt_memory_rates rates[] = {{200, 100, 64, 60}, {60, 20, 64, 60}, {256, 256, 64, 0}, {200, 2, 64, 0}};
  x->halt = false;
  x->op = choose_op(&rng, phase);
  x->op_valid = below(8) != 0;
  x->mem = simt_memory_choose(&rng, &rates[phase >> 32 & 3]);
  if (offered) return;
  x->reg_valid = !below(32);
  x->reg_write = below(2);
  x->reg_addr = x->reg_write ? written[below(sizeof written / sizeof *written)] : read[below(sizeof read / sizeof *read)];
  x->reg_data = x->reg_addr == SC_REG_LIMIT && below(4) ? 0xffff : (uint32_t)below(layout.entries);
  if (x->reg_addr == SC_REG_CONTROL) x->reg_data = !below(4);
}

/* Whether the register access was taken. */
static bool both_sides(const struct inputs *x) {
  struct side *const side[2] = {&a, &b};
  bool taken = false;
  for (unsigned k = 0; k < 2; k++) {
    begin(side[k], x->halt);
    if (x->op_valid) put_op(side[k]->in, &x->op);
    if (x->reg_valid) put_register(side[k], x->reg_write, x->reg_addr, x->reg_data);
    taken = x->reg_valid && side[k]->out[at("reg_req_ready_o")];
  }
  for (size_t i = 0; i < cfg.desc.n_ports; i++) {
    const struct simt_port *p = &cfg.desc.ports[i];
    const struct simt_port *valid = p->valid[0] ? simt_find_port(&cfg, p->valid) : NULL;
    if (p->dir != SIMT_OUT || (valid && !a.out[valid->word]) || (!strcmp(p->name, "mem_req_data_o") && !a.out[at("mem_req_write_o")])) continue;
    for (unsigned w = 0; w < p->words; w++)
      if (a.out[p->word + w] != b.out[p->word + w]) {
        printf("%s: 0x%x, expected 0x%x\n", p->name, b.out[p->word + w], a.out[p->word + w]);
        fail("an output differs", p->word + w);
      }
  }
  for (unsigned k = 0; k < 2; k++) {
    stk_port_drive(&side[k]->port, x->mem, side[k]->in);
    const char *wrong = stk_port_observe(&side[k]->port, side[k]->in, side[k]->out);
    if (wrong) fail(wrong, k);
    cfg.block->model.step(side[k]->model, side[k]->in);
  }
  cycle++;
  return taken;
}

/* Many phases: which thread is hot, how it swings, how fast memory is. */
static void compare_cycles(unsigned most) {
  struct inputs x = {0};
  bool offered = false;
  access(&a, false, true, SC_REG_HALT_FLUSH, 0);
  access(&b, false, true, SC_REG_HALT_FLUSH, 0);
  while (switches < most) {
    uint64_t phase = simt_rng_next(&rng), cycles = below(2) ? below(24) : below(MOST_RUN);
    for (uint64_t c = 0; c < cycles || offered; c++) {
      choose_inputs(&x, phase, offered);
      if (c >= cycles) x.reg_valid = offered;
      offered = x.reg_valid && !both_sides(&x);
      if (!x.reg_valid) both_sides(&x);
    }
    x.reg_valid = false;
    for (unsigned i = 0; !is_halted(&b); i++) {
      choose_inputs(&x, phase, true);
      x.halt = true;
      both_sides(&x);
      if (i > HALTED_WITHIN) fail("not halted", 0);
    }
    const uint64_t from = cycle;
    idle(&a, true, 4 + 40 * layout.threads); /* a register access may be under way still */
    idle(&b, true, 4 + 40 * layout.threads);
    switch_context(&b);
    idle(&b, true, 4);
    idle(&a, true, (unsigned)(cycle - from - 2 * (4 + 40 * layout.threads)));
    b.port.cycle = a.port.cycle; /* the gaps of beats */
  }
}

/* ---- figures ------------------------------------------------------------------------------------------------------- */

enum { LATENCY = 200, IN_HAND = 40 };

/* A halt: cycles from the later of the request and the last answer of what was begun before to halted; and the sets
 * that its flush writes. */
struct halt { unsigned own, sets, of_one; bool in_hand; }; /* of_one: most sets of one thread; in_hand: a write may be of an event
                                                               that ends before the flush begins */

static unsigned turns(const struct halt *h) { return (h->of_one + layout.inflight - 1) / layout.inflight; }

/* SC-13: 16 cycles a set, beats on top, 8 a thread, memory's time as often as a thread must wait for it, 32. On top what is in hand
 * at the request: an access, or the look at a thread whose accesses of before an init end, 3 cycles for each of INFLIGHT. */
static unsigned longest_flush(const struct halt *h) {
  unsigned set = layout.beats > 1 ? 16 + 2 * layout.beats : 16;
  return set * h->sets + 8 * layout.threads + turns(h) * LATENCY + 32 + 3 * layout.inflight + h->in_hand * (LATENCY + IN_HAND);
}

static void fixed_step(void) {
  stk_port_drive(&a.port, 0, a.in);
  const char *wrong = stk_port_observe(&a.port, a.in, a.out);
  if (wrong) fail(wrong, 0);
  cfg.block->model.step(a.model, a.in);
  cycle++;
}

/* An event that is in hand ends first: a read, or what is asked for beside older accesses, is not the flush's. */
static struct halt measure_halt(uint64_t phase) {
  static unsigned of[1024];
  struct halt h = {0};
  memset(of, 0, sizeof of);
  uint64_t from = cycle + 1, last = from; /* from: the first cycle of halt_req */
  unsigned old = simt_memory_counts(a.port.memory).under_way;
  for (bool halted = false; !halted;) {
    begin(&a, true);
    struct op op = choose_op(&rng, phase);
    if (below(8)) put_op(a.in, &op);
    fixed_step();
    const struct simt_memory_event *asked = simt_memory_taken(a.port.memory), *answered = simt_memory_answered(a.port.memory);
    if (answered && old && !--old) last = cycle - 1;
    if (asked && (old || !asked->write)) old++;
    else if (asked) {
      h.in_hand |= cycle < from + IN_HAND;
      unsigned n = ++of[asked->tag >> layout.class_w];
      h.sets++;
      if (n > h.of_one) h.of_one = n;
    }
    begin(&a, true);
    halted = is_halted(&a);
    if (cycle > from + HALTED_WITHIN) fail("not halted", 0);
  }
  h.own = (unsigned)(cycle - last);
  return h;
}

static void print_figures(unsigned most) {
  struct halt longest = {0};
  unsigned sets = 0, own = 0;
  int near = -100000;
  simt_memory_fixed(a.port.memory, LATENCY);
  access(&a, false, true, SC_REG_HALT_FLUSH, 1);
  for (; switches < most; switches++) {
    uint64_t phase = simt_rng_next(&rng), cycles = below(16 * MOST_RUN);
    for (uint64_t i = 0; i < cycles + 8; i++) {
      begin(&a, false);
      struct op op = choose_op(&rng, phase + i / 256);
      if (i > 4) put_op(a.in, &op);
      fixed_step();
    }
    struct halt h = measure_halt(phase);
    int over = (int)h.own - (int)longest_flush(&h);
    if (over > near) near = over, longest = h;
    if (h.sets > sets) sets = h.sets;
    unsigned memory = (turns(&h) + h.in_hand) * LATENCY;
    if (h.own > memory && h.own - memory > own) own = h.own - memory;
    if (over > 0) fail("a halt takes longer than SC-13 says", h.own);
    if (h.own > memory + layout.flush_own) fail("a halt takes longer than FLUSH_OWN says", h.own);
  }
  printf("up to %u sets; %u cycles without memory at most, FLUSH_OWN %" PRIu64 "; nearest to SC-13: %u cycles for %u sets, %u of a thread, %d\n",
         sets, own, layout.flush_own, longest.own, longest.sets, longest.of_one, near);
}

/* Without a flush: cycles from the later of the request and the last answer to halted. */
static void print_quick(unsigned most) {
  static const struct simt_memory_rates rates[] = {{200, 100, 64, 60}, {60, 20, 64, 60}, {256, 256, 64, 0}, {256, 4, 64, 0}};
  unsigned longest = 0;
  access(&a, false, true, SC_REG_HALT_FLUSH, 0);
  for (; switches < most; switches++) {
    uint64_t phase = simt_rng_next(&rng), cycles = 6 + below(MOST_RUN), from = 0, own = 0;
    for (uint64_t i = 0; !from || !is_halted(&a); i++) {
      begin(&a, i >= cycles);
      struct op op = choose_op(&rng, phase + i / 256);
      if (i > 4 && below(8)) put_op(a.in, &op);
      stk_port_drive(&a.port, simt_memory_choose(&rng, &rates[phase >> 32 & 3]), a.in);
      const char *wrong = stk_port_observe(&a.port, a.in, a.out);
      if (wrong) fail(wrong, 0);
      cfg.block->model.step(a.model, a.in);
      cycle++;
      if (i == cycles) from = cycle;
      own = simt_memory_counts(a.port.memory).under_way || a.out[at("mem_req_valid_o")] ? 0 : own + 1;
      cfg.block->model.outputs(a.model, a.out);
      if (from && cycle > from + HALTED_WITHIN) fail("not halted", 0);
    }
    if (own > cycle - from) own = cycle - from;
    if (own > longest) longest = (unsigned)own;
    if (own > layout.halt_own) fail("a halt takes longer than HALT_OWN says", own);
    idle(&a, true, 2);
  }
  printf("%u cycles at most behind the request and the last answer, HALT_OWN %" PRIu64 "\n", longest, layout.halt_own);
}

/* ---- main --------------------------------------------------------------------------------------------------------- */

static void make(struct side *s) {
  struct simt_diag diag = {0};
  s->model = cfg.block->model.create(&cfg, &diag);
  s->in = calloc(cfg.desc.in_words, sizeof *s->in);
  s->out = calloc(cfg.desc.out_words, sizeof *s->out);
  if (!s->model || !s->in || !s->out || !stk_port_create(&s->port, &cfg, &diag)) exit(2);
}

static void unmake(struct side *s) {
  cfg.block->model.destroy(s->model);
  stk_port_destroy(&s->port);
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
  if (!strcmp(argv[3], "figures")) print_figures(most);
  else if (!strcmp(argv[3], "quick")) print_quick(most);
  else if (!strcmp(argv[3], "cycles")) compare_cycles(most);
  else compare_answers(most);
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
