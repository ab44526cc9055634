/* SPDX-License-Identifier: Apache-2.0 */
/* registers.c: what register reads must give: the golden model's state, where nothing has changed it between the
 * access and its answer. */
#include "branch_unit/env.h"

void bu_registers_reset(struct bu_env *e) {
  e->reg.valid = e->reg.waits = e->reg.shown = false;
  e->reg_group = 0;
}

static uint32_t word_of(bu_lanes v, uint32_t addr, uint32_t first) { return (uint32_t)(v >> 8 * (addr - first)); }

static uint32_t map_word(const struct bu_env *e, unsigned word, bool stopped) {
  uint32_t v = 0;
  for (unsigned i = 32 * word; i < e->l.threads && i < 32 * word + 32; i++)
    v |= (uint32_t)(stopped ? e->group[i].stopped : e->group[i].live) << i % 32;
  return v;
}

/* A load writes as its words come, but LIMIT and GROUP: of the others nothing is known until its end. */
static bool loads(const struct bu_env *e) { return e->reg.loaded || e->front.shell.doing == SIMT_FRONT_LOADING; }

/* A register of the selected group. 1: *value holds; 0: refused; -1: nothing can be said. */
static int group_register(const struct bu_env *e, uint32_t a, uint32_t *value) {
  const struct bu_group *g = &e->group[e->reg_group];
  bool known = g->live || g->stopped, steady = g->changes == e->reg.group_changes && !loads(e);
  uint32_t pc_end = e->l.pc_w > 32 ? 8 : 4, lanes_end = 4 * e->l.lane_words;
  bool is_wrong = g->stopped && g->error == BU_WRONG_KIND;
  *value = 0;
  if (a == BU_REG_GROUP_STATE) {
    *value = (uint32_t)g->live | (uint32_t)g->stopped << 1 | (uint32_t)g->synced << 2 | (uint32_t)g->busy << 3;
    return steady && g->busy == e->reg.was_busy ? 1 : -1;
  }
  if (a == BU_REG_DEPTH) {
    if (known) *value = g->depth;
    return steady && !g->busy && !e->reg.was_busy && !g->stopped ? 1 : -1;
  }
  if (a >= BU_REG_PC && a < BU_REG_PC + pc_end) *value = known ? word_of(g->now.pc, a, BU_REG_PC) : 0;
  else if (a >= BU_REG_MASK && a < BU_REG_MASK + lanes_end) *value = known ? word_of(g->now.mask, a, BU_REG_MASK) : 0;
  else if (a == BU_REG_ERROR_STATUS)
    *value = g->stopped ? (uint32_t)(is_wrong ? g->wrong.kind : 0) << 8 | (uint32_t)g->error_kind << 4 | (uint32_t)g->error : 0;
  else if (a >= BU_REG_ERROR_PC && a < BU_REG_ERROR_PC + pc_end)
    *value = is_wrong ? word_of(g->wrong.flow.pc, a, BU_REG_ERROR_PC) : 0;
  else if (a >= BU_REG_ERROR_MASK && a < BU_REG_ERROR_MASK + lanes_end)
    *value = is_wrong ? word_of(g->wrong.flow.mask, a, BU_REG_ERROR_MASK) : 0;
  else return 0;
  return steady ? 1 : -1;
}

static int read_value(const struct bu_env *e, uint32_t a, uint32_t *value) {
  bool steady = e->changes == e->reg.changes && !loads(e);
  uint32_t live = 0, stopped = 0;
  if (a & 3) return 0;
  for (unsigned w = 0; w < e->words; w++) live |= map_word(e, w, false), stopped |= map_word(e, w, true);
  switch (a) {
  case BU_REG_ID: *value = BU_ID; return 1;
  case BU_REG_STATUS:
    *value = (uint32_t)!live | (uint32_t)!!stopped << 1 | (uint32_t)e->error_recorded << 2;
    return steady && !e->errors_unsure ? 1 : -1;
  case BU_REG_LIMIT: *value = e->limit; return 1;
  case BU_REG_GROUP: *value = e->reg_group; return 1;
  case BU_REG_ERROR:
    *value = e->error_recorded ? UINT32_C(1) << 31 | (uint32_t)e->first_error.status << 16 |
                                 (uint32_t)e->first_error.ins.kind << 12 | e->first_error.ins.group : 0;
    return steady && !e->errors_unsure ? 1 : -1;
  case BU_REG_ERROR_COUNT: *value = e->error_count; return steady && !e->errors_unsure ? 1 : -1;
  default: break;
  }
  if (a >= BU_REG_LIVE && a < BU_REG_LIVE + 4 * e->words) *value = map_word(e, (a - BU_REG_LIVE) / 4, false);
  else if (a >= BU_REG_STOPPED && a < BU_REG_STOPPED + 4 * e->words) *value = map_word(e, (a - BU_REG_STOPPED) / 4, true);
  else return group_register(e, a, value);
  return steady ? 1 : -1;
}

static void cover_read(struct bu_env *e, uint32_t a) {
  const struct bu_group *g = &e->group[e->reg_group];
  bool flow = (a >= BU_REG_PC && a < BU_REG_ERROR_STATUS) || (a >= BU_REG_MASK && a < BU_REG_ERROR_MASK);
  if (flow && g->live) bu_hit(e, BU_COVER_MASK_READ);
  if (flow && g->live && g->busy && e->reg.was_busy) bu_hit(e, BU_COVER_MASK_BUSY);
  if (a >= BU_REG_ERROR_STATUS && a < BU_REG_MASK && g->stopped && g->error == BU_WRONG_KIND) bu_hit(e, BU_COVER_ERROR_TOKEN);
  if (a >= BU_REG_STOPPED && map_word(e, (a - BU_REG_STOPPED) / 4, true)) bu_hit(e, BU_COVER_STOPPED_READ);
}

/* A write that is answered in this cycle: from this cycle on it counts. */
static const char *check_write(struct bu_env *e, uint32_t a, bool refused) {
  uint32_t most = (uint32_t)e->l.max_depth, v = e->reg.now.data;
  bool good = a == BU_REG_LIMIT || a == BU_REG_ERROR || (a == BU_REG_GROUP && v < e->l.threads);
  if (good == refused) return bu_wrong(e, "a write of 0x%x to register 0x%03x is %s", v, a, refused ? "refused" : "taken");
  if (!good) return NULL;
  if (a == BU_REG_LIMIT) e->limit = v < most ? v : most;
  if (a == BU_REG_GROUP) e->reg_group = v;
  if (a == BU_REG_ERROR) {
    e->errors_unsure = e->changes != e->reg.changes;
    e->error_recorded = false;
    e->error_count = 0;
  }
  if (a == BU_REG_LIMIT) bu_hit(e, BU_COVER_LIMIT_WRITE);
  return NULL;
}

static const char *check_answer(struct bu_env *e, const uint32_t *out) {
  uint32_t a = e->reg.now.addr - e->reg_base, value = 0, got = out[e->at.reg_rsp_data];
  bool refused = out[e->at.reg_rsp_error];
  if (refused) bu_hit(e, BU_COVER_REFUSED);
  if (e->reg.now.write) return check_write(e, a, refused);
  int known = read_value(e, a, &value);
  if (refused != (known == 0)) return bu_wrong(e, "a read of register 0x%03x is %s", a, refused ? "refused" : "answered");
  cover_read(e, a);
  if (known == 1 && got != value) return bu_wrong(e, "register 0x%03x reads 0x%x, expected 0x%x", a, got, value);
  return NULL;
}

/* The limit of the block's own stack, whose register is not in the unit's map. While a context comes in, and until the stack's
 * part of one that is refused has ended, it reads as the limit that counts for what comes in. */
static const char *check_stack_limit(struct bu_env *e, const uint32_t *out) {
  enum { ENDS = 8 };
  const uint32_t most = (uint32_t)e->l.max_depth, got = out[e->at.reg_rsp_data], written = e->reg.now.data;
  if (e->reg.now.addr != BU_STACK_LIMIT || out[e->at.reg_rsp_error]) return NULL;
  if (e->reg.now.write) e->stack_limit = written < most ? written : most;
  else if (!loads(e) && e->cycle > e->front.clear_from + ENDS && got != e->stack_limit)
    return bu_wrong(e, "the limit of the stack reads %u, expected %u", got, e->stack_limit);
  return NULL;
}

const char *bu_registers_check(struct bu_env *e, const uint32_t *in, const uint32_t *out) {
  const char *wrong = NULL;
  if (out[e->at.reg_rsp]) {
    if (!e->reg.waits) return bu_wrong(e, "an answer of the register port without an access");
    if (e->reg.now.addr >= e->reg_base && e->reg.now.addr < e->reg_base + (1u << BU_REG_ADDR_W)) wrong = check_answer(e, out);
    else wrong = check_stack_limit(e, out);
    e->reg.waits = false;
  }
  if (in[e->at.reg] && out[e->at.reg_ready]) {
    const struct bu_group *g = &e->group[e->reg_group];
    struct bu_access access = {in[e->at.reg_write], (uint16_t)in[e->at.reg_addr], in[e->at.reg_data]};
    bool own = e->reg.want.write == access.write && e->reg.want.addr == access.addr; /* else the bus's */
    e->reg.now_alone = own && e->reg.alone;
    for (unsigned i = 0; access.write && access.addr == e->reg_base + BU_REG_LIMIT && i < e->l.threads; i++) {
      const struct bu_expected *x = &e->expected[i];
      if (e->group[i].busy && x->n_ops && x->op[0].kind == BU_PUSH) bu_hit(e, BU_COVER_LIMIT_PUSHING);
    }
    if (own) e->reg.valid = e->reg.shown = false;
    e->reg.now = access;
    e->reg.waits = true;
    e->reg.changes = e->changes;
    e->reg.group_changes = g->changes;
    e->reg.was_busy = g->busy;
    e->reg.loaded = e->front.shell.doing == SIMT_FRONT_LOADING;
  }
  return wrong;
}
