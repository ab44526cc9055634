/* SPDX-License-Identifier: Apache-2.0 */
/* switch_test.c: US-13, of two models side by side in one environment: both are halted and released in the same cycles,
 * and between the two the context of one is saved, the unit reset, other work run (in an environment of its own, switched
 * in and out as well), and the context loaded again. The other is saved, to the same words; with a stack of its own, of which a
 * load leaves nothing on chip, it is loaded too, without anything in between. From release on every output of the two is equal in
 * every cycle, and both environments find nothing wrong: lane by lane, each program goes on where it was.
 *   switch_test BLOCK SWITCHES SEED [NAME=VALUE]... */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "branch_unit/env.h"

enum { HALTED_WITHIN = 100000, MOST_RUN = 400, SETTLE = 12, STANDS = 200 };

struct side { void *model; uint32_t *in, *out; };

static struct simt_config cfg;
static const struct simt_verif *verif;
static struct simt_status_ports status;
static struct simt_context_ports ctx;
static struct side a, b;
static struct bu_env *work, *other;
static struct simt_rng rng;
static uint32_t *image, *own, *foreign; /* contexts: of the work, the same of the one that is not switched, of what runs between */
static unsigned n_image, n_own, n_foreign, switches, code;
static uint64_t cycle, results;
static const char *doing = "";

static void fail(const char *what, uint64_t value) {
  printf("cycle %" PRIu64 ", switch %u%s: %s (0x%" PRIx64 ")\n", cycle, switches, doing, what, value);
  exit(1);
}

static bool is_halted(const struct side *s) { return s->out[status.state] == code; }

static void step(struct side *s) { simt_model(&cfg)->step(s->model, s->in); }

/* The environment chooses and checks what is not of the front end; that is here. */
static void drive(struct bu_env *e, struct side *s, bool halt) {
  struct bu_choice choice;
  simt_model(&cfg)->outputs(s->model, s->out);
  verif->choose(e, &choice);
  choice.order = SIMT_NO_ORDER;
  choice.flags &= (uint16_t)~BU_RESET;
  if (halt || choice.reg_addr == BU_STACK_CONTROL) choice.flags &= (uint16_t)~BU_DO_REG; /* behind a flush, waits differ */
  if (halt) choice.flags &= (uint16_t)~BU_FAULT_AFTER;
  verif->drive(e, &choice, s->out, s->in);
  s->in[status.halt] = halt;
  s->in[ctx.unit] = 7;
  const char *wrong = verif->observe(e, s->in, s->out);
  if (wrong) fail(wrong, halt);
  cycle++;
}

/* ---- the front end of the one that is switched ----------------------------------------------------------------- */

static void quiet(struct side *s, uint32_t halt) {
  simt_model(&cfg)->outputs(s->model, s->out);
  memset(s->in, 0, cfg.desc.in_words * sizeof *s->in);
  s->in[status.halt] = halt;
  s->in[ctx.unit] = 7;
}

static void wait_halted(struct side *s) {
  for (unsigned i = 0;; i++) {
    quiet(s, 1);
    bool halted = is_halted(s);
    step(s);
    if (halted) return;
    if (i > HALTED_WITHIN) fail("not halted", s->out[status.state]);
  }
}

static void reset_unit(void) {
  quiet(&b, 1);
  b.in[status.reset] = 1;
  step(&b);
  quiet(&b, 1);
  step(&b);
  wait_halted(&b);
}

static void move(struct side *s, bool load, uint32_t *words, unsigned *n) {
  unsigned i = 0;
  bool offered = true, shown = false;
  for (uint64_t waited = 0;; waited++) {
    uint64_t r = simt_rng_next(&rng);
    quiet(s, 1);
    s->in[ctx.cmd_valid] = offered;
    s->in[ctx.cmd_load] = load;
    s->in[ctx.out_ready] = (r & 7) != 0;
    shown = !offered && load && i < *n && (shown || (r >> 8 & 7));
    s->in[ctx.in_valid] = shown;
    s->in[ctx.in_data] = shown ? words[i] : 0;
    s->in[ctx.in_last] = i + 1 == *n;
    if (s->out[ctx.out_valid] && s->in[ctx.out_ready]) words[i++] = s->out[ctx.out_data];
    if (shown && s->out[ctx.in_ready]) i++, shown = false;
    if (s->out[ctx.cmd_ready]) offered = false;
    bool done = s->out[ctx.done];
    if (done && s->out[ctx.error]) fail(load ? "a load fails" : "a save fails", s->out[ctx.error]);
    step(s);
    if (done) break;
    if (waited > HALTED_WITHIN) fail("a context does not end", i);
  }
  *n = i;
}

/* Runs until halted, and until a register access that is under way has its answer. */
static void halt_alone(struct bu_env *e) {
  for (unsigned i = 0, more = SETTLE; more; i++) {
    drive(e, &b, true);
    step(&b);
    if (is_halted(&b)) more--;
    if (i > HALTED_WITHIN) fail("not halted", b.out[status.state]);
  }
}

/* The one that is not switched is halted as long; what a late register write makes the stack do ends in its first cycles. */
static void stand(void) {
  move(&a, false, own, &n_own);
  for (unsigned i = 0; i < n_own || i < n_image; i++)
    if (n_own != n_image || own[i] != image[i]) fail("a saved word differs", i);
  if (work->memory) move(&a, true, own, &n_own);
  for (unsigned i = 0; i < STANDS; i++) {
    quiet(&a, 1);
    step(&a);
  }
}

static void switch_contexts(void) {
  uint64_t r = simt_rng_next(&rng), cycles = simt_rng_below(&rng, MOST_RUN);
  doing = ", other work";
  move(&b, false, image, &n_image);
  if (r & 3) { /* else saved only, and loaded where it was */
    reset_unit();
    move(&b, true, foreign, &n_foreign);
    other->front.shell.state = SIMT_HALTED; /* as it finds the unit */
    other->front.shell.halt_req = other->front.shell.was_halt = true;
    for (uint64_t i = 0; i < cycles; i++) {
      drive(other, &b, false);
      step(&b);
    }
    halt_alone(other);
    move(&b, false, foreign, &n_foreign);
    if (r >> 10 & 3) reset_unit();
  }
  move(&b, true, image, &n_image);
  stand();
  doing = "";
  switches++;
}

/* ---- every output in every cycle --------------------------------------------------------------------------------- */

static void compare(void) {
  for (size_t i = 0; i < cfg.desc.n_ports; i++) {
    const struct simt_port *p = &cfg.desc.ports[i], *v = p->valid[0] ? simt_find_port(&cfg, p->valid) : NULL;
    if (p->dir != SIMT_OUT || !strcmp(p->group, "context")) continue;
    if (v && !(v->dir == SIMT_OUT ? a.out : a.in)[v->word]) continue;
    if (memcmp(&a.out[p->word], &b.out[p->word], p->words * sizeof *a.out)) fail(p->name, b.out[p->word]);
  }
}

static void same(bool halt) {
  drive(work, &a, halt);
  simt_model(&cfg)->outputs(b.model, b.out);
  compare();
  results += a.out[work->at.res];
  memcpy(b.in, a.in, cfg.desc.in_words * sizeof *a.in);
  step(&a);
  step(&b);
}

static void run(unsigned most) {
  wait_halted(&b);
  move(&b, false, foreign, &n_foreign); /* as after rst_i */
  simt_model(&cfg)->reset(b.model);
  while (switches < most) {
    uint64_t cycles = simt_rng_below(&rng, MOST_RUN);
    for (uint64_t i = 0; i < cycles; i++) same(false);
    for (unsigned i = 0, more = SETTLE; more; i++) {
      same(true);
      if (is_halted(&a)) more--;
      if (i > HALTED_WITHIN) fail("not halted", a.out[status.state]);
    }
    switch_contexts();
    for (unsigned i = 0; i < SETTLE; i++) same(true);
  }
}

/* ---- life ------------------------------------------------------------------------------------------------------------ */

static void make(struct side *s) {
  struct simt_diag diag = {0};
  s->model = simt_model(&cfg)->create(&cfg, &diag);
  s->in = calloc(cfg.desc.in_words, sizeof *s->in);
  s->out = calloc(cfg.desc.out_words, sizeof *s->out);
  if (!s->model || !s->in || !s->out) fail("no memory", 0);
  simt_model(&cfg)->reset(s->model);
}

static void drop(struct side *s) {
  simt_model(&cfg)->destroy(s->model);
  free(s->in);
  free(s->out);
}

static struct bu_env *environment(uint64_t seed) {
  struct simt_diag diag = {0};
  struct simt_stimulus stim = {.kind = "random", .cycles = 4 * MOST_RUN, .seed = seed}; /* all profiles in turn */
  struct bu_env *e = verif->create(&cfg, &stim, &diag);
  if (!e) fail(diag.expected, 0);
  return e;
}

int main(int argc, char **argv) {
  struct simt_diag diag = {0};
  if (argc < 4) return 2;
  verif = simt_find_verif(simt_find_block(argv[1]));
  simt_config_init(&cfg, verif->block);
  for (int i = 4; i < argc; i++) {
    char *value = strchr(argv[i], '=');
    if (value) *value = 0;
    if (!value || !simt_set_param(&cfg, argv[i], value + 1, &diag)) break;
  }
  if (diag.failed || !simt_resolve(&cfg, &diag)) {
    printf("%s: got %s, expected %s\n", diag.name, diag.got, diag.expected);
    return 2;
  }
  status = simt_find_status_ports(&cfg);
  ctx = simt_find_context_ports(&cfg);
  code = simt_status_code(SIMT_HALTED, (enum simt_status_encoding)(simt_param(&cfg, "STATUS") - 1));
  uint64_t seed = strtoull(argv[3], NULL, 10), room = simt_derived(&cfg, "CTX_MAX") + 8;
  simt_rng_seed(&rng, seed);
  make(&a);
  make(&b);
  work = environment(2 * seed);
  other = environment(2 * seed + 1);
  image = calloc(room, sizeof *image);
  own = calloc(room, sizeof *own);
  foreign = calloc(room, sizeof *foreign);
  run((unsigned)strtoul(argv[2], NULL, 10));
  printf("%u switches, %" PRIu64 " cycles, %" PRIu64 " results\n", switches, cycle, results);
  drop(&a);
  drop(&b);
  verif->destroy(work);
  verif->destroy(other);
  free(image);
  free(own);
  free(foreign);
  simt_config_free(&cfg);
  return 0;
}
