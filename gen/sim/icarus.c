/* SPDX-License-Identifier: Apache-2.0 */
/* icarus.c: the self-checking bench with the vectors of a run, in Icarus Verilog. */
#include <inttypes.h>
#include <string.h>

#include "sim/icarus.h"
#include "synth/netlist.h"
#include "work.h"

static void keep(void *ctx, uint64_t cycle, const uint32_t *in, const uint32_t *model, const uint32_t *rtl) {
  (void)cycle, (void)rtl;
  tb_cycle(ctx, in, model);
}

/* The bench prints one line: PASS, or FAIL with what differs. */
static bool read_verdict(const char *log, struct icarus_result *r, struct simt_diag *diag) {
  const char *fail = log ? strstr(log, "FAIL ") : NULL;
  if (!fail && log && strstr(log, "PASS ")) return true;
  r->differs = fail && sscanf(fail, "FAIL %*s cycle %" SCNu64 " port %47s got %1099s expected %1099s", &r->cycle,
                              r->port, r->rtl, r->model) == 4;
  if (!r->differs && fail)
    r->differs = sscanf(fail, "FAIL %*s cycle %" SCNu64 " bus rule: %1099[^\n]", &r->cycle, r->rule) == 2;
  return r->differs || simt_fail(diag, "vvp", NULL, "the bench ended without a verdict: %.150s", log ? log : "");
}

static bool simulate(struct work *w, const struct simt_config *cfg, const struct fileset *fs,
                     struct icarus_result *r) {
  const char *iverilog = tool_find("iverilog", w->diag), *vvp = iverilog ? tool_find("vvp", w->diag) : NULL;
  struct args a = {.n = 0}, b = {.n = 0};
  char top[SIMT_NAME_MAX + 8];
  snprintf(top, sizeof top, "%s_tb", cfg->name);
  if (!vvp) return false;
  args_add_all(&a, (const char *const[]){iverilog, "-g2012", "-DNO_ICE40_DEFAULT_ASSIGNMENTS", "-o", "bench",
                                         "-s", top, NULL});
  args_add_all(&b, (const char *const[]){vvp, "-N", "bench", NULL});
  progress(NOT_KNOWN, "building for Icarus");
  if (!work_write_all(w, fs, &a) || !work_run(w, &a, w->folder, "iverilog")) return false;
  progress(NOT_KNOWN, "Icarus runs");
  w->log.len = 0;
  int status = tool_run(b.v, w->folder, &w->log); /* 1 after a difference */
  if (status < 0 || status > 1)
    return simt_fail(w->diag, "vvp", NULL, "vvp failed (status %d)", status);
  return read_verdict(w->log.s, r, w->diag);
}

bool icarus_run(struct lockstep *model, const struct lockstep_plan *plan, const struct simt_config *cfg,
                const struct rtl_variant *variant, struct lockstep_result *run, struct icarus_result *result,
                struct simt_diag *diag) {
  struct work w = {.diag = diag};
  struct fileset fs = {0};
  struct tb *tb = tb_open(cfg);
  struct lockstep_plan keeping = *plan;
  keeping.watch = keep;
  keeping.ctx = tb;
  *result = (struct icarus_result){.differs = false};
  bool ok = rtl_sim_files(&fs, cfg, variant, diag) &&
            (!variant->netlist || netlist_make(&fs, cfg, variant->netlist, diag)) &&
            emit_checked(&fs, cfg, diag);
  if (ok) *run = lockstep_run(model, &keeping);
  tb_close(tb, &fs);
  const char *cache = ok ? cache_dir(diag) : NULL;
  if (ok && run->end == LOCKSTEP_PASS) {
    ok = cache && work_begin(&w, cache) && simulate(&w, cfg, &fs, result);
    progress_end();
    work_end(&w);
  }
  fileset_free(&fs);
  return ok;
}
