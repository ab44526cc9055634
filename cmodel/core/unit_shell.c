/* SPDX-License-Identifier: Apache-2.0 */
/* unit_shell.c: what every block carries to be a unit of a front end, cycle by cycle. */
#include "core/unit_shell.h"

void simt_shell_find(struct simt_unit_shell *s, const struct simt_config *cfg, unsigned status, uint32_t unit_type,
                     uint32_t cfg_hash, uint32_t ctx_max) {
  s->status = status;
  s->port.unit_type = unit_type;
  s->port.cfg_hash = cfg_hash;
  s->port.ctx_max = ctx_max;
  simt_reg_ports_bind(&s->reg_at, cfg);
  if (!status) return;
  s->status_at = simt_find_status_ports(cfg);
  s->ctx_at = simt_find_context_ports(cfg);
}

void simt_shell_reset(struct simt_unit_shell *s) {
  struct simt_unit_shell clean = {.status = s->status, .status_at = s->status_at, .ctx_at = s->ctx_at,
                                  .reg_at = s->reg_at, .port = s->port};
  *s = clean;
  simt_context_reset(&s->port);
}

void simt_shell_begin(struct simt_unit_shell *s, struct simt_context_unit u, const uint32_t *in) {
  simt_shell_begin_registers(s, in);
  s->to = (struct simt_context_to_unit){0};
  if (!s->status) return;
  s->unit = simt_shell_unit(s, u);
  s->to = simt_context_to_unit(&s->port, &s->unit, &s->ctx_at, in);
}

void simt_shell_end(struct simt_unit_shell *s, struct simt_unit_signals *signals, const struct simt_shell_says *says,
                    const uint32_t *in) {
  simt_shell_end_registers(s, in);
  if (!s->status) return;
  const struct simt_context_registers *r = &s->port.r;
  const bool wrong = s->wrong || says->wrong;
  signals->can_halt = s->unit.can_halt;
  signals->nack_write = says->nack_clear || r->commit || r->abort;
  signals->nack_value = r->commit && says->nack_load;
  s->clearing = simt_shell_clears(s) || (s->clearing && says->clears);
  s->wrong = r->load && (s->to.ld_taken ? wrong : s->wrong);
  simt_context_step(&s->port, &s->unit, wrong, &s->ctx_at, in);
  simt_status_step(&s->fsm, signals, &s->status_at, in);
  s->closed = s->fsm.halt_req || simt_shell_halted(s) || s->fsm.ctx_reset || s->clearing;
}

void simt_shell_outputs(const struct simt_unit_shell *s, struct simt_context_unit u, uint32_t *out) {
  simt_shell_output_registers(s, out);
  if (!s->status) return;
  u = simt_shell_unit(s, u);
  simt_status_outputs(&s->fsm, (enum simt_status_encoding)(s->status - 1), &s->status_at, out);
  simt_context_outputs(&s->port, &u, &s->ctx_at, out);
}

void simt_walk_step(struct simt_walk *w, const struct simt_walk_shape *shape, bool runs, bool moves, bool busy) {
  if (!runs) {
    *w = (struct simt_walk){0};
    return;
  }
  const bool turns = moves && simt_walk_ends(w, shape);
  w->settled = !turns && !busy;
  if (moves && w->section < shape->sections) w->word = turns ? 0 : w->word + 1;
  if (!turns || ++w->record < shape->records[w->section]) return;
  w->record = 0;
  w->section++;
}
