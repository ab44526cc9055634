/* SPDX-License-Identifier: Apache-2.0 */
/* directory.c: what an operation does with the entry of its line. */
#include <string.h>

#include "line_home/state.h"

int lh_find(const struct lh_model *m, uint64_t line) {
  const uint32_t first = lh_set_of(m, line) * LH_WAYS;
  for (uint32_t i = first; i < first + LH_WAYS; i++)
    if (m->entry[i].state != LH_FREE && m->entry[i].line == line) return (int)i;
  return -1;
}

static uint64_t bit(unsigned cache) { return (uint64_t)1 << cache; }

/* Round robin from the last owner + 1. */
static unsigned next_of(const struct lh_entry *e) {
  const uint64_t above = e->waits & ~(bit(e->owner) | (bit(e->owner) - 1));
  return (unsigned)__builtin_ctzll(above ? above : e->waits);
}

struct doing { struct lh_model *m; struct lh_entry *e; uint32_t at; bool send_ready; struct lh_act *act; };

static bool send(struct doing *d, struct lh_message message) {
  if (!d->send_ready || !d->m->s->out[message.target].room) return false;
  message.line = d->e->line;
  message.entry = d->at;
  d->act->send = true;
  d->act->message = message;
  return true;
}

static void come_again(struct doing *d) {
  if (!d->e->queued) d->act->token = true;
  d->act->token_entry = d->at;
  d->e->queued = true;
}

static void job(struct doing *d, bool write) {
  d->act->job = true;
  d->act->what = (struct lh_job){write, d->at, d->e->line};
}

static bool snoop(struct doing *d) {
  if (!send(d, (struct lh_message){.target = d->e->owner})) return false;
  d->m->s->n_snoops++;
  d->e->snooped = true;
  return true;
}

/* The line is here and nobody has it: to the next one, to memory, or forgotten. */
static void hand_on(struct doing *d) {
  struct lh_entry *e = d->e;
  e->state = LH_READY;
  e->snooped = false;
  if (!e->waits) {
    if (e->queued) return; /* its turn in the work queue comes */
    e->state = e->stale ? LH_WRITE : LH_FREE;
    if (e->stale) job(d, true);
    return;
  }
  const unsigned next = next_of(e);
  const uint64_t rest = e->waits & ~bit(next);
  if (!send(d, (struct lh_message){.fill = true, .after = rest != 0, .target = (uint8_t)next, .tag = e->tag[next]})) {
    come_again(d);
    return;
  }
  d->m->s->n_grants++;
  d->m->s->n_snoops += rest != 0;
  e->state = LH_OWNED;
  e->owner = (uint8_t)next;
  e->waits = rest;
  e->snooped = rest != 0;
}

/* Memory has no such line: one who waits for it is told. */
static void tell_error(struct doing *d) {
  struct lh_entry *e = d->e;
  const unsigned next = next_of(e);
  if (send(d, (struct lh_message){.error = true, .target = (uint8_t)next, .tag = e->tag[next]})) e->waits &= ~bit(next);
  e->state = e->waits ? LH_FAILED : LH_FREE;
  if (e->waits) come_again(d);
}

static void release(struct doing *d, const struct lh_op *op) {
  struct lh_fixed *s = d->m->s;
  const int at = lh_find(d->m, op->line);
  if (!op->last) return;
  if (at < 0 || d->m->entry[at].state != LH_OWNED || d->m->entry[at].owner != op->cache) {
    if (!s->bad) s->bad_line = op->line;
    s->bad += s->bad < UINT16_MAX;
    return;
  }
  d->at = (uint32_t)at;
  d->e = &d->m->entry[at];
  d->e->stale |= op->dirty;
  hand_on(d);
}

static void memory_done(struct doing *d, const struct lh_op *op) {
  struct lh_fixed *s = d->m->s;
  struct lh_entry *e = d->e;
  if (op->write) {
    e->stale = op->error && e->waits;
    if (op->error) {
      if (!s->lost) s->lost_line = e->line;
      s->lost += s->lost < UINT16_MAX;
    }
  } else if (op->error) {
    tell_error(d);
    return;
  }
  hand_on(d);
}

static void work(struct doing *d) {
  struct lh_entry *e = d->e;
  e->queued = false;
  if (e->state == LH_READY) hand_on(d);
  else if (e->state == LH_FAILED) tell_error(d);
  else if (e->state == LH_OWNED && !e->snooped && (e->waits & ~bit(e->owner)) && !snoop(d)) come_again(d);
}

static void hold(struct doing *d, const struct lh_op *op) {
  d->act->hold = true;
  d->m->s->retried += !op->retry;
}

static void fetch_new(struct doing *d, const struct lh_op *op) {
  struct lh_fixed *s = d->m->s;
  const uint32_t first = lh_set_of(d->m, op->line) * LH_WAYS;
  bool quiet = true;
  for (uint32_t i = first; i < first + LH_WAYS; i++) {
    struct lh_entry *e = &d->m->entry[i];
    if (e->state == LH_FREE) {
      *e = (struct lh_entry){.state = LH_READ, .owner = (uint8_t)(d->m->l.caches - 1), .waits = bit(op->cache), .line = op->line};
      e->tag[op->cache] = op->tag;
      d->e = e;
      d->at = i;
      job(d, false);
      s->n_fetches++;
      s->retried -= op->retry;
      return;
    }
    quiet &= e->state == LH_OWNED && !e->snooped;
  }
  hold(d, op);
  if (!quiet) return;
  s->recall = true;
  s->recall_entry = first + s->victim;
  s->victim = (s->victim + 1) % LH_WAYS;
}

static void fetch(struct doing *d, const struct lh_op *op) {
  const int at = lh_find(d->m, op->line);
  if (at < 0) {
    fetch_new(d, op);
    return;
  }
  d->at = (uint32_t)at;
  struct lh_entry *e = d->e = &d->m->entry[at];
  if (e->state == LH_FAILED) {
    hold(d, op);
    return;
  }
  e->waits |= bit(op->cache);
  e->tag[op->cache] = op->tag;
  d->m->s->n_fetches++;
  d->m->s->retried -= op->retry;
  if (e->state == LH_OWNED && !e->snooped && e->owner != op->cache && !snoop(d)) come_again(d);
}

void lh_act(struct lh_model *m, const struct lh_op *op, bool send_ready, struct lh_act *act) {
  *act = (struct lh_act){0};
  if (!op->valid) return;
  struct doing d = {.m = m, .e = &m->entry[op->entry], .at = op->entry, .send_ready = send_ready, .act = act};
  switch ((enum lh_kind)op->kind) {
  case LH_REL: release(&d, op); break;
  case LH_DONE: memory_done(&d, op); break;
  case LH_RECALL:
    if (d.e->state == LH_OWNED && !d.e->snooped && snoop(&d)) m->s->n_recalls++;
    break;
  case LH_WORK: work(&d); break;
  case LH_FETCH: fetch(&d, op); break;
  }
}
