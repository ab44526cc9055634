/* SPDX-License-Identifier: Apache-2.0 */
/* stimulus.c: random choices by profile. Rates are in 1/256. */
#include "tracker/env.h"

#include <string.h>

enum trk_profile { MIXED, HITS, ONE_QUEUE, ALL_QUEUES, LONG, STATE, WINDOW, COUNTS, CLOSE, INTERLOCK, MODES, ERRORS, PRESSURE, RESETS, HALTS, BREAKS, BLOCKED, PROFILES };

const struct simt_named trk_profiles[] = {
  [MIXED] = {"mixed", "Everything, at rates that change.", "TR-1 TR-2 TR-6 TR-9"},
  [HITS] = {"hits", "Sectors are there: one wavefront per cycle in and out.", "TR-6 TR-8 TR-14"},
  [ONE_QUEUE] = {"one_queue", "One queue takes the whole pool; fills are rare.", "TR-3 TR-15"},
  [ALL_QUEUES] = {"all_queues", "All warps and ray traversal at once; fills in any order.", "TR-2 TR-7"},
  [LONG] = {"long", "Instructions longer than the pool.", "TR-10"},
  [STATE] = {"state", "State packets between and inside texture instructions.", "TR-11"},
  [WINDOW] = {"window", "Fills come while the wavefront is on its way to its slot.", "TR-7"},
  [COUNTS] = {"counts", "Few data slots: counts saturate; flush tokens.", "TR-13"},
  [CLOSE] = {"close", "Close packets inside instructions.", "TR-10"},
  [INTERLOCK] = {"interlock", "Fast packets under pressure.", "TR-12"},
  [MODES] = {"modes", "Mode, split and group size change under traffic.", "TR-2"},
  [ERRORS] = {"errors", "Packets, allocations, fills and values that are refused.", "TR-17"},
  [PRESSURE] = {"pressure", "Outputs are seldom read.", "TR-14"},
  [RESETS] = {"resets", "Resets in mid-run.", "TR-0"},
  [HALTS] = {"halts", "STATUS: halts, releases, resets, saves and loads of the unit under traffic; else as mixed.", "TR-16"},
  [BREAKS] = {"breaks", "STATUS: as halts, with resets in the middle of saves and loads.", "TR-16 US-7 US-9"},
  [BLOCKED] = {"blocked", "STATUS: as halts, with outputs that are seldom read, many state packets and flush tokens.", "TR-11 TR-13 TR-16"},
  {NULL, NULL, NULL}};

static const struct trk_rates base[PROFILES] = {
  [MIXED] = {.in = 200, .end = 90, .fast = 30, .read_fast = 200, .read_lg = 230, .read_tex = 230, .fill = 220, .newest = 40, .stray = 10,
             .alloc = 60, .reg = 3, .used = 100, .state = 8, .token = 4, .close = 6, .lg = 100, .tex = 100, .hot = 24},
  [HITS] = {.in = 255, .end = 90, .fast = 20, .read_fast = 255, .read_lg = 255, .read_tex = 255, .fill = 255, .stray = 60, .hits = 250,
            .used = 120, .lg = 140, .tex = 80},
  [ONE_QUEUE] = {.in = 255, .end = 60, .fast = 20, .read_fast = 250, .read_lg = 255, .read_tex = 255, .fill = 40, .alloc = 20, .used = 90,
                 .lg = 200, .tex = 40, .reg = 2},
  [ALL_QUEUES] = {.in = 250, .end = 160, .read_fast = 255, .read_lg = 250, .read_tex = 250, .fill = 250, .alloc = 120, .used = 110,
                  .lg = 80, .tex = 80},
  [LONG] = {.in = 250, .end = 1, .fast = 10, .read_fast = 250, .read_lg = 250, .read_tex = 250, .fill = 250, .used = 60, .state = 2,
            .close = 1, .lg = 120, .tex = 120, .hot = 40, .hits = 120},
  [STATE] = {.in = 240, .end = 70, .fast = 10, .read_fast = 220, .read_lg = 220, .read_tex = 220, .fill = 220, .used = 80, .state = 60,
             .lg = 50, .tex = 190, .hot = 30},
  [WINDOW] = {.in = 90, .end = 140, .read_fast = 255, .read_lg = 250, .read_tex = 250, .fill = 255, .newest = 255, .alloc = 200, .used = 90,
              .lg = 110, .tex = 80, .hot = 6},
  [COUNTS] = {.in = 255, .end = 120, .read_fast = 250, .read_lg = 160, .read_tex = 160, .fill = 120, .alloc = 60, .any_alloc = 40, .used = 160,
              .token = 8, .lg = 100, .tex = 60, .hot = 3, .same = 90},
  [CLOSE] = {.in = 250, .end = 20, .read_fast = 250, .read_lg = 240, .read_tex = 240, .fill = 240, .used = 70, .close = 30, .token = 4,
             .lg = 120, .tex = 120},
  [INTERLOCK] = {.in = 220, .end = 120, .fast = 200, .read_fast = 40, .read_lg = 250, .read_tex = 250, .fill = 250, .alloc = 60, .used = 70,
                 .state = 10, .lg = 110, .tex = 110},
  [MODES] = {.in = 230, .end = 90, .fast = 30, .read_fast = 200, .read_lg = 240, .read_tex = 240, .fill = 250, .reg = 12, .used = 80, .state = 4,
             .token = 2, .lg = 90, .tex = 80, .hits = 128},
  [ERRORS] = {.in = 200, .end = 80, .fast = 20, .read_fast = 200, .read_lg = 240, .read_tex = 240, .fill = 200, .stray = 60, .alloc = 120,
              .any_alloc = 160, .reg = 20, .odd = 60, .used = 100, .state = 6, .token = 12, .close = 6, .lg = 90, .tex = 90, .hot = 6},
  [PRESSURE] = {.in = 240, .end = 100, .fast = 40, .read_fast = 12, .read_lg = 16, .read_tex = 12, .fill = 220, .used = 80, .state = 6,
                .token = 2, .lg = 100, .tex = 90},
  [RESETS] = {.in = 220, .end = 100, .fast = 30, .read_fast = 200, .read_lg = 200, .read_tex = 200, .fill = 200, .alloc = 60, .reg = 24, .used = 90,
              .state = 10, .token = 6, .close = 4, .lg = 90, .tex = 90, .hot = 12, .resets = true},
  [HALTS] = {.in = 220, .end = 90, .fast = 30, .read_fast = 200, .read_lg = 200, .read_tex = 200, .fill = 200, .newest = 20, .stray = 10, .alloc = 60,
             .reg = 3, .used = 90, .state = 10, .token = 5, .close = 5, .lg = 100, .tex = 100, .hot = 20, .halt = 200},
  [BREAKS] = {.in = 220, .end = 90, .fast = 60, .read_fast = 120, .read_lg = 120, .read_tex = 120, .fill = 200, .newest = 20, .stray = 10,
              .alloc = 60, .reg = 6, .used = 90, .state = 20, .token = 10, .close = 5, .lg = 100, .tex = 100, .hot = 20, .halt = 255, .breaks = true},
  [BLOCKED] = {.in = 220, .end = 140, .fast = 20, .read_fast = 120, .read_lg = 5, .read_tex = 5, .fill = 240, .stray = 10, .alloc = 20,
               .used = 60, .state = 30, .token = 20, .lg = 100, .tex = 100, .hot = 20, .halt = 255},
};

static unsigned named(const struct trk_env *e) {
  for (unsigned i = 0; i < PROFILES; i++)
    if (e->stim.profile && !strcmp(trk_profiles[i].name, e->stim.profile)) return i;
  return PROFILES;
}

/* Rates of the profile, some of them changed for a while. */
static void next_phase(struct trk_env *e) {
  unsigned profile = named(e);
  if (profile == PROFILES) {
    const unsigned n = e->l.status ? PROFILES : HALTS;
    uint64_t each = e->stim.cycles / n + 1;
    profile = (unsigned)(e->cycle / each) % n;
  }
  e->profile = profile;
  e->rates = base[profile];
  e->phase_left = 50 + (unsigned)simt_rng_below(&e->rng, 600);
  uint64_t r = simt_rng_next(&e->rng);
  struct trk_rates *t = &e->rates;
  if (r % 4 == 0) t->hot = (uint8_t)(1 + (r >> 8) % 8);
  if ((r >> 16) % 8 == 0) t->read_lg = (uint8_t)(r >> 20);
  if ((r >> 28) % 8 == 0) t->read_tex = (uint8_t)(r >> 31);
  if ((r >> 40) % 8 == 0) t->in = (uint8_t)(r >> 42);
  if ((r >> 50) % 8 == 0) t->fill = (uint8_t)(8 + (r >> 52) % 200);
  if ((r >> 60) % 4 == 0) t->end = (uint8_t)(t->end / 4 + 1);
}

/* Cycles between resets: several times what clearing takes, but at most 2048. */
static unsigned reset_every(const struct trk_env *e) {
  const unsigned most = e->l.dslots > e->l.entries ? e->l.dslots : e->l.entries;
  return most < 448 ? 256 + 4 * most : 2048;
}

/* What the front end does. */
static void choose_order(struct trk_env *e, struct trk_choice *c) {
  const struct simt_front *f = &e->front.shell;
  uint64_t r = simt_rng_next(&e->rng);
  unsigned halt = e->rates.halt ? e->rates.halt : 4, words = e->front.unit.ctx_max;
  if (f->doing != SIMT_FRONT_IDLE) {
    const bool given = f->doing == SIMT_FRONT_LOADING && !f->offered && f->at >= f->n;
    if (e->rates.breaks && (r >> 16 & 0xfffff) % (given ? 16 : 16 * words) == 0) c->order = SIMT_UNIT_RESET;
  } else if (!f->level) {
    if ((r & 16383) < halt) c->order = SIMT_HALT;
    else if ((r >> 16 & 0x7ffff) < halt) c->order = SIMT_UNIT_RESET;
    else if ((r >> 40 & 127) == 0) c->order = SIMT_RESUME;
  } else if (f->state != SIMT_HALTED) {
    if ((r & 255) == 0) c->order = SIMT_RELEASE;
    else if ((r >> 16 & 2047) == 0) c->order = SIMT_UNIT_RESET;
  } else {
    unsigned what = r & 63;
    c->order = what < 4 ? SIMT_RELEASE : what < 12 ? SIMT_SAVE : what < 14 ? SIMT_UNIT_RESET : what < 22 ? SIMT_LOAD : SIMT_NO_ORDER;
    bool moves = c->order == SIMT_SAVE || c->order == SIMT_LOAD;
    if (moves && (r >> 6 & 1023) % (words / 128 + 1)) c->order = SIMT_RELEASE; /* long contexts more rarely */
    c->slot = (uint8_t)(r >> 16 & 0xff);
    if (c->order == SIMT_LOAD && (r >> 24 & 3) == 0) c->spoil = (uint8_t)(r >> 28 & 0xff);
  }
  c->place = (uint32_t)(r >> 32);
  if ((r >> 36 & 15) < 13) c->flags |= TRK_CTX_OUT;
  if ((r >> 40 & 15) < 13) c->flags |= TRK_CTX_IN;
}

bool trk_choose(struct trk_env *e, struct trk_choice *c) {
  if (!e->phase_left--) next_phase(e);
  const struct trk_rates *t = &e->rates;
  uint64_t a = simt_rng_next(&e->rng), b = simt_rng_next(&e->rng), d = simt_rng_next(&e->rng);
  uint32_t f = 0;
  if ((a & 255) < t->in) f |= TRK_DO_IN;
  if ((a >> 8 & 255) < t->end) f |= TRK_END;
  if ((a >> 16 & 255) < t->fast) f |= TRK_DO_FAST;
  if ((a >> 24 & 255) < t->read_fast) f |= TRK_READ_FAST;
  if ((a >> 32 & 255) < t->read_lg) f |= TRK_READ_LG;
  if ((a >> 40 & 255) < t->read_tex) f |= TRK_READ_TEX;
  if ((a >> 48 & 255) < t->fill) f |= TRK_DO_FILL;
  if ((a >> 56 & 255) < t->newest) f |= TRK_NEWEST;
  if ((b & 255) < t->stray) f |= TRK_STRAY;
  if ((b >> 8 & 255) < t->alloc) f |= TRK_DO_ALLOC;
  if ((b >> 16 & 255) < t->any_alloc) f |= TRK_ANY_ALLOC;
  if ((b >> 24 & 255) < t->reg) f |= TRK_DO_REG | (b >> 32 & 1 ? TRK_REG_WRITE : 0);
  if ((b >> 40 & 255) < t->odd) f |= TRK_ODD;
  if ((b >> 48 & 255) < t->hits) f |= TRK_HITS;
  if ((b >> 56 & 255) < t->same) f |= TRK_SAME;
  if (t->resets && d % reset_every(e) == 0) f |= TRK_RESET;
  c->flags = f;
  int kind = (int)(d >> 16 & 255);
  c->kind = kind < t->state ? TRK_STATE : kind < t->state + t->token ? TRK_TOKEN
          : kind < t->state + t->token + t->close ? TRK_CLOSE : TRK_WAVE;
  int class = (int)(d >> 24 & 255);
  c->class = class < t->lg ? TRK_LG : class < t->lg + t->tex ? TRK_TEX : TRK_RAY;
  c->warp = (uint8_t)(d >> 32);
  c->odd = (uint8_t)(d >> 40);
  c->alloc_bank = (uint8_t)(d >> 48);
  c->reg_addr = (uint8_t)((d >> 56) & 0xfc);
  c->hot = t->hot;
  c->dslots = simt_rng_next(&e->rng);
  c->sectors = simt_rng_next(&e->rng);
  c->payload = simt_rng_next(&e->rng);
  uint64_t g = simt_rng_next(&e->rng);
  c->pick = (uint32_t)g;
  c->alloc_dslot = (uint16_t)(g >> 32 & 0x3ff);
  c->reg_data = (uint32_t)(g >> 48);
  uint64_t u = simt_rng_next(&e->rng);
  for (unsigned i = 0; i < TRK_MAX_BANKS; i++)
    if ((u >> 8 * i & 255) < t->used) c->used |= 1u << i;
  if (e->profile == ONE_QUEUE) { /* one warp, or mode 1 */
    c->warp = 1;
    if (c->class == TRK_RAY) c->class = TRK_LG;
  }
  if (e->profile == MODES || e->profile == MIXED || e->profile == ONE_QUEUE) {
    if (!(f & TRK_REG_WRITE)) c->reg_addr = (uint8_t)(c->reg_addr & 0x9c);
  }
  if (e->profile == RESETS && !(f & TRK_REG_WRITE) && c->pick & 1) c->reg_addr &= 0x1c; /* those that are not counters */
  if (e->l.status) choose_order(e, c);
  return true;
}
