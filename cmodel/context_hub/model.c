/* SPDX-License-Identifier: Apache-2.0 */
/* model.c: the cycle model of context_hub (docs/context_hub.md). */
#include <stdlib.h>
#include <string.h>

#include "context_hub/layout.h"
#include "core/context_port.h"
#include "core/ports.h"

enum hub_phase { CLEAR, IDLE, LOOK, JUDGE, MOVE };
enum { MOST_RING = 64, MOST_STAGES = 6, LENGTH = 3 /* word of an image */, HEAD_END = 4 };
enum hub_stat { N_COMMANDS, N_ERRORS, N_SAVED, N_RESTORED, N_STALLS, N_STATS };

struct said { bool valid, last, done; uint8_t error; uint32_t data; }; /* by a unit */

struct hub_state {
  enum hub_phase phase;
  bool load, local, cmd, given, go; /* cmd: offered to the unit; given: it has taken it */
  uint32_t unit, slot;
  uint64_t addr;
  struct said mux[MOST_STAGES];
  bool said, unit_done, ended, too_long, failed;  /* of this command; said: the unit has ended; ended: its last word said so */
  uint8_t unit_error;
  bool done;
  uint8_t error;
  int64_t left;        /* save: words that still fit; restore: requests to make, or words of a slot */
  uint32_t in, out;    /* save: words into the ring; words out of it */
  uint32_t asked;      /* requests taken */
  uint64_t busy;       /* by tag: taken and not answered */
  bool head;           /* the word at the ring's end has been read and may go */
  bool first, sum;     /* save to memory: the magic word, the checksum enters the ring */
  bool magic_came, magic_lost; /* restore: the magic word is to be compared; memory failed at it */
  bool waits, fresh, judged, sum_lost; /* restore: the last word waits; a word is not in the checksum yet; the checksum is there */
  bool req, offer, cut;
  bool word_last;
  uint8_t word_error, index;
  uint32_t word, crc;
  uint32_t rest;       /* restore: words of payload and checksum that have not left the ring */
  uint32_t at;         /* local: word of the slot, or the slot that is being cleared */
  uint32_t ring[MOST_RING];
  bool ring_bad[MOST_RING];
  uint64_t stat[N_STATS];
};

#define HUB_PORTS(PORT) \
  PORT(rst, rst_i) PORT(valid, hub_valid_i) PORT(ready, hub_ready_o) PORT(load, hub_load_i) \
  PORT(unit, hub_unit_i) PORT(slot, hub_slot_i) PORT(base, hub_base_i) PORT(done, hub_done_o) \
  PORT(error, hub_error_o) PORT(cmd_valid, ctx_cmd_valid_o) PORT(cmd_load, ctx_cmd_load_o) \
  PORT(cmd_ready, ctx_cmd_ready_i) PORT(ctx_done, ctx_done_i) PORT(ctx_error, ctx_error_i) \
  PORT(out_valid, ctx_out_valid_i) PORT(out_ready, ctx_out_ready_o) PORT(out_data, ctx_out_data_i) \
  PORT(out_last, ctx_out_last_i) PORT(in_valid, ctx_in_valid_o) PORT(in_ready, ctx_in_ready_i) \
  PORT(in_data, ctx_in_data_o) PORT(in_last, ctx_in_last_o) PORT(in_error, ctx_in_error_o) \
  PORT(req_valid, mem_req_valid_o) PORT(req_ready, mem_req_ready_i) PORT(req_write, mem_req_write_o) \
  PORT(req_tag, mem_req_tag_o) PORT(req_addr, mem_req_addr_o) PORT(req_data, mem_req_data_o) \
  PORT(req_strb, mem_req_strb_o) PORT(rsp_valid, mem_rsp_valid_i) PORT(rsp_ready, mem_rsp_ready_o) \
  PORT(rsp_tag, mem_rsp_tag_i) PORT(rsp_data, mem_rsp_data_i) PORT(rsp_error, mem_rsp_error_i)
SIMT_PORTS(hub_places, HUB_PORTS)

struct hub {
  const struct simt_config *cfg;
  struct hub_state s;
  struct hub_layout l;
  struct hub_places p;
  uint32_t *words;     /* of all local slots */
  uint32_t *stored;    /* by slot and unit: number of the last word; 0: empty */
  uint32_t n_slots;
};

void *hub_create(const struct simt_config *cfg, struct simt_diag *diag) {
  if (!simt_check_plain(cfg, diag)) return NULL;
  struct hub *m = calloc(1, sizeof *m);
  if (m) {
    m->cfg = cfg;
    m->l = hub_layout(cfg->value, (unsigned)simt_derived(cfg, "UNIT_COUNT"));
    m->n_slots = m->l.slots * m->l.units;
    m->words = calloc((size_t)m->n_slots * m->l.local_words + 1, sizeof *m->words);
    m->stored = calloc(m->n_slots + 1, sizeof *m->stored);
  }
  if (!m || !m->words || !m->stored) {
    simt_fail(diag, cfg->name, "no memory", "memory for the model");
    hub_destroy(m);
    return NULL;
  }
  hub_places_bind(&m->p, cfg);
  hub_reset(m);
  return m;
}

void hub_destroy(void *model) {
  struct hub *m = model;
  if (!m) return;
  free(m->words);
  free(m->stored);
  free(m);
}

void hub_reset(void *model) {
  struct hub *m = model;
  uint64_t stat[N_STATS];
  memcpy(stat, m->s.stat, sizeof stat);
  memset(&m->s, 0, sizeof m->s);
  memcpy(m->s.stat, stat, sizeof stat);
  m->s.phase = m->n_slots ? CLEAR : IDLE;
}

static uint32_t mask(const struct hub *m) { return m->l.inflight - 1; }
static uint32_t place(const struct hub *m) { return (m->s.slot - 1) * m->l.units + m->s.unit; }
static uint64_t addr_mask(const struct hub *m) { return ~UINT64_C(3) & ~UINT64_C(0) >> (64 - m->l.addr_w); }
static bool of_unit(const struct hub *m, const uint32_t *in, unsigned port) {
  return m->s.unit < m->l.units && in[port + m->s.unit / 32] >> m->s.unit % 32 & 1;
}

/* ---- the parts of a cycle: each of the state alone and the inputs -------------------------------------- */

static bool local_load(const struct hub_state *s) { return s->load && s->local; }
static bool memory_load(const struct hub_state *s) { return s->load && !s->local; }

/* Whether the word at this place of the ring (or slot) may be offered in the cycle after next. */
static bool may_go(const struct hub *m, uint32_t at) {
  const struct hub_state *s = &m->s;
  if (local_load(s)) return s->left - (at - s->out) > 0;
  return at != (s->load ? s->asked : s->in) && !(s->busy >> (at & mask(m)) & 1);
}

static uint32_t head_word(const struct hub *m) {
  const struct hub_state *s = &m->s;
  if (local_load(s)) return m->words[place(m) * m->l.local_words + s->at];
  return s->ring[s->load ? s->out & mask(m) : s->out % m->l.ring];
}

/* Whether the stream of a restore ends with the word at the head: the last one of a slot, one that could not be read, or a
 * length that cannot be. */
static bool head_ends(const struct hub *m, uint32_t word) {
  const struct hub_state *s = &m->s;
  const uint32_t most = (UINT32_C(1) << (m->l.stride_lg - 2)) - SIMT_CONTEXT_HEAD - SIMT_IMAGE_FRAME;
  if (local_load(s)) return s->left == 1;
  return s->ring_bad[s->out & mask(m)] || (s->index == LENGTH && word > most);
}

static enum simt_context_error verdict(const struct hub_state *s) {
  if (s->unit_error) return (enum simt_context_error)s->unit_error;
  if (!s->load && (s->too_long || !s->ended)) return SIMT_CONTEXT_BAD_LENGTH;
  return s->failed ? SIMT_CONTEXT_BAD_MEMORY : SIMT_CONTEXT_GOOD;
}

static void finish(struct hub_state *s, enum simt_context_error error) {
  s->phase = IDLE;
  s->done = true;
  s->error = (uint8_t)error;
  s->stat[N_COMMANDS]++;
  s->stat[N_ERRORS] += error != SIMT_CONTEXT_GOOD;
}

static void begin(struct hub *m) {
  struct hub_state *s = &m->s;
  s->phase = MOVE;
  s->local = s->slot != 0;
  s->cmd = !s->load || s->local; /* else when the magic word was right */
  s->first = !s->load && !s->local;
  s->given = s->said = s->unit_done = s->ended = s->too_long = s->failed = s->cut = s->waits = s->judged = s->magic_came = false;
  s->crc = ~UINT32_C(0);
  s->unit_error = s->index = 0;
  s->in = s->out = s->asked = s->at = 0;
  if (s->local) s->left = s->load ? m->stored[place(m)] + 1 : m->l.local_words;
  else s->left = s->load ? HEAD_END : 1 << (m->l.stride_lg - 2);
  if (s->local && !s->load) m->stored[place(m)] = 0;
}

static void before_the_move(struct hub *m, const uint32_t *in) {
  struct hub_state *s = &m->s;
  const struct hub_places *p = &m->p;
  switch (s->phase) {
    case CLEAR:
      m->stored[s->at] = 0;
      if (++s->at == m->n_slots) s->phase = IDLE;
      break;
    case IDLE:
      if (!in[p->valid]) break;
      s->phase = LOOK;
      s->load = in[p->load];
      s->unit = in[p->unit];
      s->slot = in[p->slot] & 3;
      s->addr = (m->l.addr_w > 32 ? simt_get64(&in[p->base]) : in[p->base]) & addr_mask(m);
      break;
    case LOOK:
      s->addr = (s->addr + ((uint64_t)s->unit << m->l.stride_lg)) & addr_mask(m);
      s->phase = JUDGE;
      break;
    default:
      if (s->unit >= m->l.units) finish(s, SIMT_CONTEXT_BAD_UNIT);
      else if (s->slot > m->l.slots || (s->load && s->slot && !m->stored[place(m)])) finish(s, SIMT_CONTEXT_BAD_SLOT);
      else begin(m);
  }
}

/* A word enters the ring, or the slot. */
static void enter(struct hub *m, uint32_t word, bool last) {
  struct hub_state *s = &m->s;
  if (!s->left) {
    s->too_long = true;
    return;
  }
  s->left--;
  if (s->local) {
    m->words[place(m) * m->l.local_words + s->at] = word;
    if (!last) s->at++;
  } else {
    s->ring[s->in % m->l.ring] = word;
    s->ring_bad[s->in++ % m->l.ring] = false;
  }
}

enum leaving { NOTHING, MAGIC_WORD, A_WORD, CHECKSUM, DROPPED }; /* what the word at the head is, if it leaves */
struct now {
  bool cmd_taken, req_taken, in_taken, asks, ends_stream, ends_payload, unreadable;
  enum leaving leaves;
  uint32_t word;
};

static enum leaving leaving(const struct hub_state *s, bool room) {
  if (!s->head) return NOTHING;
  if (!s->load && s->failed) return DROPPED;
  if (s->cut) return NOTHING;
  if (memory_load(s) && s->index == 0) return MAGIC_WORD;
  if (s->waits) return s->fresh || s->judged ? NOTHING : CHECKSUM;
  return room && !s->cmd && !s->magic_came ? A_WORD : NOTHING;
}

static struct now look(const struct hub *m, const uint32_t *in) {
  const struct hub_state *s = &m->s;
  struct now n = {.cmd_taken = s->cmd && of_unit(m, in, m->p.cmd_ready),
                  .req_taken = s->req && in[m->p.req_ready],
                  .in_taken = s->offer && of_unit(m, in, m->p.in_ready)};
  n.leaves = leaving(s, s->load ? !s->offer || n.in_taken : !s->req || n.req_taken);
  if (s->head) {
    n.word = head_word(m);
    n.unreadable = memory_load(s) && s->ring_bad[s->out & mask(m)];
    n.ends_stream = s->load && head_ends(m, n.word);
    n.ends_payload = memory_load(s) && !n.ends_stream && (s->index == LENGTH ? !n.word : s->index > LENGTH && s->rest == 2);
  }
  const uint32_t under_way = s->asked + s->req - s->out;
  n.asks = memory_load(s) && !s->cut && under_way < m->l.inflight && s->left > s->req;
  return n;
}

/* The word at the head leaves for the unit, or for memory. */
static void move_word(struct hub *m, const struct now *n) {
  struct hub_state *s = &m->s;
  s->word = n->word;
  s->word_last = n->ends_stream;
  s->word_error = n->unreadable ? SIMT_STREAM_BAD_MEMORY : SIMT_STREAM_GOOD;
  if (!s->load) return;
  s->waits = n->ends_payload;
  if (s->index == LENGTH) s->rest = n->word + 1;
  else if (s->index > LENGTH) s->rest--;
  if (memory_load(s) && s->index == LENGTH && !n->ends_stream) s->left = (int64_t)n->word + 1;
  if (s->index < HEAD_END) s->index++;
  if (n->ends_stream) s->cut = true;
}

/* The magic word of a restore is there, and is compared in the next cycle. */
static void take_magic(struct hub_state *s, const struct now *n) {
  s->word = n->word;
  s->magic_lost = n->unreadable;
  s->index = 1;
}

/* The unit gets its command, or there is nothing for it. */
static void judge_magic(struct hub_state *s) {
  if (!s->magic_lost && s->word == SIMT_IMAGE_MAGIC) {
    s->cmd = true;
    return;
  }
  s->said = s->unit_done = s->cut = true;
  s->unit_error = s->magic_lost ? SIMT_CONTEXT_BAD_MEMORY : SIMT_CONTEXT_BAD_MAGIC;
}

/* The last word of a restore is offered, with what is known of the image. */
static void offer_last(struct hub_state *s) {
  s->word_last = true;
  s->word_error = (uint8_t)((s->sum_lost ? SIMT_STREAM_BAD_MEMORY : 0) | (s->crc != ~UINT32_C(0) ? SIMT_STREAM_BAD_SUM : 0));
  s->cut = true;
  s->waits = false;
}

static void answer(struct hub *m, const uint32_t *in) {
  struct hub_state *s = &m->s;
  const uint32_t tag = in[m->p.rsp_tag] & mask(m);
  s->busy &= ~(UINT64_C(1) << tag);
  if (in[m->p.rsp_error]) s->failed = true;
  if (!s->load) return;
  s->ring[tag] = in[m->p.rsp_data];
  s->ring_bad[tag] = in[m->p.rsp_error] != 0;
}

/* A save: what the unit brings, and the frame of an image around it. */
static void take_words(struct hub *m, const struct said *a, bool brings) {
  struct hub_state *s = &m->s;
  if (brings) {
    s->ended = a->last;
    s->crc = simt_crc32_word(s->crc, a->data);
    enter(m, a->data, a->last);
  } else if (s->first) {
    s->crc = simt_crc32_word(s->crc, SIMT_IMAGE_MAGIC);
    enter(m, SIMT_IMAGE_MAGIC, false);
  } else if (s->sum) {
    const bool spoilt = s->unit_error || s->too_long || !s->ended;
    enter(m, spoilt ? s->crc : ~s->crc, false);
    s->unit_done = true;
  }
}

/* A restore: the checksum over the words that have left the ring. */
static void sum_up(struct hub_state *s, const struct now *n) {
  if (n->leaves == CHECKSUM) {
    s->crc ^= n->word;
    s->sum_lost = n->unreadable;
  } else if (s->fresh) {
    s->crc = simt_crc32_word(s->crc, s->word);
  }
  s->fresh = n->leaves == MAGIC_WORD || n->leaves == A_WORD;
}

static void move(struct hub *m, const uint32_t *in) {
  struct hub_state *s = &m->s;
  const struct now n = look(m, in);
  const struct said *a = &s->mux[m->l.stages - 1];
  const bool hears = s->given && !s->said, unit_ends = a->done && hears, brings = a->valid && hears;
  const bool ends = s->unit_done && !s->busy && !s->req && (s->load || s->out == s->in), pops = n.leaves != NOTHING;
  const bool head = may_go(m, s->out + pops), judged = s->judged;
  const bool go = !s->load && !s->cmd && s->in - s->out <= m->l.ring - m->l.stages - 3;
  s->stat[N_STALLS] += (s->offer && !n.in_taken) || (s->req && !n.req_taken);
  if (ends) {
    const enum simt_context_error error = verdict(s);
    if (s->local && !s->load && !error) m->stored[place(m)] = s->at;
    s->stat[s->load ? N_RESTORED : N_SAVED] += !error;
    finish(s, error);
  }
  s->req = (s->req && !n.req_taken) || (s->load ? n.asks : n.leaves == A_WORD);
  s->offer = s->load && !unit_ends && ((s->offer && !n.in_taken) || (n.leaves == A_WORD && !n.ends_payload) || (judged && !s->cut));
  if (n.req_taken) {
    s->busy |= UINT64_C(1) << (s->asked++ & mask(m));
    s->addr = (s->addr + 4) & addr_mask(m);
    if (s->load) s->left--;
  }
  if (s->load) sum_up(s, &n);
  s->judged = n.leaves == CHECKSUM && !unit_ends;
  if (judged) offer_last(s);
  if (n.cmd_taken) s->cmd = false, s->given = true;
  if (n.leaves == A_WORD) move_word(m, &n);
  if (s->magic_came) judge_magic(s);
  s->magic_came = n.leaves == MAGIC_WORD;
  if (s->magic_came) take_magic(s, &n);
  if (pops) s->out++;
  if (local_load(s) && pops) s->left--, s->at++;
  if (!s->load) take_words(m, a, brings);
  s->first = false;
  s->sum = unit_ends && !s->load && !s->local;
  if (unit_ends) {
    s->said = true;
    s->unit_done = s->load || s->local;
    s->unit_error = a->error;
    s->waits = false;
    if (s->load) s->cut = true;
  }
  s->head = head;
  s->go = go;
}

/* What the selected unit says in this cycle. */
static struct said listen(const struct hub *m, const uint32_t *in) {
  const struct hub_places *p = &m->p;
  const uint32_t u = m->s.unit;
  if (u >= m->l.units) return (struct said){0};
  struct said a = {.valid = m->s.go && of_unit(m, in, p->out_valid), .last = of_unit(m, in, p->out_last),
                   .done = of_unit(m, in, p->ctx_done), .data = in[p->out_data + u]};
  for (unsigned i = 0, at = 3 * u; i < 3; i++, at++)
    a.error = (uint8_t)(a.error | (in[p->ctx_error + at / 32] >> at % 32 & 1) << i);
  return a;
}

void hub_step(void *model, const uint32_t *in) {
  struct hub *m = model;
  struct hub_state *s = &m->s;
  if (in[m->p.rst]) {
    hub_reset(m);
    return;
  }
  const struct said first = listen(m, in);
  s->done = false;
  if (s->phase == MOVE) {
    move(m, in);
  } else {
    before_the_move(m, in);
    s->head = s->go = false;
  }
  if (in[m->p.rsp_valid]) answer(m, in);
  for (unsigned i = m->l.stages; --i;) s->mux[i] = s->mux[i - 1];
  s->mux[0] = first;
}

/* ---- outputs, images, statistics ------------------------------------------------------------------------ */

static void put_unit(const struct hub *m, uint32_t *out, unsigned port, bool value) {
  memset(&out[port], 0, (m->l.units + 31) / 32 * sizeof *out);
  if (value && m->s.unit < m->l.units) out[port + m->s.unit / 32] = UINT32_C(1) << m->s.unit % 32;
}

void hub_outputs(const void *model, uint32_t *out) {
  const struct hub *m = model;
  const struct hub_state *s = &m->s;
  const struct hub_places *p = &m->p;
  out[p->ready] = s->phase == IDLE;
  out[p->done] = s->done;
  out[p->error] = s->error;
  put_unit(m, out, p->cmd_valid, s->cmd);
  out[p->cmd_load] = s->load;
  put_unit(m, out, p->out_ready, s->go);
  put_unit(m, out, p->in_valid, s->offer);
  out[p->in_data] = s->word;
  out[p->in_last] = s->word_last;
  out[p->in_error] = s->word_error;
  out[p->req_valid] = s->req;
  out[p->req_write] = s->req && !s->load;
  out[p->req_tag] = s->asked & mask(m);
  out[p->req_addr] = (uint32_t)s->addr;
  if (m->l.addr_w > 32) out[p->req_addr + 1] = (uint32_t)(s->addr >> 32);
  out[p->req_data] = s->word;
  out[p->req_strb] = 0xf;
  out[p->rsp_ready] = 1;
}

void hub_parts(void *model, struct simt_image *image) {
  struct hub *m = model;
  simt_image_part(image, &m->s, sizeof m->s);
  simt_image_part(image, m->words, (size_t)m->n_slots * m->l.local_words * sizeof *m->words);
  simt_image_part(image, m->stored, m->n_slots * sizeof *m->stored);
}

void hub_stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx) {
  static const char *const name[N_STATS] = {"commands", "refused", "saved", "restored", "stalled_cycles"};
  for (unsigned i = 0; i < N_STATS; i++) visit(ctx, name[i], ((const struct hub *)model)->s.stat[i]);
}
