/* SPDX-License-Identifier: Apache-2.0 */
/* verif.c: environment of the arbiter: clients that halt when they please, a memory, a front end that halts, saves, resets and
 * loads. The golden model follows each request by client and tag; it knows no order but that of the turn. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/context_port.h"
#include "core/ports.h"
#include "mem_arbiter/mem_arbiter.h"
#include "core/memory.h"
#include "core/unit_status.h"
#include "core/verif.h"

extern const struct simt_verif simt_verif_mem_arbiter;

enum { WORDS = 32, CONTEXT = SIMT_CONTEXT_HEAD + 1, UNIT = 3 };
enum { COVER_CONTENDED, COVER_UNDER_HALT, COVER_BEHIND, COVER_RESET, COVER_RESTORED, N_COVER }; /* the order of block.c */
enum { RST = 1, HALT_TOGGLE = 2, UNIT_RESET = 4, MOVE = 8 };

struct arb_env_choice { uint64_t mem, ask, need, take, addr, data; uint32_t tag, flags; };

enum progress_of { FREE, TAKEN, SENT, ANSWERED };
struct arb_env_request { enum progress_of at; bool write; uint64_t addr; uint32_t data[WORDS], error; };
struct client { bool offers, halted; uint32_t tag, passed; struct arb_env_request want; };

#define ARB_ENV_PORTS(PORT) \
  PORT(rst, rst_i) PORT(valid, cl_req_valid_i) PORT(ready, cl_req_ready_o) PORT(write, cl_req_write_i) \
  PORT(tag, cl_req_tag_i) PORT(addr, cl_req_addr_i) PORT(data, cl_req_data_i) PORT(strb, cl_req_strb_i) \
  PORT(rsp, cl_rsp_valid_o) PORT(rsp_ready, cl_rsp_ready_i) PORT(rsp_tag, cl_rsp_tag_o) \
  PORT(rsp_data, cl_rsp_data_o) PORT(rsp_error, cl_rsp_error_o) PORT(idle, served_idle_i) \
  PORT(m_valid, mem_req_valid_o) PORT(m_write, mem_req_write_o) PORT(m_tag, mem_req_tag_o) \
  PORT(m_addr, mem_req_addr_o) PORT(m_data, mem_req_data_o) PORT(m_rsp, mem_rsp_valid_i) \
  PORT(m_rsp_ready, mem_rsp_ready_o) PORT(m_rsp_data, mem_rsp_data_i) PORT(m_rsp_error, mem_rsp_error_i)
struct arb_env {
  struct simt_rng rng;
  struct simt_memory *memory;
  uint64_t seed, cycle, done, moved;
  unsigned clients, tag_w, addr_w, data_w, data_words, open;
  uint32_t halted_code;
  struct arb_env_request *request; /* by client and tag */
  struct client client[MEM_ARBITER_MOST];
  ARB_ENV_PORTS(SIMT_PORT_FIELD)
  struct simt_status_ports status;
  struct simt_context_ports ctx;
  bool level, halt_req, was_reset, was_halted, served_under_halt;
  uint64_t may_halt_from;
  enum { STILL, SAVING, LOADING } doing;
  bool asked, have, fresh;
  uint32_t image[CONTEXT], stream[CONTEXT];
  unsigned at;
  uint64_t cover[N_COVER];
  char message[160];
};

static const struct simt_named profiles[] = {
  {"busy", "Clients ask all the time, halts now and then.", "US-5"}, {NULL, NULL, NULL}};
static const struct simt_named directed[] = {{NULL, NULL, NULL}};

static const char *wrong(struct arb_env *e, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  vsnprintf(e->message, sizeof e->message, format, ap);
  va_end(ap);
  return e->message;
}

static uint64_t get(const uint32_t *words, unsigned at, unsigned n) {
  uint64_t v = 0;
  for (unsigned i = 0; i < n; i++) v |= (uint64_t)(words[(at + i) / 32] >> (at + i) % 32 & 1) << i;
  return v;
}
static void put(uint32_t *words, unsigned at, unsigned n, uint64_t v) {
  for (unsigned i = at; i < at + n; i++, v >>= 1)
    words[i / 32] = (words[i / 32] & ~(UINT32_C(1) << i % 32)) | (uint32_t)(v & 1) << i % 32;
}

static struct arb_env_request *request_of(const struct arb_env *e, unsigned client, uint32_t tag) {
  return &e->request[(client << e->tag_w) + tag];
}

/* ---- life -------------------------------------------------------------------------------------------------- */

static void begin(struct arb_env *e) {
  memset(e->request, 0, sizeof *e->request * e->clients << e->tag_w);
  memset(e->client, 0, sizeof e->client);
  e->open = e->at = 0;
  e->level = e->halt_req = e->was_reset = e->was_halted = e->served_under_halt = e->asked = e->have = e->fresh = false;
  e->doing = STILL;
}

static void restart(void *env) {
  struct arb_env *e = env;
  simt_rng_seed(&e->rng, e->seed);
  simt_memory_restart(e->memory);
  e->cycle = e->done = e->moved = 0;
  begin(e);
}

static void destroy(void *env) {
  struct arb_env *e = env;
  if (!e) return;
  simt_memory_destroy(e->memory);
  free(e->request);
  free(e);
}

static void bind_ports(struct arb_env *at, const struct simt_config *cfg) {
  ARB_ENV_PORTS(SIMT_PORT_BIND)
  at->status = simt_find_status_ports(cfg);
  at->ctx = simt_find_context_ports(cfg);
}

static void *create(const struct simt_config *cfg, const struct simt_stimulus *stim, struct simt_diag *diag) {
  struct arb_env *e = calloc(1, sizeof *e);
  if (e && (e->memory = simt_memory_create(cfg, diag))) {
    e->seed = stim->seed;
    e->clients = (unsigned)simt_param(cfg, "CLIENTS");
    e->tag_w = (unsigned)simt_param(cfg, "TAG_W");
    e->addr_w = (unsigned)simt_param(cfg, "ADDR_W");
    e->data_w = (unsigned)simt_param(cfg, "DATA_W");
    e->data_words = (e->data_w + 31) / 32;
    e->halted_code = simt_status_code(SIMT_HALTED, (enum simt_status_encoding)simt_param(cfg, "ENCODING"));
    e->request = calloc((size_t)e->clients << e->tag_w, sizeof *e->request);
    bind_ports(e, cfg);
    if (e->request) {
      restart(e);
      return e;
    }
  }
  destroy(e);
  simt_fail(diag, cfg->name, "no memory", "memory for the environment");
  return NULL;
}

/* ---- choices into inputs ------------------------------------------------------------------------------------- */

static bool choose(void *env, void *choice) {
  static const struct simt_memory_rates rates[] = {{256, 256, 128, 0}, {120, 90, 128, 600}, {250, 20, 128, 0}};
  struct arb_env *e = env;
  struct arb_env_choice *c = choice;
  const uint64_t r = simt_rng_next(&e->rng), mood = e->cycle / 2000;
  *c = (struct arb_env_choice){.mem = simt_memory_choose(&e->rng, &rates[mood % 3]), .ask = simt_rng_next(&e->rng), .need = simt_rng_next(&e->rng),
                       .take = simt_rng_next(&e->rng) | (mood % 5 ? simt_rng_next(&e->rng) : 0), .addr = simt_rng_next(&e->rng),
                       .data = simt_rng_next(&e->rng), .tag = (uint32_t)r};
  if (mood % 4 == 3) c->ask &= simt_rng_next(&e->rng) & simt_rng_next(&e->rng) & simt_rng_next(&e->rng);
  if ((r >> 32 & 0xffff) < 3) c->flags |= RST;
  if ((r >> 48 & (mood % 7 == 6 ? 3 : 127)) == 0) c->flags |= HALT_TOGGLE; /* short releases, too */
  if ((r >> 40 & 1023) == 0) c->flags |= UNIT_RESET;
  if ((r >> 52 & 3) == 0) c->flags |= MOVE;
  return true;
}

/* A client offers until taken; under a halt request only what it still needs, while halted nothing. */
static void drive_client(struct arb_env *e, unsigned n, const struct arb_env_choice *c, uint32_t *in) {
  struct client *k = &e->client[n];
  const uint32_t tag = (c->tag >> n) & ((UINT32_C(1) << e->tag_w) - 1);
  const bool wants = c->ask >> n & 1 && (!e->halt_req || (c->need >> n & 15) == 0) && !k->halted;
  if (!k->offers && wants && request_of(e, n, tag)->at == FREE) {
    *k = (struct client){.offers = true, .tag = tag, .want = {.at = TAKEN, .write = c->data >> n & 1}};
    const unsigned bytes = e->data_w / 8, low = simt_clog2(bytes);
    k->want.addr = (c->addr ^ n * 0x9e3779b97f4a7c15) >> (64 - e->addr_w) >> low << low;
    for (unsigned i = 0; i < e->data_words; i++) k->want.data[i] = (uint32_t)(c->data * (i + n + 1) >> 7);
    if (e->data_w % 32) k->want.data[e->data_words - 1] &= (UINT32_C(1) << e->data_w % 32) - 1;
  }
  put(&in[e->valid], n, 1, k->offers);
  put(&in[e->write], n, 1, k->want.write);
  put(&in[e->tag], n * e->tag_w, e->tag_w, k->tag);
  put(&in[e->addr], n * e->addr_w, e->addr_w, k->want.addr);
  put(&in[e->strb], n * (e->data_w / 8), e->data_w / 8 < 64 ? e->data_w / 8 : 64, UINT64_MAX);
  for (unsigned i = 0; i < e->data_w; i += 8) put(&in[e->data], n * e->data_w + i, 8, k->want.data[i / 32] >> i % 32);
}

static void drive_front_end(struct arb_env *e, const struct arb_env_choice *c, const uint32_t *out, uint32_t *in) {
  const bool halted = out[e->status.state] == e->halted_code, moving = e->doing != STILL;
  if ((c->flags & HALT_TOGGLE) && !moving) e->level = !e->level;
  in[e->status.halt] = e->level;
  in[e->status.reset] = (c->flags & UNIT_RESET) && !moving;
  in[e->status.resume] = c->tag >> 30 == 0;
  if ((c->flags & MOVE) && !moving && halted && e->level && e->halt_req && !in[e->status.reset] && !e->was_reset) {
    e->doing = c->flags & HALT_TOGGLE || !e->have ? SAVING : c->tag & 4 ? LOADING : SAVING;
    e->asked = true;
    e->at = 0;
  }
  in[e->ctx.unit] = UNIT;
  in[e->ctx.cmd_valid] = e->asked;
  in[e->ctx.cmd_load] = e->doing == LOADING;
  in[e->ctx.out_ready] = c->tag >> 8 & 1;
  in[e->ctx.in_valid] = e->doing == LOADING && !e->asked && e->at < CONTEXT;
  in[e->ctx.in_data] = e->image[e->at % CONTEXT];
  in[e->ctx.in_last] = e->at + 1 == CONTEXT;
  in[e->ctx.in_error] = 0;
}

static void drive(void *env, const void *choice, const uint32_t *out, uint32_t *in) {
  struct arb_env *e = env;
  const struct arb_env_choice *c = choice;
  bool idle = true;
  for (unsigned n = 0; n < e->clients; n++) {
    drive_client(e, n, c, in);
    idle &= e->client[n].halted;
  }
  put(&in[e->rsp_ready], 0, e->clients, c->take);
  in[e->idle] = idle;
  simt_memory_drive(e->memory, c->mem, in);
  drive_front_end(e, c, out, in);
  in[e->rst] = c->flags & RST;
}

/* ---- golden model -------------------------------------------------------------------------------------------- */

static const char *requests(struct arb_env *e, const uint32_t *in, const uint32_t *out) {
  const uint64_t ready = get(&out[e->ready], 0, e->clients), valid = get(&in[e->valid], 0, e->clients), taken = ready & valid;
  if (ready & (ready - 1)) return wrong(e, "two clients are ready");
  e->cover[COVER_CONTENDED] += (valid & (valid - 1)) != 0;
  for (unsigned n = 0; n < e->clients; n++) {
    struct client *k = &e->client[n];
    if (!(valid >> n & 1)) continue;
    if (!(taken >> n & 1)) {
      k->passed += taken != 0;
      if (k->passed >= e->clients) return wrong(e, "client %u waits while %u others are served", n, k->passed);
      continue;
    }
    *request_of(e, n, k->tag) = k->want;
    k->offers = false;
    k->passed = 0;
    e->open++;
    if (e->halt_req) e->served_under_halt = true, e->cover[COVER_UNDER_HALT]++;
  }
  return NULL;
}

static const char *at_memory(struct arb_env *e, const uint32_t *in, const uint32_t *out) {
  const char *bad = simt_memory_observe(e->memory, in, out);
  const struct simt_memory_event *sent = simt_memory_taken(e->memory), *answer = simt_memory_answered(e->memory);
  if (bad) return bad;
  if (sent) {
    struct arb_env_request *r = sent->tag >> e->tag_w < e->clients ? &e->request[sent->tag] : NULL;
    if (!r || r->at != TAKEN || r->write != sent->write || r->addr != sent->addr)
      return wrong(e, "a request goes to memory that no client has made: tag 0x%llx", (unsigned long long)sent->tag);
    if (r->write && memcmp(r->data, &out[e->m_data], e->data_words * sizeof *r->data)) return wrong(e, "other data go to memory");
    r->at = SENT;
  }
  if (answer) {
    struct arb_env_request *r = &e->request[answer->tag];
    if (r->at != SENT) return wrong(e, "an answer is taken that is not due");
    r->at = ANSWERED;
    memcpy(r->data, &in[e->m_rsp_data], e->data_words * sizeof *r->data);
    r->error = in[e->m_rsp_error];
  }
  return NULL;
}

static const char *answers(struct arb_env *e, const uint32_t *in, const uint32_t *out) {
  const uint64_t valid = get(&out[e->rsp], 0, e->clients);
  if (valid & (valid - 1)) return wrong(e, "one answer for two clients");
  if (!valid) return NULL;
  const unsigned n = (unsigned)__builtin_ctzll(valid);
  struct arb_env_request *r = request_of(e, n, out[e->rsp_tag]);
  if (r->at != ANSWERED) return wrong(e, "client %u gets an answer that memory has not given", n);
  if (r->error != out[e->rsp_error] || memcmp(r->data, &out[e->rsp_data], e->data_words * sizeof *r->data))
    return wrong(e, "client %u gets another answer", n);
  if (!get(&in[e->rsp_ready], n, 1)) return NULL;
  r->at = FREE;
  e->open--;
  e->done++;
  return NULL;
}

static const char *moved(struct arb_env *e, const uint32_t *in, const uint32_t *out) {
  const struct simt_context_ports *at = &e->ctx;
  if (in[at->cmd_valid] && out[at->cmd_ready]) e->asked = false;
  if (out[at->out_valid] && in[at->out_ready]) {
    if (e->doing != SAVING || e->at == CONTEXT) return wrong(e, "a word of a context that nobody wants");
    e->stream[e->at++] = out[at->out_data];
  }
  if (in[at->in_valid] && out[at->in_ready]) e->at++;
  if (!out[at->done]) return NULL;
  if (out[at->error] || e->at != CONTEXT) return wrong(e, "a save or load ends with error %u after %u words", out[at->error], e->at);
  if (e->doing == SAVING) {
    if (e->fresh && memcmp(e->stream, e->image, sizeof e->stream)) return wrong(e, "a save behind a load differs");
    e->cover[COVER_RESTORED] += e->fresh;
    memcpy(e->image, e->stream, sizeof e->image);
    e->have = true;
  }
  e->fresh = true; /* what it holds is the image */
  e->doing = STILL;
  e->moved++;
  return NULL;
}

static const char *commands(struct arb_env *e, const uint32_t *in, const uint32_t *out) {
  const bool halted = out[e->status.state] == e->halted_code;
  const bool idle = in[e->idle];
  const char *bad = moved(e, in, out);
  if (bad) return bad;
  if (halted) {
    if (out[e->ready] || out[e->m_valid] || out[e->m_rsp_ready] || out[e->rsp]) return wrong(e, "a stream moves while halted");
    if (!e->was_halted && !idle) return wrong(e, "halted before its clients");
    if (e->open || simt_memory_counts(e->memory).under_way) return wrong(e, "halted with requests under way");
    e->cover[COVER_BEHIND] += e->served_under_halt;
    e->served_under_halt = false;
  }
  if (halted || !e->halt_req || !idle || e->open || e->was_reset) e->may_halt_from = e->cycle;
  if (e->cycle - e->may_halt_from > MEM_ARBITER_HALT_OWN) return wrong(e, "not halted behind its clients");
  if (in[e->status.reset]) e->cover[COVER_RESET] += e->open != 0;
  if (in[e->status.reset] || !e->level) e->fresh = false;
  if (!e->halt_req) e->served_under_halt = false;
  for (unsigned n = 0; n < e->clients; n++) { /* clients halt when they have nothing open, each in its time */
    struct client *k = &e->client[n];
    bool open = k->offers;
    for (uint32_t t = 0; t < UINT32_C(1) << e->tag_w && !open; t++) open = request_of(e, n, t)->at != FREE;
    if (e->was_reset || halted) k->passed = 0; /* the turn is another */
    k->halted = e->halt_req && !open && (k->halted || (e->cycle + n) % 5 == 0);
  }
  e->was_reset = in[e->status.reset];
  e->was_halted = halted;
  e->halt_req = in[e->status.halt];
  return NULL;
}

static const char *observe(void *env, const uint32_t *in, const uint32_t *out) {
  struct arb_env *e = env;
  const char *said[] = {answers(e, in, out), at_memory(e, in, out), requests(e, in, out), commands(e, in, out)};
  e->cycle++;
  if (in[e->rst]) {
    begin(e);
    e->may_halt_from = e->cycle;
  }
  for (size_t i = 0; i < sizeof said / sizeof *said; i++)
    if (said[i]) return said[i];
  return NULL;
}

static uint64_t progress(const void *env, bool *busy) {
  const struct arb_env *e = env;
  *busy = e->open != 0;
  return e->done + e->moved;
}

static const uint64_t *coverage(const void *env) { return ((const struct arb_env *)env)->cover; }

static void explain(const void *env, const uint32_t *in, char *to, size_t room) {
  const struct arb_env *e = env;
  snprintf(to, room, "%srequests 0x%llx%s%s", in[e->rst] ? "reset; " : "", (unsigned long long)get(&in[e->valid], 0, e->clients),
           in[e->status.halt] ? "; halt" : "", in[e->status.reset] ? "; reset of the unit" : "");
}

const struct simt_verif simt_verif_mem_arbiter = {
  .block = &simt_block_mem_arbiter, .profiles = profiles, .directed = directed, .choice_size = sizeof(struct arb_env_choice),
  .stuck_cycles = 5000, .create = create, .destroy = destroy, .restart = restart, .choose = choose, .drive = drive,
  .observe = observe, .progress = progress, .coverage = coverage, .explain = explain,
};
