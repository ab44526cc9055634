/* SPDX-License-Identifier: Apache-2.0 */
/* frontend.c: halts the unit, saves its context, lets other contexts run, and loads it again; now and then
 * offers a spoiled context, of which it knows by itself how it must be refused. */
#include <stdio.h>
#include <string.h>

#include "gather_sum/env.h"

enum { HEAD = 3 }; /* words of a stream before the payload */

void front_restart(struct gs_env *e) {
  e->front = RUN;
  e->stage = NEW;
  e->command = e->blind = false;
  e->now = 0;
  e->sweep_at = 0;
  memset(e->process, 0, sizeof e->process);
}

/* ---- contexts -------------------------------------------------------------------------------------------- */

/* How a load of n words must end, from the format alone, when the last one comes with `found`, what its store found;
 * *payload: the error is found after the header. Whether a payload is consistent is not judged. */
static enum simt_context_error judge(const struct gs_env *e, const uint32_t *w, unsigned n, unsigned found, bool *payload) {
  const uint32_t head[2] = {e->type << 16 | UNIT_NUMBER, e->hash};
  *payload = false;
  for (unsigned i = 0; i < HEAD; i++) {
    if (i + 1 == n && found == SIMT_STREAM_BAD_MEMORY) return SIMT_CONTEXT_BAD_MEMORY;
    if (i == 0 && w[0] >> 16 != head[0] >> 16) return SIMT_CONTEXT_BAD_TYPE;
    if (i == 0 && w[0] != head[0]) return SIMT_CONTEXT_BAD_UNIT;
    if (i == 1 && w[1] != head[1]) return SIMT_CONTEXT_BAD_TYPE;
    if (i == 2 && (!w[2] || w[2] > e->ctx_max)) return SIMT_CONTEXT_BAD_LENGTH;
    if (i + 1 == n) return SIMT_CONTEXT_BAD_LENGTH;
  }
  *payload = true;
  if (found == SIMT_STREAM_BAD_MEMORY && n <= w[2] + HEAD) return SIMT_CONTEXT_BAD_MEMORY;
  if (n != w[2] + HEAD) return SIMT_CONTEXT_BAD_LENGTH;
  return found ? SIMT_CONTEXT_BAD_SUM : SIMT_CONTEXT_GOOD;
}

/* Makes e->stream a spoiled copy of a context and says how it must be refused. */
static void spoil(struct gs_env *e, const struct process *p, enum gs_env_spoil how, uint32_t at) {
  uint32_t *w = e->stream;
  memcpy(w, p->words, sizeof p->words);
  e->n = p->n;
  e->found = SIMT_STREAM_GOOD;
  switch (how) {
    case FLIP:
      w[at / 32 % p->n] ^= 1u << at % 32;
      e->found = SIMT_STREAM_BAD_SUM;
      break;
    case CUT: e->n = 1 + at % (p->n - 1); break;
    case LONGER:
      e->n = p->n + 1 + at % 3;
      for (unsigned i = p->n; i < e->n; i++) w[i] = at * i;
      break;
    case UNREADABLE:
      e->n = 1 + at % p->n;
      e->found = SIMT_STREAM_BAD_MEMORY;
      break;
    case OTHER_UNIT: w[0] ^= 1; break;
    case OTHER_TYPE: w[0] ^= 0x10000; break;
    case OTHER_CONFIG: w[1] ^= 1; break;
    case TOO_LONG: w[2] = at % 4 ? e->ctx_max + at % 4 : 0; break;
    case NONSENSE: w[HEAD] |= 0xc0; break; /* bits that no save sets */
    default: break;
  }
  e->expected = judge(e, w, e->n, e->found, &e->in_payload);
  if (how == NONSENSE) e->expected = SIMT_CONTEXT_BAD_LENGTH;
}

/* The directed sweep: every flipped bit, every cut, and the rest, in order. False at its end. */
static bool spoil_next(struct gs_env *e) {
  const struct process *p = &e->process[e->now];
  uint64_t k = e->sweep_at++, flips = 32 * (uint64_t)p->n;
  if (k < flips) spoil(e, p, FLIP, (uint32_t)k);
  else if ((k -= flips) < p->n - 1) spoil(e, p, CUT, (uint32_t)k);
  else if ((k -= p->n - 1) < p->n) spoil(e, p, UNREADABLE, (uint32_t)k);
  else if ((k -= p->n) < 3) spoil(e, p, LONGER, (uint32_t)k);
  else if ((k -= 3) < NONSENSE - OTHER_UNIT + 1) spoil(e, p, (enum gs_env_spoil)(OTHER_UNIT + k), 1);
  else return false;
  return true;
}

static void load_good(struct gs_env *e) {
  const struct process *p = &e->process[e->now];
  memcpy(e->stream, p->words, sizeof p->words);
  e->n = p->n;
  e->found = SIMT_STREAM_GOOD;
  e->expected = SIMT_CONTEXT_GOOD;
}

bool front_swept(const struct gs_env *e) { return e->front == RUN && e->stage == LOADED; }

/* ---- decisions --------------------------------------------------------------------------------------------- */

static void begin(struct gs_env *e, enum front what) {
  e->front = what;
  e->command = true;
  e->at = 0;
}

/* Halted, nothing under way: what next? */
static void decide(struct gs_env *e, const struct gs_env_choice *c) {
  const struct process *p = &e->process[e->now];
  const bool spoils = e->stage != LOADED && p->n && (e->sweep ? e->stage == SAVED && spoil_next(e) : c->flags & SPOIL);
  if (e->stage == NEW) {
    if (e->sweep || c->aim % 8) begin(e, SAVING);
    else e->front = RUN; /* halted for nothing */
  } else if (spoils) {
    if (!e->sweep) spoil(e, p, (enum gs_env_spoil)(FLIP + c->data % (N_SPOIL - 1)), c->aim);
    begin(e, LOADING);
  } else if (e->stage == SAVED && !e->sweep) {
    e->front = (c->flags & KEEP) && e->intact ? RUN : RESETTING;
    e->next = c->aim % N_PROCESSES;
  } else if (e->stage == LOADED) {
    if (e->sweep || c->aim % 4) begin(e, AGAIN);
    else e->front = RUN;
  } else if (p->n) {
    load_good(e);
    begin(e, LOADING);
  } else {
    e->front = RUN; /* a context that begins empty */
  }
}

void front_drive(struct gs_env *e, const struct gs_env_choice *c, const uint32_t *out, uint32_t *in) {
  const struct simt_context_ports *at = &e->ctx;
  const bool settled = e->last == SIMT_HALTED && e->was_halt && e->halt_before && !e->reset_before && !e->was_reset;
  if (e->front == RUN && (c->flags & SWITCH)) {
    e->front = HALTING;
    e->stage = NEW;
    e->intact = true;
  } else if (e->front == HALTING && settled) {
    e->front = HALTED;
  } else if (e->front == HALTING && e->stage == NEW && (c->flags & GIVE_UP)) {
    e->front = RUN;
    e->cover[COVER_HALT_WITHDRAWN]++;
  }
  if (e->front == HALTED && !e->command) decide(e, c);
  if (e->front >= SAVING && e->front <= AGAIN && e->front != RESETTING && !e->command && (c->flags & BREAK)) {
    e->blind = true;
    e->broken = e->front;
    e->front = BROKEN;
    e->released = 1 + c->aim % 64;
  }
  bool again = e->front == BROKEN && !(e->released -= e->released > 0);
  in[e->status.halt] = (e->front != RUN && e->front != BROKEN) || again;
  in[e->status.reset] = e->front == RESETTING || (e->front <= HALTING && (c->flags & RESET_UNIT));
  bool answer = in[e->rsp_valid] && out[e->rsp_ready]; /* a resume just behind a refusal would come too early */
  in[e->status.resume] = (c->flags & RESUME) && !answer;
  in[at->unit] = UNIT_NUMBER;
  in[at->cmd_valid] = e->command;
  in[at->cmd_load] = e->front == LOADING;
  in[at->out_ready] = (c->flags & CTX_MOVES) != 0;
  bool loads = e->front == LOADING || (e->front == BROKEN && e->broken == LOADING);
  in[at->in_valid] = loads && !e->command && e->at < e->n && (c->flags & IN_MOVES);
  in[at->in_data] = e->at < e->n ? e->stream[e->at] : 0;
  in[at->in_last] = e->at + 1 == e->n;
  in[at->in_error] = in[at->in_last] ? e->found : SIMT_STREAM_GOOD;
}

/* ---- what came of it --------------------------------------------------------------------------------------- */

static const char *save_ended(struct gs_env *e) {
  struct process *p = &e->process[e->now];
  uint32_t *w = e->stream;
  bool payload;
  if (e->at != e->n || judge(e, w, e->at, SIMT_STREAM_GOOD, &payload) != SIMT_CONTEXT_GOOD)
    return "the saved stream is not what a load accepts";
  if (e->front == AGAIN) {
    if (e->at != p->n || memcmp(w, p->words, 4 * p->n)) return "a save right after a load gives another stream";
    e->cover[COVER_SAVED_AGAIN]++;
  }
  e->cover[COVER_FULL_CONTEXT] += (w[HEAD] & 0x12) == 0x12;
  memcpy(p->words, w, 4 * e->at);
  p->n = e->at;
  p->golden = e->g;
  return NULL;
}

static const char *load_ended(struct gs_env *e) {
  if (e->expected == SIMT_CONTEXT_GOOD) {
    e->g = e->process[e->now].golden;
    e->stage = LOADED;
    e->cover[COVER_SWITCHED]++;
  } else if (e->in_payload) {
    golden_reset(e, false);
    e->intact = false;
    e->cover[COVER_REFUSED_PAYLOAD]++;
  } else {
    e->cover[COVER_REFUSED_HEADER]++;
  }
  return NULL;
}

/* A command that the front end broke by a release: a save must not pass for good unless it is. */
static const char *broken_ended(struct gs_env *e, const uint32_t *out) {
  bool payload, good = !out[e->ctx.error];
  e->cover[COVER_RELEASED_EARLY] += !good;
  e->cover[COVER_HALTED_AGAIN] += !good && !e->released && e->last == SIMT_HALTED;
  if (e->broken == LOADING) return e->at == e->n ? NULL : "a load ends before its last word";
  if (e->at != e->n) return "a save ends before its last word";
  bool accepted = judge(e, e->stream, e->n, SIMT_STREAM_GOOD, &payload) == SIMT_CONTEXT_GOOD;
  return good && !accepted ? "a save ends well with a stream that no load accepts" : NULL;
}

/* The command has ended. */
static const char *ended(struct gs_env *e, const uint32_t *out) {
  if (e->front == BROKEN) return broken_ended(e, out);
  enum simt_context_error want = e->front == LOADING ? e->expected : SIMT_CONTEXT_GOOD;
  if (e->front != LOADING && e->front != SAVING && e->front != AGAIN) return "a command ends that was not given";
  if (out[e->ctx.error] != want) return wrong(e, "a context ends with error %u, not %u", out[e->ctx.error], want);
  if (e->front == LOADING && e->at != e->n) return "a load ends before its last word";
  const char *said = e->front == LOADING ? load_ended(e) : save_ended(e);
  if (e->front == SAVING) e->stage = SAVED;
  e->front = e->front == AGAIN ? RUN : HALTED;
  e->done++;
  return said;
}

static void after_reset(struct gs_env *e) {
  e->now = e->next;
  e->front = HALTING; /* until it is halted again */
  e->stage = RESET;
}

const char *front_observe(struct gs_env *e, const uint32_t *in, const uint32_t *out) {
  const struct simt_context_ports *at = &e->ctx;
  const char *said = NULL;
  if (in[at->cmd_valid] && out[at->cmd_ready]) {
    e->command = false;
    e->n = e->front == LOADING ? e->n : 0;
  }
  if (out[at->out_valid] && in[at->out_ready]) {
    if (e->at >= MAX_WORDS) return "a save does not end";
    e->stream[e->at++] = out[at->out_data];
    if (out[at->out_last]) e->n = e->at;
    else if (e->n) return "a word follows the last one of a save";
  }
  if (in[at->in_valid] && out[at->in_ready]) e->at++;
  if (out[at->done]) said = ended(e, out);
  if (e->front == RESETTING) after_reset(e);
  return said;
}
