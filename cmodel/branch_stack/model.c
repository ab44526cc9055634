/* SPDX-License-Identifier: Apache-2.0 */
/* model.c: the models of the two parts side by side. The outputs of each follow from its state alone, so
 * a cycle is: outputs of both, inputs of both from them and from outside, a step of both. */
#include "branch_stack/parts.h"

#include "branch_unit/model.h"

#include <stdlib.h>
#include <string.h>

struct copy { unsigned from, to, words; }; /* in 32-bit words */
struct copies { struct copy *list; size_t n; };

struct reg_ports { /* word offsets of the register port */
  unsigned valid, ready, write, addr, data, rsp, rsp_data, rsp_error;
};

enum { UNIT_TYPE = 0x4253, STACK_TYPE = 0x5343 };

/* What makes one unit of the two: rtl_templates/branch_stack/branch_stack_context.v has the same phases. */
enum join_phase {
  JOIN_IDLE, JOIN_FETCH, JOIN_HEAD, JOIN_SAVE, JOIN_SAVING, JOIN_DRAIN, JOIN_LOAD, JOIN_WAIT, JOIN_ASK, JOIN_LEAD,
  JOIN_LOADING, JOIN_END, JOIN_LAST, JOIN_SPOIL, JOIN_SPOILT
};
struct join {
  enum join_phase at;
  unsigned index;
  uint32_t len, due; /* due: answers (beats) of memory to come */
  unsigned beat;     /* of a write that is offered */
  bool bad, clears;
  bool halt;         /* both parts were told to halt in the last cycle */
  bool whole;        /* a reset came while the stack was judging its last word: if it has committed, the load is whole */
  bool reset, stale; /* the stack clears itself from the next cycle on; its answers are those of accesses from before */
  bool late;         /* an error was answered that the stack has not recorded yet: in a flush that takes some cycles */
};
struct mem_ports { unsigned ready, rsp, error, write; }; /* of the whole; write: of the stack */

struct bs_model {
  const struct simt_config *cfg;
  struct simt_config part[BS_PARTS];
  void *state[BS_PARTS];
  uint32_t *in[BS_PARTS], *out[BS_PARTS];
  bool looked; /* `out` is of this state */
  struct copies outside_in[BS_PARTS], outside_out[BS_PARTS], inside[BS_PARTS]; /* inside: its outputs to the other */
  struct reg_ports whole, reg[BS_PARTS];
  unsigned rst, part_rst[BS_PARTS];
  unsigned status;
  uint32_t stack_hash;
  struct join join;
  struct mem_ports mem;
  unsigned beats; /* of a set on the memory port */
  unsigned stack_at[3]; /* of the stack: a request is offered, an answer is taken, an init would be */
  struct simt_status_ports whole_status, unit_status, stack_status;
  struct simt_context_ports whole_ctx, unit_ctx, stack_ctx;
};

static bool add_copy(struct copies *c, unsigned from, unsigned to, unsigned words) {
  struct copy *last = c->n ? &c->list[c->n - 1] : NULL;
  if (last && last->from + last->words == from && last->to + last->words == to) {
    last->words += words;
    return true;
  }
  struct copy *more = realloc(c->list, (c->n + 1) * sizeof *more);
  if (!more) return false;
  c->list = more;
  c->list[c->n++] = (struct copy){from, to, words};
  return true;
}

static void do_copies(const struct copies *c, const uint32_t *from, uint32_t *to) {
  for (const struct copy *i = c->list, *end = i + c->n; i < end; i++)
    for (unsigned w = 0; w < i->words; w++) to[i->to + w] = from[i->from + w]; /* few: memcpy costs more */
}

static void find_reg_ports(struct reg_ports *r, const struct simt_config *cfg) {
  const struct { const char *name; unsigned *at; } port[] = {
    {"reg_req_valid_i", &r->valid}, {"reg_req_ready_o", &r->ready}, {"reg_req_write_i", &r->write},
    {"reg_req_addr_i", &r->addr}, {"reg_req_data_i", &r->data}, {"reg_rsp_valid_o", &r->rsp},
    {"reg_rsp_data_o", &r->rsp_data}, {"reg_rsp_error_o", &r->rsp_error}};
  for (size_t i = 0; i < sizeof port / sizeof *port; i++) *port[i].at = simt_find_port(cfg, port[i].name)->word;
}

static bool connect(struct bs_model *m, const struct simt_config *cfg, enum bs_part of) {
  const struct simt_desc *d = &m->part[of].desc;
  for (size_t i = 0; i < d->n_ports; i++) {
    const struct simt_port *p = &d->ports[i], *partner = bs_partner(m->part, of, p);
    bool good = true;
    if (bs_outside(m->part, of, p)) {
      unsigned whole = simt_find_port(cfg, p->name)->word;
      good = p->dir == SIMT_IN ? add_copy(&m->outside_in[of], whole, p->word, p->words)
                               : add_copy(&m->outside_out[of], p->word, whole, p->words);
    } else if (partner && p->dir == SIMT_OUT) {
      good = add_copy(&m->inside[of], p->word, partner->word, p->words);
    }
    if (!good) return false;
  }
  return true;
}

static void find_status(struct bs_model *m, const struct simt_config *cfg) {
  const struct simt_config *stack = &m->part[BS_STACK];
  static const char *const shape[] = {"THREADS", "ENTRY_W", "ENTRIES", "SET", "MAX_DEPTH", "POLICY", "FLAGS", "ADDR_W"};
  enum { SHAPE = sizeof shape / sizeof *shape };
  uint64_t value[SHAPE];
  for (unsigned n = 0; n < SHAPE; n++) value[n] = simt_param(stack, shape[n]);
  m->stack_hash = simt_context_hash(value, SHAPE);
  m->status = (unsigned)simt_param(stack, "STATUS");
  m->mem = (struct mem_ports){simt_find_port(cfg, "mem_req_ready_i")->word, simt_find_port(cfg, "mem_rsp_valid_i")->word,
                             simt_find_port(cfg, "mem_rsp_error_i")->word, simt_find_port(stack, "mem_req_write_o")->word};
  m->beats = (unsigned)simt_derived(stack, "MEM_BEATS");
  m->stack_at[0] = simt_find_port(stack, "mem_req_valid_o")->word;
  m->stack_at[1] = simt_find_port(stack, "mem_rsp_ready_o")->word;
  m->stack_at[2] = simt_find_port(stack, "can_go_o")->word;
  m->whole_status = simt_find_status_ports(cfg);
  m->whole_ctx = simt_find_context_ports(cfg);
  m->unit_ctx = simt_find_context_ports(&m->part[BS_UNIT]);
  m->unit_status = simt_find_status_ports(&m->part[BS_UNIT]);
  m->stack_status = simt_find_status_ports(stack);
  m->stack_ctx = simt_find_context_ports(stack);
  bu_set_tail(m->state[BS_UNIT], UNIT_TYPE, bs_context_hash(m->part), (uint32_t)bs_context_max(m->part));
}

static bool build(struct bs_model *m, const struct simt_config *cfg, struct simt_diag *diag) {
  if (!bs_resolve_parts(cfg->value, m->part, diag)) return false;
  m->rst = simt_find_port(cfg, "rst_i")->word;
  find_reg_ports(&m->whole, cfg);
  for (int p = 0; p < BS_PARTS; p++) {
    m->in[p] = calloc(m->part[p].desc.in_words, sizeof *m->in[p]);
    m->out[p] = calloc(m->part[p].desc.out_words, sizeof *m->out[p]);
    m->part_rst[p] = simt_find_port(&m->part[p], "rst_i")->word;
    find_reg_ports(&m->reg[p], &m->part[p]);
    if (!m->in[p] || !m->out[p] || !connect(m, cfg, p)) return simt_fail(diag, cfg->name, "no memory", "memory for the model");
    m->state[p] = m->part[p].block->model.create(&m->part[p], diag);
    if (!m->state[p]) return false;
  }
  find_status(m, cfg);
  return true;
}

void *bs_create(const struct simt_config *cfg, struct simt_diag *diag) {
  if (!simt_check_plain(cfg, diag)) return NULL;
  struct bs_model *m = calloc(1, sizeof *m);
  if (!m) {
    simt_fail(diag, cfg->name, "no memory", "memory for the model");
    return NULL;
  }
  m->cfg = cfg;
  if (build(m, cfg, diag)) return m;
  bs_destroy(m);
  return NULL;
}

void bs_destroy(void *model) {
  struct bs_model *m = model;
  if (!m) return;
  for (int p = 0; p < BS_PARTS; p++) {
    if (m->state[p]) m->part[p].block->model.destroy(m->state[p]);
    free(m->in[p]);
    free(m->out[p]);
    free(m->outside_in[p].list);
    free(m->outside_out[p].list);
    free(m->inside[p].list);
    simt_config_free(&m->part[p]);
  }
  free(m);
}

bool bs_live(const void *model, unsigned group) {
  return bu_live(((const struct bs_model *)model)->state[BS_UNIT], group);
}

bool bs_synced(const void *model, unsigned group) {
  return bu_synced(((const struct bs_model *)model)->state[BS_UNIT], group);
}

void bs_reset(void *model) {
  struct bs_model *m = model;
  for (int p = 0; p < BS_PARTS; p++) m->part[p].block->model.reset(m->state[p]);
  m->join = (struct join){.at = JOIN_IDLE};
  m->looked = false;
}

/* ---- one unit of the two --------------------------------------------------------------------------------- */

static bool opens(const struct join *j) { return j->at == JOIN_SAVE || j->at == JOIN_LOAD; }

static bool is_halted(const struct bs_model *m) {
  return m->out[BS_STACK][m->stack_status.state] == simt_status_code(SIMT_HALTED, (enum simt_status_encoding)(m->status - 1));
}

static bool stack_halted(const struct bs_model *m) {
  const struct join *j = &m->join;
  if (!m->status) return false;
  return is_halted(m) && !j->clears && j->at != JOIN_DRAIN && j->at != JOIN_SPOIL && j->at != JOIN_SPOILT;
}

/* An access of the stack is answered with an error, and not one from before a reset. */
static bool refused(const struct bs_model *m, const uint32_t *in) {
  return in[m->mem.rsp] && m->out[BS_STACK][m->stack_at[1]] && in[m->mem.error] && !m->join.stale;
}

/* What the stack says in this cycle; its outputs are there. `in` of the whole: NULL while there are only outputs. */
static struct bu_tail tail_of(const struct bs_model *m, const struct bu_tail_view *view, const uint32_t *in) {
  const struct join *j = &m->join;
  const uint32_t *s = m->out[BS_STACK];
  const struct simt_context_ports *at = &m->stack_ctx;
  if (!m->status) return (struct bu_tail){0};
  bool asks = s[m->stack_at[0]], answers = in && in[m->mem.rsp] && s[m->stack_at[1]];
  return (struct bu_tail){
    .halted = stack_halted(m),
    .active = s[m->stack_status.state] == simt_status_code(SIMT_ACTIVE, (enum simt_status_encoding)(m->status - 1)),
    .mem = asks || j->due, .mem_done = answers, .blocked = in && asks && !in[m->mem.ready],
    .nack = in && refused(m, in), .nacked = s[m->stack_status.nack] || j->late,
    .moves = s[m->stack_status.progress], .len = j->len,
    .sav_valid = j->at == JOIN_SAVING && s[at->out_valid], .sav_last = s[at->out_last], .sav_data = s[at->out_data],
    .ld_ready = j->at == JOIN_LAST || (j->at == JOIN_LOADING && s[at->in_ready] && !view->ld_last), .bad = j->bad, .whole = j->whole && !j->bad};
}

/* A release waits from when the stack judges a load until the unit has ended it. */
static bool part_halt(const struct bs_model *m, const struct bu_tail_view *v, const uint32_t *in) {
  const struct join *j = &m->join;
  bool ends = j->at == JOIN_END || j->at == JOIN_LAST || (j->at == JOIN_IDLE && v->load);
  return in[m->whole_status.halt] || (j->halt && ends);
}

/* The stack's context port, commanded; its status, with the whole's. */
static void drive_stack(struct bs_model *m, const uint32_t *in, const struct bu_tail_view *v, bool sav_taken) {
  const struct join *j = &m->join;
  const uint32_t header[] = {(uint32_t)STACK_TYPE << 16 | in[m->whole_ctx.unit], m->stack_hash,
                             v->ld_len & 0xffffff};
  uint32_t *s = m->in[BS_STACK];
  const struct simt_context_ports *at = &m->stack_ctx;
  s[m->stack_status.halt] = part_halt(m, v, in);
  s[m->stack_status.reset] = in[m->whole_status.reset] || v->abort;
  s[m->stack_status.resume] = in[m->whole_status.resume];
  s[at->unit] = in[m->whole_ctx.unit];
  s[at->cmd_valid] = j->at == JOIN_FETCH || (j->at == JOIN_ASK && v->load);
  s[at->cmd_load] = j->at == JOIN_ASK;
  s[at->out_ready] = j->at == JOIN_HEAD || j->at == JOIN_DRAIN || sav_taken;
  s[at->in_valid] = j->at == JOIN_SPOIL || (v->load && (j->at == JOIN_LEAD || (j->at == JOIN_LOADING && v->ld_valid)));
  s[at->in_data] = j->at == JOIN_LEAD ? header[j->index] : v->ld_data;
  s[at->in_last] = j->at == JOIN_SPOIL || (j->at == JOIN_LOADING && v->ld_last);
  /* The stack refuses with the whole: its run-time registers stay as they were. */
  s[at->in_error] = j->at == JOIN_SPOIL || (s[at->in_last] && v->ld_refused) ? SIMT_STREAM_BAD_MEMORY : SIMT_STREAM_GOOD;
}

/* The next phase. */
static enum join_phase next_phase(struct join *j, const struct bs_model *m, const uint32_t *in, const struct bu_tail_view *v,
                                  bool sav_taken) {
  const uint32_t *s = m->out[BS_STACK];
  const struct simt_context_ports *at = &m->stack_ctx;
  bool commanded = in[m->whole_ctx.cmd_valid] && v->takes_command, takes = s[at->in_ready];
  switch (j->at) {
  case JOIN_IDLE: j->whole &= !commanded; return !commanded ? JOIN_IDLE : in[m->whole_ctx.cmd_load] ? JOIN_LOAD : JOIN_FETCH;
  case JOIN_FETCH: j->index = 0; return s[at->cmd_ready] ? JOIN_HEAD : j->at;
  case JOIN_HEAD:
    if (!s[at->out_valid]) return j->at;
    j->len = s[at->out_data] & 0xffffff;
    return ++j->index == SIMT_CONTEXT_HEAD ? JOIN_SAVE : j->at;
  case JOIN_SAVE: return commanded ? JOIN_SAVING : JOIN_DRAIN;
  case JOIN_SAVING: return sav_taken && s[at->out_last] ? JOIN_IDLE : v->save ? j->at : JOIN_DRAIN;
  case JOIN_LOAD: return commanded ? JOIN_WAIT : JOIN_IDLE;
  case JOIN_WAIT: return v->done ? JOIN_IDLE : v->ld_valid ? JOIN_ASK : j->at;
  case JOIN_ASK: j->index = 0; return !v->load ? JOIN_IDLE : s[at->cmd_ready] ? JOIN_LEAD : j->at;
  case JOIN_LEAD: return !v->load ? JOIN_SPOIL : takes && ++j->index == SIMT_CONTEXT_HEAD ? JOIN_LOADING : j->at;
  case JOIN_LOADING: return !v->load ? JOIN_SPOIL : v->ld_valid && v->ld_last && takes ? JOIN_END : j->at;
  case JOIN_END:
    j->bad = s[at->error] != 0;
    j->whole |= in[m->whole_status.reset] || v->abort;
    return s[at->done] ? JOIN_LAST : j->at;
  case JOIN_LAST: return v->ld_valid || !v->load ? JOIN_IDLE : j->at;
  case JOIN_SPOIL: return takes ? JOIN_SPOILT : j->at;
  default: return s[at->done] ? JOIN_IDLE : j->at; /* JOIN_DRAIN, JOIN_SPOILT */
  }
}

static void step_join(struct bs_model *m, const uint32_t *in, const struct bu_tail_view *v, bool sav_taken) {
  const uint32_t *s = m->out[BS_STACK];
  struct join *j = &m->join;
  const bool halt = part_halt(m, v, in);
  if (s[m->stack_at[0]] && in[m->mem.ready]) { /* a write has as many requests as beats and an answer, a read the other way round */
    const bool write = s[m->mem.write];
    if (!j->beat) j->due += write ? 1 : m->beats;
    j->beat = write && j->beat + 1 < m->beats ? j->beat + 1 : 0;
  }
  j->due -= in[m->mem.rsp] && s[m->stack_at[1]];
  j->at = next_phase(j, m, in, v, sav_taken);
  bool cleared = in[m->whole_status.reset] || v->abort || j->reset || j->stale;
  j->late = !cleared && (refused(m, in) || (j->late && !s[m->stack_status.nack]));
  j->stale = j->reset || (j->stale && !s[m->stack_at[2]] && !is_halted(m));
  j->reset = in[m->whole_status.reset] || v->abort;
  j->clears = v->abort;
  j->halt = halt;
}

/* Outputs of both parts into their buffers: the stack's first, the unit's see them. */
static void part_outputs(struct bs_model *m) {
  if (m->looked) return;
  m->part[BS_STACK].block->model.outputs(m->state[BS_STACK], m->out[BS_STACK]);
  struct bu_tail_view view = bu_view_tail(m->state[BS_UNIT], stack_halted(m));
  struct bu_tail tail = tail_of(m, &view, NULL);
  bu_outputs_tail(m->state[BS_UNIT], &tail, m->out[BS_UNIT]);
  m->looked = true;
}

void bs_outputs(const void *model, uint32_t *out) {
  struct bs_model *m = (struct bs_model *)model; /* which keeps what it has found */
  const struct reg_ports *u = &m->reg[BS_UNIT], *s = &m->reg[BS_STACK], *w = &m->whole;
  uint32_t *const *from = m->out;
  part_outputs(m);
  for (int p = 0; p < BS_PARTS; p++) do_copies(&m->outside_out[p], from[p], out);
  if (m->status) {
    out[m->whole_ctx.cmd_ready] = from[BS_UNIT][m->unit_ctx.cmd_ready] && opens(&m->join);
    if (m->join.whole && !m->join.bad) out[m->whole_ctx.error] = SIMT_CONTEXT_GOOD;
  }
  bool unit = from[BS_UNIT][u->rsp];
  out[w->ready] = from[BS_UNIT][u->ready] & from[BS_STACK][s->ready];
  out[w->rsp] = from[BS_UNIT][u->rsp] | from[BS_STACK][s->rsp];
  out[w->rsp_data] = unit ? from[BS_UNIT][u->rsp_data] : from[BS_STACK][s->rsp_data];
  out[w->rsp_error] = unit ? from[BS_UNIT][u->rsp_error] : from[BS_STACK][s->rsp_error];
}

/* An access is taken when both parts are free: one is under way at a time. */
static void drive_registers(struct bs_model *m, const uint32_t *in) {
  const struct reg_ports *w = &m->whole;
  bool free_both = m->out[BS_UNIT][m->reg[BS_UNIT].ready] && m->out[BS_STACK][m->reg[BS_STACK].ready];
  int selected = in[w->addr] & BS_REG_UNIT ? BS_UNIT : BS_STACK;
  for (int p = 0; p < BS_PARTS; p++) {
    const struct reg_ports *r = &m->reg[p];
    m->in[p][r->valid] = in[w->valid] && free_both && p == selected;
    m->in[p][r->write] = in[w->write];
    m->in[p][r->addr] = in[w->addr] & (BS_REG_UNIT - 1);
    m->in[p][r->data] = in[w->data];
  }
}

void bs_step(void *model, const uint32_t *in) {
  struct bs_model *m = model;
  struct bu_tail tail = {0};
  part_outputs(m);
  for (int p = 0; p < BS_PARTS; p++) {
    do_copies(&m->outside_in[p], in, m->in[p]);
    do_copies(&m->inside[p], m->out[p], m->in[p == BS_UNIT ? BS_STACK : BS_UNIT]);
    m->in[p][m->part_rst[p]] = in[m->rst];
  }
  drive_registers(m, in);
  if (m->status) {
    struct bu_tail_view view = bu_view_tail(m->state[BS_UNIT], stack_halted(m));
    tail = tail_of(m, &view, in);
    m->in[BS_UNIT][m->unit_status.halt] = part_halt(m, &view, in);
    m->in[BS_UNIT][m->unit_ctx.cmd_valid] = in[m->whole_ctx.cmd_valid] && opens(&m->join);
    bool sav_taken = bu_takes_tail(m->state[BS_UNIT], m->in[BS_UNIT], &tail);
    drive_stack(m, in, &view, sav_taken);
    step_join(m, in, &view, sav_taken);
  }
  bu_step_tail(m->state[BS_UNIT], m->in[BS_UNIT], &tail);
  m->part[BS_STACK].block->model.step(m->state[BS_STACK], m->in[BS_STACK]);
  m->looked = false;
  if (in[m->rst]) m->join = (struct join){.at = JOIN_IDLE};
}

void bs_parts(void *model, struct simt_image *image) {
  struct bs_model *m = model;
  simt_image_part(image, &m->join, sizeof m->join);
  for (int p = 0; p < BS_PARTS; p++) m->part[p].block->model.parts(m->state[p], image);
  simt_image_forget(image, &m->looked);
}

void bs_stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx) {
  const struct bs_model *m = model;
  m->part[BS_UNIT].block->model.stats(m->state[BS_UNIT], visit, ctx);
}
