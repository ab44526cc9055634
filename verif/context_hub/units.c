/* SPDX-License-Identifier: Apache-2.0 */
/* units.c: the units, played: each has a context of any length behind the context port of the library. Units that no
 * command is about show anything at all. */
#include <string.h>

#include "context_hub/env.h"

enum { I_UNIT, I_CMD, I_LOAD, I_OUT_READY, I_IN_VALID, I_IN_DATA, I_IN_LAST, I_IN_ERROR, N_IN };
enum { O_CMD_READY, O_DONE, O_ERROR, O_OUT_VALID, O_OUT_DATA, O_OUT_LAST, O_IN_READY, N_OUT };
static const struct simt_context_ports ports = {
  .unit = I_UNIT, .cmd_valid = I_CMD, .cmd_load = I_LOAD, .out_ready = I_OUT_READY, .in_valid = I_IN_VALID,
  .in_data = I_IN_DATA, .in_last = I_IN_LAST, .in_error = I_IN_ERROR, .cmd_ready = O_CMD_READY, .done = O_DONE,
  .error = O_ERROR, .out_valid = O_OUT_VALID, .out_data = O_OUT_DATA, .out_last = O_OUT_LAST, .in_ready = O_IN_READY};
enum { CLEARING = 20 }; /* cycles */

static void clear(struct content *c) {
  c->len = 1;
  c->word[0] = 0;
}

void hub_units_restart(struct hub_env *e) {
  for (unsigned t = 0; t < TRACKED; t++) {
    struct played *u = &e->unit[t];
    u->port = (struct simt_context_port){.unit_type = UNIT_TYPE, .cfg_hash = CFG_HASH_OF_UNITS, .ctx_max = MOST_WORDS, .may_be_empty = true};
    simt_context_reset(&u->port);
    clear(&u->now);
    u->at = 0;
    u->clear_until = 0;
    u->released = false;
  }
}

void hub_unit_new_content(struct hub_env *e, struct played *u, uint32_t len) {
  if (len == NO_WORDS) len = 0;
  u->now.len = len;
  for (uint32_t i = 0; i < len; i++) u->now.word[i] = (uint32_t)simt_rng_next(&e->content);
}

static struct simt_context_unit offer(const struct hub_env *e, const struct played *u) {
  return (struct simt_context_unit){
    .halted = !u->released, .can_halt = (e->unit_flags & CMD_READY) && e->cycle >= u->clear_until, .len = u->now.len,
    .sav_valid = u->port.r.save && (e->unit_flags & UNIT_OUT), .sav_data = u->now.word[u->at % MOST_WORDS],
    .sav_last = u->at + 1 == u->now.len, .ld_ready = (e->unit_flags & UNIT_IN) != 0};
}

static void set_bits(uint32_t *words, unsigned at, unsigned n, uint32_t value) {
  const uint32_t mask = (UINT32_C(1) << n) - 1;
  uint32_t *w = words + at / 32;
  w[0] = (w[0] & ~(mask << at % 32)) | (value & mask) << at % 32;
  if (at % 32 + n > 32) w[1] = (w[1] & ~(mask >> (32 - at % 32))) | (value & mask) >> (32 - at % 32);
}

/* No rule of the port contract holds: several ends, words behind the last one and behind the end. */
static void drive_wild(const struct hub_env *e, uint32_t *in) {
  const uint32_t draw = e->unit_draw, n = e->unit[e->active].number;
  set_bits(&in[e->at.cmd_ready], n, 1, (e->unit_flags & CMD_READY) != 0);
  set_bits(&in[e->at.out_valid], n, 1, (e->unit_flags & UNIT_OUT) != 0);
  set_bits(&in[e->at.in_ready], n, 1, (e->unit_flags & UNIT_IN) != 0);
  set_bits(&in[e->at.ctx_done], n, 1, draw % (e->unit_done ? 4 : 32) == 0);
  set_bits(&in[e->at.ctx_error], 3 * n, 3, draw >> 5 & 1 ? draw >> 6 : 0);
  set_bits(&in[e->at.out_last], n, 1, (draw >> 9 & 3) == 0);
}

void hub_unit_drive(struct hub_env *e, uint32_t *in) {
  const unsigned vector = (e->l.units + 31) / 32;
  const struct { unsigned word, words; } parts[] = {
    {e->at.cmd_ready, vector}, {e->at.ctx_done, vector}, {e->at.ctx_error, (3 * e->l.units + 31) / 32},
    {e->at.out_valid, vector}, {e->at.out_last, vector}, {e->at.in_ready, vector}, {e->at.out_data, e->l.units}};
  for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
    memcpy(&in[parts[i].word], &e->noise[parts[i].word], parts[i].words * sizeof *in);
  if (e->wild) drive_wild(e, in);
  for (unsigned i = 0; i < 2 && !e->wild; i++) {
    const struct played *u = &e->unit[i ? e->active : e->before];
    const struct simt_context_unit o = offer(e, u);
    uint32_t out[N_OUT] = {0};
    simt_context_outputs(&u->port, &o, &ports, out);
    set_bits(&in[e->at.cmd_ready], u->number, 1, out[O_CMD_READY]);
    set_bits(&in[e->at.ctx_done], u->number, 1, out[O_DONE]);
    set_bits(&in[e->at.out_valid], u->number, 1, out[O_OUT_VALID]);
    set_bits(&in[e->at.in_ready], u->number, 1, out[O_IN_READY]);
    if (out[O_DONE]) set_bits(&in[e->at.ctx_error], 3 * u->number, 3, out[O_ERROR]); /* else it may be anything */
    if (!out[O_OUT_VALID]) continue;
    set_bits(&in[e->at.out_last], u->number, 1, out[O_OUT_LAST]);
    in[e->at.out_data + u->number] = out[O_OUT_DATA];
  }
}

static uint32_t bit(const uint32_t *words, unsigned i) { return words[i / 32] >> i % 32 & 1; }

void hub_unit_step(struct hub_env *e, const uint32_t *in, const uint32_t *out) {
  struct played *u = &e->unit[e->active];
  const unsigned n = u->number;
  const uint32_t here[N_IN] = {
    [I_UNIT] = n, [I_CMD] = bit(&out[e->at.cmd_valid], n), [I_LOAD] = out[e->at.cmd_load],
    [I_OUT_READY] = bit(&out[e->at.out_ready], n), [I_IN_VALID] = bit(&out[e->at.in_valid], n),
    [I_IN_DATA] = out[e->at.in_data], [I_IN_LAST] = out[e->at.in_last], [I_IN_ERROR] = out[e->at.in_error]};
  const bool moves = (here[I_OUT_READY] && bit(&in[e->at.out_valid], n)) || (here[I_IN_VALID] && bit(&in[e->at.in_ready], n));
  e->moved += moves;
  e->words += moves;
  if (e->wild) return;
  const struct simt_context_unit o = offer(e, u);
  const struct simt_context_to_unit to = simt_context_to_unit(&u->port, &o, &ports, here);
  if (u->port.r.commit) {
    u->now.len = u->port.r.len;
    memcpy(u->now.word, u->staged, u->now.len * sizeof *u->staged);
  }
  if (u->port.r.abort) {
    clear(&u->now);
    u->clear_until = e->cycle + CLEARING;
  }
  if (to.ld_taken) u->staged[u->at++ % MOST_WORDS] = to.ld_data;
  else if (to.sav_taken) u->at++;
  else if (!u->port.r.save && !u->port.r.load) u->at = 0;
  simt_context_step(&u->port, &o, false, &ports, here);
}
