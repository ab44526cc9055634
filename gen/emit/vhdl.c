/* SPDX-License-Identifier: Apache-2.0 */
/* vhdl.c: a VHDL package of an instance: the component to instantiate, and its configuration as constants. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "gen.h"

enum { NATURAL_MAX = 2147483647, BITS_A_LINE = 64 };

/* `call_stack_THREADS`: with the prefix no two packages hide each other's names, and none is a keyword. */
static void constant(struct text *t, const struct simt_config *cfg, const char *name, const char *choice, uint64_t value,
                     const char *doc) {
  char full[3 * SIMT_NAME_MAX];
  snprintf(full, sizeof full, "%s_%s%s%s", cfg->name, name, choice[0] ? "_" : "", choice);
  for (char *c = full + strlen(cfg->name); *c; c++) *c = isalnum((unsigned char)*c) ? (char)toupper((unsigned char)*c) : '_';
  if (doc[0]) text_add(t, "  -- %s\n", doc);
  if (value <= NATURAL_MAX) text_add(t, "  constant %s : natural := %" PRIu64 ";\n", full, value);
  else text_add(t, "  constant %s : std_logic_vector(63 downto 0) := x\"%016" PRIx64 "\";\n", full, value);
}

/* A vector, its first element in the lowest bits, as the core has it. */
static void vector(struct text *t, const struct simt_config *cfg, const struct simt_derived *v) {
  size_t bits = v->bits * (size_t)v->value;
  text_add(t, "  -- %s\n  constant %s_%s : std_logic_vector(%zu downto 0) :=\n    \"", v->doc, cfg->name, v->name, bits - 1);
  while (bits--) {
    text_add(t, "%" PRIu32, v->element[bits / v->bits] >> bits % v->bits & 1);
    if (bits && bits % BITS_A_LINE == 0) text_add(t, "\" &\n    \"");
  }
  text_add(t, "\";\n");
}

/* VHDL does not tell `bus_reads` from `BUS_READS`: of a parameter and the value that became of it the package has the latter. */
static bool has_derived(const struct simt_config *cfg, const char *name) {
  for (size_t i = 0; i < cfg->desc.n_derived; i++)
    if (!strcasecmp(cfg->desc.derived[i].name, name)) return true;
  return false;
}

static void constants(struct text *t, const struct simt_config *cfg) {
  text_add(t, "  -- Parameters.\n");
  for (size_t i = 0; i < cfg->n_params; i++) {
    const struct simt_param *p = cfg->param[i];
    if (simt_replaced(cfg, i) || has_derived(cfg, p->name)) continue;
    constant(t, cfg, p->name, "", cfg->value[i], p->doc);
    for (size_t k = 0; p->choices && p->choices[k]; k++) constant(t, cfg, p->name, p->choices[k], k, "");
  }
  if (cfg->desc.n_derived) text_add(t, "\n  -- Values that follow from the parameters.\n");
  for (size_t i = 0; i < cfg->desc.n_derived; i++) {
    const struct simt_derived *v = &cfg->desc.derived[i];
    if (v->bits) vector(t, cfg, v);
    else constant(t, cfg, v->name, "", v->value, v->doc);
  }
}

/* The module, or the one round it with an asynchronous reset. */
static void component(struct text *t, const struct simt_config *cfg, const char *suffix, const char *reset) {
  const char *group = "";
  text_add(t, "\n  component %s%s is\n    port (", cfg->name, suffix);
  for (size_t i = 0; i < cfg->desc.n_ports; i++) {
    const struct simt_port *p = &cfg->desc.ports[i];
    if (strcmp(group, p->group)) text_add(t, "\n      -- %s", p->group);
    group = p->group;
    text_add(t, "\n      %s : %s std_logic", p->role == SIMT_RESET ? reset : p->name, p->dir == SIMT_IN ? "in" : "out");
    if (p->width > 1) text_add(t, "_vector(%u downto 0)", p->width - 1);
    if (i + 1 < cfg->desc.n_ports) text_add(t, ";");
  }
  text_add(t, "\n    );\n  end component;\n");
}

void emit_vhdl(struct text *t, const struct simt_config *cfg) {
  char what[200];
  const char *reset = "rst_i";
  for (size_t i = 0; i < cfg->desc.n_ports; i++)
    if (cfg->desc.ports[i].role == SIMT_RESET) reset = cfg->desc.ports[i].name;
  snprintf(what, sizeof what, "%s_pkg.vhd: %s as a component of VHDL", cfg->name, cfg->name);
  emit_header_comment(t, cfg, "--", what);
  text_add(t, "-- What the ports mean stands in rtl/%s.v and in the datasheet. A port of one bit is std_logic, a wider one\n"
              "-- std_logic_vector.\nlibrary ieee;\nuse ieee.std_logic_1164.all;\n\npackage %s_pkg is\n\n", cfg->name, cfg->name);
  constants(t, cfg);
  component(t, cfg, "", reset);
  if (simt_param_index(cfg, "reset") >= 0 && simt_param(cfg, "reset")) component(t, cfg, "_async_reset", "rst_ni");
  text_add(t, "\nend package;\n");
}
