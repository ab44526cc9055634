/* SPDX-License-Identifier: Apache-2.0 */
/* front.c: the front end of the environment, on that of verif/core/unit_front.h: what must hold at the ports of a unit that is
 * asked to halt, halted, flushed or reset (US-3, US-4, US-7, US-14, SC-13). What a context means is judged in context.c. */
#include "stack_cache/env.h"

enum { UNIT_TYPE = 0x5343, UNIT_NUMBER = 0x2a17 };

/* ---- what the unit is --------------------------------------------------------------------------------------- */

static const char *const shape[] = {"THREADS", "ENTRY_W", "ENTRIES", "SET", "MAX_DEPTH", "POLICY", "FLAGS", "ADDR_W", NULL};

static const char *const answers[] = {"ans_valid_o", "ans_data_valid_o", NULL}; /* to operations that were taken */

static void event(void *env, enum simt_front_event what) {
  static const enum sc_cover of[] = {
    [SIMT_FROM_EMPTY] = SC_COVER_HALT_EMPTY, [SIMT_FROM_ACTIVE] = SC_COVER_HALT_ACTIVE, [SIMT_FROM_STALLED] = SC_COVER_HALT_QUIESCENT,
    [SIMT_FROM_QUIESCENT] = SC_COVER_HALT_QUIESCENT, [SIMT_HALT_WITHDRAWN] = SC_COVER_HALT_WITHDRAWN, [SIMT_SAVED] = SC_COVER_SAVE,
    [SIMT_SAVED_AGAIN] = SC_COVER_SAVED_AGAIN, [SIMT_LOADED] = SC_COVER_LOAD, [SIMT_REFUSED_HEADER] = SC_COVER_REFUSED_HEADER,
    [SIMT_REFUSED_PAYLOAD] = SC_COVER_REFUSED_PAYLOAD, [SIMT_BROKEN] = SC_COVER_BROKEN,
    [SIMT_LOADED_BEFORE_RESET] = SC_COVER_LOADED_BEFORE_RESET};
  struct stk_env *e = env;
  e->cover[of[what]]++;
}

static const char *saved(void *env, unsigned slot, const uint32_t *payload, unsigned words) {
  return stk_context_saved(env, slot, payload, words);
}

/* The form of a context behind the halt under way: of a load that was refused nothing is left. */
static void form_of_halt(struct stk_front *f) { f->form = f->modes == 1 ? STK_FULL : f->modes == 2 ? STK_BARE : STK_EITHER; }

/* A reset of the unit, or a load that was refused behind its header, begins to clear it. */
static void clear(struct stk_env *e, bool refused) {
  e->front.clears = true;
  e->front.refused = refused;
  e->front.flush = false;
  if (refused) form_of_halt(&e->front);
  else e->front.form = STK_EITHER;
  e->front.cleared = e->cycle;
  stk_context_clear(e);
}

static void refused(void *env) { clear(env, true); }
static void loaded(void *env, unsigned slot) { stk_context_loaded(env, slot); }

bool stk_front_create(struct stk_env *e) {
  if (!e->s.status) return true;
  e->front.unit = (struct simt_front_unit){
    .type = UNIT_TYPE, .number = UNIT_NUMBER, .ctx_max = (unsigned)simt_derived(e->cfg, "CTX_MAX"), .status = e->s.status, .slots = STK_SLOTS,
    .answers = answers, .breaks = true, .shape = shape, .nonsense = stk_context_nonsense, .saved = saved, .loaded = loaded, .cleared = refused, .event = event};
  return stk_context_create(e) && simt_front_create(&e->front.shell, e->cfg, &e->front.unit, e);
}

void stk_front_destroy(struct stk_env *e) {
  if (!e->s.status || !e->front.unit.ctx_max) return;
  stk_context_destroy(e);
  simt_front_destroy(&e->front.shell);
}

static void restart(struct stk_env *e, bool forget) {
  struct stk_front *f = &e->front;
  const bool level = f->shell.level && !forget; /* it is the front end's, not the unit's */
  if (!e->s.status) return;
  simt_front_reset(&f->shell, forget);
  f->shell.level = level;
  f->clears = f->flush = f->nacked = false;
  f->modes = f->last_modes = 0;
  f->form = STK_EITHER;
  f->own = f->still = 0;
}

void stk_front_restart(struct stk_env *e) { restart(e, false); }
void stk_front_forget(struct stk_env *e) {
  restart(e, true);
  e->front.unit.number = (uint16_t)(UNIT_NUMBER * (2 * e->stim.seed + 1)); /* each run is of another unit */
}

/* ---- orders --------------------------------------------------------------------------------------------------- */

bool stk_front_keeps_registers(const struct stk_env *e) { return e->s.status && e->front.shell.doing != SIMT_FRONT_IDLE; }

void stk_front_drive(struct stk_env *e, const struct stk_choice *c, uint32_t *in) {
  struct simt_front *f = &e->front.shell;
  struct simt_front_choice choice = {
    .order = (enum simt_order)c->order, .slot = c->slot % STK_SLOTS, .spoil = (enum simt_spoil)(c->spoil % SIMT_SPOILS), .place = c->place,
    .takes = (c->flags & STK_CTX_OUT) != 0, .gives = (c->flags & STK_CTX_IN) != 0};
  if (!e->s.status) return;
  /* What is saved would change. */
  const bool writes = (e->reg.valid && e->reg.write) || (e->regs.busy && e->regs.write) || f->ctx_reset;
  if (writes && (c->order == SIMT_SAVE || c->order == SIMT_LOAD || c->order == SIMT_UNIT_RESET)) choice.order = SIMT_NO_ORDER;
  simt_front_drive(f, &choice, in);
}

/* ---- rules ---------------------------------------------------------------------------------------------------- */

static const char *check_closed(struct stk_env *e, const uint32_t *out) {
  if (!stk_front_shut(e)) return NULL;
  if (out[e->at.can_go]) return stk_wrong(e, "can_go_o is 1 under a halt request or in a reset");
  if (e->front.shell.state != SIMT_HALTED) return NULL;
  if (out[e->mem.req_valid] || out[e->mem.rsp_ready] || out[e->at.ans_valid]) return stk_wrong(e, "something is offered or taken while halted");
  if (e->under_way) return stk_wrong(e, "halted with %u accesses under way", e->under_way);
  for (unsigned i = 0; i < STK_RING; i++)
    if (e->ring[i].valid) return stk_wrong(e, "halted while an operation is not answered");
  return NULL;
}

/* Halted, the flush with it, within FLUSH_OWN cycles, those apart in which memory is waited for or a reset clears. Without a flush
 * within HALT_OWN of the request, of the last answer, or of the end of a flush that was ordered before. */
static const char *check_halt(struct stk_env *e, const uint32_t *in, const uint32_t *out) {
  struct stk_front *f = &e->front;
  const bool waits = e->under_way && !in[e->mem.rsp_valid], offers = out[e->mem.req_valid];
  const bool keeps = stk_keeps(e), begins = f->flush || e->under_way || offers || f->clears || !e->opened;
  if (!f->shell.halt_req || f->shell.state == SIMT_HALTED || (keeps && begins)) f->own = 0;
  else if (!waits && !offers && !f->clears && e->opened) f->own++;
  return f->own > simt_derived(e->cfg, keeps ? "HALT_OWN" : "FLUSH_OWN") ? stk_wrong(e, "not halted in %u cycles without memory", f->own) : NULL;
}

/* A reset ends, and a context goes on: within bounds that are far above what clearing takes. */
static const char *check_end(struct stk_env *e) {
  struct stk_front *f = &e->front;
  const unsigned most = 256 + 2 * e->s.clear_within;
  if (e->under_way) f->cleared = e->cycle;
  if (f->clears && e->cycle > f->cleared + most && !f->shell.halt_req) return stk_wrong(e, "a reset is not over after %u cycles", most);
  if (f->shell.doing == SIMT_FRONT_IDLE || f->shell.moved != f->moved || f->clears) f->still = 0;
  else if (++f->still > 4096) return stk_wrong(e, "no word of a context moves in 4096 cycles");
  f->moved = f->shell.moved;
  return NULL;
}

/* US-3: nack_o says that an error of memory is recorded (ERROR bit 31). */
static const char *check_nack(struct stk_env *e, const uint32_t *out) {
  const struct stk_registers *r = &e->regs;
  const bool nack = out[e->front.shell.status_at.nack], settled = r->last_error + e->s.calm < e->cycle && !r->vague;
  const bool rises = nack && !e->front.nacked, falls = !nack && e->front.nacked;
  stk_cover_if(e, SC_COVER_NACK, rises);
  stk_cover_if(e, SC_COVER_NACK_CLEARED, falls && r->busy && r->write && r->addr == STK_REG_ERROR);
  e->front.nacked = nack;
  if (e->front.shell.was_reset) return nack ? stk_wrong(e, "nack_o is 1 behind a reset") : NULL;
  if (!settled || r->busy || stk_front_keeps_registers(e) || e->front.clears || nack == r->error >> 31) return NULL;
  return stk_wrong(e, "nack_o is %u, but an error is %srecorded", nack, nack ? "not " : "");
}

/* ---- flush and reset: when they may be under way ------------------------------------------------------------------ */

/* What a halt may be: HALT_FLUSH may be written under it. */
static void follow_modes(struct stk_env *e) {
  struct stk_front *f = &e->front;
  const struct stk_registers *r = &e->regs;
  const bool written = r->busy && r->write && r->addr == STK_REG_HALT_FLUSH;
  const unsigned modes = written ? 3 : 1u << r->halt_flush;
  const bool halted = f->shell.state == SIMT_HALTED;
  if (halted && f->shell.last != SIMT_HALTED && !f->clears) {
    form_of_halt(f);
    stk_cover_if(e, SC_COVER_HALT_KEPT, f->modes == 1);
  }
  if (!f->shell.halt_req) f->modes = modes;
  else if (!halted) f->modes |= modes;
  if (f->shell.halt_req) f->last_modes = f->modes;
}

/* By CONTROL, or by a halt if HALT_FLUSH says so, behind a reset too. A reset ends it. */
static const char *follow_flush(struct stk_env *e, const uint32_t *out) {
  struct stk_front *f = &e->front;
  const struct stk_registers *r = &e->regs;
  const bool halted = f->shell.state == SIMT_HALTED, over = f->flush && (halted || (out[e->at.can_go] && e->cycle > f->flush_from));
  const bool written = r->busy && r->write && r->addr == STK_REG_CONTROL && r->data && out[e->reg_at.rsp] && !out[e->reg_at.rsp_error];
  const bool by_halt = f->shell.halt_req && f->modes & 2;
  const char *wrong = over && (f->ordered || f->last_modes == 2) ? stk_context_flushed(e) : NULL;
  if (over) f->flush = f->ordered = false;
  f->ordered |= written;
  if (f->flush && (written || (by_halt && !f->shell.was_halt))) stk_context_flush(e); /* the last one may have ended unseen */
  if (f->flush || f->clears || f->shell.ctx_reset || halted || !(written || by_halt)) return wrong;
  f->flush = true;
  f->flush_from = e->cycle;
  e->cover[SC_COVER_FLUSH]++;
  stk_context_flush(e);
  return wrong;
}

static void follow_clear(struct stk_env *e, const uint32_t *out) {
  struct stk_front *f = &e->front;
  const struct simt_context_ports *at = &f->shell.ctx_at;
  /* Behind a reset it is empty first, while a load that is refused clears it halted or not. */
  const bool newly = f->shell.state == SIMT_HALTED && f->shell.last != SIMT_HALTED && !f->refused;
  if (f->clears && !f->shell.ctx_reset && (out[e->at.can_go] || newly || out[at->cmd_ready])) {
    f->clears = false;
    stk_context_cleared(e);
  }
}

/* Behind what has come of a load, which may have ended in this cycle. */
static void follow_reset(struct stk_env *e) {
  if (!e->front.shell.ctx_reset) return;
  e->cover[SC_COVER_UNIT_RESET]++;
  stk_cover_if(e, SC_COVER_UNIT_RESET_BUSY, e->under_way > 0);
  clear(e, false);
}

static void keep_first(const char **wrong, const char *next) {
  if (!*wrong) *wrong = next;
}

const char *stk_front_observe(struct stk_env *e, const uint32_t *in, const uint32_t *out) {
  struct simt_front *f = &e->front.shell;
  if (!e->s.status || in[e->at.rst]) return NULL;
  const char *wrong = simt_front_state(f, out);
  keep_first(&wrong, check_nack(e, out));
  follow_modes(e);
  keep_first(&wrong, follow_flush(e, out));
  follow_clear(e, out);
  keep_first(&wrong, check_closed(e, out));
  keep_first(&wrong, check_halt(e, in, out));
  keep_first(&wrong, check_end(e));
  if (in[e->reg_at.valid] && in[e->reg_at.write]) f->fresh = 0;
  keep_first(&wrong, simt_front_words(f, in, out));
  follow_reset(e);
  return wrong;
}

void stk_front_step(struct stk_env *e, const uint32_t *in) {
  if (e->s.status) simt_front_step(&e->front.shell, in);
}
