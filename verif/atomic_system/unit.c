/* SPDX-License-Identifier: Apache-2.0 */
/* unit.c: the front end in the environment: it halts, releases and resets the system, saves and loads its context and asks its
 * registers; what must hold of the reported state and at the ports meanwhile (AM-17, US-3, US-4, US-5, US-7, US-9, US-14). */
#include <string.h>

#include "atomic_system/env.h"

enum { NACK_CLEAR = 4, ID = 0x41530001 };
static const char *const reports[] = {"wit_valid_o", NULL}; /* tells of requests that were taken */
static const char *const shape[] = {"CACHES", "LINE_BYTES", "ADDR_W", NULL};

/* ---- contexts ------------------------------------------------------------------------------------------------ */

static unsigned records(const struct as_env *e) { return AS_CACHES + e->caches; }
static unsigned words_of(const struct as_env *e) { return e->l.line_aw > 32 ? 3 : 2; }

static void pack(const struct as_env *e, const struct as_context *from, uint32_t *w) {
  for (unsigned i = 0; i < records(e); i++, w += words_of(e)) {
    const struct as_lost *r = &from->of[i];
    w[0] = r->count | (uint32_t)r->unasked << 16 | (uint32_t)(from->nack && !i) << 17;
    w[1] = (uint32_t)r->line;
    if (words_of(e) > 2) w[2] = (uint32_t)(r->line >> 32);
  }
}

static bool same_record(const struct as_lost *a, const struct as_lost *b) { return a->count == b->count && a->line == b->line && a->unasked == b->unasked; }

/* All that a halted system still knows is what its ports say. */
static const char *saved(void *env, unsigned slot, const uint32_t *payload, unsigned words) {
  struct as_env *e = env;
  uint32_t again[3 * (AS_CACHES + AS_MAX_CACHES)];
  if (words != records(e) * words_of(e)) return "a context has another length";
  pack(e, &e->front.now, again);
  if (memcmp(again, payload, words * sizeof *payload)) return "a saved context is not what the ports say of what was lost";
  e->front.slot[slot] = e->front.now;
  return NULL;
}

static void set(struct as_env *e, const struct as_context *to) {
  e->front.is = *to;
  e->front.nack_loaded = true;
  e->front.nack_next = to->nack;
  e->front.failed_writes = 0;
}

static void loaded(void *env, unsigned slot) {
  struct as_env *e = env;
  set(e, &e->front.slot[slot]);
  e->front.loaded = true;
}

/* Behind a header that passed the system clears itself; else a reset has, or will in the next cycle, which is seen there. What came
 * in whole before a reset is cleared by it. */
static void cleared(void *env) {
  static const struct as_context nothing;
  struct as_env *e = env;
  struct as_front *u = &e->front;
  u->aborts = u->error && u->shell.in_payload && (!u->shell.cleared || u->head_left);
  if (u->aborts || !u->error) set(e, &nothing);
}

static void nonsense(const void *env, uint32_t *payload, uint32_t place) {
  const struct as_env *e = env;
  const unsigned record = place / 8 % records(e), upper = e->l.line_aw % 32, bit = place / 512;
  uint32_t *w = &payload[record * words_of(e)];
  if (place & 1 && place & 2 && record < AS_CACHES) w[0] |= 0x10000;
  else if (place & 1 || (!upper && w[0] & 0xffff)) w[0] |= (record ? 0x20000u : 0x40000u) << bit % 14;
  else if (w[0] & 0xffff) w[words_of(e) - 1] |= 1u << (upper + bit % (32 - upper));
  else w[1] |= 1u << bit % (place & 4 && e->l.line_aw < 32 ? e->l.line_aw : 32);
}

/* A context that another run might have left, in place of the one that was saved. */
static void forge(struct as_env *e, unsigned slot, uint64_t draw) {
  static const uint16_t count[] = {0, 0, 1, 2, 0xfffe, 0xffff, 0x5a, 0x8000};
  struct as_context *c = &e->front.slot[slot];
  *c = (struct as_context){.nack = draw >> 63};
  for (unsigned i = 0; i < records(e); i++) {
    draw = draw * 0x5851f42d4c957f2du + 0x14057b7ef767814fu;
    struct as_lost *r = &c->of[i];
    r->count = count[draw >> 61];
    r->unasked = i >= AS_CACHES && draw >> 60 & 1;
    if (r->count) r->line = draw >> 8 & (((uint64_t)1 << e->l.line_aw) - 1);
  }
  enum { HEAD = 3 };
  pack(e, c, e->front.shell.slots[slot].words + HEAD);
}

static void event(void *env, enum simt_front_event what) {
  struct as_env *e = env;
  if (what <= SIMT_FROM_QUIESCENT && e->front.found_many) e->cover[AS_COVER_DRAINED]++;
  if (what == SIMT_LOADED) e->cover[AS_COVER_LOADED]++;
  if (what == SIMT_SAVED_AGAIN) e->cover[AS_COVER_SAVED_AGAIN]++;
  if (what == SIMT_REFUSED_HEADER) e->cover[AS_COVER_REFUSED_HEADER]++;
  if (what == SIMT_REFUSED_PAYLOAD) e->cover[AS_COVER_REFUSED_PAYLOAD]++;
  if (what == SIMT_BROKEN || what == SIMT_LOADED_BEFORE_RESET) e->cover[AS_COVER_BROKEN]++;
}

void as_lose(struct as_env *e, unsigned cache, unsigned relaxed) {
  struct as_lost *r = &e->front.is.of[AS_CACHES + cache];
  if (relaxed && e->front.loaded && r->count) e->cover[AS_COVER_GOES_ON]++;
  if (relaxed && !r->count) r->line = e->failed_line;
  r->count = r->count + relaxed > UINT16_MAX ? UINT16_MAX : r->count + relaxed;
}

/* ---- life ---------------------------------------------------------------------------------------------------- */

bool as_find_unit(struct as_env *e) {
  struct as_front *u = &e->front;
  simt_reg_ports_bind(&u->reg_at, e->cfg);
  if (!e->status) return true;
  u->desc = (struct simt_front_unit){.type = 0x4153, .number = 3, .ctx_max = (unsigned)simt_derived(e->cfg, "CTX_MAX"), .status = e->status, .slots = AS_SLOTS,
                                     .breaks = true, .shape = shape, .answers = reports, .nonsense = nonsense, .saved = saved, .loaded = loaded, .cleared = cleared, .event = event};
  u->on_bus = !simt_find_port(e->cfg, "mem_req_valid_o");
  if (!u->on_bus) {
    u->mem_req = simt_port_word(e->cfg, "mem_req_valid_o");
    u->mem_rsp = simt_port_word(e->cfg, "mem_rsp_ready_o");
  }
  u->own = simt_derived(e->cfg, "HALT_OWN");
  u->clearing = 8 + (unsigned)simt_param(e->cfg, "HOME_ENTRIES") / 8 + (e->l.tid_check ? e->tids : 0);
  return simt_front_create(&u->shell, e->cfg, &u->desc, e);
}

void as_free_unit(struct as_env *e) {
  if (e->front.desc.slots) simt_front_destroy(&e->front.shell);
}

/* As behind rst_i. */
void as_forget_unit(struct as_env *e) {
  struct as_front *u = &e->front;
  u->reg = (struct as_access){.offered = false};
  u->nack = u->nack_written = u->failed = u->drops = u->moved = u->held = u->was_open = u->found_many = false;
  u->aborts = u->nack_loaded = u->head_left = u->loaded = false;
  u->head_age = u->failed_writes = 0;
  u->is = (struct as_context){.nack = false};
  u->since = u->nothing = 0;
  u->clears = u->clearing;
  if (!e->status) return;
  const bool level = u->shell.level;
  simt_front_reset(&u->shell, false);
  u->shell.level = level;
}

void as_clear_slots(struct as_env *e) {
  if (e->status) simt_front_reset(&e->front.shell, true);
}

void as_drive_unit(struct as_env *e, const struct as_choice *c, uint32_t *in) {
  struct as_front *u = &e->front;
  const bool moves = e->status && u->shell.doing != SIMT_FRONT_IDLE; /* what is written then is in the context or not */
  if (!u->reg.offered && !u->reg.taken && c->access && !moves) {
    u->reg.offered = true;
    u->reg.write = c->access >> 1 & 1;
    u->reg.addr = c->access >> 2 & 0x3c;
  }
  in[u->reg_at.valid] = u->reg.offered;
  in[u->reg_at.write] = u->reg.write;
  in[u->reg_at.addr] = u->reg.addr;
  in[u->reg_at.data] = (uint32_t)c->draw;
  if (!e->status) return;
  struct simt_front_choice order = c->front;
  const bool begins = order.order == SIMT_SAVE || order.order == SIMT_LOAD;
  if (begins && (u->reg.offered || u->reg.taken || in[e->at.rst] || u->shell.ctx_reset)) order.order = SIMT_NO_ORDER;
  const bool loads = order.order == SIMT_LOAD && order.spoil == SIMT_WHOLE && u->shell.doing == SIMT_FRONT_IDLE && u->shell.level;
  if (c->forge && loads && u->shell.slots[order.slot].valid) forge(e, order.slot, c->draw);
  simt_front_drive(&u->shell, &order, in);
}

/* ---- what must hold ------------------------------------------------------------------------------------------- */

/* Behind a bus its master is between. */
static bool asked(const struct as_env *e, const uint32_t *out) { return !e->front.on_bus && out[e->front.mem_req]; }
static bool any(const uint32_t *w, unsigned caches) { return w[0] || (caches > 32 && w[1]); }

static unsigned accepted(const struct as_env *e) { /* requests without an answer */
  unsigned n = 0;
  for (unsigned i = 0; i < e->caches; i++) n += e->port[i].n_live;
  return n;
}

static const char *check_ports(const struct as_env *e, const uint32_t *out, bool halted) {
  const struct as_front *u = &e->front;
  if ((simt_front_closed(&u->shell) || u->drops) && any(&out[e->at.req_ready], e->caches)) return "a request is taken under a halt request or behind a reset";
  if (halted && (any(&out[e->at.ans_valid], e->caches) || any(&out[e->at.wit_valid], e->caches))) return "an answer or a report while halted";
  if (halted && (asked(e, out) || (!e->front.on_bus && out[e->front.mem_rsp]))) return "memory is asked, or its answer taken, while halted";
  if (halted && simt_memory_counts(e->memory).under_way) return "halted while memory owes an answer";
  return halted && accepted(e) ? "halted with requests that are not answered" : NULL;
}

static bool waits(const struct as_env *e, const uint32_t *in, const uint32_t *out) {
  bool answers = false;
  for (unsigned i = 0; i < (e->caches + 31) / 32; i++) answers |= (out[e->at.ans_valid + i] & ~in[e->at.ans_ready + i]) != 0;
  return answers || e->front.was_open || simt_memory_counts(e->memory).under_way || asked(e, out);
}

static const char *check_state(struct as_env *e, const uint32_t *in, const uint32_t *out) {
  struct as_front *u = &e->front;
  const enum simt_unit_state state = u->shell.state;
  const bool halted = state == SIMT_HALTED, waiting = waits(e, in, out);
  if (u->clears && !u->shell.ctx_reset) u->clears -= !waiting;
  if (state == SIMT_EMPTY && !u->shell.was_reset && u->held) return "empty with requests under way";
  u->since = !u->shell.halt_req || halted || u->clears ? 0 : u->since + !waiting;
  if (u->since > u->own) return "not halted within HALT_OWN cycles";
  u->nothing = accepted(e) || any(&in[e->at.req_valid], e->caches) || waiting || u->clears ? 0 : u->nothing + 1;
  if (u->nothing > u->own && state != SIMT_EMPTY && !halted) return "not empty with nothing there";
  if (out[u->shell.status_at.gather] || (u->moved && !out[u->shell.status_at.progress])) return "gather_o is 1, or progress_o is 0 behind a transfer";
  return NULL;
}

/* A write of AS_NACK_CLEAR acts in the cycle before its answer. */
static const char *check_nack(struct as_env *e, const uint32_t *out) {
  struct as_front *u = &e->front;
  if (u->nack && u->nack_written && !u->failed) e->cover[AS_COVER_NACK]++;
  u->nack = u->failed || (u->nack && !u->nack_written);
  if (u->nack_loaded) u->nack = u->nack_next;
  if (u->shell.was_reset) u->nack = false;
  u->nack_written = u->nack_loaded = false;
  return out[u->shell.status_at.nack] != u->nack ? "nack_o is not whether an access failed since it was cleared, or what came with a context" : NULL;
}

static uint64_t line_at(const struct as_env *e, const uint32_t *w, unsigned i) { return simt_get_bits(w, e->l.line_aw * i, e->l.line_aw); }

/* What was lost: the home counts each line whose write failed once, and these are only told apart by the beats; caches count what
 * the witness reports as dropped, which is known of a system without words under way. Nobody releases what is not its own. */
static const char *check_lost(struct as_env *e, const uint32_t *out, bool halted) {
  struct as_front *u = &e->front;
  struct as_context *now = &u->now;
  now->of[AS_RELEASES] = (struct as_lost){out[e->at.bad_count], false, line_at(e, &out[e->at.bad_line], 0)};
  now->of[AS_WRITES] = (struct as_lost){out[e->at.home_lost], false, line_at(e, &out[e->at.home_lost_line], 0)};
  for (unsigned i = 0; i < e->caches; i++)
    now->of[AS_CACHES + i] = (struct as_lost){(uint32_t)simt_get_bits(&out[e->at.lost_count], 16 * i, 16), simt_get_bits(&out[e->at.unasked], i, 1) != 0,
                                              line_at(e, &out[e->at.lost_line], i)};
  now->nack = out[u->shell.status_at.nack];
  if (u->drops || u->shell.doing == SIMT_FRONT_LOADING || u->shell.was_reset) return NULL; /* a load writes one after the other */
  if (!same_record(&now->of[AS_RELEASES], &u->is.of[AS_RELEASES])) return "the home counts releases by caches that did not own the line, or not those of a context";
  for (unsigned i = 0; i < e->caches; i++) {
    if (now->of[AS_CACHES + i].unasked != u->is.of[AS_CACHES + i].unasked) return "a cache got a fill that it did not ask for, or does not say what a context has of it";
    if (halted && e->l.witness && !same_record(&now->of[AS_CACHES + i], &u->is.of[AS_CACHES + i])) return "a cache has lost other requests than it was told of, with those of its context";
  }
  struct as_lost *is = &u->is.of[AS_WRITES], *has = &now->of[AS_WRITES];
  const unsigned failed = u->failed_writes;
  const uint32_t most = is->count + failed > UINT16_MAX ? UINT16_MAX : is->count + failed;
  if (has->count < is->count || has->count > most || (is->count && has->line != is->line)) return "the home does not say how many lines memory failed to write, with those of its context";
  if (halted && failed && is->count < UINT16_MAX && has->count == is->count) return "the home does not count a line that memory failed to write";
  if (halted) *is = *has, u->failed_writes = 0;
  return NULL;
}

/* The last word of a header leaves two cycles behind the one that took it. */
static void follow_header(struct as_front *u) {
  const bool loads = u->shell.doing == SIMT_FRONT_LOADING && u->shell.at >= 3;
  if (u->shell.ctx_reset) u->head_left = loads && u->head_age >= 2;
  u->head_age = loads ? u->head_age + 1 : 0;
}

/* The access is answered in the cycle behind the one in which it acts, so what is taken now acts in the next one. */
static const char *check_registers(struct as_env *e, const uint32_t *in, const uint32_t *out) {
  struct as_front *u = &e->front;
  struct as_access *r = &u->reg;
  const char *bad = NULL;
  const bool clears = e->status && r->write && r->addr == NACK_CLEAR;
  if (out[u->reg_at.rsp]) {
    const bool good = r->write ? clears : r->addr == 0;
    if (!r->taken) bad = "an access of the registers is answered that nobody made";
    else if (out[u->reg_at.rsp_error] == good) bad = "an access of the registers is refused, or taken, wrongly";
    else if (good && !r->write && out[u->reg_at.rsp_data] != ID) bad = "AS_ID is another one";
    r->taken = false;
    u->nack_written = clears;
  }
  if (in[u->reg_at.valid] && out[u->reg_at.ready]) {
    r->offered = false;
    r->taken = true;
    r->write = in[u->reg_at.write];
    r->addr = in[u->reg_at.addr];
  }
  return bad;
}

/* A reset forgets what the caches had; what memory owes is dropped, and then what memory has counts. */
static void edge(struct as_env *e, const uint32_t *in, const uint32_t *out) {
  struct as_front *u = &e->front;
  const struct simt_memory_event *v = simt_memory_answered(e->memory);
  u->was_open = simt_memory_counts(e->memory).under_way != 0;
  u->failed = v && v->error && !u->drops && !u->shell.ctx_reset;
  u->moved = false;
  for (unsigned i = 0; i < (e->caches + 31) / 32; i++)
    u->moved |= (in[e->at.req_valid + i] & out[e->at.req_ready + i]) || (out[e->at.ans_valid + i] & in[e->at.ans_ready + i]);
  u->held = accepted(e) != 0;
  u->failed_writes += v && v->error && v->write;
  const bool clears = u->shell.ctx_reset || u->aborts;
  u->drops = clears || (u->drops && (u->was_open || asked(e, out)));
  if (clears) {
    e->cover[AS_COVER_UNIT_RESET] += u->was_open;
    u->clears = u->clearing;
    u->since = u->nothing = 0;
    u->is = (struct as_context){.nack = false};
    u->failed_writes = 0;
    u->loaded = u->aborts = false;
    as_forget(e);
  }
  follow_header(u);
  if (in[u->reg_at.valid] && in[u->reg_at.write]) u->shell.fresh = 0;
  if (!u->shell.halt_req) u->found_many = in[u->shell.status_at.halt] && accepted(e) >= 4;
  simt_front_step(&u->shell, in);
}

const char *as_see_unit(struct as_env *e, const uint32_t *in, const uint32_t *out) {
  struct as_front *u = &e->front;
  if (!e->status) return check_registers(e, in, out);
  const char *bad = simt_front_state(&u->shell, out);
  const bool halted = u->shell.state == SIMT_HALTED;
  if (!bad) bad = check_state(e, in, out);
  if (!bad) bad = check_ports(e, out, halted);
  if (!bad) bad = check_registers(e, in, out);
  if (!bad) bad = check_nack(e, out);
  if (!bad) bad = check_lost(e, out, halted);
  u->error = out[u->shell.ctx_at.error];
  if (!bad) bad = simt_front_words(&u->shell, in, out);
  if (!bad && halted && u->shell.last != SIMT_HALTED && e->l.witness) {
    bad = as_compare_memory(e, "memory has other contents than the serial order gives, and the system is halted");
    e->cover[AS_COVER_HALTED] += !bad;
  }
  edge(e, in, out);
  return bad;
}
