/* SPDX-License-Identifier: Apache-2.0 */
/* golden.c: what a front end means: a unit that is restored is what was saved, and a command that ends well has
 * done its work on each unit of its domain once (US-8, US-9). No timing. */
#include <stdio.h>
#include <string.h>
#include <zlib.h>

#include "front_end/env.h"

struct fe_record *fe_record(struct fe_env *e, unsigned bank, unsigned unit) {
  return &e->record[bank * e->topology.units + unit];
}

static bool same(const struct fe_state *a, const struct fe_state *b) {
  return a->job == b->job && a->count == b->count && a->mode == b->mode;
}

/* Whether memory holds a whole context of the unit, and which one. */
static bool image(struct fe_env *e, unsigned bank, unsigned unit, struct fe_state *s) {
  enum { HEAD = 4, MOST = FE_WORDS + HEAD + 1 };
  const unsigned len = e->unit[unit].len, n = len + HEAD + 1;
  const uint32_t head[HEAD] = {0x55430200, FE_TYPE << 16 | unit, FE_HASH, len};
  uint8_t bytes[4 * MOST];
  uint32_t word[MOST];
  simt_memory_peek(e->memory, (uint64_t)(bank * e->topology.units + unit) << e->stride_lg, bytes, 4 * n);
  for (unsigned i = 0; i < n; i++)
    word[i] = bytes[4 * i] | (uint32_t)bytes[4 * i + 1] << 8 | (uint32_t)bytes[4 * i + 2] << 16 | (uint32_t)bytes[4 * i + 3] << 24;
  *s = (struct fe_state){word[HEAD] >> 8, word[HEAD + 1], (enum fe_mode)(word[HEAD] & 0xff)};
  return !memcmp(word, head, sizeof head) && word[n - 1] == crc32(0, bytes, 4 * (n - 1));
}

/* Whether a bank holds a context of the unit, and which one: memory says it itself, of a slot the record. */
static bool held(struct fe_env *e, unsigned bank, unsigned unit, struct fe_state *s) {
  if (bank < FE_MEMORY_BANKS) return image(e, bank, unit, s);
  const struct fe_record *c = fe_record(e, bank, unit);
  *s = c->state;
  return c->saved;
}

/* Whether the whole context of the unit has room in a bank. */
static bool fits(const struct fe_env *e, unsigned bank, unsigned unit) {
  const unsigned room = bank < FE_MEMORY_BANKS ? 1u << (e->stride_lg - 2) : e->local_words;
  const unsigned frame = bank < FE_MEMORY_BANKS ? 5 : 3; /* header; in memory the magic word and the checksum too */
  return e->unit[unit].len + frame <= room;
}

void fe_golden_begin(struct fe_env *e, unsigned domain) {
  const struct fe_run *r = &e->run[domain];
  const bool loads = r->command == FEM_SWITCH || r->command == FEM_DO_RESTORE, saves = loads ? r->command == FEM_SWITCH :
                     r->command == FEM_SAVE;
  e->run[domain].excused = e->run[domain].error_seen = false;
  for (unsigned u = 0; u < e->topology.units; u++) {
    if (e->topology.unit[u].domain != domain) continue;
    e->saves[u] = e->loads[u] = e->clears[u] = 0;
    struct fe_state s;
    /* A bank that is saved to and restored from in one command holds what this command saves. */
    if (loads && !held(e, r->load_bank, u, &s) && !(saves && r->save_bank == r->load_bank)) e->run[domain].excused = true;
    if (saves && !fits(e, r->save_bank, u)) e->run[domain].excused = true;
  }
}

void fe_golden_moves(struct fe_env *e, unsigned unit, bool load) {
  const struct fe_run *r = &e->run[e->topology.unit[unit].domain];
  if (load) return;
  fe_record(e, r->save_bank, unit)->saved = false;
}

const char *fe_golden_events(struct fe_env *e, unsigned unit, unsigned events) {
  const struct fe_run *r = &e->run[e->topology.unit[unit].domain];
  const struct fe_state *s = &e->unit[unit].s;
  if (events & FE_SAVED) {
    struct fe_record *c = fe_record(e, r->save_bank, unit);
    *c = (struct fe_record){fits(e, r->save_bank, unit), *s}; /* it gives words for which there is no room, too */
    e->saves[unit]++;
  }
  if (events & FE_CLEARED) e->clears[unit]++;
  if (!(events & FE_LOADED)) return NULL;
  struct fe_state was;
  e->loads[unit]++;
  if (held(e, r->load_bank, unit, &was) && same(s, &was)) return NULL;
  snprintf(e->message, sizeof e->message, "unit %u is restored as job %u, count %u, mode %u: not what bank %u holds", unit, s->job,
           s->count, s->mode, r->load_bank);
  return e->message;
}

const char *fe_golden_end(struct fe_env *e, unsigned domain, unsigned code) {
  struct fe_run *r = &e->run[domain];
  const enum fem_command what = r->command;
  const bool saves = what == FEM_SWITCH || what == FEM_SAVE, loads = what == FEM_SWITCH || what == FEM_DO_RESTORE;
  if (code && code != FEM_ABORTED && !r->excused) {
    snprintf(e->message, sizeof e->message, "command %u of domain %u ends with %u, and nothing was wrong", what, domain, code);
    return e->message;
  }
  for (unsigned u = 0; !code && u < e->topology.units; u++) {
    if (e->topology.unit[u].domain != domain) continue;
    const bool cleared = e->clears[u] || (what != FEM_SWITCH && what != FEM_EMPTY);
    if (cleared && (r->error_seen ? e->saves[u] >= saves && e->loads[u] >= loads : e->saves[u] == saves && e->loads[u] == loads)) continue;
    snprintf(e->message, sizeof e->message, "command %u of domain %u ends well, and unit %u was saved %u, reset %u, restored %u times", what,
             domain, u, e->saves[u], e->clears[u], e->loads[u]);
    return e->message;
  }
  for (unsigned u = 0; !code && saves && u < e->topology.units; u++) {
    const struct fe_record *c = fe_record(e, r->save_bank, u);
    struct fe_state now;
    if (e->topology.unit[u].domain != domain || (held(e, r->save_bank, u, &now) && c->saved && same(&c->state, &now))) continue;
    snprintf(e->message, sizeof e->message, "command %u of domain %u ends well, and bank %u does not hold what unit %u was", what, domain,
             r->save_bank, u);
    return e->message;
  }
  if (!code) fe_hit(e, FE_COVER_COMMAND + (int)what - FEM_SWITCH);
  if (!code && loads && r->load_bank >= FE_MEMORY_BANKS) fe_hit(e, FE_COVER_LOCAL);
  return NULL;
}
