/* SPDX-License-Identifier: Apache-2.0 */
/* tree_system.h: the parts of the system, in this order: branch_stacks, an arbiter for each switch domain, the front end. */
#ifndef TREE_SYSTEM_H
#define TREE_SYSTEM_H

#include "simt.h"

enum { TS_STACKS_MOST = 8, TS_DOMAINS_MOST = 4, TS_PARTS_MOST = TS_STACKS_MOST + TS_DOMAINS_MOST + 1 };
enum ts_kind { TS_STACK, TS_ARBITER, TS_FRONT_END };

struct ts_system {
  unsigned stacks, domains, each, units, parts; /* each: stacks of a domain */
  unsigned encoding, state_w;
  struct simt_config part[TS_PARTS_MOST];
};

extern const struct simt_block simt_block_tree_system;

/* The configurations of the parts, resolved; freed with ts_free, on failure too. */
bool ts_make(const struct simt_config *whole, struct ts_system *s, struct simt_diag *diag);
void ts_free(struct ts_system *s);
static inline enum ts_kind ts_kind_of(const struct ts_system *s, unsigned part) {
  return part < s->stacks ? TS_STACK : part < s->units ? TS_ARBITER : TS_FRONT_END;
}
/* Number of the unit that a part is: the stacks of a domain, then its arbiter. */
static inline unsigned ts_unit(const struct ts_system *s, unsigned part) {
  return part < s->stacks ? part / s->each * (s->each + 1) + part % s->each : (part - s->stacks + 1) * (s->each + 1) - 1;
}
static inline unsigned ts_first(const struct ts_system *s, enum ts_kind k) {
  return k == TS_STACK ? 0 : k == TS_ARBITER ? s->stacks : s->units;
}
static inline unsigned ts_count(const struct ts_system *s, enum ts_kind k) {
  return k == TS_STACK ? s->stacks : k == TS_ARBITER ? s->domains : 1;
}
/* The name under which a port of a part is one of the whole: the parts of a kind side by side. False: it is inside. */
bool ts_outer(enum ts_kind k, const struct simt_port *p, char name[SIMT_NAME_MAX]);

void *ts_create(const struct simt_config *cfg, struct simt_diag *diag);
void ts_destroy(void *model);
void ts_reset(void *model);
void ts_outputs(const void *model, uint32_t *out);
void ts_step(void *model, const uint32_t *in);
void ts_parts(void *model, struct simt_image *image);
void ts_stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx);

#endif
