/* SPDX-License-Identifier: Apache-2.0 */
/* registers.c: registers and counters of the tracker model. */
#include "tracker/cycle.h"

typedef struct trk_model model;

/* Of what came in, and is not of a context. */
static void count_packet(uint8_t *event, const struct trk_cycle *c) {
  const struct trk_packet *p = c->p;
  event[TRK_N_LG] = c->wave && p->class == TRK_LG;
  event[TRK_N_TEX] = c->wave && p->class == TRK_TEX;
  event[TRK_N_RAY] = c->wave && p->class == TRK_RAY;
  event[TRK_N_STATE] = c->state;
  event[TRK_N_TOKEN] = c->token;
  event[TRK_N_FAST] = p->fast;
  event[TRK_N_REFUSED] = c->refusal != 0;
}

/* Tests that failed; of a path without its turn: none. */
static void count_commits(uint8_t *event, const struct trk_cycle *c) {
  const struct trk_path_cycle *lg = &c->path[0], *tex = &c->path[1];
  const bool lg_fast = lg->fails_fast, tex_fast = tex->fails_fast && !tex->fails_state;
  event[TRK_N_PARK_FAST] = (uint8_t)((lg->pick && lg_fast) + (tex->pick && tex_fast));
  event[TRK_N_PARK_STATE] = tex->pick && tex->fails_state;
  event[TRK_N_WAIT_FAST] = ((lg->run || lg->resume) && lg_fast) || ((tex->run || tex->resume) && tex_fast);
  event[TRK_N_WAIT_STATE] = (tex->run || tex->resume) && tex->fails_state;
}

void trk_count_events(model *m, const struct trk_cycle *c) {
  struct trk_run *r = &m->r;
  const struct trk_packet *p = c->p;
  unsigned next = (r->scan + 1) % TRK_WORDS;
  bool clears = r->clearing && r->first;
  r->counter[r->scan] = clears ? 0 : r->counter[r->scan] + r->adding;
  r->adding = r->gathered[next];
  for (unsigned i = 0; i < TRK_WORDS; i++) r->gathered[i] = (uint8_t)(r->gathered[i] + r->event[i]);
  r->gathered[next] = r->event[next];
  memset(r->event, 0, TRK_WORDS);
  if (!c->loads && (p->valid || p->fast)) count_packet(r->event, c);
  if (!(c->sleeps[0] & c->sleeps[1])) count_commits(r->event, c);
  uint8_t *event = r->event;
  const bool full = r->pool == m->l.entries, early = r->early != 0;
  for (unsigned i = 0; i < m->l.pops; i++) event[TRK_N_POP] = (uint8_t)(event[TRK_N_POP] + c->pop[i].pops);
  event[TRK_N_CLOSE] = p->valid & (p->op == TRK_CLOSE);
  event[TRK_N_ALLOC] = c->alloc;
  event[TRK_N_ALLOC_REFUSED] = c->alloc_refusal != 0;
  event[TRK_N_CHECK] = r->c[3].valid;
  event[TRK_N_WASTED] = (uint8_t)c->wasted;
  event[TRK_N_FULL] = full;
  event[TRK_N_FULL_EARLY] = full & early;
  event[TRK_N_EARLY] = c->left & (trk_leave(m, 0)->entry != r->head);
  event[TRK_N_EARLY_CYCLES] = early;
  event[TRK_N_WAIT_GROUP] = (r->drain[0].active & r->drain[0].waits) | (r->drain[1].active & r->drain[1].waits);
  event[TRK_N_WAIT_MODE] = r->change;
  event[TRK_N_AGES_FULL] = m->l.free_list && r->ages == m->l.ages;
  if (clears) {
    memset(event, 0, TRK_WORDS);
    memset(r->gathered, 0, TRK_WORDS);
    r->adding = 0;
  }
  r->scan = next;
  if (r->pool > r->high) r->high = r->pool;
}

static bool read_register(const struct trk_run *r, uint32_t *v) {
  switch (r->addr) {
  case TRK_REG_ID: *v = TRK_ID; return true;
  case TRK_REG_MODE: *v = r->mode; return true;
  case TRK_REG_SPLIT: *v = r->split; return true;
  case TRK_REG_GROUP: *v = r->group_set; return true;
  case TRK_REG_STATUS: *v = (uint32_t)r->wants_change << 1 | !r->pool; return true;
  case TRK_REG_USED: *v = r->pool; return true;
  case TRK_REG_HIGH: *v = r->high; return true;
  default: *v = 0; return false;
  }
}

static bool write_register(const model *m, struct trk_run *r, bool *setting) {
  uint32_t v = r->data;
  *setting = true;
  switch (r->addr) {
  case TRK_REG_MODE: if (v < 1 || v > 4) return false; r->mode = v; return true;
  case TRK_REG_SPLIT: if (v < 1 || v > m->l.queues - 1) return false; r->split = v; return true;
  case TRK_REG_GROUP: if (v < 1 || v > m->l.group_max) return false; r->group_set = v; return true;
  default: *setting = false; return false;
  }
}

struct trk_shown trk_show_registers(const model *m) {
  const struct trk_run *r = &m->r;
  struct trk_shown shown = {.scan = r->scan};
  shown.count = r->counter[r->scan];
  shown.known = r->busy && read_register(r, &shown.value);
  return shown;
}

void trk_step_registers(model *m, const uint32_t *in, const struct trk_cycle *c, const struct trk_shown *shown) {
  struct trk_run *r = &m->r;
  if (!in[m->at.reg] && !r->busy) {
    r->rsp = r->refused = false;
    r->wants_change &= !c->change_take;
    return;
  }
  bool taken = in[m->at.reg] && !r->busy, executes = r->busy && !r->counts, good = false, setting = false;
  bool comes = r->counts && (r->addr >> 2 & 31) == shown->scan;
  r->rsp = executes || comes;
  if (comes || r->counts) {
    r->rsp_data = shown->count;
    r->rsp_error = false;
  } else {
    if (executes && r->write) good = write_register(m, r, &setting);
    r->rsp_data = r->write ? 0 : shown->value;
    r->rsp_error = r->write ? !good : !shown->known;
  }
  r->refused = executes && r->write && setting && !good;
  r->wants_change = (executes && r->write && good) || (r->wants_change && !c->change_take);
  bool counter = !in[m->at.reg_write] && in[m->at.reg_addr] & 0x80 && !(in[m->at.reg_addr] & 3) &&
                 (in[m->at.reg_addr] >> 2 & 31) < TRK_COUNTERS;
  r->busy = taken || (r->counts && !comes);
  r->counts = taken ? counter : r->counts && !comes;
  if (!taken) return;
  r->write = in[m->at.reg_write];
  r->addr = (uint8_t)in[m->at.reg_addr];
  r->data = in[m->at.reg_data];
}
