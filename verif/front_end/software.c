/* SPDX-License-Identifier: Apache-2.0 */
/* software.c: the software of front_end's environment: one register access at a time; sets up commands, watches
 * domains, aborts or retries what stopped. What it knows of the registers' values is what was answered. */
#include <stdio.h>
#include <string.h>

#include "front_end/env.h"

void fe_software_restart(struct fe_env *e) {
  memset(e->run, 0, sizeof e->run);
  e->n_queue = e->selected = e->idle = 0;
  e->offered = e->waiting = e->under_way = e->mine = false;
}

static void push(struct fe_env *e, bool write, uint32_t addr, uint32_t data) {
  if (e->n_queue < FE_QUEUE) e->queue[e->n_queue++] = (struct fe_access){write, addr, data};
}

/* A bank's base in memory: images of all units, one after another. */
static uint32_t base_of(const struct fe_env *e, unsigned bank) {
  return bank < FE_MEMORY_BANKS ? (uint32_t)(bank * e->topology.units) << e->stride_lg : 0;
}

static unsigned bank_of(const struct fe_env *e, unsigned number) {
  number %= e->banks + e->slots;
  return number < e->banks ? number : FE_MEMORY_BANKS + number - e->banks;
}

static void set_up(struct fe_env *e, unsigned domain, unsigned command, unsigned save, unsigned load) {
  const unsigned save_slot = save < FE_MEMORY_BANKS ? 0 : save - FE_MEMORY_BANKS + 1;
  const unsigned load_slot = load < FE_MEMORY_BANKS ? 0 : load - FE_MEMORY_BANKS + 1;
  push(e, true, FEM_REG_DOMAIN, domain);
  push(e, true, FEM_REG_SAVE_BASE, base_of(e, save));
  push(e, true, FEM_REG_LOAD_BASE, base_of(e, load));
  push(e, true, FEM_REG_SLOTS, save_slot | load_slot << 8);
  push(e, true, FEM_REG_COMMAND, command);
}

static void begin(struct fe_env *e, uint32_t op) {
  const unsigned domain = (op >> 4 & 0xff) % e->topology.domains, number = op >> 24, command = (op >> 12 & 15) % 5 + FEM_SWITCH;
  switch ((op & 15) % FE_OPS) {
    case FE_OP_POLL:
      push(e, true, FEM_REG_DOMAIN, domain);
      push(e, false, FEM_REG_STATUS, 0);
      break;
    case FE_OP_COMMAND:
      if (e->run[domain].open) {
        push(e, true, FEM_REG_DOMAIN, domain);
        push(e, false, FEM_REG_STATUS, 0);
      } else {
        set_up(e, domain, command, bank_of(e, op >> 16 & 15), bank_of(e, op >> 20 & 15));
      }
      break;
    case FE_OP_SECOND: /* refused while one runs; abort and retry are refused when none does */
      push(e, true, FEM_REG_DOMAIN, domain);
      if (e->run[domain].open) push(e, true, FEM_REG_COMMAND, number & 1 ? FEM_ABORT : FEM_SAVE);
      break;
    case FE_OP_IRQ:
      push(e, true, FEM_REG_IRQ_ENABLE, number & 0x7f);
      push(e, true, FEM_REG_IRQ_STATUS, 0x7f);
      break;
    case FE_OP_WINDOW:
      push(e, true, FEM_REG_DEAD, number % e->topology.dead_domains);
      push(e, true, FEM_REG_DEAD_POLICY, op >> 12 & 0x7f);
      push(e, true, FEM_REG_MASK, op >> 16);
      push(e, true, FEM_REG_WINDOW, number & 8 ? 16 + number : 0);
      break;
    case FE_OP_READ: push(e, false, (op >> 12 & 0xff) << 2, 0); break;
    default: break;
  }
}

void fe_software_drive(struct fe_env *e, uint32_t op, uint32_t *in) {
  if (!e->n_queue && !e->waiting) begin(e, op);
  e->offered = e->n_queue && !e->waiting;
  in[e->in.reg_valid] = e->offered;
  in[e->in.reg_write] = e->queue[0].write;
  in[e->in.reg_addr] = e->queue[0].addr;
  in[e->in.reg_data] = e->queue[0].data;
}

/* Behind an error: abort, retry, another image, or none. */
static void go_on(struct fe_env *e, const struct fe_run *r) {
  const unsigned how = e->cycle >> 2 & 7, save_slot = r->save_bank < FE_MEMORY_BANKS ? 0 : r->save_bank - FE_MEMORY_BANKS + 1;
  if (how == 6) {
    push(e, true, FEM_REG_LOAD_BASE, base_of(e, (unsigned)(e->cycle >> 5) % e->banks));
    push(e, true, FEM_REG_SLOTS, save_slot);
  }
  push(e, true, FEM_REG_COMMAND, how == 6 ? FEM_DO_RESTORE : how == 7 ? FEM_EMPTY : how & 1 ? FEM_RETRY : FEM_ABORT);
}

static const char *ended(struct fe_env *e, uint32_t status) {
  const unsigned domain = e->selected, stage = status & 7, code = status >> 8 & 15;
  struct fe_run *r = &e->run[domain];
  if (!r->open) return NULL;
  if (stage == FEM_STOP) {
    if (!r->error_seen) fe_hit(e, e->loads[0] || r->command == FEM_DO_RESTORE ? FE_COVER_RESTORE_ERROR : FE_COVER_STORE_ERROR);
    const char *wrong = r->excused ? NULL : fe_golden_end(e, domain, code);
    r->error_seen = true;
    go_on(e, r);
    return wrong;
  }
  if (stage != FEM_IDLE) return NULL;
  r->open = false;
  e->done++;
  if (code == FEM_ABORTED) fe_hit(e, FE_COVER_ABORTED);
  return fe_golden_end(e, domain, code);
}

/* What an access that was taken without an error means. */
static const char *accepted(struct fe_env *e, const struct fe_access *a, uint32_t data) {
  struct fe_run *r = &e->run[e->selected];
  if (!a->write) return a->addr == FEM_REG_STATUS ? ended(e, data) : NULL;
  if (a->addr == FEM_REG_DOMAIN) e->selected = a->data;
  if (a->addr == FEM_REG_SAVE_BASE) r->save_bank = a->data / (e->topology.units << e->stride_lg);
  if (a->addr == FEM_REG_LOAD_BASE) r->load_bank = a->data / (e->topology.units << e->stride_lg);
  if (a->addr == FEM_REG_SLOTS && (a->data & 3)) r->save_bank = FE_MEMORY_BANKS + (a->data & 3) - 1;
  if (a->addr == FEM_REG_SLOTS && (a->data >> 8)) r->load_bank = FE_MEMORY_BANKS + (a->data >> 8) - 1;
  if (a->addr != FEM_REG_COMMAND) return NULL;
  if (a->data == FEM_RETRY) fe_hit(e, FE_COVER_RETRIED);
  if (a->data >= FEM_ABORT) return NULL;
  r->open = true;
  r->command = (enum fem_command)a->data;
  for (unsigned d = 0; d < e->topology.domains; d++)
    if (d != e->selected && e->run[d].open) fe_hit(e, FE_COVER_TWO_DOMAINS);
  fe_golden_begin(e, e->selected);
  return NULL;
}

const char *fe_software_observe(struct fe_env *e, const uint32_t *in, const uint32_t *out) {
  const char *wrong = NULL;
  if (e->under_way && out[e->out.reg_rsp]) {
    const struct fe_access a = e->taken;
    e->under_way = false;
    if (e->mine) {
      e->waiting = false;
      memmove(e->queue, e->queue + 1, --e->n_queue * sizeof *e->queue);
    }
    if (!out[e->out.reg_rsp_error]) wrong = accepted(e, &a, out[e->out.reg_rsp_data]);
    else if (a.addr == FEM_REG_COMMAND && e->run[e->selected].open) fe_hit(e, FE_COVER_REFUSED);
  }
  if (in[e->in.reg_valid] && out[e->out.reg_ready]) {
    /* Behind a bus there are accesses of others, too: what counts is what is taken. */
    e->taken = (struct fe_access){in[e->in.reg_write] != 0, in[e->in.reg_addr], in[e->in.reg_data]};
    e->under_way = true;
    e->mine = e->offered && e->taken.write == e->queue[0].write && e->taken.addr == e->queue[0].addr &&
              (!e->taken.write || e->taken.data == e->queue[0].data);
    e->waiting |= e->mine;
  }
  return wrong;
}
