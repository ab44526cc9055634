/* SPDX-License-Identifier: Apache-2.0 */
/* shim.c: the C++ between the two word buffers and a Verilated module. */
#include "gen.h"

/* Bits of the last word of a port that belong to it. */
static uint32_t last_mask(const struct simt_port *p) {
  unsigned used = p->width % 32;
  return used ? ((uint32_t)1 << used) - 1 : UINT32_MAX;
}

/* The masks keep a stray bit of an environment from being undefined behaviour of the Verilated
 * code. */
static void put_input(struct text *t, const struct simt_port *p) {
  uint32_t mask = last_mask(p);
  if (p->width <= 32) {
    text_add(t, "  top->%s = in[%u] & 0x%xu;\n", p->name, p->word, mask);
  } else if (p->width <= 64) {
    text_add(t, "  top->%s = in[%u] | (QData)(in[%u] & 0x%xu) << 32;\n", p->name, p->word,
             p->word + 1, mask);
  } else {
    text_add(t, "  std::memcpy(&top->%s[0], &in[%u], %u);\n", p->name, p->word, 4 * p->words);
    if (mask != UINT32_MAX) text_add(t, "  top->%s[%u] &= 0x%xu;\n", p->name, p->words - 1, mask);
  }
}

static void get_output(struct text *t, const struct simt_port *p) {
  if (p->width <= 32) {
    text_add(t, "  out[%u] = top->%s;\n", p->word, p->name);
  } else if (p->width <= 64) {
    text_add(t, "  out[%u] = (uint32_t)top->%s;\n", p->word, p->name);
    text_add(t, "  out[%u] = (uint32_t)(top->%s >> 32);\n", p->word + 1, p->name);
  } else {
    text_add(t, "  std::memcpy(&out[%u], &top->%s[0], %u);\n", p->word, p->name, 4 * p->words);
  }
}

static const char *clock_name(const struct simt_config *cfg) {
  for (size_t i = 0; i < cfg->desc.n_ports; i++)
    if (cfg->desc.ports[i].role == SIMT_CLOCK) return cfg->desc.ports[i].name;
  return NULL;
}

static void emit_ports(struct text *t, const struct simt_config *cfg, enum simt_dir dir) {
  for (size_t i = 0; i < cfg->desc.n_ports; i++) {
    const struct simt_port *p = &cfg->desc.ports[i];
    if (p->dir != dir || p->role == SIMT_CLOCK) continue;
    if (dir == SIMT_IN) put_input(t, p);
    else get_output(t, p);
  }
}

/* The text of the bus rule that was broken first, or NULL. */
static void violation(struct text *t, const char *module) {
  text_add(t,
           "SHIM const char *shim_violation(void *handle) {\n"
           "  V%s *top = ((instance *)handle)->top;\n"
           "  static char rule[%d];\n"
           "  if (!top->bus_failed_o) return nullptr;\n"
           "  char *to = rule;\n"
           "  for (int i = %d; i--;)\n"
           "    if (char c = (char)(top->bus_rule_o[i / 4] >> i %% 4 * 8)) *to++ = c;\n"
           "  *to = 0;\n"
           "  return rule;\n}\n\n", module, BUS_RULE_CHARS + 1, BUS_RULE_CHARS);
}

/* To be compiled after the Verilated sources, in one unit with them. A context per instance, so
 * that several live in one process and each has the initial values of its own seed. */
void emit_shim(struct text *t, const struct simt_config *cfg, const char *module) {
  const char *clock = clock_name(cfg);
  emit_header_comment(t, cfg, "//",
                      "Between the word buffers of lockstep and the Verilated module.");
  text_add(t,
           "#include <cstring>\n#include \"V%s.h\"\n#ifdef VM_COVERAGE\n#include "
           "\"verilated_cov.h\"\n#endif\n\n"
           "#define SHIM extern \"C\" __attribute__((visibility(\"default\")))\n\n",
           module);
  text_add(t, "namespace {\nstruct instance {\n  VerilatedContext context;\n  V%s *top;\n};\n}\n\n",
           module);
  text_add(t,
           "SHIM void *shim_new(uint64_t seed) {\n"
           "  instance *i = new instance;\n"
           "  i->context.randReset(2);\n"
           "  i->context.randSeed((int)(seed %% 2147483647) + 1);\n"
           "  i->top = new V%s(&i->context);\n"
           "  return i;\n}\n\n", module);
  text_add(t,
           "SHIM void shim_free(void *handle) {\n"
           "  instance *i = (instance *)handle;\n"
           "  i->top->final();\n  delete i->top;\n  delete i;\n}\n\n");
  text_add(t,
           "SHIM void shim_coverage(void *handle, const char *file) {\n"
           "#ifdef VM_COVERAGE\n  ((instance *)handle)->context.coveragep()->write(file);\n"
           "#else\n  (void)handle;\n  (void)file;\n#endif\n}\n\n");
  if (cfg->n_wraps) violation(t, module);
  text_add(t,
           "SHIM void shim_cycle(void *handle, const uint32_t *in, uint32_t *out) {\n"
           "  V%s *top = ((instance *)handle)->top;\n", module);
  emit_ports(t, cfg, SIMT_IN);
  text_add(t, "  top->%s = 0;\n  top->eval();\n", clock);
  emit_ports(t, cfg, SIMT_OUT);
  text_add(t, "  top->%s = 1;\n  top->eval();\n}\n", clock);
}
