/* SPDX-License-Identifier: Apache-2.0 */
/* unit.c: the tracker as a unit of a front end (TR-16), on that of verif/core/unit_front.h: what must hold at its ports when
 * it is halted, asked to halt, or reset. */
#include "tracker/env.h"

#include <string.h>

/* Cycles behind a halt request in which data slots are still reported that fell free by what left before it: as long as
 * what the data read took goes on (docs/tracker_design.md, A unit). */
enum { LATE = 12 };
static const char *const answers[] = {"err_valid_o", NULL}; /* of what was taken, register writes too */
static const char *const shape[] = {"QUEUES", "ENTRIES", "BANKS", "DSLOTS", "SECTORS", "WARPS", "PAYLOAD_W", "COMMIT_FIFO", "STATE_Q",
                                    "FAST_Q", "FLUSH_Q", "REF_W", "LG_RELEASE", NULL};

static void event(void *env, enum simt_front_event what) {
  struct trk_env *e = env;
  static const enum trk_cover of[] = {
    [SIMT_FROM_EMPTY] = TRK_C_HALT_EMPTY, [SIMT_FROM_ACTIVE] = TRK_C_HALT_ACTIVE, [SIMT_FROM_STALLED] = TRK_C_HALT_STALLED,
    [SIMT_FROM_QUIESCENT] = TRK_C_HALT_QUIESCENT, [SIMT_HALT_WITHDRAWN] = TRK_C_HALT_WITHDRAWN, [SIMT_SAVED] = TRK_C_SAVED,
    [SIMT_SAVED_AGAIN] = TRK_C_SAVED_AGAIN, [SIMT_LOADED] = TRK_C_LOADED, [SIMT_REFUSED_HEADER] = TRK_C_REFUSED_HEADER,
    [SIMT_REFUSED_PAYLOAD] = TRK_C_REFUSED_PAYLOAD, [SIMT_BROKEN] = TRK_C_BROKEN,
    [SIMT_LOADED_BEFORE_RESET] = TRK_C_LOADED_BEFORE_RESET};
  trk_hit(e, of[what]);
  if (what < SIMT_HALT_WITHDRAWN && e->inside && e->open) trk_hit(e, TRK_C_HALT_INSIDE);
}

static void nonsense(const void *env, uint32_t *payload, uint32_t place) { trk_context_nonsense(env, payload, place); }

static const char *saved(void *env, unsigned slot, const uint32_t *payload, unsigned words) {
  const char *wrong = trk_context_saved(env, payload, words);
  if (!wrong) trk_process_keep(env, slot);
  return wrong;
}

static void loaded(void *env, unsigned slot) {
  struct trk_env *e = env;
  trk_process_load(e, slot);
  e->front.issued = 0;
  e->front.inside = e->inside;
}

static void cleared(void *env) {
  struct trk_env *e = env;
  trk_golden_clear(e);
  e->front.issued = e->front.inside = 0;
  e->front.clear_from = e->cycle;
}

bool trk_front_create(struct trk_env *e) {
  struct trk_front *f = &e->front;
  if (!e->l.status) return true;
  f->unit = (struct simt_front_unit){.type = 0x5452, .number = 7, .ctx_max = (unsigned)simt_derived(e->cfg, "CTX_MAX"), .status = e->l.status,
    .slots = TRK_PROCESSES, .breaks = true, .shape = shape, .shape_more = 2, .answers = answers, .late = LATE, .nonsense = nonsense, .saved = saved, .loaded = loaded, .cleared = cleared, .event = event};
  return trk_process_create(e) && simt_front_create(&f->shell, e->cfg, &f->unit, e);
}

void trk_front_destroy(struct trk_env *e) {
  if (!e->l.status) return;
  trk_process_destroy(e);
  simt_front_destroy(&e->front.shell);
}

void trk_front_reset(struct trk_env *e, bool forget) {
  struct trk_front *f = &e->front;
  f->drops = f->inside = f->issued = 0;
  f->dropping = f->was_closed = false;
  f->halt_from = f->last_fill = f->clear_from = e->cycle;
  if (e->l.status) simt_front_reset(&f->shell, forget);
}

/* Whether memory has something to answer. Under a halt request the miss unit sends nothing any more: what it has not
 * sent by then waits for the release, or lies in its context. */
bool trk_front_fills_due(struct trk_env *e, const struct trk_choice *c) {
  struct trk_front *f = &e->front;
  const bool closed = simt_front_closed(&f->shell);
  if (!closed) f->issued = e->asks;
  else if (!f->was_closed && f->issued) f->issued = c->place % (f->issued + 1);
  f->was_closed = closed;
  return f->issued || f->drops;
}

void trk_front_drive(struct trk_env *e, const struct trk_choice *c, uint32_t *in) {
  struct simt_front_choice choice = {
    .order = (enum simt_order)c->order, .slot = c->slot % TRK_PROCESSES, .spoil = (enum simt_spoil)(c->spoil % SIMT_SPOILS), .place = c->place,
    .takes = (c->flags & TRK_CTX_OUT) != 0, .gives = (c->flags & TRK_CTX_IN) != 0};
  /* What is saved would change: a register is being written, a reset is under way. */
  bool writes = e->reg_waits || in[e->at.reg] || e->front.shell.ctx_reset;
  if (writes && (c->order == SIMT_SAVE || c->order == SIMT_LOAD)) choice.order = SIMT_NO_ORDER;
  simt_front_drive(&e->front.shell, &choice, in);
}

/* ---- rules ------------------------------------------------------------------------------------------------------- */

static const char *check_closed(struct trk_env *e, const uint32_t *in, const uint32_t *out) {
  const struct trk_ports *at = &e->at;
  if (!simt_front_closed(&e->front.shell)) return NULL;
  if (out[at->in_ready] || out[at->fast_ready] || out[at->alloc_ready]) return trk_wrong(e, "something is taken under a halt request or in a reset");
  if (out[at->fast_out] || out[at->out[0].valid] || out[at->out[1].valid]) return trk_wrong(e, "a packet is offered under a halt request or in a reset");
  if (e->front.shell.state != SIMT_HALTED) return NULL;
  if (in[at->fill_pending] && e->front.shell.halt_req) return trk_wrong(e, "halted while fills are outstanding");
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
  if (in[e->at.reg] && in[e->at.reg_write]) f->shell.fresh = 0;
  if (!wrong) wrong = simt_front_words(&f->shell, in, out);
  if (f->shell.halt_req && f->shell.state != SIMT_HALTED && in[e->at.fill]) trk_hit(e, TRK_C_HALT_FILLS);
  if (f->dropping) trk_hit(e, TRK_C_RESET_FILLS);
  if (f->shell.state != SIMT_HALTED) f->inside = e->inside;
  if (f->shell.ctx_reset) {
    if (e->inside) trk_hit(e, TRK_C_UNIT_RESET);
    f->drops += f->issued < 32 ? f->issued : 32;
    f->issued = 0;
    trk_golden_clear(e);
    f->inside = 0;
    f->clear_from = e->cycle;
  }
  if (in[f->shell.status_at.halt] && !f->shell.halt_req) f->halt_from = e->cycle + 1;
  simt_front_step(&f->shell, in);
  return wrong;
}
