/* SPDX-License-Identifier: Apache-2.0 */
/* model.c: cycle model of a line_home: the channels, the stages of the directory, messages and memory around it. */
#include "line_home/model.h"

#include <stdlib.h>
#include <string.h>

#include "line_home/state.h"

static const struct simt_fifo_kind queue = {LH_QUEUE, 1}, ahead = {LH_BEATS_AHEAD, 1};
enum stage { S2, S3, S4 };

/* What several parts of a cycle share; all of the state as it was when the cycle began. */
struct cycle {
  const uint32_t *in;
  struct lh_act act;
  struct lh_op issue, next;
  bool goes, rel_pop, done_pop, recall_pop, work_pop, held_pop, fetch_pop;
  bool beat, beat_dirty, beat_good, beat_last;
  uint32_t beat_entry;
  bool send_ready, read_free;
  unsigned done_slot;
};

/* ---- bits of vectors ------------------------------------------------------------------------------------- */

static uint64_t get_bits(const uint32_t *w, unsigned low, unsigned width) {
  uint64_t v = w[low / 32] >> low % 32;
  for (unsigned have = 32 - low % 32, i = low / 32 + 1; have < width; have += 32, i++) v |= (uint64_t)w[i] << have;
  return width < 64 ? v & (((uint64_t)1 << width) - 1) : v;
}

static void put_bits(uint32_t *w, unsigned low, unsigned width, uint64_t v) { /* the bits are 0 before */
  w[low / 32] |= (uint32_t)(v << low % 32);
  for (unsigned have = 32 - low % 32, i = low / 32 + 1; have < width; have += 32, i++) w[i] |= (uint32_t)(v >> have);
}

/* A bit for each cache. */
static inline uint64_t get_caches(const struct lh_model *m, const uint32_t *w) {
  return (m->l.caches > 32 ? w[0] | (uint64_t)w[1] << 32 : w[0]) & m->all_caches;
}

static bool get_bit(const uint32_t *w, unsigned i) { return w[i / 32] >> i % 32 & 1; }

/* ---- life -------------------------------------------------------------------------------------------------- */

static size_t place(size_t *size, size_t bytes) {
  const size_t at = *size;
  *size += (bytes + 15) & ~(size_t)15;
  return at;
}

/* The state is one piece of memory; words behind beats are for reading past the last one of a vector. */
static bool allocate(struct lh_model *m) {
  const struct lh_layout *l = &m->l;
  const size_t beat = m->data_words * sizeof(uint32_t);
  size_t size = 0;
  place(&size, sizeof *m->s);
  const size_t entry = place(&size, l->entries * sizeof *m->entry), line = place(&size, (size_t)l->entries * l->beats * beat);
  const size_t outgoing = place(&size, (size_t)l->caches * l->fifo * (beat + sizeof(uint32_t)));
  const size_t beats = place(&size, LH_BEATS_AHEAD * beat), work = place(&size, l->entries * sizeof *m->work_at);
  const size_t jobs = place(&size, l->entries * sizeof *m->job_at), ask = place(&size, beat), answer = place(&size, beat);
  char *p = calloc(1, size);
  if (!p) return false;
  m->size = size;
  m->s = (void *)p;
  m->entry = (void *)(p + entry);
  m->line = (void *)(p + line);
  m->outgoing = (void *)(p + outgoing);
  m->beat_data = (void *)(p + beats);
  m->work_at = (void *)(p + work);
  m->job_at = (void *)(p + jobs);
  m->ask_data = (void *)(p + ask);
  m->answer_data = (void *)(p + answer);
  return true;
}

void *lh_create(const struct simt_config *cfg, struct simt_diag *diag) {
  if (!simt_check_plain(cfg, diag)) return NULL;
  struct lh_model *m = calloc(1, sizeof *m);
  if (m) {
    m->cfg = cfg;
    lh_layout(cfg->value, &m->l);
    m->data_words = m->l.lanes;
    m->out_words = cfg->desc.out_words;
    m->all_slots = m->l.slots < 32 ? (UINT32_C(1) << m->l.slots) - 1 : UINT32_MAX;
    m->all_caches = m->l.caches < 64 ? (UINT64_C(1) << m->l.caches) - 1 : UINT64_MAX;
    lh_ports_bind(&m->at, cfg);
    simt_mem_ports_bind(&m->mem, cfg);
    if (allocate(m)) {
      lh_reset(m);
      return m;
    }
  }
  free(m);
  simt_fail(diag, cfg->name, "no memory", "memory for the model");
  return NULL;
}

void lh_destroy(void *model) {
  struct lh_model *m = model;
  if (!m) return;
  free(m->s);
  free(m);
}

/* What outlives it: the contents of RAMs, which nothing shows before they are written again. */
static void clear(struct lh_model *m) {
  *m->s = (struct lh_fixed){.selected = -1, .selected_last = m->l.caches - 1, .shown = m->s->shown, .settles = m->all_caches};
  simt_rr_clear(&m->s->fetches);
  for (unsigned i = 0; i < m->l.entries; i++) m->entry[i].state = LH_FREE, m->entry[i].queued = false;
}

void lh_reset(void *model) { clear(model); }

void lh_settle(void *model) {
  struct lh_model *m = model;
  simt_rr_clear(&m->s->fetches);
  m->s->selected = -1;
  m->s->selected_last = m->l.caches - 1;
  m->s->victim = 0;
  m->s->turn = false;
}

void lh_put_bad(void *model, unsigned count, uint64_t line) {
  struct lh_fixed *s = ((struct lh_model *)model)->s;
  s->bad = count;
  s->bad_line = line;
}

void lh_put_lost(void *model, unsigned count, uint64_t line) {
  struct lh_fixed *s = ((struct lh_model *)model)->s;
  s->lost = count;
  s->lost_line = line;
}

void lh_parts(void *model, struct simt_image *image) {
  struct lh_model *m = model;
  simt_image_part(image, m->s, m->size);
}

void lh_stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx) {
  const struct lh_fixed *s = ((const struct lh_model *)model)->s;
  visit(ctx, "fetches", s->n_fetches);
  visit(ctx, "grants", s->n_grants);
  visit(ctx, "snoops", s->n_snoops);
  visit(ctx, "recalls", s->n_recalls);
  visit(ctx, "lines_read", s->n_reads);
  visit(ctx, "lines_written", s->n_writes);
}

/* ---- outputs ------------------------------------------------------------------------------------------------ */

static struct simt_rr_kind fetch_kind(const struct lh_model *m) {
  return (struct simt_rr_kind){m->l.caches > 1 ? m->l.caches : 2, m->l.caches > 8 ? 2 : 1};
}

static uint32_t *outgoing(const struct lh_model *m, unsigned cache, unsigned at) {
  return &m->outgoing[((size_t)cache * m->l.fifo + at) * (1 + m->data_words)];
}

enum { FLAG_SNOOP = 1, FLAG_ERROR = 2, TAG_AT = 2 };

static void show_home(const struct lh_model *m, unsigned c, uint32_t *out) {
  const struct lh_out *o = &m->s->out[c];
  const uint32_t *beat = outgoing(m, c, o->fifo.head), bit = 1u << c % 32;
  out[m->at.home_valid + c / 32] |= bit;
  if (beat[0] & FLAG_SNOOP) out[m->at.home_snoop + c / 32] |= bit;
  if (beat[0] & FLAG_ERROR) out[m->at.home_error + c / 32] |= bit;
  put_bits(&out[m->at.home_tag], c * m->l.miss_w, m->l.miss_w, beat[0] >> TAG_AT);
  put_bits(&out[m->at.home_line], c * m->l.line_aw, m->l.line_aw, get_bits(&beat[1], 0, m->l.line_aw));
  memcpy(&out[m->at.home_data + c * m->data_words], &beat[1], m->data_words * sizeof *out);
}

static bool asking(const struct lh_fixed *s) { return s->asks && (!s->ask.write || s->have); }

void lh_outputs(const void *model, uint32_t *out) {
  const struct lh_model *m = model;
  const struct lh_fixed *s = m->s;
  memset(out, 0, m->out_words * sizeof *out);
  const int granted = simt_rr_grant(&s->fetches, fetch_kind(m));
  if (granted >= 0) out[m->at.fetch_ready + (unsigned)granted / 32] |= 1u << granted % 32;
  if (s->selected >= 0 && simt_fifo_ready(&s->beats, ahead)) out[m->at.rel_ready + (unsigned)s->selected / 32] |= 1u << s->selected % 32;
  for (uint64_t left = s->offers; left; left &= left - 1) show_home(m, (unsigned)__builtin_ctzll(left), out);
  if (asking(s)) {
    out[m->mem.req_valid] = 1;
    out[m->mem.req_write] = s->ask.write;
    out[m->mem.req_tag] = s->asks_slot << m->l.beat_lg | s->asks_beat;
    const uint64_t addr = (s->ask.line * m->l.beats + s->asks_beat) * 4 * m->l.lanes;
    put_bits(&out[m->mem.req_addr], 0, m->l.addr_w, addr);
    if (s->ask.write) {
      memcpy(&out[m->mem.req_data], m->ask_data, m->data_words * sizeof *out);
      for (unsigned i = 0; i < 4 * m->l.lanes; i++) out[m->mem.req_strb + i / 32] |= 1u << i % 32;
    }
  }
  out[m->mem.rsp_ready] = !s->answered;
  out[m->at.bad_count] = s->bad;
  put_bits(&out[m->at.bad_line], 0, m->l.line_aw, s->bad_line);
  out[m->at.lost_count] = s->lost;
  put_bits(&out[m->at.lost_line], 0, m->l.line_aw, s->lost_line);
  out[m->at.idle] = s->idle;
}

/* ---- directory ---------------------------------------------------------------------------------------------- */

static uint32_t *row(const struct lh_model *m, uint32_t at) { return &m->line[(size_t)at * m->data_words]; }

static bool clashes(const struct lh_model *m, const struct lh_op *op) {
  const bool by_line = op->kind == LH_REL || op->kind == LH_FETCH;
  const unsigned set = by_line ? lh_set_of(m, op->line) : op->entry / LH_WAYS;
  for (unsigned i = S2; i <= S4; i++) {
    const struct lh_op *o = &m->s->op[i];
    const bool o_by_line = o->kind == LH_REL || o->kind == LH_FETCH;
    if (!o->valid || (o->kind == LH_REL && !o->last)) continue;
    if ((o_by_line ? lh_set_of(m, o->line) : o->entry / LH_WAYS) == set) return true;
  }
  return false;
}

/* What comes next, beside releases. */
static struct lh_op choose(struct lh_model *m, struct cycle *c) {
  const struct lh_fixed *s = m->s;
  const bool held = simt_fifo_valid(&s->held), fetch_ok = held || (simt_fifo_valid(&s->fetch) && !s->retried);
  if (s->done) {
    c->done_slot = (unsigned)__builtin_ctz(s->done);
    const struct lh_slot *d = &s->slot[c->done_slot];
    c->done_pop = true;
    return (struct lh_op){.valid = true, .kind = LH_DONE, .entry = d->entry, .write = d->write, .error = d->error};
  }
  if (s->recall) {
    c->recall_pop = true;
    return (struct lh_op){.valid = true, .kind = LH_RECALL, .entry = s->recall_entry};
  }
  if (simt_fifo_valid(&s->work) && (s->turn || !fetch_ok)) {
    c->work_pop = true;
    return (struct lh_op){.valid = true, .kind = LH_WORK, .entry = m->work_at[s->work.head]};
  }
  if (!fetch_ok) return (struct lh_op){0};
  const struct lh_request *f = held ? &s->held_at[s->held.head] : &s->fetch_at[s->fetch.head];
  c->held_pop = held;
  c->fetch_pop = !held;
  return (struct lh_op){.valid = true, .kind = LH_FETCH, .line = f->line, .cache = f->cache, .tag = f->tag, .retry = held};
}

/* First stage: a release goes before what was chosen; either waits while one that changes its set is in front. */
static void issue(struct lh_model *m, struct cycle *c) {
  struct lh_fixed *s = m->s;
  const bool chooses = !s->next.valid, ready = s->cleared == m->l.sets;
  const struct lh_op next = chooses ? choose(m, c) : s->next;
  if (simt_fifo_valid(&s->release)) {
    const struct lh_beat *b = &s->release_at[s->release.head];
    c->issue = (struct lh_op){.valid = true, .kind = LH_REL, .line = b->line, .cache = b->cache, .dirty = b->dirty, .last = b->last};
    c->rel_pop = c->issue.valid = ready && !clashes(m, &c->issue);
  } else {
    c->issue = s->next;
    c->issue.valid = s->next.valid && ready && !clashes(m, &s->next);
    c->goes = c->issue.valid;
  }
  c->next = next;
  if (c->goes) c->next.valid = false;
}

/* Third stage: the data of a release are written where its owner had the line. */
static void look_at_beat(struct lh_model *m, struct cycle *c) {
  const struct lh_op *op = &m->s->op[S3];
  c->beat = op->valid && op->kind == LH_REL;
  if (!c->beat) return;
  const int at = lh_find(m, op->line);
  c->beat_last = op->last;
  c->beat_entry = at >= 0 ? (uint32_t)at : lh_set_of(m, op->line) * LH_WAYS;
  c->beat_dirty = op->dirty;
  c->beat_good = op->dirty && at >= 0 && m->entry[at].state == LH_OWNED && m->entry[at].owner == op->cache;
}

static void step_directory(struct lh_model *m, const struct cycle *c) {
  struct lh_fixed *s = m->s;
  if (s->cleared < m->l.sets) s->cleared++;
  if (c->work_pop) s->turn = false;
  if (c->fetch_pop || c->held_pop) s->turn = true;
  const struct lh_op *last = &s->op[S4];
  if (c->act.hold) s->held_at[simt_fifo_place(&s->held, queue)] = (struct lh_request){last->line, last->cache, last->tag};
  simt_fifo_step(&s->held, queue, c->act.hold, c->held_pop);
  const struct simt_fifo_kind all = {m->l.entries, 2};
  if (c->act.token) m->work_at[simt_fifo_place(&s->work, all)] = c->act.token_entry;
  simt_fifo_step(&s->work, all, c->act.token, c->work_pop);
  s->op[S4] = s->op[S3];
  s->op[S3] = s->op[S2];
  s->op[S2] = c->issue;
  s->next = c->next;
  if (c->beat_last) s->beat = 0;
  else if (c->beat) s->beat = (s->beat + 1) & (m->l.beats - 1);
}

/* ---- messages ----------------------------------------------------------------------------------------------- */

static void push_beat(struct lh_model *m, const struct lh_message *g, unsigned step) {
  struct lh_out *o = &m->s->out[g->target];
  uint32_t *beat = outgoing(m, g->target, simt_fifo_place(&o->fifo, (struct simt_fifo_kind){m->l.fifo, 1}));
  const bool data = g->fill && step < m->l.beats;
  beat[0] = (!data && !g->error ? FLAG_SNOOP : 0) | (g->error ? FLAG_ERROR : 0) | (uint32_t)g->tag << TAG_AT;
  if (data) {
    memcpy(&beat[1], row(m, m->s->shown), m->data_words * sizeof *beat);
    return;
  }
  memset(&beat[1], 0, m->data_words * sizeof *beat);
  simt_put64(&beat[1], g->line);
}

/* Pushes a beat and reads the next row; also settles the read port of the lines, which memory has when it is free. */
static void step_messages(struct lh_model *m, struct cycle *c) {
  struct lh_fixed *s = m->s;
  const struct lh_message *sent = c->act.send ? &c->act.message : NULL;
  const bool some = simt_fifo_valid(&s->messages);
  const bool direct = sent && !s->pushing && !some && (!sent->fill || (s->guessed && m->l.beats > 1));
  const bool push = s->pushing || direct;
  const struct lh_message now = direct ? *sent : s->pushed;
  const unsigned step = direct ? 0 : s->step, steps = now.fill ? m->l.beats + now.after : 1;
  const bool more = push && step + 1 < steps, start = !more && some;
  if (push) push_beat(m, &now, step);
  const uint64_t pops = get_caches(m, &c->in[m->at.home_ready]) & s->offers;
  const uint64_t puts = push ? UINT64_C(1) << now.target : 0, adds = sent ? UINT64_C(1) << sent->target : 0;
  uint64_t settles = pops | puts | adds; /* used changes: room_soon and room follow a cycle and two later */
  for (uint64_t left = s->settles | settles; left; left &= left - 1) {
    const unsigned i = (unsigned)__builtin_ctzll(left);
    struct lh_out *o = &s->out[i];
    const bool pop = pops >> i & 1, before = o->room_soon;
    settles |= (uint64_t)(o->room != before) << i;
    o->room = before;
    o->room_soon = o->used + 3 * (m->l.beats + 1) < m->l.fifo;
    settles |= (uint64_t)(o->room_soon != before) << i;
    if (adds >> i & 1) o->used += sent->fill ? m->l.beats + sent->after : 1;
    o->used -= pop;
    simt_fifo_step(&o->fifo, (struct simt_fifo_kind){m->l.fifo, 1}, puts >> i & 1, pop);
    s->offers = (s->offers & ~(UINT64_C(1) << i)) | (uint64_t)(o->fifo.level != 0) << i;
  }
  s->settles = settles;
  if (sent && !direct) s->message_at[simt_fifo_place(&s->messages, queue)] = *sent;
  const struct lh_message first = s->message_at[s->messages.head];
  simt_fifo_step(&s->messages, queue, sent && !direct, start);
  c->read_free = !more && !some && !c->beat_last;
  s->guessed = c->beat_last && !more && !some;
  s->pushing = more || start;
  s->pushed = more ? now : first;
  s->step = more ? step + 1 : 0;
  if (more) s->shown = lh_row(m, now.entry, (step + 1) & (m->l.beats - 1));
  else if (some) s->shown = lh_row(m, first.entry, 0);
  else if (c->beat_last) s->shown = lh_row(m, c->beat_entry, 0);
  else s->shown = lh_row(m, s->ask.entry, s->asks_beat);
}

/* ---- memory ------------------------------------------------------------------------------------------------- */

static void step_requests(struct lh_model *m, const struct cycle *c, uint32_t shown) {
  struct lh_fixed *s = m->s;
  const struct simt_fifo_kind all = {m->l.entries, 2};
  const bool asked = asking(s) && c->in[m->mem.req_ready], wants = s->asks && s->ask.write && !s->have && !s->got;
  const uint32_t room = ~s->busy & m->all_slots;
  const bool take = simt_fifo_valid(&s->jobs) && !s->asks && room;
  if (s->got) {
    memcpy(m->ask_data, row(m, shown), m->data_words * sizeof(uint32_t));
    s->have = true;
  }
  s->got = wants && c->read_free;
  if (asked) {
    s->have = false;
    s->asks_beat = (s->asks_beat + 1) & (m->l.beats - 1);
    if (!s->asks_beat) s->asks = false;
  }
  if (take) {
    s->ask = m->job_at[s->jobs.head];
    s->asks = true;
    const unsigned slot = (unsigned)__builtin_ctz(room);
    s->asks_slot = slot;
    s->busy |= UINT32_C(1) << slot;
    s->asks_beat = 0;
    s->slot[slot] = (struct lh_slot){.write = s->ask.write, .left = (uint8_t)m->l.beats, .entry = s->ask.entry};
    if (s->ask.write) s->n_writes++;
    else s->n_reads++;
  }
  if (c->act.job) m->job_at[simt_fifo_place(&s->jobs, all)] = c->act.what;
  simt_fifo_step(&s->jobs, all, c->act.job, take);
}

/* Answers come before requests in a cycle: the slot that one frees is taken in a later one. */
static void step_answers(struct lh_model *m, const struct cycle *c) {
  struct lh_fixed *s = m->s;
  const bool take = !s->answered && c->in[m->mem.rsp_valid];
  if (s->answered) {
    struct lh_slot *slot = &s->slot[s->answer_tag >> m->l.beat_lg];
    if (!c->beat_dirty || slot->write) {
      s->answered = false;
      const unsigned of = s->answer_tag >> m->l.beat_lg;
      if (s->busy >> of & 1) {
        if (!slot->write) memcpy(row(m, lh_row(m, slot->entry, s->answer_tag & (m->l.beats - 1))), m->answer_data, m->data_words * sizeof(uint32_t));
        slot->error |= s->answer_error;
        s->done |= (uint32_t)(--slot->left == 0) << of;
      }
    }
  }
  if (take) {
    s->answered = true;
    s->answer_tag = c->in[m->mem.rsp_tag] & simt_ones(m->l.mem_tag_w);
    s->answer_error = c->in[m->mem.rsp_error] != 0;
    memcpy(m->answer_data, &c->in[m->mem.rsp_data], m->data_words * sizeof(uint32_t));
  }
}

/* ---- channels in -------------------------------------------------------------------------------------------- */

static void step_fetches(struct lh_model *m, const struct cycle *c) {
  struct lh_fixed *s = m->s;
  const uint64_t wants = get_caches(m, &c->in[m->at.fetch_valid]);
  const int granted = simt_rr_grant(&s->fetches, fetch_kind(m));
  const bool put = granted >= 0 && wants >> granted & 1, enable = s->fetch.level < 2;
  if (put)
    s->fetch_at[simt_fifo_place(&s->fetch, queue)] = (struct lh_request){
      get_bits(&c->in[m->at.fetch_line], (unsigned)granted * m->l.line_aw, m->l.line_aw), (uint8_t)granted,
      (uint8_t)get_bits(&c->in[m->at.fetch_tag], (unsigned)granted * m->l.miss_w, m->l.miss_w)};
  simt_fifo_step(&s->fetch, queue, put, c->fetch_pop);
  simt_rr_step(&s->fetches, fetch_kind(m), wants, enable);
}

static void step_releases(struct lh_model *m, const struct cycle *c) {
  struct lh_fixed *s = m->s;
  const int from = s->selected;
  const bool put = from >= 0 && get_bit(&c->in[m->at.rel_valid], (unsigned)from) && simt_fifo_ready(&s->beats, ahead);
  const bool last = put && get_bit(&c->in[m->at.rel_last], (unsigned)from);
  if (put) {
    s->release_at[simt_fifo_place(&s->release, ahead)] = (struct lh_beat){
      get_bit(&c->in[m->at.rel_dirty], (unsigned)from), last, (uint8_t)from,
      get_bits(&c->in[m->at.rel_line], (unsigned)from * m->l.line_aw, m->l.line_aw)};
    memcpy(&m->beat_data[simt_fifo_place(&s->beats, ahead) * m->data_words], &c->in[m->at.rel_data + (unsigned)from * m->data_words],
           m->data_words * sizeof(uint32_t));
  }
  simt_fifo_step(&s->release, ahead, put, c->rel_pop);
  simt_fifo_step(&s->beats, ahead, put, c->beat);
  if (from >= 0 && !last) return;
  s->selected = -1;
  uint64_t offered = get_caches(m, &c->in[m->at.rel_valid]);
  if (from >= 0) offered &= ~(UINT64_C(1) << from);
  if (!offered) return;
  const uint64_t behind = offered & ~((UINT64_C(2) << s->selected_last) - 1);
  s->selected = __builtin_ctzll(behind ? behind : offered);
  s->selected_last = (unsigned)s->selected;
}

/* Words, operations, messages or accesses to memory that are under way or offered. */
static bool works(const struct lh_model *m, const uint32_t *in) {
  const struct lh_fixed *s = m->s;
  bool any = s->fetch.level || s->selected >= 0 || s->release.level || s->beats.level;
  any |= s->next.valid || s->op[S2].valid || s->op[S3].valid || s->op[S4].valid || s->recall || s->work.level || s->held.level || s->cleared < m->l.sets;
  any |= s->messages.level || s->pushing || s->jobs.level || s->asks || s->answered;
  any |= s->busy != 0 || (s->offers | get_caches(m, &in[m->at.fetch_valid]) | get_caches(m, &in[m->at.rel_valid])) != 0;
  return any;
}

void lh_step(void *model, const uint32_t *in) {
  struct lh_model *m = model;
  struct cycle c = {.in = in};
  if (in[m->at.rst]) {
    clear(m);
    return;
  }
  const uint32_t shown = m->s->shown;
  m->s->idle = !works(m, in);
  issue(m, &c);
  if (c.recall_pop) m->s->recall = false;
  look_at_beat(m, &c);
  lh_act(m, &m->s->op[S4], simt_fifo_ready(&m->s->messages, queue), &c.act);
  step_messages(m, &c);
  step_requests(m, &c, shown);
  step_answers(m, &c);
  if (c.beat_good) memcpy(row(m, lh_row(m, c.beat_entry, m->s->beat)), &m->beat_data[m->s->beats.head * m->data_words], m->data_words * sizeof(uint32_t));
  if (c.done_pop) {
    m->s->busy &= ~(UINT32_C(1) << c.done_slot);
    m->s->done &= ~(UINT32_C(1) << c.done_slot);
  }
  step_directory(m, &c);
  step_fetches(m, &c);
  step_releases(m, &c);
}
