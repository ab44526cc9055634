/* SPDX-License-Identifier: Apache-2.0 */
/* front.c: the front end of the environment: halts and releases the unit, resets it, and moves its contexts. Now
 * and then it offers a spoiled context, of which it knows from the format alone how it must be refused. */
#include "stack_cache/env.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD = SC_CTX_HEAD, MORE = 4 };

/* ---- life ---------------------------------------------------------------------------------------------- */

bool sc_front_create(struct sc_env *e) {
  size_t room = HEAD + e->l.ctx_max + MORE;
  if (!e->l.status) return true;
  e->front.stream = calloc(room, sizeof *e->front.stream);
  if (!e->front.stream) return false;
  for (unsigned i = 0; i < SC_SLOTS; i++) {
    struct sc_process *p = &e->front.process[i];
    p->words = calloc(room, sizeof *p->words);
    p->stack = calloc(e->l.threads, sizeof *p->stack);
    if (!p->words || !p->stack) return false;
  }
  return true;
}

void sc_front_destroy(struct sc_env *e) {
  free(e->front.stream);
  for (unsigned i = 0; i < SC_SLOTS; i++) {
    struct sc_process *p = &e->front.process[i];
    for (unsigned t = 0; p->stack && t < e->l.threads; t++) free(p->stack[t].value);
    free(p->stack);
    free(p->words);
  }
}

void sc_front_reset(struct sc_env *e, bool forget) {
  struct sc_front *f = &e->front;
  f->level = f->offered = f->in_payload = false;
  f->doing = SC_FRONT_IDLE;
  f->fresh = 0;
  for (unsigned i = 0; forget && i < SC_SLOTS; i++) f->process[i].valid = false;
}

/* ---- orders ---------------------------------------------------------------------------------------------- */

/* A spoiled copy of a context in `stream`; `found`: what its store says of it with the last word. */
static void spoil(struct sc_env *e, const struct sc_process *p, enum sc_spoil how, uint32_t at) {
  struct sc_front *f = &e->front;
  uint32_t *w = f->stream, thread = HEAD + SC_CTX_REGS + SC_CTX_THREAD * (at % e->l.threads);
  memcpy(w, p->words, p->n * sizeof *w);
  f->n = p->n;
  f->found = SIMT_STREAM_GOOD;
  switch (how) {
    case SC_FLIP:
      w[at / 32 % (at & 7 ? p->n : HEAD)] ^= 1u << at % 32;
      f->found = SIMT_STREAM_BAD_SUM;
      break;
    case SC_CUT: f->n = 1 + at % (p->n - 1); break;
    case SC_LONGER:
      f->n = p->n + 1 + at % (MORE - 1);
      for (unsigned i = p->n; i < f->n; i++) w[i] = at * i;
      break;
    case SC_UNREADABLE:
      f->n = 1 + at % p->n;
      f->found = SIMT_STREAM_BAD_MEMORY;
      break;
    case SC_OTHER_UNIT: w[0] ^= 1u << at % 16; break;
    case SC_OTHER_TYPE: w[0] ^= 0x10000u << at % 16; break;
    case SC_OTHER_SHAPE: w[1] ^= 1u << at % 32; break;
    case SC_OTHER_LENGTH: w[2] = at % 4 ? (uint32_t)e->l.ctx_max + at % 4 : 0; break;
    case SC_NONSENSE:
      if (at % 3 == 0) w[thread] = (w[thread] & ~0x1fffffu) | ((uint32_t)e->l.max_depth + 1); /* too deep */
      else if (at % 3 == 1) w[thread + 1] = (e->l.nsets + 1) << 16; /* more valid sets than there are slots */
      else w[HEAD + 3] |= 63; /* no such stride */
      break;
    default: break;
  }
}

static void order_load(struct sc_env *e, const struct sc_choice *c) {
  struct sc_front *f = &e->front;
  const struct sc_process *p = &f->process[c->slot % SC_SLOTS];
  enum sc_spoil how = (enum sc_spoil)(c->spoil % SC_SPOILS);
  if (!p->valid) return;
  spoil(e, p, how, c->place);
  f->expected = sc_context_judge(e, f->stream, f->n, f->found, &f->in_payload);
  if (how == SC_NONSENSE) f->expected = SIMT_CONTEXT_BAD_LENGTH;
  f->slot = c->slot % SC_SLOTS;
  f->doing = SC_FRONT_LOADING;
  f->offered = true;
  f->at = f->fresh = 0;
}

static void obey(struct sc_env *e, const struct sc_choice *c, uint32_t *in) {
  struct sc_front *f = &e->front;
  if (f->doing != SC_FRONT_IDLE) return;
  bool writes = e->regs.busy || e->reg.valid || e->unit.ctx_reset; /* what is saved would change */
  switch (c->order) {
    case SC_HALT: f->level = true; break;
    case SC_RELEASE:
      f->level = false;
      f->fresh = 0;
      break;
    case SC_UNIT_RESET:
      in[e->status_at.reset] = 1;
      f->fresh = 0;
      break;
    case SC_RESUME: in[e->status_at.resume] = 1; break;
    case SC_SAVE:
      if (!f->level || writes) break;
      f->slot = c->slot % SC_SLOTS;
      f->doing = SC_FRONT_SAVING;
      f->offered = true;
      f->at = f->n = 0;
      break;
    case SC_LOAD:
      if (f->level && !writes) order_load(e, c);
      break;
    default: break;
  }
}

void sc_front_drive(struct sc_env *e, const struct sc_choice *c, uint32_t *in) {
  const struct simt_context_ports *at = &e->ctx_at;
  struct sc_front *f = &e->front;
  if (!e->l.status) return;
  in[e->status_at.reset] = in[e->status_at.resume] = 0;
  obey(e, c, in);
  in[e->status_at.halt] = f->level;
  in[at->unit] = SC_UNIT_NUMBER;
  in[at->cmd_valid] = f->offered;
  in[at->cmd_load] = f->doing == SC_FRONT_LOADING;
  in[at->out_ready] = (c->flags & SC_CTX_OUT) != 0;
  bool more = f->doing == SC_FRONT_LOADING && !f->offered && f->at < f->n;
  in[at->in_valid] = more && (in[at->in_valid] || (c->flags & SC_CTX_IN)); /* once offered it stays */
  in[at->in_data] = more ? f->stream[f->at] : 0;
  in[at->in_last] = more && f->at + 1 == f->n;
  in[at->in_error] = in[at->in_last] ? f->found : SIMT_STREAM_GOOD;
}

/* ---- what came of it ---------------------------------------------------------------------------------------- */

static const char *save_ended(struct sc_env *e) {
  struct sc_front *f = &e->front;
  struct sc_process *p = &f->process[f->slot];
  const char *wrong = sc_context_saved(e);
  if (wrong) return wrong;
  if (f->fresh) {
    const struct sc_process *old = &f->process[f->fresh - 1];
    if (f->n != old->n || memcmp(f->stream, old->words, f->n * sizeof *f->stream))
      return sc_wrong(e, "a save right after a load gives another stream");
    e->cover[SC_COVER_SAVED_AGAIN]++;
  }
  e->cover[SC_COVER_SAVE]++;
  sc_context_keep(e, p);
  return NULL;
}

static void load_ended(struct sc_env *e) {
  struct sc_front *f = &e->front;
  if (!f->expected) {
    sc_context_loaded(e, &f->process[f->slot]);
    f->fresh = 1 + f->slot;
    e->cover[SC_COVER_LOAD]++;
  } else if (f->in_payload) {
    sc_status_clear(e);
    for (unsigned t = 0; t < e->l.threads; t++) /* faulted ones still await sets; at most, a load may have been there before */
      e->regs.counter[SC_N_DROP] += e->thread[t].at.wanted;
    sc_rules_clear(e);
    sc_golden_reset(e);
    e->regs.error = e->regs.error_set = e->regs.error_count = 0; /* the run-time registers are as they were */
    f->fresh = 0;
    e->cover[SC_COVER_REFUSED_PAYLOAD]++;
  } else {
    e->cover[SC_COVER_REFUSED_HEADER]++;
  }
}

static const char *ended(struct sc_env *e, unsigned error) {
  struct sc_front *f = &e->front;
  bool loads = f->doing == SC_FRONT_LOADING;
  unsigned expected = loads ? f->expected : SIMT_CONTEXT_GOOD;
  if (f->doing == SC_FRONT_IDLE || f->offered) return sc_wrong(e, "a save or load ends that was not begun");
  f->doing = SC_FRONT_IDLE;
  if (error != expected)
    return sc_wrong(e, "a %s of %u words ends with error %u, expected %u", loads ? "load" : "save", f->n, error, expected);
  if (f->at != f->n) return sc_wrong(e, "a %s ends before its last word", loads ? "load" : "save");
  if (!loads) return save_ended(e);
  load_ended(e);
  return NULL;
}

const char *sc_front_observe(struct sc_env *e, const uint32_t *in, const uint32_t *out) {
  const struct simt_context_ports *at = &e->ctx_at;
  struct sc_front *f = &e->front;
  if (!e->l.status) return NULL;
  if (in[at->cmd_valid] && out[at->cmd_ready]) {
    if (e->unit.state != SIMT_HALTED) return sc_wrong(e, "a save or load is taken while not halted");
    f->offered = false;
  }
  if (out[at->out_valid] && in[at->out_ready]) {
    if (f->doing != SC_FRONT_SAVING || f->n || f->at >= HEAD + e->l.ctx_max)
      return sc_wrong(e, "a word of a context comes that nobody wants");
    f->stream[f->at++] = out[at->out_data];
    f->moved++;
    if (out[at->out_last]) f->n = f->at;
  }
  if (in[at->in_valid] && out[at->in_ready]) {
    if (e->unit.state != SIMT_HALTED) return sc_wrong(e, "a word of a context is taken while not halted");
    f->at++;
    f->moved++;
  }
  return out[at->done] ? ended(e, out[at->error]) : NULL;
}
