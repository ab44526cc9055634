/* SPDX-License-Identifier: Apache-2.0 */
/* l1.c: one SM's L1 in one cycle: reads that hit or wait in slots, requests to L2, rows written, the sweep. */
#include "const_cache/state.h"

static void pushes(const struct cc_model *m, struct cc_l1 *c, const struct cc_l1_stage *p, bool known, bool bad, bool locked) {
  c->slot[c->tail] = (struct cc_slot){.data = p->word, .addr = p->addr, .done = known, .error = bad, .locked = locked};
  c->wants |= (unsigned)!known << c->tail;
  c->tail = (c->tail + 1) & (m->l.reads - 1);
}

/* The oldest slot's answer, or that of the read which has just been compared. Returns whether it was the slot's. */
static bool answer(struct cc_l1 *c, const struct cc_l1_stage *p, bool direct, bool bad, unsigned reads) {
  const struct cc_slot *head = &c->slot[c->head];
  const bool pop = (c->held != 0) & head->done;
  const bool valid = direct | pop, error = (pop & head->error) | (direct & bad); /* not both */
  const uint64_t data = pop ? head->data : p->word;
  c->rsp.valid = valid;
  c->rsp.error = error;
  c->rsp.data = data & -(uint64_t)(valid & !error);
  c->head = (c->head + pop) & (reads - 1);
  return pop;
}

static void ask(struct cc_l1 *c, unsigned off, bool taken) {
  if (c->req.valid && !taken) return;
  c->req.valid = c->wants != 0;
  if (!c->wants) return;
  c->req.slot = (unsigned)__builtin_ctz(c->wants);
  c->req.addr = c->slot[c->req.slot].addr >> off;
  c->wants &= c->wants - 1;
}

static uint64_t show(unsigned sm, bool value) { return (uint64_t)value << sm; }

/* What L1s show, a bit for each. */
struct shown { uint64_t quiet, rd_ready, room, asks, answers, awake, sweeps, hit, miss, bad_sm, bad_addr, words, laundered; };

static inline void note_read(struct shown *s, const struct cc_l1_stage *p, bool hit, uint64_t bit) {
  s->hit |= bit & -(uint64_t)hit;
  s->miss |= bit & -(uint64_t)!(hit | p->bad_sm | p->bad_addr);
  s->bad_sm |= bit & -(uint64_t)p->bad_sm;
  s->bad_addr |= bit & -(uint64_t)p->bad_addr;
}

/* Conditions are put together by & and |, without branches: which way they would go follows random reads and writes.
 * What protocol copy, wide lines and a register behind the RAM add is known where it is called, so that the others do without,
 * and so is whether it `sweeps` only: nothing comes in or is under way but the sweep. */
static inline __attribute__((always_inline)) void step(struct cc_model *m, unsigned sm, const struct cc_wires *w, uint32_t addr, struct shown *o, const bool copy, const unsigned words, const bool registered, const bool sweeps) {
  const struct cc_controller *k = &m->s->k;
  const struct cc_answer *ans = &w->ans;
  struct cc_l1 *c = &m->l1[sm];
  const uint64_t bit = UINT64_C(1) << sm;
  const unsigned entries = m->l.l1_rows, low = entries - 1, off = words > 1 ? m->l.off_w : 0, shift = m->l1_shift, reads = m->l.reads, gens = 1u << m->l.gen_w;
  struct cc_l1_row *rows = m->l1_row + (size_t)sm * entries;
  uint64_t *held = m->l1_word + (size_t)sm * entries * words;
  const bool take = !sweeps && w->takes & bit, write = !sweeps && k->wr & bit, inval = !sweeps && k->inval & bit, clear = !sweeps && c->clear;
  const bool heard = !sweeps && (ans->valid & (ans->sm == sm)), arrives = heard & !ans->retry;
  const bool walk = copy && w->walk_takes & bit, walked = copy && w->walks & bit, launder = copy && w->launder;
  const unsigned epoch = copy ? w->epoch_gen : 0;
  const unsigned gen = c->gen;
  struct cc_l1_stage p = registered ? c->p2 : c->p1;
  if (sweeps) p.read = false;

  /* compare */
  const bool valid = p.row.valid & !p.collide, bad = p.bad_sm | p.bad_addr, same_gen = p.row.gen == gen;
  const bool locked = copy & valid & same_gen & (epoch != 0) & (p.row.epoch == epoch);
  const bool hit = valid & same_gen & (p.row.tag == p.addr >> shift) & !bad;
  const bool direct = p.read & (hit | bad) & !c->held, push = p.read & !direct;
  const unsigned reads_d = c->reads + take - (!sweeps && c->rsp.valid);
  const uint32_t fill_addr = sweeps ? 0 : c->slot[ans->slot].addr >> off;

  /* the write of this cycle */
  const bool writes = !sweeps && (write | c->fill.valid), swept = p.sweep & valid & ((!same_gen) | (c->pass_launders & (p.row.epoch != 0))), conflict = swept & writes;
  const uint32_t write_addr = write ? k->bc_addr : c->fill.addr;
  const bool we = clear | writes | swept;
  const uint32_t write_row = clear ? c->sweep : writes ? (write_addr & low) : (p.addr >> off & low);
  struct cc_l1_row row;
  if (clear) row = (struct cc_l1_row){0};
  else if (writes) row = (struct cc_l1_row){write_addr >> (shift - off), (uint16_t)gen, (uint8_t)(write ? epoch : 0), true};
  else row = same_gen ? (struct cc_l1_row){p.row.tag, p.row.gen, 0, true} : (struct cc_l1_row){0};

  /* read */
  const bool probe = c->sweeping & !c->sweep_all & !take & !walk;
  const uint32_t read_row = take ? (addr >> off & low) : walk ? w->walk_row : c->sweep;
  const bool steal = walked && take && c->lost == m->l.steal - 1;
  if (copy) c->lost = !walked || walk || steal ? 0 : c->lost + 1;
  if (copy) {
    c->word.valid = p.walk & locked;
    c->word.addr = p.row.tag * entries + (p.addr >> off & low);
    if (p.walk) c->word.data = registered ? c->walked2 : c->walked1;
  }
  if (registered) {
    c->p2 = c->p1;
    if (copy && c->p1.walk) c->walked2 = c->walked1;
    c->p2.sweep = c->p1.sweep & !conflict;
    c->p2.collide |= c->p1.sweep & we & (write_row == (c->p1.addr >> off & low)); /* must not be cleared */
  }
  c->p1.read = take; /* one by one: a struct built elsewhere would be read back in wider pieces */
  c->p1.walk = walk;
  c->p1.sweep = probe & !conflict;
  c->p1.collide = we & (write_row == read_row);
  c->p1.bad_sm = !(k->running & bit);
  c->p1.bad_addr = ((k->running & bit) != 0) & (addr >= m->l.constants);
  c->p1.addr = take ? addr : read_row << off;
  c->p1.row = rows[read_row];
  c->p1.word = held[take ? addr & (entries * words - 1) : 0];
  if (walk) cc_get_words(&c->walked1, &held[read_row * words], words);
  if (we) rows[write_row] = row;
  if (writes && !clear) cc_put_words(&held[write_row * words], write ? &k->bc_data : &c->fill.data, words);

  /* answers and slots */
  const bool pop = !sweeps && answer(c, &p, direct, bad, reads);
  if (arrives) {
    struct cc_slot *slot = &c->slot[ans->slot];
    slot->data = ans->data.word[slot->addr & (words - 1)];
    slot->done = true;
    slot->error = ans->error;
  }
  c->fill.valid = arrives && !ans->error && !c->slot[ans->slot].locked;
  c->fill.addr = fill_addr;
  if (arrives) cc_put_words(c->fill.data.word, &ans->data, words);
  if (!sweeps) ask(c, off, w->asked == (int)sm);
  if (push) pushes(m, c, &p, hit || bad, bad, locked);
  if (heard && ans->retry) c->wants |= 1u << ans->slot;
  c->held = c->held + push - pop;
  c->reads = reads_d;

  /* sweep */
  const bool ends = p.sweep & ((p.addr >> off & low) == entries - 1) & !conflict, sweeping = c->sweeping;
  const unsigned base = c->base;
  c->gen = (gen + inval) % gens;
  if (clear && c->sweep == entries - 1) c->clear = false;
  const bool more = launder && !c->laundered;
  c->laundered = launder && (c->laundered || (ends && c->pass_launders));
  if (!sweeping && (gen != base || more)) {
    c->sweeping = true;
    c->sweep_all = false;
  } else if (ends) {
    c->sweeping = false;
    c->base = c->sweep_gen;
  }
  if (conflict) {
    c->sweep = (p.addr >> off & low);
    c->sweep_all = false;
  } else if (clear || probe) {
    if (c->sweep == entries - 1) c->sweep_all = true;
    c->sweep = (c->sweep + 1) & low;
  }
  if (!sweeping) c->sweep_gen = gen;
  c->pass_launders = launder && (c->pass_launders || !sweeping); /* rows of the next epoch stay locked */

  /* registers that others see */
  o->quiet |= show(sm, !clear && !reads_d);
  o->rd_ready |= show(sm, !clear & (reads_d < reads) & !steal);
  o->room |= show(sm, ((c->gen + 1) & (gens - 1)) != base);
  if (p.read) note_read(o, &p, hit, bit);
  o->asks |= show(sm, c->req.valid);
  o->answers |= show(sm, c->rsp.valid);
  if (copy) {
    o->words |= show(sm, c->word.valid);
    o->laundered |= show(sm, c->laundered);
  }
  const bool reading = p.read | c->p1.read | c->p2.read | c->rsp.valid | c->fill.valid | ((c->held != 0) & c->slot[c->head].done) | ((c->wants != 0) & !c->req.valid);
  const bool walking = copy && (walked | p.walk | c->p1.walk | c->p2.walk | c->word.valid | launder | c->laundered);
  const bool cleans = p.sweep | c->p1.sweep | c->p2.sweep | clear | c->clear | sweeping | c->sweeping | (c->gen != base) | (c->base != base);
  o->awake |= show(sm, reading | walking | cleans);
  o->sweeps |= show(sm, !(reading | walking | clear | c->clear));
}

/* A word for an L1 in which nothing else happens. */
static void put_word(struct cc_model *m, unsigned sm, unsigned epoch) {
  const struct cc_controller *k = &m->s->k;
  const uint32_t rows = m->l.l1_rows, row = sm * rows + (k->bc_addr & (rows - 1));
  m->l1_row[row] = (struct cc_l1_row){k->bc_addr >> (m->l1_shift - m->l.off_w), (uint16_t)m->l1[sm].gen, (uint8_t)epoch, true};
  cc_put_words(&m->l1_word[(size_t)row * m->l.words], &k->bc_data, m->l.words);
}

static uint32_t get_field(const uint32_t *w, unsigned low, unsigned width) {
  uint64_t both = w[low / 32];
  if (low % 32 + width > 32) both |= (uint64_t)w[low / 32 + 1] << 32;
  return (uint32_t)(both >> low % 32 & cc_ones(width));
}

/* An L1 that waits for what comes from outside is left alone; what it shows stays. */
void cc_l1_step(struct cc_model *m, const struct cc_wires *w, const uint32_t *in) {
  struct cc_state *s = m->s;
  const bool copy = m->l.protocol == CC_COPY, registered = m->l.l1_lat == 3;
  const unsigned words = m->l.words;
  uint64_t comes = w->takes | s->k.inval | w->walks | (w->launder ? cc_ones(m->l.sms) : 0);
  if (w->ans.valid) comes |= UINT64_C(1) << w->ans.sm;
  if (w->asked >= 0) comes |= UINT64_C(1) << w->asked;
  uint64_t steps = s->awake | comes;
  const uint64_t only = s->sweeps & ~comes & ~s->k.wr;
  const uint64_t rest = ~steps;
  struct shown o = {.quiet = s->quiet & rest, .rd_ready = s->rd_ready & rest, .room = s->room & rest, .asks = s->asks & rest, .answers = s->answers & rest};
  for (uint64_t left = s->k.wr & ~steps; left; left &= left - 1) put_word(m, (unsigned)__builtin_ctzll(left), copy ? w->epoch_gen : 0);
  for (; steps; steps &= steps - 1) {
    const unsigned sm = (unsigned)__builtin_ctzll(steps);
    const uint32_t addr = w->takes >> sm & 1 ? get_field(in, sm * m->l.const_w, m->l.const_w) : 0;
    if (words > 1 || !registered) step(m, sm, w, addr, &o, copy, words, registered, false);
    else if (copy && only >> sm & 1) step(m, sm, w, 0, &o, true, 1, true, true);
    else if (copy) step(m, sm, w, addr, &o, true, 1, true, false);
    else if (only >> sm & 1) step(m, sm, w, 0, &o, false, 1, true, true);
    else step(m, sm, w, addr, &o, false, 1, true, false);
  }
  s->quiet = o.quiet;
  s->rd_ready = o.rd_ready;
  s->room = o.room;
  s->asks = o.asks;
  s->answers = o.answers;
  s->awake = o.awake;
  s->sweeps = o.sweeps;
  s->hit = o.hit;
  s->miss = o.miss;
  s->bad_sm = o.bad_sm;
  s->bad_addr = o.bad_addr;
  s->words = o.words;
  s->laundered = o.laundered;
}
