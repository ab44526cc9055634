/* SPDX-License-Identifier: Apache-2.0 */
/* directed.c: short runs that show one thing each. */
#include "tracker/env.h"

#include <string.h>

enum test { ONE, TWO_WARPS, STATE_INSIDE, FAST_FIRST, GROUPS, TOKEN, ONE_WAITS, SWITCH, YOUNGER_LG, YOUNGER_TEX, TESTS };

const struct simt_named trk_directed[] = {
  [ONE] = {"one_wavefront", "A wavefront waits for its sector: fill to output.", "TR-1 TR-7 TR-9"},
  [TWO_WARPS] = {"overtaking", "The second warp's sector comes first: it leaves first.", "TR-2 TR-5 TR-8"},
  [STATE_INSIDE] = {"state_inside", "A state packet between two wavefronts of a texture instruction.", "TR-10 TR-11"},
  [FAST_FIRST] = {"fast_first", "A wavefront waits for a fast packet that came before it.", "TR-12"},
  [GROUPS] = {"close_group", "A close packet lets the first part of an instruction go.", "TR-10"},
  [TOKEN] = {"flush_token", "A count saturates; a flush token resets it.", "TR-13"},
  [ONE_WAITS] = {"one_waits", "One wavefront waits while those behind it leave, until the pool, or its positions of ages, are taken.", "TR-3 TR-5 TR-15"},
  [SWITCH] = {"switch", "STATUS: halted with wavefronts, a state and a fast packet inside; saved, reset, loaded, released: all goes on.", "TR-16 US-4 US-9"},
  [YOUNGER_LG] = {"switch_younger_lg", "STATUS: a flush token and a state packet between two wavefronts of the commit FIFO; behind a switch they wait for the first one alone.", "TR-11 TR-13 TR-16"},
  [YOUNGER_TEX] = {"switch_younger_tex", "STATUS: the same, with the younger wavefront in the texture FIFO and no state packet.", "TR-13 TR-16"},
  {NULL, NULL, NULL}};

/* A step: after `pause` idle cycles a choice is made. */
struct trk_script_step { unsigned pause; uint32_t flags; uint8_t kind, class, warp; uint32_t used; uint8_t dslot; };
enum { ALL = TRK_READ_LG | TRK_READ_TEX | TRK_READ_FAST, IN = TRK_DO_IN, LAST = TRK_DO_IN | TRK_END, FILL = TRK_DO_FILL };

static const struct trk_script_step one[] = {{0, LAST, TRK_WAVE, TRK_LG, 0, 1, 1}, {12, FILL, 0, 0, 0, 0, 0}, {20, 0, 0, 0, 0, 0, 0}};
static const struct trk_script_step overtaking[] = {
  {0, LAST, TRK_WAVE, TRK_LG, 0, 1, 0}, {0, LAST, TRK_WAVE, TRK_LG, 1, 1, 1}, {14, FILL | TRK_NEWEST, 0, 0, 0, 0, 0}, {20, FILL, 0, 0, 0, 0, 0},
  {20, 0, 0, 0, 0, 0, 0}};
static const struct trk_script_step state_inside[] = {
  {0, IN, TRK_WAVE, TRK_TEX, 0, 1, 0}, {0, IN, TRK_STATE, 0, 0, 0, 0}, {0, LAST, TRK_WAVE, TRK_TEX, 0, 1, 1}, {14, FILL, 0, 0, 0, 0, 0},
  {0, FILL, 0, 0, 0, 0, 0}, {40, 0, 0, 0, 0, 0, 0}};
static const struct trk_script_step fast_first[] = {
  {0, TRK_DO_FAST, 0, 0, 0, 0, 0}, {1, LAST, TRK_WAVE, TRK_LG, 0, 0, 0}, {24, TRK_READ_FAST, 0, 0, 0, 0, 0}, {20, 0, 0, 0, 0, 0, 0}};
static const struct trk_script_step close_group[] = {
  {0, IN, TRK_WAVE, TRK_LG, 0, 0, 0}, {10, IN, TRK_CLOSE, 0, 0, 0, 0}, {24, LAST, TRK_WAVE, TRK_LG, 0, 0, 0}, {24, 0, 0, 0, 0, 0, 0}};

static const struct { const struct trk_script_step *step; unsigned n; bool reads_fast; } script[TESTS] = {
  [ONE] = {one, sizeof one / sizeof *one, true}, [TWO_WARPS] = {overtaking, sizeof overtaking / sizeof *overtaking, true},
  [STATE_INSIDE] = {state_inside, sizeof state_inside / sizeof *state_inside, true},
  [FAST_FIRST] = {fast_first, sizeof fast_first / sizeof *fast_first, false},
  [GROUPS] = {close_group, sizeof close_group / sizeof *close_group, true}, [TOKEN] = {NULL, 0, true}, [ONE_WAITS] = {NULL, 0, true}, [SWITCH] = {NULL, 0, false}, [YOUNGER_LG] = {NULL, 0, false}, [YOUNGER_TEX] = {NULL, 0, false}};

/* Wavefronts of one data slot until its count is at the maximum, then a token, then all are filled. */
static bool token_step(struct trk_env *e, struct trk_choice *c) {
  unsigned many = (1u << e->l.ref_w) - 1 < e->l.entries ? (1u << e->l.ref_w) - 1 : e->l.entries, i = e->step++;
  c->flags = ALL;
  if (i >= 2 * many + 600) return false;
  if (i % 2 == 0 && i / 2 < many) c->flags |= LAST, c->used = 1;
  if (i == 2 * many) c->flags |= IN, c->kind = TRK_TOKEN;
  if (i > 2 * many + 20) c->flags |= FILL;
  c->flags |= TRK_SAME;
  return true;
}

/* The first wavefront waits for its sector; those of another warp, without banks, leave at once. */
static bool one_waits_step(struct trk_env *e, struct trk_choice *c) {
  enum { MANY = 300, SOME = 100 };
  unsigned i = e->step++;
  c->flags = ALL;
  if (i >= MANY + SOME) return false;
  if (i < MANY) c->flags |= LAST, c->warp = i != 0, c->used = i == 0;
  else c->flags |= FILL;
  c->sectors = 1;
  return true;
}

/* A halt; then save, reset, load and release, each when the one before has ended. The last one ends the step. */
static void switches(struct trk_env *e, struct trk_choice *c, bool halts) {
  const struct simt_front *f = &e->front.shell;
  if (halts && (f->state != SIMT_HALTED || f->doing != SIMT_FRONT_IDLE)) return;
  c->order = !halts ? SIMT_HALT : !f->slots[0].valid ? SIMT_SAVE : f->fresh && f->just_loaded ? SIMT_RELEASE : e->inside ? SIMT_UNIT_RESET : SIMT_LOAD;
  e->step += c->order == SIMT_HALT || c->order == SIMT_RELEASE;
}

/* Wavefront, flush token, state packet, wavefront, none with banks; both wavefronts get as far as the commit FIFOs and are not read.
 * Behind the switch the older one alone is read; by then a wavefront names the data slot of the token, which must have gone. */
static bool younger_step(struct trk_env *e, struct trk_choice *c, bool tex) {
  enum { HALT = 40, SWITCHED = 41, NAMES = 84, ALL_READ = 90, END = 160 };
  const unsigned i = e->step;
  if (i == 0 && e->l.status) e->front.shell.slots[0].valid = false; /* that of another test */
  c->flags = TRK_CTX_OUT | TRK_CTX_IN | TRK_READ_FAST;
  c->sectors = c->alloc_dslot = 1;
  c->payload = i;
  if (i == 0 || i == 6) c->flags |= LAST;
  if (i == 6) c->class = tex ? TRK_TEX : TRK_LG;
  if (i == 2) c->flags |= TRK_DO_IN, c->kind = TRK_TOKEN;
  if (i == 4 && !tex) c->flags |= TRK_DO_IN, c->kind = TRK_STATE;
  if (e->l.status && (i == HALT || i == SWITCHED)) {
    switches(e, c, i == SWITCHED);
    return true;
  }
  e->step++;
  if (i == NAMES) c->flags |= LAST, c->used = 1, c->dslots = 1;
  if (i > SWITCHED && e->inside == 2 && i < NAMES) c->flags |= TRK_READ_LG;
  if (i > SWITCHED && !tex) c->flags |= TRK_READ_TEX;
  if (i >= ALL_READ) c->flags |= ALL | FILL;
  return i < END;
}

/* Three wavefronts of which one waits for its sector, packets between them; then the context goes out and comes in. */
static bool switch_step(struct trk_env *e, struct trk_choice *c) {
  enum { HALT = 30, SWITCHED = 31, END = 400 };
  unsigned i = e->step;
  c->flags = TRK_CTX_OUT | TRK_CTX_IN | TRK_READ_LG | TRK_READ_TEX;
  c->sectors = 1;
  c->place = 0; /* of what is asked for nothing is sent under the halt */
  if (i == 0) c->flags |= TRK_DO_IN, c->class = TRK_TEX, c->used = 1;
  if (i == 1) c->flags |= TRK_DO_IN, c->kind = TRK_STATE;
  if (i == 2) c->flags |= LAST, c->class = TRK_TEX;
  if (i == 4) c->flags |= TRK_DO_FAST;
  if (i == 6) c->flags |= LAST, c->warp = 1;
  if (!e->l.status || i < HALT) {
    e->step++;
    if (!e->l.status && i > 20) c->flags |= FILL | TRK_READ_FAST;
    return i < 80;
  }
  if (i == HALT || i == SWITCHED) {
    switches(e, c, i == SWITCHED);
  } else {
    c->flags |= FILL | TRK_READ_FAST;
    e->step++;
  }
  return e->step < END;
}

static bool scripted(struct trk_env *e, struct trk_choice *c) {
  unsigned at = e->step;
  const struct trk_script_step *s = script[e->directed].step;
  for (unsigned i = 0; i < script[e->directed].n; i++, s++) {
    if (at == s->pause) {
      c->flags = s->flags;
      c->kind = s->kind;
      c->class = s->class;
      c->warp = s->warp;
      c->used = s->used;
      c->dslots = s->dslot;
      c->sectors = 1;
    }
    if (at <= s->pause) {
      c->flags |= script[e->directed].reads_fast ? ALL : ALL & ~TRK_READ_FAST;
      e->step++;
      return true;
    }
    at -= s->pause + 1;
  }
  return false;
}

bool trk_choose_directed(struct trk_env *e, struct trk_choice *c) {
  if (e->cycle < 2) return true;
  unsigned clear = e->l.clear + e->l.warps + 4;
  if (e->cycle < clear) return true;
  for (; e->directed < TESTS; e->directed++, e->step = 0) {
    if (e->stim.profile && strcmp(e->stim.profile, trk_directed[e->directed].name)) continue;
    if (e->directed == TOKEN ? token_step(e, c) : e->directed == ONE_WAITS ? one_waits_step(e, c) : e->directed == SWITCH ? switch_step(e, c)
        : e->directed == YOUNGER_LG || e->directed == YOUNGER_TEX ? younger_step(e, c, e->directed == YOUNGER_TEX) : scripted(e, c)) return true;
  }
  return false;
}
