/* SPDX-License-Identifier: Apache-2.0 */
/* stack_cache.c: the transaction level of stack_cache: the cycle model, its ports and a memory of callbacks. */
#include "stack_cache.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "layout.h"

extern const struct simt_block simt_block_stack_cache;

struct ports { /* words in the buffers */
  unsigned op_valid, op_kind, op_thread, op_data, can_push, can_top, can_init;
  unsigned ans_valid, ans_thread, ans_kind, ans_status, ans_data_valid, ans_data;
  unsigned req_valid, req_ready, req_write, req_tag, req_addr, req_data, req_strb;
  unsigned rsp_valid, rsp_ready, rsp_tag, rsp_data, rsp_error;
  unsigned reg_valid, reg_ready, reg_write, reg_addr, reg_wdata, reg_rsp, reg_rdata, reg_error;
};

struct access { uint64_t due, number, addr; uint32_t tag; bool write; unsigned error; };

struct stack_cache {
  struct simt_config cfg;
  struct sc_layout l;
  struct ports at;
  struct stack_cache_memory memory;
  const struct simt_model_ops *ops;
  void *model;
  uint32_t *in, *out; /* out: of the present cycle */
  uint8_t *set;        /* one that is written in part */
  uint64_t cycle, accesses;
  struct access *heap; /* under way, the earliest answer on top; room for every tag */
  size_t n;
  bool offered;        /* an answer that the block has not taken yet */
};

/* ---- accesses under way ------------------------------------------------------------------------------- */

static bool before(const struct access *a, const struct access *b) {
  return a->due != b->due ? a->due < b->due : a->number < b->number;
}

static void heap_add(struct stack_cache *s, struct access a) {
  size_t i = s->n++;
  for (; i && before(&a, &s->heap[(i - 1) / 2]); i = (i - 1) / 2) s->heap[i] = s->heap[(i - 1) / 2];
  s->heap[i] = a;
}

static struct access heap_take(struct stack_cache *s) {
  struct access top = s->heap[0], last = s->heap[--s->n];
  size_t i = 0;
  for (size_t child; (child = 2 * i + 1) < s->n; i = child) {
    if (child + 1 < s->n && before(&s->heap[child + 1], &s->heap[child])) child++;
    if (!before(&s->heap[child], &last)) break;
    s->heap[i] = s->heap[child];
  }
  s->heap[i] = last;
  return top;
}

/* ---- cycles ------------------------------------------------------------------------------------------- */

static void drive_memory(struct stack_cache *s) {
  const struct ports *at = &s->at;
  s->in[at->req_ready] = 1;
  if (s->offered) return;
  s->in[at->rsp_valid] = s->offered = s->n && s->heap[0].due <= s->cycle;
  if (!s->offered) return;
  struct access a = heap_take(s);
  if (!a.write) a.error = s->memory.read(s->memory.ctx, a.addr, &s->in[at->rsp_data], s->l.set_bytes);
  s->in[at->rsp_tag] = a.tag;
  s->in[at->rsp_error] = a.error < 3 ? a.error : 3;
}

/* What has no strobe stays as it is in memory. */
static unsigned write_set(struct stack_cache *s, uint64_t addr) {
  const struct stack_cache_memory *m = &s->memory;
  const uint8_t *data = (const uint8_t *)&s->out[s->at.req_data];
  const uint32_t *strobe = &s->out[s->at.req_strb];
  unsigned size = s->l.set_bytes, error = 0, n = 0;
  for (unsigned i = 0; i < size; i++) n += strobe[i / 32] >> i % 32 & 1;
  if (n == size) return m->write(m->ctx, addr, data, size);
  error = m->read(m->ctx, addr, s->set, size);
  if (error) return error;
  for (unsigned i = 0; i < size; i++)
    if (strobe[i / 32] >> i % 32 & 1) s->set[i] = data[i];
  return m->write(m->ctx, addr, s->set, size);
}

static void take_request(struct stack_cache *s) {
  const struct ports *at = &s->at;
  const struct stack_cache_memory *m = &s->memory;
  struct access a = {.number = s->accesses++, .addr = s->out[at->req_addr], .tag = s->out[at->req_tag],
                     .write = s->out[at->req_write]};
  if (s->l.addr_w > 32) a.addr = simt_get64(&s->out[at->req_addr]);
  unsigned latency = m->latency ? m->latency(m->ctx, s->cycle, a.addr, a.write) : m->cycles;
  a.due = s->cycle + simt_max1(latency);
  if (a.write) a.error = write_set(s, a.addr);
  heap_add(s, a);
}

/* One cycle with the operation and register inputs as they are; they are withdrawn after it. */
static void tick(struct stack_cache *s) {
  const struct ports *at = &s->at;
  drive_memory(s);
  if (s->out[at->req_valid]) take_request(s);
  if (s->out[at->rsp_ready]) s->offered = false;
  s->ops->step(s->model, s->in);
  s->in[at->op_valid] = s->in[at->reg_valid] = 0;
  s->cycle++;
  s->ops->outputs(s->model, s->out);
}

void stack_cache_advance(struct stack_cache *s, uint64_t cycles) {
  while (cycles--) tick(s);
}

uint64_t stack_cache_cycle(const struct stack_cache *s) { return s->cycle; }

/* ---- life --------------------------------------------------------------------------------------------- */

static void find_ports(struct stack_cache *s) {
  struct ports *at = &s->at;
  const struct { unsigned *to; const char *name; } port[] = {
    {&at->op_valid, "op_valid_i"}, {&at->op_kind, "op_kind_i"}, {&at->op_thread, "op_thread_i"},
    {&at->op_data, "op_data_i"}, {&at->can_push, "can_push_o"}, {&at->can_top, "can_top_o"},
    {&at->can_init, "can_init_o"}, {&at->ans_valid, "ans_valid_o"}, {&at->ans_thread, "ans_thread_o"},
    {&at->ans_kind, "ans_kind_o"}, {&at->ans_status, "ans_status_o"}, {&at->ans_data_valid, "ans_data_valid_o"},
    {&at->ans_data, "ans_data_o"}, {&at->req_valid, "mem_req_valid_o"}, {&at->req_ready, "mem_req_ready_i"},
    {&at->req_write, "mem_req_write_o"}, {&at->req_tag, "mem_req_tag_o"}, {&at->req_addr, "mem_req_addr_o"},
    {&at->req_data, "mem_req_data_o"}, {&at->req_strb, "mem_req_strb_o"}, {&at->rsp_valid, "mem_rsp_valid_i"}, {&at->rsp_ready, "mem_rsp_ready_o"},
    {&at->rsp_tag, "mem_rsp_tag_i"}, {&at->rsp_data, "mem_rsp_data_i"}, {&at->rsp_error, "mem_rsp_error_i"},
    {&at->reg_valid, "reg_req_valid_i"}, {&at->reg_ready, "reg_req_ready_o"}, {&at->reg_write, "reg_req_write_i"},
    {&at->reg_addr, "reg_req_addr_i"}, {&at->reg_wdata, "reg_req_data_i"}, {&at->reg_rsp, "reg_rsp_valid_o"},
    {&at->reg_rdata, "reg_rsp_data_o"}, {&at->reg_error, "reg_rsp_error_o"}};
  for (size_t i = 0; i < sizeof port / sizeof *port; i++) *port[i].to = simt_find_port(&s->cfg, port[i].name)->word;
}

static bool set_params(struct simt_config *cfg, const char *const *params, struct simt_diag *diag) {
  bool seen[SIMT_MAX_PARAMS] = {false};
  for (; params && *params; params++) {
    char name[SIMT_NAME_MAX];
    const char *equals = strchr(*params, '=');
    size_t length = equals ? (size_t)(equals - *params) : 0;
    if (!length || length >= sizeof name) return simt_fail(diag, "parameter", *params, "NAME=VALUE");
    snprintf(name, sizeof name, "%.*s", (int)length, *params);
    if (!simt_set_param(cfg, name, equals + 1, diag)) return false;
    bool *before = &seen[simt_param_index(cfg, name)];
    if (*before) return simt_fail(diag, name, equals + 1, "each parameter once; this is its second value");
    *before = true;
  }
  return true;
}

/* Memory and registers are calls: no bus. */
static bool check_plain(const struct simt_config *cfg, struct simt_diag *diag) {
  for (size_t i = cfg->block->n_params; cfg->core && i < cfg->n_params; i++) {
    char text[24];
    if (cfg->param[i]->choices && cfg->value[i] != cfg->param[i]->def)
      return simt_fail(diag, cfg->param[i]->name, simt_value_text(cfg->param[i], cfg->value[i], text),
                       "%s: memory and registers are calls here",
                       simt_value_text(cfg->param[i], cfg->param[i]->def, (char[24]){0}));
  }
  return true;
}

static bool check_memory(const struct stack_cache_memory *m, struct simt_diag *diag) {
  if (!(m && m->read && m->write)) return simt_fail(diag, "memory", "no function", "functions that read and write");
  return m->latency || m->cycles || simt_fail(diag, "cycles", "0", "at least 1, or a function latency");
}

static bool make_parts(struct stack_cache *s, struct simt_diag *diag) {
  sc_layout(s->cfg.value, &s->l);
  find_ports(s);
  s->ops = simt_model(&s->cfg);
  s->model = s->ops->create(&s->cfg, diag);
  s->in = calloc(s->cfg.desc.in_words, sizeof *s->in);
  s->out = calloc(s->cfg.desc.out_words, sizeof *s->out);
  s->heap = calloc((size_t)s->l.threads * s->l.inflight, sizeof *s->heap);
  s->set = malloc(s->l.set_bytes);
  if (s->model && s->in && s->out && s->heap && s->set) return true;
  return simt_fail(diag, "stack_cache", "no memory", "memory for the model");
}

struct stack_cache *stack_cache_create(const char *const *params, const struct stack_cache_memory *memory,
                                       struct simt_diag *diag) {
  struct stack_cache *s = calloc(1, sizeof *s);
  if (!s) {
    simt_fail(diag, "stack_cache", "no memory", "memory for the model");
    return NULL;
  }
  simt_config_init(&s->cfg, &simt_block_stack_cache);
  bool good = set_params(&s->cfg, params, diag) && simt_resolve(&s->cfg, diag) && check_plain(&s->cfg, diag) &&
              check_memory(memory, diag);
  if (!good || !make_parts(s, diag)) {
    stack_cache_destroy(s);
    return NULL;
  }
  s->memory = *memory;
  s->ops->outputs(s->model, s->out);
  while (!s->out[s->at.can_init] || !(s->out[s->at.can_push] & 1)) tick(s);
  s->cycle = 0;
  return s;
}

void stack_cache_destroy(struct stack_cache *s) {
  if (!s) return;
  if (s->model) s->ops->destroy(s->model);
  simt_config_free(&s->cfg);
  free(s->in);
  free(s->out);
  free(s->heap);
  free(s->set);
  free(s);
}

/* ---- operations --------------------------------------------------------------------------------------- */

static unsigned entry_words(const struct stack_cache *s) { return (s->l.entry_w + 31) / 32; }

bool stack_cache_can_go(const struct stack_cache *s, unsigned thread, enum stack_cache_kind kind) {
  if (thread >= s->l.threads || (unsigned)kind >= SC_KINDS) return false;
  if (kind == STACK_CACHE_INIT) return s->out[s->at.can_init];
  const uint32_t *can = &s->out[kind == STACK_CACHE_PUSH ? s->at.can_push : s->at.can_top];
  return can[thread / 32] >> thread % 32 & 1;
}

bool stack_cache_issue(struct stack_cache *s, enum stack_cache_kind kind, unsigned thread, const uint32_t *value) {
  bool taken = stack_cache_can_go(s, thread, kind);
  if (thread < s->l.threads && (unsigned)kind < SC_KINDS) {
    unsigned n = entry_words(s), rest = s->l.entry_w % 32;
    s->in[s->at.op_valid] = 1;
    s->in[s->at.op_kind] = kind;
    s->in[s->at.op_thread] = thread;
    if (kind == STACK_CACHE_PUSH || kind == STACK_CACHE_REPLACE) {
      memcpy(&s->in[s->at.op_data], value, n * sizeof *value);
      if (rest) s->in[s->at.op_data + n - 1] &= ((uint32_t)1 << rest) - 1;
    }
  }
  tick(s);
  return taken;
}

bool stack_cache_answer(const struct stack_cache *s, struct stack_cache_answer *answer) {
  const struct ports *at = &s->at;
  if (!s->out[at->ans_valid]) return false;
  *answer = (struct stack_cache_answer){.thread = s->out[at->ans_thread],
                                        .kind = (enum stack_cache_kind)s->out[at->ans_kind],
                                        .status = (enum stack_cache_status)s->out[at->ans_status],
                                        .has_value = s->out[at->ans_data_valid]};
  if (answer->has_value) memcpy(answer->value, &s->out[at->ans_data], entry_words(s) * sizeof *answer->value);
  return true;
}

static struct stack_cache_result operate(struct stack_cache *s, enum stack_cache_kind kind, unsigned thread,
                                         const uint32_t *value, uint32_t *popped) {
  struct stack_cache_result r = {.status = STACK_CACHE_NO_THREAD};
  struct stack_cache_answer answer;
  if (thread >= s->l.threads) return r;
  while (!stack_cache_issue(s, kind, thread, value)) r.wait++;
  stack_cache_advance(s, STACK_CACHE_LATENCY - 1);
  r.cycles = r.wait + STACK_CACHE_LATENCY;
  if (!stack_cache_answer(s, &answer)) abort(); /* the model breaks its first promise */
  r.status = answer.status;
  if (answer.has_value) memcpy(popped, answer.value, entry_words(s) * sizeof *popped);
  return r;
}

struct stack_cache_result stack_cache_push(struct stack_cache *s, unsigned thread, const uint32_t *value) {
  return operate(s, STACK_CACHE_PUSH, thread, value, NULL);
}

struct stack_cache_result stack_cache_pop(struct stack_cache *s, unsigned thread, uint32_t *value) {
  return operate(s, STACK_CACHE_POP, thread, NULL, value);
}

struct stack_cache_result stack_cache_peek(struct stack_cache *s, unsigned thread, uint32_t *value) {
  return operate(s, STACK_CACHE_PEEK, thread, NULL, value);
}

struct stack_cache_result stack_cache_replace(struct stack_cache *s, unsigned thread, const uint32_t *value) {
  return operate(s, STACK_CACHE_REPLACE, thread, value, NULL);
}

struct stack_cache_result stack_cache_init(struct stack_cache *s, unsigned thread) {
  return operate(s, STACK_CACHE_INIT, thread, NULL, NULL);
}

/* ---- registers and counts ------------------------------------------------------------------------------ */

static bool access_register(struct stack_cache *s, bool write, uint32_t addr, uint32_t *data) {
  const struct ports *at = &s->at;
  for (bool accepted = false; !accepted;) {
    accepted = s->out[at->reg_ready];
    s->in[at->reg_valid] = 1;
    s->in[at->reg_write] = write;
    s->in[at->reg_addr] = addr & (((uint32_t)1 << SC_REG_ADDR_W) - 1);
    s->in[at->reg_wdata] = *data;
    tick(s);
  }
  while (!s->out[at->reg_rsp]) tick(s);
  bool good = !s->out[at->reg_error];
  if (!write && good) *data = s->out[at->reg_rdata];
  tick(s);
  return good;
}

bool stack_cache_read_register(struct stack_cache *s, uint32_t addr, uint32_t *data) {
  return !(addr >> SC_REG_ADDR_W) && access_register(s, false, addr, data);
}

bool stack_cache_write_register(struct stack_cache *s, uint32_t addr, uint32_t data) {
  return !(addr >> SC_REG_ADDR_W) && access_register(s, true, addr, &data);
}

void stack_cache_stats(const struct stack_cache *s, void (*visit)(void *ctx, const char *name, uint64_t value),
                       void *ctx) {
  s->ops->stats(s->model, visit, ctx);
}
