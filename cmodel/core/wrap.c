/* SPDX-License-Identifier: Apache-2.0 */
/* wrap.c: the options for bus wrappers, the ports that they give, and the model of block and wrappers. */
#include "core/image.h"
#include "core/parts.h"
#include "core/wrap.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- options ---------------------------------------------------------------------------------------- */

enum { PLAIN, MAX_BUS_W = 1024, PAGE_BYTES = 4096, MAX_BEATS = 256 };

static const char *const buses[] = {"plain", "axi4", NULL};
static const char *const register_buses[] = {"plain", "axi4-lite", NULL};
static const char *const resets[] = {"sync", "async_low", NULL};
static const char *const widths[] = {"full", "8", "16", "32", "64", "128", "256", "512", "1024", NULL};

/* Of each memory port, in their order. */
#define MEMORY_OPTIONS(n, which) { \
  {"bus" n, PLAIN, 0, 1, SIMT_GEN_ONLY, buses, "", "bus at the " which "memory port", ""}, \
  {"bus" n "_width", 0, 0, 8, SIMT_GEN_ONLY, widths, "", \
   "data bits of the bus; full: as wide as the memory port; narrower: bursts", ""}, \
  {"bus" n "_reads", 8, 2, 64, SIMT_GEN_ONLY | SIMT_POW2, NULL, "reads", \
   "bursts read at a time, when the bus is narrower than the memory port", ""}}
enum { BUS, BUS_WIDTH, BUS_READS, MEMORY_OPTIONS_N };
static const struct simt_param memory_options[SIMT_MAX_MEM_PORTS][MEMORY_OPTIONS_N] = {
  MEMORY_OPTIONS("", ""), MEMORY_OPTIONS("2", "second "), MEMORY_OPTIONS("3", "third "), MEMORY_OPTIONS("4", "fourth ")};
static const char *const beats_names[SIMT_MAX_MEM_PORTS] = {"BUS_BEATS", "BUS2_BEATS", "BUS3_BEATS", "BUS4_BEATS"};
static const char *const reads_names[SIMT_MAX_MEM_PORTS] = {"BUS_READS", "BUS2_READS", "BUS3_READS", "BUS4_READS"};
static const struct simt_param register_options[] = {
  {"regs", PLAIN, 0, 1, SIMT_GEN_ONLY, register_buses, "", "bus at the register port", ""},
};

static const struct simt_param common_options[] = {
  {"reset", PLAIN, 0, 1, SIMT_GEN_ONLY, resets, "", "async_low: one more module, with an asynchronous reset rst_ni", ""},
};

const char *simt_wrap_port(const char *option) {
  static const char *const ports[SIMT_MAX_MEM_PORTS] = {"memory port", "second memory port", "third memory port", "fourth memory port"};
  for (unsigned i = 0; i < SIMT_MAX_MEM_PORTS; i++)
    for (unsigned k = 0; k < MEMORY_OPTIONS_N; k++)
      if (!strcmp(memory_options[i][k].name, option)) return ports[i];
  return strcmp(register_options[0].name, option) ? NULL : "register port";
}

static const struct simt_port *find(const struct simt_desc *d, const char *name) {
  for (size_t i = 0; i < d->n_ports; i++)
    if (!strcmp(d->ports[i].name, name)) return &d->ports[i];
  return NULL;
}

static void add_options(struct simt_config *cfg, const struct simt_param *p, size_t n) {
  for (; n && cfg->n_params < SIMT_MAX_PARAMS; n--, p++) {
    cfg->param[cfg->n_params] = p;
    cfg->value[cfg->n_params++] = p->def;
  }
}

void simt_wrap_options(struct simt_config *cfg) {
  struct simt_diag ignored = {0};
  struct simt_config plain = *cfg;
  if (simt_block_resolve(cfg, &plain.desc, &ignored)) {
    char name[SIMT_MAX_MEM_PORTS][SIMT_NAME_MAX];
    const unsigned ports = simt_mem_port_names(&plain.desc, name);
    for (unsigned i = 0; i < ports; i++) add_options(cfg, memory_options[i], MEMORY_OPTIONS_N);
    if (find(&plain.desc, "reg_req_valid_i")) add_options(cfg, register_options, sizeof register_options / sizeof *register_options);
    add_options(cfg, common_options, sizeof common_options / sizeof *common_options);
  }
  simt_config_free(&plain);
}

/* ---- ports ------------------------------------------------------------------------------------------ */

struct channel { const char *name; enum simt_dir dir; unsigned width; const char *doc; }; /* first: its valid */

static void add_channel(struct simt_desc *d, const char *group, const char *prefix, const struct channel *c, size_t n) {
  char valid[SIMT_NAME_MAX];
  size_t len = (size_t)snprintf(valid, sizeof valid, "%s", prefix);
  snprintf(valid + len, sizeof valid - len, "%s", c->name);
  for (size_t i = 0; i < n; i++)
    simt_add_port(d, c[i].dir, c[i].width, i < 2 ? "" : valid, group, c[i].doc, "%s%s", prefix, c[i].name);
}

#define ADD(d, prefix, list) add_channel(d, group, prefix, list, sizeof list / sizeof *list)

static void add_axi4(struct simt_desc *d, const char *port, unsigned id_w, unsigned addr_w, unsigned bus_w) {
  static const char group[] = "memory";
  char p[SIMT_NAME_MAX + 8];
  snprintf(p, sizeof p, "%sm_axi_", port);
  const enum simt_dir in = SIMT_IN, out = SIMT_OUT;
  const struct channel aw[] = {
    {"awvalid", out, 1, "A write address is offered."}, {"awready", in, 1, "It is taken."},
    {"awid", out, id_w, "Tag of the write."}, {"awaddr", out, addr_w, "Byte address, aligned to the burst."},
    {"awlen", out, 8, "Beats of the burst, less one; constant."}, {"awsize", out, 3, "log2 of the bytes of a beat; constant."},
    {"awburst", out, 2, "1: incrementing."}, {"awcache", out, 4, "2: normal, neither cached nor buffered."},
    {"awprot", out, 3, "0: data, secure, unprivileged."}};
  const struct channel wd[] = {
    {"wvalid", out, 1, "A beat of write data is offered."}, {"wready", in, 1, "It is taken."},
    {"wdata", out, bus_w, "Write data, lowest byte first."}, {"wstrb", out, bus_w / 8, "Write strobe, one per byte."},
    {"wlast", out, 1, "The last beat of the burst."}};
  const struct channel b[] = {
    {"bvalid", in, 1, "A write response is offered."}, {"bready", out, 1, "It is taken."},
    {"bid", in, id_w, "Tag of the write that is done."}, {"bresp", in, 2, "0 done, 2 slave error, 3 decode error."}};
  const struct channel ar[] = {
    {"arvalid", out, 1, "A read address is offered."}, {"arready", in, 1, "It is taken."},
    {"arid", out, id_w, "Id of the read: its tag, or with bursts the number of its buffer."},
    {"araddr", out, addr_w, "Byte address, aligned to the burst."},
    {"arlen", out, 8, "Beats of the burst, less one; constant."}, {"arsize", out, 3, "log2 of the bytes of a beat; constant."},
    {"arburst", out, 2, "1: incrementing."}, {"arcache", out, 4, "2: normal, neither cached nor buffered."},
    {"arprot", out, 3, "0: data, secure, unprivileged."}};
  const struct channel r[] = {
    {"rvalid", in, 1, "A beat of read data is offered; beats of different ids may alternate."}, {"rready", out, 1, "It is taken."},
    {"rid", in, id_w, "Id of the read."}, {"rdata", in, bus_w, "Read data, lowest byte first."},
    {"rresp", in, 2, "0 done, 2 slave error, 3 decode error."}, {"rlast", in, 1, "The last beat of the burst."}};
  ADD(d, p, aw);
  ADD(d, p, wd);
  ADD(d, p, b);
  ADD(d, p, ar);
  ADD(d, p, r);
}

static void add_axi4_lite(struct simt_desc *d, unsigned addr_w) {
  static const char group[] = "registers", p[] = "s_axil_";
  const enum simt_dir in = SIMT_IN, out = SIMT_OUT;
  const struct channel aw[] = {
    {"awvalid", in, 1, "A write address is offered."}, {"awready", out, 1, "It is taken, together with the data."},
    {"awaddr", in, addr_w, "Byte address, a multiple of 4."}, {"awprot", in, 3, "Not looked at."}};
  const struct channel wd[] = {
    {"wvalid", in, 1, "Write data are offered."}, {"wready", out, 1, "They are taken, together with the address."},
    {"wdata", in, 32, "Write data."}, {"wstrb", in, 4, "All ones; other writes are refused and do nothing."}};
  const struct channel b[] = {
    {"bvalid", out, 1, "A write response is offered."}, {"bready", in, 1, "It is taken."},
    {"bresp", out, 2, "0 done; 2 refused: unknown or unaligned address, strobes, value out of range, or not now."}};
  const struct channel ar[] = {
    {"arvalid", in, 1, "A read address is offered."}, {"arready", out, 1, "It is taken."},
    {"araddr", in, addr_w, "Byte address, a multiple of 4."}, {"arprot", in, 3, "Not looked at."}};
  const struct channel r[] = {
    {"rvalid", out, 1, "Read data are offered."}, {"rready", in, 1, "They are taken."},
    {"rdata", out, 32, "Read data."}, {"rresp", out, 2, "0 done; 2 refused: no such register."}};
  ADD(d, p, aw);
  ADD(d, p, wd);
  ADD(d, p, b);
  ADD(d, p, ar);
  ADD(d, p, r);
}

/* ---- resolve ---------------------------------------------------------------------------------------- */

static uint64_t option(const struct simt_config *cfg, const char *name) {
  int i = simt_param_index(cfg, name);
  return i < 0 ? 0 : cfg->value[i];
}

static struct simt_wrap *add_wrap(struct simt_config *cfg, const struct simt_wrapper *kind) {
  struct simt_wrap *w = &cfg->wrap[cfg->n_wraps++];
  *w = (struct simt_wrap){.kind = kind};
  return w;
}

static void wrap_param(struct simt_wrap *w, const char *name, uint64_t value) {
  w->param[w->n_params].name = name;
  w->param[w->n_params++].value = value;
}

/* Whether the memory port suits the bus, and the bus's width. */
static bool bus_width(const struct simt_config *cfg, const struct simt_desc *d, const char *port, const struct simt_param *o,
                      unsigned *bus_w, struct simt_diag *diag) {
  unsigned data_w = simt_find_mem_port(d, port, "mem_req_data_o")->width, tag_w = simt_find_mem_port(d, port, "mem_req_tag_o")->width;
  unsigned choice = (unsigned)option(cfg, o[BUS_WIDTH].name);
  const char *got = widths[choice];
  *bus_w = choice ? 4u << choice : data_w;
  if (data_w < 8 || (data_w & (data_w - 1)) || data_w / 8 > PAGE_BYTES || tag_w > 32)
    return simt_fail(diag, o[BUS].name, "axi4", "plain: this memory port does not fit AXI4 (data of %u bits, tags of %u)", data_w, tag_w);
  if (*bus_w > MAX_BUS_W)
    return simt_fail(diag, o[BUS_WIDTH].name, got, "at most %d bits (AXI4); the memory port has %u", MAX_BUS_W, data_w);
  if (*bus_w > data_w) return simt_fail(diag, o[BUS_WIDTH].name, got, "at most the %u bits of the memory port", data_w);
  if (data_w / *bus_w > MAX_BEATS)
    return simt_fail(diag, o[BUS_WIDTH].name, got, "at least %u bits (a burst has at most %d beats)", data_w / MAX_BEATS, MAX_BEATS);
  return true;
}

/* A block whose memory port moves an access in several beats says so by a derived value; the wrapper takes one. */
static bool in_beats(const struct simt_desc *plain) {
  for (size_t i = 0; i < plain->n_derived; i++)
    if (!strcmp(plain->derived[i].name, "MEM_BEATS") && plain->derived[i].value > 1) return true;
  return false;
}

static bool wrap_memory(struct simt_config *cfg, const struct simt_desc *plain, const char *port, const struct simt_param *o, struct simt_diag *diag) {
  unsigned bus_w;
  if (option(cfg, o[BUS].name) == PLAIN) {
    uint64_t width = option(cfg, o[BUS_WIDTH].name);
    if (width) return simt_fail(diag, o[BUS_WIDTH].name, widths[width], "full while %s is plain", o[BUS].name);
    return true;
  }
  if (in_beats(plain)) return simt_fail(diag, o[BUS].name, "axi4", "plain: the memory port moves an access in beats");
  if (!bus_width(cfg, plain, port, o, &bus_w, diag)) return false;
  unsigned data_w = simt_find_mem_port(plain, port, "mem_req_data_o")->width, tag_w = simt_find_mem_port(plain, port, "mem_req_tag_o")->width;
  uint64_t reads = option(cfg, o[BUS_READS].name);
  if (tag_w < 6 && reads > (uint64_t)1 << tag_w) reads = (uint64_t)1 << tag_w; /* there are no more at a time */
  struct simt_wrap *w = add_wrap(cfg, &simt_axi4_master);
  snprintf(w->port, sizeof w->port, "%.47s", port);
  wrap_param(w, "ADDR_W", simt_find_mem_port(plain, port, "mem_req_addr_o")->width);
  wrap_param(w, "DATA_W", data_w);
  wrap_param(w, "BUS_W", bus_w);
  wrap_param(w, "TAG_W", tag_w);
  wrap_param(w, "READS", reads);
  return true;
}

/* `name` without what stands before the wrapper's ports, or NULL. */
static const char *behind(const struct simt_wrap *w, const char *name) {
  size_t n = strlen(w->port);
  return strncmp(name, w->port, n) ? NULL : name + n;
}

bool simt_wraps(const struct simt_wrap *w, const char *port) {
  size_t n = strlen(w->kind->core);
  const char *rest = behind(w, port);
  return rest && !strncmp(rest, w->kind->core, n) && (!strncmp(rest + n, "req_", 4) || !strncmp(rest + n, "rsp_", 4));
}

bool simt_is_bus(const struct simt_wrap *w, const char *port) {
  const char *rest = behind(w, port);
  return rest && !strncmp(rest, w->kind->bus, strlen(w->kind->bus));
}

static const struct simt_wrap *wrap_of(const struct simt_config *cfg, const char *port) {
  for (size_t i = 0; i < cfg->n_wraps; i++)
    if (simt_wraps(&cfg->wrap[i], port)) return &cfg->wrap[i];
  return NULL;
}

/* Which memory port it is, in their order. */
static unsigned place_of(const struct simt_desc *plain, const struct simt_wrap *w) {
  char name[SIMT_MAX_MEM_PORTS][SIMT_NAME_MAX];
  unsigned i = simt_mem_port_names(plain, name);
  while (i && strcmp(name[i - 1], w->port)) i--;
  return i ? i - 1 : 0;
}

static void add_bus(struct simt_config *cfg, const struct simt_wrap *w) {
  struct simt_desc *d = &cfg->desc, *plain = &cfg->core->desc;
  if (w->kind == &simt_axi4_master) {
    unsigned bus_w = (unsigned)w->param[2].value, beats = (unsigned)(w->param[1].value / bus_w), at = place_of(plain, w);
    simt_add_derived(d, beats_names[at], beats, false, "beats", "of a burst on the memory bus");
    if (beats > 1) simt_add_derived(d, reads_names[at], w->param[4].value, false, "reads", "bursts read at a time");
    add_axi4(d, w->port, (unsigned)w->param[3].value, (unsigned)w->param[0].value, bus_w);
  } else {
    add_axi4_lite(d, find(plain, "reg_req_addr_i")->width);
  }
}

/* The block's description with the buses in place of the ports that the wrappers take. */
static void rebuild(struct simt_config *cfg) {
  const struct simt_desc *from = &cfg->core->desc;
  struct simt_desc *d = &cfg->desc;
  bool done[SIMT_MAX_WRAPS] = {false};
  for (size_t i = 0; i < from->n_derived; i++) {
    const struct simt_derived *v = &from->derived[i];
    if (v->bits) simt_add_core_vector(d, v->name, v->bits, v->value, v->element, v->unit, v->doc);
    else if (v->core_param) simt_add_core_param(d, v->name, v->value, v->unit, v->doc);
    else simt_add_derived(d, v->name, v->value, v->in_core, v->unit, v->doc);
  }
  for (size_t i = 0; i < from->n_ports; i++) {
    const struct simt_port *p = &from->ports[i];
    const struct simt_wrap *wrap = wrap_of(cfg, p->name);
    if (!wrap) {
      simt_add_port_like(d, p);
      struct simt_port *added = &d->ports[d->n_ports - 1];
      if (p->role == SIMT_CLOCK) d->in_words -= added->words, added->words = 0;
      added->role = p->role;
    }
    if (wrap && !done[wrap - cfg->wrap]) add_bus(cfg, wrap), done[wrap - cfg->wrap] = true;
  }
  simt_add_regs_of(d, cfg->core, 0);
  for (size_t i = 0; i < from->n_covers; i++)
    simt_add_cover(d, from->covers[i].req, from->covers[i].doc, "%s", from->covers[i].name);
  memcpy(d->warning, from->warning, sizeof d->warning);
  cfg->core_word = d->out_words;
  d->out_words += from->out_words;
}

bool simt_wrap_resolve(struct simt_config *cfg, struct simt_diag *diag) {
  char name[SIMT_MAX_MEM_PORTS][SIMT_NAME_MAX];
  const unsigned ports = simt_mem_port_names(&cfg->desc, name);
  for (unsigned i = 0; i < ports; i++)
    if (!wrap_memory(cfg, &cfg->desc, name[i], memory_options[i], diag)) return false;
  if (option(cfg, "regs") != PLAIN)
    wrap_param(add_wrap(cfg, &simt_axi4_lite_regs), "ADDR_W", find(&cfg->desc, "reg_req_addr_i")->width);
  if (!cfg->n_wraps) return true;
  cfg->core = malloc(sizeof *cfg->core);
  if (!cfg->core) return simt_fail(diag, cfg->name, "no memory", "memory for a configuration");
  *cfg->core = *cfg;
  cfg->core->core = NULL;
  cfg->core->n_wraps = 0;
  memset(&cfg->core->records, 0, sizeof cfg->core->records); /* still those of cfg */
  if (!simt_copy_records(cfg->core, cfg)) return simt_fail(diag, cfg->name, "no memory", "memory for a configuration");
  for (size_t i = cfg->block->n_params; i < cfg->n_params; i++) cfg->core->value[i] = cfg->param[i]->def;
  memset(&cfg->desc, 0, sizeof cfg->desc);
  rebuild(cfg);
  return true;
}

/* ---- wrappers side by side -------------------------------------------------------------------------- */

struct span { unsigned from, to, n; }; /* words: in the block's buffer, in that of the whole */
struct simt_wraps {
  const struct simt_config *cfg;
  void *wrapper[SIMT_MAX_WRAPS];
  size_t n_in, n_out;
  struct span *span; /* ports that pass: inputs, then outputs */
};

static size_t find_spans(struct simt_wraps *w, enum simt_dir dir, size_t at) {
  const struct simt_desc *d = &w->cfg->core->desc;
  for (size_t i = 0; i < d->n_ports; i++) {
    const struct simt_port *p = &d->ports[i];
    if (p->dir != dir || p->role == SIMT_CLOCK || wrap_of(w->cfg, p->name)) continue;
    const struct simt_port *to = find(&w->cfg->desc, p->name);
    w->span[at++] = (struct span){p->word, to->word, p->words};
  }
  return at;
}

struct simt_wraps *simt_wraps_create(const struct simt_config *cfg) {
  struct simt_wraps *w = calloc(1, sizeof *w);
  if (!w) return NULL;
  w->cfg = cfg;
  w->span = calloc(cfg->core->desc.n_ports + 1, sizeof *w->span);
  bool good = w->span;
  for (size_t i = 0; good && i < cfg->n_wraps; i++) good = (w->wrapper[i] = cfg->wrap[i].kind->create(cfg, &cfg->wrap[i]));
  if (!good) {
    simt_wraps_destroy(w);
    return NULL;
  }
  w->n_in = find_spans(w, SIMT_IN, 0);
  w->n_out = find_spans(w, SIMT_OUT, w->n_in) - w->n_in;
  return w;
}

void simt_wraps_destroy(struct simt_wraps *w) {
  if (!w) return;
  for (size_t i = 0; i < SIMT_MAX_WRAPS; i++)
    if (w->wrapper[i]) w->cfg->wrap[i].kind->destroy(w->wrapper[i]);
  free(w->span);
  free(w);
}

static void *state_of(const struct simt_wraps *w, size_t i, size_t *size) {
  return w->cfg->wrap[i].kind->state(w->wrapper[i], size);
}

void simt_wraps_reset(struct simt_wraps *w) {
  for (size_t i = 0, size; i < w->cfg->n_wraps; i++) {
    void *state = state_of(w, i, &size);
    memset(state, 0, size);
  }
}

void simt_wraps_outputs(const struct simt_wraps *w, const uint32_t *core_out, uint32_t *out) {
  for (const struct span *s = w->span + w->n_in, *end = s + w->n_out; s < end; s++)
    for (unsigned i = 0; i < s->n; i++) out[s->to + i] = core_out[s->from + i];
  for (size_t i = 0; i < w->cfg->n_wraps; i++) w->cfg->wrap[i].kind->outputs(w->wrapper[i], core_out, out);
}

void simt_wraps_inputs(const struct simt_wraps *w, const uint32_t *in, const uint32_t *core_out, uint32_t *core_in) {
  for (const struct span *s = w->span, *end = s + w->n_in; s < end; s++)
    for (unsigned i = 0; i < s->n; i++) core_in[s->from + i] = in[s->to + i];
  for (size_t i = 0; i < w->cfg->n_wraps; i++) w->cfg->wrap[i].kind->inputs(w->wrapper[i], in, core_out, core_in);
}

void simt_wraps_pass(const struct simt_wraps *w, const uint32_t *core_in, uint32_t *in) {
  for (const struct span *s = w->span, *end = s + w->n_in; s < end; s++)
    for (unsigned i = 0; i < s->n; i++) in[s->to + i] = core_in[s->from + i];
}

void simt_wraps_step(struct simt_wraps *w, const uint32_t *in, const uint32_t *core_out) {
  if (in[w->cfg->desc.ports[1].word]) simt_wraps_reset(w); /* rst_i: simt_add_clock_reset comes first */
  else
    for (size_t i = 0; i < w->cfg->n_wraps; i++) w->cfg->wrap[i].kind->step(w->wrapper[i], in, core_out);
}

/* ---- block and wrappers as one model ------------------------------------------------------------------ */

struct whole {
  const struct simt_config *cfg;
  const struct simt_model_ops *ops; /* of the block */
  void *core;
  struct simt_wraps *wraps;
  uint32_t *core_in, *core_out;
  bool current; /* core_out is of this cycle */
};

static void destroy(void *model) {
  struct whole *m = model;
  if (m->core) m->ops->destroy(m->core);
  simt_wraps_destroy(m->wraps);
  free(m->core_in);
  free(m->core_out);
  free(m);
}

static void *create(const struct simt_config *cfg, struct simt_diag *diag) {
  struct whole *m = calloc(1, sizeof *m);
  if (m) {
    m->cfg = cfg;
    m->ops = &cfg->block->model;
    m->core = m->ops->create(cfg->core, diag);
    m->wraps = simt_wraps_create(cfg);
    m->core_in = calloc(cfg->core->desc.in_words + 1, sizeof *m->core_in);
    m->core_out = calloc(cfg->core->desc.out_words + 1, sizeof *m->core_out);
    if (m->core && m->wraps && m->core_in && m->core_out) return m;
    destroy(m);
  }
  simt_fail(diag, cfg->name, "no memory", "memory for the model");
  return NULL;
}

static void reset(void *model) {
  struct whole *m = model;
  m->ops->reset(m->core);
  simt_wraps_reset(m->wraps);
  m->current = false;
}

static void core_outputs(struct whole *m) {
  if (!m->current) m->ops->outputs(m->core, m->core_out);
  m->current = true;
}

static void outputs(const void *model, uint32_t *out) {
  struct whole *m = (struct whole *)model; /* what it keeps follows from the state */
  core_outputs(m);
  simt_wraps_outputs(m->wraps, m->core_out, out);
  memcpy(out + m->cfg->core_word, m->core_out, m->cfg->core->desc.out_words * sizeof *out);
}

static void step(void *model, const uint32_t *in) {
  struct whole *m = model;
  core_outputs(m);
  simt_wraps_inputs(m->wraps, in, m->core_out, m->core_in);
  simt_wraps_step(m->wraps, in, m->core_out);
  m->ops->step(m->core, m->core_in);
  m->current = false;
}

static void parts(void *model, struct simt_image *image) {
  struct whole *m = model;
  m->ops->parts(m->core, image);
  for (size_t i = 0, size; i < m->cfg->n_wraps; i++) {
    void *state = state_of(m->wraps, i, &size);
    simt_image_part(image, state, size);
  }
  simt_image_forget(image, &m->current);
}

static void stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx) {
  const struct whole *m = model;
  m->ops->stats(m->core, visit, ctx);
}

const struct simt_model_ops simt_wrap_model = {create, destroy, reset, outputs, step, simt_save, simt_load, stats, parts};
