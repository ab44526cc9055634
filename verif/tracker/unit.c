/* SPDX-License-Identifier: Apache-2.0 */
/* unit.c: the tracker as a unit of a front end (TR-16), on that of verif/core/unit_front.h: what must hold at its ports when
 * it is halted, asked to halt, or reset. */
#include "tracker/env.h"

#include <string.h>

static const char *const shape[] = {"QUEUES", "ENTRIES", "BANKS", "DSLOTS", "SECTORS", "WARPS", "PAYLOAD_W", "COMMIT_FIFO", "STATE_Q",
                                    "FAST_Q", "FLUSH_Q", "REF_W", "LG_RELEASE", NULL};

static void event(void *env, enum simt_front_event what) {
  struct trk_env *e = env;
  static const enum trk_cover of[] = {
    [SIMT_FROM_EMPTY] = TRK_C_HALT_EMPTY, [SIMT_FROM_ACTIVE] = TRK_C_HALT_ACTIVE, [SIMT_FROM_STALLED] = TRK_C_HALT_STALLED,
    [SIMT_FROM_QUIESCENT] = TRK_C_HALT_QUIESCENT, [SIMT_HALT_WITHDRAWN] = TRK_C_HALT_WITHDRAWN};
  if (what > SIMT_HALT_WITHDRAWN) return;
  trk_hit(e, of[what]);
  if (what < SIMT_HALT_WITHDRAWN && e->inside && e->open) trk_hit(e, TRK_C_HALT_INSIDE);
}

bool trk_front_create(struct trk_env *e) {
  struct trk_front *f = &e->front;
  if (!e->l.status) return true;
  f->unit = (struct simt_front_unit){.type = 0x5452, .number = 7, .ctx_max = 1, .status = e->l.status, .slots = 1, .shape = shape, .event = event};
  return simt_front_create(&f->shell, e->cfg, &f->unit, e);
}

void trk_front_destroy(struct trk_env *e) {
  if (e->l.status) simt_front_destroy(&e->front.shell);
}

void trk_front_reset(struct trk_env *e, bool forget) {
  struct trk_front *f = &e->front;
  f->drops = f->inside = 0;
  f->dropping = false;
  f->halt_from = f->last_fill = f->clear_from = e->cycle;
  if (e->l.status) simt_front_reset(&f->shell, forget);
}

/* What was asked of memory and has not come; wavefronts that are not judged yet may ask. */
bool trk_front_fills_due(const struct trk_env *e) {
  bool due = e->asks || e->front.drops;
  for (unsigned i = 0; i < TRK_DELAY; i++) due |= e->said[i].in;
  return due;
}

void trk_front_drive(struct trk_env *e, const struct trk_choice *c, uint32_t *in) {
  const struct simt_front_choice choice = {.order = (enum simt_order)c->order, .takes = true, .gives = true};
  simt_front_drive(&e->front.shell, &choice, in);
}

/* ---- rules ------------------------------------------------------------------------------------------------------- */

static const char *check_closed(struct trk_env *e, const uint32_t *in, const uint32_t *out) {
  const struct trk_ports *at = &e->at;
  if (!simt_front_closed(&e->front.shell)) return NULL;
  if (out[at->in_ready] || out[at->fast_ready] || out[at->alloc_ready]) return trk_wrong(e, "something is taken under a halt request or in a reset");
  if (out[at->fast_out] || out[at->out[0].valid] || out[at->out[1].valid]) return trk_wrong(e, "a packet is offered under a halt request or in a reset");
  if (e->front.shell.state != SIMT_HALTED) return NULL;
  if (in[at->fill_pending]) return trk_wrong(e, "halted while fills are outstanding");
  return out[at->free] ? trk_wrong(e, "a data slot is reported free while halted") : NULL;
}

/* Halted within HALT_OWN cycles of the request, within TRK_HALT_FILLS of the last fill, and once memories are clear. */
static const char *check_halt(struct trk_env *e, const uint32_t *in) {
  struct trk_front *f = &e->front;
  if (in[e->at.fill_pending]) f->last_fill = e->cycle + 1;
  if (f->shell.state == SIMT_HALTED || !f->shell.halt_req) return NULL;
  uint64_t bound = f->halt_from + TRK_HALT_OWN, fills = f->last_fill + TRK_HALT_FILLS, clear = f->clear_from + e->l.clear + 8;
  if (bound < fills) bound = fills;
  if (bound < clear) bound = clear;
  return e->cycle > bound ? trk_wrong(e, "not halted %llu cycles after the request, %llu after the last fill", (unsigned long long)(e->cycle - f->halt_from),
                                      (unsigned long long)(e->cycle - f->last_fill)) : NULL;
}

const char *trk_front_state(struct trk_env *e, const uint32_t *out) {
  struct trk_front *f = &e->front;
  if (!e->l.status) return NULL;
  const char *wrong = simt_front_state(&f->shell, out);
  if (wrong) return wrong;
  if (out[f->shell.status_at.gather] || out[f->shell.status_at.nack]) return trk_wrong(e, "gather_o or nack_o is 1");
  if (f->shell.state == SIMT_EMPTY && f->inside && !f->shell.was_reset) return trk_wrong(e, "empty with %u wavefronts inside", f->inside);
  return NULL;
}

const char *trk_front_observe(struct trk_env *e, const uint32_t *in, const uint32_t *out) {
  struct trk_front *f = &e->front;
  if (!e->l.status) return NULL;
  if (in[e->at.rst]) {
    trk_front_reset(e, false);
    return NULL;
  }
  const char *wrong = check_closed(e, in, out);
  if (!wrong) wrong = check_halt(e, in);
  if (!wrong) wrong = simt_front_words(&f->shell, in, out);
  if (f->shell.halt_req && f->shell.state != SIMT_HALTED && in[e->at.fill]) trk_hit(e, TRK_C_HALT_FILLS);
  if (f->dropping) trk_hit(e, TRK_C_RESET_FILLS);
  f->inside = e->inside;
  if (f->shell.ctx_reset) {
    if (e->inside) trk_hit(e, TRK_C_UNIT_RESET);
    f->drops += e->asks < 32 ? e->asks : 32;
    trk_golden_clear(e);
    f->inside = 0;
    f->clear_from = e->cycle;
  }
  if (in[f->shell.status_at.halt] && !f->shell.halt_req) f->halt_from = e->cycle + 1;
  simt_front_step(&f->shell, in);
  return wrong;
}
