/* SPDX-License-Identifier: Apache-2.0 */
/* core.c: parameters, resolved interfaces and diagnostics, for all blocks. */
#include "core/records.h"
#include "core/registers.h"
#include "core/simt.h"
#include "core/wrap.h"

#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

bool simt_fail(struct simt_diag *diag, const char *name, const char *got, const char *expected, ...) {
  if (diag->failed) return false;
  diag->failed = true;
  snprintf(diag->name, sizeof diag->name, "%s", name ? name : "");
  snprintf(diag->got, sizeof diag->got, "%s", got ? got : "");
  va_list ap;
  va_start(ap, expected);
  vsnprintf(diag->expected, sizeof diag->expected, expected, ap);
  va_end(ap);
  return false;
}

unsigned simt_clog2(uint64_t n) {
  unsigned bits = 0;
  while (bits < 64 && ((uint64_t)1 << bits) < n) bits++;
  return bits;
}

/* ---- growing lists ------------------------------------------------------------------------------ */

/* Room for one more element; capacity doubles at powers of two. Running out of memory for a list of a few
 * hundred small records leaves nothing sensible to do. */
static void *grow(void *list, size_t n, size_t size) {
  if (n & (n - 1)) return list;
  void *bigger = realloc(list, (n ? 2 * n : 1) * size);
  if (!bigger) abort();
  return bigger;
}

#define APPEND(d, list, count) \
  ((d)->list = grow((d)->list, (d)->count, sizeof *(d)->list), \
   memset(&(d)->list[(d)->count], 0, sizeof *(d)->list), &(d)->list[(d)->count++])

#define FORMAT_NAME(to, last) do { \
    va_list ap_; \
    va_start(ap_, last); \
    vsnprintf(to, sizeof to, last, ap_); \
    va_end(ap_); \
  } while (0)

static struct simt_port *add_port(struct simt_desc *d, enum simt_dir dir, enum simt_role role,
                                  uint64_t width, const char *valid, const char *group, const char *doc) {
  struct simt_port *p = APPEND(d, ports, n_ports);
  p->dir = dir;
  p->role = role;
  p->width = (unsigned)width;
  snprintf(p->valid, sizeof p->valid, "%s", valid);
  p->group = group;
  p->doc = doc;
  if (role == SIMT_CLOCK) return p;
  p->words = (p->width + 31) / 32;
  unsigned *end = dir == SIMT_IN ? &d->in_words : &d->out_words;
  p->word = *end;
  *end += p->words;
  return p;
}

void simt_add_port(struct simt_desc *d, enum simt_dir dir, uint64_t width, const char *valid,
                   const char *group, const char *doc, const char *name, ...) {
  struct simt_port *p = add_port(d, dir, SIMT_DATA, width, valid, group, doc);
  FORMAT_NAME(p->name, name);
}

void simt_port_idle(struct simt_desc *d, unsigned bits, uint32_t value) {
  d->ports[d->n_ports - 1].idle_bits = bits;
  d->ports[d->n_ports - 1].idle = value;
}

void simt_port_parts(struct simt_desc *d, const char *format, ...) {
  struct simt_port *p = &d->ports[d->n_ports - 1];
  FORMAT_NAME(p->parts, format);
}

void simt_add_port_like(struct simt_desc *d, const struct simt_port *p) {
  simt_add_port(d, p->dir, p->width, p->valid, p->group, p->doc, "%s", p->name);
  simt_port_idle(d, p->idle_bits, p->idle);
  simt_port_parts(d, "%s", p->parts);
}

void simt_add_clock_reset(struct simt_desc *d) {
  strcpy(add_port(d, SIMT_IN, SIMT_CLOCK, 1, "", "clock", "Clock; all ports are synchronous to its rising edge.")->name,
         "clk_i");
  strcpy(add_port(d, SIMT_IN, SIMT_RESET, 1, "", "clock", "Synchronous reset, active high.")->name, "rst_i");
}

void simt_add_derived(struct simt_desc *d, const char *name, uint64_t value, bool in_core,
                      const char *unit, const char *doc) {
  *APPEND(d, derived, n_derived) = (struct simt_derived){.name = name, .value = value, .in_core = in_core, .unit = unit, .doc = doc};
}

void simt_add_core_param(struct simt_desc *d, const char *name, uint64_t value, const char *unit, const char *doc) {
  *APPEND(d, derived, n_derived) = (struct simt_derived){.name = name, .value = value, .core_param = true, .unit = unit, .doc = doc};
}

void simt_add_core_vector(struct simt_desc *d, const char *name, unsigned bits, size_t n, const uint32_t *element,
                          const char *unit, const char *doc) {
  uint32_t *copy = malloc((n ? n : 1) * sizeof *copy);
  if (!copy) abort();
  memcpy(copy, element, n * sizeof *copy);
  *APPEND(d, derived, n_derived) = (struct simt_derived){
    .name = name, .value = n, .core_param = true, .unit = unit, .doc = doc, .bits = bits, .element = copy};
}

void simt_add_core_input(struct simt_desc *d, uint64_t width, const char *name, const char *doc) {
  *APPEND(d, core_inputs, n_core_inputs) = (struct simt_core_input){.name = name, .doc = doc, .width = (unsigned)width};
}

void simt_add_reg(struct simt_desc *d, uint32_t addr, unsigned width, const char *access,
                  uint32_t reset, const char *req, const char *doc, const char *name, ...) {
  struct simt_reg *r = APPEND(d, regs, n_regs);
  *r = (struct simt_reg){.addr = addr, .width = width, .access = access, .reset = reset, .doc = doc, .req = req};
  FORMAT_NAME(r->name, name);
  simt_reg_default(r);
}

void simt_add_field(struct simt_desc *d, unsigned low, unsigned width, const char *name, const char *doc) {
  struct simt_field *f = APPEND(d, fields, n_fields);
  *f = (struct simt_field){.reg = d->n_regs - 1, .low = low, .width = width, .doc = doc};
  snprintf(f->name, sizeof f->name, "%s", name);
}

void simt_warn(struct simt_desc *d, const char *format, ...) {
  if (!d->warning[0]) FORMAT_NAME(d->warning, format);
}

void simt_not_switched(struct simt_desc *d, const char *why) { d->unswitched = why; }

void simt_add_cover(struct simt_desc *d, const char *req, const char *doc, const char *name, ...) {
  struct simt_cover *c = APPEND(d, covers, n_covers);
  c->doc = doc;
  c->req = req;
  FORMAT_NAME(c->name, name);
}

void simt_add_named_mem_port(struct simt_desc *d, const char *name, const struct simt_mem_widths *w) {
  static const char group[] = "memory";
  char req[SIMT_NAME_MAX], rsp[SIMT_NAME_MAX], write[SIMT_NAME_MAX];
  snprintf(req, sizeof req, "%smem_req_valid_o", name);
  snprintf(rsp, sizeof rsp, "%smem_rsp_valid_i", name);
  snprintf(write, sizeof write, "%smem_req_write_o", name);
  const enum simt_dir in = SIMT_IN, out = SIMT_OUT;
  simt_add_port(d, out, 1, "", group, "A memory request is offered; it holds still until taken.", "%smem_req_valid_o", name);
  simt_add_port(d, in, 1, "", group, "The memory takes the request of this cycle.", "%smem_req_ready_i", name);
  simt_add_port(d, out, 1, "", group, "The request offered is a write; 0 for a read and when none is offered.", "%smem_req_write_o", name);
  simt_add_port(d, out, w->tag_w, req, group, "Tag, returned with the answer; unique among requests under way.", "%smem_req_tag_o", name);
  simt_add_port(d, out, w->addr_w, req, group, "Byte address, aligned to the data width.", "%smem_req_addr_o", name);
  simt_add_port(d, out, w->data_w, write, group, "Write data, lowest byte first.", "%smem_req_data_o", name);
  simt_add_port(d, out, (w->data_w + 7) / 8, write, group, "Write strobe, one per byte.", "%smem_req_strb_o", name);
  simt_add_port(d, in, 1, "", group, "An answer (read data or write acknowledge) is offered, in any order.", "%smem_rsp_valid_i", name);
  simt_add_port(d, out, 1, "", group, "The answer of this cycle is taken.", "%smem_rsp_ready_o", name);
  simt_add_port(d, in, w->tag_w, rsp, group, "Tag of the request that is answered.", "%smem_rsp_tag_i", name);
  simt_add_port(d, in, w->data_w, rsp, group, "Read data; no meaning for write acknowledges.", "%smem_rsp_data_i", name);
  simt_add_port(d, in, 2, rsp, group, "0: done; else an error code; what becomes of it is the block's own rule.", "%smem_rsp_error_i", name);
}

void simt_add_mem_port(struct simt_desc *d, const struct simt_mem_widths *w) { simt_add_named_mem_port(d, "", w); }

const struct simt_port *simt_find_mem_port(const struct simt_desc *d, const char *name, const char *port) {
  const size_t n = strlen(name);
  for (size_t i = 0; i < d->n_ports; i++)
    if (!strncmp(d->ports[i].name, name, n) && !strcmp(d->ports[i].name + n, port)) return &d->ports[i];
  return NULL;
}

unsigned simt_mem_port_names(const struct simt_desc *d, char name[SIMT_MAX_MEM_PORTS][SIMT_NAME_MAX]) {
  static const char last[] = "mem_req_valid_o";
  unsigned n = 0;
  for (size_t i = 0; i < d->n_ports && n < SIMT_MAX_MEM_PORTS; i++) {
    const size_t len = strlen(d->ports[i].name), tail = sizeof last - 1;
    if (len < tail || strcmp(d->ports[i].name + len - tail, last) || (len > tail && d->ports[i].name[len - tail - 1] != '_')) continue;
    memcpy(name[n], d->ports[i].name, len - tail);
    name[n++][len - tail] = 0;
  }
  return n;
}

void simt_add_reg_port(struct simt_desc *d, unsigned addr_w) {
  static const char group[] = "registers", req[] = "reg_req_valid_i", rsp[] = "reg_rsp_valid_o";
  const enum simt_dir in = SIMT_IN, out = SIMT_OUT;
  simt_add_port(d, in, 1, "", group, "A register access is offered; hold it until taken.", "reg_req_valid_i");
  simt_add_port(d, out, 1, "", group, "The register access of this cycle is taken.", "reg_req_ready_o");
  simt_add_port(d, in, 1, req, group, "1: write, 0: read.", "reg_req_write_i");
  simt_add_port(d, in, addr_w, req, group, "Byte address, a multiple of 4.", "reg_req_addr_i");
  simt_add_port(d, in, 32, req, group, "Write data; whole words only.", "reg_req_data_i");
  simt_add_port(d, out, 1, "", group, "The answer to the last access taken; one cycle, no back-pressure.", "reg_rsp_valid_o");
  simt_add_port(d, out, 32, rsp, group, "Read data; 0 after a write.", "reg_rsp_data_o");
  simt_add_port(d, out, 1, rsp, group, "The access was refused: unknown address, value out of range, or not now.", "reg_rsp_error_o");
}

/* ---- blocks and configurations ------------------------------------------------------------------- */

const struct simt_block *simt_find_block(const char *name) {
  for (size_t i = 0; simt_blocks[i]; i++)
    if (!strcmp(simt_blocks[i]->name, name)) return simt_blocks[i];
  return NULL;
}

static unsigned edit_distance(const char *a, const char *b) {
  unsigned row[SIMT_NAME_MAX + 1];
  size_t nb = strlen(b);
  if (nb > SIMT_NAME_MAX) return SIMT_NAME_MAX;
  for (size_t j = 0; j <= nb; j++) row[j] = (unsigned)j;
  for (size_t i = 0; a[i]; i++) {
    unsigned diagonal = row[0];
    row[0] = (unsigned)i + 1;
    for (size_t j = 0; j < nb; j++) {
      char x = a[i], y = b[j];
      if (x >= 'A' && x <= 'Z') x = (char)(x + 32);
      if (y >= 'A' && y <= 'Z') y = (char)(y + 32);
      unsigned best = diagonal + (x != y);
      diagonal = row[j + 1];
      if (row[j + 1] + 1 < best) best = row[j + 1] + 1;
      if (row[j] + 1 < best) best = row[j] + 1;
      row[j + 1] = best;
    }
  }
  return row[nb];
}

/* Of names as near as each other, the one goes first that has another word behind what was given, then one with the same end. */
const char *simt_nearest(const char *got, const char *const *names) {
  const char *best = NULL;
  size_t len = strlen(got);
  unsigned limit = len < 4 ? 1 : len < 8 ? 2 : 3, least = UINT_MAX;
  for (; len && len <= SIMT_NAME_MAX && *names && **names; names++) {
    bool begins = !strncmp(got, *names, len) && (*names)[len] == '_', same_end = got[len - 1] == (*names)[strlen(*names) - 1];
    unsigned d = edit_distance(got, *names), rank;
    if (begins && d > 1) d = 1;
    rank = 4 * d + (begins ? 0 : 2) + (same_end ? 0 : 1);
    if (d <= limit && rank < least) best = *names, least = rank;
  }
  return best;
}

/* The number among the choices that is nearest to a number given, of two the larger; NULL: it is none. */
static const char *nearest_number(const char *got, const char *const *choices) {
  const char *best = NULL;
  uint64_t least = UINT64_MAX;
  if (!got[0] || got[strspn(got, "0123456789")]) return NULL;
  uint64_t wanted = strtoull(got, NULL, 10);
  for (; *choices; choices++) {
    if ((*choices)[strspn(*choices, "0123456789")]) continue;
    uint64_t value = strtoull(*choices, NULL, 10), apart = value > wanted ? value - wanted : wanted - value;
    if (apart < least || (apart == least && value > wanted)) best = *choices, least = apart;
  }
  return best;
}

const struct simt_param *simt_block_param(const struct simt_block *block, size_t place) {
  if (block->params) return &block->params[place];
  const struct simt_origin *o = &block->origins[place];
  if (o->own) return o->own;
  for (size_t i = 0; i < o->of->n_params; i++)
    if (!strcmp(simt_block_param(o->of, i)->name, o->name)) return simt_block_param(o->of, i);
  abort(); /* a mistake in the block's table */
}

void simt_config_init(struct simt_config *cfg, const struct simt_block *block) {
  memset(cfg, 0, sizeof *cfg);
  cfg->block = block;
  snprintf(cfg->name, sizeof cfg->name, "%s", block->name);
  for (size_t i = 0; i < block->n_params; i++) {
    cfg->param[i] = simt_block_param(block, i);
    cfg->value[i] = cfg->param[i]->def;
  }
  cfg->n_params = block->n_params;
  simt_wrap_options(cfg);
}

int simt_param_index(const struct simt_config *cfg, const char *name) {
  for (size_t i = 0; i < cfg->n_params; i++)
    if (!strcmp(cfg->param[i]->name, name)) return (int)i;
  return -1;
}

const char *simt_value_text(const struct simt_param *p, uint64_t value, char buf[24]) {
  if (p->choices) return p->choices[value];
  snprintf(buf, 24, "%" PRIu64, value);
  return buf;
}

static bool bad_name(const struct simt_config *cfg, const char *name, struct simt_diag *diag) {
  const char *port = simt_wrap_port(name);
  if (port) {
    simt_fail(diag, name, "an option for a port", "no such option: %s has no %s", cfg->block->name, port);
    snprintf(diag->hint, sizeof diag->hint, "leave it out; its ports: simtgen describe %s", cfg->block->name);
    return false;
  }
  const char *names[SIMT_MAX_PARAMS + 1];
  const struct simt_block *block = cfg->block;
  for (size_t i = 0; i < cfg->n_params; i++) names[i] = cfg->param[i]->name;
  names[cfg->n_params] = NULL;
  const char *near = simt_nearest(name, names);
  simt_fail(diag, name, "an unknown parameter", "a parameter of %s", block->name);
  if (near) snprintf(diag->hint, sizeof diag->hint, "did you mean %s?", near);
  else snprintf(diag->hint, sizeof diag->hint, "see: simtgen describe %s", block->name);
  return false;
}

static bool set_choice(struct simt_config *cfg, int index, const char *text, struct simt_diag *diag) {
  const struct simt_param *p = cfg->param[index];
  char all[200] = "";
  for (size_t i = 0; p->choices[i]; i++) {
    if (!strcmp(p->choices[i], text)) {
      cfg->value[index] = i;
      cfg->given[index] = true;
      return true;
    }
    size_t used = strlen(all);
    snprintf(all + used, sizeof all - used, "%s%s", i ? ", " : "", p->choices[i]);
  }
  simt_fail(diag, p->name, text, "one of %s (%s)", all, p->doc);
  const char *near = nearest_number(text, p->choices);
  if (!near) near = simt_nearest(text, p->choices);
  if (near) snprintf(diag->hint, sizeof diag->hint, "did you mean %s?", near);
  return false;
}

/* A whole number as text: decimal, or hexadecimal behind 0x; a decimal one may end in k (1,024) or M (1,048,576), as sizes do. */
static bool read_number(const char *text, uint64_t *to) {
  char *end;
  errno = 0;
  *to = strtoull(text, &end, 0);
  if (text[0] < '0' || text[0] > '9' || errno) return false;
  const unsigned shift = *end == 'k' ? 10 : *end == 'M' ? 20 : 0;
  if (!shift) return !*end;
  if (end[1] || end[-1] < '0' || end[-1] > '9' || text[1] == 'x' || text[1] == 'X' || *to > UINT64_MAX >> shift) return false;
  *to <<= shift;
  return true;
}

bool simt_set_param(struct simt_config *cfg, const char *name, const char *text, struct simt_diag *diag) {
  int index = simt_param_index(cfg, name);
  if (index < 0) return bad_name(cfg, name, diag);
  const struct simt_param *p = cfg->param[index];
  if (p->choices) return set_choice(cfg, index, text, diag);

  uint64_t v;
  const char *unit = p->unit[0] ? " " : "";
  if (!read_number(text, &v))
    return simt_fail(diag, p->name, text, "a whole number %" PRIu64 "..%" PRIu64 "%s%s (%s)", p->min, p->max,
                     unit, p->unit, p->doc);
  if (v < p->min || v > p->max || ((p->flags & SIMT_POW2) && (v & (v - 1))))
    return simt_fail(diag, p->name, text, "%s%" PRIu64 "..%" PRIu64 "%s%s (%s)",
                     p->flags & SIMT_POW2 ? "a power of two " : "", p->min, p->max, unit, p->unit, p->doc);
  cfg->value[index] = v;
  cfg->given[index] = true;
  return true;
}

uint64_t simt_param(const struct simt_config *cfg, const char *name) {
  int index = simt_param_index(cfg, name);
  if (index < 0) abort();
  return cfg->value[index];
}

const struct simt_derived *simt_find_derived(const struct simt_config *cfg, const char *name) {
  for (size_t i = 0; i < cfg->desc.n_derived; i++)
    if (!strcmp(cfg->desc.derived[i].name, name)) return &cfg->desc.derived[i];
  return NULL;
}

uint64_t simt_derived(const struct simt_config *cfg, const char *name) {
  const struct simt_derived *v = simt_find_derived(cfg, name);
  if (!v) abort();
  return v->value;
}

bool simt_block_resolve(const struct simt_config *cfg, struct simt_desc *d, struct simt_diag *diag) {
  const struct simt_block *b = cfg->block;
  return b->resolve_config ? b->resolve_config(cfg, d, diag) : b->resolve(cfg->value, d, diag);
}

static void free_desc(struct simt_config *cfg);

bool simt_resolve(struct simt_config *cfg, struct simt_diag *diag) {
  if (cfg->block->defaults) cfg->block->defaults(cfg->value, cfg->given);
  if (simt_check_records(cfg, diag) && simt_block_resolve(cfg, &cfg->desc, diag) && simt_wrap_resolve(cfg, diag)) return true;
  free_desc(cfg);
  return false;
}

void simt_config_free(struct simt_config *cfg) {
  free_desc(cfg);
  simt_free_records(&cfg->records);
}

static void free_desc(struct simt_config *cfg) {
  if (cfg->core) simt_config_free(cfg->core);
  free(cfg->core);
  cfg->core = NULL;
  cfg->n_wraps = 0;
  for (size_t i = 0; i < cfg->desc.n_derived; i++) free(cfg->desc.derived[i].element);
  free(cfg->desc.ports);
  free(cfg->desc.derived);
  free(cfg->desc.regs);
  free(cfg->desc.fields);
  free(cfg->desc.covers);
  free(cfg->desc.core_inputs);
  memset(&cfg->desc, 0, sizeof cfg->desc);
}

const struct simt_config *simt_plain(const struct simt_config *cfg) { return cfg->core ? cfg->core : cfg; }

bool simt_check_plain(const struct simt_config *cfg, struct simt_diag *diag) {
  return !cfg->core || simt_fail(diag, cfg->name, "the block's own model for a configuration with a bus",
                                 "the model of the whole: simt_model(&cfg)");
}

const struct simt_model_ops *simt_model(const struct simt_config *cfg) {
  return cfg->core ? &simt_wrap_model : &cfg->block->model;
}

const struct simt_port *simt_find_port(const struct simt_config *cfg, const char *name) {
  for (size_t i = 0; i < cfg->desc.n_ports; i++)
    if (!strcmp(cfg->desc.ports[i].name, name)) return &cfg->desc.ports[i];
  return NULL;
}
