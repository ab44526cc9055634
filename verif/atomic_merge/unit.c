/* SPDX-License-Identifier: Apache-2.0 */
/* unit.c: the front end in the environment: it halts, releases and resets the cache; what must hold of the reported state and
 * at the ports meanwhile (AM-17, US-3, US-4, US-5, US-7, US-14). */
#include "atomic_merge/env.h"

#include <string.h>

void am_find_unit(struct am_env *e) {
  if (!e->l.status) return;
  e->unit.at = simt_find_status_ports(e->cfg);
  e->unit.served_at = simt_find_port(e->cfg, "served_idle_i")->word;
  e->unit.idle_at = simt_find_port(e->cfg, "idle_o")->word;
}

void am_forget_unit(struct am_env *e) {
  const struct am_front u = e->unit;
  memset(&e->unit, 0, sizeof e->unit);
  e->unit.at = u.at;
  e->unit.served_at = u.served_at;
  e->unit.idle_at = u.idle_at;
  e->unit.level = u.level;
  e->unit.clears = e->l.tid_check ? 1u << e->l.tid_w : 0;
}

/* The other caches have no fetch open some time behind the halt, until release or reset; else what they say means nothing. */
void am_drive_unit(struct am_env *e, const struct am_choice *c, uint32_t *in) {
  struct am_front *u = &e->unit;
  if (!e->l.status) return;
  u->level = c->halt == AM_HALT || (c->halt != AM_RELEASE && u->level);
  u->served = u->level && !c->unit_reset && (u->served || c->pick >> 3 & 3);
  in[u->at.halt] = u->level;
  in[u->at.reset] = c->unit_reset;
  in[u->at.resume] = c->pick >> 7 & 1;
  in[u->served_at] = u->level ? u->served : c->pick >> 5 & 1;
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
  e->cover[am_cover_status(&e->l) + 2] += n || fill;
  memcpy(kept, e->fetched, sizeof kept);
  am_lose_counts(e);
  am_forget_requests(e);
  memcpy(e->fetched, kept, sizeof kept);
  e->n_fetched = n;
  e->has_request = has;
  if (fill) {
    e->sends.valid = true;
    e->sends.error = error;
    e->sends.tag = tag;
    e->sends.line = line;
    e->sends.beat = beat;
    if (!error) e->line[line].owner = AM_SENT;
  }
}

static const char *check_ports(const struct am_env *e, const uint32_t *out, bool halted) {
  const struct am_front *u = &e->unit;
  const bool still = halted || u->ctx_reset;
  if ((still || u->halt_req || u->drops) && (out[e->req_ready] || out[e->fetch_valid])) return "a request is taken or a fetch begun under a halt request or a reset";
  if (still && (out[e->ans_valid] || out[e->rel_valid])) return "an answer or a release while halted or in a reset";
  if (still && !u->drops && out[e->home_ready]) return "a word of the home is taken while halted or in a reset";
  if (out[u->idle_at] != (u->was_halt && !u->was_open && !u->was_reset && !u->was_drops)) return "idle_o is not whether a fetch is open under the halt";
  if (halted && u->is_open) return "halted while a fetch is open";
  if (halted && !u->halted && !u->long_served) return "halted while another cache has a fetch open";
  return out[u->at.gather] || (u->moved && !out[u->at.progress]) ? "gather_o is 1, or progress_o is 0 behind a transfer" : NULL;
}

/* Requests, or a line that comes or goes. */
static bool something_there(const struct am_env *e, const uint32_t *in, const uint32_t *out) {
  return e->n_live || in[e->req_valid] || e->unit.is_open || e->sends.valid || in[e->home_valid] || out[e->fetch_valid] || out[e->rel_valid] ||
         out[e->ans_valid] || e->unit.drops || e->unit.clears;
}

static const char *check_state(struct am_env *e, const uint32_t *in, const uint32_t *out, enum simt_unit_state state) {
  struct am_front *u = &e->unit;
  const bool halted = state == SIMT_HALTED, waits = u->is_open || u->drops || u->clears || !u->was_served;
  const uint64_t own = simt_derived(e->cfg, "HALT_OWN");
  if (u->was_reset && state != SIMT_EMPTY) return "not empty behind a reset";
  if (halted && !u->was_halt) return "halted without a halt request";
  if (u->halted && u->was_halt && !u->was_reset && !halted) return "no longer halted under a halt request";
  if (state == SIMT_EMPTY && !u->was_reset && u->holds && e->n_live) return "empty with requests under way";
  if (out[u->at.waiting] != (state == SIMT_STALLED || state == SIMT_QUIESCENT)) return "waiting_o does not fit the state";
  u->since = !u->halt_req || halted ? 0 : u->since + !waits;
  if (u->since > own) return "not halted within HALT_OWN cycles";
  u->nothing = something_there(e, in, out) ? 0 : u->nothing + 1;
  if (u->nothing > own + 64 && state != SIMT_EMPTY && !halted) return "not empty with nothing there";
  return NULL;
}

/* A write of AM_NACK_CLEAR acts in the cycle before its answer. */
static const char *check_nack(struct am_env *e, const uint32_t *out) {
  struct am_front *u = &e->unit;
  u->nack = u->failed || (u->nack && !u->nack_written);
  if (u->was_reset) u->nack = false;
  u->nack_written = false;
  return out[u->at.nack] != u->nack ? "nack_o is not whether a fetch failed since it was cleared" : NULL;
}

static void edge(struct am_env *e, const uint32_t *in, const uint32_t *out, bool halted) {
  struct am_front *u = &e->unit;
  u->failed = in[e->home_valid] && out[e->home_ready] && !in[e->home_snoop] && in[e->home_error] && !e->sends.stray && !u->drops;
  u->moved = (in[e->req_valid] && out[e->req_ready]) || (out[e->ans_valid] && in[e->ans_ready]) || (out[e->rel_valid] && in[e->rel_ready]);
  u->was_drops = u->drops;
  u->drops = u->ctx_reset || (u->drops && (u->is_open || u->clears));
  u->clears = u->ctx_reset && e->l.tid_check ? 1u << e->l.tid_w : u->clears - (u->clears != 0);
  if (u->ctx_reset) clear(e);
  u->was_open = u->is_open;
  u->is_open = e->n_fetched || sends_fill(e);
  u->long_served = u->was_served;
  u->was_served = u->served;
  u->holds = e->n_live != 0;
  u->halted = halted;
  u->was_halt = u->halt_req;
  u->was_reset = u->ctx_reset;
  u->halt_req = in[u->at.halt];
  u->ctx_reset = in[u->at.reset];
  for (unsigned i = 0; halted && i < e->pool; i++) e->line[i].halted = true;
}

const char *am_see_unit(struct am_env *e, const uint32_t *in, const uint32_t *out) {
  static const uint32_t code[3][5] = {{1, 2, 4, 8, 16}, {3, 5, 6, 9, 10}, {0, 1, 2, 3, 4}};
  if (!e->l.status) return NULL;
  const uint32_t *one = code[e->l.status - 1], got = out[e->unit.at.state];
  unsigned state = 0;
  while (state < 5 && one[state] != got) state++;
  if (state == 5) return "the state is no code word";
  const bool halted = state == SIMT_HALTED;
  e->cover[am_cover_status(&e->l)] += halted && e->n_live >= 4;
  const char *bad = check_state(e, in, out, (enum simt_unit_state)state);
  if (!bad) bad = check_ports(e, out, halted);
  if (!bad) bad = check_nack(e, out);
  edge(e, in, out, halted);
  return bad;
}
