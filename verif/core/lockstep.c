/* SPDX-License-Identifier: Apache-2.0 */
/* lockstep.c: the cycle loop: environment, golden model, C model and RTL side by side. */
#define _GNU_SOURCE /* sched_getaffinity */
#include "core/lockstep.h"

#include <inttypes.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { POLL_CYCLES = 4096, ENOUGH_CYCLES = 1 << 15, MEASURE_BYTES = 1 << 20, MEASURE_CYCLES = 20000 };
enum { SHORT_WORDS = 8, PART = 4 }; /* of the comparison */
/* Environment and model run ahead of the RTL in batches of so many cycles. A divisor of POLL_CYCLES.
 * In a thread of their own they are at most BATCHES batches ahead. */
enum { AHEAD = 256, BATCHES = 2 };
#define MEASURE_SECONDS 0.05

/* Neighbouring output words that one valid governs; short ones in parts of up to PART words. */
typedef uint32_t part_words __attribute__((vector_size(4 * PART)));
struct segment {
  unsigned valid;   /* its word in a cycle */
  unsigned first, n;
  part_words mask;  /* of a part: all ones for its words */
};

/* Cycles that environment and model have made, and what they said at the end of the last of these. */
struct lockstep_batch {
  uint32_t *cycles;     /* one behind the other */
  uint64_t n, operations;
  uint64_t *coverage;   /* the environment's counts */
  const char *wrong;    /* what the last cycle showed, or NULL */
  bool stuck, over;     /* then, too; no more choices */
  char message[240];    /* of stuck */
};

struct lockstep {
  const struct simt_config *cfg;
  const struct simt_verif *verif;
  const struct lockstep_rtl *rtl;
  struct simt_stimulus stim;
  void *env, *model;
  /* A cycle is inputs, outputs of the model, and a word that is 1. All from one allocation. */
  uint32_t *in, *out, *rtl_out; /* in, out: of the last cycle */
  size_t cycle_words;
  struct lockstep_batch batch[BATCHES];
  uint64_t *coverage;           /* room for the counts of all batches */
  struct segment *part, *segment; /* parts of the short segments; long segments */
  size_t n_parts, n_segments;
  int reset_word;               /* of rst_i, or -1 */
  void *scratch;                /* a choice that is not recorded */
  char rule[100];               /* of a bus, broken */
};

/* ---- life ------------------------------------------------------------------------------------ */

static unsigned valid_word(const struct lockstep *l, const char *name) {
  const struct simt_port *p = name[0] ? simt_find_port(l->cfg, name) : NULL;
  if (!p) return (unsigned)l->cycle_words - 1;
  return p->dir == SIMT_OUT ? l->cfg->desc.in_words + p->word : p->word;
}

static void add_parts(struct lockstep *l, const struct segment *s) {
  for (unsigned at = 0; at < s->n; at += PART) {
    struct segment *part = &l->part[l->n_parts++];
    *part = (struct segment){.valid = s->valid, .first = s->first + at};
    for (unsigned i = 0; i < PART; i++) part->mask[i] = at + i < s->n ? ~0u : 0;
  }
}

static void find_segments(struct lockstep *l) {
  struct segment *s = NULL;
  for (size_t i = 0; i < l->cfg->desc.n_ports; i++) {
    const struct simt_port *p = &l->cfg->desc.ports[i];
    if (p->role == SIMT_RESET) l->reset_word = (int)p->word;
    if (p->dir != SIMT_OUT) continue;
    unsigned valid = valid_word(l, p->valid);
    if (!s || s->valid != valid || s->first + s->n != p->word) {
      s = &l->segment[l->n_segments++];
      *s = (struct segment){.valid = valid, .first = p->word};
    }
    s->n += p->words;
  }
  size_t all = l->n_segments;
  l->n_segments = 0;
  for (size_t i = 0; i < all; i++) {
    if (l->segment[i].n <= SHORT_WORDS) add_parts(l, &l->segment[i]);
    else l->segment[l->n_segments++] = l->segment[i];
  }
}

struct lockstep *lockstep_create(const struct simt_config *cfg, const struct simt_verif *verif,
                                 const struct simt_stimulus *stim, const struct lockstep_rtl *rtl,
                                 struct simt_diag *diag) {
  struct lockstep *l = calloc(1, sizeof *l);
  const struct simt_desc *d = &cfg->desc;
  if (l) {
    *l = (struct lockstep){.cfg = cfg, .verif = verif, .rtl = rtl, .stim = *stim, .reset_word = -1};
    l->cycle_words = d->in_words + (size_t)d->out_words + 1;
    /* a part may reach beyond the last word */
    l->in = calloc((1 + BATCHES * AHEAD) * l->cycle_words + d->out_words + PART, sizeof *l->in);
    l->coverage = calloc(BATCHES * d->n_covers + 1, sizeof *l->coverage);
    l->segment = calloc(d->n_ports + 1, sizeof *l->segment);
    size_t most = d->n_ports * (SHORT_WORDS / PART) + 1;
    l->part = aligned_alloc(sizeof(part_words), most * sizeof *l->part);
    l->scratch = calloc(1, verif->choice_size);
    if (l->in && l->coverage && l->segment && l->part && l->scratch) {
      l->out = l->in + d->in_words;
      l->rtl_out = l->in + (1 + BATCHES * AHEAD) * l->cycle_words;
      for (size_t i = 0; i < BATCHES; i++)
        l->batch[i] = (struct lockstep_batch){.cycles = l->in + (1 + i * AHEAD) * l->cycle_words,
                                     .coverage = l->coverage + i * d->n_covers};
      find_segments(l);
      l->env = verif->create(cfg, stim, diag);
      l->model = l->env ? simt_model(cfg)->create(cfg, diag) : NULL;
      if (l->model) return l;
    }
    lockstep_destroy(l);
  }
  simt_fail(diag, cfg->name, "no memory", "memory for the run");
  return NULL;
}

void lockstep_destroy(struct lockstep *l) {
  if (!l) return;
  if (l->model) simt_model(l->cfg)->destroy(l->model);
  if (l->env) l->verif->destroy(l->env);
  free(l->in);
  free(l->coverage);
  free(l->segment);
  free(l->part);
  free(l->scratch);
  free(l);
}

const void *lockstep_env(const struct lockstep *l) { return l->env; }

bool lockstep_tape_init(struct lockstep_tape *t, const struct simt_verif *verif, size_t max_bytes) {
  *t = (struct lockstep_tape){.size = verif->choice_size, .room = 1};
  while (2 * t->room * t->size <= max_bytes) t->room *= 2; /* a power of two: one mask per cycle */
  t->records = malloc(t->room * t->size);
  return t->records;
}

void lockstep_tape_free(struct lockstep_tape *t) {
  free(t->records);
  *t = (struct lockstep_tape){0};
}

/* From a ring that `written` records went through to a list of those before `total`, oldest
 * first. */
static void unroll(struct lockstep_tape *t, uint64_t total, uint64_t written) {
  t->dropped = written < t->room ? 0 : written - t->room;
  if (t->dropped > total) t->dropped = total;
  t->n = (size_t)(total - t->dropped);
  size_t first = (size_t)(t->dropped & (t->room - 1)) * t->size, all = t->room * t->size;
  unsigned char *old = first ? malloc(first) : NULL;
  if (!first) return;
  if (!old) {
    t->n = 0; /* no tape, no shrinking */
    return;
  }
  memcpy(old, t->records, first);
  memmove(t->records, t->records + first, all - first);
  memcpy(t->records + all - first, old, first);
  free(old);
}

/* ---- comparison ------------------------------------------------------------------------------ */

static inline part_words load_part(const uint32_t *from) {
  part_words to;
  memcpy(&to, from, sizeof to);
  return to;
}

/* Short payloads are compared without a branch on their valid, which no processor can predict. */
static bool differs(const struct lockstep *l, const uint32_t *cycle) {
  const uint32_t *out = cycle + l->cfg->desc.in_words, *rtl = l->rtl_out;
  part_words any = {0};
  for (const struct segment *s = l->part, *end = s + l->n_parts; s < end; s++) {
    uint32_t valid = cycle[s->valid] ? ~0u : 0;
    part_words differ = load_part(out + s->first) ^ load_part(rtl + s->first);
    any |= differ & s->mask & (valid - (part_words){0});
  }
  uint32_t some = any[0] | any[1] | any[2] | any[3];
  for (const struct segment *s = l->segment, *end = s + l->n_segments; s < end; s++) {
    if (!cycle[s->valid]) continue;
    for (unsigned i = s->first; i < s->first + s->n; i++) some |= out[i] ^ rtl[i];
  }
  return some;
}

static const struct simt_port *first_difference(const struct lockstep *l) {
  for (size_t i = 0; i < l->cfg->desc.n_ports; i++) {
    const struct simt_port *p = &l->cfg->desc.ports[i];
    if (p->dir != SIMT_OUT) continue;
    if (!l->in[valid_word(l, p->valid)]) continue;
    if (memcmp(&l->out[p->word], &l->rtl_out[p->word], 4 * (size_t)p->words)) return p;
  }
  return NULL;
}

/* ---- what waits ------------------------------------------------------------------------------ */

/* Names the streams that are offered and not taken: NAME_valid_x is 1 and NAME_ready_y is 0. */
static void name_waiting(const struct lockstep *l, char *to, size_t room) {
  const char *between = "; offered and not taken: ";
  for (size_t i = 0; i < l->cfg->desc.n_ports; i++) {
    const struct simt_port *v = &l->cfg->desc.ports[i];
    size_t len = strlen(v->name);
    if (len < 9 || strncmp(v->name + len - 8, "_valid_", 7)) continue;
    char ready[SIMT_NAME_MAX + 8];
    snprintf(ready, sizeof ready, "%.*s_ready_%c", (int)len - 8, v->name,
             v->dir == SIMT_IN ? 'o' : 'i');
    const struct simt_port *r = simt_find_port(l->cfg, ready);
    if (!r) continue;
    const uint32_t *from = v->dir == SIMT_IN ? l->in : l->out,
                   *back = v->dir == SIMT_IN ? l->out : l->in;
    if (!from[v->word] || back[r->word]) continue;
    size_t used = strlen(to);
    snprintf(to + used, room - used, "%s%.*s", between, (int)len - 8, v->name);
    between = ", ";
  }
}

/* ---- the loop -------------------------------------------------------------------------------- */

/* Processor time: what else runs on the machine does not count. */
static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* One cycle of reset for the RTL, which the comparison does not look at: it begins in the state
 * after it. */
static void *start(struct lockstep *l) {
  const struct simt_desc *d = &l->cfg->desc;
  memset(l->in, 0, 4 * l->cycle_words);
  memset(l->rtl_out, 0, 4 * d->out_words);
  l->in[l->cycle_words - 1] = 1;
  simt_model(l->cfg)->reset(l->model);
  l->verif->restart(l->env);
  if (!l->rtl) return NULL;
  void *rtl = l->rtl->create(l->stim.seed);
  if (l->reset_word >= 0) {
    l->in[l->reset_word] = 1;
    l->rtl->cycle(rtl, l->in, l->rtl_out);
    l->in[l->reset_word] = 0;
  }
  return rtl;
}

struct loop { /* state of one run that is looked at now and then */
  void *rtl;
  uint64_t next_question;
  uint64_t next_poll;
  struct lockstep_batch *last;  /* compared last */
  double alone;        /* seconds of the thread of environment and model */
  /* of environment and model: */
  uint64_t cycle, next_look, look_every, last_progress,
      since;           /* cycle of the last progress */
};

/* Looks whether anything happens, a sixteenth of the block's limit apart. */
static bool look_stuck(struct lockstep *l, struct loop *loop, struct lockstep_batch *b) {
  bool busy = false;
  uint64_t done = l->verif->progress(l->env, &busy);
  loop->next_look = loop->cycle + loop->look_every;
  if (done != loop->last_progress || !busy) {
    loop->last_progress = done;
    loop->since = loop->cycle;
    return false;
  }
  if (loop->cycle - loop->since < l->verif->stuck_cycles) return false;
  char inputs[100] = "";
  l->verif->explain(l->env, l->in, inputs, sizeof inputs);
  snprintf(b->message, sizeof b->message,
           "no operation ended in %" PRIu64 " cycles while work waits (%s)",
           loop->cycle - loop->since, inputs);
  name_waiting(l, b->message, sizeof b->message);
  return true;
}

static bool fail_golden(struct lockstep_result *r, const char *wrong) {
  snprintf(r->message, sizeof r->message, "%s", wrong ? wrong : "");
  return true;
}

/* True when the cycle in l->in ends the run. */
static bool judge(struct lockstep *l, struct lockstep_result *r, bool mismatch,
                  const char *wrong) {
  if (mismatch) r->port = first_difference(l);
  if (r->port) {
    r->end = LOCKSTEP_MISMATCH;
    return fail_golden(r, wrong);
  }
  if (!wrong) return false;
  r->end = LOCKSTEP_GOLDEN;
  return fail_golden(r, wrong);
}

/* True when the run is to stop. */
static bool poll(const struct lockstep_plan *plan, struct loop *loop, struct lockstep_result *r) {
  loop->next_poll = r->cycles + POLL_CYCLES;
  if (plan->progress) plan->progress(r->cycles);
  if (!plan->stop || !*plan->stop) return false;
  r->end = LOCKSTEP_STOPPED;
  return true;
}

/* The choice of this cycle, NULL when there are no more. */
static const void *next_choice(struct lockstep *l, const struct lockstep_plan *plan,
                               uint64_t cycle) {
  const struct lockstep_tape *from = plan->replay;
  struct lockstep_tape *to = plan->record;
  if (from) return cycle < from->n ? from->records + cycle * from->size : NULL;
  void *choice = to ? to->records + (cycle & (to->room - 1)) * to->size : l->scratch;
  return l->verif->choose(l->env, choice) ? choice : NULL;
}

/* What the checkers of the buses at the pins of the RTL say, if nothing else is wrong. */
static const char *broken_rule(struct lockstep *l, void *rtl, const char *wrong) {
  const char *rule = wrong ? NULL : l->rtl->violation(rtl);
  if (!rule) return wrong;
  snprintf(l->rule, sizeof l->rule, "bus rule: %s", rule);
  return l->rule;
}

/* Environment and model, up to n cycles ahead: they never look at the RTL. Ends with the cycle in which
 * something is wrong. */
static void run_ahead(struct lockstep *l, const struct lockstep_plan *plan, struct loop *loop,
                      struct lockstep_batch *b, uint64_t n) {
  const struct simt_verif *v = l->verif;
  const struct simt_model_ops *ops = simt_model(l->cfg);
  uint32_t *to = b->cycles;
  bool busy;
  b->wrong = NULL;
  b->stuck = b->over = false;
  for (b->n = 0; b->n < n && !b->wrong && !b->stuck; b->n++) {
    ops->outputs(l->model, l->out);
    const void *choice = next_choice(l, plan, loop->cycle);
    b->over = !choice;
    if (b->over) break;
    v->drive(l->env, choice, l->out, l->in);
    b->wrong = v->observe(l->env, l->in, l->out);
    memcpy(to, l->in, 4 * l->cycle_words);
    to += l->cycle_words;
    loop->cycle++;
    if (!b->wrong && loop->cycle >= loop->next_look) b->stuck = look_stuck(l, loop, b);
    ops->step(l->model, l->in);
  }
  b->operations = v->progress(l->env, &busy);
  if (l->cfg->desc.n_covers)
    memcpy(b->coverage, v->coverage(l->env), l->cfg->desc.n_covers * sizeof *b->coverage);
}

/* ---- a thread for environment and model ------------------------------------------------------- */

/* It fills the batches in turn while the caller's thread plays them to the RTL and compares. */
struct ahead {
  struct lockstep *l;
  const struct lockstep_plan *plan;
  struct loop *loop;
  pthread_t thread;
  pthread_mutex_t lock;
  pthread_cond_t changed;
  unsigned made, used; /* batches so far */
  bool ended;          /* nobody wants another batch */
};

static bool is_last(const struct lockstep_batch *b) { return b->wrong || b->stuck || b->over; }

static void *make_batches(void *ctx) {
  struct ahead *a = ctx;
  const double begin = now();
  uint64_t left = a->plan->cycles;
  pthread_mutex_lock(&a->lock);
  while (left) {
    while (!a->ended && a->made - a->used == BATCHES) pthread_cond_wait(&a->changed, &a->lock);
    if (a->ended) break;
    struct lockstep_batch *b = &a->l->batch[a->made % BATCHES];
    pthread_mutex_unlock(&a->lock);
    run_ahead(a->l, a->plan, a->loop, b, left < AHEAD ? left : AHEAD);
    left = is_last(b) ? 0 : left - b->n;
    pthread_mutex_lock(&a->lock);
    a->made++;
    pthread_cond_signal(&a->changed);
  }
  a->loop->alone = now() - begin;
  pthread_mutex_unlock(&a->lock);
  return NULL;
}

/* A run of fewer cycles is over before a thread has begun. */
static bool is_worth_a_thread(const struct lockstep *l, const struct lockstep_plan *plan) {
  cpu_set_t processors;
  return plan->two_threads && l->rtl && !plan->watch && plan->cycles > 4 * AHEAD &&
         !sched_getaffinity(0, sizeof processors, &processors) && CPU_COUNT(&processors) > 1;
}

/* False: there is no thread, and the caller does all by itself. */
static bool begin_ahead(struct ahead *a, struct lockstep *l, const struct lockstep_plan *plan, struct loop *loop) {
  if (!is_worth_a_thread(l, plan)) return false;
  *a = (struct ahead){.l = l, .plan = plan, .loop = loop, .lock = PTHREAD_MUTEX_INITIALIZER,
                      .changed = PTHREAD_COND_INITIALIZER};
  return !pthread_create(&a->thread, NULL, make_batches, a);
}

static struct lockstep_batch *next_batch(struct ahead *a) {
  pthread_mutex_lock(&a->lock);
  while (a->made == a->used) pthread_cond_wait(&a->changed, &a->lock);
  pthread_mutex_unlock(&a->lock);
  return &a->l->batch[a->used % BATCHES];
}

static void give_back(struct ahead *a) {
  pthread_mutex_lock(&a->lock);
  a->used++;
  pthread_cond_signal(&a->changed);
  pthread_mutex_unlock(&a->lock);
}

/* From here on environment and model are the caller's. */
static void end_ahead(struct ahead *a) {
  pthread_mutex_lock(&a->lock);
  a->ended = true;
  pthread_cond_signal(&a->changed);
  pthread_mutex_unlock(&a->lock);
  pthread_join(a->thread, NULL);
  pthread_cond_destroy(&a->changed);
  pthread_mutex_destroy(&a->lock);
}

/* ---- the run ----------------------------------------------------------------------------------- */

/* The first cycle of a batch that ends the run, or the number of its cycles. */
static uint64_t catch_up(struct lockstep *l, const struct lockstep_plan *plan, void *rtl,
                         struct lockstep_result *r, const struct lockstep_batch *b, const char **wrong, bool *mismatch) {
  const uint32_t *cycle = b->cycles;
  for (uint64_t i = 0; i < b->n; i++, cycle += l->cycle_words) {
    *wrong = i + 1 == b->n ? b->wrong : NULL;
    if (l->rtl) {
      l->rtl->cycle(rtl, cycle, l->rtl_out);
      if (l->rtl->violation) *wrong = broken_rule(l, rtl, *wrong);
      *mismatch = differs(l, cycle);
    }
    if (plan->watch)
      plan->watch(plan->ctx, r->cycles, cycle, cycle + l->cfg->desc.in_words, l->rtl ? l->rtl_out : NULL);
    r->cycles++;
    if (*mismatch || *wrong) return i;
  }
  return b->n;
}

/* Asked more and more seldom, as the answer may take a look at every line of the RTL. */
static bool is_enough(const struct lockstep *l, const struct lockstep_plan *plan, struct loop *loop,
                      const struct lockstep_result *r, const struct lockstep_batch *b) {
  if (!plan->enough || r->cycles < loop->next_question) return false;
  loop->next_question = r->cycles + (r->cycles / 8 > ENOUGH_CYCLES ? r->cycles / 8 : ENOUGH_CYCLES);
  return r->cycles >= ENOUGH_CYCLES && plan->enough(plan->ctx, b->coverage, l->rtl, loop->rtl);
}

/* The run, batch by batch. Who watches sees the environment in the cycle that is shown. */
static void run_cycles(struct lockstep *l, const struct lockstep_plan *plan, struct loop *loop,
                       struct lockstep_result *r) {
  const unsigned most = plan->watch ? 1 : AHEAD;
  const char *wrong = NULL;
  bool mismatch = false;
  uint64_t at = 0;
  struct lockstep_batch *b = NULL;
  struct ahead ahead;
  const bool two_threads = begin_ahead(&ahead, l, plan, loop);
  while (r->cycles < plan->cycles && !(b && (at < b->n || is_last(b)))) {
    if (r->cycles >= loop->next_poll && poll(plan, loop, r)) break;
    if (b && is_enough(l, plan, loop, r, b)) break;
    if (two_threads && b) give_back(&ahead);
    const uint64_t left = plan->cycles - r->cycles;
    b = two_threads ? next_batch(&ahead) : &l->batch[0];
    if (!two_threads) run_ahead(l, plan, loop, b, left < most ? left : most);
    at = catch_up(l, plan, loop->rtl, r, b, &wrong, &mismatch);
  }
  if (two_threads) end_ahead(&ahead);
  loop->last = b;
  if (!b || r->end == LOCKSTEP_STOPPED) return;
  if (at < b->n) {
    memcpy(l->in, b->cycles + at * l->cycle_words, 4 * l->cycle_words);
    judge(l, r, mismatch, wrong);
  } else if (b->stuck) {
    r->end = LOCKSTEP_STUCK;
    memcpy(r->message, b->message, sizeof r->message);
  }
}

/* Of the choices recorded, those that every run still has: environment and model may be at the end of the
 * batches that follow the one compared last. */
static void keep_choices(const struct loop *loop, struct lockstep_tape *t, uint64_t cycles) {
  const uint64_t most = (cycles + AHEAD - 1) / AHEAD * AHEAD + (BATCHES - 1) * AHEAD;
  unroll(t, cycles, loop->last && is_last(loop->last) && cycles == loop->cycle ? cycles : most);
}

double lockstep_seconds(const struct lockstep_result *r) {
  return r->seconds > r->environment_seconds ? r->seconds : r->environment_seconds;
}

struct lockstep_result lockstep_run(struct lockstep *l, const struct lockstep_plan *plan) {
  struct lockstep_result r = {.end = LOCKSTEP_PASS, .rtl_value = l->rtl_out, .model_value = l->out};
  struct loop loop = {.rtl = start(l), .look_every = l->verif->stuck_cycles / 16 + 1};
  bool busy;
  loop.last_progress = l->verif->progress(l->env, &busy);
  loop.next_look = loop.look_every;

  double begin = now();
  run_cycles(l, plan, &loop, &r);
  r.seconds = now() - begin;
  r.environment_seconds = loop.alone;

  if (plan->record) keep_choices(&loop, plan->record, r.cycles);
  r.operations = loop.last ? loop.last->operations : loop.last_progress;
  r.coverage = loop.last ? loop.last->coverage : l->verif->coverage(l->env);
  if (r.port) {
    r.rtl_value += r.port->word;
    r.model_value += r.port->word;
  }
  if (l->rtl) {
    if (plan->coverage_file) l->rtl->coverage(loop.rtl, plan->coverage_file);
    l->rtl->destroy(loop.rtl);
  }
  return r;
}

/* ---- speed of each side alone ---------------------------------------------------------------- */

enum { ROUNDS = 5 }; /* of the three sides in turn: what is quoted is the median */

struct inputs { uint32_t *words; size_t width; uint64_t n; };

static void keep_inputs(void *ctx, uint64_t cycle, const uint32_t *in, const uint32_t *model,
                        const uint32_t *rtl) {
  (void)model, (void)rtl;
  struct inputs *i = ctx;
  memcpy(&i->words[cycle * i->width], in, 4 * i->width);
  i->n = cycle + 1;
}

/* Each pass over the recorded inputs begins with a cycle of reset, so that they always make
 * sense. */
static double measure(struct lockstep *l, const struct inputs *inputs, void *rtl) {
  const struct simt_model_ops *ops = simt_model(l->cfg);
  uint64_t cycles = 0;
  double begin = now(), seconds;
  do {
    for (uint64_t c = 0; c <= inputs->n; c++) {
      const uint32_t *in = c ? &inputs->words[(c - 1) * inputs->width] : l->in;
      if (rtl) {
        l->rtl->cycle(rtl, in, l->rtl_out);
      } else {
        ops->outputs(l->model, l->out);
        ops->step(l->model, in);
      }
    }
    cycles += inputs->n + 1;
    seconds = now() - begin;
  } while (seconds < MEASURE_SECONDS);
  return (double)cycles / seconds;
}

static double measure_lockstep(struct lockstep *l, uint64_t cycles, bool two_threads) {
  double all = 0, seconds = 0;
  do {
    struct lockstep_result r = lockstep_run(l, &(struct lockstep_plan){.cycles = cycles, .two_threads = two_threads});
    all += (double)r.cycles;
    seconds += lockstep_seconds(&r);
  } while (seconds < MEASURE_SECONDS && all > 0);
  return all / seconds;
}

static int compare(const void *a, const void *b) {
  const double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

static double median(double v[ROUNDS]) {
  qsort(v, ROUNDS, sizeof *v, compare);
  return v[ROUNDS / 2];
}

struct lockstep_speed lockstep_measure(struct lockstep *l, bool two_threads) {
  struct inputs inputs = {.width = l->cfg->desc.in_words};
  uint64_t cycles = MEASURE_BYTES / (4 * inputs.width);
  if (cycles > MEASURE_CYCLES) cycles = MEASURE_CYCLES;
  inputs.words = malloc((size_t)(cycles * inputs.width * 4));
  if (!inputs.words || l->reset_word < 0 || !l->rtl) {
    free(inputs.words);
    return (struct lockstep_speed){0};
  }
  lockstep_run(l, &(struct lockstep_plan){.cycles = cycles, .watch = keep_inputs, .ctx = &inputs});
  double lockstep[ROUNDS], rtl[ROUNDS], model[ROUNDS], lockstep_rtl[ROUNDS], model_rtl[ROUNDS];
  for (unsigned i = 0; i < ROUNDS; i++) {
    lockstep[i] = measure_lockstep(l, inputs.n, two_threads);
    void *alone = start(l);
    memset(l->in, 0, 4 * inputs.width);
    l->in[l->reset_word] = 1;
    model[i] = measure(l, &inputs, NULL);
    rtl[i] = measure(l, &inputs, alone);
    l->rtl->destroy(alone);
    lockstep_rtl[i] = lockstep[i] / rtl[i];
    model_rtl[i] = model[i] / rtl[i];
  }
  free(inputs.words);
  return (struct lockstep_speed){median(lockstep), median(rtl), median(model), median(lockstep_rtl), median(model_rtl)};
}
