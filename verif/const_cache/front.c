/* SPDX-License-Identifier: Apache-2.0 */
/* front.c: const_cache as a unit of a front end (CC-14): what must hold at its ports when it is halted, released, reset, saved
 * and loaded. */
#include "const_cache/env.h"

enum { CC_NACK_SETTLED = 40 };

/* In 1024 cycles. */
struct cc_order_rates { unsigned halts, releases, resets, resumes, saves, loads; };
static const struct cc_order_rates rates[] = {{12, 24, 3, 10, 40, 40}, {60, 150, 0, 0, 0, 0}};
static const char *const shape[] = {"PROTOCOL", "SMS", "CONSTANTS", "WORD_W", "WRITE_WORDS", "L1_ENTRIES", "L2_ENTRIES", "BACKUP_ENTRIES", "BACKUP_WAYS",
                                    "CODE_FACTOR", "ADDR_W", NULL};

static const char *const answers[] = {"rsp_valid_o", NULL}; /* to reads; an SM with a read unanswered does not halt */
static const char *const pulses[] = {"cmd_done_o", NULL};

static void event(void *env, enum simt_front_event what) {
  struct cc_env *e = env;
  static const enum cc_cover of[] = {
    [SIMT_SAVED] = CC_COVER_SAVED, [SIMT_SAVED_AGAIN] = CC_COVER_SAVED_AGAIN, [SIMT_LOADED] = CC_COVER_LOADED, [SIMT_REFUSED_HEADER] = CC_COVER_REFUSED_HEADER,
    [SIMT_REFUSED_PAYLOAD] = CC_COVER_REFUSED_PAYLOAD};
  if (what >= SIMT_SAVED) cc_hit(e, of[what]);
  if (what > SIMT_FROM_QUIESCENT) return;
  cc_hit(e, CC_COVER_HALT);
  if (e->q_n) cc_hit(e, CC_COVER_HALT_WAITING);
}

static const char *saved(void *env, unsigned slot, const uint32_t *payload, unsigned words) {
  struct cc_env *e = env;
  if (e->front.clears) cc_golden_cleared(e); /* what was under way to memory has ended */
  const char *wrong = cc_context_judge(env, payload, words);
  if (!wrong) cc_kept_save(env, slot);
  return wrong;
}

static void loaded(void *env, unsigned slot) {
  struct cc_env *e = env;
  if (cc_kept_base(e, slot) != e->base) cc_hit(e, CC_COVER_SWITCHED);
  cc_kept_load(e, slot);
  e->front.clears = e->front.holds = false;
  e->front.opened = true;
}

/* A load was refused behind its header: as a reset of the unit, which is over when commands are taken. */
static void cleared(void *env) {
  struct cc_env *e = env;
  cc_golden_clear(e);
  cc_golden_cleared(e);
  e->front.clears = true;
  e->front.opened = false;
}

bool cc_front_create(struct cc_env *e) {
  if (!e->l.status) return true;
  e->front.unit = (struct simt_front_unit){
    .type = 0x4343, .number = 9, .ctx_max = (unsigned)simt_derived(simt_plain(e->cfg), "CTX_MAX"), .status = e->l.status, .slots = CC_SLOTS, .shape = shape,
    .answers = answers, .pulses = pulses,
    .nonsense = cc_context_nonsense, .saved = saved, .loaded = loaded, .cleared = cleared, .event = event};
  return cc_kept_create(e) && simt_front_create(&e->front.shell, simt_plain(e->cfg), &e->front.unit, e);
}

void cc_front_destroy(struct cc_env *e) {
  if (!e->l.status) return;
  cc_kept_destroy(e);
  simt_front_destroy(&e->front.shell);
}

static void restart(struct cc_env *e, bool forget) {
  simt_front_reset(&e->front.shell, forget);
  e->front.holds = e->front.clears = e->front.opened = false;
  e->front.accesses = e->front.own = e->front.reads = 0;
  e->front.nacked = false;
  e->front.cleared = true; /* rst_i is judged by the golden model */
  e->front.words = 0;
}

void cc_front_restart(struct cc_env *e) {
  if (e->l.status) restart(e, true);
}

static enum simt_order choose_order(const struct cc_env *e, uint64_t draw) {
  const bool level = e->front.shell.level;
  if (e->now != CC_HALTS && e->now != CC_HALT_OFTEN) return level ? SIMT_RELEASE : SIMT_NO_ORDER;
  const struct cc_order_rates *r = &rates[e->now == CC_HALT_OFTEN];
  if ((draw & 1023) < (level ? r->releases : r->halts)) return level ? SIMT_RELEASE : SIMT_HALT;
  if ((draw >> 10 & 1023) < r->resets) return SIMT_UNIT_RESET;
  if (level && (draw >> 20 & 1023) < r->saves) return SIMT_SAVE;
  if (level && (draw >> 30 & 1023) < r->loads) return SIMT_LOAD;
  return (draw >> 40 & 1023) < r->resumes ? SIMT_RESUME : SIMT_NO_ORDER;
}

struct simt_front_choice cc_front_choose(const struct cc_env *e, uint64_t draw, uint64_t more) {
  return (struct simt_front_choice){
    .order = choose_order(e, draw), .slot = (unsigned)(more & 0xff) % CC_SLOTS, .spoil = more >> 8 & 1 ? SIMT_WHOLE : (enum simt_spoil)((more >> 9 & 0xff) % SIMT_SPOILS),
    .place = (uint32_t)(more >> 17), .takes = (more >> 50 & 7) != 0, .gives = (more >> 53 & 7) != 0};
}

void cc_front_drive(struct cc_env *e, const struct simt_front_choice *c, uint32_t *in) {
  struct simt_front_choice choice = *c;
  if (!e->l.status) return;
  /* Whether a register is written before or behind a reset, a save or a load is not laid down. */
  const bool writes = e->reg.busy || e->reg.sent || in[e->at.rst] || e->front.shell.ctx_reset;
  if (writes && (c->order == SIMT_UNIT_RESET || c->order == SIMT_SAVE || c->order == SIMT_LOAD)) choice.order = SIMT_NO_ORDER;
  simt_front_drive(&e->front.shell, &choice, in);
  e->front.holds |= in[e->front.shell.status_at.reset];
}

bool cc_front_keeps_registers(const struct cc_env *e) { return e->l.status && (e->front.holds || e->front.shell.doing != SIMT_FRONT_IDLE); }
bool cc_front_moves_base(const struct cc_env *e) { return e->l.status && e->front.shell.level && e->fresh && !e->front.clears; }

static bool any(const struct cc_env *e, const uint32_t *w) { return w[0] || (e->l.sms > 32 && w[1]); }

static const char *check_closed(struct cc_env *e, const uint32_t *out) {
  const struct cc_env_ports *at = &e->at;
  const bool shut = simt_front_closed(&e->front.shell);
  const bool takes = out[at->cmd_ready] || any(e, &out[at->rd_ready]) || any(e, &out[at->done_ready]);
  if (shut && takes) return cc_wrong(e, "something is taken under a halt request or in a reset");
  const bool silent = e->front.shell.state == SIMT_HALTED || e->front.clears;
  if (silent && (out[at->cmd_done] || out[at->work_valid] || any(e, &out[at->rsp_valid]))) return cc_wrong(e, "something leaves while halted or in a reset");
  if (e->front.shell.state != SIMT_HALTED) return NULL;
  return e->front.accesses ? cc_wrong(e, "halted with %u accesses to memory under way", e->front.accesses) : NULL;
}

/* Halted within HALT_OWN cycles, those apart in which memory has to answer or an SM waits for the answer to a read that was
 * taken; and reads are answered: each needs at most a write-back and a read of memory, and between two accesses no more than
 * CC_HALT_PASS cycles pass. */
static const char *check_halt(struct cc_env *e, const uint32_t *out) {
  const struct simt_front *f = &e->front.shell;
  const unsigned reads = 2 * e->l.sms * e->l.reads * CC_HALT_PASS;
  if (!f->halt_req) e->front.own = e->front.reads = 0;
  if (!f->halt_req || f->state == SIMT_HALTED || e->front.accesses || out[e->at.m_asks] || !e->front.opened) return NULL;
  if (e->unanswered) e->front.reads++;
  else e->front.own++;
  if (e->front.reads > reads) return cc_wrong(e, "reads are unanswered in %u cycles of a halt without an access to memory", e->front.reads);
  return e->front.own > cc_halt_own(&e->l) ? cc_wrong(e, "not halted in %u cycles without an access to memory or a read", e->front.own) : NULL;
}

/* A reset is over, so that a command is taken or the unit is halted, within RESET_OWN cycles, those apart in which memory has to answer, and
 * with what reads that were unanswered need. */
static const char *check_reset(struct cc_env *e, const uint32_t *out) {
  const unsigned most = cc_reset_own(&e->l) + 2 * e->front.due * CC_HALT_PASS;
  const bool over = out[e->at.cmd_ready] || (e->front.clearing && e->front.shell.state == SIMT_HALTED);
  e->front.cleared |= over;
  if (e->front.cleared || e->front.accesses || out[e->at.m_asks]) return NULL;
  return ++e->front.clearing > most ? cc_wrong(e, "a reset is not over after %u cycles without an access to memory", most) : NULL;
}

/* A context goes on: within bounds that are far above what clearing all rows takes. */
static const char *check_end(struct cc_env *e, const uint32_t *out) {
  const struct simt_front *f = &e->front.shell;
  const unsigned rows = e->l.sms * e->l.l1_entries + e->l.l2_entries + e->l.backup_entries, most = 4096 + 8 * rows;
  const bool memory = e->front.accesses || out[e->at.m_asks];
  if (f->doing == SIMT_FRONT_IDLE || f->moved != e->front.moved) e->front.still = 0;
  else if (!memory && ++e->front.still > most) return cc_wrong(e, "no word of a context moves in %u cycles", most);
  e->front.moved = f->moved;
  return NULL;
}

/* US-3: nack_o says that an error of memory is recorded. What has happened in the last cycles may not be there yet. */
static const char *check_nack(struct cc_env *e, const uint32_t *out) {
  const struct simt_front *f = &e->front.shell;
  const bool nack = out[f->status_at.nack], rises = nack && !e->front.nacked, settled = e->error_cycle + CC_NACK_SETTLED < e->cycle;
  const enum cc_known must = cc_golden_nack(e);
  if (rises) cc_hit(e, f->state == SIMT_HALTED ? CC_COVER_NACK_LOADED : CC_COVER_NACK);
  e->front.nacked = nack;
  if (f->was_reset || e->front.clears) return nack ? "nack_o is 1 behind a reset" : NULL;
  if (!settled || e->reg.sent || f->doing == SIMT_FRONT_LOADING || must == CC_PERHAPS || nack == (must == CC_YES)) return NULL;
  return cc_wrong(e, "nack_o is %u, but an error of memory is %srecorded", nack, must == CC_YES ? "" : "not ");
}

/* The stream of a save: a header of three words and the payload. */
static const char *check_words(struct cc_env *e, const uint32_t *in, const uint32_t *out) {
  if (e->front.shell.state != SIMT_HALTED) e->front.words = 0;
  if (!out[e->at.w_valid] || !in[e->at.w_ready]) return NULL;
  const unsigned words = ++e->front.words;
  if (!out[e->at.w_last]) return NULL;
  e->front.words = 0;
  return words == e->l.ctx_max + 3 ? NULL : cc_wrong(e, "a save has %u words", words);
}

const char *cc_front_observe(struct cc_env *e, const uint32_t *in, const uint32_t *out) {
  struct simt_front *f = &e->front.shell;
  if (!e->l.status || in[e->at.rst]) return NULL;
  const char *wrong = simt_front_state(f, out);
  if (wrong) return wrong;
  wrong = check_nack(e, out);
  if (wrong) return wrong;
  const bool ready = out[e->at.cmd_ready];
  if (e->front.clears && ready && !f->ctx_reset) { /* a reset that was under way is over */
    cc_golden_cleared(e);
    e->front.clears = e->front.holds = false;
  }
  e->front.opened |= ready;
  if (f->ctx_reset) {
    if (e->active) cc_hit(e, CC_COVER_UNIT_RESET);
    e->front.due = e->unanswered;
    e->front.clearing = 0;
    e->front.cleared = false;
    cc_golden_clear(e);
    e->front.clears = e->front.holds = true;
    e->front.opened = false;
  }
  if (simt_front_closed(f)) e->event_cycle = e->cycle; /* what waits takes effect later */
  if (f->halt_req && !f->was_halt && e->unanswered) cc_hit(e, CC_COVER_HALT_READS);
  wrong = check_halt(e, out);
  if (!wrong) wrong = check_closed(e, out);
  if (!wrong) wrong = check_reset(e, out);
  if (!wrong) wrong = check_end(e, out);
  if (!wrong) wrong = check_words(e, in, out);
  if (in[e->at.reg_valid] && in[e->at.reg_write]) f->fresh = 0;
  return wrong ? wrong : simt_front_words(f, in, out);
}

void cc_front_step(struct cc_env *e, const uint32_t *in) {
  if (!e->l.status) return;
  const struct simt_memory_event *answered = simt_memory_answered(e->memory), *taken = simt_memory_taken(e->memory);
  if (in[e->at.rst]) {
    const bool level = e->front.shell.level;
    restart(e, false);
    e->front.shell.level = level;
    return;
  }
  /* A context is worth nothing any more when a program goes on in its memory. */
  const bool runs = e->front.shell.state != SIMT_HALTED && !e->front.clears;
  for (unsigned i = 0; runs && i < CC_SLOTS; i++)
    if (cc_kept_base(e, i) == e->base) e->front.shell.slots[i].valid = false;
  if (taken) e->front.accesses++;
  if (answered) e->front.accesses--;
  simt_front_step(&e->front.shell, in);
}
