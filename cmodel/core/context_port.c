/* SPDX-License-Identifier: Apache-2.0 */
/* context_port.c: the save and load streams of a unit's context, cycle by cycle. */
#include "core/context_port.h"

enum { LAST_OF_HEAD = SIMT_CONTEXT_HEAD - 1 };
static const uint32_t RESIDUE = 0xdebb20e3; /* the register once the checksum itself has gone through */

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
  simt_add_port(d, out, 3, "ctx_done_o", group, "0 good, 1 magic, 2 type or configuration, 3 unit, 4 length, 5 checksum, 6 memory.", "ctx_error_o");
  simt_add_port(d, out, 1, "", group, "A word of the saved context is offered; it holds still until taken.", "ctx_out_valid_o");
  simt_add_port(d, in, 1, "", group, "The word is taken.", "ctx_out_ready_i");
  simt_add_port(d, out, 32, "ctx_out_valid_o", group, "The word.", "ctx_out_data_o");
  simt_add_port(d, out, 1, "ctx_out_valid_o", group, "It is the last one, the checksum.", "ctx_out_last_o");
  simt_add_port(d, in, 1, "", group, "A word of the context to load is offered; hold it until taken.", "ctx_in_valid_i");
  simt_add_port(d, out, 1, "", group, "The word is taken in this cycle.", "ctx_in_ready_o");
  simt_add_port(d, in, 32, "ctx_in_valid_i", group, "The word.", "ctx_in_data_i");
  simt_add_port(d, in, 1, "ctx_in_valid_i", group, "It is the last one that comes.", "ctx_in_last_i");
  simt_add_port(d, in, 1, "ctx_in_valid_i", group, "It could not be read: the load ends with error 6.", "ctx_in_error_i");
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

/* The word of a load that is now held goes to the unit. */
static bool for_unit(const struct simt_context_port *p) {
  const struct simt_context_registers *r = &p->r;
  return r->word_valid && r->loading && r->phase == SIMT_CONTEXT_IN_BODY && !r->word_last && !r->word_error &&
         !r->spoiled;
}

/* The word of a load that is now held waits: for the unit, or to be compared with the header's. */
static bool stays(const struct simt_context_port *p, const struct simt_context_unit *u) {
  return p->r.phase == SIMT_CONTEXT_IN_HEAD ? !p->r.seen : for_unit(p) && !u->ld_ready;
}

static bool word_leaves(const struct simt_context_port *p, const struct simt_context_unit *u, bool out_ready) {
  if (!p->r.word_valid) return false;
  return p->r.loading ? !stays(p, u) : out_ready;
}

static bool cmd_ready(const struct simt_context_port *p, const struct simt_context_unit *u) {
  return p->r.phase == SIMT_CONTEXT_IDLE && !p->r.done && u->halted && u->can_halt;
}

static bool in_ready(const struct simt_context_port *p, const struct simt_context_unit *u) {
  const struct simt_context_registers *r = &p->r;
  if (!r->loading || r->phase == SIMT_CONTEXT_IDLE || r->phase == SIMT_CONTEXT_END) return false;
  return !r->word_valid || (!r->word_last && !stays(p, u));
}

struct simt_context_to_unit simt_context_to_unit(const struct simt_context_port *p, const struct simt_context_unit *u,
                                                 const struct simt_context_ports *at, const uint32_t *in) {
  const struct simt_context_registers *r = &p->r;
  bool room = !r->word_valid || word_leaves(p, u, in[at->out_ready]);
  return (struct simt_context_to_unit){
    .sav_taken = !r->loading && r->phase == SIMT_CONTEXT_IN_BODY && room && !spoiled(p, u) && u->sav_valid,
    .ld_taken = for_unit(p) && u->ld_ready,
    .ld_last = r->left == 1,
    .ld_data = r->word};
}

static void put_word(struct simt_context_registers *r, uint32_t word, bool last, bool error) {
  r->word = word;
  r->word_last = last;
  r->word_error = error;
  r->word_valid = true;
}

static uint32_t header(const struct simt_context_port *p, uint32_t unit, uint32_t len) {
  const uint32_t head[SIMT_CONTEXT_HEAD] = {SIMT_CONTEXT_MAGIC, p->unit_type << 16 | unit, p->cfg_hash, len};
  return head[p->r.index];
}

static void end(struct simt_context_registers *r) {
  bool bad_sum = r->spoiled || (r->loading && r->crc != RESIDUE);
  uint8_t sum = bad_sum ? SIMT_CONTEXT_BAD_SUM : SIMT_CONTEXT_GOOD;
  if (!sum && r->loading && r->bad) sum = SIMT_CONTEXT_BAD_LENGTH;
  if (!r->error) r->error = sum;
  r->done = true;
  r->commit = r->load && !r->error;
  r->abort = r->load && r->error;
  r->phase = SIMT_CONTEXT_IDLE;
  r->loading = false;
}

static void save_step(struct simt_context_port *p, const struct simt_context_unit *u, bool room, bool leaves,
                      uint32_t unit) {
  struct simt_context_registers *r = &p->r;
  if (room && r->phase != SIMT_CONTEXT_IN_SUM) r->word_valid = false;
  switch (r->phase) {
    case SIMT_CONTEXT_IN_HEAD:
      if (!room) return;
      put_word(r, header(p, unit, u->len), false, false);
      if (r->index++ < LAST_OF_HEAD) return;
      r->left = r->len = u->len;
      r->phase = SIMT_CONTEXT_IN_BODY;
      break;
    case SIMT_CONTEXT_IN_BODY:
      if (!room || !(u->sav_valid || r->spoiled)) return;
      put_word(r, r->spoiled ? r->crc : u->sav_data, false, false);
      if (u->sav_last != (r->left == 1)) r->spoiled = true;
      if (--r->left == 0) r->phase = SIMT_CONTEXT_IN_SUM;
      break;
    case SIMT_CONTEXT_IN_SUM:
      if (!r->word_valid) {
        put_word(r, r->spoiled ? r->crc : ~r->crc, true, false);
        r->phase = SIMT_CONTEXT_END;
      } else if (leaves) {
        r->word_valid = false;
      }
      break;
    default:
      if (leaves) end(r);
  }
  if (r->phase != SIMT_CONTEXT_IN_HEAD && r->phase != SIMT_CONTEXT_IN_BODY) r->save = false;
}

static uint8_t wrong_in_head(const struct simt_context_port *p, uint32_t unit) {
  const uint32_t w = p->r.word;
  switch (p->r.index) {
    case 0: return w != SIMT_CONTEXT_MAGIC ? SIMT_CONTEXT_BAD_MAGIC : 0;
    case 1: return w >> 16 != p->unit_type ? SIMT_CONTEXT_BAD_TYPE : (w & 0xffff) != unit ? SIMT_CONTEXT_BAD_UNIT : 0;
    case 2: return w != p->cfg_hash ? SIMT_CONTEXT_BAD_TYPE : 0;
    default: return !w || w > p->ctx_max ? SIMT_CONTEXT_BAD_LENGTH : 0;
  }
}

/* What is wrong with the word of a load, or 0. */
static uint8_t wrong(const struct simt_context_port *p) {
  const struct simt_context_registers *r = &p->r;
  if (r->phase == SIMT_CONTEXT_DROP) return 0;
  if (r->word_error) return SIMT_CONTEXT_BAD_MEMORY;
  if (r->spoiled) return SIMT_CONTEXT_BAD_SUM;
  if (r->phase == SIMT_CONTEXT_IN_HEAD && r->head_wrong) return r->head_wrong;
  return r->word_last != (r->phase == SIMT_CONTEXT_IN_SUM) ? SIMT_CONTEXT_BAD_LENGTH : 0;
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
    if (--r->left == 0) r->phase = SIMT_CONTEXT_IN_SUM;
  }
  if (r->word_last) r->phase = SIMT_CONTEXT_END;
}

static void load_step(struct simt_context_port *p, bool bad, bool leaves, bool enters,
                      const struct simt_context_ports *at, const uint32_t *in) {
  struct simt_context_registers *r = &p->r;
  const uint8_t error = wrong(p), head_wrong = r->phase == SIMT_CONTEXT_IN_HEAD ? wrong_in_head(p, in[at->unit]) : 0;
  const bool seen = r->phase == SIMT_CONTEXT_IN_HEAD && r->word_valid && !r->seen;
  if (r->phase == SIMT_CONTEXT_END) end(r);
  else if (leaves) judge(r, error, bad);
  if (leaves) r->word_valid = false;
  r->seen = seen;
  r->head_wrong = head_wrong;
  if (enters) put_word(r, in[at->in_data], in[at->in_last], in[at->in_error]);
}

void simt_context_step(struct simt_context_port *p, const struct simt_context_unit *u, bool bad,
                       const struct simt_context_ports *at, const uint32_t *in) {
  struct simt_context_registers *r = &p->r;
  const bool taken = cmd_ready(p, u) && in[at->cmd_valid];
  const bool leaves = word_leaves(p, u, in[at->out_ready]), enters = in[at->in_valid] && in_ready(p, u);
  const bool loaded = r->commit || r->abort;
  const uint32_t crc = r->phase == SIMT_CONTEXT_IDLE ? ~0u : leaves ? simt_crc32_word(r->crc, r->word) : r->crc;
  r->done = r->commit = r->abort = false;
  if (loaded) r->load = false;
  if (taken) {
    *r = (struct simt_context_registers){.phase = SIMT_CONTEXT_IN_HEAD, .loading = in[at->cmd_load] != 0};
    r->save = !r->loading;
  } else if (r->phase != SIMT_CONTEXT_IDLE) {
    r->spoiled = spoiled(p, u);
    if (r->loading) load_step(p, bad, leaves, enters, at, in);
    else save_step(p, u, !r->word_valid || leaves, leaves, in[at->unit]);
  }
  r->crc = crc;
}

void simt_context_outputs(const struct simt_context_port *p, const struct simt_context_unit *u,
                          const struct simt_context_ports *at, uint32_t *out) {
  const struct simt_context_registers *r = &p->r;
  out[at->cmd_ready] = cmd_ready(p, u);
  out[at->done] = r->done;
  out[at->error] = r->error;
  out[at->out_valid] = r->word_valid && !r->loading;
  out[at->out_data] = r->word;
  out[at->out_last] = r->word_last;
  out[at->in_ready] = in_ready(p, u);
}
