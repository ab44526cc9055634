/* SPDX-License-Identifier: Apache-2.0 */
/* status.c: an atomic_system as one unit of a front end (AM-17): halt, reset, its context, and what it says of itself; its
 * registers. */
#include "atomic_merge/model.h"
#include "atomic_system/state.h"
#include "line_home/model.h"

static const struct simt_unit_shell *shell(const struct as_model *m) { return &m->unit.s.shell; }

void as_unit_find(struct as_model *m, const struct simt_config *whole) {
  struct as_unit *u = &m->unit;
  const struct simt_config *cache = &m->part[0], *home = &m->part[m->caches];
  u->status = as_status(whole);
  u->desc = &whole->desc;
  const uint64_t hashed[] = {m->caches, simt_param(whole, "LINE_BYTES"), simt_param(whole, "ADDR_W")};
  simt_shell_find(&u->s.shell, whole, u->status, AS_UNIT_TYPE, simt_context_hash(hashed, sizeof hashed / sizeof *hashed),
                  (uint32_t)simt_derived(whole, "CTX_MAX"));
  u->cache.ans_valid = simt_port_word(cache, "ans_valid_o");
  u->home.idle = simt_port_word(home, "idle_o");
  u->idle = simt_port_word(whole, "idle_o");
  if (!u->status) return;
  u->cache.rst = simt_port_word(cache, "rst_i");
  u->cache.halt = simt_port_word(cache, "cmd_halt_i");
  u->cache.served = simt_port_word(cache, "served_idle_i");
  u->cache.req_valid = simt_port_word(cache, "req_valid_i");
  u->cache.req_ready = simt_port_word(cache, "req_ready_o");
  u->cache.ans_ready = simt_port_word(cache, "ans_ready_i");
  u->cache.state = simt_port_word(cache, "state_o");
  u->cache.idle = simt_port_word(cache, "idle_o");
  u->cache.progress = simt_port_word(cache, "progress_o");
  u->cache.count = simt_port_word(cache, "lost_count_o");
  u->cache.line = simt_port_word(cache, "lost_line_o");
  u->cache.unasked = simt_port_word(cache, "unasked_o");
  u->home.rst = simt_port_word(home, "rst_i");
  u->home.count[AS_RECORD_BAD] = simt_port_word(home, "bad_count_o");
  u->home.line[AS_RECORD_BAD] = simt_port_word(home, "bad_line_o");
  u->home.count[AS_RECORD_LOST] = simt_port_word(home, "lost_count_o");
  u->home.line[AS_RECORD_LOST] = simt_port_word(home, "lost_line_o");
  u->line_aw = (unsigned)simt_derived(whole, "LINE_AW");
  u->shape = (struct simt_walk_shape){1, {as_records(m->caches)}, {as_record_words(u->line_aw)}};
  simt_mem_ports_bind(&u->home.mem, home);
  simt_mem_ports_bind(&u->mem, whole);
  u->req_ready = simt_port_word(whole, "req_ready_o");
  u->ans_valid = simt_port_word(whole, "ans_valid_o");
}

void as_unit_reset(struct as_model *m) {
  struct as_unit_state *s = &m->unit.s;
  simt_shell_reset(&s->shell);
  s->seen = s->served = s->can_halt = s->wipes = s->nack = false;
  s->due = 0;
  s->walk = (struct simt_walk){0};
}

/* ---- the context --------------------------------------------------------------------------------------------- */

static uint32_t context_word(const struct as_model *m) {
  const struct as_unit_state *s = &m->unit.s;
  if (s->walk.word == 0) return s->record.first | (uint32_t)(shell(m)->fsm.nack && !s->walk.record) << AS_NACK_BIT;
  return (uint32_t)(s->walk.word == 1 ? s->record.line : s->record.line >> 32);
}

static struct simt_context_unit offers(const struct as_model *m) {
  const struct as_unit *u = &m->unit;
  return (struct simt_context_unit){.can_halt = u->s.can_halt, .len = u->shape.records[0] * u->shape.words[0], .sav_valid = u->s.walk.settled,
                                    .sav_last = simt_walk_last(&u->s.walk, &u->shape), .sav_data = context_word(m), .ld_ready = true};
}

/* A word that no save writes there: more bits than the first one of a record has, a line though nothing was lost, or of more
 * lines than there are. */
static bool is_wrong(const struct as_model *m, const struct simt_context_to_unit *to) {
  const struct as_unit *u = &m->unit;
  const struct simt_walk *w = &u->s.walk;
  if (to->ld_last != simt_walk_last(w, &u->shape)) return true;
  if (w->word == 0) {
    const uint32_t unasked = w->record >= AS_RECORD_CACHE, nack = w->record == 0;
    return (to->ld_data & ~(AS_COUNT_BITS | unasked << AS_UNASKED_BIT | nack << AS_NACK_BIT)) != 0;
  }
  const uint64_t lines = u->s.record.first & AS_COUNT_BITS ? ((uint64_t)1 << u->line_aw) - 1 : 0;
  return (to->ld_data & ~(uint32_t)(lines >> 32 * (w->word - 1))) != 0;
}

/* What the parts show of it. */
static struct as_record shown(const struct as_model *m, unsigned record) {
  const struct as_unit *u = &m->unit;
  const bool cache = record >= AS_RECORD_CACHE;
  const uint32_t *out = simt_parts_out(m->parts, cache ? record - AS_RECORD_CACHE : m->caches);
  const uint32_t *line = &out[cache ? u->cache.line : u->home.line[record]];
  return (struct as_record){out[cache ? u->cache.count : u->home.count[record]] | (cache ? out[u->cache.unasked] << AS_UNASKED_BIT : 0),
                            u->line_aw > 32 ? simt_get64(line) : *line};
}

/* A word moves; gives the record that it ends in a load, or -1. */
static int move_context(const struct as_model *m, struct as_unit_state *next) {
  const struct as_unit *u = &m->unit;
  const struct simt_context_to_unit *to = &shell(m)->to;
  const struct simt_walk *w = &u->s.walk;
  const int ends = to->ld_taken && simt_walk_ends(w, &u->shape) ? (int)w->record : -1;
  next->walk = *w;
  next->record = u->s.record;
  next->nack = u->s.nack && !simt_shell_clears(shell(m));
  if (shell(m)->port.r.save && !w->settled && w->record < u->shape.records[0]) next->record = shown(m, w->record);
  if (to->ld_taken) {
    const uint32_t word = to->ld_data;
    if (w->word == 0) next->record = (struct as_record){.first = word & (AS_COUNT_BITS | 1u << AS_UNASKED_BIT)};
    else next->record.line |= (uint64_t)word << 32 * (w->word - 1);
    if (w->word == 0 && !w->record && !simt_shell_clears(shell(m))) next->nack = word >> AS_NACK_BIT & 1;
  }
  simt_walk_step(&next->walk, &u->shape, simt_shell_moves(shell(m)), to->sav_taken || to->ld_taken, false);
  return ends;
}

static void put_record(struct as_model *m, unsigned record, const struct as_record *r) {
  const unsigned count = r->first & AS_COUNT_BITS, cache = record - AS_RECORD_CACHE;
  const uint64_t line = r->line & (((uint64_t)1 << m->unit.line_aw) - 1);
  if (record == AS_RECORD_BAD) lh_put_bad(simt_parts_model(m->parts, m->caches), count, line);
  else if (record == AS_RECORD_LOST) lh_put_lost(simt_parts_model(m->parts, m->caches), count, line);
  else am_put_errors(simt_parts_model(m->parts, cache), count, line, r->first >> AS_UNASKED_BIT & 1);
}

/* ---- halt and reset ------------------------------------------------------------------------------------------ */

bool as_unit_still(const struct as_model *m) { return m->unit.status && simt_shell_still(shell(m), m->unit.s.can_halt); }

static bool between(const struct as_model *m) {
  for (unsigned i = 0; i < m->caches * CHANNELS * m->stages; i++)
    if (m->stage[i].fifo.level) return true;
  return false;
}

/* What is said of the caches together, and what they are told. */
struct caches { bool offered, given, blocked, works, progress, idle, halted; };

static struct caches look_at_caches(struct as_model *m, bool still, bool resets) {
  const struct as_unit *u = &m->unit;
  struct caches all = {.idle = true, .halted = true};
  for (unsigned i = 0; i < m->caches; i++) {
    const uint32_t *out = simt_parts_out(m->parts, i);
    uint32_t *in = simt_parts_in(m->parts, i);
    const uint32_t state = out[u->cache.state], halted = 1u << SIMT_HALTED, empty = 1u << SIMT_EMPTY; /* one_hot */
    all.offered |= in[u->cache.req_valid] && out[u->cache.req_ready];
    all.given |= out[u->cache.ans_valid] && in[u->cache.ans_ready];
    all.blocked |= out[u->cache.ans_valid] && !in[u->cache.ans_ready];
    all.works |= !(state & (halted | empty));
    all.progress |= out[u->cache.progress] != 0;
    all.idle &= out[u->cache.idle] != 0;
    all.halted &= (state & halted) != 0;
    if (shell(m)->closed) in[u->cache.req_valid] = 0;
    if (still) in[u->cache.ans_ready] = 0;
    in[u->cache.halt] = shell(m)->fsm.halt_req;
    in[u->cache.served] = u->s.served;
    in[u->cache.rst] |= resets;
  }
  return all;
}

struct as_unit_now as_unit_begin(struct as_model *m, const uint32_t *in) {
  struct as_unit *u = &m->unit;
  struct as_unit_now now = {.put = -1};
  struct simt_reg_access *a = &u->s.shell.reg;
  const struct simt_reg *r = simt_reg_now(a, u->desc);
  const bool executes = a->busy;
  now.says.nack_clear = executes && a->write && r && r->addr == AS_REG_NACK;
  simt_shell_begin(&u->s.shell, offers(m), in);
  if (executes) simt_reg_answer(a, r != NULL, AS_ID);
  if (!u->status) return now;
  const uint32_t *home = simt_parts_out(m->parts, m->caches);
  uint32_t *home_in = simt_parts_in(m->parts, m->caches);
  const bool halt = shell(m)->fsm.halt_req, clear = simt_shell_clears(shell(m)), drops = shell(m)->clearing, still = as_unit_still(m);
  const bool asks = home[u->home.mem.req_valid] != 0, asked = asks && in[u->mem.req_ready], idle = home[u->home.idle] != 0;
  const bool answered = in[u->mem.rsp_valid] && home[u->home.mem.rsp_ready] && !still, words = between(m);
  now.resets = clear || u->s.wipes;
  const struct caches all = look_at_caches(m, still, now.resets);
  if (still) home_in[u->home.mem.rsp_valid] = 0;
  home_in[u->home.rst] |= now.resets && !asks;
  const bool would = all.offered && !drops;
  now.signals = (struct simt_unit_signals){.in = would, .out = all.given, .proc = all.progress, .work = all.works || !idle || words, .mem = u->s.due != 0,
                                           .mem_done = answered, .nack = answered && in[u->mem.rsp_error] && !drops, .blocked = all.blocked,
                                           .cannot = !(would || all.given || all.progress)};
  now.signals.progress = (would && !shell(m)->closed) || (all.given && !still) || all.progress || asked || answered;
  now.says.clears = u->s.wipes || u->s.due || !idle;
  const bool rests = halt && u->s.seen && !clear && all.idle && idle && !words;
  now.next = (struct as_unit_state){.seen = halt, .served = rests, .can_halt = rests && u->s.served && all.halted, .wipes = now.resets && asks,
                                    .due = u->s.due + asked - answered};
  now.settles = u->s.served;
  now.says.wrong = shell(m)->to.ld_taken && is_wrong(m, &shell(m)->to);
  now.says.nack_load = u->s.nack;
  now.put = move_context(m, &now.next);
  return now;
}

void as_unit_end(struct as_model *m, struct as_unit_now *now, const uint32_t *in) {
  struct as_unit_state *s = &m->unit.s;
  simt_shell_end(&s->shell, &now->signals, &now->says, in);
  if (!m->unit.status) return;
  now->next.shell = s->shell;
  *s = now->next;
  if (now->resets || in[m->rst]) return;
  if (now->settles) lh_settle(simt_parts_model(m->parts, m->caches));
  if (now->put >= 0) put_record(m, (unsigned)now->put, &s->record);
}

void as_unit_outputs(const struct as_model *m, uint32_t *out) {
  const struct as_unit *u = &m->unit;
  simt_shell_outputs(shell(m), offers(m), out);
  out[u->idle] = simt_parts_out(m->parts, m->caches)[u->home.idle] && !between(m) && !u->s.due;
  if (!u->status) return;
  const bool still = as_unit_still(m);
  for (unsigned i = 0; i < (m->caches + 31) / 32; i++) {
    if (shell(m)->closed) out[u->req_ready + i] = 0;
    if (still) out[u->ans_valid + i] = 0;
  }
  if (still) out[u->mem.rsp_ready] = 0;
}
