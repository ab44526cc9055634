/* SPDX-License-Identifier: Apache-2.0 */
/* context.c: the words of a saved context against the golden model. The layout is read from docs/const_cache_design.md, "Save and
 * restore"; nothing here is shared with the model. */
#include <stdlib.h>
#include <string.h>

#include "const_cache/env.h"

enum { SOME = 31, KIND = 29, ADDR = (1u << 29) - 1, CODE_AT = 16, REGS = 5, SETTLED = 40 };

struct cc_offsets { unsigned line, mask, sms, rows, entries, locks, words, commands, n_commands; };

static struct cc_offsets find_places(const struct cc_env *e) {
  const struct cc_layout *l = &e->l;
  struct cc_offsets p = {.line = (l->word_w * l->words + 31) / 32, .mask = (l->codes + 31) / 32, .sms = REGS, .rows = REGS + l->sms};
  const unsigned then = p.rows + l->l2_rows * (1 + p.line);
  p.entries = p.locks = p.commands = then;
  if (l->protocol == CC_BACKUP) p.commands = then + l->sets * l->ways * (1 + p.mask + p.line);
  p.words = then + l->l1_rows;
  if (l->protocol == CC_COPY) p.commands = p.words + l->sms * l->l1_rows * (1 + p.line);
  p.n_commands = l->protocol == CC_COPY ? 19 : 16;
  return p;
}

void cc_context_nonsense(const void *env, uint32_t *w, uint32_t place) {
  const struct cc_env *e = env;
  const struct cc_offsets p = find_places(e);
  const uint32_t row = place / 10 % e->l.l2_rows, sm = place / 10 % e->l.sms, words = 1 + p.line;
  switch (place % 10) {
    case 0: w[2] |= 1u << (9 + place / 10 % 20); return;
    case 1: w[0] |= 1; return;
    case 2: w[4] |= 8; return;
    case 3: w[p.sms + sm] |= e->l.protocol == CC_COPY ? 1u << 20 : 1u << 5; return;
    case 4: w[p.rows + row * words] = 1u << SOME | (row ^ 1); return;
    case 5: w[p.commands] = 1u << SOME | 1u << KIND | 1u << e->l.const_w; return;
    case 6: w[p.commands] = 1u << SOME | e->l.constants / e->l.words; return;
    case 7: /* a line of no row, or of no command */
      if (row & 1) w[p.rows + row * words] = 0, w[p.rows + row * words + p.line] |= 1;
      else w[p.commands + (p.n_commands - 1) * words] = 0, w[p.commands + p.n_commands * words - 1] |= 1;
      return;
    case 8: /* bits that no line has */
      if (e->l.line_w == 8 || e->l.line_w == 16) w[p.rows + row * words] = 1u << SOME | row, w[p.rows + row * words + 1] |= 1u << e->l.line_w;
      else w[0] |= 1;
      return;
    default: break;
  }
  if (e->l.protocol == CC_COPY) {
    w[p.locks + row % e->l.l1_rows] = 1u << SOME | ((row % e->l.l1_rows) ^ 1);
  } else if (e->l.protocol == CC_BACKUP) { /* more versions than there are SMs */
    const uint32_t at = p.entries + row % e->l.sets * e->l.ways * (1 + p.mask + p.line);
    w[at] = 1u << SOME | row % e->l.sets;
    memset(&w[at + 1], 0xff, p.mask * sizeof *w);
  } else {
    w[p.sms + sm] = 1 | 1u << CODE_AT;
  }
}

/* ---- what the words mean ------------------------------------------------------------------------------------ */

static void put_line(const struct cc_env *e, uint64_t *value, uint32_t line, const uint32_t *words) {
  for (unsigned i = 0; i < e->l.words; i++) value[line * e->l.words + i] = simt_get_bits(words, i * e->l.word_w, e->l.word_w);
}

/* Overlays the lines of an SM's version: old words of the backup, or locked words of its L1. */
static void put_version(const struct cc_env *e, const struct cc_offsets *p, const uint32_t *w, unsigned sm, uint64_t *value) {
  const struct cc_layout *l = &e->l;
  const unsigned code = w[p->sms + sm] >> CODE_AT, words = 1 + p->line;
  for (unsigned i = 0; l->protocol == CC_COPY && i < l->l1_rows; i++) {
    const uint32_t *record = &w[p->words + (sm * l->l1_rows + i) * words];
    if (record[0] >> SOME) put_line(e, value, record[0] & ADDR, record + 1);
  }
  for (unsigned i = 0; l->protocol == CC_BACKUP && i < l->sets * l->ways; i++) {
    const uint32_t *record = &w[p->entries + i * (words + p->mask)];
    if (record[0] >> SOME && record[1 + code / 32] >> code % 32 & 1) put_line(e, value, record[0] & ADDR, record + 1 + p->mask);
  }
}

static const char *compare(struct cc_env *e, const uint64_t *value, const uint64_t *golden, const char *what, unsigned sm) {
  for (uint32_t a = 0; a < e->l.constants; a++)
    if (value[a] != golden[a] && !e->failed[a])
      return cc_wrong(e, "context: %s %u has 0x%llx at %u, not 0x%llx", what, sm, (unsigned long long)value[a], a, (unsigned long long)golden[a]);
  return NULL;
}

/* Whether an SM is active in the context. */
static bool is_active(const struct cc_env *e, const struct cc_offsets *p, const uint32_t *w, unsigned sm) {
  if (e->l.protocol != CC_COPY) return w[p->sms + sm] & 1;
  for (unsigned i = 0; i < e->l.sms; i++)
    if (w[p->sms + i] >> SOME && (w[p->sms + i] & 0xffff) == sm) return true;
  return false;
}

static const char *check_commands(struct cc_env *e, const struct cc_offsets *p, const uint32_t *w, uint64_t *value) {
  unsigned waits = 0, n = 0;
  for (unsigned i = 0; i < p->n_commands; i++) {
    const uint32_t *record = &w[p->commands + i * (1 + p->line)];
    if (!(record[0] >> SOME)) continue;
    n++;
    if (record[0] >> KIND & 3) waits++;
    else put_line(e, value, record[0] & ADDR, record + 1);
  }
  if (n) cc_hit(e, CC_COVER_SAVE_COMMANDS);
  return waits == e->q_n ? NULL : cc_wrong(e, "context: %u items and syncs wait, not %u", waits, e->q_n);
}

static const char *check_versions(struct cc_env *e, const struct cc_offsets *p, const uint32_t *w, uint64_t *base, uint64_t *value) {
  const size_t size = e->l.constants * sizeof *value;
  const bool copy = e->l.protocol == CC_COPY;
  unsigned current = 0;
  const char *wrong = NULL;
  for (uint32_t a = 0; a < e->l.constants; a++) base[a] = cc_golden_memory(e, a);
  for (unsigned i = 0; i < e->l.l2_rows; i++) {
    const uint32_t *record = &w[p->rows + i * (1 + p->line)];
    if (record[0] >> SOME) put_line(e, base, record[0] & ADDR, record + 1);
  }
  for (unsigned i = 0; i < e->l.sms && !wrong; i++) {
    if (is_active(e, p, w, i) != e->sm[i].active) return cc_wrong(e, "context: SM %u is active, or not", i);
    if (copy && w[p->sms + i] >> 29 & 1) current = i + 1;
    if (!e->sm[i].active) continue;
    memcpy(value, base, size);
    put_version(e, p, w, i, value);
    if (memcmp(value, base, size)) cc_hit(e, CC_COVER_SAVE_OLD);
    wrong = compare(e, value, e->sm[i].version->value, "SM", i);
  }
  memcpy(value, base, size);
  if (current) put_version(e, p, w, current - 1, value);
  if (!wrong) wrong = check_commands(e, p, w, value);
  return wrong ? wrong : compare(e, value, e->value, "the current version", 0);
}

const char *cc_context_judge(struct cc_env *e, const uint32_t *w, unsigned words) {
  const struct cc_offsets p = find_places(e);
  if (words != p.commands + p.n_commands * (1 + p.line)) return cc_wrong(e, "context: %u words", words);
  if (w[0] != (uint32_t)e->base || w[1] != (uint32_t)(e->base >> 32)) return cc_wrong(e, "context: base 0x%x", w[0]);
  const uint32_t may = 1u << CC_ERROR_READ | 1u << CC_ERROR_OLD; /* where memory fails, the golden model does not know whose access it was */
  if (!e->errors_unsure && e->error_cycle + SETTLED < e->cycle && (w[2] & ~may) != e->errors) return cc_wrong(e, "context: errors 0x%x, not 0x%x", w[2], e->errors);
  uint64_t *base = malloc(2 * e->l.constants * sizeof *base);
  if (!base) return "no memory for the judgement of a context";
  const char *wrong = check_versions(e, &p, w, base, base + e->l.constants);
  free(base);
  return wrong;
}
