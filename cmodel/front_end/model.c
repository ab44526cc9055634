/* SPDX-License-Identifier: Apache-2.0 */
/* model.c: tree, monitor and hub as one model; they are wired by the names of their ports. */
#include <stdlib.h>

#include "front_end/parts.h"
#include "core/parts.h"

struct fe_model {
  const struct simt_config *cfg;
  struct simt_config part[FE_PARTS];
  struct simt_parts *parts;
};

void *fe_create(const struct simt_config *cfg, struct simt_diag *diag) {
  if (!simt_check_plain(cfg, diag)) return NULL;
  struct fe_model *m = calloc(1, sizeof *m);
  if (m) m->cfg = cfg;
  if (m && fe_resolve_parts(cfg, m->part, diag) && (m->parts = simt_parts_create(cfg, m->part, FE_PARTS, diag))) {
    simt_parts_wire_names(m->parts);
    return m;
  }
  fe_destroy(m);
  simt_fail(diag, cfg->name, "no memory", "memory for the model");
  return NULL;
}

void fe_destroy(void *model) {
  struct fe_model *m = model;
  if (!m) return;
  simt_parts_destroy(m->parts);
  for (int i = 0; i < FE_PARTS; i++) simt_config_free(&m->part[i]);
  free(m);
}

void fe_reset(void *model) { simt_parts_reset(((struct fe_model *)model)->parts); }
void fe_outputs(const void *model, uint32_t *out) { simt_parts_outputs(((const struct fe_model *)model)->parts, out); }
void fe_step(void *model, const uint32_t *in) { simt_parts_step(((struct fe_model *)model)->parts, in); }

void fe_parts(void *model, struct simt_image *image) { simt_parts_image(((struct fe_model *)model)->parts, image); }

void fe_stats(const void *model, void (*visit)(void *ctx, const char *name, uint64_t value), void *ctx) {
  const struct fe_model *m = model;
  m->part[FE_MONITOR].block->model.stats(simt_parts_model(m->parts, FE_MONITOR), visit, ctx);
}
