/* SPDX-License-Identifier: Apache-2.0 */
/* model.c: the C header of an instance: its parameters as constants and typed access to each port in
 * the word buffers of the cycle model. It needs no other file, in C11 or C++11. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "gen.h"
#include "core/topology.h"

/* NAME as the prefix of macros: capitals, and an underscore for whatever is no letter or digit. */
static const char *upper(char to[SIMT_NAME_MAX * 2], const char *name) {
  size_t i = 0;
  for (; name[i] && i < SIMT_NAME_MAX * 2 - 1; i++)
    to[i] = isalnum((unsigned char)name[i]) ? (char)toupper((unsigned char)name[i]) : '_';
  to[i] = 0;
  return to;
}

static void constant(struct text *t, const char *prefix, const char *name, uint64_t value, const char *doc) {
  text_add(t, value > UINT32_MAX ? "#define %s_%s UINT64_C(%" PRIu64 ")" : "#define %s_%s %" PRIu64 "u",
           prefix, name, value);
  text_add(t, doc[0] ? " /* %s */\n" : "\n", doc);
}

/* A vector as the initializer of an array. */
static void derived(struct text *t, const char *prefix, const struct simt_derived *v) {
  if (!v->bits) {
    constant(t, prefix, v->name, v->value, v->doc);
    return;
  }
  text_add(t, "#define %s_%s { /* %s */", prefix, v->name, v->doc);
  for (size_t i = 0; i < v->value; i++) text_add(t, "%s%" PRIu32, i ? i % 16 ? ", " : ", \\\n  " : " \\\n  ", v->element[i]);
  text_add(t, "}\n");
}

/* The cells of the block's lists, in the order in which libsimt takes them. */
static void records(struct text *t, const struct simt_config *cfg, const char *prefix) {
  const struct simt_lists *ls = cfg->block->lists;
  if (!ls) return;
  text_add(t, "\n\n/* X(list, record, column, value): the cells of the records of each list, in order (simt_add_record,\n"
              " * simt_set_cell). */\n#define %s_RECORDS(X)", prefix);
  for (size_t i = 0; i < ls->n; i++)
    for (size_t k = 0; k < cfg->records.list[i].n; k++)
      for (size_t c = 0; c < ls->list[i].n_columns; c++) {
        const struct simt_cell *cell = &cfg->records.list[i].record[k].cell[c];
        if (cell->given) text_add(t, " \\\n  X(\"%s\", %zu, \"%s\", \"%s\")", ls->list[i].name, k, ls->list[i].column[c].name, cell->text);
      }
}

void emit_numbers(struct text *t, const struct simt_config *cfg, const char *prefix) {
  struct simt_topology topology;
  struct simt_diag none = {0};
  if (cfg->block->lists != &simt_topology_lists || !cfg->records.given || !simt_topology_make(cfg, &topology, &none)) return;
  text_add(t, "\n/* ---- numbers of units, connections, switch domains, deadlock domains */\n");
  for (unsigned u = 0; u < topology.units; u++) text_add(t, "#define %s_UNIT_IS_%s %uu\n", prefix, topology.unit[u].name, u);
  for (unsigned c = 0; c < topology.conns; c++) text_add(t, "#define %s_CONN_IS_%s %uu\n", prefix, topology.conn[c].name, c);
  for (unsigned d = 0; d < topology.domains; d++) text_add(t, "#define %s_DOMAIN_IS_%s %uu\n", prefix, topology.domain_name[d], d);
  for (unsigned d = 0; d < topology.dead_domains; d++) text_add(t, "#define %s_DEAD_IS_%s %uu\n", prefix, topology.dead_name[d], d);
  simt_topology_free(&topology);
}

static void constants(struct text *t, const struct simt_config *cfg, const char *prefix) {
  const struct simt_block *b = cfg->block;
  char buf[24], choice[SIMT_NAME_MAX * 2], name[SIMT_NAME_MAX * 2], full[SIMT_NAME_MAX * 4];
  text_add(t, "/* ---- parameters */\n#define %s_BLOCK \"%s\"\n", prefix, b->name);
  for (size_t i = 0; i < cfg->n_params; i++) {
    const struct simt_param *p = cfg->param[i];
    if (simt_replaced(cfg, i)) continue;
    constant(t, prefix, upper(name, p->name), cfg->value[i], p->doc);
    for (size_t k = 0; p->choices && p->choices[k]; k++) {
      snprintf(full, sizeof full, "%s_%s", name, upper(choice, p->choices[k]));
      constant(t, prefix, full, k, "");
    }
  }
  text_add(t, "\n/* X(parameter, value), both as text: all that libsimt needs to make this configuration again. */\n"
              "#define %s_PARAMETERS(X)", prefix);
  for (size_t i = 0; i < cfg->n_params; i++)
    if (!simt_replaced(cfg, i))
      text_add(t, " \\\n  X(\"%s\", \"%s\")", cfg->param[i]->name, simt_value_text(cfg->param[i], cfg->value[i], buf));
  records(t, cfg, prefix);
  text_add(t, "\n\n/* ---- values that follow from the parameters */\n");
  for (size_t i = 0; i < cfg->desc.n_derived; i++) derived(t, prefix, &cfg->desc.derived[i]);
  emit_numbers(t, cfg, prefix);
}

/* Access to a port of at most 64 bits by value. */
static void narrow_port(struct text *t, const char *name, const struct simt_port *p) {
  const char *buffer = p->dir == SIMT_IN ? "in" : "out";
  uint64_t mask = p->width == 64 ? UINT64_MAX : ((uint64_t)1 << p->width) - 1;
  text_add(t, "static inline uint64_t %s_get_%s(const uint32_t *%s) {\n", name, p->name, buffer);
  if (p->words == 1)
    text_add(t, "  return %s[%u] & 0x%" PRIx64 "u;\n}\n", buffer, p->word, mask);
  else
    text_add(t, "  return (%s[%u] | (uint64_t)%s[%u] << 32) & UINT64_C(0x%" PRIx64 ");\n}\n", buffer, p->word,
             buffer, p->word + 1, mask);
  if (p->dir == SIMT_OUT) return;
  text_add(t, "static inline void %s_set_%s(uint32_t *in, uint64_t value) {\n"
              "  in[%u] = (uint32_t)value & 0x%" PRIx64 "u;\n", name, p->name, p->word, mask & UINT32_MAX);
  if (p->words == 2)
    text_add(t, "  in[%u] = (uint32_t)(value >> 32) & 0x%" PRIx64 "u;\n", p->word + 1, mask >> 32);
  text_add(t, "}\n");
}

/* Access to a wider port by words, the lowest first, and by bit. */
static void wide_port(struct text *t, const char *name, const char *prefix, const struct simt_port *p) {
  const char *buffer = p->dir == SIMT_IN ? "in" : "out";
  unsigned rest = p->width % 32;
  char big[SIMT_NAME_MAX * 2];
  upper(big, p->name);
  text_add(t, "#define %s_%s_WORDS %uu\n", prefix, big, p->words);
  text_add(t, "static inline const uint32_t *%s_get_%s(const uint32_t *%s) { return %s + %u; }\n", name, p->name,
           buffer, buffer, p->word);
  text_add(t, "static inline uint32_t %s_bit_%s(const uint32_t *%s, unsigned bit) {\n"
              "  return %s[%u + bit / 32] >> bit %% 32 & 1u;\n}\n", name, p->name, buffer, buffer, p->word);
  if (p->dir == SIMT_OUT) return;
  text_add(t, "static inline void %s_set_%s(uint32_t *in, const uint32_t *words) {\n"
              "  for (unsigned i = 0; i < %uu; i++) in[%u + i] = words[i];\n", name, p->name, p->words, p->word);
  if (rest) text_add(t, "  in[%u] &= 0x%" PRIx32 "u;\n", p->word + p->words - 1, ((uint32_t)1 << rest) - 1);
  text_add(t, "}\n");
}

void emit_model_header(struct text *t, const struct simt_config *cfg) {
  char prefix[SIMT_NAME_MAX * 2], what[200];
  upper(prefix, cfg->name);
  snprintf(what, sizeof what, "%s_ports.h: constants of %s and typed access to its ports", cfg->name, cfg->name);
  text_add(t, "/*\n");
  emit_header_comment(t, cfg, " *", what);
  text_add(t, " *\n * `in` and `out` are the word buffers of the cycle model: %s_IN_WORDS and %s_OUT_WORDS words.\n"
              " */\n#ifndef %s_PORTS_H\n#define %s_PORTS_H\n\n#include <stdint.h>\n\n#ifdef __cplusplus\nextern \"C\" {\n"
              "#endif\n\n", prefix, prefix, prefix, prefix);
  constants(t, cfg, prefix);
  text_add(t, "\n/* ---- buffers of the cycle model, in 32-bit words */\n");
  constant(t, prefix, "IN_WORDS", cfg->desc.in_words, "");
  constant(t, prefix, "OUT_WORDS", cfg->desc.out_words, "");
  const char *group = "";
  for (size_t i = 0; i < cfg->desc.n_ports; i++) {
    const struct simt_port *p = &cfg->desc.ports[i];
    if (p->role == SIMT_CLOCK) continue;
    if (strcmp(group, p->group)) text_add(t, "\n/* ---- %s */\n", p->group);
    group = p->group;
    text_add(t, "\n/* %s: %u bit%s%s%s. %s */\n", p->name, p->width, p->width > 1 ? "s" : "",
             p->valid[0] ? ", means something while " : "", p->valid[0] ? p->valid : "", p->doc);
    if (p->width <= 64) narrow_port(t, cfg->name, p);
    else wide_port(t, cfg->name, prefix, p);
  }
  text_add(t, "\n#ifdef __cplusplus\n}\n#endif\n#endif\n");
}
