/* SPDX-License-Identifier: Apache-2.0 */
/* transact.c: the cycle model of a block, its memory of callbacks and its registers, one cycle or access at a time. */
#include "core/transact.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- accesses under way ------------------------------------------------------------------------------- */

static bool before(const struct simt_access *a, const struct simt_access *b) {
  return a->due != b->due ? a->due < b->due : a->number < b->number;
}

void simt_agenda_add(struct simt_agenda *a, struct simt_access access) {
  size_t i = a->n++;
  for (; i && before(&access, &a->heap[(i - 1) / 2]); i = (i - 1) / 2) a->heap[i] = a->heap[(i - 1) / 2];
  a->heap[i] = access;
}

bool simt_agenda_due(const struct simt_agenda *a, uint64_t cycle) { return a->n && a->heap[0].due <= cycle; }

struct simt_access simt_agenda_take(struct simt_agenda *a) {
  struct simt_access top = a->heap[0], last = a->heap[--a->n];
  size_t i = 0;
  for (size_t child; (child = 2 * i + 1) < a->n; i = child) {
    if (child + 1 < a->n && before(&a->heap[child + 1], &a->heap[child])) child++;
    if (!before(&a->heap[child], &last)) break;
    a->heap[i] = a->heap[child];
  }
  a->heap[i] = last;
  return top;
}

/* ---- cycles ------------------------------------------------------------------------------------------- */

static void drive_memory(struct simt_transact *t) {
  t->in[t->at.req_ready] = 1;
  if (t->offered) return;
  t->in[t->at.rsp_valid] = t->offered = simt_agenda_due(&t->under_way, t->cycle);
  if (!t->offered) return;
  struct simt_access a = simt_agenda_take(&t->under_way);
  if (!a.write) a.error = t->memory.read(t->memory.ctx, a.addr, &t->in[t->at.rsp_data], t->word_bytes);
  t->in[t->at.rsp_tag] = a.tag;
  t->in[t->at.rsp_error] = a.error < 3 ? a.error : 3;
}

/* What has no strobe stays as it is in memory. */
static unsigned write_word(struct simt_transact *t, uint64_t addr) {
  const struct simt_remote *m = &t->memory;
  const uint8_t *data = (const uint8_t *)&t->out[t->at.req_data];
  const uint32_t *strobe = &t->out[t->at.req_strb];
  unsigned size = t->word_bytes, n = 0;
  for (unsigned i = 0; i < size; i++) n += strobe[i / 32] >> i % 32 & 1;
  if (n == size) return m->write(m->ctx, addr, data, size);
  unsigned error = m->read(m->ctx, addr, t->word, size);
  if (error) return error;
  for (unsigned i = 0; i < size; i++)
    if (strobe[i / 32] >> i % 32 & 1) t->word[i] = data[i];
  return m->write(m->ctx, addr, t->word, size);
}

static void take_request(struct simt_transact *t) {
  const struct simt_remote *m = &t->memory;
  struct simt_access a = {.number = t->accesses++, .addr = t->out[t->at.req_addr], .tag = t->out[t->at.req_tag],
                          .write = t->out[t->at.req_write]};
  if (t->addr_w > 32) a.addr = simt_get64(&t->out[t->at.req_addr]);
  unsigned latency = m->latency ? m->latency(m->ctx, t->cycle, a.addr, a.write) : m->cycles;
  a.due = t->cycle + simt_max1(latency);
  if (a.write) a.error = write_word(t, a.addr);
  simt_agenda_add(&t->under_way, a);
}

void simt_transact_tick(struct simt_transact *t) {
  if (t->drive) t->drive(t->level);
  if (t->word_bytes) {
    drive_memory(t);
    if (t->out[t->at.req_valid]) take_request(t);
    if (t->out[t->at.rsp_ready]) t->offered = false;
  }
  t->ops->step(t->model, t->in);
  if (t->reg_addr_w) t->in[t->reg.valid] = 0;
  t->cycle++;
  t->ops->outputs(t->model, t->out);
  if (t->look) t->look(t->level);
}

/* ---- life --------------------------------------------------------------------------------------------- */

static const struct simt_port *port(const struct simt_transact *t, const char *name) { return simt_find_port(&t->cfg, name); }

static void bind_ports(struct simt_transact *t) {
  if (port(t, "mem_req_valid_o")) {
    simt_mem_ports_bind(&t->at, &t->cfg);
    t->word_bytes = port(t, "mem_req_strb_o")->width;
    t->addr_w = port(t, "mem_req_addr_o")->width;
  }
  if (!port(t, "reg_req_valid_i")) return;
  simt_reg_ports_bind(&t->reg, &t->cfg);
  t->reg_addr_w = port(t, "reg_req_addr_i")->width;
}

static bool set_params(struct simt_config *cfg, const char *const *params, struct simt_diag *diag) {
  bool seen[SIMT_MAX_PARAMS] = {false};
  for (; params && *params; params++) {
    char name[SIMT_NAME_MAX];
    const char *equals = strchr(*params, '=');
    size_t length = equals ? (size_t)(equals - *params) : 0;
    if (!length || length >= sizeof name) return simt_fail(diag, "parameter", *params, "NAME=VALUE");
    snprintf(name, sizeof name, "%.*s", (int)length, *params);
    if (!simt_set_param(cfg, name, equals + 1, diag)) return false;
    bool *before = &seen[simt_param_index(cfg, name)];
    if (*before) return simt_fail(diag, name, equals + 1, "each parameter once; this is its second value");
    *before = true;
  }
  return true;
}

/* Memory and registers are calls: no bus. */
static bool check_plain(const struct simt_config *cfg, struct simt_diag *diag) {
  for (size_t i = cfg->block->n_params; cfg->core && i < cfg->n_params; i++) {
    char text[24];
    if (cfg->param[i]->choices && cfg->value[i] != cfg->param[i]->def)
      return simt_fail(diag, cfg->param[i]->name, simt_value_text(cfg->param[i], cfg->value[i], text),
                       "%s: memory and registers are calls here",
                       simt_value_text(cfg->param[i], cfg->param[i]->def, (char[24]){0}));
  }
  return true;
}

/* One memory, by calls: a block with several memory ports, or one with a name, has no such level. */
static bool check_one_port(const struct simt_config *cfg, struct simt_diag *diag) {
  char name[SIMT_MAX_MEM_PORTS][SIMT_NAME_MAX];
  const unsigned n = simt_mem_port_names(&cfg->desc, name);
  return !n || (n == 1 && !name[0][0]) || simt_fail(diag, "memory", name[n - 1], "one memory port without a name: use the cycle model");
}

static bool check_memory(const struct simt_remote *m, struct simt_diag *diag) {
  if (!(m && m->read && m->write)) return simt_fail(diag, "memory", "no function", "functions that read and write");
  return m->latency || m->cycles || simt_fail(diag, "cycles", "0", "at least 1, or a function latency");
}

static bool make_parts(struct simt_transact *t, struct simt_diag *diag) {
  bind_ports(t);
  t->ops = simt_model(&t->cfg);
  t->model = t->ops->create(&t->cfg, diag);
  t->in = calloc(t->cfg.desc.in_words, sizeof *t->in);
  t->out = calloc(t->cfg.desc.out_words, sizeof *t->out);
  size_t tags = t->word_bytes ? (size_t)1 << port(t, "mem_req_tag_o")->width : 1;
  t->under_way.heap = calloc(tags, sizeof *t->under_way.heap);
  t->word = malloc(t->word_bytes + 1);
  if (!(t->model && t->in && t->out && t->under_way.heap && t->word))
    return simt_fail(diag, t->cfg.name, "no memory", "memory for the model");
  t->ops->outputs(t->model, t->out);
  return true;
}

bool simt_transact_open(struct simt_transact *t, const struct simt_block *block, const char *const *params,
                        const struct simt_remote *memory, struct simt_diag *diag) {
  *t = (struct simt_transact){0};
  simt_config_init(&t->cfg, block);
  if (!(set_params(&t->cfg, params, diag) && simt_resolve(&t->cfg, diag) && check_plain(&t->cfg, diag) && check_one_port(&t->cfg, diag) &&
        (!simt_find_port(&t->cfg, "mem_req_valid_o") || check_memory(memory, diag))))
    return false;
  if (memory) t->memory = *memory;
  return make_parts(t, diag);
}

void simt_transact_close(struct simt_transact *t) {
  if (t->model) t->ops->destroy(t->model);
  simt_config_free(&t->cfg);
  free(t->in);
  free(t->out);
  free(t->under_way.heap);
  free(t->word);
}

/* ---- registers ---------------------------------------------------------------------------------------- */

static bool access_register(struct simt_transact *t, bool write, uint32_t addr, uint32_t *data) {
  if (!t->reg_addr_w || addr >> t->reg_addr_w) return false;
  for (bool accepted = false; !accepted;) {
    accepted = t->out[t->reg.ready];
    t->in[t->reg.valid] = 1;
    t->in[t->reg.write] = write;
    t->in[t->reg.addr] = addr;
    t->in[t->reg.data] = *data;
    simt_transact_tick(t);
  }
  while (!t->out[t->reg.rsp]) simt_transact_tick(t);
  bool good = !t->out[t->reg.rsp_error];
  if (!write && good) *data = t->out[t->reg.rsp_data];
  simt_transact_tick(t);
  return good;
}

bool simt_transact_read(struct simt_transact *t, uint32_t addr, uint32_t *data) { return access_register(t, false, addr, data); }

bool simt_transact_write(struct simt_transact *t, uint32_t addr, uint32_t data) { return access_register(t, true, addr, &data); }
