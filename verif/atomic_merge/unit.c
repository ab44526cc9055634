/* SPDX-License-Identifier: Apache-2.0 */
/* unit.c: the front end in the environment: it halts, releases and resets the cache, saves and loads its context; what must hold
 * of the reported state and at the ports meanwhile (AM-17, US-3, US-4, US-5, US-7, US-9, US-14). */
#include "atomic_merge/env.h"

#include <string.h>

static const char *const answers[] = {"wit_valid_o", NULL}; /* tells of requests that were taken */
static const char *const shape[] = {"LINE_BYTES", "ADDR_W", NULL};

static void cover(struct am_env *e, enum am_cover_unit what) { e->cover[am_cover_status(&e->l) + what]++; }

/* ---- contexts ------------------------------------------------------------------------------------------------ */

static struct am_context unpack(const uint32_t *w, unsigned words) {
  return (struct am_context){.lost = w[0] & 0xffff, .unasked = w[0] >> 16 & 1, .nack = w[0] >> 17 & 1,
                             .line = w[1] | (words > 2 ? (uint64_t)w[2] << 32 : 0)};
}

static bool same(const struct am_context *a, const struct am_context *b) {
  return a->lost == b->lost && a->line == b->line && a->unasked == b->unasked && a->nack == b->nack;
}

/* All that a drained cache still knows is what its ports say. */
static const char *saved(void *env, unsigned slot, const uint32_t *payload, unsigned words) {
  struct am_env *e = env;
  if (words != (e->l.line_aw > 32 ? 3 : 2)) return "a context has another length";
  const struct am_context got = unpack(payload, words);
  if (payload[0] >> 18 || !same(&got, &e->unit.now)) return "a saved context is not what the ports say of lost requests";
  e->unit.slot[slot] = got;
  return NULL;
}

static void set(struct am_env *e, struct am_context to) {
  e->lost = to.lost;
  e->unasked_seen = to.unasked;
  e->unit.loaded = to;
  e->unit.follows = e->unit.nack_loaded = true;
  e->unit.nack_next = to.nack;
}

static void loaded(void *env, unsigned slot) {
  struct am_env *e = env;
  set(e, e->unit.slot[slot]);
}

/* Behind a header that passed the cache clears itself; else a reset has, or will in the next cycle, which is seen there. What came
 * in whole before a reset comes cleared. */
static void cleared(void *env) {
  struct am_env *e = env;
  struct am_front *u = &e->unit;
  u->aborts = u->error && u->shell.in_payload && (!u->shell.cleared || u->head_left);
  if (u->aborts || !u->error) set(e, (struct am_context){0});
}

static void nonsense(const void *env, uint32_t *payload, uint32_t place) {
  const struct am_env *e = env;
  const unsigned upper = e->l.line_aw % 32;
  if (place & 1 || (!upper && payload[0] & 0xffff)) payload[0] |= 0x40000u << place / 2 % 14;
  else if (payload[0] & 0xffff) payload[e->l.line_aw > 32 ? 2 : 1] |= 1u << (upper + place / 2 % (32 - upper));
  else payload[1] |= 1u << place / 2 % 32;
}

static void event(void *env, enum simt_front_event what) {
  struct am_env *e = env;
  struct am_front *u = &e->unit;
  if (!e->l.drains) {
    if (what <= SIMT_FROM_QUIESCENT && e->n_live >= 4) cover(e, AM_COVER_HALTED);
    return;
  }
  if (what <= SIMT_FROM_QUIESCENT && u->found_many) cover(e, AM_COVER_DRAINED);
  if (what == SIMT_LOADED) cover(e, AM_COVER_LOADED);
  if (what == SIMT_SAVED_AGAIN) cover(e, AM_COVER_SAVED_AGAIN);
  if (what == SIMT_REFUSED_HEADER) cover(e, AM_COVER_REFUSED_HEADER);
  if (what == SIMT_REFUSED_PAYLOAD) cover(e, AM_COVER_REFUSED_PAYLOAD);
  if (what == SIMT_BROKEN || what == SIMT_LOADED_BEFORE_RESET) cover(e, AM_COVER_BROKEN);
}

bool am_find_unit(struct am_env *e) {
  if (!e->l.status) return true;
  e->unit.served_at = simt_find_port(e->cfg, "served_idle_i")->word;
  e->unit.idle_at = simt_find_port(e->cfg, "idle_o")->word;
  e->unit.desc = (struct simt_front_unit){.type = 0x414d, .number = 5, .ctx_max = (unsigned)simt_derived(e->cfg, "CTX_MAX"), .status = e->l.status,
                                          .slots = AM_SLOTS, .breaks = true, .shape = shape, .answers = answers, .nonsense = nonsense, .saved = saved, .loaded = loaded,
                                          .cleared = cleared, .event = event};
  return simt_front_create(&e->unit.shell, e->cfg, &e->unit.desc, e);
}

void am_free_unit(struct am_env *e) {
  if (e->unit.desc.slots) simt_front_destroy(&e->unit.shell);
}

void am_clear_slots(struct am_env *e) {
  if (e->l.status) simt_front_reset(&e->unit.shell, true);
}

void am_forget_unit(struct am_env *e) {
  const struct am_front u = e->unit;
  if (!e->l.status) return;
  memset(&e->unit, 0, sizeof e->unit);
  e->unit.shell = u.shell;
  e->unit.desc = u.desc;
  memcpy(e->unit.slot, u.slot, sizeof u.slot);
  e->unit.served_at = u.served_at;
  e->unit.idle_at = u.idle_at;
  simt_front_reset(&e->unit.shell, false);
  e->unit.shell.level = u.shell.level;
  e->unit.clears = e->l.tid_check ? 1u << e->l.tid_w : 0;
}

/* The other caches want nothing of the home some time behind the halt, until release or reset; else what they say means nothing. */
void am_drive_unit(struct am_env *e, const struct am_choice *c, uint32_t *in) {
  struct am_front *u = &e->unit;
  if (!e->l.status) return;
  struct simt_front_choice order = c->front;
  const bool moves = order.order == SIMT_SAVE || order.order == SIMT_LOAD;
  if (moves && (!e->l.drains || e->reg.offered || e->reg.taken || in[e->rst])) order.order = SIMT_NO_ORDER;
  simt_front_drive(&u->shell, &order, in);
  u->served = u->shell.level && !in[u->shell.status_at.reset] && (u->served || c->pick >> 3 & 3);
  in[u->served_at] = u->shell.level ? u->served : c->pick >> 5 & 1;
}

static bool sends_fill(const struct am_env *e) { return e->sends.valid && !e->sends.snoop && !e->sends.stray; }

/* Fills of fetches from before a reset are still sent and dropped; the home is reset together with the cache, so it forgets who
 * had which line. Memory keeps what was committed. */
static void clear(struct am_env *e) {
  struct am_fetched kept[AM_MAX_FETCHES];
  const unsigned n = e->n_fetched;
  const bool fill = sends_fill(e), has = e->has_request;
  const unsigned tag = e->sends.tag, line = e->sends.line, beat = e->sends.beat;
  const bool error = e->sends.error;
  if (n || fill) cover(e, AM_COVER_RESET_FETCH);
  memcpy(kept, e->fetched, sizeof kept);
  am_lose_counts(e);
  am_forget_requests(e);
  memcpy(e->fetched, kept, sizeof kept);
  e->n_fetched = n;
  e->has_request = has;
  e->unit.follows = false;
  memset(e->unit.shown, 0, sizeof e->unit.shown);
  if (fill) {
    e->sends.valid = true;
    e->sends.error = error;
    e->sends.tag = tag;
    e->sends.line = line;
    e->sends.beat = beat;
    if (!error) e->line[line].owner = AM_SENT;
  }
}

/* ---- what must hold ------------------------------------------------------------------------------------------- */

static const char *check_idle(const struct am_env *e, bool idle) {
  const struct am_front *u = &e->unit;
  const bool could = u->shell.was_halt && !u->was_open && !u->shell.was_reset && !u->was_drops;
  if (!e->l.drains) return idle != could ? "idle_o is not whether a fetch is open under the halt" : NULL;
  const bool here = u->shell.halt_req && (e->n_live || e->n_owned); /* behind the release requests come in */
  if (idle && (!could || here)) return "idle_o while requests, fetches or lines are here";
  return u->idle && could && !idle && !u->aborts ? "idle_o falls before release or reset" : NULL;
}

static const char *check_ports(const struct am_env *e, const uint32_t *out, bool halted) {
  const struct am_front *u = &e->unit;
  const bool still = halted || u->shell.ctx_reset, closed = still || u->shell.halt_req || u->drops;
  if (closed && out[e->req_ready]) return "a request is taken under a halt request or a reset";
  if ((e->l.drains ? still || u->drops : closed) && out[e->fetch_valid]) return "a fetch is begun while halted, in a reset or under a halt request that holds";
  if (still && (out[e->ans_valid] || out[e->rel_valid])) return "an answer or a release while halted or in a reset";
  if (still && !u->drops && out[e->home_ready]) return "a word of the home is taken while halted or in a reset";
  if (halted && u->is_open) return "halted while a fetch is open";
  if (halted && e->l.drains && (e->n_live || e->n_owned)) return "halted with requests or lines that are still here";
  if (halted && u->shell.last != SIMT_HALTED && !u->long_served) return "halted while another cache wants something of the home";
  if (out[u->shell.status_at.gather] || (u->moved && !out[u->shell.status_at.progress])) return "gather_o is 1, or progress_o is 0 behind a transfer";
  return check_idle(e, out[u->idle_at]);
}

/* An answer and a beat of a release that wait are withdrawn by a reset alone (US-14). A fetch that the home has not taken is withdrawn
 * by a halt, too, and is the next one that is shown behind the release: it is asked again. */
static const char *check_withdrawn(struct am_env *e, const uint32_t *in, const uint32_t *out, bool halted) {
  struct am_front *u = &e->unit;
  const unsigned valid[] = {e->fetch_valid, e->ans_valid, e->rel_valid}, ready[] = {e->fetch_ready, e->ans_ready, e->rel_ready};
  const uint64_t word[][3] = {{out[e->fetch_line], out[e->fetch_tag], e->l.line_aw > 32 ? out[e->fetch_line + 1] : 0},
                              {out[e->ans_tid], out[e->ans_status], simt_get64(&out[e->ans_data])},
                              {out[e->rel_line], out[e->rel_last], simt_get64(&out[e->rel_data])}};
  const bool reset = u->shell.ctx_reset || u->drops, halt = u->shell.halt_req || halted;
  for (unsigned i = 0; i < 3; i++) {
    struct am_shown *s = &u->shown[i];
    const bool shown = out[valid[i]];
    if (s->waits && !shown && !reset && !(halt && i == 0)) return i ? "an answer or a release that waits is withdrawn" : "a fetch that waits is not shown, and there is no halt";
    if (s->waits && shown && memcmp(s->word, word[i], sizeof s->word)) return "another word is shown than the one that waits";
    if (s->waits && shown && i == 0 && u->withdrawn && !e->l.drains) cover(e, AM_COVER_ASKED_AGAIN);
    if (i == 0) u->withdrawn = s->waits && !shown;
    s->waits = shown ? !in[ready[i]] : s->waits && !reset;
    memcpy(s->word, word[i], shown ? sizeof s->word : 0);
  }
  return NULL;
}

/* Requests, or a line that comes or goes. */
static bool something_there(const struct am_env *e, const uint32_t *in, const uint32_t *out) {
  return e->n_live || in[e->req_valid] || e->unit.is_open || e->sends.valid || in[e->home_valid] || out[e->fetch_valid] || out[e->rel_valid] ||
         out[e->ans_valid] || e->unit.drops || e->unit.clears;
}

/* Cycles that do not count for HALT_OWN: somebody else is waited for. */
static bool waits(const struct am_env *e, const uint32_t *in, const uint32_t *out) {
  const struct am_front *u = &e->unit;
  if (u->is_open || u->drops || u->clears || !u->was_served) return true;
  if ((out[e->ans_valid] && !in[e->ans_ready]) || (out[e->rel_valid] && !in[e->rel_ready])) return true;
  return e->l.drains && (out[e->fetch_valid] || in[e->home_valid]);
}

static const char *check_state(struct am_env *e, const uint32_t *in, const uint32_t *out) {
  struct am_front *u = &e->unit;
  const enum simt_unit_state state = u->shell.state;
  const bool halted = state == SIMT_HALTED;
  const uint64_t own = simt_derived(e->cfg, "HALT_OWN");
  if (state == SIMT_EMPTY && !u->shell.was_reset && u->holds && e->n_live) return "empty with requests under way";
  u->since = !u->shell.halt_req || halted ? 0 : u->since + !waits(e, in, out);
  if (!u->since) u->snoops = 0;
  u->snoops += in[e->home_valid] && out[e->home_ready] && in[e->home_snoop];
  if (u->since > own + (e->l.drains ? u->snoops * (12 + e->l.beats) : 0)) return "not halted within HALT_OWN cycles";
  u->nothing = something_there(e, in, out) ? 0 : u->nothing + 1;
  if (u->nothing > own + 64 && state != SIMT_EMPTY && !halted) return "not empty with nothing there";
  return NULL;
}

/* A write of AM_NACK_CLEAR acts in the cycle before its answer. */
static const char *check_nack(struct am_env *e, const uint32_t *out) {
  struct am_front *u = &e->unit;
  u->nack = u->failed || (u->nack && !u->nack_written);
  if (u->nack_loaded) u->nack = u->nack_next;
  if (u->shell.was_reset) u->nack = false;
  u->nack_written = u->nack_loaded = false;
  return out[u->shell.status_at.nack] != u->nack ? "nack_o is not whether a fetch failed since it was cleared, or what came with a context" : NULL;
}

/* Behind a load the ports say what the context has, until a reset or what happens then. */
static const char *check_context(struct am_env *e, const uint32_t *out) {
  struct am_front *u = &e->unit;
  u->now = (struct am_context){.lost = out[e->lost_count], .unasked = out[e->unasked], .nack = out[u->shell.status_at.nack],
                               .line = e->l.line_aw > 32 ? simt_get64(&out[e->lost_line]) : out[e->lost_line]};
  if (u->shell.state != SIMT_HALTED || u->nack_written) u->follows = false;
  const struct am_context *a = &u->now, *b = &u->loaded;
  return u->follows && (a->lost != b->lost || a->line != b->line || a->unasked != b->unasked) ? "the ports do not say what was loaded" : NULL;
}

/* The last word of a header leaves two cycles behind the one that took it. */
static void follow_header(struct am_front *u) {
  const bool loads = u->shell.doing == SIMT_FRONT_LOADING && u->shell.at >= 3;
  if (u->shell.ctx_reset) u->head_left = loads && u->head_age >= 2;
  u->head_age = loads ? u->head_age + 1 : 0;
}

static void edge(struct am_env *e, const uint32_t *in, const uint32_t *out, bool halted) {
  struct am_front *u = &e->unit;
  const bool clears = u->shell.ctx_reset || u->aborts;
  u->failed = in[e->home_valid] && out[e->home_ready] && !in[e->home_snoop] && in[e->home_error] && !e->sends.stray && !u->drops;
  u->moved = (in[e->req_valid] && out[e->req_ready]) || (out[e->ans_valid] && in[e->ans_ready]) || (out[e->rel_valid] && in[e->rel_ready]);
  u->was_drops = u->drops;
  u->drops = clears || (u->drops && (u->is_open || u->clears));
  u->clears = clears && e->l.tid_check ? 1u << e->l.tid_w : u->clears - (u->clears != 0);
  if (clears) clear(e);
  u->was_open = u->is_open;
  u->is_open = e->n_fetched || sends_fill(e);
  u->long_served = u->was_served;
  u->was_served = u->served;
  u->holds = e->n_live != 0;
  u->idle = out[u->idle_at] && !clears;
  u->aborts = false;
  follow_header(u);
  if (!u->shell.halt_req) u->found_many = in[u->shell.status_at.halt] && e->n_live >= 4;
  if (in[e->reg_at.valid] && in[e->reg_at.write]) u->shell.fresh = 0;
  simt_front_step(&u->shell, in);
  for (unsigned i = 0; halted && i < e->pool; i++) e->line[i].halted = true;
}

const char *am_see_unit(struct am_env *e, const uint32_t *in, const uint32_t *out) {
  if (!e->l.status) return NULL;
  struct am_front *u = &e->unit;
  u->shell.drops = u->drops;
  const char *bad = simt_front_state(&u->shell, out);
  const bool halted = u->shell.state == SIMT_HALTED;
  if (!bad) bad = check_state(e, in, out);
  if (!bad) bad = check_ports(e, out, halted);
  if (!bad) bad = check_withdrawn(e, in, out, halted);
  if (!bad) bad = check_nack(e, out);
  if (!bad) bad = check_context(e, out);
  u->error = out[u->shell.ctx_at.error];
  if (!bad) bad = simt_front_words(&u->shell, in, out);
  edge(e, in, out, halted);
  return bad;
}
