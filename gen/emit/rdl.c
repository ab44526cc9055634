/* SPDX-License-Identifier: Apache-2.0 */
/* rdl.c: the register map of an instance in SystemRDL 2.0, from which other tools make IP-XACT, pages, headers. */
#include <inttypes.h>
#include <string.h>

#include "gen.h"

static void string(struct text *t, const char *s) {
  text_add(t, "\"");
  for (; *s; s++) text_add(t, *s == '"' || *s == '\\' ? "\\%c" : "%c", *s);
  text_add(t, "\"");
}

/* How software reaches a bit; the hardware's side follows from it. */
static const char *access_properties(const struct simt_reg *r) {
  if (!strcmp(r->access, "ro")) return "sw = r; hw = w;";
  if (!strcmp(r->access, "wo")) return "sw = w; hw = r;";
  if (!strcmp(r->access, "w1c")) return "sw = rw; hw = rw; onwrite = woclr;";
  return r->rule == SIMT_REG_CLEARS ? "sw = rw; hw = rw; onwrite = wclr;" : "sw = rw; hw = rw;";
}

static void one_field(struct text *t, const struct simt_reg *r, const char *name, const char *doc, unsigned low, unsigned width) {
  uint64_t mask = ((uint64_t)1 << width) - 1;
  text_add(t, "    field {\n");
  if (doc) {
    text_add(t, "      desc = ");
    string(t, doc);
    text_add(t, ";\n");
  }
  text_add(t, "      %s\n    } %s[%u:%u] = %u'h%" PRIx64 ";\n", access_properties(r), name, low + width - 1, low, width,
           (r->reset >> low) & mask);
}

/* Bits that no field names stand in fields BITS_HIGH_LOW, so that their access and reset value are told too. */
static void bits_without_name(struct text *t, const struct simt_reg *r, uint64_t named) {
  for (unsigned low = 0, high; low < r->width; low = high) {
    for (high = low; high < r->width && (named >> high & 1) == (named >> low & 1);) high++;
    if (named >> low & 1) continue;
    char name[32] = "VALUE";
    if (high - low < r->width) snprintf(name, sizeof name, "BITS_%u_%u", high - 1, low);
    one_field(t, r, name, NULL, low, high - low);
  }
}

static void one_register(struct text *t, const struct simt_desc *d, size_t i) {
  const struct simt_reg *r = &d->regs[i];
  uint64_t named = 0;
  text_add(t, "\n  reg {\n    desc = ");
  string(t, r->doc);
  text_add(t, ";\n");
  for (size_t k = 0; k < d->n_fields; k++) {
    const struct simt_field *f = &d->fields[k];
    if (f->reg != i) continue;
    one_field(t, r, f->name, f->doc, f->low, f->width);
    named |= (((uint64_t)1 << f->width) - 1) << f->low;
  }
  bits_without_name(t, r, named);
  text_add(t, "  } %s @ 0x%" PRIx32 ";\n", r->name, r->addr);
}

/* A name that is a keyword of SystemRDL is escaped; those that are one of Verilog or VHDL too are refused before. */
static const char *escape(const char *name) {
  static const char *const keywords[] = {
    "abstract", "accesstype", "addressingtype", "addrmap", "alternate", "boolean", "bothedge", "compact",
    "componentwidth", "encode", "external", "false", "field", "fullalign", "hw", "internal", "level",
    "mem", "na", "nonsticky", "number", "onreadtype", "onwritetype", "precedencetype", "r", "rclr",
    "regalign", "regfile", "rset", "ruser", "rw", "rw1", "sw", "true", "w", "w1", "wclr", "woclr",
    "woset", "wot", "wr", "wset", "wuser", "wzc", "wzs", "wzt"};
  for (size_t i = 0; i < sizeof keywords / sizeof *keywords; i++)
    if (!strcmp(name, keywords[i])) return "\\";
  return "";
}

void emit_rdl(struct text *t, const struct simt_config *cfg) {
  char what[200];
  snprintf(what, sizeof what, "%s.rdl: register map of %s, SystemRDL 2.0", cfg->name, cfg->name);
  emit_header_comment(t, cfg, "//", what);
  text_add(t, "\naddrmap %s%s {\n  name = ", escape(cfg->name), cfg->name);
  string(t, cfg->block->title);
  text_add(t, ";\n  desc = ");
  string(t, cfg->block->summary);
  text_add(t, ";\n  default regwidth = 32;\n  default accesswidth = 32;\n");
  for (size_t i = 0; i < cfg->desc.n_regs; i++) one_register(t, &cfg->desc, i);
  text_add(t, "};\n");
}
