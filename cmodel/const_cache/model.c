/* SPDX-License-Identifier: Apache-2.0 */
/* model.c: the cycle model of const_cache: its memory, ports, a cycle of all parts. */
#include "const_cache/model.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "const_cache/state.h"

/* The pieces of the state, one behind the other. */
static size_t lay_out(struct cc_model *m, char *base) {
  const struct cc_layout *l = &m->l;
  const size_t entries = l->protocol == CC_BACKUP ? l->sets * l->ways : 0;
  size_t at = sizeof(struct cc_state);
  m->s = (struct cc_state *)(void *)base;
  m->l1 = (struct cc_l1 *)(void *)(base + at);
  at += l->sms * sizeof *m->l1;
  m->l1_word = (uint64_t *)(void *)(base + at);
  at += (size_t)l->sms * l->l1_entries * sizeof *m->l1_word;
  m->l2_word = (uint64_t *)(void *)(base + at);
  at += l->l2_entries * sizeof *m->l2_word;
  m->l1_row = (struct cc_l1_row *)(void *)(base + at);
  at += (size_t)l->sms * l->l1_rows * sizeof *m->l1_row;
  m->l2_row = (struct cc_l2_row *)(void *)(base + at);
  at += l->l2_rows * sizeof *m->l2_row;
  m->entry = (struct cc_entry *)(void *)(base + at);
  at += entries * sizeof *m->entry;
  m->locked = (struct cc_locked *)(void *)(base + at);
  return at + (l->protocol == CC_COPY ? l->l1_rows : 0) * sizeof *m->locked;
}

void *cc_create(const struct simt_config *cfg, struct simt_diag *diag) {
  if (!simt_check_plain(cfg, diag)) return NULL;
  struct cc_model *m = calloc(1, sizeof *m);
  char *base = NULL;
  char none[1];
  if (m) {
    m->cfg = cfg;
    cc_layout(cfg->value, &m->l);
    m->size = lay_out(m, none);
    base = calloc(1, m->size);
  }
  if (!base) {
    free(m);
    simt_fail(diag, cfg->name, "no memory", "memory for the model");
    return NULL;
  }
  lay_out(m, base);
  cc_places_bind(&m->at, cfg);
  simt_shell_find(&m->s->u.shell, cfg, m->l.status, CC_UNIT_TYPE, m->l.cfg_hash, m->l.ctx_max);
  if (m->l.status) cc_context_find(m);
  m->mask_words = (m->l.codes + 63) / 64;
  m->hazard_rows = m->l.l2_rows - 1;
  if (m->l.protocol == CC_BACKUP && m->l.sets < m->l.l2_rows) m->hazard_rows = m->l.sets - 1;
  m->l1_shift = simt_clog2(m->l.l1_entries);
  m->l2_shift = simt_clog2(m->l.l2_rows);
  m->set_shift = simt_clog2(m->l.sets);
  m->line_words = simt_find_port(cfg, "cmd_data_i")->words;
  m->rsp_words = simt_find_port(cfg, "rsp_data_o")->words;
  cc_reset(m);
  return m;
}

void cc_destroy(void *model) {
  struct cc_model *m = model;
  if (!m) return;
  free(m->s);
  free(m);
}

void cc_reset(void *model) {
  struct cc_model *m = model;
  const struct simt_unit_shell shell = m->s->u.shell;
  memset(m->s, 0, m->size); /* the rows, too: nothing is read until the hardware has cleared its own */
  struct cc_controller *k = &m->s->k;
  m->s->u.shell = shell;
  simt_shell_reset(&m->s->u.shell);
  m->s->room = m->s->awake = cc_ones(m->l.sms);
  m->s->l2.idle = true;
  m->s->r.to_clear = CC_COUNTERS;
  k->base_free = k->can_version = true;
  m->s->y.gen = 1;
  m->s->y.clear = true;
  m->s->y.current = cc_ones(m->l.sms);
  for (unsigned i = 1; i < m->l.codes; i++) cc_set(&k->free, i);
  for (unsigned i = 0; i < m->l.sms; i++) m->l1[i].clear = true;
}

/* ---- outputs -------------------------------------------------------------------------------------------- */

static void put_wide(uint32_t *w, unsigned bits, uint64_t value) {
  w[0] = (uint32_t)value;
  if (bits > 32) w[1] = (uint32_t)(value >> 32);
}

/* A field of a vector whose words are 0. */
static void put_field(uint32_t *w, unsigned low, unsigned width, uint64_t value) {
  if (width == 64) {
    simt_put64(&w[low / 32], value);
    return;
  }
  w[low / 32] |= (uint32_t)value << low % 32; /* 8, 16 or 32 bits never cross a word */
}

/* The words of a line, one behind the other in a port. */
static void put_line(const struct cc_model *m, uint32_t *w, const struct cc_line *line) {
  const unsigned width = m->l.word_w;
  if (m->l.words == 1) {
    put_wide(w, width, line->word[0]);
    return;
  }
  memset(w, 0, m->line_words * sizeof *w);
  for (unsigned i = 0; i < m->l.words; i++) put_field(w, i * width, width, line->word[i]);
}

void cc_get_line(const struct cc_model *m, const uint32_t *in, struct cc_line *to) {
  const unsigned width = m->l.word_w;
  for (unsigned i = 0; i < m->l.words; i++) {
    const unsigned low = i * width;
    to->word[i] = width == 64 ? simt_get64(&in[2 * i]) : in[low / 32] >> low % 32 & (uint32_t)cc_ones(width);
  }
}

static struct simt_context_unit offers(const struct cc_model *m) { return m->l.status ? cc_context_unit(m) : (struct simt_context_unit){0}; }

void cc_outputs(const void *model, uint32_t *out) {
  const struct cc_model *m = model;
  const struct cc_state *s = m->s;
  const struct cc_places *at = &m->at;
  const unsigned sms = m->l.sms, word_w = m->l.word_w;
  const bool drops = cc_drops(m);
  const uint64_t open = cc_closed(m) ? 0 : ~UINT64_C(0);
  const uint64_t valid = drops ? 0 : s->answers;
  uint64_t error = 0;
  memset(&out[at->rsp_data], 0, m->rsp_words * sizeof *out);
  for (uint64_t left = valid; left; left &= left - 1) {
    const unsigned i = (unsigned)__builtin_ctzll(left);
    error |= (uint64_t)m->l1[i].rsp.error << i;
    put_field(&out[at->rsp_data], i * word_w, word_w, m->l1[i].rsp.data);
  }
  put_wide(&out[at->rsp_valid], sms, valid);
  put_wide(&out[at->rsp_error], sms, error);
  put_wide(&out[at->rd_ready], sms, s->rd_ready & open);
  put_wide(&out[at->done_ready], sms, s->quiet & open);
  out[at->cmd_ready] = s->k.ready && open;
  out[at->cmd_done] = s->k.done && !drops;
  out[at->work_valid] = s->k.work && !drops;
  out[at->work_sm] = s->k.work_sm;
  put_wide(&out[at->work_item], word_w, s->k.bc_data.word[0]);
  out[at->req_valid] = s->l2.q.valid;
  out[at->req_write] = s->l2.q.valid && s->l2.q.write;
  out[at->req_tag] = s->l2.q.tag;
  put_wide(&out[at->req_addr], m->l.addr_w, s->r.base | (uint64_t)s->l2.q.addr << (m->l.lg + m->l.off_w));
  put_line(m, &out[at->req_data], &s->l2.q.data);
  out[at->req_strb] = (uint32_t)cc_ones(m->l.line_w / 8);
  out[at->rsp_m_ready] = cc_hears(m);
  out[at->error] = s->r.errors != 0;
  simt_shell_outputs(&s->u.shell, offers(m), out);
}

/* A reset of the unit: all but the registers that keep their value, and the counters. */
static void wipe(struct cc_model *m) {
  const struct cc_registers r = m->s->r;
  const struct cc_unit u = m->s->u;
  const struct cc_context x = m->s->x;
  cc_reset(m);
  m->s->r = r;
  m->s->u = u;
  m->s->x = x;
  m->s->r.errors = m->s->r.failed = 0;
}

/* ---- a cycle ---------------------------------------------------------------------------------------------- */

void cc_step(void *model, const uint32_t *in) {
  struct cc_model *m = model;
  const struct cc_places *at = &m->at;
  if (in[at->rst]) {
    cc_reset(m);
    return;
  }
  struct cc_state *s = m->s;
  const unsigned sms = m->l.sms, words = sms > 32 ? 2 : 1;
  struct cc_before before;
  simt_shell_begin(&s->u.shell, offers(m), in);
  if (m->l.status)
    before = (struct cc_before){.ready = s->k.ready, .quiet = s->quiet == cc_ones(sms), .some = s->y.some, .head = s->y.head, .signals = cc_unit_signals(m, in), .wrong = cc_context_wrong(m)};
  const uint64_t open = cc_closed(m) ? 0 : ~UINT64_C(0);
  struct cc_wires w;
  memset(&w, 0, offsetof(struct cc_wires, takes));
  w.takes = cc_get(&in[at->rd_valid], words) & s->rd_ready & open;
  w.done = cc_get(&in[at->done_valid], words) & s->quiet & ~w.takes & open;
  w.completes = w.done & s->k.running;
  w.room_of = s->room;
  w.ans = s->l2.ans;
  w.stops = cc_closed(m) || (m->l.status && in[s->u.shell.status_at.halt]);
  w.l2_idle = s->l2.idle && !w.stops;
  w.laundered = s->laundered;
  w.word.valid = false;
  if (s->words) {
    const struct cc_l1 *from = &m->l1[__builtin_ctzll(s->words)]; /* one at a time */
    w.word.valid = true;
    w.word.addr = from->word.addr;
    w.word.data = from->word.data;
  }
  cc_l2_decide(m, &w);
  if (m->l.protocol == CC_COPY) cc_copy_offers(m, &w);
  else cc_controller_offers(m, &w);
  w.walk_takes = w.walks & ~w.takes;
  cc_l2_choose(m, &w);
  cc_registers_step(m, &w);
  if (s->u.wipe) {
    wipe(m);
    cc_unit_step(m, &before, in);
    return;
  }
  cc_l2_step(m, &w, in);
  cc_l1_step(m, &w, &in[at->rd_addr]);
  if (m->l.protocol == CC_COPY) cc_copy_step(m, &w, in);
  else cc_controller_step(m, &w, in);
  if (m->l.status) cc_unit_step(m, &before, in);
  else simt_shell_end(&s->u.shell, NULL, NULL, in);
}

/* ---- images and statistics ---------------------------------------------------------------------------- */

void cc_parts(void *model, struct simt_image *image) {
  struct cc_model *m = model;
  simt_image_part_with_shell(image, m->s, m->size, &m->s->u.shell);
}

void cc_stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx) {
  const struct cc_model *m = model;
  const struct cc_registers *r = &m->s->r;
  for (unsigned i = 0; m->l.counters && i < CC_COUNTERS; i++) {
    uint64_t moving = r->moved.valid && r->moved.place == i ? r->moved.count : 0;
    visit(ctx, cc_counter_of(&m->l, (enum cc_counter)i)->name, r->count[i] + moving + r->added[i] + r->events[i]);
  }
  visit(ctx, "VERSIONS_MOST", r->versions_most);
  visit(ctx, "ENTRIES_MOST", r->entries_most);
}
