/* SPDX-License-Identifier: Apache-2.0 */
/* model.c: cycle model of atomic_merge: its ports, and one clock edge made of its parts. */
#include <stdlib.h>
#include <string.h>

#include "atomic_merge/model.h"
#include "atomic_merge/state.h"

static const char *const port_name[AM_PORTS] = {
  [AM_P_RST] = "rst_i", [AM_P_REQ_VALID] = "req_valid_i", [AM_P_REQ_OP] = "req_op_i", [AM_P_REQ_SIZE] = "req_size_i",
  [AM_P_REQ_MODE] = "req_mode_i", [AM_P_REQ_ADDR] = "req_addr_i", [AM_P_REQ_DATA] = "req_data_i", [AM_P_REQ_COMPARE] = "req_compare_i",
  [AM_P_REQ_TID] = "req_tid_i", [AM_P_ANS_READY] = "ans_ready_i", [AM_P_FETCH_READY] = "fetch_ready_i", [AM_P_HOME_VALID] = "home_valid_i",
  [AM_P_HOME_SNOOP] = "home_snoop_i", [AM_P_HOME_TAG] = "home_tag_i", [AM_P_HOME_ERROR] = "home_error_i", [AM_P_HOME_LINE] = "home_line_i",
  [AM_P_HOME_DATA] = "home_data_i", [AM_P_REL_READY] = "rel_ready_i", [AM_P_REQ_READY] = "req_ready_o", [AM_P_ANS_VALID] = "ans_valid_o",
  [AM_P_ANS_TID] = "ans_tid_o", [AM_P_ANS_STATUS] = "ans_status_o", [AM_P_ANS_DATA] = "ans_data_o", [AM_P_FETCH_VALID] = "fetch_valid_o",
  [AM_P_FETCH_LINE] = "fetch_line_o", [AM_P_FETCH_TAG] = "fetch_tag_o", [AM_P_HOME_READY] = "home_ready_o", [AM_P_REL_VALID] = "rel_valid_o",
  [AM_P_REL_LINE] = "rel_line_o", [AM_P_REL_DIRTY] = "rel_dirty_o", [AM_P_REL_LAST] = "rel_last_o", [AM_P_REL_DATA] = "rel_data_o",
  [AM_P_LOST_COUNT] = "lost_count_o", [AM_P_LOST_LINE] = "lost_line_o", [AM_P_UNASKED] = "unasked_o", [AM_P_WIT_VALID] = "wit_valid_o",
  [AM_P_WIT_KIND] = "wit_kind_o", [AM_P_WIT_TID] = "wit_tid_o", [AM_P_WIT_TEMP] = "wit_temp_o"};

void *am_create(const struct simt_config *cfg, struct simt_diag *diag) {
  if (!simt_check_plain(cfg, diag)) return NULL;
  struct am_model *m = calloc(1, sizeof *m);
  if (!m) {
    simt_fail(diag, cfg->name, "no memory", "memory for the model");
    return NULL;
  }
  m->cfg = cfg;
  am_layout(cfg->value, &m->l);
  for (unsigned i = 0; i < AM_PORTS; i++) m->port[i] = simt_find_port(cfg, port_name[i])->word;
  simt_shell_find(&m->s.unit.shell, cfg, m->l.status, AM_UNIT_TYPE, m->l.cfg_hash, m->l.ctx_words);
  if (m->l.status) {
    m->served_at = simt_find_port(cfg, "served_idle_i")->word;
    m->idle_at = simt_find_port(cfg, "idle_o")->word;
  }
  m->desc = &cfg->desc;
  am_reset(m);
  return m;
}

void am_destroy(void *model) { free(model); }

void am_reset(void *model) {
  struct am_model *m = model;
  const struct simt_unit_shell shell = m->s.unit.shell;
  memset(&m->s, 0, sizeof m->s);
  m->s.unit.shell = shell;
  simt_shell_reset(&m->s.unit.shell);
  m->s.clearing = m->l.tid_check ? 1u << m->l.tid_w : 0;
  m->s.n_free = m->s.n_entries = m->l.stall_buf;
  for (unsigned i = 0; i < m->l.stall_buf; i++) m->s.free_entry[i] = (uint16_t)i;
}

/* A reset of the unit: all but the registers, the counters and what belongs to the front end. */
void am_clear(struct am_model *m) {
  const struct am_unit unit = m->s.unit;
  const struct am_counting c = m->s.c;
  am_reset(m);
  m->s.unit = unit;
  m->s.c = c;
  m->s.c.here = 0;
  m->s.c.cause = m->s.c.turned = 0;
  m->s.c.went = false;
}

bool am_drained(const struct am_model *m) {
  for (unsigned i = 0; i < AM_DEPTH + m->l.extra; i++)
    if (m->s.stage[i].valid) return false;
  return true;
}

bool am_home_ready(const struct am_model *m) {
  const struct am_state *s = &m->s;
  if (am_drops(m)) return true;
  if (s->home.valid || am_still(m)) return false;
  bool last_is_next = m->l.beats > 1 && s->beats == m->l.beats - 1;
  return !last_is_next || (s->engine == AM_AWAIT && am_drained(m));
}

void am_witness(struct am_model *m, enum am_witness kind, unsigned tid, unsigned temp) {
  if (m->l.witness) m->s.report = (struct am_report){true, kind, tid, temp};
}

void am_witness_later(struct am_model *m, enum am_witness kind, unsigned tid, unsigned temp) {
  if (m->l.witness) m->s.report_next = (struct am_report){true, kind, tid, temp};
}

static void put(const struct am_model *m, uint32_t *out, enum am_port port, uint64_t value) { out[m->port[port]] = (uint32_t)value; }

static void put_line(const struct am_model *m, uint32_t *out, enum am_port port, uint64_t value) {
  put(m, out, port, value);
  if (m->l.line_aw > 32) out[m->port[port] + 1] = (uint32_t)(value >> 32);
}

bool am_takes_request(const struct am_model *m) { return m->s.written - m->s.committed < m->l.queue && !m->s.clearing; }

void am_outputs(const void *model, uint32_t *out) {
  const struct am_model *m = model;
  const struct am_state *s = &m->s;
  put(m, out, AM_P_REQ_READY, am_takes_request(m) && !am_closed(m));
  put(m, out, AM_P_ANS_VALID, s->ans_valid && !am_still(m));
  put(m, out, AM_P_ANS_TID, s->ans.tid);
  put(m, out, AM_P_ANS_STATUS, s->ans.status);
  simt_put64(&out[m->port[AM_P_ANS_DATA]], s->ans.data);
  put(m, out, AM_P_FETCH_VALID, s->n_fetch && !am_shut(m));
  put_line(m, out, AM_P_FETCH_LINE, s->miss[s->fetch_queue[0]].line);
  put(m, out, AM_P_FETCH_TAG, s->fetch_queue[0]);
  put(m, out, AM_P_HOME_READY, am_home_ready(m));
  put(m, out, AM_P_REL_VALID, s->rel_busy && !am_still(m));
  put_line(m, out, AM_P_REL_LINE, s->rel_line);
  put(m, out, AM_P_REL_DIRTY, s->rel_busy && s->rel_dirty);
  put(m, out, AM_P_REL_LAST, !s->rel_dirty || s->rel_beat == m->l.beats - 1);
  memcpy(&out[m->port[AM_P_REL_DATA]], &s->rel[s->rel_beat * 4 * m->l.lanes], 4 * m->l.lanes);
  put(m, out, AM_P_LOST_COUNT, s->lost);
  put_line(m, out, AM_P_LOST_LINE, s->lost_line);
  put(m, out, AM_P_UNASKED, s->unasked);
  am_unit_outputs(m, out);
  put(m, out, AM_P_WIT_VALID, s->report.valid);
  put(m, out, AM_P_WIT_KIND, s->report.kind);
  put(m, out, AM_P_WIT_TID, s->report.tid);
  put(m, out, AM_P_WIT_TEMP, s->report.temp);
}

static uint64_t get(const struct am_model *m, const uint32_t *in, enum am_port port) { return in[m->port[port]]; }

static uint64_t get_wide(const struct am_model *m, const uint32_t *in, enum am_port port, unsigned width) {
  return width > 32 ? simt_get64(&in[m->port[port]]) : in[m->port[port]];
}

static struct am_answer pop(struct am_fifo *f, unsigned size) {
  struct am_answer a = f->at[f->first];
  f->first = (f->first + 1) % size;
  f->n--;
  f->promised--;
  return a;
}

/* One answer per cycle; answers of the pipeline and spooled ones alternate when both wait. */
static void give_answer(struct am_model *m, const struct am_now *now, const uint32_t *in) {
  struct am_state *s = &m->s;
  if (now->still || (s->ans_valid && !get(m, in, AM_P_ANS_READY))) return;
  if (s->ans_valid && s->ans.status != AM_LIVE) s->live[s->ans.tid / 8] &= (uint8_t)~(1u << s->ans.tid % 8);
  s->ans_valid = (now->n_fast || now->n_spooled) && !now->shut;
  if (!s->ans_valid) return;
  bool fast = now->n_fast && !(now->n_spooled && s->last_fast);
  s->ans = fast ? pop(&s->fast, AM_FIFO) : pop(&s->spooled, AM_SPOOL_FIFO);
  s->last_fast = fast;
}

/* The next increment or decrement counts 1; modulo 1 that is 0. */
static uint64_t one_of(const struct am_request *r) { return (r->size == 3 ? r->compare : (uint32_t)r->compare) != 0; }

static void note_accepted(struct am_model *m, struct am_request *r) {
  struct am_state *s = &m->s;
  for (unsigned i = 0; i + 1 < m->l.apart; i++) r->apart |= s->last[i].unit && s->last[i].pair == r->addr >> 3;
  memmove(&s->last[1], &s->last[0], sizeof s->last - sizeof s->last[0]);
  s->last[0].unit = am_is_unit(r->op);
  s->last[0].pair = r->addr >> 3;
  if (r->op == AM_INC || r->op == AM_DEC) r->data = one_of(r);
}

/* The thread id on offer: of the port's word the bits that it has. */
static unsigned request_tid(const struct am_model *m, const uint32_t *in) {
  return (unsigned)get(m, in, AM_P_REQ_TID) & ((1u << m->l.tid_w) - 1);
}

static bool is_live(const struct am_state *s, unsigned tid) { return s->live[tid / 8] >> tid % 8 & 1; }

static void accept(struct am_model *m, const uint32_t *in, bool live) {
  struct am_state *s = &m->s;
  const struct am_request *before = &s->queue[(s->written - 1) % m->l.queue];
  bool slow = s->written && am_is_slow(before->op);
  uint64_t pair = before->addr >> 3;
  struct am_request *r = &s->queue[s->written++ % m->l.queue];
  *r = (struct am_request){(unsigned)get(m, in, AM_P_REQ_OP), (unsigned)get(m, in, AM_P_REQ_SIZE), (unsigned)get(m, in, AM_P_REQ_MODE),
                           request_tid(m, in), get_wide(m, in, AM_P_REQ_ADDR, m->l.addr_w),
                           simt_get64(&in[m->port[AM_P_REQ_DATA]]), simt_get64(&in[m->port[AM_P_REQ_COMPARE]]), live && m->l.tid_check, false, false};
  if (!live) s->live[r->tid / 8] |= (uint8_t)(1u << r->tid % 8);
  r->gap = slow && pair == r->addr >> 3;
  if (m->l.apart) note_accepted(m, r);
}

static void finish_stages(struct am_model *m) {
  struct am_state *s = &m->s;
  const unsigned depth = AM_DEPTH + m->l.extra;
  const struct am_stage *last = &s->stage[depth - 1];
  if (last->valid && last->answers) {
    s->fast.at[(s->fast.first + s->fast.n) % AM_FIFO] = last->answer;
    s->fast.n++;
  }
  memmove(&s->stage[1], &s->stage[0], (depth - 1) * sizeof s->stage[0]);
  s->stage[0] = (struct am_stage){.valid = false};
}

/* Requests may be looked up: nothing that they see changes until the engine runs again. */
static bool looks(const struct am_model *m, const struct am_now *now) {
  return now->engine == AM_RUN || (now->engine == AM_COPY && !m->s.walking && m->s.count + 4 >= m->l.beats);
}

/* Gives whether the front is emptied in the next cycle. */
static bool move_front(struct am_model *m, const struct am_now *now) {
  struct am_state *s = &m->s;
  bool goes = false, kill = false, flows = looks(m, now), near = false;
  for (unsigned i = 0; i + 1 < m->l.apart; i++) near |= s->unit_left[i];
  memmove(&s->unit_left[1], &s->unit_left[0], sizeof s->unit_left - sizeof s->unit_left[0]);
  s->unit_left[0] = false;
  if (now->engine == AM_RUN && !now->shut && !s->kill && s->front[AM_DECIDES].valid) {
    goes = am_decide(m, now, &kill);
    kill |= !goes;
  }
  s->n_idle += !goes && s->written != s->committed;
  if (s->kill) {
    for (unsigned i = 0; i <= AM_DECIDES; i++) s->front[i].valid = false;
    s->fetched = s->committed;
  } else {
    const struct am_request *first = &s->queue[s->front[0].at % m->l.queue];
    bool gap = (s->front[1].valid && first->gap) || (near && first->apart);
    bool stays = s->front[0].valid && (!flows || gap);
    s->unit_left[0] = s->front[0].valid && !stays && am_is_unit(first->op);
    memmove(&s->front[1], &s->front[0], AM_DECIDES * sizeof s->front[0]);
    if (stays) {
      s->front[1].valid = false;
    } else {
      s->front[0].valid = s->fetched != now->written;
      s->front[0].at = s->fetched;
      s->fetched += s->front[0].valid;
    }
  }
  s->committed += goes;
  s->c.went = goes;
  return kill;
}

static void send_fetch(struct am_state *s) {
  if (s->opens) s->fetch_queue[s->n_fetch++] = s->opened;
  s->opens = false;
}

static void take_outputs(struct am_model *m, const struct am_now *now, const uint32_t *in) {
  struct am_state *s = &m->s;
  if (s->n_fetch && !now->shut && get(m, in, AM_P_FETCH_READY)) {
    s->miss[s->fetch_queue[0]].fetched = true;
    s->n_fetch--;
    memmove(s->fetch_queue, &s->fetch_queue[1], s->n_fetch * sizeof *s->fetch_queue);
  }
  if (s->rel_busy && !now->still && get(m, in, AM_P_REL_READY)) {
    if (!s->rel_dirty || s->rel_beat == m->l.beats - 1) s->rel_busy = false;
    else s->rel_beat++;
  }
}

static void take_word(struct am_model *m, const uint32_t *in) {
  struct am_home_word *h = &m->s.home;
  *h = (struct am_home_word){true, get(m, in, AM_P_HOME_SNOOP) != 0, get(m, in, AM_P_HOME_ERROR) != 0, (unsigned)get(m, in, AM_P_HOME_TAG),
                             get_wide(m, in, AM_P_HOME_LINE, m->l.line_aw), {0}};
  memcpy(h->data, &in[m->port[AM_P_HOME_DATA]], 4 * m->l.lanes);
  const struct am_miss *w = &m->s.miss[h->tag % AM_MAX_MISSES];
  m->s.home_asked = w->valid && w->fetched;
}

void am_step(void *model, const uint32_t *in) {
  struct am_model *m = model;
  struct am_state *s = &m->s;
  if (get(m, in, AM_P_RST)) {
    am_reset(m);
    return;
  }
  struct am_now now = {am_drained(m), am_asked(m), am_event_due(m), s->n_entries, s->n_jobs, s->fast.n, s->spooled.n, s->beats, s->slot_used, s->written, s->engine,
                       s->rel_busy, s->spooling, am_shut(m), am_still(m), am_stops(m), s->unit.asks, s->home, s->start, s->start_at};
  bool accepts = get(m, in, AM_P_REQ_VALID) && am_takes_request(m) && !am_closed(m), live = accepts && is_live(s, request_tid(m, in));
  bool hears = get(m, in, AM_P_HOME_VALID) && am_home_ready(m) && !am_drops(m);
  struct am_unit_now unit = am_unit_begin(m, in);
  s->clearing -= s->clearing != 0;
  if (m->l.counters) am_count_cycle(m, &now);
  s->report = s->report_next;
  s->report_next = (struct am_report){.valid = false};
  finish_stages(m);
  s->start = AM_START_NOTHING;
  take_outputs(m, &now, in);
  send_fetch(s);
  s->kill = move_front(m, &now);
  am_engine(m, &now);
  s->kill |= now.shut || (now.engine == AM_RUN && s->engine != AM_RUN);
  am_spool(m, &now);
  give_answer(m, &now, in);
  if (s->unit.shell.reg.busy || m->l.counters) am_registers_step(m);
  if (accepts) accept(m, in, live);
  if (hears) take_word(m, in);
  s->slots_seen = now.slot_used;
  am_unit_end(m, &unit, in);
}

void am_parts(void *model, struct simt_image *image) {
  struct am_model *m = model;
  simt_image_part_with_shell(image, &m->s, sizeof m->s, &m->s.unit.shell);
}

void am_stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx) {
  const struct am_state *s = &((const struct am_model *)model)->s;
  visit(ctx, "performed_in_place", s->n_hits);
  visit(ctx, "accumulated", s->n_joins);
  visit(ctx, "waited", s->n_waits);
  visit(ctx, "merges", s->n_merges);
  visit(ctx, "evictions", s->n_evictions);
  visit(ctx, "idle_cycles", s->n_idle);
}
