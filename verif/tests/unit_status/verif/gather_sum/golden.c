/* SPDX-License-Identifier: Apache-2.0 */
/* golden.c: what the example unit means, without timing, and what every unit owes to its port contract. */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "gather_sum/env.h"

const char *wrong(struct gs_env *e, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  vsnprintf(e->message, sizeof e->message, format, ap);
  va_end(ap);
  return e->message;
}

void golden_reset(struct gs_env *e, bool all) {
  uint32_t base = all ? 0 : e->g.base; /* a run-time register outlives a reset of the context */
  e->g = (struct golden){.base = base};
}

static void owe(struct golden *g, struct sum *s, uint32_t channel) {
  g->owed[g->n_owed % 4] = (struct sum){channel, s->count, s->data & 0xffffff};
  g->n_owed++;
  *s = (struct sum){0, 0, 0};
}

static void add_word(struct gs_env *e, uint32_t channel, uint32_t data) {
  struct sum *s = &e->g.channel[channel];
  s->count++;
  s->data += data;
  if (s->count == e->group) owe(&e->g, s, channel);
}

/* The flush that was asked for, once no word is at work. */
static void flush(struct gs_env *e) {
  struct golden *g = &e->g;
  if (!g->flush || g->waits) return;
  g->flush = false;
  if (g->channel[g->turn].count) owe(g, &g->channel[g->turn], g->turn);
  g->turn = (g->turn + 1) % e->channels;
}

static const char *check_output(struct gs_env *e, const uint32_t *out) {
  struct golden *g = &e->g;
  const struct sum *s = &g->owed[0];
  if (!g->n_owed) return "a sum is offered that is not owed";
  if (out[e->out_channel] != s->channel || out[e->out_count] != s->count || out[e->out_data] != s->data)
    return wrong(e, "sum of channel %u: %u words 0x%06x offered, channel %u: %u words 0x%06x owed", out[e->out_channel],
                 out[e->out_count], out[e->out_data], s->channel, s->count, s->data);
  return NULL;
}

static const char *check_answer(struct gs_env *e, const uint32_t *in) {
  struct golden *g = &e->g;
  if (e->dropped) {
    e->dropped--;
    return NULL;
  }
  if (!g->waits) return "an answer is taken that no word waits for";
  uint8_t bytes[4];
  simt_memory_peek(e->memory, (uint64_t)((g->base + g->wait_index) & 0xffffff) << 2, bytes, 4);
  uint32_t data = bytes[0] | (uint32_t)bytes[1] << 8 | (uint32_t)bytes[2] << 16;
  g->waits = false;
  if (in[e->rsp_error]) {
    g->nack = true;
    e->cover[COVER_REFUSED_ACCESS]++;
  }
  add_word(e, g->wait_channel, in[e->rsp_error] ? 0 : data);
  return NULL;
}

static const char *transfers(struct gs_env *e, const uint32_t *in, const uint32_t *out) {
  struct golden *g = &e->g;
  const bool clears = e->dropped; /* quiescent, only while the answer to a cleared context is awaited */
  const char *said = out[e->out_valid] ? check_output(e, out) : NULL;
  if (!said && out[e->out_valid] && in[e->out_ready]) {
    e->cover[COVER_RESUMED] += g->owed[0].count < e->group;
    memmove(&g->owed[0], &g->owed[1], 3 * sizeof g->owed[0]);
    g->n_owed--;
    e->done++;
  }
  e->offered = out[e->out_valid] && !in[e->out_ready];
  if (!said && in[e->rsp_valid] && out[e->rsp_ready]) said = check_answer(e, in);
  if (in[e->in_valid] && out[e->in_ready]) {
    if (g->waits) return "a word is taken while another one is at work";
    e->held = false;
    e->done++;
    flush(e);
    if (in[e->in_indirect]) {
      g->waits = true;
      g->wait_channel = in[e->in_channel];
      g->wait_index = in[e->in_data];
    } else {
      add_word(e, in[e->in_channel], in[e->in_data]);
    }
  }
  if (e->resume_before && e->state == SIMT_QUIESCENT && !clears) g->flush = true;
  flush(e);
  if (!said && g->n_owed > 3) said = "more sums are owed than the unit can hold";
  return said;
}

/* ---- the port contract of every unit ------------------------------------------------------------------- */

static bool decode(const struct gs_env *e, uint32_t code, enum simt_unit_state *state) {
  static const uint8_t codes[3][5] = {{1, 2, 4, 8, 16}, {0x3, 0x5, 0x6, 0x9, 0xa}, {0, 1, 2, 3, 4}};
  for (int i = 0; i < 5; i++)
    if (codes[e->encoding][i] == code) {
      *state = (enum simt_unit_state)i;
      return true;
    }
  return false;
}

static const char *check_state(struct gs_env *e, const uint32_t *out) {
  const struct simt_status_ports *at = &e->status;
  bool halted = e->state == SIMT_HALTED, waits = e->state == SIMT_STALLED || e->state == SIMT_QUIESCENT;
  if (out[at->waiting] != waits) return "waiting does not agree with the state";
  if (out[at->gather] && e->state != SIMT_QUIESCENT) return "gather is reported outside of quiescent";
  if (out[at->nack] != e->g.nack) return "the nack bit is not as it should be";
  if (halted && (e->under_way || out[e->req_valid])) return "halted is reported while an access is pending";
  if (halted && (out[e->in_ready] || out[e->out_valid] || out[e->rsp_ready])) return "a halted unit moves words";
  if (e->halt_before && out[e->in_ready]) return "a word is taken under a halt request";
  if (e->was_halt && out[e->req_valid] && !e->under_way) return "an access is begun under a halt request";
  if (!halted && out[e->ctx.cmd_ready]) return "a context is moved while the unit is not halted";
  if (halted && e->last == SIMT_HALTED && out[at->progress]) return "a halted unit reports progress";
  if (e->was_reset && e->state != SIMT_EMPTY) return "not empty after a reset";
  if (e->last == SIMT_HALTED && halted != e->was_halt && !e->was_reset) return "halted and the halt request differ";
  if (halted && e->last != SIMT_HALTED) {
    e->cover[COVER_HALTED_FROM + e->last]++;
    if (!e->was_halt) return "halted without a request";
  }
  e->cover[COVER_WITHDRAWN] += e->offered && !out[e->out_valid] && e->halt_before;
  /* From the request or a reset at the unit on; waiting for memory is not counted. */
  if (!e->halt_before || halted || e->reset_before) e->halt_cycles = 0;
  else if (!e->under_way && ++e->halt_cycles > e->halt_own) return "not halted in time";
  return NULL;
}

/* An access that was taken in the last cycle executes in this one, and is answered in the next. */
static void execute(struct gs_env *e) {
  struct golden *g = &e->g;
  const uint32_t addr = e->access.addr, data = e->access.data;
  const bool base = e->access.write && addr == 0;
  bool empty = !g->waits && !g->n_owed;
  for (uint32_t i = 0; i < e->channels; i++) empty = empty && !g->channel[i].count;
  e->reg_answer = e->access.write || (addr != 0 && addr != 4) ? 0 : addr ? g->nack : g->base;
  /* BASE: must be taken while halted, must not be while there is work, may be otherwise. */
  e->must_refuse = (addr != 0 && addr != 4) || (base && (data >> 24 || (e->state != SIMT_HALTED && !empty)));
  e->may_refuse = e->must_refuse || (base && e->state != SIMT_HALTED);
  if (e->access.write && addr == 4 && (data & 1)) g->nack = false;
}

static const char *check_register(struct gs_env *e, const uint32_t *in, const uint32_t *out) {
  const bool answers = e->reg_stage == 2;
  if (out[e->reg_rsp] != answers) return "a register access is not answered two cycles behind";
  if (answers && out[e->reg_rsp_error] && !e->may_refuse) return "a register access is refused";
  if (answers && !out[e->reg_rsp_error] && e->must_refuse) return "a register access is not refused";
  if (answers && out[e->reg_rsp_data] != e->reg_answer) return "a register reads wrong";
  if (answers && e->access.write && !e->access.addr && !out[e->reg_rsp_error]) e->g.base = e->access.data;
  if (e->reg_stage == 1) execute(e);
  e->reg_stage = e->reg_stage == 1 ? 2 : 0;
  if (in[e->reg_valid] && out[e->reg_ready]) {
    e->access.write = in[e->reg_write];
    e->access.addr = in[e->reg_addr];
    e->access.data = in[e->reg_data];
    e->reg_stage = 1;
  }
  return NULL;
}

const char *golden_observe(struct gs_env *e, const uint32_t *in, const uint32_t *out) {
  if (!decode(e, out[e->status.state], &e->state)) return "the state is none of the five";
  const char *said = check_state(e, out);
  if (!said) said = check_register(e, in, out);
  const char *more = transfers(e, in, out);
  if (!said) said = more;
  if (out[e->req_valid]) e->under_way = true;
  if (in[e->rsp_valid] && out[e->rsp_ready]) e->under_way = false;
  if (e->reset_before) {
    e->cover[COVER_RESET_WITH_ACCESS] += e->under_way;
    e->dropped = e->under_way;
    golden_reset(e, false);
  }
  e->was_halt = e->halt_before;
  e->was_reset = e->reset_before;
  e->halt_before = in[e->status.halt];
  e->reset_before = in[e->status.reset];
  e->resume_before = in[e->status.resume] && !in[e->status.halt] && !in[e->status.reset];
  e->last = e->state;
  return e->blind ? NULL : said;
}
