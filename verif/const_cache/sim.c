/* SPDX-License-Identifier: Apache-2.0 */
/* sim.c: the C model alone on a recorded stream: a draw is split into work items of up to BATCH vertices; each reads its
 * draw's words once in order, then runs CYCLES per vertex. The same stream goes through protocol `shared` at the same
 * size, to compare. Every word that an item reads is compared with the stream's value at the item's place. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "const_cache/env.h"
#include "const_cache/trace.h"

enum { DEFAULT_LATENCY = 200, MOST_SIM_SMS = 64, PLACES = 32, STUCK = 1 << 22 };

const struct simt_named cc_pickers[] = {
  {"batch32_cycles4", "Work items of up to 32 vertices, 4 cycles per vertex.", "CC-16"},
  {"batch32_cycles1", "Work items of up to 32 vertices, 1 cycle per vertex.", "CC-16"},
  {"batch32_cycles16", "Work items of up to 32 vertices, 16 cycles per vertex.", "CC-16"},
  {"draw_cycles1", "A work item is a whole draw, 1 cycle per vertex.", "CC-16"},
  {"draw_cycles4", "A work item is a whole draw, 4 cycles per vertex.", "CC-16"},
  {"draw_cycles16", "A work item is a whole draw, 16 cycles per vertex.", "CC-16"},
  {NULL, NULL, NULL}};
static const struct { unsigned batch, cycles; } pace[] = {{32, 4}, {32, 1}, {32, 16}, {0, 1}, {0, 4}, {0, 16}};

struct cc_item { uint32_t vertices, low, high; uint64_t *value; }; /* value: of low..high; UINT64_MAX where never written */
struct cc_sim_sm {
  bool active;
  struct cc_item item;
  uint32_t asked, answered;
  uint64_t runs_until;
};
#define CC_SIM_PORTS(PORT) \
  PORT(cmd_valid, cmd_valid_i) PORT(cmd_ready, cmd_ready_o) PORT(cmd_kind, cmd_kind_i) \
  PORT(cmd_addr, cmd_addr_i) PORT(cmd_data, cmd_data_i) PORT(work_valid, work_valid_o) \
  PORT(work_sm, work_sm_o) PORT(done_valid, done_valid_i) PORT(done_ready, done_ready_o) \
  PORT(rd_valid, rd_valid_i) PORT(rd_ready, rd_ready_o) PORT(rd_addr, rd_addr_i) \
  PORT(rsp_valid, rsp_valid_o) PORT(rsp_data, rsp_data_o)
SIMT_PORTS(cc_sim_ports, CC_SIM_PORTS)

struct cc_simulation {
  struct cc_layout l;
  const struct simt_model_ops *ops;
  const struct cc_trace *trace;
  struct simt_memory *memory;
  void *model;
  uint32_t *in, *out;
  unsigned batch, pace, latency;
  uint64_t *now;      /* value of each address at the place of the next command; all ones: never written */
  uint64_t *values;   /* PLACES + MOST_SIM_SMS pieces of `constants` words */
  bool *used;
  struct cc_item waiting[PLACES];
  unsigned head, n;
  struct cc_sim_sm sm[MOST_SIM_SMS];
  size_t at;
  uint32_t vertices_left;
  size_t gathered;                     /* records of the line that is written next */
  uint64_t line[CC_MOST_WORDS];
  uint64_t cycle, reads, items, idle, busy_sms, last;
  struct cc_sim_ports port;
  unsigned rd_words;
  struct simt_diag *diag;
  const volatile int *stop;
};

/* ---- making and unmaking -------------------------------------------------------------------------------- */

static void close_simulation(struct cc_simulation *s) {
  if (s->model) s->ops->destroy(s->model);
  simt_memory_destroy(s->memory);
  free(s->used);
  free(s->values);
  free(s->now);
  free(s->out);
  free(s->in);
}

static bool open_simulation(struct cc_simulation *s, const struct simt_config *cfg, unsigned latency) {
  cc_layout(cfg->value, &s->l);
  s->ops = &cfg->block->model;
  cc_sim_ports_bind(&s->port, cfg);
  s->rd_words = simt_find_port(cfg, "rd_addr_i")->words;
  const size_t pieces = PLACES + MOST_SIM_SMS;
  s->memory = simt_memory_create(cfg, s->diag);
  s->model = s->ops->create(cfg, s->diag);
  s->in = calloc(cfg->desc.in_words, sizeof *s->in);
  s->out = calloc(cfg->desc.out_words, sizeof *s->out);
  s->now = malloc(s->l.constants * sizeof *s->now);
  s->values = calloc(pieces * s->l.constants, sizeof *s->values);
  s->used = calloc(pieces, sizeof *s->used);
  if (!s->memory || !s->model || !s->in || !s->out || !s->now || !s->values || !s->used)
    return simt_fail(s->diag, cfg->name, "no memory", "memory for the simulation");
  memset(s->now, 0xff, s->l.constants * sizeof *s->now);
  simt_memory_fixed(s->memory, latency);
  s->latency = latency;
  return true;
}

/* ---- the command stream -------------------------------------------------------------------------------- */

static uint64_t *keep_values(struct cc_simulation *s, const struct cc_record *r) {
  size_t i = 0;
  while (s->used[i]) i++;
  s->used[i] = true;
  uint64_t *to = &s->values[i * s->l.constants];
  memcpy(to, &s->now[r->low], (r->high - r->low + 1) * sizeof *to);
  return to;
}

static void offer_command(struct cc_simulation *s) {
  const bool more = s->at < s->trace->n;
  s->in[s->port.cmd_valid] = more;
  if (!more) return;
  const struct cc_record *r = &s->trace->record[s->at];
  s->in[s->port.cmd_kind] = r->vertices ? CC_WORK : CC_WRITE;
  s->in[s->port.cmd_addr] = r->low - r->low % s->l.words;
  for (unsigned i = 0; i < s->l.words; i++) {
    const uint64_t word = s->line[i] == UINT64_MAX && s->l.word_w < 64 ? 0 : s->line[i]; /* never written: anything */
    simt_put_bits(&s->in[s->port.cmd_data], i * s->l.word_w, s->l.word_w, word);
  }
}

/* The writes from the present record on that fall into one line are one command; its other words are as they are. */
static void gather(struct cc_simulation *s) {
  const struct cc_record *r = &s->trace->record[s->at];
  s->gathered = 0;
  if (s->at == s->trace->n || r->vertices) return;
  const uint32_t first = r->low - r->low % s->l.words;
  memcpy(s->line, &s->now[first], s->l.words * sizeof *s->line);
  for (; s->at + s->gathered < s->trace->n; s->gathered++) {
    r = &s->trace->record[s->at + s->gathered];
    if (r->vertices || r->low - r->low % s->l.words != first || (s->l.words == 1 && s->gathered)) return;
    s->line[r->low - first] = r->value;
  }
}

static void command_taken(struct cc_simulation *s) {
  const struct cc_record *r = &s->trace->record[s->at];
  if (!r->vertices) {
    memcpy(&s->now[r->low - r->low % s->l.words], s->line, s->l.words * sizeof *s->line);
    s->at += s->gathered;
    gather(s);
    return;
  }
  if (!s->vertices_left) s->vertices_left = r->vertices;
  const uint32_t part = s->batch && s->vertices_left > s->batch ? s->batch : s->vertices_left;
  s->waiting[(s->head + s->n++) % PLACES] = (struct cc_item){part, r->low, r->high, keep_values(s, r)};
  s->vertices_left -= part;
  if (s->vertices_left) return;
  s->at++;
  gather(s);
}

/* ---- SMs ------------------------------------------------------------------------------------------------ */

static bool bit(const uint32_t *w, unsigned i) { return w[i / 32] >> i % 32 & 1; }

static bool take_answer(struct cc_simulation *s, unsigned i) {
  struct cc_sim_sm *m = &s->sm[i];
  const unsigned low = i * s->l.word_w;
  uint64_t value = s->out[s->port.rsp_data + low / 32] >> low % 32;
  if (s->l.word_w == 64) value |= (uint64_t)s->out[s->port.rsp_data + low / 32 + 1] << 32;
  if (s->l.word_w < 32) value &= (1u << s->l.word_w) - 1;
  const uint64_t right = m->item.value[m->answered];
  if (right != UINT64_MAX && right != value) {
    char got[80];
    snprintf(got, sizeof got, "0x%" PRIx64 " at %u, not 0x%" PRIx64 ", in cycle %" PRIu64, value, m->item.low + m->answered, right, s->cycle);
    return simt_fail(s->diag, "C model", got, "the value of the stream (a fault of the model)");
  }
  s->reads++;
  if (++m->answered == m->item.high - m->item.low + 1)
    m->runs_until = s->cycle + (uint64_t)m->item.vertices * s->pace;
  return true;
}

static void drive_sm(struct cc_simulation *s, unsigned i) {
  struct cc_sim_sm *m = &s->sm[i];
  const uint32_t words = m->item.high - m->item.low + 1;
  if (!m->active) return;
  if (m->asked < words) {
    const unsigned w = s->l.const_w, low = i * w;
    const uint64_t addr = (uint64_t)(m->item.low + m->asked) << low % 32;
    s->in[s->port.rd_valid + i / 32] |= 1u << i % 32;
    s->in[s->port.rd_addr + low / 32] |= (uint32_t)addr;
    if (low % 32 + w > 32) s->in[s->port.rd_addr + low / 32 + 1] |= (uint32_t)(addr >> 32);
    m->asked += bit(&s->out[s->port.rd_ready], i);
  } else if (m->answered == words && s->cycle >= m->runs_until) {
    s->in[s->port.done_valid + i / 32] |= 1u << i % 32;
    if (!bit(&s->out[s->port.done_ready], i)) return;
    s->used[(size_t)(m->item.value - s->values) / s->l.constants] = false;
    m->active = false;
    s->items++;
    s->last = s->cycle;
  }
}

/* ---- cycles ---------------------------------------------------------------------------------------------- */

static bool cycle(struct cc_simulation *s) {
  const unsigned words = (s->l.sms + 31) / 32;
  const uint64_t reads = s->reads;
  s->ops->outputs(s->model, s->out);
  if (s->out[s->port.work_valid]) {
    s->sm[s->out[s->port.work_sm]] = (struct cc_sim_sm){.active = true, .item = s->waiting[s->head]};
    s->head = (s->head + 1) % PLACES;
    s->n--;
  }
  memset(&s->in[s->port.rd_valid], 0, words * sizeof *s->in);
  memset(&s->in[s->port.done_valid], 0, words * sizeof *s->in);
  memset(&s->in[s->port.rd_addr], 0, s->rd_words * sizeof *s->in);
  for (unsigned i = 0; i < s->l.sms; i++) {
    if (bit(&s->out[s->port.rsp_valid], i) && !take_answer(s, i)) return false;
    s->busy_sms += s->sm[i].active;
    drive_sm(s, i);
  }
  offer_command(s);
  if (s->in[s->port.cmd_valid] && s->out[s->port.cmd_ready]) command_taken(s);
  s->idle += s->reads == reads;
  simt_memory_drive(s->memory, 0, s->in);
  const char *wrong = simt_memory_observe(s->memory, s->in, s->out);
  if (wrong) return simt_fail(s->diag, "C model", wrong, "a lawful memory request (a fault of the model)");
  s->ops->step(s->model, s->in);
  s->cycle++;
  return true;
}

static bool work_left(const struct cc_simulation *s) {
  if (s->at < s->trace->n || s->n) return true;
  for (unsigned i = 0; i < s->l.sms; i++)
    if (s->sm[i].active) return true;
  return false;
}

static bool run(struct cc_simulation *s) {
  gather(s);
  do { /* until the block takes commands, as after every reset */
    s->ops->outputs(s->model, s->out);
    if (s->out[s->port.cmd_ready]) break;
    s->ops->step(s->model, s->in);
  } while (true);
  while (work_left(s)) {
    if (s->cycle % 65536 == 0 && s->stop && *s->stop) return false;
    if (s->cycle > s->last + STUCK + (uint64_t)s->pace * 1000000000) return simt_fail(s->diag, "C model", "no item completes for a long time", "progress (a fault of the model)");
    if (!cycle(s)) return false;
  }
  const unsigned rest = 4 * CC_COUNTERS + 2 * CC_FIFO * (s->latency + 32);
  for (unsigned i = 0; i < rest; i++) { /* the last writes have taken effect, the counters have seen all */
    memset(s->in, 0, (s->port.rd_addr + s->rd_words) * sizeof *s->in);
    s->ops->outputs(s->model, s->out);
    simt_memory_drive(s->memory, 0, s->in);
    simt_memory_observe(s->memory, s->in, s->out);
    s->ops->step(s->model, s->in);
  }
  return true;
}

/* ---- results ---------------------------------------------------------------------------------------------- */

struct cc_figures { uint64_t cycles, reads, items, idle, busy_sms, n; struct { const char *name; uint64_t value; } of[CC_COUNTERS + 2]; };

static void visit(void *ctx, const char *name, uint64_t value) {
  struct cc_figures *f = ctx;
  f->of[f->n].name = name;
  f->of[f->n++].value = value;
}

static bool simulate(const struct simt_config *cfg, const struct simt_stimulus *stim, const struct cc_trace *t, unsigned picker,
                     struct cc_figures *f, struct simt_diag *diag) {
  struct cc_simulation s = {.trace = t, .batch = pace[picker].batch, .pace = pace[picker].cycles, .diag = diag, .stop = stim->stop};
  const bool good = open_simulation(&s, cfg, stim->latency ? stim->latency : DEFAULT_LATENCY) && run(&s);
  *f = (struct cc_figures){.cycles = s.cycle, .reads = s.reads, .items = s.items, .idle = s.idle, .busy_sms = s.busy_sms};
  if (good) s.ops->stats(s.model, visit, f);
  close_simulation(&s);
  return good;
}

static bool simulate_shared(const struct simt_config *cfg, const struct simt_stimulus *stim, const struct cc_trace *t,
                            unsigned picker, struct cc_figures *f, struct simt_diag *diag) {
  struct simt_config shared;
  simt_config_init(&shared, cfg->block);
  memcpy(shared.value, cfg->value, sizeof shared.value);
  memcpy(shared.given, cfg->given, sizeof shared.given);
  const bool good = simt_set_param(&shared, "PROTOCOL", "shared", diag) && simt_resolve(&shared, diag) &&
                    simulate(&shared, stim, t, picker, f, diag);
  simt_config_free(&shared);
  return good;
}

static void put_figures(const struct cc_figures *f, const char *prefix, const struct cc_layout *l,
                        void (*put)(void *ctx, const char *name, double value, const char *unit, const char *doc), void *ctx) {
  static char names[2 * (CC_COUNTERS + 8)][48];
  unsigned n = prefix[0] ? CC_COUNTERS + 8 : 0;
  const struct { const char *name; double value; const char *unit, *doc; } row[] = {
    {"cycles", (double)f->cycles, "cycles", "from the first command to the last completion"},
    {"idle_cycles", (double)f->idle, "cycles", "in which no read is answered"},
    {"sm_percent", 100.0 * (double)f->busy_sms / (double)(f->cycles * l->sms), "%", "of SM-cycles with a work item"}};
  for (size_t i = 0; i < sizeof row / sizeof *row; i++, n++) {
    snprintf(names[n], sizeof names[n], "%s%s", prefix, row[i].name);
    put(ctx, names[n], row[i].value, row[i].unit, row[i].doc);
  }
  for (unsigned i = 0; i < f->n; i++, n++) {
    int at = snprintf(names[n], sizeof names[n], "%s", prefix);
    for (const char *c = f->of[i].name; *c && at < 46; c++) names[n][at++] = (char)(*c >= 'A' && *c <= 'Z' ? *c + 32 : *c);
    names[n][at] = '\0';
    put(ctx, names[n], (double)f->of[i].value, "", i < CC_COUNTERS && f->n > 2 ? cc_counter_of(l, (enum cc_counter)i)->doc : "most at a time");
  }
}

bool cc_sim(const struct simt_config *cfg, const struct simt_stimulus *stim,
            void (*put)(void *ctx, const char *name, double value, const char *unit, const char *doc), void *ctx,
            struct simt_diag *diag) {
  unsigned picker = 0;
  while (stim->picker && cc_pickers[picker].name && strcmp(cc_pickers[picker].name, stim->picker)) picker++;
  if (!cc_pickers[picker].name)
    return simt_fail(diag, "--picker", stim->picker, "batch32_cycles1, _cycles4, _cycles16, draw_cycles1, _cycles4 or _cycles16");
  struct cc_layout l;
  cc_layout(cfg->value, &l);
  struct cc_trace *t = cc_trace_read(stim->trace, l.constants, l.word_w, diag);
  struct cc_figures own, shared;
  const bool good = t && simulate(cfg, stim, t, picker, &own, diag) && simulate_shared(cfg, stim, t, picker, &shared, diag);
  if (good) {
    put(ctx, "memory_latency", stim->latency ? stim->latency : DEFAULT_LATENCY, "cycles", "from a request taken to its answer");
    put(ctx, "operations", (double)own.reads, "reads", "constants read by work items");
    put(ctx, "items", (double)own.items, "items", "work items");
    put(ctx, "draws", (double)t->draws, "draws", "of the stream");
    put(ctx, "speed_up", (double)shared.cycles / (double)own.cycles, "", "cycles of protocol shared by those of this one");
    put_figures(&own, "", &l, put, ctx);
    l.protocol = CC_SHARED;
    put_figures(&shared, "shared.", &l, put, ctx);
  }
  cc_trace_free(t);
  return good;
}
