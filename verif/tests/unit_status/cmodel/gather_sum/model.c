/* SPDX-License-Identifier: Apache-2.0 */
/* model.c: cycle model of the example unit. */
#include <stdlib.h>
#include <string.h>

#include "core/image.h"
#include "core/unit_shell.h"
#include "gather_sum/gather_sum.h"

enum { MAX_CHANNELS = 64, MASK24 = 0xffffff };
enum gs_phase { CLEAR, TAKE, ISSUE, ANSWER, READ, ADD };
enum kind { DIRECT, INDIRECT, FLUSH };
enum gs_step { BITS, BASE, WORK, OUT, SUMS, BEYOND }; /* words of a context, in order */

struct gs_state {
  enum gs_phase phase;
  uint32_t kind, channel, data;               /* the word at work */
  uint32_t out_valid, out_channel, out_count, out_data;
  uint32_t sum[MAX_CHANNELS], count[MAX_CHANNELS], live, turn, flush, base;
  uint32_t req, busy, addr;                   /* the access */
  uint32_t clear_left;                        /* channels still to be cleared */
  enum gs_step step;                             /* of the context stream */
  uint32_t walk;
  bool ld_work, ld_out, ld_nack;
  struct simt_unit_shell shell;
};

#define GS_PORTS(PORT) \
  PORT(rst, rst_i) PORT(in_valid, in_valid_i) PORT(in_ready, in_ready_o) PORT(in_channel, in_channel_i) \
  PORT(in_indirect, in_indirect_i) PORT(in_data, in_data_i) PORT(out_valid, out_valid_o) \
  PORT(out_ready, out_ready_i) PORT(out_channel, out_channel_o) PORT(out_count, out_count_o) \
  PORT(out_data, out_data_o) PORT(req_valid, mem_req_valid_o) PORT(req_ready, mem_req_ready_i) \
  PORT(req_write, mem_req_write_o) PORT(req_tag, mem_req_tag_o) PORT(req_addr, mem_req_addr_o) \
  PORT(req_data, mem_req_data_o) PORT(req_strb, mem_req_strb_o) PORT(rsp_valid, mem_rsp_valid_i) \
  PORT(rsp_ready, mem_rsp_ready_o) PORT(rsp_data, mem_rsp_data_i) PORT(rsp_error, mem_rsp_error_i)
SIMT_PORTS(gs_places, GS_PORTS)

struct gather {
  const struct simt_config *cfg;
  struct gs_state s;
  uint32_t channels, group;
  struct gs_places at;
};

void *gather_create(const struct simt_config *cfg, struct simt_diag *diag) {
  struct gather *m = calloc(1, sizeof *m);
  if (!m) {
    simt_fail(diag, cfg->name, "no memory", "memory for the model");
    return NULL;
  }
  m->cfg = cfg;
  m->channels = (uint32_t)cfg->value[GATHER_CHANNELS];
  m->group = (uint32_t)cfg->value[GATHER_GROUP];
  gs_places_bind(&m->at, cfg);
  simt_shell_find(&m->s.shell, cfg, 1 + (unsigned)cfg->value[GATHER_ENCODING], GATHER_UNIT_TYPE,
                  (uint32_t)simt_derived(cfg, "CFG_HASH"), (uint32_t)simt_derived(cfg, "CTX_MAX"));
  gather_reset(m);
  return m;
}

void gather_destroy(void *model) { free(model); }

/* What a reset of the context, and an aborted load, clear; an access under way goes on and is dropped. */
static void clear(struct gather *m) {
  struct gs_state *s = &m->s;
  s->phase = CLEAR;
  s->clear_left = m->channels;
  s->out_valid = s->live = s->turn = s->flush = 0;
}

void gather_reset(void *model) {
  struct gather *m = model;
  struct simt_unit_shell shell = m->s.shell;
  memset(&m->s, 0, sizeof m->s);
  simt_shell_reset(&shell);
  m->s.shell = shell;
  clear(m);
}

/* ---- what the unit is in this cycle ------------------------------------------------------------------ */

static bool can_halt(const struct gs_state *s) { return s->phase != CLEAR && s->phase != ANSWER; }
static bool halted(const struct gs_state *s) { return simt_shell_halted(&s->shell); }
static bool still(const struct gs_state *s) { return simt_shell_still(&s->shell, can_halt(s)); }
static bool in_ready(const struct gs_state *s) {
  return s->phase == TAKE && !s->flush && !s->shell.closed && !s->shell.port.r.load;
}
static bool at_work(const struct gs_state *s) { return s->phase == ISSUE || s->phase == READ; }
static bool has_work(const struct gs_state *s) {
  return (s->phase != CLEAR && s->phase != TAKE) || s->out_valid || s->live || s->flush;
}

/* ---- context ------------------------------------------------------------------------------------------ */

static uint32_t save_word(const struct gather *m) {
  const struct gs_state *s = &m->s;
  switch (s->step) {
    case BITS: {
      uint32_t work = at_work(s) ? 2 | s->kind << 2 | s->channel << 16 : 0;
      uint32_t out = s->out_valid ? 1u << 4 | s->out_channel << 8 : 0;
      return s->turn << 24 | s->flush << 5 | work | out | s->shell.fsm.nack;
    }
    case BASE: return s->base;
    case WORK: return s->kind == FLUSH ? 0 : s->data;
    case OUT: return s->out_count << 24 | s->out_data;
    default: return s->count[s->walk] << 24 | s->sum[s->walk];
  }
}

static struct simt_context_unit offer(const struct gather *m) {
  const struct gs_state *s = &m->s;
  const bool save = s->shell.port.r.save;
  return (struct simt_context_unit){
    .can_halt = can_halt(s), .ld_ready = true, .len = 2 + at_work(s) + s->out_valid + m->channels, .sav_valid = save,
    .sav_data = save ? save_word(m) : 0, .sav_last = s->step == SUMS && s->walk + 1 == m->channels};
}

static bool wrong_flags(const struct gather *m, uint32_t w) {
  uint32_t turn = w >> 24, channel = w >> 16 & 0xff, out_channel = w >> 8 & 0xff, kind = w >> 2 & 3;
  if (turn >= m->channels || channel >= m->channels || out_channel >= m->channels || kind == 3) return true;
  if (w & 0xc0) return true;
  return (!(w & 2) && (channel || kind)) || (!(w & 16) && out_channel);
}

/* Whether no save of this configuration can have written this word. */
static bool wrong(const struct gather *m, uint32_t w) {
  switch (m->s.step) {
    case BITS: return wrong_flags(m, w);
    case BASE: return w >> 24;
    case WORK: return m->s.kind == FLUSH ? w : w >> 24;
    case OUT: return w >> 24 == 0 || w >> 24 > m->group;
    case SUMS: return w >> 24 >= m->group;
    default: return true;
  }
}

static void load_word(struct gs_state *s, uint32_t w) {
  switch (s->step) {
    case BITS:
      s->turn = w >> 24 & 63;
      s->flush = w >> 5 & 1;
      s->channel = w >> 16 & 63;
      s->out_channel = w >> 8 & 63;
      s->kind = w >> 2 & 3;
      s->ld_nack = w & 1;
      s->ld_work = w & 2;
      s->ld_out = w & 16;
      s->live = 0;
      break;
    case BASE: s->addr = w & MASK24; break; /* becomes BASE when all is known to be good */
    case WORK: s->data = w & MASK24; break;
    case OUT: s->out_count = w >> 24; s->out_data = w & MASK24; break;
    case SUMS:
      s->count[s->walk] = w >> 24;
      s->sum[s->walk] = w & MASK24;
      s->live += w >> 24 != 0;
      break;
    default: break;
  }
}

static void next_word(struct gather *m, bool work, bool out) {
  struct gs_state *s = &m->s;
  if (s->step == SUMS && ++s->walk < m->channels) return;
  if (s->step == SUMS) s->step = BEYOND;
  else if (s->step == BITS) s->step = BASE;
  else if (s->step == BASE && work) s->step = WORK;
  else if (s->step < OUT && out) s->step = OUT;
  else if (s->step < SUMS) s->step = SUMS;
}

/* Whether the word that comes in is one that no save writes here. */
static bool move_context(struct gather *m) {
  struct gs_state *s = &m->s;
  const struct simt_context_to_unit *c = &s->shell.to;
  bool bad = false;
  if (c->ld_taken) {
    bad = wrong(m, c->ld_data) || (c->ld_last && (s->step != SUMS || s->walk + 1 != m->channels));
    load_word(s, c->ld_data);
    next_word(m, s->ld_work, s->ld_out);
  } else if (c->sav_taken) {
    next_word(m, at_work(s), s->out_valid);
  } else if (!simt_shell_moves(&s->shell)) {
    s->step = BITS;
    s->walk = 0;
  }
  return bad;
}

static void commit(struct gs_state *s) {
  s->base = s->addr;
  s->out_valid = s->ld_out;
  s->phase = !s->ld_work ? TAKE : s->kind == INDIRECT ? ISSUE : READ;
}

/* ---- a cycle ------------------------------------------------------------------------------------------ */

struct gs_moves { bool takes, flushes, delivered, issued, answered, refused, adds, proc; };

/* The word at work reaches its channel: READ has gone, ADD is now. */
static void add(struct gather *m, uint32_t count, bool emits) {
  struct gs_state *s = &m->s;
  uint32_t *sum = &s->sum[s->channel], *had = &s->count[s->channel];
  uint32_t total = (*sum + (s->kind == FLUSH ? 0 : s->data)) & MASK24;
  s->live += !*had && !emits && s->kind != FLUSH;
  s->live -= *had && emits;
  if (emits) {
    s->out_valid = 1;
    s->out_channel = s->channel;
    s->out_count = count;
    s->out_data = total;
  }
  *had = emits ? 0 : count;
  *sum = emits ? 0 : total;
  s->phase = TAKE;
}

/* The access under way; whether it clears the nack bit. */
static bool registers(struct gather *m, uint32_t base_now, bool idle) {
  struct gs_state *s = &m->s;
  struct simt_reg_access *a = &s->shell.reg;
  if (!a->busy) return false;
  bool known = a->addr % 4 == 0, base_good = a->data >> 24 == 0 && (halted(s) || idle);
  bool base = a->write && a->addr == 0, good = known && (!base || base_good);
  simt_reg_answer(a, good, a->addr ? s->shell.fsm.nack : base_now);
  if (base && good) s->base = a->data;
  return a->write && a->addr == 4 && (a->data & 1);
}

/* The unit's own work, without context and commands. */
static void work(struct gather *m, const uint32_t *in, const struct gs_moves *now, uint32_t count, bool emits) {
  struct gs_state *s = &m->s;
  const enum gs_phase phase = s->phase;
  if (now->delivered) s->out_valid = 0;
  if (s->req && in[m->at.req_ready]) s->req = 0;
  if (now->answered) s->busy = 0;
  if (now->takes) {
    s->kind = in[m->at.in_indirect];
    s->channel = in[m->at.in_channel];
    s->data = in[m->at.in_data];
    s->phase = s->kind == INDIRECT ? ISSUE : READ;
  } else if (now->flushes) {
    s->flush = 0;
    s->kind = FLUSH;
    s->channel = s->turn;
    s->turn = (s->turn + 1) % m->channels;
    s->phase = READ;
  } else if (now->answered && phase == ANSWER) {
    s->kind = DIRECT;
    s->data = now->refused ? 0 : in[m->at.rsp_data] & MASK24;
    s->phase = READ;
  } else if (now->issued) {
    s->req = s->busy = 1;
    s->addr = (s->base + s->data) & MASK24;
    s->phase = ANSWER;
  } else if (phase == READ && now->proc) {
    s->phase = ADD;
  } else if (phase == ADD && still(s)) {
    s->phase = READ; /* saved as a word at work */
  } else if (now->adds) {
    add(m, count, emits);
  } else if (phase == CLEAR) {
    if (s->clear_left) s->clear_left--, s->count[s->clear_left] = s->sum[s->clear_left] = 0;
  }
}

void gather_step(void *model, const uint32_t *in) {
  struct gather *m = model;
  struct gs_state *s = &m->s;
  const struct gs_places *at = &m->at;
  if (in[at->rst]) {
    gather_reset(m);
    return;
  }
  const bool flush = s->kind == FLUSH, frozen = still(s), was_busy = s->busy;
  const uint32_t base_now = s->base;
  const uint32_t count = s->count[s->channel % MAX_CHANNELS] + !flush;
  const bool emits = flush ? count : count == m->group;
  const bool stuck = emits && s->out_valid && !in[at->out_ready];
  struct gs_moves now = {.takes = in_ready(s) && in[at->in_valid],
                      .flushes = s->phase == TAKE && s->flush && !frozen,
                      .delivered = s->out_valid && !frozen && in[at->out_ready],
                      .issued = s->phase == ISSUE && !frozen,
                      .answered = s->busy && !s->req && in[at->rsp_valid]};
  now.refused = now.answered && s->phase == ANSWER && in[at->rsp_error];
  now.adds = s->phase == ADD && !frozen && !stuck;
  now.proc = now.issued || (s->phase == READ && !frozen) || now.adds || now.flushes;

  struct simt_unit_signals u = {
    .in = in[at->in_valid] && s->phase == TAKE && !s->flush && !simt_shell_clears(&s->shell),
    .out = s->out_valid && (in[at->out_ready] || halted(s)),
    .proc = now.proc, .work = has_work(s), .mem = s->busy, .mem_done = now.answered, .nack = now.refused,
    .blocked = s->out_valid && !in[at->out_ready],
    .progress = now.takes || now.delivered || now.answered || (s->req && in[at->req_ready]) || now.proc,
    .gather = s->phase == TAKE && !s->flush && !s->out_valid && s->live};
  u.cannot = !(at_work(s) || (s->phase == ADD && !stuck) || (s->phase == TAKE && s->flush) || u.in);

  simt_shell_begin(&s->shell, offer(m), in);
  const struct simt_context_registers *r = &s->shell.port.r;
  const bool resume = s->shell.fsm.resume && s->phase != CLEAR;
  bool idle = !has_work(s) && s->phase != CLEAR;
  work(m, in, &now, count, emits);
  if (resume) s->flush = 1;
  if (s->phase == CLEAR && !s->clear_left && !was_busy) s->phase = TAKE;
  struct simt_shell_says says = {.wrong = move_context(m), .nack_load = s->ld_nack};
  if (r->commit) commit(s);
  says.nack_clear = registers(m, base_now, idle);
  if (simt_shell_clears(&s->shell)) clear(m);
  simt_shell_end(&s->shell, &u, &says, in);
}

void gather_outputs(const void *model, uint32_t *out) {
  const struct gather *m = model;
  const struct gs_state *s = &m->s;
  const struct gs_places *at = &m->at;
  out[at->in_ready] = in_ready(s);
  out[at->out_valid] = s->out_valid && !still(s);
  out[at->out_channel] = s->out_channel;
  out[at->out_count] = s->out_count;
  out[at->out_data] = s->out_data;
  out[at->req_valid] = s->req;
  out[at->req_write] = out[at->req_tag] = out[at->req_data] = out[at->req_strb] = 0;
  out[at->req_addr] = s->addr << 2;
  out[at->rsp_ready] = s->busy && !s->req;
  simt_shell_outputs(&s->shell, offer(m), out);
}

void gather_parts(void *model, struct simt_image *image) {
  struct gather *m = model;
  simt_image_part_with_shell(image, &m->s, sizeof m->s, &m->s.shell);
}

void gather_stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx) {
  const struct gather *m = model;
  visit(ctx, "live", m->s.live);
}
