/* SPDX-License-Identifier: Apache-2.0 */
/* unit_front.c: the front end in the environment of a unit. */
#include "core/unit_front.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 3, MORE = 4 }; /* words of a stream before the payload; most that a spoiled one has behind it */

static const char *wrong(struct simt_front *f, const char *format, ...) __attribute__((format(printf, 2, 3)));
static const char *wrong(struct simt_front *f, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  vsnprintf(f->message, sizeof f->message, format, ap);
  va_end(ap);
  return f->message;
}

/* ---- whether there is one --------------------------------------------------------------------------------- */

bool simt_front_suits(const struct simt_stimulus *stim, const char *const *profiles, unsigned status, struct simt_diag *diag) {
  if (status || strcmp(stim->kind, "random") || !stim->profile) return true;
  while (*profiles && strcmp(*profiles, stim->profile)) profiles++;
  if (!*profiles) return true;
  char name[64];
  snprintf(name, sizeof name, "random:%s", stim->profile);
  return simt_fail(diag, "--stimulus", name, "STATUS other than none: only then are there halts and contexts; set -p STATUS=one_hot");
}

/* ---- life ------------------------------------------------------------------------------------------------- */

static bool is_in(const char *const *list, const char *name) {
  for (; list && *list; list++)
    if (!strcmp(*list, name)) return true;
  return false;
}

static bool ends_in(const char *name, const char *tail) {
  const size_t length = strlen(name), n = strlen(tail);
  return length > n && !strcmp(name + length - n, tail);
}

/* Whether an output says by itself that something new is there: a valid without a ready, or a pulse that the block names. */
static bool announces(const struct simt_config *cfg, const struct simt_front_unit *unit, const struct simt_port *port) {
  char ready[SIMT_NAME_MAX + 8];
  if (port->dir != SIMT_OUT || is_in(unit->answers, port->name)) return false;
  if (is_in(unit->pulses, port->name)) return true;
  if (!ends_in(port->name, "_valid_o")) return false;
  snprintf(ready, sizeof ready, "%.*s_ready_i", (int)(strlen(port->name) - strlen("_valid_o")), port->name);
  return !simt_find_port(cfg, ready);
}

bool simt_front_create(struct simt_front *f, const struct simt_config *cfg, const struct simt_front_unit *unit, void *env) {
  f->unit = unit;
  f->env = env;
  f->status_at = simt_find_status_ports(cfg);
  f->ctx_at = simt_find_context_ports(cfg);
  f->hash = 0x811c9dc5;
  for (const char *const *name = unit->shape; *name; name++) f->hash = (f->hash ^ (uint32_t)simt_param(cfg, *name)) * 0x01000193;
  if (unit->shape_more) f->hash = (f->hash ^ unit->shape_more) * 0x01000193;
  for (size_t i = 0; i < cfg->desc.n_ports && f->n_streams < SIMT_FRONT_PORTS; i++) {
    const struct simt_port *port = &cfg->desc.ports[i];
    if (!strncmp(port->name, "ctx_", 4) || !strncmp(port->name, "reg_", 4)) continue; /* they answer while halted, too */
    if (announces(cfg, unit, port)) f->announces[f->n_announces++] = port;
    if (port->dir == SIMT_OUT && (ends_in(port->name, "_valid_o") || ends_in(port->name, "_ready_o"))) f->streams[f->n_streams++] = port;
  }
  f->room = HEAD + unit->ctx_max + MORE;
  f->stream = calloc(f->room, sizeof *f->stream);
  f->slots = calloc(unit->slots, sizeof *f->slots);
  bool good = f->stream && f->slots;
  for (unsigned i = 0; good && i < unit->slots; i++) good = (f->slots[i].words = calloc(f->room, sizeof *f->stream));
  return good;
}

void simt_front_destroy(struct simt_front *f) {
  for (unsigned i = 0; f->slots && i < f->unit->slots; i++) free(f->slots[i].words);
  free(f->slots);
  free(f->stream);
}

void simt_front_reset(struct simt_front *f, bool forget) {
  f->level = f->offered = f->in_payload = f->broken = f->cleared = false;
  f->doing = SIMT_FRONT_IDLE;
  f->fresh = 0;
  f->state = SIMT_EMPTY;
  f->halt_req = f->ctx_reset = f->was_halt = f->was_reset = false;
  for (unsigned i = 0; forget && i < f->unit->slots; i++) f->slots[i].valid = false;
}

/* ---- the format ------------------------------------------------------------------------------------------- */

enum simt_context_error simt_front_judge(const struct simt_front *f, const uint32_t *w, unsigned n, unsigned found,
                                         bool *payload) {
  const uint32_t head[2] = {f->unit->type << 16 | f->unit->number, f->hash};
  *payload = false;
  for (unsigned i = 0; i < HEAD; i++) {
    if (i + 1 == n && found == SIMT_STREAM_BAD_MEMORY) return SIMT_CONTEXT_BAD_MEMORY;
    if (i == 0 && w[0] >> 16 != head[0] >> 16) return SIMT_CONTEXT_BAD_TYPE;
    if (i == 0 && w[0] != head[0]) return SIMT_CONTEXT_BAD_UNIT;
    if (i == 1 && w[1] != head[1]) return SIMT_CONTEXT_BAD_TYPE;
    if (i == 2 && (!w[2] || w[2] > f->unit->ctx_max)) return SIMT_CONTEXT_BAD_LENGTH;
    if (i + 1 == n) return SIMT_CONTEXT_BAD_LENGTH;
  }
  *payload = true;
  if (found == SIMT_STREAM_BAD_MEMORY && n <= w[2] + HEAD) return SIMT_CONTEXT_BAD_MEMORY;
  if (n != w[2] + HEAD) return SIMT_CONTEXT_BAD_LENGTH;
  return found ? SIMT_CONTEXT_BAD_SUM : SIMT_CONTEXT_GOOD;
}

/* A spoiled copy of a context in `stream`; `found`: what its store says of it with the last word. */
static void spoil(struct simt_front *f, const struct simt_front_slot *p, enum simt_spoil how, uint32_t at) {
  uint32_t *w = f->stream;
  memcpy(w, p->words, p->n * sizeof *w);
  f->n = p->n;
  f->found = SIMT_STREAM_GOOD;
  switch (how) {
    case SIMT_FLIP:
      w[at / 32 % (at & 7 ? p->n : HEAD)] ^= 1u << at % 32;
      f->found = SIMT_STREAM_BAD_SUM;
      break;
    case SIMT_CUT: f->n = 1 + at % (p->n - 1); break;
    case SIMT_LONGER:
      f->n = p->n + 1 + at % (MORE - 1);
      for (unsigned i = p->n; i < f->n; i++) w[i] = at * i;
      break;
    case SIMT_UNREADABLE:
      f->n = 1 + at % p->n;
      f->found = SIMT_STREAM_BAD_MEMORY;
      break;
    case SIMT_OTHER_UNIT: w[0] ^= 1u << at % 16; break;
    case SIMT_OTHER_TYPE: w[0] ^= 0x10000u << at % 16; break;
    case SIMT_OTHER_SHAPE: w[1] ^= 1u << at % 32; break;
    case SIMT_OTHER_LENGTH: w[2] = at % 4 ? f->unit->ctx_max + at % 4 : 0; break;
    case SIMT_NONSENSE: f->unit->nonsense(f->env, w + HEAD, at); break;
    case SIMT_SHORTER: /* a payload that ends before its time, its length and sum good */
      if (p->n > HEAD + 1) f->n = HEAD + 1 + at % (p->n - HEAD - 1);
      w[2] = f->n - HEAD;
      break;
    default: break;
  }
}

/* ---- orders ----------------------------------------------------------------------------------------------- */

static void begin(struct simt_front *f, bool load, unsigned slot) {
  f->slot = slot;
  f->doing = load ? SIMT_FRONT_LOADING : SIMT_FRONT_SAVING;
  f->offered = true;
  f->broken = f->cleared = false;
  f->at = 0;
}

static void order_load(struct simt_front *f, const struct simt_front_choice *c) {
  const struct simt_front_slot *p = &f->slots[c->slot];
  if (!f->level || !p->valid) return;
  spoil(f, p, c->spoil, c->place);
  f->expected = simt_front_judge(f, f->stream, f->n, f->found, &f->in_payload);
  if (c->spoil == SIMT_NONSENSE || c->spoil == SIMT_SHORTER) f->expected = SIMT_CONTEXT_BAD_LENGTH;
  f->fresh = 0;
  begin(f, true, c->slot);
}

static void obey(struct simt_front *f, const struct simt_front_choice *c, uint32_t *in) {
  switch (c->order) {
    case SIMT_HALT: f->level = true; break;
    case SIMT_RELEASE:
      f->level = false;
      f->fresh = 0;
      break;
    case SIMT_UNIT_RESET:
      in[f->status_at.reset] = 1;
      f->fresh = 0;
      break;
    case SIMT_RESUME: in[f->status_at.resume] = 1; break;
    case SIMT_SAVE:
      if (!f->level) break;
      f->n = 0;
      begin(f, false, c->slot);
      break;
    case SIMT_LOAD: order_load(f, c); break;
    default: break;
  }
}

/* A load that is good has all its words for some cycles: whoever takes the last one has it. */
static bool all_given(const struct simt_front *f) {
  enum { TAKEN = 6 };
  return f->given > TAKEN && f->n > HEAD + 1 && !f->expected;
}

void simt_front_drive(struct simt_front *f, const struct simt_front_choice *c, uint32_t *in) {
  const struct simt_context_ports *at = &f->ctx_at;
  in[f->status_at.reset] = in[f->status_at.resume] = 0;
  if (f->doing == SIMT_FRONT_IDLE) obey(f, c, in);
  else if (f->unit->breaks && c->order == SIMT_UNIT_RESET && !f->offered) in[f->status_at.reset] = f->broken = true;
  else if (f->unit->breaks && c->order == SIMT_RELEASE && all_given(f)) f->level = false, f->broken = true;
  f->given = f->doing == SIMT_FRONT_LOADING && !f->offered && f->at == f->n ? f->given + 1 : 0;
  in[f->status_at.halt] = f->level;
  in[at->unit] = f->unit->number;
  in[at->cmd_valid] = f->offered;
  in[at->cmd_load] = f->doing == SIMT_FRONT_LOADING;
  in[at->out_ready] = c->takes;
  bool more = f->doing == SIMT_FRONT_LOADING && !f->offered && f->at < f->n;
  in[at->in_valid] = more && (in[at->in_valid] || c->gives); /* once offered it stays */
  in[at->in_data] = more ? f->stream[f->at] : 0;
  in[at->in_last] = more && f->at + 1 == f->n;
  in[at->in_error] = in[at->in_last] ? f->found : SIMT_STREAM_GOOD;
}

/* ---- what moves under a halt request ---------------------------------------------------------------------------- */

static bool is_set(const struct simt_port *port, const uint32_t *out) {
  uint32_t any = 0;
  for (unsigned w = 0; w < port->words; w++) any |= out[port->word + w];
  return any;
}

/* US-14: while halted no stream of the unit moves, and from the cycle behind a halt request nothing new is announced: who would have to hear it may be halted. */
static const char *check_announced(struct simt_front *f, const uint32_t *out) {
  for (unsigned i = 0; f->state == SIMT_HALTED && !f->drops && i < f->n_streams; i++)
    if (is_set(f->streams[i], out)) return wrong(f, "%s is 1 while halted", f->streams[i]->name);
  f->requested = f->halt_req ? f->requested + 1 : 0;
  if (f->requested <= f->unit->late + 1) return NULL;
  for (unsigned i = 0; i < f->n_announces; i++)
    if (is_set(f->announces[i], out)) return wrong(f, "%s announces something %u cycles behind a halt request", f->announces[i]->name, f->requested - 1);
  return NULL;
}

/* ---- the state -------------------------------------------------------------------------------------------- */

const char *simt_front_state(struct simt_front *f, const uint32_t *out) {
  static const uint32_t codes[3][5] = {{1, 2, 4, 8, 16}, {3, 5, 6, 9, 10}, {0, 1, 2, 3, 4}};
  const struct simt_status_ports *at = &f->status_at;
  unsigned next = 0;
  while (next < 5 && codes[f->unit->status - 1][next] != out[at->state]) next++;
  if (next == 5) return wrong(f, "state_o is 0x%x, no code word", out[at->state]);
  f->last = f->state;
  f->state = (enum simt_unit_state)next;
  const bool halted = f->state == SIMT_HALTED, was = f->last == SIMT_HALTED;
  const bool waits = f->state == SIMT_STALLED || f->state == SIMT_QUIESCENT;
  if (out[at->waiting] != waits) return wrong(f, "waiting_o is %u in state %u", out[at->waiting], next);
  if (out[at->gather] && f->state != SIMT_QUIESCENT) return wrong(f, "gather_o is 1 in state %u", next);
  const char *said = check_announced(f, out);
  if (said) return said;
  if (f->was_reset) return next == SIMT_EMPTY ? NULL : wrong(f, "state %u after a reset", next);
  if (halted != was && halted != f->was_halt)
    return wrong(f, "state %u follows %u with halt request %u", next, f->last, f->was_halt);
  if (was && f->was_halt && !halted) return wrong(f, "no longer halted under a halt request");
  if (halted && !was) f->unit->event(f->env, SIMT_FROM_EMPTY + f->last);
  return NULL;
}

/* ---- what came of a save or load ---------------------------------------------------------------------------- */

static const char *save_ended(struct simt_front *f) {
  struct simt_front_slot *p = &f->slots[f->slot];
  bool payload;
  unsigned error = simt_front_judge(f, f->stream, f->n, SIMT_STREAM_GOOD, &payload);
  if (error) return wrong(f, "a saved context of %u words would be refused with error %u", f->n, error);
  const char *said = f->unit->saved(f->env, f->slot, f->stream + HEAD, f->n - HEAD);
  if (said) return said;
  if (f->fresh) {
    const struct simt_front_slot *old = &f->slots[f->fresh - 1];
    if (f->n != old->n || memcmp(f->stream, old->words, f->n * sizeof *f->stream))
      return wrong(f, "a save right after a %s gives another stream", f->just_loaded ? "load" : "save");
    if (f->just_loaded) f->unit->event(f->env, SIMT_SAVED_AGAIN);
  }
  f->unit->event(f->env, SIMT_SAVED);
  memcpy(p->words, f->stream, f->n * sizeof *p->words);
  p->n = f->n;
  p->valid = true;
  if (!f->fresh) f->just_loaded = false;
  f->fresh = 1 + f->slot;
  return NULL;
}

static void load_ended(struct simt_front *f) {
  if (!f->expected) {
    f->unit->loaded(f->env, f->slot);
    f->fresh = 1 + f->slot;
    f->just_loaded = true;
    f->unit->event(f->env, SIMT_LOADED);
  } else if (f->in_payload) {
    f->unit->cleared(f->env);
    f->fresh = 0;
    f->unit->event(f->env, SIMT_REFUSED_PAYLOAD);
  } else {
    f->unit->event(f->env, SIMT_REFUSED_HEADER);
  }
}

/* In whose middle the unit was reset or released: refused for that or for what was wrong before; or it was whole before; a
 * reset then clears what came in but the run-time registers. What was saved is worth nothing: the unit may be cleared already. */
static const char *broken_ended(struct simt_front *f, unsigned error, bool loads, unsigned expected) {
  if (error != SIMT_CONTEXT_BAD_SUM && error != expected)
    return wrong(f, "what is broken off ends with error %u, expected %u or %u", error, SIMT_CONTEXT_BAD_SUM, expected);
  if (loads && !error) f->unit->loaded(f->env, f->slot);
  if (loads && (error || f->cleared)) f->unit->cleared(f->env);
  if (loads) f->unit->event(f->env, error ? SIMT_BROKEN : f->cleared ? SIMT_LOADED_BEFORE_RESET : SIMT_LOADED);
  f->fresh = 0;
  return NULL;
}

static const char *ended(struct simt_front *f, unsigned error) {
  const bool loads = f->doing == SIMT_FRONT_LOADING;
  const unsigned expected = loads ? f->expected : SIMT_CONTEXT_GOOD;
  const char *what = loads ? "load" : "save";
  if (f->doing == SIMT_FRONT_IDLE || f->offered) return wrong(f, "a save or load ends that was not begun");
  f->doing = SIMT_FRONT_IDLE;
  if (f->broken) return broken_ended(f, error, loads, expected);
  if (error != expected) return wrong(f, "a %s of %u words ends with error %u, expected %u", what, f->n, error, expected);
  if (f->at != f->n) return wrong(f, "a %s ends before its last word", what);
  if (!loads) return save_ended(f);
  load_ended(f);
  return NULL;
}

const char *simt_front_words(struct simt_front *f, const uint32_t *in, const uint32_t *out) {
  const struct simt_context_ports *at = &f->ctx_at;
  const bool halted = f->state == SIMT_HALTED;
  if (in[at->cmd_valid] && out[at->cmd_ready]) {
    if (!halted) return wrong(f, "a save or load is taken while not halted");
    f->offered = false;
  }
  if (out[at->out_valid] && in[at->out_ready]) {
    if (f->doing != SIMT_FRONT_SAVING || f->n || f->at >= f->room - MORE)
      return wrong(f, "a word of a context comes that nobody wants");
    f->stream[f->at++] = out[at->out_data];
    f->moved++;
    if (out[at->out_last]) f->n = f->at;
  }
  if (in[at->in_valid] && out[at->in_ready]) {
    if (!halted && !f->broken) return wrong(f, "a word of a context is taken while not halted");
    f->at++;
    f->moved++;
  }
  return out[at->done] ? ended(f, out[at->error]) : NULL;
}

void simt_front_step(struct simt_front *f, const uint32_t *in) {
  const struct simt_status_ports *at = &f->status_at;
  if (f->ctx_reset) {
    f->state = SIMT_EMPTY;
    f->cleared = f->broken;
  }
  f->was_reset = f->ctx_reset;
  f->was_halt = f->halt_req;
  if (f->halt_req && !in[at->halt] && f->state != SIMT_HALTED) f->unit->event(f->env, SIMT_HALT_WITHDRAWN);
  f->halt_req = in[at->halt];
  f->ctx_reset = in[at->reset];
}
