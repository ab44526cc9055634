/* SPDX-License-Identifier: Apache-2.0 */
/* litmus_test.c: litmus_test FILE RUNS SEED [NAME=VALUE]...: runs a litmus test on the C model of atomic_system with random timings,
 * counts outcomes, and fails when a forbidden one is seen or one that should be seen is not.
 *
 * A file holds `thread`s of: `store VARIABLE VALUE`, `load VARIABLE REGISTER`, `add VARIABLE NUMBER REGISTER|strict|relaxed`, `fence`, `wait`
 * (until all of the thread is answered), `until VARIABLE REGISTER` (loads until they are equal); a VALUE is a number or REGISTER+NUMBER.
 * Variables are 0 before. Then: `forbidden` or `seen` REGISTER=NUMBER..., and `final VARIABLE=NUMBER`. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "atomic_system/env.h"

enum { MAX_THREADS = 8, MAX_OPS = 16, REGISTERS = 16, VARIABLES = 8, CONDITIONS = 8, OUTCOMES = 256, POOL = 24, TIDS = 64, BYTES = POOL * 64, PATIENCE = 100000,
       ACCESSES = 32 /* of memory under way, more than MEM_SLOTS lines have */ };
enum op_kind { STORE, LOAD, ADD, FENCE, WAIT, UNTIL, FLUSH /* of the setting up */ };
struct op { enum op_kind kind; unsigned variable, mode; int reg; uint64_t number; };
struct condition { enum { FORBIDDEN, SEEN, FINAL } kind; unsigned n; int what[REGISTERS]; uint64_t value[REGISTERS]; uint64_t count; char text[80]; };
struct program {
  struct op op[MAX_THREADS][MAX_OPS];
  unsigned threads, ops[MAX_THREADS], variables, conditions, registers;
  char variable[VARIABLES][24];
  struct condition condition[CONDITIONS];
};
struct thread { unsigned pc, cache, open, pause; bool spins; };
struct asked { bool live; int thread, reg; bool spins; };
struct access { bool used, write; uint32_t tag; uint64_t addr, due; };
struct bench {
  struct simt_config cfg;
  const struct simt_model_ops *ops;
  struct as_ports at;
  struct simt_mem_ports mem;
  struct simt_rng rng;
  void *model;
  uint32_t *in, *out;
  unsigned caches, tid_w, addr_w, bytes;
  uint8_t memory[BYTES];
  struct access access[ACCESSES];
  bool answers;
  unsigned answer, accesses;
  struct asked asked[AS_MAX_CACHES][TIDS];
  struct { bool busy; struct amc_request r; struct asked for_what; } offer[AS_MAX_CACHES];
  uint64_t cycle, place[VARIABLES], reg[REGISTERS];
  bool known[REGISTERS];
  struct thread thread[MAX_THREADS + 1]; /* the last sets up and reads back */
  struct { uint64_t reg[REGISTERS], count; } outcome[OUTCOMES];
  unsigned outcomes, slow;
};

static void give_up(const char *what) {
  fprintf(stderr, "litmus_test: %s\n", what);
  exit(2);
}

/* ---- reading ----------------------------------------------------------------------------------------------- */

static unsigned variable_of(struct program *p, const char *name) {
  for (unsigned i = 0; i < p->variables; i++)
    if (!strcmp(p->variable[i], name)) return i;
  if (p->variables == VARIABLES || strlen(name) > 20) give_up("too many variables");
  strcpy(p->variable[p->variables], name);
  return p->variables++;
}

static int register_of(struct program *p, const char *s) {
  if (s[0] != 'r' || s[1] < '0' || s[1] > '9') return -1;
  const int n = (int)strtol(s + 1, NULL, 10);
  if (n >= REGISTERS) give_up("too many registers");
  if (p->registers <= (unsigned)n) p->registers = (unsigned)n + 1;
  return n;
}

static bool read_op(struct program *p, char *w[4], unsigned n) {
  static const struct { const char *name; unsigned words; } kind[] = {{"store", 3}, {"load", 3}, {"add", 4}, {"fence", 1}, {"wait", 1}, {"until", 3}};
  for (unsigned k = 0; k < sizeof kind / sizeof *kind; k++) {
    if (strcmp(w[0], kind[k].name) || n != kind[k].words || !p->threads) continue;
    unsigned *at = &p->ops[p->threads - 1];
    if (*at == MAX_OPS) give_up("too many operations");
    struct op *o = &p->op[p->threads - 1][(*at)++];
    *o = (struct op){.kind = (enum op_kind)k, .reg = -1};
    if (n > 1) o->variable = variable_of(p, w[1]);
    if (k == LOAD || k == UNTIL) o->reg = register_of(p, w[2]);
    if (k == STORE) {
      o->reg = register_of(p, w[2]);
      const char *plus = strchr(w[2], '+');
      o->number = o->reg < 0 ? strtoull(w[2], NULL, 10) : plus ? strtoull(plus + 1, NULL, 10) : 0;
    }
    if (k == ADD) {
      o->number = strtoull(w[2], NULL, 10);
      o->reg = register_of(p, w[3]);
      o->mode = o->reg >= 0 ? AM_RETURN : !strcmp(w[3], "strict") ? AM_STRICT : AM_RELAXED;
    }
    return (k != LOAD && k != UNTIL) || o->reg >= 0;
  }
  return false;
}

static bool read_condition(struct program *p, char *line, const char *whole) {
  static const char *const kind[] = {"forbidden", "seen", "final"};
  char *save, *word = strtok_r(line, " \n", &save);
  for (unsigned k = 0; k < 3; k++) {
    if (strcmp(word, kind[k])) continue;
    if (p->conditions == CONDITIONS) give_up("too many conditions");
    struct condition *c = &p->condition[p->conditions++];
    c->kind = k;
    snprintf(c->text, sizeof c->text, "%.*s", (int)strcspn(whole, "\n"), whole);
    while ((word = strtok_r(NULL, " \n", &save))) {
      char *equal = strchr(word, '=');
      if (!equal) return false;
      *equal = '\0';
      c->what[c->n] = k == FINAL ? (int)variable_of(p, word) : register_of(p, word);
      c->value[c->n++] = strtoull(equal + 1, NULL, 10);
    }
    return c->n > 0;
  }
  return false;
}

static void read_program(struct program *p, const char *path) {
  FILE *f = fopen(path, "r");
  char line[160], whole[160];
  if (!f) give_up("the file cannot be read");
  for (unsigned number = 1; fgets(line, sizeof line, f); number++) {
    if (line[0] == '#' || line[0] == '\n') continue;
    char copy[160], *w[4] = {0}, *save;
    unsigned n = 0;
    strcpy(copy, line);
    strcpy(whole, line);
    for (char *word = strtok_r(copy, " \n", &save); word && n < 4; word = strtok_r(NULL, " \n", &save)) w[n++] = word;
    if (!strcmp(w[0], "thread")) {
      if (p->threads++ == MAX_THREADS) give_up("too many threads");
    } else if (!read_op(p, w, n) && !read_condition(p, line, whole)) {
      fprintf(stderr, "litmus_test: %s:%u: not an operation or condition\n", path, number);
      exit(2);
    }
  }
  fclose(f);
  if (!p->threads || !p->conditions) give_up("no threads or no conditions");
}

/* ---- system ------------------------------------------------------------------------------------------------- */

static void open_bench(struct bench *b, char **params, int n) {
  struct simt_diag diag = {0};
  simt_config_init(&b->cfg, simt_find_block("atomic_system"));
  for (int i = 0; i < n; i++) {
    char *equal = strchr(params[i], '=');
    if (!equal) give_up("NAME=VALUE");
    *equal = '\0';
    if (!simt_set_param(&b->cfg, params[i], equal + 1, &diag)) give_up(diag.expected);
  }
  if (!simt_resolve(&b->cfg, &diag)) give_up(diag.expected);
  b->ops = &b->cfg.block->model;
  as_ports_bind(&b->at, &b->cfg);
  simt_mem_ports_bind(&b->mem, &b->cfg);
  b->caches = as_caches(&b->cfg);
  b->tid_w = (unsigned)simt_param(&b->cfg, "TID_W");
  b->addr_w = (unsigned)simt_param(&b->cfg, "ADDR_W");
  b->bytes = simt_find_port(&b->cfg, "mem_req_data_o")->width / 8;
  b->model = b->ops->create(&b->cfg, &diag);
  b->in = calloc(b->cfg.desc.in_words, sizeof *b->in);
  b->out = calloc(b->cfg.desc.out_words + 1, sizeof *b->out);
  if (!b->model || !b->in || !b->out) give_up("no memory");
}

static uint64_t below(struct bench *b, uint64_t n) { return simt_rng_below(&b->rng, n); }

/* A memory whose answers come after random times; a write happens when it is taken. */
static void drive_memory(struct bench *b) {
  if (!b->answers && b->accesses)
    for (unsigned i = 0, from = (unsigned)below(b, ACCESSES); i < ACCESSES; i++) {
      const unsigned k = (from + i) % ACCESSES;
      if (!b->access[k].used || b->access[k].due > b->cycle) continue;
      b->answers = true;
      b->answer = k;
      break;
    }
  b->in[b->mem.req_ready] = 1;
  b->in[b->mem.rsp_valid] = b->answers;
  if (!b->answers) return;
  const struct access *a = &b->access[b->answer];
  b->in[b->mem.rsp_tag] = a->tag;
  b->in[b->mem.rsp_error] = 0;
  if (!a->write) memcpy(&b->in[b->mem.rsp_data], &b->memory[a->addr], b->bytes);
}

static void see_memory(struct bench *b) {
  if (b->answers && b->out[b->mem.rsp_ready]) {
    b->answers = b->access[b->answer].used = false;
    b->accesses--;
  }
  if (!b->out[b->mem.req_valid]) return;
  const uint64_t addr = simt_get_bits(&b->out[b->mem.req_addr], 0, b->addr_w);
  unsigned k = 0;
  while (k < ACCESSES && b->access[k].used) k++;
  if (k == ACCESSES || addr + b->bytes > BYTES) give_up("an access that cannot be");
  b->accesses++;
  b->access[k] = (struct access){true, b->out[b->mem.req_write], b->out[b->mem.req_tag], addr, b->cycle + 1 + below(b, b->slow)};
  if (b->access[k].write) memcpy(&b->memory[addr], &b->out[b->mem.req_data], b->bytes);
}

static void see_answer(struct bench *b, unsigned i) {
  struct asked *a = &b->asked[i][simt_get_bits(&b->out[b->at.ans_tid], b->tid_w * i, b->tid_w)];
  const uint64_t data = simt_get64(&b->out[b->at.ans_data + 2 * i]);
  struct thread *t = &b->thread[a->thread];
  if (!a->live || simt_get_bits(&b->out[b->at.ans_status], 2 * i, 2)) give_up("an answer that cannot be");
  a->live = false;
  t->open--;
  if (a->spins) {
    if (data == b->reg[a->reg]) t->spins = false, t->pc++;
  } else if (a->reg >= 0) {
    b->reg[a->reg] = data;
    b->known[a->reg] = true;
  }
}

static void tick(struct bench *b) {
  b->ops->outputs(b->model, b->out);
  for (unsigned i = 0; i < b->caches; i++) {
    const struct amc_request *r = &b->offer[i].r;
    simt_put_bits(&b->in[b->at.req_valid], i, 1, b->offer[i].busy);
    simt_put_bits(&b->in[b->at.req_op], 5 * i, 5, r->op);
    simt_put_bits(&b->in[b->at.req_size], 2 * i, 2, r->size);
    simt_put_bits(&b->in[b->at.req_mode], 2 * i, 2, r->mode);
    simt_put_bits(&b->in[b->at.req_addr], b->addr_w * i, b->addr_w, r->addr);
    simt_put64(&b->in[b->at.req_data + 2 * i], r->data);
    simt_put_bits(&b->in[b->at.req_tid], b->tid_w * i, b->tid_w, r->tid);
    simt_put_bits(&b->in[b->at.ans_ready], i, 1, below(b, 8) != 0);
  }
  drive_memory(b);
  for (unsigned i = 0; i < b->caches; i++) {
    const uint32_t bit = 1u << i % 32;
    if (b->out[b->at.ans_valid + i / 32] & b->in[b->at.ans_ready + i / 32] & bit) see_answer(b, i);
    if (b->out[b->at.req_ready + i / 32] & b->in[b->at.req_valid + i / 32] & bit) b->offer[i].busy = false;
  }
  see_memory(b);
  b->ops->step(b->model, b->in);
  b->cycle++;
}

/* Offers a request for a thread where its cache is free. */
static bool ask(struct bench *b, unsigned thread, const struct op *o, uint64_t data) {
  struct thread *t = &b->thread[thread];
  static const unsigned code[] = {AM_STORE, AM_LOAD, AM_ADD, AM_FENCE, 0, AM_LOAD, AM_FLUSH};
  if (b->offer[t->cache].busy) return false;
  unsigned tid = (unsigned)below(b, TIDS), tries = 0;
  while (b->asked[t->cache][tid].live)
    if (tid = (tid + 1) % TIDS, ++tries == TIDS) return false;
  b->asked[t->cache][tid] = (struct asked){true, (int)thread, o->kind == LOAD || o->kind == ADD || o->kind == UNTIL ? o->reg : -1, o->kind == UNTIL};
  b->offer[t->cache].busy = true;
  b->offer[t->cache].r = (struct amc_request){.op = code[o->kind], .size = 2, .mode = o->mode, .addr = b->place[o->variable], .data = data, .tid = tid};
  t->open++;
  return true;
}

/* ---- a run --------------------------------------------------------------------------------------------------- */

static void finish(struct bench *b, unsigned thread) {
  while (b->thread[thread].open) tick(b);
}

static void go(struct bench *b, unsigned thread, const struct op *o, uint64_t data) {
  while (!ask(b, thread, o, data)) tick(b);
  tick(b);
}

/* Variables are anywhere in a few lines, set to 0 by any cache; the lines stay wherever that leaves them, or go to memory. */
static void set_up(struct bench *b, const struct program *p) {
  struct thread *t = &b->thread[MAX_THREADS];
  const bool together = below(b, 4) == 0;
  for (unsigned i = 0; i < p->variables; i++) {
    bool again = true;
    while (again) {
      b->place[i] = (together ? 0 : below(b, POOL)) * 64 + 4 * below(b, 16);
      again = false;
      for (unsigned k = 0; k < i; k++) again |= b->place[k] == b->place[i];
    }
    t->cache = (unsigned)below(b, b->caches);
    go(b, MAX_THREADS, &(struct op){.kind = STORE, .variable = i, .reg = -1}, 0);
    finish(b, MAX_THREADS);
    for (uint64_t n = below(b, 3); n; n--) { /* another cache reads a line, or the same one */
      t->cache = (unsigned)below(b, b->caches);
      go(b, MAX_THREADS, &(struct op){.kind = LOAD, .variable = (unsigned)below(b, i + 1), .reg = -1}, 0);
      finish(b, MAX_THREADS);
    }
    if (below(b, 4) == 0) {
      go(b, MAX_THREADS, &(struct op){.kind = FLUSH, .reg = -1}, 0);
      finish(b, MAX_THREADS);
    }
  }
  const unsigned spread = below(b, 2) ? 40 : 200;
  memset(b->known, 0, sizeof b->known);
  memset(b->reg, 0, sizeof b->reg);
  const unsigned first = (unsigned)below(b, b->caches);
  for (unsigned i = 0; i < p->threads; i++)
    b->thread[i] = (struct thread){.cache = below(b, 8) ? (first + i) % b->caches : (unsigned)below(b, b->caches), .pause = (unsigned)below(b, spread)};
}

static void advance(struct bench *b, const struct program *p, unsigned i) {
  struct thread *t = &b->thread[i];
  if (t->pause) {
    t->pause--;
    return;
  }
  if (t->pc == p->ops[i]) return;
  const struct op *o = &p->op[i][t->pc];
  if (o->kind == WAIT) {
    t->pc += !t->open;
    return;
  }
  const bool uses = (o->kind == STORE && o->reg >= 0) || o->kind == UNTIL;
  if (uses && !b->known[o->reg]) return;
  if (o->kind == UNTIL) {
    if (!t->open) ask(b, i, o, 0);
    return;
  }
  if (!ask(b, i, o, o->number + (uses ? b->reg[o->reg] : 0))) return;
  t->pc++;
  t->pause = (unsigned)(below(b, 3) ? 0 : below(b, 6));
}

static void run(struct bench *b, const struct program *p) {
  b->slow = 1 + (unsigned)below(b, below(b, 4) ? 60 : 600);
  set_up(b, p);
  const uint64_t start = b->cycle;
  for (bool ended = false; !ended;) {
    for (unsigned i = 0; i < p->threads; i++) advance(b, p, i);
    tick(b);
    ended = true;
    for (unsigned i = 0; i < p->threads; i++) ended &= b->thread[i].pc == p->ops[i] && !b->thread[i].open;
    if (b->cycle > start + PATIENCE) give_up("nothing moves any more");
  }
}

static bool holds(struct bench *b, const struct condition *c) {
  bool all = true;
  for (unsigned k = 0; k < c->n; k++) {
    if (c->kind != FINAL) {
      all &= b->reg[c->what[k]] == c->value[k];
      continue;
    }
    const uint64_t kept = b->reg[0]; /* read back through a cache */
    b->thread[MAX_THREADS].cache = (unsigned)below(b, b->caches);
    go(b, MAX_THREADS, &(struct op){.kind = ADD, .variable = (unsigned)c->what[k], .reg = 0}, 0);
    finish(b, MAX_THREADS);
    all &= b->reg[0] == c->value[k];
    b->reg[0] = kept;
  }
  return all;
}

static void count(struct bench *b, struct program *p) {
  unsigned k = 0;
  while (k < b->outcomes && memcmp(b->outcome[k].reg, b->reg, sizeof b->reg)) k++;
  if (k == b->outcomes && k < OUTCOMES) memcpy(b->outcome[b->outcomes++].reg, b->reg, sizeof b->reg);
  if (k < OUTCOMES) b->outcome[k].count++;
  for (unsigned i = 0; i < p->conditions; i++) p->condition[i].count += holds(b, &p->condition[i]) != (p->condition[i].kind == FINAL);
}

int main(int argc, char **argv) {
  static struct program p;
  static struct bench b;
  if (argc < 4) give_up("usage: litmus_test FILE RUNS SEED [NAME=VALUE]...");
  read_program(&p, argv[1]);
  open_bench(&b, argv + 4, argc - 4);
  if (b.caches < 2 || b.tid_w < 6) give_up("2 caches and thread ids of 6 bits at least");
  simt_rng_seed(&b.rng, strtoull(argv[3], NULL, 10));
  const uint64_t runs = strtoull(argv[2], NULL, 10);
  for (uint64_t i = 0; i < runs; i++) {
    run(&b, &p);
    count(&b, &p);
  }
  printf("%" PRIu64 " runs, %" PRIu64 " cycles\n", runs, b.cycle);
  for (unsigned k = 0; k < b.outcomes; k++) {
    printf("%10" PRIu64, b.outcome[k].count);
    for (unsigned r = 0; r < p.registers; r++) printf(" r%u=%" PRIu64, r, b.outcome[k].reg[r]);
    printf("\n");
  }
  bool bad = false;
  for (unsigned i = 0; i < p.conditions; i++) {
    const struct condition *c = &p.condition[i];
    const bool wrong = c->kind == SEEN ? !c->count : c->count != 0;
    printf("%s: %s%" PRIu64 " times%s\n", c->text, c->kind == FINAL ? "missed " : "", c->count, wrong ? ": WRONG" : "");
    bad |= wrong;
  }
  b.ops->destroy(b.model);
  free(b.in);
  free(b.out);
  simt_config_free(&b.cfg);
  return bad;
}
