/* SPDX-License-Identifier: Apache-2.0 */
/* front.c: the front end of the environment, on that of verif/core/unit_front.h: contexts of a block with a stack have
 * regions of memory; what must hold at the ports of a unit that is halted, asked to halt, or reset (US-3, US-4, US-7,
 * US-14). */
#include "branch_unit/env.h"

enum { STACK_BASE = 0x008 };

/* ---- what the unit is --------------------------------------------------------------------------------------- */

static const char *const answers[] = {"res_valid_o", NULL}; /* to instructions that were taken */
static const char *const shape_alone[] = {"THREADS", "LANES", "ENTRY_W", "MAX_DEPTH", NULL};
static const char *const shape_joined[] = {"THREADS", "LANES", "ENTRY_W", "MAX_DEPTH", "ENTRIES", "SET", "POLICY", "FLAGS",
                                           "INFLIGHT", "ADDR_W", NULL};

static void nonsense(const void *env, uint32_t *payload, uint32_t at) {
  const struct bu_env *e = env;
  if (at % 4 == 0) payload[BU_CTX_REGS] = ((uint32_t)e->l.max_depth + 1) << 8 | 1; /* too deep */
  else if (at % 4 == 1) payload[BU_CTX_REGS] |= 3;                                 /* live and stopped */
  else if (at % 4 == 2) payload[0] = (uint32_t)e->l.max_depth + 1;                 /* no such limit */
  else payload[1] = e->l.threads;                                                  /* no such group */
}

static void event(void *env, enum simt_front_event what) {
  static const enum bu_cover of[] = {
    [SIMT_FROM_EMPTY] = BU_COVER_HALT_EMPTY, [SIMT_FROM_ACTIVE] = BU_COVER_HALT_ACTIVE, [SIMT_FROM_STALLED] = BU_COVER_HALT_WAITING,
    [SIMT_FROM_QUIESCENT] = BU_COVER_HALT_WAITING, [SIMT_HALT_WITHDRAWN] = BU_COVER_HALT_WITHDRAWN, [SIMT_SAVED] = BU_COVER_SAVE,
    [SIMT_SAVED_AGAIN] = BU_COVER_SAVED_AGAIN, [SIMT_LOADED] = BU_COVER_LOAD, [SIMT_REFUSED_HEADER] = BU_COVER_REFUSED_HEADER,
    [SIMT_REFUSED_PAYLOAD] = BU_COVER_REFUSED_PAYLOAD, [SIMT_BROKEN] = BU_COVER_BROKEN,
    [SIMT_LOADED_BEFORE_RESET] = BU_COVER_LOADED_BEFORE_RESET};
  struct bu_env *e = env;
  bu_hit(e, of[what]);
  if (what <= SIMT_FROM_QUIESCENT && e->under_way) bu_hit(e, BU_COVER_HALT_UNDER_WAY);
}

/* ---- regions of memory ----------------------------------------------------------------------------------- */

static bool is_used(const struct bu_front *f, unsigned region) {
  for (unsigned i = 0; i < BU_PROCESSES; i++)
    if (f->shell.slots[i].valid && f->process[i].region == region) return true;
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
    if (f->process[i].region == f->region) f->shell.slots[i].valid = false;
}

/* ---- life ---------------------------------------------------------------------------------------------- */

static const char *saved(void *env, unsigned slot, const uint32_t *payload, unsigned words) {
  struct bu_env *e = env;
  const char *wrong = bu_context_saved(e, payload, words);
  if (!wrong) bu_process_keep(e, &e->front.process[slot]);
  return wrong;
}

static void loaded(void *env, unsigned slot) {
  struct bu_env *e = env;
  struct bu_front *f = &e->front;
  bu_process_load(e, &f->process[slot]);
  f->region = f->process[slot].region;
  f->nack = f->process[slot].nack;
  if (!f->shell.level) run_on(e);
}

static void clear(void *env) {
  enum { ENDS = 6 }; /* cycles in which the stack's part of a load ends that a reset has broken; then the stack is cleared */
  struct bu_env *e = env;
  struct bu_front *f = &e->front;
  uint32_t limit = e->limit;
  bu_golden_reset(e);
  e->limit = limit;
  f->clear_from = e->cycle;
  f->walk_end = e->cycle + f->walk + (f->shell.broken ? ENDS : 0);
  f->nack = false;
  f->stale = true;
  if (!f->shell.level) run_on(e);
}

bool bu_front_create(struct bu_env *e) {
  struct bu_front *f = &e->front;
  if (!e->l.status) return true;
  f->unit = (struct simt_front_unit){
    .type = e->fake ? 0x4255 : 0x4253, .number = 7, .ctx_max = (unsigned)simt_derived(e->cfg, "CTX_MAX"), .status = e->l.status,
    .slots = BU_PROCESSES, .breaks = true, .shape = e->fake ? shape_alone : shape_joined,
    .shape_more = e->l.ring, .answers = answers, .nonsense = nonsense, .saved = saved, .loaded = loaded,
    .cleared = clear, .event = event};
  f->regions = 1;
  f->walk = e->memory ? e->l.threads * (unsigned)simt_param(e->cfg, "INFLIGHT") : e->l.threads;
  if (e->memory) { /* each context that is worth something has a region of its own in memory */
    unsigned all = (unsigned)simt_param(e->cfg, "ADDR_W");
    f->region_lg = (unsigned)simt_derived(e->cfg, "STRIDE_MAX") + e->l.thread_w;
    if (all > 32) all = 32;
    f->regions = all <= f->region_lg ? 1 : all - f->region_lg > 5 ? 32 : 1u << (all - f->region_lg);
  }
  for (unsigned i = 0; i < BU_PROCESSES; i++)
    if (!bu_process_create(e, &f->process[i])) return false;
  return simt_front_create(&f->shell, e->cfg, &f->unit, e);
}

void bu_front_destroy(struct bu_env *e) {
  if (!e->l.status) return;
  for (unsigned i = 0; i < BU_PROCESSES; i++) bu_process_destroy(e, &e->front.process[i]);
  simt_front_destroy(&e->front.shell);
}

void bu_front_reset(struct bu_env *e, bool forget) {
  struct bu_front *f = &e->front;
  if (!e->l.status) return;
  f->rebase = f->nack = f->refused = f->stale = false;
  f->forgets = f->refused_at = f->unsure_end = 0;
  f->last_answer = f->halt_from = f->clear_from = e->cycle;
  f->walk_end = e->cycle + f->walk;
  if (f->regions == 1) forget |= e->memory != NULL;
  f->region = 0;
  run_on(e); /* region 0 is that of the run which now begins */
  simt_front_reset(&f->shell, forget);
}

void bu_front_drive(struct bu_env *e, const struct bu_choice *c, uint32_t *in) {
  struct bu_front *f = &e->front;
  struct simt_front_choice choice = {
    .order = (enum simt_order)c->order, .slot = c->slot % BU_PROCESSES, .spoil = (enum simt_spoil)(c->spoil % SIMT_SPOILS),
    .place = c->place, .takes = (c->flags & BU_CTX_OUT) != 0, .gives = (c->flags & BU_CTX_IN) != 0};
  if (!e->l.status) return;
  f->under_way = e->under_way;
  bool writes = e->reg.waits || e->reg.shown || f->rebase || f->shell.ctx_reset; /* what is saved would change */
  if (c->order == SIMT_RELEASE ? f->rebase : writes && (c->order == SIMT_SAVE || c->order == SIMT_LOAD))
    choice.order = SIMT_NO_ORDER;
  if (choice.order == SIMT_RELEASE && f->shell.doing == SIMT_FRONT_IDLE && f->shell.level) run_on(e);
  simt_front_drive(&f->shell, &choice, in);
}

/* A new run in memory of its own: the register to write, or false. */
bool bu_front_rebase(struct bu_env *e, struct bu_access *write) {
  struct bu_front *f = &e->front;
  if (!f->rebase || f->shell.state != SIMT_HALTED) return false;
  f->rebase = false;
  f->region = free_region(f);
  *write = (struct bu_access){true, STACK_BASE, f->region << f->region_lg};
  return true;
}

/* ---- rules at the ports ------------------------------------------------------------------------------------- */

static const char *check_state(struct bu_env *e, const uint32_t *out) {
  const struct simt_status_ports *at = &e->front.shell.status_at;
  struct bu_front *f = &e->front;
  const char *wrong = simt_front_state(&f->shell, out);
  if (out[at->gather]) return bu_wrong(e, "gather_o is 1");
  if (e->cycle < f->unsure_end) f->nack &= out[at->nack]; /* it may fall, once */
  if (out[at->nack] != f->nack) return bu_wrong(e, "nack_o is %u, expected %u", out[at->nack], f->nack);
  if (f->shell.state == SIMT_EMPTY && f->under_way && !f->shell.was_reset)
    return bu_wrong(e, "empty with %u instructions under way", f->under_way);
  return wrong;
}

/* Halted at most HALT_OWN (with a stack that may flush: FLUSH_OWN) cycles after the request, memory answers and the walk of a reset not
 * counted. */
static const char *check_halt(struct bu_env *e) {
  struct bu_front *f = &e->front;
  uint64_t since = f->halt_from;
  if (f->shell.state == SIMT_HALTED || !f->shell.halt_req) return NULL;
  if (e->memory && (simt_memory_counts(e->memory).under_way || f->offers)) f->last_answer = e->cycle;
  if (since < f->last_answer) since = f->last_answer;
  if (since < f->walk_end) since = f->walk_end;
  if (e->cycle > since + simt_derived(e->cfg, e->fake ? "HALT_OWN" : "FLUSH_OWN"))
    return bu_wrong(e, "not halted %llu cycles after the request", (unsigned long long)(e->cycle - since));
  return NULL;
}

/* Nothing is taken and nothing leaves; but results of what was begun, until halted. */
static const char *check_closed(struct bu_env *e, const uint32_t *out) {
  const struct bu_front *f = &e->front;
  const struct bu_ports *at = &e->at;
  if (!simt_front_closed(&f->shell)) return NULL;
  uint32_t any = e->fake ? out[at->op] : 0;
  for (unsigned w = 0; w < e->words; w++) any |= out[at->step + w] | out[at->push + w] | out[at->top + w] | out[at->launch + w];
  if (any) return bu_wrong(e, "a ready bit or op_valid_o is 1 under a halt request or a reset");
  if (f->shell.state == SIMT_HALTED && e->memory && (f->offers || simt_memory_counts(e->memory).under_way))
    return bu_wrong(e, "halted with accesses of memory under way");
  if (f->shell.state == SIMT_HALTED && out[at->res]) return bu_wrong(e, "a result while halted");
  return NULL;
}

/* An error of memory is reported until the stack's ERROR is written, but not that of an access from before a reset: all are,
 * until the first result behind it (the stack takes no operation before they have ended), or until halted.
 * A write acts ACTS cycles after it is taken. In beats, an error is reported with the one that has it, and recorded when the stack
 * has looked at the whole set: a write in between does not clear it. */
static void follow_nack(struct bu_env *e, const uint32_t *in, const uint32_t *out) {
  enum { ACTS = 4, LOOKED = 512 };
  struct bu_front *f = &e->front;
  bool write = in[e->at.reg] && out[e->at.reg_ready] && in[e->at.reg_write] && in[e->at.reg_addr] == BU_STACK_ERROR;
  bool drops = f->stale || f->shell.ctx_reset;
  if (f->forgets == e->cycle && !f->late) {
    bool unsure = e->port.beats > 1 && e->cycle <= f->refused_at + LOOKED;
    if (f->nack && !unsure) bu_hit(e, BU_COVER_NACK_CLEARED);
    f->nack = f->nack && unsure;
    if (unsure) f->unsure_end = e->cycle + LOOKED;
  }
  f->late = f->refused && f->forgets == e->cycle + 1;
  if (f->refused && !drops) {
    bu_hit(e, BU_COVER_NACK);
    f->nack = true;
    f->refused_at = e->cycle;
    f->unsure_end = 0;
  }
  f->refused = false;
  if (e->memory && write) f->forgets = e->cycle + ACTS;
  if (out[e->at.res] || f->shell.state == SIMT_HALTED) f->stale = false;
}

const char *bu_front_observe(struct bu_env *e, const uint32_t *in, const uint32_t *out) {
  struct bu_front *f = &e->front;
  if (!e->l.status) return NULL;
  if (e->memory) f->offers = out[simt_find_port(e->cfg, "mem_req_valid_o")->word];
  const char *wrong = check_state(e, out);
  if (!wrong) wrong = check_closed(e, out);
  if (!wrong) wrong = check_halt(e);
  follow_nack(e, in, out);
  bool writes = in[e->at.reg] && in[e->at.reg_write];
  if (writes) f->shell.fresh = 0;
  if (!wrong) wrong = simt_front_words(&f->shell, in, out);
  if (f->shell.ctx_reset) {
    if (e->under_way) bu_hit(e, BU_COVER_UNIT_RESET);
    clear(e);
    f->rebase = e->memory && is_used(f, f->region) && free_region(f) < f->regions;
    if (!f->rebase) run_on(e);
  }
  if (in[f->shell.status_at.halt] && !f->shell.halt_req) f->halt_from = e->cycle + 1;
  e->closed = simt_front_closed(&f->shell);
  simt_front_step(&f->shell, in);
  return wrong;
}
