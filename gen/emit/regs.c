/* SPDX-License-Identifier: Apache-2.0 */
/* regs.c: regs.h, the register map of an instance for its software: plain C, no other file, no assumption
 * about how the registers are reached. */
#include <ctype.h>
#include <inttypes.h>
#include <string.h>

#include "gen.h"

enum { COLUMNS = 100 };

static void upper(char *to, size_t room, const char *name) {
  size_t i = 0;
  for (; name[i] && i < room - 1; i++)
    to[i] = isalnum((unsigned char)name[i]) ? (char)toupper((unsigned char)name[i]) : '_';
  to[i] = 0;
}

static const char *access_text(const char *access) {
  static const char *const text[][2] = {
    {"rw", "read and write"}, {"ro", "read only"}, {"wo", "write only"}, {"w1c", "write 1 to clear"}};
  for (size_t i = 0; i < sizeof text / sizeof *text; i++)
    if (!strcmp(access, text[i][0])) return text[i][1];
  return access;
}

/* Whether the register's upper half follows it: NAME_LO, NAME_HI. */
static bool has_high(const struct simt_desc *d, size_t i) {
  size_t n = strlen(d->regs[i].name);
  return i + 1 < d->n_regs && n > 3 && !strcmp(d->regs[i].name + n - 3, "_LO") &&
         !strncmp(d->regs[i].name, d->regs[i + 1].name, n - 2) && !strcmp(d->regs[i + 1].name + n - 3, "_HI");
}

/* A comment, in lines of at most COLUMNS characters. */
static void comment(struct text *t, const char *s) {
  size_t column = 2;
  text_add(t, "/*");
  while (*s) {
    size_t word = strcspn(s, " ");
    if (column + 1 + word + 3 > COLUMNS) {
      text_add(t, "\n  ");
      column = 2;
    }
    text_add(t, " ");
    text_add_bytes(t, s, word);
    column += 1 + word;
    s += word + strspn(s + word, " ");
  }
  text_add(t, " */\n");
}

/* The macros of `width` bits from bit `low`, by the name PREFIX_NAME. */
static void bits(struct text *t, const char *prefix, const char *name, const char *access, unsigned low, unsigned width) {
  uint32_t mask = (uint32_t)((((uint64_t)1 << width) - 1) << low);
  text_add(t, "#define %s_%s_SHIFT %u\n#define %s_%s_MASK 0x%08" PRIx32 "u\n", prefix, name, low, prefix, name, mask);
  if (access[0] == 'r' || access[1] == '1')
    text_add(t, "#define %s_%s_GET(word) (((uint32_t)(word) & 0x%08" PRIx32 "u) >> %u)\n", prefix, name, mask, low);
  if (strcmp(access, "ro"))
    text_add(t, "#define %s_%s_PUT(value) (((uint32_t)(value) << %u) & 0x%08" PRIx32 "u)\n", prefix, name, low, mask);
}

static void one_register(struct text *t, const char *prefix, const struct simt_desc *d, size_t i) {
  const struct simt_reg *r = &d->regs[i];
  char name[SIMT_NAME_MAX], full[2 * SIMT_NAME_MAX], doc[600];
  upper(name, sizeof name, r->name);
  text_add(t, "\n");
  snprintf(doc, sizeof doc, "%s, %s: %s.%s", r->name, access_text(r->access), r->doc,
           has_high(d, i) ? " Read it before its _HI." : "");
  comment(t, doc);
  text_add(t, "#define %s_%s_OFFSET 0x%03" PRIx32 "u\n", prefix, name, r->addr);
  text_add(t, "#define %s_%s_RESET 0x%" PRIx32 "u\n", prefix, name, r->reset);
  bits(t, prefix, name, r->access, 0, r->width);
  for (size_t k = 0; k < d->n_fields; k++) {
    const struct simt_field *f = &d->fields[k];
    if (f->reg != i) continue;
    upper(full, sizeof full, name);
    snprintf(full + strlen(full), sizeof full - strlen(full), "_");
    upper(full + strlen(full), sizeof full - strlen(full), f->name);
    snprintf(doc, sizeof doc, "%s.%s: %s.", r->name, f->name, f->doc);
    comment(t, doc);
    bits(t, prefix, full, r->access, f->low, f->width);
  }
}

void emit_regs_header(struct text *t, const struct simt_config *cfg) {
  char prefix[2 * SIMT_NAME_MAX], what[200];
  uint32_t end = 0;
  upper(prefix, sizeof prefix, cfg->name);
  snprintf(what, sizeof what, "regs.h: register map of %s", cfg->name);
  text_add(t, "/*\n");
  emit_header_comment(t, cfg, " *", what);
  text_add(t, " *\n * 32-bit words at byte offsets from where the block is mapped; whole words only. An access that is refused is\n"
              " * answered with an error%s and changes nothing. _SHIFT, _MASK: the bits in use. _GET: their value, out of a\n"
              " * word that was read. _PUT: a value in their place, to be put together into a word to write.\n"
              " */\n#ifndef %s_REGS_H\n#define %s_REGS_H\n\n#include <stdint.h>\n",
           simt_find_port(cfg, "s_axil_awvalid") ? " (SLVERR)" : "", prefix, prefix);
  for (size_t i = 0; i < cfg->desc.n_regs; i++) {
    one_register(t, prefix, &cfg->desc, i);
    if (cfg->desc.regs[i].addr + 4 > end) end = cfg->desc.regs[i].addr + 4;
  }
  text_add(t, "\n/* Bytes from the first register to behind the last. */\n#define %s_REGS_BYTES 0x%03" PRIx32 "u\n", prefix, end);
  text_add(t, "\n/* X(name, offset, mask, access as text, reset) for each register. */\n#define %s_EACH_REG(X)", prefix);
  for (size_t i = 0; i < cfg->desc.n_regs; i++) {
    const struct simt_reg *r = &cfg->desc.regs[i];
    text_add(t, " \\\n  X(%s, 0x%03" PRIx32 "u, 0x%08" PRIx32 "u, \"%s\", 0x%" PRIx32 "u)", r->name, r->addr,
             r->width < 32 ? ((uint32_t)1 << r->width) - 1 : UINT32_MAX, r->access, r->reset);
  }
  text_add(t, "\n");
  emit_numbers(t, cfg, prefix);
  text_add(t, "\n#endif\n");
}
