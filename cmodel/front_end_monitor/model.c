/* SPDX-License-Identifier: Apache-2.0 */
/* model.c: the cycle model of front_end_monitor: life, ports, and the order in which a step is made. */
#include <stdlib.h>
#include <string.h>

#include "front_end_monitor/ops.h"

void fem_reset(void *model) {
  struct fem_model *m = model;
  memset(&m->s, 0, sizeof m->s);
  fem_registers_reset(&m->s.regs, &m->l);
  m->s.stats.clearing = true;
  for (unsigned k = 0; k < m->l.deads; k++) m->s.dead[k].fresh = true;
}

void *fem_create(const struct simt_config *cfg, struct simt_diag *diag) {
  if (!simt_check_plain(cfg, diag)) return NULL;
  struct fem_model *m = calloc(1, sizeof *m);
  struct simt_topology t;
  bool good = m && simt_topology_make(cfg, &t, diag);
  if (good) {
    m->cfg = cfg;
    fem_layout(cfg, &t, &m->l);
    fem_ports_bind(&m->p, cfg);
    m->desc = &cfg->desc;
    fem_reset(m);
  }
  if (m) simt_topology_free(&t);
  if (good) return m;
  free(m);
  simt_fail(diag, cfg->name, "no memory", "memory for the model");
  return NULL;
}

void fem_destroy(void *model) { free(model); }

void fem_outputs(const void *model, uint32_t *out) {
  const struct fem_model *m = model;
  const struct fem_ports *p = &m->p;
  const struct fem_walk *w = &m->s.walk;
  const struct fem_regs *r = &m->s.regs;
  unsigned words = (m->l.commands + 31) / 32;
  memset(&out[p->halt], 0, words * sizeof *out);
  for (unsigned c = 0; c < m->l.conns; c++)
    for (unsigned i = fem_first_command(&m->l, c); i < fem_end_command(&m->l, c); i++)
      if (fem_under_halt(&m->s.domain[m->l.domain[c]])) fem_set(&out[p->halt], i);
  memcpy(&out[p->reset], m->s.reset, words * sizeof *out);
  memcpy(&out[p->resume], m->s.resume, words * sizeof *out);
  out[p->hub_valid] = w->state == FEM_OFFER;
  out[p->hub_load] = w->load;
  out[p->hub_unit] = w->unit;
  out[p->hub_slot] = w->slot;
  out[p->hub_base] = (uint32_t)w->base;
  if (m->l.addr_w > 32) out[p->hub_base + 1] = (uint32_t)(w->base >> 32);
  out[p->irq] = (r->irq & r->enable) != 0;
  out[p->reg_ready] = !r->busy;
  out[p->rsp_valid] = r->rsp_valid;
  out[p->rsp_data] = r->rsp_data;
  out[p->rsp_error] = r->rsp_error;
}

static uint32_t field(const uint32_t *from, unsigned at, unsigned width) {
  uint64_t two = from[at / 32];
  if (at % 32 + width > 32) two |= (uint64_t)from[at / 32 + 1] << 32;
  return (uint32_t)(two >> at % 32) & ((1u << width) - 1);
}

/* halted and empty as the sequence sees them: single wires, or the AND of two. One by one those that have passed are told
 * apart: they halt a second time. */
static void decode(struct fem_model *m, const uint32_t *in) {
  const struct fem_ports *p = &m->p;
  struct fem_events *e = &m->e;
  bool halted[FEM_DOMAINS_MAX], again[FEM_DOMAINS_MAX], empty[FEM_DOMAINS_MAX];
  memset(halted, 1, sizeof halted);
  memset(again, 1, sizeof again);
  memset(empty, 1, sizeof empty);
  for (unsigned c = 0; c < m->l.conns; c++) {
    uint32_t code = m->now.code[c] = field(&in[p->state], c * m->l.state_w, m->l.state_w);
    m->now.halted[c] = m->l.encoding == 0 ? code & 16 : m->l.encoding == 1 ? (code & 10) == 10 : (code & 4) != 0;
    m->now.empty[c] = m->l.encoding == 0 ? code & 1 : m->l.encoding == 1 ? (code & 3) == 3 : code == 0;
    m->now.flag[c].progress = fem_bit(&in[p->progress], c);
    m->now.flag[c].waiting = fem_bit(&in[p->waiting], c);
    m->now.flag[c].gather = fem_bit(&in[p->gather], c);
    m->now.flag[c].nack = fem_bit(&in[p->nack], c);
    const bool works = m->s.walk.conn == c && (m->s.walk.state == FEM_RESETS || m->s.walk.state == FEM_END);
    m->now.passed[c] = m->l.each && (m->s.stored[c] || works);
    halted[m->l.domain[c]] &= m->now.halted[c] || m->now.passed[c];
    again[m->l.domain[c]] &= m->now.halted[c] || !m->now.passed[c];
    empty[m->l.domain[c]] &= m->now.empty[c];
  }
  for (unsigned d = 0; d < m->l.domains; d++) {
    e->all_halted[d] = m->s.halted[d] >> m->l.levels & 1; /* levels + 1 cycles ago */
    e->again_halted[d] = m->s.again[d] >> m->l.levels & 1;
    e->all_empty[d] = m->s.empty[d] >> m->l.levels & 1;
    m->s.halted[d] = (uint8_t)(m->s.halted[d] << 1 | halted[d]);
    m->s.again[d] = (uint8_t)(m->s.again[d] << 1 | again[d]);
    m->s.empty[d] = (uint8_t)(m->s.empty[d] << 1 | empty[d]);
  }
}

/* Dead domains: a connection that only gathers is resumed in place of a reset, by the first action only (US-10). With one
 * command connection that holds when all that waited in the domain are such. */
static bool spared(const struct fem_model *m, unsigned conn) {
  const struct fem_events *e = &m->e;
  unsigned k = m->l.dead[conn];
  bool some = false;
  for (unsigned c = m->l.each ? conn : 0; c < (m->l.each ? conn + 1 : m->l.conns); c++) {
    if (m->l.dead[c] != k) continue;
    bool only = m->now.gathered[c] && !e->acted[k];
    if (m->now.waited[c] && !only) return false;
    some |= only;
  }
  return some;
}

/* Commands of the next cycle, and the connections that were late. */
static void command(struct fem_model *m) {
  struct fem_state *s = &m->s;
  const struct fem_events *e = &m->e;
  memset(s->reset, 0, sizeof s->reset);
  memset(s->resume, 0, sizeof s->resume);
  for (unsigned c = 0; c < m->l.conns; c++) {
    unsigned d = m->l.domain[c], k = m->l.dead[c];
    bool late = s->domain[d].what == FEM_DO_DRAIN ? !m->now.empty[c] : !m->now.halted[c];
    late &= m->now.passed[c] ? e->again_expire[d] : e->expire[d];
    bool all = e->reset_late[d] && (!m->l.each || late);
    if (e->expire[d] || e->again_expire[d]) s->late[c] = late;
    s->lost[c] |= all;
    if (e->start[d]) s->late[c] = s->lost[c] = false;
    all |= e->reset_all[d] && !m->l.each;
    bool spares = e->dead[k] && e->action[k] >= FEM_RESET_MASK && spared(m, c);
    for (unsigned i = fem_first_command(&m->l, c); i < fem_end_command(&m->l, c); i++) {
      bool one = m->l.each && e->reset_one && e->walk_domain == d && e->reset_which == i;
      bool resolve = e->dead[k] && (e->action[k] == FEM_RESET_ALL || (e->action[k] == FEM_RESET_MASK && fem_bit(s->mask, i)));
      if (all || one || (resolve && !spares)) fem_set(s->reset, i);
      if ((e->dead[k] && e->action[k] == FEM_RESUME && m->now.gathered[c]) || (resolve && spares)) fem_set(s->resume, i);
    }
  }
}

void fem_step(void *model, const uint32_t *in) {
  struct fem_model *m = model;
  if (in[m->p.rst]) {
    fem_reset(m);
    return;
  }
  memset(&m->e, 0, sizeof m->e);
  decode(m, in);
  fem_walk_look(m, in);
  fem_registers_look(m);
  fem_stats_look(m);
  const struct fem_look look = m->s.stats.look;
  fem_deadlocks(m);
  fem_stats_step(m);
  fem_domains(m);
  command(m);
  fem_walk_step(m);
  fem_registers_step(m, &look, in);
  m->s.now++;
}

void fem_parts(void *model, struct simt_image *image) {
  struct fem_model *m = model;
  simt_image_part(image, &m->s, sizeof m->s);
}

void fem_stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx) {
  const struct fem_model *m = model;
  uint64_t seen = 0, resolved = 0;
  for (unsigned k = 0; k < m->l.deads; k++) seen += m->s.dead[k].seen, resolved += m->s.dead[k].resolved;
  visit(ctx, "cycles", m->s.regs.cycle);
  visit(ctx, "deadlocks", seen);
  visit(ctx, "deadlocks_resolved", resolved);
}
