/* SPDX-License-Identifier: Apache-2.0 */
/* context_port.c: the save and load streams of a unit's context, cycle by cycle. */
#include "core/context_port.h"

enum { LAST_OF_HEAD = SIMT_CONTEXT_HEAD - 1 };

/* ---- words ---------------------------------------------------------------------------------------- */

uint32_t simt_crc32_word(uint32_t crc, uint32_t word) {
  crc ^= word;
  for (unsigned i = 0; i < 32; i++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320 : 0);
  return crc;
}

uint32_t simt_context_hash(const uint64_t *value, size_t n) {
  uint32_t h = 0x811c9dc5;
  for (size_t i = 0; i < n; i++) h = (h ^ (uint32_t)value[i]) * 0x01000193;
  return h;
}

/* ---- ports ---------------------------------------------------------------------------------------- */

void simt_add_context_ports(struct simt_desc *d) {
  static const char group[] = "context";
  const enum simt_dir in = SIMT_IN, out = SIMT_OUT;
  simt_add_port(d, in, 16, "", group, "Number of this unit, written into its contexts; constant.", "ctx_unit_i");
  simt_add_port(d, in, 1, "", group, "A save or a load is wanted; hold it until taken.", "ctx_cmd_valid_i");
  simt_add_port(d, in, 1, "ctx_cmd_valid_i", group, "1: load, 0: save.", "ctx_cmd_load_i");
  simt_add_port(d, out, 1, "", group, "The command is taken in this cycle; 1 only while halted.", "ctx_cmd_ready_o");
  simt_add_port(d, out, 1, "", group, "Pulse: the save or load has ended.", "ctx_done_o");
  simt_add_port(d, out, 3, "ctx_done_o", group, "0 good, 2 type or configuration, 3 unit, 4 length, 5 checksum, 6 memory.", "ctx_error_o");
  simt_add_port(d, out, 1, "", group, "A word of the saved context is offered; it holds still until taken.", "ctx_out_valid_o");
  simt_add_port(d, in, 1, "", group, "The word is taken.", "ctx_out_ready_i");
  simt_add_port(d, out, 32, "ctx_out_valid_o", group, "The word.", "ctx_out_data_o");
  simt_add_port(d, out, 1, "ctx_out_valid_o", group, "It is the last one.", "ctx_out_last_o");
  simt_add_port(d, in, 1, "", group, "A word of the context to load is offered; hold it until taken.", "ctx_in_valid_i");
  simt_add_port(d, out, 1, "", group, "The word is taken in this cycle.", "ctx_in_ready_o");
  simt_add_port(d, in, 32, "ctx_in_valid_i", group, "The word.", "ctx_in_data_i");
  simt_add_port(d, in, 1, "ctx_in_valid_i", group, "It is the last one that comes.", "ctx_in_last_i");
  simt_add_port(d, in, 2, "ctx_in_valid_i", group, "With the last word: 0 good, 1 the checksum was wrong (error 5), 2 or 3 memory failed (error 6); else 0.", "ctx_in_error_i");
}

struct simt_context_ports simt_find_context_ports(const struct simt_config *cfg) {
  struct simt_context_ports at;
  const struct { const char *name; unsigned *word; } ports[] = {
    {"ctx_unit_i", &at.unit}, {"ctx_cmd_valid_i", &at.cmd_valid}, {"ctx_cmd_load_i", &at.cmd_load},
    {"ctx_cmd_ready_o", &at.cmd_ready}, {"ctx_done_o", &at.done}, {"ctx_error_o", &at.error},
    {"ctx_out_valid_o", &at.out_valid}, {"ctx_out_ready_i", &at.out_ready}, {"ctx_out_data_o", &at.out_data},
    {"ctx_out_last_o", &at.out_last}, {"ctx_in_valid_i", &at.in_valid}, {"ctx_in_ready_o", &at.in_ready},
    {"ctx_in_data_i", &at.in_data}, {"ctx_in_last_i", &at.in_last}, {"ctx_in_error_i", &at.in_error}};
  for (size_t i = 0; i < sizeof ports / sizeof *ports; i++)
    *ports[i].word = simt_find_port(cfg, ports[i].name)->word;
  return at;
}

/* ---- a cycle -------------------------------------------------------------------------------------- */

void simt_context_reset(struct simt_context_port *p) {
  p->r = (struct simt_context_registers){.phase = SIMT_CONTEXT_IDLE};
}

static bool spoiled(const struct simt_context_port *p, const struct simt_context_unit *u) {
  return p->r.spoiled || !u->halted;
}

static bool cmd_ready(const struct simt_context_port *p, const struct simt_context_unit *u) {
  return p->r.phase == SIMT_CONTEXT_IDLE && !p->r.done && u->halted && u->can_halt;
}

/* The word of the stream that a save offers in this cycle. */
struct offered { bool valid, last; uint32_t word; };

static struct offered offer(const struct simt_context_port *p, const struct simt_context_unit *u) {
  const struct simt_context_registers *r = &p->r;
  const uint32_t head[SIMT_CONTEXT_HEAD] = {p->unit_type << 16 | r->unit, p->cfg_hash, u->len};
  if (r->loading) return (struct offered){0};
  if (r->phase == SIMT_CONTEXT_IN_HEAD)
    return (struct offered){true, r->index == LAST_OF_HEAD && !u->len, head[r->index]};
  if (r->phase != SIMT_CONTEXT_IN_BODY) return (struct offered){0};
  return (struct offered){u->sav_valid || spoiled(p, u), u->sav_last || spoiled(p, u), spoiled(p, u) ? 0 : u->sav_data};
}

bool simt_context_gives(const struct simt_context_port *p, bool halted) {
  const struct simt_context_registers *r = &p->r;
  const bool good = r->word_last == (r->left == 1) && !r->word_error && !r->spoiled;
  return halted && r->held && r->phase == SIMT_CONTEXT_IN_BODY && good;
}

/* The word of a load that is now held waits: for the unit, or to be compared with the header's. */
static bool waits(const struct simt_context_port *p, const struct simt_context_unit *u) {
  return p->r.phase == SIMT_CONTEXT_IN_HEAD ? !p->r.compared : simt_context_gives(p, u->halted) && !u->ld_ready;
}

static bool in_ready(const struct simt_context_port *p, const struct simt_context_unit *u) {
  const struct simt_context_registers *r = &p->r;
  if (!r->loading || r->phase == SIMT_CONTEXT_END) return false;
  return !r->held || (!r->word_last && !waits(p, u));
}

struct simt_context_to_unit simt_context_to_unit(const struct simt_context_port *p, const struct simt_context_unit *u,
                                                 const struct simt_context_ports *at, const uint32_t *in) {
  const struct simt_context_registers *r = &p->r;
  return (struct simt_context_to_unit){
    .sav_taken = !r->loading && r->phase == SIMT_CONTEXT_IN_BODY && in[at->out_ready] && !spoiled(p, u) && u->sav_valid,
    .ld_taken = simt_context_gives(p, u->halted) && u->ld_ready,
    .ld_last = r->left == 1,
    .ld_data = r->word};
}

static void end(struct simt_context_registers *r) {
  if (!r->error && r->spoiled) r->error = SIMT_CONTEXT_BAD_SUM;
  if (!r->error && r->loading && r->bad) r->error = SIMT_CONTEXT_BAD_LENGTH;
  r->done = true;
  r->commit = r->load && !r->error;
  r->abort = r->load && r->error;
  r->phase = SIMT_CONTEXT_IDLE;
  r->loading = false;
}

static void save_step(struct simt_context_registers *r, bool leaves, bool last) {
  if (r->phase == SIMT_CONTEXT_END) {
    end(r);
    return;
  }
  if (!leaves) return;
  if (r->phase == SIMT_CONTEXT_IN_HEAD && r->index++ == LAST_OF_HEAD) r->phase = SIMT_CONTEXT_IN_BODY;
  if (!last) return;
  r->phase = SIMT_CONTEXT_END;
  r->save = false;
}

static uint8_t wrong_in_head(const struct simt_context_port *p) {
  const uint32_t w = p->r.word;
  switch (p->r.index) {
    case 0: return w >> 16 != p->unit_type ? SIMT_CONTEXT_BAD_TYPE : (w & 0xffff) != p->r.unit ? SIMT_CONTEXT_BAD_UNIT : 0;
    case 1: return w != p->cfg_hash ? SIMT_CONTEXT_BAD_TYPE : 0;
    default: return w > p->ctx_max || (!w && !p->may_be_empty) ? SIMT_CONTEXT_BAD_LENGTH : 0;
  }
}

/* What is wrong with the word of a load, or 0. */
static uint8_t wrong(const struct simt_context_port *p) {
  const struct simt_context_registers *r = &p->r;
  const bool in_head = r->phase == SIMT_CONTEXT_IN_HEAD;
  const bool ends = in_head ? r->index == LAST_OF_HEAD && !r->word : r->left == 1;
  if (r->phase == SIMT_CONTEXT_DROP) return 0;
  if (r->word_error & SIMT_STREAM_BAD_MEMORY) return SIMT_CONTEXT_BAD_MEMORY;
  if (r->spoiled) return SIMT_CONTEXT_BAD_SUM;
  if (in_head && r->head_wrong) return r->head_wrong;
  if (r->word_last != ends) return SIMT_CONTEXT_BAD_LENGTH;
  return r->word_error ? SIMT_CONTEXT_BAD_SUM : 0;
}

/* The word of a load leaves, judged. */
static void judge(struct simt_context_registers *r, uint8_t error, bool bad) {
  if (error) {
    r->error = error;
    r->phase = SIMT_CONTEXT_DROP;
  } else if (r->phase == SIMT_CONTEXT_IN_HEAD) {
    if (r->index++ == LAST_OF_HEAD) {
      r->left = r->len = r->word;
      r->load = true;
      r->phase = SIMT_CONTEXT_IN_BODY;
    }
  } else if (r->phase == SIMT_CONTEXT_IN_BODY) {
    r->bad = bad;
    r->left--;
  }
  if (r->word_last) r->phase = SIMT_CONTEXT_END;
}

static void load_step(struct simt_context_port *p, const struct simt_context_unit *u, bool bad, bool enters,
                      const struct simt_context_ports *at, const uint32_t *in) {
  struct simt_context_registers *r = &p->r;
  const bool in_head = r->phase == SIMT_CONTEXT_IN_HEAD, leaves = r->held && !waits(p, u);
  const uint8_t error = wrong(p), head_wrong = in_head ? wrong_in_head(p) : 0;
  const bool compared = in_head && r->held && !r->compared;
  if (r->phase == SIMT_CONTEXT_END) end(r);
  else if (leaves) judge(r, error, bad);
  if (leaves) r->held = false;
  r->compared = compared;
  r->head_wrong = head_wrong;
  if (!enters) return;
  r->held = true;
  r->word = in[at->in_data];
  r->word_last = in[at->in_last];
  r->word_error = (uint8_t)in[at->in_error];
}

void simt_context_step(struct simt_context_port *p, const struct simt_context_unit *u, bool bad,
                       const struct simt_context_ports *at, const uint32_t *in) {
  struct simt_context_registers *r = &p->r;
  const bool taken = cmd_ready(p, u) && in[at->cmd_valid];
  const bool enters = in[at->in_valid] && in_ready(p, u), loaded = r->commit || r->abort;
  const struct offered o = offer(p, u);
  r->done = r->commit = r->abort = false;
  if (loaded) r->load = false;
  if (taken) {
    *r = (struct simt_context_registers){.phase = SIMT_CONTEXT_IN_HEAD, .loading = in[at->cmd_load] != 0};
    r->save = !r->loading;
  } else if (r->phase != SIMT_CONTEXT_IDLE) {
    r->spoiled = spoiled(p, u);
    if (r->loading) load_step(p, u, bad, enters, at, in);
    else save_step(r, o.valid && in[at->out_ready], o.last);
  }
  r->unit = (uint16_t)in[at->unit];
}

void simt_context_outputs(const struct simt_context_port *p, const struct simt_context_unit *u,
                          const struct simt_context_ports *at, uint32_t *out) {
  const struct simt_context_registers *r = &p->r;
  const struct offered o = offer(p, u);
  out[at->cmd_ready] = cmd_ready(p, u);
  out[at->done] = r->done;
  out[at->error] = r->error;
  out[at->out_valid] = o.valid;
  out[at->out_data] = o.word;
  out[at->out_last] = o.last;
  out[at->in_ready] = in_ready(p, u);
}
