/* SPDX-License-Identifier: Apache-2.0 */
/* sweep.c: `simtgen sweep`: synthesis and workloads over many configurations of a block. */
#include "sweep/sweep.h"

enum { SHOWN_ROWS = 40 };

static void print_json(const struct sweep_run *r, json_t *rows) {
  json_t *whole = sweep_header(r);
  json_object_set(whole, "rows", rows);
  json_dumpf(whole, stdout, JSON_INDENT(2) | JSON_REAL_PRECISION(6));
  putchar('\n');
  json_decref(whole);
}

static void print(const struct gen_options *o, const struct sweep_run *r, json_t *rows) {
  struct sweep_table t;
  struct text text = {0};
  if (o->json) {
    print_json(r, rows);
    return;
  }
  sweep_table_make(&t, rows);
  sweep_text(&t, SHOWN_ROWS, &text);
  printf("%s: %zu points of %s", r->sweep->name, r->sweep->n_points, r->sweep->base.block->name);
  if (r->sweep->n_refused) printf(" (%zu more are refused by the block)", r->sweep->n_refused);
  printf("\n\n%s", text.s);
  if (!o->quiet)
    printf("\n%zu tasks run, %zu kept from before, %zu failed; results: %s/results.jsonl and .csv\nas a page: simtgen report %s -o DIR\n",
           r->n_done, r->n_tasks - r->n_open, r->n_failed, r->folder, r->folder);
  text_free(&text);
  sweep_table_free(&t);
}

static int run_all(const struct gen_options *o, struct sweep_run *r, struct simt_diag *diag) {
  json_t *rows = NULL;
  bool good = session_run(o, r, diag) && sweep_write_results(r, &rows, diag);
  if (good) print(o, r, rows);
  json_decref(rows);
  return !good || r->n_failed == r->n_tasks ? EXIT_TOOL : EXIT_DONE;
}

int cmd_sweep(const struct gen_options *o) {
  struct simt_diag diag = {0};
  struct sweep_session x = {.sweep = NULL};
  if (o->task) return run_job(o->out ? o->out : ".", o->task);
  int status = session_read(&x, o, &diag) ? session_open(&x, o, &diag) : EXIT_USAGE;
  if (status == EXIT_DONE) status = run_all(o, &x.run, &diag);
  session_end(&x);
  if (diag.failed) message_error(&diag);
  return status;
}
