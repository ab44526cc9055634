/* SPDX-License-Identifier: Apache-2.0 */
/* front.c: the front end of the environment: halts and releases the unit, resets it, and moves its contexts, now and
 * then a spoiled one, of which it knows from the format alone how it must be refused. What must hold at the ports of a
 * unit that is halted, asked to halt, or reset (US-3, US-4, US-7, US-14). */
#include "branch_unit/env.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD = 3, MORE = 4, STACK_BASE = 0x008 };

/* ---- life ---------------------------------------------------------------------------------------------- */

bool bu_front_create(struct bu_env *e) {
  struct bu_front *f = &e->front;
  if (!e->l.status) return true;
  e->status_at = simt_find_status_ports(e->cfg);
  e->ctx_at = simt_find_context_ports(e->cfg);
  f->room = HEAD + (unsigned)simt_derived(e->cfg, "CTX_MAX") + MORE;
  f->stream = calloc(f->room, sizeof *f->stream);
  f->regions = 1;
  if (e->memory) { /* each context that is worth something has a region of its own in memory */
    unsigned all = (unsigned)simt_param(e->cfg, "ADDR_W");
    f->region_lg = (unsigned)simt_derived(e->cfg, "STRIDE_MAX") + e->l.thread_w;
    if (all > 32) all = 32;
    f->regions = all <= f->region_lg ? 1 : all - f->region_lg > 5 ? 32 : 1u << (all - f->region_lg);
  }
  for (unsigned i = 0; i < BU_PROCESSES; i++)
    if (!bu_process_create(e, &f->process[i])) return false;
  return f->stream != NULL;
}

void bu_front_destroy(struct bu_env *e) {
  for (unsigned i = 0; i < BU_PROCESSES; i++) bu_process_destroy(e, &e->front.process[i]);
  free(e->front.stream);
}

void bu_front_reset(struct bu_env *e, bool forget) {
  struct bu_front *f = &e->front;
  f->level = f->offered = f->in_payload = f->unsure = f->rebase = false;
  f->doing = BU_FRONT_IDLE;
  f->fresh = 0;
  f->state = SIMT_EMPTY;
  f->halt_req = f->ctx_reset = f->was_reset = false;
  f->nack = f->refused = f->stale = false;
  f->forgets = f->refused_at = f->unsure_end = 0;
  f->region = 0;
  f->last_answer = f->halt_from = f->clear_from = e->cycle;
  f->walk_end = e->cycle + e->l.threads;
  f->may_flush = false;
  if (f->regions == 1) forget |= e->memory != NULL;
  for (unsigned i = 0; i < BU_PROCESSES; i++) {
    if (f->process[i].region == 0 && e->memory) f->process[i].valid = false; /* that of the run which now begins */
    if (forget) f->process[i].valid = false;
  }
}

/* ---- regions of memory ----------------------------------------------------------------------------------- */

static bool is_used(const struct bu_front *f, unsigned region) {
  for (unsigned i = 0; i < BU_PROCESSES; i++)
    if (f->process[i].valid && f->process[i].region == region) return true;
  return false;
}

static unsigned free_region(const struct bu_front *f) {
  unsigned r = 0;
  while (r < f->regions && is_used(f, r)) r++;
  return r;
}

/* The run goes on, and with it what is in memory: contexts of it are worth nothing from now on. */
static void run_on(struct bu_env *e) {
  struct bu_front *f = &e->front;
  for (unsigned i = 0; e->memory && i < BU_PROCESSES; i++)
    if (f->process[i].region == f->region) f->process[i].valid = false;
}

/* ---- orders ---------------------------------------------------------------------------------------------- */

/* A spoiled copy of a context in `stream`; `found`: what its store says of it with the last word. */
static void spoil(struct bu_env *e, const struct bu_process *p, enum bu_spoil how, uint32_t at) {
  struct bu_front *f = &e->front;
  uint32_t *w = f->stream, most = f->room - HEAD - MORE, group = HEAD + BU_CTX_REGS;
  memcpy(w, p->words, p->n * sizeof *w);
  f->n = p->n;
  f->found = SIMT_STREAM_GOOD;
  switch (how) {
    case BU_FLIP:
      w[at / 32 % (at & 7 ? p->n : HEAD)] ^= 1u << at % 32;
      f->found = SIMT_STREAM_BAD_SUM;
      break;
    case BU_CUT: f->n = 1 + at % (p->n - 1); break;
    case BU_LONGER:
      f->n = p->n + 1 + at % (MORE - 1);
      for (unsigned i = p->n; i < f->n; i++) w[i] = at * i;
      break;
    case BU_UNREADABLE:
      f->n = 1 + at % p->n;
      f->found = SIMT_STREAM_BAD_MEMORY;
      break;
    case BU_OTHER_UNIT: w[0] ^= 1u << at % 16; break;
    case BU_OTHER_TYPE: w[0] ^= 0x10000u << at % 16; break;
    case BU_OTHER_SHAPE: w[1] ^= 1u << at % 32; break;
    case BU_OTHER_LENGTH: w[2] = at % 4 ? most + at % 4 : 0; break;
    case BU_NONSENSE:
      if (at % 4 == 0) w[group] = ((uint32_t)e->l.max_depth + 1) << 8 | 1; /* too deep */
      else if (at % 4 == 1) w[group] |= 3;                                 /* live and stopped */
      else if (at % 4 == 2) w[HEAD] = (uint32_t)e->l.max_depth + 1;        /* no such limit */
      else w[HEAD + 1] = e->l.threads;                                     /* no such group */
      break;
    case BU_SHORTER: /* a payload that ends before its time, its length and sum good */
      if (p->n > HEAD + 1) f->n = HEAD + 1 + at % (p->n - HEAD - 1);
      w[2] = f->n - HEAD;
      break;
    default: break;
  }
}

static void order_load(struct bu_env *e, const struct bu_choice *c) {
  struct bu_front *f = &e->front;
  const struct bu_process *p = &f->process[c->slot % BU_PROCESSES];
  enum bu_spoil how = (enum bu_spoil)(c->spoil % BU_SPOILS);
  if (!p->valid) return;
  spoil(e, p, how, c->place);
  f->expected = bu_context_judge(e, f->stream, f->n, f->found, &f->in_payload);
  if (how == BU_NONSENSE || how == BU_SHORTER) f->expected = SIMT_CONTEXT_BAD_LENGTH;
  f->slot = c->slot % BU_PROCESSES;
  f->doing = BU_FRONT_LOADING;
  f->offered = true;
  f->at = f->fresh = 0;
}

static void obey(struct bu_env *e, const struct bu_choice *c, uint32_t *in) {
  struct bu_front *f = &e->front;
  if (f->doing != BU_FRONT_IDLE) return;
  bool writes = e->reg.waits || e->reg.shown || f->rebase || f->ctx_reset; /* what is saved would change */
  switch (c->order) {
    case BU_HALT: f->level = true; break;
    case BU_RELEASE:
      if (f->unsure || f->rebase) break;
      if (f->level) run_on(e);
      f->level = false;
      f->fresh = 0;
      break;
    case BU_UNIT_RESET:
      in[e->status_at.reset] = 1;
      f->fresh = 0;
      break;
    case BU_RESUME: in[e->status_at.resume] = 1; break;
    case BU_SAVE:
      if (!f->level || writes || f->unsure) break;
      f->slot = c->slot % BU_PROCESSES;
      f->doing = BU_FRONT_SAVING;
      f->offered = true;
      f->at = f->n = 0;
      break;
    case BU_LOAD:
      if (f->level && !writes) order_load(e, c);
      break;
    default: break;
  }
}

void bu_front_drive(struct bu_env *e, const struct bu_choice *c, uint32_t *in) {
  const struct simt_context_ports *at = &e->ctx_at;
  struct bu_front *f = &e->front;
  if (!e->l.status) return;
  f->under_way = e->under_way;
  in[e->status_at.reset] = in[e->status_at.resume] = 0;
  obey(e, c, in);
  in[e->status_at.halt] = f->level;
  in[at->unit] = BU_UNIT_NUMBER;
  in[at->cmd_valid] = f->offered;
  in[at->cmd_load] = f->doing == BU_FRONT_LOADING;
  in[at->out_ready] = (c->flags & BU_CTX_OUT) != 0;
  bool more = f->doing == BU_FRONT_LOADING && !f->offered && f->at < f->n;
  in[at->in_valid] = more && (in[at->in_valid] || (c->flags & BU_CTX_IN)); /* once offered it stays */
  in[at->in_data] = more ? f->stream[f->at] : 0;
  in[at->in_last] = more && f->at + 1 == f->n;
  in[at->in_error] = in[at->in_last] ? f->found : SIMT_STREAM_GOOD;
}

/* A new run in memory of its own: the register to write, or false. */
bool bu_front_rebase(struct bu_env *e, struct bu_access *write) {
  struct bu_front *f = &e->front;
  if (!f->rebase || f->state != SIMT_HALTED) return false;
  f->rebase = false;
  f->region = free_region(f);
  *write = (struct bu_access){true, STACK_BASE, f->region << f->region_lg};
  return true;
}

/* ---- what came of it ---------------------------------------------------------------------------------------- */

static void clear(struct bu_env *e) {
  struct bu_front *f = &e->front;
  uint32_t limit = e->limit;
  bu_golden_reset(e);
  e->limit = limit;
  f->fresh = 0;
  f->clear_from = e->cycle;
  f->walk_end = e->cycle + e->l.threads;
  f->nack = false;
  f->stale = true;
}

static const char *save_ended(struct bu_env *e) {
  struct bu_front *f = &e->front;
  struct bu_process *p = &f->process[f->slot];
  const char *wrong = bu_context_saved(e);
  if (wrong) return wrong;
  if (f->fresh) {
    const struct bu_process *old = &f->process[f->fresh - 1];
    if (f->n != old->n || memcmp(f->stream, old->words, f->n * sizeof *f->stream))
      return bu_wrong(e, "a save right after a load gives another stream");
    bu_hit(e, BU_COVER_SAVED_AGAIN);
  }
  bu_hit(e, BU_COVER_SAVE);
  bu_process_keep(e, p);
  p->region = f->region;
  p->may_flush = f->may_flush;
  p->nack = f->nack;
  return NULL;
}

static void load_ended(struct bu_env *e) {
  struct bu_front *f = &e->front;
  if (!f->expected) {
    bu_process_load(e, &f->process[f->slot]);
    f->region = f->process[f->slot].region;
    f->may_flush |= f->process[f->slot].may_flush;
    f->fresh = 1 + f->slot;
    f->unsure = false;
    f->nack = f->process[f->slot].nack;
    bu_hit(e, BU_COVER_LOAD);
  } else if (f->in_payload) {
    clear(e);
    f->unsure = e->memory != NULL; /* the run-time registers of the stack are what they are */
    bu_hit(e, BU_COVER_REFUSED_PAYLOAD);
  } else {
    bu_hit(e, BU_COVER_REFUSED_HEADER);
  }
}

static const char *ended(struct bu_env *e, unsigned error) {
  struct bu_front *f = &e->front;
  bool loads = f->doing == BU_FRONT_LOADING;
  unsigned expected = loads ? f->expected : SIMT_CONTEXT_GOOD;
  if (f->doing == BU_FRONT_IDLE || f->offered) return bu_wrong(e, "a save or load ends that was not begun");
  f->doing = BU_FRONT_IDLE;
  if (error != expected)
    return bu_wrong(e, "a %s of %u words ends with error %u, expected %u", loads ? "load" : "save", f->n, error, expected);
  if (f->at != f->n) return bu_wrong(e, "a %s ends before its last word", loads ? "load" : "save");
  if (!loads) return save_ended(e);
  load_ended(e);
  return NULL;
}

static const char *move_words(struct bu_env *e, const uint32_t *in, const uint32_t *out) {
  const struct simt_context_ports *at = &e->ctx_at;
  struct bu_front *f = &e->front;
  bool halted = f->state == SIMT_HALTED;
  if (in[at->cmd_valid] && out[at->cmd_ready]) {
    if (!halted) return bu_wrong(e, "a save or load is taken while not halted");
    f->offered = false;
  }
  if (out[at->out_valid] && in[at->out_ready]) {
    if (f->doing != BU_FRONT_SAVING || f->n || f->at >= f->room - MORE)
      return bu_wrong(e, "a word of a context comes that nobody wants");
    f->stream[f->at++] = out[at->out_data];
    f->moved++;
    if (out[at->out_last]) f->n = f->at;
  }
  if (in[at->in_valid] && out[at->in_ready]) {
    if (!halted) return bu_wrong(e, "a word of a context is taken while not halted");
    f->at++;
    f->moved++;
  }
  return out[at->done] ? ended(e, out[at->error]) : NULL;
}

/* ---- rules at the ports ------------------------------------------------------------------------------------- */

static const char *check_state(struct bu_env *e, const uint32_t *out) {
  static const enum bu_cover from[] = {[SIMT_EMPTY] = BU_COVER_HALT_EMPTY, [SIMT_ACTIVE] = BU_COVER_HALT_ACTIVE,
                                       [SIMT_STALLED] = BU_COVER_HALT_WAITING, [SIMT_QUIESCENT] = BU_COVER_HALT_WAITING};
  static const uint32_t codes[3][5] = {{1, 2, 4, 8, 16}, {3, 5, 6, 9, 10}, {0, 1, 2, 3, 4}};
  const struct simt_status_ports *at = &e->status_at;
  struct bu_front *f = &e->front;
  enum simt_unit_state last = f->state;
  unsigned next = 0;
  while (next < 5 && codes[e->l.status - 1][next] != out[at->state]) next++;
  if (next == 5) return bu_wrong(e, "state_o is 0x%x, no code word", out[at->state]);
  f->state = (enum simt_unit_state)next;
  bool waits = f->state == SIMT_STALLED || f->state == SIMT_QUIESCENT, halted = f->state == SIMT_HALTED;
  if (out[at->waiting] != waits) return bu_wrong(e, "waiting_o is %u in state %u", out[at->waiting], next);
  if (out[at->gather]) return bu_wrong(e, "gather_o is 1");
  if (e->cycle < f->unsure_end) f->nack &= out[at->nack]; /* it may fall, once */
  if (out[at->nack] != f->nack) return bu_wrong(e, "nack_o is %u, expected %u", out[at->nack], f->nack);
  if (f->was_reset) return next == SIMT_EMPTY ? NULL : bu_wrong(e, "state %u after a reset", next);
  if (halted != (last == SIMT_HALTED) && halted != f->was_halt)
    return bu_wrong(e, "state %u follows %u with halt request %u", next, last, f->was_halt);
  if (last == SIMT_HALTED && f->was_halt && !halted) return bu_wrong(e, "no longer halted under a halt request");
  if (f->state == SIMT_EMPTY && f->under_way) return bu_wrong(e, "empty with %u instructions under way", f->under_way);
  if (halted && last != SIMT_HALTED) bu_hit(e, from[last]);
  if (halted && last != SIMT_HALTED && e->under_way) bu_hit(e, BU_COVER_HALT_UNDER_WAY);
  return NULL;
}

/* A write of LIMIT or STRIDE_LG of the stack, which acts some cycles after it is taken, begins the walk of a reset anew. */
static void follow_walk(struct bu_env *e, const uint32_t *in, const uint32_t *out) {
  enum { ACTS = 3 };
  struct bu_front *f = &e->front;
  bool write = e->memory && in[e->at.reg] && out[e->at.reg_ready] && in[e->at.reg_write];
  bool limits = in[e->at.reg_addr] == BU_STACK_LIMIT || in[e->at.reg_addr] == BU_STACK_STRIDE_LG;
  if (write && limits && e->cycle <= f->walk_end) f->walk_end = e->cycle + ACTS + e->l.threads;
}

/* Halted at most HALT_OWN cycles after the request, memory answers and the walk of a reset not counted. */
static const char *check_halt(struct bu_env *e) {
  struct bu_front *f = &e->front;
  uint64_t since = f->halt_from;
  if (f->state == SIMT_HALTED || !f->halt_req || f->may_flush) return NULL;
  if (e->memory && (simt_memory_counts(e->memory).under_way || f->offers)) f->last_answer = e->cycle;
  if (since < f->last_answer) since = f->last_answer;
  if (since < f->walk_end) since = f->walk_end;
  if (e->cycle > since + simt_derived(e->cfg, "HALT_OWN"))
    return bu_wrong(e, "not halted %llu cycles after the request", (unsigned long long)(e->cycle - since));
  return NULL;
}

/* Nothing is taken and nothing leaves; but results of what was begun, until halted. */
static const char *check_closed(struct bu_env *e, const uint32_t *out) {
  const struct bu_front *f = &e->front;
  const struct bu_ports *at = &e->at;
  if (!f->halt_req && !f->ctx_reset && f->state != SIMT_HALTED) return NULL;
  uint32_t any = e->fake ? out[at->op] : 0;
  for (unsigned w = 0; w < e->words; w++) any |= out[at->step + w] | out[at->push + w] | out[at->top + w] | out[at->launch + w];
  if (any) return bu_wrong(e, "a ready bit or op_valid_o is 1 under a halt request or a reset");
  if (f->state == SIMT_HALTED && e->memory && (f->offers || simt_memory_counts(e->memory).under_way))
    return bu_wrong(e, "halted with accesses of memory under way");
  if (f->state == SIMT_HALTED && out[at->res]) return bu_wrong(e, "a result while halted");
  return NULL;
}

/* An error of memory is reported until the stack's ERROR is written, but not that of an access from before a reset: those
 * are all that can be answered until none is under way. A write acts in the cycle after it is taken, on the report two cycles later.
 * In a flush the stack records an error some cycles behind its answer: a write in between does not clear it. */
static void follow_nack(struct bu_env *e, const uint32_t *in, const uint32_t *out) {
  enum { SETTLED = 4, RECORDED = 4 };
  struct bu_front *f = &e->front;
  bool write = in[e->at.reg] && out[e->at.reg_ready] && in[e->at.reg_write] && in[e->at.reg_addr] == BU_STACK_ERROR;
  bool drops = f->stale || f->ctx_reset;
  if (f->forgets == e->cycle && !f->late) {
    bool unsure = f->may_flush && e->cycle <= f->refused_at + RECORDED;
    if (f->nack && !unsure) bu_hit(e, BU_COVER_NACK_CLEARED);
    f->nack = f->nack && unsure;
    if (unsure) f->unsure_end = e->cycle + 2;
  }
  f->late = f->refused && f->forgets == e->cycle + 1;
  if (f->refused && !drops) {
    bu_hit(e, BU_COVER_NACK);
    f->nack = true;
    f->refused_at = e->cycle;
    f->unsure_end = 0;
  }
  f->refused = false;
  if (e->memory && write) f->forgets = e->cycle + 2;
  bool idle = !e->memory || (!simt_memory_counts(e->memory).under_way && !f->offers);
  if (idle && e->cycle > f->clear_from + SETTLED) f->stale = false;
}

const char *bu_front_observe(struct bu_env *e, const uint32_t *in, const uint32_t *out) {
  const struct simt_status_ports *at = &e->status_at;
  struct bu_front *f = &e->front;
  if (!e->l.status) return NULL;
  if (e->memory) f->offers = out[simt_find_port(e->cfg, "mem_req_valid_o")->word];
  const char *wrong = check_state(e, out);
  if (!wrong) wrong = check_closed(e, out);
  if (!wrong) wrong = check_halt(e);
  follow_nack(e, in, out);
  follow_walk(e, in, out);
  bool writes = in[e->at.reg] && in[e->at.reg_write];
  if (writes) f->fresh = 0;
  if (writes && e->memory && in[e->at.reg_addr] == BU_STACK_CONTROL) f->may_flush = true;
  if (!wrong) wrong = move_words(e, in, out);
  if (f->ctx_reset) {
    if (e->under_way) bu_hit(e, BU_COVER_UNIT_RESET);
    clear(e);
    f->state = SIMT_EMPTY;
    f->rebase = e->memory && is_used(f, f->region) && free_region(f) < f->regions;
    if (!f->rebase) run_on(e);
  }
  f->was_reset = f->ctx_reset;
  f->was_halt = f->halt_req;
  if (in[at->halt] && !f->halt_req) f->halt_from = e->cycle + 1;
  if (f->halt_req && !in[at->halt] && f->state != SIMT_HALTED) bu_hit(e, BU_COVER_HALT_WITHDRAWN);
  e->closed = f->halt_req || f->was_reset || f->state == SIMT_HALTED;
  f->halt_req = in[at->halt];
  f->ctx_reset = in[at->reset];
  return wrong;
}
