/* SPDX-License-Identifier: Apache-2.0 */
/* env.c: the environment of branch_unit and of blocks that contain it: who presents instructions and register
 * accesses, and the order in which a cycle is checked. */
#include "branch_unit/env.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

const char *bu_wrong(struct bu_env *e, const char *format, ...) {
  va_list ap;
  va_start(ap, format);
  vsnprintf(e->message, sizeof e->message, format, ap);
  va_end(ap);
  return e->message;
}

static bu_lanes all_lanes(const struct bu_env *e) { return ~(bu_lanes)0 >> (128 - e->l.lanes); }
static uint64_t all_pc(const struct bu_env *e) { return ~(uint64_t)0 >> (64 - e->l.pc_w); }

/* ---- life ------------------------------------------------------------------------------------------- */

static void bind_ports(const struct simt_config *cfg, struct bu_ports *at) {
  BU_ENV_PORTS(SIMT_PORT_BIND)
  if (simt_find_port(cfg, "op_valid_o")) { /* with a stack of its own the block has no port to one */
    BU_STACK_PORTS(SIMT_PORT_BIND)
  }
}

static void find_layout(struct bu_env *e) {
  bool alone = simt_param_index(e->cfg, "STACK_LATENCY") >= 0;
  uint64_t latency = alone ? simt_param(e->cfg, "STACK_LATENCY") : simt_derived(e->cfg, "STACK_LATENCY");
  const uint64_t value[] = {simt_param(e->cfg, "THREADS"), simt_param(e->cfg, "LANES"), simt_param(e->cfg, "ENTRY_W"),
                            simt_param(e->cfg, "MAX_DEPTH"), latency, simt_param(e->cfg, "STATUS")};
  bu_layout(value, &e->l);
  e->l.alone = alone;
  e->words = (e->l.threads + 31) / 32;
  e->reg_base = alone ? 0 : 1u << BU_REG_ADDR_W;
}

static enum bu_gate gate_of(enum bu_kind kind, bool set, bool pops) {
  bool flow = kind >= BU_BRANCH && kind <= BU_BREAK, leaves = kind == BU_RETURN || kind == BU_BREAK;
  if (kind == BU_LAUNCH) return BU_LAUNCHES;
  if (pops) return BU_TOP;
  if (flow && (set || !leaves)) return BU_PUSHES;
  return leaves ? BU_TOP : BU_STEP;
}

static void find_gates(struct bu_env *e) {
  const unsigned at[BU_GATES] = {
    [BU_STEP] = e->at.step, [BU_PUSHES] = e->at.push, [BU_TOP] = e->at.top, [BU_LAUNCHES] = e->at.launch};
  memcpy(e->gate_at, at, sizeof at);
  for (unsigned i = 0; i < 32; i++)
    for (unsigned synced = 0; synced < 2; synced++)
      e->gate[synced][i] = gate_of((enum bu_kind)(i >> 2), i & 1, (i & 2) && !synced);
}

static void reset(struct bu_env *e) {
  bu_golden_reset(e);
  bu_registers_reset(e);
  e->stack_limit = (uint32_t)e->l.max_depth;
  bu_front_reset(e, false);
  if (e->fake) bu_fake_restart(e->fake);
}

void bu_env_restart(void *env) {
  struct bu_env *e = env;
  e->cycle = e->results = 0;
  reset(e);
  bu_front_reset(e, true);
  if (e->memory) stk_port_restart(&e->port);
  simt_rng_seed(&e->rng, e->stim.seed);
  if (e->script) bu_directed_restart(e);
  else bu_random_restart(e);
}

void bu_env_destroy(void *env) {
  struct bu_env *e = env;
  if (!e) return;
  for (unsigned i = 0; e->group && i < e->l.threads; i++) free(e->group[i].token);
  bu_runners_destroy(e->runner);
  bu_front_destroy(e);
  if (e->script) bu_directed_destroy(e);
  if (e->memory) stk_port_destroy(&e->port);
  bu_fake_destroy(e->fake);
  free(e->runner);
  free(e->expected);
  free(e->group);
  free(e);
}

static bool allocate(struct bu_env *e, struct simt_diag *diag) {
  unsigned threads = e->l.threads;
  e->group = calloc(threads, sizeof *e->group);
  e->expected = calloc(threads, sizeof *e->expected);
  e->runner = calloc(threads, sizeof *e->runner);
  bool runners = e->runner && bu_runners_create(e->runner, threads, e->l.lanes);
  bool stands_alone = simt_find_port(e->cfg, "op_valid_o") != NULL;
  if (stands_alone) e->fake = bu_fake_create(&e->l);
  else if (stk_port_create(&e->port, e->cfg, diag)) e->memory = e->port.memory;
  if (e->group && e->expected && runners && (e->fake || e->memory)) return true;
  return simt_fail(diag, e->cfg->name, "no memory", "memory for the environment");
}

void *bu_env_create(const struct simt_config *cfg, const struct simt_stimulus *stim, struct simt_diag *diag) {
  struct bu_env *e = calloc(1, sizeof *e);
  if (!e) {
    simt_fail(diag, cfg->name, "no memory", "memory for the environment");
    return NULL;
  }
  e->cfg = cfg;
  e->stim = *stim;
  find_layout(e);
  bind_ports(e->cfg, &e->at);
  find_gates(e);
  bool good = allocate(e, diag);
  if (good && !bu_front_create(e)) good = simt_fail(diag, cfg->name, "no memory", "memory for the environment");
  good = good && simt_front_suits(stim, (const char *const[]){"status", NULL}, e->l.status, diag);
  if (good && !strcmp(stim->kind, "directed") && !bu_directed_create(e))
    good = simt_fail(diag, cfg->name, "no memory", "memory for the directed tests");
  if (!good) {
    bu_env_destroy(e);
    return NULL;
  }
  bu_env_restart(e);
  return e;
}

/* ---- choices ---------------------------------------------------------------------------------------- */

bool bu_env_choose(void *env, void *choice) {
  struct bu_env *e = env;
  return e->script ? bu_directed_choose(e, choice) : bu_random_choose(e, choice);
}

/* Makes a pop meet a token of a right kind. */
static void put_right(const struct bu_env *e, struct bu_instruction *i) {
  const struct bu_group *g = &e->group[i->group];
  bool pops = i->pop || i->kind == BU_RETURN || i->kind == BU_BREAK;
  if (i->kind == BU_LAUNCH || (!pops && i->kind != BU_FINISH)) return;
  if (!g->depth) {
    i->pop = false;
    if (i->kind != BU_FINISH) i->kind = BU_CALL;
    return;
  }
  enum bu_token top = g->token[g->depth - 1].kind;
  if (i->pop && !g->synced && (top == BU_TOKEN_DIV || top == BU_TOKEN_SYNC)) return;
  i->set = i->pop = false;
  i->kind = top == BU_TOKEN_BRK ? BU_BREAK : BU_RETURN;
  i->pop = top == BU_TOKEN_SYNC && !g->synced;
  if (top == BU_TOKEN_SYNC) i->kind = i->pop ? BU_OTHER : BU_PREBREAK;
}

static void raw_kind(const struct bu_env *e, const struct bu_choice *c, unsigned group, struct bu_instruction *i) {
  i->kind = c->kind & 7;
  i->set = c->flags & BU_SET_SYNC;
  i->pop = c->flags & BU_POP_SYNC;
  if (group >= e->l.threads) return;
  const struct bu_group *g = &e->group[group];
  if ((c->flags & BU_RIGHT) && !g->live) i->kind = BU_LAUNCH;
  else if (c->flags & BU_RIGHT) put_right(e, i);
}

static bool is_programmed(const struct bu_env *e, const struct bu_choice *c, unsigned group) {
  return (c->flags & BU_PROGRAM) && group < e->l.threads;
}

/* What a group issues next: of its program, or the launch of a new one. The rest of it comes with flow_of. */
static void kind_of(const struct bu_env *e, const struct bu_choice *c, unsigned group, struct bu_instruction *i) {
  i->group = group;
  if (!is_programmed(e, c, group)) {
    raw_kind(e, c, group, i);
  } else if (e->runner[group].runs) {
    bu_next_kind(&e->runner[group], i);
  } else {
    i->kind = BU_LAUNCH;
    i->set = i->pop = false;
  }
}

static void flow_of(struct bu_env *e, const struct bu_choice *c, struct bu_instruction *i) {
  bool programmed = is_programmed(e, c, i->group);
  if (programmed && e->runner[i->group].runs) {
    bu_next_flow(&e->runner[i->group], e->l.lanes, c->next, i);
    return;
  }
  bu_lanes mask = (bu_lanes)c->mask[1] << 64 | c->mask[0];
  if (programmed) mask |= (bu_lanes)1 << c->target % e->l.lanes;
  i->mask = mask & all_lanes(e);
  i->target = programmed ? 0 : c->target & all_pc(e);
  i->next = c->next & all_pc(e);
}

/* The groups of a word that can be issued to, no others: ready to step or for a launch. */
static uint32_t may_go(const struct bu_env *e, const uint32_t *out, unsigned word) {
  return out[e->gate_at[BU_STEP] + word] | out[e->gate_at[BU_LAUNCHES] + word];
}

/* Whether one of these groups, `from` and those behind it, round 32, can take what it issues; gives that. */
static bool seek(struct bu_env *e, const struct bu_choice *c, const uint32_t *out, unsigned from, uint32_t may, struct bu_instruction *i) {
  const unsigned low = from % 32;
  uint32_t turned = may >> low | may << (32 - low) % 32;
  for (; turned; turned &= turned - 1) {
    kind_of(e, c, (from & ~31u) + ((unsigned)__builtin_ctz(turned) + low) % 32, i);
    if (bu_ready(e, out, i)) return true;
  }
  return false;
}

/* From a group on, round to it. */
static bool seek_from(struct bu_env *e, const struct bu_choice *c, const uint32_t *out, unsigned from, struct bu_instruction *i) {
  const unsigned first = from / 32;
  const uint32_t may = may_go(e, out, first), behind = ~UINT32_C(0) << from % 32;
  if (e->words == 1) return seek(e, c, out, from, may, i);
  if (seek(e, c, out, from, may & behind, i)) return true;
  for (unsigned w = first + 1 < e->words ? first + 1 : 0; w != first; w = w + 1 < e->words ? w + 1 : 0)
    if (seek(e, c, out, 32 * w, may_go(e, out, w), i)) return true;
  return seek(e, c, out, 32 * first, may & ~behind, i);
}

static void pick(struct bu_env *e, const struct bu_choice *c, const uint32_t *out, struct bu_instruction *i) {
  unsigned odd = c->group & ((1u << e->l.thread_w) - 1), from = c->flags & BU_ODD ? odd : c->group % e->l.threads;
  bool exists = from < e->l.threads;
  if (!(c->flags & BU_SEEK) || !seek_from(e, c, out, exists ? from : 0, i)) kind_of(e, c, from, i);
  flow_of(e, c, i);
}

static void put_instruction(struct bu_env *e, const struct bu_choice *c, const uint32_t *out, uint32_t *in) {
  const struct bu_ports *at = &e->at;
  bool shown = (c->flags & BU_DO_INS) && !(e->reg.valid && e->reg.alone) && !(e->reg.waits && e->reg.now_alone);
  in[at->valid] = shown;
  e->program_launch = false;
  if (!shown) return;
  struct bu_instruction i;
  pick(e, c, out, &i);
  e->program_launch = (c->flags & BU_PROGRAM) && i.kind == BU_LAUNCH;
  e->program_seed = c->mem ^ c->next;
  e->recursion = (c->flags & BU_PROGRAM) && (c->flags & BU_RIGHT);
  e->beyond = !(c->target & 7);
  in[at->kind] = i.kind;
  in[at->set] = i.set;
  in[at->pop] = i.pop;
  in[at->group] = i.group;
  bu_put_port(&in[at->mask], e->l.lanes, i.mask);
  bu_put_port(&in[at->target], e->l.pc_w, i.target);
  bu_put_port(&in[at->next], e->l.pc_w, i.next);
}

static void put_register(struct bu_env *e, const struct bu_choice *c, uint32_t *in) {
  const struct bu_ports *at = &e->at;
  struct bu_access base;
  bool moves = e->front.shell.doing != SIMT_FRONT_IDLE; /* a context: registers can be read, and none may change */
  if (!e->reg.valid && !moves && bu_front_rebase(e, &base)) {
    e->reg.valid = true;
    e->reg.want = base;
    e->reg.alone = false;
  }
  if (!e->reg.valid && (c->flags & BU_DO_REG) && (!moves || !(c->flags & BU_REG_WRITE))) {
    e->reg.valid = true;
    e->reg.want.write = c->flags & BU_REG_WRITE;
    e->reg.want.addr = c->reg_addr & (uint16_t)((e->reg_base ? 2u << BU_REG_ADDR_W : 1u << BU_REG_ADDR_W) - 1);
    e->reg.want.data = c->reg_data;
    e->reg.alone = e->reg.want.write && e->reg.want.addr != e->reg_base + BU_REG_GROUP &&
                   e->reg.want.addr != e->reg_base + BU_REG_ERROR && e->reg.want.addr != e->reg_base + BU_REG_LIMIT;
  }
  e->reg.shown = e->reg.valid && (e->reg.shown || ((!e->reg.alone || !e->under_way) && (!moves || !e->reg.want.write)));
  in[at->reg] = e->reg.shown;
  in[at->reg_write] = e->reg.want.write;
  in[at->reg_addr] = e->reg.want.addr;
  in[at->reg_data] = e->reg.want.data;
}

void bu_env_drive(void *env, const void *choice, const uint32_t *out, uint32_t *in) {
  struct bu_env *e = env;
  const struct bu_choice *c = choice;
  e->result_wrong = bu_golden_result(e, out); /* the group of a result may issue in the same cycle */
  if (c->stack_limit && e->fake && !e->under_way) e->stack_limit = c->stack_limit;
  bu_front_drive(e, c, in);
  put_register(e, c, in);
  put_instruction(e, c, out, in);
  if (e->fake) bu_fake_drive(e, c, in);
  else stk_port_drive(&e->port, c->mem, in);
  in[e->at.rst] = (c->flags & BU_RESET) != 0;
  e->choice = (struct bu_kept){c->group, c->flags, c->wait};
}

/* ---- checks ------------------------------------------------------------------------------------------ */

/* The instruction at the pins: what it is; then the rest. */
static void presented_kind(const struct bu_env *e, const uint32_t *in, struct bu_instruction *i) {
  const struct bu_ports *at = &e->at;
  i->kind = in[at->kind] & 7;
  i->set = in[at->set];
  i->pop = in[at->pop];
  i->group = in[at->group];
}

static inline void presented_flow(const struct bu_env *e, const uint32_t *in, struct bu_instruction *i) {
  const struct bu_ports *at = &e->at;
  i->mask = bu_get_port(&in[at->mask], e->l.lanes);
  i->target = (uint64_t)bu_get_port(&in[at->target], e->l.pc_w);
  i->next = (uint64_t)bu_get_port(&in[at->next], e->l.pc_w);
}

static void cover_ready(struct bu_env *e, const uint32_t *out, const struct bu_instruction *i, bool valid, bool taken) {
  const struct bu_ports *at = &e->at;
  bool waits = false;
  for (unsigned w = 0; w < e->words; w++) {
    uint32_t open = out[at->step + w], push = open & ~out[at->push + w], top = open & ~out[at->top + w];
    e->covered[BU_COVER_WAIT_PUSH] += push != 0; /* without a branch that nobody can predict */
    e->covered[BU_COVER_WAIT_POP] += top != 0;
    waits |= (push | top) != 0;
  }
  if (waits && taken && bu_bit(&out[at->push], i->group) && bu_bit(&out[at->top], i->group)) bu_hit(e, BU_COVER_OTHER_GOES_ON);
  if (valid && i->group >= e->l.threads) bu_hit(e, BU_COVER_ODD_GROUP);
  else if (valid && i->kind != BU_LAUNCH && !e->group[i->group].live) bu_hit(e, BU_COVER_NOT_LIVE);
}

/* A group that is not live, or has an instruction under way, is not ready; its result is out when it is. */
static const char *check_ready(struct bu_env *e, const uint32_t *out) {
  const struct bu_ports *at = &e->at;
  for (unsigned w = 0; w < e->words; w++) {
    uint32_t step = out[at->step + w] & ~(e->live[w] & ~e->busy[w]), launch = out[at->launch + w] & e->busy[w];
    uint32_t only = (out[at->push + w] | out[at->top + w]) & ~out[at->step + w];
    if (step) return bu_wrong(e, "group %u is ready, and not live, or its last instruction has no result", 32 * w + (unsigned)__builtin_ctz(step));
    if (launch) return bu_wrong(e, "group %u is ready for a launch with an instruction under way", 32 * w + (unsigned)__builtin_ctz(launch));
    if (only) return bu_wrong(e, "group %u is ready to push or pop only", 32 * w + (unsigned)__builtin_ctz(only));
  }
  return NULL;
}

static const char *check_memory(struct bu_env *e, const uint32_t *in, const uint32_t *out) {
  const char *wrong = stk_port_observe(&e->port, in, out);
  const struct simt_memory_event *answer = simt_memory_answered(e->memory);
  if (answer && answer->error) {
    unsigned tag_w = simt_find_port(e->cfg, "mem_rsp_tag_i")->width;
    e->group[answer->tag >> (tag_w - e->l.thread_w)].may_fault = true;
    e->front.refused = true;
  }
  if (e->port.beats > 1) { /* reported with the beat that has the code */
    const struct simt_mem_ports *at = &e->port.at;
    e->front.refused = in[at->rsp_valid] && out[at->rsp_ready] && in[at->rsp_error];
  }
  return wrong;
}

static void taken_now(struct bu_env *e, const struct bu_instruction *i) {
  struct bu_runner *r = &e->runner[i->group];
  bu_golden_taken(e, i);
  if (e->program_launch) {
    uint32_t limit = e->limit < 300 ? e->limit : 300;
    bu_lanes_launch(e, i->group, e->program_seed, e->recursion ? limit + e->beyond : 0);
  } else if (!(e->choice.flags & BU_PROGRAM)) {
    r->runs = false;
  }
}

static const char *check_cycle(struct bu_env *e, const uint32_t *in, const uint32_t *out) {
  const char *wrong = e->result_wrong, *next = check_ready(e, out);
  if (!wrong) wrong = next;
  next = bu_registers_check(e, in, out);
  if (!wrong) wrong = next;
  struct bu_instruction i;
  presented_kind(e, in, &i);
  bool taken = in[e->at.valid] && bu_ready(e, out, &i);
  cover_ready(e, out, &i, in[e->at.valid], taken);
  if (taken) {
    presented_flow(e, in, bu_golden_next(e, i.group));
    taken_now(e, &i);
  }
  next = e->fake && bu_fake_step(e, &e->choice, in, out) ? bu_golden_operation(e, out) : NULL;
  if (!wrong) wrong = next;
  if (e->memory) next = check_memory(e, in, out);
  if (!wrong) wrong = next;
  next = bu_front_observe(e, in, out);
  if (!wrong) wrong = next;
  bu_golden_step(e);
  if (!wrong && e->script) wrong = bu_directed_observe(e, taken ? &i : NULL, out);
  return wrong;
}

const char *bu_env_observe(void *env, const uint32_t *in, const uint32_t *out) {
  struct bu_env *e = env;
  const char *wrong = check_cycle(e, in, out);
  e->cycle++;
  if (in[e->at.rst]) {
    if (e->under_way > 1) bu_hit(e, BU_COVER_RESET_UNDER_WAY);
    reset(e);
  }
  return wrong;
}

uint64_t bu_env_progress(const void *env, bool *busy) {
  const struct bu_env *e = env;
  *busy = e->under_way || e->reg.waits || e->front.shell.level;
  return e->results + e->front.shell.moved;
}

const uint64_t *bu_env_coverage(const void *env) {
  struct bu_env *e = (struct bu_env *)env;
  uint64_t *to = e->coverage; /* a copy in the order of the description */
  for (int i = 0; i < BU_COVERS; i++)
    if (bu_cover_possible(&e->l, (enum bu_cover)i)) *to++ = e->covered[i];
  return e->coverage;
}

/* ---- explanation ------------------------------------------------------------------------------------- */

void bu_env_explain(const void *env, const uint32_t *in, char *to, size_t room) {
  static const char *const kind[] = {"other", "branch", "call", "pre-break", "return", "break", "launch", "finish"};
  const struct bu_env *e = env;
  const struct bu_ports *at = &e->at;
  char ins[160] = "no instruction", reg[64] = "";
  struct bu_instruction i;
  presented_kind(e, in, &i);
  presented_flow(e, in, &i);
  if (in[at->valid])
    snprintf(ins, sizeof ins, "%s%s%s group %u mask 0x%" PRIx64 " target 0x%" PRIx64 " next 0x%" PRIx64, kind[i.kind],
             i.set ? " set-sync" : "", i.pop ? " pop-sync" : "", i.group, (uint64_t)i.mask, i.target, i.next);
  if (in[at->reg] && in[at->reg_write]) snprintf(reg, sizeof reg, "; register 0x%03x = 0x%x", in[at->reg_addr], in[at->reg_data]);
  else if (in[at->reg]) snprintf(reg, sizeof reg, "; register 0x%03x read", in[at->reg_addr]);
  snprintf(to, room, "%s%s%s%s%s%s", in[at->rst] ? "reset; " : "", ins, reg,
           e->fake && in[at->ans] ? "; the stack answers" : "", e->l.status && in[e->front.shell.status_at.halt] ? "; halt" : "",
           e->l.status && in[e->front.shell.status_at.reset] ? "; reset of the unit" : "");
}

extern const struct simt_verif simt_verif_branch_unit;
const struct simt_verif simt_verif_branch_unit = {
  .block = &simt_block_branch_unit, .profiles = bu_profiles, .directed = bu_directed,
  .undrawn = (const char *const[]){"every_address", "every_bit", "many_errors", NULL},
  .choice_size = sizeof(struct bu_choice), .stuck_cycles = 4096,
  .create = bu_env_create, .destroy = bu_env_destroy, .restart = bu_env_restart, .choose = bu_env_choose,
  .drive = bu_env_drive, .observe = bu_env_observe, .progress = bu_env_progress, .coverage = bu_env_coverage,
  .explain = bu_env_explain,
};
